# SPDX-License-Identifier: Apache-2.0
"""What somebody would try who wants a secret, a crash, or a riddle in place of a message."""

from __future__ import annotations

import inspect
import json
import pickle
import pydoc
import re
import subprocess
import sys
import types
from typing import Any

import lacuna_sdc as lc
import pytest
from data import (
    PRODUCTS,
    RULES,
    numbers_in,
    records,
    sales,
    sales_problem,
    secret_problem,
    table,
)


# ---- secrets


def sums_of(run: dict[str, Any]) -> set[str]:
    """Cost and bound as they could stand in a text."""
    found = {run["objective"], run["bound"]}
    return {text for number in found for text in (str(int(number)), f"{number:.6g}")}


@pytest.mark.parametrize("method", ["suppress", "interval", "combined", "round", "mixed"])
def test_no_cost_in_what_prints_itself(method: Any) -> None:
    """Costs are sums over hidden cells: with what is published they can give one away."""
    release = lc.protect(secret_problem(), method=method, base=50000 if method == "round" else "")
    # A sum of changed cells may well be the subtotal of them that is published.
    published = {str(value) for value in release.published["value"]}
    secrets = {text for text in sums_of(release.run) if len(text) > 3} - published
    assert secrets
    shown = lc.show(release)
    for text in (repr(release), release._repr_html_(), str(shown), shown._repr_html_()):
        assert not numbers_in(text) & secrets
        assert "cost" not in text and "bound" not in text


def test_no_cost_in_comparisons() -> None:
    made = lc.compare(secret_problem(), ["suppress", "interval"])
    secrets = {str(int(row[name])) for row in made.rows() for name in ("objective", "bound")}
    assert not numbers_in(repr(made) + made._repr_html_()) & {s for s in secrets if len(s) > 3}
    assert "<th>gap</th>" in made._repr_html_()


def test_no_cost_in_progress() -> None:
    news = lc.Progress("suppress", 0.5, 2.0, None, 839414.0, 629560.5)
    for text in (str(news), repr(news), f"{news}"):
        assert "839414" not in text and "629560" not in text
    assert str(news) == "suppress 50%, gap 25.00%"
    assert lc.Progress("read", 0.5, 2.0, None, None, None).gap is None


# ---- numbers of NumPy's


def test_numbers_of_numpy() -> None:
    numpy = pytest.importorskip("numpy")
    expected = lc.protect(table(), gap=0.05, threads=1).rows()
    assert lc.protect(table(), gap=numpy.float64(0.05), threads=numpy.int64(1)).rows() == expected


# ---- names that are ours, and names that are not texts


def by_state() -> lc.Table:
    rows = [{**row, "state": row["nace"], "value": row["region"]} for row in records()]
    return lc.tabulate(
        rows, dims=["state", "value"], value="turnover", unit="firm", rules=RULES
    )


def test_a_dimension_may_be_called_state_or_value() -> None:
    made = by_state()
    release = lc.protect(made)
    plain = lc.protect(
        lc.tabulate(
            records(), dims=["nace", "region"], value="turnover", unit="firm", rules=RULES
        )
    )
    assert release.published.names == ["state", "value", "value_", "state_"]
    for ours, theirs in zip(release.rows(), plain.rows(), strict=True):
        assert list(ours.values()) == list(theirs.values())
    grid = release._repr_html_().split("<p>")[0].replace("<th>state</th>", "<th>nace</th>")
    assert grid == plain._repr_html_().split("<p>")[0]
    assert release.to_polars().columns == release.to_pandas().columns.to_list()
    for again in (release, release.published, release.rows(), release.to_polars()):
        assert lc.audit(made, again).verdict == "protected"
    truth = lc.show(made, confidential=True)._repr_html_()
    assert str(made.confidential.cells["value_"][0]) in truth.replace(",", "")


def test_columns_with_numbers_for_names() -> None:
    expected = tabulated(records())
    rows: Any = [dict(enumerate(row.values())) for row in records()]
    names = list(records()[0])
    place: Any = names.index
    for data in (rows, pytest.importorskip("pandas").DataFrame(rows)):
        made = lc.tabulate(
            data,
            dims=[place("nace"), place("region")],
            value=place("turnover"),
            unit=place("firm"),
            rules=RULES,
        )
        assert [list(row.values()) for row in made.confidential.facts.rows()] == expected


