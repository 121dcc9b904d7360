#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""A release day through the command line: many tables in groups, killed and resumed, forged results, tables that
cannot be read.

  release_test.py LACUNA [CLUSTERS]"""
import csv
import json
import pathlib
import random
import shutil
import subprocess
import sys
import tempfile
import time
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).parent))
import make_plan  # noqa: E402

LACUNA = sys.argv[1]
CLUSTERS = int(sys.argv[2]) if len(sys.argv) > 2 else 5


def run(*words, **options):
    return subprocess.run([LACUNA, "release", *map(str, words)], capture_output=True, text=True, check=False, **options)


def rows(folder):
    with open(folder / "out" / "summary.csv", newline="") as file:
        return list(csv.DictReader(file, delimiter=";"))


def published(folder):
    return {path.name: path.read_bytes() for path in sorted((folder / "out").glob("c*.csv"))}


class ReleaseDay(unittest.TestCase):
    def setUp(self):
        self.holder = tempfile.TemporaryDirectory()
        self.addCleanup(self.holder.cleanup)
        self.folder = pathlib.Path(self.holder.name)
        self.plan = self.folder / "plan.toml"

    def make(self, clusters=2, tables=4, seed=3):
        return make_plan.make(self.folder, clusters, tables, seed)

    def test_releases_all_tables_and_repeats_nothing(self):
        count = self.make(CLUSTERS, 4)
        first = run(self.plan, "--json")
        self.assertEqual(first.returncode, 0, first.stderr)
        told = json.loads(first.stdout)
        self.assertEqual(told["tables"], count)
        self.assertEqual(told["released"], count)
        self.assertEqual(told["groups"], 2 * CLUSTERS)
        self.assertEqual(told["finished_before"], 0)
        files = published(self.folder)
        self.assertEqual(len(files), count)
        again = json.loads(run(self.plan, "--json").stdout)
        self.assertEqual(again["finished_before"], again["units"])
        self.assertEqual(published(self.folder), files)

    def test_tables_that_share_cells_agree(self):
        self.make(4, 3, 11)
        self.assertEqual(run(self.plan).returncode, 0)
        shown = {}
        for path in sorted((self.folder / "out").glob("c*.csv")):
            cluster = path.name.split("t")[0]
            with open(path, newline="") as file:
                for row in csv.DictReader(file, delimiter=";"):
                    dims = [d for d in ("area", "kind", "size") if d in row]
                    key = (cluster, tuple((d, row[d]) for d in dims if row[d] != "T"))
                    shown.setdefault(key, set()).add(row["value"])
        for key, values in shown.items():
            self.assertEqual(len(values), 1, f"{key} is shown as {values}")
        self.assertTrue(any("" in values for values in shown.values()))

    def test_any_number_of_processes_gives_the_same(self):
        self.make()
        self.assertEqual(run(self.plan, "--jobs", 1).returncode, 0)
        files = published(self.folder)
        shutil.rmtree(self.folder / "out")
        self.assertEqual(run(self.plan, "--jobs", 8).returncode, 0)
        self.assertEqual(published(self.folder), files)

    def test_killed_anywhere_it_goes_on(self):
        self.make(CLUSTERS, 4, 5)
        self.assertEqual(run(self.plan).returncode, 0)
        files = published(self.folder)
        shutil.rmtree(self.folder / "out")
        draw = random.Random(1)
        for _ in range(3):
            process = subprocess.Popen([LACUNA, "release", self.plan], stdout=subprocess.DEVNULL,
                                       stderr=subprocess.DEVNULL)
            time.sleep(draw.uniform(0, 0.4))
            process.kill()
            process.wait()
        done = run(self.plan, "--json")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(published(self.folder), files)

    def test_a_forged_release_is_caught_and_done_again(self):
        self.make(2, 3, 4)
        self.assertEqual(run(self.plan).returncode, 0)
        files = published(self.folder)
        forged = 0
        for unit in (self.folder / "out" / "units").iterdir():
            result = json.loads((unit / "result.json").read_text())
            if result["release"]:
                result["release"].pop()  # one cell less is withheld
                (unit / "result.json").write_text(json.dumps(result))
                forged += 1
        self.assertGreater(forged, 0)
        done = json.loads(run(self.plan, "--json").stdout)
        self.assertEqual(done["finished_before"], done["units"] - forged)
        self.assertEqual(published(self.folder), files)

    def test_a_worker_that_lies_releases_nothing(self):
        """The program that does the work is one that withholds nothing and says that all is well."""
        self.make(1, 3, 4)
        liar = self.folder / "lacuna"
        liar.write_text("#!/usr/bin/env python3\nimport os, sys, json\n"
                        "words = sys.argv[1:]\n"
                        "if words[0] == 'release':\n"
                        f"    os.execv({LACUNA!r}, [{str(liar)!r}] + words)\n"
                        "out = words[words.index('-o') + 1]\n"
                        "json.dump({'run': {'method': 'suppress', 'verdict': 'protected'}, 'release': []}, open(out, 'w'))\n"
                        "json.dump({'format': 'lacuna-certificate-2'},"
                        " open(words[words.index('--certificate') + 1], 'w'))\n")
        liar.chmod(0o755)
        done = subprocess.run([LACUNA, "release", self.plan, "--worker", liar], capture_output=True, text=True,
                              check=False)
        self.assertEqual(done.returncode, 2, done.stderr)
        self.assertEqual(published(self.folder), {})
        self.assertTrue(all(row["released"] == "no" and row["error"] for row in rows(self.folder)))

    def test_a_published_total_unties(self):
        self.make(1, 2, 4)
        self.assertEqual(len(json.loads(run(self.plan, "--list", "--json").stdout)["groups"]), 1)
        ties = json.loads(run(self.plan, "--list", "--json").stdout)["ties"]
        with open(self.plan, "a") as file:
            for cell in ties[0]["untied_by"]:
                file.write('[[publish]]\nresponse = "r0_0"\n')
                if cell != "the grand total":
                    dimension, code = cell.split("=")
                    file.write(f'codes = {{ {dimension} = "{code}" }}\n')
        self.assertEqual(len(json.loads(run(self.plan, "--list", "--json").stdout)["groups"]), 2)

    def test_errors_are_rows(self):
        self.make(2, 3)
        text = (self.folder / "in" / "c0t0.csv").read_text()
        (self.folder / "in" / "c0t0.csv").write_text(text.replace("T;T;", "T;T;9", 1))
        with open(self.plan, "a") as file:
            file.write('[[table]]\ninput = "in/nosuch.toml"\n')
        done = run(self.plan)
        self.assertEqual(done.returncode, 1, done.stderr)
        bad = {row["table"]: row["error"] for row in rows(self.folder) if row["released"] == "no"}
        self.assertEqual(sorted(bad), ["c0t0", "nosuch"])
        self.assertIn("c0t0.csv", bad["c0t0"])
        self.assertEqual(len(published(self.folder)), 5)

    def test_tables_that_disagree_are_refused(self):
        self.make(2, 3)
        plan = self.plan.read_text().replace('response = "r1_0"', 'response = "r0_0"')
        self.plan.write_text(plan)
        done = run(self.plan)
        self.assertEqual(done.returncode, 1)
        self.assertIn("different responses", done.stderr)
        self.assertEqual(published(self.folder), {})

    def test_units_one_by_one(self):
        self.make(1, 4)
        units = json.loads(run(self.plan, "--list", "--json").stdout)["groups"]
        for number in range(1, len(units) + 1):
            self.assertEqual(run(self.plan, "--unit", number).returncode, 0)
        self.assertEqual(published(self.folder), {})
        done = json.loads(run(self.plan, "--json").stdout)
        self.assertEqual(done["finished_before"], done["units"])
        self.assertEqual(run(self.plan, "--unit", len(units) + 1).returncode, 1)

    def test_plans_that_cannot_be_read(self):
        for text, said in [("[plan]\n", "names no table"), ("[[table]]\nname = 'x'\n", "needs input"),
                           ("[[table]]\ninput = 'a.csv'\ninptu = 1\n", "input"),
                           ("[[table]]\ninput = 'a.csv'\n[[table]]\ninput = 'a.csv'\n", "two tables are called 'a'"),
                           ("[[table]\n", "plan.toml:1")]:
            self.plan.write_text(text)
            done = run(self.plan)
            self.assertEqual(done.returncode, 1, text)
            self.assertIn(said, done.stderr)
            self.assertEqual(len(done.stderr.splitlines()), 1)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
