# SPDX-License-Identifier: Apache-2.0
"""The examples of the documentation, as they are."""

from __future__ import annotations

import importlib.util
import pathlib
from types import ModuleType

import lacuna_sdc as lc
import pytest
from data import records, sales

EXAMPLES = pathlib.Path(__file__).resolve().parent.parent / "examples"


def example(name: str) -> ModuleType:
    spec = importlib.util.spec_from_file_location(name, EXAMPLES / f"{name}.py")
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_records(tmp_path: pathlib.Path) -> None:
    polars = pytest.importorskip("polars")
    pytest.importorskip("pandas")
    pytest.importorskip("pyarrow")
    polars.DataFrame(records(60)).write_parquet(tmp_path / "firms.parquet")
    (tmp_path / "nace.hrc").write_text("A\n@A1\n@A2\nB\n@B1\n@B2\n")
    folder = tmp_path / "out"
    folder.mkdir()
    release = example("records").publish(
        tmp_path / "firms.parquet", tmp_path / "nace.hrc", folder
    )
    assert release.verdict == "protected"
    assert {row["region"] for row in release.rows()} == {"Total", "north", "south", "N", "S", "W"}
    assert sorted(file.name for file in folder.iterdir()) == [
        "office.html",
        "proof.json",
        "turnover.px",
    ]
    certificate = lc.Certificate.read(folder / "proof.json")
    assert lc.verify(release.problem, certificate, release).verdict == "protected"


def test_ready_table(tmp_path: pathlib.Path, capsys: pytest.CaptureFixture[str]) -> None:
    polars = pytest.importorskip("polars")
    polars.DataFrame(sales()).write_csv(tmp_path / "sales.csv", separator=";")
    (tmp_path / "products.hrc").write_text("A\n@A1\n@A2\nB\n")
    last_year = sales()
    for row in last_year:
        row["turnover"] *= 2
    before = lc.Problem(
        last_year,
        dims={"product": tmp_path / "products.hrc", "region": "All"},
        value="turnover",
        status="status",
    )
    earlier = lc.protect(before)
    earlier.confidential.write(tmp_path / "last_year.json")
    audit, failing, release = example("ready_table").renew(
        tmp_path / "sales.csv", tmp_path / "products.hrc", tmp_path / "last_year.json"
    )
    assert audit.verdict == "protected" and failing.is_empty()
    kept = {(row["product"], row["region"]) for row in earlier.rows() if row["state"] == "withheld"}
    assert kept == {
        (row["product"], row["region"]) for row in release.rows() if row["state"] == "withheld"
    }
    alone = lc.audit(release.problem)
    assert alone.verdict == "exposed"
    assert alone.to_polars().filter(polars.col("verdict") != "protected").height == 1
    capsys.readouterr()
