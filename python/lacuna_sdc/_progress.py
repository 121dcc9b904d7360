# SPDX-License-Identifier: Apache-2.0
"""How far a run has come: for a function of the caller, a bar, or nobody."""

from __future__ import annotations

import contextlib
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any, TypeAlias


@dataclass(frozen=True)
class Progress:
    """How far a run has come.

    Its text contains no cost: notebooks keep what is printed, and costs are sums over hidden cells.
    """

    phase: str
    share: float  # of the whole run, from 0 to 1
    seconds: float  # since it began
    seconds_left: float | None  # about; None if nobody knows
    incumbent: float | None = field(repr=False)  # cost of the best so far: for the office
    bound: float | None = field(repr=False)  # proven: for the office

    @property
    def gap(self) -> float | None:
        """The share of the cost so far that could still be saved; None if it is not known."""
        if self.incumbent is None or self.bound is None or self.incumbent <= 0:
            return None
        return min(1.0, max(0.0, 1 - self.bound / self.incumbent))

    def __str__(self) -> str:
        text = f"{self.phase} {100 * self.share:.0f}%"
        return text if self.gap is None else f"{text}, gap {100 * self.gap:.2f}%"


Listener: TypeAlias = "bool | Callable[[Progress], object] | None"
"""True: a bar or a line, where there is a terminal; a function: called ten times a second."""

Sink: TypeAlias = "Callable[[dict[str, Any]], object] | None"


@contextlib.contextmanager
def listening(progress: Listener) -> Iterator[Sink]:
    """The function that the core calls, on the thread that waits for the run."""
    if progress is None or progress is False:
        yield None
    elif progress is True:
        with _bar() as sink:
            yield sink
    else:
        yield lambda news: progress(Progress(**news))


@contextlib.contextmanager
def _bar() -> Iterator[Sink]:
    try:
        from tqdm.auto import tqdm
    except ImportError:
        tqdm = None
    if tqdm is not None:
        with tqdm(total=100, unit="%", leave=False) as bar:

            def advance(news: dict[str, Any]) -> None:
                now = Progress(**news)
                bar.set_description_str(str(now), refresh=False)
                bar.update(max(0.0, 100 * now.share - bar.n))

            yield advance
    elif sys.stderr.isatty():
        yield lambda news: print(f"\r{Progress(**news)!s:<70}", end="", file=sys.stderr)
        print(f"\r{'':<70}\r", end="", file=sys.stderr)
    else:
        yield None
