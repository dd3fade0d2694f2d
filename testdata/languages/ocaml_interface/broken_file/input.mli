val before : int

type damaged = { name :

val after : int -> (
