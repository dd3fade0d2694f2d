interface Options { name: string; onDone(result: Result): void; nested: { deep: Deep }[] }
declare function start(options: Options, done?: (result: Result, more: More) => void): Runner;
start({ name: "a", onDone(result) { return result; }, nested: [{ deep: 1 }] }, (result, { part }) => part);
new Server({ port: 80 }, ...more);
const typed: Options = { name: "b", onDone: (r) => r.value, nested: [] };
const cast = { name: "c" } as Options;
const satisfied = { name: "d" } satisfies Options;
let later: Options;
later = { name: "e" };
this.x.y = { name: "f" };
function give(): Options { return { name: "g" }; }
async function giveLater(): Promise<Options> { return flag ? { name: "h" } : { name: "i" }; }
const arrow = (): Options => ({ name: "j" });
const takes = (o: Options = { name: "k" }) => o;
list.map((item) => ({ wrapped: item })).filter((w) => w.wrapped);
list.reduce((sum, item, index) => sum, new Sum());
promise.then(async (value) => { return { again: value }; }).catch((error) => error.message);
run(function (this: Ctx, a, b = new B(), ...c) { return () => a; });
const name = "l";
start({ name, ...spread, nested });
const { name: renamed, nested: [{ deep }] } = typed;
const untyped = { key: 1 };
class Field { options: Options = { name: "m", onDone: function (r) {} }; }
