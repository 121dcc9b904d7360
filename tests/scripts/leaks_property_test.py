#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""leaks_property_test.py LACUNA [--tables N] [--seed S] [--python EXE] [--r EXE] [--serve]: broken random inputs through
all front ends, and every true value, level, bound, contribution, weight and name searched for in what they print.

All confidential numbers of a case are drawn so that no count, line or code can be one of them by chance: six digits and
more, and no two alike in the first four. A case is a table, a file of records, a job of tau-ARGUS, a plan or a
certificate, broken in one of WAYS; what is not refused ends in a release. The command line may show all and is run for
two things: the files that are public by their purpose, and what of a release is hidden. Then
  - Python: what is raised (text, arguments, chain, traceback), warned, printed, noted, and how results show themselves;
  - R: conditions, warnings, notes and whatever prints of a result; all cases in one process, as in Python;
  - server: its log and its public exports; its answers are the office's;
  - public files of every format and the public page.
A number counts as shown in any writing: grouped, with decimals, with an exponent, in units, rounded to four digits or
more. The search itself is tried first on texts that do leak. Front ends that are not named are left out."""
import argparse
import csv
import decimal
import io
import json
import pathlib
import random
import re
import subprocess
import sys
import tempfile
import zipfile

END = "\x1e\n"
DIGITS = 4  # so many digits of a number tell it
ENDINGS = [".csv", ".json", ".xlsx", ".px", ".sdmx.csv"]
GROUPED = r"\d{1,3}(?:[,.'\u2019\u202f\u00a0_ ]\d{3})+(?!\d)(?:[.,]\d+)?"
NUMBER = re.compile(rf"{GROUPED}|\d+(?:[.,]\d+)?(?:[eE][+-]?\d+)?")
PLAIN = re.compile(r"\d+(?:\.\d+)?(?:[eE][+-]?\d+)?")
NO_NUMBERS = re.compile(r"\b[0-9a-f]{32,}\b|\d{4}-\d\d-\d\d(?:[T ]\d\d:\d\d:\d\d(?:\.\d+)?Z?)?|0x[0-9a-f]+|&#x?\w+;")

# ---- the search


def readings(token):
    """The numbers that a text such as 1,234.5 can mean, each with the size of its last digit that is not an end zero."""
    texts = {token}
    texts.add(re.sub(r"[,'\u2019\u202f\u00a0_ ]", "", token))  # a point is the mark
    texts.add(re.sub(r"[.'\u2019\u202f\u00a0_ ]", "", token).replace(",", "."))  # a comma is
    texts.add(re.sub(r"\D", "", token) if "e" not in token.lower() else token)
    for text in texts:
        try:
            number = decimal.Decimal(text)
        except decimal.InvalidOperation:
            continue
        if not number.is_finite() or number == 0 or abs(number.adjusted()) > 40:
            continue
        number = number.normalize()
        digits = len(number.as_tuple().digits)
        if digits >= DIGITS:
            yield number, decimal.Decimal(10) ** number.as_tuple().exponent


class Secrets:
    """Numbers and names that may not be shown, and the search for them."""

    def __init__(self, numbers=(), names=(), public=()):
        self.numbers = {abs(decimal.Decimal(n)) for n in numbers} - {0}
        self.names, self.public = set(names), set(public)

    def without(self, numbers):
        """The same, where these numbers are published: also if they come near a secret, or are the sum of some."""
        shown = {abs(decimal.Decimal(n)) for n in numbers}
        units = {n * 100 for n in shown}
        return Secrets(self.numbers - shown - units, self.names, self.public | shown)

    def __or__(self, other):
        return Secrets(self.numbers | other.numbers, self.names | other.names, self.public | other.public)

    def found(self, text):
        """(what, where) of the first that the text shows, or nothing."""
        low = text.lower()
        for name in self.names:
            if name.lower() in low:
                return name, low.index(name.lower())
        text = NO_NUMBERS.sub(lambda match: "x" * len(match[0]), text)
        for pattern in (NUMBER, PLAIN):
            for match in pattern.finditer(text):
                found = list(readings(match[0]))
                if any(number in self.public for number, _ in found):
                    continue
                for number, step in found:
                    for secret in self.numbers:
                        if abs(number - secret) * 2 <= step:
                            return secret, match.start()
        return None


def sentence_at(text, at):
    begin, end = text.rfind("\n", 0, at) + 1, text.find("\n", at)
    line = text[max(begin, at - 200):end if end >= 0 else len(text)]
    return line[:400].strip()


def try_the_search():
    """What is wrong with the search itself: texts that leak and are not noticed, and the other way round."""
    secrets = Secrets([843211, "5127.36", 67413], ["Qorvex"])
    leaks = ["is 843211, its parts make 1", "off by 843,211", "843.211,00 EUR", "843 211", "8.43211e+05", "843211.0000",
             "about 843200", "843210", "level 67413x", "[0, 67413]", "5127.36", "5 127,36", "512736 units", "5127.4", "5127",
             "by QORVEX ltd", "x843211y", "('843211',)", "67\u202f413", "-67413"]
    fine = ["(not shown) is not a number", "row 17, column 3", "843 of 211 cells", "line 8432:11", "2026-08-43 21:12",
            "a4b8432110d4c2f6a4b8432110d4c2f6", "84321", "900000", "5128", "67,41", "670000"]
    return ([f"the search overlooks {text!r}" for text in leaks if not (secrets | Secrets([512736])).found(text)]
            + [f"the search takes {text!r} for a leak" for text in fine if secrets.found(text)]
            + [f"the search takes what is published for a leak: {text!r}" for text in ("843,210", "843211")
               if secrets.without([843210, 843211]).found(text)])


# ---- drawing


class Draw(random.Random):
    """Random numbers of which none shares four digits with another."""

    def begin(self):
        self.taken, self.numbers, self.names = set(), set(), set()

    def number(self, digits=6, most=9):
        """A new confidential number; the first digit is at most `most`."""
        while True:
            value = self.randint(10 ** (digits - 1), (most + 1) * 10 ** (digits - 1) - 1)
            head = str(value)[:3]
            if head not in self.taken and value % 10 and not str(value).startswith(("19", "20", "100", "104")):
                self.taken.add(head)
                return self.keep(value)

    def keep(self, value):
        self.numbers.add(abs(value))
        return value

    def name(self):
        word = "".join(self.choice(pair) for pair in ("QZXV", "oua", "rlk", "vxz", "eio", "xqz"))
        self.names.add(word)
        return word


class Cells:
    """A table with margins: of every cell the texts of its fields."""

    COLUMNS = ("value", "status", "lower", "upper", "lower_level", "upper_level", "weight", "frequency")

    def __init__(self, draw):
        self.draw, self.broken = draw, ""
        self.rows = {}
        across, down = "abc"[:draw.randint(2, 3)], "xyz"[:draw.randint(2, 3)]
        self.inner = [(r, c) for r in across for c in down]
        values = {cell: draw.number(6, 4) for cell in self.inner}
        for r in across:
            values[r, "T"] = draw.keep(sum(values[r, c] for c in down))
        for c in down + "T":
            values["T", c] = draw.keep(sum(values[r, c] for r in across))
        self.values = values
        self.decimals = draw.choice([0, 0, 2])
        self.marked = draw.choice(self.inner)
        for cell, value in values.items():
            level = draw.number(5, 5)
            self.rows[cell] = {"value": value, "status": "u" if cell == self.marked else "s",
                               "lower": max(0, value - draw.number(5, 8) - 90000), "upper": value + draw.number(5, 8) + 90000,
                               "lower_level": level if cell == self.marked else "",
                               "upper_level": level + 7 if cell == self.marked else "",
                               "weight": draw.number(6), "frequency": 2 if cell == self.marked else 12}
            for field in ("lower", "upper", "upper_level"):
                if self.rows[cell][field]:
                    draw.keep(self.rows[cell][field])
        self.columns = {name: name for name in self.COLUMNS}
        for name in draw.sample(["lower", "upper", "weight", "frequency"], draw.randint(0, 3)):
            del self.columns[name]
        self.job, self.separator, self.header = "", ";", True
        self.options = {}

    def text_of(self, value):
        if isinstance(value, int) and self.decimals and value > 1000:
            return f"{value // 100}.{value % 100:02d}"
        return str(value)

    def lines(self):
        names = ["r", "c", *self.COLUMNS]
        lines = [names] if self.header else []
        for (r, c), row in self.rows.items():
            lines.append([r, c, *(self.text_of(row[name]) for name in self.COLUMNS)])
        return lines

    def write(self, folder, stem="t"):
        text = "".join(self.separator.join(line) + "\n" for line in self.lines())
        (folder / f"{stem}.csv").write_text(text)
        columns = "".join(f'{key} = "{name}"\n' for key, name in self.columns.items())
        dims = "" if "[[dimension]]" in self.job else "".join(f'[[dimension]]\nname = "{d}"\ntotal = "T"\n' for d in "rc")
        head, rest = self.job.split("---\n") if "---\n" in self.job else ("", self.job)
        (folder / f"{stem}.toml").write_text(
            f'[input]\ntable = "{stem}.csv"\n{head}[columns]\n{columns}{dims}{rest}')

    def secrets(self):
        units = {n for n in self.draw.numbers}
        return Secrets(units | {decimal.Decimal(n) / 100 for n in units if self.decimals}, self.draw.names)

    def cells(self):
        """The numbers that a release may publish."""
        return {decimal.Decimal(self.text_of(row["value"])) for row in self.rows.values() if isinstance(row["value"], int)}

    def some(self):
        return self.draw.choice(sorted(self.rows))


# ---- ways to break a table; each changes the cells, and says by which calls they are tried

WAYS = {}


def way(*calls, records=False):
    def add(function):
        WAYS[function.__name__] = (function, calls or ("protect", "frame"), records)
        return function
    return add


@way("protect", "frame", "audit", "compare")
def nothing_broken(t):
    t.options["method"] = t.draw.choice(["suppress", "suppress", "interval", "combined", "adjust"])


@way("protect")
def numbers_altered(t):
    t.options.update(t.draw.choice([{"method": "round", "base": "10000"}, {"method": "perturb"},
                                    {"method": "mixed", "base": "50000"}, {"method": "round", "base": "100000", "steps": "1"}]))


@way("protect", "frame", "inspect")
def sums_off(t):
    cell = t.some()
    t.rows[cell]["value"] += t.draw.number(6)
    t.draw.keep(t.rows[cell]["value"])


@way("protect", "frame")
def text_for_number(t):
    field = t.draw.choice(["value", "value", "lower_level", "weight", "upper", "lower", "frequency"])
    t.columns[field] = field
    cell = t.marked if field == "lower_level" else t.some()
    number = t.draw.number(7)
    t.rows[cell][field] = t.draw.choice(["{}x", "{} EUR", "1e{}", "{}e30", "{}%", "'{}", "--{}", "{}..5", "{},5,5", "{0}/{0}",
                                         "{}" + "0" * 20, "{}.123456789"]).format(number)


@way("protect", "frame")
def negative_number(t):
    field = t.draw.choice(["value", "lower_level", "weight", "frequency", "upper"])
    t.columns[field] = field
    cell = t.marked if field == "lower_level" else t.some()
    t.rows[cell][field] = f"-{t.text_of(t.draw.number(6))}"


@way("protect", "frame")
def outside_bounds(t):
    t.columns.update(lower="lower", upper="upper")
    row = t.rows[t.some()]
    row["lower"], row["upper"] = t.draw.choice([(row["upper"], t.draw.number(7)), (0, row["lower"] or 1), (row["upper"], row["lower"])])


@way("protect", "frame")
def level_beyond_bounds(t):
    t.columns.update(lower="lower", upper="upper")
    row = t.rows[t.marked]
    row["upper"] = t.draw.keep(row["value"] + row["upper_level"] // 2)


@way("protect", "frame", "audit")
def no_room(t):
    for cell, row in t.rows.items():
        if cell != t.marked:
            row["status"] = t.draw.choice("zzzs")
    t.options["method"] = t.draw.choice(["suppress", "suppress", "interval", "combined", "adjust", "round", "perturb", "mixed"])
    if t.options["method"] in ("round", "mixed"):
        t.options["base"] = t.draw.choice(["10", "1000", "50000"])


@way("protect")
def little_room(t):
    """Withheld cells whose bounds leave some of the level."""
    t.columns.update(lower="lower", upper="upper")
    for cell, row in t.rows.items():
        if cell != t.marked and row["status"] != "u":
            row["lower"], row["upper"] = row["value"] - t.draw.keep(54321 % row["value"]), row["value"] + 54321
            t.draw.keep(row["lower"]), t.draw.keep(row["upper"])
    t.rows[t.marked]["lower"] = t.rows[t.marked]["upper"] = ""
    t.job = '---\n[defaults]\nlower = 0\nupper = "unbounded"\n'
    t.rows[t.marked]["lower_level"] = t.rows[t.marked]["upper_level"] = t.draw.keep(t.rows[t.marked]["value"] - 1003)


@way("protect", "frame", "audit")
def cell_twice(t):
    cell = t.some()
    lines = t.lines
    again = dict(t.rows[cell], value=t.draw.number(6))
    t.lines = lambda: lines() + [[*cell, *(t.text_of(again[name]) for name in t.COLUMNS)]]


@way("protect", "frame")
def cell_missing(t):
    del t.rows[t.some()]


@way("protect", "frame")
def unknown_status(t):
    t.rows[t.some()]["status"] = t.draw.choice(["q", "secret", t.text_of(t.draw.number(6))])


@way("protect", "frame", "inspect")
def status_is_another_column(t):
    t.columns["status"] = t.draw.choice(["value", "lower_level", "weight"])


@way("protect", "frame")
def codes_are_numbers(t):
    """Two columns have changed places in some row."""
    cell = t.some()
    row = t.rows.pop(cell)
    t.rows[t.text_of(row["value"]), cell[1]] = dict(row, value=cell[0])
    t.job = '---\n[[dimension]]\nname = "r"\n[dimension.tree]\nT = ["a", "b", "c"]\n[[dimension]]\nname = "c"\ntotal = "T"\n'


@way("protect", "frame", "inspect")
def no_header(t):
    t.header = False


@way("protect", "inspect")
def fields_shifted(t):
    lines = t.lines
    t.lines = lambda: [line if n % 5 != 3 else line[:1] + line[2:] for n, line in enumerate(lines())]


@way("protect", "frame")
def wrong_tree(t):
    t.job = '---\n[[dimension]]\nname = "r"\n[dimension.tree]\nT = ["a", "b"]\nb = ["c"]\n[[dimension]]\nname = "c"\ntotal = "T"\n'


@way("protect")
def wrong_decimals(t):
    t.job = f"decimals = {t.draw.choice([0, 1, 19])}\n---\n"
    t.rows[t.some()]["value"] = f"{t.draw.number(6)}.{t.draw.number(6)}"


@way("protect")
def totals_near(t):
    cell = t.some()
    t.rows[cell]["value"] = t.draw.keep(t.rows[cell]["value"] + t.draw.number(5, 5))
    t.job = t.draw.choice(['totals = "recomputed"\n---\n', "round_totals = 999999\n---\n", "round_totals = 3\n---\n",
                           'totals = "computed"\n---\n'])


@way("frame")
def other_types(t):
    """Columns of a frame that are no texts."""
    t.types = t.draw.choice(["float", "decimal", "bytes", "list", "object", "mixed", "complex", "tuple"])
    t.typed = t.draw.choice(["value", "value", "lower_level", "weight", "status", "r"])
    t.columns["weight"] = "weight"


@way("protect")
def attacker_knows(t):
    cell, other = t.some(), t.some()
    low, high = t.draw.number(6), t.draw.number(7)
    levels = t.draw.number(7)
    t.job = (f'---\n[[attacker]]\nname = "rival"\nknown = [{{ cell = ["{cell[0]}", "{cell[1]}"], lower = {low}, upper = {high} }}]\n'
             + t.draw.choice(["", f'levels = [{{ cell = ["{other[0]}", "{other[1]}"], lower = {levels}, upper = {levels} }}]\n']))


@way("protect")
def rules_that_do_not_fit(t):
    t.columns = {"value": "value", "frequency": "frequency", "largest": "lower_level"}
    for row in t.rows.values():
        row["lower_level"] = t.draw.choice([row["value"], t.draw.number(7), f"{t.draw.number(6)}x", ""])
    t.job = '---\n[[rule]]\ntype = "p-percent"\np = 10\n'


@way("protect")
def cells_by_hand(t):
    t.options["method"] = "mixed"
    t.options["base"] = "1000"
    line = t.draw.choice(["a;x;perturbed;{};{};", "a;x;perturbed;{};{};{}", "a;x;{};;;", "{};x;rounded;;;", "a;x;exact;{};;", "a;x;perturbed;{}x;;"])
    text = "r;c;method;lower;upper;value\n" + line.replace("{}", "{0}").format(t.draw.number(6)) + "\n"
    t.more = {"cells.csv": text}
    t.options["cells"] = "cells.csv"


@way("protect")
def method_unfit(t):
    t.options.update(t.draw.choice([
        {"method": "cellkey"}, {"method": "small-counts", "base": "3"}, {"method": "adjust", "decimals": "0"},
        {"method": "suppress", "max_withheld": "1"}, {"method": "round", "base": "7"}, {"method": "interval", "max_intervals": "1"},
        {"method": "round", "base": "10", "exact_multiples": "true"}, {"method": "suppress", "min_width": "9999999"},
        {"method": "perturb", "max_changed": "1"}, {"method": "suppress", "counts": "true", "threshold": "5"}]))


@way("protect")
def not_a_job(t):
    t.job = t.draw.choice([f"---\n[options]\nbase = {t.draw.number(6)}\n", "---\n[[rule]]\ntype = \"p\"\n",
                           f"decimals = \"{t.draw.number(6)}\"\n---\n", "---\n[defaults]\nlower = \"{}x\"\n".format(t.draw.number(6)),
                           "---\n[defaults]\nlevel = \"{}%%\"\n".format(t.draw.number(6)), "---\n[[cell]]\n"])


@way("released")
def earlier_release_differs(t):
    """A file of the table as published before, with other numbers or none of a table."""
    rows = [(cell, row["value"]) for cell, row in t.rows.items()]
    kind = t.draw.choice(["number", "text", "code", "few", "twice", "flag", "json", "list"])
    lines = [[*cell, t.text_of(value) if cell != t.marked else "x"] for cell, value in rows]
    line = t.draw.choice(lines)
    number = t.text_of(t.draw.number(6))
    if kind in ("number", "text"):
        line[2] = number + ("" if kind == "number" else "x")
    elif kind == "code":
        line[0] = number
    elif kind == "few":
        lines.remove(line)
    elif kind == "twice":
        lines.append(line)
    head = ["r", "c", "v"]
    if kind == "flag":
        head, lines = [*head, "flag"], [[*each, number if each is line else "V"] for each in lines]
    text = "".join(";".join(each) + "\n" for each in [head, *lines])
    name = "before.csv"
    if kind == "json":
        name, text = "before.json", json.dumps({"release": [{"cell": int(float(number)), "state": "withheld"},
                                                            {"codes": [number, "x"], "state": number, "value": number}]})
    elif kind == "list":
        name, text = "before.txt", t.draw.choice([f"1\n{number}x\n", f"{int(float(number))}\n", "1;2\n" + ";".join(line) + "\n"])
    t.more = {name: text}
    t.before = name


@way("tampered")
def certificate_tampered(t):
    """The certificate and the result of a good release, with one number or word changed."""
    t.tamper = t.draw.choice(["c.json", "o.json"])


@way("jj")
def broken_jj(t):
    """The table as a file of tau-ARGUS's solvers."""
    cells = sorted(t.rows)
    index = {cell: n for n, cell in enumerate(cells)}
    lines = []
    for cell in cells:
        row = t.rows[cell]
        fields = [index[cell], row["value"], row["weight"], row["status"], row["lower"], row["upper"],
                  row["lower_level"] or 0, row["upper_level"] or 0, 0]
        lines.append([t.text_of(f) if n != 0 else str(f) for n, f in enumerate(fields)])
    across = sorted({r for r, _ in cells if r != "T"})
    sums = [[f"{index['T', c]} (-1)"] + [f"{index[r, c]} (1)" for r in across] for _, c in cells if _ == "T"]
    line = t.draw.choice(lines)
    field = t.draw.randrange(9)
    number = t.text_of(t.draw.number(6))
    kind = t.draw.choice(["text", "shift", "more", "number", "sum", "head", "none", "term"])
    if kind == "text":
        line[field] = f"{number}x"
    elif kind == "shift":
        line.pop(field)
    elif kind == "more":
        line.insert(field, number)
    elif kind == "number":
        line[field] = number
    equations = [f"{number if kind == 'sum' else 0} {len(each)} : {' '.join(each)}" for each in sums]
    if kind == "term":
        equations[0] = equations[0].replace("(1)", f"({number})", 1).replace(" : ", f" : {number} ", t.draw.randint(0, 1))
    text = [number if kind == "head" else "0", str(len(cells)), *(" ".join(each) for each in lines), str(len(equations)), *equations]
    t.more = {"t.jj": "\n".join(text) + "\n"}


