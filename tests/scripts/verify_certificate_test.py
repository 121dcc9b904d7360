#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Two verifiers that share no code, `lacuna verify` and scripts/verify_certificate.py, must agree on
generated problems of every kind, and on certificates that someone has touched.

  verify_certificate_test.py LACUNA [unittest options]
"""
import json
import pathlib
import random
import subprocess
import sys
import tempfile
import unittest

LACUNA = sys.argv.pop(1)
SCRIPT = pathlib.Path(__file__).resolve().parents[2] / "scripts" / "verify_certificate.py"
SHAPES = [
    ["--sizes", "6", "5", "--above-percent", "-1"],
    ["--sizes", "4", "3", "3", "--decimals", "2", "--sliding-percent", "30"],
    ["--kind", "hierarchical", "--attackers", "2", "--above-percent", "60"],
    ["--kind", "linked", "--attackers", "1", "--published-percent", "10"],
    ["--sizes", "5", "5", "--zero-percent", "20", "--below-percent", "40"],
]


def run(*command):
    """The exit code and what was printed to standard output."""
    done = subprocess.run([str(c) for c in command], capture_output=True, text=True, check=False)
    return done.returncode, done.stdout


class VerifyCertificate(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def generate(self, shape, seed, suffix="json"):
        table = self.folder / f"table{seed}.{suffix}"
        code, _ = run(LACUNA, "generate", *shape, "--seed", seed, table)
        self.assertEqual(code, 0, shape)
        return table

    def audit(self, table, withheld=None, options=()):
        certificate = self.folder / "certificate.json"
        pattern = []
        if withheld is not None:
            (self.folder / "pattern.txt").write_text("".join(f"{cell}\n" for cell in withheld))
            pattern = ["--pattern", self.folder / "pattern.txt"]
        code, _ = run(LACUNA, "audit", table, *pattern, "--certificate", certificate, *options)
        self.assertIn(code, (0, 2, 5))
        return certificate

    def both(self, table, certificate):
        """The common answer of the two verifiers."""
        answer = run(LACUNA, "verify", table, certificate)
        self.assertEqual(run(sys.executable, SCRIPT, table, certificate), answer)
        return answer

    def random_pattern(self, table, share, draw):
        cells = json.loads(table.read_text())["cells"]
        return [
            index
            for index, cell in enumerate(cells)
            if cell["status"] in ("primary", "withheld")
            or (cell["status"] == "free" and draw.random() < share)
        ]

    def test_agree_on_generated_problems(self):
        codes = set()
        draw = random.Random(1)
        for seed in range(1, 3):
            for shape in SHAPES:
                table = self.generate(shape, seed)
                for share in (0, 0.4, 1):
                    options = ["--verdicts-only"] if draw.random() < 0.5 else ["--all"]
                    pattern = self.random_pattern(table, share, draw)
                    certificate = self.audit(table, pattern, options)
                    with self.subTest(shape=shape, seed=seed, share=share):
                        code, text = self.both(table, certificate)
                        self.assertIn(" undecided 0\n", text)
                        codes.add(code)
        self.assertEqual(codes, {0, 2})

    def test_the_order_of_terms_does_not_matter(self):
        """A last coefficient of -1 once turned all levels round: everything exposed counted as protected."""
        table = self.generate(["--sizes", "4", "4", "--above-percent", "-1"], 11)
        for turn in (False, True):
            content = json.loads(table.read_text())
            for equation in content["equations"]:
                terms = sorted(zip(equation["coefficients"], equation["cells"]), reverse=turn)
                equation["coefficients"], equation["cells"] = map(list, zip(*terms))
            other = self.folder / "turned.json"
            other.write_text(json.dumps(content))
            code, text = self.both(other, self.audit(other))  # the primaries alone
            self.assertEqual((code, text.split(":")[0]), (2, "exposed"))

    def test_agree_on_jj_plain_and_packed(self):
        for shape in (["--sizes", "6", "5"], ["--sizes", "4", "3", "--decimals", "2"]):
            table = self.generate(shape, 7)
            for suffix in ("jj", "jj.gz", "json.gz"):
                other = self.folder / f"copy.{suffix}"
                self.assertEqual(run(LACUNA, "convert", table, other)[0], 0)
                pattern = self.random_pattern(table, 0.7, random.Random(3))
                with self.subTest(shape=shape, suffix=suffix):
                    self.assertNotEqual(self.both(other, self.audit(other, pattern))[0], 1)

    def protected(self):
        """A table with a certificate that says protected."""
        for seed in range(1, 100):
            table = self.generate(["--sizes", "5", "4", "--above-percent", "-1"], seed)
            certificate = self.audit(table, self.random_pattern(table, 1, random.Random(seed)))
            if self.both(table, certificate)[0] == 0:
                return table, certificate
        self.fail("no protected release was found")

    def test_refuse_what_someone_has_touched(self):
        table, certificate = self.protected()
        original = certificate.read_text()
        finding = next(f for f in json.loads(original)["findings"] if "low" in f or "high" in f)
        end = "low" if "low" in finding else "high"
        used = finding[end].get("witness", finding[end].get("ray"))
        self.assertIsNotNone(used)

        def at(content):
            return content["findings"][json.loads(original)["findings"].index(finding)]

        def touch_move(content):
            content["witnesses"][used]["moves"][0] += 1

        def touch_sign(content):
            content["witnesses"][used]["moves"][0] *= -1

        def touch_cell(content):
            content["witnesses"][used]["cells"][0] = len(json.loads(table.read_text())["cells"])

        def touch_denominator(content):
            content["witnesses"][used]["denominator"] = 0

        def touch_lists(content):
            content["witnesses"][used]["moves"].pop()

        def drop_finding(content):
            content["findings"].pop()

        def drop_name(content):
            del content["witnesses"][used]["denominator"]

        def point_nowhere(content):
            at(content)[end] = {"witness": len(content["witnesses"])}

        def swap_findings(content):
            content["findings"].reverse()

        def name_twice(content):
            content["release"].append(content["release"][0])

        def publish(content):
            moved = content["witnesses"][used]["cells"]
            content["release"] = [e for e in content["release"] if e["cell"] not in moved]

        def lie(content):
            entry = content["release"][0]
            value = json.loads(table.read_text())["cells"][entry["cell"]]["value"]
            entry.update(state="interval", lower=value + 1, upper=value + 9)

        def fraction(content):
            content["witnesses"][used]["moves"][0] += 0.5

        def not_a_number(content):
            content["witnesses"][used]["moves"][0] = float("nan")

        def truth_value(content):
            content["witnesses"][used]["denominator"] = True

        touches = [
            touch_move, touch_sign, touch_cell, touch_denominator, touch_lists, drop_finding,
            drop_name, point_nowhere, swap_findings, name_twice, publish, lie, fraction,
            not_a_number, truth_value,
        ]
        for touch in touches:
            content = json.loads(original)
            touch(content)
            certificate.write_text(json.dumps(content))
            with self.subTest(touch.__name__):
                self.assertEqual(self.both(table, certificate), (1, ""))

    def test_claims_without_evidence_are_undecided(self):
        table, certificate = self.protected()
        content = json.loads(certificate.read_text())
        for finding in content["findings"]:
            finding.pop("low", None)
            finding.pop("high", None)
        certificate.write_text(json.dumps(content))
        code, text = self.both(table, certificate)
        self.assertEqual(code, 2)
        self.assertTrue(text.startswith("undecided: "))

    def test_an_empty_release_is_exposed(self):
        table, certificate = self.protected()
        content = json.loads(certificate.read_text())
        content.update(release=[], witnesses=[], proofs=[])
        for finding in content["findings"]:
            finding.pop("low", None)
            finding.pop("high", None)
        certificate.write_text(json.dumps(content))
        code, text = self.both(table, certificate)
        self.assertEqual(code, 2)
        self.assertTrue(text.startswith("exposed: "))

    def test_agree_on_mutated_bytes(self):
        draw = random.Random(5)
        table, certificate = self.protected()
        untouched = self.both(table, certificate)
        text = certificate.read_text()
        start = text.index('"decimals"')  # the digest before it is checked by one verifier only
        codes = set()
        for mutation in range(60):
            place = draw.randrange(start, len(text))
            while draw.random() < 0.8 and not text[place].isdigit():
                place = draw.randrange(start, len(text))
            piece = draw.choice(["", "-", "0", "1", "7", text[place] * 2, ",", "]"])
            certificate.write_text(text[:place] + piece + text[place + 1:])
            with self.subTest(mutation=mutation, place=place, piece=piece):
                codes.add(self.both_after_touch(table, certificate, text[place], untouched))
        self.assertIn(1, codes)

    def both_after_touch(self, table, certificate, touched, untouched):
        """The exit code of the library; what the script may say beside it depends on what was touched. The script
        skips names it does not know, where the library says no: then what stood under the name proves nothing any
        more. It never says more than it said of the untouched certificate."""
        if touched.isdigit():
            return self.both(table, certificate)[0]
        library = run(LACUNA, "verify", table, certificate)
        script = run(sys.executable, SCRIPT, table, certificate)
        if script != library:
            self.assertEqual(library, (1, ""))
            self.assertTrue(script[0] == 2 or script == untouched, script)
        return library[0]

    def protect(self, table, *options):
        certificate = self.folder / "protected.json"
        code, text = run(LACUNA, "protect", table, *options, "--certificate", certificate)
        self.assertEqual(code, 0, (options, text))
        return certificate

    def test_agree_on_every_state(self):
        """Rounded, altered, interval and adjusted cells mean the same to both, and a number more or less is an error."""
        table = self.generate(["--sizes", "4", "4", "--above-percent", "-1"], 11)
        seen = set()
        for options in (["interval"], ["perturb"], ["perturb", "--range-unknown"], ["adjust"],
                        ["round", "--base", "400", "--levels", "minimal"], ["suppress"]):
            levels = options[-2:] if "--levels" in options else []
            certificate = self.protect(table, "--method", *options)
            if levels:  # the script reads the levels of the file
                other = self.folder / "minimal.json"
                self.assertEqual(run(LACUNA, "convert", table, other, *levels)[0], 0)
            answer = self.both(other if levels else table, certificate)
            self.assertEqual(answer[0], 0, options)
            original = certificate.read_text()
            entry = json.loads(original)["release"][0]
            seen.add(entry["state"])
            for name in ("value", "lower", "upper", "base", "steps"):
                content = json.loads(original)
                touched = content["release"][0]
                if name in touched:
                    del touched[name]
                else:
                    touched[name] = 1
                certificate.write_text(json.dumps(content))
                with self.subTest(options=options, name=name):
                    self.assertEqual(self.both(other if levels else table, certificate), (1, ""))
        self.assertEqual(seen, {"interval", "altered", "adjusted", "rounded", "withheld"})

    def test_a_cell_that_must_be_published_is_not_hidden(self):
        table = self.generate(["--sizes", "4", "4", "--published-percent", "30"], 2)
        certificate = self.audit(table)
        content = json.loads(certificate.read_text())
        cells = json.loads(table.read_text())["cells"]
        shown = next(c for c, cell in enumerate(cells) if cell["status"] == "published")
        content["release"].append({"cell": shown, "state": "withheld"})
        certificate.write_text(json.dumps(content))
        self.assertEqual(self.both(table, certificate), (1, ""))

    def test_a_printed_truth_is_exposed(self):
        table = self.generate(["--sizes", "4", "4", "--above-percent", "-1"], 11)
        certificate = self.protect(table, "--method", "adjust")
        content = json.loads(certificate.read_text())
        problem = json.loads(table.read_text())
        factor = 10 ** (content["decimals"] - problem["decimals"])
        for entry in content["release"]:
            entry["value"] = factor * problem["cells"][entry["cell"]]["value"]
        certificate.write_text(json.dumps(content))
        code, text = self.both(table, certificate)
        self.assertEqual(code, 2)
        self.assertTrue(text.startswith("exposed: "), text)

    def test_zero_levels_mean_the_same(self):
        """Not exactly computable, unless the zeros are said to be meant."""
        table = self.generate(["--sizes", "4", "4", "--above-percent", "-1", "--upper-percent", "0"], 3)
        certificate = self.audit(table)  # the primaries alone
        code, text = self.both(table, certificate)
        self.assertEqual(code, 2)
        self.assertTrue(text.startswith("exposed: "), text)
        stated = ["--zero-levels", "stated"]
        certificate = self.audit(table, options=stated)
        code, text = run(LACUNA, "verify", table, certificate, *stated)
        self.assertEqual(code, 5)  # nothing is asked but that the numbers are not printed
        self.assertTrue(text.startswith("unasked: "), text)
        self.assertEqual(run(sys.executable, SCRIPT, table, certificate, *stated), (5, text.splitlines(True)[0]))
        # One of an older program calls such findings protected. That is a claim, and none that counts.
        content = json.loads(certificate.read_text())
        for finding in content["findings"]:
            self.assertEqual(finding["verdict"], "unasked")
            finding["verdict"] = "protected"
        certificate.write_text(json.dumps(content))
        self.assertEqual(run(LACUNA, "verify", table, certificate, *stated), (code, text))
        self.assertEqual(run(sys.executable, SCRIPT, table, certificate, *stated), (5, text.splitlines(True)[0]))
        self.assertNotEqual(self.both(table, certificate)[0], 0)

    def unmarked(self, seed):
        """A table without a sensitive cell."""
        table = self.generate(["--sizes", "4", "4"], seed)
        content = json.loads(table.read_text())
        content["requirements"] = []
        for cell in content["cells"]:
            cell["status"] = "free"
        table.write_text(json.dumps(content))
        return table

    def first_lines(self, table, certificate):
        """The exit code and the line that both verifiers print first."""
        code, text = run(LACUNA, "verify", table, certificate)
        line = text.splitlines(True)[0]
        self.assertEqual(run(sys.executable, SCRIPT, table, certificate), (code, line))
        return code, line

    def test_nothing_asked_is_not_protected(self):
        table = self.unmarked(5)
        certificate = self.folder / "none.json"
        self.assertEqual(run(LACUNA, "audit", table, "--certificate", certificate)[0], 5)
        code, line = self.first_lines(table, certificate)
        self.assertEqual(code, 5)
        self.assertTrue(line.startswith("unasked: 0 requirements, "), line)

    def test_withheld_cells_of_a_table_without_marks_are_asked_about(self):
        table = self.unmarked(6)
        cells = json.loads(table.read_text())["cells"]
        for withheld, code in ([0], 2), ([0, 1], 2), (range(len(cells)), 0):
            certificate = self.audit(table, withheld)
            answer, line = self.first_lines(table, certificate)
            self.assertEqual(answer, code, line)
            content = json.loads(certificate.read_text())
            self.assertEqual(len(content["findings"]), len(withheld))
            content["findings"].pop()  # whoever leaves one out is found out
            certificate.write_text(json.dumps(content))
            self.assertEqual(run(LACUNA, "verify", table, certificate)[0], 1)
            left = 1 if content["findings"] else 5  # without any, nothing was asked
            self.assertEqual(run(sys.executable, SCRIPT, table, certificate)[0], left)

    def test_waived_by_the_problem_and_not_by_the_certificate(self):
        table = self.generate(SHAPES[0], 7)
        certificate = self.folder / "waived.json"
        options = ["--waive", "exposed", "--certificate", certificate]
        self.assertEqual(run(LACUNA, "audit", table, *options)[0], 6)  # the primaries alone
        self.assertIn('"verdict":"waived"', certificate.read_text())
        code, line = self.first_lines(table, certificate)
        self.assertEqual(code, 2)
        self.assertTrue(line.startswith("exposed: "), line)
        waiving = self.folder / "waiving.json"
        self.assertEqual(run(LACUNA, "convert", table, waiving, "--waive", "exposed")[0], 0)
        code, line = self.first_lines(waiving, certificate)
        self.assertEqual(code, 6)
        self.assertTrue(line.startswith("waived: "), line)
        self.assertIn("confirmed exposed 0, undecided 0, waived ", line)

    def test_refuse_a_table_that_does_not_add_up(self):
        table, certificate = self.protected()
        content = json.loads(table.read_text())
        content["cells"][0]["value"] += 1
        content["cells"][0]["upper"] = None
        table.write_text(json.dumps(content))
        self.assertEqual(self.both(table, certificate), (1, ""))

    def test_a_batch_is_answered_line_by_line(self):
        table, certificate = self.protected()
        _, text = self.both(table, certificate)
        exposed = self.folder / "exposed.json"
        content = json.loads(certificate.read_text())
        content["release"] = []
        for finding in content["findings"]:
            finding.pop("low", None)
            finding.pop("high", None)
        exposed.write_text(json.dumps(content))
        lines = [(certificate, "raised"), (self.folder / "none.json", "raised"), (exposed, "raised"),
                 (certificate, "meant")]
        batch = self.folder / "batch"
        batch.write_text("".join(f"{table}\t{path}\t{zeros}\n" for path, zeros in lines) + "no tabs\n")
        code, answer = run(sys.executable, SCRIPT, "--batch", batch)
        answers = answer.splitlines()
        self.assertEqual(code, 1)
        self.assertEqual(len(answers), 5)
        self.assertEqual(answers[0] + "\n", text)
        self.assertTrue(answers[2].startswith("exposed: "))
        for number in (1, 3, 4):
            self.assertTrue(answers[number].startswith("bad input: "), answers[number])
        batch.write_text(f"{table}\t{certificate}\traised\n{table}\t{exposed}\traised\n")
        self.assertEqual(run(sys.executable, SCRIPT, "--batch", batch)[0], 2)
        batch.write_text(f"{table}\t{certificate}\traised\n")
        self.assertEqual(run(sys.executable, SCRIPT, "--batch", batch), (0, text))

    def test_read_certificates_of_format_2(self):
        """Written before requirements and questions about counts had one list of findings."""
        kept = pathlib.Path(__file__).resolve().parents[1] / "certificates"
        for name, code, answer in (
                ("requirements", 0, "protected: 2 requirements, confirmed protected 2, confirmed exposed 0, undecided 0"),
                ("counts", 2, "exposed: 16 requirements, confirmed protected 12, confirmed exposed 4, undecided 0; "
                 "38 questions about counts, confirmed protected 25, confirmed exposed 13, undecided 0")):
            table, certificate = kept / f"{name}.json", kept / f"{name}.format2.json"
            content = json.loads(certificate.read_text())
            touched = self.folder / "touched.json"
            with self.subTest(name=name):
                self.assertEqual(content["format"], "lacuna-certificate-2")
                self.assertEqual(self.both(table, certificate), (code, answer + "\n"))
                # Evidence that is touched is refused, and so is what has the names of the other format.
                content["proofs"][0]["denominator"] = 0
                touched.write_text(json.dumps(content))
                self.assertEqual(self.both(table, touched), (1, ""))
                touched.write_text(certificate.read_text().replace("certificate-2", "certificate-3"))
                self.assertEqual(self.both(table, touched), (1, ""))

    def test_refuse_bad_calls(self):
        table, _ = self.protected()
        self.assertEqual(run(sys.executable, SCRIPT)[0], 1)
        self.assertEqual(run(sys.executable, SCRIPT, table, self.folder / "none.json")[0], 1)
        self.assertEqual(run(sys.executable, SCRIPT, table, table), (1, ""))
        for words in ((), (table,), (table, table, "--zero")):
            said = subprocess.run([sys.executable, SCRIPT, *words], capture_output=True, text=True, check=False).stderr
            self.assertIn("called as: verify_certificate.py TABLE CERTIFICATE", said)
            self.assertNotIn("Error", said)
        self.assertIn("a second verifier", run(sys.executable, SCRIPT, "--help")[1])


if __name__ == "__main__":
    unittest.main()
