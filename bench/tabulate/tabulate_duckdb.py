#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What DuckDB needs for a plain GROUP BY sum over the file of tabulate_bench (--keep): one row per
combination of the four codes, no hierarchy, no contributors, no exact check. Prints a CSV row as
tabulate_bench does. Needs the Python package duckdb, and says so where it is not at hand.

  tabulate_duckdb.py FILE [THREADS]
"""

import resource
import sys
import time

QUERY = """
SELECT act, reg, size, year, sum(turnover), count(*)
FROM read_csv(?, header = true, columns = {
  'act': 'VARCHAR', 'reg': 'VARCHAR', 'size': 'VARCHAR', 'year': 'VARCHAR',
  'respondent': 'VARCHAR', 'turnover': 'DECIMAL(18, 2)'})
GROUP BY ALL
"""


def main(arguments):
    if len(arguments) not in (1, 2):
        print("usage: tabulate_duckdb.py FILE [THREADS]", file=sys.stderr)
        return 2
    try:
        import duckdb
    except ImportError:
        print("the Python package duckdb is not at hand: no comparison", file=sys.stderr)
        return 1
    threads = int(arguments[1]) if len(arguments) == 2 else 2
    connection = duckdb.connect(config={"threads": threads})
    before = resource.getrusage(resource.RUSAGE_SELF)
    cpu_before = before.ru_utime + before.ru_stime
    begin = time.monotonic()
    rows = connection.execute(QUERY, [arguments[0]]).fetchall()
    seconds = time.monotonic() - begin
    records = sum(row[-1] for row in rows)
    used = resource.getrusage(resource.RUSAGE_SELF)
    cpu = used.ru_utime + used.ru_stime - cpu_before
    print("instance,records,cells,threads,seconds,cpu_seconds,peak_mib")
    print(
        f"duckdb-{duckdb.__version__},{records},{len(rows)},{threads},{seconds:.2f},{cpu:.2f},"
        f"{used.ru_maxrss // 1024}"
    )
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
