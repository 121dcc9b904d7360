# SPDX-License-Identifier: Apache-2.0
"""What the pages must not say, and what they must: no leftovers of a merge, no words that were true
once, a way to every page, a commit for every measurement. Part of check_style.py."""

import pathlib
import re

MERGE_MARKER = re.compile(r"^(<{7}|>{7}|\|{7})( |$)|^={7}$")
# Of a feature, these words are wrong from the day it is there; a limit is stated as a limit.
STALE = re.compile(
    r"\bin the making\b|\bnot there yet$|\bnot there yet[:;.]|\bnot yet (there|implemented|supported|written)\b"
    r"|\bnot implemented\b|\bcoming soon\b|\b(that are|still) to come\b|\bwork in progress\b|\bunder construction\b"
    r"|\bwill be (added|implemented|supported|written)\b|\(so far\b|\bTODO\b|\bTBD\b",
    re.IGNORECASE,
)
LINK = re.compile(r"\]\(([^)#\s]+)(?:#[^)]*)?\)")
ANCHOR = re.compile(r"\]\(([^)#\s]*)#([^)\s]+)\)")
HEADING = re.compile(r"^#{1,6} +(.+?) *#*$", re.MULTILINE)
NAMED_PLACE = re.compile(r"<a (?:id|name)=\"([^\"]+)\"")
FENCED = re.compile(r"^ *(```|~~~).*?^ *\1", re.MULTILINE | re.DOTALL)
# Beside the word, so that no number of a table passes for one.
COMMIT = re.compile(r"\bcommits?\s+`?[0-9a-f]{7,12}\b", re.IGNORECASE)
# Files that a page or the comment of a header names: by their path in the tree, or a header alone.
NAMED_FILE = re.compile(
    r"(?<!\]\()(?<![\w./{*~-])((?:src|include|docs|tests|scripts|apps|bench|python|r|web|examples|cmake|packaging)/"
    r"[\w./-]*\w\.[A-Za-z]\w*)(?![\w{*/(])"
)
NAMED_HEADER = re.compile(r"(?<![\w./<\"{*-])((?:\w+/)*\w+\.h)\b(?![\w.>\"}])")
# Names of code and the file that a page says they are in: `f` and `g` of `src/core/lp/a.h`.
NAMES_OF = re.compile(
    r"((?:`[A-Za-z_]\w*(?:::\w+)*(?:\(\))?`(?:, and |, | and | or )?)+) (?:of|in|\()\s?`((?:include|src|apps|scripts|tests"
    r"|bench|python|r|web|cmake)/[\w./-]*\w\.[A-Za-z]\w*)`"
)
COMMENT = re.compile(r"//.*|/\*.*?\*/", re.DOTALL)
MADE = {"docs/options.json"}  # written by the build
INDEXES = [pathlib.Path("docs/README.md"), pathlib.Path("docs/results/README.md")]


def is_page(file):
    return file.suffix == ".md" and (file.parts[0] == "docs" or file.as_posix() == "README.md")


def check_lines(file, lines):
    """Violations that one line shows, as (line, reason)."""
    for number, line in enumerate(lines, 1):
        if MERGE_MARKER.match(line):
            yield number, "a marker of an unresolved merge"
        if is_page(file) and STALE.search(line):
            yield number, "says that something is still to come; say what there is"


def targets_of(file, text):
    """Where the links of a page lead, as (line, path in the tree)."""
    for number, line in enumerate(text.splitlines(), 1):
        for name in LINK.findall(line):
            if "://" not in name and not name.startswith("mailto:"):
                parts = []
                for part in (file.parent / name).parts:
                    if part == "..":
                        parts = parts[:-1]
                    else:
                        parts.append(part)
                yield number, pathlib.Path(*parts)


def places_of(text):
    """The anchors of a page: its headings as GitHub makes them, and places with a name."""
    text = FENCED.sub("", text)
    places = set(NAMED_PLACE.findall(text))
    for heading in HEADING.findall(text):
        plain = re.sub(r"!?\[([^\]]*)\]\([^)]*\)", r"\1", heading)
        place = re.sub(r"[^\w\- ]", "", plain.lower()).replace(" ", "-")
        number = sum(re.fullmatch(re.escape(place) + r"(-\d+)?", other) is not None for other in places)
        places.add(f"{place}-{number}" if number else place)
    return places


def lost_anchors(file, text, texts):
    """Links to a place of a page that has no such place, as (line, reason)."""
    for number, line in enumerate(text.splitlines(), 1):
        for name, anchor in ANCHOR.findall(line):
            target = next(targets_of(file, f"]({name})"), (0, None))[1] if name else file
            if target in texts and target.suffix == ".md" and anchor not in places_of(texts[target]):
                yield number, f"a link to #{anchor} of {target}, which has no such place"


def names_files(file):
    """Whether what the file names must be there; results are of their commit."""
    return file.as_posix() == "CONTRIBUTING.md" or (is_page(file) and file.parent != INDEXES[1].parent)


def missing_files(root, file, text, headers):
    """Files that a page or the comments of a header name and that are not there, as (line, reason)."""
    comments = file.suffix == ".h"
    if not comments and not names_files(file):
        return
    for number, line in enumerate(text.splitlines(), 1):
        if comments:
            line = " ".join(COMMENT.findall(line))
        for name in NAMED_FILE.findall(line):
            if not (root / name).exists() and name not in MADE:
                yield number, f"names {name}, which does not exist"
        for name in NAMED_HEADER.findall(line) if comments else ():
            if "/" + name not in headers:
                yield number, f"names {name}, which does not exist"


