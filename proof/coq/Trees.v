(* SPDX-License-Identifier: Apache-2.0 *)
(* Maps from positive numbers: the digits of the number, last one first, are the way through a tree.
   Vectors of whole numbers are such maps, and what is not in the map is zero. *)
From Coq Require Import ZArith QArith List Lia Lqa.
Import ListNotations.
Set Implicit Arguments.

Inductive tree (A : Type) := Leaf | Node (l : tree A) (o : option A) (r : tree A).
Arguments Leaf {A}.

Fixpoint get {A} (i : positive) (t : tree A) : option A :=
  match t with
  | Leaf => None
  | Node l o r => match i with xH => o | xO j => get j l | xI j => get j r end
  end.

Fixpoint set {A} (i : positive) (v : A) (t : tree A) : tree A :=
  match i, t with
  | xH, Leaf => Node Leaf (Some v) Leaf
  | xH, Node l _ r => Node l (Some v) r
  | xO j, Leaf => Node (set j v Leaf) None Leaf
  | xO j, Node l o r => Node (set j v l) o r
  | xI j, Leaf => Node Leaf None (set j v Leaf)
  | xI j, Node l o r => Node l o (set j v r)
  end.

Lemma get_leaf A (i : positive) : get i (@Leaf A) = None.
Proof. now destruct i. Qed.

Lemma get_set_same A (v : A) i t : get i (set i v t) = Some v.
Proof. revert t; induction i; intros [|l o r]; simpl; auto. Qed.

Lemma get_set_other A (v : A) i j t : i <> j -> get j (set i v t) = get j t.
Proof.
  revert j t; induction i; intros [j|j|] [|l o r] H; simpl; auto;
    try (now rewrite get_leaf); try congruence;
    try (rewrite IHi by congruence; auto; now rewrite get_leaf).
Qed.

Fixpoint all {A} (f : A -> bool) (t : tree A) : bool :=
  match t with
  | Leaf => true
  | Node l o r => (match o with Some v => f v | None => true end && all f l && all f r)%bool
  end.

Lemma all_get A (f : A -> bool) t i v : all f t = true -> get i t = Some v -> f v = true.
Proof.
  revert i; induction t as [|l IHl o r IHr]; intros i; simpl; [now rewrite get_leaf|].
  intros H G; apply andb_prop in H; destruct H as [H Hr]; apply andb_prop in H; destruct H as [Ho Hl].
  destruct i; simpl in G; eauto. now rewrite G in Ho.
Qed.

(* The list as a map from 1, 2, ... *)
Fixpoint numbered {A} (from : positive) (items : list A) (t : tree A) : tree A :=
  match items with [] => t | v :: rest => numbered (Pos.succ from) rest (set from v t) end.

Lemma numbered_in A (items : list A) from t i v :
  get i (numbered from items t) = Some v -> In v items \/ get i t = Some v.
Proof.
  revert from t; induction items as [|w rest IH]; simpl; intros from t H; auto.
  destruct (IH _ _ H) as [K|K]; auto.
  destruct (Pos.eq_dec from i) as [->|N].
  - rewrite get_set_same in K; left; left; congruence.
  - rewrite get_set_other in K; auto.
Qed.

(* ---- vectors *)

Definition own (o : option Z) : Z := match o with Some v => v | None => 0%Z end.
Definition at_ (i : positive) (t : tree Z) : Z := own (get i t).

Fixpoint add (i : positive) (x : Z) (t : tree Z) : tree Z :=
  match i, t with
  | xH, Leaf => Node Leaf (Some x) Leaf
  | xH, Node l o r => Node l (Some (own o + x)%Z) r
  | xO j, Leaf => Node (add j x Leaf) None Leaf
  | xO j, Node l o r => Node (add j x l) o r
  | xI j, Leaf => Node Leaf None (add j x Leaf)
  | xI j, Node l o r => Node l o (add j x r)
  end.

Definition delta (i j : positive) : Z := if Pos.eqb i j then 1%Z else 0%Z.

Lemma delta_same i : delta i i = 1%Z.
Proof. unfold delta; now rewrite Pos.eqb_refl. Qed.
Lemma delta_other i j : i <> j -> delta i j = 0%Z.
Proof. intros N; unfold delta; destruct (Pos.eqb_spec i j); congruence. Qed.

Lemma at_leaf i : at_ i Leaf = 0%Z.
Proof. unfold at_; now rewrite get_leaf. Qed.

Lemma at_add i j x t : at_ j (add i x t) = (at_ j t + x * delta i j)%Z.
Proof.
  revert j t; induction i; intros [j|j|] [|l o r]; unfold at_ in *; simpl;
    rewrite ?get_leaf, ?IHi; rewrite ?get_leaf; unfold delta; simpl; try lia.
Qed.

Definition vector (terms : list (positive * Z)) : tree Z :=
  fold_left (fun t e => add (fst e) (snd e) t) terms Leaf.

Fixpoint all_zero (t : tree Z) : bool :=
  match t with Leaf => true | Node l o r => (Z.eqb (own o) 0 && all_zero l && all_zero r)%bool end.

