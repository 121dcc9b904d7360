# SPDX-License-Identifier: Apache-2.0
"""Runs elsewhere, as bytes: what is sent to a worker, what it does, and what comes back.

To the worker go the problem, the options, and the files that the options name. Back comes JSON: the
result with its certificate, or what went wrong. Nothing that comes back is unpickled here or
believed: the caller proves it for its own problem.
"""

from __future__ import annotations

import json
import os
import pickle
from dataclasses import dataclass
from typing import Any, TypeAlias

from . import _core, _errors
from ._arguments import OptionTexts
from ._errors import Error, InternalError
from ._job import Inputs

Answer: TypeAlias = dict[str, Any]


@dataclass(frozen=True)
class Parcel:
    """A job as bytes, all that a worker needs, with the size and the threads of its task."""

    job: bytes
    cells: int
    threads: int


@dataclass(frozen=True)
class Order:
    """A run as the core is asked for it."""

    problem: _core.Problem
    texts: OptionTexts
    inputs: Inputs

    def alone(self) -> Order:
        """The same with the files that it names, as they are now, for a worker that lacks them."""
        return Order(self.problem, self.texts, {**_files_of(self.texts), **self.inputs})

    def packed(self) -> Parcel:
        """For a worker. Any number of threads gives the same release."""
        texts = {"threads": ["1"], **self.texts}
        job = pickle.dumps((self.problem, texts, self.inputs))
        return Parcel(job, self.problem.counts["cells"], int(texts["threads"][0]))


def _files_of(texts: OptionTexts) -> dict[str, bytes]:
    """The bytes of the files that options name, under these names."""
    files = {}
    for option in _core.describe("protect"):
        if option["shown_as"] != "FILE":
            continue
        for path in texts.get(option["name"], []):
            if os.path.isfile(path):  # else the core says what is wrong with it
                with open(path, "rb") as file:
                    files[path] = file.read()
    return files


# ---- on the worker


def work(job: bytes) -> bytes:
    """Does one job. What goes wrong is an answer, too."""
    try:
        problem, texts, inputs = pickle.loads(job)
        answer = _answer(_core.protect(problem, texts, inputs, None))
    except Error as error:
        answer = {
            "error": [type(error).__name__, error.message, error.where, error.code, error.path]
        }
    except Exception as error:
        said = f"{type(error).__name__}: {error}"
        answer = {"error": ["InternalError", said, "", "internal", ""]}
    return json.dumps(answer).encode()


def _answer(made: _core.Release | dict[str, Any]) -> Answer:
    if isinstance(made, _core.Release):
        return {
            "result": made.result(),
            "certificate": made.certificate(),
            "run": made.run,
            "notes": made.notes,
            "interrupted": made.interrupted,
        }
    return {"refusal": {**made, "audit": None}}  # the audit of what is no release stays there


# ---- what came back


def opened(answer: bytes) -> Answer:
    """The answer as it is; its errors are raised."""
    try:
        told = json.loads(answer)
        if "error" not in told:
            return dict(told)
        name, message, where, code, path = map(str, told["error"])
    except (ValueError, TypeError) as error:
        raise InternalError(f"the result of the worker is not an answer: {error}") from None
    kind = getattr(_errors, name, None)
    if not isinstance(kind, type) or not issubclass(kind, Error):
        kind = InternalError
    refused = kind(message, where)
    refused.code, refused.path = code, path
    raise refused
