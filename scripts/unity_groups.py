#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Which source files may be compiled together.

A unity build compiles several .cpp files as one, which halves the work of the compiler: headers are
read and templates instantiated once. Files that stand alone may use the same name twice in unnamed
namespaces; as one they may not. So nobody has to care: files are dealt into groups such that

  - no two files of a group define the same name in an unnamed namespace,
  - no type of one file's unnamed namespace is a word of another file and no function is called
    there (it would hide what a header declares),
  - a group has at most --lines lines, so that a change recompiles little and all cores have work.

The sources are formatted (make format), so what an unnamed namespace holds begins in the first
column, and reading lines is enough. cmake/LacunaTargets.cmake asks at every configure.

  unity_groups.py [--lines N] file...   prints "<group> <file>" per file
  unity_groups.py --self-test
"""
import argparse
import re
import sys

TYPE = re.compile(r"(?:template <.*> )?(?:struct|class|enum class|enum|concept)\s+(\w+)")
ALIAS = re.compile(r"using (\w+) = (.*)")
VALUE = re.compile(r"(?:\w[\w:<>,&*() ]*[ &*>])?(\w+)\s*(?:\(|\[|=|\{|;)")
UNNAMED = re.compile(r"^namespace \{$(.*?)^\}  // namespace$", re.M | re.S)
COMMENT = re.compile(r"//.*")
WORD = re.compile(r"(?<![\w.>:])[A-Za-z_]\w*")
CALL = re.compile(r"(?<![\w.>:])([A-Za-z_]\w*)\(")


class File:
    """What one file defines for itself, and all its words."""

    def __init__(self, text):
        self.lines = text.count("\n")
        own = "".join(UNNAMED.findall(text))
        text = COMMENT.sub("", text)
        self.words, self.calls = set(WORD.findall(text)), set(CALL.findall(text))
        self.types, self.names, self.aliases = set(), set(), {}
        for line in own.split("\n"):
            self.read(line)
        for enumerators in re.findall(r"^enum \w[^{]*\{([^}]*)\}", own, re.M):
            self.names.update(re.findall(r"\b(k\w+)", enumerators))

    def read(self, line):
        if not re.match(r"\w", line):
            return
        found = TYPE.match(line)
        if found:
            self.types.add(found.group(1))
            return
        found = ALIAS.match(line)
        if found:
            self.aliases[found.group(1)] = found.group(2)
            return
        self.names.update(re.findall(r"\b(k[A-Z]\w*) =", line))  # more than one in a declaration
        found = VALUE.match(line)
        if found and not found.group(1).isupper():  # TEST and its like define no such name
            self.names.add(found.group(1))

    def disturbs(self, other):
        return (
            self.types & other.words
            or self.names & (other.calls | other.names)
            or any(n in other.words and other.aliases.get(n) != t for n, t in self.aliases.items())
        )

    def meets(self, other):
        return bool(self.disturbs(other) or other.disturbs(self))


def deal(files, most_lines):
    """[(path, File)] -> a list of lists of paths; the first group that can take a file gets it."""
    groups = []
    for path, file in files:
        for group in groups:
            lines = sum(member.lines for _, member in group)
            if lines + file.lines <= most_lines and not any(file.meets(m) for _, m in group):
                group.append((path, file))
                break
        else:
            groups.append([(path, file)])
    return [[path for path, _ in group] for group in groups]


def self_test():
    def file(text):
        return File("namespace {\n" + text + "}  // namespace\nint f();\n")

    one = file("std::size_t at(int i) {\n  return i;\n}\nTEST(A, B) {\n}\nstruct Row {\n};\n")
    assert (one.names, one.types) == ({"at"}, {"Row"}), (one.names, one.types)
    same = file("int at(CellId cell) {\n}\n")
    other = file("constexpr double kOne = 1, kHalf = 0.5;\nenum Column { kCost, kStatus };\n")
    assert other.names == {"kOne", "kHalf", "kCost", "kStatus"}, other.names
    user = File("Row row;\n")
    alias = file("using Row = int;\n")
    assert alias.meets(one) and alias.meets(user) and not alias.meets(alias)
    assert one.meets(same) and one.meets(user) and not one.meets(other)
    assert deal([("a", one), ("b", same), ("c", other), ("d", user)], 100) == [["a", "c"], ["b", "d"]]
    assert deal([("a", other), ("b", user)], 1) == [["a"], ["b"]]


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("--lines", type=int, default=4000)
    parser.add_argument("--self-test", action="store_true")
    parser.add_argument("files", nargs="*")
    arguments = parser.parse_args()
    if arguments.self_test:
        self_test()
        print("unity_groups: the self-test passed")
        return
    files = []
    for path in arguments.files:
        with open(path, encoding="utf-8") as stream:
            files.append((path, File(stream.read())))
    for number, group in enumerate(deal(files, arguments.lines)):
        for path in group:
            print(f"{number} {path}")


if __name__ == "__main__":
    sys.exit(main())
