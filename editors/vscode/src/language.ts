// language.ts - the language server, for the languages that have no other.
import * as vscode from "vscode";
import { LanguageClient, type LanguageClientOptions, Trace } from "vscode-languageclient/node";
import type { Program } from "./program";

/** VS Code's ids of the languages that `codexmem languages` names otherwise. */
const IDS: Record<string, string[]> = {
  javascript: ["javascript", "javascriptreact"], typescript: ["typescript", "typescriptreact"], tsx: ["typescriptreact"],
  bash: ["shellscript"], shell: ["shellscript"], objc: ["objective-c", "objective-cpp"], protobuf: ["proto3", "proto"],
};

/** Languages that another extension activates for: it will know them better. */
function servedElsewhere(self: string): Set<string> {
  const served = new Set<string>();
  for (const each of vscode.extensions.all) {
    if (each.id === self || !each.packageJSON.main) continue;
    for (const event of each.packageJSON.activationEvents ?? []) {
      if (typeof event === "string" && event.startsWith("onLanguage:")) served.add(event.slice("onLanguage:".length));
    }
  }
  return served;
}

export class LanguageServers implements vscode.Disposable {
  private readonly clients = new Map<string, LanguageClient>();
  private readonly watching: vscode.Disposable;
  private updating = Promise.resolve();

  constructor(private readonly program: Program, private readonly self: string, private readonly output: vscode.LogOutputChannel) {
    this.watching = vscode.Disposable.from(
      vscode.workspace.onDidChangeWorkspaceFolders(() => this.update()),
      vscode.extensions.onDidChange(() => this.update()),
      vscode.workspace.onDidChangeConfiguration((change) => {
        if (change.affectsConfiguration("codexmem")) this.update(change.affectsConfiguration("codexmem.path"));
      }),
    );
    this.update();
  }

  /** Starts and stops servers until they are those that settings, folders and extensions ask for. */
  update(anew = false): void {
    this.updating = this.updating.then(() => this.bringUpToDate(anew)).catch((error) => this.output.error(error));
  }

  private async bringUpToDate(anew: boolean): Promise<void> {
    const known = await this.known();
    const wanted = new Map<string, { folder: vscode.WorkspaceFolder; languages: string[] }>();
    for (const folder of vscode.workspace.workspaceFolders ?? []) {
      if (folder.uri.scheme !== "file") continue;
      const languages = this.languagesOf(folder, known);
      if (languages.length) wanted.set(`${folder.uri} ${languages}`, { folder, languages });
    }
    for (const [key, client] of this.clients) {
      if (wanted.has(key) && !anew) continue;
      this.clients.delete(key);
      await this.stop(client);
    }
    for (const [key, { folder, languages }] of wanted) {
      if (this.clients.has(key)) continue;
      const client = this.clientOf(folder, languages);
      this.output.info(`language server in ${folder.uri.fsPath} for ${languages.join(", ")}`);
      await client.start();  // a failure is shown by the client, and tried again when something changes
      this.clients.set(key, client);
      await client.setTrace(Trace.fromString(vscode.workspace.getConfiguration("codexmem", folder).get("languageServer.trace", "off")));
    }
  }

  private async known(): Promise<string[]> {
    const folder = vscode.workspace.workspaceFolders?.find((each) => each.uri.scheme === "file");
    if (!folder) return [];
    const { languages } = (await this.program.ask<{ languages: { name: string; knownBy: string }[] }>("languages", [], folder.uri.fsPath)) ?? { languages: [] };
    return languages.filter((each) => each.knownBy !== "text").flatMap((each) => IDS[each.name] ?? [each.name]);
  }

  private languagesOf(folder: vscode.WorkspaceFolder, known: string[]): string[] {
    const chosen = vscode.workspace.getConfiguration("codexmem", folder).get<string[] | null>("languageServer.languages");
    if (chosen) return [...chosen].sort();
    const elsewhere = servedElsewhere(this.self);
    return [...new Set(known)].filter((each) => !elsewhere.has(each)).sort();
  }

  private clientOf(folder: vscode.WorkspaceFolder, languages: string[]): LanguageClient {
    const options: LanguageClientOptions = {
      documentSelector: languages.map((language) => ({ scheme: "file", language, pattern: `${folder.uri.fsPath}/**/*` })),
      workspaceFolder: folder,
      outputChannel: this.output,
      diagnosticCollectionName: "codexmem",
    };
    const run = { command: this.program.path, args: ["lsp", folder.uri.fsPath], options: { cwd: folder.uri.fsPath } };
    return new LanguageClient("codexmem.languageServer", "codexmem", run, options);
  }

  async dispose(): Promise<void> {
    this.watching.dispose();
    await this.updating;
    await Promise.all([...this.clients.values()].map((each) => this.stop(each)));
  }

  /** One that has ended by itself cannot be stopped again. */
  private stop(client: LanguageClient): Promise<void> {
    return client.dispose().catch((error) => this.output.debug(String(error)));
  }
}
