import { TestWorker, openPage } from "./worker.mjs";
import { fillMemory } from "./setup.mjs";
import { chromium } from "playwright-core";
import { mkdirSync, existsSync } from "node:fs";
const out = "/tmp/wk/shots"; mkdirSync(out, { recursive: true });
const worker = new TestWorker();
await worker.start();
const path = ["/usr/bin/chromium"].find(existsSync);
const browser = await chromium.launch({ executablePath: path });
const repos = { qBittorrent: ["/tmp/r/qBittorrent", "src/base/bittorrent/session.h", "start"], trpc: ["/tmp/r/trpc", "packages/client/src/links/httpBatchLink.ts", "httpBatchLink"], bookwyrm: ["/tmp/r/bookwyrm", "bookwyrm/models/user.py", "User"] };
for (const [root] of Object.values(repos)) { console.log("index", root); worker.index(root); }
await fillMemory(worker);
worker.run("-C", "/tmp/r/bookwyrm", "memory", "save", "User in bookwyrm/models/user.py keeps the key pair", "--title", "Keys of users");
const only = process.argv.slice(2);
for (const [name, [root, file, symbol]] of Object.entries(repos)) {
  const e = encodeURIComponent;
  const views = { map: "", "map-lang": "", deps: "", time: "", "time-people": "", change: "&commit=HEAD", path: `&from=${e(symbol)}`, known: "", feed: "", sessions: "", decisions: "", overview: "", searches: "", timings: "", failures: "", events: "", context: "", file: `&path=${e(file)}`, symbol: `&name=${e(symbol)}&path=${e(file)}`, history: `&name=${e(symbol)}&path=${e(file)}`, unknown: "" };
  for (const theme of ["light", "dark"]) for (const width of [1400, 390]) {
    const context = await browser.newContext({ viewport: { width, height: width === 390 ? 780 : 860 }, colorScheme: theme });
    const page = await context.newPage();
    page.on("pageerror", (error) => console.log("ERROR", name, theme, width, error.message));
    page.on("console", (m) => { if (m.type() === "error") console.log("console", name, m.text().slice(0, 200)); });
    for (const [view, more] of Object.entries(views)) {
      if (only.length && !only.includes(view)) continue;
      const id = view === "map-lang" ? "map" : view === "time-people" ? "time" : view;
      const extra = view === "map-lang" ? "&layer=language" : view === "time-people" ? "&by=people" : more;
      await page.goto(`${worker.origin}/viewer#${id}?repo=${e(root)}${extra}`);
      await page.waitForTimeout(300);
      await page.waitForFunction(() => !document.querySelector(".main .loading"), null, { timeout: 20000 }).catch(() => console.log("loading", name, view));
      await page.waitForTimeout(view.startsWith("time") || view === "map" ? 1500 : 400);
      const wide = await page.evaluate(() => document.documentElement.scrollWidth > innerWidth + 1);
      if (wide) console.log("STICKS OUT", name, view, theme, width);
      await page.screenshot({ path: `${out}/${name}-${view}-${theme}-${width}.png` });
    }
    await context.close();
  }
}
await browser.close(); await worker.remove();
