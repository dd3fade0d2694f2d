// overview.js - the worker at a glance: the queue, how it went, how good the answers of the model
// are, and the state of the index.

import {
  ago, button, bytes, choice, clear, compact, count, emptyState, errorState, h, millis, msOf,
  plural, segments, soon, toast, wholeTime,
} from "./page.js";
import { ask, tell } from "./worker.js";
import { ChartGroup, TrendChart } from "./charts.js";
import { className, failureRows } from "./tables.js";

const WINDOWS = [["900", "15 min"], ["3600", "1 h"], ["21600", "6 h"], ["86400", "24 h"]];
const BUCKETS = [["10", "10 s"], ["60", "1 min"], ["300", "5 min"], ["900", "15 min"], ["3600", "1 h"]];
const USUAL_BUCKET = { 900: "10", 3600: "60", 21600: "300", 86400: "900" };

const METRICS = [["success", "Good"], ["repair_fail", "Not repaired"], ["parse_fail", "Not JSON"],
  ["schema_fail", "Off the schema"], ["fallback_used", "By rules instead"]];

export function overviewView(app) {
  const group = new ChartGroup();
  const abort = new AbortController();
  const { signal } = abort;
  const tiles = h("div", { class: "tiles" });
  const trends = h("div", { class: "charts" });
  const controls = h("div", { class: "panel-controls" });
  const quality = h("div", { class: "panel-body" });
  const index = h("div", { class: "panel-body" });
  const failures = h("div", { class: "panel-body flush" });
  const settings = h("div", { class: "panel-body" });
  const log = h("div", { class: "panel-body" });
  let current = {}, timer = 0;

  const panel = (title, body, ...controls_) => h("section", { class: "panel" },
    h("header", { class: "panel-head" }, h("h2", {}, title), h("span", { class: "grow" }), controls_), body);

  const resetButton = button("Reset", { kind: "quiet small", title: "Start counting anew", onclick: reset });
  const backfillButton = button("Backfill", { image: "refresh", kind: "quiet small",
    title: "Write everything to Chroma that it lacks", onclick: backfill });
  const element = h("div", { class: "view scroll", tabindex: "0", role: "region", "aria-label": "Overview" }, h("div", { class: "page" },
    tiles,
    panel("Trends", trends, controls),
    h("div", { class: "columns" },
      panel("Quality of the answers", quality, resetButton),
      panel("Search index", index, backfillButton),
      panel("Latest failures", failures,
        h("a", { class: "button quiet small", href: app.link("failures") }, h("span", {}, "All")))),
    panel("Settings", settings,
      h("a", { class: "button quiet small", href: app.link("context") }, h("span", {}, "What a new session is given"))),
    panel("Log", log, button("Reload", { image: "refresh", kind: "quiet small", onclick: drawLog }))));

  const tile = (name, value, note, href, kind = "") => h(href ? "a" : "div", { class: `tile ${kind}`, href },
    h("span", { class: "tile-name" }, name), h("strong", {}, value), h("span", { class: "tile-note" }, note));

  function drawTiles() {
    const { queue, stats, provider } = app.status;
    const database = stats?.database ?? {};
    const waiting = (queue?.pending ?? 0) + (queue?.processing ?? 0);
    clear(tiles,
      tile("Queue", queue ? count(waiting) : "–", queue ? (waiting ? `${count(queue.processing)} at work` : "nothing waits") : "", app.link("timings")),
      tile("Failed", queue ? count(queue.failed) : "–", queue?.failed ? "can be retried" : "none", app.link("failures"), queue?.failed ? "bad" : ""),
      tile("Observations", stats ? compact(database.observations) : "–", stats ? plural(database.summaries ?? 0, "summary", "summaries") : "", app.link("feed")),
      tile("Sessions", stats ? compact(database.sessions) : "–", stats ? `${count(stats.worker?.activeSessions)} active` : "", app.link("sessions")),
      provider?.model ? tile("Tokens today", compact(provider.tokensToday),
        provider.tokenBudget > 0 ? `of ${compact(provider.tokenBudget)}, ${provider.model}` : provider.model)
        : tile("Provider", provider?.provider ?? "–", provider ? provider.problem ?? provider.hint ?? "no model, no cost" : ""),
      tile("Stored", stats ? bytes(database.size ?? 0) : "–", "on this machine"));
  }

  async function drawTrends() {
    const windowSec = Number(current.window || 3600);
    const bucketSec = Number(current.bucket || USUAL_BUCKET[windowSec] || 60);
    clear(controls,
      segments("Window", WINDOWS, String(windowSec), (value) => app.set({ window: value === "3600" ? "" : value, bucket: "" })),
      choice("Step", BUCKETS.filter(([value]) => windowSec / value <= 1440 && windowSec / value >= 4), String(bucketSec),
        (value) => app.set({ bucket: value })));
    try {
      const answer = await ask("/api/ops/trends", { windowSec, bucketSec }, { signal });
      const buckets = answer.buckets.map((each) => ({ ...each, ms: msOf(each.at) }));
      const focused = [...trends.querySelectorAll(".chart-plot")].indexOf(document.activeElement);
      group.clear();
      const sum = (name) => buckets.reduce((all, each) => all + (each[name] ?? 0), 0);
      const charts = [
        { title: "Searches", name: "searches", value: "searchCount", time: "avgSearchMs", color: "accent" },
        { title: "Messages processed", name: "messages", value: "queueCount", time: "avgQueueTotalMs", color: "teal" },
        { title: "Failures", name: "failures", value: "failureCount", color: "red" },
      ].map(({ title, name, value, time, color }) => new TrendChart(group, {
        title, buckets, bucketSec, total: compact(sum(value)),
        bars: { name, of: (each) => each[value] ?? 0, color },
        line: time && { of: (each) => each[time] ?? 0, format: millis, color },
      }).element);
      clear(trends, charts);
      if (focused >= 0) charts[focused].querySelector(".chart-plot").focus({ preventScroll: true });
    } catch (error) {
      if (error.name !== "AbortError") clear(trends, errorState(error, drawTrends));
    }
  }

  async function drawQuality() {
    try {
      const answer = await ask("/api/ops/agent-metrics", {}, { signal });
      const tasks = [["observation", "Observations"], ["summary", "Summaries"]];
      const all = tasks.reduce((sum, [task]) => sum + METRICS.reduce((each, [name]) => each + (answer[task]?.[name] ?? 0), 0), 0);
      clear(quality, h("table", { class: "small-table" },
        h("thead", {}, h("tr", {}, h("th", { scope: "col" }, h("span", { class: "unseen" }, "Answer")),
          tasks.map(([, title]) => h("th", { scope: "col", class: "number" }, title)))),
        h("tbody", {}, METRICS.map(([name, title]) => h("tr", {}, h("th", { scope: "row", title: name }, title),
          tasks.map(([task]) => {
            const value = answer[task]?.[name] ?? 0;
            return h("td", { class: `number${value === 0 ? " zero" : ""}` }, count(value));
          }))))),
        all > 0 && app.status.provider && !app.status.provider.model &&
          h("p", { class: "muted note" }, "No model is set: what is made now is made by rules."),
        all === 0 && h("p", { class: "muted note" }, "Nothing was made yet: the first tool event is counted here."));
    } catch (error) {
      if (error.name !== "AbortError") clear(quality, errorState(error, drawQuality));
    }
  }

  async function drawIndex() {
    try {
      const answer = await ask("/api/ops/index-status", {}, { signal });
      const { sqlite = {}, faiss = {}, chroma = {} } = answer;
      const state = (good, text) => [h("span", { class: `dot ${good}` }), text];
      backfillButton.hidden = !chroma.configured;
      clear(index, h("dl", { class: "pairs" },
        h("dt", {}, "Backend"), h("dd", {}, answer.backend ?? "–"),
        h("dt", {}, "Model"), h("dd", {}, answer.model || "none: only words"),
        h("dt", {}, "Vectors"), h("dd", {}, count(sqlite.embeddings), sqlite.pending > 0 && h("span", { class: "muted" }, ` and ${count(sqlite.pending)} waiting`)),
        h("dt", {}, "In memory"), h("dd", {}, state(faiss.stale ? "warn" : "good",
          `${count(faiss.vectors)}${faiss.type ? `, ${faiss.type}` : ""}${faiss.stale ? ", catching up" : ""}`)),
        h("dt", {}, "Chroma"), h("dd", {}, !chroma.configured ? h("span", { class: "muted" }, "not configured")
          : chroma.reachable ? state("good", `${count(chroma.count)} in ${chroma.collection}`) : state("bad", "does not answer"))));
    } catch (error) {
      if (error.name !== "AbortError") clear(index, errorState(error, drawIndex));
    }
  }

  async function drawFailures() {
    try {
      const answer = await ask("/api/ops/failure-summary", { limit: 5 }, { signal });
      const rows = failureRows(answer);
      clear(failures, rows.length ? h("ul", { class: "mini" }, rows.slice(0, 5).map((each) => h("li", {},
        h("span", { class: "chip bad" }, className(each.errorClass)),
        h("span", { class: "mini-text", title: each.message }, each.message || each.messageType),
        h("time", { title: wholeTime(each.at) }, ago(each.at)))))
        : emptyState("overview", "Nothing failed", "What fails is shown here with its reason, and can be tried again."));
    } catch (error) {
      if (error.name !== "AbortError") clear(failures, errorState(error, drawFailures));
    }
  }

  async function drawSettings() {
    try {
      const all = (await ask("/api/ops/settings", {}, { signal })).settings;
      const set = all.filter((each) => each.isSet);
      clear(settings, set.length > 0 && h("dl", { class: "pairs" }, set.map((each) => [
        h("dt", { title: each.summary }, each.key ?? each.name), h("dd", {}, each.value)])),
      h("p", { class: "muted note" }, `${set.length ? `The other ${count(all.length - set.length)} are` : "All are"} as usual. `,
        h("code", {}, "codexmem config list"), " shows them, ", h("code", {}, "codexmem config set KEY VALUE"),
        " changes one for the next start of the worker."));
    } catch (error) {
      if (error.name !== "AbortError") clear(settings, errorState(error, drawSettings));
    }
  }

  async function drawLog() {
    try {
      const { lines, path } = await ask("/api/ops/log", {}, { signal });
      clear(log, lines.length ? h("pre", { class: "context", tabindex: "0", "aria-label": path }, lines.join("\n"))
        : h("p", { class: "muted note" }, "This worker logs to its terminal; one in the background keeps a log here."));
    } catch (error) {
      if (error.name !== "AbortError") clear(log, errorState(error, drawLog));
    }
  }

  async function reset() {
    if (!await app.confirm("Start counting anew?", "The counts of good and bad answers go back to zero. Nothing else is touched.", "Reset")) return;
    try {
      await tell("/api/ops/agent-metrics/reset", {});
      toast("The counts are at zero.");
      drawQuality();
    } catch (error) { toast(error.message, "bad"); }
  }

  async function backfill() {
    backfillButton.disabled = true;
    try {
      const answer = await tell("/api/ops/backfill/chroma", app.project ? { project: app.project } : {});
      toast(answer.skipped ? "Chroma is not configured: nothing to fill."
        : `Written: ${plural(answer.observations, "observation")}, ${plural(answer.summaries, "summary", "summaries")}, ${plural(answer.prompts, "prompt")}.`);
      drawIndex();
    } catch (error) { toast(error.message, "bad"); }
    backfillButton.disabled = false;
  }

  function load() {
    drawTiles();
    drawTrends();
    drawQuality();
    drawIndex();
    drawFailures();
    drawSettings();
    drawLog();
  }
  const counted = soon(() => { drawTrends(); drawQuality(); }, 4000);
  const failed = soon(drawFailures, 1500);
  // Time goes on without events, too; a page that nobody sees rests.
  timer = setInterval(() => { if (!document.hidden) drawTrends(); }, 30_000);

  return {
    element,
    update(parameters) {
      const same = current.loaded && current.window === parameters.window && current.bucket === parameters.bucket;
      current = { ...parameters, loaded: true };
      if (!same) load();
    },
    refresh: load,
    status: drawTiles,
    event({ kind }) {
      if (kind === "model.result") counted();
      if (kind === "queue.failed") { failed(); counted(); }
    },
    focus: () => element.focus({ preventScroll: true }),
    move: (steps) => element.scrollBy(0, steps * 60),
    destroy() {
      clearInterval(timer);
      counted.cancel();
      failed.cancel();
      abort.abort();
      group.clear();
    },
  };
}
