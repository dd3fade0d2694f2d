// page.js - what every part of the page is made with: elements, icons, times, numbers.
//
// Texts enter the page only through textContent.

const SVG = "http://www.w3.org/2000/svg";

// put(element, {class: "row", onclick: f, "aria-label": "x"}, children...): children are elements,
// texts, or nothing.
export function put(element, attributes, ...children) {
  for (const [name, value] of Object.entries(attributes ?? {})) {
    if (value === undefined || value === null || value === false) continue;
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else if (name === "value" || name === "checked" || name === "disabled") element[name] = value;
    else element.setAttribute(name, value === true ? "" : String(value));
  }
  for (const child of children.flat(Infinity)) {
    if (child === undefined || child === null || child === false || child === "") continue;
    element.append(child instanceof Node ? child : document.createTextNode(String(child)));
  }
  return element;
}

export const h = (tag, attributes, ...children) => put(document.createElement(tag), attributes, ...children);
export const svg = (tag, attributes, ...children) =>
  put(document.createElementNS(SVG, tag), attributes, ...children);
export const clear = (element, ...children) => {
  element.replaceChildren();
  return put(element, {}, ...children);
};

export const ICONS = {
  map: "M2.5 2.5h11v11h-11zM8 2.5v11M8 7h5.5M2.5 10H8",
  deps: "M2.5 6.2h4v3.6h-4zM9.5 2.7h4v3.6h-4zM9.5 9.7h4v3.6h-4zM6.5 8h1.4V4.5h1.6M7.9 8v3.5h1.6",
  path: "M3 3.5h5a2.25 2.25 0 0 1 0 4.5H6a2.25 2.25 0 0 0 0 4.500h7M11 10.500l2 2-2 2",
  folder: "M2 4h4l1.4 1.6H14v7H2z",
  right: "M6 4l4 4-4 4",
  down: "M4 6l4 4 4-4",
  symbol: "M6 3C4.5 3 4.5 4 4.5 5.5S4 7.8 3 8c1 .2 1.5 1 1.5 2.5S4.5 13 6 13M10 3c1.5 0 1.5 1 1.5 2.5S12 7.8 13 8c-1 .2-1.5 1-1.5 2.5s0 2.5-1.5 2.5",
  code: "M5.5 4.5 2 8l3.5 3.5M10.5 4.5 14 8l-3.5 3.5",
  open: "M9.5 2.5h4v4M13.5 2.5 7.5 8.5M11.5 9v4.5h-9v-9H7",
  pin: "M6 2.5h4l-.6 4 2.1 2.2v.8h-7v-.8l2.1-2.2zM8 9.5v4",
  forget: "M3 4.5h10M6 4.5v-2h4v2M4.5 4.5l.7 9h5.6l.7-9",
  minus: "M3 8h10",
  fit: "M2.5 6V2.5H6M10 2.5h3.5V6M13.5 10v3.5H10M6 13.5H2.5V10",
  cycle: "M13 8a5 5 0 0 1-9 3M3 8a5 5 0 0 1 9-3M12.5 2.5V5H10M3.500 13.500V11H6",
  overview: "M2.5 9.5h3v4h-3zM6.5 5.5h3v8h-3zM10.5 2.5h3v11h-3z",
  feed: "M3 4h10M3 8h10M3 12h6",
  sessions: "M2.5 3.5h11v7h-6l-3 2.5v-2.5h-2z",
  decisions: "M8 2.5v4M8 6.5 4 10v3M8 6.5l4 3.5v3",
  searches: "M7 2.5a4.5 4.5 0 1 0 0 9 4.5 4.5 0 0 0 0-9M10.4 10.4l3.1 3.1",
  timings: "M8 2.5a5.5 5.5 0 1 0 0 11 5.5 5.5 0 0 0 0-11M8 5v3.2l2.2 1.4",
  failures: "M8 2.5 14 13H2zM8 6.5v3M8 11.2v.3",
  events: "M2 8.5h2.5L6 4l3.5 8.5 1.8-4H14",
  context: "M5.5 2.5h-2v11h2M10.5 2.5h2v11h-2M6.5 8h3",
  sun: "M8 5a3 3 0 1 0 0 6 3 3 0 0 0 0-6M8 1.5v1.2M8 13.3v1.2M1.5 8h1.2M13.3 8h1.2M3.4 3.4l.9.9M11.7 11.7l.9.9M3.4 12.6l.9-.9M11.7 4.3l.9-.9",
  moon: "M13 9.6A5.5 5.5 0 0 1 6.4 3 5.5 5.5 0 1 0 13 9.6",
  auto: "M8 2.5a5.5 5.5 0 1 0 0 11zM8 2.5a5.5 5.5 0 0 1 0 11",
  help: "M5.8 6a2.2 2.2 0 1 1 3.2 2c-.7.4-1 .8-1 1.6M8 12v.2",
  plus: "M8 3v10M3 8h10",
  close: "M4 4l8 8M12 4l-8 8",
  back: "M9.5 3.5 5 8l4.5 4.5",
  refresh: "M13 8a5 5 0 1 1-1.5-3.6M13 2.5v2.6h-2.6",
  download: "M8 2.5v7.5M5 7l3 3 3-3M3 13h10",
  pause: "M5.5 3.5v9M10.5 3.5v9",
  play: "M5 3.2v9.6L12.5 8z",
  copy: "M5.5 5.5h8v8h-8zM3.5 10.5h-1v-8h8v1",
  file: "M4 2.5h5l3 3v8H4zM9 2.5v3h3",
  prompt: "M3 4.5 6.5 8 3 11.5M8 12h5",
  summary: "M3 3.5h10M3 6.5h10M3 9.5h10M3 12.5h5",
  bugfix: "M5.5 6.5h5v4a2.5 2.5 0 0 1-5 0zM6.2 6.5a1.8 1.8 0 0 1 3.6 0M2.8 5l2.7 2M13.2 5l-2.7 2M2.5 9.2h3M13.5 9.2h-3M3 13l2.8-2M13 13l-2.8-2",
  feature: "M8 2.5l1.5 4 4 1.5-4 1.5-1.5 4-1.5-4-4-1.5 4-1.5z",
  refactor: "M3 6h9M9.5 3.5 12 6M13 10H4M6.5 12.5 4 10",
  change: "M3 13l.6-2.8 7.2-7.2 2.2 2.2-7.2 7.2z",
  discovery: "M8 3.5C4.8 3.5 2.8 6 2 8c.8 2 2.8 4.5 6 4.5S13.2 10 14 8c-.8-2-2.8-4.5-6-4.5M8 6.2a1.8 1.8 0 1 0 0 3.6 1.8 1.8 0 0 0 0-3.6",
  memory: "M4.5 2.5h7v11L8 10.8l-3.5 2.7z",
  other: "M8 4.5a3.5 3.5 0 1 0 0 7 3.5 3.5 0 0 0 0-7",
};
ICONS.decision = ICONS.decisions;
ICONS.known = ICONS.pin;
ICONS.time = ICONS.timings;

