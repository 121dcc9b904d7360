# SPDX-License-Identifier: Apache-2.0
"""What a report of a fault should contain."""

from __future__ import annotations

import sys

from . import _core
from ._machine import cores


def show_versions() -> None:
    """Prints the versions of Lacuna, Python, the system, and the libraries it works with."""
    import importlib.metadata  # slow, and needed here alone
    import platform

    print(f"lacuna-sdc  {_core.version()}")
    print(f"python      {platform.python_version()} ({sys.executable})")
    print(f"system      {platform.platform()}")
    print(f"cores       {cores()}")
    for name in ("pandas", "polars", "pyarrow", "duckdb", "tqdm", "numpy"):
        try:
            version = importlib.metadata.version(name)
        except importlib.metadata.PackageNotFoundError:
            version = "not installed"
        print(f"{name:<11} {version}")
