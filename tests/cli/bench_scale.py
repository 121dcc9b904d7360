#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The smallest files of `lacuna bench scale`: every tabulation is that of the own reader.

  bench_scale.py LACUNA

Exit 77, with a word, where DuckDB's library is not there."""
import csv
import pathlib
import subprocess
import sys
import tempfile


def main(lacuna):
    with tempfile.TemporaryDirectory() as folder:
        done = subprocess.run([lacuna, "bench", "scale", "--tables", "1", "-o", folder],
                              capture_output=True, text=True, check=False)
        if done.returncode != 0:
            sys.exit(f"exit {done.returncode}: {done.stderr}")
        if "Nothing was tabulated" in done.stdout:
            print("skipped: DuckDB's library is not there (scripts/setup --with-duckdb)")
            return 77
        with open(pathlib.Path(folder) / "rows.csv", newline="", encoding="utf-8") as file:
            rows = list(csv.DictReader(file))
    verdicts = {}
    for row in rows:
        verdicts.setdefault(row["instance"], {})[row["method"]] = row["verdict"]
    wanted = {"making the file": "measured", "plain GROUP BY": "measured", "own reader": "measured",
              "duckdb, plan A": "the same", "duckdb, plan B": "the same"}
    instances = [f"100000 records, {share}% spread" for share in (5, 100)]
    if verdicts != dict.fromkeys(instances, wanted):
        sys.exit(f"rows: {verdicts}\n{done.stdout}")
    print(f"{len(rows)} rows, the same tabulations")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
