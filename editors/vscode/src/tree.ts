// tree.ts - a view that shows a list of nodes, made new as a whole.
import { join } from "node:path";
import * as vscode from "vscode";

export interface Node {
  label: string;
  description?: string;
  tooltip?: string;
  icon?: string;
  open?: { folder: string; path: string; line?: number };
  command?: vscode.Command;
  children?: Node[];
}

export class Tree implements vscode.TreeDataProvider<Node> {
  private readonly changed = new vscode.EventEmitter<void>();
  readonly onDidChangeTreeData = this.changed.event;
  private nodes: Node[] = [];

  show(nodes: Node[]): void {
    this.nodes = nodes;
    this.changed.fire();
  }
  getChildren(node?: Node): Node[] {
    return node ? node.children ?? [] : this.nodes;
  }
  getTreeItem(node: Node): vscode.TreeItem {
    const { Expanded, None } = vscode.TreeItemCollapsibleState;
    const item = new vscode.TreeItem(node.label, node.children?.length ? Expanded : None);
    item.description = node.description;
    item.tooltip = node.tooltip;
    if (node.icon) item.iconPath = new vscode.ThemeIcon(node.icon);
    item.command = node.command ?? (node.open && openCommand(node.open));
    return item;
  }
}

/** Opens a file of a repository at a line (from 1). */
export function openCommand({ folder, path, line }: NonNullable<Node["open"]>): vscode.Command {
  const place = new vscode.Position(Math.max(0, (line ?? 1) - 1), 0);
  return { command: "vscode.open", title: "Open", arguments: [vscode.Uri.file(join(folder, path)), { selection: new vscode.Range(place, place), preserveFocus: false }] };
}

/** A group with its number of members; none when it is empty. */
export function group(label: string, children: Node[], icon?: string): Node[] {
  return children.length ? [{ label, description: String(children.length), children, icon }] : [];
}
