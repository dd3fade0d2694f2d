// map.js - a repository as a map: folders and files by their lines, coloured by a chosen layer.
//
// A canvas draws it, as thousands of tiles are too many elements; the same numbers are there as a
// table (role treegrid). The worker opens the largest folders only; others are asked for when entered.

import { hierarchy, treemap, treemapSquarify } from "d3-hierarchy";
import { clear, compact, count, emptyState, errorState, h, icon, loadingState, plural, segments, code } from "./page.js";
import { ask } from "./worker.js";
import { baseOf, crumbs, folderOf, pathText } from "./code.js";

export const LAYERS = {
  churn: { title: "Churn", of: "commits", one: "change", many: "changes", top: "Most changed" },
  memories: { title: "Memories", of: "memories", one: "memory", many: "memories", top: "Most cited by memories" },
  tests: { title: "Tests", of: "tests", one: "test file", many: "test files", top: "Most tested" },
  fanIn: { title: "Fan-in", of: "importers", one: "importer", many: "importers", top: "Most imported" },
  language: { title: "Language" },
};
const NODES = 2500;
const LANGUAGE_COLOURS = 8;

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

const mix = (a, b, share) => a.map((each, i) => Math.round(each + (b[i] - each) * share));
const luminance = (colour) => colour.map((each) => each / 255).map((each) => each <= 0.04045 ? each / 12.92 : ((each + 0.055) / 1.055) ** 2.4)
  .reduce((sum, each, i) => sum + each * [0.2126, 0.7152, 0.0722][i], 0);

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
    none: of("--map-none"), scale: ["--map-1", "--map-2", "--map-3"].map(of), folder: text("--map-folder"), text: text("--soft"),
    languages: Array.from({ length: LANGUAGE_COLOURS }, (_, i) => of(`--language-${i + 1}`)),
  };
  probe.remove();
  return colours;
}

