// records.js - what is remembered, whatever its kind: as a row of a list and as a page of its own.

import {
  ICONS, button, clear, clockTime, code, count, h, icon, msOf, shortTime, toast, wholeTime,
} from "./page.js";
import { ask } from "./worker.js";
import { entryActions } from "./edit.js";

export const TYPES = ["bugfix", "feature", "refactor", "change", "discovery", "decision",
  "security_alert", "security_note"];

// A list that the worker gives as a list, or as the text of one.
function listOf(row, name) {
  const value = row[`${name}_list`] ?? row[name] ?? [];
  if (Array.isArray(value)) return value.map(String);
  try {
    const parsed = JSON.parse(value);
    return Array.isArray(parsed) ? parsed.map(String) : [];
  } catch { return []; }
}

const timeOf = (row) => msOf(row.created_at_epoch ?? row.created_at);
export const oneLine = (text) => String(text ?? "").replace(/\s+/g, " ").trim();

export function observationRecord(row) {
  const isManual = row.text !== null && row.text !== undefined && row.text !== "";
  const files = [...listOf(row, "files_modified"), ...listOf(row, "files_read")];
  return {
    key: String(row.id), kind: "observation", isManual, type: row.type || "discovery",
    title: oneLine(row.title) || "Untitled", line: oneLine(row.subtitle || row.narrative || row.text),
    project: row.project, at: timeOf(row), session: row.memory_session_id ?? "", file: files[0] ?? "", row,
  };
}
export function summaryRecord(row) {
  return {
    key: `S${row.id}`, kind: "summary", type: "summary",
    title: oneLine(row.request || row.completed || row.learned) || "Session summary",
    line: oneLine(row.completed || row.learned || row.investigated), project: row.project,
    at: timeOf(row), session: row.session_id ?? row.memory_session_id ?? "", file: "", row,
  };
}
export function promptRecord(row) {
  return {
    key: `P${row.id}`, kind: "prompt", type: "prompt",
    title: oneLine(row.prompt_text) || "Private prompt", line: `Prompt ${row.prompt_number ?? ""}`,
    project: row.project, at: timeOf(row), session: row.content_session_id ?? "", file: "", row,
  };
}
export const RECORDS = {
  observation: { letter: "", path: "/api/observations", one: "/api/observation", of: observationRecord },
  summary: { letter: "S", path: "/api/summaries", one: "/api/session", of: summaryRecord },
  prompt: { letter: "P", path: "/api/prompts", one: "/api/prompt", of: promptRecord },
};
export const newestFirst = (a, b) => b.at - a.at || (a.key < b.key ? 1 : -1);

export const imageOf = (record) =>
  record.isManual ? "memory" : record.kind === "observation" ? record.type : record.kind;
const nameOf = (record) => record.isManual ? "memory" : record.type.replaceAll("_", " ");
export const typeClass = (record) => `type-${record.isManual ? "memory"
  : ICONS[record.type] ? record.type : record.type.startsWith("security") ? "bugfix" : "other"}`;

export function recordRow(record, { isFresh = false, showProject = true } = {}) {
  return h("div", { class: `row record ${typeClass(record)}${isFresh ? " fresh" : ""}` },
    icon(imageOf(record)),
    h("div", { class: "row-text" },
      h("div", { class: "row-top" }, h("span", { class: "row-title" }, record.title),
        h("time", { class: "row-time", title: wholeTime(record.at), datetime: isoOf(record.at) },
          clockTime(record.at))),
      h("div", { class: "row-line" }, h("span", { class: "row-type" }, nameOf(record)),
        showProject && record.project && h("span", { class: "row-project" }, record.project),
        h("span", { class: "row-rest" }, record.line))));
}
const isoOf = (ms) => Number.isNaN(ms) ? undefined : new Date(ms).toISOString();

export const paragraphs = (text) => String(text ?? "").split(/\n{2,}/).filter((each) => each.trim())
  .map((each) => h("p", {}, each.trim()));

export function part(title, ...content) {
  return content.flat().filter(Boolean).length
    ? h("section", { class: "part" }, h("h3", {}, title), content) : null;
}

export async function copyText(text, told) {
  try {
    await navigator.clipboard.writeText(text);
    toast(told);
  } catch { toast("This browser does not let the page copy.", "bad"); }
}

function fileList(app, paths) {
  if (!paths.length) return null;
  return h("ul", { class: "files" }, paths.map((path) => h("li", {},
    h("a", { href: app.link("feed", { files: path, id: "" }), title: `What else is known of ${path}` },
      icon("file"), h("span", {}, path)))));
}

