# SPDX-License-Identifier: Apache-2.0
"""Derived columns, other variables and known ratios as arguments (docs/derived.md)."""

from __future__ import annotations

import pathlib
from typing import Any

import lacuna_sdc as lc
import pytest

ILL: dict[str, list[Any]] = {"cause": ["all", "A", "B", "C", "D"], "n": [4000, 3, 1900, 2057, 40]}
FIRMS: dict[str, list[Any]] = {
    "branch": ["all", "food", "steel", "wood", "toys"],
    "turnover": [1000, 300, 420, 180, 100],
    "wages": [310, 90, 135, 55, 30],
    "firms": [30, 10, 12, 6, 2],
}


def rows(table: dict[str, list[Any]]) -> list[dict[str, Any]]:
    return [dict(zip(table, row, strict=True)) for row in zip(*table.values(), strict=True)]


def test_a_column_of_percentages(tmp_path: pathlib.Path) -> None:
    column = {"name": "pct", "type": "percentage", "decimals": 0, "published": "everywhere"}
    problem = lc.Problem(
        rows(ILL),
        dims={"cause": "all"},
        frequency="n",
        rules=lc.frequency(5),
        derived=column,
    )
    assert problem.job is not None and "[[derived]]" in problem.job
    release = lc.protect(problem)
    assert release.verdict == "protected"
    public = tmp_path / "pub.csv"
    release.write(public)
    lines = public.read_text().splitlines()
    assert lines[0].endswith(";pct")
    assert "B;1900;published;48" in lines


def test_wages_beside_turnover(tmp_path: pathlib.Path) -> None:
    problem = lc.Problem(
        rows(FIRMS),
        dims={"branch": "all"},
        value="turnover",
        frequency="firms",
        rules=lc.frequency(3, range=10),
        shadows={"name": "wages"},
        known_ratios=[{"above": "wages", "below": "value", "least": "0.2", "most": "0.4"}],
    )
    release = lc.protect(problem)
    assert release.verdict == "protected"
    public = tmp_path / "pub.csv"
    release.write(public)
    assert "toys;;withheld;" in public.read_text().splitlines()


def test_what_is_no_dictionary() -> None:
    with pytest.raises(lc.InputError, match="a dictionary with the keys of a job"):
        lc.Problem(
            rows(ILL),
            dims={"cause": "all"},
            frequency="n",
            derived=["pct"],  # type: ignore[list-item]
        )
