// Tests that hostile names, links and images from the service cannot run scripts or load unsafe URLs.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { openDemo } from "./demo-page.mjs";
import { ADDRESS, createNft, createTransaction, createTransfer, startMockService } from "./mock-service.mjs";

const MARKUP = '<img src=x onerror="window.hacked=1"><script>window.hacked=1</script>';
const BIDI = "\u202Eevil\u2066";
const PIXEL =
  "data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";
// An SVG in an image element runs no scripts and loads nothing.
const SVG = "data:image/svg+xml;base64,PHN2ZyB4bWxucz0iaHR0cDovL3d3dy53My5vcmcvMjAwMC9zdmciIHdpZHRoPSIxIiBoZWlnaHQ9IjEiLz4=";

const ITEMS = {
  "token-transfers": [
    createTransfer({ name: MARKUP, symbol: BIDI, from: MARKUP, method: MARKUP }),
    createTransfer({ name: "Endless ".repeat(2000), index: 1 }),
    createTransfer({ value: "9".repeat(78), index: 2 }),
  ],
  nft: [
    createNft({
      external_app_url: "javascript:window.hacked=1",
      image_url: "javascript:window.hacked=1",
      metadata: { name: MARKUP },
    }),
    createNft({
      id: "8",
      image_url: SVG,
      animation_url: "http://insecure.example/",
      metadata: { attributes: [null, 7, { trait_type: MARKUP, value: MARKUP }] },
    }),
    createNft({ id: "9", image_url: PIXEL, external_app_url: "https://good.example/9", metadata: { name: { not: "text" } } }),
  ],
};

let service;
before(async () => {
  service = await startMockService((path) => ({
    body: { items: ITEMS[path.split("/").at(-1)], next_page_params: null },
  }));
});
after(() => service.close());

const getMockServiceQuery = (tab) => `?${new URLSearchParams({ tab, address: ADDRESS, source: service.url })}`;

/** Asserts that the results contain no active content, no unsafe URL and no hidden characters. */
async function assertHarmless(demo) {
  const found = await demo.page.evaluate(() => {
    const isSafeImage = ({ src, referrerPolicy, loading }) =>
      /^(https:|data:image\/)/.test(src) && referrerPolicy === "no-referrer" && loading === "lazy";
    // Links inside the page lead to an address, a transaction, a token or a block.
    const isSafeLink = ({ origin, protocol, rel, dataset, search }) =>
      origin === location.origin
        ? "address" in dataset || /^\?(show|address)=/.test(search)
        : protocol === "https:" && rel === "noopener noreferrer";
    const findAll = (selector) => [...document.querySelectorAll(`:is(#panel, .address-header) :is(${selector})`)];
    return {
      hacked: window.hacked,
      activeElements: findAll("script, iframe, object, embed, form[action], style, link, base, meta").length,
      inlineHandlers: findAll("*").filter((e) => [...e.attributes].some(({ name }) => name.startsWith("on"))).length,
      unsafeImages: findAll("img").filter((image) => !isSafeImage(image)).length,
      unsafeLinks: findAll("a").filter((link) => !isSafeLink(link)).length,
      hasHiddenCharacters: /[\u0000-\u0008\u202a-\u202e\u2066-\u2069]/.test(document.querySelector("main").textContent),
      longTooltips: findAll("[title]").filter(({ title }) => title.length > 2000).length,
      isTooWide: document.documentElement.scrollWidth > innerWidth,
    };
  });
  assert.deepEqual(found, {
    hacked: undefined,
    activeElements: 0,
    inlineHandlers: 0,
    unsafeImages: 0,
    unsafeLinks: 0,
    hasHiddenCharacters: false,
    longTooltips: 0,
    isTooWide: false,
  });
}

test("markup in names is shown as text", async (t) => {
  const demo = await openDemo(t, getMockServiceQuery("token-transfers"));
  const [row] = await demo.readRows("token-transfers");
  assert.ok(row.includes(MARKUP), row);
  assert.ok(row.includes("⟨U+202E⟩evil⟨U+2066⟩"), row);
  assert.equal(await demo.page.locator(".list-body img").count(), 0);
  await assertHarmless(demo);
});

test("links and images of an NFT are rendered only from safe URLs", async (t) => {
  const demo = await openDemo(t, getMockServiceQuery("nfts"));
  await demo.page.locator(".list-body img").nth(1).waitFor();
  const images = demo.page.locator(".list-body img");
  assert.deepEqual(await images.evaluateAll((all) => all.map(({ src }) => src)), [SVG, PIXEL]);
  await assertHarmless(demo);
  const found = [];
  for (const item of await demo.page.locator(".list-body .tile").all()) {
    await item.click();
    const dialog = demo.page.locator("dialog.nft-dialog");
    await dialog.waitFor();
    found.push(...(await dialog.locator('a[target="_blank"]').evaluateAll((links) => links.map(({ href }) => href))));
    await assertHarmless(demo);
    await demo.page.keyboard.press("Escape");
    await dialog.waitFor({ state: "detached" });
  }
  assert.ok(found.includes("https://good.example/9"), found.join());
  assert.ok(
    found.every((url) => url.startsWith("https://")),
    found.join(),
  );
});

test("hostile names are harmless in every tab on a narrow screen", async (t) => {
  const demo = await openDemo(t, "", { viewport: { width: 390, height: 844 } });
  await demo.chooseSample("Hostile names");
  for (const id of await demo.listTabs()) {
    await demo.openTab(id);
    await assertHarmless(demo);
  }
});

test("hostile names are harmless on the pages of a token and of a transaction", async (t) => {
  const hostile = createTransfer({ name: MARKUP, symbol: BIDI });
  const summary = {
    summary_template: `${MARKUP} {token} {note} {__proto__}`,
    summary_template_variables: {
      token: { type: "token", value: { name: MARKUP, symbol: BIDI, address_hash: "javascript:window.hacked=1" } },
      note: { type: "external_link", value: "javascript:window.hacked=1" },
    },
  };
  const pages = await startMockService((path) => {
    if (path.endsWith("/summary")) return { body: { success: true, data: { summaries: [summary] } } };
    if (path.includes("/transactions/")) return { body: createTransaction({ result: MARKUP, method: BIDI, from: MARKUP }) };
    if (path.endsWith("/counters")) return { status: 404, body: {} };
    return { body: hostile.token };
  });
  t.after(() => pages.close());
  for (const [show, id] of [
    ["token", ADDRESS],
    ["transaction", hostile.transaction_hash],
  ]) {
    const demo = await openDemo(t, `?${new URLSearchParams({ show, id, source: pages.url })}`, {
      viewport: { width: 390, height: 844 },
    });
    await demo.page.locator(".fact-groups").waitFor();
    await demo.page.waitForLoadState("networkidle");
    assert.ok((await demo.page.locator("main").innerText()).includes(MARKUP));
    await assertHarmless(demo);
  }
});

test("the content security policy blocks inline scripts", async (t) => {
  const demo = await openDemo(t);
  const directive = await demo.page.evaluate(
    () =>
      new Promise((resolve) => {
        document.addEventListener("securitypolicyviolation", (event) => resolve(event.effectiveDirective));
        const script = document.createElement("script");
        script.textContent = "window.hacked = 1";
        document.body.append(script);
      }),
  );
  assert.match(directive, /^script-src/);
  assert.equal(await demo.page.evaluate(() => window.hacked), undefined);
});