function recordHead(app, record) {
  const { row } = record;
  const tokens = Number(row.discovery_tokens ?? 0);
  return h("header", { class: `detail-head ${typeClass(record)}` },
    h("div", { class: "detail-kind" }, h("span", { class: "badge" }, icon(imageOf(record)), nameOf(record)),
      h("span", { class: "id" }, `#${record.key}`),
      h("span", { class: "grow" }),
      button("Copy id", { image: "copy", hideText: true, kind: "quiet small", title: "Copy the id",
        onclick: () => copyText(`#${record.key}`, `#${record.key} copied`) })),
    h("h2", { id: "detail-title" }, record.kind === "prompt" ? `Prompt ${row.prompt_number ?? ""}` : record.title),
    record.kind === "observation" && row.subtitle && h("p", { class: "subtitle" }, row.subtitle),
    h("dl", { class: "facts-line" },
      h("dt", {}, "When"), h("dd", {}, h("time", { datetime: isoOf(record.at) }, wholeTime(record.at))),
      record.project && [h("dt", {}, "Project"), h("dd", {},
        h("a", { href: app.link("feed", { project: record.project, id: record.key }) }, record.project))],
      record.session && [h("dt", {}, "Session"), h("dd", {},
        h("a", { href: app.link("sessions", { session: record.session }) }, shortSession(record.session)))],
      record.kind !== "prompt" && row.prompt_number && [h("dt", {}, "Prompt"), h("dd", {}, row.prompt_number)],
      tokens > 0 && [h("dt", {}, "Tokens"), h("dd", {}, count(tokens))],
      row.source_ref && [h("dt", {}, "Source"), h("dd", {}, row.source_ref)],
      row.superseded_by && [h("dt", {}, "Superseded by"), h("dd", {}, recordLink(app, row.superseded_by))],
      row.supersedes && [h("dt", {}, "Supersedes"), h("dd", {}, row.supersedes.map((id) => [recordLink(app, id), " "]))]),
    entryActions(app, record));
}
const recordLink = (app, id) => h("a", { href: app.link("feed", { ...app.parameters, id: String(id) }) }, `#${id}`);
export const shortSession = (id) => id.length > 14 ? `${id.slice(0, 12)}…` : id;

const CODE_STATES = {
  current: "unchanged", unchanged: "unchanged", changed: "changed since", moved: "moved", deleted: "gone", gone: "gone", missing: "gone",
};

export function recordDetail(app, record) {
  const { row } = record;
  const body = [];
  if (record.kind === "observation") {
    const facts = listOf(row, "facts");
    const concepts = listOf(row, "concepts");
    body.push(
      h("div", { class: "prose" }, paragraphs(row.narrative || row.text)),
      part("Facts", facts.length && h("ul", { class: "facts" }, facts.map((each) => h("li", {}, each)))),
      part("Concepts", concepts.length && h("div", { class: "chips" }, concepts.map((each) =>
        h("a", { class: "chip", href: app.link("feed", { concepts: each, id: "" }) }, each)))),
      part("Changed files", fileList(app, listOf(row, "files_modified"))),
      part("Read files", fileList(app, listOf(row, "files_read"))),
      part("Code that is cited", Array.isArray(row.code) && row.code.length > 0 &&
        h("ul", { class: "files" }, row.code.map((each) => h("li", {},
          h("a", { href: each.symbol ? app.link("symbol", { name: each.symbol, path: each.path, line: each.line }) : app.link("file", { path: each.path, line: each.line }) },
            icon("file"), h("span", {}, each.symbol ? `${each.path} · ${each.symbol}` : each.path)),
          h("span", { class: "chip" }, CODE_STATES[each.state] ?? each.state))))),
      part("Metadata", row.metadata && Object.keys(row.metadata).length > 0 &&
        code(JSON.stringify(row.metadata, null, 2))));
  } else if (record.kind === "summary") {
    for (const [name, title] of [["request", "Asked"], ["investigated", "Investigated"],
      ["learned", "Learned"], ["completed", "Completed"], ["next_steps", "Next steps"], ["notes", "Notes"]]) {
      if (row[name]) body.push(part(title, h("div", { class: "prose" }, paragraphs(row[name]))));
    }
    body.push(part("Edited files", fileList(app, listOf(row, "files_edited"))),
      part("Read files", fileList(app, listOf(row, "files_read"))));
  } else {
    body.push(h("div", { class: "prose prompt-text" }, row.prompt_text
      ? paragraphs(row.prompt_text) : h("p", { class: "muted" }, "This prompt was private. Nothing of it was kept.")));
  }
  return h("article", { "aria-labelledby": "detail-title" }, recordHead(app, record), body);
}

// What happened shortly before and after `record`; filled in when it is known, and left out when
// there is nothing or it cannot be had: the record is what was asked for.
export async function fillAround(app, place, record, signal) {
  try {
    const { items = [] } = await ask("/api/timeline",
      { anchor: record.key, project: record.project, depth_before: 3, depth_after: 3, format: "json" }, { signal });
    if (items.length < 2) return;
    clear(place, part("Around it", h("ol", { class: "story" }, items.map((each) => {
      const type = each.entry_type === "session" ? "summary" : each.entry_type;
      const at = msOf(each.created_at);
      return h("li", { class: typeClass({ type }), "aria-current": each.is_anchor ? "true" : undefined },
        icon(ICONS[type] ? type : "other"),
        each.is_anchor ? h("strong", {}, each.title) : h("a", { href: app.link("feed", { ...app.parameters, id: each.id }) }, each.title),
        h("time", { title: wholeTime(at) }, shortTime(at)));
    }))));
  } catch { /* the rest is shown */ }
}
