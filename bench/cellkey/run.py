#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Cell keys of many records, from the records' file to the public one, audit included.

  run.py LACUNA [--records 1000000] [--threads 2] [--folder DIR]

Draws records evenly over four flat dimensions (48 x 40 x 30 x 24) with keys of eight digits, makes a table of
perturbations (D = 5, V = 3, js = 2), and times `protect --method cellkey --public`. A million records have about 886,000 cells that are not empty, totals included, the size that cellKey 1.0.3 was timed at."""
import argparse
import json
import pathlib
import random
import resource
import subprocess
import tempfile
import time

SIZES = (48, 40, 30, 24)
JOB = """[input]
records = "r{n}.csv"
[columns]
key = "key"
[keys]
digits = 8
""" + "".join(f'[[dimension]]\nname = "d{i}"\n' for i in range(len(SIZES)))


def draw(path, records):
    rng = random.Random(records)
    codes = [[f"{d}{c}" for c in range(size)] for d, size in zip("abcd", SIZES)]
    with path.open("w") as out:
        out.write("d0;d1;d2;d3;key\n")
        for _ in range(records):
            k = rng.getrandbits(64)
            fields = []
            for names in codes:
                k, at = divmod(k, len(names))
                fields.append(names[at])
            out.write(";".join(fields) + f";0.{rng.randrange(10**8):08d}\n")


def timed(command):
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    start = time.monotonic()
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    wall = time.monotonic() - start
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    cpu = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return done, wall, cpu


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("program")
    parser.add_argument("--records", type=int, default=1_000_000)
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--folder")
    given = parser.parse_args()
    folder = pathlib.Path(given.folder or tempfile.mkdtemp())
    records = folder / f"r{given.records}.csv"
    if not records.exists():
        draw(records, given.records)
    job = folder / f"job{given.records}.toml"
    job.write_text(JOB.format(n=given.records))
    table = folder / "p.txt"
    subprocess.run([given.program, "ptable", "make", "-D", "5", "-V", "3", "--js", "2", "-o", table], check=True,
                   capture_output=True)
    threads = ["--threads", str(given.threads)]
    print("| records | command | cells | seconds | CPU s | verdict |\n|---|---|---|---|---|---|")
    done, wall, cpu = timed([given.program, "protect", job, "--method", "cellkey", "--ptable", table, "--public",
                             folder / "public.csv", "--json", "--quiet", *threads])
    found = json.loads(done.stdout) if done.stdout else {"verdict": done.stderr}
    print(f"| {given.records} | protect --method cellkey | {found.get('cells', '')} | {wall:.2f} | {cpu:.2f} | "
          f"{found['verdict']} |")


main()
