#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The program around the proven checker: it accepts what `lacuna verify` accepts, and of certificates that
somebody has touched it says what scripts/verify_certificate.py says, which shares no line with it.

  lacuna_proven_test.py LACUNA [--tables N] [--touched N] [unittest options]

Builds the program from the extracted code that is kept in proof/; exit code 77 where there is no OCaml."""
import argparse
import contextlib
import copy
import importlib.util
import io
import json
import pathlib
import random
import re
import subprocess
import sys
import tempfile
import unittest

import bound_log
import certificate_lines

ROOT = pathlib.Path(__file__).resolve().parents[2]
LEFT_OUT = 77
SHAPES = [
    ["--sizes", "4", "4"],
    ["--sizes", "4", "3", "--decimals", "1", "--sliding-percent", "30"],
    ["--sizes", "3", "3", "2", "--zero-percent", "20"],
    ["--kind", "hierarchical", "--depths", "2", "1", "--attackers", "2"],
    ["--kind", "linked", "--depths", "1", "1", "--attackers", "1"],
    ["--sizes", "5", "4"],
]
METHODS = [["suppress"], ["interval"], ["combined"], ["round", "--base", "5000"], ["perturb"], ["adjust"],
           ["suppress", "--zero-levels", "stated"], ["mixed", "--base", "5000"]]


def missing_tool():
    for command in (["ocamlfind", "query", "zarith"], ["ocamlfind", "ocamlopt", "-version"]):
        try:
            done = subprocess.run(command, capture_output=True, check=False)
        except FileNotFoundError:
            return "ocamlfind is not there"
        if done.returncode != 0:
            return " ".join(command) + " fails"
    return ""


def second_verifier():
    spec = importlib.util.spec_from_file_location("verify", ROOT / "scripts" / "verify_certificate.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


VERIFY = second_verifier()
WORDS = ("protected", "exposed", "undecided", "unasked")


def expected(problem, certificate, zeros_are_meant=False):
    """Counts of verdicts by the second verifier, or None if it refuses."""
    try:
        found = VERIFY.verdicts(copy.deepcopy(problem), copy.deepcopy(certificate), zeros_are_meant)
    except (ValueError, KeyError, IndexError, TypeError):
        return None
    words = [word for _, word in found]
    return tuple(words.count(word) for word in WORDS)


class Program:
    """lacuna-proven, built anew."""

    def __init__(self, folder):
        self.path = folder / "lacuna-proven"
        subprocess.run(["make", "-s", "-C", ROOT / "proof", f"OUT={self.path}", f"WORK={folder / 'work'}"],
                       check=True, stdout=subprocess.DEVNULL)

    def answer(self, lines):
        """Counts of verdicts, or None if it refuses; and what it said."""
        done = subprocess.run([self.path, "-"], input=lines, capture_output=True, text=True, check=False)
        if done.returncode == 1:
            return None, done.stderr
        names = ("confirmed protected", "confirmed exposed", "undecided", "unasked")
        return tuple(sum(map(int, re.findall(name + r" (\d+)", done.stdout))) for name in names), done.stdout


# ---- what somebody may do to a certificate or a table; each returns False where there is nothing to touch


def pick(rng, items):
    return rng.choice(items) if items else None


def named(certificate, *words):
    """Ends of findings that name such evidence."""
    return [end for finding in certificate["findings"] for end in (finding.get("low", {}), finding.get("high", {}))
            if any(word in end for word in words)]


def other_move(rng, problem, certificate):
    end = pick(rng, named(certificate, "witness", "ray"))
    if end is None:
        return False
    witness = certificate["witnesses"][end.get("witness", end.get("ray"))]
    place = rng.randrange(len(witness["moves"]))
    witness["moves"][place] += rng.choice([-2, -1, 1, 2])
    return True


def dropped_move(rng, problem, certificate):
    end = pick(rng, named(certificate, "witness", "ray"))
    if end is None:
        return False
    witness = certificate["witnesses"][end.get("witness", end.get("ray"))]
    place = rng.randrange(len(witness["moves"]))
    del witness["moves"][place], witness["cells"][place]
    return True


def larger_witness(rng, problem, certificate):
    end = pick(rng, named(certificate, "witness"))
    if end is None:
        return False
    witness = certificate["witnesses"][end["witness"]]
    witness["moves"] = [move * 10**9 for move in witness["moves"]]
    return True


def ray_of_witness(rng, problem, certificate):
    end = pick(rng, named(certificate, "witness"))
    if end is None:
        return False
    end["ray"] = end.pop("witness")
    return True


def bad_denominator(rng, problem, certificate):
    witness = pick(rng, certificate["witnesses"])
    if witness is None or not named(certificate, "witness", "ray"):
        return False
    witness["denominator"] = rng.choice([0, -1, -witness["denominator"]])
    return True


def smaller_denominator(rng, problem, certificate):
    end = pick(rng, named(certificate, "proof"))
    if end is None:
        return False
    certificate["proofs"][end["proof"]]["denominator"] *= rng.choice([2, 3, 10])
    return True


def other_multiplier(rng, problem, certificate):
    end = pick(rng, [e for e in named(certificate, "proof") if certificate["proofs"][e["proof"]]["values"]])
    if end is None:
        return False
    proof = certificate["proofs"][end["proof"]]
    proof["values"][rng.randrange(len(proof["values"]))] += rng.choice([-3, -1, 1, 2])
    return True


def other_proof(rng, problem, certificate):
    end = pick(rng, named(certificate, "proof"))
    if end is None:
        return False
    end["proof"] = rng.randrange(len(certificate["proofs"]))
    return True


def ends_exchanged(rng, problem, certificate):
    finding = pick(rng, [f for f in certificate["findings"] if "low" in f or "high" in f])
    if finding is None:
        return False
    low, high = finding.get("low", {}), finding.get("high", {})
    finding["low"], finding["high"] = high, low
    return True


def other_cell(rng, problem, certificate):
    finding = pick(rng, certificate["findings"])
    finding["cell"] = (finding["cell"] + 1) % len(problem["cells"])
    return True


def finding_dropped(rng, problem, certificate):
    del certificate["findings"][rng.randrange(len(certificate["findings"]))]
    return True


def cell_published(rng, problem, certificate):
    asked = {finding["cell"] for finding in certificate["findings"]}
    places = [place for place, entry in enumerate(certificate["release"]) if entry["cell"] in asked]
    if not places:
        return False
    del certificate["release"][rng.choice(places)]
    return True


def false_range(rng, problem, certificate):
    entry = pick(rng, [e for e in certificate["release"] if "upper" in e or e["state"] == "rounded"])
    if entry is None:
        return False
    value = problem["cells"][entry["cell"]]["value"]
    if entry["state"] == "rounded":
        entry["value"] = value + entry["base"] * (entry["steps"] + 1) + 1
    else:
        entry["lower"], entry["upper"] = value + 1, value + 10
    return True


def other_value(rng, problem, certificate):
    problem["cells"][rng.randrange(len(problem["cells"]))]["value"] += rng.choice([-1, 1])
    return True


def more_is_asked(rng, problem, certificate):
    asked = pick(rng, problem["requirements"])
    if asked is None:
        return False
    asked["upper"] = asked["lower"] = asked.get("upper", 0) + 10**7
    return True


def attacker_knows(rng, problem, certificate):
    # Every other cell of a table that somebody protects is known to whoever attacks it.
    open_cells = {entry["cell"] for entry in certificate["release"] if entry["state"] != "adjusted"}
    asked = {requirement["cell"] for requirement in problem["requirements"]}
    hidden = sorted(open_cells - asked)
    if not hidden:
        return False
    for attacker in problem["attackers"]:
        known = {item["cell"]: item for item in attacker["known"]}
        for cell in hidden:
            value = problem["cells"][cell]["value"]
            known[cell] = {"cell": cell, "lower": value, "upper": value}
        attacker["known"] = [known[cell] for cell in sorted(known)]
    return True


def other_number(rng, problem, certificate):  # of an adjusted table
    entry = pick(rng, [e for e in certificate["release"] if e["state"] == "adjusted"])
    if entry is None:
        return False
    entry["value"] += rng.choice([-1, 1])
    return True


# What is said then: nothing, less than before if all was protected, or what the second verifier says.
REFUSED, LESS, AS_THE_OTHER = "refused", "less", "as the other"
TOUCHES = {other_move: REFUSED, dropped_move: REFUSED, larger_witness: AS_THE_OTHER, ray_of_witness: AS_THE_OTHER,
           bad_denominator: AS_THE_OTHER, smaller_denominator: AS_THE_OTHER, other_multiplier: AS_THE_OTHER,
           other_proof: AS_THE_OTHER, ends_exchanged: AS_THE_OTHER, other_cell: REFUSED, finding_dropped: REFUSED,
           cell_published: LESS, false_range: REFUSED, other_value: REFUSED, more_is_asked: LESS,
           attacker_knows: AS_THE_OTHER, other_number: REFUSED}


def without_levels(path):
    """Zero levels: the cells must not be exactly computable, or only be hidden (--zero-levels stated)."""
    problem = json.loads(path.read_text())
    for requirement in problem["requirements"]:
        requirement.update(lower=0, upper=0, sliding=0)
    path.write_text(json.dumps(problem))


# ---- counts: certificates with steps, chains, cases and holes


def cases_of(tree):
    """All inner nodes and all leaves."""
    if "node" not in tree:
        return [], [tree]
    (a, b), (c, d) = cases_of(tree["low"]), cases_of(tree["high"])
    return [tree, *a, *c], [*b, *d]


def other_chain_value(rng, problem, certificate):
    line = pick(rng, [line for chain in certificate["chains"] for line in chain])
    if line is None:
        return False
    line["value"] += rng.choice([-2, -1, 1])
    return True


def other_chain_equation(rng, problem, certificate):
    line = pick(rng, [line for chain in certificate["chains"] for line in chain])
    if line is None:
        return False
    line["equation"] = rng.randrange(len(problem["equations"]))
    return True


def other_step(rng, problem, certificate):
    step = pick(rng, certificate["steps"])
    if step is None:
        return False
    step["q"] += rng.choice([1, 2])
    return True


def other_case(rng, problem, certificate):
    node = pick(rng, [node for tree in certificate["trees"] for node in cases_of(tree)[0]])
    if node is None:
        return False
    node["node"]["at"] += rng.choice([-2, -1, 1])
    return True


def other_leaf(rng, problem, certificate):
    leaf = pick(rng, [leaf for tree in certificate["trees"] for leaf in cases_of(tree)[1]])
    if leaf is None:
        return False
    leaf["empty"] = not leaf.get("empty", False)
    return True


def chain_dropped(rng, problem, certificate):
    end = pick(rng, named(certificate, "chain"))
    if end is None:
        return False
    del end["chain"]
    return True


def other_numbers(rng, problem, certificate):
    entry = pick(rng, [entry for entry in certificate["release"] if len(entry.get("among", [])) > 2])
    if entry is None:
        return False
    del entry["among"][rng.randrange(1, len(entry["among"]) - 1)]
    return True


def answer_dropped(rng, problem, certificate):
    del certificate["findings"][-1]
    return True


COUNT_TOUCHES = {other_move: AS_THE_OTHER, other_multiplier: AS_THE_OTHER, other_chain_value: AS_THE_OTHER,
                 other_chain_equation: AS_THE_OTHER, other_step: AS_THE_OTHER, other_case: AS_THE_OTHER,
                 other_leaf: AS_THE_OTHER, chain_dropped: AS_THE_OTHER, other_numbers: AS_THE_OTHER,
                 ends_exchanged: AS_THE_OTHER, answer_dropped: REFUSED}


def with_cases(rng, problem, certificate):
    """Every bound by cases, one of them without a number: counts below 0. They bound as much as before."""
    cells = [entry["cell"] for entry in certificate["release"]]
    if not cells or not certificate["findings"][-1:] or certificate["findings"][-1]["domain"] != "integer":
        return False
    whole = [finding for finding in certificate["findings"] if finding["domain"] == "integer"]
    ends = [end for finding in whole for end in (finding.get("low", {}), finding.get("high", {}))
            if "tree" not in end and {"proof", "chain", "step"} & set(end)]
    for end in ends:
        cell = rng.choice(cells)
        leaf = {name: end.pop(name) for name in ("proof", "chain", "step") if name in end}
        end["tree"] = len(certificate["trees"])
        certificate["trees"].append({
            "node": {"cell": cell, "at": -problem["cells"][cell]["value"] - 1}, "low": {"empty": True},
            "high": {"node": {"cell": cell, "at": rng.randint(-1, 1)}, "low": dict(leaf), "high": dict(leaf)}})
    return bool(ends)


def counts_module():
    sys.argv, given = [sys.argv[0], OPTIONS.lacuna], sys.argv
    import verify_counts_test
    sys.argv = given
    return verify_counts_test


class ProvenCounts(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.temporary = tempfile.TemporaryDirectory()
        cls.folder = pathlib.Path(cls.temporary.name)
        cls.program = Program(cls.folder)
        cls.made = list(cls.certificates())

    @classmethod
    def tearDownClass(cls):
        cls.temporary.cleanup()

    lacuna = classmethod(lambda cls, *arguments: LacunaProven.lacuna.__func__(cls, *arguments))

    @classmethod
    def certificates(cls):
        """Two groupings of areas by sex, whose whole numbers are harder than their fractions; tables whose cells
        are among some numbers; and small tables."""
        counts = counts_module()
        rng = random.Random(5)
        for number in range(OPTIONS.tables):
            if number % 3 == 0:
                leaves = {(1, 1): rng.randint(0, 2), (2, 0): rng.randint(0, 2), (0, 1): rng.randint(0, 1)}
                problem, index = counts.problem_of([counts.AREA, counts.SEX], leaves, {(2, 0)})
                shown = {index[codes] for codes in ((0, 0), (1, 2), (3, 1), (4, 1), (5, 2))}
                release = [{"cell": i, "state": "withheld"} for i in range(len(problem["cells"])) if i not in shown]
            else:
                dimensions, _ = counts.row(*range(4))
                problem, index = counts.problem_of([dimensions[0], counts.SEX],
                                                   {(i, j): rng.randint(0, 3) for i in range(4) for j in range(2)})
                release = []
                for i, cell in enumerate(problem["cells"]):
                    value = cell["value"]
                    if number % 3 == 1 and i % 3 != 2:
                        among = sorted({value, value + rng.randint(1, 2), value + 4, max(0, value - 2)})
                        release.append({"cell": i, "state": "altered", "value": value, "lower": among[0],
                                        "upper": among[-1], "among": among})
                    elif number % 3 == 2 and rng.random() < 0.7:
                        release.append({"cell": i, "state": "withheld"})
            given, table = cls.folder / "given.json", cls.folder / f"counts{number}.json"
            given.write_text(json.dumps(problem))
            pattern, certificate = cls.folder / "pattern.json", cls.folder / f"counts_certificate{number}.json"
            pattern.write_text(json.dumps({"release": release}))
            threshold = str(rng.randint(1, 4))
            done = cls.lacuna("convert", given, table, "--counts", "--threshold", threshold, "--kinds",
                              rng.choice(["exact", "exact,small", "exact,small,zero", "exact,implied"]))
            assert done.returncode == 0, done.stderr
            done = cls.lacuna("audit", table, "--pattern", pattern, "--certificate", certificate, "--values")
            assert done.returncode in (0, 2, 5), done.stderr
            yield table, certificate
            grown = cls.folder / f"grown{number}.json"
            read = json.loads(certificate.read_text())
            if with_cases(rng, json.loads(table.read_text()), read):
                grown.write_text(json.dumps(read))
                yield table, grown

    METHODS = [["small-counts", "--base", "3"], ["suppress"], ["round", "--base", "3"], ["interval"]]
    PTABLE = ("i;j;p;v;p_ub\n0;0;1;0;1\n1;0;0.25;-1;0.25\n1;1;0.5;0;0.75\n1;2;0.25;1;1\n"
              "2;1;0.25;-1;0.25\n2;2;0.5;0;0.75\n2;3;0.25;1;1\n")

    def says_the_same(self, *arguments):
        plain, proven = self.lacuna("verify", *arguments), self.lacuna("verify", *arguments, "--proven")
        self.assertEqual((proven.stderr, proven.returncode), ("", plain.returncode), arguments)
        self.assertIn("the proven checker says the same", proven.stdout)

    def test_methods_for_counts(self):
        counts, rng, made = counts_module(), random.Random(7), 0
        for number in range(OPTIONS.tables):
            dimensions, _ = counts.row(*range(4))
            problem, _ = counts.problem_of([dimensions[0], counts.SEX],
                                           {(i, j): rng.randint(0, 6) for i in range(4) for j in range(2)})
            given, table, certificate = (self.folder / name for name in ("given.json", "table.json", "proof.json"))
            given.write_text(json.dumps(problem))
            certificate.unlink(missing_ok=True)
            self.assertEqual(self.lacuna("convert", given, table, "--counts", "--threshold", 3, "--kinds", "exact,small").returncode, 0)
            method, *options = self.METHODS[number % len(self.METHODS)]
            self.lacuna("protect", table, "--method", method, *options, "--effort", "fast", "-o", self.folder / "result.json",
                        "--certificate", certificate)
            if certificate.exists():
                made += 1
                self.says_the_same(table, certificate)
        print(f"{made} certificates of methods for counts", flush=True)
        self.assertGreaterEqual(2 * made, OPTIONS.tables)

    def test_cell_keys(self):
        rng, made = random.Random(11), 0
        (self.folder / "p.txt").write_text(self.PTABLE)
        job = self.folder / "row.toml"
        job.write_text('[input]\ntable = "row.csv"\n[columns]\nvalue = "n"\nkey = "key"\n[[dimension]]\nname = "part"\n'
                       'total = "T"\n[counts]\nthreshold = 3\nkinds = ["exact", "small"]\n')
        for number in range(OPTIONS.tables):
            parts = [rng.randint(0, 4) for _ in range(rng.randint(2, 5))]
            rows = [("T", sum(parts)), *((f"p{i}", part) for i, part in enumerate(parts))]
            (self.folder / "row.csv").write_text("part;n;key\n" + "".join(f"{code};{n};{rng.random():.3f}\n" for code, n in rows))
            certificate, result = self.folder / "keys.json", self.folder / "keys-out.json"
            certificate.unlink(missing_ok=True)
            waived = number % 2 == 1
            self.lacuna("protect", job, "--method", "cellkey", "--ptable", self.folder / "p.txt", "--exposed",
                        "report" if waived else "withhold", "-o", result, "--certificate", certificate)
            if certificate.exists():
                made += 1
                self.says_the_same(job, certificate, "--pattern", result, *(["--waive", "exposed"] if waived else []))
        print(f"{made} certificates of cell keys", flush=True)
        self.assertGreaterEqual(2 * made, OPTIONS.tables)

    def test_accepts(self):
        kinds = set()
        for table, certificate in self.made:
            plain = self.lacuna("verify", table, certificate)
            proven = self.lacuna("verify", table, certificate, "--proven")
            self.assertEqual((proven.stderr, proven.returncode), ("", plain.returncode), table)
            self.assertIn("the proven checker says the same", proven.stdout)
            read = json.loads(certificate.read_text())
            kinds |= {kind for kind in ("witnesses", "proofs", "steps", "chains", "trees") if read[kind]}
        print("counts: certificates with", ", ".join(sorted(kinds)))
        self.assertEqual(kinds, {"witnesses", "proofs", "steps", "chains", "trees"})

    def test_touched(self):
        for touch, follows in COUNT_TOUCHES.items():
            with self.subTest(touch=touch.__name__):
                self.touched(touch, follows)

    def touched(self, touch, follows):
        rng, done, refused, less = random.Random(touch.__name__), 0, 0, 0
        read = []
        for table, certificate in self.made:
            problem, given = json.loads(table.read_text()), json.loads(certificate.read_text())
            read.append((table, problem, given, expected(problem, given)))
        changed, lines = self.folder / "changed.json", self.folder / "changed.txt"
        for attempt in range(30 * OPTIONS.touched):
            if done == OPTIONS.touched:
                break
            table, problem, given, before = rng.choice(read)
            certificate = copy.deepcopy(given)
            if not touch(rng, problem, certificate):
                continue
            done += 1
            changed.write_text(json.dumps(certificate))
            wanted = expected(problem, certificate)
            converted = self.lacuna("convert", changed, lines, "--table", table)
            found, said = (None, "") if converted.returncode else self.program.answer(lines.read_text())
            self.assertEqual(found, wanted, (touch.__name__, attempt, converted.stderr, said))
            refused += found is None
            less += found is not None and found != before
            if follows == REFUSED:
                self.assertIsNone(found, (touch.__name__, attempt))
        self.assertEqual(done, OPTIONS.touched, touch.__name__)
        print(f"{touch.__name__} of counts: {done} touched, {refused} refused, {less} judged worse, "
              f"{done - refused - less} as before", flush=True)


class LacunaProven(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.temporary = tempfile.TemporaryDirectory()
        cls.folder = pathlib.Path(cls.temporary.name)
        cls.program = Program(cls.folder)
        cls.made = list(cls.certificates())

    @classmethod
    def tearDownClass(cls):
        cls.temporary.cleanup()

    @classmethod
    def lacuna(cls, *arguments):
        environment = {"LACUNA_PROVEN": str(cls.program.path), "PATH": "/usr/bin:/bin"}
        return subprocess.run([OPTIONS.lacuna, *map(str, arguments)], capture_output=True, text=True, check=False,
                              env=environment)

    @classmethod
    def certificates(cls):
        """Tables with certificates, of every method and of releases that are exposed."""
        for seed in range(OPTIONS.tables):
            table = cls.folder / f"table{seed}.json"
            assert cls.lacuna("generate", *SHAPES[seed % len(SHAPES)], "--seed", seed, table).returncode == 0
            if seed % len(SHAPES) == len(SHAPES) - 1:
                without_levels(table)
            method, *options = METHODS[seed % len(METHODS)]
            certificate = cls.folder / f"certificate{seed}.json"
            if seed % 5 == 4:  # five shares no divisor with the number of methods, so that each has its turn
                cls.lacuna("audit", table, "--certificate", certificate)
                options = []
            else:
                cls.lacuna("protect", table, "--method", method, *options, "--effort", "fast",
                           "-o", cls.folder / "result.json", "--certificate", certificate)
            if certificate.exists():
                yield table, certificate, "stated" in options

    def test_enough_certificates(self):
        print(f"{len(self.made)} certificates of {OPTIONS.tables} tables")
        self.assertGreaterEqual(len(self.made), OPTIONS.tables // 2)

    def test_accepts(self):
        for table, certificate, stated in self.made:
            with self.subTest(table=table.name):
                zeros = ["--zero-levels", "stated"] if stated else []
                plain = self.lacuna("verify", table, certificate, *zeros)
                proven = self.lacuna("verify", table, certificate, "--proven", *zeros)
                self.assertEqual(proven.stderr, "")
                self.assertEqual(proven.returncode, plain.returncode)
                first, rest = plain.stdout.split("\n", 1)
                self.assertEqual(proven.stdout, f"{first}\nthe proven checker says the same\n{rest}")

    def test_two_converters(self):
        for table, certificate, stated in self.made:
            with self.subTest(table=table.name):
                zeros = ["--zero-levels", "stated"] if stated else []
                done = self.lacuna("convert", certificate, self.folder / "lines.txt", "--table", table, *zeros)
                self.assertEqual((done.returncode, done.stderr), (0, ""))
                self.assertEqual((self.folder / "lines.txt").read_text(),
                                 certificate_lines.convert(table, certificate, stated))

    def test_touched(self):
        read = []
        for table, certificate, stated in self.made:
            problem, proof = json.loads(table.read_text()), json.loads(certificate.read_text())
            read.append((problem, proof, stated, expected(problem, proof, stated)))
        for touch, follows in TOUCHES.items():
            with self.subTest(touch=touch.__name__):
                self.touched(touch, follows, read)

    def touched(self, touch, follows, read):
        rng, done, refused, less = random.Random(touch.__name__), 0, 0, 0
        if follows == LESS:
            read = [item for item in read if item[3][0] > 0 and not any(item[3][1:])]
        for attempt in range(30 * OPTIONS.touched):
            if done == OPTIONS.touched:
                break
            given, proof, stated, before = rng.choice(read)
            problem, certificate = copy.deepcopy(given), copy.deepcopy(proof)
            if not touch(rng, problem, certificate):
                continue
            done += 1
            found, said = self.program.answer(certificate_lines.lines_of(problem, certificate, stated))
            self.assertEqual(found, expected(problem, certificate, stated), (touch.__name__, attempt, said))
            refused += found is None
            less += found is not None and found != before
            if follows == REFUSED:
                self.assertIsNone(found, (touch.__name__, attempt))
            if follows == LESS:
                self.assertNotEqual(found, before, (touch.__name__, attempt))
        self.assertEqual(done, OPTIONS.touched, touch.__name__)
        print(f"{touch.__name__}: {done} touched, {refused} refused, {less} judged worse, {done - refused - less} as before",
              flush=True)

    def test_damaged_lines(self):
        table, certificate, stated = self.made[0]
        lines = certificate_lines.convert(table, certificate, stated)
        rng = random.Random(1)
        for damage in ("", lines[:-5], lines + "1\n", lines.replace("lacuna-lines 1", "lacuna-lines 2", 1),
                       lines.replace("cells ", "cells 1", 1), lines.replace("witness 0", "witness 99999", 1),
                       lines.replace("zeros raised", "zeros perhaps", 1), lines[:rng.randrange(len(lines) - 9)]):
            found, said = self.program.answer(damage)
            self.assertIsNone(found, said)
            self.assertRegex(said, r"^lacuna-proven: standard input: line \d+: .")

    def test_without_the_program(self):
        table, certificate, _ = self.made[0]
        done = subprocess.run([OPTIONS.lacuna, "verify", table, certificate, "--proven"], capture_output=True,
                              text=True, check=False, env={"LACUNA_PROVEN": str(self.folder / "none")})
        self.assertEqual((done.returncode, done.stdout), (1, ""))
        self.assertIn("the proven checker cannot be run: make proof builds it", done.stderr)

    def test_refusal_is_passed_on(self):
        # A program that says something else is not believed.
        liar = self.folder / "liar"
        liar.write_text("#!/bin/sh\necho 'protected: 7 requirements'\n")
        liar.chmod(0o755)
        table, certificate, _ = self.made[0]
        done = subprocess.run([OPTIONS.lacuna, "verify", table, certificate, "--proven"], capture_output=True,
                              text=True, check=False, env={"LACUNA_PROVEN": str(liar), "PATH": "/usr/bin:/bin"})
        self.assertEqual((done.returncode, done.stdout), (1, ""))
        self.assertIn("one of them is wrong, so nothing is confirmed", done.stderr)

    def test_convert_says_what_it_needs(self):
        table, certificate, _ = self.made[0]
        for arguments, said in (((certificate, self.folder / "a.txt"), "together with its table"),
                                ((certificate, self.folder / "a.json", "--table", table), "ends in .txt"),
                                ((table, self.folder / "a.txt", "--table", table), "not a certificate")):
            done = self.lacuna("convert", *arguments)
            self.assertEqual((done.returncode, done.stdout), (1, ""))
            self.assertIn(said, done.stderr)


class Bounds(unittest.TestCase):
    """Logs of the bound: three programs accept them, what they claim is the least weight of all patterns, and of
    touched ones the three say the same."""
    SHAPES = [["--sizes", "3", "3", "--sensitive-percent", "25"], ["--sizes", "3", "2", "--sensitive-percent", "30"],
              ["--sizes", "4", "2", "--sensitive-percent", "30"], ["--sizes", "3", "3", "--sliding-percent", "40"],
              ["--sizes", "5", "4", "--sensitive-percent", "25"], ["--sizes", "3", "3", "2", "--sensitive-percent", "25"],
              ["--kind", "hierarchical", "--depths", "2", "1", "--attackers", "2"],
              ["--sizes", "4", "4", "3", "--published-percent", "30"]]
    WITH_CASES = ["--sizes", "4", "4", "3", "--published-percent", "20", "--sensitive-percent", "20"], 2  # and its seed
    FEW_CELLS = 4  # shapes from the front that are small enough to try all patterns

    @classmethod
    def setUpClass(cls):
        cls.temporary = tempfile.TemporaryDirectory()
        cls.folder = pathlib.Path(cls.temporary.name)
        cls.program = Program(cls.folder)
        cls.made = list(cls.certificates())

    @classmethod
    def tearDownClass(cls):
        cls.temporary.cleanup()

    lacuna = classmethod(LacunaProven.lacuna.__func__)

    @classmethod
    def certificates(cls):
        for seed in range(-1, 2 * OPTIONS.tables):
            table, certificate = cls.folder / f"table{seed}.json", cls.folder / f"certificate{seed}.json"
            shape = seed % len(cls.SHAPES)
            options, drawn = cls.WITH_CASES if seed < 0 else (cls.SHAPES[shape], seed)
            assert cls.lacuna("generate", *options, "--seed", drawn, table).returncode == 0
            weights = ["cost", "unity", "value"][seed // len(cls.SHAPES) % 3] if seed >= 0 else "cost"
            done = cls.lacuna("protect", table, "--weights", weights, "--prove-bound", "--json",
                              "-o", cls.folder / "result.json", "--certificate", certificate)
            if done.returncode == 0:
                yield shape, weights, table, certificate, json.loads(done.stdout)

    def answers(self, table, certificate):
        """What the three programs say of the bound: at least so much, in their own words; None: refused."""
        own = self.lacuna("verify", table, certificate)
        second = io.StringIO()
        with contextlib.redirect_stdout(second):
            try:
                VERIFY.judge(table, certificate, False)
                said = second.getvalue()
            except (ValueError, KeyError, IndexError, TypeError, StopIteration):
                said = None
        lines = self.folder / "lines.txt"
        done = self.lacuna("convert", certificate, lines, "--table", table)
        proven = None
        if done.returncode == 0:
            proven = self.program.answer(lines.read_text())[1] if self.program.answer(lines.read_text())[0] else None
        return own.stdout if own.returncode == 0 else None, said, proven

    TOUCHES = bound_log.TOUCHES

    def test_logs_are_accepted(self):
        optimal = 0
        for shape, weights, table, certificate, result in self.made:
            with self.subTest(table=table.name, weights=weights):
                log = json.loads(certificate.read_text()).get("bound")
                self.assertIsNotNone(log, result)
                own, said, proven = self.answers(table, certificate)
                self.assertIsNotNone(own, self.lacuna("verify", table, certificate).stderr)
                self.assertIn("bound: no safe pattern weighs less than ", own)
                self.assertIn("bound: no safe pattern weighs less than ", said or "")
                self.assertIn(f"bound: at least {log['at_least']}", proven or "")
                done = self.lacuna("verify", table, certificate, "--proven")
                self.assertIn("the proven checker says the same", done.stdout, done.stderr)
                optimal += "and this one weighs no more" in own
        print(f"{len(self.made)} logs of bounds, {optimal} of them up to the optimum", flush=True)
        self.assertGreaterEqual(10 * optimal, 9 * len(self.made))

    def test_bounds_are_the_least_weights(self):
        compared = 0
        for shape, weights, table, certificate, result in self.made:
            problem = json.loads(table.read_text())
            if shape >= self.FEW_CELLS or weights != "cost" or compared >= OPTIONS.tables:
                continue
            compared += 1
            with self.subTest(table=table.name):
                said = self.lacuna("verify", table, certificate).stdout
                claimed = re.search(r"weighs less than ([^ ,;]+)", said)[1]
                self.assertLessEqual(float(claimed), bound_log.least_weight(problem) * (1 + 1e-12))
                if "weighs no more" in said:
                    self.assertAlmostEqual(float(claimed), bound_log.least_weight(problem))
        print(f"{compared} compared with all patterns", flush=True)

    def test_touched(self):
        for touch, follows in self.TOUCHES.items():
            with self.subTest(touch=touch.__name__):
                self.touched(touch, follows)

    def touched(self, touch, follows):
        rng, done, refused = random.Random(touch.__name__), 0, 0
        changed = self.folder / "changed.json"
        for attempt in range(100 * OPTIONS.touched):
            if done == OPTIONS.touched:
                break
            _, _, table, certificate, _ = rng.choice(self.made)
            read = json.loads(certificate.read_text())
            if "bound" not in read or not touch(rng, read["bound"]):
                continue
            done += 1
            changed.write_text(json.dumps(read))
            said = self.answers(table, changed)
            # The lines have no other weights; and a cell of two trees counts nothing the second time.
            lines_differ = touch in (bound_log.other_weight, bound_log.other_unit, bound_log.cell_of_two_trees,
                                     bound_log.other_norm)
            agree = {answer is None for answer in (said[:2] if lines_differ else said)}
            self.assertEqual(len(agree), 1, (touch.__name__, attempt, said))
            refused += said[0] is None
            if follows == bound_log.REFUSED:
                self.assertIsNone(said[0], (touch.__name__, attempt))
        self.assertGreater(done, 0, touch.__name__)
        print(f"{touch.__name__} of a bound: {done} touched, {refused} refused", flush=True)

    def test_a_log_needs_a_certificate(self):
        table = self.made[0][2]
        done = self.lacuna("protect", table, "--prove-bound", "-o", self.folder / "result.json")
        self.assertEqual((done.returncode, done.stdout), (1, ""))
        self.assertIn("--certificate", done.stderr)


class Reports(unittest.TestCase):
    """A page says that three programs have checked the certificate where they have, and nowhere else."""
    SENTENCE = "checked by three programs, one of them proven correct"

    @classmethod
    def setUpClass(cls):
        cls.temporary = tempfile.TemporaryDirectory()
        cls.folder = pathlib.Path(cls.temporary.name)
        cls.program = Program(cls.folder)
        cls.table, cls.result, cls.certificate = (cls.folder / name for name in ("table.json", "result.json", "certificate.json"))
        cls.lacuna("generate", "--sizes", "4", "4", "--seed", 3, cls.table)
        done = cls.lacuna("protect", cls.table, "--prove-bound", "-o", cls.result, "--certificate", cls.certificate)
        assert done.returncode == 0, done.stderr

    tearDownClass = classmethod(Bounds.tearDownClass.__func__)

    @classmethod
    def lacuna(cls, *arguments, **others):
        environment = {"LACUNA_PROVEN": str(cls.program.path), "PATH": "/usr/bin:/bin",
                       "LACUNA_VERIFIER": str(ROOT / "scripts" / "verify_certificate.py"), **others}
        return subprocess.run([OPTIONS.lacuna, *map(str, arguments)], capture_output=True, text=True, check=False,
                              env=environment)

    def report(self, *options, **others):
        page = self.folder / "page.html"
        page.unlink(missing_ok=True)
        done = self.lacuna("report", self.result, "--input", self.table, "--certificate", self.certificate, "-o", page, *options,
                           **others)
        return done, page.read_text() if page.exists() else None

    def test_three_programs_have_checked(self):
        done, page = self.report("--proven")
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.assertIn(self.SENTENCE, done.stdout)
        self.assertIn(self.SENTENCE, page)
        self.assertIn("no safe pattern weighs less than", page)
        self.assertIn('id="checked"', page)
        said = json.loads(self.report("--proven", "--json")[0].stdout)["checked_by_three"]
        self.assertTrue(said.startswith("protected: "), said)

    def test_nobody_was_asked(self):
        done, page = self.report()
        self.assertEqual(done.returncode, 0)
        self.assertNotIn("three programs", done.stdout + page)

    def test_one_of_them_says_something_else(self):
        liar = self.folder / "liar"
        liar.write_text("#!/bin/sh\necho 'protected: 7 requirements'\n")
        liar.chmod(0o755)
        script = self.folder / "liar.py"
        script.write_text("print('protected: 7 requirements')\n")
        for others in ({"LACUNA_PROVEN": str(liar)}, {"LACUNA_VERIFIER": str(script)}):
            done, page = self.report("--proven", **others)
            self.assertEqual((done.returncode, done.stdout, page), (1, "", None))
            self.assertIn("one of them is wrong, so nothing is confirmed", done.stderr)

    def test_one_of_them_is_not_there(self):
        for others, said in (({"LACUNA_PROVEN": "/nowhere/lacuna-proven"}, "the proven checker cannot be run"),
                             ({"LACUNA_VERIFIER": "/nowhere/verify.py"}, "the verifier in Python cannot be run")):
            done, page = self.report("--proven", **others)
            self.assertEqual((done.returncode, done.stdout, page), (1, "", None))
            self.assertIn(said, done.stderr)

    def test_one_of_them_refuses(self):
        read = json.loads(self.certificate.read_text())
        read["witnesses"][0]["moves"][0] += 1
        self.certificate.rename(self.folder / "kept.json")
        self.certificate.write_text(json.dumps(read))
        done, page = self.report("--proven")
        (self.folder / "kept.json").replace(self.certificate)
        self.assertEqual((done.returncode, done.stdout, page), (1, "", None))


class DualBounds(unittest.TestCase):
    """The same of intervals and of adjusted tables, whose bounds rest on multipliers."""
    SHAPES = [["--sizes", "4", "4"], ["--sizes", "4", "3", "--sliding-percent", "40"], ["--sizes", "3", "3", "2", "--decimals", "1"],
              ["--kind", "hierarchical", "--depths", "2", "1", "--attackers", "2"],
              ["--sizes", "5", "4", "--published-percent", "25"]]
    METHODS = [["interval"], ["adjust", "--norm", "l1"], ["adjust", "--norm", "l2"], ["interval", "--off-center", "0"]]
    TOUCHES = bound_log.DUAL_TOUCHES

    setUpClass = classmethod(Bounds.setUpClass.__func__)
    tearDownClass = classmethod(Bounds.tearDownClass.__func__)
    lacuna = classmethod(LacunaProven.lacuna.__func__)
    answers, touched, test_touched = Bounds.answers, Bounds.touched, Bounds.test_touched

    @classmethod
    def certificates(cls):
        for seed in range(2 * OPTIONS.tables):
            table, certificate = cls.folder / f"table{seed}.json", cls.folder / f"certificate{seed}.json"
            assert cls.lacuna("generate", *cls.SHAPES[seed % len(cls.SHAPES)], "--seed", seed, table).returncode == 0
            method, *options = cls.METHODS[seed % len(cls.METHODS)]
            done = cls.lacuna("protect", table, "--method", method, *options, "--prove-bound", "--json", "--work", 2_000_000,
                              "-o", cls.folder / "result.json", "--certificate", certificate)
            if done.returncode == 0:
                yield method, None, table, certificate, json.loads(done.stdout)

    def test_logs_are_accepted(self):
        with_log = 0
        for method, _, table, certificate, _ in self.made:
            with self.subTest(table=table.name, method=method):
                if "bound" not in json.loads(certificate.read_text()):
                    continue
                with_log += 1
                own, said, proven = self.answers(table, certificate)
                self.assertIsNotNone(own, self.lacuna("verify", table, certificate).stderr)
                what = "no safe intervals cost" if method == "interval" else "no adjusted table costs"
                self.assertIn(f"bound: {what} less than ", own)
                self.assertIn(f"bound: {what} less than ", said or "")
                self.assertIn("bound: at least ", proven or "")
                self.assertIn("the proven checker says the same", self.lacuna("verify", table, certificate, "--proven").stdout)
        print(f"{with_log} of {len(self.made)} releases with a log of intervals or adjusted tables", flush=True)
        self.assertGreaterEqual(10 * with_log, 9 * len(self.made))


if __name__ == "__main__":
    if why := missing_tool():
        print(f"left out: {why}; scripts/setup --with-proof installs what the proven checker needs")
        sys.exit(LEFT_OUT)
    parser = argparse.ArgumentParser()
    parser.add_argument("lacuna")
    parser.add_argument("--tables", type=int, default=14)
    parser.add_argument("--touched", type=int, default=12)
    OPTIONS, rest = parser.parse_known_args()
    unittest.main(argv=[sys.argv[0], *rest])
