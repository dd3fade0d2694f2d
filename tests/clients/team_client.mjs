// A client of both lines of the TypeScript SDK for tests/teamserver/balanced_test.py: asks URL with TOKEN the same
// again and again, and prints what it saw as JSON.
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";

const [url, token, symbol, times] = process.argv.slice(2);
const options = { requestInit: { headers: { Authorization: `Bearer ${token}` } } };

async function ask(client) {
  const tools = (await client.listTools()).tools.map((tool) => tool.name);
  const answers = new Set();
  for (let i = 0; i < Number(times); ++i) {
    const answer = await client.callTool({ name: "find_symbol", arguments: { symbol } });
    answers.add(JSON.stringify(answer.structuredContent.results));
  }
  const resources = (await client.listResources()).resources.length;
  const prompts = (await client.listPrompts()).prompts.length;
  await client.close();
  return { tools: tools.length, answers: [...answers], resources, prompts };
}

const result = {};
const first = new Client({ name: "codexmem-test", version: "1.0.0" });
await first.connect(new StreamableHTTPClientTransport(new URL(url), options));
result.session = await ask(first);

const sdk = await import("@modelcontextprotocol/client");
const second = new sdk.Client({ name: "codexmem-test", version: "1.0.0" }, { versionNegotiation: { mode: "auto" } });
await second.connect(new sdk.StreamableHTTPClientTransport(new URL(url), options));
result.stateless = await ask(second);
result.version = second.getNegotiatedProtocolVersion?.() ?? null;
console.log(JSON.stringify(result));
