#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Reads the #include lines of include/, src/, bench/sets/, apps/, python/ and r/ against the
dependency rule of docs/architecture.md. Prints file:line for every include that the rule does not allow.

  scripts/check_layers.py               check the tree; exit 1 if there is a violation
  scripts/check_layers.py --self-test   show that the check says no where it must
"""

import pathlib
import re
import sys
import tempfile

# What each folder of src/ may include besides itself. Nothing is inherited: what is not written
# here is not allowed. The folders below protect/ are layers of their own.
ALLOWED = {
    "base": set(),
    "table": {"base"},
    "tabulate": {"base", "table"},
    "sensitivity": {"base", "table", "tabulate"},
    "release": {"base", "table"},
    "generate": {"base", "table"},
    "cellkey": {"base"},
    "lp": {"base"},
    "simplex": {"base"},
    "flow": {"base"},
    "attack": {"base", "table", "release", "lp", "flow"},
    "audit": {"base", "table", "release", "lp", "attack"},
    "presolve": {"base", "table", "release", "attack"},
    "heuristic": {"base", "table", "release", "lp", "simplex", "attack", "audit", "presolve"},
    "protect/common": {
        "base", "table", "release", "lp", "simplex", "flow", "attack", "audit", "presolve",
        "heuristic"
    },
    "spec": {"base", "table", "tabulate"},
    "columns": {"base"},
    "io": {"base", "table", "tabulate", "release", "audit", "columns", "cellkey", "spec"},
    "report": {"base", "table", "release", "audit"},
    "argus": {"base", "table", "tabulate", "sensitivity", "cellkey", "io"},
}
# Methods know what they share and what that may know, but not each other; those of numbers share
# the engine in protect/pattern, adjusting ends with the rounding of whole tables, and the mixed
# method is made of two of them.
METHOD = {"protect/common", *ALLOWED["protect/common"]}
ALLOWED["protect/suppress"] = METHOD
ALLOWED["protect/interval"] = METHOD
ALLOWED["protect/combined"] = METHOD  # and INTERFACES
ALLOWED["protect/adjust"] = METHOD | {"protect/pattern", "protect/round"}
ALLOWED["protect/pattern"] = METHOD
ALLOWED["protect/round"] = METHOD | {"protect/pattern"}
ALLOWED["protect/perturb"] = METHOD | {"protect/pattern"}
ALLOWED["protect/cellkey"] = METHOD | {"cellkey"}
ALLOWED["protect/mixed"] = METHOD | {"protect/pattern", "protect/round", "protect/perturb"}
ALLOWED["protect/small_counts"] = METHOD | {"protect/pattern", "protect/round"}
ALLOWED["methods"] = {"report", "sensitivity", "cellkey", *ALLOWED["protect/mixed"]} | {
    folder for folder in ALLOWED if folder.startswith("protect/")
}
ALLOWED["job"] = set(ALLOWED)
ALLOWED["host"] = {"base", "columns", "io", "job"}  # and every public header
ALLOWED["plan"] = {"base", "table", "release", "audit", "presolve", "io", "job"}  # and every public header
ALLOWED["bench"] = set(ALLOWED) - {"host", "plan"}  # bench/sets, part of the program; nothing in src/ may include it
# The page shows what host holds and what reports draw. And every public header.
ALLOWED["apps"] = {"base", "columns", "job", "io", "host", "plan", "report", "bench"}
ALLOWED["r"] = {"base", "columns", "host", "job", "io"}  # and every public header
ALLOWED["python"] = {"base", "columns", "host", "job", "io", "plan", "apps"}  # and every public header

# Headers that a folder may include although it may not include their folder.
INTERFACES = {
    "protect/combined": {
        "include/lacuna/suppress.h",
        "include/lacuna/interval.h",
        "src/protect/interval/model.h",
        "src/protect/interval/cut.h",
        "src/protect/interval/find_rooms.h",
        "src/protect/interval/goal_searches.h",
        "src/protect/interval/parallel_intervals.h",
        "src/protect/interval/publish.h",
    },
}

# The folder that each public header belongs to; it is bound by that folder's rule.
PUBLIC = {
    "export.h": "base",
    "result.h": "base",
    "units.h": "base",
    "evidence.h": "base",
    "run_context.h": "base",
    "tolerance.h": "base",
    "dimension.h": "table",
    "table.h": "table",
    "problem.h": "table",
    "counts.h": "table",
    "count_rules.h": "table",
    "generate.h": "generate",
    "ptable.h": "cellkey",
    "make_ptable.h": "cellkey",
    "lp.h": "lp",
    "draft.h": "release",
    "suppress.h": "protect/suppress",
    "interval.h": "protect/interval",
    "combined.h": "protect/combined",
    "adjust.h": "protect/adjust",
    "round.h": "protect/round",
    "perturb.h": "protect/perturb",
    "cellkey.h": "protect/cellkey",
    "mixed.h": "protect/mixed",
    "small_counts.h": "protect/small_counts",
    "audit.h": "audit",
    "fields.h": "base",
    "method.h": "release",
    "protect.h": "methods",
    "cross.h": "table",
    "keys.h": "table",
    "job_spec.h": "spec",
    "apriori.h": "table",
    "tabulate_options.h": "tabulate",
    "tabulation.h": "tabulate",
    "records.h": "tabulate",
    "tabulate.h": "tabulate",
    "aggregates.h": "tabulate",
    "sensitivity.h": "sensitivity",
    "report.h": "report",
    "files.h": "job",
    "version.h": "base",
    "lacuna.h": "job",
}

# Headers that a folder may not see although it may include their folder: lp knows no tables.
BANNED = {"lp": {"lacuna/units.h", "lacuna/table.h", "base/decimal.h"}}

# Headers of other projects that only some folders may know.
VENDOR = [
    (re.compile(r"^(Highs|highs/|lp_data/|interfaces/highs|Clp|Coin|Osi|coin/)"), {"lp"}),
    (re.compile(r"^CLI/"), {"apps"}),
    (re.compile(r"^(nanobind/|Python\.h)"), {"python"}),
    (re.compile(r"^(cpp11(\.hpp|/)|R\.h|Rinternals\.h|Rmath\.h|R_ext/)"), {"r"}),
    (re.compile(r"^(nlohmann/|toml)"), {"io", "report", "job", "bench", "apps", "r"}),
]

INCLUDE = re.compile(r'^\s*#\s*include\s*([<"])([^>"]+)[>"]')
SUFFIXES = {".h", ".cpp"}


def layer_of(path):
    """The folder of the rule that a file of the tree belongs to, or None."""
    parts = path.parts
    if parts[:2] == ("include", "lacuna") and len(parts) == 3:
        return PUBLIC.get(parts[2])
    if parts[0] == "src" and len(parts) > 2:
        layer = "/".join(parts[1:3]) if parts[1] == "protect" else parts[1]
        return layer if layer in ALLOWED else None
    if parts[:2] == ("bench", "sets"):
        return "bench"
    if parts[:2] == ("python", "src"):
        return "python"
    if parts[:2] == ("r", "src") and len(parts) == 3:  # below are what stands in for parts of HiGHS
        return "r"
    return "apps" if parts[0] == "apps" else None


def file_of(root, file, name):
    """The file that the include `name` in `file` leads to, from the root, or None if to none."""
    if name.startswith("lacuna/"):
        return pathlib.Path("include", name)
    for base in ("src", "."):  # the two include folders of the build
        if (root / base / name).is_file():
            return pathlib.Path(base) / name
    beside = (root / file.parent / name).resolve()
    if beside.is_file() and beside.is_relative_to(root):
        return beside.relative_to(root)
    return None


def judge(root, file, quote, name):
    """Why this include is wrong, or None."""
    layer = layer_of(file)
    if quote == "<" and not name.startswith("lacuna/"):
        for pattern, users in VENDOR:
            if pattern.match(name) and layer not in users:
                return f"{layer} may not include {name}; only {', '.join(sorted(users))} may"
        return None
    included = file_of(root, file, name)
    target = layer_of(included) if included else None
    if target is None:
        return f"{name} belongs to no folder of the rule"
    if name in BANNED.get(layer, ()):
        return f"{layer} may not include {name}"
    if target == layer or target in ALLOWED[layer]:
        return None
    if included.as_posix() in INTERFACES.get(layer, ()):
        return None
    if layer in ("apps", "host", "plan", "python", "r") and name.startswith("lacuna/"):
        return None
    return f"{layer} may not include {target} ({name})"


def check(root):
    """All violations below root, as "file:line: reason", and the number of files read."""
    root = root.resolve()
    found = []
    files = sorted(
        path.relative_to(root)
        for top in ("include", "src", "bench/sets", "apps", "python/src", "r/src")
        for path in (root / top).rglob("*")
        if path.suffix in SUFFIXES and "r/src/core/" not in path.as_posix()
    )
    for file in files:
        if layer_of(file) is None:
            found.append(f"{file}:1: this file belongs to no folder of the rule")
            continue
        for number, line in enumerate((root / file).read_text("utf-8").splitlines(), 1):
            match = INCLUDE.match(line)
            reason = judge(root, file, *match.groups()) if match else None
            if reason:
                found.append(f"{file}:{number}: {reason}")
    return found, len(files)


def check_lists(root):
    """What the lists above name and the tree does not have."""
    here = "scripts/check_layers.py:1:"
    found = [
        f"{here} the public header {name} does not exist"
        for name in PUBLIC
        if not (root / "include/lacuna" / name).is_file()
    ]
    for folder in ALLOWED:
        if not (root / folder).is_dir() and not (root / "src" / folder).is_dir():
            found.append(f"{here} the folder {folder} does not exist")
    for header in sorted(set().union(*INTERFACES.values())):
        if not (root / header).is_file():
            found.append(f"{here} the interface {header} does not exist")
    return found


def lists_failures():
    """Shows that check_lists says no where a header or a folder of the lists is missing."""
    failures = []
    with tempfile.TemporaryDirectory() as name:
        root = pathlib.Path(name)
        for folder in ["include/lacuna", *(f"src/{folder}" for folder in ALLOWED)]:
            (root / folder).mkdir(parents=True)
        for header in [*(f"include/lacuna/{name}" for name in PUBLIC), *set().union(*INTERFACES.values())]:
            (root / header).write_text("#pragma once\n")
        if check_lists(root):
            failures.append(f"a tree with all that the lists name: got {check_lists(root)}")
        (root / "include/lacuna/draft.h").unlink()
        (root / "src/io").rmdir()
        (root / "src/protect/interval/publish.h").unlink()
        if len(check_lists(root)) != 3:
            failures.append(f"a tree without draft.h, src/io and publish.h: got {check_lists(root)}")
    return failures


def self_test():
    """Each case: a file, its include, and whether the rule allows it."""
    cases = [
        ("src/table/table.cpp", '"base/check.h"', True),
        ("src/table/table.cpp", '"lacuna/units.h"', True),
        ("src/table/table.cpp", "<vector>", True),
        ("src/base/check.h", '"table/cross.h"', False),
        ("src/lp/model.cpp", '"lacuna/lp.h"', True),
        ("src/lp/model.cpp", '"lacuna/tolerance.h"', True),
        ("src/lp/model.cpp", '"lacuna/table.h"', False),
        ("src/lp/model.cpp", '"lacuna/units.h"', False),
        ("src/lp/model.cpp", "<lacuna/draft.h>", False),
        ("src/lp/backends/highs/highs_solver.cpp", "<Highs.h>", True),
        ("src/audit/auditor.cpp", "<Highs.h>", False),
        ("src/audit/auditor.cpp", "<ClpSimplex.hpp>", False),
        ("src/audit/auditor.cpp", '"attack/attack.h"', True),
        ("src/audit/auditor.cpp", '"heuristic/repair.h"', False),
        ("src/audit/auditor.cpp", '"protect/suppress/master.h"', False),
        ("src/audit/auditor.cpp", '"../protect/suppress/master.h"', False),
        ("src/audit/auditor.cpp", '"io/csv.h"', False),
        ("src/io/csv.cpp", '"lacuna/audit.h"', True),
        ("src/io/csv.cpp", '"csv.h"', True),
        ("src/io/csv.cpp", '"attack/attack.h"', False),
        ("src/protect/suppress/master.cpp", '"heuristic/repair.h"', True),
        ("src/protect/suppress/master.cpp", '"io/csv.h"', False),
        ("src/protect/suppress/master.cpp", '"protect/common/demands.h"', True),
        ("src/protect/suppress/master.cpp", '"protect/interval/model.h"', False),
        ("src/protect/common/demands.cpp", '"heuristic/repair.h"', True),
        ("src/protect/common/demands.cpp", '"protect/suppress/master.h"', False),
        ("src/protect/common/demands.cpp", '"lacuna/suppress.h"', False),
        ("src/protect/common/cuts/cover.cpp", '"protect/common/demands.h"', True),
        ("src/protect/common/cuts/cover.cpp", '"../../suppress/master.h"', False),
        ("src/protect/combined/start.cpp", '"protect/common/demands.h"', True),
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
        ("src/job/run.cpp", '"io/csv.h"', True),
        ("src/job/run.cpp", '"protect/suppress/master.h"', True),
        ("include/lacuna/lp.h", '"lacuna/table.h"', False),
        ("include/lacuna/draft.h", '"lacuna/table.h"', True),
        ("include/lacuna/table.h", '"lacuna/draft.h"', False),
        ("include/lacuna/unheard_of.h", "<vector>", False),
        ("src/table/table.cpp", '"lacuna/unheard_of.h"', False),
        ("src/unheard_of/file.cpp", "<vector>", False),
        ("apps/cli/main.cpp", '"job/run.h"', True),
        ("apps/cli/main.cpp", '"lacuna/table.h"', True),
        ("apps/cli/main.cpp", '"apps/cli/terminal.h"', True),
        ("apps/cli/main.cpp", '"audit/auditor.h"', False),
        ("src/job/run.cpp", '"apps/cli/terminal.h"', False),
        ("bench/sets/quick.cpp", '"bench/sets/run.h"', True),
        ("bench/sets/quick.cpp", '"job/run.h"', True),
        ("bench/sets/quick.cpp", '"protect/suppress/master.h"', True),
        ("bench/sets/quick.cpp", '"apps/cli/terminal.h"', False),
        ("bench/sets/quick.cpp", "<Highs.h>", False),
        ("apps/cli/main.cpp", '"bench/sets/run.h"', True),
        ("src/job/run.cpp", '"bench/sets/run.h"', False),
        ("python/src/core.cpp", '"apps/cli/terminal.h"', True),
        ("python/src/core.cpp", '"job/run.h"', True),
        ("python/src/core.cpp", '"lacuna/table.h"', True),
        ("python/src/core.cpp", '"other.h"', True),
        ("python/src/core.cpp", '"audit/auditor.h"', False),
        ("python/src/core.cpp", "<nanobind/nanobind.h>", True),
        ("python/src/core.cpp", "<CLI/CLI.hpp>", False),
        ("src/job/run.cpp", "<nanobind/nanobind.h>", False),
        ("apps/cli/main.cpp", '"python/src/other.h"', False),
        ("r/src/core.cpp", '"host/handle.h"', True),
        ("r/src/core.cpp", '"job/run.h"', True),
        ("r/src/core.cpp", '"io/csv.h"', True),
        ("r/src/core.cpp", '"lacuna/table.h"', True),
        ("r/src/core.cpp", '"handle.h"', True),
        ("r/src/core.cpp", '"audit/auditor.h"', False),
        ("r/src/core.cpp", '"apps/cli/terminal.h"', False),
        ("r/src/core.cpp", '"python/src/other.h"', False),
        ("r/src/core.cpp", "<cpp11.hpp>", True),
        ("r/src/core.cpp", "<R_ext/Rdynload.h>", True),
        ("r/src/core.cpp", "<Highs.h>", False),
        ("python/src/core.cpp", "<cpp11/list.hpp>", False),
        ("src/job/run.cpp", "<cpp11.hpp>", False),
        ("src/job/run.cpp", "<Rinternals.h>", False),
        ("src/job/run.cpp", '"r/src/handle.h"', False),
        ("src/audit/auditor.cpp", '"src/io/csv.h"', False),
        ("src/io/csv.cpp", "<CLI/CLI.hpp>", False),
    ]
    headers = [
        "src/base/check.h",
        "src/base/decimal.h",
        "src/table/cross.h",
        "src/attack/attack.h",
        "src/audit/auditor.h",
        "src/heuristic/repair.h",
        "src/protect/common/demands.h",
        "src/protect/suppress/master.h",
        "src/protect/interval/model.h",
        "src/protect/interval/master.h",
        "src/protect/pattern/plan.h",
        "src/protect/round/choices.h",
        "src/host/handle.h",
        "src/io/csv.h",
        "src/job/run.h",
        "bench/sets/run.h",
        "apps/cli/terminal.h",
        "python/src/other.h",
        "r/src/handle.h",
    ]
    failures = lists_failures()
    for file, include, allowed in cases:
        with tempfile.TemporaryDirectory() as folder:
            root = pathlib.Path(folder)
            for header in [*headers, file]:
                (root / header).parent.mkdir(parents=True, exist_ok=True)
                (root / header).write_text("#pragma once\n")
            (root / file).write_text(f"// a comment\n#include {include}\n")
            found, _ = check(root)
            said_no = len(found) == 1 and re.match(re.escape(file) + ":[12]: ", found[0])
            if bool(found) == allowed or (not allowed and not said_no):
                failures.append(f"{file} with {include}: expected allowed={allowed}, got {found}")
    for failure in failures:
        print(f"check_layers self-test: {failure}", file=sys.stderr)
    count = len(cases) + 2
    print(f"check_layers self-test: {count - len(failures)} of {count} cases as expected")
    return 1 if failures else 0


def main(arguments):
    if arguments == ["--self-test"]:
        return self_test()
    if arguments:
        print("usage: check_layers.py [--self-test]", file=sys.stderr)
        return 2
    root = pathlib.Path(__file__).resolve().parent.parent
    found, files = check(root)
    found += check_lists(root)
    for violation in found:
        print(violation, file=sys.stderr)
    if files == 0:
        print("check_layers: no source files found", file=sys.stderr)
        return 1
    print(f"check_layers: {files} files, {len(found)} violations")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
