(* SPDX-License-Identifier: Apache-2.0 *)
(* Witnesses, rays and proofs, for one problem, what is told and one attacker (docs/audit.md, sections
   5 and 6). *)
From Coq Require Import ZArith QArith List Bool Lia Lqa.
From Lacuna Require Import Trees Problem Rooms.
Import ListNotations.

(* A vector of whole numbers over a denominator: moves of cells, or multipliers of equations. *)
Record fractions := { denominator : Z; entries : list (positive * Z) }.

(* ---- a vector within the rooms *)

Definition fits_one (d v : Z) (r : option range) : bool :=
  match r with
  | None => Z.eqb v 0
  | Some (l, u) => (match l with Some x => Z.leb (x * d) v | None => true end &&
                    match u with Some x => Z.leb v (x * d) | None => true end)%bool
  end.
Definition repeats_one (v : Z) (r : option range) : bool :=
  match r with
  | None => Z.eqb v 0
  | Some (l, u) => (match l with Some _ => Z.leb 0 v | None => true end &&
                    match u with Some _ => Z.leb v 0 | None => true end)%bool
  end.

Fixpoint fit (one : Z -> option range -> bool) (w : tree Z) (rs : rooms) : bool :=
  match w with
  | Leaf => true
  | Node l o r =>
      match rs with
      | Leaf => all_zero w
      | Node l' o' r' =>
          (match o with Some v => one v o' | None => true end && fit one l l' && fit one r r')%bool
      end
  end.

Lemma fit_get one w rs i : (forall r, one 0%Z r = true -> True) ->
  fit one w rs = true -> (exists v, get i w = Some v /\ one v (get i rs) = true) \/
                         at_ i w = 0%Z.
Proof.
  intros _; revert i rs; induction w as [|l IHl o r IHr]; intros i rs H; [right; apply at_leaf|].
  destruct rs as [|l' o' r']; [right; now apply all_zero_at|].
  simpl in H; split_and H. unfold at_ in *; destruct i; simpl.
  - apply IHr; auto.
  - apply IHl; auto.
  - destruct o as [v|]; [left; eauto|right; reflexivity].
Qed.

Lemma fits_one_ok d v r : (0 < d)%Z -> fits_one d v r = true ->
  within (match r with Some r => r | None => nowhere end) (qz v / qz d).
Proof.
  intros D H. assert (0 < qz d) by (change 0 with (qz 0); apply (proj1 (qz_lt 0 d)); auto).
  destruct r as [[l u]|]; simpl in H.
  - apply andb_prop in H; destruct H as [A B]; split; intros x E; simpl in E; subst; simpl in *.
    + apply Z.leb_le in A. apply Qle_shift_div_l; auto. rewrite <- qz_mult; now apply le_qz.
    + apply Z.leb_le in B. apply Qle_shift_div_r; auto. rewrite <- qz_mult; now apply le_qz.
  - apply Z.eqb_eq in H; subst. apply within_nowhere. unfold Qdiv. rewrite qz_0; ring.
Qed.

Lemma repeats_one_ok v r t : 0 <= t -> repeats_one v r = true ->
  within (match r with Some r => r | None => nowhere end) 0 ->
  within (match r with Some r => r | None => nowhere end) (t * qz v).
Proof.
  intros T H [W1 W2]. destruct r as [[l u]|]; simpl in H.
  - apply andb_prop in H; destruct H as [A B]; split; intros x E; simpl in E; subst; simpl in *.
    + apply Z.leb_le, le_qz in A. specialize (W1 _ eq_refl). rewrite qz_0 in A.
      apply Qle_trans with (1 := W1). now apply Qmult_le_0_compat.
    + apply Z.leb_le, le_qz in B. specialize (W2 _ eq_refl). rewrite qz_0 in B.
      apply Qle_trans with (2 := W2). setoid_replace (t * qz v) with (- (t * - qz v)) by ring.
      assert (0 <= t * - qz v) by (apply Qmult_le_0_compat; lra). lra.
  - apply Z.eqb_eq in H; subst. apply within_nowhere. rewrite qz_0; ring.
Qed.

(* ---- a vector that breaks no equation: by the columns of its cells *)

Definition columns := tree (list (positive * Z)).
Definition put (i e : positive) (c : Z) (cs : columns) : columns :=
  set i ((e, c) :: match get i cs with Some l => l | None => [] end) cs.
Fixpoint put_terms (e : positive) (ts : list (positive * Z)) (cs : columns) : columns :=
  match ts with [] => cs | (i, c) :: rest => put_terms e rest (put i e c cs) end.
Fixpoint columns_of (e : positive) (es : list equation) (cs : columns) : columns :=
  match es with
  | [] => cs
  | x :: rest => columns_of (Pos.succ e) rest (put_terms e (terms x) cs)
  end.

Fixpoint push (w : tree Z) (cs : columns) (sums : tree Z) : tree Z :=
  match w, cs with
  | Node l o r, Node l' o' r' =>
      let sums := match o, o' with
                  | Some v, Some col => fold_left (fun t e => add (fst e) (v * snd e)%Z t) col sums
                  | _, _ => sums
                  end in
      push r r' (push l l' sums)
  | _, _ => sums
  end.
Definition balanced (cs : columns) (w : tree Z) : bool := all_zero (push w cs Leaf).

(* The factor of cell i in equation e, by its column and by the equation. *)
Fixpoint factor (e : positive) (col : list (positive * Z)) : Z :=
  match col with [] => 0%Z | (f, c) :: rest => (c * delta f e + factor e rest)%Z end.
Definition column (i : positive) (cs : columns) : list (positive * Z) :=
  match get i cs with Some l => l | None => [] end.

Lemma push_fold v col sums e :
  at_ e (fold_left (fun t x => add (fst x) (v * snd x)%Z t) col sums) = (at_ e sums + v * factor e col)%Z.
Proof.
  revert sums; induction col as [|[f c] rest IH]; intros sums; simpl; [ring|].
  rewrite IH, at_add; simpl; ring.
Qed.

Lemma push_at w cs sums e :
  qz (at_ e (push w cs sums)) == qz (at_ e sums) + value w (fun i => qz (factor e (column i cs))).
Proof.
  revert cs sums; induction w as [|l IHl o r IHr]; intros cs sums.
  - simpl; ring.
  - destruct cs as [|l' o' r'].
    + simpl push. rewrite value_zero; [ring|]. intros i; unfold column; rewrite get_leaf; reflexivity.
    + simpl push. rewrite IHr, IHl. simpl value. unfold column; simpl.
      destruct o as [v|], o' as [col|]; simpl; rewrite ?push_fold, ?qz_plus, ?qz_mult, ?qz_0; ring.
Qed.

Lemma factor_put i j e f c cs :
  factor f (column j (put i e c cs)) = (factor f (column j cs) + c * delta e f * delta i j)%Z.
Proof.
  unfold put, column. destruct (Pos.eq_dec i j) as [->|N].
  - rewrite get_set_same, delta_same; simpl; ring.
  - rewrite get_set_other, (delta_other N) by auto; ring.
Qed.

Fixpoint in_terms (i : positive) (ts : list (positive * Z)) : Z :=
  match ts with [] => 0%Z | (j, c) :: rest => (c * delta j i + in_terms i rest)%Z end.

Lemma factor_put_terms e ts cs f i :
  factor f (column i (put_terms e ts cs)) = (factor f (column i cs) + delta e f * in_terms i ts)%Z.
Proof.
  revert cs; induction ts as [|[j c] rest IH]; intros cs; simpl; [ring|].
  rewrite IH, factor_put; ring.
Qed.

Lemma columns_before e es cs f i : (f < e)%positive ->
  factor f (column i (columns_of e es cs)) = factor f (column i cs).
Proof.
  revert e cs; induction es as [|x rest IH]; intros e cs L; simpl; auto.
  rewrite IH by lia. rewrite factor_put_terms, delta_other by lia; ring.
Qed.

Lemma columns_in es : forall e cs x, In x es ->
  (forall f i, (e <= f)%positive -> factor f (column i cs) = 0%Z) ->
  exists f, forall i, factor f (column i (columns_of e es cs)) = in_terms i (terms x).
Proof.
  induction es as [|x' rest IH]; intros e cs x H Z0; [inversion H|]. simpl. destruct H as [->|H].
  - exists e; intros i. rewrite columns_before, factor_put_terms, delta_same, Z0 by lia; ring.
  - apply IH; auto. intros f i L. rewrite factor_put_terms, Z0, delta_other by lia; ring.
Qed.

Definition as_function (w : tree Z) (i : positive) : Q := qz (at_ i w).

Lemma value_in_terms w ts :
  value w (fun i => qz (in_terms i ts)) == dot ts (as_function w).
Proof.
  induction ts as [|[j c] rest IH]; simpl.
  - apply value_zero; reflexivity.
  - rewrite <- IH.
    rewrite (value_ext w _ (fun i => qz c * qz (delta j i) + qz (in_terms i rest))).
    + rewrite value_plus, value_scale, value_delta. unfold as_function; ring.
    + intros i; rewrite qz_plus, qz_mult; ring.
Qed.

Lemma balanced_ok es w : balanced (columns_of 1 es Leaf) w = true ->
  forall x, In x es -> dot (terms x) (as_function w) == 0.
Proof.
  intros B x H. destruct (columns_in es 1%positive Leaf x H) as [f F].
  { intros f i _; unfold column; now rewrite get_leaf. }
  unfold balanced in B. generalize (push_at w (columns_of 1 es Leaf) Leaf f).
  rewrite (all_zero_at _ f B), at_leaf, qz_0. intros E.
  rewrite <- value_in_terms. rewrite <- (value_ext w (fun i => qz (factor f (column i (columns_of 1 es Leaf))))).
  - lra.
  - intros i; now rewrite F.
Qed.

(* ---- the most that a sum of slopes times moves can be within the rooms *)

Definition plus (a b : option Z) : option Z :=
  match a, b with Some x, Some y => Some (x + y)%Z | _, _ => None end.
Definition most_one (d : Z) (r : range) : option Z :=
  if Z.ltb 0 d then match snd r with Some u => Some (d * u)%Z | None => None end
  else if Z.ltb d 0 then match fst r with Some l => Some (d * l)%Z | None => None end
  else Some 0%Z.
Fixpoint most (d : tree Z) (rs : rooms) : option Z :=
  match d, rs with
  | Node l o r, Node l' o' r' =>
      plus (most l l') (plus (match o, o' with Some v, Some x => most_one v x | _, _ => Some 0%Z end)
                             (most r r'))
  | _, _ => Some 0%Z
  end.

Lemma most_one_ok d r b q : most_one d r = Some b -> within r q -> qz d * q <= qz b.
Proof.
  intros H [W1 W2]. unfold most_one in H. destruct (Z.ltb_spec 0 d).
  - destruct (snd r) as [u|] eqn:E; inversion H; subst. specialize (W2 _ eq_refl).
    rewrite qz_mult. setoid_rewrite (Qmult_comm (qz d)). apply Qmult_le_compat_r; auto.
    change 0 with (qz 0); apply le_qz; lia.
  - destruct (Z.ltb_spec d 0).
    + destruct (fst r) as [l|] eqn:E; inversion H; subst. specialize (W1 _ eq_refl).
      rewrite qz_mult. assert (0 <= - qz d) by (rewrite <- qz_opp; change 0 with (qz 0); apply le_qz; lia).
      assert (K : qz l * - qz d <= q * - qz d) by (apply Qmult_le_compat_r; auto). lra.
    + assert (d = 0%Z) by lia. inversion H; subst. rewrite qz_0; lra.
Qed.

Lemma most_ok d rs b z : most d rs = Some b -> fits_in rs z -> value d z <= qz b.
Proof.
  revert rs b z; induction d as [|l IHl o r IHr]; intros rs b z H F.
  - simpl in *; inversion H; subst; rewrite qz_0; lra.
  - destruct rs as [|l' o' r'].
    + inversion H; subst. rewrite value_zero; [rewrite qz_0; lra|].
      intros i; specialize (F i); unfold room in F; rewrite get_leaf in F; now apply within_nowhere.
    + simpl in H. destruct (most l l') as [bl|] eqn:Hl; [|discriminate].
      set (m := match o, o' with Some v, Some x => most_one v x | _, _ => Some 0%Z end) in *.
      destruct m as [bo|] eqn:Ho; [|discriminate]. destruct (most r r') as [br|] eqn:Hr; [|discriminate].
      simpl in H; inversion H; subst; clear H. simpl value. rewrite !qz_plus.
      assert (A : value l (fun i => z (xO i)) <= qz bl) by (apply IHl with l'; auto; intros i; apply (F (xO i))).
      assert (B : value r (fun i => z (xI i)) <= qz br) by (apply IHr with r'; auto; intros i; apply (F (xI i))).
      assert (C : qz (own o) * z xH <= qz bo).
      { specialize (F xH); unfold room in F; simpl in F. subst m. destruct o as [v|], o' as [x|]; simpl.
        - eapply most_one_ok; eauto.
        - apply within_nowhere in F. inversion Ho; rewrite F, qz_0; lra.
        - inversion Ho; rewrite qz_0; lra.
        - inversion Ho; rewrite qz_0; lra. }
      lra.
Qed.

(* ---- slopes: a form less the multiples of equations *)

Definition rows := tree equation.
Fixpoint add_terms (k : Z) (ts : list (positive * Z)) (t : tree Z) : tree Z :=
  match ts with [] => t | (i, c) :: rest => add_terms k rest (add i (k * c)%Z t) end.
Fixpoint less (rws : rows) (g : list (positive * Z)) (t : tree Z) : option (tree Z) :=
  match g with
  | [] => Some t
  | (e, v) :: rest =>
      match get e rws with
      | Some x => less rws rest (add_terms (- v) (terms x) t)
      | None => None
      end
  end.

Lemma value_add_terms k ts t y : value (add_terms k ts t) y == value t y + qz k * dot ts y.
Proof.
  revert t; induction ts as [|[i c] rest IH]; intros t; simpl; [ring|].
  rewrite IH, value_add, qz_mult; ring.
Qed.

Lemma value_less rws g t d z : less rws g t = Some d ->
  (forall e x, get e rws = Some x -> dot (terms x) z == 0) -> value d z == value t z.
Proof.
  intros H B; revert t H; induction g as [|[e v] rest IH]; intros t H; simpl in H.
  - inversion H; reflexivity.
  - destruct (get e rws) as [x|] eqn:G; [|discriminate]. rewrite (IH _ H), value_add_terms, (B _ _ G); ring.
Qed.

(* What follows for sign times a form: at most fst / snd. *)
Definition bound_of (rws : rows) (rs : rooms) (form : list (positive * Z)) (sign : Z) (p : fractions)
  : option (Z * Z) :=
  if Z.ltb 0 (denominator p) then
    match less rws (entries p) (add_terms (sign * denominator p) form Leaf) with
    | Some d => match most d rs with Some b => Some (b, denominator p) | None => None end
    | None => None
    end
  else None.

Lemma bound_of_ok rws rs form sign p b d z : bound_of rws rs form sign p = Some (b, d) ->
  (forall e x, get e rws = Some x -> dot (terms x) z == 0) -> fits_in rs z ->
  (0 < d)%Z /\ qz sign * dot form z * qz d <= qz b.
Proof.
  unfold bound_of; intros H B F. destruct (Z.ltb_spec 0 (denominator p)) as [D|]; [|discriminate].
  destruct (less _ _ _) as [t|] eqn:L; [|discriminate]. destruct (most t rs) as [m|] eqn:M; [|discriminate].
  inversion H; subst; clear H. split; auto.
  generalize (most_ok _ _ _ _ M F). rewrite (value_less _ _ _ _ _ L B), value_add_terms, qz_mult.
  simpl value. intros K. setoid_replace (qz sign * dot form z * qz (denominator p)) with
    (0 + qz sign * qz (denominator p) * dot form z) by ring. exact K.
Qed.
