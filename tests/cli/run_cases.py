#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Runs the command line as the case files say.

  run_cases.py LACUNA EXAMPLES_FOLDER CASE_FILE...

A case file is a list of lines; # opens a comment:

  case NAME         a new empty folder, with a copy of the examples
  file NAME         the lines that follow, each behind "| ", become a file
  common NAME       the same, in every case of this case file that follows
  turn NAME HOW     a file as other systems write it: crlf, latin-1, bom, no-end (without the last line end)
  edit NEW OLD a=>b a copy of a file with one replacement (the text must be there exactly once; \\n in b ends a line)
  link NEW TARGET   a symbolic link; hard NEW OLD: a second name of a file; folder NAME: a folder
  $ lacuna ...      runs the program in the folder, without a shell (NAME=VALUE before it: with that in the
                    environment); the lines behind it say what it must do:
    exit N          its exit code (0 if not given)
    out TEXT        standard output is exactly this line; out~ TEXT: it contains this
    err TEXT        standard error is exactly this line; err~ TEXT: it contains this
    json KEY=VALUE  standard output is JSON, and a path such as run.verdict has this value (JSON, too)
    in FILE KEY=VALUE  the same of a file
    has FILE        the file is there
    gone FILE       the file is not there
    points LINK TARGET  the symbolic link is still one, and points there
    skip TEXT       where standard error contains this, the rest of the case is left out, and the end says so
    line FILE TEXT  the file has exactly this line; first FILE TEXT: it is the first one
    book~ FILE TEXT a sheet of the workbook (.xlsx) contains this; book! FILE TEXT: none does
    holds FILE TEXT the file contains this; lacks FILE TEXT: it does not; same FILE OTHER: both have the same bytes
    is FILE         the file has exactly the lines that follow, each behind "| " (whatever its line ends)

