// status.ts - the status bar: whether there is an index, how much is in it, and what it lacks.
import * as vscode from "vscode";
import { currentFolder, type Program } from "./program";

/** `codexmem status --json`, as far as it is shown. */
interface Status {
  files: number;
  symbols: number;
  incompleteRun: unknown;
  changedFiles?: number;
  hint: string | null;
}

export class StatusBar implements vscode.Disposable {
  private readonly item = vscode.window.createStatusBarItem("codexmem.status", vscode.StatusBarAlignment.Right, 50);
  private readonly watching: vscode.Disposable;

  constructor(private readonly program: Program) {
    this.item.name = "codexmem";
    this.item.command = "codexmem.index";
    this.watching = vscode.Disposable.from(
      vscode.window.onDidChangeActiveTextEditor(() => this.refresh()),
      vscode.window.onDidChangeWindowState((state) => state.focused && this.refresh()),
    );
    this.refresh();
  }

  refresh(): void {
    void this.look().catch((error: Error) => this.say("$(warning) codexmem", error.message, "statusBarItem.warningBackground"));
  }

  /** Shows that work goes on, until it ends. */
  async during<T>(what: string, task: () => Promise<T>): Promise<T> {
    this.say("$(sync~spin) codexmem", what);
    try {
      return await task();
    } finally {
      this.refresh();
    }
  }

  private async look(): Promise<void> {
    const folder = currentFolder()?.uri.fsPath;
    if (!folder) return this.item.hide();
    const status = await this.program.ask<Status>("status", [], folder);
    if (!status?.files) return this.say("$(circle-slash) codexmem", "There is no index yet. Click to make it.");
    const lacks = status.incompleteRun ? "The last run did not end." : status.hint ?? "";
    this.say(lacks ? "$(warning) codexmem" : "$(check) codexmem", `${status.files.toLocaleString()} files, ${status.symbols.toLocaleString()} symbols. ${lacks}\n\nClick to index again.`);
  }

  private say(text: string, tooltip: string, background?: string): void {
    this.item.text = text;
    this.item.tooltip = tooltip;
    this.item.accessibilityInformation = { label: `codexmem: ${tooltip}`, role: "button" };
    this.item.backgroundColor = background ? new vscode.ThemeColor(background) : undefined;
    this.item.show();
  }

  dispose(): void {
    this.watching.dispose();
    this.item.dispose();
  }
}
