# SPDX-License-Identifier: Apache-2.0
"""Frames of every library in and out, and exact numbers."""

from __future__ import annotations

import datetime
import decimal
import sys
from typing import Any

import lacuna_sdc as lc
import pytest
from data import RULES, columns, records, sales, sales_problem, table


def tabulated(data: Any) -> list[dict[str, Any]]:
    made = lc.tabulate(
        data,
        dims={"nace": lc.digits(1, 1), "region": None},
        value="turnover",
        unit="firm",
        rules=RULES,
    )
    return made.confidential.facts.rows()


EXPECTED = tabulated(records())


def test_rows_columns_and_tuples() -> None:
    assert tabulated(columns(records())) == EXPECTED
    assert tabulated({name: tuple(items) for name, items in columns(records()).items()}) == EXPECTED


def test_numpy_columns() -> None:
    numpy = pytest.importorskip("numpy")
    assert tabulated({name: numpy.array(c) for name, c in columns(records()).items()}) == EXPECTED


def test_pandas() -> None:
    pandas = pytest.importorskip("pandas")
    frame = pandas.DataFrame(records())
    assert tabulated(frame) == EXPECTED
    for column in ("nace", "region", "firm"):
        frame[column] = frame[column].astype("category")
    assert tabulated(frame) == EXPECTED
    assert tabulated(frame.set_index("firm")) == EXPECTED
    frame["turnover"] = frame["turnover"].astype("float64")
    assert tabulated(frame) == EXPECTED
    frame["turnover"] = frame["turnover"].astype("int16")
    assert tabulated(frame) == EXPECTED
    frame["nace"] = frame["nace"].astype("object")
    assert tabulated(frame[::-1][::-1]) == EXPECTED


def test_pandas_without_pyarrow(monkeypatch: pytest.MonkeyPatch) -> None:
    pandas = pytest.importorskip("pandas")
    frame = pandas.DataFrame(records())
    frame["firm"] = frame["firm"].astype("object")
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    assert tabulated(frame) == EXPECTED


def test_polars() -> None:
    polars = pytest.importorskip("polars")
    frame = polars.DataFrame(records())
    assert tabulated(frame) == EXPECTED
    texts = [polars.col(name).cast(polars.Categorical) for name in ("nace", "region")]
    assert tabulated(frame.with_columns(texts)) == EXPECTED
    enum = polars.col("region").cast(polars.Enum(["N", "S", "W"]))
    assert tabulated(frame.with_columns(enum)) == EXPECTED
    for kind in (polars.Int32, polars.UInt16, polars.Float64, polars.Decimal(20, 2)):
        assert tabulated(frame.with_columns(polars.col("turnover").cast(kind))) == EXPECTED
    chunks = polars.concat([frame[:7], frame[7:20], frame[20:]], rechunk=False)
    assert tabulated(chunks) == EXPECTED


def test_pyarrow_and_duckdb() -> None:
    pyarrow = pytest.importorskip("pyarrow")
    held = pyarrow.Table.from_pylist(records())
    assert tabulated(held) == EXPECTED
    assert tabulated(held.to_reader(max_chunksize=13)) == EXPECTED
    large = held.set_column(0, "firm", held["firm"].cast(pyarrow.large_string()))
    assert tabulated(large) == EXPECTED
    view = held.set_column(0, "firm", held["firm"].cast(pyarrow.string_view()))
    assert tabulated(view) == EXPECTED
    coded = held.set_column(2, "nace", held["nace"].dictionary_encode())
    assert tabulated(coded.slice(0, 20)) != EXPECTED
    assert tabulated(pyarrow.concat_tables([coded.slice(0, 20), coded.slice(20)])) == EXPECTED
    duckdb = pytest.importorskip("duckdb")
    connection = duckdb.connect()
    connection.register("held", held)
    assert tabulated(connection.sql("SELECT * FROM held")) == EXPECTED


def test_nulls() -> None:
    rows = [{**row, "group": None if row["group"] == "" else row["group"]} for row in records()]
    for data in (rows, pytest.importorskip("polars").DataFrame(rows)):
        made = lc.tabulate(data, dims=["nace"], value="turnover", unit="firm", holding="group")
        assert made.confidential.facts["contributors"][0] > 2
    rows[4]["turnover"] = None
    with pytest.raises(lc.InputError) as error:
        tabulated(rows)
    assert error.value.where == "row 5, column turnover"


