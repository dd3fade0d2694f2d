class Box<T extends Base & Other, U> extends Parent<T> {
  List<? extends T> items;
  Map.Entry<String, Box<T, U>[]> entry;
  a.b.C<int[][]> full;
  static final int[] SIZES = new int[] {1, 2}, MORE[] = {};
  <R> R map(Fn<? super T, R> fn, T... rest) throws Failure { return fn.apply(rest[0]); }
  Box<T, U> self() { return this; }
  void values(Object o, boolean b) {
    var x = (Foo) o;
    x.a.b().c(1, 2).d();
    Foo[][] all = new Foo[2][3];
    all[0][1].bar();
    Box<Foo, Bar> box = b ? new Box<>(x) : new Box<Foo, Bar>(x) { };
    box.map(f -> f).go();
    Box.<Foo>of(x).go();
    (x = other).go();
    "text".length();
  }
}