@way("problem_json")
def broken_problem_json(t):
    t.tamper = "p.json"


# ---- records


class Records(Cells):
    """A file of records: a name, codes, a value, a weight."""

    def __init__(self, draw):
        super().__init__(draw)
        draw.begin()
        self.decimals = 0
        self.records = []
        for i in range(draw.randint(8, 14)):
            self.records.append({"firm": draw.name(), "r": draw.choice("abc"), "c": draw.choice("xyz"),
                                 "value": str(draw.number(6, 8)), "w": "1", "key": f"0.{draw.number(8)}"})
        self.columns = {"value": "value", "respondent": "firm"}
        self.rules = '[[rule]]\ntype = "p-percent"\np = 15\n[[rule]]\ntype = "frequency"\nn = 3\n'
        self.job, self.head, self.options, self.more = "", "", {}, {}

    def lines(self):
        names = ["firm", "r", "c", "value", "w", "key"]
        return ([names] if self.header else []) + [[each[name] for name in names] for each in self.records]

    def write(self, folder, stem="t"):
        (folder / f"{stem}.csv").write_text("".join(self.separator.join(line) + "\n" for line in self.lines()))
        columns = "".join(f'{key} = "{name}"\n' for key, name in self.columns.items())
        dims = "" if "[[dimension]]" in self.job else "".join(f'[[dimension]]\nname = "{d}"\ntotal = "T"\n' for d in "rc")
        (folder / f"{stem}.toml").write_text(
            f'[input]\nrecords = "{stem}.csv"\n{self.head}[columns]\n{columns}{dims}{self.rules}{self.job}')

    def cells(self):
        sums = {}
        for each in self.records:
            for cell in ((each["r"], each["c"]), (each["r"], "T"), ("T", each["c"]), ("T", "T")):
                if each["value"].isdigit():
                    sums[cell] = sums.get(cell, 0) + int(each["value"])
        return set(sums.values())

    def secrets(self):
        return Secrets(self.draw.numbers | self.cells(), self.draw.names)


