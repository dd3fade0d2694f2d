// finder.js - Ctrl-K: files, symbols, code and memories in one list, as one types.

import { clear, h, icon, msOf, settled, shortTime } from "./page.js";
import { ask } from "./worker.js";
import { baseOf, folderOf } from "./code.js";

const GROUPS = [["symbols", "Symbols"], ["files", "Files"], ["code", "Code"], ["memories", "Memories"]];

// options: only: one group; pick(path): takes a file instead of going to it; text: what stands there first.
export function openFinder(app, { only = "", pick = null, text = "" } = {}) {
  if (document.querySelector("dialog[open]")) return;
  const back = document.activeElement;
  let abort = new AbortController(), rows = [], at = 0, told = false;

  const input = h("input", { type: "text", class: "finder-input", role: "combobox", "aria-expanded": "true", "aria-controls": "finder-list", "aria-autocomplete": "list",
    "aria-label": only ? "Find a file" : "Find files, symbols, code and memories", placeholder: only ? "File name" : "Files, symbols, code, memories", autocomplete: "off", spellcheck: "false", value: text,
    oninput: () => { find.cancel(); if (input.value.trim()) find(); else start(); } });
  const list = h("div", { class: "finder-list", id: "finder-list", role: "listbox", "aria-label": "Found" });
  const note = h("div", { class: "finder-note", role: "status" });
  const dialog = h("dialog", { class: "finder", "aria-label": only ? "Find a file" : "Find", onkeydown: key,
    onclick: (event) => { if (event.target === dialog) dialog.close(); },
    onclose: () => { abort.abort(); find.cancel(); dialog.remove(); if (!went) back?.focus?.({ preventScroll: true }); } },
  h("div", { class: "finder-head" }, icon("searches"), input, h("kbd", { "aria-hidden": "true" }, "Esc")), list, note);
  let went = false;

  function row(group, { image, title, place, line, href, act }) {
    const element = h("a", { class: "finder-row", role: "option", href, tabindex: "-1", id: `finder-${rows.length}`, "data-group": group,
      onclick: (event) => {
        if (event.ctrlKey || event.metaKey) return;
        event.preventDefault();
        take(rows.findIndex((each) => each.element === element));
      },
      onpointermove: () => choose(rows.findIndex((each) => each.element === element)) },
    icon(image), h("span", { class: "finder-text" }, h("span", { class: "finder-title" }, title), line && h("span", { class: "finder-line" }, line)), h("span", { class: "finder-place" }, place));
    rows.push({ element, href, act });
    return element;
  }
  const lineOf = (code) => code.split("\n").map((each) => each.trim()).find(Boolean)?.slice(0, 140);
  const memoryText = (each) => [each.type, each.project, shortTime(msOf(each.createdAt))].filter(Boolean).join(" · ");
  const MAKE = {
    symbols: (each) => ({ image: "symbol", title: each.name, place: `${each.kind} · ${each.path}:${each.line}`, href: app.link("symbol", { id: each.id, name: each.name, path: each.path, line: each.line }) }),
    files: (each) => ({ image: "file", title: baseOf(each.path), place: folderOf(each.path), href: app.link("file", { path: each.path }), act: pick && (() => pick(each.path)) }),
    code: (each) => ({ image: "code", title: each.symbol || baseOf(each.path), line: lineOf(each.text ?? ""), place: `${each.path}:${each.line}`, href: app.link("file", { path: each.path, line: each.line }) }),
    memories: (each) => ({ image: "memory", title: each.title || "Untitled", place: memoryText(each), href: app.link("feed", { id: String(each.id), project: "", path: "", q: "" }) }),
  };

  function show(answer, query) {
    rows = [];
    const groups = [];
    for (const [name, title] of GROUPS) {
      if (only && name !== only) continue;
      const found = answer[name] ?? [];
      if (found.length) groups.push(h("div", { class: "finder-group", role: "group", "aria-label": title }, h("div", { class: "finder-name", "aria-hidden": "true" }, title), found.map((each) => row(name, MAKE[name](each)))));
    }
    const hits = rows.length;
    if (!only && query) {
      groups.push(h("div", { class: "finder-group", role: "group", "aria-label": "More" },
        row("more", { image: "feed", title: `Search all memory for “${query}”`, place: "Feed", href: app.link("feed", { q: query, id: "", path: "" }) })));
    }
    clear(list, groups);
    at = 0;
    choose(0);
    note.textContent = hits ? `${hits} found. Arrow keys choose, Enter opens.` : query ? `Nothing found for “${query}”.` : "";
  }
  function start() {
    abort.abort();
    rows = [];
    clear(list);
    note.textContent = only ? "Type a part of a file's name." : "Type a name, a part of a path, or a question.";
  }
  async function search() {
    abort.abort();
    abort = new AbortController();
    const { signal } = abort;
    const query = input.value.trim();
    if (!query) return;
    try {
      let answer;
      if (told) answer = { memories: await memories(query, signal) };
      else {
        try {
          answer = await ask("/api/code/find", { repo: app.repo, q: query, limit: only ? 20 : 6 }, { signal });
        } catch (error) {
          if (error.status !== 404) throw error;
          told = true;  // no repository: memory is left
          answer = { memories: await memories(query, signal) };
        }
      }
      if (!signal.aborted) show(answer, query);
    } catch (error) {
      if (error.name !== "AbortError") note.textContent = error.message;
    }
  }
  async function memories(query, signal) {
    const answer = await ask("/api/search", { query, project: app.project, type: "observations", format: "json", limit: 8 }, { signal });
    return (answer.observations ?? []).map((each) => ({ ...each, createdAt: each.created_at_epoch ?? each.created_at }));
  }
  const find = settled(search, 90);

  function choose(index) {
    rows[at]?.element.setAttribute("aria-selected", "false");
    at = Math.max(0, Math.min(rows.length - 1, index));
    const chosen = rows[at]?.element;
    for (const each of rows) each.element.setAttribute("aria-selected", String(each.element === chosen));
    if (!chosen) { input.removeAttribute("aria-activedescendant"); return; }
    input.setAttribute("aria-activedescendant", chosen.id);
    chosen.scrollIntoView({ block: "nearest" });
  }
  function take(index) {
    const row_ = rows[index];
    if (!row_) return;
    went = true;
    dialog.close();
    if (row_.act) row_.act();
    else app.goTo(row_.href);
  }
  function key(event) {
    const move = { ArrowDown: at + 1, ArrowUp: at - 1, PageDown: at + 8, PageUp: at - 8 }[event.key];
    if (move !== undefined) choose(move < 0 && event.key === "ArrowUp" ? rows.length - 1 : move >= rows.length && event.key === "ArrowDown" ? 0 : move);
    else if (event.key === "Enter") take(at);
    else return;
    event.preventDefault();
  }
  document.body.append(dialog);
  dialog.showModal();
  input.focus();
  input.select();
  if (text) search(); else start();
}
