# SPDX-License-Identifier: Apache-2.0
"""How a table is read: from a path, or by the job that arguments make."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, TypeAlias, TypedDict

from . import _core
from ._arguments import option_texts
from ._errors import InputError
from ._job import Inputs, Job, column_names
from ._progress import Listener, listening
from ._sources import is_path, source_of

Tables: TypeAlias = Mapping[str, Sequence[str]]
"""Linked tables: their names with the dimensions that they cross."""


class RunLimits(TypedDict, total=False):
    """How a run may use the machine."""

    threads: int
    time_limit: float


def read_job(
    job: Job, name: str, records: bool, progress: Listener, limits: Mapping[str, Any]
) -> tuple[_core.Job, _core.Problem]:
    """Reads what a job describes; returns it with the job as the core has it."""
    if not isinstance(name, str) or not name or any(sign in name for sign in "/:.\n"):
        raise InputError("a name must be a text without / : . and line breaks", "name")
    made = job.made()
    return made, read(name, job.inputs, records, progress, limits, job=made)


def read(
    path: str,
    inputs: Inputs,
    records: bool,
    progress: Listener,
    limits: Mapping[str, Any],
    aggregates: str = "",
    job: _core.Job | None = None,
) -> _core.Problem:
    """Reads a file, or the job under this name; of records it makes a table."""
    with listening(progress) as sink:
        return _core.read(path, records, inputs, option_texts(limits), sink, aggregates, job)


def add_files(job: Job, data: object, name: str) -> object:
    """The name of a file, or those of frames that the job then holds."""
    if is_path(data):
        return data
    if isinstance(data, Mapping) and data and all(_is_frame(each) for each in data.values()):
        return [add_files(job, frame, str(key)) for key, frame in data.items()]
    job.inputs[name] = source_of(data)  # type: ignore[arg-type]
    return {"frame": name}


def _is_frame(data: object) -> bool:
    is_frame = hasattr(data, "__arrow_c_stream__") and hasattr(data, "columns")
    is_rows = isinstance(data, Sequence) and bool(data) and isinstance(data[0], Mapping)
    return is_path(data) or is_frame or is_rows or isinstance(data, Mapping)


def add_tables(job: Job, tables: Tables | None) -> None:
    """The linked tables of a job."""
    for name, dimensions in (tables or {}).items():
        argument = f"tables: {name}"
        keys = {"name": name, "dimensions": column_names(dimensions, argument)}
        job.add("table", keys, argument)
