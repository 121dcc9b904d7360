# SPDX-License-Identifier: Apache-2.0
"""Tables with what must be protected in them: read from files, given as frames, or tabulated."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, Literal, TypedDict, Unpack

from . import _core
from ._call import option_texts, with_options
from ._display import problem_html
from ._errors import MEMORY, InputError, placed
from ._frames import Data, Frame, Framed, Path, is_path, source_of
from ._hierarchy import Dimensions, HierarchyLike, add_dimensions
from ._job import Inputs, Job, column_name, column_names
from ._progress import Listener, listening
from ._rules import Attackers, Number, Rule, add_rules

if TYPE_CHECKING:
    from ._options import GenerateOptions

Tables = Mapping[str, Sequence[str]]
"""Linked tables: their names with the dimensions that they cross."""


class RunLimits(TypedDict, total=False):
    """How a run may use the machine."""

    threads: int
    time_limit: float


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
    """The same, and what the records gave."""

    __slots__ = ()

    @property
    def facts(self) -> Frame:
        """Codes, value, numbers of records and contributors, shares of the largest, and why."""
        facts = self._problem.facts()
        assert facts is not None
        return Frame(facts)


class Problem:
    """A table with what must be protected in it.

    `data` is a path (a table, a job, a problem, as on the command line), or a frame with one row
    per cell; of linked tables a dictionary of frames. With a frame `dims` names the columns of
    codes, or is a dictionary with their hierarchies, which may also stand in `hierarchies`.

    Columns, by their names:
        `value`: the numbers of the table; `frequency`: how many contribute; `weight`: what it costs
        to withhold the cell
        `status`: s (safe), u (sensitive), z (must be published) and the like; `status_words` has
        the words of others: {"secret": "u"}
        `lower`, `upper`: what everyone knows of a value beforehand
        `lower_level`, `upper_level`, `sliding_level`: how far from the value, below, above, and in
        all, nobody may come
        `largest`: the largest contributions, for rules

    What must be protected, if the frame does not say it:
        `rules`: of `frequency()`, `dominance()` and the like; `levels`: how much they ask
        `attackers`: `respondents()`, `outsider()`, or a list of `Attacker`
        `defaults`: what cells have whose field is empty: {"lower": 0}

    How numbers are read:
        `decimals`: digits after the point (else as many as there are); `round`: numbers with more
        are rounded; `empty_value`: a missing value is an error, a zero, or no cell
        `totals`: "given" (all are in the frame and hold), "computed" (missing ones are added) or
        "recomputed" (all are set); `round_totals`: those that are off by at most so much are set

    `tables` are linked tables, by name with their dimensions; `name` is the title of what is
    published; `progress` is True or a function. threads and time_limit are as for `protect`.
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
        name: str = "table",
        progress: Listener = None,
        **limits: Unpack[RunLimits],
    ) -> None:
        self._job: Job | None = None
        if is_path(data) and dims is None:
            path = os.fspath(data)  # type: ignore[arg-type]
            self._core = _read(path, None, False, progress, limits)
            return
        if dims is None:
            raise InputError("name the columns of the codes", "dims")
        job = Job()
        job.section("input", "data")
        job.set("table", _add_files(job, data, "table"), "data")
        job.set("decimals", decimals)
        job.set("round", round)
        job.set("empty_value", empty_value)
        job.set("totals", totals)
        job.set("round_totals", round_totals)
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
        job.section("columns", "columns")
        for key, column in columns.items():
            job.set(key, column if key == "largest" else column_name(column, key))
        job.section_of("status_words", status_words or {}, "status_words")
        job.section_of("defaults", defaults or {}, "defaults")
        add_dimensions(job, dims, hierarchies)
        _add_tables(job, tables)
        add_rules(job, rules, levels, attackers)
        self._job = job
        self._core = _read(_job_path(name), job, False, progress, limits)

    @classmethod
    def _of(cls, core: _core.Problem, job: Job | None = None) -> Problem:
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
        """Against whom the table is protected, in one line."""
        return self._core.attackers

    @property
    def notes(self) -> list[str]:
        """What was read differently from what the data say."""
        return self._core.notes

    @property
    def digest(self) -> str:
        """SHA-256 of the problem, which certificates name."""
        return self._core.digest

    @property
    def job(self) -> str | None:
        """The job that the arguments make, as the command line reads it; None of a file."""
        return None if self._job is None else self._job.text

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
        return problem_html(self)

    def __getstate__(self) -> tuple[_core.Problem, None]:
        return self._core, None

    def __setstate__(self, state: tuple[_core.Problem, None]) -> None:
        self._core, self._job = state