def missing_names(file, text, texts):
    """Names of code that a page says are in a file and that are not, as (line, reason)."""
    for number, line in enumerate(text.splitlines(), 1):
        for names, path in NAMES_OF.findall(line):
            target = texts.get(pathlib.Path(path))
            for name in re.findall(r"`([\w:]+)", names) if target is not None else ():
                if not re.search(rf"\b{name.rpartition(':')[2]}\b", target):
                    yield number, f"says that {name} is in {path}, where it is not"


def check_tree(root, texts):
    """Violations that only the whole tree shows, as (file, line, reason). `texts`: file -> text."""
    linked = {target for index in INDEXES if index in texts for _, target in targets_of(index, texts[index])}
    headers = {f"/{'/'.join(file.parts[at:])}" for file in texts if file.suffix == ".h" for at in range(len(file.parts))}
    for file, text in texts.items():
        for line, reason in missing_files(root, file, text, headers):
            yield file, line, reason
        for line, reason in missing_names(file, text, texts) if names_files(file) else ():
            yield file, line, reason
        if not is_page(file):
            continue
        if file.parts[0] == "docs" and file != INDEXES[0] and file not in linked:
            yield file, 1, "no index links to this page; docs/README.md or docs/results/README.md must"
        if file.parent == INDEXES[1].parent and file != INDEXES[1] and not COMMIT.search(text):
            yield file, 1, "names no commit; a result says at which commit it was measured"
        for line, reason in lost_anchors(file, text, texts):
            yield file, line, reason
        for line, target in targets_of(file, text):
            if not (root / target).exists():
                yield file, line, f"a link to {target}, which does not exist"


def cases():
    """For the self-test of check_style.py: files, and the violations that must be reported."""
    begin, middle, end = "<" * 7 + " HEAD", "=" * 7, ">" * 7 + " 548f534"  # or this file reports itself
    source = "// SPDX-License-" "Identifier: Apache-2.0\n"
    index = {"docs/README.md": "[layout](architecture.md)\n"}
    layout = {**index, "docs/architecture.md": "", "src/core/lp/a.h": source}
    results = {"docs/README.md": "[all](results/README.md)\n", "docs/results/a.md": "Measured at commit 0d97546.\n"}
    return [
        ({"tests/a.txt": f"{begin}\na\n{middle}\nb\n{end}\n"}, [f"tests/a.txt:{line}" for line in (1, 3, 5)]),
        ({"tests/a.txt": f"a {begin}\n{middle}=\n1 <<< 2\n"}, []),
        ({"README.md": "It is in the making.\n"}, ["README.md:1"]),
        ({"README.md": "# What is not there yet\n"}, ["README.md:1"]),
        ({"README.md": "The run was not there yet after 187 s.\n"}, []),
        ({"CHANGELOG.md": "Said of a feature that it is in the making.\n"}, []),
        ({**index, "docs/architecture.md": "Not implemented.\n"}, ["docs/architecture.md:1"]),
        (layout, []),
        ({**index, "docs/architecture.md": "", "docs/lonely.md": ""}, ["docs/lonely.md:1"]),
        ({**results, "docs/results/README.md": "[a](a.md)\n"}, []),
        ({**results, "docs/results/README.md": ""}, ["docs/results/a.md:1"]),
        ({**results, "docs/results/README.md": "[a](a.md)\n", "docs/results/a.md": "Took 3 s, 1234567 cells.\n"},
         ["docs/results/a.md:1"]),
        ({**results, "docs/results/README.md": "[a](a.md)\n", "docs/results/a.md": "Commit\n`0d97546a1b2c`+.\n"}, []),
        ({**results, "docs/results/README.md": "[a](a.md)\n", "docs/results/a.md": "Its commit 0d97 is short.\n"},
         ["docs/results/a.md:1"]),
        ({"README.md": "[gone](docs/gone.md#top) and [there](https://example.org/a)\n"}, ["README.md:1"]),
        ({"README.md": "`src/core/lp/gone.h` and `src/core/lp/` and `docs/*.md`\n"}, ["README.md:1"]),
        ({**layout, "docs/architecture.md": "`src/core/lp/a.h`, lp/b.h\n"}, []),
        ({"CONTRIBUTING.md": "`src/core/lp/gone.h`\n"}, ["CONTRIBUTING.md:1"]),
        ({**layout, "src/core/lp/a.h": source + "int f();\nint g();\n",
          "CONTRIBUTING.md": "`f` and `lp::g` of `src/core/lp/a.h`\n`f`, `h` in `src/core/lp/a.h`\n"}, ["CONTRIBUTING.md:2"]),
        ({**layout, "src/core/lp/a.h": source + "// See b.h, and lp/a.h.\n#include <gone.h>\n"}, ["src/core/lp/a.h:2"]),
        ({**layout, "src/core/lp/a.h": source + "// See docs/gone.md.\n// See <vector.h>, a.h.\n"}, ["src/core/lp/a.h:2"]),
        ({"README.md": "[pages](docs/)\n", "docs/README.md": "[up](../README.md)\n"}, []),
        ({"README.md": "# A `b` c: d\n[here](#a-b-c-d) [gone](#a-b)\n"}, ["README.md:2"]),
        ({**index, "docs/architecture.md": "<a id=\"k15\"></a>\n## A\n## A\n",
          "README.md": "[k](docs/architecture.md#k15) [a](docs/architecture.md#a-1)\n[b](docs/architecture.md#a-2)\n"},
         ["README.md:2"]),
    ]
