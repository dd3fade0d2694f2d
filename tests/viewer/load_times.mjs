// How long the page takes: `node load_times.mjs FILES...` makes a repository of so many files for
// each number, opens its map five times in a new browser context, and prints the medians in ms.
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

const browser = await openBrowser();
console.log("| files | first paint | map drawn | of it the worker's answer | size of the answer |\n|---|---|---|---|---|");
for (const number of process.argv.slice(2).map(Number)) {
  const worker = new TestWorker();
  try {
    await worker.start();
    const root = join(worker.folder, "files");
    mkdirSync(root);
    makeFiles(root, number);
    worker.index(root);
    const paints = [], maps = [], answers = [];
    let size = 0;
    for (let i = 0; i <= RUNS; ++i) {
      const page = await openPage(browser, worker, { hash: "#map" });
      await page.waitForFunction(() => performance.getEntriesByName("map-drawn").length > 0, null, { timeout: 60_000 });
      const [paint, map, answer, bytes] = await page.evaluate(() => {
        const [asked] = performance.getEntriesByType("resource").filter((each) => each.name.includes("/api/code/map"));
        return [performance.getEntriesByName("first-contentful-paint")[0]?.startTime ?? NaN, performance.getEntriesByName("map-drawn")[0].startTime, asked.duration, asked.encodedBodySize];
      });
      if (i > 0) { paints.push(paint); maps.push(map); answers.push(answer); }  // the first one warms up
      size = bytes;
      await page.context().close();
    }
    console.log(`| ${number} | ${[paints, maps, answers].map((each) => `${Math.round(median(each))} ms`).join(" | ")} | ${Math.round(size / 1024)} KB |`);
  } finally {
    await worker.remove();
  }
}
await browser.close();
