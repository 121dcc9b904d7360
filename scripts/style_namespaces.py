# SPDX-License-Identifier: Apache-2.0
"""One namespace per folder of src/layers.txt, so that two types of one name in two folders are two
symbols and not a silent violation of the one definition rule. Part of check_style.py."""

import re

from layers import TABLE, read_layers

LAYERS = read_layers()

OPENING = re.compile(r"^\s*(?:inline\s+)?namespace\b([^;={]*)\{")
# A C interface of others, whose names are part of it.
C_LINKAGE = re.compile(r"^extern\b[^;(]*\{")
TYPE = re.compile(r"^(?:template\s*<.*>\s*)?(?:struct|class|union|enum(?:\s+class)?)\s+\w+[^;()]*\{")
# What a folder says of its own types to a template of the interface, as one says it to std::hash.
SPECIALIZED = re.compile(r"^struct lacuna::(\w+)<")
# A definition begins at the left margin; what stands before the parenthesis is its name.
DEFINED = re.compile(r"^(?=[A-Za-z_]).*?\b(\w+)(?:<[^<>]*>)?(?:::~?\w+)*\s*\(")
WORD = re.compile(r"\w+")


# The arithmetic of Integer and Fraction, which every other namespace finds by its operands.
IN_PLAIN_LACUNA = {"src/core/base/exact.h"}


def has_namespace(file):
    """Whether a file is in a folder that must have its namespace."""
    row = LAYERS.row_of(file)
    return file.parts[0] == "src" or (file.parts[0] != "include" and row is not None and row.namespace is not None)


def public_words(texts):
    """Every word of the public headers: what plain lacuna may define."""
    return {word for text in texts for word in WORD.findall(text)}


def spelled(row):
    """How files of a folder open their namespace."""
    return f"lacuna::{row.namespace}"


def judge_opening(opened, own, is_header, around):
    """Why this namespace may not be opened here, or None. `around`: those that are open already."""
    if opened == "" or opened == own:
        return None
    if around and around[0] == own:
        return None  # a part of the folder's own
    if opened == "lacuna" and not is_header:
        return None
    if opened == "lacuna":
        return f"a header of this folder declares in {own}"
    return f"files of this folder open {own}, not {opened}"


def judge_definition(line, around, public):
    """Why this definition may not stand where it stands, or None."""
    special = SPECIALIZED.match(line)
    if not around and TYPE.match(line) and not (special and special.group(1) in public):
        return "a type outside of any namespace"
    if around != ["lacuna"]:
        return None
    if TYPE.match(line):
        return "a type of its own in plain lacuna; only what include/lacuna declares is defined there"
    match = DEFINED.match(line)
    if match and match.group(1) not in public:
        return f"{match.group(1)} in plain lacuna, but no public header declares it"
    return None


def check_namespaces(file, lines, public):
    """All violations in one such file, as (line, reason). `lines` without comments and strings."""
    if file.as_posix() in IN_PLAIN_LACUNA:
        return
    row = LAYERS.row_of(file)
    if row is None or row.namespace is None:
        yield 1, f"{file.parent} has no namespace; give it one in {TABLE}"
        return
    own = spelled(row)
    around, depths, depth = [], [], 0
    for number, line in enumerate(lines, 1):
        match = OPENING.match(line)
        if match:
            opened = " ".join(match.group(1).split())
            reason = judge_opening(opened, own, file.suffix == ".h", around)
            around.append(opened)
            depths.append(depth)
        elif C_LINKAGE.match(line):
            reason = None
            around.append("C")
            depths.append(depth)
        else:
            reason = judge_definition(line, around, public)
        if reason:
            yield number, reason
        depth += line.count("{") - line.count("}")
        while depths and depth <= depths[-1]:
            depths.pop()
            around.pop()


