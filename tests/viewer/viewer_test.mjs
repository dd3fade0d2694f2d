// The viewer in a browser, on a real worker whose data came through its own routes: what is
// remembered, and how the worker fares.
//
// CODEXMEM_PROGRAM: the program; CODEXMEM_BROWSER: Chromium, when it is not /usr/bin/chromium;
// CODEXMEM_SHOTS: a folder for pictures of every view.
import assert from "node:assert/strict";
import { readFileSync, readdirSync } from "node:fs";
import { createServer } from "node:http";
import { after, before, test } from "node:test";
import { HOSTILE, HOSTILE_TEXT, VIEWS, fillMemory, goTo as goToView, makeRepository, onPage as checked, row, rows, shoot } from "./setup.mjs";
import { TestWorker, openBrowser, openPage, until } from "./worker.mjs";

const worker = new TestWorker();
let browser;
const onPage = (options, check) => checked(browser, worker, options, check);
const goTo = (page, view, parameters) => goToView(page, worker, view, parameters);

before(async () => {
  await worker.start();
  browser = await openBrowser();
  await fillMemory(worker);
  makeRepository(worker);
});
after(async () => {
  await browser?.close();
  await worker.remove();
});

test("the page has a strict policy, and / leads to it", async () => {
  const reply = await fetch(`${worker.origin}/viewer`);
  const policy = reply.headers.get("content-security-policy");
  assert.match(policy, /^default-src 'none'; script-src 'nonce-[0-9a-f]{32}'; style-src 'nonce-/);
  assert.match(policy, /connect-src 'self'/);
  assert.match(policy, /frame-ancestors 'none'/);
  assert.doesNotMatch(policy, /unsafe|https?:/);
  const [first, second] = [policy, (await fetch(`${worker.origin}/viewer`)).headers.get("content-security-policy")];
  assert.notEqual(first, second, "a nonce is of one answer alone");
  const page = await reply.text();
  assert.doesNotMatch(page, /@nonce@|@viewer_/);
  // The library that colours code has a function that writes markup, which trusted types would stop.
  const sources = new URL("../../src/serve/viewer/", import.meta.url);
  for (const file of readdirSync(sources).filter((each) => each.endsWith(".js"))) {
    assert.doesNotMatch(readFileSync(new URL(file, sources), "utf8"), /innerHTML|outerHTML|insertAdjacentHTML|document\.write|eval\(/, file);
  }
  const root = await fetch(`${worker.origin}/`, { redirect: "manual" });
  assert.equal(root.status, 302);
  assert.equal(root.headers.get("location"), "/viewer");
});

test("every view is shown without a complaint, in light and dark", async () => {
  for (const colorScheme of ["light", "dark"]) {
    await onPage({ colorScheme }, async (page) => {
      for (const view of VIEWS) {
        await goTo(page, view);
        assert.equal(await page.locator(".empty.bad").count(), 0, `${view}: ${await page.locator(".main").innerText()}`);
        await shoot(page, `${colorScheme}-${view}`);
      }
    });
  }
});

test("what is remembered is shown as text, whatever it looks like", async () => {
  await onPage({}, async (page) => {
    await row(page, HOSTILE).click();
    await page.locator(".detail h2", { hasText: HOSTILE }).waitFor();
    assert.ok((await page.locator(".detail .prose").innerText()).includes(HOSTILE_TEXT));
    assert.equal(await page.locator("main img, main script, main b").count(), 0);
    // The browser itself keeps markup out, should a text ever be taken for it.
    assert.match(await page.evaluate(() => {
      try { document.createElement("div").innerHTML = "<i>x</i>"; return "taken"; } catch (error) { return error.message; }
    }), /TrustedHTML/);
    page.wrong.length = 0;
    await page.evaluate(() => { window.breaches = []; });
  });
});

test("a session's prompt, observations and summary are in the feed and in its story", async () => {
  await onPage({}, async (page) => {
    await row(page, "Round the totals of the cart").first().waitFor();
    assert.ok(await rows(page).locator(".row-type", { hasText: "summary" }).count() > 0);
    assert.ok(await rows(page).filter({ hasText: /total|npm test/ }).count() >= 2);
    await goTo(page, "sessions");
    await row(page, "Round the totals of the cart").click();
    await page.locator(".badge", { hasText: "completed" }).waitFor();
    const story = page.locator(".story li");
    await story.first().waitFor();
    assert.ok(await story.count() >= 4);
    await story.filter({ hasText: /total/ }).last().locator("a").click();
    await page.locator(".rail a[data-view=feed][aria-current=page]").waitFor();
    await page.locator(".detail h2").waitFor();
    await page.locator(".part", { hasText: "Around it" }).waitFor();
  });
});

test("a file leads to all that is known of it", async () => {
  await onPage({}, async (page) => {
    await row(page, "Edited src/total.ts").first().click();
    await page.locator(".detail .files a", { hasText: "src/total.ts" }).first().click();
    const filter = page.locator(".chip.removable", { hasText: "src/total.ts" });
    await filter.waitFor();
    await until(async () => await row(page, HOSTILE).count() === 0 && await rows(page).count() >= 1);
    await filter.click();
    await row(page, HOSTILE).waitFor();
    // What is open is in the address, a moment later.
    await row(page, "Invoices are numbered").click();
    await page.waitForURL(/id=\d+/);
    const address = page.url();
    await page.keyboard.press("5");
    await page.locator(".rail a[data-view=decisions][aria-current=page]").waitFor();
    await page.goBack();
    await page.locator(".detail h2", { hasText: "Invoices are numbered" }).waitFor();
    assert.equal(page.url(), address);
  });
});

test("what is saved appears by itself", async () => {
  await onPage({}, async (page) => {
    await row(page, HOSTILE).waitFor();
    await worker.post("/api/memory/save", { title: "Saved while somebody looks", text: "It appears by itself.", project: "shop" });
    await row(page, "Saved while somebody looks").waitFor();
    assert.match(await rows(page).first().innerText(), /Saved while somebody looks/);
    await worker.tellSession("live-session", "shop", "Show me what happens while I look");
    await row(page, "Show me what happens").first().waitFor();
  });
});

test("search finds, tells how many, and is cleared", async () => {
  await onPage({}, async (page) => {
    await rows(page).first().waitFor();
    await page.locator("#search").focus();
    await page.keyboard.type("numbered per year");
    await page.locator(".told", { hasText: "result" }).waitFor();
    assert.match(await rows(page).first().innerText(), /Invoices are numbered per year/);
    await page.waitForURL((url) => new URLSearchParams(url.hash.split("?")[1]).get("q") === "numbered per year");
    await page.reload();
    await row(page, "Invoices are numbered").waitFor();
    assert.equal(await page.locator("#search").inputValue(), "numbered per year");
    await page.locator("#search").fill("zzzqqqxxx");
    await page.locator(".empty", { hasText: "Nothing found" }).waitFor();
    await page.locator("#search").press("Escape");
    await row(page, HOSTILE).waitFor();
    assert.doesNotMatch(page.url(), /q=/);
  });
});

test("filters by project, kind and type narrow the feed, and the address keeps them", async () => {
  await onPage({}, async (page) => {
    await rows(page).first().waitFor();
    await page.locator("select.project").selectOption("billing");
    await row(page, "Invoices").waitFor();
    await until(async () => await rows(page).count() === 1);
    await page.reload();
    await row(page, "Invoices").waitFor();
    assert.equal(await page.locator("select.project").inputValue(), "billing");
    await page.locator("select.project").selectOption("");
    await page.getByRole("button", { name: "Prompts" }).click();
    await row(page, "Round the totals").first().waitFor();
    assert.equal(await rows(page).locator(".row-type").filter({ hasNotText: "prompt" }).count(), 0);
    await page.getByRole("button", { name: "Memories", exact: true }).click();
    await row(page, HOSTILE).waitFor();
    assert.equal(await rows(page).locator(".row-type").filter({ hasNotText: "memory" }).count(), 0);
    await page.getByRole("button", { name: "All", exact: true }).click();
    await page.getByRole("combobox", { name: "Type" }).selectOption("bugfix");
    await until(async () => await rows(page).locator(".row-type").filter({ hasNotText: "bugfix" }).count() === 0);
  });
});

test("the keyboard does it all", async () => {
  await onPage({}, async (page) => {
    await rows(page).nth(1).waitFor();
    const chosen = () => page.locator(".list [aria-selected=true] .row-title").innerText();
    const first = await chosen();
    await page.keyboard.press("j");
    assert.notEqual(await chosen(), first);
    assert.equal(await page.locator(".detail h2").count(), 1);
    await page.keyboard.press("k");
    assert.equal(await chosen(), first);
    assert.equal(await page.evaluate(() => document.activeElement.getAttribute("role")), "listbox");
    assert.ok(await page.evaluate(() => document.getElementById(document.activeElement.getAttribute("aria-activedescendant"))?.getAttribute("aria-selected") === "true"));
    await page.keyboard.press("End");
    await page.keyboard.press("Home");
    assert.equal(await chosen(), first);
    await page.keyboard.press("Enter");
    assert.ok(await page.evaluate(() => document.activeElement.classList.contains("detail")));
    await page.keyboard.press("Escape");
    assert.ok(await page.evaluate(() => document.activeElement.classList.contains("list")));
    for (const [index, view] of VIEWS.slice(0, 10).entries()) {
      await page.keyboard.press(String((index + 1) % 10));
      await page.locator(`.rail a[data-view=${view}][aria-current=page]`).waitFor();
    }
    for (const [key, view] of [["c", "change"], ["w", "path"], ["m", "known"], ["s", "time"]]) {
      await page.keyboard.press(key);
      await page.locator(`.rail a[data-view=${view}][aria-current=page]`).waitFor();
    }
    await page.keyboard.press("?");
    await page.getByRole("dialog", { name: "Keyboard shortcuts" }).waitFor();
    await page.keyboard.press("Escape");
    await until(async () => await page.getByRole("dialog").count() === 0);
    // Every stop of the tab key has a name and can be seen to have the focus.
    await page.keyboard.press("3");
    for (let i = 0; i < 36; ++i) {
      await page.keyboard.press("Tab");
      const stop = await page.evaluate(() => {
        const element = document.activeElement;
        if (element === document.body) return null;
        const style = getComputedStyle(element);
        const inner = element.querySelector("[aria-selected=true]");
        const shown = [style, inner && getComputedStyle(inner)].some((each) => each && each.outlineStyle !== "none" && parseFloat(each.outlineWidth) >= 1);
        const label = element.getAttribute("aria-label") || element.textContent || element.title || element.labels?.[0]?.textContent;
        return { shown, label: Boolean(label?.trim()), html: element.outerHTML.slice(0, 120) };
      });
      if (stop) assert.ok(stop.shown && stop.label, JSON.stringify(stop));
    }
  });
});

test("a memory is written by hand, and secrets are refused", async () => {
  await onPage({ allowed: [/400/] }, async (page) => {
    await page.keyboard.press("n");
    const dialog = page.getByRole("dialog", { name: "New memory" });
    await dialog.waitFor();
    // Put together here, so that no secret stands in a file.
    await dialog.locator("textarea").fill(["the token is ghp", "R9vT2kLq8ZxWc4NbYh6JmPd1SfGaUe3KoQi7"].join("_"));
    await dialog.getByRole("button", { name: "Save" }).click();
    await until(async () => (await dialog.getByRole("alert").innerText()).length > 10);
    await dialog.locator("textarea").fill("Written by hand in the viewer.");
    await dialog.locator("textarea").press("Control+Enter");
    await until(async () => await page.getByRole("dialog").count() === 0);
    await row(page, "Written by hand in the viewer").waitFor();
  });
});

test("decisions are listed with their status", async () => {
  await onPage({ hash: "#decisions" }, async (page) => {
    await row(page, "Totals are rounded half to even").click();
    await page.locator(".badge", { hasText: "active" }).waitFor();
    assert.match(await page.locator(".detail").innerText(), /Banks do so/);
    await page.getByRole("combobox", { name: "Status" }).selectOption("draft");
    await row(page, "Store money as integers").waitFor();
    await until(async () => await rows(page).count() === 1);
    await page.getByRole("combobox", { name: "Status" }).selectOption("rejected");
    await page.locator(".empty", { hasText: "No decision is rejected" }).waitFor();
  });
  assert.equal((await fetch(`${worker.origin}/api/decisions?status=odd`)).status, 400);
  assert.equal((await fetch(`${worker.origin}/api/session-records?sessionDbId=x`)).status, 400);
  assert.equal((await fetch(`${worker.origin}/api/session-records?sessionDbId=999`)).status, 404);
  const page = await worker.get("/api/decisions?limit=1");
  assert.deepEqual([page.items.length, page.hasMore, page.limit, page.offset], [1, true, 1, 0]);
});

test("traces, times and trends tell what happened", async () => {
  await onPage({ hash: "#searches" }, async (page) => {
    await page.locator("td", { hasText: "rounding of totals" }).waitFor();
    await page.getByRole("searchbox", { name: "Query contains" }).fill("invoice");
    await until(async () => await page.locator("tbody tr").count() === 1);
    assert.ok(await page.evaluate(() => document.activeElement.getAttribute("aria-label") === "Query contains"));
    await goTo(page, "timings");
    await page.locator("tbody tr .stack span").first().waitFor();
    assert.ok(await page.locator(".averages .stack span").count() >= 1);
    await page.getByRole("combobox", { name: "Message" }).selectOption("summarize");
    await until(async () => (await page.locator("tbody tr").allInnerTexts()).every((each) => each.includes("summarize")));
    await goTo(page, "overview");
    const plot = page.locator(".chart-plot").first();
    await plot.locator("path.bars").waitFor({ state: "attached" });
    await plot.focus();
    await page.keyboard.press("ArrowLeft");
    assert.match(await page.locator(".chart-told").first().innerText(), /searches/);
    await page.getByRole("button", { name: "24 h" }).click();
    await until(() => page.url().includes("window=86400"));
    await page.locator("dd", { hasText: "sqlite" }).waitFor();
    await page.locator(".provider", { hasText: "rule-based" }).waitFor();
    const panel = (title) => page.locator(".panel").filter({ has: page.getByRole("heading", { name: title, exact: true }) });
    await panel("Settings").locator("code", { hasText: "codexmem config set" }).waitFor();
    await panel("Log").getByText("logs to its terminal").waitFor();
    await panel("Settings").getByRole("link", { name: "What a new session is given" }).click();
    await until(() => page.url().includes("#/context"));
  });
});

test("exports carry the filters and are downloaded", async () => {
  await onPage({ hash: "#searches?find=invoice" }, async (page) => {
    await page.locator("tbody tr").first().waitFor();
    for (const [name, ending] of [["CSV", "csv"], ["NDJSON", "ndjson"]]) {
      const [download] = await Promise.all([page.waitForEvent("download"), page.getByRole("link", { name }).click()]);
      assert.match(download.suggestedFilename(), new RegExp(`\\.${ending}$`));
      const text = readFileSync(await download.path(), "utf8");
      assert.match(text, /invoice numbers/);
      assert.doesNotMatch(text, /rounding of totals/);
    }
  });
});

test("events are told as they come, filtered, paused and read", async () => {
  await onPage({ hash: "#events" }, async (page) => {
    await row(page, "record.saved").first().waitFor();
    await page.keyboard.press("p");
    const before = await rows(page).count();
    await worker.post("/api/memory/save", { text: "Saved while the log is paused.", project: "shop" });
    await page.locator(".told", { hasText: /paused, \d+ events? behind/ }).waitFor();
    await page.waitForFunction(() => !/ 0 events/.test(document.querySelector(".told").textContent));
    assert.equal(await rows(page).count(), before);
    await page.keyboard.press("p");
    await row(page, "record.saved").first().click();
    await page.locator(".detail .snippet", { hasText: '"kind"' }).waitFor();
    await page.getByRole("button", { name: "record.saved" }).click();
    await until(async () => await row(page, "record.saved").count() === 0);
  });
});

test("an address that is none says so, and an odd one of the feed is taken as it is", async () => {
  await onPage({ hash: "#nowhere?q=100%&id=zzz" }, async (page) => {
    await page.locator(".empty", { hasText: "There is no such page" }).waitFor();
    await goTo(page, "feed", "?q=100%&id=zzz");
    assert.equal(await page.locator("#search").inputValue(), "100%");
  });
});

test("light and dark follow the system, or what was chosen", async () => {
  await onPage({ colorScheme: "dark" }, async (page) => {
    const background = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
    const dark = await background();
    await page.keyboard.press("t");
    const light = await background();
    assert.notEqual(dark, light);
    await page.reload();
    assert.equal(await background(), light);
    await page.keyboard.press("t");
    assert.equal(await background(), dark);
  });
});

test("a burst of what is saved leaves no gap, and what is read stays in its place", async () => {
  await onPage({ hash: "#feed?project=burst" }, async (page) => {
    await page.locator(".empty", { hasText: "Nothing of this kind" }).waitFor();
    const save = (i) => worker.post("/api/memory/save", { title: `Burst ${i}`, text: `What came as number ${i}.`, project: "burst" });
    await save(0);
    await row(page, "Burst 0").waitFor();
    // More at once than a page of the list holds.
    await Promise.all(Array.from({ length: 8 }, async (_, k) => { for (let i = 1 + k; i <= 240; i += 8) await save(i); }));
    const tall = () => page.locator(".list-room").evaluate((each) => parseFloat(each.style.height));
    await until(async () => await tall() === 32 + 241 * 54);
    const list = page.locator(".list");
    await list.evaluate((each) => { each.scrollTop = 3000; });
    const seen = () => page.evaluate(() => {
      const list = document.querySelector(".list").getBoundingClientRect();
      return document.elementFromPoint(list.left + 40, list.top + 200).closest(".row")?.textContent;
    });
    await page.waitForTimeout(100);
    const before = await until(seen);
    await save(999);
    await page.getByRole("button", { name: "1 new record" }).click();
    await row(page, "Burst 999").waitFor();
    await list.evaluate((each) => { each.scrollTop = 3000 + 54; });
    await until(async () => await seen() === before);
  });
});

test("thousands of records keep a screenful in the page", async () => {
  const observations = Array.from({ length: 3000 }, (_, i) => ({
    memory_session_id: `bulk-${i % 20}`, project: "bulk", type: "discovery", title: `Bulk record ${i}`,
    narrative: `What was seen as number ${i}.`, created_at_epoch: Date.now() - (i + 1) * 60_000,
  }));
  for (let i = 0; i < observations.length; i += 500) await worker.post("/api/import", { observations: observations.slice(i, i + 500) });
  await onPage({ hash: "#feed?project=bulk" }, async (page) => {
    await row(page, "Bulk record 0").first().waitFor();
    const list = page.locator(".list");
    for (let i = 0; i < 1000; ++i) {
      const end = await list.evaluate((each) => {
        each.scrollTop = each.scrollHeight;
        return each.textContent.includes("That is where it begins");
      });
      assert.ok(await rows(page).count() < 60);
      if (end) break;
      await page.waitForTimeout(20);
    }
    await page.locator(".end", { hasText: "That is where it begins" }).waitFor();
    await list.evaluate((each) => { each.scrollTop = each.scrollHeight; });
    await row(page, "Bulk record 2999").waitFor();
    await list.press("Home");
    await row(page, "Bulk record 0").first().waitFor();
    assert.ok(await page.evaluate(() => document.querySelectorAll("*").length) < 2000);
  });
});

test("what failed is told with its class, and tried again", async () => {
  // A model that refuses the key: what it was asked for fails at once, as nothing may take its place.
  const model = createServer((request, reply) => {
    request.resume();
    reply.writeHead(401, { "Content-Type": "application/json" }).end('{"error":{"message":"no such key"}}');
  });
  await new Promise((done) => model.listen(0, "127.0.0.1", done));
  const other = new TestWorker();
  await other.start({ environment: { CODEXMEM_PROVIDER: "openai", CODEXMEM_FALLBACK: "none", CODEXMEM_TOKEN_BUDGET: "5000",
    CODEXMEM_OPENAI_MODEL: "small-model", CODEXMEM_OPENAI_BASE_URL: `http://127.0.0.1:${model.address().port}/v1`, CODEXMEM_OPENAI_API_KEY: "a-key" } });
  const page = await openPage(browser, other, { hash: "#failures" });
  try {
    await other.tellSession("refused");
    await page.locator("tbody tr .chip", { hasText: "auth" }).first().waitFor();
    await page.locator(".queue-part.bad", { hasText: "failed" }).waitFor();
    await page.locator(".provider", { hasText: "small-model" }).waitFor();
    await shoot(page, "failed");
    await page.locator(".class", { hasText: "auth" }).click();
    await until(() => page.url().includes("error=auth"));
    await page.getByRole("combobox", { name: "Class" }).selectOption("timeout");
    await page.locator(".empty", { hasText: "No failure to show" }).waitFor();
    await page.getByRole("button", { name: "Retry all failed" }).click();
    await page.locator(".toast", { hasText: "will be tried again" }).waitFor();
    assert.deepEqual(page.wrong, []);
  } finally {
    await page.context().close();
    await other.remove();
    model.close();
  }
});

test("an empty memory says what to do", async () => {
  const other = new TestWorker();
  await other.start();
  const page = await openPage(browser, other, { hash: "#feed", allowed: [/404/] });
  try {
    await page.locator(".empty", { hasText: "Nothing remembered yet" }).waitFor();
    for (const view of VIEWS) {
      await page.goto(`${other.origin}/viewer#${view}`);
      await page.locator(`.rail a[data-view=${view}][aria-current=page]`).waitFor();
      await page.waitForFunction(() => !document.querySelector(".main .loading"));
      await shoot(page, `empty-${view}`);
      if (view !== "overview" && view !== "events") await page.locator(".main .empty").first().waitFor();
    }
    assert.deepEqual(page.wrong, []);
  } finally {
    await page.context().close();
    await other.remove();
  }
});

// Last: it takes the worker away.
test("a worker that goes and comes back is noticed, and nothing is missed", async () => {
  await onPage({ allowed: [/ERR_|Failed to load/] }, async (page) => {
    await rows(page).first().waitFor();
    const { port } = worker;
    await worker.stop();
    await page.locator(".connection", { hasText: "Worker away" }).waitFor();
    await page.keyboard.press("r");
    await page.locator(".empty.bad", { hasText: "does not answer" }).waitFor();
    await worker.start({ port });
    assert.equal(worker.port, port);
    await worker.post("/api/memory/save", { title: "Saved after the restart", text: "Nothing is missed.", project: "shop" });
    await page.locator(".connection", { hasText: "Live" }).waitFor();
    await row(page, "Saved after the restart").waitFor();
    await worker.post("/api/memory/save", { title: "And live again", text: "Events flow.", project: "shop" });
    await row(page, "And live again").waitFor();
  });
});
