#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""verify_certificate.py TABLE CERTIFICATE [--zero-levels stated]: a second verifier, sharing nothing with the library.
verify_certificate.py --batch LIST: the same for many; a line of LIST is a table, a certificate and 'raised' or 'stated',
separated by tabs, and is answered by one line: what a single call prints, or 'bad input: ' and why.

TABLE is a JJ file or a problem JSON, also packed (docs/formats.md). With a the true table and z = y - a for another
table y, this checks with whole numbers and fractions, without a solver, that
  - the table adds up, and what the release says of a cell contains its true value;
  - a witness z has M z = 0 and moves no cell beyond what the attacker knows; a ray can be repeated for ever;
  - a proof with multipliers g bounds cell p by s z_p <= sum_i max(d_i up_i, -d_i down_i), d = s e_p - M'g, where s is
    1 (how high) or -1 (how low), and down_i, up_i are the attacker's room below and above a_i;
and says what follows for each requirement. Claims count for nothing: what is not shown is undecided.
What a reader knows of a cell by its state (docs/audit.md, section 1): withheld: nothing; interval: lower and upper;
rounded: value plus and minus (steps + 1) base; altered: lower and upper; adjusted: a number alone, for the release as
a whole, which must add up, keep the bounds that everyone knows, and stand at least a level away from each sensitive
truth. A sensitive cell whose levels are all zero must not be exactly computable, unless the zeros are said to be meant.
Exit code 0: protected, each of them; 2: exposed or undecided; 1: bad input."""
import gzip, json, lzma, pathlib, re, sys
from fractions import Fraction
from math import inf

STATUS = {"s": "free", "u": "primary", "z": "published", "m": "withheld"}  # of a cell in a JJ file
LEVELS = ("lower", "upper", "sliding")
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
    need(set(entry) == NUMBERS[entry["state"]] | {"cell", "state"}, "an entry's numbers are not those of its state")
    if entry["state"] != "rounded":
        return ends(value, entry)
    reach = whole(entry["base"], 1) * (whole(entry["steps"], 0, 101) + 1)
    number = whole(entry["value"])
    return ends(value, {"lower": number - reach, "upper": number + reach})

def pairs(ids, numbers, count):
    return [(whole(i, 0, count), whole(number)) for i, number in zip(ids, numbers, strict=True)]

def evidence(items, ids, numbers, count):
    return [(whole(item["denominator"], 1), dict(pairs(item[ids], item[numbers], count))) for item in items]

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
    cells = [{"value": units(r[1]), "status": STATUS[r[3]], "lower": bound(r[4]), "upper": bound(r[5])} for r in rows]
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
        return "protected" if move and (move >= max(upper, half) or -move >= max(lower, half)) else "exposed"
    return [verdict(cell, *levels[cell, attacker]) for cell, attacker in sorted(levels)]

def verdicts(root, certificate, zeros_are_meant):
    decimals = whole(certificate["decimals"], 0, 19)
    factor = 10 ** whole(decimals - whole(root.get("decimals", decimals), 0, 19), 0)
    adjusted = {entry["state"] for entry in certificate["release"]} == {"adjusted"}
    need(factor == 1 or adjusted, "the certificate is for a table with other decimals")
    need(not adjusted or "decimals" in root, "an adjusted table is checked against a problem JSON")
    root = scaled(root, factor)
    values = [whole(cell["value"]) for cell in root["cells"]]
    points = [(value, value) for value in values]
    priors = [p if cell.get("status") == "known" else ends(p[0], cell) for p, cell in zip(points, root["cells"])]
    equations, through = [], [[] for _ in values]  # (cell, factor); (equation, factor)
    for number, item in enumerate(root.get("equations", [])):
        equations.append(pairs(item["cells"], item["coefficients"], len(values)))
        total = sum(factor * values[cell] for cell, factor in equations[-1])
        need(total == whole(item.get("rhs", 0)), f"the table is not additive: equation {number}")
        for cell, factor in equations[-1]:
            through[cell].append((number, factor))
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
    keys = [(whole(finding["cell"]), whole(finding["attacker"])) for finding in certificate["findings"]]
    need(keys == sorted(levels), "the findings do not follow the requirements of the table")
    release = {}  # what is not listed is published as it is
    for entry in certificate["release"]:
        need(release.setdefault(whole(entry["cell"], 0, len(values)), entry) is entry, "a cell is named twice")
    for cell, entry in release.items():
        shown = root["cells"][cell].get("status") == "published" and priors[cell][0] < priors[cell][1]
        need(not shown or entry["state"] not in ("withheld", "interval"), "a cell that must be published is hidden")
    release = {cell: said(entry, values[cell]) for cell, entry in release.items()}
    if adjusted:
        rows = [(whole(item.get("rhs", 0)), terms) for item, terms in zip(root.get("equations", []), equations)]
        return adjusted_verdicts(certificate, values, priors, rows, levels)
    need(all(entry["state"] != "adjusted" for entry in certificate["release"]), "a number without its range")
    witnesses = evidence(certificate["witnesses"], "cells", "moves", len(values))
    proofs = evidence(certificate["proofs"], "equations", "values", len(equations))
    def room(cell, attacker):  # how far below and above the value the attacker must look
        lowers, uppers = zip(priors[cell], release.get(cell, points[cell]), known[attacker].get(cell, (-inf, inf)))
        return values[cell] - max(lowers), min(uppers) - values[cell]
    def reached(end, cell, attacker, sign):  # without a witness: the true value
        index, is_ray, sums = end.get("witness", end.get("ray")), "ray" in end, {}
        denominator, moves = (1, {}) if index is None else witnesses[whole(index, 0)]
        for other, move in moves.items():
            limit = room(other, attacker)[move > 0]
            inside = limit == inf or (not is_ray and abs(move) <= limit * denominator)
            need(inside, f"a witness moves cell {other} beyond what the attacker knows")
            for equation, factor in through[other]:
                sums[equation] = sums.get(equation, 0) + factor * move
        need(not any(sums.values()), "a witness breaks an equation")
        moved = Fraction(sign * moves.get(cell, 0), denominator)
        need(not is_ray or moved > 0, "a ray does not move the cell")
        return inf if is_ray else moved
    def proven(end, cell, attacker, sign):  # without a proof: nothing
        if "proof" not in end:
            return inf
        denominator, multipliers = proofs[whole(end["proof"], 0)]
        slopes = {cell: sign * denominator}  # d, times the denominator
        for equation, value in multipliers.items():
            for other, factor in equations[equation]:
                slopes[other] = slopes.get(other, 0) - value * factor
        total = sum(abs(d) * room(other, attacker)[d > 0] for other, d in slopes.items() if d != 0)
        need(total != inf, "a proof does not bound the cell")
        return Fraction(total, denominator)
    def verdict(finding, cell, attacker):
        sides = [(finding.get("low", {}), cell, attacker, -1), (finding.get("high", {}), cell, attacker, 1)]
        shown, bounds = [reached(*side) for side in sides], [proven(*side) for side in sides]
        checks = list(zip([*shown, sum(shown)], [*bounds, sum(bounds)], levels[cell, attacker]))
        as_it_is = release.get(cell, points[cell]) == points[cell]
        if as_it_is or any(bound < level for _, bound, level in checks):
            return "exposed"
        return "protected" if all(show >= level for show, _, level in checks) else "undecided"
    return [verdict(finding, *key) for finding, key in zip(certificate["findings"], keys)]

def judge(table_path, certificate_path, zeros_are_meant):
    certificate, text = json.loads(load(certificate_path)), load(table_path)
    need(certificate["format"] == "lacuna-certificate-2", "not a certificate of a known format")
    if text.lstrip()[:1] == "{":
        root = {"decimals": 0, **json.loads(text)}
    else:
        root = jj_as_problem(text, whole(certificate["decimals"], 0, 19))
    found = verdicts(root, certificate, zeros_are_meant)
    overall = next((worst for worst in ("exposed", "undecided") if worst in found), "protected")
    counts = len(found), *map(found.count, ("protected", "exposed", "undecided"))
    print("%s: %d requirements, confirmed protected %d, confirmed exposed %d, undecided %d" % (overall, *counts))
    return 0 if overall == "protected" else 2

def explain(error):
    return f"{type(error).__name__}: {error}"

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
    return 1 if 1 in codes else max(codes)

def main(*arguments):
    if len(arguments) == 2 and arguments[0] == "--batch":
        return batch(arguments[1])
    table_path, certificate_path, *options = arguments
    need(options in ([], ["--zero-levels", "stated"], ["--zero-levels", "raised"]), "unknown option")
    return judge(table_path, certificate_path, "stated" in options)

if __name__ == "__main__":
    try:
        sys.exit(main(*sys.argv[1:]))
    except Exception as error:  # whatever is wrong with the input, it proves nothing
        print(f"verify_certificate: {explain(error)}", file=sys.stderr)
        sys.exit(1)
