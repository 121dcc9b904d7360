#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Tables of counts from the command line to both verifiers: small tables whose whole-number values are known, those of
tests/data/counts/integer, random ones, and certificates that someone has touched.

  verify_counts_test.py LACUNA [unittest options]
"""
import itertools
import json
import pathlib
import random
import subprocess
import sys
import tempfile
import unittest

LACUNA = sys.argv.pop(1)
VECTORS = pathlib.Path(__file__).resolve().parents[1] / "data" / "counts" / "integer"
SCRIPT = pathlib.Path(__file__).resolve().parents[2] / "scripts" / "verify_certificate.py"
AREA = {"name": "area", "codes": ["1", "2", "3", "23", "12", "T"],
        "relations": [{"parent": 3, "children": [1, 2]}, {"parent": 5, "children": [0, 3]},
                      {"parent": 4, "children": [0, 1]}, {"parent": 5, "children": [4, 2]}]}
SEX = {"name": "sex", "codes": ["m", "f", "T"], "relations": [{"parent": 2, "children": [0, 1]}]}


def run(*command):
    done = subprocess.run([str(c) for c in command], capture_output=True, text=True, check=False)
    return done.returncode, done.stdout


def leaves_below(dimension, code):
    children = [r["children"] for r in dimension["relations"] if r["parent"] == code]
    if not children:
        return {code}
    return set().union(*(leaves_below(dimension, child) for child in children[0]))


def problem_of(dimensions, leaf_values, primaries=()):
    """The crossed table; leaf_values by leaf codes, primaries as tuples of codes."""
    cells, index = [], {}
    for codes in itertools.product(*(range(len(d["codes"])) for d in dimensions)):
        below = itertools.product(*(sorted(leaves_below(d, c)) for d, c in zip(dimensions, codes)))
        index[codes] = len(cells)
        cells.append({"value": sum(leaf_values.get(leaf, 0) for leaf in below), "lower": 0, "codes": list(codes),
                      "status": "primary" if codes in primaries else "free"})
    equations = []
    for at, dimension in enumerate(dimensions):
        others = [range(len(d["codes"])) if k != at else [None] for k, d in enumerate(dimensions)]
        for relation, rest in itertools.product(dimension["relations"], itertools.product(*others)):
            def cell(code):
                return index[tuple(code if k == at else c for k, c in enumerate(rest))]
            equations.append({"cells": [cell(relation["parent"]), *map(cell, relation["children"])],
                              "coefficients": [-1] + [1] * len(relation["children"])})
    return {"format": "lacuna-problem-1", "decimals": 0, "dimensions": dimensions, "cells": cells,
            "equations": equations}, index


def row(*values):
    parts = [str(i) for i in range(len(values))]
    dimension = {"name": "part", "codes": [*parts, "T"],
                 "relations": [{"parent": len(values), "children": list(range(len(values)))}]}
    return [dimension], {(i,): value for i, value in enumerate(values)}


class VerifyCounts(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def audited(self, problem, withheld, *options):
        """The table with its questions, the certificate and what the audit says, the verifiers agreeing with it."""
        given, table = self.folder / "given.json", self.folder / "table.json"
        given.write_text(json.dumps(problem) if isinstance(problem, dict) else problem)
        self.assertEqual(run(LACUNA, "convert", given, table, "--counts", *options)[0], 0)
        certificate = self.folder / "certificate.json"
        pattern = self.folder / ("pattern.txt" if withheld else "all_shown.json")
        pattern.write_text("".join(f"{cell}\n" for cell in withheld) or '{"release": []}')
        code, text = run(LACUNA, "audit", table, "--pattern", pattern, "--certificate", certificate, "--values",
                         "--json")
        self.assertIn(code, (0, 2))
        self.assertEqual(self.both(table, certificate)[0], code)
        report = json.loads(text)
        self.assertEqual(report["counts"]["whole"], True)
        return table, certificate, report

    def both(self, table, certificate):
        answer = run(LACUNA, "verify", table, certificate)
        self.assertEqual(run(sys.executable, SCRIPT, table, certificate), answer)
        return answer

    def geography(self, third):
        """Two groupings by sex, five sums published: women of area 2 are 1, and men of area 3 as given."""
        problem, index = problem_of([AREA, SEX], {(1, 1): 1, (2, 0): third}, {(2, 0)})
        shown = {index[codes] for codes in ((0, 0), (1, 2), (3, 1), (4, 1), (5, 2))}
        return problem, [cell for cell in range(len(problem["cells"])) if cell not in shown], index[2, 0]

    def finding(self, report, kind, cell):
        return next(f for f in report["cells"] if f.get("kind") == kind and f["cell"] == cell)

    def test_rounding_the_real_ends_does_not_help(self):
        problem, withheld, cell = self.geography(1)
        _, _, report = self.audited(problem, withheld, "--threshold", "1", "--kinds", "exact")
        found = self.finding(report, "exact", cell)
        self.assertEqual((found["lower"], found["upper"], found["values"]), (1, 1, [1]))
        self.assertEqual((found["real"], found["verdict"]), ([0, 1], "exposed"))
        self.assertIn(found["by"], ("step", "tree"))
        self.assertEqual(report["kinds"], {"exact": {"protected": 0, "exposed": 1, "undecided": 0, "waived": 0}})

    def test_a_range_has_a_hole(self):
        problem, withheld, cell = self.geography(2)
        _, _, report = self.audited(problem, withheld, "--threshold", "1", "--kinds", "exact")
        found = self.finding(report, "exact", cell)
        self.assertEqual((found["values"], found["verdict"]), ([0, 2], "protected"))
        _, _, report = self.audited(problem, withheld, "--threshold", "1", "--kinds", "exact", "--ambiguity", "2")
        self.assertEqual(self.finding(report, "exact", cell)["verdict"], "exposed")

    def test_zeros_and_ones_are_computed_from_the_sum(self):
        """Files of US#194."""
        for values, hidden, options, verdict in (
                ((0, 0, 0), (0, 1), ["--kinds", "zero", "--zeros", "sensitive"], "exposed"),
                ((10, 5, 0, 0), (2, 3), ["--kinds", "zero", "--zeros", "sensitive"], "exposed"),
                ((10, 3, 1, 1), (2, 3), ["--kinds", "exact", "--threshold", "2"], "protected"),
                ((10, 3, 1, 1), (2, 3), ["--kinds", "exact", "--threshold", "2", "--withheld-means", "nonzero"],
                 "exposed")):
            problem, _ = problem_of(*row(*values))
            kind = options[1]
            _, _, report = self.audited(problem, hidden, *options)
            with self.subTest(values=values, options=options):
                self.assertEqual(self.finding(report, kind, hidden[0])["verdict"], verdict)

    def test_the_withheld_together_are_below_the_threshold(self):
        """US#307: 23 = 15 + x + x with threshold 11 tells 8."""
        problem, _ = problem_of(*row(15, 5, 3))
        _, _, report = self.audited(problem, (1, 2), "--threshold", "11", "--kinds", "implied")
        found = self.finding(report, "implied", 1)
        self.assertEqual((found["verdict"], found["lower"], found["upper"]), ("exposed", 8, 8))
        _, _, report = self.audited(problem, (1, 2), "--threshold", "8", "--kinds", "implied,exact")
        self.assertNotIn("implied", report["kinds"])

    def test_a_certificate_has_every_name_once_and_no_other(self):
        problem, _ = problem_of(*row(15, 4, 4))
        table, certificate, _ = self.audited(problem, (1, 2), "--threshold", "11", "--kinds", "implied,exact")
        text, forged = certificate.read_text(), self.folder / "forged.json"
        for old, new in [('"decimals":0', '"decimals":0,"decimals":0'),
                         ('"state":"withheld"', '"state":"withheld","state":"withheld"'),
                         ('"decimals":0', '"decimals":0,"note":1'),
                         ('"verdict":', '"sure":true,"verdict":'),
                         ('"denominator":', '"weight":1,"denominator":'),
                         ('"kind":"implied","cell":1', '"kind":"implied","cell":2')]:
            with self.subTest(new=new):
                self.assertIn(old, text)
                forged.write_text(text.replace(old, new, 1))
                self.assertEqual(run(LACUNA, "verify", table, forged)[0], 1)
                self.assertEqual(run(sys.executable, SCRIPT, table, forged)[0], 1)

    def test_all_of_a_group_are_in_one_part(self):
        health = {"name": "health", "codes": ["ill", "well", "T"], "relations": [{"parent": 2, "children": [0, 1]}]}
        problem, index = problem_of([health, SEX], {(0, 0): 5, (1, 1): 7, (0, 1): 8})
        _, _, report = self.audited(problem, (), "--kinds", "all")
        self.assertEqual(self.finding(report, "all", index[0, 0])["verdict"], "exposed")
        square = [index[c] for c in ((0, 0), (0, 1), (1, 0), (1, 1))]
        _, _, report = self.audited(problem, square, "--kinds", "all")
        self.assertEqual(report["kinds"]["all"]["exposed"], 0)
        _, _, report = self.audited(problem, square, "--kinds", "all", "--coalition", "4")
        self.assertEqual(report["kinds"]["all"]["exposed"], 0)
        _, _, report = self.audited(problem, square, "--kinds", "all", "--coalition", "5")
        self.assertGreater(report["kinds"]["all"]["exposed"], 0)

    def test_vectors(self):
        files = sorted(VECTORS.glob("*.expected.json"))
        self.assertGreater(len(files), 8)
        for path in files:
            name = path.name.removesuffix(".expected.json")
            expected = json.loads(path.read_text())
            text = (VECTORS / f"{name}.json").read_text()
            withheld = (VECTORS / f"{name}.withheld").read_text().split()
            _, _, report = self.audited(text, withheld, "--threshold", "1", "--kinds", "exact")
            problem = json.loads(text)
            for cell, item in enumerate(problem["cells"]):
                if item["status"] != "primary":
                    continue
                codes = [d["codes"][c] for d, c in zip(problem["dimensions"], item["codes"])]
                label = "|".join(codes)
                found = self.finding(report, "exact", cell)
                with self.subTest(name=name, cell=label):
                    self.assertEqual(found["values"], expected["whole_number_values"][label])
                    verdict = expected["verdict_in_whole_numbers_sliding_1"][label]
                    self.assertEqual(found["verdict"], verdict)

    def random_table(self, draw):
        flat = {"name": "part", "codes": ["a", "b", "c", "T"], "relations": [{"parent": 3, "children": [0, 1, 2]}]}
        dimensions = draw.choice([[AREA, SEX], [flat, SEX], [AREA, flat], [flat, SEX, {**SEX, "name": "other"}]])
        leaves = itertools.product(*(sorted(leaves_below(d, len(d["codes"]) - 1)) for d in dimensions))
        return problem_of(dimensions, {leaf: draw.choice([0, 0, 1, 1, 2, 4]) for leaf in leaves})[0]

    def options(self, draw):
        zeros = draw.choice(["published", "sensitive", "structural"])
        return ["--threshold", draw.randint(2, 4), "--zeros", zeros, "--coalition", draw.randint(0, 1),
                "--ambiguity", draw.choice([1, 1, 2]), "--kinds", "exact,small,zero,all,implied"]

    def test_agree_on_random_tables(self):
        draw, codes = random.Random(3), set()
        for _ in range(20):
            problem = self.random_table(draw)
            withheld = [c for c in range(len(problem["cells"]) - 1) if draw.random() < 0.6]
            options = self.options(draw)
            if "structural" in options:
                withheld = [c for c in withheld if problem["cells"][c]["value"] > 0]
            _, _, report = self.audited(problem, withheld, *options)
            codes.add(report["verdict"])
            self.assertEqual(sum(kind["undecided"] for kind in report["kinds"].values()), 0)
        self.assertIn("exposed", codes)

    def areas_job(self, draw):
        """Wards and districts that cut across each other, by sex, as a job over persons."""
        rows = ["ward;district;sex;n"]
        for ward, district, sex in itertools.product("123", "12", "mf"):
            if draw.random() < 0.7:
                rows.append(f"{ward};{district};{sex};{draw.choice([1, 1, 2, 4, 9])}")
        (self.folder / "persons.csv").write_text("\n".join(rows) + "\n")
        dimensions = "".join(f'[[dimension]]\nname = "{name}"\ntotal = "T"\n' for name in ("ward", "district", "sex"))
        tables = "".join(f'[[table]]\nname = "{name}"\ndimensions = ["{name}", "sex"]\n'
                         for name in ("ward", "district"))
        job = self.folder / "areas.toml"
        job.write_text('[input]\nrecords = "persons.csv"\n[columns]\nfrequency = "n"\n' + dimensions + tables +
                       '[counts]\n[differencing]\nareas = ["ward", "district"]\n')
        return job

    def test_agree_on_atoms_that_nobody_publishes(self):
        draw, codes, atoms = random.Random(5), set(), 0
        for _ in range(12):
            job, table, certificate = self.areas_job(draw), self.folder / "table.json", self.folder / "proof.json"
            self.assertEqual(run(LACUNA, "convert", job, table)[0], 0)
            cells = json.loads(table.read_text())["cells"]
            unpublished = [c for c, cell in enumerate(cells) if cell.get("published") is False]
            atoms += len(unpublished)
            shown = [c for c, cell in enumerate(cells) if cell["status"] == "free" and draw.random() < 0.6]
            (self.folder / "pattern.txt").write_text(
                "".join(f"{c}\n" for c in range(len(cells)) if c not in shown and cells[c]["status"] != "known"))
            code, text = run(LACUNA, "audit", table, "--pattern", self.folder / "pattern.txt", "--certificate",
                             certificate, "--json")
            self.assertIn(code, (0, 2))
            self.assertEqual(self.both(table, certificate)[0], code)
            codes.add(json.loads(text)["verdict"])
            self.assertEqual(run(LACUNA, "verify", job, certificate)[0], code)
        self.assertGreater(atoms, 0)
        self.assertIn("exposed", codes)

    def touched(self, table, certificate, touch):
        content = json.loads(certificate.read_text())
        touch(content)
        other = self.folder / "touched.json"
        other.write_text(json.dumps(content))
        return self.both(table, other)

    def test_refuse_what_someone_has_touched(self):
        problem, withheld, cell = self.geography(1)
        table, certificate, report = self.audited(problem, withheld, "--threshold", "1", "--kinds", "exact")
        content = json.loads(certificate.read_text())
        self.assertEqual(report["verdict"], "exposed")
        at = next(i for i, f in enumerate(content["findings"]) if f["domain"] == "integer")
        used = {name for end in ("low", "high") for name in content["findings"][at].get(end, {})}
        self.assertTrue(used & {"step", "tree"}, used)

        def finding(content):
            return content["findings"][at]

        def other_step(content):
            content["steps"][0]["q"] = 3

        def other_multiplier(content):
            content["steps"][0]["values"][0] += 1

        def no_step(content):
            content["steps"].clear()

        def drop_finding(content):
            content["findings"].pop(at)

        def other_kind(content):
            finding(content)["kind"] = "small"

        def false_witness(content):
            content["witnesses"].append({"denominator": 1, "cells": [cell], "moves": [-1]})
            finding(content)["low"]["witness"] = len(content["witnesses"]) - 1

        def half_witness(content):
            content["witnesses"].append({"denominator": 2, "cells": [cell], "moves": [-2]})
            finding(content)["shown"] = [len(content["witnesses"]) - 1]

        def false_chain(content):
            content["chains"].append([{"cell": cell, "side": "high", "equation": 0, "value": -5}])
            finding(content)["high"]["chain"] = len(content["chains"]) - 1

        def false_tree(content):
            content["trees"].append({"node": {"cell": cell, "at": 0}, "low": {"empty": True}, "high": {"empty": True}})
            finding(content)["high"] = {"tree": len(content["trees"]) - 1}

        touches = [drop_finding, other_kind, false_witness, half_witness, false_chain, false_tree]
        if content["steps"]:
            touches += [other_step, other_multiplier, no_step]
        for touch in touches:
            with self.subTest(touch.__name__):
                self.assertEqual(self.touched(table, certificate, touch), (1, ""))

    def test_claims_without_evidence_are_undecided(self):
        problem, withheld, _ = self.geography(2)
        table, certificate, _ = self.audited(problem, withheld, "--threshold", "1", "--kinds", "exact")

        def strip(content):
            for finding in content["findings"]:
                for name in ("low", "high", "shown"):
                    if finding["domain"] == "integer":
                        finding.pop(name, None)
        code, text = self.touched(table, certificate, strip)
        self.assertEqual(code, 2)
        self.assertTrue(text.startswith("undecided: "), text)

    def test_agree_on_mutated_digits(self):
        draw, refused = random.Random(5), 0
        problem, withheld, _ = self.geography(1)
        table, certificate, _ = self.audited(problem, withheld, "--threshold", "2")
        text = certificate.read_text()
        start = text.index('"decimals"')  # the digest before it is checked by one verifier only
        places = [i for i in range(start, len(text)) if text[i].isdigit()]
        for mutation in range(40):
            place = draw.choice(places)
            certificate.write_text(text[:place] + str(draw.randrange(10)) + text[place + 1:])
            with self.subTest(mutation=mutation, place=place):
                refused += self.both(table, certificate)[0] == 1
        self.assertGreater(refused, 0)


if __name__ == "__main__":
    unittest.main()
