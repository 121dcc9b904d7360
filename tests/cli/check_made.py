#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""`lacuna check` on made-up projects, beside the records that they are made of.

  check_made.py LACUNA plants        12 outputs with three differencings across files, one of them over three outputs;
                                     and the same project without them, which must pass
  check_made.py LACUNA random [N]    random records, tables and filters: whatever fails is confirmed by the records, and
                                     no small difference of two or three printed numbers is in outputs that pass
  check_made.py LACUNA many [N]      a folder of N tables (300), which must be judged within a minute

LACUNA_SEED=... draws another project."""
import collections
import csv
import functools
import json
import os
import pathlib
import random
import re
import subprocess
import sys
import tempfile
import time
from fractions import Fraction

THRESHOLD = 10


# ---- records and conditions

@functools.cache
def condition(text):
    name, sign, value = re.fullmatch(r"\s*(\w+)\s*(!=|>=|<=|=|>|<)\s*(.*?)\s*", text).groups()
    return name, sign, value


def holds(record, text):
    name, sign, value = condition(text)
    if sign == "=":
        return str(record[name]) == value
    if sign == "!=":
        return str(record[name]) != value
    own, other = float(record[name]), float(value)
    return {">=": own >= other, "<=": own <= other, ">": own > other, "<": own < other}[sign]


@functools.cache
def all_that_hold(place, text):
    return frozenset(i for i, record in enumerate(RECORDS[place]) if holds(record, text))


RECORDS = {}  # by the identity of their list, so that what holds is found once


def members(records, conditions):
    """The numbers of the records that fulfil all of them."""
    RECORDS[id(records)] = records
    found = frozenset(range(len(records)))
    for each in conditions:
        found &= all_that_hold(id(records), each)
    return found


def count(records, conditions):
    return len(members(records, conditions))


def follows(one, other):
    """Whether a condition is one that the other follows from, by the texts alone."""
    a, b = condition(one), condition(other)
    if a[0] != b[0]:
        return False
    if a == b:
        return True
    if b[1] == "!=":
        return a[1] == "=" and a[2] != b[2]
    if a[1] == ">=" and b[1] == ">=":
        return float(a[2]) >= float(b[2])
    return False


def within(part, whole):
    return all(any(follows(p, w) for p in part) for w in whole)


def apart(one, other):
    for a in map(condition, one):
        for b in map(condition, other):
            if a[0] == b[0] and ((a[1] == b[1] == "=" and a[2] != b[2]) or
                                 ({a[1], b[1]} == {"=", "!="} and a[2] == b[2])):
                return True
    return False


# ---- tables

class Table:
    """A cross table of records that fulfil a filter."""

    def __init__(self, name, records, dimensions, subset=(), shape="long", totals=True, hide=0):
        self.name, self.dimensions, self.subset = name, dimensions, list(subset)
        self.shape, self.totals = shape, totals
        self.cells = {}  # conditions (a frozenset of texts) -> number, or None
        self.codes = [sorted({str(r[d]) for r in records}) for d in dimensions]
        self.rows = []
        for codes in self.combinations():
            own = [f"{d}={c}" for d, c in zip(dimensions, codes) if c != "All"]
            number = count(records, own + self.subset)
            shown = None if 0 < number < hide else number
            self.rows.append((codes, shown))
            self.cells[frozenset(own + self.subset)] = shown

    def combinations(self):
        lists = [codes + (["All"] if self.totals else []) for codes in self.codes]
        made = [()]
        for codes in lists:
            made = [m + (c,) for m in made for c in codes]
        return made

    def text(self, number):
        return "*" if number is None else str(number)

    def write(self, folder):
        getattr(self, self.shape)(folder)

    def long(self, folder):
        with open(folder / self.name, "w", newline="") as file:
            out = csv.writer(file)
            out.writerow(list(self.dimensions) + ["n"])
            for codes, number in self.rows:
                out.writerow(list(codes) + [self.text(number)])

    def by_row(self):
        assert len(self.dimensions) == 2
        heads = list(dict.fromkeys(codes[1] for codes, _ in self.rows))
        rows = {}
        for (row, _), number in self.rows:
            rows.setdefault(row, []).append(self.text(number))
        return heads, rows

    def crosstab(self, folder):
        """pandas.crosstab(...).to_csv(): the heading does not name the columns."""
        heads, rows = self.by_row()
        with open(folder / self.name, "w", newline="") as file:
            out = csv.writer(file)
            out.writerow([self.dimensions[0]] + heads)
            for row, numbers in rows.items():
                out.writerow([row] + numbers)

    def pandas(self, folder):
        heads, rows = self.by_row()
        label = max(len(r) for r in [*rows, *self.dimensions])
        wide = [max(len(h), 6) for h in heads]
        lines = [self.dimensions[1].ljust(label) + "".join(h.rjust(w + 2) for h, w in zip(heads, wide)),
                 self.dimensions[0].ljust(label)]
        for row, numbers in rows.items():
            lines.append(row.ljust(label) + "".join(n.rjust(w + 2) for n, w in zip(numbers, wide)))
        (folder / self.name).write_text("\n".join(lines) + "\n")

    def r(self, folder):
        heads, rows = self.by_row()
        label = max(len(r) for r in [*rows, *self.dimensions])
        wide = [max(len(h), 6) for h in heads]
        lines = [" " * (label + 1) + self.dimensions[1],
                 self.dimensions[0].ljust(label) + "".join(h.rjust(w + 1) for h, w in zip(heads, wide))]
        for row, numbers in rows.items():
            lines.append(row.ljust(label) + "".join(n.rjust(w + 1) for n, w in zip(numbers, wide)))
        (folder / self.name).write_text("\n".join(lines) + "\n")

    def stata(self, folder):
        heads, rows = self.by_row()
        heads = [h if h != "All" else "Total" for h in heads]
        label = max(12, *(len(r) + 1 for r in rows))
        def cut(texts):
            return "".join(t.rjust(11) for t in texts[:-1]), texts[-1].rjust(10)
        rule = "-" * (label - 1) + "+" + "-" * (11 * (len(heads) - 1) + 1) + "+" + "-" * 10
        top, last = cut(heads)
        lines = [" " * (label - 1) + "|" + self.dimensions[1].rjust(18),
                 self.dimensions[0].rjust(label - 2) + " |" + top + " |" + last, rule]
        for row, numbers in rows.items():
            body, end = cut(numbers)
            if row == "All":
                lines.append(rule)
            lines.append((row if row != "All" else "Total").rjust(label - 2) + " |" + body + " |" + end)
        (folder / self.name).write_text("\n".join(lines) + "\n")


def write_notes(folder, tables, more=""):
    lines = [f"threshold = {THRESHOLD}", more]
    for table in tables:
        lines.append(f"[[table]]\nfile = \"{table.name}\"\nsubset = \"{' and '.join(table.subset) or 'all'}\"")
        if table.shape == "crosstab":
            lines.append(f'columns = ["{table.dimensions[1]}"]')
    (folder / "lacuna-check.toml").write_text("\n".join(lines) + "\n")


def run(lacuna, folder, *more):
    done = subprocess.run([lacuna, "check", str(folder), "--json", "--quiet", *more], capture_output=True, text=True)
    assert done.returncode in (0, 2), f"exit {done.returncode}: {done.stderr}{done.stdout}"
    answer = json.loads(done.stdout)
    assert (done.returncode == 0) == answer["passes"]
    return answer


# ---- what is proven, by the records

def printed_where(folder, where):
    return (folder / where.split(":")[0].split(",")[0]).exists()


def conditions_of(label):
    return [] if label == "all" else label.split(", ")


def confirm(finding, records, folder):
    """A finding that fails is true of the records, and its sums are sums of printed numbers."""
    for each in finding["sums"]:
        total = sum(Fraction(str(t["factor"])) * t["number"] for t in each["terms"])
        if each["side"] == "exactly":
            assert total == Fraction(str(each["total"])), each
        terms = [t for t in each["terms"] if t["printed"]]
        for term in terms:
            assert count(records, conditions_of(term["cell"])) == term["number"], term
            assert printed_where(folder, term["where"]), term
        if each["side"] != "exactly" or len(terms) != len(each["terms"]):
            continue
        # The sum counts every record once or not at all: it is the number of a group.
        parts = collections.Counter()
        for term in terms:
            for i in members(records, conditions_of(term["cell"])):
                parts[i] += Fraction(str(term["factor"]))
        assert set(parts.values()) <= {0, 1}, finding
        assert sum(parts.values()) == total and 1 <= total < THRESHOLD, finding
    if finding["kind"] == "told":
        assert 1 <= count(records, conditions_of(finding["group"])) < THRESHOLD, finding


def simple_differences(tables):
    """Pairs and triples of printed numbers whose difference is small, with the outputs that print them."""
    printed = {}
    for table in tables:
        for cell, number in table.cells.items():
            if number is not None:
                printed.setdefault(cell, (number, []))[1].append(table.name)
    cells = sorted(printed, key=lambda c: (len(c), sorted(c)))
    for whole in cells:
        parts = [c for c in cells if c != whole and within(c, whole)]
        for i, one in enumerate(parts):
            left = printed[whole][0] - printed[one][0]
            if 1 <= left < THRESHOLD:
                yield printed[whole][1] + printed[one][1], left, (whole, one)
            for other in parts[i + 1:]:
                if apart(one, other) and 1 <= left - printed[other][0] < THRESHOLD:
                    yield (printed[whole][1] + printed[one][1] + printed[other][1],
                           left - printed[other][0], (whole, one, other))


# ---- the project of 12 outputs

def project_records(draw):
    records = []
    for _ in range(12000):
        region = draw.choices(["North", "South", "East", "West", "Islands"], [40, 30, 13, 14, 3])[0]
        records.append({"region": region, "sex": draw.choice("FM"),
                        "age": draw.randint(19 if region == "Islands" else 16, 90),
                        "smoker": draw.choices(["yes", "no"], [30, 70])[0],
                        "education": draw.choice(["low", "middle", "high"]),
                        "area": draw.choices(["urban", "rural"], [60, 40])[0],
                        "disease": draw.choices(["yes", "no"], [20, 80])[0]})
    # What the plants tell of: few of age 18 in one cell, few in the smallest region, few of no area.
    records = [r for r in records if not (r["age"] == 18 and r["region"] == "West" and r["smoker"] == "yes")]
    records += [{"region": "West", "sex": "F", "age": 18, "smoker": "yes", "education": "low", "area": "urban",
                 "disease": "no"} for _ in range(4)]
    for k, (sex, education) in enumerate([("F", "low"), ("M", "high"), ("M", "low"), ("F", "middle")]):
        for _ in range(40 if k else 7):
            records.append({"region": "North", "sex": sex, "age": 40 + k, "smoker": "no", "education": education,
                            "area": "none", "disease": "no"})
    return records


def project(records, planted):
    ages = ["age>=18"], (["age>=19"] if planted else ["age>=65"])
    mainland = ["region!=Islands"] if planted else ["region=North"]
    second = ["area=rural"] if planted else ["area!=urban"]
    return [Table("o01.csv", records, ["region", "sex"]),
            Table("o02.csv", records, ["region", "smoker"], shape="crosstab"),
            Table("o03.txt", records, ["sex", "smoker"], shape="pandas"),
            Table("o04.csv", records, ["region", "smoker"], ages[0]),
            Table("o05.txt", records, ["region", "smoker"], ages[1], shape="r"),
            Table("o06.csv", records, ["sex", "disease", "education"], mainland),
            Table("o07.txt", records, ["sex", "education"], shape="stata"),
            Table("o08.csv", records, ["sex", "education"], ["area=urban"]),
            Table("o09.csv", records, ["sex", "education"], second),
            Table("o10.csv", records, ["disease", "sex", "education"]),
            Table("o11.csv", records, ["smoker"]),
            Table("o12.csv", records, ["education"], ["disease=yes"])]


def plants(lacuna):
    seed = int(os.environ.get("LACUNA_SEED", "7"))
    records = project_records(random.Random(seed))
    for planted in (True, False):
        with tempfile.TemporaryDirectory() as place:
            folder = pathlib.Path(place) / "project"
            folder.mkdir()
            tables = project(records, planted)
            for table in tables:
                table.write(folder)
            write_notes(folder, tables)
            answer = run(lacuna, folder)
            verdicts = {o["name"]: o["verdict"] for o in answer["outputs"]}
            assert len(verdicts) == 12
            differences = list(simple_differences(tables))
            if not planted:
                assert not differences, differences[:3]
                assert answer["passes"], (answer["findings"][:3], answer["notes"])
                print("without the plants: 12 outputs pass")
                continue
            for names, left, cells in differences:
                assert any(verdicts[n] == "fail" for n in names), (names, left, cells)
            for finding in answer["findings"]:
                if finding["verdict"] == "fail":
                    confirm(finding, records, folder)
            found = {frozenset(t["output"] for s in f["sums"] for t in s["terms"]) for f in answer["findings"]
                     if f["verdict"] == "fail"}
            for wanted in ({"o04.csv", "o05.txt"}, {"o10.csv", "o06.csv"}, {"o07.txt", "o08.csv", "o09.csv"}):
                assert any(wanted <= f or wanted == f for f in found), (wanted, found)
            proven = sum(f["verdict"] == "fail" for f in answer["findings"])
            print(f"with three plants: {proven} findings proven and confirmed, "
                  f"{sum(v == 'fail' for v in verdicts.values())} outputs fail, hold back {answer['hold_back']}")


# ---- random projects

def random_tables(draw, records):
    variables = {"region": "ABC", "sex": "FM", "smoker": "yn", "group": "12345"}
    tables = []
    for i in range(draw.randint(3, 7)):
        dimensions = draw.sample(sorted(variables), draw.randint(1, 2))
        subset = []
        if draw.random() < 0.7:
            other = [v for v in sorted(variables) if v not in dimensions]
            kind = draw.randint(0, 2)
            if kind == 0:
                subset = [f"age>={draw.choice([18, 19, 20, 40, 65])}"]
            elif kind == 1:
                name = draw.choice(other)
                subset = [f"{name}={draw.choice(sorted(map(str, {r[name] for r in records})))}"]
            else:
                name = draw.choice(other)
                subset = [f"{name}!={draw.choice(sorted(map(str, {r[name] for r in records})))}"]
        tables.append(Table(f"t{i}.csv", records, dimensions, subset, hide=draw.choice([0, THRESHOLD])))
    return tables


def at_random(lacuna, number):
    first = int(os.environ.get("LACUNA_SEED", "1"))
    failed = passed = proven = simple = 0
    for seed in range(first, first + number):
        draw = random.Random(seed)
        all_that_hold.cache_clear()
        records = [{"region": draw.choice("ABC"), "sex": draw.choice("FM"), "smoker": draw.choice("ynn"),
                    "group": draw.choice("1223334444"), "age": draw.randint(16, 90)}
                   for _ in range(draw.choice([150, 400, 1500]))]
        tables = random_tables(draw, records)
        with tempfile.TemporaryDirectory() as place:
            folder = pathlib.Path(place) / "project"
            folder.mkdir()
            for table in tables:
                table.write(folder)
            write_notes(folder, tables)
            if os.environ.get("LACUNA_KEEP"):
                subprocess.run(["cp", "-r", str(folder), os.environ["LACUNA_KEEP"]], check=True)
            answer = run(lacuna, folder)
            try:
                verdicts = {o["name"]: o["verdict"] for o in answer["outputs"]}
                for finding in answer["findings"]:
                    if finding["verdict"] == "fail":
                        confirm(finding, records, folder)
                        proven += 1
                for names, left, cells in simple_differences(tables):
                    simple += 1
                    assert any(verdicts[n] == "fail" for n in names), (names, left, cells)
                for table in tables:
                    if any(n is not None and 1 <= n < THRESHOLD for n in table.cells.values()):
                        assert verdicts[table.name] == "fail", table.name
                held = set(answer["hold_back"])
                if held:
                    rest = [t for t in tables if t.name not in held]
                    for name in held:
                        (folder / name).unlink()
                    write_notes(folder, rest)
                    if rest:
                        again = run(lacuna, folder)
                        assert again["fail"] == 0, again["findings"][:2]
            except AssertionError:
                print(f"LACUNA_SEED={seed}", file=sys.stderr)
                raise
            failed += answer["fail"]
            passed += answer["pass"]
    assert failed and passed and proven and simple
    print(f"{number} projects: {failed} outputs fail, {passed} pass; {proven} findings confirmed by the records, "
          f"{simple} small differences of printed numbers all found")


def many(lacuna, number):
    draw = random.Random(int(os.environ.get("LACUNA_SEED", "3")))
    names = [f"v{i}" for i in range(12)]
    records = [{**{v: draw.choice("abcdef"[:2 + i % 5]) for i, v in enumerate(names)}, "age": draw.randint(16, 90)}
               for _ in range(20000)]
    with tempfile.TemporaryDirectory() as place:
        folder = pathlib.Path(place) / "project"
        folder.mkdir()
        tables = []
        for i in range(number):
            subset = draw.choice([[], [], ["age>=18"], ["age>=65"], [f"age>={draw.choice([30, 40, 50])}"],
                                  [f"{draw.choice(names)}=a"]])
            free = [v for v in names if not subset or not subset[0].startswith(v + "=")]
            tables.append(Table(f"t{i:03}.csv", records, draw.sample(free, draw.choice([1, 2, 2, 3])), subset,
                                hide=THRESHOLD))
            tables[-1].write(folder)
        write_notes(folder, tables)
        begin = time.monotonic()
        answer = run(lacuna, folder)
        seconds = time.monotonic() - begin
    cells = sum(len(t.rows) for t in tables)
    print(f"{number} tables, {cells} cells: {seconds:.1f} s; {answer['fail']} fail, {answer['review']} to review, "
          f"{answer['pass']} pass, {len(answer['findings'])} findings")


if __name__ == "__main__":
    program, what = sys.argv[1], sys.argv[2]
    size = int(sys.argv[3]) if len(sys.argv) > 3 else 0
    if what == "plants":
        plants(program)
    elif what == "random":
        at_random(program, size or 40)
    else:
        many(program, size or 300)
