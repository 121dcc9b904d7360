# SPDX-License-Identifier: Apache-2.0
"""Cross tables with the signatures of pandas, and with what may not be published left out.

pandas makes the table, with its shape, index and heading. The same records are tabulated, protected
and audited here, always with all margins; every number of the table is then what the release says
of its cell, and NaN where the release withholds it. So a table without margins is safe beside the
one with margins. Shares are quotients of published numbers, and NaN where one of the two is not
published.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Literal

from ._errors import InputError, OptionError
from ._hierarchy import tree
from ._problem import Table
from ._protect import protect
from ._release import Release
from ._rules import Attackers, Rule
from ._tabulate import tabulate

if TYPE_CHECKING:
    import pandas

Normalize = bool | Literal["all", "index", "columns"] | Literal[0, 1]

Codes = tuple[str, str]  # of the row and of the column

_METHODS = ("suppress", "round", "small-counts", "cellkey")  # with one number, or none, in a cell
_OF_RECORDS = (
    "decimals", "round", "negative", "levels", "bounds", "costs", "missing_respondent", "largest",
)
_TOTAL = "total"
_ROWS, _COLUMNS, _VALUE, _UNIT = "rows", "columns", "value", "unit"


def crosstab(
    index: Any,
    columns: Any,
    values: Any = None,
    rownames: Sequence[str] | None = None,
    colnames: Sequence[str] | None = None,
    aggfunc: Any = None,
    margins: bool = False,
    margins_name: str = "All",
    dropna: bool = True,
    normalize: Normalize = False,
    *,
    rules: Sequence[Rule] | Rule = (),
    unit: Any = None,
    attackers: Attackers = None,
    method: str | None = None,
    with_release: bool = False,
    **options: Any,
) -> Any:
    """`pandas.crosstab` with what may not be published left out.

    The arguments up to `normalize` are those of pandas; `aggfunc` is "sum" where there are
    `values`. The frame is that of pandas, with NaN where a cell is withheld, and with the published
    number where `method` is "round", "small-counts" or "cellkey".

    `rules` say what is sensitive and must be given: `lc.frequency(10)`, `lc.p_percent(10)` and the
    like. `unit` is a column of respondents, for rules about `values`; `attackers` and all further
    options are those of `lc.tabulate` and `lc.protect`. Gives a pandas.DataFrame; with
    `with_release` the pair of it and its `lc.Release`, with verdict, audit and certificate.
    """
    import pandas as pd

    given = _aligned({_ROWS: _listed(index), _COLUMNS: _listed(columns)}, values, unit)
    call: dict[str, Any] = {"rownames": rownames, "colnames": colnames, "dropna": dropna}
    if values is not None:
        call.update(values=values, aggfunc=_sum_only(aggfunc, "sum"))
    elif aggfunc is not None:
        raise InputError("there is nothing to aggregate without values", "aggfunc")

    def table(margins: bool, normalize: Normalize) -> pandas.DataFrame:
        return pd.crosstab(
            index, columns, margins=margins, margins_name=margins_name, normalize=normalize, **call
        )

    release, numbers = _released(
        given, table(True, False), margins_name, values is not None, rules, attackers, method,
        options,
    )
    frame = table(margins, normalize)
    _fill(frame, numbers, _share_of(normalize))
    return (frame, release) if with_release else frame


def pivot_table(
    data: pandas.DataFrame,
    values: str | None = None,
    index: str | Sequence[str] | None = None,
    columns: str | Sequence[str] | None = None,
    aggfunc: Any = "sum",
    fill_value: Any = None,
    margins: bool = False,
    dropna: bool = True,
    margins_name: str = "All",
    observed: bool = True,
    sort: bool = True,
    *,
    rules: Sequence[Rule] | Rule = (),
    unit: str | None = None,
    attackers: Attackers = None,
    method: str | None = None,
    with_release: bool = False,
    **options: Any,
) -> Any:
    """`pandas.pivot_table` of sums or counts, with what may not be published left out.

    `values`, `index`, `columns` and `unit` are names of columns of `data`; `aggfunc` is "sum" or
    "count" (of a mean, publish both). All else is as for `lc.crosstab`.
    """
    if not isinstance(values, str):
        raise InputError("one column of values is named", "values")
    if index is None or columns is None:
        raise InputError("name columns for the rows and for the heading", "index")
    function = _sum_only(aggfunc, "sum", "count")
    names = {_ROWS: _names(index, "index"), _COLUMNS: _names(columns, "columns")}
    keys = {side: [data[name] for name in each] for side, each in names.items()}
    given = _aligned(keys, data[values], None if unit is None else data[unit])
    if function == "count":
        given[_VALUE] = None

    def table(margins: bool) -> pandas.DataFrame:
        return data.pivot_table(
            values=values, index=names[_ROWS], columns=names[_COLUMNS], aggfunc=function,
            fill_value=fill_value, margins=margins, dropna=dropna, margins_name=margins_name,
            observed=observed, sort=sort,
        )

    release, numbers = _released(
        given, table(True), margins_name, function == "sum", rules, attackers, method, options
    )
    frame = table(margins)
    _fill(frame, numbers, None)
    return (frame, release) if with_release else frame


# ---- what pandas takes


def _share_of(normalize: Normalize) -> str | None:
    """Of which total a share is: of all, of its row ("index") or of its column."""
    if normalize is False:
        return None
    if normalize is True:
        return "all"
    if isinstance(normalize, int):
        return ("index", "columns")[normalize]
    return normalize


def _listed(keys: Any) -> list[Any]:
    """pandas takes one column, or a list of several."""
    if isinstance(keys, list) and keys and not isinstance(keys[0], str | int | float):
        return keys
    return [keys]


def _names(given: str | Sequence[str], argument: str) -> list[str]:
    names = [given] if isinstance(given, str) else list(given)
    if not names or not all(isinstance(name, str) for name in names):
        raise InputError("columns of the data are named", argument)
    return names


def _sum_only(function: Any, *allowed: str) -> Any:
    name = getattr(function, "__name__", function)
    if name not in allowed:
        raise InputError(
            f"aggfunc must be {' or '.join(repr(each) for each in allowed)}: of a mean, publish "
            "the sum and the count",
            "aggfunc",
        )
    return name


def _aligned(keys: Mapping[str, list[Any]], values: Any, unit: Any) -> dict[str, Any]:
    """The records: labels of rows and columns, values, units; without those that have none.

    As pandas does it: what has an index counts where all indexes agree, all else by its place.
    """
    import pandas as pd

    parts: dict[Any, Any] = {
        (side, i): each for side, columns in keys.items() for i, each in enumerate(columns)
    }
    parts |= {(name, 0): each for name, each in ((_VALUE, values), (_UNIT, unit))
              if each is not None}
    shared = None
    for each in parts.values():
        if isinstance(each, pd.Series | pd.DataFrame):
            shared = each.index if shared is None else shared.intersection(each.index, sort=False)
    lengths = {len(each) for each in parts.values() if not isinstance(each, pd.Series)}
    if shared is not None and lengths and lengths != {len(shared)}:
        raise InputError("the columns are of different lengths", "index")
    frame = pd.DataFrame(
        {
            key: (each.reindex(shared) if isinstance(each, pd.Series) else list(each))
            for key, each in parts.items()
        },
        index=shared,
    )
    needed = [key for key in frame.columns if key[0] != _UNIT]
    frame = frame[~frame[needed].isna().any(axis=1)]

    def labels(side: str) -> list[Any]:
        columns = [frame[(side, i)].tolist() for i in range(len(keys[side]))]
        return columns[0] if len(columns) == 1 else list(zip(*columns, strict=True))

    return {
        _ROWS: labels(_ROWS),
        _COLUMNS: labels(_COLUMNS),
        _VALUE: frame[(_VALUE, 0)].tolist() if values is not None else None,
        _UNIT: frame[(_UNIT, 0)].tolist() if unit is not None else None,
    }


# ---- the release


class _Axis:
    """The labels of one side of a table of pandas, and a code for each."""

    def __init__(self, labels: Iterable[Any], margin: str) -> None:
        self.margin = margin
        self.labels = [label for label in labels if not self.is_margin(label)]
        texts = [_text(label) for label in self.labels]
        plain = len(set(texts)) == len(texts) and _TOTAL not in texts and "" not in texts
        codes = texts if plain else [f"{i + 1} {text}" for i, text in enumerate(texts)]
        self.code_of = dict(zip(self.labels, codes, strict=True))

    def is_margin(self, label: Any) -> bool:
        first = label[0] if isinstance(label, tuple) else label
        rest = label[1:] if isinstance(label, tuple) else ()
        return isinstance(first, str) and first == self.margin and not any(rest)

    def code(self, label: Any) -> str:
        return _TOTAL if self.is_margin(label) else self.code_of[label]


def _text(label: Any) -> str:
    return " / ".join(str(each) for each in label) if isinstance(label, tuple) else str(label)


class _Numbers:
    """What the release says, by the labels of pandas."""

    def __init__(self, release: Release, rows: _Axis, columns: _Axis, filled: set[Codes]) -> None:
        self.rows, self.columns, self.filled = rows, columns, filled
        published = release.published
        self.by_codes = _by_codes(published[_ROWS], published[_COLUMNS], published[_VALUE])

    def of(self, row: Any, column: Any) -> float:
        """NaN where the release has no number."""
        number = self.by_codes[self._codes(row, column)]
        return float("nan") if number is None else float(number)

    def is_empty(self, row: Any, column: Any) -> bool:
        """Whether the cell has no record; pandas shows it in its own way."""
        return self._codes(row, column) not in self.filled

    def _codes(self, row: Any, column: Any) -> Codes:
        return self.rows.code(row), self.columns.code(column)


def _by_codes(rows: list[Any], columns: list[Any], items: list[Any]) -> dict[Codes, Any]:
    return {
        (row, column): item for row, column, item in zip(rows, columns, items, strict=True)
    }


def _filled(records: Mapping[str, list[Any]]) -> set[Codes]:
    """The cells with a record, totals included."""
    inner = set(zip(records[_ROWS], records[_COLUMNS], strict=True))
    sums = {(row, _TOTAL) for row, _ in inner} | {(_TOTAL, column) for _, column in inner}
    return inner | sums | ({(_TOTAL, _TOTAL)} if inner else set())


def _check_same(table: Table, whole: pandas.DataFrame, rows: _Axis, columns: _Axis) -> None:
    """What is judged must be what pandas shows."""
    cells = table.confidential.cells
    truth = _by_codes(cells[_ROWS], cells[_COLUMNS], cells[_VALUE])
    for i, row in enumerate(whole.index):
        for j, column in enumerate(whole.columns):
            shown: Any = whole.iat[i, j]
            ours = float(truth[rows.code(row), columns.code(column)])
            absent = bool(shown != shown) and ours == 0
            if not absent and not abs(float(shown) - ours) <= 1e-9 * max(1.0, abs(ours)):
                raise InputError(
                    "pandas makes another table of these columns than their records: hand in "
                    "columns with one index",
                    "index",
                )


def _released(
    given: dict[str, Any],
    whole: pandas.DataFrame,
    margin: str,
    is_sum: bool,
    rules: Sequence[Rule] | Rule,
    attackers: Attackers,
    method: str | None,
    options: Mapping[str, Any],
) -> tuple[Release, _Numbers]:
    if not rules:
        raise InputError("say what is sensitive: rules=lc.frequency(10), for example", "rules")
    if method is not None and method not in _METHODS:
        raise OptionError(
            f"a cell holds a number or none: method must be one of {', '.join(_METHODS)}; "
            "lc.tabulate and lc.protect have the others",
            "method",
        )
    rows, columns = _Axis(whole.index, margin), _Axis(whole.columns, margin)
    records: dict[str, list[Any]] = {
        _ROWS: [rows.code(label) for label in given[_ROWS]],
        _COLUMNS: [columns.code(label) for label in given[_COLUMNS]],
    }
    records |= {name: given[name] for name in (_VALUE, _UNIT) if given[name] is not None}
    call = dict(options)
    reading = {name: call.pop(name) for name in _OF_RECORDS if name in call}
    table = tabulate(
        records,
        dims={
            _ROWS: tree({_TOTAL: list(rows.code_of.values())}),
            _COLUMNS: tree({_TOTAL: list(columns.code_of.values())}),
        },
        value=_VALUE if is_sum else None,
        unit=_UNIT if given[_UNIT] is not None else None,
        rules=rules,
        attackers=attackers,
        empty_cells=True,
        **reading,
    )
    _check_same(table, whole, rows, columns)
    release = protect(table, method=method, **call)  # type: ignore[arg-type]
    return release, _Numbers(release, rows, columns, _filled(records))


# ---- the frame


def _fill(frame: pandas.DataFrame, numbers: _Numbers, share: str | None) -> None:
    """Puts the published numbers, or their quotients, in the place of the true ones."""
    for j, column in enumerate(frame.columns):
        old = frame.iloc[:, j].tolist()
        new = [
            _cell(numbers, row, column, share, before)
            for row, before in zip(frame.index, old, strict=True)
        ]
        if any(_differs(one, other) for one, other in zip(new, old, strict=True)):
            whole = share is None and all(each == each and each == int(each) for each in new)
            kind = frame.dtypes.iloc[j] if whole else "float64"
            frame.isetitem(j, _series(frame, new, kind))


def _series(frame: pandas.DataFrame, items: list[Any], kind: Any) -> Any:
    import pandas as pd

    return pd.Series(items, index=frame.index).astype(kind)


def _differs(one: Any, other: Any) -> bool:
    return bool(one != other) and not (one != one and other != other)


def _cell(numbers: _Numbers, row: Any, column: Any, share: str | None, before: Any) -> Any:
    number = numbers.of(row, column)
    if share is None:
        # An empty cell stays as pandas shows it: without a number, or with fill_value.
        return before if number == 0 and numbers.is_empty(row, column) else number
    base_row = numbers.rows.margin if share in ("all", "columns") else row
    base_column = numbers.columns.margin if share in ("all", "index") else column
    base = numbers.of(base_row, base_column)
    if base == 0:
        return before if numbers.is_empty(base_row, base_column) else float("nan")
    return number / base
