// tables.js - what the worker remembers of its own work: searches, times, failures; each with
// filters and with links that export what they show.

import {
  button, choice, clear, count, emptyState, errorState, h, icon, loadingState, millis, msOf,
  plural, settled, shortTime, soon, wholeTime,
} from "./page.js";
import { ask, route, token } from "./worker.js";

const PERIODS = [["", "Any time"], ["3600", "Last hour"], ["86400", "Last 24 h"], ["604800", "Last 7 days"], ["own", "From – to"]];
const ROWS = [["", "50 rows"], ["200", "200 rows"], ["500", "500 rows"]];
const MESSAGES = [["", "Any message"], ["observation", "Observations"], ["summarize", "Summaries"]];
const CLASSES = ["timeout", "rate_limit", "auth", "network", "server_error", "parse_fail", "schema_fail", "storage", "unknown"];
export const className = (name) => String(name ?? "unknown").replaceAll("_", " ");
const rowsOf = (answer) => answer.traces ?? answer.timings ?? [];

export const failureRows = (answer) => (answer.failures ?? []).map((each) => ({ ...each, at: msOf(each.at) }));

// The part that the three have in common. options: path; filters(current) -> controls;
// query(current) -> parameters; draw(answer, parts) -> what goes into the body; concerns(event).
function tableView(app, options) {
  let current = {}, abort = null, loaded = "";
  const bar = h("div", { class: "bar" });
  const head = h("div", { class: "table-head" });
  const body = h("div", { class: "table-body", tabindex: "0", role: "region", "aria-label": options.title });
  const element = h("div", { class: "view" }, bar, h("div", { class: "table-page" }, head, body));

  function parameters() {
    const asked = { ...options.query(current), limit: current.rows };
    if (current.period === "own") {
      asked.from = msOf(current.from) || "";
      asked.to = msOf(current.to) || "";
    } else if (current.period) {
      // To the minute, so that the same filter is the same address for a while.
      asked.from = Math.floor(Date.now() / 60_000) * 60_000 - Number(current.period) * 1000;
    }
    return asked;
  }

  function drawBar() {
    const moment = (name) => {
      const input = h("input", { type: "datetime-local", "aria-label": name === "from" ? "From" : "To",
        value: current[name] ?? "", onchange: () => app.set({ [name]: input.value }) });
      return input;
    };
    const exported = (format, title) => h("a", {
      class: "button", href: route(`${options.path}/export`, { ...parameters(), format, token }),
      download: "", title: `Download what is filtered as ${title}`,
      // The address is of this moment when it is followed.
      onclick: (event) => { event.currentTarget.href = route(`${options.path}/export`, { ...parameters(), format, token }); },
    }, icon("download"), h("span", {}, title));
    clear(bar, options.filters(current),
      choice("Time", PERIODS, current.period, (period) => app.set({ period, from: "", to: "" })),
      current.period === "own" && [moment("from"), moment("to")],
      choice("Rows", ROWS, current.rows, (rows) => app.set({ rows })),
      h("span", { class: "grow" }), options.actions,
      button("Load again", { image: "refresh", hideText: true, kind: "icon-only", key: "r", onclick: () => load() }), exported("csv", "CSV"), exported("ndjson", "NDJSON"));
  }

  async function load({ quiet = false } = {}) {
    abort?.abort();
    abort = new AbortController();
    if (!quiet) clear(body, loadingState());
    try {
      const answer = await ask(options.path, parameters(), { signal: abort.signal });
      const top = body.scrollTop;
      const parts = options.draw(answer, current);
      clear(head, parts.head);
      clear(body, parts.body);
      body.scrollTop = top;
    } catch (error) {
      if (error.name === "AbortError") return;
      clear(head);
      clear(body, errorState(error, () => load()));
    }
  }
  const again = soon(() => { if (body.scrollTop < 40) load({ quiet: true }); }, 2500);

  return {
    element,
    update(given) {
      const known = JSON.stringify(given);
      if (known === loaded) return;
      loaded = known;
      // A control that is in use stays where it is.
      const focused = document.activeElement?.getAttribute?.("aria-label");
      const inBar = bar.contains(document.activeElement);
      const caret = inBar ? document.activeElement.selectionStart : null;
      current = given;
      drawBar();
      if (inBar && focused) {
        const same = [...bar.querySelectorAll("[aria-label]")].find((each) => each.getAttribute("aria-label") === focused);
        same?.focus();
        if (caret !== null && same?.setSelectionRange && same.type === "search") same.setSelectionRange(caret, caret);
      }
      load();
    },
    refresh: () => load(),
    event(event) { if (options.concerns(event)) again(); },
    status() { options.status?.(); },
    focus: () => body.focus({ preventScroll: true }),
    move: (steps) => body.scrollBy(0, steps * 60),
    destroy() {
      abort?.abort();
      again.cancel();
    },
  };
}

