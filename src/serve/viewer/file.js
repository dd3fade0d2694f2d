// file.js - the pages of a file and of a symbol: its code, what it uses, what uses it, and what is
// remembered of it.

import { button, clear, count, emptyState, errorState, h, icon, loadingState, plural, shortTime, msOf } from "./page.js";
import { ask } from "./worker.js";
import { CodeView, crumbs, editorLink, fileLink, pathText, recordRows, sideBox, symbolLink } from "./code.js";
import { copyText } from "./records.js";

export const decisionRows = (app, decisions) => decisions.map((each) => h("li", {}, h("a", { class: "side-record", href: app.link("decisions", { id: each.id, project: "" }) },
  h("strong", {}, each.title), h("span", { class: "muted" }, `${each.status}, ${each.target}, ${shortTime(msOf(each.createdAt))}`))));
const staleChip = (stale) => stale && h("span", { class: "chip warn", title: "The file has changed since it was indexed" }, "changed since it was indexed");

export function fileView(app) {
  let current = {}, answer = null, abort = new AbortController(), view = null;
  const bar = h("div", { class: "bar" });
  const left = h("div", { class: "code-left" });
  const side = h("aside", { class: "side", "aria-label": "About this file", tabindex: "0" });
  const body = h("div", { class: "code-body" }, left, side);
  const element = h("div", { class: "view file" }, bar, body);

  function drawBar() {
    const { path } = current;
    clear(bar, crumbs(app, app.repositoryName(), path), staleChip(answer?.stale),
      answer && h("span", { class: "told" }, [answer.language, plural(answer.lines, "line")].filter(Boolean).join(", ")),
      h("span", { class: "grow" }),
      h("a", { class: "button", href: app.link("deps", { focus: path }) }, icon("deps"), h("span", {}, "Dependencies")),
      button("Copy path", { image: "copy", hideText: true, kind: "icon-only", title: "Copy the path", onclick: () => copyText(path, "Path copied") }),
      editorLink(app.root, path, current.line));
  }
  function drawSide() {
    const { symbols = [], imports = [], importedBy = [], memories = [], tests = [], decisions = [] } = answer;
    const names = (each) => each.names?.length > 0 && h("span", { class: "muted note names" }, each.names.join(", "));
    clear(side,
      sideBox("Symbols", symbols.map((each) => {
        const row = h("li", { class: "outline" }, symbolLink(app, { ...each, path: current.path }), h("span", { class: "muted note" }, each.kind),
          h("a", { class: "at", href: app.link("file", { path: current.path, line: each.line }), "aria-label": `Line ${each.line}: ${each.name}` }, each.line));
        row.style.setProperty("--level", Math.min(5, each.depth ?? 0));
        return row;
      }), { most: 40 }),
      sideBox("Memories", recordRows(app, memories), { most: 4 }),
      sideBox("Decisions", decisionRows(app, decisions), { most: 4 }),
      sideBox("Imported by", importedBy.map((each) => h("li", {}, fileLink(app, each.path), names(each)))),
      sideBox("Imports", imports.map((each) => h("li", {}, each.path ? fileLink(app, each.path) : h("span", { class: "mono muted" }, each.module), names(each)))),
      sideBox("Tests", tests.map((each) => h("li", {}, fileLink(app, each.path)))),
      !symbols.length && !memories.length && !importedBy.length && !imports.length && !tests.length &&
        h("p", { class: "muted note" }, "Nothing else is known of this file."));
  }
  const lineNow = () => Number(current.line) > 0 ? Number(current.line) : 0;
  async function load() {
    abort.abort();
    abort = new AbortController();
    const { signal } = abort;
    const { path } = current;
    answer = null;
    drawBar();
    view?.destroy();
    view = null;
    clear(side);
    if (!path) {
      clear(left, emptyState("file", "No file chosen", "Ctrl-K finds files and symbols."));
      return;
    }
    clear(left, loadingState());
    const chunkOf = (line) => Math.floor(Math.max(0, line - 1) / CodeView.CHUNK) * CodeView.CHUNK + 1;
    const chunk = chunkOf(lineNow());
    const read = (from, lines) => ask("/api/code/file", { repo: app.repo, path, from, lines }, { signal });
    try {
      let found = await read(chunk, CodeView.CHUNK);
      // The file has become shorter than the address says: its last lines.
      if (found.first < chunk) found = await read(chunkOf(found.lines), CodeView.CHUNK);
      if (signal.aborted) return;
      answer = found;
      app.knowRoot(found.repo);
      view = new CodeView({ label: `Code of ${path}`, first: 1, lines: found.lines, language: found.language,
        mark: lineNow() ? [lineNow()] : null, load: async (from, lines) => (await read(from, lines)).text,
        onLine: (line) => { app.note({ line }); current = { ...current, line }; view.mark([line]); drawBar(); } });
      view.give(found.first ?? chunk, found.text);
      clear(left, view.element);
      drawBar();
      drawSide();
      if (lineNow()) view.reveal(lineNow());
    } catch (error) {
      if (error.name !== "AbortError") clear(left, errorState(error, load));
    }
  }
  return {
    element,
    update(parameters) {
      const same = answer && current.path === parameters.path && current.repo === parameters.repo;
      current = parameters;
      if (!same) return load();
      drawBar();
      view?.mark(lineNow() ? [lineNow()] : null);
      if (lineNow()) view?.reveal(lineNow());
    },
    refresh: load,
    focus: () => view?.element.focus({ preventScroll: true }),
    move: (steps) => view?.element.scrollBy(0, steps * CodeView.LINE * 3),
    repositories: drawBar,
    destroy() {
      abort.abort();
      view?.destroy();
    },
  };
}

