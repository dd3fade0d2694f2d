// Compares codexmem's definitions and references with what a compiler says of the same repository.
//
//   node compare.mjs --repo DIR --language typescript|python --codexmem PATH [--sample 20] [--seed 1] [--worst]
//
// Samples definitions from the compiler's own list (module and class level; tests and names bound by require()
// left out), asks it for every reference, and asks codexmem over MCP for the same symbol. A reference counts
// as (file, line). An answer that the compiler did not give is wrong when the compiler resolves the name there
// to something else, and undecided when it cannot resolve it (an untyped receiver, a module it does not find).
// Prints a row per symbol and the totals: definitions found, references right, wrong, undecided, missed.
// TypeScript and JavaScript: the language service of `typescript`. Python: the `pyright` language server.
import { spawn } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import { createRequire } from "node:module";
import { pathToFileURL, fileURLToPath } from "node:url";
import { parseArgs } from "node:util";

const { values: args } = parseArgs({
  options: {
    repo: { type: "string" },
    language: { type: "string", default: "typescript" },
    codexmem: { type: "string" },
    sample: { type: "string", default: "20" },
    seed: { type: "string", default: "1" },
    worst: { type: "boolean", default: false },
  },
});
if (!args.repo || !args.codexmem || !["typescript", "python"].includes(args.language)) {
  console.error("usage: node compare.mjs --repo DIR --language typescript|python --codexmem PATH [--sample N] [--seed N] [--worst]");
  process.exit(2);
}
const root = fs.realpathSync(args.repo);
const relative = (file) => path.relative(root, file).split(path.sep).join("/");
const isTest = (file) => /(^|\/)(tests?|__tests__|testing|fixtures?|docs?|examples?|benchmarks?|scripts?)\//.test(file) ||
  /(^|\/)(test_[^/]*|[^/]*(_test|\.test|\.spec))\.[a-z]+$/.test(file);

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

function listFiles(directory, extensions, found = []) {
  for (const entry of fs.readdirSync(directory, { withFileTypes: true })) {
    if (entry.name === "node_modules" || entry.name.startsWith(".")) continue;
    const full = path.join(directory, entry.name);
    if (entry.isDirectory()) listFiles(full, extensions, found);
    else if (entry.isFile() && extensions.some((e) => entry.name.endsWith(e)) && fs.statSync(full).size <= 1 << 20) found.push(full);
  }
  return found;
}

