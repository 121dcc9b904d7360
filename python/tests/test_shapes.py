# SPDX-License-Identifier: Apache-2.0
"""How a table lies in its file, and records that are not in order: arguments of Python's own. What
the core makes of them is tested with the command line."""

from __future__ import annotations

import pathlib
import pickle
from typing import Any

import lacuna_sdc as lc
import pytest

WIDE = """Turnover by region
region,food,wood,all
All,30,12,42
North,10,7,17
South,20,5,25

Source: a survey
"""


def written(folder: pathlib.Path, text: str, name: str) -> pathlib.Path:
    path = folder / name
    path.write_text(text, encoding="utf-8")
    return path


def test_a_wide_table_with_a_title(tmp_path: pathlib.Path) -> None:
    path = written(tmp_path, WIDE, "wide.csv")
    problem = lc.Problem(path, wide="product", skip=1, total={"product": "all", "region": "All"})
    assert problem.counts["cells"] == 9
    assert pickle.loads(pickle.dumps(problem)).counts["cells"] == 9


def test_a_wide_table_is_found_by_its_sums(tmp_path: pathlib.Path) -> None:
    problem = lc.Problem(written(tmp_path, WIDE, "wide.csv"))
    assert problem.counts["cells"] == 9


def test_rows_that_are_none(tmp_path: pathlib.Path) -> None:
    with pytest.raises(lc.Error, match="rows"):
        lc.Problem(written(tmp_path, WIDE, "wide.csv"), rows="x")


def test_total_belongs_to_files() -> None:
    table: dict[str, list[Any]] = {"a": ["T", "x", "y"], "v": [3, 1, 2]}
    with pytest.raises(lc.InputError, match="dims"):
        lc.Problem(table, dims={"a": "T"}, value="v",
                   total={"a": "T"})


def test_records_that_are_not_in_order() -> None:
    records: dict[str, list[Any]] = {
        "region": ["N", "N", "S", "S", "X"],
        "firm": ["a", "", "b", "b", "c"],
        "turnover": [5, 7, 4, 4, 1],
    }
    regions = lc.tree({"Total": ["N", "S"]}).with_unknown("drop")
    with pytest.raises(lc.InputError):
        lc.tabulate(records, dims={"region": regions}, value="turnover", unit="firm")
    made = lc.tabulate(records, dims={"region": regions}, value="turnover", unit="firm",
                       missing_respondent="drop", unique=["region", "firm"], duplicates="drop")
    cells = made.confidential.cells
    values = dict(zip(cells["region"], cells["value"]))
    assert [values[code] for code in ("Total", "N", "S")] == [9, 5, 4]
