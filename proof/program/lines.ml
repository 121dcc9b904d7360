(* SPDX-License-Identifier: Apache-2.0 *)
(* The reader of the line format (docs/proof.md). It makes the values that the proven checker takes,
   judges nothing, and refuses what it does not know. *)
open Checker

(* What a log of a bound is about. *)
type log = OfPattern of bound_log | OfIntervals of interval_log | OfTables of table_log

type file = {
  problem : problem;
  certificate : certificate;
  counts : (counting * count_certificate) option;  (* of a table of counts *)
  waived : bool;
  bound : (choice * log) option;  (* the log of the bound *)
}

(* Numbers of cells and others, from 0 in the file, from 1 in the checker; they share their digits. *)
let numbers_up_to count =
  let made = Array.make (count + 2) Integer.XH in
  for n = 2 to count + 1 do
    let half = made.(n / 2) in
    made.(n) <- (if n land 1 = 0 then Integer.XO half else Integer.XI half)
  done;
  made

let index tokens numbers count what =
  let n = Tokens.count tokens in
  if n >= count then Tokens.wrong tokens (Printf.sprintf "there is no %s %d" what n);
  numbers.(n + 1)

let option tokens word read =
  let found = Tokens.word tokens in
  if found = "none" then None
  else if found = word then Some (read ())
  else Tokens.wrong tokens ("expected '" ^ word ^ "' or 'none', found '" ^ found ^ "'")

let choice tokens choices =
  let found = Tokens.word tokens in
  match List.assoc_opt found choices with
  | Some value -> value
  | None -> Tokens.wrong tokens ("'" ^ found ^ "' is not a word that belongs here")

let statement tokens =
  let number () = Tokens.number tokens in
  match Tokens.word tokens with
  | "withheld" -> Withheld
  | "interval" -> let l = number () in let u = number () in Interval (l, u)
  | "rounded" -> let v = number () in let b = number () in let s = number () in Rounded (v, b, s)
  | "altered" -> let v = number () in let l = number () in let u = number () in Altered (v, l, u)
  | "adjusted" -> Adjusted (number ())
  | other -> Tokens.wrong tokens ("'" ^ other ^ "' is no state of a cell")

(* The items 1, 2, ... of a list as a map. *)
let map_of numbers items =
  snd (List.fold_left (fun (n, map) item -> (n + 1, set numbers.(n) item map)) (1, Leaf) items)

(* What tables of counts are judged by, and what is asked of them. *)
let counts_of tokens cell attacker term among =
  Tokens.expect tokens "counts";
  let first = Tokens.word tokens in
  if first = "none" then None
  else begin
    let threshold = Tokens.number_of tokens first in
    let ambiguity = Tokens.number tokens in
    let coalition = Tokens.number tokens in
    let meaning_of_blanks =
      choice tokens ["any", AnyMeaning; "nonzero", NonzeroMeaning; "rule", RuleMeaning] in
    let zeros = choice tokens
        ["published", ZerosPublished; "sensitive", ZerosSensitive; "structural", ZerosStructural] in
    let marked what =
      Tokens.expect tokens what;
      List.fold_left (fun map i -> set i () map) Leaf (Tokens.list tokens cell) in
    let primaries = marked "primaries" in
    let unlisted = marked "unlisted" in
    Tokens.expect tokens "questions";
    let questions = Tokens.list tokens (fun () ->
        let kind_of = choice tokens ["exact", KExact; "small", KSmall; "zero", KZero; "all", KAll;
                                     "group", KGroup; "implied", KImplied; "levels", KLevels] in
        let asked_by = attacker () in
        let main_cell = cell () in
        { kind_of; asked_by; main_cell; form_of = Tokens.list tokens term }) in
    Some { threshold; ambiguity; coalition; meaning_of_blanks; zeros; primaries; unlisted; among;
           questions }
  end

type evidence_of_counts = { steps : step list; chains : line list list; trees : cases list }

(* Steps, chains and cases; `name` reads the number of a thing of which there are so many. *)
let evidence_of tokens sizes cell equation name multiples =
  let size n = List.nth sizes n in
  let counted wanted what read =
    Tokens.expect tokens what;
    let found = Tokens.list tokens read in
    if List.length found <> wanted then
      Tokens.wrong tokens ("another number of " ^ what ^ " than at the head");
    found in
  let steps = counted (size 5) "multiples" (fun () ->
      let q_of = Tokens.number tokens in { q_of; multiples = multiples () }) in
  let chains = counted (size 6) "passed" (fun () -> Tokens.list tokens (fun () ->
      let l_cell = cell () in
      let is_high = choice tokens ["high", true; "low", false] in
      let l_equation = equation () in
      { l_cell; is_high; l_equation; l_value = Tokens.number tokens })) in
  let named what n = option tokens what (fun () -> name what (size n)) in
  let leaf is_empty =
    let chain = named "chain" 6 in
    let proof = named "proof" 4 in
    End (is_empty, chain, proof, named "step" 5) in
  let rec tree () = match Tokens.word tokens with
    | "case" ->
      let i = cell () in
      let at = Tokens.number tokens in
      let low = tree () in
      Case (i, at, low, tree ())
    | "leaf" -> leaf false
    | "empty" -> leaf true
    | other -> Tokens.wrong tokens ("'" ^ other ^ "' begins no case") in
  { steps; chains; trees = counted (size 7) "cases" tree }

