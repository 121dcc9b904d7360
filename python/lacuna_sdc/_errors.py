# SPDX-License-Identifier: Apache-2.0
"""What can go wrong. Messages hold codes, names and counts, never a respondent or a value: the core
marks what is confidential in a message, and no marked text gets to Python."""

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


MEMORY = "memory:/"  # names of what is not a file begin so

_JOB_PLACE = re.compile(re.escape(MEMORY) + r"[^:]*\.toml:(\d+):\d+")
# The one frame of a call needs no name.
_FRAME_PLACE = re.compile(
    re.escape(MEMORY) + r"(?:(?:table|records)\.arrow(?:, )?|([^,:]*)\.arrow)"
)


# What was handed in under a name of ours: a frame by its rows, numbers of cells, a text.
_NAMED_PLACE = re.compile(re.escape(MEMORY) + r"([^,:]*)\.(arrow|txt|csv|json):(\d+):\d+")


def _named_place(place: re.Match[str]) -> str:
    name, kind, line = place[1], place[2], int(place[3])
    if kind == "json":
        return f"{name}, line {line}"
    if kind == "txt":
        return f"{name}, number {line}"
    name = f"dims: {name}" if kind == "csv" else name
    return f"{name}, row {line - 1}" if line > 1 else f"{name}, names of columns"


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
        made = type(error)(message, where)
        made.code, made.path = error.code, error.path
        raise made from None


def as_keywords(text: str) -> str:
    """Options of the command line, --time-limit, as the keywords that they are here."""
    return re.sub(r"--([a-z][a-z-]*[a-z])", lambda option: option[1].replace("-", "_"), text)


_SECTIONS = {
    "[[dimension]]": "dims",
    "[[rule]]": "rules",
    "[[attacker]]": "attackers",
    "[[table]]": "tables",
    "[columns]": "the call",
    "[input]": "the call",
    "[weights]": "costs",
}
# What the caller can do about it, in the words of this package.
_ADVICE = {
    "which must be allowed expressly": "negative=True does",
    "say whether such records are dropped or get a code of their own": "with_missing() of a "
    "hierarchy does",
}


def _without_sections(text: str) -> str:
    """A job in memory is nobody's file: its sections are arguments."""
    text = re.sub(r" in \[\[?\w+\]\]?", "", text)
    text = re.sub(r'\b(\w+) = ("<|\["|true\b)', r"\1=\2", text).replace("=true", "=True")
    for section, argument in _SECTIONS.items():
        text = text.replace(section, argument)
    text = re.sub(r"\[(levels|bounds|defaults|status_words|apriori|attackers)\]", r"\1", text)
    text = text.replace("expected a string in quotes", "expected a text")
    for words, advice in _ADVICE.items():
        text = text.replace(words, f"{words}: {advice}")
    return text


def _in_words(text: str, arguments: dict[int, str]) -> str:
    text = _JOB_PLACE.sub(lambda place: arguments.get(int(place[1]), "the job"), text)
    text = _NAMED_PLACE.sub(_named_place, text)
    text = _FRAME_PLACE.sub(lambda place: place[1] or "", text)
    text = as_keywords(text)
    text = re.sub(r"\b(round_totals|totals) = (\S+)( in \[input\])?", r"\1=\2", text)
    text = _without_sections(text) if arguments else text
    text = text.replace("unasked publish", 'unasked="publish"')
    text = re.sub(r"^(-o|public) (?=\S*[/.])", "", text)
    return text.replace(f"{MEMORY}certificate.json", "certificate").replace(MEMORY, "")
