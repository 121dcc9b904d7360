#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""mechanism_property_test.py LACUNA [TABLES [FIRST]]: every method and option against an enumeration of its rule.

For each small random table of counts a method makes a release, and its public file is read from disk. Then every table
of whole numbers is tried: could the rule of the method (docs/knowledge.md, written here a second time, from the page and
not from the library) have printed this file of it? What all such tables have in common is what a reader knows who knows
the method. A count that the program has called protected, but that is the same in all of them, or always one of
1 .. threshold - 1, is a failure; so is an empty category that cannot be anything else where zeros are sensitive. The true
table must be among them, or the rule here is not the program's. LACUNA_SEED=n replays one table."""
import csv, io, itertools, os, pathlib, random, subprocess, sys, tempfile

MOST_NODES = 60_000  # of the search in one release; what is open then is counted
PTABLE = """i;j;p;v;p_ub
0;0;1;0;1
1;0;0.36648551;-1;0.36648551
1;1;0.3664855;0;0.73297101
1;2;0.16757247;1;0.90054348
1;3;0.09945652;2;1
2;0;0.06382714;-2;0.06382714
2;1;0.24469145;-1;0.30851859
2;2;0.38296282;0;0.69148141
2;3;0.24469145;1;0.93617286
2;4;0.06382714;2;1
"""
NOISE = {0: {0}, 1: {-1, 0, 1, 2}, 2: {-2, -1, 0, 1, 2}}  # its rows; the last stands for all counts above


class Drawn:
    """A table of counts over one or two trees of codes; leaves are what can be counted, cells are sets of them."""

    def __init__(self, rng, empty=0.15):
        trees = rng.choice([[3], [4], [2, 2], [2, 2], [2, 3], [3, 2], ["tree"], ["tree", 2]])
        self.codes, self.trees = [], trees
        for size in trees:
            if size == "tree":  # T = A + b, A = a1 + a2
                self.codes.append([("T", "a1 a2 b"), ("A", "a1 a2"), ("a1", "a1"), ("a2", "a2"), ("b", "b")])
            else:
                leaves = "xyzuv"[:size]
                self.codes.append([("T", " ".join(leaves))] + [(leaf, leaf) for leaf in leaves])
        inner = [[code for code, below in codes if below == code] for codes in self.codes]
        self.leaves = list(itertools.product(*inner))
        self.cells = {}  # codes of a cell -> its leaves
        for names in itertools.product(*self.codes):
            self.cells[tuple(code for code, _ in names)] = [
                i for i, leaf in enumerate(self.leaves) if all(l in n[1].split() for l, n in zip(leaf, names))]
        most = rng.choice([3, 4, 6, 9])
        self.counts = [0 if rng.random() < empty else rng.randint(0, most) for _ in self.leaves]

    def value(self, cell, counts=None):
        return sum((counts or self.counts)[i] for i in self.cells[cell])

    def level(self, d, code):
        """Total or not, and finer: how deep, and whether a leaf."""
        below = dict(self.codes[d])[code].split()
        deep = 0 if code == "T" else 2 if code in ("a1", "a2") else 1
        return code != "T", (deep, below == [code])

    def kinds(self, cell):
        """The kinds of rows to which the row of a cell belongs: all, equal totals, equal levels."""
        levels = [self.level(d, code) for d, code in enumerate(cell)]
        return ["all", ("totals", *(coarse for coarse, _ in levels)), ("levels", *(fine for _, fine in levels))]


def never_empty(drawn, rows):
    """The cells of a file whose rows show that empty ones have none: of some kind of rows none is zero, and a combination
    of the codes that the file or a hierarchy has is not there. `rows` has their true counts."""
    seen = [{cell[d] for cell in rows} | ({code for code, _ in codes} if tree == "tree" else set())
            for d, (codes, tree) in enumerate(zip(drawn.codes, drawn.trees))]
    zero, lacks = set(), set()
    for cell in itertools.product(*seen):
        if cell not in rows:
            lacks.update(drawn.kinds(cell))
        elif rows[cell] == 0:
            zero.update(drawn.kinds(cell))
    return {cell for cell in rows if any(kind in lacks and kind not in zero for kind in drawn.kinds(cell))}


