# SPDX-License-Identifier: Apache-2.0
"""Statements that make the sums of a job where its records are."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping, Sequence

from ._errors import InputError


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
