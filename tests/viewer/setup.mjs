// setup.mjs - what the tests of the viewer share: a page that must not complain, and what is on it.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { openPage } from "./worker.mjs";

export const HOSTILE = '<img src=x onerror="window.pwned=1">';
export const HOSTILE_TEXT = '<script>window.pwned=2</script> and <b>bold</b> "quoted" & more';
export const HOSTILE_FILE = "src/<img src=x onerror=window.pwned=1>.py";
export const VIEWS = ["map", "deps", "feed", "sessions", "decisions", "overview", "searches", "timings", "failures", "events", "context", "change", "path", "known", "time"];

// Runs `check` on a page, and then looks whether anything went wrong on it.
export async function onPage(browser, worker, options, check) {
  const page = await openPage(browser, worker, { hash: "#feed", ...options });
  try {
    await check(page);
    assert.deepEqual(page.wrong, []);
    assert.deepEqual(await page.evaluate(() => window.breaches), []);
    assert.equal(await page.evaluate(() => window.pwned), undefined);
  } finally {
    await page.context().close();
  }
}
export const rows = (page) => page.locator(".list [role=option]");
export const row = (page, text) => rows(page).filter({ hasText: text });
export async function goTo(page, worker, view, parameters = "") {
  await page.goto(`${worker.origin}/viewer#${view}${parameters}`);
  const inRail = { file: "map", symbol: "map", history: "map" }[view] ?? view;
  if (!VIEWS.includes(inRail)) { await page.locator(".empty").waitFor(); return; }
  await page.locator(`.rail a[data-view=${inRail}][aria-current=page]`).waitFor({ state: "attached" });
  await page.waitForFunction(() => !document.querySelector(".main .loading"));
}
export async function shoot(page, name) {
  if (!process.env.CODEXMEM_SHOTS) return;
  mkdirSync(process.env.CODEXMEM_SHOTS, { recursive: true });
  await page.screenshot({ path: join(process.env.CODEXMEM_SHOTS, `${name}.png`) });
}

export async function fillMemory(worker) {
  await worker.post("/api/memory/save", { title: HOSTILE, text: HOSTILE_TEXT, project: "shop" });
  await worker.post("/api/memory/save", { title: "Invoices are numbered per year", text: "The counter starts anew each January, with the year before it.", project: "billing" });
  await worker.tellSession("cart-session");
  worker.run("decision", "record", "Totals are rounded half to even", "--target", "rounding", "--rationale", "Banks do so, and errors do not add up.", "--project", "shop");
  worker.run("decision", "propose", "Store money as integers", "--target", "money", "--rationale", "Floating point loses cents in sums.", "--project", "shop");
  for (const query of ["rounding of totals", "invoice numbers"]) await worker.get(`/api/search?query=${encodeURIComponent(query)}&format=json`);
}

// A small repository with a cycle, tests, a long file, and a file whose name looks like markup.
export function makeRepository(worker, name = "cart") {
  const root = join(worker.folder, name);
  const files = {
    "package.json": "{\n  \"name\": \"cart\"\n}\n",
    "README.md": "# Cart\n\nSums what is in a cart.\n",
    "src/shop/__init__.py": "",
    "src/shop/total.py": "\"\"\"Totals.\"\"\"\nfrom src.shop.tax import tax_of\n\n\ndef round_half_even(value):\n    \"\"\"As banks do.\"\"\"\n    return round(value)\n\n\ndef total(items):\n    \"\"\"The sum of the items, with tax.\"\"\"\n    whole = sum(items)\n    return round_half_even(whole + tax_of(whole))\n",
    "src/shop/tax.py": "from src.shop import total\n\nRATE = 0.2\n\n\ndef tax_of(value):\n    return value * RATE\n\n\ndef check(items):\n    return total.total(items) > 0\n",
    "src/shop/cart.py": "from src.shop.total import total\n\n\nclass Cart:\n    def __init__(self):\n        self.items = []\n\n    def sum(self):\n        return total(self.items)\n",
    "src/main.py": "from src.shop.cart import Cart\n\n\ndef main():\n    cart = Cart()\n    return cart.sum()\n",
    "tests/test_total.py": "from src.shop.total import total\n\n\ndef test_total():\n    assert total([1]) == 1\n",
    "deep/only/one/child.py": "VALUE = 1\n",
    "src/long.py": Array.from({ length: 5000 }, (_, i) => `value_${i} = ${i}  # line ${i + 1}`).join("\n") + "\n",
    [HOSTILE_FILE]: "def hostile():\n    return '<b>not bold</b>'\n",
  };
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  }
  const git = (...given) => execFileSync("git", ["-c", "user.name=T", "-c", "user.email=t@example.org", "-C", root, ...given], { env: worker.environment, stdio: "pipe" });
  git("init", "-q");
  git("add", "-A");
  git("commit", "-qm", "feat: a cart");
  writeFileSync(join(root, "src/shop/total.py"), files["src/shop/total.py"] + "\n\ndef half(items):\n    return total(items) / 2\n");
  git("commit", "-qam", "feat: half of a total");
  worker.index(root);
  return root;
}
