"""A small repository in five languages, and what a language server has to answer about it."""
import subprocess

FILES = {
    "ts/shape.ts": """/** Anything with an area. */
export interface Shape {
  area(): number;
}

export class Square implements Shape {
  constructor(private side: number) {}
  area(): number {
    return this.side * this.side;
  }
}

/** Adds up the areas. */
export function total(shapes: Shape[]): number {
  let sum = 0;
  for (const shape of shapes) sum += shape.area();
  return sum;
}
""",
    "ts/app.ts": """import { Square, total as add } from './shape';

const one = new Square(2);
export function run(): number {
  return add([one, new Square(3)]);
}
""",
    "py/store.py": '''class Store:
    """Keeps `things` <by name>, see [here](http://x)."""

    def put(self, name, value=0):
        self.last = name
        return self.check(name)

    def check(self, name):
        return bool(name)


class Cache(Store):
    def check(self, name):
        return len(name) > 1
''',
    "py/main.py": """from store import Cache, Store


def fill(store: Store, name):
    store.put(name, value=1)
    return store.check(name)


fill(Cache(), "a")
""",
    "go/go.mod": "module example.com/demo\n\ngo 1.21\n",
    "go/queue.go": """package demo

// Queue holds jobs.
type Queue struct{ jobs []string }

// Push adds a job.
func (q *Queue) Push(job string) int {
	q.jobs = append(q.jobs, job)
	return len(q.jobs)
}
""",
    "go/work.go": """package demo

func Work(names []string) int {
	q := &Queue{}
	for _, name := range names {
		q.Push(name)
	}
	return q.Push("last")
}
""",
    "java/src/demo/Base.java": """package demo;

public abstract class Base {
    public abstract int size();
    public int twice() { return size() * 2; }
}
""",
    "java/src/demo/Pile.java": """package demo;

public class Pile extends Base {
    private int count = 1;
    @Override
    public int size() { return count; }
    public static int measure(Base base) { return base.size() + new Pile().twice(); }
}
""",
    "c/util.h": "int clamp(int value, int most);\n",
    "c/util.c": """#include "util.h"

int clamp(int value, int most) {
  return value > most ? most : value;
}
""",
    "c/main.c": """#include "util.h"

int main(void) {
  return clamp(7, 3) + clamp(1, 2);
}
""",
    "lua/list.lua": """local function first(list)
  return list[1]
end

return { first = first }
""",
}

# Request, place asked about, places that are the answer.
PLACES = [
    ("definition", "ts/app.ts: return |add(", ["ts/shape.ts:export function |total"]),
    ("definition", "ts/app.ts:new |Square(2)", ["ts/shape.ts:class |Square"]),
    ("definition", "ts/app.ts:[o|ne, new", ["ts/app.ts:const |one"]),
    ("definition", "ts/shape.ts:sum += shape.ar|ea", ["ts/shape.ts:Shape {\n  |area"]),
    ("definition", "ts/shape.ts:return this.|side *", ["ts/shape.ts:private |side"]),
    ("definition", "ts/app.ts:'./sha|pe'", ["ts/shape.ts:|/** Anything"]),
    ("definition", "py/main.py:store.pu|t(", ["py/store.py:def |put"]),
    ("definition", "py/main.py:put(name|, value", ["py/main.py:store: Store, |name"]),
    ("definition", "py/store.py:self.last = |name", ["py/store.py:put(self, |name"]),
    ("definition", "go/work.go:q.Pu|sh(name)", ["go/queue.go:(q *Queue) |Push"]),
    ("definition", "go/work.go:&Qu|eue{}", ["go/queue.go:type |Queue"]),
    ("definition", "go/work.go:q.Push(na|me)", ["go/work.go:for _, |name"]),
    ("definition", "java/src/demo/Pile.java:new Pile().tw|ice", ["java/src/demo/Base.java:int |twice"]),
    ("definition", "java/src/demo/Pile.java:extends |Base", ["java/src/demo/Base.java:class |Base"]),
    ("definition", "c/main.c:return cla|mp(", ["c/util.c:int |clamp"]),
    ("declaration", "c/main.c:return cla|mp(", ["c/util.h:int |clamp"]),
    ("definition", "lua/list.lua:first = |first", ["lua/list.lua:function |first"]),
    ("typeDefinition", "ts/app.ts:[o|ne, new", ["ts/shape.ts:class |Square"]),
    ("typeDefinition", "py/main.py:stor|e.put", ["py/store.py:class |Store"]),
    ("typeDefinition", "go/work.go:\t\tq|.Push", ["go/queue.go:type |Queue"]),
    ("typeDefinition", "java/src/demo/Pile.java:return |base.size", ["java/src/demo/Base.java:class |Base"]),
    ("implementation", "ts/shape.ts:interface |Shape", ["ts/shape.ts:class |Square"]),
    ("implementation", "ts/shape.ts:Shape {\n  |area", ["ts/shape.ts:{}\n  |area"]),
    ("implementation", "py/store.py:(self, name, value=0):\n        self.last = name\n        return self.check(name)\n\n    def |check",
     ["py/store.py:class Cache(Store):\n    def |check"]),
    ("implementation", "java/src/demo/Base.java:abstract int |size", ["java/src/demo/Pile.java:int |size"]),
    ("references", "ts/shape.ts:function |total", ["ts/app.ts:{ Square, |total", "ts/app.ts:total as |add", "ts/app.ts:return |add"]),
    ("references", "ts/shape.ts:let |sum", ["ts/shape.ts:shapes) |sum", "ts/shape.ts:return |sum"]),
    ("references", "py/store.py:class |Store", ["py/store.py:Cache(|Store", "py/main.py:Cache, |Store", "py/main.py:store: |Store"]),
    ("references", "py/store.py:put(self, name, |value", ["py/main.py:name, |value=1"]),
    ("references", "go/queue.go:(q *Queue) |Push", ["go/work.go:q.|Push(name)", "go/work.go:q.|Push(\"last\")"]),
    ("references", "java/src/demo/Base.java:int |twice", ["java/src/demo/Pile.java:new Pile().|twice"]),
    ("references", "c/util.h:int |clamp", ["c/main.c:return |clamp", "c/main.c:+ |clamp"]),
]

