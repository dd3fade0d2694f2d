// map.ts - the worker's page (map, dependencies, memories) in a webview.
//
// The page is the worker's own. Its requests are sent by the extension, which runs where the code is: so it
// also works in remote windows and containers, and the worker's page needs no leave to be framed by others.
import { randomBytes } from "node:crypto";
import * as vscode from "vscode";
import { bridge } from "./bridge";
import type { Asked, Worker } from "./worker";

type Message = { id: number } & ({ asked: Asked } | { stop: true }) | { open: string; line?: number };

export class MapPanel {
  private panel?: vscode.WebviewPanel;
  private folder = "";

  constructor(private readonly worker: Worker, private readonly output: vscode.LogOutputChannel) {}

  /** Shows a view of the page (map, feed, decisions, ...) for the repository around `folder`. */
  async show(folder: string, view = "map", parameters: Record<string, string> = {}): Promise<void> {
    const { page, repo } = await this.worker.open(folder);
    const reply = await this.worker.send(page, { path: "/viewer" });
    let html = "";
    for await (const part of reply.setEncoding("utf8")) html += part;
    const address = `#/${view}?${new URLSearchParams({ repo, ...parameters })}`;
    this.folder = folder;
    this.panel ??= this.create(page);
    const isLight = [vscode.ColorThemeKind.Light, vscode.ColorThemeKind.HighContrastLight].includes(vscode.window.activeColorTheme.kind);
    this.panel.webview.html = inWebview(html, address, isLight ? "light" : "dark");
    this.panel.reveal();
  }

  private create(page: URL): vscode.WebviewPanel {
    const panel = vscode.window.createWebviewPanel("codexmem.map", "codexmem", vscode.ViewColumn.Active, { enableScripts: true, retainContextWhenHidden: true, localResourceRoots: [] });
    const running = new Map<number, AbortController>();
    panel.webview.onDidReceiveMessage((message: Message) => {
      if ("open" in message) return void this.openFile(message.open, message.line);
      if ("stop" in message) return running.get(message.id)?.abort();
      const control = new AbortController();
      running.set(message.id, control);
      void this.forward(panel.webview, page, message.id, message.asked, control.signal).finally(() => running.delete(message.id));
    });
    panel.onDidDispose(() => {
      this.panel = undefined;
      for (const each of running.values()) each.abort();
    });
    return panel;
  }

  /** Sends one request of the page to the worker, and its answer back, part by part. */
  private async forward(webview: vscode.Webview, page: URL, id: number, asked: Asked, signal: AbortSignal): Promise<void> {
    try {
      if (!asked.path.startsWith("/api/")) throw new Error(`${asked.path} is no route of the page`);
      const reply = await this.worker.send(page, asked, signal);
      await webview.postMessage({ id, status: reply.statusCode, type: reply.headers["content-type"] });
      for await (const part of reply) await webview.postMessage({ id, part: (part as Buffer).toString("base64") });
      await webview.postMessage({ id, end: true });
    } catch (error) {
      if (signal.aborted) return;
      this.output.debug(error as Error as never);
      await webview.postMessage({ id, failed: (error as Error).message });
    }
  }

  /** Only files of the folder: the address comes from a page. */
  private async openFile(address: string, line = 1): Promise<void> {
    const uri = vscode.Uri.parse(address);
    const folder = vscode.workspace.getWorkspaceFolder(uri);
    if (folder?.uri.fsPath !== this.folder) return;
    const at = new vscode.Position(Math.max(0, line - 1), 0);
    await vscode.window.showTextDocument(uri, { selection: new vscode.Range(at, at), viewColumn: vscode.ViewColumn.Beside });
  }
}

/** The worker's page with the bridge before its own scripts, under a policy as strict as the worker's. */
function inWebview(html: string, address: string, theme: string): string {
  const nonce = html.match(/nonce="([0-9a-f]+)"/)?.[1] ?? randomBytes(16).toString("hex");
  const policy = `default-src 'none'; script-src 'nonce-${nonce}'; style-src 'nonce-${nonce}'; img-src data:; base-uri 'none'; form-action 'none'`;
  const given = [address, theme].map((each) => JSON.stringify(each).replaceAll("<", "\\u003c"));
  const first = `<meta http-equiv="Content-Security-Policy" content="${policy}"><style nonce="${nonce}">body { padding: 0 !important }</style><script nonce="${nonce}">(${bridge})(${given})</script>`;
  return html.replace("<head>", () => `<head>${first}`);
}
