(* SPDX-License-Identifier: Apache-2.0 *)
(* The checker of the certificates of blanks, intervals, rounded and altered numbers, and of adjusted
   tables, with the lemmas that say what its answers mean. Verdicts.v has the theorems. *)
From Coq Require Import ZArith QArith List Bool Lia Lqa.
From Lacuna Require Import Trees Problem Rooms Evidence.
Import ListNotations.

(* ---- what is read *)

Record end_evidence := { shows : option (bool * positive);  (* a ray?, and the witness *)
                         bounds : option positive }.        (* the proof *)
Record finding := { its_cell : positive; its_attacker : positive;
                    low : end_evidence; high : end_evidence }.
Record certificate := { witnesses : list fractions; proofs : list fractions;
                        findings : list finding }.

Inductive verdict := Protected | Exposed | Undecided | Unasked.

(* map, for long lists. *)
Definition quick_map {A B} (f : A -> B) (l : list A) : list B :=
  rev' (fold_left (fun done v => f v :: done) l []).
Lemma quick_map_is_map A B (f : A -> B) l : quick_map f l = map f l.
Proof.
  unfold quick_map, rev'. rewrite <- rev_alt.
  assert (G : forall done, rev (fold_left (fun done v => f v :: done) l done) = rev done ++ map f l).
  { induction l as [|v l IH]; intros done; simpl; [now rewrite app_nil_r|].
    rewrite IH; simpl; now rewrite <- app_assoc. }
  apply G.
Qed.

(* ---- what is prepared once: the columns and rows of the table, and which witnesses break no equation *)

Record bench := { its_rows : rows; its_witnesses : tree (fractions * bool); its_proofs : tree fractions }.

Definition bench_of (es : list equation) (c : certificate) : bench :=
  let cs := columns_of 1 es Leaf in
  let tried w := (w, balanced cs (vector (entries w))) in
  {| its_rows := numbered 1 es Leaf;
     its_witnesses := numbered 1 (quick_map tried (witnesses c)) Leaf;
     its_proofs := numbered 1 (proofs c) Leaf |}.

(* Moves that the attacker cannot rule out. *)
Definition movable (es : list equation) (rs : rooms) (z : positive -> Q) : Prop :=
  fits_in rs z /\ forall e, In e es -> dot (terms e) z == 0.

(* ---- ends *)

Definition fraction := (Z * Z)%type.  (* and a denominator above 0 *)

Fixpoint form_at (form : list (positive * Z)) (t : tree Z) : Z :=
  match form with [] => 0%Z | (i, c) :: rest => (c * at_ i t + form_at rest t)%Z end.

(* How far a form is shown to reach; inside: None if there is no limit. Outside: None if wrong. *)
Definition reach_of (b : bench) (rs : rooms) (form : list (positive * Z)) (sign : Z) (e : end_evidence)
  : option (option fraction) :=
  match shows e with
  | None => Some (Some (0%Z, 1%Z))
  | Some (is_ray, n) =>
      match get n (its_witnesses b) with
      | None => None
      | Some (w, is_balanced) =>
          let d := denominator w in
          let t := vector (entries w) in
          let m := (sign * form_at form t)%Z in
          if (is_balanced && Z.ltb 0 d)%bool then
            if is_ray
            then if (fit repeats_one t rs && Z.ltb 0 m)%bool then Some None else None
            else if fit (fits_one d) t rs then Some (Some (m, d)) else None
          else None
      end
  end.

(* How far it can reach at most; inside: None if nothing is claimed. *)
Definition limit_of (b : bench) (rs : rooms) (form : list (positive * Z)) (sign : Z) (e : end_evidence)
  : option (option fraction) :=
  match bounds e with
  | None => Some None
  | Some n =>
      match get n (its_proofs b) with
      | None => None
      | Some p => match bound_of (its_rows b) rs form sign p with
                  | Some x => Some (Some x)
                  | None => None
                  end
      end
  end.

(* What these mean of the moves that a reader cannot rule out, whatever these are. *)
Definition moves := (positive -> Q) -> Prop.
Definition reaches (can : moves) form sign (r : option fraction) : Prop :=
  match r with
  | None => forall far, exists z, can z /\ far <= qz sign * dot form z
  | Some (n, d) => (0 < d)%Z /\ exists z, can z /\ qz sign * dot form z * qz d == qz n
  end.
Definition limits (can : moves) form sign (r : option fraction) : Prop :=
  match r with
  | None => True
  | Some (n, d) => (0 < d)%Z /\ forall z, can z -> qz sign * dot form z * qz d <= qz n
  end.

Lemma sum_at_ok f ts : dot ts (fun i => qz (f i)) == qz (sum_at f ts).
Proof.
  induction ts as [|[i c] rest IH]; simpl; [now rewrite qz_0|]. rewrite IH, qz_plus, qz_mult; reflexivity.
Qed.

Lemma form_at_ok form t : dot form (as_function t) == qz (form_at form t).
Proof.
  induction form as [|[i c] rest IH]; simpl; [now rewrite qz_0|].
  rewrite IH, qz_plus, qz_mult; reflexivity.