// --- TypeScript's language service: { definitions: [{name, container, file, line, key}], references(definition) }
function typescriptOracle() {
  const ts = createRequire(import.meta.url)("typescript");
  const files = listFiles(root, [".ts", ".tsx", ".mts", ".cts", ".js", ".jsx", ".mjs", ".cjs"]);
  const base = {
    allowJs: true, checkJs: false, noEmit: true, jsx: ts.JsxEmit.Preserve, target: ts.ScriptTarget.ESNext,
    skipLibCheck: true, resolveJsonModule: true, maxNodeModuleJsDepth: 0,
  };
  // Without a tsconfig a repository is CommonJS or ES modules as its package.json says.
  let options = { ...base, module: ts.ModuleKind.Node16, moduleResolution: ts.ModuleResolutionKind.Node16 };
  const config = path.join(root, "tsconfig.json");
  if (fs.existsSync(config)) {
    const parsed = ts.parseJsonConfigFileContent(ts.readConfigFile(config, ts.sys.readFile).config ?? {}, ts.sys, root, {}, config);
    options = { ...parsed.options, ...base, composite: false, incremental: false };
  }
  const host = {
    getScriptFileNames: () => files,
    getScriptVersion: () => "1",
    getScriptSnapshot: (f) => (fs.existsSync(f) ? ts.ScriptSnapshot.fromString(fs.readFileSync(f, "utf8")) : undefined),
    getCurrentDirectory: () => root,
    getCompilationSettings: () => options,
    getDefaultLibFileName: (o) => ts.getDefaultLibFilePath(o),
    fileExists: ts.sys.fileExists, readFile: ts.sys.readFile, readDirectory: ts.sys.readDirectory,
    directoryExists: ts.sys.directoryExists, getDirectories: ts.sys.getDirectories,
  };
  const service = ts.createLanguageService(host);
  const program = service.getProgram();
  const definitions = [];
  for (const file of files) {
    const source = program.getSourceFile(file);
    if (!source || isTest(relative(file)) || file.endsWith(".d.ts")) continue;
    const add = (node, container) => {
      if (!node.name || !(ts.isIdentifier(node.name) || ts.isPrivateIdentifier(node.name)) || node.name.text.startsWith("#")) return;
      const start = node.name.getStart(source);
      definitions.push({ name: node.name.text, container, file: relative(file), line: source.getLineAndCharacterOfPosition(start).line + 1, key: start });
    };
    const visit = (statements, container) => {
      for (const node of statements) {
        if (ts.isFunctionDeclaration(node) || ts.isInterfaceDeclaration(node) || ts.isTypeAliasDeclaration(node) || ts.isEnumDeclaration(node)) add(node, container);
        else if (ts.isClassDeclaration(node)) {
          add(node, container);
          for (const member of node.members) if (!ts.isConstructorDeclaration(member)) add(member, [...container, node.name?.text].filter(Boolean));
        } else if (ts.isVariableStatement(node)) {
          for (const d of node.declarationList.declarations) if (!/\brequire\s*\(/.test(d.initializer?.getText(source).slice(0, 200) ?? "")) add(d, container);
        }
        else if (ts.isModuleDeclaration(node) && node.body && ts.isModuleBlock(node.body) && ts.isIdentifier(node.name)) visit(node.body.statements, [...container, node.name.text]);
      }
    };
    visit(source.statements, []);
  }
  // Where to ask on from a reference at `position`: the key of `module.exports = { key: name }` that exports it, or
  // the name that `const { key: name } = require(...)` binds. The service stops at both.
  const nextPosition = (source, position) => {
    let node = source;
    for (let inner = node; inner; inner = ts.forEachChild(node, (child) => (child.getStart(source) <= position && position < child.end ? child : undefined))) node = inner;
    const property = node.parent;
    if (!property?.parent?.parent) return undefined;
    const isExported = (ts.isShorthandPropertyAssignment(property) || (ts.isPropertyAssignment(property) && property.initializer === node)) &&
      ts.isBinaryExpression(property.parent.parent) && property.parent.parent.left.getText(source) === "module.exports";
    if (isExported) return property.name.getStart(source);
    const bindsRequired = ts.isBindingElement(property) && ts.isVariableDeclaration(property.parent.parent) &&
      /^require\b/.test(property.parent.parent.initializer?.getText(source) ?? "");
    return bindsRequired ? property.name.getStart(source) : undefined;
  };
  const isRequired = (target) => {
    const source = program.getSourceFile(target.fileName);
    return source?.statements.some((s) => ts.isVariableStatement(s) && s.pos <= target.textSpan.start && target.textSpan.start < s.end && /\brequire\s*\(/.test(s.getText(source)));
  };
  return {
    definitions,
    async references(definition) {
      const found = new Set();
      const asked = new Set();
      const queue = [[path.join(root, definition.file), definition.key]];
      for (let next; (next = queue.pop()); ) {
        const [file, position] = next;
        if (asked.has(`${file}:${position}`)) continue;
        asked.add(`${file}:${position}`);
        for (const entry of service.findReferences(file, position) ?? []) {
          for (const reference of entry.references) {
            if (!reference.fileName.startsWith(root + "/") || reference.fileName.includes("/node_modules/")) continue;
            const source = program.getSourceFile(reference.fileName);
            const onward = nextPosition(source, reference.textSpan.start);
            if (onward !== undefined) queue.push([reference.fileName, onward]);
            if (reference.isDefinition && asked.size === 1) continue;
            found.add(`${relative(reference.fileName)}:${source.getLineAndCharacterOfPosition(reference.textSpan.start).line + 1}`);
          }
        }
      }
      return found;
    },
    // True if the compiler knows what the name at `column` of `file:line` means.
    async resolves(file, line, column) {
      const full = path.join(root, file);
      const source = program.getSourceFile(full);
      if (!source) return false;
      const position = source.getPositionOfLineAndCharacter(line - 1, column - 1);
      const targets = service.getDefinitionAtPosition(full, position) ?? [];
      // An import or require() that the compiler cannot follow is its own definition.
      return targets.some((t) => t.kind !== ts.ScriptElementKind.alias && !isRequired(t));
    },
    close() {},
  };
}

// --- A JSON-RPC peer over a child's pipes: `framed` is LSP's Content-Length framing, else one line a message.
class Peer {
  constructor(command, commandArguments, { framed, answer, cwd }) {
    this.framed = framed;
    this.answer = answer ?? (() => null);
    this.next = 1;
    this.waiting = new Map();
    this.buffer = Buffer.alloc(0);
    this.child = spawn(command, commandArguments, { stdio: ["pipe", "pipe", "ignore"], cwd });
    this.child.stdout.on("data", (data) => {
      this.buffer = Buffer.concat([this.buffer, data]);
      for (let message; (message = this.take()); ) this.receive(message);
    });
    this.child.on("exit", () => { for (const { reject } of this.waiting.values()) reject(new Error(`${command} ended`)); });
  }
  take() {
    if (!this.framed) {
      const end = this.buffer.indexOf(10);
      if (end < 0) return null;
      const line = this.buffer.subarray(0, end).toString();
      this.buffer = this.buffer.subarray(end + 1);
      return JSON.parse(line);
    }
    const header = this.buffer.indexOf("\r\n\r\n");
    if (header < 0) return null;
    const length = Number(/Content-Length: (\d+)/i.exec(this.buffer.subarray(0, header).toString())[1]);
    if (this.buffer.length < header + 4 + length) return null;
    const body = this.buffer.subarray(header + 4, header + 4 + length).toString();
    this.buffer = this.buffer.subarray(header + 4 + length);
    return JSON.parse(body);
  }
  receive(message) {
    if (message.method && message.id !== undefined) this.send({ jsonrpc: "2.0", id: message.id, result: this.answer(message) });
    else if (message.id !== undefined && this.waiting.has(message.id)) {
      const { resolve, reject } = this.waiting.get(message.id);
      this.waiting.delete(message.id);
      if (message.error) reject(new Error(message.error.message));
      else resolve(message.result);
    }
  }
  send(message) {
    const body = JSON.stringify(message);
    this.child.stdin.write(this.framed ? `Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}` : body + "\n");
  }
  request(method, params) {
    const id = this.next++;
    this.send({ jsonrpc: "2.0", id, method, params });
    return new Promise((resolve, reject) => this.waiting.set(id, { resolve, reject }));
  }
  notify(method, params) { this.send({ jsonrpc: "2.0", method, params }); }
  close() { this.child.kill(); }
}

// --- pyright's language server, in the same shape.
async function pyrightOracle() {
  const server = path.join(path.dirname(createRequire(import.meta.url).resolve("pyright/package.json")), "langserver.index.js");
  const uri = pathToFileURL(root).href;
  const peer = new Peer(process.execPath, [server, "--stdio"], {
    framed: true, cwd: root,
    answer: (message) => message.method === "workspace/configuration"
      ? message.params.items.map((item) => (item.section === "python.analysis" ? { diagnosticMode: "openFilesOnly", useLibraryCodeForTypes: false } : {}))
      : null,
  });
  await peer.request("initialize", {
    processId: process.pid, rootUri: uri, workspaceFolders: [{ uri, name: "repo" }],
    capabilities: { workspace: { configuration: true, workspaceFolders: true }, textDocument: { documentSymbol: { hierarchicalDocumentSymbolSupport: true } } },
  });
  peer.notify("initialized", {});
  const files = listFiles(root, [".py"]);
  const definitions = [];
  const kinds = new Set([5, 6, 7, 8, 12, 13, 14]);  // class, method, property, field, function, variable, constant
  for (const file of files) {
    if (isTest(relative(file))) continue;
    const document = { uri: pathToFileURL(file).href };
    peer.notify("textDocument/didOpen", { textDocument: { ...document, languageId: "python", version: 1, text: fs.readFileSync(file, "utf8") } });
    const symbols = await peer.request("textDocument/documentSymbol", { textDocument: document });
    peer.notify("textDocument/didClose", { textDocument: document });
    const seen = new Set();
    const visit = (list, container) => {
      for (const symbol of list ?? []) {
        if (!kinds.has(symbol.kind)) continue;
        const qualified = [...container, symbol.name].join(".");
        if (!seen.has(qualified) && !/^__.*__$/.test(symbol.name)) {
          seen.add(qualified);
          definitions.push({ name: symbol.name, container, file: relative(file), line: symbol.selectionRange.start.line + 1, key: symbol.selectionRange.start });
        }
        if (symbol.kind === 5) visit(symbol.children, [...container, symbol.name]);
      }
    };
    visit(symbols, []);
  }
  return {
    definitions,
    async references(definition) {
      const file = path.join(root, definition.file);
      const document = { uri: pathToFileURL(file).href };
      peer.notify("textDocument/didOpen", { textDocument: { ...document, languageId: "python", version: 1, text: fs.readFileSync(file, "utf8") } });
      const locations = (await peer.request("textDocument/references", { textDocument: document, position: definition.key, context: { includeDeclaration: false } })) ?? [];
      peer.notify("textDocument/didClose", { textDocument: document });
      return new Set(locations.map((l) => `${relative(fileURLToPath(l.uri))}:${l.range.start.line + 1}`));
    },
    async resolves(file, line, column) {
      const full = path.join(root, file);
      const document = { uri: pathToFileURL(full).href };
      peer.notify("textDocument/didOpen", { textDocument: { ...document, languageId: "python", version: 1, text: fs.readFileSync(full, "utf8") } });
      const targets = (await peer.request("textDocument/definition", { textDocument: document, position: { line: line - 1, character: column - 1 } })) ?? [];
      peer.notify("textDocument/didClose", { textDocument: document });
      return [targets].flat().length > 0;
    },
    close: () => peer.close(),
  };
}

const oracle = args.language === "python" ? await pyrightOracle() : typescriptOracle();
const codexmem = new Peer(args.codexmem, ["serve", root], { framed: false, answer: () => ({}) });
await codexmem.request("initialize", { protocolVersion: "2025-11-25", capabilities: {}, clientInfo: { name: "compare", version: "1" } });
codexmem.notify("notifications/initialized", {});
async function call(name, toolArguments) {
  const result = await codexmem.request("tools/call", { name, arguments: toolArguments });
  if (result.isError) return { error: result.content[0].text };
  return result.structuredContent;
}

const total = { definitions: 0, found: 0, references: 0, right: 0, wrong: 0, undecided: 0, missed: 0 };
console.log("right wrong undecided missed def  symbol");
for (const definition of sample(oracle.definitions, Number(args.sample), Number(args.seed))) {
  const symbol = [...definition.container, definition.name].join(".");
  const want = await oracle.references(definition);
  const definedAt = await call("find_symbol", { symbol, file_path: definition.file });
  const found = (definedAt.results ?? []).some((r) => r.file.path === definition.file &&
    r.symbol.startLine <= definition.line && (r.symbol.nameLine ?? r.symbol.startLine) >= definition.line);
  const got = new Map();  // file:line -> item
  const definitionLines = new Set();
  let offset = 0;
  for (;;) {
    const answer = await call("get_references", { symbol, file_path: definition.file, ...(offset ? { offset } : {}) });
    const items = answer.results ?? [];
    for (const item of items) {
      const place = `${item.file.path}:${item.line}`;
      if (item.type === "definition") definitionLines.add(place);
      else got.set(place, item);
    }
    offset += items.length;
    if (items.length === 0 || !answer.omitted) break;
  }
  want.delete(`${definition.file}:${definition.line}`);
  got.delete(`${definition.file}:${definition.line}`);
  for (const line of definitionLines) { want.delete(line); got.delete(line); }
  const right = [...got.keys()].filter((x) => want.has(x));
  const wrong = [];
  const undecided = [];
  for (const [place, item] of got) {
    if (want.has(place)) continue;
    if (await oracle.resolves(item.file.path, item.line, item.column)) wrong.push(place);
    else undecided.push(place);
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
const share = (a, b) => (b === 0 ? "-" : (a / b).toFixed(3));
console.log(`${total.found}/${total.definitions} definitions; ${total.references} references: ${total.right} right, ${total.wrong} wrong, ${total.undecided} undecided, ${total.missed} missed; ` +
  `precision ${share(total.right, total.right + total.wrong)}, recall ${share(total.right, total.right + total.missed)}`);
codexmem.close();
oracle.close();
process.exit(0);
