# SPDX-License-Identifier: Apache-2.0
"""What the examples of gconfid and pytauargus are about, in Lacuna (docs/python_peers.md).

The data are those of scripts/peer_examples.py. What is expected was derived by hand where the
tables are small; costs are optima that were proven. Releases of the peers are written down as the
cells they withhold; where the peers are installed, they make them again.
"""

from __future__ import annotations

import importlib
import importlib.util
import math
import pathlib
import re
import sys
from collections.abc import Callable, Collection
from typing import Any

import pytest

import lacuna_sdc as lc

SOURCE = pathlib.Path(__file__).resolve().parent.parent.parent
sys.path.insert(0, str(SOURCE / "scripts"))

peers: Any = importlib.import_module("compare_python_peers")
peer_examples: Any = importlib.import_module("peer_examples")
EXAMPLES, named = peer_examples.EXAMPLES, peer_examples.named

Example = Any  # of peer_examples
Codes = tuple[str, ...]
RULES: dict[str, Callable[..., lc.Rule]] = {
    "p-percent": lc.p_percent,
    "dominance": lc.dominance,
    "frequency": lc.frequency,
}
ATTACKERS = {"outsider": lc.outsider(), "respondents": lc.respondents()}


def columns(example: Example) -> dict[str, list[Any]]:
    return {name: example.column(name) for name in example.columns}


def dims(example: Example, folder: pathlib.Path) -> dict[str, lc.Hierarchy]:
    """Hierarchies as files, one per way to add up, or none."""
    found = {}
    for dim in example.dims:
        total, files = example.total(dim), []
        for number, tree in enumerate(example.trees.get(dim, ())):
            files.append(folder / f"{dim}{number}.hrc")
            files[-1].write_text(peers.hrc_text(tree, total), encoding="utf-8")
        found[dim] = lc.hrc(*files, total=total) if files else lc.flat(total)
    return found


def problem_of(example: Example, who: str, folder: pathlib.Path) -> lc.Problem:
    rules = [RULES[rule.type](**rule.values) for rule in example.rules]
    if example.ready:
        return lc.Problem(
            columns(example),
            dims=dims(example, folder),
            value=example.value,
            frequency=example.frequency,
            largest=example.largest,
            status=example.status or None,
            defaults={"level": "20%"} if example.status else None,
            rules=rules,
            attackers=ATTACKERS[who],
        )
    apriori = folder / "manual.hst"
    apriori.write_text(example.apriori, encoding="utf-8")
    return lc.tabulate(
        columns(example),
        dims=dims(example, folder),
        value=example.value,
        unit=example.unit,
        holding=example.holding or None,
        weight=example.weight or None,
        waiver=example.waiver or None,
        waiver_codes=["1"] if example.waiver else None,
        negative=example.negative or None,
        tables={f"table{n + 1}": table for n, table in enumerate(example.tables)} or None,
        rules=rules,
        attackers=ATTACKERS[who],
        apriori=apriori if example.apriori else None,
    )


def cells_of(problem: lc.Problem) -> dict[Codes, dict[str, Any]]:
    rows = problem.confidential.cells.rows()
    return {tuple(row[dim] for dim in problem.dims): row for row in rows}


def sensitive(problem: lc.Problem) -> set[Codes]:
    return {codes for codes, row in cells_of(problem).items() if row["status"] == "primary"}


def withheld(release: lc.Release) -> set[Codes]:
    names = release.problem.dims
    rows = release.rows()
    return {tuple(row[dim] for dim in names) for row in rows if row["state"] == "withheld"}


def without(problem: lc.Problem, hidden: Collection[Codes]) -> list[dict[str, Any]]:
    """The table with these cells withheld, as anyone might publish it."""
    return [
        {**dict(zip(problem.dims, codes, strict=True)), "published": shown(row, codes in hidden)}
        for codes, row in cells_of(problem).items()
    ]


def shown(row: dict[str, Any], hide: bool) -> str:
    return "x" if hide else str(row["value"])


def cost(example: Example, problem: lc.Problem, hidden: set[Codes]) -> float:
    cells = cells_of(problem)
    sizes = [abs(float(cells[codes]["value"])) for codes in hidden - sensitive(problem)]
    if example.weights == "unity":
        return len(sizes)
    return sum(math.log10(1 + s) for s in sizes) if example.weights == "log" else sum(sizes)


