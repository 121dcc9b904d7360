#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What protection against readers who know the rule costs: random tables of counts, optimised for
readers who know nothing of it, attacked by readers who know that zeros are never withheld, and
optimised against these.

  bench/counts_price.py PROGRAM [--tables 15] [--first 1] [--work 20000000] [--markdown FILE]

Tables of 8 x 6 and of 5 x 4 x 3 cells with all their margins; cell counts are geometric with mean
4, zeros are published, thresholds 3 and 5. Every release is read back from disk and audited again;
the script fails if one of those protected against a rule is not protected then."""

import argparse
import itertools
import json
import pathlib
import random
import subprocess
import sys
import tempfile

SHAPES = ((8, 6), (5, 4, 3))
THRESHOLDS = (3, 5)
MEAN = 4


def draw(seed, sizes):
    """A problem file: counts with all margins, zeros published."""
    generator = random.Random(f"{seed} {sizes}")
    count = lambda: sum(1 for _ in itertools.takewhile(lambda _: generator.random() < MEAN / (MEAN + 1), itertools.count()))
    leaves = {codes: count() for codes in itertools.product(*map(range, sizes))}
    cells = list(itertools.product(*(range(size + 1) for size in sizes)))
    inside = lambda codes: itertools.product(*(range(size) if code == size else (code,) for code, size in zip(codes, sizes)))
    values = {codes: sum(leaves[leaf] for leaf in inside(codes)) for codes in cells}
    place = {codes: i for i, codes in enumerate(cells)}
    equations = []
    for codes in cells:
        for d, size in enumerate(sizes):
            if codes[d] == size:
                parts = [place[codes[:d] + (part,) + codes[d + 1:]] for part in range(size)]
                equations.append({"rhs": 0, "cells": [place[codes], *parts], "coefficients": [-1] + [1] * size})
    return {"format": "lacuna-problem-1", "decimals": 0,
            "cells": [{"value": values[codes], "lower": 0, "status": "published" if values[codes] == 0 else "free"}
                      for codes in cells],
            "equations": equations}


def run(*command):
    done = subprocess.run([str(part) for part in command], capture_output=True, text=True, check=False)
    if done.returncode not in (0, 2):
        sys.exit(f"{' '.join(map(str, command))}: {done.stderr.strip()}")
    return json.loads(done.stdout)


def questions(threshold, means, kinds):
    return ["--counts", "--threshold", threshold, "--withheld-means", means, "--kinds", kinds]


def protect(args, folder, name, asked):
    release = folder / f"{name}.json"
    said = run(args.program, "protect", folder / "t.json", *asked, "--weights", "unity", "--work", args.work,
               "--json", "-o", release)
    if said.get("verdict") != "protected":
        return None, said
    again = run(args.program, "audit", folder / "t.json", "--pattern", release, *asked, "--json")
    if again["verdict"] != "protected":
        sys.exit(f"{release}: released, and exposed when it was read back")
    return release, said


def known(args, folder, release, threshold, means):
    """Of the sensitive counts in a release: how many, how many exactly known, how many known to be small."""
    said = run(args.program, "audit", folder / "t.json", "--pattern", release,
               *questions(threshold, means, "exact" if means == "rule" else "exact,small"), "--json")
    kinds = said["kinds"]
    exposed = lambda kind: kinds.get(kind, {}).get("exposed", 0)
    return sum(kinds["exact"].values()), exposed("exact"), exposed("small")


class Tally:
    def __init__(self):
        self.cells = self.sensitive = self.optimal = self.tables = self.none = 0
        self.hidden = {"any": 0, "nonzero": 0, "nonzero, small": 0}
        self.exact = {"nonzero": 0, "rule": 0}
        self.small = 0


def measure(args, folder, sizes, threshold):
    tally = Tally()
    for seed in range(args.first, args.first + args.tables):
        problem = draw(seed, sizes)
        (folder / "t.json").write_text(json.dumps(problem))
        found = {}
        for name, means, kinds in (("any", "any", "exact"), ("nonzero", "nonzero", "exact"),
                                   ("nonzero, small", "nonzero", "exact,small")):
            found[name] = protect(args, folder, name.replace(", ", "-"), questions(threshold, means, kinds))
        if any(release is None for release, _ in found.values()):
            tally.none += 1
            continue
        tally.tables += 1
        tally.cells += len(problem["cells"])
        for name, (_, said) in found.items():
            tally.hidden[name] += said["suppressed"]
        tally.optimal += found["nonzero"][1]["status"] == "optimal"
        for means in ("nonzero", "rule"):
            sensitive, exact, small = known(args, folder, found["any"][0], threshold, means)
            tally.exact[means] += exact
            if means == "nonzero":
                tally.sensitive += sensitive
                tally.small += small
    return tally


def line_of(sizes, threshold, tally):
    share = lambda part, whole: f"{100 * part / whole:.1f} %" if whole else "-"
    return [" x ".join(map(str, sizes)), threshold, tally.tables, tally.sensitive,
            share(tally.exact["nonzero"], tally.sensitive), share(tally.small, tally.sensitive),
            share(tally.exact["rule"], tally.sensitive),
            *(share(tally.hidden[name], tally.cells) for name in tally.hidden),
            f"{tally.optimal}/{tally.tables}", tally.none]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program")
    parser.add_argument("--tables", type=int, default=15)
    parser.add_argument("--first", type=int, default=1)
    parser.add_argument("--work", type=int, default=20_000_000)
    parser.add_argument("--markdown")
    args = parser.parse_args()
    head = ["table", "threshold", "tables", "sensitive", "exactly known if zeros are never withheld",
            "known to be small then", "exactly known if primaries are marked, too", "withheld: rule not known",
            "exact, nonzero", "exact and small, nonzero", "optimal (nonzero)", "no release"]
    rows = [head, ["---"] * len(head)]
    with tempfile.TemporaryDirectory() as folder:
        for sizes in SHAPES:
            for threshold in THRESHOLDS:
                rows.append(line_of(sizes, threshold, measure(args, pathlib.Path(folder), sizes, threshold)))
                print(*rows[-1], sep="  ", flush=True)
    if args.markdown:
        text = "".join("| " + " | ".join(map(str, row)) + " |\n" for row in rows)
        pathlib.Path(args.markdown).write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