export function symbolView(app) {
  let current = {}, answer = null, abort = new AbortController(), view = null;
  const bar = h("div", { class: "bar" });
  const left = h("div", { class: "symbol-left", tabindex: "0", role: "region", "aria-label": "The symbol and its references" });
  const side = h("aside", { class: "side", "aria-label": "About this symbol", tabindex: "0" });
  const element = h("div", { class: "view symbol" }, bar, h("div", { class: "code-body" }, left, side));

  function drawBar() {
    const symbol = answer?.symbol;
    clear(bar, symbol ? crumbs(app, app.repositoryName(), symbol.path) : h("span", { class: "muted" }, current.name ?? ""),
      staleChip(answer?.code?.stale), h("span", { class: "grow" }),
      symbol && [h("a", { class: "button", href: app.link("file", { path: symbol.path, line: symbol.line }) }, icon("file"), h("span", {}, "In its file")),
        h("a", { class: "button", href: app.link("path", { to: `${symbol.path}::${symbol.qualifiedName || symbol.name}` }) }, icon("path"), h("span", {}, "Calls")),
        h("a", { class: "button", href: app.link("history", { symbol: `${symbol.path}::${symbol.qualifiedName || symbol.name}` }) }, icon("timings"), h("span", {}, "History")),
        h("a", { class: "button", href: app.link("deps", { focus: symbol.path }) }, icon("deps"), h("span", {}, "Dependencies")),
        editorLink(app.root, symbol.path, symbol.line)]);
  }
  // A caller at its first call, a callee at its definition.
  const calls = (isCaller) => (each) => h("li", { class: "call" }, symbolLink(app, each),
    each.count > 1 && h("span", { class: "times" }, `${count(each.count)}×`),
    each.certainty && each.certainty !== "resolved" && h("span", { class: "chip", title: "How sure the index is of this" }, each.certainty === "name" ? "by name" : each.certainty),
    fileLink(app, each.path, (isCaller && each.callLine) || each.line));

  function references() {
    const { references: files = [], referencesTotal = 0, account } = answer;
    const accountLine = account && h("p", { class: "muted note" }, account);
    if (!files.length) return h("section", { class: "part" }, h("h3", {}, "References"), h("p", { class: "muted" }, "No reference is known."), accountLine);
    const shown = files.reduce((sum, each) => sum + each.uses.length, 0);
    const list = h("div", { class: "reference-files" });
    const draw = (most) => clear(list, files.slice(0, most).map((file, i) => h("details", { class: "reference-file", open: i < 6 },
      h("summary", {}, pathText(file.path), h("span", { class: "side-count" }, count(file.uses.length))),
      h("ul", {}, file.uses.map((use) => h("li", {}, h("a", { class: "use", href: app.link("file", { path: file.path, line: use.line }) },
        h("span", { class: "at" }, use.line), h("code", {}, use.text.trim().slice(0, 240)),
        use.kind && use.kind !== "call" && h("span", { class: "muted note" }, use.kind))))))),
    files.length > most && h("button", { type: "button", class: "more", onclick: () => draw(files.length) }, `${plural(files.length - most, "more file")}`));
    draw(30);
    return h("section", { class: "part" }, h("h3", {}, "References ", h("span", { class: "side-count" }, `${count(Math.max(referencesTotal, shown))} in ${plural(files.length, "file")}`)), list,
      referencesTotal > shown && h("p", { class: "muted note" }, `${count(referencesTotal - shown)} more are not shown.`),
      accountLine);
  }
  function draw() {
    const { symbol, code, others = [], callers = [], callees = [], tests = [], memories = [], decisions = [], cut } = answer;
    drawBar();
    view?.destroy();
    const lines = code.text.replace(/\n$/, "").split("\n").length;
    view = new CodeView({ label: `Code of ${symbol.name}`, first: code.first, lines, language: code.language, text: code.text });
    view.element.classList.add("excerpt");
    view.element.style.height = `${Math.min(26, Math.max(1, lines)) * CodeView.LINE + 18}px`;
    clear(left, h("article", { class: "symbol-page", "aria-labelledby": "symbol-title" },
      h("header", {}, h("div", { class: "detail-kind" }, h("span", { class: "badge accent" }, symbol.kind),
        h("a", { class: "code-link", href: app.link("file", { path: symbol.path, line: symbol.line }) }, pathText(symbol.path), h("span", { class: "at" }, `:${symbol.line}`))),
      h("h2", { id: "symbol-title", class: "symbol-title" }, symbol.qualifiedName || symbol.name),
      symbol.doc && h("p", { class: "symbol-doc" }, symbol.doc.split(/\n\s*\n/)[0])),
      view.element, references()));
    clear(side,
      sideBox("Callers", callers.map(calls(true)), { most: 12, isCut: cut?.callers, empty: "Nothing calls it, as far as the index knows." }),
      sideBox("Callees", callees.map(calls(false)), { most: 12, isCut: cut?.callees }),
      sideBox("Tests", tests.map((each) => h("li", { class: "call" }, each.name && h("span", { class: "symbol-name" }, each.name), fileLink(app, each.path, each.line))), { most: 8 }),
      sideBox("Memories", recordRows(app, memories), { most: 5 }),
      sideBox("Decisions", decisionRows(app, decisions), { most: 5 }),
      sideBox("Others of this name", others.map((each) => h("li", { class: "call" }, symbolLink(app, { ...each, name: each.kind }), fileLink(app, each.path, each.line))), { most: 6 }));
    document.title = `${symbol.name} · codexmem`;
  }
  async function load() {
    abort.abort();
    abort = new AbortController();
    const { signal } = abort;
    if (!answer) { drawBar(); clear(left, loadingState()); clear(side); }
    try {
      const { id, path, line, name } = current;
      // An address that was kept: after a new index a number, or a line, may be that of another symbol.
      const ways = [id && { id }, path && line && { path, line }, name && { name }].filter(Boolean);
      let found = null;
      for (const [i, way] of ways.entries()) {
        const isLast = i === ways.length - 1;
        try {
          found = await ask("/api/code/symbol", { repo: app.repo, ...way }, { signal });
          if (isLast || !name || found.symbol.name === name) break;
        } catch (error) {
          if (error.status !== 404 || isLast) throw error;
        }
      }
      if (!found) throw new Error("No symbol was named.");
      if (signal.aborted) return;
      answer = found;
      app.knowRoot(found.repo);
      draw();
      left.scrollTop = 0;
    } catch (error) {
      if (error.name === "AbortError") return;
      answer = null;
      drawBar();
      clear(side);
      clear(left, errorState(error, load));
    }
  }
  return {
    element,
    update(parameters) {
      current = parameters;
      load();
    },
    refresh: load,
    focus: () => left.focus({ preventScroll: true }),
    move: (steps) => left.scrollBy(0, steps * 60),
    repositories: drawBar,
    destroy() {
      abort.abort();
      view?.destroy();
    },
  };
}
