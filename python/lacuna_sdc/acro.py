# SPDX-License-Identifier: Apache-2.0
"""A mitigation for sessions of ACRO: tables in which no withheld cell can be computed.

    from acro import ACRO
    from lacuna_sdc import acro as lacuna_acro

    session = ACRO()
    lacuna_acro.enable(session)
    session.crosstab(df.region, df.kind, margins=True)   # audited, or an exception

ACRO (AI-SDC/ACRO, version 1) checks cells one by one. Its suppression takes the records of the
cells that fail out of the data, and so its totals are no longer those of the data. Here the totals
stay, and further cells are withheld until nothing can be computed. ACRO runs its checks first and
makes its record as always; then the table is judged here by the same limits, together with its
margins, and the record gets the table that may be published.

What is judged: counts in whole numbers, and sums. A mean is published where the sum and the count
of its cell could both be published. Of any other function (median, standard deviation, ...) the
cells are those of the counts, and the record says that nothing more was proven.
"""

from __future__ import annotations

import csv
import inspect
import os
import sys
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from ._audit import NotProtectedError
from ._audit_release import audit
from ._core import version
from ._crosstab import _TOTAL, _aligned, _Axis, _names, _series, _share_of
from ._errors import InputError
from ._hierarchy import tree
from ._problem import Table
from ._protect import protect
from ._release import Release
from ._rules import Rule, dominance, frequency, outsider, p_percent
from ._tabulate import tabulate

if TYPE_CHECKING:
    import pandas

Codes = tuple[str, ...]  # of the row and, if there is a heading, of the column

_TABLES = ("crosstab", "pivot_table")
_SIDES = ("rows", "columns")
_VALUE = "value"
_DOF = "MinimumDoFCheck"  # its numbers are no mask; the threshold below asks for the same
_SECONDARY, _PRIMARY = "LacunaSecondary", "LacunaPrimary"
_DIGITS = 12  # of a sum whose parts have more decimals than a table can hold


def enable(
    session: Any, *, rules: Sequence[Rule] | Rule | None = None, **options: Any
) -> None:
    """From now on, `session.crosstab` and `session.pivot_table` give tables that are proven safe.

    `session` is an `acro.ACRO`. What is sensitive follows from its limits (`session.config`:
    safe_threshold, safe_nk_n, safe_nk_k, safe_pratio_p, zeros_are_disclosive) and from the checks
    of ACRO itself: whatever they mark is sensitive, too. `rules` replaces the rules about sums;
    all further options are those of `lc.protect`, such as `effort="fast"` or `time_limit=60`.

    The mitigation of the session is not looked at until `disable` is called. A table for which no
    safe release is found is an exception, and leaves no record.
    """
    if getattr(session, "federated", False):
        raise InputError(
            "a federated session publishes no tables: there is nothing to protect", "session"
        )
    for name in ("config", "results", "mitigation", *_TABLES):
        if not hasattr(session, name):
            raise InputError(
                f"a {type(session).__name__} is no session of ACRO 1: it has no {name}", "session"
            )
    mitigation = _Mitigation(session, rules, options)
    session.crosstab = mitigation.crosstab
    session.pivot_table = mitigation.pivot_table


def disable(session: Any) -> None:
    """The session makes its tables as ACRO does it."""
    for name in _TABLES:
        vars(session).pop(name, None)


def releases(session: Any) -> dict[str, list[Release]]:
    """What was proven of each table since `enable`, by the id under which ACRO recorded it.

    One release for the counts, and one for the sums if there are any, with audit and certificate.
    For the output checker: they hold the true numbers.
    """
    mitigation = getattr(getattr(session, "crosstab", None), "__self__", None)
    if not isinstance(mitigation, _Mitigation):
        raise InputError("the session is as ACRO made it: call enable(session) first", "session")
    return {record.uid: made for record, made in mitigation.made if _is_kept(session, record)}


def _is_kept(session: Any, record: Any) -> bool:
    return any(session.results.get(key) is record for key in session.results.get_keys())


