(* SPDX-License-Identifier: Apache-2.0 *)
(* The checker as OCaml. Whole numbers become those of integer.ml, which are Zarith's; numbers of cells
   and equations stay what they are. *)
From Coq Require Import ZArith List Extraction ExtrOcamlBasic.
From Lacuna Require Import Trees Problem Rooms Evidence Checker Verdicts Counts Whole CountVerdicts Bound Dual.

Extract Inductive positive => "Integer.positive" [ "Integer.XI" "Integer.XO" "Integer.XH" ].
Extract Inductive Z => "Integer.t" [ "Integer.zero" "Integer.of_positive" "Integer.of_negative" ]
  "(fun _ _ _ _ -> assert false)".
Extract Inlined Constant Z.add => "Integer.add".
Extract Inlined Constant Z.sub => "Integer.sub".
Extract Inlined Constant Z.mul => "Integer.mul".
Extract Inlined Constant Z.opp => "Integer.neg".
Extract Inlined Constant Z.leb => "Integer.leq".
Extract Inlined Constant Z.ltb => "Integer.lt".
Extract Inlined Constant Z.eqb => "Integer.equal".
Extract Inlined Constant Z.abs => "Integer.abs".
Extract Inlined Constant Z.div => "Integer.div".
Extract Inlined Constant Z.max => "Integer.max".
Extract Inlined Constant Z.min => "Integer.min".

(* Parts of the above that nothing calls. *)
Extract Inlined Constant Z.pos_div_eucl => "Integer.not_called".
Extract Inlined Constant Z.div_eucl => "Integer.not_called".
Extract Inlined Constant Z.of_nat => "Integer.not_called".
Extract Inlined Constant Z.double => "Integer.not_called".
Extract Inlined Constant Z.succ_double => "Integer.not_called".
Extract Inlined Constant Z.pred_double => "Integer.not_called".
Extract Inlined Constant Z.pos_sub => "Integer.not_called".
Extract Inlined Constant Z.compare => "Integer.not_called".

Extraction "checker.ml" set check check_counts overall bound_of_log bound_of_intervals bound_of_tables.
