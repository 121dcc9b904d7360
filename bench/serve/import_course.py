#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Files of other people, opened on the page to a release with the mouse alone: clicks and seconds for each.

What is open is answered by the first candidate that the page offers; a cell that is asked about comes from a rule
where the file says enough, else the smallest inner cell is called unsafe by hand. A choice from a list counts as two
clicks. Prints a table in Markdown. Needs what scripts/setup --with-browser brings.

  import_course.py LACUNA FOLDER [FILE...]
"""
import pathlib
import sys
import time

TREE = pathlib.Path(__file__).resolve().parents[2]
sys.path[:0] = [str(TREE / "tests" / "browser"), str(TREE / "tests" / "serve")]
import driven  # noqa: E402

driven.need_a_browser()
import served  # noqa: E402

STOP_AFTER = 6000  # milliseconds of a run, then the best so far
OTHERS = "answer-other:"  # the one before the last, and so on: the last period may have no number yet
ANSWERS = ("answer-sheet:", "answer-rows:", "answer-sign:", "answer-mark:", "answer-value:", "answer-wide", "answer-last", "fix-records",
           "fix-computed", "answer-empty:", OTHERS, "answer-part:", "fix-round", "fix-recompute", "answer-published")
LISTS = ("answer-part:", "answer-total:", "answer-only")  # the first of what they offer
TRIES = 14


class Course:
    """One file on a page of its own."""

    def __init__(self, tab, server):
        self.tab, self.page, self.server, self.clicks, self.said, self.back = tab, tab.page, server, 0, "", 0

    def click(self, name):
        self.tab.at(name).first.click()
        self.clicks += 1

    def choose(self, name, value=None, **how):
        self.tab.at(name).first.select_option(value, **how)
        self.clicks += 2

    def settle(self):
        self.tab.rest()

    def understood(self):
        """Answers what is open; whether the table stands."""
        done = set()
        for _ in range(TRIES):
            self.settle()
            self.said = (self.tab.at("job-error").first.inner_text() if self.tab.at("job-error").count()
                         else self.tab.text("job-outcome")).split("\n")[0]
            if self.tab.at("understood").count():
                return True
            if self.page.locator("[data-test=job-outcome] > p.good").count():
                self.click("apply")
                self.page.wait_for_selector("[data-test=understood]")
                continue
            names = self.page.eval_on_selector_all("[data-test=job-outcome] :is(button, select)[data-test]",
                                                   "all => all.map(b => b.dataset.test)")
            wanted = [n for a in ANSWERS for n in names if n.startswith(a) and ((n, self.said) not in done or a == OTHERS)]
            if not wanted:
                return False
            done.add((wanted[0], self.said))
            if wanted[0].startswith(OTHERS):
                self.back += 1
                self.choose(wanted[0], index=self.tab.at(wanted[0]).locator("option").count() - 1 - self.back)
            elif wanted[0].startswith(LISTS):
                self.choose(wanted[0], index=1)
            else:
                self.click(wanted[0])
            if wanted[0] == "answer-published":
                self.page.wait_for_selector("[data-test=infer-result][data-state=done]")
                self.said = "as a published table: " + self.tab.text("infer-verdict").split("\n")[0]
                return False
        return False

    def ask(self):
        """A cell that may not be disclosed, if nothing makes one sensitive."""
        document = self.server.get("/api/documents")[-1]
        if document["sensitive"]:
            return
        records = document["kind"] == "records"
        if records:
            self.choose("add-rule", "frequency")
            self.settle()
            self.click("apply")
            self.page.wait_for_selector("[data-test=understood]")
            if self.server.get("/api/documents")[-1]["sensitive"]:
                return
        self.click("place-table")
        self.tab.grid()
        cells = self.page.locator("#grid tbody tr:nth-child(n+2) td[data-cell]:nth-child(n+3)")
        (cells if cells.count() else self.page.locator("#grid td[data-cell]")).first.click()
        self.clicks += 1
        self.click("tab-decide")
        self.choose("decide-status", "unsafe")
        self.click("decide-apply")
        self.page.wait_for_function("() => document.querySelectorAll('#grid td.s-p').length > 0")

    def protect(self):
        self.click("place-protect")
        self.tab.see("method:suppress")
        run = self.tab.begin()
        self.clicks += 1
        self.page.wait_for_timeout(STOP_AFTER)
        if self.tab.at(f"stop:{run}").count():
            self.click(f"stop:{run}")
        self.page.wait_for_function(
            "run => /done|refused|failed/.test(document.querySelector(`[data-test='run:${run}']`).dataset.state)", arg=run)
        told = self.server.get(f"/api/runs/{run}")
        if told["state"] != "done":
            self.said = told["message"].split("\n")[0]
            return False
        self.click(f"release:{run}")
        self.tab.see("verdict")
        self.tab.download("export-download")
        self.clicks += 1
        self.said = told["verdict"]
        return True


def walk(running, binary, folder, name):
    server = served.Server(binary, folder)
    tab = driven.Tab(running, server, viewport={"width": 1400, "height": 900})
    course = Course(tab, server)
    begun = time.time()
    ended = "stopped"
    try:
        for part in name.split("/")[:-1]:
            course.click("file:" + part)
        course.click("file:" + name.split("/")[-1])
        tab.see("here-rules")
        if course.understood():
            ended = "understood"
            course.ask()
            ended = "released" if course.protect() else "refused"
    except Exception as error:  # pylint: disable=broad-except
        course.said = f"{type(error).__name__}: {str(error).splitlines()[0]} {course.said}"
        tab.page.screenshot(path=f"/tmp/course_{name.replace('/', '_')}.png")
    seconds = time.time() - begun
    if course.said.startswith("as a published"):
        ended = "inferred"
    print(f"| `{name}` | {ended} | {course.clicks} | {seconds:.0f} | {course.said[:160]} |", flush=True)
    tab.close()
    server.end()
    server.remove()


def main():
    binary, folder, *names = sys.argv[1:]
    here = pathlib.Path(folder)
    names = names or sorted(p.name for p in here.iterdir() if p.is_file() and p.suffix not in (".toml", ".md"))
    print("| File | Outcome | Clicks | Seconds | Last words |\n|---|---|---|---|---|")
    with driven.browser() as running:
        for name in names:
            walk(running, binary, here, name)


main()
