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
        self.make(CLUSTERS, 4, 3)  # in every group something is asked
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
        self.make(2, 3, 3)
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

    def test_a_table_of_which_nothing_is_asked_is_not_published(self):
        (self.folder / "plain.csv").write_text("a;v\nT;10\nx;4\ny;5\nz;1\n")
        table = '[plan]\noutput = "out"\n[options]\nmethod = "suppress"\n%s[[table]]\ninput = "plain.csv"\n'
        self.plan.write_text(table % "")
        done = run(self.plan)
        self.assertEqual(done.returncode, 5, done.stderr)
        self.assertIn("nothing was asked of the release", done.stderr)
        row = rows(self.folder)[0]
        self.assertEqual((row["verdict"], row["released"]), ("unasked", "no"))
        self.assertFalse((self.folder / "out" / "plain.csv").exists())
        office = json.loads((self.folder / "out" / "office" / "plain.json").read_text())
        self.assertEqual(office["run"]["verdict"], "unasked")
        self.plan.write_text(table % 'unasked = "publish"\n')
        self.assertEqual(run(self.plan).returncode, 5)
        self.assertTrue((self.folder / "out" / "plain.csv").exists())

    def test_units_by_other_schedulers(self):
        """Any shell does what --prepare prints, and --collect ends the plan."""
        self.make(2, 4, 3)
        self.assertEqual(run(self.plan).returncode, 0)
        files = published(self.folder)
        shutil.rmtree(self.folder / "out")
        commands = run(self.plan, "--prepare").stdout.splitlines()
        units = json.loads(run(self.plan, "--prepare", "--json").stdout)["units"]
        self.assertEqual(len(commands), len(units))
        self.assertEqual([unit["cells"] for unit in units], sorted((unit["cells"] for unit in units), reverse=True))
        self.assertEqual(published(self.folder), {})
        for command in commands[1:]:
            self.assertEqual(subprocess.run(["sh", "-c", command], capture_output=True, check=False).returncode, 0)
        pathlib.Path(units[0]["log"]).write_text("at first\nthe disk is full\n")
        part = run(self.plan, "--collect")
        self.assertEqual(part.returncode, 2)
        errors = {row["table"]: row["error"] for row in rows(self.folder) if row["released"] == "no"}
        self.assertEqual(errors, {name: "the disk is full" for name in units[0]["tables"]})
        left = json.loads(run(self.plan, "--prepare", "--json").stdout)["units"]
        self.assertEqual([unit["finished"] for unit in left], [False] + [True] * (len(units) - 1))
        self.assertEqual(run(self.plan, "--prepare").stdout.splitlines(), commands[:1])
        self.assertEqual(subprocess.run([LACUNA, *left[0]["arguments"]], capture_output=True, check=False).returncode, 0)
        self.assertEqual(run(self.plan, "--collect").returncode, 0)
        self.assertEqual(published(self.folder), files)

    def test_what_is_forged_is_not_collected(self):
        self.make(1, 3, 3)
        self.assertEqual(run(self.plan).returncode, 0)
        unit = json.loads(run(self.plan, "--prepare", "--json").stdout)["units"][0]
        self.assertTrue(unit["finished"])
        shutil.rmtree(self.folder / "out" / "office")
        for path in (self.folder / "out").glob("c*.csv"):
            path.unlink()
        result = json.loads(pathlib.Path(unit["result"]).read_text())
        result["release"].pop()
        pathlib.Path(unit["result"]).write_text(json.dumps(result))
        self.assertEqual(run(self.plan, "--collect").returncode, 2)
        self.assertEqual(published(self.folder), {})
        self.assertTrue(all("certificate" in row["error"] for row in rows(self.folder)), rows(self.folder))
        self.assertEqual(len(run(self.plan, "--prepare").stdout.splitlines()), 1)

    def test_one_thing_at_a_time(self):
        self.make(1, 1)
        for words in (["--prepare", "--collect"], ["--list", "--unit", 1]):
            done = run(self.plan, *words)
            self.assertEqual(done.returncode, 1)
            self.assertIn("only one", done.stderr)

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


