(* SPDX-License-Identifier: Apache-2.0 *)
(* The verdicts of a certificate, and the theorems about them. *)
From Coq Require Import ZArith QArith List Bool Lia Lqa.
From Lacuna Require Import Trees Problem Rooms Evidence Checker.
Import ListNotations.

Inductive reason :=
  | NotAdditive               (* the table does not add up *)
  | Untrue                    (* something that is said or known is not true *)
  | Mixed                     (* adjusted numbers beside others *)
  | NotShown (i : positive)   (* an adjusted number is given twice or outside what everyone knows *)
  | OtherFindings             (* the findings are not those of the requirements *)
  | Wrong (n : positive).     (* the evidence of this finding, counted from 1, is wrong *)
Inductive outcome := Judged (verdicts : list verdict) | Refused (why : reason).

(* ---- what counts: levels, and what is known without any evidence *)

Definition is_point (r : range) : bool :=
  match r with (Some l, Some u) => Z.leb u l | _ => false end.

Fixpoint gather (told : knowledge) (t : tree range) : tree range :=
  match told with
  | [] => t
  | (i, r) :: rest =>
      gather rest (set i (match get i t with Some b => meet r b | None => r end) t)
  end.
Definition is_stated (said : tree range) (i : positive) : bool :=
  match get i said with Some r => is_point r | None => true end.

Fixpoint own_range (known : knowledge) (i : positive) (r : range) : range :=
  match known with
  | [] => r
  | (j, x) :: rest => own_range rest i (if Pos.eqb j i then meet x r else r)
  end.
Definition is_known_before (P : problem) (i k : positive) : bool :=
  is_point (own_range (known_to P k) i (prior_of P i)).

Definition has_zero_levels (r : requirement) : bool :=
  (Z.eqb (lower r) 0 && Z.eqb (upper r) 0 && Z.eqb (sliding r) 0)%bool.
Definition sliding_of (P : problem) (r : requirement) : Z :=
  if (has_zero_levels r && negb (zeros_are_meant P) &&
      negb (is_known_before P (about r) (by_attacker r)))%bool
  then unit_of P else sliding r.

Lemma point_ok r v : within r (qz v) -> is_point r = true <-> (forall y, within r y -> y == qz v).
Proof.
  intros [Wl Wu]; split.
  - intros H y [Yl Yu]. destruct r as [[l|] [u|]]; simpl in *; try discriminate. apply Z.leb_le in H.
    apply le_qz in H. specialize (Wl _ eq_refl); specialize (Wu _ eq_refl);
    specialize (Yl _ eq_refl); specialize (Yu _ eq_refl). lra.
  - intros H. destruct r as [[l|] [u|]]; simpl in *.
    + specialize (Wl _ eq_refl); specialize (Wu _ eq_refl).
      assert (A : qz l == qz v) by (apply H; split; intros x E; inversion E; subst; lra).
      assert (B : qz u == qz v) by (apply H; split; intros x E; inversion E; subst; lra).
      apply qz_eq in A, B. apply Z.leb_le; lia.
    + specialize (Wl _ eq_refl). assert (A : qz v + 1 == qz v).
      { apply H; split; intros x E; inversion E; subst; lra. } lra.
    + specialize (Wu _ eq_refl). assert (A : qz v - 1 == qz v).
      { apply H; split; intros x E; inversion E; subst; lra. } lra.
    + assert (A : qz v + 1 == qz v) by (apply H; split; intros x E; inversion E). lra.
Qed.

Lemma gather_ok told t i :
  match get i (gather told t) with
  | None => get i t = None /\ forall r, ~ In (i, r) told
  | Some g => (get i t <> None \/ exists r, In (i, r) told) /\
      forall y, within g y <->
        (forall b, get i t = Some b -> within b y) /\ (forall r, In (i, r) told -> within r y)
  end.
