# SPDX-License-Identifier: Apache-2.0
"""The same job by the command line and by Python gives the same bytes, on twenty tables."""

from __future__ import annotations

import csv
import json
import os
import pathlib
import subprocess
from typing import Any

import lacuna_sdc as lc
import pytest
from data import records, sales, sales_problem, table

EXAMPLES = pathlib.Path(__file__).resolve().parent.parent.parent / "examples"

# name, method, further options
CASES: list[tuple[str, str, dict[str, Any]]] = [
    *[(f"records {seed}", "suppress", {}) for seed in range(6)],
    ("records 6", "suppress", {"effort": "fast", "weights": "unity"}),
    ("records 7", "suppress", {"gap": 0.1, "minimum_width": 5}),
    ("records 8", "interval", {}),
    ("records 9", "interval", {"interval_digits": 2, "seed": 7}),
    ("records 10", "combined", {}),
    ("sales", "perturb", {"range": 30}),
    ("records 12", "adjust", {"norm": "l1"}),
    ("sales", "suppress", {}),
    ("sales", "round", {"base": 10}),
    ("sales", "round", {"base": 10, "unbiased": True, "seed": 3}),
    ("sales", "mixed", {"base": 10}),
    ("sales.toml", "suppress", {}),
    ("business.toml", "suppress", {}),
    ("linked.toml", "suppress", {"effort": "fast"}),
    ("people.toml", "small-counts", {"base": 5}),
]


def problem_of(name: str) -> lc.Problem:
    if name == "sales":
        return sales_problem()
    if name.endswith(".toml"):
        return lc.Problem(EXAMPLES / name)
    return table(int(name.split()[1]), 40)


def written_job(name: str, problem: lc.Problem, folder: pathlib.Path) -> str:
    """The job that Python's arguments make, as files for the command line."""
    if name.endswith(".toml"):
        return str(EXAMPLES / name)
    rows = sales() if name == "sales" else records(40, int(name.split()[1]))
    with open(folder / "data.csv", "w", newline="") as file:
        writer = csv.DictWriter(file, list(rows[0]), delimiter=";")
        writer.writeheader()
        writer.writerows(rows)
    job = problem.job
    assert job is not None
    for held in ("records", "table"):
        job = job.replace(f'{{ frame = "{held}" }}', '"data.csv"')
    (folder / "table.toml").write_text(job)
    return str(folder / "table.toml")


WHO = ("ours", "theirs")


def without_time(run: dict[str, Any]) -> dict[str, Any]:
    told = ("finished", "input", "options")
    return {key: run[key] for key in run if key not in told and not key.endswith("seconds")}


@pytest.mark.parametrize("case", range(len(CASES)))
def test_same_bytes(case: int, tmp_path: pathlib.Path) -> None:
    program = os.environ.get("LACUNA_PROGRAM")
    if not program:
        pytest.skip("LACUNA_PROGRAM names no program to compare with")
    name, method, options = CASES[case]
    problem = problem_of(name)
    job = written_job(name, problem, tmp_path)
    arguments = ["--method", method, "--quiet", "--threads", "2"]
    for option, value in options.items():
        arguments.append("--" + option.replace("_", "-"))
        arguments += [] if value is True else [str(value)]
    outputs = {"--public": "theirs.csv", "-o": "theirs.json", "--certificate": "theirs.cert.json"}
    for option, file in outputs.items():
        arguments += [option, str(tmp_path / file)]
    done = subprocess.run(
        [program, "protect", job, *arguments], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr

    call: Any = lc.protect
    release = call(problem, method=method, threads=2, **options)
    release.write(tmp_path / "ours.csv")
    release.confidential.write(tmp_path / "ours.json")
    release.certificate.write(tmp_path / "ours.cert.json")
    for ending in ("csv", "cert.json"):
        assert (tmp_path / f"ours.{ending}").read_bytes() == (
            tmp_path / f"theirs.{ending}"
        ).read_bytes()
    ours, theirs = (json.loads((tmp_path / f"{who}.json").read_text()) for who in WHO)
    assert ours["release"] == theirs["release"]
    assert without_time(ours["run"]) == without_time(theirs["run"])


@pytest.mark.parametrize("ending", ["csv", "json", "xlsx", "px", "sdmx.csv", "arrow"])
def test_every_format(ending: str, tmp_path: pathlib.Path) -> None:
    program = os.environ.get("LACUNA_PROGRAM")
    if not program:
        pytest.skip("LACUNA_PROGRAM names no program to compare with")
    job = str(EXAMPLES / "sales.toml")
    theirs, ours = tmp_path / f"theirs.{ending}", tmp_path / f"ours.{ending}"
    subprocess.run([program, "protect", job, "--public", str(theirs), "--quiet"], check=True)
    lc.protect(job).write(ours)
    assert ours.read_bytes() == theirs.read_bytes()


def test_options_of_a_job_count(tmp_path: pathlib.Path) -> None:
    for file in ("sales.csv", "products.hrc"):
        (tmp_path / file).write_bytes((EXAMPLES / file).read_bytes())
    job = (EXAMPLES / "sales.toml").read_text().split("[options]")[0]
    (tmp_path / "job.toml").write_text(job + '[options]\nmethod = "round"\nbase = 10\n')
    assert lc.protect(tmp_path / "job.toml").method == "round"
    assert lc.protect(tmp_path / "job.toml", method="suppress").method == "suppress"
    (tmp_path / "job.toml").write_text(job + '[options]\nmethd = "round"\n')
    with pytest.raises(lc.InputError, match="did you mean 'method'"):
        lc.protect(tmp_path / "job.toml")