# example: sensitive cells; secondaries and cost against the outsider and against respondents
OPTIMA: dict[str, tuple[Any, ...]] = {
    "sole": (6, (1, 1060), (2, 2215)),
    "waivers": (1, (3, 534), (3, 534)),
    "two trees": (14, (5, 8259), (11, 17909)),
    "one run": (13, (5, 6412), (5, 6412)),
    "each cell 1": (13, (5, 5), (5, 5)),
    "digits": (13, (5, 15.2917), (5, 15.3069)),
    "larger": (44, (1, 140), (3, 1194)),
    "thousand": (121, (103, 86199)),
    "nobody": (0, (0, 0), (0, 0)),
    "weights": (4, (0, 0), (0, 0)),
    "diagonal": (5, (2, 1186), (3, 3011)),
    "border": (0, (0, 0), (0, 0)),
    "few": (2, (2, 334), (2, 334)),
    "losses": (2, (0, 0), (0, 0)),
    "kept": (6, (1, 1155), (3, 2515)),
    "dominated": (2, (2, 222), (2, 222)),
    "six": (4, (0, 0), (4, 528)),
    "trees": (31, (5, 15235), (9, 30217)),
    "uneven": (31, (5, 15235), (9, 30217)),
    "two tables": (8, (3, 7937), (3, 7937)),
    "groups": (7, (1, 1207), (2, 2608)),
    "singles": (5, (1, 1155), (2, 1275)),
    "by hand": (17, (2, 9113), (2, 9113)),
    "persons": (2, (2, 2), (4, 4)),
    "ready": (2, (2, 88), (4, 250)),
    "marked": (2, (2, 88), (2, 88)),
}


@pytest.mark.parametrize("key", OPTIMA)
def test_least_cost(key: str, tmp_path: pathlib.Path) -> None:
    example, (number, *optima) = named(key), OPTIMA[key]
    for who, (more, least) in zip(example.attackers, optima, strict=True):
        problem = problem_of(example, who, tmp_path)
        assert len(sensitive(problem)) == number
        options = {"weights": example.weights} if example.weights else {}
        release = lc.protect(problem, **options)
        verdict = "protected" if number else "unasked"
        assert (release.verdict, release.stopped) == (verdict, "optimal")
        hidden = withheld(release)
        assert sensitive(problem) <= hidden
        assert cost(example, problem, hidden) == pytest.approx(least, rel=1e-4)
        assert len(hidden - sensitive(problem)) == more
        assert lc.audit(problem, without(problem, hidden)).verdict == verdict


@pytest.mark.parametrize("key", sorted(OPTIMA))
def test_arguments_and_job_say_the_same(key: str, tmp_path: pathlib.Path) -> None:
    example = named(key)
    text = peer_examples.csv_text(example)
    (tmp_path / peer_examples.RECORDS).write_text(text, encoding="utf-8")
    (tmp_path / "manual.hst").write_text(example.apriori, encoding="utf-8")
    for who in example.attackers:
        job = tmp_path / f"{who}.toml"
        job.write_text(peer_examples.job_text(example, who == "respondents"), encoding="utf-8")
        read = lc.Problem(job) if example.ready else lc.tabulate(job)
        assert cells_of(read) == cells_of(problem_of(example, who, tmp_path))


def test_levels_of_sole_contributors(tmp_path: pathlib.Path) -> None:
    """15% of the only firm's number; food has two firms, 15% of the larger: 18. Rounded up."""
    cells = cells_of(problem_of(named("sole"), "outsider", tmp_path))
    levels = {codes: row["upper_level"] for codes, row in cells.items() if row["upper_level"]}
    assert levels == {
        ("N", "food"): 18,
        ("S", "food"): 15,  # 14.25
        ("All", "food"): 18,
        ("N", "wood"): 39,
        ("All", "wood"): 39,
        ("S", "All"): 15,
    }


def test_a_firm_finds_the_sum_of_two_others(tmp_path: pathlib.Path) -> None:
    """gconfid's pattern: 1155 - 680 - 260 = 215 is food, for the firm in wood."""
    hidden = {("N", "food"), ("S", "food"), ("All", "food"), ("N", "wood"), ("All", "wood")}
    hidden |= {("S", "All"), ("N", "All")}
    problem = problem_of(named("sole"), "respondents", tmp_path)
    audit = lc.audit(problem, without(problem, hidden))
    found = [row for row in audit.confidential.rows() if row["verdict"] == "exposed"]
    assert [(row["branch"], row["lower"], row["upper"]) for row in found] == [("food", 215, 215)]
    outside = problem_of(named("sole"), "outsider", tmp_path)
    assert lc.audit(outside, without(outside, hidden)).verdict == "protected"


