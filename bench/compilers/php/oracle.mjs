// What intelephense says of a PHP repository: node oracle.mjs DIR INTELEPHENSE [FOLDER ...] > rows.jsonl
// INTELEPHENSE is the folder of the npm package; FOLDERs below DIR limit what is asked about (all is indexed).
// Names and definitions are PHP's own tokens (names.php, needs php-cli); a name means what the language
// server's go-to-definition says of its place.
import { spawn, execFileSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';

const [root, server, ...folders] = process.argv.slice(2).map((a, i) => (i < 2 ? path.resolve(a) : a));
const here = path.dirname(new URL(import.meta.url).pathname);
const out = (row) => fs.writeSync(1, JSON.stringify(row) + '\n');

class Server {
  constructor() {
    this.process = spawn('node', [path.join(server, 'lib/intelephense.js'), '--stdio'], { stdio: ['pipe', 'pipe', 'ignore'] });
    this.last = 0;
    this.waiting = new Map();
    this.buffer = Buffer.alloc(0);
    this.indexed = new Promise((resolve) => (this.done = resolve));
    this.process.stdout.on('data', (data) => {
      this.buffer = Buffer.concat([this.buffer, data]);
      for (;;) {
        const end = this.buffer.indexOf('\r\n\r\n');
        if (end < 0) return;
        const size = +/Content-Length: (\d+)/i.exec(this.buffer.subarray(0, end))[1];
        if (this.buffer.length < end + 4 + size) return;
        const message = JSON.parse(this.buffer.subarray(end + 4, end + 4 + size));
        this.buffer = this.buffer.subarray(end + 4 + size);
        if (message.method && message.id !== undefined) {
          const result = message.method === 'workspace/configuration' ? message.params.items.map(() => ({ files: { maxSize: 5000000, exclude: [] } })) : null;
          this.send({ jsonrpc: '2.0', id: message.id, result });
        } else if (message.id !== undefined) {
          this.waiting.get(message.id)?.(message.result ?? null);
          this.waiting.delete(message.id);
        } else if (message.method === 'indexingEnded') {
          this.done();
        }
      }
    });
  }
  send(message) {
    const body = Buffer.from(JSON.stringify(message));
    this.process.stdin.write(`Content-Length: ${body.length}\r\n\r\n`);
    this.process.stdin.write(body);
  }
  request(method, params) {
    const id = ++this.last;
    return new Promise((resolve) => {
      this.waiting.set(id, resolve);
      this.send({ jsonrpc: '2.0', id, method, params });
    });
  }
  notify(method, params) {
    this.send({ jsonrpc: '2.0', method, params });
  }
}

const uri = (file) => 'file://' + encodeURI(file);
const all = [];
const list = (folder) => {
  for (const entry of fs.readdirSync(folder, { withFileTypes: true })) {
    const full = path.join(folder, entry.name);
    if (entry.isDirectory() && entry.name !== 'vendor' && entry.name !== '.git' && entry.name !== 'node_modules') list(full);
    if (entry.isFile() && entry.name.endsWith('.php')) all.push(full);
  }
};
list(root);
all.sort();
const asked = (file) => !folders.length || folders.some((f) => path.relative(root, file).startsWith(f));
const files = execFileSync('php', ['-d', 'memory_limit=-1', path.join(here, 'names.php')], { input: all.join('\n') + '\n', maxBuffer: 1 << 30, stdio: ['pipe', 'pipe', 'inherit'] })
  .toString().split('\n').filter(Boolean).map((line) => JSON.parse(line));
const defs = new Map(); // by file
const names = new Set();
for (const file of files) {
  file.relative = path.relative(root, file.path);
  file.defs.forEach((d, i) => {
    d.at = `${file.relative}:${d.line}:${d.col}`;
    d.file = file;
    d.owner = d.owner === null ? null : file.defs[d.owner];
    if (d.kind !== 'local') names.add(d.name.toLowerCase());
  });
  defs.set(file.path, [...file.defs].sort((a, b) => a.line - b.line || a.col - b.col));
}
const storage = fs.mkdtempSync(path.join(os.tmpdir(), 'oracle-'));
const lsp = new Server();
await lsp.request('initialize', {
  processId: process.pid, rootUri: uri(root), rootPath: root, workspaceFolders: [{ uri: uri(root), name: 'root' }],
  initializationOptions: { storagePath: storage, globalStoragePath: storage, clearCache: true },
  capabilities: { workspace: { configuration: true, workspaceFolders: true }, textDocument: { definition: { linkSupport: false } } },
});
lsp.notify('initialized', {});
await lsp.indexed;

// The definition that a place of the server stands for: the first behind its beginning, of the name if there is one.
const meant = (location, name, role) => {
  const file = decodeURI(location.uri.slice(7));
  const known = defs.get(file);
  if (!known) return null;
  const { start, end } = location.range;
  const inside = known.filter((d) => {
    const line = d.line - 1, column = d.col - 1;
    return (line > start.line || (line === start.line && column >= start.character)) && (line < end.line || (line === end.line && column <= end.character));
  });
  if (role === 'new' && inside[0]?.kind === 'constructor') return inside[0];
  return inside.find((d) => d.name === name) ?? inside.find((d) => d.name.toLowerCase() === name.toLowerCase()) ?? inside[0] ?? null;
};

const supers = new Map(); // of a class
for (const file of files) {
  if (!asked(file.path)) continue;
  out({ row: 'file', path: file.relative, taken: true });
  const aliases = new Set(file.names.filter((n) => n[0] === 'alias').map((n) => n[1].toLowerCase()));
  const wanted = file.names.filter((n) => n[0] !== 'doc' && n[0] !== 'keyword' && (names.has(n[1].toLowerCase()) || aliases.has(n[1].toLowerCase()) || n[0] === 'import' || n[0] === 'alias'));
  for (const n of file.names) {
    if (n[0] === 'doc' && names.has(n[1].toLowerCase())) out({ row: 'use', at: `${file.relative}:${n[2]}:${n[3]}`, name: n[1], role: 'doc' });
    if (n[0] === 'keyword') out({ row: 'use', at: `${file.relative}:${n[2]}:${n[3]}`, name: n[1], role: 'keyword' });
  }
  const document = { uri: uri(file.path) };
  const text = fs.readFileSync(file.path, 'utf8');
  lsp.notify('textDocument/didOpen', { textDocument: { ...document, languageId: 'php', version: 1, text } });
  const answers = await Promise.all(wanted.map((n) => lsp.request('textDocument/definition', { textDocument: document, position: { line: n[2] - 1, character: n[3] - 1 } })));
  lsp.notify('textDocument/didClose', { textDocument: document });
  wanted.forEach(([role, name, line, column, call, owner, inside], i) => {
    const at = `${file.relative}:${line}:${column}`;
    const calls = call === 'call' && role !== 'new' ? { call: true, ...(typeof inside === 'number' ? { in: file.defs[inside].at } : {}) } : {};
    const places = (Array.isArray(answers[i]) ? answers[i] : answers[i] ? [answers[i]] : []);
    const targets = [...new Set(places.map((place) => meant(place, name, role)))];
    const known = targets.filter((d) => d && d.at !== at);
    if (['self', 'static', 'parent'].includes(name.toLowerCase())) return;
    if (!places.length) {
      out({ row: 'use', at, name, role: call || 'read', ...calls, ...(role === 'member' || role === 'adapt' ? {} : { ext: true }) });
    } else if (!known.length) {
      out({ row: 'use', at, name, role: call || 'read', ...calls, ext: true });
    } else {
      for (let target of known) {
        let says = role === 'import' || role === 'alias' ? 'import' : call === 'call' && role !== 'new' ? 'call' : 'read';
        if (known.length > 3) says = 'ambiguous';
        if (target.kind === 'constructor' && role !== 'member') {
          // new A(): the class, and its constructor.
          if (target.owner && target.owner.name.toLowerCase() === name.toLowerCase()) out({ row: 'use', at, name, to: target.owner.at, role: 'read' });
          says = 'construct';
        }
        out({ row: 'use', at, name, to: target.at, role: says, ...calls });
        if (role === 'inherit' && typeof owner === 'number') {
          const own = file.defs[owner];
          if (own && target.kind !== 'constructor') supers.set(own, [...(supers.get(own) ?? []), target]);
        }
      }
    }
    if (role === 'import') {
      const target = known[0];
      const external = target ? null : name;
      out({ row: 'import', path: file.relative, spec: name, line, kind: 'import', target: target ? target.file.relative : null, external });
    }
  });
  for (const [, quoted, line] of [...text.matchAll(/\b(?:require|include)(?:_once)?\b\s*\(?\s*__DIR__\s*\.\s*(['"])([^'"$]+)\1\s*\)?\s*;/g)].map((m) => [m, m[2], text.slice(0, m.index).split('\n').length])) {
    const target = path.join(path.dirname(file.path), quoted);
    if (fs.existsSync(target)) out({ row: 'import', path: file.relative, spec: quoted, line, kind: 'include', target: path.relative(root, target), external: null });
  }
  for (const d of file.defs) {
    out({ row: 'def', at: d.at, name: d.name, qname: d.qname, kind: d.kind, scope: d.local ? 'local' : d.owner ? 'class' : 'module', start: d.start, asked: !d.doc });
  }
}

// Families: what overrides or implements what, all of one root together.
const members = new Map();
for (const file of files) for (const d of file.defs) if (d.owner) members.set(d.owner, [...(members.get(d.owner) ?? []), d]);
const roots = new Map();
const find = (d) => { while (roots.has(d)) d = roots.get(d); return d; };
for (const type of members.keys()) {
  const above = [], open = [type];
  while (open.length) for (const base of supers.get(open.pop()) ?? []) if (!above.includes(base) && above.length < 500) { above.push(base); open.push(base); }
  for (const own of members.get(type)) for (const base of above) for (const other of members.get(base) ?? []) {
    if (other.name.toLowerCase() !== own.name.toLowerCase() || (own.kind === 'method') !== (other.kind === 'method') || own.kind === 'constructor') continue;
    const a = find(own), b = find(other);
    if (a !== b) roots.set(a, b);
  }
}
const families = new Map();
for (const list of members.values()) for (const d of list) if (roots.has(d)) families.set(find(d), [...(families.get(find(d)) ?? []), d]);
for (const [first, rest] of families) {
  const family = [first, ...rest].slice(0, 120);
  for (let i = 0; i < family.length; ++i) for (let j = i + 1; j < family.length; ++j) out({ row: 'family', a: family[i].at, b: family[j].at });
}
lsp.process.kill();
fs.rmSync(storage, { recursive: true, force: true });
