#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Opens reports in headless Chromium and looks at what is there.

  report_test.py LACUNA EXAMPLES_FOLDER [SCREENSHOT]

A probe is put behind the page's own script: it clicks, reads, and leaves what it saw as JSON in the page, which
Chromium prints. Whatever the page says to the console is a failure. Ends with 77 where there is no browser."""
import html
import json
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

SKIPPED = 77
OPEN_SECONDS = 3  # for 100,000 cells
FLAGS = ["--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--no-first-run",
         "--disable-background-networking", "--enable-logging=stderr", "--hide-scrollbars"]
failures = []


def check(condition, text):
    if not condition:
        failures.append(text)


def find_browser():
    for name in ("chromium", "chromium-browser", "google-chrome"):
        if path := shutil.which(name):
            return path
    return None


def run(lacuna, *arguments, code=0):
    done = subprocess.run([lacuna, *map(str, arguments)], capture_output=True, text=True, check=False)
    check(done.returncode == code, f"lacuna {' '.join(map(str, arguments))}: exit {done.returncode}: {done.stderr}")


def look(browser, folder, page, probe):
    """What the probe returns, run in the opened page, and the milliseconds until the page was ready."""
    probed = folder / ("probed_" + page.name)
    script = ("<script>const ready = performance.now(); const seen = (() => {" + probe + "})();"
              "const out = document.createElement('pre'); out.id = 'probe';"
              "out.textContent = JSON.stringify({ready, seen}); document.body.append(out);</script>")
    text = page.read_text(encoding="utf-8")
    check(text.count("</body>") == 1, f"{page.name}: one body expected")
    probed.write_text(text.replace("</body>", script + "</body>"), encoding="utf-8")
    done = subprocess.run([browser, *FLAGS, f"--user-data-dir={folder / 'profile'}", "--window-size=1200,900",
                           "--dump-dom", probed.as_uri()],
                          capture_output=True, text=True, check=False, timeout=120)
    console = [line for line in done.stderr.splitlines() if "CONSOLE" in line]
    check(not console, f"{page.name}: console: {console}")
    found = re.search(r'<pre id="probe">(.*?)</pre>', done.stdout, re.DOTALL)
    check(found, f"{page.name}: the probe did not run: {done.stderr[-500:]}")
    answer = json.loads(html.unescape(found.group(1))) if found else {"ready": 0, "seen": {}}
    return answer["seen"], answer["ready"]


COMMON = """
const rows = () => [...document.querySelectorAll('#grid tbody tr')].map(r => [...r.children].map(c => c.textContent));
const button = name => document.querySelector(`#grid button[aria-label="${name}"]`);
"""


def sales(browser, lacuna, examples, folder):
    run(lacuna, "protect", examples / "sales.toml", "-o", folder / "sales.json", "--certificate", folder / "proof.json")
    run(lacuna, "report", folder / "sales.json", "-o", folder / "office.html", "--certificate", folder / "proof.json")
    run(lacuna, "report", folder / "sales.json", "-o", folder / "public.html", "--public")
    seen, _ = look(browser, folder, folder / "office.html", COMMON + """
      const before = rows().length; button('collapse A').click(); const collapsed = rows().length;
      button('expand A').click(); const after = rows().length;
      document.querySelectorAll('#grid tbody tr')[3].children[3].click();
      return {before, collapsed, after, withheld: document.querySelectorAll('td.w').length,
        primary: document.querySelectorAll('td.p').length, rows: rows(), detail: document.getElementById('detail').textContent,
        list: document.querySelectorAll('#sensitive tr').length, plots: document.querySelectorAll('svg').length,
        ready: document.body.dataset.ready, text: document.body.innerText};""")
    check(seen.get("before") == 8 and seen.get("after") == 8, f"office: rows {seen.get('before')} {seen.get('after')}")
    check(seen.get("collapsed") == 5, f"office: collapsed {seen.get('collapsed')}")
    check(seen.get("withheld") == 8 and seen.get("primary") == 3, "office: 8 withheld and 3 sensitive cells expected")
    check(seen.get("list") == 4 and seen.get("plots") == 3, f"office: {seen.get('list')} lines, {seen.get('plots')} plots")
    check("true value" in seen.get("detail", "") and "can infer" in seen.get("detail", ""), f"office: {seen.get('detail')}")
    check("protected" in seen.get("text", ""), "office: the verdict is missing")
    seen, _ = look(browser, folder, folder / "public.html", COMMON + """
      document.querySelectorAll('#grid tbody tr')[3].children[3].click();
      return {rows: rows(), primary: document.querySelectorAll('td.p').length,
        withheld: document.querySelectorAll('td.w').length, text: document.body.innerText,
        detail: document.getElementById('detail').textContent, list: !!document.getElementById('sensitive')};""")
    check(seen.get("withheld") == 8 and seen.get("primary") == 0, "public: 8 withheld cells and no sensitive one expected")
    check(seen.get("rows", [[]] * 4)[3][1:] == ["87", "60", "×", "×"], f"public: {seen.get('rows')}")
    check(not seen.get("list") and "true value" not in seen.get("detail", "true value"), "public: shows too much")
    check("For the office only" not in seen.get("text", ""), "public: calls itself an office page")


def shapes(browser, lacuna, examples, folder):
    run(lacuna, "protect", examples / "sales.jj", "-o", folder / "jj.json")
    run(lacuna, "report", folder / "jj.json", "-o", folder / "jj.html")
    seen, _ = look(browser, folder, folder / "jj.html", COMMON + """
      document.querySelector('#grid tbody td').click();
      return {rows: rows().length, detail: document.getElementById('detail').textContent};""")
    check(seen.get("rows", 0) > 5 and "equation" in seen.get("detail", ""), f"jj: {seen}")
    run(lacuna, "generate", folder / "cube.json", "--kind", "flat", "--sizes", "4,5,3", "--sensitive-percent", "5")
    run(lacuna, "protect", folder / "cube.json", "--method", "interval", "-o", folder / "cube_result.json")
    run(lacuna, "report", folder / "cube_result.json", "-o", folder / "cube.html")
    seen, _ = look(browser, folder, folder / "cube.html", COMMON + """
      const first = JSON.stringify(rows()); const s = document.querySelector('#axes select[data-dimension]');
      s.selectedIndex = 1; s.dispatchEvent(new Event('change')); const second = JSON.stringify(rows());
      return {changed: first !== second, rows: rows().length};""")
    check(seen.get("changed") and seen.get("rows") == 5, f"cube: {seen}")


def large(browser, lacuna, folder):
    """100,000 cells: the primaries alone are withheld, the levels are zero, so that all is said quickly."""
    rows, columns = 400, 249
    value = [[(7 * r + 3 * c) % 1000 + 1 for c in range(columns)] for r in range(rows)]
    names = [["all"] + [f"{kind}{k}" for k in range(size)] for kind, size in (("r", rows), ("c", columns))]
    cells = []
    for r in range(-1, rows):
        for c in range(-1, columns):
            block = value if r < 0 else [value[r]]
            total = sum(sum(line) if c < 0 else line[c] for line in block)
            cells.append({"value": total, "lower": 0, "status": "primary" if r >= 0 <= c and r % 20 == c % 20 == 0 else "free",
                          "codes": [r + 1, c + 1]})
    width = columns + 1
    equations = [{"cells": [r * width + c for c in range(width)], "coefficients": [-1] + [1] * columns} for r in range(rows + 1)]
    equations += [{"cells": [r * width + c for r in range(rows + 1)], "coefficients": [-1] + [1] * rows} for c in range(width)]
    problem = {"format": "lacuna-problem-1", "cells": cells, "equations": equations,
               "dimensions": [{"name": name, "codes": codes, "relations": [{"parent": 0, "children": list(range(1, len(codes)))}]}
                              for name, codes in zip(("row", "column"), names)]}
    (folder / "large.json").write_text(json.dumps(problem))
    released = [{"cell": i, "state": "withheld"} for i, cell in enumerate(cells) if cell["status"] == "primary"]
    (folder / "large_result.json").write_text(json.dumps({"run": {"input": "large.json"}, "release": released}))
    run(lacuna, "report", folder / "large_result.json", "--verdicts-only", "-o", folder / "large.html")
    seen, ready = look(browser, folder, folder / "large.html", COMMON + """
      const start = performance.now(); document.getElementById('expand').click();
      const box = document.getElementById('grid'); box.scrollTop = 5000; box.scrollLeft = 9000;
      const shown = document.querySelectorAll('#grid td').length;
      return {cells: document.body.dataset.ready, shown, spent: performance.now() - start, height: box.scrollHeight};""")
    check(seen.get("cells") == str(len(cells)) and len(cells) >= 100_000, f"large: {seen}")
    check(0 < seen.get("shown", 0) < 3000 and seen.get("height", 0) > 10_000, f"large: {seen}")
    check(0 < ready < OPEN_SECONDS * 1000, f"large: ready after {ready} ms")
    print(f"report of {len(cells)} cells: {(folder / 'large.html').stat().st_size} bytes, ready after {ready:.0f} ms")


def main():
    lacuna, examples = sys.argv[1], pathlib.Path(sys.argv[2]).resolve()
    browser = find_browser()
    if browser is None:
        print("skipped: there is no chromium here (scripts/setup --with-browser installs it)")
        return SKIPPED
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as name:
        folder = pathlib.Path(name)
        sales(browser, lacuna, examples, folder)
        shapes(browser, lacuna, examples, folder)
        large(browser, lacuna, folder)
        if len(sys.argv) > 3:
            subprocess.run([browser, *FLAGS, f"--user-data-dir={folder / 'profile'}", "--window-size=1100,1500",
                            f"--screenshot={sys.argv[3]}", (folder / "office.html").as_uri()], capture_output=True, check=True)
    print("\n".join(failures) or "all as expected")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