export function icon(name) {
  return svg("svg", { class: "icon", viewBox: "0 0 16 16", "aria-hidden": "true" },
    svg("path", { d: ICONS[name] ?? ICONS.other }));
}

export function button(label, { image, title, key, onclick, kind = "", disabled = false, hideText = false } = {}) {
  return h("button", {
    type: "button", class: `button ${kind}`, onclick, disabled,
    title: key ? `${title ?? label} (${key})` : title, "aria-label": hideText ? label : undefined,
    "aria-keyshortcuts": key,
  }, image && icon(image), hideText ? null : h("span", {}, label));
}

// A labelled choice: options are [value, text].
export function choice(label, options, value, onchange) {
  const select = h("select", { onchange: () => onchange(select.value), "aria-label": label },
    options.map(([each, text]) => h("option", { value: each }, text)));
  select.value = value ?? "";
  if (select.selectedIndex < 0) select.selectedIndex = 0;
  return h("label", { class: "choice" }, h("span", { class: "choice-name" }, label), select);
}

// One of a few, as buttons that are pressed or not.
export function segments(label, options, value, onchange) {
  const group = h("div", { class: "segments", role: "group", "aria-label": label });
  const set = (wanted) => {
    for (const each of group.children) {
      each.setAttribute("aria-pressed", String(each.dataset.value === wanted));
    }
  };
  for (const [each, text] of options) {
    group.append(h("button", {
      type: "button", "data-value": each,
      onclick: () => { set(each); onchange(each); },
    }, text));
  }
  set(value ?? "");
  return group;
}

// action: {label, run}, for what can be undone.
export function toast(text, kind = "", action = null) {
  const line = h("div", { class: `toast ${kind}` }, text, action && h("button", { type: "button", class: "toast-action",
    onclick: () => { line.remove(); action.run(); } }, action.label));
  const toasts = document.getElementById("toasts");
  while (toasts.children.length > 2) toasts.firstChild.remove();
  toasts.append(line);
  setTimeout(() => line.remove(), action ? 12_000 : kind === "bad" ? 8000 : 4000);
}

// ---- Times and numbers, as the reader's locale writes them.

const clockFormat = new Intl.DateTimeFormat(undefined, { hour: "2-digit", minute: "2-digit" });
const secondsFormat = new Intl.DateTimeFormat(undefined,
  { hour: "2-digit", minute: "2-digit", second: "2-digit" });
export const dayFormat = new Intl.DateTimeFormat(undefined,
  { weekday: "short", month: "short", day: "numeric" });
const dayYearFormat = new Intl.DateTimeFormat(undefined,
  { month: "short", day: "numeric", year: "numeric" });
