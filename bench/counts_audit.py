#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Measures the audit of counts in whole numbers, on three tables that it draws itself.

  bench/counts_audit.py LACUNA [--tables tree,cube,geographies] [--pattern boxes|protect|random] [--scale 1]
                        [--work UNITS] [--threads 2] [--time-limit SECONDS] [--keep FOLDER] [--commit NAME]

  tree         2-D, one dimension with a tree, 100,116 cells: a network
  cube         3-D, 21 x 21 x 21 = 9,261 cells, about 1,000 of them sensitive
  geographies  40 districts and 50 zones by 50 categories, linked by 2,000 overlaps that nobody publishes:
               100,000 unknowns and more

Counts of 1 and 2 are sensitive. What is audited, and what alone is timed with `lacuna audit --counts --verdicts-only`:
  boxes        the sensitive cells, each with the other corners of a box (a square in two dimensions) of counts that
               are not 0, drawn among the cells under the same groups; what offices do by hand
  protect      the pattern of `lacuna protect --method suppress --effort fast --work UNITS`: tighter
  random       the sensitive cells and one in ten of the others: much of it exposed
Prints one line of a Markdown table per run. Nothing depends on the clock but the seconds; --scale divides every size,
to try the script itself."""

import argparse
import itertools
import json
import pathlib
import random
import resource
import subprocess
import tempfile
import time

COLUMNS = ["instance", "cells", "withheld", "sensitive", "questions", "seconds", "CPU s", "undecided", "exposed",
           "verdict", "commit"]
THRESHOLD = 3


class Problem:
    """Cells by name, equations `parent = sum of children`."""

    def __init__(self):
        self.index, self.values, self.hidden, self.equations = {}, [], set(), []
        self.siblings = lambda name: []  # pairs of a place in a name and the other codes that could stand there

    def add(self, name, value, hidden=False):
        self.index[name] = len(self.values)
        self.values.append(value)
        if hidden:
            self.hidden.add(self.index[name])

    def add_sum(self, name, children):
        """The equation, and the parent if it is not there yet."""
        cells = [self.index[child] for child in children]
        if name not in self.index:
            self.add(name, sum(self.values[cell] for cell in cells))
        self.equations.append([self.index[name], *cells])

    def sensitive(self):
        return [i for i, value in enumerate(self.values) if 0 < value < THRESHOLD]

    def write(self, path):
        small = set(self.sensitive())
        cells = []
        for i, value in enumerate(self.values):
            status = "primary" if i in small else "withheld" if i in self.hidden else "free"
            status = "published" if value == 0 and i not in self.hidden else status
            cells.append({"value": value, "lower": 0, "upper": None, "weight": 1, "status": status})
        equations = [{"rhs": 0, "cells": sorted(terms), "coefficients": [-1 if c == terms[0] else 1
                                                                         for c in sorted(terms)]}
                     for terms in self.equations]
        requirements = [{"cell": i, "attacker": 0, "lower": 0, "upper": 0, "sliding": 1} for i in sorted(small)]
        path.write_text(json.dumps({"format": "lacuna-problem-1", "decimals": 0, "cells": cells,
                                    "equations": equations, "attackers": [{"name": "outsider", "known": []}],
                                    "requirements": requirements}), encoding="utf-8")


def count(draw, small):
    """A count that is 1 or 2 with chance `small`, 0 as often, else up to 40."""
    chance = draw.random()
    return draw.randint(1, 2) if chance < small else 0 if chance < 2 * small else draw.randint(3, 40)


def grid(problem, trees, draw, small):
    """All combinations of codes; a tree is a list of (parent, children), the leaves' parents first."""
    leaves = [[c for _, children in tree for c in children if c not in {p for p, _ in tree}] for tree in trees]
    for codes in itertools.product(*leaves):
        problem.add(codes, count(draw, small))
    done = list(leaves)
    for d, tree in enumerate(trees):
        for parent, children in tree:
            for rest in itertools.product(*done[:d], *done[d + 1:]):
                place = lambda code: (*rest[:d], code, *rest[d:])
                problem.add_sum(place(parent), [place(child) for child in children])
        done[d] = leaves[d] + [parent for parent, _ in tree]


