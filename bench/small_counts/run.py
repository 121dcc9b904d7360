#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Measures small-count rounding: 400 persons in 120 cells, tables of 2,000 and of 100,000 inner cells.

  run.py LACUNA [--work UNITS]

Prints one line of a Markdown table per run: size, what became of the small inner cells, time of the
method and of the whole run (the audit included), cost, bound, gap and the deviations. Every release
is audited by the program before it reports anything."""
import argparse
import json
import pathlib
import random
import resource
import subprocess
import tempfile

SHAPES = {
    "flat 50 x 40": "--sizes 50,40 --typical-value 3",
    "trees 2 x 2 levels": "--kind hierarchical --depths 2,2 --fan-least 6,6 --fan-most 7,7 --typical-value 3",
    "flat 20 x 20 x 5": "--sizes 20,20,5 --typical-value 2",
    "flat 400 x 250": "--sizes 400,250 --typical-value 3",
    "flat 100 x 50 x 20": "--sizes 100,50,20 --typical-value 2",
    "trees 3 x 2 levels": "--kind hierarchical --depths 3,2 --fan-least 11,5 --fan-most 12,8 --typical-value 3",
}
COLUMNS = ["table", "base", "effort", "cells", "inner", "small", "raised", "changed", "mean", "max", "seconds", "CPU s",
           "cost", "bound", "gap %", "status", "verdict"]
JOB = """[input]
records = "persons.csv"
separator = ";"
[[rule]]
type = "frequency"
n = {base}
[[dimension]]
name = "region"
[dimension.tree]
Total = ["R1", "R2"]
R1 = ["a", "b"]
R2 = ["c", "d", "e"]
[[dimension]]
name = "sex"
[[dimension]]
name = "age"
[attackers]
respondents = false
"""


def persons(folder, base):
    """400 persons, five regions in two groups by sex by age, some combinations rare."""
    draw = random.Random(23)
    lines = ["region;sex;age"]
    for _ in range(400):
        region = draw.choices("abcde", [50, 22, 16, 8, 4])[0]
        age = draw.choices("myox", [34, 35, 24, 7])[0]
        lines.append(f"{region};{draw.choices('fm', [45, 55])[0]};{age}")
    (folder / "persons.csv").write_text("\n".join(lines) + "\n")
    job = folder / "persons.toml"
    job.write_text(JOB.format(base=base))
    return job


def run(lacuna, table, name, base, effort, work):
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    command = [lacuna, "protect", str(table), "--method", "small-counts", "--base", str(base), "--levels", "minimal",
               "--effort", effort, "--json", *(["--work", str(work)] if work else [])]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    cpu = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    if done.returncode != 0:
        return [name, base, effort, done.stderr.strip().replace("|", "/")[:120]]
    r = json.loads(done.stdout)
    return [name, base, effort, r["cells"], f"{r['inner_cells']:g}", f"{r['small_inner_cells']:g}", f"{r['raised']:g}",
            f"{r['changed']:g}", f"{r['mean_deviation']:.3g}", f"{r['max_deviation']:g}", f"{r['seconds']:.2f}",
            f"{cpu:.2f}", f"{r['objective']:g}", f"{r['bound']:.8g}", f"{100 * r['gap']:.2f}", r["status"],
            r["verdict"]]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("lacuna")
    parser.add_argument("--work", type=int, default=0, help="units, for the integer program (default: the effort's)")
    options = parser.parse_args()
    print("| " + " | ".join(COLUMNS) + " |\n|" + "---|" * len(COLUMNS), flush=True)

    def show(row):
        print("| " + " | ".join(str(field) for field in row) + " |", flush=True)

    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        for base in (3, 5):
            for effort in ("fast", "default"):
                show(run(options.lacuna, persons(folder, base), "400 persons", base, effort, options.work))
        for shape, words in SHAPES.items():
            table = folder / "table.json.gz"
            subprocess.run([options.lacuna, "generate", *words.split(), "--zero-percent", "20", "--sensitive-percent",
                            "0", "--above-percent", "-1", "--below-percent", "100", str(table)], check=True)
            large = "400" in shape or "100 x" in shape or "3 x" in shape
            for effort in ("fast",) if large else ("fast", "default"):
                show(run(options.lacuna, table, shape, 3, effort, options.work))


if __name__ == "__main__":
    main()
