// time.js - a map with a slider of time: what each stretch of commits changed, what was not there yet,
// and whether one person or several changed a file. No names: the worker sends none.

import { button, h, plural, segments } from "./page.js";
import { ask } from "./worker.js";
import { fileLink, sideBox } from "./code.js";
import { mapView } from "./map.js";

const STRETCH = 30;  // commits
const MOST_ROWS = 12;
const FRAME_MS = 120;
const KINDS = {
  "": { changed: `Changed in these ${STRETCH} commits`, affected: "Changed before", later: "Not there yet" },
  people: { noted: "Changed by one person", test: "By several", later: "Not there yet" },
};
const dayOf = (seconds) => new Date(seconds * 1000).toLocaleDateString(undefined, { year: "numeric", month: "short", day: "numeric" });

// The marks of the first `shown` of the commits, by paths.
function marksAt({ files, commits }, shown, by) {
  const marks = new Map(), lately = new Map(), people = new Map();
  commits.forEach(({ author, changed, added }, i) => {
    if (i >= shown) {
      for (const each of added) marks.set(files[each], { kind: "later" });
      return;
    }
    for (const each of changed) {
      const path = files[each];
      people.set(path, (people.get(path) ?? new Set()).add(author));
      if (i >= shown - STRETCH) lately.set(path, (lately.get(path) ?? 0) + 1);
    }
  });
  for (const [path, authors] of people) {
    // A file that was removed and came back later is there.
    marks.set(path, { kind: by === "people" ? (authors.size > 1 ? "test" : "noted") : lately.has(path) ? "changed" : "affected" });
  }
  return { marks, lately };
}

export function timeView(app) {
  let times = null, shown = 0, by = "", mark = null, timer = 0;
  const when = h("output", { class: "told", for: "time-slider" });
  const slider = h("input", { type: "range", id: "time-slider", class: "time-slider", min: "1", "aria-label": "Commits shown",
    oninput: () => move(Number(slider.value)), onchange: () => { stop(); keep(); } });
  const play = button("Play", { image: "play", kind: "quiet small", onclick: () => (timer ? stop() : start()) });

  function sideOf(lately) {
    const stretch = times.commits.slice(Math.max(0, shown - STRETCH), shown);
    const people = new Set(stretch.map((each) => each.author));
    const rows = [...lately].sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1));
    return [
      h("p", { class: "note muted" }, `${dayOf(stretch[0].time)} to ${dayOf(stretch.at(-1).time)}: commits of ${plural(people.size, "person", "people")}.${times.shallow ? " The clone has no older commits." : ""}`),
      sideBox("Changed most in them", rows.map(([path, number]) => h("li", { class: "ranked" }, fileLink(app, path), h("span", { class: "ranked-number" }, String(number)))),
        { most: MOST_ROWS, empty: "These commits changed no file of the map." }),
    ];
  }
  function found() {
    const { marks, lately } = marksAt(times, shown, by);
    slider.max = String(times.commits.length);
    slider.value = String(shown);
    const text = `${dayOf(times.commits[shown - 1].time)}, commit ${shown} of ${times.commits.length}`;
    slider.setAttribute("aria-valuetext", text);
    when.textContent = text;
    return { marks, side: sideOf(lately) };
  }
  function move(wanted) {
    shown = wanted;
    mark?.(found());
  }
  const keep = () => app.set({ at: shown === times.commits.length ? "" : String(shown) }, { replace: true });
  function start() {
    if (!times) return;
    if (shown === times.commits.length) shown = 1;
    play.setAttribute("aria-pressed", "true");
    timer = setInterval(() => {
      if (!slider.isConnected) { stop(); return; }
      move(Math.min(times.commits.length, shown + Math.max(1, Math.round(times.commits.length / 200))));
      if (shown === times.commits.length) { stop(); keep(); }
    }, FRAME_MS);
  }
  function stop() {
    clearInterval(timer);
    timer = 0;
    play.setAttribute("aria-pressed", "false");
  }
  return mapView(app, {
    id: "time",
    get kinds() { return KINDS[by]; },
    same: (a, b) => (a.by ?? "") === (b.by ?? "") && (a.at ?? "") === (b.at ?? ""),
    async load({ at, by: wanted }, signal) {
      if (!times || !app.sameRepo(times.repo)) {
        times = null;
        const answer = await ask("/api/code/time", { repo: app.repo }, { signal });
        if (answer.missing) return { marks: new Map(), side: h("p", { class: "note", role: "status" }, answer.missing === "being counted" ? "The commits are being read." : `No commits: ${answer.missing}.`), again: answer.missing === "being counted" };
        times = answer;
      }
      by = wanted === "people" ? wanted : "";
      shown = Math.min(times.commits.length, Math.max(1, Number(at) || times.commits.length));
      return found();
    },
    forget() { times = null; },
    bar(current, redraw) {
      mark = redraw;
      return [slider, when, play, segments("Colour by", [["", "Changes"], ["people", "People"]], current.by ?? "", (value) => app.set({ by: value }, { replace: true }))];
    },
  });
}
