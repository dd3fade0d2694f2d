(** Doc. *)
open Base
module M = Map.Make (String)
(** Max. *)
(* let not_one x = 1 *)
let text = "let nor_this x = 1"
(** Max. *)
let max_count = 10
let rec greet ?(n = 1) ~name x = let y = helper x in y ^ name
and other = function 0 -> 1 | n -> n
let (a, b) = (1, 2)
let () = print_endline "x"
let ( + ) a b = a
type 'a user = { name : string; mutable age : int } [@@deriving show]
type color = Red | Green of int and t2 = int
exception Bad of string
external cfn : int -> int = "cfn"
module Inner = struct
  let f x = x
  type t = int
end
module type S = sig
  val run : int -> int
  type t
  module N : sig end
end
module F (X : S) = struct include X end
class point x = object (self)
  inherit base
  val mutable pos = x
  method get = pos
  method private move d = self#get
end
let _ = M.find "x" (fun z -> z.name) ; r.age <- 2
