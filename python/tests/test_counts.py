# SPDX-License-Identifier: Apache-2.0
"""Tables of counts: kinds, findings as a frame, pages, and perturbation tables."""

from __future__ import annotations

import json
import os
import pathlib
import pickle
import subprocess
from typing import Any

import lacuna_sdc as lc
import pytest
from data import sales_problem

# Two blanks of a sum that is 2 are 1 and 1 to readers who know that zeros are never withheld.
CELLS: dict[str, list[Any]] = {"part": ["T", "a", "b", "c", "d"], "n": [15, 10, 3, 1, 1]}
ASKED: dict[str, Any] = {
    "counts": True,
    "threshold": 2,
    "withheld_means": "nonzero",
    "kinds": "exact",
}


def line() -> lc.Problem:
    return lc.Problem(CELLS, dims={"part": "T"}, value="n")


def test_kinds_and_findings_of_counts() -> None:
    audit = lc.audit(line(), [3, 4], values=True, **ASKED)
    assert audit.verdict == "exposed"
    assert audit.kinds == {"exact": {"protected": 0, "exposed": 2, "undecided": 0, "waived": 0}}
    assert "0 of 2 questions about counts" in repr(audit)
    assert "counts, exact" in audit._repr_html_()
    rows = audit.confidential_counts.rows()
    assert [row["part"] for row in rows] == ["c", "d"]
    for row in rows:
        assert (row["kind"], row["lower"], row["upper"], row["values"]) == ("exact", 1, 1, "1")
        assert row["verdict"] == "exposed" and row["by"] in ("proof", "chain", "step", "tree")
        assert row["told_by"] == "at most total - (part a + part b)"
    checked = lc.verify(line(), audit.certificate, **ASKED)
    assert (checked.verdict, checked.kinds) == (audit.verdict, audit.kinds)
    again = pickle.loads(pickle.dumps(audit))
    assert again.kinds == audit.kinds
    assert again.confidential_counts.rows() == rows


def test_a_protected_release_of_counts_has_kinds_and_a_page() -> None:
    release = lc.protect(line(), **ASKED)
    assert release.audit.kinds["exact"]["exposed"] == 0
    assert release.audit.kinds["exact"]["protected"] == 2
    assert 'id="kinds"' in release.report()
    assert 'id="kinds"' not in release.report(public=True)


def test_other_tables_have_no_kinds() -> None:
    audit = lc.audit(sales_problem())
    assert audit.kinds == {}
    assert audit.confidential_counts.rows() == []
    assert "counts" not in repr(audit)


def test_perturbation_tables(tmp_path: pathlib.Path) -> None:
    file = tmp_path / "p.csv"
    made = lc.make_ptable(file, 5, 3, js=2)
    assert made["faults"] == [] and made["largest_noise"] == 5 and made["js"] == 2
    assert lc.check_ptable(file)["rows"] == made["rows"]
    other = tmp_path / "p.yaml"
    assert lc.convert_ptable(file, other, format="cellkey") == {"notes": []}
    for before, after in zip(made["rows"], lc.check_ptable(other)["rows"], strict=True):
        assert before["variance"] == pytest.approx(after["variance"], abs=1e-9)
    file.write_text(file.read_text().replace(";1\n", ";0.9\n", 1))
    assert lc.check_ptable(file)["faults"]
    with pytest.raises(lc.OptionError, match="row"):
        lc.make_ptable(tmp_path / "q.csv", 5, 3, js=3)  # needs a variance of 4
    assert not (tmp_path / "q.csv").exists()
    with pytest.raises(lc.Error):
        lc.check_ptable(tmp_path / "none.csv")


def test_the_program_makes_the_same_table(tmp_path: pathlib.Path) -> None:
    program = os.environ.get("LACUNA_PROGRAM")
    if not program:
        pytest.skip("LACUNA_PROGRAM names no program to compare with")
    made = lc.make_ptable(tmp_path / "a.csv", 3, 1.5, split=0.2, seed=4)
    printed = subprocess.run(
        [program, "ptable", "make", "-D", "3", "-V", "1.5", "--split", "0.2", "--seed", "4"]
        + ["-o", str(tmp_path / "b.csv"), "--json"],
        check=True,
        capture_output=True,
    ).stdout
    said = json.loads(printed)
    said["notes"] = [note.replace("--equal-rows", "equal_rows") for note in said["notes"]]
    assert said == made  # but for the name of the option
    assert (tmp_path / "a.csv").read_bytes() == (tmp_path / "b.csv").read_bytes()
