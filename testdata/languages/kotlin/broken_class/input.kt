package a

class Before {
  fun kept(): Int = 1
}

class Damaged : {
  val field: =
  fun half( {
    return this.
}

fun after() = Before(
