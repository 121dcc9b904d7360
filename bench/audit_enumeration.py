# SPDX-License-Identifier: Apache-2.0
"""What readers can infer from a release of a small table, without a line of the program: exact ends of ranges by a
simplex in whole numbers, and all tables of counts that fit. For same_audits.py; docs/audit.md and docs/counts.md say
what is to be found.

The tables that cannot be ruled out are y = a + z with M z = 0 and z within rooms. Elimination gives z = N t, so that
A t <= b with b >= 0, and t = 0 is where the simplex begins. Every answer of it is checked: the point is inside, and
multipliers of the rows of A that are not negative give the same number (or a ray goes on for ever)."""

from fractions import Fraction
from math import ceil, floor, gcd, lcm

from audit_draws import said, sums, told

FAR = 9  # counts are tried so far from the truth where nothing bounds them


class TooLarge(Exception):
    """More tables than anybody wants to wait for."""


def least(*numbers):
    numbers = [number for number in numbers if number is not None]
    return min(numbers) if numbers else None


# ---- the rooms of a reader

def rooms(case, attacker, whole):
    """(down, up) of every cell; None: no limit. `whole`: by what the rule of the release tells of counts, too."""
    entries = {entry["cell"]: entry for entry in case.entries}
    strict = whole and all(abs(case.value(c) - e["value"]) < e["base"] * (e.get("steps", 0) + 1)
                           for c, e in entries.items() if e["state"] == "rounded")
    known = {item["cell"]: item for item in case.problem["attackers"][attacker]["known"]}
    found = []
    for cell in range(len(case.problem["cells"])):
        value = case.value(cell)
        bounds = [case.prior(cell)]
        if cell not in entries:
            bounds.append((value, value))
        else:
            bounds.append(told(case, entries[cell], strict) if whole else said(entries[cell]))
        if cell in known:
            bounds.append((known[cell]["lower"], known[cell]["upper"]))
        if whole:
            bounds.append((0, None))
        found.append((least(*(None if low is None else value - low for low, _ in bounds)),
                      least(*(None if high is None else high - value for _, high in bounds))))
    return found


def differences(case):
    """Forms that are at least 1 because numbers of cell keys differ (docs/knowledge.md), stated over persons: all of P
    are in Q and all of Q in P if nobody is outside of what they share."""
    shown = {e["cell"]: e["value"] for e in case.entries if "by" in e}
    cell_of = {below: cell for cell, below in enumerate(case.leaves or [])}
    forms = []
    for p in sorted(shown):
        for q in sorted(shown):
            if p < q and shown[p] != shown[q]:
                both = cell_of.get(case.leaves[p] & case.leaves[q])
                form = {p: 1, q: 1}
                if both is not None:
                    form[both] = form.get(both, 0) - 2
                elif case.leaves[p] & case.leaves[q]:
                    continue  # two groupings: what they share is no cell
                forms.append({cell: factor for cell, factor in form.items() if factor})
    return forms


# ---- linear algebra

def null_space(rows, cells):
    """{cell: {free cell: factor}} of all z with M z = 0, by elimination over the fractions."""
    solved = {}  # pivot -> {cell: factor}, z_pivot = sum of factor z_cell
    for row in rows:
        left = {}
        for cell, factor in row.items():
            for other, times in solved.get(cell, {cell: Fraction(1)}).items():
                left[other] = left.get(other, 0) + factor * times
        left = {cell: factor for cell, factor in left.items() if factor}
        if not left:
            continue
        pivot = max(left)
        own = left.pop(pivot)
        line = {cell: -factor / own for cell, factor in left.items()}
        for item in solved.values():
            times = item.pop(pivot, 0)
            for cell, factor in line.items() if times else ():
                item[cell] = item.get(cell, 0) + times * factor
                if not item[cell]:
                    del item[cell]
        solved[pivot] = line
    return {cell: solved.get(cell, {cell: Fraction(1)}) for cell in cells}


