// worker.mjs - a worker with a store of its own, and a browser to look at its viewer with.
import { spawn, spawnSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { chromium } from "playwright-core";

// CODEXMEM_WAIT: milliseconds that a look at the page waits, 15,000 if not set.
const program = process.env.CODEXMEM_PROGRAM;

export class TestWorker {
  constructor() {
    this.folder = mkdtempSync(join(tmpdir(), "codexmem-viewer-"));
    // Nothing of the caller's own settings: only what is said here.
    this.environment = {
      PATH: process.env.PATH, HOME: this.folder, TZ: "UTC", CODEXMEM_DATA_DIR: join(this.folder, "data"),
      CODEXMEM_PROVIDER: "rule-based", AGENT_MEMORY_SECRET: "for this test alone",
      CODEXMEM_DECISION_COOLDOWN_MS: "0",
    };
  }

  async start({ port = 0, environment = {} } = {}) {
    this.process = spawn(program, ["worker", "run", "--port", String(port)],
      { env: { ...this.environment, ...environment }, stdio: ["ignore", "pipe", "pipe"] });
    let said = "";
    this.origin = await new Promise((resolve, reject) => {
      const hear = (bytes) => {
        said += bytes;
        const [, origin] = /listens at (http:\/\/[\d.:]+)/.exec(said) ?? [];
        if (origin) resolve(origin);
      };
      this.process.stdout.on("data", hear);
      this.process.stderr.on("data", hear);
      this.process.once("exit", (status) => reject(new Error(`the worker ended (${status}): ${said}`)));
    });
    await until(async () => (await fetch(`${this.origin}/api/readiness`)).status === 200);
  }
  get port() { return Number(new URL(this.origin).port); }

  async stop() {
    if (!this.process || this.process.exitCode !== null) return;
    const ended = new Promise((done) => this.process.once("exit", done));
    this.process.kill("SIGTERM");
    await ended;
  }
  async remove() {
    await this.stop();
    rmSync(this.folder, { recursive: true, force: true, maxRetries: 3 });
  }

  async get(path) { return (await fetch(this.origin + path)).json(); }
  async post(path, body) {
    const reply = await fetch(this.origin + path, {
      method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(body) });
    const answer = await reply.json();
    if (!reply.ok) throw new Error(`${path}: ${reply.status} ${JSON.stringify(answer)}`);
    return answer;
  }
  // Indexes a repository, and has the worker know it.
  index(root) {
    const done = spawnSync(program, ["open", "--print"], { env: this.environment, cwd: root, encoding: "utf8" });
    if (done.status !== 0) throw new Error(`codexmem open: ${done.stderr}`);
  }
  run(...given) {
    const done = spawnSync(program, given, { env: this.environment, cwd: this.folder, encoding: "utf8" });
    if (done.status !== 0) throw new Error(`codexmem ${given.join(" ")}: ${done.stderr}`);
    return done.stdout;
  }

  // A session as hooks tell of it: a prompt, an edit, a failing and a passing test, the last words.
  async tellSession(name, project = "shop", prompt = "Round the totals of the cart half to even") {
    const session = { contentSessionId: name };
    const cwd = `/src/${project}`;
    await this.post("/api/sessions/init", { ...session, project, prompt });
    const events = [
      { tool_name: "Edit", tool_input: { file_path: `${cwd}/src/total.ts`,
        old_string: "export function total(items: Item[]) {\n  return sum(items);\n}",
        new_string: "export function total(items: Item[]) {\n  return roundHalfEven(sum(items));\n}" },
      tool_response: { success: true } },
      { tool_name: "Bash", tool_input: { command: "npm test" },
        tool_response: { stdout: "Tests:       2 failed, 12 passed, 14 total\n", stderr: "", exit_code: 1 } },
      { tool_name: "Bash", tool_input: { command: "npm test -- --run" },
        tool_response: { stdout: "Tests:       14 passed, 14 total\n", stderr: "", exit_code: 0 } },
    ];
    for (const event of events) await this.post("/api/sessions/observations", { ...session, ...event, cwd });
    await this.post("/api/sessions/summarize", { ...session, last_assistant_message: "Totals are rounded half to even now, and every test passes." });
    await this.drained();
    await this.post("/api/sessions/complete", session);
  }
  async drained() {
    await until(async () => (await this.get("/api/processing-status")).queueDepth === 0);
  }
}

export async function until(condition, ms = 20_000) {
  const end = Date.now() + ms;
  for (;;) {
    const value = await Promise.resolve(condition()).catch(() => false);
    if (value) return value;
    if (Date.now() > end) throw new Error(`waited ${ms} ms in vain for ${condition}`);
    await new Promise((done) => setTimeout(done, 25));
  }
}

export const openBrowser = () => chromium.launch({
  executablePath: process.env.CODEXMEM_BROWSER ?? "/usr/bin/chromium",
  args: ["--no-sandbox", "--disable-dev-shm-usage", "--disable-gpu"],
});

// A page that notes what must not be: complaints of the console, requests to elsewhere, breaches of
// the policy. `allowed` are complaints that a test brings about.
export async function openPage(browser, worker, { hash = "", allowed = [], ...options } = {}) {
  const context = await browser.newContext({
    viewport: { width: 1440, height: 900 }, locale: "en-US", timezoneId: "UTC", reducedMotion: "reduce",
    acceptDownloads: true, ...options });
  const page = await context.newPage();
  page.setDefaultTimeout(Number(process.env.CODEXMEM_WAIT ?? 15_000));
  page.wrong = [];
  page.on("console", (message) => {
    if (["error", "warning"].includes(message.type()) && !allowed.some((each) => each.test(message.text()))) {
      page.wrong.push(`console: ${message.text()}`);
    }
  });
  page.on("pageerror", (error) => page.wrong.push(`page: ${error.message}`));
  page.on("request", (request) => {
    const url = new URL(request.url());
    if (url.protocol !== "data:" && url.origin !== worker.origin) page.wrong.push(`request: ${url}`);
  });
  await page.addInitScript(() => {
    window.breaches = [];
    document.addEventListener("securitypolicyviolation", (event) => window.breaches.push(`${event.violatedDirective}: ${event.blockedURI}`));
  });
  await page.goto(`${worker.origin}/viewer${hash}`);
  await page.locator(".connection", { hasText: "Live" }).waitFor({ state: "attached" });
  return page;
}