def test_two_firms_find_each_other(tmp_path: pathlib.Path) -> None:
    """gconfid's pattern: S/x = 2532 - 1825 - 292 = 415, then S/z = 2417 - 949 - 415 = 1053."""
    hidden = {("N", "x"), ("N", "y"), ("N", "z"), ("S", "x"), ("S", "z"), ("W", "y"), ("W", "z")}
    problem = problem_of(named("diagonal"), "respondents", tmp_path)
    cells = cells_of(problem)
    assert 2417 - 949 - (2532 - 1825 - 292) == cells["S", "z"]["value"]
    assert (cells["N", "x"]["frequency"], cells["S", "z"]["frequency"]) == (1, 1)
    rows = lc.audit(problem, without(problem, hidden)).confidential.rows()
    exact = {(row["region"], row["branch"]) for row in rows if row["lower"] == row["upper"]}
    assert exact == {("N", "x"), ("S", "z")}


def test_waivers_by_hand(tmp_path: pathlib.Path) -> None:
    """N/c1: 150 agreed, 85 did not, so 20% of 85 is asked for; S/c1: the only firm agreed."""
    problem = problem_of(named("waivers"), "outsider", tmp_path)
    assert sensitive(problem) == {("N", "c1")}
    assert cells_of(problem)["N", "c1"]["upper_level"] == 17


@pytest.mark.parametrize(
    ("text", "number"),
    [
        ("nk 1 70", 70),
        ("nk 2 88", 58),
        ("nk 3 96", 74),
        ("pq 20", 66),
        ("nk 1 70 waived", 35),
        ("nk 2 88 waived", 43),
        ("nk 3 96 waived", 63),
        ("pq 20 waived", 37),
    ],
)
def test_rules_with_all_waivers(text: str, number: int, tmp_path: pathlib.Path) -> None:
    example = named(f"rule {text}")
    found = sensitive(problem_of(example, "outsider", tmp_path))
    assert found == {(code,) for code in counted_by_hand(text)}
    assert len(found) == number


def counted_by_hand(text: str) -> set[str]:
    """The definitions of docs/sensitivity.md, cell by cell."""
    kind, *rest = text.split()
    numbers = [int(word) for word in rest if word.isdigit()]
    cells: dict[str, list[tuple[int, int]]] = {}
    for _, code, agreed, size in peer_examples.waiver_rows():
        waived = int(agreed) if "waived" in rest else 0
        cells.setdefault(str(code), []).append((int(size), waived))
    decide = p_rule if kind == "pq" else dominance_rule
    return {code for code, firms in cells.items() if decide(firms, numbers)}


def p_rule(firms: list[tuple[int, int]], numbers: list[int]) -> bool:
    """The largest that did not agree, against the largest other one."""
    sizes = [size for size, _ in firms]
    for at, (size, agreed) in enumerate(firms):
        if not agreed:
            others = sizes[:at] + sizes[at + 1 :]
            return 100 * sum(others[1:]) < numbers[0] * size
    return False


def dominance_rule(firms: list[tuple[int, int]], numbers: list[int]) -> bool:
    """The n largest have more than k percent, and did not all agree."""
    n, k = numbers
    largest = firms[:n]
    dominated = 100 * sum(size for size, _ in largest) > k * sum(size for size, _ in firms)
    return dominated and not all(agreed for _, agreed in largest)


def test_exactly_on_the_border(tmp_path: pathlib.Path) -> None:
    """45 + 43 of 100 are not more than 88%; 45 + 44 are."""
    example = named("border")
    assert sensitive(problem_of(example, "outsider", tmp_path)) == set()
    data = columns(example)
    data["turnover"] = [
        44 if size == 43 and data["branch"][at] == "x" else size
        for at, size in enumerate(data["turnover"])
    ]
    table = lc.tabulate(
        data, dims=list(example.dims), value="turnover", unit="firm", rules=[lc.dominance(2, 88)]
    )
    assert table.counts["sensitive"] == 1


def test_few_unless_all_agreed(tmp_path: pathlib.Path) -> None:
    """Fewer than four firms in N/x, N/y and S/x; those of N/x all agreed."""
    assert sensitive(problem_of(named("few"), "outsider", tmp_path)) == {("N", "y"), ("S", "x")}


def test_cells_that_must_be_published(tmp_path: pathlib.Path) -> None:
    release = lc.protect(problem_of(named("kept"), "respondents", tmp_path))
    assert ("N", "All") not in withheld(release)
    with pytest.raises(lc.Error, match="it would help"):
        lc.protect(problem_of(named("forced"), "outsider", tmp_path))


