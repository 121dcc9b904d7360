#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Reads the imports of the Python package python/lacuna_sdc against the floors below. Every import
counts: at the top, inside a function, and for type checkers alone. Prints file:line for an import of
a module on a higher floor, of the package itself, or by a name that is made at run time, and for one
at the top that is neither of Python nor of the package; every circle; every module without a floor;
and every module of a floor that is not there.

  scripts/check_python_imports.py               check the package; exit 1 if there is a violation
  scripts/check_python_imports.py --self-test   show that the check says no where it must
"""

import ast
import pathlib
import sys
import tempfile

TREE = pathlib.Path(__file__).resolve().parent.parent
PACKAGE = "python/lacuna_sdc"

# From the ground up: a module imports those of its own floor and of the floors above in this list.
FLOORS = {
    "ground": "_call_help _errors _help _html _machine _options _progress",
    "arguments": "_arguments _cells _hierarchy _job _reading _rules _sources _wide",
    "values": "_argus_run _audit _comparison _frames _plan_run _problem _release _statements",
    "runs": "_executors _orders",
    "calls": "_audit_release _command _compare _crosstab _explain _generate _infer _protect _protect_many _ptable _report "
    "_run_arb _run_plan _show _sql _tabulate _versions acro dbt",
    "package": "__init__ __main__",
}
COMPILED = "_core"  # the extension module: below all floors, and it has no file here

# What imports by a name that ast does not see.
BY_NAME = {"__import__", "import_module"}


class Import:
    """An import of one module, `target`: its full name, or the bare name of one of the package."""

    def __init__(self, line, target, inside, at_top):
        self.line, self.target, self.inside, self.at_top = line, target, inside, at_top


def is_for_types(test):
    return getattr(test, "id", getattr(test, "attr", None)) == "TYPE_CHECKING"


def nodes_of(node, at_top=True):
    """All nodes below this one, each with whether it runs when the module is imported."""
    for field, value in ast.iter_fields(node):
        later = isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)) or (
            isinstance(node, ast.If) and is_for_types(node.test) and field == "body"
        )
        for child in value if isinstance(value, list) else [value]:
            if isinstance(child, ast.AST):
                yield child, at_top and not later
                yield from nodes_of(child, at_top and not later)


def called(node):
    return getattr(node.func, "id", getattr(node.func, "attr", None))


def imports_of(text, package, modules):
    """The imports of a module of the package, and the lines that import by name."""
    imports, hidden = [], []
    for node, at_top in nodes_of(ast.parse(text)):
        if isinstance(node, ast.Call) and called(node) in BY_NAME:
            hidden.append(node.lineno)
        found = []
        if isinstance(node, ast.Import):
            found = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            home = ".".join([package] * (node.level > 0) + [node.module] * bool(node.module))
            found = [home]
            if home == package:  # each name is a module, or one of the package itself
                found = [f"{home}.{a.name}" if a.name in modules else home for a in node.names]
        for name in found:
            inside = name == package or name.startswith(package + ".")
            target = name.removeprefix(package + ".") if inside and name != package else name
            target = "__init__" if name == package else target
            imports.append(Import(node.lineno, target, inside, at_top))
    return imports, hidden


def circles(graph):
    """One circle per knot of modules that import one another, as lists that end as they begin."""
    done = set()
    for start in sorted(graph):
        path = None if start in done else way_back(graph, start)
        if path:
            yield path
            done |= {module for module in graph if reaches(graph, module, start) and
                     reaches(graph, start, module)}


def way_back(graph, start):
    """The shortest way from a module to itself, or None."""
    ways = [[start]]
    seen = set()
    while ways:
        way = ways.pop(0)
        for target in sorted(graph[way[-1]]):
            if target == start:
                return [*way, start]
            if target in graph and target not in seen:
                seen.add(target)
                ways.append([*way, target])
    return None


def reaches(graph, start, end):
    seen, todo = set(), [start]
    while todo:
        for target in graph.get(todo.pop(), ()):
            if target not in seen:
                seen.add(target)
                todo.append(target)
    return end in seen


def violations(folder, floors):
    """All that is wrong with the package in this folder."""
    files = {path.stem: path for path in sorted(folder.glob("*.py"))}
    floor_of = {name: floor for floor, names in floors.items() for name in names.split()}
    place = {floor: number for number, floor in enumerate(floors)}
    known = {*files, COMPILED}
    graph, found = {}, []
    for path in sorted(folder.rglob("*.py")):
        if path.parent != folder:
            found.append(f"{path.relative_to(folder)}:1: the package has no folders")
    for floor, names in floors.items():
        listed = [other for others in floors.values() for other in others.split()]
        for name in names.split():
            if name not in files:
                found.append(f"{name} of the floor {floor} is not there")
            if listed.count(name) > 1:
                found.append(f"{name} stands on {listed.count(name)} floors")
    for name, path in files.items():
        if name not in floor_of:
            found.append(f"{path.name}:1: {name} stands on no floor")
        imports, hidden = imports_of(path.read_text("utf-8"), folder.name, known)
        graph[name] = {each.target for each in imports if each.inside}
        found += [f"{path.name}:{line}: an import by name, which nobody can check" for line in hidden]
        for each in imports:
            reason = judge(each, name, floor_of, place)
            if reason:
                found.append(f"{path.name}:{each.line}: {reason}")
    found += ["a circle: " + " imports ".join(circle) for circle in circles(graph)]
    return found, len(files), sum(map(len, graph.values()))


def judge(each, name, floor_of, place):
    """Why this import is wrong, or None."""
    if not each.inside:
        if each.at_top and each.target.split(".")[0] not in sys.stdlib_module_names:
            return f"{each.target} is no part of Python: import it where it is needed"
        return None
    if each.target == COMPILED:
        return None
    if each.target not in floor_of:
        return f"there is no module {each.target}" if name in floor_of else None
    if name in floor_of and place[floor_of[each.target]] > place[floor_of[name]]:
        return (f"{name} is one of the {floor_of[name]}, and {each.target} stands above them, "
                f"with the {floor_of[each.target]}")
    return None


# ---- the self-test

SMALL_FLOORS = {"low": "_a _b", "high": "_c", "top": "__init__"}
SMALL = {
    "_a": "import os.path\nfrom . import _core\n",
    "_b": "from __future__ import annotations\nfrom ._a import a\n",
    "_c": "from . import _a, _core\nfrom ._b import b\nfrom small._a import a\n",
    "__init__": "from ._c import c\n",
}
FOR_TYPES = "from typing import TYPE_CHECKING\nif TYPE_CHECKING:\n    "
IN_FUNCTION = "def f():\n    "


def cases():
    """Each case: modules besides those of the small package, or in place of them, and what must be
    said, in this order."""
    return [
        ({}, []),
        ({"_a": "from ._b import b\n"}, ["a circle: _a imports _b imports _a"]),
        ({"_a": FOR_TYPES + "from ._b import b\n"}, ["a circle: _a imports _b imports _a"]),
        ({"_a": "import typing\nif typing.TYPE_CHECKING:\n    from . import _b\n"},
         ["a circle: _a imports _b imports _a"]),
        ({"_a": IN_FUNCTION + "from . import _b\n"}, ["a circle: _a imports _b imports _a"]),
        ({"_a": IN_FUNCTION + "import small._b\n"}, ["a circle: _a imports _b imports _a"]),
        ({"_a": "class A:\n    def f(self):\n        if self:\n            from ._b import b\n"},
         ["a circle: _a imports _b imports _a"]),
        ({"_a": "try:\n    from ._a import a\nexcept ImportError:\n    pass\n"},
         ["a circle: _a imports _a"]),
        ({"_b": "from ._c import c\n"},
         ["_b.py:1: _b is one of the low, and _c stands above them, with the high",
          "a circle: _b imports _c imports _b"]),
        ({"_a": FOR_TYPES + "from ._c import c\n"},
         ["_a.py:3: _a is one of the low, and _c", "a circle: _a imports _c imports _a"]),
        ({"_c": "from . import c\n"},
         ["_c.py:1: _c is one of the high, and __init__", "a circle: __init__ imports _c imports __init__"]),
        ({"_c": IN_FUNCTION + "import small\n"},
         ["_c.py:2: _c is one of the high, and __init__", "a circle: __init__ imports _c imports __init__"]),
        ({"_b": "from ._a import a\nfrom ._c import c\n", "_a": "from ._c import c\n", "_c": ""},
         ["_a.py:1: _a is one of the low", "_b.py:2: _b is one of the low"]),
        ({"_d": ""}, ["_d.py:1: _d stands on no floor"]),
        ({"_c": None, "__init__": ""}, ["_c of the floor high is not there"]),
        ({"_b": "from ._gone import a\n"}, ["_b.py:1: there is no module _gone"]),
        ({"deep/_e": ""}, ["deep/_e.py:1: the package has no folders"]),
        ({"_a": "import pandas\n"}, ["_a.py:1: pandas is no part of Python"]),
        ({"_a": "try:\n    from tqdm.auto import tqdm\nexcept ImportError:\n    pass\n"},
         ["_a.py:2: tqdm.auto is no part of Python"]),
        ({"_a": FOR_TYPES + "import pandas\n"}, []),
        ({"_a": "from typing import TYPE_CHECKING\nif TYPE_CHECKING:\n    pass\nelse:\n    import pandas\n"},
         ["_a.py:5: pandas is no part of Python"]),
        ({"_a": IN_FUNCTION + "import pandas\n"}, []),
        ({"_a": "class A:\n    import pandas\n"}, ["_a.py:2: pandas is no part of Python"]),
        ({"_a": "import importlib\nb = importlib.import_module('small._b')\n"},
         ["_a.py:2: an import by name"]),
        ({"_a": IN_FUNCTION + "return __import__('small._b')\n"}, ["_a.py:2: an import by name"]),
    ]


def self_test():
    failures = []
    for changes, expected in cases():
        with tempfile.TemporaryDirectory() as name:
            folder = pathlib.Path(name) / "small"
            for module, text in {**SMALL, **changes}.items():
                if text is not None:
                    path = folder / f"{module}.py"
                    path.parent.mkdir(parents=True, exist_ok=True)
                    path.write_text(text)
            found = violations(folder, SMALL_FLOORS)[0]
            if len(found) != len(expected) or not all(map(str.startswith, found, expected)):
                failures.append(f"{changes}: expected {expected}, got {found}")
    twice = violations(TREE / PACKAGE, {**FLOORS, "runs": FLOORS["runs"] + " _job"})[0]
    if "_job stands on 2 floors" not in twice:
        failures.append(f"a module on two floors: got {twice}")
    for failure in failures:
        print(f"check_python_imports self-test: {failure}", file=sys.stderr)
    count = len(cases()) + 1
    print(f"check_python_imports self-test: {count - len(failures)} of {count} cases as expected")
    return 1 if failures else 0


def main(arguments):
    if arguments == ["--self-test"]:
        return self_test()
    if arguments:
        print("usage: check_python_imports.py [--self-test]", file=sys.stderr)
        return 2
    found, modules, arrows = violations(TREE / PACKAGE, FLOORS)
    for violation in found:
        is_line = ".py:" in violation.split(" ")[0]
        print(f"{PACKAGE}/{violation}" if is_line else f"{PACKAGE}: {violation}", file=sys.stderr)
    if modules == 0:
        print("check_python_imports: no modules found", file=sys.stderr)
        return 1
    print(f"check_python_imports: {modules} modules, {arrows} imports, {len(found)} violations")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
