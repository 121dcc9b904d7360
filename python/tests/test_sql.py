# SPDX-License-Identifier: Apache-2.0
"""Sums that an engine makes of records in it, handed over as Arrow streams."""

import pathlib
import random
from typing import Any, Literal

import lacuna_sdc as lc
import pytest

JOB = """[input]
{place}
decimals = 0
[columns]
value = "x"
respondent = "firm"
[[dimension]]
name = "act"
digits = [1, 1]
[[dimension]]
name = "reg"
[[rule]]
type = "p-percent"
p = 20
[attackers]
knowledge = "sensitive-only"
"""


@pytest.fixture(name="records")
def made_records(tmp_path: pathlib.Path) -> pathlib.Path:
    """A file of records, and jobs over it and over a table of an engine."""
    draw = random.Random(4)
    lines = ["act,reg,firm,x"]
    for _ in range(400):
        firm = draw.randrange(60)
        place = random.Random(firm) if firm % 2 else draw
        lines.append(
            f"{place.randrange(1, 4)}{place.randrange(1, 4)},r{place.randrange(3)},f{firm},"
            f"{draw.randrange(1, 300)}"
        )
    (tmp_path / "records.csv").write_text("\n".join(lines) + "\n")
    (tmp_path / "own.toml").write_text(JOB.format(place='records = "records.csv"\nseparator = ","'))
    (tmp_path / "engine.toml").write_text(
        JOB.format(place='from_table = "firms"\nengine = "duckdb"')
    )
    return tmp_path


def sums_of(connection: Any, statements: lc.Sql) -> dict[str, Any]:
    for statement in statements.counts:
        connection.execute(statement)
    statements.passed(connection.execute(statements.check).fetchone())
    for statement in statements.sums:
        connection.execute(statement)
    return {
        name: connection.sql(query).to_arrow_table()
        for name, query in statements.results.items()
    }


@pytest.mark.parametrize("plan", ["A", "B"])
def test_sums_as_arrow_streams_give_the_same_table(
    records: pathlib.Path, plan: Literal["A", "B"]
) -> None:
    duckdb = pytest.importorskip("duckdb")
    pytest.importorskip("pyarrow")
    connection = duckdb.connect()
    connection.execute(f"CREATE TABLE firms AS FROM read_csv('{records / 'records.csv'}')")
    statements = lc.sql(records / "engine.toml", plan=plan)
    table = lc.tabulate(
        records / "engine.toml", aggregates=sums_of(connection, statements)
    )
    own = lc.tabulate(records / "own.toml")
    assert table.confidential.to_dict() == own.confidential.to_dict()
    assert table.confidential.facts.to_dict() == own.confidential.facts.to_dict()
    assert lc.protect(table).run["verdict"] == "protected"


def test_the_text_names_the_engine(records: pathlib.Path) -> None:
    text = str(lc.sql(records / "engine.toml", "postgresql"))
    assert "\\copy" in text and '"firms"' in text
    assert "INSERT OVERWRITE DIRECTORY" in lc.sql(records / "engine.toml", "spark").text
    with pytest.raises(lc.OptionError, match="is not one of duckdb, postgresql and spark"):
        lc.sql(records / "engine.toml", "oracle")  # type: ignore[arg-type]


def test_troubles_are_told_by_name(records: pathlib.Path) -> None:
    statements = lc.sql(records / "engine.toml")
    zeros = [0] * len(statements.troubles)
    statements.passed(zeros)
    with pytest.raises(lc.InputError, match=r"values below zero: 3"):
        statements.passed([3 if t == "values below zero" else 0 for t in statements.troubles])


def test_sums_of_another_run_are_refused(records: pathlib.Path) -> None:
    duckdb = pytest.importorskip("duckdb")
    pytest.importorskip("pyarrow")
    connection = duckdb.connect()
    connection.execute(f"CREATE TABLE firms AS FROM read_csv('{records / 'records.csv'}')")
    sums = sums_of(connection, lc.sql(records / "engine.toml"))
    sums["top_leaf"] = sums["top_leaf"].slice(1)
    with pytest.raises(lc.InputError):
        lc.tabulate(records / "engine.toml", aggregates=sums)
    with pytest.raises(lc.InputError, match="job"):
        lc.tabulate({"a": ["x"]}, dims=["a"], aggregates=sums)
