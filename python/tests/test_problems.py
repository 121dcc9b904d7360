# SPDX-License-Identifier: Apache-2.0
"""Hierarchies, rules, attackers and linked tables in all the forms in which they may be given."""

from __future__ import annotations

import decimal
import os
import pathlib
import random
import subprocess
import sys
from typing import Any

import lacuna_sdc as lc
import pytest
from data import PRODUCTS, RULES, records, sales, sales_problem, table


def tabulated(**more: Any) -> lc.Table:
    return lc.tabulate(records(), dims=["nace", "region"], value="turnover", unit="firm", **more)


def test_hierarchies_in_all_forms(tmp_path: pathlib.Path) -> None:
    (tmp_path / "nace.hrc").write_text("A\n@A1\n@A2\nB\n@B1\n@B2\n")
    (tmp_path / "lead.hrc").write_text("A\n..A1\n..A2\nB\n..B1\n..B2\n")
    (tmp_path / "nace.csv").write_text(
        "code;parent\nA;Total\nB;Total\nA1;A\nA2;A\nB1;B\nB2;B\n"
    )
    pairs = [("A", "Total"), ("B", "Total"), ("A1", "A"), ("A2", "A"), ("B1", "B"), ("B2", "B")]
    by_code = [{"code": code, "parent": parent} for code, parent in pairs]
    levels = {"section": ["A", "A", "B", "B"], "class": ["A1", "A2", "B1", "B2"]}
    forms: list[Any] = [
        tmp_path / "nace.hrc",
        str(tmp_path / "nace.hrc"),
        lc.hrc(tmp_path / "lead.hrc", lead=".."),
        str(tmp_path / "nace.csv"),
        lc.parents(by_code),
        lc.parents(pytest.importorskip("pandas").DataFrame(by_code)),
        lc.correspondence(levels),
        lc.tree({"Total": ["A", "B"], "A": ["A1", "A2"], "B": ["B1", "B2"]}),
        {"Total": ["A", "B"], "A": ["A1", "A2"], "B": ["B1", "B2"]},
        lc.digits(1, 1),
    ]
    first = tabulated(hierarchies={"nace": forms[0]})
    expected = sorted(tuple(row.values()) for row in first.confidential.cells.rows())
    for form in forms:
        cells = tabulated(hierarchies={"nace": form}).confidential.cells
        assert sorted(tuple(row.values()) for row in cells.rows()) == expected, form
    assert {row[0] for row in expected} == {"Total", "A", "B", "A1", "A2", "B1", "B2"}


def test_other_totals_orders_and_missing_codes() -> None:
    hierarchy = lc.flat("All").with_codes(["Sum", "W", "N", "S"])
    assert hierarchy.with_total("Sum").keys["total"] == "Sum"
    made = tabulated(hierarchies={"region": hierarchy.with_total("Sum")})
    assert made.confidential.cells["region"][:4] == ["Sum", "W", "N", "S"]
    rows = records()
    rows[0]["region"] = ""
    with pytest.raises(lc.InputError):
        lc.tabulate(rows, dims=["region"], value="turnover")
    dropped = lc.flat("Total").with_missing("drop")
    made = lc.tabulate(rows, dims={"region": dropped}, value="turnover")
    assert made.confidential.facts["records"][0] == len(rows) - 1
    coded = lc.flat("Total").with_missing("code", code="unknown", values=["?"])
    made = lc.tabulate(rows, dims={"region": coded}, value="turnover")
    assert "unknown" in made.confidential.cells["region"]


def test_the_job_of_a_call_is_what_the_arguments_say() -> None:
    exact: Any = decimal.Decimal("12.50")
    rules = [lc.frequency(3, range=exact), lc.p_percent(1e-7)]
    tree = {"Total": ["A1", "A2", "B1", "B2"]}
    made = lc.tabulate(
        records(),
        dims={"nace": tree, "region": "All \"of\" them"},
        value="turnover",
        unit="firm",
        rules=rules,
        levels={"formula": "thesis"},
        empty_cells=True,
        name="firms",
    )
    assert made.job == """[input]
records = { frame = "records" }
empty_cells = true

[columns]
value = "turnover"
respondent = "firm"

[[dimension]]
name = "nace"
[dimension.tree]
"Total" = ["A1", "A2", "B1", "B2"]

[[dimension]]
name = "region"
total = "All \\"of\\" them"

[[rule]]
type = "frequency"
n = 3
range = 12.50

[[rule]]
type = "p-percent"
p = 0.0000001

[levels]
formula = "thesis"
"""


def test_numbers_of_numpy_are_numbers() -> None:
    numpy = pytest.importorskip("numpy")
    jobs = [
        lc.tabulate(
            records(),
            dims=["nace"],
            value="turnover",
            rules=[lc.frequency(three)],
            empty_cells=yes,
        ).job
        for three, yes in ((3, True), (numpy.int64(3), numpy.bool_(True)))
    ]
    assert jobs[0] == jobs[1]


def test_nested_columns() -> None:
    made = tabulated(hierarchies={"region": lc.nested("area", "region")})
    assert set(made.confidential.cells["region"]) == {"Total", "north", "south", "N", "S", "W"}


def sensitive(made: lc.Problem) -> int:
    return made.counts["sensitive"]


