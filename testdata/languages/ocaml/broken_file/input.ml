let before x = x

let damaged x = match x with
  | (1 ->

module After = struct let f x = before ( end
