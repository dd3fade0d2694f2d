// map.js - a repository as a map: folders and files by their lines, coloured by a chosen layer, or
// with the marks of what a view found (marks.js, time.js).
//
// A canvas draws it, as thousands of tiles are too many elements; the same numbers are there as a
// table (role treegrid). The worker opens the largest folders only; others are asked for when entered.

import { button, clear, compact, count, emptyState, errorState, h, icon, loadingState, plural, segments, code } from "./page.js";
import { ask } from "./worker.js";
import { baseOf, crumbs, folderOf, pathText } from "./code.js";
import { CanvasPaper, SvgPaper, savePicture } from "./picture.js";
import { drawTiles, layTiles, mix } from "./tiles.js";

export const LAYERS = {
  churn: { title: "Churn", of: "commits", one: "change", many: "changes", top: "Most changed" },
  memories: { title: "Memories", of: "memories", one: "memory", many: "memories", top: "Most cited by memories" },
  tests: { title: "Tests", of: "tests", one: "test file", many: "test files", top: "Most tested" },
  fanIn: { title: "Fan-in", of: "importers", one: "importer", many: "importers", top: "Most imported" },
  language: { title: "Language" },
};
const NODES = 2500;
const LANGUAGE_COLOURS = 8;
const MARKS = ["changed", "affected", "test", "noted", "stale", "later"];
const MOST_SCALE = 24;
const MOST_TRIES = 40;
const wait = (tries) => Math.min(5000, 300 * (tries + 1));

// Folders that hold just one folder are one tile.
function joined(node) {
  let name = node.name, at = node;
  while (at.children?.length === 1 && at.children[0].kind === "folder" && at.children[0].children) {
    [at] = at.children;
    name += `/${at.name}`;
  }
  return { ...at, name, children: at.children?.map(joined) };
}
function findNode(root, path) {
  let at = root;
  while (at && at.path !== path) at = at.children?.find((each) => each.kind === "folder" && (path === each.path || path.startsWith(`${each.path}/`)));
  return at;
}
const isCounting = (layer) => layer?.missing === "being counted";
const isWhole = (node) => node.kind === "file" || Boolean(node.children?.every(isWhole)) || node.files === 0;
const leavesOf = (node, found = []) => {
  if (node.children) for (const each of node.children) leavesOf(each, found);
  else found.push(node);
  return found;
};
// Generated files and data, which nobody wrote line by line.
const isAside = (node) => node.code === 0 && node.lines > 0;

// What colours there are now, light or dark.
function palette() {
  const probe = h("span", { hidden: true });
  document.body.append(probe);
  const text = (name) => {
    probe.style.color = `var(${name})`;
    return getComputedStyle(probe).color;
  };
  const of = (name) => text(name).match(/[\d.]+/g).slice(0, 3).map(Number);
  const colours = {
    none: of("--map-none"), scale: ["--map-1", "--map-2", "--map-3"].map(of), folder: text("--map-folder"), text: text("--soft"), paper: text("--panel"),
    languages: Array.from({ length: LANGUAGE_COLOURS }, (_, i) => of(`--language-${i + 1}`)),
    marks: Object.fromEntries(MARKS.map((each) => [each, of(`--mark-${each}`)])),
  };
  probe.remove();
  return colours;
}

