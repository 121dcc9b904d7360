# SPDX-License-Identifier: Apache-2.0
"""Cross tables like those of pandas: the same shape, and only what is withheld differs."""

from __future__ import annotations

import random
from typing import Any

import lacuna_sdc as lc
import pytest

pandas = pytest.importorskip("pandas")
numpy = pytest.importorskip("numpy")


def drawn(seed: int) -> Any:
    """Persons with three characteristics, a firm and an amount; some fields are empty."""
    dice = random.Random(seed)
    number = dice.randint(20, 200)
    regions = ["N", "S", "W", "E"][: dice.randint(2, 4)]
    kinds = [1, 2, 3, 7][: dice.randint(2, 4)]
    frame = pandas.DataFrame(
        {
            "region": [dice.choice(regions) for _ in range(number)],
            "kind": [min(dice.choices(kinds, range(len(kinds), 0, -1))) for _ in range(number)],
            "sex": [dice.choice("fm") for _ in range(number)],
            "amount": [dice.randint(1, 500) for _ in range(number)],
            "firm": [f"f{dice.randint(1, number)}" for _ in range(number)],
        }
    )
    if dice.random() < 0.3:
        frame.loc[frame.index[:3], "region"] = None
    if dice.random() < 0.3:
        frame["kind"] = frame["kind"].astype("category")
    return frame


def only_blanks_differ(ours: Any, theirs: Any) -> int:
    """How many cells are withheld; all else is the same."""
    assert ours.shape == theirs.shape
    assert ours.index.equals(theirs.index)
    assert ours.columns.equals(theirs.columns)
    assert list(ours.index.names) == list(theirs.index.names)
    assert list(ours.columns.names) == list(theirs.columns.names)
    withheld = 0
    for i in range(theirs.shape[0]):
        for j in range(theirs.shape[1]):
            one, other = ours.iat[i, j], theirs.iat[i, j]
            if one != one:
                withheld += other == other
            else:
                assert one == pytest.approx(other)
    return withheld


@pytest.mark.parametrize("seed", range(100))
def test_same_shape_and_only_blanks_differ(seed: int) -> None:
    frame, dice = drawn(seed), random.Random(seed + 1000)
    margins = dice.random() < 0.7
    call: dict[str, Any] = {"margins": margins}
    rows = [frame["region"], frame["sex"]] if dice.random() < 0.3 else frame["region"]
    sums = dice.random() < 0.4
    if sums:
        call |= {"values": frame["amount"], "aggfunc": "sum"}
    if dice.random() < 0.3:
        call["normalize"] = dice.choice([True, "index", "columns"])
    theirs = pandas.crosstab(rows, frame["kind"], **call)
    rules = [lc.frequency(3), lc.p_percent(10)] if sums else lc.frequency(3)
    unit = frame["firm"] if sums else None
    ours, release = lc.crosstab(
        rows, frame["kind"], **call, rules=rules, unit=unit, with_release=True, effort="fast"
    )
    withheld = only_blanks_differ(ours, theirs)
    assert release.verdict in ("protected", "unasked")
    if release.run["suppressed"] == 0:
        assert withheld == 0


@pytest.mark.parametrize("seed", range(40))
def test_several_levels_margins_and_missing_labels(seed: int) -> None:
    """Either the table of pandas with blanks, or a refusal, where pandas counts missing labels."""
    frame, dice = drawn(seed), random.Random(seed + 2000)
    lengths = [frame["firm"].str.len()] if dice.random() < 0.4 else []
    rows = [frame["region"], *lengths]
    columns = [frame["kind"], frame["sex"]] if dice.random() < 0.7 else [frame["kind"]]
    call: dict[str, Any] = {
        "margins": dice.random() < 0.7,
        "margins_name": dice.choice(["All", "Sum", "Total of all"]),
        "dropna": dice.random() < 0.6, "rownames": [f"r{i}" for i in range(len(rows))],
        "colnames": [f"c{i}" for i in range(len(columns))],
    }
    if dice.random() < 0.5:
        call |= {"values": frame["amount"], "aggfunc": dice.choice(["sum", numpy.sum, sum])}
    elif dice.random() < 0.4:
        call["normalize"] = dice.choice([True, "all", "index", "columns", 0, 1])
    theirs = pandas.crosstab(rows, columns, **call)
    try:
        ours, release = lc.crosstab(
            rows, columns, **call, rules=lc.frequency(4), attackers=lc.outsider(),
            with_release=True, effort="fast",
        )
    except lc.InputError as error:
        assert "pandas makes another table" in str(error) or "has no label" in str(error)
        assert not call["dropna"] and frame["region"].isna().any()
        return
    withheld = only_blanks_differ(ours, theirs)
    if call["margins"] and "normalize" not in call:
        assert withheld <= release.run["suppressed"]
        # A cell that nobody may see is in no row or column whose other cells are all shown.
        _no_single_blank(ours, theirs, call["margins_name"])