Proof.
  revert t; induction told as [|[j r] rest IH]; intros t; simpl.
  - destruct (get i t) as [g|]; [|split; auto]. split; [left; discriminate|].
    intros y; split; [|intros [H _]; auto]. intros W; split; [|tauto]. intros b E; inversion E; subst; auto.
  - specialize (IH (set j (match get j t with Some b => meet r b | None => r end) t)).
    destruct (get i (gather rest _)) as [g|].
    + destruct IH as [A B]. destruct (Pos.eq_dec j i) as [->|N].
      * rewrite get_set_same in B. split; [right; exists r; auto|]. intros y; rewrite B; clear A B. split.
        -- intros [H K]. specialize (H _ eq_refl). destruct (get i t) as [b|].
           ++ apply within_meet in H; destruct H as [H1 H2]; split; [intros b' E; inversion E; subst; auto|].
              intros r' [E|L]; [inversion E; subst; auto|auto].
           ++ split; [discriminate|]. intros r' [E|L]; [inversion E; subst; auto|auto].
        -- intros [H K]; split; [|auto]. intros b' E; inversion E; subst; clear E.
           destruct (get i t) as [b|]; [apply within_meet; split|]; auto.
      * rewrite get_set_other in A, B by auto. split.
        -- destruct A as [A|[r' A]]; [left; auto|right; exists r'; auto].
        -- intros y; rewrite B. split; intros [H K]; split; auto. intros r' [E|L]; [inversion E; congruence|auto].
    + destruct IH as [A B]. destruct (Pos.eq_dec j i) as [->|N]; [rewrite get_set_same in A; discriminate|].
      rewrite get_set_other in A by auto. split; auto. intros r' [E|L]; [inversion E; congruence|apply (B r'); auto].
Qed.

Lemma stated_ok P i : is_true P (told_by (release P)) = true ->
  is_stated (gather (told_by (release P)) Leaf) i = true <-> stated P i.
Proof.
  intros T. unfold is_stated, stated. generalize (gather_ok (told_by (release P)) Leaf i).
  destruct (get i (gather _ _)) as [g|].
  - intros [A W]. assert (V : within g (qz (truth P i))).
    { apply W; split; [intros b E; now rewrite get_leaf in E|]. intros r K; eapply is_true_in; eauto. }
    rewrite (point_ok _ _ V). split; intros H y.
    + intros Y _; apply H, W; split; [intros b E; now rewrite get_leaf in E|auto].
    + intros Y; apply W in Y; destruct Y as [_ Y]. apply H; auto. intros K.
      destruct A as [A|[r A]]; [now rewrite get_leaf in A|destruct (K r A)].
  - intros [_ K]; split; auto. 
Qed.

Lemma own_range_ok known i r y :
  within (own_range known i r) y <-> within r y /\ (forall x, In (i, x) known -> within x y).
Proof.
  revert r; induction known as [|[j x] rest IH]; intros r; simpl; [tauto|]. rewrite IH.
  destruct (Pos.eqb_spec j i) as [->|N].
  - rewrite within_meet; split; [intros [[A B] C]|intros [A B]]; split; auto.
    intros x' [E|L]; [inversion E; subst; auto|auto].
  - split; intros [A B]; split; auto. intros x' [E|L]; [inversion E; congruence|auto].
Qed.

Lemma known_before_ok P i k : all cell_is_sane (cells P) = true -> is_true P (known_to P k) = true ->
  is_known_before P i k = true <-> known_before P i k.
Proof.
  intros S T. unfold is_known_before, known_before. rewrite point_ok with (v := truth P i).
  - split; intros H y.
    + intros A B; apply H, own_range_ok; split; auto. unfold prior_of.
      destruct (get i (cells P)); [auto|apply within_free].
    + intros Y; apply own_range_ok in Y; destruct Y as [A B]. apply H; auto. intros c G.
      unfold prior_of in A; now rewrite G in A.
  - apply own_range_ok; split; [now apply prior_is_true|]. intros x K; eapply is_true_in; eauto.
Qed.

Lemma asks_ok P r : all cell_is_sane (cells P) = true -> is_true P (known_to P (by_attacker r)) = true ->
  asks P r (lower r) (upper r) (sliding_of P r).
Proof.
  intros S T. unfold asks, sliding_of. split; [|split]; auto.
  generalize (known_before_ok P (about r) (by_attacker r) S T). intros K.
  assert (Z0 : has_zero_levels r = true <-> all_zero_levels r).
  { unfold has_zero_levels, all_zero_levels. rewrite !andb_true_iff, !Z.eqb_eq; tauto. }
  destruct (has_zero_levels r); simpl.
  - destruct (zeros_are_meant P) eqn:M; simpl; [right; auto|].
    destruct (is_known_before _ _ _); simpl.
    + right; split; auto. right; right; now apply K.
    + left; repeat split; try apply Z0; auto. intros H; apply K in H; discriminate.
  - right; split; auto. left; intros H; apply Z0 in H; discriminate.
Qed.

