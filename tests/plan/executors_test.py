#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""A plan by local processes, Dask and Spark through the Python package: killed three times and resumed it publishes what
the program publishes, byte for byte; what a forging worker returns is published by nobody. Engines that this Python does
not have are skipped, with a word.

  executors_test.py LACUNA [CLUSTERS]         CLUSTERS x 4 tables in 2 x CLUSTERS groups
  executors_test.py --drive ENGINE PLAN HOW   what the tests start and kill"""
import contextlib
import csv
import importlib.util
import json
import os
import pathlib
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import unittest

HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE.parent.parent / "python" / "tests")]
WORKERS = 2


# ---- the driver


@contextlib.contextmanager
def executor_of(engine):
    """Two workers of the engine, each a process."""
    if engine == "processes":
        import concurrent.futures
        import multiprocessing
        with concurrent.futures.ProcessPoolExecutor(WORKERS, mp_context=multiprocessing.get_context("spawn")) as pool:
            yield pool
    elif engine == "dask":
        import distributed
        with distributed.LocalCluster(n_workers=WORKERS, threads_per_worker=1, processes=True,
                                      dashboard_address=None) as cluster, distributed.Client(cluster) as client:
            yield client
    elif engine == "ray":
        import ray
        ray.init(num_cpus=WORKERS, include_dashboard=False, log_to_driver=False)
        yield ray
        ray.shutdown()
    else:
        from pyspark.sql import SparkSession
        spark = SparkSession.builder.master(f"local[{WORKERS}]").config("spark.ui.enabled", "false").getOrCreate()
        yield spark
        spark.stop()


def drive(engine, plan, how):
    """Runs the plan by honest workers, or by one of the forgers, and prints what became of it."""
    import forgers
    import lacuna_sdc as lc
    from lacuna_sdc import _executors
    if how != "honest":
        _executors.work = getattr(forgers, how)
    with executor_of(engine) as executor:
        begin = time.monotonic()
        run = lc.run_plan(plan, executor=executor)
        seconds = time.monotonic() - begin
    print(json.dumps({"released": len(run.released), "tables": len(run.rows), "groups": run.groups, "units": run.units,
                      "finished_before": run.finished_before, "errors": run.errors, "seconds": seconds}))


# ---- the tests


def command(engine, plan, how):
    return [sys.executable, str(HERE / "executors_test.py"), "--drive", engine, str(plan), how]


def environment():
    path = os.pathsep.join([*sys.path[:2], os.environ.get("PYTHONPATH", "")])
    return {**os.environ, "PYTHONPATH": path, "PYSPARK_PYTHON": sys.executable}


def published(folder):
    return {path.name: path.read_bytes() for path in sorted((folder / "out").glob("c*.csv"))}


def finished(folder):
    return len(list((folder / "out" / "units").glob("*/certificate.json")))


MODULES = {"processes": "lacuna_sdc", "dask": "distributed", "ray": "ray", "spark": "pyspark"}


class Executors(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        import make_plan
        cls.holder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(cls.holder.cleanup)
        cls.folder = pathlib.Path(cls.holder.name)
        cls.plan = cls.folder / "plan.toml"
        cls.count = make_plan.make(cls.folder, CLUSTERS, 4, 3)  # in every group something is asked
        begin = time.monotonic()
        done = subprocess.run([LACUNA, "release", cls.plan], capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stderr
        print(f"{cls.count} tables by the program: {time.monotonic() - begin:.1f} s", flush=True)
        cls.expected = published(cls.folder)

    def setUp(self):
        shutil.rmtree(self.folder / "out", ignore_errors=True)

    def skip_without(self, engine):
        if importlib.util.find_spec(MODULES[engine]) is None:
            self.skipTest(f"{MODULES[engine]} is not installed in this Python")

    def run_by(self, engine, how="honest"):
        done = subprocess.run(command(engine, self.plan, how), capture_output=True, text=True, check=False,
                              env=environment())
        self.assertEqual(done.returncode, 0, done.stderr)
        return json.loads(done.stdout.splitlines()[-1])

    def killed_at(self, engine, units):
        """Starts the driver and kills it, and all that it started, once so many units are finished."""
        with tempfile.TemporaryFile() as said:
            driver = subprocess.Popen(command(engine, self.plan, "honest"), stdout=said, stderr=said, env=environment(),
                                      start_new_session=True)
            while finished(self.folder) < units and driver.poll() is None:
                time.sleep(0.01)
            with contextlib.suppress(ProcessLookupError):
                os.killpg(driver.pid, signal.SIGKILL)
            driver.wait()

    def check_engine(self, engine):
        self.skip_without(engine)
        draw = random.Random(engine)
        for units in sorted(draw.sample(range(1, 2 * CLUSTERS), 3)):
            self.killed_at(engine, units)
        before = finished(self.folder)
        self.assertEqual(published(self.folder), {})
        told = self.run_by(engine)
        self.assertEqual((told["released"], told["tables"]), (self.count, self.count), told["errors"])
        self.assertEqual(told["groups"], 2 * CLUSTERS)
        self.assertEqual(told["finished_before"], before)
        self.assertEqual(published(self.folder), self.expected)

    def check_twice(self, engine):
        self.skip_without(engine)
        told = self.run_by(engine)
        self.assertEqual(published(self.folder), self.expected)
        again = self.run_by("processes")
        self.assertEqual(again["finished_before"], again["units"])
        self.assertEqual(published(self.folder), self.expected)
        print(f"{self.count} tables by {engine}: {told['seconds']:.1f} s", flush=True)

    def check_forger(self, engine, how):
        self.skip_without(engine)
        told = self.run_by(engine, how)
        unpublished = set(self.expected) - set(published(self.folder))
        self.assertEqual(len(unpublished), self.count - told["released"])
        with open(self.folder / "out" / "summary.csv", newline="") as file:
            rows = {f"{row['table']}.csv": row for row in csv.DictReader(file, delimiter=";")}
        for name in unpublished:
            self.assertTrue(rows[name]["error"], name)
        for name, text in published(self.folder).items():
            self.assertEqual(text, self.expected[name])
        self.assertGreater(len(unpublished), 0)
        self.assertEqual(self.run_by("processes")["released"], self.count)  # done again, by honest ones
        self.assertEqual(published(self.folder), self.expected)


def add(name, check, *arguments):
    setattr(Executors, name, lambda self: getattr(self, check)(*arguments))


for each in ("processes", "dask", "spark"):
    add(f"test_{each}_killed_three_times", "check_engine", each)
    add(f"test_{each}_twice", "check_twice", each)
    add(f"test_{each}_forged", "check_forger", each, "unhides")
add("test_ray_twice", "check_twice", "ray")
add("test_a_certificate_of_another_problem", "check_forger", "processes", "answers_another")
add("test_a_certificate_of_a_weaker_problem", "check_forger", "processes", "asks_less")
add("test_a_worker_that_fails", "check_forger", "processes", "fails")

if __name__ == "__main__":
    if sys.argv[1] == "--drive":
        drive(*sys.argv[2:])
    else:
        if importlib.util.find_spec("lacuna_sdc") is None:
            print("skipped: this Python has no package lacuna_sdc (LACUNA_PYTHON)")
            sys.exit(77)
        LACUNA = sys.argv[1]
        CLUSTERS = int(sys.argv[2]) if len(sys.argv) > 2 else 5
        unittest.main(argv=sys.argv[:1], verbosity=2)  # with the reasons of what is skipped