@way("protect", "records", records=True)
def records_as_they_are(t):
    t.options["method"] = t.draw.choice(["suppress", "suppress", "interval"])


@way("protect", "records", records=True)
def record_with_bad_field(t):
    each = t.draw.choice(t.records)
    number = t.draw.number(7)
    field, text = t.draw.choice([("value", "{}x"), ("value", "{}e40"), ("value", "-{}"), ("value", ""), ("value", "{}.123"),
                                 ("r", ""), ("r", "T"), ("r", "{}"), ("firm", ""), ("value", "{}" + "9" * 14), ("value", "name")])
    each[field] = t.draw.name() if text == "name" else text.format(number)
    if field == "r":  # else it is a code like any other
        t.job = '[[dimension]]\nname = "r"\n[dimension.tree]\nT = ["a", "b", "c"]\n[[dimension]]\nname = "c"\ntotal = "T"\n'


@way("protect", "records", records=True)
def bad_weights(t):
    t.columns["weight"] = "w"
    t.head = t.draw.choice(["", "weight_decimals = 1\n"])
    for each in t.records:
        each["w"] = f"{t.draw.number(5)}.{t.draw.randint(1, 99):02d}"
    t.draw.choice(t.records)["w"] = t.draw.choice(["", "{}x", "-{}", "{}" + "7" * 12]).format(t.draw.number(6))


