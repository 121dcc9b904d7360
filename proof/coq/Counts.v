(* SPDX-License-Identifier: Apache-2.0 *)
(* Tables of counts: what readers are told, what is asked, and what the verdicts mean. As in Problem.v,
   no definition of the checker takes part. docs/counts.md says the same in words. *)
From Coq Require Import ZArith QArith List Bool.
From Lacuna Require Import Trees Problem.
Import ListNotations.

(* What a reader takes from a blank: nothing; that the count is not 0; or also that a primary is below
   the threshold and any other blank is not. *)
Inductive meaning := AnyMeaning | NonzeroMeaning | RuleMeaning.
Inductive zero_rule := ZerosPublished | ZerosSensitive | ZerosStructural.

Inductive kind := KExact | KSmall | KZero | KAll | KGroup | KImplied | KLevels.
Record question := {
  kind_of : kind; asked_by : positive; main_cell : positive; form_of : list (positive * Z) }.

Record counting := {
  threshold : Z; ambiguity : Z; coalition : Z;
  meaning_of_blanks : meaning; zeros : zero_rule;
  primaries : tree unit;
  unlisted : tree unit;                  (* cells that no published table has *)
  among : list (positive * list Z);      (* cells that can only be one of these numbers *)
  questions : list question }.

Definition has {A} (i : positive) (t : tree A) : bool :=
  match get i t with Some _ => true | None => false end.

Definition least (C : counting) : Z :=
  match meaning_of_blanks C, zeros C with
  | AnyMeaning, _ => 0
  | _, ZerosSensitive => 0
  | _, _ => 1
  end.

(* Rounded numbers are less than a base away from the truth, unless the release itself moves one that
   far. *)
Definition is_strict (P : problem) (e : positive * statement) : bool :=
  match snd e with
  | Rounded number base steps => Z.ltb (Z.abs (truth P (fst e) - number)) ((steps + 1) * base)
  | _ => true
  end.
Definition strict (P : problem) : bool := forallb (is_strict P) (release P).

(* By the rule of the release, beyond what a statement says by itself. *)
Definition by_rule (C : counting) (is_open : bool) (i : positive) (s : statement) : range :=
  if has i (unlisted C) then (None, None)
  else match s with
  | Withheld =>
      match meaning_of_blanks C with
      | RuleMeaning => if has i (primaries C) then (Some (least C), Some (threshold C - 1)%Z)
                       else (Some (threshold C), None)
      | _ => (Some (least C), None)
      end
  | Interval _ _ => (Some (least C), None)
  | Rounded number base steps =>
      if is_open then (Some (number - (steps + 1) * base + 1)%Z, Some (number + (steps + 1) * base - 1)%Z)
      else (None, None)
  | _ => (None, None)
  end.

(* What everyone knows before the release is told to nobody. *)
Definition fixed_before (P : problem) (i : positive) : bool :=
  match get i (cells P) with
  | Some c => match prior c with
              | (Some l, Some u) => Z.leb u (Z.max l 0)
              | (None, Some u) => Z.leb u 0
              | _ => false
              end
  | None => false
  end.

Definition told_of (P : problem) (C : counting) (is_open : bool) (e : positive * statement) : knowledge :=
  let i := fst e in
  [(i, said (snd e)); (i, (Some 0%Z, None));
   (i, if fixed_before P i then (None, None) else by_rule C is_open i (snd e))].
Definition told_counts (P : problem) (C : counting) : knowledge :=
  flat_map (told_of P C (strict P)) (release P).

(* The tables of whole numbers that attacker k cannot rule out. *)
Definition possible_counts (P : problem) (C : counting) (k : positive) (y : positive -> Z) : Prop :=
  consistent P (told_counts P C) (known_to P k) (fun i => qz (y i)) /\
  (forall i l, In (i, l) (among C) -> In (y i) l).

(* ---- questions *)

Definition form (q : question) : list (positive * Z) :=
  match kind_of q with KAll | KGroup | KImplied => form_of q | _ => [(main_cell q, 1%Z)] end.
Definition is_about_a_cell (k : kind) : bool :=
  match k with KAll | KGroup | KImplied => false | _ => true end.

(* By how much the form can differ from its true value. *)
Definition can_be (P : problem) (C : counting) (q : question) (d : Z) : Prop :=
  exists y, possible_counts P C (asked_by q) y /\
            sum_at y (form q) = (sum_at (truth P) (form q) + d)%Z.

(* What has to remain possible: so far down, up, and both together; one of the two; or so many
   numbers. *)
Inductive demand := AllOf (l u s : Z) | OneOf (l u : Z) | Numbers (n : Z).

Definition demands (P : problem) (C : counting) (q : question) (d : demand) : Prop :=
  let v := sum_at (truth P) (form q) in
  match kind_of q with
  | KExact => d = Numbers (ambiguity C + 1)
  | KSmall => d = OneOf v (threshold C - v)
  | KZero => d = AllOf 0 (1 - v) 0
  | KAll | KGroup => d = AllOf 0 (1 + coalition C - v) 0
  | KImplied => d = Numbers 2
  | KLevels => exists r l u s, In r (requirements P) /\ about r = main_cell q /\
                 by_attacker r = asked_by q /\ asks P r l u s /\ d = AllOf l u s
  end.

Definition is_met (P : problem) (C : counting) (q : question) (d : demand) : Prop :=
  (is_about_a_cell (kind_of q) = true -> ~ stated P (main_cell q)) /\
  match d with
  | AllOf l u s => (exists x, can_be P C q x /\ (x >= u)%Z) /\ (exists x, can_be P C q x /\ (x <= - l)%Z) /\
                   (exists x x', can_be P C q x /\ can_be P C q x' /\ (x - x' >= s)%Z)
  | OneOf l u => (exists x, can_be P C q x /\ (x >= u)%Z) \/ (exists x, can_be P C q x /\ (x <= - l)%Z)
  | Numbers n => exists xs, NoDup xs /\ (Z.of_nat (length xs) >= n)%Z /\ forall x, In x xs -> can_be P C q x
  end.

Definition is_refuted (P : problem) (C : counting) (q : question) (d : demand) : Prop :=
  (is_about_a_cell (kind_of q) = true /\ stated P (main_cell q)) \/
  match d with
  | AllOf l u s => (forall x, can_be P C q x -> (x < u)%Z) \/ (forall x, can_be P C q x -> (x > - l)%Z) \/
                   (forall x x', can_be P C q x -> can_be P C q x' -> (x - x' < s)%Z)
  | OneOf l u => (forall x, can_be P C q x -> (x < u)%Z) /\ (forall x, can_be P C q x -> (x > - l)%Z)
  | Numbers n => forall xs, NoDup xs -> (forall x, In x xs -> can_be P C q x) -> (Z.of_nat (length xs) < n)%Z
  end.
