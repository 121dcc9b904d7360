#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The same release everywhere: every run once per number of threads, idle and with busy loops beside
it, and with a second build if there is one. Compared are the bytes of the public file, of the release
in the office's file and of the certificate, the work done and the status.

  bench/reproduce.py TABLE... [--lacuna build/lacuna] [--other build-clang/lacuna]
                     [--methods suppress,interval] [--threads 1,2,8] [--busy 4]
                     [--options="--effort fast"]

A TABLE is a file or NAME=options of `lacuna generate`. Prints a Markdown row per table and method; exit
code 1 if anything differs."""

import argparse
import pathlib
import shlex
import sys
import tempfile

from release_bytes import commit_of, number, print_row, protect, tables_of


def settings_of(args):
    """(label, program, threads, busy loops)"""
    threads = args.threads.split(",")
    settings = [(f"{n} threads", args.lacuna, n, 0) for n in threads]
    if args.busy:
        settings += [(f"{n} threads, busy", args.lacuna, n, args.busy) for n in dict.fromkeys((threads[0], threads[-1]))]
    if args.other:
        settings.append(("other build", args.other, threads[0], 0))
    return settings


def row_of(name, method, runs, commit):
    first = runs[0]
    equal = all(run.shown() == first.shown() for run in runs)
    said = first.said
    return [name, method, said.get("cells", "-"), said.get("status", "-"), number(said, "objective"),
            number(said, "bound"), number(said, "gap", "{:.4%}"), said.get("verdict", "-"), said.get("work", "-"),
            *(f"{run.seconds:.1f}" for run in runs), commit, "yes" if equal else "NO"]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("tables", nargs="+")
    parser.add_argument("--lacuna", default="build/lacuna")
    parser.add_argument("--other")
    parser.add_argument("--methods", default="suppress")
    parser.add_argument("--threads", default="1,2,8")
    parser.add_argument("--busy", type=int, default=4)
    parser.add_argument("--options", default="", help="of lacuna protect, for all runs")
    args = parser.parse_args()
    settings = settings_of(args)
    commit = commit_of(pathlib.Path(__file__).parent)
    head = ["table", "method", "cells", "status", "objective", "bound", "gap", "verdict", "work",
            *(f"s, {label}" for label, *_ in settings), "commit", "equal"]
    print_row(head)
    print_row(["---"] * len(head))
    differs = False
    with tempfile.TemporaryDirectory() as folder:
        for name, table in tables_of(args.lacuna, args.tables, folder):
            for method in args.methods.split(","):
                runs = [protect(program, table, method, [*shlex.split(args.options), "--threads", threads], busy)
                        for _, program, threads, busy in settings]
                row = row_of(name, method, runs, commit)
                differs = differs or row[-1] != "yes"
                print_row(row)
    return 1 if differs else 0


if __name__ == "__main__":
    sys.exit(main())
