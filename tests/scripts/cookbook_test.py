#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Runs the commands of docs/cookbook.md and compares what they print with the lines below them.

  cookbook_test.py LACUNA COOKBOOK            every recipe that needs nothing but this repository
  cookbook_test.py LACUNA COOKBOOK --shared   those that want data of others (tests/test_data.py)

<!-- file NAME --> makes the next block a file, <!-- needs FOLDER --> copies the files of a folder of
tests/data, <!-- wants FOLDER --> those of a folder of data of others. In a line of expected text
`...` stands for anything; `exit N` is the exit code, 0 if it is not given."""
import pathlib
import re
import shlex
import shutil
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
import test_data


def recipes(text):
    """Title and parts: ("file", name, text), ("needs" or "wants", folder), ("sh", lines)."""
    for section in re.split(r"^## ", text, flags=re.MULTILINE)[1:]:
        title, _, body = section.partition("\n")
        parts, name = [], None
        for mark in re.finditer(r"<!-- (file|needs|wants) (\S+) -->|^```(\w*)\n(.*?)^```$", body,
                                re.MULTILINE | re.DOTALL):
            if mark[1] == "file":
                name = mark[2]
            elif mark[1]:
                parts.append((mark[1], mark[2]))
            elif mark[3] == "sh":
                parts.append(("sh", mark[4].splitlines()))
            elif name is not None:
                parts.append(("file", name, mark[4]))
                name = None
        yield title, parts


def runs(lines):
    """Commands with the lines that they must print and their exit codes."""
    command, wanted, code = None, [], 0
    for line in lines:
        if line.startswith("$ "):
            if command:
                yield command, wanted, code
            command, wanted, code = line[2:], [], 0
        elif line.startswith("exit "):
            code = int(line[5:])
        elif line.strip():
            wanted.append(line.strip())
    if command:
        yield command, wanted, code


def found(line, printed):
    return re.search(".*".join(re.escape(piece) for piece in line.split("...")), printed) is not None


def run_recipe(lacuna, title, parts, folder):
    """What is wrong, as a list of sentences."""
    wrong = []
    for part in parts:
        if part[0] in ("needs", "wants"):
            where = test_data.test_data if part[0] == "needs" else test_data.shared_data
            for file in where(part[1]).iterdir():
                if file.is_file():
                    shutil.copyfile(file, folder / file.name)
        elif part[0] == "file":
            (folder / part[1]).write_text(part[2], encoding="utf-8")
        else:
            for command, wanted, code in runs(part[1]):
                words = shlex.split(command)
                ran = subprocess.run([lacuna, *words[1:]], cwd=folder, capture_output=True, text=True,
                                     check=False)
                printed = ran.stdout + ran.stderr
                if ran.returncode != code:
                    wrong.append(f"{title}: {command}: exit {ran.returncode}: {printed[:500]}")
                wrong += [f"{title}: {command}: does not print {line!r} but\n{printed[:800]}"
                          for line in wanted if not found(line, printed)]
    return wrong


def main():
    lacuna, cookbook, shared = sys.argv[1], pathlib.Path(sys.argv[2]), sys.argv[3:] == ["--shared"]
    wrong, count = [], 0
    for title, parts in recipes(cookbook.read_text(encoding="utf-8")):
        wanted = [part[1] for part in parts if part[0] == "wants"]
        if bool(wanted) != shared or not any(part[0] == "sh" for part in parts):
            continue
        for name in wanted:
            test_data.need_shared(name)
        with tempfile.TemporaryDirectory() as folder:
            wrong += run_recipe(str(pathlib.Path(lacuna).resolve()), title, parts, pathlib.Path(folder))
        count += 1
    print("\n".join(wrong))
    print(f"{count} recipes, {len(wrong)} failures")
    return 1 if wrong or count < (2 if shared else 7) else 0


if __name__ == "__main__":
    sys.exit(main())
