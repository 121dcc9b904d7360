(* SPDX-License-Identifier: Apache-2.0 *)
(* Whole numbers of any size, as the extracted checker calls them: those of Zarith. That these do what
   Z.add and the others do in Coq is trusted, not proven. *)
type t = Z.t

(* The digits of a number above 0, the last one outside: numbers of cells and of equations. *)
type positive = XI of positive | XO of positive | XH

let rec of_positive = function
  | XH -> Z.one
  | XO p -> Z.shift_left (of_positive p) 1
  | XI p -> Z.succ (Z.shift_left (of_positive p) 1)
let of_negative p = Z.neg (of_positive p)

let zero = Z.zero
let add = Z.add
let sub = Z.sub
let mul = Z.mul
let neg = Z.neg
let abs = Z.abs
let div a b = if Z.equal b Z.zero then Z.zero else Z.fdiv a b  (* rounded down, as in Coq *)
let leq = Z.leq
let lt = Z.lt
let equal = Z.equal
let max = Z.max
let min = Z.min
let text = Z.to_string  (* for messages *)
