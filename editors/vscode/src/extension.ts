// extension.ts - wires the parts together: the MCP server, the language server, the views and the commands.
import * as vscode from "vscode";
import { ChangeView } from "./change";
import { HereViews } from "./here";
import { LanguageServers } from "./language";
import { MapPanel } from "./map";
import { offerServer } from "./mcp";
import { Program, currentFolder, orSay } from "./program";
import { search } from "./search";
import { StatusBar } from "./status";
import { Worker } from "./worker";

export function activate(context: vscode.ExtensionContext): void {
  const output = vscode.window.createOutputChannel("codexmem", { log: true });
  const program = new Program(context.extensionUri, output);
  const status = new StatusBar(program);
  const worker = new Worker(program, (opening) => status.during("Bringing the index up to date", opening));
  const map = new MapPanel(worker, output);
  const change = new ChangeView(program);

  const index = () => orSay(async () => {
    const folder = currentFolder()?.uri.fsPath;
    if (!folder) throw new Error("No folder is open.");
    await status.during("Indexing", () => program.run(["index"], folder));
  });
  const openMap = (folder = currentFolder()?.uri.fsPath, view?: string, parameters?: Record<string, string>) => orSay(async () => {
    if (!folder) throw new Error("No folder is open.");
    await map.show(folder, view, parameters);
  });
  const commands: Record<string, (...given: never[]) => unknown> = {
    index, openMap,
    search: () => search(program, output),
    impact: () => orSay(() => change.look()),
    runTests: () => change.runTests(),
    showOutput: () => output.show(),
  };

  context.subscriptions.push(
    output, status, change, new HereViews(worker, output),
    offerServer(program, context.extension.packageJSON.version),
    new LanguageServers(program, context.extension.id, output),
    ...Object.entries(commands).map(([name, run]) => vscode.commands.registerCommand(`codexmem.${name}`, run)),
  );
}
