(* SPDX-License-Identifier: Apache-2.0 *)
(* The checker of logs of a bound: no pattern of withheld cells that meets all requirements weighs
   less. What a pattern is, and when it is safe, is said in Problem.v's words; the steps are those of
   docs/proof.md, equations (20) to (27). *)
From Coq Require Import ZArith QArith List Bool Lia Lqa.
From Lacuna Require Import Trees Problem Rooms Evidence Checker Verdicts.
Import ListNotations.
Local Arguments Z.mul : simpl never.
Local Arguments Z.add : simpl never.
Local Arguments Z.sub : simpl never.

(* ---- what words mean *)

(* Cells that every pattern withholds, and cells that it may withhold, with their weights. *)
Record choice := { always : list positive; open : list (positive * Z) }.
(* x says which of the open ones it withholds. *)
Definition withheld (D : choice) (x : positive -> bool) : list positive :=
  always D ++ filter x (map fst (open D)).
Definition releasing (P : problem) (hidden : list positive) : problem :=
  {| cells := cells P; equations := equations P; attackers := attackers P;
     release := map (fun i => (i, Withheld)) hidden; requirements := requirements P;
     zeros_are_meant := zeros_are_meant P; unit_of := unit_of P |}.
Definition safe (P : problem) (D : choice) (x : positive -> bool) : Prop :=
  forall r, In r (requirements P) -> forall l u s, asks P r l u s ->
  is_protected (releasing P (withheld D x)) r l u s.

Definition one (x : positive -> bool) (i : positive) : Z := if x i then 1%Z else 0%Z.
(* What it weighs beside the cells that are always withheld. *)
Definition cost (D : choice) (x : positive -> bool) : Z := sum_at (one x) (open D).

(* ---- what is read *)

Definition sum := list (positive * Z).  (* equations, steps or cells with factors *)
Inductive side := High | Low | HighAndLow.
Record needed := { its_requirement : positive; its_side : side;
                   high_proof : fractions; low_proof : fractions }.
Record combination := { times_weight : Z; times_steps : sum }.
Inductive cases_of :=
  | Closed (by_sum : combination)
  | Settled (by_sum : combination) (rest : cases_of)
  | Split (i : positive) (published hidden : cases_of).
Inductive step :=
  | ByNeed (n : needed)
  | Bridgeless (h : positive) (g : sum)
  | Added (steps capped : sum) (divisor : Z)
  | Tree (about : sum) (at_least : Z) (tree : cases_of).
Record tie := { its_cell_ : positive; its_leader : positive; its_sum : sum }.
Record bound_log := { ties : list tie; steps : list step; claim : Z }.

Inductive bound_answer :=
  | AtLeast (n : Z)
  | WrongTable              (* it does not add up, or something said or known is not true *)
  | WrongTie (n : positive)
  | WrongStep (n : positive)
  | WrongClaim.             (* the last step does not say what is claimed *)

(* ---- cells *)

Inductive role := Hidden | Open.
Definition roles := tree role.
Fixpoint mark (what : role) (ids : list positive) (t : roles) : roles :=
  match ids with [] => t | i :: rest => mark what rest (set i what t) end.
Definition roles_of (D : choice) : roles := mark Hidden (always D) (mark Open (map fst (open D)) Leaf).

Lemma get_mark what ids : forall t i, get i (mark what ids t) = Some what /\ In i ids \/
  get i (mark what ids t) = get i t /\ ~ In i ids.
Proof.
  induction ids as [|j rest IH]; simpl; intros t i; [right; tauto|].
  destruct (IH (set j what t) i) as [[A B]|[A B]]; [left; auto|].
  rewrite A. destruct (Pos.eq_dec j i) as [->|N].
  - rewrite get_set_same. left; auto.
  - rewrite get_set_other by auto. right; split; auto. intros [E|E]; auto.
Qed.

Lemma role_hidden D i : get i (roles_of D) = Some Hidden -> In i (always D).
Proof.
  unfold roles_of. destruct (get_mark Hidden (always D) (mark Open (map fst (open D)) Leaf) i) as [[A B]|[A B]]; auto.
  rewrite A. destruct (get_mark Open (map fst (open D)) Leaf i) as [[C E]|[C E]]; rewrite C; [discriminate|].
  rewrite get_leaf; discriminate.
Qed.
Lemma role_open D i : get i (roles_of D) = Some Open -> In i (map fst (open D)) /\ ~ In i (always D).
Proof.
  unfold roles_of. destruct (get_mark Hidden (always D) (mark Open (map fst (open D)) Leaf) i) as [[A B]|[A B]]; rewrite A; [discriminate|].
  destruct (get_mark Open (map fst (open D)) Leaf i) as [[C E]|[C E]]; rewrite C; [auto|]. rewrite get_leaf; discriminate.
Qed.
Lemma role_none D i : get i (roles_of D) = None -> ~ In i (always D) /\ ~ In i (map fst (open D)).
Proof.
  unfold roles_of. destruct (get_mark Hidden (always D) (mark Open (map fst (open D)) Leaf) i) as [[A B]|[A B]]; rewrite A; [discriminate|].
  destruct (get_mark Open (map fst (open D)) Leaf i) as [[C E]|[C E]]; rewrite C; [discriminate|]. auto.
Qed.

(* ---- entries of a vector *)

Fixpoint entries_of (t : tree Z) (name : positive -> positive) (more : sum) : sum :=
  match t with
  | Leaf => more
  | Node l o r =>
      let right := entries_of r (fun i => name (xI i)) more in
      let here := match o with
                  | Some v => if Z.eqb v 0 then right else (name xH, v) :: right
                  | None => right
                  end in
      entries_of l (fun i => name (xO i)) here
  end.
Definition listed (t : tree Z) : sum := entries_of t (fun i => i) [].

Fixpoint worth (t : tree Z) (f : positive -> Z) : Z :=
  match t with
  | Leaf => 0%Z
  | Node l o r => (worth l (fun i => f (xO i)) + own o * f xH + worth r (fun i => f (xI i)))%Z
  end.

Lemma worth_add i : forall c t f, (worth (add i c t) f = worth t f + c * f i)%Z.
Proof.
  induction i; intros c [|l o r] f; simpl; rewrite ?IHi; simpl; ring.
Qed.
Lemma entries_worth t : forall name more f,
  (sum_at f (entries_of t name more) = worth t (fun i => f (name i)) + sum_at f more)%Z.
Proof.
  induction t as [|l IHl o r IHr]; intros name more f; simpl; [ring|].
  rewrite IHl. destruct o as [v|]; simpl; [destruct (Z.eqb_spec v 0)|]; simpl; rewrite IHr; subst; simpl; ring.
Qed.
Lemma listed_worth t f : (sum_at f (listed t) = worth t f)%Z.
Proof. unfold listed; rewrite entries_worth. simpl. rewrite Z.add_0_r. reflexivity. Qed.

Lemma entries_value t : forall name more z,
  dot (entries_of t name more) z == value t (fun i => z (name i)) + dot more z.
Proof.
  induction t as [|l IHl o r IHr]; intros name more z; simpl; [ring|].
  rewrite IHl. destruct o as [v|]; simpl; [destruct (Z.eqb_spec v 0)|]; simpl; rewrite IHr; subst; simpl; rewrite ?qz_0; ring.
Qed.
Lemma listed_value t z : dot (listed t) z == value t z.
Proof. unfold listed; rewrite entries_value. change (value t z + 0 == value t z). ring. Qed.

(* ---- inequalities: the sum of the factors of what is withheld is at least a number *)

Definition inequality := (sum * Z)%type.
Definition holds (x : positive -> bool) (r : inequality) : Prop := (snd r <= sum_at (one x) (fst r))%Z.

Lemma one_range x i : (0 <= one x i <= 1)%Z.
Proof. unfold one; destruct (x i); lia. Qed.

(* What is known on the way: who stands for whom, and which cells are decided. *)
Record known_so_far := { leaders : tree positive; decided : tree bool;
                         rows_so_far : tree inequality; next_row : positive; last_row : inequality }.
Definition leader (t : tree positive) (i : positive) : positive :=
  match get i t with Some j => j | None => i end.
Definition follows (x : positive -> bool) (t : tree positive) : Prop := forall i, x (leader t i) = x i.
Definition agrees (x : positive -> bool) (t : tree bool) : Prop := forall i b, get i t = Some b -> x i = b.

(* Cells that stand for others, less what is decided. *)
Fixpoint gathered (ls : tree positive) (ds : tree bool) (ts : sum) (t : tree Z) (b : Z) : tree Z * Z :=
  match ts with
  | [] => (t, b)
  | (i, c) :: rest =>
      let j := leader ls i in
      match get j ds with
      | Some true => gathered ls ds rest t (b - c)
      | Some false => gathered ls ds rest t b
      | None => gathered ls ds rest (add j c t) b
      end
  end.
Lemma gathered_ok x ls ds ts : follows x ls -> agrees x ds -> forall t b t' b',
  gathered ls ds ts t b = (t', b') ->
  (worth t' (one x) - b' = worth t (one x) - b + sum_at (one x) ts)%Z.
