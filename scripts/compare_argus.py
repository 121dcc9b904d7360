#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The tau-ARGUS jobs of the tests, run by lacuna and by another program, and where the two differ.

  compare_argus.py LACUNA OTHER [--all] [--back] [CASE_FILE...]

OTHER is a command that takes a job as its last argument, such as "tauargus run". Every case of tests/cli/argus*.cases
is set up in two folders. Of every file that a job writes, what stands in it is compared field by field: numbers as
numbers, everything else as text. Printed is a table (Markdown) with a line for every file that differs or that only
one of the two has written; with --all, of those that are the same, too. With --back, every intermediate table (type 5)
that lacuna has written is read back by both instead, and what they write of it is compared with it. The exit code is 0:
differences are to be read, not to be counted. If OTHER is not on this machine, nothing is compared, and the exit code
is 0."""
import collections
import importlib.util
import pathlib
import re
import shlex
import shutil
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent.parent
WRITETABLE = re.compile(r'<WRITETABLE>\s*\(\s*(\d+)\s*,\s*(\d+)\s*,([^,"]*),\s*"([^"]*)"', re.IGNORECASE)
SECONDS = 20
TOLERANCE = 5e-7  # of what others compute in floating point, relative


def load_runner():
    spec = importlib.util.spec_from_file_location("run_cases", HERE / "tests/cli/run_cases.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def same(ours, theirs):
    if ours == theirs:
        return True
    try:
        a, b = float(ours), float(theirs)
    except ValueError:
        return False
    return abs(a - b) <= TOLERANCE * max(1, abs(a), abs(b))


def fields(line, separator):
    return [f.strip().strip('"').strip() for f in line.split(separator)]


def column_names(folder, name, width):
    """What the fields of a type 5 file are, from the metadata that lacuna has written beside it."""
    names = []
    path = (folder / name).with_suffix(".rda")
    if path.is_file():
        kinds = {"<RECODEABLE>": "code", "<FREQUENCY>": "frequency", "<MAXSCORE>": "largest", "<STATUS>": "status"}
        for line in path.read_text(encoding="utf-8").splitlines()[1:]:
            if line.startswith("//"):
                break
            if not line.startswith(" "):
                names.append("value")
                continue
            words = line.split()
            for word in words:
                names[-1] = {"<SHADOW>": "shadow", "<COSTVAR>": "cost", "<LOWERPL>": "lower level",
                             "<UPPERPL>": "upper level", **kinds}.get(word, names[-1])
    return names + ["interval"] * (width - len(names))


def job_reading(folder, name):
    """A job that reads a type 5 file of lacuna and writes it again."""
    variables, kind = [], {}
    for line in (folder / name).with_suffix(".rda").read_text(encoding="utf-8").splitlines()[1:]:
        if line.startswith("//"):
            break
        if not line.startswith(" "):
            variables.append(shlex.split(line)[0])
            continue
        for word in line.split():
            kind.setdefault(word, []).append(variables[-1])
    plain = [v for v in kind.get("<NUMERIC>", [])
             if not any(v in kind.get(word, []) for word in ("<SHADOW>", "<COSTVAR>", "<LOWERPL>", "<UPPERPL>"))]
    parts = ["".join(f'"{v}"' for v in kind["<RECODEABLE>"]), f'"{(plain or ["<freq>"])[0]}"']
    parts += [f'"{kind.get(word, [""])[0]}"' for word in ("<SHADOW>", "<COSTVAR>")]
    options = "SO+" if plain and "<SHADOW>" not in kind else ""
    return (f'<OPENTABLEDATA> "{name}"\n<OPENMETADATA> "{pathlib.Path(name).with_suffix(".rda")}"\n'
            f'<SPECIFYTABLE> {"|".join(parts)},1\n<SAFETYRULE>\n<READTABLE> 0\n<WRITETABLE> (1,5,{options},"back.csv")\n')


def level_difference(name, ours, theirs, status):
    """What kind of difference there is between two protection levels; None if it is only one of digits."""
    if not re.fullmatch(r"-?[\d.]+", theirs):
        return "order of columns"
    if status != "U":
        return "levels of cells that need none"
    digits = len(theirs.partition(".")[2])
    if abs(float(ours) - float(theirs)) <= 0.5 * 10 ** -digits + 1e-9:
        return "digits of levels"
    if name == "lower level" and float(ours) < float(theirs):
        return "lower levels cut above 0"
    return name


def of_one_line(ours, theirs, names):
    """What differs between two lines with the same codes."""
    found = collections.Counter()
    if names.count("interval") and len(ours) - len(theirs) == names.count("interval"):
        found["no intervals in the other"] += 1
        ours = ours[:len(theirs)]
    extra = len(ours) - len(theirs)  # largest contributions that only one of the two has written
    place = names.index("status") if "status" in names else len(ours)
    theirs = theirs[:place - extra] + [""] * extra + theirs[place - extra:] if extra > 0 else theirs
    if extra:
        found["more columns of the largest"] += 1
    for index, (x, y) in enumerate(zip(ours, theirs)):
        name = names[index] if index < len(names) else "more columns"
        if same(x, y) or (y == "" and name == "largest" and extra):
            continue
        if name.endswith("level"):
            name = level_difference(name, x, y, ours[place])
        found[name] += 1
    return found


def of_lines(ours, theirs):
    found = collections.Counter()
    for left, right in zip(ours, theirs):
        for x, y in zip(left, right):
            if not same(x, y):
                found["withheld by one" if "x" in (x, y) else "value or status"] += 1
    return found


def differences(ours, theirs, kind, names):
    """Type 5 cell by cell, the others line by line; empty cells that only one of the two has written apart."""
    separator = ";" if kind == 5 else ","
    a, b = ([fields(line, separator) for line in text.splitlines()] for text in (ours, theirs))
    found = collections.Counter()
    if kind == 5:
        codes = names.count("code")
        mine, others = ({tuple(line[:codes]): line for line in lines} for lines in (a, b))
        for key in mine.keys() & others.keys():
            found += of_one_line(mine[key], others[key], names)
        if mine.keys() != others.keys():
            found[f"cells written ({len(mine)}, {len(others)})"] += len(mine.keys() ^ others.keys())
        return found
    if len(a) != len(b):
        found[f"lines ({len(a)}, {len(b)})"] += 1
        keys = {tuple(line[:-1]) for line in b}
        a = [line for line in a if tuple(line[:-1]) in keys]
        keys = {tuple(line[:-1]) for line in a}
        b = [line for line in b if tuple(line[:-1]) in keys]
    return found + of_lines(a, b)


def secondaries(text, kind):
    """Cells withheld: x where values are hidden, else the secondaries by their status."""
    if kind == 5:
        return sum(";M;" in line.replace(" ", "") for line in text.splitlines())
    if kind in (2, 3):
        return sum(line.endswith((",11", ",12", ",x")) for line in text.splitlines())
    return len(re.findall(r",(?:x|D)(?=,|$)", text, re.MULTILINE))


def text_of(path):
    return path.read_text(encoding="utf-8", errors="replace") if path.is_file() else None


class Comparison:
    def __init__(self, lacuna, other, show_all, back):
        self.lacuna, self.other, self.show_all, self.back = lacuna, other, show_all, back
        self.rows, self.files, self.equal = [], 0, 0

    def run(self, folder, command):
        try:
            return subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False, timeout=SECONDS)
        except subprocess.TimeoutExpired:
            return None

    def row(self, where, name, ours, theirs, what):
        self.rows.append(f"| {where} | {name} | {ours} | {theirs} | {what} |")

    def read_back(self, case, job, folder):
        self.run(folder, [self.lacuna, "argus", job])
        for _, kind, _, name in WRITETABLE.findall(text_of(folder / job) or ""):
            if kind == "5" and (folder / name).is_file():
                self.read_back_file(case, name, folder)

    def read_back_file(self, case, name, folder):
        self.files += 1
        (folder / "read.arb").write_text(job_reading(folder, name), encoding="utf-8")
        before = text_of(folder / name)
        names = [n for n in column_names(folder, name, len(before.splitlines()[0].split(";"))) if n != "interval"]
        before = "\n".join(";".join(line.split(";")[:len(names)]) for line in before.splitlines())
        results = []
        for command in ([self.lacuna, "argus"], self.other):
            (folder / "back.csv").unlink(missing_ok=True)
            done = self.run(folder, [*command, "read.arb"])
            after = text_of(folder / "back.csv")
            found = differences(before, after, 5, names) if after is not None else {}
            said = (done.stderr.strip().splitlines() or ["?"])[-1][:90] if done else "time"
            results.append(", ".join(f"{what} {count}" for what, count in sorted(found.items())) or
                           ("the same" if after is not None else said.replace("|", "/")))
        if results == ["the same", "the same"]:
            self.equal += 1
        if self.show_all or results != ["the same", "the same"]:
            self.row(case, name, *results, "read back")

    def compare(self, case, job, ours_folder, theirs_folder):
        if self.back:
            self.read_back(case, job, ours_folder)
            return
        ours = self.run(ours_folder, [self.lacuna, "argus", job])
        theirs = self.run(theirs_folder, [*self.other, job])
        codes = [run.returncode if run else "time" for run in (ours, theirs)]
        said = (theirs.stderr.strip().splitlines() or [""])[-1][:90] if theirs else f"stopped after {SECONDS} seconds"
        wrong = [bool(run is None or run.returncode) for run in (ours, theirs)]
        if wrong[0] != wrong[1]:
            text = said if wrong[1] else (ours.stderr.strip().splitlines() or [""])[-1][:90] if ours else "time"
            self.row(case, job, codes[0], codes[1], text.replace("|", "/"))
            return
        if all(wrong):
            self.equal += 1
            return
        job_text = (ours_folder / job).read_text(encoding="utf-8", errors="replace")
        for _, kind, _, name in WRITETABLE.findall(job_text):
            self.compare_file(case, int(kind), name.replace("\\", "/"), ours_folder, theirs_folder)

    def compare_file(self, case, kind, name, ours_folder, theirs_folder):
        self.files += 1
        ours, theirs = text_of(ours_folder / name), text_of(theirs_folder / name)
        if ours is None or theirs is None:
            self.row(case, name, "no" if ours is None else "yes", "no" if theirs is None else "yes", "file written")
            return
        width = len(ours.splitlines()[0].split(";")) if kind == 5 and ours else 0
        names = column_names(ours_folder, name, width) if kind == 5 else []
        found = differences(ours, theirs, kind, names)
        if not found:
            self.equal += 1
            if not self.show_all:
                return
        counts = [f"{secondaries(text, kind)} withheld" for text in (ours, theirs)]
        self.row(case, f"{name} (type {kind})", *counts,
                 ", ".join(f"{what} {count}" for what, count in sorted(found.items())) or "the same")


def runner_class(module, comparison):
    class Jobs(module.Runner):
        taking, theirs, name, fresh = True, None, "", ()  # lines are taken for files; the other folder; ...

        def command(self, where, key, rest):
            words = shlex.split(rest) if key == "$" else []
            if key == "case":
                self.name, self.theirs = rest, None
            if key != "$":
                super().command(where, key, rest)
                if self.theirs is not None and key in ("file", "turn", "edit"):
                    self.fresh.append(rest.split()[0])
                return
            if words[:2] != ["lacuna", "argus"] or "--check" in words:
                return
            if self.theirs is None:
                self.theirs = pathlib.Path(tempfile.mkdtemp(dir=self.root))
                shutil.copytree(self.folder, self.theirs, dirs_exist_ok=True)
                self.fresh = []
            for name in self.fresh:
                shutil.copy(self.folder / name, self.theirs / name)
            comparison.compare(self.name, words[-1], self.folder, self.theirs)

        def line(self, where, text):
            if text.startswith("| ") or text == "|":
                if self.taking:
                    self.text_line(text[2:])
                return
            key = text.strip().partition(" ")[0]
            if key == "is":
                self.taking = False
            elif key in ("case", "common", "file", "turn", "edit", "link", "hard", "folder", "$"):
                self.taking = True
                self.command(where, key, text.strip().partition(" ")[2].strip())

    return Jobs


def main(words):
    show_all, back = "--all" in words, "--back" in words
    words = [word for word in words if word not in ("--all", "--back")]
    if len(words) < 2:
        raise SystemExit(__doc__)
    other = shlex.split(words[1])
    if shutil.which(other[0]) is None:
        print(f"{other[0]} is not on this machine: nothing is compared")
        return 0
    module = load_runner()
    comparison = Comparison(str(pathlib.Path(words[0]).resolve()), other, show_all, back)
    paths = words[2:] or sorted((HERE / "tests/cli").glob("argus*.cases"))
    with tempfile.TemporaryDirectory() as root, tempfile.TemporaryDirectory() as empty:
        runner = runner_class(module, comparison)(comparison.lacuna, empty)
        runner.root = root
        for path in paths:
            runner.common = {}
            for text in pathlib.Path(path).read_text(encoding="utf-8").splitlines():
                runner.line(path, text)
    print("| case | file | lacuna | other | what differs |\n|---|---|---|---|---|")
    print("\n".join(comparison.rows))
    print(f"\n{comparison.files} files, {comparison.equal} the same or refused by both")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