class Table(Problem):
    """A table that was made of records, with its sensitive cells."""

    __slots__ = ()

    @property
    def confidential(self) -> ConfidentialTabulation:
        """The cells as they are, and what the records gave. For the office only."""
        return ConfidentialTabulation(self._core)


def tabulate(
    data: Path | Data,
    *,
    dims: Dimensions | None = None,
    value: str | None = None,
    unit: str | None = None,
    holding: str | None = None,
    weight: str | None = None,
    request: str | None = None,
    request_codes: Sequence[str] | None = None,
    waiver: str | None = None,
    waiver_codes: Sequence[str] | None = None,
    hierarchies: Mapping[str, HierarchyLike] | None = None,
    tables: Tables | None = None,
    rules: Sequence[Rule] | Rule = (),
    levels: Mapping[str, Any] | None = None,
    bounds: Mapping[str, Any] | None = None,
    attackers: Attackers = None,
    costs: str | None = None,
    apriori: Path | None = None,
    decimals: int | None = None,
    round: bool | None = None,
    weight_decimals: int | None = None,
    negative: bool | None = None,
    empty_value: Literal["error", "zero", "drop"] | None = None,
    empty_cells: bool | None = None,
    largest: int | None = None,
    aggregates: Path | Mapping[str, Data] | None = None,
    name: str = "table",
    progress: Listener = None,
    **limits: Unpack[RunLimits],
) -> Table:
    """Makes a table of records and finds its sensitive cells.

    `data` is a frame with one row per record, the path of a file of records, or that of a job over
    records. `dims` names the columns of codes, or is a dictionary with their hierarchies, which may
    also stand in `hierarchies`.

    Columns, by their names:
        `value`: what is added up; without it every record counts 1
        `unit`: the respondents; `holding`: the groups they belong to; `weight`: sampling weights
        `request`: who asked for protection, where the field is one of `request_codes`; `waiver`:
        who agreed to disclosure, where it is one of `waiver_codes`

    What must be protected:
        `rules`: of `frequency()`, `dominance()` and the like; `levels`: how much they ask
        `attackers`: `respondents()` (the default) or `outsider()`
        `bounds`: what everyone knows of values beforehand; `costs`: what it costs to withhold a
        cell, a formula; `apriori`: a file with settings of single cells

    How records are read:
        `decimals`, `weight_decimals`: digits after the point (else as many as there are); `round`:
        numbers with more are rounded; `negative`: values below zero are allowed
        `empty_value`: a missing value is an error, a zero, or drops the record
        `empty_cells`: cells without a record are in the table, too; `largest`: how many of the
        largest contributions are told in `.confidential.facts`

    `aggregates`, for a job whose records are in a database: the sums that the statements of `sql()`
    have made of them, as frames by their names, or the folder of their files.

    `tables` are linked tables, by name with their dimensions; `name` is the title of what is
    published; `progress` is True or a function. threads and time_limit are as for `protect`.
    """
    if is_path(data) and dims is None:
        path = os.fspath(data)  # type: ignore[arg-type]
        sums, held = _aggregates(aggregates)
        return _table(_read(path, None, True, progress, limits, sums, held))
    if aggregates is not None:
        raise InputError("sums belong to a job: name its file instead of data", "aggregates")
    if dims is None:
        raise InputError("name the columns of the codes", "dims")
    job = Job()
    job.section("input", "data")
    job.set("records", _add_files(job, data, "records"), "data")
    inputs = {
        "decimals": decimals,
        "round": round,
        "weight_decimals": weight_decimals,
        "negative": negative,
        "empty_value": empty_value,
        "empty_cells": empty_cells,
        "largest": largest,
    }
    for key, setting in inputs.items():
        job.set(key, setting)
    job.section("columns", "columns")
    job.set("value", column_name(value, "value"))
    job.set("respondent", column_name(unit, "unit"), "unit")
    job.set("holding", column_name(holding, "holding"))
    job.set("weight", column_name(weight, "weight"))
    job.set("request", column_name(request, "request"))
    job.set("request_codes", None if request_codes is None else list(request_codes))
    job.set("waiver", column_name(waiver, "waiver"))
    job.set("waiver_codes", None if waiver_codes is None else list(waiver_codes))
    add_dimensions(job, dims, hierarchies)
    _add_tables(job, tables)
    add_rules(job, rules, levels, attackers)
    job.section_of("bounds", bounds or {}, "bounds")
    job.section_of("weights", {"formula": costs}, "costs")
    job.section_of("apriori", {"file": apriori}, "apriori")
    core = _read(_job_path(name), job, True, progress, limits)
    return _table(core, job)


