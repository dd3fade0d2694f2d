// The TypeScript SDK's client against the server, as an editor would use it.
//
// The client validates every structuredContent against the outputSchema that the server listed, also
// that of failures. CODEXMEM_SERVER is the command line of a server up to the repository's root;
// CODEXMEM_TEST_SERVER is tests/mcp/test_server.cpp.
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { mkdtempSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { after, before, describe, it } from "node:test";

import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import {
  CallToolResultSchema, LoggingMessageNotificationSchema, ResourceUpdatedNotificationSchema,
} from "@modelcontextprotocol/sdk/types.js";

const server = process.env.CODEXMEM_SERVER.split(" ");
const testServer = process.env.CODEXMEM_TEST_SERVER;

const files = {
  "src/services/UserService.ts": `import { Store } from "../store";

/** Service for user management operations. */
export class UserService {
  constructor(private store: Store) {}

  findUser(id: string): string {
    return this.store.load(id);
  }
}
`,
  "src/store.ts": `export class Store {
  load(key: string): string {
    return key;
  }
}
`,
  "src/app.ts": `import { UserService } from "./services/UserService";
import { Store } from "./store";

export const service = new UserService(new Store());
`,
};

// Tools that answer with text and nothing else.
const kTextAlone = ["__IMPORTANT", "important_workflow"];

async function connect(command, args) {
  const client = new Client({ name: "codexmem-test", version: "1.0.0" });
  await client.connect(new StdioClientTransport({ command, args, stderr: "inherit" }));
  return client;
}

function failureOf(result, type) {
  assert.equal(result.isError, true);
  assert.equal(result.structuredContent.type, type);
  assert.equal(result.content[0].text, `Error: ${type} - ${result.structuredContent.message}`);
  return result.structuredContent.message;
}

describe("the product", () => {
  let root, client, tools;

  before(async () => {
    root = mkdtempSync(join(tmpdir(), "codexmem-client-"));
    for (const [path, text] of Object.entries(files)) {
      mkdirSync(dirname(join(root, path)), { recursive: true });
      writeFileSync(join(root, path), text);
    }
    client = await connect(server[0], [...server.slice(1), root]);
    ({ tools } = await client.listTools());
  });
  after(async () => {
    await client.close();
    rmSync(root, { recursive: true, force: true });
  });

  const call = (name, args) => client.callTool({ name, arguments: args });

  it("introduces itself", () => {
    assert.equal(client.getServerVersion().name, "codexmem");
    assert.ok(client.getInstructions().length < 1024);
    assert.ok(client.getServerCapabilities().tools);
  });

  it("lists its tools with titles, hints and both schemas", () => {
    const names = tools.map((tool) => tool.name);
    for (const name of ["search_code", "find_symbol", "get_references", "analyze_dependencies", "get_context", "index_repository"]) {
      assert.ok(names.includes(name), name);
    }
    for (const tool of tools) {
      assert.ok(tool.title && tool.description, tool.name);
      assert.equal(tool.inputSchema.type, "object");
      if (!kTextAlone.includes(tool.name)) assert.equal(tool.outputSchema.type, "object");
      assert.equal(typeof tool.annotations.readOnlyHint, "boolean");
    }
  });

  it("answers each tool", async () => {
    const found = await call("search_code", { query: "service for users" });
    assert.equal(found.structuredContent.results[0].file.path, "src/services/UserService.ts");
    assert.deepEqual(JSON.parse(found.content[0].text), found.structuredContent.results);

    const symbol = await call("find_symbol", { symbol: "UserService", type: "class" });
    assert.equal(symbol.structuredContent.results[0].symbol.startLine, 4);

    const references = await call("get_references", { symbol: "UserService" });
    assert.deepEqual(
      references.structuredContent.results.map((item) => [item.file.path, item.line, item.type]),
      [["src/services/UserService.ts", 4, "definition"], ["src/app.ts", 1, "usage"], ["src/app.ts", 4, "usage"]]);

    const dependencies = await call("analyze_dependencies", { file_path: "src/store.ts" });
    assert.deepEqual(dependencies.structuredContent.dependents.map((item) => item.file.path),
      ["src/app.ts", "src/services/UserService.ts"]);
    assert.deepEqual(JSON.parse(dependencies.content[0].text), dependencies.structuredContent);

    const context = await call("get_context", { file_path: "src/app.ts", symbol: "service" });
    assert.ok(context.structuredContent.relevantCode[0].content.includes("new UserService"));

    const indexed = await call("index_repository", {});
    assert.equal(indexed.structuredContent.status, "completed");
  });

  it("answers a text that was cut in the middle of an emoji", async () => {
    const none = await call("find_symbol", { symbol: "a\u{1F600}".slice(0, 2) });
    assert.deepEqual(none.structuredContent.results, []);
  });

  it("refuses every argument that is out of bounds", async () => {
    const bad = [
      ["search_code", {}, "query"],
      ["search_code", { query: "" }, "query"],
      ["search_code", { query: "x".repeat(1001) }, "1001"],
      ["search_code", { query: 7 }, "query"],
      ["search_code", { query: "a", limit: 0 }, "limit"],
      ["search_code", { query: "a", limit: 51 }, "51"],
      ["search_code", { query: "a", limit: 2.5 }, "2.5"],
      ["search_code", { query: "a", limit: "51" }, "51"],
      ["search_code", { query: "a", limit: "ten" }, "limit"],
      ["search_code", { query: "a", threshold: -0.1 }, "threshold"],
      ["search_code", { query: "a", threshold: 1.1 }, "1.1"],
      ["search_code", { query: "a", file_extensions: 7 }, "file_extensions"],
      ["search_code", { query: "a", file_extensions: [1] }, "file_extensions[0]"],
      ["find_symbol", { symbol: "" }, "symbol"],
      ["find_symbol", { symbol: "x".repeat(101) }, "101"],
      ["find_symbol", { symbol: "a", type: "klass" }, "klass"],
      ["get_references", { symbol: "x".repeat(101) }, "symbol"],
      ["get_references", { symbol: "a", include_definitions: "yes" }, "include_definitions"],
      ["analyze_dependencies", { file_path: "" }, "file_path"],
      ["analyze_dependencies", { file_path: "src/app.ts", depth: 0 }, "depth"],
      ["analyze_dependencies", { file_path: "src/app.ts", depth: 11 }, "11"],
      ["analyze_dependencies", { file_path: "../out.ts" }, "../out.ts"],
      ["get_context", { file_path: "src/app.ts", context_size: 0 }, "context_size"],
      ["get_context", { file_path: "src/app.ts", context_size: 21 }, "21"],
      ["index_repository", { force: 1 }, "force"],
      ["index_repository", { path: "/etc" }, "/etc"],
    ];
    for (const [name, args, word] of bad) {
      const message = failureOf(await call(name, args), "ValidationError");
      assert.ok(message.includes(word), `${name} ${JSON.stringify(args)}: ${message}`);
    }
  });

  it("names the nearest file when there is none", async () => {
    const message = failureOf(await call("get_context", { file_path: "src/stor.ts" }), "FileNotFoundError");
    assert.ok(message.includes("src/store.ts"), message);
  });

  it("refuses an unknown tool and lives on", async () => {
    await assert.rejects(call("no_such_tool", {}), { code: -32602 });
    await client.ping();
  });

  it("answers ten calls at once", async () => {
    const answers = await Promise.all(
      Array.from({ length: 10 }, () => call("search_code", { query: "load a key from the store" })));
    for (const answer of answers) assert.equal(answer.isError, undefined);
  });

  it("has the status, files and symbols as resources", async () => {
    assert.ok(client.getServerCapabilities().resources);
    const { resources } = await client.listResources();
    assert.deepEqual(resources.map((resource) => resource.name), ["status", ...Object.keys(files).sort()]);
    const status = await client.readResource({ uri: "codexmem://status" });
    assert.equal(JSON.parse(status.contents[0].text).files, 3);
    for (const { uri, name } of resources.slice(1)) {
      assert.equal((await client.readResource({ uri })).contents[0].text, files[name]);
    }
    const symbol = await client.readResource({ uri: "codexmem://symbol/UserService.findUser" });
    assert.equal(symbol.contents[0].mimeType, "text/markdown");
    assert.match(symbol.contents[0].text, /^# UserService\.findUser\n[^]*this\.store\.load/);
    await assert.rejects(client.readResource({ uri: "codexmem://file/src/stor.ts" }), /src\/store\.ts/);

    const { resourceTemplates } = await client.listResourceTemplates();
    assert.deepEqual(resourceTemplates.map((template) => template.uriTemplate),
      ["codexmem://file/{+path}", "codexmem://symbol/{+name}"]);
    const complete = async (uri, name, value) =>
      (await client.complete({ ref: { type: "ref/resource", uri }, argument: { name, value } })).completion.values;
    assert.deepEqual(await complete("codexmem://file/{+path}", "path", "store"), ["src/store.ts"]);
    assert.deepEqual(await complete("codexmem://symbol/{+name}", "name", "UserService.f"), ["UserService.findUser"]);
  });

  it("tells of a resource that it has subscribed to when the file is another one", async () => {
    const uri = "codexmem://file/src/store.ts";
    const heard = new Set();
    client.setNotificationHandler(ResourceUpdatedNotificationSchema, ({ params }) => void heard.add(params.uri));
    await client.subscribeResource({ uri });
    // The server reads it once before it can compare, so one change may come too early.
    for (let i = 0; i < 20 && !heard.has(uri); ++i) {
      writeFileSync(join(root, "src/store.ts"), `${files["src/store.ts"]}\nexport const kept = ${i};\n`);
      for (let j = 0; j < 50 && !heard.has(uri); ++j) await new Promise((done) => setTimeout(done, 50));
    }
    assert.deepEqual([...heard], [uri]);
    assert.ok((await client.readResource({ uri })).contents[0].text.includes("kept"));
    await client.unsubscribeResource({ uri });
    writeFileSync(join(root, "src/store.ts"), files["src/store.ts"]);
  });

  it("has prompts that hold answers", async () => {
    const { prompts } = await client.listPrompts();
    assert.deepEqual(prompts.map((prompt) => prompt.name),
      ["explain", "impact", "find_code", "review_changes", "onboard", "recall", "remember"]);
    const impact = await client.getPrompt({ name: "impact", arguments: { subject: "UserService" } });
    assert.match(impact.messages.at(-1).content.text, /src\/app\.ts/);
    await assert.rejects(client.getPrompt({ name: "explain", arguments: { subject: "UserServic" } }), /UserService/);
    await assert.rejects(client.getPrompt({ name: "explain" }), /subject/);
    const { completion } = await client.complete(
      { ref: { type: "ref/prompt", name: "explain" }, argument: { name: "subject", value: "UserS" } });
    assert.deepEqual(completion.values, ["UserService", "src/services/UserService.ts"]);
  });

  it("reports progress to who asks for it", async () => {
    const steps = [];
    await client.callTool({ name: "index_repository", arguments: { force: true } }, CallToolResultSchema,
      { onprogress: (progress) => steps.push(progress.progress) });
    assert.ok(steps.length > 0);
    assert.deepEqual(steps, [...steps].sort((a, b) => a - b));
  });
});

describe("failures", () => {
  for (const type of ["ValidationError", "FileNotFoundError", "DatabaseError", "IndexingError", "SearchError", "EmbeddingError"]) {
    it(`${type} fits every tool's output schema`, async () => {
      const client = await connect(testServer, ["failures", type]);
      const args = { query: "a", symbol: "a", file_path: "a", new_name: "b", text: "a" };
      for (const tool of (await client.listTools()).tools) {
        failureOf(await client.callTool({ name: tool.name, arguments: args }), type);
      }
      await client.close();
    });
  }
});

describe("failures of memory", () => {
  for (const code of ["INVALID_ARGUMENT", "POLICY_BLOCKED", "ENTRY_NOT_FOUND", "STORAGE_FAILURE", "MIGRATION_FAILURE"]) {
    it(`${code} fits every tool's output schema`, async () => {
      const client = await connect(testServer, ["failures", code]);
      const { tools } = await client.listTools();
      assert.ok(tools.length >= 7);
      for (const tool of tools) {
        const result = await client.callTool({ name: tool.name, arguments: {} });
        assert.equal(result.isError, true);
        assert.equal(result.structuredContent.code, code);
        assert.equal(result.content[0].text, `${code}: as it was told to`);
        assert.deepEqual(result.structuredContent.details, { rules: ["jwt"], fields: ["text"] });
      }
      await client.close();
    });
  }
});

describe("failures of decisions", () => {
  for (const name of ["Permission Denied", "Isolation Violation", "Rate limit exceeded", "PI1 Violation"]) {
    it(`${name} fits every tool's output schema`, async () => {
      const client = await connect(testServer, ["failures", name]);
      const { tools } = await client.listTools();
      assert.equal(tools.length, 4);
      for (const tool of tools) {
        const result = await client.callTool({ name: tool.name, arguments: {} });
        assert.equal(result.isError, true);
        assert.deepEqual(result.structuredContent, { status: "error", message: `${name}: as it was told to` });
        assert.deepEqual(JSON.parse(result.content[0].text), result.structuredContent);
      }
      await client.close();
    });
  }
});

// The real thing, in a folder that is no repository, with a store of its own.
describe("memory and decisions", () => {
  const home = mkdtempSync(join(tmpdir(), "codexmem-memory-"));
  const settings = { HOME: home, PATH: process.env.PATH, CODEXMEM_DATA_DIR: join(home, "data"), CODEXMEM_TOOLS: "memory", TZ: "UTC" };
  const clients = [];
  async function open(more, args = []) {
    const client = new Client({ name: "codexmem-test", version: "1.0.0" });
    await client.connect(new StdioClientTransport({
      command: server[0], args: [...server.slice(1), home, ...args], stderr: "ignore", env: { ...settings, ...more } }));
    await client.listTools();
    clients.push(client);
    return (name, args = {}) => client.callTool({ name, arguments: args });
  }
  after(async () => {
    for (const client of clients) await client.close();
    rmSync(home, { recursive: true, force: true });
  });
  const failure = (result, code) => {
    assert.equal(result.isError, true);
    assert.equal(result.structuredContent.code, code);
    assert.equal(result.content[0].text, `${code}: ${result.structuredContent.message}`);
    return result.structuredContent;
  };
  const denied = (result, begin) => {
    assert.equal(result.isError, true);
    assert.equal(result.structuredContent.status, "error");
    assert.ok(result.structuredContent.message.startsWith(begin), result.structuredContent.message);
  };

  it("answers each memory tool with both carriers", async () => {
    const call = await open({});
    const saved = await call("save_memory", { text: "The API needs an X-API-Key header", title: "Auth", project: "my-app" });
    const { created_at, ...rest } = saved.structuredContent;
    assert.deepEqual(rest, { status: "saved", id: "1", success: true, title: "Auth", project: "my-app", type: "discovery",
      message: "Memory saved as observation #1", observation_id: 1 });
    assert.ok(!Number.isNaN(Date.parse(created_at)));

    const found = await call("search", { query: "which header does the API need" });
    assert.deepEqual(Object.keys(found.structuredContent.items[0]).sort(),
      ["created_at", "entry_type", "id", "project", "score", "title"]);
    assert.ok(found.content[0].text.startsWith('Found 1 result(s) matching "which header does the API need" (1 obs, 0 sessions, 0 prompts)'));
    const whole = await call("search", { query: "API", format: "json" });
    assert.equal(whole.structuredContent.observations[0].narrative, "The API needs an X-API-Key header");
    assert.deepEqual(JSON.parse(whole.content[0].text), whole.structuredContent);

    const timeline = await call("timeline", { anchor: "#1" });
    assert.ok(timeline.content[0].text.includes("**ANCHOR**"));
    const compact = await call("timeline", { anchor_id: "1" });
    assert.deepEqual(JSON.parse(compact.content[0].text), compact.structuredContent);
    assert.equal(compact.structuredContent.items[0].is_anchor, true);

    const observations = await call("get_observations", { ids: [1] });
    assert.deepEqual(JSON.parse(observations.content[0].text), observations.structuredContent.results);
    assert.equal((await call("get_observations", { ids: [] })).content[0].text, "[]");
    const entries = await call("get_entries", { ids: ["7", "1"] });
    assert.equal(entries.structuredContent.items[0].body, "The API needs an X-API-Key header");
    assert.deepEqual(entries.structuredContent.missing, ["7"]);

    mkdirSync(join(home, "docs"));
    writeFileSync(join(home, "docs/decisions.md"), "# Decisions\n\nWe keep one file per user.\n");
    const ingested = await call("ingest_docs");
    assert.equal(ingested.structuredContent.imported_entries, 1);
    assert.deepEqual(ingested.structuredContent.skipped_sources, ["docs/session-log.md", "docs/requirements.md"]);
    assert.equal((await call("ingest_docs")).structuredContent.duplicate_entries, 1);
    const plan = await call("retention_dry_run", { now: "2099-01-01T00:00:00Z" });
    assert.equal(plan.structuredContent.mode, "dry-run");
    assert.equal(plan.structuredContent.by_reason.age, 2);
    for (const name of kTextAlone) {
      const text = (await call(name, { any: "thing" })).content[0].text;
      const places = ["search", "timeline", "get_observations"].map((word) => text.indexOf(word));
      assert.ok(places[0] >= 0 && places[0] < places[1] && places[1] < places[2], text);
    }
  });

  it("provokes every failure of memory", async () => {
    const call = await open({});
    failure(await call("search"), "INVALID_ARGUMENT");
    failure(await call("search", { query: "a", limit: "many" }), "INVALID_ARGUMENT");
    failure(await call("get_observations", { ids: ["1"] }), "INVALID_ARGUMENT");
    failure(await call("save_memory", { text: "  " }), "INVALID_ARGUMENT");
    failure(await call("get_entries", { ids: [] }), "INVALID_ARGUMENT");
    const blocked = failure(await call("save_memory", { text: "key " + "AKIA" + "Q3EGRZ7XV2WNPTY4" }), "POLICY_BLOCKED");
    assert.deepEqual(blocked.details.fields, ["text"]);
    assert.equal(failure(await call("timeline", { anchor: 4711 }), "ENTRY_NOT_FOUND").message, "Observation #4711 not found");
    failure(await call("get_entries", { ids: ["4711"] }), "ENTRY_NOT_FOUND");
    const file = join(home, "a file");
    writeFileSync(file, "no folder");
    failure(await (await open({ CODEXMEM_DATA_DIR: file }))("search", { query: "a" }), "STORAGE_FAILURE");
    const newer = join(home, "newer");
    mkdirSync(newer);
    const database = Buffer.from(readFileSync(join(home, "data/memory.db")));
    database.writeUInt32BE(9999, 60);  // user_version
    writeFileSync(join(newer, "memory.db"), database);
    failure(await (await open({ CODEXMEM_DATA_DIR: newer }))("search", { query: "a" }), "MIGRATION_FAILURE");
  });

  it("provokes every failure of decisions", async () => {
    const decision = { title: "Use SQLite", target: "database", rationale: "One file and no server" };
    denied(await (await open({}))("record_decision", decision), "Permission Denied");
    const secret = { AGENT_MEMORY_SECRET: "a secret", CODEXMEM_DECISION_COOLDOWN_MS: "0" };
    const admin = await open(secret, ["--role", "admin"]);
    const byHuman = (await admin("record_decision", decision)).structuredContent.decision_id;
    assert.match(byHuman, /^decision_\d{8}_\d{6}_\d{6}_[0-9a-f]{8}\.md$/);
    const agent = await open(secret);
    denied(await agent("record_decision", decision), "CONFLICT: Active decisions for target 'database' exist");
    denied(await agent("supersede_decision", { ...decision, rationale: "Many writers at the same time", old_decision_ids: [byHuman] }),
      `Isolation Violation: Decision ${byHuman} created by HUMAN.`);
    denied(await agent("accept_proposal", { proposal_id: byHuman }), "Permission Denied");
    const slow = await open({ ...secret, CODEXMEM_DECISION_COOLDOWN_MS: "60000" });
    const mine = await slow("record_decision", { ...decision, target: "cache" });
    assert.equal(mine.structuredContent.status, "success");
    denied(await slow("record_decision", { ...decision, target: "queue" }), "Rate limit exceeded");
    const found = await agent("search_decisions", { query: "database", mode: "strict" });
    assert.equal(found.structuredContent.results[0].id, byHuman);
    assert.deepEqual(JSON.parse(found.content[0].text), found.structuredContent);
    assert.equal((await agent("search_decisions", { query: "a", limit: 21 })).isError, true);
  });
});

describe("the protocol", () => {
  let client;
  before(async () => { client = await connect(testServer, ["fixture"]); });
  after(() => client.close());

  it("runs ten calls at the same time", async () => {
    await client.listTools();
    const met = await Promise.all(
      Array.from({ length: 10 }, () => client.callTool({ name: "meet", arguments: { count: 10 } })));
    for (const result of met) assert.equal(result.structuredContent.met, true);
  });

  it("stops the work of a cancelled call", async () => {
    const abort = new AbortController();
    const waiting = client.callTool({ name: "wait" }, CallToolResultSchema, { signal: abort.signal });
    abort.abort("enough");
    await assert.rejects(waiting);
    await client.ping();
  });

  it("sends log messages at the level that was set", async () => {
    const levels = [];
    client.setNotificationHandler(LoggingMessageNotificationSchema, (note) => { levels.push(note.params.level); });
    await client.setLoggingLevel("critical");
    await client.callTool({ name: "talk" });
    assert.deepEqual(levels, ["critical", "alert", "emergency"]);
  });
});

// What no client library sends.
describe("a raw connection", () => {
  async function exchange(input) {
    const child = spawn(testServer, ["fixture"], { stdio: ["pipe", "pipe", "inherit"] });
    let output = "";
    child.stdout.on("data", (data) => { output += data; });
    const closed = new Promise((resolve) => child.on("close", resolve));
    for (const part of input) {
      if (!child.stdin.write(part)) await new Promise((resolve) => child.stdin.once("drain", resolve));
    }
    child.stdin.end();
    assert.equal(await closed, 0);
    return output.trim().split("\n").map((line) => JSON.parse(line));
  }
  const ping = '{"jsonrpc":"2.0","id":"still here","method":"ping"}\n';

  it("survives an unparsable line, a 10 MB line and a 40 MB line", async () => {
    const block = "x".repeat(1 << 20);
    const answers = await exchange([
      "not json\n",
      `{"jsonrpc":"2.0","id":1,"method":"ping","params":{"pad":"${block.repeat(10)}"}}\n`,
      ...Array.from({ length: 40 }, () => block), "\n",
      ping,
    ]);
    assert.deepEqual(answers.map((answer) => [answer.id, answer.error?.code ?? 0]),
      [[null, -32700], [1, 0], [null, -32600], ["still here", 0]]);
  });

  it("answers a request whose line is the last and lacks its end", async () => {
    const answers = await exchange([ping.trim()]);
    assert.equal(answers[0].id, "still here");
  });
});
