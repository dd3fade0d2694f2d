// The two sides of a comparison: what a compiler says, and codexmem over MCP.
import fs from "node:fs";
import { parseArgs } from "node:util";
import { Peer } from "./peer.mjs";

const modules = { typescript: "typescript", python: "python", go: "rows", java: "rows", c: "rows", cpp: "rows", rust: "rows", csharp: "rows", php: "rows", elixir: "rows", kotlin: "rows" };

// { args, oracle, call(tool, arguments), close() } of a program's arguments; `more` are its own options.
export async function session(program, more = {}) {
  const options = { repo: { type: "string" }, language: { type: "string", default: "typescript" }, codexmem: { type: "string" }, "class-path": { type: "string" }, database: { type: "string" }, ...more };
  const { values: args } = parseArgs({ options });
  if (!args.repo || !args.codexmem || !modules[args.language]) {
    console.error(`usage: node ${program} --repo DIR --language ${Object.keys(modules).join("|")} --codexmem PATH ` +
      Object.entries(more).map(([name, { type }]) => (type === "boolean" ? `[--${name}]` : `[--${name} X]`)).join(" ") + " [--class-path JARS] [--database compile_commands.json, or the rows of Rust]");
    process.exit(2);
  }
  const root = fs.realpathSync(args.repo);
  const { open } = await import(`./${modules[args.language]}.mjs`);
  const oracle = await open(root, { language: args.language, classPath: args["class-path"], database: args.database }).catch((error) => {
    console.error(error.message);
    process.exit(1);
  });
  const server = new Peer(args.codexmem, ["serve", root], { framed: false, answer: () => ({}) });
  await server.request("initialize", { protocolVersion: "2025-11-25", capabilities: {}, clientInfo: { name: "compare", version: "1" } });
  server.notify("notifications/initialized", {});
  const call = async (name, toolArguments) => {
    const result = await server.request("tools/call", { name, arguments: toolArguments });
    return result.isError ? { error: result.content[0].text } : result.structuredContent;
  };
  return { args, oracle, call, close() { server.close(); oracle.close(); } };
}

// All items of get_references, page by page.
export async function references(call, toolArguments) {
  const found = [];
  for (;;) {
    const answer = await call("get_references", { ...toolArguments, ...(found.length ? { offset: found.length } : {}) });
    const items = answer.results ?? [];
    found.push(...items);
    if (items.length === 0 || !answer.omitted) return found;
  }
}

export const share = (a, b) => (b === 0 ? "-" : (a / b).toFixed(3));
