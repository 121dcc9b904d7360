(* SPDX-License-Identifier: Apache-2.0 *)
(* The verdicts about counts, and the theorem about them. *)
From Coq Require Import ZArith QArith List Bool Lia Lqa.
From Lacuna Require Import Trees Problem Rooms Evidence Checker Verdicts Counts Whole.
Import ListNotations.
Local Open Scope Z_scope.

(* ---- what is read *)

Record count_end := { c_shows : option (bool * positive);  (* a ray?, and the witness *)
                      c_chain : option positive; c_proof : option positive;
                      c_step : option positive; c_tree : option positive }.
Record answer := { c_low : count_end; c_high : count_end;
                   others : list positive }.  (* witnesses of further numbers *)
Record count_certificate := {
  base : certificate; c_steps : list step; c_chains : list (list line); c_trees : list cases;
  answers : list answer }.

Inductive count_outcome :=
  | Both (of_requirements of_questions : list verdict)
  | Neither (why : reason)       (* the table, the release or the evidence of a requirement *)
  | FalseNumbers                 (* a list of possible numbers lacks the truth or is given twice *)
  | OtherAnswers                 (* the answers are not those of the questions *)
  | WrongAnswer (n : positive).  (* the evidence of this answer, counted from 1, is wrong *)

(* ---- ends *)

Definition reach_count (b : bench) (hs : holes) (rs : rooms) (f : list (positive * Z)) (sign : Z)
  (shows : option (bool * positive)) : option (option Z) :=
  match shows with
  | None => Some (Some 0)
  | Some (is_ray, n) =>
      match get n (its_witnesses b) with
      | None => None
      | Some (w, is_balanced) =>
          let t := vector (entries w) in
          let m := sign * form_at f t in
          if is_balanced then
            if is_ray
            then if (Z.ltb 0 (denominator w) && fit repeats_one t rs &&
                     zip_all (fun v _ => Z.eqb v 0) t hs && Z.ltb 0 m)%bool then Some None else None
            else if (Z.eqb (denominator w) 1 && fit (fits_one 1) t rs &&
                     zip_all (fun v l => Z.eqb v 0 || existsb (Z.eqb v) l)%bool t hs)%bool
                 then Some (Some m) else None
          else None
      end
  end.

Definition claims_nothing (e : count_end) : bool :=
  match c_chain e, c_proof e, c_step e, c_tree e with None, None, None, None => true | _, _, _, _ => false end.

Definition limit_count (a : positive -> Z) (b : evidence) (trees : tree cases) (hs : holes) (rs : rooms)
  (f : list (positive * Z)) (sign : Z) (e : count_end) : option (option Z) :=
  if claims_nothing e then Some None
  else match after_chain a b hs rs (c_chain e) with
       | None => None
       | Some rs' =>
           match named (c_tree e) trees with
           | None => None
           | Some (Some t) => match bound_cases a b hs f sign t rs' with
                              | Some (Some n) => Some (Some n)
                              | _ => None
                              end
           | Some None =>
               match named (c_proof e) (e_proofs b), named (c_step e) (e_steps b) with
               | Some p, Some s => match direct (e_rows b) rs' f sign p s with
                                   | Some n => Some (Some n)
                                   | None => None
                                   end
               | _, _ => None
               end
           end
       end.

(* The step behind a limit; 1 if there is none. *)
Definition step_behind (b : evidence) (e : count_end) : Z :=
  match c_tree e, named (c_step e) (e_steps b) with
  | None, Some (Some s) => q_of s
  | _, _ => 1
  end.

Definition whole_moves := (positive -> Z) -> Prop.
Definition reaches_whole (can : whole_moves) f sign (r : option Z) : Prop :=
  match r with
  | None => forall far, exists z, can z /\ far <= sign * sum_at z f
  | Some m => exists z, can z /\ sign * sum_at z f = m
  end.
Definition limits_whole (can : whole_moves) f sign (r : option Z) : Prop :=
  match r with None => True | Some n => forall z, can z -> sign * sum_at z f <= n end.

Lemma form_is_sum f t : form_at f t = sum_at (fun i => at_ i t) f.
Proof. induction f as [|[i c] rest IH]; simpl; [reflexivity|]. now rewrite IH. Qed.
Lemma sum_at_scale k z f : sum_at (fun i => k * z i) f = k * sum_at z f.
Proof. induction f as [|[i c] rest IH]; simpl; [ring|]. rewrite IH; ring. Qed.
Lemma sum_at_plus z z' f : sum_at (fun i => z i + z' i) f = sum_at z f + sum_at z' f.
Proof. induction f as [|[i c] rest IH]; simpl; [ring|]. rewrite IH; ring. Qed.
Lemma sum_at_ext z z' f : (forall i, z i = z' i) -> sum_at z f = sum_at z' f.
Proof. intros H; induction f as [|[i c] rest IH]; simpl; [reflexivity|]. now rewrite IH, H. Qed.
Lemma sum_at_zero f : sum_at (fun _ => 0) f = 0.
Proof. induction f as [|[i c] rest IH]; simpl; [reflexivity|]. rewrite IH; ring. Qed.

Lemma zip_at (one : Z -> list Z -> bool) t hs i l : zip_all one t hs = true -> get i hs = Some l ->
  at_ i t = 0 \/ one (at_ i t) l = true.
Proof.
  intros H G. unfold at_. destruct (get i t) as [v|] eqn:E; [right|left; reflexivity].
  exact (zip_all_get _ _ _ _ _ _ _ _ H E G).
Qed.

Lemma reach_count_ok es c hs rs f sign shows r :
  movable_whole es rs hs (fun _ => 0) ->
  reach_count (bench_of es c) hs rs f sign shows = Some r ->
  reaches_whole (movable_whole es rs hs) f sign r.
