// bundle.mjs OUT - joins the page's sources and libraries into the one document OUT, and writes
// OUT.d, which names every file that went into it.
import { readFileSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

const [out] = process.argv.slice(2);
const here = dirname(fileURLToPath(import.meta.url));
const { outputFiles, metafile } = await build({
  absWorkingDir: here, entryPoints: ["shell.js", "viewer.css", "code.css"], bundle: true, minify: true, write: false,
  outdir: here, target: ["es2022"], format: "esm", charset: "utf8", legalComments: "none",
  metafile: true, logLevel: "warning",
});
const text = (ending) => outputFiles.filter((each) => each.path.endsWith(ending)).map((each) => each.text.trim()).join("\n");
const page = readFileSync(join(here, "viewer.html"), "utf8")
  .replace("@viewer_css@", () => text(".css")).replace("@viewer_js@", () => text(".js"));
writeFileSync(out, page);
const read = [...Object.keys(metafile.inputs).map((each) => resolve(here, each)),
  join(here, "viewer.html"), fileURLToPath(import.meta.url)];
writeFileSync(`${out}.d`, `${out}: ${read.map((each) => each.replaceAll(" ", "\\ ")).join(" ")}\n`);
