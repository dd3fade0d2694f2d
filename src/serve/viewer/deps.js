// deps.js - what imports what, as a graph in layers: the folders and files of a folder, or a file
// and its neighbours. Cycles have a colour and are named in a text; a list holds the same.

import { button, choice, clear, count, emptyState, errorState, h, icon, loadingState, plural, segments } from "./page.js";
import { ask } from "./worker.js";
import { baseOf, crumbs, folderOf } from "./code.js";
import { GraphBoard } from "./graph.js";
import { noRepository } from "./map.js";

const NODES = 120;

export function depsView(app) {
  let current = {}, answer = null, abort = new AbortController();
  const bar = h("div", { class: "bar" });
  const board = new GraphBoard({ label: "Graph of imports", name: () => `${app.repositoryName()}-dependencies`, onUp: () => up() });
  const cycles = h("div", { class: "graph-cycles" });
  const told = h("span", { class: "unseen", role: "status" });
  const listing = h("div", { class: "graph-list", hidden: true, tabindex: "0", role: "region", "aria-label": "List of imports" });
  const body = h("div", { class: "graph-body" }, cycles, board.element, listing);
  const empty = h("div", { class: "view-empty", hidden: true });
  const element = h("div", { class: "view deps" }, bar, told, body, empty);

  const isList = () => current.as === "list";
  const pathShown = () => answer?.path ?? current.path ?? "";  // the worker chooses where none is given
  const folderAddress = (path) => app.link("deps", { path: path || ".", as: current.as });
  const depth = () => Math.min(4, Math.max(1, Number(current.depth) || 1));
  const addressOf = (node) => node.kind === "folder" ? app.link("deps", { path: node.path, as: current.as })
    : node.path === current.focus ? app.link("file", { path: node.path })
      : app.link("deps", { focus: node.path, path: "", depth: current.depth, as: current.as });
  // What is seen comes first, so that who speaks to the page can say it.
  const textOf = (node) => `${node.name} ${noteOf(node)}: ${node.kind} ${node.path}, imports ${count(node.fanOut)}, imported by ${count(node.fanIn)}${node.inCycle ? ", in a cycle" : ""}`;

  const compactNumber = (value) => value > 999 ? `${Math.round(value / 1000)}k` : String(value ?? 0);
  const noteOf = (node) => node.kind === "folder" ? plural(node.files, "file") : `${compactNumber(node.fanOut)} out, ${compactNumber(node.fanIn)} in`;
  function draw(isNew) {
    board.show(answer.nodes.map((node) => ({ id: node.id, name: node.name, note: noteOf(node), label: textOf(node), href: addressOf(node), kind: `${node.kind}${node.inCycle ? " cycle" : ""}`, isFolder: node.kind === "folder" })),
      answer.edges.map((each) => ({ ...each, kind: each.inCycle ? "cycle" : "", wide: each.count || 1, title: `${each.from} → ${each.to}: ${plural(each.count, "import")}` })),
      { focus: current.focus, note: "No imports to or from these", isNew });
  }
  function up() {
    if (current.focus) app.set({ focus: "", path: folderOf(current.focus) || ".", depth: "" });
    else if (pathShown()) app.set({ path: folderOf(pathShown()) || "." });
  }

  // ---- As a list.

  function drawList() {
    const byId = new Map(answer.nodes.map((each) => [each.id, each]));
    const named = (id, number) => h("span", { class: "graph-name" }, h("a", { href: addressOf(byId.get(id)) }, current.focus ? byId.get(id).path : byId.get(id).name), number > 1 && h("span", { class: "muted" }, ` ${count(number)}`));
    const column = (title, kind = "") => h("th", { scope: "col", class: kind }, title);
    clear(listing, h("table", { class: "data graph-table" }, h("thead", {}, h("tr", {}, column("Name"), column("Imports"), column("Imported by"), column("Cycle"))),
      h("tbody", {}, answer.nodes.map((node) => h("tr", {},
        h("th", { scope: "row" }, h("a", { href: addressOf(node) }, current.focus ? node.path : node.name), node.kind === "folder" && h("span", { class: "muted" }, ` ${plural(node.files, "file")}`)),
        h("td", {}, answer.edges.filter((each) => each.from === node.id && byId.has(each.to)).map((each) => named(each.to, each.count))),
        h("td", {}, answer.edges.filter((each) => each.to === node.id && byId.has(each.from)).map((each) => named(each.from, each.count))),
        h("td", {}, node.inCycle && h("span", { class: "chip bad" }, "in a cycle")))))));
  }

  // ---- All of it.

  function drawBar() {
    const { focus } = current;
    clear(bar, focus ? h("nav", { class: "crumbs", "aria-label": "Path" }, h("ol", {},
      h("li", {}, h("a", { href: folderAddress(folderOf(focus)) }, folderOf(focus) || app.repositoryName())), h("li", {}, h("span", { "aria-current": "page" }, baseOf(focus)))))
      : depCrumbs(), h("span", { class: "grow" }),
    focus && choice("Depth", [1, 2, 3, 4].map((each) => [String(each), `${plural(each, "step")}`]), String(depth()), (value) => app.set({ depth: value }, { replace: true })),
    focus && h("a", { class: "button", href: app.link("file", { path: focus }) }, icon("file"), h("span", {}, "Open the file")),
    button("Focus on a file", { image: "searches", onclick: () => app.find({ only: "files", pick: (path) => app.set({ focus: path, path: "" }) }) }),
    segments("Show as", [["", "Graph"], ["list", "List"]], isList() ? "list" : "", (as) => app.set({ as }, { replace: true })));
  }
  function depCrumbs() {
    const nav = crumbs(app, answer?.repo ? baseOf(answer.repo) : app.repositoryName(), pathShown(), { last: Boolean(pathShown()) });
    const parts = pathShown().split("/").filter(Boolean);
    [...nav.querySelectorAll("a")].forEach((each, i) => { each.href = folderAddress(parts.slice(0, i).join("/")); });
    return nav;
  }
  function drawCycles() {
    const names = new Map(answer.nodes.map((each) => [each.id, current.focus ? baseOf(each.path) : each.name]));
    const told_ = `${plural(answer.nodes.length, "node")}, ${plural(answer.edges.length, "link")}`;
    clear(cycles,
      h("span", { class: "muted" }, told_, answer.cut > 0 && `, ${count(answer.cut)} left out`, answer.hidden > 0 && `, ${plural(answer.hidden, "part")} without code hidden`),
      answer.cycles.length ? answer.cycles.slice(0, 4).map((ring) => h("span", { class: "cycle-text" }, icon("cycle"), `Cycle: ${[...ring, ring[0]].slice(0, 7).map((id) => names.get(id) ?? baseOf(String(id))).join(" → ")}${ring.length > 6 ? " …" : ""}`))
        : h("span", { class: "muted" }, "no cycle"),
      answer.cycles.length > 4 && h("span", { class: "muted" }, `and ${plural(answer.cycles.length - 4, "more cycle", "more cycles")}`));
    told.textContent = `${told_}, ${plural(answer.cycles.length, "cycle")}`;
  }
  function say(...content) {
    body.hidden = true;
    empty.hidden = false;
    clear(empty, content);
  }
  function show(isNew) {
    drawBar();
    if (!answer.nodes.length) {
      say(emptyState("deps", "No imports to show here", "None of the files of this folder imports another one that is indexed.",
        pathShown() && h("a", { class: "button", href: folderAddress(folderOf(pathShown())) }, "Up")));
      return;
    }
    body.hidden = false;
    empty.hidden = true;
    clear(empty);
    board.element.hidden = isList();
    listing.hidden = !isList();
    drawCycles();
    if (isList()) drawList(); else draw(isNew);
  }
  async function load() {
    abort.abort();
    abort = new AbortController();
    drawBar();
    const { hasFocus } = board;
    if (!answer) say(loadingState());
    try {
      answer = await ask("/api/code/dependencies", { repo: app.repo, path: current.path, focus: current.focus, depth: current.focus ? depth() : undefined, nodes: NODES }, { signal: abort.signal });
      app.knowRoot(answer.repo);
      show(true);
      if (hasFocus) board.focus();
    } catch (error) {
      if (error.name === "AbortError") return;
      answer = null;
      say(error.status === 404 && !current.focus && !current.path ? noRepository(app, error) : errorState(error, load));
    }
  }
  return {
    element,
    update(parameters) {
      const key_ = (each) => [each.repo, each.path, each.focus, each.depth].join("\n");
      const same = answer && key_(current) === key_(parameters);
      current = parameters;
      if (same) show(); else load();
    },
    refresh: load,
    focus: () => isList() ? listing.focus({ preventScroll: true }) : board.focus(),
    destroy() {
      abort.abort();
      board.destroy();
    },
  };
}
