# SPDX-License-Identifier: Apache-2.0
"""The statements that make the sums of a job where its records are."""

from __future__ import annotations

import dataclasses
import json
import os
from collections.abc import Mapping, Sequence
from typing import Literal

from . import _core
from ._errors import InputError
from ._frames import Path


@dataclasses.dataclass(frozen=True)
class Sql:
    """Statements for an engine, to be run in this order: `counts`, `check`, `sums`, `results`.

    `check` asks for one row of numbers, which `passed` takes; `results` are the queries whose rows
    `tabulate(job, aggregates=...)` takes, by their names. `text` is all of it as a script for the
    shell of the engine.
    """

    text: str
    counts: Sequence[str]
    check: str
    troubles: Sequence[str]
    sums: Sequence[str]
    results: Mapping[str, str]

    def passed(self, row: Sequence[object]) -> None:
        """Raises an InputError that says what is wrong with the records, if anything is."""
        found = [
            f"{trouble}: {count}"
            for trouble, count in zip(self.troubles, row, strict=True)
            if int(str(count)) != 0
        ]
        if found:
            raise InputError("the records cannot be tabulated: " + "; ".join(found))

    def __str__(self) -> str:
        return self.text


def sql(
    job: Path,
    dialect: Literal["duckdb", "postgresql", "spark"] | None = None,
    *,
    plan: Literal["A", "B"] | None = None,
) -> Sql:
    """The statements that make the sums of a job over records in a database.

    `dialect` is the engine (else that of the job). With plan "A" contributors that are in several
    leaves leave the engine one by one; with "B" the engine adds them up in cells.
    """
    path = os.fspath(job)
    text = _core.sql(path, dialect or "", plan or "", False)
    parts = json.loads(_core.sql(path, dialect or "", plan or "", True))
    return Sql(text=text, **parts)
