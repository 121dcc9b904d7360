(* SPDX-License-Identifier: Apache-2.0 *)
(* Logs of the bound of intervals and of adjusted tables: weak duality over the equations. What such a
   release is, and what it costs, is said in Problem.v's words; the steps are those of docs/proof.md,
   equations (28) and (29). *)
From Coq Require Import ZArith QArith List Bool Lia Lqa.
From Lacuna Require Import Trees Problem Rooms Evidence Checker Verdicts Bound.
Import ListNotations.
Local Arguments Z.mul : simpl never.
Local Arguments Z.add : simpl never.
Local Arguments Z.sub : simpl never.

(* ---- what words mean *)

(* How far below and above the truth the interval of a cell goes. *)
Definition widths := positive -> Z * Z.
Definition fair (w : widths) : Prop := forall i, (0 <= fst (w i) /\ 0 <= snd (w i))%Z.
(* Cells that are always withheld, and intervals of the open ones; all others as they are. *)
Definition intervals (P : problem) (D : choice) (w : widths) : list (positive * statement) :=
  map (fun i => (i, Withheld)) (always D) ++
  map (fun i => (i, Interval (truth P i - fst (w i)) (truth P i + snd (w i)))) (map fst (open D)).
Definition publishing (P : problem) (rel : list (positive * statement)) : problem :=
  {| cells := cells P; equations := equations P; attackers := attackers P; release := rel;
     requirements := requirements P; zeros_are_meant := zeros_are_meant P; unit_of := unit_of P |}.
Definition safe_intervals (P : problem) (D : choice) (w : widths) : Prop :=
  forall r, In r (requirements P) -> forall l u s, asks P r l u s ->
  is_protected (publishing P (intervals P D w)) r l u s.
Definition cost_of_widths (D : choice) (w : widths) : Z :=
  sum_at (fun i => fst (w i) + snd (w i))%Z (open D).

(* A table that may be published in place of the true one: it adds up, keeps what everyone knows and
   all cells that are not open, and shows of every sensitive cell a number that is far enough off. *)
Definition adjusts (P : problem) (D : choice) (y : positive -> Z) : Prop :=
  (forall e, In e (equations P) -> sum_at y (terms e) = rhs e) /\
  (forall i c, get i (cells P) = Some c -> within (prior c) (qz (y i))) /\
  (forall i, ~ In i (map fst (open D)) -> y i = truth P i) /\
  (forall r, In r (requirements P) -> forall l u s, asks P r l u s ->
    far (truth P (about r)) (y (about r)) l u s).
(* The sum of the weights times |move|, or its square. *)
Definition off (squared : bool) (z : Z) : Z := if squared then (z * z)%Z else Z.abs z.
Definition distance (P : problem) (D : choice) (squared : bool) (y : positive -> Z) : Z :=
  sum_at (fun i => off squared (y i - truth P i)) (open D).

(* ---- what is read *)

Record interval_log := { needs_weight : Z; its_needs : list needed; needs_claim : Z }.

Inductive senses_of :=
  | Leaf_ (leaf_weight : Z) (leaf_sum : sum)
  | Sense (i : positive) (falls rises : senses_of).
Record table_tree := { tree_cells : list positive; tree_least : Z; tree_senses : senses_of }.
Record table_log := { is_squared : bool; table_trees : list table_tree; table_claim : Z }.

(* ---- intervals: who pays *)

Record purse := { ups : tree Z; downs : tree Z; gained : Z }.  (* what is left of every end's weight *)

Definition paid_of (rs : roles) (i : positive) (v : Z) (p : purse) : Z :=
  match get i rs with
  | Some Open => Z.max 0 (Z.min (Z.abs v) (at_ i (if Z.ltb 0 v then ups p else downs p)))
  | _ => 0%Z
  end.
(* One cell of the right-hand side of (28): what its end pays, and the attacker's own limit. *)
Definition pay_one (rs : roles) (room : rooms) (i : positive) (v : Z) (p : purse) : option purse :=
  match get i rs with
  | None => Some p
  | Some _ =>
      let paid := paid_of rs i v p in
      let rest := (if Z.ltb 0 v then v - paid else v + paid)%Z in
      match most_one rest (Rooms.room room i) with
      | Some charge =>
          Some (if Z.ltb 0 v
                then {| ups := add i (- paid) (ups p); downs := downs p; gained := (gained p - charge)%Z |}
                else {| ups := ups p; downs := add i (- paid) (downs p); gained := (gained p - charge)%Z |})
      | None => None
      end
  end.
Fixpoint pay (rs : roles) (room : rooms) (ts : sum) (p : purse) : option purse :=
  match ts with
  | [] => Some p
  | (i, v) :: rest => match pay_one rs room i v p with Some p' => pay rs room rest p' | None => None end
  end.

Definition left_in (w : widths) (p : purse) : Z :=
  (worth (ups p) (fun i => snd (w i)) + worth (downs p) (fun i => fst (w i)))%Z.

(* A displacement that the intervals allow. *)
Definition allowed (D : choice) (w : widths) (room : rooms) (z : positive -> Q) : Prop :=
  (forall i, get i (roles_of D) <> None -> within (Rooms.room room i) (z i)) /\
  (forall i, get i (roles_of D) = None -> z i == 0) /\
  (forall i, get i (roles_of D) = Some Open -> - qz (fst (w i)) <= z i /\ z i <= qz (snd (w i))).

Lemma scaled_le p a b : (0 <= p)%Z -> a <= b -> qz p * a <= qz p * b.
Proof.
  intros P0 H. setoid_rewrite (Qmult_comm (qz p)). apply Qmult_le_compat_r; auto. change 0 with (qz 0). apply le_qz; auto.
Qed.

Lemma pay_one_ok D w room z i v p p' : allowed D w room z -> pay_one (roles_of D) room i v p = Some p' ->
  qz v * z i <= qz (left_in w p - left_in w p' + (gained p - gained p')).
Proof.
  intros [W [Z0 E]] H. unfold pay_one in H. destruct (get i (roles_of D)) as [r|] eqn:G.
  - set (paid := paid_of (roles_of D) i v p) in *.
    assert (P0 : (0 <= paid)%Z) by (unfold paid, paid_of; rewrite G; destruct r; lia).
    assert (Open_if : (0 < paid)%Z -> - qz (fst (w i)) <= z i /\ z i <= qz (snd (w i))).
    { intros L. apply E. unfold paid, paid_of in L. rewrite G in L. destruct r; [lia|auto]. }
    assert (Wi : within (Rooms.room room i) (z i)) by (apply W; congruence).
    destruct (Z.ltb_spec 0 v) as [V|V].
    + destruct (most_one (v - paid) _) as [charge|] eqn:M; [|discriminate]. inversion H; subst; clear H.
      apply (most_one_ok _ _ _ _ M) in Wi. unfold left_in; simpl. rewrite worth_add.
      assert (K : qz paid * z i <= qz paid * qz (snd (w i))).
      { destruct (Z.eq_dec paid 0) as [->|N]; [rewrite qz_0; lra|]. apply scaled_le; auto. apply Open_if; lia. }
      rewrite qz_minus in Wi. apply Qle_trans with (qz paid * qz (snd (w i)) + qz charge); [lra|].
      rewrite <- qz_mult, <- qz_plus. apply le_qz. lia.
    + destruct (most_one (v + paid) _) as [charge|] eqn:M; [|discriminate]. inversion H; subst; clear H.
      apply (most_one_ok _ _ _ _ M) in Wi. unfold left_in; simpl. rewrite worth_add.
      assert (K : qz paid * - z i <= qz paid * qz (fst (w i))).
      { destruct (Z.eq_dec paid 0) as [->|N]; [rewrite qz_0; lra|]. apply scaled_le; auto. destruct Open_if; [lia|lra]. }
      rewrite qz_plus in Wi. apply Qle_trans with (qz paid * qz (fst (w i)) + qz charge); [lra|].
      rewrite <- qz_mult, <- qz_plus. apply le_qz. lia.
  - inversion H; subst. rewrite (Z0 i G). replace (_ + _)%Z with 0%Z by lia. rewrite qz_0; lra.
Qed.

Lemma pay_ok D w room z ts : allowed D w room z -> forall p p', pay (roles_of D) room ts p = Some p' ->
  dot ts z <= qz (left_in w p - left_in w p' + (gained p - gained p')).
