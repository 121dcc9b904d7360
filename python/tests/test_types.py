# SPDX-License-Identifier: Apache-2.0
"""The package is typed, inside for mypy --strict, and for whoever calls it, as the examples and
tests do, for pyright, too. Both find a fault where there is one."""

import importlib.util
import os
import pathlib
import subprocess
import sys

import pytest

from lacuna_sdc import _core

PACKAGE = pathlib.Path(_core.__file__).parent
TESTS = pathlib.Path(__file__).resolve().parent
SETTINGS = TESTS.parent.parent / "pyproject.toml"


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> pathlib.Path:
    return tmp_path_factory.mktemp("types")  # mypy reads once


def checker(name: str, folder: pathlib.Path) -> list[str]:
    if importlib.util.find_spec(name) is None:
        pytest.skip(f"{name} is not installed")
    if name == "mypy":
        options = ["--config-file", str(SETTINGS), "--cache-dir", str(folder / "cache")]
        return [sys.executable, "-m", "mypy", "--strict", *options]
    return [sys.executable, "-m", "pyright", "--pythonpath", sys.executable]


def check(name: str, folder: pathlib.Path, *targets: str) -> subprocess.CompletedProcess[str]:
    path = {"PYTHONPATH": os.pathsep.join([str(TESTS), os.environ.get("PYTHONPATH", "")])}
    if "site-packages" not in PACKAGE.parts:
        path["MYPYPATH"] = str(PACKAGE.parent)
    return subprocess.run(
        [*checker(name, folder), *targets],
        capture_output=True,
        text=True,
        timeout=500,
        check=False,
        cwd=folder,
        env={**os.environ, **path},
    )


def test_package(folder: pathlib.Path) -> None:
    done = check("mypy", folder, "-p", "lacuna_sdc")
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.parametrize("name", ["mypy", "pyright"])
def test_callers(name: str, folder: pathlib.Path) -> None:
    files = [*TESTS.glob("*.py"), *(TESTS.parent / "examples").glob("*.py")]
    done = check(name, folder, *sorted(str(file) for file in files))
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.parametrize("name", ["mypy", "pyright"])
def test_says_no(name: str, folder: pathlib.Path) -> None:
    wrong = folder / "wrong.py"
    wrong.write_text("import lacuna_sdc\n\nnumber: int = lacuna_sdc.__version__\n")
    done = check(name, folder, str(wrong))
    assert done.returncode == 1
    assert "wrong.py:3" in done.stdout
