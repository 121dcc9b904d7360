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

let tally verdicts =
  let count wanted = List.length (List.filter (fun v -> v = wanted) verdicts) in
  (count Protected, count Exposed, count Undecided, count Unasked)

let report waived verdicts =
  let is_protected, exposed, undecided, unasked = tally verdicts in
  let some word n = if n = 0 then "" else Printf.sprintf ", %s %d" word n in
  let word, code = match overall verdicts with
    | Exposed when not waived -> ("exposed", 2)
    | Exposed when undecided > 0 -> ("undecided", 2)
    | Exposed -> ("waived", 6)
    | Undecided -> ("undecided", 2)
    | Protected -> ("protected", 0)
    | Unasked -> ("unasked", 5) in
  Printf.printf "%s: %d requirements, confirmed protected %d, confirmed exposed %d, undecided %d%s%s\n"
    word (List.length verdicts) is_protected (if waived then 0 else exposed) undecided
    (some "waived" (if waived then exposed else 0)) (some "unasked" unasked);
  code

let judge name channel =
  let refuse what = Printf.eprintf "lacuna-proven: %s: %s\n" name what; 1 in
  match Lines.read channel with
  | exception Tokens.Wrong (line, what) -> refuse (Printf.sprintf "line %d: %s" line what)
  | file ->
    match check file.Lines.problem file.Lines.certificate with
    | Judged verdicts -> report file.Lines.waived verdicts
    | Refused why -> refuse (explain why)

let () =
  exit (match Sys.argv with
      | [| _; "-" |] -> judge "standard input" stdin
      | [| _; name |] ->
        (match open_in_bin name with
         | channel -> judge name channel
         | exception Sys_error what -> prerr_endline ("lacuna-proven: " ^ what); 1)
      | _ -> prerr_endline "usage: lacuna-proven FILE, or - for standard input (docs/proof.md)"; 1)