Proof.
  intros F A; induction ts as [|[i c] rest IH]; simpl; intros t b t' b' H; [inversion H; subst; ring|].
  assert (E : one x i = one x (leader ls i)) by (unfold one; now rewrite F).
  destruct (get (leader ls i) ds) as [[|]|] eqn:G; apply IH in H; rewrite H, ?worth_add, E;
    try (unfold one; rewrite (A _ _ G)); ring.
Qed.

Fixpoint negatives (ts : sum) : Z :=
  match ts with [] => 0%Z | (_, c) :: rest => (Z.min c 0 + negatives rest)%Z end.
Fixpoint capped_at (m : Z) (ts : sum) : sum :=
  match ts with [] => [] | (i, c) :: rest => (i, Z.min c m) :: capped_at m rest end.

Lemma capped_ok x m ts : (0 < m)%Z ->
  (sum_at (one x) (capped_at m ts) = sum_at (one x) ts \/
   sum_at (one x) (capped_at m ts) >= m + negatives ts)%Z /\
  (sum_at (one x) (capped_at m ts) >= negatives ts)%Z.
Proof.
  intros M; induction ts as [|[i c] rest [[E|E] L]]; simpl; [lia| |];
    unfold one in *; destruct (x i); destruct (Z.min_spec c m) as [[? ->]|[? ->]];
    destruct (Z.min_spec c 0) as [[? ->]|[? ->]]; lia.
Qed.

