#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Time limits: is there a release, and within the limit plus a tenth, audit and files included?

  bench/limits.py TABLE... [--lacuna build/lacuna] [--methods suppress] [--limits 2,8,30]
                  [--options="--threads 1"]

A TABLE is a file or NAME=options of `lacuna generate`. Prints a Markdown row per table, method and
limit; exit code 1 if a limit is not kept or there is no release."""

import argparse
import pathlib
import shlex
import sys
import tempfile

from release_bytes import commit_of, number, print_row, protect, tables_of

ALLOWED = 1.1


def row_of(name, method, limit, run, commit):
    said = run.said
    cells, hidden = said.get("cells", 0), said.get("suppressed", 0)
    kept = run.seconds <= limit * ALLOWED
    return [name, method, said.get("cells", "-"), f"{limit:g}", f"{run.seconds:.2f}", said.get("status", "-"),
            said.get("verdict", "-"), number(said, "objective"), f"{hidden / cells:.1%}" if cells else "-",
            "yes" if kept else "NO", "yes" if run.public else "NO", commit]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("tables", nargs="+")
    parser.add_argument("--lacuna", default="build/lacuna")
    parser.add_argument("--methods", default="suppress")
    parser.add_argument("--limits", default="2,8,30", help="seconds")
    parser.add_argument("--options", default="", help="of lacuna protect, for all runs")
    args = parser.parse_args()
    commit = commit_of(pathlib.Path(__file__).parent)
    head = ["table", "method", "cells", "limit", "seconds", "status", "verdict", "objective", "withheld", "kept",
            "release", "commit"]
    print_row(head)
    print_row(["---"] * len(head))
    good = True
    with tempfile.TemporaryDirectory() as folder:
        for name, table in tables_of(args.lacuna, args.tables, folder):
            for method in args.methods.split(","):
                for limit in (float(text) for text in args.limits.split(",")):
                    options = [*shlex.split(args.options), "--time-limit", limit]
                    row = row_of(name, method, limit, protect(args.lacuna, table, method, options), commit)
                    good = good and row[-3] == row[-2] == "yes"
                    print_row(row)
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
