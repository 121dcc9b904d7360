#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Says how many tests a run has left out, and for want of what.

  scripts/left_out.py RESULTS.XML     what `ctest --output-junit RESULTS.XML` has written
  scripts/left_out.py --self-test     show that what is left out is seen

Counted are entries of ctest that were left out as a whole (exit code 77), and single tests that the
programs of gtest, unittest, pytest and testthat have left out while the rest of them ran.
"""

import collections
import pathlib
import re
import sys
import tempfile
import xml.etree.ElementTree

GTEST = re.compile(r": Skipped\n(.+)")
UNITTEST = re.compile(r"\.\.\. skipped (['\"])(.*?)\1$", re.MULTILINE)
PYTEST = re.compile(r"^SKIPPED \[(\d+)\] [^:]+(?::\d+)?: (.+)$", re.MULTILINE)
TESTTHAT = re.compile(r"^• (.+) \((\d+)\)", re.MULTILINE)
SUMMARY = re.compile(r" - Reason: (.+)$", re.MULTILINE)  # testthat's reporter of this name
TOTAL = re.compile(r"\(.*?skipped=(\d+)\)|\b(\d+) skipped\b|^\[  SKIPPED \] (\d+) tests?|\| SKIP (\d+) \|",
                   re.MULTILINE)
WHOLE = re.compile(r"^(?:left out|skipped)\b[:,]?\s*(.+)$", re.MULTILINE)
UNTOLD = "a reason that was not told"


def plain(reason):
    reason = reason.strip()
    return reason.removeprefix("for ").removeprefix("want of ").strip() or UNTOLD


def reasons_of(text):
    """The reasons of the single tests that a program has left out."""
    found = [plain(reason) for reason in GTEST.findall(text)]
    found += [plain(reason) for _, reason in UNITTEST.findall(text)]
    for count, reason in PYTEST.findall(text):
        found += [plain(reason)] * int(count)
    for reason, count in TESTTHAT.findall(text):
        found += [plain(reason)] * int(count)
    found += [plain(reason) for reason in SUMMARY.findall(text)]
    told = max((int(next(filter(None, groups))) for groups in TOTAL.findall(text)), default=0)
    return found + [UNTOLD] * (told - len(found))


def left_out(path):
    """How many entries there were, and the reasons of all that was left out."""
    entries, reasons = 0, collections.Counter()
    for case in xml.etree.ElementTree.parse(path).getroot().iter("testcase"):
        entries += 1
        text = "".join(part.text or "" for part in case.iter("system-out"))
        single = reasons_of(text)
        if case.find("skipped") is not None or case.get("status") in ("notrun", "disabled"):
            whole = WHOLE.search(text)
            single = single or [plain(whole[1]) if whole else f"{UNTOLD} ({case.get('name')})"]
        reasons.update(single)
    return entries, reasons


def report(path):
    entries, reasons = left_out(path)
    if not reasons:
        return f"test: nothing was left out ({entries} entries of ctest)"
    lines = [f"test: LEFT OUT: {sum(reasons.values())} tests, for want of"]
    lines += [f"test:   {count:4} {reason}" for reason, count in reasons.most_common()]
    return "\n".join(lines)


SELF_TEST = """<testsuite>
<testcase name="unit_a" status="run"><system-out>[ RUN ] A.B
a_test.cpp:7: Skipped
want of third-party data (LACUNA_SHARED): instances/castro

[  SKIPPED ] A.B (0 ms)
[  SKIPPED ] 1 test, listed below:</system-out></testcase>
<testcase name="cli.b" status="notrun"><skipped message="SKIP_RETURN_CODE=77"/><system-out>left out for want of third-party data (LACUNA_SHARED): instances/argus
</system-out></testcase>
<testcase name="c" status="run"><system-out>test_x (C) ... skipped 'there is no openssl here'
OK (skipped=2)</system-out></testcase>
<testcase name="d" status="notrun"><skipped message=""/></testcase>
<testcase name="e" status="run"><system-out>all good</system-out></testcase>
<testcase name="f" status="run"><system-out>SKIPPED [3] tests/test_a.py:4: no pandas
3 skipped, 9 passed in 2 s</system-out></testcase>
<testcase name="h" status="run"><system-out>1. a peer (test-b.R:7:3) - Reason: no sdcTable</system-out></testcase>
<testcase name="g" status="run"><system-out>== Skipped tests (2) ====
• no package data.table (2): test-a.R:3:3
[ FAIL 0 | WARN 0 | SKIP 2 | PASS 9 ]</system-out></testcase>
</testsuite>"""


def self_test():
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder) / "results.xml"
        path.write_text(SELF_TEST)
        entries, reasons = left_out(path)
        path.write_text('<testsuite><testcase name="a" status="run"/></testsuite>')
        none = report(path)
    wanted = {"third-party data (LACUNA_SHARED): instances/castro": 1,
              "third-party data (LACUNA_SHARED): instances/argus": 1,
              "there is no openssl here": 1, UNTOLD: 1, f"{UNTOLD} (d)": 1, "no pandas": 3, "no package data.table": 2, "no sdcTable": 1}
    if (entries, dict(reasons)) != (8, wanted) or "nothing was left out" not in none:
        print(f"self-test: {entries} {dict(reasons)} {none}", file=sys.stderr)
        return 1
    print("left_out: the self-test passed")
    return 0


def main():
    if sys.argv[1:] == ["--self-test"]:
        return self_test()
    if len(sys.argv) != 2:
        print("usage: left_out.py RESULTS.XML | --self-test", file=sys.stderr)
        return 2
    print(report(sys.argv[1]))
    return 0


if __name__ == "__main__":
    sys.exit(main())
