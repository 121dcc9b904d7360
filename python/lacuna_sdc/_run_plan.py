# SPDX-License-Identifier: Apache-2.0
"""The call that protects the tables of a plan, with any executor (docs/release.md)."""

from __future__ import annotations

import csv
import json
import os
from typing import Any

from . import _core
from ._errors import Error
from ._executors import answers_by
from ._machine import cores
from ._orders import Order, Parcel, opened
from ._plan_run import PlanRun
from ._problem import Problem
from ._sources import Path


def run_plan(
    plan: Path, *, executor: Any = None, jobs: int | None = None, threads: int = 1
) -> PlanRun:
    """Protects the tables of a plan, those that share cells together, and writes them.

    Each group of tables is a unit, which is sent as bytes to the executor (as for `protect_many`).
    Without an executor, `jobs` units at a time are computed here. Each unit has `threads` threads.
    A result is proven before any of it is written, so workers need not be trusted. If a call was
    stopped or killed, the next one continues where it was. If a table fails, its row says why.
    """
    path = os.fspath(plan)
    units = _asked(path, prepare=True)["units"]
    todo = [unit for unit in units if not unit["finished"]]
    if executor is None:
        import concurrent.futures

        # A run has threads of its own and leaves Python's lock alone: no processes are needed.
        with concurrent.futures.ThreadPoolExecutor(jobs or cores()) as pool:
            _do(todo, pool, threads)
    else:
        _do(todo, executor, threads)
    told = _asked(path, prepare=False)
    with open(told["summary"], newline="", encoding="utf-8") as file:
        rows = list(csv.DictReader(file, delimiter=";"))
    return PlanRun(rows, told["groups"], told["units"], len(units) - len(todo))


def _asked(path: str, *, prepare: bool) -> dict[str, Any]:
    told: dict[str, Any] = json.loads(_core.plan(path, prepare)[0])
    return told


def _do(units: list[dict[str, Any]], executor: Any, threads: int) -> None:
    """Sends the units and writes what comes back beside their problems, as it comes."""
    parcels = {number: _parcel(unit, threads) for number, unit in enumerate(units)}
    for number, answer in answers_by(executor, parcels):
        unit = units[number]
        try:
            if isinstance(answer, BaseException):
                raise answer
            told = opened(answer)
            if "refusal" in told:
                raise Error(str(told["refusal"]["message"]))
            _write(unit["log"], "")
            _write(unit["result"], str(told["result"]))
            _write(unit["certificate"], str(told["certificate"]))
        except Exception as error:  # a row of the summary, which is told the last line
            _write(unit["log"], " ".join(str(error).split()) + "\n")


def _parcel(unit: dict[str, Any], threads: int) -> Parcel:
    options = {name: [text] for name, text in unit["options"].items()}
    problem = Problem(unit["problem"])
    return Order(problem._core, {**options, "threads": [str(threads)]}, {}).alone().packed()


def _write(path: str, text: str) -> None:
    """Whole or not at all."""
    part = f"{path}.{os.getpid()}.part"
    with open(part, "w", encoding="utf-8") as file:
        file.write(text)
    os.replace(part, path)