Lemma all_zero_at t i : all_zero t = true -> at_ i t = 0%Z.
Proof.
  revert i; induction t as [|l IHl o r IHr]; intros i; simpl; [now rewrite at_leaf|].
  intros H; apply andb_prop in H; destruct H as [H Hr]; apply andb_prop in H; destruct H as [Ho Hl].
  unfold at_ in *; destruct i; simpl; auto. now apply Z.eqb_eq.
Qed.

(* ---- sums of products: of a list of terms, and of a vector, with any function *)

Definition qz (z : Z) : Q := inject_Z z.
Fixpoint dot (terms : list (positive * Z)) (y : positive -> Q) : Q :=
  match terms with [] => 0 | (i, c) :: rest => qz c * y i + dot rest y end.
Fixpoint value (t : tree Z) (y : positive -> Q) : Q :=
  match t with
  | Leaf => 0
  | Node l o r => value l (fun i => y (xO i)) + qz (own o) * y xH + value r (fun i => y (xI i))
  end.

Lemma qz_plus a b : qz (a + b) == qz a + qz b. Proof. unfold qz; now rewrite inject_Z_plus. Qed.
Lemma qz_mult a b : qz (a * b) == qz a * qz b. Proof. unfold qz; now rewrite inject_Z_mult. Qed.
Lemma qz_opp a : qz (- a) == - qz a. Proof. unfold qz; now rewrite inject_Z_opp. Qed.
Lemma qz_le a b : (a <= b)%Z <-> qz a <= qz b. Proof. unfold qz; now rewrite Zle_Qle. Qed.
Lemma qz_lt a b : (a < b)%Z <-> qz a < qz b. Proof. unfold qz; now rewrite Zlt_Qlt. Qed.
Lemma le_qz a b : (a <= b)%Z -> qz a <= qz b. Proof. now rewrite qz_le. Qed.
Lemma qz_0 : qz 0 == 0. Proof. reflexivity. Qed.
Lemma qz_1 : qz 1 == 1. Proof. reflexivity. Qed.
Lemma qz_eq a b : qz a == qz b -> a = b. Proof. unfold qz; now rewrite inject_Z_injective. Qed.

Lemma value_add i x t y : value (add i x t) y == value t y + qz x * y i.
Proof.
  revert t y; induction i; intros [|l o r] y; simpl; rewrite ?IHi; simpl; rewrite ?qz_plus, ?qz_0; ring.
Qed.

Lemma value_terms terms t y :
  value (fold_left (fun t e => add (fst e) (snd e) t) terms t) y == value t y + dot terms y.
Proof.
  revert t; induction terms as [|[i c] rest IH]; intros t; simpl; [ring|].
  rewrite IH, value_add; simpl; ring.
Qed.

Lemma value_ext t f g : (forall i, f i == g i) -> value t f == value t g.
Proof.
  revert f g; induction t as [|l IHl o r IHr]; intros f g H; simpl; [reflexivity|].
  rewrite (IHl (fun i => f (xO i)) (fun i => g (xO i))) by (intros; apply H).
  rewrite (IHr (fun i => f (xI i)) (fun i => g (xI i))) by (intros; apply H).
  rewrite (H xH); reflexivity.
Qed.

Lemma value_plus t f g : value t (fun i => f i + g i) == value t f + value t g.
Proof.
  revert f g; induction t as [|l IHl o r IHr]; intros f g; simpl; [ring|].
  rewrite (IHl (fun i => f (xO i)) (fun i => g (xO i))), (IHr (fun i => f (xI i)) (fun i => g (xI i))); ring.
Qed.

Lemma value_scale t k f : value t (fun i => k * f i) == k * value t f.
Proof.
  revert f; induction t as [|l IHl o r IHr]; intros f; simpl; [ring|].
  rewrite (IHl (fun i => f (xO i))), (IHr (fun i => f (xI i))); ring.
Qed.

Lemma value_zero t f : (forall i, f i == 0) -> value t f == 0.
Proof.
  revert f; induction t as [|l IHl o r IHr]; intros f H; simpl; [ring|].
  rewrite IHl, IHr, H by (intros; apply H); ring.
Qed.

(* The vector as a function, and its product with one unit. *)
Lemma value_delta t j : value t (fun i => qz (delta j i)) == qz (at_ j t).
Proof.
  revert j; induction t as [|l IHl o r IHr]; intros j; simpl; [now rewrite at_leaf|].
  destruct j as [j|j|]; unfold at_, delta in *; simpl.
  - rewrite value_zero by reflexivity.
    rewrite (IHr j). rewrite qz_0; ring.
  - rewrite (value_zero r) by reflexivity.
    rewrite (IHl j). rewrite qz_0; ring.
  - rewrite !value_zero by reflexivity. rewrite qz_1; ring.
Qed.

Lemma dot_ext terms f g : (forall i, f i == g i) -> dot terms f == dot terms g.
Proof.
  intros H; induction terms as [|[i c] rest IH]; simpl; [reflexivity|]. now rewrite IH, H.
Qed.
Lemma dot_plus terms f g : dot terms (fun i => f i + g i) == dot terms f + dot terms g.
Proof. induction terms as [|[i c] rest IH]; simpl; [ring|]. rewrite IH; ring. Qed.
Lemma dot_scale terms k f : dot terms (fun i => k * f i) == k * dot terms f.
Proof. induction terms as [|[i c] rest IH]; simpl; [ring|]. rewrite IH; ring. Qed.
