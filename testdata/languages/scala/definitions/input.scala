package com.acme
package app

import com.acme.{Other, Third => T}
import scala.collection.mutable._

/** Max. */
object Consts extends Base with Named {
  val Max = 10
  var (a, b) = (1, 2)
  lazy val lz: Int = 3
  private[this] def hidden(x: Int)(implicit y: Int): Int = x + y
  type Alias[T] = List[T]
  def apply[T](x: T): T = { def inner() = 1; val loc = 2; x }
  implicit class Rich(val s: String) extends AnyVal { def shout = s.toUpperCase }
}
/** A user. */
@deprecated
final case class User[T](id: Int, name: String = "")(implicit val ec: Foo) extends Base(id) with Named {
  def this(x: String) = this(1, x)
  override def run(): Unit = { name.call(Consts.Max); x.y = 2; new Foo(1); for (i <- xs; j = i) yield j; a match { case User(i, n) => i; case x: Foo => 1 } }
  // def notOne = 1
  val text = "def norThis = 1"
  val abstractVal: Int
  type T2
  val f = (x: Int) => x + 1
}
trait Named { def name: String; val z: Int = 1 }
sealed abstract class Abs
package object pkg { def pk = 1 }
enum Color(val rgb: Int) { case Red extends Color(1); case Green, Blue; def f = 1 }
extension (s: String) def ext(x: Int): Int = s.length + x
given intOrd: Ordering[Int] = ???
def top(x: Int): Int =
  val q = 1
  q + x
val topVal = 1
class A:
  def m(): Int =
    1
  end m
s"hi $name ${user.name}"
