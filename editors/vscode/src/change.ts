// change.ts - what the uncommitted changes touch, and the tests to run.
import * as vscode from "vscode";
import { currentFolder, type Program } from "./program";
import { Tree, group, type Node } from "./tree";

interface Place {
  file: { path: string };
  line?: number;
}
/** `codexmem impact --json`, as far as it is shown. */
interface Impact {
  changed: (Place & { symbol: string; kind: string; change: string })[];
  broken: (Place & { name?: string; symbol?: string; why?: string })[];
  affected: (Place & { symbol: string; uses: string; confidence?: string })[];
  tests: { path: string; likelihood: number; why: string }[];
  run: string[];
  notSeen?: string[];
}

export class ChangeView implements vscode.Disposable {
  private readonly tree = new Tree();
  private readonly view = vscode.window.createTreeView("codexmem.change", { treeDataProvider: this.tree });
  private commands: string[] = [];
  private folder = "";

  constructor(private readonly program: Program) {}

  async look(): Promise<void> {
    const folder = currentFolder()?.uri.fsPath;
    if (!folder) throw new Error("No folder is open.");
    const options = { location: { viewId: "codexmem.change" } };
    const impact = await vscode.window.withProgress(options, () => this.program.ask<Impact>("impact", [], folder));
    this.folder = folder;
    this.commands = impact?.run ?? [];
    const nodes = impact ? nodesOf(folder, impact) : [];
    this.tree.show(nodes);
    this.view.message = nodes.length ? impact?.notSeen?.join("\n") : "Nothing is changed since the last commit.";
    await vscode.commands.executeCommand("setContext", "codexmem.hasTests", this.commands.length > 0);
    await vscode.commands.executeCommand("codexmem.change.focus");
  }

  /** Puts the commands into a terminal; the person starts them, for a repository could have named them. */
  async runTests(): Promise<void> {
    const command = this.commands.length > 1 ? await vscode.window.showQuickPick(this.commands, { title: "Tests to run" }) : this.commands[0];
    if (!command) return;
    const terminal = vscode.window.createTerminal({ name: "codexmem tests", cwd: this.folder });
    terminal.show();
    terminal.sendText(command, false);
  }

  dispose(): void {
    this.view.dispose();
  }
}

function nodesOf(folder: string, impact: Impact): Node[] {
  const node = (label: string, description: string, place: Place, icon: string): Node => ({
    label, description, tooltip: `${place.file.path}:${place.line ?? 1}`, icon, open: { folder, path: place.file.path, line: place.line },
  });
  return [
    ...group("Broken", impact.broken.map((each) => node(each.name ?? each.symbol ?? each.file.path, each.why ?? "", each, "error")), "error"),
    ...group("Changed", impact.changed.map((each) => node(each.symbol, each.change, each, "edit")), "edit"),
    ...group("Tests to run", impact.tests.map((each) => ({ label: each.path, description: each.why, icon: "beaker", open: { folder, path: each.path } })), "beaker"),
    ...group("Affected", impact.affected.map((each) => node(each.symbol, `uses ${each.uses}${each.confidence === "resolved" ? "" : `, ${each.confidence}`}`, each, "call-incoming")), "call-incoming"),
  ];
}
