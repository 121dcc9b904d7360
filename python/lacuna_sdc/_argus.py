# SPDX-License-Identifier: Apache-2.0
"""Batch jobs of tau-ARGUS (.arb), run as they are."""

from __future__ import annotations

import json
import os
from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal, Unpack

from . import _core
from ._audit import Audit
from ._call import option_texts, with_options
from ._display import facts_html
from ._errors import Interrupted, RefusedError
from ._frames import Frame, Path
from ._progress import Listener, listening
from ._release import Release

if TYPE_CHECKING:
    from ._options import ArgusOptions


@dataclass(frozen=True)
class ArgusNote:
    """What became of a command of a job."""

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
        """ "table 1" of its part of the job."""
        return self._core.name

    @property
    def part(self) -> int:
        """The part of the job that it is in: every <CLEAR> begins another."""
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
        """What has passed the audit, with all tables that were protected together; or None."""
        release = self._core.release
        return None if release is None else Release(release)

    @property
    def audit(self) -> Audit | None:
        """What the audit has proven of the release; None if there is none."""
        release = self.release
        return None if release is None else release.audit

    def __repr__(self) -> str:
        counts = ", ".join(f"{count:,} {status.lower()}" for status, count in self.counts.items())
        verdict = "public" if self._core.is_public else "not protected"
        return f"<ArgusTable {self.name}: {verdict}; {counts}>"

    def _repr_html_(self) -> str:
        verdict = "public" if self._core.is_public else "not protected"
        facts = {status: f"{count:,}" for status, count in self.counts.items()}
        return facts_html(f"{self.name}: {verdict}", facts)


class ArgusRun:
    """A job that was run: its tables, and what became of every command."""

    __slots__ = ("_core",)

    def __init__(self, core: _core.ArgusRun) -> None:
        self._core = core

    @property
    def tables(self) -> list[ArgusTable]:
        """All tables of the job in their order, also those before a <CLEAR>."""
        return [ArgusTable(table) for table in self._core.tables]

    @property
    def notes(self) -> list[ArgusNote]:
        """One per command: done, done differently and how, refused and why, or not reached."""
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


@with_options("argus")
def run_arb(
    path: Path,
    *,
    write: bool = True,
    data: Path | None = None,
    progress: Listener = None,
    **options: Unpack[ArgusOptions],
) -> ArgusRun:
    """Runs a batch job of tau-ARGUS as it is.

    With `write=False` no file is written, not even a log, and all else is the same. `data` is a
    folder where the files of the job are looked for, too. A job that cannot be done as a whole ends
    with RefusedError, whose `.run` has what was done until then.
    """
    texts = option_texts({"data": data, **options})
    with listening(progress) as sink:
        core, interrupted = _core.run_arb(os.fspath(path), write, texts, sink)
    run = ArgusRun(core)
    if interrupted:
        raise Interrupted("interrupted; the job has not done all of its work", None)
    if core.refused is not None:
        message, where = core.refused
        raise RefusedError(message, where, run=run)
    return run
