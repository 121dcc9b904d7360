#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The page of `lacuna serve` in real Chromium: what a person does with it.

Open, correct, look, decide, protect, stop, attack, compare, export; by mouse and by keyboard; a reload in the middle;
light and dark; accessibility by axe-core. What was exported is judged by the program. Whatever the page says to the
console is a failure, and so is a request to any other host. Ends with 77 where there is no browser.

  serve_test.py LACUNA EXAMPLES_FOLDER [unittest options]
"""
import io
import json
import pathlib
import shutil
import sys
import tempfile
import unittest
import zipfile

import driven

driven.need_a_browser()
import served  # noqa: E402  pylint: disable=wrong-import-position

LACUNA, EXAMPLES = sys.argv.pop(1), pathlib.Path(sys.argv.pop(1))
LARGE = 100_000


def setUpModule():  # pylint: disable=invalid-name
    Case.place = tempfile.TemporaryDirectory()
    Case.folder = pathlib.Path(Case.place.name)
    served.copy_examples(EXAMPLES, Case.folder)
    served.write_argus(Case.folder)
    served.command(LACUNA, Case.folder, "generate", "-o", "long.json", "--kind", "hierarchical", "--depths", "3", "3",
                   "--fan-least", "4", "--fan-most", "4", "--sensitive-percent", "20", "--weight", "value")
    Case.held = driven.browser()
    Case.browser = Case.held.__enter__()  # pylint: disable=unnecessary-dunder-call


def tearDownModule():  # pylint: disable=invalid-name
    Case.held.__exit__(None, None, None)
    Case.place.cleanup()


class Case(unittest.TestCase):
    """A server and a page of its own for every test."""
    expected = ()  # of what the console says: answers that a test provokes
    context = {}

    def setUp(self):
        self.server = served.Server(LACUNA, self.folder)
        self.addCleanup(self.server.remove)
        self.addCleanup(self.server.end)
        self.tab = driven.Tab(self.browser, self.server, **self.context)
        self.addCleanup(self.tab.close)
        self.page = self.tab.page

    def tearDown(self):
        result = self._outcome.result
        if any(test is self for test, _ in result.errors + result.failures):
            self.page.screenshot(path=pathlib.Path(tempfile.gettempdir()) / f"lacuna_{self.id()}.png")
        self.assertEqual(self.tab.complaints(self.expected), [])
        kept = self.page.evaluate("() => JSON.stringify([{...localStorage}, {...sessionStorage}, document.cookie])")
        self.assertEqual(json.loads(kept), [{}, {"lacuna-session": self.server.token}, ""],
                         "nothing but the session is kept in the browser's storage")
        self.assertNotIn(self.server.token, self.page.url)

    def audit(self, table, name, data, code=0):
        """What was exported, judged by the program."""
        (self.folder / name).write_bytes(data)
        served.command(LACUNA, self.folder, "audit", table, "--pattern", name, "--quiet", code=code)

    def number_of(self, row, column):
        self.tab.choose(row, column)
        return int(self.page.get_attribute("[data-test=pane-cell]", "data-cell"))


class Opening(Case):
    expected = ("422", "404")

    def test_the_sales_example(self):
        self.tab.open_example("sales.toml")
        self.assertEqual(self.tab.grid(), 32)
        rows = self.tab.rows()
        self.assertEqual(len(rows), 9)
        self.assertIn("1,120", rows[1][1])
        self.assertEqual(self.tab.count("#grid td.s-p"), 3, "three sensitive cells")
        self.tab.choose("A2", "East")
        self.assertEqual(self.tab.text("cell-value"), "18")
        self.assertIn("A2", self.tab.text("cell-label"))
        self.assertGreaterEqual(self.tab.at("equation").count(), 2)
        self.assertIn("32", self.tab.text("status"))

    def test_linked_records(self):
        self.tab.open_example("linked.toml")
        names = self.page.eval_on_selector_all("#table option", "all => all.map(o => o.textContent)")
        self.assertEqual(names, ["activity by region", "activity by size", "region by size"])
        self.page.select_option("#table", label="region by size")
        self.assertIn("region", self.tab.rows()[0][0])
        self.page.locator("#grid td[data-cell]").first.click()
        self.page.wait_for_selector("[data-test=pane-cell][data-cell]")
        self.assertIn("%", self.tab.text("pane-cell"), "contributors as shares")

    def test_a_job_of_tau_argus(self):
        self.tab.click("place-open")
        self.tab.click("file:small.arb")
        self.tab.see("here-protect")
        run = self.tab.begin()
        self.page.wait_for_selector(f'[data-test="run:{run}"][data-state=done]')
        self.assertEqual(self.server.get(f"/api/runs/{run}")["verdict"], "protected")
        self.tab.click(f"show:{run}")
        self.assertEqual(self.tab.grid(), 9)
        self.assertEqual(self.tab.count("#grid td.w"), 4)

    def test_dropped_files_that_belong_together(self):
        self.tab.click("place-open")
        self.tab.at("files").set_input_files([EXAMPLES / name for name in ("sales.csv", "products.hrc", "sales.toml")])
        self.assertEqual(self.tab.grid(), 32)
        self.assertTrue(self.server.get("/api/documents")[0]["file"].startswith("upload:"))

    def test_a_wrong_column_is_corrected(self):
        job = (EXAMPLES / "sales.toml").read_text(encoding="utf-8").replace('"turnover"', '"turnoverr"')
        (self.folder / "wrong.toml").write_text(job, encoding="utf-8")
        self.tab.click("place-open")
        self.page.reload()
        self.tab.ready()
        self.tab.click("place-open")
        self.tab.click("file:wrong.toml")
        self.tab.see("here-rules")
        self.assertIn("turnoverr", self.tab.see("job-error").inner_text())
        self.tab.at("role:turnover").first.select_option("value")
        self.tab.click("apply")
        self.page.wait_for_function("() => !document.querySelector('[data-test=place-table]').disabled")
        self.tab.click("place-table")
        self.assertEqual(self.tab.grid(), 32)
        self.assertEqual(self.server.get("/api/documents")[0]["sensitive"], 3)

    def test_a_file_that_cannot_be_read_says_where(self):
        text = (EXAMPLES / "sales.csv").read_text(encoding="utf-8").replace("Total;East;300", "Total;East;3oo")
        (self.folder / "odd.csv").write_text(text, encoding="utf-8")
        (self.folder / "odd.toml").write_text(
            (EXAMPLES / "sales.toml").read_text(encoding="utf-8").replace("sales.csv", "odd.csv"), encoding="utf-8")
        self.page.reload()
        self.tab.ready()
        self.tab.click("place-open")
        self.tab.click("file:odd.toml")
        self.assertIn("odd.csv:4:12", self.tab.see("job-error").inner_text())

    def test_codes_that_are_script_stay_text(self):
        evil = "<img src=x onerror=alert(1)>"
        (self.folder / "evil.csv").write_text(f"region;value;status\nAll;30;s\n{evil};10;u\n<b>b</b>;20;s\n", encoding="utf-8")
        self.page.reload()
        self.tab.ready()
        self.tab.click("place-open")
        self.tab.click("file:evil.csv")
        self.page.wait_for_function("() => !document.querySelector('[data-test=place-table]').disabled")
        self.tab.click("place-table")
        self.tab.grid()
        self.assertIn(evil, " ".join(text for row in self.tab.rows() for text in row))
        self.assertEqual(self.tab.count("#grid img, #grid b"), 0)


class Rules(Case):
    """The job as a form and as text: the server makes one of the other."""
    expected = ("422",)

    def setUp(self):
        super().setUp()
        self.job = "# Ours.\n" + (EXAMPLES / "sales.toml").read_text(encoding="utf-8").rstrip("\n") + (
            '\n\n# By law.\n[[rule]]\ntype = "frequency"\nn = 3  # firms\n')
        (self.folder / "ruled.toml").write_text(self.job, encoding="utf-8")
        self.page.reload()
        self.tab.ready()
        self.tab.click("place-open")
        self.tab.click("file:ruled.toml")
        self.page.wait_for_function("() => !document.querySelector('[data-test=place-table]').disabled")
        self.tab.click("place-rules")
        self.tab.see("rule:0")

    def text(self):
        return self.tab.at("job").input_value()

    def wait_for_text(self, part):
        self.page.wait_for_function("part => document.querySelector('[data-test=job]').value.includes(part)", arg=part)

    def test_a_field_changes_the_text_and_keeps_comments(self):
        self.assertEqual(self.text(), self.job)
        self.tab.at("field:rule.0.n").fill("8")
        self.tab.at("field:rule.0.n").press("Tab")
        self.tab.click("apply")  # at once: nothing that was written is lost
        self.page.wait_for_function("() => /The job was applied: 32 cells, 7 sens/.test(document.body.innerText)")
        self.assertIn("# By law.\n[[rule]]\ntype = \"frequency\"\nn = 8  # firms\n", self.text())
        self.assertTrue(self.text().startswith("# Ours.\n"))
        self.assertEqual([d["sensitive"] for d in self.server.get("/api/documents")], [7])
        self.assertEqual(self.server.get("/api/documents")[0]["job"]["text"], self.text())

    def test_a_rule_that_goes_says_which_comments_go(self):
        self.tab.click("rule-remove:0")
        told = self.tab.see("lost-comments").inner_text()
        self.assertIn("# By law.", told)
        self.assertIn("# firms", told)
        self.assertNotIn('type = "frequency"', self.text())
        self.tab.click("revert")
        self.page.wait_for_function("job => document.querySelector('[data-test=job]').value === job", arg=self.job)
        self.assertEqual(self.tab.at("lost-comments").count(), 0)
        self.tab.see("rule:0")

    def test_the_text_changes_the_form(self):
        self.tab.at("job").fill(self.job + '\n[[rule]]\ntype = "dominance"\nn = 1\nk = 60\n')
        self.page.wait_for_selector('[data-test="field:rule.1.k"]')
        self.assertEqual(self.tab.at("field:rule.1.k").input_value(), "60")
        self.tab.at("job").fill(self.job + "\n[[rule]\n")
        line = len(self.job.splitlines()) + 2
        self.page.wait_for_function("line => new RegExp(`line ${line}:`).test(document.querySelector('.job-form').innerText)",
                                    arg=line)
        self.assertEqual(self.page.locator(".gutter .marked").inner_text(), str(line))
        self.tab.at("job").fill(self.job)
        self.tab.see("rule:0")

    def test_text_and_form_at_once(self):
        """What is written in the text and not read yet is not lost to a change of the form."""
        self.tab.at("job").fill(self.job.replace("# Ours.", "# Ours, and theirs."))
        self.tab.at("field:levels.formula").evaluate(
            "list => { list.value = 'argus'; list.dispatchEvent(new Event('change')); }")
        self.wait_for_text('formula = "argus"')
        self.assertIn("# Ours, and theirs.", self.text())

    def test_an_unknown_word_is_marked_beside_its_field(self):
        self.tab.at("job").fill(self.job.replace("n = 3", 'n = 3\ncounts = "heads"'))
        self.page.wait_for_selector('[data-test="field:rule.0.counts"][aria-invalid=true]')
        self.assertIn("heads", self.tab.see("job-error").inner_text())

    def test_a_tree_as_text(self):
        self.tab.see("edit-tree:region").click()
        area = self.tab.at("tree-text:region")
        self.assertTrue(area.input_value().startswith("All\n"), area.input_value())
        self.tab.click("tree-done:region")
        self.wait_for_text("[dimension.tree]")
        self.tab.click("apply")
        self.page.wait_for_function("() => /The job was applied: 32 cells/.test(document.body.innerText)")
        tree = self.server.get("/api/documents")[0]["job"]["spec"]["dimension"][1]["tree"]
        self.assertEqual([list(t) for t in tree], [["All"]])


class Deciding(Case):
    def test_change_a_status_and_take_it_back(self):
        self.tab.open_example("sales.toml")
        cell = self.number_of("B2", "South")
        self.tab.click("tab-decide")
        self.tab.at("decide-status").select_option("unsafe")
        self.tab.at("decide-reason").fill("asked for")
        self.tab.click("decide-apply")
        self.page.wait_for_function("() => document.querySelectorAll('#grid td.s-p').length === 4")
        self.assertIn("asked for", self.tab.text("changes"))
        self.tab.at("apriori-text").filter(has_text="B2").first.wait_for()  # it is asked for apart
        self.tab.click("undo")
        self.page.wait_for_function("() => document.querySelectorAll('#grid td.s-p').length === 3")
        self.tab.click("redo")
        self.page.wait_for_function("() => document.querySelectorAll('#grid td.s-p').length === 4")
        run = self.tab.protect("suppress")
        release = json.loads(self.server.export(run, "office", "json"))["release"]
        self.assertIn(cell, [entry["cell"] for entry in release])
        self.assertIn(b"B2", self.server.request("GET", "/api/documents/1/apriori").body)

    def test_a_selection_and_a_collapsed_code(self):
        self.tab.open_example("sales.toml")
        self.tab.choose("A1", "North")
        cells = self.page.locator("#grid td[data-cell]")
        cells.nth(13).click(modifiers=["Shift"])
        marked = self.tab.count("#grid td[aria-selected=true]")
        self.assertGreater(marked, 1)
        self.tab.click("tab-decide")
        self.tab.at("decide-cost").fill("5")
        self.tab.click("decide-apply")
        self.tab.at("changes").locator("li").first.wait_for()
        self.tab.at("collapse-dimension").select_option(label="product")
        self.tab.at("collapse-code").select_option("A")
        self.tab.click("collapse")
        self.page.wait_for_selector("#grid[data-cells='20']")

    def marked(self):
        return self.page.evaluate("() => [...document.querySelectorAll('#grid td[aria-selected=true]')].length")

    def test_a_mark_does_not_outlive_its_cell(self):
        """C10 in the north is marked, then C is collapsed: no other cell takes its place."""
        self.tab.open_example("business.toml")
        self.page.click("#expand")
        self.tab.choose("C10", "North")
        self.tab.click("tab-decide")
        self.tab.at("collapse-dimension").select_option(label="activity")
        self.tab.at("collapse-code").select_option("C")
        self.tab.click("collapse")
        self.tab.at("changes").locator("li").first.wait_for()
        self.page.wait_for_function("() => document.querySelector('[data-test=decide-apply]').disabled")
        self.assertEqual(self.marked(), 0)
        self.tab.click("undo")
        self.page.wait_for_function("() => !document.querySelector('[data-test=changes] li')")
        self.page.wait_for_selector("#grid[data-cells]")
        self.assertEqual(self.server.get("/api/documents/1")["changes"], [])

    def test_a_mark_stays_with_its_codes(self):
        self.tab.open_example("business.toml")
        self.page.click("#expand")
        self.tab.choose("F", "North")
        self.tab.click("tab-decide")
        self.tab.at("collapse-dimension").select_option(label="activity")
        self.tab.at("collapse-code").select_option("C")
        self.tab.click("collapse")
        self.page.wait_for_selector("#grid[data-cells]")
        self.page.wait_for_function("() => !document.querySelector('[data-test=decide-apply]').disabled")
        self.tab.at("decide-cost").fill("7")
        self.tab.click("decide-apply")
        self.tab.at("changes").locator("li").nth(1).wait_for()
        self.assertEqual(self.server.get("/api/documents/1")["changes"][1]["label"], "activity=F|region=North")

    def test_unsafe_says_its_level(self):
        self.tab.open_example("sales.toml")
        self.tab.choose("B2", "South")
        self.tab.click("tab-decide")
        self.tab.at("decide-status").select_option("unsafe")
        self.assertIn("20%", self.tab.see("decide-level").inner_text())
        self.tab.click("decide-apply")
        self.tab.at("changes").locator("li").first.wait_for()
        self.tab.click("tab-cell")
        self.page.wait_for_function(
            "() => document.querySelector('[data-test=pane-cell]').textContent.includes('set by hand')")

    def test_a_file_of_changes_is_saved_and_read_again(self):
        self.tab.open_example("sales.toml")
        self.assertTrue(self.tab.at("apriori").first.is_disabled(), "there is no file of nothing")
        self.tab.choose("B2", "South")
        self.tab.click("tab-decide")
        self.tab.at("decide-status").select_option("unsafe")
        self.tab.click("decide-apply")
        self.tab.at("changes").locator("li").first.wait_for()
        self.tab.at("collapse-code").select_option("A")
        self.tab.click("collapse")
        self.page.wait_for_selector("#grid[data-cells='20']")
        path = self.folder / "saved-changes.csv"
        path.write_bytes(self.tab.download("apriori"))
        self.addCleanup(path.unlink)
        self.tab.open_example("sales.toml")
        self.assertEqual(self.tab.grid(), 32)
        self.tab.click("tab-decide")
        self.tab.at("apriori-file").set_input_files(path)
        self.page.wait_for_selector("#grid[data-cells='20']")
        one, other = self.server.get("/api/documents")[-2:]
        self.assertEqual(one["sensitive"], other["sensitive"])

    def test_closing_asks_before_something_is_lost(self):
        self.tab.open_example("sales.toml")
        self.tab.choose("B2", "South")
        self.tab.click("tab-decide")
        self.tab.at("decide-status").select_option("unsafe")
        self.tab.click("decide-apply")
        self.tab.at("changes").locator("li").first.wait_for()
        self.tab.protect("suppress")
        self.tab.click("place-open")
        self.tab.see("close:1").focus()
        self.page.keyboard.press("Enter")
        self.assertIn("1 run and 1 decision by hand", self.tab.see("closing").inner_text())
        self.page.keyboard.press("Enter")  # one Enter too many loses nothing
        self.tab.at("closing").wait_for(state="detached")
        self.assertEqual(len(self.server.get("/api/documents")), 1)
        self.assertEqual(self.page.evaluate("() => document.activeElement.dataset.test"), "close:1")
        self.tab.click("close:1")
        self.tab.click("closing-yes")
        self.tab.at("document:1").wait_for(state="detached")
        self.assertEqual(self.server.get("/api/documents"), [])
        self.assertNotEqual(self.page.evaluate("() => document.activeElement.tagName"), "BODY")

    def test_a_table_without_anything_is_closed_at_once(self):
        self.tab.open_example("sales.toml")
        self.tab.click("place-open")
        self.tab.click("close:1")
        self.tab.at("document:1").wait_for(state="detached")

    def test_any_two_dimensions_and_selectors(self):
        self.tab.open_example("people.toml")
        before = self.tab.rows()
        self.page.select_option("#rows", label="education")
        self.page.wait_for_function("() => document.querySelector('#grid th').textContent.includes('education')")
        self.assertNotEqual(self.tab.rows(), before)
        other = self.page.locator("[data-test=axes] select[data-dimension]").first
        first = self.tab.rows()
        other.select_option(index=1)
        self.assertNotEqual(self.tab.rows(), first)
        self.page.click("#collapse")
        few = len(self.tab.rows())
        self.page.click("#expand")
        self.assertGreaterEqual(len(self.tab.rows()), few)


class Protecting(Case):
    def test_three_methods_compared_and_exported(self):
        self.tab.open_example("sales.toml")
        runs = [self.tab.protect("suppress"), self.tab.protect("round", base=10), self.tab.protect("interval")]
        for run in runs:
            self.assertEqual(self.server.get(f"/api/runs/{run}")["verdict"], "protected")
        for run in runs:
            self.tab.at(f"compare:{run}").first.check()
        self.tab.click("place-release")
        self.tab.see("compare-table")
        text = self.tab.text("compare-table")
        for method in ("suppress", "round", "interval"):
            self.assertIn(method, text)
        self.assertTrue(self.tab.see("differing").inner_text())

    def test_export(self):
        self.tab.open_example("sales.toml")
        run = self.tab.protect("suppress")
        self.tab.click(f"release:{run}")
        self.tab.see("verdict")
        self.assertIn("rotected", self.tab.text("verdict"))
        self.tab.click("export-what:public")
        self.tab.at("export-format").select_option("csv")
        public = self.tab.download("export-download")
        self.audit("sales.toml", "exported.csv", public)
        self.assertNotIn(b";18;", public)
        self.tab.click("export-what:office")
        self.tab.at("export-format").select_option("json")
        self.audit("sales.toml", "office.json", self.tab.download("export-download"))
        self.tab.click("export-what:certificate")
        (self.folder / "proof.json").write_bytes(self.tab.download("export-download"))
        served.command(LACUNA, self.folder, "verify", "sales.toml", "proof.json", "--pattern", "exported.csv")
        self.tab.click("export-what:report")
        self.assertIn(b"<html", self.tab.download("export-download"))
        self.assertIn("lacuna protect", self.tab.text("command"))

    def test_export_into_the_folder_asks_before_it_overwrites(self):
        (self.folder / "mine.csv").write_text("mine", encoding="utf-8")
        self.expected = ("409",)
        self.tab.open_example("sales.toml")
        self.tab.click(f"release:{self.tab.protect('suppress')}")
        self.tab.click("export-what:public")
        self.tab.at("export-format").select_option("csv")
        asked = []
        self.page.once("dialog", lambda d: (asked.append(d.message), d.dismiss()))
        self.tab.at("export-file").fill("mine.csv")
        with self.page.expect_event("dialog"):
            self.tab.click("export-save")
        self.tab.rest()
        self.assertEqual((self.folder / "mine.csv").read_text(encoding="utf-8"), "mine")
        self.tab.at("export-file").fill("new.csv")
        self.tab.click("export-save")
        self.tab.see("export-done")
        self.audit("sales.toml", "again.csv", (self.folder / "new.csv").read_bytes())
        (self.folder / "new.csv").unlink()

    def test_the_widest_cell(self):
        self.tab.open_example("sales.toml")
        run = self.tab.protect("suppress")
        self.tab.click(f"show:{run}")
        self.tab.grid()
        self.tab.at("filter").select_option("widest")
        hit = self.page.locator('[data-test^="hit:"]').first
        hit.click()
        self.page.wait_for_selector("[data-test=pane-cell][data-cell]")
        cell = int(self.page.get_attribute("[data-test=pane-cell]", "data-cell"))
        widths = {each: float(high) - float(low) for each, low, high, *_ in self.server.get(f"/api/runs/{run}/page")["ranges"]}
        for entry in json.loads(self.server.export(run, "office", "json"))["release"]:
            for f in self.server.get(f"/api/runs/{run}/cells/{entry['cell']}")["findings"]:
                width = float(f["high"]) - float(f["low"])
                widths[entry["cell"]] = min(widths.get(entry["cell"], width), width)
        self.assertEqual(len(widths), 8, widths)
        self.assertEqual(widths[cell], max(widths.values()), widths)
        self.assertGreaterEqual(self.tab.at("interval").count(), 1)

    def test_search(self):
        self.tab.open_example("business.toml")
        self.tab.at("filter").select_option("all")
        self.tab.at("find").fill("North")
        self.page.wait_for_function(
            "() => [...document.querySelectorAll('[data-test^=\"hit:\"]')].every(h => h.textContent.includes('North'))")
        self.assertGreater(self.tab.count('[data-test^="hit:"]'), 3)

    def test_stop_with_the_best_so_far_and_a_reload_in_the_middle(self):
        self.page.reload()
        self.tab.ready()
        self.tab.click("place-open")
        self.tab.click("file:long.json")
        self.tab.grid()
        run = self.tab.start("suppress", effort="best")
        self.page.wait_for_selector("[data-test=plot]")
        self.page.reload()
        self.tab.ready()
        self.tab.see("here-protect")
        self.assertEqual(self.server.get(f"/api/runs/{run}")["state"], "running")
        while not self.server.get(f"/api/runs/{run}")["history"]:
            self.page.wait_for_timeout(100)
        self.tab.click(f"stop:{run}")
        self.tab.see(f"show:{run}")
        seen = self.server.finish(run)
        self.assertEqual((seen["state"], seen["verdict"]), ("done", "protected"))
        self.audit("long.json", "stopped.json", self.server.export(run, "office", "json"))
        self.assertIn("Stopped by hand", self.tab.see(f"stopped:{run}").inner_text())
        self.assertIn("another release", self.tab.see(f"differs:{run}").inner_text())

    def test_nothing_asked_is_not_called_safe(self):
        (self.folder / "open.csv").write_text("region;value\nAll;30\nNorth;10\nSouth;20\n", encoding="utf-8")
        self.addCleanup((self.folder / "open.csv").unlink)
        self.page.reload()
        self.tab.ready()
        self.tab.click("place-open")
        self.tab.click("file:open.csv")
        self.page.wait_for_function("() => !document.querySelector('[data-test=place-protect]').disabled")
        self.tab.click(f"release:{self.tab.protect('suppress')}")
        card = self.tab.see("verdict")
        self.assertIn("Nothing was asked", card.inner_text())
        self.assertNotRegex(card.inner_text(), "(?i)safe to publish|confirmed|✓")
        green = self.page.evaluate("() => getComputedStyle(document.documentElement).getPropertyValue('--good').trim()")
        self.assertNotEqual(self.page.evaluate("""() => { const s = document.createElement('i');
            s.style.color = getComputedStyle(document.documentElement).getPropertyValue('--good');
            document.body.append(s); const good = getComputedStyle(s).color; s.remove();
            return getComputedStyle(document.querySelector('[data-test=verdict] .big')).color === good; }"""), True, green)
        self.tab.at("export-what:public").check()
        self.assertTrue(self.tab.at("export-download").first.is_disabled())
        self.tab.at("publish-unasked").check()
        self.assertIn(b"North", self.tab.download("export-download"))
        self.tab.click("ask-rules")
        self.tab.see("here-rules")

    def test_what_must_be_saved_before_the_command_is_said(self):
        self.tab.open_example("sales.toml")
        self.tab.choose("A2", "East")
        self.tab.click("tab-decide")
        self.tab.at("decide-status").select_option("safe")
        self.tab.click("decide-apply")
        self.tab.at("changes").locator("li").first.wait_for()
        run = self.tab.protect("suppress")
        self.assertIn("decided by hand", self.tab.see(f"unsaved:{run}").inner_text())
        with tempfile.TemporaryDirectory() as name:
            where = pathlib.Path(name)
            zipfile.ZipFile(io.BytesIO(self.tab.download(f"repeat:{run}"))).extractall(where)
            line = (where / "command.txt").read_text(encoding="utf-8")
            served.repeat(LACUNA, where, line, "--public", "again.csv", "-o", "again.json", "--quiet")
            again = (where / "again.csv").read_bytes()
        self.assertEqual(again, self.server.export(run, "public", "csv"))
        self.tab.click(f"release:{run}")
        self.assertIn("called safe by hand", self.tab.see("lifted").inner_text())

    def test_what_the_public_sees(self):
        self.tab.open_example("sales.toml")
        self.tab.click(f"show:{self.tab.protect('suppress')}")
        self.tab.grid()
        self.tab.at("published").check()
        rows = self.tab.rows()
        self.assertEqual(sum(text.strip() == "×" for row in rows for text in row), 8)
        self.assertEqual(self.tab.count("#grid td.s-p"), 0, "sensitive cells are not told from others")


class Attacking(Case):
    def test_a_foreign_csv_explained(self):
        lines = (EXAMPLES / "sales.csv").read_text(encoding="utf-8").splitlines()
        cells = [line.split(";") for line in lines]
        foreign = "\n".join(";".join([c[0], c[1], "x" if c[4] == "u" else c[2]]) for c in cells) + "\n"
        path = self.folder / "foreign.csv"
        path.write_text(foreign, encoding="utf-8")
        self.tab.open_example("sales.toml")
        self.tab.click("place-release")
        self.tab.at("audit-file").set_input_files(path)
        self.tab.see("exposed")
        self.page.wait_for_selector('[data-test^="exposed:"]')
        self.assertIn("xposed", self.tab.text("verdict"))
        steps = self.tab.see("steps").inner_text()
        self.assertIn("=", steps)
        self.assertIn("South", self.tab.text("exposed"))
        self.tab.click("place-table")
        self.tab.grid()
        self.assertGreaterEqual(self.tab.count("#grid td.exposed"), 1)


class Together(Case):
    def test_earlier_periods_and_percentages(self):
        files = {
            "then.csv": "branch;n;status\nall;400;\na;100;\nb;130;u\nc;170;\n",
            "then_pub.csv": "branch;value;state\nall;400;published\na;100;published\nb;;withheld\nc;;withheld\n",
            "now.csv": "branch;n;status\nall;420;\na;110;\nb;150;u\nc;160;\n",
            "now.toml": '[input]\ntable = "now.csv"\n[columns]\nvalue = "n"\nstatus = "status"\n'
            '[[dimension]]\nname = "branch"\ntotal = "all"\n[[before]]\nname = "then"\ninput = "then.csv"\n'
            'release = "then_pub.csv"\ndifferences = "none"\n[[derived]]\nname = "pct"\ntype = "percentage"\n',
        }
        for name, text in files.items():
            (self.folder / name).write_text(text, encoding="utf-8")
        self.tab.click("place-open")
        self.tab.click("file:now.toml")
        self.tab.grid()
        self.tab.click(f"show:{self.tab.protect('suppress')}")
        self.tab.grid()
        self.assertIn("38.1", " ".join(text for row in self.tab.rows() for text in row), "the percentage of c")
        self.tab.click("place-release")
        told = self.tab.see("periods").inner_text()
        self.assertIn("this period", told)
        self.assertIn("since then", told)
        self.assertEqual(self.tab.at("periods").locator("tbody tr").count(), 3)
        self.tab.click("place-open")
        self.tab.open_example("sales.toml")
        self.tab.protect("suppress")
        self.tab.click("place-release")
        self.tab.see("verdict")
        self.assertFalse(self.tab.at("periods").is_visible(), "there are no earlier periods")


class Keyboard(Case):
    def press(self, *keys):
        for key in keys:
            self.page.keyboard.press(key)

    def reach(self, name):
        """Tab until the element has the focus."""
        for _ in range(200):
            if self.page.evaluate("() => document.activeElement && document.activeElement.dataset.test") == name:
                return
            self.press("Tab")
        self.fail(f"{name} cannot be reached by the keyboard")

    def test_a_course_without_a_mouse(self):
        self.reach("example:sales.toml")
        self.press("Enter")
        self.tab.grid()
        self.reach("grid")
        self.press("Control+Home", "ArrowDown", "ArrowDown", "ArrowRight")
        self.page.wait_for_selector("[data-test=pane-cell][data-cell]")
        first = self.tab.text("cell-label")
        self.press("ArrowDown")
        self.page.wait_for_function(f"() => document.querySelector('[data-test=cell-label]').textContent !== {json.dumps(first)}")
        self.press("d")
        self.assertEqual(self.page.evaluate("() => document.activeElement.dataset.test"), "decide-status")
        self.page.keyboard.type("u")
        self.reach("decide-apply")
        self.press("Enter")
        self.tab.at("changes").locator("li").first.wait_for()
        self.reach("grid")
        self.press("Control+z")
        self.page.wait_for_function("() => !document.querySelector('[data-test=changes] li')")
        self.press("?")
        self.tab.see("help-dialog")
        self.press("Escape")
        self.page.evaluate("() => document.activeElement.blur()")
        self.reach("place-protect")
        self.press("Enter")
        self.reach("start")
        self.press("Enter")
        self.page.wait_for_selector('[data-test^="release:"]')
        run = max(r["id"] for r in self.server.get("/api/runs"))
        self.server.finish(run)
        self.reach(f"release:{run}")
        self.press("Enter")
        self.tab.see("verdict")
        self.reach("export-download")
        with self.page.expect_download() as saved:
            self.press("Enter")
        self.assertTrue(pathlib.Path(saved.value.path()).read_bytes())

    def test_the_focus_can_be_seen(self):
        self.press("Tab", "Tab", "Tab")
        seen = self.page.evaluate("""() => { const s = getComputedStyle(document.activeElement);
            return s.outlineStyle !== 'none' && parseFloat(s.outlineWidth) > 0 || s.boxShadow !== 'none'; }""")
        self.assertTrue(seen, "what has the focus shows it")


class Looks(Case):
    """Every place in both schemes: accessible, nothing cut off, nothing beside the screen."""

    def places(self, tab):
        tab.open_example("sales.toml")
        yield "table"
        tab.choose("A2", "East")
        yield "cell"
        tab.click("tab-decide")
        yield "decide"
        tab.click("place-rules")
        tab.see("here-rules")
        yield "rules"
        run = tab.protect("suppress")
        yield "protect"
        tab.click(f"show:{run}")
        tab.grid()
        tab.choose("A2", "East")
        yield "released"
        tab.click("place-release")
        tab.see("verdict")
        yield "release"
        tab.click("place-open")
        yield "open"

    def problems(self, tab, axe):
        tab.page.evaluate(axe)  # the policy forbids a script element; this is the debugger's right
        found = tab.page.evaluate("""() => axe.run(document, {runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa']})
            .then(r => r.violations.map(v => v.id + ': ' + v.nodes.slice(0, 3).map(n => n.html.slice(0, 160) +
              ' ' + (n.any[0] ? n.any[0].message : '')).join(' | ')))""")
        return found

    def test_light_and_dark(self):
        axe = driven.axe_script()
        if axe is None:
            print("axe-core is not here: accessibility is not checked (scripts/setup --with-browser)")
        grounds, bad = [], []
        for scheme in ("light", "dark"):
            tab = driven.Tab(self.browser, self.server, color_scheme=scheme)
            for place in self.places(tab):
                if axe:
                    bad += [f"{scheme} {place}: {text}" for text in self.problems(tab, axe)]
                wide = tab.page.evaluate("() => document.documentElement.scrollWidth - window.innerWidth")
                self.assertLessEqual(wide, 0, f"{place}: the page is wider than the window")
            grounds.append(tab.page.evaluate("() => getComputedStyle(document.body).backgroundColor"))
            self.assertEqual(tab.complaints(), [])
            tab.close()
        self.assertNotEqual(*grounds)
        self.assertEqual(bad, [])

    def test_small_windows(self):
        tab = driven.Tab(self.browser, self.server, viewport={"width": 800, "height": 600})
        tab.open_example("sales.toml")
        self.assertTrue(tab.page.locator("#grid td[data-cell]").first.is_visible())
        tab.close()


class Sessions(Case):
    expected = ("401", "ERR_CONNECTION_REFUSED", "Failed to load resource")

    def test_the_token_leaves_the_address_and_is_needed(self):
        self.assertNotIn(self.server.token, self.page.url)
        other = self.browser.new_context()
        page = other.new_page()
        page.goto(self.server.origin + "/")
        page.wait_for_selector("[data-test=message]:visible")
        self.assertEqual(page.locator("[data-test^='example:']").count(), 0, "nothing without the token")
        other.close()

    def test_two_tabs_see_the_same(self):
        self.tab.open_example("sales.toml")
        run = self.tab.protect("suppress")
        second = driven.Tab(self.browser, self.server)
        second.click("place-open")
        second.click("document:1")
        second.click("place-protect")
        second.see(f"show:{run}")
        second.close()


class Published(Case):
    """The place for tables of others: what `lacuna infer` says, without a document of one's own."""
    expected = ("422",)

    def answer(self):
        self.page.wait_for_selector("[data-test=infer-result][data-state=done]")
        return self.page.eval_on_selector_all(
            "[data-test=infer-cell]", "rows => rows.map(r => [r.dataset.narrowness, ...[...r.children].map(c => c.textContent)])")

    def test_the_example(self):
        self.tab.click("place-open")
        self.tab.click("example:published.csv")
        self.tab.see("here-infer")
        rows = self.answer()
        self.assertEqual(len(rows), 10)
        self.assertEqual(rows[0][0], "exact")
        self.assertEqual([row[0] for row in rows], sorted((row[0] for row in rows), key=["exact", "wide"].index), "narrowest first")
        self.assertIn("2 of 10 withheld numbers can be computed exactly", self.tab.text("infer-verdict"))
        self.assertIn("Total = Agriculture + Mining", self.tab.text("infer-understood"))
        self.assertIn("no number is below 0", self.tab.text("infer-understood"))
        self.assertIn("region=All - region=North", rows[0][-1] + rows[1][-1], "the sum that tells it")
        certificate = json.loads(self.tab.download("infer-export:certificate"))
        self.assertEqual(certificate["format"], "lacuna-inference-1")
        self.assertIn(b"<html", self.tab.download("infer-export:page"))
        self.assertEqual(json.loads(self.tab.download("infer-export:json"))["exact"], 2)

    def test_options_several_files_and_a_reload(self):
        (self.folder / "one.csv").write_text("r,c,value\nAll,All,100\nAll,a,40\nAll,b,60\nN,All,30\nN,a,x\nN,b,x\nS,All,70\nS,a,c\nS,b,75\n",
                                             encoding="utf-8")
        self.tab.click("place-infer")
        self.assertTrue(self.tab.at("infer-start").is_disabled(), "there is no file yet")
        self.tab.at("infer-pick").set_input_files(
            {"name": "two.csv", "mimeType": "text/csv", "buffer": b"r,c,value\nN,All,30\nN,a,x\nN,b,18\n"})
        self.tab.see("infer-remove:0")
        self.tab.click("infer-folder")
        self.tab.click("infer-file:one.csv")
        self.tab.at("infer-option:sensitive").fill("c")
        self.tab.at("infer-option:protection").fill("10%")
        self.tab.click("infer-start")
        self.answer()
        self.assertIn("of 1 withheld number", self.tab.text("infer-verdict"))
        self.assertIn("contradict", self.tab.text("infer-contradicted"))
        self.page.reload()
        self.tab.ready()
        self.assertTrue(self.answer(), "the answer is there again")
        self.assertEqual(self.tab.at("infer-option:sensitive").input_value(), "c")

    def test_a_wrong_option_is_marked(self):
        self.tab.click("place-open")
        self.tab.click("example:published.csv")
        self.answer()
        self.tab.at("infer-option:protection").fill("150%")
        self.tab.click("infer-start")
        self.page.wait_for_selector("[data-test=infer-result][data-state=failed]")
        self.assertIn("below 100%", self.tab.text("infer-error"))
        self.assertEqual(self.tab.at("infer-option:protection").get_attribute("aria-invalid"), "true")
        self.tab.at("infer-option:protection").fill("")
        self.tab.at("infer-option:protection").press("Enter")
        self.answer()

    def test_a_sign_that_is_not_understood_marks_its_control(self):
        self.tab.click("place-infer")
        self.tab.at("infer-pick").set_input_files({"name": "odd.csv", "mimeType": "text/csv", "buffer":
            b"r,c,value\nAll,All,100\nAll,a,40\nAll,b,60\nN,All,30\nN,a,15\nN,b,15\nS,All,70\nS,a,what\nS,b,45\n"})
        self.tab.see("infer-remove:0")
        self.tab.click("infer-start")
        self.page.wait_for_selector("[data-test=infer-result][data-state=failed]")
        self.assertEqual(self.tab.see("infer-option:means").get_attribute("aria-invalid"), "true")
        self.tab.at("infer-option:means").fill("what=withheld")
        self.tab.click("infer-start")
        self.assertEqual(len(self.answer()), 1)

    def test_it_is_reached_by_its_key_without_a_table(self):
        self.page.keyboard.press("6")
        self.tab.see("here-infer")
        self.page.keyboard.press("3")
        self.tab.see("here-infer")

    def test_it_can_be_used_by_everybody(self):
        self.tab.click("place-open")
        self.tab.click("example:published.csv")
        self.answer()
        check = driven.axe_script()
        if check is None:
            self.skipTest("there is no axe-core here")
        self.page.evaluate(check)
        found = self.page.evaluate("async () => (await axe.run(document, {runOnly: ['wcag2a', 'wcag2aa']})).violations"
                                   ".map(v => v.id + ': ' + v.nodes.map(n => n.target).join(' '))")
        self.assertEqual(found, [])


class PublishedInANarrowWindow(Case):
    context = {"viewport": {"width": 390, "height": 844}}

    def test_nothing_is_wider_than_the_window(self):
        self.tab.click("place-open")
        self.tab.click("example:published.csv")
        self.page.wait_for_selector("[data-test=infer-result][data-state=done]")
        width = self.page.evaluate("() => Math.max(document.documentElement.scrollWidth, "
                                   "document.querySelector('[data-test=here-infer]').scrollWidth)")
        self.assertLessEqual(width, 390)
        box = self.tab.at("infer-verdict").bounding_box()
        self.assertLess(box["y"], 844, "the answer is in view")


class Large(Case):
    def test_a_hundred_thousand_cells(self):
        served.command(LACUNA, self.folder, "generate", "-o", "large.json", "--sizes", "400", "250",
                       "--sensitive-percent", "1")
        self.page.reload()
        self.tab.ready()
        self.tab.click("place-open")
        self.tab.click("file:large.json")
        self.assertGreaterEqual(self.tab.grid(), LARGE)
        self.page.click("#expand")
        self.page.eval_on_selector("#grid", "g => { g.scrollTop = g.scrollHeight; g.scrollLeft = g.scrollWidth; }")
        last = 401 * 251 - 1
        self.page.wait_for_selector(f"#grid td[data-cell='{last}']")
        self.assertLess(self.tab.count("#grid td"), 5000, "only what is in view is drawn")
        self.page.locator(f"#grid td[data-cell='{last}']").click()
        self.page.wait_for_selector(f"[data-test=pane-cell][data-cell='{last}']")


if __name__ == "__main__":
    shutil.rmtree(pathlib.Path(__file__).parent / "__pycache__", ignore_errors=True)
    unittest.main()