class Simplex:
    """max c't over A t <= b, b >= 0, t free: whole numbers over one denominator, Bland's rule, begun at the last vertex."""

    def __init__(self, rows, bounds, size):
        self.rows, self.bounds, self.size = rows, bounds, size
        self.table = [[*row, bound] for row, bound in zip(rows, bounds)]
        self.denominator = 1
        self.columns = list(range(size))                      # 0 .. size - 1: t; from size on: the slack of a row
        self.basis = list(range(size, size + len(rows)))
        self.signs = [1] * size                               # of t that were turned round

    def objective(self, goal):
        """The row z + e x = e_0, over the denominator."""
        row = [0] * (self.size + 1)
        for j, variable in enumerate(self.columns):
            if variable < self.size:
                row[j] -= goal[variable] * self.signs[variable] * self.denominator
        for i, variable in enumerate(self.basis):
            if variable < self.size and goal[variable]:
                times = goal[variable] * self.signs[variable]
                row = [e + times * number for e, number in zip(row, self.table[i])]
        return row

    def leaving(self, column):
        """The row that stops the column first; None: nothing does."""
        best = None
        for i, variable in enumerate(self.basis):
            entry = self.table[i][column]
            if variable >= self.size and entry > 0:
                key = (Fraction(self.table[i][-1], entry), variable)
                if best is None or key < best[0]:
                    best = (key, i)
        return None if best is None else best[1]

    def pivot(self, r, c):
        table, old = self.table, self.denominator
        line, new = table[r], table[r][c]
        for i, row in enumerate(table):
            if i != r:
                times = row[c]
                table[i] = [(number * new - times * other) // old for number, other in zip(row, line)]
                table[i][c] = -times
        line[c] = old
        self.denominator = new
        self.columns[c], self.basis[r] = self.basis[r], self.columns[c]

    def turn(self, column):
        self.signs[self.columns[column]] *= -1
        for row in self.table:
            row[column] = -row[column]

    def entering(self, row):
        order = sorted(range(self.size), key=lambda j: self.columns[j])
        return next((j for j in order if row[j] < 0 or (row[j] > 0 and self.columns[j] < self.size)), None)

    def most(self, goal):
        """The largest c't, or None if there is none."""
        while True:
            row = self.objective(goal)
            column = self.entering(row)
            if column is None:
                self.check_point(goal, row)
                return Fraction(row[-1], self.denominator)
            if row[column] > 0:
                self.turn(column)
            r = self.leaving(column)
            if r is None:
                self.check_ray(goal, column)
                return None
            self.pivot(r, column)

    def point(self):
        t = [0] * self.size
        for i, variable in enumerate(self.basis):
            if variable < self.size:
                t[variable] = self.signs[variable] * self.table[i][-1]
        return t

    def check_point(self, goal, row):
        t, d = self.point(), self.denominator
        inside = all(sum(a * x for a, x in zip(line, t)) <= bound * d for line, bound in zip(self.rows, self.bounds))
        multipliers = {variable - self.size: row[j] for j, variable in enumerate(self.columns) if variable >= self.size}
        slopes = [sum(y * self.rows[i][k] for i, y in multipliers.items()) for k in range(self.size)]
        proven = slopes == [d * c for c in goal] and min(multipliers.values(), default=0) >= 0
        same = sum(y * self.bounds[i] for i, y in multipliers.items()) == sum(c * x for c, x in zip(goal, t)) == row[-1]
        if not (inside and proven and same):
            raise AssertionError("the simplex of the bench is wrong")

    def check_ray(self, goal, column):
        t = [0] * self.size
        for i, variable in enumerate(self.basis):
            if variable < self.size:
                t[variable] = -self.signs[variable] * self.table[i][column]
        if self.columns[column] < self.size:
            t[self.columns[column]] = self.signs[self.columns[column]] * self.denominator
        if sum(c * x for c, x in zip(goal, t)) <= 0 or any(sum(a * x for a, x in zip(line, t)) > 0 for line in self.rows):
            raise AssertionError("a ray of the bench is none")


# ---- one reader

class Reader:
    """What one attacker can infer. `more`: (form, least value) besides the cells."""

    def __init__(self, case, attacker, whole):
        self.case, self.whole = case, whole
        self.rooms = rooms(case, attacker, whole)
        cells = [cell for cell, room in enumerate(self.rooms) if room != (0, 0)]
        free = set(cells)
        rows = [{c: f for c, f in merged(item).items() if c in free} for item in case.problem["equations"]]
        self.moves = null_space(rows, cells)
        self.coordinates = sorted({cell for line in self.moves.values() for cell in line})
        self.limits = []  # (row over the coordinates, most), whole numbers
        for cell in cells:
            down, up = self.rooms[cell]
            self.limit({cell: 1}, up)
            self.limit({cell: -1}, down)
        for form in differences(case):
            value = sum(factor * case.value(cell) for cell, factor in form.items())
            if value < 1:
                raise AssertionError("the truth is against a difference")
            self.limit({cell: -factor for cell, factor in form.items()}, value - 1)
        self.simplex = Simplex([row for row, _ in self.limits], [most for _, most in self.limits], len(self.coordinates))
        self.points = None

    def over_coordinates(self, form):
        total = dict.fromkeys(self.coordinates, Fraction(0))
        for cell, factor in form.items():
            for other, times in self.moves.get(cell, {}).items():
                total[other] += factor * times
        return list(total.values())

    def limit(self, form, most):
        row = self.over_coordinates(form)
        if most is not None and any(row):
            scale = lcm(*(number.denominator for number in row), Fraction(most).denominator)
            row, most = [int(number * scale) for number in row], int(most * scale)
            by = gcd(*row, most)
            self.limits.append(([number // by for number in row], most // by))

    def truth(self, form):
        return sum(factor * self.case.value(cell) for cell, factor in form.items())

    def ends(self, form):
        """Least and largest value over the fractions; None: no end."""
        row = self.over_coordinates(form)
        scale = lcm(1, *(number.denominator for number in row))
        goal, value = [int(number * scale) for number in row], self.truth(form)
        down, up = self.simplex.most([-number for number in goal]), self.simplex.most(goal)
        return None if down is None else value - down / scale, None if up is None else value + up / scale

    # -- all tables in whole numbers

    def enumerate(self, budget=40000):
        """self.points: t of every table; self.complete: no coordinate was cut off."""
        self.complete, spans = True, []
        for k, cell in enumerate(self.coordinates):
            low, high = self.ends({cell: 1})
            self.complete = self.complete and low is not None and high is not None
            value = self.case.value(cell)
            spans.append((-FAR if low is None else ceil(low) - value, FAR if high is None else floor(high) - value))
        order = sorted(range(len(spans)), key=lambda k: spans[k][1] - spans[k][0])
        rest = [[0] * (len(order) + 1) for _ in self.limits]  # the least that coordinates from here on add to a row
        for i, (row, _) in enumerate(self.limits):
            for at in range(len(order) - 1, -1, -1):
                k = order[at]
                rest[i][at] = rest[i][at + 1] + min(row[k] * spans[k][0], row[k] * spans[k][1])
        self.points, self.budget = [], budget
        self.place(0, order, spans, rest, [0] * len(order), [0] * len(self.limits))

    def place(self, at, order, spans, rest, t, sums_so_far):
        self.budget -= 1
        if self.budget < 0:
            raise TooLarge
        if at == len(order):
            if self.is_whole(t):
                self.points.append(list(t))
            return
        k = order[at]
        for number in range(spans[k][0], spans[k][1] + 1):
            now = [s + row[k] * number for s, (row, _) in zip(sums_so_far, self.limits)]
            if all(s + more[at + 1] <= most for s, more, (_, most) in zip(now, rest, self.limits)):
                t[k] = number
                self.place(at + 1, order, spans, rest, t, now)
        t[k] = 0

    def is_whole(self, t):
        moved = dict(zip(self.coordinates, t))
        holes = {e["cell"]: e["among"] for e in self.case.entries if "among" in e}
        for cell, line in self.moves.items():
            z = sum(factor * moved[other] for other, factor in line.items())
            if z.denominator != 1 or (cell in holes and self.case.value(cell) + z not in holes[cell]):
                return False
        return True

    def values(self, form):
        """All values that were found."""
        if self.points is None:
            self.enumerate()
        row, value = self.over_coordinates(form), self.truth(form)
        terms = [(k, factor) for k, factor in enumerate(row) if factor]
        return {int(value + sum(factor * t[k] for k, factor in terms)) for t in self.points}


# ---- what is asked

def merged(item):
    row = {}
    for cell, factor in zip(item["cells"], item["coefficients"]):
        row[cell] = row.get(cell, 0) + factor
    return {cell: factor for cell, factor in row.items() if factor}


def needs_of(case):
    """(cell, attacker) -> lower, upper, sliding, and the questions of counts, as the audit has to ask them."""
    needs = {(n["cell"], n["attacker"]): [n["lower"], n["upper"], n["sliding"]] for n in case.problem["requirements"]}
    asked = list(case.problem.get("counts", {}).get("questions", []))
    for cell, item in enumerate(case.problem["cells"]):
        if item["status"] == "primary" and not any(cell == other for other, _ in needs):
            needs[cell, 0] = [0, 0, 0]
    for (cell, attacker), levels in needs.items():
        if not any(levels) and not case.stated and not is_known(case, cell, attacker):
            levels[2] = 1
    if not needs and not asked:  # from elsewhere: whoever withheld a cell had a reason
        for entry in case.entries:
            cell, item = entry["cell"], case.problem["cells"][entry["cell"]]
            low, high = case.prior(cell)
            if entry["state"] == "withheld" and item.get("published", True) and (low is None or low != high):
                needs[cell, 0] = [0, 0, 1]
                asked += [{"kind": "exact", "attacker": 0, "cell": cell}] if case.counts else []
    return needs, asked


def is_known(case, cell, attacker):
    value = case.value(cell)
    bounds = [case.prior(cell)] + [(known["lower"], known["upper"]) for known in
                                   case.problem["attackers"][attacker]["known"] if known["cell"] == cell]
    return any(low == value for low, _ in bounds) and any(high == value for _, high in bounds)


def is_said(case, cell):
    entry = next((e for e in case.entries if e["cell"] == cell), None)
    return entry is None or (said(entry)[0] is not None and said(entry)[0] == said(entry)[1])


def implied(case):
    """The parts of a sum that are not published as they are, where they are fewer than the threshold together."""
    found = []
    for total, parts in sums(case.problem) if case.problem["counts"]["implied"] else ():
        hidden = [part for part in parts if not is_said(case, part)]
        if len(hidden) > 1 and 0 < sum(map(case.value, hidden)) < case.problem["counts"]["threshold"]:
            found.append({"kind": "implied", "attacker": 0, "cell": hidden[0], "parts": hidden})
    return found


def form_of(question):
    if question["kind"] == "implied":
        return dict.fromkeys(question["parts"], 1)
    if "group" in question:
        return {question["group"]: 1, **dict.fromkeys(question.get("parts", [question.get("cell")]), -1)}
    return {question["cell"]: 1}


def at_least(end, level):
    return end is None or end >= level


def verdict_of_levels(value, low, high, levels):
    width = None if low is None or high is None else high - low
    held = at_least(None if high is None else high - value, levels[1])
    held = held and at_least(None if low is None else value - low, levels[0])
    return "protected" if held and at_least(width, levels[2]) else "exposed"


def verdict_of_need(case, cell, levels, low, high):
    if is_said(case, cell):
        return "exposed"
    if not any(levels):
        return "unasked"
    return verdict_of_levels(case.value(cell), low, high, levels)


def verdict_of_question(case, question, values, low, high, needs):
    """By all values of the form; ends that are None are endless."""
    rules, kind = case.problem["counts"], question["kind"]
    if kind in ("exact", "small", "zero", "levels") and is_said(case, question["cell"]):
        return "exposed"
    endless = low is None or high is None
    if kind == "exact":
        safe = endless or len(values) > rules["ambiguity"]
    elif kind == "implied":
        safe = endless or len(values) > 1
    elif kind == "levels":
        levels = needs[question["cell"], question["attacker"]]
        return verdict_of_levels(case.value(question["cell"]), low, high, levels) if any(levels) else "unasked"
    elif kind == "small":
        safe = at_least(high, rules["threshold"]) or low is None or low <= 0
    else:
        safe = at_least(high, 1 if kind == "zero" else 1 + rules["coalition"])
    return "protected" if safe else "exposed"


class Truth:
    """Everything that can be asked of a case."""

    def __init__(self, case):
        self.case = case
        self.needs, self.asked = needs_of(case)
        if case.counts:
            self.asked = self.asked + implied(case)
        self.readers = {}

    def reader(self, attacker, whole):
        if (attacker, whole) not in self.readers:
            self.readers[attacker, whole] = Reader(self.case, attacker, whole)
        return self.readers[attacker, whole]

    def range_of(self, cell, attacker):
        return self.reader(attacker, False).ends({cell: 1})

    def need(self, cell, attacker):
        low, high = self.range_of(cell, attacker)
        return verdict_of_need(self.case, cell, self.needs[cell, attacker], low, high), low, high

    def question(self, question):
        """Verdict, ends and values, or None for what a cut-off enumeration cannot tell."""
        reader, form = self.reader(question["attacker"], True), form_of(question)
        values, (low, high) = reader.values(form), reader.ends(form)
        found = [None if low is None else min(values), None if high is None else max(values)]
        if not reader.complete:  # what was found is possible, and nothing beyond the ends of the fractions is
            outer = [None if low is None else ceil(low), None if high is None else floor(high)]
            sure = outer == found and (None in found or len(values) == found[1] - found[0] + 1)
            if not sure:
                return None
        return verdict_of_question(self.case, question, values, *found, self.needs), found, sorted(values)
