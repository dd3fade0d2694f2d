// The views of the code in a browser, on a real worker and a small repository: the map, the graph
// of imports, files, symbols, and what finds them.
import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { HOSTILE_FILE, fillMemory, goTo as goToView, makeRepository, onPage as checked, row, shoot } from "./setup.mjs";
import { TestWorker, openBrowser, openPage, until } from "./worker.mjs";

const worker = new TestWorker();
let browser, root, other;
const onPage = (options, check) => checked(browser, worker, options, check);
const goTo = (page, view, parameters) => goToView(page, worker, view, parameters);

before(async () => {
  await worker.start({ environment: { CODEXMEM_ROLE: "admin" } });
  browser = await openBrowser();
  await fillMemory(worker);
  other = makeRepository(worker, "second");
  root = makeRepository(worker);
});
after(async () => {
  await browser?.close();
  await worker.remove();
});
const at = (path) => page => page.waitForURL((url) => new URLSearchParams(url.hash.split("?")[1]).get("path") === path);
const drawn = (page) => page.waitForFunction(() => {
  const canvas = document.querySelector(".map-pad canvas");
  return canvas && canvas.width > 300 && document.querySelector(".map-strip")?.textContent.includes("files");
});

test("the map is home: it tells the numbers, and a folder is entered and left by keys", async () => {
  await onPage({ hash: "" }, async (page) => {
    await page.locator(".rail a[data-view=map][aria-current=page]").waitFor();
    await drawn(page);
    await page.locator(".side h2", { hasText: "cart" }).waitFor();
    await page.locator(".side-box h3", { hasText: "Most changed" }).waitFor();
    await page.locator(".map-pad").focus();
    await page.keyboard.press("Home");
    // The largest is the first: src, of which the live region tells the numbers.
    await page.locator(".map > [role=status]", { hasText: /^src, folder, \d+ files, [\d,]+ lines/ }).waitFor({ state: "attached" });
    assert.ok(await page.locator(".map-ring").isVisible());
    await page.keyboard.press("Enter");
    await at("src")(page);
    await page.locator(".crumbs [aria-current=page]", { hasText: "src" }).waitFor();
    await page.locator(".side h2", { hasText: "src" }).waitFor();
    assert.ok(await page.evaluate(() => document.activeElement.classList.contains("map-pad")));
    const first = page.locator(".map > [role=status]");
    await page.keyboard.press("Home");
    const before_ = await first.textContent();
    await page.keyboard.press("ArrowRight");
    await until(async () => await first.textContent() !== before_);
    await page.keyboard.press("Backspace");
    await page.waitForURL((url) => !url.hash.includes("path=src"));
    await page.goBack();
    await page.locator(".side h2", { hasText: "src" }).waitFor();
    await page.locator(".crumbs a", { hasText: "cart" }).click();
    await page.locator(".side h2", { hasText: "cart" }).waitFor();
  });
});

test("the pointer reads a tile and opens a file", async () => {
  await onPage({ hash: "#map?path=src" }, async (page) => {
    await drawn(page);
    const pad = await page.locator(".map-pad").boundingBox();
    // The long file takes most of the map.
    await page.mouse.move(pad.x + pad.width / 3, pad.y + pad.height / 3);
    await page.locator(".map-strip", { hasText: "long.py" }).waitFor();
    assert.ok(await page.locator(".map-hover").isVisible());
    await page.mouse.click(pad.x + pad.width / 3, pad.y + pad.height / 3);
    await at("src/long.py")(page);
    await page.locator(".code-block", { hasText: "value_0 = 0" }).waitFor();
  });
});