const filterField = (app, label, name, value, placeholder) => {
  const change = settled((text) => app.set({ [name]: text }, { replace: true }), 250);
  const input = h("input", { type: "search", class: "field", "aria-label": label, placeholder, value: value ?? "",
    oninput: () => change(input.value.trim()) });
  return input;
};
const column = (title, kind = "") => h("th", { scope: "col", class: kind }, title);
const dataTable = (columns, rows) => h("table", { class: "data" }, h("thead", {}, h("tr", {}, columns)), h("tbody", {}, rows));
export const shown = (rows, total) => h("span", { class: "told" },
  total > rows.length ? `the newest ${count(rows.length)} of ${count(total)}` : plural(rows.length, "row"));

export function searchesView(app) {
  return tableView(app, {
    title: "Searches", path: "/api/ops/search-traces",
    filters: (current) => [
      filterField(app, "Query contains", "find", current.find, "Query contains…"),
      choice("Mode", [["", "Any mode"], ["hybrid", "Hybrid"], ["lexical-only", "Words only"]], current.mode, (mode) => app.set({ mode })),
    ],
    query: (current) => ({ query: current.find, mode: current.mode, project: app.project }),
    concerns: () => false,
    draw(answer) {
      const rows = rowsOf(answer);
      if (!rows.length) return { body: emptyState("searches", "No search to show",
        "Each search (here, over MCP, at the shell) leaves a trace: what was asked, how it was answered and how long each step took. Press / and search for something.") };
      const most = Math.max(...rows.map((each) => each.ms?.total ?? 0), 1);
      return {
        head: [shown(rows, answer.total ?? rows.length), h("span", { class: "grow" }), legend(SEARCH_STEPS)],
        body: dataTable([column("When"), column("Query", "wide"), column("Project", "wide-only"), column("Mode"), column("Words", "number wide-only"),
          column("Vectors", "number wide-only"), column("Given", "number"), column("Time", "bar-cell"), column("ms", "number")],
        rows.map((each) => {
          const ms = each.ms ?? {};
          const at = msOf(each.at);
          return h("tr", {},
            h("td", { class: "when", title: wholeTime(at) }, shortTime(at)),
            h("td", { class: "wide" }, each.query ? h("a", { href: app.link("feed", { q: each.query, id: "", kind: "", type: "" }), title: each.query }, each.query)
              : h("span", { class: "muted" }, "filters only")),
            h("td", { class: "wide-only" }, each.project || h("span", { class: "muted" }, "all")),
            h("td", {}, h("span", { class: `chip ${each.degraded ? "warn" : ""}`, title: each.degradedReason ?? each.vectorBackend },
              each.mode === "hybrid" ? "hybrid" : "words")),
            h("td", { class: "number wide-only" }, count(each.lexicalHits)), h("td", { class: "number wide-only" }, count(each.vectorHits)),
            h("td", { class: "number" }, count(each.returned)),
            h("td", { class: "bar-cell" }, stackedBar([["wait", ms.lexical], ["model", ms.vector], ["index", ms.fuse]], most)),
            h("td", { class: "number strong" }, (ms.total ?? 0).toFixed(1)));
        })),
      };
    },
  });
}

