# SPDX-License-Identifier: Apache-2.0
"""JSON is written by JsonWriter (src/core/base/json_writer.h) and not glued from strings, where a comma or
a quotation mark is forgotten sooner or later. Part of check_style.py."""

import re

WRITERS = {"include", "src", "apps", "bench", "c", "python", "r"}
LITERAL = re.compile(
    r'//[^\n]*|/\*.*?\*/|R"(\w*)\(.*?\)\1"|"(?:\\.|[^"\\\n])*"|(?<!\w)\'(?:\\.|[^\'\\\n])+\'', re.DOTALL
)
GLUED = re.compile(r'\\"\s*:|\{\\"')
GLUED_RAW = re.compile(r'\w"\s*:|\{\s*"')
# Strings that have a piece of JSON in them and write none: the file, how the string begins, and why.
SHOWN = {
    ("src/data/problems/problem_json.cpp", "a cell with a key needs"): "a sentence that shows what is missing",
    ("c/src/texts.cpp", "options must be a JSON object"): "a sentence that shows what options look like",
    ("bench/sets/safety_words.cpp", "card protected|"): "looks for what was printed",
    ("bench/sets/safety_words.cpp", '\\"guess_exact\\"'): "looks for what was printed",
}


def check_json(file, text):
    """The literals of a C++ file that are pieces of JSON, as (line, reason)."""
    if file.parts[0] not in WRITERS:
        return
    for match in LITERAL.finditer(text):
        literal = match.group()
        if literal[0] == '"':
            inside, pattern = literal[1:], GLUED
        elif literal[0] == "R":
            inside, pattern = literal, GLUED_RAW
        else:
            continue
        shown = any(file.as_posix() == name and inside.startswith(words) for name, words in SHOWN)
        if pattern.search(inside) and not shown:
            yield text.count("\n", 0, match.start()) + 1, "JSON glued from strings; JsonWriter (src/core/base/json_writer.h)"


def cases():
    """Each case: files with their texts, and the violations that must be reported."""
    spdx = "// SPDX-License-" "Identifier: Apache-2.0\n"
    for file, text, lines in [
        ("apps/serve/a.cpp", 'auto a = "{\\"error\\":" + b;\n', [2]),
        ("apps/serve/a.cpp", 'auto a = x ? "" : "{\\"" + name;\n', [2]),
        ("apps/serve/a.cpp", 'out += std::string(",\\"") + name + "\\": " + b;\n', [2]),
        ("apps/serve/a.cpp", 'auto a = fmt::format(\n    "{{\\"cells\\":{},"\n    "\\"parts\\":{}}}", b, c);\n', [3, 4]),
        ("apps/serve/a.cpp", 'auto a = R"({"cells": 1})";\n', [2]),
        ("apps/serve/a.cpp", 'json.member("cells", 1);  // "{\\"cells\\":1}"\n', []),
        ("apps/serve/a.cpp", '/* "\\"a\\":" */ auto a = "<a href=\\"{}\\">{}</a>: ";\n', []),
        ("apps/serve/a.cpp", "auto quote = '\"'; auto colon = ':';\n", []),
        ("tests/unit/a_test.cpp", 'EXPECT_EQ(a, "{\\"error\\":1}");\n', []),
        ("c/src/texts.cpp", 'f("options must be a JSON object, {\\"method\\": 1}");\n', []),
        ("c/src/texts.cpp", 'f("{\\"method\\": 1}");\n', [2]),
    ]:
        yield {file: spdx + text}, [f"{file}:{line}" for line in lines]
