// feed.js - everything that is remembered, newest first, or what a search finds, best first.
//
// Records of one session in a row have a heading, and a run of routine ones among them is one line
// that opens: what was read and changed on the way, as against what failed, was decided or saved.

import {
  button, choice, clear, code, dayName, emptyState, errorState, h, icon, loadingState, plural,
  put, segments, settled, soon, toast,
} from "./page.js";
import { ask } from "./worker.js";
import { ListAndDetail, LongList } from "./list.js";
import {
  RECORDS, TYPES, fillAround, newestFirst, observationRecord, promptRecord, recordDetail, recordRow,
  summaryRecord,
} from "./records.js";

// Pages of the three kinds of records, merged by time: reads on in whichever list is behind.
class Timeline {
  static PAGE = 50;
  constructor(kinds, filter, keep, signal) {
    Object.assign(this, { filter, keep, signal, seen: new Set() });
    this.lists = kinds.map((kind) => ({ ...RECORDS[kind], ready: [], offset: 0, more: true }));
  }
  async next(wanted = 50) {
    const found = [];
    for (let pages = 0; found.length < wanted && pages < 40;) {
      const behind = this.lists.filter((each) => each.more && !each.ready.length);
      await Promise.all(behind.map((each) => this.#read(each)));
      pages += behind.length;
      const [best] = this.lists.filter((each) => each.ready.length)
        .sort((a, b) => newestFirst(a.ready[0], b.ready[0]));
      if (best) found.push(best.ready.shift());
      else if (!this.lists.some((each) => each.more)) break;
    }
    return found;
  }
  get more() { return this.lists.some((each) => each.more || each.ready.length); }
  async #read(list) {
    const answer = await ask(list.path, { ...this.filter, limit: Timeline.PAGE, offset: list.offset },
      { signal: this.signal });
    const rows = answer.items ?? [];
    list.offset += rows.length;
    list.more = Boolean(answer.hasMore) && rows.length > 0;
    const records = rows.map(list.of);
    for (const each of records) this.seen.add(each.key);
    list.ready.push(...records.filter(this.keep));
  }
}

class Search {
  constructor(parameters, signal) {
    Object.assign(this, { parameters, signal, offset: 0, more: true, total: null, note: "" });
  }
  async next() {
    const answer = await ask("/api/search",
      { ...this.parameters, format: "json", limit: 50, offset: this.offset }, { signal: this.signal });
    const whole = new Map();
    for (const each of answer.observations ?? []) whole.set(String(each.id), observationRecord(each));
    for (const each of answer.sessions ?? []) whole.set(`S${each.id}`, summaryRecord(each));
    for (const each of answer.prompts ?? []) whole.set(`P${each.id}`, promptRecord(each));
    const ids = (answer.items ?? []).map((each) => String(each.id));
    const found = (ids.length ? ids : [...whole.keys()]).map((id) => whole.get(id)).filter(Boolean);
    this.total ??= answer.total ?? answer.totalResults ?? found.length;
    this.isEstimate = Boolean(answer.total_is_estimate);
    this.note = answer.note ?? (answer.degraded ? "Found only by words: meaning could not be compared." : "");
    this.more = answer.nextOffset !== undefined && answer.nextOffset !== null;
    this.offset = answer.nextOffset ?? this.offset + found.length;
    return found;
  }
}

const FEED_KINDS = [["", "All"], ["observations", "Observations"], ["summaries", "Summaries"],
  ["prompts", "Prompts"], ["memories", "Memories"]];

export function feedView(app) {
  const MOST = 5000;
  let records = [], known = new Set(), fresh = new Set();
  let source = null, loading = false, failure = null, abort = null, current = {};
  let unseen = 0;
  const unfolded = new Set();
  const isRoutine = (each) => each.kind === "observation" && !each.isManual && each.row.metadata?.pinned !== true && ["change", "discovery"].includes(each.type);

  const list = new LongList({
    label: "Feed",
    key: (item) => item.head ?? item.folded ?? item.key,
    isHead: (item) => item.head !== undefined,
    height: (item) => item.head !== undefined ? (item.isSession ? 34 : 32) : item.folded !== undefined ? 32 : 54,
    row: (item) => item.isSession ? sessionHead(item) : item.head !== undefined
      ? h("div", { class: "row day" }, h("span", {}, item.name))
      : item.folded !== undefined ? foldedRow(item)
        : recordRow(item, { isFresh: fresh.has(item.key), showProject: !app.project }),
    onSelect: (item) => { if (item.folded === undefined) { show(item); app.note({ id: item.key }); } },
    onOpen: (item) => { if (item.folded !== undefined) unfold(item); else pane.open(); },
    onEnd: () => more(),
  });
  const pane = new ListAndDetail(list);
  const told = h("span", { class: "told", role: "status" });
  const bar = h("div", { class: "bar" });
  const arrived = h("button", { type: "button", class: "arrived", hidden: true, onclick: () => {
    list.element.scrollTop = 0;
    list.draw();
    seen();
  } });
  pane.element.querySelector(".split-list").append(arrived);
  list.element.addEventListener("scroll", () => { if (list.element.scrollTop < 8) seen(); });
  const element = h("div", { class: "view feed" }, bar, pane.element);

  function seen() {
    unseen = 0;
    arrived.hidden = true;
  }
  const isSearch = () => Boolean(current.q || current.type || current.files || current.concepts);

  const applySearch = settled((text) => app.set({ q: text, id: "" }, { replace: true }), 220);
  const search = h("input", { type: "search", class: "search", id: "search", placeholder: "Search memory", "aria-label": "Search memory",
    autocomplete: "off", spellcheck: "false", enterkeyhint: "search",
    oninput: () => applySearch(search.value.trim()),
    onkeydown: (event) => {
      if (event.key === "Escape") {
        event.preventDefault();
        if (search.value) { search.value = ""; applySearch(""); } else list.element.focus({ preventScroll: true });
      } else if (event.key === "ArrowDown" || event.key === "Enter") {
        event.preventDefault();
        list.element.focus({ preventScroll: true });
        if (event.key === "ArrowDown") list.move(1);
      }
    } });
  const searchBox = h("div", { class: "search-box", role: "search" }, icon("searches"), search);
  function drawBar() {
    if (document.activeElement !== search) search.value = current.q ?? "";
    const filters = [["files", current.files], ["concepts", current.concepts]].filter(([, value]) => value);
    if (searchBox.parentNode !== bar) bar.append(searchBox);
    while (searchBox.nextSibling) searchBox.nextSibling.remove();
    put(bar, {},
      segments("Kind", FEED_KINDS, current.kind, (kind) => app.set({ kind, id: "" })),
      choice("Type", [["", "Any type"], ...TYPES.map((each) => [each, each.replaceAll("_", " ")])],
        current.type, (type) => app.set({ type, id: "" })),
      filters.map(([name, value]) => h("button", {
        type: "button", class: "chip removable", title: "Remove this filter",
        onclick: () => app.set({ [name]: "", id: "" }),
      }, value, icon("close"))),
      h("span", { class: "grow" }), told);
  }

  const sessionHead = (item) => h("div", { class: "row session-head" }, icon("sessions"),
    h("span", { class: "session-name" }, item.name),
    h("span", { class: "told" }, plural(item.number, "entry", "entries")));
  const foldedRow = (item) => h("div", { class: "row folded" }, icon("right"),
    h("span", {}, plural(item.records.length, "routine entry", "routine entries")),
    h("span", { class: "row-rest muted" }, item.records.map((each) => each.title).join(" · ")));
  function unfold(item) {
    unfolded.add(item.folded);
    const [first] = item.records;
    place({ keepPlace: true });
    list.redraw();
    list.select(first.key);
    show(first);
  }
  // The records of a session with their heading, routine folded.
  function grouped(run) {
    const [{ session }] = run;
    if (run.length < 2 || !session) return run;
    const prompt = run.find((each) => each.kind === "prompt") ?? run.find((each) => each.kind === "summary");
    const items = [{ head: `session-${session}-${run.at(-1).key}`, isSession: true, session, number: run.length, name: prompt?.title ?? `Session ${session.slice(0, 12)}` }];
    for (let i = 0; i < run.length;) {
      let end = i;
      while (end < run.length && isRoutine(run[end])) ++end;
      const folded = `folded-${run[Math.max(i, end - 1)].key}`;
      const hasChosen = run.slice(i, end).some((each) => each.key === current.id);
      if (end - i >= 3 && !unfolded.has(folded) && !hasChosen) items.push({ folded, records: run.slice(i, end) });
      else items.push(...run.slice(i, Math.max(end, i + 1)));
      i = Math.max(end, i + 1);
    }
    return items;
  }

  function place({ keepPlace = false } = {}) {
    const items = [];
    let day = null, run = [];
    const flush = () => { if (run.length) items.push(...grouped(run)); run = []; };
    for (const record of records) {
      if (!current.q) {
        const name = dayName(record.at);
        if (name !== day) { flush(); items.push({ head: `day-${name}`, name }); }
        day = name;
      }
      if (isSearch() || current.kind) { items.push(record); continue; }
      if (run.length && run[0].session !== record.session) flush();
      run.push(record);
    }
    flush();
    list.set(items, { keepPlace });
  }

  function drawFoot() {
    if (failure) clear(list.foot, errorState(failure, () => { failure = null; more(); }));
    else if (loading) clear(list.foot, loadingState());
    else if (!records.length) clear(list.foot, emptyFeed());
    else clear(list.foot, h("p", { class: "end" }, source?.more ? "" : isSearch() ? "That is all that was found." : "That is where it begins."));
    if (isSearch() && source?.total !== null && source?.total !== undefined) {
      // Copies of a text are matches, too, but show once.
      const copies = source.more || loading || failure ? 0 : source.total - records.length;
      const found = copies > 0 ? `${plural(records.length, "result")}, ${plural(copies, "copy", "copies")} folded`
        : `${plural(source.total, "result")}${source.isEstimate ? " or more" : ""}`;
      told.textContent = source.note ? `${found}. ${source.note}` : found;
    } else told.textContent = "";
  }

  function emptyFeed() {
    if (current.q) return emptyState("searches", `Nothing found for “${current.q}”`,
      app.project ? `Only ${app.project} was searched. All projects may know more.` : "Other words, or fewer filters, may find more.",
      button("Clear the search", { onclick: () => app.set({ q: "", type: "", files: "", concepts: "", kind: "" }) }));
    if (isSearch() || current.kind || app.project) return emptyState("feed", "Nothing of this kind yet",
      "Fewer filters may show more.",
      button("Show everything", { onclick: () => app.set({ kind: "", type: "", files: "", concepts: "", project: "" }) }));
    return emptyState("feed", "Nothing remembered yet",
      "As soon as a coding tool with codexmem's hooks is at work, its prompts, what it did and what came of it appear here by themselves.",
      "A hook can be tried by hand:",
      code(`echo '{"sessionId":"try","cwd":"'$PWD'","prompt":"Hello"}' |\n  codexmem hook raw session-init`),
      "Or write the first memory yourself:",
      button("New memory", { image: "plus", kind: "primary", onclick: () => app.newMemory() }));
  }

  async function more() {
    if (loading || failure || !source?.more) return;
    const mine = source;
    loading = true;
    drawFoot();
    try {
      const next = await mine.next();
      if (mine !== source) return;
      const first = !records.length;
      for (const record of next) {
        if (known.has(record.key) || records.length >= MOST) continue;
        known.add(record.key);
        records.push(record);
      }
      if (records.length >= MOST) mine.lists?.forEach((each) => Object.assign(each, { more: false, ready: [] }));
      loading = false;
      place({ keepPlace: !first });
      if (first) choose();
    } catch (error) {
      if (mine !== source || error.name === "AbortError") return;
      failure = error;
    }
    loading = false;
    drawFoot();
    list.draw();
  }

  // What the address names, or on a wide screen the first one.
  async function choose() {
    const wanted = current.id;
    const found = records.find((each) => each.key === wanted);
    if (found) {
      list.select(found.key);
      show(found);
      const index = list.items.indexOf(found);
      if (index > 3) list.reveal(index);
      return;
    }
    const [, letter, number] = /^([SP]?)(\d+)$/.exec(wanted ?? "") ?? [];
    if (number) {
      const { one, of } = Object.values(RECORDS).find((each) => each.letter === letter);
      try {
        show(of(await ask(`${one}/${number}`, {}, { signal: abort.signal })));
        list.select(wanted);
        pane.element.classList.add("open");
        return;
      } catch (error) {
        if (error.name === "AbortError") return;
        toast(error.message, "bad");
      }
    }
    const first = list.items.find((each) => each.key !== undefined);
    if (first && app.isWide()) {
      list.select(first.key);
      show(first);
    } else if (!records.length) pane.rest("What is chosen in the list is read here.");
  }

  let around = new AbortController();
  const lookAround = settled((place, record) => fillAround(app, place, record, around.signal), 150);
  function show(record) {
    around.abort();
    around = new AbortController();
    const place = h("div");
    pane.show(recordDetail(app, record), place);
    lookAround(place, record);
  }

  function load() {
    abort?.abort();
    abort = new AbortController();
    records = [];
    known = new Set();
    failure = null;
    loading = false;
    seen();
    const kind = current.kind ?? "";
    if (isSearch()) {
      const category = { observations: "observations", memories: "observations", summaries: "sessions", prompts: "prompts" }[kind];
      const parameters = { query: current.q, project: app.project, files: current.files, concepts: current.concepts };
      if (current.type) parameters.type = current.type;
      else if (category) parameters.type = category;
      source = new Search(parameters, abort.signal);
    } else {
      const kinds = { "": ["observation", "summary", "prompt"], summaries: ["summary"], prompts: ["prompt"] }[kind] ?? ["observation"];
      source = new Timeline(kinds, { project: app.project },
        kind === "memories" ? (record) => record.isManual : () => true, abort.signal);
    }
    list.element.scrollTop = 0;
    list.set([]);
    list.redraw();
    more();
  }

  // What is new in a list: its pages up to one that holds something seen. Null: too much of it.
  async function newsOf(list, mine) {
    const news = [];
    for (let offset = 0; offset < 2000; offset += Timeline.PAGE) {
      const answer = await ask(list.path, { ...mine.filter, limit: Timeline.PAGE, offset }, { signal: mine.signal });
      const page = (answer.items ?? []).map(list.of);
      const isEnd = !answer.hasMore || page.some((each) => mine.seen.has(each.key));
      news.push(...page.filter((each) => !mine.seen.has(each.key)));
      if (!isEnd) continue;
      for (const each of news) mine.seen.add(each.key);
      return news;
    }
    return null;
  }

  // What has come in the lists that have changed, put where it belongs.
  const changed = new Set();
  let catching = false;
  const catchUp = soon(async () => {
    if (isSearch() || !source) return changed.clear();
    if (catching || (loading && !records.length)) return catchUp();
    const mine = source;
    const lists = mine.lists.filter((each) => [...changed].some((kind) => RECORDS[kind].path === each.path));
    changed.clear();
    catching = true;
    try {
      const found = await Promise.all(lists.map((each) => newsOf(each, mine)));
      if (mine !== source) return;
      if (found.includes(null)) return load();
      const wasEmpty = !records.length;
      const oldest = mine.more && !wasEmpty ? records.at(-1).at : -Infinity;
      const news = [];
      for (const each of found.flat()) {
        // While pages are read others come, so that a record may be in two of them.
        if (known.has(each.key) || !mine.keep(each) || each.at < oldest) continue;
        known.add(each.key);
        fresh.add(each.key);
        news.push(each);
      }
      if (!news.length) return;
      setTimeout(() => { for (const each of news) fresh.delete(each.key); }, 2500);
      records = [...news, ...records].sort(newestFirst).slice(0, MOST);
      place({ keepPlace: true });
      drawFoot();
      if (wasEmpty) choose();
      if (list.element.scrollTop > 8) {
        unseen += news.length;
        clear(arrived, `${plural(unseen, "new record")} ↑`);
        arrived.hidden = false;
      }
    } catch { /* the stream says so */ } finally { catching = false; }
  }, 300);

  return {
    element,
    update(parameters) {
      const before = JSON.stringify({ ...current, id: "" });
      current = parameters;
      drawBar();
      if (!source || JSON.stringify({ ...current, id: "" }) !== before) load();
      else if (current.id && list.selected?.key !== current.id) choose();
    },
    refresh: load,
    // After a while away: what is shown stays where it is.
    resume() {
      if (failure || !records.length || isSearch()) return load();
      for (const kind of Object.keys(RECORDS)) changed.add(kind);
      catchUp();
    },
    event({ kind, data }) {
      if (kind === "record.saved" && RECORDS[data.kind]) changed.add(data.kind);
      else if (kind === "model.result") changed.add(data.kind === "summary" || data.kind === "summarize" ? "summary" : "observation");
      else if (kind === "session.status") changed.add("prompt");
      else return;
      catchUp();
    },
    move: (steps) => { list.move(steps); list.element.focus({ preventScroll: true }); },
    focus: () => list.element.focus({ preventScroll: true }),
    destroy() {
      abort?.abort();
      around.abort();
      lookAround.cancel();
      catchUp.cancel();
      applySearch.cancel();
      list.destroy();
    },
  };
}
