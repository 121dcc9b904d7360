#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What a newcomer does on the page of `lacuna serve`: the tour, files as they come, a project, the checker's desk.

With the mouse alone or the keyboard alone; accessibility of every new place by axe-core. Ends with 77 where there is
no browser.

  serve_newcomer_test.py LACUNA EXAMPLES_FOLDER [unittest options]
"""
import pathlib
import sys
import tempfile
import unittest

import driven

driven.need_a_browser()
import served  # noqa: E402  pylint: disable=wrong-import-position

LACUNA, EXAMPLES = sys.argv.pop(1), pathlib.Path(sys.argv.pop(1))
WCAG = """async () => (await axe.run(document, { runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'] }))
  .violations.map(v => v.id + ': ' + v.nodes.slice(0, 3).map(n => n.html.slice(0, 200)).join(' | '))"""


def setUpModule():  # pylint: disable=invalid-name
    Case.held = driven.browser()
    Case.browser = Case.held.__enter__()  # pylint: disable=unnecessary-dunder-call


def tearDownModule():  # pylint: disable=invalid-name
    Case.held.__exit__(None, None, None)


class Case(unittest.TestCase):
    expected = ("422",)
    context = {}

    def setUp(self):
        place = tempfile.TemporaryDirectory()
        self.addCleanup(place.cleanup)
        self.folder = pathlib.Path(place.name)
        served.copy_examples(EXAMPLES, self.folder)
        self.prepare()
        self.server = served.Server(LACUNA, self.folder)
        self.addCleanup(self.server.remove)
        self.addCleanup(self.server.end)
        self.tab = driven.Tab(self.browser, self.server, **self.context)
        self.addCleanup(self.tab.close)
        self.page = self.tab.page

    def prepare(self):
        """Files of the folder."""

    def tearDown(self):
        self.assertEqual(self.tab.complaints(self.expected), [])

    def write(self, name, text, encoding="utf-8"):
        (self.folder / name).parent.mkdir(exist_ok=True)
        (self.folder / name).write_bytes(text.encode(encoding))

    def open(self, name):
        self.tab.click("file:" + name)
        self.tab.see("here-rules")
        self.settle()

    def settle(self):
        self.tab.rest()

    def apply(self):
        self.page.wait_for_selector("[data-test=job-outcome] > p.good")
        self.tab.click("apply")
        self.page.wait_for_selector("[data-test=understood]")

    def audited(self, place):
        script = driven.axe_script()
        if script is None:
            return
        self.page.evaluate(script)
        self.assertEqual(self.page.evaluate(WCAG), [], place)

    def words(self):
        """What the form and its outcome say: never options, nor TOML."""
        text = self.tab.text("job-outcome") + self.page.locator(".job-form").inner_text()
        for word in ("--", "TOML", "[input]", "[columns]", "[[dimension]]", "lacuna inspect"):
            self.assertNotIn(word, text)


class Importing(Case):
    def prepare(self):
        self.write("latin.csv", "région;branche;valeur;entreprises\nNord;A;10;3\nNord;B;5;2\nNord;Total;15;5\nSud;A;20;4\n"
                   "Sud;B;7;3\nSud;Total;27;7\nTotal;A;30;7\nTotal;B;12;5\nTotal;Total;42;12\n", "latin-1")
        self.write("broken.csv", "region;value\nAll;31\nNorth;10\nSouth;20\n")
        self.write("bare.csv", "N;A;10\nN;B;5\nS;A;20\nS;B;7\n")
        self.write("marks.csv", "region;value\nAll;x\nNorth;10\nSouth;20\nWest;5\n")
        self.write("empty.csv", "\n")
        self.write("firms.csv", "firm;sector;region;turnover\n" + "".join(
            f"firm {k};{'ABC'[k % 3]};{'NS'[k % 2]};{100 + 37 * k}\n" for k in range(40)))

    def test_a_latin_1_file_with_its_rows_and_roles(self):
        self.open("latin.csv")
        self.assertIn("région", self.page.locator(".raw tr.raw-heading").inner_text())
        self.tab.at("role:valeur").select_option("value")
        self.settle()
        self.words()
        self.apply()
        self.assertEqual(self.server.get("/api/documents")[-1]["cells"], 9)
        self.assertEqual(self.tab.shows("job"), False, "a job appears if one asks for it")
        self.tab.click("side-job")
        self.assertIn("windows-1252", self.tab.at("job").input_value())
        self.audited("import")

    def test_one_wrong_sum_is_a_jump_and_a_click(self):
        self.open("broken.csv")
        self.words()
        self.page.wait_for_selector("[data-test='answer-total:region']")
        self.tab.at("answer-total:region").select_option("All")
        self.settle()
        self.tab.click("broken-sum:0")
        self.assertIn("All", self.page.locator("tr.marked").inner_text())
        self.words()
        self.tab.click("fix-recompute")
        self.settle()
        self.apply()
        self.assertEqual(self.server.get("/api/documents")[-1]["cells"], 3)

    def test_records_are_said_to_be_records(self):
        self.open("firms.csv")
        self.tab.at("read-kind:records").check()
        self.settle()
        self.apply()
        document = self.server.get("/api/documents")[-1]
        self.assertEqual(document["kind"], "records")
        self.assertEqual({d["name"] for d in document["dimensions"]}, {"sector", "region"})
        self.assertEqual(document["job"]["spec"]["columns"]["value"], "turnover")

    def test_a_first_row_of_data_and_totals_that_are_not_there(self):
        self.open("bare.csv")
        self.assertEqual(self.tab.count("tr.raw-heading"), 0)
        self.tab.click("fix-computed")
        self.settle()
        self.apply()
        self.assertEqual(self.server.get("/api/documents")[-1]["cells"], 9)

    def test_a_sign_is_answered_where_it_is_asked(self):
        self.open("marks.csv")
        self.words()
        self.tab.click("answer-sign:withheld")
        self.settle()
        self.tab.click("answer-published")
        self.page.wait_for_selector("[data-test=infer-result][data-state=done]")
        self.assertIn("1 of 1", self.tab.text("infer-verdict"))

    def test_a_file_without_rows_stays_on_open(self):
        self.tab.click("file:empty.csv")
        self.page.wait_for_function("() => /empty/.test(document.querySelector('[data-test=message]').innerText)")
        self.assertTrue(self.tab.shows("here-open"))

    def test_a_tree_is_built_by_keys_while_no_sum_holds(self):
        self.open("broken.csv")
        self.tab.at("answer-total:region").select_option("All")
        self.settle()
        self.tab.click("hand-tree:region")
        self.tab.at("tree-code:South").click()
        self.page.keyboard.press("Alt+ArrowRight")
        self.assertEqual(self.tab.at("tree-code:South").get_attribute("aria-level"), "3")
        self.page.keyboard.press("Alt+ArrowLeft")
        self.tab.click("tree-deeper:region")
        self.tab.at("tree-code:South").drag_to(self.tab.at("tree-code:All"))
        self.assertEqual(self.tab.at("tree-code:South").get_attribute("aria-level"), "2")
        self.audited("tree")
        self.tab.click("tree-paste:region")
        self.tab.at("tree-pairs:region").fill("North\tAll\nSouth\tNorth\n")
        self.tab.click("tree-pairs-use:region")
        self.assertEqual(self.tab.at("tree-code:South").get_attribute("aria-level"), "3")
        self.tab.click("tree-done:region")
        self.settle()
        self.assertGreater(self.tab.count("[data-test^='broken-sum:']"), 0)


class FirstMinute(Case):
    def test_the_tour_of_six_steps(self):
        self.tab.click("tour-start")
        for step in range(1, 6):
            self.page.wait_for_selector(f"[data-test=tour][data-shown='{step}'] :text('Step {step} of 6')")
            self.tab.click("tour-next")
        self.page.wait_for_selector("[data-test=tour][data-shown='6']")
        self.page.wait_for_selector("[data-test=verdict].lit")
        self.audited("tour")
        self.tab.click("tour-own")
        self.assertTrue(self.tab.shows("here-open"))
        self.assertFalse(self.tab.shows("tour"))

    def test_words_explain_themselves_by_mouse_and_keyboard(self):
        self.tab.open_example("sales.toml")
        self.tab.protect("suppress")
        self.tab.click("place-release")
        for name in ("asked", "withheld", "safe", "cost"):
            self.tab.see("card-" + name)
        self.assertIn("3", self.tab.text("card-asked"))
        self.assertNotIn("Nothing was asked", self.tab.text("answers"))
        self.tab.at("card-cost").locator("[data-test='term:gap']").hover()
        self.assertIn("proven bound", self.tab.see("gloss").inner_text())
        self.page.mouse.move(5, 5)
        self.page.wait_for_function("() => !document.querySelector('[data-test=gloss]').matches(':popover-open')")
        self.tab.at("card-withheld").locator("[data-test='term:secondary']").focus()
        self.tab.see("gloss")
        self.page.keyboard.press("Escape")
        self.assertFalse(self.tab.shows("gloss"))

    def test_the_cards_do_not_say_safe_of_what_was_not_asked(self):
        self.write("free.csv", "region;value\nAll;30\nNorth;10\nSouth;20\n")
        self.page.reload()
        self.tab.ready()
        self.tab.click("place-open")
        self.open("free.csv")
        self.tab.protect("suppress")
        self.tab.click("place-release")
        self.assertIn("Nothing was asked", self.tab.text("card-asked"))
        self.assertNotIn("safe to publish", self.tab.text("answers"))
        self.assertIn("Is it safe?", self.tab.text("card-safe"))


class Keeping(Case):
    def test_undo_across_tables_runs_and_decisions(self):
        self.tab.open_example("sales.toml")
        self.tab.choose("B2", "South")
        self.tab.click("tab-decide")
        self.tab.at("decide-status").select_option("unsafe")
        self.tab.click("decide-apply")
        self.page.wait_for_function("() => document.querySelectorAll('#grid td.s-p').length === 4")
        run = self.tab.protect("suppress")
        self.tab.click(f"forget:{run}")
        self.page.wait_for_selector(f'[data-test="run:{run}"]', state="detached")
        self.tab.click("place-open")
        self.tab.click("close:1")
        self.tab.click("closing-yes")  # asked, since a decision goes with the table
        self.page.wait_for_selector('[data-test="document:1"]', state="detached")
        self.tab.click("show-history")
        self.assertEqual(self.tab.count("[data-test=history] li"), 3)
        self.audited("history")
        self.page.keyboard.press("Escape")
        self.tab.click("undo-all")
        self.page.wait_for_selector('[data-test="document:1"]')
        self.tab.click("undo-all")
        self.page.wait_for_function("() => fetch !== null && document.querySelector('[data-test=redo-all]').disabled === false")
        self.tab.click("place-protect")
        self.page.wait_for_selector(f'[data-test="run:{run}"]')
        self.tab.click("undo-all")
        self.page.wait_for_function("() => document.querySelector('[data-test=undo-all]').disabled")
        self.assertEqual(self.server.get("/api/documents")[0]["changes"], [])
        self.tab.click("redo-all")
        self.page.wait_for_function("() => !document.querySelector('[data-test=undo-all]').disabled")
        self.assertEqual(len(self.server.get("/api/documents")[0]["changes"]), 1)

    def test_a_project_opens_again_tomorrow(self):
        self.tab.open_example("sales.toml")
        self.tab.protect("suppress")
        self.tab.click("place-open")
        self.tab.at("project-name").fill("year book")
        self.tab.click("project-save-as")
        self.page.wait_for_selector("[data-test=project-saved]:not(:empty)")
        self.assertTrue((self.folder / "year-book.lacuna").exists())
        self.audited("open")
        self.server.end()
        tomorrow = served.Server(LACUNA, self.folder)
        self.addCleanup(tomorrow.remove)
        self.addCleanup(tomorrow.end)
        tab = driven.Tab(self.browser, tomorrow)
        self.addCleanup(tab.close)
        tab.click("file:year-book.lacuna")
        self.assertEqual(tab.grid(), 32)
        tab.click("place-protect")
        tab.page.wait_for_selector("[data-test='run:1'][data-state=done][data-verdict=protected]")
        self.assertEqual(tab.complaints(), [])


class Desk(Case):
    def prepare(self):
        self.write("project/all.csv", "region,sex,n\nNorth,F,120\nNorth,M,110\nNorth,All,230\nSouth,F,80\nSouth,M,95\n"
                   "South,All,175\nAll,F,200\nAll,M,205\nAll,All,405\n")
        self.write("project/adults.csv", "region,sex,n\nNorth,F,117\nNorth,M,90\nNorth,All,207\nSouth,F,60\nSouth,M,75\n"
                   "South,All,135\nAll,F,177\nAll,M,165\nAll,All,342\n")

    def test_outputs_are_checked_and_decided(self):
        self.tab.click("place-check")
        self.tab.click("check-folder:project")
        self.tab.click("check-start")
        self.page.wait_for_selector("[data-test=check-result][data-state=done]")
        self.assertIn("2 to be reviewed", self.tab.text("check-verdict"))
        self.assertIn("120", self.tab.text("check-finding:0"))
        self.audited("check")
        self.tab.click("check-refuse:adults.csv")
        self.tab.at("decide-by").fill("A. Checker")
        self.tab.at("decide-why").fill("too close to the other")
        self.tab.click("check-decide")
        self.page.wait_for_function("() => /refused/.test(document.querySelector('[data-test=message]').innerText)")
        self.assertIn("adults.csv", (self.folder / "project.released.log").read_text(encoding="utf-8"))


class Looking(Case):
    def test_decimals_shades_panes_and_a_pivot_by_dragging(self):
        self.tab.open_example("business.toml")
        self.tab.at("look-tools").locator("summary").click()
        self.assertIn("46,018.8", self.tab.rows()[1][1])
        self.tab.at("decimals").select_option("0")
        self.assertIn("46,019", self.tab.rows()[1][1])
        self.tab.at("thousands").select_option("none")
        self.assertIn("46019", self.tab.rows()[1][1])
        self.tab.at("heat").check()
        self.assertGreater(self.tab.count("#grid td.heat-7"), 0)
        self.tab.at("pane-place").select_option("closed")
        self.assertFalse(self.tab.shows("pane"))
        self.tab.at("pane-place").select_option("left")
        self.assertTrue(self.tab.shows("pane"))
        self.tab.at("list-place").select_option("closed")
        self.assertFalse(self.tab.shows("find"))
        before = self.page.locator("#rows").input_value()
        self.page.locator("label:has(> #rows)").drag_to(self.page.locator("label:has(> #columns)"),
                                                        source_position={"x": 8, "y": 12}, target_position={"x": 8, "y": 12})
        self.page.wait_for_function("before => document.querySelector('#columns').value === before", arg=before)
        self.page.reload()
        self.tab.ready()
        self.tab.grid()
        self.assertIn("46019", " ".join(self.tab.rows()[1]), "the view outlives a reload")

    def test_costs_of_different_methods_are_not_side_by_side(self):
        self.tab.open_example("sales.toml")
        runs = [self.tab.protect("suppress"), self.tab.protect("round", base="100")]
        for run in runs:
            self.tab.at(f"compare:{run}").check()
        self.tab.click("place-release")
        self.tab.see("not-comparable")
        self.assertNotIn("proven bound", self.tab.text("compare-table"))

    def test_an_exchange_becomes_decisions_and_a_run(self):
        self.tab.open_example("sales.toml")
        run = self.tab.protect("suppress")
        self.tab.click(f"show:{run}")
        self.tab.grid()
        self.page.locator("#grid td.w:not(.s-p)").first.click()
        self.tab.click("explain")
        self.page.wait_for_function("() => document.querySelector('[data-test=explanation]').innerText.length > 40")
        if not self.tab.at("swap").count():
            self.assertIn("exchange", self.tab.text("explanation").lower())
            return
        self.tab.click("swap")
        self.page.wait_for_selector(f'[data-test="run:{run + 1}"][data-state=done]')
        self.assertEqual(self.server.get(f"/api/runs/{run + 1}")["verdict"], "protected")


class NarrowWindows(Case):
    def test_every_place_fits_a_phone_a_tablet_and_200_percent(self):
        self.tab.open_example("business.toml")
        self.tab.protect("suppress")
        for width, height in ((390, 844), (820, 1100), (700, 450)):
            self.page.set_viewport_size({"width": width, "height": height})
            for place in ("open", "rules", "table", "protect", "release", "infer", "check"):
                self.tab.click("place-" + place)
                self.tab.see("here-" + place)
                wide, high = self.page.evaluate(
                    "() => [document.documentElement.scrollWidth, document.documentElement.scrollHeight]")
                self.assertLessEqual((wide, high), (width, height), place)
            self.tab.click("place-table")
            grid = self.page.locator("#grid").bounding_box()
            self.assertGreater(grid["width"], width * .5)
            self.assertGreater(grid["height"], 150)


if __name__ == "__main__":
    unittest.main()
