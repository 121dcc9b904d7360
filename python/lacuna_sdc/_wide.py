# SPDX-License-Identifier: Apache-2.0
"""Tables of pandas with dimensions in the heading, as `pandas.crosstab` makes them."""

from __future__ import annotations

from typing import Any

from ._errors import InputError
from ._hierarchy import Dimensions

MARGIN = "All"  # what pandas calls its totals, unless it is told otherwise
VALUE = "value"


def is_crossed(data: object) -> bool:
    """Whether rows and heading have names: the dimensions of a table, not columns of records."""
    index, columns = getattr(data, "index", None), getattr(data, "columns", None)
    if index is None or columns is None or not hasattr(data, "iloc"):
        return False
    names = [*getattr(index, "names", [None]), *getattr(columns, "names", [None])]
    return all(name is not None for name in names)


def unpivoted(data: Any) -> dict[str, list[Any]]:
    """One row per cell: the codes, under the names of rows and heading, and `value`."""
    names = [str(name) for name in (*data.index.names, *data.columns.names)]
    if len(set(names)) < len(names) or VALUE in names:
        raise InputError(
            "rows and heading need names of their own, and none may be called 'value'", "data"
        )
    cells: dict[str, list[Any]] = {name: [] for name in (*names, VALUE)}
    for i, row in enumerate(data.index):
        for j, column in enumerate(data.columns):
            codes = (*_codes(row), *_codes(column))
            for name, code in zip(names, codes, strict=True):
                cells[name].append(str(code))
            cells[VALUE].append(data.iat[i, j])
    return cells


def _codes(label: object) -> tuple[object, ...]:
    return label if isinstance(label, tuple) else (label,)


def margins_of(cells: dict[str, list[Any]], given: Dimensions | None) -> Dimensions:
    """The dimensions with their totals: those given, or `All` of every one."""
    if given is not None:
        return given
    names = [name for name in cells if name != VALUE]
    lacking = [name for name in names if MARGIN not in cells[name]]
    if lacking:
        raise InputError(
            f"{lacking[0]!r} has no code {MARGIN!r} that could be its total: make the table with "
            'margins=True, or name the totals, dims={"' + lacking[0] + '": "Total"}, or have them '
            'computed, totals="computed" with dims=[...]',
            "dims",
        )
    return {name: MARGIN for name in names}
