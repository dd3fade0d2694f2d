// What a server offers besides tools, what it asks its client and what it tells it, through the
// clients of both lines of the TypeScript SDK and over both transports: the server is
// tests/mcp/conformance_server.cpp (CODEXMEM_CONFORMANCE_SERVER). The second line needs Node 20.
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { createInterface } from "node:readline";
import { after, before, describe, it } from "node:test";

const program = process.env.CODEXMEM_CONFORMANCE_SERVER;
const newNode = Number(process.versions.node.split(".")[0]) >= 20;

const capabilities = { sampling: {}, elicitation: { form: {} }, roots: { listChanged: true } };

// What the client answers when it is asked.
const answers = {
  "sampling/createMessage": () => ({ role: "assistant", model: "m", content: { type: "text", text: "Paris." } }),
  "elicitation/create": ({ params }) => ({
    action: "accept",
    content: Object.fromEntries(Object.keys(params.requestedSchema.properties).map((name) => [name, "Alice"])),
  }),
  "roots/list": () => ({ roots: [{ uri: "file:///home/me/project", name: "project" }] }),
};
const told = ["notifications/resources/updated", "notifications/resources/list_changed",
              "notifications/tools/list_changed", "notifications/prompts/list_changed"];

// A client of the first line, as those of the second one are: handlers by the name of the method.
async function firstLine() {
  const { Client } = await import("@modelcontextprotocol/sdk/client/index.js");
  const { StdioClientTransport } = await import("@modelcontextprotocol/sdk/client/stdio.js");
  const { StreamableHTTPClientTransport } = await import("@modelcontextprotocol/sdk/client/streamableHttp.js");
  const types = await import("@modelcontextprotocol/sdk/types.js");
  const requests = {
    "sampling/createMessage": types.CreateMessageRequestSchema,
    "elicitation/create": types.ElicitRequestSchema,
    "roots/list": types.ListRootsRequestSchema,
  };
  const notifications = {
    "notifications/resources/updated": types.ResourceUpdatedNotificationSchema,
    "notifications/resources/list_changed": types.ResourceListChangedNotificationSchema,
    "notifications/tools/list_changed": types.ToolListChangedNotificationSchema,
    "notifications/prompts/list_changed": types.PromptListChangedNotificationSchema,
  };
  const client = new Client({ name: "codexmem-test", version: "1.0.0" }, { capabilities });
  return {
    client, StdioClientTransport, StreamableHTTPClientTransport,
    answer: (method, handler) => client.setRequestHandler(requests[method], handler),
    listen: (method, handler) => client.setNotificationHandler(notifications[method], handler),
  };
}

async function secondLine(mode) {
  const { Client, StreamableHTTPClientTransport } = await import("@modelcontextprotocol/client");
  const { StdioClientTransport } = await import("@modelcontextprotocol/client/stdio");
  const client = new Client({ name: "codexmem-test", version: "1.0.0" },
                            { capabilities, versionNegotiation: { mode } });
  return {
    client, StdioClientTransport, StreamableHTTPClientTransport,
    answer: (method, handler) => client.setRequestHandler(method, handler),
    listen: (method, handler) => client.setNotificationHandler(method, handler),
  };
}

// Waits until `holds()`, five seconds at most.
async function until(holds) {
  for (let i = 0; i < 500 && !holds(); ++i) await new Promise((done) => setTimeout(done, 10));
  assert.ok(holds());
}

const lines = [
  { name: "the first line", make: firstLine, isModern: false },
  { name: "the second line, by handshake", make: () => secondLine("legacy"), isModern: false },
  { name: "the second line, stateless", make: () => secondLine({ pin: "2026-07-28" }), isModern: true },
];