(* The bound: cells that are withheld in any case, those that need not be published as they are, and the
   steps, needs or trees. Numbers of steps are those of steps before. *)
let bound_of tokens cell equation requirement =
  let number () = Tokens.number tokens in
  let sum name () = Tokens.list tokens (fun () -> let i = name () in (i, number ())) in
  let section what read = Tokens.expect tokens what; Tokens.list tokens read in
  let always = Tokens.list tokens cell in
  let open_ = section "weights" (fun () -> let i = cell () in (i, number ())) in
  let nothing = { denominator = Integer.of_positive Integer.XH; entries = [] } in
  let proof () = let denominator = number () in { denominator; entries = sum equation () } in
  let need side =
    let its_requirement = requirement () in
    match side with
    | "high" -> { its_requirement; its_side = High; high_proof = proof (); low_proof = nothing }
    | "low" -> { its_requirement; its_side = Low; high_proof = nothing; low_proof = proof () }
    | "both" ->
      let high_proof = proof () in
      { its_requirement; its_side = HighAndLow; high_proof; low_proof = proof () }
    | other -> Tokens.wrong tokens ("'" ^ other ^ "' is no side") in
  let step names before =
    let earlier () = index tokens names before "step before this one" in
    let rec tree () =
      let combined () =
        let times_weight = number () in { times_weight; times_steps = sum earlier () } in
      match Tokens.word tokens with
      | "closed" -> Closed (combined ())
      | "settled" -> let by = combined () in Settled (by, tree ())
      | "case" -> let i = cell () in let published = tree () in Split (i, published, tree ())
      | other -> Tokens.wrong tokens ("'" ^ other ^ "' begins no case") in
    match Tokens.word tokens with
    | "high" | "low" | "both" as side -> ByNeed (need side)
    | "bridgeless" -> let h = cell () in Bridgeless (h, sum equation ())
    | "sum" ->
      let steps = sum earlier () in
      let capped = sum cell () in
      Added (steps, capped, number ())
    | "tree" ->
      let about = sum cell () in
      let at_least = number () in
      Tree (about, at_least, tree ())
    | other -> Tokens.wrong tokens ("'" ^ other ^ "' is no step") in
  let claimed () = Tokens.expect tokens "claim"; number () in
  let pattern () =
    let ties = Tokens.list tokens (fun () ->
        let its_cell_ = cell () in
        let its_leader = cell () in
        { its_cell_; its_leader; its_sum = sum equation () }) in
    Tokens.expect tokens "by";
    let count = Tokens.count tokens in
    let names = numbers_up_to count in
    let rec all n = if n = count then [] else let s = step names n in s :: all (n + 1) in
    let steps = all 0 in
    OfPattern { ties; steps; claim = claimed () } in
  let intervals () =
    let needs_weight = number () in
    let its_needs = Tokens.list tokens (fun () -> need (Tokens.word tokens)) in
    OfIntervals { needs_weight; its_needs; needs_claim = claimed () } in
  let rec senses () = match Tokens.word tokens with
    | "closed" -> let leaf_weight = number () in Leaf_ (leaf_weight, sum equation ())
    | "case" -> let i = cell () in let falls = senses () in Sense (i, falls, senses ())
    | other -> Tokens.wrong tokens ("'" ^ other ^ "' begins no case") in
  let tables () =
    let is_squared = choice tokens ["1", false; "2", true] in
    let table_trees = Tokens.list tokens (fun () ->
        Tokens.expect tokens "tree";
        let tree_cells = Tokens.list tokens cell in
        let tree_least = number () in
        { tree_cells; tree_least; tree_senses = senses () }) in
    OfTables { is_squared; table_trees; table_claim = claimed () } in
  let log = match Tokens.word tokens with
    | "ties" -> pattern ()
    | "intervals" -> intervals ()
    | "tables" -> tables ()
    | other -> Tokens.wrong tokens ("'" ^ other ^ "' is no kind of log") in
  ({ always; open0 = open_ }, log)

