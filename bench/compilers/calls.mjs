// Precision and recall of call edges against a compiler: pairs of a caller and a callee, both in the repository.
//
//   node calls.mjs --repo DIR --language typescript|python|go|java|c|cpp|rust|csharp|kotlin|php|elixir --codexmem PATH [--worst 20]
//
// Functions and methods of a file, a namespace or a class count, those of interfaces too; what stands in a function
// inside another one belongs to the outer one, a call outside of all functions to none. `new` and calls of a class
// are no calls of a function; overloads of Java and C++ are functions of their own, and in the line "overloads as one"
// one function. In C++ the line "constructors" counts the constructors besides that are called where their class is
// named. Macros of C are not functions. A pair counts once, however often it calls.
// codexmem's pairs are the uses of kind `call` that get_references gives of each function, attributed to the function
// around them. A pair that the compiler does not have is undecided when it does not know the name there, or when
// what is called there overrides or is overridden by the callee (an interface's method and those that satisfy it).
import { isTest } from "./oracles/files.mjs";
import { references, session, share } from "./oracles/session.mjs";

const { args, oracle, call, close } = await session("calls.mjs", { worst: { type: "string", default: "0" } });
const { callAt, calls, functions: list } = await oracle.callEdges();
const functions = new Map(list.map((f) => [f.key, f]));
const want = new Set();
for (const place of calls) {
  const { caller, targets } = callAt(place);
  if (caller) for (const callee of targets) if (functions.has(callee)) want.add(`${caller} ${callee}`);
}
const levels = ["resolved", "likely"];
const namesakes = new Map();  // a question by name alone would mean these, too: it says the line
for (const { file, name } of functions.values()) namesakes.set(`${file} ${name}`, (namesakes.get(`${file} ${name}`) ?? 0) + 1);
const got = new Map();  // pair -> surest confidence of what the compiler decides
for (const callee of functions.values()) {
  const symbol = [...callee.container, callee.name].join(".");
  const line = namesakes.get(`${callee.file} ${callee.name}`) > 1 ? { line: callee.line } : {};
  for (const item of await references(call, { symbol, file_path: callee.file, ...line, include_definitions: false })) {
    if (item.kind !== "call" || !levels.includes(item.confidence)) continue;
    const at = callAt(`${item.file.path}:${item.line}:${item.column}`);
    if (!at?.caller) continue;
    const pair = `${at.caller} ${callee.key}`;
    if (!want.has(pair) && (!at.isKnown || at.related.includes(callee.key))) continue;
    if (got.get(pair) !== "resolved") got.set(pair, item.confidence);
  }
}
// Overloads of a class as one function: their first stands for them.
const firsts = new Map();
for (const { file, container, name, key } of list) {
  const id = [file, ...container, name].join(" ");
  if (!firsts.has(id)) firsts.set(id, key);
}
const first = (key) => { const f = functions.get(key); return f ? firsts.get([f.file, ...f.container, f.name].join(" ")) : key; };
const asOne = (pair) => pair.split(" ").map(first).join(" ");
const isOfTests = (pair) => isTest(pair.split(":")[0]);
const print = (title, wanted, all) => {
  for (const confidences of [["resolved"], levels]) {
    const said = new Set([...all].filter(([, confidence]) => confidences.includes(confidence)).map(([pair]) => pair));
    const right = [...said].filter((pair) => wanted.has(pair)).length;
    console.log(`${title.padEnd(17)} ${confidences.join("+").padEnd(16)} ${wanted.size} pairs, ${right} found, ${said.size - right} wrong: ` +
      `precision ${share(right, said.size)}, recall ${share(right, wanted.size)}`);
  }
};
const outside = (pair) => !isOfTests(pair);
const isPlain = (pair) => functions.get(pair.split(" ")[1]).kind !== "constructor";
if (args.language === "cpp") {
  print("constructors", want, got);
  for (const pair of [...want].filter((pair) => !isPlain(pair))) want.delete(pair);
  for (const pair of [...got.keys()].filter((pair) => !isPlain(pair))) got.delete(pair);
}
print("all callers", want, got);
print("without tests", new Set([...want].filter(outside)), [...got].filter(([pair]) => outside(pair)));
if (["java", "cpp", "csharp", "kotlin"].includes(args.language)) print("overloads as one", new Set([...want].map(asOne)), [...got].map(([pair, confidence]) => [asOne(pair), confidence]));
const name = (key) => (functions.get(key) ? `${[...functions.get(key).container, functions.get(key).name].join(".")} ${key}` : key);
const show = (what, pairs) => { for (const pair of pairs.slice(0, Number(args.worst))) console.log(`${what} ${pair.split(" ").map(name).join(" -> ")}`); };
show("wrong ", [...got.keys()].filter((pair) => !want.has(pair)));
show("missed", [...want].filter((pair) => !got.has(pair)));
close();
process.exit(0);
