(* SPDX-License-Identifier: Apache-2.0 *)
(* lacuna-proven FILE: judges the evidence of a file in the line format, or of standard input ("-").
   Exit codes are those of lacuna verify. *)
open Checker

let rec plain = function
  | Integer.XH -> 1
  | Integer.XO p -> 2 * plain p
  | Integer.XI p -> 2 * plain p + 1

let explain = function
  | NotAdditive -> "the table does not add up"
  | Untrue -> "something that is published or known does not contain the true value"
  | Mixed -> "the release has adjusted numbers beside others"
  | NotShown cell ->
    Printf.sprintf "cell %d has two numbers, or one outside what everyone knows" (plain cell - 1)
  | OtherFindings -> "the findings are not those of the requirements"
  | Wrong finding -> Printf.sprintf "the evidence of finding %d is wrong" (plain finding - 1)

let count wanted verdicts = List.length (List.filter (fun v -> v = wanted) verdicts)

let tally waived what verdicts =
  let exposed = count Exposed verdicts in
  let some word n = if n = 0 then "" else Printf.sprintf ", %s %d" word n in
  Printf.sprintf "%d %s, confirmed protected %d, confirmed exposed %d, undecided %d%s%s"
    (List.length verdicts) what (count Protected verdicts) (if waived then 0 else exposed)
    (count Undecided verdicts) (some "waived" (if waived then exposed else 0))
    (some "unasked" (count Unasked verdicts))

(* The worst of all, in the order exposed, undecided, waived, protected, unasked. *)
let report waived requirements questions =
  let all = List.rev_append requirements questions in
  let word, code = match overall all with
    | Exposed when not waived -> ("exposed", 2)
    | Exposed when count Undecided all > 0 -> ("undecided", 2)
    | Exposed -> ("waived", 6)
    | Undecided -> ("undecided", 2)
    | Protected -> ("protected", 0)
    | Unasked -> ("unasked", 5) in
  let about_counts =
    if questions = [] then "" else "; " ^ tally waived "questions about counts" questions in
  Printf.printf "%s: %s%s\n" word (tally waived "requirements" requirements) about_counts;
  code

let explain_bound = function
  | AtLeast _ -> ""
  | WrongTable -> "the bound is of a table that does not add up, or has negative weights"
  | WrongTie n -> Printf.sprintf "tie %d of the bound does not follow" (plain n - 1)
  | WrongStep n -> Printf.sprintf "step %d of the bound does not follow" (plain n - 1)
  | WrongClaim -> "the last step of the bound does not say what is claimed"

let answer_about problem choice = function
  | Lines.OfPattern log -> bound_of_log problem choice log
  | Lines.OfIntervals log -> bound_of_intervals problem choice log
  | Lines.OfTables log -> bound_of_tables problem choice log

(* The answer about the bound after that about the release; a wrong one refuses the file. *)
let with_bound refuse { Lines.problem; bound; _ } report =
  match bound with
  | None -> report ()
  | Some (choice, log) ->
    (match answer_about problem choice log with
     | AtLeast n ->
       let code = report () in
       Printf.printf "bound: at least %s\n" (Integer.text n);
       code
     | wrong -> refuse (explain_bound wrong))

let judge name channel =
  let refuse what = Printf.eprintf "lacuna-proven: %s: %s\n" name what; 1 in
  match Lines.read channel with
  | exception Tokens.Wrong (line, what) -> refuse (Printf.sprintf "line %d: %s" line what)
  | { Lines.problem; certificate; counts = None; waived; _ } as file ->
    (match check problem certificate with
     | Judged verdicts -> with_bound refuse file (fun () -> report waived verdicts [])
     | Refused why -> refuse (explain why))
  | { Lines.problem; counts = Some (counting, certificate); waived; _ } as file ->
    (match check_counts problem counting certificate with
     | Both (requirements, questions) ->
       with_bound refuse file (fun () -> report waived requirements questions)
     | Neither why -> refuse (explain why)
     | FalseNumbers -> refuse "the numbers that a cell can be lack the truth or are given twice"
     | OtherAnswers -> refuse "the answers are not those of the questions about counts"
     | WrongAnswer n -> refuse (Printf.sprintf "the evidence of answer %d is wrong" (plain n - 1)))

(* Whatever goes wrong, it is no verdict. *)
let () =
  exit (try match Sys.argv with
      | [| _; "-" |] -> judge "standard input" stdin
      | [| _; name |] ->
        (match open_in_bin name with
         | channel -> judge name channel
         | exception Sys_error what -> prerr_endline ("lacuna-proven: " ^ what); 1)
      | _ -> prerr_endline "usage: lacuna-proven FILE, or - for standard input (docs/proof.md)"; 1
    with
    | Stack_overflow | Out_of_memory -> prerr_endline "lacuna-proven: there is not enough memory"; 1)