@way("protect", "records", records=True)
def columns_exchanged(t):
    t.columns = t.draw.choice([{"value": "firm", "respondent": "value"}, {"value": "value", "respondent": "nobody"},
                               {"value": "value", "respondent": "firm", "request": "firm"}])


@way("protect", "records", records=True)
def levels_beyond(t):
    t.job = t.draw.choice([f"[bounds]\nlower = {t.draw.number(6)}\n", "[bounds]\nupper_percent = 1\n", "[bounds]\nlower_percent = 1\nupper_percent = 1\n",
                           f"[bounds]\nupper = {t.draw.number(6)}\n", "[bounds]\nlower = \"{}x\"\n".format(t.draw.number(6))])


@way("protect", "records", records=True)
def by_hand_in_advance(t):
    number = t.draw.number(6)
    head, line = t.draw.choice([
        ("r;c;status", "a;x;{}"), ("r;c;cost", "a;x;{}x"), ("r;c;status;lower;upper", "a;x;U;{};{}x"), ("r;c;status;lower", "a;x;U;-{}"),
        ("r;c;lower_bound;upper_bound", "a;x;{};1"), ("r;c;status", "{};x;U"), ("r;c;{}", "a;x;U"), ("r;c;lower", "a;x;{}"),
        ("r;c;status;upper", "T;T;U;{}"), ("r;c;status;sliding", "T;T;U;{}9999")])
    t.more = {"hand.csv": head.replace("{}", str(number)) + "\n" + line.replace("{}", str(number)) + "\n"}
    name = "hand.csv"
    if t.draw.random() < 0.5:
        name = "hand.hst"
        line = t.draw.choice(["a;x;C;{}x", "a;x;C;-{}", "a;x;PL;{};x{}", "a;x;{};1", "{};x;U", "a;x;PL;{}", "a;x;U;{}"])
        t.more = {name: line.replace("{}", str(number)) + "\n"}
    t.job = f'[apriori]\nfile = "{name}"\n'


@way("protect", records=True)
def bad_keys(t):
    t.columns["key"] = "key"
    t.columns.pop("value")
    t.columns.pop("respondent")
    t.rules = "[counts]\nthreshold = 3\n"
    each = t.draw.choice(t.records)
    each["key"] = t.draw.choice(["1.{}", "{}", "{}x", "-0.{}", "0.{}123456789123"]).format(t.draw.number(7))
    t.options.update(method="cellkey", ptable="no.csv")


@way("protect", records=True)
def bad_sums_of_a_database(t):
    """What a database has added up, as files; a field is none."""
    leaves = {}
    for each in t.records:
        leaves.setdefault((each["r"], each["c"]), []).append(each)
    leaf = [["d1", "d2", "value", "records", "weight", "settled", "settled_abs", "spread"]]
    top = [["d1", "d2", "who", "c", "req", "waive"]]
    for (r, c), held in sorted(leaves.items()):
        total = t.draw.keep(sum(int(each["value"]) for each in held))
        leaf.append([r, c, str(total), str(len(held)), str(len(held)), str(len(held)), str(total), "0"])
        for each in sorted(held, key=lambda one: -int(one["value"])):
            top.append([r, c, each["firm"], each["value"], "0", "1"])
    lines = t.draw.choice([leaf, leaf, top])
    line = t.draw.choice(lines[1:])
    field = t.draw.randrange(2, len(line))
    line[field] = t.draw.choice(["{}x", "{}", "-{}", "{}.5"]).format(t.draw.number(7))
    spread = [["d1", "d2", "who", "c", "req", "waive"]]
    for name, rows in (("leaf", leaf), ("top_leaf", top), ("spread", spread)):
        t.more[f"sums/{name}.csv"] = "".join(",".join(row) + "\n" for row in rows)
    t.head = 'engine = "postgresql"\nplan = "A"\naggregates = "sums"\ndecimals = 0\nlargest = 9\n'


