# SPDX-License-Identifier: Apache-2.0
"""Tables with what must be protected in them: read from files, given as frames, or tabulated."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, Literal, TypedDict, Unpack

from . import _core
from ._call import option_texts, with_options
from ._display import problem_html
from ._errors import InputError
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
        self._job: _core.Job | None = None
        if is_path(data) and dims is None:
            path = os.fspath(data)  # type: ignore[arg-type]
            self._core = _read(path, {}, False, progress, limits)
            return
        if dims is None:
            raise InputError("name the columns of the codes", "dims")
        job = Job()
        job.set("input", "table", _add_files(job, data, "table"), "data")
        inputs = {
            "decimals": decimals,
            "round": round,
            "empty_value": empty_value,
            "totals": totals,
            "round_totals": round_totals,
        }
        for key, setting in inputs.items():
            job.set("input", key, setting)
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
        _add_tables(job, tables)
        add_rules(job, rules, levels, attackers)
        self._job, self._core = _made(job, name, False, progress, limits)

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
        return _table(_read(path, held, True, progress, limits, sums))
    if aggregates is not None:
        raise InputError("sums belong to a job: name its file instead of data", "aggregates")
    if dims is None:
        raise InputError("name the columns of the codes", "dims")
    job = Job()
    job.set("input", "records", _add_files(job, data, "records"), "data")
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
        job.set("input", key, setting)
    job.set("columns", "respondent", column_name(unit, "unit"), "unit")
    columns = {"value": value, "holding": holding, "weight": weight, "request": request}
    for key, column in {**columns, "waiver": waiver}.items():
        job.set("columns", key, column_name(column, key))
    job.set("columns", "request_codes", request_codes)
    job.set("columns", "waiver_codes", waiver_codes)
    add_dimensions(job, dims, hierarchies)
    _add_tables(job, tables)
    add_rules(job, rules, levels, attackers)
    job.section("bounds", bounds or {}, "bounds")
    job.section("weights", {"formula": costs}, "costs")
    job.section("apriori", {"file": apriori}, "apriori")
    made, core = _made(job, name, True, progress, limits)
    return _table(core, made)


def _table(core: _core.Problem, job: _core.Job | None = None) -> Table:
    made = Table._of(core, job)
    assert isinstance(made, Table)
    return made


@with_options("generate")
def generate(**options: Unpack[GenerateOptions]) -> Problem:
    """A random table of a given shape."""
    return Problem._of(_core.generate(option_texts(options)))


def _aggregates(given: Path | Mapping[str, Data] | None) -> tuple[str, Inputs]:
    """Where the sums are, and those that are in memory."""
    if given is None or is_path(given):
        return ("" if given is None else os.fspath(given)), {}  # type: ignore[arg-type]
    if not isinstance(given, Mapping):
        raise InputError("sums are a folder, or frames by their names", "aggregates")
    held: Inputs = {f"aggregates/{name}.arrow": source_of(each) for name, each in given.items()}
    return "aggregates", held


def _made(
    job: Job, name: str, records: bool, progress: Listener, limits: Mapping[str, Any]
) -> tuple[_core.Job, _core.Problem]:
    if not isinstance(name, str) or not name or any(sign in name for sign in "/:.\n"):
        raise InputError("a name is a text without / : . and line breaks", "name")
    made = job.made()
    return made, _read(name, job.inputs, records, progress, limits, job=made)


def _read(
    path: str,
    inputs: Inputs,
    records: bool,
    progress: Listener,
    limits: Mapping[str, Any],
    aggregates: str = "",
    job: _core.Job | None = None,
) -> _core.Problem:
    with listening(progress) as sink:
        return _core.read(path, records, inputs, option_texts(limits), sink, aggregates, job)


def _add_files(job: Job, data: object, name: str) -> object:
    """The name of a file, or those of frames that the job then holds."""
    if is_path(data):
        return data
    if isinstance(data, Mapping) and data and all(_is_frame(each) for each in data.values()):
        return [_add_files(job, frame, str(key)) for key, frame in data.items()]
    job.inputs[name] = source_of(data)  # type: ignore[arg-type]
    return {"frame": name}


def _is_frame(data: object) -> bool:
    is_frame = hasattr(data, "__arrow_c_stream__") and hasattr(data, "columns")
    is_rows = isinstance(data, Sequence) and bool(data) and isinstance(data[0], Mapping)
    return is_path(data) or is_frame or is_rows or isinstance(data, Mapping)


def _add_tables(job: Job, tables: Tables | None) -> None:
    for name, dimensions in (tables or {}).items():
        argument = f"tables: {name}"
        keys = {"name": name, "dimensions": column_names(dimensions, argument)}
        job.add("table", keys, argument)