def _no_single_blank(ours: Any, theirs: Any, margin: str) -> None:
    for table, truth in ((ours, theirs), (ours.T, theirs.T)):
        for j, label in enumerate(table.columns):
            blanks = [i for i in range(len(table)) if table.iat[i, j] != table.iat[i, j]
                      and truth.iat[i, j] == truth.iat[i, j]]
            assert len(blanks) != 1, (label, margin)


def test_what_is_withheld_is_not_in_the_frame() -> None:
    frame = drawn(4)
    ours, release = lc.crosstab(
        frame["region"], frame["kind"], margins=True, rules=lc.frequency(6), with_release=True
    )
    theirs = pandas.crosstab(frame["region"], frame["kind"], margins=True)
    assert only_blanks_differ(ours, theirs) == release.run["suppressed"] > 0


def test_shares_need_both_numbers() -> None:
    frame = pandas.DataFrame({"a": ["x"] * 20 + ["y"] * 2, "b": (["p", "q"] * 11)})
    shares = lc.crosstab(frame["a"], frame["b"], normalize="index", rules=lc.frequency(3))
    assert shares.loc["y"].isna().all()  # one of two persons


def test_pivot_table() -> None:
    frame = drawn(11)
    for function in ("sum", "count"):
        call: dict[str, Any] = {
            "values": "amount", "index": ["region", "sex"], "columns": "kind", "margins": True,
            "aggfunc": function,
        }
        theirs = frame.pivot_table(**call, observed=True)
        ours = lc.pivot_table(frame, **call, rules=lc.frequency(3), unit="firm")
        only_blanks_differ(ours, theirs)
        filled = lc.pivot_table(frame, **call, fill_value=0, rules=lc.frequency(3), unit="firm")
        only_blanks_differ(filled, frame.pivot_table(**call, observed=True, fill_value=0))


def test_rounded() -> None:
    frame = drawn(8)
    ours, release = lc.crosstab(
        frame["region"], frame["kind"], margins=True, rules=lc.frequency(3), method="round", base=5,
        with_release=True,
    )
    assert release.method == "round"
    known = {(row["rows"], row["columns"]): row["value"] for row in release.rows()}
    for i, row in enumerate(ours.index):
        for j, column in enumerate(ours.columns):
            codes = ("total" if row == "All" else row, "total" if column == "All" else str(column))
            assert ours.iat[i, j] == known[codes]


def test_what_is_refused() -> None:
    frame = drawn(2)
    with pytest.raises(lc.InputError, match="say what is sensitive"):
        lc.crosstab(frame["region"], frame["kind"])
    with pytest.raises(lc.InputError, match="the sum and the count"):
        lc.crosstab(frame["region"], frame["kind"], frame["amount"], aggfunc="mean",
                    rules=lc.frequency(3))
    with pytest.raises(lc.OptionError, match="a cell holds a number or none"):
        lc.crosstab(frame["region"], frame["kind"], rules=lc.frequency(3), method="interval")
    with pytest.raises(lc.InputError, match="one column of values"):
        lc.pivot_table(frame, index="region", columns="kind", rules=lc.frequency(3))


def test_a_cross_table_is_a_problem() -> None:
    frame = drawn(4).dropna()
    table = pandas.crosstab(frame["region"], frame["kind"], margins=True)
    problem = lc.Problem(table)
    assert problem.dims == ["region", "kind"]
    cells = problem.confidential.cells
    assert sum(cells["value"]) == table.to_numpy().sum()
    assert lc.Problem(table, dims={"region": "All", "kind": "All"}).digest == problem.digest
    with pytest.raises(lc.InputError, match="margins=True"):
        lc.Problem(pandas.crosstab(frame["region"], frame["kind"]))
    release = lc.protect(problem, counts=True, threshold=6)
    assert release.verdict == "protected"
