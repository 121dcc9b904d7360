#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Reads the #include lines of the folders of C++ and of include/ against src/layers.txt, the table of
what each folder may include. Prints file:line for every include that the table does not allow, every
folder or header without a row, and every word of the table that the tree does not bear out: a folder
that is not there, an include that no file makes.

  scripts/check_layers.py               check the tree; exit 1 if there is a violation
  scripts/check_layers.py --self-test   show that the check says no where it must
"""

import pathlib
import re
import sys
import tempfile

from layers import LIBRARIES, STAND_IN, SUFFIXES, TABLE, TREE, Layers, include_path, read_layers

# Where C++ lies that a row must be there for. Tests and micro benchmarks may include everything.
TOPS = ("include", "src", "bench/models", "bench/sets", "apps", "c/src", "python/src", "r/src")

INCLUDE = re.compile(r'^\s*#\s*include\s*([<"])([^>"]+)[>"]')


def file_of(root, file, name):
    """The file that the include `name` in `file` leads to, from the root, or None if to none."""
    if name.startswith("lacuna/"):
        return include_path(name)
    for base in ("src", "."):  # the two include folders of the build
        if (root / base / name).is_file():
            return pathlib.Path(base) / name
    beside = (root / file.parent / name).resolve()
    if beside.is_file() and beside.is_relative_to(root):
        return beside.relative_to(root)
    return None


class Check:
    """The include lines of one tree against the table, and which words of the table they need."""

    def __init__(self, root, layers):
        self.root, self.layers = root.resolve(), layers
        self.needed = set()  # (folder, key, word)
        self.rowless = set()
        self.found = []
        self.files = sorted(
            path.relative_to(self.root)
            for top in TOPS
            for path in (self.root / top).rglob("*")
            if path.suffix in SUFFIXES and not path.is_relative_to(self.root / STAND_IN)
        )
        for file in self.files:
            self._read(file)

    def _read(self, file):
        row = self.layers.row_of(file)
        if row is None:
            is_header = file.parts[0] == "include"
            missing = file.name if is_header else file.parent.as_posix()
            if missing not in self.rowless:  # once
                reason = "is in the `headers` of no row of" if is_header else "has no row in"
                self.found.append(f"{file}:1: {missing} {reason} {TABLE}")
            self.rowless.add(missing)
            return
        for number, line in enumerate((self.root / file).read_text("utf-8").splitlines(), 1):
            match = INCLUDE.match(line)
            reason = self._judge(file, row, *match.groups()) if match else None
            if reason:
                self.found.append(f"{file}:{number}: {reason}")

    def _judge(self, file, row, quote, name):
        """Why this include is wrong, or None."""
        if quote == "<" and not name.startswith("lacuna/"):
            return self._judge_library(row, name)
        included = file_of(self.root, file, name)
        target = self.layers.row_of(included) if included else None
        if target is None:
            return f"{name} belongs to no folder of {TABLE}"
        spelled = included.relative_to(included.parts[0]).as_posix()  # as from include/ or src/
        if spelled in row.never:
            return f"{row.name} may not include {spelled}"
        if target is row:
            return None
        if row.public and included.parts[0] == "include":
            return self._judge_public(row, target, name)
        if target.name not in row.includes:
            return f"{row.name} may not include {target.name} ({name})"
        self.needed.add((row.folder, "includes", target.name))
        return self._judge_only(row, target, spelled)

    def _judge_public(self, row, target, name):
        if self.layers.place[target.name] < self.layers.place[row.name]:
            return None
        return f"{row.name} may not include {name}: {target.name} does not stand above it"

    def _judge_only(self, row, target, spelled):
        listed = [h for h in row.only if self.layers.row_of_include(h) is target]
        if listed and spelled not in listed:
            return f"{row.name} may not include {spelled}; of {target.name} it may {', '.join(listed)}"
        self.needed.add((row.folder, "only", spelled))
        return None

    def _judge_library(self, row, name):
        for library, pattern in LIBRARIES.items():
            if pattern and pattern.match(name):
                if library not in row.libraries:
                    users = [other.name for other in self.layers.rows if library in other.libraries]
                    return f"{row.name} may not include {name}; {', '.join(users) or 'nobody'} may"
                self.needed.add((row.folder, "libraries", library))
        return None

    def unneeded(self):
        """Words of the table that no include line needs, as (line, reason)."""
        for row in self.layers.rows:
            for key in ("includes", "only", "libraries"):
                for word in getattr(row, key):
                    free = key == "libraries" and LIBRARIES.get(word) is None
                    if not free and (row.folder, key, word) not in self.needed:
                        yield row.lines[key, word], f"no file of {row.folder} includes {word}; take it out"


def violations(check):
    """All that is wrong; of a table that is wrong by itself nothing else is said."""
    layers, found = check.layers, check.found
    faults = layers.faults or [*layers.tree_faults(check.root)]
    if not faults:
        faults = check.unneeded()
    told = [f"{TABLE}:{line}: {reason}" for line, reason in sorted(faults)]
    return told if layers.faults else found + told


# ---- the self-test

SMALL = """
src/base
  holds       numbers
  namespace   base
  headers     units.h
