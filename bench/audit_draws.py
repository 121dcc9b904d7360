# SPDX-License-Identifier: Apache-2.0
"""Random tables and releases for same_audits.py, as problem JSON and entries of a release (docs/formats.md). All
numbers are whole units here. A draw is fixed by its seed."""

import dataclasses
import itertools
import json

SIGNS = {"altered": ("value", "lower", "upper", "among"), "interval": ("lower", "upper"), "rounded": ("value", "base")}


@dataclasses.dataclass
class Case:
    """A table with what is asked of it, a release of it, and how it is audited."""
    counts: bool
    problem: dict
    leaves: list        # of each cell, for crossed tables; else None
    entries: list       # of the release; None: a method makes it
    method: str = ""
    options: list = dataclasses.field(default_factory=list)
    stated: bool = False  # --zero-levels stated

    def value(self, cell):
        return self.problem["cells"][cell]["value"]

    def prior(self, cell):
        """What everyone knows; None: no end."""
        item = self.problem["cells"][cell]
        return (item["value"],) * 2 if item["status"] == "known" else (item["lower"], item["upper"])

    def release_json(self):
        """As a result file: in the user's unit, and with nothing of the run."""
        unit = 10 ** self.problem["decimals"]
        shown = lambda number: number if unit == 1 else number / unit
        entries = []
        for entry in self.entries:
            entry = dict(entry)
            for name in SIGNS.get(entry["state"], ()):
                if name in entry:
                    entry[name] = [shown(n) for n in entry[name]] if name == "among" else shown(entry[name])
            entries.append(entry)
        return json.dumps({"release": entries})


# ---- shapes

class Shape:
    """A dimension: codes, which code is the sum of which, and the leaves below each."""

    def __init__(self, leaves, relations):
        self.leaves, self.relations = [frozenset(below) for below in leaves], relations

    def as_json(self, name):
        return {"name": name, "codes": [f"{name}{c}" for c in range(len(self.leaves))],
                "relations": [{"parent": parent, "children": children} for parent, children in self.relations]}


def flat(size):
    return Shape([{i} for i in range(size)] + [set(range(size))], [(size, list(range(size)))])


def tree():
    return Shape([{0}, {1}, {2}, {1, 2}, {0, 1, 2}], [(3, [1, 2]), (4, [0, 3])])


def deep_tree():
    return Shape([{0}, {1}, {2}, {3}, {0, 1}, {2, 3}, {0, 1, 2, 3}], [(4, [0, 1]), (5, [2, 3]), (6, [4, 5])])


def two_groupings():
    return Shape([{0}, {1}, {2}, {1, 2}, {0, 1}, {0, 1, 2}], [(3, [1, 2]), (5, [0, 3]), (4, [0, 1]), (5, [4, 2])])


def shapes(draw, small):
    """Of a table of one to three dimensions."""
    choices = [lambda: [flat(draw.randint(2, 5))], lambda: [flat(2), flat(draw.randint(2, 4))],
               lambda: [tree(), flat(2)], lambda: [two_groupings(), flat(2)], lambda: [flat(2)] * 3,
               lambda: [flat(3), flat(3)]]
    if not small:
        choices += [lambda: [tree(), tree()], lambda: [deep_tree(), flat(3)], lambda: [flat(3), flat(2), flat(3)],
                    lambda: [flat(5), flat(4)], lambda: [two_groupings(), flat(4)], lambda: [flat(3)] * 3,
                    lambda: [tree(), flat(2), flat(2)]]
    return draw.choice(choices)()


# ---- tables: (values, equations as {cell: coefficient}, leaves or None, codes or None, dimensions)

def crossed(draw, small, leaf_values):
    made = shapes(draw, small)
    widths = [len(shape.leaves[-1]) for shape in made]
    inner = leaf_values(list(itertools.product(*(range(width) for width in widths))))
    codes = list(itertools.product(*(range(len(shape.leaves)) for shape in made)))
    index = {code: cell for cell, code in enumerate(codes)}
    leaves = [frozenset(itertools.product(*(shape.leaves[c] for shape, c in zip(made, code)))) for code in codes]
    equations = []
    for d, shape in enumerate(made):
        others = [[None] if k == d else range(len(each.leaves)) for k, each in enumerate(made)]
        for (parent, children), rest in itertools.product(shape.relations, itertools.product(*others)):
            cell = lambda code: index[tuple(code if k == d else c for k, c in enumerate(rest))]
            equations.append({cell(parent): -1, **{cell(child): 1 for child in children}})
    values = [sum(inner[leaf] for leaf in below) for below in leaves]
    return values, equations, leaves, codes, [shape.as_json(f"d{d}") for d, shape in enumerate(made)]


