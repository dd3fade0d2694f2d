(** Words. *)

type t
type color = Red | Green of int
type 'a user = { name : string; age : int }

exception Bad of string

(** Greets. *)
val greet : string -> int -> string

val limit : int
(* val not_one : int *)

module type S = sig
  val run : int -> int
end

module M : S

class point : int -> object
  method get : int
end
