#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""verify_certificate.py TABLE CERTIFICATE [--zero-levels stated]: a second verifier, sharing nothing with the library.
verify_certificate.py --batch LIST: the same for many; a line of LIST is a table, a certificate and 'raised' or 'stated',
separated by tabs, and is answered by one line: what a single call prints, or 'bad input: ' and why.
verify_certificate.py --public INFERENCE PUBLIC...: the certificate of `lacuna infer` against the published files alone,
in their order. Every number, range and blank is read again where the certificate says that it stands; what readers know
of it follows from that and from what the certificate says they know; the sums are printed, to be judged by who knows the
codes; then the proofs are checked as below, and each interval is what they show. No truth is needed: the certificate
has some table that fits, and what can be inferred does not depend on which.

TABLE is a JJ file or a problem JSON, also packed (docs/formats.md). With a the true table and z = y - a for another
table y, this checks with whole numbers and fractions, without a solver, that
  - the table adds up, and what the release says about a cell contains its true value;
  - a witness z has M z = 0 and moves no cell beyond what the attacker knows; a ray can be repeated for ever;
  - a proof with multipliers g bounds cell p by s z_p <= sum_i max(d_i up_i, -d_i down_i), d = s e_p - M'g, where s is
    1 (how high) or -1 (how low), and down_i, up_i are the attacker's room below and above a_i;
and says what follows for each question: requirements ask of a cell p, in rational numbers. Claims count for nothing:
what is not shown is undecided. A table of counts ("counts" of a problem JSON; docs/counts.md) asks in whole numbers z
besides, of a form f instead of a cell:
  - a chain line follows from one equation and the ends so far, rounded inward;
  - a step q with f/q - M'h whole on every cell with room makes f'z a multiple of q, so that bounds are rounded to it;
  - a tree divides by z_i <= k or z_i >= k + 1; each leaf is bounded in the same way, or has no number left;
  - an end of a cell that is said to be among some numbers moves inward to the next of them.
