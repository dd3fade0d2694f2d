// context.js - what a session of a project is told when it begins.

import {
  button, clear, count, emptyState, errorState, h, loadingState, put, soon,
} from "./page.js";
import { ask } from "./worker.js";
import { copyText } from "./records.js";

export function contextView(app) {
  const MOST_BYTES = 9500, MOST_TOKENS = 2000;
  let abort = new AbortController(), shownProject;
  const body = h("div", { class: "page narrow" });
  const element = h("div", { class: "view scroll", tabindex: "0", role: "region", "aria-label": "Injected context" }, body);

  function meter(name, value, most) {
    const fill = h("span", { class: value > most ? "over" : "" });
    fill.style.width = `${Math.min(100, 100 * value / most)}%`;
    return h("div", { class: "meter-row" }, h("span", {}, name),
      h("div", { class: "meter", role: "meter", "aria-label": name, "aria-valuemin": 0, "aria-valuemax": most, "aria-valuenow": value }, fill),
      h("span", { class: "muted" }, `${count(value)} of ${count(most)}`));
  }

  async function load() {
    abort.abort();
    abort = new AbortController();
    const { projects, project: filtered } = app;
    const project = filtered || projects[0];
    shownProject = filtered;
    if (!project) {
      clear(body, emptyState("context", "Nothing to give a session yet",
        "Once something of a project is remembered, this is what its next session is given when it begins."));
      return;
    }
    const text = h("div", {}, loadingState());
    clear(body, h("header", { class: "page-head" },
      h("div", {}, h("h2", {}, `What a new session in ${project} is given`),
        h("p", { class: "muted" }, filtered ? "Given to the coding tool when a session begins, as data and not as instructions."
          : "The project used last; choose another one above.")),
      button("Copy", { image: "copy", onclick: () => copyText(text.textContent, "Context copied") })), text);
    try {
      const given = await ask("/api/context/inject", { project }, { signal: abort.signal, text: true });
      const size = new TextEncoder().encode(given).length;
      clear(text);
      body.querySelector(".page-head").after(h("div", { class: "meters" },
        meter("Bytes", size, MOST_BYTES), meter("Tokens, about", Math.ceil(size / 4), MOST_TOKENS)));
      put(text, {}, h("pre", { class: "context" }, given));
    } catch (error) {
      if (error.name !== "AbortError") clear(text, errorState(error, load));
    }
  }
  const again = soon(load, 3000);
  return {
    element,
    update() { if (shownProject === undefined || shownProject !== app.project) load(); },
    refresh: load,
    event({ kind }) { if (kind === "record.saved" && element.scrollTop < 40) again(); },
    focus: () => element.focus({ preventScroll: true }),
    move: (steps) => element.scrollBy(0, steps * 60),
    destroy() {
      abort.abort();
      again.cancel();
    },
  };
}