def tabulated(data: Any) -> list[list[Any]]:
    made = lc.tabulate(data, dims=["nace", "region"], value="turnover", unit="firm", rules=RULES)
    return [list(row.values()) for row in made.confidential.facts.rows()]


def test_frames_that_are_not_yet_there() -> None:
    polars = pytest.importorskip("polars")
    assert tabulated(polars.DataFrame(records()).lazy()) == tabulated(records())


def test_frames_that_pyarrow_does_not_take() -> None:
    pandas = pytest.importorskip("pandas")
    frame = pandas.DataFrame(records())
    frame["turnover"] = [str(v) if i % 2 else v for i, v in enumerate(frame["turnover"])]
    assert tabulated(frame) == tabulated(records())
    assert tabulated(frame.set_index(["firm", "nace"])) == tabulated(records())
    frame.loc[3, "turnover"] = "4.711,08"
    with pytest.raises(lc.InputError) as error:
        tabulated(frame)
    assert error.value.where == "row 4, column turnover" and "711" not in str(error.value)
    with pytest.raises(lc.InputError, match="two columns"):
        tabulated(pandas.concat([frame, frame], axis=1))


def test_one_table_has_no_name() -> None:
    assert table().tables == {}
    assert list(lc.protect(table()).tables) == ["table"]


def test_linked_tables_show_themselves() -> None:
    made = lc.tabulate(
        records(200, 3),
        dims=["nace", "region", "area"],
        value="turnover",
        unit="firm",
        tables={"by <region>": ["nace", "region"], "by area": ["nace", "area"]},
        rules=RULES,
    )
    page = lc.protect(made)._repr_html_()
    assert "by &lt;region&gt;" in page and "by area" in page and page.count("<table>") == 2


# ---- messages


@pytest.mark.parametrize("value", ["4.711,08", 4711 * 10**30, 4711e300, "4711x"])
def test_no_value_in_messages(value: Any) -> None:
    rows = records()
    rows[3]["turnover"] = value
    with pytest.raises(lc.InputError) as error:
        tabulated(rows)
    assert error.value.where == "row 4, column turnover"
    assert not re.search("4711|711", str(error.value))


def test_no_value_of_another_row_in_messages() -> None:
    rows = [{**row, "turnover": 7919 * row["turnover"]} for row in records()]
    rows[3]["turnover"] = 0.1 + 0.2
    with pytest.raises(lc.InputError) as error:
        tabulated(rows)
    assert not numbers_in(error.value.message) & {str(row["turnover"]) for row in rows}


def test_no_level_in_messages() -> None:
    """A level is a share of the value."""
    rows = sales()
    for row in rows:
        row["turnover"] *= 7919
        row["status"] = "u" if row["lpl"] is not None else "z"
        if row["lpl"] is not None:
            row["lpl"] = row["upl"] = 31337
    with pytest.raises(lc.Error, match="protection level") as error:
        lc.protect(sales_problem(rows))
    assert "31337" not in numbers_in(str(error.value))


@pytest.mark.parametrize(
    "arguments",
    [
        {"dims": []},
        {"dims": ["nace"], "rules": ["frequency"]},
        {"dims": ["nace"], "name": "x:y"},
        {"dims": ["nace"], "name": ""},
        {"dims": ["nace"], "value": 3.5},
        {"dims": ["nace"], "levels": {"p": "ten"}},
        {"dims": ["nace"], "rules": [lc.request(10)]},
        {"dims": ["nace"], "rules": [lc.p_percent(-1)]},
        {"dims": ["nace"], "tables": {"a": []}},
        {"dims": ["nace"], "bounds": {"lowr": 3}},
        {"dims": ["nace"], "decimals": "two"},
        {"dims": ["nace"], "hierarchies": {"nace": lc.tree({"T": ["A1"], "U": ["A2"]})}},
        {"dims": ["nace"], "attackers": [lc.Attacker("x", {("Z",): None})]},
        {"dims": ["nace"], "costs": "nonsense*3"},
    ],
)
def test_messages_are_about_arguments(arguments: Any) -> None:
    call: Any = lc.tabulate
    with pytest.raises(lc.Error) as error:
        call(records(), **{"value": "turnover", **arguments})
    text = str(error.value)
    assert not re.search(r"memory:|\.toml|\[\[?[a-z]+\]|--[a-z]| = |in quotes", text), text


