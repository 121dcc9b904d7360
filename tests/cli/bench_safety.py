#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""A small run of `lacuna bench safety`, and that it says no: a second verifier of another mind, and
one that is not there.

  bench_safety.py LACUNA"""
import json
import os
import pathlib
import subprocess
import sys
import tempfile

TABLES = 40


def run(lacuna, *options, **environment):
    return subprocess.run([lacuna, "bench", "safety", *map(str, options)], capture_output=True, text=True, check=False,
                          env={**os.environ, **environment})


def main(lacuna):
    failures = []

    def check(condition, text):
        if not condition:
            failures.append(text)

    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        done = run(lacuna, "--tables", TABLES, "--seed", 12, "--json", "-o", folder / "out")
        check(done.returncode == 0, f"exit {done.returncode}: {done.stderr}\n{done.stdout}")
        found = json.loads(done.stdout)
        check(found["tables"] == TABLES, f"{found['tables']} tables")
        check(found["failures"] == [], f"{found['failures']}")
        check(found["releases"] > TABLES / 2 and found["requirements"] > TABLES, f"{found}")
        check(found["texts"] > 8 * found["releases"], f"{found['texts']} texts read")
        words = found["counts"]
        for what in ("tables of which nothing is asked", "their releases from elsewhere", "... told by their sums, surely",
                     "exposed releases, waived"):
            check(words.get("words|" + what, 0) > 0, f"none: {what}")
        check(0 < found["unsafe_shown"] == found["unsafe_refused"], "no unsafe release was shown, or one passed")
        page = (folder / "out" / "summary.md").read_text()
        check("## Methods" in page and f"{TABLES} tables, " in page, "the page lacks its counts")

        # A verifier that lets nothing pass makes every release a failure, with the command that repeats it.
        (folder / "no.py").write_text("import sys\nfor _ in open(sys.argv[2]): print('exposed: all of it')\n")
        done = run(lacuna, "--tables", 8, "--seed", 12, "--json", LACUNA_VERIFIER=str(folder / "no.py"))
        check(done.returncode == 2, f"a verifier that says no: exit {done.returncode}")
        refused = json.loads(done.stdout)
        check(refused["unsafe"] > 0 and len(refused["failures"]) > 0, f"{refused}")
        # The command repeats the last of them, and that table alone.
        number = max((failure["table"] for failure in refused["failures"]), default=0)
        command = f"lacuna bench safety --seed 12 --first {number} --tables 1"
        check(command in {failure["repeat"] for failure in refused["failures"]}, f"{refused['failures']}")
        done = run(lacuna, *command.split()[3:], LACUNA_VERIFIER=str(folder / "no.py"))
        check(done.returncode == 2 and done.stdout.startswith("1 tables, ") and command + "\n" in done.stdout, done.stdout)
        done = run(lacuna, "--tables", 2, LACUNA_VERIFIER=str(folder / "none.py"))
        check(done.returncode == 1 and "none.py" in done.stderr, f"no verifier: {done.stderr}")
        done = run(lacuna, "--tables", "1,2")
        check(done.returncode == 1 and "one number of tables" in done.stderr, f"two numbers: {done.stderr}")
    print("\n".join(failures) or f"{TABLES} tables, no failure")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
