# SPDX-License-Identifier: Apache-2.0
"""Runs of `lacuna protect` and what they release, byte for byte. For reproduce.py, limits.py and the
test of reproducibility."""

import dataclasses
import hashlib
import json
import pathlib
import shlex
import subprocess
import sys
import tempfile
import time

BUSY = "while True: pass"


class BusyLoops:
    """So many processes beside the run that do nothing but take time from it."""

    def __init__(self, count):
        self.count = count
        self.loops = []

    def __enter__(self):
        self.loops = [subprocess.Popen([sys.executable, "-c", BUSY]) for _ in range(self.count)]
        return self

    def __exit__(self, *_):
        for loop in self.loops:
            loop.kill()
            loop.wait()


@dataclasses.dataclass
class Run:
    said: dict            # what --json printed
    public: bytes         # the file for everyone; empty: none
    release: str          # the release in the office's file
    certificate: str      # digest of the witnesses
    seconds: float        # wall clock, from start to end of the program

    def shown(self):
        """What has to be the same everywhere."""
        return self.public, self.release, self.certificate, self.said.get("work"), self.said.get("status")


def release_of(path):
    """The text of the member "release", as it stands in the file; "" if there is no file."""
    if not path.exists():
        return ""
    text = path.read_text(encoding="utf-8")
    return text[text.index('"release":'):]


def digest(path):
    return hashlib.sha256(path.read_bytes()).hexdigest() if path.exists() else ""


def protect(program, table, method, options=(), busy=0):
    """One run with `busy` loops beside it."""
    with tempfile.TemporaryDirectory() as folder:
        out = pathlib.Path(folder)
        command = [str(program), "protect", str(table), "--method", method, "--json", "--quiet",
                   "-o", out / "out.json", "--public", out / "public.csv",
                   "--certificate", out / "certificate.json", *options]
        with BusyLoops(busy):
            start = time.monotonic()
            done = subprocess.run([str(word) for word in command], capture_output=True, text=True, check=False)
            seconds = time.monotonic() - start
        try:
            said = json.loads(done.stdout.splitlines()[-1])
        except (IndexError, ValueError):
            said = {"status": "failed", "verdict": "none", "message": done.stderr.strip()[-200:]}
        public = out / "public.csv"
        return Run(said, public.read_bytes() if public.exists() else b"", release_of(out / "out.json"),
                   digest(out / "certificate.json"), seconds)


def tables_of(program, named, folder):
    """Name and file of each table: a path, or NAME=options of `lacuna generate`."""
    for each in named:
        name, equals, options = each.partition("=")
        if not equals:
            yield pathlib.Path(each).name.split(".")[0], each
            continue
        path = pathlib.Path(folder) / f"{name}.json"
        subprocess.run([str(program), "generate", str(path), *shlex.split(options)], check=True)
        yield name, path


def number(said, name, form="{:.10g}"):
    value = said.get(name)
    return form.format(value) if isinstance(value, (int, float)) else "-"


def commit_of(source):
    done = subprocess.run(["git", "-C", str(source), "rev-parse", "--short", "HEAD"],
                          capture_output=True, text=True, check=False)
    return done.stdout.strip() or "unknown"


def print_row(cells, stream=sys.stdout):
    print("| " + " | ".join(str(cell) for cell in cells) + " |", file=stream, flush=True)
