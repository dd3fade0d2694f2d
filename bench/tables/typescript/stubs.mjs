// Writes what the library of TypeScript and Node's modules declare as stub files: see ../README.md.
//
//     node stubs.mjs TYPESCRIPT NODE_TYPES OUT [NAME ...]
//
// TYPESCRIPT is the folder of the package typescript, NODE_TYPES that of @types/node. A unit is
// global/NAME.d.ts, all that declares the global NAME, or MODULE.d.ts, a module of Node. Each NAME
// is a global that is left out (library.txt says what it holds and gives). Comments, names of
// parameters, texts of string types and repeated overloads are left out.
import { createRequire } from 'node:module';
import fs from 'node:fs';
import path from 'node:path';

const [, , typescriptFolder, nodeTypes, out, ...leftOut] = process.argv;
const ts = createRequire(path.resolve(typescriptFolder, 'package.json'))('typescript');
const factory = ts.factory;

// ---- What is read: the standard library with the DOM, then Node.

const libraryFolder = path.join(typescriptFolder, 'lib');
const sources = [];
const seen = new Set();
function readLibrary(name) {
  if (seen.has(name)) return;
  seen.add(name);
  const text = fs.readFileSync(path.join(libraryFolder, name), 'utf8');
  for (const [, inner] of text.matchAll(/^\/\/\/ <reference lib="([^"]+)"/gm)) readLibrary(`lib.${inner}.d.ts`);
  sources.push([name, text]);
}
for (const name of ['lib.esnext.full.d.ts', 'lib.dom.asynciterable.d.ts']) readLibrary(name);
function readFolder(folder) {
  for (const entry of fs.readdirSync(folder, { withFileTypes: true }).sort((a, b) => (a.name < b.name ? -1 : 1))) {
    const at = path.join(folder, entry.name);
    if (entry.isDirectory()) {
      // Those of older compilers say the same again.
      if (!/^(ts\d|node_modules)/.test(entry.name)) readFolder(at);
    } else if (entry.name.endsWith('.d.ts')) {
      sources.push([entry.name, fs.readFileSync(at, 'utf8')]);
    }
  }
}
readFolder(nodeTypes);

// ---- What is left out of a declaration.

const isText = (node) => ts.isLiteralTypeNode(node) && (ts.isStringLiteral(node.literal) || ts.isNoSubstitutionTemplateLiteral(node.literal));
const string = () => factory.createKeywordTypeNode(ts.SyntaxKind.StringKeyword);
const dropped = new Set([ts.SyntaxKind.InKeyword, ts.SyntaxKind.OutKeyword, ts.SyntaxKind.ConstKeyword]);

