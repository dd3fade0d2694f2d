// program.ts - finds the program codexmem, and runs it.
import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";
import * as vscode from "vscode";

/** Exit codes of the program: 0 found or done, 1 nothing found, 2 error. */
const NOTHING_FOUND = 1;
const ANSWER_BYTES = 64 * 1024 * 1024;

export class Program {
  constructor(private readonly extension: vscode.Uri, private readonly output: vscode.LogOutputChannel) {}

  /** The setting, or else the program inside the extension, or else the one in PATH. */
  get path(): string {
    const chosen = vscode.workspace.getConfiguration("codexmem").get<string>("path");
    if (chosen) return chosen;
    const inside = join(this.extension.fsPath, "bin", "codexmem");
    return existsSync(inside) ? inside : "codexmem";
  }

  /** What `codexmem ARGUMENTS` prints in `folder`. Throws what it says when it fails, and when it is cancelled. */
  run(args: readonly string[], folder: string, token?: vscode.CancellationToken): Promise<string> {
    this.output.debug(`codexmem ${args.join(" ")}`);
    return new Promise((resolve, reject) => {
      const child = execFile(this.path, args, { cwd: folder, maxBuffer: ANSWER_BYTES }, (error, stdout, stderr) => {
        cancelled?.dispose();
        if (!error || error.code === NOTHING_FOUND) return resolve(stdout);
        if (token?.isCancellationRequested) return reject(new vscode.CancellationError());
        const missing = (error as NodeJS.ErrnoException).code === "ENOENT";
        const reason = missing ? `There is no program ${this.path}. Install codexmem, or name it in the setting codexmem.path.` : stderr.trim() || error.message;
        this.output.error(`codexmem ${args.join(" ")}: ${reason}`);
        reject(new Error(reason));
      });
      const cancelled = token?.onCancellationRequested(() => child.kill());
      child.stdin?.end();
    });
  }

  /** What `codexmem COMMAND --json ARGUMENTS` answers; null when that is nothing. */
  async ask<T>(command: string, args: readonly string[], folder: string, token?: vscode.CancellationToken): Promise<T | null> {
    const text = await this.run([command, "--json", ...args], folder, token);
    return text.trim() ? JSON.parse(text) as T : null;
  }
}

/** The folder of the file in the active editor, or else the first of the workspace; only folders on disk. */
export function currentFolder(document = vscode.window.activeTextEditor?.document): vscode.WorkspaceFolder | undefined {
  const own = document && vscode.workspace.getWorkspaceFolder(document.uri);
  return own ?? vscode.workspace.workspaceFolders?.find((each) => each.uri.scheme === "file");
}

/** Runs `task`, and shows what it throws. */
export async function orSay<T>(task: () => Promise<T>): Promise<T | undefined> {
  try {
    return await task();
  } catch (error) {
    if (error instanceof vscode.CancellationError) return undefined;
    const answer = await vscode.window.showErrorMessage(`codexmem: ${(error as Error).message}`, "Show Output");
    if (answer) await vscode.commands.executeCommand("codexmem.showOutput");
    return undefined;
  }
}
