(* SPDX-License-Identifier: Apache-2.0 *)
(* Made by Coq from proof/coq; do not edit. make -C proof extracted writes it anew. *)

(** val negb : bool -> bool **)

let negb = function
| true -> false
| false -> true

(** val fst : ('a1 * 'a2) -> 'a1 **)

let fst = function
| (x, _) -> x

(** val snd : ('a1 * 'a2) -> 'a2 **)

let snd = function
| (_, y) -> y

type comparison =
| Eq
| Lt
| Gt

module Pos =
 struct
  (** val succ : Integer.positive -> Integer.positive **)

  let rec succ = function
  | Integer.XI p -> Integer.XO (succ p)
  | Integer.XO p -> Integer.XI p
  | Integer.XH -> Integer.XO Integer.XH

  (** val add : Integer.positive -> Integer.positive -> Integer.positive **)

  let rec add x y =
    match x with
    | Integer.XI p ->
      (match y with
       | Integer.XI q -> Integer.XO (add_carry p q)
       | Integer.XO q -> Integer.XI (add p q)
       | Integer.XH -> Integer.XO (succ p))
    | Integer.XO p ->
      (match y with
       | Integer.XI q -> Integer.XI (add p q)
       | Integer.XO q -> Integer.XO (add p q)
       | Integer.XH -> Integer.XI p)
    | Integer.XH ->
      (match y with
       | Integer.XI q -> Integer.XO (succ q)
       | Integer.XO q -> Integer.XI q
       | Integer.XH -> Integer.XO Integer.XH)

  (** val add_carry :
      Integer.positive -> Integer.positive -> Integer.positive **)

  and add_carry x y =
    match x with
    | Integer.XI p ->
      (match y with
       | Integer.XI q -> Integer.XI (add_carry p q)
       | Integer.XO q -> Integer.XO (add_carry p q)
       | Integer.XH -> Integer.XI (succ p))
    | Integer.XO p ->
      (match y with
       | Integer.XI q -> Integer.XO (add_carry p q)
       | Integer.XO q -> Integer.XI (add p q)
       | Integer.XH -> Integer.XO (succ p))
    | Integer.XH ->
      (match y with
       | Integer.XI q -> Integer.XI (succ q)
       | Integer.XO q -> Integer.XO (succ q)
       | Integer.XH -> Integer.XI Integer.XH)

  (** val pred_double : Integer.positive -> Integer.positive **)

  let rec pred_double = function
  | Integer.XI p -> Integer.XI (Integer.XO p)
  | Integer.XO p -> Integer.XI (pred_double p)
  | Integer.XH -> Integer.XH

  (** val mul : Integer.positive -> Integer.positive -> Integer.positive **)

  let rec mul x y =
    match x with
    | Integer.XI p -> add y (Integer.XO (mul p y))
    | Integer.XO p -> Integer.XO (mul p y)
    | Integer.XH -> y

  (** val compare_cont :
      comparison -> Integer.positive -> Integer.positive -> comparison **)

  let rec compare_cont r x y =
    match x with
    | Integer.XI p ->
      (match y with
       | Integer.XI q -> compare_cont r p q
       | Integer.XO q -> compare_cont Gt p q
       | Integer.XH -> Gt)
    | Integer.XO p ->
      (match y with
       | Integer.XI q -> compare_cont Lt p q
       | Integer.XO q -> compare_cont r p q
       | Integer.XH -> Gt)
    | Integer.XH -> (match y with
                     | Integer.XH -> r
                     | _ -> Lt)

  (** val compare : Integer.positive -> Integer.positive -> comparison **)

  let compare =
    compare_cont Eq

  (** val eqb : Integer.positive -> Integer.positive -> bool **)

  let rec eqb p q =
    match p with
    | Integer.XI p0 -> (match q with
                        | Integer.XI q0 -> eqb p0 q0
                        | _ -> false)
    | Integer.XO p0 -> (match q with
                        | Integer.XO q0 -> eqb p0 q0
                        | _ -> false)
    | Integer.XH -> (match q with
                     | Integer.XH -> true
                     | _ -> false)
 end

module Z =
 struct
 end

(** val rev_append : 'a1 list -> 'a1 list -> 'a1 list **)

let rec rev_append l l' =
  match l with
  | [] -> l'
  | a :: l0 -> rev_append l0 (a :: l')

(** val rev' : 'a1 list -> 'a1 list **)

let rev' l =
  rev_append l []

(** val fold_left : ('a1 -> 'a2 -> 'a1) -> 'a2 list -> 'a1 -> 'a1 **)

let rec fold_left f l a0 =
  match l with
  | [] -> a0
  | b :: t -> fold_left f t (f a0 b)

(** val existsb : ('a1 -> bool) -> 'a1 list -> bool **)

let rec existsb f = function
| [] -> false
| a :: l0 -> (||) (f a) (existsb f l0)

(** val forallb : ('a1 -> bool) -> 'a1 list -> bool **)

let rec forallb f = function
| [] -> true
| a :: l0 -> (&&) (f a) (forallb f l0)

type 'a tree =
| Leaf
| Node of 'a tree * 'a option * 'a tree

(** val get : Integer.positive -> 'a1 tree -> 'a1 option **)

let rec get i = function
| Leaf -> None
| Node (l, o, r) ->
  (match i with
   | Integer.XI j -> get j r
   | Integer.XO j -> get j l
   | Integer.XH -> o)

(** val set : Integer.positive -> 'a1 -> 'a1 tree -> 'a1 tree **)

let rec set i v t =
  match i with
  | Integer.XI j ->
    (match t with
     | Leaf -> Node (Leaf, None, (set j v Leaf))
     | Node (l, o, r) -> Node (l, o, (set j v r)))
  | Integer.XO j ->
    (match t with
     | Leaf -> Node ((set j v Leaf), None, Leaf)
     | Node (l, o, r) -> Node ((set j v l), o, r))
  | Integer.XH ->
    (match t with
     | Leaf -> Node (Leaf, (Some v), Leaf)
     | Node (l, _, r) -> Node (l, (Some v), r))

(** val all : ('a1 -> bool) -> 'a1 tree -> bool **)

let rec all f = function
| Leaf -> true
| Node (l, o, r) ->
  (&&) ((&&) (match o with
              | Some v -> f v
              | None -> true) (all f l)) (all f r)

(** val numbered : Integer.positive -> 'a1 list -> 'a1 tree -> 'a1 tree **)

let rec numbered from items t =
  match items with
  | [] -> t
  | v :: rest -> numbered (Pos.succ from) rest (set from v t)

(** val own : Integer.t option -> Integer.t **)

let own = function
| Some v -> v
| None -> Integer.zero

(** val at_ : Integer.positive -> Integer.t tree -> Integer.t **)

let at_ i t =
  own (get i t)

(** val add0 :
    Integer.positive -> Integer.t -> Integer.t tree -> Integer.t tree **)

let rec add0 i x t =
  match i with
  | Integer.XI j ->
    (match t with
     | Leaf -> Node (Leaf, None, (add0 j x Leaf))
     | Node (l, o, r) -> Node (l, o, (add0 j x r)))
  | Integer.XO j ->
    (match t with
     | Leaf -> Node ((add0 j x Leaf), None, Leaf)
     | Node (l, o, r) -> Node ((add0 j x l), o, r))
  | Integer.XH ->
    (match t with
     | Leaf -> Node (Leaf, (Some x), Leaf)
     | Node (l, o, r) -> Node (l, (Some (Integer.add (own o) x)), r))

(** val vector : (Integer.positive * Integer.t) list -> Integer.t tree **)

let vector terms0 =
  fold_left (fun t e -> add0 (fst e) (snd e) t) terms0 Leaf

(** val all_zero : Integer.t tree -> bool **)

let rec all_zero = function
| Leaf -> true
| Node (l, o, r) ->
  (&&) ((&&) (Integer.equal (own o) Integer.zero) (all_zero l)) (all_zero r)

type range = Integer.t option * Integer.t option

type statement =
| Withheld
| Interval of Integer.t * Integer.t
| Rounded of Integer.t * Integer.t * Integer.t
| Altered of Integer.t * Integer.t * Integer.t
| Adjusted of Integer.t

(** val said : statement -> range **)

let said = function
| Interval (lower0, upper0) -> ((Some lower0), (Some upper0))
| Rounded (number, base, steps) ->
  ((Some
    (Integer.sub number
      (Integer.mul (Integer.add steps (Integer.of_positive Integer.XH)) base))),
    (Some
    (Integer.add number
      (Integer.mul (Integer.add steps (Integer.of_positive Integer.XH)) base))))
| Altered (_, lower0, upper0) -> ((Some lower0), (Some upper0))
| _ -> (None, None)

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

(** val truth : problem -> Integer.positive -> Integer.t **)

let truth p i =
  match get i p.cells with
  | Some c -> c.truth_of
  | None -> Integer.zero

(** val known_to : problem -> Integer.positive -> knowledge **)

let known_to p k =
  match get k p.attackers with
  | Some known -> known
  | None -> []

(** val later : Integer.t option -> Integer.t option -> Integer.t option **)

let later a b =
  match a with
  | Some x -> (match b with
               | Some y -> Some (Integer.max x y)
               | None -> a)
  | None -> b

(** val sooner : Integer.t option -> Integer.t option -> Integer.t option **)

let sooner a b =
  match a with
  | Some x -> (match b with
               | Some y -> Some (Integer.min x y)
               | None -> a)
  | None -> b

(** val meet : range -> range -> range **)

let meet a b =
  ((later (fst a) (fst b)), (sooner (snd a) (snd b)))

(** val moved : Integer.t -> Integer.t option -> Integer.t option **)

let moved a = function
| Some x -> Some (Integer.sub x a)
| None -> None

(** val shift : Integer.t -> range -> range **)

let shift a r =
  ((moved a (fst r)), (moved a (snd r)))

(** val holds_in : range -> Integer.t -> bool **)

let holds_in r v =
  (&&) (match fst r with
        | Some l -> Integer.leq l v
        | None -> true)
    (match snd r with
     | Some u -> Integer.leq v u
     | None -> true)

type rooms = range tree

(** val prior_of : problem -> Integer.positive -> range **)

let prior_of p i =
  match get i p.cells with
  | Some c -> c.prior
  | None -> (None, None)

(** val told_room : problem -> Integer.positive -> range -> range **)

let told_room p i r =
  shift (truth p i) (meet r (prior_of p i))

(** val tell : problem -> knowledge -> rooms -> rooms **)

let rec tell p told rs =
  match told with
  | [] -> rs
  | p0 :: rest ->
    let (i, r) = p0 in
    let before = match get i rs with
                 | Some b -> b
                 | None -> (None, None) in
    tell p rest (set i (meet (told_room p i r) before) rs)

(** val learn : problem -> knowledge -> rooms -> rooms **)

let rec learn p known rs =
  match known with
  | [] -> rs
  | p0 :: rest ->
    let (i, r) = p0 in
    learn p rest
      (match get i rs with
       | Some b -> set i (meet (shift (truth p i) r) b) rs
       | None -> rs)

(** val cell_is_sane : cell -> bool **)

let cell_is_sane c =
  holds_in c.prior c.truth_of

(** val is_true : problem -> knowledge -> bool **)

let is_true p said0 =
  forallb (fun e -> holds_in (snd e) (truth p (fst e))) said0

(** val total :
    problem -> (Integer.positive * Integer.t) list -> Integer.t **)

let rec total p = function
| [] -> Integer.zero
| p0 :: rest ->
  let (i, c) = p0 in Integer.add (Integer.mul c (truth p i)) (total p rest)

(** val adds_up : problem -> bool **)

let adds_up p =
  forallb (fun e -> Integer.equal (total p e.terms) e.rhs) p.equations

type fractions = { denominator : Integer.t;
                   entries : (Integer.positive * Integer.t) list }

(** val fits_one : Integer.t -> Integer.t -> range option -> bool **)

let fits_one d v = function
| Some r0 ->
  let (l, u) = r0 in
  (&&)
    (match l with
     | Some x -> Integer.leq (Integer.mul x d) v
     | None -> true)
    (match u with
     | Some x -> Integer.leq v (Integer.mul x d)
     | None -> true)
| None -> Integer.equal v Integer.zero

(** val repeats_one : Integer.t -> range option -> bool **)

let repeats_one v = function
| Some r0 ->
  let (l, u) = r0 in
  (&&) (match l with
        | Some _ -> Integer.leq Integer.zero v
        | None -> true)
    (match u with
     | Some _ -> Integer.leq v Integer.zero
     | None -> true)
| None -> Integer.equal v Integer.zero

(** val fit :
    (Integer.t -> range option -> bool) -> Integer.t tree -> rooms -> bool **)

let rec fit one w rs =
  match w with
  | Leaf -> true
  | Node (l, o, r) ->
    (match rs with
     | Leaf -> all_zero w
     | Node (l', o', r') ->
       (&&)
         ((&&) (match o with
                | Some v -> one v o'
                | None -> true) (fit one l l')) (fit one r r'))

type columns = (Integer.positive * Integer.t) list tree

(** val put :
    Integer.positive -> Integer.positive -> Integer.t -> columns -> columns **)

let put i e c cs =
  set i ((e, c) :: (match get i cs with
                    | Some l -> l
                    | None -> [])) cs

(** val put_terms :
    Integer.positive -> (Integer.positive * Integer.t) list -> columns ->
    columns **)

let rec put_terms e ts cs =
  match ts with
  | [] -> cs
  | p :: rest -> let (i, c) = p in put_terms e rest (put i e c cs)

(** val columns_of :
    Integer.positive -> equation list -> columns -> columns **)

let rec columns_of e es cs =
  match es with
  | [] -> cs
  | x :: rest -> columns_of (Pos.succ e) rest (put_terms e x.terms cs)

(** val push :
    Integer.t tree -> columns -> Integer.t tree -> Integer.t tree **)

let rec push w cs sums =
  match w with
  | Leaf -> sums
  | Node (l, o, r) ->
    (match cs with
     | Leaf -> sums
     | Node (l', o', r') ->
       let sums0 =
         match o with
         | Some v ->
           (match o' with
            | Some col ->
              fold_left (fun t e -> add0 (fst e) (Integer.mul v (snd e)) t)
                col sums
            | None -> sums)
         | None -> sums
       in
       push r r' (push l l' sums0))

(** val balanced : columns -> Integer.t tree -> bool **)

let balanced cs w =
  all_zero (push w cs Leaf)

(** val plus : Integer.t option -> Integer.t option -> Integer.t option **)

let plus a b =
  match a with
  | Some x -> (match b with
               | Some y -> Some (Integer.add x y)
               | None -> None)
  | None -> None

(** val most_one : Integer.t -> range -> Integer.t option **)

let most_one d r =
  if Integer.lt Integer.zero d
  then (match snd r with
        | Some u -> Some (Integer.mul d u)
        | None -> None)
  else if Integer.lt d Integer.zero
       then (match fst r with
             | Some l -> Some (Integer.mul d l)
             | None -> None)
       else Some Integer.zero

(** val most : Integer.t tree -> rooms -> Integer.t option **)

let rec most d rs =
  match d with
  | Leaf -> Some Integer.zero
  | Node (l, o, r) ->
    (match rs with
     | Leaf -> Some Integer.zero
     | Node (l', o', r') ->
       plus (most l l')
         (plus
           (match o with
            | Some v ->
              (match o' with
               | Some x -> most_one v x
               | None -> Some Integer.zero)
            | None -> Some Integer.zero) (most r r')))

type rows = equation tree

(** val add_terms :
    Integer.t -> (Integer.positive * Integer.t) list -> Integer.t tree ->
    Integer.t tree **)

let rec add_terms k ts t =
  match ts with
  | [] -> t
  | p :: rest ->
    let (i, c) = p in add_terms k rest (add0 i (Integer.mul k c) t)

(** val less :
    rows -> (Integer.positive * Integer.t) list -> Integer.t tree ->
    Integer.t tree option **)

let rec less rws g t =
  match g with
  | [] -> Some t
  | p :: rest ->
    let (e, v) = p in
    (match get e rws with
     | Some x -> less rws rest (add_terms (Integer.neg v) x.terms t)
     | None -> None)

(** val bound_of :
    rows -> rooms -> (Integer.positive * Integer.t) list -> Integer.t ->
    fractions -> (Integer.t * Integer.t) option **)

let bound_of rws rs form sign p =
  if Integer.lt Integer.zero p.denominator
  then (match less rws p.entries
                (add_terms (Integer.mul sign p.denominator) form Leaf) with
        | Some d ->
          (match most d rs with
           | Some b -> Some (b, p.denominator)
           | None -> None)
        | None -> None)
  else None

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

(** val quick_map : ('a1 -> 'a2) -> 'a1 list -> 'a2 list **)

let quick_map f l =
  rev' (fold_left (fun done0 v -> (f v) :: done0) l [])

type bench = { its_rows : rows; its_witnesses : (fractions * bool) tree;
               its_proofs : fractions tree }

(** val bench_of : equation list -> certificate -> bench **)

let bench_of es c =
  let cs = columns_of Integer.XH es Leaf in
  let tried = fun w -> (w, (balanced cs (vector w.entries))) in
  { its_rows = (numbered Integer.XH es Leaf); its_witnesses =
  (numbered Integer.XH (quick_map tried c.witnesses) Leaf); its_proofs =
  (numbered Integer.XH c.proofs Leaf) }

type fraction = Integer.t * Integer.t

(** val form_at :
    (Integer.positive * Integer.t) list -> Integer.t tree -> Integer.t **)

let rec form_at form t =
  match form with
  | [] -> Integer.zero
  | p :: rest ->
    let (i, c) = p in Integer.add (Integer.mul c (at_ i t)) (form_at rest t)

(** val reach_of :
    bench -> rooms -> (Integer.positive * Integer.t) list -> Integer.t ->
    end_evidence -> fraction option option **)

let reach_of b rs form sign e =
  match e.shows with
  | Some p ->
    let (is_ray, n) = p in
    (match get n b.its_witnesses with
     | Some p0 ->
       let (w, is_balanced) = p0 in
       let d = w.denominator in
       let t = vector w.entries in
       let m = Integer.mul sign (form_at form t) in
       if (&&) is_balanced (Integer.lt Integer.zero d)
       then if is_ray
            then if (&&) (fit repeats_one t rs) (Integer.lt Integer.zero m)
                 then Some None
                 else None
            else if fit (fits_one d) t rs then Some (Some (m, d)) else None
       else None
     | None -> None)
  | None -> Some (Some (Integer.zero, (Integer.of_positive Integer.XH)))

(** val limit_of :
    bench -> rooms -> (Integer.positive * Integer.t) list -> Integer.t ->
    end_evidence -> fraction option option **)

let limit_of b rs form sign e =
  match e.bounds with
  | Some n ->
    (match get n b.its_proofs with
     | Some p ->
       (match bound_of b.its_rows rs form sign p with
        | Some x -> Some (Some x)
        | None -> None)
     | None -> None)
  | None -> Some None

(** val at_least : fraction option -> Integer.t -> bool **)

let at_least r level =
  match r with
  | Some f -> let (n, d) = f in Integer.leq (Integer.mul level d) n
  | None -> true

(** val both_at_least :
    fraction option -> fraction option -> Integer.t -> bool **)

let both_at_least r r' level =
  match r with
  | Some f ->
    let (n, d) = f in
    (match r' with
     | Some f0 ->
       let (n', d') = f0 in
       Integer.leq (Integer.mul level (Integer.mul d d'))
         (Integer.add (Integer.mul n d') (Integer.mul n' d))
     | None -> true)
  | None -> true

(** val below : fraction option -> Integer.t -> bool **)

let below r level =
  match r with
  | Some f -> let (n, d) = f in Integer.lt n (Integer.mul level d)
  | None -> false

(** val both_below :
    fraction option -> fraction option -> Integer.t -> bool **)

let both_below r r' level =
  match r with
  | Some f ->
    let (n, d) = f in
    (match r' with
     | Some f0 ->
       let (n', d') = f0 in
       Integer.lt (Integer.add (Integer.mul n d') (Integer.mul n' d))
         (Integer.mul level (Integer.mul d d'))
     | None -> false)
  | None -> false

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

(** val is_point : range -> bool **)

let is_point = function
| (o, o0) ->
  (match o with
   | Some l -> (match o0 with
                | Some u -> Integer.leq u l
                | None -> false)
   | None -> false)

(** val gather : knowledge -> range tree -> range tree **)

let rec gather told t =
  match told with
  | [] -> t
  | p :: rest ->
    let (i, r) = p in
    gather rest (set i (match get i t with
                        | Some b -> meet r b
                        | None -> r) t)

(** val is_stated : range tree -> Integer.positive -> bool **)

let is_stated said0 i =
  match get i said0 with
  | Some r -> is_point r
  | None -> true

(** val own_range : knowledge -> Integer.positive -> range -> range **)

let rec own_range known i r =
  match known with
  | [] -> r
  | p :: rest ->
    let (j, x) = p in own_range rest i (if Pos.eqb j i then meet x r else r)

(** val is_known_before :
    problem -> Integer.positive -> Integer.positive -> bool **)

let is_known_before p i k =
  is_point (own_range (known_to p k) i (prior_of p i))

(** val has_zero_levels : requirement -> bool **)

let has_zero_levels r =
  (&&)
    ((&&) (Integer.equal r.lower Integer.zero)
      (Integer.equal r.upper Integer.zero))
    (Integer.equal r.sliding Integer.zero)

(** val sliding_of : problem -> requirement -> Integer.t **)

let sliding_of p r =
  if (&&) ((&&) (has_zero_levels r) (negb p.zeros_are_meant))
       (negb (is_known_before p r.about r.by_attacker))
  then p.unit_of
  else r.sliding

(** val by_levels :
    bool -> Integer.t -> Integer.t -> Integer.t -> fraction option ->
    fraction option -> fraction option -> fraction option -> verdict **)

let by_levels is_said l u s down up down_limit up_limit =
  if is_said
  then Exposed
  else if (||) ((||) (below up_limit u) (below down_limit l))
            (both_below up_limit down_limit s)
       then Exposed
       else if (&&)
                 ((&&) (Integer.equal l Integer.zero)
                   (Integer.equal u Integer.zero))
                 (Integer.equal s Integer.zero)
            then Unasked
            else if (&&) ((&&) (at_least up u) (at_least down l))
                      (both_at_least up down s)
                 then Protected
                 else Undecided

(** val judge_one :
    problem -> bench -> range tree -> rooms -> requirement -> finding ->
    verdict option **)

let judge_one p b said0 rs r f =
  let form = (r.about, (Integer.of_positive Integer.XH)) :: [] in
  (match reach_of b rs form (Integer.of_negative Integer.XH) f.low with
   | Some down ->
     (match reach_of b rs form (Integer.of_positive Integer.XH) f.high with
      | Some up ->
        (match limit_of b rs form (Integer.of_negative Integer.XH) f.low with
         | Some down_limit ->
           (match limit_of b rs form (Integer.of_positive Integer.XH) f.high with
            | Some up_limit ->
              Some
                (by_levels (is_stated said0 r.about) r.lower r.upper
                  (sliding_of p r) down up down_limit up_limit)
            | None -> None)
         | None -> None)
      | None -> None)
   | None -> None)

(** val judge_all :
    problem -> bench -> range tree -> rooms tree -> Integer.positive ->
    requirement list -> finding list -> verdict list -> outcome **)

let rec judge_all p b said0 all_rooms n rs fs found =
  match rs with
  | [] ->
    (match fs with
     | [] -> Judged (rev' found)
     | _ :: _ -> Refused OtherFindings)
  | r :: rs' ->
    (match fs with
     | [] -> Refused OtherFindings
     | f :: fs' ->
       if (&&) (Pos.eqb r.about f.its_cell)
            (Pos.eqb r.by_attacker f.its_attacker)
       then (match get r.by_attacker all_rooms with
             | Some room_of_one ->
               (match judge_one p b said0 room_of_one r f with
                | Some v ->
                  judge_all p b said0 all_rooms (Pos.succ n) rs' fs'
                    (v :: found)
                | None -> Refused (Wrong n))
             | None -> Refused OtherFindings)
       else Refused OtherFindings)

(** val map_tree : ('a1 -> 'a2) -> 'a1 tree -> 'a2 tree **)

let rec map_tree f = function
| Leaf -> Leaf
| Node (l, o, r) ->
  Node ((map_tree f l), (match o with
                         | Some v -> Some (f v)
                         | None -> None), (map_tree f r))

(** val is_adjusted : (Integer.positive * statement) -> bool **)

let is_adjusted s =
  match snd s with
  | Adjusted _ -> true
  | _ -> false

(** val check_ranges : problem -> certificate -> outcome **)

let check_ranges p c =
  let told = quick_map (fun e -> ((fst e), (said (snd e)))) p.release in
  let base = tell p told Leaf in
  if existsb is_adjusted p.release
  then Refused Mixed
  else if negb (adds_up p)
       then Refused NotAdditive
       else if negb
                 ((&&) ((&&) (all cell_is_sane p.cells) (is_true p told))
                   (all (is_true p) p.attackers))
            then Refused Untrue
            else judge_all p (bench_of p.equations c) (gather told Leaf)
                   (map_tree (fun known -> learn p known base) p.attackers)
                   Integer.XH p.requirements c.findings []

(** val numbers_of :
    (Integer.positive * statement) list -> Integer.t tree -> Integer.t tree **)

let rec numbers_of rel t =
  match rel with
  | [] -> t
  | p :: rest ->
    let (i, s) = p in
    (match s with
     | Adjusted x -> numbers_of rest (set i x t)
     | _ -> numbers_of rest t)

(** val number_at :
    problem -> Integer.t tree -> Integer.positive -> Integer.t **)

let number_at p xs i =
  match get i xs with
  | Some x -> x
  | None -> truth p i

(** val sum_at :
    (Integer.positive -> Integer.t) -> (Integer.positive * Integer.t) list ->
    Integer.t **)

let rec sum_at f = function
| [] -> Integer.zero
| p :: rest ->
  let (i, c) = p in Integer.add (Integer.mul c (f i)) (sum_at f rest)

(** val check_numbers :
    problem -> Integer.t tree -> (Integer.positive * statement) list ->
    reason option **)

let rec check_numbers p xs = function
| [] -> None
| p0 :: rest ->
  let (i, s) = p0 in
  (match s with
   | Adjusted x ->
     if (&&) (Integer.equal (number_at p xs i) x) (holds_in (prior_of p i) x)
     then check_numbers p xs rest
     else Some (NotShown i)
   | _ -> Some Mixed)

(** val is_far :
    Integer.t -> Integer.t -> Integer.t -> Integer.t -> Integer.t -> bool **)

let is_far a x l u s =
  (&&) (negb (Integer.equal x a))
    ((||)
      ((&&) (Integer.leq u (Integer.sub x a))
        (Integer.leq s
          (Integer.mul (Integer.of_positive (Integer.XO Integer.XH))
            (Integer.sub x a))))
      ((&&) (Integer.leq l (Integer.sub a x))
        (Integer.leq s
          (Integer.mul (Integer.of_positive (Integer.XO Integer.XH))
            (Integer.sub a x)))))

(** val judge_number : problem -> Integer.t tree -> requirement -> verdict **)

let judge_number p xs r =
  let s = sliding_of p r in
  if is_far (truth p r.about) (number_at p xs r.about) r.lower r.upper s
  then if (&&)
            ((&&) (Integer.equal r.lower Integer.zero)
              (Integer.equal r.upper Integer.zero))
            (Integer.equal s Integer.zero)
       then Unasked
       else Protected
  else Exposed

(** val same_questions : requirement list -> finding list -> bool **)

let rec same_questions rs fs =
  match rs with
  | [] -> (match fs with
           | [] -> true
           | _ :: _ -> false)
  | r :: rs' ->
    (match fs with
     | [] -> false
     | f :: fs' ->
       (&&)
         ((&&) (Pos.eqb r.about f.its_cell)
           (Pos.eqb r.by_attacker f.its_attacker)) (same_questions rs' fs'))

(** val check_adjusted : problem -> certificate -> outcome **)

let check_adjusted p c =
  let xs = numbers_of p.release Leaf in
  if negb
       ((&&) (adds_up p)
         (forallb (fun e ->
           Integer.equal (sum_at (number_at p xs) e.terms) e.rhs) p.equations))
  then Refused NotAdditive
  else if negb ((&&) (all cell_is_sane p.cells) (all (is_true p) p.attackers))
       then Refused Untrue
       else (match check_numbers p xs p.release with
             | Some why -> Refused why
             | None ->
               if same_questions p.requirements c.findings
               then Judged (quick_map (judge_number p xs) p.requirements)
               else Refused OtherFindings)

(** val shows_numbers_only : problem -> bool **)

let shows_numbers_only p =
  match p.release with
  | [] -> false
  | _ :: _ -> forallb is_adjusted p.release

(** val check : problem -> certificate -> outcome **)

let check p c =
  if shows_numbers_only p then check_adjusted p c else check_ranges p c

(** val worse : verdict -> verdict -> verdict **)

let worse a b =
  match a with
  | Protected -> (match b with
                  | Unasked -> Protected
                  | x -> x)
  | Exposed -> Exposed
  | Undecided -> (match b with
                  | Exposed -> Exposed
                  | _ -> Undecided)
  | Unasked -> b

(** val overall : verdict list -> verdict **)

let overall vs =
  fold_left worse vs Unasked