@way("protect", records=True)
def fixed_width(t):
    t.head = "fixed = [\n" + ",\n".join(f'  {{ name = "{name}", start = {start}, length = {length} }}' for name, start, length in
                                        (("firm", 1, 6), ("r", 7, 1), ("c", 8, 1), ("value", 9, t.draw.choice([7, 9])))) + "\n]\n"
    each = t.draw.choice(t.records)
    each["value"] += t.draw.choice(["x", "", " 7"])
    t.separator, t.header = "", False
    t.lines = lambda: [[one["firm"].ljust(6), one["r"], one["c"], one["value"].rjust(7)] for one in t.records]


# ---- jobs of tau-ARGUS

METADATA = """<SEPARATOR> ";"
Row
<RECODEABLE>
<TOTCODE> T
V
<NUMERIC>
N
<FREQUENCY>
Top1
<MAXSCORE>
St
<STATUS>
"""


@way("argus")
def argus_table(t):
    parts = [t.draw.number(6, 4), t.draw.number(6, 4), t.draw.number(6, 4)]
    tops = [t.draw.keep(part - t.draw.number(5, 7)) for part in parts]
    total = t.draw.keep(sum(parts))
    lines = [["T", str(total), "20", str(max(tops)), "S"]]
    lines += [[name, str(part), "7", str(top), t.draw.choice("SU")] for name, part, top in zip("ABC", parts, tops)]
    line, field = t.draw.choice(lines), t.draw.randrange(1, 6)  # the first is a code, whatever it is
    number = t.draw.number(6)
    if field < 5:
        line[field] = t.draw.choice([f"{number}x", str(number), f"-{number}", f"{number}.5"])
    text = METADATA if t.draw.random() < 0.8 else METADATA.replace("<STATUS>", "<LOWERPL>")
    mode = t.draw.choice("0012")
    job = (f'<OPENTABLEDATA> "t.tab"\n<OPENMETADATA> "t.rda"\n<SPECIFYTABLE> "Row"|"V"||{t.draw.choice(["", "-2"])}\n'
           f'<SAFETYRULE> {t.draw.choice(["MAN(25)", "NK(1,60)", "P(20,1)"])}\n<READTABLE> {mode}\n')
    if t.draw.random() < 0.4:
        job += '<APRIORI> "a.hst",1,";",1,0\n'
    job += t.draw.choice(["<SUPPRESS> OPT(1,5)\n", "<SUPPRESS> GH(1,75)\n", "", "<SUPPRESS> RND(1,100,1,1)\n", "<SUPPRESS> CTA(1)\n"])
    job += f'<WRITETABLE> (1,{t.draw.choice("12345")},,"o.csv")\n'
    hand = t.draw.choice(["A;C;{}x", "A;PL;{};{}", "A;{}", "{};U", "A;C;-{}", "A;PL;-{};1"])
    t.more = {"t.tab": "".join(";".join(each) + "\n" for each in lines), "t.rda": text, "t.arb": job,
              "a.hst": hand.replace("{}", str(t.draw.number(6))) + "\n"}


@way("argus", records=True)
def argus_records(t):
    each = t.draw.choice(t.records)
    field = t.draw.choice(["value", "value", "r", "none"])
    if field != "none":
        each[field] = t.draw.choice(["{}x", "{}", "-{}", ""]).format(t.draw.number(7))
    tree = t.draw.random() < 0.5
    rda = '<SEPARATOR> ";"\nFirm 8\n<RECODEABLE>\nR 8\n<RECODEABLE>\n'
    rda += '<HIERARCHICAL>\n<HIERCODELIST> "r.hrc"\n<HIERLEADSTRING> "@"\n' if tree else ""
    rda += "C 1\n<RECODEABLE>\nV 12\n<NUMERIC>\n"
    job = ('<OPENMICRODATA> "t.asc"\n<OPENMETADATA> "t.rda"\n<SPECIFYTABLE> "R""C"|"V"||\n'
           '<SAFETYRULE> P(15,1)|FREQ(2,10)\n<READMICRODATA>\n')
    job += t.draw.choice(["<SUPPRESS> OPT(1,5)\n", "<SUPPRESS> MOD(1,5,1,1,1)\n", "<SUPPRESS> RND(1,100,1,1)\n"])
    job += f'<WRITETABLE> (1,{t.draw.choice("12345")},,"o.csv")\n'
    t.more = {"t.asc": "".join(";".join([one["firm"], one["r"], one["c"], one["value"]]) + "\n" for one in t.records),
              "t.rda": rda, "t.arb": job, "r.hrc": "a\nb\nc\n"}


@way("plan")
def plan_of_two(t):
    """Two tables of one response that do not say the same."""
    t.differ = t.draw.choice(["value", "status", "broken", "no room"])


# ---- the front ends