test("a layer colours the map, and the address keeps it", async () => {
  await onPage({ hash: "#map" }, async (page) => {
    await drawn(page);
    const picture = () => page.evaluate(() => document.querySelector(".map-pad canvas").toDataURL());
    await page.locator(".side-box h3", { hasText: "Most changed" }).waitFor();
    const churn = await picture();
    for (const [name, title] of [["Language", "Languages by lines"], ["Fan-in", "Most imported"], ["Tests", "Most tested"]]) {
      await page.getByRole("button", { name, exact: true }).click();
      await page.locator(".side-box h3", { hasText: title }).waitFor();
    }
    await page.getByRole("button", { name: "Language", exact: true }).click();
    assert.notEqual(await picture(), churn);
    assert.match(page.url(), /layer=language/);
    await page.reload();
    await page.locator(".side-box h3", { hasText: "Languages by lines" }).waitFor();
  });
});

test("until churn is counted the colours are the languages, and manifests are folded", async () => {
  await onPage({ hash: "#feed" }, async (page) => {
    let isCounted = false;
    await page.route("**/api/code/map*", async (way) => {
      const reply = await way.fetch();
      const json = await reply.json();
      if (!isCounted) json.layers.churn = { max: 0, unit: "commits", missing: "being counted" };
      await way.fulfill({ response: reply, json });
    });
    await goTo(page, "map");
    await page.locator(".side [role=status]", { hasText: "being counted" }).waitFor();
    await page.locator(".side-box h3", { hasText: "Languages by lines" }).waitFor();
    const picture = () => page.evaluate(() => document.querySelector(".map-pad canvas").toDataURL());
    const before_ = await picture();
    const colour = await page.evaluate(() => {
      const canvas = document.querySelector(".map-pad canvas");
      return [...canvas.getContext("2d").getImageData(canvas.width / 4, canvas.height / 2, 1, 1).data];
    });
    assert.ok(Math.max(...colour.slice(0, 3)) - Math.min(...colour.slice(0, 3)) > 40, `a tile without colour: ${colour}`);
    isCounted = true;
    await page.locator(".side-box h3", { hasText: "Most changed" }).waitFor();
    assert.notEqual(await picture(), before_);
    const box = page.locator(".side-box").filter({ has: page.locator("h3", { hasText: "Most changed" }) });
    await box.locator(".ranked", { hasText: "total.py" }).first().waitFor();
    assert.equal(await box.locator(".ranked", { hasText: "package.json" }).isVisible(), false);
    await box.locator("summary").click();
    assert.ok(await box.locator(".ranked", { hasText: "package.json" }).isVisible());
  });
});

test("the map is zoomed by keys, and saved as SVG and PNG", async () => {
  await onPage({ hash: "#map?layer=language" }, async (page) => {
    await drawn(page);
    const picture = () => page.evaluate(() => document.querySelector(".map-pad canvas").toDataURL());
    const whole = await picture();
    await page.locator(".map-pad").focus();
    await page.keyboard.press("+");
    await until(async () => await picture() !== whole);
    await page.keyboard.press("0");
    await until(async () => await picture() === whole);
    const saved = async (name) => {
      const [file] = await Promise.all([page.waitForEvent("download"), page.getByRole("button", { name }).click()]);
      return [file.suggestedFilename(), readFileSync(await file.path())];
    };
    const [svgName, svg] = await saved("SVG");
    assert.equal(svgName, "cart-map.svg");
    assert.match(svg.toString(), /^<svg xmlns=.*<text[^>]*>long\.py<\/text>/);
    const [pngName, png] = await saved("PNG");
    assert.equal(pngName, "cart-map.png");
    assert.equal(png.subarray(1, 4).toString(), "PNG");
    await goTo(page, "deps", "?path=src/shop");
    await page.locator(".graph .node").first().waitFor();
    assert.match((await saved("SVG"))[1].toString(), /total\.py/);
    assert.equal((await saved("PNG"))[1].subarray(1, 4).toString(), "PNG");
  });
});

