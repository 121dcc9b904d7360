#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The modules of the page have the types that they say (tsc --checkJs). Nothing is built by it: the browser reads the
files as they are. Ends with 77 where there is no TypeScript.

  serve_types_test.py WEB_FOLDER
"""
import pathlib
import subprocess
import sys
import tempfile

import driven

FLAGS = ["--noEmit", "--allowJs", "--checkJs", "--target", "es2022", "--module", "es2022", "--moduleResolution", "bundler",
         "--lib", "es2023,dom,dom.iterable", "--skipLibCheck", "--pretty", "false"]
STRICT = ["--strict"]
# web/shared is the report's, too, and says little of its types: what can be told without them is checked.
LOOSE = ["--strict", "--noImplicitAny", "false", "--strictNullChecks", "false"]


def complaints(tsc, how, files):
    done = subprocess.run([tsc, *FLAGS, *how, *map(str, files)], capture_output=True, text=True, check=False)
    return [line for line in done.stdout.splitlines() if "error TS" in line]


def main(web):
    folder = driven.tools_folder()
    tsc = folder / "node_modules" / ".bin" / "tsc" if folder else None
    if tsc is None or not tsc.exists():
        driven.skip("there is no TypeScript here")
    with tempfile.TemporaryDirectory() as name:  # it says no where it must
        wrong = pathlib.Path(name) / "wrong.js"
        wrong.write_text("/** @param {number} n */\nfunction f(n) { return n; }\nf('text');\n", encoding="utf-8")
        for how in (STRICT, LOOSE):
            assert complaints(tsc, how, [wrong]), "a wrong type passes"
    files = sorted(path for path in pathlib.Path(web).rglob("*.js") if path.parent.name != "bin")  # bin: Node's own types
    assert len(files) > 5, files
    found = [line for line in complaints(tsc, STRICT, files) if "/shared/" not in line.split("(")[0]]
    found += [line for line in complaints(tsc, LOOSE, files) if "/shared/" in line.split("(")[0]]
    print("\n".join(found) or f"{len(files)} modules have the types that they say")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
