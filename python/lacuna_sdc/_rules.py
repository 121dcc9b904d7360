# SPDX-License-Identifier: Apache-2.0
"""What makes a cell sensitive, which levels it needs, and against whom."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal, TypeAlias

from ._errors import InputError
from ._job import Job

Number: TypeAlias = "int | float | str"


@dataclass(frozen=True)
class Rule:
    """A rule that makes cells sensitive. The functions of this module make it."""

    type: str
    keys: Mapping[str, Any]

    def __hash__(self) -> int:
        return hash(repr(self))


def frequency(
    n: int,
    *,
    counts: Literal["contributors", "records", "weighted"] | None = None,
    range: Number | None = None,
) -> Rule:
    """Fewer than `n` contributors; `range` is the protection level, in percent of the value."""
    return _rule("frequency", n=n, counts=counts, range=range)


def dominance(n: int, k: Number) -> Rule:
    """The `n` largest contribute more than `k` percent."""
    return _rule("dominance", n=n, k=k)


def p_percent(p: Number, *, coalition: int | None = None) -> Rule:
    """The second largest contributor can estimate the largest to within `p` percent."""
    return _rule("p-percent", p=p, coalition=coalition)


def prior_posterior(p: Number, q: Number, *, coalition: int | None = None) -> Rule:
    """Like `p_percent`, for an attacker who already knows every contribution within `q` percent."""
    return _rule("prior-posterior", p=p, q=q, coalition=coalition)


def request(
    percent: Number, *, minimum: int | None = None, range: Number | None = None
) -> Rule:
    """A contributor who asked for protection has more than `percent` percent of the cell."""
    return _rule("request", percent=percent, minimum=minimum, range=range)


def zeros(level: Number) -> Rule:
    """Cells whose contributors all have zero; `level` is the upper level, a number of the table."""
    return _rule("zeros", level=level)


def _rule(type: str, **keys: Any) -> Rule:
    return Rule(type, {key: value for key, value in keys.items() if value is not None})


@dataclass(frozen=True)
class Respondents:
    """Which contributors are attackers. `respondents()` makes it."""

    keys: Mapping[str, Any]

    def __hash__(self) -> int:
        return hash(repr(self))


def respondents(
    *,
    coalition: int | None = None,
    singletons_know: bool | None = None,
    knowledge: Literal["all", "sensitive-only"] | None = None,
    reach: Literal["table", "equation"] | None = None,
    waivers: bool | None = None,
) -> Respondents:
    """Contributors are attackers, alone or in coalitions; each knows its own contribution."""
    keys = {
        "coalition": coalition,
        "singletons_know": singletons_know,
        "knowledge": knowledge,
        "reach": reach,
        "waivers": waivers,
    }
    return Respondents(keys)


def outsider() -> Respondents:
    """The only attackers are readers who know what is published and what everyone knows."""
    return Respondents({"respondents": False})


@dataclass(frozen=True)
class Attacker:
    """An attacker who knows cells of a table, exactly or within bounds.

    `known` has codes of cells, each with the known bounds, or None if the value itself is known.
    `levels` has the protection levels against this attacker (lower, upper, sliding), if they differ
    from those against everyone.
    """

    name: str
    known: Mapping[Any, tuple[Number | None, Number | None] | None]  # by tuples of codes
    levels: Mapping[Any, tuple[Number, Number, Number]] | None = None


Attackers: TypeAlias = "Respondents | Sequence[Attacker] | None"


def add_rules(
    job: Job,
    rules: Sequence[Rule] | Rule,
    levels: Mapping[str, Any] | None,
    attackers: Attackers,
) -> None:
    """The rules, levels and attackers of a job."""
    for number, rule in enumerate([rules] if isinstance(rules, Rule) else rules, 1):
        if not isinstance(rule, Rule):
            message = f"a {type(rule).__name__} is not a rule: make one with lc.frequency() etc."
            raise InputError(message, "rules")
        argument = f"rules: {rule.type} (number {number})"
        job.add("rule", {"type": rule.type, **rule.keys}, argument)
    job.section("levels", levels or {}, "levels")
    if isinstance(attackers, Respondents):
        job.section("attackers", attackers.keys, "attackers")
    else:
        for attacker in attackers or ():
            _add_attacker(job, attacker)


def _codes(codes: Any) -> list[str]:
    """Of a cell: one per dimension, or the only one."""
    return [codes] if isinstance(codes, str) else list(codes)


def _add_attacker(job: Job, attacker: Attacker) -> None:
    known: list[dict[str, Any]] = []
    for codes, bounds in attacker.known.items():
        entry: dict[str, Any] = {"cell": _codes(codes)}
        for key, bound in zip(("lower", "upper"), bounds or (), strict=False):
            if bound is not None:
                entry[key] = bound
        known.append(entry)
    keys: dict[str, Any] = {"name": attacker.name, "known": known}
    if attacker.levels is not None:
        names = ("lower", "upper", "sliding")
        keys["levels"] = [
            {"cell": _codes(codes), **dict(zip(names, asked, strict=True))}
            for codes, asked in attacker.levels.items()
        ]
    job.add("attacker", keys, f"attackers: {attacker.name}")
