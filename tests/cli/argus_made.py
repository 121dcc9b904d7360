#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Drawn jobs of tau-ARGUS in the shapes that offices have, beside sums computed here.

  argus_made.py PROGRAM

The shapes are those of argus_recorded.py, whose data may not be part of the repository: records by two
variables with P and OPT and paths of a network that is not there; records by digits, a tree whose file
has another case, and a flat variable, with two rules of dominance and GH; records of fixed width in two
tables with recodes by file and by level; a table that is read back, edited by hand. Values,
frequencies, shadows, costs, largest contributions, primaries and their levels are computed from the
records here, and every cell must come out alike. What was written is read back and audited, and the
converted job gives the same release.
"""

import collections
import itertools
import json
import pathlib
import random
import sys
import tempfile
from fractions import Fraction

import argus_recorded
from argus_recorded import cells_of, check, converted, read_back, run

NETWORK = "\\\\OFFICE\\program\\Net apps\\Demo\\"


class Variable:
    """Codes in the order of tau-ARGUS with what is above each of them."""

    def __init__(self, width, above, order):
        self.width, self.above = width, above
        self.codes = ["Total"] + order

    def padded(self, code):
        return code if code == "Total" else code.rjust(self.width)


def flat(width, codes):
    return Variable(width, {c: ["Total"] for c in codes}, sorted(codes))


def by_digits(levels, codes):
    ends = list(itertools.accumulate(levels))
    above = {c: [c[:end] for end in ends[:-1]] + ["Total"] for c in codes}
    return Variable(0, above, sorted({c[:end] for c in codes for end in ends}))


def by_tree(width, tree):
    """A list of pairs of a code and the leaves below it."""
    above = {leaf: [code, "Total"] for code, leaves in tree for leaf in leaves}
    return Variable(width, above, [c for code, leaves in tree for c in [code, *leaves]])


# ---- what the cells must be

def contributions(records, variables):
    cells = collections.defaultdict(list)
    for *codes, value in records:
        lines = [[code, *v.above[code]] for code, v in zip(codes, variables)]
        for key in itertools.product(*lines):
            cells[key].append(value)
    return cells


def prior_posterior(p):
    """The level: what is lacking when the second largest looks at the largest; positive: unsafe."""
    def level(values):
        top = sorted(values, reverse=True) + [0]
        return Fraction(p, 100) * top[0] - (sum(values) - top[0] - top[1])
    return level


def dominance(*rules):
    def level(values):
        top = sorted(values, reverse=True)
        return max(Fraction(100, k) * sum(top[:n]) - sum(values) for n, k in rules)
    return level


def compare(folder, stem, name, variables, cells, level, largest):
    written = cells_of(folder, stem)
    order = [key for key in itertools.product(*(v.codes for v in variables))]
    padded = [tuple(v.padded(code) for v, code in zip(variables, key)) for key in order]
    check(list(written) == padded, f"{name}: codes and their order")
    if list(written) != padded:
        return
    wrong, unsafe = 0, 0
    for key, labels in zip(order, padded):
        values, cell = cells.get(key, []), written[labels]
        top = (sorted(values, reverse=True) + [0] * largest)[:largest]
        wanted = {"FreqVar": len(values), "Resp": sum(values), "Resp_Shadow": sum(values),
                  "Resp_Cost": sum(values), **{f"Top{i + 1}": t for i, t in enumerate(top)}}
        wrong += any(Fraction(cell[column]) != number for column, number in wanted.items())
        lacking = level(values) if values else 0
        if not values:
            wrong += cell["StatusVar"] not in ("E", "S", "M")
        else:
            wrong += (cell["StatusVar"] == "U") != (lacking > 0)
        if lacking > 0:
            unsafe += 1
            wrong += abs(Fraction(cell["UpperProtLevel"]) - lacking) > Fraction(1, 10**9)
            below = Fraction(cell["LowerProtLevel"])  # a reader does not think of less than nothing
            wrong += below > lacking or below < min(lacking, Fraction(9, 10) * sum(values)) - Fraction(1, 10**9)
    check(wrong == 0, f"{name}: {wrong} of {len(order)} cells differ from what is computed here")
    check(0 < unsafe < len(order) / 2, f"{name}: {unsafe} unsafe cells test nothing")
    print(f"{name}: {len(order)} cells alike, {unsafe} unsafe")


def protected(program, folder, job, name):
    code, out, err = run(program, folder, "argus", job, "--json")
    check(code == 0, f"{name}: exit code {code}: {err}")
    result = json.loads(out) if code == 0 else {}
    check(result.get("verdict") == "protected", f"{name}: verdict {result.get('verdict')}")
    code, out, err = run(program, folder, "argus", job, "--check")
    check(code == 0 and "table 1:" in out, f"{name}: --check: {err}")
    return result


def skewed(draw):
    return int(draw.paretovariate(0.9) * 20)


def tree_file(path, tree):
    path.write_text("".join(f"{code}\n" + "".join(f"@{leaf}\n" for leaf in leaves) for code, leaves in tree))


def records_file(folder, stem, records):
    lines = (",".join([*(f'"{code}"' for code in codes), str(value)]) for *codes, value in records)
    (folder / f"{stem}.CSV").write_text("\r\n".join(lines) + "\r\n")


# ---- the jobs

def two_variables(program, folder, draw):
    ages = [str(age) for age in range(11, 27)]
    areas = [str(code) for code in draw.sample(range(1800, 2600), 14)]
    records = [(draw.choice(ages), areas[min(int(draw.expovariate(0.25)), 13)], skewed(draw)) for _ in range(1200)]
    records_file(folder, "One", records)
    (folder / "One.RDA").write_text(
        '  <SEPARATOR> ","\nAge    15\n  <RECODABLE>\nOmk    12\n  <RECODABLE>\nResp    15\n  <NUMERIC>\n')
    (folder / "One.ARB").write_text(
        f'// a job from a network\n<LOGBOOK> "{NETWORK}One.LOG"\n<OPENMICRODATA> "{NETWORK}One.CSV"\n'
        f'<OPENMETADATA> "{NETWORK}One.RDA"\n<SPECIFYTABLE> "Age""Omk"|"Resp"|"Resp"|"Resp",1\n'
        f'<SAFETYRULE> P(20,1)\n<READMICRODATA>\n<SUPPRESS> OPT(1,2)\n<WRITETABLE> (1,5,1,"{NETWORK}One_Out.csv")\n')
    protected(program, folder, "One.ARB", "two variables")
    used = [sorted({r[i] for r in records}) for i in (0, 1)]
    variables = [flat(15, used[0]), flat(12, used[1])]
    compare(folder, "One_Out", "two variables", variables, contributions(records, variables), prior_posterior(20), 2)
    read_back(program, folder, "One_Out", "two variables")
    converted(program, folder, "One.ARB", "One_Out", "two variables")


def three_variables(program, folder, draw):
    regions = ["181201", "188001", "188002"]  # and 18, 1812, 1880 above them
    tree = [("0-3", ["000", "001"]), ("4-9", ["004", "005", "009"])]
    ages = [leaf for _, leaves in tree for leaf in leaves]
    records = [(draw.choice(regions), draw.choice(ages), draw.choice("12"),
                draw.randint(5, 99) * (12 if draw.random() < 0.05 else 1)) for _ in range(400)]
    records_file(folder, "Two", records)
    tree_file(folder / "Age.hrc", tree)
    (folder / "Two.RDA").write_text(
        '  <SEPARATOR> ","\nRegion    6\n  <RECODABLE>\n  <HIERARCHICAL>\n  <HIERLEVELS>     2 2 2\n'
        f'Age    3\n  <RECODABLE>\n  <HIERARCHICAL>\n  <HIERCODELIST>   "{NETWORK}age.Hrc"\n  <HIERLEADSTRING> "@"\n'
        'Sex    15\n  <RECODABLE>\nResp    15\n  <NUMERIC>\n')
    (folder / "Two.ARB").write_text(
        '<OPENMICRODATA> "Two.CSV"\n<OPENMETADATA> "Two.RDA"\n'
        '<SPECIFYTABLE> "Region""Age""Sex"|"Resp"|"Resp"|"Resp",1\n'
        '<SAFETYRULE> NK(1,50)|NK(2,80)\n<READMICRODATA>\n<SUPPRESS> GH(1,40,0)\n<WRITETABLE> (1,5,1,"Two_Out.csv")\n')
    protected(program, folder, "Two.ARB", "three variables")
    variables = [by_digits((2, 2, 2), regions), by_tree(3, tree), flat(15, ["1", "2"])]
    compare(folder, "Two_Out", "three variables", variables, contributions(records, variables),
            dominance((1, 50), (2, 80)), 2)
    read_back(program, folder, "Two_Out", "three variables")


def recodes(program, folder, draw):
    """Two tables of which nothing is asked but to be made: sizes to one group, regions to their level
    in both tables (a recode is of the variable), one industry folded."""
    tree = [("Nr", [" 1", " 2", " 3"]), ("Os", [" 4", " 5"]), ("Zd", ["11", "12"])]
    regions = [leaf for _, leaves in tree for leaf in leaves]
    records = [(f"{draw.randint(1, 9):2d}", draw.choice(regions), f"{draw.choice([14, 15])}{draw.randint(1, 9)}",
                draw.randint(1, 999)) for _ in range(300)]
    (folder / "data.asc").write_text("".join(f"{a}{b}{c}{value:6d}\r\n" for a, b, c, value in records))
    tree_file(folder / "region.hrc", tree)
    (folder / "data.rda").write_text(
        'Size 1 2 99\n  <RECODEABLE>\nRegion 3 2 99\n  <RECODEABLE>\n  <HIERARCHICAL>\n  <HIERCODELIST> "region.hrc"\n'
        '  <HIERLEADSTRING> "@"\nIndustry 5 3 999\n  <RECODEABLE>\n  <HIERARCHICAL>\n  <HIERLEVELS> 2 1\n'
        'Var 8 6 999999\n  <NUMERIC>\n')
    (folder / "GK.GRC").write_text("S:1-5\n")
    (folder / "Ind.grc").write_text("<TREERECODE>\n14\n")
    job = ('<OPENMICRODATA> "data.asc"\n<OPENMETADATA> "data.rda"\n<SPECIFYTABLE> "Size""Region"|"Var"||\n'
           '<SAFETYRULE> NK(2,75)|NK(0,0)\n<SPECIFYTABLE> "Region""Industry"|"Var"||\n<SAFETYRULE> NK(2,75)|NK(0,0)\n'
           '<READMICRODATA>\n<RECODE> 1, Size, "GK.grc"\n<RECODE> 1, Region, 1\n<RECODE> 2, Industry, "Ind.grc"\n')
    (folder / "job.arb").write_text(job + "<GOINTERACTIVE>\n")
    code, _, err = run(program, folder, "argus", "job.arb", "--json")
    check(code == 0, f"recodes: exit code {code}: {err}")
    (folder / "out.arb").write_text(job + '<SUPPRESS> OPT(1,1)\n<SUPPRESS> OPT(2,1)\n'
                                    '<WRITETABLE> (1,5,,"first.csv")\n<WRITETABLE> (2,5,,"second.csv")\n')
    code, _, err = run(program, folder, "argus", "out.arb")
    check(code == 0, f"recodes: exit code {code}: {err}")
    if code != 0:
        return
    sizes = {f"{i:2d}": "S" if i <= 5 else f"{i}" for i in range(1, 10)}
    parents = {leaf: code for code, leaves in tree for leaf in leaves}
    first = collections.Counter()
    second = collections.Counter()
    for size, region, industry, value in records:
        for key in itertools.product({sizes[size], "Total"}, {parents[region], "Total"}):
            first[key] += value
        # Below 14 the tree is folded, below 15 it is not.
        industries = {industry[:2], "Total"} | ({industry} if industry[:2] != "14" else set())
        for key in itertools.product({parents[region], "Total"}, industries):
            second[key] += value
    for stem, wanted in (("first", first), ("second", second)):
        got = {tuple(code.strip() for code in key): int(float(cell["Var"]))
               for key, cell in cells_of(folder, stem).items() if float(cell["Var"]) != 0}
        plain = {tuple(code.strip() for code in key): value for key, value in wanted.items()}
        check(got == plain, f"recodes: {stem}: {len(set(got.items()) ^ set(plain.items()))} cells differ")
    print(f"recodes: {len(first)} and {len(second)} cells")


def edited(program, folder, draw):
    """A table that was written, and in which somebody then wrote another total and a status by hand."""
    sizes, regions = [str(s) for s in range(2, 9)], ["N", "O", "W", "Z"]
    inner = {(s, r): draw.randint(50, 900) * 100 + draw.randint(0, 99) for s in sizes for r in regions}
    lines = []
    for s, r in itertools.product(["Total", *sizes], ["Total", *regions]):
        parts = [v for (a, b), v in inner.items() if s in (a, "Total") and r in (b, "Total")]
        cents = sum(parts) + ((s, r) == ("Total", "Total"))  # the total is off by a hundredth
        status = "U" if (s, r) in {("3", "N"), ("5", "W"), ("7", "Z")} else "S"
        level = cents // 10 if status == "U" else 0
        number = f"{cents // 100},{cents % 100:02d}"
        lines.append(f'"{s}";"{r}";{number};{3 * len(parts)};{status};{level // 100},{level % 100:02d};'
                     f"{level // 100},{level % 100:02d}")
    (folder / "t.tab").write_text("\n".join(lines) + "\n")
    (folder / "t.rda").write_text(
        '<SEPARATOR> ";"\nSize "99"\n  <RECODEABLE>\n  <TOTCODE> "Total"\n'
        'Region "99"\n  <RECODEABLE>\n  <TOTCODE> "Total"\n'
        'Var\n  <NUMERIC>\n  <DECIMALS> 2\nFreq\n  <FREQUENCY>\nStatus\n  <STATUS>\nLow\n  <NUMERIC> <LOWERPL>\n'
        'Up\n  <NUMERIC> <UPPERPL>\n')
    job = ('<OPENTABLEDATA> "t.tab"\n<OPENMETADATA> "t.rda"\n<SPECIFYTABLE> "Size""Region"|"Var"||\n<READTABLE> {}\n'
           '<SUPPRESS> OPT(1,1)\n<WRITETABLE> (1,5,,"t_out.csv")\n')
    (folder / "strict.arb").write_text(job.format(""))
    code, _, err = run(program, folder, "argus", "strict.arb")
    check(code != 0 and not (folder / "t_out.csv").exists(), f"edited: a total that is off is taken: {err}")
    (folder / "t.arb").write_text(job.format("1T"))
    protected(program, folder, "t.arb", "edited")
    if (folder / "t_out.csv").exists():
        cells = {tuple(code.strip() for code in key): cell for key, cell in cells_of(folder, "t_out").items()}
        check(Fraction(cells["Total", "Total"]["Var"]) == Fraction(sum(inner.values()), 100), "edited: the total")
        unsafe = {key for key, cell in cells.items() if cell["StatusVar"] == "U"}
        check(unsafe == {("3", "N"), ("5", "W"), ("7", "Z")}, f"edited: unsafe are {unsafe}")
        level = Fraction(cells["3", "N"]["UpperProtLevel"])
        check(level == Fraction(inner["3", "N"] // 10, 100), f"edited: the level is {level}")
    print("edited: a table that was read back")


def main():
    program = pathlib.Path(sys.argv[1]).resolve()
    for number, job in enumerate((two_variables, three_variables, recodes, edited)):
        with tempfile.TemporaryDirectory() as folder:
            job(program, pathlib.Path(folder), random.Random(number + 1))
    print("failures:", argus_recorded.failures)
    return 1 if argus_recorded.failures else 0


if __name__ == "__main__":
    sys.exit(main())
