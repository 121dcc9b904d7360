# SPDX-License-Identifier: Apache-2.0
"""What can go wrong. Messages hold codes, names and counts, never a respondent or a value."""

from __future__ import annotations

import contextlib
import re
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ._argus import ArgusRun
    from ._audit import Audit
    from ._release import Release


class Error(Exception):
    """Anything that Lacuna refuses."""

    def __init__(self, message: str, where: str = "") -> None:
        super().__init__(f"{where}: {message}" if where else message)
        self.message = message
        self.where = where

    def __reduce__(self) -> tuple[Callable[..., Error], tuple[object, ...]]:
        return type(self), (self.message, self.where)


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


MEMORY = "memory:/"  # names of what is not a file begin so

_JOB_PLACE = re.compile(re.escape(MEMORY) + r"[^:]*\.toml:(\d+):\d+")
# The one frame of a call needs no name.
_FRAME_PLACE = re.compile(
    re.escape(MEMORY) + r"(?:(?:table|records)\.arrow(?:, )?|([^,:]*)\.arrow)"
)


@contextlib.contextmanager
def placed(arguments: dict[int, str] | None = None) -> Iterator[None]:
    """Errors in terms of the caller: rows and columns of a frame, names of arguments.

    `arguments` says which argument each line of a job in memory was made of.
    """
    try:
        yield
    except Error as error:
        where = _in_words(error.where, arguments or {})
        message = _in_words(error.message, arguments or {})
        if (message, where) == (error.message, error.where):
            raise
        raise type(error)(message, where) from None


def _in_words(text: str, arguments: dict[int, str]) -> str:
    text = _JOB_PLACE.sub(lambda place: arguments.get(int(place[1]), "the job"), text)
    text = _FRAME_PLACE.sub(lambda place: place[1] or "", text)
    text = re.sub(r"^--([a-z][a-z-]*)", lambda option: option[1].replace("-", "_"), text)
    text = re.sub(r"\b(\w+) = true in \[input\]", r"\1=True", text)
    text = re.sub(r"\b(round_totals|totals) = (\S+)( in \[input\])?", r"\1=\2", text)
    return text.replace(MEMORY, "")
