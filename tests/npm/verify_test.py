#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The package lacuna-sdc of packaging/npm in Node: it says of every certificate, and of every certificate that somebody
has touched, what scripts/verify_certificate.py says, with which it shares no line.

  verify_test.py LACUNA [--tables N] [--touched N] [unittest options]

Exit code 77 where there is no Node."""
import argparse
import copy
import json
import os
import pathlib
import random
import re
import shutil
import subprocess
import sys
import tempfile
import types
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
PACKAGE = ROOT / "packaging" / "npm"
SCRIPT = ROOT / "scripts" / "verify_certificate.py"
LEFT_OUT = 77
sys.path.insert(0, str(ROOT / "tests" / "scripts"))

import lacuna_proven_test as proven  # its tables, its methods, and what it does to certificates


def run(*command):
    done = subprocess.run([str(word) for word in command], capture_output=True, text=True, check=False)
    return done.returncode, done.stdout, done.stderr


def node(*arguments):
    return run(shutil.which("node") or shutil.which("nodejs"), PACKAGE / "bin" / "lacuna-verify.js", *arguments)


def answers(folder, items):
    """What both say of (problem, certificate, zeros are meant), each a line; a refusal without its reason."""
    lines = []
    for number, (problem, certificate, stated) in enumerate(items):
        table, proof = folder / f"p{number}.json", folder / f"c{number}.json"
        table.write_text(json.dumps(problem))
        proof.write_text(json.dumps(certificate))
        lines.append(f"{table}\t{proof}\t{'stated' if stated else 'raised'}\n")
    (folder / "list.txt").write_text("".join(lines))
    ours, theirs = node("--batch", folder / "list.txt"), run(sys.executable, SCRIPT, "--batch", folder / "list.txt")
    assert ours[2] == "", ours[2]
    assert ours[0] == theirs[0], (ours, theirs)
    def plain(text):
        return [re.sub(r"^bad input: .*", "bad input", line) for line in text.splitlines()]
    assert len(plain(ours[1])) == len(items), ours[1]
    return plain(ours[1]), plain(theirs[1])


class Made(unittest.TestCase):
    """Certificates of every method, of releases that are exposed, and of counts with steps, chains and cases."""

    @classmethod
    def setUpClass(cls):
        cls.temporary = tempfile.TemporaryDirectory()
        cls.addClassCleanup(cls.temporary.cleanup)
        cls.folder = pathlib.Path(cls.temporary.name)
        maker = types.SimpleNamespace(folder=cls.folder, program=types.SimpleNamespace(path="none"))
        maker.lacuna = lambda *words: proven.LacunaProven.lacuna.__func__(maker, *words)
        def read(items):
            return [(json.loads(table.read_text()), json.loads(proof.read_text()), *rest) for table, proof, *rest in items]
        cls.magnitudes = read(proven.LacunaProven.certificates.__func__(maker))
        cls.counts = [(*pair, False) for pair in read(proven.ProvenCounts.certificates.__func__(maker))]

    def test_untouched(self):
        states = {entry["state"] for _, proof, _ in self.magnitudes for entry in proof["release"]}
        self.assertEqual(states, {"withheld", "interval", "rounded", "altered", "adjusted"})
        kinds = {kind for _, proof, _ in self.counts for kind in ("witnesses", "proofs", "steps", "chains", "trees") if proof[kind]}
        self.assertEqual(kinds, {"witnesses", "proofs", "steps", "chains", "trees"})
        ours, theirs = answers(self.folder, self.magnitudes + self.counts)
        self.assertEqual(ours, theirs)
        self.assertNotIn("bad input", ours)
        words = {line.split(":")[0] for line in ours}
        self.assertLessEqual({"protected", "exposed"}, words)

    def test_touched(self):
        for touches, made in ((proven.TOUCHES, self.magnitudes), (proven.COUNT_TOUCHES, self.counts)):
            touched = []
            for touch, follows in touches.items():
                rng, done = random.Random(touch.__name__), 0
                for _ in range(200 * OPTIONS.touched):
                    if done == OPTIONS.touched:
                        break
                    problem, proof, stated = copy.deepcopy(rng.choice(made))
                    if touch(rng, problem, proof):
                        done += 1
                        touched.append((touch, follows, (problem, proof, stated)))
                self.assertEqual(done, OPTIONS.touched, touch.__name__)
            ours, theirs = answers(self.folder, [item for _, _, item in touched])
            for (touch, follows, _), mine, other in zip(touched, ours, theirs):
                with self.subTest(touch=touch.__name__):
                    self.assertEqual(mine, other)
                    if follows == proven.REFUSED:
                        self.assertEqual(mine, "bad input")
            self.assertGreater(ours.count("bad input"), len(ours) // 4)

    def test_large_numbers(self):
        """Units beyond 2^53 and 2^63: a double cannot tell them from their neighbours."""
        for shift in (2**53 + 1, 2**63 + 1, 10**30 + 1):
            values = [3, 3, 6, 3, 3, 6, 6, 6, 12]
            values = [value + shift * (1, 1, 2, 1, 1, 2, 2, 2, 4)[cell] for cell, value in enumerate(values)]
            sums = [(0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8)]
            problem = {"decimals": 0, "cells": [{"value": value, "lower": 0} for value in values],
                       "equations": [{"cells": each, "coefficients": [1, 1, -1]} for each in sums],
                       "requirements": [{"cell": 0, "lower": shift, "upper": shift}]}
            proof = {"format": "lacuna-certificate-3", "problem_sha256": "", "decimals": 0,
                     "release": [{"cell": cell, "state": "withheld"} for cell in (0, 1, 3, 4)],
                     "witnesses": [{"denominator": 1, "cells": [0, 1, 3, 4], "moves": [s * shift, -s * shift, -s * shift, s * shift]}
                                   for s in (-1, 1)],
                     "proofs": [], "steps": [], "chains": [], "trees": [],
                     "findings": [{"domain": "rational", "kind": "levels", "cell": 0, "attacker": 0,
                                   "low": {"witness": 0}, "high": {"witness": 1}}]}
            more, off = copy.deepcopy(problem), copy.deepcopy(problem)
            more["requirements"][0]["upper"] += 1
            off["cells"][8]["value"] += 1
            ours, theirs = answers(self.folder, [(problem, proof, False), (more, proof, False), (off, proof, False)])
            self.assertEqual(ours, theirs)
            self.assertEqual([line.split(":")[0] for line in ours], ["protected", "undecided", "bad input"])

    def test_json_is_read_as_it_stands(self):
        """What is not JSON, and names that are given twice, are refused by both."""
        problem, proof, stated = self.magnitudes[0]
        text = json.dumps(proof)
        table = self.folder / "table.json"
        table.write_text(json.dumps(problem))
        bad = [text[:-1], text + " 1", text.replace("{", '{"format": "lacuna-certificate-3", ', 1), "", "[]", "null",
               text.replace('"moves": [', '"moves": [0', 1), text.replace('"moves": [', '"moves": [1.0, ', 1)]
        for number, each in enumerate(bad):
            path = self.folder / "bad.json"
            path.write_text(each)
            zeros = ["--zero-levels", "stated"] if stated else []
            with self.subTest(number=number):
                code, out, err = node(table, path, *zeros)
                self.assertEqual((code, out), (1, ""))
                self.assertRegex(err, r"^lacuna-verify: .")
                self.assertEqual(run(sys.executable, SCRIPT, table, path, *zeros)[:2], (1, ""))

    def test_cell_keys(self):
        """Differences between numbers of a cell-key release become cells and equations of their own."""
        (self.folder / "p.txt").write_text("i;j;p;v;p_ub\n0;0;1;0;1\n1;0;0.25;-1;0.25\n1;1;0.5;0;0.75\n1;2;0.25;1;1\n"
                                           "2;1;0.25;-1;0.25\n2;2;0.5;0;0.75\n2;3;0.25;1;1\n")
        job = self.folder / "keys.toml"
        job.write_text('[input]\ntable = "keys.csv"\n[columns]\nvalue = "n"\nkey = "key"\n' +
                       "".join(f'[[dimension]]\nname = "{name}"\ntotal = "T"\n' for name in ("area", "sex")) +
                       '[counts]\nthreshold = 3\nkinds = ["exact", "small"]\n')
        rng, items, longer = random.Random(4), [], 0
        for number in range(OPTIONS.tables // 2):
            leaves = {(a, s): (rng.randint(0, 3), rng.random()) for a in "abc"[:rng.randint(2, 3)] for s in "fm"}
            rows = []
            for area in (*sorted({a for a, _ in leaves}), "T"):
                for sex in ("f", "m", "T"):
                    inside = [pair for (a, s), pair in leaves.items() if area in (a, "T") and sex in (s, "T")]
                    rows.append(f"{area};{sex};{sum(n for n, _ in inside)};{sum(k for _, k in inside) % 1:.6f}\n")
            (self.folder / "keys.csv").write_text("area;sex;n;key\n" + "".join(rows))
            table, proof = self.folder / f"keys{number}.json", self.folder / f"keys_certificate{number}.json"
            how = rng.choice(["withhold", "report"])
            code, _, err = run(OPTIONS.lacuna, "convert", job, table)
            self.assertEqual(code, 0, err)
            run(OPTIONS.lacuna, "protect", job, "--method", "cellkey", "--ptable", self.folder / "p.txt", "--exposed", how,
                "--certificate", proof)
            if not proof.exists():
                continue
            problem, read = json.loads(table.read_text()), json.loads(proof.read_text())
            items.append((problem, read, False))
            longer += any(max(each["equations"], default=0) >= len(problem["equations"]) for each in read["proofs"])
            for _ in range(3):  # other numbers are other differences
                touched = copy.deepcopy(read)
                entry = rng.choice([entry for entry in touched["release"] if "value" in entry] or touched["release"])
                if "value" in entry:
                    entry["value"] += rng.choice([-1, 1])
                items.append((problem, touched, False))
        ours, theirs = answers(self.folder, items)
        self.assertEqual(ours, theirs)
        self.assertIn("cellkey", {entry.get("by") for _, read, _ in items for entry in read["release"]})
        print(f"{len(items)} certificates of cell keys, {longer} of them with equations beside those of the table")
        self.assertGreater(len(items), OPTIONS.tables // 2)

    def test_different_numbers_of_cell_keys(self):
        """That two cells differ decides the verdict: the check without it would say something else."""
        (self.folder / "row.toml").write_text('[input]\ntable = "row.csv"\n[columns]\nvalue = "n"\nkey = "key"\n[[dimension]]\n'
                                              'name = "part"\ntotal = "T"\n[counts]\nthreshold = 3\nkinds = ["exact", "small"]\n')
        head, told = "part;n;key\nT;8;0.1\nf;7;0.9\nm;1;0.1\n", "part;value;state;lower;upper;by\nT;7;altered;6;8;cellkey\n"
        different, same = "f;8;altered;7;9;cellkey\n", "f;7;altered;6;8;cellkey\n"
        small, zero = "m;0;altered;0;1;cellkey\n", "x;0;published;;;\n"
        items, words = [], []
        for number, (rows, shown, word) in enumerate([
                (head, told + different + small, "exposed"), (head, told + same + small, "protected"),
                (head + "x;0;0\n", told + different + small + "x;0;altered;0;1;cellkey\n", "protected"),
                (head + "x;0;0\n", told + different + small + zero, "exposed")]):
            (self.folder / "row.csv").write_text(rows)
            (self.folder / "shown.csv").write_text(shown)
            table, proof = self.folder / f"row{number}.json", self.folder / f"row_certificate{number}.json"
            self.assertEqual(run(OPTIONS.lacuna, "convert", self.folder / "row.toml", table)[0], 0)
            run(OPTIONS.lacuna, "audit", self.folder / "row.toml", "--pattern", self.folder / "shown.csv", "--certificate", proof)
            items.append((json.loads(table.read_text()), json.loads(proof.read_text()), False))
            words.append(word)
        ours, theirs = answers(self.folder, items)
        self.assertEqual(ours, theirs)
        self.assertEqual([line.split(":")[0] for line in ours], words)


class Published(unittest.TestCase):
    """Certificates of `lacuna infer`, from public files alone."""

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def judged(self, certificate, *public):
        ours, theirs = node("--public", certificate, *public), run(sys.executable, SCRIPT, "--public", certificate, *public)
        self.assertEqual(ours[0], theirs[0], (ours, theirs))
        last = [line for line in theirs[1].splitlines() if "intervals," in line]
        if ours[0] != 1:
            self.assertEqual(ours[1].splitlines()[0], last[0])
        return ours[0]

    def test_random_tables(self):
        sys.argv, given = [sys.argv[0], OPTIONS.lacuna], sys.argv
        import infer_property_test as infer
        sys.argv = given
        codes, corrected = set(), 0
        for seed in range(OPTIONS.tables):
            drawn = infer.Drawn(seed)
            drawn.write(self.folder)
            options = {"rounded": ["--rounded-to", drawn.base], "counts": ["--counts"]}.get(drawn.kind, [])
            public = self.folder / ("public.csv" if drawn.flat and drawn.base == 4 else "public.toml")
            certificate = self.folder / "inference.json"
            for more in ([options, []] if drawn.kind == "rounded" else [options]):
                code, _, err = run(OPTIONS.lacuna, "infer", public, *more, "--certificate", certificate)
                self.assertIn(code, (0, 2), err)
                self.assertEqual(self.judged(certificate, self.folder / "public.csv"), 0)
                corrected += bool(json.loads(certificate.read_text())["corrections"])
                codes |= self.touched(certificate, self.folder / "public.csv", random.Random(seed))
        self.assertLessEqual({1, 2}, codes)
        print(f"{corrected} certificates with corrections")

    def touched(self, certificate, public, rng):
        text, codes = certificate.read_text(), set()
        for _ in range(3):
            read = json.loads(text)
            kind = rng.randrange(5)
            if kind == 0 and read["intervals"]:  # it claims more than is shown
                item = rng.choice(read["intervals"])
                item["lower"] = item["lower"] and str(float(item["lower"]) + 1).removesuffix(".0")
            elif kind == 1:  # another number than what stands there
                sources = [source for cell in read["cells"] for source in cell["from"] if source["number"]]
                rng.choice(sources)["number"] += "1"
            elif kind == 2:
                cell = rng.choice(read["problem"]["cells"])
                cell["value"] += 1
            elif kind == 3 and read["certificate"]["witnesses"]:
                rng.choice(read["certificate"]["witnesses"])["moves"][0] += 1
            else:
                read["problem"]["equations"] = read["problem"]["equations"][1:]
            certificate.write_text(json.dumps(read))
            codes.add(self.judged(certificate, public))
        certificate.write_text(text)
        return codes


class Package(unittest.TestCase):
    def test_what_is_packed(self):
        package = json.loads((PACKAGE / "package.json").read_text())
        version = re.search(r"project\(lacuna VERSION (\S+)", (ROOT / "CMakeLists.txt").read_text())[1]
        self.assertEqual(package["version"], version)
        self.assertNotIn("dependencies", package)
        listed = [name for pattern in package["files"] for name in [PACKAGE / pattern]]
        self.assertEqual([path for path in listed if not path.exists()], [])
        used = re.findall(r"from '(\./[^']+)'", (PACKAGE / "index.js").read_text())
        self.assertEqual([name for name in used if not (PACKAGE / name).exists()], [])

    def test_imported_by_its_name(self):
        """As another project has it: installed below node_modules."""
        with tempfile.TemporaryDirectory() as name:
            modules = pathlib.Path(name) / "node_modules"
            modules.mkdir()
            os.symlink(PACKAGE, modules / "lacuna-sdc")
            program = pathlib.Path(name) / "use.mjs"
            program.write_text("import { Refusal, verify, verifyInference } from 'lacuna-sdc';\n"
                               "for (const check of [() => verify('{}', '{}'), () => verifyInference('[1')]) {\n"
                               "  try { check(); console.log('accepted'); }\n"
                               "  catch (error) { console.log(error instanceof Refusal); }\n}\n")
            done = run(shutil.which("node") or shutil.which("nodejs"), program)
            self.assertEqual(done, (0, "true\ntrue\n", ""))


if __name__ == "__main__":
    if not (shutil.which("node") or shutil.which("nodejs")):
        print("skipped: there is no Node here")
        sys.exit(LEFT_OUT)
    parser = argparse.ArgumentParser()
    parser.add_argument("lacuna")
    parser.add_argument("--tables", type=int, default=14)
    parser.add_argument("--touched", type=int, default=4)
    OPTIONS, rest = parser.parse_known_args()
    proven.OPTIONS = OPTIONS
    sys.argv[1:] = [OPTIONS.lacuna]
    unittest.main(argv=[sys.argv[0], *rest])
