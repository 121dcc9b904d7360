# SPDX-License-Identifier: Apache-2.0
# Made by make_options.py from the options of the core; do not edit.
"""Options of the calls, named as on the command line."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, TypeAlias, TypedDict

Method: TypeAlias = Literal[
    "suppress",
    "interval",
    "combined",
    "round",
    "perturb",
    "adjust",
    "mixed",
    "small-counts",
    "cellkey",
]
"""The methods of `protect`."""


class MethodOptions(TypedDict, total=False):
    """Options of all methods."""

    weights: str | int | float
    """what a cell costs: cost (as in the file), unity, value, log, frequency, inverse, inverse2,
    or a sum such as 0.5*value+1*unity (default: cost; adjust: inverse; round, perturb, mixed,
    small-counts: unity)
    """

    effort: Literal["fast", "default", "best"]
    """how hard to try, in amounts of work (default: default)"""

    gap: float
    """stop once the proven gap, (objective - bound) / objective, is at most this; 0: adjust
    takes 0.0001, all others ask for a proof (default: 0)
    """

    engine: str | int | float
    """LP engine: highs or clp (default: the best there is)"""

    max_withheld: int
    """at most so many withheld cells, primaries included (default: any number); for suppress"""

    minimum_width: float
    """least width of the interval of every withheld cell, in percent of the value (default: 0);
    for suppress
    """

    interval_digits: int
    """significant digits of interval ends, rounded outward; 0 keeps all (default: 0); for
    interval, combined, mixed
    """

    off_center: float
    """share of its width that an interval may grow by, so that its middle and ends do not tell
    the truth; 0 leaves the ends as found (default: 0.25); for interval, combined, mixed
    """

    width_weights: str | int | float
    """price of a unit of width, a formula like --weights, which prices the interval itself
    (default: unity); for combined
    """

    max_intervals: int
    """at most so many intervals (default: any number); for combined"""

    interval_width: float
    """least width of an interval, in percent of the value (default: 0); for combined"""

    interval_level: float
    """least width that can be inferred for cells that are not sensitive, in percent of the value
    (default: 0); for combined
    """

    norm: Literal["l1", "l2"]
    """distance that is least (default: l2); for adjust"""

    senses: Literal["free", "up", "down"]
    """where sensitive cells go: free, or all up; perturb: or all down (default: free); for
    adjust, perturb, mixed
    """

    decimals: int
    """digits after the point; -1 keeps whole tables whole and takes as many as the gap needs for
    others, -2 does that for all (default: -1); for adjust
    """

    base: str | int | float
    """the rounding base, a number of the table (default: none); for round, mixed, small-counts"""

    unbiased: bool
    """seeded random directions; for round"""

    unbiased_cost: float
    """share of the optimum that random directions may cost (default: 0.05); for round"""

    steps: int
    """bases beyond the adjacent multiples, if there is no other way (default: 0); for round,
    mixed
    """

    step_price: float
    """price of each such base, in bases (default: 1); for round, mixed"""

    max_changed: int
    """at most so many numbers that are not the truth (default: any number); for round, perturb,
    mixed
    """

    no_small_counts: bool
    """never publish a 1 or a 2; for round, mixed"""

    exact_multiples: bool
    """publish multiples of the base as exact, and say so; for round, mixed"""

    midpoint: bool
    """of counts: each becomes the middle of its class, r ceil(n / r) - r / 2 with the base r,
    and 0 stays; sums do not add up; for round
    """

    range: float
    """range of cells that are not sensitive, on either side, in percent of the value (default:
    20); for perturb, mixed
    """

    range_unknown: bool
    """readers are not told the ranges; for perturb, mixed"""

    change_price: float
    """price of a cell that is changed at all (default: 0); for perturb, mixed"""

    grid: str | int | float
    """deviations are multiples of this number of the table (default: one unit); for perturb,
    mixed
    """

    sensitive_as: Literal["exact", "withheld", "interval", "perturbed", "rounded"]
    """how sensitive cells are published; not exact (default: interval); for mixed"""

    totals_as: Literal["exact", "withheld", "interval", "perturbed", "rounded"]
    """how other cells that are sums are published (default: exact); for mixed"""

    others_as: Literal["exact", "withheld", "interval", "perturbed", "rounded"]
    """how all other cells are published (default: perturbed); for mixed"""

    flex: str | int | float
    """magnitudes: factor of large contributions, of small ones, the number from which they are
    large (0: all are small), and the power (default: 0.03,0.2,1000,2); for cellkey
    """

    top: str | int | float
    """magnitudes: factors of the largest contributions, the first is 1 (default: 1); for cellkey"""

    noise_base: Literal["largest", "mean", "range", "value"]
    """magnitudes: what the noise is measured by: the largest contributions, their mean, the
    range from the smallest to the largest, or the value of the cell (default: largest); for
    cellkey
    """

    parity: bool
    """magnitudes: rows even and odd of the table, by the number of records; for cellkey"""

    same_key: bool
    """magnitudes: the largest contribution uses the key without rotating it; for cellkey"""

    mu: float
    """magnitudes: added to the noise of sensitive cells (default: 0); for cellkey"""

    least_count: int
    """published counts below this are left out (default: 0); for cellkey"""

    additive: Literal["none", "nearest"]
    """none: every number as its key has it; nearest: the nearest whole table that adds up, made
    from the published numbers alone (default: none); for cellkey
    """

    exposed: Literal["refuse", "withhold", "report"]
    """cells that a reader knows for certain: refuse the release, withhold them, or report them
    as waived and release all the same (default: refuse); for cellkey
    """

    levels: Literal["file", "minimal", "none"]
    """protection levels: file, or minimal (none is an older word for it): only that no value is
    told exactly (default: file)
    """

    zero_levels: Literal["raised", "stated"]
    """sensitive cells without levels: raised: not exactly computable; stated: the zeros are
    meant, the cells only have to be hidden (default: raised)
    """

    waive: Literal["nothing", "exposed"]
    """nothing; exposed: what is exposed may go out all the same, and is called waived (default:
    nothing)
    """

    counts: bool
    """the numbers are counts: look at what a reader of whole numbers can tell (docs/counts.md)"""

    reals: bool
    """read counts as if they had decimals, which asks less of a release"""

    threshold: int
    """of counts: smaller ones are sensitive (default: that of the frequency rule, else 3)"""

    zeros: Literal["published", "sensitive", "structural"]
    """of counts: published, sensitive or structural (default: published)"""

    withheld_means: Literal["any", "nonzero", "rule"]
    """what readers take from a withheld count: any, nonzero (zeros are never withheld) or rule
    (and primaries are marked) (default: any)
    """

    kinds: str | int | float
    """what may not be told of counts: exact, small, zero, all, group, implied, levels, separated
    by commas (default: exact,small,all, and zero if zeros are sensitive)
    """

    coalition: int
    """of counts: so many of a group attack the others together (default: 0)"""

    ambiguity: int
    """of counts: so many other values must be possible (default: 1)"""

    known: Sequence[str] | Sequence[int] | Sequence[float]
    """releases of other tables over the same units, which readers have: published tables (.csv)
    or public files of lacuna
    """

    apriori: Sequence[str] | Sequence[int] | Sequence[float]
    """status, cost, levels and bounds of single cells by hand, .csv or .hst
    (docs/sensitivity.md)
    """

    collapse: Sequence[str] | Sequence[int] | Sequence[float]
    """publish nothing below this code: DIMENSION=CODE"""

    value: str | int | float
    """column with the values of the table (default: found by names and sums)"""

    status: str | int | float
    """column that says which cells are confidential (default: found, if its name and words leave
    no doubt)
    """

    total: Sequence[str] | Sequence[int] | Sequence[float]
    """the code that is the total of a dimension: DIMENSION=CODE (default: found by the sums)"""

    totals: Literal["given", "computed", "recomputed"]
    """what becomes of totals: given, computed where there are none, or recomputed (default:
    given)
    """

    wide: Sequence[str] | Sequence[int] | Sequence[float]
    """name of the dimension whose codes stand in the heading, one column for each; several for a
    heading of several rows (default: found by names and sums)
    """

    sheet: Sequence[str] | Sequence[int] | Sequence[float]
    """sheet of a workbook (default: the one that holds a table)"""

    skip: int
    """rows above the heading of the table (default: as many as hold titles)"""

    rows: str | int | float
    """rows of the file that hold the cells, such as 16-22 (default: all below the heading but
    footnotes)
    """

    only: Sequence[str] | Sequence[int] | Sequence[float]
    """rows with this code are the table: COLUMN=CODE, also AT* for all codes that begin so"""

    means: Sequence[str] | Sequence[int] | Sequence[float]
    """what a sign or flag of the file means: SIGN=withheld, absent, zero, or a word for the
    status of a cell
    """

    near: float
    """what counts as a near guess of a reader, in percent of the truth (default: 1)"""

    threads: int
    """number of threads (default: LACUNA_THREADS, else as many cores as the process may use)"""

    seed: int
    """seed of the run; where it moves intervals, keep it secret (default: 1)"""


class ProtectOptions(MethodOptions, total=False):
    """Options of `protect`."""

    public_shape: Literal["auto", "as-input", "long"]
    """of the public file: as the input lies in its file (wide, with titles and footnotes, the
    same workbook), or one row per cell; auto: as the input where it has a shape of its own
    and the same format (default: auto)
    """

    flags: Literal["auto", "abdv", "c", "conf-status", "none"]
    """flags of the written tables: abdv (A, B sensitive, D other withheld, V published), c (or
    blank), conf-status (Eurostat), none; auto: abdv for the office, none in public files,
    which never tell sensitive cells from others (default: auto)
    """

    decimals_shown: int
    """digits after the point in the written tables; refused where a number has more (default: as
    many as each number needs)
    """

    csv_separator: str | int | float
    """between the columns of written .csv: one character, or tab (default: ;)"""

    csv_decimal_mark: str | int | float
    """of written .csv: point or comma (default: .)"""

    dataflow: str | int | float
    """the STRUCTURE_ID of written SDMX-CSV, the id of SDMX-JSON (default: OFFICE:TABLE(1.0))"""

    title: str | int | float
    """title of the written tables (.px, .jsonstat.json, .sdmx.json, .xlsx) (default: the name of
    the table)
    """

    subject_area: str | int | float
    """subject area of the written tables (.px, .xlsx) (default: the title)"""

    notes: Sequence[str] | Sequence[int] | Sequence[float]
    """notes below the written tables, one or several (.px, .jsonstat.json, .sdmx.json, .xlsx)"""

    ptable: str | int | float
    """the table of perturbations, in any format of lacuna ptable; for cellkey"""

    small_ptable: str | int | float
    """magnitudes: the table of small contributions; for cellkey"""

    checkpoint: str | int | float
    """save progress here, and go on from it if the file exists; for suppress"""

    trace: str | int | float
    """write incumbent and bound over time here as CSV; for suppress, adjust"""

    accept_all_withheld: bool
    """release a table of which nothing is left because the run was stopped early"""

    unasked: Literal["refuse", "publish"]
    """a table of which nothing is asked, as no cell is sensitive: refuse to write it for the
    public, or publish it (default: refuse)
    """

    work: int
    """work that the method may do, counted alike on every machine; a unit is about a microsecond
    of one core, in units (default: what the effort allows)
    """

    time_limit: float
    """wall-clock limit, a brake: a run that it ends is not reproducible, in seconds (default:
    none)
    """


class AuditOptions(TypedDict, total=False):
    """Options of `audit`."""

    levels: Literal["file", "minimal", "none"]
    """protection levels: file, or minimal (none is an older word for it): only that no value is
    told exactly (default: file)
    """

    zero_levels: Literal["raised", "stated"]
    """sensitive cells without levels: raised: not exactly computable; stated: the zeros are
    meant, the cells only have to be hidden (default: raised)
    """

    waive: Literal["nothing", "exposed"]
    """nothing; exposed: what is exposed may go out all the same, and is called waived (default:
    nothing)
    """

    counts: bool
    """the numbers are counts: look at what a reader of whole numbers can tell (docs/counts.md)"""

    reals: bool
    """read counts as if they had decimals, which asks less of a release"""

    threshold: int
    """of counts: smaller ones are sensitive (default: that of the frequency rule, else 3)"""

    zeros: Literal["published", "sensitive", "structural"]
    """of counts: published, sensitive or structural (default: published)"""

    withheld_means: Literal["any", "nonzero", "rule"]
    """what readers take from a withheld count: any, nonzero (zeros are never withheld) or rule
    (and primaries are marked) (default: any)
    """

    kinds: str | int | float
    """what may not be told of counts: exact, small, zero, all, group, implied, levels, separated
    by commas (default: exact,small,all, and zero if zeros are sensitive)
    """

    coalition: int
    """of counts: so many of a group attack the others together (default: 0)"""

    ambiguity: int
    """of counts: so many other values must be possible (default: 1)"""

    known: Sequence[str] | Sequence[int] | Sequence[float]
    """releases of other tables over the same units, which readers have: published tables (.csv)
    or public files of lacuna
    """

    apriori: Sequence[str] | Sequence[int] | Sequence[float]
    """status, cost, levels and bounds of single cells by hand, .csv or .hst
    (docs/sensitivity.md)
    """

    collapse: Sequence[str] | Sequence[int] | Sequence[float]
    """publish nothing below this code: DIMENSION=CODE"""

    value: str | int | float
    """column with the values of the table (default: found by names and sums)"""

    status: str | int | float
    """column that says which cells are confidential (default: found, if its name and words leave
    no doubt)
    """

    total: Sequence[str] | Sequence[int] | Sequence[float]
    """the code that is the total of a dimension: DIMENSION=CODE (default: found by the sums)"""

    totals: Literal["given", "computed", "recomputed"]
    """what becomes of totals: given, computed where there are none, or recomputed (default:
    given)
    """

    wide: Sequence[str] | Sequence[int] | Sequence[float]
    """name of the dimension whose codes stand in the heading, one column for each; several for a
    heading of several rows (default: found by names and sums)
    """

    sheet: Sequence[str] | Sequence[int] | Sequence[float]
    """sheet of a workbook (default: the one that holds a table)"""

    skip: int
    """rows above the heading of the table (default: as many as hold titles)"""

    rows: str | int | float
    """rows of the file that hold the cells, such as 16-22 (default: all below the heading but
    footnotes)
    """

    only: Sequence[str] | Sequence[int] | Sequence[float]
    """rows with this code are the table: COLUMN=CODE, also AT* for all codes that begin so"""

    means: Sequence[str] | Sequence[int] | Sequence[float]
    """what a sign or flag of the file means: SIGN=withheld, absent, zero, or a word for the
    status of a cell
    """

    engine: str | int | float
    """LP engine: highs or clp (default: the best there is)"""

    all: bool
    """also the interval of every other cell that is not published"""

    verdicts_only: bool
    """stop at verdicts, without exact intervals"""

    exposure: bool
    """classify the primaries as initially, consequentially or not exposed"""

    values: bool
    """of counts: list all values that are possible, where they are few"""

    node_limit: int
    """of counts: cases that are looked at per end of a range (default: 10000)"""

    threads: int
    """number of threads (default: LACUNA_THREADS, else as many cores as the process may use)"""

    time_limit: float
    """wall-clock limit, a brake: a run that it ends is not reproducible, in seconds (default:
    none)
    """


class VerifyOptions(TypedDict, total=False):
    """Options of `verify`."""

    levels: Literal["file", "minimal", "none"]
    """protection levels: file, or minimal (none is an older word for it): only that no value is
    told exactly (default: file)
    """

    zero_levels: Literal["raised", "stated"]
    """sensitive cells without levels: raised: not exactly computable; stated: the zeros are
    meant, the cells only have to be hidden (default: raised)
    """

    waive: Literal["nothing", "exposed"]
    """nothing; exposed: what is exposed may go out all the same, and is called waived (default:
    nothing)
    """

    counts: bool
    """the numbers are counts: look at what a reader of whole numbers can tell (docs/counts.md)"""

    reals: bool
    """read counts as if they had decimals, which asks less of a release"""

    threshold: int
    """of counts: smaller ones are sensitive (default: that of the frequency rule, else 3)"""

    zeros: Literal["published", "sensitive", "structural"]
    """of counts: published, sensitive or structural (default: published)"""

    withheld_means: Literal["any", "nonzero", "rule"]
    """what readers take from a withheld count: any, nonzero (zeros are never withheld) or rule
    (and primaries are marked) (default: any)
    """

    kinds: str | int | float
    """what may not be told of counts: exact, small, zero, all, group, implied, levels, separated
    by commas (default: exact,small,all, and zero if zeros are sensitive)
    """

    coalition: int
    """of counts: so many of a group attack the others together (default: 0)"""

    ambiguity: int
    """of counts: so many other values must be possible (default: 1)"""

    known: Sequence[str] | Sequence[int] | Sequence[float]
    """releases of other tables over the same units, which readers have: published tables (.csv)
    or public files of lacuna
    """

    apriori: Sequence[str] | Sequence[int] | Sequence[float]
    """status, cost, levels and bounds of single cells by hand, .csv or .hst
    (docs/sensitivity.md)
    """

    collapse: Sequence[str] | Sequence[int] | Sequence[float]
    """publish nothing below this code: DIMENSION=CODE"""

    value: str | int | float
    """column with the values of the table (default: found by names and sums)"""

    status: str | int | float
    """column that says which cells are confidential (default: found, if its name and words leave
    no doubt)
    """

    total: Sequence[str] | Sequence[int] | Sequence[float]
    """the code that is the total of a dimension: DIMENSION=CODE (default: found by the sums)"""

    totals: Literal["given", "computed", "recomputed"]
    """what becomes of totals: given, computed where there are none, or recomputed (default:
    given)
    """

    wide: Sequence[str] | Sequence[int] | Sequence[float]
    """name of the dimension whose codes stand in the heading, one column for each; several for a
    heading of several rows (default: found by names and sums)
    """

    sheet: Sequence[str] | Sequence[int] | Sequence[float]
    """sheet of a workbook (default: the one that holds a table)"""

    skip: int
    """rows above the heading of the table (default: as many as hold titles)"""

    rows: str | int | float
    """rows of the file that hold the cells, such as 16-22 (default: all below the heading but
    footnotes)
    """

    only: Sequence[str] | Sequence[int] | Sequence[float]
    """rows with this code are the table: COLUMN=CODE, also AT* for all codes that begin so"""

    means: Sequence[str] | Sequence[int] | Sequence[float]
    """what a sign or flag of the file means: SIGN=withheld, absent, zero, or a word for the
    status of a cell
    """


class ReportOptions(TypedDict, total=False):
    """Options of `report`."""

    title: str | int | float
    """title of the page (default: the name of the table)"""

    unit: str | int | float
    """unit of the numbers, such as "thousand euro", to be shown with them (default: none)"""

    levels: Literal["file", "minimal", "none"]
    """protection levels: file, or minimal (none is an older word for it): only that no value is
    told exactly (default: file)
    """

    zero_levels: Literal["raised", "stated"]
    """sensitive cells without levels: raised: not exactly computable; stated: the zeros are
    meant, the cells only have to be hidden (default: raised)
    """

    waive: Literal["nothing", "exposed"]
    """nothing; exposed: what is exposed may go out all the same, and is called waived (default:
    nothing)
    """

    counts: bool
    """the numbers are counts: look at what a reader of whole numbers can tell (docs/counts.md)"""

    reals: bool
    """read counts as if they had decimals, which asks less of a release"""

    threshold: int
    """of counts: smaller ones are sensitive (default: that of the frequency rule, else 3)"""

    zeros: Literal["published", "sensitive", "structural"]
    """of counts: published, sensitive or structural (default: published)"""

    withheld_means: Literal["any", "nonzero", "rule"]
    """what readers take from a withheld count: any, nonzero (zeros are never withheld) or rule
    (and primaries are marked) (default: any)
    """

    kinds: str | int | float
    """what may not be told of counts: exact, small, zero, all, group, implied, levels, separated
    by commas (default: exact,small,all, and zero if zeros are sensitive)
    """

    coalition: int
    """of counts: so many of a group attack the others together (default: 0)"""

    ambiguity: int
    """of counts: so many other values must be possible (default: 1)"""

    known: Sequence[str] | Sequence[int] | Sequence[float]
    """releases of other tables over the same units, which readers have: published tables (.csv)
    or public files of lacuna
    """

    apriori: Sequence[str] | Sequence[int] | Sequence[float]
    """status, cost, levels and bounds of single cells by hand, .csv or .hst
    (docs/sensitivity.md)
    """

    collapse: Sequence[str] | Sequence[int] | Sequence[float]
    """publish nothing below this code: DIMENSION=CODE"""

    value: str | int | float
    """column with the values of the table (default: found by names and sums)"""

    status: str | int | float
    """column that says which cells are confidential (default: found, if its name and words leave
    no doubt)
    """

    total: Sequence[str] | Sequence[int] | Sequence[float]
    """the code that is the total of a dimension: DIMENSION=CODE (default: found by the sums)"""

    totals: Literal["given", "computed", "recomputed"]
    """what becomes of totals: given, computed where there are none, or recomputed (default:
    given)
    """

    wide: Sequence[str] | Sequence[int] | Sequence[float]
    """name of the dimension whose codes stand in the heading, one column for each; several for a
    heading of several rows (default: found by names and sums)
    """

    sheet: Sequence[str] | Sequence[int] | Sequence[float]
    """sheet of a workbook (default: the one that holds a table)"""

    skip: int
    """rows above the heading of the table (default: as many as hold titles)"""

    rows: str | int | float
    """rows of the file that hold the cells, such as 16-22 (default: all below the heading but
    footnotes)
    """

    only: Sequence[str] | Sequence[int] | Sequence[float]
    """rows with this code are the table: COLUMN=CODE, also AT* for all codes that begin so"""

    means: Sequence[str] | Sequence[int] | Sequence[float]
    """what a sign or flag of the file means: SIGN=withheld, absent, zero, or a word for the
    status of a cell
    """

    near: float
    """what counts as a near guess of a reader, in percent of the truth (default: 1)"""

    verdicts_only: bool
    """without exact intervals"""

    exact: bool
    """exact intervals, however long they take; else they are left out where they would take more
    than about half a minute
    """

    unasked: Literal["refuse", "publish"]
    """a table of which nothing is asked, as no cell is sensitive: refuse to write it for the
    public, or publish it (default: refuse)
    """

    engine: str | int | float
    """LP engine: highs or clp (default: the best there is)"""

    threads: int
    """number of threads (default: LACUNA_THREADS, else as many cores as the process may use)"""

    time_limit: float
    """wall-clock limit, a brake: a run that it ends is not reproducible, in seconds (default:
    none)
    """


class ExplainOptions(TypedDict, total=False):
    """Options of `explain`."""

    no_exchange: bool
    """do not look for cells that could be withheld in place of this one"""

    exchange_work: int
    """work that this search may do for each cell; a unit is about a microsecond of one core, in
    units (default: 10000000)
    """

    weights: str | int | float
    """what a cell costs, as of protect (default: as in the run)"""

    levels: Literal["file", "minimal", "none"]
    """protection levels: file, or minimal (none is an older word for it): only that no value is
    told exactly (default: file)
    """

    zero_levels: Literal["raised", "stated"]
    """sensitive cells without levels: raised: not exactly computable; stated: the zeros are
    meant, the cells only have to be hidden (default: raised)
    """

    waive: Literal["nothing", "exposed"]
    """nothing; exposed: what is exposed may go out all the same, and is called waived (default:
    nothing)
    """

    counts: bool
    """the numbers are counts: look at what a reader of whole numbers can tell (docs/counts.md)"""

    reals: bool
    """read counts as if they had decimals, which asks less of a release"""

    threshold: int
    """of counts: smaller ones are sensitive (default: that of the frequency rule, else 3)"""

    zeros: Literal["published", "sensitive", "structural"]
    """of counts: published, sensitive or structural (default: published)"""

    withheld_means: Literal["any", "nonzero", "rule"]
    """what readers take from a withheld count: any, nonzero (zeros are never withheld) or rule
    (and primaries are marked) (default: any)
    """

    kinds: str | int | float
    """what may not be told of counts: exact, small, zero, all, group, implied, levels, separated
    by commas (default: exact,small,all, and zero if zeros are sensitive)
    """

    coalition: int
    """of counts: so many of a group attack the others together (default: 0)"""

    ambiguity: int
    """of counts: so many other values must be possible (default: 1)"""

    known: Sequence[str] | Sequence[int] | Sequence[float]
    """releases of other tables over the same units, which readers have: published tables (.csv)
    or public files of lacuna
    """

    apriori: Sequence[str] | Sequence[int] | Sequence[float]
    """status, cost, levels and bounds of single cells by hand, .csv or .hst
    (docs/sensitivity.md)
    """

    collapse: Sequence[str] | Sequence[int] | Sequence[float]
    """publish nothing below this code: DIMENSION=CODE"""

    engine: str | int | float
    """LP engine: highs or clp (default: the best there is)"""

    threads: int
    """number of threads (default: LACUNA_THREADS, else as many cores as the process may use)"""

    time_limit: float
    """wall-clock limit, a brake: a run that it ends is not reproducible, in seconds (default:
    none)
    """


class CompareOptions(MethodOptions, total=False):
    """Options of `compare`."""

    work: int
    """work that each method may do; a unit is about a microsecond of one core, in units
    (default: 60000000)
    """

    time_limit: float
    """wall-clock limit of each method, a brake, in seconds (default: none)"""


class GenerateOptions(TypedDict, total=False):
    """Options of `generate`."""

    kind: Literal["flat", "hierarchical", "1h2d", "linked", "thesis"]
    """flat, hierarchical, 1h2d, linked or thesis (default: flat)"""

    seed: int
    """same seed, same problem (default: 1)"""

    sizes: Sequence[str] | Sequence[int] | Sequence[float]
    """flat: number of leaf codes of each dimension (default: 6,6)"""

    depths: Sequence[str] | Sequence[int] | Sequence[float]
    """hierarchical, linked: levels below the total per dimension (default: 2,2)"""

    fan_least: Sequence[str] | Sequence[int] | Sequence[float]
    """hierarchical, linked: fewest children per dimension (default: 2)"""

    fan_most: Sequence[str] | Sequence[int] | Sequence[float]
    """hierarchical, linked: most children per dimension (default: 4)"""

    ragged_percent: int
    """chance that a branch ends above the last level, in percent (default: 0)"""

    one_child_percent: int
    """chance that a code has a single child, in percent (default: 0)"""

    rows: int
    """1h2d: mean number of rows per subtable (default: 10)"""

    columns: int
    """1h2d: number of columns without the total (default: 20)"""

    tree_depth: int
    """1h2d: levels of subtables (default: 4)"""

    open_least: int
    """1h2d: fewest rows of a subtable that open another (default: 2)"""

    open_most: int
    """1h2d: most rows of a subtable that open another (default: 2)"""

    tables: int
    """linked: number of tables that share the first dimension (default: 2)"""

    second_hierarchy: bool
    """linked: group the leaves of the shared dimension in a second way as well"""

    preset: str | int | float
    """thesis: instance of Table 5.1, such as 1LINKED or 2ALT (default: 1B)"""

    sliding_only: bool
    """thesis: sliding levels of twice the size instead of upper and lower ones"""

    absent_percent: int
    """share of leaf cells that do not exist, in percent of the leaf cells (default: 0)"""

    zero_percent: int
    """share of leaf cells that are zero, in percent of the leaf cells (default: 0)"""

    typical_value: int
    """median of the leaf cells (default: 1000)"""

    skew: int
    """largest leaf is about 2^skew times the median; 0 draws evenly up to twice the median
    (default: 4)
    """

    decimals: int
    """digits after the point (default: 0)"""

    weight: Literal["unity", "value"]
    """cost of withholding a cell: unity or value (default: unity)"""

    published_percent: int
    """share of the cells that are not sensitive and must be published, in percent (default: 0)"""

    sensitive_percent: int
    """sensitive cells, in percent of the cells that are at no total (default: 10)"""

    sensitive_count: int
    """number of sensitive cells; -1: by percent (default: -1)"""

    upper_percent: int
    """upper protection level in percent of the value, in percent of the value (default: 10)"""

    asymmetry: int
    """upper protection level divided by lower one (default: 1)"""

    sliding_percent: int
    """sliding level in percent of the value, in percent of the value (default: 0)"""

    below_percent: int
    """how far below the value everyone's bound lies, in percent; 100 is zero, in percent of the
    value (default: 100)
    """

    above_percent: int
    """how far above the value everyone's bound lies, in percent; -1 is unbounded, in percent of
    the value (default: 1000)
    """

    attackers: int
    """further attackers: respondents of a sensitive cell (default: 0)"""

    attacker_share: int
    """what such a respondent has contributed to the cell, in percent of its value, in percent of
    the value (default: 50)
    """


class ArgusOptions(TypedDict, total=False):
    """Options of `argus`."""

    log: str | int | float
    """add the log to this file, unless the job names one (<LOGBOOK>) (default: no log)"""

    check: bool
    """read everything, say what would be done, protect and write nothing"""

    unasked: Literal["refuse", "publish"]
    """a table of which nothing is asked, as no cell is sensitive: refuse to write it for the
    public, or publish it (default: refuse)
    """

    threads: int
    """number of threads (default: LACUNA_THREADS, else as many cores as the process may use)"""

    seed: int
    """seed of the run; where it moves intervals, keep it secret (default: 1)"""

    work: int
    """work that the method may do, counted alike on every machine; a unit is about a microsecond
    of one core, in units (default: what the effort allows)
    """

    time_limit: float
    """wall-clock limit, a brake: a run that it ends is not reproducible, in seconds (default:
    none)
    """


class WriteOptions(TypedDict, total=False):
    """Options of `write`."""

    flags: Literal["auto", "abdv", "c", "conf-status", "none"]
    """flags of the written tables: abdv (A, B sensitive, D other withheld, V published), c (or
    blank), conf-status (Eurostat), none; auto: abdv for the office, none in public files,
    which never tell sensitive cells from others (default: auto)
    """

    decimals_shown: int
    """digits after the point in the written tables; refused where a number has more (default: as
    many as each number needs)
    """

    csv_separator: str | int | float
    """between the columns of written .csv: one character, or tab (default: ;)"""

    csv_decimal_mark: str | int | float
    """of written .csv: point or comma (default: .)"""

    dataflow: str | int | float
    """the STRUCTURE_ID of written SDMX-CSV, the id of SDMX-JSON (default: OFFICE:TABLE(1.0))"""

    title: str | int | float
    """title of the written tables (.px, .jsonstat.json, .sdmx.json, .xlsx) (default: the name of
    the table)
    """

    subject_area: str | int | float
    """subject area of the written tables (.px, .xlsx) (default: the title)"""

    notes: Sequence[str] | Sequence[int] | Sequence[float]
    """notes below the written tables, one or several (.px, .jsonstat.json, .sdmx.json, .xlsx)"""


class MakePtableOptions(TypedDict, total=False):
    """Options of `make_ptable`."""

    js: int
    """counts from 1 to this are never published (default: 0)"""

    stay: float
    """least probability that a count stays as it is; lowered in steps of 0.05 in rows that
    cannot have it together with V (default: 0)
    """

    monotone: Literal["left", "none"]
    """left: below the count, the farther the less likely (default: left)"""

    free_rows: Sequence[str] | Sequence[int] | Sequence[float]
    """rows without monotony (default: none)"""

    equal_rows: Sequence[str] | Sequence[int] | Sequence[float]
    """rows whose variance must be V and not at most V (default: none)"""

    rows: Sequence[str] | Sequence[int] | Sequence[float]
    """of tables for magnitudes: the rows, among them 1 and D (default: all)"""

    step: int
    """of tables for magnitudes: targets per unit (default: 1)"""

    type: Literal["all", "even", "odd", "small_cells"]
    """of tables for magnitudes: the cells that the rows are for (default: all)"""

    split: float
    """cut every range into pieces of this length and shuffle them (default: ranges stay whole)"""

    seed: int
    """of the order of the pieces (default: 1)"""

    digits: int
    """digits of p_ub after the point (default: 8)"""

    keys: int
    """round p_ub to multiples of 1 / this, for whole keys (default: round to digits)"""

    format: Literal["argus", "sas", "cellkey", "ons", "abs"]
    """argus (i;j;p;v;p_ub), sas (with p_lb), cellkey (YAML), ons (pcv,ckey,pvalue) or abs (256
    lines by folded key) (default: argus)
    """


class CheckPtableOptions(TypedDict, total=False):
    """Options of `check_ptable`."""

    cycle: int
    """of abs, which does not say it: large counts go round in so many last columns (default:
    they take the last column)
    """


class ConvertPtableOptions(TypedDict, total=False):
    """Options of `convert_ptable`."""

    format: Literal["argus", "sas", "cellkey", "ons", "abs"]
    """argus (i;j;p;v;p_ub), sas (with p_lb), cellkey (YAML), ons (pcv,ckey,pvalue) or abs (256
    lines by folded key) (default: argus)
    """

    keys: int
    """of ons: the number of whole keys (default: those of the table, or 256)"""

    cycle: int
    """of abs, which does not say it: large counts go round in so many last columns (default:
    they take the last column)
    """
