#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Measures controlled rounding: real instances at bases 3, 5 and 10, and large generated tables.

  run.py LACUNA [--instances FOLDER] [--large]

Prints one line of a Markdown table per run: size, time on the wall and of the processor, peak
memory, cost, bound, gap, largest and mean deviation, Hellinger distance, and the audit's verdict.
Every run is audited by the program before it reports anything."""
import argparse
import json
import pathlib
import resource
import subprocess
import sys
import tempfile
import time

REAL = ["sosialFiktiv_fylke_freq3", "sdctable_vignette", "tauW_ind_size_p15"]
LARGE = {
    "linked, two tables that share a tree of three levels":
        "--kind linked --depths 3,2,2 --fan-least 8,6 --fan-most 12,9 --typical-value 30",
    "flat 45 x 45 x 45": "--sizes 45,45,45 --typical-value 6",
    "flat 99 x 49 x 19, half zero": "--sizes 99,49,19 --typical-value 3 --zero-percent 50",
    "four levels x two levels": "--kind hierarchical --depths 4,2 --fan-least 9,9 --fan-most 11,11 --typical-value 8",
}
COLUMNS = ["table", "base", "levels", "cells", "wall s", "CPU s", "MiB", "cost", "bound", "gap %", "max", "mean",
           "Hellinger", "status", "verdict"]


def run(lacuna, table, name, base, levels):
    """One run; the row of its numbers. Peak memory is the largest child so far, so small ones come first."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    start = time.monotonic()
    command = [lacuna, "protect", str(table), "--method", "round", "--base", str(base), "--levels", levels,
               "--time-limit", "600", "--json"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    wall = time.monotonic() - start
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    cpu = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    memory = after.ru_maxrss / 1024
    if done.returncode != 0:
        return [name, base, levels, "", f"{wall:.1f}", f"{cpu:.1f}", "", done.stderr.strip().replace("|", "/")[:90]]
    r = json.loads(done.stdout)
    return [name, base, levels, r["cells"], f"{wall:.1f}", f"{cpu:.1f}", f"{memory:.0f}", f"{r['objective']:g}",
            f"{r['bound']:.6g}", f"{100 * r['gap']:.2f}", f"{r['max_deviation']:g}", f"{r['mean_deviation']:.4g}",
            f"{r['hellinger']:.4g}", r["status"], r["verdict"]]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("lacuna")
    parser.add_argument("--instances", type=pathlib.Path)
    parser.add_argument("--large", action="store_true")
    options = parser.parse_args()
    if not options.instances and not options.large:
        parser.error("nothing to measure: --instances FOLDER (docs/bench.md says which tables), or --large")
    print("| " + " | ".join(COLUMNS) + " |\n|" + "---|" * len(COLUMNS), flush=True)

    def show(row):
        print("| " + " | ".join(str(field) for field in row) + " |", flush=True)

    if options.instances:
        for name in REAL:
            if not (options.instances / f"{name}.jj.xz").exists():
                print(f"{name}.jj.xz is not in {options.instances}: left out", file=sys.stderr)
                continue
            for base in (3, 5, 10):
                levels = "minimal" if name.startswith("tauW") else "file"
                show(run(options.lacuna, options.instances / f"{name}.jj.xz", name, base, levels))
    if options.large:
        with tempfile.TemporaryDirectory() as folder:
            for name, shape in LARGE.items():
                table = pathlib.Path(folder) / "table.json.gz"
                subprocess.run([options.lacuna, "generate", *shape.split(), "--sensitive-percent", "5",
                                "--upper-percent", "0", str(table)], check=True)
                show(run(options.lacuna, table, name, 3, "none"))
    return 0


if __name__ == "__main__":
    sys.exit(main())
