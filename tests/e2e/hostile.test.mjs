// Text of the chain is hostile: it must stay text, lead nowhere and load nothing it should not.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { useBrowser } from "./browse.mjs";
import { ADDRESS, nft, startService, transfer } from "./service.mjs";

const MARKUP = '<img src=x onerror="window.hacked=1"><script>window.hacked=1</script>';
const BIDI = "\u202Eevil\u2066";
const PIXEL =
  "data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";
// It would load if it were let in: an SVG picture can carry links and styles.
const SVG =
  "data:image/svg+xml;base64,PHN2ZyB4bWxucz0iaHR0cDovL3d3dy53My5vcmcvMjAwMC9zdmciIHdpZHRoPSIxIiBoZWlnaHQ9IjEiLz4=";

const ANSWERS = {
  "token-transfers": [
    transfer({ name: MARKUP, symbol: BIDI, from: MARKUP, method: MARKUP }),
    transfer({ name: "Endless ".repeat(2000), index: 1 }),
    transfer({ value: "9".repeat(78), index: 2 }),
  ],
  nft: [
    nft({
      external_app_url: "javascript:window.hacked=1",
      image_url: "javascript:window.hacked=1",
      metadata: { name: MARKUP },
    }),
    nft({
      id: "8",
      image_url: SVG,
      animation_url: "http://insecure.example/",
      metadata: { attributes: [null, 7, { trait_type: MARKUP, value: MARKUP }] },
    }),
    nft({ id: "9", image_url: PIXEL, external_app_url: "https://good.example/9", metadata: { name: { not: "text" } } }),
  ],
};

const open = useBrowser();
let service;
before(async () => {
  service = await startService((path) => ({
    body: { items: ANSWERS[path.split("/").at(-1)], next_page_params: null },
  }));
});
after(() => service.close());

const onService = (tab) => `?${new URLSearchParams({ tab, address: ADDRESS, source: service.url })}`;

async function assertHarmless(visit) {
  const found = await visit.page.evaluate(() => {
    const isFineImage = ({ src, referrerPolicy, loading }) =>
      /^(https:|data:image\/(png|jpeg|gif|webp);)/.test(src) && referrerPolicy === "no-referrer" && loading === "lazy";
    const isFineLink = ({ origin, protocol, rel, dataset }) =>
      origin === location.origin ? "address" in dataset : protocol === "https:" && rel === "noopener noreferrer";
    const all = (selector) => [...document.querySelectorAll(`#results :is(${selector})`)];
    return {
      hacked: window.hacked,
      elements: all("script, iframe, object, embed, form, style, link, base, meta").length,
      handlers: all("*").filter((e) => [...e.attributes].some(({ name }) => name.startsWith("on"))).length,
      images: all("img").filter((image) => !isFineImage(image)).length,
      links: all("a").filter((link) => !isFineLink(link)).length,
      controls: /[\u0000-\u0008\u202a-\u202e\u2066-\u2069]/.test(document.querySelector("#results").textContent),
      endlessTitles: all("[title]").filter(({ title }) => title.length > 2000).length,
      wide: document.documentElement.scrollWidth > innerWidth,
    };
  });
  assert.deepEqual(found, {
    hacked: undefined,
    elements: 0,
    handlers: 0,
    images: 0,
    links: 0,
    controls: false,
    endlessTitles: 0,
    wide: false,
  });
}

test("markup in names stays text", async (t) => {
  const visit = await open(t, onService("token-transfers"));
  const [row] = await visit.rows("token-transfers");
  assert.ok(row.includes(MARKUP), row);
  assert.ok(row.includes("⟨U+202E⟩evil⟨U+2066⟩"), row);
  assert.equal(await visit.page.locator("#results img").count(), 0);
  await assertHarmless(visit);
});

test("an item's links and pictures are https or nothing", async (t) => {
  const visit = await open(t, onService("nfts"));
  assert.equal((await visit.rows("nfts")).length, 3);
  await visit.page.locator("#results img").waitFor();
  const images = visit.page.locator("#results img");
  const links = visit.page.locator('#results a[target="_blank"]');
  assert.deepEqual(await images.evaluateAll((all) => all.map(({ src }) => src)), [PIXEL]);
  assert.deepEqual(await links.evaluateAll((all) => all.map(({ href }) => href)), ["https://good.example/9"]);
  await assertHarmless(visit);
});

test("the sample address with hostile names does no harm in any list, on a narrow screen either", async (t) => {
  const visit = await open(t, "", { viewport: { width: 390, height: 844 } });
  await visit.page.getByLabel("Sample addresses").selectOption({ label: "Hostile names" });
  for (const tab of await visit.page.getByRole("tab").all()) {
    await tab.click();
    await visit.page.locator('#panel[aria-busy="false"] table, #panel[aria-busy="false"] .empty-state').waitFor();
    await assertHarmless(visit);
  }
});

test("the page's policy stops inline scripts even if one got in", { timeout: 20_000 }, async (t) => {
  const visit = await open(t);
  const violated = await visit.page.evaluate(
    () =>
      new Promise((done) => {
        document.addEventListener("securitypolicyviolation", (event) => done(event.effectiveDirective));
        const script = document.createElement("script");
        script.textContent = "window.hacked = 1";
        document.body.append(script);
      }),
  );
  assert.match(violated, /^script-src/);
  assert.equal(await visit.page.evaluate(() => window.hacked), undefined);
});