PYTHON = r"""
import csv, decimal, io, pathlib, re, sys, traceback, warnings
import lacuna_sdc as lc
folder = pathlib.Path(sys.argv[1])
OWN = {"r": "T", "c": "T"}

def say(number, part, *texts):
    sys.stdout.write(f"{number} {part}\n" + "\n".join(map(str, texts)) + "\x1e\n")

def chain(error, seen=()):
    texts = [*traceback.format_exception(error), repr(error), *map(str, error.args), repr(vars(error))]
    run, audit = getattr(error, "run", None), getattr(error, "audit", None)
    texts += shown(run) if run is not None else []
    texts += shown(audit) if audit is not None else []
    for other in (error.__cause__, error.__context__):
        if other is not None and other not in seen:
            texts += chain(other, (*seen, error))
    return texts + list(getattr(error, "__notes__", ()))

def shown(made):
    texts = [repr(made), str(made)]
    for name in ("_repr_html_", "__format__"):
        if hasattr(made, name):
            texts.append(getattr(made, name)(*([""] if name == "__format__" else [])))
    for name in ("notes", "summary", "log", "verdict", "stopped", "errors", "rows", "attackers", "info"):
        if hasattr(made, name):
            texts.append(str(getattr(made, name)))
    return texts

def frame(path):
    with open(path, newline="") as file:
        return list(csv.DictReader(file, delimiter=";"))

TYPES = {"float": float, "decimal": decimal.Decimal, "bytes": str.encode, "list": lambda x: [x], "tuple": lambda x: (x, 1),
         "object": lambda x: type("Thing", (), {"__repr__": lambda self: x, "__str__": lambda self: x})(), "complex": complex}

def problem(file, options):
    rows = frame(file)
    kind, column = options.pop("types", None), options.pop("typed", None)
    for n, row in enumerate(rows):
        if kind and row[column]:
            try:
                row[column] = TYPES.get(kind, float if n % 2 else str)(row[column])
            except (ValueError, ArithmeticError):
                pass  # a code is no number
    kept = {name: options.pop(name) for name in list(options) if name in COLUMNS}
    dims = OWN if not options.pop("tree", None) else {"r": lc.tree({"T": ["a", "b", "c"]}), "c": "T"}
    return lc.Problem(rows, dims=dims, **kept)

COLUMNS = ("value", "status", "lower", "upper", "lower_level", "upper_level", "weight", "frequency")

def tabulated(file, options):
    rows = frame(file)
    kept = {("unit" if name == "respondent" else name): options.pop(name) for name in list(options)
            if name in ("value", "respondent", "weight", "request")}
    dims = list("rc") if not options.pop("tree", None) else {"r": lc.tree({"T": ["a", "b", "c"]}), "c": None}
    return lc.tabulate(rows, dims=dims, rules=[lc.p_percent(15), lc.frequency(3)], **kept)

def run(number, command, file, second, options):
    if command in ("protect", "frame", "records"):
        table = {"protect": lambda: lc.Problem(file), "frame": lambda: problem(file, options),
                 "records": lambda: tabulated(file, options)}[command]()
        say(number, "problem", *shown(table))
        release = lc.protect(table, **options)
        part = "release" if command == "protect" and file.endswith("t.toml") else "release of a frame"
        say(number, part, *shown(release), *shown(release.audit), *shown(release.certificate))
        say(number, part, release.report(public=True, unasked="publish"))
    elif command == "audit":
        say(number, "audit", *shown(lc.audit(file, second or None, **options)))
    elif command == "released":
        for call in (lambda: lc.audit(file, second), lambda: lc.protect(file, released=second), lambda: lc.protect(file, prefer=second),
                     lambda: lc.report(file, second, public=True)):
            tried(number, call)
    elif command == "verify":
        say(number, "verify", *shown(lc.verify(file, second, **options)))
    elif command == "compare":
        say(number, "compare", *shown(lc.compare(file, methods=["suppress", "round"], base="1000")))
    elif command == "argus":
        made = lc.run_arb(file, write=False)
        say(number, "argus", *shown(made), *(text for table in made.tables for text in shown(table)))
    elif command == "plan":
        say(number, "plan", *shown(lc.run_plan(file, jobs=1)))

def tried(number, call):
    try:
        made = call()
        if not isinstance(made, (str, lc.Release)):
            say(number, "audit", *shown(made))
    except BaseException as error:
        say(number, "error", *chain(error))

for line in open(folder / "calls.tsv"):
    number, command, file, second, *options = line.rstrip("\n").split("\t")
    given = dict(each.split("=", 1) for each in options)
    if "cells" in given:
        given["cells"] = str(folder / number / given["cells"])
    with warnings.catch_warnings(record=True) as heard:
        warnings.simplefilter("always")
        try:
            run(number, command, str(folder / number / file), second and str(folder / number / second), given)
        except BaseException as error:
            say(number, "error", *chain(error))
    say(number, "warning", *(f"{each.category.__name__}: {each.message}" for each in heard))
"""

R = r"""
suppressMessages(library(lacuna))
folder <- commandArgs(TRUE)[1]
say <- function(number, part, texts) cat(number, " ", part, "\n", paste(texts, collapse = "\n"), "\x1e\n", sep = "")
shown <- function(x) {
  ways <- list(function() print(x), function() cat(format(x)), function() print(summary(x)), function() utils::str(x),
               function() print(list(x)), function() cat(notes(x)))
  unlist(lapply(ways, function(way) tryCatch(utils::capture.output(way()), error = conditionMessage)))
}
condition_text <- function(e) {
  texts <- c(conditionMessage(e), deparse(conditionCall(e)), utils::capture.output(print(e)), utils::capture.output(utils::str(e)))
  for (name in intersect(names(e), c("run", "audit"))) if (!is.null(e[[name]])) texts <- c(texts, shown(e[[name]]))
  if (!is.null(e$run)) texts <- c(texts, e$run$log, unlist(e$run$notes))
  texts
}
named <- c(value = "numVar", frequency = "freqVar", weight = "cost_var")
frame_of <- function(file) utils::read.csv(file, sep = ";", colClasses = "character", check.names = FALSE)
typed <- function(frame, options) {
  if (is.null(options$types)) return(frame)
  column <- frame[[options$typed]]
  frame[[options$typed]] <- switch(options$types, float = suppressWarnings(as.numeric(column)), list = as.list(column),
    complex = suppressWarnings(as.complex(column)), bytes = lapply(column, charToRaw), object = factor(column),
    tuple = I(cbind(column, column)), decimal = suppressWarnings(as.Date(as.numeric(column), origin = "1970-01-01")), column)
  frame
}
problem <- function(file, options) {
  columns <- options[intersect(names(options), c("value", "status", "lower", "upper", "lower_level", "upper_level", "weight", "frequency"))]
  names(columns) <- ifelse(names(columns) %in% names(named), named[names(columns)], names(columns))
  trees <- if (is.null(options$tree)) NULL else list(r = list(T = c("a", "b", "c")))
  do.call(sdc_problem, c(list(typed(frame_of(file), options), dimVar = c("r", "c"), totcode = "T", hierarchies = trees), columns))
}
tabulated <- function(file, options) {
  trees <- if (is.null(options$tree)) NULL else list(r = list(T = c("a", "b", "c")))
  sdc_table(frame_of(file), dimVar = c("r", "c"), numVar = options$value, contributorVar = options$respondent,
            sWeightVar = options$weight, requestVar = options$request, hierarchies = trees,
            rules = list(p_rule(15), freq_rule(3)))
}
run_options <- function(options) options[!names(options) %in% c("value", "status", "lower", "upper", "lower_level", "upper_level",
  "weight", "frequency", "respondent", "request", "tree", "types", "typed")]
run <- function(number, command, file, second, options) {
  if (command %in% c("protect", "frame", "records")) {
    table <- switch(command, protect = sdc_problem(file), frame = problem(file, options), records = tabulated(file, options))
    say(number, "problem", shown(table))
    made <- do.call(protect, c(list(table), run_options(options)))
    part <- if (command == "protect" && endsWith(file, "t.toml")) "release" else "release of a frame"
    say(number, part, c(shown(made), shown(audit(made)), shown(certificate(made)), utils::capture.output(print(as.data.frame(made))),
                             unclass(report(made, public = TRUE, unasked = "publish"))))
  } else if (command == "audit") {
    found <- do.call(audit, c(list(file, if (nzchar(second)) second), options))
    say(number, "audit", c(shown(found), utils::capture.output(print(as.data.frame(found)))))
  } else if (command == "released") {
    for (call in list(function() audit(file, second), function() protect(file, released = second), function() protect(file, prefer = second)))
      tryCatch({ made <- call(); if (inherits(made, "sdc_audit")) say(number, "audit", shown(made)) },
               error = function(e) say(number, "error", condition_text(e)))
  } else if (command == "verify") {
    say(number, "verify", shown(do.call(verify, c(list(file, second), options))))
  } else if (command == "compare") {
    say(number, "compare", shown(compare(file, methods = c("suppress", "round"), base = 1000)))
  } else if (command == "argus") {
    made <- run_arb(file, write = FALSE)
    say(number, "argus", c(shown(made), made$log, unlist(made$notes), unlist(lapply(made$tables, shown))))
  }
}
for (line in readLines(file.path(folder, "calls.tsv"))) {
  fields <- strsplit(paste0(line, "\t|"), "\t", fixed = TRUE)[[1]]
  fields <- fields[-length(fields)]
  pairs <- regmatches(fields[-(1:4)], regexpr("=", fields[-(1:4)]), invert = TRUE)
  options <- stats::setNames(lapply(pairs, `[`, 2L), vapply(pairs, `[`, "", 1L))
  here <- function(name) if (nzchar(name)) file.path(folder, fields[1], name) else ""
  if (!is.null(options$cells)) options$cells <- here(options$cells)
  heard <- character()
  tryCatch(withCallingHandlers(run(fields[1], fields[2], here(fields[3]), here(fields[4]), options),
    warning = function(w) { heard <<- c(heard, conditionMessage(w)); invokeRestart("muffleWarning") },
    message = function(m) { heard <<- c(heard, conditionMessage(m)); invokeRestart("muffleMessage") }),
    error = function(e) say(fields[1], "error", condition_text(e)))
  say(fields[1], "warning", heard)
}
"""


