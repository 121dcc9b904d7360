# SPDX-License-Identifier: Apache-2.0
"""lc.infer: what a reader can infer from published tables alone."""

import json
import pathlib
import subprocess
import sys
from typing import Any

import pytest

import lacuna_sdc as lc

COLUMNS: dict[str, list[Any]] = {
    "branch": ["All", "All", "All", "A", "A", "A", "B", "B", "B"],
    "region": ["All", "N", "S"] * 3,
    "value": [100, 60, 40, 70, None, None, 30, None, None],
}
SCRIPT = pathlib.Path(__file__).resolve().parents[2] / "scripts" / "verify_certificate.py"


def test_intervals_of_columns() -> None:
    made = lc.infer(COLUMNS)
    assert not made.too_narrow
    assert made.corrections == []
    assert [each["total"] for dim in made.sums for each in dim["sums"]] == ["All", "All"]
    found = {(row["branch"], row["region"]): (row["lower"], row["upper"]) for row in made.rows()}
    assert found["A", "N"] == (30, 60)
    assert found["B", "S"] == (0, 30)
    assert "0 of 4" in repr(made)
    assert "branch=A|region=N" in str(made)


def test_frame_of_pandas_and_options() -> None:
    pandas = pytest.importorskip("pandas")
    frame = pandas.DataFrame(COLUMNS)
    made = lc.infer(frame, protection="40%", withheld=["1-25"], threads=1)
    assert made.corrections  # two blanks of at most 25 are no 70
    table = lc.infer(frame).to_pandas()
    assert list(table.columns)[:2] == ["branch", "region"]
    assert len(table) == 4


def test_several_tables_are_one_system() -> None:
    other: dict[str, list[Any]] = {
        "branch": ["A", "A", "A"],
        "region": ["All", "N", "S"],
        "value": [70, 45, 25],
    }
    made = lc.infer(COLUMNS, other)
    assert made.too_narrow
    assert {row["lower"] for row in made.rows()} == {15}


def test_files_and_certificates(tmp_path: pathlib.Path) -> None:
    path = tmp_path / "p.csv"
    rows = zip(*COLUMNS.values(), strict=True)
    path.write_text(
        "branch,region,value\n"
        + "".join(f"{b},{r},{'x' if v is None else v}\n" for b, r, v in rows)
    )
    made = lc.infer(path)
    made.write(tmp_path / "c.json")
    made.write(tmp_path / "c.html")
    assert json.loads((tmp_path / "c.json").read_text())["format"] == "lacuna-inference-1"
    done = subprocess.run(
        [sys.executable, SCRIPT, "--public", tmp_path / "c.json", path], check=False
    )
    assert done.returncode == 0
    with pytest.raises(lc.InputError):
        made.write(tmp_path / "c.txt")


def test_errors() -> None:
    with pytest.raises(lc.InputError):
        lc.infer()
    with pytest.raises(lc.Error):
        lc.infer(COLUMNS, protection="120%")
