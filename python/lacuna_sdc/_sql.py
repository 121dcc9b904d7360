# SPDX-License-Identifier: Apache-2.0
"""The call that writes the statements for a database."""

from __future__ import annotations

import json
import os
from typing import Literal

from . import _core
from ._sources import Path
from ._statements import Sql


def sql(
    job: Path,
    dialect: Literal["duckdb", "postgresql", "spark"] | None = None,
    *,
    plan: Literal["A", "B"] | None = None,
) -> Sql:
    """Returns the statements that compute the sums of a job over records in a database.

    `dialect` is the engine (by default that of the job). With plan "A", contributors in several
    leaves leave the engine one by one. With plan "B", the engine adds them up by cell.
    """
    path = os.fspath(job)
    text = _core.sql(path, dialect or "", plan or "", False)
    parts = json.loads(_core.sql(path, dialect or "", plan or "", True))
    return Sql(text=text, **parts)
