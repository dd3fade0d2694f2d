// The client of the TypeScript SDK's second line, which speaks the stateless revision and probes for
// it. It needs Node 20; older ones skip this file.
import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";

const testServer = process.env.CODEXMEM_TEST_SERVER;
const skip = Number(process.versions.node.split(".")[0]) < 20 ? "needs Node 20" : false;

async function connect(mode, args) {
  const { Client } = await import("@modelcontextprotocol/client");
  const { StdioClientTransport } = await import("@modelcontextprotocol/client/stdio");
  const client = new Client({ name: "codexmem-test", version: "1.0.0" }, { versionNegotiation: { mode } });
  await client.connect(new StdioClientTransport({ command: testServer, args, stderr: "inherit" }));
  return client;
}

for (const [name, mode, revision] of [
  ["that probes", "auto", "2026-07-28"],
  ["that speaks nothing older", { pin: "2026-07-28" }, "2026-07-28"],
  ["that keeps to the handshake", "legacy", "2025-11-25"],
]) {
  describe(`a client ${name}`, { skip }, () => {
    let client;
    before(async () => { client = await connect(mode, ["fixture"]); });
    after(() => client?.close());

    it(`settles on ${revision}`, () => {
      assert.equal(client.getNegotiatedProtocolVersion(), revision);
      assert.equal(client.getServerVersion().name, "codexmem");
      assert.ok(client.getInstructions().includes("search_code"));
    });

    it("lists and calls tools", async () => {
      const { tools } = await client.listTools();
      assert.ok(tools.length > 0);
      const result = await client.callTool({ name: "echo", arguments: { text: "hello" } });
      assert.deepEqual(result.structuredContent, { text: "hello" });
    });

    it("sees failures as results and unknown tools as errors", async () => {
      const result = await client.callTool({ name: "echo", arguments: { text: 7 } });
      assert.equal(result.isError, true);
      assert.equal(result.structuredContent.type, "ValidationError");
      await assert.rejects(client.callTool({ name: "no_such_tool" }), { code: -32602 });
    });

    it("cancels", async () => {
      const abort = new AbortController();
      const waiting = client.callTool({ name: "wait" }, { signal: abort.signal });
      setTimeout(() => abort.abort(), 50);
      await assert.rejects(waiting);
      await client.listTools();
    });
  });
}

describe("failures in the stateless revision", { skip }, () => {
  it("fit every tool's output schema", async () => {
    const client = await connect("auto", ["failures", "DatabaseError"]);
    for (const tool of (await client.listTools()).tools) {
      const result = await client.callTool({ name: tool.name, arguments: { query: "a", symbol: "a", file_path: "a", new_name: "b", text: "a" } });
      assert.equal(result.structuredContent.type, "DatabaseError");
    }
    await client.close();
  });
});
