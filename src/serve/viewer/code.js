// code.js - source text with colours and line numbers, of any length, and what points into it.
//
// highlight.js gives a tree of tokens, of which elements are made here: no text becomes markup.

import hljs from "highlight.js/lib/core";
import bash from "highlight.js/lib/languages/bash";
import c from "highlight.js/lib/languages/c";
import cpp from "highlight.js/lib/languages/cpp";
import css from "highlight.js/lib/languages/css";
import go from "highlight.js/lib/languages/go";
import ini from "highlight.js/lib/languages/ini";
import java from "highlight.js/lib/languages/java";
import javascript from "highlight.js/lib/languages/javascript";
import json from "highlight.js/lib/languages/json";
import lua from "highlight.js/lib/languages/lua";
import markdown from "highlight.js/lib/languages/markdown";
import python from "highlight.js/lib/languages/python";
import ruby from "highlight.js/lib/languages/ruby";
import rust from "highlight.js/lib/languages/rust";
import sql from "highlight.js/lib/languages/sql";
import typescript from "highlight.js/lib/languages/typescript";
import xml from "highlight.js/lib/languages/xml";
import yaml from "highlight.js/lib/languages/yaml";
import { clear, count, h, icon } from "./page.js";

const LANGUAGES = { bash, c, cpp, css, go, ini, java, javascript, json, lua, markdown, python, ruby,
  rust, sql, typescript, xml, yaml };
for (const [name, language] of Object.entries(LANGUAGES)) hljs.registerLanguage(name, language);
hljs.registerAliases(["shell"], { languageName: "bash" });
hljs.registerAliases(["vue", "svelte"], { languageName: "xml" });

const MOST_COLOURED = 300_000, MOST_OF_A_LINE = 2_000;

// The lines of `text`, each a list of [text, scope].
export function tokenLines(text, language) {
  const lines = [[]];
  const walk = (node, scope) => {
    if (typeof node !== "string") {
      for (const child of node.children) walk(child, node.scope ?? scope);
      return;
    }
    node.split("\n").forEach((part, i) => {
      if (i) lines.push([]);
      if (part) lines.at(-1).push([part, scope]);
    });
  };
  const known = hljs.getLanguage(language ?? "") && text.length <= MOST_COLOURED;
  walk(known ? hljs.highlight(text, { language, ignoreIllegals: true })._emitter.rootNode : text, "");
  return lines;
}

function lineParts(tokens) {
  let left = MOST_OF_A_LINE;
  const parts = [];
  for (const [text, scope] of tokens) {
    if (left <= 0) return [...parts, h("span", { class: "muted" }, " … the line goes on")];
    const shown = text.slice(0, left);
    left -= shown.length;
    parts.push(scope ? h("span", { class: `hl-${scope.split(".")[0]}` }, shown) : shown);
  }
  return parts;
}

// Lines of code in a scrolling box; what is out of sight is not in the page.
export class CodeView {
  static LINE = 20;
  static BLOCK = 100;   // lines that enter and leave the page together
  static CHUNK = 1000;  // lines asked for at once

  #chunks = new Map();  // number -> lines of tokens, or null while they are on their way
  #blocks = new Map();
  #frame = 0;

