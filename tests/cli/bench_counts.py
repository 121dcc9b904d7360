#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Small versions of the benches of counts: every question is decided, for any number of threads alike.

  bench_counts.py LACUNA"""
import pathlib
import subprocess
import sys

BENCH = pathlib.Path(__file__).resolve().parents[2] / "bench"


def rows(lacuna, script, *options):
    """The lines of the Markdown table by column, without the times."""
    done = subprocess.run([sys.executable, BENCH / script, lacuna, *options],
                          capture_output=True, text=True, check=False)
    if done.returncode != 0:
        sys.exit(f"exit {done.returncode}: {done.stderr}")
    lines = [[field.strip() for field in line.strip("|").split("|")] for line in done.stdout.splitlines()]
    return [{key: value for key, value in zip(lines[0], line) if key not in ("seconds", "CPU s")} for line in lines[2:]]


def main(lacuna):
    failures = []
    for pattern in ("boxes", "protect", "random"):
        found = rows(lacuna, "counts_audit.py", "--scale", "5", "--pattern", pattern, "--threads", "1")
        if found != rows(lacuna, "counts_audit.py", "--scale", "5", "--pattern", pattern, "--threads", "3"):
            failures.append(f"{pattern}: other rows with other threads")
        if [row["instance"] for row in found] != [f"{name}, {pattern}" for name in ("tree", "cube", "geographies")]:
            failures.append(f"{pattern}: rows {found}")
        for row in found:
            if row.get("undecided") != "0" or int(row.get("questions", 0)) < 10:
                failures.append(f"{row}")
            # A published group of the small tree is all in one part, which no box of counts can hide.
            if pattern == "boxes" and int(row.get("exposed", 99)) > row["instance"].startswith("tree"):
                failures.append(f"a box is exposed: {row}")
            if pattern == "random" and row["instance"].startswith("tree") and row.get("verdict") != "exposed":
                failures.append(f"scattered cells protect: {row}")
    for row in rows(lacuna, "counts_protect.py", "--tables", "9x8,5x4x4", "--work", "500000"):
        if row.get("verdict") != "protected" or float(row["bound"]) > int(row["withheld"]):
            failures.append(f"not protected: {row}")
    for failure in failures:
        print(failure)
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
