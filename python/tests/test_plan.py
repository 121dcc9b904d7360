# SPDX-License-Identifier: Apache-2.0
"""Plans through the package: units as bytes, whoever does them, and the program's own proof."""

from __future__ import annotations

import concurrent.futures
import importlib
import os
import pathlib
import subprocess
import sys
from typing import Any

import forgers
import lacuna_sdc as lc
import pytest
from lacuna_sdc import _executors

SOURCE = pathlib.Path(__file__).resolve().parent.parent.parent
MAKE_PLAN = SOURCE / "tests" / "plan" / "make_plan.py"


@pytest.fixture
def plan(tmp_path: pathlib.Path) -> pathlib.Path:
    """Eight tables in four groups, each with something to hide."""
    subprocess.run([sys.executable, str(MAKE_PLAN), str(tmp_path), "2", "4", "9"], check=True)
    return tmp_path / "plan.toml"


def published(plan: pathlib.Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in sorted((plan.parent / "out").glob("c*.csv"))}


def test_all_tables_are_released_and_nothing_is_done_twice(plan: pathlib.Path) -> None:
    first = lc.run_plan(plan, jobs=2)
    assert (len(first.released), first.groups, first.units, first.finished_before) == (8, 4, 4, 0)
    assert first.errors == {}
    assert "8 of 8 tables released" in repr(first)
    files = published(plan)
    assert len(files) == 8
    again = lc.run_plan(plan, threads=2)
    assert again.finished_before == again.units
    assert published(plan) == files


def test_the_same_as_the_program(plan: pathlib.Path) -> None:
    lc.run_plan(plan)
    files = published(plan)
    program = os.environ.get("LACUNA_PROGRAM", "")
    if not program:
        pytest.skip("LACUNA_PROGRAM names no program to compare with")
    subprocess.run([program, "release", str(plan), "--quiet"], check=True, capture_output=True)
    assert published(plan) == files


@pytest.mark.parametrize("forger", forgers.FORGERS, ids=lambda forger: str(forger.__name__))
def test_what_is_forged_is_not_published(
    plan: pathlib.Path, forger: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        with monkeypatch.context() as forged:
            forged.setattr(_executors, "work", forger)
            run = lc.run_plan(plan, executor=pool)
        assert run.released == []
        assert all(run.errors.values())
        assert published(plan) == {}
        assert len(lc.run_plan(plan, executor=pool).released) == 8


def test_errors_are_rows(plan: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with open(plan, "a") as file:
        file.write('[[table]]\ninput = "in/nosuch.toml"\n')
    with monkeypatch.context() as broken:
        broken.setattr(_executors, "work", forgers.fails)
        run = lc.run_plan(plan)
    errors = run.errors
    assert len(errors) == 9
    assert "nosuch.toml" in errors.pop("nosuch")
    assert set(errors.values()) == {"the disk is full"}
    assert list(lc.run_plan(plan).errors) == ["nosuch"]


def test_a_plan_that_cannot_be_read(tmp_path: pathlib.Path) -> None:
    with pytest.raises(lc.FileError):
        lc.run_plan(tmp_path / "nowhere.toml")
    (tmp_path / "plan.toml").write_text("[plan]\n")
    with pytest.raises(lc.InputError, match="names no table"):
        lc.run_plan(tmp_path / "plan.toml")


def test_parts_of_one_table(tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A table that falls into parts is done in as many units, and judged as a whole."""
    monkeypatch.syspath_prepend(str(MAKE_PLAN.parent))
    plan = importlib.import_module("make_plan").make_regions(tmp_path, 64, 4)
    run = lc.run_plan(plan, jobs=2)
    assert run.errors == {}
    assert run.units > run.groups == 1
    files = {path.name: path.read_bytes() for path in (tmp_path / "out").glob("*.csv")}
    assert lc.run_plan(plan).finished_before == run.units
    for name, content in files.items():
        if name != "summary.csv":
            assert (tmp_path / "out" / name).read_bytes() == content
