# SPDX-License-Identifier: Apache-2.0
"""The outcome of a plan, table by table."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class PlanRun:
    """The outcome of a plan, table by table. For the office."""

    rows: list[dict[str, str]]
    """Those of summary.csv, one per table: group, cells, verdict, or what is wrong."""
    groups: int
    units: int
    finished_before: int
    """Units that were finished when the run began."""

    @property
    def released(self) -> list[str]:
        """The names of the tables whose files are written."""
        return [row["table"] for row in self.rows if row["released"] == "yes"]

    @property
    def errors(self) -> dict[str, str]:
        """The errors, by table."""
        return {row["table"]: row["error"] for row in self.rows if row["released"] != "yes"}

    def __repr__(self) -> str:
        return (
            f"<PlanRun: {len(self.released)} of {len(self.rows)} tables released; {self.groups} "
            f"groups, {self.units} units, {self.finished_before} of them finished before>"
        )
