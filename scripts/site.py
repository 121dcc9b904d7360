#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Makes the site of the pages: `make site`, the result is build/site/index.html.

  scripts/site.py --out FOLDER [--python PYTHON]   stage the pages and build the site, links checked
  scripts/site.py --stage FOLDER                   stage alone
  scripts/site.py --check FOLDER                   look at a site: pages there, no other host
  scripts/site.py --self-test                      show that the checks say no

The pages stay where they are; they are copied, and README.md, CONTRIBUTING.md and CHANGELOG.md with
them, so that the links among them lead where they lead in the tree. The menu is the headings and the
links of docs/README.md. The references of Python and R are made from docstrings and from r/man
(site_reference.py). PYTHON has what docs/site/requirements.txt lists (scripts/setup --with-site)."""

import argparse
import html.parser
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

import site_reference

TREE = pathlib.Path(__file__).resolve().parents[1]
SITE = TREE / "docs" / "site"
TOP = ["README.md", "CONTRIBUTING.md", "CHANGELOG.md"]
REFERENCES = {"docs/reference/python.md": site_reference.python_page, "docs/reference/r.md": site_reference.r_page}
LINK = re.compile(r"(!?\[(?:[^\[\]]|\[[^\]]*\])*\])\(([^)\s]+)\)")
FENCE = re.compile(r"^\s*(```|~~~)")
ITEM = re.compile(r"^(\s*)([-*]|\d+\.)\s+")
TITLE = re.compile(r"^# (.+)$", re.MULTILINE)


# ---- staging


def pages(tree):
    """The pages of the site, as paths in the tree."""
    found = [pathlib.Path(name) for name in TOP]
    found += sorted(path.relative_to(tree) for path in (tree / "docs").rglob("*.md"))
    return found


def resolved(page, target):
    return pathlib.Path(os.path.normpath(page.parent / target))


def with_links(tree, page, text, wanted):
    """The text with links that the site can follow; files that it links to go into `wanted`."""

    def one(match):
        label, link = match.groups()
        target, mark, anchor = link.partition("#")
        if not target or "://" in target or target.startswith("mailto:"):
            return match.group()
        path = resolved(page, target)
        if (tree / path).is_dir():
            if not (tree / path / "README.md").is_file():
                return label.strip("[]")
            path = path / "README.md"
        if path.suffix == ".md" and path.parts[0] != "docs" and path.as_posix() not in TOP:
            wanted.add(path)
            return f"{label}({os.path.relpath(path.with_suffix('.txt'), page.parent)})"
        if path.suffix != ".md":
            wanted.add(path)
        return f"{label}({os.path.relpath(path, page.parent)}{mark}{anchor})"

    return LINK.sub(one, text)


def as_python_markdown(text):
    """Lists as Python-Markdown wants them: a blank line before, four columns per level."""
    lines, fenced, width, before = [], False, 0, ""
    for line in text.split("\n"):
        item = ITEM.match(line)
        if FENCE.match(line):
            fenced = not fenced
        elif not fenced and item and not item[1] and before.strip() and not ITEM.match(before) and not width:
            lines.append("")
        if item and not item[1] and not fenced:
            width = len(item[0])
        elif line.strip() and not line.startswith(" "):
            width = 0
        indent = len(line) - len(line.lstrip())
        lines.append("    " * max(1, indent // max(width, 1)) + line.lstrip() if width and indent >= width else line)
        before = line
    return "\n".join(lines)


def title_of(text, path):
    found = TITLE.search(text)
    return found[1].strip() if found else path.stem


def menu(tree):
    """The menu: a heading of docs/README.md with the pages that are linked below it."""
    sections, index = [], pathlib.Path("docs/README.md")
    for block in re.split(r"^## ", (tree / index).read_text("utf-8"), flags=re.MULTILINE)[1:]:
        heading, _, body = block.partition("\n")
        entries = []
        for _, link in LINK.findall(body):
            path = resolved(index, link.partition("#")[0])
            if path.suffix == ".md" and path not in entries:
                entries.append(path)
        if pathlib.Path("docs/results/README.md") in entries:
            results = pathlib.Path("docs/results/README.md")
            text = (tree / results).read_text("utf-8")
            linked = [resolved(results, link.partition("#")[0]) for _, link in LINK.findall(text)]
            entries += [path for path in dict.fromkeys(linked) if path.suffix == ".md" and path not in entries]
        sections.append((heading.strip(), entries))
    return sections


def stage(tree, folder):
    """Copies the pages into the folder and writes mkdocs.yml beside it. Returns the path of that."""
    source = folder / "pages"
    texts, wanted = {}, set()
    for page in pages(tree):
        text = (tree / page).read_text("utf-8")
        texts[page] = as_python_markdown(with_links(tree, page, text, wanted))
    for name, make in REFERENCES.items():
        texts[pathlib.Path(name)] = make(tree)
    for page, text in texts.items():
        (source / page).parent.mkdir(parents=True, exist_ok=True)
        (source / page).write_text(text, "utf-8")
    for path in sorted(wanted):
        to = source / (path.with_suffix(".txt") if path.suffix == ".md" else path)
        to.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(tree / path, to)
    for name in ("style.css", "iframe-worker.js"):
        shutil.copyfile(SITE / name, source / name)
    nav = [{"Lacuna": ["README.md", "docs/README.md"]}]
    placed = {pathlib.Path("README.md"), pathlib.Path("docs/README.md")}
    for heading, entries in menu(tree):
        entries += [pathlib.Path(name) for name in REFERENCES] if heading == "Reference" else []
        fresh = [path for path in entries if path in texts and path not in placed]
        placed.update(fresh)
        if fresh:
            nav.append({heading: [{title_of(texts[path], path): path.as_posix()} for path in fresh]})
    config = folder / "mkdocs.yml"
    config.write_text((SITE / "mkdocs.yml").read_text("utf-8") +
                      f"docs_dir: {json.dumps(str(source))}\nnav: {json.dumps(nav)}\n", "utf-8")
    return config


# ---- looking at what was made


class Loads(html.parser.HTMLParser):
    """What a browser loads by itself for a page."""

    def __init__(self):
        super().__init__()
        self.urls = []

    def handle_starttag(self, tag, attrs):
        given = dict(attrs)
        if tag in ("script", "img", "iframe", "source", "video", "audio"):
            self.urls.append(given.get("src"))
        elif tag == "link" and given.get("rel") not in ("canonical", "next", "prev", "alternate"):
            self.urls.append(given.get("href"))


def troubles(site):
    """What is wrong with a site, as sentences."""
    if not (site / "index.html").is_file():
        yield f"{site} has no index.html"
        return
    names = [page.relative_to(site).as_posix() for page in site.rglob("*.html")]
    for wanted in ("docs/threats.html", "docs/reference/python.html", "docs/reference/r.html"):
        if wanted not in names:
            yield f"{wanted} is missing"
    for name in names:
        loads = Loads()
        loads.feed((site / name).read_text("utf-8"))
        for url in loads.urls:
            if url and re.match(r"(https?:)?//", url):
                yield f"{name} loads {url}, which is on another host"
    if not (site / "search" / "search_index.js").is_file():
        yield "the search index of pages that are opened as files is missing"
    index = site / "search" / "search_index.json"
    if not index.is_file() or len(json.loads(index.read_text("utf-8"))["docs"]) < 100:
        yield "the search index is missing or has fewer than 100 entries"
    for sheet in site.rglob("*.css"):
        for url in re.findall(r"url\(\s*['\"]?((?:https?:)?//[^'\")]+)", sheet.read_text("utf-8")):
            yield f"{sheet.name} loads {url}, which is on another host"


def build(out, python):
    with tempfile.TemporaryDirectory() as folder:
        config = stage(TREE, pathlib.Path(folder))
        command = [python, "-m", "mkdocs", "build", "--strict", "--clean", "-f", str(config),
                   "-d", str(out.resolve())]
        if subprocess.run(command, check=False, env={**os.environ, "NO_MKDOCS_2_WARNING": "1"}).returncode:
            return 1
    return check(out)


def check(site):
    found = sorted(set(troubles(site)))
    for sentence in found:
        print(f"site: {sentence}", file=sys.stderr)
    if not found:
        print(f"site: {len(list(site.rglob('*.html')))} pages; open {site / 'index.html'}")
    return 1 if found else 0


def self_test():
    """Texts and sites that must be treated in one way only."""
    failed = []
    lists = [("a\n- b\n  c\n  - d", "a\n\n- b\n    c\n    - d"), ("```\na\n- b\n```", "```\na\n- b\n```"),
             ("1. a\n   ```\n   b\n   ```", "1. a\n    ```\n    b\n    ```"), ("a\n\n    code", "a\n\n    code")]
    failed += [text for text, want in lists if as_python_markdown(text) != want]
    with tempfile.TemporaryDirectory() as folder:
        site = pathlib.Path(folder)
        if not any("no index.html" in text for text in troubles(site)):
            failed.append("a folder without a site")
        (site / "index.html").write_text('<script src="https://example.org/a.js"></script><a href="https://a.b">x</a>')
        found = list(troubles(site))
        if sum("another host" in text for text in found) != 1 or not any("is missing" in text for text in found):
            failed.append("a page that loads from another host")
        tree = site / "tree"
        (tree / "docs" / "results").mkdir(parents=True)
        (tree / "docs" / "results" / "README.md").write_text("# Results\n")
        wanted = set()
        text = with_links(tree, pathlib.Path("docs/a.md"), "[r](results/) [x](../src/a.h#L1) [o](https://a.b)", wanted)
        if text != "[r](results/README.md) [x](../src/a.h#L1) [o](https://a.b)" or wanted != {pathlib.Path("src/a.h")}:
            failed.append(text)
    failed += site_reference.self_test()
    for text in failed:
        print(f"site: not as it should be: {text}", file=sys.stderr)
    return 1 if failed else 0


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--out", type=pathlib.Path)
    parser.add_argument("--stage", type=pathlib.Path)
    parser.add_argument("--check", type=pathlib.Path)
    parser.add_argument("--python", default=sys.executable)
    parser.add_argument("--self-test", action="store_true")
    given = parser.parse_args()
    if given.self_test:
        return self_test()
    if given.stage:
        print(stage(TREE, given.stage))
        return 0
    if given.check:
        return check(given.check)
    if given.out:
        return build(given.out, given.python)
    parser.error("nothing to do")


if __name__ == "__main__":
    sys.exit(main())
