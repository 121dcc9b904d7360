#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Attacks on the page of `lacuna serve` in real Chromium: another server on the same machine that reads what browsers
send it, and its pages, which try to ask ours; links that were opened before; tables whose texts are script.

  serve_attacks_test.py LACUNA EXAMPLES_FOLDER [unittest options]
"""
import http.server
import json
import pathlib
import sqlite3
import sys
import tempfile
import threading
import unittest

import driven

driven.need_a_browser()
import served  # noqa: E402  pylint: disable=wrong-import-position

LACUNA, EXAMPLES = sys.argv.pop(1), pathlib.Path(sys.argv.pop(1))
EVIL = '"><img src=x onerror=alert(1)><script>alert(2)</script>'

# What a page of another port tries against ours; it says how each ended.
TRIES = """async target => {
  const ends = {};
  const note = (name, run) => run.then(x => { ends[name] = 'done ' + x; }, e => { ends[name] = 'failed'; });
  const element = (tag, set) => new Promise((done, fail) => {
    const e = Object.assign(document.createElement(tag), set);
    e.onload = () => done('loaded'); e.onerror = () => fail(new Error('no'));
    document.body.append(e);
    setTimeout(() => fail(new Error('late')), 5000);
  });
  const body = JSON.stringify({ file: 'sales.toml' });
  await Promise.all([
    note('opaque post', fetch(target + '/api/documents', { method: 'POST', mode: 'no-cors', credentials: 'include', body })
      .then(r => r.text())),
    note('post', fetch(target + '/api/documents', { method: 'POST', credentials: 'include', body,
      headers: { 'X-Lacuna': '1', Authorization: 'Bearer guess' } }).then(r => r.text())),
    note('get', fetch(target + '/api/documents', { credentials: 'include' }).then(r => r.text())),
    note('script', element('script', { src: target + '/app.js' })),
    note('image', element('img', { src: target + '/icon.svg' })),
    note('socket', new Promise((done, fail) => {
      const s = new WebSocket(target.replace('http', 'ws') + '/api/runs/1/events');
      s.onopen = () => done('open'); s.onerror = () => fail(new Error('no'));
    })),
    note('events', new Promise((done, fail) => {
      const s = new EventSource(target + '/api/runs/1/events', { withCredentials: true });
      s.onopen = () => done('open'); s.onerror = () => { s.close(); fail(new Error('no')); };
    })),
  ]);
  const frame = document.createElement('iframe');
  frame.src = target + '/';
  const shown = new Promise(done => { frame.onload = done; });
  document.body.append(frame);
  await shown;
  let inside = null;
  try { inside = frame.contentWindow.document.body.textContent; } catch { inside = null; }
  ends.frame = inside ? 'done ' + inside : 'failed';
  return ends;
}"""


class Listener:
    """Another user's server on this machine: it keeps the headers of whoever comes."""

    def __init__(self):
        heard = self.heard = []

        class Handler(http.server.BaseHTTPRequestHandler):
            def do_GET(self):  # pylint: disable=invalid-name
                heard.append({name.lower(): value for name, value in self.headers.items()})
                self.send_response(200)
                self.send_header("Content-Type", "text/html")
                self.end_headers()
                self.wfile.write(b"<!DOCTYPE html><title>another</title><body>another</body>")

            def log_message(self, *_):  # pylint: disable=arguments-differ
                pass

        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.address = f"http://127.0.0.1:{self.server.server_address[1]}/"
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def close(self):
        self.server.shutdown()
        self.server.server_close()