def test_a_double_that_is_no_multiple_of_the_unit() -> None:
    for make in (list, pytest.importorskip("pandas").DataFrame):
        rows = records()
        rows[16]["turnover"] = 10.25
        with pytest.raises(lc.InputError) as error:
            lc.tabulate(make(rows), dims=["nace"], value="turnover", decimals=1)
        assert error.value.where == "row 17, column turnover"
        assert "[input]" not in str(error.value)
        made = lc.tabulate(make(rows), dims=["nace"], value="turnover", decimals=1, round=True)
        assert made.decimals == 1
        rows[16]["turnover"] = 0.1 + 0.2  # 0.30000000000000004: no number of anyone's table
        with pytest.raises(lc.InputError):
            lc.tabulate(make(rows), dims=["nace"], value="turnover", decimals=2)


def test_decimals_come_out_exactly() -> None:
    rows = [{**row, "turnover": decimal.Decimal(row["turnover"]) / 10} for row in records()]
    made = lc.tabulate(rows, dims=["nace"], value="turnover")
    assert made.decimals == 1
    total = sum(row["turnover"] for row in rows)
    exact = made.confidential.cells.to_dict(exact=True)["value"][0]
    assert isinstance(exact, decimal.Decimal)
    assert exact == total
    polars = pytest.importorskip("polars")
    frame = made.confidential.cells.to_polars(exact=True)
    assert isinstance(frame.schema["value"], polars.Decimal)
    assert frame["value"][0] == total


def test_dates_and_truth_values_are_codes() -> None:
    rows = [
        {"day": datetime.date(2026, 1, 1 + i % 3), "big": i % 2 == 0, "value": i} for i in range(12)
    ]
    for data in (rows, pytest.importorskip("polars").DataFrame(rows)):
        made = lc.tabulate(data, dims=["day", "big"], value="value")
        assert set(made.confidential.cells["day"]) == {
            "Total",
            "2026-01-01",
            "2026-01-02",
            "2026-01-03",
        }
        assert set(made.confidential.cells["big"]) == {"Total", "TRUE", "FALSE"}


def test_what_is_no_table() -> None:
    with pytest.raises(lc.InputError, match="is not a table"):
        tabulated(3.5)
    with pytest.raises(lc.InputError, match="a different number of rows"):
        tabulated({**columns(records()), "w": [1]})
    with pytest.raises(lc.InputError, match="neither text nor a number"):
        tabulated([{**row, "nace": {"a": 1}} for row in records()])


def test_out_to_every_library() -> None:
    release = lc.protect(table())
    rows = release.rows()
    assert [set(row) for row in rows] == [{"nace", "region", "value", "state"}] * len(rows)
    withheld = [row for row in rows if row["state"] == "withheld"]
    assert withheld and all(row["value"] is None for row in withheld)

    pandas = pytest.importorskip("pandas")
    frame = release.to_pandas()
    assert frame["value"].isna().sum() == len(withheld)
    assert list(frame["nace"]) == [row["nace"] for row in rows]
    assert release.to_pandas(exact=True)["value"].dtype == "Int64"

    polars = pytest.importorskip("polars")
    assert release.to_polars().rows(named=True) == rows
    assert polars.DataFrame(release).height == len(rows)

    pyarrow = pytest.importorskip("pyarrow")
    assert release.to_arrow().to_pylist() == rows
    assert pyarrow.table(release).schema.metadata[b"lacuna.format"] == b"lacuna-public-1"

    duckdb = pytest.importorskip("duckdb")
    relation = duckdb.from_arrow(release.to_arrow())
    assert relation.count("*").fetchall() == [(len(rows),)]
    assert pandas.DataFrame(release.to_dict()).shape == frame.shape


def test_frames_outlive_what_they_came_from() -> None:
    pyarrow = pytest.importorskip("pyarrow")
    stream = pyarrow.RecordBatchReader.from_stream(lc.protect(table()))
    assert stream.read_all().num_rows == len(lc.protect(table()))
    lc.protect(table()).__arrow_c_stream__()  # a stream that nobody reads is released, too


def test_ready_tables_of_every_library() -> None:
    expected = lc.protect(sales_problem()).rows()
    for module, make in (("pandas", "DataFrame"), ("polars", "DataFrame")):
        frame = getattr(pytest.importorskip(module), make)(sales())
        assert lc.protect(sales_problem(frame)).rows() == expected
    assert lc.protect(sales_problem(columns(sales()))).rows() == expected


def test_linked_tables_by_name() -> None:
    rows = records(200, 3)
    made = lc.tabulate(
        rows,
        dims=["nace", "region", "group"],
        value="turnover",
        unit="firm",
        tables={"by region": ["nace", "region"], "by group": ["nace", "group"]},
        hierarchies={"group": lc.flat("Total").with_missing("code", code="none")},
        rules=RULES,
    )
    release = lc.protect(made)
    assert list(release.tables) == ["by region", "by group"]
    assert release.tables["by group"].names == ["nace", "group", "value", "state"]
    assert len(release) < sum(len(frame) for frame in release.tables.values())
