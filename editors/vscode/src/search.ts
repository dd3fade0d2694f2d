// search.ts - search as one types, to the function.
import * as vscode from "vscode";
import { currentFolder, type Program } from "./program";
import { openCommand } from "./tree";

const SETTLE_MS = 150;
const RESULTS = 20;

/** A result of `codexmem search --json`. */
interface Found {
  file: { path: string };
  symbol?: { name: string };
  container?: string;
  kind?: string;
  line: number;
  snippet: string;
  snippetLine: number;
}
type Item = vscode.QuickPickItem & { found: Found };

export function search(program: Program, output: vscode.LogOutputChannel): void {
  const folder = currentFolder()?.uri.fsPath;
  if (!folder) return void vscode.window.showInformationMessage("codexmem: no folder is open.");
  const pick = vscode.window.createQuickPick<Item>();
  pick.title = "Search code";
  pick.placeholder = "What it does, or what you remember of its name";
  pick.matchOnDescription = pick.matchOnDetail = true;
  let timer: NodeJS.Timeout | undefined;
  let running = new vscode.CancellationTokenSource();
  const ask = async (words: string) => {
    running.cancel();
    running = new vscode.CancellationTokenSource();
    if (!words.trim()) return void (pick.items = []);
    const { token } = running;
    pick.busy = true;
    try {
      const found = await program.ask<Found[]>("search", ["--limit", String(RESULTS), "--", words], folder, token);
      if (!token.isCancellationRequested) pick.items = (found ?? []).map(itemOf);
    } catch (error) {
      if (!(error instanceof vscode.CancellationError)) output.error(error as Error);
    } finally {
      if (!token.isCancellationRequested) pick.busy = false;
    }
  };
  pick.onDidChangeValue((words) => {
    clearTimeout(timer);
    timer = setTimeout(() => void ask(words), SETTLE_MS);
  });
  pick.onDidAccept(() => {
    const [item] = pick.selectedItems;
    if (!item) return;
    const { command, arguments: given = [] } = openCommand({ folder, path: item.found.file.path, line: item.found.line });
    void vscode.commands.executeCommand(command, ...given);
    pick.hide();
  });
  pick.onDidHide(() => {
    clearTimeout(timer);
    running.cancel();
    pick.dispose();
  });
  pick.show();
}

function itemOf(found: Found): Item {
  const name = found.symbol?.name ?? found.file.path;
  return {
    label: name, description: `${found.container ? `${found.container}  ` : ""}${found.file.path}:${found.line}`,
    detail: found.snippet.split("\n")[found.line - found.snippetLine]?.trim(), alwaysShow: true, found,
  };
}
