// What Go's type checker, javac, clang and rust-analyzer say: the rows that ../go, ../java, ../c (C, C++) and ../rust print of every identifier.
import { spawn, spawnSync } from "node:child_process";
import path from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { isTest } from "./files.mjs";

const here = path.dirname(path.dirname(fileURLToPath(import.meta.url)));

function need(command, argument, what) {
  if (spawnSync(command, [argument], { stdio: "ignore" }).error) throw new Error(`${command} is not installed: ${what}`);
}

function goCommand(root) {
  need("go", "version", "Go repositories are compared with what Go 1.24 or newer says of them");
  return ["go", ["run", ".", root], path.join(here, "go")];
}

function javaCommand(root, classPath) {
  need("javac", "-version", "Java repositories are compared with what a JDK 17 or newer says of them");
  if (classPath === undefined) {
    need("mvn", "-v", "Maven finds the class path; give --class-path JARS instead");
    const found = spawnSync("python3", [path.join(here, "java/classpath.py"), root], { stdio: ["ignore", "pipe", "ignore"], encoding: "utf8" });
    if (found.status !== 0) console.error("Maven could not resolve the dependencies: what they declare is undecided");
    classPath = found.status === 0 ? found.stdout.trim() : "";
  }
  const open = ["api", "code", "tree", "util"].map((p) => `--add-exports=jdk.compiler/com.sun.tools.javac.${p}=ALL-UNNAMED`);
  return ["java", [...open, "-Xmx4g", path.join(here, "java/Oracle.java"), root, "-cp", classPath || "."], root];
}

function cCommand(root, database, language) {
  if (database === undefined) throw new Error("C and C++ need --database compile_commands.json");
  const program = process.env.CODEXMEM_C_ORACLE ?? "/tmp/codexmem-c-oracle";
  need(program, "--version", `make -C ${path.join(here, "c")}`);
  return [program, ["--root", root, "--database", path.resolve(database), ...(language === "cpp" ? ["--cpp"] : [])], root];
}

function rustCommand(root, rows) {
  return rows === undefined ? ["python3", [path.join(here, "rust/oracle.py"), root], root] : ["cat", [path.resolve(rows)], root];
}

function rowsCommand(root, rows) {
  if (rows === undefined) throw new Error("C#, Kotlin, PHP and Elixir need --database ROWS.jsonl, which csharp/Oracle.cs, kotlin/Oracle.kt, php/oracle.mjs and elixir/oracle.exs print");
  return ["cat", [path.resolve(rows)], root];
}

// Roles of uses that count neither way.
const undecided = new Set(["keyword", "macro", "ambiguous", "undef", "dependent", "construct", "self"]);
const doubtful = new Set(["macro", "ambiguous", "dependent"]);

export async function open(root, { language, classPath, database }) {
  const commands = { go: goCommand, java: javaCommand, c: cCommand, cpp: cCommand, rust: rustCommand, csharp: rowsCommand, php: rowsCommand, elixir: rowsCommand, kotlin: rowsCommand };
  const [command, commandArguments, cwd] = commands[language](root, language === "java" ? classPath : database, language);
  const child = spawn(command, commandArguments, { cwd, stdio: ["ignore", "pipe", "inherit"] });
  const ended = new Promise((resolve) => child.on("close", resolve));
  const definitions = new Map();  // place -> row
  const uses = new Map();         // place of a definition -> rows
  const places = new Map();       // place of a name -> rows
  const taken = new Set();        // files
  const family = new Map();       // place of a definition -> places of those that it overrides or that override it
  const add = (map, key, value) => (map.has(key) ? map.get(key).push(value) : map.set(key, [value]));
  for await (const line of createInterface({ input: child.stdout })) {
    const row = JSON.parse(line);
    if (row.row === "file" && row.taken) taken.add(row.path);
    else if (row.row === "def") definitions.set(row.at, row);
    else if (row.row === "family") { add(family, row.a, row.b); add(family, row.b, row.a); }
    else if (row.row === "use") {
      if (row.role === "doc") continue;
      add(places, row.at, row);
      if (row.to && !undecided.has(row.role)) add(uses, row.to, row);
    }
  }
  if ((await ended) !== 0) throw new Error(`${command} failed`);
  const withPlace = (row) => {
    const [, file, line] = /^(.*):(\d+):\d+$/.exec(row.at);
    const container = row.qname.split(".").slice(0, -1);
    return { name: row.name, container, file, line: Number(line), key: `${file}#${row.qname}`, at: row.at, kind: row.kind };
  };
  const asked = [...definitions.values()].filter((row) => row.scope !== "local").map(withPlace).filter((d) => taken.has(d.file));
  const overloads = new Map();
  for (const definition of asked) add(overloads, definition.key, definition);
  const isFamily = (definition, place) => overloads.get(definition.key).some((d) => family.get(d.at)?.includes(place));
  const kindOf = (place) => (definitions.get(place)?.scope === "local" ? undefined : definitions.get(place)?.kind);
  const isFunction = (place) => ["function", "method"].includes(kindOf(place)) && definitions.get(place).detail !== "macro";
  return {
    definitions: [...overloads.values()].map((list) => list[0]).filter((d) => !isTest(d.file)),
    references: async (definition) => new Set(overloads.get(definition.key)
      .flatMap((d) => uses.get(d.at) ?? []).map((use) => use.at.replace(/:\d+$/, ""))),
    resolves: async (file, line, column, definition) =>
      (places.get(`${file}:${line}:${column}`) ?? []).some((row) => (row.to || row.ext !== undefined) && !isFamily(definition, row.to)),
    close() {},
    callEdges: () => ({
      functions: asked.filter((d) => isFunction(d.at) || (language === "cpp" && d.kind === "constructor")).map((d) => ({ ...d, key: d.at })),
      callAt(place) {
        const rows = places.get(place) ?? [];
        const inside = rows.find((row) => row.in)?.in;
        const open = rows.flatMap((row) => (row.to && doubtful.has(row.role) ? [row.to] : []));
        const targets = rows.flatMap((row) => (row.to && !open.includes(row.to) ? [row.to] : []));
        return {
          caller: isFunction(inside) || kindOf(inside) === "constructor" ? inside : undefined,
          targets, related: [...open, ...targets.flatMap((to) => family.get(to) ?? [])], isKnown: rows.some((row) => row.to || row.ext !== undefined),
        };
      },
      calls: [...places].filter(([, rows]) => rows.some((row) => row.call)).map(([place]) => place),
    }),
  };
}
