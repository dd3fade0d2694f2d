package a

class Before {
  def kept: Int = 1
}

class Damaged extends {
  val field: =
  def half( {
    this.
}

object After { def after() = new Before( }