export function mapView(app) {
  let current = {}, answer = null, abort = new AbortController(), root = null, tiles = [], drawn = null;
  let chosen = -1;  // of the children of the folder shown
  let languages = [];

  const bar = h("div", { class: "bar" });
  const canvas = h("canvas", { "aria-hidden": "true" });
  const ring = h("div", { class: "map-ring", hidden: true });
  const hover = h("div", { class: "map-hover", hidden: true });
  const told = h("span", { class: "unseen", role: "status" });
  const pad = h("div", { class: "map-pad", tabindex: "0", role: "application", "aria-label": "Map", "aria-describedby": "map-keys",
    onpointermove: (event) => point(event), onpointerleave: () => { hover.hidden = true; drawStrip(null); },
    onclick: (event) => press(event), onkeydown: (event) => key(event),
    onfocus: () => { if (chosen >= 0) mark(); }, onblur: () => { ring.hidden = true; } }, canvas, hover, ring);
  const strip = h("div", { class: "map-strip" });
  const side = h("aside", { class: "side", "aria-label": "Numbers of this folder", tabindex: "0" });
  const table = h("div", { class: "map-table", hidden: true });
  const keys = h("p", { class: "unseen", id: "map-keys" }, "The arrow keys move between the folders and files of this folder, Enter opens one, Escape goes up. The same numbers are in the table view.");
  const body = h("div", { class: "map-body" }, h("div", { class: "map-left" }, pad, strip, table), side);
  const empty = h("div", { class: "view-empty", hidden: true });
  const element = h("div", { class: "view map" }, bar, keys, told, body, empty);

  const layer = () => Object.hasOwn(LAYERS, current.layer ?? "") ? current.layer : "churn";
  const isTable = () => current.as === "table";
  const goTo = (path) => app.set({ path, ...(current.line ? { line: "" } : {}) });
  const open = (node) => {
    if (node.kind === "file") app.go("file", { path: node.path });
    else goTo(node.path);
  };
  const numbers = (node) => [
    node.kind === "folder" && plural(node.files, "file"), plural(node.lines, "line"),
    ...["churn", "memories", "tests", "fanIn"].filter((each) => node[each] > 0).map((each) => plural(node[each], LAYERS[each].one, LAYERS[each].many)),
    node.language,
  ].filter(Boolean);

  // ---- Colours.

  const valueOf = (node) => node.kind === "folder" ? node[layer()] / Math.max(1, node.files) : node[layer()];
  function colourOf(node, colours) {
    if (layer() === "language") {
      const at = languages.indexOf(node.language);
      return at >= 0 && at < LANGUAGE_COLOURS ? colours.languages[at] : colours.none;
    }
    const most = answer.layers?.[layer()]?.max ?? 0;
    const value = valueOf(node);
    if (!(value > 0) || !most) return colours.none;
    return scaleColour(Math.min(1, Math.log1p(value) / Math.log1p(most)), colours);
  }
  const scaleColour = (share, { scale: [low, middle, high] }) => share < 0.5 ? mix(low, middle, share * 2) : mix(middle, high, share * 2 - 1);

  // ---- The drawing.

  function draw() {
    if (!root || isTable()) return;
    const width = Math.floor(pad.clientWidth), height = Math.floor(pad.clientHeight);
    if (width < 20 || height < 20) return;
    const colours = palette();
    const ratio = devicePixelRatio || 1;
    canvas.width = width * ratio;
    canvas.height = height * ratio;
    canvas.style.width = `${width}px`;
    canvas.style.height = `${height}px`;
    const paper = canvas.getContext("2d");
    paper.scale(ratio, ratio);
    const tree = hierarchy(root).sum((each) => each.children ? 0 : Math.max(1, each.lines)).sort((a, b) => b.value - a.value);
    const hasHead = (node) => node.depth > 0 && node.x1 - node.x0 > 56 && node.y1 - node.y0 > 44;
    treemap().size([width, height]).tile(treemapSquarify.ratio(1.2)).round(true)
      .paddingInner((node) => node.depth < 2 ? 3 : 1)
      .paddingTop((node) => node.depth === 0 ? 0 : hasHead(node) ? 19 : 2)
      .paddingLeft((node) => node.depth === 0 ? 0 : 2).paddingRight((node) => node.depth === 0 ? 0 : 2)
      .paddingBottom((node) => node.depth === 0 ? 0 : 2)(tree);
    tiles = tree.descendants().slice(1);
    const style = getComputedStyle(document.body);
    paper.textBaseline = "middle";
    for (const tile of tiles) {
      const { data, x0, y0, x1, y1 } = tile;
      const w = x1 - x0, hgt = y1 - y0;
      if (w < 1 || hgt < 1) continue;
      if (tile.children) {
        paper.fillStyle = colours.folder;
        box(paper, x0, y0, w, hgt, tile.depth === 1 ? 5 : 3);
        if (hasHead(tile)) label(paper, data.name, x0 + 6, y0 + 10.5, w - 12, `${tile.depth === 1 ? 600 : 500} 11px ${style.fontFamily}`, colours.text);
        continue;
      }
      const colour = colourOf(data, colours);
      paper.fillStyle = `rgb(${colour.join(" ")})`;
      box(paper, x0, y0, w, hgt, Math.min(3, w / 4, hgt / 4));
      if (w > 34 && hgt > 15) {
        const ink = luminance(colour) > 0.19 ? "rgb(18 20 26)" : "rgb(255 255 255)";
        const name = data.kind === "folder" ? `${data.name}/` : data.name;
        label(paper, name, x0 + 5, hgt > 32 ? y0 + 11 : y0 + hgt / 2 + 0.5, w - 9, `500 11px ${style.fontFamily}`, ink);
        if (hgt > 44 && w > 60) label(paper, data.kind === "folder" ? plural(data.files, "file") : plural(data.lines, "line"), x0 + 5, y0 + 26, w - 9, `400 10px ${style.fontFamily}`, ink);
      }
    }
    drawn = tree;
    if (document.activeElement === pad && chosen >= 0) mark();
    else ring.hidden = true;
  }
  function box(paper, x, y, w, hgt, r) {
    if (r < 1) { paper.fillRect(x, y, w, hgt); return; }
    paper.beginPath();
    paper.roundRect(x, y, w, hgt, r);
    paper.fill();
  }
  function label(paper, text, x, y, most, font, colour) {
    paper.font = font;
    let shown = text;
    const wide = paper.measureText(text).width;
    if (wide > most) {
      const fits = Math.floor(text.length * most / wide) - 1;
      if (fits < 3) return;
      shown = `${text.slice(0, fits)}…`;
    }
    paper.fillStyle = colour;
    paper.fillText(shown, x, y);
  }
  const place = (mark_, tile) => {
    mark_.hidden = false;
    Object.assign(mark_.style, { left: `${tile.x0}px`, top: `${tile.y0}px`, width: `${tile.x1 - tile.x0}px`, height: `${tile.y1 - tile.y0}px` });
  };

  // ---- The pointer: the innermost tile, a file or the head of a folder.

  function at(event) {
    const frame = pad.getBoundingClientRect();
    const x = event.clientX - frame.left, y = event.clientY - frame.top;
    let found = null;
    for (const tile of tiles) if (x >= tile.x0 && x < tile.x1 && y >= tile.y0 && y < tile.y1) found = tile;
    return found;
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
    clear(strip, icon(shown.kind === "file" ? "file" : "folder"), node ? pathText(shown.path) : h("span", { class: "path" }, shown.path || answer.name),
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
    else if (event.key === "Home") { chosen = 0; mark(); }
    else if (event.key === "End") { chosen = (drawn?.children?.length ?? 0) - 1; mark(); }
    else if (event.key === "Enter" && drawn?.children?.[chosen]) open(drawn.children[chosen].data);
    else if ((event.key === "Escape" || event.key === "Backspace") && current.path) up();
    else return;
    event.preventDefault();
    event.stopPropagation();
  }

  // ---- Beside the map: the folder's numbers, the legend, the first of the layer.

  function drawSide() {
    const name = layer();
    const leaves = leavesOf(root);
    const known = answer.layers?.[name];
    const of = LAYERS[name];
    const content = [h("h2", { title: root.path || answer.repo }, root.path ? baseOf(root.path) : answer.name),
      h("dl", { class: "side-numbers" },
        [["Files", root.files], ["Lines", root.lines], ["Commits", root.churn], ["Memories", root.memories]].map(([title, value]) =>
          h("div", {}, h("dt", {}, title), h("dd", { title: count(value) }, compact(value)))))];
    if (name === "language") {
      const lines = new Map();
      for (const each of leaves) lines.set(each.language || "other", (lines.get(each.language || "other") ?? 0) + each.lines);
      content.push(h("section", { class: "side-box" }, h("h3", {}, "Languages by lines"), h("ul", { class: "side-rows" },
        [...lines].sort((a, b) => b[1] - a[1]).slice(0, 14).map(([language, sum]) => {
          const index = languages.indexOf(language);
          return h("li", { class: "ranked" }, h("span", { class: `swatch language-${index >= 0 && index < LANGUAGE_COLOURS ? index + 1 : "none"}` }),
            h("span", { class: "ranked-name" }, language), h("span", { class: "ranked-number" }, compact(sum)));
        }))));
    } else {
      content.push(h("div", { class: "map-legend" }, h("span", {}, "0"), h("span", { class: "map-scale", "aria-hidden": "true" }), h("span", {}, plural(known?.max ?? 0, of.one, of.many))));
      if (known?.missing) content.push(h("p", { class: "note warn-text", role: "status" }, isCounting(known) ? `${of.title} is being counted …` : known.missing));
      const first = leaves.filter((each) => each[name] > 0).sort((a, b) => b[name] - a[name]).slice(0, 14);
      if (first.length || !known?.missing) content.push(h("section", { class: "side-box" }, h("h3", {}, of.top),
        first.length ? h("ul", { class: "side-rows" }, first.map((each) => h("li", { class: "ranked" },
          h("a", { class: "code-link", href: each.kind === "file" ? app.link("file", { path: each.path }) : app.link("map", { path: each.path, layer: current.layer }) },
            pathText(each.path)), h("span", { class: "ranked-number", title: plural(each[name], of.one, of.many) }, compact(each[name])))))
          : h("p", { class: "muted note" }, `No file here has ${of.many}.`)));
    }
    const folded = leaves.filter((each) => each.kind === "folder" && each.files > 0).length;
    if (folded) content.push(h("p", { class: "muted note" }, `${plural(folded, "folder")} shown as one tile each${name === "language" ? "" : ", coloured by the mean of its files"}. Open one to see its files.`));
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
    clear(bar, crumbs(app, answer?.name ?? app.repositoryName(), current.path ?? "", { last: Boolean(current.path) }),
      answer?.cut > 0 && h("span", { class: "told" }, `${count(answer.cut)} folded`),
      h("span", { class: "grow" }),
      segments("Colour by", Object.entries(LAYERS).map(([name, { title }]) => [name, title]), layer(), (name) => app.set({ layer: name === "churn" ? "" : name }, { replace: true })),
      segments("Show as", [["", "Map"], ["table", "Table"]], isTable() ? "table" : "", (as) => app.set({ as }, { replace: true })));
  }
  function show() {
    body.hidden = false;
    empty.hidden = true;
    clear(empty);
    const lines = new Map();
    for (const each of leavesOf(answer.root)) lines.set(each.language, (lines.get(each.language) ?? 0) + each.lines);
    if (!languages.length || !current.path) languages = [...lines].filter(([name]) => name).sort((a, b) => b[1] - a[1]).map(([name]) => name);
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
    clear(empty, content);
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
      if (isWhole(inner) && !tries && !Object.values(answer.layers ?? {}).some(isCounting)) return;
    } else if (!answer) say(loadingState());
    try {
      const whole = await ask("/api/code/map", { repo: app.repo, path: wanted, nodes: NODES }, { signal: abort.signal });
      answer = whole;
      app.knowRoot(whole.repo);
      root = joined(whole.root);
      if (!root.children?.length) say(emptyState("map", "Nothing indexed here", "This folder has no indexed file.", h("a", { class: "button", href: app.link("map", { path: "" }) }, "To the whole map")));
      else show();
      performance.mark("map-drawn");
      // Some numbers take longer than a page should wait: it asks again until they are there.
      if (Object.values(whole.layers ?? {}).some(isCounting) && tries < 40) {
        clearTimeout(again);
        again = setTimeout(() => load(tries + 1), Math.min(5000, 600 * (tries + 1)));
      }
    } catch (error) {
      if (error.name === "AbortError") return;
      answer = null;
      if (error.status === 404 && !wanted) say(noRepository(app, error));
      else say(errorState(error, () => load()));
    }
  }
  const watcher = new ResizeObserver(() => requestAnimationFrame(draw));
  watcher.observe(pad);
  const themes = new MutationObserver(draw);
  themes.observe(document.documentElement, { attributes: true, attributeFilter: ["data-theme"] });
  const system = matchMedia("(prefers-color-scheme: dark)");
  system.addEventListener("change", draw);

  return {
    element,
    update(parameters) {
      const same = answer && (current.path ?? "") === (parameters.path ?? "") && current.repo === parameters.repo;
      if ((current.path ?? "") !== (parameters.path ?? "")) chosen = -1;
      if (current.repo !== parameters.repo) { answer = null; languages = []; }
      current = parameters;
      if (same) show();
      else load();
    },
    refresh() { answer = null; load(); },
    focus: () => (isTable() ? rowElements().find((each) => each.tabIndex === 0) ?? table : pad).focus({ preventScroll: true }),
    destroy() {
      clearTimeout(again);
      abort.abort();
      watcher.disconnect();
      themes.disconnect();
      system.removeEventListener("change", draw);
    },
  };
}

// What a page says that knows no repository yet.
export const noRepository = (app, error) => emptyState("map", "No repository is open",
  error?.status === 404 && app.repo ? error.message : "Index a repository and open it here:",
  code("cd your/repository\ncodexmem open"),
  h("p", {}, "What is remembered is in the ", h("a", { href: app.link("feed") }, "feed"), "."));