def cases():
    """For the self-test of check_style.py: files, and the violations that must be reported."""
    spdx = "// SPDX-License-" "Identifier: Apache-2.0\n"
    header = "namespace LACUNA_API lacuna {\nclass Auditor;  // not Hidden\nint judge(int);\n}\n"
    public = {"include/lacuna/audit.h": spdx + header}

    def case(file, code, lines):
        return {**public, file: spdx + code}, [f"{file}:{line}" for line in lines]

    own = "namespace lacuna::start {\n"
    return [
        case("src/protect/start/a.h", own + "struct Need {\n  int a;\n};\n}\n", []),
        case("src/protect/start/a.h", own + "namespace {\nint a;\n}\n}\n", []),
        case("src/protect/start/a.h", own + "namespace residue {\nint a;\n}\n}\n", []),
        case("src/protect/start/a.h", "namespace lacuna {\nstruct Need {};\n}\n", [2, 3]),
        case("src/protect/start/a.h", "namespace lacuna::heuristic {\nstruct Need {};\n}\n", [2]),
        case("src/protect/start/a.h", "namespace lacuna::suppression {\nstruct Need {};\n}\n", [2]),
        case("src/protect/start/a.h", own + "}\nnamespace lacuna::table {\nstruct Network;\n}\n", [4]),
        case("src/data/argus/a.h", "namespace lacuna::argus {\nstruct Cell {};\n}\n", []),
        case("src/data/argus/a.h", "namespace lacuna::inline argus {\nstruct Cell {};\n}\n", [2]),
        case("src/protect/start/a.h", "struct Need {};\n", [2]),
        case("src/protect/start/a.h", "template <>\nstruct lacuna::Auditor<int> {};\n", []),
        case("src/protect/start/a.h", "template <>\nstruct lacuna::Need<int> {};\n", [3]),
        case("src/protect/start/a.h", 'extern "C" {\nstruct Need {\n  int a;\n};\n}\nstruct Need2 {};\n', [7]),
        case("src/protect/start/a.cpp", "namespace residue {\nint a;\n}\n", [2]),
        case("src/protect/suppress/cuts/a.h", "namespace lacuna::suppression {\nint a;\n}\n", []),
        case("src/protect/suppress/cuts/a.h", "namespace lacuna::suppress {\nint a;\n}\n", [2]),
        case("src/judge/audit/a.cpp", "namespace lacuna {\nnamespace {\nstruct Mine {};\n}\n}\n", []),
        case("src/judge/audit/a.cpp", "namespace lacuna {\nint judge(int a) {\n  return a;\n}\n}\n", []),
        case("src/judge/audit/a.cpp", "namespace lacuna {\nAuditor::Auditor(int a) : a_(f(a)) {}\n}\n", []),
        case("src/judge/audit/a.cpp", "namespace lacuna {\nint Hidden::size() {\n  return f(1);\n}\n}\n", [3]),
        case("src/judge/audit/a.cpp", "namespace lacuna {\nint hidden(int a) {\n  return a;\n}\n}\n", [3]),
        case("src/judge/audit/a.cpp", "namespace lacuna {\nstruct Hidden {\n  int a;\n};\n}\n", [3]),
        case("src/unheard_of/a.cpp", "namespace lacuna {\n}\n", [1]),
        case("bench/sets/a.cpp", "namespace lacuna::bench {\nint a;\n}\n", []),
        case("bench/sets/a.cpp", "namespace lacuna::job {\nint a;\n}\n", [2]),
        case("apps/serve/a.h", "namespace lacuna::serve {\nstruct Need {};\n}\n", []),
        case("apps/serve/a.h", "namespace lacuna::inline serve {\nstruct Need {};\n}\n", [2]),
        case("python/src/a.h", "namespace lacuna {\nstruct Need {};\n}\n", [2, 3]),
        case("r/src/a.cpp", "namespace lacuna::r {\nint a;\n}\n", []),
        case("r/src/core/a.cpp", "namespace {\nint a;\n}\nstruct Need {};\n", []),
        case("apps/cli/a.h", "namespace lacuna {\nstruct Need {};\n}\n", []),
        case("bench/audit/a.cpp", "namespace {\nint a;\n}\n", []),
        case("tests/unit/audit/a_test.cpp", "namespace lacuna {\nstruct Mine {};\n}\n", []),
    ]
