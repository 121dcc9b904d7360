#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The page of `lacuna serve` without a mouse and without eyes: every control of every place is reached by Tab, shows
that it has the focus, and has a name in the accessibility tree; what was built to be dragged is done by keys.

Ends with 77 where there is no browser.

  serve_everybody_test.py LACUNA EXAMPLES_FOLDER [unittest options]
"""
import pathlib
import sys
import tempfile
import unittest

import driven

driven.need_a_browser()
import served  # noqa: E402  pylint: disable=wrong-import-position

LACUNA, EXAMPLES = sys.argv.pop(1), pathlib.Path(sys.argv.pop(1))
PLACES = ("open", "rules", "table", "protect", "release", "infer", "check")
# What can be used and is seen; of a group of radio buttons the one that Tab reaches; not what a list or grid of its own leads to.
CONTROLS = """() => { const all = [...document.querySelectorAll('button, input, select, textarea, summary, a[href], [tabindex]')]
  .filter(e => !e.disabled && e.tabIndex >= 0 && e.checkVisibility({ visibilityProperty: true }) && !e.closest('[hidden], dialog:not([open])'));
  const radios = new Set();
  const stops = all.filter(e => { if (e.type !== 'radio') return true;
    const group = [...document.querySelectorAll(`input[type=radio][name="${e.name}"]`)], stop = group.find(r => r.checked) || group[0];
    if (radios.has(e.name) || e !== stop) return false; radios.add(e.name); return true; });
  window.stops = stops;
  return stops.map(e => e.dataset.test || e.outerHTML.slice(0, 120)); }"""
NOW = """() => { const e = document.activeElement, style = getComputedStyle(e);
  const shown = el => { const s = getComputedStyle(el); return s.outlineStyle !== 'none' && parseFloat(s.outlineWidth) > 0 || s.boxShadow !== 'none'; };
  return [window.stops.indexOf(e), shown(e) || (e.parentElement && shown(e.parentElement)), e.outerHTML.slice(0, 120)]; }"""
NAMED = {"button", "link", "textbox", "combobox", "checkbox", "radio", "tab", "listbox", "grid", "tree", "treeitem", "searchbox",
         "region", "dialog", "splitter", "option", "menuitem", "switch", "spinbutton", "slider", "radiogroup", "navigation"}


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
        served.copy_examples(EXAMPLES, self.folder)
        (self.folder / "broken.csv").write_text("region;value\nAll;31\nNorth;10\nSouth;20\n", encoding="utf-8")
        self.server = served.Server(LACUNA, self.folder)
        self.addCleanup(self.server.remove)
        self.addCleanup(self.server.end)
        self.tab = driven.Tab(self.browser, self.server)
        self.addCleanup(self.tab.close)
        self.page = self.tab.page

    def tearDown(self):
        self.assertEqual(self.tab.complaints(self.expected), [])

    def press(self, *keys):
        for key in keys:
            self.page.keyboard.press(key)

    def focus(self):
        return self.page.evaluate("() => document.activeElement.dataset.test || ''")

    def reach(self, name, key="Tab"):
        """Tab until the element has the focus."""
        for _ in range(300):
            if self.focus() == name:
                return
            self.press(key)
        self.fail(f"{name} cannot be reached by the keyboard")

    # ---- two courses through a place

    def walked(self, place):
        """Every control is a stop of Tab, and shows it."""
        self.tab.rest(must=True)
        names = self.page.evaluate(CONTROLS)
        self.page.evaluate("() => { document.body.tabIndex = -1; document.body.focus(); }")
        left, unseen = set(range(len(names))), []
        for _ in range(len(names) + 12):
            self.press("Tab")
            at, shown, what = self.page.evaluate(NOW)
            left.discard(at)
            if not shown and at >= 0:
                unseen.append(what)
            if not left:
                break
        self.assertEqual([names[k] for k in sorted(left)], [], f"{place}: not reached by Tab")
        self.assertEqual(unseen, [], f"{place}: the focus cannot be seen")

    def heard(self, place):
        """Everything that is told as a control has a name, of words."""
        self.tab.rest(must=True)
        session = self.tab.context.new_cdp_session(self.page)
        nodes = session.send("Accessibility.getFullAXTree")["nodes"]
        nameless = []
        for node in nodes:
            role = node.get("role", {}).get("value", "")
            name = node.get("name", {}).get("value", "").strip()
            if node.get("ignored") or role not in NAMED:
                continue
            if not any(letter.isalnum() for letter in name):
                about = session.send("DOM.describeNode", {"backendNodeId": node["backendDOMNodeId"]})["node"]
                nameless.append((role, name, about["localName"], about.get("attributes", [])[:8]))
        session.detach()
        self.assertEqual(nameless, [], place)
        self.assertGreater(len(nodes), 20, place)

    def both(self, place):
        self.walked(place)
        self.heard(place)


class Places(Case):
    def test_every_place_with_a_table_and_a_run(self):
        self.tab.open_example("sales.toml")
        self.tab.choose("B2", "South")
        run = self.tab.protect("suppress")
        other = self.tab.protect("round", base=10)
        self.tab.at(f"compare:{run}").check()
        self.tab.at(f"compare:{other}").check()
        self.tab.click(f"show:{run}")
        for place in PLACES:
            self.tab.click("place-" + place)
            self.tab.see("here-" + place)
            self.both(place)

    def test_the_parts_that_open(self):
        self.tab.open_example("sales.toml")
        self.tab.at("look-tools").locator("summary").click()
        self.tab.choose("B2", "South")
        self.tab.click("tab-decide")
        self.both("view and decide")
        self.tab.click("show-history")
        self.heard("history")
        self.press("Escape")
        self.tab.click("place-rules")
        self.tab.rest(must=True)
        for part in ("derived", "before"):
            self.tab.at("section:" + part).locator("summary").first.click()
            self.tab.click("part-add:" + part)
            self.tab.rest(must=True)
        self.both("rules with lists")
        self.tab.click("place-open")
        self.tab.click("file:broken.csv")
        self.tab.see("here-rules")
        self.both("import")
        self.tab.at("answer-total:region").select_option("All")
        self.tab.rest(must=True)
        self.tab.click("hand-tree:region")
        self.both("tree")
        self.tab.click("place-open")
        self.tab.click("tour-start")
        self.page.wait_for_selector("[data-test=tour][data-shown='1']")
        self.both("tour")

    def test_a_published_table(self):
        self.tab.click("place-open")
        self.tab.click("example:published.csv")
        self.page.wait_for_selector("[data-test=infer-result][data-state=done]")
        self.both("published")


class ByKeys(Case):
    """What the mouse drags or points at."""

    def test_the_tour(self):
        self.reach("tour-start")
        self.press("Enter")
        for step in range(1, 6):
            self.page.wait_for_selector(f"[data-test=tour][data-shown='{step}']")
            self.reach("tour-next")
            self.press("Enter")
        self.page.wait_for_selector("[data-test=tour][data-shown='6']")
        self.press("Escape")
        self.assertFalse(self.tab.shows("tour"))

    def test_widths_of_panes_and_what_stands_on_the_axes(self):
        self.tab.open_example("business.toml")
        self.reach("edge-listWidth")
        before = self.tab.at("edge-listWidth").get_attribute("aria-valuenow")
        self.press("ArrowRight", "ArrowRight")
        self.assertNotEqual(self.tab.at("edge-listWidth").get_attribute("aria-valuenow"), before)
        rows = self.page.locator("#rows").input_value()
        self.page.locator("#columns").focus()
        self.page.locator("#columns").press_sequentially(self.page.locator("#rows option:checked").inner_text()[:3])
        self.tab.rest(must=True)
        self.assertNotEqual(self.page.locator("#rows").input_value(), rows, "a pivot without dragging")

    def test_a_file_its_question_and_its_tree(self):
        self.reach("file:broken.csv")
        self.press("Enter")
        self.tab.see("here-rules")
        self.tab.rest(must=True)
        self.reach("answer-total:region")
        self.page.keyboard.type("All")
        self.press("Enter")
        self.tab.rest(must=True)
        self.reach("broken-sum:0")
        self.press("Enter")
        self.page.wait_for_selector("tr.marked")
        self.reach("hand-tree:region", "Shift+Tab")
        self.press("Enter")
        self.reach("tree-code:All")
        self.press("ArrowDown", "ArrowDown", "Alt+ArrowRight")
        self.assertEqual(self.tab.at("tree-code:South").get_attribute("aria-level"), "3")
        self.press("Alt+ArrowLeft")
        self.reach("tree-done:region")
        self.press("Enter")
        self.tab.rest(must=True)
        self.reach("fix-recompute")
        self.press("Enter")
        self.page.wait_for_selector("[data-test=job-outcome] > p.good")
        self.tab.rest(must=True)
        self.reach("apply")
        self.press("Enter")
        self.page.wait_for_selector("[data-test=understood]")

    def test_a_derived_column_and_a_comparison(self):
        self.tab.open_example("sales.toml")
        self.press("Alt+2")
        self.tab.see("rule:0") if self.tab.count("[data-test='rule:0']") else self.tab.see("add-rule")
        self.page.locator("[data-test='section:derived'] > summary").focus()
        self.press("Enter")
        self.reach("part-add:derived")
        self.press("Enter")
        self.tab.see("part:derived.0")
        self.tab.rest(must=True)
        self.reach("field:derived[0].decimals")
        self.page.keyboard.type("2")
        self.press("Tab")
        self.tab.rest(must=True)
        self.reach("apply")
        self.press("Enter")
        self.page.wait_for_selector("[data-test=understood]")
        spec = self.server.get("/api/documents")[-1]["job"]["spec"]
        self.assertEqual(spec["derived"], [{"name": "pct", "type": "percentage", "decimals": 2}])

    def test_a_project_and_its_history(self):
        self.tab.open_example("sales.toml")
        self.press("Alt+1")
        self.reach("project-name")
        self.page.keyboard.type("keys")
        self.reach("project-save-as")
        self.press("Enter")
        self.page.wait_for_selector("[data-test=project-saved]:not(:empty)")
        self.assertTrue((self.folder / "keys.lacuna").exists())
        self.reach("close:1")
        self.press("Enter")
        self.tab.rest(must=True)
        if self.tab.shows("closing"):
            self.reach("closing-yes")
            self.press("Enter")
        self.page.wait_for_selector('[data-test="document:1"]', state="detached")
        self.page.evaluate("() => document.activeElement.blur()")
        self.press("Control+z")
        self.page.wait_for_selector('[data-test="document:1"]')
        self.reach("show-history")
        self.press("Enter")
        self.tab.see("history-dialog")
        self.press("Escape")
        self.assertFalse(self.tab.shows("history-dialog"))


if __name__ == "__main__":
    unittest.main()
