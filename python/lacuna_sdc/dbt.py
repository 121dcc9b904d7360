# SPDX-License-Identifier: Apache-2.0
"""Lacuna in dbt: a mart that is safe, and a test that fails when one leaks (docs/dbt.md).

In a Python model:

    def model(dbt, session):
        import lacuna_sdc.dbt as lacuna

        return lacuna.protect(dbt.ref("turnover_cube"), dims={"region": "Total", "nace": "Total"},
                              value="turnover", frequency="firms", threshold=3)

The test `lacuna.safe_release` of the dbt package (integrations/dbt) asks `leaks` by a function of
DuckDB, which the plugin of dbt-duckdb makes: `plugins: [{module: lacuna_sdc.dbt}]` in profiles.yml.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from decimal import Decimal
from typing import TYPE_CHECKING, Any

from ._audit_release import audit
from ._errors import Error, InputError
from ._problem import Problem
from ._protect import protect as _protect
from ._rules import frequency as _frequency

if TYPE_CHECKING:
    import pandas

_FUNCTION = "lacuna_leaks"
_CELL, _WHY = "cell", "leak"


def protect(
    table: Any,
    *,
    dims: Mapping[str, str],
    value: str,
    frequency: str | None = None,
    status: str | None = None,
    threshold: int | None = None,
    policy: str | None = None,
    decimals: int | None = None,
    **options: Any,
) -> pandas.DataFrame:
    """What may be published of a table with its totals, as a frame: the codes and the value.

    `table` is what `dbt.ref(...)` gives, or a pandas.DataFrame. `dims` names the columns of codes,
    each with the code of its total; a missing code, as GROUP BY CUBE makes it, is the total.
    `frequency` is the column with numbers of contributors, which must reach `threshold`; without
    it the values are counts. `status` marks sensitive cells, `policy` names published rules. Sums
    of floating-point numbers are not exact: `decimals` says to how many digits they are meant. All
    further options are those of `lc.protect`. A table for which nothing is safe is an exception,
    and the run of dbt fails.
    """
    problem, asked = _problem(
        _frame(table), dims, value, frequency, status, threshold, policy, decimals
    )
    made = _protect(problem, **{**asked, **options})
    published = made.to_pandas()
    frame: pandas.DataFrame = published[[*dims, value if value in published else "value"]]
    return frame.set_axis([*dims, value], axis="columns")


def leaks(
    table: Any,
    mart: Any,
    *,
    dims: Mapping[str, str],
    value: str,
    frequency: str | None = None,
    status: str | None = None,
    threshold: int | None = None,
    policy: str | None = None,
    decimals: int | None = None,
) -> list[dict[str, str]]:
    """Why a mart must not be published: a row for each cell that it gives away, none if it is safe.

    `table` is the true table, with all its totals, and `mart` what is to be published of it: rows
    with the same codes, in which a withheld value is missing, or the whole row is. The other
    arguments are those of `protect`. A row has the `cell`, by its codes, and the `leak` in words,
    without any number of the table.
    """
    truth = _frame(table)
    problem, asked = _problem(
        truth, dims, value, frequency, status, threshold, policy, decimals
    )
    cells = problem.confidential.cells
    known = list(zip(*(cells[name] for name in dims), strict=True))
    shown = _shown(_frame(mart), dims, value)
    strange = [codes for codes in shown if codes not in set(known)]
    found = [_row(dims, codes, "the mart has this cell, and the table has not")
             for codes in strange]
    release: dict[str, list[Any]] = {
        name: [codes[i] for codes in known] for i, name in enumerate(dims)
    }
    release["value"] = [_rounded(shown.get(codes), decimals) for codes in known]
    try:
        made = audit(problem, release, **asked)
    except InputError as error:
        return [*found, {_CELL: "", _WHY: f"the mart could not be judged: {error}"}]
    verdicts = made.cells
    for codes, verdict in zip(
        zip(*(verdicts[name] for name in dims), strict=True), verdicts["verdict"], strict=True
    ):
        if verdict == "exposed":
            found.append(_row(dims, codes, "can be computed from what the mart publishes"))
        elif verdict == "undecided":
            found.append(_row(dims, codes, "is not proven to be safe"))
    asks = bool(threshold or policy)
    if made.verdict == "unasked" and not asks:
        found.append({_CELL: "", _WHY: "nothing was asked: give threshold, policy or status"})
    elif made.verdict in ("exposed", "undecided") and not found:
        found.append({_CELL: "", _WHY: f"the mart as a whole is {made.verdict}"})
    return found


# ---- tables


def _frame(table: Any) -> pandas.DataFrame:
    """A pandas.DataFrame of what dbt hands to a model."""
    import pandas as pd

    if isinstance(table, pd.DataFrame):
        return table
    for name in ("df", "to_pandas", "toPandas"):  # DuckDB; Snowpark and BigFrames; Spark
        if hasattr(table, name):
            made: pd.DataFrame = getattr(table, name)()
            return made
    raise InputError(f"a {type(table).__name__} is no table of dbt", "table")


def _codes(frame: pandas.DataFrame, dims: Mapping[str, str]) -> dict[str, list[str]]:
    for name in dims:
        if name not in frame.columns:
            raise InputError(f"there is no column '{name}'", "dims")
    return {
        name: [total if _is_missing(code) else str(code) for code in frame[name].tolist()]
        for name, total in dims.items()
    }


def _is_missing(item: Any) -> bool:
    return item is None or item != item or str(item) == "<NA>"


def _numbers(frame: pandas.DataFrame, column: str) -> list[Any]:
    if column not in frame.columns:
        raise InputError(f"there is no column '{column}'", "value")
    return [None if _is_missing(each) else each for each in frame[column].tolist()]


def _rounded(number: Any, decimals: int | None) -> Any:
    if number is None or decimals is None:
        return number
    return str(Decimal(str(number)).quantize(Decimal(1).scaleb(-decimals)))


def _shown(
    mart: pandas.DataFrame, dims: Mapping[str, str], value: str
) -> dict[tuple[str, ...], Any]:
    codes = zip(*_codes(mart, dims).values(), strict=True)
    shown: dict[tuple[str, ...], Any] = {}
    for each, number in zip(codes, _numbers(mart, value), strict=True):
        if each in shown:
            raise InputError(f"the mart has the cell {_name(dims, each)} twice", "mart")
        shown[each] = number
    return {each: number for each, number in shown.items() if number is not None}


def _problem(
    frame: pandas.DataFrame,
    dims: Mapping[str, str],
    value: str,
    frequency: str | None,
    status: str | None,
    threshold: int | None,
    policy: str | None,
    decimals: int | None,
) -> tuple[Problem, dict[str, Any]]:
    """The table as a problem, and what is asked of it in protecting and judging."""
    columns: dict[str, list[Any]] = {**_codes(frame, dims), "value": _numbers(frame, value)}
    call: dict[str, Any] = {"policy": policy}
    if decimals is not None:
        call.update(decimals=decimals, round=True)
    for name, column in (("frequency", frequency), ("status", status)):
        if column is not None:
            columns[name] = _numbers(frame, column)
            call[name] = name
    asked: dict[str, Any] = {}
    if threshold is not None and frequency is not None:
        call["rules"] = _frequency(threshold)
    elif threshold is not None:
        asked = {"counts": True, "threshold": threshold}
    return Problem(columns, dims=dict(dims), value="value", **call), asked


def _name(dims: Mapping[str, str], codes: tuple[str, ...]) -> str:
    return ", ".join(f"{name}={code}" for name, code in zip(dims, codes, strict=True))


def _row(dims: Mapping[str, str], codes: tuple[str, ...], why: str) -> dict[str, str]:
    return {_CELL: _name(dims, codes), _WHY: why}


# ---- the plugin of dbt-duckdb


def _leaks_as_text(table: str, mart: str, asked: str) -> list[str]:
    """The function of DuckDB: rows as JSON, arguments as JSON; a text for each leak."""
    import pandas as pd

    call = json.loads(asked)
    columns = [*call["dims"], *(call[name] for name in ("value", "frequency", "status")
                                if call.get(name))]
    frames = [pd.DataFrame(json.loads(rows) or [], columns=columns) for rows in (table, mart)]
    try:
        found = leaks(*frames, **call)
    except Error as error:
        return [f"the mart could not be judged: {error}"]
    return [" ".join(part for part in (each[_CELL], each[_WHY]) if part) for each in found]


def __getattr__(name: str) -> Any:
    """`Plugin`, which dbt-duckdb asks for: its base class is there only with dbt."""
    if name != "Plugin":
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    import duckdb
    from dbt.adapters.duckdb.plugins import (  # type: ignore[import-not-found, unused-ignore]
        BasePlugin,
    )

    class Plugin(BasePlugin):  # type: ignore[misc, unused-ignore]
        """Makes the function that the test safe_release asks."""

        def configure_connection(self, conn: Any) -> None:
            conn.create_function(
                _FUNCTION,
                _leaks_as_text,
                [duckdb.sqltype("VARCHAR")] * 3,
                duckdb.sqltype("VARCHAR[]"),
            )

    return Plugin
