(* SPDX-License-Identifier: Apache-2.0 *)
(* Made by Coq from proof/coq; do not edit. make -C proof extracted writes it anew. *)

val negb : bool -> bool

type ('a, 'b) sum =
| Inl of 'a
| Inr of 'b

val fst : ('a1 * 'a2) -> 'a1

val snd : ('a1 * 'a2) -> 'a2

val app : 'a1 list -> 'a1 list -> 'a1 list

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

val map : ('a1 -> 'a2) -> 'a1 list -> 'a2 list

val flat_map : ('a1 -> 'a2 list) -> 'a1 list -> 'a2 list

val fold_left : ('a1 -> 'a2 -> 'a1) -> 'a2 list -> 'a1 -> 'a1

val fold_right : ('a2 -> 'a1 -> 'a1) -> 'a1 -> 'a2 list -> 'a1

val existsb : ('a1 -> bool) -> 'a1 list -> bool

val forallb : ('a1 -> bool) -> 'a1 list -> bool

val filter : ('a1 -> bool) -> 'a1 list -> 'a1 list

val find : ('a1 -> bool) -> 'a1 list -> 'a1 option

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

val told_by : (Integer.positive * statement) list -> knowledge

val sum_at :
  (Integer.positive -> Integer.t) -> (Integer.positive * Integer.t) list ->
  Integer.t

val later : Integer.t option -> Integer.t option -> Integer.t option

val sooner : Integer.t option -> Integer.t option -> Integer.t option

val meet : range -> range -> range

val moved : Integer.t -> Integer.t option -> Integer.t option

val shift : Integer.t -> range -> range

val holds_in : range -> Integer.t -> bool

val nowhere : range

type rooms = range tree

val room : rooms -> Integer.positive -> range

val prior_of : problem -> Integer.positive -> range

val told_room : problem -> Integer.positive -> range -> range

val tell : problem -> knowledge -> rooms -> rooms

val learn : problem -> knowledge -> rooms -> rooms

val rooms_of : problem -> knowledge -> knowledge -> rooms

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

val check_ranges_on : problem -> bench -> certificate -> outcome

val check_ranges : problem -> certificate -> outcome

val numbers_of :
  (Integer.positive * statement) list -> Integer.t tree -> Integer.t tree

val number_at : problem -> Integer.t tree -> Integer.positive -> Integer.t

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

type meaning =
| AnyMeaning
| NonzeroMeaning
| RuleMeaning

type zero_rule =
| ZerosPublished
| ZerosSensitive
| ZerosStructural

type kind =
| KExact
| KSmall
| KZero
| KAll
| KGroup
| KImplied
| KLevels

type question = { kind_of : kind; asked_by : Integer.positive;
                  main_cell : Integer.positive;
                  form_of : (Integer.positive * Integer.t) list }

type counting = { threshold : Integer.t; ambiguity : Integer.t;
                  coalition : Integer.t; meaning_of_blanks : meaning;
                  zeros : zero_rule; primaries : unit tree;
                  unlisted : unit tree;
                  among : (Integer.positive * Integer.t list) list;
                  questions : question list }

val has : Integer.positive -> 'a1 tree -> bool

val least : counting -> Integer.t

val is_strict : problem -> (Integer.positive * statement) -> bool

val strict : problem -> bool

val by_rule : counting -> bool -> Integer.positive -> statement -> range

val fixed_before : problem -> Integer.positive -> bool

val told_of :
  problem -> counting -> bool -> (Integer.positive * statement) -> knowledge

val told_counts : problem -> counting -> knowledge

val form : question -> (Integer.positive * Integer.t) list

val is_about_a_cell : kind -> bool

type demand =
| AllOf of Integer.t * Integer.t * Integer.t
| OneOf of Integer.t * Integer.t
| Numbers of Integer.t

type holes = Integer.t list tree

val zip_all : ('a1 -> 'a2 -> bool) -> 'a1 tree -> 'a2 tree -> bool

val snap : holes -> Integer.positive -> range -> range

val narrow : holes -> Integer.positive -> range -> rooms -> rooms

val snap_all : holes -> Integer.positive list -> rooms -> rooms

type line = { l_cell : Integer.positive; is_high : bool;
              l_equation : Integer.positive; l_value : Integer.t }

val pass :
  (Integer.positive -> Integer.t) -> rows -> holes -> rooms -> line -> rooms
  option

val pass_all :
  (Integer.positive -> Integer.t) -> rows -> holes -> rooms -> line list ->
  rooms option

val is_nowhere : range -> bool

val divides : Integer.t -> Integer.t -> bool

val step_one : Integer.t -> Integer.t -> range -> bool

type step = { q_of : Integer.t; multiples : fractions }

val step_holds :
  rows -> rooms -> (Integer.positive * Integer.t) list -> step -> bool

val nothing : fractions

val or_nothing : fractions option -> fractions

val direct :
  rows -> rooms -> (Integer.positive * Integer.t) list -> Integer.t ->
  fractions option -> step option -> Integer.t option

type cases =
| Case of Integer.positive * Integer.t * cases * cases
| End of bool * Integer.positive option * Integer.positive option
   * Integer.positive option

type evidence = { e_rows : rows; e_proofs : fractions tree;
                  e_steps : step tree; e_chains : line list tree }

val named : Integer.positive option -> 'a1 tree -> 'a1 option option

val after_chain :
  (Integer.positive -> Integer.t) -> evidence -> holes -> rooms ->
  Integer.positive option -> rooms option

val is_backwards : range -> bool

val has_backwards : rooms -> bool

val shows_empty : evidence -> rooms -> fractions option -> bool

val larger : Integer.t option -> Integer.t option -> Integer.t option

val bound_cases :
  (Integer.positive -> Integer.t) -> evidence -> holes ->
  (Integer.positive * Integer.t) list -> Integer.t -> cases -> rooms ->
  Integer.t option option

type count_end = { c_shows : (bool * Integer.positive) option;
                   c_chain : Integer.positive option;
                   c_proof : Integer.positive option;
                   c_step : Integer.positive option;
                   c_tree : Integer.positive option }

type answer = { c_low : count_end; c_high : count_end;
                others : Integer.positive list }

type count_certificate = { base : certificate; c_steps : step list;
                           c_chains : line list list; c_trees : cases list;
                           answers : answer list }

type count_outcome =
| Both of verdict list * verdict list
| Neither of reason
| FalseNumbers
| OtherAnswers
| WrongAnswer of Integer.positive

val reach_count :
  bench -> holes -> rooms -> (Integer.positive * Integer.t) list -> Integer.t
  -> (bool * Integer.positive) option -> Integer.t option option

val claims_nothing : count_end -> bool

val limit_count :
  (Integer.positive -> Integer.t) -> evidence -> cases tree -> holes -> rooms
  -> (Integer.positive * Integer.t) list -> Integer.t -> count_end ->
  Integer.t option option

val step_behind : evidence -> count_end -> Integer.t

val length_of : 'a1 list -> Integer.t

val distinct : Integer.t list -> Integer.t list -> Integer.t list

val numbers_left :
  holes -> (Integer.positive * Integer.t) list -> Integer.t -> Integer.t ->
  Integer.t -> Integer.t

val by_cell : requirement list -> requirement list tree

val demand_of :
  problem -> counting -> requirement list tree -> question -> demand option

val z_at_least : Integer.t option -> Integer.t -> bool

val z_both_at_least :
  Integer.t option -> Integer.t option -> Integer.t -> bool

val z_below : Integer.t option -> Integer.t -> bool

val z_both_below : Integer.t option -> Integer.t option -> Integer.t -> bool

val by_demand :
  kind -> bool -> demand -> Integer.t option -> Integer.t option -> Integer.t
  option -> Integer.t option -> Integer.t list -> (Integer.t -> Integer.t ->
  Integer.t) -> verdict

val numbers_shown :
  bench -> holes -> rooms -> (Integer.positive * Integer.t) list ->
  Integer.positive list -> Integer.t list option

val judge_question :
  problem -> counting -> bench -> evidence -> cases tree -> range tree ->
  requirement list tree -> holes -> rooms -> rooms -> question -> answer ->
  verdict option

val holes_of :
  problem -> (Integer.positive * Integer.t list) list -> holes -> holes option

val judge_questions :
  problem -> counting -> bench -> evidence -> cases tree -> range tree ->
  requirement list tree -> holes -> (rooms * rooms) tree -> Integer.positive
  -> question list -> answer list -> verdict list -> verdict list ->
  count_outcome

val evidence_of : bench -> count_certificate -> evidence

val check_counts : problem -> counting -> count_certificate -> count_outcome

type choice = { always : Integer.positive list;
                open0 : (Integer.positive * Integer.t) list }

type sum0 = (Integer.positive * Integer.t) list

type side =
| High
| Low
| HighAndLow

type needed = { its_requirement : Integer.positive; its_side : side;
                high_proof : fractions; low_proof : fractions }

type combination = { times_weight : Integer.t; times_steps : sum0 }

type cases_of =
| Closed of combination
| Settled of combination * cases_of
| Split of Integer.positive * cases_of * cases_of

type step0 =
| ByNeed of needed
| Bridgeless of Integer.positive * sum0
| Added of sum0 * sum0 * Integer.t
| Tree of sum0 * Integer.t * cases_of

type tie = { its_cell_ : Integer.positive; its_leader : Integer.positive;
             its_sum : sum0 }

type bound_log = { ties : tie list; steps : step0 list; claim : Integer.t }

type bound_answer =
| AtLeast of Integer.t
| WrongTable
| WrongTie of Integer.positive
| WrongStep of Integer.positive
| WrongClaim

type role =
| Hidden
| Open

type roles = role tree

val mark : role -> Integer.positive list -> roles -> roles

val roles_of : choice -> roles

val entries_of :
  Integer.t tree -> (Integer.positive -> Integer.positive) -> sum0 -> sum0

val listed : Integer.t tree -> sum0

type inequality = sum0 * Integer.t

type known_so_far = { leaders : Integer.positive tree; decided : bool tree;
                      rows_so_far : inequality tree;
                      next_row : Integer.positive; last_row : inequality }

val leader : Integer.positive tree -> Integer.positive -> Integer.positive

val gathered :
  Integer.positive tree -> bool tree -> sum0 -> Integer.t tree -> Integer.t
  -> Integer.t tree * Integer.t

val negatives : sum0 -> Integer.t

val capped_at : Integer.t -> sum0 -> sum0

val reduced : known_so_far -> sum0 -> Integer.t -> inequality

val others_of : roles -> Integer.positive -> sum0 -> sum0 option

val bridge_of : rows -> roles -> Integer.positive -> sum0 -> sum0 option

val tied : rows -> roles -> tie -> bool

type amount =
| Nothing
| Given of Integer.t
| Counts of Integer.t
| Endless
| Wrong_

val amount_of : roles -> rooms -> Integer.positive -> Integer.t -> amount

type shares = (Integer.t * sum0) * Integer.positive list

val shares_of : roles -> rooms -> sum0 -> Integer.t -> shares -> shares option

val slopes : rows -> Integer.positive -> Integer.t -> fractions -> sum0 option

val asked_of : shares -> Integer.t -> inequality

val need_of :
  problem -> rows -> roles -> rooms tree -> requirement tree -> needed ->
  inequality option

val ceiling : Integer.t -> Integer.t -> Integer.t

val added :
  known_so_far -> Integer.t -> sum0 -> Integer.t tree -> Integer.t ->
  (Integer.t tree * Integer.t) option

val capped_by :
  Integer.positive tree -> sum0 -> Integer.t tree -> Integer.t -> (Integer.t
  tree * Integer.t) option

val divided : Integer.t -> sum0 -> sum0

val sum_of : known_so_far -> sum0 -> sum0 -> Integer.t -> inequality option

val led :
  Integer.positive tree -> sum0 -> Integer.t -> Integer.t tree -> Integer.t
  tree

val least0 : bool tree -> sum0 -> Integer.t

val settle : Integer.t -> bool tree -> sum0 -> bool tree -> bool tree

val rest_of :
  known_so_far -> bool tree -> sum0 -> combination -> (sum0 * Integer.t)
  option

val closed :
  known_so_far -> sum0 -> Integer.t -> bool tree -> cases_of -> bool

val lesson : inequality -> bool tree -> bool tree

val learned : known_so_far -> inequality -> known_so_far

val row_of :
  problem -> choice -> rooms tree -> known_so_far -> step0 -> inequality
  option

val run_steps :
  problem -> choice -> rooms tree -> Integer.positive -> step0 list ->
  known_so_far -> (known_so_far, Integer.positive) sum

val run_ties :
  rows -> roles -> Integer.positive -> tie list -> Integer.positive tree ->
  (Integer.positive tree, Integer.positive) sum

val left_of :
  known_so_far -> sum0 -> Integer.t tree -> Integer.t -> Integer.t
  tree * Integer.t

val none_negative : Integer.t tree -> bool

val attacker_rooms : problem -> knowledge -> knowledge tree -> rooms tree

val bound_of_log : problem -> choice -> bound_log -> bound_answer

val off : bool -> Integer.t -> Integer.t

type interval_log = { needs_weight : Integer.t; its_needs : needed list;
                      needs_claim : Integer.t }

type senses_of =
| Leaf_ of Integer.t * sum0
| Sense of Integer.positive * senses_of * senses_of

type table_tree = { tree_cells : Integer.positive list;
                    tree_least : Integer.t; tree_senses : senses_of }

type table_log = { is_squared : bool; table_trees : table_tree list;
                   table_claim : Integer.t }

type purse = { ups : Integer.t tree; downs : Integer.t tree;
               gained : Integer.t }

val paid_of : roles -> Integer.positive -> Integer.t -> purse -> Integer.t

val pay_one :
  roles -> rooms -> Integer.positive -> Integer.t -> purse -> purse option

val pay : roles -> rooms -> sum0 -> purse -> purse option

val worth_of_need :
  problem -> requirement -> Integer.t -> Integer.t -> Integer.t

val gain : Integer.t -> purse -> purse

val pay_need :
  problem -> rows -> roles -> rooms tree -> requirement tree -> needed ->
  purse -> purse option

val pay_needs :
  problem -> rows -> roles -> rooms tree -> requirement tree ->
  Integer.positive -> needed list -> purse -> (purse, Integer.positive) sum

val bound_of_intervals : problem -> choice -> interval_log -> bound_answer

val price : bool -> Integer.t -> Integer.t -> Integer.t -> Integer.t

val cheaper : Integer.t option -> Integer.t -> Integer.t option

val least_of : Integer.t list -> Integer.t option

val end_of : Integer.t option -> (Integer.t -> Integer.t) -> Integer.t list

val least_bent : bool -> Integer.t -> Integer.t -> range -> Integer.t option

val least_curved : Integer.t -> Integer.t -> range -> Integer.t

val least_in : bool -> Integer.t -> Integer.t -> range -> Integer.t option

type levels_of = (Integer.t * Integer.t) tree

val half : Integer.t -> Integer.t

val joint : problem -> requirement list -> levels_of -> levels_of

val is_empty : range -> bool

val least_of_pieces :
  bool -> Integer.t -> Integer.t -> range list -> Integer.t option ->
  Integer.t option option

val pieces :
  range -> (Integer.t * Integer.t) option -> bool option -> range list

val least_of_cell :
  bool -> Integer.t -> Integer.t -> range -> (Integer.t * Integer.t) option
  -> bool option -> Integer.t option

val taken_from :
  Integer.positive list -> Integer.t tree -> sum0 * Integer.t tree

val sum_of_cells :
  problem -> levels_of -> bool tree -> bool -> Integer.t -> sum0 -> Integer.t
  tree -> Integer.t -> (Integer.t tree * Integer.t) option

val closes :
  problem -> rows -> roles -> levels_of -> bool -> sum0 -> Integer.t -> bool
  tree -> senses_of -> bool

val run_trees :
  problem -> rows -> roles -> levels_of -> bool -> Integer.positive ->
  table_tree list -> Integer.t tree -> Integer.t -> (Integer.t
  tree * Integer.t, Integer.positive) sum

val bound_of_tables : problem -> choice -> table_log -> bound_answer
