// mcp.ts - offers the MCP server to the chat, with no file written.
import * as vscode from "vscode";
import type { Program } from "./program";

export function offerServer(program: Program, version: string): vscode.Disposable {
  const changed = new vscode.EventEmitter<void>();
  const provider: vscode.McpServerDefinitionProvider<vscode.McpStdioServerDefinition> = {
    onDidChangeMcpServerDefinitions: changed.event,
    provideMcpServerDefinitions: () => serversOf(program, version),
  };
  return vscode.Disposable.from(
    changed,
    vscode.lm.registerMcpServerDefinitionProvider("codexmem", provider),
    vscode.workspace.onDidChangeWorkspaceFolders(() => changed.fire()),
    vscode.workspace.onDidChangeConfiguration((change) => {
      if (change.affectsConfiguration("codexmem")) changed.fire();
    }),
  );
}

/** One server for each folder on disk that has not turned it off. */
function serversOf(program: Program, version: string): vscode.McpStdioServerDefinition[] {
  const folders = vscode.workspace.workspaceFolders?.filter((each) => each.uri.scheme === "file") ?? [];
  return folders.filter((each) => vscode.workspace.getConfiguration("codexmem", each).get("mcp.enabled")).map((folder) => {
    const label = folders.length > 1 ? `codexmem (${folder.name})` : "codexmem";
    const server = new vscode.McpStdioServerDefinition(label, program.path, ["serve", "--text", folder.uri.fsPath], {}, version);
    server.cwd = folder.uri;
    return server;
  });
}