const wholeFormat = new Intl.DateTimeFormat(undefined, { dateStyle: "medium", timeStyle: "medium" });
const numberFormat = new Intl.NumberFormat();
const compactFormat = new Intl.NumberFormat(undefined,
  { notation: "compact", maximumFractionDigits: 1 });

// Milliseconds of an epoch (seconds or milliseconds) or of an ISO time; NaN for anything else.
export function msOf(time) {
  if (typeof time === "number") return time < 1e11 ? time * 1000 : time;
  return typeof time === "string" ? Date.parse(time) : NaN;
}

export const isToday = (ms) => new Date(ms).toDateString() === new Date().toDateString();
export const clockTime = (ms) => Number.isNaN(ms) ? "" : clockFormat.format(ms);
export const secondsTime = (ms) => Number.isNaN(ms) ? "" : secondsFormat.format(ms);
export const wholeTime = (ms) => Number.isNaN(ms) ? "" : wholeFormat.format(ms);
export const shortTime = (ms) => Number.isNaN(ms) ? "" :
  isToday(ms) ? clockTime(ms) : `${dayFormat.format(ms)} ${clockTime(ms)}`;
export function dayName(ms) {
  const day = new Date(ms);
  const today = new Date();
  if (day.toDateString() === today.toDateString()) return "Today";
  if (day.toDateString() === new Date(today - 864e5).toDateString()) return "Yesterday";
  return (day.getFullYear() === today.getFullYear() ? dayFormat : dayYearFormat).format(day);
}
export function ago(ms) {
  const seconds = Math.max(0, (Date.now() - ms) / 1000);
  if (seconds < 60) return "now";
  if (seconds < 3600) return `${Math.floor(seconds / 60)}m`;
  if (seconds < 86400) return `${Math.floor(seconds / 3600)}h`;
  return `${Math.floor(seconds / 86400)}d`;
}
export function duration(seconds) {
  if (seconds < 60) return `${Math.round(seconds)} s`;
  if (seconds < 3600) return `${Math.floor(seconds / 60)} min`;
  if (seconds < 86400) return `${Math.floor(seconds / 3600)} h ${Math.floor(seconds % 3600 / 60)} min`;
  return `${Math.floor(seconds / 86400)} d ${Math.floor(seconds % 86400 / 3600)} h`;
}
export function millis(ms) {
  if (ms === undefined || ms === null || Number.isNaN(ms)) return "–";
  if (ms < 10) return `${Number(ms.toFixed(ms < 1 ? 2 : 1))} ms`;
  if (ms < 1000) return `${Math.round(ms)} ms`;
  if (ms < 60000) return `${Number((ms / 1000).toFixed(ms < 10000 ? 2 : 1))} s`;
  return duration(ms / 1000);
}
export function bytes(size) {
  if (size < 1024) return `${size} B`;
  if (size < 1024 ** 2) return `${(size / 1024).toFixed(1)} KB`;
  if (size < 1024 ** 3) return `${(size / 1024 ** 2).toFixed(1)} MB`;
  return `${(size / 1024 ** 3).toFixed(2)} GB`;
}
export const count = (number) => numberFormat.format(number ?? 0);
export const compact = (number) => compactFormat.format(number ?? 0);
export const plural = (number, one, many = `${one}s`) => `${count(number)} ${number === 1 ? one : many}`;

// Runs `work` once, `ms` after the first of many calls.
export function soon(work, ms) {
  let timer = 0;
  const call = () => { timer ||= setTimeout(() => { timer = 0; work(); }, ms); };
  call.cancel = () => { clearTimeout(timer); timer = 0; };
  return call;
}

// Runs `work` when the calls have stopped for `ms`.
export function settled(work, ms) {
  let timer = 0;
  const call = (...given) => {
    clearTimeout(timer);
    timer = setTimeout(() => work(...given), ms);
  };
  call.cancel = () => clearTimeout(timer);
  return call;
}

export const remembered = {
  get(name) { try { return localStorage.getItem(`codexmem.${name}`) ?? ""; } catch { return ""; } },
  set(name, value) { try { localStorage.setItem(`codexmem.${name}`, value); } catch { /* none */ } },
};

// What a part of the page shows when it has nothing to show, or could not get it.
export function emptyState(image, title, ...lines) {
  return h("div", { class: "empty" }, icon(image), h("h2", {}, title),
    lines.filter(Boolean).map((line) => line instanceof Node ? line : h("p", {}, line)));
}
export function errorState(error, again) {
  return h("div", { class: "empty bad", role: "alert" }, icon("failures"),
    h("h2", {}, "This could not be loaded"), h("p", {}, error.message),
    button("Try again", { image: "refresh", onclick: again }));
}
export const loadingState = () => h("div", { class: "loading", role: "status" },
  Array.from({ length: 6 }, () => h("div", { class: "ghost", "aria-hidden": "true" })),
  h("span", { class: "unseen" }, "Loading"));
export const code = (text) => h("pre", { class: "snippet" }, h("code", {}, text));
