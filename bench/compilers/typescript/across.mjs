// What TypeScript's language service says of references from one repository to definitions of another.
//
//   node --max-old-space-size=8000 across.mjs --root DIR [--types DIR] [--condition NAME ...] [--without REGEX]
//                                             [--unused 100] [--seed 7] > truth.jsonl
//
// The repositories lie side by side in DIR. Prints the truth that ../../across.py scores by: the definitions that
// another repository uses, and some that none does though it has their name. Needs `typescript` (npm install in
// bench/compilers). project.mjs says how imports are resolved; --types is a folder with the packages of others, and
// --condition names what exports of a manifest may ask for beside the usual. Definitions that are in question with one
// of these by name and file are printed, too, as not sampled.
//
// A use is an identifier that the checker resolves to the definition, also through an alias. Neither right nor wrong
// (`dontcare`) are what the language service counts with it and the checker does not (overriding members, keys of
// objects for its type), names in comments and strings, declarations, and identifiers of its name without a symbol.
import path from "node:path";
import { createRequire } from "node:module";
import { parseArgs } from "node:util";
import { openProject } from "./project.mjs";
import { definitionsOf } from "./definitions.mjs";
import { isTest } from "../oracles/files.mjs";

const { values: args } = parseArgs({ options: {
  root: { type: "string" }, types: { type: "string" }, condition: { type: "string", multiple: true, default: [] },
  without: { type: "string" }, unused: { type: "string", default: "100" }, seed: { type: "string", default: "7" },
} });
const ts = createRequire(import.meta.url)("typescript");
const root = path.resolve(args.root);
const begin = Date.now();
const log = (...words) => console.error(`${((Date.now() - begin) / 1000).toFixed(0)} s:`, ...words);

const { service, files } = openProject(ts, root, {
  without: args.without && new RegExp(args.without), types: args.types && path.resolve(args.types), conditions: args.condition,
});
const program = service.getProgram();
const checker = program.getTypeChecker();
const sources = program.getSourceFiles().filter((source) => files.has(source.fileName));
log(sources.length, "files");

const relative = (file) => path.relative(root, file).split(path.sep).join("/");
const repositoryOf = (file) => relative(file).split("/")[0];

function placeOf(node) {
  const source = node.getSourceFile();
  const { line, character } = source.getLineAndCharacterOfPosition(node.getStart(source));
  return [relative(source.fileName), line + 1, character + 1];
}

const unaliased = (symbol) => {
  if (!(symbol.flags & ts.SymbolFlags.Alias)) return symbol;
  try { return checker.getAliasedSymbol(symbol); } catch { return undefined; }
};

// What an identifier may mean; the checker throws on some code that is wrong.
function symbolsAt(node) {
  const { parent } = node;
  const found = [];
  try {
    found.push(checker.getSymbolAtLocation(node));
    if (ts.isShorthandPropertyAssignment(parent)) found.push(checker.getShorthandAssignmentValueSymbol(parent));
    if (ts.isExportSpecifier(parent)) found.push(checker.getExportSpecifierLocalTargetSymbol(parent));
    if (ts.isBindingElement(parent) && parent.name === node && !parent.propertyName && ts.isObjectBindingPattern(parent.parent)) {
      found.push(checker.getTypeAtLocation(parent.parent).getProperty(node.text));
    }
  } catch { /* what was found so far */ }
  const symbols = found.filter(Boolean);
  return [...symbols, ...symbols.map(unaliased).filter(Boolean)];
}

const isKnown = (symbol) => !checker.isUnknownSymbol(symbol) && (symbol.escapedName !== "unknown" || symbol.declarations?.length > 0);

function isDocumentation(node) {
  for (; node; node = node.parent) {
    if (node.kind >= ts.SyntaxKind.FirstJSDocNode && node.kind <= ts.SyntaxKind.LastJSDocNode) return true;
  }
  return false;
}

// The name of something that is declared there; an imported or exported name is a use.
function isDeclared(node) {
  const { parent } = node;
  if (parent.name !== node) return false;
  return ts.isFunctionLike(parent) || ts.isClassLike(parent) || ts.isInterfaceDeclaration(parent) || ts.isTypeAliasDeclaration(parent) ||
    ts.isEnumDeclaration(parent) || ts.isEnumMember(parent) || ts.isModuleDeclaration(parent) || ts.isVariableDeclaration(parent) ||
    ts.isPropertyDeclaration(parent) || ts.isPropertySignature(parent) || ts.isPropertyAssignment(parent);
}

