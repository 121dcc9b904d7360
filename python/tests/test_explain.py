# SPDX-License-Identifier: Apache-2.0
"""Why cells are withheld, as the command line says it; and several files of one release."""

from __future__ import annotations

import json
import pathlib

import lacuna_sdc as lc
import pytest
from data import sales_problem


def secondary_of(release: lc.Release) -> dict[str, str]:
    rows = release.confidential.cells.rows()
    row = next(r for r in rows if r["state"] == "withheld" and r["status"] != "primary")
    return {"product": row["product"], "region": row["region"]}


def test_what_a_secondary_keeps_safe() -> None:
    release = lc.protect(sales_problem())
    cell = secondary_of(release)
    told = release.explain(cell)
    assert len(told.cells) == 1
    assert told.cells[0]["codes"] == cell
    assert told.cells[0]["role"] == "secondary"
    kept = told.cells[0]["if_published"]["keeps_safe"]
    assert [each["codes"] for each in kept] == [{"product": "A1", "region": "West"}]
    assert told.cells[0]["exchange"]["state"] in ("found", "impossible")
    assert "for the sake of others" in told.text
    assert str(told.cells[0]["value"]) not in repr(told)


def test_cells_in_every_form() -> None:
    release = lc.protect(sales_problem())
    cell = secondary_of(release)
    text = f"product={cell['product']},region={cell['region']}"
    index = release.explain(text, no_exchange=True).cells[0]["cell"]
    several = release.explain([cell, text, index], no_exchange=True).cells
    assert [each["cell"] for each in several] == [index] * 3
    with pytest.raises(lc.OptionError, match="has no code"):
        release.explain({"product": "Z"})


def test_a_release_of_anyone(tmp_path: pathlib.Path) -> None:
    problem = sales_problem()
    release = lc.protect(problem)
    cell = secondary_of(release)
    file = tmp_path / "theirs.json"
    release.confidential.write(file)
    ours, theirs = release.explain(cell), lc.explain(problem, file, cell)
    assert ours.text == theirs.text
    assert json.dumps(ours.data) == json.dumps(theirs.data)


def test_several_files_or_none(tmp_path: pathlib.Path) -> None:
    release = lc.protect(sales_problem())
    release.write([tmp_path / "a.csv", tmp_path / "a.json"])
    assert (tmp_path / "a.csv").exists() and (tmp_path / "a.json").exists()
    with pytest.raises(lc.Error):
        release.write([tmp_path / "b.csv", tmp_path / "nowhere" / "b.json"])
    assert not (tmp_path / "b.csv").exists()
    release.confidential.write([tmp_path / "c.json", str(tmp_path / "c.csv")])
    assert (tmp_path / "c.csv").exists()
