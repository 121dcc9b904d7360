# SPDX-License-Identifier: Apache-2.0
# Made by make_options.py from the options of the core; do not edit.
"""Options of the calls as help() tells them: a text per call, apart from the types, which nobody
needs at run time."""

HELP: dict[str, str] = {
    "protect": """Options, all by name:

    public_shape: auto | as-input | long
        layout of the public file: as-input has the layout of the input file (wide, with titles
        and footnotes, the same workbook), long has one row per cell; auto is as-input where the
        input has a layout of its own and the same format (default: auto)
    weights: str or number
        what changing or withholding a cell costs: cost (as in the file), unity, value, log,
        frequency, inverse, inverse2, or a sum such as 0.5*value+1*unity (default: cost; adjust:
        inverse; round, perturb, mixed, small-counts: unity)
    effort: fast | default | best
        how hard to search; it sets the amount of work (default: default)
    gap: float
        stop as soon as the proven gap, (objective - bound) / objective, is at most this; with
        0, adjust stops at 0.0001 and all other methods search for a proof (default: 0)
    engine: str or number
        LP engine: highs or clp (default: the best one available)
    max_withheld: int
        largest number of withheld cells, including primaries (default: any number); for
        suppress
    minimum_width: float
        smallest width of the interval that readers may infer for a withheld cell, in percent of
        the value (default: 0); for suppress
    prove_bound: bool
        write a log of the bound into the certificate, which lacuna verify checks without a
        solver (docs/proof.md); for suppress, interval, adjust
    interval_digits: int
        significant digits of interval ends, rounded outward; 0 keeps all (default: 0); for
        interval, combined, mixed
    off_center: float
        share of its width by which an interval may grow, so that its middle and ends do not
        disclose the true value; 0 keeps the ends as they were found (default: 0.25); for
        interval, combined, mixed
    width_weights: str or number
        price of one unit of width, as a formula like that of --weights; --weights is the price
        of the interval itself (default: unity); for combined
    max_intervals: int
        largest number of intervals (default: any number); for combined
    interval_width: float
        smallest width of an interval, in percent of the value (default: 0); for combined
    interval_level: float
        smallest width that readers may infer for cells that are not sensitive, in percent of
        the value (default: 0); for combined
    norm: l1 | l2
        measure of the distance from the true table, which is kept as small as possible
        (default: l2); for adjust
    senses: free | up | down
        direction in which sensitive cells move: free, or all up; with perturb also all down
        (default: free); for adjust, perturb, mixed
    decimals: int
        digits after the decimal point; -1: whole tables stay whole, other tables get as many
        digits as the gap needs; -2: every table gets as many as the gap needs (default: -1);
        for adjust
    base: str or number
        the rounding base, in the numbers of the table (default: none); for round, mixed, small-
        counts
    unbiased: bool
        round up or down at random, with the seed of the run; for round
    unbiased_cost: float
        extra cost that random directions may have, as a share of the optimum (default: 0.05);
        for round
    steps: int
        how many bases beyond the adjacent multiples a number may go, if there is no other way
        (default: 0); for round, mixed
    step_price: float
        price of each such base, in bases (default: 1); for round, mixed
    max_changed: int
        largest number of cells that are not published with their true value (default: any
        number); for round, perturb, mixed
    no_small_counts: bool
        never publish a 1 or a 2; for round, mixed
    exact_multiples: bool
        publish multiples of the base as exact numbers, and say so; for round, mixed
    midpoint: bool
        counts only: each count becomes the middle of its class, r ceil(n / r) - r / 2 with the
        base r, and 0 stays 0; the sums do not add up; for round
    range: float
        how far a cell that is not sensitive may move to either side, in percent of the value
        (default: 20); for perturb, mixed
    range_unknown: bool
        do not publish the ranges; for perturb, mixed
    change_price: float
        price of changing a cell at all (default: 0); for perturb, mixed
    grid: str or number
        deviations are multiples of this number, in the numbers of the table (default: one
        unit); for perturb, mixed
    sensitive_as: exact | withheld | interval | perturbed | rounded
        how sensitive cells are published; exact is not allowed (default: interval); for mixed
    totals_as: exact | withheld | interval | perturbed | rounded
        how totals that are not sensitive are published (default: exact); for mixed
    others_as: exact | withheld | interval | perturbed | rounded
        how all other cells are published (default: perturbed); for mixed
    flex: str or number
        magnitudes: four numbers: the factor of large contributions, the factor of small ones,
        the size from which a contribution is large (0: all are small), and the power (default:
        0.03,0.2,1000,2); for cellkey
    top: str or number
        magnitudes: factors of the largest contributions; the first is 1 (default: 1); for
        cellkey
    noise_base: largest | mean | range | value
        magnitudes: the size to which the noise is proportional: the largest contributions,
        their mean, the range from the smallest to the largest, or the value of the cell
        (default: largest); for cellkey
    parity: bool
        magnitudes: use the rows even or odd of the table, depending on the number of records;
        for cellkey
    same_key: bool
        magnitudes: use the key of the largest contribution without rotating it; for cellkey
    mu: float
        magnitudes: amount added to the noise of sensitive cells (default: 0); for cellkey
    least_count: int
        leave out counts whose published number would be below this (default: 0); for cellkey
    additive: none | nearest
        none: publish every number with the noise of its key; nearest: publish the nearest whole
        table that adds up, computed from the published numbers alone (default: none); for
        cellkey
    exposed: refuse | withhold | report
        what to do about cells that a reader knows for certain: refuse the release, withhold
        these cells, or report them as waived and release the table anyway (default: refuse);
        for cellkey
    flags: auto | abdv | c | conf-status | none
        flags of the written tables: abdv (A, B sensitive, D other withheld, V published), c (or
        blank), conf-status (Eurostat), none; auto: abdv for the office, none in public files,
        which never show which cells are sensitive (default: auto)
    decimals_shown: int
        digits after the decimal point in the written tables; an error if a number has more
        (default: as many as each number needs)
    csv_separator: str or number
        separator of the columns of written .csv: one character, or tab (default: ;)
    csv_decimal_mark: str or number
        decimal mark of written .csv: point or comma (default: .)
    dataflow: str or number
        the STRUCTURE_ID of written SDMX-CSV, and the id of SDMX-JSON (default:
        OFFICE:TABLE(1.0))
    title: str or number
        title of the written tables (.px, .jsonstat.json, .sdmx.json, .xlsx) (default: the name
        of the table)
    subject_area: str or number
        subject area of the written tables (.px, .xlsx) (default: the title)
    notes: list
        notes below the written tables, one or several (.px, .jsonstat.json, .sdmx.json, .xlsx)
    meaning: auto | sidecar | none
        what withheld, rounded and altered numbers mean, in words and for programs. auto: in
        every public file that has a place for it, which is all but .csv and .sdmx.csv; sidecar:
        also beside each public .csv, as NAME-metadata.json; none: nowhere (default: auto)
    levels: file | minimal | none
        protection levels: file uses those of the input; minimal (formerly none) asks only that
        no value can be computed exactly (default: file)
    zero_levels: raised | stated
        sensitive cells without levels: raised asks that they cannot be computed exactly; stated
        takes the zeros as meant, so that the cells only have to be hidden (default: raised)
    waive: nothing | exposed
        exposed: publish the release even if requirements are exposed, and call them waived
        (default: nothing)
    against: readers | owner
        owner: also withstand a reader who has this program and runs it on every table that
        fits; what is kept is a public width (docs/owner.md) (default: readers)
    weights_from: str or number
        against the owner: the public file of last period, from which the weights and sizes of
        cells are taken; .csv or .json (default: all cells weigh the same)
    public_width: str or number
        against the owner: the width that every sensitive cell keeps: 20% of its public size,
        one number for all cells, or file for the levels of the input, which you thereby call
        public (default: 20% with --weights-from; counts: threshold - 1)
    owner_reserve: float
        against the owner: how many times the width the first choice leaves on the public sizes,
        so that it stands for the true table (default: 2)
    guard_band: int
        against the owner, counts only: counts from 0 to this are sensitive (default: 2
        (threshold - 1))
    counts: bool
        the numbers are counts: judge what readers can work out in whole numbers
        (docs/counts.md)
    reals: bool
        judge counts as if they could have decimals, which asks less of a release
    threshold: int
        counts below this are sensitive (default: that of the frequency rule, else 3)
    zeros: published | sensitive | structural
        counts only: what an empty cell is: published, sensitive or structural (default:
        published)
    withheld_means: any | nonzero | rule
        what readers conclude from a withheld count: any, nonzero (zeros are never withheld) or
        rule (and primaries are marked) (default: any)
    kinds: str or number
        kinds of disclosure that are not allowed for counts, separated by commas: exact, small,
        zero, all, group, implied, levels (default: exact,small,all, and zero if zeros are
        sensitive)
    coalition: int
        counts only: number of members of a group who attack the others together (default: 0)
    ambiguity: int
        counts only: number of other values that must remain possible (default: 1)
    known: list
        releases of other tables about the same units that readers have: published tables (.csv)
        or public files of lacuna
    apriori: list
        file that sets status, cost, levels and bounds of single cells, .csv or .hst
        (docs/sensitivity.md)
    collapse: list
        publish nothing below this code: DIMENSION=CODE
    value: str or number
        column with the values of the table (default: recognised by names and sums)
    status: str or number
        column that says which cells are confidential (default: recognised if its name and words
        leave no doubt)
    total: list
        the code that is the total of a dimension: DIMENSION=CODE (default: recognised by the
        sums)
    totals: given | computed | recomputed
        totals: take those given, compute missing ones, or recompute all (default: given)
    wide: list
        name of the dimension whose codes stand in the heading, one column per code; one name
        per row if the heading has several (default: recognised by names and sums)
    sheet: list
        sheet of a workbook (default: the one that holds a table)
    skip: int
        number of rows above the heading of the table (default: all rows of titles)
    rows: str or number
        rows of the file that hold the cells, such as 16-22 (default: all rows below the
        heading, without footnotes)
    only: list
        read only the rows with this code: COLUMN=CODE; AT* keeps all codes that begin with AT
    means: list
        what a sign or flag of the file means: SIGN=withheld, absent, zero, or a word for the
        status of a cell; may be given several times
    ptable: str or number
        the perturbation table, in any format of lacuna ptable; for cellkey
    small_ptable: str or number
        magnitudes: the perturbation table for small contributions; for cellkey
    checkpoint: str or number
        save the progress in this file, and continue from it if it exists; for suppress
    trace: str or number
        write a CSV file with the best cost and the bound over time; for suppress, adjust
    calendar: str or number
        write a CSV file, for the office: since when each withheld cell is withheld, why, and
        what has to happen before it can be published; for suppress
    record: bool
        add the release to the store that the job names ([store]), if the audit passes it
    near: float
        how close to the truth a reader's guess counts as near, in percent of the truth
        (default: 1)
    accept_all_withheld: bool
        release the table even if every cell is withheld because the run was stopped early
    unasked: refuse | publish
        what to do with a table in which no cell is sensitive, so that nothing is asked about
        it: refuse to write public files, or publish it (default: refuse)
    replay: bool
        once a release has passed: run the program on other tables that fit, and write into the
        result how much of each range is left to a reader who owns it (docs/owner.md)
    replay_runs: int
        with --replay: largest number of runs per end of a range (default: 8)
    threads: int
        number of threads (default: LACUNA_THREADS, otherwise as many as the cores that the
        process may use)
    seed: int
        seed of the run; keep it secret if intervals are moved with it (default: 1)
    work: int
        work that the method may do, counted in the same way on every machine; a unit is about a
        microsecond of one core, in units (default: what the effort allows)
    time_limit: float
        limit on the wall-clock time; a run that it stops is not reproducible, in seconds
        (default: none)
""",
    "audit": """Options, all by name:

    levels: file | minimal | none
        protection levels: file uses those of the input; minimal (formerly none) asks only that
        no value can be computed exactly (default: file)
    zero_levels: raised | stated
        sensitive cells without levels: raised asks that they cannot be computed exactly; stated
        takes the zeros as meant, so that the cells only have to be hidden (default: raised)
    waive: nothing | exposed
        exposed: publish the release even if requirements are exposed, and call them waived
        (default: nothing)
    against: readers | owner
        owner: also withstand a reader who has this program and runs it on every table that
        fits; what is kept is a public width (docs/owner.md) (default: readers)
    weights_from: str or number
        against the owner: the public file of last period, from which the weights and sizes of
        cells are taken; .csv or .json (default: all cells weigh the same)
    public_width: str or number
        against the owner: the width that every sensitive cell keeps: 20% of its public size,
        one number for all cells, or file for the levels of the input, which you thereby call
        public (default: 20% with --weights-from; counts: threshold - 1)
    owner_reserve: float
        against the owner: how many times the width the first choice leaves on the public sizes,
        so that it stands for the true table (default: 2)
    guard_band: int
        against the owner, counts only: counts from 0 to this are sensitive (default: 2
        (threshold - 1))
    counts: bool
        the numbers are counts: judge what readers can work out in whole numbers
        (docs/counts.md)
    reals: bool
        judge counts as if they could have decimals, which asks less of a release
    threshold: int
        counts below this are sensitive (default: that of the frequency rule, else 3)
    zeros: published | sensitive | structural
        counts only: what an empty cell is: published, sensitive or structural (default:
        published)
    withheld_means: any | nonzero | rule
        what readers conclude from a withheld count: any, nonzero (zeros are never withheld) or
        rule (and primaries are marked) (default: any)
    kinds: str or number
        kinds of disclosure that are not allowed for counts, separated by commas: exact, small,
        zero, all, group, implied, levels (default: exact,small,all, and zero if zeros are
        sensitive)
    coalition: int
        counts only: number of members of a group who attack the others together (default: 0)
    ambiguity: int
        counts only: number of other values that must remain possible (default: 1)
    known: list
        releases of other tables about the same units that readers have: published tables (.csv)
        or public files of lacuna
    apriori: list
        file that sets status, cost, levels and bounds of single cells, .csv or .hst
        (docs/sensitivity.md)
    collapse: list
        publish nothing below this code: DIMENSION=CODE
    value: str or number
        column with the values of the table (default: recognised by names and sums)
    status: str or number
        column that says which cells are confidential (default: recognised if its name and words
        leave no doubt)
    total: list
        the code that is the total of a dimension: DIMENSION=CODE (default: recognised by the
        sums)
    totals: given | computed | recomputed
        totals: take those given, compute missing ones, or recompute all (default: given)
    wide: list
        name of the dimension whose codes stand in the heading, one column per code; one name
        per row if the heading has several (default: recognised by names and sums)
    sheet: list
        sheet of a workbook (default: the one that holds a table)
    skip: int
        number of rows above the heading of the table (default: all rows of titles)
    rows: str or number
        rows of the file that hold the cells, such as 16-22 (default: all rows below the
        heading, without footnotes)
    only: list
        read only the rows with this code: COLUMN=CODE; AT* keeps all codes that begin with AT
    means: list
        what a sign or flag of the file means: SIGN=withheld, absent, zero, or a word for the
        status of a cell; may be given several times
    engine: str or number
        LP engine: highs or clp (default: the best one available)
    all: bool
        compute also the interval of every other cell that is not published
    verdicts_only: bool
        compute the verdicts alone, without exact intervals
    exposure: bool
        classify the primaries as initially, consequentially or not exposed
    values: bool
        counts only: list all possible values of a cell if they are few
    node_limit: int
        counts only: largest number of cases to examine per end of a range (default: 10000)
    record: bool
        add the release to the store that the job names ([store]), if the audit passes it
    replay: bool
        run the program on other tables that fit: how much of each range is left to a reader who
        owns it; --pattern is the result file of the run (docs/owner.md)
    replay_runs: int
        with --replay: largest number of runs per end of a range (default: 8)
    threads: int
        number of threads (default: LACUNA_THREADS, otherwise as many as the cores that the
        process may use)
    time_limit: float
        limit on the wall-clock time; a run that it stops is not reproducible, in seconds
        (default: none)
""",
    "verify": """Options, all by name:

    levels: file | minimal | none
        protection levels: file uses those of the input; minimal (formerly none) asks only that
        no value can be computed exactly (default: file)
    zero_levels: raised | stated
        sensitive cells without levels: raised asks that they cannot be computed exactly; stated
        takes the zeros as meant, so that the cells only have to be hidden (default: raised)
    waive: nothing | exposed
        exposed: publish the release even if requirements are exposed, and call them waived
        (default: nothing)
    against: readers | owner
        owner: also withstand a reader who has this program and runs it on every table that
        fits; what is kept is a public width (docs/owner.md) (default: readers)
    weights_from: str or number
        against the owner: the public file of last period, from which the weights and sizes of
        cells are taken; .csv or .json (default: all cells weigh the same)
    public_width: str or number
        against the owner: the width that every sensitive cell keeps: 20% of its public size,
        one number for all cells, or file for the levels of the input, which you thereby call
        public (default: 20% with --weights-from; counts: threshold - 1)
    owner_reserve: float
        against the owner: how many times the width the first choice leaves on the public sizes,
        so that it stands for the true table (default: 2)
    guard_band: int
        against the owner, counts only: counts from 0 to this are sensitive (default: 2
        (threshold - 1))
    counts: bool
        the numbers are counts: judge what readers can work out in whole numbers
        (docs/counts.md)
    reals: bool
        judge counts as if they could have decimals, which asks less of a release
    threshold: int
        counts below this are sensitive (default: that of the frequency rule, else 3)
    zeros: published | sensitive | structural
        counts only: what an empty cell is: published, sensitive or structural (default:
        published)
    withheld_means: any | nonzero | rule
        what readers conclude from a withheld count: any, nonzero (zeros are never withheld) or
        rule (and primaries are marked) (default: any)
    kinds: str or number
        kinds of disclosure that are not allowed for counts, separated by commas: exact, small,
        zero, all, group, implied, levels (default: exact,small,all, and zero if zeros are
        sensitive)
    coalition: int
        counts only: number of members of a group who attack the others together (default: 0)
    ambiguity: int
        counts only: number of other values that must remain possible (default: 1)
    known: list
        releases of other tables about the same units that readers have: published tables (.csv)
        or public files of lacuna
    apriori: list
        file that sets status, cost, levels and bounds of single cells, .csv or .hst
        (docs/sensitivity.md)
    collapse: list
        publish nothing below this code: DIMENSION=CODE
    value: str or number
        column with the values of the table (default: recognised by names and sums)
    status: str or number
        column that says which cells are confidential (default: recognised if its name and words
        leave no doubt)
    total: list
        the code that is the total of a dimension: DIMENSION=CODE (default: recognised by the
        sums)
    totals: given | computed | recomputed
        totals: take those given, compute missing ones, or recompute all (default: given)
    wide: list
        name of the dimension whose codes stand in the heading, one column per code; one name
        per row if the heading has several (default: recognised by names and sums)
    sheet: list
        sheet of a workbook (default: the one that holds a table)
    skip: int
        number of rows above the heading of the table (default: all rows of titles)
    rows: str or number
        rows of the file that hold the cells, such as 16-22 (default: all rows below the
        heading, without footnotes)
    only: list
        read only the rows with this code: COLUMN=CODE; AT* keeps all codes that begin with AT
    means: list
        what a sign or flag of the file means: SIGN=withheld, absent, zero, or a word for the
        status of a cell; may be given several times
    proven: bool
        have the evidence checked by lacuna-proven as well, a program whose checker is proven
        correct (docs/proof.md)
    replay: bool
        run the program on every table that the certificate names for its owner: it must make
        the very same release; needs --pattern with the result file of the run (docs/owner.md)
""",
    "report": """Options, all by name:

    proven: bool
        have the certificate checked by lacuna-proven and by the verifier in Python as well, and
        say on the page that three programs have checked it (docs/proof.md)
    title: str or number
        title of the page (default: the name of the table)
    unit: str or number
        unit to show with the numbers, such as "thousand euro" (default: none)
    levels: file | minimal | none
        protection levels: file uses those of the input; minimal (formerly none) asks only that
        no value can be computed exactly (default: file)
    zero_levels: raised | stated
        sensitive cells without levels: raised asks that they cannot be computed exactly; stated
        takes the zeros as meant, so that the cells only have to be hidden (default: raised)
    waive: nothing | exposed
        exposed: publish the release even if requirements are exposed, and call them waived
        (default: nothing)
    against: readers | owner
        owner: also withstand a reader who has this program and runs it on every table that
        fits; what is kept is a public width (docs/owner.md) (default: readers)
    weights_from: str or number
        against the owner: the public file of last period, from which the weights and sizes of
        cells are taken; .csv or .json (default: all cells weigh the same)
    public_width: str or number
        against the owner: the width that every sensitive cell keeps: 20% of its public size,
        one number for all cells, or file for the levels of the input, which you thereby call
        public (default: 20% with --weights-from; counts: threshold - 1)
    owner_reserve: float
        against the owner: how many times the width the first choice leaves on the public sizes,
        so that it stands for the true table (default: 2)
    guard_band: int
        against the owner, counts only: counts from 0 to this are sensitive (default: 2
        (threshold - 1))
    counts: bool
        the numbers are counts: judge what readers can work out in whole numbers
        (docs/counts.md)
    reals: bool
        judge counts as if they could have decimals, which asks less of a release
    threshold: int
        counts below this are sensitive (default: that of the frequency rule, else 3)
    zeros: published | sensitive | structural
        counts only: what an empty cell is: published, sensitive or structural (default:
        published)
    withheld_means: any | nonzero | rule
        what readers conclude from a withheld count: any, nonzero (zeros are never withheld) or
        rule (and primaries are marked) (default: any)
    kinds: str or number
        kinds of disclosure that are not allowed for counts, separated by commas: exact, small,
        zero, all, group, implied, levels (default: exact,small,all, and zero if zeros are
        sensitive)
    coalition: int
        counts only: number of members of a group who attack the others together (default: 0)
    ambiguity: int
        counts only: number of other values that must remain possible (default: 1)
    known: list
        releases of other tables about the same units that readers have: published tables (.csv)
        or public files of lacuna
    apriori: list
        file that sets status, cost, levels and bounds of single cells, .csv or .hst
        (docs/sensitivity.md)
    collapse: list
        publish nothing below this code: DIMENSION=CODE
    value: str or number
        column with the values of the table (default: recognised by names and sums)
    status: str or number
        column that says which cells are confidential (default: recognised if its name and words
        leave no doubt)
    total: list
        the code that is the total of a dimension: DIMENSION=CODE (default: recognised by the
        sums)
    totals: given | computed | recomputed
        totals: take those given, compute missing ones, or recompute all (default: given)
    wide: list
        name of the dimension whose codes stand in the heading, one column per code; one name
        per row if the heading has several (default: recognised by names and sums)
    sheet: list
        sheet of a workbook (default: the one that holds a table)
    skip: int
        number of rows above the heading of the table (default: all rows of titles)
    rows: str or number
        rows of the file that hold the cells, such as 16-22 (default: all rows below the
        heading, without footnotes)
    only: list
        read only the rows with this code: COLUMN=CODE; AT* keeps all codes that begin with AT
    means: list
        what a sign or flag of the file means: SIGN=withheld, absent, zero, or a word for the
        status of a cell; may be given several times
    near: float
        how close to the truth a reader's guess counts as near, in percent of the truth
        (default: 1)
    verifier: bool
        the page carries its certificate and a program with which the reader's browser checks
        it; for the office
    verdicts_only: bool
        leave out exact intervals
    exact: bool
        compute exact intervals, however long they take; without this option they are left out
        if they would take more than about half a minute
    unasked: refuse | publish
        what to do with a table in which no cell is sensitive, so that nothing is asked about
        it: refuse to write public files, or publish it (default: refuse)
    engine: str or number
        LP engine: highs or clp (default: the best one available)
    threads: int
        number of threads (default: LACUNA_THREADS, otherwise as many as the cores that the
        process may use)
    time_limit: float
        limit on the wall-clock time; a run that it stops is not reproducible, in seconds
        (default: none)
""",
    "explain": """Options, all by name:

    no_exchange: bool
        do not search for cells that could be withheld instead of this one
    exchange_work: int
        work that this search may do for each cell; a unit is about a microsecond of one core,
        in units (default: 10000000)
    weights: str or number
        what a cell costs, as for protect (default: as in the run of the result)
    levels: file | minimal | none
        protection levels: file uses those of the input; minimal (formerly none) asks only that
        no value can be computed exactly (default: file)
    zero_levels: raised | stated
        sensitive cells without levels: raised asks that they cannot be computed exactly; stated
        takes the zeros as meant, so that the cells only have to be hidden (default: raised)
    waive: nothing | exposed
        exposed: publish the release even if requirements are exposed, and call them waived
        (default: nothing)
    against: readers | owner
        owner: also withstand a reader who has this program and runs it on every table that
        fits; what is kept is a public width (docs/owner.md) (default: readers)
    weights_from: str or number
        against the owner: the public file of last period, from which the weights and sizes of
        cells are taken; .csv or .json (default: all cells weigh the same)
    public_width: str or number
        against the owner: the width that every sensitive cell keeps: 20% of its public size,
        one number for all cells, or file for the levels of the input, which you thereby call
        public (default: 20% with --weights-from; counts: threshold - 1)
    owner_reserve: float
        against the owner: how many times the width the first choice leaves on the public sizes,
        so that it stands for the true table (default: 2)
    guard_band: int
        against the owner, counts only: counts from 0 to this are sensitive (default: 2
        (threshold - 1))
    counts: bool
        the numbers are counts: judge what readers can work out in whole numbers
        (docs/counts.md)
    reals: bool
        judge counts as if they could have decimals, which asks less of a release
    threshold: int
        counts below this are sensitive (default: that of the frequency rule, else 3)
    zeros: published | sensitive | structural
        counts only: what an empty cell is: published, sensitive or structural (default:
        published)
    withheld_means: any | nonzero | rule
        what readers conclude from a withheld count: any, nonzero (zeros are never withheld) or
        rule (and primaries are marked) (default: any)
    kinds: str or number
        kinds of disclosure that are not allowed for counts, separated by commas: exact, small,
        zero, all, group, implied, levels (default: exact,small,all, and zero if zeros are
        sensitive)
    coalition: int
        counts only: number of members of a group who attack the others together (default: 0)
    ambiguity: int
        counts only: number of other values that must remain possible (default: 1)
    known: list
        releases of other tables about the same units that readers have: published tables (.csv)
        or public files of lacuna
    apriori: list
        file that sets status, cost, levels and bounds of single cells, .csv or .hst
        (docs/sensitivity.md)
    collapse: list
        publish nothing below this code: DIMENSION=CODE
    engine: str or number
        LP engine: highs or clp (default: the best one available)
    threads: int
        number of threads (default: LACUNA_THREADS, otherwise as many as the cores that the
        process may use)
    time_limit: float
        limit on the wall-clock time; a run that it stops is not reproducible, in seconds
        (default: none)
""",
    "infer": """Options, all by name:

    sensitive: list
        which blanks count for the exit code: those with this sign, or DIMENSION=CODE; may be
        given several times (default: all of them)
    protection: str or number
        what is too narrow: 10% if a reader knows the number to within 10 percent of it, 50 if
        to within 50 (default: only what is known exactly)
    rounded_to: str or number
        the published numbers were rounded to multiples of this base (default: not rounded)
    rounding: nearest | down | up | adjacent
        how they were rounded: to the nearest multiple, down, up, or to either adjacent multiple
        (default: nearest)
    lower: str or number
        no number of the table is below this; none: there is no bound (default: 0, and none if a
        negative number is published)
    upper: str or number
        no withheld number is above this (default: none)
    withheld: list
        what readers know of a blank: RANGE, such as 1-4 or <5, or SIGN=RANGE for the blanks
        with this sign; may be given several times (default: nothing)
    absent: auto | zero | unknown
        what a row that is not there means in a sum: zero, or an unknown number; auto takes zero
        if sums that can be checked hold without it (default: auto)
    counts: bool
        the numbers are counts: compute what readers can infer who know that they are whole
    all: bool
        compute also what the sums tell of rounded numbers
    policy: str or number
        published rules to apply where nothing else is said: a name that `lacuna policies`
        lists, or a file (docs/policies.md) (default: none)
    value: str or number
        column with the values of the table (default: recognised by names and sums)
    status: str or number
        column that says which cells are confidential (default: recognised if its name and words
        leave no doubt)
    total: list
        the code that is the total of a dimension: DIMENSION=CODE (default: recognised by the
        sums)
    totals: given | computed | recomputed
        totals: take those given, compute missing ones, or recompute all (default: given)
    wide: list
        name of the dimension whose codes stand in the heading, one column per code; one name
        per row if the heading has several (default: recognised by names and sums)
    sheet: list
        sheet of a workbook (default: the one that holds a table)
    skip: int
        number of rows above the heading of the table (default: all rows of titles)
    rows: str or number
        rows of the file that hold the cells, such as 16-22 (default: all rows below the
        heading, without footnotes)
    only: list
        read only the rows with this code: COLUMN=CODE; AT* keeps all codes that begin with AT
    means: list
        what a sign or flag of the file means: SIGN=withheld, absent, zero, or a word for the
        status of a cell; may be given several times
    threads: int
        number of threads (default: LACUNA_THREADS, otherwise as many as the cores that the
        process may use)
    time_limit: float
        limit on the wall-clock time; a run that it stops is not reproducible, in seconds
        (default: none)
""",
    "compare": """Options, all by name:

    work: int
        work that each method may do; a unit is about a microsecond of one core, in units
        (default: 60000000)
    time_limit: float
        limit on the wall-clock time of each method, in seconds (default: none)
    weights: str or number
        what changing or withholding a cell costs: cost (as in the file), unity, value, log,
        frequency, inverse, inverse2, or a sum such as 0.5*value+1*unity (default: cost; adjust:
        inverse; round, perturb, mixed, small-counts: unity)
    effort: fast | default | best
        how hard to search; it sets the amount of work (default: default)
    gap: float
        stop as soon as the proven gap, (objective - bound) / objective, is at most this; with
        0, adjust stops at 0.0001 and all other methods search for a proof (default: 0)
    engine: str or number
        LP engine: highs or clp (default: the best one available)
    max_withheld: int
        largest number of withheld cells, including primaries (default: any number); for
        suppress
    minimum_width: float
        smallest width of the interval that readers may infer for a withheld cell, in percent of
        the value (default: 0); for suppress
    prove_bound: bool
        write a log of the bound into the certificate, which lacuna verify checks without a
        solver (docs/proof.md); for suppress, interval, adjust
    interval_digits: int
        significant digits of interval ends, rounded outward; 0 keeps all (default: 0); for
        interval, combined, mixed
    off_center: float
        share of its width by which an interval may grow, so that its middle and ends do not
        disclose the true value; 0 keeps the ends as they were found (default: 0.25); for
        interval, combined, mixed
    width_weights: str or number
        price of one unit of width, as a formula like that of --weights; --weights is the price
        of the interval itself (default: unity); for combined
    max_intervals: int
        largest number of intervals (default: any number); for combined
    interval_width: float
        smallest width of an interval, in percent of the value (default: 0); for combined
    interval_level: float
        smallest width that readers may infer for cells that are not sensitive, in percent of
        the value (default: 0); for combined
    norm: l1 | l2
        measure of the distance from the true table, which is kept as small as possible
        (default: l2); for adjust
    senses: free | up | down
        direction in which sensitive cells move: free, or all up; with perturb also all down
        (default: free); for adjust, perturb, mixed
    decimals: int
        digits after the decimal point; -1: whole tables stay whole, other tables get as many
        digits as the gap needs; -2: every table gets as many as the gap needs (default: -1);
        for adjust
    base: str or number
        the rounding base, in the numbers of the table (default: none); for round, mixed, small-
        counts
    unbiased: bool
        round up or down at random, with the seed of the run; for round
    unbiased_cost: float
        extra cost that random directions may have, as a share of the optimum (default: 0.05);
        for round
    steps: int
        how many bases beyond the adjacent multiples a number may go, if there is no other way
        (default: 0); for round, mixed
    step_price: float
        price of each such base, in bases (default: 1); for round, mixed
    max_changed: int
        largest number of cells that are not published with their true value (default: any
        number); for round, perturb, mixed
    no_small_counts: bool
        never publish a 1 or a 2; for round, mixed
    exact_multiples: bool
        publish multiples of the base as exact numbers, and say so; for round, mixed
    midpoint: bool
        counts only: each count becomes the middle of its class, r ceil(n / r) - r / 2 with the
        base r, and 0 stays 0; the sums do not add up; for round
    range: float
        how far a cell that is not sensitive may move to either side, in percent of the value
        (default: 20); for perturb, mixed
    range_unknown: bool
        do not publish the ranges; for perturb, mixed
    change_price: float
        price of changing a cell at all (default: 0); for perturb, mixed
    grid: str or number
        deviations are multiples of this number, in the numbers of the table (default: one
        unit); for perturb, mixed
    sensitive_as: exact | withheld | interval | perturbed | rounded
        how sensitive cells are published; exact is not allowed (default: interval); for mixed
    totals_as: exact | withheld | interval | perturbed | rounded
        how totals that are not sensitive are published (default: exact); for mixed
    others_as: exact | withheld | interval | perturbed | rounded
        how all other cells are published (default: perturbed); for mixed
    flex: str or number
        magnitudes: four numbers: the factor of large contributions, the factor of small ones,
        the size from which a contribution is large (0: all are small), and the power (default:
        0.03,0.2,1000,2); for cellkey
    top: str or number
        magnitudes: factors of the largest contributions; the first is 1 (default: 1); for
        cellkey
    noise_base: largest | mean | range | value
        magnitudes: the size to which the noise is proportional: the largest contributions,
        their mean, the range from the smallest to the largest, or the value of the cell
        (default: largest); for cellkey
    parity: bool
        magnitudes: use the rows even or odd of the table, depending on the number of records;
        for cellkey
    same_key: bool
        magnitudes: use the key of the largest contribution without rotating it; for cellkey
    mu: float
        magnitudes: amount added to the noise of sensitive cells (default: 0); for cellkey
    least_count: int
        leave out counts whose published number would be below this (default: 0); for cellkey
    additive: none | nearest
        none: publish every number with the noise of its key; nearest: publish the nearest whole
        table that adds up, computed from the published numbers alone (default: none); for
        cellkey
    exposed: refuse | withhold | report
        what to do about cells that a reader knows for certain: refuse the release, withhold
        these cells, or report them as waived and release the table anyway (default: refuse);
        for cellkey
    levels: file | minimal | none
        protection levels: file uses those of the input; minimal (formerly none) asks only that
        no value can be computed exactly (default: file)
    zero_levels: raised | stated
        sensitive cells without levels: raised asks that they cannot be computed exactly; stated
        takes the zeros as meant, so that the cells only have to be hidden (default: raised)
    waive: nothing | exposed
        exposed: publish the release even if requirements are exposed, and call them waived
        (default: nothing)
    against: readers | owner
        owner: also withstand a reader who has this program and runs it on every table that
        fits; what is kept is a public width (docs/owner.md) (default: readers)
    weights_from: str or number
        against the owner: the public file of last period, from which the weights and sizes of
        cells are taken; .csv or .json (default: all cells weigh the same)
    public_width: str or number
        against the owner: the width that every sensitive cell keeps: 20% of its public size,
        one number for all cells, or file for the levels of the input, which you thereby call
        public (default: 20% with --weights-from; counts: threshold - 1)
    owner_reserve: float
        against the owner: how many times the width the first choice leaves on the public sizes,
        so that it stands for the true table (default: 2)
    guard_band: int
        against the owner, counts only: counts from 0 to this are sensitive (default: 2
        (threshold - 1))
    counts: bool
        the numbers are counts: judge what readers can work out in whole numbers
        (docs/counts.md)
    reals: bool
        judge counts as if they could have decimals, which asks less of a release
    threshold: int
        counts below this are sensitive (default: that of the frequency rule, else 3)
    zeros: published | sensitive | structural
        counts only: what an empty cell is: published, sensitive or structural (default:
        published)
    withheld_means: any | nonzero | rule
        what readers conclude from a withheld count: any, nonzero (zeros are never withheld) or
        rule (and primaries are marked) (default: any)
    kinds: str or number
        kinds of disclosure that are not allowed for counts, separated by commas: exact, small,
        zero, all, group, implied, levels (default: exact,small,all, and zero if zeros are
        sensitive)
    coalition: int
        counts only: number of members of a group who attack the others together (default: 0)
    ambiguity: int
        counts only: number of other values that must remain possible (default: 1)
    known: list
        releases of other tables about the same units that readers have: published tables (.csv)
        or public files of lacuna
    apriori: list
        file that sets status, cost, levels and bounds of single cells, .csv or .hst
        (docs/sensitivity.md)
    collapse: list
        publish nothing below this code: DIMENSION=CODE
    value: str or number
        column with the values of the table (default: recognised by names and sums)
    status: str or number
        column that says which cells are confidential (default: recognised if its name and words
        leave no doubt)
    total: list
        the code that is the total of a dimension: DIMENSION=CODE (default: recognised by the
        sums)
    totals: given | computed | recomputed
        totals: take those given, compute missing ones, or recompute all (default: given)
    wide: list
        name of the dimension whose codes stand in the heading, one column per code; one name
        per row if the heading has several (default: recognised by names and sums)
    sheet: list
        sheet of a workbook (default: the one that holds a table)
    skip: int
        number of rows above the heading of the table (default: all rows of titles)
    rows: str or number
        rows of the file that hold the cells, such as 16-22 (default: all rows below the
        heading, without footnotes)
    only: list
        read only the rows with this code: COLUMN=CODE; AT* keeps all codes that begin with AT
    means: list
        what a sign or flag of the file means: SIGN=withheld, absent, zero, or a word for the
        status of a cell; may be given several times
    near: float
        how close to the truth a reader's guess counts as near, in percent of the truth
        (default: 1)
    threads: int
        number of threads (default: LACUNA_THREADS, otherwise as many as the cores that the
        process may use)
    seed: int
        seed of the run; keep it secret if intervals are moved with it (default: 1)
""",
    "generate": """Options, all by name:

    kind: flat | hierarchical | 1h2d | linked | thesis
        shape of the table: flat, hierarchical, 1h2d, linked or thesis (default: flat)
    seed: int
        seed; the same seed gives the same problem (default: 1)
    sizes: list
        flat: number of leaf codes of each dimension (default: 6,6)
    depths: list
        hierarchical, linked: levels below the total per dimension (default: 2,2)
    fan_least: list
        hierarchical, linked: smallest number of children per dimension (default: 2)
    fan_most: list
        hierarchical, linked: largest number of children per dimension (default: 4)
    ragged_percent: int
        chance that a branch ends above the last level, in percent (default: 0)
    one_child_percent: int
        chance that a code has a single child, in percent (default: 0)
    rows: int
        1h2d: mean number of rows per subtable (default: 10)
    columns: int
        1h2d: number of columns without the total (default: 20)
    tree_depth: int
        1h2d: levels of subtables (default: 4)
    open_least: int
        1h2d: smallest number of rows of a subtable that open another (default: 2)
    open_most: int
        1h2d: largest number of rows of a subtable that open another (default: 2)
    tables: int
        linked: number of tables that share the first dimension (default: 2)
    second_hierarchy: bool
        linked: group the leaves of the shared dimension in a second way as well
    preset: str or number
        thesis: instance of Table 5.1, such as 1LINKED or 2ALT (default: 1B)
    sliding_only: bool
        thesis: sliding levels of twice the size instead of upper and lower ones
    absent_percent: int
        share of leaf cells that do not exist, in percent of the leaf cells (default: 0)
    zero_percent: int
        share of leaf cells that are zero, in percent of the leaf cells (default: 0)
    typical_value: int
        median of the values of leaf cells (default: 1000)
    skew: int
        the largest leaf is about 2^skew times the median; with 0, values are drawn evenly up to
        twice the median (default: 4)
    decimals: int
        digits after the point (default: 0)
    weight: unity | value
        cost of withholding a cell: unity or value (default: unity)
    published_percent: int
        share of the cells that are not sensitive and must be published, in percent (default: 0)
    sensitive_percent: int
        sensitive cells, in percent of the cells that are not totals (default: 10)
    sensitive_count: int
        number of sensitive cells; -1: use the percentage (default: -1)
    upper_percent: int
        upper protection level, in percent of the value (default: 10)
    asymmetry: int
        upper protection level divided by the lower one (default: 1)
    sliding_percent: int
        sliding protection level, in percent of the value (default: 0)
    below_percent: int
        how far below the value the lower bound lies that everyone knows; 100 puts it at zero,
        in percent of the value (default: 100)
    above_percent: int
        how far above the value the upper bound lies that everyone knows; -1 is unbounded, in
        percent of the value (default: 1000)
    attackers: int
        number of further attackers, each a respondent of a sensitive cell (default: 0)
    attacker_share: int
        what such a respondent has contributed to the cell, in percent of the value (default:
        50)
""",
    "argus": """Options, all by name:

    log: str or number
        append the log to this file, unless the job names one (<LOGBOOK>) (default: no log)
    check: bool
        read everything and say what would be done, but protect and write nothing
    unasked: refuse | publish
        what to do with a table in which no cell is sensitive, so that nothing is asked about
        it: refuse to write public files, or publish it (default: refuse)
    threads: int
        number of threads (default: LACUNA_THREADS, otherwise as many as the cores that the
        process may use)
    seed: int
        seed of the run; keep it secret if intervals are moved with it (default: 1)
    work: int
        work that the method may do, counted in the same way on every machine; a unit is about a
        microsecond of one core, in units (default: what the effort allows)
    time_limit: float
        limit on the wall-clock time; a run that it stops is not reproducible, in seconds
        (default: none)
""",
    "write": """Options, all by name:

    flags: auto | abdv | c | conf-status | none
        flags of the written tables: abdv (A, B sensitive, D other withheld, V published), c (or
        blank), conf-status (Eurostat), none; auto: abdv for the office, none in public files,
        which never show which cells are sensitive (default: auto)
    decimals_shown: int
        digits after the decimal point in the written tables; an error if a number has more
        (default: as many as each number needs)
    csv_separator: str or number
        separator of the columns of written .csv: one character, or tab (default: ;)
    csv_decimal_mark: str or number
        decimal mark of written .csv: point or comma (default: .)
    dataflow: str or number
        the STRUCTURE_ID of written SDMX-CSV, and the id of SDMX-JSON (default:
        OFFICE:TABLE(1.0))
    title: str or number
        title of the written tables (.px, .jsonstat.json, .sdmx.json, .xlsx) (default: the name
        of the table)
    subject_area: str or number
        subject area of the written tables (.px, .xlsx) (default: the title)
    notes: list
        notes below the written tables, one or several (.px, .jsonstat.json, .sdmx.json, .xlsx)
    meaning: auto | sidecar | none
        what withheld, rounded and altered numbers mean, in words and for programs. auto: in
        every public file that has a place for it, which is all but .csv and .sdmx.csv; sidecar:
        also beside each public .csv, as NAME-metadata.json; none: nowhere (default: auto)
""",
    "make_ptable": """Options, all by name:

    js: int
        counts from 1 to this number are never published (default: 0)
    stay: float
        smallest probability that a count keeps its value; it is lowered in steps of 0.05 in
        rows that cannot have it together with V (default: 0)
    monotone: left | none
        left: below the count, targets farther away are less likely (default: left)
    free_rows: list
        rows that need not be monotone (default: none)
    equal_rows: list
        rows whose variance must equal V instead of being at most V (default: none)
    rows: list
        tables for magnitudes: the rows, including 1 and D (default: all)
    step: int
        tables for magnitudes: number of targets per unit (default: 1)
    type: all | even | odd | small_cells
        tables for magnitudes: the kind of cells that the rows are for (default: all)
    split: float
        cut every range into pieces of this length and shuffle them (default: ranges are not
        cut)
    seed: int
        seed for the order of the pieces (default: 1)
    digits: int
        number of decimals of p_ub (default: 8)
    keys: int
        for whole keys: round p_ub to multiples of 1 / this number (default: p_ub is rounded to
        digits)
    format: argus | sas | cellkey | ons | abs
        format: argus (i;j;p;v;p_ub), sas (with p_lb), cellkey (YAML), ons (pcv,ckey,pvalue) or
        abs (256 lines by folded key) (default: argus)
""",
    "check_ptable": """Options, all by name:

    cycle: int
        abs only: number of last columns through which large counts cycle; the format does not
        say it (default: large counts use the last column)
""",
    "convert_ptable": """Options, all by name:

    format: argus | sas | cellkey | ons | abs
        format: argus (i;j;p;v;p_ub), sas (with p_lb), cellkey (YAML), ons (pcv,ckey,pvalue) or
        abs (256 lines by folded key) (default: argus)
    keys: int
        ons only: number of whole keys (default: as many as the table has, or 256)
    cycle: int
        abs only: number of last columns through which large counts cycle; the format does not
        say it (default: large counts use the last column)
""",
}