# Place, and the names of the callers and callees of the function that is called there.
CALLS = [
    ("ts/shape.ts:function |total", ["run"], ["area"]),
    ("py/store.py:def |put", ["fill"], ["check"]),
    ("go/queue.go:(q *Queue) |Push", ["Work"], []),
    ("java/src/demo/Base.java:int |twice", ["measure"], ["size"]),
    ("c/util.c:int |clamp", ["main"], []),
]

# Place, and the names above and below the type.
TYPES = [
    ("ts/shape.ts:class |Square", ["Shape"], []),
    ("ts/shape.ts:interface |Shape", [], ["Square"]),
    ("py/store.py:class |Cache", ["Store"], []),
    ("java/src/demo/Base.java:class |Base", [], ["Pile"]),
]

# Place, new name, and the edits: each place of the old name.
RENAMES = [
    ("ts/shape.ts:function |total", "sumUp", ["ts/shape.ts:function |total", "ts/app.ts:{ Square, |total"]),
    ("ts/shape.ts:let |sum", "all", ["ts/shape.ts:let |sum", "ts/shape.ts:shapes) |sum", "ts/shape.ts:return |sum"]),
    ("py/main.py:fill(store: Store, |name", "label",
     ["py/main.py:Store, |name):", "py/main.py:put(|name, value", "py/main.py:store.check(|name"]),
    ("go/work.go:for _, |name", "each", ["go/work.go:for _, |name", "go/work.go:q.Push(|name"]),
    ("c/util.h:int |clamp", "limit", ["c/util.h:int |clamp", "c/util.c:int |clamp", "c/main.c:return |clamp", "c/main.c:+ |clamp"]),
]

# Place, new name, a word of the reason.
REFUSED = [
    ("ts/shape.ts:let |sum", "shapes", "shapes"),
    ("ts/shape.ts:let |sum", "1x", "name"),
    ("ts/shape.ts:let |sum", "for", "reserved"),
    ("lua/list.lua:function |first", "one", "spelling"),
    ("py/main.py:return store.check|(name", "put", "put"),
]

# Path, and its symbols: (name, those inside).
OUTLINES = [
    ("ts/shape.ts", [("Shape", [("area", [])]), ("Square", [("constructor", []), ("side", []), ("area", [])]), ("total", [])]),
    ("py/store.py", [("Store", [("put", []), ("last", []), ("check", [])]), ("Cache", [("check", [])])]),
    ("go/queue.go", [("Queue", [("jobs", [])]), ("Push", [])]),
    ("java/src/demo/Pile.java", [("Pile", [("count", []), ("size", []), ("measure", [])])]),
    ("c/util.c", [("clamp", [])]),
]


def write_repository(root):
    for path, text in FILES.items():
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_text(text)
    subprocess.run(["git", "init", "-q", root], check=True)
