#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Makes docs/errors.md: all codes of errors, with an example each.

  errors_page.py LACUNA [--check]

Codes, kinds and what they are for are those of the program (lacuna --errors); examples are the cases
of tests/cli/errors.cases, which the tests run, and for what the command line cannot show, the
sentences below, which tests of their own pin. --check compares with the page instead of writing it."""
import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
CASES = ROOT / "tests/cli/errors.cases"
PAGE = ROOT / "docs/errors.md"
# Code: where it comes from, a sentence, and the file of the test that pins both.
ELSEWHERE = {
    "out-of-reach": (
        "the page",
        "this file is outside the folder whose files may be read",
        "tests/unit/job/error_codes_test.cpp",
    ),
    "too-large": (
        "lacuna show",
        "the table has 3 cells, more than the 2 that are shown as text",
        "tests/unit/job/error_codes_test.cpp",
    ),
    "wrong-evidence": (
        "C++",
        "the evidence covers 0 requirements of 1",
        "tests/unit/job/error_codes_test.cpp",
    ),
    "not-protected": ("C++, Python, R", "exposed", "tests/unit/job/error_codes_test.cpp"),
    "nothing-asked": (
        "C++, Python, R",
        "not written, because nothing was asked of the release",
        "tests/unit/job/error_codes_test.cpp",
    ),
    "stopped": (
        "C++",
        "there is no complete draft to be audited",
        "tests/unit/job/error_codes_test.cpp",
    ),
    "no-memory": (
        "anywhere",
        "there is not enough memory for this run",
        "tests/unit/job/error_codes_test.cpp",
    ),
    "too-many": (
        "the page",
        "too many tables are open; close one",
        "tests/unit/serve/error_codes_test.cpp",
    ),
    "no-such-thing": (
        "the page",
        "there is nothing to undo",
        "tests/unit/serve/error_codes_test.cpp",
    ),
    "internal": ("anywhere", "a check failed", "tests/c/errors_test.cpp"),
}
KINDS = {
    "option": "Change the options. Python: `OptionError`; R: `lacuna_option_error`.",
    "input": "Change the input. Python: `InputError`; R: `lacuna_input_error`.",
    "not-additive": "Correct the sums. Python: `NotAdditiveError`; R: `lacuna_not_additive`.",
    "file": "Check the file and its permissions. Python: `FileError`; R: `lacuna_file_error`.",
    "unsupported": "Choose another way; the sentence names one where there is one. Python: `UnsupportedError`; R: `lacuna_unsupported`.",
}
OPENING = """# Errors

If Lacuna cannot do what you ask, it says so in one sentence, with the place and a remedy. The exit code
is then 1, and nothing is written. For programs, each error has a code that stays the same when its
sentence is improved. With `--json` the command line prints the sentence on standard error and an object
on standard output:

    {"error": {"code": "bad-number", "kind": "input", "message": "...", "where": "sales.csv:16:9", "path": ""}}

`where` is a place in a file (`file`, `line` and `column` are then members as well), an option, a cell
given by its codes, or an argument in Python and R. `path` is the key of the job, such as
`dimension[1].name`. The server answers with the same object. In C++ it is `Error` of `lacuna/error.h`, in
Python `error.code` and `error.path`, and in R the fields `code` and `path` of the condition.

Values, levels, bounds, contributions and respondents are marked where a sentence is made. The office
reads them at its own terminal and page. Python, R, the log of the server and anything public show "(not
shown)" instead, because notebooks and logs travel ([threats.md](threats.md)).

`lacuna --errors` lists the codes; `scripts/errors_page.py` makes this page from that list and from
`tests/cli/errors.cases`, which the tests run.

"""


def examples():
    found, name, command = {}, None, None
    for line in CASES.read_text(encoding="utf-8").splitlines():
        if line.startswith("case "):
            name = line[5:].strip()
        elif line.startswith("$ "):
            command = line[2:]
        elif match := re.match(r"\s+(?:err~? lacuna: |json message=\")(.*?)\"?$", line):
            found.setdefault(name, (command, match[1]))
    return found


def cell(text):
    return text.replace("|", "\\|")


def page(codes):
    shown = examples()
    text = OPENING
    for kind, what in KINDS.items():
        text += f"## {kind}\n\n{what}\n\n| code | when | for example |\n|---|---|---|\n"
        for code, own, when in codes:
            if own != kind:
                continue
            if code in shown:
                command, sentence = shown[code]
                example = f"`{cell(command)}`: {cell(sentence)}"
            else:
                place, sentence, _ = ELSEWHERE[code]
                example = f"{place}: {cell(sentence)}"
            text += f"| `{code}` | {cell(when)} | {example} |\n"
        text += "\n"
    return text.rstrip("\n") + "\n"


def troubles(codes):
    shown = examples()
    known = {code for code, _, _ in codes}
    for code in sorted(known - set(shown) - set(ELSEWHERE)):
        yield f"{code}: no case of tests/cli/errors.cases shows it"
    for code in sorted((set(shown) | set(ELSEWHERE)) - known):
        yield f"{code}: the program has no such code"
    for code in sorted(set(shown) & set(ELSEWHERE)):
        yield f"{code}: has a case, and stands in this script besides"
    for code, (_, sentence, file) in ELSEWHERE.items():
        text = (ROOT / file).read_text(encoding="utf-8")
        if sentence not in text or code not in text:
            yield f"{code}: {file} pins neither its name nor its sentence"


def main():
    told = subprocess.run([sys.argv[1], "--errors"], capture_output=True, text=True, check=True)
    codes = [line.split("\t") for line in told.stdout.splitlines()]
    wrong = list(troubles(codes))
    for line in wrong:
        print(line)
    if wrong:
        return 1
    made = page(codes)
    if "--check" not in sys.argv:
        PAGE.write_text(made, encoding="utf-8")
        return 0
    if PAGE.read_text(encoding="utf-8") == made:
        return 0
    print("docs/errors.md is not what scripts/errors_page.py makes: run it")
    return 1


if __name__ == "__main__":
    sys.exit(main())