class Case:
    """A folder of files, calls, and what is confidential in them."""

    def __init__(self, number, seed):
        self.number = number
        self.name = list(WAYS)[number % len(WAYS)]
        make, self.calls, records = WAYS[self.name]
        draw = Draw(f"{seed} {number}")
        draw.begin()
        self.table = (Records if records else Cells)(draw)
        self.table.more = getattr(self.table, "more", {})
        make(self.table)
        self.secrets = self.table.secrets()
        self.hidden = None  # of the release that the command line has made

    def write(self, folder, lacuna):
        folder = folder / str(self.number)
        folder.mkdir()
        self.folder, self.lacuna = folder, lacuna
        self.table.write(folder)
        for name, text in self.table.more.items():
            (folder / name).parent.mkdir(exist_ok=True)
            (folder / name).write_text(text)
        self.secrets |= self.table.secrets()
        if self.name == "plan_of_two":
            self.write_plan()
        if hasattr(self.table, "tamper"):
            self.tamper()

    def run(self, *words):
        done = subprocess.run([self.lacuna, *words], cwd=self.folder, capture_output=True, text=True, check=False)
        if done.returncode not in (0, 1, 2, 3, 5, 6):
            raise SystemExit(f"{self}: {' '.join(words)} ends with {done.returncode}: {done.stderr}")
        return done

    def write_plan(self):
        table, draw = self.table, self.table.draw
        row = table.rows[table.marked]
        if table.differ == "value":
            other = [cell for cell in table.inner if cell[0] != table.marked[0] and cell[1] != table.marked[1]][0]
            moved = draw.number(5, 3)
            for cell, sign in ((table.marked, 1), ((table.marked[0], other[1]), -1), ((other[0], table.marked[1]), -1), (other, 1)):
                table.rows[cell]["value"] = draw.keep(table.rows[cell]["value"] + sign * moved)
        elif table.differ == "status":
            row["status"] = "z"
        elif table.differ == "broken":
            row["value"] = f"{draw.number(7)}x"
        else:
            for cell, each in table.rows.items():
                each["status"] = "u" if cell == table.marked else "z"
        table.write(self.folder, "u")
        (self.folder / "plan.toml").write_text(
            '[plan]\noutput = "out"\n[[table]]\ninput = "t.toml"\nresponse = "v"\n[[table]]\ninput = "u.toml"\nresponse = "v"\n')
        self.secrets |= table.secrets()

    def tamper(self):
        """A number or a word of a good file becomes another."""
        draw, name = self.table.draw, self.table.tamper
        if name == "p.json":
            self.run("convert", "t.toml", "p.json")
        else:
            self.run("protect", "t.toml", "-o", "o.json", "--certificate", "c.json", "--threads", "1")
        text = (self.folder / name).read_text() if (self.folder / name).exists() else "{}"
        places = list(re.finditer(r'(?<=[:,\[ ])"?-?[\w.]+"?(?=[,\]}\s])', text))
        if places:
            place = draw.choice(places)
            new = draw.choice(["{}", '"{}"', "-{}", "{}.5", '"{}x"', "{}e99", "{}x"]).format(draw.number(7))
            text = text[:place.start()] + new + text[place.end():]
        (self.folder / name).write_text(text)
        self.secrets |= self.table.secrets()

    def lines(self):
        """The calls of Python and R."""
        options = [f"{name}={value}" for name, value in self.table.options.items()]
        columns = [f"{name}={column}" for name, column in self.table.columns.items() if name != "key"]
        if "tree" in self.table.job:
            columns.append("tree=yes")
        if hasattr(self.table, "types"):
            columns += [f"types={self.table.types}", f"typed={self.table.typed}"]
        for call in self.calls:
            if call == "tampered":
                yield from (["verify", "t.toml", "c.json"], ["audit", "t.toml", "o.json"])
            elif call == "released":
                yield ["released", "t.toml", self.table.before]
            elif call in ("jj", "problem_json"):
                yield ["protect", "t.jj" if call == "jj" else "p.json", ""]
            elif call in ("frame", "records"):
                yield [call, "t.csv", "", *columns, *options]
            elif call == "inspect":
                yield ["protect", "t.csv", ""]
            elif call == "argus":
                yield ["argus", "t.arb", ""]
            elif call == "plan":
                yield ["plan", "plan.toml", ""]
            elif call in ("audit", "compare"):
                yield [call, "t.toml", ""]
            else:
                yield [call, "t.toml", "", *options]

    def __str__(self):
        return f"case {self.number} ({self.name})"


def words_of(options):
    for name, value in options.items():
        yield f"--{name.replace('_', '-')}"
        if value not in ("true",):
            yield value


def decimals_in(texts):
    for text in texts:
        try:
            yield decimal.Decimal(text)
        except decimal.InvalidOperation:
            pass


def public_text(path):
    if path.suffix == ".xlsx":
        with zipfile.ZipFile(path) as book:
            return "\n".join(re.sub(r'\b(?:x|r|s|width|rgb|numFmtId)="[^"]*"', "", book.read(name).decode()) for name in book.namelist()
                             if "sheet" in name and name.startswith("xl/worksheets"))
    return path.read_text(encoding="utf-8-sig")


def page_text(html):
    """A page without what every page has: its style and its program; the data stay."""
    html = re.sub(r"<style.*?</style>", "", html, flags=re.S)
    return re.sub(r"<script(?![^>]*json)[^>]*>.*?</script>",
                  lambda found: "" if len(found[0]) > 20000 else found[0], html, flags=re.S)


