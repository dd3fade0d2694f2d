// calls.js - how one function reaches another: the ways of calls, drawn and as a list; with one
// name only, what it calls, or who calls it. And how a definition became what it is.

import { button, clear, count, emptyState, errorState, h, icon, loadingState, msOf, plural, segments, settled, svg, wholeTime } from "./page.js";
import { ask } from "./worker.js";
import { baseOf, fileLink, pathText, symbolLink } from "./code.js";
import { GraphBoard } from "./graph.js";
import { copyDrawing, savePicture } from "./picture.js";

const keyOf = (step) => `${step.file.path}::${step.symbol}`;

// The steps as nodes and links: of the ways from one to the other, or of a tree.
function linksOf({ paths, callers, callees }) {
  const nodes = new Map(), links = new Map();
  const link = (from, to, line) => links.set(`${keyOf(from)} ${keyOf(to)}`, { from: keyOf(from), to: keyOf(to), title: `${from.symbol} calls ${to.symbol}${line ? `, line ${line}` : ""}` });
  for (const path of paths ?? []) path.forEach((step, i) => { nodes.set(keyOf(step), step); if (i) link(path[i - 1], step, step.callLine); });
  const tree = callers ?? callees ?? [];
  for (const step of tree) {
    if (!nodes.has(keyOf(step))) nodes.set(keyOf(step), step);
    const parent = tree[step.parent];
    if (!parent) continue;
    if (callers) link(step, parent, step.callLine); else link(parent, step, step.callLine);
  }
  return { nodes: [...nodes.values()], links: [...links.values()] };
}

export function pathView(app) {
  let current = {}, found = null, abort = new AbortController();
  const bar = h("div", { class: "bar" });
  const note = h("div", { class: "graph-cycles", role: "status" });
  const board = new GraphBoard({ label: "Graph of calls", name: () => `${app.repositoryName()}-calls` });
  const listing = h("div", { class: "graph-list", tabindex: "0", role: "region", "aria-label": "List of calls" });
  const body = h("div", { class: "graph-body" }, note, board.element, listing);
  const empty = h("div", { class: "view-empty", hidden: true });
  const element = h("div", { class: "view deps" }, bar, body, empty);
  const isList = () => current.as === "list";
  const field = (name, label) => {
    const names = h("datalist", { id: `names-${name}` });
    const offer = settled(async () => {
      if (input.value.trim().length < 2) return;
      try {
        const { symbols } = await ask("/api/code/find", { repo: app.repo, q: input.value, limit: 12 });
        clear(names, [...new Set(symbols.map((each) => each.name))].map((each) => h("option", { value: each })));
      } catch { /* it can be typed without */ }
    }, 150);
    const input = h("input", { type: "text", class: "field", list: names.id, "aria-label": `${label} which function`, placeholder: "function", spellcheck: "false", autocomplete: "off", oninput: offer });
    return { input, row: h("label", { class: "choice" }, h("span", { class: "choice-name" }, label), input, names) };
  };
  const from = field("from", "From"), to = field("to", "To");
  const form = h("form", { class: "ask-form", onsubmit: (event) => { event.preventDefault(); app.set({ from: from.input.value.trim(), to: to.input.value.trim() }); } },
    from.row, to.row, h("button", { type: "submit", class: "button" }, h("span", {}, "Show")));
  const views = h("span", {});
  clear(bar, form, h("span", { class: "grow" }), views);

  const stepRow = (step) => h("li", { class: "call" }, symbolLink(app, { name: step.symbol, path: step.file.path, line: step.line }), fileLink(app, step.file.path, step.line),
    step.confidence && step.confidence !== "certain" && h("span", { class: "chip" }, step.confidence));
  function say(...content) {
    body.hidden = true;
    empty.hidden = false;
    clear(empty, content);
  }
  function show() {
    clear(views, segments("Show as", [["", "Graph"], ["list", "List"]], isList() ? "list" : "", (as) => app.set({ as }, { replace: true })));
    const { answer } = found;
    const { nodes, links } = linksOf(answer);
    if (!nodes.length) { say(emptyState("path", "No way was found", answer.note ?? "")); return; }
    body.hidden = false;
    empty.hidden = true;
    clear(empty);
    board.element.hidden = isList();
    listing.hidden = !isList();
    clear(note, h("span", { class: "muted" }, answer.paths ? plural(answer.total, "way") : plural(nodes.length, "function")), answer.note && h("span", { class: "muted" }, answer.note));
    if (isList()) {
      clear(listing, h("div", { class: "call-lists" }, (answer.paths ?? [answer.callers ?? answer.callees]).map((path) => h("ol", { class: "side-rows" }, path.map(stepRow)))));
      return;
    }
    board.show(nodes.map((step) => ({ id: keyOf(step), name: step.symbol, note: `${baseOf(step.file.path)}:${step.line}`, label: `${step.symbol} ${baseOf(step.file.path)}:${step.line}`,
      href: app.link("symbol", { name: step.symbol, path: step.file.path, line: step.line }), kind: "file" })), links, { focus: keyOf(nodes[0]), isLit: false });
  }
  async function load() {
    abort.abort();
    abort = new AbortController();
    const { signal } = abort;
    if (!current.from && !current.to) {
      say(emptyState("path", "How does one function reach another?", "Give both names to see the ways of calls between them; only one shows what it calls, or who calls it."));
      return;
    }
    say(loadingState());
    try {
      const answer = await ask("/api/code/path", { repo: app.repo, from: current.from, to: current.to }, { signal });
      if (signal.aborted) return;
      found = answer;
      app.knowRoot(found.repo);
      show();
    } catch (error) {
      if (error.name === "AbortError") return;
      found = null;
      say(error.status === 404 ? emptyState("path", "No such function", error.message) : errorState(error, load));
    }
  }
  return {
    element,
    update(parameters) {
      const key_ = (each) => [each.repo, each.from, each.to].join("\n");
      const same = found && key_(current) === key_(parameters);
      current = parameters;
      from.input.value = current.from ?? "";
      to.input.value = current.to ?? "";
      if (same) show(); else load();
    },
    refresh: load,
    focus: () => found && !body.hidden ? isList() ? listing.focus() : board.focus() : from.input.focus(),
    destroy() {
      abort.abort();
      board.destroy();
    },
  };
}

