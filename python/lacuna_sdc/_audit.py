# SPDX-License-Identifier: Apache-2.0
"""What audits say: the verdict, its evidence, and the exception for a missing release."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from . import _core
from ._errors import Error
from ._frames import Frame, Framed
from ._html import facts_html
from ._sources import Path

# That there is one does not say that anything is safe.
_NO_TRUTH = 'it is neither true nor false: ask whether its verdict is "protected"'


class Audit(Framed):
    """What an audit has found: a verdict, proven for every sensitive cell and attacker."""

    __slots__ = ("_core",)

    def __init__(self, core: _core.Audit) -> None:
        self._core = core

    @property
    def verdict(self) -> str:
        """exposed, undecided, waived or protected: the worst verdict on all that was asked.
        unasked: nothing was asked, so nothing is known about the release."""
        return self._core.verdict

    @property
    def counts(self) -> dict[str, int]:
        """How many requirements there are, and how many of them hold."""
        return self._core.counts

    @property
    def kinds(self) -> dict[str, dict[str, int]]:
        """Tables of counts only: the number of questions with each verdict, by kind (exact, small,
        zero, all, ...). Empty for other tables."""
        return self._core.kinds

    @property
    def seconds(self) -> float:
        """How long the audit took."""
        return self._core.seconds

    @property
    def notes(self) -> list[str]:
        """How the release was read."""
        return self._core.notes

    @property
    def limits(self) -> list[str]:
        """What limits the audit: counts were judged as real numbers, only withheld cells were
        asked about, or cells were called safe by hand. Empty if there is no such limit."""
        return self._core.limits

    @property
    def cells(self) -> Frame:
        """The sensitive cells with their verdicts, without values."""
        return Frame(self._core.verdicts())

    def _frame(self) -> Frame:
        return self.cells

    @property
    def confidential(self) -> Frame:
        """One row per requirement: value, levels, attacker, and what can be inferred. With earlier
        periods, change_since names the period for changes, and is empty for cells. With replay,
        owner_lower and owner_upper are the range that a reader who owns the program has left at
        least."""
        return Frame(self._core.findings())

    @property
    def confidential_counts(self) -> Frame:
        """One row per question about counts: what it is about, kind, attacker, the ends of what
        can be inferred, all values (with the option values), verdict, by what evidence, why."""
        return Frame(self._core.findings_of_counts())

    @property
    def certificate(self) -> Certificate:
        """The witnesses and proofs behind the verdict."""
        return Certificate(self._core.certificate())

    def __bool__(self) -> bool:
        raise TypeError(_NO_TRUTH)

    def __repr__(self) -> str:
        held = _held_text(self.verdict, self.counts, self.kinds)
        return f"<Audit: {'; '.join([self.verdict, held, *self.limits])}>"

    def _repr_html_(self) -> str:
        facts = {name: f"{number:,}" for name, number in self.counts.items()}
        if self.verdict == "unasked":
            hidden = self.counts["unasked"] > 0
            asked = "but that sensitive numbers are not printed" if hidden else "no cell is marked"
            facts = {"asked": f"nothing{' ' if hidden else ': '}{asked}"}
        for kind, verdicts in self.kinds.items():
            found = (f"{number:,} {verdict}" for verdict, number in verdicts.items() if number)
            facts[f"counts, {kind}"] = ", ".join(found)
        if self.limits:
            facts["note"] = "; ".join(self.limits)
        return facts_html(f"Audit: {self.verdict}", facts)

    def __reduce__(self) -> tuple[type[Audit], tuple[_core.Audit]]:
        return Audit, (self._core,)


def _held_text(verdict: str, counts: dict[str, int], kinds: dict[str, dict[str, int]]) -> str:
    """"3 of 3 requirements hold", what was waived, or that nothing was asked."""
    nothing = counts["unasked"]
    if verdict == "unasked":
        return (
            "nothing was asked except that sensitive numbers are not printed"
            if nothing
            else "no cell is marked as sensitive and nothing was asked"
        )
    waived = counts["waived"] + sum(verdicts["waived"] for verdicts in kinds.values())
    return (
        f"{counts['protected']} of {counts['requirements'] - nothing} requirements hold"
        f"{_questions_text(kinds)}{f', {waived} waived' if waived else ''}"
        f"{f'; {nothing} ask for nothing' if nothing else ''}"
    )


def _questions_text(kinds: dict[str, dict[str, int]]) -> str:
    """", 40 of 41 questions about counts", or nothing."""
    if not kinds:
        return ""
    held = sum(verdicts["protected"] for verdicts in kinds.values())
    return f", {held} of {sum(sum(v.values()) for v in kinds.values())} questions about counts"


@dataclass(frozen=True)
class Certificate:
    """A release with the evidence for every requirement. It holds true values: for the office."""

    text: str

    @classmethod
    def read(cls, path: Path) -> Certificate:
        """From a file."""
        with open(path, encoding="utf-8") as file:
            return cls(file.read())

    def write(self, path: Path) -> None:
        """To a file."""
        with open(path, "w", encoding="utf-8") as file:
            file.write(self.text)

    def _office_text(self) -> str:
        return self.text

    def __repr__(self) -> str:
        return f"<Certificate of {len(self.text):,} characters>"


@dataclass(frozen=True)
class Verification:
    """What the evidence of a certificate proves when it is checked from scratch."""

    verdict: str  # protected, exposed, undecided, waived or unasked, as of an Audit
    counts: dict[str, int]
    kinds: dict[str, dict[str, int]] = field(default_factory=dict)  # of counts, as of an Audit

    def __bool__(self) -> bool:
        raise TypeError(_NO_TRUTH)


class NotProtectedError(Error):
    """There is no release, because none was found that passes the audit.

    `status` says how the search ended. `audit` holds what the audit found, if the audit refused the
    release.
    """

    def __init__(
        self, message: str, where: str = "", *, status: str = "", audit: Audit | None = None
    ) -> None:
        super().__init__(message, where)
        self.status = status
        self.audit = audit

    def __reduce__(self) -> tuple[Callable[..., Error], tuple[object, ...]]:
        return _not_protected, (self.message, self.where, self.status, self.audit)


def _not_protected(message: str, where: str, status: str, audit: Audit | None) -> NotProtectedError:
    return NotProtectedError(message, where, status=status, audit=audit)