// A map with marks takes them from `overlay`: {id, kinds: {kind: title}, load(parameters, signal) ->
// Promise of {marks: Map of path -> {kind, pins}, side, again: ask once more}, bar(parameters, mark)}, where mark({marks,
// side}) shows others at once; the first kinds hide the later ones.
export function mapView(app, overlay = null) {
  let current = {}, answer = null, abort = new AbortController(), root = null, tiles = [], drawn = null;
  let chosen = -1;  // of the children of the folder shown
  let languages = [], colours = null;
  let found = null, folderMarks = new Map();  // of the overlay
  let view = { x: 0, y: 0, scale: 1 }, frame = 0;

  const bar = h("div", { class: "bar" });
  const canvas = h("canvas", { "aria-hidden": "true" });
  const ring = h("div", { class: "map-ring", hidden: true });
  const hover = h("div", { class: "map-hover", hidden: true });
  const told = h("span", { class: "unseen", role: "status" });
  const pad = h("div", { class: "map-pad", tabindex: "0", role: "application", "aria-label": "Map", "aria-describedby": "map-keys",
    onpointermove: (event) => point(event), onpointerleave: () => { hover.hidden = true; drawStrip(null); }, onpointerdown: (event) => grab(event), onwheel: (event) => wheel(event),
    onclick: (event) => press(event), onkeydown: (event) => key(event),
    onfocus: () => { if (chosen >= 0) mark(); }, onblur: () => { ring.hidden = true; } }, canvas, hover, ring);
  const said = h("div", { class: "strip-said" });
  const strip = h("div", { class: "map-strip" }, said, ["svg", "png"].map((kind) => button(kind.toUpperCase(), { image: "download", kind: "quiet small", title: `Save this map as ${kind.toUpperCase()}`, onclick: () => save(kind) })));
  const side = h("aside", { class: "side", "aria-label": overlay ? "What was found" : "Numbers of this folder", tabindex: "0" });
  const table = h("div", { class: "map-table", hidden: true });
  const keys = h("p", { class: "unseen", id: "map-keys" }, "The arrow keys move between the folders and files of this folder, Enter opens one, Escape goes up, plus and minus zoom, zero shows all. The same numbers are in the table view.");
  const body = h("div", { class: "map-body" }, h("div", { class: "map-left" }, pad, strip, table), side);
  const empty = h("div", { class: "view-empty", hidden: true });
  const element = h("div", { class: "view map" }, bar, keys, told, body, empty);

  const layer = () => Object.hasOwn(LAYERS, current.layer ?? "") ? current.layer : "churn";
  // Without numbers a layer would be white: the languages are shown instead.
  const shownLayer = () => answer?.layers?.[layer()]?.max > 0 ? layer() : "language";
  const isTable = () => current.as === "table";
  const goTo = (path) => app.set({ path, ...(current.line ? { line: "" } : {}) });
  const open = (node) => {
    if (node.kind === "file") app.go("file", { path: node.path });
    else goTo(node.path);
  };
  const numbers = (node) => [
    node.kind === "folder" && plural(node.files, "file"), plural(node.lines, "line"),
    ...["churn", "memories", "tests", "fanIn"].filter((each) => node[each] > 0).map((each) => plural(node[each], LAYERS[each].one, LAYERS[each].many)),
    node.language, node.sort, markOf(node) && overlay.kinds[markOf(node).kind].toLowerCase(),
  ].filter(Boolean);

  // ---- Colours.

  const markOf = (node) => found && (node.kind === "file" ? found.marks : folderMarks).get(node.path);
  const valueOf = (node) => node.kind === "folder" ? node[layer()] / Math.max(1, node.files) : node[layer()];
  const languageColour = (language) => colours.languages[languages.indexOf(language)] ?? colours.none;
  function colourOf(node) {
    if (overlay) {
      const mark_ = markOf(node);
      return mark_ ? colours.marks[mark_.kind] : colours.none;
    }
    let colour = colours.none;
    if (shownLayer() === "language") colour = languageColour(node.language);
    else if (valueOf(node) > 0) colour = scaleColour(Math.min(1, Math.log1p(valueOf(node)) / Math.log1p(answer.layers[layer()].max)));
    return isAside(node) ? mix(colour, colours.none, 0.7) : colour;
  }
  function scaleColour(share) {
    const [low, middle, high] = colours.scale;
    return share < 0.5 ? mix(low, middle, share * 2) : mix(middle, high, share * 2 - 1);
  }
  const swatch = (language) => {
    const at = languages.indexOf(language);
    return h("span", { class: `swatch language-${at >= 0 && at < LANGUAGE_COLOURS ? at + 1 : "none"}` });
  };

  // ---- The drawing.

  const look = () => ({ colours, colourOf, pinsOf: found && ((node) => markOf(node)?.pins && { count: markOf(node).pins, colour: colours.marks[markOf(node).kind] }) });
  function draw() {
    if (!root || isTable()) return;
    const width = Math.floor(pad.clientWidth), height = Math.floor(pad.clientHeight);
    if (width < 20 || height < 20) return;
    colours ??= palette();
    if (drawn?.data !== root || drawn.x1 !== width || drawn.y1 !== height) {
      drawn = layTiles(root, width, height);
      tiles = drawn.descendants().slice(1);
      view = { x: 0, y: 0, scale: 1 };
    }
    drawTiles(new CanvasPaper(canvas, width, height), tiles, view, look());
    if (document.activeElement === pad && chosen >= 0) mark();
    else ring.hidden = true;
  }
  const drawSoon = () => { frame ||= requestAnimationFrame(() => { frame = 0; draw(); }); };
  const recolour = () => { colours = null; draw(); };
  const place = (mark_, tile) => {
    const { x, y, scale } = view;
    mark_.hidden = false;
    Object.assign(mark_.style, { left: `${tile.x0 * scale + x}px`, top: `${tile.y0 * scale + y}px`, width: `${(tile.x1 - tile.x0) * scale}px`, height: `${(tile.y1 - tile.y0) * scale}px` });
  };
  function save(kind) {
    if (!drawn) return;
    const paper = new SvgPaper(drawn.x1, drawn.y1, colours.paper);
    drawTiles(paper, tiles, view, look());
    savePicture(paper.element, `${answer.name}-${overlay?.id ?? "map"}`, kind);
  }

  // ---- Zoom and pan.

  function zoom(by, x = pad.clientWidth / 2, y = pad.clientHeight / 2) {
    const scale = Math.max(1, Math.min(MOST_SCALE, view.scale * by));
    view.x = x - (x - view.x) * scale / view.scale;
    view.y = y - (y - view.y) * scale / view.scale;
    view.scale = scale;
    shift(0, 0);
  }
  function shift(x, y) {
    const { scale } = view;
    view.x = Math.min(0, Math.max(pad.clientWidth * (1 - scale), view.x + x));
    view.y = Math.min(0, Math.max(pad.clientHeight * (1 - scale), view.y + y));
    hover.hidden = true;
    drawSoon();
  }
  function wheel(event) {
    event.preventDefault();
    const box = pad.getBoundingClientRect();
    zoom(Math.exp(-event.deltaY * (event.deltaMode ? 0.05 : 0.0015)), event.clientX - box.left, event.clientY - box.top);
  }
  function grab(event) {
    if (event.button !== 0 || view.scale === 1) return;
    let { clientX: x, clientY: y } = event, moved = 0;
    const follow = (next) => {
      moved += Math.hypot(next.clientX - x, next.clientY - y);
      if (moved > 4) shift(next.clientX - x, next.clientY - y);
      ({ clientX: x, clientY: y } = next);
    };
    window.addEventListener("pointermove", follow);
    window.addEventListener("pointerup", () => {
      window.removeEventListener("pointermove", follow);
      // A drag is not a press on a tile.
      if (moved > 4) window.addEventListener("click", (click) => click.stopPropagation(), { capture: true, once: true });
    }, { once: true });
  }

  // ---- The pointer: the innermost tile, a file or the head of a folder.

  function at(event) {
    const box = pad.getBoundingClientRect();
    const x = (event.clientX - box.left - view.x) / view.scale, y = (event.clientY - box.top - view.y) / view.scale;
    return tiles.findLast((tile) => x >= tile.x0 && x < tile.x1 && y >= tile.y0 && y < tile.y1) ?? null;
  }
  function point(event) {
    const tile = at(event);
    if (!tile) { hover.hidden = true; drawStrip(null); return; }
    place(hover, tile);
    drawStrip(tile.data);
  }
  function press(event) {
    const tile = at(event);
    if (tile) open(tile.data);
  }
  function drawStrip(node) {
    const shown = node ?? root;
    if (!shown) return;
    clear(said, icon(shown.kind === "file" ? "file" : "folder"), node ? pathText(shown.path) : h("span", { class: "path" }, shown.path || answer.name),
      h("span", { class: "strip-numbers" }, numbers(shown).join(" · ")));
  }

  // ---- The keyboard: the children of the folder shown.

  function mark() {
    const tile = drawn?.children?.[chosen];
    if (!tile) { ring.hidden = true; return; }
    place(ring, tile);
    drawStrip(tile.data);
    const text = `${tile.data.name}, ${tile.data.kind}, ${numbers(tile.data).join(", ")}`;
    if (told.textContent !== text) told.textContent = text;
  }
  function step(dx, dy) {
    const all = drawn?.children ?? [];
    if (chosen < 0 || !all[chosen]) { chosen = 0; mark(); return; }
    const from = all[chosen];
    const middle = (tile) => [(tile.x0 + tile.x1) / 2, (tile.y0 + tile.y1) / 2];
    const [fx, fy] = middle(from);
    let best = -1, least = Infinity;
    all.forEach((tile, i) => {
      if (i === chosen) return;
      // Tiles beyond the edge on that side; those that overlap across it are nearest.
      const beyond = dx > 0 ? tile.x0 - from.x1 : dx < 0 ? from.x0 - tile.x1 : dy > 0 ? tile.y0 - from.y1 : from.y0 - tile.y1;
      if (beyond < -1) return;
      const [x, y] = middle(tile);
      const across = dx ? Math.max(0, Math.max(tile.y0, from.y0) - Math.min(tile.y1, from.y1)) : Math.max(0, Math.max(tile.x0, from.x0) - Math.min(tile.x1, from.x1));
      const cost = beyond + across * 3 + (dx ? Math.abs(y - fy) : Math.abs(x - fx)) * 0.2;
      if (cost < least) { least = cost; best = i; }
    });
    if (best >= 0) chosen = best;
    mark();
  }
  function up() {
    if (current.path) goTo(folderOf(current.path));
  }
  function key(event) {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const way = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] }[event.key];
    if (way) step(...way);
    else if (event.key === "+" || event.key === "=") zoom(1.5);
    else if (event.key === "-") zoom(1 / 1.5);
    else if (event.key === "0") zoom(1 / MOST_SCALE);
    else if (event.key === "Home") { chosen = 0; mark(); }
    else if (event.key === "End") { chosen = (drawn?.children?.length ?? 0) - 1; mark(); }
    else if (event.key === "Enter" && drawn?.children?.[chosen]) open(drawn.children[chosen].data);
    else if ((event.key === "Escape" || event.key === "Backspace") && current.path) up();
    else return;
    event.preventDefault();
    event.stopPropagation();
  }

  // ---- Beside the map: the folder's numbers, the legend, the first of the layer.

  const rankedRow = (each) => {
    const of = LAYERS[layer()];
    return h("li", { class: "ranked" },
      h("a", { class: "code-link", href: each.kind === "file" ? app.link("file", { path: each.path }) : app.link("map", { path: each.path, layer: current.layer }) },
        pathText(each.path)), h("span", { class: "ranked-number", title: plural(each[layer()], of.one, of.many) }, compact(each[layer()])));
  };
  // The first files of the layer. Manifests, lock files and changelogs change with every release: they are folded.
  function ranking(leaves) {
    const of = LAYERS[layer()];
    const all = leaves.filter((each) => each[layer()] > 0).sort((a, b) => b[layer()] - a[layer()]);
    const folded = all.filter((each) => each.sort || isAside(each)).slice(0, 14);
    return h("section", { class: "side-box" }, h("h3", {}, of.top),
      all.length ? h("ul", { class: "side-rows" }, all.filter((each) => !each.sort && !isAside(each)).slice(0, 14).map(rankedRow)) : h("p", { class: "muted note" }, `No file here has ${of.many}.`),
      folded.length > 0 && h("details", { class: "folded-rows" }, h("summary", {}, "Data, generated files and changelogs"), h("ul", { class: "side-rows" }, folded.map(rankedRow))));
  }
  function languageRows(leaves) {
    const lines = new Map();
    for (const each of leaves) if (!isAside(each)) lines.set(each.language || "other", (lines.get(each.language || "other") ?? 0) + each.code);
    const row = (language, sum, image) => h("li", { class: "ranked" }, image, h("span", { class: "ranked-name" }, language), h("span", { class: "ranked-number", title: count(sum) }, compact(sum)));
    return h("section", { class: "side-box" }, h("h3", {}, "Languages by lines"), h("ul", { class: "side-rows" },
      [...lines].sort((a, b) => b[1] - a[1]).slice(0, 14).map(([language, sum]) => row(language, sum, swatch(language))),
      root.lines > root.code && row("Data and generated, dimmed", root.lines - root.code, h("span", { class: "swatch language-none" }))));
  }
  function drawSide() {
    const leaves = leavesOf(root);
    const known = answer.layers?.[layer()];
    const of = LAYERS[layer()];
    const content = [h("h2", { title: root.path || answer.repo }, root.path ? baseOf(root.path) : answer.name),
      !overlay && h("dl", { class: "side-numbers" },
        [["Files", root.files], ["Lines", root.code || root.lines, "Lines that people wrote: generated files and data are left out"], ["Commits", root.churn], ["Memories", root.memories]].map(([title, value, note]) =>
          h("div", { title: note }, h("dt", {}, title), h("dd", { title: count(value) }, compact(value)))))];
    if (overlay && !found) content.push(loadingState());
    else if (overlay) {
      content.push(h("ul", { class: "side-rows mark-legend" }, Object.entries(overlay.kinds).map(([kind, title]) =>
        h("li", { class: "ranked" }, h("span", { class: `swatch mark-${kind}` }), h("span", { class: "ranked-name" }, title),
          h("span", { class: "ranked-number" }, count([...found.marks.values()].filter((each) => each.kind === kind).length))))), found.side);
    } else if (shownLayer() !== layer()) {
      content.push(h("p", { class: "note warn-text", role: "status" }, isCounting(known) ? `${of.title} is being counted. Until then the colours are the languages.`
        : known?.missing ? `${of.title}: ${known.missing}. The colours are the languages.` : `No file here has ${of.many}. The colours are the languages.`), languageRows(leaves));
    } else if (layer() === "language") content.push(languageRows(leaves));
    else {
      content.push(h("div", { class: "map-legend" }, h("span", {}, "0"), h("span", { class: "map-scale", "aria-hidden": "true" }), h("span", {}, plural(known?.max ?? 0, of.one, of.many))), ranking(leaves));
    }
    const folded = leaves.filter((each) => each.kind === "folder" && each.files > 0).length;
    if (folded && !overlay) content.push(h("p", { class: "muted note" }, `${plural(folded, "folder")} shown as one tile each${shownLayer() === "language" ? "" : ", coloured by the mean of its files"}. Open one to see its files.`));
    clear(side, content);
  }

  // ---- The table: a tree of rows, with the same numbers.

  const COLUMNS = [["lines", "Lines"], ["files", "Files"], ["churn", "Commits"], ["memories", "Memories"], ["tests", "Tests"], ["fanIn", "Fan-in"]];
  const MOST_ROWS = 400;
  const opened = new Set();
  let focused = "";
  function drawTable() {
    const sorted = (node) => [...node.children ?? []].sort((a, b) => b.lines - a.lines);
    const rows = [];
    const walk = (node, level) => {
      const children = sorted(node);
      children.slice(0, MOST_ROWS).forEach((each, i) => {
        rows.push({ node: each, level, position: i + 1, size: children.length });
        if (each.kind === "folder" && opened.has(each.path)) walk(each, level + 1);
      });
      if (children.length > MOST_ROWS) rows.push({ rest: children.length - MOST_ROWS, level });
    };
    walk(root, 1);
    if (!rows.some((each) => each.node?.path === focused)) focused = rows[0]?.node?.path ?? "";
    const had = table.contains(document.activeElement);
    const head = h("div", { role: "row", class: "tree-row tree-head" }, h("span", { role: "columnheader" }, "Name"),
      COLUMNS.map(([, title]) => h("span", { role: "columnheader", class: "number" }, title)), h("span", { role: "columnheader" }, "Language"));
    clear(table, h("div", { role: "treegrid", "aria-label": `Folders and files of ${root.path || answer.name}`, "aria-rowcount": rows.length + 1, class: "tree", onkeydown: tableKey },
      head, rows.map(({ node, level, position, size, rest }) => {
        if (rest) return h("div", { role: "row", class: "tree-row" }, h("span", { role: "gridcell", class: "muted" }, `${count(rest)} more with fewer lines`));
        const isFolder = node.kind === "folder";
        const line = h("div", { role: "row", class: "tree-row", "data-path": node.path, tabindex: node.path === focused ? "0" : "-1",
          "aria-level": level, "aria-posinset": position, "aria-setsize": size, "aria-expanded": isFolder ? String(opened.has(node.path)) : undefined,
          onclick: () => { focused = node.path; if (isFolder) toggle(node); else open(node); },
          onfocus: () => { focused = node.path; } },
        h("span", { role: "gridcell", class: "tree-name" }, isFolder ? icon(opened.has(node.path) ? "down" : "right") : icon("file"), h("span", {}, node.name)),
        COLUMNS.map(([name]) => h("span", { role: "gridcell", class: `number ${node[name] ? "" : "muted"}` }, name === "files" && !isFolder ? "" : count(node[name]))),
        h("span", { role: "gridcell", class: "muted" }, node.language));
        line.style.setProperty("--level", level - 1);
        return line;
      })));
    if (had) focusRow(focused);
  }
  const rowElements = () => [...table.querySelectorAll("[data-path]")];
  function focusRow(path) {
    const line = rowElements().find((each) => each.dataset.path === path);
    if (!line) return;
    for (const each of rowElements()) each.tabIndex = each === line ? 0 : -1;
    focused = path;
    line.focus();
  }
  async function toggle(node, wanted = !opened.has(node.path)) {
    if (wanted) opened.add(node.path); else opened.delete(node.path);
    if (wanted && !node.children) {
      try {
        const { root: inner } = await ask("/api/code/map", { repo: app.repo, path: node.path, nodes: NODES }, { signal: abort.signal });
        node.children = joined(inner).children ?? [];
      } catch (error) { if (error.name !== "AbortError") app.toast(error.message); opened.delete(node.path); }
    }
    drawTable();
  }
  function tableKey(event) {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const lines = rowElements();
    const now = lines.findIndex((each) => each.dataset.path === focused);
    const node = findRow(root, focused);
    const move = { ArrowDown: now + 1, ArrowUp: now - 1, Home: 0, End: lines.length - 1, PageDown: now + 15, PageUp: now - 15 }[event.key];
    if (move !== undefined) focusRow(lines[Math.max(0, Math.min(lines.length - 1, move))]?.dataset.path);
    else if (event.key === "ArrowRight" && node?.kind === "folder") { if (!opened.has(node.path)) toggle(node, true); else focusRow(lines[now + 1]?.dataset.path); }
    else if (event.key === "ArrowLeft") {
      if (node?.kind === "folder" && opened.has(node.path)) toggle(node, false);
      else {
        const level = Number(lines[now]?.getAttribute("aria-level"));
        const parent = lines.slice(0, now).reverse().find((each) => Number(each.getAttribute("aria-level")) < level);
        if (parent) focusRow(parent.dataset.path);
      }
    } else if (event.key === "Enter" && node) open(node);
    else if ((event.key === "Escape" || event.key === "Backspace") && current.path) up();
    else return;
    event.preventDefault();
  }
  const findRow = (node, path) => {
    for (const each of node.children ?? []) {
      if (each.path === path) return each;
      const found = opened.has(each.path) && findRow(each, path);
      if (found) return found;
    }
    return null;
  };

  // ---- All of it.

  function drawBar() {
    const focused_ = bar.contains(document.activeElement) ? document.activeElement : null;
    clear(bar, crumbs(app, answer?.name ?? app.repositoryName(), current.path ?? "", { last: Boolean(current.path) }),
      answer?.cut > 0 && h("span", { class: "told" }, `${count(answer.cut)} folded`),
      h("span", { class: "grow" }),
      overlay ? overlay.bar?.(current, remark) : segments("Colour by", Object.entries(LAYERS).map(([name, { title }]) => [name, title]), layer(), (name) => app.set({ layer: name === "churn" ? "" : name }, { replace: true })),
      segments("Show as", [["", "Map"], ["table", "Table"]], isTable() ? "table" : "", (as) => app.set({ as }, { replace: true })));
    if (focused_?.isConnected) focused_.focus();  // a control that the overlay keeps
  }
  function remark(made) {
    take(made);
    drawSide();
    drawStrip(null);
    if (!isTable()) draw();
  }
  function show() {
    body.hidden = false;
    empty.hidden = true;
    clear(empty);
    const lines = new Map();
    for (const each of leavesOf(answer.root)) lines.set(each.language, (lines.get(each.language) ?? 0) + each.size);
    if (!languages.length || !current.path) languages = [...lines].filter(([name]) => name).sort((a, b) => b[1] - a[1]).map(([name]) => name).slice(0, LANGUAGE_COLOURS);
    pad.hidden = strip.hidden = isTable();
    table.hidden = !isTable();
    pad.setAttribute("aria-label", `Map of ${root.path || answer.name}: ${numbers(root).join(", ")}`);
    drawBar();
    drawSide();
    drawStrip(null);
    if (isTable()) drawTable();
    else draw();
  }
  function say(...content) {
    body.hidden = true;
    empty.hidden = false;
    clear(side);
    clear(empty, content);
  }
  // The marks of files, and of each folder around them the first of its kinds.
  function take(marks) {
    found = marks;
    folderMarks = new Map();
    if (!found) return;
    const order = Object.keys(overlay.kinds);
    for (const [path, { kind, pins = 0 }] of found.marks) {
      for (let folder = folderOf(path); folder; folder = folderOf(folder)) {
        const known = folderMarks.get(folder);
        folderMarks.set(folder, { kind: known && order.indexOf(known.kind) < order.indexOf(kind) ? known.kind : kind, pins: (known?.pins ?? 0) + pins });
      }
    }
  }
  let again = 0;
  async function load(tries = 0) {
    clearTimeout(again);
    abort.abort();
    abort = new AbortController();
    const wanted = current.path ?? "";
    drawBar();
    const inner = answer && app.sameRepo(answer.repo) && findNode(answer.root, wanted);
    if (inner?.children) {
      root = { ...joined(inner), name: inner.name };
      if (!tries) show();
      if (isWhole(inner) && (!overlay || found) && !tries && !Object.values(answer.layers ?? {}).some(isCounting)) return;
    } else if (!answer) say(loadingState());
    try {
      const { signal } = abort;
      // The map is there, if only the overlay's marks are not.
      if (!inner?.children || tries || !overlay || answer.path !== wanted) {
        answer = await ask("/api/code/map", { repo: app.repo, path: wanted, nodes: NODES }, { signal });
        app.knowRoot(answer.repo);
        root = joined(answer.root);
        if (!root.children?.length) say(emptyState("map", "Nothing indexed here", "This folder has no indexed file.", h("a", { class: "button", href: app.link("map", { path: "" }) }, "To the whole map")));
        else show();
        performance.mark("map-drawn");
      }
      if (overlay && !found) {
        const made = await overlay.load(current, signal);
        take(made);
        if (!signal.aborted) show();
        if (made.again && tries < MOST_TRIES) {
          found = null;
          again = setTimeout(() => load(tries + 1), wait(tries));
        }
      }
      // Some numbers take longer than a page should wait: it asks again until they are there.
      if (!overlay && Object.values(answer.layers ?? {}).some(isCounting) && tries < MOST_TRIES) {
        clearTimeout(again);
        again = setTimeout(() => load(tries + 1), wait(tries));
      }
    } catch (error) {
      if (error.name === "AbortError") return;
      answer = null;
      if (error.status === 404 && !wanted) say(noRepository(app, error));
      else say(errorState(error, () => load()));
    }
  }
  const watcher = new ResizeObserver(() => drawSoon());
  watcher.observe(pad);
  const themes = new MutationObserver(recolour);
  themes.observe(document.documentElement, { attributes: true, attributeFilter: ["data-theme"] });
  const system = matchMedia("(prefers-color-scheme: dark)");
  system.addEventListener("change", recolour);

  return {
    element,
    update(parameters) {
      const isAsked = overlay && !overlay.same(current, parameters);
      const same = answer && !isAsked && (current.path ?? "") === (parameters.path ?? "") && current.repo === parameters.repo;
      if ((current.path ?? "") !== (parameters.path ?? "")) chosen = -1;
      if (current.repo !== parameters.repo) { answer = null; languages = []; }
      if (isAsked || current.repo !== parameters.repo) found = null;
      current = parameters;
      if (same) show();
      else load();
    },
    refresh() { answer = found = null; overlay?.forget?.(); load(); },
    focus: () => (isTable() ? rowElements().find((each) => each.tabIndex === 0) ?? table : pad).focus({ preventScroll: true }),
    destroy() {
      clearTimeout(again);
      abort.abort();
      watcher.disconnect();
      themes.disconnect();
      system.removeEventListener("change", recolour);
      cancelAnimationFrame(frame);
    },
  };
}

// What a page says that knows no repository yet.
export const noRepository = (app, error) => emptyState("map", "No repository is open",
  error?.message ?? "", code("cd your/repository\ncodexmem open"),
  app.repositories.length > 0 && h("p", {}, "Or choose one of these: ", app.repositories.map((each, i) => [i > 0 && ", ", h("a", { href: app.link("map", { repo: each.root }) }, each.name)])),
  h("p", {}, "What is remembered is in the ", h("a", { href: app.link("feed") }, "feed"), "."));
