#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The page of `lacuna serve` in Debian's Firefox: a file that is not understood at once, rules, a run, the release, a
project, the tour, in two languages. Errors of the page are failures; axe-core looks at every place. Ends with 77 where
there is no Firefox.

  serve_firefox_test.py LACUNA EXAMPLES_FOLDER [unittest options]
"""
import pathlib
import sys
import tempfile
import unittest

import driven
import marionette

if marionette.firefox() is None:
    driven.skip("there is no firefox here")
import served  # noqa: E402  pylint: disable=wrong-import-position

LACUNA, EXAMPLES = sys.argv.pop(1), pathlib.Path(sys.argv.pop(1))
READY = "document.body && document.body.dataset.ready === 'true'"
WATCH = ("window.complaints = []; for (const name of ['error', 'unhandledrejection']) addEventListener(name, e => "
         "complaints.push(String(e.message || e.reason)));")
WCAG = ("const done = arguments[arguments.length - 1]; axe.run(document, { runOnly: ['wcag2a', 'wcag2aa', 'wcag21aa', "
        "'wcag22aa'] }).then(r => done(r.violations.map(v => v.id + ': ' + v.nodes[0].html.slice(0, 200))))")


class Course(unittest.TestCase):
    def setUp(self):
        place = tempfile.TemporaryDirectory()
        self.addCleanup(place.cleanup)
        self.folder = pathlib.Path(place.name)
        served.copy_examples(EXAMPLES, self.folder)
        (self.folder / "broken.csv").write_text("region;value\nAll;31\nNorth;10\nSouth;20\n", encoding="utf-8")
        self.server = served.Server(LACUNA, self.folder)
        self.addCleanup(self.server.remove)
        self.addCleanup(self.server.end)
        self.page = marionette.Firefox()
        self.addCleanup(self.page.__exit__)
        self.page.go(self.server.link)
        self.page.until(READY)
        self.page.run(WATCH)

    def tearDown(self):
        self.assertEqual(self.page.run("return window.complaints"), [])

    def audited(self, place):
        if script := driven.axe_script():
            self.page.run(script)
            self.assertEqual(self.page.run_async(WCAG), [], place)

    def test_from_a_file_to_a_release_and_a_project(self):
        page = self.page
        self.audited("open")
        page.click("file:broken.csv")
        page.choose("answer-total:region", "All")
        page.click("broken-sum:0")
        page.until("document.querySelector('tr.marked') !== null")
        page.click("fix-recompute")
        page.until("document.querySelector('[data-test=job-outcome] > p.good') !== null")
        self.audited("import")
        page.click("apply")
        page.find("[data-test=understood]")
        page.click("place-table")
        page.click_at("#grid td[data-cell='1']")
        page.click("tab-decide")
        page.choose("decide-status", "unsafe")
        page.click("decide-apply")
        page.until("document.querySelectorAll('#grid td.s-p').length === 1")
        self.audited("table")
        page.click("place-protect")
        page.click("start")
        page.find("[data-test='run:1'][data-state=done]")
        page.click("release:1")
        self.assertIn("safe to publish", page.text("verdict"))
        self.audited("release")
        page.click("place-open")
        page.type("project-name", "fox")
        page.click("project-save-as")
        page.until("document.querySelector('[data-test=project-saved]')?.innerText.length > 3")
        self.assertTrue((self.folder / "fox.lacuna").exists())

    def test_the_tour_and_another_language(self):
        page = self.page
        page.click("tour-start")
        for step in range(1, 6):
            page.until("document.querySelector('[data-test=tour]').dataset.shown === String(arguments[0])", step)
            page.click("tour-next")
        page.find("[data-test=verdict].lit")
        page.click("tour-end")
        page.choose("language", "de")
        page.until(READY + " && document.documentElement.lang === 'de'")
        page.run(WATCH)
        self.assertIn("Freigabe", page.text("place-release"))
        page.click("place-table")
        page.until("/46[.]018,8/.test(document.querySelector('#grid').innerText)")
        page.click("place-release")
        self.assertIn("Was verlangt war", page.text("card-asked"))


if __name__ == "__main__":
    unittest.main()
