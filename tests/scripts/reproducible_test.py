#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The same bytes for any number of threads and beside any load: the release of every method that its
work has ended, and what the audit says of it. No limit of time is given, so the clock decides nothing.

  reproducible_test.py LACUNA [unittest options]
"""
import json
import pathlib
import subprocess
import sys
import tempfile
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "bench"))
from release_bytes import BusyLoops, protect  # noqa: E402

LACUNA = sys.argv.pop(1)
TREES = ["--kind", "hierarchical", "--depths", "2", "2", "--fan-least", "4", "--fan-most", "5",
         "--sensitive-percent", "15", "--skew", "6", "--weight", "value"]
FLAT = ["--sizes", "9", "7", "3", "--sensitive-percent", "12", "--skew", "5"]
SMALL = ["--sizes", "6", "5", "--sensitive-percent", "12", "--skew", "5"]
COUNTS = ["--sizes", "12", "9", "--sensitive-percent", "0", "--typical-value", "30"]
# Method, table, options. The work is small, so that some of the runs are ended by it.
RUNS = [
    ("suppress", TREES, ["--work", "60000"]),
    ("suppress", FLAT, ["--work", "100000", "--effort", "fast"]),
    ("interval", FLAT, ["--work", "100000"]),
    ("combined", SMALL, ["--work", "60000"]),
    ("round", FLAT, ["--work", "60000", "--base", "1000"]),
    ("perturb", SMALL, ["--work", "60000"]),
    ("adjust", FLAT, ["--work", "60000"]),
    ("mixed", SMALL, ["--work", "60000"]),
    ("small-counts", COUNTS, ["--work", "60000", "--base", "50"]),
]
SETTINGS = [(1, 0), (2, 0), (8, 0), (2, 2)]  # threads, busy loops


class Reproducible(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.path = pathlib.Path(self.folder.name)

    def tearDown(self):
        self.folder.cleanup()

    def generate(self, options, seed=1):
        table = self.path / f"table{seed}.json"
        subprocess.run([LACUNA, "generate", table, *options, "--seed", str(seed)], check=True)
        return table

    def test_every_method(self):
        for method, shape, options in RUNS:
            table = self.generate(shape)
            with self.subTest(method=method, options=options):
                runs = [protect(LACUNA, table, method, [*options, "--threads", threads], busy)
                        for threads, busy in SETTINGS]
                asked = runs[0].said["primary"] > 0
                self.assertEqual(runs[0].said["verdict"], "protected" if asked else "unasked", runs[0].said)
                for run in runs:
                    self.assertTrue(run.said["reproducible"], run.said)
                    self.assertEqual(run.shown(), runs[0].shown())

    def test_audit(self):
        table = self.generate(TREES)
        for mode in ([], ["--verdicts-only"], ["--all"]):
            said = []
            for threads, busy in SETTINGS:
                certificate = self.path / "certificate.json"
                with BusyLoops(busy):
                    done = subprocess.run(
                        [LACUNA, "audit", table, *mode, "--json", "--threads", str(threads),
                         "--certificate", certificate], capture_output=True, text=True, check=False)
                self.assertIn(done.returncode, (0, 2), done.stderr)
                report = json.loads(done.stdout)
                del report["seconds"], report["threads"]
                said.append((report, certificate.read_bytes()))
            for each in said[1:]:
                self.assertEqual(each, said[0])

    def test_another_table_differs(self):
        """What is compared is not empty."""
        runs = [protect(LACUNA, self.generate(FLAT, seed), "suppress", ["--work", "400000"]) for seed in (1, 2)]
        for what in ("public", "release", "certificate"):
            self.assertNotEqual(getattr(runs[0], what), getattr(runs[1], what), what)


if __name__ == "__main__":
    unittest.main()