for (const transport of ["stdio", "http"]) {
  for (const { name, make, isModern } of lines) {
    const skip = name !== "the first line" && !newNode ? "needs Node 20" : false;
    describe(`a client of ${name} over ${transport}`, { skip }, () => {
      let client, server;
      const heard = [];
      const asked = [];

      before(async () => {
        const made = await make();
        client = made.client;
        for (const [method, answer] of Object.entries(answers)) {
          made.answer(method, (request) => {
            asked.push(method);
            return answer(request);
          });
        }
        for (const method of told) made.listen(method, (notification) => void heard.push(notification));
        if (transport === "stdio") {
          await client.connect(new made.StdioClientTransport({ command: program, stderr: "inherit" }));
          return;
        }
        server = spawn(program, ["--http"], { stdio: ["ignore", "pipe", "inherit"] });
        const [url] = await new Promise((done) => createInterface(server.stdout).once("line", (line) => done([line])));
        await client.connect(new made.StreamableHTTPClientTransport(new URL(url)));
      });
      after(async () => {
        await client?.close();
        server?.kill("SIGTERM");
      });

      const textOf = (result) => result.content[0].text;

      it("lists resources in pages and reads them", async () => {
        const uris = [];
        let cursor;
        do {
          const page = await client.listResources(cursor ? { cursor } : undefined);
          uris.push(...page.resources.map((each) => each.uri));
          cursor = page.nextCursor;
        } while (cursor && uris.length < 3);
        assert.ok(uris.includes("test://static-text"));
        assert.ok(uris.includes("test://watched-resource"));
        const { contents } = await client.readResource({ uri: "test://static-binary" });
        assert.equal(Buffer.from(contents[0].blob, "base64").subarray(1, 4).toString(), "PNG");
        await assert.rejects(client.readResource({ uri: "test://nowhere" }));
        await assert.rejects(client.listResources({ cursor: "nonsense" }), { code: -32602 });
      });

      it("completes a template's argument", async () => {
        const { resourceTemplates } = await client.listResourceTemplates();
        const { completion } = await client.complete({
          ref: { type: "ref/resource", uri: resourceTemplates[0].uriTemplate },
          argument: { name: "id", value: "15" },
        });
        assert.deepEqual(completion, { values: ["15", "150"], total: 2, hasMore: false });
      });

      it("gets prompts", async () => {
        const { prompts } = await client.listPrompts();
        assert.equal(prompts.length, 5);
        const { messages } = await client.getPrompt({
          name: "test_prompt_with_arguments",
          arguments: { arg1: "one", arg2: "two" },
        });
        assert.ok(messages[0].content.text.includes("two"));
        await assert.rejects(client.getPrompt({ name: "test_prompt_with_arguments" }), { code: -32602 });
      });

      it("is asked while it waits for a tool", async () => {
        asked.length = 0;
        const call = (name, args) => client.callTool({ name, arguments: args });
        if (isModern) {
          assert.equal(textOf(await call("test_input_required_result_sampling", {})), "Paris.");
          assert.equal(textOf(await call("test_input_required_result_elicitation", {})), "Hello, Alice!");
          assert.ok(textOf(await call("test_input_required_result_list_roots", {})).includes("file:///home/me/project"));
          assert.equal(textOf(await call("test_input_required_result_multi_round", {})), "two rounds later");
          const { messages } = await client.getPrompt({ name: "test_input_required_result_prompt" });
          assert.ok(messages[0].content.text.includes("accept"));
          assert.ok(asked.includes("roots/list"));
        } else {
          assert.equal(textOf(await call("test_sampling", { prompt: "Capital?" })), "LLM response: Paris.");
          assert.ok(textOf(await call("test_elicitation", { message: "Who?" })).includes("Alice"));
          assert.ok(asked.includes("sampling/createMessage"));
        }
      });

      it("names its roots when it is asked", { skip: isModern ? "handshake alone" : false }, async () => {
        asked.length = 0;
        await client.sendRootsListChanged();
        await until(() => asked.includes("roots/list"));
      });

      it("hears of what it subscribed to", async () => {
        const uri = "test://watched-resource";
        const change = () => client.callTool({ name: "test_trigger_resource_change", arguments: {} });
        let subscription;
        if (isModern) {
          subscription = await client.listen({ resourcesListChanged: true, toolsListChanged: true, resourceSubscriptions: [uri] });
          assert.deepEqual(subscription.honoredFilter.resourceSubscriptions, [uri]);
        } else {
          await client.subscribeResource({ uri });
        }
        heard.length = 0;
        await change();
        await client.callTool({ name: "test_trigger_tool_change", arguments: {} });
        await until(() => heard.length >= 3);
        assert.ok(heard.some((each) => each.params?.uri === uri));
        assert.ok(heard.some((each) => each.method === "notifications/resources/list_changed"));
        assert.ok(heard.some((each) => each.method === "notifications/tools/list_changed"));
        if (isModern) {
          await subscription.close();
        } else {
          await client.unsubscribeResource({ uri });
        }
        heard.length = 0;
        await change();
        await client.listTools();
        assert.ok(!heard.some((each) => each.params?.uri === uri));
      });

      it("hears how far a tool is", async () => {
        const steps = [];
        await client.callTool({ name: "test_tool_with_progress", arguments: {} },
                              ...(name === "the first line" ? [undefined] : []),
                              { onprogress: (step) => steps.push(step.progress) });
        assert.deepEqual(steps, [0, 50, 100]);
      });
    });
  }
}
