# SPDX-License-Identifier: Apache-2.0
"""Tables and what must be protected in them: read from files, given as frames, or tabulated."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from typing import Any, Literal, TypeAlias, Unpack

from . import _core
from ._errors import InputError
from ._frames import Frame, Framed
from ._hierarchy import Dimensions, HierarchyLike, add_dimensions
from ._html import facts_html
from ._job import Job, column_name, column_names
from ._progress import Listener
from ._reading import RunLimits, Tables, add_files, add_tables, read, read_job
from ._rules import Attackers, Number, Rule, add_rules
from ._sources import Data, Path, is_path
from ._wide import VALUE, is_crossed, margins_of, unpivoted


class Confidential(Framed):
    """The cells as they are. For the office only."""

    __slots__ = ("_problem",)

    def __init__(self, problem: _core.Problem) -> None:
        self._problem = problem

    @property
    def cells(self) -> Frame:
        """Codes, value, status, levels, bounds, and why a cell is sensitive."""
        return Frame(self._problem.cells())

    def _frame(self) -> Frame:
        return self.cells

    def __repr__(self) -> str:
        return "<confidential cells: .cells, .to_pandas(), .to_polars(), .to_arrow()>"


class ConfidentialTabulation(Confidential):
    """The same, and the facts that the records gave."""

    __slots__ = ()

    @property
    def facts(self) -> Frame:
        """Codes, value, numbers of records and contributors, shares of the largest, and why."""
        facts = self._problem.facts()
        assert facts is not None
        return Frame(facts)


def _pairs(given: Mapping[str, str | Sequence[str]] | None) -> list[str] | None:
    """As the command line writes them: "region=All"."""
    if given is None:
        return None
    return [
        f"{key}={each}"
        for key, value in given.items()
        for each in ([value] if isinstance(value, str) else value)
    ]


Together: TypeAlias = "Mapping[str, Any] | Sequence[Mapping[str, Any]]"
"""One or several of what is published together with a table, by the keys of a job."""


def _add_together(job: Job, section: str, given: Together, argument: str) -> None:
    several = [given] if isinstance(given, Mapping) else list(given)
    for i, each in enumerate(several):
        if not isinstance(each, Mapping):
            raise InputError("a dictionary with the keys of a job, or a list of these", argument)
        job.add(section, each, f"{argument}[{i}]")


class Problem:
    """A table with what must be protected in it.

    `data` is a path (a table, a job or a problem, as on the command line) or a frame with one row
    per cell. For linked tables it is a dictionary of frames. With a frame, `dims` names the columns
    of codes, or is a dictionary with their hierarchies. The hierarchies may also be in
    `hierarchies`. A cross table, whose rows and heading have names (`pandas.crosstab(...,
    margins=True)`), needs no `dims`: its totals are called "All".

    Columns, by their names:
        `value`: the numbers of the table; `frequency`: the number of contributors; `weight`: the
        cost of withholding the cell
        `status`: s (safe), u (sensitive), z (must be published) and the like; `status_words` says
        what other words mean: {"secret": "u"}
        `lower`, `upper`: the bounds of the value that everyone knows beforehand
        `lower_level`, `upper_level`, `sliding_level`: the protection levels: how far below the
        value, above it, and in all, the interval that readers can infer must reach
        `largest`: the largest contributions, for rules

    What must be protected, if the frame does not say it:
        `rules`: rules made by `frequency()`, `dominance()` and the like; `levels`: the levels that
        they ask for
        `attackers`: `respondents()`, `outsider()`, or a list of `Attacker`
        `defaults`: what holds for cells whose field is empty: {"lower": 0}
        `policy`: the published rules of an agency, by name or as a file: what is not said by other
        arguments follows them (docs/policies.md)

    What is published together with it, or known beside it (docs/derived.md), each as a dictionary
    with the keys of a job, or a list of them:
        `derived`: columns of percentages, means and the like: {"name": "pct", "type":
        "percentage", "decimals": 1, "published": "everywhere"}
        `shadows`: other variables of the same units, withheld where the table's own is:
        {"name": "wages"}
        `known_ratios`: bounds of a quotient that readers know: {"above": "wages", "below": "value",
        "least": "0.2", "most": "0.4"}

    How numbers are read:
        `decimals`: digits after the point (by default as many as the numbers have); `round`:
        numbers with more digits are rounded; `empty_value`: a missing value is an error, a zero or
        no cell
        `totals`: "given" (all are in the frame and hold), "computed" (missing ones are added) or
        "recomputed" (all are computed); `round_totals`: totals that differ from the sum of their
        parts by at most this are set to it

    Where the table is in its file, if this is not recognised: `sheet`: the sheet of a workbook;
        `skip`: the number of rows above the heading; `rows`: the rows with cells, such as "16-22";
        `wide`: the dimension whose codes are in the heading; `only`: {"time": "2019"} leaves out
        all other rows; `means`: what signs and flags mean, such as {"N": "withheld"}; `total`:
        {"region": "All"} for a file without `dims`

    `tables` names linked tables with their dimensions; `name` is the title of what is published;
    `progress` is True or a function. threads and time_limit are as for `protect`.
    """

    __slots__ = ("_core", "_job")

    def __init__(
        self,
        data: Path | Data | Mapping[str, Data],
        *,
        dims: Dimensions | None = None,
        value: str | None = None,
        frequency: str | None = None,
        weight: str | None = None,
        status: str | None = None,
        lower: str | None = None,
        upper: str | None = None,
        lower_level: str | None = None,
        upper_level: str | None = None,
        sliding_level: str | None = None,
        largest: Sequence[str] | None = None,
        hierarchies: Mapping[str, HierarchyLike] | None = None,
        tables: Tables | None = None,
        rules: Sequence[Rule] | Rule = (),
        levels: Mapping[str, Any] | None = None,
        attackers: Attackers = None,
        defaults: Mapping[str, Any] | None = None,
        status_words: Mapping[str, str] | None = None,
        decimals: int | None = None,
        round: bool | None = None,
        empty_value: Literal["error", "zero", "drop"] | None = None,
        totals: Literal["given", "computed", "recomputed"] | None = None,
        round_totals: Number | None = None,
        sheet: str | Sequence[str] | None = None,
        skip: int | None = None,
        rows: str | None = None,
        wide: str | Sequence[str] | None = None,
        only: Mapping[str, str | Sequence[str]] | None = None,
        means: Mapping[str, str] | None = None,
        total: Mapping[str, str] | None = None,
        policy: Path | None = None,
        derived: Together = (),
        shadows: Together = (),
        known_ratios: Together = (),
        name: str = "table",
        progress: Listener = None,
        **limits: Unpack[RunLimits],
    ) -> None:
        self._job: _core.Job | None = None
        if is_path(data) and dims is None:
            path = os.fspath(data)  # type: ignore[arg-type]
            choices = {
                "policy": policy,
                "value": value,
                "status": status,
                "totals": totals,
                "sheet": [sheet] if isinstance(sheet, str) else sheet,
                "skip": skip,
                "rows": rows,
                "wide": [wide] if isinstance(wide, str) else wide,
                "only": _pairs(only),
                "means": _pairs(means),
                "total": _pairs(total),
            }
            self._core = read(path, {}, False, progress, {**limits, **choices})
            return
        if total is not None:
            raise InputError("with dims, give the totals there: dims={'region': 'All'}", "total")
        if value is None and is_crossed(data):
            data = unpivoted(data)
            dims, value = margins_of(data, dims), VALUE
        if dims is None:
            raise InputError("name the columns of the codes", "dims")
        job = Job()
        job.policy(policy)
        job.set("input", "table", add_files(job, data, "table"), "data")
        inputs = {
            "decimals": decimals,
            "round": round,
            "empty_value": empty_value,
            "totals": totals,
            "round_totals": round_totals,
            "sheet": sheet,
            "skip": skip,
            "rows": rows,
            "wide": wide,
        }
        for key, setting in inputs.items():
            job.set("input", key, setting)
        if only is not None:
            lists = {column: [codes] if isinstance(codes, str) else list(codes)
                     for column, codes in only.items()}
            job.set("input", "only", lists)
        if means is not None:
            job.set("input", "means", dict(means))
        columns = {
            "value": value,
            "frequency": frequency,
            "weight": weight,
            "status": status,
            "lower": lower,
            "upper": upper,
            "lower_level": lower_level,
            "upper_level": upper_level,
            "sliding_level": sliding_level,
            "largest": column_names(largest, "largest"),
        }
        for key, column in columns.items():
            job.set("columns", key, column if key == "largest" else column_name(column, key))
        job.section("status_words", status_words or {}, "status_words")
        job.section("defaults", defaults or {}, "defaults")
        add_dimensions(job, dims, hierarchies)
        add_tables(job, tables)
        add_rules(job, rules, levels, attackers)
        _add_together(job, "derived", derived, "derived")
        _add_together(job, "shadow", shadows, "shadows")
        _add_together(job, "known_ratio", known_ratios, "known_ratios")
        self._job, self._core = read_job(job, name, False, progress, limits)

    @classmethod
    def _of(cls, core: _core.Problem, job: _core.Job | None = None) -> Problem:
        made = cls.__new__(cls)
        made._core = core
        made._job = job
        return made

    @property
    def confidential(self) -> Confidential:
        """The cells as they are. For the office only."""
        return Confidential(self._core)

    @property
    def dims(self) -> list[str]:
        """The names of the dimensions."""
        return [str(dimension["name"]) for dimension in self._core.dimensions]

    @property
    def counts(self) -> dict[str, int]:
        """Numbers of cells, equations, sensitive cells, requirements and attackers."""
        return self._core.counts

    @property
    def tables(self) -> dict[str, list[str]]:
        """Linked tables with their dimensions; empty if there is one table."""
        tables = self._core.tables
        return {} if [name for name, _ in tables] == [""] else dict(tables)

    @property
    def decimals(self) -> int:
        """Digits after the point of the values."""
        return self._core.decimals

    @property
    def attackers(self) -> str:
        """The attackers against whom the table is protected, in one line."""
        return self._core.attackers

    @property
    def notes(self) -> list[str]:
        """Where the table differs from what the data say."""
        return self._core.notes

    @property
    def digest(self) -> str:
        """SHA-256 of the problem, which certificates name."""
        return self._core.digest

    @property
    def job(self) -> str | None:
        """The job that the arguments make, as the command line reads it; None for a file."""
        return None if self._job is None else self._job.toml

    def save(self, path: Path) -> None:
        """Writes the problem: .json or .jj (also .gz), or .toml with its .csv. Confidential."""
        self._core.save(os.fspath(path))

    def __repr__(self) -> str:
        counts = self.counts
        return (
            f"<{type(self).__name__}: {counts['cells']} cells, {counts['equations']} equations, "
            f"{counts['sensitive']} sensitive; dimensions {', '.join(self.dims) or 'not named'}>"
        )

    def _repr_html_(self) -> str:
        counts = self.counts
        dims = ", ".join(
            f"{dimension['name']} ({len(dimension['codes'])} codes)"
            for dimension in self._core.dimensions
        )
        facts = {
            "cells": f"{counts['cells']:,}",
            "equations": f"{counts['equations']:,}",
            "dimensions": dims or "not named",
            "sensitive cells": f"{counts['sensitive']:,}",
            "requirements": f"{counts['requirements']:,}",
            "attackers": self.attackers,
        }
        return facts_html(type(self).__name__, facts)

    def __getstate__(self) -> tuple[_core.Problem, None]:
        return self._core, None

    def __setstate__(self, state: tuple[_core.Problem, None]) -> None:
        self._core, self._job = state


class Table(Problem):
    """A table that was made from records, with its sensitive cells."""

    __slots__ = ()

    @property
    def confidential(self) -> ConfidentialTabulation:
        """The cells as they are, and what the records gave. For the office only."""
        return ConfidentialTabulation(self._core)


def as_problem(given: Problem | Path) -> Problem:
    """The problem itself, or the one in a file."""
    if isinstance(given, Problem):
        return given
    if not is_path(given):
        raise InputError(
            f"a {type(given).__name__} is not a problem: make one with lc.Problem(...) or "
            "lc.tabulate(...), or give the path of one"
        )
    return Problem(os.fspath(given))
