// shell.js - the page as a whole: its head, the views and their addresses, the keyboard, and what
// is known of the worker everywhere.
//
// The address says all that is chosen: #/feed?project=app&q=lease. A view is made when it is gone
// to and destroyed when it is left; it has element, update(parameters), refresh(), and as it needs
// them event(event), status(), move(steps), focus(), pause(), destroy().

import {
  button, clear, compact, count, duration, emptyState, h, icon, plural, put, remembered, settled, soon, svg,
  toast,
} from "./page.js";
import { ask, stream, tell } from "./worker.js";
import { depsView } from "./deps.js";
import { feedView } from "./feed.js";
import { fileView, symbolView } from "./file.js";
import { openFinder } from "./finder.js";
import { mapView } from "./map.js";
import { changeView, knownView } from "./marks.js";
import { timeView } from "./time.js";
import { historyView, pathView } from "./calls.js";
import { sessionsView } from "./sessions.js";
import { decisionsView } from "./decisions.js";
import { overviewView } from "./overview.js";
import { failuresView, searchesView, timingsView } from "./tables.js";
import { eventsView, rememberEvent } from "./events.js";
import { contextView } from "./context.js";

const VIEWS = [
  { id: "map", title: "Map", group: "Code", make: mapView },
  { id: "deps", title: "Dependencies", group: "Code", make: depsView },
  { id: "change", title: "Change", group: "Code", key: "c", make: changeView },
  { id: "path", title: "Calls", group: "Code", key: "w", make: pathView },
  { id: "time", title: "Time", group: "Code", key: "s", make: timeView },
  { id: "known", title: "Memory here", group: "Code", key: "m", make: knownView },
  { id: "feed", title: "Feed", group: "Memory", make: feedView },
  { id: "sessions", title: "Sessions", group: "Memory", make: sessionsView },
  { id: "decisions", title: "Decisions", group: "Memory", make: decisionsView },
  { id: "overview", title: "Overview", group: "Diagnostics", make: overviewView },
  { id: "searches", title: "Searches", group: "Diagnostics", make: searchesView },
  { id: "timings", title: "Timings", group: "Diagnostics", make: timingsView },
  { id: "failures", title: "Failures", group: "Diagnostics", make: failuresView },
  { id: "events", title: "Events", group: "Diagnostics", make: eventsView },
  { id: "context", title: "Context", group: "Diagnostics", make: contextView },
  // Places that others lead to: they belong to the view that the rail marks.
  { id: "file", title: "File", group: "Code", within: "map", make: fileView },
  { id: "symbol", title: "Symbol", group: "Code", within: "map", make: symbolView },
  { id: "history", title: "History", group: "Code", within: "map", make: historyView },
  { id: "unknown", title: "No such page", group: "Code", within: "none", make: unknownView },
];
const GROUPS = ["Code", "Memory", "Diagnostics"];
const IN_RAIL = VIEWS.filter((each) => !each.within);
// Digits are for those without a letter, in their order.
const KEYS = [..."1234567890"];
IN_RAIL.filter((each) => !each.key).forEach((each, i) => { each.key = KEYS[i]; });

