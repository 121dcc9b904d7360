# SPDX-License-Identifier: Apache-2.0
"""The errors that the core reports. Messages hold codes, names and counts, never a respondent or a
value: the core marks what is confidential in a message, and no marked text gets to Python.

An exception that carries a result of a run stands beside the class of that result.
"""


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
    """Data that cannot be used; `where` is the place, such as "row 17, column turnover"."""


class NotAdditiveError(InputError):
    """Sums of the table that do not hold."""


class OptionError(Error, TypeError):
    """An option that does not exist, with the nearest name, or a value that it cannot have."""


class UnsupportedError(Error):
    """A request that is understood but cannot be done."""


class FileError(Error, OSError):
    """A file that cannot be read or written."""


class InternalError(Error, RuntimeError):
    """A fault of Lacuna itself; please report it."""
