(* SPDX-License-Identifier: Apache-2.0 *)
(* What the theorems rest on: each line has to be answered by "Closed under the global context". *)
From Lacuna Require Import Verdicts CountVerdicts Bound Dual.
Print Assumptions ranges_are_judged_right.
Print Assumptions nobody_concludes_more.
Print Assumptions adjusted_are_judged_right.
Print Assumptions counts_are_judged_right.
Print Assumptions bound_is_right.
Print Assumptions intervals_are_bounded.
Print Assumptions tables_are_bounded.
