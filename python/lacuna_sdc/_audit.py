# SPDX-License-Identifier: Apache-2.0
"""Audits: what is proven of a release, whoever made it."""

from __future__ import annotations

import os
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, TypeAlias, Unpack

from . import _core
from ._call import add_released, named_file, option_texts, with_options
from ._display import audit_html
from ._errors import InputError
from ._frames import Data, Frame, Framed, Path, is_path
from ._job import Inputs
from ._problem import Problem
from ._progress import Listener, listening

if TYPE_CHECKING:
    from ._options import AuditOptions, VerifyOptions

ReleaseLike: TypeAlias = "Path | Data | list[int] | Any | None"
"""A `Release`; a file of ours or a protected table of anyone; a frame of one; the numbers of the
cells that are withheld; None: the sensitive cells are withheld, and no others."""


# That there is one does not say that anything is safe.
_NO_TRUTH = 'it is neither true nor false: ask whether its verdict is "protected"'


class Audit(Framed):
    """What an audit has found: a verdict, proven for every sensitive cell and attacker."""

    __slots__ = ("_core",)

    def __init__(self, core: _core.Audit) -> None:
        self._core = core

    @property
    def verdict(self) -> str:
        """exposed, undecided, waived or protected: the worst of all that was asked; unasked:
        nothing was, so that nothing is known of the release."""
        return self._core.verdict

    @property
    def counts(self) -> dict[str, int]:
        """How many requirements there are, and how many of them hold."""
        return self._core.counts

    @property
    def kinds(self) -> dict[str, dict[str, int]]:
        """Of a table of counts: by kind (exact, small, zero, all, ...) how many questions have
        which verdict; empty for other tables."""
        return self._core.kinds

    @property
    def seconds(self) -> float:
        """How long it took."""
        return self._core.seconds

    @property
    def notes(self) -> list[str]:
        """How the release was read."""
        return self._core.notes

    @property
    def limits(self) -> list[str]:
        """What was asked instead of all that could be asked: counts read as real numbers, only
        what is withheld, cells called safe by hand. Empty: none of these."""
        return self._core.limits

    @property
    def cells(self) -> Frame:
        """The sensitive cells with their verdicts; no value."""
        return Frame(self._core.verdicts())

    def _frame(self) -> Frame:
        return self.cells

    @property
    def confidential(self) -> Frame:
        """One row per requirement: value, levels, attacker, and what can be inferred."""
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
        held = held_text(self.verdict, self.counts, self.kinds)
        return f"<Audit: {'; '.join([self.verdict, held, *self.limits])}>"

    def _repr_html_(self) -> str:
        return audit_html(self)

    def __reduce__(self) -> tuple[type[Audit], tuple[_core.Audit]]:
        return Audit, (self._core,)


def held_text(
    verdict: str, counts: dict[str, int], kinds: dict[str, dict[str, int]]
) -> str:
    """"3 of 3 requirements hold", what was waived, or that nothing was asked."""
    nothing = counts["unasked"]
    if verdict == "unasked":
        return (
            "nothing was asked but that sensitive numbers are not printed"
            if nothing
            else "no cell is marked as sensitive and nothing was asked"
        )
    waived = counts["waived"] + sum(verdicts["waived"] for verdicts in kinds.values())
    return (
        f"{counts['protected']} of {counts['requirements'] - nothing} requirements hold"
        f"{questions_text(kinds)}{f', {waived} waived' if waived else ''}"
        f"{f'; {nothing} ask for nothing' if nothing else ''}"
    )


def questions_text(kinds: dict[str, dict[str, int]]) -> str:
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


@with_options("audit")
def audit(
    problem: Problem | Path,
    release: ReleaseLike = None,
    *,
    released: object = None,
    progress: Listener = None,
    **options: Unpack[AuditOptions],
) -> Audit:
    """Proves of a release that every requirement holds, or that one does not.

    `release` is any draft, also one that was made elsewhere; None means that the sensitive cells
    are withheld, and no others. `released` are earlier releases of the same table, which readers
    have already.
    """
    inputs: Inputs = {}
    table = as_problem(problem)
    with listening(progress) as sink:
        pattern = named_file(release, "release", inputs)
        texts = option_texts(options)
        add_released(texts, released, inputs)
        core, interrupted = _core.audit(table._core, pattern, texts, inputs, sink)
    if interrupted:
        raise KeyboardInterrupt
    return Audit(core)


@dataclass(frozen=True)
class Verification:
    """What the evidence of a certificate shows when it is checked from the start."""

    verdict: str  # protected, exposed, undecided, waived or unasked, as of an Audit
    counts: dict[str, int]
    kinds: dict[str, dict[str, int]] = field(default_factory=dict)  # of counts, as of an Audit

    def __bool__(self) -> bool:
        raise TypeError(_NO_TRUTH)


@with_options("verify")
def verify(
    problem: Problem | Path,
    certificate: Certificate | Path,
    release: ReleaseLike = None,
    *,
    released: object = None,
    **options: Unpack[VerifyOptions],
) -> Verification:
    """Checks a certificate without any solver; with `release` also that it is for that one."""
    inputs: Inputs = {}
    table = as_problem(problem)
    path = named_file(certificate, "certificate", inputs)
    pattern = named_file(release, "release", inputs)
    texts = option_texts(options)
    add_released(texts, released, inputs)
    verdict, counts, kinds = _core.verify(table._core, path, pattern, texts, inputs)
    return Verification(verdict, counts, kinds)


def as_problem(given: Problem | Path) -> Problem:
    """The problem itself, or that of a file."""
    if isinstance(given, Problem):
        return given
    if not is_path(given):
        raise InputError(
            f"a {type(given).__name__} is no problem: make one with lc.Problem(...) or "
            "lc.tabulate(...), or give the path of one"
        )
    return Problem(os.fspath(given))
