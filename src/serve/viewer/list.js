// list.js - a list of any length that keeps a screenful of rows in the page.
//
// Rows have known heights, so that their places are sums: what is in sight, and a little around it,
// exists; the rest is room. The list is one stop of the tab key; arrows, j and k move in it.

import { clear, emptyState, h, icon } from "./page.js";

export class LongList {
  static AROUND_PX = 300;

  #items = [];
  #tops = [0];        // the top of each item, and the end
  #rows = new Map();  // key -> element, of those in the page
  #selected = null;   // key
  #frame = 0;

  // options: label; row(item) -> element; height(item); key(item); isHead(item): not to be chosen;
  // onSelect(item, byHand); onOpen(item); onEnd(): more is wanted.
  constructor(options) {
    this.options = options;
    this.room = h("div", { class: "list-room", role: "presentation" });
    this.foot = h("div", { class: "list-foot" });
    this.element = h("div", {
      class: "list", tabindex: "0", role: "region", "aria-label": options.label,
      onscroll: () => this.#later(), onkeydown: (event) => this.#key(event),
    }, this.room, this.foot);
    this.watcher = new ResizeObserver(() => this.#later());
    this.watcher.observe(this.element);
  }
  destroy() {
    this.watcher.disconnect();
    cancelAnimationFrame(this.#frame);
  }

  get items() { return this.#items; }
  get selected() { return this.#items.find((each) => this.options.key(each) === this.#selected); }

  set(items, { keepPlace = false } = {}) {
    const before = keepPlace ? this.#anchor() : null;
    this.#items = items;
    // A listbox must have options.
    this.element.setAttribute("role", items.length ? "listbox" : "region");
    this.#tops = [0];
    for (const item of items) this.#tops.push(this.#tops.at(-1) + this.options.height(item));
    this.room.style.height = `${this.#tops.at(-1)}px`;
    if (before) {
      const index = items.findIndex((each) => this.options.key(each) === before.key);
      if (index >= 0) this.element.scrollTop = this.#tops[index] + before.into;
    }
    this.draw();
  }

  // Rows that look different now.
  redraw() {
    for (const row of this.#rows.values()) row.remove();
    this.#rows.clear();
    this.draw();
  }

  #anchor() {
    const top = this.element.scrollTop;
    if (top < 4 || !this.#items.length) return null;
    const index = this.#at(top);
    return { key: this.options.key(this.#items[index]), into: top - this.#tops[index] };
  }

  #at(y) {
    let low = 0, high = this.#items.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (this.#tops[middle] <= y) low = middle;
      else high = middle - 1;
    }
    return Math.max(0, low);
  }

  #later() {
    this.#frame ||= requestAnimationFrame(() => { this.#frame = 0; this.draw(); });
  }

  draw() {
    const { key, row } = this.options;
    const top = this.element.scrollTop - LongList.AROUND_PX;
    const end = this.element.scrollTop + this.element.clientHeight + LongList.AROUND_PX;
    const size = this.#items.length;
    const first = this.#at(top);
    let last = first;
    while (last < size && this.#tops[last] < end) ++last;
    const kept = new Set(this.#items.slice(first, last).map(key));
    for (const [name, element] of this.#rows) {
      if (kept.has(name)) continue;
      element.remove();
      this.#rows.delete(name);
    }
    // They stand in the page in their order, too, for those who read it by ear.
    let next = this.room.firstChild;
    for (let i = first; i < last; ++i) {
      const item = this.#items[i];
      const name = key(item);
      let element = this.#rows.get(name);
      if (!element) {
        element = row(item);
        element.id ||= `row-${LongList.next++}`;
        if (!this.options.isHead?.(item)) {
          element.setAttribute("role", "option");
          element.addEventListener("click", () => this.#choose(name, true));
        } else {
          element.setAttribute("role", "presentation");
        }
        this.#rows.set(name, element);
      }
      if (element === next) next = next.nextSibling;
      else this.room.insertBefore(element, next);
      element.style.transform = `translateY(${this.#tops[i]}px)`;
      element.style.height = `${this.options.height(item)}px`;
      if (!this.options.isHead?.(item)) {
        element.setAttribute("aria-setsize", size);
        element.setAttribute("aria-posinset", i + 1);
      }
    }
    this.#mark();
    if (this.element.scrollTop + this.element.clientHeight + 600 > this.#tops.at(-1)) {
      this.options.onEnd?.();
    }
  }
  static next = 1;

  #mark() {
    let active = "";
    for (const [name, element] of this.#rows) {
      if (element.getAttribute("role") !== "option") continue;
      element.setAttribute("aria-selected", String(name === this.#selected));
      if (name === this.#selected) active = element.id;
    }
    if (active) this.element.setAttribute("aria-activedescendant", active);
    else this.element.removeAttribute("aria-activedescendant");
  }

  select(name) {
    this.#selected = name;
    this.#mark();
  }

  #choose(name, open) {
    this.select(name);
    const item = this.selected;
    if (!item) return;
    this.options.onSelect?.(item);
    if (open) this.options.onOpen?.(item);
  }

  reveal(index) {
    const top = this.#tops[index], end = this.#tops[index + 1];
    const view = this.element;
    if (top < view.scrollTop) view.scrollTop = index <= 1 ? 0 : top;
    else if (end > view.scrollTop + view.clientHeight) view.scrollTop = end - view.clientHeight;
    this.draw();
  }

  // Moves the choice by `steps` rows, past headings.
  move(steps) {
    if (!this.#items.length) return;
    const isHead = (index) => this.options.isHead?.(this.#items[index]);
    const last = this.#items.length - 1;
    const now = this.#items.findIndex((each) => this.options.key(each) === this.#selected);
    const way = steps < 0 ? -1 : 1;
    let index = now < 0 ? (way > 0 ? 0 : last) : Math.min(last, Math.max(0, now + steps));
    while (index >= 0 && index <= last && isHead(index)) index += way;
    if (index < 0) {
      // Above the first row there is but its heading, which is to be seen, too.
      this.reveal(0);
      index = this.#items.findIndex((_, i) => !isHead(i));
    }
    if (index < 0 || index > last) return;
    this.#choose(this.options.key(this.#items[index]), false);
    this.reveal(index);
  }

  #key(event) {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const page = Math.max(1, Math.floor(this.element.clientHeight / 60));
    const steps = {
      ArrowDown: 1, ArrowUp: -1, PageDown: page, PageUp: -page, Home: -Infinity, End: Infinity,
    }[event.key];
    if (steps !== undefined) {
      event.preventDefault();
      this.move(steps === Infinity ? this.#items.length : steps === -Infinity ? -this.#items.length : steps);
    } else if (event.key === "Enter" && this.selected) {
      event.preventDefault();
      this.options.onOpen?.(this.selected);
    }
  }
}

// A list beside what is chosen of it; on a narrow screen the one covers the other.
export class ListAndDetail {
  constructor(list, { onClose } = {}) {
    this.list = list;
    this.onClose = onClose;
    this.detail = h("section", {
      class: "detail", tabindex: "-1", "aria-label": "Details",
      onkeydown: (event) => {
        if (event.key === "Escape" && !event.defaultPrevented) {
          event.preventDefault();
          event.stopPropagation();
          this.close();
        }
      },
    });
    this.element = h("div", { class: "split" },
      h("div", { class: "split-list" }, list.element), this.detail);
    this.rest();
  }
  rest(hint = "Choose a row to read it here. The arrow keys, or j and k, move through the list.") {
    this.element.classList.remove("open");
    clear(this.detail, emptyState("feed", "Nothing chosen", hint));
  }
  show(...content) {
    clear(this.detail,
      h("button", { type: "button", class: "button back", onclick: () => this.close() },
        icon("back"), h("span", {}, "Back to the list")),
      content);
    this.detail.scrollTop = 0;
  }
  open() {
    this.element.classList.add("open");
    this.detail.focus({ preventScroll: true });
  }
  close() {
    this.element.classList.remove("open");
    this.list.element.focus({ preventScroll: true });
    this.onClose?.();
  }
}
