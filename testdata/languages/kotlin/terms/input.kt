package a.b

import x.Foo
import x.bar as baz
import x.z.*

class Person(val name: String, age: Int = 1, vararg more: Int) : Base(name), Runnable {
    private val length: Int get() = name.length
    val later by lazy { Foo() }

    fun greet(who: Person, loud: Boolean = false): String {
        val (first, second) = who.pair()
        for (number in more) println(number)
        if (who is Admin && loud) who.admin()
        return when (who) {
            is Admin -> who.admin()
            else -> "$first and ${second.text}"
        }
    }

    inner class Inner {
        fun outer() = this@Person.name
    }
}

class Hidden<T>
private constructor(val value: T) { fun get() = value }

fun String.twice(n: Int): String = this + this

val <T> List<T>.second: T get() = this[1]

typealias Handler<T> = suspend T.(Int) -> Unit

fun use(block: Person.(Int) -> Unit) = Person("x").apply { greet(this, loud = true) }.let { it.name }

fun calls() {
    use { n -> greet(this) }
    listOf(1).fold(0) { sum, item -> sum + item }
    `a name`(::ok, Person::greet, Foo::class)
    val made = object : Base("x"), Runnable {
        override fun run() {}
    }
    made?.run()!!
}
