// graph.js - a drawing of nodes and links in layers that is moved, zoomed, read by keys and saved.
//
// A node is {id, name, note, label, href, kind, isFolder}, a link {from, to, kind, wide, title}.

import dagre from "@dagrejs/dagre";
import { button, h, put, svg } from "./page.js";
import { copyDrawing, fitText, savePicture, textWidth } from "./picture.js";

const HIGH = 38;

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

export class GraphBoard {
  #view = { x: 0, y: 0, scale: 1 };
  #size = { width: 1, height: 1 };
  #boxes = new Map();
  #active = "";
  #focus = "";
  #isFitted = true;

  // options: label, of the drawing; name(), of its file; onUp(): Escape was pressed.
  constructor(options) {
    this.options = options;
    this.stage = svg("g", {});
    this.picture = svg("svg", { class: "graph", role: "group", "aria-label": options.label, "aria-describedby": "graph-keys",
      onwheel: (event) => this.#wheel(event), onpointerdown: (event) => this.#grab(event), onkeydown: (event) => this.#key(event) },
    svg("defs", {}, ["", "cycle", "near"].map((kind) => svg("marker", { id: `arrow-${kind || "plain"}`, viewBox: "0 0 8 8", refX: 7, refY: 4, markerWidth: 7, markerHeight: 7, orient: "auto", markerUnits: "userSpaceOnUse" },
      svg("path", { d: "M0 0.5 7.5 4 0 7.5z", class: `arrow ${kind}` })))), this.stage);
    const tool = (label, image, title, onclick) => button(label, { image, hideText: true, kind: "icon-only", title, onclick });
    const tools = h("div", { class: "graph-tools", role: "group", "aria-label": "Zoom and save" },
      ["svg", "png"].map((kind) => button(kind.toUpperCase(), { image: "download", kind: "small", title: `Save this drawing as ${kind.toUpperCase()}`, onclick: () => this.#save(kind) })),
      tool("Zoom in", "plus", "Zoom in (+)", () => this.#zoom(1.3)), tool("Zoom out", "minus", "Zoom out (-)", () => this.#zoom(1 / 1.3)),
      tool("Show all", "fit", "Show all (0)", () => this.fit()));
    const keys = h("p", { class: "unseen", id: "graph-keys" }, "Arrow keys move between nodes, Enter follows one, plus and minus zoom, zero shows all. The same is in the list.");
    this.element = h("div", { class: "graph-board" }, keys, this.picture, tools);
    this.watcher = new ResizeObserver(() => { if (this.#isFitted) this.fit(); });
    this.watcher.observe(this.element);
  }
  destroy() { this.watcher.disconnect(); }
  get hasFocus() { return this.picture.contains(document.activeElement); }
  focus() { this.#nodeOf(this.#active)?.focus({ preventScroll: true }); }

  // `focus` is the id of the node in the middle; isLit: its links stand out; isNew: what was shown
  // before is another graph.
  show(nodes, links, { focus = "", note = "", isLit = true, isNew = true } = {}) {
    this.#focus = focus;
    const { graph, aloneTop } = this.#layout(nodes, links);
    this.stage.replaceChildren();
    for (const { from, to, kind = "", wide = 1, title } of links) {
      const at = graph.hasEdge(from, to) && graph.edge(from, to);
      if (!at?.points) continue;
      this.stage.append(svg("path", { class: `edge ${kind}`, d: way(at.points), "data-from": from, "data-to": to, "marker-end": `url(#arrow-${kind || "plain"})`,
        "stroke-width": Math.min(4, 1 + Math.log2(wide) * 0.5) }, svg("title", {}, title)));
    }
    if (aloneTop !== null) put(this.stage, {}, svg("text", { class: "graph-note", x: 16, y: aloneTop - 12 }, note));
    for (const { node, x, y, w } of this.#boxes.values()) {
      this.stage.append(svg("a", { class: `node ${node.kind}${node.id === focus ? " focus" : ""}`, href: node.href, "data-id": node.id,
        tabindex: "-1", "aria-label": node.label, transform: `translate(${x - w / 2} ${y - HIGH / 2})`, draggable: "false",
        onfocus: () => this.#choose(node.id), onpointerenter: () => this.#light(node.id), onpointerleave: () => this.#light(document.activeElement?.dataset?.id ?? "") },
      svg("rect", { width: w, height: HIGH, rx: 7 }),
      svg("path", { class: "node-kind", d: node.isFolder ? "M0 1.5h3.5l1 1.5H10v6H0z" : "M1 0h4.5L8.5 3v7H1z", transform: "translate(9 8)" }),
      svg("text", { x: 25, y: 16.5 }, fitText(node.name, w - 32, 600, 12)),
      " ", svg("text", { class: "node-note", x: 25, y: 30 }, fitText(node.note, w - 32, 400, 10))));
    }
    this.#active = this.#boxes.has(focus) ? focus : this.#boxes.has(this.#active) ? this.#active : nodes[0]?.id ?? "";
    this.#nodeOf(this.#active)?.setAttribute("tabindex", "0");
    if (isNew || this.#isFitted) this.fit(); else this.#move();
    this.#light(isLit ? focus : "");
  }
  #layout(nodes, links) {
    const linked = new Set(links.flatMap((each) => [each.from, each.to]));
    const wide = this.element.clientWidth > this.element.clientHeight * 0.9;
    const graph = new dagre.graphlib.Graph().setGraph({ rankdir: wide ? "LR" : "TB", nodesep: 14, ranksep: wide ? 64 : 48, edgesep: 8, marginx: 16, marginy: 16,
      ranker: links.length > 400 ? "longest-path" : "network-simplex" });
    graph.setDefaultEdgeLabel(() => ({}));
    const widthOf = (node) => Math.min(240, Math.max(84, Math.ceil(Math.max(textWidth(node.name, 600, 12), textWidth(node.note, 400, 10))) + 34));
    for (const node of nodes) if (linked.has(node.id)) graph.setNode(node.id, { width: widthOf(node), height: HIGH });
    for (const { from, to } of links) if (graph.hasNode(from) && graph.hasNode(to)) graph.setEdge(from, to, {});
    if (linked.size) dagre.layout(graph);
    this.#boxes = new Map();
    let width = 0, height = 0;
    for (const node of nodes.filter((each) => linked.has(each.id))) {
      const { x, y, width: w } = graph.node(node.id);
      this.#boxes.set(node.id, { node, x, y, w });
      width = Math.max(width, x + w / 2 + 16);
      height = Math.max(height, y + HIGH / 2 + 16);
    }
    // Those that nothing leads to or from: rows below the graph.
    const alone = nodes.filter((each) => !linked.has(each.id));
    const room = Math.max(width, 900);
    let x = 16, y = height + (linked.size ? 44 : 16);
    const aloneTop = y;
    for (const node of alone) {
      const w = widthOf(node);
      if (x + w > room) { x = 16; y += HIGH + 12; }
      this.#boxes.set(node.id, { node: { ...node, kind: `${node.kind} unlinked` }, x: x + w / 2, y: y + HIGH / 2, w });
      x += w + 12;
      width = Math.max(width, x);
    }
    if (alone.length) height = y + HIGH + 16;
    this.#size = { width: Math.max(width, 1), height: Math.max(height, 1) };
    return { graph, aloneTop: alone.length && linked.size ? aloneTop : null };
  }
  #nodeOf(id) { return [...this.stage.querySelectorAll(".node")].find((each) => each.dataset.id === id); }

  // What is chosen and what it is linked to stand out.
  #light(id) {
    this.stage.classList.toggle("lit", Boolean(id));
    const near = new Set([id]);
    for (const each of this.stage.querySelectorAll(".edge")) {
      const isNear = each.dataset.from === id || each.dataset.to === id;
      each.classList.toggle("near", isNear);
      if (!each.classList.contains("cycle")) each.setAttribute("marker-end", `url(#arrow-${isNear ? "near" : "plain"})`);
      if (isNear) near.add(each.dataset.from).add(each.dataset.to);
    }
    for (const each of this.stage.querySelectorAll(".node")) each.classList.toggle("near", near.has(each.dataset.id));
  }
  #choose(id) {
    this.#nodeOf(this.#active)?.setAttribute("tabindex", "-1");
    this.#active = id;
    this.#nodeOf(id)?.setAttribute("tabindex", "0");
    this.#light(id);
    const at = this.#boxes.get(id);
    if (!at) return;
    const view = this.#view;
    const x = at.x * view.scale + view.x, y = at.y * view.scale + view.y;
    const { clientWidth: w, clientHeight: hgt } = this.element;
    if (x < 60 || x > w - 60) view.x += w / 2 - x;
    if (y < 30 || y > hgt - 30) view.y += hgt / 2 - y;
    this.#move();
  }

  // ---- Pan and zoom.

  #move() {
    const { x, y, scale } = this.#view;
    this.stage.setAttribute("transform", `translate(${x.toFixed(1)} ${y.toFixed(1)}) scale(${scale.toFixed(3)})`);
  }
  fit() {
    const { clientWidth: w, clientHeight: hgt } = this.element;
    const { width, height } = this.#size;
    // Small enough to see all of it, but not so small that nothing can be read.
    const scale = Math.max(Math.min(w / width, hgt / height, 1.15), w < 700 ? 0.72 : 0.55);
    this.#view = { scale, x: Math.max(0, (w - width * scale) / 2), y: Math.max(0, (hgt - height * scale) / 2) };
    const at = this.#boxes.get(this.#focus);
    if (at && width * scale > w) this.#view.x = w / 2 - at.x * scale;
    if (at && height * scale > hgt) this.#view.y = hgt / 2 - at.y * scale;
    this.#isFitted = true;
    this.#move();
  }
  #zoom(by, x = this.element.clientWidth / 2, y = this.element.clientHeight / 2) {
    const view = this.#view;
    const scale = Math.max(0.12, Math.min(3, view.scale * by));
    view.x = x - (x - view.x) * scale / view.scale;
    view.y = y - (y - view.y) * scale / view.scale;
    view.scale = scale;
    this.#isFitted = false;
    this.#move();
  }
  #wheel(event) {
    event.preventDefault();
    const frame = this.element.getBoundingClientRect();
    this.#zoom(Math.exp(-event.deltaY * (event.deltaMode ? 0.05 : 0.0015)), event.clientX - frame.left, event.clientY - frame.top);
  }
  #grab(event) {
    if (event.button !== 0) return;
    const start = { x: event.clientX - this.#view.x, y: event.clientY - this.#view.y, px: event.clientX, py: event.clientY };
    let moved = false;
    const follow = (next) => {
      if (!moved && Math.hypot(next.clientX - start.px, next.clientY - start.py) < 4) return;
      moved = true;
      this.#isFitted = false;
      this.picture.classList.add("grabbed");
      this.#view.x = next.clientX - start.x;
      this.#view.y = next.clientY - start.y;
      this.#move();
    };
    const stop = () => {
      window.removeEventListener("pointermove", follow);
      this.picture.classList.remove("grabbed");
      // A drag is not a press on a link.
      if (moved) window.addEventListener("click", (click) => { click.preventDefault(); click.stopPropagation(); }, { capture: true, once: true });
    };
    window.addEventListener("pointermove", follow);
    window.addEventListener("pointerup", stop, { once: true });
  }
  #key(event) {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const dir = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] }[event.key];
    if (dir) this.#step(dir);
    else if (event.key === "+" || event.key === "=") this.#zoom(1.3);
    else if (event.key === "-") this.#zoom(1 / 1.3);
    else if (event.key === "0") this.fit();
    else if ((event.key === "Escape" || event.key === "Backspace") && this.options.onUp) this.options.onUp();
    else return;
    event.preventDefault();
    event.stopPropagation();
  }
  #step([right, down]) {
    const from = this.#boxes.get(this.#active);
    let best = null, least = Infinity;
    for (const each of this.#boxes.values()) {
      if (each === from || !from) continue;
      const dx = each.x - from.x, dy = each.y - from.y;
      const along = dx * right + dy * down;
      if (along < 4) continue;
      const across = Math.abs(dx * down) + Math.abs(dy * right);
      if (along + across * 2.2 < least) { least = along + across * 2.2; best = each; }
    }
    if (best) { this.#choose(best.node.id); this.focus(); }
  }
  #save(kind) {
    savePicture(copyDrawing(this.picture, this.stage, this.#size, getComputedStyle(this.element.parentElement).backgroundColor), this.options.name(), kind);
  }
}
