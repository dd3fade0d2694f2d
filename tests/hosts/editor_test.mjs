// The extension (CODEXMEM_EXTENSION, a .vsix) in a real VS Code server.
//
// CODEXMEM_SHOTS: a folder for a picture of each step.
import assert from "node:assert/strict";
import { appendFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { makeRepository } from "../viewer/setup.mjs";
import { Editor, command, goTo, inView, quickInput, shoot } from "./editor.mjs";

const editor = new Editor();
let root, page;

before(async () => {
  editor.install(process.env.CODEXMEM_EXTENSION);
  root = makeRepository(editor);
  editor.run("memory", "save", "Totals are rounded as banks do, see the audit of 2019.", "--title", "Rounding of totals", "--file", "src/shop/total.py", "-C", root);
  editor.run("decision", "record", "Rates stand in tax.py alone", "--target", "rates", "--rationale", "One place to change.", "--file", "src/shop/total.py", "-C", root);
  await editor.start();
  page = await editor.open(root);
  await page.locator(".activitybar [aria-label^=codexmem]").first().click();
});
after(() => editor.stop());

test("the views show callers and tests of the symbol, and what is remembered of the file", async () => {
  await goTo(page, "src/shop/total.py", 11);
  for (const text of ["Callers", "half", "check", "Tests", "test_total", "Rounding of totals", "Rates stand in tax.py alone"]) await inView(page, text).waitFor();
  await shoot(page, "views");
  await inView(page, "check").click();
  await page.locator(".tab.active").filter({ hasText: "tax.py" }).waitFor();
});

test("search leads to the function", async () => {
  await command(page, "codexmem: Search Code by What It Does");
  const input = await quickInput(page, "What it does");
  await input.fill("round like a bank");
  const row = page.locator(".quick-input-list .monaco-list-row").filter({ hasText: "round_half_even" }).first();
  await row.waitFor();
  await shoot(page, "search");
  await row.click();
  await page.locator(".tab.active").filter({ hasText: "total.py" }).waitFor();
});

test("my changes name who is affected, and tests to run", async () => {
  appendFileSync(join(root, "src/shop/tax.py"), "\n\ndef tax_twice(value):\n    return tax_of(tax_of(value))\n");
  await command(page, "codexmem: Show What My Changes Touch");
  for (const text of ["tax_twice", "Tests to run"]) await inView(page, text).waitFor();
  await shoot(page, "change");
});

test("the map is drawn, and its links lead on", async () => {
  await command(page, "codexmem: Open the Map");
  const map = page.frameLocator("iframe.webview").frameLocator("iframe");
  await map.getByText("src/shop").first().waitFor();
  await shoot(page, "map");
  await map.getByRole("link", { name: "Decisions" }).click();
  await map.getByText("Rates stand in tax.py alone").first().waitFor();
});

test("the chat is offered the server, with its tools", async () => {
  await command(page, "MCP: List Servers");
  const server = page.locator(".quick-input-list .monaco-list-row").filter({ hasText: "codexmem" }).first();
  await server.click();
  await page.locator(".quick-input-list .monaco-list-row").filter({ hasText: "Start Server" }).first().click();
  await command(page, "MCP: List Servers");
  await page.locator(".quick-input-list .monaco-list-row").filter({ hasText: "codexmem" }).filter({ hasText: "Running" }).waitFor();
  await page.getByText(/Discovered.\d\d.tools/).first().waitFor();
  await shoot(page, "server");
  await page.keyboard.press("Escape");
});

test("a language without another extension gets definitions and references", async () => {
  await goTo(page, "src/main.py", "5:12");
  await page.locator(".breadcrumbs-control").getByText("main", { exact: true }).waitFor();  // the symbols have come
  await page.keyboard.press("F12");
  await page.locator(".tab.active").filter({ hasText: "cart.py" }).waitFor();
  await shoot(page, "definition");
  assert.deepEqual(editor.wrong, []);
});
