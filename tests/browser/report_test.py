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
        list: document.querySelectorAll('#sensitive tbody tr').length, folded: !document.querySelector('#provenance').open,
        cut: [...document.querySelectorAll('#grid td')].filter(c => c.scrollWidth > c.clientWidth).length, cards: document.querySelectorAll('.card').length,
        tips: [...document.querySelectorAll('#cost .tip > [role=tooltip]')].filter(t => t.textContent.length > 20).length, plots: document.querySelectorAll('svg').length,
        ready: document.body.dataset.ready, text: document.body.innerText};""")
    check(seen.get("before") == 8 and seen.get("after") == 8, f"office: rows {seen.get('before')} {seen.get('after')}")
    check(seen.get("collapsed") == 5, f"office: collapsed {seen.get('collapsed')}")
    check(seen.get("withheld") == 8 and seen.get("primary") == 3, "office: 8 withheld and 3 sensitive cells expected")
    check(seen.get("cards") == 4 and seen.get("folded") and seen.get("tips", 0) >= 6, f"office: {seen}")
    check(seen.get("cut") == 0, f"office: {seen.get('cut')} numbers are cut")
    check("1,120" in str(seen.get("rows")), f"office: thousands in groups expected: {seen.get('rows')}")
    check(seen.get("list") == 3 and seen.get("plots") == 3, f"office: {seen.get('list')} lines, {seen.get('plots')} plots")
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
    check("ensitive cell" not in seen.get("text", ""), "public: tells how many cells are sensitive")
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


def linked(browser, lacuna, examples, folder):
    """The tables of a job by name; attackers folded below their cell."""
    run(lacuna, "protect", examples / "linked.toml", "-o", folder / "linked.json")
    run(lacuna, "report", folder / "linked.json", "-o", folder / "linked.html", "--unit", "euro")
    seen, _ = look(browser, folder, folder / "linked.html", COMMON + """
      const s = document.getElementById('table'), names = [...s.options].map(o => o.textContent);
      const first = rows(), corner = () => document.querySelector('#grid thead th').textContent, before = corner();
      const lines = () => document.querySelectorAll('#sensitive tbody tr').length, shut = lines();
      document.querySelector('#sensitive button.fold').click(); const opened = lines();
      document.querySelector('#sensitive button.fold').click();
      document.querySelectorAll('[data-table]')[2].click(); const third = corner();
      document.querySelector('#sensitive button.link:not(.fold)').click(); const back = corner();
      return {names, before, third, back, empty: first.flat().filter(t => t === '·').length, shut, opened, again: lines(),
        chosen: document.querySelectorAll('#grid td[aria-selected=true]').length, text: document.body.innerText};""")
    check(seen.get("names") == ["activity by region", "activity by size", "region by size"], f"linked: {seen}")
    check(seen.get("before") == "activity \\ region" and seen.get("third") == "region \\ size", f"linked: {seen}")
    check(seen.get("back") == "activity \\ region" and seen.get("chosen", 0) >= 1, f"linked: a cell of the list is shown: {seen}")
    check(seen.get("empty") == 0, f"linked: opens on a table that is there: {seen.get('empty')} cells are not")
    check(0 < seen.get("shut", 0) < seen.get("opened", 0) and seen.get("again") == seen.get("shut"), f"linked: {seen}")
    check("Numbers in euro" in seen.get("text", ""), "linked: the unit is missing")


def empty(browser, lacuna, folder):
    """A table without any sensitive cell has a page, too."""
    (folder / "plain.json").write_text(json.dumps({
        "format": "lacuna-problem-1", "cells": [{"value": v, "lower": 0} for v in (30, 10, 20)],
        "equations": [{"cells": [0, 1, 2], "coefficients": [-1, 1, 1]}]}))
    (folder / "plain_result.json").write_text(json.dumps({"run": {"input": "plain.json"}, "release": []}))
    run(lacuna, "report", folder / "plain_result.json", "-o", folder / "plain.html", code=5)
    seen, _ = look(browser, folder, folder / "plain.html", COMMON + """
      return {rows: rows().length, text: document.body.innerText};""")
    check(seen.get("rows") == 3 and "No sensitive cell" in seen.get("text", ""), f"empty: {seen}")


def large(browser, lacuna, folder):
    """100,000 cells in three linked tables: the primaries alone are withheld, so that all is said quickly."""
    sizes = {"row": 400, "column": 160, "size": 64}
    names = list(sizes)
    lines, withheld, cell = ["row;column;size;value;status"], [], 0
    for a, b in ((0, 1), (0, 2), (1, 2)):
        other = 3 - a - b
        for r in range(sizes[names[a]] + 1):
            for c in range(sizes[names[b]] + 1):
                if a + b > 1 and c == 0 or a + b == 3 and r == 0:
                    continue  # a margin that an earlier table has shown
                full = {a: r, b: c, other: 0}
                value = 1
                for d in range(3):  # every record counts 1: sums are products of sizes
                    value *= sizes[names[d]] if full[d] == 0 else 1
                secret = r > 0 and c > 0 and r % 20 == c % 20 == 1
                lines.append(";".join(f"{names[d][0]}{full[d]}" if full[d] else "Total" for d in range(3)) +
                             f";{value};{'u' if secret else 's'}")
                if secret:
                    withheld.append({"cell": cell, "state": "withheld"})
                cell += 1
    (folder / "large.csv").write_text("\n".join(lines) + "\n")
    job = '[input]\ntable = "large.csv"\nseparator = ";"\n[columns]\nvalue = "value"\nstatus = "status"\n'
    for name, size in sizes.items():
        codes = ", ".join(f'"{name[0]}{k}"' for k in range(1, size + 1))
        job += f'[[dimension]]\nname = "{name}"\ncodes = ["Total", {codes}]\n'
    for a, b in ((0, 1), (0, 2), (1, 2)):
        job += f'[[table]]\nname = "{names[a]} by {names[b]}"\ndimensions = ["{names[a]}", "{names[b]}"]\n'
    (folder / "large.toml").write_text(job)
    (folder / "large_result.json").write_text(json.dumps({"run": {"input": "large.toml"}, "release": withheld}))
    run(lacuna, "report", folder / "large_result.json", "--verdicts-only", "-o", folder / "large.html")
    seen, ready = look(browser, folder, folder / "large.html", COMMON + """
      const start = performance.now(); document.getElementById('expand').click();
      const box = document.getElementById('grid'); box.scrollTop = 5000; box.scrollLeft = 9000;
      const shown = document.querySelectorAll('#grid td').length;
      const tables = document.getElementById('table').options.length;
      return {cells: document.body.dataset.ready, shown, tables, spent: performance.now() - start, height: box.scrollHeight};""")
    check(seen.get("cells") == str(cell) and cell >= 100_000 and seen.get("tables") == 3, f"large: {seen}")
    check(0 < seen.get("shown", 0) < 3000 and seen.get("height", 0) > 10_000, f"large: {seen}")
    check(0 < ready < OPEN_SECONDS * 1000, f"large: ready after {ready} ms")
    print(f"report of {cell} cells: {(folder / 'large.html').stat().st_size} bytes, ready after {ready:.0f} ms")


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
        linked(browser, lacuna, examples, folder)
        empty(browser, lacuna, folder)
        large(browser, lacuna, folder)
        if len(sys.argv) > 3:
            subprocess.run([browser, *FLAGS, f"--user-data-dir={folder / 'profile'}", "--window-size=1100,1500",
                            f"--screenshot={sys.argv[3]}", (folder / "office.html").as_uri()], capture_output=True, check=True)
    print("\n".join(failures) or "all as expected")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
