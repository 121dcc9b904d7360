#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Nothing that leaves the house says more than the audit has judged.

Every number of every public file and page is taken. Those that stand for what is published of a cell
are in the audit already (the file read back as a release gives the same verdict). Every other number
that equals a sum which a program could have printed by mistake (over hidden, withheld or sensitive
cells, weighted or not, or a single hidden value) is added to the attacker's problem as an equation,
and the verdict must stay what it was. The office's own file, put through the same mill, must fail.

  public_numbers_test.py LACUNA [unittest options]
"""
import collections
import json
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest
from fractions import Fraction

LACUNA = sys.argv.pop(1)
NUMBER = re.compile(r"(?<![\w.])-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?")
# Values are large, so that a count or an index is never a hidden value by accident.
SHAPES = [
    ["--sizes", "5", "4", "--typical-value", "100000"],
    ["--kind", "hierarchical", "--depths", "2", "1", "--typical-value", "100000", "--attackers", "1"],
    ["--sizes", "2", "2", "2", "--typical-value", "30000", "--decimals", "1"],
]
METHODS = [
    ["suppress"],
    ["suppress", "--weights", "unity"],
    ["interval"],
    ["combined"],
    ["adjust"],
    ["perturb"],
    ["perturb", "--range-unknown"],
    ["mixed"],
    ["small-counts", "--base", "1000000"],
]


def run(*command):
    done = subprocess.run([str(c) for c in command], capture_output=True, text=True, check=False)
    return done.returncode, done.stdout, done.stderr


def numbers_of(text):
    return collections.Counter(Fraction(found) for found in NUMBER.findall(text))


def page_text(html):
    """The page without its style sheet and its program, which are the same on every page."""
    html = re.sub(r"<style>.*?</style>", " ", html, flags=re.DOTALL)
    html = re.sub(r"<script>.*?</script>", " ", html, flags=re.DOTALL)
    return html.replace("\\n", "\n")


def statements_of(public):
    """The numbers that stand for what is published of a cell."""
    names = ("value", "lower", "upper", "base", "steps")
    return collections.Counter(
        Fraction(str(cell[name])) for cell in public["cells"] for name in names if name in cell)


class PublicNumbers(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def protect(self, table, method, *more):
        code, out, err = run(LACUNA, "protect", table, "--method", *method, "--time-limit", 20, "--gap", 0.5, "--json", *more)
        self.assertIn(code, (0, 2, 3, 5), (method, out, err))
        return code == 0  # 5: nothing is sensitive, and nothing is published

    def verdict(self, table, pattern):
        code, out, err = run(LACUNA, "audit", table, "--pattern", pattern, "--verdicts-only", "--json")
        self.assertIn(code, (0, 2), err)
        return json.loads(out)["verdict"]

    def sums(self, problem, hidden):
        """Coefficients of sums over hidden cells that a program may print: name -> {cell: factor}."""
        cells = problem["cells"]
        groups = {"hidden": hidden, "sensitive": [c for c in hidden if cells[c]["status"] == "primary"]}
        groups["secondary"] = [c for c in hidden if c not in groups["sensitive"]]
        for cell in hidden:
            groups[f"cell {cell}"] = [cell]
        for equation, item in enumerate(problem["equations"]):
            groups[f"equation {equation}"] = [c for c in item["cells"] if c in hidden]
        return {name: group for name, group in groups.items() if group}

    def with_equation(self, problem, pattern, group, total):
        """The problem in which everyone knows the sum over the group, and its release."""
        extended = json.loads(json.dumps(problem))
        cell = len(extended["cells"])
        unit = 10 ** problem["decimals"]
        value = int(total * unit)
        extended["cells"].append({"value": value, "status": "known", "lower": value, "upper": value})
        if extended.get("dimensions"):  # codes have no place for a sum that is no cell
            extended["dimensions"] = []
            for each in extended["cells"]:
                each.pop("codes", None)
        extended["equations"].append({"rhs": 0, "cells": [*group, cell], "coefficients": [*[1] * len(group), -1]})
        table, release = self.folder / "extended.json", self.folder / "release.json"
        table.write_text(json.dumps(extended))
        content = json.loads(pattern.read_text())
        entries = [{k: v for k, v in entry.items() if k != "codes"} for entry in content["release"]]
        release.write_text(json.dumps({"release": entries, "adjusted": content.get("adjusted", False)}))
        return self.verdict(table, release)

    def leaks(self, problem, result, leftover):
        """The numbers that change the verdict when they are added as equations."""
        content = json.loads(result.read_text())
        if content.get("adjusted"):  # nothing to attack with: only a truth itself would tell
            truths = {Fraction(problem["cells"][c]["value"], 10 ** problem["decimals"]): c
                      for c in {r["cell"] for r in problem["requirements"]}}
            return [number for number in leftover if number in truths]
        hidden = [entry["cell"] for entry in content["release"]]
        unit = 10 ** problem["decimals"]
        found = []
        for name, group in self.sums(problem, hidden).items():
            total = Fraction(sum(problem["cells"][c]["value"] for c in group), unit)
            if total in leftover and self.with_equation(problem, result, group, total) != "protected":
                found.append((name, total))
        return found

    def test_public_files_and_pages_say_nothing_more(self):
        released = 0
        for seed, shape in enumerate(SHAPES, start=3):
            table = self.folder / f"table{seed}.json"
            code, _, err = run(LACUNA, "generate", *shape, "--seed", seed, table)
            self.assertEqual(code, 0, err)
            problem = json.loads(table.read_text())
            for method in METHODS:
                if method[0] == "small-counts" and "--decimals" in shape:
                    continue  # counts are whole numbers
                name = "-".join(method).replace("--", "")
                result = self.folder / f"{seed}-{name}.json"
                public, rows = self.folder / f"{seed}-{name}-public.json", self.folder / f"{seed}-{name}.csv"
                page = self.folder / f"{seed}-{name}.html"
                weights = [] if "--weights" in method or method[0] != "suppress" else ["--weights", "value"]
                if not self.protect(table, method, *weights, "-o", result, "--public", public):
                    continue
                if method[0] != "perturb":  # the slow one
                    self.assertTrue(self.protect(table, method, *weights, "--public", rows))
                others = [self.folder / f"{seed}-{name}.{ending}" for ending in ("sdmx.json", "jsonstat.json")
                          if method[0] in ("suppress", "adjust")]  # without ranges
                for other in others:
                    self.assertTrue(self.protect(table, method, *weights, "--public", other))
                self.assertEqual(run(LACUNA, "report", result, "--input", table, "--public", "-o", page)[0], 0)
                released += 1
                with self.subTest(seed=seed, method=method):
                    self.assertEqual(self.verdict(table, public), "protected")
                    if rows.exists():
                        self.assertEqual(self.verdict(table, rows), "protected")
                    known = statements_of(json.loads(public.read_text()))
                    texts = [path.read_text() for path in (public, rows, *others) if path.exists()]
                    for text in (*texts, page_text(page.read_text())):
                        self.assertEqual(self.leaks(problem, result, numbers_of(text) - known), [])
        self.assertGreater(released, 15)

    def test_the_mill_says_no(self):
        """T = A + B with B published: the cost of the pattern, A + T, gives A. The office's file has it."""
        table, result, public = (self.folder / name for name in ("t.json", "r.json", "p.json"))
        table.write_text(json.dumps({
            "format": "lacuna-problem-1", "decimals": 0,
            "cells": [{"value": 100003, "lower": 0, "status": "free"},
                      {"value": 10001, "lower": 0, "status": "primary"},
                      {"value": 90002, "lower": 0, "status": "published"}],
            "equations": [{"rhs": 0, "cells": [0, 1, 2], "coefficients": [-1, 1, 1]}],
            "requirements": [{"cell": 1, "lower": 1000, "upper": 1000}]}))
        self.assertTrue(self.protect(table, ["suppress"], "--weights", "value", "-o", result, "--public", public))
        problem = json.loads(table.read_text())
        found = self.leaks(problem, result, numbers_of(result.read_text()))
        self.assertIn(("hidden", Fraction(110004)), found)
        leftover = numbers_of(public.read_text()) - statements_of(json.loads(public.read_text()))
        self.assertEqual(self.leaks(problem, result, leftover), [])

    def test_public_files_name_no_path_and_no_seed(self):
        table = self.folder / "secret-place.json"
        self.assertEqual(run(LACUNA, "generate", "--sizes", 4, 4, "--seed", 5, table)[0], 0)
        for name in ("out.json", "out.csv"):
            path = self.folder / name
            self.assertTrue(self.protect(table, ["suppress"], "--seed", 424242, "--public", path))
            text = path.read_text()
            for word in ("secret-place", "424242", "seed", "objective", "bound", "second", str(self.folder)):
                self.assertNotIn(word, text)

    def test_the_office_file_says_so_in_its_first_line(self):
        table, result = self.folder / "table.json", self.folder / "out.json"
        self.assertEqual(run(LACUNA, "generate", "--sizes", 4, 4, "--seed", 5, table)[0], 0)
        self.assertTrue(self.protect(table, ["suppress"], "-o", result))
        self.assertIn("office only", result.read_text().splitlines()[0])


if __name__ == "__main__":
    unittest.main()