let read channel =
  let tokens = Tokens.of_channel channel in
  let number () = Tokens.number tokens in
  Tokens.expect tokens "lacuna-lines";
  Tokens.expect tokens "1";
  let sizes = List.map (fun what -> Tokens.expect tokens what; Tokens.count tokens)
      ["cells"; "equations"; "attackers"; "witnesses"; "proofs"; "steps"; "chains"; "trees"] in
  let numbers = numbers_up_to (List.fold_left max 0 sizes) in
  let size n = List.nth sizes n in
  let cell () = index tokens numbers (size 0) "cell" in
  let equation_number () = index tokens numbers (size 1) "equation" in
  let attacker () = index tokens numbers (size 2) "attacker" in
  let witness_number () = index tokens numbers (size 3) "witness" in
  let proof_number () = index tokens numbers (size 4) "proof" in
  let exactly wanted what items =
    if List.length items <> wanted then Tokens.wrong tokens ("another number of " ^ what ^ " than at the head");
    items in
  let term name () = let i = name () in (i, number ()) in
  let section what read = Tokens.expect tokens what; Tokens.list tokens read in
  let known () = let i = cell () in (i, Tokens.range tokens) in
  let cells = exactly (size 0) "cells" (section "values" (fun () ->
      let truth_of = number () in { truth_of; prior = Tokens.range tokens })) in
  let equations = exactly (size 1) "equations" (section "sums" (fun () ->
      let rhs = number () in { rhs; terms = Tokens.list tokens (term cell) })) in
  let attackers = exactly (size 2) "attackers" (section "knowledge" (fun () -> Tokens.list tokens known)) in
  let requirements = section "requirements" (fun () ->
      let about = cell () in
      let by_attacker = attacker () in
      let lower = number () in
      let upper = number () in
      { about; by_attacker; lower; upper; sliding = number () }) in
  Tokens.expect tokens "zeros";
  let zeros_are_meant = choice tokens ["raised", false; "meant", true] in
  let unit_of = number () in
  Tokens.expect tokens "waived";
  let waived = choice tokens ["nothing", false; "exposed", true] in
  let release = section "release" (fun () -> let i = cell () in (i, statement tokens)) in
  let among = section "among" (fun () -> let i = cell () in (i, Tokens.list tokens number)) in
  let counting = counts_of tokens cell attacker (term cell) among in
  let fractions name () =
    let denominator = number () in { denominator; entries = Tokens.list tokens (term name) } in
  let witnesses = exactly (size 3) "witnesses" (section "moves" (fractions cell)) in
  let proofs = exactly (size 4) "proofs" (section "multipliers" (fractions equation_number)) in
  let evidence = match counting with
    | None -> { steps = []; chains = []; trees = [] }
    | Some _ -> evidence_of tokens sizes cell equation_number
                  (fun what n -> index tokens numbers n what) (fractions equation_number) in
  let shown () = match Tokens.word tokens with
    | "none" -> None
    | "witness" -> Some (false, witness_number ())
    | "ray" -> Some (true, witness_number ())
    | other -> Tokens.wrong tokens ("'" ^ other ^ "' is neither witness nor ray nor none") in
  let end_of () = let shows = shown () in { shows; bounds = option tokens "proof" proof_number } in
  let findings = section "findings" (fun () ->
      let its_cell = cell () in
      let its_attacker = attacker () in
      let low = end_of () in
      { its_cell; its_attacker; low; high = end_of () }) in
  let count_end () =
    let c_shows = shown () in
    let named what n = option tokens what (fun () -> index tokens numbers (size n) what) in
    let c_chain = named "chain" 6 in
    let c_proof = named "proof" 4 in
    let c_step = named "step" 5 in
    { c_shows; c_chain; c_proof; c_step; c_tree = named "tree" 7 } in
  let answers () = section "answers" (fun () ->
      let c_low = count_end () in
      let c_high = count_end () in
      { c_low; c_high; others = Tokens.list tokens witness_number }) in
  let base = { witnesses; proofs; findings } in
  let counts = Option.map (fun counting ->
      (counting, { base; c_steps = evidence.steps; c_chains = evidence.chains; c_trees = evidence.trees;
                   answers = answers () })) counting in
  let needs = numbers_up_to (List.length requirements) in
  let last = Tokens.word tokens in
  let bound =
    if last <> "bound" then None
    else Some (bound_of tokens cell equation_number
                 (fun () -> index tokens needs (List.length requirements) "requirement")) in
  if bound <> None then Tokens.expect tokens "end"
  else if last <> "end" then Tokens.wrong tokens ("expected 'end', found '" ^ last ^ "'");
  Tokens.at_end tokens;
  { problem = { cells = map_of numbers cells; equations; attackers = map_of numbers attackers;
                release; requirements; zeros_are_meant; unit_of };
    certificate = base; counts; waived; bound }
