#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The same tabulation from the program's own reader and from the sums of an engine: generated
records with holdings, weights, negative values, ties, several hierarchies, missing codes, requests
and waivers, by plans A and B, and with identities as hashes.

  tabulation_test.py LACUNA duckdb|postgresql|spark [RECORDS]

Exit 77, with a word, where the engine is not there. PostgreSQL is a server of the system, started
for the test; Spark is pyspark in local mode.
"""

import json
import os
import pathlib
import pwd
import random
import shutil
import subprocess
import sys
import tempfile

import found

LARGE = 100_000  # records; from here on every variant is run in every engine
COLUMNS = ["act", "zone", "kind", "area", "size", "x", "w", "firm", "grp", "ask", "free"]


def write_records(path, count):
    draw = random.Random(5)
    firms = max(count // 12, 3)
    with open(path, "w", encoding="utf-8") as out:
        out.write(";".join(COLUMNS) + "\n")
        for _ in range(count):
            firm = draw.randrange(firms)
            # A third of the firms has all its records in one place; the others are anywhere.
            place = random.Random(firm) if firm % 3 == 0 else draw
            act = f"{place.randrange(1, 4)}{place.randrange(1, 5)}{place.randrange(1, 4)}"
            area = place.randrange(12)
            size = place.choice(["s", "m", "l", "NA", ""])
            tenths = draw.randrange(-40, 400) if draw.random() < 0.9 else 100
            weight = draw.choice(["1", "1.25", "2.5", "0.75"])
            name = f"F{firm}" if firm % 5 else f"a firm with a long name, é {firm}"
            group = f"G{firm % 97}" if firm % 4 == 0 else ""
            fields = [act, f"z{area // 4}", f"k{area % 3}", f"a{area:02}", size,
                      f"{'-' if tenths < 0 else ''}{abs(tenths) // 10}.{abs(tenths) % 10}", weight,
                      name, group, "y" if draw.random() < 0.1 else "n",
                      "1" if draw.random() < 0.5 else ""]
            out.write(";".join(fields) + "\n")


JOB = """[input]
{place}
separator = ";"
decimals = 1
weight_decimals = 2
negative = true

[columns]
value = "x"
weight = "w"
{who}
request = "ask"
request_codes = ["y"]
waiver = "free"

[[dimension]]
name = "act"
digits = [1, 1, 1]

[[dimension]]
name = "area"
columns = [["zone", "area"], ["kind", "area"]]

[[dimension]]
name = "size"
total = "All"
missing = "code"
missing_values = ["NA"]
missing_code = "unknown"
{tables}
[[rule]]
type = "p-percent"
p = 10

[[rule]]
type = "request"
percent = 20

[attackers]
{knowledge}
"""
LINKED = """
[[table]]
name = "one"
dimensions = ["act", "area"]