test("a change is on the map, with the tests to run", async () => {
  await onPage({ hash: "#map", allowed: [/400/] }, async (page) => {
    await drawn(page);
    await page.locator(".map-pad").focus();
    await page.keyboard.press("c");
    await page.locator(".side", { hasText: "Nothing has changed since then." }).waitFor();
    await page.getByRole("textbox", { name: "Changed since" }).fill("HEAD~1");
    await page.keyboard.press("Enter");
    await page.waitForURL(/since=HEAD/);
    await page.locator(".mark-legend .ranked", { hasText: /Changed\s*1/ }).waitFor();
    await page.locator(".side-box", { hasText: "Changed" }).locator(".symbol-name", { hasText: "half" }).waitFor();
    await page.locator(".side-box", { hasText: "Tests to run" }).locator("a", { hasText: "test_total.py" }).waitFor();
    await page.getByRole("button", { name: "Table" }).click();
    await page.locator(".tree-row", { hasText: "src" }).first().waitFor();
    await goTo(page, "change", "?since=no-such-revision");
    await page.locator(".empty.bad", { hasText: "no-such-revision" }).waitFor();
  });
});

test("the ways of calls from one function to another are drawn and listed", async () => {
  await onPage({ hash: "#map", allowed: [/404/] }, async (page) => {
    await drawn(page);
    await page.locator(".map-pad").focus();
    await page.keyboard.press("w");
    await page.getByRole("combobox", { name: "From which function" }).fill("Cart.sum");
    await page.getByRole("combobox", { name: "To which function" }).fill("round_half_even");
    await page.keyboard.press("Enter");
    const node = (name) => page.locator(".graph .node", { hasText: name });
    for (const name of ["Cart.sum", "total", "round_half_even"]) await node(name).first().waitFor();
    assert.equal(await page.locator(".edge").count(), 2);
    assert.match(page.url(), /from=Cart.sum&to=round_half_even/);
    await node("Cart.sum").focus();
    await page.keyboard.press("ArrowRight");
    await page.keyboard.press("Enter");
    await page.locator(".symbol-title", { hasText: "total" }).waitFor();
    await page.getByRole("link", { name: "Calls" }).last().click();
    await node("Cart.sum").waitFor();
    await page.getByRole("button", { name: "List" }).click();
    await page.locator(".call-lists li", { hasText: "cart.py" }).waitFor();
    await goTo(page, "path", "?from=round_half_even&to=Cart.sum");
    await page.locator(".empty", { hasText: "No calls lead from" }).waitFor();
    await goTo(page, "path", "?from=nobody");
    await page.locator(".empty", { hasText: "nothing is called \"nobody\"" }).waitFor();
  });
});

test("a definition has a history", async () => {
  await onPage({ hash: "#symbol?name=half&path=src/shop/total.py" }, async (page) => {
    await page.getByRole("link", { name: "History" }).click();
    await page.locator(".history-rows li", { hasText: "feat: half of a total" }).waitFor();
    assert.equal(await page.locator(".timeline .time-dot").count(), 1);
    await page.locator(".history-rows a").first().click();
    await page.waitForURL(/change.*commit=[0-9a-f]+/);
    await page.locator(".mark-legend .ranked", { hasText: /Changed\s*1/ }).waitFor();
  });
});

test("what memory knows is pinned on the map, and what is stale is marked", async () => {
  worker.run("-C", other, "memory", "save", "tax_of in src/shop/tax.py knows one rate only", "--title", "One rate");
  worker.run("-C", other, "memory", "save", "Cart in src/shop/cart.py holds the items", "--title", "Items");
  const tax = join(other, "src/shop/tax.py");
  writeFileSync(tax, readFileSync(tax, "utf8").replace("return value * RATE", "return value * RATE + 1"));
  worker.run("-C", other, "index", "-q");
  await onPage({ hash: "#map" }, async (page) => {
    await goTo(page, "known", `?repo=${encodeURIComponent(other)}`);
    await page.locator(".mark-legend .ranked", { hasText: /Changed since it was noted\s*1/ }).waitFor();
    await page.locator(".mark-legend .ranked", { hasText: /Noted, and still so\s*1/ }).waitFor();
    await page.locator(".side-box", { hasText: "tax.py" }).locator(".chip.warn").waitFor();
    assert.equal(await page.locator(".side-box", { hasText: "cart.py" }).locator(".chip.warn").count(), 0);
    await page.locator(".side-record", { hasText: "One rate" }).first().click();
    await page.locator(".detail h2", { hasText: "One rate" }).waitFor();
  });
});

