#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Complete suppression on the instances of a folder with best_known.csv, beside what is listed there.

  bench/instances/run.py INSTANCES [--program build/lacuna] [--time-limit 120] [--only a,b]
                         [--status proven,open,...] [--repeat 1] [--effort default]

One CSV row per run: instance, cells, primary, status, objective, bound, gap, secondary, seconds,
verdict, and the listed status, objective, gap and seconds. At the end, on standard error, the
shifted geometric mean (0.1 s) of the proven ones, and every objective that differs from a proven one.
"""

import argparse
import csv
import json
import math
import pathlib
import statistics
import subprocess
import sys

SHIFT = 0.1  # seconds
COLUMNS = [
    "instance", "cells", "primary", "status", "objective", "bound", "gap", "secondary", "seconds",
    "verdict", "listed_status", "listed_objective", "listed_gap", "listed_seconds",
]


def run_once(program, path, options):
    command = [program, "protect", str(path), "--json", "--time-limit", str(options.time_limit),
               "--effort", options.effort]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    try:
        return json.loads(done.stdout)
    except json.JSONDecodeError:
        return {"status": f"exit {done.returncode}", "verdict": "none"}


def row_of(listed, result, seconds):
    objective, bound = listed["csp_objective"], listed["csp_bound"]
    gap = (float(objective) - float(bound)) / float(objective) if objective else ""
    fields = {name: result.get(name, "") for name in COLUMNS}
    fields |= {
        "instance": listed["instance"], "cells": listed["cells"], "primary": listed["primary"],
        "seconds": seconds, "listed_status": listed["csp_status"], "listed_objective": objective,
        "listed_gap": gap, "listed_seconds": listed["csp_cpu_seconds"],
    }
    return fields


def shifted_mean(times):
    return math.exp(sum(math.log(t + SHIFT) for t in times) / len(times)) - SHIFT


def summarize(rows):
    proven = [r for r in rows if r["listed_status"] == "proven"]
    for row in proven:
        if row["objective"] != "" and float(row["objective"]) != float(row["listed_objective"]):
            print(f"{row['instance']}: {row['objective']} ({row['status']}, {row['verdict']}), "
                  f"listed as proven: {row['listed_objective']}", file=sys.stderr)
    if proven:
        ours = shifted_mean([float(r["seconds"]) for r in proven])
        listed = shifted_mean([float(r["listed_seconds"]) for r in proven])
        print(f"proven: {sum(r['status'] == 'optimal' for r in proven)} of {len(proven)} proven "
              f"again; shifted geometric mean {ours:.3f} s, listed {listed:.3f} s, "
              f"factor {listed / ours:.2f}", file=sys.stderr)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("instances", type=pathlib.Path)
    parser.add_argument("--program", default="build/lacuna")
    parser.add_argument("--time-limit", type=float, default=120)
    parser.add_argument("--only", default="")
    parser.add_argument("--status", default="")
    parser.add_argument("--repeat", type=int, default=1)
    parser.add_argument("--effort", default="default")
    options = parser.parse_args()
    best_known = options.instances / "best_known.csv"
    if not best_known.is_file():
        print(f"run.py: there is no {best_known}", file=sys.stderr)
        return 1
    writer = csv.DictWriter(sys.stdout, COLUMNS)
    writer.writeheader()
    rows = []
    with best_known.open(newline="") as file:
        for listed in csv.DictReader(file):
            if options.only and listed["instance"] not in options.only.split(","):
                continue
            if options.status and listed["csp_status"] not in options.status.split(","):
                continue
            path = options.instances / listed["folder"] / (listed["instance"] + ".jj.xz")
            runs = [run_once(options.program, path, options) for _ in range(options.repeat)]
            seconds = statistics.median(r.get("seconds", options.time_limit) for r in runs)
            rows.append(row_of(listed, runs[-1], seconds))
            writer.writerow(rows[-1])
            sys.stdout.flush()
    summarize(rows)
    return 0


if __name__ == "__main__":
    sys.exit(main())
