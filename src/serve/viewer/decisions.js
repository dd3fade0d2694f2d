// decisions.js - what was decided, with its status, and the proposals that wait for a person.

import {
  button, choice, clear, clockTime, code, dayFormat, emptyState, h, icon, isToday, msOf, shortTime,
  wholeTime,
} from "./page.js";
import { decisionActions } from "./edit.js";
import { ListAndDetail, LongList } from "./list.js";
import { copyText, paragraphs, part } from "./records.js";
import { pagedList } from "./sessions.js";

const DECISION_STATES = [["", "Any status"], ["active", "Active"], ["draft", "Draft"],
  ["superseded", "Superseded"], ["deprecated", "Deprecated"], ["accepted", "Accepted"],
  ["rejected", "Rejected"], ["falsified", "Falsified"]];
const DECISION_COLORS = { active: "good", draft: "warn", rejected: "bad", falsified: "bad" };

export function decisionsView(app) {
  let pages = null, current = {};
  const list = new LongList({
    label: "Decisions",
    key: (item) => item.id,
    height: () => 54,
    row: (each) => h("div", { class: `row record decision-row ${each.status}` },
      h("span", { class: `dot ${DECISION_COLORS[each.status] ?? ""}` }),
      h("div", { class: "row-text" },
        h("div", { class: "row-top" }, h("span", { class: "row-title" }, each.title),
          h("time", { class: "row-time", title: wholeTime(each.at) }, shortDay(each.at))),
        h("div", { class: "row-line" }, h("span", { class: `row-type ${DECISION_COLORS[each.status] ?? ""}` }, each.status),
          !app.project && h("span", { class: "row-project" }, each.project),
          h("span", { class: "row-rest" }, each.target)))),
    onSelect: (item) => { show(item); app.note({ id: item.id }); },
    onOpen: () => pane.open(),
    onEnd: () => pages?.next(),
  });
  const pane = new ListAndDetail(list);
  const bar = h("div", { class: "bar" });
  const element = h("div", { class: "view" }, bar, pane.element);
  const shortDay = (ms) => Number.isNaN(ms) ? "" : isToday(ms) ? clockTime(ms) : dayFormat.format(ms);

  const link = (id) => h("a", { class: "mono", href: app.link("decisions", { id, status: "" }) }, id);
  const links = (title, ids) => part(title, ids?.length > 0 && h("ul", { class: "facts" }, ids.map((id) => h("li", {}, link(id)))));

  function show(each) {
    const rationale = String(each.rationale ?? "").replace(/^\[via MCP\]\s*/, "");
    pane.show(h("article", { "aria-labelledby": "detail-title" },
      h("header", { class: "detail-head" },
        h("div", { class: "detail-kind" },
          h("span", { class: `badge ${DECISION_COLORS[each.status] ?? ""}` }, each.status),
          h("span", { class: "id" }, each.kind), h("span", { class: "grow" }),
          button("Copy id", { image: "copy", hideText: true, kind: "quiet small", title: "Copy the decision's id",
            onclick: () => copyText(each.id, "Decision id copied") })),
        h("h2", { id: "detail-title" }, each.title),
        h("dl", { class: "facts-line" },
          h("dt", {}, "Target"), h("dd", {}, each.target),
          h("dt", {}, "Project"), h("dd", {}, each.project),
          h("dt", {}, "By"), h("dd", {}, String(each.source ?? "").replaceAll("_", " ")),
          h("dt", {}, "When"), h("dd", {}, wholeTime(each.at)),
          each.kind === "proposal" && Number.isFinite(each.confidence) &&
            [h("dt", {}, "Confidence"), h("dd", {}, `${Math.round(each.confidence * 100)} %`)])),
      decisionActions(app, each),
      part("Why", h("div", { class: "prose" }, paragraphs(rationale))),
      part("What follows", each.consequences?.length > 0 &&
        h("ul", { class: "facts" }, each.consequences.map((line) => h("li", {}, line)))),
      links("In its place now", each.superseded_by ? [each.superseded_by] : []),
      links("Took the place of", each.supersedes),
      links("Would take the place of", each.replaces),
      links("Became", each.converted_to ? [each.converted_to] : []),
      part("Evidence", each.evidence?.length > 0 && h("div", { class: "chips" }, each.evidence.map((id) =>
        h("a", { class: "chip", href: app.link("feed", { id: String(id), project: "" }) }, `#${id}`)))),
      part("History", each.history?.length > 0 && h("ol", { class: "story" }, each.history.map((step) =>
        h("li", {}, icon("other"), h("span", {}, [step.from, step.to].filter(Boolean).join(" → "),
          step.reason && `: ${step.reason}`, h("span", { class: "muted" }, ` by ${step.role}`)),
        h("time", {}, shortTime(msOf(step.at ?? step.at_ms))))))),
      each.status === "draft" && part("To accept or reject it",
        code(`codexmem decision accept ${each.id}\ncodexmem decision reject ${each.id}`)),
      h("p", { class: "id mono" }, each.id)));
  }

  function load() {
    pages?.abort.abort();
    pages = pagedList({
      list, path: "/api/decisions", filter: { project: app.project, status: current.status },
      of: (each) => ({ ...each, at: msOf(each.created_at_epoch ?? each.created_at) }),
      empty: () => current.status
        ? emptyState("decisions", `No decision is ${current.status}`,
          button("Show every status", { onclick: () => app.set({ status: "" }) }))
        : emptyState("decisions", "No decision yet",
          "An agent records one with the tool record_decision, you with the shell:",
          code(`codexmem decision record "Title" --target what-it-is-about \\\n  --rationale "Why it is so"`)),
      onFirst: (rows) => {
        const wanted = rows.find((each) => each.id === current.id);
        if (!wanted && !app.isWide()) return;
        const chosen = wanted ?? rows[0];
        if (!chosen) return;
        list.select(chosen.id);
        show(chosen);
        if (wanted) list.reveal(list.items.indexOf(wanted));
      },
    });
    list.set([]);
    list.redraw();
    pane.rest();
    pages.next();
  }

  return {
    element,
    update(parameters) {
      const same = pages && current.project === parameters.project && current.status === parameters.status;
      current = parameters;
      clear(bar, choice("Status", DECISION_STATES, current.status, (status) => app.set({ status, id: "" })));
      const found = pages?.rows.find((each) => each.id === current.id);
      if (!same || (current.id && !found)) load();
      else if (found && list.selected?.id !== current.id) {
        list.select(found.id);
        show(found);
      }
    },
    refresh: load,
    move: (steps) => { list.move(steps); list.element.focus({ preventScroll: true }); },
    focus: () => list.element.focus({ preventScroll: true }),
    destroy() {
      pages?.abort.abort();
      list.destroy();
    },
  };
}