def by_command_line(cases):
    """Public files, and of every release what it hides."""
    for case in cases:
        if "protect" not in case.calls or "cells" in case.table.options:
            continue
        ending = ENDINGS[case.number // len(WAYS) % len(ENDINGS)]
        words = ["protect", "t.toml", *words_of(case.table.options), "--threads", "1"]
        done = case.run(*words, "-o", "office.csv", "--public", f"public{ending}", "--unasked", "publish")
        if done.returncode != 0 and ending in (".px", ".sdmx.csv"):  # no place for ranges
            ending = ".csv"
            done = case.run(*words, "-o", "office.csv", "--public", f"public{ending}", "--unasked", "publish")
        public = case.folder / f"public{ending}"
        if not public.exists():
            continue
        rows = list(csv.DictReader(io.StringIO((case.folder / "office.csv").read_text(encoding="utf-8-sig")), delimiter=";"))
        shown = set(decimals_in(row["published"] for row in rows if row["published"]))
        shown |= set(decimals_in(row[end] for row in rows for end in ("lower", "upper")
                                 if row.get("state") not in ("withheld", "published")))
        case.run(*words, "-o", "office.json")
        run = json.loads((case.folder / "office.json").read_text()).get("run", {}) if (case.folder / "office.json").exists() else {}
        case.costs = Secrets(n for n in (run.get("objective"), run.get("bound")) if isinstance(n, (int, float)) and abs(n) > 10000)
        case.hidden = case.secrets.without(shown)
        yield case, f"public{ending}", public_text(public), case.hidden
        case.run("report", "t.toml", "office.json", "-o", "page.html", "--public", "--unasked", "publish")
        if (case.folder / "page.html").exists():
            yield case, "public page", page_text((case.folder / "page.html").read_text()), case.hidden


def by_reader(command, folder, cases):
    done = subprocess.run([*command, str(folder)], capture_output=True, text=True, check=False, timeout=3000)
    if done.returncode != 0:
        sys.exit(f"{command[0]} ends with {done.returncode}:\n{done.stderr[-3000:]}")
    everything = Secrets()
    for case in cases:
        everything |= Secrets((), case.secrets.names)
    yield cases[0], "standard error", done.stderr, everything
    for said in done.stdout.split(END)[:-1]:
        head, text = said.split("\n", 1)
        number, part = head.split(" ", 1)
        case = cases[int(number)]
        if part == "release":
            if case.hidden is not None:
                yield case, part, page_text(text), case.hidden | case.costs
        elif part == "release of a frame":  # other options than the job's, so that other cells may be published
            yield case, part, page_text(text), case.secrets.without(case.table.cells())
        else:
            yield case, part, text, case.secrets


def by_server(lacuna, folder, cases):
    """What the log has at the end, and what is exported for the public."""
    sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "serve"))
    import served  # pylint: disable=import-outside-toplevel,import-error

    with served.Server(lacuna, folder) as server:
        for case in cases:
            before = len(server.errors())
            file = "t.arb" if "argus" in case.calls else "t.jj" if "jj" in case.calls else "p.json" if "problem_json" in case.calls else "t.toml"
            opened = server.request("POST", "/api/documents", {"file": f"{case.number}/{file}"})
            if opened.status == 201:
                options = {n: v for n, v in case.table.options.items() if n != "cells"}
                command = "argus" if file == "t.arb" else "protect"
                texts = {n.replace("_", "-"): True if v == "true" else v for n, v in options.items()}
                run = server.request("POST", f"/api/documents/{opened.json()['id']}/runs", {"command": command, "options": texts})
                if run.status == 202:
                    seen = server.finish(run.json()["id"])
                    for what, form in (("public", "csv"), ("public-report", "html")):
                        made = server.request("GET", f"/api/runs/{seen['id']}/export?what={what}&format={form}&unasked=publish")
                        if made.status == 200 and case.hidden is not None:
                            yield case, what, page_text(made.body.decode("utf-8-sig")), case.hidden
                    server.request("DELETE", f"/api/runs/{seen['id']}")
                server.request("DELETE", f"/api/documents/{opened.json()['id']}")
            yield case, "log", server.errors()[before:], case.secrets
        yield cases[-1], "log", server.errors(), cases[-1].secrets


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("lacuna", type=pathlib.Path)
    parser.add_argument("--tables", type=int, default=4 * len(WAYS))
    parser.add_argument("--seed", type=int, default=39)
    parser.add_argument("--python")
    parser.add_argument("--r")
    parser.add_argument("--serve", action="store_true")
    parser.add_argument("--all", action="store_true", help="every leak, not the first of a kind")
    parser.add_argument("--keep", help="a folder for the files of the cases")
    given = parser.parse_args()
    lacuna = str(given.lacuna.resolve())
    failures = try_the_search()
    cases = [Case(number, given.seed) for number in range(given.tables)]
    counts, refused, leaks = {}, {}, {}
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(given.keep or name)
        for case in cases:
            case.write(folder, lacuna)
        (folder / "calls.tsv").write_text("".join("\t".join([str(case.number), *line]) + "\n" for case in cases for line in case.lines()))
        (folder / "read.py").write_text(PYTHON)
        (folder / "read.R").write_text(R)
        readers = {"public files": lambda: by_command_line(cases),
                   "Python": given.python and (lambda: by_reader([given.python, str(folder / "read.py")], folder, cases)),
                   "R": given.r and (lambda: by_reader([given.r, "--vanilla", "--no-echo", "-f", str(folder / "read.R"), "--args"], folder, cases)),
                   "server": given.serve and (lambda: by_server(lacuna, folder, cases))}
        for who, read in readers.items():
            for case, part, text, secrets in read() if read else ():
                counts[who] = counts.get(who, 0) + 1
                refused[who] = refused.get(who, 0) + (part == "error")
                if leak := secrets.found(text):
                    sentence = sentence_at(text, leak[1])
                    kind = who, re.sub(r"\d+|'[^']*'", "", sentence)[:60] if not given.all else (case.number, sentence)
                    leaks.setdefault(kind, f"{who}, {case}, {part}: {leak[0]} is shown: {sentence}")
    failures += leaks.values()
    failures += [f"{who}: nothing was read" for who, read in readers.items() if read and who not in counts]
    failures += [f"{who}: only {refused[who]} of {counts[who]} texts are refusals, so that little is shown" for who in ("Python", "R")
                 if who in counts and refused[who] < given.tables // 2]
    releases = sum(1 for case in cases if case.hidden is not None)
    if given.tables >= len(WAYS) and not releases:
        failures.append("no case ended in a release: public files are not tried")
    print("\n".join(failures))
    print(f"{given.tables} cases of {len(WAYS)} ways, {releases} releases; texts searched: "
          + ", ".join(f"{who} {counts.get(who, 0)}" + (f" ({refused[who]} refusals)" if refused.get(who) else "") for who in readers)
          + f"; {len(failures)} failures")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
