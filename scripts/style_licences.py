# SPDX-License-Identifier: Apache-2.0
"""Licences and versions, part of check_style.py: every file says its licence, in its first lines or,
where its format has no comments, by REUSE.toml (the rules of REUSE 3.3; its own tool says the same of
files that are no text); every licence that is named has its text in LICENSES/; and the version is the
one of CMakeLists.txt wherever it is written."""

import pathlib
import re
import tomllib

TAG = "SPDX-License-" "Identifier:"  # in pieces, or this file would be taken at its word
IN_COMMENT = re.compile(re.escape(TAG) + r"\s*([\w.+-]+)")
# Formats with comments: their licence is in the file.
SOURCE_SUFFIXES = {".h", ".cpp", ".c", ".py", ".sh", ".R", ".js", ".mjs", ".css", ".html", ".cmake", ".map",
                   ".cases", ".ts"}  # fmt: skip
SOURCE_NAMES = {"CMakeLists.txt", "Makefile", "pyproject.toml", "layers.txt"}
LIST = pathlib.Path("REUSE.toml")
LICENCES = pathlib.Path("LICENSES")

PROJECT = re.compile(r"^project\(lacuna VERSION (\d+\.\d+\.\d+)", re.M)
# Where the version is written again, and what of it is. CHANGELOG.md: the newest section with a date.
COPIES = {
    "r/DESCRIPTION": [(re.compile(r"^Version: (\S+)$", re.M), 3)],
    "packaging/npm/package.json": [(re.compile(r'^  "version": "([^"]+)",$', re.M), 3)],
    "CHANGELOG.md": [(re.compile(r"^## (\d\S*) \(\d{4}-\d\d-\d\d\)$", re.M), 3)],
    "examples/embed/CMakeLists.txt": [(re.compile(r"find_package\(lacuna (\S+)"), 2)],
    "examples/embed_c/CMakeLists.txt": [(re.compile(r"find_package\(lacuna (\S+)"), 2)],
    "docs/install.md": [
        (re.compile(r"`liblacuna(\d+\.\d+)`"), 2),
        (re.compile(r"find_package\(lacuna (\S+) REQUIRED\)"), 2),
        (re.compile(r"`liblacuna\.so\.(\d+\.\d+)`"), 2),
    ],
}


def is_source(file, text):
    return file.suffix in SOURCE_SUFFIXES or file.name in SOURCE_NAMES or text.startswith("#!")


def pattern_of(path):
    """A path of REUSE.toml as an expression: ** is anything, * anything but a slash."""
    words = {"**/": "(?:.*/)?", "**": ".*", "*": "[^/]*"}
    return re.compile("".join(words.get(part, re.escape(part)) for part in re.split(r"(\*\*/|\*\*|\*)", path)))


def listed_licences(text):
    """The tables of REUSE.toml as (expressions, licence or None), in their order."""
    for table in tomllib.loads(text).get("annotations", []):
        paths = table["path"] if isinstance(table["path"], list) else [table["path"]]
        yield [pattern_of(path) for path in paths], table.get(TAG.rstrip(":"))


def listed_licence(file, tables):
    licence = None
    for patterns, named in tables:
        if any(pattern.fullmatch(file.as_posix()) for pattern in patterns):
            licence = named
    return licence


def check_licences(texts):
    tables = list(listed_licences(texts[LIST]))
    used = {}
    for file, text in texts.items():
        if file.parts[0] == LICENCES.name or file.as_posix() == "LICENSE":
            continue
        found = IN_COMMENT.search("\n".join(text.splitlines()[:3]))
        licence = found.group(1) if found else listed_licence(file, tables)
        if is_source(file, text) and not found:
            yield file, 1, "the SPDX line is missing"
        elif licence is None:
            yield file, 1, "no licence: neither an SPDX line nor a path of REUSE.toml"
        else:
            used.setdefault(licence, file)
    for licence, file in used.items():
        if LICENCES / f"{licence}.txt" not in texts:
            yield file, 1, f"LICENSES/{licence}.txt is missing"
    own = pathlib.Path("LICENSE")
    if own in texts and texts[own] != texts.get(LICENCES / "Apache-2.0.txt"):
        yield own, 1, "LICENSES/Apache-2.0.txt has another text"