[[table]]
name = "two"
dimensions = ["area", "size"]
"""


class Variant:
    def __init__(self, name, plan, who=True, linked=False, salted=False):
        self.name, self.plan, self.who, self.linked, self.salted = name, plan, who, linked, salted

    def job(self, place):
        who = 'respondent = "firm"\nholding = "grp"' if self.who else ""
        if self.salted and "records = \"records.csv\"" not in place:
            place += '\nsalt = "salt.txt"'
        # Plan B does not tell what respondents contribute everywhere.
        knowledge = 'knowledge = "sensitive-only"' if self.plan == "B" else ""
        return JOB.format(place=place, who=who, tables=LINKED if self.linked else "",
                          knowledge=knowledge)


VARIANTS = [
    Variant("plan A", "A"),
    Variant("plan B", "B"),
    Variant("plan A, linked", "A", linked=True),
    Variant("plan B, linked", "B", linked=True),
    Variant("anonymous", "A", who=False),
]
HASHED = [Variant("hashed A", "A", salted=True), Variant("hashed B", "B", salted=True)]


class Runner:
    def __init__(self, program, folder):
        self.program, self.folder = program, folder

    def lacuna(self, *arguments):
        done = subprocess.run([self.program, *arguments], cwd=self.folder, text=True,
                              capture_output=True, check=False)
        if done.returncode != 0:
            sys.exit(f"lacuna {' '.join(arguments)}: {done.stderr}")
        return done.stdout

    def write(self, name, text):
        (self.folder / name).write_text(text, encoding="utf-8")

    def tabulated(self, job, *more):
        """All that the program says of the cells, and the problem with its attackers."""
        text = self.lacuna("tabulate", job, "--json", "--quiet", "-o", "problem.json", *more)
        said = json.loads(text)
        said.pop("seconds")
        return said, (self.folder / "problem.json").read_text(encoding="utf-8")


def same(what, got, wanted):
    if got[0]["cells"] != wanted[0]["cells"]:
        for left, right in zip(got[0]["cells"], wanted[0]["cells"]):
            if left != right:
                sys.exit(f"{what}: {left}\ninstead of {right}")
    if got[0] != wanted[0]:
        sys.exit(f"{what}: the summaries differ")
    if got[1] != wanted[1]:
        sys.exit(f"{what}: the problems differ")
    print(f"{what}: the same {len(got[0]['cells'])} cells")


class Duckdb:
    place = 'records = ["rec*.csv"]\nengine = "duckdb"'
    variants = VARIANTS

    def __init__(self, runner):
        self.runner = runner
        done = subprocess.run([runner.program, "tabulate", "probe.toml", "--quiet"],
                              cwd=runner.folder, text=True, capture_output=True, check=False)
        if "DuckDB's library" in done.stderr:
            print("skipped: DuckDB's library is not there (scripts/setup --with-duckdb)")
            sys.exit(found.SKIPPED)

    def sums(self, variant, job):
        text = (self.runner.folder / job).read_text(encoding="utf-8")
        self.runner.write(job, text.replace("[input]", f'[input]\nplan = "{variant.plan}"', 1))
        return []

    def close(self):
        pass


class Postgresql:
    place = 'from_table = "public.records"\nengine = "postgresql"'
    variants = VARIANTS

    def __init__(self, runner):
        self.runner = runner
        homes = sorted(pathlib.Path("/usr/lib/postgresql").glob("*/bin/initdb"))
        if not homes or shutil.which("psql") is None:
            found.skip("PostgreSQL's server is not installed")
        self.bin = homes[-1].parent
        self.as_user = []
        self.data = runner.folder / "data"
        self.data.mkdir()
        if os.geteuid() == 0:  # the server does not run as root
            try:
                user = pwd.getpwnam("postgres")
            except KeyError:
                found.skip("there is no user postgres to run the server")
            for path in (self.data, runner.folder):
                os.chown(path, user.pw_uid, user.pw_gid)
            os.chmod(runner.folder, 0o755)
            self.as_user = ["runuser", "-u", "postgres", "--"]
        self.run_server("initdb", "-D", self.data, "-A", "trust", "-U", "lacuna", "-E", "UTF8",
                        "--locale=C.UTF-8", "--no-sync")
        self.run_server("pg_ctl", "-D", self.data, "-w", "-l", self.data / "log", "-o",
                        f"-c listen_addresses='' -k {runner.folder} -c fsync=off "
                        "-c work_mem=256MB", "start")
        columns = ", ".join(f'"{name}" TEXT' for name in COLUMNS)
        self.psql("-c", f"CREATE TABLE records ({columns})", "-c",
                  r"\copy records FROM 'records.csv' WITH (FORMAT csv, HEADER, DELIMITER ';')",
                  "-c", "ANALYZE records")

    def run_server(self, tool, *arguments):
        done = subprocess.run([*self.as_user, self.bin / tool, *arguments], text=True,
                              cwd=self.runner.folder, stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT, check=False)
        if done.returncode != 0:
            sys.exit(f"{tool}: {done.stdout}")

    def psql(self, *arguments, cwd=None):
        done = subprocess.run(["psql", "-q", "-h", self.runner.folder, "-U", "lacuna", "-v",
                               "ON_ERROR_STOP=1", *arguments, "postgres"], text=True,
                              cwd=cwd or self.runner.folder, capture_output=True, check=False)
        if done.returncode != 0:
            sys.exit(f"psql: {done.stderr}")

    def sums(self, variant, job):
        folder = self.runner.folder / "sums"
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir()
        self.runner.lacuna("sql", job, "--plan", variant.plan, "-o", "sums/make.sql")
        self.psql("-f", "make.sql", cwd=folder)
        return ["--aggregates", "sums"]

    def close(self):
        self.run_server("pg_ctl", "-D", self.data, "-m", "immediate", "stop")


class Spark:
    place = 'from_table = "records"\nengine = "spark"'
    variants = [VARIANTS[0], VARIANTS[3]]  # a statement takes a second, however few the records are

    def __init__(self, runner):
        self.runner = runner
        if shutil.which("java") is None:
            found.skip("there is no Java for Spark")
        # Statements are many and small: the compiler that starts fastest is the best.
        os.environ.setdefault("JAVA_TOOL_OPTIONS", "-XX:TieredStopAtLevel=1")
        from pyspark.sql import SparkSession  # pylint: disable=import-outside-toplevel
        self.session = (SparkSession.builder.master("local[2]").appName("engines")
                        .config("spark.ui.enabled", "false")
                        .config("spark.ui.showConsoleProgress", "false")
                        .config("spark.sql.shuffle.partitions", "2")
                        .config("spark.sql.warehouse.dir", str(runner.folder / "warehouse"))
                        .getOrCreate())
        self.session.sparkContext.setLogLevel("ERROR")
        (self.session.read.option("header", True).option("sep", ";")
         .csv(str(runner.folder / "records.csv")).createOrReplaceTempView("records"))

    def sums(self, variant, job):
        folder = self.runner.folder / "sums"
        shutil.rmtree(folder, ignore_errors=True)
        text = self.runner.lacuna("sql", job, "--plan", variant.plan)
        lines = [line for line in text.splitlines() if not line.startswith("--")]
        for statement in "\n".join(lines).split(";\n"):
            statement = statement.strip().rstrip(";")
            if statement:
                self.session.sql(statement.replace("DIRECTORY '", f"DIRECTORY '{folder}/")).collect()
        for (name,) in [(row.tableName,) for row in self.session.sql("SHOW TABLES").collect()]:
            if name.startswith("lacuna_"):
                self.session.catalog.dropTempView(name)
        return ["--aggregates", "sums"]

    def close(self):
        self.session.stop()


def check_refusals(runner, engine):
    """What is wrong with records is said before anything is summed."""
    if not isinstance(engine, Duckdb):
        return
    job = Variant("bad", "A").job('records = "bad.csv"\nengine = "duckdb"')
    rows = (runner.folder / "records.csv").read_text(encoding="utf-8").splitlines()[:20]
    cells = rows[7].split(";")
    cells[5], cells[7], cells[8] = "1.25", "", ""
    rows[7] = ";".join(cells)
    runner.write("bad.csv", "\n".join(rows) + "\n")
    runner.write("bad.toml", job)
    done = subprocess.run([runner.program, "tabulate", "bad.toml"], cwd=runner.folder, text=True,
                          capture_output=True, check=False)
    for part in ("values with more than 1 decimals: 1", "without a respondent: 1", "bad.toml"):
        if part not in done.stderr or done.returncode != 1:
            sys.exit(f"instead of '{part}': {done.stderr}")


def main():
    program, name = os.path.abspath(sys.argv[1]), sys.argv[2]
    if name == "spark":
        found.need("pyspark")
    count = int(sys.argv[3]) if len(sys.argv) > 3 else 20_000
    folder = pathlib.Path(tempfile.mkdtemp(prefix="lacuna-engines-"))
    engine = None
    try:
        runner = Runner(program, folder)
        write_records(folder / "records.csv", count)
        runner.write("salt.txt", "0123456789abcdef0123456789abcdef\n")
        runner.write("probe.toml", VARIANTS[0].job(Duckdb.place))
        engine = {"duckdb": Duckdb, "postgresql": Postgresql, "spark": Spark}[name](runner)
        for variant in VARIANTS if count >= LARGE else engine.variants:
            runner.write("own.toml", variant.job('records = "records.csv"'))
            runner.write("job.toml", variant.job(engine.place))
            wanted = runner.tabulated("own.toml")
            more = engine.sums(variant, "job.toml")
            same(f"{name}, {variant.name}", runner.tabulated("job.toml", *more), wanted)
        hashed = []
        for variant in HASHED:  # ties go by the hash: the same in both plans
            runner.write("job.toml", variant.job(engine.place).replace(
                "[attackers]\n", "[attackers]\n" if variant.plan == "B"
                else '[attackers]\nknowledge = "sensitive-only"\n'))
            more = engine.sums(variant, "job.toml")
            hashed.append(runner.tabulated("job.toml", *more))
        same(f"{name}, identities as hashes", hashed[0], hashed[1])
        check_refusals(runner, engine)
    finally:
        if engine is not None:
            engine.close()
        shutil.rmtree(folder, ignore_errors=True)


if __name__ == "__main__":
    main()
