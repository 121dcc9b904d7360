# SPDX-License-Identifier: Apache-2.0
"""A second converter into the line format of the proven checker (docs/proof.md), for tests: from problem
JSON and certificate, without a line of the library. Certificates without questions about counts."""
import json


def range_text(item):
    return " ".join("-" if item.get(name) is None else str(item[name]) for name in ("lower", "upper"))


def pairs_text(ids, numbers):
    return " ".join([str(len(ids)), *(f"{i} {n}" for i, n in sorted(zip(ids, numbers, strict=True)))])


NUMBERS = {"withheld": [], "interval": ["lower", "upper"], "rounded": ["value", "base", "steps"],
           "altered": ["value", "lower", "upper"], "adjusted": ["value"]}


def end_text(end):
    shown = next((f"{word} {end[word]}" for word in ("witness", "ray") if word in end), "none")
    return shown + (f" proof {end['proof']}" if "proof" in end else " none")


def scaled(root, factor):
    def times(item, names):
        return {**item, **{name: item[name] * factor for name in names if item.get(name) is not None}}
    levels = ("lower", "upper", "sliding")
    return {**root, "cells": [times(cell, ("value", *levels)) for cell in root["cells"]],
            "equations": [times(e, ("rhs",)) for e in root.get("equations", [])],
            "requirements": [times(r, levels) for r in root.get("requirements", [])],
            "attackers": [{**a, "known": [times(k, levels) for k in a.get("known", [])]}
                          for a in root.get("attackers") or [{}]]}


def lines_of(problem, certificate, zeros_are_meant=False):
    factor = 10 ** (certificate["decimals"] - problem.get("decimals", certificate["decimals"]))
    root = scaled(problem, factor)
    cells, equations = root["cells"], root["equations"]
    requirements = {(r["cell"], r.get("attacker", 0)): [r.get(n, 0) for n in ("lower", "upper", "sliding")]
                    for r in root["requirements"]}
    asked = {cell for cell, _ in requirements}
    requirements.update({(i, 0): [0, 0, 0] for i, cell in enumerate(cells)
                         if cell.get("status") == "primary" and i not in asked})
    if not requirements and certificate["findings"]:
        requirements.update({(e["cell"], 0): [0, 0, 0] for e in certificate["release"] if e["state"] == "withheld"
                             and cells[e["cell"]].get("published", True)
                             and cells[e["cell"]].get("lower") != cells[e["cell"]].get("upper")})
    lines = ["lacuna-lines 1", f"cells {len(cells)}", f"equations {len(equations)}",
             f"attackers {len(root['attackers'])}", f"witnesses {len(certificate['witnesses'])}",
             f"proofs {len(certificate['proofs'])}", f"steps {len(certificate.get('steps', []))}",
             f"chains {len(certificate.get('chains', []))}", f"trees {len(certificate.get('trees', []))}",
             f"values {len(cells)}"]
    for cell in cells:
        known = {"lower": cell["value"], "upper": cell["value"]} if cell.get("status") == "known" else cell
        lines.append(f"{cell['value']} {range_text(known)}")
    lines.append(f"sums {len(equations)}")
    lines += [f"{e.get('rhs', 0)} {pairs_text(e['cells'], e['coefficients'])}" for e in equations]
    lines.append(f"knowledge {len(root['attackers'])}")
    for attacker in root["attackers"]:
        known = attacker["known"]
        lines.append(" ".join([str(len(known)), *(f"{k['cell']} {range_text(k)}" for k in known)]))
    lines.append(f"requirements {len(requirements)}")
    lines += [f"{cell} {attacker} {' '.join(map(str, levels))}" for (cell, attacker), levels in sorted(requirements.items())]
    meant = zeros_are_meant and any(not any(levels) for levels in requirements.values())
    lines.append(f"zeros {'meant' if meant else 'raised'} {factor}")
    lines.append(f"waived {root.get('waived', 'nothing')}")
    lines.append(f"release {len(certificate['release'])}")
    lines += [" ".join(map(str, [e["cell"], e["state"], *(e[n] for n in NUMBERS[e["state"]])])) for e in certificate["release"]]
    among = [e for e in certificate["release"] if "among" in e]
    lines.append(f"among {len(among)}")
    lines += [" ".join(map(str, [e["cell"], len(e["among"]), *e["among"]])) for e in among]
    lines.append("counts none")
    lines.append(f"moves {len(certificate['witnesses'])}")
    lines += [f"{w['denominator']} {pairs_text(w['cells'], w['moves'])}" for w in certificate["witnesses"]]
    lines.append(f"multipliers {len(certificate['proofs'])}")
    lines += [f"{p['denominator']} {pairs_text(p['equations'], p['values'])}" for p in certificate["proofs"]]
    lines.append(f"findings {len(certificate['findings'])}")
    lines += [f"{f['cell']} {f['attacker']} {end_text(f.get('low', {}))} {end_text(f.get('high', {}))}"
              for f in certificate["findings"]]
    return "\n".join([*lines, "end", ""])


def convert(problem_path, certificate_path, zeros_are_meant=False):
    with open(problem_path) as problem, open(certificate_path) as certificate:
        return lines_of(json.load(problem), json.load(certificate), zeros_are_meant)
