#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Smoke test of the bench: runs the set `quick` and reads what it leaves.

  bench_quick.py LACUNA"""
import csv
import pathlib
import subprocess
import sys
import tempfile
import xml.etree.ElementTree as xml

COLUMNS = ("instance,cells,equations,primary,method,options,seed,status,objective,bound,gap,secondary,seconds,"
           "peak_memory,verdict,engine,version,commit").split(",")
METHODS = {"suppress", "interval", "combined", "round", "adjust"}


def main(lacuna):
    failures = []

    def check(condition, text):
        if not condition:
            failures.append(text)

    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name) / "made" / "by_bench"
        done = subprocess.run([lacuna, "bench", "quick", "--time-limit", "2", "-o", folder],
                              capture_output=True, text=True, check=False)
        check(done.returncode == 0, f"exit {done.returncode}: {done.stderr}")
        with (folder / "rows.csv").open(newline="") as file:
            reader = csv.DictReader(file)
            rows = list(reader)
        check(reader.fieldnames == COLUMNS, f"columns {reader.fieldnames}")
        check(METHODS <= {row["method"] for row in rows}, f"methods {[row['method'] for row in rows]}")
        for row in rows:
            check(row["verdict"] == "protected", f"{row['instance']} {row['method']}: {row['verdict']} {row['status']}")
            check(float(row["bound"]) <= float(row["objective"]) * (1 + 1e-6), f"{row['instance']} {row['method']}: bound")
            check(int(row["cells"]) > int(row["primary"]) > 0 and float(row["peak_memory"]) > 1, f"{row}")
        summary = (folder / "summary.md").read_text()
        check(summary == done.stdout and "| flat 8x6 |" in summary, "the summary is not what was printed")
        for plot in ("time_size", "profile", "gap_time"):
            root = xml.parse(folder / f"{plot}.svg").getroot()
            check(root.tag.endswith("svg") and len(root) > 5, f"{plot}.svg is empty")
    print("\n".join(failures) or f"{len(rows)} runs, all protected")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
