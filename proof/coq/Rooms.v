(* SPDX-License-Identifier: Apache-2.0 *)
(* How far each cell can move from its true value for one attacker, and what follows for vectors. *)
From Coq Require Import ZArith QArith List Bool Lia Lqa.
From Lacuna Require Import Trees Problem.
Import ListNotations.

Ltac split_and H := repeat (let L := fresh in apply andb_prop in H; destruct H as [H L]).

(* ---- ranges *)

Definition later (a b : option Z) : option Z :=  (* of two lower ends *)
  match a, b with Some x, Some y => Some (Z.max x y) | None, o => o | o, None => o end.
Definition sooner (a b : option Z) : option Z :=
  match a, b with Some x, Some y => Some (Z.min x y) | None, o => o | o, None => o end.
Definition meet (a b : range) : range := (later (fst a) (fst b), sooner (snd a) (snd b)).
Definition moved (a : Z) (o : option Z) : option Z :=
  match o with Some x => Some (x - a)%Z | None => None end.
Definition shift (a : Z) (r : range) : range := (moved a (fst r), moved a (snd r)).
Definition holds_in (r : range) (v : Z) : bool :=
  (match fst r with Some l => Z.leb l v | None => true end &&
   match snd r with Some u => Z.leb v u | None => true end)%bool.
Definition nowhere : range := (Some 0%Z, Some 0%Z).

Lemma within_meet a b q : within (meet a b) q <-> within a q /\ within b q.
Proof.
  destruct a as [al au], b as [bl bu]; unfold within, meet; simpl.
  assert (M1 : forall x y, qz (Z.max x y) <= q <-> qz x <= q /\ qz y <= q).
  { intros x y; split.
    - intros H; split; apply Qle_trans with (2 := H); apply le_qz; lia.
    - intros [A B]; destruct (Z.max_spec x y) as [[_ ->]|[_ ->]]; auto. }
  assert (M2 : forall x y, q <= qz (Z.min x y) <-> q <= qz x /\ q <= qz y).
  { intros x y; split.
    - intros H; split; apply Qle_trans with (1 := H); apply le_qz; lia.
    - intros [A B]; destruct (Z.min_spec x y) as [[_ ->]|[_ ->]]; auto. }
  split.
  - intros [Hl Hu]; split; split; intros x E; subst; simpl in *.
    + destruct bl; [apply (M1 x z); apply Hl | apply Hl]; reflexivity.
    + destruct bu; [apply (M2 x z); apply Hu | apply Hu]; reflexivity.
    + destruct al; [apply (M1 z x); apply Hl | apply Hl]; reflexivity.
    + destruct au; [apply (M2 z x); apply Hu | apply Hu]; reflexivity.
  - intros [[A1 A2] [B1 B2]]; split; intros x E.
    + destruct al, bl; simpl in E; inversion E; subst; auto. apply M1; auto.
    + destruct au, bu; simpl in E; inversion E; subst; auto. apply M2; auto.
Qed.

Lemma qz_minus x a : qz (x - a) == qz x - qz a.
Proof. unfold Z.sub; rewrite qz_plus, qz_opp; ring. Qed.

Lemma within_shift a r q : within (shift a r) q <-> within r (qz a + q).
Proof.
  destruct r as [l u]; unfold within, shift; simpl; split; intros [A B]; split; intros x E.
  - subst; simpl in A; specialize (A _ eq_refl). rewrite qz_minus in A; lra.
  - subst; simpl in B; specialize (B _ eq_refl). rewrite qz_minus in B; lra.
  - destruct l; simpl in E; inversion E; subst. specialize (A _ eq_refl). rewrite qz_minus; lra.
  - destruct u; simpl in E; inversion E; subst. specialize (B _ eq_refl). rewrite qz_minus; lra.
Qed.

Lemma within_free q : within (None, None) q.
Proof. split; intros x E; discriminate. Qed.

Lemma within_nowhere q : within nowhere q <-> q == 0.
Proof.
  generalize qz_0; intros Z0. split.
  - intros [A B]; specialize (A _ eq_refl); specialize (B _ eq_refl); lra.
  - intros H; split; intros x E; inversion E; subst; lra.
Qed.

Lemma within_eq r p q : p == q -> within r p -> within r q.
Proof. intros E [A B]; split; intros x G; [specialize (A _ G) | specialize (B _ G)]; lra. Qed.

Lemma holds_in_ok r v : holds_in r v = true <-> within r (qz v).
Proof.
  destruct r as [[l|] [u|]]; unfold holds_in, within; simpl; rewrite ?andb_true_iff, ?Z.leb_le, ?qz_le;
    split; intros H.
  all: try (split; intros x E; inversion E; subst; tauto).
  all: destruct H as [A B]; try specialize (A _ eq_refl); try specialize (B _ eq_refl); tauto.
Qed.

(* ---- rooms of all cells; a cell without an entry cannot move *)

Definition rooms := tree range.
Definition room (rs : rooms) (i : positive) : range :=
  match get i rs with Some r => r | None => nowhere end.
