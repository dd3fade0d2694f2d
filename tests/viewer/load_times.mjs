// How long the page takes: `node load_times.mjs FILES...` makes a repository of so many files for
// each number, opens its map five times in a new browser context, and prints the medians in ms; then zooms into the
// map and out for two seconds and counts the frames.
// CODEXMEM_PROGRAM and CODEXMEM_BROWSER as for the tests.
import { execFileSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { TestWorker, openBrowser, openPage } from "./worker.mjs";

const RUNS = 5;
const median = (values) => values.sort((a, b) => a - b)[values.length >> 1];

function makeFiles(root, number) {
  for (let i = 0; i < number; ++i) {
    const path = join(root, `area_${i % 7}`, `part_${Math.floor(i / 7) % 60}`, `group_${Math.floor(i / 420) % 4}`, `file_${i}.py`);
    mkdirSync(dirname(path), { recursive: true });
    const lines = [`"""File ${i}."""`, `from file_${(i * 7 + 1) % number} import work_${(i * 7 + 1) % number}`, ""];
    for (let k = 0; k < 4 + i % 9; ++k) lines.push(`def work_${i}${k ? `_${k}` : ""}(value):`, `    """Does part ${k}."""`, `    return work_${(i * 7 + 1) % number}(value) + ${k}`, "");
    writeFileSync(path, lines.join("\n"));
  }
  const git = (...given) => execFileSync("git", ["-c", "user.name=T", "-c", "user.email=t@example.org", "-C", root, ...given], { stdio: "ignore" });
  git("init", "-q");
  git("add", "-A");
  git("commit", "-qm", "feat: files");
}

// Turns the wheel once in each frame. Returns frames in a second, and how long drawing one takes: the median.
const zoomFrames = (page) => page.evaluate(async () => {
  const pad = document.querySelector(".map-pad");
  const { left, top, width, height } = pad.getBoundingClientRect();
  const frame = () => new Promise((done) => requestAnimationFrame(done));
  const times = [await frame()], drawing = [];
  while (times.at(-1) - times[0] < 2000) {
    const deltaY = (times.at(-1) - times[0]) % 1000 < 500 ? -60 : 60;
    const begin = new Promise((done) => requestAnimationFrame(() => done(performance.now())));
    pad.dispatchEvent(new WheelEvent("wheel", { deltaY, clientX: left + width * 0.3, clientY: top + height * 0.4, bubbles: true, cancelable: true }));
    const end = new Promise((done) => requestAnimationFrame((time) => done([time, performance.now()])));
    const [time, now] = await end;
    times.push(time);
    drawing.push(now - await begin);
  }
  drawing.sort((a, b) => a - b);
  return [drawing.length * 1000 / (times.at(-1) - times[0]), drawing[drawing.length >> 1]];
});

const browser = await openBrowser();
console.log("| files | first paint | map drawn | of it the worker's answer | size of the answer | frames a second while zooming | drawing one |\n|---|---|---|---|---|---|---|");
for (const number of process.argv.slice(2).map(Number)) {
  const worker = new TestWorker();
  try {
    await worker.start();
    const root = join(worker.folder, "files");
    mkdirSync(root);
    makeFiles(root, number);
    worker.index(root);
    const paints = [], maps = [], answers = [];
    let size = 0, frames = [];
    for (let i = 0; i <= RUNS; ++i) {
      const page = await openPage(browser, worker, { hash: "#map" });
      await page.waitForFunction(() => performance.getEntriesByName("map-drawn").length > 0, null, { timeout: 60_000 });
      const [paint, map, answer, bytes] = await page.evaluate(() => {
        const [asked] = performance.getEntriesByType("resource").filter((each) => each.name.includes("/api/code/map"));
        return [performance.getEntriesByName("first-contentful-paint")[0]?.startTime ?? NaN, performance.getEntriesByName("map-drawn")[0].startTime, asked.duration, asked.encodedBodySize];
      });
      if (i > 0) { paints.push(paint); maps.push(map); answers.push(answer); }  // the first one warms up
      size = bytes;
      if (i === RUNS) frames = await zoomFrames(page);
      await page.context().close();
    }
    console.log(`| ${number} | ${[paints, maps, answers].map((each) => `${Math.round(median(each))} ms`).join(" | ")} | ${Math.round(size / 1024)} KB | ${frames[0].toFixed(0)} | ${frames[1].toFixed(1)} ms |`);
  } finally {
    await worker.remove();
  }
}
await browser.close();