class OneTableInParts(unittest.TestCase):
    """A table of towns whose regions are published: a part per region, and units of such parts."""
    REGIONS = 9
    PART = make_plan.TOWNS * 16  # cells of the towns of a region

    def setUp(self):
        self.holder = tempfile.TemporaryDirectory()
        self.addCleanup(self.holder.cleanup)
        self.folder = pathlib.Path(self.holder.name)

    def make(self, unit_cells=PART, **others):
        self.plan = make_plan.make_regions(self.folder, unit_cells, self.REGIONS, **others)

    def release(self, *words):
        done = run(self.plan, "--json", *words)
        self.assertEqual(done.returncode, 0, done.stderr)
        return json.loads(done.stdout)

    def row(self):
        return rows(self.folder)[0]

    def published(self):
        return (self.folder / "out" / "regions.csv").read_bytes()

    def units(self):
        return sorted((self.folder / "out" / "units").iterdir())

    def test_parts_are_told(self):
        self.make()
        told = json.loads(run(self.plan, "--list", "--json").stdout)
        whole = (self.REGIONS + 1) * 16 + self.REGIONS * self.PART
        self.assertEqual(told["units"], self.REGIONS)
        self.assertEqual(told["parts"], [{"cells": whole, "parts": self.REGIONS, "largest_part": self.PART,
                                          "units": self.REGIONS, "largest_unit": self.PART}])
        self.assertIn(f"{whole} cells fall into {self.REGIONS} independent parts with sensitive cells, the largest of "
                      f"{self.PART} cells: {self.REGIONS} units", run(self.plan, "--list").stdout)
        self.assertFalse((self.folder / "out").exists())
        self.make(unit_cells=4 * self.PART)  # four parts together
        self.assertEqual(json.loads(run(self.plan, "--list", "--json").stdout)["units"], 3)
        self.make(unit_cells=5000)  # small enough for one
        told = json.loads(run(self.plan, "--list", "--json").stdout)
        self.assertEqual((told["units"], told["parts"][0]["parts"]), (1, 1))

    def test_costs_what_the_whole_does_and_passes_its_audit(self):
        for method in ("suppress", "interval", "combined"):
            found = {}
            for unit_cells in (self.PART, 4 * self.PART, 5000):
                self.make(unit_cells, options=f'method = "{method}"\noff-center = 0\n')
                self.assertEqual(self.release()["released"], 1)
                row = self.row()
                self.assertEqual((row["status"], row["verdict"]), ("optimal", "protected"))
                found[unit_cells] = float(row["bound"])
                table, out = self.folder / "in" / "regions.toml", self.folder / "out"
                for words in (["audit", table, "--pattern", out / "regions.csv"],
                              ["verify", table, out / "office" / "regions.certificate.json"]):
                    told = subprocess.run([LACUNA, *words], capture_output=True, text=True, check=False)
                    self.assertEqual(told.returncode, 0, told.stdout + told.stderr)
            for bound in found.values():
                self.assertAlmostEqual(bound, found[5000], delta=1e-6 * found[5000])

    def test_any_number_of_processes_and_nothing_twice(self):
        self.make()
        told = self.release("--jobs", 4)
        self.assertEqual((told["units"], told["finished_before"]), (self.REGIONS, 0))
        shown = self.published()
        self.assertEqual(self.release()["finished_before"], self.REGIONS)
        self.assertEqual(self.published(), shown)
        shutil.rmtree(self.folder / "out")
        self.release("--jobs", 1)
        self.assertEqual(self.published(), shown)
        self.assertEqual(len(self.row()["unit"].split()), self.REGIONS)

    def test_goes_on_with_the_units_that_are_left(self):
        self.make()
        self.release()
        shown = self.published()
        for unit in self.units()[::3]:
            (unit / "result.json").unlink()
        self.assertEqual(self.release()["finished_before"], self.REGIONS - len(self.units()[::3]))
        self.assertEqual(self.published(), shown)

    def test_a_changed_region_is_done_again_alone(self):
        self.make()
        self.release()
        keys = set(self.row()["unit"].split())
        table = self.folder / "in" / "regions.csv"
        lines = table.read_text().splitlines()
        sums = {f"{area};{kind};{size}" for area in ("T", "r4", "r4t1") for kind in ("T", "k0") for size in ("T", "s0")}
        for i, line in enumerate(lines):
            cells = line.split(";")
            if ";".join(cells[:3]) in sums:
                cells[3] = str(int(cells[3]) + 100)
                lines[i] = ";".join(cells)
        table.write_text("\n".join(lines) + "\n")
        self.assertEqual(self.release()["finished_before"], self.REGIONS - 1)
        self.assertEqual(len(keys & set(self.row()["unit"].split())), self.REGIONS - 1)

    def test_a_forged_part_is_caught_and_done_again(self):
        self.make()
        self.release()
        shown = self.published()
        unit = self.units()[4]
        result = json.loads((unit / "result.json").read_text())
        result["release"].pop()
        (unit / "result.json").write_text(json.dumps(result))
        other = self.units()[5]  # evidence of another part
        shutil.copy(self.units()[6] / "certificate.json", other / "certificate.json")
        self.assertEqual(self.release()["finished_before"], self.REGIONS - 2)
        self.assertEqual(self.published(), shown)

    def test_one_part_without_a_release_is_no_release_of_the_table(self):
        self.make()
        table = self.folder / "in" / "regions.csv"
        lines = table.read_text().splitlines()
        for i, line in enumerate(lines):  # of a town all but one cell is published
            cells = line.split(";")
            if cells[0] == "r4t1":
                alone = cells[1:3] == ["k0", "s0"]
                lines[i] = ";".join(cells[:4] + (["u", "1", "1"] if alone else ["z", "", ""]))
        table.write_text("\n".join(lines) + "\n")
        done = run(self.plan)
        self.assertEqual(done.returncode, 2, done.stderr)
        self.assertEqual(self.row()["released"], "no")
        self.assertNotEqual(self.row()["error"], "")
        self.assertFalse((self.folder / "out" / "regions.csv").exists())

    def test_a_table_of_which_nothing_is_left_is_no_release(self):
        """A worker that withholds every cell of its part, with evidence, because it was stopped: good enough for one
        part, for all of them only if that was asked for."""
        lazy = self.folder / "lazy"
        lazy.write_text("#!/usr/bin/env python3\nimport json, subprocess, sys\n"
                        "words = sys.argv[1:]\n"
                        "problem, out = words[1], words[words.index('-o') + 1]\n"
                        "cells = len(json.load(open(problem))['cells'])\n"
                        "with open(out + '.all', 'w') as file:\n"
                        "    file.writelines(f'{cell}\\n' for cell in range(cells))\n"
                        f"subprocess.run([{LACUNA!r}, 'audit', problem, '--pattern', out + '.all', '--certificate',\n"
                        "                words[words.index('--certificate') + 1]], check=True)\n"
                        "json.dump({'run': {'method': 'suppress', 'status': 'work', 'objective': 1, 'bound': 0},\n"
                        "           'release': [{'cell': c, 'state': 'withheld'} for c in range(cells)]}, open(out, 'w'))\n")
        lazy.chmod(0o755)
        self.make()
        done = run(self.plan, "--worker", lazy)
        self.assertEqual(done.returncode, 2)
        self.assertIn("withheld all cells", self.row()["error"])
        self.assertFalse((self.folder / "out" / "regions.csv").exists())
        (self.units()[0] / "result.json").unlink()
        self.assertEqual(self.release()["finished_before"], self.REGIONS - 1)  # something is left of one part
        self.assertEqual(self.row()["status"], "work")  # the others were stopped
        shutil.rmtree(self.folder / "out")
        self.make(options='method = "suppress"\naccept-all-withheld = true\n')
        self.assertEqual(run(self.plan, "--worker", lazy).returncode, 0)

    def test_units_one_by_one(self):
        self.make(unit_cells=4 * self.PART)
        for number in (1, 2, 3):
            self.assertEqual(run(self.plan, "--unit", number).returncode, 0)
        self.assertEqual(self.release()["finished_before"], 3)

    def test_prepared_parts_are_commands_of_their_own(self):
        """What a task of a cluster runs is a line of --prepare, which reads its part and not the table."""
        self.make(unit_cells=4 * self.PART)
        lines = run(self.plan, "--prepare").stdout.splitlines()
        self.assertEqual(len(lines), 3)
        (self.folder / "in" / "regions.csv").rename(self.folder / "in" / "elsewhere.csv")
        for line in lines:
            self.assertEqual(subprocess.run(["sh", "-c", line], capture_output=True, check=False).returncode, 0)
        (self.folder / "in" / "elsewhere.csv").rename(self.folder / "in" / "regions.csv")
        self.assertEqual(self.release("--collect")["released"], 1)

    def test_published_totals_make_the_parts(self):
        """The same table with regions that may be withheld is one part, until the plan publishes them."""
        publish = "".join('[[publish]]\ncodes = { area = "%s", kind = "*", size = "*" }\n' % area
                          for area in ["T"] + [f"r{r}" for r in range(self.REGIONS)])
        for extra, parts in (("", 1), (publish, self.REGIONS)):
            self.make(extra=extra)
            table = self.folder / "in" / "regions.csv"
            table.write_text(table.read_text().replace(";z;", ";s;"))
            told = json.loads(run(self.plan, "--list", "--json").stdout)
            self.assertEqual(told["parts"][0]["parts"], parts)
            self.assertEqual(self.release()["units"], parts)

    def test_methods_that_alter_all_numbers_stay_whole(self):
        self.make(options='method = "round"\nbase = 10\n')
        self.assertEqual(json.loads(run(self.plan, "--list", "--json").stdout)["units"], 1)

    def test_two_tables_that_share_cells_fall_into_parts_together(self):
        """The second table has the towns by kind alone, so that it shares these cells."""
        self.make(extra='[[table]]\ninput = "in/kinds.toml"\n')
        lines = (self.folder / "in" / "regions.csv").read_text().splitlines()
        kept = [";".join(c[:2] + c[3:]) for c in (line.split(";") for line in lines) if c[2] in ("size", "T")]
        (self.folder / "in" / "kinds.csv").write_text("\n".join(kept) + "\n")
        (self.folder / "in" / "kinds.toml").write_text(make_plan.AREA_JOB.format(csv="kinds.csv", second="kind"))
        told = self.release()
        self.assertEqual((told["released"], told["groups"], told["units"]), (2, 1, self.REGIONS))
        shown = {}
        for name in ("regions", "kinds"):
            with open(self.folder / "out" / f"{name}.csv", newline="") as file:
                for row in csv.DictReader(file, delimiter=";"):
                    if row.get("size", "T") == "T":
                        shown.setdefault((row["area"], row["kind"]), set()).add(row["value"])
        self.assertTrue(all(len(values) == 1 for values in shown.values()))


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
