#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Builds the site of the pages in a folder, with --strict: site_test.py FOLDER. Left out where what
makes it is not there (scripts/setup --with-site)."""
import pathlib
import subprocess
import sys

TREE = pathlib.Path(__file__).resolve().parents[2]


def main():
    python = subprocess.run([TREE / "scripts" / "setup", "--print-site"], capture_output=True, text=True,
                            check=True).stdout.strip()
    if not python:
        print("left out for want of mkdocs-material (scripts/setup --with-site)")
        return 77
    out = pathlib.Path(sys.argv[1])
    built = subprocess.run([sys.executable, TREE / "scripts" / "site.py", "--out", out, "--python", python], check=False)
    return built.returncode


if __name__ == "__main__":
    sys.exit(main())
