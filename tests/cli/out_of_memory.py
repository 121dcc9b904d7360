#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""3,000 firms, each alone in its cell, within 500 MB of addresses: contributors times sensitive cells are nine million.

  out_of_memory.py LACUNA

A job that says nothing of their reach is kept to the sums of each firm's cells, and says so; what is released says
what its evidence shows of all other pairs. One that asks for the
whole table runs out of memory, and says in one sentence why and what to change; more than 100 million are refused
before the work. Skipped (77) where the program itself
does not fit, as with sanitizers."""
import pathlib
import resource
import subprocess
import sys
import tempfile

LIMIT = 500_000_000
FEW, FIRMS, MORE, COLUMNS = 540, 3_000, 10_200, 60
JOB = """[input]
records = "firms.csv"
separator = ";"
[columns]
value = "v"
respondent = "firm"
[[dimension]]
name = "region"
[[dimension]]
name = "activity"
[[rule]]
type = "frequency"
n = 3
"""


def run(program, folder, *arguments):
    limit = lambda: resource.setrlimit(resource.RLIMIT_AS, (LIMIT, LIMIT))
    return subprocess.run([program, *arguments], cwd=folder, capture_output=True, text=True, check=False,
                          preexec_fn=limit, timeout=100)


def check(done, code, *texts):
    said = done.stdout + done.stderr
    for text in texts:
        if done.returncode != code or text not in said:
            sys.exit(f"exit code {done.returncode}, expected {code} and '{text}':\n{said[:2000]}")


def write_firms(folder, name, firms):
    rows = (f"r{i // COLUMNS};a{i % COLUMNS};10;f{i}\n" for i in range(firms))
    (folder / name).write_text("region;activity;v;firm\n" + "".join(rows))


def main():
    program = str(pathlib.Path(sys.argv[1]).resolve())
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        if run(program, folder, "--version").returncode != 0:
            print("skipped: a program that fits into the limit")
            return 77
        write_firms(folder, "few.csv", FEW)
        (folder / "few.toml").write_text(JOB.replace("firms.csv", "few.csv"))
        check(run(program, folder, "protect", "few.toml", "--threads", "1", "--effort", "fast"), 0,
              "kept from the sensitive cells in the sums of their own cells only",
              "pairs of a contributor and a sensitive cell outside its sums were not asked one by one: the evidence of "
              "this release shows that the levels hold for all")
        write_firms(folder, "firms.csv", FIRMS)
        (folder / "near.toml").write_text(JOB)
        (folder / "all.toml").write_text(JOB + '[attackers]\nreach = "table"\n')
        check(run(program, folder, "tabulate", "near.toml", "--threads", "1"), 0,
              "3000 contributors and 3000 sensitive cells: each contributor is kept from the sensitive cells in the sums",
              "3000 sensitive cells (frequency 3000)")
        check(run(program, folder, "tabulate", "all.toml", "--threads", "1"), 4,
              "there is not enough memory for this run", 'reach = "equation"', "respondents = false")
        write_firms(folder, "more.csv", MORE)
        (folder / "more.toml").write_text(JOB.replace("firms.csv", "more.csv") + '[attackers]\nreach = "table"\n')
        check(run(program, folder, "tabulate", "more.toml", "--threads", "1"), 1,
              f"{MORE} contributors and {MORE} sensitive cells make more pairs than can be asked one by one",
              'reach = "equation"', "respondents = false")
    return 0


if __name__ == "__main__":
    sys.exit(main())