Qed.

Lemma bench_witness es c n w is_balanced : get n (its_witnesses (bench_of es c)) = Some (w, is_balanced) ->
  is_balanced = balanced (columns_of 1 es Leaf) (vector (entries w)).
Proof.
  intros H; unfold bench_of in H; simpl in H. apply numbered_in in H. rewrite quick_map_is_map in H.
  destruct H as [H|H]; [|now rewrite get_leaf in H].
  apply in_map_iff in H; destruct H as [w' [E _]]; inversion E; subst; reflexivity.
Qed.

Lemma bench_row es c n x : get n (its_rows (bench_of es c)) = Some x -> In x es.
Proof.
  intros H; unfold bench_of in H; simpl in H. apply numbered_in in H.
  destruct H as [H|H]; auto. now rewrite get_leaf in H.
Qed.

Lemma qz_pos d : (0 < d)%Z -> 0 < qz d.
Proof. intros H; change 0 with (qz 0); now apply (proj1 (qz_lt 0 d)). Qed.

Lemma movable_zero es rs : fits_in rs (fun _ => 0) -> movable es rs (fun _ => 0).
Proof.
  split; auto. intros e _. induction (terms e) as [|[i c] rest IH]; simpl; [reflexivity|]. rewrite IH; ring.
Qed.

Lemma reach_of_ok es c rs form sign e r : fits_in rs (fun _ => 0) ->
  reach_of (bench_of es c) rs form sign e = Some r -> reaches (movable es rs) form sign r.
Proof.
  intros Z0 H. unfold reach_of in H. destruct (shows e) as [[is_ray n]|].
  2:{ inversion H; subst; simpl; split; [lia|]. exists (fun _ => 0); split; [now apply movable_zero|].
      assert (E : dot form (fun _ => 0) == 0).
      { clear. induction form as [|[i c] rest IH]; simpl; [reflexivity|]. rewrite IH; ring. }
      rewrite E, qz_0, qz_1; ring. }
  destruct (get n _) as [[w is_balanced]|] eqn:G; [|discriminate]. apply bench_witness in G.
  destruct is_balanced; [|discriminate]. symmetry in G. generalize (balanced_ok _ _ G); intros B; clear G.
  set (t := vector (entries w)) in *. set (d := denominator w) in *.
  destruct (Z.ltb_spec 0 d) as [D|]; [|discriminate]. cbn [andb] in H. generalize (qz_pos d D); intros D'.
  destruct is_ray.
  - destruct (fit repeats_one t rs) eqn:F; [|discriminate]. simpl in H.
    destruct (Z.ltb_spec 0 (sign * form_at form t)) as [M|]; [|discriminate]. inversion H; subst; clear H.
    simpl; intros far. set (m := (sign * form_at form t)%Z) in *. generalize (qz_pos m M); intros M'.
    assert (T : exists k, 0 <= k /\ far <= k * qz m).
    { destruct (Qlt_le_dec far 0) as [L|L].
      - exists 0; split; lra.
      - exists (far / qz m); split; [apply Qle_shift_div_l; lra|]. rewrite Qmult_comm, Qmult_div_r; lra. }
    destruct T as [k [K1 K2]]. exists (fun i => k * as_function t i). split; [split|].
    + intros i. destruct (fit_get _ t rs i (fun _ _ => I) F) as [[v [E V]]|E].
      * unfold as_function, at_; rewrite E; simpl. apply repeats_one_ok; auto. apply Z0.
      * unfold as_function; rewrite E. apply within_eq with 0; [rewrite qz_0; ring|apply Z0].
    + intros x X. rewrite dot_scale, (B x X); ring.
    + rewrite dot_scale, form_at_ok. subst m. rewrite qz_mult in K2. lra.
  - destruct (fit (fits_one d) t rs) eqn:F; [|discriminate]. inversion H; subst; clear H.
    simpl; split; auto. exists (fun i => / qz d * as_function t i). split; [split|].
    + intros i. destruct (fit_get _ t rs i (fun _ _ => I) F) as [[v [E V]]|E].
      * apply within_eq with (qz v / qz d); [unfold as_function, at_; rewrite E; simpl; unfold Qdiv; ring|].
        now apply fits_one_ok.
      * unfold as_function; rewrite E. apply within_eq with 0; [rewrite qz_0; ring|apply Z0].
    + intros x X. rewrite dot_scale, (B x X); ring.
    + rewrite dot_scale, form_at_ok, qz_mult. field. lra.
Qed.

Lemma limit_of_ok es c rs form sign e r :
  limit_of (bench_of es c) rs form sign e = Some r -> limits (movable es rs) form sign r.
Proof.
  unfold limit_of; intros H. destruct (bounds e) as [n|]; [|inversion H; simpl; auto].
  destruct (get n _) as [p|]; [|discriminate]. destruct (bound_of _ _ _ _ _) as [[m d]|] eqn:E; [|discriminate].
  inversion H; subst; clear H; simpl. split.
  - unfold bound_of in E. destruct (Z.ltb_spec 0 (denominator p)); [|discriminate].
    destruct (less _ _ _); [|discriminate]. destruct (most _ _); [|discriminate]. inversion E; subst; auto.
  - intros z [F B]. eapply bound_of_ok with (2 := fun e x H => B x (bench_row _ _ _ _ H)); eauto.
Qed.

(* ---- levels *)

Definition at_least (r : option fraction) (level : Z) : bool :=
  match r with None => true | Some (n, d) => Z.leb (level * d) n end.
Definition both_at_least (r r' : option fraction) (level : Z) : bool :=
  match r, r' with
  | Some (n, d), Some (n', d') => Z.leb (level * (d * d')) (n * d' + n' * d)
  | _, _ => true
  end.
Definition below (r : option fraction) (level : Z) : bool :=
  match r with None => false | Some (n, d) => Z.ltb n (level * d) end.
Definition both_below (r r' : option fraction) (level : Z) : bool :=
  match r, r' with
  | Some (n, d), Some (n', d') => Z.ltb (n * d' + n' * d) (level * (d * d'))
  | _, _ => false
  end.

Section Levels.
  Variables (can : moves) (form : list (positive * Z)).
  Hypothesis Truth : can (fun _ => 0).

  Lemma at_least_ok sign r level : reaches can form sign r -> at_least r level = true ->
    exists z, can z /\ qz level <= qz sign * dot form z.
  Proof.
    destruct r as [[n d]|]; simpl; intros H L.
    - destruct H as [D [z [M E]]]. exists z; split; auto. apply Z.leb_le, le_qz in L.
      rewrite qz_mult, <- E in L. apply Qmult_le_r with (qz d); auto. now apply qz_pos.
    - apply H.
  Qed.

  Lemma below_ok sign r level : limits can form sign r -> below r level = true ->
    forall z, can z -> qz sign * dot form z < qz level.
  Proof.
    destruct r as [[n d]|]; simpl; intros H L; [|discriminate]. destruct H as [D H]. intros z M.
    specialize (H z M). apply Z.ltb_lt in L. apply qz_lt in L. rewrite qz_mult in L.
    apply Qmult_lt_r with (qz d); [now apply qz_pos|]. lra.
  Qed.

  Lemma both_at_least_ok r r' level :
    reaches can form 1 r -> reaches can form (-1) r' -> both_at_least r r' level = true ->
    exists z z', can z /\ can z' /\ qz level <= dot form z - dot form z'.
  Proof.
    intros R R' L.
    assert (M1 : qz (-1) == -1) by reflexivity. assert (P1 := qz_1).
    destruct r as [[n d]|]; simpl in R.
    - destruct R as [D [z [M E]]]. destruct r' as [[n' d']|]; simpl in R'.
      + destruct R' as [D' [z' [M' E']]]. exists z, z'; repeat split; auto.
        simpl in L. apply Z.leb_le, le_qz in L. rewrite qz_plus, !qz_mult, <- E, <- E' in L.
        generalize (qz_pos _ D) (qz_pos _ D'); intros Q Q'.
        apply Qmult_le_r with (qz d * qz d'); [apply Qmult_lt_0_compat; auto|].
        rewrite M1, P1 in L. setoid_replace ((dot form z - dot form z') * (qz d * qz d')) with
          (1 * dot form z * qz d * qz d' + -1 * dot form z' * qz d' * qz d) by ring. exact L.
      + destruct (R' (qz level - dot form z)) as [z' [M' F']]. exists z, z'; repeat split; auto.
        rewrite M1 in F'. lra.
    - set (z' := fun _ : positive => 0). assert (M' : can z') by exact Truth.
      destruct (R (qz level + dot form z')) as [z [M F]]. exists z, z'; repeat split; auto.
      rewrite P1 in F. lra.
  Qed.

  Lemma both_below_ok r r' level :
    limits can form 1 r -> limits can form (-1) r' -> both_below r r' level = true ->
    forall z z', can z -> can z' -> dot form z - dot form z' < qz level.
  Proof.
    intros R R' L z z' M M'. destruct r as [[n d]|]; [|discriminate]. destruct r' as [[n' d']|]; [|discriminate].
    simpl in *. destruct R as [D R], R' as [D' R']. specialize (R z M). specialize (R' z' M').
    apply Z.ltb_lt in L. apply qz_lt in L. rewrite qz_plus, !qz_mult in L.
    generalize (qz_pos _ D) (qz_pos _ D'); intros Q Q'.
    assert (M1 : qz (-1) == -1) by reflexivity. assert (P1 := qz_1). rewrite P1 in R; rewrite M1 in R'.
    apply Qmult_lt_r with (qz d * qz d'); [apply Qmult_lt_0_compat; auto|].
    assert (A : 1 * dot form z * qz d * qz d' <= qz n * qz d') by (apply Qmult_le_compat_r; lra).
    assert (B : -1 * dot form z' * qz d' * qz d <= qz n' * qz d) by (apply Qmult_le_compat_r; lra).
    setoid_replace ((dot form z - dot form z') * (qz d * qz d')) with
      (1 * dot form z * qz d * qz d' + -1 * dot form z' * qz d' * qz d) by ring. lra.
  Qed.
End Levels.