// Uses by what is declared in another repository, and by names the repositories that have them and the identifiers
// that mean nothing.
const uses = new Map();
const holders = new Map();
const unresolved = new Map();
const into = (map, key, make) => map.get(key) ?? map.set(key, make()).get(key);
function readNames(node, own) {
  if ((ts.isIdentifier(node) || ts.isPrivateIdentifier(node)) && !isDocumentation(node)) {
    into(holders, node.text, () => new Set()).add(own);
    const symbols = symbolsAt(node);
    if (!symbols.some(isKnown)) into(unresolved, node.text, () => []).push(node);
    for (const declaration of new Set(symbols.flatMap((symbol) => symbol.declarations ?? []))) {
      const { fileName } = declaration.getSourceFile();
      if (files.has(fileName) && repositoryOf(fileName) !== own && !isDeclared(node)) into(uses, declaration, () => []).push(node);
    }
  }
  ts.forEachChild(node, (child) => readNames(child, own));
}
for (const source of sources) readNames(source, repositoryOf(source.fileName));
log("names are read");

const definitions = [];
const inFile = new Map();  // file and name to definitions
for (const source of sources) {
  for (const each of definitionsOf(ts, source)) {
    const symbols = [checker.getSymbolAtLocation(each.node), each.node.parent.symbol].filter(Boolean);
    const declarations = new Set(symbols.flatMap((s) => [s, unaliased(s)]).flatMap((s) => s?.declarations ?? []));
    const [file, line] = placeOf(each.node);
    const definition = { ...each, file, line, uses: [...new Set([...declarations].flatMap((d) => uses.get(d) ?? []))] };
    definitions.push(definition);
    into(inFile, `${file}\0${each.name}`, () => []).push(definition);
  }
}

// mulberry32: a small seeded generator, so that a sample can be drawn again.
let state = Number(args.seed) >>> 0;
function random() {
  state = (state + 0x6d2b79f5) >>> 0;
  let t = state;
  t = Math.imul(t ^ (t >>> 15), t | 1);
  t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
  return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
}

const asked = definitions.filter((each) => each.isAsked && each.name.length > 1 && each.name !== "constructor");
const used = asked.filter((each) => each.uses.length > 0);
const unused = asked.filter((each) => each.uses.length === 0 && !isTest(each.file) && (holders.get(each.name)?.size ?? 0) > 1)
  .map((each) => ({ each, order: random() })).sort((a, b) => a.order - b.order).slice(0, Number(args.unused)).map(({ each }) => each);
const sampled = new Set([...used, ...unused]);
const printed = new Set([...sampled, ...[...sampled].flatMap((each) => inFile.get(`${each.file}\0${each.name}`))]);
log(`${used.length} definitions that others use, ${unused.length} that they do not; ${printed.size} in all`);

// What the language service counts as a reference, in other repositories.
function serviceReferences(definition) {
  const source = definition.node.getSourceFile();
  let groups = [];
  try { groups = service.findReferences(source.fileName, definition.node.getStart(source)) ?? []; } catch (error) {
    log("not asked:", definition.file, definition.name, error.message);
  }
  return groups.flatMap((group) => group.references)
    .filter((each) => files.has(each.fileName) && repositoryOf(each.fileName) !== repositoryOf(source.fileName))
    .map((each) => ts.getTouchingPropertyName(program.getSourceFile(each.fileName), each.textSpan.start));
}

const names = new Map();
let count = 0, references = 0;
for (const each of printed) {
  const own = each.file.split("/")[0];
  const refs = new Map(each.uses.map((node) => [placeOf(node).join(":"), placeOf(node)]));
  const open = new Map();
  for (const node of [...serviceReferences(each), ...(unresolved.get(each.name) ?? [])]) {
    const place = placeOf(node);
    if (place[0].split("/")[0] !== own && !refs.has(place.join(":"))) open.set(place.join(":"), place);
  }
  const id = `${each.file}#${each.qualified}:${each.kind}`;
  names.set(id, (names.get(id) ?? 0) + 1);
  console.log(JSON.stringify({
    symbol_id: names.get(id) > 1 ? `${id}~${names.get(id)}` : id, name: each.name, kind: each.kind, path: each.file,
    line: each.line, sampled: sampled.has(each), refs: [...refs.values()], dontcare: [...open.values()],
  }));
  references += refs.size;
  if (++count % 50 === 0) log(count, "asked");
}
log(references, "references");