function plain(context) {
  const visit = (node) => {
    if (ts.isParameter(node)) {
      const isThis = ts.isIdentifier(node.name) && node.name.text === 'this';
      const index = node.parent?.parameters ? node.parent.parameters.indexOf(node) : 0;
      const name = isThis ? node.name : factory.createIdentifier(String.fromCharCode(97 + Math.max(0, index) % 26));
      return factory.updateParameterDeclaration(node, node.modifiers?.filter((m) => m.kind !== ts.SyntaxKind.Decorator), node.dotDotDotToken,
        name, node.questionToken, node.type && ts.visitNode(node.type, visit), undefined);
    }
    // typeof globalThis extends { onmessage: any } ? {} : ...: there is a DOM.
    if (ts.isConditionalTypeNode(node) && ts.isTypeQueryNode(node.checkType) && node.checkType.exprName.getText?.() === 'globalThis') {
      return ts.visitNode(node.trueType, visit);
    }
    if (ts.isTypePredicateNode(node)) {
      return factory.createKeywordTypeNode(node.assertsModifier ? ts.SyntaxKind.VoidKeyword : ts.SyntaxKind.BooleanKeyword);
    }
    if (isText(node) || ts.isTemplateLiteralTypeNode(node)) return string();
    if (ts.isUnionTypeNode(node)) {
      const parts = [];
      let hasString = false;
      for (const part of node.types) {
        const told = ts.visitNode(part, visit);
        const isString = told.kind === ts.SyntaxKind.StringKeyword;
        if (!isString || !hasString) parts.push(told);
        hasString ||= isString;
      }
      return parts.length === 1 ? parts[0] : factory.createUnionTypeNode(parts);
    }
    if (ts.isTypeParameterDeclaration(node)) {
      return factory.updateTypeParameterDeclaration(node, node.modifiers?.filter((m) => !dropped.has(m.kind)), node.name,
        node.constraint && ts.visitNode(node.constraint, visit), node.default && ts.visitNode(node.default, visit));
    }
    if (ts.isImportDeclaration(node) || ts.isExportDeclaration(node)) {
      const from = node.moduleSpecifier && factory.createStringLiteral(node.moduleSpecifier.text.replace(/^node:/, ''));
      return ts.isImportDeclaration(node)
        ? factory.updateImportDeclaration(node, undefined, node.importClause, from, undefined)
        : factory.updateExportDeclaration(node, undefined, node.isTypeOnly, node.exportClause, from, undefined);
    }
    if (ts.isExternalModuleReference(node)) {
      return factory.createExternalModuleReference(factory.createStringLiteral(node.expression.text.replace(/^node:/, '')));
    }
    if (ts.isImportTypeNode(node) && ts.isLiteralTypeNode(node.argument)) {
      const from = factory.createLiteralTypeNode(factory.createStringLiteral(node.argument.literal.text.replace(/^node:/, '')));
      return factory.updateImportTypeNode(node, from, undefined, node.qualifier, node.typeArguments?.map((t) => ts.visitNode(t, visit)), node.isTypeOf);
    }
    return ts.visitEachChild(node, visit, context);
  };
  return (root) => ts.visitNode(root, visit);
}
const printer = ts.createPrinter({ removeComments: true, omitTrailingSemicolon: false });
const print = (node, file) => printer.printNode(ts.EmitHint.Unspecified, node, file).replace(/\n\s*/g, '\n');

// ---- Declarations of one name are one: interfaces and namespaces are merged.

class Unit {
  parts = new Map(); // by kind and name: { head, heritage, members } or { texts }
  take(node, file, isIn = false) {
    if (ts.isVariableStatement(node)) {
      for (const declaration of node.declarationList.declarations) {
        const exported = isIn && node.modifiers?.some((m) => m.kind === ts.SyntaxKind.ExportKeyword) ? 'export ' : isIn ? '' : 'declare ';
        this.once(`var ${print(declaration.name, file)}`, `${exported}var ${print(declaration, file)};`);
      }
    } else if (ts.isInterfaceDeclaration(node)) {
      const exported = isIn && node.modifiers?.length ? 'export ' : '';
      const known = this.part(`interface ${node.name.text}`);
      known.head ??= `${exported}interface ${node.name.text}${node.typeParameters?.length ? `<${node.typeParameters.map((p) => print(p, file)).join(', ')}>` : ''}`;
      known.heritage ??= new Set();
      for (const clause of node.heritageClauses ?? []) for (const type of clause.types) known.heritage.add(print(type, file));
      known.members ??= new Set();
      for (const member of node.members) known.members.add(print(member, file));
    } else if (ts.isModuleDeclaration(node) && node.body && ts.isModuleBlock(node.body)) {
      const exported = isIn && node.modifiers?.some((m) => m.kind === ts.SyntaxKind.ExportKeyword) ? 'export ' : isIn ? '' : 'declare ';
      const known = this.part(`namespace ${node.name.text}`);
      known.head ??= `${exported}namespace ${node.name.text}`;
      known.inner ??= new Unit();
      for (const inner of node.body.statements) known.inner.take(inner, file, true);
    } else if (ts.isFunctionDeclaration(node)) {
      this.part(`function ${node.name.text}`).texts.add(print(node, file));
    } else if (ts.isClassDeclaration(node) || ts.isTypeAliasDeclaration(node) || ts.isEnumDeclaration(node)) {
      this.once(`${ts.isTypeAliasDeclaration(node) ? 'type' : 'class'} ${node.name.text}`, print(node, file));
    } else if (!ts.isEmptyStatement(node)) {
      this.part('rest').texts.add(print(node, file));
    }
  }
  part(key) {
    if (!this.parts.has(key)) this.parts.set(key, { texts: new Set() });
    return this.parts.get(key);
  }
  once(key, text) {
    if (!this.parts.has(key)) this.part(key).texts.add(text);
  }
  text() {
    let all = '';
    for (const { head, heritage, members, inner, texts } of this.parts.values()) {
      if (members) all += `${head}${heritage.size ? ` extends ${[...heritage].join(', ')}` : ''} {\n${[...members].join('\n')}\n}\n`;
      if (inner) all += `${head} {\n${inner.text()}}\n`;
      for (const text of texts) all += `${text}\n`;
    }
    return all;
  }
}

