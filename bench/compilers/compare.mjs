// Compares codexmem's definitions and references with what a compiler says of the same repository.
//
//   node compare.mjs --repo DIR --language typescript|python|go|java|c|cpp --codexmem PATH [--sample 20] [--seed 1] [--worst]
//
// Samples definitions from the compiler's own list (module and class level; tests and names bound by require()
// left out), asks it for every reference, and asks codexmem over MCP for the same symbol. A reference counts
// as (file, line). An answer that the compiler did not give is wrong when the compiler resolves the name there
// to something else, and undecided when it cannot resolve it (an untyped receiver, a module it does not find).
// Prints a row per symbol and the totals: definitions found, references right, wrong, undecided, missed.
// TypeScript and JavaScript: the language service of `typescript`. Python: the `pyright` language server. Go: go/types
// (go/). Java: javac (java/); the class path comes from Maven unless --class-path gives it.
// C and C++: clang (c/), with --database compile_commands.json.
import { references, session, share } from "./oracles/session.mjs";

// mulberry32: a small seeded generator, so that a sample can be drawn again.
function random(seed) {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = state;
    t = Math.imul(t ^ (t >>> 15), t | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
}

function sample(list, count, seed) {
  const next = random(seed);
  const pool = [...list];
  for (let i = pool.length - 1; i > 0; --i) {
    const j = Math.floor(next() * (i + 1));
    [pool[i], pool[j]] = [pool[j], pool[i]];
  }
  return pool.slice(0, count);
}

const { args, oracle, call, close } = await session("compare.mjs", {
  sample: { type: "string", default: "20" }, seed: { type: "string", default: "1" }, worst: { type: "boolean", default: false },
});
const total = { definitions: 0, found: 0, references: 0, right: 0, wrong: 0, undecided: 0, missed: 0 };
console.log("right wrong undecided missed def  symbol");
for (const definition of sample(oracle.definitions, Number(args.sample), Number(args.seed))) {
  const symbol = [...definition.container, definition.name].join(".");
  const want = await oracle.references(definition);
  const definedAt = await call("find_symbol", { symbol, file_path: definition.file });
  const found = (definedAt.results ?? []).some((r) => r.file.path === definition.file &&
    r.symbol.startLine <= definition.line && (r.symbol.nameLine ?? r.symbol.startLine) >= definition.line);
  const got = new Map();  // file:line -> item
  const ignored = [`${definition.file}:${definition.line}`];
  for (const item of await references(call, { symbol, file_path: definition.file })) {
    const place = `${item.file.path}:${item.line}`;
    if (item.type === "definition") ignored.push(place, `${item.file.path}:${item.nameLine}`);
    else got.set(place, item);
  }
  for (const place of ignored) { want.delete(place); got.delete(place); }
  const right = [...got.keys()].filter((x) => want.has(x));
  const wrong = [];
  const undecided = [];
  for (const [place, item] of got) {
    if (want.has(place)) continue;
    (await oracle.resolves(item.file.path, item.line, item.column, definition) ? wrong : undecided).push(place);
  }
  const missed = [...want].filter((x) => !got.has(x));
  total.definitions += 1;
  total.found += found ? 1 : 0;
  total.references += want.size;
  total.right += right.length;
  total.wrong += wrong.length;
  total.undecided += undecided.length;
  total.missed += missed.length;
  console.log(`${String(right.length).padStart(5)} ${String(wrong.length).padStart(5)} ${String(undecided.length).padStart(9)} ${String(missed.length).padStart(6)} ${found ? "yes" : " NO"}  ${symbol}  ${definition.file}:${definition.line}`);
  if (args.worst) {
    for (const x of wrong.slice(0, 5)) console.log(`        wrong  ${x}`);
    for (const x of undecided.slice(0, 5)) console.log(`        undecided ${x}`);
    for (const x of missed.slice(0, 5)) console.log(`        missed ${x}`);
  }
}
console.log(`${total.found}/${total.definitions} definitions; ${total.references} references: ${total.right} right, ${total.wrong} wrong, ${total.undecided} undecided, ${total.missed} missed; ` +
  `precision ${share(total.right, total.right + total.wrong)}, recall ${share(total.right, total.right + total.missed)}`);
close();
process.exit(0);
