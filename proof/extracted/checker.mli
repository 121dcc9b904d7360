(* SPDX-License-Identifier: Apache-2.0 *)
(* Made by Coq from proof/coq; do not edit. make -C proof extracted writes it anew. *)

val negb : bool -> bool

val fst : ('a1 * 'a2) -> 'a1

val snd : ('a1 * 'a2) -> 'a2

type comparison =
| Eq
| Lt
| Gt

module Pos :
 sig
  val succ : Integer.positive -> Integer.positive

  val add : Integer.positive -> Integer.positive -> Integer.positive

  val add_carry : Integer.positive -> Integer.positive -> Integer.positive

  val pred_double : Integer.positive -> Integer.positive

  val mul : Integer.positive -> Integer.positive -> Integer.positive

  val compare_cont :
    comparison -> Integer.positive -> Integer.positive -> comparison

  val compare : Integer.positive -> Integer.positive -> comparison

  val eqb : Integer.positive -> Integer.positive -> bool
 end

module Z :
 sig
 end

val rev_append : 'a1 list -> 'a1 list -> 'a1 list

val rev' : 'a1 list -> 'a1 list

val fold_left : ('a1 -> 'a2 -> 'a1) -> 'a2 list -> 'a1 -> 'a1

val existsb : ('a1 -> bool) -> 'a1 list -> bool

val forallb : ('a1 -> bool) -> 'a1 list -> bool

type 'a tree =
| Leaf
| Node of 'a tree * 'a option * 'a tree

val get : Integer.positive -> 'a1 tree -> 'a1 option

val set : Integer.positive -> 'a1 -> 'a1 tree -> 'a1 tree

val all : ('a1 -> bool) -> 'a1 tree -> bool

val numbered : Integer.positive -> 'a1 list -> 'a1 tree -> 'a1 tree

val own : Integer.t option -> Integer.t

val at_ : Integer.positive -> Integer.t tree -> Integer.t

val add0 : Integer.positive -> Integer.t -> Integer.t tree -> Integer.t tree

val vector : (Integer.positive * Integer.t) list -> Integer.t tree

val all_zero : Integer.t tree -> bool

type range = Integer.t option * Integer.t option

type statement =
| Withheld
| Interval of Integer.t * Integer.t
| Rounded of Integer.t * Integer.t * Integer.t
| Altered of Integer.t * Integer.t * Integer.t
| Adjusted of Integer.t

val said : statement -> range

type cell = { truth_of : Integer.t; prior : range }

type equation = { terms : (Integer.positive * Integer.t) list; rhs : Integer.t }

type knowledge = (Integer.positive * range) list

type requirement = { about : Integer.positive;
                     by_attacker : Integer.positive; lower : Integer.t;
                     upper : Integer.t; sliding : Integer.t }

type problem = { cells : cell tree; equations : equation list;
                 attackers : knowledge tree;
                 release : (Integer.positive * statement) list;
                 requirements : requirement list; zeros_are_meant : bool;
                 unit_of : Integer.t }

val truth : problem -> Integer.positive -> Integer.t

val known_to : problem -> Integer.positive -> knowledge

val later : Integer.t option -> Integer.t option -> Integer.t option

val sooner : Integer.t option -> Integer.t option -> Integer.t option

val meet : range -> range -> range

val moved : Integer.t -> Integer.t option -> Integer.t option

val shift : Integer.t -> range -> range

val holds_in : range -> Integer.t -> bool

type rooms = range tree

val prior_of : problem -> Integer.positive -> range

val told_room : problem -> Integer.positive -> range -> range

val tell : problem -> knowledge -> rooms -> rooms

val learn : problem -> knowledge -> rooms -> rooms

val cell_is_sane : cell -> bool

val is_true : problem -> knowledge -> bool

val total : problem -> (Integer.positive * Integer.t) list -> Integer.t

val adds_up : problem -> bool

type fractions = { denominator : Integer.t;
                   entries : (Integer.positive * Integer.t) list }

val fits_one : Integer.t -> Integer.t -> range option -> bool

val repeats_one : Integer.t -> range option -> bool

val fit :
  (Integer.t -> range option -> bool) -> Integer.t tree -> rooms -> bool

type columns = (Integer.positive * Integer.t) list tree

val put :
  Integer.positive -> Integer.positive -> Integer.t -> columns -> columns

val put_terms :
  Integer.positive -> (Integer.positive * Integer.t) list -> columns ->
  columns

val columns_of : Integer.positive -> equation list -> columns -> columns

val push : Integer.t tree -> columns -> Integer.t tree -> Integer.t tree

val balanced : columns -> Integer.t tree -> bool

val plus : Integer.t option -> Integer.t option -> Integer.t option

val most_one : Integer.t -> range -> Integer.t option

val most : Integer.t tree -> rooms -> Integer.t option

type rows = equation tree

val add_terms :
  Integer.t -> (Integer.positive * Integer.t) list -> Integer.t tree ->
  Integer.t tree

val less :
  rows -> (Integer.positive * Integer.t) list -> Integer.t tree -> Integer.t
  tree option

val bound_of :
  rows -> rooms -> (Integer.positive * Integer.t) list -> Integer.t ->
  fractions -> (Integer.t * Integer.t) option

type end_evidence = { shows : (bool * Integer.positive) option;
                      bounds : Integer.positive option }

type finding = { its_cell : Integer.positive;
                 its_attacker : Integer.positive; low : end_evidence;
                 high : end_evidence }

type certificate = { witnesses : fractions list; proofs : fractions list;
                     findings : finding list }

type verdict =
| Protected
| Exposed
| Undecided
| Unasked

val quick_map : ('a1 -> 'a2) -> 'a1 list -> 'a2 list

type bench = { its_rows : rows; its_witnesses : (fractions * bool) tree;
               its_proofs : fractions tree }

val bench_of : equation list -> certificate -> bench

type fraction = Integer.t * Integer.t

val form_at :
  (Integer.positive * Integer.t) list -> Integer.t tree -> Integer.t

val reach_of :
  bench -> rooms -> (Integer.positive * Integer.t) list -> Integer.t ->
  end_evidence -> fraction option option

val limit_of :
  bench -> rooms -> (Integer.positive * Integer.t) list -> Integer.t ->
  end_evidence -> fraction option option

val at_least : fraction option -> Integer.t -> bool

val both_at_least : fraction option -> fraction option -> Integer.t -> bool

val below : fraction option -> Integer.t -> bool

val both_below : fraction option -> fraction option -> Integer.t -> bool

type reason =
| NotAdditive
| Untrue
| Mixed
| NotShown of Integer.positive
| OtherFindings
| Wrong of Integer.positive

type outcome =
| Judged of verdict list
| Refused of reason

val is_point : range -> bool

val gather : knowledge -> range tree -> range tree

val is_stated : range tree -> Integer.positive -> bool

val own_range : knowledge -> Integer.positive -> range -> range

val is_known_before : problem -> Integer.positive -> Integer.positive -> bool

val has_zero_levels : requirement -> bool

val sliding_of : problem -> requirement -> Integer.t

val by_levels :
  bool -> Integer.t -> Integer.t -> Integer.t -> fraction option -> fraction
  option -> fraction option -> fraction option -> verdict

val judge_one :
  problem -> bench -> range tree -> rooms -> requirement -> finding ->
  verdict option

val judge_all :
  problem -> bench -> range tree -> rooms tree -> Integer.positive ->
  requirement list -> finding list -> verdict list -> outcome

val map_tree : ('a1 -> 'a2) -> 'a1 tree -> 'a2 tree

val is_adjusted : (Integer.positive * statement) -> bool

val check_ranges : problem -> certificate -> outcome

val numbers_of :
  (Integer.positive * statement) list -> Integer.t tree -> Integer.t tree

val number_at : problem -> Integer.t tree -> Integer.positive -> Integer.t

val sum_at :
  (Integer.positive -> Integer.t) -> (Integer.positive * Integer.t) list ->
  Integer.t

val check_numbers :
  problem -> Integer.t tree -> (Integer.positive * statement) list -> reason
  option

val is_far :
  Integer.t -> Integer.t -> Integer.t -> Integer.t -> Integer.t -> bool

val judge_number : problem -> Integer.t tree -> requirement -> verdict

val same_questions : requirement list -> finding list -> bool

val check_adjusted : problem -> certificate -> outcome

val shows_numbers_only : problem -> bool

val check : problem -> certificate -> outcome

val worse : verdict -> verdict -> verdict

val overall : verdict list -> verdict
