#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Tabulation by DuckDB's library (engine = "duckdb") of generated records in Parquet, beside a plain
GROUP BY of the same file: one row per leaf, no hierarchy, no contributors. 120,000 leaves, ten
records per respondent, a share of whom has records anywhere and not in one place.

  scale_bench.py LACUNA RECORDS [--spread PERCENT] [--plan A|B] [--threads N] [--memory 6GB]
                 [--folder FOLDER] [--keep]

Prints a CSV row per run: records, seconds, peak memory, records per second. Needs the Python
package duckdb to make the file, and says so where it is not at hand.
"""

import argparse
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import time

MAKE = """
COPY (
  SELECT printf('%04d', 1000 + h % 1000) AS act, printf('%02d', (h // 1000) % 40) AS reg,
         printf('%d', (h // 40000) % 3) AS size, printf('F%d', firm) AS firm,
         CAST((hash(i + 7) % 1000000) / 100 AS DECIMAL(18,2)) AS turnover
  FROM (SELECT i, i // 10 AS firm,
               hash(CASE WHEN hash(i // 10 + 3) % 100 < {spread} THEN i ELSE -1 - i // 10 END) AS h
        FROM range({records}) t(i))
) TO '{path}' (FORMAT PARQUET)
"""
PLAIN = """
import duckdb, sys
connection = duckdb.connect(config={{"threads": {threads}}})
rows = connection.execute('''SELECT act, reg, size, sum(turnover), count(*)
  FROM read_parquet('{path}') GROUP BY ALL''').fetchall()
"""
JOB = """[input]
engine = "duckdb"
records = "records.parquet"
decimals = 2
plan = "{plan}"
memory = "{memory}"
temporary = "temporary"

[columns]
value = "turnover"
respondent = "firm"

[[dimension]]
name = "act"
digits = [2, 1, 1]

[[dimension]]
name = "reg"

[[dimension]]
name = "size"

[[rule]]
type = "p-percent"
p = 10

[attackers]
knowledge = "sensitive-only"
respondents = false
"""


def measured(command, folder):
    """Seconds and peak MiB of a command."""
    begin = time.monotonic()
    process = subprocess.Popen(command, cwd=folder, stdout=subprocess.DEVNULL)
    _, status, usage = os.wait4(process.pid, 0)
    if status != 0:
        sys.exit(f"failed: {' '.join(map(str, command))}")
    return time.monotonic() - begin, usage.ru_maxrss // 1024


def arguments():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("lacuna")
    parser.add_argument("records", type=int)
    parser.add_argument("--spread", type=int, default=5)
    parser.add_argument("--plan", default="A")
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--memory", default="6GB")
    parser.add_argument("--folder")
    parser.add_argument("--keep", action="store_true")
    return parser.parse_args()


def main():
    given = arguments()
    try:
        import duckdb  # pylint: disable=import-outside-toplevel
    except ImportError:
        sys.exit("the Python package duckdb is not at hand: nothing to make records with")
    folder = pathlib.Path(given.folder or tempfile.mkdtemp(prefix="lacuna-scale-"))
    (folder / "temporary").mkdir(parents=True, exist_ok=True)
    path = folder / "records.parquet"
    if not path.exists():
        connection = duckdb.connect(config={"threads": given.threads, "memory_limit": given.memory})
        connection.execute(MAKE.format(spread=given.spread, records=given.records, path=path))
    (folder / "job.toml").write_text(JOB.format(plan=given.plan, memory=given.memory),
                                     encoding="utf-8")
    print("run,records,spread_percent,threads,seconds,peak_mib,records_per_second")
    runs = {
        "plain": [sys.executable, "-c", PLAIN.format(threads=given.threads, path=path)],
        f"plan-{given.plan}": [os.path.abspath(given.lacuna), "tabulate", "job.toml", "--quiet",
                               "--threads", str(given.threads)],
    }
    for name, command in runs.items():
        seconds, peak = measured(command, folder)
        print(f"{name},{given.records},{given.spread},{given.threads},{seconds:.1f},{peak},"
              f"{given.records / seconds:.0f}", flush=True)
    if not given.keep:
        shutil.rmtree(folder)


if __name__ == "__main__":
    main()
