# SPDX-License-Identifier: Apache-2.0
"""The command ``lacuna``: the command line of the program, by the extension module."""

import signal
import sys

from ._core import main as _main


def main() -> int:
    """Runs the command line of this process; returns the exit code."""
    # As for the program itself: a closed pipe and a Ctrl-C before or after the run end it silently.
    for name in ("SIGINT", "SIGPIPE"):
        if hasattr(signal, name):
            signal.signal(getattr(signal, name), signal.SIG_DFL)
    return _main(["lacuna", *sys.argv[1:]])
