// Repositories that lie side by side in one folder, as one TypeScript program.
//
// An import is resolved as the nearest tsconfig.json says, then by the packages that the repositories publish (to
// their sources, where a manifest names what is built of them), then in a folder with the packages of others.
import fs from "node:fs";
import path from "node:path";

const kSources = /\.(ts|tsx|mts|cts|js|jsx|mjs|cjs)$/;
const kEndings = [".ts", ".tsx", ".mts", ".cts", ".js", ".mjs", ".cjs", "/index.ts", "/index.js", ".d.ts"];
const kSkipped = new Set(["node_modules", ".git", ".yarn"]);
const kMostBytes = 1 << 20;
const kPackageDepth = 5;

function* filesBelow(folder) {
  const entries = fs.readdirSync(folder, { withFileTypes: true });
  for (const entry of entries.sort((a, b) => (a.name < b.name ? -1 : 1))) {
    const full = path.join(folder, entry.name);
    if (entry.isDirectory() && !kSkipped.has(entry.name)) yield* filesBelow(full);
    else if (entry.isFile()) yield full;
  }
}

function listSources(root, without) {
  const isSource = (file) => kSources.test(file) && !/\.min\.js$/.test(file) && fs.statSync(file).size <= kMostBytes;
  return [...filesBelow(root)].filter((file) => isSource(file) && !without?.test(path.relative(root, file)));
}

// Manifests by the names of their packages.
function listPackages(root) {
  const packages = new Map();
  for (const file of filesBelow(root)) {
    if (path.basename(file) !== "package.json") continue;
    if (path.relative(root, file).split(path.sep).length > kPackageDepth + 1) continue;
    try {
      const manifest = JSON.parse(fs.readFileSync(file, "utf8"));
      if (manifest.name && !packages.has(manifest.name)) packages.set(manifest.name, { folder: path.dirname(file), manifest });
    } catch { /* no manifest */ }
  }
  return packages;
}

// All texts in what `exports` of a manifest says of an entry.
function targetsIn(value) {
  if (typeof value === "string") return [value];
  return value && typeof value === "object" ? Object.values(value).flatMap(targetsIn) : [];
}

class Resolver {
  constructor(ts, root, files, { types, base, conditions }) {
    Object.assign(this, { ts, root, types, base, conditions });
    this.files = new Set(files);
    this.packages = listPackages(root);
    this.configs = new Map();
    this.known = new Map();
    const { fileExists, readFile, directoryExists, getDirectories } = ts.sys;
    this.host = { fileExists, readFile, directoryExists, getDirectories, realpath: (file) => file };
  }

  isInside(file) { return file.startsWith(this.root + path.sep); }

  readConfig(file) {
    const { config } = this.ts.readConfigFile(file, this.ts.sys.readFile);
    if (!config) return {};
    config.files = [];
    delete config.include;
    delete config.references;
    return this.ts.parseJsonConfigFileContent(config, this.ts.sys, path.dirname(file), undefined, file).options;
  }

  // The options of the nearest configuration; of one folder's, the one with paths.
  options(folder) {
    if (this.configs.has(folder)) return this.configs.get(folder);
    let found;
    for (const name of ["tsconfig.json", "tsconfig.base.json", "jsconfig.json"]) {
      const file = path.join(folder, name);
      if (!fs.existsSync(file) || found?.paths || (found && name === "jsconfig.json")) continue;
      try { found = { ...this.readConfig(file) }; } catch { continue; }
      if (name === "tsconfig.json") break;
    }
    if (!found) found = folder === this.root || folder === path.dirname(folder) ? {} : this.options(path.dirname(folder));
    this.configs.set(folder, found);
    return found;
  }

