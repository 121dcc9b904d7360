(* SPDX-License-Identifier: Apache-2.0 *)
(* Evidence about whole numbers: witnesses, steps, chains, cases and holes (docs/counts.md, section 3). *)
From Coq Require Import ZArith QArith List Bool Lia Lqa.
From Lacuna Require Import Trees Problem Rooms Evidence Checker.
Import ListNotations.

Definition holes := tree (list Z).  (* moves of a cell that are possible; a cell without an entry: all *)
Definition units (z : positive -> Z) (i : positive) : Q := qz (z i).

(* Moves in whole numbers that the attacker cannot rule out. *)
Definition movable_whole (es : list equation) (rs : rooms) (hs : holes) (z : positive -> Z) : Prop :=
  fits_in rs (units z) /\ (forall e, In e es -> dot (terms e) (units z) == 0) /\
  (forall i l, get i hs = Some l -> In (z i) l).

Lemma sum_is_dot z ts : dot ts (units z) == qz (sum_at z ts).
Proof. apply sum_at_ok. Qed.

Fixpoint value_whole (t : tree Z) (z : positive -> Z) : Z :=
  match t with
  | Leaf => 0
  | Node l o r => (value_whole l (fun i => z (xO i)) + own o * z xH + value_whole r (fun i => z (xI i)))%Z
  end.
Lemma value_whole_ok t z : value t (units z) == qz (value_whole t z).
Proof.
  revert z; induction t as [|l IHl o r IHr]; intros z; simpl; [now rewrite qz_0|].
  rewrite !qz_plus, qz_mult, <- (IHl (fun i => z (xO i))), <- (IHr (fun i => z (xI i))). reflexivity.
Qed.

(* ---- two maps at once *)