def check_versions(texts):
    found = PROJECT.search(texts.get(pathlib.Path("CMakeLists.txt"), ""))
    if not found:
        return
    for name, patterns in COPIES.items():
        file = pathlib.Path(name)
        if file not in texts:
            continue
        for pattern, parts in patterns:
            wanted = ".".join(found.group(1).split(".")[:parts])
            match = pattern.search(texts[file])
            if match is None:
                yield file, 1, f"the version {wanted} is not written where it was"
            elif match.group(1) != wanted:
                line = texts[file].count("\n", 0, match.start(1)) + 1
                yield file, line, f"the version is {wanted} (CMakeLists.txt), not {match.group(1)}"


def check_maintainer(texts):
    """One address, in packaging/maintainer."""
    source, copy = pathlib.Path("packaging/maintainer"), pathlib.Path("r/DESCRIPTION")
    if source not in texts or copy not in texts:
        return
    address = re.search(r"^[^#\n]*<(\S+)>$", texts[source], re.M)
    written = re.search(r'\bemail = "([^"]*)"', texts[copy])
    if not address or not written or address.group(1) != written.group(1):
        yield copy, 1, "the address is not the one of packaging/maintainer"


def check_tree(texts):
    if LIST in texts:
        yield from check_licences(texts)
    yield from check_versions(texts)
    yield from check_maintainer(texts)


def cases():
    spdx = f"# {TAG} MIT\n"
    table = f'{spdx}version = 1\n[[annotations]]\npath = "**"\n[[annotations]]\npath = ["*.csv", "d/**", "**/*.md"]\n' \
            f'{TAG.rstrip(":")} = "MIT"\n'  # fmt: skip
    given = {"REUSE.toml": table, "LICENSES/MIT.txt": "free\n"}
    project = {"CMakeLists.txt": f"{spdx}project(lacuna VERSION 1.2.3 LANGUAGES CXX)\n"}
    return [
        (given | {"a.csv": "1;2\n", "d/e/f.dat": "1\n", "b.cmake": spdx}, []),
        (given | {"a.md": "1\n", "b/c/a.md": "1\n"}, []),
        (given | {"a.dat": "1\n"}, ["a.dat:1"]),
        (given | {"e/a.csv": "1\n"}, ["e/a.csv:1"]),
        (given | {"b.cmake": "set(a b)\n"}, ["b.cmake:1"]),
        (given | {"d/b.cmake": "set(a b)\n"}, ["d/b.cmake:1"]),  # a list is no excuse for a source
        (given | {"b.cmake": f"# {TAG} BSD-3-Clause\n"}, ["b.cmake:1"]),
        (given | {"LICENSE": "free\n", "LICENSES/Apache-2.0.txt": "free\n"}, []),
        (given | {"LICENSE": "free\n", "LICENSES/Apache-2.0.txt": "not so free\n"}, ["LICENSE:1"]),
        ({"packaging/maintainer": "# who\nA B <a@b>\n", "r/DESCRIPTION": 'email = "a@b"\n'}, []),
        ({"packaging/maintainer": "# who\nA B <a@b>\n", "r/DESCRIPTION": 'email = "a@c"\n'}, ["r/DESCRIPTION:1"]),
        (project | {"r/DESCRIPTION": "Package: a\nVersion: 1.2.3\n"}, []),
        (project | {"r/DESCRIPTION": "Package: a\nVersion: 1.2.2\n"}, ["r/DESCRIPTION:2"]),
        (project | {"r/DESCRIPTION": "Package: a\n"}, ["r/DESCRIPTION:1"]),
        (project | {"CHANGELOG.md": "# Log\n\n## Unreleased\n\n## 1.2.3 (2000-01-01)\n\n## 1.2.2 (1999-01-01)\n"}, []),
        (project | {"CHANGELOG.md": "# Log\n\n## Unreleased\n\n## 1.2.2 (1999-01-01)\n"}, ["CHANGELOG.md:5"]),
        (project | {"examples/embed/CMakeLists.txt": f"{spdx}find_package(lacuna 1.1 REQUIRED)\n"},
         ["examples/embed/CMakeLists.txt:2"]),
    ]  # fmt: skip
