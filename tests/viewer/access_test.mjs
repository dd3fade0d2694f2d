// The viewer for everyone: axe's rules, contrast, names and landmarks in every view, light and dark,
// at 1440, 800 and 390 pixels.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { after, before, test } from "node:test";
import { HOSTILE, VIEWS, fillMemory, goTo as goToView, makeRepository, onPage as checked, row, rows, shoot } from "./setup.mjs";
import { TestWorker, openBrowser } from "./worker.mjs";

const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
const worker = new TestWorker();
let browser;
const onPage = (options, check) => checked(browser, worker, options, check);
const goTo = (page, view, parameters) => goToView(page, worker, view, parameters);

// Every view, and those of the code in each of their forms.
const PLACES = [...VIEWS.map((each) => [each, ""]), ["map", "?as=table"], ["map", "?layer=language"], ["deps", "?path=src/shop"], ["deps", "?path=src/shop&as=list"],
  ["deps", "?focus=src/shop/cart.py&depth=2"], ["file", "?path=src/shop/total.py&line=9"], ["symbol", "?name=total&path=src/shop/total.py&line=10"],
  ["change", "?since=HEAD~1"], ["path", "?to=total"], ["path", "?to=total&as=list"], ["history", "?symbol=src/shop/total.py::total"], ["nothing", ""]];

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

const nameOf = (view, parameters) => `${view}${parameters.replace(/\W+/g, "-")}`;
for (const width of [1440, 800, 390]) {
  for (const colorScheme of ["light", "dark"]) {
    test(`axe finds nothing, and nothing sticks out: ${width} px, ${colorScheme}`, async () => {
      await onPage({ colorScheme, viewport: { width, height: width < 500 ? 844 : 900 }, hash: "#feed" }, async (page) => {
        await page.evaluate(axe);
        const look = async (name) => {
          const found = await page.evaluate(async () => (await window.axe.run(document, { resultTypes: ["violations"] })).violations
            .map((each) => `${each.id}: ${each.nodes.slice(0, 3).map((node) => `${node.html.slice(0, 140)} ${node.any[0]?.message ?? ""}`).join(" | ")}`));
          assert.deepEqual(found, [], name);
          const [wide, screen] = await page.evaluate(() => [Math.max(document.documentElement.scrollWidth, document.body.scrollWidth), innerWidth]);
          assert.ok(wide <= screen, `${name} is ${wide} wide`);
          await shoot(page, `${name}-${width}-${colorScheme}`);
        };
        for (const [view, parameters] of PLACES) {
          await goTo(page, view, parameters);
          await look(nameOf(view, parameters));
        }
        await goTo(page, "map");
        await page.keyboard.press("Control+k");
        await page.keyboard.type("total");
        await page.locator(".finder-row").first().waitFor();
        await look("find");
        await page.keyboard.press("Escape");
      });
    });
  }
}

// WCAG 2.1, 1.4.3: the ratio of the luminances of a text and of what is behind it.
function lowContrasts() {
  const parse = (color) => (/rgba?\(([^)]+)\)/.exec(color)?.[1] ?? "0,0,0,0").split(/[ ,/]+/).map(Number);
  const over = (a, b) => {
    const alpha = a[3] ?? 1;
    return [0, 1, 2].map((i) => a[i] * alpha + b[i] * (1 - alpha)).concat(1);
  };
  const luminance = (color) => {
    const [r, g, b] = color.map((each) => each / 255).map((each) => each <= 0.03928 ? each / 12.92 : ((each + 0.055) / 1.055) ** 2.4);
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const behind = (element) => {
    const layers = [];
    for (let each = element; each; each = each.parentElement) layers.push(parse(getComputedStyle(each).backgroundColor));
    return layers.reverse().reduce((below, layer) => over(layer, below), [255, 255, 255, 1]);
  };
  const low = [];
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  for (let node; (node = walker.nextNode());) {
    const element = node.parentElement;
    if (!node.textContent.trim() || !element.checkVisibility({ visibilityProperty: true })) continue;
    if (element.closest(".unseen, script, style, noscript, [aria-hidden=true], :disabled, .choice-name")) continue;
    const style = getComputedStyle(element);
    const ground = behind(element);
    const ink = over(parse(element instanceof SVGElement ? style.fill : style.color), ground);
    const [light, dark] = [luminance(ink), luminance(ground)].sort((a, b) => b - a);
    const ratio = (light + 0.05) / (dark + 0.05);
    if (ratio < 4.5) low.push(`${ratio.toFixed(2)} ${element.className} "${node.textContent.trim().slice(0, 40)}"`);
  }
  return [...new Set(low)];
}
test("texts stand out from what is behind them (WCAG AA)", async () => {
  for (const colorScheme of ["light", "dark"]) {
    await onPage({ colorScheme }, async (page) => {
      for (const [view, parameters] of PLACES) {
        await goTo(page, view, parameters);
        assert.deepEqual(await page.evaluate(lowContrasts), [], `${colorScheme} ${view}${parameters}`);
      }
    });
  }
});

test("controls have names, and the page has its landmarks", async () => {
  await onPage({}, async (page) => {
    for (const [view, parameters] of PLACES) {
      await goTo(page, view, parameters);
      const nameless = await page.evaluate(() => [...document.querySelectorAll("button, a[href], input, select, textarea, [role=listbox], [role=region], [role=img], [role=meter]")]
        .filter((each) => each.checkVisibility())
        .filter((each) => !(each.getAttribute("aria-label") || each.textContent.trim() || each.labels?.length || each.getAttribute("aria-labelledby")))
        .map((each) => each.outerHTML.slice(0, 100)));
      assert.deepEqual(nameless, [], view);
      const double = await page.evaluate(() => {
        const ids = [...document.querySelectorAll("[id]")].map((each) => each.id);
        return ids.filter((each, i) => ids.indexOf(each) !== i);
      });
      assert.deepEqual(double, [], view);
      for (const landmark of ["header.top", "nav.rail[aria-label]", "main", "h1"]) assert.equal(await page.locator(landmark).count(), 1, landmark);
    }
  });
});

test("axe finds nothing where there is nothing to show", async () => {
  const empty = new TestWorker();
  await empty.start();
  try {
    await checked(browser, empty, { hash: "#sessions", allowed: [/404/] }, async (page) => {
      await page.evaluate(axe);
      for (const view of VIEWS) {
        await goToView(page, empty, view);
        const found = await page.evaluate(async () => (await window.axe.run(document, { resultTypes: ["violations"] })).violations
          .map((each) => `${each.id}: ${each.nodes[0].html.slice(0, 200)}`));
        assert.deepEqual(found, [], view);
      }
    });
  } finally {
    await empty.remove();
  }
});

test("a narrow screen shows one thing at a time, and nothing sticks out", async () => {
  await onPage({ viewport: { width: 360, height: 740 }, hasTouch: true }, async (page) => {
    for (const view of VIEWS) {
      await goTo(page, view);
      const [wide, screen] = await page.evaluate(() => [Math.max(document.documentElement.scrollWidth, document.body.scrollWidth), innerWidth]);
      assert.ok(wide <= screen, `${view} is ${wide} wide`);
      await shoot(page, `narrow-${view}`);
    }
    await goTo(page, "feed");
    await row(page, HOSTILE).tap();
    await page.locator(".detail h2").waitFor();
    assert.equal(await rows(page).first().isVisible(), false);
    await page.getByRole("button", { name: "Back to the list" }).tap();
    assert.equal(await rows(page).first().isVisible(), true);
  });
});

