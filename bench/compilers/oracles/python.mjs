// What pyright's language server says of Python.
import fs from "node:fs";
import path from "node:path";
import { createRequire } from "node:module";
import { fileURLToPath, pathToFileURL } from "node:url";
import { isTest, listFiles, relativeTo } from "./files.mjs";
import { Peer } from "./peer.mjs";

export async function open(root) {
  const relative = relativeTo(root);
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
  const textOf = (file) => fs.readFileSync(path.join(root, file), "utf8");
  const opened = (file) => {
    const document = { uri: pathToFileURL(path.join(root, file)).href };
    peer.notify("textDocument/didOpen", { textDocument: { ...document, languageId: "python", version: 1, text: textOf(file) } });
    return document;
  };
  const files = listFiles(root, [".py"]);
  const definitions = [];
  const kinds = new Set([5, 6, 7, 8, 12, 13, 14]);  // class, method, property, field, function, variable, constant
  for (const file of files) {
    if (isTest(relative(file))) continue;
    const document = opened(relative(file));
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
    callEdges: () => callEdges(peer, files.map(relative), textOf, opened, (target) => relative(fileURLToPath(target))),
    async references(definition) {
      const document = opened(definition.file);
      const locations = (await peer.request("textDocument/references", { textDocument: document, position: definition.key, context: { includeDeclaration: false } })) ?? [];
      peer.notify("textDocument/didClose", { textDocument: document });
      return new Set(locations.map((l) => `${relative(fileURLToPath(l.uri))}:${l.range.start.line + 1}`));
    },
    async resolves(file, line, column) {
      const document = opened(file);
      const targets = (await peer.request("textDocument/definition", { textDocument: document, position: { line: line - 1, character: column - 1 } })) ?? [];
      peer.notify("textDocument/didClose", { textDocument: document });
      return [targets].flat().length > 0;
    },
    close: () => peer.close(),
  };
}

// Functions and methods, what stands at each call, and the places of the calls, as calls.mjs wants them.
async function callEdges(peer, files, textOf, opened, fileOf) {
  const byKey = new Map();
  const keys = new Map();      // "file:line" of a name -> key of the function; overloads share one
  const outer = [];            // functions that stand in no other
  for (const file of files) {
    const document = opened(file);
    const visit = (symbols, container) => {
      for (const symbol of symbols ?? []) {
        if (symbol.kind === 5) visit(symbol.children, [...container, symbol.name]);
        if (symbol.kind !== 12 && symbol.kind !== 6) continue;
        const { line, character } = symbol.selectionRange.start;
        const id = `${file}#${[...container, symbol.name].join(".")}`;
        if (!byKey.has(id)) byKey.set(id, { name: symbol.name, container, file, line: line + 1, key: `${file}:${line + 1}:${character + 1}` });
        keys.set(`${file}:${line}`, byKey.get(id).key);
        outer.push({ file, symbol, key: byKey.get(id).key });
      }
    };
    visit(await peer.request("textDocument/documentSymbol", { textDocument: document }), []);
    peer.notify("textDocument/didClose", { textDocument: document });
  }
  const found = new Map();
  const calls = [];
  for (const file of files) {
    const document = opened(file);
    const lines = textOf(file).split(/\r\n|\r|\n/);
    for (const { symbol, key } of outer.filter((o) => o.file === file)) {
      const items = (await peer.request("textDocument/prepareCallHierarchy", { textDocument: document, position: symbol.selectionRange.start })) ?? [];
      for (const item of items) {
        for (const { to, fromRanges } of (await peer.request("callHierarchy/outgoingCalls", { item })) ?? []) {
          const target = keys.get(`${fileOf(to.uri)}:${to.selectionRange.start.line}`);
          for (const { start, end } of fromRanges) {
            const isDecorator = start.line < symbol.selectionRange.start.line;
            if (isDecorator || !/^\s*\(/.test(lines[end.line].slice(end.character))) continue;  // or a property
            const place = `${file}:${start.line + 1}:${start.character + 1}`;
            const call = found.get(place) ?? { caller: key, targets: [], related: [], isKnown: true };
            if (target) call.targets.push(target);
            found.set(place, call);
            calls.push(place);
          }
        }
      }
    }
    peer.notify("textDocument/didClose", { textDocument: document });
  }
  const functions = [...byKey.values()].filter((f) => !["__init__", "__new__"].includes(f.name));
  return { functions, callAt: (place) => found.get(place), calls };
}
