# SPDX-License-Identifier: Apache-2.0
"""Data out: columns that any data frame library takes by Arrow's PyCapsule interface."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from . import _core

if TYPE_CHECKING:
    import pandas
    import polars
    import pyarrow


class Frame:
    """Columns that Lacuna returns. Any data frame library takes them as they are."""

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
            raise KeyError(f"{name!r} is not one of the columns {', '.join(self.names)}") from None

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
    """An object that can be turned into a data frame of any library."""

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