src/table
  holds       cells
  namespace   table
  includes    base
src/io
  holds       files
  namespace   io
  includes    base table
  libraries   json
  only        table/cells.h
"""
SMALL_TREE = {
    "include/lacuna/units.h": "",
    "src/base/number.h": "",
    "src/table/cells.h": "base/number.h",
    "src/table/keys.h": "",
    "src/io/file.cpp": "lacuna/units.h table/cells.h <nlohmann/json.hpp>",
}


def write_tree(root, files):
    """Files of which only what they include is told."""
    for name, includes in files.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        lines = [f"#include {i}" if i[0] == "<" else f'#include "{i}"' for i in includes.split()]
        (root / name).write_text("\n".join(lines) + "\n")


def table_cases():
    """Each case: what of the small table is replaced by what, files besides those of the small
    tree, and what must be said, in this order."""
    return [
        ("", "", {}, []),
        ("includes    base table", "includes    base table spec", {}, ["io includes spec, which has no row"]),
        ("includes    base table", "includes    base", {}, ["table/cells.h is of no folder that io includes"]),
        ("namespace   table\n", "namespace   table\n  includes    io\n", {}, ["a circle: table includes io includes table"]),
        ("headers     units.h", "headers     units.h\n  includes    io", {}, ["a circle: base includes io includes base"]),
        ("src/table\n  holds       cells\n  namespace   table\n  includes    base\n", "", {},
         ["io includes table, which has no row", "table/cells.h is of no folder that io includes"]),
        ("namespace   table\n  includes    base", "namespace   table\n  includes    base lp\nsrc/lp\n  holds       models\n"
         "  namespace   lp", {"src/lp/a.h": ""}, ["table includes lp, whose row must then stand above"]),
        ("", "", {"src/spec/a.h": "", "src/spec/b.h": ""}, ["src/spec/a.h:1: src/spec has no row in src/layers.txt"]),
        ("", "", {"include/lacuna/new.h": ""}, ["include/lacuna/new.h:1: new.h is in the `headers` of no row"]),
        ("src/io", "src/spec\n  holds       jobs\n  namespace   spec\nsrc/io", {}, ["a row for src/spec, where no source"]),
        ("src/io", "src/spec\n  holds       jobs\n  namespace   spec\nsrc/io", {"src/spec/a.h": ""}, []),
        ("headers     units.h", "headers     units.h lp.h", {}, ["include/lacuna/lp.h does not exist"]),
        ("only        table/cells.h", "only        table/cell.h", {},
         ["io may not include table/cells.h; of table it may table/cell.h", "src/table/cell.h does not exist"]),
        ("only        table/cells.h", "never       base/decimal.h", {}, ["src/base/decimal.h does not exist"]),
        ("only        table/cells.h", "", {"src/io/b.cpp": "table/keys.h"}, []),
        ("", "", {"src/io/b.cpp": "table/keys.h"}, ["io may not include table/keys.h; of table it may table/cells.h"]),
        ("includes    base table", "includes    base table io", {}, ["io may include itself without a word"]),
        ("includes    base table", "includes    base table base", {}, ["src/io names base twice"]),
        ("src/io", "src/table\n  holds       a\n  namespace   table\nsrc/io", {}, ["src/table has two rows"]),
        ("  holds       cells\n", "", {}, ["src/table has no line 'holds'"]),
        ("  namespace   table\n", "", {}, ["src/table has no line 'namespace'"]),
        ("namespace   table", "namespace   inline table", {}, ["a namespace is a name or -"]),
        ("libraries   json", "library     json", {}, ["'library' is no key; the keys are holds, "]),
        ("libraries   json", "libraries   jason", {}, ["scripts/layers.py knows no library 'jason'"]),
        ("libraries   json", "libraries   json zlib", {}, ["no file of src/io includes zlib; take it out"]),
        ("", "", {"src/table/cells.h": ""}, ["no file of src/table includes base; take it out"]),
        ("  includes    base\n", "", {}, ["table may not include base (base/number.h)"]),
        ("  includes    base\n", "  includes    public\n", {}, ["table may not include base (base/number.h)"]),
        ("  includes    base\n", "  includes    public\n", {"src/table/cells.h": "lacuna/units.h"}, []),
        ("  libraries   json\n", "", {}, ["io may not include nlohmann/json.hpp; nobody may"]),
        ("src/base", "src/low\n  holds       a\n  namespace   low\n  includes    public\nsrc/base",
         {"src/low/a.h": "lacuna/units.h"}, ["low may not include lacuna/units.h: base does not stand above it"]),
        ("src/base", "floor core  the ground\nsrc/base", {}, ["src/base stands on the floor core", *["src/"] * 2]),
        ("src/base", "floor core\nsrc/base", {}, ["a floor has a name and a sentence"]),
        ("src/base", "src/core/base\n  holds       a\n  namespace   b\nsrc/base", {},
         ["src/core/base stands on the floor (none)", "two rooms have the name base"]),
    ]


def table_failures():
    """Shows that a wrong table is refused, and a tree that is not as the table says."""
    failures = []
    for old, new, files, expected in table_cases():
        with tempfile.TemporaryDirectory() as name:
            root = pathlib.Path(name)
            write_tree(root, {**SMALL_TREE, **files})
            check = Check(root, Layers(SMALL.replace(old, new, 1)))
            found = violations(check)
            if len(found) != len(expected) or not all(w in f for w, f in zip(expected, found)):
                failures.append(f"{old!r} -> {new!r} with {files}: expected {expected}, got {found}")
    return failures, len(table_cases())


def self_test():
    """Each case: a file, its include, and whether the rule allows it."""
    cases = [
        ("src/core/table/table.cpp", '"core/base/check.h"', True),
        ("src/core/table/table.cpp", '"lacuna/units.h"', True),
        ("src/core/table/table.cpp", "<vector>", True),
        ("src/core/base/check.h", '"core/table/cross.h"', False),
        ("src/core/lp/model.cpp", '"lacuna/lp.h"', True),
        ("src/core/lp/model.cpp", '"lacuna/tolerance.h"', True),
        ("src/core/lp/model.cpp", '"lacuna/table.h"', False),
        ("src/core/lp/model.cpp", '"lacuna/units.h"', False),
        ("src/core/lp/model.cpp", "<lacuna/draft.h>", False),
        ("src/core/lp/backends/highs/highs_solver.cpp", "<Highs.h>", True),
        ("src/judge/audit/auditor.cpp", "<Highs.h>", False),
        ("src/judge/audit/auditor.cpp", "<ClpSimplex.hpp>", False),
        ("src/judge/audit/auditor.cpp", '"judge/attack/attack.h"', True),
        ("src/judge/audit/auditor.cpp", '"protect/start/repair.h"', False),
        ("src/judge/audit/auditor.cpp", '"protect/suppress/master.h"', False),
        ("src/judge/audit/auditor.cpp", '"../protect/suppress/master.h"', False),
        ("src/judge/audit/auditor.cpp", '"data/files/csv.h"', False),
        ("src/data/files/csv.cpp", '"lacuna/audit.h"', False),
        ("src/data/publish/px.cpp", '"lacuna/audit.h"', True),
        ("src/data/files/csv.cpp", '"csv.h"', True),
        ("src/data/files/csv.cpp", '"judge/attack/attack.h"', False),
        ("src/protect/suppress/master.cpp", '"protect/start/repair.h"', True),
        ("src/protect/suppress/master.cpp", '"data/files/csv.h"', False),
        ("src/protect/suppress/master.cpp", '"protect/suppression_model/pattern_requirements.h"', True),
        ("src/protect/suppress/master.cpp", '"protect/interval/model.h"', False),
        ("src/protect/suppression_model/pattern_requirements.cpp", '"protect/start/repair.h"', False),
        ("src/protect/suppression_model/pattern_requirements.cpp", '"protect/suppress/master.h"', False),
        ("src/protect/suppression_model/pattern_requirements.cpp", '"lacuna/suppress.h"', False),
        ("src/protect/suppression_model/cuts/cover.cpp", '"protect/suppression_model/pattern_requirements.h"', True),
        ("src/protect/suppression_model/cuts/cover.cpp", '"../../suppress/master.h"', False),
        ("src/protect/combined/start.cpp", '"protect/suppression_model/pattern_requirements.h"', True),
        ("src/protect/combined/start.cpp", '"protect/suppress/master.h"', False),
        ("src/protect/combined/start.cpp", '"protect/interval/model.h"', True),
        ("src/protect/combined/start.cpp", '"../interval/model.h"', True),
        ("src/protect/combined/start.cpp", '"protect/interval/master.h"', False),
        ("src/protect/combined/start.cpp", '"lacuna/suppress.h"', True),
        ("src/protect/interval/master.cpp", '"lacuna/suppress.h"', False),
        ("src/protect/round/round.cpp", '"protect/pattern/plan.h"', True),
        ("src/protect/pattern/plan.cpp", '"protect/round/choices.h"', False),
        ("src/protect/mixed/mixed.cpp", '"protect/round/choices.h"', True),
        ("src/protect/perturb/ranges.cpp", '"protect/round/choices.h"', False),
        ("src/protect/unheard_of/file.cpp", "<vector>", False),
        ("src/protect/file.cpp", "<vector>", False),
        ("src/app/job/run.cpp", '"data/files/csv.h"', True),
        ("src/app/job/run.cpp", '"protect/suppress/master.h"', False),
        ("include/lacuna/lp.h", '"lacuna/table.h"', False),
        ("include/lacuna/draft.h", '"lacuna/table.h"', True),
        ("include/lacuna/table.h", '"lacuna/draft.h"', False),
        ("include/lacuna/unheard_of.h", "<vector>", False),
        ("src/core/table/table.cpp", '"lacuna/unheard_of.h"', False),
        ("src/core/unheard_of/file.cpp", "<vector>", False),
        ("apps/cli/main.cpp", '"app/job/run.h"', True),
        ("apps/cli/main.cpp", '"lacuna/table.h"', True),
        ("apps/cli/main.cpp", '"apps/cli/terminal.h"', True),
        ("apps/cli/main.cpp", '"judge/audit/auditor.h"', False),
        ("src/app/job/run.cpp", '"apps/cli/terminal.h"', False),
        ("bench/sets/quick.cpp", '"bench/sets/run.h"', True),
        ("bench/sets/quick.cpp", '"app/job/run.h"', True),
        ("bench/sets/quick.cpp", '"protect/suppress/master.h"', True),
        ("bench/sets/quick.cpp", '"apps/cli/terminal.h"', False),
        ("bench/sets/quick.cpp", "<Highs.h>", False),
        ("apps/cli/main.cpp", '"bench/sets/run.h"', False),
        ("apps/bench/main.cpp", '"bench/sets/run.h"', True),
        ("src/app/job/run.cpp", '"bench/sets/run.h"', False),
        ("python/src/core.cpp", '"apps/cli/terminal.h"', True),
        ("python/src/core.cpp", '"app/job/run.h"', True),
        ("python/src/core.cpp", '"lacuna/table.h"', True),
        ("python/src/core.cpp", '"other.h"', True),
        ("python/src/core.cpp", '"judge/audit/auditor.h"', False),
        ("python/src/core.cpp", "<nanobind/nanobind.h>", True),
        ("python/src/core.cpp", "<CLI/CLI.hpp>", False),
        ("src/app/job/run.cpp", "<nanobind/nanobind.h>", False),
        ("apps/cli/main.cpp", '"python/src/other.h"', False),
        ("r/src/core.cpp", '"app/session/handle.h"', True),
        ("r/src/core.cpp", '"app/job/run.h"', True),
        ("r/src/core.cpp", '"data/files/csv.h"', False),
        ("r/src/core.cpp", '"lacuna/table.h"', True),
        ("r/src/core.cpp", '"handle.h"', True),
        ("r/src/core.cpp", '"judge/audit/auditor.h"', False),
        ("r/src/core.cpp", '"apps/cli/terminal.h"', False),
        ("r/src/core.cpp", '"python/src/other.h"', False),
        ("r/src/core.cpp", "<cpp11.hpp>", True),
        ("r/src/core.cpp", "<R_ext/Rdynload.h>", True),
        ("r/src/core.cpp", "<Highs.h>", False),
        ("python/src/core.cpp", "<cpp11/list.hpp>", False),
        ("src/app/job/run.cpp", "<cpp11.hpp>", False),
        ("src/app/job/run.cpp", "<Rinternals.h>", False),
        ("src/app/job/run.cpp", '"r/src/handle.h"', False),
        ("src/judge/audit/auditor.cpp", '"src/data/files/csv.h"', False),
        ("src/data/files/csv.cpp", "<CLI/CLI.hpp>", False),
    ]
    headers = [
        "src/core/base/check.h",
        "src/core/base/decimal.h",
        "src/core/table/cross.h",
        "src/judge/attack/attack.h",
        "src/judge/audit/auditor.h",
        "src/protect/start/repair.h",
        "src/protect/suppression_model/pattern_requirements.h",
        "src/protect/suppress/master.h",
        "src/protect/interval/model.h",
        "src/protect/interval/master.h",
        "src/protect/pattern/plan.h",
        "src/protect/round/choices.h",
        "src/app/session/handle.h",
        "src/data/files/csv.h",
        "src/app/job/run.h",
        "bench/sets/run.h",
        "apps/cli/terminal.h",
        "python/src/other.h",
        "r/src/handle.h",
    ]
    layers = read_layers()
    failures, count = table_failures()
    for file, include, allowed in cases:
        with tempfile.TemporaryDirectory() as folder:
            root = pathlib.Path(folder)
            for header in [*headers, file]:
                (root / header).parent.mkdir(parents=True, exist_ok=True)
                (root / header).write_text("#pragma once\n")
            (root / file).write_text(f"// a comment\n#include {include}\n")
            found = Check(root, layers).found
            said_no = len(found) == 1 and re.match(re.escape(file) + ":[12]: ", found[0])
            if bool(found) == allowed or (not allowed and not said_no):
                failures.append(f"{file} with {include}: expected allowed={allowed}, got {found}")
    for failure in failures:
        print(f"check_layers self-test: {failure}", file=sys.stderr)
    count += len(cases)
    print(f"check_layers self-test: {count - len(failures)} of {count} cases as expected")
    return 1 if failures else 0


def main(arguments):
    if arguments == ["--self-test"]:
        return self_test()
    if arguments:
        print("usage: check_layers.py [--self-test]", file=sys.stderr)
        return 2
    check = Check(TREE, read_layers())
    files, found = len(check.files), violations(check)
    for violation in found:
        print(violation, file=sys.stderr)
    if files == 0:
        print("check_layers: no source files found", file=sys.stderr)
        return 1
    print(f"check_layers: {files} files, {len(found)} violations")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
