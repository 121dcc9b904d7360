# SPDX-License-Identifier: Apache-2.0
"""What the words of a status column were read as is told, with counts."""

from __future__ import annotations

import pathlib

import lacuna_sdc as lc

READ = "status from column 'status': s = free (3), u = unsafe (1)"


def test_what_was_read_as_what(tmp_path: pathlib.Path) -> None:
    table = tmp_path / "t.csv"
    table.write_text("a;v;status\nT;10;s\nx;4;u\ny;5;s\nz;1;s\n")
    problem = lc.Problem(str(table))
    assert READ in problem.notes
    assert lc.protect(problem).run["status_read"] == READ


def test_flags_of_observations_are_no_status(tmp_path: pathlib.Path) -> None:
    table = tmp_path / "t.csv"
    table.write_text("a;v;flag\nT;10;\nx;4;b\ny;5;p\nz;1;\n")
    problem = lc.Problem(str(table))
    assert any("'flag' is not read as a status: 'b' (1), 'p' (1)" in note for note in problem.notes)
    assert lc.protect(problem).verdict == "unasked"
