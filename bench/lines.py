#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Lines of folders at two commits, as a Markdown table.

  bench/lines.py OLD NEW [FOLDER...]

A folder counts with its subfolders, all text files of it; `.` is everything. Without folders: those of src/, each for
itself. `git grep` counts, so that nothing is checked out."""

import argparse
import collections
import pathlib
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent


def git(*words):
    done = subprocess.run(["git", "-C", str(ROOT), *words], capture_output=True, text=True, check=False)
    if done.returncode > 1:  # 1: grep found nothing
        sys.exit(f"lines.py: {done.stderr.strip()}")
    return done.stdout


def lines_of(commit):
    """Path -> lines, of all text files."""
    found = {}
    for line in git("grep", "-I", "-c", "", commit).splitlines():
        path, _, number = line[len(commit) + 1:].rpartition(":")
        found[path] = int(number)
    return found


def inside(path, folder):
    return folder == "." or path == folder or path.startswith(folder.rstrip("/") + "/")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("old")
    parser.add_argument("new")
    parser.add_argument("folders", nargs="*")
    args = parser.parse_args()
    both = [lines_of(commit) for commit in (args.old, args.new)]
    folders = args.folders or sorted({str(pathlib.Path(path).parent) for lines in both for path in lines
                                      if path.startswith("src/")})
    print("| folder | files before | files after | lines before | lines after | change |\n|---|---|---|---|---|---|")
    total = collections.Counter()
    for folder in folders:
        own = (lambda path: str(pathlib.Path(path).parent) == folder) if not args.folders else \
            (lambda path: inside(path, folder))
        counted = [[number for path, number in lines.items() if own(path)] for lines in both]
        row = [len(counted[0]), len(counted[1]), sum(counted[0]), sum(counted[1])]
        total.update(dict(enumerate(row)))
        print(f"| {folder} | " + " | ".join(map(str, row)) + f" | {row[3] - row[2]:+} |")
    row = [total[i] for i in range(4)]
    print("| all of these | " + " | ".join(map(str, row)) + f" | {row[3] - row[2]:+} |")


if __name__ == "__main__":
    main()
