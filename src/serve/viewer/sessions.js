// sessions.js - the sessions of coding tools: what each asked, did and left waiting.

import {
  button, clear, clockTime, count, dayName, duration, emptyState, errorState, h, icon,
  loadingState, msOf, plural, soon, wholeTime,
} from "./page.js";
import { ask } from "./worker.js";
import { ListAndDetail, LongList } from "./list.js";
import {
  copyText, imageOf, observationRecord, oneLine, part, promptRecord, shortSession, summaryRecord,
  typeClass,
} from "./records.js";

// Pages of one list of the worker, for a long list.
export function pagedList({ list, path, filter, of, onFirst, empty, group }) {
  const state = { rows: [], offset: 0, more: true, loading: false, failure: null, abort: new AbortController() };
  const draw = () => {
    if (state.failure) clear(list.foot, errorState(state.failure, () => { state.failure = null; state.next(); }));
    else if (state.loading) clear(list.foot, state.rows.length ? null : loadingState());
    else if (!state.rows.length) clear(list.foot, empty());
    else clear(list.foot);
  };
  state.place = () => list.set(group ? group(state.rows) : state.rows, { keepPlace: true });
  state.next = async () => {
    if (state.loading || !state.more || state.failure) return;
    state.loading = true;
    draw();
    try {
      const answer = await ask(path, { ...filter, limit: 50, offset: state.offset }, { signal: state.abort.signal });
      const rows = (answer.items ?? []).map(of);
      const first = state.offset === 0;
      state.offset += rows.length;
      state.more = Boolean(answer.hasMore) && rows.length > 0;
      state.rows.push(...rows);
      state.loading = false;
      state.place();
      if (first) onFirst?.(state.rows);
    } catch (error) {
      if (error.name === "AbortError") return;
      state.failure = error;
      state.loading = false;
    }
    draw();
  };
  return state;
}

const byDay = (time) => (rows) => {
  const items = [];
  let day = null;
  for (const row of rows) {
    const name = dayName(time(row));
    if (name !== day) items.push({ head: `day-${name}`, name });
    day = name;
    items.push(row);
  }
  return items;
};

const SESSION_STATES = { active: "good", completed: "", failed: "bad" };