test("a slider shows the map through time", async () => {
  await onPage({ hash: "#map" }, async (page) => {
    await drawn(page);
    await page.locator(".map-pad").focus();
    await page.keyboard.press("s");
    const slider = page.getByRole("slider", { name: "Commits shown" });
    await page.locator(".mark-legend .ranked", { hasText: /Changed in these 30 commits\s*11/ }).waitFor();
    assert.match(await slider.getAttribute("aria-valuetext"), /commit 2 of 2$/);
    await slider.focus();
    await page.keyboard.press("ArrowLeft");
    await page.waitForURL(/at=1/);
    assert.match(await slider.getAttribute("aria-valuetext"), /commit 1 of 2$/);
    assert.ok(await slider.evaluate((each) => each === document.activeElement));
    await page.locator(".side-box", { hasText: "Changed most" }).locator("a", { hasText: "test_total.py" }).waitFor();
    await page.getByRole("button", { name: "Play" }).click();
    await page.waitForURL((url) => !url.hash.includes("at="));
    await page.getByRole("button", { name: "People" }).click();
    await page.locator(".mark-legend .ranked", { hasText: /Changed by one person\s*11/ }).waitFor();
    await goTo(page, "time", "?path=src");
    await page.locator(".mark-legend").waitFor();
  });
});

test("an address of no view says so", async () => {
  await onPage({ hash: "#nonsense?x=1" }, async (page) => {
    await page.locator(".empty", { hasText: "There is no such page" }).waitFor();
    assert.equal(await page.locator(".rail [aria-current=page]").count(), 0);
    await page.locator(".empty a", { hasText: "Map" }).click();
    await drawn(page);
  });
});

test("the table says the same, for the keyboard and the ear", async () => {
  await onPage({ hash: "#map?as=table" }, async (page) => {
    const line = (path) => page.locator(`.tree-row[data-path=${JSON.stringify(path)}]`);
    await line("src").waitFor();
    await line("src").focus();
    assert.equal(await line("src").getAttribute("aria-expanded"), "false");
    await page.keyboard.press("ArrowRight");
    await line(HOSTILE_FILE).waitFor();
    assert.equal(await line("src").getAttribute("aria-level"), "1");
    assert.equal(await line("src/shop").getAttribute("aria-level"), "2");
    assert.match(await line("src/long.py").innerText(), /5,000/);
    assert.ok((await line(HOSTILE_FILE).innerText()).includes("<img src=x onerror=window.pwned=1>.py"));
    // Folders that hold one folder only are one row.
    await page.locator(".tree-row", { hasText: "deep/only/one" }).waitFor();
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("ArrowUp");
    assert.equal(await page.evaluate(() => document.activeElement.dataset.path), "src");
    await page.keyboard.press("ArrowLeft");
    await until(async () => await line("src/shop").count() === 0);
    await page.keyboard.press("Enter");
    await at("src")(page);
  });
});