const units = new Map();
const unit = (name) => {
  if (!units.has(name)) units.set(name, new Unit());
  return units.get(name);
};
function takeGlobal(node, file) {
  const names = ts.isVariableStatement(node) ? node.declarationList.declarations.map((d) => d.name.text) : node.name ? [node.name.text] : [];
  for (const name of names) {
    if (leftOut.includes(name) || name === 'globalThis') continue;
    if (!ts.isVariableStatement(node)) {
      unit(`global/${name}`).take(node, file);
      continue;
    }
    const declaration = node.declarationList.declarations.find((d) => d.name.text === name);
    unit(`global/${name}`).take(factory.updateVariableStatement(node, node.modifiers, factory.createVariableDeclarationList([declaration])), file);
  }
}
for (const [name, text] of sources) {
  const parsed = ts.createSourceFile(name, text, ts.ScriptTarget.Latest, true);
  const file = ts.transform(parsed, [plain]).transformed[0];
  const isModule = ts.isExternalModule(parsed);
  for (const node of file.statements) {
    if (!ts.isModuleDeclaration(node)) {
      if (!isModule) takeGlobal(node, parsed);
    } else if (ts.isStringLiteral(node.name)) {
      const bare = node.name.text.replace(/^node:/, '');
      // declare module "node:fs" { export * from "fs"; }
      const repeats = (inner) =>
        (ts.isExportDeclaration(inner) && inner.moduleSpecifier?.text === bare) ||
        (ts.isImportEqualsDeclaration(inner) && ts.isExternalModuleReference(inner.moduleReference) && inner.moduleReference.expression.text === bare);
      if (bare !== node.name.text && node.body?.statements.some(repeats)) continue;
      for (const inner of node.body?.statements ?? []) {
        const isGlobal = ts.isModuleDeclaration(inner) && inner.name.text === 'global';
        if (isGlobal) for (const deep of inner.body.statements) takeGlobal(deep, parsed);
        else unit(bare).take(inner, parsed, true);
      }
    } else if (node.name.text === 'global') {
      for (const deep of node.body.statements) takeGlobal(deep, parsed);
    } else if (!isModule) {
      takeGlobal(node, parsed);
    }
  }
}
let size = 0;
for (const [name, { }] of units) {
  let text = units.get(name).text();
  // A module that is only known by its other name: export * from itself.
  text = text.replace(new RegExp(`^export \\* from "${name}";\\n`, 'm'), '');
  if (!text) continue;
  if (!name.startsWith('global/')) text += 'export {};\n';
  const at = path.join(out, `${name}.d.ts`);
  fs.mkdirSync(path.dirname(at), { recursive: true });
  fs.writeFileSync(at, text);
  size += text.length;
}
console.log(`${units.size} units, ${size} bytes`);