def test_a_pattern_changed_by_hand(tmp_path: pathlib.Path) -> None:
    """d/B is published after all: 1744 - 963 = 781."""
    example = named("edited")
    problem = problem_of(example, "outsider", tmp_path)
    hidden = withheld(lc.protect(problem)) - set(example.freed)
    audit = lc.audit(problem, without(problem, hidden))
    found = [row for row in audit.confidential.rows() if row["verdict"] == "exposed"]
    assert [(row["region"], row["lower"], row["upper"]) for row in found] == [("d", 781, 781)]


def test_two_tables_by_themselves(tmp_path: pathlib.Path) -> None:
    """pytauargus' patterns: y is withheld in one table, x in the other; 8420 - 2205 - 3716 = z."""
    problem = problem_of(named("two tables"), "outsider", tmp_path)
    inner = {("N", "x"), ("N", "y"), ("N", "z"), ("S", "x"), ("S", "y"), ("W", "y")}
    hidden = inner | {("W", "z"), ("S", "Total"), ("W", "Total"), ("Total", "z")}
    rows = lc.audit(problem, without(problem, hidden)).confidential.rows()
    exact = [row["branch"] for row in rows if row["lower"] == row["upper"] == 2499]
    assert exact == ["z"] and 8420 - 2205 - 3716 == 2499


def test_a_person_alone(tmp_path: pathlib.Path) -> None:
    """Of young/B: young/C = 21 - 13 - 1 = 7, middle/C = 20 - 11 - 7 = 2."""
    hidden = {("young", "B"), ("young", "C"), ("middle", "B"), ("middle", "C")}
    problem = problem_of(named("persons"), "respondents", tmp_path)
    audit = lc.audit(problem, without(problem, hidden))
    found = [row for row in audit.confidential.rows() if row["verdict"] == "exposed"]
    assert [(row["age"], row["town"], row["upper"]) for row in found] == [("middle", "C", 2)]
    outside = problem_of(named("persons"), "outsider", tmp_path)
    assert lc.audit(outside, without(outside, hidden)).verdict == "protected"


def distance(release: lc.Release) -> float:
    truth = cells_of(release.problem)
    names = release.problem.dims
    return sum(
        abs(float(row["value"]) - float(truth[tuple(row[d] for d in names)]["value"]))
        for row in release.rows()
    )


@pytest.mark.parametrize(("key", "least"), [("round 5", 24), ("round 10", 36), ("cube", 20)])
def test_rounding(key: str, least: float, tmp_path: pathlib.Path) -> None:
    example = named(key)
    problem = problem_of(example, "outsider", tmp_path)
    release = lc.protect(
        problem, method="round", base=str(example.base), levels="minimal", steps=example.steps
    )
    assert (release.verdict, release.stopped) == ("protected", "optimal")
    assert all(int(row["value"]) % example.base == 0 for row in release.rows())
    assert distance(release) == least


def test_no_rounding_of_the_cube(tmp_path: pathlib.Path) -> None:
    problem = problem_of(named("cube"), "outsider", tmp_path)
    with pytest.raises(lc.NotProtectedError, match="no zero-restricted controlled rounding"):
        lc.protect(problem, method="round", base="2", levels="minimal")


def test_a_table_of_zeros_is_no_rounding(tmp_path: pathlib.Path) -> None:
    problem = problem_of(named("round 10"), "outsider", tmp_path)
    zeros = [
        {
            **dict(zip(problem.dims, codes, strict=True)),
            "value": 0,
            "state": "rounded",
            "base": 10,
            "steps": 0,
        }
        for codes in cells_of(problem)
    ]
    with pytest.raises(lc.Error, match="does not contain its true value"):
        lc.audit(problem, zeros)