Proof.
  intros M0 H. unfold reach_count in H. destruct shows as [[is_ray n]|].
  2:{ inversion H; subst. exists (fun _ => 0); split; auto. rewrite sum_at_zero; ring. }
  destruct (get n _) as [[w is_balanced]|] eqn:G; [|discriminate]. apply bench_witness in G.
  destruct is_balanced; [|discriminate]. symmetry in G. generalize (balanced_ok _ _ G); intros B; clear G.
  set (t := vector (entries w)) in *. destruct M0 as [F0 [_ H0]]. destruct is_ray.
  - destruct (_ && _)%bool eqn:E in H; [|discriminate]. inversion H; subst; clear H.
    apply andb_prop in E; destruct E as [E L]. apply andb_prop in E; destruct E as [E N].
    apply andb_prop in E; destruct E as [_ E]. apply Z.ltb_lt in L. intros far.
    set (k := Z.max 0 far). exists (fun i => k * at_ i t). split; [split; [|split]|].
    + intros i. unfold units. destruct (fit_get _ t rs i (fun _ _ => I) E) as [[v [Gv V]]|Z0].
      * apply within_eq with (qz k * qz v)%Q; [unfold at_; rewrite Gv; simpl; now rewrite qz_mult|].
        apply repeats_one_ok; auto; [change 0%Q with (qz 0); apply le_qz; lia|apply (F0 i)].
      * rewrite Z0, Z.mul_0_r. apply (F0 i).
    + intros x X. rewrite (dot_ext _ _ (fun i => qz k * as_function t i)%Q).
      * rewrite dot_scale, (B x X); ring.
      * intros i. unfold units, as_function. now rewrite qz_mult.
    + intros i l Gl. destruct (zip_at _ _ _ _ _ N Gl) as [Z0|Z0]; [|apply Z.eqb_eq in Z0];
        rewrite Z0, Z.mul_0_r; eauto.
    + rewrite sum_at_scale, <- form_is_sum. subst k. nia.
  - destruct (_ && _)%bool eqn:E in H; [|discriminate]. inversion H; subst; clear H.
    apply andb_prop in E; destruct E as [E N]. apply andb_prop in E; destruct E as [_ E].
    exists (fun i => at_ i t). split; [split; [|split]|].
    + intros i. unfold units. destruct (fit_get _ t rs i (fun _ _ => I) E) as [[v [Gv V]]|Z0].
      * apply within_eq with (qz v / qz 1)%Q; [unfold at_; rewrite Gv; simpl; rewrite qz_1; field|].
        apply fits_one_ok; auto. lia.
      * rewrite Z0. apply (F0 i).
    + intros x X. apply (B x X).
    + intros i l Gl. destruct (zip_at _ _ _ _ _ N Gl) as [Z0|Z0]; [rewrite Z0; eauto|].
      apply orb_prop in Z0; destruct Z0 as [Z0|Z0]; [apply Z.eqb_eq in Z0; rewrite Z0; eauto|].
      apply existsb_exists in Z0; destruct Z0 as [v [V Z0]]. apply Z.eqb_eq in Z0. now rewrite Z0.
    + now rewrite form_is_sum.
Qed.

