// here.ts - the views on the place of the cursor: callers and tests of its symbol, memories and decisions of its file.
import { relative, sep } from "node:path";
import * as vscode from "vscode";
import { Tree, group, type Node } from "./tree";
import type { Decision, FilePage, MemoryRecord, Neighbour, SymbolPage, Worker } from "./worker";

const SETTLE_MS = 250;
const SYMBOL_ICONS = new Set(["class", "constant", "constructor", "enum", "field", "function", "interface", "method", "module", "property", "struct", "variable"]);

interface Here {
  folder: string;
  path: string;
  line: number;
}

export class HereViews implements vscode.Disposable {
  private readonly neighbours = new Tree();
  private readonly records = new Tree();
  private readonly neighbourView = vscode.window.createTreeView("codexmem.neighbours", { treeDataProvider: this.neighbours });
  private readonly recordView = vscode.window.createTreeView("codexmem.records", { treeDataProvider: this.records });
  private readonly watching: vscode.Disposable;
  private timer?: NodeJS.Timeout;
  private shown = "";
  private latest = 0;

  constructor(private readonly worker: Worker, private readonly output: vscode.LogOutputChannel) {
    const soon = () => this.soon();
    const again = () => {
      this.shown = "";
      soon();
    };
    this.watching = vscode.Disposable.from(
      this.neighbourView, this.recordView,
      vscode.window.onDidChangeActiveTextEditor(soon), vscode.window.onDidChangeTextEditorSelection(soon),
      vscode.workspace.onDidSaveTextDocument(again), this.neighbourView.onDidChangeVisibility(again), this.recordView.onDidChangeVisibility(again),
    );
    soon();
  }

  private soon(): void {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => void this.refresh(), SETTLE_MS);
  }

  private async refresh(): Promise<void> {
    const here = placeOf(vscode.window.activeTextEditor);
    if (!here || !(this.neighbourView.visible || this.recordView.visible)) return;
    const key = `${here.folder}\n${here.path}\n${here.line}`;
    if (key === this.shown) return;
    this.shown = key;
    const turn = ++this.latest;
    try {
      const [symbol, file] = await Promise.all([
        this.neighbourView.visible ? this.worker.get<SymbolPage>(here.folder, "/api/code/symbol", { path: here.path, line: here.line }) : null,
        this.recordView.visible ? this.worker.get<FilePage>(here.folder, "/api/code/file", { path: here.path, from: 1, lines: 1 }) : null,
      ]);
      if (turn !== this.latest) return;
      this.showNeighbours(here.folder, symbol);
      this.records.show(file ? recordNodes(here.folder, file) : []);
      await this.setProblem(false);
    } catch (error) {
      this.shown = "";
      this.output.error(error as Error);
      this.neighbours.show([]);
      this.records.show([]);
      await this.setProblem(true);
    }
  }

  private setProblem(problem: boolean): Thenable<unknown> {
    return vscode.commands.executeCommand("setContext", "codexmem.problem", problem);
  }

  private showNeighbours(folder: string, page: SymbolPage | null): void {
    this.neighbourView.description = page?.symbol.name;
    this.neighbourView.message = page?.account;
    if (!page) return this.neighbours.show([]);
    const node = (each: Neighbour, line: number): Node => ({
      label: each.name.split(".").at(-1)!, description: `${each.path}:${line}${each.certainty && each.certainty !== "resolved" ? `  ${each.certainty}` : ""}`,
      tooltip: each.name, icon: `symbol-${SYMBOL_ICONS.has(each.kind) ? each.kind : "method"}`, open: { folder, path: each.path, line },
    });
    this.neighbours.show([
      ...group("Callers", page.callers.map((each) => node(each, each.callLine ?? each.line)), "call-incoming"),
      ...group("Calls", page.callees.map((each) => node(each, each.line)), "call-outgoing"),
      ...group("Tests", page.tests.map((each) => ({ label: each.name ?? each.path, description: each.name ? each.path : undefined, icon: "beaker", open: { folder, path: each.path, line: each.line } })), "beaker"),
    ]);
  }

  dispose(): void {
    clearTimeout(this.timer);
    this.watching.dispose();
  }
}

function placeOf(editor: vscode.TextEditor | undefined): Here | undefined {
  const folder = editor && vscode.workspace.getWorkspaceFolder(editor.document.uri);
  if (!folder || folder.uri.scheme !== "file") return undefined;
  const path = relative(folder.uri.fsPath, editor.document.uri.fsPath).split(sep).join("/");
  return { folder: folder.uri.fsPath, path, line: editor.selection.active.line + 1 };
}

function recordNodes(folder: string, page: FilePage): Node[] {
  const show = (view: string, id: string | number): vscode.Command => ({ command: "codexmem.openMap", title: "Open", arguments: [folder, view, { id }] });
  const stale = "The code it cites has changed since.";
  const node = (each: MemoryRecord | Decision, kind: string, icon: string, text: string, command: vscode.Command): Node => ({
    label: each.title, description: `${kind}, ${each.createdAt.slice(0, 10)}${each.stale ? ", stale" : ""}`,
    tooltip: each.stale ? `${stale}\n\n${text}` : text, icon: each.stale ? "warning" : icon, command,
  });
  return [
    ...group("Decisions", page.decisions.map((each) => node(each, each.status, "law", `${each.target}: ${each.title}`, show("decisions", each.id)))),
    ...group("Memories", page.memories.map((each) => node(each, each.type, "note", each.text, show("feed", each.id)))),
  ];
}
