(* SPDX-License-Identifier: Apache-2.0 *)
(* Words between blanks, with the number of the line for messages. *)
exception Wrong of int * string  (* line, what is wrong *)

type t = { channel : in_channel; word : Buffer.t; mutable line : int; mutable next : int }

let wrong tokens what = raise (Wrong (tokens.line, what))

let of_channel channel = { channel; word = Buffer.create 64; line = 1; next = 1 }

let word tokens =
  tokens.line <- tokens.next;
  let rec skip () =
    match input_char tokens.channel with
    | '\n' -> tokens.line <- tokens.line + 1; skip ()
    | ' ' -> skip ()
    | c -> c
    | exception End_of_file -> wrong tokens "the file ends too early" in
  let first = skip () in
  Buffer.clear tokens.word;
  Buffer.add_char tokens.word first;
  let rec fill () =
    match input_char tokens.channel with
    | '\n' -> tokens.line + 1
    | ' ' -> tokens.line
    | c -> Buffer.add_char tokens.word c; fill ()
    | exception End_of_file -> tokens.line in
  tokens.next <- fill ();
  Buffer.contents tokens.word

let expect tokens wanted =
  let found = word tokens in
  if found <> wanted then wrong tokens ("expected '" ^ wanted ^ "', found '" ^ found ^ "'")

let is_digits text from =
  let rec all i = i >= String.length text || (text.[i] >= '0' && text.[i] <= '9' && all (i + 1)) in
  String.length text > from && all from

(* A whole number: digits, with a minus sign before them or none. *)
let number_of tokens text =
  let from = if text.[0] = '-' then 1 else 0 in
  if not (is_digits text from) then wrong tokens ("'" ^ text ^ "' is no whole number");
  if String.length text < 18 then Z.of_int (int_of_string text) else Z.of_string text
let number tokens = number_of tokens (word tokens)

(* An end of a range; a minus sign alone: there is none. *)
let limit tokens =
  let text = word tokens in
  if text = "-" then None else Some (number_of tokens text)
let range tokens =
  let lower = limit tokens in
  (lower, limit tokens)

let count tokens =
  let text = word tokens in
  if not (is_digits text 0) || String.length text > 9 then
    wrong tokens ("'" ^ text ^ "' is no number of things");
  int_of_string text

(* One thing after the other, as many as the count before them says. *)
let list tokens read =
  let rec go left done_ = if left = 0 then List.rev done_ else go (left - 1) (read () :: done_) in
  go (count tokens) []

let at_end tokens =
  match word tokens with
  | found -> wrong tokens ("'" ^ found ^ "' after the end")
  | exception Wrong (_, _) -> ()