Numbers of a cell-key release of counts tell more where they differ (Differences, docs/knowledge.md): evidence is that
of the table with these cells and equations, which come after those of the table.
What a reader knows of a cell by its state (docs/audit.md, section 1): withheld: nothing; interval: lower and upper;
rounded: value plus and minus (steps + 1) base; altered: lower and upper; adjusted: a number alone, for the release as
a whole, which must add up, keep the bounds that everyone knows, and stand at least a level away from each sensitive
truth. A sensitive cell whose levels are all zero must not be exactly computable, unless the zeros are said to be meant.
A certificate may have a log of the bound of a suppression: that no safe pattern of withheld cells weighs less than it
says, which is checked step by step (docs/proof.md) and printed as a second line; a wrong step refuses the certificate.
A requirement whose levels are all zero asks for nothing but that the number is not printed: unasked, and so is a
release of which nothing else is asked. A table that marks no cell as sensitive asks nothing, too: unasked. Where the certificate has findings of such a table, they
answer for the cells that the release withholds, each of which must not be exactly computable. A problem that says
"waived": "exposed" calls what is exposed waived; what the certificate calls so does not count.
Exit code 0: protected, each of them; 2: exposed or undecided; 5: unasked; 6: waived, and nothing worse; 1: bad input.
With --public 0: all that is claimed is shown; 2: an interval is not; 3: some numbers stand in files that are not read
here, which are named. Read are texts (CSV of any dialect, SDMX-CSV, Eurostat's TSV, PX), JSON-stat and SDMX-JSON, and
workbooks of Excel since 2007 (.xlsx, .xlsm), each also packed by gzip or xz; not older workbooks (.xls), OpenDocument,
Parquet, Arrow, and the files of SAS, SPSS and Stata."""
import csv, gzip, io, itertools, json, lzma, pathlib, posixpath, re, sys, zipfile
import xml.etree.ElementTree as xml
from fractions import Fraction
from math import inf, prod

STATUS = {"s": "free", "u": "primary", "z": "published", "m": "withheld"}  # of a cell in a JJ file
LEVELS = ("lower", "upper", "sliding")
CODES = {"exposed": 2, "undecided": 2, "waived": 6, "protected": 0, "unasked": 5}  # the worst first
NUMBERS = {"withheld": set(), "interval": {"lower", "upper"}, "rounded": {"value", "base", "steps"},
           "altered": {"value", "lower", "upper"}, "adjusted": {"value"}}  # of an entry, by its state

def need(condition, message):
    if not condition:
        raise ValueError(message)

def whole(number, low=-inf, high=inf):
    need(type(number) is int and low <= number < high, "expected a whole number within range")
    return number

def ends(value, item):  # of the range that an item gives; absent or null: no end
    lower = -inf if item.get("lower") is None else whole(item["lower"])
    upper = inf if item.get("upper") is None else whole(item["upper"])
    need(lower <= value <= upper, "a range does not contain the true value")
    return lower, upper

def ranges(items, values):
    found = {whole(item["cell"], 0, len(values)): ends(values[item["cell"]], item) for item in items}
    need(len(found) == len(items), "a cell is named twice")
    return found

def said(entry, value):  # what a reader knows of the true value
    need(entry["state"] in NUMBERS, "unknown state")
    words = {"interval": {"among"}, "altered": {"among", "by"}}.get(entry["state"], set())
    need(entry.get("by", "cellkey") == "cellkey", "unknown origin of a number")
    need(set(entry) - words == NUMBERS[entry["state"]] | {"cell", "state"}, "an entry's numbers are not those of its state")
    if "among" in entry:  # the truth is one of these
        among = [whole(number) for number in entry["among"]]
        need(among == sorted(set(among)) and value in among, "a list of numbers does not rise or lacks the truth")
        need((among[0], among[-1]) == (entry["lower"], entry["upper"]), "a list of numbers has other ends than its range")
    if entry["state"] != "rounded":
        return ends(value, entry)
    reach = whole(entry["base"], 1) * (whole(entry["steps"], 0, 101) + 1)
    number = whole(entry["value"])
    return ends(value, {"lower": number - reach, "upper": number + reach})

def named(item, *names):  # nothing that this verifier would pass over
    need(set(item) <= set(names), "a name that a certificate does not have: " + ", ".join(set(item) - set(names)))
    return item

def once(members):  # of two that have the same name, somebody else may read the other
    need(len(dict(members)) == len(members), "a name is given twice")
    return dict(members)

def pairs(ids, numbers, count):
    return [(whole(i, 0, count), whole(number)) for i, number in zip(ids, numbers, strict=True)]

def evidence(items, ids, numbers, count, *names):
    return [(whole(item["denominator"], 1), dict(pairs(item[ids], item[numbers], count)))
            for item in items if named(item, "denominator", ids, numbers, *names) is item]

def ends_of(finding, *names):  # below and above, each with its sign
    for end in (finding.get("low", {}), finding.get("high", {})):
        need(not {"witness", "ray"} <= set(named(end, "witness", "ray", "proof", *names)), "an end has a witness or a ray")
    return [(finding.get("low", {}), -1), (finding.get("high", {}), 1)]

def merged(terms):  # cell -> factor
    row = {}
    for cell, factor in terms:
        row[cell] = row.get(cell, 0) + factor
    return {cell: factor for cell, factor in row.items() if factor}

def part_sums(row, rhs):  # [(total, parts)]; of two cells that are equal each is the only part of the other
    signs = list(row.values())
    if rhs != 0 or len(row) < 2 or {abs(sign) for sign in signs} != {1} or len(set(signs)) == 1:
        return []
    lone = 1 if signs.count(1) == 1 else -1
    totals = sorted(row) if len(row) == 2 else [cell for cell, sign in row.items() if sign == lone]
    is_sum = len(row) == 2 or len(totals) == 1
    return [(total, sorted(set(row) - {total})) for total in totals if is_sum]

class Differences:
    """What a cell-key release of counts tells by different numbers (docs/knowledge.md): the same units show the same
    number, so that forms of cells are at least 1. `found` has (form, equation that it belongs to or None)."""
    def __init__(self, values, priors, rows, rhs, entries, release):
        self.priors, self.entries, self.found = priors, entries, []
        self.said = [release.get(cell, (value, value)) for cell, value in enumerate(values)]
        self.ranges = [(max(0, p[0], s[0]), min(p[1], s[1])) for p, s in zip(priors, self.said)]
        shown = [entries[cell].get("value") if cell in entries else value for cell, value in enumerate(values)]
        self.adds_up = all(None not in [shown[cell] for cell in row] and
                           sum(factor * shown[cell] for cell, factor in row.items()) == right for row, right in zip(rows, rhs))
        self.numbered = {cell for cell, entry in entries.items() if "by" in entry or entry["state"] == "interval"}
        sums = [part_sums(row, right) for row, right in zip(rows, rhs)]
        below, nested, above = self.may_be_all(sums), {}, {}
        for cell in sorted(self.numbered):
            for part in self.reached(cell, below):
                if part not in self.numbered:
                    above.setdefault(part, []).append(cell)
                elif self.tell_apart(cell, part):
                    nested[cell, part] = next((e for e, items in enumerate(sums) for total, parts in items
                                               if len(parts) > 1 and total == cell and part in parts), None)
        forms = [({total: 1, part: -1}, nested[total, part]) for total, part in sorted(nested)]
        for blank in sorted(above):
            for i, a in enumerate(above[blank]):
                forms += [({a: 1, b: 1, blank: -2}, None) for b in above[blank][i + 1:]
                          if not {(a, b), (b, a)} & set(nested) and self.tell_apart(a, b)]
        self.found = [(form, e) for form, e in forms if sum(f * values[cell] for cell, f in form.items()) >= 1]

    def may_be_all(self, sums):  # total -> parts that it may be equal to, no other part being known not to be empty
        below = {}
        for total, parts in (item for items in sums for item in items):
            some = {part for part in parts if self.ranges[part][0] >= 1}
            below.setdefault(total, []).extend(part for part in parts if not some - {part}
                                               and self.ranges[total][0] <= self.ranges[part][1])
        return below

    def reached(self, cell, below):  # down to the next cells with numbers
        seen, left = {cell}, [cell]
        while left:
            new = set(below.get(left.pop(), [])) - seen
            seen |= new
            left += new - self.numbered
        return seen - {cell}

    def tell_apart(self, a, b):
        (low, high), (other_low, other_high) = self.ranges[a], self.ranges[b]
        if max(low, other_low) < 1 or low > other_high or other_low > high:
            return False
        one, other = self.entries[a], self.entries[b]
        if one["state"] != other["state"] or one["state"] == "interval":
            return one["state"] != other["state"]
        def within(cell, prior):
            return max(self.said[cell][0], prior[0]), min(self.said[cell][1], prior[1])
        return (not self.adds_up and one["value"] != other["value"]) or within(a, self.priors[b]) != within(b, self.priors[a])

def add_differences(differences, rows, values, priors, equations, entries):  # as cells of their own, or bounds of a cell
    divided = set()
    for form, equation in differences:
        others = [] if equation is None else sorted(set(rows[equation]) - set(form))
        if len(others) == 1:
            priors[others[0]] = (max(1, priors[others[0]][0]), priors[others[0]][1])
            continue
        rest = len(values)
        values.append(sum(factor * values[cell] for cell, factor in form.items()))
        priors.append((1, inf))
        entries[rest] = {"cell": rest, "state": "withheld"}
        equations.append([*form.items(), (rest, -1)])
        if others and equation not in divided:
            divided.add(equation)
            equations[equation], equations[-1] = equations[-1], [(rest, -1), *((cell, 1) for cell in others)]


def load(path):
    data = pathlib.Path(path).read_bytes()
    packed = {b"\x1f\x8b": gzip.decompress, b"\xfd7": lzma.decompress}
    return packed.get(data[:2], bytes)(data).decode("utf-8-sig")

def jj_as_problem(text, decimals):
    def units(token, is_level=False):  # levels with too many digits are rounded up
        need(set(token) <= set("+-.0123456789eE"), f"'{token}' is no number")
        number = Fraction(token) * 10**decimals
        need(is_level or number.denominator == 1, "a number has more decimals than the certificate")
        return -(-number.numerator // number.denominator)
    def bound(token):
        return None if abs(float(token)) >= 1e20 else units(token)
    stream, equations = iter(re.sub("[:()]", " ", text).split()), []
    need(next(stream) == "0", "not a JJ file")
    rows = [[next(stream) for _ in range(9)] for _ in range(int(next(stream)))]
    need([int(row[0]) for row in rows] == list(range(len(rows))), "the cells are not in order")
    cells = [{"value": units(r[1]), "weight": float(r[2]), "status": STATUS[r[3]], "lower": bound(r[4]), "upper": bound(r[5])} for r in rows]
    requirements = [{"cell": cell, **{name: units(level, True) for name, level in zip(LEVELS, row[6:])}}
                    for cell, row in enumerate(rows) if row[3] == "u"]
    for _ in range(int(next(stream))):
        rhs, numbers = units(next(stream)), [int(next(stream)) for _ in range(2 * int(next(stream)))]
        equations.append({"rhs": rhs, "cells": numbers[::2], "coefficients": numbers[1::2]})
    return {"cells": cells, "equations": equations, "requirements": requirements}

def scaled(root, factor):  # the problem in smaller units
    def times(item, names):
        return {**item, **{name: item[name] * factor for name in names if item.get(name) is not None}}
    attackers = [{**a, "known": [times(k, LEVELS) for k in a.get("known", [])]} for a in root.get("attackers") or [{}]]
    return {**root, "attackers": attackers, "cells": [times(cell, ("value", *LEVELS)) for cell in root["cells"]],
            "equations": [times(equation, ("rhs",)) for equation in root.get("equations", [])]}

def adjusted_verdicts(certificate, values, priors, equations, levels):
    shown = list(values)
    for entry in certificate["release"]:
        cell, number = whole(entry["cell"], 0, len(values)), whole(entry["value"])
        need(priors[cell][0] <= number <= priors[cell][1], "a number lies outside the bounds that everyone knows")
        shown[cell] = number
    for rhs, terms in equations:
        need(sum(factor * shown[cell] for cell, factor in terms) == rhs, "the adjusted table does not add up")
    def verdict(cell, lower, upper, sliding):
        move, half = shown[cell] - values[cell], -(-sliding // 2)
        far = move and (move >= max(upper, half) or -move >= max(lower, half))
        return "exposed" if not far else "protected" if lower or upper or sliding else "unasked"
    return [verdict(cell, *levels[cell, attacker]) for cell, attacker in sorted(levels)]

class Audit:
    """What problem and release ask in the order of the findings, the rooms of every attacker, and what evidence shows."""
    def __init__(self, root, values, priors, known, entries, equations, levels, sums):
        self.values, self.priors, self.known, self.entries = values, priors, known, entries
        self.rows = [merged(terms) for terms in equations]
        self.through = [[] for _ in values]
        for number, row in enumerate(self.rows):
            for cell, factor in row.items():
                self.through[cell].append((number, factor))
        self.release = {cell: said(entry, values[cell]) for cell, entry in entries.items()}
        self.among = {cell: [number - values[cell] for number in entry["among"]]
                      for cell, entry in entries.items() if "among" in entry}
        self.rooms = {("rational", attacker): self.rooms_of(own, -inf, self.release.get)
                      for attacker, own in enumerate(known)}
        self.questions = [("rational", "levels", cell, attacker, {cell: 1}, {"levels": levels[cell, attacker]})
                          for cell, attacker in sorted(levels)]
        if "counts" in root:
            self.ask_of_counts(root, levels, sums)

    def ask_of_counts(self, root, levels, sums):
        self.rules, asked = root["counts"], root["counts"]["questions"]
        need(root["decimals"] == 0 and min(self.values) >= 0, "these are no counts")
        self.threshold = whole(self.rules.get("threshold", 3), 1)
        self.ambiguity = whole(self.rules.get("ambiguity", 1), 1)
        self.coalition = whole(self.rules.get("coalition", 0), 0)
        self.means, self.zeros = self.rules.get("withheld_means", "any"), self.rules.get("zeros", "published")
        need(self.means in ("any", "nonzero", "rule"), "unknown meaning of withheld cells")
        need(self.zeros in ("published", "sensitive", "structural"), "unknown meaning of zeros")
        self.status = [cell.get("status", "free") for cell in root["cells"]]
        self.unlisted = {i for i, cell in enumerate(root["cells"]) if cell.get("published") is False}
        self.unlisted |= set(range(len(root["cells"]), len(self.values)))  # of the differences
        strict = all(abs(self.values[cell] - entry["value"]) < entry["base"] * (entry["steps"] + 1)
                     for cell, entry in self.entries.items() if entry["state"] == "rounded")
        self.rooms.update({("integer", attacker): self.rooms_of(own, 0, lambda cell: self.told(cell, strict))
                           for attacker, own in enumerate(self.known)})
        self.questions += [self.question(item, levels) for item in asked]
        self.questions += self.implied(sums) if self.rules.get("implied", False) else []

    def told(self, cell, strict):  # [s, t] of docs/counts.md, section 1
        low, high = self.release[cell]
        if cell in self.unlisted:  # in no table: the rule of the release says nothing of it
            return low, high
        least = 1 if self.means != "any" and self.zeros != "sensitive" else 0
        state = self.entries[cell]["state"]
        if state == "withheld" and self.means == "rule":
            primary = self.status[cell] == "primary"
            low, high = (least, self.threshold - 1) if primary else (self.threshold, inf)
        elif state in ("withheld", "interval"):
            low = max(low, least)
        elif state == "rounded" and strict:
            low, high = low + 1, high - 1
        need(low <= self.values[cell] <= high, "a cell is hidden against what readers are told of hidden cells")
        return low, high

    def rooms_of(self, own, least, told):  # how far z_i reaches for an attacker; not listed: nowhere
        rooms = {}
        for cell in self.entries:
            lowers, uppers = zip(self.priors[cell], own.get(cell, (-inf, inf)), (least, inf))
            if max(lowers) < min(uppers):
                (low, high), value = told(cell), self.values[cell]
                room = max(low, *lowers) - value, min(high, *uppers) - value
                rooms[cell] = self.snapped(cell, *room) if least == 0 else room
        return {cell: room for cell, room in rooms.items() if room != (0, 0)}

    def snapped(self, cell, low, high):  # ends that the reader can rule out move inward; low > high: nothing is left
        if cell not in self.among:
            return low, high
        left = [number for number in self.among[cell] if low <= number <= high]
        return (left[0], left[-1]) if left else (1, 0)

    def question(self, item, levels):  # domain, kind, cell, attacker, form, and what must remain possible
        kind, attacker = item["kind"], whole(item.get("attacker", 0), 0, len(self.known))
        need(kind in ("exact", "small", "zero", "all", "group", "levels"), "unknown kind of question")
        parts = sorted(item["parts"]) if kind == "group" else [item["cell"]]
        cells = [whole(cell, 0, len(self.values)) for cell in parts]
        need(len(set(cells)) == len(cells) > 0, "a question names a cell twice or none")
        value, form = self.values[cells[0]], {cells[0]: 1}
        if kind in ("all", "group"):
            group = whole(item["group"], 0, len(self.values))
            need(group not in cells, "a question names a cell twice")
            form = {group: 1, **{cell: -1 for cell in cells}}
            rest = self.values[group] - sum(self.values[cell] for cell in cells)
            asked = {"levels": [0, 1 + self.coalition - rest, 0]}
        elif kind == "levels":
            need((cells[0], attacker) in levels, "a question about levels has no requirement")
            asked = {"levels": levels[cells[0], attacker]}
        else:
            asked = {"exact": {"values": self.ambiguity + 1}, "small": {"either": [value, self.threshold - value]},
                     "zero": {"levels": [0, 1 - value, 0]}}[kind]
        return "integer", kind, cells[0], attacker, form, asked

    def implied(self, sums):
        found = []
        for _, parts in sums:
            hidden = [cell for cell in parts if not self.is_said(cell)]
            if len(hidden) > 1 and 0 < sum(self.values[cell] for cell in hidden) < self.threshold:
                found.append(("integer", "implied", hidden[0], 0, {cell: 1 for cell in hidden}, {"values": 2}))
        return found

    def is_said(self, cell):  # by the release alone
        low, high = self.release.get(cell, (0, 0))
        return low == high

    def verdicts(self, certificate):
        self.shown = []  # of each finding: its cell, what was reached, what bounds it
        keys = [about(finding, certificate["format"]) for finding in certificate["findings"]]
        need(keys == [question[:4] for question in self.questions], "the findings do not follow the questions of the table")
        self.witnesses = evidence(certificate["witnesses"], "cells", "moves", len(self.values))
        self.proofs = evidence(certificate["proofs"], "equations", "values", len(self.rows))
        self.steps = [(whole(item["q"], 1), *evidence([item], "equations", "values", len(self.rows), "q")[0])
                      for item in certificate.get("steps", [])]
        self.chains, self.trees = certificate.get("chains", []), certificate.get("trees", [])
        return [(question[0], self.verdict(finding, *question))
                for finding, question in zip(certificate["findings"], self.questions)]

    def moved(self, index, domain, rooms, form, is_ray=False):  # f'z of a witness
        denominator, moves = self.witnesses[whole(index, 0)]
        need(is_ray or domain == "rational" or denominator == 1, "a witness for counts is not in whole numbers")
        sums = {}
        for cell, move in moves.items():
            low, high = rooms.get(cell, (0, 0))
            limit = high if move > 0 else -low
            inside = move == 0 or limit == inf or (not is_ray and abs(move) <= limit * denominator)
            inside = inside and (domain == "rational" or cell not in self.among or move in self.among[cell])
            need(inside, f"a witness moves cell {cell} beyond what the attacker knows")
            for equation, factor in self.through[cell]:
                sums[equation] = sums.get(equation, 0) + factor * move
        need(not any(sums.values()), "a witness breaks an equation")
        return Fraction(sum(factor * moves.get(cell, 0) for cell, factor in form.items()), denominator)

    def reached(self, end, domain, rooms, form, sign):  # without a witness: the true value
        index, is_ray = end.get("witness", end.get("ray")), "ray" in end
        if index is None:
            return 0
        moved = sign * self.moved(index, domain, rooms, form, is_ray)
        need(not is_ray or moved > 0, "a ray does not move the form")
        return inf if is_ray else moved

    def after_chain(self, item, rooms):
        if "chain" not in item:
            return rooms
        rooms = dict(rooms)
        for line in self.chains[whole(item["chain"], 0)]:
            named(line, "cell", "side", "equation", "value")
            cell, row = whole(line["cell"], 0, len(self.values)), self.rows[whole(line["equation"], 0)]
            sign = {"high": 1, "low": -1}[line["side"]]
            own, low_high = row[cell], rooms.get(cell, (0, 0))
            turn = -sign if own > 0 else sign
            others = {other: turn * factor for other, factor in row.items() if other != cell}
            most = self.most(others, rooms)
            claimed = sign * (whole(line["value"]) - self.values[cell])
            need(most != inf and most // abs(own) <= claimed, "a line of a chain does not follow")
            low, high = low_high
            new = (low, min(high, claimed)) if sign > 0 else (max(low, -claimed), high)
            rooms[cell] = self.snapped(cell, *new)
        return rooms

    @staticmethod
    def most(slopes, rooms):  # of the sum of slope times z over the rooms
        return sum(d * rooms.get(cell, (0, 0))[d > 0] for cell, d in slopes.items()
                   if d != 0 and rooms.get(cell, (0, 0)) != (0, 0))

    def proven(self, item, rooms, form, sign):  # by multipliers, or by the rooms alone; not yet rounded
        denominator, multipliers = self.proofs[whole(item["proof"], 0)] if "proof" in item else (1, {})
        slopes = {cell: sign * denominator * factor for cell, factor in form.items()}
        for equation, value in multipliers.items():
            for cell, factor in self.rows[equation].items():
                slopes[cell] = slopes.get(cell, 0) - value * factor
        return self.most(slopes, rooms), denominator

    def step_of(self, item, rooms, form):
        if "step" not in item:
            return 1
        q, denominator, multipliers = self.steps[whole(item["step"], 0)]
        rest = {cell: denominator * factor for cell, factor in form.items()}
        for equation, value in multipliers.items():
            for cell, factor in self.rows[equation].items():
                rest[cell] = rest.get(cell, 0) - q * value * factor
        for cell, number in rest.items():
            fixed = rooms.get(cell, (0, 0)) == (0, 0)
            need(fixed or number % (q * denominator) == 0, "a step is not whole")
        return q

    def bound(self, item, rooms, form, sign, domain="integer"):
        total, denominator = self.proven(item, rooms, form, sign)
        need(total != inf, "a proof gives no bound")
        if domain == "rational":
            return Fraction(total, denominator)
        q = self.step_of(item, rooms, form)
        return total // (denominator * q) * q

    def is_empty(self, item, rooms):
        if any(low > high for low, high in rooms.values()):
            return True
        total, _ = self.proven(item, rooms, {}, 1)
        return "proof" in item and total != inf and total < 0

    def bound_of_tree(self, tree, rooms, form, sign):
        bounds, open_nodes = [], [(tree, rooms)]
        while open_nodes:
            node, around = open_nodes.pop()
            named(node, *(("node", "low", "high") if "node" in node else ("proof", "step", "chain", "empty")))
            if "node" in node:
                named(node["node"], "cell", "at")
                cell, at = whole(node["node"]["cell"], 0, len(self.values)), whole(node["node"]["at"])
                low, high = around.get(cell, (0, 0))
                open_nodes.append((node["low"], {**around, cell: self.snapped(cell, low, min(high, at))}))
                open_nodes.append((node["high"], {**around, cell: self.snapped(cell, max(low, at + 1), high)}))
                continue
            around = self.after_chain(node, around)
            if node.get("empty", False):
                need(self.is_empty(node, around), "a leaf of a tree is not shown to be empty")
            else:
                bounds.append(self.bound(node, around, form, sign))
        need(bounds, "a tree bounds nothing")
        return max(bounds)

    def bounded(self, end, domain, rooms, form, sign):  # without evidence: nothing
        if not {"proof", "step", "chain", "tree"} & set(end):
            return inf
        rooms = self.after_chain(end, rooms)
        if "tree" in end:
            return self.bound_of_tree(self.trees[whole(end["tree"], 0)], rooms, form, sign)
        return self.bound(end, rooms, form, sign, domain)

    def verdict(self, finding, domain, kind, cell, attacker, form, asked):
        rooms = self.rooms[domain, attacker]
        ends = ends_of(finding, *(("step", "chain", "tree") if domain == "integer" else ()))
        shown = [self.reached(end, domain, rooms, form, sign) for end, sign in ends]
        bounds = [self.bounded(end, domain, rooms, form, sign) for end, sign in ends]
        self.shown.append((cell, shown, bounds))
        others = {self.moved(index, domain, rooms, form) for index in finding.get("shown", [])}
        if kind in ("exact", "small", "zero", "levels") and self.is_said(cell):
            return "exposed"
        if "values" in asked:
            steps = [self.step_of(end, rooms, form) for end, _ in ends if "step" in end and "tree" not in end]
            enough = inf in shown or len(others | {0, -shown[0], shown[1]}) >= asked["values"]
            few = inf not in bounds and \
                sum(bounds) // max([1, *steps]) + 1 - self.missing(form, bounds, steps) < asked["values"]
            return "protected" if enough else "exposed" if few else "undecided"
        if "either" in asked:
            if any(show >= level for show, level in zip(shown, asked["either"])):
                return "protected"
            return "exposed" if all(bound < level for bound, level in zip(bounds, asked["either"])) else "undecided"
        checks = list(zip([*shown, sum(shown)], [*bounds, sum(bounds)], asked["levels"]))
        if any(bound < level for _, bound, level in checks):
            return "exposed"
        if kind == "levels" and not any(asked["levels"]):
            return "unasked"
        return "protected" if all(show >= level for show, _, level in checks) else "undecided"

    def missing(self, form, bounds, steps):  # numbers between the ends that the release itself rules out
        cell = next(iter(form))
        if len(form) > 1 or steps or cell not in self.among:
            return 0
        return sum(bounds) + 1 - sum(-bounds[0] <= number <= bounds[1] for number in self.among[cell])

def about(finding, form):  # domain, kind, cell, attacker; format 2 marks what is about whole numbers
    names = ("kind", "cell", "attacker", "group", "verdict", "low", "high", "values", "shown")
    before = form == "lacuna-certificate-2"
    named(finding, *names, "whole" if before else "domain")
    domain = finding["domain"] if not before else "integer" if "whole" in finding else "rational"
    kind = "levels" if before and domain == "rational" else finding["kind"]
    need(domain == "integer" or not {"group", "values", "shown"} & set(finding), "a name of findings about counts")
    return domain, kind, whole(finding["cell"]), whole(finding["attacker"])

def verdicts(root, certificate, zeros_are_meant, audits=None):  # audits: takes the audit, for what it shows
    decimals = whole(certificate["decimals"], 0, 19)
    factor = 10 ** whole(decimals - whole(root.get("decimals", decimals), 0, 19), 0)
    adjusted = {entry["state"] for entry in certificate["release"]} == {"adjusted"}
    need(factor == 1 or adjusted, "the certificate is for a table with other decimals")
    need(not adjusted or "decimals" in root, "an adjusted table is checked against a problem JSON")
    root = scaled(root, factor)
    values = [whole(cell["value"]) for cell in root["cells"]]
    points = [(value, value) for value in values]
    priors = [p if cell.get("status") == "known" else ends(p[0], cell) for p, cell in zip(points, root["cells"])]
    equations = []  # of (cell, factor)
    for number, item in enumerate(root.get("equations", [])):
        equations.append(pairs(item["cells"], item["coefficients"], len(values)))
        total = sum(times * values[cell] for cell, times in equations[-1])
        need(total == whole(item.get("rhs", 0)), f"the table is not additive: equation {number}")
    known = [ranges(attacker.get("known", []), values) for attacker in root.get("attackers") or [{}]]
    levels = {}  # (cell, attacker) -> lower, upper, sliding
    for item in root.get("requirements", []):
        key = whole(item["cell"], 0, len(values)), whole(item.get("attacker", 0), 0, len(known))
        need(key not in levels, "a cell has two requirements for the same attacker")
        levels[key] = [factor * whole(item.get(name, 0), 0) for name in LEVELS]
    primaries = {cell for cell, item in enumerate(root["cells"]) if item.get("status") == "primary"}
    levels.update({(cell, 0): [0, 0, 0] for cell in primaries - {cell for cell, _ in levels}})
    for (cell, attacker), asked in levels.items():
        bounds = list(zip(priors[cell], known[attacker].get(cell, (-inf, inf))))
        if not any(asked) and not zeros_are_meant and max(bounds[0]) < min(bounds[1]):
            asked[2] = factor  # a unit of the table: not exactly computable
    rational = [about(finding, certificate["format"])[0] == "rational" for finding in certificate["findings"]]
    if any(rational) and not levels and not root.get("counts", {}).get("questions"):
        for entry in certificate["release"]:  # from elsewhere: whoever withheld a cell had a reason
            cell = whole(entry["cell"], 0, len(values))
            if entry["state"] == "withheld" and root["cells"][cell].get("published", True) and \
                    priors[cell][0] < priors[cell][1]:
                levels[cell, 0] = [0, 0, factor]
                if "counts" in root:
                    root["counts"].setdefault("questions", []).append({"kind": "exact", "attacker": 0, "cell": cell})
    entries = {}  # what is not listed is published as it is
    for entry in certificate["release"]:
        need(entries.setdefault(whole(entry["cell"], 0, len(values)), entry) is entry, "a cell is named twice")
    for cell, entry in entries.items():
        shown = root["cells"][cell].get("status") == "published" and priors[cell][0] < priors[cell][1]
        need(not shown or entry["state"] not in ("withheld", "interval"), "a cell that must be published is hidden")
    release = {cell: said(entry, values[cell]) for cell, entry in entries.items()}
    rhs = [whole(item.get("rhs", 0)) for item in root.get("equations", [])]
    if adjusted:
        keys = [about(finding, certificate["format"])[2:] for finding in certificate["findings"]]
        need(keys == sorted(levels) and all(rational), "the findings do not follow the requirements of the table")
        found = adjusted_verdicts(certificate, values, priors, list(zip(rhs, equations)), levels)
        if audits is not None and "bound" in certificate:
            audits.append(beside().DualBound(root, [merged(terms) for terms in equations], values, priors, known, levels, decimals, certificate["bound"]))
        return [("rational", verdict) for verdict in found]
    need(all(entry["state"] != "adjusted" for entry in certificate["release"]), "a number without its range")
    rows = [merged(terms) for terms in equations]
    sums = [item for row, right in zip(rows, rhs) for item in part_sums(row, right)]  # before differences are added
    if "counts" in root and any("by" in entry for entry in entries.values()):
        found = Differences(values, priors, rows, rhs, entries, release).found
        add_differences(found, rows, values, priors, equations, entries)
    audit = Audit(root, values, priors, known, entries, equations, levels, sums)
    audit.levels, audit.decimals = levels, decimals
    found = audit.verdicts(certificate)
    if audits is not None:
        audits.append(audit)
    return found

def beside():  # the module that checks logs of bounds
    here = str(pathlib.Path(__file__).resolve().parent)
    if here not in sys.path:
        sys.path.append(here)
    import verify_bound
    return verify_bound

def judge(table_path, certificate_path, zeros_are_meant):
    certificate, text = json.loads(load(certificate_path), object_pairs_hook=once), load(table_path)
    named(certificate, "format", "problem_sha256", "decimals", "release", "witnesses", "proofs", "findings",
          "steps", "chains", "trees", "bound", "replays")
    need(certificate["format"] in ("lacuna-certificate-2", "lacuna-certificate-3"), "not a certificate of a known format")
    if text.lstrip()[:1] == "{":
        root = {"decimals": 0, **json.loads(text, object_pairs_hook=once)}
    else:
        root = jj_as_problem(text, whole(certificate["decimals"], 0, 19))
    waived = root.get("waived", "nothing")
    need(waived in ("nothing", "exposed"), "waived must be nothing or exposed")
    audits = []
    words = [(domain, word if word != "exposed" or waived == "nothing" else "waived")
             for domain, word in verdicts(root, certificate, zeros_are_meant, audits)]
    bound = ""
    if "bound" in certificate:
        Bound, DualBound = beside().Bound, beside().DualBound
        log, audit = certificate["bound"], audits[0]
        kinds = [kind for kind in ("steps", "intervals", "tables") if kind in log]
        need(len(kinds) == 1 and (kinds == ["tables"]) == isinstance(audit, DualBound), "the bound is of another kind of release")
        if kinds == ["intervals"]:
            audit = DualBound(root, audit.rows, audit.values, audit.priors, audit.known, audit.levels, audit.decimals, log)
        bound = audit.check() + "\n" if isinstance(audit, DualBound) else Bound(root, audits[0], audits[0].levels, certificate["bound"]).check(
            [entry["cell"] for entry in certificate["release"] if entry["state"] == "withheld"]) + "\n"
    found, counted = ([word for domain, word in words if domain == which] for which in ("rational", "integer"))
    overall = next((worst for worst in CODES if worst in found + counted), "unasked")
    def tally(list_, what):
        counts = len(list_), what, *map(list_.count, ("protected", "exposed", "undecided"))
        last = "".join(f", {word} {list_.count(word)}" for word in ("waived", "unasked") if word in list_)
        return "%d %s, confirmed protected %d, confirmed exposed %d, undecided %d" % counts + last
    for replay in certificate.get("replays", []):  # whether the program replays it is not for this script
        named(replay, "cell", "side", "witness")
        need(replay["side"] in ("low", "high"), "a side is high or low")
        whole(replay["witness"], 0, len(certificate["witnesses"]))
    whole_part = "; " + tally(counted, "questions about counts") if counted else ""
    print(f"{overall}: {tally(found, 'requirements')}{whole_part}\n{bound}", end="")
    return CODES[overall]

RANGES = [(r"(?:<=|=<|≤|at most |up to )\s*({0})", (None, 0)), (r"(?:<|less than |fewer than |under |below )\s*({0})", (None, -1)),
          (r"(?:>=|=>|≥|at least )\s*({0})", (0, None)), (r"(?:>|more than |over )\s*({0})", (1, None)),
          (r"({0}) or (?:less|fewer)", (None, 0)), (r"({0}) (?:or more|and over)", (0, None)),
          (r"({0})\s*(?: to |–|—|\.\.|-)\s*({0})", (0, 0))]
NUMBER = r"\d[\d.,'\s\u00a0\u202f]*?(?:[eE][-+]?\d+)?"

class Number(str):
    """A number that a format gives as one, with a point for decimals, whatever the language."""

def readings(text):  # of a printed number: what it may be by its marks, without a flag around it
    if isinstance(text, Number):
        return {Fraction(text)}
    match = re.fullmatch(rf"(?:[a-z]{{1,3}}\s+)?([-+−]?)({NUMBER})\s*[\[(]?[a-z*, ]{{0,6}}[\])]?", text.strip(), re.IGNORECASE)
    if not match:
        return set()
    digits, found = re.sub(r"[\s\u00a0\u202f']", "", match[2]), set()
    for mark, point in ((",", "."), (".", ",")):  # a mark has three digits behind it; of groups before may have two
        parts = re.fullmatch(rf"(\d+|\d{{1,3}}(?:\{mark}\d{{2,3}})*\{mark}\d{{3}})(?:\{point}(\d*))?((?:[eE][-+]?\d+)?)", digits)
        if parts:
            found.add(Fraction(parts[1].replace(mark, "") + "." + (parts[2] or "0") + parts[3]))
    return {-number for number in found} if match[1] in ("-", "−") else found

def range_of(text):  # (lower, upper, which ends are not possible themselves); nothing if it is no range
    for pattern, (low, high) in RANGES:
        match = re.fullmatch(pattern.format(NUMBER), text.strip().lower())
        if match:
            ends_ = [min(readings(group), default=None) for group in match.groups()]
            return (ends_[0] if low is not None else None, ends_[-1] if high is not None else None, low or 0, high or 0)
    return None

def subsequence(codes, row):  # where the codes stand in the row, in their order; nothing if they do not
    places, start = [], 0
    for code in codes:
        if code not in row[start:]:
            return None
        places.append(row.index(code, start))
        start = places[-1] + 1
    return places

def px_rows(text):  # a row per cell: its codes, in the order of stub and heading, and its text
    words = {}
    for match in re.finditer(r'([A-Z0-9-]+)(?:\[\w+\])?(?:\("([^"]*)"\))?\s*=\s*((?:"[^"]*"|[^";])*);', text.split("DATA=")[0]):
        words.setdefault((match[1], match[2]), re.findall(r'"([^"]*)"', match[3]))
    names = words.get(("STUB", None), []) + words.get(("HEADING", None), [])
    codes = [words.get(("CODES", name)) or words["VALUES", name] for name in names]
    values = re.findall(r'"[^"]*"|[^\s";]+', text.split("DATA=")[1])
    need(len(values) == prod(map(len, codes)), "the data of the PX file are not as many as its cells")
    return [*names, "value"], [[*key, value.strip('"')] for key, value in zip(itertools.product(*codes), values)]

def flat(levels):  # the components of a structure of SDMX-JSON with the level at which each stands
    return [(level, item) for level in ("dataSet", "dimensionGroup", "series", "observation")
            for item in (levels or {}).get(level) or []]

def code_of(value):  # of a component of SDMX-JSON
    return str(value.get("id") or value.get("value") or value.get("name")) if isinstance(value, dict) else str(value)

def sdmx_json_rows(root):  # the same of a data message of SDMX-JSON, with one structure and one measure
    data = root["data"] if isinstance(root.get("data"), dict) else root
    structures, sets = data.get("structures") or [data["structure"]], data["dataSets"]
    need(len(structures) == 1, "a message of several structures is not read here")
    listed = flat(structures[0]["dimensions"])
    places = [int(item.get("keyPosition", -1)) for _, item in listed]
    ordered = sorted(range(len(listed)), key=lambda i: places[i]) if len(set(places)) == len(places) and min(places) >= 0 \
        else list(range(len(listed)))
    measures = [item["id"] for _, item in flat(structures[0].get("measures"))] or ["OBS_VALUE"]
    need(len(measures) == 1, "a message of several measures is not read here")
    def codes(key, *levels):  # by the place of a dimension in the list
        own = [i for level in levels for i, (where, _) in enumerate(listed) if where == level]
        numbers = key.split(":") if key else []
        need(len(numbers) == len(own), f"the key '{key}' is not as long as its dimensions are many")
        return {i: code_of(listed[i][1]["values"][int(number)]) for i, number in zip(own, numbers)}
    def attributes(level, numbers):  # of the lowest level; signs stand among them
        named_ = [item for where, item in flat(structures[0].get("attributes")) if where == level]
        return [code_of(item["values"][int(n)]) if item.get("values") and n is not None else str(n or "")
                for item, n in zip(named_, numbers)]
    rows = []
    for one in (item for item in sets if item.get("action") != "Delete"):
        outer = {i: code_of(item["values"][0]) for i, (where, item) in enumerate(listed) if where == "dataSet"}
        groups = [(codes(key, "series"), attributes("series", series.get("attributes") or []), series.get("observations") or {})
                  for key, series in (one.get("series") or {}).items()] + [({}, [], one.get("observations") or {})]
        for above, signs, observations in groups:
            for key, items in observations.items():
                whole_key = not above and key.count(":") + 1 > sum(where == "observation" for where, _ in listed)
                inner = codes(key, *(("series",) if whole_key else ()), "observation")
                found = {**outer, **above, **inner}
                value = items[0] if items and items[0] is not None else ""
                rows.append([found[i] for i in ordered] + [value] + signs + attributes("observation", items[1:]))
    return [listed[i][1]["id"] for i in ordered] + measures, rows

def json_stat_rows(root):  # the same of JSON-stat, of version 1 and 2
    if root.get("class") == "collection":
        sets = [item for item in root["link"]["item"] if "value" in item]
    else:
        sets = [root] if "value" in root else [item for item in root.values() if isinstance(item, dict) and "value" in item]
    need(len(sets) == 1, "a file with several datasets is not read here")
    holder = sets[0] if "id" in sets[0] else sets[0]["dimension"]
    codes = []
    for name in holder["id"]:
        category = sets[0]["dimension"][name]["category"]
        index = category.get("index", category.get("label"))
        codes.append(index if isinstance(index, list) or "index" not in category
                     else sorted(index, key=lambda code, at=index: int(at[code])))
    cells = list(itertools.product(*codes))
    def listed(of):
        if isinstance(of, str) and not isinstance(of, Number):
            return [of] * len(cells)
        return [of.get(str(i)) for i in range(len(cells))] if isinstance(of, dict) else (of or []) + [None] * len(cells)
    status = listed(sets[0].get("status"))
    return [*holder["id"], "value"], [[*key, "" if value is None else value, status[i] or ""] for i, (key, value)
                                      in enumerate(zip(cells, listed(sets[0]["value"])))]

class Workbook:
    """An .xlsx: the texts and numbers of its cells, by the names of sheets and cells (ECMA-376, part 1)."""
    MOST = 1 << 30  # bytes of a part: what is larger is no table

    def __init__(self, data):
        self.archive, self.sheets = zipfile.ZipFile(io.BytesIO(data)), {}
        book = next(target for kind, target in self.relations("").values() if kind == "officeDocument")
        relations = self.relations(book)
        strings = next((target for kind, target in relations.values() if kind == "sharedStrings"), None)
        self.strings = [self.text(item) for item in self.part(strings)] if strings else []
        self.parts = {sheet.get("name"): relations[next(value for name, value in sheet.attrib.items() if name.endswith("}id"))][1]
                      for sheet in self.part(book).iter() if self.tag(sheet) == "sheet"}

    @staticmethod
    def tag(node):
        return node.tag.rsplit("}", 1)[-1]

    def part(self, name):
        need(self.archive.getinfo(name).file_size < self.MOST, f"{name} of the workbook is too large")
        data = self.archive.read(name)
        need(b"<!DOCTYPE" not in data and b"<!ENTITY" not in data, f"{name} of the workbook declares what no workbook needs")
        return xml.fromstring(data)

    def relations(self, of):  # id -> what it is, and the name of the part
        folder, name = posixpath.split(of)
        return {item.get("Id"): (item.get("Type").rsplit("/", 1)[-1],
                                 posixpath.normpath(posixpath.join("/" + folder, item.get("Target"))).lstrip("/"))
                for item in self.part(posixpath.join(folder, "_rels", name + ".rels"))}

    def text(self, node):  # what is written, without the pronunciation beside it
        return "".join(child.text or "" if self.tag(child) == "t" else "" if self.tag(child) == "rPh" else self.text(child)
                       for child in node)

    def cell(self, sheet, place):
        if sheet not in self.sheets:
            need(sheet in self.parts, f"the workbook has no sheet {sheet}")
            self.sheets[sheet] = {node.get("r"): node for node in self.part(self.parts[sheet]).iter() if self.tag(node) == "c"}
            need(None not in self.sheets[sheet], "a cell of the workbook does not say where it stands")
        node = self.sheets[sheet].get(place)
        if node is None:
            return ""
        parts, kind = {self.tag(child): child for child in node}, node.get("t", "n")
        if kind == "inlineStr":
            return self.text(parts["is"]).strip() if "is" in parts else ""
        value = (parts["v"].text or "").strip() if "v" in parts else ""
        if kind == "s":
            return self.strings[int(value)].strip()
        if kind != "n" or not value:
            return value
        return Number(repr(float(value)))  # the shortest text of the same number, as the workbook means it

class Published:
    """What stands in the files, and what readers know of it."""
    def __init__(self, knowledge, names, paths):
        names = names if len(names) == len(paths) else list(dict.fromkeys(names))  # sheets of one file, named once
        need(len(names) == len(paths), f"the certificate is about {len(names)} files: " + ", ".join(names))
        self.knowledge, self.compared, self.elsewhere = knowledge, 0, {}
        self.unit = 10 ** whole(knowledge["decimals"], 0, 19)
        self.lines = {name: self.decoded(path) for name, path in zip(names, paths)}
        self.tables = {}  # by name: header, rows, and where each row is by its codes
        self.lower = -inf if knowledge["lower"] is None else whole(knowledge["lower"])
        self.upper = self.units(knowledge["upper"]) if knowledge["upper"] else inf
        self.withheld = [(text.rsplit("=", 1) if "=" in text[1:] and not range_of(text) else (None, text))
                         for text in knowledge["withheld"]]

    @staticmethod
    def decoded(path):  # the lines of a text, a workbook, or nothing if it is neither
        data = pathlib.Path(path).read_bytes()
        data = {b"\x1f\x8b": gzip.decompress, b"\xfd7": lzma.decompress}.get(data[:2], bytes)(data)
        if data[:4] == b"PK\x03\x04":
            return Workbook(data) if b"[Content_Types].xml" in data else None
        if b"\0" in data and data[:2] not in (b"\xff\xfe", b"\xfe\xff"):
            return None
        for encoding in ("utf-16",) if data[:2] in (b"\xff\xfe", b"\xfe\xff") else ("utf-8-sig", "cp1252", "latin-1"):
            try:
                return data.decode(encoding).split("\n")
            except UnicodeDecodeError:
                continue
        return None

    def units(self, number):
        units = Fraction(number) * self.unit
        need(units.denominator == 1, "a number has more decimals than the certificate")
        return units.numerator

    @staticmethod
    def rows_of(lines):  # of a format whose cells go by their codes: the header, and rows with the value last or named
        text = "\n".join(lines)
        if text.lstrip()[:1] == "{":
            root = json.loads(text, parse_float=Number, parse_int=Number)
            return sdmx_json_rows(root) if "dataSets" in text and "id" not in root else json_stat_rows(root)
        if re.match(r"\s*(CHARSET|AXIS-VERSION|LANGUAGE)\s*=", text):
            return px_rows(text)
        if "\\" in lines[0].split("\t")[0]:  # Eurostat's TSV: keys in one column, periods beside each other
            keys, *periods = lines[0].rstrip("\r").split("\t")
            header = re.split(r"[,\\]", keys) + ["value"]
            return header, [[*line.split("\t")[0].split(","), period.strip(), value.strip()] for line in lines[1:] if line
                            for period, value in zip(periods, line.rstrip("\r").split("\t")[1:])]
        rows = list(csv.reader(lines, delimiter=max(";,\t|", key=lines[0].count)))
        return rows[0], [row for row in rows[1:] if row]

    def cell(self, name, codes, column):  # the text of the cell with these codes
        if not isinstance(self.lines.get(name), list):
            return None
        if name not in self.tables:
            header, rows = self.rows_of(self.lines[name])
            at = next((places for places in map(lambda row: subsequence(codes, row), rows) if places), None)
            need(at is not None, f"{name} has no cell {codes}")
            index = {}
            for row in rows:
                key = tuple(row[place] for place in at)
                need(index.setdefault(key, row) is row, f"{name} has two cells {key}")
            self.tables[name] = (header.index(column) if column in header else -1, index)
        value, index = self.tables[name]
        need(tuple(codes) in index, f"{name} has no cell {codes}")
        found = index[tuple(codes)][value]
        return found if isinstance(found, Number) else found.strip()

    def field(self, place):  # the text that stands there; nothing if the file is not read here
        match = re.fullmatch(r"(.*), sheet (.*), cell ([A-Z]+\d+)", place)
        if match:
            book = self.lines.get(match[1])
            return book.cell(match[2], match[3]) if isinstance(book, Workbook) else None
        match = re.fullmatch(r"(.*), cell (.*), column (.*)", place)
        if match:
            return self.cell(match[1], match[2].split(" | "), match[3])
        match = re.fullmatch(r"(.*):(\d+):(\d+)", place)
        lines = self.lines.get(match[1]) if match else None
        if not isinstance(lines, list):
            return None
        line = lines[int(match[2]) - 1].rstrip("\r")
        rest = line[int(match[3]) - 1:]
        if rest.startswith('"'):
            return re.match(r'"((?:[^"]|"")*)', rest)[1].replace('""', '"').strip()
        before = line[int(match[3]) - 2:int(match[3]) - 1]
        separator = before if before in tuple(";,\t|") and before else max(";,\t|", key=line.count)
        return rest.split(separator)[0].strip()

    def check(self, source):  # that what was read stands there
        text = self.field(source["at"])
        if text is None:
            name = next((name for name in self.lines if source["at"].startswith(name)), source["at"])
            self.elsewhere[name] = self.elsewhere.get(name, 0) + 1
            return
        self.compared += 1
        where, number, sign = source["at"], source["number"], source["sign"]
        if number and sign:  # a sign that means zero
            need(text == sign and Fraction(number) == 0, f"{where}: '{text}' is not the sign '{sign}'")
        elif number:
            need(Fraction(number) in readings(text), f"{where}: '{text}' is not {number}")
        else:
            need(not readings(text) - {0}, f"{where}: '{text}' is a number, which the certificate calls withheld")
            need(text in ("", sign) or readings(text) or sign.lower() in text.lower(), f"{where}: '{text}' is not '{sign}'")
            need(not range_of(text) or text == sign, f"{where}: '{text}' is a range, which the certificate leaves out")

    def known(self, source):
        inner = 1 if self.knowledge["counts"] else 0
        if source["number"]:
            value, base = self.units(source["number"]), self.knowledge["rounded_to"]
            if not base:
                return value, value
            base = self.units(base)
            need(value % base == 0, "a number is no multiple of the base of the rounding")
            most = base - inner
            below, above = {"nearest": (base // 2, base // 2), "down": (0, most), "up": (most, 0),
                            "adjacent": (most, most)}[self.knowledge["rounding"]]
            return max(value - below, self.lower), value + above
        said = range_of(source["sign"])
        upper = inf if said else self.upper
        if said is None:
            texts = [text for sign, text in self.withheld if sign in (None, source["sign"])]
            texts.sort(key=lambda text: (source["sign"], text) not in [tuple(pair) for pair in self.withheld])
            said = range_of(texts[0]) if texts else (None, None, 0, 0)
        low = -inf if said[0] is None else self.units(said[0]) + said[2] * inner
        high = inf if said[1] is None else self.units(said[1]) + said[3] * inner
        return max(low, self.lower), min(high, upper)

def sums_of(problem, cells, dimensions):  # by dimension: which codes add up; all must differ in one dimension alone
    found = {}
    for item in problem.get("equations", []):
        need(item.get("rhs", 0) == 0 and sorted(item["coefficients"])[-1] == 1 and
             (sorted(item["coefficients"])[:-1] == [-1] * (len(item["cells"]) - 1)), "an equation is no sum of parts")
        total = item["cells"][item["coefficients"].index(1)]
        parts = [cells[cell] for cell in item["cells"] if cell != total]
        differ = {d for part in parts for d in range(len(dimensions)) if part["codes"][d] != cells[total]["codes"][d]}
        need(len(differ) <= 1, "a sum goes over two dimensions at once")
        if differ:
            d = differ.pop()
            listed = tuple(sorted(part["codes"][d] for part in parts if part["from"]))
            need(cells[total]["codes"][d] not in listed, "a code is a part of itself")
            found.setdefault((dimensions[d], cells[total]["codes"][d], listed), []).append(total)
    return found

def judge_public(inference_path, paths):
    root = json.loads(load(inference_path), object_pairs_hook=once)
    named(root, "format", "files", "knowledge", "dimensions", "cells", "corrections", "intervals", "problem", "certificate")
    need(root["format"] == "lacuna-inference-1", "not a certificate of lacuna infer")
    cells, problem, certificate = root["cells"], root["problem"], root["certificate"]
    need(len(cells) == len(problem["cells"]), "the certificate has other cells than its table")
    need(problem.get("decimals", 0) == root["knowledge"]["decimals"], "the certificate has other decimals than its table")
    published = Published(root["knowledge"], root["files"], paths)
    corrections = {whole(item["cell"], 0, len(cells)): whole(item["value"]) for item in root["corrections"]}
    for number, (cell, item) in enumerate(zip(cells, problem["cells"])):
        for source in cell["from"]:
            published.check(source)
        told = [published.known(source) for source in cell["from"]] or [(published.lower, inf)]
        low, high = max(pair[0] for pair in told), min(pair[1] for pair in told)
        if number in corrections:
            value = corrections[number]
            low, high = (value, value) if low == high else (min(low, value), max(high, value))
        prior = (item["value"],) * 2 if item.get("status") == "known" else ends(item["value"], item)
        need(prior == (low, high), "a cell of the table is not what was published: " + "|".join(map(str, cell["codes"])))
    need(all(len(problem.get("attackers") or [{}]) == 1 and not attacker.get("known") for attacker in
             problem.get("attackers") or [{}]), "somebody knows more than all readers do")
    found = sums_of(problem, cells, root["dimensions"])
    for (dimension, total, parts), equations in sorted(found.items(), key=str)[:20]:
        listed = " + ".join(parts) if len(parts) < 8 else " + ".join(parts[:3]) + f" + ... ({len(parts)} parts)"
        print(f"sum over {dimension}: {total} = {listed}, {len(equations)} times")
    if len(found) > 20:
        print(f"and {len(found) - 20} more sums of codes")
    return shown_intervals(root, problem, certificate, published, corrections)

def shown_intervals(root, problem, certificate, published, corrections):
    named(certificate, "format", "problem_sha256", "decimals", "release", "witnesses", "proofs", "findings",
          "steps", "chains", "trees")
    audits, missing = [], 0
    words = verdicts({"decimals": 0, **problem}, certificate, False, audits)
    values = [item["value"] for item in problem["cells"]]
    for item in root["intervals"]:
        cell, reached, bounds = audits[0].shown[whole(item["finding"], 0, len(words))]
        need(cell == item["cell"], "an interval is of another cell than its proof")
        prior = problem["cells"][cell]
        for name, sign, reach, bound in zip(("lower", "upper"), (-1, 1), reached, bounds):
            own = inf if prior.get(name) is None else sign * (prior[name] - values[cell])
            end = inf if item[name] is None else sign * (Fraction(item[name]) * published.unit - values[cell])
            shown = min(bound, own) <= end and (not item["exact"] or reach == end)
            missing += not shown
    counts = len(root["intervals"]), published.compared, missing
    print("%d intervals, %d published numbers and blanks compared, %d ends not shown" % counts)
    if corrections:
        print(f"{len(corrections)} published numbers are corrected: the intervals hold for these numbers")
    for name, number in published.elsewhere.items():
        print(f"{number} numbers of {name} were not compared: this script does not read such a file; convert it to .csv or .xlsx")
    return 2 if missing else 3 if published.elsewhere else 0

def explain(error):
    if isinstance(error, OSError) and error.filename is not None:
        return f"{error.filename}: {error.strerror}"
    return str(error) if type(error) is ValueError else f"{type(error).__name__}: {error}"

def batch(list_path):
    codes = {0}
    for line in load(list_path).splitlines():
        try:
            table, certificate, zeros = line.split("\t")
            need(zeros in ("stated", "raised"), "zero levels are stated or raised")
            codes.add(judge(table, certificate, zeros == "stated"))
        except Exception as error:  # it proves nothing, and says nothing of the next
            print("bad input: " + explain(error).replace("\n", " "))
            codes.add(1)
    return next(code for code in (1, 2, 6, 5, 0) if code in codes)

def main(*arguments):
    if arguments in (("-h",), ("--help",)):
        print(__doc__)
        return 0
    if len(arguments) == 2 and arguments[0] == "--batch":
        return batch(arguments[1])
    if len(arguments) > 2 and arguments[0] == "--public":
        return judge_public(arguments[1], arguments[2:])
    table_path, certificate_path, *options = arguments if len(arguments) > 1 else (None, None, None)
    need(options in ([], ["--zero-levels", "stated"], ["--zero-levels", "raised"]),
         "this is called as: verify_certificate.py TABLE CERTIFICATE [--zero-levels stated|raised]; --help says more")
    return judge(table_path, certificate_path, "stated" in options)

if __name__ == "__main__":
    sys.setrecursionlimit(50000)  # trees of cases may be deep
    try:
        sys.exit(main(*sys.argv[1:]))
    except Exception as error:  # whatever is wrong with the input, it proves nothing
        print(f"verify_certificate: {explain(error)}", file=sys.stderr)
        sys.exit(1)
