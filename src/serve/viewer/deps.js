// deps.js - what imports what, as a graph in layers: the folders and files of a folder, or a file
// and its neighbours. Cycles have a colour and are named in a text; a list holds the same.

import dagre from "@dagrejs/dagre";
import { button, choice, clear, count, emptyState, errorState, h, icon, loadingState, plural, put, segments, svg } from "./page.js";
import { ask } from "./worker.js";
import { baseOf, crumbs, folderOf } from "./code.js";
import { noRepository } from "./map.js";

const NODES = 120, HIGH = 38;

export function depsView(app) {
  let current = {}, answer = null, abort = new AbortController();
  let view = { x: 0, y: 0, scale: 1 }, size = { width: 0, height: 0 }, boxes = new Map(), active = "", fitted = true;

  const bar = h("div", { class: "bar" });
  const stage = svg("g", {});
  const picture = svg("svg", { class: "graph", role: "group", "aria-label": "Graph of imports", "aria-describedby": "graph-keys",
    onwheel: (event) => wheel(event), onpointerdown: (event) => grab(event), onkeydown: (event) => key(event) },
  svg("defs", {}, ["", "cycle", "near"].map((kind) => svg("marker", { id: `arrow-${kind || "plain"}`, viewBox: "0 0 8 8", refX: 7, refY: 4, markerWidth: 7, markerHeight: 7, orient: "auto", markerUnits: "userSpaceOnUse" },
    svg("path", { d: "M0 0.5 7.5 4 0 7.5z", class: `arrow ${kind}` })))), stage);
  const tools = h("div", { class: "graph-tools", role: "group", "aria-label": "Zoom" },
    button("Zoom in", { image: "plus", hideText: true, kind: "icon-only", title: "Zoom in (+)", onclick: () => zoom(1.3) }),
    button("Zoom out", { image: "minus", hideText: true, kind: "icon-only", title: "Zoom out (-)", onclick: () => zoom(1 / 1.3) }),
    button("Show all", { image: "fit", hideText: true, kind: "icon-only", title: "Show all (0)", onclick: () => fit() }));
  const cycles = h("div", { class: "graph-cycles" });
  const told = h("span", { class: "unseen", role: "status" });
  const keys = h("p", { class: "unseen", id: "graph-keys" }, "Arrow keys move between nodes, Enter follows one, plus and minus zoom, zero shows all. The same is in the list.");
  const board = h("div", { class: "graph-board" }, picture, tools);
  const listing = h("div", { class: "graph-list", hidden: true, tabindex: "0", role: "region", "aria-label": "List of imports" });
  const body = h("div", { class: "graph-body" }, cycles, board, listing);
  const empty = h("div", { class: "view-empty", hidden: true });
  const element = h("div", { class: "view deps" }, bar, keys, told, body, empty);

  const isList = () => current.as === "list";
  const depth = () => Math.min(4, Math.max(1, Number(current.depth) || 1));
  const addressOf = (node) => node.kind === "folder" ? app.link("deps", { path: node.path, as: current.as })
    : node.path === current.focus ? app.link("file", { path: node.path })
      : app.link("deps", { focus: node.path, path: "", depth: current.depth, as: current.as });
  // What is seen comes first, so that who speaks to the page can say it.
  const textOf = (node) => `${node.name} ${noteOf(node)}: ${node.kind} ${node.path}, imports ${count(node.fanOut)}, imported by ${count(node.fanIn)}${node.inCycle ? ", in a cycle" : ""}`;

  // ---- Where everything is.

  const measure = document.createElement("canvas").getContext("2d");
  function layout() {
    measure.font = `600 12px ${getComputedStyle(document.body).fontFamily}`;
    const linked = new Set(answer.edges.flatMap((each) => [each.from, each.to]));
    const wide = board.clientWidth > board.clientHeight * 0.9;
    const graph = new dagre.graphlib.Graph().setGraph({ rankdir: wide ? "LR" : "TB", nodesep: 14, ranksep: wide ? 64 : 48, edgesep: 8, marginx: 16, marginy: 16,
      ranker: answer.edges.length > 400 ? "longest-path" : "network-simplex" });
    graph.setDefaultEdgeLabel(() => ({}));
    const widthOf = (node) => Math.min(240, Math.max(84, Math.ceil(measure.measureText(node.name).width) + 34));
    for (const node of answer.nodes) if (linked.has(node.id)) graph.setNode(node.id, { width: widthOf(node), height: HIGH });
    for (const edge of answer.edges) if (graph.hasNode(edge.from) && graph.hasNode(edge.to)) graph.setEdge(edge.from, edge.to, {});
    if (linked.size) dagre.layout(graph);
    boxes = new Map();
    let width = 0, height = 0;
    for (const node of answer.nodes.filter((each) => linked.has(each.id))) {
      const { x, y, width: w } = graph.node(node.id);
      boxes.set(node.id, { node, x, y, w });
      width = Math.max(width, x + w / 2 + 16);
      height = Math.max(height, y + HIGH / 2 + 16);
    }
    // Those that nothing leads to or from: rows below the graph.
    const alone = answer.nodes.filter((each) => !linked.has(each.id));
    const room = Math.max(width, 900);
    let x = 16, y = height + (linked.size ? 44 : 16);
    const aloneTop = y;
    for (const node of alone) {
      const w = widthOf(node);
      if (x + w > room) { x = 16; y += HIGH + 12; }
      boxes.set(node.id, { node, x: x + w / 2, y: y + HIGH / 2, w, alone: true });
      x += w + 12;
      width = Math.max(width, x);
    }
    if (alone.length) height = y + HIGH + 16;
    size = { width: Math.max(width, 1), height: Math.max(height, 1) };
    return { graph, aloneTop: alone.length && linked.size ? aloneTop : null };
  }
  // A smooth way through the points that dagre gives.
  function way(points) {
    let path = `M${points[0].x} ${points[0].y}`;
    for (let i = 1; i < points.length - 1; ++i) {
      const last = i === points.length - 2;
      const to = last ? points[i + 1] : { x: (points[i].x + points[i + 1].x) / 2, y: (points[i].y + points[i + 1].y) / 2 };
      path += `Q${points[i].x} ${points[i].y} ${to.x} ${to.y}`;
    }
    return points.length === 2 ? `${path}L${points[1].x} ${points[1].y}` : path;
  }
  function draw() {
    if (!answer || isList()) return;
    const { graph, aloneTop } = layout();
    stage.replaceChildren();
    for (const edge of answer.edges) {
      const at = graph.hasEdge?.(edge.from, edge.to) && graph.edge(edge.from, edge.to);
      if (!at?.points) continue;
      const kind = edge.inCycle ? "cycle" : "";
      stage.append(svg("path", { class: `edge ${kind}`, d: way(at.points), "data-from": edge.from, "data-to": edge.to, "marker-end": `url(#arrow-${kind || "plain"})`,
        "stroke-width": Math.min(4, 1 + Math.log2(edge.count || 1) * 0.5) }, svg("title", {}, `${edge.from} → ${edge.to}: ${plural(edge.count, "import")}`)));
    }
    if (aloneTop !== null) put(stage, {}, svg("text", { class: "graph-note", x: 16, y: aloneTop - 12 }, "No imports to or from these"));
    for (const { node, x, y, w, alone } of boxes.values()) {
      const isFocus = node.path === current.focus;
      const link = svg("a", { class: `node ${node.kind}${node.inCycle ? " cycle" : ""}${isFocus ? " focus" : ""}${alone ? " alone" : ""}`, href: addressOf(node), "data-id": node.id,
        tabindex: "-1", "aria-label": textOf(node), transform: `translate(${x - w / 2} ${y - HIGH / 2})`, draggable: "false",
        onfocus: () => choose(node.id), onpointerenter: () => light(node.id), onpointerleave: () => light(document.activeElement?.dataset?.id ?? "") },
      svg("rect", { width: w, height: HIGH, rx: 7 }),
      svg("path", { class: "node-kind", d: node.kind === "folder" ? "M0 1.5h3.5l1 1.5H10v6H0z" : "M1 0h4.5L8.5 3v7H1z", transform: "translate(9 8)" }),
      svg("text", { x: 25, y: 16.5 }, fitText(node.name, w - 32)),
      " ", svg("text", { class: "node-note", x: 25, y: 30 }, noteOf(node)));
      stage.append(link);
    }
    active = boxes.has(current.focus) ? current.focus : boxes.has(active) ? active : answer.nodes[0]?.id ?? "";
    nodeOf(active)?.setAttribute("tabindex", "0");
    if (fitted) fit(); else move();
    if (current.focus) light(current.focus);
  }
  const noteOf = (node) => node.kind === "folder" ? plural(node.files, "file") : `${compactNumber(node.fanOut)} out, ${compactNumber(node.fanIn)} in`;
  const compactNumber = (value) => value > 999 ? `${Math.round(value / 1000)}k` : String(value ?? 0);
  function fitText(text, most) {
    const wide = measure.measureText(text).width;
    return wide <= most ? text : `${text.slice(0, Math.max(3, Math.floor(text.length * most / wide) - 1))}…`;
  }
  const nodeOf = (id) => [...stage.querySelectorAll(".node")].find((each) => each.dataset.id === id);

  // What is chosen and what it is linked to stand out.
  function light(id) {
    stage.classList.toggle("lit", Boolean(id));
    const near = new Set([id]);
    for (const each of stage.querySelectorAll(".edge")) {
      const isNear = each.dataset.from === id || each.dataset.to === id;
      each.classList.toggle("near", isNear);
      if (!each.classList.contains("cycle")) each.setAttribute("marker-end", `url(#arrow-${isNear ? "near" : "plain"})`);
      if (isNear) near.add(each.dataset.from).add(each.dataset.to);
    }
    for (const each of stage.querySelectorAll(".node")) each.classList.toggle("near", near.has(each.dataset.id));
  }
  function choose(id) {
    nodeOf(active)?.setAttribute("tabindex", "-1");
    active = id;
    nodeOf(id)?.setAttribute("tabindex", "0");
    light(id);
    const at = boxes.get(id);
    if (!at) return;
    const x = at.x * view.scale + view.x, y = at.y * view.scale + view.y;
    const { clientWidth: w, clientHeight: hgt } = board;
    if (x < 60 || x > w - 60) view.x += w / 2 - x;
    if (y < 30 || y > hgt - 30) view.y += hgt / 2 - y;
    move();
  }

  // ---- Pan and zoom.

  const move = () => stage.setAttribute("transform", `translate(${view.x.toFixed(1)} ${view.y.toFixed(1)}) scale(${view.scale.toFixed(3)})`);
  function fit() {
    const { clientWidth: w, clientHeight: hgt } = board;
    // Small enough to see all of it, but not so small that nothing can be read.
    const scale = Math.max(Math.min(w / size.width, hgt / size.height, 1.15), w < 700 ? 0.72 : 0.55);
    view = { scale, x: Math.max(0, (w - size.width * scale) / 2), y: Math.max(0, (hgt - size.height * scale) / 2) };
    const at = boxes.get(current.focus);
    if (at && size.width * scale > w) view.x = w / 2 - at.x * scale;
    if (at && size.height * scale > hgt) view.y = hgt / 2 - at.y * scale;
    fitted = true;
    move();
  }
  function zoom(by, x = board.clientWidth / 2, y = board.clientHeight / 2) {
    const scale = Math.max(0.12, Math.min(3, view.scale * by));
    view.x = x - (x - view.x) * scale / view.scale;
    view.y = y - (y - view.y) * scale / view.scale;
    view.scale = scale;
    fitted = false;
    move();
  }
  function wheel(event) {
    event.preventDefault();
    const frame = board.getBoundingClientRect();
    zoom(Math.exp(-event.deltaY * (event.deltaMode ? 0.05 : 0.0015)), event.clientX - frame.left, event.clientY - frame.top);
  }
  function grab(event) {
    if (event.button !== 0) return;
    const start = { x: event.clientX - view.x, y: event.clientY - view.y, px: event.clientX, py: event.clientY };
    let moved = false;
    const follow = (next) => {
      if (!moved && Math.hypot(next.clientX - start.px, next.clientY - start.py) < 4) return;
      moved = true;
      fitted = false;
      picture.classList.add("grabbed");
      view.x = next.clientX - start.x;
      view.y = next.clientY - start.y;
      move();
    };
    const stop = () => {
      window.removeEventListener("pointermove", follow);
      picture.classList.remove("grabbed");
      // What was dragged is no link that was pressed.
      if (moved) window.addEventListener("click", (click) => { click.preventDefault(); click.stopPropagation(); }, { capture: true, once: true });
      setTimeout(() => {}, 0);
    };
    window.addEventListener("pointermove", follow);
    window.addEventListener("pointerup", stop, { once: true });
  }
  function key(event) {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const dir = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] }[event.key];
    if (dir) {
      const from = boxes.get(active);
      let best = null, least = Infinity;
      for (const each of boxes.values()) {
        if (each === from || !from) continue;
        const dx = each.x - from.x, dy = each.y - from.y;
        const along = dx * dir[0] + dy * dir[1];
        if (along < 4) continue;
        const across = Math.abs(dx * dir[1]) + Math.abs(dy * dir[0]);
        if (along + across * 2.2 < least) { least = along + across * 2.2; best = each; }
      }
      if (best) { choose(best.node.id); nodeOf(best.node.id)?.focus({ preventScroll: true }); }
    } else if (event.key === "+" || event.key === "=") zoom(1.3);
    else if (event.key === "-") zoom(1 / 1.3);
    else if (event.key === "0") fit();
    else if (event.key === "Escape" || event.key === "Backspace") up();
    else return;
    event.preventDefault();
    event.stopPropagation();
  }
  function up() {
    if (current.focus) app.set({ focus: "", path: folderOf(current.focus), depth: "" });
    else if (current.path) app.set({ path: folderOf(current.path) });
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
      h("li", {}, h("a", { href: app.link("deps", { path: folderOf(focus), as: current.as }) }, folderOf(focus) || app.repositoryName())), h("li", {}, h("span", { "aria-current": "page" }, baseOf(focus)))))
      : depCrumbs(), h("span", { class: "grow" }),
    focus && choice("Depth", [1, 2, 3, 4].map((each) => [String(each), `${plural(each, "step")}`]), String(depth()), (value) => app.set({ depth: value }, { replace: true })),
    focus && h("a", { class: "button", href: app.link("file", { path: focus }) }, icon("file"), h("span", {}, "Open the file")),
    button("Focus on a file", { image: "searches", onclick: () => app.find({ only: "files", pick: (path) => app.set({ focus: path, path: "" }) }) }),
    segments("Show as", [["", "Graph"], ["list", "List"]], isList() ? "list" : "", (as) => app.set({ as }, { replace: true })));
  }
  function depCrumbs() {
    const nav = crumbs(app, answer?.repo ? baseOf(answer.repo) : app.repositoryName(), current.path ?? "", { last: Boolean(current.path) });
    const parts = (current.path ?? "").split("/").filter(Boolean);
    [...nav.querySelectorAll("a")].forEach((each, i) => { each.href = app.link("deps", { path: parts.slice(0, i).join("/"), as: current.as }); });
    return nav;
  }
  function drawCycles() {
    const names = new Map(answer.nodes.map((each) => [each.id, current.focus ? baseOf(each.path) : each.name]));
    const told_ = `${plural(answer.nodes.length, "node")}, ${plural(answer.edges.length, "link")}`;
    clear(cycles,
      h("span", { class: "muted" }, told_, answer.cut > 0 && `, ${count(answer.cut)} left out`),
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
  function show() {
    drawBar();
    if (!answer.nodes.length) {
      say(emptyState("deps", "No imports to show here", "None of the files of this folder imports another one that is indexed.",
        current.path && h("a", { class: "button", href: app.link("deps", { path: folderOf(current.path) }) }, "Up")));
      return;
    }
    body.hidden = false;
    empty.hidden = true;
    clear(empty);
    board.hidden = isList();
    listing.hidden = !isList();
    drawCycles();
    if (isList()) drawList(); else draw();
  }
  async function load() {
    abort.abort();
    abort = new AbortController();
    drawBar();
    const hadFocus = picture.contains(document.activeElement);
    if (!answer) say(loadingState());
    try {
      answer = await ask("/api/code/dependencies", { repo: app.repo, path: current.path, focus: current.focus, depth: current.focus ? depth() : undefined, nodes: NODES }, { signal: abort.signal });
      app.knowRoot(answer.repo);
      fitted = true;
      show();
      if (hadFocus) nodeOf(active)?.focus({ preventScroll: true });
    } catch (error) {
      if (error.name === "AbortError") return;
      answer = null;
      say(error.status === 404 && !current.focus && !current.path ? noRepository(app, error) : errorState(error, load));
    }
  }
  const watcher = new ResizeObserver(() => { if (answer && fitted && !isList()) fit(); });
  watcher.observe(board);

  return {
    element,
    update(parameters) {
      const key_ = (each) => [each.repo, each.path, each.focus, each.depth].join("\n");
      const same = answer && key_(current) === key_(parameters);
      current = parameters;
      if (same) show(); else load();
    },
    refresh: load,
    focus: () => (isList() ? listing : nodeOf(active))?.focus({ preventScroll: true }),
    destroy() {
      abort.abort();
      watcher.disconnect();
    },
  };
}
