# SPDX-License-Identifier: Apache-2.0
"""Hierarchies of codes, in the forms in which offices have them."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeAlias

from ._errors import InputError
from ._job import Job, column_names
from ._sources import Data, Path, is_path, source_of


@dataclass(frozen=True)
class Hierarchy:
    """The codes of a dimension and the sums among them. The functions of this module make it."""

    keys: Mapping[str, Any]  # of [[dimension]] in a job
    data: Data | None = field(default=None, repr=False)  # of a hierarchy that is a table

    def __hash__(self) -> int:
        return hash(repr(self))

    def with_total(self, total: str) -> Hierarchy:
        """The same hierarchy with another code for the total."""
        return Hierarchy({**self.keys, "total": total}, self.data)

    def with_codes(self, codes: Sequence[str]) -> Hierarchy:
        """The same hierarchy with the codes in this order."""
        return Hierarchy({**self.keys, "codes": list(codes)}, self.data)

    def with_missing(
        self,
        policy: str,
        *,
        code: str | None = None,
        values: Sequence[str] | None = None,
    ) -> Hierarchy:
        """What to do with records without a code: "error", "drop", or "code" with a code."""
        more = {"missing": policy, "missing_code": code, "missing_values": values}
        return Hierarchy({**self.keys, **more}, self.data)

    def with_unknown(self, policy: str, *, longer: str | None = None) -> Hierarchy:
        """What to do with records whose code does not exist: "error", "drop" or "missing".

        "missing" treats them as records without a code. `longer` is for digits(): codes with more
        characters are cut ("cut") or do not exist ("error"); "auto" cuts them if all codes have
        the same length.
        """
        return Hierarchy({**self.keys, "unknown": policy, "longer": longer}, self.data)


def hrc(*paths: Path, lead: str = "@", total: str | None = None) -> Hierarchy:
    """Files with one code per line, indented by `lead`; several files are several hierarchies."""
    files = [os.fspath(path) for path in paths]
    if not files:
        raise InputError("name a file", "hrc")
    return _made(hierarchy=files if len(files) > 1 else files[0], lead=lead, total=total)


def parents(table: Path | Data, *, total: str | None = None) -> Hierarchy:
    """Reads a table with the columns `code` and `parent`."""
    return _of_table("parents", table, total)


def correspondence(table: Path | Data, *, total: str | None = None) -> Hierarchy:
    """Reads a table with one column per level, the coarsest first."""
    return _of_table("correspondence", table, total)


def tree(children: Mapping[str, Sequence[str]], *, total: str | None = None) -> Hierarchy:
    """Codes with the codes below them; the total is the code that is below no other."""
    below_each = {
        code: [below] if isinstance(below, str) else list(below) for code, below in children.items()
    }
    return _made(tree=below_each, total=total)


def nested(*columns: str, total: str | None = None) -> Hierarchy:
    """For records with one column per level, from coarse to fine."""
    return _made(columns=list(columns), total=total)


def digits(*lengths: int, total: str | None = None) -> Hierarchy:
    """For records: the first characters of a code are its group; give the length of each level."""
    return _made(digits=list(lengths), total=total)


def flat(total: str, *, codes: Sequence[str] | None = None) -> Hierarchy:
    """Every code that occurs is a part of the total."""
    return _made(total=total, codes=None if codes is None else list(codes))


def _made(**keys: Any) -> Hierarchy:
    return Hierarchy({key: value for key, value in keys.items() if value is not None})


def _of_table(key: str, table: Path | Data, total: str | None) -> Hierarchy:
    keys: dict[str, Any] = {} if total is None else {"total": total}
    if is_path(table):
        return Hierarchy({key: os.fspath(table), **keys})  # type: ignore[arg-type]
    return Hierarchy({key: None, **keys}, table)  # type: ignore[arg-type]


HierarchyLike: TypeAlias = "Hierarchy | str | os.PathLike[str] | Mapping[str, Sequence[str]] | None"
"""A hierarchy, the path of one (.hrc, .csv of codes and parents), a tree, or the total's code."""

Dimensions: TypeAlias = "str | Sequence[str] | Mapping[str, HierarchyLike]"
"""Names of columns, or names with their hierarchies."""


def hierarchy_of(given: HierarchyLike) -> Hierarchy:
    """The hierarchy that an argument means."""
    if given is None:
        return Hierarchy({})
    if isinstance(given, Hierarchy):
        return given
    if isinstance(given, Mapping):
        return tree(given)
    text = os.fspath(given)
    if text.endswith(".hrc"):
        return hrc(text)
    if text.endswith((".csv", ".tsv", ".txt", ".csv.gz")):
        return parents(text)
    if isinstance(given, os.PathLike):
        raise InputError("a hierarchy is read from .hrc or .csv", text)
    return flat(given)


def add_dimensions(
    job: Job, dims: Dimensions, hierarchies: Mapping[str, HierarchyLike] | None
) -> list[str]:
    """The dimensions of a job; returns the names."""
    names = column_names(dims, "dims") or []
    if not names:
        raise InputError("name the columns of the codes", "dims")
    found: dict[str, HierarchyLike] = {}
    if isinstance(dims, Mapping):
        found = dict(zip(names, dims.values(), strict=True))
    for key, given in (hierarchies or {}).items():
        name = str(key)
        if name not in names:
            known = ", ".join(names)
            raise InputError(f"{name!r} is not one of the dimensions {known}", "hierarchies")
        found[name] = given
    for name in names:
        argument = f"dims: {name}"
        hierarchy = hierarchy_of(found.get(name))
        keys = {"name": name, **hierarchy.keys}
        if hierarchy.data is not None:
            job.inputs[argument] = source_of(hierarchy.data)
            keys["parents" if "parents" in keys else "correspondence"] = argument
        job.add("dimension", keys, argument)
    return names


__all__ = [
    "Hierarchy",
    "correspondence",
    "digits",
    "flat",
    "hrc",
    "nested",
    "parents",
    "tree",
]
