// Tests of the gallery of NFTs: groups, pictures and which of them are loaded, and the details of one NFT.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { createSampleService } from "../../pkg/testing/index.js";
import { openDemo } from "./demo-page.mjs";
import { importSource } from "./import-source.mjs";
import { ADDRESS, createNft, startMockService } from "./mock-service.mjs";

const { countColumns, estimateHeight } = await importSource("nfts/gallery-rows.ts");
const { hash: HUB } = createSampleService().addresses.find(({ id }) => id === "hub");
const GALLERY = `?address=${HUB}&tab=nfts`;
const CID = "bafybeigdyrzt5sfp7udm7hu76uh7y26nf3efuylqabf3oclgtqy55fbzdi";
const TOO_LONG = `data:image/svg+xml,${"x".repeat(300_000)}`;

/** The problem that the page shows in place of a picture, by the URL of the picture. */
const REJECTED = {
  [`ipfs://${CID}/1.png`]: "ipfs",
  "http://insecure.example/1.png": "unsafe",
  "https://user:secret@good.example/1.png": "unsafe",
  "javascript:alert(1)": "unsafe",
  "data:text/html,<script>alert(1)</script>": "unsafe",
  "//evil.example/1.png": "unsafe",
  "relative/1.png": "unsafe",
  [TOO_LONG]: "too large",
  "": "none",
  "https://missing.example/1.png": "failed",
};

let service;
before(async () => {
  const items = Object.keys(REJECTED).map((image_url, i) => createNft({ id: String(i), image_url }));
  service = await startMockService((path) => ({ body: { items: path.endsWith("/nft") ? items : [], next_page_params: null } }));
});
after(() => service.close());

const openMock = (t, options) =>
  openDemo(t, `?${new URLSearchParams({ tab: "nfts", address: ADDRESS, source: service.url })}`, options);

/** Returns the URLs of the pictures that the page requests from now on. */
function recordPictures(demo) {
  const urls = [];
  demo.page.on("request", (request) => {
    if (request.resourceType() === "image" && !request.url().startsWith("data:")) urls.push(request.url());
  });
  return urls;
}

test("NFTs are grouped by collection, and most of the sample data have pictures", async (t) => {
  const demo = await openDemo(t, GALLERY, { settings: { paging: "pages" } });
  const { headings, rows } = await demo.readGallery();
  const names = headings.map(([heading]) => heading.trim());
  const collections = new Set(names.map((name) => name.replace(/[0-9]+ items?/, "")));
  assert.equal(collections.size, names.length, "each collection is one group");
  assert.ok(
    names.some((name) => name.startsWith("Lanterns")),
    names.join(),
  );
  const counts = names.map((name) => Number(/([0-9]+) items?/.exec(name)[1]));
  const sum = (numbers) => numbers.reduce((a, b) => a + b);
  assert.deepEqual([sum(counts), sum(rows.map((tiles) => tiles.length))], [50, 50]);
  await demo.page.locator("img.loaded").first().waitFor();
  const [tiles, pictures] = [await demo.page.locator(".tile").count(), await demo.page.locator(".tile img").count()];
  assert.ok(pictures >= tiles / 3, `${pictures} of ${tiles} have a picture`);
});

test("the gallery and the list show the same NFTs, by the URL", async (t) => {
  const demo = await openDemo(t, GALLERY, { settings: { paging: "pages" } });
  const { rows } = await demo.readGallery();
  await demo.chooseFilter("View", "List");
  assert.equal((await demo.readRows("nfts")).length, 50);
  assert.equal(demo.getQuery().get("view"), "list");
  await demo.page.goBack();
  assert.deepEqual((await demo.readGallery()).rows, rows);
});

for (const width of [1280, 820, 390]) {
  test(`only the rows in view are in the document, with space for the others, ${width} pixels wide`, async (t) => {
    const { page } = await openDemo(t, GALLERY, { viewport: { width, height: 800 } });
    await page.locator('.list-body[aria-busy="false"] .tile').first().waitFor();
    await page.evaluate(() => scrollTo(0, 1500));
    await page.waitForFunction(() => document.querySelectorAll(".tiles").length > 3);
    const [rows, galleryWidth] = await page.evaluate(() => [
      [...document.querySelectorAll(".gallery-rows > [data-index]")].map((row) => ({
        height: row.getBoundingClientRect().height,
        tiles: row.className === "tiles" ? row.children.length : 0,
      })),
      document.querySelector("aq-gallery").getBoundingClientRect().width,
    ]);
    const columns = countColumns(galleryWidth);
    assert.ok(rows.length < 20, `${rows.length} rows`);
    assert.equal(Math.max(...rows.map(({ tiles }) => tiles)), columns);
    for (const { height, tiles } of rows) {
      const expected = estimateHeight(tiles ? {} : { collection: {} }, galleryWidth, columns);
      // The heading of a collection can have a second line on a phone.
      assert.ok(Math.abs(height - expected) <= (tiles || width > 800 ? 1 : 40), `${height} in place of ${expected}`);
    }
  });
}

test("an NFT opens with its traits and metadata, and closes with Escape", async (t) => {
  const demo = await openDemo(t, GALLERY);
  const tile = demo.page.locator(".tile", { has: demo.page.locator("img") }).first();
  await tile.click();
  const dialog = demo.page.getByRole("dialog");
  await dialog.locator("img.loaded").waitFor();
  await dialog.getByText("Level", { exact: true }).waitFor();
  await dialog.getByText("Metadata", { exact: true }).click();
  assert.ok((await dialog.locator("pre").innerText()).includes('"trait_type": "Level"'));
  await demo.page.keyboard.press("Escape");
  await dialog.waitFor({ state: "detached" });
  assert.ok(await tile.evaluate((element) => element === document.activeElement), "the focus returns to the tile");
});

test("pictures are loaded only from safe URLs", async (t) => {
  const demo = await openMock(t);
  // The page before the reload requests the same picture.
  await demo.page.locator('[data-problem="failed"]').waitFor();
  const requested = recordPictures(demo);
  await demo.page.reload();
  await demo.page.locator('[data-problem="failed"]').waitFor();
  const problems = await demo.page.locator(".tile .no-picture").evaluateAll((all) => all.map(({ dataset }) => dataset.problem));
  assert.deepEqual(problems, Object.values(REJECTED));
  assert.deepEqual(requested, ["https://missing.example/1.png"]);
});

test("pictures on IPFS are loaded from the gateway that the user chooses, which the page remembers", async (t) => {
  const demo = await openMock(t, { settings: { paging: "pages" } });
  await demo.page.locator('[data-problem="ipfs"]').waitFor();
  const requested = recordPictures(demo);
  await demo.getButton("IPFS").click();
  await demo.page.getByLabel("Pictures on IPFS").selectOption({ label: "Other gateway…" });
  const input = demo.page.getByLabel("URL of an IPFS gateway");
  await input.fill("http://insecure.example");
  await demo.getButton("Use").click();
  await demo.page.getByText("Enter a URL that begins with https://.").waitFor();
  await input.fill("https://gateway.example/ignored");
  await demo.getButton("Use").click();
  await demo.page.locator('[data-problem="ipfs"]').waitFor({ state: "detached" });
  await demo.page.waitForFunction(() => document.querySelectorAll('[data-problem="failed"]').length === 2);
  assert.ok(requested.includes(`https://gateway.example/ipfs/${CID}/1.png`), requested.join());
  const stored = await demo.page.evaluate(() => JSON.parse(localStorage.getItem("address-query-settings")).ipfsGateway);
  assert.equal(stored, "https://gateway.example");
});