def test_page(tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The calls of docs/python_peers.md give what the page says."""
    monkeypatch.chdir(tmp_path)
    for number, tree in enumerate(named("two trees").trees["province"]):
        text = peers.hrc_text(tree, "All")
        (tmp_path / ("halves.hrc", "coast.hrc")[number]).write_text(text, encoding="utf-8")
    page = (SOURCE / "docs" / "python_peers.md").read_text(encoding="utf-8")
    blocks = re.findall(r"<!-- run -->\n```python\n(.*?)```", page, re.DOTALL)
    assert len(blocks) == 8
    space: dict[str, Any] = {}
    for block in blocks:
        exec(compile(block, "docs/python_peers.md", "exec"), space)
    assert space["draft_audit"].verdict == "exposed"
    secondary = {name: made.run["secondary"] for name, made in space["releases"].items()}
    assert secondary == {
        "sole": 2,
        "waivers": 3,
        "two trees": 11,
        "value": 5,
        "number": 5,
        "dominated": 2,
        "two tables": 3,
    }
    assert distance(space["rounded"]) == 24


# ---- theirs, where they are installed

DIFFERENT_RULES = {"weights", "losses", "border"}  # of the peer; docs/python_peers.md says how
THEIRS = [e for e in EXAMPLES if e.method == "suppress" and e.key not in ("forced", "uneven")]


@pytest.mark.parametrize("key", [e.key for e in THEIRS if e.key not in DIFFERENT_RULES])
def test_beside_the_peer(key: str, tmp_path: pathlib.Path) -> None:
    """The same sensitive cells; never cheaper than ours, unless the audit says why."""
    example = named(key)
    if importlib.util.find_spec(example.peer) is None:
        pytest.skip(f"{example.peer} is not installed")
    answer, trouble = peers.run_peer(sys.executable, example, tmp_path)
    assert not trouble
    problem = problem_of(example, "outsider", tmp_path)
    cells = cells_of(problem)
    found = {
        peers.widened(example, n, codes)
        for n, asked in enumerate(example.asked())
        for codes in answer["sensitive"]
        if len(codes) == len(asked)
    }
    assert found == sensitive(problem)
    everything = peers.together(example, answer["tables"])
    hidden = {codes for codes, value in everything.items() if value is None and codes in cells}
    verdict = lc.audit(problem, without(problem, hidden)).verdict
    options = {"weights": example.weights} if example.weights else {}
    ours = cost(example, problem, withheld(lc.protect(problem, **options)))
    assert verdict == "exposed" or cost(example, problem, hidden) >= ours - 1e-9
    assert (verdict == "exposed") == (key in ("two tables", "edited"))


def argus_program(folder: pathlib.Path) -> str:
    """What piargus starts instead of tau-ARGUS."""
    program = folder / "argus"
    command = f'exec "{sys.executable}" -m lacuna_sdc argus "$1" --log "$2" --quiet'
    program.write_text(f"#!/bin/sh\n{command}\n", encoding="utf-8")
    program.chmod(0o755)
    return str(program)


def statuses(table: Any) -> tuple[int, int]:
    """Unsafe and secondary cells of a table that was written for piargus (type 2 with AS+)."""
    lines = pathlib.Path(table.filepath_out).read_text(encoding="utf-8").splitlines()[1:]
    codes = [int(line.rpartition(",")[2]) for line in lines if line]
    return sum(3 <= code <= 9 for code in codes), sum(code in (11, 12) for code in codes)


def test_piargus_on_lacuna(tmp_path: pathlib.Path) -> None:
    """Its first example, counts, linked tables and a ready table, run unchanged."""
    if importlib.util.find_spec("piargus") is None:
        pytest.skip("piargus is not installed")
    pa, pandas = (importlib.import_module(name) for name in ("piargus", "pandas"))

    def micro(key: str) -> Any:
        return pa.MicroData(pandas.DataFrame(columns(named(key))))

    six = pa.Table(
        ["symbol", "regio"], "income", safety_rule=pa.percent_rule(p=10), suppress_method=pa.OPTIMAL
    )
    persons = pa.Table(
        ["age", "town"],
        pa.FREQUENCY_RESPONSE,
        cost=pa.UNITY_COST,
        safety_rule=pa.frequency_rule(3, 20),
        suppress_method=pa.OPTIMAL,
    )
    linked = [
        pa.Table(dims, "turnover", safety_rule=pa.dominance_rule(2, 80), suppress_method=None)
        for dims in (["branch"], ["branch", "region"])
    ]
    ready = pa.TableData(
        pandas.DataFrame(columns(named("ready"))),
        ["activity", "size"],
        "value",
        safety_rule={pa.frequency_rule(3, 10), pa.dominance_rule(1, 85)},
        frequency="n",
        top_contributors=["max"],
        suppress_method=pa.GHMITER,
    )
    tau = pa.TauArgus(argus_program(tmp_path))
    tau.run(pa.Job(micro("six"), [six], directory=tmp_path / "six", name="six"))
    tau.run(pa.Job(micro("persons"), [persons], directory=tmp_path / "persons", name="persons"))
    together = {"linked_suppress_method": pa.MODULAR, "directory": tmp_path / "two", "name": "two"}
    tau.run(pa.Job(micro("two tables"), linked, **together))
    tau.run(pa.Job(ready, directory=tmp_path / "ready", name="ready"))
    assert [statuses(table) for table in (six, persons, ready)] == [(4, 0), (2, 2), (2, 2)]
    assert [statuses(table) for table in linked] == [(1, 1), (8, 3)]
