// What the grammar takes for something else.
package misread

interface Shape {
    fun area(): Int
}

class Lent(shape: Shape) : Shape by shape {
    override fun area() = 1
}

object Own : Shape by make(1) {
    fun more() = 2
}

val late by lazy { 1 }

context(scope: Shape)
fun around() = 3

class Soft(var inline: Boolean, var where: String?) {
    fun set() {
        inline = true
        where?.let { print(it) }
        val found = listOf(1) get inline
        if (!found.isEmpty(where)) return
    }

    fun judge(value: Any) = when (value) {
        is Soft if (
            value.inline
        ) -> 1
        else -> 2
    }

    fun text(name: String) = $$"{\"$name\": $$name}"
}