Section Limits.
  Variables (a : positive -> Z) (es : list equation) (b : evidence) (trees : tree cases) (hs : holes).
  Variables (rs : rooms) (f : list (positive * Z)).
  Hypothesis Rows : forall e x, get e (e_rows b) = Some x -> In x es.

  Lemma limit_count_ok sign e r : limit_count a b trees hs rs f sign e = Some r ->
    limits_whole (movable_whole es rs hs) f sign r.
  Proof.
    unfold limit_count; intros H. destruct (claims_nothing e); [inversion H; simpl; auto|].
    destruct (after_chain a b hs rs (c_chain e)) as [rs'|] eqn:C; [|discriminate].
    destruct (named (c_tree e) trees) as [[t|]|]; [| |discriminate].
    - destruct (bound_cases a b hs f sign t rs') as [[n|]|] eqn:D; try discriminate. inversion H; subst.
      intros z M. generalize (after_chain_ok a es b hs Rows _ _ _ _ C M); intros M'.
      destruct (bound_cases_ok a es b hs Rows _ _ _ _ _ _ D M') as [n' [E L]]. inversion E; subst; auto.
    - destruct (named (c_proof e) _) as [p|]; [|discriminate]. destruct (named (c_step e) _) as [s|]; [|discriminate].
      destruct (direct _ _ _ _ _ _) as [n|] eqn:D; [|discriminate]. inversion H; subst. intros z M.
      eapply direct_ok; eauto. eapply after_chain_ok; eauto.
  Qed.

  Lemma step_behind_ok sign e n z : limit_count a b trees hs rs f sign e = Some (Some n) ->
    movable_whole es rs hs z -> 0 < step_behind b e /\ (step_behind b e | sum_at z f).
  Proof.
    unfold limit_count, step_behind; intros H M.
    assert (One : 0 < 1 /\ (1 | sum_at z f)) by (split; [lia|apply Z.divide_1_l]).
    destruct (claims_nothing e); [discriminate|].
    destruct (after_chain a b hs rs (c_chain e)) as [rs'|] eqn:C; [|discriminate].
    destruct (c_tree e) as [t|]; auto. simpl named in H at 1.
    destruct (named (c_proof e) _) as [p|]; [|discriminate].
    destruct (named (c_step e) _) as [[s|]|]; auto. unfold direct in H.
    destruct (bound_of _ _ _ _ _) as [[m d]|]; [|discriminate].
    destruct (step_holds (e_rows b) rs' f s) eqn:S; [|discriminate].
    eapply step_ok; eauto. eapply after_chain_ok; eauto.
  Qed.
End Limits.

(* ---- how many numbers are left, and how many are shown *)

Definition length_of {A} (l : list A) : Z := fold_left (fun n _ => n + 1) l 0.
Lemma length_of_ok A (l : list A) : length_of l = Z.of_nat (length l).
Proof.
  unfold length_of. assert (G : forall n, fold_left (fun n _ => n + 1) l n = n + Z.of_nat (length l)).
  { induction l as [|v l IH]; intros n; simpl length; simpl fold_left; [lia|]. rewrite IH. lia. }
  rewrite G; lia.
Qed.

Fixpoint distinct (l done : list Z) : list Z :=
  match l with
  | [] => done
  | v :: rest => distinct rest (if existsb (Z.eqb v) done then done else v :: done)
  end.
Lemma distinct_ok l : forall done, NoDup done ->
  NoDup (distinct l done) /\ forall v, In v (distinct l done) -> In v l \/ In v done.
Proof.
  induction l as [|v l IH]; intros done N; simpl; [auto|].
  destruct (existsb (Z.eqb v) done) eqn:E.
  - destruct (IH done N) as [A B]; split; auto. intros x X; destruct (B x X); auto.
  - assert (N' : NoDup (v :: done)).
    { constructor; auto. intros I0. assert (existsb (Z.eqb v) done = true); [|congruence].
      apply existsb_exists; exists v; split; auto. apply Z.eqb_refl. }
    destruct (IH (v :: done) N') as [A B]; split; auto.
    intros x X; destruct (B x X) as [H|[H|H]]; auto.
Qed.

Definition numbers_left (hs : holes) (f : list (positive * Z)) (q down up : Z) : Z :=
  if Z.eqb q 1 then
    match f with
    | [(i, c)] => match get i hs with
                  | Some l => if Z.eqb c 1 then length_of (filter (holds_in (Some (- down), Some up)) l)
                              else down + up + 1
                  | None => down + up + 1
                  end
    | _ => down + up + 1
    end
  else (down + up) / q + 1.

Lemma nodup_map A B (g : A -> B) l : NoDup l -> (forall x y, In x l -> In y l -> g x = g y -> x = y) ->
  NoDup (map g l).
Proof.
  induction 1 as [|x l N D IH]; intros H; simpl; constructor.
  - intros I0. apply in_map_iff in I0. destruct I0 as [y [E Y]]. rewrite (H x y) in N; simpl; auto.
  - apply IH. intros; apply H; simpl; auto.
Qed.

Lemma few_multiples q down up xs : 0 < q -> 0 <= down -> 0 <= up -> NoDup xs ->
  (forall x, In x xs -> (q | x) /\ - down <= x <= up) -> Z.of_nat (length xs) <= (down + up) / q + 1.
Proof.
  intros Q D U N H. set (g := fun x => Z.to_nat (x / q + down / q)).
  assert (K : forall x, In x xs -> - (down / q) <= x / q <= up / q).
  { intros x X. destruct (H x X) as [[k ->] [A B]]. rewrite Z.div_mul by lia. split.
    - assert (- k <= down / q) by (apply Z.div_le_lower_bound; nia). lia.
    - apply Z.div_le_lower_bound; nia. }
  assert (N' : NoDup (map g xs)).
  { apply nodup_map; auto. intros x y X Y E. unfold g in E. generalize (K x X) (K y Y); intros.
    apply Z2Nat.inj in E; try lia. destruct (H x X) as [[k ->] _], (H y Y) as [[k' ->] _].
    rewrite !Z.div_mul in E by lia. f_equal; lia. }
  assert (I0 : incl (map g xs) (seq 0 (Z.to_nat (up / q + down / q + 1)))).
  { intros n I0. apply in_map_iff in I0. destruct I0 as [x [<- X]]. apply in_seq. unfold g.
    generalize (K x X); intros. assert (0 <= up / q) by (apply Z.div_pos; lia). lia. }
  generalize (NoDup_incl_length N' I0). rewrite map_length, seq_length. intros L.
  assert (0 <= up / q) by (apply Z.div_pos; lia). assert (0 <= down / q) by (apply Z.div_pos; lia).
  assert (up / q + down / q <= (down + up) / q).
  { apply Z.div_le_lower_bound; auto. generalize (Z.mul_div_le up q Q) (Z.mul_div_le down q Q). lia. }
  lia.
Qed.

(* ---- what is asked *)

Definition by_cell (rs : list requirement) : tree (list requirement) :=
  fold_left (fun t r => set (about r) (r :: match get (about r) t with Some l => l | None => [] end) t) rs Leaf.
Lemma by_cell_in rs i l r : get i (by_cell rs) = Some l -> In r l -> In r rs /\ about r = i.
Proof.
  unfold by_cell.
  assert (G : forall t, (forall i l r, get i t = Some l -> In r l -> In r rs /\ about r = i \/ False) -> True) by auto.
  clear G. assert (G : forall done t,
    (forall i l r, get i t = Some l -> In r l -> In r done /\ about r = i) ->
    forall i l r, get i (fold_left (fun t r => set (about r) (r :: match get (about r) t with Some l => l | None => [] end) t) rs t) = Some l ->
    In r l -> (In r done \/ In r rs) /\ about r = i).
  { induction rs as [|r0 rs IH]; intros done t T j m x Gj X; simpl in Gj.
    - destruct (T j m x Gj X); auto.
    - assert (T' : forall i l r, get i (set (about r0) (r0 :: match get (about r0) t with Some l => l | None => [] end) t) = Some l ->
        In r l -> In r (r0 :: done) /\ about r = i).
      { intros i' l' r' Gi R. destruct (Pos.eq_dec (about r0) i') as [<-|Ne].
        - rewrite get_set_same in Gi. inversion Gi; subst. destruct R as [->|R]; [simpl; auto|].
          destruct (get (about r0) t) as [l0|] eqn:G0; [|inversion R]. destruct (T _ _ _ G0 R); simpl; auto.
        - rewrite get_set_other in Gi by auto. destruct (T _ _ _ Gi R); simpl; auto. }
      destruct (IH (r0 :: done) _ T' j m x Gj X) as [[[A|A]|A] E]; simpl; auto. }
  intros H R. destruct (G [] Leaf) with (i := i) (l := l) (r := r) as [[A|A] E]; auto.
  - intros i0 l0 r0 G0; now rewrite get_leaf in G0.
  - inversion A.
Qed.

Definition demand_of (P : problem) (C : counting) (needs : tree (list requirement)) (q : question) : option demand :=
  let v := sum_at (truth P) (form q) in
  match kind_of q with
  | KExact => Some (Numbers (ambiguity C + 1))
  | KSmall => Some (OneOf v (threshold C - v))
  | KZero => Some (AllOf 0 (1 - v) 0)
  | KAll | KGroup => Some (AllOf 0 (1 + coalition C - v) 0)
  | KImplied => Some (Numbers 2)
  | KLevels =>
      match get (main_cell q) needs with
      | None => None
      | Some l => match find (fun r => Pos.eqb (by_attacker r) (asked_by q)) l with
                  | None => None
                  | Some r => Some (AllOf (lower r) (upper r) (sliding_of P r))
                  end
      end
  end.

Lemma demand_of_ok P C q d : all cell_is_sane (cells P) = true -> is_true P (known_to P (asked_by q)) = true ->
  demand_of P C (by_cell (requirements P)) q = Some d -> demands P C q d.
Proof.
  intros S K. unfold demand_of, demands. destruct (kind_of q); intros H; try (inversion H; reflexivity).
  destruct (get (main_cell q) _) as [l|] eqn:G; [|discriminate].
  destruct (find _ l) as [r|] eqn:F; [|discriminate]. inversion H; subst; clear H.
  apply find_some in F; destruct F as [I0 E]. apply Pos.eqb_eq in E.
  destruct (by_cell_in _ _ _ _ G I0) as [R A]. exists r, (lower r), (upper r), (sliding_of P r).
  repeat split; auto; rewrite <- E in K; apply asks_ok; auto.
Qed.

(* ---- verdicts *)

Definition z_at_least (r : option Z) (n : Z) : bool := match r with None => true | Some m => Z.leb n m end.
Definition z_both_at_least (r r' : option Z) (n : Z) : bool :=
  match r, r' with Some m, Some m' => Z.leb n (m + m') | _, _ => true end.
Definition z_below (r : option Z) (n : Z) : bool := match r with None => false | Some m => Z.ltb m n end.
Definition z_both_below (r r' : option Z) (n : Z) : bool :=
  match r, r' with Some m, Some m' => Z.ltb (m + m') n | _, _ => false end.

Definition by_demand (k : kind) (is_said : bool) (d : demand) (down up down_limit up_limit : option Z)
  (more : list Z) (left : Z -> Z -> Z) : verdict :=
  if (is_said && is_about_a_cell k)%bool then Exposed
  else match d with
  | Numbers n =>
      if match down, up with
         | Some m, Some m' => Z.leb n (length_of (distinct (0 :: - m :: m' :: more) []))
         | _, _ => true
         end then Protected
      else match down_limit, up_limit with
           | Some m, Some m' => if Z.ltb (left m m') n then Exposed else Undecided
           | _, _ => Undecided
           end
  | OneOf l u =>
      if (z_at_least down l || z_at_least up u)%bool then Protected
      else if (z_below down_limit l && z_below up_limit u)%bool then Exposed else Undecided
  | AllOf l u s =>
      if (z_below up_limit u || z_below down_limit l || z_both_below up_limit down_limit s)%bool then Exposed
      else if (match k with KLevels => true | _ => false end && Z.eqb l 0 && Z.eqb u 0 && Z.eqb s 0)%bool
      then Unasked
      else if (z_at_least up u && z_at_least down l && z_both_at_least up down s)%bool then Protected
      else Undecided
  end.

Definition numbers_shown (b : bench) (hs : holes) (rs : rooms) (f : list (positive * Z)) (ws : list positive)
  : option (list Z) :=
  fold_left (fun done n =>
    match done, reach_count b hs rs f 1 (Some (false, n)) with
    | Some l, Some (Some m) => Some (m :: l)
    | _, _ => None
    end) ws (Some []).

Definition judge_question (P : problem) (C : counting) (b : bench) (e : evidence) (trees : tree cases)
  (said : tree range) (needs : tree (list requirement)) (hs : holes) (rs snapped : rooms) (q : question)
  (a : answer) : option verdict :=
  let f := form q in
  match demand_of P C needs q, reach_count b hs rs f (-1) (c_shows (c_low a)),
        reach_count b hs rs f 1 (c_shows (c_high a)),
        limit_count (truth P) e trees hs snapped f (-1) (c_low a),
        limit_count (truth P) e trees hs snapped f 1 (c_high a), numbers_shown b hs rs f (others a) with
  | Some d, Some down, Some up, Some down_limit, Some up_limit, Some more =>
      let step := Z.max (match down_limit with Some _ => step_behind e (c_low a) | None => 1 end)
                        (match up_limit with Some _ => step_behind e (c_high a) | None => 1 end) in
      Some (by_demand (kind_of q) (is_stated said (main_cell q)) d down up down_limit up_limit more
                      (numbers_left hs f step))
  | _, _, _, _, _, _ => None
  end.

Definition means_counts (P : problem) (C : counting) (q : question) (v : verdict) : Prop :=
  exists d, demands P C q d /\
    match v with
    | Protected => is_met P C q d
    | Exposed => is_refuted P C q d
    | Unasked => d = AllOf 0 0 0 /\ ~ stated P (main_cell q)
    | Undecided => True
    end.

Section Whole_levels.
  Variables (can : whole_moves) (f : list (positive * Z)).
  Lemma z_below_ok sign r n : limits_whole can f sign r -> z_below r n = true ->
    forall z, can z -> sign * sum_at z f < n.
  Proof.
    destruct r as [m|]; cbn [reaches_whole limits_whole z_at_least z_below z_both_at_least z_both_below]; intros H L z M; [|discriminate]. apply Z.ltb_lt in L. specialize (H z M). lia.
  Qed.
  Lemma z_at_least_ok sign r n : reaches_whole can f sign r -> z_at_least r n = true ->
    exists z, can z /\ n <= sign * sum_at z f.
  Proof.
    destruct r as [m|]; cbn [reaches_whole limits_whole z_at_least z_below z_both_at_least z_both_below]; intros H L; [|apply H]. apply Z.leb_le in L. destruct H as [z [M E]].
    exists z; split; auto; lia.
  Qed.
  Lemma z_both_below_ok r r' n : limits_whole can f 1 r -> limits_whole can f (-1) r' -> z_both_below r r' n = true ->
    forall z z', can z -> can z' -> sum_at z f - sum_at z' f < n.
  Proof.
    destruct r as [m|], r' as [m'|]; cbn [reaches_whole limits_whole z_at_least z_below z_both_at_least z_both_below]; intros H H' L z z' M M'; try discriminate. apply Z.ltb_lt in L.
    specialize (H z M); specialize (H' z' M'). lia.
  Qed.
  Lemma z_both_at_least_ok r r' n : can (fun _ => 0) -> reaches_whole can f 1 r -> reaches_whole can f (-1) r' ->
    z_both_at_least r r' n = true -> exists z z', can z /\ can z' /\ n <= sum_at z f - sum_at z' f.
  Proof.
    intros M0 R R' L. destruct r as [m|].
    - destruct R as [z [M E]]. destruct r' as [m'|]; cbn [reaches_whole limits_whole z_at_least z_below z_both_at_least z_both_below] in *.
      + destruct R' as [z' [M' E']]. apply Z.leb_le in L. exists z, z'; repeat split; auto; lia.
      + destruct (R' (n - sum_at z f)) as [z' [M' E']]. exists z, z'; repeat split; auto; lia.
    - cbn [reaches_whole limits_whole z_at_least z_below z_both_at_least z_both_below] in R. destruct (R n) as [z [M E]]. exists z, (fun _ => 0). rewrite sum_at_zero. repeat split; auto; lia.
  Qed.
End Whole_levels.

(* ---- the same moves, by rooms and holes or by tables *)

Fixpoint holes_of (P : problem) (l : list (positive * list Z)) (t : holes) : option holes :=
  match l with
  | [] => Some t
  | (i, ns) :: rest =>
      match get i t with
      | Some _ => None
      | None => if existsb (Z.eqb (truth P i)) ns
                then holes_of P rest (set i (map (fun n => n - truth P i) ns) t) else None
      end
  end.

Lemma holes_keep P l : forall t hs i m, holes_of P l t = Some hs -> get i t = Some m -> get i hs = Some m.
Proof.
  induction l as [|[j ns] rest IH]; intros t hs i m H G; simpl in H; [inversion H; subst; auto|].
  destruct (get j t) eqn:E; [discriminate|]. destruct (existsb _ ns); [|discriminate].
  apply IH with (1 := H). rewrite get_set_other; auto. intros ->; congruence.
Qed.
Lemma holes_all P l : forall t hs i ns, holes_of P l t = Some hs -> In (i, ns) l ->
  get i hs = Some (map (fun n => n - truth P i) ns) /\ In (truth P i) ns.
Proof.
  induction l as [|[j ms] rest IH]; intros t hs i ns H K; [inversion K|]. simpl in H.
  destruct (get j t) eqn:E; [discriminate|]. destruct (existsb _ ms) eqn:X; [|discriminate].
  destruct K as [K|K]; [|eauto]. inversion K; subst. split.
  - eapply holes_keep; eauto. apply get_set_same.
  - apply existsb_exists in X; destruct X as [v [V E']]. apply Z.eqb_eq in E'. now rewrite E'.
Qed.
Lemma holes_only P l : forall t hs i m, holes_of P l t = Some hs -> get i hs = Some m ->
  get i t = Some m \/ exists ns, In (i, ns) l /\ m = map (fun n => n - truth P i) ns.
Proof.
  induction l as [|[j ms] rest IH]; intros t hs i m H G; simpl in H; [inversion H; subst; auto|].
  destruct (get j t) eqn:E; [discriminate|]. destruct (existsb _ ms); [|discriminate].
  destruct (IH _ _ _ _ H G) as [K|[ns [K ->]]]; [|right; exists ns; simpl; auto].
  destruct (Pos.eq_dec j i) as [->|N].
  - rewrite get_set_same in K. inversion K; subst. right; exists ms; simpl; auto.
  - rewrite get_set_other in K by auto; auto.
Qed.

Lemma consistent_ext P told known y y' : (forall i, (y i == y' i)%Q) -> consistent P told known y ->
  consistent P told known y'.
Proof.
  intros E [A [B [C [D F]]]]. split; [|split; [|split; [|split]]].
  - intros e H. rewrite <- (A e H). apply dot_ext. intros i; now rewrite E.
  - intros i c G. apply within_eq with (y i); eauto.
  - intros i r G. apply within_eq with (y i); eauto.
  - intros i G. now rewrite <- E, D.
  - intros i r G. apply within_eq with (y i); eauto.
Qed.

Lemma moves_are_tables P C k hs z : let told := told_counts P C in
  sane P told (known_to P k) -> holes_of P (among C) Leaf = Some hs ->
  movable_whole (equations P) (rooms_of P told (known_to P k)) hs z <->
  possible_counts P C k (fun i => truth P i + z i).
Proof.
  intros told S Hs. unfold movable_whole, possible_counts.
  assert (E : forall i, (qz (truth P i) + units z i == qz (truth P i + z i))%Q).
  { intros i; unfold units; now rewrite qz_plus. }
  generalize (movable_is_consistent P told (known_to P k) (units z) S); intros M. unfold movable in M.
  split.
  - intros [F [B H]]. split.
    + apply consistent_ext with (1 := E). apply M; auto.
    + intros i l I0. destruct (holes_all _ _ _ _ _ _ Hs I0) as [G _]. specialize (H _ _ G).
      apply in_map_iff in H. destruct H as [n [N I1]]. replace (truth P i + z i) with n by lia. auto.
  - intros [K H]. assert (K' : consistent P told (known_to P k) (fun i => qz (truth P i) + units z i)%Q).
    { eapply consistent_ext with (2 := K). intros i; symmetry; apply E. }
    apply M in K'. destruct K' as [F B]. split; [|split]; auto. intros i m G.
    destruct (holes_only _ _ _ _ _ _ Hs G) as [G'|[ns [I0 ->]]]; [now rewrite get_leaf in G'|].
    apply in_map_iff. exists (truth P i + z i). split; [lia|]. apply (H _ _ I0).
Qed.

Section Question.
  Variables (P : problem) (C : counting) (c : certificate) (e : evidence) (trees : tree cases) (hs : holes).
  Variable q : question.
  Let told := told_counts P C.
  Let known := known_to P (asked_by q).
  Let rs := rooms_of P told known.
  Let can := movable_whole (equations P) rs hs.
  Hypothesis Sane : sane P told known.
  Hypothesis Hs : holes_of P (among C) Leaf = Some hs.
  Hypothesis Rows : forall n x, get n (e_rows e) = Some x -> In x (equations P).

  Lemma can_move z : can z -> can_be P C q (sum_at z (form q)).
  Proof.
    intros M. exists (fun i => truth P i + z i). split; [|apply sum_at_plus].
    apply (moves_are_tables P C (asked_by q) hs z Sane Hs); exact M.
  Qed.
  Lemma can_be_moved d : can_be P C q d -> exists z, can z /\ sum_at z (form q) = d.
  Proof.
    intros [y [Y E]]. exists (fun i => y i - truth P i). split.
    - apply (moves_are_tables P C (asked_by q) hs _ Sane Hs). destruct Y as [A B]. split.
      + eapply consistent_ext with (2 := A). intros i. simpl.
        now replace (truth P i + (y i - truth P i)) with (y i) by lia.
      + intros i l I0. replace (truth P i + (y i - truth P i)) with (y i) by lia. auto.
    - assert (X : sum_at y (form q) = sum_at (fun i => truth P i + (y i - truth P i)) (form q)).
      { apply sum_at_ext; intros; lia. } rewrite sum_at_plus in X. lia.
  Qed.
  Lemma can_stay : can (fun _ => 0).
  Proof.
    split; [|split].
    - apply truth_is_consistent; auto.
    - intros x _. rewrite sum_is_dot, sum_at_zero. reflexivity.
    - intros i m G. destruct (holes_only _ _ _ _ _ _ Hs G) as [G'|[ns [I0 ->]]]; [now rewrite get_leaf in G'|].
      destruct (holes_all _ _ _ _ _ _ Hs I0) as [_ T]. apply in_map_iff. exists (truth P i); split; auto; lia.
  Qed.

  Lemma many sign f n : (sign = 1 \/ sign = -1) -> reaches_whole can f sign None -> exists xs, NoDup xs /\ length xs = n /\
    (forall x, In x xs -> exists z, can z /\ sum_at z f = x).
  Proof.
    intros Sg R. cut (exists xs far, NoDup xs /\ length xs = n /\ (forall x, In x xs -> sign * x <= far) /\
      (forall x, In x xs -> exists z, can z /\ sum_at z f = x)).
    { intros [xs [far [A [B [_ D]]]]]; exists xs; auto. }
    induction n as [|n [xs [far [A [B [U D]]]]]].
    - exists [], 0. repeat split; simpl; try tauto. constructor.
    - destruct (R (far + 1)) as [z [M L]]. exists (sum_at z f :: xs), (sign * sum_at z f). repeat split.
      + constructor; auto. intros I0. specialize (U _ I0). lia.
      + simpl; congruence.
      + intros x [<-|X]; [lia|]. specialize (U _ X). lia.
      + intros x [<-|X]; [exists z; auto|auto].
  Qed.

  Lemma judge_question_ok a v needs snapped : needs = by_cell (requirements P) ->
    (forall z, can z -> movable_whole (equations P) snapped hs z) ->
    is_true P (told_by (release P)) = true ->
    judge_question P C (bench_of (equations P) c) e trees (gather (told_by (release P)) Leaf) needs hs rs snapped q a
      = Some v -> means_counts P C q v.
  Proof.
    intros -> Snap T H. unfold judge_question in H. set (f := form q) in *.
    destruct (demand_of _ _ _ _) as [d|] eqn:D; [|discriminate].
    destruct (reach_count _ _ _ _ (-1) _) as [down|] eqn:Rd; [|discriminate].
    destruct (reach_count _ _ _ _ 1 (c_shows (c_high a))) as [up|] eqn:Ru; [|discriminate].
    destruct (limit_count _ _ _ _ _ _ (-1) _) as [dl|] eqn:Ld; [|discriminate].
    destruct (limit_count _ _ _ _ _ _ 1 _) as [ul|] eqn:Lu; [|discriminate].
    destruct (numbers_shown _ _ _ _ _) as [more|] eqn:Nu; [|discriminate]. inversion H; subst v; clear H.
    generalize Sane; intros [Sc [_ [Sk _]]]. exists d. split; [apply demand_of_ok; auto|].
    apply reach_count_ok in Rd, Ru; try exact can_stay.
    assert (Ld' : limits_whole can f (-1) dl).
    { generalize (limit_count_ok _ _ _ _ _ _ _ Rows _ _ _ Ld). destruct dl; simpl; auto. }
    assert (Lu' : limits_whole can f 1 ul).
    { generalize (limit_count_ok _ _ _ _ _ _ _ Rows _ _ _ Lu). destruct ul; simpl; auto. }
    assert (More : forall x, In x more -> exists z, can z /\ sum_at z f = x).
    { revert more Nu. unfold numbers_shown.
      assert (G : forall ws done more, (forall l, done = Some l -> forall x, In x l -> exists z, can z /\ sum_at z f = x) ->
        fold_left (fun done n => match done, reach_count (bench_of (equations P) c) hs rs f 1 (Some (false, n)) with
          | Some l, Some (Some m) => Some (m :: l) | _, _ => None end) ws done = Some more ->
        forall x, In x more -> exists z, can z /\ sum_at z f = x).
      { induction ws as [|w ws IH]; intros done more K E; cbn [fold_left] in E; [apply K; auto|]. eapply IH; [|exact E].
        intros l L x X. destruct done as [l0|]; [|discriminate].
        destruct (reach_count _ _ _ _ _ _) as [[m|]|] eqn:R; try discriminate. inversion L; subst.
        destruct X as [<-|X]; [|eauto]. apply reach_count_ok in R; [|exact can_stay].
        destruct R as [z [M E']]. exists z; split; auto; lia. }
      intros more E. apply (G (others a) (Some []) more); auto. intros l L; inversion L; subst; intros x []. }
    assert (Stated : is_stated (gather (told_by (release P)) Leaf) (main_cell q) = true <-> stated P (main_cell q)).
    { now apply stated_ok. }
    unfold by_demand. destruct (is_stated _ _ && _)%bool eqn:SA.
    { apply andb_prop in SA; destruct SA as [Said Ab]. left; split; auto. now apply Stated. }
    assert (NS : is_about_a_cell (kind_of q) = true -> ~ stated P (main_cell q)).
    { intros Ab St. apply Stated in St. rewrite St, Ab in SA; discriminate. }
    clear SA Stated D. destruct d as [l u s|l u|n].
    - destruct (z_below ul u) eqn:Bu; simpl.
      { right; left. intros x X. apply can_be_moved in X. destruct X as [z [M <-]].
        generalize (z_below_ok _ _ _ _ _ Lu' Bu z M). fold f. lia. }
      destruct (z_below dl l) eqn:Bd; simpl.
      { right; right; left. intros x X. apply can_be_moved in X. destruct X as [z [M <-]].
        generalize (z_below_ok _ _ _ _ _ Ld' Bd z M). fold f. lia. }
      destruct (z_both_below ul dl s) eqn:Bb; simpl.
      { right; right; right. intros x x' X X'. apply can_be_moved in X, X'. destruct X as [z [M <-]], X' as [z' [M' <-]].
        generalize (z_both_below_ok _ _ _ _ _ Lu' Ld' Bb z z' M M'). fold f. lia. }
      destruct (match kind_of q with KLevels => true | _ => false end && Z.eqb l 0 && Z.eqb u 0 && Z.eqb s 0)%bool eqn:Un.
      { repeat (apply andb_prop in Un; let E := fresh in destruct Un as [Un E]; apply Z.eqb_eq in E; subst).
        split; auto. apply NS. destruct (kind_of q); auto; discriminate. }
      destruct (z_at_least up u) eqn:Au; simpl; auto. destruct (z_at_least down l) eqn:Ad; simpl; auto.
      destruct (z_both_at_least up down s) eqn:Ab; simpl; auto. split; auto. split; [|split].
      + destruct (z_at_least_ok _ _ _ _ _ Ru Au) as [z [M L]]. eexists; split; [exact (can_move z M)|]. fold f. lia.
      + destruct (z_at_least_ok _ _ _ _ _ Rd Ad) as [z [M L]]. eexists; split; [exact (can_move z M)|]. fold f. lia.
      + destruct (z_both_at_least_ok _ _ _ _ _ can_stay Ru Rd Ab) as [z [z' [M [M' L]]]].
        eexists; eexists; split; [exact (can_move z M)|split; [exact (can_move z' M')|]]. fold f. lia.
    - destruct (z_at_least down l) eqn:Ad; simpl.
      { split; auto. right. destruct (z_at_least_ok _ _ _ _ _ Rd Ad) as [z [M L]].
        eexists; split; [exact (can_move z M)|]. fold f. lia. }
      destruct (z_at_least up u) eqn:Au; simpl.
      { split; auto. left. destruct (z_at_least_ok _ _ _ _ _ Ru Au) as [z [M L]].
        eexists; split; [exact (can_move z M)|]. fold f. lia. }
      destruct (z_below dl l) eqn:Bd; simpl; auto. destruct (z_below ul u) eqn:Bu; simpl; auto.
      right; split; intros x X; apply can_be_moved in X; destruct X as [z [M <-]].
      + generalize (z_below_ok _ _ _ _ _ Lu' Bu z M). fold f. lia.
      + generalize (z_below_ok _ _ _ _ _ Ld' Bd z M). fold f. lia.
    - assert (Free : forall sign, (sign = 1 \/ sign = -1) -> reaches_whole can f sign None ->
        is_met P C q (Numbers n)).
      { intros sign Sg R. split; auto. destruct (many sign f (Z.to_nat n) Sg R) as [xs [A [B D]]].
        exists xs; split; auto. split; [lia|]. intros x X. destruct (D x X) as [z [M <-]]. now apply can_move. }
      destruct down as [m|]; [|apply (Free (-1)); auto]. destruct up as [m'|]; [|apply (Free 1); auto].
      destruct (Z.leb_spec n (length_of (distinct (0 :: - m :: m' :: more) []))) as [L|_].
      { split; auto. destruct (distinct_ok (0 :: - m :: m' :: more) [] (NoDup_nil _)) as [A B].
        rewrite length_of_ok in L. exists (distinct (0 :: - m :: m' :: more) []). split; auto. split; [lia|].
        intros x X. destruct (B x X) as [[<-|[<-|[<-|Y]]]|[]].
        - generalize (can_move _ can_stay). now rewrite sum_at_zero.
        - destruct Rd as [z [M E]]. generalize (can_move z M). fold f. now replace (sum_at z f) with (- m) by lia.
        - destruct Ru as [z [M E]]. generalize (can_move z M). fold f. now replace (sum_at z f) with m' by lia.
        - destruct (More x Y) as [z [M <-]]. now apply can_move. }
      destruct dl as [b|]; auto. destruct ul as [b'|]; auto.
      destruct (Z.ltb_spec (numbers_left hs f (Z.max (step_behind e (c_low a)) (step_behind e (c_high a))) b b') n) as [L|]; auto.
      right. intros xs N X. eapply Z.le_lt_trans; [|exact L].
      assert (St1 : forall z, can z -> 0 < step_behind e (c_low a) /\ (step_behind e (c_low a) | sum_at z f)).
      { intros z M. eapply step_behind_ok; eauto. }
      assert (St2 : forall z, can z -> 0 < step_behind e (c_high a) /\ (step_behind e (c_high a) | sum_at z f)).
      { intros z M. eapply step_behind_ok; eauto. }
      set (k := Z.max _ _). assert (K : forall z, can z -> 0 < k /\ (k | sum_at z f)).
      { intros z M. subst k. destruct (Z.max_spec (step_behind e (c_low a)) (step_behind e (c_high a))) as [[_ ->]|[_ ->]]; auto. }
      assert (X' : forall x, In x xs -> exists z, can z /\ sum_at z f = x).
      { intros x I0. apply can_be_moved; auto. }
      assert (B0 : 0 <= b) by (generalize (Ld' _ can_stay); rewrite sum_at_zero; lia).
      assert (B1 : 0 <= b') by (generalize (Lu' _ can_stay); rewrite sum_at_zero; lia).
      assert (Between : forall x, In x xs -> (k | x) /\ - b <= x <= b').
      { intros x I0. destruct (X' x I0) as [z [M <-]]. generalize (Ld' z M) (Lu' z M). split; [apply K; auto|lia]. }
      assert (Few : Z.of_nat (length xs) <= (b + b') / k + 1).
      { apply few_multiples; auto. apply (K _ can_stay). }
      unfold numbers_left. destruct (Z.eqb_spec k 1) as [K1|]; auto. rewrite K1, Z.div_1_r in Few.
      destruct f as [|[i fc] [|]] eqn:Fm; auto. destruct (get i hs) as [hl|] eqn:G; auto.
      destruct (Z.eqb_spec fc 1) as [->|]; auto. rewrite length_of_ok. apply inj_le.
      apply NoDup_incl_length; auto. intros x I0. apply filter_In. split.
      + destruct (X' x I0) as [z [M <-]]. replace (sum_at z [(i, 1)]) with (z i) by (cbn [sum_at]; lia).
        exact (proj2 (proj2 M) _ _ G).
      + destruct (Between x I0) as [_ [U V]]. unfold holds_in; simpl. apply andb_true_iff; rewrite !Z.leb_le; lia.
  Qed.
End Question.

(* ---- the whole certificate *)

Fixpoint judge_questions (P : problem) (C : counting) (b : bench) (e : evidence) (trees : tree cases)
  (said : tree range) (needs : tree (list requirement)) (hs : holes) (all_rooms : tree (rooms * rooms))
  (n : positive) (qs : list question) (ans : list answer) (found : list verdict) (vs : list verdict) : count_outcome :=
  match qs, ans with
  | [], [] => Both vs (rev' found)
  | q :: qs', a :: ans' =>
      match get (asked_by q) all_rooms with
      | None => OtherAnswers
      | Some (rs, snapped) =>
          match judge_question P C b e trees said needs hs rs snapped q a with
          | Some v => judge_questions P C b e trees said needs hs all_rooms (Pos.succ n) qs' ans' (v :: found) vs
          | None => WrongAnswer n
          end
      end
  | _, _ => OtherAnswers
  end.

Definition evidence_of (b : bench) (c : count_certificate) : evidence :=
  {| e_rows := its_rows b; e_proofs := its_proofs b; e_steps := numbered 1 (c_steps c) Leaf;
     e_chains := numbered 1 (c_chains c) Leaf |}.

Definition check_counts (P : problem) (C : counting) (c : count_certificate) : count_outcome :=
  let b := bench_of (equations P) (base c) in
  match check_ranges_on P b (base c) with
  | Refused why => Neither why
  | Judged vs =>
      let told := told_counts P C in
      if negb (is_true P told) then Neither Untrue
      else match holes_of P (among C) Leaf with
      | None => FalseNumbers
      | Some hs =>
          let first := tell P told Leaf in
          let rooms_for known := let rs := learn P known first in (rs, snap_all hs (quick_map fst (among C)) rs) in
          judge_questions P C b (evidence_of b c) (numbered 1 (c_trees c) Leaf)
            (gather (quick_map (fun e => (fst e, said (snd e))) (release P)) Leaf) (by_cell (requirements P)) hs
            (map_tree rooms_for (attackers P)) 1 (questions C) (answers c) [] vs
      end
  end.

Lemma judge_questions_ok P C c e trees hs all_rooms :
  (forall n x, get n (e_rows e) = Some x -> In x (equations P)) ->
  holes_of P (among C) Leaf = Some hs -> is_true P (told_by (release P)) = true ->
  (forall k rs snapped, get k all_rooms = Some (rs, snapped) ->
     sane P (told_counts P C) (known_to P k) /\ rs = rooms_of P (told_counts P C) (known_to P k) /\
     forall z, movable_whole (equations P) rs hs z -> movable_whole (equations P) snapped hs z) ->
  forall qs ans n found vs vs' ws,
  judge_questions P C (bench_of (equations P) c) e trees (gather (told_by (release P)) Leaf)
    (by_cell (requirements P)) hs all_rooms n qs ans found vs = Both vs' ws ->
  vs' = vs /\ exists ws', ws = rev found ++ ws' /\ Forall2 (means_counts P C) qs ws'.
Proof.
  intros Rows Hs T R. induction qs as [|q qs IH]; intros [|a ans] n found vs vs' ws H; simpl in H; try discriminate.
  - inversion H; subst. split; auto. exists []. split; [unfold rev'; rewrite <- rev_alt, app_nil_r; auto|constructor].
  - destruct (get (asked_by q) all_rooms) as [[rs snapped]|] eqn:G; [|discriminate].
    destruct (judge_question _ _ _ _ _ _ _ _ _ _ _ _) as [v|] eqn:J; [|discriminate].
    destruct (R _ _ _ G) as [S [-> M]].
    apply IH in H. destruct H as [E [ws' [-> F]]]. split; auto.
    exists (v :: ws'). split; [simpl; now rewrite <- app_assoc|]. constructor; auto.
    eapply judge_question_ok; eauto.
Qed.

(* Theorem 3: the verdicts about counts mean what Counts.v says, and those of the requirements of the same
   certificate what Problem.v says. *)
Theorem counts_are_judged_right P C c vs ws : check_counts P C c = Both vs ws ->
  Forall2 (means P) (requirements P) vs /\ Forall2 (means_counts P C) (questions C) ws.
Proof.
  unfold check_counts. destruct (check_ranges_on P _ _) as [vs0|] eqn:V; [|discriminate].
  destruct (is_true P (told_counts P C)) eqn:T; [|discriminate]. simpl.
  destruct (holes_of _ _ _) as [hs|] eqn:Hs; [|discriminate]. rewrite !quick_map_is_map.
  fold (told_by (release P)). intros H.
  assert (Parts : adds_up P = true /\ all cell_is_sane (cells P) = true /\ is_true P (told_by (release P)) = true /\
    all (is_true P) (attackers P) = true).
  { revert V. unfold check_ranges_on. rewrite quick_map_is_map. fold (told_by (release P)).
    destruct (existsb _ _); [discriminate|]. destruct (adds_up P); [|discriminate]. simpl.
    destruct (all cell_is_sane (cells P)); [|discriminate]. simpl.
    destruct (is_true P (told_by (release P))); [|discriminate]. simpl.
    destruct (all (is_true P) (attackers P)); [|discriminate]. auto. }
  destruct Parts as [U [A [B D]]].
  assert (Rows : forall n x, get n (e_rows (evidence_of (bench_of (equations P) (base c)) c)) = Some x ->
    In x (equations P)) by (intros n x G; exact (bench_row _ (base c) _ _ G)).
  set (all_rooms := map_tree _ (attackers P)) in H.
  assert (R : forall k rs snapped, get k all_rooms = Some (rs, snapped) ->
     sane P (told_counts P C) (known_to P k) /\ rs = rooms_of P (told_counts P C) (known_to P k) /\
     forall z, movable_whole (equations P) rs hs z -> movable_whole (equations P) snapped hs z).
  { intros k rs snapped G. unfold all_rooms in G. rewrite get_map in G.
    destruct (get k (attackers P)) as [known|] eqn:K; [|discriminate].
    inversion G; subst; clear G. unfold known_to; rewrite K. split; [|split].
    - split; [|split; [|split]]; auto. exact (all_get _ _ _ D K).
    - reflexivity.
    - intros z M. now apply snap_all_ok. }
  destruct (judge_questions_ok P C (base c) _ _ hs all_rooms Rows Hs B R _ _ _ _ _ _ _ H) as [-> [ws' [-> F]]].
  split; auto. apply (ranges_are_judged_right P (base c)). exact V.
Qed.