class Areas(Drawn):
    """Wards and districts of the same persons, each by age. In every unit, a ward in a district, somebody is."""

    def __init__(self, rng):
        pairs = [("w0", "d0"), ("w1", "d1")] + [pair for pair in (("w0", "d1"), ("w1", "d0")) if rng.random() < 0.7]
        self.trees = [2, 2, 2]
        self.codes = [[("T", ""), (f"{name}0", ""), (f"{name}1", "")] for name in "wdc"]
        self.leaves = [(*pair, age) for pair in sorted(pairs) for age in ("c0", "c1")]
        self.units = [[i, i + 1] for i in range(0, len(self.leaves), 2)]
        self.cells = {}
        for ward, district in [("T", "T"), ("w0", "T"), ("w1", "T"), ("T", "d0"), ("T", "d1")]:
            for age in ("T", "c0", "c1"):
                cell = (ward, district, age)
                self.cells[cell] = [i for i, leaf in enumerate(self.leaves)
                                    if all(code in ("T", own) for code, own in zip(cell, leaf))]
        self.counts = [rng.randint(0, rng.choice([2, 5])) for _ in self.leaves]
        for unit in self.units:
            if sum(self.counts[i] for i in unit) == 0:
                self.counts[rng.choice(unit)] = 1


# ---- what can be asked for

def options(*words):
    return lambda rng: [str(rng.choice(word)) if isinstance(word, list) else word for word in words]


WAYS = {  # name: method and options, rules of counts, how the table is given
    "suppress": (options("--method", "suppress"), {}, "table"),
    "suppress nonzero": (options("--method", "suppress"), {"withheld_means": "nonzero"}, "table"),
    "suppress rule": (options("--method", "suppress"), {"withheld_means": "rule"}, "table"),
    "suppress sensitive zeros": (options("--method", "suppress"), {"zeros": "sensitive"}, "table"),
    "suppress records": (options("--method", "suppress"), {}, "records"),
    "suppress records, empty listed": (options("--method", "suppress"), {}, "records all"),
    "suppress, some zeros listed": (options("--method", "suppress"), {}, "some rows"),
    "round, some zeros listed": (options("--method", "round", "--base", [3, 5]), {}, "some rows"),
    "interval": (options("--method", "interval"), {}, "table"),
    "interval nonzero": (options("--method", "interval"), {"withheld_means": "nonzero"}, "table"),
    "interval records": (options("--method", "interval"), {}, "records"),
    "interval centred": (options("--method", "interval", "--off-center", "0"), {}, "table"),
    "interval digits": (options("--method", "interval", "--interval-digits", "1"), {}, "table"),
    "combined": (options("--method", "combined"), {}, "table"),
    "round": (options("--method", "round", "--base", [3, 4, 5]), {}, "table"),
    "round records": (options("--method", "round", "--base", [3, 5]), {}, "records"),
    "round unbiased": (options("--method", "round", "--base", [3, 5], "--unbiased"), {}, "table"),
    "round steps": (options("--method", "round", "--base", [2, 3], "--steps", [1, 2]), {}, "table"),
    "round max-changed": (options("--method", "round", "--base", [3, 4], "--max-changed", [3, 5, 7]), {}, "table"),
    "round exact-multiples": (options("--method", "round", "--base", [2, 3, 4, 5], "--exact-multiples"), {}, "table"),
    "round no-small-counts": (options("--method", "round", "--base", [1, 2, 3], "--no-small-counts"), {}, "table"),
    "round no-small-counts, exact-multiples": (
        options("--method", "round", "--base", [1, 2, 3], "--no-small-counts", "--exact-multiples"), {}, "table"),
    "round no-small-counts, steps": (
        options("--method", "round", "--base", [1, 2], "--no-small-counts", "--steps", "1"), {}, "table"),
    "round midpoint": (options("--method", "round", "--midpoint", "--base", [3, 5, 6]), {}, "table"),
    "perturb": (options("--method", "perturb", "--range", [20, 50, 100]), {}, "table"),
    "perturb sensitive zeros": (options("--method", "perturb", "--range", [50, 100]), {"zeros": "sensitive"}, "table"),
    "mixed rounded": (options("--method", "mixed", "--sensitive-as", "rounded", "--others-as", "rounded", "--totals-as",
                              ["rounded", "exact"], "--base", [3, 4], "--exact-multiples"), {}, "table"),
    "mixed intervals": (options("--method", "mixed", "--sensitive-as", "interval", "--others-as", "interval",
                                "--totals-as", ["interval", "exact"]), {}, "table"),
    "mixed perturbed": (options("--method", "mixed", "--sensitive-as", "perturbed", "--others-as", "perturbed",
                                "--totals-as", "perturbed", "--range", [50, 100]), {}, "table"),
    "small-counts": (options("--method", "small-counts", "--base", [3, 4, 5]), {}, "table"),
    "small-counts records": (options("--method", "small-counts", "--base", [3, 5]), {}, "records"),
    "suppress areas": (options("--method", "suppress"), {}, "areas"),
    "cellkey": (options("--method", "cellkey", "--ptable", "pt.txt", "--exposed", "withhold"), {}, "keys"),
    "cellkey least-count": (options("--method", "cellkey", "--ptable", "pt.txt", "--exposed", "withhold",
                                    "--least-count", [2, 3, 4]), {}, "keys"),
}
REFUSED = {"perturb", "perturb sensitive zeros", "mixed perturbed"}  # the width of a printed range tells the count


