#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What derived columns cost: protection and audit of a table of counts with and without percentages.

  bench/derived_cost.py LACUNA FOLDER --rows 99 --columns 99 [--seed 1] [--size 4]

Counts of a two-way table with totals. Protected and audited as it is; then with the percentage of the
row published with its parts, as far as the audit accepts it (cheapest), and everywhere; then the
audit of the release of the first run with all percentages of its blanks printed. Prints a table in
Markdown."""
import argparse
import json
import pathlib
import random
import subprocess
import time

JOB = """[input]
table = "cells.csv"
[columns]
frequency = "n"
[[dimension]]
name = "row"
total = "T"
[[dimension]]
name = "column"
total = "T"
[[rule]]
type = "frequency"
n = 5
[counts]
kinds = ["exact"]
"""
DERIVED = """[[derived]]
name = "pct"
type = "percentage"
of = ["column"]
decimals = 1
published = "%s"
"""


def counts(rng, rows, columns, size):
    inner = [[max(1, int(rng.lognormvariate(size, 1.2))) for _ in range(columns)] for _ in range(rows)]
    cells = {("T", "T"): sum(map(sum, inner))}
    for r, row in enumerate(inner):
        cells["r%d" % r, "T"] = sum(row)
        for c, n in enumerate(row):
            cells["r%d" % r, "c%d" % c] = n
    for c in range(columns):
        cells["T", "c%d" % c] = sum(row[c] for row in inner)
    return cells


def run(options, *args):
    begun = time.monotonic()
    done = subprocess.run([options.lacuna, *args], cwd=options.folder, capture_output=True, text=True, check=False)
    return done, time.monotonic() - begun


def half_up(above, below):
    return (2 * above + below) // (2 * below)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("lacuna")
    parser.add_argument("folder")
    for name, default in (("rows", 99), ("columns", 99), ("seed", 1)):
        parser.add_argument("--" + name, type=int, default=default)
    parser.add_argument("--size", type=float, default=4, help="mean logarithm of a count")
    parser.add_argument("--options", default="--effort fast --threads 1")
    parser.add_argument("--ways", default="without,with-parts,cheapest,everywhere,printed")
    options = parser.parse_args()
    options.lacuna = str(pathlib.Path(options.lacuna).resolve())
    folder = pathlib.Path(options.folder)
    folder.mkdir(parents=True, exist_ok=True)
    cells = counts(random.Random(options.seed), options.rows, options.columns, options.size)
    lines = ["row;column;n"] + ["%s;%s;%d" % (*key, n) for key, n in cells.items()]
    (folder / "cells.csv").write_text("\n".join(lines) + "\n")
    print("%d cells\n" % len(cells))
    print("| percentages | protect s | withheld | cost | numbers | audit s | verdict |\n|---|---|---|---|---|---|---|")
    for way in options.ways.split(","):
        (folder / (way + ".toml")).write_text(JOB + ("" if way == "without" else DERIVED % (
            "with-parts" if way == "printed" else way)))
        shown = [way, "", "", "", ""]
        if way != "printed":
            done, seconds = run(options, "protect", way + ".toml", "--public", way + ".csv", "-o", way + ".json",
                                *options.options.split())
            shown = [way, "%.1f" % seconds, "refused: " + (done.stdout + done.stderr).strip()[-120:], "", ""]
            if done.returncode == 0:
                found = json.loads((folder / (way + ".json")).read_text())["run"]
                public = (folder / (way + ".csv")).read_text().splitlines()
                numbers = sum(1 for line in public[1:] if line.split(";")[-1] not in ("", "published", "withheld"))
                withheld = sum(1 for line in public if ";withheld" in line)
                shown[2:] = [str(withheld), "%.0f" % found["objective"], str(numbers)]
        else:  # the first release, with the percentages of its blanks
            rows = ["row;column;n;pct"]
            for line in (folder / "without.csv").read_text().splitlines()[1:]:
                row, column, n, state = line.split(";")[:4]
                whole = cells[row, "T"]
                tenths = half_up(1000 * cells[row, column], whole)
                pct = "" if column == "T" else "%d.%d" % divmod(tenths, 10)
                rows.append("%s;%s;%s;%s" % (row, column, "x" if state == "withheld" else n, pct))
            (folder / "printed.csv").write_text("\n".join(rows) + "\n")
        if (folder / (way + ".csv")).exists():
            done, seconds = run(options, "audit", way + ".toml", "--pattern", way + ".csv", "--verdicts-only", "--json")
            try:
                found = json.loads(done.stdout)
                exact = found.get("kinds", {}).get("exact", {"exposed": 0})
                verdict = "%s: %d of %d counts are known exactly" % (
                    found["verdict"], exact["exposed"], found["counts"].get("questions", 0))
            except ValueError:
                verdict = done.stderr.strip()
            shown += ["%.1f" % seconds, verdict]
        print("| " + " | ".join(shown) + " |", flush=True)


if __name__ == "__main__":
    main()
