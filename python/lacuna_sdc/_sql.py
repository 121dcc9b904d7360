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
    """The statements that make the sums of a job over records in a database.

    `dialect` is the engine (else that of the job). With plan "A" contributors that are in several
    leaves leave the engine one by one; with "B" the engine adds them up in cells.
    """
    path = os.fspath(job)
    text = _core.sql(path, dialect or "", plan or "", False)
    parts = json.loads(_core.sql(path, dialect or "", plan or "", True))
    return Sql(text=text, **parts)
