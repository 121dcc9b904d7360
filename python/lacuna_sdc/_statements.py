# SPDX-License-Identifier: Apache-2.0
"""Statements that make the sums of a job where its records are."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping, Sequence

from ._errors import InputError


@dataclasses.dataclass(frozen=True)
class Sql:
    """Statements for an engine. Run them in this order: `counts`, `check`, `sums`, `results`.

    `check` returns one row of numbers; give it to `passed`. `results` are queries by name; give
    their rows to `tabulate(job, aggregates=...)`. `text` is all of it as a script for the shell of
    the engine.
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
