// The guide as a site: links, search, accessibility, pages without scripts.
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { findViolations } from "./page.mjs";
import { PAGES, setUpGuide } from "./site.mjs";

const openPage = setUpGuide();

test("all links lead to a page of the site and to a heading on it", { timeout: 300_000 }, async (t) => {
  const page = await openPage(t, "index.html");
  const root = new URL(".", page.url()).href;
  const known = new Map();
  const links = [];
  for (const name of PAGES) {
    await page.goto(root + name);
    known.set(root + name, await page.$$eval("[id]", (elements) => elements.map(({ id }) => id)));
    for (const url of await page.$$eval("a[href]", (elements) => elements.map(({ href }) => href))) links.push({ name, url });
  }
  assert.ok(links.length > 1_000);
  const broken = [];
  const responses = new Map();
  for (const { name, url } of links) {
    const [path, id] = url.replace(/\/guide\/($|#)/, "/guide/index.html$1").split("#");
    if (!path.startsWith(new URL("..", root).href)) continue;
    if (!responses.has(path)) responses.set(path, (await page.request.get(path)).status());
    const hasHeading = !id || !known.has(path) || known.get(path).includes(decodeURIComponent(id));
    if (responses.get(path) !== 200 || !hasHeading) broken.push(`${name}: ${url}`);
  }
  assert.deepEqual([...new Set(broken)], []);
});

test("each page is in a sidebar", async (t) => {
  const links = [];
  for (const name of ["index.html", "api-address.html"]) {
    const page = await openPage(t, name);
    links.push(...(await page.$$eval(".VPSidebar a[href]", (elements) => elements.map(({ href }) => href))));
  }
  const missing = PAGES.filter((name) => !links.some((link) => link.replace(/\/$/, "/index.html").endsWith(`/${name}`)));
  assert.deepEqual(missing, []);
});

test("the sidebar shows the entry of the page", async (t) => {
  for (const name of ["index.html", "changelog.html", "api-userOperation.html", "types-testing.html"]) {
    const page = await openPage(t, name);
    const entry = page.locator(".VPSidebarItem.is-active");
    await entry.waitFor();
    await page.waitForFunction(() => {
      const { top, bottom } = document.querySelector(".VPSidebarItem.is-active").getBoundingClientRect();
      return top > 0 && bottom < innerHeight;
    });
    const titles = await page.$$eval(".VPSidebarItem.is-active .text", (elements) => elements.map(({ innerText }) => innerText));
    assert.equal(titles.length, 1);
  }
});

test("types in tables and declarations lead to their descriptions", async (t) => {
  const page = await openPage(t, "records.html");
  await page.getByRole("link", { name: "ProxyType", exact: true }).first().click();
  await page.waitForURL(/types-address-query(\.html)?#proxytype$/);
  await page.getByRole("heading", { name: "ProxyType" }).waitFor();
  const types = await openPage(t, "types-history.html");
  await types.locator(".linked").getByRole("link", { name: "HistoryCall", exact: true }).first().click();
  await types.waitForURL(/#historycall$/);
});

test("search finds a term of the guide, an error code and a method, and opens the page", async (t) => {
  const page = await openPage(t, "paginate.html");
  // The page listens for keys from then on.
  await page.locator(".example-bar").first().waitFor();
  for (const [term, target] of [
    ["reorganisation", "live-feed.html"],
    ["out_of_credits", "troubleshooting.html#out-of-credits"],
    ["addressNftCollections", "api-addressNftCollections.html"],
    ["HistoryCall", "types-history.html#historycall"],
  ]) {
    await page.keyboard.press("Control+k");
    await page.locator(".VPLocalSearchBox input").fill(term);
    const result = page.locator(`.VPLocalSearchBox a[href*="${target}"]`).first();
    await result.click();
    await page.waitForURL((url) => url.href.includes(target));
    await page.locator(".vp-doc h1").waitFor();
  }
  assert.match(page.url(), /\/project\/guide\//);
});

describe("the first result of the search is the page of the task", () => {
  for (const [question, target] of [
    ["next page", "paginate"],
    ["pagination", "paginate"],
    ["export to csv", "export"],
    ["nft images", "portfolio"],
    ["too many requests", "retry"],
    ["429", "retry"],
    ["rate limit", "retry"],
    ["several chains", "chains"],
    ["ssr", "server-rendering"],
    ["swap history", "history"],
    ["ens name", "look-up"],
    ["cancel", "errors"],
    ["test without network", "testing"],
    ["reorg", "live-feed"],
    ["cors", "proxy"],
    ["rust", "rust"],
  ]) {
    test(question, async (t) => {
      const page = await openPage(t, "paginate.html");
      await page.locator(".example-bar").first().waitFor();
      await page.keyboard.press("Control+k");
      await page.locator(".VPLocalSearchBox input").fill(question);
      const result = page.locator(".VPLocalSearchBox a.result").first();
      await result.waitFor();
      assert.match(await result.getAttribute("href"), new RegExp(`/${target}(\\.html)?(#|$)`));
    });
  }
});

test("each program has a card with a picture of its result", async (t) => {
  const page = await openPage(t, "programs.html");
  const images = page.locator(".cards img");
  assert.equal(await images.count(), 9);
  for (const image of await images.all()) {
    await image.scrollIntoViewIfNeeded();
    assert.equal(await image.evaluate((element) => element.decode().then(() => element.naturalWidth)), 400);
  }
});

test("search shows each record once, with an excerpt", async (t) => {
  const page = await openPage(t, "paginate.html");
  await page.locator(".example-bar").first().waitFor();
  await page.keyboard.press("Control+k");
  await page.locator(".VPLocalSearchBox input").fill("TokenTransfer");
  await page.locator(".VPLocalSearchBox .excerpt").first().waitFor();
  const links = await page.$$eval(".VPLocalSearchBox a.result", (elements) => elements.map(({ href }) => href));
  assert.equal(links.filter((link) => link.endsWith("#tokentransfer")).length, 1);
});

test("nothing is cut at any width: code fits its box from 1360 px on, and tables everywhere", { timeout: 300_000 }, async (t) => {
  const page = await openPage(t, "index.html");
  const root = new URL(".", page.url()).href;
  const names = [
    "index",
    "paginate",
    "programs",
    "options",
    "records",
    "reference",
    "api-addressTokenTransfers",
    "server-rendering",
    "types-address-query",
    "types-history",
  ];
  for (const width of [390, 820, 1360, 1920]) {
    await page.setViewportSize({ width, height: 900 });
    for (const name of names) {
      await page.goto(`${root}${name}.html`);
      const wide = (selector) =>
        page.$$eval(selector, (elements) => elements.filter((element) => element.scrollWidth > element.clientWidth + 1).length);
      assert.equal(await wide("html, .vp-doc table, .vp-doc td, .outline-link"), 0, `${name} at ${width}`);
      if (width >= 1360) assert.equal(await wide(".example pre.shiki"), 0, `code of ${name} at ${width}`);
    }
  }
});

describe("axe finds nothing", { concurrency: 2 }, () => {
  for (const colorScheme of ["light", "dark"]) {
    test(colorScheme, { timeout: 1_200_000 }, async (t) => {
      const page = await openPage(t, "index.html", { colorScheme, reducedMotion: "reduce" });
      const root = new URL(".", page.url()).href;
      for (const name of PAGES) {
        await page.goto(root + name);
        await page.locator(".example-bar, .vp-doc").last().waitFor();
        // The switch of the theme gets its name when Vue takes the page over.
        await page.locator('.VPSwitchAppearance:not([title=""])').first().waitFor({ state: "attached" });
        assert.deepEqual(await findViolations(page), [], name);
      }
    });
  }
});

test("pictures of the code have a title, a description, and colours of the theme", async (t) => {
  const page = await openPage(t, "how-it-works.html", { colorScheme: "dark" });
  const pictures = await page.$$eval("svg.picture", (elements) =>
    elements.map((svg) => ({
      title: svg.querySelector("title").textContent,
      description: svg.querySelector("desc").textContent,
      color: getComputedStyle(svg.querySelector("text")).fill,
      overflow: [...svg.querySelectorAll("text")].filter((text) => text.getBBox().x + text.getBBox().width > 620).length,
    })),
  );
  assert.equal(pictures.length, 3);
  for (const { title, description, color, overflow } of pictures) {
    assert.ok(title.length > 10 && description.length > 50);
    assert.notEqual(color, "rgb(0, 0, 0)");
    assert.equal(overflow, 0, title);
  }
  assert.match(
    pictures[0].description,
    /^list: .+; retry: .+; transport: .+; rate_limiter: .+; runtime: .+; decode: .+; frame: .+/,
  );
  assert.match(pictures[2].description, /error uses object; /);
});

test("without JavaScript a page has its text, its code and its sidebar", async (t) => {
  const page = await openPage(t, "paginate.html", { javaScriptEnabled: false });
  await page.getByRole("heading", { level: 1, name: "Paginate" }).waitFor();
  assert.match(await page.locator(".example").first().innerText(), /client\.addressTokenTransfers/);
  await page.locator(".VPSidebar").getByRole("link", { name: "Export to CSV" }).click();
  await page.getByRole("heading", { level: 1, name: "Export to CSV" }).waitFor();
});
