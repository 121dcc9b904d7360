(* SPDX-License-Identifier: Apache-2.0 *)
(* What is asked, and what words mean. Whoever reads the theorems has to agree with this file and with
   nothing else: no definition of the checker takes part in it. *)
From Coq Require Import ZArith QArith List.
From Lacuna Require Import Trees.
Import ListNotations.

(* From where to where; None: no end. *)
Definition range := (option Z * option Z)%type.
Definition within (r : range) (q : Q) : Prop :=
  (forall l, fst r = Some l -> qz l <= q) /\ (forall u, snd r = Some u -> q <= qz u).

(* What the release says about a cell. A cell of which it says nothing is published as it is. *)
Inductive statement :=
  | Withheld
  | Interval (lower upper : Z)
  | Rounded (number base steps : Z)
  | Altered (number lower upper : Z)
  | Adjusted (number : Z).

Definition said (s : statement) : range :=
  match s with
  | Withheld => (None, None)
  | Interval lower upper => (Some lower, Some upper)
  | Rounded number base steps =>
      (Some (number - (steps + 1) * base)%Z, Some (number + (steps + 1) * base)%Z)
  | Altered _ lower upper => (Some lower, Some upper)
  | Adjusted _ => (None, None)
  end.

Record cell := { truth_of : Z; prior : range }.
Record equation := { terms : list (positive * Z); rhs : Z }.
Definition knowledge := list (positive * range).

(* Levels, as they stand in the file. *)
Record requirement := {
  about : positive; by_attacker : positive; lower : Z; upper : Z; sliding : Z }.

Record problem := {
  cells : tree cell;
  equations : list equation;
  attackers : tree knowledge;
  release : list (positive * statement);
  requirements : list requirement;
  zeros_are_meant : bool;  (* levels that are all zero: the value only has to be hidden *)
  unit_of : Z }.

Definition truth (P : problem) (i : positive) : Z :=
  match get i (cells P) with Some c => truth_of c | None => 0%Z end.
Definition known_to (P : problem) (k : positive) : knowledge :=
  match get k (attackers P) with Some known => known | None => [] end.

(* The tables y that a reader cannot rule out who was told `told` and knows `known` besides. *)
Definition consistent (P : problem) (told known : knowledge) (y : positive -> Q) : Prop :=
  (forall e, In e (equations P) -> dot (terms e) y == qz (rhs e)) /\
  (forall i c, get i (cells P) = Some c -> within (prior c) (y i)) /\
  (forall i r, In (i, r) told -> within r (y i)) /\
  (forall i, (forall r, ~ In (i, r) told) -> y i == qz (truth P i)) /\
  (forall i r, In (i, r) known -> within r (y i)).

Definition told_by (rel : list (positive * statement)) : knowledge :=
  map (fun e => (fst e, said (snd e))) rel.
Definition possible (P : problem) (k : positive) : (positive -> Q) -> Prop :=
  consistent P (told_by (release P)) (known_to P k).

(* The release alone tells the value. *)
Definition stated (P : problem) (i : positive) : Prop :=
  forall y, (forall r, In (i, r) (told_by (release P)) -> within r y) ->
            ((forall r, ~ In (i, r) (told_by (release P))) -> y == qz (truth P i)) ->
            y == qz (truth P i).

(* Whether the attacker knows the value of a cell before the release. *)
Definition known_before (P : problem) (i k : positive) : Prop :=
  forall y, (forall c, get i (cells P) = Some c -> within (prior c) y) ->
            (forall r, In (i, r) (known_to P k) -> within r y) -> y == qz (truth P i).

(* The three levels that count. Where all are zero, the value must not be exactly computable: one
   unit takes the place of the sliding level, unless the zeros are meant or the value is known. *)
Definition all_zero_levels (r : requirement) : Prop :=
  (lower r = 0 /\ upper r = 0 /\ sliding r = 0)%Z.
Definition asks (P : problem) (r : requirement) (l u s : Z) : Prop :=
  l = lower r /\ u = upper r /\
  ((all_zero_levels r /\ zeros_are_meant P = false /\ ~ known_before P (about r) (by_attacker r) /\
    s = unit_of P) \/
   ((~ all_zero_levels r \/ zeros_are_meant P = true \/ known_before P (about r) (by_attacker r)) /\
    s = sliding r)).

(* What holds where the checker says so. a is the true value of the cell. *)
Definition is_protected (P : problem) (r : requirement) (l u s : Z) : Prop :=
  let p := about r in let k := by_attacker r in let a := qz (truth P p) in
  ~ stated P p /\
  (exists y, possible P k y /\ y p >= a + qz u) /\
  (exists y, possible P k y /\ y p <= a - qz l) /\
  (exists y y', possible P k y /\ possible P k y' /\ y p - y' p >= qz s).

Definition is_exposed (P : problem) (r : requirement) (l u s : Z) : Prop :=
  let p := about r in let k := by_attacker r in let a := qz (truth P p) in
  stated P p \/
  (forall y, possible P k y -> y p < a + qz u) \/
  (forall y, possible P k y -> y p > a - qz l) \/
  (forall y y', possible P k y -> possible P k y' -> y p - y' p < qz s).

(* Any way of reasoning, known or not yet invented, from what the attacker knows to an interval of the
   cell: all that is asked of it is that it is right whatever the table is. *)
Definition right_conclusion (P : problem) (k p : positive) (from to : Q) : Prop :=
  forall y, possible P k y -> from <= y p <= to.

(* An adjusted release shows numbers x and no ranges. *)
Definition shown (P : problem) (i : positive) (x : Z) : Prop :=
  In (i, Adjusted x) (release P) \/ ((forall s, ~ In (i, s) (release P)) /\ x = truth P i).
Definition far (a x l u s : Z) : Prop :=
  (x <> a /\ ((x - a >= u /\ 2 * (x - a) >= s) \/ (a - x >= l /\ 2 * (a - x) >= s)))%Z.

(* A sum of multiples of cells, in whole numbers. *)
Fixpoint sum_at (f : positive -> Z) (ts : list (positive * Z)) : Z :=
  match ts with [] => 0%Z | (i, c) :: rest => (c * f i + sum_at f rest)%Z end.
