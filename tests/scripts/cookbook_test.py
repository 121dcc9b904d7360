#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Runs the commands of pages of docs/ and compares what they print with the lines below them.

  cookbook_test.py LACUNA PAGE...            every recipe that needs nothing but this repository
  cookbook_test.py LACUNA PAGE... --shared   those that want data of others (tests/test_data.py)
  cookbook_test.py LACUNA --self-test        show that a page that is not true fails

A recipe is a section of a page, or the whole page where <!-- one folder --> stands on it.
<!-- file NAME --> makes the next block a file, <!-- shows NAME --> compares the next block with a file
that a command has written, <!-- needs FOLDER --> copies the files of a folder of tests/data,
<!-- takes FOLDER --> those of a folder of the repository, <!-- wants FOLDER --> those of a folder of
data of others. In expected text `...` stands for anything, as a line of its own in a file for any
lines; `exit N` is the exit code, 0 if it is not given."""
import pathlib
import re
import shlex
import shutil
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
import test_data

TREE = pathlib.Path(__file__).resolve().parents[2]
LEAST = {"cookbook.md": 7}  # recipes of a page; of every other page one
MARKS = re.compile(r"<!-- (file|shows|needs|takes|wants) (\S+) -->|^```(\w*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def parts_of(body):
    """("file" or "shows", name, text), ("needs", "takes" or "wants", folder), ("sh", lines)."""
    parts, named = [], None
    for mark in MARKS.finditer(body):
        if mark[1] in ("file", "shows"):
            named = mark[1], mark[2]
        elif mark[1]:
            parts.append((mark[1], mark[2]))
        elif mark[3] == "sh":
            parts.append(("sh", mark[4].splitlines()))
        elif named is not None:
            parts.append((*named, mark[4]))
            named = None
    return parts


def recipes(text):
    """Title and parts of each recipe of a page."""
    if "<!-- one folder -->" in text:
        yield text.partition("\n")[0].lstrip("# "), parts_of(text)
        return
    for section in re.split(r"^## ", text, flags=re.MULTILINE)[1:]:
        title, _, body = section.partition("\n")
        yield title, parts_of(body)


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


def pattern_of(line):
    return ".*".join(re.escape(piece) for piece in line.split("..."))


def found(line, printed):
    return re.search(pattern_of(line), printed) is not None


def shows(text, file):
    """What is wrong with a file that a page shows, or None."""
    if not file.is_file():
        return "no command has written it"
    pattern = "\n".join(".*" if line == "..." else pattern_of(line) for line in text.splitlines())
    if re.fullmatch(pattern, file.read_text(encoding="utf-8-sig").rstrip("\n"), re.DOTALL):
        return None
    return f"holds\n{file.read_text(encoding='utf-8-sig')[:800]}"


def run_commands(lacuna, title, lines, folder):
    for command, wanted, code in runs(lines):
        words = shlex.split(command)
        ran = subprocess.run([lacuna, *words[1:]], cwd=folder, capture_output=True, text=True, check=False)
        printed = ran.stdout + ran.stderr
        if words[0] != "lacuna":
            yield f"{title}: {command}: only commands of lacuna are run"
        if ran.returncode != code:
            yield f"{title}: {command}: exit {ran.returncode}: {printed[:500]}"
        for line in wanted:
            if not found(line, printed):
                yield f"{title}: {command}: does not print {line!r} but\n{printed[:800]}"


def run_recipe(lacuna, title, parts, folder):
    """What is wrong, as a list of sentences."""
    where = {"needs": test_data.test_data, "wants": test_data.shared_data, "takes": lambda name: TREE / name}
    wrong = []
    for part in parts:
        if part[0] in where:
            for file in where[part[0]](part[1]).iterdir():
                if file.is_file():
                    shutil.copyfile(file, folder / file.name)
        elif part[0] == "file":
            (folder / part[1]).parent.mkdir(parents=True, exist_ok=True)
            (folder / part[1]).write_text(part[2], encoding="utf-8")
        elif part[0] == "shows":
            trouble = shows(part[2], folder / part[1])
            wrong += [f"{title}: {part[1]}: {trouble}"] if trouble else []
        else:
            wrong += run_commands(lacuna, title, part[1], folder)
    return wrong


def run_page(lacuna, text, shared):
    """How many recipes were run, and what is wrong."""
    wrong, count = [], 0
    for title, parts in recipes(text):
        wanted = [part[1] for part in parts if part[0] == "wants"]
        if bool(wanted) != shared or not any(part[0] == "sh" for part in parts):
            continue
        for name in wanted:
            test_data.need_shared(name)
        with tempfile.TemporaryDirectory() as folder:
            wrong += run_recipe(lacuna, title, parts, pathlib.Path(folder))
        count += 1
    return count, wrong


def self_test(lacuna):
    """Pages that are true, and pages that are not: one fault each."""
    table = "# A\n<!-- one folder -->\n<!-- file a.csv -->\n```csv\na;value\nT;3\nx;1\ny;2\n```\n"
    run = "```sh\n$ lacuna convert a.csv b.jj\n```\n"
    start = '```sh\n$ lacuna inspect a.csv\nvalue = "value"\n```\n'
    jj = "<!-- shows b.jj -->\n```\n0\n3\n...\n```\n"
    cases = [
        (table + run + start + jj, 0),
        (table + "```sh\n$ lacuna inspect b.csv\nexit 1\n```\n", 0),
        (table + start.replace('"value"', '"other"'), 1),
        (table + "```sh\n$ lacuna inspect b.csv\n```\n", 1),
        (table + run + jj.replace("3\n...", "4\n..."), 1),
        (table + start + jj, 1),
        (table + "```sh\n$ rm a.csv\n```\n", 1),
    ]
    failed = [text for text, least in cases if bool(run_page(lacuna, text, False)[1]) != bool(least)]
    for text in failed:
        print(f"not judged as it should be:\n{text}{run_page(lacuna, text, False)[1]}")
    print(f"{len(cases)} pages, {len(failed)} misjudged")
    return 1 if failed else 0


def main():
    lacuna, arguments = str(pathlib.Path(sys.argv[1]).resolve()), sys.argv[2:]
    if arguments == ["--self-test"]:
        return self_test(lacuna)
    shared = "--shared" in arguments
    failed = False
    for page in (pathlib.Path(name) for name in arguments if name != "--shared"):
        count, wrong = run_page(lacuna, page.read_text(encoding="utf-8"), shared)
        print("\n".join([*wrong, f"{page.name}: {count} recipes, {len(wrong)} failures"]))
        failed |= bool(wrong) or count < (2 if shared else LEAST.get(page.name, 1))
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
