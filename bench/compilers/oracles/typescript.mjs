// What TypeScript's language service says of TypeScript and JavaScript.
import fs from "node:fs";
import path from "node:path";
import { createRequire } from "node:module";
import { isTest, listFiles, relativeTo } from "./files.mjs";

export async function open(root) {
  const relative = relativeTo(root);
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
    callEdges: () => callEdges(ts, program, files, relative),
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

// Functions and methods, what stands at each call, and the places of the calls, as calls.mjs wants them.
function callEdges(ts, program, files, relative) {
  const checker = program.getTypeChecker();
  const sources = files.map((file) => program.getSourceFile(file)).filter((source) => source && !source.fileName.endsWith(".d.ts"));
  const placeOf = (node) => {
    const source = node.getSourceFile();
    const { line, character } = source.getLineAndCharacterOfPosition(node.getStart(source));
    return `${relative(source.fileName)}:${line + 1}:${character + 1}`;
  };
  const isFunction = (node) => {
    if (ts.isFunctionDeclaration(node) || ts.isMethodDeclaration(node) || ts.isMethodSignature(node)) return true;
    if (!ts.isVariableDeclaration(node) && !ts.isPropertyDeclaration(node)) return false;
    const value = node.initializer && ts.skipOuterExpressions(node.initializer);
    return value !== undefined && (ts.isArrowFunction(value) || ts.isFunctionExpression(value));
  };
  const byKey = new Map();
  const keys = new Map();  // declaration -> key of the function; overloads share one
  const visit = (statements, container, source) => {
    const add = (node) => {
      if (!isFunction(node) || !node.name || !ts.isIdentifier(node.name)) return;
      const qualified = [...container, node.name.text].join(".");
      const id = `${source.fileName}#${qualified}`;
      if (!byKey.has(id)) {
        const key = placeOf(node.name);
        byKey.set(id, { name: node.name.text, container, file: relative(source.fileName), line: Number(key.split(":").at(-2)), key });
      }
      keys.set(node, byKey.get(id).key);
    };
    for (const node of statements) {
      if (ts.isVariableStatement(node)) node.declarationList.declarations.forEach(add);
      else if ((ts.isClassDeclaration(node) || ts.isInterfaceDeclaration(node)) && node.name) {
        container = [...container, node.name.text];
        node.members.forEach(add);
        container = container.slice(0, -1);
      } else if (ts.isModuleDeclaration(node) && node.body && ts.isModuleBlock(node.body)) {
        visit(node.body.statements, [...container, node.name.text], source);
      } else add(node);
    }
  };
  for (const source of sources) visit(source.statements, [], source);
  const family = new Map();  // key -> keys of the methods that it overrides or that override it
  for (const [node, key] of keys) {
    const seen = new Set();
    const above = (declaration) => {
      for (const clause of declaration.heritageClauses ?? []) {
        for (const type of clause.types.map((t) => checker.getTypeAtLocation(t))) {
          if (seen.has(type)) continue;
          seen.add(type);
          for (const other of (checker.getPropertyOfType(type, node.name.text)?.declarations ?? []).map((d) => keys.get(d))) {
            if (other) for (const [a, b] of [[key, other], [other, key]]) family.set(a, (family.get(a) ?? new Set()).add(b));
          }
          for (const d of type.symbol?.declarations ?? []) above(d);
        }
      }
    };
    if (ts.isClassLike(node.parent) || ts.isInterfaceDeclaration(node.parent)) above(node.parent);
  }
  const targetsOf = (name) => {
    let symbol = checker.getSymbolAtLocation(name);
    if (symbol && symbol.flags & ts.SymbolFlags.Alias) symbol = checker.getAliasedSymbol(symbol);
    return symbol?.declarations ?? [];
  };
  const found = new Map();
  const calls = [];
  const walk = (node, caller) => {
    const inside = caller ?? keys.get(node) ??
      (ts.isConstructorDeclaration(node) && ts.isClassDeclaration(node.parent) && node.parent.name ? placeOf(node) : undefined);
    if (ts.isCallExpression(node) || ts.isTaggedTemplateExpression(node)) {
      const called = ts.skipOuterExpressions(node.expression ?? node.tag);
      const name = ts.isPropertyAccessExpression(called) ? called.name : called;
      if (ts.isIdentifier(name)) {
        const declarations = targetsOf(name);
        const place = placeOf(name);
        const targets = declarations.map((d) => keys.get(d)).filter(Boolean);
        found.set(place, { caller: inside, targets, related: targets.flatMap((t) => [...(family.get(t) ?? [])]), isKnown: declarations.length > 0 });
        calls.push(place);
      }
    }
    ts.forEachChild(node, (child) => walk(child, inside));
  };
  for (const source of sources) walk(source, undefined);
  return { functions: [...byKey.values()], callAt: (place) => found.get(place), calls };
}