def test_rules() -> None:
    assert sensitive(tabulated()) == 0
    rules: list[lc.Rule] = [
        lc.frequency(4),
        lc.frequency(4, counts="records", range=20),
        lc.dominance(1, 60),
        lc.p_percent(30),
        lc.p_percent(30, coalition=2),
        lc.prior_posterior(10, 50),
    ]
    for rule in rules:
        found = sensitive(tabulated(rules=[rule]))
        assert found > 0, rule
        assert sensitive(tabulated(rules=[rule, lc.dominance(2, 95)])) >= found
    zeros = [{"a": "x", "v": 0}, {"a": "x", "v": 0}, {"a": "y", "v": 5}]
    assert sensitive(lc.tabulate(zeros, dims=["a"], value="v", rules=[lc.zeros(1)])) == 1
    rows = [{**row, "asked": "1" if row["firm"] == "f1" else "0"} for row in records()]
    made = lc.tabulate(
        rows, dims=["nace"], value="turnover", unit="firm", request="asked",
        rules=[lc.request(1)],
    )
    assert sensitive(made) > 0


def attacked_by(attacker: lc.Attacker) -> lc.Problem:
    return lc.Problem(
        sales(),
        dims={"product": lc.tree(PRODUCTS), "region": "All"},
        value="turnover",
        status="status",
        attackers=[attacker],
    )


def test_attackers() -> None:
    everyone = tabulated(rules=RULES)
    alone = tabulated(rules=RULES, attackers=lc.outsider())
    assert alone.counts["attackers"] == 1 < everyone.counts["attackers"]
    pairs = tabulated(
        rules=[lc.p_percent(10, coalition=2)], attackers=lc.respondents(coalition=2)
    )
    assert pairs.counts["requirements"] > 0
    firm = lc.Attacker("firm 17", known={("A1", "East"): None, ("A2", ""): (10, 200)})
    problem = attacked_by(firm)
    assert problem.counts["attackers"] == 2
    assert lc.protect(problem).verdict == "protected"
    levels = {("A1", "West"): (1, 2, 0)}
    own = lc.Attacker("firm 17", known={("A1", "East"): None}, levels=levels)
    findings = lc.audit(attacked_by(own)).confidential.rows()
    asked = [row for row in findings if row["attacker"] == "firm 17"]
    assert [(row["lower_level"], row["upper_level"]) for row in asked] == [(1, 2)]


def test_tables_by_frame() -> None:
    """Linked tables as a dictionary of frames."""
    by_region = [row for row in sales() if row["product"] in ("A1", "A2", "B", "Total")]
    by_group = [
        {("group" if key == "product" else key): value for key, value in row.items()}
        for row in sales()
        if row["product"] in ("A", "B", "Total")
    ]
    problem = lc.Problem(
        {"products": by_region, "groups": by_group},
        dims={"product": "Total", "group": "Total", "region": "All"},
        value="turnover",
        status="status",
    )
    release = lc.protect(problem)
    assert list(release.tables) == ["products", "groups"]
    assert release.tables["groups"].names[:2] == ["group", "region"]


def test_a_file_with_columns_named_here(tmp_path: pathlib.Path) -> None:
    polars = pytest.importorskip("polars")
    polars.DataFrame(sales()).write_csv(tmp_path / "sales.csv", separator=";")
    problem = sales_problem(tmp_path / "sales.csv")
    assert problem.digest == sales_problem().digest
    problem.save(tmp_path / "problem.json")
    assert lc.Problem(tmp_path / "problem.json").digest == problem.digest


def test_totals_that_are_computed() -> None:
    inner = [
        row for row in sales() if row["product"] not in ("A", "Total") and row["region"] != "All"
    ]
    problem = lc.Problem(
        inner,
        dims={"product": lc.tree(PRODUCTS), "region": "All"},
        value="turnover",
        status="status",
        totals="computed",
    )
    assert problem.counts["cells"] == 20


def test_levels_that_were_asked_for_are_those_of_the_report() -> None:
    release = lc.protect(sales_problem(), levels="minimal")
    assert "protected" in release.report()
    assert "<html" in release.report(public=True)
    with pytest.raises(lc.NotProtectedError):
        lc.report(sales_problem(), [], public=True)  # everything is published


@pytest.mark.parametrize("seed", range(12))
def test_what_is_handed_out_is_safe(seed: int) -> None:
    """Whatever comes out, in whatever form, passes when it is read back; less hidden does not."""
    problem = table(seed, 25)
    method: Any = random.Random(seed).choice(["suppress", "suppress", "interval", "combined"])
    release = lc.protect(problem, method=method, effort="fast")
    frames: list[Any] = [release, release.rows(), release.to_dict()]
    frames += [release.to_pandas(), release.to_polars(), release.to_arrow()]
    for frame in frames:
        assert lc.audit(problem, frame).verdict == "protected"
    cells = release.confidential.cells.rows()
    if method == "suppress" and release.gap == 0 and release.run["secondary"] > 0:
        opened = [
            {
                **{name: row[name] for name in problem.dims},
                "value": None if row["status"] == "primary" else row["value"],
                "state": "withheld" if row["status"] == "primary" else "published",
            }
            for row in cells
        ]
        assert lc.audit(problem, opened).verdict == "exposed"


def test_options_of_the_package_are_those_of_the_core() -> None:
    """_options.py and _help.py are what make_options.py writes."""
    script = pathlib.Path(__file__).resolve().parent.parent / "make_options.py"
    package = pathlib.Path(lc.__file__).resolve().parent
    folder = str(pathlib.Path(lc.__file__).parent.parent)
    code = f"import runpy; made = runpy.run_path({str(script)!r}); "
    code += "print(made['text']() + made['help_text'](), end='')"
    done = subprocess.run(
        [sys.executable, "-c", "import sys; sys.path.insert(0, ''); " + code],
        capture_output=True,
        text=True,
        check=False,
        env={**os.environ, "PYTHONPATH": folder},
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout == (package / "_options.py").read_text() + (package / "_help.py").read_text()
