// Truth for the references of a repository with components of Vue or Svelte.
// TOOLS is a folder with npm's typescript, @vue/language-core, @volar/typescript, vue or svelte, svelte2tsx and
// @jridgewell/sourcemap-codec.
//
// oracle.mjs --repo NAME --dir DIR --kind vue|svelte --out DIR --tools DIR [--n 150] [--seed 7] [--aux N]
import { createRequire } from 'node:module';
import fs from 'node:fs';
import path from 'node:path';
import zlib from 'node:zlib';
const arg = (k, d) => { const i = process.argv.indexOf('--' + k); return i < 0 ? d : process.argv[i + 1]; };
const REPO = arg('repo'), DIR = fs.realpathSync(arg('dir')), KIND = arg('kind'), OUT = arg('out'), TOOLS = path.resolve(arg('tools'));
const N = +arg('n', '150'), SEED = +arg('seed', '7');
const require = createRequire(path.join(TOOLS, 'x.js'));
const ts = require('typescript');
const t0 = Date.now(); const log = (...a) => console.error(((Date.now() - t0) / 1000).toFixed(1) + 's', REPO, ...a);
const SUFFIX = '.' + KIND;
const EXT = /\.(ts|tsx|mts|cts|js|jsx|mjs|cjs|vue|svelte)$/;
const files = [];
(function walk(d) {
  for (const e of fs.readdirSync(d, { withFileTypes: true }).sort((a, b) => a.name < b.name ? -1 : 1)) {
    if (e.isSymbolicLink()) continue;
    const p = path.join(d, e.name);
    if (e.isDirectory()) { if (!['node_modules', '.git', 'dist', '.svelte-kit'].includes(e.name)) walk(p); }
    else if (EXT.test(e.name) && !/\.min\.js$/.test(e.name) && fs.statSync(p).size <= 1 << 20) files.push(p);
  }
})(DIR);
const fileSet = new Set(files);
const rel = p => path.relative(DIR, p).split(path.sep).join('/');
const texts = new Map(); const text = f => { if (!texts.has(f)) texts.set(f, fs.readFileSync(f, 'utf8')); return texts.get(f); };
const starts = new Map();
const lineStarts = f => { if (!starts.has(f)) starts.set(f, ts.computeLineStarts(text(f))); return starts.get(f); };
const pos = (f, p) => { const s = lineStarts(f); let lo = 0, hi = s.length - 1; while (lo < hi) { const m = (lo + hi + 1) >> 1; if (s[m] <= p) lo = m; else hi = m - 1; } return [lo + 1, p - s[lo] + 1]; };
const offset = (f, l, c) => lineStarts(f)[l] + c;
const isComponent = f => f.endsWith('.vue') || f.endsWith('.svelte');
// the scripts of a component in place, all else spaces
function scriptOf(f) {
  const t = text(f);
  if (!isComponent(f)) return t;
  let out = t.replace(/[^\r\n]/g, ' ');
  const hidden = t.replace(/<!--[\s\S]*?-->/g, m => ' '.repeat(m.length));
  for (const m of hidden.matchAll(/<script(\s[^>]*)?>([\s\S]*?)<\/script/g)) {
    const b = m.index + m[0].length - '</script'.length - m[2].length;
    out = out.slice(0, b) + t.slice(b, b + m[2].length) + out.slice(b + m[2].length);
  }
  return out;
}
const asts = new Map();
const ast = f => { if (!asts.has(f)) asts.set(f, ts.createSourceFile(f + (isComponent(f) ? '.ts' : ''), scriptOf(f), ts.ScriptTarget.Latest, true, /sx$/.test(f) ? ts.ScriptKind.TSX : /js$/.test(f) ? ts.ScriptKind.JS : ts.ScriptKind.TS)); return asts.get(f); };

