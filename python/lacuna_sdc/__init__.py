# SPDX-License-Identifier: Apache-2.0
"""Lacuna makes statistical tables safe to publish, and proves it.

    import lacuna_sdc as lc

    table = lc.tabulate(firms, dims=["nace", "region"], value="turnover", unit="firm",
                        rules=[lc.frequency(3), lc.p_percent(10)])
    release = lc.protect(table)         # audited, or an exception
    release.to_pandas()                 # what is published, and nothing else
"""

from ._argus_run import ArgusNote, ArgusRun, ArgusTable, RefusedError
from ._audit import Audit, Certificate, NotProtectedError, Verification
from ._audit_release import audit, verify
from ._cells import Explanation
from ._compare import compare
from ._comparison import Comparison
from ._core import version as _version
from ._crosstab import crosstab, pivot_table
from ._errors import (
    Error,
    FileError,
    InputError,
    InternalError,
    NotAdditiveError,
    OptionError,
    UnsupportedError,
)
from ._explain import explain
from ._frames import Frame
from ._generate import generate
from ._hierarchy import Hierarchy, correspondence, digits, flat, hrc, nested, parents, tree
from ._infer import Inference, infer
from ._plan_run import PlanRun
from ._problem import Problem, Table
from ._progress import Progress
from ._protect import protect
from ._protect_many import protect_many
from ._ptable import check_ptable, convert_ptable, make_ptable
from ._release import Interrupted, Release
from ._report import report
from ._rules import (
    Attacker,
    Rule,
    dominance,
    frequency,
    outsider,
    p_percent,
    prior_posterior,
    request,
    respondents,
    zeros,
)
from ._run_arb import run_arb
from ._run_plan import run_plan
from ._show import show
from ._sql import sql
from ._statements import Sql
from ._tabulate import tabulate
from ._versions import show_versions

__version__ = _version()
__all__ = [
    "ArgusNote",
    "ArgusRun",
    "ArgusTable",
    "Attacker",
    "Audit",
    "Certificate",
    "Comparison",
    "Error",
    "Explanation",
    "FileError",
    "Frame",
    "Hierarchy",
    "Inference",
    "InputError",
    "InternalError",
    "Interrupted",
    "NotAdditiveError",
    "NotProtectedError",
    "OptionError",
    "PlanRun",
    "Problem",
    "Progress",
    "RefusedError",
    "Release",
    "Rule",
    "Sql",
    "Table",
    "UnsupportedError",
    "Verification",
    "__version__",
    "audit",
    "check_ptable",
    "compare",
    "convert_ptable",
    "correspondence",
    "crosstab",
    "digits",
    "dominance",
    "explain",
    "flat",
    "frequency",
    "generate",
    "hrc",
    "infer",
    "make_ptable",
    "nested",
    "outsider",
    "p_percent",
    "parents",
    "pivot_table",
    "prior_posterior",
    "protect",
    "protect_many",
    "report",
    "request",
    "respondents",
    "run_arb",
    "run_plan",
    "show",
    "show_versions",
    "sql",
    "tabulate",
    "tree",
    "verify",
    "zeros",
]