What is not said must be empty: standard error always, standard output where the exit code is 1 or 3; only with --json
there must then be an error with a code and the sentence of standard error. A run that ends with 1 or 3 must leave the
folder as it was, byte by byte."""
import json
import os
import pathlib
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
import zipfile


# What a run says of itself every ten seconds: on a slow machine more than on a quick one.
PROGRESS = re.compile(r"^lacuna: (?:[a-z ]*: \d+%, .*|first safe result after .*)\n", re.MULTILINE)


def contents(folder):
    return {str(p.relative_to(folder)): p.read_bytes() for p in folder.rglob("*") if p.is_file()}


def turned(data, how):
    if how == "crlf":
        return data.replace(b"\n", b"\r\n")
    if how == "latin-1":
        return data.decode("utf-8").encode("latin-1")
    if how == "bom":
        return b"\xef\xbb\xbf" + data
    assert how == "no-end", how
    return data.rstrip(b"\n")


def lookup(value, path):
    for step in path.split("."):
        value = value[int(step)] if isinstance(value, list) else value[step]
    return value


class Run:
    """One command and what it did."""

    def __init__(self, where, command, folder, lacuna):
        self.where, self.command, self.folder = where, command, folder
        words = shlex.split(command)
        environment = dict(os.environ)
        while "=" in words[0]:
            name, value = words.pop(0).split("=", 1)
            environment[name] = value
        assert words[0] == "lacuna", f"{where}: only lacuna is run"
        self.before = contents(folder)
        done = subprocess.run([lacuna, *words[1:]], cwd=folder, capture_output=True, text=True, check=False, timeout=60,
                              env=environment)
        self.code, self.out, self.err = done.returncode, done.stdout, PROGRESS.sub("", done.stderr)
        self.wanted_code, self.said_out, self.said_err, self.failures = 0, False, False, []
        self.pinned = []  # of files: name, lines

    def check(self, condition, text):
        if not condition:
            self.failures.append(f"{self.where}: $ {self.command}\n    {text}\n    exit {self.code}\n"
                                 f"    out: {self.out!r}\n    err: {self.err!r}")

    def check_json(self, text, wanted):
        path, value = wanted.split("=", 1)
        try:
            found = lookup(json.loads(text), path)
        except (ValueError, KeyError, IndexError, TypeError) as error:
            self.check(False, f"{path}: {type(error).__name__}: {error}")
            return
        self.check(found == json.loads(value), f"{path} is {found!r}, not {value}")

    def expect(self, key, rest):
        if key == "exit":
            self.wanted_code = int(rest)
        elif key in ("out", "out~"):
            self.said_out = True
            self.check(self.out == rest + "\n" if key == "out" else rest in self.out, f"{key} {rest}")
        elif key in ("err", "err~"):
            self.said_err = True
            self.check(self.err == rest + "\n" if key == "err" else rest in self.err, f"{key} {rest}")
        elif key == "json":
            self.said_out = True
            self.check_json(self.out, rest)
        elif key == "in":
            name, wanted = rest.split(" ", 1)
            self.check_json((self.folder / name).read_text(), wanted)
        elif key == "has":
            self.check((self.folder / rest).is_file(), f"{rest} is missing")
        elif key == "gone":
            self.check(not (self.folder / rest).exists(), f"{rest} is there")
        elif key == "points":
            name, target = rest.split(" ", 1)
            link = self.folder / name
            self.check(link.is_symlink() and str(link.readlink()) == target, f"{name} does not point to {target}")
        elif key in ("line", "first"):
            name, text = rest.split(" ", 1)
            path = self.folder / name
            lines = [l.rstrip() for l in path.read_text(encoding="utf-8").splitlines()] if path.is_file() else []
            self.check(text in lines[:1 if key == "first" else None], f"{name} has no line '{text}': {lines}")
        elif key in ("book~", "book!"):
            name, text = rest.split(" ", 1)
            with zipfile.ZipFile(self.folder / name) as book:
                found = any(text in book.read(part).decode("utf-8") for part in book.namelist())
            self.check(found == (key == "book~"), f"{key} {rest}")
        elif key in ("holds", "lacks"):
            name, text = rest.split(" ", 1)
            found = text in (self.folder / name).read_text(encoding="utf-8")
            self.check(found == (key == "holds"), f"{key} {rest}")
        elif key == "same":
            name, other = rest.split(" ", 1)
            self.check((self.folder / name).read_bytes() == (self.folder / other).read_bytes(), f"{name} is not {other}")
        elif key == "is":
            self.pinned.append((rest, []))
        else:
            raise SystemExit(f"{self.where}: unknown line '{key} {rest}'")

    def check_pinned(self, name, lines):
        path = self.folder / name
        found = path.read_text(encoding="utf-8").splitlines() if path.is_file() else None
        self.check(found == lines, f"{name} is {found}, not {lines}")

    def check_error(self):
        try:
            told = json.loads(self.out)
            error = told["error"]
            said = self.err or told.get("message", "")  # jobs of tau-ARGUS have it in their own object
            self.check(error["code"] and error["message"] in said, "the error is not the one that is told")
        except (ValueError, KeyError, TypeError) as trouble:
            self.check(False, f"--json gives no error: {trouble}")

    def finish(self):
        for name, lines in self.pinned:
            self.check_pinned(name, lines)
        self.check(self.code == self.wanted_code, f"exit {self.wanted_code} expected")
        self.check(self.said_err or not self.err, "standard error should be empty")
        if self.wanted_code == 1 and " --json" in self.command and not self.said_out:
            self.check_error()
        elif self.wanted_code in (1, 3):
            self.check(self.said_out or not self.out, "standard output should be empty")
        if self.wanted_code in (1, 3):
            self.check(contents(self.folder) == self.before, "a run that failed changed files")
        return self.failures


class Runner:
    def __init__(self, lacuna, examples):
        self.lacuna, self.examples = lacuna, examples
        self.failures, self.runs, self.run, self.folder, self.file = [], 0, None, None, None
        self.skipping, self.skipped, self.common = False, [], {}

    def close_run(self):
        if self.run is not None:
            self.failures += self.run.finish()
        self.run = None

    def command(self, where, key, rest):
        self.close_run()
        if key == "case":
            self.folder = pathlib.Path(tempfile.mkdtemp(dir=self.root))
            shutil.copytree(self.examples, self.folder, dirs_exist_ok=True)
            for name, text in self.common.items():
                (self.folder / name).write_text(text, encoding="utf-8")
        elif key == "common":
            self.file, self.common[rest] = rest, ""
        elif key == "turn":
            name, how = rest.split(" ", 1)
            (self.folder / name).write_bytes(turned((self.folder / name).read_bytes(), how))
        elif key == "file":
            self.file = self.folder / rest
            self.file.write_text("")
        elif key == "link":
            new, old = rest.split(" ", 1)
            (self.folder / new).symlink_to(old)
        elif key == "hard":
            new, old = rest.split(" ", 1)
            (self.folder / new).hardlink_to(self.folder / old)
        elif key == "folder":
            (self.folder / rest).mkdir()
        elif key == "edit":
            new, old, change = rest.split(" ", 2)
            text, (was, becomes) = (self.folder / old).read_text(), change.split("=>")
            if text.count(was) != 1:
                raise SystemExit(f"{where}: '{was}' is not there exactly once")
            (self.folder / new).write_text(text.replace(was, becomes.replace("\\n", "\n")))
        else:
            self.runs += 1
            self.run = Run(where, rest, self.folder, self.lacuna)

    def text_line(self, text):
        if self.run is not None and self.run.pinned:
            self.run.pinned[-1][1].append(text)
        elif isinstance(self.file, str):
            self.common[self.file] += text + "\n"
        else:
            with open(self.file, "a", encoding="utf-8") as file:
                file.write(text + "\n")

    def line(self, where, text):
        if text.startswith("| ") or text == "|":
            self.text_line(text[2:])
            return
        text = text.strip()
        if not text or text.startswith("#"):
            return
        key, _, rest = text.partition(" ")
        self.skipping = self.skipping and key != "case"
        if self.skipping:
            return
        if key == "skip" and self.run is not None:
            if rest.strip() in self.run.err:
                self.run, self.skipping = None, True
                self.skipped.append(where)
        elif key in ("case", "common", "file", "turn", "edit", "link", "hard", "folder", "$"):
            self.command(where, key, rest.strip())
        elif self.run is None:
            raise SystemExit(f"{where}: nothing has been run yet")
        else:
            self.run.expect(key, rest.strip())

    def all(self, paths):
        with tempfile.TemporaryDirectory() as root:
            self.root = root
            for path in paths:
                self.common = {}
                for number, text in enumerate(pathlib.Path(path).read_text(encoding="utf-8").splitlines(), 1):
                    self.line(f"{pathlib.Path(path).name}:{number}", text)
                self.close_run()
        print("\n".join(self.failures))
        for where in self.skipped:
            print(f"{where}: the rest of the case was skipped: what it needs is not on this machine")
        print(f"{self.runs} runs, {len(self.failures)} failures")
        return 1 if self.failures or self.runs == 0 else 0


if __name__ == "__main__":
    runner = Runner(str(pathlib.Path(sys.argv[1]).resolve()), sys.argv[2])
    sys.exit(runner.all(sys.argv[3:]))
