# SPDX-License-Identifier: Apache-2.0
"""What this machine gives to the process."""

from __future__ import annotations

import os


def cores() -> int:
    """How many cores the process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1