Definition fits_in (rs : rooms) (z : positive -> Q) : Prop := forall i, within (room rs i) (z i).

Definition prior_of (P : problem) (i : positive) : range :=
  match get i (cells P) with Some c => prior c | None => (None, None) end.

Definition told_room (P : problem) (i : positive) (r : range) : range :=
  shift (truth P i) (meet r (prior_of P i)).
Fixpoint tell (P : problem) (told : knowledge) (rs : rooms) : rooms :=
  match told with
  | [] => rs
  | (i, r) :: rest =>
      let before := match get i rs with Some b => b | None => (None, None) end in
      tell P rest (set i (meet (told_room P i r) before) rs)
  end.
Fixpoint learn (P : problem) (known : knowledge) (rs : rooms) : rooms :=
  match known with
  | [] => rs
  | (i, r) :: rest =>
      learn P rest (match get i rs with
                    | Some b => set i (meet (shift (truth P i) r) b) rs
                    | None => rs
                    end)
  end.
Definition rooms_of (P : problem) (told known : knowledge) : rooms :=
  learn P known (tell P told Leaf).

(* What is said and known of the true values has to be true. *)
Definition cell_is_sane (c : cell) : bool := holds_in (prior c) (truth_of c).
Definition is_true (P : problem) (said : knowledge) : bool :=
  forallb (fun e => holds_in (snd e) (truth P (fst e))) said.
Fixpoint total (P : problem) (ts : list (positive * Z)) : Z :=
  match ts with [] => 0%Z | (i, c) :: rest => (c * truth P i + total P rest)%Z end.
Definition adds_up (P : problem) : bool :=
  forallb (fun e => Z.eqb (total P (terms e)) (rhs e)) (equations P).

Definition sane (P : problem) (told known : knowledge) : Prop :=
  all cell_is_sane (cells P) = true /\ is_true P told = true /\ is_true P known = true /\
  adds_up P = true.

Lemma within_room_tell P told rs i q :
  within (room (tell P told rs) i) q <->
  ((exists b, get i rs = Some b /\ within b q) \/
   (get i rs = None /\ ((forall r, ~ In (i, r) told) -> q == 0))) /\
  (forall r, In (i, r) told -> within (told_room P i r) q).
Proof.
  revert rs; induction told as [|[j r] rest IH]; intros rs; simpl.
  - unfold room; split.
    + destruct (get i rs) as [b|] eqn:G; intros H; split; try tauto.
      * left; eauto.
      * right; split; auto; intros _; now apply within_nowhere.
    + intros [[[b [G H]]|[G H]] _]; rewrite G; auto. apply within_nowhere; auto.
  - rewrite IH; clear IH. destruct (Pos.eq_dec j i) as [->|N].
    + rewrite get_set_same. split.
      * intros [[[b [G H]]|[G _]] Hin]; [|discriminate]. inversion G; subst b.
        apply within_meet in H; destruct H as [H1 H2]. split.
        -- destruct (get i rs) as [b|]; [left; eauto|right; split; auto]. intros K; destruct (K r); auto.
        -- intros r' [E|Hr]; [inversion E; subst; auto|auto].
      * intros [H Hin]; split; [left|intros; apply Hin; auto]. eexists; split; [reflexivity|].
        apply within_meet; split; [apply Hin; auto|].
        destruct H as [[b [G H]]|[G _]]; rewrite G; auto. apply within_free.
    + rewrite get_set_other by auto. split; intros [H Hin]; split.
      * destruct H as [H|[G H]]; [left; auto|right; split; auto]. intros K; apply H; intros r' L; apply (K r'); auto.
      * intros r' [E|Hr]; [inversion E; subst; congruence|auto].
      * destruct H as [H|[G H]]; [left; auto|right; split; auto]. intros K; apply H; intros r' [E|L].
        -- inversion E; subst; congruence.
        -- apply (K r'); auto.
      * intros r' Hr; apply Hin; auto.
Qed.

Lemma within_room_learn P known rs i q :
  within (room (learn P known rs) i) q <->
  within (room rs i) q /\
  (get i rs <> None -> forall r, In (i, r) known -> within (shift (truth P i) r) q).
Proof.
  revert rs; induction known as [|[j r] rest IH]; intros rs; simpl; [tauto|].
  rewrite IH; clear IH. destruct (get j rs) as [b|] eqn:G.
  - destruct (Pos.eq_dec j i) as [->|N].
    + unfold room; rewrite get_set_same, G, within_meet. split.
      * intros [[H1 H2] H3]; split; auto. intros _ r' [E|K]; [inversion E; subst; auto|].
        apply H3; auto; discriminate.
      * intros [H1 H2]; split; [split; auto; apply H2; auto; discriminate|]. intros _ r' K; apply H2; auto; discriminate.
    + unfold room; rewrite get_set_other by auto. split; intros [H1 H2]; split; auto.
      * intros H r' [E|K]; [inversion E; congruence|auto].
  - split; intros [H1 H2]; split; auto. intros H r' [E|K]; auto. inversion E; subst; congruence.
Qed.

Lemma get_tell P told rs i : get i (tell P told rs) = None ->
  get i rs = None /\ forall r, ~ In (i, r) told.
Proof.
  revert rs; induction told as [|[j r] rest IH]; intros rs; simpl; auto.
  intros H; apply IH in H; destruct H as [H K]. destruct (Pos.eq_dec j i) as [->|N].
  - rewrite get_set_same in H; discriminate.
  - rewrite get_set_other in H by auto; split; auto. intros r' [E|L]; [inversion E; congruence|apply (K r'); auto].