const SEARCH_STEPS = [["wait", "words"], ["model", "vectors"], ["index", "joining"]];
const MESSAGE_STEPS = [["wait", "waiting"], ["model", "model"], ["index", "storing"]];
const legend = (steps) => h("ul", { class: "legend" }, steps.map(([color, name]) =>
  h("li", {}, h("span", { class: `swatch ${color}` }), name)));

function stackedBar(parts, most, { tall = false } = {}) {
  const bar = h("div", { class: `stack${tall ? " tall" : ""}`, "aria-hidden": "true" });
  for (const [color, ms] of parts) {
    if (!(ms > 0)) continue;
    const piece = h("span", { class: color });
    piece.style.width = `${Math.max(0.4, 100 * ms / most)}%`;
    bar.append(piece);
  }
  return bar;
}

export function timingsView(app) {
  return tableView(app, {
    title: "Times of messages", path: "/api/ops/session-timings",
    filters: (current) => [
      choice("Message", MESSAGES, current.message, (message) => app.set({ message })),
      choice("Outcome", [["", "Any outcome"], ["true", "Succeeded"], ["false", "Failed"]], current.success, (success) => app.set({ success })),
      filterField(app, "Session number", "session", current.session, "Session number"),
    ],
    query: (current) => ({ messageType: current.message, success: current.success, sessionDbId: /^\d+$/.test(current.session ?? "") ? current.session : "" }),
    concerns: ({ kind }) => kind === "model.result",
    draw(answer) {
      const rows = rowsOf(answer);
      if (!rows.length) return { body: emptyState("timings", "No message to show",
        "How long each message waited, how long the model took and how long it took to store what came of it is shown here once a tool event was worked on.") };
      const average = answer.averages ?? {};
      const sorted = rows.map((each) => each.totalMs ?? 0).sort((a, b) => a - b);
      // One long wait must not make every other bar a hairline.
      const most = Math.max(1, sorted[Math.floor((sorted.length - 1) * 0.95)]);
      const total = Math.max(1, average.totalMs ?? 0);
      return {
        head: h("div", { class: "averages" },
          h("div", { class: "average-line" }, h("strong", {}, millis(average.totalMs)), h("span", { class: "muted" }, "on average"),
            shown(rows, answer.total ?? rows.length), h("span", { class: "grow" }), legend(MESSAGE_STEPS)),
          stackedBar([["wait", average.queueWaitMs], ["model", average.modelMs], ["index", average.indexMs]], total, { tall: true }),
          h("dl", { class: "average-parts" },
            MESSAGE_STEPS.map(([color, name]) => {
              const ms = { wait: average.queueWaitMs, model: average.modelMs, index: average.indexMs }[color];
              return h("div", {}, h("dt", {}, h("span", { class: `swatch ${color}` }), name), h("dd", {}, millis(ms),
                h("span", { class: "muted" }, ` ${Math.round(100 * (ms ?? 0) / total)} %`)));
            }))),
        body: dataTable([column("When"), column("Session", "number"), column("Message"), column("Provider", "wide-only"), column("Breakdown", "bar-cell"),
          column("Waiting", "number wide-only"), column("Model", "number wide-only"), column("Storing", "number wide-only"), column("Total", "number"), column("Outcome")],
        rows.map((each) => {
          const at = msOf(each.at);
          return h("tr", {},
            h("td", { class: "when", title: wholeTime(at) }, shortTime(at)),
            h("td", { class: "number" }, h("a", { href: app.link("sessions", { session: each.sessionDbId }) }, each.sessionDbId)),
            h("td", {}, each.messageType), h("td", { class: "wide-only" }, each.provider),
            h("td", { class: "bar-cell" }, stackedBar([["wait", each.queueWaitMs], ["model", each.modelMs], ["index", each.indexMs]],
              Math.max(most, each.totalMs ?? 0))),
            h("td", { class: "number wide-only" }, millis(each.queueWaitMs)), h("td", { class: "number wide-only" }, millis(each.modelMs)),
            h("td", { class: "number wide-only" }, millis(each.indexMs)), h("td", { class: "number strong" }, millis(each.totalMs)),
            h("td", {}, each.success ? h("span", { class: "chip good" }, "stored") : h("span", { class: "chip bad" }, className(each.errorClass))));
        })),
      };
    },
  });
}