Proof.
  intros A; induction ts as [|[i v] rest IH]; simpl; intros p p' H.
  - inversion H; subst. replace (_ + _)%Z with 0%Z by lia. rewrite qz_0; lra.
  - destruct (pay_one _ _ i v p) as [q|] eqn:Q; [|discriminate]. apply IH in H. apply (pay_one_ok _ _ _ _ _ _ _ _ A) in Q.
    apply Qle_trans with (1 := Qplus_le_compat _ _ _ _ Q H). rewrite <- qz_plus. apply le_qz; lia.
Qed.

(* What a need is worth, taken d times upward and e times downward. *)
Definition worth_of_need (P : problem) (r : requirement) (d e : Z) : Z :=
  (d * upper r + e * lower r + Z.min d e * Z.max 0 (sliding_of P r - upper r - lower r))%Z.
Definition gain (n : Z) (p : purse) : purse := {| ups := ups p; downs := downs p; gained := (gained p + n)%Z |}.

Definition pay_need (P : problem) (rws : rows) (rs : roles) (all_rooms : tree rooms) (needs : tree requirement)
  (n : needed) (p : purse) : option purse :=
  match get (its_requirement n) needs with
  | None => None
  | Some r =>
      match get (by_attacker r) all_rooms with
      | None => None
      | Some room =>
          let d := denominator (high_proof n) in
          let e := denominator (low_proof n) in
          let high p := match slopes rws (about r) 1 (high_proof n) with
                        | Some ts => pay rs room ts p | None => None end in
          let low p := match slopes rws (about r) (-1) (low_proof n) with
                       | Some ts => pay rs room ts p | None => None end in
          match its_side n with
          | High => high (gain (worth_of_need P r d 0) p)
          | Low => low (gain (worth_of_need P r 0 e) p)
          | HighAndLow => match high (gain (worth_of_need P r d e) p) with Some p' => low p' | None => None end
          end
      end
  end.
Fixpoint pay_needs (P : problem) (rws : rows) (rs : roles) (all_rooms : tree rooms) (needs : tree requirement)
  (n : positive) (ns : list needed) (p : purse) : purse + positive :=
  match ns with
  | [] => inl p
  | m :: rest => match pay_need P rws rs all_rooms needs m p with
                 | Some p' => pay_needs P rws rs all_rooms needs (Pos.succ n) rest p'
                 | None => inr n
                 end
  end.

