interface Callable<T extends Base = Plain> {
  (key: string): T;
  new (size: number): Callable<T>;
  [name: string]: T | undefined;
  field: T;
}
type Pair = [first: Left, second?: Right, ...rest: More[]];
type Shape = { a: A; "b-c"?: B; m(x: X): Y; get g(): G; [k: number]: Other; (): Made };
type Mapped = { readonly [K in keyof Shape]?: Wrapped<Shape[K]> };
type Picked = Shape["a"] | Shape[number] | null;
type Chosen<T> = T extends string ? A : B;
type Handler = (event: Event, ...more: string[]) => void;
type Maker = new (name: string) => Widget;
type Of = typeof config.server;
type Template = `a${string}`;
const nothing: any = make();
const tuple: readonly [Left, Right] = both();
const asConst = { key: 1 } as const;
const mixed = { ...base, key: new Thing(), [computed]: other, short, method() { return 1; }, get got(): G { return x; } };
const list = [new One(), new Two(), ...rest, null];
const called = build<Config>(first, "text", ...spread)[0].done;
const item = table["key"] ?? table[3] ?? table[index];
const fresh = new Box<Content>(1).open().lid;
const both2 = flag && new Yes();
const assigned = (target = new Target());
const tagged = sql`select`.rows;
class Service extends Base<Model> implements Has<Name>, Plain {
  private cache = new Map<string, Entry>();
  handler: Handler = (event) => event.target;
  constructor(readonly db: Db, private opts = defaults()) { super(); }
  get size(): number { return 1; }
  get inferred() { return this.cache; }
  set size(value: Size) {}
  async load(id: string) {
    if (!id) return null;
    return this.db.find(id);
  }
  *each() { yield new Entry(); yield* this.more(); }
  self(): this { return this; }
  is(x: unknown): x is Service { return x instanceof Service; }
}
function overload(this: Window, a: A, b?: B, c = new C(), { d, e: { f } }: D, ...g: G[]): Result;
function narrow(x: unknown, y: unknown) {
  if (x instanceof Left && y instanceof ns.Right) x.left(y);
  const z = x instanceof Left ? x.left : y;
  return x instanceof Left && x.left;
}
const { a, b: { c, d = new D() }, ...others } = source();
const [first, , { third }, ...tail] = await load();
for (const [key, { inner }] of entries) use(key, inner);
let late: Late;
"text".trim().length;
(5).toFixed();
[1].map(String);
const generic = await client.get<Body>("/").json();
class Made { static make() { return new this(); } }
const cast = <Target>value;
