# SPDX-License-Identifier: Apache-2.0
"""Derived columns, other variables and known ratios as arguments (docs/derived.md)."""

from __future__ import annotations

import pathlib
import pickle
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


def test_the_frame_and_the_page_have_derived_columns() -> None:
    column = {"name": "pct", "type": "percentage", "decimals": 0, "published": "cheapest"}
    problem = lc.Problem(
        rows(ILL),
        dims={"cause": "all"},
        frequency="n",
        rules=lc.frequency(5),
        derived=column,
    )
    release = lc.protect(problem)
    frame = release.to_dict()
    assert frame["pct"] == [None, 0, 48, 51, 1]
    assert frame["value"] == [4000, None, 1900, 2057, None]
    assert '"name":"pct"' in release.report(public=True)
    assert '"name":"pct"' in release.report()
    assert release.confidential.result["derived"][0]["numbers"][0] == {
        "cell": 1,
        "number": 0,
        "codes": ["A"],
    }


def test_a_pickle_would_forget_what_is_published_together() -> None:
    problem = lc.Problem(
        rows(ILL),
        dims={"cause": "all"},
        frequency="n",
        rules=lc.frequency(5),
        derived={"name": "pct", "type": "percentage"},
    )
    for kept in (problem, lc.protect(problem)):
        with pytest.raises(lc.UnsupportedError, match="is not kept by a pickle"):
            pickle.dumps(kept)


def test_periods_side_by_side(tmp_path: pathlib.Path) -> None:
    (tmp_path / "then.csv").write_text("branch;n;status\nall;400;\na;100;\nb;130;u\nc;170;\n")
    (tmp_path / "then_pub.csv").write_text(
        "branch;value;state\nall;400;published\na;100;published\nb;;withheld\nc;;withheld\n"
    )
    (tmp_path / "now.csv").write_text("branch;n;status\nall;420;\na;110;\nb;150;u\nc;160;\n")
    job = tmp_path / "now.toml"
    job.write_text(
        '[input]\ntable = "now.csv"\n[columns]\nvalue = "n"\nstatus = "status"\n'
        '[[dimension]]\nname = "branch"\ntotal = "all"\n'
        '[[before]]\nname = "then"\ninput = "then.csv"\nrelease = "then_pub.csv"\n'
        'differences = "none"\n'
    )
    release = lc.protect(job)
    frame = release.periods
    assert frame.names == ["branch", "then", "this period"]
    columns = frame.to_dict()
    assert columns["then"] == [400, 100, None, None]
    assert columns["this period"][0] == 420
    assert columns["this period"][2] is None
    assert "periods-part" in release.report()


def test_what_is_no_dictionary() -> None:
    with pytest.raises(lc.InputError, match="a dictionary with the keys of a job"):
        lc.Problem(
            rows(ILL),
            dims={"cause": "all"},
            frequency="n",
            derived=["pct"],  # type: ignore[list-item]
        )