// ---------- the analysers: references(file, offset), definitions(file, offset) as [file, offset, length]
async function vue() {
  const core = require('@vue/language-core'); const volar = require('@volar/typescript');
  const options = { allowNonTsExtensions: true, target: 99, module: 99, moduleResolution: 100, allowJs: true, checkJs: false, jsx: 1, strict: true, noEmit: true, skipLibCheck: true, esModuleInterop: true, allowSyntheticDefaultImports: true, resolveJsonModule: true, allowImportingTsExtensions: true, moduleDetection: 3, experimentalDecorators: true, lib: ['lib.esnext.d.ts', 'lib.dom.d.ts', 'lib.dom.iterable.d.ts'], types: ['node'], typeRoots: [path.join(TOOLS, 'node_modules/@types')], maxNodeModuleJsDepth: 0 };
  // Svelte: what svelte2tsx makes of a component, with the places of its source map that have the same characters
  const generated = new Map();
  const sveltePlugin = () => {
    const { svelte2tsx } = require('svelte2tsx'); const { decode } = require('@jridgewell/sourcemap-codec');
    const code = (f, snapshot) => {
      const source = snapshot.getText(0, snapshot.getLength());
      let made; try { made = svelte2tsx(source, { filename: f, isTsFile: true, mode: 'ts', version: '5.0.0', emitOnTemplateError: true, namespace: 'html' }); } catch (e) { log('no code', rel(f), e.message.slice(0, 80)); return { id: 'root', languageId: 'typescript', snapshot: ts.ScriptSnapshot.fromString('export default {} as any'), mappings: [] }; }
      generated.set(f, made.code);
      const from = ts.computeLineStarts(source), to = ts.computeLineStarts(made.code); const pairs = [];
      decode(made.map.mappings).forEach((line, l) => { line.forEach((seg, i) => { if (seg.length < 4) return; const g = to[l] + seg[0], o = from[seg[2]] + seg[3]; const next = i + 1 < line.length ? to[l] + line[i + 1][0] : (to[l + 1] ?? made.code.length); pairs.push([o, g, next]); }); });
      const data = { completion: true, format: false, navigation: true, semantic: true, structure: false, verification: true };
      const mappings = []; let last = null;
      const flush = () => { if (last) mappings.push({ sourceOffsets: [last[0]], generatedOffsets: [last[1]], lengths: [last[2]], data }); };
      for (const [o, g, next] of pairs) {
        let n = 0; while (g + n < next && o + n < source.length && source[o + n] === made.code[g + n]) n++;
        if (!n) continue;
        if (last && last[0] + last[2] === o && last[1] + last[2] === g) last[2] += n; else { flush(); last = [o, g, n]; }
      }
      flush();
      return { id: 'root', languageId: 'typescript', snapshot: ts.ScriptSnapshot.fromString(made.code), mappings, embeddedCodes: [] };
    };
    return {
      getLanguageId: f => f.endsWith('.svelte') ? 'svelte' : undefined,
      createVirtualCode: (f, id, snapshot) => id === 'svelte' ? code(f, snapshot) : undefined,
      typescript: { extraFileExtensions: [{ extension: 'svelte', isMixedContent: true, scriptKind: 7 }], getServiceScript: root => ({ code: root, extension: '.ts', scriptKind: 3, preventLeadingOffset: true }) },
    };
  };
  const shims = KIND === 'svelte' ? ['svelte-shims-v4.d.ts', 'svelte-jsx-v4.d.ts'].map(n => path.join(TOOLS, 'node_modules/svelte2tsx', n)) : [];
  const vueOptions = core.getDefaultCompilerOptions(undefined, 'vue', false);
  const nearest = new Map();
  const near = dir => {
    if (nearest.has(dir)) return nearest.get(dir);
    let o;
    for (const n of ['tsconfig.json', 'tsconfig.app.json', 'jsconfig.json']) {
      const c = path.join(dir, n);
      if (!o?.paths && fs.existsSync(c)) { const j = ts.readConfigFile(c, ts.sys.readFile); if (j.config) { delete j.config.references; delete j.config.include; j.config.files = []; const p = ts.parseJsonConfigFileContent(j.config, ts.sys, dir, undefined, c).options; if (!o || p.paths) o = p; } }
    }
    if (!o?.paths) { const up = dir === DIR || path.dirname(dir) === dir ? {} : near(path.dirname(dir)); o = { ...up, ...o }; }
    nearest.set(dir, o); return o;
  };
  const workspaces = new Map();
  (function walk(d, depth) { const pj = path.join(d, 'package.json'); if (fs.existsSync(pj)) { try { const j = JSON.parse(fs.readFileSync(pj, 'utf8')); if (j.name) workspaces.set(j.name, [d, j]); } catch { } } if (depth < 5) for (const e of fs.readdirSync(d, { withFileTypes: true })) if (e.isDirectory() && !['node_modules', '.git', 'dist'].includes(e.name)) walk(path.join(d, e.name), depth + 1); })(DIR, 0);
  const workspace = spec => {
    const parts = spec.split('/'), name = spec[0] === '@' ? parts.slice(0, 2).join('/') : parts[0]; const w = workspaces.get(name); if (!w) return;
    const sub = spec.slice(name.length + 1);
    for (const c of sub ? [sub, 'src/' + sub, 'src/lib/' + sub] : ['src/index', 'src/lib/index', 'index', 'src/main']) for (const e of ['', '.ts', '.tsx', '.js', '.vue', '/index.ts', '/index.js']) { const f = path.join(w[0], c + e); if (fileSet.has(f)) return f; }
  };
  const snapshots = new Map();
  const snap = f => { if (!snapshots.has(f)) { const t = ts.sys.readFile(f); snapshots.set(f, t === undefined ? undefined : ts.ScriptSnapshot.fromString(t)); } return snapshots.get(f); };
  const host = {
    ...ts.sys, getCompilationSettings: () => options,  getScriptFileNames: () => [...files, ...shims], getScriptVersion: () => '1', getScriptSnapshot: snap, getCurrentDirectory: () => DIR, getDefaultLibFileName: o => ts.getDefaultLibFilePath(o), useCaseSensitiveFileNames: () => true, getProjectVersion: () => '1',
    getScriptKind: f => isComponent(f) ? ts.ScriptKind.TS : ts.getScriptKindFromFileName ? ts.getScriptKindFromFileName(f) : /\.tsx$/.test(f) ? 4 : /\.ts$/.test(f) ? 3 : /\.jsx$/.test(f) ? 2 : /\.json$/.test(f) ? 6 : 1,
  };
  const language = core.createLanguage([KIND === 'vue' ? core.createVueLanguagePlugin(ts, options, vueOptions, id => id) : sveltePlugin(), { getLanguageId: f => /\.[cm]?ts$/.test(f) ? 'typescript' : /\.tsx$/.test(f) ? 'typescriptreact' : 'javascript' }], new Map(), f => { const s = snap(f); if (s) language.scripts.set(f, s, f.endsWith('.vue') ? 'vue' : f.endsWith('.svelte') ? 'svelte' : undefined); else language.scripts.delete(f); });
  const moduleHost = { ...ts.sys, fileExists: f => ts.sys.fileExists(f) || /\.d\.(vue|svelte)\.ts$/.test(f) && ts.sys.fileExists(f.replace(/\.d\.(vue|svelte)\.ts$/, '.$1')) };
  const cache = new Map();
  const resolve = (spec, from) => {
    const key = path.dirname(from) + '\0' + spec; if (cache.has(key)) return cache.get(key);
    const o = from.startsWith(DIR) ? near(path.dirname(from)) : {};
    const opts = { ...options, paths: o.paths, baseUrl: o.baseUrl, pathsBasePath: o.pathsBasePath, allowArbitraryExtensions: true };
    let r = ts.resolveModuleName(spec, from, opts, moduleHost).resolvedModule;
    if (r && /\.d\.(vue|svelte)\.ts$/.test(r.resolvedFileName)) r = { resolvedFileName: r.resolvedFileName.replace(/\.d\.(vue|svelte)\.ts$/, '.$1'), extension: '.ts', isExternalLibraryImport: false };
    if (r && /\.d\.[mc]?ts$/.test(r.resolvedFileName) && r.resolvedFileName.startsWith(DIR) && (/\.[mc]?jsx?$/.test(from) || isComponent(from) && !/<script[^>]*lang=["']ts/.test(text(from)))) { const js = r.resolvedFileName.replace(/\.d(\.[mc]?)ts$/, '$1js'); if (fileSet.has(js)) r = { resolvedFileName: js, extension: path.extname(js), isExternalLibraryImport: false }; else { const c = r.resolvedFileName.replace(/\.d\.ts$/, ''); if (fileSet.has(c) && isComponent(c)) r = { resolvedFileName: c, extension: '.ts', isExternalLibraryImport: false }; } }
    if (!r && KIND === 'svelte' && spec.startsWith('$lib')) { let d = path.dirname(from); while (d.startsWith(DIR) && !fs.existsSync(path.join(d, 'src/lib'))) d = path.dirname(d); const b = path.join(d, 'src/lib', spec.slice(4)); for (const e of ['', '.ts', '.js', '/index.ts', '/index.js']) if (fileSet.has(b + e)) { r = { resolvedFileName: b + e, extension: isComponent(b + e) ? '.ts' : path.extname(b + e), isExternalLibraryImport: false }; break; } if (!r && fileSet.has(b.replace(/\.js$/, '.ts'))) r = { resolvedFileName: b.replace(/\.js$/, '.ts'), extension: '.ts', isExternalLibraryImport: false }; }
    if (!r && from.startsWith(DIR)) { const f = workspace(spec); if (f) r = { resolvedFileName: f, extension: isComponent(f) ? '.ts' : path.extname(f), isExternalLibraryImport: false }; }
    if (!r && !from.startsWith(TOOLS) && spec[0] !== '.') r = ts.resolveModuleName(spec, path.join(TOOLS, 'x.ts'), options, ts.sys).resolvedModule;
    cache.set(key, r); return r;
  };
  volar.decorateLanguageServiceHost(ts, language, host);
  host.resolveModuleNameLiterals = (lits, from) => lits.map(l => ({ resolvedModule: resolve(l.text, from) }));
  const plain = ts.createLanguageService(host); const { initialize, proxy } = volar.createProxyLanguageService(plain); initialize(language);
  log('program', proxy.getProgram().getSourceFiles().length);
  const ranges = l => (l ?? []).map(d => [d.fileName, d.textSpan.start, d.textSpan.length]);
  return {
    references: async (f, o) => {
      const found = (proxy.findReferences(f, o) ?? []).flatMap(g => ranges(g.references));
      if (KIND !== 'svelte') return found;
      const key = (g, p) => g + ':' + p, seen = new Set(found.map(([g, p]) => key(g, p)));
      const more = (g, at) => { // references to what the generated code declares at a place of g, in the places of the sources
        const script = language.scripts.get(g); if (!script?.generated) return;
        for (const group of plain.findReferences(g, at) ?? []) for (const r of group.references) {
          const to = language.scripts.get(r.fileName);
          if (!to?.generated) { if (!seen.has(key(r.fileName, r.textSpan.start))) { seen.add(key(r.fileName, r.textSpan.start)); found.push([r.fileName, r.textSpan.start, r.textSpan.length]); } continue; }
          const map = language.maps.get(to.generated.root, to);
          for (const [s] of map.toSourceLocation(r.textSpan.start)) { const w = text(r.fileName)[s] === '$' ? 1 : 0; if (!seen.has(key(r.fileName, s + w))) { seen.add(key(r.fileName, s + w)); found.push([r.fileName, s + w, r.textSpan.length - w]); confirmed.add(key(f, o) + '>' + key(r.fileName, s + w)); } }
        }
      };
      const name = /^[\w$]+/.exec(text(f).slice(o))?.[0] ?? '';
      // $name of what is a store
      for (const g of new Set(found.map(r => r[0]))) { const code = generated.get(g); if (!code) continue; for (const m of code.matchAll(/let \$([\w$]+) = __sveltets_2_store_get\(([\w$]+)\)/g)) { const at = m.index + m[0].length - m[2].length - 1; const d = plain.getDefinitionAtPosition(g, at) ?? []; const own = proxy.getDefinitionAtPosition(f, o) ?? []; if (m[2] === name || found.some(r => r[0] === g && text(g).substr(r[1], m[2].length) === m[2])) { const s = language.scripts.get(g), map = language.maps.get(s.generated.root, s); const places = d.map(x => { if (x.fileName !== f) return null; const t = language.scripts.get(f); if (!t?.generated) return x.textSpan.start; for (const [q] of language.maps.get(t.generated.root, t).toSourceLocation(x.textSpan.start)) return q; return null; }); if (places.includes(o)) more(g, m.index + 4); } } }
      // the property that a component has for what it exports
      const code = generated.get(f); const m = code && new RegExp(`return \\{ props: \\{[^}]*?\\b(${name.replace(/\$/g, '\\$')})\\s*:`).exec(code);
      if (m && /export\s+(let|const|function|var)\s+$/.test(text(f).slice(Math.max(0, o - 40), o))) more(f, m.index + m[0].lastIndexOf(name));
      return found;
    },
    definitions: async (f, o) => { try { return ranges(proxy.getDefinitionAtPosition(f, o)); } catch (e) { failed.add(f); return []; } },
    close() { }, resolve,
  };
}
const confirmed = new Set(), failed = new Set();
const service = await vue();

// ---------- definitions, by the syntax of the scripts
const defs = [], byPlace = new Map();
function add(f, node, name, kind, scope, owner) {
  const o = node.getStart(ast(f)) + (ts.isStringLiteralLike(node) ? 1 : 0);
  const key = rel(f) + ':' + o; if (byPlace.has(key)) return byPlace.get(key);
  const [line, col] = pos(f, o);
  const d = { file: f, offset: o, name, kind, scope, qname: owner ? owner + '.' + name : name, path: rel(f), line, col };
  byPlace.set(key, d); defs.push(d); return d;
}
const isFunction = n => n && (ts.isArrowFunction(n) || ts.isFunctionExpression(n));
function members(f, type, owner) {
  for (const m of type.members ?? []) if (m.name && (ts.isIdentifier(m.name) || ts.isStringLiteralLike(m.name))) {
    add(f, m.name, m.name.text, ts.isMethodSignature(m) ? 'method' : 'property', 'member', owner);
  }
  if (ts.isIntersectionTypeNode(type) || ts.isUnionTypeNode(type)) for (const t of type.types) if (ts.isTypeLiteralNode(t)) members(f, t, owner);
}
// what macros of Vue declare
function macro(f, call, owner) {
  const name = ts.isIdentifier(call.expression) ? call.expression.text : '';
  if (name === 'withDefaults' && call.arguments[0] && ts.isCallExpression(call.arguments[0])) return macro(f, call.arguments[0], owner);
  if (name !== 'defineProps' && name !== 'defineEmits' && name !== 'defineComponent' && name !== 'defineSlots') return;
  const t = call.typeArguments?.[0]; if (t && name !== 'defineComponent') members(f, t, owner ?? name.slice(6).toLowerCase());
  const a = call.arguments[0];
  if (a && ts.isObjectLiteralExpression(a)) name === 'defineProps' ? keys(f, a, owner ?? 'props') : name === 'defineComponent' && options(f, a);
}
function keys(f, object, owner) {
  for (const p of object.properties) if (p.name && ts.isIdentifier(p.name) && !ts.isShorthandPropertyAssignment(p)) add(f, p.name, p.name.text, ts.isMethodDeclaration(p) || isFunction(p.initializer) ? 'method' : 'property', 'member', owner);
}
function options(f, object) {
  for (const p of object.properties) {
    const n = p.name?.text;
    if (['props', 'computed', 'methods'].includes(n) && p.initializer && ts.isObjectLiteralExpression(p.initializer)) keys(f, p.initializer, n);
    if (n === 'data') { const body = p.body ?? p.initializer?.body; const ret = body && (ts.isBlock(body) ? body.statements.find(ts.isReturnStatement)?.expression : ts.isParenthesizedExpression(body) ? body.expression : body); if (ret && ts.isObjectLiteralExpression(ret)) keys(f, ret, 'data'); }
  }
}
for (const f of files) {
  const sf = ast(f);
  const top = (n, owner) => {
    if (ts.isFunctionDeclaration(n) && n.name) add(f, n.name, n.name.text, 'function', 'top', owner);
    else if (ts.isClassDeclaration(n) && n.name) {
      add(f, n.name, n.name.text, 'class', 'top', owner);
      for (const m of n.members) {
        if (m.name && (ts.isIdentifier(m.name) || ts.isPrivateIdentifier(m.name))) add(f, m.name, m.name.text, ts.isMethodDeclaration(m) ? 'method' : 'property', 'member', n.name.text);
        if (ts.isConstructorDeclaration(m)) for (const p of m.parameters) if (ts.isParameterPropertyDeclaration(p, m) && ts.isIdentifier(p.name)) add(f, p.name, p.name.text, 'property', 'member', n.name.text);
      }
    } else if (ts.isInterfaceDeclaration(n)) { add(f, n.name, n.name.text, 'interface', 'top', owner); members(f, n, n.name.text); }
    else if (ts.isTypeAliasDeclaration(n)) { add(f, n.name, n.name.text, 'type', 'top', owner); members(f, n.type, n.name.text); }
    else if (ts.isEnumDeclaration(n)) { add(f, n.name, n.name.text, 'enum', 'top', owner); for (const m of n.members) if (ts.isIdentifier(m.name)) add(f, m.name, m.name.text, 'enum_member', 'member', n.name.text); }
    else if (ts.isVariableStatement(n)) for (const d of n.declarationList.declarations) {
      const isRequire = d.initializer && ts.isCallExpression(d.initializer) && d.initializer.expression.getText(sf) === 'require';
      const each = name => { if (ts.isIdentifier(name)) { if (!isRequire) add(f, name, name.text, isFunction(d.initializer) ? 'function' : 'variable', 'top', owner); } else for (const e of name.elements) if (e.name) each(e.name); };
      each(d.name);
      if (d.initializer && ts.isCallExpression(d.initializer)) macro(f, d.initializer, ts.isIdentifier(d.name) ? d.name.text : undefined);
      if (d.type && ts.isTypeLiteralNode(d.type)) members(f, d.type, ts.isIdentifier(d.name) ? d.name.text : '$props');
      if (d.initializer && ts.isObjectLiteralExpression(d.initializer) && ts.isIdentifier(d.name)) keys(f, d.initializer, d.name.text);
    } else if (ts.isExpressionStatement(n) && ts.isCallExpression(n.expression)) macro(f, n.expression);
    else if (ts.isExportAssignment(n)) { if (ts.isCallExpression(n.expression)) macro(f, n.expression); else if (ts.isObjectLiteralExpression(n.expression) && KIND === 'vue') options(f, n.expression); }
    else if (ts.isModuleDeclaration(n) && n.body && ts.isModuleBlock(n.body)) for (const s of n.body.statements) top(s, n.name.text);
  };
  for (const s of sf.statements) top(s);
}
const nameFiles = new Map(); for (const d of defs) { if (!nameFiles.has(d.name)) nameFiles.set(d.name, new Set()); nameFiles.get(d.name).add(d.path + d.offset); }
log('files', files.length, 'definitions', defs.length);

// ---------- sample: components first, then the files beside them, over kinds
const isAux = p => /(^|\/)(__tests__|tests?|e2e|examples?|docs?|bench(mark)?s?|playground|stories|framed)\//.test(p) || /\.(test|spec)\.[jt]sx?$/.test(p);
let seed = SEED * 2654435761 >>> 0; const random = () => { seed ^= seed << 13; seed >>>= 0; seed ^= seed >>> 17; seed ^= seed << 5; seed >>>= 0; return seed / 4294967296; };
// occurrences in text, to prefer what is used
const words = new Map();
for (const f of files) for (const m of text(f).matchAll(/[A-Za-z_$][\w$]*/g)) words.set(m[0], (words.get(m[0]) ?? 0) + 1);
const strata = new Map();
for (const d of defs) {
  if (d.name.length < 2 || words.get(d.name) > 1500 || text(d.file).length > 200000) continue;
  const k = [isComponent(d.file), d.kind, isAux(d.path), nameFiles.get(d.name).size > 1, (words.get(d.name) ?? 0) < 2].join();
  if (!strata.has(k)) strata.set(k, []); strata.get(k).push(d);
}
for (const l of strata.values()) for (let i = l.length - 1; i > 0; i--) { const j = Math.floor(random() * (i + 1));[l[i], l[j]] = [l[j], l[i]]; }
const weight = k => { const [c, , aux, , unused] = k.split(','); return (c === 'true' ? 3 : 1) * (aux === 'true' ? 0.2 : 1) * (unused === 'true' ? 0.15 : 1); };
const picked = [], credit = new Map();
while (picked.length < N) {
  let any = false;
  for (const k of [...strata.keys()].sort()) { credit.set(k, (credit.get(k) ?? 0) + weight(k)); while (credit.get(k) >= 1 && strata.get(k).length && picked.length < N) { credit.set(k, credit.get(k) - 1); picked.push(strata.get(k).pop()); } any = any || strata.get(k).length; }
  if (!any) break;
}
const sampled = new Set(picked);
// same name and file: a question by name and file means all of them
const keysOf = new Set(picked.map(d => d.name + '\0' + d.path));
const emit = defs.filter(d => keysOf.has(d.name + '\0' + d.path));
// components themselves
const components = files.filter(f => f.endsWith(SUFFIX));
log('sampled', picked.length, 'asked', emit.length);

// ---------- components, asked for as the default export
const importers = new Map();
for (const f of files) for (const st of ast(f).statements) {
  const spec = st.moduleSpecifier; if (!spec || !ts.isStringLiteralLike(spec)) continue;
  const names = ts.isImportDeclaration(st) ? [st.importClause?.name, ...(st.importClause?.namedBindings && ts.isNamedImports(st.importClause.namedBindings) ? st.importClause.namedBindings.elements.filter(e => (e.propertyName ?? e.name).text === 'default').map(e => e.name) : [])].filter(Boolean)
    : ts.isExportDeclaration(st) && st.exportClause && ts.isNamedExports(st.exportClause) ? st.exportClause.elements.filter(e => (e.propertyName ?? e.name).text === 'default').map(e => e.propertyName ?? e.name) : [];
  if (!names.length) continue;
  const to = service.resolve(spec.text, f)?.resolvedFileName; if (!to || !isComponent(to) || !fileSet.has(to)) continue;
  if (!importers.has(to)) importers.set(to, []); for (const n of names) importers.get(to).push([f, n.getStart(ast(f))]);
}
const withImporters = components.filter(f => importers.has(f) && !/export\s+default/.test(text(f)));
for (let i = withImporters.length - 1; i > 0; i--) { const j = Math.floor(random() * (i + 1));[withImporters[i], withImporters[j]] = [withImporters[j], withImporters[i]]; }
for (const f of withImporters.slice(0, Math.round(N / 4))) { const d = { file: f, offset: 0, name: 'default', kind: 'component', scope: 'top', qname: path.basename(f), path: rel(f), line: 1, col: 1, importers: importers.get(f) }; emit.push(d); sampled.add(d); nameFiles.set('default', new Set(['x'])); }

// ---------- references
const identifiers = new Map(); // places of a name in scripts and in markup
function places(name) {
  if (identifiers.has(name)) return identifiers.get(name);
  const found = []; const kebab = name.replace(/\B([A-Z])/g, '-$1').toLowerCase();
  const re = new RegExp(`(?<![\\w$-])(?:${[name, kebab].map(s => s.replace(/[$]/g, '\\$')).join('|')})(?![\\w$])`, 'g');
  for (const f of files) { const t = text(f); if (!t.includes(name) && !t.includes(kebab)) continue; for (const m of t.matchAll(re)) found.push([f, m.index]); }
  identifiers.set(name, found); return found;
}
const inScript = (f, o) => !isComponent(f) || /\S/.test(scriptText(f)[o] ?? ' ');
const scripts = new Map(); const scriptText = f => { if (!scripts.has(f)) scripts.set(f, scriptOf(f)); return scripts.get(f); };
function tokenAt(f, o) { // in scripts: the identifier there
  const sf = ast(f); let n = sf; for (; ;) { const c = ts.forEachChild(n, x => x.pos <= o && o < x.end ? x : undefined); if (!c) return n; n = c; }
}
function kindAt(f, o) {
  if (!inScript(f, o)) return 'r';
  for (let x = tokenAt(f, o), i = 0; x && i < 5; x = x.parent, i++) { if (ts.isImportSpecifier(x) || ts.isImportClause(x) || ts.isNamespaceImport(x)) return 'i'; if (ts.isExportSpecifier(x) || ts.isExportAssignment(x)) return 'x'; if (ts.isStatement(x)) break; }
  return 'r';
}
const definitionCache = new Map();
async function definitionsAt(f, o) { const k = f + ':' + o; if (!definitionCache.has(k)) definitionCache.set(k, await service.definitions(f, o)); return definitionCache.get(k); }
const rows = []; let total = 0, done = 0;
for (const d of emit) {
  const refs = new Map(), opt = new Map(); const isMember = d.scope === 'member';
  const put = (map, f, o, why) => { const [l, c] = pos(f, o); map.set(rel(f) + ':' + l + ':' + c, [rel(f), l, c, why]); };
  let found = []; try { if (d.importers) { const seen = new Set(); for (const [g, o] of d.importers) for (const r of await service.references(g, o)) if (!seen.has(r[0] + ':' + r[1])) { seen.add(r[0] + ':' + r[1]); found.push(r); } } else found = await service.references(d.file, d.offset); } catch (e) { failed.add(d.file); sampled.delete(d); continue; }
  for (const [f, o, n] of found) {
    if (!fileSet.has(f) || f === d.file && Math.abs(o - d.offset) <= 1) continue;
    if (d.importers && f === d.file) continue; const word = text(f).substr(o, n).replace(/^['"]|['"]$/g, '');
    if (n === 0 || !/[\w$]/.test(word)) { put(opt, f, o, 'keyword'); continue; }
    const start = o + (text(f)[o] === '"' || text(f)[o] === "'" ? 1 : 0);
    if (inScript(f, start)) {
      const token = tokenAt(f, start);
      if (ts.isStringLiteralLike(token)) { put(opt, f, start, 'string'); continue; }
      if (!ts.isIdentifier(token) && !ts.isPrivateIdentifier(token)) { put(opt, f, start, 'doc'); continue; }
    }
    const isDefinition = byPlace.has(rel(f) + ':' + start);
    const there = await definitionsAt(f, start);
    const hit = d.importers && there.some(([g]) => g === d.file) || confirmed.has(d.file + ':' + d.offset + '>' + f + ':' + start) || there.some(([g, p, m]) => g === d.file && p <= d.offset && d.offset <= p + m);
    if (isDefinition) { put(opt, f, start, 'decl'); continue; }
    if (!hit && there.length) { put(opt, f, start, 'family'); continue; }
    put(refs, f, start, kindAt(f, start) + (word.toLowerCase().replace(/-/g, '') !== d.name.toLowerCase() ? 'a' : ''));
  }
  // what nobody can tell: a name of the language that has no definition
  for (const [f, o] of d.importers ? [] : places(d.name)) {
    const [l, c] = pos(f, o), key = rel(f) + ':' + l + ':' + c;
    if (refs.has(key) || opt.has(key) || f === d.file && o === d.offset) continue;
    if (inScript(f, o)) { const t = tokenAt(f, o); if (!ts.isIdentifier(t) && !ts.isPrivateIdentifier(t)) continue; }
    const there = await definitionsAt(f, o);
    const isDefault = ([g, p]) => g === d.file && isMember && p !== d.offset && text(g).substr(p, d.name.length) === d.name && /withDefaults|defineProps/.test(text(g).slice(0, p));
    const told = there.filter(x => !isDefault(x)).filter(([g, p, m]) => fileSet.has(g) || text(g).substr(p, m) === d.name || !/^[\w$]+$/.test(text(g).substr(p, m)));
    if (!told.length) { if (inScript(f, o) || /[{}"'=:@.(]/.test(text(f).slice(Math.max(0, o - 60), o + 60))) put(opt, f, o, 'unresolved'); }
    else if (there.some(([g, p, m]) => g === d.file && p <= d.offset && d.offset <= p + m)) put(opt, f, o, 'definition-only');
  }
  total += refs.size;
  const R = [...refs.values()].sort((a, b) => a[0] < b[0] ? -1 : a[0] > b[0] ? 1 : a[1] - b[1] || a[2] - b[2]);
  const classes = [nameFiles.get(d.name).size > 1 ? 'ambiguous' : 'unique']; if (isMember) classes.push('method');
  if (isComponent(d.file)) classes.push('component'); if (R.some(r => isComponent(path.join(DIR, r[0])) && !inScript(path.join(DIR, r[0]), offset(path.join(DIR, r[0]), r[1] - 1, r[2] - 1)))) classes.push('markup');
  if (R.some(r => r[3].endsWith('a'))) classes.push('aliased'); if (R.some(r => r[3][0] === 'x' && r[0] !== d.path)) classes.push('reexported');
  rows.push({ repo: REPO, symbol_id: `${d.path}#${d.qname}:${d.kind}@${d.line}`, lang: KIND, name: d.name, qname: d.qname, kind: d.kind, path: d.path, line: d.line, col: d.col, decls: [[d.line, d.col]], sampled: sampled.has(d), aux: isAux(d.path), classes, refs: R, dontcare: [...opt.values()] });
  if (++done % 25 === 0) log(done, 'of', emit.length, 'references', total);
}
fs.mkdirSync(OUT, { recursive: true });
const gz = (f, rows) => fs.writeFileSync(path.join(OUT, f), zlib.gzipSync(rows.map(r => JSON.stringify(r)).join('\n') + '\n'));
gz(`${REPO}.jsonl.gz`, rows);
gz(`${REPO}.defs.jsonl.gz`, defs.filter(d => d.scope !== 'local').map(d => ({ repo: REPO, symbol_id: `${d.path}#${d.qname}:${d.kind}@${d.line}`, lang: KIND, name: d.name, qname: d.qname, kind: d.kind, accept: d.kind === 'enum' ? ['type', 'enum'] : d.kind === 'enum_member' ? ['property', 'variable'] : d.kind === 'method' ? ['method', 'function', 'property'] : d.kind === 'function' ? ['function', 'variable'] : d.kind === 'variable' ? ['variable', 'function'] : d.kind === 'property' ? ['property', 'variable', 'method'] : [d.kind], scope: d.scope === 'member' ? 'class' : 'module', required: true, path: d.path, line: d.line, col: d.col, start: d.line, decls: [[d.line, d.col]] })));
log('symbols', rows.length, 'references', total, 'unresolved', rows.reduce((n, r) => n + r.dontcare.filter(x => x[3] === 'unresolved').length, 0), 'of markup', rows.filter(r => r.classes.includes('markup')).length);
log('files that failed', [...failed].map(rel).slice(0, 8).join(' '), failed.size); service.close(); process.exit(0);
