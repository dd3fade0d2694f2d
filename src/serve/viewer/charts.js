// charts.js - how something went over time: bars for how many, a line below for how long.
//
// Charts of one group share the moment that is pointed at. Each is one stop of the tab key; the
// left and right arrows move the moment.

import { clear, clockTime, compact, count, duration, h, secondsTime, svg } from "./page.js";

export class ChartGroup {
  #charts = new Set();
  add(chart) { this.#charts.add(chart); }
  clear() {
    for (const chart of this.#charts) chart.destroy();
    this.#charts.clear();
  }
  point(index) { for (const chart of this.#charts) chart.mark(index); }
}

// A round number at or above `value`: 1, 2, 5, 10, 20, ...
function roundUp(value) {
  if (value <= 0) return 1;
  const power = 10 ** Math.floor(Math.log10(value));
  return [1, 2, 5, 10].map((each) => each * power).find((each) => each >= value - 1e-9);
}

export class TrendChart {
  static BARS = 84;
  static LINE = 46;
  static LEFT = 46;
  static RIGHT = 8;

  // bars and line: {name, of(bucket), format, color}; line may be left out.
  constructor(group, { title, buckets, bucketSec, bars, line, total }) {
    Object.assign(this, { group, title, buckets, bucketSec, bars, line });
    this.index = -1;
    this.told = h("span", { class: "chart-told" });
    this.plot = h("div", {
      class: "chart-plot", tabindex: "0", role: "img",
      onpointermove: (event) => this.#point(event),
      onpointerleave: () => group.point(-1),
      onblur: () => group.point(-1),
      onkeydown: (event) => this.#key(event),
    });
    this.element = h("figure", { class: "chart" },
      h("figcaption", {}, h("span", { class: "chart-title" }, title),
        h("strong", { class: "chart-total" }, total), this.told),
      this.plot);
    const sum = buckets.reduce((all, each) => all + bars.of(each), 0);
    const most = Math.max(0, ...buckets.map(bars.of));
    this.plot.setAttribute("aria-label",
      `${title}: ${count(sum)} in ${buckets.length} steps of ${duration(bucketSec)}, at most ${count(most)} in one. Arrow keys read the steps.`);
    this.live = h("span", { class: "unseen", role: "status" });
    this.element.append(this.live);
    this.watcher = new ResizeObserver(() => this.#draw());
    this.watcher.observe(this.plot);
    group.add(this);
  }
  destroy() { this.watcher.disconnect(); }

  #draw() {
    const width = Math.floor(this.plot.clientWidth);
    if (width < 60 || width === this.width) return;
    this.width = width;
    const { BARS, LINE, LEFT, RIGHT } = TrendChart;
    const size = this.buckets.length;
    const height = BARS + (this.line ? LINE + 12 : 0) + 20;
    const span = width - LEFT - RIGHT;
    const step = span / Math.max(1, size);
    const x = (i) => LEFT + i * step;
    this.x = x;
    this.step = step;
    const parts = [];

    const grid = (top, space, most, format) => {
      for (const share of [0, 0.5, 1]) {
        const y = Math.round(top + space * (1 - share)) + 0.5;
        parts.push(svg("line", { class: share ? "grid" : "grid base", x1: LEFT, x2: width - RIGHT, y1: y, y2: y }));
        // Half of an odd number of things is none.
        if (format === compact && !Number.isInteger(most * share)) continue;
        if (share) parts.push(svg("text", { class: "tick", x: LEFT - 6, y: y + 3.5, "text-anchor": "end" }, format(most * share)));
      }
    };
    const most = roundUp(Math.max(0, ...this.buckets.map(this.bars.of)));
    grid(6, BARS - 6, most, compact);
    const gap = step > 5 ? Math.min(2, step * 0.25) : step > 2 ? 0.75 : 0;
    let path = "";
    this.buckets.forEach((bucket, i) => {
      const value = this.bars.of(bucket);
      if (!(value > 0)) return;
      const tall = Math.max(1, (BARS - 6) * value / most);
      path += `M${(x(i) + gap / 2).toFixed(2)} ${BARS}v${(-tall).toFixed(2)}h${Math.max(0.6, step - gap).toFixed(2)}v${tall.toFixed(2)}z`;
    });
    parts.push(svg("path", { class: `bars ${this.bars.color}`, d: path }));

    if (this.line) {
      const top = BARS + 12;
      const high = roundUp(Math.max(0, ...this.buckets.map((each) => this.line.of(each) ?? 0)));
      grid(top, LINE, high, this.line.format);
      let line = "", points = "", drawing = false;
      this.buckets.forEach((bucket, i) => {
        const value = this.line.of(bucket);
        const has = this.bars.of(bucket) > 0 && value > 0;
        if (has) {
          const y = (top + LINE - LINE * value / high).toFixed(2);
          const at = (x(i) + step / 2).toFixed(2);
          // A value alone between two gaps is a point.
          const next = this.buckets[i + 1];
          const alone = !drawing && !(next && this.bars.of(next) > 0);
          if (alone) points += `M${at} ${y}h.01`;
          else line += `${drawing ? "L" : "M"}${at} ${y}`;
        }
        drawing = has;
      });
      parts.push(svg("path", { class: `line ${this.line.color}`, d: line }),
        svg("path", { class: `line points ${this.line.color}`, d: points }));
    }

    const marks = Math.max(2, Math.min(6, Math.floor(span / 90)));
    const spanMs = size * this.bucketSec * 1000;
    for (let i = 0; i < marks; ++i) {
      const at = Math.round(i * (size - 1) / (marks - 1));
      if (!this.buckets[at]) continue;
      const time = this.buckets[at].ms;
      const where = i === 0 ? "start" : i === marks - 1 ? "end" : "middle";
      const middle = i === 0 ? LEFT : i === marks - 1 ? width - RIGHT : x(at) + step / 2;
      parts.push(svg("text", { class: "tick", x: middle, y: height - 4, "text-anchor": where },
        spanMs > 0 && spanMs <= 600_000 ? secondsTime(time) : clockTime(time)));
    }
    this.cursor = svg("rect", { class: "cursor", y: 4, height: height - 22, width: Math.max(1, step), x: -99 });
    this.plot.replaceChildren(svg("svg", {
      viewBox: `0 0 ${width} ${height}`, width, height, "aria-hidden": "true",
    }, this.cursor, parts));
    this.mark(this.index);
  }

  #point(event) {
    const at = event.clientX - this.plot.getBoundingClientRect().left - TrendChart.LEFT;
    const index = Math.floor(at / this.step);
    this.group.point(index >= 0 && index < this.buckets.length ? index : -1);
  }
  #key(event) {
    const way = { ArrowLeft: -1, ArrowRight: 1, Home: -Infinity, End: Infinity }[event.key];
    if (way === undefined) return;
    event.preventDefault();
    const last = this.buckets.length - 1;
    const now = this.index < 0 ? (way > 0 && way !== Infinity ? -1 : last + 1) : this.index;
    this.group.point(Math.max(0, Math.min(last, now + way)));
    this.live.textContent = this.told.textContent;
  }
  mark(index) {
    this.index = index;
    const bucket = this.buckets[index];
    this.cursor?.setAttribute("x", bucket ? this.x(index) : -99);
    this.element.classList.toggle("pointed", Boolean(bucket));
    if (!bucket) { this.told.textContent = ""; return; }
    const time = this.bucketSec < 60 ? secondsTime(bucket.ms) : clockTime(bucket.ms);
    const many = this.bars.of(bucket);
    const parts = [time, `${count(many)} ${this.bars.name}`];
    if (this.line && many > 0) parts.push(this.line.format(this.line.of(bucket)));
    this.told.textContent = parts.join("  ·  ");
  }
}
