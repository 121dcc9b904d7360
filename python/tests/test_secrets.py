# SPDX-License-Identifier: Apache-2.0
"""Broken input of every sort, with numbers that nothing else has: no true value, level, bound or
contribution may stand in anything that is raised, whatever its class and whatever it carries."""

from __future__ import annotations

import pathlib
import random
import traceback
from collections.abc import Callable
from typing import Any

import lacuna_sdc as lc
import pytest
from data import PRODUCTS, RULES, sales, sales_problem

ROUNDS = 12  # of every way to break a table
Rows = list[dict[str, Any]]


def secrets_of(rows: Rows) -> set[str]:
    """Every number of the table with at least six digits, as it could stand in a text."""
    found: set[str] = set()
    for row in rows:
        for value in row.values():
            digits = "".join(c for c in str(value) if c.isdigit())
            if len(digits) > 5:
                found.add(digits)
    return found


def told(error: BaseException) -> str:
    """All that a notebook or a log would show of it, without marks between digits."""
    run = getattr(error, "run", None)
    texts = [*traceback.format_exception_only(error), repr(error), *map(str, error.args)]
    if run is not None:
        texts += [repr(run), run.log, *(text for note in run.notes for text in note.texts)]
    return "\n".join(texts).replace(",", "").replace(".", "").replace("'", "")


def secret_rows(draw: random.Random) -> Rows:
    """A table that adds up, of numbers with seven digits and more."""
    rows = sales()
    factor = draw.choice([104729, 611953, 999983, 1299709])
    for row in rows:
        row["turnover"] *= factor
        row["low"], row["high"] = 0, 999999999999
        if row["lpl"] is not None:
            row["lpl"] = row["upl"] = factor // 3 + 100003
    return rows


def cell(rows: Rows, product: str = "A1", region: str = "West") -> dict[str, Any]:
    return next(r for r in rows if (r["product"], r["region"]) == (product, region))


def broken_text(rows: Rows, draw: random.Random) -> None:
    row = draw.choice(rows)
    row["turnover"] = draw.choice(["{}x", "{} €", "1e{}", "{}e30"]).format(row["turnover"])


def broken_sum(rows: Rows, draw: random.Random) -> None:
    draw.choice(rows)["turnover"] += 7654321


def missing_cell(rows: Rows, draw: random.Random) -> None:
    rows.pop(draw.randrange(len(rows)))


def narrow_bounds(rows: Rows, draw: random.Random) -> None:
    draw.choice(rows)["low"] = 987654321987


def level_beyond(rows: Rows, draw: random.Random) -> None:
    row = cell(rows)
    row["high"] = row["turnover"] + row["upl"] // 2


def all_published(rows: Rows, draw: random.Random) -> None:
    for row in rows:
        row["status"] = "u" if row["lpl"] is not None else "z"


def little_room(rows: Rows, draw: random.Random) -> None:
    """Withheld cells whose bounds leave some of the level."""
    for row in rows:
        row["status"] = "u" if row["lpl"] is not None else "z"
    partner = cell(rows, "A2")
    for row in (partner, cell(rows, "A2", "East"), cell(rows, "A1", "East")):
        row["status"] = "s"
    partner["low"] = partner["turnover"] - 54321
    partner["high"] = partner["turnover"] + 54321


def negative_level(rows: Rows, draw: random.Random) -> None:
    cell(rows)["upl"] *= -1


def text_as_level(rows: Rows, draw: random.Random) -> None:
    cell(rows)["lpl"] = f"{cell(rows)['lpl']}%"


WAYS: list[Callable[[Rows, random.Random], None]] = [
    broken_text,
    broken_sum,
    missing_cell,
    narrow_bounds,
    level_beyond,
    all_published,
    little_room,
    negative_level,
    text_as_level,
]


def protect_rows(rows: Rows) -> None:
    texts = [{**row, "turnover": str(row["turnover"])} for row in rows]
    lc.protect(
        lc.Problem(
            texts,
            dims={"product": lc.tree(PRODUCTS), "region": "All"},
            value="turnover",
            frequency="firms",
            status="status",
            lower="low",
            upper="high",
            lower_level="lpl",
            upper_level="upl",
        )
    )


@pytest.mark.parametrize("way", WAYS)
def test_broken_tables_tell_no_number(way: Callable[[Rows, random.Random], None]) -> None:
    raised = 0
    for seed in range(ROUNDS):
        draw = random.Random(seed)
        rows = secret_rows(draw)
        before = secrets_of(rows)
        way(rows, draw)
        secrets = before | secrets_of(rows) | {"7654321", "54321"}
        try:
            protect_rows(rows)
        except lc.Error as error:
            raised += 1
            text = told(error)
            assert not [s for s in secrets if s in text], text
    assert raised == ROUNDS


def test_broken_records_tell_no_number() -> None:
    raised = 0
    for seed in range(ROUNDS):
        draw = random.Random(seed)
        records = [
            {"region": r, "firm": f"F{i}", "turnover": str(611953 * (i + 2))}
            for i, r in enumerate(["N", "N", "S", "S", "S"])
        ]
        row = draw.choice(records)
        row["turnover"] = draw.choice(["{}x", "{}..5", "{}e40"]).format(row["turnover"])
        with pytest.raises(lc.Error) as error:
            lc.tabulate(records, dims=["region"], value="turnover", unit="firm", rules=RULES)
        raised += 1
        text = told(error.value)
        assert not [s for s in secrets_of(records) if s in text], text
    assert raised == ROUNDS


METADATA = """<SEPARATOR> ";"
Row
<RECODEABLE>
<TOTCODE> T
V
<NUMERIC>
N
<FREQUENCY>
Top1
<MAXSCORE>
St
<STATUS>
"""
JOB = """<OPENTABLEDATA> "t.csv"
<OPENMETADATA> "t.rda"
<SPECIFYTABLE> "Row"|"V"||,1
<SAFETYRULE> MAN(25)
<READTABLE> 0
<WRITETABLE> (1,5,,"o.csv")
"""


@pytest.mark.parametrize(
    "lines",
    [
        ["T;4611953;20;1611953;S", "A;2305843;7;1611953;S", "B;2306111;9;1299709;U"],  # sums
        ["T;4611954;20;1611953;S", "A;2305843;7;2611953;S", "B;2306111;9;1299709;U"],  # largest
        ["T;4611954;20;1611953;S", "A;2305843x;7;1611953;S", "B;2306111;9;1299709;U"],  # no number
    ],
)
def test_refused_jobs_of_argus_tell_no_number(lines: list[str], tmp_path: pathlib.Path) -> None:
    """A refusal carries what was done until then, and that carries a log and notes."""
    (tmp_path / "t.csv").write_text("\n".join(lines) + "\n")
    (tmp_path / "t.rda").write_text(METADATA)
    (tmp_path / "job.arb").write_text(JOB)
    with pytest.raises(lc.Error) as error:
        lc.run_arb(tmp_path / "job.arb", write=False)
    text = told(error.value)
    secrets = {"4611953", "4611954", "2305843", "2306111", "1611953", "2611953", "1299709"}
    assert not [s for s in secrets if s in text], text


def test_what_is_not_shown_is_said_to_be_so() -> None:
    rows = [{**row, "turnover": str(row["turnover"])} for row in sales()]
    rows[0]["turnover"] = "7919x"
    with pytest.raises(lc.InputError) as error:
        sales_problem(rows)
    assert error.value.message == "(not shown) is not a number"
