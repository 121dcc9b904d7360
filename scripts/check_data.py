#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Says whether every file of tests/data is the one that its SOURCES.md names, with its source and
a licence that allows it to be here.

  scripts/check_data.py               check tests/data; exit 1 if something is wrong
  scripts/check_data.py --self-test   show that the check says no where it must
"""

import hashlib
import pathlib
import re
import sys
import tempfile

DATA = pathlib.Path(__file__).resolve().parent.parent / "tests" / "data"
PAGE = "SOURCES.md"
# Licences under which files of others may be here: each asks for its text or its name, no more.
ALLOWED = ("Apache-2.0", "MIT", "BSD-2-Clause", "BSD-3-Clause", "CC0-1.0", "CC-BY-4.0", "OGL-UK-3.0", "public domain")
WITH_TEXT = ("MIT", "BSD-2-Clause", "BSD-3-Clause")  # the text must come along
MOST_BYTES = 5_000_000  # all folders together
ROW = re.compile(r"^\| `([^`]+)` \| ([0-9a-f]{64}) \|$", re.MULTILINE)
FIELD = re.compile(r"^(Source|Licence|Changed): (\S.*)$", re.MULTILINE)


def check_folder(folder):
    """What is wrong with one folder, as sentences."""
    page = folder / PAGE
    if not page.is_file():
        yield f"{folder.name}: there is no {PAGE}"
        return
    text = page.read_text(encoding="utf-8")
    fields = dict(FIELD.findall(text))
    for name in ("Source", "Licence", "Changed"):
        if name not in fields:
            yield f"{folder.name}: {PAGE} has no line '{name}: ...'"
    licence = next((name for name in ALLOWED if fields.get("Licence", "").startswith(name)), None)
    if "Licence" in fields and licence is None:
        yield f"{folder.name}: '{fields['Licence']}' begins with none of: {', '.join(ALLOWED)}"
    if licence in WITH_TEXT and not (folder / "LICENSE").is_file():
        yield f"{folder.name}: {licence} asks for its text, and there is no file LICENSE"
    rows = dict(ROW.findall(text))
    files = {path.relative_to(folder).as_posix(): path
             for path in folder.rglob("*") if path.is_file() and path != page}
    for name in sorted(rows.keys() | files.keys()):
        if name not in files:
            yield f"{folder.name}: {name} is named and is not there"
        elif name not in rows:
            yield f"{folder.name}: {name} is not named in {PAGE}"
        elif hashlib.sha256(files[name].read_bytes()).hexdigest() != rows[name]:
            yield f"{folder.name}: {name} is not the file that {PAGE} names"


def check(data):
    folders = sorted(path for path in data.iterdir() if path.is_dir())
    wrong = [] if folders else [f"{data}: there are no folders"]
    for folder in folders:
        wrong += check_folder(folder)
    size = sum(path.stat().st_size for path in data.rglob("*") if path.is_file())
    if size > MOST_BYTES:
        wrong.append(f"{size} bytes are more than {MOST_BYTES}")
    return wrong


def self_test():
    digest = hashlib.sha256(b"1\n").hexdigest()
    good = f"Source: us\n\nLicence: Apache-2.0\n\nChanged: Nothing.\n\n| `a.csv` | {digest} |\n"
    cases = [  # page, other files, what the sentence has in it; none: nothing is wrong
        (good, {"a.csv": "1\n"}, None),
        (good.replace("Apache-2.0", "MIT"), {"a.csv": "1\n"}, "asks for its text"),
        (good.replace("Apache-2.0", "MIT"), {"a.csv": "1\n", "LICENSE": ""}, "LICENSE is not named"),
        (good.replace("Apache-2.0", "GPL-3.0"), {"a.csv": "1\n"}, "begins with none of"),
        (good.replace("Source: us", ""), {"a.csv": "1\n"}, "no line 'Source"),
        (good.replace("Licence: Apache-2.0", ""), {"a.csv": "1\n"}, "no line 'Licence"),
        (good.replace("Changed: Nothing.", ""), {"a.csv": "1\n"}, "no line 'Changed"),
        (good, {"a.csv": "2\n"}, "not the file"),
        (good, {}, "is not there"),
        (good, {"a.csv": "1\n", "sub/b.csv": ""}, "sub/b.csv is not named"),
        (good, {"a.csv": "1\n", "b.csv": "0" * MOST_BYTES}, "more than"),
        (None, {"a.csv": "1\n"}, f"there is no {PAGE}"),
        (None, None, "there are no folders"),
    ]
    for page, files, wanted in cases:
        with tempfile.TemporaryDirectory() as name:
            folder = pathlib.Path(name) / "one"
            for file, text in (files or {}).items():
                (folder / file).parent.mkdir(parents=True, exist_ok=True)
                (folder / file).write_text(text)
            if files is not None:
                folder.mkdir(exist_ok=True)
            if page is not None:
                (folder / PAGE).write_text(page)
            wrong = check(pathlib.Path(name))
            if bool(wrong) != bool(wanted) or (wanted and not any(wanted in line for line in wrong)):
                print(f"self-test: wanted {wanted!r}, found {wrong}", file=sys.stderr)
                return 1
    print(f"check_data: the self-test passed ({len(cases)} cases)")
    return 0


def main():
    if sys.argv[1:] == ["--self-test"]:
        return self_test()
    if sys.argv[1:]:
        print("usage: check_data.py [--self-test]", file=sys.stderr)
        return 2
    wrong = check(DATA)
    for line in wrong:
        print(f"tests/data/{line}", file=sys.stderr)
    if not wrong:
        print(f"check_data: {sum(1 for p in DATA.rglob('*') if p.is_file())} files are as their pages say")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
