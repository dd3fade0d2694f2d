@file:JvmName("Users")

package com.acme.app

import com.acme.Other
import com.acme.Third as T
import java.util.*

/** How many. */
const val MAX = 10
var counter: Int = 0
  private set
val String.shout: String get() = uppercase()
typealias Handler<T> = (T) -> Unit

/** A user. */
@Serializable
data class User<T : Any>(val id: Int, private var name: String = "", plain: Int) : Base<T>(id), Runnable {
  constructor(x: String) : this(1, x, 2) {
    start()
  }

  init {
    val local = id
    println(local)
  }

  val full: String by lazy { name }
  lateinit var late: Other

  override fun run() {
    // fun notOne() {}
    this.name = "fun norThis() {}"
    late.go(MAX).then { it.x }
    val (a, b) = pair
    User(1, "a", 2)
  }

  fun <R> map(f: (T) -> R): R = f(x)

  companion object {
    const val A = 1
    fun create(): User<Any> = User(1, "x", 3)
  }

  inner class Inner {
    val z = 1
  }
}

enum class Color(val rgb: Int) : Named {
  RED(1) {
    override fun greet() = "red"
  },
  GREEN(2);

  fun mix() {}
}

interface Named {
  val name: String
  fun greet(): String
}

fun interface Op {
  fun apply(x: Int): Int
}

annotation class Ann(val v: String)

object Single : Named {
  override val name = "one"
  fun go() {
    fun inner() {}
    inner()
  }
}

sealed class Result {
  class Ok(val value: Int) : Result()
  data object None : Result()
}

class Owner {
  companion object Factory : Maker {
    fun make() = Owner()
  }
}

/** Twice. */
fun String.twice(times: Int = 1, vararg more: Int): String {
  for (i in 0..1) {
    val doubled = i
  }
  return when (times) {
    is Int -> this
    else -> other as String
  }
}

suspend inline fun <reified T> List<T>.each() = object : Runnable {
  val count = 1
  override fun run() {}
}

fun `odd name`() = ::main