Section Intervals.
  Variables (P : problem) (D : choice) (w : widths).
  Hypothesis Fair : fair w.

  Lemma in_told_by i q : In (i, q) (told_by (intervals P D w)) <->
    (In i (always D) /\ q = (None, None)) \/
    (In i (map fst (open D)) /\ q = (Some (truth P i - fst (w i))%Z, Some (truth P i + snd (w i))%Z)).
  Proof.
    unfold told_by, intervals. rewrite map_app, in_app_iff. split.
    - intros [H|H]; apply in_map_iff in H; destruct H as [[j t] [E H]]; apply in_map_iff in H;
        destruct H as [k [K H]]; inversion K; subst; simpl in E; inversion E; subst; [left|right]; auto.
    - intros [[H ->]|[H ->]]; [left|right]; apply in_map_iff.
      + exists (i, Withheld). split; [reflexivity|]. apply in_map_iff. exists i; auto.
      + exists (i, Interval (truth P i - fst (w i)) (truth P i + snd (w i))). split; [reflexivity|].
        apply in_map_iff. exists i; auto.
  Qed.

  Lemma moves_of_possible k y :
    sane P (told_by (map (fun i => (i, Withheld)) (always D ++ map fst (open D)))) (known_to P k) ->
    possible (publishing P (intervals P D w)) k y ->
    (forall e, In e (equations P) -> dot (terms e) (fun i => y i - qz (truth P i)) == 0) /\
    allowed D w (rooms_if_hidden P D k) (fun i => y i - qz (truth P i)).
  Proof.
    intros Sane [Pe [Pp [Pt [Pn Pk]]]].
    change (equations (publishing P (intervals P D w))) with (equations P) in *.
    change (cells (publishing P (intervals P D w))) with (cells P) in *.
    change (release (publishing P (intervals P D w))) with (intervals P D w) in *.
    change (known_to (publishing P (intervals P D w)) k) with (known_to P k) in *.
    assert (T : forall i, truth (publishing P (intervals P D w)) i = truth P i) by reflexivity.
    assert (Rest : forall i, get i (roles_of D) = None -> y i == qz (truth P i)).
    { intros i G. apply role_none in G. rewrite <- (T i). apply Pn. intros r K. apply in_told_by in K. tauto. }
    assert (C : consistent P (told_by (map (fun i => (i, Withheld)) (always D ++ map fst (open D)))) (known_to P k) y).
    { split; [auto|split; [auto|split; [|split; [|auto]]]].
      - intros i q I. apply in_told in I. destruct I as [_ ->]. apply within_free.
      - intros i I. apply Rest. destruct (get i (roles_of D)) as [[|]|] eqn:G; auto; exfalso;
          apply (I (None, None)); apply in_told; split; auto; apply in_app_iff;
          [apply role_hidden in G|apply role_open in G]; tauto. }
    apply consistent_is_movable in C; auto. destruct C as [F E]. split; [exact E|split; [|split]].
    - intros i _. apply F.
    - intros i G. rewrite (Rest i G); ring.
    - intros i G. apply role_open in G.
      assert (K : within (Some (truth P i - fst (w i))%Z, Some (truth P i + snd (w i))%Z) (y i)).
      { apply Pt. apply in_told_by. right; tauto. }
      destruct K as [K1 K2]. specialize (K1 _ eq_refl). specialize (K2 _ eq_refl).
      rewrite qz_minus in K1. rewrite qz_plus in K2. split; lra.
  Qed.

  Variables (all_rooms : tree rooms).
  Hypothesis Right_rooms : forall k room, get k all_rooms = Some room -> room = rooms_if_hidden P D k /\
    sane P (told_by (map (fun i => (i, Withheld)) (always D ++ map fst (open D)))) (known_to P k).
  Hypothesis Safe : safe_intervals P D w.

  Lemma pay_need_ok n p p' :
    pay_need P (numbered 1 (equations P) Leaf) (roles_of D) all_rooms (numbered 1 (requirements P) Leaf) n p = Some p' ->
    (gained p' + left_in w p' <= gained p + left_in w p)%Z.
  Proof.
    unfold pay_need. intros H. destruct (get (its_requirement n) _) as [r|] eqn:G; [|discriminate].
    apply numbered_in in G. destruct G as [G|G]; [|now rewrite get_leaf in G].
    destruct (get (by_attacker r) all_rooms) as [room|] eqn:K; [|discriminate]. destruct (Right_rooms _ _ K) as [-> Sane]; clear K.
    assert (A := asks_ok P r (proj1 Sane) (proj1 (proj2 (proj2 Sane)))).
    destruct (Safe r G _ _ _ A) as [_ [[yu [Pu Lu]] [[yl [Pl Ll]] [y [y' [Py [Py' Ls]]]]]]]. clear A.
    change (qz (truth (publishing P (intervals P D w)) (about r))) with (qz (truth P (about r))) in *.
    set (a := qz (truth P (about r))) in *.
    (* one table that goes up as far as both that do, one that goes down likewise *)
    assert (Up : exists t, possible (publishing P (intervals P D w)) (by_attacker r) t /\ qz (upper r) <= t (about r) - a /\ y (about r) <= t (about r)).
    { destruct (Qlt_le_dec (y (about r)) (yu (about r))); [exists yu|exists y]; (split; [assumption|split; lra]). }
    assert (Down : exists t, possible (publishing P (intervals P D w)) (by_attacker r) t /\ qz (lower r) <= a - t (about r) /\ t (about r) <= y' (about r)).
    { destruct (Qlt_le_dec (yl (about r)) (y' (about r))); [exists yl|exists y']; (split; [assumption|split; lra]). }
    destruct Up as [tu [Tu [Hu Yu]]], Down as [td [Td [Hd Yd]]]. clear yu yl Pu Lu Pl Ll.
    destruct (moves_of_possible _ _ Sane Tu) as [Eu Au], (moves_of_possible _ _ Sane Td) as [Ed Ad].
    assert (High_ : forall q q', match slopes (numbered 1 (equations P) Leaf) (about r) 1 (high_proof n) with
        | Some ts => pay (roles_of D) (rooms_if_hidden P D (by_attacker r)) ts q | None => None end = Some q' ->
        (0 < denominator (high_proof n))%Z /\
        qz (denominator (high_proof n)) * (tu (about r) - a) <= qz (left_in w q - left_in w q' + (gained q - gained q'))).
    { intros q q' Q. destruct (slopes _ _ 1 _) as [ts|] eqn:T; [|discriminate].
      destruct (slopes_ok _ _ _ _ _ _ T Eu) as [D0 V]. split; auto. apply (pay_ok _ _ _ _ _ Au) in Q.
      rewrite V in Q. rewrite qz_mult, qz_1 in Q. cbv beta in Q. fold a in Q. lra. }
    assert (Low_ : forall q q', match slopes (numbered 1 (equations P) Leaf) (about r) (-1) (low_proof n) with
        | Some ts => pay (roles_of D) (rooms_if_hidden P D (by_attacker r)) ts q | None => None end = Some q' ->
        (0 < denominator (low_proof n))%Z /\
        qz (denominator (low_proof n)) * (a - td (about r)) <= qz (left_in w q - left_in w q' + (gained q - gained q'))).
    { intros q q' Q. destruct (slopes _ _ (-1) _) as [ts|] eqn:T; [|discriminate].
      destruct (slopes_ok _ _ _ _ _ _ T Ed) as [D0 V]. split; auto. apply (pay_ok _ _ _ _ _ Ad) in Q.
      rewrite V in Q. rewrite qz_mult in Q. change (qz (-1)) with (-1 # 1) in Q. cbv beta in Q. fold a in Q. lra. }
    destruct (its_side n).
    - apply High_ in H. destruct H as [D0 H]. apply (scaled_le (denominator (high_proof n))) in Hu; [|lia].
      rewrite <- qz_mult in Hu. assert (B := Qle_trans _ _ _ Hu H). apply qz_le in B. unfold worth_of_need, gain, left_in in *; simpl in *. lia.
    - apply Low_ in H. destruct H as [D0 H]. apply (scaled_le (denominator (low_proof n))) in Hd; [|lia].
      rewrite <- qz_mult in Hd. assert (B := Qle_trans _ _ _ Hd H). apply qz_le in B. unfold worth_of_need, gain, left_in in *; simpl in *. lia.
    - destruct (match slopes _ _ 1 _ with Some ts => _ | None => _ end) as [q|] eqn:Q in H; [|discriminate].
      apply High_ in Q. apply Low_ in H. destruct Q as [D0 Q], H as [E0 H]. clear High_ Low_.
      set (d := denominator (high_proof n)) in *. set (e := denominator (low_proof n)) in *.
      set (s := sliding_of P r) in *.
      assert (B : qz (worth_of_need P r d e) <= qz d * (tu (about r) - a) + qz e * (a - td (about r))).
      { unfold worth_of_need. fold s. set (m := Z.min d e). set (x := Z.max 0 (s - upper r - lower r)).
        assert (M : (0 <= m /\ m <= d /\ m <= e)%Z) by (unfold m; lia).
        assert (X : qz x <= (tu (about r) - a - qz (upper r)) + (a - td (about r) - qz (lower r))).
        { unfold x. destruct (Z.max_spec 0 (s - upper r - lower r)) as [[_ ->]|[_ ->]]; rewrite ?qz_minus, ?qz_0; lra. }
        rewrite !qz_plus, !qz_mult.
        assert (F1 : qz m * (tu (about r) - a - qz (upper r)) <= qz d * (tu (about r) - a - qz (upper r))).
        { apply Qmult_le_compat_r; [apply le_qz; lia|lra]. }
        assert (F2 : qz m * (a - td (about r) - qz (lower r)) <= qz e * (a - td (about r) - qz (lower r))).
        { apply Qmult_le_compat_r; [apply le_qz; lia|lra]. }
        assert (F3 := scaled_le m _ _ (proj1 M) X). lra. }
      assert (C := Qle_trans _ _ _ B (Qplus_le_compat _ _ _ _ Q H)). rewrite <- qz_plus in C. apply qz_le in C.
      unfold gain, left_in in *; simpl in *. lia.
  Qed.

  Lemma pay_needs_ok ns : forall n p p',
    pay_needs P (numbered 1 (equations P) Leaf) (roles_of D) all_rooms (numbered 1 (requirements P) Leaf) n ns p = inl p' ->
    (gained p' + left_in w p' <= gained p + left_in w p)%Z.
  Proof.
    induction ns as [|m rest IH]; simpl; intros n p p' H; [inversion H; subst; lia|].
    destruct (pay_need _ _ _ _ _ m p) as [q|] eqn:Q; [|discriminate]. apply IH in H. apply pay_need_ok in Q. lia.
  Qed.
End Intervals.

Definition bound_of_intervals (P : problem) (D : choice) (log : interval_log) : bound_answer :=
  let told := told_by (map (fun i => (i, Withheld)) (always D ++ map fst (open D))) in
  if (adds_up P && all cell_is_sane (cells P) && is_true P told && all (is_true P) (attackers P) &&
      forallb (fun e => Z.leb 0 (snd e)) (open D) && Z.ltb 0 (needs_weight log))%bool
  then
    let full := add_terms (needs_weight log) (open D) Leaf in
    match pay_needs P (numbered 1 (equations P) Leaf) (roles_of D) (attacker_rooms P told (attackers P))
                    (numbered 1 (requirements P) Leaf) 1 (its_needs log) {| ups := full; downs := full; gained := 0 |} with
    | inr n => WrongStep n
    | inl p =>
        if (none_negative (ups p) && none_negative (downs p) &&
            (Z.leb (needs_claim log) 0 || Z.ltb (needs_weight log * (needs_claim log - 1)) (gained p)))%bool
        then AtLeast (needs_claim log) else WrongClaim
    end
  else WrongTable.

Lemma sum_at_plus f g ts : (sum_at (fun i => f i + g i) ts = sum_at f ts + sum_at g ts)%Z.
Proof. induction ts as [|[i c] rest IH]; simpl; [ring|]. rewrite IH; ring. Qed.
Lemma sum_at_least f ts : (forall i, 0 <= f i)%Z -> (forall i c, In (i, c) ts -> 0 <= c)%Z -> (0 <= sum_at f ts)%Z.
Proof.
  intros F; induction ts as [|[i c] rest IH]; intros C; simpl; [lia|].
  assert (0 <= sum_at f rest)%Z by (apply IH; intros; eapply C; right; eauto).
  assert (0 <= c)%Z by (eapply C; left; eauto). specialize (F i). nia.
Qed.

(* Theorem 6: no safe intervals cost less. *)
Theorem intervals_are_bounded P D log n w : bound_of_intervals P D log = AtLeast n ->
  fair w -> safe_intervals P D w -> (n <= cost_of_widths D w)%Z.
Proof.
  unfold bound_of_intervals. intros H Fair Safe. destruct (_ && _)%bool eqn:T in H; [|discriminate]. split_and T.
  set (told := told_by (map (fun i => (i, Withheld)) (always D ++ map fst (open D)))) in *.
  destruct (pay_needs _ _ _ _ _ _ _ _) as [p|] eqn:Pay; [|discriminate].
  destruct (_ && _)%bool eqn:C in H; [|discriminate]. inversion H; subst; clear H. split_and C.
  apply (pay_needs_ok P D w) in Pay.
  - unfold left_in in Pay; simpl in Pay. rewrite !worth_add_terms in Pay.
    assert (W : forall i c, In (i, c) (open D) -> (0 <= c)%Z).
    { intros i c I. rewrite forallb_forall in H1. apply H1 in I. now apply Z.leb_le in I. }
    assert (Whole : cost_of_widths D w = (sum_at (fun i => fst (w i)) (open D) + sum_at (fun i => snd (w i)) (open D))%Z)
      by apply sum_at_plus.
    assert (N1 := none_negative_ok _ C (fun i => snd (w i)) (fun i => proj2 (Fair i))).
    assert (N2 := none_negative_ok _ H5 (fun i => fst (w i)) (fun i => proj1 (Fair i))).
    assert (N3 := sum_at_least (fun i => fst (w i)) (open D) (fun i => proj1 (Fair i)) W).
    assert (N4 := sum_at_least (fun i => snd (w i)) (open D) (fun i => proj2 (Fair i)) W).
    apply Z.ltb_lt in H0. simpl in Pay. apply orb_prop in H. destruct H as [H|H].
    + apply Z.leb_le in H. lia.
    + apply Z.ltb_lt in H. nia.
  - intros k room G. rewrite get_rooms in G. unfold rooms_if_hidden, known_to.
    destruct (get k (attackers P)) as [known|] eqn:K; [|discriminate]. inversion G; subst. split; auto.
    repeat split; auto. exact (all_get _ _ _ H2 K).
  - exact Safe.
Qed.

(* ---- adjusted tables: the least of a |z| - c z, or of a z z - c z *)

Definition price (squared : bool) (a c z : Z) : Z := (a * off squared z - c * z)%Z.
Definition cheaper (o : option Z) (v : Z) : option Z := match o with Some w => Some (Z.min w v) | None => Some v end.
Definition least_of (vs : list Z) : option Z := fold_right (fun v o => cheaper o v) None vs.
Definition end_of (o : option Z) (f : Z -> Z) : list Z := match o with Some z => [f z] | None => [] end.

Definition least_bent (squared : bool) (a c : Z) (r : range) : option Z :=
  if (match fst r with Some _ => true | None => Z.leb (- a) c end &&
      match snd r with Some _ => true | None => Z.leb c a end)%bool
  then least_of (end_of (fst r) (price squared a c) ++ end_of (snd r) (price squared a c) ++
                 (if holds_in r 0 then [0%Z] else []))
  else None.
Definition least_curved (a c : Z) (r : range) : Z :=
  let turned := ((- (c * c)) / (4 * a))%Z in
  match fst r, snd r with
  | Some lo, Some hi => if Z.leb c (2 * a * lo) then price true a c lo
                        else if Z.leb (2 * a * hi) c then price true a c hi else turned
  | Some lo, None => if Z.leb c (2 * a * lo) then price true a c lo else turned
  | None, Some hi => if Z.leb (2 * a * hi) c then price true a c hi else turned
  | None, None => turned
  end.
Definition least_in (squared : bool) (a c : Z) (r : range) : option Z :=
  if (squared && negb (Z.eqb a 0))%bool then Some (least_curved a c r) else least_bent squared a c r.

Lemma least_of_in vs v m : least_of vs = Some m -> In v vs -> (m <= v)%Z.
Proof.
  revert m; induction vs as [|u rest IH]; simpl; intros m H I; [tauto|].
  destruct (least_of rest) as [k|] eqn:K; simpl in H; inversion H; subst.
  - destruct I as [->|I]; [lia|]. specialize (IH k eq_refl I). lia.
  - destruct I as [->|I]; [lia|]. destruct rest; [inversion I|]. simpl in K. destruct (least_of rest); discriminate.
Qed.

Lemma holds_in_Z r v : holds_in r v = true <->
  (forall l, fst r = Some l -> (l <= v)%Z) /\ (forall u, snd r = Some u -> (v <= u)%Z).
Proof.
  destruct r as [[l|] [u|]]; unfold holds_in; simpl; rewrite ?andb_true_iff, ?Z.leb_le; split; intros H.
  all: try (split; intros x E; inversion E; subst; tauto).
  all: destruct H as [A B]; try specialize (A _ eq_refl); try specialize (B _ eq_refl); tauto.
Qed.

Lemma bent_ok a c r z m : (0 <= a)%Z -> least_bent false a c r = Some m -> holds_in r z = true -> (m <= price false a c z)%Z.
Proof.
  intros A H Z1. unfold least_bent in H. destruct (_ && _)%bool eqn:T in H; [|discriminate]. split_and T.
  set (vs := end_of _ _ ++ _) in H. assert (L := fun v => least_of_in vs v m H). clear H.
  apply holds_in_Z in Z1. destruct Z1 as [Lo Hi]. unfold price, off in *.
  (* a place no dearer than z: an end or 0 *)
  assert (Q : exists y, In (a * Z.abs y - c * y)%Z vs /\ (a * Z.abs y - c * y <= a * Z.abs z - c * z)%Z).
  { assert (Zero : holds_in r 0 = true -> In (a * Z.abs 0 - c * 0)%Z vs).
    { intros K. unfold vs. rewrite K. replace (a * Z.abs 0 - c * 0)%Z with 0%Z by (simpl; ring). rewrite !in_app_iff. right; right; left; auto. }
    assert (Low : forall l, fst r = Some l -> In (a * Z.abs l - c * l)%Z vs).
    { intros l E. unfold vs; rewrite E, !in_app_iff. left; left; auto. }
    assert (High : forall u, snd r = Some u -> In (a * Z.abs u - c * u)%Z vs).
    { intros u E. unfold vs; rewrite E, !in_app_iff. right; left; left; auto. }
    destruct (Z.le_gt_cases 0 z) as [P|N].
    - destruct (Z.le_gt_cases c a) as [S|S].
      + destruct (fst r) as [l|] eqn:El.
        * specialize (Lo _ eq_refl). destruct (Z.le_gt_cases l 0).
          -- exists 0%Z. split; [apply Zero; apply holds_in_Z; rewrite El; split; intros x E; [inversion E; lia|specialize (Hi _ E); lia]|].
             rewrite (Z.abs_eq z), Z.abs_0 by lia. nia.
          -- exists l. split; auto. rewrite !Z.abs_eq by lia. nia.
        * exists 0%Z. split; [apply Zero; apply holds_in_Z; rewrite El; split; intros x E; [discriminate|specialize (Hi _ E); lia]|].
          rewrite (Z.abs_eq z), Z.abs_0 by lia. nia.
      + destruct (snd r) as [u|] eqn:Eu; [|apply Z.leb_le in H0; lia]. specialize (Hi _ eq_refl).
        exists u. split; auto. rewrite !Z.abs_eq by lia. nia.
    - destruct (Z.le_gt_cases (- a) c) as [S|S].
      + destruct (snd r) as [u|] eqn:Eu.
        * specialize (Hi _ eq_refl). destruct (Z.le_gt_cases 0 u).
          -- exists 0%Z. split; [apply Zero; apply holds_in_Z; rewrite Eu; split; intros x E; [specialize (Lo _ E); lia|inversion E; lia]|].
             rewrite (Z.abs_neq z), Z.abs_0 by lia. nia.
          -- exists u. split; auto. rewrite !Z.abs_neq by lia. nia.
        * exists 0%Z. split; [apply Zero; apply holds_in_Z; rewrite Eu; split; intros x E; [specialize (Lo _ E); lia|discriminate]|].
          rewrite (Z.abs_neq z), Z.abs_0 by lia. nia.
      + destruct (fst r) as [l|] eqn:El; [|apply Z.leb_le in T; lia]. specialize (Lo _ eq_refl).
        exists l. split; auto. rewrite !Z.abs_neq by lia. nia. }
  destruct Q as [y [I Y]]. specialize (L _ I). lia.
Qed.

Lemma turned_ok a c z : (0 < a)%Z -> ((- (c * c)) / (4 * a) <= a * (z * z) - c * z)%Z.
Proof.
  intros A. assert (D := Z.mul_div_le (- (c * c)) (4 * a) ltac:(lia)).
  set (q := ((- (c * c)) / (4 * a))%Z) in *. assert (S : (0 <= (2 * a * z - c) * (2 * a * z - c))%Z) by apply Z.square_nonneg.
  apply (Z.mul_le_mono_pos_l _ _ (4 * a)); [lia|]. replace (4 * a * (a * (z * z) - c * z))%Z with ((2 * a * z - c) * (2 * a * z - c) - c * c)%Z by ring.
  apply Z.le_trans with (1 := D). generalize dependent S. generalize ((2 * a * z - c) * (2 * a * z - c))%Z. lia.
Qed.

Lemma curved_ok a c r z : (0 < a)%Z -> holds_in r z = true -> (least_curved a c r <= price true a c z)%Z.
Proof.
  intros A Z1. apply holds_in_Z in Z1. destruct Z1 as [Lo Hi]. assert (T := turned_ok a c z A).
  unfold least_curved, price, off in *.
  assert (Low : forall l, (l <= z -> c <= 2 * a * l -> a * (l * l) - c * l <= a * (z * z) - c * z)%Z).
  { intros l L C. assert (a * l <= a * z)%Z by (apply Z.mul_le_mono_nonneg_l; lia).
    assert (0 <= (z - l) * (a * z + a * l - c))%Z by (apply Z.mul_nonneg_nonneg; lia).
    replace (a * (z * z) - c * z)%Z with (a * (l * l) - c * l + (z - l) * (a * z + a * l - c))%Z by ring. lia. }
  assert (High : forall u, (z <= u -> 2 * a * u <= c -> a * (u * u) - c * u <= a * (z * z) - c * z)%Z).
  { intros u U C. assert (a * z <= a * u)%Z by (apply Z.mul_le_mono_nonneg_l; lia).
    assert (0 <= (u - z) * (c - a * z - a * u))%Z by (apply Z.mul_nonneg_nonneg; lia).
    replace (a * (z * z) - c * z)%Z with (a * (u * u) - c * u + (u - z) * (c - a * z - a * u))%Z by ring. lia. }
  destruct r as [[l|] [u|]]; simpl in *; try (specialize (Lo _ eq_refl)); try (specialize (Hi _ eq_refl));
    repeat match goal with |- context [if Z.leb ?x ?y then _ else _] => destruct (Z.leb_spec x y) end;
    try exact T; first [solve [apply Low; auto]|solve [apply High; auto]].
Qed.

Lemma least_in_ok sq a c r z m : (0 <= a)%Z -> least_in sq a c r = Some m -> holds_in r z = true -> (m <= price sq a c z)%Z.
Proof.
  intros A H Z1. unfold least_in in H. destruct sq; simpl in H.
  - destruct (Z.eqb_spec a 0) as [->|N]; simpl in H.
    + (* without a weight both are the same *)
      assert (E : least_bent true 0 c r = least_bent false 0 c r) by reflexivity.
      rewrite E in H. apply (bent_ok 0 c r z m ltac:(lia)) in H; auto.
    + inversion H; subst. apply curved_ok; auto. lia.
  - eapply bent_ok; eauto.
Qed.

(* ---- what a cell may do *)

Definition levels_of := tree (Z * Z).  (* of sensitive cells: so far down, or so far up *)
Definition half (s : Z) : Z := ceiling s 2.
Fixpoint joint (P : problem) (rs : list requirement) (t : levels_of) : levels_of :=
  match rs with
  | [] => t
  | r :: rest =>
      let s := half (sliding_of P r) in
      let '(d, u) := match get (about r) t with Some l => l | None => (0, 0)%Z end in
      joint P rest (set (about r) (Z.max d (Z.max (lower r) s), Z.max u (Z.max (upper r) s)) t)
  end.

Definition is_empty (r : range) : bool :=
  match r with (Some l, Some u) => Z.ltb u l | _ => false end.
Fixpoint least_of_pieces (squared : bool) (a c : Z) (rs : list range) (so_far : option Z) : option (option Z) :=
  match rs with
  | [] => Some so_far
  | r :: rest =>
      if is_empty r then least_of_pieces squared a c rest so_far
      else match least_in squared a c r with
           | Some m => least_of_pieces squared a c rest (cheaper so_far m)
           | None => None
           end
  end.
Definition pieces (prior_ : range) (levels : option (Z * Z)) (rises : option bool) : list range :=
  match levels with
  | None => [prior_]
  | Some (d, u) =>
      match rises with
      | Some true => []
      | _ => [(fst prior_, sooner (snd prior_) (Some (- d)%Z))]
      end ++
      match rises with
      | Some false => []
      | _ => [(later (fst prior_) (Some u), snd prior_)]
      end
  end.
Definition least_of_cell (squared : bool) (a c : Z) (prior_ : range) (levels : option (Z * Z)) (rises : option bool)
  : option Z :=
  match least_of_pieces squared a c (pieces prior_ levels rises) None with
  | Some (Some m) => Some m
  | Some None => Some 0%Z  (* there is no such table *)
  | None => None
  end.

Lemma not_empty r z : holds_in r z = true -> is_empty r = false.
Proof.
  intros H. apply holds_in_Z in H. destruct H as [A B]. destruct r as [[l|] [u|]]; simpl; auto.
  specialize (A _ eq_refl). specialize (B _ eq_refl). apply Z.ltb_ge. lia.
Qed.

Lemma pieces_below squared a c rs : forall so_far m, least_of_pieces squared a c rs so_far = Some (Some m) ->
  match so_far with Some v => (m <= v)%Z | None => True end.
Proof.
  induction rs as [|r rest IH]; simpl; intros so_far m H; [inversion H; subst; lia|].
  destruct (is_empty r); [apply IH; auto|]. destruct (least_in squared a c r); [|discriminate].
  apply IH in H. destruct so_far; simpl in *; auto. lia.
Qed.
Lemma pieces_some squared a c rs : forall so_far r, least_of_pieces squared a c rs (Some so_far) = Some r -> exists m, r = Some m.
Proof.
  induction rs as [|p rest IH]; simpl; intros so_far r H; [inversion H; eauto|].
  destruct (is_empty p); [eauto|]. destruct (least_in squared a c p); [|discriminate]. simpl in H. eauto.
Qed.
Lemma pieces_ok squared a c rs z : (0 <= a)%Z -> Exists (fun r => holds_in r z = true) rs -> forall so_far m,
  least_of_pieces squared a c rs so_far = Some m -> exists v, m = Some v /\ (v <= price squared a c z)%Z.
Proof.
  intros A; induction 1 as [r rest H|r rest _ IH]; simpl; intros so_far m E.
  - rewrite (not_empty _ _ H) in E. destruct (least_in squared a c r) as [k|] eqn:L; [|discriminate].
    apply (least_in_ok _ _ _ _ z) in L; auto.
    assert (C : exists v, cheaper so_far k = Some v /\ (v <= k)%Z) by (destruct so_far; simpl; eexists; split; eauto; lia).
    destruct C as [v [Ev V]]. rewrite Ev in E. destruct (pieces_some _ _ _ _ _ _ E) as [w ->].
    apply pieces_below in E. exists w; split; auto. lia.
  - destruct (is_empty r); [eapply IH; eauto|]. destruct (least_in squared a c r); [|discriminate]. eapply IH; eauto.
Qed.

(* A move of a cell: within its bounds, and far enough to a side that is not ruled out. *)
Definition may_move (prior_ : range) (levels : option (Z * Z)) (rises : option bool) (z : Z) : Prop :=
  holds_in prior_ z = true /\
  match levels with
  | None => True
  | Some (d, u) => (0 < z /\ u <= z /\ rises <> Some false \/ z < 0 /\ d <= - z /\ rises <> Some true)%Z
  end.
Lemma later_ok o u z : (forall l, later o (Some u) = Some l -> (l <= z)%Z) <-> (forall l, o = Some l -> (l <= z)%Z) /\ (u <= z)%Z.
Proof.
  destruct o as [x|]; simpl; split.
  - intros H. specialize (H _ eq_refl). split; [intros l E; inversion E; subst|]; lia.
  - intros [H U] l E. inversion E; subst. specialize (H _ eq_refl). lia.
  - intros H. split; [intros l E; discriminate|]. apply H; auto.
  - intros [_ U] l E. inversion E; subst; auto.
Qed.
Lemma sooner_ok o u z : (forall l, sooner o (Some u) = Some l -> (z <= l)%Z) <-> (forall l, o = Some l -> (z <= l)%Z) /\ (z <= u)%Z.
Proof.
  destruct o as [x|]; simpl; split.
  - intros H. specialize (H _ eq_refl). split; [intros l E; inversion E; subst|]; lia.
  - intros [H U] l E. inversion E; subst. specialize (H _ eq_refl). lia.
  - intros H. split; [intros l E; discriminate|]. apply H; auto.
  - intros [_ U] l E. inversion E; subst; auto.
Qed.

Lemma least_of_cell_ok squared a c prior_ levels rises z m : (0 <= a)%Z ->
  least_of_cell squared a c prior_ levels rises = Some m -> may_move prior_ levels rises z -> (m <= price squared a c z)%Z.
Proof.
  intros A H [Hp Hl]. unfold least_of_cell in H.
  assert (X : Exists (fun r => holds_in r z = true) (pieces prior_ levels rises)).
  { unfold pieces. destruct levels as [[d u]|]; [|left; auto]. apply Exists_app. apply holds_in_Z in Hp. destruct Hp as [Lo Hi].
    destruct Hl as [[Z1 [U R]]|[Z1 [U R]]].
    - right. destruct rises as [[|]|]; try (exfalso; apply R; reflexivity); left; apply holds_in_Z; simpl; rewrite later_ok; auto.
    - left. destruct rises as [[|]|]; try (exfalso; apply R; reflexivity); left; apply holds_in_Z; simpl; rewrite sooner_ok; split; auto; split; auto; lia. }
  destruct (least_of_pieces _ _ _ _ None) as [o|] eqn:E; [|discriminate].
  destruct (pieces_ok _ _ _ _ _ A X _ _ E) as [v [-> V]]. inversion H; subst; auto.
Qed.

(* ---- one tree *)

(* The cells of a tree with what is left of their weights: a cell that was there before has none. *)
Fixpoint taken_from (is : list positive) (left : tree Z) : sum * tree Z :=
  match is with
  | [] => ([], left)
  | i :: rest => let w := at_ i left in
                 let '(ts, left') := taken_from rest (add i (- w)%Z left) in ((i, w) :: ts, left')
  end.

Fixpoint sum_of_cells (P : problem) (lv : levels_of) (rises : tree bool) (squared : bool) (weight : Z) (cs : sum)
  (t : tree Z) (total : Z) : option (tree Z * Z) :=
  match cs with
  | [] => Some (t, total)
  | (i, w) :: rest =>
      let k := at_ i t in
      match least_of_cell squared (weight * w) (- k)%Z (shift (truth P i) (prior_of P i)) (get i lv) (get i rises) with
      | Some m => sum_of_cells P lv rises squared weight rest (add i (- k)%Z t) (total + m)
      | None => None
      end
  end.

Fixpoint closes (P : problem) (rws : rows) (rs : roles) (lv : levels_of) (squared : bool) (cs : sum) (at_least : Z)
  (rises : tree bool) (s : senses_of) : bool :=
  match s with
  | Leaf_ weight g =>
      (Z.ltb 0 weight &&
       match less rws g Leaf with
       | None => false
       | Some t =>
           match sum_of_cells P lv rises squared weight cs t 0 with
           | None => false
           | Some (t', total) =>
               forallb (fun e => match get (fst e) rs with Some Open => false | _ => true end) (listed t') &&
               Z.leb (weight * at_least) total
           end
       end)%bool
  | Sense i falls rises_ =>
      match get i lv with
      | None => false
      | Some _ => (closes P rws rs lv squared cs at_least (set i false rises) falls &&
                   closes P rws rs lv squared cs at_least (set i true rises) rises_)%bool
      end
  end.

Section Tables.
  Variables (P : problem) (D : choice) (y : positive -> Z).
  Let z := fun i => (y i - truth P i)%Z.
  Hypothesis Adds : adds_up P = true.
  Hypothesis Nobody : always D = [].
  Hypothesis Adjusts : adjusts P D y.

  Variable lv : levels_of.
  Hypothesis Levels : forall i d u, get i lv = Some (d, u) -> (z i > 0 /\ u <= z i \/ z i < 0 /\ d <= - z i)%Z.

  Lemma in_prior i : holds_in (shift (truth P i) (prior_of P i)) (z i) = true.
  Proof.
    apply holds_in_ok. apply within_shift. unfold prior_of. destruct (get i (cells P)) as [c|] eqn:G; [|apply within_free].
    destruct Adjusts as [_ [H _]]. specialize (H i c G). eapply within_eq; [|exact H]. unfold z. rewrite qz_minus. ring.
  Qed.

  Definition fits_sides (rises : tree bool) : Prop := forall i b, get i rises = Some b -> (if b then 0 < z i else z i < 0)%Z.

  Lemma moves_ok rises i : fits_sides rises -> may_move (shift (truth P i) (prior_of P i)) (get i lv) (get i rises) (z i).
  Proof.
    intros F. split; [apply in_prior|]. destruct (get i lv) as [[d u]|] eqn:G; auto.
    destruct (Levels _ _ _ G) as [[A B]|[A B]]; [left|right]; repeat split; try lia;
      intros E; apply F in E; lia.
  Qed.

  Lemma sum_of_cells_ok rises squared weight cs : fits_sides rises -> (0 <= weight)%Z ->
    (forall i w, In (i, w) cs -> (0 <= w)%Z) -> forall t total t' total',
    sum_of_cells P lv rises squared weight cs t total = Some (t', total') ->
    (total' - total <= weight * sum_at (fun i => off squared (z i)) cs + (worth t z - worth t' z))%Z.
  Proof.
    intros F W; induction cs as [|[i w] rest IH]; simpl; intros N t total t' total' H; [inversion H; subst; lia|].
    destruct (least_of_cell _ _ _ _ _ _) as [m|] eqn:L; [|discriminate].
    apply IH in H; [|intros; eapply N; right; eauto]. rewrite worth_add in H.
    assert (0 <= w)%Z by (eapply N; left; eauto).
    apply (least_of_cell_ok _ _ _ _ _ _ (z i)) in L; [|nia|apply moves_ok; auto]. unfold price in L. nia.
  Qed.

  Lemma equations_of_moves e : In e (equations P) -> dot (terms e) (fun i => qz (z i)) == 0.
  Proof.
    intros I. rewrite sum_at_ok. destruct Adjusts as [S _]. specialize (S e I).
    unfold adds_up in Adds; rewrite forallb_forall in Adds. specialize (Adds e I). apply Z.eqb_eq in Adds.
    assert (T : forall ts, total P ts = sum_at (truth P) ts) by (induction ts as [|[i c] rest IH]; simpl; [auto|now rewrite IH]).
    assert (M : forall ts, (sum_at z ts = sum_at y ts - sum_at (truth P) ts)%Z).
    { induction ts as [|[i c] rest IH]; simpl; [ring|]. rewrite IH. unfold z; ring. }
    rewrite M, S, <- T, Adds. now rewrite Z.sub_diag.
  Qed.

  Lemma worth_of_less g t : less (numbered 1 (equations P) Leaf) g Leaf = Some t -> worth t z = 0%Z.
  Proof.
    intros H. apply (value_less _ _ _ _ (fun i => qz (z i))) in H.
    - assert (E : value t (fun i => qz (z i)) == qz (worth t z)).
      { rewrite <- listed_value, sum_at_ok, listed_worth. reflexivity. }
      rewrite E in H. simpl in H. apply qz_eq. rewrite H. reflexivity.
    - intros e x G. apply numbered_in in G. destruct G as [G|G]; [apply equations_of_moves; auto|now rewrite get_leaf in G].
  Qed.

  Lemma others_stay ts : forallb (fun e => match get (fst e) (roles_of D) with Some Open => false | _ => true end) ts = true ->
    sum_at z ts = 0%Z.
  Proof.
    induction ts as [|[i c] rest IH]; simpl; intros H; auto. apply andb_prop in H. destruct H as [H K]. rewrite (IH K).
    assert (E : z i = 0%Z).
    { unfold z. destruct Adjusts as [_ [_ [S _]]]. rewrite S; [ring|].
      destruct (get i (roles_of D)) as [[|]|] eqn:G; [|discriminate|].
      - apply role_hidden in G. rewrite Nobody in G. inversion G.
      - apply role_none in G. tauto. }
    rewrite E; ring.
  Qed.

  Lemma closes_ok squared cs at_least s : (forall i w, In (i, w) cs -> (0 <= w)%Z) -> forall rises, fits_sides rises ->
    closes P (numbered 1 (equations P) Leaf) (roles_of D) lv squared cs at_least rises s = true ->
    (at_least <= sum_at (fun i => off squared (z i)) cs)%Z.
  Proof.
    intros N; induction s as [weight g|i falls IHf rises_ IHr]; simpl; intros rises F H.
    - apply andb_prop in H. destruct H as [W H]. apply Z.ltb_lt in W.
      destruct (less _ g Leaf) as [t|] eqn:L; [|discriminate].
      destruct (sum_of_cells _ _ _ _ _ _ _ _) as [[t' total]|] eqn:S; [|discriminate]. apply andb_prop in H. destruct H as [O H].
      apply Z.leb_le in H. apply sum_of_cells_ok in S; auto; [|lia]. apply worth_of_less in L. apply others_stay in O.
      rewrite listed_worth in O. rewrite L, O in S. nia.
    - destruct (get i lv) as [[d u]|] eqn:G; [|discriminate]. apply andb_prop in H. destruct H as [A B].
      assert (X : forall b : bool, (if b then 0 < z i else z i < 0)%Z -> fits_sides (set i b rises)).
      { intros b Hb j c E. destruct (Pos.eq_dec i j) as [<-|M]; [rewrite get_set_same in E; inversion E; subst; auto|].
        rewrite get_set_other in E by auto. apply F; auto. }
      destruct (Levels _ _ _ G) as [[Z1 _]|[Z1 _]]; [apply (IHr _ (X true ltac:(simpl; lia)) B)|apply (IHf _ (X false ltac:(simpl; lia)) A)].
  Qed.
End Tables.

(* ---- all of it *)

Fixpoint run_trees (P : problem) (rws : rows) (rs : roles) (lv : levels_of) (squared : bool) (n : positive)
  (ts : list table_tree) (left : tree Z) (total : Z) : (tree Z * Z) + positive :=
  match ts with
  | [] => inl (left, total)
  | t :: rest =>
      let '(cs, left') := taken_from (tree_cells t) left in
      if (forallb (fun e => Z.leb 0 (snd e)) cs && closes P rws rs lv squared cs (tree_least t) Leaf (tree_senses t))%bool
      then run_trees P rws rs lv squared (Pos.succ n) rest left' (total + tree_least t)
      else inr n
  end.

Definition bound_of_tables (P : problem) (D : choice) (log : table_log) : bound_answer :=
  if (adds_up P && all cell_is_sane (cells P) && all (is_true P) (attackers P) &&
      match always D with [] => true | _ => false end &&
      forallb (fun r => Z.leb 0 (lower r) && Z.leb 0 (upper r)) (requirements P) &&
      forallb (fun e => Z.leb 0 (snd e)) (open D))%bool
  then
    match run_trees P (numbered 1 (equations P) Leaf) (roles_of D) (joint P (requirements P) Leaf) (is_squared log) 1
                    (table_trees log) (add_terms 1 (open D) Leaf) 0 with
    | inr n => WrongStep n
    | inl (over, total) =>
        if (none_negative over && (Z.leb (table_claim log) 0 || Z.leb (table_claim log) total))%bool
        then AtLeast (table_claim log) else WrongClaim
    end
  else WrongTable.

Lemma taken_ok is f : forall left cs left', taken_from is left = (cs, left') ->
  (worth left' f + sum_at f cs = worth left f)%Z.
Proof.
  induction is as [|i rest IH]; simpl; intros left cs left' H; [inversion H; subst; simpl; ring|].
  destruct (taken_from rest _) as [ts l] eqn:T. inversion H; subst. apply IH in T. rewrite worth_add in T. simpl. lia.
Qed.

Lemma off_least squared z : (0 <= off squared z)%Z.
Proof. unfold off; destruct squared; [apply Z.square_nonneg|lia]. Qed.

Lemma half_ok s x : (s <= 2 * x)%Z -> (half s <= x)%Z.
Proof. intros H. unfold half. generalize (ceiling_ok s 2 ltac:(lia)). nia. Qed.

Lemma joint_ok P (z : positive -> Z) rs : forall t,
  (forall r, In r rs -> (0 <= lower r /\ 0 <= upper r)%Z) ->
  (forall r, In r rs -> far 0 (z (about r)) (lower r) (upper r) (sliding_of P r)) ->
  (forall i d u, get i t = Some (d, u) -> (z i > 0 /\ u <= z i \/ z i < 0 /\ d <= - z i)%Z) ->
  forall i d u, get i (joint P rs t) = Some (d, u) -> (z i > 0 /\ u <= z i \/ z i < 0 /\ d <= - z i)%Z.
Proof.
  induction rs as [|r rest IH]; simpl; intros t N F T; [exact T|].
  destruct (match get (about r) t with Some l => l | None => (0, 0)%Z end) as [d0 u0] eqn:G0.
  apply IH; [intros; apply N; auto|intros; apply F; auto|]. intros i d u G.
  destruct (Pos.eq_dec (about r) i) as [<-|M]; [|rewrite get_set_other in G by auto; eapply T; eauto].
  rewrite get_set_same in G. inversion G; subst; clear G.
  destruct (F r (or_introl eq_refl)) as [Z0 [[A B]|[A B]]]; destruct (N r (or_introl eq_refl)) as [N1 N2].
  - left. assert (H := half_ok (sliding_of P r) (z (about r)) ltac:(lia)). assert (u0 <= z (about r))%Z.
    { destruct (get (about r) t) as [[d1 u1]|] eqn:G1; inversion G0; subst; [|lia]. destruct (T _ _ _ G1) as [?|?]; lia. }
    lia.
  - right. assert (H := half_ok (sliding_of P r) (- z (about r)) ltac:(lia)). assert (d0 <= - z (about r))%Z.
    { destruct (get (about r) t) as [[d1 u1]|] eqn:G1; inversion G0; subst; [|lia]. destruct (T _ _ _ G1) as [?|?]; lia. }
    lia.
Qed.

(* Theorem 7: no adjusted table costs less. *)
Theorem tables_are_bounded P D log n y : bound_of_tables P D log = AtLeast n ->
  adjusts P D y -> (n <= distance P D (is_squared log) y)%Z.
Proof.
  unfold bound_of_tables. intros H A. destruct (_ && _)%bool eqn:T in H; [|discriminate]. split_and T.
  rename T into Adds, H4 into Sane, H3 into Known, H2 into None_, H1 into Levels0, H0 into Weights.
  destruct (run_trees _ _ _ _ _ _ _ _ _) as [[over total]|] eqn:R; [|discriminate].
  destruct (_ && _)%bool eqn:C in H; [|discriminate]. inversion H; subst; clear H. split_and C.
  assert (Nobody : always D = []) by (destruct (always D); congruence).
  set (z := fun i => (y i - truth P i)%Z).
  assert (Lv : forall i d u, get i (joint P (requirements P) Leaf) = Some (d, u) -> (z i > 0 /\ u <= z i \/ z i < 0 /\ d <= - z i)%Z).
  { apply joint_ok.
    - intros r I. rewrite forallb_forall in Levels0. apply Levels0 in I. apply andb_prop in I. rewrite !Z.leb_le in I. exact I.
    - intros r I. assert (Q := asks_ok P r Sane). destruct A as [_ [_ [_ F]]].
      assert (K : is_true P (known_to P (by_attacker r)) = true).
      { unfold known_to. destruct (get (by_attacker r) (attackers P)) as [k|] eqn:G; auto. exact (all_get _ _ _ Known G). }
      specialize (F r I _ _ _ (Q K)). unfold far in *. unfold z. destruct F as [F1 F2]. split; lia.
    - intros i d u G. now rewrite get_leaf in G. }
  assert (Run : forall ts m left0 total0,
    run_trees P (numbered 1 (equations P) Leaf) (roles_of D) (joint P (requirements P) Leaf) (is_squared log) m ts left0 total0 = inl (over, total) ->
    (total - total0 <= worth left0 (fun i => off (is_squared log) (z i)) - worth over (fun i => off (is_squared log) (z i)))%Z).
  { induction ts as [|t rest IH]; simpl; intros m left0 total0 K; [inversion K; subst; lia|].
    destruct (taken_from (tree_cells t) left0) as [cs l] eqn:Tk. destruct (_ && _)%bool eqn:Cl in K; [|discriminate].
    apply andb_prop in Cl. destruct Cl as [W Cl]. apply IH in K. apply (taken_ok _ (fun i => off (is_squared log) (z i))) in Tk.
    apply (closes_ok P D y Adds Nobody A _ Lv) in Cl.
    - assert (Cl2 : (tree_least t <= sum_at (fun i => off (is_squared log) (z i)) cs)%Z) by exact Cl. lia.
    - intros i w I. rewrite forallb_forall in W. apply W in I. now apply Z.leb_le in I.
    - intros i b G. now rewrite get_leaf in G. }
  apply Run in R. rewrite worth_add_terms in R. simpl in R.
  assert (L := none_negative_ok _ C (fun i => off (is_squared log) (z i)) (fun i => off_least _ _)).
  assert (E : distance P D (is_squared log) y = sum_at (fun i => off (is_squared log) (z i)) (open D)) by reflexivity. rewrite E.
  assert (S := sum_at_least (fun i => off (is_squared log) (z i)) (open D) (fun i => off_least _ _)).
  assert (S0 : (0 <= sum_at (fun i => off (is_squared log) (z i)) (open D))%Z).
  { apply S. intros i c I. rewrite forallb_forall in Weights. apply Weights in I. now apply Z.leb_le in I. }
  apply orb_prop in H. destruct H as [H|H]; apply Z.leb_le in H; lia.
Qed.