Qed.

Lemma is_true_in P said i r : is_true P said = true -> In (i, r) said -> within r (qz (truth P i)).
Proof.
  unfold is_true; rewrite forallb_forall; intros H K; apply holds_in_ok. apply (H _ K).
Qed.

Lemma prior_is_true P i : all cell_is_sane (cells P) = true -> within (prior_of P i) (qz (truth P i)).
Proof.
  intros H; unfold prior_of, truth. destruct (get i (cells P)) eqn:G; [|apply within_free].
  apply holds_in_ok. exact (all_get _ _ _ H G).
Qed.

(* The rooms are the tables that the reader cannot rule out, but for the equations. *)
Lemma rooms_are_right P told known z : sane P told known ->
  fits_in (rooms_of P told known) z <->
  let y := fun i => qz (truth P i) + z i in
  (forall i c, get i (cells P) = Some c -> within (prior c) (y i)) /\
  (forall i r, In (i, r) told -> within r (y i)) /\
  (forall i, (forall r, ~ In (i, r) told) -> y i == qz (truth P i)) /\
  (forall i r, In (i, r) known -> within r (y i)).
Proof.
  intros [Sc [St [Sk _]]]; unfold fits_in, rooms_of; cbv zeta; split.
  - intros H.
    assert (N : forall i, (forall r, ~ In (i, r) told) -> z i == 0).
    { intros i K. specialize (H i). apply within_room_learn in H; destruct H as [H _].
      apply within_room_tell in H; destruct H as [[[b [G _]]|[_ H]] _]; [now rewrite get_leaf in G|auto]. }
    assert (D : forall i, get i (tell P told Leaf) = None \/ exists r, In (i, r) told).
    { intros i. assert (T : (exists r, In (i, r) told) \/ ~ (exists r, In (i, r) told)).
      { clear. induction told as [|[j r] rest [[r' IH]|IH]]; [right; intros [r H]; inversion H|left; exists r'; right; auto|].
        destruct (Pos.eq_dec j i) as [->|M]; [left; exists r; left; auto|right; intros [r' [E|K]]; [inversion E; congruence|apply IH; eauto]]. }
      destruct T as [T|T]; auto. left. clear - T. revert T.
      assert (Q : forall rs, get i rs = None -> ~ (exists r, In (i, r) told) -> get i (tell P told rs) = None).
      { induction told as [|[j r] rest IH]; intros rs G T; simpl; auto. apply IH.
        - rewrite get_set_other; auto. intros ->; apply T; exists r; left; auto.
        - intros [r' K]; apply T; exists r'; right; auto. }
      intros T; apply Q; auto. apply get_leaf. }
    assert (Told : forall i r, In (i, r) told -> within (told_room P i r) (z i)).
    { intros i r K. specialize (H i). apply within_room_learn in H; destruct H as [H _].
      apply within_room_tell in H; destruct H as [_ H]; auto. }
    split; [|split; [|split]].
    + intros i c G. destruct (D i) as [E|[r E]].
      * apply get_tell in E; destruct E as [_ E]. specialize (N i E).
        apply within_eq with (qz (truth P i)); [lra|]. generalize (prior_is_true P i Sc).
        unfold prior_of; now rewrite G.
      * specialize (Told i r E). unfold told_room in Told; apply within_shift, within_meet in Told.
        destruct Told as [_ T]; unfold prior_of in T; now rewrite G in T.
    + intros i r E. specialize (Told i r E). unfold told_room in Told; apply within_shift, within_meet in Told; tauto.
    + intros i K. rewrite (N i K); lra.
    + intros i r K. destruct (get i (tell P told Leaf)) eqn:G.
      * specialize (H i). apply within_room_learn in H; destruct H as [_ H]. apply within_shift.
        apply H; auto. rewrite G; discriminate.
      * apply get_tell in G; destruct G as [_ G]. apply within_eq with (qz (truth P i)).
        -- rewrite (N i G); lra.
        -- eapply is_true_in; eauto.
  - intros [Hp [Ht [Hn Hk]]] i. apply within_room_learn; split.
    + apply within_room_tell; split.
      * right; split; [apply get_leaf|]. intros K; specialize (Hn i K); lra.
      * intros r K. unfold told_room; apply within_shift, within_meet; split; auto.
        unfold prior_of; destruct (get i (cells P)) eqn:G; [eauto|apply within_free].
    + intros _ r K. apply within_shift; auto.
Qed.