def linked(draw, small, leaf_values):
    """Tables a x b and a x c with the margin a in common; nobody publishes a x b x c."""
    sizes = [draw.randint(2, 2 if small else 3) for _ in range(3)]
    inner = leaf_values(list(itertools.product(*map(range, sizes))))
    index, values, equations = {}, [], []
    for table in (1, 2):
        for a, other in itertools.product([*range(sizes[0]), "T"], [*range(sizes[table]), "T"]):
            name = (0 if other == "T" else table, a, other)
            if name not in index:
                index[name] = len(values)
                values.append(sum(v for leaf, v in inner.items() if a in (leaf[0], "T") and other in (leaf[table], "T")))
    cell = lambda table, a, other: index[(0 if other == "T" else table, a, other)]
    for table in (1, 2):
        for a in [*range(sizes[0]), "T"]:
            equations.append({cell(table, a, "T"): -1, **{cell(table, a, o): 1 for o in range(sizes[table])}})
        for other in range(sizes[table]):
            equations.append({cell(table, "T", other): -1, **{cell(table, a, other): 1 for a in range(sizes[0])}})
    equations.append({cell(1, "T", "T"): -1, **{cell(1, a, "T"): 1 for a in range(sizes[0])}})
    return values, equations, None, None, None


def system(draw, small, leaf_values, counts):
    """No table of sums: equations with any small coefficients."""
    size = draw.randint(3, 8 if small else 14)
    values = [draw.randint(0, 6) if counts else draw.randint(-20, 40) for _ in range(size)]
    factors = [-3, -2, -1, -1, 1, 1, 2, 3] if counts else [f for f in range(-5, 6) if f]
    equations = [{cell: draw.choice(factors) for cell in range(size) if draw.random() < 0.5}
                 for _ in range(draw.randint(1, max(1, size // 2 if counts else size - 1)))]
    return values, [equation for equation in equations if equation], None, None, None


def table(draw, small, counts, leaf_values):
    kind = draw.random()
    if kind < 0.55:
        return crossed(draw, small, leaf_values)
    return linked(draw, small, leaf_values) if kind < 0.75 else system(draw, small, leaf_values, counts)


def problem_of(made, cells, decimals):
    values, equations, _, codes, dimensions = made
    problem = {"format": "lacuna-problem-1", "decimals": decimals, "cells": cells, "equations": [
        {"rhs": sum(f * values[c] for c, f in row.items()), "cells": list(row), "coefficients": list(row.values())}
        for row in equations]}
    if dimensions is not None:
        problem["dimensions"] = dimensions
        for cell, code in zip(cells, codes):
            cell["codes"] = list(code)
    return problem


# ---- what everyone, attackers and requirements have in common

def bounds_around(draw, value):
    """Narrow, wide or none, and sometimes the value itself."""
    reach = lambda: draw.choice([0, draw.randint(1, 5), draw.randint(1, max(1, abs(value))), 1000])
    return value - reach(), value + reach()


def rooms_of(case, attacker, cell):
    """Below and above, of what this attacker knows before the release; None: no limit."""
    bounds = [case.prior(cell)] + [(known["lower"], known["upper"]) for known in
                                   case.problem["attackers"][attacker]["known"] if known["cell"] == cell]
    lows, highs = zip(*bounds)
    value = case.value(cell)
    low, high = [b for b in lows if b is not None], [b for b in highs if b is not None]
    return value - max(low) if low else None, min(high) - value if high else None


def requirement(draw, case, cell, attacker):
    down, up = rooms_of(case, attacker, cell)
    level = lambda room: 0 if draw.random() < 0.25 else draw.randint(0, min(12, 12 if room is None else room))
    both = None if down is None or up is None else down + up
    sliding = draw.random() < 0.5
    return {"cell": cell, "attacker": attacker, "lower": level(down), "upper": level(up),
            "sliding": level(both) if sliding else 0}


def settings(draw, case):
    """How it is audited; the same of magnitudes and counts."""
    flag = lambda chance, *words: list(words) if draw.random() < chance else []
    case.options += flag(0.5, "--all") + flag(0.08, "--verdicts-only") + flag(0.1, "--exposure")
    case.options += ["--threads", str(draw.choice([1, 1, 1, 2]))]
    case.options += flag(0.6, "--values") if case.counts else []
    if draw.random() < 0.05:
        case.stated = True
        case.options += ["--zero-levels", "stated"]
    if draw.random() < 0.03:
        case.problem["waived"] = "exposed"
    return case


# ---- magnitudes

def magnitudes(draw, small, by_method=True):
    negative = draw.random() < 0.15
    leaf = lambda: 0 if draw.random() < 0.1 else draw.randint(-15 if negative else 0, draw.choice([9, 40]))
    made = table(draw, small, False, lambda names: {name: leaf() for name in names})
    common, cells = draw.choice(["none", "zero", "half", "any"]), []
    for value in made[0]:
        lower, upper = {"none": (None, None), "zero": (min(0, value), None),
                        "half": (value - abs(value) // 2, value + abs(value) // 2 + 1),
                        "any": bounds_around(draw, value)}[common]
        status = draw.choices(["free", "primary", "withheld", "published", "known"], [60, 28, 4, 5, 3])[0]
        cells.append({"value": value, "lower": lower, "upper": upper, "weight": draw.randint(0, 9), "status": status})
    if draw.random() < 0.03:
        for cell in cells:
            cell["status"] = "free" if cell["status"] == "primary" else cell["status"]
    case = Case(False, problem_of(made, cells, draw.choice([0, 0, 1, 2])), made[2], [])
    attackers = case.problem["attackers"] = [{"name": "outsider", "known": []}]
    for name in ("insider", "other")[:draw.choice([0, 0, 1, 1, 2])]:
        attackers.append({"name": name, "known": [
            dict(zip(("cell", "lower", "upper"), (cell, *bounds_around(draw, value))))
            for cell, value in enumerate(made[0]) if draw.random() < 0.25]})
    case.problem["requirements"] = [
        requirement(draw, case, cell, attacker) for cell, item in enumerate(cells) if item["status"] == "primary"
        for attacker in range(len(attackers)) if draw.random() < (0.9 if attacker == 0 else 0.5)]
    if by_method and draw.random() < 0.35:
        case.entries = None
        case.method = draw.choice(["suppress"] * 3 + ["interval", "combined", "round", "perturb"])
    else:
        case.entries = release_of_magnitudes(draw, case)
    return settings(draw, case)


def changed(draw, cell, value):
    if draw.random() < 0.4:
        base, steps = draw.randint(2, 12), draw.randint(0, 2)
        return {"cell": cell, "state": "rounded", "value": value - value % base + base * draw.randint(0, 1),
                "base": base, "steps": steps}
    if draw.random() < 0.5:
        told, reach = value + draw.randint(-4, 4), draw.randint(4, 9)
        return {"cell": cell, "state": "altered", "value": told, "lower": told - reach, "upper": told + reach}
    lower, upper = bounds_around(draw, value)
    return {"cell": cell, "state": "altered", "value": value, "lower": lower, "upper": upper}


def release_of_magnitudes(draw, case):
    hidden, only_withheld, entries = draw.choice([0.2, 0.5, 0.8, 1]), draw.random() < 0.4, []
    for cell, item in enumerate(case.problem["cells"]):
        sensitive = item["status"] == "primary"
        if item["status"] == "known" or draw.random() >= (0.95 if sensitive else hidden):
            continue
        withheld = {"cell": cell, "state": "withheld"}
        if item["status"] == "published":
            entries.append(changed(draw, cell, item["value"]))
        elif only_withheld or draw.random() < 0.5:
            entries.append(withheld)
        elif draw.random() < 0.5:
            lower, upper = bounds_around(draw, item["value"])
            entries.append({"cell": cell, "state": "interval", "lower": lower, "upper": upper})
        else:
            entries.append(changed(draw, cell, item["value"]))
    return entries


# ---- counts

def people(draw, small):
    def leaf_values(names):
        values = dict.fromkeys(names, 0)
        crowd = draw.sample(names, min(len(names), draw.randint(1, 4)))
        for _ in range(draw.randint(2, 7 if small else 30)):
            values[draw.choice(names if draw.random() < 0.6 else crowd)] += 1
        return values
    return leaf_values


def counts(draw, small, by_method=True):
    made = table(draw, small, True, people(draw, small))
    zeros, means = draw.choice(["published", "sensitive", "structural"]), draw.choice(["any", "nonzero", "rule"])
    rules = {"threshold": draw.randint(2, 4), "zeros": zeros, "ambiguity": draw.choice([1, 1, 1, 2, 3]),
             "withheld_means": "any" if (zeros, means) == ("sensitive", "nonzero") else means,
             "coalition": draw.choice([0, 0, 1]), "implied": draw.random() < 0.6}
    rows = draw.random() < 0.1  # empty cells have no row, so that a row is not empty
    cells, last = [], len(made[0]) - 1
    for cell, value in enumerate(made[0]):
        status = "primary" if 0 < value < rules["threshold"] else "free"
        if value == 0:
            status = {"published": "free", "sensitive": "primary", "structural": "known"}[zeros]
        if status == "free" and cell == last and draw.random() < 0.3:
            status = "known"
        upper = value + draw.randint(0, 6) if draw.random() < 0.06 else None
        cells.append({"value": value, "lower": int(rows and value > 0), "upper": upper, "weight": 1, "status": status})
    if made[2] is None and draw.random() < 0.4:
        for cell in draw.sample(cells, 1 + len(cells) // 6):
            if cell["status"] != "known":  # in no table
                cell.update(published=False, status="withheld")
    case = Case(True, {**problem_of(made, cells, 0), "counts": rules}, made[2], [])
    case.problem["attackers"] = [{"name": "outsider", "known": []}, *insiders(draw, case, made[0])]
    case.problem["requirements"] = [
        requirement(draw, case, cell, attacker) for cell, item in enumerate(cells)
        for attacker in range(len(case.problem["attackers"]))
        if item["status"] != "known" and draw.random() < (0.25 if item["status"] == "primary" else 0.04)]
    rules["questions"] = questions(draw, case)
    choice = draw.random()
    if by_method and choice < 0.2:
        case.entries = None
        case.method = draw.choice(["suppress", "suppress", "interval", "round"] + ["small-counts"] * (made[2] is not None))
    elif choice < 0.35 and made[2] is not None and zeros != "structural":
        case.entries = cell_keys(draw, case)
    else:
        case.entries = release_of_counts(draw, case)
    return settings(draw, case)


def insiders(draw, case, values):
    found = []
    if draw.random() < 0.4:  # a person, who knows of being counted
        if case.leaves is not None:
            home = next(iter(sorted(case.leaves[draw.choice([c for c, v in enumerate(values) if v > 0])])))
            inside = [c for c, below in enumerate(case.leaves) if home in below and values[c] > 0]
        else:
            inside = [c for c, value in enumerate(values) if value > 0 and draw.random() < 0.3]
        found.append({"name": "insider", "known": [{"cell": c, "lower": 1, "upper": None} for c in inside]})
    if draw.random() < 0.15:
        known = {c: bounds_around(draw, v) for c, v in enumerate(values) if draw.random() < 0.15}
        found.append({"name": "other", "known": [{"cell": c, "lower": b[0], "upper": b[1]} for c, b in known.items()]})
    return found


def sums(problem):
    """(total, parts) of the equations that are one, whatever their signs."""
    for item in problem["equations"]:
        factors = item["coefficients"]
        if item["rhs"] != 0 or len(factors) < 3 or set(factors) != {-1, 1} or 1 not in map(factors.count, (-1, 1)):
            continue
        lone = -1 if factors.count(-1) == 1 else 1
        total = item["cells"][factors.index(lone)]
        yield total, sorted(cell for cell in item["cells"] if cell != total)


def questions(draw, case):
    found, rules, cells = [], case.problem["counts"], case.problem["cells"]
    ask = lambda kind, attacker, **what: found.append({"kind": kind, "attacker": attacker, **what})
    needed = {(need["cell"], need["attacker"]) for need in case.problem["requirements"]}
    for attacker in range(len(case.problem["attackers"])):
        chance = 0.8 if attacker == 0 else 0.4
        for cell, item in enumerate(cells):
            likely = chance if item["status"] == "primary" else 0.1
            if rooms_of(case, attacker, cell) == (0, 0):
                continue
            if draw.random() < likely:
                ask("exact", attacker, cell=cell)
            if 0 < item["value"] < rules["threshold"] and draw.random() < likely:
                ask("small", attacker, cell=cell)
            if item["value"] == 0 and draw.random() < likely:
                ask("zero", attacker, cell=cell)
            if (cell, attacker) in needed and draw.random() < 0.7:
                ask("levels", attacker, cell=cell)
        for total, parts in sums(case.problem):
            for part in parts:
                rest = case.value(total) - case.value(part)
                if case.value(part) > 0 and rest <= rules["coalition"] and draw.random() < chance:
                    ask("all", attacker, cell=part, group=total)
            if draw.random() < 0.15:
                inside = sorted(draw.sample(parts, draw.randint(1, len(parts) - 1)))
                ask("group", attacker, group=total, parts=inside)
        if draw.random() < 0.3:  # any difference will do
            cell, group = draw.sample(range(len(cells)), 2)
            ask("all", attacker, cell=cell, group=group)
    return found


def told(case, entry, strict):
    """[s, t] of docs/counts.md, section 1; None: no end."""
    rules, cell = case.problem["counts"], entry["cell"]
    item = case.problem["cells"][cell]
    low, high = said(entry)
    if item.get("published", True) is False:
        return low, high
    least = int(rules["withheld_means"] != "any" and rules["zeros"] != "sensitive")
    if entry["state"] == "withheld" and rules["withheld_means"] == "rule":
        return (least, rules["threshold"] - 1) if item["status"] == "primary" else (rules["threshold"], None)
    if entry["state"] == "withheld":
        return least, None
    if entry["state"] == "interval":
        return max(low, least), high
    return (low + 1, high - 1) if entry["state"] == "rounded" and strict else (low, high)


def said(entry):
    """What the file says of a cell (docs/audit.md, section 1)."""
    if entry["state"] == "withheld":
        return None, None
    if entry["state"] == "rounded":
        reach = entry["base"] * (entry.get("steps", 0) + 1)
        return entry["value"] - reach, entry["value"] + reach
    return entry["lower"], entry["upper"]


def contains(bounds, value):
    return (bounds[0] is None or bounds[0] <= value) and (bounds[1] is None or value <= bounds[1])


def release_of_counts(draw, case):
    """Cells hidden as the rule of the release allows; the last one, mostly the total, is mostly shown."""
    entries, hidden, plain, last = [], draw.choice([0.3, 0.6, 0.8, 1]), draw.random() < 0.6, len(case.problem["cells"]) - 1
    for cell, item in enumerate(case.problem["cells"]):
        value, entry = item["value"], {"cell": cell, "state": "withheld"}
        never = item["status"] == "known" or (cell == last and case.leaves is not None and draw.random() < 0.85)
        if item.get("published", True) is False:
            entries.append(entry)
        elif not never and draw.random() < (0.9 if item["status"] == "primary" else hidden):
            choice = 1.0 if plain else draw.random()
            if choice < 0.12:
                entry = {"cell": cell, "state": "rounded", "value": value - value % 3 + draw.choice([0, 0, 3]) * (value % 3 > 0),
                         "base": 3, "steps": draw.choice([0, 0, 1])}
            elif choice < 0.3:
                entry.update(state="interval", lower=max(0, value - draw.randint(0, 2)), upper=value + draw.randint(0, 3))
            elif choice < 0.45:
                among = sorted({value, *(n for n in range(max(0, value - 3), value + 4) if draw.random() < 0.5)})
                entry.update(state="altered", value=draw.choice(among), lower=among[0], upper=among[-1], among=among)
            if contains(told(case, entry, True), value) and contains(told(case, entry, False), value):
                entries.append(entry)
    return entries


def cell_keys(draw, case):
    """Noise that the same persons always have; an empty cell shows 0."""
    noise, noise_of, entries = draw.choice([(-1, 0, 1), (-2, -1, 0, 1, 2), (-2, 0, 1), (-1, 1)]), {}, []
    persons = [case.value(c) if len(below) == 1 else None for c, below in enumerate(case.leaves)]
    leaf = {next(iter(below)): persons[c] for c, below in enumerate(case.leaves) if len(below) == 1}
    blank = draw.choice([0, 0.15])
    for cell, item in enumerate(case.problem["cells"]):
        if item["status"] == "known":
            continue
        value = item["value"]
        units = frozenset(each for each in case.leaves[cell] if leaf[each] > 0)
        if units not in noise_of:
            noise_of[units] = draw.choice([d for d in noise if value + d >= 0]) if value > 0 else 0
        shown = value + noise_of[units]
        among = [n for n in range(shown + 3) if (shown - n in noise if n > 0 else shown == 0)]
        entry = {"cell": cell, "state": "altered", "value": shown, "lower": among[0], "upper": among[-1], "by": "cellkey"}
        if among != list(range(among[0], among[-1] + 1)):
            entry["among"] = among
        if draw.random() < blank:
            entry = {"cell": cell, "state": "withheld"}
            if not contains(told(case, entry, True), value):
                continue
        entries.append(entry)
    return entries
