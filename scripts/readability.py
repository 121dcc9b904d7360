#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""How long the sentences of the pages are: words per sentence, and the share of sentences above 30 words.

  scripts/readability.py [PAGE...]              the pages of the tree (README.md, CONTRIBUTING.md, docs/*.md)
  scripts/readability.py --at COMMIT [PAGE...]  as they were at a commit
  scripts/readability.py --compare COMMIT       both, as a table in Markdown
  scripts/readability.py --longest N [PAGE...]  the N longest sentences
  scripts/readability.py --self-test            show that it counts as it says

Counted are paragraphs and items of lists. Left out are headings, tables, code, and comments. A piece of
code inside a sentence is one word, and so is a number. A sentence ends at . ! or ? before a blank and a
capital letter, a digit, code or an opening bracket, and at the end of a paragraph or an item."""

import argparse
import pathlib
import re
import subprocess
import sys

TREE = pathlib.Path(__file__).resolve().parents[1]
LONG = 30
LISTS = {"docs/bibliography.md"}  # names and titles, no sentences
FENCE = re.compile(r"^ *(```|~~~).*?^ *\1 *$", re.MULTILINE | re.DOTALL)
COMMENT = re.compile(r"<!--.*?-->", re.DOTALL)
ITEM = re.compile(r"^\s*([-*]|\d+\.)\s+")
CODE = re.compile(r"`[^`]+`")
LINK = re.compile(r"!?\[([^\]]*)\]\([^)]*\)")
TAG = re.compile(r"<[^<>\s][^<>]*>")
ABBREVIATION = re.compile(r"\b(e\.g|i\.e|etc|vs|al|cf|St|No)\.")
END = re.compile(r"(?<=[.!?])[)\"”*_]*\s+(?=[A-Z0-9(\"“*_ΑΩτ`•])")
WORD = re.compile(r"\w[\w'’.,/-]*")


def blocks(text):
    """Paragraphs and items of lists, each as one line."""
    text = COMMENT.sub("", FENCE.sub("\n\n", text))
    block, inside = [], False
    for line in [*text.splitlines(), ""]:
        item = ITEM.match(line)
        code = line.startswith("    ") and not block and not inside
        if not line.strip() or item or line.startswith(("#", "|")) or code:
            if block:
                yield " ".join(block)
            block = []
        if item:
            inside = True
            block = [line[item.end():]]
        elif line.strip() and not line.startswith(("#", "|")) and not code:
            block.append(line.strip())
            inside = inside and line.startswith(" ")


def sentences(text):
    """The sentences of a page, as lists of words."""
    for block in blocks(text):
        plain = TAG.sub("", LINK.sub(r"\1", CODE.sub("Code", block)))
        plain = ABBREVIATION.sub(lambda match: match[0].replace(".", ""), plain)
        for sentence in END.split(plain):
            words = WORD.findall(sentence)
            if words:
                yield words


def measure(text):
    """Words, sentences, sentences above LONG words."""
    found = [len(words) for words in sentences(text)]
    return sum(found), len(found), sum(count > LONG for count in found)


def pages(commit):
    """Name -> text of the pages, of the tree or of a commit."""
    if commit is None:
        files = [TREE / "README.md", TREE / "CONTRIBUTING.md", *sorted((TREE / "docs").glob("*.md"))]
        names = {file.relative_to(TREE).as_posix(): file for file in files}
        return {name: file.read_text("utf-8") for name, file in names.items() if name not in LISTS}
    git = lambda *words: subprocess.run(["git", "-C", TREE, *words], check=True, capture_output=True, text=True).stdout
    names = git("ls-tree", "--name-only", commit, "README.md", "CONTRIBUTING.md", "docs/").split()
    return {name: git("show", f"{commit}:{name}") for name in names if name.endswith(".md") and name not in LISTS}


def figures(numbers):
    words, count, long = numbers
    return f"{words / count:.1f}", f"{100 * long / count:.0f} %" if count else ("", "")


def total(all_numbers):
    return tuple(sum(part) for part in zip(*all_numbers))


def compare(commit):
    before, after = pages(commit), pages(None)
    print("| Page | Words per sentence, before | after | Above 30 words, before | after |")
    print("|---|---:|---:|---:|---:|")
    old = {name: measure(text) for name, text in before.items()}
    new = {name: measure(text) for name, text in after.items()}
    for name in sorted(set(old) | set(new)):
        left = figures(old[name]) if old.get(name, (0, 0, 0))[1] else ("", "")
        right = figures(new[name]) if new.get(name, (0, 0, 0))[1] else ("", "")
        print(f"| {name} | {left[0]} | {right[0]} | {left[1]} | {right[1]} |")
    left, right = figures(total(old.values())), figures(total(new.values()))
    print(f"| **all** | {left[0]} | {right[0]} | {left[1]} | {right[1]} |")


def self_test():
    cases = [
        ("One two three. Four five.", (5, 2, 0)),
        ("- One two\n  three.\n- Four.\n\nFive `code here` six.", (7, 3, 0)),
        ("# Head\n\n| a b | c |\n\n```\ncode. Code.\n```\n\nOne.", (1, 1, 0)),
        ("See [the page](a.md#b) e.g. this. It costs 3.5 units.", (9, 2, 0)),
        ("<!-- file a -->\n" + "word " * 31 + ".", (31, 1, 1)),
        ("word " * 30 + ".", (30, 1, 0)),
        ("Text.\n\n    x = y + z\n\nMore text.", (3, 2, 0)),
    ]
    failed = [(text, measure(text), want) for text, want in cases if measure(text) != want]
    for text, found, want in failed:
        print(f"readability: {found} where {want} is right: {text!r}", file=sys.stderr)
    return 1 if failed else 0


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("pages", nargs="*")
    parser.add_argument("--at")
    parser.add_argument("--compare")
    parser.add_argument("--longest", type=int)
    parser.add_argument("--self-test", action="store_true")
    given = parser.parse_args()
    if given.self_test:
        return self_test()
    if given.compare:
        compare(given.compare)
        return 0
    chosen = {name: text for name, text in pages(given.at).items() if not given.pages or name in given.pages}
    if given.longest:
        found = [(len(words), name, " ".join(words)) for name, text in chosen.items() for words in sentences(text)]
        for count, name, text in sorted(found, reverse=True)[:given.longest]:
            print(f"{count} {name}: {text[:300]}")
        return 0
    rows = sorted(((*figures(measure(text)), name) for name, text in chosen.items() if measure(text)[1]),
                  key=lambda row: -float(row[0]))
    for mean, share, name in rows:
        print(f"{mean:>5} {share:>6}  {name}")
    mean, share = figures(total([measure(text) for text in chosen.values()]))
    print(f"{mean:>5} {share:>6}  all")
    return 0


if __name__ == "__main__":
    sys.exit(main())
