# SPDX-License-Identifier: Apache-2.0
"""Records to a protected table: tabulate, find what is sensitive, protect, publish.

    python records.py firms.parquet nace.hrc FOLDER
"""

from __future__ import annotations

import pathlib
import sys

import lacuna_sdc as lc
import pandas as pd


def publish(records: pathlib.Path, activities: pathlib.Path, folder: pathlib.Path) -> lc.Release:
    firms = pd.read_parquet(records)
    table = lc.tabulate(
        firms,
        dims=["nace", "region"],
        value="turnover",
        unit="firm",
        holding="group",
        weight="w",
        hierarchies={"nace": activities, "region": lc.nested("area", "region")},
        rules=[lc.frequency(3), lc.p_percent(10), lc.dominance(1, 85)],
    )
    release = lc.protect(table, method="suppress", time_limit=60)  # audited, or an exception
    release.to_pandas()  # published only: dims, value (NaN), state
    release.write(folder / "turnover.px")
    release.report(folder / "office.html")
    release.certificate.write(folder / "proof.json")
    return release


if __name__ == "__main__":
    print(publish(*(pathlib.Path(argument) for argument in sys.argv[1:4])))
