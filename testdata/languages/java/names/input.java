package a.b;

import java.util.List;
import a.c.*;
import static a.c.Util.helper;
import static a.c.Util.*;

class Names extends Parent implements a.c.One, Two {
  int size, other[];
  Names(int size, String... rest) { super(size); this.size = size; helper(rest); }
  void run(Object o) {
    for (int i = 0; i < size; i++) { size(); }
    for (Names n : all) n.run(null);
    try (Res r = new Res(1)) { r.go(); } catch (E1 | E2 e) { e.stop(); }
    if (o instanceof Foo f && f.ok()) f.bar();
    Runnable q = new Runnable() { int n; public void run() { n++; Names.this.run(this); } };
    switch (kind) { case RED: break; case a.c.Kind.BLUE: default: }
    switch (o) { case Circle c -> c.x(); case Point(int px, var py) -> px++; default -> {} }
    outer: while (true) break outer;
    Two.super.go();
    class Local {}
    new Local();
  }
  enum Color { RED { void paint() {} }, GREEN(1); void paint() {} }
  record P(int x, Foo y) { P { check(x); } }
  @Ann(level = 1, names = {"a"}) @interface Level { int level() default 1; }
}
