#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Do two builds audit alike? Small random tables of both kinds, magnitudes with requirements and counts with questions,
and random releases of them (audit_draws.py) go through `lacuna audit` of both; some are enumerated besides.

  bench/same_audits.py OLD NEW [--tables 2000] [--enumerate 600] [--seed 1] [--first 0] [--threads 1] [--keep FOLDER]
  bench/same_audits.py --self-test LACUNA

Compared are every verdict, and every range and list of values: where OLD has an exact end, NEW must have the same one.
So many tables as --enumerate says are small, and both builds must say what all tables that fit say (audit_enumeration.py).
NEW verifies the certificates of both, and so does scripts/verify_certificate.py of one table in --script-share.
What NEW settles and OLD did not is counted as settled, and what OLD settled and NEW does not is a disagreement, as is
anything else that differs. A case is fixed by --seed and its number, which is printed with what differs; --first N
--tables 1 repeats it, and --keep leaves its files. --self-test alters answers and must find each alteration.
Exit code 1: a disagreement."""

import argparse
import collections
import json
import multiprocessing
import pathlib
import random
import subprocess
import sys
import tempfile
from decimal import Decimal
from fractions import Fraction

from audit_draws import counts, magnitudes
from audit_enumeration import TooLarge, Truth, form_of

SCRIPT = pathlib.Path(__file__).resolve().parents[1] / "scripts" / "verify_certificate.py"
WORDS = ("protected", "exposed", "undecided", "waived", "unasked")
TRIES = 60  # draws for one case: methods refuse some tables, and some are too large to enumerate


class Program:
    """A build; the self-test has one that lies."""

    def __init__(self, path):
        self.path = str(path)

    def run(self, *words):
        done = subprocess.run([self.path, *map(str, words)], capture_output=True, text=True, check=False)
        return done.returncode, done.stdout, done.stderr.strip()

    def audit(self, table, pattern, certificate, options):
        """Exit code, what was said as JSON (None: refused), and the error."""
        code, out, error = self.run("audit", table, "--pattern", pattern, "--certificate", certificate, "--json",
                                    "--quiet", *options)
        try:
            return code, self.said(json.loads(out, parse_float=Decimal), certificate), error
        except ValueError:
            return code, None, error

    def said(self, report, certificate):  # pylint: disable=unused-argument
        return report


# ---- a case: table and release in files

def drawn(options, number, attempt, small):
    draw = random.Random(f"{options.seed}:{number}:{attempt}")
    return (counts if number % 2 else magnitudes)(draw, small, by_method=options.protect), draw


def by_method(options, case, table, result, draw):
    """The release of a method, at times with one cell told that it hides. False: the method refused."""
    code, _, _ = options.old.run("protect", table, "--method", case.method, "--effort", "fast", "--quiet", "--threads",
                                 1, "--seed", draw.randint(1, 99), "-o", result)
    if code or not result.exists():
        return False
    root = json.loads(result.read_text(encoding="utf-8"), parse_float=Decimal)
    if root.get("adjusted"):
        return False
    unit, case.entries = 10 ** case.problem["decimals"], []
    for entry in root["release"]:
        entry.pop("codes", None)
        for name in ("value", "lower", "upper", "base"):
            if name in entry:
                entry[name] = int(entry[name] * unit)
        if "among" in entry:
            entry["among"] = [int(number * unit) for number in entry["among"]]
        case.entries.append(entry)
    told = [entry for entry in case.entries if case.problem["cells"][entry["cell"]].get("published", True)]
    if told and draw.random() < 0.4:
        case.entries.remove(draw.choice(told))
    return True


def write_case(options, case, folder, draw):
    table, pattern = folder / "table.json", folder / "release.json"
    table.write_text(json.dumps(case.problem), encoding="utf-8")
    if case.entries is None and not by_method(options, case, table, folder / "result.json", draw):
        return None
    pattern.write_text(case.release_json(), encoding="utf-8")
    return table, pattern


# ---- comparison

def number_of(item, end):
    """An end as a fraction; None: no end."""
    text = item.get(f"{end}_exact", item[end])
    return None if text is None else Fraction(str(text))


def key_of(item):
    return tuple(str(item.get(name)) for name in ("kind", "cell", "group", "about", "attacker"))


def rename_unasked(old, new, tally):
    """Questions about levels of counts that ask for nothing were called protected up to format 2 of certificates.
    Whether they do ask for nothing is told by the enumeration."""
    for a, b in zip(old["cells"], new["cells"]):
        if key_of(a) == key_of(b) and a.get("kind") == "levels" and (a["verdict"], b["verdict"]) == ("protected",
                                                                                                   "unasked"):
            a["verdict"] = "unasked"
            tally["renamed"] += 1
            if old["verdict"] == "protected" and not any(item["verdict"] == "protected" for item in old["cells"]):
                old["verdict"] = "unasked"


def compare_items(old, new, found, tally):
    if key_of(old) != key_of(new):
        found.append(f"another finding: {key_of(old)} / {key_of(new)}")
        return
    if old["verdict"] != new["verdict"]:
        if old["verdict"] == "undecided":
            tally["settled"] += 1
        else:
            found.append(f"verdict of {key_of(old)}: {old['verdict']} / {new['verdict']}")
    if old.get("exposure") != new.get("exposure"):
        found.append(f"exposure of {key_of(old)}: {old.get('exposure')} / {new.get('exposure')}")
    ends = [[number_of(item, end) for end in ("lower", "upper")] for item in (old, new)]
    if old["exact"]:
        tally["ends"] += 2
        if not new["exact"] or ends[0] != ends[1]:
            found.append(f"range of {key_of(old)}: {ends[0]} / {ends[1]}{'' if new['exact'] else ', not exact'}")
        if "values" in old and old["values"] != new.get("values"):
            found.append(f"values of {key_of(old)}: {old['values']} / {new.get('values')}")
    elif new["exact"]:
        tally["settled"] += 1


def compare(case, old, new, tally):
    """What differs, as sentences."""
    found = []
    if len(old["cells"]) != len(new["cells"]):
        return [f"{len(old['cells'])} findings and ranges / {len(new['cells'])}"]
    verdicts_only = "--verdicts-only" in case.options
    for a, b in zip(old["cells"], new["cells"]):
        if verdicts_only:  # ends are as far as the search went
            a, b = [{**item, "exact": False, "values": None} for item in (a, b)]
        compare_items(a, b, found, tally)
    if old["verdict"] != new["verdict"]:
        if old["verdict"] == "undecided":
            tally["settled"] += 1
        else:
            found.append(f"verdict: {old['verdict']} / {new['verdict']}")
    for name in ("exposure", "zero_level_cells", "levels_cut"):
        if old.get(name) != new.get(name):
            found.append(f"{name}: {old.get(name)} / {new.get(name)}")
    return found


# ---- against the enumeration

def check_range(item, low, high, unit, found, who):
    said = [number_of(item, end) for end in ("lower", "upper")]
    truth = [None if end is None else Fraction(end) / unit for end in (low, high)]
    if item["exact"]:
        if said != truth:
            found.append(f"{who}: range of {key_of(item)} is {truth}, not {said}")
        return
    within = [t is None or (s is not None and sign * (s - t) <= 0) for s, t, sign in zip(said, truth, (-1, 1))]
    if not all(within):
        found.append(f"{who}: {key_of(item)} is said to reach {said}, and reaches {truth}")


def check_verdict(case, item, verdict, found, tally, who):
    waived = {"exposed": "waived"} if "waived" in case.problem else {}
    if item["verdict"] == "undecided":
        tally[f"undecided by {who}"] += 1
    elif item["verdict"] != waived.get(verdict, verdict):
        found.append(f"{who}: {key_of(item)} is {verdict}, not {item['verdict']}")


def check_needs(case, truth, items, tally, who):
    found, unit = [], 10 ** case.problem["decimals"]
    if [item["cell"] for item in items] != [cell for cell, _ in sorted(truth.needs)]:
        return [f"{who}: other requirements than {sorted(truth.needs)}"]
    for item, (cell, attacker) in zip(items, sorted(truth.needs)):
        verdict, low, high = truth.need(cell, attacker)
        check_verdict(case, item, verdict, found, tally, who)
        check_range(item, low, high, unit, found, who)
        tally["enumerated requirements"] += 1
    return found


def check_questions(case, truth, items, tally, who):
    found = []
    asked = [(question["kind"], min(form_of(question)) if question["kind"] == "implied" else
              question.get("cell", min(question.get("parts", [-1])))) for question in truth.asked]
    if [(item["kind"], item["cell"]) for item in items] != asked:
        return [f"{who}: other questions than {asked}"]
    for item, question in zip(items, truth.asked):
        answer = truth.question(question)
        if answer is None:
            tally["cut off"] += 1
            continue
        verdict, ends, values = answer
        tally["enumerated questions"] += 1
        check_verdict(case, item, verdict, found, tally, who)
        check_range(item, *ends, 1, found, who)
        if "values" in item and "--values" in case.options and item["values"] != values:
            found.append(f"{who}: values of {key_of(item)} are {values}, not {item['values']}")
    return found


def check_truth(case, truth, report, tally, who):
    """The report against what can be inferred indeed."""
    items = report["cells"]
    whole = [item for item in items if "kind" in item]
    needs = [item for item in items if "kind" not in item and item["verdict"] is not None]
    found = check_needs(case, truth, needs, tally, who)
    unit = 10 ** case.problem["decimals"]
    for item in items:
        if item["verdict"] is None:
            check_range(item, *truth.range_of(item["cell"], 0), unit, found, who)
            tally["enumerated ranges"] += 1
    return found + check_questions(case, truth, whole, tally, who)


# ---- certificates

def sentence(report):
    """What a verifier has to say of the certificate."""
    def count(items, what):
        words = [item["verdict"] for item in items]
        text = f"{len(words)} {what}, confirmed protected {words.count('protected')}, confirmed exposed " \
               f"{words.count('exposed')}, undecided {words.count('undecided')}"
        return text + "".join(f", {word} {words.count(word)}" for word in ("waived", "unasked") if word in words)
    whole = [item for item in report["cells"] if "kind" in item]
    needs = [item for item in report["cells"] if "kind" not in item and item["verdict"] is not None]
    return f"{report['verdict']}: {count(needs, 'requirements')}" + \
        ("; " + count(whole, "questions about counts") if whole else "")


def check_certificates(options, case, files, reports, found):
    table, old_certificate, new_certificate = files
    stated = ["--zero-levels", "stated"] if case.stated else []
    for who, certificate, report in (("old", old_certificate, reports[0]), ("new", new_certificate, reports[1])):
        code, out, error = options.new.run("verify", table, certificate, *stated)
        if out.splitlines()[:1] != [sentence(report)]:
            found.append(f"NEW verifies the certificate of {who} with {code}, {(out or error).strip()[:300]!r}; "
                         f"the audit said {sentence(report)!r}")


def script_disagreements(lines, folder):
    """Of scripts/verify_certificate.py, all certificates in one run. A line: files, zero levels, sentence, case."""
    batch = folder / "batch.txt"
    batch.write_text("".join("\t".join(map(str, line[:3])) + "\n" for line in lines), encoding="utf-8")
    done = subprocess.run([sys.executable, str(SCRIPT), "--batch", str(batch)], capture_output=True, text=True,
                          check=False)
    answers = done.stdout.splitlines()
    if len(answers) != len(lines):
        return [f"verify_certificate.py answered {len(answers)} of {len(lines)}: {done.stderr.strip()[-300:]}"]
    return [f"table {line[4]}: verify_certificate.py says {answer!r} of the certificate of {line[1].name}, the audit "
            f"{line[3]!r}" for line, answer in zip(lines, answers) if answer != line[3]]


# ---- one case

class Outcome:
    def __init__(self, number):
        self.number, self.tally, self.found, self.script = number, collections.Counter(), [], []


def one_draw(options, number, attempt, small, folder, outcome):
    """False: this draw is of no use."""
    case, draw = drawn(options, number, attempt, small)
    truth, found, tally = None, [], collections.Counter()
    files = write_case(options, case, folder, draw)
    if files is None:
        outcome.tally["refused by methods"] += 1
        return False
    certificates = folder / "old.json", folder / "new.json"
    codes, reports, errors = zip(*(program.audit(*files, certificate, case.options) for program, certificate in
                                   zip((options.old, options.new), certificates)))
    if reports[0] is None:
        outcome.tally["refused by the audit"] += 1
        if reports[1] is not None or codes[0] != codes[1]:
            outcome.found.append(f"OLD refuses ({errors[0][:200]}), NEW does not ({errors[1][:200]})")
        elif options.refusals:
            print(f"table {number}: {errors[0]}", file=sys.stderr)
        return False
    if reports[1] is None:
        outcome.found.append(f"NEW refuses: {errors[1][:300]}")
        return True
    rename_unasked(*reports, tally)
    if small:
        try:
            truth = Truth(case)
            for who, report in zip(("old", "new"), reports):
                counted = tally if who == "new" else collections.Counter()
                found += check_truth(case, truth, report, counted, who)
        except TooLarge:
            outcome.tally["too many tables"] += 1
            return False
        tally["enumerated tables"] += 1
    found += compare(case, *reports, tally)
    if codes[0] != codes[1] and reports[0]["verdict"] != "undecided":
        found.append(f"exit code {codes[0]} / {codes[1]}")
    check_certificates(options, case, (files[0], *certificates), reports, found)
    count_up(case, reports[1], tally)
    outcome.tally += tally
    outcome.found += found
    if random.Random(f"script:{options.seed}:{number}").random() < options.script_share:
        zeros = "stated" if case.stated else "raised"
        outcome.script = [(files[0], certificate, zeros, sentence(report), number)
                          for certificate, report in zip(certificates, reports)]
    return True


def count_up(case, report, tally):
    tally["tables"] += 1
    tally["tables of counts" if case.counts else "tables of magnitudes"] += 1
    tally["releases of methods"] += bool(case.method)
    tally[f"releases {report['verdict']}"] += 1
    for item in report["cells"]:
        what = "questions" if "kind" in item else "ranges" if item["verdict"] is None else "requirements"
        tally[what] += 1
        if item["verdict"] is not None:
            tally[f"{what} {item['verdict']}"] += 1
            if what == "questions":
                tally[f"kind {item['kind']}"] += 1
                tally[f"by {item['by']}"] += 1


def one_case(options, number):
    outcome = Outcome(number)
    small = number * options.enumerate // options.span != (number + 1) * options.enumerate // options.span
    folder = pathlib.Path(options.folder) / str(number)
    folder.mkdir(parents=True, exist_ok=True)
    for attempt in range(TRIES):
        for name in folder.iterdir():
            name.unlink()
        if one_draw(options, number, attempt, small, folder, outcome):
            break
    else:
        outcome.found.append(f"no table in {TRIES} draws")
    if not outcome.script and not outcome.found and not options.keep:
        for name in folder.iterdir():
            name.unlink()
        folder.rmdir()
    return outcome


def guarded(work):
    options, number = work
    try:
        return one_case(options, number)
    except Exception as error:  # a fault of the bench is no agreement
        outcome = Outcome(number)
        outcome.found.append(f"{type(error).__name__}: {error}")
        return outcome


# ---- all cases

def run_all(options, quiet=False, until=None):
    """The tally and what was found; `until` is a word of what ends the run."""
    tally, found, lines = collections.Counter(), [], []
    with tempfile.TemporaryDirectory() as scratch:
        options.folder = str(options.keep or scratch)
        work = [(options, number) for number in range(options.first, options.first + options.tables)]
        with multiprocessing.Pool(options.threads) as pool:
            for outcome in pool.imap(guarded, work) if options.threads > 1 else map(guarded, work):
                tally += outcome.tally
                lines += outcome.script
                for text in outcome.found:
                    found.append(f"table {outcome.number}: {text}")
                    if not quiet:
                        print(found[-1], flush=True)
                if until is not None and any(until in text for text in found):
                    return tally, found
        if lines:
            more = script_disagreements(lines, pathlib.Path(options.folder))
            tally["certificates for the script"] = len(lines)
            found += more
            if not quiet:
                print("".join(text + "\n" for text in more), end="")
    return tally, found


def summary(tally, found):
    rows = lambda what: ", ".join(f"{word} {tally[f'{what} {word}']}" for word in WORDS if tally[f"{what} {word}"])
    some = lambda start: ", ".join(f"{name[len(start):]} {tally[name]}" for name in sorted(tally) if name.startswith(start))
    print(f"tables: {tally['tables']} ({tally['tables of magnitudes']} of magnitudes, {tally['tables of counts']} of "
          f"counts; {tally['releases of methods']} releases by methods): {rows('releases')}")
    print(f"requirements: {tally['requirements']}: {rows('requirements')}; further ranges: {tally['ranges']}")
    print(f"questions: {tally['questions']}: {rows('questions')}; {some('kind ')}; evidence: {some('by ')}")
    print(f"enumerated: {tally['enumerated tables']} tables: {tally['enumerated requirements']} requirements, "
          f"{tally['enumerated ranges']} ranges, {tally['enumerated questions']} questions "
          f"({tally['cut off']} without an answer); undecided by new {tally['undecided by new']}")
    print(f"certificates: {2 * tally['tables']} by lacuna verify, {tally['certificates for the script']} by the script")
    print(f"drawn again: {tally['refused by methods']} refused by methods, {tally['refused by the audit']} by the "
          f"audit, {tally['too many tables']} with too many tables")
    print(f"exact ends compared: {tally['ends']}; settled by NEW alone: {tally['settled']}; "
          f"unasked and called protected by OLD: {tally['renamed']}; disagreements: {len(found)}")


# ---- the self-test

class Altered(Program):
    """A build of whose answers one in some is changed. `which` says how; `changed` counts."""

    def __init__(self, path, which):
        super().__init__(path)
        self.which = which

    def said(self, report, certificate):
        whole = [item for item in report["cells"] if "kind" in item]
        needs = [item for item in report["cells"] if "kind" not in item and item["verdict"] is not None]
        ranges = [item for item in report["cells"] if item["verdict"] is None]
        flip = {"protected": "exposed", "exposed": "protected", "waived": "protected", "unasked": "protected"}
        kind, _, what = self.which.partition(" ")
        items = {"requirement": needs, "question": whole, "range": ranges}.get(kind, report["cells"])[:1]
        for item in items:
            if what == "verdict" and item["verdict"] in flip:
                item["verdict"] = flip[item["verdict"]]
            elif what == "end" and item["upper"] is not None and item["exact"]:
                item["upper"] += 1
                item.pop("upper_exact", None)
            elif what == "endless" and item["upper"] is not None and item["exact"]:
                item["upper"] = None
                item.pop("upper_exact", None)
            elif what == "inexact":
                item["exact"] = False
            elif what == "undecided":
                item["verdict"] = "undecided"
            elif what == "values" and "values" in item:
                item["values"] = item["values"][:-1]
            elif what == "missing":
                report["cells"].remove(item)
        if self.which == "verdict":
            report["verdict"] = flip.get(report["verdict"], "protected")
        if self.which == "evidence":
            self.forge(certificate)
        return report

    @staticmethod
    def forge(certificate):
        """Every end without its evidence."""
        root = json.loads(pathlib.Path(certificate).read_text(encoding="utf-8"))
        for finding in root.get("findings", []):
            for name in ("low", "high", "shown"):
                finding.pop(name, None)
        pathlib.Path(certificate).write_text(json.dumps(root), encoding="utf-8")


ALTERED = ["requirement verdict", "requirement end", "requirement inexact", "requirement undecided", "requirement missing",
           "range end", "range endless", "question verdict", "question end", "question values", "question missing",
           "verdict", "evidence"]
BOTH = ["requirement verdict", "requirement end", "range end", "question verdict", "question end", "question values"]


def self_test(options):
    """No disagreement of a build with itself; one for every way to alter an answer; and one by enumeration where both
    builds are altered alike."""
    true, failed = Program(options.self_test), []
    options.threads = 1
    options.span = options.tables

    def disagreements(old, new, enumerated, until=None):
        options.old, options.new, options.enumerate = old, new, enumerated
        return run_all(options, quiet=True, until=until)

    tally, found = disagreements(true, true, options.tables)
    summary(tally, found)
    print("".join(f"{text}\n" for text in found), end="")
    failed += ["a build disagrees with itself"] if found else []
    for which in ALTERED:
        _, found = disagreements(true, Altered(options.self_test, which), 0, "table")
        failed += [] if found else [f"NEW with an altered {which} is called the same"]
    for which in BOTH:
        altered = Altered(options.self_test, which)
        _, found = disagreements(altered, altered, options.tables, " new: ")
        failed += [] if any(" new: " in text for text in found) else [f"the enumeration misses an altered {which}"]
    print("".join(f"self-test: {text}\n" for text in failed) or "self-test: passed\n", end="")
    return 1 if failed else 0


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("programs", nargs="*", metavar="OLD NEW")
    parser.add_argument("--tables", type=int, default=2000)
    parser.add_argument("--enumerate", type=int, default=600)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--threads", type=int, default=1, help="tables at a time")
    parser.add_argument("--script-share", type=float, default=0.15)
    parser.add_argument("--keep", type=pathlib.Path, help="leave the files of all tables in this folder")
    parser.add_argument("--refusals", action="store_true", help="print why audits refuse what was drawn")
    parser.add_argument("--self-test", metavar="LACUNA")
    options = parser.parse_args()
    options.protect, options.span = True, max(2000, options.tables)
    if options.self_test:
        options.tables = min(options.tables, 20)
        return self_test(options)
    if len(options.programs) != 2:
        parser.error("two programs are compared")
    options.old, options.new = map(Program, options.programs)
    tally, found = run_all(options)
    summary(tally, found)
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