  // The source that `target` of a manifest in `folder` is built of.
  sourceOf(folder, target) {
    const stem = target.replace(/^\.\//, "").replace(/\.d\.[mc]?ts$|\.[mc]?[jt]sx?$/, "");
    const stems = [stem, stem.replace(/^(lib|dist|build|out|umd|esm|cjs)(\/(esm|cjs|umd))?\//, "src/"), `src/${stem}`,
      stem.replace(/^(lib|dist)\/(esm|umd)\//, ""), stem.replace(/\/dist\//, "/src/"), stem.replace(/\/dist\/.*/, "/src/index")];
    for (const each of stems) {
      const found = kEndings.map((ending) => path.join(folder, each + ending)).find((file) => this.files.has(file));
      if (found) return found;
    }
    return undefined;
  }

  inPackages(specifier) {
    const parts = specifier.split("/");
    const name = specifier.startsWith("@") ? parts.slice(0, 2).join("/") : parts[0];
    const found = this.packages.get(name);
    if (!found) return undefined;
    const { folder, manifest } = found;
    const entry = "." + specifier.slice(name.length);
    const { exports } = manifest;
    let targets = [entry, `${entry}/index`];
    if (exports && typeof exports === "object" && exports[entry]) {
      targets = targetsIn(exports[entry]);
    } else if (entry === ".") {
      const main = typeof exports === "string" || (exports && !exports["."]) ? targetsIn(exports) : [];
      targets = [manifest.types, manifest.typings, manifest.module, manifest.main, ...main, "src/index"].filter(Boolean);
    }
    for (const target of targets) {
      const file = this.sourceOf(folder, target);
      if (file) return { resolvedFileName: file, extension: path.extname(file), isExternalLibraryImport: false };
    }
    return undefined;
  }

  resolve(specifier, from) {
    const key = [path.dirname(from), specifier, path.extname(from)].join("\0");
    if (!this.known.has(key)) this.known.set(key, this.find(specifier, from));
    return this.known.get(key);
  }

  find(specifier, from) {
    const { ts } = this;
    const isOwn = this.isInside(from);
    const { paths, baseUrl, pathsBasePath, customConditions } = isOwn ? this.options(path.dirname(from)) : {};
    const options = { ...this.base, paths, baseUrl, pathsBasePath, customConditions: customConditions ?? this.conditions };
    let found = ts.resolveModuleName(specifier, from, options, this.host).resolvedModule;
    if (found && isOwn && !this.isInside(found.resolvedFileName)) found = undefined;
    // JavaScript that imports means the .js file, not the declarations that lie beside it.
    if (found && /\.d\.[mc]?ts$/.test(found.resolvedFileName) && /\.[mc]?jsx?$/.test(from)) {
      const script = [".js", ".mjs", ".cjs"].map((ending) => found.resolvedFileName.replace(/\.d\.[mc]?ts$/, ending))
        .find((file) => this.files.has(file));
      if (script) found = { resolvedFileName: script, extension: path.extname(script), isExternalLibraryImport: false };
    }
    if (!found && isOwn) found = this.inPackages(specifier);
    if (!found && !specifier.startsWith(".") && this.types) {
      found = ts.resolveModuleName(specifier, path.join(this.types, "x.ts"), this.base, this.host).resolvedModule;
    }
    return found;
  }
}

/// A language service over the sources below `root` (absolute) but those whose relative path matches `without`; `types`
/// is a folder whose node_modules has what the repositories import and none of them publishes.
export function openProject(ts, root, { without, types, conditions }) {
  const files = listSources(root, without);
  const base = {
    target: ts.ScriptTarget.ESNext, module: ts.ModuleKind.ESNext, moduleResolution: ts.ModuleResolutionKind.Bundler,
    moduleDetection: ts.ModuleDetectionKind.Force, lib: ["lib.esnext.d.ts", "lib.dom.d.ts", "lib.dom.iterable.d.ts"],
    allowJs: true, checkJs: false, jsx: ts.JsxEmit.Preserve, strict: true, noEmit: true, skipLibCheck: true,
    esModuleInterop: true, allowSyntheticDefaultImports: true, resolveJsonModule: true, experimentalDecorators: true,
    allowImportingTsExtensions: true, maxNodeModuleJsDepth: 0,
    ...(types ? { types: ["node", "react"], typeRoots: [path.join(types, "node_modules/@types")] } : { types: [] }),
  };
  const resolver = new Resolver(ts, root, files, { types, base, conditions });
  const { fileExists, readFile, directoryExists, getDirectories } = ts.sys;
  const service = ts.createLanguageService({
    getCompilationSettings: () => base, getScriptFileNames: () => files, getScriptVersion: () => "1",
    getScriptSnapshot: (file) => {
      const text = readFile(file);
      return text === undefined ? undefined : ts.ScriptSnapshot.fromString(text);
    },
    getCurrentDirectory: () => root, getDefaultLibFileName: (options) => ts.getDefaultLibFilePath(options),
    fileExists, readFile, directoryExists, getDirectories, realpath: (file) => file, useCaseSensitiveFileNames: () => true,
    resolveModuleNameLiterals: (literals, from) => literals.map(({ text }) => ({ resolvedModule: resolver.resolve(text, from) })),
  }, ts.createDocumentRegistry());
  return { service, files: resolver.files };
}
