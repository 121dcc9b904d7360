#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Pages that carry the verifier, in Chromium without a network: `lacuna report --verifier` and `lacuna infer --report PAGE
--verifier`. What is right is confirmed, and a page that somebody has touched is refused.

  page_test.py LACUNA EXAMPLES

Exit code 77 where there is no browser."""
import json
import pathlib
import re
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "browser"))

import driven

failures = []


def check(condition, text):
    if not condition:
        failures.append(text)


def lacuna(*words, codes=(0,)):
    done = subprocess.run([sys.argv[1], *map(str, words)], capture_output=True, text=True, check=False)
    check(done.returncode in codes, f"{words}: {done.returncode}: {done.stdout}{done.stderr}")


class Reader:
    """Opens a page from the disk; a request for anything else, and any word on the console, is a failure."""

    def __init__(self, running, folder):
        self.context, self.folder, self.number = running.new_context(offline=True), folder, 0

    def answer(self, text, files=()):
        self.number += 1
        path = self.folder / f"opened{self.number}.html"
        path.write_text(text, encoding="utf-8")
        page = self.context.new_page()
        page.set_default_timeout(120000)
        page.on("console", lambda m: failures.append(f"{path.name}: console: {m.text}"))
        page.on("pageerror", lambda e: failures.append(f"{path.name}: error: {e}"))
        page.on("request", lambda r: check(r.url.startswith(path.as_uri()), f"{path.name}: asks for {r.url}"))
        page.goto(path.as_uri())
        before = page.inner_text("#verified")
        check(before == "This browser has not checked anything yet.", before)
        if files:
            page.set_input_files("#published", [str(file) for file in files])
        page.click("#verify")
        page.wait_for_selector("body[data-verified]")
        said, word = page.inner_text("#verified"), page.get_attribute("body", "data-verified")
        check((word == "no") == said.startswith("Refused: "), said)
        page.close()
        return said


def element(text, name):
    return re.search(rf'<script id="{name}" type="application/json">(.*?)</script>', text, re.DOTALL)[1]


def touched(text, name, change):
    """The page with another certificate in it."""
    old = element(text, name)
    read = json.loads(old)
    change(read)
    return text.replace(old, json.dumps(read).replace("<", "\\u003c"))


def office(reader, folder, examples):
    for job, method, word in (("sales.toml", ["suppress"], "protected"), ("sales.toml", ["interval"], "protected"),
                              ("business.toml", ["adjust"], "protected"), ("people.toml", ["suppress"], "protected")):
        result, page = folder / "result.json", folder / "page.html"
        lacuna("protect", examples / job, "--method", *method, "--effort", "fast", "-o", result)
        lacuna("report", result, "-o", page, "--verifier", "--verdicts-only")
        text = page.read_text(encoding="utf-8")
        said = reader.answer(text)
        check(said.startswith(f"Checked in this browser: {word}. "), f"{job} {method}: {said}")
        check("The numbers of this page are those of the certificate." in said, said)
        def other_value(read):
            read["cells"][0]["value"] += 1
        check(reader.answer(touched(text, "verifier-problem", other_value)).startswith("Refused: "), f"{job}: another value")
        if method == ["adjust"]:
            continue
        def other_move(read):
            read["witnesses"][0]["moves"][0] += 1
        check(reader.answer(touched(text, "verifier-certificate", other_move)).startswith("Refused: "), f"{job}: another move")
        def no_evidence(read):
            read["findings"][0].update(low={}, high={})
        said = reader.answer(touched(text, "verifier-certificate", no_evidence))
        check(not said.startswith(f"Checked in this browser: {word}."), f"{job}: a verdict without evidence: {said}")
    def other_number(read):
        shown = read["text"].split("|")
        place = next(i for i, number in enumerate(shown) if number)
        shown[place] = str(int(shown[place]) + 1)
        read["text"] = "|".join(shown)
    said = reader.answer(touched(text, "data", other_number))
    check(said.startswith("Refused: the page shows another number"), said)


def exposed(reader, folder, examples):
    """A page that says exposed is confirmed in that."""
    pattern, page = folder / "pattern.json", folder / "page.html"
    pattern.write_text(json.dumps({"release": [{"cell": cell, "state": "withheld"} for cell in (14, 15, 27)]}))
    lacuna("report", pattern, "--input", examples / "sales.toml", "-o", page, "--verifier", codes=(2,))
    said = reader.answer(page.read_text(encoding="utf-8"))
    check(said.startswith("Checked in this browser: exposed. Requirements: 3 exposed. "), said)


def published(reader, folder, examples):
    public, page, copy = folder / "public.csv", folder / "inferred.html", folder / "copy" / "public.csv"
    lacuna("protect", examples / "sales.toml", "--public", public, codes=(0,))
    lacuna("infer", public, "--report", page, "--verifier", codes=(0, 2))
    text = page.read_text(encoding="utf-8")
    for name in ("verifier-problem", "verifier-certificate"):
        check(name + '" type' not in text, f"a public page with {name}")
    said = reader.answer(text)
    check("the proofs show all ends; the published numbers were taken from the certificate" in said, said)
    said = reader.answer(text, [public])
    check(re.search(r"the proofs show all ends; \d+ published numbers and blanks stand in the files", said), said)
    copy.parent.mkdir()
    places = [source["at"] for cell in json.loads(element(text, "verifier-inference"))["cells"] for source in cell["from"]
              if source["number"]]
    line, column = (int(number) - 1 for number in places[0].rsplit(":", 2)[1:])
    lines = public.read_text().splitlines(True)
    lines[line] = lines[line][:column] + "9" + lines[line][column:]
    copy.write_text("".join(lines))
    def narrower(read):
        read["intervals"][0]["lower"] = read["intervals"][0]["upper"]
    said = reader.answer(touched(text, "verifier-inference", narrower))
    check(not "the proofs show all ends" in said, said)
    row = re.search(r'<tr data-cell="\d+"><td>[^<]*</td><td class="number">([^<]*)<', text)
    other = text[:row.start(1)] + "7777" + text[row.end(1):]
    check(reader.answer(other).startswith("Refused: the page lists an interval"), "another interval on the page")


def main(examples):
    with tempfile.TemporaryDirectory() as name, driven.browser() as running:
        folder = pathlib.Path(name)
        reader = Reader(running, folder)
        office(reader, folder, examples)
        exposed(reader, folder, examples)
        published(reader, folder, examples)
    print("\n".join(failures) or f"{reader.number} pages checked themselves, or refused")
    return 1 if failures else 0


if __name__ == "__main__":
    driven.need_a_browser()
    sys.exit(main(pathlib.Path(sys.argv[2])))
