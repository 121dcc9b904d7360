# SPDX-License-Identifier: Apache-2.0
"""Logs of bounds in certificates, for verify_certificate.py beside it: that no safe pattern of withheld cells weighs
less, that no safe intervals and no adjusted table cost less (docs/proof.md, equations (20) to (29)). Nothing of Lacuna
is used, and every step is computed again in whole numbers."""
from fractions import Fraction
from math import inf, prod

from verify_certificate import named, need, pairs, whole

class Bound:
    """The log of the bound of a suppression (docs/proof.md): with x_i = 1 if cell i is withheld, each step is an
    inequality sum c_i x_i >= b that all safe patterns satisfy which withhold no cell in vain; the last one is the bound."""
    def __init__(self, root, audit, levels, log):
        named(log, "weights", "unit", "at_least", "cells", "values", "ties", "steps")
        self.audit, self.cells, self.log = audit, root["cells"], log
        self.needs = [(cell, attacker, levels[cell, attacker]) for cell, attacker in sorted(levels)]
        status = [cell.get("status", "free") for cell in self.cells]
        asked = {cell for cell, _, _ in self.needs}
        self.always = {i for i, word in enumerate(status) if word in ("primary", "withheld")} | asked
        points = {i for i, word in enumerate(status) if word == "published" and audit.priors[i][0] == audit.priors[i][1]}
        self.open = {i for i, word in enumerate(status) if word not in ("published", "known")} - self.always - points
        self.unit = Fraction(whole(log["unit"][0], 1), whole(log["unit"][1], 1))
        weights = pairs(log["cells"], log["values"], len(self.cells))
        need([cell for cell, _ in weights] == sorted(self.open), "the bound is about other cells than those to be decided")
        self.values = {cell: whole(value, 0) for cell, value in weights}
        self.is_compared = all(self.weight(i) is not None for i in range(len(self.cells)))
        for cell, value in self.values.items():
            need(not self.is_compared or self.unit * value == self.weight(cell), "the weights of the bound are not those of the table")
        self.leader, self.settled, self.rows = {}, {}, []

    def weight(self, i):  # exactly, as its shortest text says; None: not known here
        cell, formula = self.cells[i], self.log["weights"]
        decimals = self.audit.decimals
        return {"cost": Fraction(repr(float(cell.get("weight", 1)))), "unity": Fraction(1),
                "value": Fraction(repr(abs(cell["value"]) / 10**decimals))}.get(formula)

    def stands(self, cell):
        return self.leader.get(cell, cell)

    def sum_of(self, item, names=("equations", "values")):
        sums = {}
        for equation, value in pairs(item[names[0]], item[names[1]], len(self.audit.rows)):
            for cell, factor in self.audit.rows[equation].items():
                sums[cell] = sums.get(cell, 0) + value * factor
        return {cell: factor for cell, factor in sums.items() if factor}

    def tie(self, item):
        cell, other = named(item, "cell", "with", "equations", "values")["cell"], item["with"]
        need({cell, other} <= self.open and cell != other and cell not in self.leader and other not in self.leader,
             "a tie of the bound is of cells that are not to be decided, or of one twice")
        need(set(self.sum_of(item)) & (self.open | self.always) == {cell, other}, "a tie of the bound does not follow")
        self.leader = {**{i: other if j == cell else j for i, j in self.leader.items()}, cell: other}

    def reduced(self, terms, rhs):  # cells that stand for others, less what is settled; none above what is asked
        sums = {}
        for cell, value in terms:
            own = self.stands(cell)
            if own not in self.settled:
                sums[own] = sums.get(own, 0) + value
            elif self.settled[own]:
                rhs -= value
        least = rhs - sum(value for value in sums.values() if value < 0)
        if least <= 0:
            return {}, 0
        return {cell: min(value, least) for cell, value in sums.items() if value}, rhs

    def need_step(self, item):
        number = whole(named(item, "requirement", "high", "low")["requirement"], 0, len(self.needs))
        cell, attacker, (lower, upper, sliding) = self.needs[number]
        own, ends_ = self.audit.known[attacker], [(name, sign) for name, sign in (("high", 1), ("low", -1)) if name in item]
        need(ends_, "a step of a requirement has a proof")
        denominators = [whole(named(item[name], "denominator", "equations", "values")["denominator"], 1) for name, _ in ends_]
        level = sliding if len(ends_) == 2 else upper if ends_[0][1] > 0 else lower
        amounts, endless, asked = {}, set(), level * prod(denominators)
        for (name, sign), denominator in zip(ends_, denominators):
            slopes = {i: -factor for i, factor in self.sum_of(item[name]).items()}
            slopes[cell] = slopes.get(cell, 0) + sign * denominator
            for i, slope in slopes.items():
                if slope == 0 or i not in self.open | self.always:
                    continue
                low, high = (range_ for range_ in zip(self.audit.priors[i], own.get(i, (-inf, inf))))
                value = self.audit.values[i]
                room = min(high) - value if slope > 0 else value - max(low)
                if room == inf:
                    need(i in self.open, "a cell of the bound has no limit")
                    endless.add(i)
                    continue
                amount = prod(denominators) // denominator * abs(slope) * room
                if i in self.always:
                    asked -= amount
                else:
                    amounts[i] = amounts.get(i, 0) + amount
        if asked <= 0:
            return {}, 0
        return self.reduced({**amounts, **dict.fromkeys(endless, asked)}.items(), asked)

    def bridgeless(self, item):
        cell, sums = named(item, "cell", "equations", "values")["cell"], self.sum_of(item)
        need(cell in self.open and cell in sums and not set(sums) & self.always, "a bridgeless inequality does not follow")
        return self.reduced([(i, -1 if i == cell else 1) for i in sums if i in self.open], 0)

    def added(self, steps, times, start, sign):  # a sum of steps before this one
        sums, rhs = dict(start), 0
        for step, factor in pairs(steps, times, len(self.rows)):
            need(factor >= 0, "a step of the bound is subtracted")
            terms, right = self.rows[step]
            for cell, value in terms.items():
                sums[cell] = sums.get(cell, 0) + sign * factor * value
            rhs += factor * right
        return sums, rhs

    def rounded(self, item):
        named(item, "steps", "times", "capped", "by", "divisor")
        sums, rhs = self.added(item["steps"], item["times"], {}, 1)
        for cell, by in pairs(item["capped"], item["by"], len(self.cells)):
            need(cell in self.open and by >= 0, "a sum of the bound caps a cell that is not to be decided")
            sums[self.stands(cell)] = sums.get(self.stands(cell), 0) - by
            rhs -= by
        divisor = whole(item["divisor"], 1)
        return self.reduced([(cell, -(-value // divisor)) for cell, value in sums.items()], -(-rhs // divisor))

    def tree(self, item):
        named(item, "cells", "values", "at_least", "nodes")
        about_, at_least, waiting = {}, whole(item["at_least"]), [dict(self.settled)]
        terms = pairs(item["cells"], item["values"], len(self.cells))
        for cell, value in terms:
            need(cell in self.open, "a tree of the bound is about a cell that is not to be decided")
            about_[self.stands(cell)] = about_.get(self.stands(cell), 0) + value
        for node in item["nodes"]:
            need(waiting, "a tree of the bound has nodes that belong to no case")
            decided = waiting.pop()
            if "case" in node:
                cell = whole(named(node, "case")["case"], 0, len(self.cells))
                need(self.stands(cell) == cell, "a case of the bound is of a cell that stands for none")
                waiting += [{**decided, cell: 1}, {**decided, cell: 0}]
                continue
            named(node, "settled", "weight", "steps", "times")
            weight = whole(node["weight"], 0)
            rest, base = self.added(node["steps"], node["times"], {cell: weight * value for cell, value in about_.items()}, -1)
            base += sum(value if decided.get(cell, value < 0) else 0 for cell, value in rest.items())
            most = weight * (at_least - 1) - base
            if "settled" in node:
                waiting.append({**decided, **{cell: int(value < 0) for cell, value in rest.items()
                                              if cell not in decided and abs(value) > most}})
            else:
                need(most < 0, "a leaf of the bound is not closed by its sum")
        need(not waiting, "a case of the bound is missing")
        return self.reduced(terms, at_least)

    def check(self, release):
        for item in self.log["ties"]:
            self.tie(item)
        for item in self.log["steps"]:
            kind = {"requirement": self.need_step, "cell": self.bridgeless, "steps": self.rounded, "cells": self.tree}
            row, rhs = kind[next(iter(item))](item)
            self.rows.append((row, rhs))
            if len(row) == 1:
                (cell, value), = row.items()
                if (value > 0 and rhs > 0) or (value < 0 and rhs == 0):
                    self.settled[cell] = int(value > 0)
        left, claim = {}, whole(self.log["at_least"])
        asked = claim
        for cell, value in self.values.items():
            own = self.stands(cell)
            if self.settled.get(own) == 1:
                asked -= value
            else:
                left[own] = left.get(own, 0) + value
        if asked > 0:
            row, rhs = self.rows[-1] if self.rows else ({}, 0)
            need(rhs >= asked and all(value <= left.get(cell, 0) for cell, value in row.items()),
                 "the last step of the bound does not say what is claimed")
        if not self.is_compared:
            return f"bound: the cells to be decided weigh at least {claim * self.unit}, by the weights of the certificate"
        at_least = self.unit * claim + sum(self.weight(i) for i in self.always)
        own = sum(self.weight(i) for i in release)
        return f"bound: no safe pattern weighs less than {at_least}; this one weighs {own}"

class DualBound:
    """The log of the bound of intervals or of adjusted tables (docs/proof.md, (28) and (29)): weak duality over the
    equations, in whole numbers."""
    def __init__(self, root, rows, values, priors, known, levels, decimals, log):
        self.cells, self.rows, self.values_of, self.priors, self.known = root["cells"], rows, values, priors, known
        self.log, self.decimals, self.needs = log, decimals, [(i, k, levels[i, k]) for i, k in sorted(levels)]
        self.unit = Fraction(whole(log["unit"][0], 1), whole(log["unit"][1], 1))
        self.status = [cell.get("status", "free") for cell in self.cells]

    def weights(self, named_cells, per_unit):
        weights = pairs(self.log["cells"], self.log["values"], len(self.cells))
        need([cell for cell, _ in weights] == named_cells, "the bound is about other cells than those to be decided")
        self.values = {cell: whole(value, 0) for cell, value in weights}
        given = {"cost": lambda c: float(c.get("weight", 1)), "unity": lambda c: 1.0, "value": lambda c: abs(c["value"]) / 10**self.decimals,
                 "inverse": lambda c: 1 / (abs(c["value"]) / 10**self.decimals) if c["value"] else 1.0}.get(self.log["weights"])
        self.is_compared = given is not None
        for cell, value in self.values.items() if given else ():
            need(self.unit * value == Fraction(repr(given(self.cells[cell]))) * per_unit, "the weights of the bound are not those of the table")

    def sum_of(self, item):
        sums = {}
        for equation, value in pairs(item["equations"], item["values"], len(self.rows)):
            for cell, factor in self.rows[equation].items():
                sums[cell] = sums.get(cell, 0) + value * factor
        return {cell: factor for cell, factor in sums.items() if factor}

    def intervals(self):
        named(self.log["intervals"], "weight", "needs")
        self.weights([i for i, word in enumerate(self.status) if word in ("primary", "free")], Fraction(1, 10**self.decimals))
        weight, total = whole(self.log["intervals"]["weight"], 1), 0
        left = {(cell, sign): weight * value for cell, value in self.values.items() for sign in (1, -1)}
        for item in self.log["intervals"]["needs"]:
            cell, attacker, (lower, upper, sliding) = self.needs[whole(named(item, "requirement", "high", "low")["requirement"], 0, len(self.needs))]
            taken = {}
            for name, sign in (("high", 1), ("low", -1)):
                if name not in item:
                    continue
                taken[sign] = whole(named(item[name], "denominator", "equations", "values")["denominator"], 1)
                slopes = {i: -factor for i, factor in self.sum_of(item[name]).items()}
                slopes[cell] = slopes.get(cell, 0) + sign * taken[sign]
                for i, slope in slopes.items():
                    end, owed = (i, 1 if slope > 0 else -1), abs(slope)
                    if not owed or (end not in left and self.status[i] != "withheld"):
                        continue
                    paid = min(owed, left.get(end, 0))
                    left[end], owed = left.get(end, 0) - paid, owed - paid
                    low, high = zip(self.priors[i], self.known[attacker].get(i, (-inf, inf)))
                    room = min(high) - self.values_of[i] if slope > 0 else self.values_of[i] - max(low)
                    need(not owed or room != inf, "an end of the bound without limit has to pay more than it costs")
                    total -= owed * room if owed else 0
            need(taken, "a need of the bound has no proof")
            total += taken.get(1, 0) * upper + taken.get(-1, 0) * lower + min(taken.get(1, 0), taken.get(-1, 0)) * max(0, sliding - upper - lower)
        claim = whole(self.log["at_least"])
        need(claim <= 0 or total > weight * (claim - 1), "the needs of the bound come to less than what is claimed")

    def pieces(self, cell, side):  # where an adjusted cell may be, as moves
        low, high = (end - self.values_of[cell] for end in self.priors[cell])
        if cell not in self.sensitive:
            return [(low, high)]
        down, up = self.sensitive[cell]
        return [piece for piece, own in (((low, min(high, -down)), -1), ((max(low, up), high), 1))
                if side in (0, own) and piece[0] <= piece[1]]

    def least(self, piece, norm, a, c):  # of a |z|^norm - c z
        low, high = piece
        if norm == 1 or a == 0:
            need((high != inf or a >= c) and (low != -inf or -a <= c), "a cell of the bound has no limit")
            ends = [end for end in piece if abs(end) != inf] + [0] * (low <= 0 <= high)
            return min(a * abs(z)**norm - c * z for z in ends)
        if low != -inf and 2 * a * low >= c:
            return a * low * low - c * low
        if high != inf and 2 * a * high <= c:
            return a * high * high - c * high
        return -c * c // (4 * a)

    def tree(self, item, norm):
        named(item, "cells", "at_least", "nodes")
        cells, waiting = [whole(cell, 0, len(self.cells)) for cell in item["cells"]], [{}]
        need(len(set(cells)) == len(cells) and not set(cells) - set(self.values) and not set(cells) & self.taken,
             "a tree of the bound is about a cell that is not to be altered, or about one twice")
        self.taken |= set(cells)
        for node in item["nodes"]:
            need(waiting, "a tree of the bound has nodes that belong to no case")
            sides = waiting.pop()
            if "case" in node:
                cell = whole(named(node, "case")["case"], 0, len(self.cells))
                need(cell in self.sensitive, "a case of the bound is of a cell that is not sensitive")
                waiting += [{**sides, cell: 1}, {**sides, cell: -1}]
                continue
            weight, sums = whole(named(node, "weight", "equations", "values")["weight"], 1), self.sum_of(node)
            need(not set(sums) & set(self.values) - set(cells), "an equation of the bound has cells that its tree is not about")
            total = sum(min((self.least(piece, norm, weight * self.values[cell], sums.get(cell, 0))
                             for piece in self.pieces(cell, sides.get(cell, 0))), default=0) for cell in cells)
            need(total >= weight * whole(item["at_least"]), "a leaf of the bound is not closed by its multipliers")
        need(not waiting, "a case of the bound is missing")
        return item["at_least"]

    def tables(self):
        norm = whole(named(self.log["tables"], "norm", "trees")["norm"], 1, 3)
        self.weights([i for i, word in enumerate(self.status) if word not in ("published", "known") and self.priors[i][0] < self.priors[i][1]],
                     Fraction(1, 10**(norm * self.decimals)))
        self.sensitive, self.taken = {}, set()
        for cell, _, (lower, upper, sliding) in self.needs:
            down, up, half = *self.sensitive.get(cell, (0, 0)), -(-sliding // 2)
            self.sensitive[cell] = max(down, lower, half), max(up, upper, half)
        total, claim = sum(self.tree(item, norm) for item in self.log["tables"]["trees"]), whole(self.log["at_least"])
        need(claim <= 0 or total >= claim, "the trees of the bound come to less than what is claimed")

    def check(self):
        kind = "intervals" if "intervals" in self.log else "tables"
        named(self.log, "weights", "unit", "at_least", "cells", "values", kind)
        getattr(self, kind)()
        what = "no safe intervals cost" if kind == "intervals" else "no adjusted table costs"
        source = "" if self.is_compared else ", by the weights of the certificate"
        return f"bound: {what} less than {self.unit * self.log['at_least']}{source}"