test("imports are a graph: cycles are named, a file is in the middle of its neighbours", async () => {
  await onPage({ hash: "#deps?path=src/shop" }, async (page) => {
    const node = (id) => page.locator(`.graph .node[data-id=${JSON.stringify(id)}]`);
    await node("src/shop/total.py").waitFor();
    await page.locator(".cycle-text", { hasText: /total\.py|tax\.py/ }).waitFor();
    assert.match(await node("src/shop/tax.py").getAttribute("aria-label"), /in a cycle/);
    assert.ok(await page.locator(".edge.cycle").count() >= 1);
    // By keys: to a node, into it, further, and up again.
    await node("src/shop/cart.py").focus();
    await page.keyboard.press("Enter");
    await page.waitForURL(/focus=src%2Fshop%2Fcart\.py/);
    await page.locator(".node.focus", { hasText: "cart.py" }).waitFor();
    await node("src/main.py").waitFor();
    const one = await page.locator(".node").count();
    await page.getByRole("combobox", { name: "Depth" }).selectOption("2");
    await until(async () => await page.locator(".node").count() > one);
    const before_ = await page.locator(".graph > g").getAttribute("transform");
    await page.getByRole("button", { name: "Zoom in" }).click();
    assert.notEqual(await page.locator(".graph > g").getAttribute("transform"), before_);
    await page.locator(".node.focus").focus();
    await page.keyboard.press("0");
    await page.keyboard.press("ArrowLeft");
    assert.ok(await page.evaluate(() => document.activeElement.classList.contains("node")));
    await page.keyboard.press("Escape");
    await page.waitForURL((url) => !url.hash.includes("focus="));
    await page.locator(".node.focus").waitFor({ state: "detached" });
    await page.getByRole("button", { name: "List" }).click();
    const line = page.locator(".graph-table tbody tr").filter({ has: page.locator("th", { hasText: /^total\.py/ }) });
    await line.getByText("in a cycle").waitFor();
    assert.match(await line.innerText(), /tax\.py/);
  });
});

test("a long file keeps a screenful in the page, and says what points at it", async () => {
  await onPage({ hash: "#file?path=src/long.py&line=4321" }, async (page) => {
    await page.locator(".code-block", { hasText: "value_4320 = 4320" }).waitFor();
    assert.ok(await page.locator(".code-mark").isVisible());
    assert.ok(await page.evaluate(() => document.querySelectorAll("*").length) < 6000);
    await page.locator(".code").evaluate((each) => { each.scrollTop = 0; });
    await page.locator(".code-block", { hasText: "value_0 = 0" }).waitFor();
    assert.equal(await page.locator(".code-block", { hasText: "value_4320 = 4320" }).count(), 0);
    await goTo(page, "file", "?path=src/shop/total.py");
    await page.locator(".hl-keyword", { hasText: "def" }).first().waitFor();
    await page.locator(".side-box", { hasText: "Imported by" }).locator("a", { hasText: "cart.py" }).waitFor();
    await page.locator(".side-box").filter({ has: page.getByRole("heading", { name: "Tests" }) }).locator("a", { hasText: "test_total.py" }).waitFor();
    const address = await page.getByRole("link", { name: "Open in VS Code" }).getAttribute("href");
    assert.equal(address, `vscode://file${root}/src/shop/total.py`);
    await page.locator(".side-box", { hasText: "Symbols" }).getByRole("link", { name: "Line 10: total" }).click();
    await page.waitForURL(/line=10/);
    await page.locator(".side-box", { hasText: "Symbols" }).locator(".symbol-name", { hasText: /^total$/ }).click();
    await page.locator(".symbol-title", { hasText: "total" }).waitFor();
  });
});

test("a name that looks like markup stays a name", async () => {
  await onPage({ hash: `#file?path=${encodeURIComponent(HOSTILE_FILE)}` }, async (page) => {
    await page.locator(".code-block", { hasText: "<b>not bold</b>" }).waitFor();
    await page.locator(".crumbs", { hasText: "<img src=x onerror=window.pwned=1>.py" }).waitFor();
    await goTo(page, "deps", "?path=src");
    await page.locator(".graph .node, .main .empty").first().waitFor();
    await page.keyboard.press("Control+k");
    await page.keyboard.type("img");
    await page.locator(".finder-row", { hasText: "<img src=x" }).first().waitFor();
    assert.equal(await page.locator("main img, dialog img, main b").count(), 0);
  });
});

