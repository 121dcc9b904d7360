# SPDX-License-Identifier: Apache-2.0
"""Where tests find files that they do not write: those of tests/data, which belong to the repository,
and data of others that no licence allows to be here. These lie in the folder that LACUNA_SHARED names,
or in `shared` beside the checkout. tests/support/test_data.h is the same for C++."""

import os
import pathlib
import sys

ROOT = pathlib.Path(__file__).resolve().parents[1]
LEFT_OUT = 77  # the exit code of a test that could not be run


def test_data(name):
    return ROOT / "tests" / "data" / name


def shared_data(name):
    return pathlib.Path(os.environ.get("LACUNA_SHARED") or ROOT.parent / "shared") / name


def need_shared(name):
    """The folder; where it is absent the test ends here, and is counted as left out."""
    folder = shared_data(name)
    if not folder.is_dir():
        print(f"left out for want of third-party data (LACUNA_SHARED): {name}")
        sys.exit(LEFT_OUT)
    return folder
