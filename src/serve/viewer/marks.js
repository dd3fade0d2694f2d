// marks.js - maps with marks: what a change touches, and what memory knows of the files.

import { clear, code, count, h, icon, plural, segments } from "./page.js";
import { ask } from "./worker.js";
import { fileLink, recordRows, sideBox } from "./code.js";
import { decisionRows } from "./file.js";
import { mapView } from "./map.js";

// A file has the first mark that it was given.
const addMarks = (marks, paths, kind, pins) => { for (const path of paths) if (!marks.has(path)) marks.set(path, { kind, pins }); };
const muted = (text) => h("span", { class: "muted note" }, text);
const countOf = (number, one) => number > 0 && plural(number, one);

export function changeView(app) {
  const rows = (list, place) => list.map((each) => h("li", { class: "mark-row" }, place(each)));
  function sideOf({ answer, files = [], stale = [] }) {
    const { changed, broken, tests, affected, changedTogether, memories, run, lessLikelyTests = [], notSeen = [], omitted } = answer;
    if (!files.length) return h("p", { class: "note" }, "Nothing has changed since then.");
    const left = Object.entries(omitted ?? {}).map(([part, number]) => `${count(number)} of ${part}`).join(", ");
    return [
      h("p", { class: "note muted" }, [plural(answer.changedFiles ?? files.length, "file"), countOf(changed.length, "definition"), countOf(broken.length, "problem")].filter(Boolean).join(", ")),
      sideBox("Broken", rows(broken, (each) => [h("span", { class: "bad-text" }, each.message), fileLink(app, each.file.path, each.line)])),
      sideBox("Tests to run", [run.length > 0 && h("li", {}, code(run.join("\n"))), ...rows(tests, (each) => [fileLink(app, each.path), muted(each.why)])].filter(Boolean), { most: 6, total: tests.length, empty: "No test is known for this." }),
      sideBox("Less likely tests", rows(lessLikelyTests, (each) => fileLink(app, each)), { most: 3 }),
      sideBox("Changed", rows(changed, (each) => [h("span", { class: "symbol-name" }, each.symbol), muted(each.change ?? ""), fileLink(app, each.file.path, each.line)]), { most: 8 }),
      sideBox("Uses what changed", rows(affected, (each) => [h("span", { class: "symbol-name" }, each.symbol || "the file"), muted(`uses ${each.uses}`), fileLink(app, each.file.path, each.line)]), { most: 8 }),
      sideBox("Usually changes too", rows(changedTogether, (each) => [fileLink(app, each.path), muted(each.why)]), { most: 6 }),
      sideBox("Memories", rows(memories, (each) => [each.title ?? each.text ?? each.id, each.stale && h("span", { class: "chip warn" }, "the code has changed since")]), { most: 4 }),
      sideBox("Not seen", [...notSeen, left && `Left out: ${left}`, stale.length > 0 && `Not indexed in time: ${stale.join(", ")}`].filter(Boolean).map((each) => h("li", { class: "muted" }, each))),
    ];
  }
  return mapView(app, {
    id: "change", kinds: { changed: "Changed", test: "Tests to run", affected: "Uses what changed" },
    same: (a, b) => a.since === b.since && a.staged === b.staged && a.commit === b.commit,
    async load({ since, staged, commit }, signal) {
      const found = await ask("/api/code/change", { repo: app.repo, since, staged, commit }, { signal });
      const { changed, tests, affected } = found.answer;
      const marks = new Map();
      addMarks(marks, [...found.files ?? [], ...changed.map((each) => each.file.path)], "changed");
      addMarks(marks, tests.map((each) => each.path), "test");
      addMarks(marks, affected.map((each) => each.file.path), "affected");
      return { marks, side: sideOf(found) };
    },
    bar(current) {
      const revision = (name, title, label, placeholder) => {
        const input = h("input", { type: "text", class: "field short", value: current[name] ?? "", placeholder, "aria-label": label, spellcheck: "false" });
        return h("form", { class: "ask-form", onsubmit: (event) => { event.preventDefault(); app.set({ since: "", commit: "", staged: "", [name]: input.value.trim() }); } },
          h("label", { class: "choice" }, h("span", { class: "choice-name" }, title), input));
      };
      return [revision("commit", "Commit", "What a commit changed", "HEAD"), revision("since", "Since", "Changed since", "the last commit"),
        segments("What changed", [["", "All changes"], ["1", "Staged"]], current.staged ?? "", (staged) => app.set({ staged, since: "", commit: "" }, { replace: true }))];
    },
  });
}

export function knownView(app) {
  const isStale = (file) => [...file.memories, ...file.decisions].some((each) => each.stale);
  return mapView(app, {
    id: "memory", kinds: { stale: "Changed since it was noted", noted: "Noted, and still so" },
    same: () => true,
    async load(_, signal) {
      const { files, cut } = await ask("/api/code/known", { repo: app.repo }, { signal });
      const marks = new Map();
      for (const each of files) addMarks(marks, [each.path], isStale(each) ? "stale" : "noted", each.memories.length + each.decisions.length);
      const sorted = files.toSorted((a, b) => isStale(b) - isStale(a) || marks.get(b.path).pins - marks.get(a.path).pins);
      return { marks, side: [
        !files.length && h("p", { class: "note" }, "No memory or decision names a file of this repository yet."),
        sorted.map((each) => h("section", { class: "side-box" }, h("h3", {}, fileLink(app, each.path)),
          h("ul", { class: "side-rows" }, recordRows(app, each.memories), decisionRows(app, each.decisions)))),
        cut > 0 && h("p", { class: "muted note" }, `${plural(cut, "more note")} are not shown.`)] };
    },
  });
}
