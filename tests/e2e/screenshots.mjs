// Takes a screenshot of each tab and page of the demo at four widths and in two themes, into target/screens, and the picture that
// the README shows: node tests/e2e/screenshots.mjs [tab]...
//
// Pages without a list get a second picture, of the full page. The rows of a list are in the document only while they are in view.
import { copyFileSync, mkdirSync } from "node:fs";
import { argv } from "node:process";
import { fileURLToPath } from "node:url";
import { chromium } from "playwright-core";
import { AddressClient } from "../../pkg/index.js";
import { createSampleService } from "../../pkg/testing/index.js";
import { startSite } from "../../www/serve.mjs";
import { chromiumPath, launchArgs } from "../browser.mjs";

const SCREENS = fileURLToPath(new URL("../../target/screens/", import.meta.url));
const README_PICTURE = fileURLToPath(new URL("../../www/screenshot.png", import.meta.url));
const README_SCREEN = "overview-1360-light.png";
// High enough to show the first rows of the lists.
const VIEWPORTS = [
  { width: 390, height: 1600 },
  { width: 820, height: 1200 },
  { width: 1360, height: 900 },
  { width: 1920, height: 1080 },
];
const THEMES = ["light", "dark"];

const { addresses, fetch } = createSampleService();
const client = new AddressClient({ baseUrl: "https://sample.invalid", fetch });
const getHash = (id) => addresses.find((address) => address.id === id).hash;
const showcase = getHash("showcase");
/** The addresses of tabs that are empty for the showcase. */
const OTHERS = { "blocks-validated": "producer", contract: "proxy", logs: "hub", withdrawals: "hub", nfts: "collector" };
/** The suffix of pictures after the search for approvals, which needs a click. */
const SEARCHED = "-searched";
const toQuery = (tab) => `?${new URLSearchParams({ address: getHash(OTHERS[tab] ?? "showcase"), tab })}`;

/** The pages of a transaction, a token with NFTs, another token, and a block, by their names. */
async function findPages() {
  const [{ transaction_hash, block_number }] = (await client.addressTokenTransfers({ address_hash: showcase })).items;
  const [{ token }] = (await client.addressNft({ address_hash: getHash("collector") })).items;
  return { transaction: transaction_hash, token: getHash("token"), nft: token.address_hash, block: block_number };
}

async function searchApprovals(page) {
  await page.getByRole("button", { name: "Search approvals" }).click();
  await page.getByRole("button", { name: "Cancel" }).waitFor({ state: "detached", timeout: 120_000 });
}

async function listTabs(page, query) {
  await page.goto(query);
  await page.getByRole("tab").first().waitFor();
  return page.evaluate(() => [
    ...new Set([...document.querySelectorAll(".tabs a")].map(({ search }) => new URLSearchParams(search).get("tab"))),
  ]);
}

mkdirSync(SCREENS, { recursive: true });
const site = await startSite();
const browser = await chromium.launch({ executablePath: chromiumPath(), args: launchArgs });
try {
  const first = await browser.newPage();
  const ofAddress = (await listTabs(first, `${site.url}?address=${showcase}`)).map((tab) => [tab, toQuery(tab)]);
  for (const tab of ["overview", "approvals"]) ofAddress.push([tab + SEARCHED, toQuery(tab)]);
  ofAddress.push(["history-table", `${toQuery("history")}&view=table`]);
  const ofChain = (await listTabs(first, site.url)).map((tab) => [`chain-${tab}`, `?tab=${tab}`]);
  const ofPages = [];
  for (const [name, id] of Object.entries(await findPages())) {
    const page = `?${new URLSearchParams({ show: name === "nft" ? "token" : name, id })}`;
    for (const tab of await listTabs(first, site.url + page)) ofPages.push([`page-${name}-${tab}`, `${page}&tab=${tab}`]);
  }
  const chosen = argv.slice(2);
  const tabs = [...ofAddress, ...ofChain, ...ofPages].filter(([tab]) => chosen.length === 0 || chosen.includes(tab));
  for (const colorScheme of THEMES) {
    for (const viewport of VIEWPORTS) {
      const page = await browser.newPage({ viewport, colorScheme, reducedMotion: "reduce" });
      for (const [tab, query] of tabs) {
        await page.goto(site.url + query);
        await page.locator("#panel [aria-busy=true]").waitFor({ state: "detached" });
        await page.waitForLoadState("networkidle");
        if (tab.endsWith(SEARCHED)) await searchApprovals(page);
        await page.waitForTimeout(1000);
        // The typefaces are applied on the next input.
        await page.keyboard.press("Shift");
        await page.waitForTimeout(300);
        const path = (name) => `${SCREENS}${name}-${viewport.width}-${colorScheme}.png`;
        await page.screenshot({ path: path(tab) });
        if ((await page.locator("aq-list-tab").count()) === 0)
          await page.screenshot({ path: path(`${tab}-whole`), fullPage: true });
      }
      await page.close();
    }
  }
  if (tabs.some(([tab]) => README_SCREEN.startsWith(tab))) copyFileSync(SCREENS + README_SCREEN, README_PICTURE);
  console.log(
    `Pictures of ${tabs.length} tabs and pages at ${VIEWPORTS.length} widths and in ${THEMES.length} themes in ${SCREENS}`,
  );
} finally {
  await browser.close();
  await site.close();
}
