#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The page of `lacuna bench field`, made from its rows.

  field_page.py ROWS.csv [ROWS.csv ...] PAGE.md    writes the page anew from its line "## Tools" on
  field_page.py --check ROWS.csv [...] PAGE.md     exit code 1 if the page is not what the rows give
  field_page.py --join ROWS.csv [...] ALL.csv      rows of several runs as one file
  field_page.py --self-test

What stands above that line is written by hand and stays. A pattern is safe for a question only if our audit says
protected; rows that others state are shown with the word stated, and never count as safe. Of several runs, a tool that one of them did not have counts as
there, and of rows for the same table, tool, version and options the last one counts."""
import collections
import csv
import math
import pathlib
import sys
import tempfile

BEGIN = "## Tools"
QUESTIONS = {"levels": "verdict", "not exact": "exact_verdict", "respondents": "respondents_verdict"}
TEXTS = ("tool and options", "version", "asked for", "weights", "source", "status", "why", "which", "levels")
JUDGED = ("protected", "exposed", "undecided", "unasked")


def name_of(row):
    return f"{row['tool']} {row['options']}".strip()


def number(text):
    return float(text) if text else None


def is_safe(row, question):
    return row["source"] != "stated" and row.get(QUESTIONS.get(question, ""), "") == "protected"


def kept_promise(row):
    """What the tool was asked for, audited; a question that we do not know is the levels."""
    return is_safe(row, row["asked"] if row["asked"] in QUESTIONS else "levels")


def is_judged(row):
    return row["source"] != "stated" and row["verdict"] in JUDGED


def line(*fields):
    return "| " + " | ".join(str(field) for field in fields) + " |"


def table(head, lines):
    aligned = ["---" if name in TEXTS else "---:" for name in head]
    return [line(*head), "|" + "|".join(aligned) + "|", *[line(*fields) for fields in lines], ""]


def grouped(text):
    value = number(text)
    return "" if value is None else f"{value:,.0f}" if abs(value) >= 1000 else f"{value:.4g}"


def read_rows(paths):
    rows = []
    for path in paths:
        with open(path, newline="", encoding="utf-8") as file:
            rows += list(csv.DictReader(file))
    for row in rows:
        for key in ("source", "asked", "verdict", "cost", "table", "note", "options"):
            row[key] = row.get(key) or ""
    return joined(rows)


def joined(rows):
    """The last of rows that are about the same; that a tool was not there, only if it never was."""
    was_there = {name_of(row) for row in rows if row["table"]}
    last = {}
    for row in rows:
        key = (row["table"], row["tool"], row["version"] if row["table"] else "", row["options"])
        if row["table"] or name_of(row) not in was_there:
            last[key] = row
    return list(last.values())


def write_rows(rows, path):
    with open(path, "w", newline="", encoding="utf-8") as file:
        writer = csv.DictWriter(file, rows[0].keys(), lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows)


# ---- the parts

def tools_part(rows):
    seen = {}
    for row in rows:
        seen.setdefault(name_of(row), row)
        if row["version"]:
            seen[name_of(row)] = row
    lines = [(name, row["version"] or "not here", row["asked"], row["weights"], row["source"]) for name, row in seen.items()]
    return [BEGIN, "", *table(["tool and options", "version", "asked for", "weights", "source"], lines)]


def reference(rows, question):
    """By table: the cost of the cheapest pattern that is safe for the question."""
    best = {}
    for row in rows:
        if is_safe(row, question) and row["cost"]:
            best[row["table"]] = min(best.get(row["table"], math.inf), float(row["cost"]))
    return best


def over(rows, best):
    """Percent above the cheapest safe pattern, as geometric mean over the tables where both are; empty if none."""
    factors = [float(row["cost"]) / best[row["table"]] for row in rows
               if row["cost"] and best.get(row["table"], 0) > 0 and float(row["cost"]) > 0]
    return f"{100 * (math.exp(sum(map(math.log, factors)) / len(factors)) - 1):+.1f}%" if factors else ""


def median(values):
    values = sorted(values)
    return values[len(values) // 2] if values else None


def total(rows, column):
    return f"{sum(int(float(row[column] or 0)) for row in rows):,}"


def summary_part(rows):
    best = {question: reference(rows, question) for question in QUESTIONS}
    by_name = collections.defaultdict(list)
    for row in rows:
        if row["table"]:
            by_name[name_of(row)].append(row)
    lines = []
    for name, mine in by_name.items():
        done = [row for row in mine if is_judged(row)]
        asked = mine[0]["asked"] if mine[0]["asked"] in QUESTIONS else "levels"
        kept = [row for row in done if kept_promise(row)]
        spent = median([float(row["cpu"]) for row in done if row["cpu"]])
        lines.append((name, mine[0]["asked"], f"{len(done)} of {len(mine)}", len(kept),
                      total(done, "exposed"), total(done, "exact"), total(done, "respondents_exposed"),
                      over(kept, best[asked]), "" if spent is None else f"{spent:.2f}"))
    head = ["tool and options", "asked for", "patterns", "keep what was asked", "exposed", "exact", "to respondents",
            "cost over the cheapest", "CPU seconds, median"]
    return ["## In short", "", *table(head, lines)]


def verdict_text(row):
    if row["source"] == "stated":
        return "stated: " + (row["verdict"] or "nothing")
    return row["verdict"]


def tables_part(rows):
    out = ["## Table by table", ""]
    by_table = collections.defaultdict(list)
    for row in rows:
        if row["table"]:
            by_table[row["table"]].append(row)
    for name, mine in sorted(by_table.items()):
        first = mine[0]
        out += [f"### {name}", "", f"{grouped(first['cells'])} cells, {grouped(first['equations'])} equations, "
                f"{grouped(first['sensitive'])} sensitive.", ""]
        lines = []
        for row in mine:
            outcome = verdict_text(row) if is_judged(row) or row["source"] == "stated" else "–"
            lines.append((name_of(row), row["asked"], row["status"], grouped(row["cost"]), row["secondary"],
                          row["cpu"], outcome, row["exposed"], row["exact"], row["respondents_exposed"]))
        out += table(["tool and options", "asked for", "status", "cost", "secondary", "CPU seconds", "levels", "exposed",
                      "exact", "to respondents"], lines)
    return out


def trouble_part(rows):
    """Everything without a pattern, and why."""
    reasons = collections.defaultdict(list)
    for row in rows:
        if not is_judged(row) and row["source"] != "stated":
            reasons[(name_of(row), row["status"], row["note"])].append(row["table"])
    lines = [(name, status, why.replace("|", "/"), len([t for t in tables if t]) or "all", ", ".join(t for t in tables if t))
             for (name, status, why), tables in reasons.items()]
    body = table(["tool and options", "status", "why", "tables", "which"], lines) if lines else ["Nothing.", ""]
    return ["## What could not be run", "", *body]


def page_of(rows):
    parts = tools_part(rows) + summary_part(rows) + trouble_part(rows) + tables_part(rows)
    return "\n".join(parts).rstrip("\n") + "\n"


def new_page(rows, old):
    by_hand, mark, _ = old.partition(BEGIN + "\n")
    if not mark:
        raise SystemExit(f"the page has no line '{BEGIN}'")
    return by_hand + page_of(rows)


# ---- the test of this script

def made_row(**fields):
    columns = ("table cells equations sensitive tool version options weights asked source limit status cost secondary "
               "seconds cpu peak_mib verdict exposed undecided exact exact_verdict respondents_verdict "
               "respondents_exposed note").split()
    return dict.fromkeys(columns, "") | {"table": "t", "source": "run", "asked": "levels", "status": "finished"} | fields


def self_test():
    rows = [made_row(tool="A", version="1", cost="100", verdict="protected", exact_verdict="protected", cpu="1"),
            made_row(tool="B", version="2", cost="90", verdict="exposed", exposed="3", exact="1", exact_verdict="exposed"),
            made_row(tool="C", version="3", cost="80", verdict="protected", source="stated"),
            made_row(tool="D", asked="not exact", cost="110", verdict="exposed", exposed="2", exact="0",
                     exact_verdict="protected"),
            made_row(tool="E", table="", status="not run", note="not installed"),
            made_row(tool="A", version="1", table="u", status="limit", note="no result")]
    assert reference(rows, "levels") == {"t": 100.0}, "exposed or stated patterns are no reference"
    assert reference(rows, "not exact") == {"t": 100.0}
    page = page_of(rows)
    for expected in ("| A | levels | 1 of 2 | 1 | 0 | 0 | 0 | +0.0% | 1.00 |", "| B | levels | 1 of 1 | 0 | 3 | 1 | 0 |  |  |",
                     "| C | levels | 0 of 1 | 0 |", "stated: protected", "| D | not exact | 1 of 1 | 1 | 2 | 0 | 0 | +10.0% |",
                     "| E | not run | not installed | all |", "| A | limit | no result | 1 | u |"):
        assert expected in page, f"not on the page: {expected}\n{page}"
    with tempfile.TemporaryDirectory() as name:
        path, target = pathlib.Path(name, "rows.csv"), pathlib.Path(name, "page.md")
        write_rows(rows, path)
        target.write_text(f"by hand\n\n{BEGIN}\nold\n", encoding="utf-8")
        assert main(["--check", str(path), str(target)]) == 1, "an old page passes"
        assert main([str(path), str(target)]) == 0
        assert target.read_text(encoding="utf-8").startswith("by hand\n\n## Tools\n")
        assert main(["--check", str(path), str(target)]) == 0, "a fresh page does not pass"
        more, both = pathlib.Path(name, "more.csv"), pathlib.Path(name, "both.csv")
        write_rows([made_row(tool="E", verdict="exposed", cost="5"), made_row(tool="B", version="2", cost="91")], more)
        assert main(["--join", str(path), str(more), str(both)]) == 0
        found = {(row["table"], row["tool"]): row["cost"] for row in read_rows([both])}
        assert ("", "E") not in found and found["t", "E"] == "5", "a tool that came later counts as not there"
        assert found["t", "B"] == "91", "the first of two rows about the same counts"
    print("as expected")
    return 0


def main(words):
    if words == ["--self-test"]:
        return self_test()
    if words[:1] == ["--join"] and len(words) > 2:
        write_rows(read_rows(words[1:-1]), words[-1])
        return 0
    check = words[:1] == ["--check"]
    paths = words[1:] if check else words
    if len(paths) < 2:
        print(__doc__, file=sys.stderr)
        return 2
    target = pathlib.Path(paths[-1])
    old = target.read_text(encoding="utf-8")
    new = new_page(read_rows(paths[:-1]), old)
    if check:
        if new != old:
            print(f"{target} is not what the rows give; write it with scripts/field_page.py", file=sys.stderr)
        return 0 if new == old else 1
    target.write_text(new, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
