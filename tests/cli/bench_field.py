#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The bench that compares tools, with stand-ins for the real ones: one withholds the sensitive cells alone, which the
audit must count as exposed; one refuses, one is late, one is not there. Patterns and rows of others beside them.

  bench_field.py LACUNA TESTS_DATA EXAMPLES"""
import csv
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

STAND_IN = """#!/usr/bin/env python3
import json, sys
tools = [{"peer": name, "tool": name, "version": "1.2", "options": "plain", "asked": "levels", "weights": "as given",
          "missing": "it was never built" if name == "nowhere" else ""} for name in ("careless", "choosy", "slow", "nowhere")]
if sys.argv[1:] == ["--list"]:
    print(json.dumps(tools))
    sys.exit(0)
peer, problem, pattern, seconds = sys.argv[1:]
if peer == "choosy":
    print("not for such tables", file=sys.stderr)
    sys.exit(5)
if peer == "slow":
    print("no result within " + seconds + " s", file=sys.stderr)
    sys.exit(6)
if peer == "nowhere":
    sys.exit("who is not there must not be called")
given = json.load(open(problem))
assert len(given.get("attackers", [0])) == 1, "peers are asked about the outsider alone"
open(pattern, "w").write("".join(f"{i}\\n" for i, cell in enumerate(given["cells"]) if cell.get("status") == "primary"))
print(json.dumps({"seconds": 0.25, "cpu": 0.125, "version": "1.2"}))
"""

STATED = "table,tool,version,status,verdict,cost,note\nsales,other house,9,finished,protected,1,told by its maker\n"


class Check:
    def __init__(self):
        self.failures = []

    def equal(self, what, found, expected):
        if found != expected:
            self.failures.append(f"{what}: {found!r} instead of {expected!r}")

    def holds(self, what, fact):
        if not fact:
            self.failures.append(what)


def set_up(folder, data, examples):
    tables = folder / "tables"
    shutil.copytree(data / "cox3", tables / "cox3")
    shutil.copy(examples / "sales.jj", tables)
    patterns = folder / "patterns" / "sales"
    patterns.mkdir(parents=True)
    cells = int((examples / "sales.jj").read_text(encoding="ascii").splitlines()[1])
    everything = "".join(f"{i}\n" for i in range(cells))
    (patterns / "all.txt").write_text("# version: 7\n# options: by hand\n# asked: not exact\n" + everything)
    (patterns / "nothing.txt").write_text("# version: 8\n")
    (patterns / "broken.txt").write_text("not a cell\n")
    (folder / "stated.csv").write_text(STATED)
    runner = folder / "run_peer"
    runner.write_text(STAND_IN)
    runner.chmod(0o755)
    return tables


def call(lacuna, folder, *words):
    return subprocess.run([lacuna, "bench", "field", "--time-limit", "60", *map(str, words)], capture_output=True,
                          text=True, check=False, env=os.environ | {"LACUNA_PEER_RUNNER": str(folder / "run_peer")})


def check_ours(check, rows):
    for table in ("cox3", "sales"):
        for options, column in (("suppress", "verdict"), ("suppress --effort fast", "verdict"),
                                ("suppress, levels of zero", "exact_verdict")):
            row = rows[table, "Lacuna", options]
            check.equal(f"{table} {options}", row[column], "protected")
            check.holds(f"{table} {options} has no cost", float(row["cost"]) > 0)
    exact, levels = rows["cox3", "Lacuna", "suppress, levels of zero"], rows["cox3", "Lacuna", "suppress"]
    check.holds("the weaker question costs more", float(exact["cost"]) <= float(levels["cost"]) + 1e-6)
    check.equal("cells exposed in a protected pattern", levels["exposed"], "0")


def check_theirs(check, rows):
    for table, sensitive in (("cox3", "24"), ("sales", rows["sales", "careless", "plain"]["sensitive"])):
        row = rows[table, "careless", "plain"]
        check.equal(f"{table} verdict of the careless", (row["verdict"], row["exact_verdict"]), ("exposed", "exposed"))
        check.holds(f"{table} exposed cells", 0 < int(row["exposed"]) <= int(sensitive))
        check.holds(f"{table} exactly disclosed cells", 0 < int(row["exact"]) <= int(row["exposed"]))
        check.equal(f"{table} the rest", (row["secondary"], row["status"], row["seconds"], row["cpu"], row["sensitive"]),
                    ("0", "finished", "0.250", "0.125", sensitive))
        for tool, status, note in (("choosy", "refused", "not for such tables"), ("slow", "limit", "no result within 60 s")):
            row = rows[table, tool, "plain"]
            check.equal(f"{table} {tool}", (row["status"], row["note"], row["verdict"], row["exposed"]),
                        (status, note, "", ""))
    row = rows["", "nowhere", "plain"]
    check.equal("the one that is missing", (row["status"], row["note"]), ("not run", "it was never built"))


def check_others(check, rows):
    row = rows["sales", "all", "by hand"]
    check.equal("a pattern that hides all", (row["verdict"], row["version"], row["source"], row["asked"]),
                ("protected", "7", "pattern", "not exact"))
    row = rows["sales", "nothing", ""]
    check.equal("a pattern that hides nothing", (row["verdict"], row["exposed"], row["exact"]),
                ("exposed", row["sensitive"], row["sensitive"]))
    row = rows["sales", "broken", ""]
    check.equal("a broken pattern", (row["status"], row["verdict"]), ("failed", ""))
    row = rows["sales", "other house", ""]
    check.equal("a stated row", (row["source"], row["verdict"], row["cost"]), ("stated", "protected", "1"))


def check_errors(check, lacuna, folder, tables):
    for text, part in (("table,tool,version,status,shoe\n", "there is no column 'shoe'"),
                       ("table,tool,status\n", "there is no column 'version'"),
                       ("table,tool,version,status,cost\na,b,c,finished,much\n", "bad.csv:2:"),
                       ("table,tool,version,status,verdict\na,b,c,finished,fine\n", "'fine' is not a verdict"),
                       ("table,tool,version,status\na,,c,finished\n", "'tool' must be filled")):
        (folder / "bad.csv").write_text(text)
        done = call(lacuna, folder, "--instances", tables, "--add", folder / "bad.csv")
        check.equal(f"exit code of {text!r}", done.returncode, 1)
        check.holds(f"{part!r} is not in {done.stderr!r}", part in done.stderr)
    for words, part in ((("--instances", tables, "--tool", "nobody"), "there is no tool 'nobody'"),
                        (("--instances", folder / "no"), "name the folder of the tables"),
                        (("--instances", tables, "--patterns", folder / "no"), "there is no folder")):
        done = call(lacuna, folder, *words)
        check.equal(f"exit code of {words}", done.returncode, 1)
        check.holds(f"{part!r} is not in {done.stderr!r}", part in done.stderr)


def check_choice(check, lacuna, folder, tables):
    done = call(lacuna, folder, "--instances", tables, "--tool", "careless", "--tables", "2", "-o", folder / "one")
    check.equal("exit code with one tool", done.returncode, 0)
    with (folder / "one" / "field.csv").open(newline="", encoding="utf-8") as file:
        check.equal("rows of one tool", [(row["table"], row["tool"]) for row in csv.DictReader(file)],
                    [("sales", "careless")])


def main(lacuna, data, examples):
    check = Check()
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        tables = set_up(folder, pathlib.Path(data), pathlib.Path(examples))
        done = call(lacuna, folder, "--instances", tables, "--patterns", folder / "patterns", "--add",
                    folder / "stated.csv", "-o", folder / "out")
        check.equal(f"exit code ({done.stderr.strip()})", done.returncode, 0)
        with (folder / "out" / "field.csv").open(newline="", encoding="utf-8") as file:
            rows = {(row["table"], row["tool"], row["options"]): row for row in csv.DictReader(file)}
        check_ours(check, rows)
        check_theirs(check, rows)
        check_others(check, rows)
        check_errors(check, lacuna, folder, tables)
        check_choice(check, lacuna, folder, tables)
    print("\n".join(check.failures) or "as expected")
    return 1 if check.failures else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