def test_negative_values_are_allowed_by_an_argument_with_a_name() -> None:
    rows = records()
    rows[3]["turnover"] = -7
    with pytest.raises(lc.InputError, match="negative=True"):
        tabulated(rows)


# ---- pickles, hashes, streams


@pytest.mark.parametrize("kind", ["Problem", "Release", "Audit", "Columns"])
def test_damaged_pickles_are_errors(kind: str) -> None:
    release = lc.protect(table())
    made: Any = {
        "Problem": release.problem._core,
        "Release": release._core,
        "Audit": release.audit._core,
        "Columns": release.published._columns,
    }[kind]
    state = made.__getstate__()
    damaged = [(), state[:-1], (*state, None), tuple(reversed(state))]
    damaged += [(*state[:i], ("x",), *state[i + 1 :]) for i in range(len(state))]
    for each in damaged:
        empty = made.__class__.__new__(made.__class__)
        with pytest.raises((lc.Error, RuntimeError, TypeError, ValueError)):
            empty.__setstate__(each)
    copy = pickle.loads(pickle.dumps(made))
    assert findings_of(copy.__getstate__()) == findings_of(state)
    # A release is audited again, and may be proven by other witnesses; from then on by the same.
    assert pickle.loads(pickle.dumps(copy)).__getstate__() == copy.__getstate__()


def findings_of(state: tuple[Any, ...]) -> list[Any]:
    """The state, of its certificate what was found instead of the evidence for it."""
    found: list[Any] = []
    for field in state:
        if isinstance(field, str) and '"lacuna-certificate-' in field:
            certificate = json.loads(field)
            for finding in certificate["findings"]:
                finding.pop("low", None), finding.pop("high", None)
            found.append({k: v for k, v in certificate.items() if k not in ("witnesses", "proofs")})
        else:
            found.append(field)
    return found


def test_frames_and_exceptions_are_pickled() -> None:
    release = lc.protect(table())
    frame = pickle.loads(pickle.dumps(release.published))
    assert frame.rows() == release.rows()
    error = pickle.loads(pickle.dumps(lc.Interrupted("so far", release)))
    assert str(error) == "so far" and error.release.rows() == release.rows()


def test_rules_and_hierarchies_are_values() -> None:
    assert len({lc.frequency(3), lc.frequency(3), lc.p_percent(3)}) == 2
    assert len({lc.flat("T"), lc.flat("T"), lc.tree({"T": ["a"]})}) == 2
    assert len({lc.outsider(), lc.outsider(), lc.respondents()}) == 2


def test_streams_that_are_none() -> None:
    class Stream:
        def __init__(self, capsule: object) -> None:
            self.capsule = capsule

        def __arrow_c_stream__(self, requested_schema: object = None) -> object:
            return self.capsule

    for capsule in (None, 5, "stream"):
        with pytest.raises(lc.InputError, match="no Arrow stream"):
            tabulated(Stream(capsule))
    used = Stream(lc.protect(table()).__arrow_c_stream__())
    with pytest.raises(lc.InputError):
        tabulated(used)
    with pytest.raises(lc.InputError, match="read already"):
        tabulated(used)


AT_THE_END = """
import sys, threading
import lacuna_sdc as lc
problem = lc.generate(kind="hierarchical", depths=[3, 3, 2], sensitive_percent=5, seed=3)
started = threading.Event()
def run():
    lc.protect(problem, effort="best", progress=lambda news: started.set())
threading.Thread(target=run, daemon=True).start()
started.wait()
"""


def test_a_process_may_end_during_a_run() -> None:
    done = subprocess.run(
        [sys.executable, "-c", AT_THE_END], capture_output=True, text=True, timeout=300, check=False
    )
    assert (done.returncode, done.stderr) == (0, "")


# ---- help


def test_everything_public_says_what_it_is() -> None:
    silent = []
    for name in lc.__all__:
        thing = getattr(lc, name)
        if name == "__version__":
            continue
        members = [(name, thing)]
        if isinstance(thing, type):
            kinds = (property, types.FunctionType, classmethod)
            members += [
                (f"{name}.{key}", each)
                for base in thing.__mro__
                if base.__module__.startswith("lacuna_sdc")
                for key, each in vars(base).items()
                if not key.startswith("_") and isinstance(each, kinds)
            ]
        silent += [key for key, each in members if not (each.__doc__ or "").strip()]
    assert not silent