# ---- the rules of the methods, forward: which rows can be printed of a count y

def is_small(number):
    return number in (1, 2)


def multiples_shown(y, base, steps, no_small):
    """Controlled rounding: the neighbouring multiples, `steps` more on either side, never below zero."""
    low = y // base * base
    high = low if low == y else low + base
    if no_small:
        while is_small(low):
            low -= base
        while is_small(high):
            high += base
    return [v for v in range(max(low - steps * base, 0), high + steps * base + 1, base) if not (no_small and is_small(v))]


class Rule:
    def __init__(self, drawn, words, counts, given, threshold, rows):
        self.drawn, self.words, self.counts, self.given = drawn, words, counts, given
        self.threshold, self.rows, self.method = threshold, rows, words[1]
        listed = {cell: drawn.value(cell) for cell in rows}
        self.never_empty = {"records": set(rows), "some rows": never_empty(drawn, listed)}.get(given, set())
        self.steps = self.steps_used()

    def steps_used(self):
        """What a reader takes from the file: the steps of rounded numbers, or those that fit the ranges of the others."""
        stated = [int(row["steps"]) for row in self.rows.values() if row.get("steps")]
        if stated or not self.has("--steps"):
            return max(stated, default=0)
        base, no_small = self.number("--base"), self.has("--no-small-counts")
        for steps in range(self.number("--steps") + 1):
            def spans(row):
                v, low, high = (int(row[name]) for name in ("value", "lower", "upper"))
                shown = [y for y in range(high + 2) if v in multiples_shown(y, base, steps, no_small)]
                return (shown[0], shown[-1]) == (low, high)
            if all(spans(row) for row in self.rows.values() if row["state"] == "altered"):
                return steps
        raise ValueError("the ranges of the file are those of no number of steps")

    def has(self, word):
        return word in self.words

    def number(self, word):
        return int(self.words[self.words.index(word) + 1])

    def sensitive(self, y):
        return 0 < y < self.threshold or (y == 0 and self.counts.get("zeros") == "sensitive")

    def could(self, cell, y):
        """Whether the row of the cell can be printed where its count is y."""
        row = self.rows.get(cell)
        if row is None:  # only an empty cell has no row
            return y == 0
        if y == 0 and cell in self.never_empty:
            return False
        state = row["state"]
        if state == "published":
            return y == int(row["value"])
        if state == "withheld":
            return self.withheld(cell, y)
        if state == "interval":
            return self.interval(cell, y, int(row["lower"]), int(row["upper"]))
        return self.numbered(cell, y, row)

    def zeros_are_shown(self):
        return self.counts.get("withheld_means", "any") != "any" and self.counts.get("zeros") != "sensitive"

    def withheld(self, cell, y):
        if self.counts.get("withheld_means") == "rule":  # primaries are marked
            return self.sensitive(y) == self.sensitive(self.drawn.value(cell))
        return y > 0 or not self.zeros_are_shown()

    def interval(self, cell, y, lower, upper):
        if self.method == "cellkey":  # left out because its number is below the least
            return any(v - y in NOISE[min(y, 2)] for v in range(self.number("--least-count")))
        return lower <= y <= upper and (y > 0 or not self.zeros_are_shown())

    def numbered(self, cell, y, row):
        v = int(row["value"])
        if self.method == "cellkey":
            return v - y in NOISE[min(y, 2)]
        if self.method == "small-counts":
            base = self.number("--base")
            if len(self.drawn.cells[cell]) > 1:
                return True  # what is known of a sum is what is known of its parts
            return y < base if v == 0 else 1 <= y <= base if v == base else y == v
        if self.has("--midpoint"):
            base = self.number("--base")
            return y > 0 and -(-y // base) * base - base // 2 == v
        return self.rounded(y, v, self.number("--base"))

    def rounded(self, y, v, base):
        no_small = self.has("--no-small-counts")
        if self.has("--exact-multiples") and self.steps == 0 and y % base == 0 and not (no_small and is_small(y)):
            return False  # it would be published
        return v in multiples_shown(y, base, self.steps, no_small)

    def together(self, counts):
        """In every unit of two geographies somebody is; cells with the same units have the same key and number."""
        if self.given == "areas":
            return all(any(counts[i] for i in unit) for unit in self.drawn.units)
        if self.method != "cellkey":
            return True
        seen = {}
        for cell, leaves in self.drawn.cells.items():
            row = self.rows.get(cell)
            if row is None or row["state"] == "withheld":
                continue
            units, shown = tuple(i for i in leaves if counts[i] > 0), row["value"] or "left out"
            if seen.setdefault(units, shown) != shown:
                return False
        return True


# ---- all tables that could have given the file

class Enumeration:
    def __init__(self, drawn, rule, rng):
        self.drawn, self.rule, self.nodes = drawn, rule, 0
        most = sum(drawn.counts) + 12
        self.possible = {cell: [rule.could(cell, y) for y in range(most + 1)] for cell in drawn.cells}
        self.largest = {cell: max((y for y in range(most + 1) if may[y]), default=-1)
                        for cell, may in self.possible.items()}
        self.through = [[c for c, leaves in drawn.cells.items() if i in leaves] for i in range(len(drawn.leaves))]
        self.last = {cell: leaves[-1] for cell, leaves in drawn.cells.items()}
        self.order = []
        for i in range(len(drawn.leaves)):  # near the truth first, then whatever
            top = min(self.largest[cell] for cell in self.through[i])
            values = list(range(top + 1))
            rng.shuffle(values)
            self.order.append(sorted(values, key=lambda y: abs(y - drawn.counts[i]) > 4))
        self.sums = {cell: 0 for cell in drawn.cells}

    def search(self, visit):
        """Calls visit(counts) for every table until it returns True. False: given up."""
        counts = [0] * len(self.drawn.leaves)
        return self.fill(0, counts, visit) is not None or self.nodes <= MOST_NODES

    def fill(self, i, counts, visit):
        self.nodes += 1
        if self.nodes > MOST_NODES:
            return True
        if i == len(counts):
            return True if self.rule.together(counts) and visit(counts) else None
        for value in self.order[i]:
            counts[i] = value
            for cell in self.through[i]:
                self.sums[cell] += value
            fits = all(self.sums[cell] <= self.largest[cell] and
                       (self.last[cell] != i or self.possible[cell][self.sums[cell]]) for cell in self.through[i])
            done = self.fill(i + 1, counts, visit) if fits else None
            for cell in self.through[i]:
                self.sums[cell] -= value
            if done:
                return True
        counts[i] = 0
        return None


def questions(drawn, rule):
    """(kind, cell, what a table must show so that it is not told)."""
    for cell in drawn.cells:
        y = drawn.value(cell)
        if rule.rows.get(cell) is None:
            continue  # everyone knows that it is empty
        if rule.sensitive(y):
            yield "exact", cell, lambda other, y=y: other != y
        if 0 < y < rule.threshold and rule.counts.get("withheld_means") != "rule":
            yield "small", cell, lambda other: other == 0 or other >= rule.threshold
        if y == 0 and rule.sensitive(y):
            yield "zero", cell, lambda other: other >= 1


def told(drawn, rule, rng):
    """What is told of the questions; None: the search was given up."""
    for cell in drawn.cells:
        if not rule.could(cell, drawn.value(cell)):
            return [("the rule of this test does not give the file", cell)]
    if not rule.together(drawn.counts):
        return [("the rule of this test does not give the file", "keys")]
    open_questions = {(kind, cell): test for kind, cell, test in questions(drawn, rule)}
    if not open_questions:
        return []

    def visit(counts):
        for key in [k for k, test in open_questions.items() if test(drawn.value(k[1], counts))]:
            del open_questions[key]
        return not open_questions

    enumeration = Enumeration(drawn, rule, rng)
    enumeration.search(visit)
    if open_questions and enumeration.nodes > MOST_NODES:
        return None
    return sorted(open_questions)


# ---- files

def write_job(folder, drawn, given, counts, threshold, rng):
    names = [f"d{i}" for i in range(len(drawn.codes))]
    keys = given == "keys"
    if given in ("table", "some rows"):
        rows = {cell: drawn.value(cell) for cell in drawn.cells}
        if given == "some rows":  # empty cells have rows in some margins, and none in the others
            listing = [kind for kind in sorted({drawn.kinds(cell)[1] for cell in rows}) if rng.random() < 0.4]
            rows = {cell: n for cell, n in rows.items() if n > 0 or drawn.kinds(cell)[1] in listing}
        lines = [";".join(names + ["n"])] + [";".join([*cell, str(n)]) for cell, n in rows.items()]
        job = '[input]\ntable = "t.csv"\n[columns]\nfrequency = "n"\n'
    else:
        lines = [";".join(names + (["k"] if keys else []))]
        for leaf, count in zip(drawn.leaves, drawn.counts):
            lines += [";".join([*leaf] + ([f"{rng.random():.8f}"] if keys else [])) for _ in range(count)]
        job = '[input]\nrecords = "t.csv"\nseparator = ";"\n'
        job += "empty_cells = true\n" if given != "records" else ""
        job += '[columns]\nkey = "k"\n' if keys else ""
    (folder / "t.csv").write_text("\n".join(lines) + "\n")
    for i, (name, tree) in enumerate(zip(names, drawn.trees)):
        job += f'[[dimension]]\nname = "{name}"\ntotal = "T"\n'
        if tree == "tree":
            (folder / f"{name}.hrc").write_text("A\n@a1\n@a2\nb\n")
            job += f'hierarchy = "{name}.hrc"\n'
        elif given not in ("table", "some rows") and (given != "areas" or i == 2):
            job += "codes = [" + ", ".join(f'"{code}"' for code, _ in drawn.codes[i]) + "]\n"
    if given == "areas":
        job += '[[table]]\nname = "wards"\ndimensions = ["d0", "d2"]\n'
        job += '[[table]]\nname = "districts"\ndimensions = ["d1", "d2"]\n'
        job += '[differencing]\nareas = ["d0", "d1"]\n'
    kinds = ["exact", "small"] + (["zero"] if counts.get("zeros") == "sensitive" else [])
    job += f"[counts]\nthreshold = {threshold}\nkinds = {kinds}\n".replace("'", '"')
    job += "".join(f'{name} = "{word}"\n' for name, word in counts.items())
    (folder / "job.toml").write_text(job)
    (folder / "pt.txt").write_text(PTABLE)


def read_public(path, drawn):
    dims = len(drawn.codes)
    text = path.read_text(encoding="utf-8-sig")
    table = csv.DictReader(io.StringIO(text), delimiter=";")
    return {tuple(row[name] for name in table.fieldnames[:dims]): row for row in table}


def at_ends(drawn, rows):
    """Of intervals: how many there are, and of how many the truth is an end or the middle."""
    ends = [(drawn.value(cell), int(row["lower"]), int(row["upper"])) for cell, row in rows.items()
            if row["state"] == "interval"]
    return len(ends), sum(y == high or y == low > 0 or 2 * y == low + high for y, low, high in ends)


def one_table(lacuna, seed, folder, intervals):
    """The name of the way and what came of it: refused, safe, open, or what is told."""
    rng = random.Random(seed)
    name = list(WAYS)[seed % len(WAYS)]
    make, counts, given = WAYS[name]
    drawn = Areas(rng) if given == "areas" else Drawn(rng, 0.4 if given == "some rows" else 0.15)
    threshold = rng.choice([2, 3, 3, 4, 6])
    words = make(rng)
    write_job(folder, drawn, given, counts, threshold, rng)
    public = folder / "p.csv"
    public.unlink(missing_ok=True)
    command = [lacuna, "protect", "job.toml", *words, "--threads", "1", "--public", "p.csv", "--seed", str(seed)]
    run = subprocess.run(command, cwd=folder, capture_output=True, text=True)
    if name in REFUSED:
        refused = run.returncode == 1 and "counts are not perturbed within printed ranges" in run.stderr
        return name, "refused" if refused and not public.exists() else "failed", run.stderr.strip()
    if run.returncode != 0 or not public.exists():
        if run.returncode in (1, 2, 3, 5) and not public.exists():
            return name, "refused", run.stderr.strip()
        return name, "failed", f"exit {run.returncode}: {run.stderr.strip()}"
    rows = read_public(public, drawn)
    if "--off-center" not in words and words[1] != "cellkey":
        intervals[:] = [a + b for a, b in zip(intervals, at_ends(drawn, rows))]
    found = told(drawn, Rule(drawn, words, counts, given, threshold, rows), rng)
    if found is None:
        return name, "open", ""
    detail = f"threshold {threshold}, {' '.join(words)}\n{(folder / 't.csv').read_text()}---\n{public.read_text()}"
    return name, "safe" if not found else "told", f"{found}\n{detail}" if found else ""


def main():
    lacuna, tables = sys.argv[1], int(sys.argv[2]) if len(sys.argv) > 2 else 300
    first = int(sys.argv[3]) if len(sys.argv) > 3 else 0
    seeds = [int(os.environ["LACUNA_SEED"])] if "LACUNA_SEED" in os.environ else range(first, first + tables)
    outcomes, reasons, bad, intervals = {}, {}, 0, [0, 0]
    with tempfile.TemporaryDirectory() as folder:
        for seed in seeds:
            name, what, detail = one_table(os.path.abspath(lacuna), seed, pathlib.Path(folder), intervals)
            outcomes.setdefault(name, {}).setdefault(what, []).append(seed)
            reasons.setdefault((name, what), detail)
            bad += what in ("told", "failed")
    for name, by_what in outcomes.items():
        print(f"{name}: " + ", ".join(f"{len(seeds)} {what}" for what, seeds in sorted(by_what.items())))
        for what in ("told", "failed"):
            if what in by_what:
                print(f"  {what} with LACUNA_SEED {by_what[what][:20]}, the first:\n  {reasons[name, what]}")
    every = len(seeds) >= 8 * len(WAYS)  # enough of each for a release
    silent = [name for name in WAYS if every and name not in REFUSED and "safe" not in outcomes.get(name, {})]
    for name in silent:
        print(f"{name}: no release was judged; the last refusal: {reasons.get((name, 'refused'), '')}")
    # Were it never one of them, a reader could leave these three numbers out (docs/intervals.md, section 6).
    print(f"{intervals[1]} of {intervals[0]} intervals have the truth at an end or in the middle")
    avoids = intervals[0] > 200 and intervals[1] < intervals[0] / 20
    print(f"{len(seeds)} tables, {bad} told or failed")
    return 1 if bad or silent or avoids else 0


if __name__ == "__main__":
    sys.exit(main())
