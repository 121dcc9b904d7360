# SPDX-License-Identifier: Apache-2.0
"""What can go wrong. Messages hold codes, names and counts, never a respondent or a value: the core
marks what is confidential in a message, and no marked text gets to Python."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ._argus import ArgusRun
    from ._audit import Audit
    from ._release import Release


class Error(Exception):
    """Anything that Lacuna refuses. `code` is one of docs/errors.md, `path` the key of the job."""

    code: str = ""
    path: str = ""

    def __init__(self, message: str, where: str = "") -> None:
        super().__init__(f"{where}: {message}" if where else message)
        self.message = message
        self.where = where

    def __reduce__(self) -> tuple[object, ...]:
        return type(self), (self.message, self.where), {"code": self.code, "path": self.path}


class InputError(Error, ValueError):
    """Data that cannot be used; `where` is the place, "row 17, column turnover"."""


class NotAdditiveError(InputError):
    """Sums of the table that do not hold."""


class OptionError(Error, TypeError):
    """An option that does not exist, with the nearest name, or a value that it cannot have."""


class UnsupportedError(Error):
    """Something that is understood and cannot be done."""


class FileError(Error, OSError):
    """A file that cannot be read or written."""


class InternalError(Error, RuntimeError):
    """A fault of Lacuna's own: please report it."""


class NotProtectedError(Error):
    """No release was found that the audit passes, so there is none.

    `status` says how the search ended; `audit` what the audit found, if it was the audit that said
    no.
    """

    def __init__(
        self, message: str, where: str = "", *, status: str = "", audit: Audit | None = None
    ) -> None:
        super().__init__(message, where)
        self.status = status
        self.audit = audit

    def __reduce__(self) -> tuple[Callable[..., Error], tuple[object, ...]]:
        return _not_protected, (self.message, self.where, self.status, self.audit)


def _not_protected(message: str, where: str, status: str, audit: Audit | None) -> NotProtectedError:
    return NotProtectedError(message, where, status=status, audit=audit)


class RefusedError(Error):
    """A job of tau-ARGUS that cannot be done; `run` has what was done until then."""

    def __init__(self, message: str, where: str = "", *, run: ArgusRun | None = None) -> None:
        super().__init__(message, where)
        self.run = run


class Interrupted(KeyboardInterrupt):
    """Ctrl-C during a run. `release` is the best that had been found, audited, or None."""

    def __init__(self, message: str, release: Release | None) -> None:
        super().__init__(message)
        self.release = release

    def __reduce__(self) -> tuple[type[Interrupted], tuple[object, ...]]:
        return Interrupted, (str(self), self.release)