class _Mitigation:
    """What takes the place of the two functions of a session."""

    def __init__(
        self, session: Any, rules: Sequence[Rule] | Rule | None, options: Mapping[str, Any]
    ) -> None:
        self._session = session
        self._rules = rules
        self._options = dict(options)
        self.made: list[tuple[Any, list[Release]]] = []

    def crosstab(self, *args: Any, **kwargs: Any) -> Any:
        """`ACRO.crosstab`, of which what may not be published is left out."""
        return self._table("crosstab", _calling_line(), args, kwargs)

    def pivot_table(self, *args: Any, **kwargs: Any) -> Any:
        """`ACRO.pivot_table`, of which what may not be published is left out."""
        return self._table("pivot_table", _calling_line(), args, kwargs)

    def _table(
        self, name: str, line: str, args: tuple[Any, ...], kwargs: dict[str, Any]
    ) -> Any:
        session = self._session
        function = getattr(type(session), name)
        call = inspect.signature(function).bind(session, *args, **kwargs)
        call.apply_defaults()
        asked = _asked(name, call.arguments)
        known = set(session.results.get_keys())
        before, session.mitigation = session.mitigation, "none"
        try:
            table = function(session, *args, **kwargs)
        finally:
            session.mitigation = before
        uid = next(key for key in session.results.get_keys() if key not in known)
        record = session.results.get(uid)
        record.command = line or record.command
        try:
            judged = _Judged(asked, table, record.outcome, session.config)
            judged.protect(self._rules, self._options)
            safe = judged.published()
        except BaseException:
            session.results.remove(uid)
            raise
        judged.write_into(record, safe)
        self.made.append((record, judged.releases))
        return safe


def _calling_line() -> str:
    """The line of the researcher, which ACRO keeps in its record."""
    context = inspect.getframeinfo(sys._getframe(2)).code_context
    return "\n".join(context or ()).strip()


# ---- what was asked


class _Asked:
    """A call of one of the two functions: keys of rows and columns, values, functions."""

    def __init__(self, keys: dict[str, list[Any]], values: Any, functions: list[str]) -> None:
        self.keys = keys
        self.values = values
        self.functions = functions
        self.several = False  # functions, so that the heading names them
        self.share: str | None = None
        self.margin = "All"


def _asked(name: str, call: Mapping[str, Any]) -> _Asked:
    if name == "crosstab":
        keys = {side: _series_of(call[argument], argument)
                for side, argument in zip(_SIDES, ("index", "columns"), strict=True)}
        values = call["values"]
    else:
        data, named = call["data"], call["values"]
        if call.get("kwargs"):
            raise InputError(f"no argument {min(call['kwargs'])} is understood here", "pivot_table")
        keys = {_SIDES[0]: [data[each] for each in _names(call["index"], "index")]}
        if call["columns"]:
            keys[_SIDES[1]] = [data[each] for each in _names(call["columns"], "columns")]
        values = data[named[0] if isinstance(named, list) else named]
    function = call["aggfunc"]
    names = [_name_of(each) for each in (function if isinstance(function, list) else [function])]
    asked = _Asked(keys, values, names)
    asked.several = isinstance(function, list)
    asked.margin = call["margins_name"]
    asked.share = _share_of(call.get("normalize", False))
    if asked.share is not None and values is not None:
        raise InputError("shares are made of counts only: publish the sums instead", "normalize")
    return asked


def _name_of(function: Any) -> str:
    return "count" if function is None else str(getattr(function, "__name__", function))


def _series_of(given: Any, argument: str) -> list[Any]:
    """The columns of a side, as pandas takes them."""
    import pandas as pd

    if isinstance(given, pd.DataFrame):
        return [given[name] for name in given]
    listed = given if isinstance(given, list) and given and not _is_plain(given[0]) else [given]
    for each in listed:
        if not hasattr(each, "__len__") or isinstance(each, str):
            raise InputError("a column, or a list of columns, is needed", argument)
    return [each if isinstance(each, pd.Series) else pd.Series(each) for each in listed]


def _is_plain(item: Any) -> bool:
    return isinstance(item, str | int | float) or item is None


# ---- what may be published of it