export const app = {
  view: null,        // the one shown
  parameters: {},    // of the address
  projects: [],
  repositories: [],
  root: "",          // of the repository shown, as the worker answered
  status: { health: null, stats: null, queue: null, provider: null },

  get project() { return this.parameters.project ?? ""; },
  get repo() { return this.parameters.repo ?? ""; },
  repositoryName() {
    const { repositories } = this;
    const one = repositories.find((each) => each.root === (this.repo || this.root)) ?? repositories.find((each) => each.openedLast) ?? repositories[0];
    return one?.name ?? (this.repo || this.root).split("/").at(-1) ?? "";
  },
  sameRepo(root) { return !this.repo || root === this.repo; },
  // Of an answer, where there is one: what the editor is to open is below it.
  knowRoot(root) { this.root = root || this.repo || (this.repositories.find((each) => each.openedLast) ?? this.repositories[0])?.root || ""; },
  dialog: (title, ...content) => openDialog(title, ...content),
  toast: (text) => toast(text, "bad"),
  find: (options) => openFinder(app, options),
  go: (view, parameters) => go(view, parameters),
  goTo(address) {
    history.pushState(null, "", address);
    navigate();
  },
  isWide: () => matchMedia("(min-width: 900px)").matches,

  link(view, parameters = {}) {
    const merged = { project: this.project, repo: this.repo, ...parameters };
    const text = new URLSearchParams(Object.entries(merged).filter(([, value]) => value !== "" && value !== undefined && value !== null).map(([name, value]) => [name, String(value)])).toString();
    return `#/${view}${text ? `?${text}` : ""}`;
  },
  // Changes parameters of the view shown.
  set(changes, { replace = false } = {}) {
    const address = this.link(shownView(), { ...this.parameters, ...changes });
    if (replace) history.replaceState(null, "", address);
    else history.pushState(null, "", address);
    navigate();
  },
  // The same where the view knows already. The address follows when it has settled: some browsers
  // refuse a page that changes it at the pace of a key that is held down.
  note(changes) {
    this.parameters = { ...this.parameters, ...changes };
    noteAddress();
  },

  async retry(session) {
    try {
      const { retried } = await tell("/api/ops/retry-failed", session === undefined ? {} : { sessionDbId: Number(session) });
      toast(retried ? `${plural(retried, "message")} will be tried again.` : "Nothing was left to try again.");
      this.view?.refresh();
    } catch (error) { toast(error.message, "bad"); }
  },

  confirm(title, text, action) {
    return new Promise((answer) => {
      const dialog = openDialog(title, h("p", {}, text), h("div", { class: "dialog-actions" },
        button("Cancel", { onclick: () => dialog.close() }),
        button(action, { kind: "primary", onclick: () => { answer(true); dialog.close(); } })));
      dialog.addEventListener("close", () => answer(false));
    });
  },

  newMemory() {
    const text = h("textarea", { id: "memory-text", rows: "7", required: true, "aria-describedby": "memory-wrong" });
    const title = h("input", { id: "memory-title", type: "text", maxlength: "200" });
    const project = h("input", { id: "memory-project", type: "text", value: this.project || this.projects[0] || "", list: "memory-projects" });
    const wrong = h("p", { class: "wrong", id: "memory-wrong", role: "alert" });
    const save = async (event) => {
      event?.preventDefault();
      wrong.textContent = "";
      try {
        const saved = await tell("/api/memory/save", { text: text.value, title: title.value.trim() || undefined, project: project.value.trim() || undefined });
        dialog.close();
        toast(`Saved as #${saved.id}.`);
        loadStatus();
      } catch (error) { wrong.textContent = error.message; text.focus(); }
    };
    const dialog = openDialog("New memory", h("form", { class: "form", onsubmit: save, onkeydown: (event) => {
      if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) save(event);
    } },
    h("label", { for: "memory-text" }, "What is to be remembered"), text,
    h("label", { for: "memory-title" }, "Title ", h("span", { class: "muted" }, "(its first words otherwise)")), title,
    h("label", { for: "memory-project" }, "Project"), project,
    h("datalist", { id: "memory-projects" }, this.projects.map((each) => h("option", { value: each }))), wrong,
    h("p", { class: "muted note" }, "What stands between <private> tags is not kept, and texts with secrets are refused."),
    h("div", { class: "dialog-actions" }, button("Cancel", { onclick: () => dialog.close() }),
      h("button", { type: "submit", class: "button primary" }, h("span", {}, "Save")))));
    text.focus();
  },
};