def close_grid(problem, trees):
    """Sums over a dimension at codes of later dimensions that were not there yet."""
    codes = [sorted({c for parent, children in tree for c in (parent, *children)}) for tree in trees]
    known = {tuple(sorted(terms)) for terms in problem.equations}
    for d, tree in enumerate(trees):
        for parent, children in tree:
            for rest in itertools.product(*codes[:d], *codes[d + 1:]):
                place = lambda code: (*rest[:d], code, *rest[d:])
                cells = tuple(sorted(problem.index[place(code)] for code in (parent, *children)))
                if cells not in known:
                    problem.add_sum(place(parent), [place(child) for child in children])


def grid_siblings(trees):
    beside = [{child: [c for c in children if c != child] for _, children in tree for child in children}
              for tree in trees]
    return lambda name: [(d, beside[d][code]) for d, code in enumerate(name) if code in beside[d]]


def flat(size):
    return [("T", [f"{i:03}" for i in range(size)])]


def tree(scale):
    groups, size = max(2, 17 // scale), max(2, 18 // scale)
    rows = [(f"g{g:02}", [f"g{g:02}.{i:02}" for i in range(size)]) for g in range(groups)]
    rows.append(("T", [parent for parent, _ in rows]))
    problem = Problem()
    trees = [rows, flat(max(3, 308 // scale))]
    grid(problem, trees, random.Random(231), 0.03)
    close_grid(problem, trees)
    problem.siblings = grid_siblings(trees)
    return problem


def cube(scale):
    problem = Problem()
    trees = [flat(max(3, 20 // scale))] * 3
    grid(problem, trees, random.Random(232), 0.125)
    close_grid(problem, trees)
    problem.siblings = grid_siblings(trees)
    return problem


def geographies(scale):
    """Category c is common (0..39) or rare; an overlap of district a and zone b is one cell per category."""
    draw = random.Random(233)
    districts, zones, categories = max(3, 40 // scale), max(3, 50 // scale), max(3, 50 // scale)
    problem = Problem()
    for a, b, c in itertools.product(range(districts), range(zones), range(categories)):
        rare = 5 * c >= 4 * categories
        value = int(draw.random() < 0.03) * draw.randint(1, 2) if rare else count(draw, 0.002)
        problem.add(("ab", a, b, c), value, hidden=True)
    for c in range(categories):
        for a in range(districts):
            problem.add_sum(("a", a, c), [("ab", a, b, c) for b in range(zones)])
        for b in range(zones):
            problem.add_sum(("b", b, c), [("ab", a, b, c) for a in range(districts)])
        problem.add_sum(("T", c), [("a", a, c) for a in range(districts)])
        problem.add_sum(("T", c), [("b", b, c) for b in range(zones)])
    for kind, size in (("a", districts), ("b", zones)):
        for i in range(size):
            problem.add_sum((kind, i, "T"), [(kind, i, c) for c in range(categories)])
        problem.add_sum(("T", "T"), [(kind, i, "T") for i in range(size)])
    problem.add_sum(("T", "T"), [("T", c) for c in range(categories)])
    sizes = {"a": districts, "b": zones}
    problem.siblings = lambda name: [(1, [i for i in range(sizes[name[0]]) if i != name[1]]),
                                     (2, [c for c in range(categories) if c != name[2]])] if name[0] in sizes else []
    return problem


def boxes(problem):
    """The sensitive cells, and what makes a box of each."""
    draw = random.Random(235)
    names = list(problem.index)
    withheld = problem.hidden | set(problem.sensitive())
    for cell in problem.sensitive():
        places = problem.siblings(names[cell]) if cell not in problem.hidden else []
        for _ in range(200):
            corners = [names[cell]]
            for place, others in places:
                other = draw.choice(others)
                corners += [(*corner[:place], other, *corner[place + 1:]) for corner in corners]
            cells = [problem.index[corner] for corner in corners]
            if all(problem.values[i] > 0 for i in cells):
                break
        withheld |= {i for i in cells if problem.values[i] > 0}
    return withheld


def scattered(problem):
    draw = random.Random(234)
    return problem.hidden | set(problem.sensitive()) | {
        i for i, value in enumerate(problem.values) if value > 0 and draw.random() < 0.1}


def protect(options, table, pattern):
    """How many cells are withheld, or what went wrong."""
    command = [options.lacuna, "protect", str(table), "--method", "suppress", "--effort", "fast", "--threads",
               str(options.threads), "--work", str(options.work), "--json", "--quiet", "-o", str(pattern)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if not pattern.exists():
        return done.stderr.strip()[:120] or "protect failed"
    entries = json.loads(pattern.read_text(encoding="utf-8"))["release"]
    return sum(1 for entry in entries if entry.get("state", entry.get("published")) == "withheld")


def audit(options, table, pattern):
    command = [options.lacuna, "audit", str(table), "--pattern", str(pattern), "--counts", "--threshold",
               str(THRESHOLD), "--verdicts-only", "--threads", str(options.threads), "--json", "--quiet"]
    if options.time_limit:
        command += ["--time-limit", str(options.time_limit)]
    before, begin = resource.getrusage(resource.RUSAGE_CHILDREN), time.monotonic()
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    seconds = time.monotonic() - begin
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    cpu = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    try:
        return json.loads(done.stdout), seconds, cpu
    except ValueError:
        return done.stderr.strip()[:200], seconds, cpu


def measure(options, name, problem, folder):
    table, pattern = folder / f"{name}.json", folder / f"{name}.pattern.json"
    problem.write(table)
    if options.pattern == "protect":
        withheld = protect(options, table, pattern)
    else:
        pattern = folder / f"{name}.pattern.txt"
        cells = boxes(problem) if options.pattern == "boxes" else scattered(problem)
        pattern.write_text("\n".join(map(str, sorted(cells))) + "\n", encoding="utf-8")
        withheld = len(cells)
    row = [f"{name}, {options.pattern}", len(problem.values), withheld, len(problem.sensitive())]
    if not isinstance(withheld, int):
        return row
    said, seconds, cpu = audit(options, table, pattern)
    if not isinstance(said, dict):
        return [*row, said]
    kinds = said.get("kinds", {}).values()
    total = {word: sum(kind.get(word, 0) for kind in kinds) for word in ("protected", "exposed", "undecided")}
    return [*row, sum(total.values()), f"{seconds:.1f}", f"{cpu:.1f}", total["undecided"], total["exposed"],
            said["verdict"], options.commit]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("lacuna")
    parser.add_argument("--tables", default="tree,cube,geographies")
    parser.add_argument("--scale", type=int, default=1)
    parser.add_argument("--pattern", choices=("boxes", "protect", "random"), default="boxes")
    parser.add_argument("--work", type=int, default=20_000_000, help="of protect, in units")
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--time-limit", type=float, default=0, help="of the audit, in seconds (default: none)")
    parser.add_argument("--commit", default="", help="of the program, for the last column")
    parser.add_argument("--keep", type=pathlib.Path, help="leave tables and patterns in this folder")
    options = parser.parse_args()
    makers = {"tree": tree, "cube": cube, "geographies": geographies}
    print("| " + " | ".join(COLUMNS) + " |\n|" + "---|" * len(COLUMNS), flush=True)
    with tempfile.TemporaryDirectory() as scratch:
        folder = options.keep or pathlib.Path(scratch)
        for name in options.tables.split(","):
            row = measure(options, name, makers[name](options.scale), folder)
            print("| " + " | ".join(str(field).replace("|", "/") for field in row) + " |", flush=True)


if __name__ == "__main__":
    main()
