# SPDX-License-Identifier: Apache-2.0
"""Readers who own the program: public widths, and tables that replay (docs/owner.md)."""

from __future__ import annotations

import pathlib
from typing import Any

import lacuna_sdc as lc
import pytest

CODES = [(product, region) for product in ("Total", "food", "wood") for region in ("All", "N", "S")]
TODAY = [300, 170, 130, 180, 100, 80, 120, 70, 50]
LAST = "280 160 120 170 - - 110 - -".split()


def today() -> lc.Problem:
    cells: dict[str, list[Any]] = {
        "product": [product for product, _ in CODES],
        "region": [region for _, region in CODES],
        "turnover": TODAY,
        "secret": [""] * 8 + ["x"],
    }
    dims = {"product": "Total", "region": "All"}
    return lc.Problem(cells, dims=dims, value="turnover", status="secret")


def last_period(folder: pathlib.Path) -> str:
    path = folder / "last.csv"
    rows = (
        f"{product},{region},{number.replace('-', '')}\n"
        for (product, region), number in zip(CODES, LAST, strict=True)
    )
    path.write_text("product,region,turnover\n" + "".join(rows), encoding="utf-8")
    return str(path)


def test_the_width_is_kept_and_tables_replay(tmp_path: pathlib.Path) -> None:
    last = last_period(tmp_path)
    release = lc.protect(today(), against="owner", weights_from=last, replay=True)
    assert "1 of 1 sensitive cells keep their public width" in release.run["note"]
    [cell] = release.run["replay"]["cells"]
    assert cell["as_asked"] and cell["lower"] < 50 < cell["upper"]
    audit = lc.audit(today(), release, against="owner", weights_from=last, replay=True)
    [row] = audit.confidential.rows()
    assert row["lower"] <= row["owner_lower"] < 50 < row["owner_upper"] <= row["upper"]


def test_without_it_less_is_left() -> None:
    release = lc.protect(today())
    [row] = lc.audit(today(), release, replay=True).confidential.rows()
    assert row["lower"] < row["owner_lower"] <= 50 <= row["owner_upper"] < row["upper"]


def test_to_run_again_the_run_is_needed() -> None:
    with pytest.raises(lc.Error, match="to run the program again its options are needed"):
        lc.audit(today(), [4, 5, 7, 8], replay=True)


def test_without_replay_there_are_no_such_columns() -> None:
    [row] = lc.audit(today(), lc.protect(today())).confidential.rows()
    assert "owner_lower" not in row
