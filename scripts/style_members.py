# SPDX-License-Identifier: Apache-2.0
"""No class with more members than one keeps in mind: the members of an algorithm are its global
variables, and the order of its calls is a hidden argument. Counted are the data members of a class
or struct, without static ones and those of bases and nested types. A struct is a value and may have
a few more. What is a list by nature does not count: options, settings, numbers of tuning, jobs, summaries.
Part of check_style.py."""

import re

MOST = {"class": 16, "struct": 24}
FOLDERS = ("src", "apps", "bench", "c", "python", "r")
LISTS = re.compile(r"(Options|Settings|Tuning|Spec|Job|Summary)$")

# What has more, as (file, name), and how many. A number that is not, or no longer, right is a
# violation: they can only fall, and what is within the limit leaves the list.
NOT_YET_SPLIT = {
    ("apps/serve/run.h", "Run"): 28,
    ("src/app/argus_run/argus_session.h", "ArgusSession"): 23,
    ("src/core/base/progress_meter.h", "ProgressMeter"): 17,
    ("src/core/flow/largest_flow.h", "LargestFlow"): 17,
    ("src/data/argus/metadata.h", "Variable"): 34,
    ("src/data/tabulate/aggregates.cpp", "AggregateReader"): 18,
    ("src/data/tabulate/record_reader.h", "RecordReader"): 21,
}

OPENED = re.compile(
    r"(?:^|[\s>])(class|struct)\s+((?:\w+::)*\w+)(?:\s+final)?\s*(?:<[^{}]*>\s*)?(?::(?!:)[^{}=()]*)?$"
)
NO_MEMBER = re.compile(r"^(?:using|typedef|friend|static|template|enum|class|struct|union|constexpr|return)\b")
SECTION = re.compile(r"^(?:\s*(?:public|private|protected)\s*:(?!:))+")
INITIALIZED = re.compile(r"\)\s*(?:noexcept\s*)?:(?!:)")
QUALIFIED = re.compile(r"\)\s*(?:const|noexcept|override|final|&|\s)*(?:->.*)?$", re.DOTALL)
BRACKETS = [re.compile(p) for p in (r"<[^<>;{}]*>", r"\[[^\[\]]*\]", r"\{[^{}]*\}")]


def split(text):
    """The parts between commas outside of parentheses."""
    parts, depth = [""], 0
    for char in text:
        depth += (char == "(") - (char == ")")
        if char == "," and depth == 0:
            parts.append("")
        else:
            parts[-1] += char
    return parts


def members_of(statement):
    """How many data members a statement in a class declares."""
    statement = SECTION.sub("", statement).strip()
    if not statement or NO_MEMBER.match(statement) or re.search(r"\boperator\b", statement):
        return 0
    plain = statement.replace("->", "  ").replace("<<", "  ").replace("<=", "  ")
    for bracket in BRACKETS * 4:  # nested so deep
        plain = bracket.sub("", plain)
    declared = [part.partition("=")[0] for part in split(plain)]
    if any("(" in part for part in declared) or len(declared[0].split()) < 2:
        return 0
    return len(declared)


def is_function(head):
    """Whether the braces after `head` are the body of a function, and not a first value."""
    head = head.strip()
    if INITIALIZED.search(head):
        return not re.search(r"\w$", head)
    if "operator" not in head and "=" in head.partition("(")[0]:
        return False
    return QUALIFIED.search(head) is not None


def classes(lines):
    """All classes, as (line, kind, name, members). `lines` without comments and strings."""
    frames, heads = [["other", "", 0, 0]], [""]
    for number, line in enumerate(lines, 1):
        if line.lstrip().startswith("#"):
            continue
        for char in line + "\n":
            if char == "{":
                opened = OPENED.search(" ".join(heads[-1].split())) if "(" not in heads[-1] else None
                frames.append([*opened.groups(), number, 0] if opened else ["other", "", number, 0])
                heads.append("")
            elif char == "}" and len(frames) > 1:
                kind, name, first, members = frames.pop()
                heads.pop()
                if kind != "other":
                    yield first, kind, name, members
                    heads[-1] = "struct"  # nothing but its semicolon follows
                else:
                    heads[-1] = "" if is_function(heads[-1]) else heads[-1] + "{}"
            elif char == ";":
                if frames[-1][0] != "other":
                    frames[-1][3] += members_of(heads[-1])
                heads[-1] = ""
            else:
                heads[-1] += char


def check_members(file, lines):
    """All violations in one file, as (line, reason)."""
    if file.parts[0] not in FOLDERS:
        return
    pending = {name: most for (other, name), most in NOT_YET_SPLIT.items() if other == file.as_posix()}
    for first, kind, name, members in classes(lines):
        most = pending.get(name, MOST[kind])
        if members > most and not LISTS.search(name):
            yield first, f"{name} has {members} data members; split it ({most} at most)"
        if name in pending:
            if members < most:
                yield first, f"{name} has {members} data members by now: say so in scripts/style_members.py"
            del pending[name]
    for name in sorted(pending):
        yield 1, f"there is no {name}: take it off the list in scripts/style_members.py"


def cases():
    """For the self-test of check_style.py: files, and the violations that must be reported."""
    spdx = "// SPDX-License-" "Identifier: Apache-2.0\n"
    opened = "namespace lacuna::flow {\n"

    def case(before, inside, after, lines, file="src/core/flow/a.h"):
        return {file: spdx + opened + before + inside + after + "}\n"}, [f"{file}:{line}" for line in lines]

    def members(count):
        return "".join(f"  std::map<int, std::function<void(int)>> a{k}_;\n" for k in range(count))

    most = MOST["class"]
    return [
        case("class A {\n", members(most), "};\n", []),
        case("class A {\n", members(most + 1), "};\n", [3]),
        case("struct A {\n", members(MOST["struct"]), "};\n", []),
        case("struct A {\n", members(MOST["struct"] + 1), "};\n", [3]),
        case("template <class T>\nclass A final : public B<T> {\n", members(most + 1), "};\n", [4]),
        case("class A {\n  int x = f(1, 2), y{0};\n", members(most - 1), "};\n", [3]),
        case("class A {\n  static int x;\n  using B = int;\n", members(most), "};\n", []),
        case("class A {\n  int f(int a) const { return a; }\n  A& operator=(A&) = delete;\n", members(most), "};\n", []),
        case("class A {\n  struct B {\n    int x;\n  };\n", members(most), "};\n", []),
        case("class A {\n  A() : a_(1), b_{2} {}\n", members(most + 1), "};\n", [3]),
        case("struct AOptions {\n", members(2 * most), "};\n", []),
        case("class A {\n", members(most + 1), "};\n", [], "tests/unit/flow/a_test.cpp"),
        case("class Listed {\n", members(most + 1), "};\n", [], "src/core/flow/listed.h"),
        case("class Listed {\n", members(most), "};\n", [3], "src/core/flow/listed.h"),
        case("class Listed {\n", members(most + 2), "};\n", [3], "src/core/flow/listed.h"),
        case("class Other {\n", members(most), "};\n", [1], "src/core/flow/listed.h"),
    ]
