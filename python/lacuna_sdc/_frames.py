# SPDX-License-Identifier: Apache-2.0
"""Data frames of any library in and out, by Arrow's PyCapsule interface; none is needed."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Protocol, TypeAlias, runtime_checkable

from . import _core
from ._errors import InputError

if TYPE_CHECKING:
    import pandas
    import polars
    import pyarrow


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
        f"a {type(data).__name__} is no table: hand in a data frame, columns by name, a list of "
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


class Frame:
    """Columns that Lacuna hands out. Any data frame library takes them as they are."""

    __slots__ = ("_columns",)

    def __init__(self, columns: _core.Columns) -> None:
        self._columns = columns

    @property
    def names(self) -> list[str]:
        """The names of the columns."""
        return self._columns.names

    def __len__(self) -> int:
        return len(self._columns)

    def __iter__(self) -> Iterator[str]:
        return iter(self.names)

    def __getitem__(self, name: str) -> list[Any]:
        """The values of a column: texts, whole numbers or floats; None where there is none."""
        return self._columns.items(self._index(name))

    def _index(self, name: str) -> int:
        try:
            return self.names.index(name)
        except ValueError:
            raise KeyError(f"{name!r} is none of the columns {', '.join(self.names)}") from None

    def to_dict(self, *, exact: bool = False) -> dict[str, list[Any]]:
        """Columns by name. With `exact`, numbers with digits after the point are Decimal."""
        return {name: self._columns.items(i, exact) for i, name in enumerate(self.names)}

    def rows(self) -> list[dict[str, Any]]:
        """Rows as dictionaries."""
        columns = self.to_dict()
        return [
            dict(zip(columns, values, strict=True))
            for values in zip(*columns.values(), strict=True)
        ]

    def __arrow_c_stream__(self, requested_schema: object = None) -> object:
        """Numbers exactly: whole numbers of 64 bits, or decimals."""
        return self._columns.stream()

    def to_pandas(self, *, exact: bool = False) -> pandas.DataFrame:
        """A data frame of pandas; numbers are floats with NaN unless `exact`."""
        import pandas

        columns: dict[str, Any] = {}
        for i, (name, kind) in enumerate(zip(self.names, self._columns.kinds, strict=True)):
            items = self._columns.items(i, exact)
            if kind == "text" or (exact and kind == "decimal"):
                columns[name] = pandas.Series(items, dtype="object" if exact else "str")
            elif kind == "whole" and (exact or None not in items):
                columns[name] = pandas.Series(items, dtype="Int64" if None in items else "int64")
            elif kind == "truth":
                columns[name] = pandas.Series(items, dtype="boolean")
            else:
                columns[name] = pandas.Series(items, dtype="float64")
        return pandas.DataFrame(columns)

    def to_polars(self, *, exact: bool = False) -> polars.DataFrame:
        """A data frame of polars; numbers with digits after the point are floats unless `exact`."""
        import polars

        frame = polars.DataFrame(self)
        casts = [polars.col(polars.Categorical).cast(polars.String)]
        if not exact:
            casts.append(polars.col(polars.Decimal).cast(polars.Float64))
        return frame.with_columns(casts)

    def to_arrow(self) -> pyarrow.Table:
        """A table of pyarrow, with exact numbers."""
        import pyarrow

        return pyarrow.table(self)

    def __repr__(self) -> str:
        return f"<{len(self)} rows: {', '.join(self.names)}>"

    def __reduce__(self) -> tuple[type[Frame], tuple[_core.Columns]]:
        return Frame, (self._columns,)


class Framed:
    """What can be had as a data frame of any library."""

    __slots__ = ()

    def _frame(self) -> Frame:
        raise NotImplementedError

    def to_pandas(self, *, exact: bool = False) -> pandas.DataFrame:
        """As a data frame of pandas; numbers are floats with NaN unless `exact`."""
        return self._frame().to_pandas(exact=exact)

    def to_polars(self, *, exact: bool = False) -> polars.DataFrame:
        """As a data frame of polars; decimals are floats unless `exact`."""
        return self._frame().to_polars(exact=exact)

    def to_arrow(self) -> pyarrow.Table:
        """As a table of pyarrow, with exact numbers."""
        return self._frame().to_arrow()

    def to_dict(self, *, exact: bool = False) -> dict[str, list[Any]]:
        """As columns by name. With `exact`, numbers with digits after the point are Decimal."""
        return self._frame().to_dict(exact=exact)

    def rows(self) -> list[dict[str, Any]]:
        """As rows, each a dictionary."""
        return self._frame().rows()

    def __arrow_c_stream__(self, requested_schema: object = None) -> object:
        return self._frame().__arrow_c_stream__(requested_schema)
