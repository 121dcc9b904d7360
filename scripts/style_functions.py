# SPDX-License-Identifier: Apache-2.0
"""No function of more than a screen: 60 lines from the first of its declaration to its closing
brace. What a function is, is read off the braces: one that opens after a parameter list and stands
in a namespace or a class. Lambdas count with the function around them. Part of check_style.py."""

import re

MAX_FUNCTION = 60
FOLDERS = ("include", "src", "apps", "bench", "c", "python", "r")

# Functions that are longer and not yet split, as (file, name). A name that is not, or no longer,
# too long is a violation: the list can only shrink.
NOT_YET_SPLIT = set()

CONTAINER = re.compile(r"(^|[\s;])(namespace|class|struct|union|enum|extern)\b(?![^{]*\)\s*(const|noexcept|override|final|\s)*$)")
NAME = re.compile(r"([~\w]+(?:<[^<>()]*>)?(?:::~?\w+)*|operator[^\s(]+)\s*\(")
INITIALIZER = re.compile(r"\)\s*(?:noexcept\s*)?:(?!:).*[\w>]$", re.DOTALL)
ASSIGNED = re.compile(r"(?<![=!<>])=(?!=)")


def without_parentheses(text):
    """The text with what is inside of parentheses blanked out."""
    kept, depth = [], 0
    for char in text:
        depth -= char == ")"
        kept.append(char if depth <= 0 else " ")
        depth += char == "("
    return "".join(kept)


def kind_of(head, around):
    """What a brace after `head` opens: a container, a function, or something else."""
    head = head.strip()
    if around == "function":
        return "other"
    if head.count("(") > head.count(")"):
        return "initializer"  # of an argument
    if CONTAINER.search(without_parentheses(head)):
        return "container"
    if "(" not in head or around != "container":
        return "other"
    if "operator" not in head and ASSIGNED.search(without_parentheses(head)):
        return "other"
    return "initializer" if INITIALIZER.search(head) else "function"


def name_of(head):
    match = NAME.search(head)
    return match.group(1) if match else "?"


def functions(lines):
    """All functions, as (first line, last line, name). `lines` without comments and strings."""
    stack, head, start = [("container", "", 0)], "", 0
    for number, line in enumerate(lines, 1):
        if line.lstrip().startswith("#"):
            continue
        for char in line + "\n":
            if not head.strip() and not char.isspace():
                start = number
            if char == "{":
                kind = kind_of(head, "function" if stack[-1][0] in ("function", "other") else stack[-1][0])
                stack.append((kind, head, start))
                if kind != "initializer":
                    head = ""
            elif char == "}" and len(stack) > 1:
                kind, opened, first = stack.pop()
                if kind == "function":
                    yield first, number, name_of(opened)
                head = opened + "{}" if kind == "initializer" else ""
                start = first if kind == "initializer" else start
            elif char == ";" and stack[-1][0] != "initializer":
                head = ""
            else:
                head += char
            if re.search(r"\b(public|private|protected):$", head.strip()):
                head = ""


def check_functions(file, lines):
    """All violations in one file, as (line, reason)."""
    if file.parts[0] not in FOLDERS:
        return
    pending = {name for other, name in NOT_YET_SPLIT if other == file.as_posix()}
    for first, last, name in functions(lines):
        length = last - first + 1
        if length <= MAX_FUNCTION:
            continue
        if name in pending:
            pending.discard(name)
            continue
        yield first, f"{name} has {length} lines; split it ({MAX_FUNCTION} at most)"
    for name in sorted(pending):
        yield 1, f"{name} is short enough: take it off the list in scripts/style_functions.py"


def cases():
    """For the self-test of check_style.py: files, and the violations that must be reported."""
    spdx = "// SPDX-License-" "Identifier: Apache-2.0\n"

    def case(before, inside, after, lines, file="apps/cli/a.cpp"):
        return {file: spdx + before + inside + after}, [f"{file}:{line}" for line in lines]

    short, long = "  f();\n" * (MAX_FUNCTION - 2), "  f();\n" * (MAX_FUNCTION - 1)
    return [
        case("void f() {\n", short, "}\n", []),
        case("void f() {\n", long, "}\n", [2]),
        case("void f() {\n", long, "}\n", [], "tests/unit/a_test.cpp"),
        case("void f() {\n", long, "}\n", [], "apps/cli/listed.cpp"),
        case("void f() {\n", short, "}\n", [1], "apps/cli/listed.cpp"),
        case("namespace a {\nvoid A::f(int a,\n  int b) const {\n", short, "}\n}\n", [3]),
        case("class A {\n public:\n", "  void f();\n" * 80, "};\n", []),
        case("class A {\n public:\n  void f() {\n", long, "  }\n};\n", [4]),
        case("struct A : B<C> {\n  A(int a) : a_(a), b_{1} {\n", long, "  }\n};\n", [3]),
        case("const int table[] = {\n", "  1,\n" * 80, "};\n", []),
        case("const auto x = f({\n", "  1,\n" * 80, "});\n", []),
        case("enum class A : int {\n", "  kOne,\n" * 80, "};\n", []),
        case("void f() {}\nbool operator==(A a, B b) {\n", long, "}\n", [3]),
        case("template <class T>\nvoid f(T t = {}) {\n", short, "}\n", [2]),
        case("void f() {\n  const auto g = [] {\n", short, "  };\n}\n", [2]),
        case("void f() {\n  if (a) {\n  }\n}\n", "void g();\n" * 80, "", []),
    ]
