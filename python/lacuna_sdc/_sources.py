# SPDX-License-Identifier: Apache-2.0
"""Data in: frames of any library, by Arrow's PyCapsule interface; none is needed."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from typing import Any, Protocol, TypeAlias, runtime_checkable

from . import _core
from ._errors import InputError


@runtime_checkable
class ArrowStream(Protocol):
    """Anything that hands out an Arrow stream: pandas, polars, pyarrow, DuckDB."""

    def __arrow_c_stream__(self, requested_schema: object = None) -> object: ...


Columns: TypeAlias = Mapping[str, Sequence[Any]]
"""Columns by name: lists, tuples, arrays of NumPy."""

Data: TypeAlias = "ArrowStream | Columns | Sequence[Mapping[str, Any]]"
"""A table in memory: a data frame, columns by name, or rows as dictionaries."""

Path: TypeAlias = "str | os.PathLike[str]"


def is_path(data: object) -> bool:
    """Whether it names a file, and is no data itself."""
    return isinstance(data, str | os.PathLike)


def source_of(data: Data) -> _core.Source:
    """The columns of any data, without a copy where the library has an Arrow stream."""
    if type(data).__name__ == "LazyFrame" and hasattr(data, "collect"):  # of polars
        data = data.collect()
    stream = None if isinstance(data, type) else getattr(data, "__arrow_c_stream__", None)
    if stream is not None:
        try:
            return _core.source_of_stream(stream())
        except ImportError:  # pandas hands out streams with the help of pyarrow alone
            pass
        except InputError:
            raise
        except Exception:  # which takes no mixtures and tells their values in its complaint
            if not _is_pandas(data):
                raise
    columns = _columns_of(data)
    _refuse_twins([name for name, _ in columns])
    return _core.source_of_lists(
        [name for name, _ in columns], [_as_list(column) for _, column in columns]
    )


def _is_pandas(data: object) -> bool:
    return hasattr(data, "iloc") and hasattr(data, "columns") and hasattr(data, "index")


def _refuse_twins(names: Sequence[str]) -> None:
    seen: set[str] = set()
    for name in names:
        if name in seen:
            raise InputError("there are two columns of this name", f"column {name}")
        seen.add(name)


def _as_list(column: object) -> list[Any]:
    if hasattr(column, "tolist"):  # an array of NumPy or a series of pandas
        items = column.tolist()
        return items if isinstance(items, list) else [items]
    if isinstance(column, str) or not hasattr(column, "__iter__"):
        raise InputError(f"a column must be a sequence, not {type(column).__name__}")
    return list(column)


def _columns_of(data: Any) -> list[tuple[str, object]]:
    if isinstance(data, Mapping):
        return [(str(name), column) for name, column in data.items()]
    if _is_pandas(data) and not isinstance(data, type):
        index = [(name, data.index.get_level_values(i)) for i, name in enumerate(data.index.names)]
        columns = [(name, data.iloc[:, i]) for i, name in enumerate(data.columns)]
        named = [(name, column) for name, column in index if name is not None]
        return [(str(name), column) for name, column in columns + named]
    if isinstance(data, Sequence) and not isinstance(data, str | bytes):
        return _columns_of_rows(data)
    raise InputError(
        f"a {type(data).__name__} is not a table: give a data frame, columns by name, a list of "
        "rows, or the path of a file"
    )


def _columns_of_rows(rows: Sequence[object]) -> list[tuple[str, object]]:
    columns: dict[object, list[object]] = {}
    for number, row in enumerate(rows, 1):
        if not isinstance(row, Mapping):
            raise InputError("a row must be a dictionary of names and values", f"row {number}")
        for name in row:
            columns.setdefault(name, [])
    for row in rows:
        assert isinstance(row, Mapping)
        for name, column in columns.items():
            column.append(row.get(name))
    return [(str(name), column) for name, column in columns.items()]
