# SPDX-License-Identifier: Apache-2.0
"""Published rules by name, of frames, files and records."""

from __future__ import annotations

import pathlib
import pickle
from typing import Any

import lacuna_sdc as lc
import pytest

CELLS: dict[str, list[Any]] = {
    "area": ["Total"] * 3 + ["A"] * 3 + ["B"] * 3 + ["C"] * 3,
    "sex": ["Total", "m", "f"] * 4,
    "n": [90, 47, 43, 46, 24, 22, 31, 17, 14, 13, 6, 7],
}
ROWS = [dict(zip(CELLS, row, strict=True)) for row in zip(*CELLS.values(), strict=True)]


def cells(**more: Any) -> lc.Problem:
    return lc.Problem(ROWS, dims=["area", "sex"], frequency="n", **more)


def test_a_frame() -> None:
    problem = cells(policy="cms-cell-size")
    assert problem.counts["sensitive"] == 2
    assert any(note.startswith("policy cms-cell-size: CMS Cell") for note in problem.notes)
    assert problem.job is not None and 'policy = "cms-cell-size"' in problem.job
    release = lc.protect(problem)
    assert release.verdict == "protected"
    assert release.run["policy"].startswith("policy cms-cell-size: ")
    again = lc.protect(pickle.loads(pickle.dumps(problem)))
    assert again.run["policy"] == release.run["policy"]


def test_a_file(tmp_path: pathlib.Path) -> None:
    table = tmp_path / "t.csv"
    lines = [";".join(str(cell) for cell in row.values()) for row in ROWS]
    table.write_text("\n".join([";".join(CELLS), *lines]) + "\n")
    assert lc.Problem(str(table), policy="aihw-hospitalisations").counts["sensitive"] == 0
    assert lc.Problem(str(table), policy="opensafely").counts["sensitive"] == 2


def test_records() -> None:
    records = [{"area": area, "sex": "m"} for area in "AABBBB"]
    table = lc.tabulate(records, dims=["area", "sex"], policy="ine-portugal")
    assert table.counts["sensitive"] > 0


def test_a_policy_may_name_the_method() -> None:
    problem = cells(policy="stats-nz-census")
    assert lc.protect(problem, unasked="publish").run["method"] == "round"
    assert lc.protect(problem, unasked="publish", method="suppress").run["method"] == "suppress"


def test_what_does_not_apply_is_an_error() -> None:
    with pytest.raises(lc.Error, match="has no rule for counts"):
        cells(policy="statistics-finland-business")
    with pytest.raises(lc.Error, match="did you mean 'cms-cell-size'"):
        cells(policy="cms-cel-size")
    amounts = [{**row, "turnover": row["n"]} for row in ROWS]
    with pytest.raises(lc.Error, match="is about counts") as refused:
        lc.Problem(amounts, dims=["area", "sex"], value="turnover", policy="uk-llc")
    assert "--" not in str(refused.value)


def test_a_table_that_is_read_takes_no_other_policy() -> None:
    with pytest.raises(lc.Error, match="is read already"):
        lc.protect(cells(), policy="cms-cell-size")  # type: ignore[call-arg]
