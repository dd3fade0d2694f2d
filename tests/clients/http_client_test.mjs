// The clients of both lines of the TypeScript SDK over streamable HTTP: against the fixtures, and against
// `codexmem serve --http` by way of what a client of ours may meet: clients that die, that read slowly, many at once.
//
// CODEXMEM_CONFORMANCE_SERVER is tests/mcp/conformance_server.cpp; CODEXMEM_PROGRAM is codexmem, if it was built.
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import http from "node:http";
import net from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, it } from "node:test";
import { pathToFileURL } from "node:url";

import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { CallToolResultSchema, ListRootsRequestSchema, LoggingMessageNotificationSchema } from "@modelcontextprotocol/sdk/types.js";

const skip = Number(process.versions.node.split(".")[0]) < 20 ? "needs Node 20" : false;

// A server that prints its address.
function start(command, args, env = {}, cwd = undefined) {
  const child = spawn(command, args, { stdio: ["ignore", "pipe", "inherit"], env: { ...process.env, ...env }, cwd });
  return new Promise((resolve, reject) => {
    let text = "";
    child.stdout.on("data", (data) => {
      text += data;
      if (text.includes("\n")) resolve({ child, url: new URL(text.split("\n")[0]) });
    });
    child.on("exit", (code) => reject(new Error(`the server ended with ${code}`)));
  });
}

async function stop({ child }) {
  const ended = new Promise((resolve) => child.on("exit", resolve));
  child.kill("SIGTERM");
  assert.equal(await ended, 0);
}

async function connect(url) {
  const transport = new StreamableHTTPClientTransport(url);
  const client = new Client({ name: "codexmem-test", version: "1.0.0" });
  await client.connect(transport);
  return { client, transport };
}

async function connectSecondLine(url, mode) {
  const sdk = await import("@modelcontextprotocol/client");
  const client = new sdk.Client({ name: "codexmem-test", version: "1.0.0" }, { versionNegotiation: { mode } });
  await client.connect(new sdk.StreamableHTTPClientTransport(url));
  return client;
}

// One request by hand: status, headers, text.
function ask(url, { method = "POST", headers = {}, body = "" } = {}) {
  return new Promise((resolve, reject) => {
    const request = http.request(url, {
      method, agent: false,
      headers: { "content-type": "application/json", accept: "application/json, text/event-stream", ...headers },
    }, (answer) => {
      let text = "";
      answer.on("data", (data) => { text += data; });
      answer.on("end", () => resolve({ status: answer.statusCode, headers: answer.headers, text }));
      answer.on("error", reject);
    });
    request.on("error", reject);
    request.end(body);
  });
}

const initialize = JSON.stringify({
  jsonrpc: "2.0", id: 1, method: "initialize",
  params: { protocolVersion: "2025-11-25", capabilities: {}, clientInfo: { name: "raw", version: "1" } },
});

describe("the fixtures over HTTP", { skip }, () => {
  let server;
  before(async () => { server = await start(process.env.CODEXMEM_CONFORMANCE_SERVER, ["--http"]); });
  after(() => stop(server));

  it("talk to a client of the handshake", async () => {
    const { client, transport } = await connect(server.url);
    const logged = [];
    client.setNotificationHandler(LoggingMessageNotificationSchema, (note) => { logged.push(note.params.data); });
    assert.match(transport.sessionId, /^[0-9a-f]{32}$/);
    const steps = [];
    await client.callTool({ name: "test_tool_with_progress", arguments: {} }, CallToolResultSchema,
      { onprogress: (progress) => steps.push(progress.progress) });
    assert.ok(steps.length >= 3);
    await client.setLoggingLevel("debug");
    await client.callTool({ name: "test_tool_with_logging", arguments: {} });
    assert.ok(logged.length >= 3);
    await assert.rejects(client.callTool({ name: "no_such_tool" }), { code: -32602 });
    await transport.terminateSession();
    await assert.rejects(client.ping());
    await client.close();
  });

  it("give a client that lost the stream the rest of it", async () => {
    const { client } = await connect(server.url);
    const result = await client.callTool({ name: "test_reconnection", arguments: {} });
    assert.equal(result.isError, undefined);
    await client.close();
  });

  for (const [name, mode, revision] of [["probes", "auto", "2026-07-28"], ["keeps to the handshake", "legacy", "2025-11-25"]]) {
    it(`talk to a newer client that ${name}`, async () => {
      const client = await connectSecondLine(server.url, mode);
      assert.equal(client.getNegotiatedProtocolVersion(), revision);
      assert.ok((await client.listTools()).tools.length > 10);
      const result = await client.callTool({ name: "test_simple_text", arguments: {} });
      assert.equal(result.content[0].type, "text");
      await assert.rejects(client.callTool({ name: "no_such_tool" }), { code: -32602 });
      await client.close();
    });
  }
});

