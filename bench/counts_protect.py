#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Measures `lacuna protect --counts` by suppression on tables of a few thousand counts.

  bench/counts_protect.py LACUNA [--tables 60x50,12x12x12,14x14x14] [--work 5000000] [--threads 2] [--commit NAME]

Flat tables with all margins, drawn as in counts_audit.py; counts of 1 and 2 are sensitive, and neither `exact` nor
`small` may be told to readers who know nothing of the rule (any), or that zeros are never withheld (nonzero). Prints one
line of a Markdown table per run; every release has passed the audit in whole numbers."""

import argparse
import json
import pathlib
import random
import resource
import subprocess
import tempfile
import time

import counts_audit

COLUMNS = ["table", "withheld means", "cells", "sensitive", "withheld", "bound", "status", "seconds", "CPU s", "verdict",
           "commit"]


def drawn(sizes):
    problem = counts_audit.Problem()
    trees = [counts_audit.flat(size) for size in sizes]
    counts_audit.grid(problem, trees, random.Random(236), 0.1)
    counts_audit.close_grid(problem, trees)
    return problem


def measure(options, folder, name, means):
    problem = drawn([int(size) for size in name.split("x")])
    problem.write(folder / "table.json")
    command = [options.lacuna, "protect", str(folder / "table.json"), "--counts", "--threshold",
               str(counts_audit.THRESHOLD), "--withheld-means", means, "--kinds", "exact,small", "--effort", "fast",
               "--work", str(options.work), "--threads", str(options.threads), "--json", "--quiet"]
    before, begin = resource.getrusage(resource.RUSAGE_CHILDREN), time.monotonic()
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    seconds = time.monotonic() - begin
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    cpu = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    row = [name, means, len(problem.values), len(problem.sensitive())]
    if done.returncode not in (0, 2):
        return [*row, done.stderr.strip()[:200]]
    said = json.loads(done.stdout)
    return [*row, said["suppressed"], said["bound"], said["status"], f"{seconds:.1f}", f"{cpu:.1f}", said["verdict"],
            options.commit]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("lacuna")
    parser.add_argument("--tables", default="60x50,12x12x12,14x14x14")
    parser.add_argument("--work", type=int, default=5_000_000, help="units of the method")
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--commit", default="", help="of the program, for the last column")
    options = parser.parse_args()
    print("| " + " | ".join(COLUMNS) + " |\n|" + "---|" * len(COLUMNS), flush=True)
    with tempfile.TemporaryDirectory() as folder:
        for name in options.tables.split(","):
            for means in ("any", "nonzero"):
                row = measure(options, pathlib.Path(folder), name, means)
                print("| " + " | ".join(map(str, row)) + " |", flush=True)


if __name__ == "__main__":
    main()
