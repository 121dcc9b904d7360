(* SPDX-License-Identifier: Apache-2.0 *)
(* Made by Coq from proof/coq; do not edit. make -C proof extracted writes it anew. *)

(** val negb : bool -> bool **)

let negb = function
| true -> false
| false -> true

type ('a, 'b) sum =
| Inl of 'a
| Inr of 'b

(** val fst : ('a1 * 'a2) -> 'a1 **)

let fst = function
| (x, _) -> x

(** val snd : ('a1 * 'a2) -> 'a2 **)

let snd = function
| (_, y) -> y

(** val app : 'a1 list -> 'a1 list -> 'a1 list **)

let rec app l m =
  match l with
  | [] -> m
  | a :: l1 -> a :: (app l1 m)

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

(** val map : ('a1 -> 'a2) -> 'a1 list -> 'a2 list **)

let rec map f = function
| [] -> []
| a :: t -> (f a) :: (map f t)

(** val flat_map : ('a1 -> 'a2 list) -> 'a1 list -> 'a2 list **)

let rec flat_map f = function
| [] -> []
| x :: t -> app (f x) (flat_map f t)

(** val fold_left : ('a1 -> 'a2 -> 'a1) -> 'a2 list -> 'a1 -> 'a1 **)

let rec fold_left f l a0 =
  match l with
  | [] -> a0
  | b :: t -> fold_left f t (f a0 b)

(** val fold_right : ('a2 -> 'a1 -> 'a1) -> 'a1 -> 'a2 list -> 'a1 **)

let rec fold_right f a0 = function
| [] -> a0
| b :: t -> f b (fold_right f a0 t)

(** val existsb : ('a1 -> bool) -> 'a1 list -> bool **)

let rec existsb f = function
| [] -> false
| a :: l0 -> (||) (f a) (existsb f l0)

(** val forallb : ('a1 -> bool) -> 'a1 list -> bool **)

let rec forallb f = function
| [] -> true
| a :: l0 -> (&&) (f a) (forallb f l0)

(** val filter : ('a1 -> bool) -> 'a1 list -> 'a1 list **)

let rec filter f = function
| [] -> []
| x :: l0 -> if f x then x :: (filter f l0) else filter f l0

(** val find : ('a1 -> bool) -> 'a1 list -> 'a1 option **)

let rec find f = function
| [] -> None
| x :: tl -> if f x then Some x else find f tl

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
| Rounded (number, base0, steps0) ->
  ((Some
    (Integer.sub number
      (Integer.mul (Integer.add steps0 (Integer.of_positive Integer.XH))
        base0))), (Some
    (Integer.add number
      (Integer.mul (Integer.add steps0 (Integer.of_positive Integer.XH))
        base0))))
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

(** val told_by : (Integer.positive * statement) list -> knowledge **)

let told_by rel =
  map (fun e -> ((fst e), (said (snd e)))) rel

(** val sum_at :
    (Integer.positive -> Integer.t) -> (Integer.positive * Integer.t) list ->
    Integer.t **)

let rec sum_at f = function
| [] -> Integer.zero
| p :: rest ->
  let (i, c) = p in Integer.add (Integer.mul c (f i)) (sum_at f rest)

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

(** val nowhere : range **)

let nowhere =
  ((Some Integer.zero), (Some Integer.zero))

type rooms = range tree

(** val room : rooms -> Integer.positive -> range **)

let room rs i =
  match get i rs with
  | Some r -> r
  | None -> nowhere

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

(** val rooms_of : problem -> knowledge -> knowledge -> rooms **)

let rooms_of p told known =
  learn p known (tell p told Leaf)

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

let bound_of rws rs form0 sign p =
  if Integer.lt Integer.zero p.denominator
  then (match less rws p.entries
                (add_terms (Integer.mul sign p.denominator) form0 Leaf) with
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

let rec form_at form0 t =
  match form0 with
  | [] -> Integer.zero
  | p :: rest ->
    let (i, c) = p in Integer.add (Integer.mul c (at_ i t)) (form_at rest t)

(** val reach_of :
    bench -> rooms -> (Integer.positive * Integer.t) list -> Integer.t ->
    end_evidence -> fraction option option **)

let reach_of b rs form0 sign e =
  match e.shows with
  | Some p ->
    let (is_ray, n) = p in
    (match get n b.its_witnesses with
     | Some p0 ->
       let (w, is_balanced) = p0 in
       let d = w.denominator in
       let t = vector w.entries in
       let m = Integer.mul sign (form_at form0 t) in
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

let limit_of b rs form0 sign e =
  match e.bounds with
  | Some n ->
    (match get n b.its_proofs with
     | Some p ->
       (match bound_of b.its_rows rs form0 sign p with
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
  let form0 = (r.about, (Integer.of_positive Integer.XH)) :: [] in
  (match reach_of b rs form0 (Integer.of_negative Integer.XH) f.low with
   | Some down ->
     (match reach_of b rs form0 (Integer.of_positive Integer.XH) f.high with
      | Some up ->
        (match limit_of b rs form0 (Integer.of_negative Integer.XH) f.low with
         | Some down_limit ->
           (match limit_of b rs form0 (Integer.of_positive Integer.XH) f.high with
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

(** val check_ranges_on : problem -> bench -> certificate -> outcome **)

let check_ranges_on p b c =
  let told = quick_map (fun e -> ((fst e), (said (snd e)))) p.release in
  let base0 = tell p told Leaf in
  if existsb is_adjusted p.release
  then Refused Mixed
  else if negb (adds_up p)
       then Refused NotAdditive
       else if negb
                 ((&&) ((&&) (all cell_is_sane p.cells) (is_true p told))
                   (all (is_true p) p.attackers))
            then Refused Untrue
            else judge_all p b (gather told Leaf)
                   (map_tree (fun known -> learn p known base0) p.attackers)
                   Integer.XH p.requirements c.findings []

(** val check_ranges : problem -> certificate -> outcome **)

let check_ranges p c =
  check_ranges_on p (bench_of p.equations c) c

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

(** val has : Integer.positive -> 'a1 tree -> bool **)

let has i t =
  match get i t with
  | Some _ -> true
  | None -> false

(** val least : counting -> Integer.t **)

let least c =
  match c.meaning_of_blanks with
  | AnyMeaning -> Integer.zero
  | _ ->
    (match c.zeros with
     | ZerosSensitive -> Integer.zero
     | _ -> Integer.of_positive Integer.XH)

(** val is_strict : problem -> (Integer.positive * statement) -> bool **)

let is_strict p e =
  match snd e with
  | Rounded (number, base0, steps0) ->
    Integer.lt (Integer.abs (Integer.sub (truth p (fst e)) number))
      (Integer.mul (Integer.add steps0 (Integer.of_positive Integer.XH))
        base0)
  | _ -> true

(** val strict : problem -> bool **)

let strict p =
  forallb (is_strict p) p.release

(** val by_rule :
    counting -> bool -> Integer.positive -> statement -> range **)

let by_rule c is_open i s =
  if has i c.unlisted
  then (None, None)
  else (match s with
        | Withheld ->
          (match c.meaning_of_blanks with
           | RuleMeaning ->
             if has i c.primaries
             then ((Some (least c)), (Some
                    (Integer.sub c.threshold (Integer.of_positive Integer.XH))))
             else ((Some c.threshold), None)
           | _ -> ((Some (least c)), None))
        | Interval (_, _) -> ((Some (least c)), None)
        | Rounded (number, base0, steps0) ->
          if is_open
          then ((Some
                 (Integer.add
                   (Integer.sub number
                     (Integer.mul
                       (Integer.add steps0 (Integer.of_positive Integer.XH))
                       base0)) (Integer.of_positive Integer.XH))), (Some
                 (Integer.sub
                   (Integer.add number
                     (Integer.mul
                       (Integer.add steps0 (Integer.of_positive Integer.XH))
                       base0)) (Integer.of_positive Integer.XH))))
          else (None, None)
        | _ -> (None, None))

(** val fixed_before : problem -> Integer.positive -> bool **)

let fixed_before p i =
  match get i p.cells with
  | Some c ->
    let (o, o0) = c.prior in
    (match o with
     | Some l ->
       (match o0 with
        | Some u -> Integer.leq u (Integer.max l Integer.zero)
        | None -> false)
     | None ->
       (match o0 with
        | Some u -> Integer.leq u Integer.zero
        | None -> false))
  | None -> false

(** val told_of :
    problem -> counting -> bool -> (Integer.positive * statement) -> knowledge **)

let told_of p c is_open e =
  let i = fst e in
  (i, (said (snd e))) :: ((i, ((Some Integer.zero), None)) :: ((i,
  (if fixed_before p i then (None, None) else by_rule c is_open i (snd e))) :: []))

(** val told_counts : problem -> counting -> knowledge **)

let told_counts p c =
  flat_map (told_of p c (strict p)) p.release

(** val form : question -> (Integer.positive * Integer.t) list **)

let form q =
  match q.kind_of with
  | KAll -> q.form_of
  | KGroup -> q.form_of
  | KImplied -> q.form_of
  | _ -> (q.main_cell, (Integer.of_positive Integer.XH)) :: []

(** val is_about_a_cell : kind -> bool **)

let is_about_a_cell = function
| KAll -> false
| KGroup -> false
| KImplied -> false
| _ -> true

type demand =
| AllOf of Integer.t * Integer.t * Integer.t
| OneOf of Integer.t * Integer.t
| Numbers of Integer.t

type holes = Integer.t list tree

(** val zip_all : ('a1 -> 'a2 -> bool) -> 'a1 tree -> 'a2 tree -> bool **)

let rec zip_all one t u =
  match t with
  | Leaf -> true
  | Node (l, o, r) ->
    (match u with
     | Leaf -> true
     | Node (l', o', r') ->
       (&&)
         ((&&)
           (match o with
            | Some v -> (match o' with
                         | Some b -> one v b
                         | None -> true)
            | None -> true) (zip_all one l l')) (zip_all one r r'))

(** val snap : holes -> Integer.positive -> range -> range **)

let snap hs i r =
  match get i hs with
  | Some l ->
    (match filter (holds_in r) l with
     | [] -> ((Some (Integer.of_positive Integer.XH)), (Some Integer.zero))
     | x :: rest ->
       ((Some (fold_left Integer.min rest x)), (Some
         (fold_left Integer.max rest x))))
  | None -> r

(** val narrow : holes -> Integer.positive -> range -> rooms -> rooms **)

let narrow hs i r rs =
  set i (snap hs i (meet r (room rs i))) rs

(** val snap_all : holes -> Integer.positive list -> rooms -> rooms **)

let rec snap_all hs cs rs =
  match cs with
  | [] -> rs
  | i :: rest -> snap_all hs rest (narrow hs i (None, None) rs)

type line = { l_cell : Integer.positive; is_high : bool;
              l_equation : Integer.positive; l_value : Integer.t }

(** val pass :
    (Integer.positive -> Integer.t) -> rows -> holes -> rooms -> line ->
    rooms option **)

let pass a rws hs rs n =
  match get n.l_equation rws with
  | Some x ->
    let p = n.l_cell in
    let own0 = at_ p (vector x.terms) in
    let sign =
      if n.is_high
      then Integer.of_positive Integer.XH
      else Integer.of_negative Integer.XH
    in
    let turn = if Integer.lt Integer.zero own0 then Integer.neg sign else sign
    in
    let claimed = Integer.mul sign (Integer.sub n.l_value (a p)) in
    if Integer.equal own0 Integer.zero
    then None
    else (match most (set p Integer.zero (add_terms turn x.terms Leaf)) rs with
          | Some m ->
            if Integer.lt m
                 (Integer.mul
                   (Integer.add claimed (Integer.of_positive Integer.XH))
                   (Integer.max own0 (Integer.neg own0)))
            then Some
                   (narrow hs p
                     (if n.is_high
                      then (None, (Some claimed))
                      else ((Some (Integer.neg claimed)), None)) rs)
            else None
          | None -> None)
  | None -> None

(** val pass_all :
    (Integer.positive -> Integer.t) -> rows -> holes -> rooms -> line list ->
    rooms option **)

let rec pass_all a rws hs rs = function
| [] -> Some rs
| n :: rest ->
  (match pass a rws hs rs n with
   | Some rs' -> pass_all a rws hs rs' rest
   | None -> None)

(** val is_nowhere : range -> bool **)

let is_nowhere = function
| (o, o0) ->
  (match o with
   | Some l ->
     (match o0 with
      | Some u ->
        (&&) (Integer.equal l Integer.zero) (Integer.equal u Integer.zero)
      | None -> false)
   | None -> false)

(** val divides : Integer.t -> Integer.t -> bool **)

let divides m v =
  Integer.equal (Integer.mul (Integer.div v m) m) v

(** val step_one : Integer.t -> Integer.t -> range -> bool **)

let step_one m v r =
  (||) (is_nowhere r) (divides m v)

type step = { q_of : Integer.t; multiples : fractions }

(** val step_holds :
    rows -> rooms -> (Integer.positive * Integer.t) list -> step -> bool **)

let step_holds rws rs f s =
  let d = s.multiples.denominator in
  let q = s.q_of in
  (&&) ((&&) (Integer.lt Integer.zero q) (Integer.lt Integer.zero d))
    (match less rws
             (quick_map (fun e -> ((fst e), (Integer.mul q (snd e))))
               s.multiples.entries) (add_terms d f Leaf) with
     | Some rest -> zip_all (step_one (Integer.mul q d)) rest rs
     | None -> false)

(** val nothing : fractions **)

let nothing =
  { denominator = (Integer.of_positive Integer.XH); entries = [] }

(** val or_nothing : fractions option -> fractions **)

let or_nothing = function
| Some p0 -> p0
| None -> nothing

(** val direct :
    rows -> rooms -> (Integer.positive * Integer.t) list -> Integer.t ->
    fractions option -> step option -> Integer.t option **)

let direct rws rs f sign p s =
  match bound_of rws rs f sign (or_nothing p) with
  | Some p0 ->
    let (b, d) = p0 in
    (match s with
     | Some s0 ->
       if step_holds rws rs f s0
       then Some (Integer.mul (Integer.div b (Integer.mul d s0.q_of)) s0.q_of)
       else None
     | None -> Some (Integer.div b d))
  | None -> None

type cases =
| Case of Integer.positive * Integer.t * cases * cases
| End of bool * Integer.positive option * Integer.positive option
   * Integer.positive option

type evidence = { e_rows : rows; e_proofs : fractions tree;
                  e_steps : step tree; e_chains : line list tree }

(** val named : Integer.positive option -> 'a1 tree -> 'a1 option option **)

let named n t =
  match n with
  | Some n0 -> (match get n0 t with
                | Some v -> Some (Some v)
                | None -> None)
  | None -> Some None

(** val after_chain :
    (Integer.positive -> Integer.t) -> evidence -> holes -> rooms ->
    Integer.positive option -> rooms option **)

let after_chain a b hs rs n =
  match named n b.e_chains with
  | Some o ->
    (match o with
     | Some ns -> pass_all a b.e_rows hs rs ns
     | None -> Some rs)
  | None -> None

(** val is_backwards : range -> bool **)

let is_backwards = function
| (o, o0) ->
  (match o with
   | Some l -> (match o0 with
                | Some u -> Integer.lt u l
                | None -> false)
   | None -> false)

(** val has_backwards : rooms -> bool **)

let rec has_backwards = function
| Leaf -> false
| Node (l, o, r) ->
  (||)
    ((||) (match o with
           | Some x -> is_backwards x
           | None -> false) (has_backwards l)) (has_backwards r)

(** val shows_empty : evidence -> rooms -> fractions option -> bool **)

let shows_empty b rs p =
  (||) (has_backwards rs)
    (match p with
     | Some p0 ->
       (match bound_of b.e_rows rs [] (Integer.of_positive Integer.XH) p0 with
        | Some p1 -> let (n, _) = p1 in Integer.lt n Integer.zero
        | None -> false)
     | None -> false)

(** val larger : Integer.t option -> Integer.t option -> Integer.t option **)

let larger x y =
  match x with
  | Some a -> (match y with
               | Some b -> Some (Integer.max a b)
               | None -> x)
  | None -> y

(** val bound_cases :
    (Integer.positive -> Integer.t) -> evidence -> holes ->
    (Integer.positive * Integer.t) list -> Integer.t -> cases -> rooms ->
    Integer.t option option **)

let rec bound_cases a b hs f sign t rs =
  match t with
  | Case (i, k, lo, hi) ->
    (match bound_cases a b hs f sign lo (narrow hs i (None, (Some k)) rs) with
     | Some x ->
       (match bound_cases a b hs f sign hi
                (narrow hs i ((Some
                  (Integer.add k (Integer.of_positive Integer.XH))), None) rs) with
        | Some y -> Some (larger x y)
        | None -> None)
     | None -> None)
  | End (is_empty0, c, p, s) ->
    (match after_chain a b hs rs c with
     | Some rs' ->
       (match named p b.e_proofs with
        | Some p' ->
          (match named s b.e_steps with
           | Some s' ->
             if is_empty0
             then if shows_empty b rs' p' then Some None else None
             else (match direct b.e_rows rs' f sign p' s' with
                   | Some n -> Some (Some n)
                   | None -> None)
           | None -> None)
        | None -> None)
     | None -> None)

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

(** val reach_count :
    bench -> holes -> rooms -> (Integer.positive * Integer.t) list ->
    Integer.t -> (bool * Integer.positive) option -> Integer.t option option **)

let reach_count b hs rs f sign = function
| Some p ->
  let (is_ray, n) = p in
  (match get n b.its_witnesses with
   | Some p0 ->
     let (w, is_balanced) = p0 in
     let t = vector w.entries in
     let m = Integer.mul sign (form_at f t) in
     if is_balanced
     then if is_ray
          then if (&&)
                    ((&&)
                      ((&&) (Integer.lt Integer.zero w.denominator)
                        (fit repeats_one t rs))
                      (zip_all (fun v _ -> Integer.equal v Integer.zero) t hs))
                    (Integer.lt Integer.zero m)
               then Some None
               else None
          else if (&&)
                    ((&&)
                      (Integer.equal w.denominator (Integer.of_positive
                        Integer.XH))
                      (fit (fits_one (Integer.of_positive Integer.XH)) t rs))
                    (zip_all (fun v l ->
                      (||) (Integer.equal v Integer.zero)
                        (existsb (Integer.equal v) l)) t hs)
               then Some (Some m)
               else None
     else None
   | None -> None)
| None -> Some (Some Integer.zero)

(** val claims_nothing : count_end -> bool **)

let claims_nothing e =
  match e.c_chain with
  | Some _ -> false
  | None ->
    (match e.c_proof with
     | Some _ -> false
     | None ->
       (match e.c_step with
        | Some _ -> false
        | None -> (match e.c_tree with
                   | Some _ -> false
                   | None -> true)))

(** val limit_count :
    (Integer.positive -> Integer.t) -> evidence -> cases tree -> holes ->
    rooms -> (Integer.positive * Integer.t) list -> Integer.t -> count_end ->
    Integer.t option option **)

let limit_count a b trees hs rs f sign e =
  if claims_nothing e
  then Some None
  else (match after_chain a b hs rs e.c_chain with
        | Some rs' ->
          (match named e.c_tree trees with
           | Some o ->
             (match o with
              | Some t ->
                (match bound_cases a b hs f sign t rs' with
                 | Some o0 ->
                   (match o0 with
                    | Some n -> Some (Some n)
                    | None -> None)
                 | None -> None)
              | None ->
                (match named e.c_proof b.e_proofs with
                 | Some p ->
                   (match named e.c_step b.e_steps with
                    | Some s ->
                      (match direct b.e_rows rs' f sign p s with
                       | Some n -> Some (Some n)
                       | None -> None)
                    | None -> None)
                 | None -> None))
           | None -> None)
        | None -> None)

(** val step_behind : evidence -> count_end -> Integer.t **)

let step_behind b e =
  match e.c_tree with
  | Some _ -> Integer.of_positive Integer.XH
  | None ->
    (match named e.c_step b.e_steps with
     | Some o ->
       (match o with
        | Some s -> s.q_of
        | None -> Integer.of_positive Integer.XH)
     | None -> Integer.of_positive Integer.XH)

(** val length_of : 'a1 list -> Integer.t **)

let length_of l =
  fold_left (fun n _ -> Integer.add n (Integer.of_positive Integer.XH)) l
    Integer.zero

(** val distinct : Integer.t list -> Integer.t list -> Integer.t list **)

let rec distinct l done0 =
  match l with
  | [] -> done0
  | v :: rest ->
    distinct rest
      (if existsb (Integer.equal v) done0 then done0 else v :: done0)

(** val numbers_left :
    holes -> (Integer.positive * Integer.t) list -> Integer.t -> Integer.t ->
    Integer.t -> Integer.t **)

let numbers_left hs f q down up =
  if Integer.equal q (Integer.of_positive Integer.XH)
  then (match f with
        | [] ->
          Integer.add (Integer.add down up) (Integer.of_positive Integer.XH)
        | p :: l ->
          let (i, c) = p in
          (match l with
           | [] ->
             (match get i hs with
              | Some l0 ->
                if Integer.equal c (Integer.of_positive Integer.XH)
                then length_of
                       (filter
                         (holds_in ((Some (Integer.neg down)), (Some up))) l0)
                else Integer.add (Integer.add down up) (Integer.of_positive
                       Integer.XH)
              | None ->
                Integer.add (Integer.add down up) (Integer.of_positive
                  Integer.XH))
           | _ :: _ ->
             Integer.add (Integer.add down up) (Integer.of_positive
               Integer.XH)))
  else Integer.add (Integer.div (Integer.add down up) q) (Integer.of_positive
         Integer.XH)

(** val by_cell : requirement list -> requirement list tree **)

let by_cell rs =
  fold_left (fun t r ->
    set r.about (r :: (match get r.about t with
                       | Some l -> l
                       | None -> [])) t) rs Leaf

(** val demand_of :
    problem -> counting -> requirement list tree -> question -> demand option **)

let demand_of p c needs q =
  let v = sum_at (truth p) (form q) in
  (match q.kind_of with
   | KExact ->
     Some (Numbers (Integer.add c.ambiguity (Integer.of_positive Integer.XH)))
   | KSmall -> Some (OneOf (v, (Integer.sub c.threshold v)))
   | KZero ->
     Some (AllOf (Integer.zero,
       (Integer.sub (Integer.of_positive Integer.XH) v), Integer.zero))
   | KImplied -> Some (Numbers (Integer.of_positive (Integer.XO Integer.XH)))
   | KLevels ->
     (match get q.main_cell needs with
      | Some l ->
        (match find (fun r -> Pos.eqb r.by_attacker q.asked_by) l with
         | Some r -> Some (AllOf (r.lower, r.upper, (sliding_of p r)))
         | None -> None)
      | None -> None)
   | _ ->
     Some (AllOf (Integer.zero,
       (Integer.sub
         (Integer.add (Integer.of_positive Integer.XH) c.coalition) v),
       Integer.zero)))

(** val z_at_least : Integer.t option -> Integer.t -> bool **)

let z_at_least r n =
  match r with
  | Some m -> Integer.leq n m
  | None -> true

(** val z_both_at_least :
    Integer.t option -> Integer.t option -> Integer.t -> bool **)

let z_both_at_least r r' n =
  match r with
  | Some m ->
    (match r' with
     | Some m' -> Integer.leq n (Integer.add m m')
     | None -> true)
  | None -> true

(** val z_below : Integer.t option -> Integer.t -> bool **)

let z_below r n =
  match r with
  | Some m -> Integer.lt m n
  | None -> false

(** val z_both_below :
    Integer.t option -> Integer.t option -> Integer.t -> bool **)

let z_both_below r r' n =
  match r with
  | Some m ->
    (match r' with
     | Some m' -> Integer.lt (Integer.add m m') n
     | None -> false)
  | None -> false

(** val by_demand :
    kind -> bool -> demand -> Integer.t option -> Integer.t option ->
    Integer.t option -> Integer.t option -> Integer.t list -> (Integer.t ->
    Integer.t -> Integer.t) -> verdict **)

let by_demand k is_said d down up down_limit up_limit more left =
  if (&&) is_said (is_about_a_cell k)
  then Exposed
  else (match d with
        | AllOf (l, u, s) ->
          if (||) ((||) (z_below up_limit u) (z_below down_limit l))
               (z_both_below up_limit down_limit s)
          then Exposed
          else if (&&)
                    ((&&)
                      ((&&) (match k with
                             | KLevels -> true
                             | _ -> false) (Integer.equal l Integer.zero))
                      (Integer.equal u Integer.zero))
                    (Integer.equal s Integer.zero)
               then Unasked
               else if (&&) ((&&) (z_at_least up u) (z_at_least down l))
                         (z_both_at_least up down s)
                    then Protected
                    else Undecided
        | OneOf (l, u) ->
          if (||) (z_at_least down l) (z_at_least up u)
          then Protected
          else if (&&) (z_below down_limit l) (z_below up_limit u)
               then Exposed
               else Undecided
        | Numbers n ->
          if match down with
             | Some m ->
               (match up with
                | Some m' ->
                  Integer.leq n
                    (length_of
                      (distinct
                        (Integer.zero :: ((Integer.neg m) :: (m' :: more)))
                        []))
                | None -> true)
             | None -> true
          then Protected
          else (match down_limit with
                | Some m ->
                  (match up_limit with
                   | Some m' ->
                     if Integer.lt (left m m') n then Exposed else Undecided
                   | None -> Undecided)
                | None -> Undecided))

(** val numbers_shown :
    bench -> holes -> rooms -> (Integer.positive * Integer.t) list ->
    Integer.positive list -> Integer.t list option **)

let numbers_shown b hs rs f ws =
  fold_left (fun done0 n ->
    match done0 with
    | Some l ->
      (match reach_count b hs rs f (Integer.of_positive Integer.XH) (Some
               (false, n)) with
       | Some o -> (match o with
                    | Some m -> Some (m :: l)
                    | None -> None)
       | None -> None)
    | None -> None) ws (Some [])

(** val judge_question :
    problem -> counting -> bench -> evidence -> cases tree -> range tree ->
    requirement list tree -> holes -> rooms -> rooms -> question -> answer ->
    verdict option **)

let judge_question p c b e trees said0 needs hs rs snapped q a =
  let f = form q in
  (match demand_of p c needs q with
   | Some d ->
     (match reach_count b hs rs f (Integer.of_negative Integer.XH)
              a.c_low.c_shows with
      | Some down ->
        (match reach_count b hs rs f (Integer.of_positive Integer.XH)
                 a.c_high.c_shows with
         | Some up ->
           (match limit_count (truth p) e trees hs snapped f
                    (Integer.of_negative Integer.XH) a.c_low with
            | Some down_limit ->
              (match limit_count (truth p) e trees hs snapped f
                       (Integer.of_positive Integer.XH) a.c_high with
               | Some up_limit ->
                 (match numbers_shown b hs rs f a.others with
                  | Some more ->
                    let step1 =
                      Integer.max
                        (match down_limit with
                         | Some _ -> step_behind e a.c_low
                         | None -> Integer.of_positive Integer.XH)
                        (match up_limit with
                         | Some _ -> step_behind e a.c_high
                         | None -> Integer.of_positive Integer.XH)
                    in
                    Some
                    (by_demand q.kind_of (is_stated said0 q.main_cell) d down
                      up down_limit up_limit more (numbers_left hs f step1))
                  | None -> None)
               | None -> None)
            | None -> None)
         | None -> None)
      | None -> None)
   | None -> None)

(** val holes_of :
    problem -> (Integer.positive * Integer.t list) list -> holes -> holes
    option **)

let rec holes_of p l t =
  match l with
  | [] -> Some t
  | p0 :: rest ->
    let (i, ns) = p0 in
    (match get i t with
     | Some _ -> None
     | None ->
       if existsb (Integer.equal (truth p i)) ns
       then holes_of p rest
              (set i (map (fun n -> Integer.sub n (truth p i)) ns) t)
       else None)

(** val judge_questions :
    problem -> counting -> bench -> evidence -> cases tree -> range tree ->
    requirement list tree -> holes -> (rooms * rooms) tree ->
    Integer.positive -> question list -> answer list -> verdict list ->
    verdict list -> count_outcome **)

let rec judge_questions p c b e trees said0 needs hs all_rooms n qs ans found vs =
  match qs with
  | [] ->
    (match ans with
     | [] -> Both (vs, (rev' found))
     | _ :: _ -> OtherAnswers)
  | q :: qs' ->
    (match ans with
     | [] -> OtherAnswers
     | a :: ans' ->
       (match get q.asked_by all_rooms with
        | Some p0 ->
          let (rs, snapped) = p0 in
          (match judge_question p c b e trees said0 needs hs rs snapped q a with
           | Some v ->
             judge_questions p c b e trees said0 needs hs all_rooms
               (Pos.succ n) qs' ans' (v :: found) vs
           | None -> WrongAnswer n)
        | None -> OtherAnswers))

(** val evidence_of : bench -> count_certificate -> evidence **)

let evidence_of b c =
  { e_rows = b.its_rows; e_proofs = b.its_proofs; e_steps =
    (numbered Integer.XH c.c_steps Leaf); e_chains =
    (numbered Integer.XH c.c_chains Leaf) }

(** val check_counts :
    problem -> counting -> count_certificate -> count_outcome **)

let check_counts p c c0 =
  let b = bench_of p.equations c0.base in
  (match check_ranges_on p b c0.base with
   | Judged vs ->
     let told = told_counts p c in
     if negb (is_true p told)
     then Neither Untrue
     else (match holes_of p c.among Leaf with
           | Some hs ->
             let first = tell p told Leaf in
             let rooms_for = fun known ->
               let rs = learn p known first in
               (rs, (snap_all hs (quick_map fst c.among) rs))
             in
             judge_questions p c b (evidence_of b c0)
               (numbered Integer.XH c0.c_trees Leaf)
               (gather
                 (quick_map (fun e -> ((fst e), (said (snd e)))) p.release)
                 Leaf) (by_cell p.requirements) hs
               (map_tree rooms_for p.attackers) Integer.XH c.questions
               c0.answers [] vs
           | None -> FalseNumbers)
   | Refused why -> Neither why)

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

(** val mark : role -> Integer.positive list -> roles -> roles **)

let rec mark what ids t =
  match ids with
  | [] -> t
  | i :: rest -> mark what rest (set i what t)

(** val roles_of : choice -> roles **)

let roles_of d =
  mark Hidden d.always (mark Open (map fst d.open0) Leaf)

(** val entries_of :
    Integer.t tree -> (Integer.positive -> Integer.positive) -> sum0 -> sum0 **)

let rec entries_of t name more =
  match t with
  | Leaf -> more
  | Node (l, o, r) ->
    let right = entries_of r (fun i -> name (Integer.XI i)) more in
    let here =
      match o with
      | Some v ->
        if Integer.equal v Integer.zero
        then right
        else ((name Integer.XH), v) :: right
      | None -> right
    in
    entries_of l (fun i -> name (Integer.XO i)) here

(** val listed : Integer.t tree -> sum0 **)

let listed t =
  entries_of t (fun i -> i) []

type inequality = sum0 * Integer.t

type known_so_far = { leaders : Integer.positive tree; decided : bool tree;
                      rows_so_far : inequality tree;
                      next_row : Integer.positive; last_row : inequality }

(** val leader :
    Integer.positive tree -> Integer.positive -> Integer.positive **)

let leader t i =
  match get i t with
  | Some j -> j
  | None -> i

(** val gathered :
    Integer.positive tree -> bool tree -> sum0 -> Integer.t tree -> Integer.t
    -> Integer.t tree * Integer.t **)

let rec gathered ls ds ts t b =
  match ts with
  | [] -> (t, b)
  | p :: rest ->
    let (i, c) = p in
    let j = leader ls i in
    (match get j ds with
     | Some b0 ->
       if b0
       then gathered ls ds rest t (Integer.sub b c)
       else gathered ls ds rest t b
     | None -> gathered ls ds rest (add0 j c t) b)

(** val negatives : sum0 -> Integer.t **)

let rec negatives = function
| [] -> Integer.zero
| p :: rest ->
  let (_, c) = p in Integer.add (Integer.min c Integer.zero) (negatives rest)

(** val capped_at : Integer.t -> sum0 -> sum0 **)

let rec capped_at m = function
| [] -> []
| p :: rest -> let (i, c) = p in (i, (Integer.min c m)) :: (capped_at m rest)

(** val reduced : known_so_far -> sum0 -> Integer.t -> inequality **)

let reduced k ts b =
  let (t, b') = gathered k.leaders k.decided ts Leaf b in
  let es = listed t in
  let m = Integer.sub b' (negatives es) in
  if Integer.leq m Integer.zero
  then ([], Integer.zero)
  else ((capped_at m es), b')

(** val others_of : roles -> Integer.positive -> sum0 -> sum0 option **)

let rec others_of rs h = function
| [] -> Some []
| p :: rest ->
  let (i, _) = p in
  (match others_of rs h rest with
   | Some more ->
     if Pos.eqb i h
     then Some more
     else (match get i rs with
           | Some r ->
             (match r with
              | Hidden -> None
              | Open -> Some ((i, (Integer.of_positive Integer.XH)) :: more))
           | None -> Some more)
   | None -> None)

(** val bridge_of :
    rows -> roles -> Integer.positive -> sum0 -> sum0 option **)

let bridge_of rws rs h g =
  match less rws g Leaf with
  | Some t ->
    (match get h rs with
     | Some r ->
       (match r with
        | Hidden -> None
        | Open ->
          if Integer.equal (at_ h t) Integer.zero
          then None
          else (match others_of rs h (listed t) with
                | Some others0 ->
                  Some ((h, (Integer.of_negative Integer.XH)) :: others0)
                | None -> None))
     | None -> None)
  | None -> None

(** val tied : rows -> roles -> tie -> bool **)

let tied rws rs t =
  match bridge_of rws rs t.its_cell_ t.its_sum with
  | Some s ->
    (match s with
     | [] -> false
     | _ :: l ->
       (match l with
        | [] -> false
        | p0 :: l0 ->
          let (i, _) = p0 in
          (match l0 with
           | [] ->
             (match bridge_of rws rs t.its_leader t.its_sum with
              | Some s0 ->
                (match s0 with
                 | [] -> false
                 | _ :: l1 ->
                   (match l1 with
                    | [] -> false
                    | p2 :: l2 ->
                      let (j, _) = p2 in
                      (match l2 with
                       | [] ->
                         (&&) (Pos.eqb i t.its_leader) (Pos.eqb j t.its_cell_)
                       | _ :: _ -> false)))
              | None -> false)
           | _ :: _ -> false)))
  | None -> false

type amount =
| Nothing
| Given of Integer.t
| Counts of Integer.t
| Endless
| Wrong_

(** val amount_of :
    roles -> rooms -> Integer.positive -> Integer.t -> amount **)

let amount_of rs room0 i v =
  match get i rs with
  | Some r ->
    (match r with
     | Hidden ->
       (match most_one v (room room0 i) with
        | Some a -> Given (Integer.max Integer.zero a)
        | None -> Wrong_)
     | Open ->
       (match most_one v (room room0 i) with
        | Some a -> Counts (Integer.max Integer.zero a)
        | None -> Endless))
  | None -> Nothing

type shares = (Integer.t * sum0) * Integer.positive list

(** val shares_of :
    roles -> rooms -> sum0 -> Integer.t -> shares -> shares option **)

let rec shares_of rs room0 ts factor so_far =
  match ts with
  | [] -> Some so_far
  | p :: rest ->
    let (i, v) = p in
    let (p0, endless) = so_far in
    let (given, counted) = p0 in
    (match amount_of rs room0 i v with
     | Nothing -> shares_of rs room0 rest factor so_far
     | Given a ->
       shares_of rs room0 rest factor
         (((Integer.add given (Integer.mul factor a)), counted), endless)
     | Counts a ->
       shares_of rs room0 rest factor ((given, ((i,
         (Integer.mul factor a)) :: counted)), endless)
     | Endless ->
       shares_of rs room0 rest factor ((given, counted), (i :: endless))
     | Wrong_ -> None)

(** val slopes :
    rows -> Integer.positive -> Integer.t -> fractions -> sum0 option **)

let slopes rws p sign g =
  if Integer.lt Integer.zero g.denominator
  then (match less rws g.entries
                (add0 p (Integer.mul sign g.denominator) Leaf) with
        | Some t -> Some (listed t)
        | None -> None)
  else None

(** val asked_of : shares -> Integer.t -> inequality **)

let asked_of s level =
  let (p, endless) = s in
  let (given, counted) = p in
  let asked = Integer.sub level given in
  if Integer.lt Integer.zero asked
  then ((app (map (fun i -> (i, asked)) endless) counted), asked)
  else ([], Integer.zero)

(** val need_of :
    problem -> rows -> roles -> rooms tree -> requirement tree -> needed ->
    inequality option **)

let need_of p rws rs all_rooms needs n =
  match get n.its_requirement needs with
  | Some r ->
    (match get r.by_attacker all_rooms with
     | Some room0 ->
       let p0 = r.about in
       let dh = n.high_proof.denominator in
       let dl = n.low_proof.denominator in
       (match n.its_side with
        | High ->
          (match slopes rws p0 (Integer.of_positive Integer.XH) n.high_proof with
           | Some ts ->
             (match shares_of rs room0 ts (Integer.of_positive Integer.XH)
                      ((Integer.zero, []), []) with
              | Some s -> Some (asked_of s (Integer.mul r.upper dh))
              | None -> None)
           | None -> None)
        | Low ->
          (match slopes rws p0 (Integer.of_negative Integer.XH) n.low_proof with
           | Some ts ->
             (match shares_of rs room0 ts (Integer.of_positive Integer.XH)
                      ((Integer.zero, []), []) with
              | Some s -> Some (asked_of s (Integer.mul r.lower dl))
              | None -> None)
           | None -> None)
        | HighAndLow ->
          (match slopes rws p0 (Integer.of_positive Integer.XH) n.high_proof with
           | Some hs ->
             (match slopes rws p0 (Integer.of_negative Integer.XH) n.low_proof with
              | Some ls ->
                (match shares_of rs room0 hs dl ((Integer.zero, []), []) with
                 | Some s ->
                   (match shares_of rs room0 ls dh s with
                    | Some s0 ->
                      Some
                        (asked_of s0
                          (Integer.mul (sliding_of p r) (Integer.mul dh dl)))
                    | None -> None)
                 | None -> None)
              | None -> None)
           | None -> None))
     | None -> None)
  | None -> None

(** val ceiling : Integer.t -> Integer.t -> Integer.t **)

let ceiling a d =
  Integer.neg (Integer.div (Integer.neg a) d)

(** val added :
    known_so_far -> Integer.t -> sum0 -> Integer.t tree -> Integer.t ->
    (Integer.t tree * Integer.t) option **)

let rec added k factor ss t b =
  match ss with
  | [] -> Some (t, b)
  | p :: rest ->
    let (n, v) = p in
    (match get n k.rows_so_far with
     | Some row ->
       if Integer.leq Integer.zero v
       then added k factor rest
              (add_terms (Integer.mul factor v) (fst row) t)
              (Integer.add b (Integer.mul v (snd row)))
       else None
     | None -> None)

(** val capped_by :
    Integer.positive tree -> sum0 -> Integer.t tree -> Integer.t ->
    (Integer.t tree * Integer.t) option **)

let rec capped_by ls caps t b =
  match caps with
  | [] -> Some (t, b)
  | p :: rest ->
    let (i, v) = p in
    if Integer.leq Integer.zero v
    then capped_by ls rest (add0 (leader ls i) (Integer.neg v) t)
           (Integer.sub b v)
    else None

(** val divided : Integer.t -> sum0 -> sum0 **)

let rec divided d = function
| [] -> []
| p :: rest -> let (i, c) = p in (i, (ceiling c d)) :: (divided d rest)

(** val sum_of :
    known_so_far -> sum0 -> sum0 -> Integer.t -> inequality option **)

let sum_of k ss caps d =
  if Integer.lt Integer.zero d
  then (match added k (Integer.of_positive Integer.XH) ss Leaf Integer.zero with
        | Some p ->
          let (t, b) = p in
          (match capped_by k.leaders caps t b with
           | Some p0 ->
             let (t0, b0) = p0 in
             Some (reduced k (divided d (listed t0)) (ceiling b0 d))
           | None -> None)
        | None -> None)
  else None

(** val led :
    Integer.positive tree -> sum0 -> Integer.t -> Integer.t tree -> Integer.t
    tree **)

let rec led ls ts factor t =
  match ts with
  | [] -> t
  | p :: rest ->
    let (i, c) = p in
    led ls rest factor (add0 (leader ls i) (Integer.mul factor c) t)

(** val least0 : bool tree -> sum0 -> Integer.t **)

let rec least0 ds = function
| [] -> Integer.zero
| p :: rest ->
  let (i, c) = p in
  Integer.add
    (match get i ds with
     | Some b -> if b then c else Integer.zero
     | None -> Integer.min c Integer.zero) (least0 ds rest)

(** val settle : Integer.t -> bool tree -> sum0 -> bool tree -> bool tree **)

let rec settle limit ds ts so_far =
  match ts with
  | [] -> so_far
  | p :: rest ->
    let (i, c) = p in
    settle limit ds rest
      (match get i ds with
       | Some _ -> so_far
       | None ->
         if Integer.lt limit (Integer.abs c)
         then set i (Integer.lt c Integer.zero) so_far
         else so_far)

(** val rest_of :
    known_so_far -> bool tree -> sum0 -> combination -> (sum0 * Integer.t)
    option **)

let rest_of k ds about0 c =
  if Integer.leq Integer.zero c.times_weight
  then (match added k (Integer.of_negative Integer.XH) c.times_steps
                (led k.leaders about0 c.times_weight Leaf) Integer.zero with
        | Some p ->
          let (t, b) = p in
          let es = listed t in Some (es, (Integer.add b (least0 ds es)))
        | None -> None)
  else None

(** val closed :
    known_so_far -> sum0 -> Integer.t -> bool tree -> cases_of -> bool **)

let rec closed k about0 at_least0 ds = function
| Closed c ->
  (match rest_of k ds about0 c with
   | Some p ->
     let (_, base0) = p in
     Integer.lt
       (Integer.mul c.times_weight
         (Integer.sub at_least0 (Integer.of_positive Integer.XH))) base0
   | None -> false)
| Settled (c, rest) ->
  (match rest_of k ds about0 c with
   | Some p ->
     let (es, base0) = p in
     closed k about0 at_least0
       (settle
         (Integer.sub
           (Integer.mul c.times_weight
             (Integer.sub at_least0 (Integer.of_positive Integer.XH))) base0)
         ds es ds) rest
   | None -> false)
| Split (i, published, hidden) ->
  (&&) (closed k about0 at_least0 (set i false ds) published)
    (closed k about0 at_least0 (set i true ds) hidden)

(** val lesson : inequality -> bool tree -> bool tree **)

let lesson row ds =
  let (s, b) = row in
  (match s with
   | [] -> ds
   | p :: l ->
     let (i, c) = p in
     (match l with
      | [] ->
        if (&&) (Integer.lt Integer.zero b) (Integer.lt Integer.zero c)
        then set i true ds
        else if (&&) (Integer.equal b Integer.zero)
                  (Integer.lt c Integer.zero)
             then set i false ds
             else ds
      | _ :: _ -> ds))

(** val learned : known_so_far -> inequality -> known_so_far **)

let learned k row =
  { leaders = k.leaders; decided = (lesson row k.decided); rows_so_far =
    (set k.next_row row k.rows_so_far); next_row = (Pos.succ k.next_row);
    last_row = row }

(** val row_of :
    problem -> choice -> rooms tree -> known_so_far -> step0 -> inequality
    option **)

let row_of p d =
  let rws = numbered Integer.XH p.equations Leaf in
  let rs = roles_of d in
  let needs = numbered Integer.XH p.requirements Leaf in
  (fun all_rooms k s ->
  match s with
  | ByNeed n ->
    (match need_of p rws rs all_rooms needs n with
     | Some i -> let (ts, b) = i in Some (reduced k ts b)
     | None -> None)
  | Bridgeless (h, g) ->
    (match bridge_of rws rs h g with
     | Some ts -> Some (reduced k ts Integer.zero)
     | None -> None)
  | Added (ss, caps, d0) -> sum_of k ss caps d0
  | Tree (about0, at_least0, t) ->
    if closed k about0 at_least0 k.decided t
    then Some (reduced k about0 at_least0)
    else None)

(** val run_steps :
    problem -> choice -> rooms tree -> Integer.positive -> step0 list ->
    known_so_far -> (known_so_far, Integer.positive) sum **)

let rec run_steps p d all_rooms n ss k =
  match ss with
  | [] -> Inl k
  | s :: rest ->
    (match row_of p d all_rooms k s with
     | Some row -> run_steps p d all_rooms (Pos.succ n) rest (learned k row)
     | None -> Inr n)

(** val run_ties :
    rows -> roles -> Integer.positive -> tie list -> Integer.positive tree ->
    (Integer.positive tree, Integer.positive) sum **)

let rec run_ties rws rs n ts ls =
  match ts with
  | [] -> Inl ls
  | t :: rest ->
    if (&&)
         ((&&) (tied rws rs t)
           (Pos.eqb (leader ls t.its_leader) t.its_leader))
         (negb (Pos.eqb t.its_cell_ t.its_leader))
    then run_ties rws rs (Pos.succ n) rest (set t.its_cell_ t.its_leader ls)
    else Inr n

(** val left_of :
    known_so_far -> sum0 -> Integer.t tree -> Integer.t -> Integer.t
    tree * Integer.t **)

let rec left_of k ws t claim0 =
  match ws with
  | [] -> (t, claim0)
  | p :: rest ->
    let (i, w) = p in
    (match get (leader k.leaders i) k.decided with
     | Some b ->
       if b
       then left_of k rest t (Integer.sub claim0 w)
       else left_of k rest (add0 (leader k.leaders i) w t) claim0
     | None -> left_of k rest (add0 (leader k.leaders i) w t) claim0)

(** val none_negative : Integer.t tree -> bool **)

let rec none_negative = function
| Leaf -> true
| Node (l, o, r) ->
  (&&) ((&&) (Integer.leq Integer.zero (own o)) (none_negative l))
    (none_negative r)

(** val attacker_rooms :
    problem -> knowledge -> knowledge tree -> rooms tree **)

let rec attacker_rooms p told = function
| Leaf -> Leaf
| Node (l, o, r) ->
  Node ((attacker_rooms p told l),
    (match o with
     | Some known -> Some (rooms_of p told known)
     | None -> None), (attacker_rooms p told r))

(** val bound_of_log : problem -> choice -> bound_log -> bound_answer **)

let bound_of_log p d log =
  let rws = numbered Integer.XH p.equations Leaf in
  let rs = roles_of d in
  let told =
    told_by (map (fun i -> (i, Withheld)) (app d.always (map fst d.open0)))
  in
  if (&&)
       ((&&)
         ((&&)
           ((&&) ((&&) (adds_up p) (all cell_is_sane p.cells))
             (is_true p told)) (all (is_true p) p.attackers))
         (forallb (fun r ->
           match get r.about rs with
           | Some r0 -> (match r0 with
                         | Hidden -> true
                         | Open -> false)
           | None -> false) p.requirements))
       (forallb (fun e -> Integer.leq Integer.zero (snd e)) d.open0)
  then (match run_ties rws rs Integer.XH log.ties Leaf with
        | Inl ls ->
          (match run_steps p d (attacker_rooms p told p.attackers) Integer.XH
                   log.steps { leaders = ls; decided = Leaf; rows_so_far =
                   Leaf; next_row = Integer.XH; last_row = ([],
                   Integer.zero) } with
           | Inl k ->
             let (t, c) = left_of k d.open0 Leaf log.claim in
             if (&&) (Integer.leq c Integer.zero) (none_negative t)
             then AtLeast log.claim
             else if (&&) (Integer.leq c (snd k.last_row))
                       (none_negative
                         (add_terms (Integer.of_negative Integer.XH)
                           (fst k.last_row) t))
                  then AtLeast log.claim
                  else WrongClaim
           | Inr n -> WrongStep n)
        | Inr n -> WrongTie n)
  else WrongTable

(** val off : bool -> Integer.t -> Integer.t **)

let off squared z0 =
  if squared then Integer.mul z0 z0 else Integer.abs z0

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

(** val paid_of :
    roles -> Integer.positive -> Integer.t -> purse -> Integer.t **)

let paid_of rs i v p =
  match get i rs with
  | Some r ->
    (match r with
     | Hidden -> Integer.zero
     | Open ->
       Integer.max Integer.zero
         (Integer.min (Integer.abs v)
           (at_ i (if Integer.lt Integer.zero v then p.ups else p.downs))))
  | None -> Integer.zero

(** val pay_one :
    roles -> rooms -> Integer.positive -> Integer.t -> purse -> purse option **)

let pay_one rs room0 i v p =
  match get i rs with
  | Some _ ->
    let paid = paid_of rs i v p in
    let rest =
      if Integer.lt Integer.zero v
      then Integer.sub v paid
      else Integer.add v paid
    in
    (match most_one rest (room room0 i) with
     | Some charge ->
       Some
         (if Integer.lt Integer.zero v
          then { ups = (add0 i (Integer.neg paid) p.ups); downs = p.downs;
                 gained = (Integer.sub p.gained charge) }
          else { ups = p.ups; downs = (add0 i (Integer.neg paid) p.downs);
                 gained = (Integer.sub p.gained charge) })
     | None -> None)
  | None -> Some p

(** val pay : roles -> rooms -> sum0 -> purse -> purse option **)

let rec pay rs room0 ts p =
  match ts with
  | [] -> Some p
  | p0 :: rest ->
    let (i, v) = p0 in
    (match pay_one rs room0 i v p with
     | Some p' -> pay rs room0 rest p'
     | None -> None)

(** val worth_of_need :
    problem -> requirement -> Integer.t -> Integer.t -> Integer.t **)

let worth_of_need p r d e =
  Integer.add (Integer.add (Integer.mul d r.upper) (Integer.mul e r.lower))
    (Integer.mul (Integer.min d e)
      (Integer.max Integer.zero
        (Integer.sub (Integer.sub (sliding_of p r) r.upper) r.lower)))

(** val gain : Integer.t -> purse -> purse **)

let gain n p =
  { ups = p.ups; downs = p.downs; gained = (Integer.add p.gained n) }

(** val pay_need :
    problem -> rows -> roles -> rooms tree -> requirement tree -> needed ->
    purse -> purse option **)

let pay_need p rws rs all_rooms needs n p0 =
  match get n.its_requirement needs with
  | Some r ->
    (match get r.by_attacker all_rooms with
     | Some room0 ->
       let d = n.high_proof.denominator in
       let e = n.low_proof.denominator in
       let high0 = fun p1 ->
         match slopes rws r.about (Integer.of_positive Integer.XH)
                 n.high_proof with
         | Some ts -> pay rs room0 ts p1
         | None -> None
       in
       let low0 = fun p1 ->
         match slopes rws r.about (Integer.of_negative Integer.XH) n.low_proof with
         | Some ts -> pay rs room0 ts p1
         | None -> None
       in
       (match n.its_side with
        | High -> high0 (gain (worth_of_need p r d Integer.zero) p0)
        | Low -> low0 (gain (worth_of_need p r Integer.zero e) p0)
        | HighAndLow ->
          (match high0 (gain (worth_of_need p r d e) p0) with
           | Some p' -> low0 p'
           | None -> None))
     | None -> None)
  | None -> None

(** val pay_needs :
    problem -> rows -> roles -> rooms tree -> requirement tree ->
    Integer.positive -> needed list -> purse -> (purse, Integer.positive) sum **)

let rec pay_needs p rws rs all_rooms needs n ns p0 =
  match ns with
  | [] -> Inl p0
  | m :: rest ->
    (match pay_need p rws rs all_rooms needs m p0 with
     | Some p' -> pay_needs p rws rs all_rooms needs (Pos.succ n) rest p'
     | None -> Inr n)

(** val bound_of_intervals :
    problem -> choice -> interval_log -> bound_answer **)

let bound_of_intervals p d log =
  let told =
    told_by (map (fun i -> (i, Withheld)) (app d.always (map fst d.open0)))
  in
  if (&&)
       ((&&)
         ((&&)
           ((&&) ((&&) (adds_up p) (all cell_is_sane p.cells))
             (is_true p told)) (all (is_true p) p.attackers))
         (forallb (fun e -> Integer.leq Integer.zero (snd e)) d.open0))
       (Integer.lt Integer.zero log.needs_weight)
  then let full = add_terms log.needs_weight d.open0 Leaf in
       (match pay_needs p (numbered Integer.XH p.equations Leaf) (roles_of d)
                (attacker_rooms p told p.attackers)
                (numbered Integer.XH p.requirements Leaf) Integer.XH
                log.its_needs { ups = full; downs = full; gained =
                Integer.zero } with
        | Inl p0 ->
          if (&&) ((&&) (none_negative p0.ups) (none_negative p0.downs))
               ((||) (Integer.leq log.needs_claim Integer.zero)
                 (Integer.lt
                   (Integer.mul log.needs_weight
                     (Integer.sub log.needs_claim (Integer.of_positive
                       Integer.XH))) p0.gained))
          then AtLeast log.needs_claim
          else WrongClaim
        | Inr n -> WrongStep n)
  else WrongTable

(** val price : bool -> Integer.t -> Integer.t -> Integer.t -> Integer.t **)

let price squared a c z0 =
  Integer.sub (Integer.mul a (off squared z0)) (Integer.mul c z0)

(** val cheaper : Integer.t option -> Integer.t -> Integer.t option **)

let cheaper o v =
  match o with
  | Some w -> Some (Integer.min w v)
  | None -> Some v

(** val least_of : Integer.t list -> Integer.t option **)

let least_of vs =
  fold_right (fun v o -> cheaper o v) None vs

(** val end_of :
    Integer.t option -> (Integer.t -> Integer.t) -> Integer.t list **)

let end_of o f =
  match o with
  | Some z0 -> (f z0) :: []
  | None -> []

(** val least_bent :
    bool -> Integer.t -> Integer.t -> range -> Integer.t option **)

let least_bent squared a c r =
  if (&&)
       (match fst r with
        | Some _ -> true
        | None -> Integer.leq (Integer.neg a) c)
       (match snd r with
        | Some _ -> true
        | None -> Integer.leq c a)
  then least_of
         (app (end_of (fst r) (price squared a c))
           (app (end_of (snd r) (price squared a c))
             (if holds_in r Integer.zero then Integer.zero :: [] else [])))
  else None

(** val least_curved : Integer.t -> Integer.t -> range -> Integer.t **)

let least_curved a c r =
  let turned =
    Integer.div (Integer.neg (Integer.mul c c))
      (Integer.mul (Integer.of_positive (Integer.XO (Integer.XO Integer.XH)))
        a)
  in
  (match fst r with
   | Some lo ->
     (match snd r with
      | Some hi ->
        if Integer.leq c
             (Integer.mul
               (Integer.mul (Integer.of_positive (Integer.XO Integer.XH)) a)
               lo)
        then price true a c lo
        else if Integer.leq
                  (Integer.mul
                    (Integer.mul (Integer.of_positive (Integer.XO
                      Integer.XH)) a) hi) c
             then price true a c hi
             else turned
      | None ->
        if Integer.leq c
             (Integer.mul
               (Integer.mul (Integer.of_positive (Integer.XO Integer.XH)) a)
               lo)
        then price true a c lo
        else turned)
   | None ->
     (match snd r with
      | Some hi ->
        if Integer.leq
             (Integer.mul
               (Integer.mul (Integer.of_positive (Integer.XO Integer.XH)) a)
               hi) c
        then price true a c hi
        else turned
      | None -> turned))

(** val least_in :
    bool -> Integer.t -> Integer.t -> range -> Integer.t option **)

let least_in squared a c r =
  if (&&) squared (negb (Integer.equal a Integer.zero))
  then Some (least_curved a c r)
  else least_bent squared a c r

type levels_of = (Integer.t * Integer.t) tree

(** val half : Integer.t -> Integer.t **)

let half s =
  ceiling s (Integer.of_positive (Integer.XO Integer.XH))

(** val joint : problem -> requirement list -> levels_of -> levels_of **)

let rec joint p rs t =
  match rs with
  | [] -> t
  | r :: rest ->
    let s = half (sliding_of p r) in
    let (d, u) =
      match get r.about t with
      | Some l -> l
      | None -> (Integer.zero, Integer.zero)
    in
    joint p rest
      (set r.about ((Integer.max d (Integer.max r.lower s)),
        (Integer.max u (Integer.max r.upper s))) t)

(** val is_empty : range -> bool **)

let is_empty = function
| (o, o0) ->
  (match o with
   | Some l -> (match o0 with
                | Some u -> Integer.lt u l
                | None -> false)
   | None -> false)

(** val least_of_pieces :
    bool -> Integer.t -> Integer.t -> range list -> Integer.t option ->
    Integer.t option option **)

let rec least_of_pieces squared a c rs so_far =
  match rs with
  | [] -> Some so_far
  | r :: rest ->
    if is_empty r
    then least_of_pieces squared a c rest so_far
    else (match least_in squared a c r with
          | Some m -> least_of_pieces squared a c rest (cheaper so_far m)
          | None -> None)

(** val pieces :
    range -> (Integer.t * Integer.t) option -> bool option -> range list **)

let pieces prior_ levels rises =
  match levels with
  | Some p ->
    let (d, u) = p in
    app
      (match rises with
       | Some b ->
         if b
         then []
         else ((fst prior_),
                (sooner (snd prior_) (Some (Integer.neg d)))) :: []
       | None ->
         ((fst prior_), (sooner (snd prior_) (Some (Integer.neg d)))) :: [])
      (match rises with
       | Some b ->
         if b then ((later (fst prior_) (Some u)), (snd prior_)) :: [] else []
       | None -> ((later (fst prior_) (Some u)), (snd prior_)) :: [])
  | None -> prior_ :: []

(** val least_of_cell :
    bool -> Integer.t -> Integer.t -> range -> (Integer.t * Integer.t) option
    -> bool option -> Integer.t option **)

let least_of_cell squared a c prior_ levels rises =
  match least_of_pieces squared a c (pieces prior_ levels rises) None with
  | Some o -> (match o with
               | Some m -> Some m
               | None -> Some Integer.zero)
  | None -> None

(** val taken_from :
    Integer.positive list -> Integer.t tree -> sum0 * Integer.t tree **)

let rec taken_from is left =
  match is with
  | [] -> ([], left)
  | i :: rest ->
    let w = at_ i left in
    let (ts, left') = taken_from rest (add0 i (Integer.neg w) left) in
    (((i, w) :: ts), left')

(** val sum_of_cells :
    problem -> levels_of -> bool tree -> bool -> Integer.t -> sum0 ->
    Integer.t tree -> Integer.t -> (Integer.t tree * Integer.t) option **)

let rec sum_of_cells p lv rises squared weight cs t total0 =
  match cs with
  | [] -> Some (t, total0)
  | p0 :: rest ->
    let (i, w) = p0 in
    let k = at_ i t in
    (match least_of_cell squared (Integer.mul weight w) (Integer.neg k)
             (shift (truth p i) (prior_of p i)) (get i lv) (get i rises) with
     | Some m ->
       sum_of_cells p lv rises squared weight rest (add0 i (Integer.neg k) t)
         (Integer.add total0 m)
     | None -> None)

(** val closes :
    problem -> rows -> roles -> levels_of -> bool -> sum0 -> Integer.t ->
    bool tree -> senses_of -> bool **)

let rec closes p rws rs lv squared cs at_least0 rises = function
| Leaf_ (weight, g) ->
  (&&) (Integer.lt Integer.zero weight)
    (match less rws g Leaf with
     | Some t ->
       (match sum_of_cells p lv rises squared weight cs t Integer.zero with
        | Some p0 ->
          let (t', total0) = p0 in
          (&&)
            (forallb (fun e ->
              match get (fst e) rs with
              | Some r -> (match r with
                           | Hidden -> true
                           | Open -> false)
              | None -> true) (listed t'))
            (Integer.leq (Integer.mul weight at_least0) total0)
        | None -> false)
     | None -> false)
| Sense (i, falls, rises_) ->
  (match get i lv with
   | Some _ ->
     (&&) (closes p rws rs lv squared cs at_least0 (set i false rises) falls)
       (closes p rws rs lv squared cs at_least0 (set i true rises) rises_)
   | None -> false)

(** val run_trees :
    problem -> rows -> roles -> levels_of -> bool -> Integer.positive ->
    table_tree list -> Integer.t tree -> Integer.t -> (Integer.t
    tree * Integer.t, Integer.positive) sum **)

let rec run_trees p rws rs lv squared n ts left total0 =
  match ts with
  | [] -> Inl (left, total0)
  | t :: rest ->
    let (cs, left') = taken_from t.tree_cells left in
    if (&&) (forallb (fun e -> Integer.leq Integer.zero (snd e)) cs)
         (closes p rws rs lv squared cs t.tree_least Leaf t.tree_senses)
    then run_trees p rws rs lv squared (Pos.succ n) rest left'
           (Integer.add total0 t.tree_least)
    else Inr n

(** val bound_of_tables : problem -> choice -> table_log -> bound_answer **)

let bound_of_tables p d log =
  if (&&)
       ((&&)
         ((&&)
           ((&&) ((&&) (adds_up p) (all cell_is_sane p.cells))
             (all (is_true p) p.attackers))
           (match d.always with
            | [] -> true
            | _ :: _ -> false))
         (forallb (fun r ->
           (&&) (Integer.leq Integer.zero r.lower)
             (Integer.leq Integer.zero r.upper)) p.requirements))
       (forallb (fun e -> Integer.leq Integer.zero (snd e)) d.open0)
  then (match run_trees p (numbered Integer.XH p.equations Leaf) (roles_of d)
                (joint p p.requirements Leaf) log.is_squared Integer.XH
                log.table_trees
                (add_terms (Integer.of_positive Integer.XH) d.open0 Leaf)
                Integer.zero with
        | Inl p0 ->
          let (over, total0) = p0 in
          if (&&) (none_negative over)
               ((||) (Integer.leq log.table_claim Integer.zero)
                 (Integer.leq log.table_claim total0))
          then AtLeast log.table_claim
          else WrongClaim
        | Inr n -> WrongStep n)
  else WrongTable
