#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The house rules that a line of text can break, where no compiler or clang-tidy check sees it:
tolerance literals, missing licence lines, output or exit from the library, long and long double,
files that are too long, paths of one machine, long functions (style_functions.py), classes with too
many members (style_members.py), namespaces (style_namespaces.py), JSON glued from strings
(style_json.py), files without a licence and versions that differ (style_licences.py), public headers
without the mark of what is visible or with GMP in them, pages that are not true (style_pages.py).
CONTRIBUTING.md gives the reasons.

  scripts/check_style.py               check the tree; exit 1 if there is a violation
  scripts/check_style.py --self-test   show that the check says no where it must
"""

import os
import pathlib
import re
import sys
import tempfile

import style_functions
import style_json
import style_licences
import style_members
import style_namespaces
import style_pages

MAX_LINES = 1200
MADE = re.compile(r"^# Made by \S+ from .*; do not edit\.$", re.MULTILINE)  # by a program, as long as need be
MAX_COLUMNS = 100  # of the packages for Python and R, which no formatter checks
MAX_BYTES = 1_000_000  # larger files are data, not text that someone wrote
CPP = {".h", ".cpp"}
SCRIPT = {".py", ".sh", ".R"}

TOLERANCE = re.compile(r"(?<![\w.])(\d+\.?\d*|\.\d+)[eE]-\d+")
LONG_DOUBLE = re.compile(r"\blong\s+double\b")
# A long has 32 bits on Windows and in browsers, and so have these doors of GMP.
LONG = re.compile(r"\blong\b|\b(get_[su]i|fits_[su]long_p|mp[zq]_(\w+_)?[su]i)\b")
NO_LONG = {"include", "src", "apps", "c", "python", "r"}
OUTPUT = re.compile(
    r"\bstd::(cout|cerr|clog|print|println)\b|\bfmt::print\b"
    r"|(?<![\w.>])(std::|::)?(exit|_Exit|quick_exit|abort|terminate|v?f?printf|puts|putchar)\s*\("
)
MACHINE_PATH = re.compile(r"(?<![\w.~}])/(home|root|work|Users)/\w")
GMP = re.compile(r"gmp|\bmp[zq]_")
UNMARKED = re.compile(r"^namespace\s+lacuna\s*\{")
OPTIONS_STRUCT = re.compile(r"^\s*struct\s+\w*(Options|Tuning)\b[^;]*\{")


def without_comments_and_strings(text):
    """The same lines with comments, strings and character literals blanked out."""
    pattern = re.compile(
        r'//[^\n]*|/\*.*?\*/|R"(\w*)\(.*?\)\1"|"(?:\\.|[^"\\\n])*"|(?<!\w)\'(?:\\.|[^\'\\\n])+\'',
        re.DOTALL,
    )
    return pattern.sub(lambda match: re.sub(r"[^\n]", " ", match.group()), text)


def options_lines(lines):
    """The indices of the lines inside a struct whose name ends in Options or Tuning."""
    inside, depth = set(), 0
    for index, line in enumerate(lines):
        if depth == 0 and not OPTIONS_STRUCT.match(line):
            continue
        inside.add(index)
        depth += line.count("{") - line.count("}")
    return inside


def check_code(file, text, public):
    """Rules for C++ files of include/, src/, apps/, bench/, python/, r/ and tests/."""
    lines = without_comments_and_strings(text).splitlines()
    if style_namespaces.has_namespace(file):
        yield from style_namespaces.check_namespaces(file, lines, public)
    yield from style_functions.check_functions(file, lines)
    yield from style_members.check_members(file, lines)
    yield from style_json.check_json(file, text)
    if file.parts[:2] == ("include", "lacuna"):
        for index, line in enumerate(lines):
            if UNMARKED.match(line):
                yield index + 1, "a public header opens namespace LACUNA_API lacuna (include/lacuna/export.h)"
            if GMP.search(line):
                yield index + 1, "users need no header of GMP: Integer and Fraction (include/lacuna/integer.h)"
    top = file.parts[0]
    tolerances_allowed = (
        top == "tests" or file.as_posix() == "include/lacuna/tolerance.h" or file.name.endswith("options.h")
    )
    exempt = options_lines(lines)
    for index, line in enumerate(lines):
        if not tolerances_allowed and index not in exempt and TOLERANCE.search(line):
            yield index + 1, "a tolerance literal; name it in include/lacuna/tolerance.h"
        if (top in ("include", "src", "c") or file.parts[:2] == ("bench", "sets")) and OUTPUT.search(line):
            yield index + 1, "the library neither prints nor ends the program"
        if LONG_DOUBLE.search(line):
            yield index + 1, "long double differs between machines"
        elif top in NO_LONG and LONG.search(line.replace("long long", "")):
            yield index + 1, "long has 32 bits on some machines; to_integer and to_units (src/core/base/rational.h)"


def check_file(file, text, public):
    """All violations in one file, as (line, reason). `public`: the words of the public headers."""
    lines = text.splitlines()
    is_script = file.suffix in SCRIPT or text.startswith("#!")
    if (file.suffix in CPP or is_script) and not any(style_licences.TAG in l for l in lines[:3]):
        yield 1, "the SPDX line is missing"
    is_made = any(MADE.search(line) for line in lines[:3])
    if (file.suffix in CPP or is_script) and len(lines) > MAX_LINES and not is_made:
        yield MAX_LINES + 1, f"{len(lines)} lines; split the file ({MAX_LINES} at most)"
    for number, line in enumerate(lines, 1):
        if MACHINE_PATH.search(line):
            yield number, "a path of one machine"
        if (file.parts[0], file.suffix) in (("python", ".py"), ("r", ".R")) and len(line) > MAX_COLUMNS:
            yield number, f"{len(line)} columns; break the line ({MAX_COLUMNS} at most)"
    yield from style_pages.check_lines(file, lines)
    if file.suffix in CPP:
        yield from check_code(file, text, public)


def text_files(root):
    """The files of the tree that someone wrote, with their text."""
    for folder, folders, names in os.walk(root):
        skip = {".git", ".cache", "__pycache__"}
        top = pathlib.Path(folder) == root
        folders[:] = sorted(
            f for f in folders if f not in skip and not (top and (f == "build" or f.startswith("build-")))
        )
        for name in sorted(names):
            path = pathlib.Path(folder) / name
            if name in skip or path.is_symlink() or path.stat().st_size > MAX_BYTES:
                continue
            try:
                yield path.relative_to(root), path.read_text("utf-8")
            except UnicodeDecodeError:
                continue  # data


def check(root):
    texts = dict(text_files(root))
    headers = [text for file, text in texts.items() if file.parts[:2] == ("include", "lacuna")]
    public = style_namespaces.public_words(without_comments_and_strings(text) for text in headers)
    found = [(file, *violation) for file, text in texts.items() for violation in check_file(file, text, public)]
    found += style_pages.check_tree(root, texts)
    found += style_licences.check_tree(texts)
    return [f"{file}:{line}: {reason}" for file, line, reason in sorted(set(found))], len(texts)


def line_cases():
    """Each case: a file, its text, and the lines that must be reported."""
    spdx = "// SPDX-License-" "Identifier: Apache-2.0\n"
    home = "/" + "home" + "/someone/data.csv"  # in pieces, or this file would report itself
    return [
        ("src/core/lp/a.cpp", spdx + "const double eps = 1e-9;\n", [2]),
        ("src/core/lp/a.cpp", spdx + "const double eps = 2.5E-12;\n", [2]),
        ("include/lacuna/a.h", spdx + "#include <gmpxx.h>\nmpz_class a;\n", [2, 3]),
        ("src/core/lp/a.h", spdx + "#include <gmpxx.h>\n", []),
        ("src/core/lp/a.cpp", spdx + "const double big = 1e9;  // not 1e-9\n", []),
        ("src/core/lp/a.cpp", spdx + 'const char* text = "1e-9";\n', []),
        ("src/core/lp/a.cpp", spdx + "/* 1e-9\n1e-9 */ double d = 1e-9;\n", [3]),
        ("src/core/lp/a.cpp", spdx + "int n = 1'000; double d = 1e-9; int m = 2'000;\n", [2]),
        ("include/lacuna/tolerance.h", spdx + "const double eps = 1e-9;\n", []),
        ("include/lacuna/lp.h", spdx + "struct LpOptions {\n  double f = 1e-9;\n};\nauto x = 1e-9;\n", [5]),
        ("include/lacuna/lp.h", spdx + "namespace lacuna {\n}\n", [2]),
        ("include/lacuna/lp.h", spdx + "namespace LACUNA_API lacuna {\n}\n", []),
        ("include/lacuna/lp.h", spdx + "struct LpTuning {\n  double f = 1e-9;\n};\nauto x = 1e-9;\n", [5]),
        ("src/protect/suppress/suppress_options.h", spdx + "double gap = 1e-4;\n", []),
        ("tests/unit/lp/a_test.cpp", spdx + "EXPECT_NEAR(x, 1, 1e-9);\n", []),
        ("apps/cli/main.cpp", spdx + "const double eps = 1e-9;\n", [2]),
        ("src/core/lp/a.cpp", "int a;\n", [1]),
        ("scripts/tool", "#!/usr/bin/env bash\n", [1]),
        ("scripts/tool", "#!/usr/bin/env bash\n# SPDX-License-" "Identifier: Apache-2.0\n", []),
        ("src/data/files/a.cpp", spdx + 'void f() { std::cout << "x"; }\n', [2]),
        ("src/data/files/a.cpp", spdx + "void f() { std::exit(1); }\n", [2]),
        ("src/data/files/a.cpp", spdx + "void f() { abort(); }\n", [2]),
        ("src/data/files/a.cpp", spdx + 'void f() { printf("x"); fprintf(stderr, "x"); }\n', [2]),
        ("src/data/files/a.cpp", spdx + "void f() { loop.exit(1); }  // exit(1)\n", []),
        ("apps/cli/main.cpp", spdx + "void f() { std::cout << 1; }\n", []),
        ("tests/unit/a_test.cpp", spdx + "long double x;\n", [2]),
        ("apps/cli/main.cpp", spdx + "mpz_class a(static_cast<long>(units));\n", [2]),
        ("apps/cli/main.cpp", spdx + "return static_cast<unsigned long>(units);\n", [2]),
        ("apps/cli/main.cpp", spdx + "return a.get_si();\n", [2]),
        ("apps/cli/main.cpp", spdx + "return b.get_ui();\n", [2]),
        ("apps/cli/main.cpp", spdx + "return a.fits_slong_p();\n", [2]),
        ("apps/cli/main.cpp", spdx + "mpz_set_si(a.get_mpz_t(), 1);\n", [2]),
        ("apps/cli/main.cpp", spdx + "mpz_pow_ui(a, a, 2);\n", [2]),
        ("apps/cli/main.cpp", spdx + "long long a; unsigned long long b; // long\nint get_size; /* get_si */\n", []),
        ("bench/a.cpp", spdx + "long peak_mib();\n", []),
        ("src/data/files/a.cpp", spdx + "int a;\n" * (MAX_LINES - 1), []),
        ("src/data/files/a.cpp", spdx + "int a;\n" * MAX_LINES, [MAX_LINES + 1]),
        ("python/lacuna_sdc/a.py", "#" + spdx + "# Made by b.py from the core; do not edit.\n" + "a = 1\n" * MAX_LINES, []),
        ("CONTRIBUTING.md", f"Read {home} first.\n", [1]),
        ("CONTRIBUTING.md", "Read docs/home/ and ~/notes/a.md first.\n", []),
        ("build/a.cpp", "abort();\n", []),
        ("python/lacuna_sdc/a.py", "#" + spdx + "#" * MAX_COLUMNS + "\n", []),
        ("python/lacuna_sdc/a.py", "#" + spdx + "#" * (MAX_COLUMNS + 1) + "\n", [2]),
        ("python/lacuna_sdc/a.py", "a = 1\n", [1]),
        ("r/R/a.R", "#" + spdx + "#" * MAX_COLUMNS + "\n", []),
        ("r/R/a.R", "#" + spdx + "#" * (MAX_COLUMNS + 1) + "\n", [2]),
        ("r/tests/testthat/test-a.R", "a <- 1\n", [1]),
        ("r/src/a.cpp", spdx + "void f() {\n" + "  g();\n" * 60 + "}\n", [2]),
    ]


def tree_cases():
    """Each case: files with their texts, and the violations that must be reported."""
    for file, text, expected in line_cases():
        yield {file: text}, [f"{file}:{line}" for line in expected]
    yield from style_functions.cases()
    yield from style_members.cases()
    yield from style_json.cases()
    yield from style_namespaces.cases()
    yield from style_licences.cases()
    yield from style_pages.cases()


def self_test():
    failures, count = [], 0
    style_functions.NOT_YET_SPLIT = {("apps/cli/listed.cpp", "f")}
    style_members.NOT_YET_SPLIT = {("src/core/flow/listed.h", "Listed"): style_members.MOST["class"] + 1}
    for files, expected in tree_cases():
        count += 1
        with tempfile.TemporaryDirectory() as folder:
            root = pathlib.Path(folder)
            for name, text in files.items():
                (root / name).parent.mkdir(parents=True, exist_ok=True)
                (root / name).write_text(text)
            found, _ = check(root)
            if [":".join(violation.split(":")[:2]) for violation in found] != expected:
                failures.append(f"{str(files)[:300]}: expected {expected}, got {found}")
    for failure in failures:
        print(f"check_style self-test: {failure}", file=sys.stderr)
    print(f"check_style self-test: {count - len(failures)} of {count} cases as expected")
    return 1 if failures else 0


def main(arguments):
    if arguments == ["--self-test"]:
        return self_test()
    if arguments:
        print("usage: check_style.py [--self-test]", file=sys.stderr)
        return 2
    found, files = check(pathlib.Path(__file__).resolve().parent.parent)
    for violation in found:
        print(violation, file=sys.stderr)
    if files == 0:
        print("check_style: no files found", file=sys.stderr)
        return 1
    print(f"check_style: {files} files, {len(found)} violations")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