Lemma asks_once P r l u s l' u' s' : asks P r l u s -> asks P r l' u' s' -> l = l' /\ u = u' /\ s = s'.
Proof.
  unfold asks; intros [A [B C]] [A' [B' C']]. repeat split; try congruence.
  destruct C as [[Z0 [M [K E]]]|[D E]], C' as [[Z0' [M' [K' E']]]|[D' E']]; try congruence; exfalso.
  - destruct D' as [D'|[D'|D']]; [tauto|congruence|tauto].
  - destruct D as [D|[D|D]]; [tauto|congruence|tauto].
Qed.

(* ---- blanks, intervals, rounded and altered numbers *)

Definition by_levels (is_said : bool) (l u s : Z) (down up down_limit up_limit : option fraction) : verdict :=
  if is_said then Exposed
  else if (below up_limit u || below down_limit l || both_below up_limit down_limit s)%bool then Exposed
  else if (Z.eqb l 0 && Z.eqb u 0 && Z.eqb s 0)%bool then Unasked
  else if (at_least up u && at_least down l && both_at_least up down s)%bool then Protected
  else Undecided.

Definition judge_one (P : problem) (b : bench) (said : tree range) (rs : rooms) (r : requirement)
  (f : finding) : option verdict :=
  let form := [(about r, 1%Z)] in
  match reach_of b rs form (-1) (low f), reach_of b rs form 1 (high f),
        limit_of b rs form (-1) (low f), limit_of b rs form 1 (high f) with
  | Some down, Some up, Some down_limit, Some up_limit =>
      Some (by_levels (is_stated said (about r)) (lower r) (upper r) (sliding_of P r)
                      down up down_limit up_limit)
  | _, _, _, _ => None
  end.

Fixpoint judge_all (P : problem) (b : bench) (said : tree range) (all_rooms : tree rooms) (n : positive)
  (rs : list requirement) (fs : list finding) (found : list verdict) : outcome :=
  match rs, fs with
  | [], [] => Judged (rev' found)
  | r :: rs', f :: fs' =>
      if (Pos.eqb (about r) (its_cell f) && Pos.eqb (by_attacker r) (its_attacker f))%bool then
        match get (by_attacker r) all_rooms with
        | None => Refused OtherFindings
        | Some room_of_one =>
            match judge_one P b said room_of_one r f with
            | Some v => judge_all P b said all_rooms (Pos.succ n) rs' fs' (v :: found)
            | None => Refused (Wrong n)
            end
        end
      else Refused OtherFindings
  | _, _ => Refused OtherFindings
  end.

Fixpoint map_tree {A B} (f : A -> B) (t : tree A) : tree B :=
  match t with
  | Leaf => Leaf
  | Node l o r => Node (map_tree f l) (match o with Some v => Some (f v) | None => None end) (map_tree f r)
  end.
Lemma get_map A B (f : A -> B) t i : get i (map_tree f t) = match get i t with Some v => Some (f v) | None => None end.
Proof.
  revert i; induction t as [|l IHl o r IHr]; intros i; simpl; [now rewrite !get_leaf|].
  destruct i; simpl; auto.
Qed.

Definition is_adjusted (s : positive * statement) : bool :=
  match snd s with Adjusted _ => true | _ => false end.

Definition check_ranges_on (P : problem) (b : bench) (c : certificate) : outcome :=
  let told := quick_map (fun e => (fst e, said (snd e))) (release P) in
  let base := tell P told Leaf in
  if existsb is_adjusted (release P) then Refused Mixed
  else if negb (adds_up P) then Refused NotAdditive
  else if negb (all cell_is_sane (cells P) && is_true P told && all (is_true P) (attackers P))%bool
  then Refused Untrue
  else judge_all P b (gather told Leaf)
         (map_tree (fun known => learn P known base) (attackers P)) 1 (requirements P) (findings c) [].
Definition check_ranges (P : problem) (c : certificate) : outcome :=
  check_ranges_on P (bench_of (equations P) c) c.

(* ---- adjusted tables *)

Fixpoint numbers_of (rel : list (positive * statement)) (t : tree Z) : tree Z :=
  match rel with
  | [] => t
  | (i, Adjusted x) :: rest => numbers_of rest (set i x t)
  | _ :: rest => numbers_of rest t
  end.
Definition number_at (P : problem) (xs : tree Z) (i : positive) : Z :=
  match get i xs with Some x => x | None => truth P i end.
Fixpoint check_numbers (P : problem) (xs : tree Z) (rel : list (positive * statement)) : option reason :=
  match rel with
  | [] => None
  | (i, Adjusted x) :: rest =>
      if (Z.eqb (number_at P xs i) x && holds_in (prior_of P i) x)%bool then check_numbers P xs rest
      else Some (NotShown i)
  | _ => Some Mixed
  end.

Definition is_far (a x l u s : Z) : bool :=
  (negb (Z.eqb x a) && ((Z.leb u (x - a) && Z.leb s (2 * (x - a))) ||
                        (Z.leb l (a - x) && Z.leb s (2 * (a - x)))))%bool.
Definition judge_number (P : problem) (xs : tree Z) (r : requirement) : verdict :=
  let s := sliding_of P r in
  if is_far (truth P (about r)) (number_at P xs (about r)) (lower r) (upper r) s
  then if (Z.eqb (lower r) 0 && Z.eqb (upper r) 0 && Z.eqb s 0)%bool then Unasked else Protected
  else Exposed.

Fixpoint same_questions (rs : list requirement) (fs : list finding) : bool :=
  match rs, fs with
  | [], [] => true
  | r :: rs', f :: fs' => (Pos.eqb (about r) (its_cell f) && Pos.eqb (by_attacker r) (its_attacker f) &&
                           same_questions rs' fs')%bool
  | _, _ => false
  end.

Definition check_adjusted (P : problem) (c : certificate) : outcome :=
  let xs := numbers_of (release P) Leaf in
  if negb (adds_up P && forallb (fun e => Z.eqb (sum_at (number_at P xs) (terms e)) (rhs e)) (equations P))%bool
  then Refused NotAdditive
  else if negb (all cell_is_sane (cells P) && all (is_true P) (attackers P))%bool then Refused Untrue
  else match check_numbers P xs (release P) with
       | Some why => Refused why
       | None => if same_questions (requirements P) (findings c)
                 then Judged (quick_map (judge_number P xs) (requirements P))
                 else Refused OtherFindings
       end.

Definition shows_numbers_only (P : problem) : bool :=
  match release P with [] => false | _ => forallb is_adjusted (release P) end.
Definition check (P : problem) (c : certificate) : outcome :=
  if shows_numbers_only P then check_adjusted P c else check_ranges P c.

Definition worse (a b : verdict) : verdict :=
  match a, b with
  | Exposed, _ | _, Exposed => Exposed
  | Undecided, _ | _, Undecided => Undecided
  | Protected, _ | _, Protected => Protected
  | Unasked, Unasked => Unasked
  end.
Definition overall (vs : list verdict) : verdict := fold_left worse vs Unasked.

(* ---- what the verdicts mean *)

Definition means (P : problem) (r : requirement) (v : verdict) : Prop :=
  exists l u s, asks P r l u s /\
    match v with
    | Protected => is_protected P r l u s
    | Exposed => is_exposed P r l u s
    | Unasked => l = 0%Z /\ u = 0%Z /\ s = 0%Z /\ ~ stated P (about r)
    | Undecided => True
    end.

Lemma total_ok P ts : dot ts (fun i => qz (truth P i)) == qz (total P ts).
Proof.
  induction ts as [|[i c] rest IH]; simpl; [now rewrite qz_0|]. rewrite IH, qz_plus, qz_mult; reflexivity.
Qed.

Lemma movable_is_consistent P told known z : sane P told known ->
  movable (equations P) (rooms_of P told known) z <->
  consistent P told known (fun i => qz (truth P i) + z i).
Proof.
  intros S. generalize (proj2 (proj2 (proj2 S))); intros U. unfold adds_up in U; rewrite forallb_forall in U.
  assert (E : forall e, In e (equations P) ->
    (dot (terms e) (fun i => qz (truth P i) + z i) == qz (rhs e) <-> dot (terms e) z == 0)).
  { intros e H. rewrite dot_plus, total_ok. specialize (U e H). apply Z.eqb_eq in U. rewrite U. split; intros K; lra. }
  unfold movable, consistent. rewrite (rooms_are_right P told known z S). cbv zeta. split.
  - intros [[A [B [C D]]] M]; split; [|split; [|split; [|split]]]; auto. intros e H; apply E; auto.
  - intros [M [A [B [C D]]]]; split; [split; [|split; [|split]]; auto|]. intros e H; apply E; auto.
Qed.

Lemma consistent_is_movable P told known y : sane P told known -> consistent P told known y ->
  movable (equations P) (rooms_of P told known) (fun i => y i - qz (truth P i)).
Proof.
  intros S C. apply movable_is_consistent; auto. destruct C as [E [A [B [D F]]]].
  assert (X : forall i, qz (truth P i) + (y i - qz (truth P i)) == y i) by (intros; ring).
  split; [|split; [|split; [|split]]].
  - intros e H. rewrite <- (E e H). apply dot_ext. auto.
  - intros i c G. apply within_eq with (y i); [now rewrite X|eauto].
  - intros i r G. apply within_eq with (y i); [now rewrite X|eauto].
  - intros i G. rewrite X; auto.
  - intros i r G. apply within_eq with (y i); [now rewrite X|eauto].
Qed.

Lemma truth_is_consistent P told known : sane P told known ->
  fits_in (rooms_of P told known) (fun _ => 0).
Proof.
  intros S. apply rooms_are_right; auto. cbv zeta. destruct S as [A [B [C _]]].
  assert (X : forall i, qz (truth P i) == qz (truth P i) + 0) by (intros; ring).
  split; [|split; [|split]].
  - intros i c G. apply (within_eq _ _ _ (X i)). generalize (prior_is_true P i A). unfold prior_of; rewrite G; auto.
  - intros i r G. apply (within_eq _ _ _ (X i)). exact (is_true_in _ _ _ _ B G).
  - intros i _. ring.
  - intros i r G. apply (within_eq _ _ _ (X i)). exact (is_true_in _ _ _ _ C G).
Qed.

Lemma one_cell p z : dot [(p, 1%Z)] z == z p.
Proof. simpl. rewrite qz_1; ring. Qed.

Lemma judge_one_ok P c r f v : let told := told_by (release P) in let known := known_to P (by_attacker r) in
  sane P told known ->
  judge_one P (bench_of (equations P) c) (gather told Leaf) (rooms_of P told known) r f = Some v ->
  means P r v.
Proof.
  intros told known S H. unfold judge_one in H.
  set (b := bench_of (equations P) c) in *. set (rs := rooms_of P told known) in *.
  set (p := about r) in *. set (form := [(p, 1%Z)]) in *.
  assert (Truth : fits_in rs (fun _ => 0)) by now apply truth_is_consistent.
  destruct (reach_of b rs form (-1) (low f)) as [down|] eqn:Rd; [|discriminate].
  destruct (reach_of b rs form 1 (high f)) as [up|] eqn:Ru; [|discriminate].
  destruct (limit_of b rs form (-1) (low f)) as [down_limit|] eqn:Ld; [|discriminate].
  destruct (limit_of b rs form 1 (high f)) as [up_limit|] eqn:Lu; [|discriminate].
  inversion H; clear H. apply reach_of_ok in Rd, Ru; auto. apply limit_of_ok in Ld, Lu.
  exists (lower r), (upper r), (sliding_of P r).
  generalize S; intros [Sc [St [Sk _]]]. split; [apply asks_ok; auto|].
  assert (X1 := qz_1). assert (Xm : qz (-1) == -1) by reflexivity.
  assert (Pos : forall z, movable (equations P) rs z -> possible P (by_attacker r) (fun i => qz (truth P i) + z i)).
  { intros z M; apply movable_is_consistent; auto. }
  assert (Neg : forall y, possible P (by_attacker r) y ->
            movable (equations P) rs (fun i => y i - qz (truth P i))).
  { intros y Y; apply consistent_is_movable; auto. }
  assert (Form : forall z, dot form z == z p) by (intros; apply one_cell).
  unfold by_levels. destruct (is_stated _ p) eqn:Said.
  { left. apply stated_ok in Said; auto. }
  destruct (below up_limit (upper r)) eqn:Bu; simpl.
  { right; left. intros y Y. generalize (below_ok _ _ _ _ _ Lu Bu _ (Neg y Y)). rewrite Form, X1. simpl. fold p. lra. }
  destruct (below down_limit (lower r)) eqn:Bd; simpl.
  { right; right; left. intros y Y. generalize (below_ok _ _ _ _ _ Ld Bd _ (Neg y Y)). rewrite Form, Xm. simpl. fold p. lra. }
  destruct (both_below up_limit down_limit (sliding_of P r)) eqn:Bb; simpl.
  { right; right; right. intros y y' Y Y'. generalize (both_below_ok _ _ _ _ _ Lu Ld Bb _ _ (Neg y Y) (Neg y' Y')).
    rewrite !Form. simpl. fold p. lra. }
  assert (NS : ~ stated P p).
  { intros N; apply stated_ok in N; auto. fold told in N; congruence. }
  destruct (Z.eqb_spec (lower r) 0) as [Zl|]; destruct (Z.eqb_spec (upper r) 0) as [Zu|];
    destruct (Z.eqb_spec (sliding_of P r) 0) as [Zs|]; simpl; auto;
  (destruct (at_least up (upper r)) eqn:Au; simpl; auto;
   destruct (at_least down (lower r)) eqn:Ad; simpl; auto;
   destruct (both_at_least up down (sliding_of P r)) eqn:Ab; simpl; auto;
   split; [exact NS|split; [|split]];
   [ destruct (at_least_ok _ _ _ _ _ Ru Au) as [z [M L]]; eexists; split; [exact (Pos z M)|];
     rewrite Form, X1 in L; simpl; fold p; lra
   | destruct (at_least_ok _ _ _ _ _ Rd Ad) as [z [M L]]; eexists; split; [exact (Pos z M)|];
     rewrite Form, Xm in L; simpl; fold p; lra
   | destruct (both_at_least_ok _ _ (movable_zero _ _ Truth) _ _ _ Ru Rd Ab) as [z [z' [M [M' L]]]];
     eexists; eexists; split; [exact (Pos z M)|split; [exact (Pos z' M')|]];
     rewrite !Form in L; simpl; fold p; lra ]).
