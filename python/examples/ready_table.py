# SPDX-License-Identifier: Apache-2.0
"""A ready table: audit last year's pattern on this year's numbers, then protect, keeping it.

    python ready_table.py sales.csv products.hrc last_year.json
"""

from __future__ import annotations

import pathlib
import sys

import lacuna_sdc as lc
import polars as pl


def renew(
    table: pathlib.Path, products: pathlib.Path, last_year: pathlib.Path
) -> tuple[lc.Audit, pl.DataFrame, lc.Release]:
    cells = pl.read_csv(table, separator=";")
    problem = lc.Problem(
        cells,
        dims={"product": products, "region": "All"},
        value="turnover",
        frequency="firms",
        status="status",
        lower_level="lpl",
        upper_level="upl",
    )
    audit = lc.audit(problem, release=last_year)  # any draft, also one made elsewhere
    failing = audit.to_polars().filter(pl.col("verdict") != "protected")
    release = lc.protect(problem, prefer=last_year, progress=print)
    return audit, failing, release


if __name__ == "__main__":
    before, exposed, after = renew(*(pathlib.Path(argument) for argument in sys.argv[1:4]))
    print(before.verdict)
    print(exposed)
    print(after)
