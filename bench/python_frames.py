#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Data frames against files: the same records tabulated by the command line and by the package.

    PYTHONPATH=build/python bench/python_frames.py build/lacuna [--records N] [--repeats N]

Prints one row per way: seconds (median, in rounds that take turns), the ratio to the command line,
and the memory that the call adds at its peak, beside that of the frame. Needs pandas, polars,
pyarrow and NumPy.
"""

from __future__ import annotations

import argparse
import json
import pathlib
import statistics
import subprocess
import sys
import tempfile
import time

WAYS = ("pandas", "pandas, objects", "polars", "pyarrow", "duckdb", "lists")

JOB = """[input]
records = "records.csv"
separator = ","
[columns]
value = "turnover"
respondent = "firm"
[[dimension]]
name = "nace"
[[dimension]]
name = "region"
[[rule]]
type = "frequency"
n = 3
[[rule]]
type = "p-percent"
p = 10
"""


def make(folder: pathlib.Path, count: int) -> None:
    import numpy as np
    import pandas as pd

    draw = np.random.default_rng(1)
    frame = pd.DataFrame(
        {
            "firm": "firm " + pd.Series(draw.integers(0, count // 5, count)).astype(str),
            "nace": "N" + pd.Series(draw.integers(100, 160, count)).astype(str),
            "region": "region " + pd.Series(draw.integers(10, 40, count)).astype(str),
            "year": 2026,
            "turnover": np.round(draw.pareto(1.5, count) * 1000, 2),
            "employees": draw.integers(1, 500, count),
        }
    )
    frame.to_csv(folder / "records.csv", index=False)
    frame.to_parquet(folder / "records.parquet")
    (folder / "job.toml").write_text(JOB)


def resident() -> int:
    status = pathlib.Path("/proc/self/status").read_text()
    return next(int(line.split()[1]) for line in status.splitlines() if line.startswith("VmHWM"))


def reset_peak() -> None:
    pathlib.Path("/proc/self/clear_refs").write_text("5")


def load(way: str, file: pathlib.Path) -> tuple[object, float]:
    """The frame, and how many megabytes it takes."""
    import pandas as pd
    import polars as pl
    import pyarrow.parquet as pq

    if way.startswith("pandas"):
        frame = pd.read_parquet(file)
        if "objects" in way:
            frame = frame.astype({name: "object" for name in ("firm", "nace", "region")})
        return frame, float(frame.memory_usage(deep=True).sum()) / 1e6
    if way == "polars":
        columns = pl.read_parquet(file)
        return columns, columns.estimated_size() / 1e6
    if way == "pyarrow":
        table = pq.read_table(file)
        return table, table.nbytes / 1e6
    if way == "duckdb":
        import duckdb

        return duckdb.sql(f"SELECT * FROM '{file}'"), float("nan")
    rows = pq.read_table(file)
    return {name: rows[name].to_pylist() for name in rows.column_names}, float("nan")


def once(way: str, folder: pathlib.Path) -> None:
    """In a process of its own."""
    import lacuna_sdc as lc

    frame, size = load(way, folder / "records.parquet")
    reset_peak()
    before = resident()
    start = time.perf_counter()
    lc.tabulate(
        frame,  # type: ignore[arg-type]
        dims=["nace", "region"],
        value="turnover",
        unit="firm",
        rules=[lc.frequency(3), lc.p_percent(10)],
    )
    seconds = time.perf_counter() - start
    print(json.dumps({"seconds": seconds, "added": (resident() - before) / 1e3, "frame": size}))


def by_program(program: str, folder: pathlib.Path) -> float:
    start = time.perf_counter()
    subprocess.run(
        [program, "tabulate", str(folder / "job.toml"), "--quiet"],
        check=True,
        stdout=subprocess.DEVNULL,
    )
    return time.perf_counter() - start


def main() -> int:
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("program")
    options.add_argument("--records", type=int, default=1_000_000)
    options.add_argument("--repeats", type=int, default=5)
    options.add_argument("--once", help=argparse.SUPPRESS)
    given = options.parse_args()
    if given.once:
        once(given.once, pathlib.Path(given.program))
        return 0
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        make(folder, given.records)
        program: list[float] = []
        found: dict[str, list[dict[str, float]]] = {way: [] for way in WAYS}
        for _ in range(given.repeats):
            program.append(by_program(given.program, folder))
            for way in WAYS:
                call = [sys.executable, __file__, name, "--once", way]
                done = subprocess.run(call, check=True, capture_output=True, text=True)
                found[way].append(json.loads(done.stdout))
        base = statistics.median(program)
        print("| way | seconds | of the program's time | frame, MB | added at the peak, MB |")
        print("|---|---:|---:|---:|---:|")
        print(f"| program, CSV | {base:.2f} | 1 | | |")
        for way, rows in found.items():
            seconds = statistics.median(row["seconds"] for row in rows)
            added = statistics.median(row["added"] for row in rows)
            frame = rows[0]["frame"]
            size = "" if frame != frame else f"{frame:.0f}"
            print(f"| {way} | {seconds:.2f} | {seconds / base:.2f} | {size} | {added:.0f} |")
    return 0


if __name__ == "__main__":
    sys.exit(main())
