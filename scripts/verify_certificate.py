#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""verify_certificate.py TABLE CERTIFICATE: a second verifier, which shares nothing with the library.

TABLE is a JJ file or a problem JSON, also packed with gzip or xz (docs/formats.md). Checked, with integers and no
solver: the table adds up; what the release says of a cell is true; each witness is a displacement z with M z = 0 that
leaves no cell beyond what the attacker knows; each proof bounds its cell by s z_p <= sum_i max(d_i up_i, -d_i down_i)
with d = s e_p - M'g; and what follows for every requirement of the table. The digest is not needed: the evidence must
fit the table given. Exit code 0: protected; 2: exposed or undecided; 1: bad input."""
import gzip, json, lzma, re, sys, zlib
from fractions import Fraction

NUMBER = re.compile(r"[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d{1,3})?", re.ASCII)
STATUS = {"s": "free", "u": "primary", "z": "published", "m": "withheld"}

def need(condition, message):
    if not condition:
        raise ValueError(message)

def whole(number, low=-2**96, high=2**96):
    need(type(number) is int and low <= number < high, "expected a whole number within range")
    return number

def fields(item, required, optional=()):
    need(set(required) <= item.keys() <= {*required, *optional}, f"expected the names {required}")
    return [item.get(name) for name in (*required, *optional)]

def ends(item):  # of a range; None: no end
    return tuple(None if item.get(side) is None else whole(item[side], -2**62, 2**62) for side in ("lower", "upper"))

def contains(bounds, value):
    return (bounds[0] is None or bounds[0] <= value) and (bounds[1] is None or value <= bounds[1])

def load(path):
    with open(path, "rb") as file:
        data = file.read()
    packed = {b"\x1f\x8b": gzip.decompress, b"\xfd7": lzma.decompress}
    return packed.get(data[:2], bytes)(data).decode("utf-8-sig")

def parse(text):
    def members(pairs):
        need(len(dict(pairs)) == len(pairs), "a name is given twice")
        return dict(pairs)
    return json.loads(text, object_pairs_hook=members, parse_constant=lambda word: need(False, f"{word} is no number"))

def jj_as_problem(text, decimals):
    def units(token, is_level=False):  # levels with too many digits are rounded up
        need(token.isdecimal() or NUMBER.fullmatch(token), f"'{token}' is no number")
        number = (int if token.isdecimal() else Fraction)(token) * 10**decimals
        need(is_level or number.denominator == 1, "a number has more decimals than the certificate")
        return -(-number.numerator // number.denominator)
    def bound(token):
        endless = token.lower().lstrip("+-") in ("inf", "infinity", "unbounded")
        return None if endless or abs(units(token)) >= 10**(20 + decimals) else units(token)
    stream = iter(re.sub("[:()]", " ", text).split())
    cells, equations, requirements = [], [], []
    need(next(stream) == "0", "not a JJ file")
    for cell in range(int(next(stream))):
        position, value, _, status, lower, upper, *levels = [next(stream) for _ in range(9)]
        need(int(position) == cell, "the cells are not in order")
        cells.append({"value": units(value), "lower": bound(lower), "upper": bound(upper), "status": STATUS[status]})
        if status == "u":
            levels = [units(level, is_level=True) for level in levels]
            requirements.append(dict(zip(("cell", "lower", "upper", "sliding"), (cell, *levels))))
    for _ in range(int(next(stream))):
        rhs, numbers = units(next(stream)), [int(next(stream)) for _ in range(2 * int(next(stream)))]
        equations.append({"rhs": rhs, "cells": numbers[::2], "coefficients": numbers[1::2]})
    need(next(stream, None) is None, "the JJ file goes on after the last equation")
    return {"cells": cells, "equations": equations, "requirements": requirements}

class Problem:
    def __init__(self, root):
        self.values = [whole(cell["value"], -2**62, 2**62) for cell in root["cells"]]
        self.priors, self.status = [ends(cell) for cell in root["cells"]], [c.get("status", "free") for c in root["cells"]]
        self.equations, self.through = [], [[] for _ in self.values]  # (cell, factor); (equation, factor)
        for cell, (value, prior) in enumerate(zip(self.values, self.priors)):
            if self.status[cell] == "known" or (self.status[cell] == "published" and prior == (value, value)):
                self.priors[cell], self.status[cell] = (value, value), "known"
            need(contains(self.priors[cell], value), f"cell {cell} lies outside its bounds")
        for number, item in enumerate(root.get("equations", [])):
            need(len(item["cells"]) == len(item["coefficients"]), "an equation has lists of different lengths")
            self.equations.append(list(zip(map(self.cell, item["cells"]), map(whole, item["coefficients"]))))
            total = sum(factor * self.values[cell] for cell, factor in self.equations[-1])
            need(total == whole(item.get("rhs", 0)), f"the table is not additive: equation {number}")
            for cell, factor in self.equations[-1]:
                self.through[cell].append((number, factor))
        self.known = [{self.cell(fact["cell"]): ends(fact) for fact in attacker.get("known", [])}
                      for attacker in root.get("attackers") or [{}]]
        need(all(contains(own[c], self.values[c]) for own in self.known for c in own), "an attacker is mistaken")
        self.levels = {}  # (cell, attacker) -> lower, upper, sliding
        for item in root.get("requirements", []):
            key = self.cell(item["cell"]), whole(item.get("attacker", 0), 0, len(self.known))
            need(key not in self.levels, "a cell has two requirements for the same attacker")
            self.levels[key] = [whole(item.get(name, 0), 0) for name in ("lower", "upper", "sliding")]
        required = {cell for cell, _ in self.levels}
        missing = (c for c, s in enumerate(self.status) if s == "primary" and c not in required)
        self.levels.update({(cell, 0): [0, 0, 0] for cell in missing})

    def cell(self, number):
        return whole(number, 0, len(self.values))

    def room(self, cell, *said):  # how far below and above the value one must look; None: for ever
        lower, upper = ([end for end in side if end is not None] for side in zip(self.priors[cell], *said))
        return self.values[cell] - max(lower) if lower else None, min(upper) - self.values[cell] if upper else None

def read_release(items, problem):
    release = {}
    for item in items:
        cell, state, *_, told = fields(item, ("cell", "state"), ("lower", "upper", "value"))
        need(problem.cell(cell) not in release and whole(told or 0) == (told or 0), "the release names a cell twice")
        need(state in ("withheld", "interval", "rounded", "altered"), "unknown state")
        need(problem.status[cell] != "published" or state in ("rounded", "altered"), "a cell must not be hidden")
        release[cell] = ends(item)
        need(contains(release[cell], problem.values[cell]), f"the release is wrong about cell {cell}")
    return release

def read_evidence(items, names, count):
    for item in items:
        denominator, ids, numbers = fields(item, ("denominator", *names))
        need(len(ids) == len(numbers) and all(a < b for a, b in zip(ids, ids[1:])), "evidence out of order")
        yield whole(denominator, 1, 2**31), [(whole(i, 0, count), whole(n)) for i, n in zip(ids, numbers)]

def reached(problem, witness, cell, sign, room, is_ray):  # None: for ever
    denominator, moves = witness
    sums, moved = {}, sign * dict(moves).get(cell, 0)
    for other, move in moves:
        limit = room(other)[move > 0]
        inside = limit is None or (move == 0 if is_ray else abs(move) <= limit * denominator)
        need(inside, f"a witness moves cell {other} beyond what the attacker knows")
        for equation, factor in problem.through[other]:
            sums[equation] = sums.get(equation, 0) + factor * move
    need(not any(sums.values()), "a witness breaks an equation")
    need(not is_ray or moved > 0, "a ray does not move the cell")
    return None if is_ray else Fraction(moved, denominator)

def proven(problem, proof, cell, sign, room):
    denominator, multipliers = proof
    rest, total = {cell: sign * denominator}, 0
    for equation, value in multipliers:
        for other, factor in problem.equations[equation]:
            rest[other] = rest.get(other, 0) - value * factor
    for other, slope in rest.items():
        limit = room(other)[slope > 0] if slope else 0
        need(limit is not None, "a proof does not bound the cell")
        total += abs(slope) * limit
    return Fraction(total, denominator)

def verdicts(problem, certificate):
    release = read_release(certificate["release"], problem)
    witnesses = list(read_evidence(certificate["witnesses"], ("cells", "moves"), len(problem.values)))
    proofs = list(read_evidence(certificate["proofs"], ("equations", "values"), len(problem.equations)))
    rooms = {cell: problem.room(cell, said) for cell, said in release.items()}
    own = [{c: problem.room(c, release[c], known[c]) for c in known if c in release} for known in problem.known]
    need(len(certificate["findings"]) == len(problem.levels), "the evidence does not cover the requirements")
    for finding, key in zip(certificate["findings"], sorted(problem.levels)):
        cell, attacker, _, low, high = fields(finding, ("cell", "attacker", "verdict"), ("low", "high"))
        need((whole(cell), whole(attacker)) == key, "the findings do not follow the requirements of the table")
        def room(other, mine=own[attacker]):
            return mine.get(other) or rooms.get(other, (0, 0))
        shown, bounds = [], []
        for sign, end in ((-1, low), (1, high)):
            witness, ray, proof = fields({} if end is None else end, (), ("witness", "ray", "proof"))
            moving, is_ray = (ray, True) if witness is None else (witness, False)
            shown.append(Fraction(0) if moving is None else reached(
                problem, witnesses[whole(moving, 0)], cell, sign, room, is_ray))
            bounds.append(None if proof is None else proven(problem, proofs[whole(proof, 0)], cell, sign, room))
        for numbers in (shown, bounds):
            numbers.append(None if None in numbers else sum(numbers))  # the width, against the sliding level
        value, wanted = problem.values[cell], problem.levels[key]
        if release.get(cell, (value, value)) == (value, value):
            yield "exposed"  # published as it is
        elif any(bound is not None and bound < level for bound, level in zip(bounds, wanted)):
            yield "exposed"
        else:
            yield "protected" if all(s is None or s >= w for s, w in zip(shown, wanted)) else "undecided"

def main(table_path, certificate_path):
    certificate, text = parse(load(certificate_path)), load(table_path)
    kind, _, decimals, *_ = fields(certificate, (
        "format", "problem_sha256", "decimals", "release", "witnesses", "proofs", "findings"))
    need(kind == "lacuna-certificate-1", "not a certificate of a known format")
    if text.lstrip()[:1] == "{":
        root = parse(text)
        need(root["format"] == "lacuna-problem-1" and root.get("decimals", 0) == decimals, "another format or decimals")
    else:
        root = jj_as_problem(text, whole(decimals, 0, 19))
    found = list(verdicts(Problem(root), certificate))
    counts = [found.count(name) for name in ("protected", "exposed", "undecided")]
    overall = "exposed" if counts[1] else "undecided" if counts[2] else "protected"
    print("{}: {} requirements, confirmed protected {}, confirmed exposed {}, undecided {}".format(
        overall, len(found), *counts))
    return 0 if overall == "protected" else 2

if __name__ == "__main__":
    try:
        sys.exit(main(*sys.argv[1:]))
    except (ArithmeticError, AttributeError, EOFError, LookupError, OSError, RuntimeError, StopIteration, TypeError,
            ValueError, lzma.LZMAError, zlib.error) as error:
        print(f"verify_certificate: {type(error).__name__}: {error}", file=sys.stderr)
        sys.exit(1)