test("a symbol has its code, callers, callees, references and tests", async () => {
  await onPage({ hash: "#symbol?name=total&path=src/shop/total.py&line=10" }, async (page) => {
    await page.locator(".symbol-title", { hasText: "total" }).waitFor();
    await page.locator(".excerpt", { hasText: "whole = sum(items)" }).waitFor();
    const box = (title) => page.locator(".side-box").filter({ has: page.getByRole("heading", { name: title }) });
    await box("Callers").locator(".symbol-name", { hasText: "sum" }).waitFor();
    await box("Callers").locator(".code-link", { hasText: "cart.py:9" }).waitFor();
    await box("Callees").locator(".symbol-name", { hasText: "round_half_even" }).waitFor();
    await box("Callees").locator(".code-link", { hasText: "total.py:5" }).waitFor();
    await box("Tests").locator("a", { hasText: "test_total.py" }).waitFor();
    await page.locator(".reference-file", { hasText: "cart.py" }).locator(".use", { hasText: "return total(self.items)" }).waitFor();
    await shoot(page, "symbol");
    await box("Callees").locator("a", { hasText: "round_half_even" }).first().click();
    await page.locator(".symbol-title", { hasText: "round_half_even" }).waitFor();
    await page.goBack();
    await page.locator(".excerpt", { hasText: "whole = sum(items)" }).waitFor();
  });
});

test("Ctrl-K and / find code and memory as one types, and leave out what is stale", async () => {
  await onPage({ hash: "#map" }, async (page) => {
    await drawn(page);
    await page.keyboard.press("Control+k");
    const dialog = page.locator("dialog.finder");
    await dialog.waitFor();
    // An answer that was overtaken is not shown.
    await page.route("**/api/code/find?*q=tot&*", async (way) => {
      await new Promise((done) => setTimeout(done, 1500));
      await way.continue().catch(() => {});
    });
    await page.keyboard.type("tot");
    await page.waitForRequest(/q=tot&/);
    await page.keyboard.type("al");
    const symbol = dialog.locator(".finder-row[data-group=symbols]", { hasText: "total" }).first();
    await symbol.waitFor();
    await dialog.locator(".finder-row[data-group=files]", { hasText: "total.py" }).first().waitFor();
    assert.equal(await dialog.locator("[aria-selected=true]").count(), 1);
    assert.ok(await page.evaluate(() => document.getElementById(document.activeElement.getAttribute("aria-activedescendant"))?.getAttribute("aria-selected") === "true"));
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("ArrowUp");
    await page.keyboard.press("Enter");
    await page.locator(".symbol-title").waitFor();
    assert.equal(await page.getByRole("dialog").count(), 0);
    await page.keyboard.press("/");
    await page.keyboard.type("Totals are rounded");
    await dialog.locator(".finder-row[data-group=more]", { hasText: "Search all memory for “Totals are rounded”" }).click();
    await page.locator(".rail a[data-view=feed][aria-current=page]").waitFor();
    assert.equal(await page.locator("#search").inputValue(), "Totals are rounded");
    await page.keyboard.press("Control+k");
    await page.keyboard.press("Escape");
    await until(async () => await page.getByRole("dialog").count() === 0);
  });
});

test("one of several repositories is chosen", async () => {
  await onPage({ hash: "#map" }, async (page) => {
    await drawn(page);
    const picker = page.getByRole("combobox", { name: "Repository" });
    await picker.locator("option").nth(1).waitFor({ state: "attached" });
    assert.equal(await picker.locator("option").count(), 2);
    await picker.selectOption(other);
    await page.locator(".side h2", { hasText: "second" }).waitFor();
    assert.match(decodeURIComponent(page.url()), /repo=.*second/);
    await page.locator(".rail a[data-view=deps]").click();
    await page.locator(".crumbs", { hasText: "second" }).waitFor();
  });
});

