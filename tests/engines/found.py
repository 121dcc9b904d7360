# SPDX-License-Identifier: Apache-2.0
"""The Python that has Spark, Dask and Ray (scripts/setup --with-engines), for tests that need one of them."""
import importlib.util
import os
import pathlib
import subprocess
import sys

SKIPPED = 77
TREE = pathlib.Path(__file__).resolve().parents[2]


def skip(why):
    print(f"skipped: {why} (scripts/setup --with-engines installs it)")
    sys.exit(SKIPPED)


def need(*modules):
    """Goes on in a Python that has the modules, or ends the test as skipped."""
    missing = [name for name in modules if importlib.util.find_spec(name) is None]
    if not missing:
        return
    done = subprocess.run([TREE / "scripts" / "setup", "--print-engines"], capture_output=True, text=True,
                          check=False)
    python = done.stdout.strip()
    if not python or os.environ.get("LACUNA_ENGINES"):
        skip(f"there is no {missing[0]} here")
    os.environ["LACUNA_ENGINES"] = "1"  # once is enough
    sys.stdout.flush()
    os.execv(python, [python, *sys.argv])