export function sessionsView(app) {
  let pages = null, current = {}, abort = new AbortController();
  const list = new LongList({
    label: "Sessions",
    key: (item) => item.head ?? String(item.id),
    isHead: (item) => item.head !== undefined,
    height: (item) => item.head !== undefined ? 32 : 54,
    row: (item) => item.head !== undefined ? h("div", { class: "row day" }, h("span", {}, item.name)) : row(item),
    onSelect: (item) => { show(item); app.note({ session: item.name }); },
    onOpen: () => pane.open(),
    onEnd: () => pages?.next(),
  });
  const pane = new ListAndDetail(list);
  const element = h("div", { class: "view" }, pane.element);

  const of = (each) => ({
    ...each, name: each.content_session_id, at: msOf(each.started_at_epoch ?? each.started_at),
    end: msOf(each.completed_at_epoch ?? each.completed_at ?? undefined),
  });

  function row(each) {
    const parts = [plural(each.prompts ?? 0, "prompt"), plural(each.observations ?? 0, "observation")];
    if (each.pending) parts.push(`${count(each.pending)} waiting`);
    return h("div", { class: "row record session" },
      h("span", { class: `dot ${SESSION_STATES[each.status] ?? ""}`, title: each.status }),
      h("div", { class: "row-text" },
        h("div", { class: "row-top" }, h("span", { class: "row-title" }, each.title ? oneLine(each.title) : shortSession(each.name)),
          h("time", { class: "row-time", title: wholeTime(each.at) }, clockTime(each.at))),
        h("div", { class: "row-line" }, h("span", { class: "row-type" }, each.platform || "session"),
          !app.project && h("span", { class: "row-project" }, each.project),
          h("span", { class: "row-rest" }, parts.join(", ")),
          each.failed > 0 && h("span", { class: "row-bad" }, `${count(each.failed)} failed`))));
  }

  async function show(session) {
    abort.abort();
    abort = new AbortController();
    const { signal } = abort;
    const body = h("div", {}, loadingState());
    pane.show(h("article", { "aria-labelledby": "detail-title" },
      h("header", { class: "detail-head" },
        h("div", { class: "detail-kind" },
          h("span", { class: `badge ${SESSION_STATES[session.status] ?? ""}` }, session.status),
          h("span", { class: "id" }, `session ${session.id}`), h("span", { class: "grow" }),
          button("Copy id", { image: "copy", hideText: true, kind: "quiet small", title: "Copy the session's id",
            onclick: () => copyText(session.name, "Session id copied") })),
        h("h2", { id: "detail-title" }, session.title ? oneLine(session.title) : session.name),
        h("dl", { class: "facts-line" },
          h("dt", {}, "Project"), h("dd", {}, session.project),
          session.platform && [h("dt", {}, "Tool"), h("dd", {}, session.platform)],
          h("dt", {}, "Began"), h("dd", {}, wholeTime(session.at)),
          !Number.isNaN(session.end) && [h("dt", {}, "Lasted"), h("dd", {}, duration((session.end - session.at) / 1000))],
          h("dt", {}, "Id"), h("dd", { class: "mono" }, session.name)),
        h("div", { class: "actions" },
          h("a", { class: "button", href: app.link("timings", { session: session.id }) }, icon("timings"), h("span", {}, "Timings")),
          h("a", { class: "button", href: app.link("failures", { session: session.id }) }, icon("failures"), h("span", {}, "Failures")),
          session.failed > 0 && button("Retry what failed", { image: "refresh", onclick: () => app.retry(session.id) }))),
      body));
    try {
      const answer = await ask("/api/session-records", { sessionDbId: session.id }, { signal });
      const records = [
        ...(answer.observations ?? []).map(observationRecord), ...(answer.summaries ?? []).map(summaryRecord),
        ...(answer.prompts ?? []).map(promptRecord),
      ].sort((a, b) => a.at - b.at || (a.kind === "prompt" ? -1 : 0));
      clear(body, part(`What happened${answer.hasMore ? ` (the newest ${records.length})` : ""}`, records.length
        ? h("ol", { class: "story" }, records.map((each) => h("li", { class: typeClass(each) },
          icon(imageOf(each)),
          h("a", { href: app.link("feed", { id: each.key, project: each.project, q: "", kind: "", type: "" }) }, each.title),
          h("time", { title: wholeTime(each.at) }, clockTime(each.at)))))
        : h("p", { class: "muted" }, "Nothing of this session is stored. What is private never is.")));
    } catch (error) {
      if (error.name !== "AbortError") clear(body, errorState(error, () => show(session)));
    }
  }

  function load() {
    pages?.abort.abort();
    pages = pagedList({
      list, path: "/api/sessions", filter: { project: app.project }, of, group: byDay((each) => each.at),
      empty: () => emptyState("sessions", app.project ? `No session in ${app.project} yet` : "No session yet",
        "A session begins with the first prompt that a coding tool's hook reports: codexmem hook <tool> session-init."),
      onFirst: (rows) => {
        const wanted = rows.find((each) => each.name === current.session || String(each.id) === current.session);
        if (!wanted && !app.isWide()) return;
        const chosen = wanted ?? rows[0];
        if (!chosen) return;
        list.select(String(chosen.id));
        show(chosen);
        if (wanted && current.session) {
          pane.element.classList.add("open");
          list.reveal(list.items.indexOf(wanted));
        }
      },
    });
    list.set([]);
    list.redraw();
    pane.rest();
    pages.next();
  }

  // The newest page again, in place of what was known of those sessions.
  const catchUp = soon(async () => {
    const mine = pages;
    if (!mine || mine.loading) return;
    try {
      const answer = await ask("/api/sessions", { project: app.project, limit: 50 }, { signal: mine.abort.signal });
      if (mine !== pages) return;
      const news = (answer.items ?? []).map(of);
      const ids = new Set(news.map((each) => each.id));
      const wasEmpty = !mine.rows.length;
      const added = news.filter((each) => !mine.rows.some((old) => old.id === each.id)).length;
      mine.rows = [...news, ...mine.rows.filter((each) => !ids.has(each.id))];
      mine.offset += added;
      if (wasEmpty && news.length) clear(list.foot);
      mine.place();
      list.redraw();
    } catch { /* the stream says so */ }
  }, 1000);

  return {
    element,
    update(parameters) {
      const same = current.project === parameters.project && pages;
      current = parameters;
      if (!same) load();
    },
    refresh: load,
    resume: () => pages.rows.length && !pages.failure ? catchUp() : load(),
    event({ kind }) { if (kind === "session.status" || kind === "record.saved") catchUp(); },
    move: (steps) => { list.move(steps); list.element.focus({ preventScroll: true }); },
    focus: () => list.element.focus({ preventScroll: true }),
    destroy() {
      pages?.abort.abort();
      abort.abort();
      catchUp.cancel();
      list.destroy();
    },
  };
}