Qed.

Lemma judge_all_ok P c told all_rooms : told = told_by (release P) ->
  (forall k rs, get k all_rooms = Some rs -> sane P told (known_to P k) /\ rs = rooms_of P told (known_to P k)) ->
  forall rs fs n found vs,
  judge_all P (bench_of (equations P) c) (gather told Leaf) all_rooms n rs fs found = Judged vs ->
  exists vs', vs = rev found ++ vs' /\ Forall2 (means P) rs vs'.
Proof.
  intros T R. induction rs as [|r rs IH]; intros [|f fs] n found vs H; simpl in H; try discriminate.
  - inversion H; subst. exists []. split; [unfold rev'; rewrite <- rev_alt, app_nil_r; auto|constructor].
  - destruct (_ && _)%bool; [|discriminate]. destruct (get (by_attacker r) all_rooms) as [one|] eqn:G; [|discriminate].
    destruct (judge_one _ _ _ _ _ _) as [v|] eqn:J; [|discriminate]. destruct (R _ _ G) as [S ->].
    apply IH in H. destruct H as [vs' [-> F]]. exists (v :: vs'). split; [simpl; now rewrite <- app_assoc|].
    constructor; auto. subst told. eapply judge_one_ok; eauto.
Qed.

(* Theorem 1 and 2: each verdict of a release with blanks, intervals, rounded or altered numbers means
   what Problem.v says. *)
Theorem ranges_are_judged_right P c vs : check_ranges P c = Judged vs -> Forall2 (means P) (requirements P) vs.
Proof.
  unfold check_ranges, check_ranges_on. rewrite quick_map_is_map. fold (told_by (release P)).
  destruct (existsb _ _); [discriminate|].
  destruct (adds_up P) eqn:U; [|discriminate]. simpl.
  destruct (all cell_is_sane (cells P)) eqn:A; [|discriminate]. simpl.
  destruct (is_true P (told_by (release P))) eqn:B; [|discriminate]. simpl.
  destruct (all (is_true P) (attackers P)) eqn:C; [|discriminate]. simpl.
  intros H. eapply judge_all_ok in H; [|reflexivity|].
  - destruct H as [vs' [-> F]]. exact F.
  - intros k rs G. rewrite get_map in G. destruct (get k (attackers P)) as [known|] eqn:K; [|discriminate].
    inversion G; subst; clear G. unfold known_to; rewrite K. split.
    + split; [|split; [|split]]; auto. eapply (all_get _ _ _ C); eauto.
    + reflexivity.
Qed.

(* ---- adjusted tables *)

Definition means_far (P : problem) (r : requirement) (v : verdict) : Prop :=
  exists l u s, asks P r l u s /\ forall x, shown P (about r) x ->
    match v with
    | Protected => far (truth P (about r)) x l u s
    | Unasked => l = 0%Z /\ u = 0%Z /\ s = 0%Z /\ x <> truth P (about r)
    | Exposed => ~ far (truth P (about r)) x l u s
    | Undecided => False
    end.

Lemma is_far_ok a x l u s : is_far a x l u s = true <-> far a x l u s.
Proof.
  unfold is_far, far. rewrite andb_true_iff, negb_true_iff, Z.eqb_neq, orb_true_iff, !andb_true_iff, !Z.leb_le. lia.
Qed.

Lemma numbers_none rel t i : get i (numbers_of rel t) = None -> get i t = None /\ forall x, ~ In (i, Adjusted x) rel.
Proof.
  revert t; induction rel as [|[j st] rest IH]; intros t H; simpl in H; auto.
  destruct st; try (apply IH in H; destruct H as [H K]; split; auto; intros x [E|L]; [discriminate|apply (K x L)]).
  apply IH in H; destruct H as [H K]. destruct (Pos.eq_dec j i) as [->|N]; [rewrite get_set_same in H; discriminate|].
  rewrite get_set_other in H by auto; split; auto. intros x [E|L]; [inversion E; congruence|apply (K x L)].
Qed.

Lemma numbers_some rel t i x : get i (numbers_of rel t) = Some x -> get i t = Some x \/ In (i, Adjusted x) rel.
Proof.
  revert t; induction rel as [|[j st] rest IH]; intros t H; simpl in H; auto.
  destruct st; try (apply IH in H; destruct H; simpl; auto).
  destruct (Pos.eq_dec j i) as [->|N]; [rewrite get_set_same in H; inversion H; auto|rewrite get_set_other in H; auto].
Qed.

Lemma check_numbers_in P xs rel : check_numbers P xs rel = None ->
  (forall i s, In (i, s) rel -> exists x, s = Adjusted x /\ number_at P xs i = x /\ within (prior_of P i) (qz x)).
Proof.
  induction rel as [|[j st] rest IH]; intros H i s K; [inversion K|]. simpl in H.
  destruct st; try discriminate. destruct (Z.eqb_spec (number_at P xs j) number) as [E|]; [|discriminate].
  destruct (holds_in _ _) eqn:W; [|discriminate]. simpl in H. destruct K as [K|K].
  - inversion K; subst. exists (number_at P xs i); repeat split; auto. all: apply holds_in_ok in W; apply W.
  - eauto.
Qed.

Lemma shown_number P i x : check_numbers P (numbers_of (release P) Leaf) (release P) = None ->
  shown P i x <-> number_at P (numbers_of (release P) Leaf) i = x.
Proof.
  intros C. generalize (check_numbers_in _ _ _ C); intros K. split.
  - intros [H|[H ->]].
    + destruct (K _ _ H) as [y [E [F _]]]; congruence.
    + unfold number_at. destruct (get i _) eqn:G; auto. apply numbers_some in G. rewrite get_leaf in G.
      destruct G as [G|G]; [discriminate|destruct (H _ G)].
  - intros <-. unfold number_at. destruct (get i _) as [x|] eqn:G.
    + apply numbers_some in G; rewrite get_leaf in G. destruct G as [G|G]; [discriminate|left; auto].
    + right; split; auto. apply numbers_none in G; destruct G as [_ G]. intros s H.
      destruct (K _ _ H) as [y [-> _]]; apply (G _ H).
Qed.

(* Theorem 4: an adjusted release adds up, keeps what everyone knows, and is as far from the truth as
   its verdicts say. *)
Theorem adjusted_are_judged_right P c vs : check_adjusted P c = Judged vs ->
  (forall x, (forall i, shown P i (x i)) ->
     (forall e, In e (equations P) -> dot (terms e) (fun i => qz (x i)) == qz (rhs e)) /\
     (forall i k, get i (cells P) = Some k -> within (prior k) (qz (x i)))) /\
  Forall2 (means_far P) (requirements P) vs.
Proof.
  unfold check_adjusted. set (xs := numbers_of (release P) Leaf).
  destruct (adds_up P); [|discriminate]. cbn [andb].
  destruct (forallb _ (equations P)) eqn:U; [|discriminate]. cbn [negb].
  destruct (all cell_is_sane (cells P)) eqn:S; [|discriminate]. cbn [andb].
  destruct (all (is_true P) (attackers P)) eqn:A; [|discriminate]. cbn [negb].
  destruct (check_numbers P xs (release P)) eqn:C; [discriminate|].
  destruct (same_questions _ _); [|discriminate]. intros H; inversion H; subst vs; clear H. rewrite quick_map_is_map. split.
  - intros x X. assert (E : forall i, x i = number_at P xs i).
    { intros i; symmetry; apply shown_number; auto. } split.
    + intros e H. rewrite forallb_forall in U. specialize (U e H). apply Z.eqb_eq in U.
      rewrite <- U, <- sum_at_ok. apply dot_ext. intros i; now rewrite E.
    + intros i k G. generalize (prior_is_true P i S). unfold prior_of; rewrite G; intros W.
      destruct (X i) as [H|[_ ->]]; auto. destruct (check_numbers_in _ _ _ C _ _ H) as [y [F [_ K]]].
      inversion F; subst. unfold prior_of in K; now rewrite G in K.
  - induction (requirements P) as [|r rs IH]; simpl; constructor; auto. clear IH rs.
    exists (lower r), (upper r), (sliding_of P r). split.
    + apply asks_ok; auto. unfold known_to. destruct (get _ (attackers P)) eqn:G; [|reflexivity].
      exact (all_get _ _ _ A G).
    + intros x X. apply shown_number in X; auto. fold xs in X. unfold judge_number. rewrite X.
      generalize (is_far_ok (truth P (about r)) x (lower r) (upper r) (sliding_of P r)); intros F.
      destruct (is_far _ _ _ _ _).
      * destruct (Z.eqb_spec (lower r) 0); destruct (Z.eqb_spec (upper r) 0);
          destruct (Z.eqb_spec (sliding_of P r) 0); simpl; try (now apply F).
        repeat split; auto. now apply F.
      * intros K; apply F in K; discriminate.
Qed.

(* ---- the release as a whole *)

Lemma overall_protected vs : overall vs = Protected -> Forall (fun v => v = Protected \/ v = Unasked) vs.
Proof.
  unfold overall. assert (G : forall a, fold_left worse vs a = Protected ->
    (a = Protected \/ a = Unasked) /\ Forall (fun v => v = Protected \/ v = Unasked) vs).
  { induction vs as [|v vs IH]; simpl; intros a H; [split; auto|].
    apply IH in H; destruct H as [H F]. destruct a, v; simpl in H; destruct H as [H|H]; try discriminate; auto. }
  intros H; exact (proj2 (G _ H)).
Qed.

Theorem nobody_concludes_more P c vs : shows_numbers_only P = false ->
  check P c = Judged vs -> overall vs = Protected ->
  forall r, In r (requirements P) -> exists l u s, asks P r l u s /\ ~ stated P (about r) /\
  forall from to, right_conclusion P (by_attacker r) (about r) from to ->
    from <= qz (truth P (about r)) - qz l /\ qz (truth P (about r)) + qz u <= to /\ qz s <= to - from.
Proof.
  unfold check; intros N H O r R. rewrite N in H.
  assert (T : possible P (by_attacker r) (fun i => qz (truth P i))).
  { revert H. unfold check_ranges, check_ranges_on. rewrite quick_map_is_map. fold (told_by (release P)).
    destruct (existsb _ _); [discriminate|]. destruct (adds_up P) eqn:U; [|discriminate]. simpl.
    destruct (all cell_is_sane (cells P)) eqn:A; [|discriminate]. simpl.
    destruct (is_true P (told_by (release P))) eqn:B; [|discriminate]. simpl.
    destruct (all (is_true P) (attackers P)) eqn:C; [|discriminate]. intros _.
    split; [|split; [|split; [|split]]].
    - intros e E. unfold adds_up in U; rewrite forallb_forall in U. specialize (U e E). apply Z.eqb_eq in U.
      now rewrite total_ok, U.
    - intros i k G. generalize (prior_is_true P i A). unfold prior_of; now rewrite G.
    - intros i x G. exact (is_true_in _ _ _ _ B G).
    - reflexivity.
    - unfold known_to. destruct (get _ (attackers P)) eqn:G; [|intros i x []].
      intros i x E. exact (is_true_in _ _ _ _ (all_get _ _ _ C G) E). }
  apply ranges_are_judged_right in H. apply overall_protected in O.
  assert (M : exists v, (v = Protected \/ v = Unasked) /\ means P r v).
  { clear T. induction H as [|r' v rs vs' M F IH]; [inversion R|]. inversion O; subst.
    destruct R as [->|R]; [exists v; auto|auto]. }
  destruct M as [v [V [l [u [s [Q K]]]]]]. exists l, u, s. split; auto. destruct V as [->| ->].
  - destruct K as [NS [[y [Y1 Y2]] [[y' [Y1' Y2']] [y3 [y4 [Y3 [Y4 Y5]]]]]]]. split; auto.
    intros from to C. generalize (C _ Y1) (C _ Y1') (C _ Y3) (C _ Y4).
    simpl in *. intros A1 A2 A3 A4. split; [|split]; lra.
  - destruct K as [-> [-> [-> NS]]]. split; auto. intros from to C. specialize (C _ T). rewrite !qz_0.
    simpl in *. split; [|split]; lra.
Qed.
