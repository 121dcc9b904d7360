#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""run.py ARGUMENTS...: runs Python with these arguments in the environment of guests (scripts/setup --with-guests), or
says that it is left out (exit code 77)."""
import os
import pathlib
import subprocess
import sys

TREE = pathlib.Path(__file__).resolve().parent.parent.parent


def main():
    done = subprocess.run([TREE / "scripts" / "setup", "--print-guests"], capture_output=True, text=True, check=False)
    python = done.stdout.strip()
    if not python:
        print("left out: the environment with ACRO, dbt and a client of MCP (scripts/setup --with-guests)")
        return 77
    os.execv(python, [python, *sys.argv[1:]])


if __name__ == "__main__":
    sys.exit(main())
