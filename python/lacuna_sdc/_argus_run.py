# SPDX-License-Identifier: Apache-2.0
"""The outcome of a batch job of tau-ARGUS: its tables, its commands, or why it was refused."""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import dataclass
from typing import Any, Literal

from . import _core
from ._audit import Audit
from ._errors import Error
from ._frames import Frame
from ._html import facts_html
from ._release import Release


@dataclass(frozen=True)
class ArgusNote:
    """What happened to a command of a job."""

    command: str  # the line as it stands in the job
    line: int
    done: Literal["done", "done differently", "refused", "not reached"]
    texts: tuple[str, ...]  # how it was done differently, what was noticed, or why it is refused

    def __str__(self) -> str:
        return "\n  ".join((f"{self.line}: {self.command.strip()}: {self.done}", *self.texts))


class ArgusTable:
    """A table of a job as its commands have left it."""

    __slots__ = ("_core",)

    def __init__(self, core: _core.ArgusTable) -> None:
        self._core = core

    @property
    def name(self) -> str:
        """ "table 1" in its part of the job."""
        return self._core.name

    @property
    def part(self) -> int:
        """The part of the job to which it belongs; every <CLEAR> begins a new part."""
        return self._core.part

    @property
    def counts(self) -> dict[str, int]:
        """How many cells have which status."""
        return self._core.counts

    def safe(self) -> Frame:
        """What readers may see: codes, `value`, and `state`: published, withheld or empty.

        UnsupportedError if the job has not protected the table.
        """
        return Frame(self._core.safe())

    def status(self) -> Frame:
        """For the office: the letter of tau-ARGUS (S, U, P, M, E) of every cell, and why."""
        return Frame(self._core.status())

    def unsafe(self) -> Frame:
        """For the office: the true values, with frequencies and the letter of the status."""
        return Frame(self._core.unsafe())

    @property
    def release(self) -> Release | None:
        """The audited release, with all tables that were protected together, or None."""
        release = self._core.release
        return None if release is None else Release(release)

    @property
    def audit(self) -> Audit | None:
        """What the audit has proven about the release, or None if there is no release."""
        release = self.release
        return None if release is None else release.audit

    @property
    def _title(self) -> str:
        return f"{self.name}: {'public' if self._core.is_public else 'not protected'}"

    def __repr__(self) -> str:
        counts = ", ".join(f"{count:,} {status.lower()}" for status, count in self.counts.items())
        return f"<ArgusTable {self._title}; {counts}>"

    def _repr_html_(self) -> str:
        facts = {status: f"{count:,}" for status, count in self.counts.items()}
        return facts_html(self._title, facts)


class ArgusRun:
    """A job that was run: its tables, and what happened to every command."""

    __slots__ = ("_core",)

    def __init__(self, core: _core.ArgusRun) -> None:
        self._core = core

    @property
    def tables(self) -> list[ArgusTable]:
        """All tables of the job in their order, also those before a <CLEAR>."""
        return [ArgusTable(table) for table in self._core.tables]

    @property
    def notes(self) -> list[ArgusNote]:
        """One note per command: done, done differently and how, refused and why, or not reached."""
        return [
            ArgusNote(command, line, done, tuple(texts))  # type: ignore[arg-type]
            for command, line, done, texts in self._core.notes
        ]

    @property
    def log(self) -> str:
        """The log in the form of tau-ARGUS."""
        return self._core.log.replace("\r\n", "\n")

    @property
    def written(self) -> list[str]:
        """The files that were written."""
        return self._core.written

    @property
    def result(self) -> dict[str, Any]:
        """What `lacuna argus --json` prints. Its costs are sums over hidden cells."""
        text = self._core.json
        parsed: dict[str, Any] = json.loads(text) if text else {}
        return parsed

    def __repr__(self) -> str:
        done = Counter(note.done for note in self.notes)
        commands = ", ".join(f"{count} {word}" for word, count in done.items())
        return f"<ArgusRun: {len(self.tables)} tables; commands: {commands or 'none'}>"

    def _repr_html_(self) -> str:
        facts = {f"{note.line}: {note.command.strip()}": note.done for note in self.notes}
        return facts_html(repr(self).strip("<>"), facts)


class RefusedError(Error):
    """A job of tau-ARGUS that cannot be completed; `run` holds what was done before it stopped."""

    def __init__(self, message: str, where: str = "", *, run: ArgusRun | None = None) -> None:
        super().__init__(message, where)
        self.run = run