describe("codexmem serve --http", { skip: skip || !process.env.CODEXMEM_PROGRAM }, () => {
  let server, root, folder;
  before(async () => {
    folder = mkdtempSync(join(tmpdir(), "codexmem-http-"));
    root = mkdtempSync(join(tmpdir(), "codexmem-http-"));
    mkdirSync(join(root, ".git"));
    writeFileSync(join(root, "store.ts"), "export function load(key: string): string {\n  return key;\n}\n");
    server = await start(process.env.CODEXMEM_PROGRAM, ["serve", "--http", "--port", "0", root],
      { HOME: folder, CODEXMEM_DATA_DIR: join(folder, "data") });
  });
  after(async () => {
    await stop(server);
    rmSync(root, { recursive: true, force: true });
    rmSync(folder, { recursive: true, force: true });
  });
  const find = (client) => client.callTool({ name: "find_symbol", arguments: { symbol: "load" } });
  const raw = (body, headers = {}) => ask(server.url, { body, headers });

  it("answers clients of both lines", async () => {
    const { client } = await connect(server.url);
    assert.equal((await find(client)).structuredContent.results[0].file.path, "store.ts");
    await client.close();
    for (const mode of ["auto", "legacy"]) {
      const newer = await connectSecondLine(server.url, mode);
      assert.equal((await find(newer)).structuredContent.results[0].file.path, "store.ts");
      await newer.close();
    }
  });

  it("answers 64 clients at once", async () => {
    await Promise.all(Array.from({ length: 64 }, async () => {
      const { client } = await connect(server.url);
      assert.equal((await find(client)).structuredContent.results.length, 1);
      await client.close();
    }));
  });

  it("refuses pages of other sites", async () => {
    for (const headers of [{ host: "evil.example" }, { origin: "http://evil.example" },
      { origin: "null" }, { "sec-fetch-site": "cross-site" }]) {
      assert.equal((await raw(initialize, headers)).status, 403, JSON.stringify(headers));
    }
    assert.equal((await raw(initialize, { origin: `http://localhost:${server.url.port}` })).status, 200);
  });

  it("lives on after what is no message", async () => {
    const session = (await raw(initialize)).headers["mcp-session-id"];
    const inSession = { "mcp-session-id": session };
    for (const [body, status, headers] of [
      ["{", 400, inSession], ["", 400, inSession], ["[]", 400, inSession], ["\u0000", 400, inSession],
      ["[".repeat(100_000), 400, inSession], ["x".repeat(17 << 20), 413, inSession],
      [initialize, 415, { "content-type": "text/plain" }],
      ['{"jsonrpc":"2.0","id":1,"method":"ping"}', 404, { "mcp-session-id": "f".repeat(32) }],
    ]) {
      const answer = await raw(body, headers).catch((error) => ({ status: error.code }));
      // A body that is too long may be cut off before it was sent.
      if (answer.status !== "EPIPE" && answer.status !== "ECONNRESET") assert.equal(answer.status, status, body.slice(0, 50));
    }
    assert.equal((await raw('{"jsonrpc":"2.0","id":1,"method":"ping"}', inSession)).status, 200);
  });

  it("is not held up by clients that die or read nothing", async () => {
    const request = (headers, body) => `POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n` +
      `Accept: application/json, text/event-stream\r\n${headers}Content-Length: ${body.length}\r\n\r\n${body}`;
    const session = (await raw(initialize)).headers["mcp-session-id"];
    const sockets = [];
    for (let i = 0; i < 40; ++i) {
      const socket = net.connect(server.url.port, "127.0.0.1");
      socket.on("error", () => {});
      sockets.push(socket);
      const list = JSON.stringify({ jsonrpc: "2.0", id: i + 10, method: "tools/list" });
      if (i % 4 === 0) socket.write(request(`Mcp-Session-Id: ${session}\r\n`, list).slice(0, 60));  // half a request
      if (i % 4 === 1) socket.write(request(`Mcp-Session-Id: ${session}\r\n`, list));  // reads nothing
      if (i % 4 === 2) socket.write(`GET /mcp HTTP/1.1\r\nHost: localhost\r\nAccept: text/event-stream\r\nMcp-Session-Id: ${session}\r\n\r\n`);
      if (i % 4 === 3) socket.write(request(`Mcp-Session-Id: ${session}\r\n`, list), () => socket.destroy());
      socket.pause();
    }
    const { client } = await connect(server.url);
    assert.equal((await find(client)).structuredContent.results.length, 1);
    await client.close();
    for (const socket of sockets) socket.destroy();
  });

  it("takes the repository that a client names where it was started in none", async () => {
    const homeless = await start(process.env.CODEXMEM_PROGRAM, ["serve", "--http", "--port", "0"],
      { HOME: folder, CODEXMEM_DATA_DIR: join(folder, "data") }, folder);
    const alone = await connect(homeless.url);
    const missing = await find(alone.client);
    assert.equal(missing.isError, true);
    assert.match(missing.structuredContent.message, /no repository is known yet/);
    await alone.client.close();

    const client = new Client({ name: "codexmem-test", version: "1.0.0" }, { capabilities: { roots: { listChanged: true } } });
    let roots = [{ uri: pathToFileURL(root).href }];
    client.setRequestHandler(ListRootsRequestSchema, () => ({ roots }));
    await client.connect(new StreamableHTTPClientTransport(homeless.url));
    const until = Date.now() + 30_000;
    let found = await find(client);
    while (found.isError && Date.now() < until) found = await find(client);
    assert.equal(found.structuredContent.results?.[0].file.path, "store.ts", JSON.stringify(found));
    const saved = await client.callTool({ name: "save_memory", arguments: { text: "The store is slow" } });
    assert.equal(saved.structuredContent.success, true);
    await client.close();
    await stop(homeless);
  });

  it("takes no processor time while nobody asks", async () => {
    const ticks = () => {
      const fields = readFileSync(`/proc/${server.child.pid}/stat`, "utf8").split(") ")[1].split(" ");
      return Number(fields[11]) + Number(fields[12]);
    };
    const { client } = await connect(server.url);  // with its stream open
    await new Promise((resolve) => setTimeout(resolve, 6_000));
    const before = ticks();
    await new Promise((resolve) => setTimeout(resolve, 4_000));
    assert.ok(ticks() - before <= 2, `${ticks() - before} ticks of 10 ms in 4 s`);
    await client.close();
  });
});
