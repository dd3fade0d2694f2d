// Starts the server that an entry of .vscode/mcp.json describes and calls one tool: node sdk_host.mjs
// ENTRY CALL, both JSON; prints {"tools": [...], "answer": ...}.
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";

const require = createRequire(join(dirname(fileURLToPath(import.meta.url)), "../clients/package.json"));
const load = (name) => import(pathToFileURL(require.resolve(name)));
const { Client } = await load("@modelcontextprotocol/sdk/client/index.js");
const { StdioClientTransport } = await load("@modelcontextprotocol/sdk/client/stdio.js");

const [entry, [tool, given]] = process.argv.slice(2).map((text) => JSON.parse(text));
const client = new Client({ name: "codexmem-hosts", version: "1.0.0" });
await client.connect(new StdioClientTransport({ ...entry, env: process.env }));
const { tools } = await client.listTools();
const answer = await client.callTool({ name: tool, arguments: given });
console.log(JSON.stringify({ tools: tools.map(({ name }) => name), answer }));
await client.close();