class _Judged:
    """A table of ACRO, what is sensitive in it, and what is withheld for its sake."""

    def __init__(
        self, asked: _Asked, table: pandas.DataFrame, outcome: Any, config: Mapping[str, Any]
    ) -> None:
        self.asked = asked
        self.table = table
        self.config = config
        self.releases: list[Release] = []
        self.withheld: set[Codes] = set()
        self.sensitive: set[Codes] = set()
        self.rounded = False
        self.outsider = False  # no contributor is judged as an attacker
        self._prefix = table.columns.nlevels - len(asked.keys.get(_SIDES[1], ()))
        self.rows = _Axis(list(dict.fromkeys(table.index)), asked.margin)
        self.columns = None
        if _SIDES[1] in asked.keys:
            self.columns = _Axis(
                list(dict.fromkeys(self._heading(each) for each in table.columns)), asked.margin
            )
        self._marked = self._marks(outcome)

    def _heading(self, label: Any) -> Any:
        """The label of a column without functions and the name of the values."""
        if not isinstance(label, tuple):
            return label
        rest = label[self._prefix :]
        return rest[0] if len(rest) == 1 else rest

    def _codes(self, row: Any, label: Any) -> Codes:
        if self.columns is None:
            return (self.rows.code(row),)
        return (self.rows.code(row), self.columns.code(self._heading(label)))

    def _function(self, label: Any) -> str:
        return str(label[0]) if self.asked.several else self.asked.functions[0]

    def _cells(self) -> Iterator[tuple[int, int, Any, Any]]:
        for i, row in enumerate(self.table.index):
            for j, label in enumerate(self.table.columns):
                yield i, j, row, label

    def _marks(self, outcome: Any) -> set[Codes]:
        """The cells that ACRO marks. Of shares its limits for counts say nothing."""
        if self.asked.share is not None or getattr(outcome, "shape", None) != self.table.shape:
            return set()
        marked = set()
        for i, j, row, label in self._cells():
            checks = str(outcome.iat[i, j]).removeprefix("ok").split(";")
            if {each.strip() for each in checks} - {"", _DOF}:
                marked.add(self._codes(row, label))
        return marked

    # ---- the runs

    def protect(
        self, rules: Sequence[Rule] | Rule | None, options: Mapping[str, Any]
    ) -> None:
        """Finds what is withheld: the same cells of counts and sums, safe for each of them."""
        counted = self._records(None if self.asked.share or not self._has_values() else "drop")
        tables = [self._counts(counted)]
        needs_sums = any(each in ("sum", "mean") for each in self.asked.functions)
        if needs_sums:
            tables.append(self._sums(counted, rules))
        self._check_same(tables)
        for i, more in enumerate((self._of_counts(), {})[: len(tables)]):
            try:
                made = protect(tables[i], **{**more, **options})
            except InputError:
                if i == 0 or self.outsider:
                    raise
                # Where one or two records are all of a row, no pattern keeps them from each other.
                self.outsider = True
                tables[i] = self._sums(counted, rules)
                made = protect(tables[i], **{**more, **options})
            self.releases.append(made)
            self.withheld |= self._not_published(made)
            self.sensitive |= self._sensitive(made.confidential.cells)
        for table, more in zip(tables, (self._of_counts(), {}), strict=False):
            self._audit(table, more)

    def _has_values(self) -> bool:
        return self.asked.values is not None

    def _records(self, missing: str | None) -> dict[str, list[Any]]:
        """The records, as pandas sees them; a record without a value counts for no function."""
        keys = {side: self.asked.keys.get(side, []) for side in _SIDES}
        given = _aligned(keys, self.asked.values if missing == "drop" else None, None)
        total = min(len(each) for columns in keys.values() for each in columns)
        named = _aligned(keys, None, None)
        if len(named[_SIDES[0]]) != total:
            raise InputError(
                f"{total - len(named[_SIDES[0]])} records have no label, and ACRO counts them in "
                "some sums and not in others: drop them, or give them a label such as 'missing'",
                "index",
            )
        records = {_SIDES[0]: [self.rows.code(label) for label in given[_SIDES[0]]]}
        if self.columns is not None:
            records[_SIDES[1]] = [self.columns.code(label) for label in given[_SIDES[1]]]
        if missing == "drop":
            records[_VALUE] = given[_VALUE]
        return records

    def _dims(self) -> dict[str, Any]:
        sides = {_SIDES[0]: self.rows} | ({} if self.columns is None else {_SIDES[1]: self.columns})
        return {side: tree({_TOTAL: list(axis.code_of.values())}) for side, axis in sides.items()}

    @property
    def _threshold(self) -> int:
        """The smallest safe count; degrees of freedom are one less than the count."""
        least = int(self.config["safe_threshold"])
        if "std" in self.asked.functions:
            least = max(least, int(self.config.get("safe_dof_threshold", 0)) + 1)
        return least

    def _of_counts(self) -> dict[str, Any]:
        hides = bool(self.config.get("zeros_are_disclosive", True))
        return {
            "zeros": "sensitive" if hides else "published",
            "kinds": "exact,small,zero" if hides else "exact,small",
        }

    def _counts(self, records: Mapping[str, list[Any]]) -> Table:
        keys = {side: codes for side, codes in records.items() if side != _VALUE}
        with self._marked_file() as marked:
            return tabulate(keys, dims=self._dims(), rules=frequency(self._threshold),
                            empty_cells=True, apriori=marked)

    def _sums(
        self, records: Mapping[str, list[Any]], rules: Sequence[Rule] | Rule | None
    ) -> Table:
        given = {**records, "unit": [str(i) for i in range(len(records[_VALUE]))]}
        if rules is None:
            rules = [
                frequency(self._threshold),
                dominance(int(self.config["safe_nk_n"]), 100 * self.config["safe_nk_k"]),
                p_percent(100 * self.config["safe_pratio_p"]),
            ]
        call: dict[str, Any] = {"dims": self._dims(), "value": _VALUE, "unit": "unit",
                                "rules": rules, "empty_cells": True}
        if self.outsider:
            call["attackers"] = outsider()
        if any(each < 0 for each in records[_VALUE]):
            call["negative"] = True
        with self._marked_file() as marked:
            try:
                return tabulate(given, **call, apriori=marked)
            except InputError:
                largest = sum(abs(each) for each in records[_VALUE])
                whole = len(str(int(largest)))
                self.rounded = True
                return tabulate(given, **call, apriori=marked, round=True,
                                decimals=max(0, min(6, _DIGITS - whole)))

    @contextmanager
    def _marked_file(self) -> Iterator[str | None]:
        """The cells that ACRO marks, as sensitive by hand."""
        if not self._marked:
            yield None
            return
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "marked.csv")
            with open(path, "w", encoding="utf-8", newline="") as file:
                writer = csv.writer(file, delimiter=";")
                writer.writerow([*self._dims(), "status"])
                writer.writerows([*codes, "u"] for codes in sorted(self._marked))
            yield path

    def _by_codes(self, cells: Any, column: str) -> dict[Codes, Any]:
        codes = zip(*(cells[side] for side in self._dims()), strict=True)
        return dict(zip(codes, cells[column], strict=True))

    def _not_published(self, made: Release) -> set[Codes]:
        return {codes for codes, number in self._by_codes(made.published, _VALUE).items()
                if number is None}

    def _sensitive(self, cells: Any) -> set[Codes]:
        return {codes for codes, status in self._by_codes(cells, "status").items()
                if status == "primary"}

    def _audit(self, table: Table, more: Mapping[str, Any]) -> None:
        """What is withheld is more than one run asked for; the verdict is about all of it."""
        numbers = self._by_codes(table.confidential.cells, _VALUE)
        dims = list(self._dims())
        shown: dict[str, list[Any]] = {name: [each[i] for each in numbers]
                                       for i, name in enumerate(dims)}
        shown[_VALUE] = [None if each in self.withheld else numbers[each] for each in numbers]
        found = audit(table, shown, **more)
        if found.verdict not in ("protected", "unasked"):
            raise NotProtectedError(
                f"the cells that are withheld together are {found.verdict}", status=found.verdict,
                audit=found,
            )

    def _check_same(self, tables: Sequence[Table]) -> None:
        """What is judged must be what ACRO shows."""
        numbers = [self._by_codes(each.confidential.cells, _VALUE) for each in tables]
        for i, j, row, label in self._cells():
            shown: Any = self.table.iat[i, j]
            ours = self._expected(numbers, row, label)
            if ours is None or (shown != shown and not ours):
                continue
            near = (1e-4 if self.rounded else 1e-6) * max(1.0, abs(ours))
            if not abs(float(shown) - ours) <= near:
                raise InputError(
                    "the table of ACRO is another than that of these records: hand in columns with "
                    "one index, and no fill_value",
                    "index",
                )

    def _expected(self, numbers: Sequence[Mapping[Codes, Any]], row: Any, label: Any) -> Any:
        codes, function = self._codes(row, label), self._function(label)
        count = numbers[0][codes]
        if self.asked.share is not None:
            base = numbers[0][self._base_of(codes)]
            return count / base if base else None
        if function == "count":
            return count
        if function == "sum":
            return float(numbers[1][codes])
        return float(numbers[1][codes]) / count if function == "mean" and count else None

    def _base_of(self, codes: Codes) -> Codes:
        """Of which number this one is a share."""
        share = self.asked.share
        row = _TOTAL if share in ("all", "columns") else codes[0]
        column = _TOTAL if share in ("all", "index") else codes[1]
        return row, column

    # ---- what comes of it

    def _is_withheld(self, row: Any, label: Any) -> bool:
        codes = self._codes(row, label)
        return codes in self.withheld or (
            self.asked.share is not None and self._base_of(codes) in self.withheld
        )

    def published(self) -> pandas.DataFrame:
        """The table of ACRO without what is withheld."""
        safe = self.table.copy()
        for j, label in enumerate(safe.columns):
            hidden = [self._is_withheld(row, label) for row in safe.index]
            if any(hidden):
                numbers = safe.iloc[:, j].astype("float64").tolist()
                shown = [float("nan") if gone else number
                         for gone, number in zip(hidden, numbers, strict=True)]
                safe.isetitem(j, _series(safe, shown, "float64"))
        return safe

    def write_into(self, record: Any, safe: pandas.DataFrame) -> None:
        """ACRO's record of the table: what is published, and what was done, for the checker."""
        outcome = self.table.astype(object).copy()
        places: dict[str, list[list[int]]] = {_PRIMARY: [], _SECONDARY: []}
        for i, j, row, label in self._cells():
            codes = self._codes(row, label)
            outcome.iat[i, j] = "ok"
            if self._is_withheld(row, label):
                name = _PRIMARY if codes in self.sensitive else _SECONDARY
                outcome.iat[i, j] = f"{name}; "
                places[name].append([i, j])
        withheld = sum(map(len, places.values()))
        record.output = [safe]
        record.outcome = outcome
        record.sdc = {**record.sdc, "summary": dict(record.sdc.get("summary", {})),
                      "cells": dict(record.sdc.get("cells", {}))}
        for name, cells in places.items():
            record.sdc["summary"][name] = len(cells)
            record.sdc["cells"][name] = cells
        record.properties = {
            **record.properties,
            "mitigation": "lacuna",
            "lacuna": {"version": version(), "verdicts": [each.verdict for each in self.releases],
                       "withheld": withheld, "sensitive": len(places[_PRIMARY])},
        }
        if withheld or record.status != "pass":
            record.status = "review"
        record.exception = self._exception(places, withheld)
        record.comments.extend(self._comments())

    def _exception(self, places: Mapping[str, Sequence[Any]], withheld: int) -> str:
        if not withheld:
            return "Lacuna: no cell of the table is sensitive by these limits; nothing is withheld"
        return (
            f"Lacuna: {withheld} cells are withheld, {len(places[_PRIMARY])} because they are "
            f"sensitive and {len(places[_SECONDARY])} so that these cannot be computed from the "
            "rest; audited in exact arithmetic, with all margins"
        )

    def _comments(self) -> list[str]:
        found = ["Lacuna: this table alone was judged, not beside the other outputs of the project"]
        other = [each for each in self.asked.functions if each not in ("count", "sum", "mean")]
        if other:
            found.append(
                f"Lacuna: of {', '.join(other)} the cells are withheld whose counts are withheld; "
                "nothing more was proven of them"
            )
        if "mean" in self.asked.functions:
            found.append("Lacuna: means were judged as if their sums and counts were published")
        if self.outsider:
            found.append(
                "Lacuna: judged against readers who contribute nothing, because no table is safe "
                "against the few contributors of some row or column"
            )
        if self.rounded:
            found.append("Lacuna: the values were rounded for the audit of their sums")
        return found