test("a file that has changed since it was indexed is marked", async () => {
  writeFileSync(join(other, "src/main.py"), "def main():\n    return 2\n");
  await onPage({ hash: `#file?repo=${encodeURIComponent(other)}&path=src/main.py` }, async (page) => {
    await page.locator(".bar .chip.warn", { hasText: "changed since it was indexed" }).waitFor();
  });
});

test("a memory is edited, pinned and forgotten, and that can be undone", async () => {
  await onPage({ hash: "#feed" }, async (page) => {
    const { id } = await worker.post("/api/memory/save", { title: "To be changed", text: "As it was.", project: "shop" });
    await goTo(page, "feed", `?id=${id}`);
    const detail = page.locator(".detail");
    await detail.getByRole("button", { name: "Edit" }).click();
    const dialog = page.getByRole("dialog", { name: `Edit #${id}` });
    await dialog.getByLabel("Text").fill("As it is now.");
    await dialog.getByRole("button", { name: "Save" }).click();
    await detail.locator(".prose", { hasText: "As it is now." }).waitFor();
    await detail.getByRole("button", { name: "Pin", exact: true }).click();
    await detail.getByRole("button", { name: "Unpin" }).waitFor();
    await detail.getByRole("button", { name: "Forget" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Cancel" }).click();
    await detail.getByRole("button", { name: "Forget" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Forget" }).click();
    await until(async () => await row(page, "To be changed").count() === 0);
    await page.getByRole("button", { name: "Undo" }).click();
    await row(page, "To be changed").waitFor();
  });
});

test("a decision is deprecated by who knows the secret", async () => {
  await onPage({ hash: "#decisions", allowed: [/403/] }, async (page) => {
    await row(page, "Totals are rounded half to even").click();
    await page.locator(".detail").getByRole("button", { name: "Deprecate" }).click();
    const dialog = page.getByRole("dialog", { name: "Deprecate this decision" });
    await dialog.getByLabel("Why it no longer holds").fill("Banks changed.");
    await dialog.getByRole("button", { name: "Deprecate" }).click();
    await until(async () => (await dialog.getByRole("alert").innerText()).includes("secret"));
    await dialog.getByLabel("Secret").fill(worker.environment.AGENT_MEMORY_SECRET);
    await dialog.getByRole("button", { name: "Deprecate" }).click();
    await page.locator(".decision-row.deprecated", { hasText: "Totals are rounded" }).waitFor();
  });
});

test("routine of a session is folded until it is wanted", async () => {
  const session = { contentSessionId: "routine" };
  await worker.post("/api/sessions/init", { ...session, project: "folds", prompt: "Look around in the code" });
  for (let i = 0; i < 5; ++i) {
    await worker.post("/api/sessions/observations", { ...session, cwd: "/src/folds", tool_name: "Read", tool_input: { file_path: `/src/folds/file_${i}.py` },
      tool_response: { file: { content: `def part_${i}():\n    return ${i}\n` } } });
  }
  await worker.drained();
  await onPage({ hash: "#feed?project=folds" }, async (page) => {
    await page.locator(".session-head", { hasText: "Look around in the code" }).waitFor();
    const folded = page.locator(".row.folded", { hasText: "routine entries" });
    await folded.waitFor();
    await shoot(page, "folded");
    await folded.click();
    await until(async () => await folded.count() === 0);
    assert.ok(await page.locator(".list [role=option]").count() >= 5);
  });
});

test("without a repository the map says what to run", async () => {
  const empty = new TestWorker();
  await empty.start();
  const page = await openPage(browser, empty, { hash: "#/map", allowed: [/404/] });
  try {
    await page.locator(".empty", { hasText: "codexmem open" }).waitFor();
    await shoot(page, "no-repository");
    await page.keyboard.press("/");
    await page.keyboard.type("anything");
    await page.locator(".finder-row[data-group=more]").waitFor();
    assert.deepEqual(page.wrong, []);
  } finally {
    await page.context().close();
    await empty.remove();
  }
});
