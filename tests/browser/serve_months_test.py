#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Derived columns, earlier periods, and what changed between two months, on the page of `lacuna serve`.

The jobs are made with the forms alone; what a run releases is compared with what the command line says of the same
job. Ends with 77 where there is no browser.

  serve_months_test.py LACUNA EXAMPLES_FOLDER [unittest options]
"""
import pathlib
import sys
import tempfile
import unittest

import driven

driven.need_a_browser()
import served  # noqa: E402  pylint: disable=wrong-import-position

LACUNA, EXAMPLES = sys.argv.pop(1), pathlib.Path(sys.argv.pop(1))
APRIL = [(k, branch, 10000 * k + 500) for k, branch in enumerate(["Fishing"] * 3 + ["Trade"] * 3 + ["Crafts"] * 3, 1)]
MAY = APRIL + [(10, "Fishing", 9640), (11, "Trade", 6100), (12, "Trade", 6200), (13, "Trade", 6300), (14, "Crafts", 2100),
               (15, "Crafts", 2200), (16, "Crafts", 2300)]
JOB = """[input]
records = "{0}.csv"
[columns]
value = "amount"
respondent = "borrower"
[attackers]
respondents = false
[[dimension]]
name = "branch"
total = "all"
[[rule]]
type = "frequency"
n = 3
range = 10
"""
ILL = "cause;n\nall;180\nA;3\nB;120\nC;57\n"
COUNTS = '[input]\ntable = "ill.csv"\n[columns]\nfrequency = "n"\n[[dimension]]\nname = "cause"\ntotal = "all"\n' \
         '[[rule]]\ntype = "frequency"\nn = 5\n'


def setUpModule():  # pylint: disable=invalid-name
    Case.held = driven.browser()
    Case.browser = Case.held.__enter__()  # pylint: disable=unnecessary-dunder-call


def tearDownModule():  # pylint: disable=invalid-name
    Case.held.__exit__(None, None, None)


class Case(unittest.TestCase):
    expected = ("422",)

    def setUp(self):
        place = tempfile.TemporaryDirectory()
        self.addCleanup(place.cleanup)
        self.folder = pathlib.Path(place.name)
        for name, rows in (("april", APRIL), ("may", MAY)):
            lines = [";".join(map(str, row)) for row in [("borrower", "branch", "amount"), *rows]]
            self.write(name + ".csv", "\n".join(lines) + "\n")
            self.write(name + ".toml", JOB.format(name))
        self.write("ill.csv", ILL)
        self.write("ill.toml", COUNTS)
        served.copy_examples(EXAMPLES, self.folder)
        served.command(LACUNA, self.folder, "protect", "april.toml", "--public", "april_public.csv", "--quiet")
        self.server = served.Server(LACUNA, self.folder)
        self.addCleanup(self.server.remove)
        self.addCleanup(self.server.end)
        self.tab = driven.Tab(self.browser, self.server)
        self.addCleanup(self.tab.close)
        self.page = self.tab.page

    def tearDown(self):
        self.assertEqual(self.tab.complaints(self.expected), [])

    def write(self, name, text):
        (self.folder / name).write_text(text, encoding="utf-8")

    def open(self, name):
        self.tab.click("place-open")
        self.tab.click("file:" + name)
        self.tab.grid()

    def rules(self, part):
        self.tab.click("place-rules")
        self.tab.rest()
        self.tab.at("section:" + part).locator("summary").first.click()
        self.tab.click("part-add:" + part)
        self.tab.rest()

    def fill(self, name, text):
        field = self.tab.see("field:" + name)
        if field.evaluate("e => e.tagName") == "SELECT":
            field.select_option(text)
        else:
            field.fill(text)
            field.press("Tab")
        self.tab.rest()

    def apply(self):
        self.page.wait_for_selector("[data-test=job-outcome] > p.good")
        self.tab.click("apply")
        self.page.wait_for_selector("[data-test=understood]")

    def spec(self):
        return self.server.get("/api/documents")[-1]["job"]["spec"]


class Derived(Case):
    def test_percentages_are_stated_by_the_form_and_shown(self):
        self.open("ill.toml")
        self.rules("derived")
        self.fill("derived[0].decimals", "1")
        self.assertEqual(self.tab.count("[data-test='field:derived[0].numerator']"), 0, "of a ratio alone")
        self.apply()
        self.assertEqual(self.spec()["derived"], [{"name": "pct", "type": "percentage", "decimals": 1}])
        run = self.tab.protect("suppress")
        self.tab.click(f"show:{run}")
        self.tab.grid()
        text = " ".join(part for row in self.tab.rows() for part in row)
        self.assertIn("66.7", text, "a published number has its percentage beside it")
        public = self.server.export(run, "public", "csv").decode()
        self.assertIn("pct", public.splitlines()[0])
        shown = [line for line in public.splitlines() if line.startswith("B;")][0]
        self.page.locator("#grid td[data-cell='2']").click()
        self.page.wait_for_selector("[data-test=pane-cell][data-cell='2']")
        self.assertIn(self.tab.text("beside:pct"), shown)

    def test_a_ratio_has_its_own_keys(self):
        self.open("ill.toml")
        self.rules("derived")
        self.fill("derived[0].type", "ratio")
        self.fill("derived[0].dimension", "cause")
        self.fill("derived[0].numerator", "C")
        self.fill("derived[0].denominator", "B")
        self.assertEqual(self.tab.count("[data-test='field:derived[0].of']"), 0, "of a percentage alone")
        self.assertEqual(self.tab.count("datalist[id='offered-derived[0].numerator'] option"), 4, "codes are offered")
        self.apply()
        self.assertEqual(self.spec()["derived"][0]["numerator"], "C")
        self.tab.click("part-remove:derived.0")
        self.tab.rest()
        self.assertEqual(self.tab.count("[data-test='part:derived.0']"), 0)


class Months(Case):
    def earlier(self):
        self.open("may.toml")
        self.rules("before")
        for key, value in (("name", "April"), ("input", "april.csv"), ("release", "april_public.csv"), ("cumulated", "true")):
            self.fill("before[0]." + key, value)
        self.apply()

    def test_a_change_since_april_is_judged(self):
        self.earlier()
        self.assertEqual(self.spec()["before"], [{"name": "April", "input": "april.csv", "release": "april_public.csv",
                                                  "cumulated": True}])
        self.assertGreater(self.server.get("/api/documents")[-1]["requirements"], 0, "the change of Fishing is asked about")
        run = self.tab.protect("suppress")
        self.assertEqual(self.server.get(f"/api/runs/{run}")["verdict"], "protected")
        told = self.server.get(f"/api/runs/{run}/periods")
        self.assertEqual(told["periods"][0], "April")
        self.assertTrue(told["rows"])
        self.tab.click(f"release:{run}")
        text = self.tab.see("periods").inner_text()
        self.assertIn("April", text)
        for row in told["rows"]:
            self.assertIn(row["texts"][0].split(".")[0][:2], text)
        cell = told["rows"][0]["cell"]
        self.tab.at("periods").locator(f"[data-test='go:{cell}']").click()
        self.page.wait_for_selector(f"[data-test=pane-cell][data-cell='{cell}']")
        self.assertIn("April", self.tab.text("pane-cell"))

    def test_a_file_that_is_not_there_is_said_at_its_field(self):
        self.open("may.toml")
        self.rules("before")
        self.fill("before[0].name", "April")
        self.fill("before[0].input", "none.csv")
        self.fill("before[0].release", "april_public.csv")
        self.assertIn("none.csv", self.tab.text("job-outcome"))

    def test_what_changed_between_two_tables(self):
        self.open("april.toml")
        self.open("may.toml")
        self.tab.click("place-release")
        self.tab.rest()
        self.tab.at("changes-from").select_option(label="1 · april.toml")
        counts = self.tab.text("changes-counts")
        self.assertIn("4 of 4 common cells", counts)
        rows = self.tab.at("changes-table").locator("tbody tr").all_inner_texts()
        self.assertEqual(len(rows), 4)
        fishing = next(row for row in rows if row.startswith("Fishing"))
        self.assertIn("+9,640", fishing)
        self.tab.at("changes-kind").select_option("gone")
        self.assertEqual(self.tab.count("[data-test=changes-table] tbody tr"), 0)
        self.tab.at("changes-kind").select_option("changed")
        self.tab.click("changes-show")
        self.tab.grid()
        self.assertEqual(self.tab.count("#grid td.differs"), 4)

    def test_runs_of_two_months_side_by_side(self):
        self.open("april.toml")
        first = self.tab.protect("suppress")
        self.open("ill.toml")
        second = self.tab.protect("suppress")
        self.tab.click(f"release:{second}")
        self.tab.rest()
        self.tab.at("changes-from").select_option(f"r{first}")
        self.assertIn("branch", self.tab.text("changes-table"), "tables of other dimensions are not compared")
        self.tab.at("changes-from").select_option("d2")
        self.assertIn("2 are no longer published", self.tab.text("changes-counts"))


class Sparklines(Case):
    def test_a_line_per_row_and_gaps_where_nothing_is_published(self):
        self.tab.open_example("business.toml")
        self.tab.at("look-tools").locator("summary").click()
        self.assertEqual(self.tab.count("#grid svg.spark"), 0)
        self.tab.at("spark").check()
        self.assertEqual(self.tab.count("#grid svg.spark"), self.tab.count("#grid tbody tr"))
        whole = self.page.locator("#grid svg.spark path").last.get_attribute("d")
        self.assertEqual(whole.count("M"), 1, whole)
        run = self.tab.protect("suppress")
        self.tab.click(f"show:{run}")
        self.tab.grid()
        self.tab.at("published").check()
        paths = [path.get_attribute("d") for path in self.page.locator("#grid svg.spark path").all()]
        self.assertTrue(any(path.count("M") > 1 for path in paths) or len(paths) < self.tab.count("#grid tbody tr"), paths)
        values = self.page.eval_on_selector_all("#grid tbody tr", "rows => rows.map(r => r.querySelectorAll('td[data-cell]').length)")
        self.assertEqual(set(values), {5}, "the line is no cell")


if __name__ == "__main__":
    unittest.main()