Definition reduced (k : known_so_far) (ts : sum) (b : Z) : inequality :=
  let '(t, b') := gathered (leaders k) (decided k) ts Leaf b in
  let es := listed t in
  let m := (b' - negatives es)%Z in
  if Z.leb m 0 then ([], 0%Z) else (capped_at m es, b').
Lemma reduced_ok x k ts b : follows x (leaders k) -> agrees x (decided k) -> holds x (ts, b) ->
  holds x (reduced k ts b).
Proof.
  intros F A H. unfold reduced. destruct (gathered _ _ _ _ _) as [t b'] eqn:G.
  apply (gathered_ok x) in G; auto. simpl in G. rewrite <- listed_worth in G. unfold holds in *; simpl in *.
  destruct (Z.leb_spec (b' - negatives (listed t)) 0); simpl; [lia|].
  destruct (capped_ok x (b' - negatives (listed t)) (listed t)) as [[E|E] _]; lia.
Qed.

(* ---- bridgeless inequalities and ties: sums of equations *)

Fixpoint others_of (rs : roles) (h : positive) (ts : sum) : option sum :=
  match ts with
  | [] => Some []
  | (i, _) :: rest =>
      match others_of rs h rest with
      | None => None
      | Some more =>
          if Pos.eqb i h then Some more
          else match get i rs with
               | Some Hidden => None
               | Some Open => Some ((i, 1%Z) :: more)
               | None => Some more
               end
      end
  end.
Definition bridge_of (rws : rows) (rs : roles) (h : positive) (g : sum) : option sum :=
  match less rws g Leaf, get h rs with
  | Some t, Some Open =>
      if Z.eqb (at_ h t) 0 then None
      else match others_of rs h (listed t) with Some others => Some ((h, (-1)%Z) :: others) | None => None end
  | _, _ => None
  end.

(* A cell that no displacement moves while only the cells of x are withheld. *)
Definition still (P : problem) (D : choice) (x : positive -> bool) (h : positive) : Prop :=
  forall z, (forall e, In e (equations P) -> dot (terms e) z == 0) ->
            (forall i, ~ In i (withheld D x) -> z i == 0) -> z h == 0.

Lemma in_withheld D x i : In i (withheld D x) <-> In i (always D) \/ (In i (map fst (open D)) /\ x i = true).
Proof. unfold withheld; rewrite in_app_iff, filter_In; tauto. Qed.

Lemma others_count rs h ts others y : others_of rs h ts = Some others -> (0 <= sum_at (one y) others)%Z.
Proof.
  revert others; induction ts as [|[j d] rest IH]; intros others O; simpl in *; [inversion O; simpl; lia|].
  destruct (others_of rs h rest) as [m|]; [|discriminate]. specialize (IH m eq_refl).
  destruct (Pos.eqb j h); [inversion O; subst; auto|].
  destruct (get j rs) as [[|]|]; inversion O; subst; auto. simpl. generalize (one_range y j); lia.
Qed.

Lemma others_zero D x h ts others z : others_of (roles_of D) h ts = Some others ->
  sum_at (one x) others = 0%Z -> (forall i, ~ In i (withheld D x) -> z i == 0) ->
  dot ts z == qz (in_terms h ts) * z h.
Proof.
  revert others; induction ts as [|[i c] rest IH]; intros others H S Z0; simpl in *.
  - rewrite qz_0; ring.
  - destruct (others_of (roles_of D) h rest) as [more|] eqn:O; [|discriminate].
    assert (N := others_count _ _ _ _ x O).
    unfold delta. destruct (Pos.eqb_spec i h) as [->|Ne].
    + inversion H; subst. rewrite (IH others eq_refl S Z0), qz_plus, qz_mult, qz_1; ring.
    + assert (Zi : sum_at (one x) more = 0%Z /\ z i == 0).
      { destruct (get i (roles_of D)) as [[|]|] eqn:G; [discriminate| |].
        - inversion H; subst; simpl in S. generalize (one_range x i); intros R.
          assert (one x i = 0%Z) by lia. split; [lia|]. apply Z0. rewrite in_withheld. apply role_open in G.
          unfold one in *. destruct (x i); [lia|]. intros [K|[_ K]]; [tauto|discriminate].
        - inversion H; subst. split; auto. apply Z0. rewrite in_withheld. apply role_none in G. tauto. }
      destruct Zi as [S' Zi]. rewrite (IH more eq_refl S' Z0), Zi, qz_plus, qz_mult, qz_0; ring.
Qed.

Lemma in_terms_listed t h : in_terms h (listed t) = at_ h t.
Proof.
  assert (E : forall ts, in_terms h ts = sum_at (fun i => delta i h) ts).
  { induction ts as [|[i c] rest IH]; simpl; auto. now rewrite IH. }
  rewrite E, listed_worth. clear E. revert h; induction t as [|l IHl o r IHr]; intros h; simpl; [now rewrite at_leaf|].
  assert (W0 : forall t, worth t (fun _ => 0%Z) = 0%Z) by (clear; induction t; simpl; lia).
  assert (WE : forall t f g, (forall i, f i = g i) -> worth t f = worth t g).
  { clear; induction t; simpl; intros f g H; auto. rewrite (IHt1 _ (fun i => g (xO i))), (IHt2 _ (fun i => g (xI i))), H; auto. }
  destruct h as [h|h|]; unfold at_; simpl.
  - rewrite (WE l _ (fun _ => 0%Z)), W0 by (intros; unfold delta; reflexivity).
    rewrite (WE r _ (fun i => delta i h)), IHr by (intros; unfold delta; reflexivity). unfold at_, delta; simpl. ring.
  - rewrite (WE r _ (fun _ => 0%Z)), W0 by (intros; unfold delta; reflexivity).
    rewrite (WE l _ (fun i => delta i h)), IHl by (intros; unfold delta; reflexivity). unfold at_, delta; simpl. ring.
  - rewrite (WE l _ (fun _ => 0%Z)), (WE r _ (fun _ => 0%Z)), !W0 by (intros; unfold delta; reflexivity).
    unfold delta; simpl. ring.
Qed.

Lemma bridge_ok P D h g coefs x : bridge_of (numbered 1 (equations P) Leaf) (roles_of D) h g = Some coefs ->
  holds x (coefs, 0%Z) \/ (x h = true /\ get h (roles_of D) = Some Open /\ still P D x h).
Proof.
  unfold bridge_of. destruct (less _ g Leaf) as [t|] eqn:L; [|discriminate].
  destruct (get h (roles_of D)) as [[|]|] eqn:G; try discriminate. destruct (Z.eqb_spec (at_ h t) 0) as [|A]; [discriminate|].
  destruct (others_of _ _ _) as [others|] eqn:O; [|discriminate]. intros E; inversion E; subst; clear E.
  unfold holds; simpl. destruct (x h) eqn:X; [|left]; unfold one at 1; rewrite X.
  - destruct (Z.eq_dec (sum_at (one x) others) 0) as [S|S].
    + right; split; [auto|split; auto]. intros z B Z0. generalize (others_zero D x h _ others z O S Z0); intros K.
      rewrite listed_value, in_terms_listed in K. rewrite (value_less _ _ _ _ z L) in K.
      * simpl in K. assert (qz (at_ h t) * z h == 0) by (rewrite <- K; reflexivity).
        apply Qmult_integral in H. destruct H as [H|H]; auto. exfalso; apply A. apply qz_eq. rewrite H; reflexivity.
      * intros e y R. apply B. apply numbered_in in R. destruct R as [R|R]; auto. now rewrite get_leaf in R.
    + left. generalize (others_count _ _ _ _ x O); lia.
  - generalize (others_count _ _ _ _ x O); lia.
Qed.

(* The sum of a tie has no third cell that may move. *)
Definition tied (rws : rows) (rs : roles) (t : tie) : bool :=
  match bridge_of rws rs (its_cell_ t) (its_sum t), bridge_of rws rs (its_leader t) (its_sum t) with
  | Some [_; (i, _)], Some [_; (j, _)] => (Pos.eqb i (its_leader t) && Pos.eqb j (its_cell_ t))%bool
  | _, _ => false
  end.

(* ---- a pattern without a cell that nothing moves *)

Definition without (x : positive -> bool) (h : positive) : positive -> bool :=
  fun i => if Pos.eqb i h then false else x i.

Lemma in_told hidden i r :
  In (i, r) (told_by (map (fun j => (j, Withheld)) hidden)) <-> In i hidden /\ r = (None, None).
Proof.
  unfold told_by. rewrite map_map. rewrite in_map_iff. split.
  - intros [j [E H]]; simpl in E; inversion E; subst; auto.
  - intros [H ->]; exists i; auto.
Qed.

Lemma possible_means P hidden k y : possible (releasing P hidden) k y <->
  (forall e, In e (equations P) -> dot (terms e) y == qz (rhs e)) /\
  (forall i c, get i (cells P) = Some c -> within (prior c) (y i)) /\
  (forall i, ~ In i hidden -> y i == qz (truth P i)) /\
  (forall i r, In (i, r) (known_to P k) -> within r (y i)).
Proof.
  unfold possible, consistent; simpl. split.
  - intros [A [B [C [D E]]]]; split; [auto|split; [auto|split; [|auto]]]. intros i N. apply D. intros r K. apply in_told in K; tauto.
  - intros [A [B [C D]]]; split; [|split; [|split; [|split]]]; auto.
    + intros i r K. apply in_told in K. destruct K as [_ ->]. apply within_free.
    + intros i N. apply C. intros K. apply (N (None, None)). apply in_told; auto.
Qed.

Section Dropped.
  Variables (P : problem) (D : choice).
  Hypothesis Adds : adds_up P = true.
  Hypothesis Asked : forall r, In r (requirements P) -> In (about r) (always D).

  Lemma sums_of_truth e : In e (equations P) -> dot (terms e) (fun i => qz (truth P i)) == qz (rhs e).
  Proof.
    intros H. rewrite total_ok. unfold adds_up in Adds; rewrite forallb_forall in Adds.
    specialize (Adds e H). apply Z.eqb_eq in Adds. now rewrite Adds.
  Qed.

  Lemma still_possible x h k y : get h (roles_of D) = Some Open -> still P D x h ->
    possible (releasing P (withheld D x)) k y -> possible (releasing P (withheld D (without x h))) k y.
  Proof.
    intros G S Y. apply possible_means in Y. apply possible_means. destruct Y as [A [B [C E]]].
    split; [auto|split; [auto|split; [|auto]]]. intros i N.
    destruct (Pos.eq_dec i h) as [->|Ne].
    - specialize (S (fun i => y i - qz (truth P i))). cbv beta in S. assert (y h - qz (truth P h) == 0); [|lra].
      apply S.
      + intros e H. setoid_replace (dot (terms e) (fun i => y i - qz (truth P i))) with
          (dot (terms e) y - dot (terms e) (fun i => qz (truth P i))).
        * rewrite (A e H), (sums_of_truth e H); ring.
        * clear. induction (terms e) as [|[j c] rest IH]; simpl; [ring|]. rewrite IH; ring.
      + intros i K. rewrite (C i K); ring.
    - apply C. intros K; apply N. apply in_withheld in K. apply in_withheld. destruct K as [K|[K X]]; auto.
      right; split; auto. unfold without. destruct (Pos.eqb_spec i h); congruence.
  Qed.

  Lemma dropped_safe x h : get h (roles_of D) = Some Open -> still P D x h -> safe P D x -> safe P D (without x h).
  Proof.
    intros G S H r R l u s Q. specialize (H r R l u s Q). destruct H as [N [[y1 [P1 L1]] [[y2 [P2 L2]] [y3 [y4 [P3 [P4 L3]]]]]]].
    assert (T : forall k y, possible (releasing P (withheld D x)) k y -> possible (releasing P (withheld D (without x h))) k y)
      by (intros; eapply still_possible; eauto).
    split; [|split; [|split]].
    - intros K; apply N. intros y A B. apply K.
      + intros w I. apply A. simpl in *. apply in_told in I. apply in_told. destruct I as [I ->]; split; auto.
        apply in_withheld in I. apply in_withheld. left. auto.
      + intros I. apply B. intros w J. apply (I w). simpl in *. apply in_told in J. apply in_told. destruct J as [J ->].
        split; auto. apply in_withheld. left; auto.
    - exists y1; split; [apply T|]; assumption.
    - exists y2; split; [apply T|]; assumption.
    - exists y3, y4; split; [apply T|split; [apply T|]]; assumption.
  Qed.

  Lemma dropped_cost x h ws : (forall i w, In (i, w) ws -> (0 <= w)%Z) ->
    (sum_at (one (without x h)) ws <= sum_at (one x) ws)%Z.
  Proof.
    intros W; induction ws as [|[i w] rest IH]; simpl; [lia|].
    assert (sum_at (one (without x h)) rest <= sum_at (one x) rest)%Z by (apply IH; intros; eapply W; right; eauto).
    assert (0 <= w)%Z by (eapply W; left; eauto).
    unfold one, without in *. destruct (Pos.eqb i h); destruct (x i); lia.
  Qed.

  Lemma fewer x h ids : In h ids -> x h = true -> (length (filter (without x h) ids) < length (filter x ids))%nat.
  Proof.
    intros I X. induction ids as [|i rest IH]; [inversion I|]. simpl.
    assert (L : (length (filter (without x h) rest) <= length (filter x rest))%nat).
    { clear. induction rest as [|j rest IH]; simpl; auto. unfold without at 1. destruct (Pos.eqb j h); destruct (x j); simpl; lia. }
    destruct (Pos.eq_dec i h) as [->|N].
    - rewrite X. unfold without at 1. rewrite Pos.eqb_refl. simpl; lia.
    - destruct I as [I|I]; [congruence|]. specialize (IH I). unfold without at 1.
      destruct (Pos.eqb_spec i h); [congruence|]. destruct (x i); simpl; lia.
  Qed.
End Dropped.

(* ---- needs *)

Inductive amount := Nothing | Given (a : Z) | Counts (a : Z) | Endless | Wrong_.
Definition amount_of (rs : roles) (room : rooms) (i : positive) (v : Z) : amount :=
  match get i rs with
  | None => Nothing
  | Some Hidden => match most_one v (Rooms.room room i) with Some a => Given (Z.max 0 a) | None => Wrong_ end
  | Some Open => match most_one v (Rooms.room room i) with Some a => Counts (Z.max 0 a) | None => Endless end
  end.
(* What is given in any case, cells with what they contribute, and those without limit. *)
Definition shares := (Z * sum * list positive)%type.
Fixpoint shares_of (rs : roles) (room : rooms) (ts : sum) (factor : Z) (so_far : shares) : option shares :=
  match ts with
  | [] => Some so_far
  | (i, v) :: rest =>
      let '(given, counted, endless) := so_far in
      match amount_of rs room i v with
      | Nothing => shares_of rs room rest factor so_far
      | Given a => shares_of rs room rest factor ((given + factor * a)%Z, counted, endless)
      | Counts a => shares_of rs room rest factor (given, (i, (factor * a)%Z) :: counted, endless)
      | Endless => shares_of rs room rest factor (given, counted, i :: endless)
      | Wrong_ => None
      end
  end.

Definition bounded_by (x : positive -> bool) (s : shares) (q : Q) : Prop :=
  let '(given, counted, endless) := s in
  (exists i, In i endless /\ x i = true) \/ q <= qz (given + sum_at (one x) counted).
Definition no_negatives (s : shares) : Prop :=
  let '(_, counted, _) := s in forall x, (0 <= sum_at (one x) counted)%Z.

Lemma shares_ok D x room z factor : (0 < factor)%Z ->
  (forall i, get i (roles_of D) <> None -> within (Rooms.room room i) (z i)) ->
  (forall i, ~ In i (withheld D x) -> z i == 0) ->
  forall ts so_far s q, shares_of (roles_of D) room ts factor so_far = Some s ->
  bounded_by x so_far q -> no_negatives so_far ->
  bounded_by x s (q + qz factor * dot ts z) /\ no_negatives s.
Proof.
  intros F W Z0; induction ts as [|[i v] rest IH]; intros [[given counted] endless] s q H B N; simpl in H.
  - inversion H; subst. split; auto. simpl in *. destruct B as [B|B]; [left; auto|right]. lra.
  - assert (F' : 0 <= qz factor) by (change 0 with (qz 0); apply le_qz; lia).
    unfold amount_of in H. destruct (get i (roles_of D)) as [[|]|] eqn:G.
    + destruct (most_one v (Rooms.room room i)) as [a|] eqn:M; [|discriminate].
      apply most_one_ok with (q := z i) in M; [|apply W; congruence].
      assert (A : qz v * z i <= qz (Z.max 0 a)) by (apply Qle_trans with (1 := M); apply le_qz; lia).
      apply IH with (q := q + qz factor * (qz v * z i)) in H.
      * destruct H as [H K]; split; auto. unfold bounded_by in *. destruct s as [[? ?] ?].
        destruct H as [H|H]; [left; auto|right]. simpl. rewrite <- Qplus_assoc in H. rewrite Qmult_plus_distr_r. exact H.
      * simpl in *. destruct B as [B|B]; [left; auto|right]. rewrite !qz_plus, qz_mult in *.
        assert (qz factor * (qz v * z i) <= qz factor * qz (Z.max 0 a)).
        { setoid_rewrite (Qmult_comm (qz factor)). apply Qmult_le_compat_r; auto. }
        lra.
      * auto.
    + destruct (most_one v (Rooms.room room i)) as [a|] eqn:M.
      * apply most_one_ok with (q := z i) in M; [|apply W; congruence].
        assert (A : qz v * z i <= qz (Z.max 0 a) * qz (one x i)).
        { unfold one. destruct (x i) eqn:X.
          - rewrite qz_1. apply Qle_trans with (qz a); auto. assert (qz a <= qz (Z.max 0 a)) by (apply le_qz; lia). lra.
          - rewrite qz_0. rewrite (Z0 i); [lra|]. rewrite in_withheld. apply role_open in G. intros [K|[_ K]]; [tauto|congruence]. }
        apply IH with (q := q + qz factor * (qz v * z i)) in H.
        -- destruct H as [H K]; split; auto. unfold bounded_by in *. destruct s as [[? ?] ?].
           destruct H as [H|H]; [left; auto|right]. simpl. rewrite <- Qplus_assoc in H. rewrite Qmult_plus_distr_r. exact H.
        -- simpl in *. destruct B as [B|B]; [left; auto|right]. rewrite !qz_plus, !qz_mult in *.
           assert (qz factor * (qz v * z i) <= qz factor * (qz (Z.max 0 a) * qz (one x i))).
           { setoid_rewrite (Qmult_comm (qz factor)). apply Qmult_le_compat_r; auto. }
           lra.
        -- simpl in *. intros y. specialize (N y). generalize (one_range y i); intros R.
           assert (0 <= factor * Z.max 0 a)%Z by (apply Z.mul_nonneg_nonneg; lia). nia.
      * apply IH with (q := q + qz factor * (qz v * z i)) in H.
        -- destruct H as [H K]; split; auto. unfold bounded_by in *. destruct s as [[? ?] ?].
           destruct H as [H|H]; [left; auto|right]. simpl. rewrite <- Qplus_assoc in H. rewrite Qmult_plus_distr_r. exact H.
        -- simpl in *. destruct (x i) eqn:X; [left; exists i; auto|]. destruct B as [[j [J Y]]|B]; [left; exists j; auto|right].
           rewrite (Z0 i); [lra|]. rewrite in_withheld. apply role_open in G. intros [K|[_ K]]; [tauto|congruence].
        -- auto.
    + apply IH with (q := q + qz factor * (qz v * z i)) in H.
      * destruct H as [H K]; split; auto. unfold bounded_by in *. destruct s as [[? ?] ?].
        destruct H as [H|H]; [left; auto|right]. simpl. rewrite <- Qplus_assoc in H. rewrite Qmult_plus_distr_r. exact H.
      * simpl in *. destruct B as [B|B]; [left; auto|right]. rewrite (Z0 i); [lra|].
        rewrite in_withheld. apply role_none in G. tauto.
      * auto.
Qed.

(* sign times denominator times the move of p, less the multiples of equations. *)
Definition slopes (rws : rows) (p : positive) (sign : Z) (g : fractions) : option sum :=
  if Z.ltb 0 (denominator g) then
    match less rws (entries g) (add p (sign * denominator g) Leaf) with
    | Some t => Some (listed t)
    | None => None
    end
  else None.

Lemma slopes_ok es p sign g ts z : slopes (numbered 1 es Leaf) p sign g = Some ts ->
  (forall e, In e es -> dot (terms e) z == 0) ->
  (0 < denominator g)%Z /\ dot ts z == qz (sign * denominator g) * z p.
Proof.
  unfold slopes. destruct (Z.ltb_spec 0 (denominator g)) as [D|]; [|discriminate].
  destruct (less _ _ _) as [t|] eqn:L; [|discriminate]. intros H B; inversion H; subst; split; auto.
  rewrite listed_value, (value_less _ _ _ _ z L).
  - rewrite value_add; simpl; ring.
  - intros e y R. apply B. apply numbered_in in R. destruct R as [R|R]; auto. now rewrite get_leaf in R.
Qed.

Definition asked_of (s : shares) (level : Z) : inequality :=
  let '(given, counted, endless) := s in
  let asked := (level - given)%Z in
  if Z.ltb 0 asked then (map (fun i => (i, asked)) endless ++ counted, asked) else ([], 0%Z).

Lemma sum_at_app f a b : (sum_at f (a ++ b) = sum_at f a + sum_at f b)%Z.
Proof. induction a as [|[i c] rest IH]; simpl; [auto|]. rewrite IH; ring. Qed.

Lemma asked_ok x s level : bounded_by x s (qz level) -> no_negatives s -> holds x (asked_of s level).
Proof.
  destruct s as [[given counted] endless]; unfold asked_of, holds; simpl; intros B N.
  destruct (Z.ltb_spec 0 (level - given)) as [L|]; simpl; [|lia].
  rewrite sum_at_app. specialize (N x).
  assert (E : (0 <= sum_at (one x) (map (fun i => (i, level - given)) endless))%Z).
  { clear - L. induction endless as [|i rest IH]; simpl; [lia|]. generalize (one_range x i); nia. }
  destruct B as [[i [I X]]|B].
  - assert ((level - given <= sum_at (one x) (map (fun i => (i, level - given)) endless))%Z); [|lia].
    clear - I X L. induction endless as [|j rest IH]; [inversion I|]. simpl.
    assert (E : (0 <= sum_at (one x) (map (fun i => (i, level - given)) rest))%Z).
    { clear - L. induction rest as [|k rest IH]; simpl; [lia|]. generalize (one_range x k); nia. }
    destruct I as [->|I]; [unfold one at 1; rewrite X; lia|]. specialize (IH I). generalize (one_range x j); nia.
  - apply qz_le in B. lia.
Qed.

Definition rooms_if_hidden (P : problem) (D : choice) (k : positive) : rooms :=
  rooms_of P (told_by (map (fun i => (i, Withheld)) (always D ++ map fst (open D)))) (known_to P k).

Definition need_of (P : problem) (rws : rows) (rs : roles) (all_rooms : tree rooms) (needs : tree requirement)
  (n : needed) : option inequality :=
  match get (its_requirement n) needs with
  | None => None
  | Some r =>
      match get (by_attacker r) all_rooms with
      | None => None
      | Some room =>
          let p := about r in
          let dh := denominator (high_proof n) in
          let dl := denominator (low_proof n) in
          match its_side n with
          | High =>
              match slopes rws p 1 (high_proof n) with
              | Some ts => match shares_of rs room ts 1 (0%Z, [], []) with
                           | Some s => Some (asked_of s (upper r * dh)) | None => None end
              | None => None
              end
          | Low =>
              match slopes rws p (-1) (low_proof n) with
              | Some ts => match shares_of rs room ts 1 (0%Z, [], []) with
                           | Some s => Some (asked_of s (lower r * dl)) | None => None end
              | None => None
              end
          | HighAndLow =>
              match slopes rws p 1 (high_proof n), slopes rws p (-1) (low_proof n) with
              | Some hs, Some ls =>
                  match shares_of rs room hs dl (0%Z, [], []) with
                  | Some s => match shares_of rs room ls dh s with
                              | Some s => Some (asked_of s (sliding_of P r * (dh * dl))) | None => None end
                  | None => None
                  end
              | _, _ => None
              end
          end
      end
  end.

Lemma need_ok P D all_rooms n row x : (forall k room, get k all_rooms = Some room -> room = rooms_if_hidden P D k /\
    sane P (told_by (map (fun i => (i, Withheld)) (always D ++ map fst (open D)))) (known_to P k)) ->
  need_of P (numbered 1 (equations P) Leaf) (roles_of D) all_rooms (numbered 1 (requirements P) Leaf) n = Some row ->
  safe P D x -> holds x row.
Proof.
  intros R H S. unfold need_of in H. destruct (get (its_requirement n) _) as [r|] eqn:G; [|discriminate].
  apply numbered_in in G. destruct G as [G|G]; [|now rewrite get_leaf in G].
  destruct (get (by_attacker r) all_rooms) as [room|] eqn:K; [|discriminate]. destruct (R _ _ K) as [-> Sane]; clear R K.
  specialize (S r G).
  assert (A := asks_ok P r (proj1 Sane) (proj1 (proj2 (proj2 Sane)))).
  specialize (S _ _ _ A). destruct S as [_ [[yu [Pu Lu]] [[yl [Pl Ll]] [y [y' [Py [Py' Ls]]]]]]].
  change (qz (truth (releasing P (withheld D x)) (about r))) with (qz (truth P (about r))) in *.
  set (a := qz (truth P (about r))) in *.
  (* what the attacker cannot rule out, as moves *)
  assert (Moves : forall y, possible (releasing P (withheld D x)) (by_attacker r) y ->
    (forall e, In e (equations P) -> dot (terms e) (fun i => y i - qz (truth P i)) == 0) /\
    (forall i, get i (roles_of D) <> None -> within (Rooms.room (rooms_if_hidden P D (by_attacker r)) i) (y i - qz (truth P i))) /\
    (forall i, ~ In i (withheld D x) -> y i - qz (truth P i) == 0)).
  { intros w Pw. apply possible_means in Pw. destruct Pw as [Pe [Pp [Pn Pk]]].
    assert (C : consistent P (told_by (map (fun i => (i, Withheld)) (always D ++ map fst (open D)))) (known_to P (by_attacker r)) w).
    { split; [auto|split; [auto|split; [|split; [|auto]]]].
      - intros i q I. apply in_told in I. destruct I as [_ ->]. apply within_free.
      - intros i I. apply Pn. intros J. apply (I (None, None)). apply in_told. split; auto. apply in_withheld in J.
        apply in_app_iff. tauto. }
    apply consistent_is_movable in C; auto. destruct C as [F E]. split; [exact E|split; [intros i _; apply F|]].
    intros i N. rewrite (Pn i N); ring. }
  assert (Start : forall q, q == 0 -> bounded_by x (0%Z, [], []) q /\ no_negatives (0%Z, [], [])).
  { intros q Q. split; [right; simpl; rewrite Q; unfold Qle; simpl; lia|simpl; intros; lia]. }
  destruct (its_side n).
  - destruct (slopes _ _ 1 (high_proof n)) as [ts|] eqn:T; [|discriminate].
    destruct (shares_of _ _ ts 1 _) as [s|] eqn:Sh; [|discriminate]. inversion H; subst; clear H.
    destruct (Moves yu Pu) as [E [F Z0]]. destruct (slopes_ok _ _ _ _ _ _ T E) as [D0 V].
    destruct (Start 0 (Qeq_refl 0)) as [B0 N0].
    destruct (shares_ok D x _ _ 1 ltac:(lia) F Z0 _ _ _ _ Sh B0 N0) as [B N].
    apply asked_ok; auto. destruct s as [[g c] e]. destruct B as [B|B]; [left; auto|right].
    rewrite V in B. rewrite qz_mult. rewrite qz_1, qz_mult, qz_1 in B. cbv beta in B. fold a in B.
    apply Qle_trans with (2 := B). generalize (qz_pos _ D0); intros D1.
    assert (qz (upper r) <= yu (about r) - a) by lra.
    assert (K := Qmult_le_compat_r _ _ (qz (denominator (high_proof n))) H (Qlt_le_weak _ _ D1)). lra.
  - destruct (slopes _ _ (-1) (low_proof n)) as [ts|] eqn:T; [|discriminate].
    destruct (shares_of _ _ ts 1 _) as [s|] eqn:Sh; [|discriminate]. inversion H; subst; clear H.
    destruct (Moves yl Pl) as [E [F Z0]]. destruct (slopes_ok _ _ _ _ _ _ T E) as [D0 V].
    destruct (Start 0 (Qeq_refl 0)) as [B0 N0].
    destruct (shares_ok D x _ _ 1 ltac:(lia) F Z0 _ _ _ _ Sh B0 N0) as [B N].
    apply asked_ok; auto. destruct s as [[g c] e]. destruct B as [B|B]; [left; auto|right].
    rewrite V in B. rewrite qz_mult. rewrite qz_1, qz_mult in B. cbv beta in B. fold a in B.
    apply Qle_trans with (2 := B). generalize (qz_pos _ D0); intros D1.
    assert (qz (lower r) <= a - yl (about r)) by lra.
    assert (K := Qmult_le_compat_r _ _ (qz (denominator (low_proof n))) H (Qlt_le_weak _ _ D1)).
    change (qz (-1)) with (-1 # 1). lra.
  - destruct (slopes _ _ 1 (high_proof n)) as [hs|] eqn:T; [|discriminate].
    destruct (slopes _ _ (-1) (low_proof n)) as [ls|] eqn:T'; [|discriminate].
    destruct (shares_of _ _ hs _ _) as [s|] eqn:Sh; [|discriminate].
    destruct (shares_of _ _ ls _ s) as [s'|] eqn:Sl; [|discriminate]. inversion H; subst; clear H.
    destruct (Moves y Py) as [E [F Z0]]. destruct (slopes_ok _ _ _ _ _ _ T E) as [D0 V].
    destruct (Moves y' Py') as [E' [F' Z0']]. destruct (slopes_ok _ _ _ _ _ _ T' E') as [D0' V'].
    destruct (Start 0 (Qeq_refl 0)) as [B0 N0].
    destruct (shares_ok D x _ _ _ D0' F Z0 _ _ _ _ Sh B0 N0) as [B N].
    destruct (shares_ok D x _ _ _ D0 F' Z0' _ _ _ _ Sl B N) as [B' N'].
    apply asked_ok; auto. destruct s' as [[g c] e]. destruct B' as [B'|B']; [left; auto|right].
    rewrite V, V' in B'. rewrite !qz_mult. rewrite !qz_mult, qz_1 in B'. cbv beta in B'. fold a in B'.
    apply Qle_trans with (2 := B'). generalize (qz_pos _ D0) (qz_pos _ D0'); intros D1 D1'.
    set (dh := qz (denominator (high_proof n))) in *. set (dl := qz (denominator (low_proof n))) in *.
    assert (P0 : 0 <= dh * dl) by (apply Qmult_le_0_compat; lra).
    assert (K := Qmult_le_compat_r _ _ (dh * dl) Ls P0).
    change (qz (-1)) with (-1 # 1).
    setoid_replace (0 + dl * (1 * dh * (y (about r) - a)) + dh * ((-1 # 1) * dl * (y' (about r) - a))) with
      ((y (about r) - y' (about r)) * (dh * dl)) by ring. exact K.
Qed.

(* ---- sums of steps *)

Definition ceiling (a d : Z) : Z := (- ((- a) / d))%Z.
Lemma ceiling_ok a d : (0 < d)%Z -> (a <= d * ceiling a d)%Z /\ (d * ceiling a d < a + d)%Z.
Proof. intros D. unfold ceiling. generalize (Z.mul_div_le (- a) d D) (Z.mul_succ_div_gt (- a) d D). nia. Qed.

(* Rows before this one, times factors that are none negative. *)
Fixpoint added (k : known_so_far) (factor : Z) (ss : sum) (t : tree Z) (b : Z) : option (tree Z * Z) :=
  match ss with
  | [] => Some (t, b)
  | (n, v) :: rest =>
      match get n (rows_so_far k) with
      | Some row => if Z.leb 0 v then added k factor rest (add_terms (factor * v) (fst row) t) (b + v * snd row)%Z
                    else None
      | None => None
      end
  end.

Lemma worth_add_terms c ts : forall t f, (worth (add_terms c ts t) f = worth t f + c * sum_at f ts)%Z.
Proof.
  induction ts as [|[i v] rest IH]; intros t f; simpl; [ring|]. rewrite IH, worth_add; ring.
Qed.

Definition all_hold (x : positive -> bool) (k : known_so_far) : Prop :=
  forall n row, get n (rows_so_far k) = Some row -> holds x row.

Lemma added_ok x k factor ss : all_hold x k -> (factor = 1 \/ factor = -1)%Z -> forall t b t' b', added k factor ss t b = Some (t', b') ->
  (factor * (worth t' (one x) - worth t (one x)) >= b' - b)%Z.
Proof.
  intros A Fc; induction ss as [|[n v] rest IH]; simpl; intros t b t' b' H; [inversion H; lia|].
  destruct (get n (rows_so_far k)) as [row|] eqn:G; [|discriminate]. destruct (Z.leb_spec 0 v); [|discriminate].
  apply IH in H. rewrite worth_add_terms in H. specialize (A _ _ G). unfold holds in A.
  assert (v * snd row <= v * sum_at (one x) (fst row))%Z by (apply Z.mul_le_mono_nonneg_l; auto).
  destruct Fc as [-> | ->]; lia.
Qed.

Fixpoint capped_by (ls : tree positive) (caps : sum) (t : tree Z) (b : Z) : option (tree Z * Z) :=
  match caps with
  | [] => Some (t, b)
  | (i, v) :: rest => if Z.leb 0 v then capped_by ls rest (add (leader ls i) (- v)%Z t) (b - v)%Z else None
  end.
Lemma capped_by_ok x ls caps : forall t b t' b', capped_by ls caps t b = Some (t', b') ->
  (worth t' (one x) - b' >= worth t (one x) - b)%Z.
Proof.
  induction caps as [|[i v] rest IH]; simpl; intros t b t' b' H; [inversion H; lia|].
  destruct (Z.leb_spec 0 v); [|discriminate]. apply IH in H. rewrite worth_add in H.
  generalize (one_range x (leader ls i)); nia.
Qed.

Fixpoint divided (d : Z) (ts : sum) : sum :=
  match ts with [] => [] | (i, c) :: rest => (i, ceiling c d) :: divided d rest end.
Lemma divided_ok x d ts : (0 < d)%Z -> (sum_at (one x) ts <= d * sum_at (one x) (divided d ts))%Z.
Proof.
  intros D; induction ts as [|[i c] rest IH]; simpl; [lia|].
  generalize (one_range x i) (proj1 (ceiling_ok c d D)); nia.
Qed.

Definition sum_of (k : known_so_far) (ss caps : sum) (d : Z) : option inequality :=
  if Z.ltb 0 d then
    match added k 1 ss Leaf 0 with
    | Some (t, b) => match capped_by (leaders k) caps t b with
                     | Some (t, b) => Some (reduced k (divided d (listed t)) (ceiling b d))
                     | None => None
                     end
    | None => None
    end
  else None.
Lemma sum_of_ok x k ss caps d row : follows x (leaders k) -> agrees x (decided k) -> all_hold x k ->
  sum_of k ss caps d = Some row -> holds x row.
Proof.
  unfold sum_of; intros F A R H. destruct (Z.ltb_spec 0 d) as [D|]; [|discriminate].
  destruct (added k 1 ss Leaf 0) as [[t b]|] eqn:E; [|discriminate].
  destruct (capped_by (leaders k) caps t b) as [[t' b']|] eqn:C; [|discriminate]. inversion H; subst; clear H.
  apply reduced_ok; auto. apply (added_ok x) in E; auto. apply (capped_by_ok x) in C. unfold holds; simpl.
  generalize (divided_ok x d (listed t') D) (ceiling_ok b' d D). rewrite listed_worth. simpl in E.
  intros G1 [_ G2]. nia.
Qed.

(* ---- trees of cases *)

Fixpoint led (ls : tree positive) (ts : sum) (factor : Z) (t : tree Z) : tree Z :=
  match ts with [] => t | (i, c) :: rest => led ls rest factor (add (leader ls i) (factor * c)%Z t) end.
Lemma led_ok x ls ts factor : follows x ls -> forall t,
  (worth (led ls ts factor t) (one x) = worth t (one x) + factor * sum_at (one x) ts)%Z.
Proof.
  intros F; induction ts as [|[i c] rest IH]; intros t; simpl; [ring|]. rewrite IH, worth_add.
  assert (E : one x (leader ls i) = one x i) by (unfold one; now rewrite F). rewrite E; ring.
Qed.

Fixpoint least (ds : tree bool) (ts : sum) : Z :=
  match ts with
  | [] => 0%Z
  | (i, c) :: rest =>
      ((match get i ds with Some true => c | Some false => 0 | None => Z.min c 0 end) + least ds rest)%Z
  end.
Lemma least_ok x ds ts : agrees x ds -> (least ds ts <= sum_at (one x) ts)%Z.
Proof.
  intros A; induction ts as [|[i c] rest IH]; simpl; [lia|].
  assert (E : one x i = (if x i then 1 else 0)%Z) by reflexivity.
  destruct (get i ds) as [b|] eqn:G; [rewrite (A _ _ G) in E; destruct b|destruct (x i)]; rewrite E; lia.
Qed.

(* Everybody who decides such a cell the other way has more than the limit. *)
Fixpoint settle (limit : Z) (ds : tree bool) (ts : sum) (so_far : tree bool) : tree bool :=
  match ts with
  | [] => so_far
  | (i, c) :: rest =>
      settle limit ds rest
        (match get i ds with
         | None => if Z.ltb limit (Z.abs c) then set i (Z.ltb c 0) so_far else so_far
         | Some _ => so_far
         end)
  end.
Lemma least_other x ds ts i c : agrees x ds -> In (i, c) ts -> get i ds = None -> x i <> Z.ltb c 0 ->
  (least ds ts + Z.abs c <= sum_at (one x) ts)%Z.
Proof.
  intros A; induction ts as [|[j d] rest IH]; intros H G N; [inversion H|]. simpl. destruct H as [H|H].
  - inversion H; subst. rewrite G. generalize (least_ok x ds rest A).
    assert (E : one x i = (if x i then 1 else 0)%Z) by reflexivity.
    destruct (Z.ltb_spec c 0); destruct (x i); try congruence; rewrite E; lia.
  - specialize (IH H G N). generalize (least_ok x ds [(j, d)] A). simpl. lia.
Qed.
Lemma settle_ok x limit ds ts : agrees x ds -> (sum_at (one x) ts <= least ds ts + limit)%Z ->
  forall part so_far, (forall e, In e part -> In e ts) -> agrees x so_far -> agrees x (settle limit ds part so_far).
Proof.
  intros A L; induction part as [|[i c] rest IH]; simpl; intros so_far I S; auto.
  apply IH; [intros; apply I; auto|]. destruct (get i ds) as [b|] eqn:G; auto.
  destruct (Z.ltb_spec limit (Z.abs c)) as [M|]; auto. intros j b H.
  destruct (Pos.eq_dec i j) as [<-|N]; [|rewrite get_set_other in H by auto; apply S; auto].
  rewrite get_set_same in H; inversion H; subst. destruct (bool_dec (x i) (Z.ltb c 0)) as [E|E]; auto. exfalso.
  generalize (least_other x ds ts i c A (I _ (or_introl eq_refl)) G E). lia.
Qed.

(* What is left of the objective less the steps, and what it is worth at least. *)
Definition rest_of (k : known_so_far) (ds : tree bool) (about : sum) (c : combination) : option (sum * Z) :=
  if Z.leb 0 (times_weight c) then
    match added k (-1) (times_steps c) (led (leaders k) about (times_weight c) Leaf) 0 with
    | Some (t, b) => let es := listed t in Some (es, (b + least ds es)%Z)
    | None => None
    end
  else None.

Fixpoint closed (k : known_so_far) (about : sum) (at_least : Z) (ds : tree bool) (t : cases_of) : bool :=
  match t with
  | Closed c =>
      match rest_of k ds about c with
      | Some (_, base) => Z.ltb (times_weight c * (at_least - 1)) base
      | None => false
      end
  | Settled c rest =>
      match rest_of k ds about c with
      | Some (es, base) =>
          closed k about at_least (settle (times_weight c * (at_least - 1) - base) ds es ds) rest
      | None => false
      end
  | Split i published hidden =>
      (closed k about at_least (set i false ds) published && closed k about at_least (set i true ds) hidden)%bool
  end.

Lemma rest_ok x k ds about c es base : follows x (leaders k) -> all_hold x k -> agrees x ds ->
  rest_of k ds about c = Some (es, base) ->
  (0 <= times_weight c)%Z /\
  (base - least ds es + sum_at (one x) es <= times_weight c * sum_at (one x) about)%Z.
Proof.
  unfold rest_of; intros F R A H. destruct (Z.leb_spec 0 (times_weight c)); [|discriminate].
  destruct (added _ _ _ _ _) as [[t b]|] eqn:E; [|discriminate]. inversion H; subst; clear H. split; auto.
  apply (added_ok x) in E; auto. rewrite led_ok in E by auto. rewrite listed_worth. simpl in E. lia.
Qed.

Lemma closed_ok x k about at_least : follows x (leaders k) -> all_hold x k ->
  forall t ds, agrees x ds -> closed k about at_least ds t = true -> (at_least <= sum_at (one x) about)%Z.
Proof.
  intros F R. induction t as [c|c rest IH|i p IHp h IHh]; intros ds A H; simpl in H.
  - destruct (rest_of k ds about c) as [[es base]|] eqn:E; [|discriminate]. apply Z.ltb_lt in H.
    destruct (rest_ok x k ds about c es base F R A E) as [W G]. generalize (least_ok x ds es A). nia.
  - destruct (rest_of k ds about c) as [[es base]|] eqn:E; [|discriminate].
    destruct (rest_ok x k ds about c es base F R A E) as [W G].
    destruct (Z_le_gt_dec at_least (sum_at (one x) about)) as [|M]; auto.
    refine (IH _ _ H). apply settle_ok with (ts := es); auto. nia.
  - apply andb_prop in H; destruct H as [Hp Hh]. destruct (x i) eqn:X.
    + apply (IHh _) in Hh; auto. intros j b G. destruct (Pos.eq_dec i j) as [<-|N].
      * rewrite get_set_same in G; congruence.
      * rewrite get_set_other in G by auto; auto.
    + apply (IHp _) in Hp; auto. intros j b G. destruct (Pos.eq_dec i j) as [<-|N].
      * rewrite get_set_same in G; congruence.
      * rewrite get_set_other in G by auto; auto.
Qed.

(* ---- one step after the other *)

Definition lesson (row : inequality) (ds : tree bool) : tree bool :=
  match row with
  | ([(i, c)], b) =>
      if (Z.ltb 0 b && Z.ltb 0 c)%bool then set i true ds
      else if (Z.eqb b 0 && Z.ltb c 0)%bool then set i false ds else ds
  | _ => ds
  end.
Lemma lesson_ok x row ds : holds x row -> agrees x ds -> agrees x (lesson row ds).
Proof.
  destruct row as [[|[i c] [|]] b]; simpl; auto. unfold holds; simpl. intros H A.
  destruct (Z.ltb_spec 0 b); destruct (Z.ltb_spec 0 c); destruct (Z.eqb_spec b 0); destruct (Z.ltb_spec c 0); simpl; auto; try lia;
    intros j v G; (destruct (Pos.eq_dec i j) as [<-|N]; [rewrite get_set_same in G; inversion G|rewrite get_set_other in G by auto; auto]);
    unfold one in H; destruct (x i); auto; lia.
Qed.

Definition learned (k : known_so_far) (row : inequality) : known_so_far :=
  {| leaders := leaders k; decided := lesson row (decided k); rows_so_far := set (next_row k) row (rows_so_far k);
     next_row := Pos.succ (next_row k); last_row := row |}.

Section Steps.
  Variables (P : problem) (D : choice).
  Let rws := numbered 1 (equations P) Leaf.
  Let rs := roles_of D.
  Let needs := numbered 1 (requirements P) Leaf.
  Variable all_rooms : tree rooms.

  Definition row_of (k : known_so_far) (s : step) : option inequality :=
    match s with
    | ByNeed n => match need_of P rws rs all_rooms needs n with
                  | Some (ts, b) => Some (reduced k ts b) | None => None end
    | Bridgeless h g => match bridge_of rws rs h g with
                        | Some ts => Some (reduced k ts 0) | None => None end
    | Added ss caps d => sum_of k ss caps d
    | Tree about at_least t => if closed k about at_least (decided k) t then Some (reduced k about at_least) else None
    end.

  Fixpoint run_steps (n : positive) (ss : list step) (k : known_so_far) : known_so_far + positive :=
    match ss with
    | [] => inl k
    | s :: rest => match row_of k s with
                   | Some row => run_steps (Pos.succ n) rest (learned k row)
                   | None => inr n
                   end
    end.

  (* Of a pattern: the bridgeless inequalities of the log hold. *)
  Definition bridged (x : positive -> bool) (s : step) : Prop :=
    match s with
    | Bridgeless h g => forall ts, bridge_of rws rs h g = Some ts -> holds x (ts, 0%Z)
    | _ => True
    end.

  Variable x : positive -> bool.
  Hypothesis Right_rooms : forall k room, get k all_rooms = Some room -> room = rooms_if_hidden P D k /\
    sane P (told_by (map (fun i => (i, Withheld)) (always D ++ map fst (open D)))) (known_to P k).
  Hypothesis Safe : safe P D x.

  Definition sound (k : known_so_far) : Prop :=
    follows x (leaders k) /\ agrees x (decided k) /\ all_hold x k /\ holds x (last_row k).

  Lemma row_ok k s row : sound k -> bridged x s -> row_of k s = Some row -> holds x row.
  Proof.
    intros [F [A [R _]]] B H. destruct s as [n|h g|ss caps d|about at_least t]; simpl in *.
    - destruct (need_of _ _ _ _ _ n) as [[ts b]|] eqn:E; [|discriminate]. inversion H; subst. apply reduced_ok; auto.
      eapply need_ok; eauto.
    - destruct (bridge_of rws rs h g) as [ts|] eqn:E; [|discriminate]. inversion H; subst. apply reduced_ok; auto.
    - eapply sum_of_ok; eauto.
    - destruct (closed _ _ _ _ _) eqn:E; [|discriminate]. inversion H; subst. apply reduced_ok; auto.
      unfold holds; simpl. eapply closed_ok; eauto.
  Qed.

  Lemma run_ok ss : forall n k k', sound k -> Forall (bridged x) ss -> run_steps n ss k = inl k' -> sound k'.
  Proof.
    induction ss as [|s rest IH]; intros n k k' S B H; simpl in H; [inversion H; subst; auto|].
    destruct (row_of k s) as [row|] eqn:E; [|discriminate]. inversion B; subst. apply IH in H; auto.
    assert (H0 := row_ok _ _ _ S H2 E). destruct S as [F [A [R L]]]. split; [exact F|split; [|split; [|exact H0]]].
    - apply lesson_ok; auto.
    - intros m r G. unfold learned in G; simpl in G. destruct (Pos.eq_dec (next_row k) m) as [<-|N].
      + rewrite get_set_same in G; inversion G; subst; auto.
      + rewrite get_set_other in G by auto. eapply R; eauto.
  Qed.
End Steps.

(* ---- ties *)

Fixpoint run_ties (rws : rows) (rs : roles) (n : positive) (ts : list tie) (ls : tree positive)
  : tree positive + positive :=
  match ts with
  | [] => inl ls
  | t :: rest =>
      (* who stands for others keeps standing for itself *)
      if (tied rws rs t && Pos.eqb (leader ls (its_leader t)) (its_leader t) &&
          negb (Pos.eqb (its_cell_ t) (its_leader t)))%bool
      then run_ties rws rs (Pos.succ n) rest (set (its_cell_ t) (its_leader t) ls)
      else inr n
  end.

Lemma run_ties_ok x rws rs ts : Forall (fun t => x (its_cell_ t) = x (its_leader t)) ts -> forall n ls ls',
  follows x ls -> run_ties rws rs n ts ls = inl ls' -> follows x ls'.
Proof.
  induction 1 as [|t rest E _ IH]; intros n ls ls' F H; simpl in H; [inversion H; subst; auto|].
  destruct (_ && _)%bool; [|discriminate]. eapply IH; [|exact H]. intros i. unfold leader.
  destruct (Pos.eq_dec (its_cell_ t) i) as [<-|N].
  - rewrite get_set_same; auto.
  - rewrite get_set_other by auto. apply F.
Qed.

(* ---- all of it *)

Fixpoint left_of (k : known_so_far) (ws : sum) (t : tree Z) (claim : Z) : tree Z * Z :=
  match ws with
  | [] => (t, claim)
  | (i, w) :: rest =>
      match get (leader (leaders k) i) (decided k) with
      | Some true => left_of k rest t (claim - w)
      | _ => left_of k rest (add (leader (leaders k) i) w t) claim
      end
  end.
Lemma left_ok x k ws : follows x (leaders k) -> agrees x (decided k) -> forall t c t' c',
  left_of k ws t c = (t', c') -> (worth t' (one x) - c' = worth t (one x) - c + sum_at (one x) ws)%Z.
Proof.
  intros F A; induction ws as [|[i w] rest IH]; simpl; intros t c t' c' H; [inversion H; subst; ring|].
  assert (E : one x i = one x (leader (leaders k) i)) by (unfold one; now rewrite F).
  destruct (get (leader (leaders k) i) (decided k)) as [[|]|] eqn:G; apply IH in H; rewrite H, ?worth_add, E;
    try ring. unfold one; rewrite (A _ _ G); ring.
Qed.

Fixpoint none_negative (t : tree Z) : bool :=
  match t with Leaf => true | Node l o r => (Z.leb 0 (own o) && none_negative l && none_negative r)%bool end.
Lemma none_negative_ok t : none_negative t = true -> forall f, (forall i, 0 <= f i)%Z -> (0 <= worth t f)%Z.
Proof.
  induction t as [|l IHl o r IHr]; simpl; intros H f N; [lia|]. split_and H. apply Z.leb_le in H.
  specialize (IHl H1 (fun i => f (xO i)) ltac:(intros; apply N)).
  specialize (IHr H0 (fun i => f (xI i)) ltac:(intros; apply N)). specialize (N xH). nia.
Qed.

Fixpoint attacker_rooms (P : problem) (told : knowledge) (t : tree knowledge) : tree rooms :=
  match t with
  | Leaf => Leaf
  | Node l o r => Node (attacker_rooms P told l) (match o with Some known => Some (rooms_of P told known) | None => None end)
                       (attacker_rooms P told r)
  end.
Lemma get_rooms P told t k : get k (attacker_rooms P told t) =
  match get k t with Some known => Some (rooms_of P told known) | None => None end.
Proof.
  revert k; induction t as [|l IHl o r IHr]; intros k; simpl; [now rewrite !get_leaf|]. destruct k; simpl; auto.
Qed.

Definition bound_of_log (P : problem) (D : choice) (log : bound_log) : bound_answer :=
  let rws := numbered 1 (equations P) Leaf in
  let rs := roles_of D in
  let told := told_by (map (fun i => (i, Withheld)) (always D ++ map fst (open D))) in
  if (adds_up P && all cell_is_sane (cells P) && is_true P told && all (is_true P) (attackers P) &&
      forallb (fun r => match get (about r) rs with Some Hidden => true | _ => false end) (requirements P) &&
      forallb (fun e => Z.leb 0 (snd e)) (open D))%bool
  then
    match run_ties rws rs 1 (ties log) Leaf with
    | inr n => WrongTie n
    | inl ls =>
        match run_steps P D (attacker_rooms P told (attackers P)) 1 (steps log)
                {| leaders := ls; decided := Leaf; rows_so_far := Leaf; next_row := 1; last_row := ([], 0%Z) |} with
        | inr n => WrongStep n
        | inl k =>
            let '(t, c) := left_of k (open D) Leaf (claim log) in
            if (Z.leb c 0 && none_negative t)%bool then AtLeast (claim log)
            else if (Z.leb c (snd (last_row k)) && none_negative (add_terms (-1) (fst (last_row k)) t))%bool
            then AtLeast (claim log) else WrongClaim
        end
    end
  else WrongTable.

Lemma run_ties_tied rws rs ts : forall n ls ls', run_ties rws rs n ts ls = inl ls' ->
  Forall (fun t => tied rws rs t = true) ts.
Proof.
  induction ts as [|t rest IH]; intros n ls ls' H; simpl in H; [constructor|].
  destruct (_ && _)%bool eqn:E; [|discriminate]. split_and E. constructor; eauto.
Qed.

Lemma tied_ok P D t x i j : tied (numbered 1 (equations P) Leaf) (roles_of D) t = true ->
  (i = its_cell_ t /\ j = its_leader t \/ i = its_leader t /\ j = its_cell_ t) ->
  x i = true -> x j = false -> get i (roles_of D) = Some Open /\ still P D x i.
Proof.
  unfold tied; intros H C X Y.
  destruct (bridge_of _ _ (its_cell_ t) _) as [[|[h c] [|[k d] [|]]]|] eqn:B; try discriminate.
  destruct (bridge_of _ _ (its_leader t) _) as [[|[h' c'] [|[k' d'] [|]]]|] eqn:B'; try discriminate.
  apply andb_prop in H; destruct H as [E E']. apply Pos.eqb_eq in E; apply Pos.eqb_eq in E'; subst k k'.
  assert (Shape : forall rws rs h g coefs, bridge_of rws rs h g = Some coefs -> exists more, coefs = (h, (-1)%Z) :: more).
  { clear. intros rws rs h g coefs. unfold bridge_of. destruct (less _ _ _); [|discriminate].
    destruct (get h rs) as [[|]|]; try discriminate. destruct (Z.eqb _ _); [discriminate|].
    destruct (others_of _ _ _); [|discriminate]. intros H; inversion H; eauto. }
  destruct C as [[-> ->]|[-> ->]].
  - destruct (Shape _ _ _ _ _ B) as [m Em]; inversion Em; subst. apply (bridge_ok P D _ _ _ x) in B.
    destruct B as [B|B]; [|tauto]. unfold holds, one in B; simpl in B. rewrite X, Y in B. lia.
  - destruct (Shape _ _ _ _ _ B') as [m Em]; inversion Em; subst. apply (bridge_ok P D _ _ _ x) in B'.
    destruct B' as [B'|B']; [|tauto]. unfold holds, one in B'; simpl in B'. rewrite X, Y in B'. lia.
Qed.

Lemma bridged_or_not P D x ss : Forall (bridged P D x) ss \/
  exists h, x h = true /\ get h (roles_of D) = Some Open /\ still P D x h.
Proof.
  induction ss as [|s rest [IH|IH]]; [left; apply Forall_nil| |right; exact IH].
  destruct s as [n|h g|a b c|a b c]; try (left; apply Forall_cons; [exact I|exact IH]).
  destruct (bridge_of (numbered 1 (equations P) Leaf) (roles_of D) h g) as [ts|] eqn:B.
  - destruct (bridge_ok P D h g ts x B) as [H|H]; [|right; exists h; exact H].
    left; apply Forall_cons; [|exact IH]. intros ts' B'. congruence.
  - left; apply Forall_cons; [|exact IH]. intros ts' B'. congruence.
Qed.

(* Theorem 5: no safe pattern weighs less. *)
Theorem bound_is_right P D log n x : bound_of_log P D log = AtLeast n -> safe P D x -> (n <= cost D x)%Z.
Proof.
  unfold bound_of_log. intros H. destruct (_ && _)%bool eqn:T in H; [|discriminate]. split_and T.
  rename H4 into Sane, H3 into Told, H2 into Known, H1 into Asked, H0 into Weights.
  set (rws := numbered 1 (equations P) Leaf) in *. set (rs := roles_of D) in *.
  set (told := told_by (map (fun i => (i, Withheld)) (always D ++ map fst (open D)))) in *.
  destruct (run_ties rws rs 1 (ties log) Leaf) as [ls|] eqn:Ties; [|discriminate].
  set (k0 := {| leaders := ls |}) in *.
  destruct (run_steps P D _ 1 (steps log) k0) as [k|] eqn:Steps; [|discriminate].
  destruct (left_of k (open D) Leaf (claim log)) as [t c] eqn:L.
  assert (W : forall i w, In (i, w) (open D) -> (0 <= w)%Z).
  { intros i w I. rewrite forallb_forall in Weights. apply Weights in I. now apply Z.leb_le in I. }
  assert (Q : forall r, In r (requirements P) -> In (about r) (always D)).
  { intros r I. rewrite forallb_forall in Asked. apply Asked in I. apply role_hidden. fold rs.
    destruct (get (about r) rs) as [[|]|]; congruence. }
  assert (R : forall a room, get a (attacker_rooms P told (attackers P)) = Some room ->
    room = rooms_if_hidden P D a /\ sane P told (known_to P a)).
  { intros a room G. rewrite get_rooms in G. unfold rooms_if_hidden, known_to.
    destruct (get a (attackers P)) as [known|] eqn:K; [|discriminate]. inversion G; subst. split; auto.
    repeat split; auto. exact (all_get _ _ _ Known K). }
  assert (Tied := run_ties_tied _ _ _ _ _ _ Ties).
  (* a pattern of which the log speaks weighs as much *)
  assert (Told_of : forall x, safe P D x -> Forall (fun t => x (its_cell_ t) = x (its_leader t)) (ties log) ->
    Forall (bridged P D x) (steps log) -> (n <= cost D x)%Z).
  { intros y S Ft Fb.
    assert (F0 : follows y ls).
    { eapply run_ties_ok; [exact Ft| |exact Ties]. intros i. unfold leader; now rewrite get_leaf. }
    assert (K0 : sound y k0).
    { split; [exact F0|split; [|split]].
      - intros i b G; simpl in G; now rewrite get_leaf in G.
      - intros m r G; simpl in G; now rewrite get_leaf in G.
      - unfold holds; simpl; lia. }
    destruct (run_ok P D _ y R S _ _ _ _ K0 Fb Steps) as [F [A [_ Last]]].
    apply (left_ok y) in L; auto. simpl in L. unfold cost.
    destruct (_ && _)%bool eqn:E in H.
    - split_and E. apply Z.leb_le in E. inversion H; subst.
      generalize (none_negative_ok t H0 (one y) (fun i => proj1 (one_range y i))). lia.
    - clear E. destruct (_ && _)%bool eqn:E in H; [|discriminate]. split_and E. apply Z.leb_le in E. inversion H; subst.
      generalize (none_negative_ok _ H0 (one y) (fun i => proj1 (one_range y i))). rewrite worth_add_terms.
      unfold holds in Last. lia. }
  clear H L.
  (* others weigh no less than one with fewer cells *)
  assert (All : forall m y, (length (filter y (map fst (open D))) <= m)%nat -> safe P D y -> (n <= cost D y)%Z).
  { induction m as [|m IH]; intros y Size S.
    all: assert (Drop : forall h, y h = true -> get h rs = Some Open -> still P D y h -> (n <= cost D y)%Z);
      [intros h X G St; assert (Fw := fewer y h _ (proj1 (role_open D h G)) X);
       first [lia|apply Z.le_trans with (cost D (without y h)); [apply IH; [lia|apply dropped_safe; auto]|apply dropped_cost; auto]]|].
    all: assert (Ft : Forall (fun t => y (its_cell_ t) = y (its_leader t)) (ties log) \/ (n <= cost D y)%Z);
      [clear - Tied Drop; induction Tied as [|t0 rest Ht _ IH']; [left; constructor|];
       destruct IH' as [IH'|IH']; [|right; auto];
       destruct (y (its_cell_ t0)) eqn:X; destruct (y (its_leader t0)) eqn:Y;
       [left; constructor; [congruence|auto]
       |right; destruct (tied_ok P D t0 y _ _ Ht (or_introl (conj eq_refl eq_refl)) X Y); eauto
       |right; destruct (tied_ok P D t0 y _ _ Ht (or_intror (conj eq_refl eq_refl)) Y X); eauto
       |left; constructor; [congruence|auto]]|].
    all: destruct Ft as [Ft|]; [|assumption].
    all: destruct (bridged_or_not P D y (steps log)) as [Fb|[h [X [G St]]]]; [|eapply Drop; eauto].
    all: auto. }
  intros S. eapply All; [|exact S]. apply le_n.
Qed.
