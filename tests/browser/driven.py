# SPDX-License-Identifier: Apache-2.0
"""A browser that a test drives: Debian's Chromium by playwright (scripts/setup --with-browser).

The page's elements are found by data-test (the list is in web/app.js). Whatever the page says to the console, and
every request that does not go to the server, is remembered; a test asks for `complaints()` at its end."""
import contextlib
import functools
import importlib.util
import os
import pathlib
import shutil
import subprocess
import sys

SKIPPED = 77
TREE = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(TREE / "tests" / "serve"))
# No request is under way and no pause is waited for (web/busy.js), for three frames: what was asked for stands.
AT_REST = """limit => new Promise((done, fail) => { const end = performance.now() + 1000 * limit; let calm = 0;
  const look = () => { calm = document.body && document.body.dataset.busy === '0' ? calm + 1 : 0;
    if (calm > 2) done(true); else if (performance.now() > end) fail(new Error('the page does not come to rest'));
    else requestAnimationFrame(look); };
  look(); })"""
WAIT = int(os.environ.get("LACUNA_TEST_WAIT", "180"))  # seconds; a busy machine is no fault
FLAGS = ["--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--disable-background-networking"]


def skip(why):
    print(f"skipped: {why} (scripts/setup --with-browser installs it)")
    sys.exit(SKIPPED)


def tools_folder():
    """What scripts/setup has made: bin/python with playwright, node_modules; or None."""
    done = subprocess.run([TREE / "scripts" / "setup", "--print-browser"], capture_output=True, text=True, check=False)
    return pathlib.Path(done.stdout.strip()) if done.stdout.strip() else None


def chromium():
    for name in ("chromium", "chromium-browser", "google-chrome"):
        if path := shutil.which(name):
            return path
    return None


def need_a_browser():
    """Goes on in a Python that has playwright, or ends the test as skipped."""
    if chromium() is None:
        skip("there is no chromium here")
    if importlib.util.find_spec("playwright"):
        return
    folder = tools_folder()
    if folder is None or os.environ.get("LACUNA_DRIVEN"):
        skip("there is no playwright here")
    os.environ["LACUNA_DRIVEN"] = "1"  # once is enough
    sys.stdout.flush()
    os.execv(folder / "bin" / "python", [str(folder / "bin" / "python"), *sys.argv])


@functools.lru_cache(maxsize=None)
def axe_script():
    """axe-core, which checks accessibility; None where it could not be had."""
    folder = tools_folder()
    path = folder / "node_modules" / "axe-core" / "axe.min.js" if folder else None
    return path.read_text(encoding="utf-8") if path and path.exists() else None


@contextlib.contextmanager
def browser():
    from playwright.sync_api import sync_playwright  # pylint: disable=import-outside-toplevel
    with sync_playwright() as playwright:
        running = playwright.chromium.launch(executable_path=chromium(), args=FLAGS)
        try:
            yield running
        finally:
            running.close()


class Tab:
    """A page of the server in a context of its own."""

    def __init__(self, running, server, **context):
        self.server = server
        context = {"viewport": {"width": 1280, "height": 800}, "accept_downloads": True, **context}
        self.context = running.new_context(**context)
        self.page = self.context.new_page()
        self.page.set_default_timeout(WAIT * 1000)
        self.said, self.foreign = [], []
        self.page.on("console", lambda m: self.said.append(f"{m.type}: {m.text}") if m.type != "log" else None)
        self.page.on("pageerror", lambda e: self.said.append(f"error: {e}"))
        self.page.on("request", self._asked)
        self.page.goto(server.link)
        self.ready()

    def _asked(self, request):
        if not request.url.startswith((self.server.origin + "/", "blob:" + self.server.origin, "data:")):
            self.foreign.append(request.url)

    def ready(self):
        self.page.wait_for_selector("body[data-ready=true]")

    def rest(self, must=False):
        """Waits until nothing is under way: what is counted or read after it does not change by itself. A page that
        stays busy is said; with `must` it is a fault, and otherwise what the test looks at next decides."""
        try:
            self.page.evaluate(AT_REST, WAIT if must else min(WAIT, 30))
        except Exception as trouble:  # pylint: disable=broad-exception-caught
            if must or "come to rest" not in str(trouble):
                raise
            print("note: the page does not come to rest", flush=True)

    def complaints(self, expected=()):
        """What should not have been: console, foreign requests. `expected`: parts of lines that may be there."""
        said = [line for line in self.said if not any(part in line for part in expected)]
        return said + [f"foreign request: {url}" for url in self.foreign]

    # ---- elements by data-test

    def at(self, name):
        return self.page.locator(f'[data-test="{name}"]')

    def click(self, name):
        self.at(name).first.click()

    def text(self, name):
        self.rest()
        return self.at(name).first.inner_text()

    def count(self, css):
        """How many elements there are once the page is at rest."""
        self.rest()
        return self.page.locator(css).count()

    def shows(self, name):
        """Whether it is seen once the page is at rest."""
        self.rest()
        return self.at(name).first.is_visible()

    def see(self, name):
        self.at(name).first.wait_for(state="visible")
        return self.at(name).first

    # ---- what a person does

    def open_example(self, name):
        self.click("place-open")
        self.click("example:" + name)
        self.grid()

    def grid(self):
        """Waits for the table; how many cells it has."""
        self.page.wait_for_selector("[data-test=here-table]:visible #grid[data-cells]")
        self.rest()
        return int(self.page.get_attribute("#grid", "data-cells"))

    def rows(self):
        """What the grid shows: rows of texts, the heads first."""
        self.rest()
        return self.page.eval_on_selector_all("#grid tr", "rows => rows.map(r => [...r.children].map(c => c.textContent))")

    def choose(self, row, column):
        """Clicks the cell of these two codes."""
        rows = self.rows()
        clean = [[text.lstrip("▸▾+−-  ").strip() for text in line] for line in rows]
        column_at = clean[0].index(column)
        row_at = next(k for k, line in enumerate(clean) if line[0] == row and k > 0)
        self.page.locator("#grid tr").nth(row_at).locator("> *").nth(column_at).click()
        self.page.wait_for_selector("[data-test=pane-cell][data-cell]")

    def protect(self, method, **options):
        """Starts a run on the page and waits for its end there; the number of the run."""
        run = self.start(method, **options)
        self.page.wait_for_selector(f'[data-test="run:{run}"][data-state=done]')
        return run

    def start(self, method, **options):
        """Starts a run on the page; its number."""
        self.click("place-protect")
        self.at("method:" + method).check()
        for name, value in options.items():
            field = self.see("option:" + name.replace("_", "-"))
            if field.evaluate("e => e.tagName") == "SELECT":
                field.select_option(str(value))
            else:
                field.fill(str(value))
        return self.begin()

    def begin(self):
        """Presses what starts a run; its number."""
        known = {run["id"] for run in self.server.get("/api/runs")}
        with self.page.expect_response(lambda answer: answer.url.endswith("/runs") and answer.request.method == "POST"):
            self.click("start")
        run = max({run["id"] for run in self.server.get("/api/runs")} - known)
        self.page.wait_for_selector(f'[data-test="run:{run}"]')
        return run

    def download(self, name):
        """Clicks what saves a file; its bytes."""
        with self.page.expect_download() as saved:
            self.click(name)
        return pathlib.Path(saved.value.path()).read_bytes()

    def close(self):
        self.context.close()
