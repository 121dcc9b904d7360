#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""leaks_test.py LACUNA [--cases N] [--seed S]: broken random tables, records, certificates and releases (the cases of
tests/scripts/leaks_property_test.py), and every tool of `lacuna mcp` asked about every file of them. No true value, level,
bound, contribution, weight or name may stand in any answer, in whatever writing. The search is tried first."""
import argparse
import itertools
import json
import os
import pathlib
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "scripts"))
import leaks_property_test as leaks  # noqa: E402
from client import Client  # noqa: E402

CELLS = ["r=a,c=x", "r=b,c=T", "0"]


def files_of(folder):
    return sorted(path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file())


def calls_of(case):
    """(tool, arguments) for all files, all pairs of tables and releases, good and bad."""
    files = files_of(case.folder)
    new = (f"made{n}" for n in itertools.count())
    yield "inspect", {}
    for name in files:
        yield "inspect", {"path": name}
        yield "inspect", {"path": name, "skip": 1}
        yield "audit", {"path": name}
        yield "infer", {"paths": [name]}
        result = next(new) + ".json"
        for method in ("suppress", "interval"):
            yield "protect", {"path": name, "method": method, "effort": "fast", "threads": 1, "work": 200000,
                              "output": next(new) + ".csv", "result": result if method == "suppress" else next(new) + ".json"}
        yield "explain", {"result": result, "cells": CELLS, "threads": 1, "exchange_work": 100000}
        yield "report", {"result": result, "output": next(new) + ".html", "threads": 1, "verdicts_only": True}
        yield "protect", {"path": name, "method": "round", "base": 1000, "output": next(new) + ".csv", "threads": 1}
        for other in files:
            if other != name and name.endswith((".toml", ".jj")):
                yield "audit", {"path": name, "release": other}
                yield "protect", {"path": name, "prefer": other, "output": next(new) + ".csv", "threads": 1, "work": 200000}
                yield "explain", {"result": other, "path": name, "cells": CELLS, "threads": 1}
    if len(files) > 1:
        yield "infer", {"paths": files[:3]}


def ask(case, lacuna):
    """The answers that show something, and how many there were."""
    asked, found = 0, []
    with Client(lacuna, case.folder) as client:
        for tool, arguments in calls_of(case):
            client.ask("tools/call", {"name": tool, "arguments": arguments})
            asked += 1
            answer = client.heard.pop()
            told = json.loads(answer)["result"]["structuredContent"]
            given = json.dumps(arguments)
            text = "\n".join(texts_of(told)).replace(given, "")
            leak = case.secrets.found(text)
            if leak:
                found.append((tool, arguments, leak[0], leaks.sentence_at(text, leak[1])))
    if client.said and case.secrets.found(client.said):
        found.append(("standard error", {}, "", client.said[:400]))
    return asked, found


def texts_of(value):
    """Every name, text and number of an answer, each by itself."""
    if isinstance(value, dict):
        for name, each in value.items():
            yield name
            yield from texts_of(each)
    elif isinstance(value, list):
        for each in value:
            yield from texts_of(each)
    else:
        yield value if isinstance(value, str) else json.dumps(value)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("lacuna")
    parser.add_argument("--cases", type=int, default=90)
    parser.add_argument("--seed", default=os.environ.get("LACUNA_SEED", "1"))
    asked = parser.parse_args()
    wrong = leaks.try_the_search()
    answers = 0
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        for number in range(asked.cases):
            case = leaks.Case(number, asked.seed)
            case.write(folder, os.path.abspath(asked.lacuna))
            count, found = ask(case, os.path.abspath(asked.lacuna))
            answers += count
            wrong += [f"{case}: {tool} {json.dumps(given)} shows {what}: {where}" for tool, given, what, where in found]
    for each in wrong:
        print(each, file=sys.stderr)
    print(f"seed {asked.seed}: {asked.cases} cases, {answers} answers, {len(wrong)} that show something confidential")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