Fixpoint zip_all {A B} (one : A -> B -> bool) (t : tree A) (u : tree B) : bool :=
  match t, u with
  | Node l o r, Node l' o' r' =>
      (match o, o' with Some v, Some b => one v b | _, _ => true end && zip_all one l l' &&
       zip_all one r r')%bool
  | _, _ => true
  end.
Lemma zip_all_get A B (one : A -> B -> bool) t u i v b :
  zip_all one t u = true -> get i t = Some v -> get i u = Some b -> one v b = true.
Proof.
  revert i u; induction t as [|l IHl o r IHr]; intros i u H G G'; [now rewrite get_leaf in G|].
  destruct u as [|l' o' r']; [now rewrite get_leaf in G'|]. simpl in H; split_and H.
  destruct i; simpl in G, G'; eauto. subst; auto.
Qed.

(* ---- holes *)

Definition snap (hs : holes) (i : positive) (r : range) : range :=
  match get i hs with
  | None => r
  | Some l => match filter (holds_in r) l with
              | [] => (Some 1%Z, Some 0%Z)
              | x :: rest => (Some (fold_left Z.min rest x), Some (fold_left Z.max rest x))
              end
  end.

Lemma fold_min l : forall x, (fold_left Z.min l x <= x)%Z /\ forall y, In y l -> (fold_left Z.min l x <= y)%Z.
Proof.
  induction l as [|a l IH]; intros x; simpl; [split; [lia|tauto]|].
  destruct (IH (Z.min x a)) as [A B]; split; [lia|]. intros y [->|H]; [lia|auto].
Qed.
Lemma fold_max l : forall x, (x <= fold_left Z.max l x)%Z /\ forall y, In y l -> (y <= fold_left Z.max l x)%Z.
Proof.
  induction l as [|a l IH]; intros x; simpl; [split; [lia|tauto]|].
  destruct (IH (Z.max x a)) as [A B]; split; [lia|]. intros y [->|H]; [lia|auto].
Qed.

Lemma snap_ok hs i r v : within r (qz v) -> (forall l, get i hs = Some l -> In v l) ->
  within (snap hs i r) (qz v).
Proof.
  intros W H. unfold snap. destruct (get i hs) as [l|]; auto. specialize (H _ eq_refl).
  assert (F : In v (filter (holds_in r) l)) by (apply filter_In; split; auto; now apply holds_in_ok).
  destruct (filter (holds_in r) l) as [|x rest]; [inversion F|].
  apply holds_in_ok. unfold holds_in; simpl. apply andb_true_iff; rewrite !Z.leb_le.
  destruct (fold_min rest x) as [A B], (fold_max rest x) as [A' B']. destruct F as [->|F]; split; auto.
Qed.

Lemma fits_set rs z i r : fits_in rs z -> within r (z i) -> fits_in (set i r rs) z.
Proof.
  intros F W j. unfold room. destruct (Pos.eq_dec i j) as [->|N].
  - now rewrite get_set_same.
  - rewrite get_set_other by auto. apply F.
Qed.

(* An end of a cell moved inward. *)
Definition narrow (hs : holes) (i : positive) (r : range) (rs : rooms) : rooms :=
  set i (snap hs i (meet r (room rs i))) rs.
Lemma narrow_ok es hs i r rs z : movable_whole es rs hs z -> within r (qz (z i)) ->
  movable_whole es (narrow hs i r rs) hs z.
Proof.
  intros [F [B H]] W. split; [|split]; auto. apply fits_set; auto. apply snap_ok; [|auto].
  apply within_meet; split; auto. apply F.
Qed.

Fixpoint snap_all (hs : holes) (cs : list positive) (rs : rooms) : rooms :=
  match cs with [] => rs | i :: rest => snap_all hs rest (narrow hs i (None, None) rs) end.
Lemma snap_all_ok es hs cs : forall rs z, movable_whole es rs hs z -> movable_whole es (snap_all hs cs rs) hs z.
Proof.
  induction cs as [|i rest IH]; intros rs z M; simpl; auto. apply IH, narrow_ok; auto. apply within_free.
Qed.

(* ---- chains *)

Record line := { l_cell : positive; is_high : bool; l_equation : positive; l_value : Z }.

Definition pass (a : positive -> Z) (rws : rows) (hs : holes) (rs : rooms) (n : line) : option rooms :=
  match get (l_equation n) rws with
  | None => None
  | Some x =>
      let p := l_cell n in
      let own := at_ p (vector (terms x)) in
      let sign := if is_high n then 1%Z else (-1)%Z in
      let turn := if Z.ltb 0 own then (- sign)%Z else sign in
      let claimed := (sign * (l_value n - a p))%Z in
      if Z.eqb own 0 then None
      else match most (set p 0%Z (add_terms turn (terms x) Leaf)) rs with
           | None => None
           | Some m =>
               if Z.ltb m ((claimed + 1) * Z.max own (- own))
               then Some (narrow hs p (if is_high n then (None, Some claimed) else (Some (- claimed)%Z, None)) rs)
               else None
           end
  end.

Lemma value_set i v t y : value (set i v t) y == value t y + (qz v - qz (at_ i t)) * y i.
Proof.
  revert t y; induction i; intros [|l o r] y; simpl; unfold at_ in *; rewrite ?IHi; simpl;
    rewrite ?get_leaf; simpl; rewrite ?qz_0; ring.
Qed.

Lemma at_add_terms k ts t i : at_ i (add_terms k ts t) = (at_ i t + k * in_terms i ts)%Z.
Proof.
  revert t; induction ts as [|[j c] rest IH]; intros t; simpl; [ring|]. rewrite IH, at_add; ring.
Qed.
Lemma at_vector ts i : at_ i (vector ts) = in_terms i ts.
Proof.
  unfold vector. assert (G : forall t, at_ i (fold_left (fun t e => add (fst e) (snd e) t) ts t) =
    (at_ i t + in_terms i ts)%Z).
  { induction ts as [|[j c] rest IH]; intros t; simpl; [ring|]. rewrite IH, at_add; simpl; ring. }
  rewrite G, at_leaf; ring.
Qed.

Lemma pass_ok a es rws hs rs n rs' z : (forall e x, get e rws = Some x -> In x es) ->
  pass a rws hs rs n = Some rs' -> movable_whole es rs hs z -> movable_whole es rs' hs z.
Proof.
  intros R H M. unfold pass in H. destruct (get (l_equation n) rws) as [x|] eqn:G; [|discriminate].
  rewrite at_vector in H. set (p := l_cell n) in *. set (own := in_terms p (terms x)) in *.
  set (sign := if is_high n then 1%Z else (-1)%Z) in *.
  set (turn := if Z.ltb 0 own then (- sign)%Z else sign) in *.
  set (claimed := (sign * (l_value n - a p))%Z) in *.
  destruct (Z.eqb_spec own 0) as [|N]; [discriminate|]. destruct (most _ rs) as [m|] eqn:E; [|discriminate].
  destruct (Z.ltb_spec m ((claimed + 1) * Z.max own (- own))) as [L|]; [|discriminate].
  inversion H; subst rs'; clear H. apply narrow_ok; auto. destruct M as [F [B _]].
  generalize (most_ok _ _ _ _ E F). rewrite value_set, value_add_terms, at_add_terms, at_leaf.
  rewrite (B x (R _ _ G)). fold own. simpl value. intros K.
  assert (K' : (- (turn * own) * z p <= m)%Z).
  { rewrite qz_le, qz_mult, qz_opp, qz_mult. unfold units in K. rewrite qz_plus, qz_mult, qz_0 in K. lra. }
  assert (S : (sign * z p <= claimed)%Z).
  { clear - K' L N. subst turn. destruct (Z.ltb_spec 0 own).
    - assert (own * (sign * z p) < (claimed + 1) * own)%Z by lia. nia.
    - assert ((- own) * (sign * z p) < (claimed + 1) * (- own))%Z by lia. nia. }
  subst sign. destruct (is_high n); split; intros v V; simpl in V; inversion V; subst v; apply le_qz; lia.
Qed.

Fixpoint pass_all (a : positive -> Z) (rws : rows) (hs : holes) (rs : rooms) (ns : list line) : option rooms :=
  match ns with
  | [] => Some rs
  | n :: rest => match pass a rws hs rs n with Some rs' => pass_all a rws hs rs' rest | None => None end
  end.
Lemma pass_all_ok a es rws hs ns : (forall e x, get e rws = Some x -> In x es) ->
  forall rs rs' z, pass_all a rws hs rs ns = Some rs' -> movable_whole es rs hs z -> movable_whole es rs' hs z.
Proof.
  intros R; induction ns as [|n rest IH]; intros rs rs' z H M; simpl in H; [inversion H; subst; auto|].
  destruct (pass a rws hs rs n) as [rs1|] eqn:E; [|discriminate]. eapply IH; eauto. eapply pass_ok; eauto.
Qed.

(* ---- steps *)

Definition is_nowhere (r : range) : bool :=
  match r with (Some l, Some u) => (Z.eqb l 0 && Z.eqb u 0)%bool | _ => false end.
Definition divides (m v : Z) : bool := Z.eqb (v / m * m) v.
Definition step_one (m : Z) (v : Z) (r : range) : bool := (is_nowhere r || divides m v)%bool.

Record step := { q_of : Z; multiples : fractions }.
Definition step_holds (rws : rows) (rs : rooms) (f : list (positive * Z)) (s : step) : bool :=
  let d := denominator (multiples s) in
  let q := q_of s in
  (Z.ltb 0 q && Z.ltb 0 d &&
   match less rws (quick_map (fun e => (fst e, (q * snd e)%Z)) (entries (multiples s)))
              (add_terms d f Leaf) with
   | Some rest => zip_all (step_one (q * d)) rest rs
   | None => false
   end)%bool.

Lemma whole_divides m t z : (forall i v, get i t = Some v -> (m | v * z i)%Z) -> (m | value_whole t z)%Z.
Proof.
  revert z; induction t as [|l IHl o r IHr]; intros z H; simpl; [apply Z.divide_0_r|].
  apply Z.divide_add_r; [apply Z.divide_add_r|].
  - apply IHl. intros i v G. apply (H (xO i) v G).
  - destruct o as [v|]; simpl; [exact (H xH v eq_refl)|apply Z.divide_0_r].
  - apply IHr. intros i v G. apply (H (xI i) v G).
Qed.

Lemma movable_row es rws rs hs z : (forall e x, get e rws = Some x -> In x es) -> movable_whole es rs hs z ->
  forall e x, get e rws = Some x -> dot (terms x) (units z) == 0.
Proof. intros R [_ [B _]] e x G. apply B; eauto. Qed.

Lemma step_ok es rws hs rs f s z : (forall e x, get e rws = Some x -> In x es) ->
  step_holds rws rs f s = true -> movable_whole es rs hs z -> (0 < q_of s)%Z /\ (q_of s | sum_at z f)%Z.
Proof.
  intros R H M. unfold step_holds in H. set (q := q_of s) in *. set (d := denominator (multiples s)) in *.
  apply andb_prop in H; destruct H as [H S]. apply andb_prop in H; destruct H as [Q D].
  apply Z.ltb_lt in Q, D. split; auto. destruct (less _ _ _) as [rest|] eqn:L; [|discriminate].
  assert (E : value_whole rest z = (d * sum_at z f)%Z).
  { apply qz_eq. rewrite <- value_whole_ok, (value_less _ _ _ _ (units z) L (movable_row _ _ _ _ _ R M)).
    rewrite value_add_terms, sum_is_dot, qz_mult. simpl value. ring. }
  assert (V : (q * d | value_whole rest z)%Z).
  { apply whole_divides. intros i v G. destruct M as [F _]. specialize (F i). unfold room in F.
    destruct (get i rs) as [r|] eqn:G'.
    - generalize (zip_all_get _ _ _ _ _ _ _ _ S G G'). unfold step_one. rewrite orb_true_iff. intros [N|N].
      + assert (Z0 : z i = 0%Z).
        { destruct r as [[l|] [u|]]; simpl in N; try discriminate. apply andb_prop in N; destruct N as [A B].
          apply Z.eqb_eq in A, B. subst. apply qz_eq. apply within_nowhere. exact F. }
        rewrite Z0, Z.mul_0_r. apply Z.divide_0_r.
      + apply Z.divide_mul_l. apply Z.eqb_eq in N. exists (v / (q * d))%Z. lia.
    - assert (Z0 : z i = 0%Z) by (apply qz_eq, within_nowhere; exact F).
      rewrite Z0, Z.mul_0_r. apply Z.divide_0_r. }
  rewrite E in V. destruct V as [k K]. exists k. nia.
Qed.

(* ---- bounds of sign times a form, in whole numbers *)

Definition nothing : fractions := {| denominator := 1; entries := [] |}.
Definition or_nothing (p : option fractions) : fractions := match p with Some p => p | None => nothing end.

Definition direct (rws : rows) (rs : rooms) (f : list (positive * Z)) (sign : Z) (p : option fractions)
  (s : option step) : option Z :=
  match bound_of rws rs f sign (or_nothing p) with
  | None => None
  | Some (b, d) =>
      match s with
      | None => Some (b / d)%Z
      | Some s => if step_holds rws rs f s then Some (b / (d * q_of s) * q_of s)%Z else None
      end
  end.

Lemma direct_ok es rws hs rs f sign p s b z : (forall e x, get e rws = Some x -> In x es) ->
  direct rws rs f sign p s = Some b -> movable_whole es rs hs z -> (sign * sum_at z f <= b)%Z.
Proof.
  intros R H M. unfold direct in H. destruct (bound_of _ _ _ _ _) as [[n d]|] eqn:E; [|discriminate].
  destruct (bound_of_ok _ _ _ _ _ _ _ (units z) E (movable_row _ _ _ _ _ R M) (proj1 M)) as [D L].
  rewrite sum_is_dot, <- !qz_mult, <- qz_le in L. destruct s as [s|].
  - destruct (step_holds rws rs f s) eqn:S; [|discriminate]. inversion H; subst; clear H.
    destruct (step_ok _ _ _ _ _ _ _ R S M) as [Q [k K]]. rewrite K in *. set (q := q_of s) in *.
    assert (sign * k <= n / (d * q))%Z by (apply Z.div_le_lower_bound; nia). nia.
  - inversion H; subst. apply Z.div_le_lower_bound; lia.
Qed.

(* ---- cases *)

Inductive cases :=
  | Case (cell : positive) (at_most : Z) (low high : cases)
  | End (is_empty : bool) (chain proof step : option positive).

Record evidence := { e_rows : rows; e_proofs : tree fractions; e_steps : tree step;
                     e_chains : tree (list line) }.

(* What a number names; outside: None if there is no such thing. *)
Definition named {A} (n : option positive) (t : tree A) : option (option A) :=
  match n with
  | None => Some None
  | Some n => match get n t with Some v => Some (Some v) | None => None end
  end.

Definition after_chain (a : positive -> Z) (b : evidence) (hs : holes) (rs : rooms) (n : option positive)
  : option rooms :=
  match named n (e_chains b) with
  | None => None
  | Some None => Some rs
  | Some (Some ns) => pass_all a (e_rows b) hs rs ns
  end.

Definition is_backwards (r : range) : bool :=
  match r with (Some l, Some u) => Z.ltb u l | _ => false end.
Fixpoint has_backwards (rs : rooms) : bool :=
  match rs with
  | Leaf => false
  | Node l o r => (match o with Some x => is_backwards x | None => false end || has_backwards l || has_backwards r)%bool
  end.
Definition shows_empty (b : evidence) (rs : rooms) (p : option fractions) : bool :=
  (has_backwards rs ||
   match p with
   | None => false
   | Some p => match bound_of (e_rows b) rs [] 1 p with Some (n, _) => Z.ltb n 0 | None => false end
   end)%bool.

Definition larger (x y : option Z) : option Z :=
  match x, y with None, o => o | o, None => o | Some a, Some b => Some (Z.max a b) end.

(* The bound of all cases; inside: None if all are empty. Outside: None if wrong. *)
Fixpoint bound_cases (a : positive -> Z) (b : evidence) (hs : holes) (f : list (positive * Z)) (sign : Z)
  (t : cases) (rs : rooms) : option (option Z) :=
  match t with
  | Case i k lo hi =>
      match bound_cases a b hs f sign lo (narrow hs i (None, Some k) rs),
            bound_cases a b hs f sign hi (narrow hs i (Some (k + 1)%Z, None) rs) with
      | Some x, Some y => Some (larger x y)
      | _, _ => None
      end
  | End is_empty c p s =>
      match after_chain a b hs rs c, named p (e_proofs b), named s (e_steps b) with
      | Some rs', Some p', Some s' =>
          if is_empty then if shows_empty b rs' p' then Some None else None
          else match direct (e_rows b) rs' f sign p' s' with Some n => Some (Some n) | None => None end
      | _, _, _ => None
      end
  end.

Section Cases.
  Variables (a : positive -> Z) (es : list equation) (b : evidence) (hs : holes).
  Hypothesis Rows : forall e x, get e (e_rows b) = Some x -> In x es.

  Lemma after_chain_ok rs n rs' z : after_chain a b hs rs n = Some rs' ->
    movable_whole es rs hs z -> movable_whole es rs' hs z.
  Proof.
    unfold after_chain; intros H M. destruct (named n _) as [[ns|]|]; try discriminate.
    - eapply pass_all_ok; eauto.
    - inversion H; subst; auto.
  Qed.

  Lemma has_backwards_ok rs z : has_backwards rs = true -> ~ fits_in rs (units z).
  Proof.
    revert z; induction rs as [|l IHl o r IHr]; intros z H F; simpl in H; [discriminate|].
    rewrite !orb_true_iff in H. destruct H as [[H|H]|H].
    - specialize (F xH). unfold room in F; simpl in F. destruct o as [[[x|] [y|]]|]; simpl in H; try discriminate.
      apply Z.ltb_lt in H. destruct F as [A B]. specialize (A _ eq_refl); specialize (B _ eq_refl).
      apply qz_lt in H. simpl in *. lra.
    - apply (IHl (fun i => z (xO i)) H). intros i. apply (F (xO i)).
    - apply (IHr (fun i => z (xI i)) H). intros i. apply (F (xI i)).
  Qed.

  Lemma shows_empty_ok rs p z : shows_empty b rs p = true -> ~ movable_whole es rs hs z.
  Proof.
    unfold shows_empty; rewrite orb_true_iff. intros [H|H] M.
    - eapply has_backwards_ok; [eauto|]. exact (proj1 M).
    - destruct p as [p|]; [|discriminate]. destruct (bound_of _ _ _ _ _) as [[n d]|] eqn:E; [|discriminate].
      apply Z.ltb_lt in H.
      destruct (bound_of_ok _ _ _ _ _ _ _ (units z) E (movable_row _ _ _ _ _ Rows M) (proj1 M)) as [D L].
      simpl in L. apply qz_lt in H. rewrite qz_0 in H. lra.
  Qed.

  Lemma bound_cases_ok f sign t : forall rs r z, bound_cases a b hs f sign t rs = Some r ->
    movable_whole es rs hs z -> exists n, r = Some n /\ (sign * sum_at z f <= n)%Z.
  Proof.
    induction t as [i k lo IHlo hi IHhi|is_empty c p s]; intros rs r z H M; simpl in H.
    - destruct (bound_cases a b hs f sign lo _) as [x|] eqn:L; [|discriminate].
      destruct (bound_cases a b hs f sign hi _) as [y|] eqn:U; [|discriminate]. inversion H; subst; clear H.
      destruct (Z_le_gt_dec (z i) k) as [K|K].
      + assert (M' : movable_whole es (narrow hs i (None, Some k) rs) hs z).
        { apply narrow_ok; auto. split; intros v V; simpl in V; inversion V; subst. now apply le_qz. }
        destruct (IHlo _ _ _ L M') as [n [-> N]]. destruct y as [y|]; simpl; eexists; split; eauto; lia.
      + assert (M' : movable_whole es (narrow hs i (Some (k + 1)%Z, None) rs) hs z).
        { apply narrow_ok; auto. split; intros v V; simpl in V; inversion V; subst. apply le_qz; lia. }
        destruct (IHhi _ _ _ U M') as [n [-> N]]. destruct x as [x|]; simpl; eexists; split; eauto; lia.
    - destruct (after_chain a b hs rs c) as [rs'|] eqn:C; [|discriminate].
      generalize (after_chain_ok _ _ _ _ C M); intros M'.
      destruct (named p _) as [p'|]; [|discriminate]. destruct (named s _) as [s'|]; [|discriminate].
      destruct is_empty.
      + destruct (shows_empty b rs' p') eqn:S; [|discriminate]. destruct (shows_empty_ok _ _ _ S M').
      + destruct (direct _ _ _ _ _ _) as [n|] eqn:D; [|discriminate]. inversion H; subst.
        exists n; split; auto. eapply direct_ok; eauto.
  Qed.
End Cases.