const OUTCOMES = { retry: ["", "tried again"], fallback: ["warn", "by rules"], failed: ["bad", "given up"] };

export function failuresView(app) {
  const retry = button("Retry all failed", { image: "refresh", kind: "primary", onclick: () => app.retry() });
  const mark = () => { retry.disabled = !(app.status.queue?.failed > 0); };
  mark();
  return tableView(app, {
    title: "Failures", path: "/api/ops/failure-summary",
    filters: (current) => [
      choice("Class", [["", "Any class"], ...CLASSES.map((each) => [each, className(each)])], current.error, (error) => app.set({ error })),
      choice("Message", MESSAGES, current.message, (message) => app.set({ message })),
      filterField(app, "Session number", "session", current.session, "Session number"),
    ],
    actions: retry,
    query: (current) => ({ errorClass: current.error, messageType: current.message, sessionDbId: /^\d+$/.test(current.session ?? "") ? current.session : "" }),
    concerns: ({ kind }) => kind === "queue.failed",
    status: mark,
    draw(answer, current) {
      const rows = failureRows(answer);
      const counts = Object.entries(answer.counts ?? {}).filter(([, number]) => number > 0).sort((a, b) => b[1] - a[1]);
      const most = Math.max(1, ...counts.map(([, number]) => number));
      const head = counts.length > 0 && h("div", { class: "classes" }, counts.map(([name, number]) => {
        const fill = h("span", { class: "class-fill" });
        fill.style.width = `${Math.max(1, 100 * number / most)}%`;
        return h("button", { type: "button", class: "class", "aria-pressed": String(current.error === name),
          title: current.error === name ? "Show every class" : `Show only ${className(name)}`,
          onclick: () => app.set({ error: current.error === name ? "" : name }) },
        h("span", { class: "class-name" }, className(name)), h("span", { class: "class-bar", "aria-hidden": "true" }, fill),
        h("strong", {}, count(number)));
      }));
      if (!rows.length) return { head, body: emptyState("failures", "No failure to show",
        "What fails is shown here with its class and its reason. If a model does not answer, nothing is lost: rules take its place, and what was given up can be tried again.") };
      return {
        head,
        body: dataTable([column("When"), column("Class"), column("Session", "number"), column("Message", "wide-only"), column("Reason", "wide"), column("Attempt", "number wide-only"), column("Then")],
          rows.map((each) => {
            const [kind, text] = OUTCOMES[each.outcome] ?? ["", each.outcome ?? ""];
            return h("tr", {},
              h("td", { class: "when", title: wholeTime(each.at) }, shortTime(each.at)),
              h("td", {}, h("span", { class: "chip bad" }, className(each.errorClass))),
              h("td", { class: "number" }, h("a", { href: app.link("sessions", { session: each.sessionDbId }) }, each.sessionDbId)),
              h("td", { class: "wide-only" }, each.messageType),
              h("td", { class: "wide" }, h("span", { title: each.message }, each.message)),
              h("td", { class: "number wide-only" }, each.attempt),
              h("td", {}, text && h("span", { class: `chip ${kind}` }, text),
                each.outcome === "failed" && button("Retry", { kind: "quiet small", title: `Retry what failed in session ${each.sessionDbId}`, onclick: () => app.retry(each.sessionDbId) })));
          })),
      };
    },
  });
}
