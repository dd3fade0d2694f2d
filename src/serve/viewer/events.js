// events.js - what the worker says while it works, as it says it.

import {
  button, clear, code, count, emptyState, h, icon, millis, plural, remembered, secondsTime, soon,
  wholeTime,
} from "./page.js";
import { ListAndDetail, LongList } from "./list.js";
import { part } from "./records.js";
import { className } from "./tables.js";

const EVENT_MOST = 2000;
const eventLog = [];  // newest first; filled from the start of the page
let eventCount = 0;

export function rememberEvent(event) {
  eventLog.unshift({ ...event, key: `e${++eventCount}` });
  if (eventLog.length > EVENT_MOST) eventLog.length = EVENT_MOST;
}

const EVENT_KINDS = ["queue.depth", "session.status", "model.result", "queue.failed", "record.saved"];
const EVENT_COLORS = { "queue.failed": "bad", "model.result": "good", "session.status": "accent", "record.saved": "teal" };

function eventText({ kind, data }) {
  switch (kind) {
    case "queue.depth":
      return `${count(data.pending)} waiting, ${count(data.processing)} at work, ${count(data.failed)} failed`;
    case "session.status":
      return `session ${data.sessionDbId} is ${data.status}${data.promptNumber ? `, prompt ${data.promptNumber}` : ""}`;
    case "queue.failed":
      return `${className(data.errorClass)} in session ${data.sessionDbId}: ${data.message ?? ""}`;
    case "model.result":
      return `${data.kind} of session ${data.sessionDbId} by ${[data.provider, data.model].filter(Boolean).join(" ")}: ${className(data.outcome)} in ${millis(data.ms)}${data.ids?.length ? `, ${data.ids.map((id) => `#${id}`).join(" ")}` : ""}`;
    case "record.saved":
      return `${data.kind} #${data.id}${data.project ? ` in ${data.project}` : ""}`;
    default:
      return JSON.stringify(data);
  }
}

export function eventsView(app) {
  let paused = false, behind = 0;
  let held = null;  // what is shown while it is paused
  const hidden = new Set(remembered.get("events.hidden").split(",").filter(Boolean));
  const list = new LongList({
    label: "Events, newest first",
    key: (item) => item.key,
    height: () => app.isWide() ? 32 : 52,
    row: (each) => h("div", { class: "row event" },
      h("time", { title: wholeTime(each.at) }, secondsTime(each.at)),
      h("span", { class: `event-kind ${EVENT_COLORS[each.kind] ?? ""}` }, each.kind),
      h("span", { class: "event-text" }, eventText(each))),
    onSelect: (each) => show(each),
    onOpen: () => pane.open(),
  });
  const pane = new ListAndDetail(list);
  const bar = h("div", { class: "bar" });
  const element = h("div", { class: "view events" }, bar, pane.element);
  pane.rest("Choose an event to read all that it says.");

  function show(each) {
    const ids = each.kind === "model.result" ? each.data.ids ?? [] : each.kind === "record.saved" ? [each.data.id] : [];
    const of = each.data.kind === "summary" || each.data.kind === "summarize" ? "S" : each.data.kind === "prompt" ? "P" : "";
    pane.show(h("article", { "aria-labelledby": "detail-title" },
      h("header", { class: "detail-head" },
        h("div", { class: "detail-kind" }, h("span", { class: `badge ${EVENT_COLORS[each.kind] ?? ""}` }, each.kind),
          each.id && h("span", { class: "id" }, `event ${each.id}`)),
        h("h2", { id: "detail-title" }, eventText(each)),
        h("dl", { class: "facts-line" }, h("dt", {}, "When"), h("dd", {}, wholeTime(each.at)))),
      h("div", { class: "actions" },
        each.data.sessionDbId && h("a", { class: "button", href: app.link("sessions", { session: each.data.sessionDbId }) }, icon("sessions"), h("span", {}, `Session ${each.data.sessionDbId}`)),
        ids.map((id) => h("a", { class: "button", href: app.link("feed", { id: `${of}${id}`, q: "", kind: "", type: "" }) }, icon("feed"), h("span", {}, `#${of}${id}`))),
        each.kind === "queue.failed" && button("Retry this session", { image: "refresh", onclick: () => app.retry(each.data.sessionDbId) })),
      part("Data", code(JSON.stringify(each.data, null, 2)))));
  }

  function drawBar() {
    clear(bar,
      h("div", { class: "segments many", role: "group", "aria-label": "Kinds of events" }, EVENT_KINDS.map((kind) =>
        h("button", { type: "button", "aria-pressed": String(!hidden.has(kind)), title: hidden.has(kind) ? `Show ${kind}` : `Hide ${kind}`,
          onclick: () => {
            if (!hidden.delete(kind)) hidden.add(kind);
            remembered.set("events.hidden", [...hidden].join(","));
            drawBar();
            draw();
          } }, kind))),
      h("span", { class: "grow" }),
      h("span", { class: "told", role: "status" }, paused ? `paused, ${plural(behind, "event")} behind` : plural(list.items.length, "event")),
      button(paused ? "Go on" : "Pause", { image: paused ? "play" : "pause", key: "p", onclick: pause }),
      button("Clear", { title: "Forget the events shown here", onclick: () => { eventLog.length = 0; held = paused ? [] : null; draw(); drawBar(); } }));
  }
  function pause() {
    paused = !paused;
    behind = 0;
    held = paused ? [...eventLog] : null;
    drawBar();
    draw();
    list.element.focus({ preventScroll: true });
  }
  function draw() {
    const items = (held ?? eventLog).filter((each) => !hidden.has(each.kind));
    list.set(items, { keepPlace: true });
    if (items.length) clear(list.foot);
    else clear(list.foot, emptyState("events", eventLog.length ? "Every kind is hidden" : "Listening",
      eventLog.length ? "Choose the kinds of events to show above." : "The next thing that the worker does appears here."));
  }
  const arrived = soon(() => {
    if (!paused) draw();
    const told = bar.querySelector(".told");
    if (told) told.textContent = paused ? `paused, ${plural(behind, "event")} behind` : plural(list.items.length, "event");
  }, 120);

  return {
    element,
    update() { drawBar(); draw(); },
    refresh: draw,
    event() {
      if (paused) ++behind;
      arrived();
    },
    pause,
    move: (steps) => { list.move(steps); list.element.focus({ preventScroll: true }); },
    focus: () => list.element.focus({ preventScroll: true }),
    destroy() {
      arrived.cancel();
      list.destroy();
    },
  };
}