function openDialog(title, ...content) {
  const back = document.activeElement;
  // A press beside it closes it, but none that began inside: a text that is being selected.
  let pressed = null;
  const dialog = h("dialog", { "aria-labelledby": "dialog-title",
    onpointerdown: (event) => { pressed = event.target; },
    onclick: (event) => { if (event.target === dialog && pressed === dialog) dialog.close(); },
    onclose: () => {
      dialog.remove();
      back?.focus?.({ preventScroll: true });
    } },
  h("div", { class: "dialog-body" }, h("header", { class: "dialog-head" }, h("h2", { id: "dialog-title" }, title), h("span", { class: "grow" }),
    button("Close", { image: "close", hideText: true, kind: "quiet", onclick: () => dialog.close() })), content));
  document.body.append(dialog);
  dialog.showModal();
  return dialog;
}

// ---- The address.

function readAddress() {
  const [view, ...rest] = location.hash.replace(/^#\/?/, "").split("?");
  const query = rest.join("?");
  return { view, parameters: Object.fromEntries(new URLSearchParams(query)) };
}
const shownView = () => VIEWS.find((each) => each.id === (readAddress().view || "map"))?.id ?? "unknown";

function unknownView() {
  const element = h("div", { class: "view" });
  return {
    element,
    update() {
      clear(element, emptyState("help", "There is no such page", `The address names “${readAddress().view}”, which this page does not have.`,
        h("p", {}, IN_RAIL.map((each, i) => [i > 0 && ", ", h("a", { href: app.link(each.id) }, each.title)]))));
    },
    refresh() {},
  };
}

const noteAddress = settled(() => history.replaceState(null, "", app.link(shownView(), app.parameters)), 150);

let shownId = null, shownHash = null;
function navigate() {
  shownHash = location.hash;
  noteAddress.cancel();
  const id = shownView();
  app.parameters = readAddress().parameters;
  const chosen = VIEWS.find((each) => each.id === id);
  if (id !== shownId) {
    app.view?.destroy?.();
    shownId = id;
    app.view = chosen.make(app);
    clear(main, h("h1", { class: "unseen" }, chosen.title), app.view.element);
    document.title = `${chosen.title} · codexmem`;
    // Where the next tab key or arrow goes on from.
    if (document.activeElement === document.body) main.focus({ preventScroll: true });
  }
  app.knowRoot(app.repo && app.root !== app.repo ? app.repo : app.root);
  app.view.update(app.parameters);
  drawRail();
  drawProjects();
}

// ---- The head of the page.

const main = document.getElementById("main");
const rail = document.getElementById("rail");

const findButton = h("button", { type: "button", class: "find", onclick: () => openFinder(app), "aria-keyshortcuts": "/ Control+K" },
  icon("searches"), h("span", {}, "Find"), h("span", { class: "find-more" }, "files, symbols, code, memories"), h("kbd", { "aria-hidden": "true" }, "Ctrl K"));
const repositorySelect = h("select", { class: "repository", "aria-label": "Repository", hidden: true, onchange: () => {
  app.root = repositorySelect.value;
  const view = VIEWS.find((each) => each.id === shownView());
  go(IN_RAIL.find((each) => each.id === (view.within ?? view.id))?.id ?? "map", { repo: repositorySelect.value });
} });
const projectSelect = h("select", { class: "project", "aria-label": "Project", onchange: () => app.set({ project: projectSelect.value, id: "", session: "" }) });
const queueChips = h("a", { class: "queue", href: "#/timings", title: "The queue: waiting, at work, failed" });
const providerChip = h("span", { class: "provider" });
const connection = h("button", { type: "button", class: "connection", onclick: () => { stream.stop(); stream.start(); loadStatus(); } });
const themeButton = h("button", { type: "button", class: "button quiet icon-only", onclick: nextTheme, "aria-keyshortcuts": "t" });
const helpButton = button("Keyboard shortcuts", { image: "help", hideText: true, kind: "quiet icon-only", key: "?", onclick: showHelp });
const newButton = button("New memory", { image: "plus", hideText: true, kind: "quiet icon-only", key: "n", onclick: () => app.newMemory() });

function drawTop() {
  put(document.getElementById("top"), {},
    h("a", { class: "brand", href: "#/map", "aria-label": "codexmem, to the map" },
      svg("svg", { class: "mark", viewBox: "0 0 16 16", "aria-hidden": "true" },
        svg("rect", { width: 16, height: 16, rx: 4 }), svg("path", { d: "M4 5h8M4 8h5M4 11h7" })),
      h("span", {}, "codexmem")),
    repositorySelect, projectSelect, findButton,
    h("span", { class: "grow" }), queueChips, providerChip, connection, newButton, themeButton, helpButton);
}

function drawRail() {
  const id = shownView();
  const inRail = VIEWS.find((each) => each.id === id).within ?? id;
  const failed = app.status.queue?.failed ?? 0;
  const foot = rail.querySelector(".rail-foot") ?? h("div", { class: "rail-foot" });
  if (!rail.querySelector("ul")) {
    put(rail, {}, GROUPS.map((group) => h("section", { class: "rail-group" }, h("h2", { id: `rail-${group}` }, group),
      h("ul", { "aria-labelledby": `rail-${group}` }, IN_RAIL.filter((each) => each.group === group).map((each) => {
        const { key } = each;
        return h("li", {}, h("a", { href: `#/${each.id}`, "data-view": each.id, "aria-keyshortcuts": key }, icon(each.id), h("span", {}, each.title),
          h("span", { class: "count" }), key && h("kbd", { "aria-hidden": "true" }, key)));
      })))), foot);
  }
  for (const each of rail.querySelectorAll("a[data-view]")) {
    each.href = app.link(each.dataset.view);
    if (each.dataset.view === inRail) {
      if (each.getAttribute("aria-current") !== "page") {
        each.setAttribute("aria-current", "page");
        if (!app.isWide()) each.scrollIntoView({ block: "nearest", inline: "center" });
      }
    } else each.removeAttribute("aria-current");
    if (each.dataset.view === "failures") each.querySelector(".count").textContent = failed ? compact(failed) : "";
  }
  const { health } = app.status;
  clear(foot, health && [h("span", {}, `Version ${health.version}`), h("span", {}, `Up ${duration(health.uptime ?? 0)}`), h("span", {}, `Process ${health.pid}`)]);
}

function drawProjects() {
  const names = [...app.projects];
  if (app.project && !names.includes(app.project)) names.unshift(app.project);
  const wanted = JSON.stringify(names);
  if (projectSelect.dataset.names !== wanted) {
    projectSelect.dataset.names = wanted;
    clear(projectSelect, h("option", { value: "" }, "All projects"), names.map((each) => h("option", { value: each }, each)));
  }
  projectSelect.value = app.project;
  const isCode = VIEWS.find((each) => each.id === shownView()).group === "Code";
  projectSelect.hidden = isCode;
  const { repositories } = app;
  repositorySelect.hidden = !isCode || repositories.length < 2;
  const roots = JSON.stringify(repositories.map((each) => each.root));
  if (repositorySelect.dataset.roots !== roots) {
    repositorySelect.dataset.roots = roots;
    // Two of one name are told apart by the folders above them.
    const isDouble = (name) => repositories.filter((each) => each.name === name).length > 1;
    clear(repositorySelect, repositories.map((each) => h("option", { value: each.root, title: each.root }, isDouble(each.name) ? each.root.split("/").slice(-2).join("/") : each.name)));
  }
  repositorySelect.value = app.repo || (repositories.find((each) => each.openedLast) ?? repositories[0])?.root || "";
}

async function loadRepositories() {
  try {
    app.repositories = (await ask("/api/code/repositories")).repositories ?? [];
  } catch { return; }
  app.knowRoot(app.root);
  drawProjects();
  app.view?.repositories?.();
}

function drawStatus() {
  const { queue, provider } = app.status;
  const part_ = (name, value, kind) => h("span", { class: `queue-part ${value ? kind : "zero"}`, title: name }, h("span", { class: "queue-name" }, name), " ", h("strong", {}, queue ? compact(value) : "–"));
  clear(queueChips, part_("waiting", queue?.pending, "warn"), part_("at work", queue?.processing, "accent"), part_("failed", queue?.failed, "bad"));
  queueChips.href = app.link(queue?.failed ? "failures" : "timings");
  clear(providerChip, provider && [
    h("span", { class: "provider-name", title: provider.problem ?? undefined },
      provider.model ?? provider.provider, provider.problem && h("span", { class: "dot warn" })),
    provider.dataGoesTo && h("span", { class: "goes-to", title: [`Data goes to ${provider.dataGoesTo}`, provider.hint].filter(Boolean).join(". ") },
      provider.dataGoesTo, provider.hint && h("span", { class: "hint" }, "OPENAI_API_KEY is not used")),
    provider.model && h("span", { class: "tokens", title: `${count(provider.tokensToday)} tokens in ${plural(provider.callsToday, "call")} today` },
      provider.tokenBudget > 0 && tokenMeter(provider),
      h("span", {}, `${compact(provider.tokensToday)}${provider.tokenBudget > 0 ? ` / ${compact(provider.tokenBudget)}` : ""} tokens`))]);
  providerChip.hidden = !provider;
  drawRail();
  app.view?.status?.();
}
function tokenMeter({ tokensToday, tokenBudget }) {
  const fill = h("span", { class: tokensToday >= tokenBudget ? "over" : "" });
  fill.style.width = `${Math.min(100, 100 * tokensToday / tokenBudget)}%`;
  return h("span", { class: "meter small", "aria-hidden": "true" }, fill);
}

const CONNECTIONS = { live: ["good", "Live", "Connected: what the worker does is shown as it happens"],
  connecting: ["warn", "Connecting", "Connecting to the worker"],
  away: ["bad", "Worker away", "The worker does not answer. It is tried again and again; press to try now."],
  off: ["", "Resting", "This tab was out of sight"] };
function drawConnection(state) {
  const [kind, text, title] = CONNECTIONS[state];
  clear(connection, h("span", { class: `dot ${kind}` }), h("span", { class: "connection-text" }, text));
  connection.title = title;
  connection.setAttribute("aria-label", `${text}. ${title}`);
}

// ---- What is known of the worker.

async function loadStatus() {
  const quiet = (promise) => promise.catch(() => null);
  const [health, stats, projects, queue, provider] = await Promise.all(
    ["/api/health", "/api/stats", "/api/projects", "/api/pending-queue", "/api/ops/provider"].map((path) => quiet(ask(path))));
  const before = app.status.health?.pid;
  if (health) app.status.health = health;
  if (stats) app.status.stats = stats;
  if (provider) app.status.provider = provider;
  if (projects) app.projects = projects.projects ?? [];
  if (queue?.queue && !app.status.queue) {
    app.status.queue = { pending: queue.queue.totalPending, processing: queue.queue.totalProcessing, failed: queue.queue.totalFailed };
  }
  drawProjects();
  drawStatus();
  return before !== undefined && health && health.pid !== before;
}
const statusSoon = soon(loadStatus, 3000);

let wasAway = false;
stream.on((name, value) => {
  if (name === "state") {
    drawConnection(value);
    if (value === "away") wasAway = true;
    if (value === "live" && wasAway) {
      wasAway = false;
      loadStatus().then((isAnother) => {
        if (app.view?.resume) app.view.resume();
        else app.view?.refresh();
        if (isAnother) toast("The worker was restarted. All is up to date again.");
      });
    }
    return;
  }
  rememberEvent(value);
  if (value.kind === "queue.depth") {
    const { pending = 0, processing = 0, failed = 0 } = value.data;
    app.status.queue = { pending, processing, failed };
    statusDrawn();
  }
  if (value.kind === "record.saved" || value.kind === "model.result" || value.kind === "session.status") statusSoon();
  app.view?.event?.(value);
});
const statusDrawn = soon(drawStatus, 100);

// A tab that nobody sees holds no connection: a browser has few for each host.
export let rest = 0;
document.addEventListener("visibilitychange", () => {
  clearTimeout(rest);
  if (document.hidden) rest = setTimeout(() => { wasAway = true; stream.stop(); }, 60_000);
  else stream.start();
});

// ---- Light and dark.

const THEMES = [["", "auto", "as the system"], ["light", "sun", "light"], ["dark", "moon", "dark"]];
function drawTheme() {
  const [, image, name] = THEMES.find(([value]) => value === (document.documentElement.dataset.theme ?? "")) ?? THEMES[0];
  clear(themeButton, icon(image));
  themeButton.setAttribute("aria-label", `Colours: ${name}`);
  themeButton.title = `Colours: ${name} (t)`;
}
function nextTheme() {
  const now = THEMES.findIndex(([value]) => value === (document.documentElement.dataset.theme ?? ""));
  const [value, , name] = THEMES[(now + 1) % THEMES.length];
  document.documentElement.dataset.theme = value;
  remembered.set("theme", value);
  drawTheme();
  toast(`Colours: ${name}`);
}

// ---- The keyboard.

const SHORTCUTS = [
  ["Everywhere", [["Ctrl K  /", "Find files, symbols, code, memories"], ["1 – 9  0", "Go to a view"], ["c  w  s  m", "The change, the calls, the map through time, what memory knows here"], ["n", "New memory"], ["r", "Load again"], ["t", "Light, dark, or as the system"], ["?", "This help"]]],
  ["In lists", [["j  ↓", "Next"], ["k  ↑", "Previous"], ["Page, Home, End", "Further"], ["Enter", "Open"], ["Esc", "Back to the list; clear the search"]]],
  ["In events", [["p", "Pause and go on"]]],
  ["In the map and the graph", [["←  ↑  ↓  →", "Move"], ["Enter", "Open"], ["Esc", "Up"], ["+  -  0", "Zoom"]]],
  ["In charts", [["←  →", "Read the steps"]]],
];
function showHelp() {
  if (document.querySelector("dialog[open]")) return;
  openDialog("Keyboard shortcuts", h("div", { class: "shortcuts" }, SHORTCUTS.map(([title, keys]) => h("section", {}, h("h3", {}, title),
    h("dl", {}, keys.map(([key, what]) => [h("dt", {}, key.split("  ").map((each) => h("kbd", {}, each))), h("dd", {}, what)]))))),
  h("p", { class: "muted note" }, "The address holds the filters and what is open: it can be kept as a bookmark."));
}
function go(view, parameters) {
  history.pushState(null, "", app.link(view, parameters));
  navigate();
}

document.addEventListener("keydown", (event) => {
  if ((event.ctrlKey || event.metaKey) && !event.altKey && event.key.toLowerCase() === "k") {
    event.preventDefault();
    openFinder(app);
    return;
  }
  if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return;
  if (document.querySelector("dialog[open]")) return;
  if (event.target.closest?.("input, textarea, select")) return;
  const wanted = IN_RAIL.find((each) => each.key === event.key);
  if (wanted) go(wanted.id);
  else if (event.key === "/") openFinder(app);
  else if (event.key === "?") showHelp();
  else if (event.key === "n") app.newMemory();
  else if (event.key === "r") { loadStatus(); app.view.refresh(); }
  else if (event.key === "t") nextTheme();
  else if (event.key === "p" && app.view.pause) app.view.pause();
  else if (event.key === "j" || (event.key === "ArrowDown" && event.target === main)) app.view.move?.(1);
  else if (event.key === "k" || (event.key === "ArrowUp" && event.target === main)) app.view.move?.(-1);
  else return;
  event.preventDefault();
});
document.getElementById("skip").addEventListener("click", (event) => {
  event.preventDefault();
  app.view.focus?.();
});

drawTop();
drawTheme();
drawConnection("connecting");
drawStatus();
// A browser may tell of one change twice.
for (const name of ["popstate", "hashchange"]) window.addEventListener(name, () => { if (location.hash !== shownHash) navigate(); });
navigate();
loadRepositories();
loadStatus().then(() => { if (shownView() === "context") app.view.refresh(); });
stream.start();
