class Runner(val task: Task) {
  fun go() = task(1)
  fun again() = go()
}
fun use(a: Grid, b: Grid, list: List<Grid>, block: () -> Unit) {
  var sum = a + b
  sum += a
  a[1, 2] = b[3]
  a[1] -= 2
  if (a in b && a < b || a == b) -a
  for ((x, y) in list) block()
  val (one, two, three) = a
  val held by a
  when (a) { in b -> 1 + 2 }
  make()(3)
}
