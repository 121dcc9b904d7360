# SPDX-License-Identifier: Apache-2.0
"""What importing the package does to a process: little, and nothing that others see."""

import json
import pathlib
import shutil
import subprocess
import sys

import pytest

from lacuna_sdc import _core

FOLDER = pathlib.Path(_core.__file__).parent


def in_fresh_process(code: str) -> str:
    # -S: nothing that is installed can be found, but for the package itself.
    code = f"import sys; sys.path.insert(0, {str(FOLDER.parent)!r}); {code}"
    done = subprocess.run(
        [sys.executable, "-S", "-c", code], capture_output=True, text=True, timeout=60, check=False
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_needs_nothing_but_python() -> None:
    listed = in_fresh_process("import json, lacuna_sdc; print(json.dumps(sorted(sys.modules)))")
    modules = {name.split(".")[0] for name in json.loads(listed)}
    assert "lacuna_sdc" in modules
    others = modules - set(sys.stdlib_module_names) - {"lacuna_sdc", "__main__"}
    assert not others


def test_starts_no_thread() -> None:
    threads = in_fresh_process("import os, lacuna_sdc; print(len(os.listdir('/proc/self/task')))")
    assert threads == "1\n"


def test_shows_its_entry_point_alone() -> None:
    """Neither HiGHS nor GMP nor a C++ library of the module can clash with those of others."""
    if shutil.which("objdump") is None:
        pytest.skip("there is no objdump")
    table = subprocess.run(
        ["objdump", "-T", _core.__file__], capture_output=True, text=True, check=True
    ).stdout
    rows = [line.split() for line in table.splitlines()]
    shown = [row[-1] for row in rows if len(row) > 4 and "*UND*" not in row and row[0][0] in "01"]
    assert shown == ["PyInit__core"]