  // options: label; first: number of the first line; lines: how many; language; text: of all of it,
  // or load(from, lines) -> Promise of a text; mark: [line, endLine]; onLine(line): its number was pressed.
  constructor(options) {
    this.options = options;
    this.room = h("div", { class: "code-room" });
    this.marked = h("div", { class: "code-mark", "aria-hidden": "true", hidden: true });
    this.element = h("div", {
      class: "code", tabindex: "0", role: "region", "aria-label": options.label,
      onscroll: () => this.#later(),
      onclick: (event) => {
        if (!event.target.classList.contains("code-numbers")) return;
        const y = event.clientY - this.room.getBoundingClientRect().top;
        options.onLine?.(options.first + Math.floor(y / CodeView.LINE));
      },
    }, this.room);
    this.room.append(this.marked);
    this.room.style.height = `${options.lines * CodeView.LINE}px`;
    this.room.style.setProperty("--digits", String(options.first + options.lines).length);
    if (options.text !== undefined) {
      const all = tokenLines(options.text, options.language);
      for (let i = 0; i * CodeView.CHUNK < options.lines; ++i) {
        this.#chunks.set(i, all.slice(i * CodeView.CHUNK, (i + 1) * CodeView.CHUNK));
      }
    }
    this.mark(options.mark);
    this.watcher = new ResizeObserver(() => this.#later());
    this.watcher.observe(this.element);
  }
  destroy() {
    this.watcher.disconnect();
    cancelAnimationFrame(this.#frame);
  }
  // A chunk that is known already.
  give(from, text) {
    const { first, language } = this.options;
    const at = Math.floor((from - first) / CodeView.CHUNK);
    const lines = tokenLines(text, language);
    for (let i = 0; i * CodeView.CHUNK < lines.length; ++i) {
      this.#chunks.set(at + i, lines.slice(i * CodeView.CHUNK, (i + 1) * CodeView.CHUNK));
    }
    for (const block of this.#blocks.values()) block.remove();
    this.#blocks.clear();
    this.#later();
  }
  mark(range) {
    this.marked.hidden = !range;
    if (!range) return;
    const [line, end = line] = range;
    this.marked.style.top = `${(line - this.options.first) * CodeView.LINE}px`;
    this.marked.style.height = `${(Math.max(line, end) - line + 1) * CodeView.LINE}px`;
  }
  reveal(line) {
    const top = (line - this.options.first) * CodeView.LINE;
    this.element.scrollTop = Math.max(0, top - Math.min(200, this.element.clientHeight / 3));
    this.#draw();
  }
  #later() { this.#frame ||= requestAnimationFrame(() => { this.#frame = 0; this.#draw(); }); }

  #draw() {
    const { BLOCK, LINE, CHUNK } = CodeView;
    const { first, lines } = this.options;
    const height = this.element.clientHeight;
    const from = Math.max(0, Math.floor((this.element.scrollTop - height) / LINE / BLOCK));
    const to = Math.min(Math.ceil(lines / BLOCK) - 1, Math.floor((this.element.scrollTop + 2 * height) / LINE / BLOCK));
    for (const [at, block] of this.#blocks) {
      if (at >= from && at <= to) continue;
      block.remove();
      this.#blocks.delete(at);
    }
    for (let at = from; at <= to; ++at) {
      if (this.#blocks.has(at)) continue;
      const chunk = Math.floor(at * BLOCK / CHUNK);
      const known = this.#chunks.get(chunk);
      if (!known) {
        this.#load(chunk);
        continue;
      }
      const start = at * BLOCK, end = Math.min(lines, start + BLOCK);
      const numbers = Array.from({ length: end - start }, (_, i) => first + start + i).join("\n");
      const text = h("code", {});
      for (let i = start; i < end; ++i) text.append(...lineParts(known[i - chunk * CHUNK] ?? []), "\n");
      const block = h("div", { class: "code-block" },
        h("div", { class: "code-numbers", "aria-hidden": "true" }, numbers), h("pre", {}, text));
      block.style.top = `${start * LINE}px`;
      this.#blocks.set(at, block);
      // In their order, for those who read it by ear or select it.
      const next = [...this.#blocks.keys()].filter((each) => each > at).sort((a, b) => a - b)[0];
      this.room.insertBefore(block, this.#blocks.get(next) ?? this.marked);
    }
  }
  async #load(chunk) {
    if (this.#chunks.has(chunk) || !this.options.load) return;
    this.#chunks.set(chunk, null);
    const from = this.options.first + chunk * CodeView.CHUNK;
    try {
      this.give(from, await this.options.load(from, CodeView.CHUNK));
    } catch { this.#chunks.delete(chunk); }
  }
}

// ---- What leads to a place in the code.

export const folderOf = (path) => path.includes("/") ? path.slice(0, path.lastIndexOf("/")) : "";
export const baseOf = (path) => path.slice(path.lastIndexOf("/") + 1);

// A path whose end stays readable where there is little room.
export const pathText = (path) => h("span", { class: "path", title: path },
  folderOf(path) && h("span", { class: "path-folder" }, h("bdi", {}, `${folderOf(path)}/`)),
  h("span", { class: "path-name" }, baseOf(path)));

export const fileLink = (app, path, line, ...more) => h("a", { class: "code-link", href: app.link("file", { path, line }) },
  pathText(path), line && h("span", { class: "at" }, `:${line}`), more);
export const symbolLink = (app, { id, name, path, line }, ...more) => h("a", { class: "code-link", href: app.link("symbol", { id, name, path, line }) },
  h("span", { class: "symbol-name" }, name), more);

export const editorAddress = (root, path, line) =>
  `vscode://file/${[...root.replace(/^\//, "").split("/"), ...path.split("/")].map(encodeURIComponent).join("/")}${line ? `:${line}` : ""}`;
export const editorLink = (root, path, line) => root && h("a", {
  class: "button", href: editorAddress(root, path, line), title: `Open ${path}${line ? `:${line}` : ""} in VS Code` },
icon("open"), h("span", {}, "Open in VS Code"));

// Folders of a path as links to the map, for the head of a view.
export function crumbs(app, name, path, { last = true } = {}) {
  const parts = path.split("/").filter(Boolean);
  const link = (text, to) => h("a", { href: app.link("map", { path: to, layer: app.parameters.layer, as: app.parameters.as }) }, text);
  const items = [last || parts.length ? link(name || "…", "") : name];
  parts.forEach((part, i) => {
    items.push(i === parts.length - 1 && !last ? h("span", { "aria-current": "page" }, part)
      : i === parts.length - 1 ? h("span", { "aria-current": "page" }, part)
        : link(part, parts.slice(0, i + 1).join("/")));
  });
  return h("nav", { class: "crumbs", "aria-label": "Path" }, h("ol", {}, items.map((each) => h("li", {}, each))));
}

// A box beside the code: a title, how many, and rows; the first `most` of them until more are wanted.
export function sideBox(title, rows, { most = 12, total = rows.length, empty = "", isCut = false } = {}) {
  if (!rows.length && !empty) return null;
  const list = h("ul", { class: "side-rows" });
  const draw = (until) => clear(list, rows.slice(0, until),
    rows.length > until && h("li", {}, h("button", { type: "button", class: "more", onclick: () => draw(rows.length) },
      `${count(rows.length - until)} more`)));
  draw(most);
  return h("section", { class: "side-box" },
    h("h2", {}, title, rows.length > 0 && h("span", { class: "side-count" }, `${count(total)}${isCut ? " or more" : ""}`)),
    rows.length ? list : h("p", { class: "muted note" }, empty));
}

export function recordRows(app, records) {
  return records.map((each) => h("li", {}, h("a", { class: "side-record", href: app.link("feed", { id: String(each.id), project: "", path: "" }) },
    h("strong", {}, each.pinned && icon("pin"), each.title || "Untitled"),
    each.text && h("span", { class: "muted" }, each.text.slice(0, 160)),
    each.stale && h("span", { class: "chip warn" }, "the code has changed since"))));
}
