# SPDX-License-Identifier: Apache-2.0
"""The call that makes a table from records."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from typing import Any, Literal, Unpack

from . import _core
from ._errors import InputError
from ._hierarchy import Dimensions, HierarchyLike, add_dimensions
from ._job import Inputs, Job, column_name
from ._problem import Table
from ._progress import Listener
from ._reading import RunLimits, Tables, add_files, add_tables, read, read_job
from ._rules import Attackers, Rule, add_rules
from ._sources import Data, Path, is_path, source_of


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
    missing_respondent: Literal["error", "drop", "own"] | None = None,
    unique: str | Sequence[str] | None = None,
    duplicates: Literal["error", "drop", "keep"] | None = None,
    largest: int | None = None,
    aggregates: Path | Mapping[str, Data] | None = None,
    policy: Path | None = None,
    name: str = "table",
    progress: Listener = None,
    **limits: Unpack[RunLimits],
) -> Table:
    """Makes a table from records and finds its sensitive cells.

    `data` is a frame with one row per record, or the path of a file of records or of a job over
    records. `dims` names the columns of codes, or is a dictionary with their hierarchies. The
    hierarchies may also be in `hierarchies`.

    Columns, by their names:
        `value`: what is added up; without it every record counts 1
        `unit`: the respondents; `holding`: the groups to which they belong; `weight`: sampling
        weights
        `request`: the respondent has asked for protection if the field is one of `request_codes`;
        `waiver`: it has agreed to disclosure if the field is one of `waiver_codes`

    What must be protected:
        `rules`: rules made by `frequency()`, `dominance()` and the like; `levels`: the levels that
        they ask for
        `attackers`: `respondents()` (the default) or `outsider()`
        `bounds`: what everyone knows about values beforehand; `costs`: a formula for the cost of
        withholding a cell; `apriori`: a file with settings of single cells
        `policy`: the published rules of an agency, by name or as a file: what is not said by other
        arguments follows them (docs/policies.md)

    How records are read:
        `decimals`, `weight_decimals`: digits after the point (by default as many as the numbers
        have); `round`: numbers with more digits are rounded; `negative`: values below zero are
        allowed
        `empty_value`: a missing value is an error, a zero, or drops the record
        `missing_respondent`: a record without a unit is an error, is dropped, or gets a unit of its
        own; `unique`: columns that together identify a record; `duplicates`: what to do with a
        record that repeats an earlier one
        `empty_cells`: the table also has the cells without a record; `largest`: how many of the
        largest contributions are in `.confidential.facts`

    `aggregates`, for a job whose records are in a database: the sums that the statements of `sql()`
    have computed, as frames by their names, or the folder with their files.

    `tables` names linked tables with their dimensions; `name` is the title of what is published;
    `progress` is True or a function. threads and time_limit are as for `protect`.
    """
    if is_path(data) and dims is None:
        path = os.fspath(data)  # type: ignore[arg-type]
        sums, held = _aggregates(aggregates)
        return _table(read(path, held, True, progress, {**limits, "policy": policy}, sums))
    if aggregates is not None:
        raise InputError("sums belong to a job: name its file instead of data", "aggregates")
    if dims is None:
        raise InputError("name the columns of the codes", "dims")
    job = Job()
    job.policy(policy)
    job.set("input", "records", add_files(job, data, "records"), "data")
    inputs = {
        "decimals": decimals,
        "round": round,
        "weight_decimals": weight_decimals,
        "negative": negative,
        "empty_value": empty_value,
        "empty_cells": empty_cells,
        "unique": [unique] if isinstance(unique, str) else unique,
        "duplicates": duplicates,
        "largest": largest,
    }
    for key, setting in inputs.items():
        job.set("input", key, setting)
    job.set("columns", "respondent", column_name(unit, "unit"), "unit")
    columns = {"value": value, "holding": holding, "weight": weight, "request": request}
    for key, column in {**columns, "waiver": waiver}.items():
        job.set("columns", key, column_name(column, key))
    job.set("columns", "missing_respondent", missing_respondent)
    job.set("columns", "request_codes", request_codes)
    job.set("columns", "waiver_codes", waiver_codes)
    add_dimensions(job, dims, hierarchies)
    add_tables(job, tables)
    add_rules(job, rules, levels, attackers)
    job.section("bounds", bounds or {}, "bounds")
    job.section("weights", {"formula": costs}, "costs")
    job.section("apriori", {"file": apriori}, "apriori")
    made, core = read_job(job, name, True, progress, limits)
    return _table(core, made)


def _table(core: _core.Problem, job: _core.Job | None = None) -> Table:
    made = Table._of(core, job)
    assert isinstance(made, Table)
    return made


def _aggregates(given: Path | Mapping[str, Data] | None) -> tuple[str, Inputs]:
    """Where the sums are, and those that are in memory."""
    if given is None or is_path(given):
        return ("" if given is None else os.fspath(given)), {}  # type: ignore[arg-type]
    if not isinstance(given, Mapping):
        raise InputError("sums are a folder, or frames by their names", "aggregates")
    held: Inputs = {f"aggregates/{name}.arrow": source_of(each) for name, each in given.items()}
    return "aggregates", held