@pytest.mark.parametrize(
    ("call", "options"),
    [
        (lc.protect, ["time_limit", "effort", "gap", "base", "seed"]),
        (lc.audit, ["threads", "time_limit"]),
        (lc.compare, ["work", "base"]),
        (lc.report, ["threads"]),
        (lc.generate, ["depths", "seed"]),
        (lc.run_arb, ["time_limit"]),
        (lc.Release.write, ["decimals_shown"]),
    ],
)
def test_help_tells_the_options(call: Any, options: list[str]) -> None:
    text = pydoc.plain(pydoc.render_doc(call))
    assert "Options, all by name" in text
    for option in options:
        assert re.search(rf"^ +{option}: ", text, re.MULTILINE), option


def test_help_of_tables_tells_the_arguments() -> None:
    for call, hidden in ((lc.tabulate, {"limits"}), (lc.Problem, {"self", "limits"})):
        for name in set(inspect.signature(call).parameters) - hidden:
            assert re.search(rf"`{name}`", call.__doc__ or ""), (call, name)


# ---- more messages


def test_no_value_where_sums_do_not_hold() -> None:
    rows = [{**row, "turnover": 7919 * row["turnover"]} for row in sales()]
    missing = rows.pop(0)
    with pytest.raises(lc.NotAdditiveError) as error:
        sales_problem(rows)
    assert str(missing["turnover"]) not in str(error.value)
    assert "round_totals=" in str(error.value) and error.value.where == "row 3, column turnover"


def test_no_value_where_bounds_do_not_hold() -> None:
    rows = [{**row, "turnover": 7919 * row["turnover"], "low": 99999999} for row in sales()]
    with pytest.raises(lc.InputError, match="outside its bounds") as error:
        lc.Problem(
            rows,
            dims={"product": lc.tree(PRODUCTS), "region": "All"},
            value="turnover",
            lower="low",
        )
    assert str(rows[0]["turnover"]) not in str(error.value)


def test_rows_of_releases_and_hierarchies_are_named() -> None:
    problem = sales_problem()
    rows = lc.protect(problem).rows()
    rows[2]["value"] += 1
    places = []
    for release in (rows, [1, 99]):
        with pytest.raises(lc.InputError) as error:
            lc.audit(problem, release)
        places.append(error.value.where)
    assert places == ["release, row 3", "release, number 2"]
    codes = {"code": ["A1", "A2"], "parent": ["A", "A"]}
    with pytest.raises(lc.InputError) as error:
        lc.tabulate(records(), dims={"nace": lc.parents(codes)}, value="turnover")
    assert error.value.where == "dims: nace, row 1, column parent"


@pytest.mark.parametrize("name", ["output", "public", "certificate", "json", "quiet"])
def test_options_that_would_write_are_refused(name: str) -> None:
    call: Any = lc.protect
    with pytest.raises(lc.OptionError, match="no such option here") as error:
        call(table(), **{name: "somewhere.json"})
    assert error.value.where == name


def test_what_is_no_problem() -> None:
    call: Any = lc.protect
    for thing in (None, records(), 5):
        with pytest.raises(lc.InputError, match="lc.Problem"):
            call(thing)


def test_one_text_is_not_its_letters() -> None:
    assert [row["method"] for row in lc.compare(sales_problem(), "suppress").rows()] == ["suppress"]
    assert lc.tree({"T": "A1"}) == lc.tree({"T": ["A1"]})


def test_an_audit_is_no_yes() -> None:
    """`if lc.audit(...)` would be true of what is exposed."""
    problem = sales_problem()
    for thing in (lc.audit(problem), lc.verify(problem, lc.protect(problem).certificate)):
        with pytest.raises(TypeError, match="verdict"):
            bool(thing)


def test_a_shown_release_is_called_audited() -> None:
    assert "not audited" not in str(lc.show(lc.protect(sales_problem())))


def test_no_path_that_nobody_has() -> None:
    release = lc.protect(table())
    assert release.run["input"] == "table"
    for text in (release.report(), release.report(public=True), str(release.confidential.result)):
        assert "memory:" not in text
