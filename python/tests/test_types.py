# SPDX-License-Identifier: Apache-2.0
"""The package and its tests are typed: mypy --strict and pyright find no fault in them, and do find
one where it is."""

import importlib.util
import os
import pathlib
import subprocess
import sys

import pytest

from lacuna_sdc import _core

PACKAGE = pathlib.Path(_core.__file__).parent
TESTS = pathlib.Path(__file__).resolve().parent


def checker(name: str, folder: pathlib.Path) -> list[str]:
    if importlib.util.find_spec(name) is None:
        pytest.skip(f"{name} is not installed")
    if name == "mypy":
        return [sys.executable, "-m", "mypy", "--strict", "--cache-dir", str(folder / "cache")]
    return [sys.executable, "-m", "pyright", "--pythonpath", sys.executable]


def check(name: str, folder: pathlib.Path, *targets: str) -> subprocess.CompletedProcess[str]:
    path = {} if "site-packages" in PACKAGE.parts else {"MYPYPATH": str(PACKAGE.parent)}
    return subprocess.run(
        [*checker(name, folder), *targets],
        capture_output=True,
        text=True,
        timeout=280,
        check=False,
        cwd=folder,
        env={**os.environ, **path},
    )


@pytest.mark.parametrize("name", ["mypy", "pyright"])
def test_package_and_tests(name: str, tmp_path: pathlib.Path) -> None:
    package = ["-p", "lacuna_sdc"] if name == "mypy" else [str(PACKAGE)]
    for targets in (package, sorted(str(file) for file in TESTS.glob("*.py"))):
        done = check(name, tmp_path, *targets)
        assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.parametrize("name", ["mypy", "pyright"])
def test_says_no(name: str, tmp_path: pathlib.Path) -> None:
    wrong = tmp_path / "wrong.py"
    wrong.write_text("import lacuna_sdc\n\nnumber: int = lacuna_sdc.__version__\n")
    done = check(name, tmp_path, str(wrong))
    assert done.returncode == 1
    assert "wrong.py:3" in done.stdout
