// build.mjs - makes the extension: node build.mjs [--check] OUT.vsix VERSION [PLATFORM FOLDER]
//
// Joins src and the language client into dist/extension.js, the one file that the editor loads, and packs it.
// PLATFORM is VS Code's name of one (linux-x64), and FOLDER an installed codexmem (bin/codexmem,
// share/doc/codexmem/copyright), which is packed as well; without them the package is for all platforms.
// --check: first looks at the types.
import { execFileSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

const here = dirname(fileURLToPath(import.meta.url));
const given = process.argv.slice(2);
const check = given[0] === "--check" && given.shift();
const [out, version, platform, installed] = given;
// The terms of the packages that these files are from.
function noticesOf(files) {
  const packages = new Set(files.map((each) => /^node_modules\/(?:@[^/]+\/)?[^/]+/.exec(each)?.[0]).filter(Boolean));
  return [...packages].sort().map((folder) => {
    const terms = readdirSync(join(here, folder)).filter((each) => /^licen[cs]e/i.test(each));
    if (!terms.length) throw new Error(`${folder} has no licence`);
    return `---- ${folder.replace("node_modules/", "")} ----\n\n${terms.map((each) => readFileSync(join(here, folder, each), "utf8")).join("\n")}\n`;
  }).join("\n");
}
const tool = (name, ...args) => execFileSync(process.execPath, [join(here, "node_modules", name), ...args], { cwd: here, stdio: ["ignore", "ignore", "inherit"] });

if (check) tool("typescript/bin/tsc");
const staging = mkdtempSync(join(tmpdir(), "codexmem-vscode-"));
try {
  for (const each of ["package.json", "README.md", "media", "walkthrough"]) cpSync(join(here, each), join(staging, each), { recursive: true });
  const { metafile } = await build({
    absWorkingDir: here, entryPoints: ["src/extension.ts"], outfile: join(staging, "dist/extension.js"), bundle: true, minify: true,
    platform: "node", format: "cjs", target: "node20", external: ["vscode"], legalComments: "none", metafile: true, logLevel: "warning",
  });
  writeFileSync(join(staging, "NOTICES.txt"), noticesOf(Object.keys(metafile.inputs)));
  if (platform) {
    mkdirSync(join(staging, "bin"));
    cpSync(join(installed, "bin/codexmem"), join(staging, "bin/codexmem"));
    cpSync(join(installed, "share/doc/codexmem/copyright"), join(staging, "LICENSE.txt"));
  }
  const { createVSIX } = createRequire(import.meta.url)("@vscode/vsce");
  await createVSIX({
    cwd: staging, packagePath: resolve(out), version, updatePackageJson: false, target: platform, dependencies: false,
    skipLicense: true, allowMissingRepository: true, allowUnusedFilesPattern: true,
  });
} finally {
  rmSync(staging, { recursive: true, force: true });
}