class Attacks(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.place = tempfile.TemporaryDirectory()
        cls.folder = pathlib.Path(cls.place.name)
        served.copy_examples(EXAMPLES, cls.folder)
        cls.held = driven.browser()
        cls.browser = cls.held.__enter__()  # pylint: disable=unnecessary-dunder-call

    @classmethod
    def tearDownClass(cls):
        cls.held.__exit__(None, None, None)
        cls.place.cleanup()

    def setUp(self):
        self.server = served.Server(LACUNA, self.folder)
        self.addCleanup(self.server.remove)
        self.addCleanup(self.server.end)
        self.tab = driven.Tab(self.browser, self.server)
        self.addCleanup(self.tab.close)
        self.other = Listener()
        self.addCleanup(self.other.close)

    def test_another_port_hears_no_secret(self):
        """Cookies would go there. In the same tab, too, where the storage of a window stays."""
        self.tab.open_example("sales.toml")
        second = self.tab.context.new_page()
        second.goto(self.other.address)
        self.tab.page.goto(self.other.address)
        self.assertGreaterEqual(len(self.other.heard), 2)
        for headers in self.other.heard:
            self.assertNotIn("cookie", headers)
            self.assertNotIn("authorization", headers)
            self.assertNotIn(self.server.token, json.dumps(headers))
        self.assertEqual(self.tab.context.cookies(), [])
        kept = self.tab.page.evaluate("() => JSON.stringify([{...localStorage}, {...sessionStorage}])")
        self.assertEqual(json.loads(kept), [{}, {}], "the storage of the page is not that of another port")

    def test_pages_of_another_port_cannot_ask(self):
        before = len(self.server.get("/api/documents"))
        page = self.tab.context.new_page()
        page.goto(self.other.address)
        ends = page.evaluate(TRIES, self.server.origin)
        self.assertEqual({name: end for name, end in ends.items() if end != "failed" and end != "done "}, {})
        self.assertTrue(ends["opaque post"] in ("failed", "done "), "an answer that cannot be read says nothing")
        self.assertEqual(len(self.server.get("/api/documents")), before, "nothing was opened")

    def test_a_link_opens_one_window(self):
        link = self.server.link
        first = self.browser.new_context().new_page()
        first.goto(link)
        first.wait_for_selector("body[data-ready=true]")
        self.assertNotIn(link.split("#")[1], first.url)
        second = self.browser.new_context().new_page()
        second.goto(link)
        second.wait_for_selector("[data-test=message]:visible")
        self.assertIn("Enter", second.inner_text("[data-test=message]"))
        self.assertEqual(second.locator("[data-test^='example:']").count(), 0, "nothing without the session")
        first.reload()
        first.wait_for_selector("body[data-ready=true]")
        first.goto(link)  # again, where the session is: as a reload
        first.reload()
        first.wait_for_selector("body[data-ready=true]")
        for page in (first, second):
            page.context.close()

    def test_new_window(self):
        with self.tab.context.expect_page() as opened:
            self.tab.click("new-window")
        page = opened.value
        page.wait_for_selector("body[data-ready=true]")
        self.assertNotIn("#", page.url.replace("#/", ""))

    def test_what_the_history_holds_is_spent(self):
        """Chromium keeps the address with its fragment; the token in it opens nothing."""
        with tempfile.TemporaryDirectory() as profile:
            context = self.browser.browser_type.launch_persistent_context(
                profile, executable_path=driven.chromium(), args=driven.FLAGS)
            page = context.new_page()
            page.goto(self.server.link)
            page.wait_for_selector("body[data-ready=true]")
            context.close()
            history = pathlib.Path(profile) / "Default" / "History"
            self.assertTrue(history.exists(), "this browser keeps no history")
            with sqlite3.connect(history) as base:
                addresses = [row[0] for row in base.execute("SELECT url FROM urls")]
        tokens = [address.split("#")[1] for address in addresses
                  if address.startswith(self.server.origin) and len(address.split("#")[-1]) == 64]
        self.assertTrue(tokens, addresses)  # else nothing was tried
        for token in tokens:
            answer = self.server.request("POST", "/api/session", {"token": token}, token=None)
            self.assertEqual(answer.status, 401)
            self.assertEqual(self.server.request("GET", "/api/about", token=token).status, 401)

    def test_texts_of_tables_are_never_markup(self):
        """Codes, names of columns and of the file, errors: on the page and in both reports."""
        quoted = EVIL.replace('"', '""')
        name = "a<img src=x onerror=alert(3)>.csv"
        (self.folder / name).write_text(
            f'"{quoted}r";value;status\nAll;30;s\n"{quoted}";10;u\n<b>b</b>;20;s\n', encoding="utf-8")
        (self.folder / "broken<b>x.csv").write_text(f'"{quoted}";value\nAll;3\n"{quoted}";x\n', encoding="utf-8")
        dialogs = []
        self.tab.page.on("dialog", lambda d: (dialogs.append(d.message), d.dismiss()))
        self.tab.page.reload()
        self.tab.ready()
        for file in (name, "broken<b>x.csv"):
            self.tab.click("place-open")
            self.tab.page.get_by_text(file, exact=True).first.click()
            self.tab.see("here-rules")
        document = self.server.open(name)["id"]
        run = self.server.protect(document)
        self.assertEqual(run["state"], "done", run)
        for what in ("report", "public-report"):
            page = self.browser.new_context().new_page()
            page.on("dialog", lambda d: (dialogs.append(d.message), d.dismiss()))
            page.set_content(self.server.export(run["id"], what, "html").decode("utf-8"))
            page.wait_for_timeout(300)
            self.assertEqual(page.locator("img[src=x]").count(), 0, what)
            page.context.close()
        self.assertEqual(self.tab.page.locator("img[src=x]").count(), 0)
        self.assertEqual(dialogs, [])
        self.assertFalse([line for line in self.tab.said if "Content Security Policy" in line], self.tab.said)


if __name__ == "__main__":
    unittest.main()