// ---- A definition through time.

const WIDE = 900, HIGH = 92;
const dayText = (ms) => new Date(ms).toISOString().slice(0, 10);
function timeline(events) {
  const times = events.map((each) => msOf(each.date));
  const first = Math.min(...times), last = Math.max(...times);
  const x = (ms) => last === first ? WIDE / 2 : 20 + (WIDE - 40) * (ms - first) / (last - first);
  const picture = svg("svg", { class: "timeline", viewBox: `0 0 ${WIDE} ${HIGH}`, width: WIDE, height: HIGH, role: "img",
    "aria-label": `${plural(events.length, "change")} from ${dayText(first)} to ${dayText(last)}` },
  svg("line", { class: "time-line", x1: 8, x2: WIDE - 8, y1: 46, y2: 46 }),
  events.map((each, i) => svg("circle", { class: `time-dot ${each.change.replace(/\W+/g, "-")}`, cx: x(times[i]).toFixed(1), cy: 46, r: 7 }, svg("title", {}, `${dayText(times[i])}: ${each.change}`))),
  svg("text", { class: "tick", x: last > first ? 8 : WIDE / 2, y: 82, "text-anchor": last > first ? undefined : "middle" }, dayText(first)), last > first && svg("text", { class: "tick", x: WIDE - 8, y: 82, "text-anchor": "end" }, dayText(last)));
  return picture;
}

export function historyView(app) {
  let current = {}, abort = new AbortController();
  const bar = h("div", { class: "bar" });
  const page = h("div", { class: "page symbol-page" });
  const element = h("div", { class: "view scroll history", tabindex: "0", role: "region", "aria-label": "History of a definition" }, bar, page);

  function draw({ answer }) {
    const { commits, note, file, symbol } = answer;
    const picture = commits.length > 0 && timeline(commits);
    const save = (kind) => savePicture(copyDrawing(picture, null, { width: WIDE, height: HIGH }, getComputedStyle(document.body).backgroundColor), `${symbol}-history`, kind);
    clear(bar, symbolLink(app, { name: symbol, path: file.path }), h("span", { class: "grow" }),
      picture && ["svg", "png"].map((kind) => button(kind.toUpperCase(), { image: "download", kind: "quiet small", title: `Save this timeline as ${kind.toUpperCase()}`, onclick: () => save(kind) })));
    clear(page, h("h2", { class: "symbol-title" }, symbol), fileLink(app, file.path), picture,
      h("ol", { class: "history-rows" }, commits.map((each) => h("li", {},
        h("span", { class: `chip ${each.change}` }, each.change), h("strong", {}, each.summary),
        h("span", { class: "muted note" }, `${dayText(msOf(each.date))} · ${each.author} · `, h("a", { href: app.link("change", { commit: each.commit, symbol: "" }), title: "What this commit changed" }, each.commit.slice(0, 10))),
        each.was && h("span", { class: "muted note" }, `was ${[each.was.symbol, each.was.path].filter(Boolean).join(" in ")}`)))),
      note && h("p", { class: "muted note" }, note));
  }
  async function load() {
    abort.abort();
    abort = new AbortController();
    const { signal } = abort;
    clear(bar, h("span", { class: "muted" }, current.symbol ?? ""));
    clear(page, loadingState());
    try {
      const found = await ask("/api/code/history", { repo: app.repo, symbol: current.symbol }, { signal });
      if (!signal.aborted) draw(found);
    } catch (error) {
      if (error.name !== "AbortError") clear(page, errorState(error, load));
    }
  }
  return {
    element,
    update(parameters) {
      current = parameters;
      load();
    },
    refresh: load,
    focus: () => element.focus({ preventScroll: true }),
    move: (steps) => element.scrollBy(0, steps * 60),
    destroy: () => abort.abort(),
  };
}
