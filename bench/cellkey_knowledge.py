#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What it costs that readers of cell-key releases know that the same units show the same number: random tables of
counts through two programs, one from before that was audited and one from after.

  bench/cellkey_knowledge.py BEFORE AFTER [--tables 100] [--first 1] [--markdown FILE]

Tables of 4 x 3, 6 x 5 and 4 x 3 x 2 cells with all margins, persons placed at random, 1 to 2 per cell on average, keys
of persons, zeros published, threshold 3, noise of at most 2 (V = 1) and 3 (V = 2). Every table is released as it is
by AFTER (`--exposed report`) and that release audited by both programs; and by both with `--exposed withhold`. The
script fails if a release that BEFORE calls exposed is protected for AFTER."""

import argparse
import itertools
import json
import pathlib
import random
import subprocess
import sys
import tempfile

SHAPES = ((4, 3), (6, 5), (4, 3, 2))
NOISE = ((2, 1), (3, 2))
KINDS = "exact,small"


def run(*command):
    done = subprocess.run([str(part) for part in command], capture_output=True, text=True, check=False)
    if done.returncode not in (0, 2, 6):
        sys.exit(f"{' '.join(map(str, command))}: {done.stderr.strip()}")
    return json.loads(done.stdout) if done.stdout.startswith("{") else {}


def draw(folder, seed, sizes):
    """Records and a job over them."""
    generator = random.Random(f"{seed} {sizes}")
    names = [f"d{d}" for d in range(len(sizes))]
    places = list(itertools.product(*map(range, sizes)))
    persons = [generator.choice(places) for _ in range(round(len(places) * generator.uniform(1, 2)))]
    lines = [",".join([*(f"c{code}" for code in person), f"{generator.randrange(10**8):08d}"]) for person in persons]
    (folder / "records.csv").write_text("\n".join([",".join([*names, "key"]), *lines]) + "\n")
    job = '[input]\nrecords = "records.csv"\nseparator = ","\nempty_cells = true\n[columns]\nkey = "key"\n'
    job += "[keys]\nmodulus = 100000000\n"
    for name, size in zip(names, sizes):
        codes = ", ".join(f'"{code}"' for code in ["T", *(f"c{i}" for i in range(size))])
        job += f'[[dimension]]\nname = "{name}"\ntotal = "T"\ncodes = [{codes}]\n'
    kinds = ", ".join(f'"{kind}"' for kind in KINDS.split(","))
    (folder / "job.toml").write_text(job + f"[counts]\nthreshold = 3\nkinds = [{kinds}]\n")
    return folder / "job.toml"


def exposed(report):
    return sum(kind["exposed"] + kind["undecided"] for kind in report.get("kinds", {}).values())


def asked(report):
    return sum(sum(kind.get(word, 0) for word in ("protected", "exposed", "undecided"))
               for kind in report.get("kinds", {}).values())


def measure(args, folder, seed, sizes, ptable):
    """Questions; before and after: those exposed, cells withheld, whether there was no release at all."""
    job, shown = draw(folder, seed, sizes), folder / "shown.csv"
    method = ["--method", "cellkey", "--ptable", ptable, "--json"]
    run(args.after, "protect", job, *method, "--exposed", "report", "--public", shown)
    before, after = (run(program, "audit", job, "--pattern", shown, "--json") for program in (args.before, args.after))
    if exposed(before) > exposed(after):
        sys.exit(f"seed {seed}, {sizes}: what was exposed is protected")
    made = [run(program, "protect", job, *method, "--exposed", "withhold") for program in (args.before, args.after)]
    refused = ["suppressed" not in each for each in made]
    return asked(after), exposed(before), exposed(after), *(each.get("suppressed", 0) for each in made), *refused


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("before", type=pathlib.Path)
    parser.add_argument("after", type=pathlib.Path)
    parser.add_argument("--tables", type=int, default=100)
    parser.add_argument("--first", type=int, default=1)
    parser.add_argument("--markdown", type=pathlib.Path)
    args = parser.parse_args()
    rows = ["| table | noise | tables | questions | exposed before | exposed after | tables exposed before | after | "
            "cells withheld before | after | no release before | after |", "|---|---|---|---|---|---|---|---|---|---|---|---|"]
    for (most, variance), sizes in itertools.product(NOISE, SHAPES):
        with tempfile.TemporaryDirectory() as name:
            folder = pathlib.Path(name)
            ptable = folder / "ptable.csv"
            run(args.after, "ptable", "make", "-D", most, "-V", variance, "--quiet", "-o", ptable)
            found = [measure(args, folder, seed, sizes, ptable)
                     for seed in range(args.first, args.first + args.tables)]
        cells = args.tables
        for size in sizes:
            cells *= size + 1
        sums = [sum(each) for each in zip(*found)]
        tables = [sum(each[at] > 0 for each in found) for at in (1, 2)]
        share = [f"{sums[at]} ({100 * sums[at] / cells:.1f} %)" for at in (3, 4)]
        rows.append(f"| {' x '.join(map(str, sizes))} | D = {most}, V = {variance} | {args.tables} | {sums[0]} | "
                    f"{sums[1]} | {sums[2]} | {tables[0]} | {tables[1]} | {share[0]} | {share[1]} | {sums[5]} | {sums[6]} |")
        print(rows[-1], flush=True)
    if args.markdown:
        args.markdown.write_text("\n".join(rows) + "\n")


if __name__ == "__main__":
    main()
