#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes the tables of docs/architecture.md that are made from src/layers.txt: what stands between
the comments `<!-- made by scripts/layers_page.py: NAME -->` and `<!-- end -->`.

  scripts/layers_page.py           write them anew
  scripts/layers_page.py --check   exit 1 if the page is not as it would be written
  scripts/layers_page.py --self-test
"""

import re
import sys

from layers import TREE, Layers, read_layers

PAGE = TREE / "docs/architecture.md"
MADE = re.compile(r"(<!-- made by scripts/layers_page\.py: (\w+) -->\n).*?(<!-- end -->\n)", re.S)


def code(words):
    return ", ".join(f"`{word}`" for word in words)


def layout(layers):
    """Folder, namespace, what it holds."""
    yield "| Folder | Namespace | Holds |"
    yield "|---|---|---|"
    floor = ""
    for row in layers.rows:
        if row.floor != floor:
            floor = row.floor
            yield f"| **{floor}** | | *{layers.floors[floor]}* |"
        namespace = "" if row.namespace is None else f"`{row.namespace}`"
        yield f"| `{row.folder}/` | {namespace} | {row.holds} |"


def limits(layers, row):
    """What a row takes away from what it includes, as the end of a sentence."""
    told = [f"never {code(row.never)}"] if row.never else []
    owners = {layers.row_of_include(header).name: [] for header in row.only}
    for header in row.only:
        owners[layers.row_of_include(header).name].append(header)
    told += [f"of `{name}` only {code(headers)}" for name, headers in owners.items()]
    return "".join(f"; {text}" for text in told)


def rule(layers):
    """What a folder may include, its public headers, the libraries of others that it knows."""
    yield "| Folder | May include | Its public headers | Libraries |"
    yield "|---|---|---|---|"
    for row in layers.rows:
        includes = code(row.includes) or "-"
        if row.public:
            includes += " and every public header of the rows above"
        headers, libraries = code(row.headers), ", ".join(row.libraries)
        yield f"| `{row.name}` | {includes}{limits(layers, row)} | {headers} | {libraries} |"


TABLES = {"layout": layout, "rule": rule}


def made(text, layers):
    """The page with its tables as the rows say."""

    def table(match):
        return match[1] + "".join(line + "\n" for line in TABLES[match[2]](layers)) + match[3]

    return MADE.sub(table, text)


def stale(text, layers):
    """Why the page is not as the rows say, with the line, or None."""
    names = [match[1] for match in MADE.findall(text)]
    if names != list(TABLES):
        return 1, f"has places for the tables {names}, not for {list(TABLES)}"
    old, new = text.splitlines(), made(text, layers).splitlines()
    for number, line in enumerate(new, 1):
        if number > len(old) or old[number - 1] != line:
            return number, f"should be as src/layers.txt says (make layers): {line}"
    return None


def self_test():
    """Each case: a change of the small page, and the line that must be reported."""
    rows = (
        "src/lp\n  holds models\n  namespace lp\nfloor data  in and out\n"
        "src/data/io\n  holds files\n  namespace io\n  includes public lp\n"
    )
    layers, mark = Layers(rows), "<!-- made by scripts/layers_page.py: {} -->\n<!-- end -->\n"
    page = made("# Page\n" + mark.format("layout") + "Text.\n" + mark.format("rule"), layers)
    cases = [
        ("", "", None),
        ("Text.", "Another text.", None),
        ("| `src/lp/` | `lp` | models |", "| `src/lp/` | `models` | models |", 5),
        ("| **data** | | *in and out* |\n", "", 6),
        ("| `src/data/io/` | `io` | files |\n", "", 7),
        ("| `lp` | - |", "| `lp` | `io` |", 13),
        ("| files |\n", "| files |\n| `src/gone/` | `gone` | nothing |\n", 8),
        (": rule", ": rules", 1),
        ("<!-- end -->", "", 1),
    ]
    found = [stale(page.replace(old, new, 1), layers) for old, new, _ in cases]
    failures = [
        f"{old!r} -> {new!r}: expected line {line}, got {told}"
        for (old, new, line), told in zip(cases, found)
        if (told and told[0]) != line
    ]
    for failure in failures:
        print(f"layers_page self-test: {failure}", file=sys.stderr)
    print(f"layers_page self-test: {len(cases) - len(failures)} of {len(cases)} cases as expected")
    return 1 if failures else 0


def main(arguments):
    if arguments == ["--self-test"]:
        return self_test()
    if arguments not in ([], ["--check"]):
        print("usage: layers_page.py [--check | --self-test]", file=sys.stderr)
        return 2
    text, layers = PAGE.read_text("utf-8"), read_layers()
    if layers.faults:
        print("layers_page: src/layers.txt is not in order; scripts/check_layers.py says why", file=sys.stderr)
        return 1
    if not arguments:
        PAGE.write_text(made(text, layers), "utf-8")
    told = stale(PAGE.read_text("utf-8"), layers)
    if told:
        print(f"docs/architecture.md:{told[0]}: {told[1]}", file=sys.stderr)
    return 1 if told else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