def _table(core: _core.Problem, job: Job | None = None) -> Table:
    made = Table._of(core, job)
    assert isinstance(made, Table)
    return made


@with_options("generate")
def generate(**options: Unpack[GenerateOptions]) -> Problem:
    """A random table of a given shape."""
    with placed():
        return Problem._of(_core.generate(option_texts(options)))


def _aggregates(given: Path | Mapping[str, Data] | None) -> tuple[str, Inputs]:
    """Where the sums are, and those that are in memory."""
    if given is None or is_path(given):
        return ("" if given is None else os.fspath(given)), {}  # type: ignore[arg-type]
    if not isinstance(given, Mapping):
        raise InputError("sums are a folder, or frames by their names", "aggregates")
    place = f"{MEMORY}aggregates"
    return place, {
        f"{place}/{name}.arrow": source_of(frame) for name, frame in given.items()
    }


def _read(
    path: str,
    job: Job | None,
    records: bool,
    progress: Listener,
    limits: Mapping[str, Any],
    aggregates: str = "",
    held: Inputs | None = None,
) -> _core.Problem:
    inputs = (held or {}) if job is None else {**job.inputs, path: job.text}
    with placed(None if job is None else job.arguments), listening(progress) as sink:
        core = _core.read(path, records, inputs, option_texts(limits), sink, aggregates)
    if job is not None:
        job.inputs.clear()  # the frames have been read
    return core


def _job_path(name: str) -> str:
    """Where a job in memory is; its name is the title of what is made of it."""
    if not isinstance(name, str) or not name or any(sign in name for sign in "/:.\n"):
        raise InputError("a name is a text without / : . and line breaks", "name")
    return f"{MEMORY}{name}.toml"


def _add_files(job: Job, data: object, name: str) -> str | list[str]:
    """The name of a file, or those of frames that the job then holds."""
    if is_path(data):
        return os.fspath(data)  # type: ignore[call-overload, no-any-return]
    if isinstance(data, Mapping) and data and all(_is_frame(each) for each in data.values()):
        return [str(_add_files(job, frame, key)) for key, frame in data.items()]
    file = f"{MEMORY}{name}.arrow"
    job.inputs[file] = source_of(data)  # type: ignore[arg-type]
    return file


def _is_frame(data: object) -> bool:
    is_frame = hasattr(data, "__arrow_c_stream__") and hasattr(data, "columns")
    is_rows = isinstance(data, Sequence) and bool(data) and isinstance(data[0], Mapping)
    return is_path(data) or is_frame or is_rows or isinstance(data, Mapping)


def _add_tables(job: Job, tables: Tables | None) -> None:
    for name, dimensions in (tables or {}).items():
        argument = f"tables: {name}"
        job.section("[table]", argument)
        job.set("name", name, argument)
        job.set("dimensions", column_names(dimensions, argument), argument)
