// editor.mjs - a real VS Code server with the extension installed, and a browser that looks at it.
//
// The server is the one in code-server's npm package. Its native modules (terminals, file logs) are not
// built: nothing here uses them.
import { execFileSync, spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { chromium } from "playwright-core";

const program = process.env.CODEXMEM_PROGRAM;
const server = fileURLToPath(new URL("node_modules/code-server/lib/vscode/out/server-main.js", import.meta.url));
const WAIT_MS = Number(process.env.CODEXMEM_WAIT ?? 30_000);

export class Editor {
  wrong = [];  // what the extension complained of
  constructor() {
    this.folder = mkdtempSync(join(tmpdir(), "codexmem-editor-"));
    this.environment = { PATH: `${dirname(program)}${delimiter}${process.env.PATH}`, HOME: this.folder, TZ: "UTC", LANG: "C.UTF-8", CODEXMEM_DATA_DIR: join(this.folder, "data"), AGENT_MEMORY_SECRET: "for this test alone", CODEXMEM_DECISION_COOLDOWN_MS: "0", CODEXMEM_WORKER_PORT: String(20_000 + Math.floor(Math.random() * 20_000)) };
    mkdirSync(join(this.folder, "user", "Machine"), { recursive: true });
    writeFileSync(join(this.folder, "user", "Machine", "settings.json"), JSON.stringify({ "codexmem.path": program }));
  }
  #arguments(...more) {
    return [server, "--accept-server-license-terms", "--user-data-dir", join(this.folder, "user"), "--extensions-dir", join(this.folder, "extensions"), ...more];
  }
  run(...args) { return execFileSync(program, args, { env: this.environment, encoding: "utf8", stdio: ["ignore", "pipe", "pipe"] }); }
  index(root) { this.run("index", root); }

  install(extension) { execFileSync(process.execPath, this.#arguments("--install-extension", extension), { env: this.environment, stdio: "pipe" }); }

  async start() {
    this.process = spawn(process.execPath, this.#arguments("--host", "127.0.0.1", "--port", "0", "--without-connection-token", "--telemetry-level", "off"), { env: this.environment, stdio: ["ignore", "pipe", "pipe"] });
    this.origin = await new Promise((resolve, reject) => {
      let said = "";
      const hear = (bytes) => {
        said += bytes;
        const [, port] = /listening on (\d+)/.exec(said) ?? [];
        if (port) resolve(`http://127.0.0.1:${port}`);
      };
      this.process.stdout.on("data", hear);
      this.process.stderr.on("data", hear);
      this.process.once("exit", (status) => reject(new Error(`the editor's server ended (${status}): ${said}`)));
    });
    this.browser = await chromium.launch({ executablePath: process.env.CODEXMEM_BROWSER ?? "/usr/bin/chromium", args: ["--no-sandbox"] });
  }

  // Opens a folder in a window, and trusts it.
  async open(folder) {
    const page = await this.browser.newPage({ viewport: { width: 1400, height: 900 } });
    page.setDefaultTimeout(WAIT_MS);
    page.on("console", (message) => {
      if (message.type() === "error" && message.text().includes("codexmem")) this.wrong.push(message.text());
    });
    await page.goto(`${this.origin}/?folder=${encodeURIComponent(folder)}`);
    await page.locator(".monaco-workbench .part.statusbar").waitFor();
    await page.locator(".statusbar-item").filter({ hasText: "Restricted Mode" }).click();
    await page.getByRole("button", { name: "Trust", exact: true }).click();
    await page.locator(".statusbar-item").filter({ hasText: "Restricted Mode" }).waitFor({ state: "detached" });
    await page.locator(".monaco-modal-editor-block .codicon-close").first().click();
    return page;
  }

  async stop() {
    await this.browser?.close();
    if (this.process?.exitCode === null) {
      const ended = new Promise((done) => this.process.once("exit", done));
      this.process.kill("SIGTERM");
      await ended;
    }
    try { this.run("worker", "stop"); } catch { /* none ran */ }
    rmSync(this.folder, { recursive: true, force: true });
  }
}

// The input of the palette, once it is the one with this placeholder.
export async function quickInput(page, placeholder) {
  const input = page.locator(`.quick-input-widget input[type=text][placeholder*="${placeholder}"]`);
  await input.waitFor();
  return input;
}
// Runs a command by its title. The click takes the focus out of a webview, which has keys of its own.
export async function command(page, title) {
  await page.locator(".part.titlebar").click();
  await page.keyboard.press("F1");
  await (await quickInput(page, "command")).fill(`>${title}`);
  await page.locator(".quick-input-list .monaco-list-row.focused").filter({ hasText: title }).waitFor();
  await page.keyboard.press("Enter");
}
// Opens a file by name, at a line or line:column.
export async function goTo(page, path, line) {
  await page.keyboard.press("Control+P");
  await (await quickInput(page, "Search files by name")).fill(`${path}:${line}`);
  await page.locator(".quick-input-list .monaco-list-row").filter({ hasText: path.split("/").at(-1) }).first().waitFor();
  await page.keyboard.press("Enter");
  await page.locator(".tab.active").filter({ hasText: path.split("/").at(-1) }).waitFor();
}
export const inView = (page, text) => page.locator(".part.sidebar .monaco-list-row").filter({ hasText: text }).first();

export async function shoot(page, name) {
  if (!process.env.CODEXMEM_SHOTS) return;
  mkdirSync(process.env.CODEXMEM_SHOTS, { recursive: true });
  await page.screenshot({ path: join(process.env.CODEXMEM_SHOTS, `${name}.png`) });
}
