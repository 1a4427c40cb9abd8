// Tests of reading lists: endless lists, restored positions, details of rows, settings, and the counts of the tabs.
import assert from "node:assert/strict";
import { test } from "node:test";
import { createSampleService } from "../../pkg/testing/index.js";
import { openDemo } from "./demo-page.mjs";

const { addresses } = createSampleService();
const { hash: ADDRESS } = addresses.find(({ id }) => id === "hub");
const TRANSFERS = `?address=${ADDRESS}&tab=token-transfers`;
const ENDLESS = { settings: { paging: "endless" } };

/** Scrolls to the end of the rows until `count` are loaded. */
async function scrollToRow(demo, count) {
  await demo.page.waitForFunction(
    (count) => {
      window.scrollTo(0, document.documentElement.scrollHeight);
      return (
        Number(/^(?:All )?([\d,]+)/.exec(document.querySelector(".list-status > p").textContent)?.[1].replace(",", "")) >= count
      );
    },
    count,
    { polling: 50 },
  );
}

const countRenderedRows = (demo) => demo.page.locator("tbody:not(.spacer) tr").count();

/** The options of the theme, by their values. */
const THEMES = { system: "System", light: "Light", dark: "Dark" };

test("an endless list continues as the user scrolls, and renders only the rows in view", async (t) => {
  const demo = await openDemo(t, TRANSFERS, ENDLESS);
  await demo.page.locator("tbody tr[aria-rowindex]").first().waitFor();
  await scrollToRow(demo, 500);
  // A few rows are added in each frame.
  await demo.page.waitForFunction(() => Number([...document.querySelectorAll("tr[aria-rowindex]")].at(-1)?.ariaRowIndex) > 400);
  assert.ok((await countRenderedRows(demo)) < 60, `${await countRenderedRows(demo)} rows are in the document`);
});

test("an endless list ends with all of its records", async (t) => {
  const demo = await openDemo(t, `?address=${ADDRESS}&tab=withdrawals`, ENDLESS);
  await demo.page.locator("tbody tr[aria-rowindex]").first().waitFor();
  await scrollToRow(demo, 300);
  await demo.page.getByText("All 300 withdrawals").waitFor();
  const expected = createSampleService().getAllItems(`/addresses/${ADDRESS}/withdrawals`);
  const rows = await demo.readRows("withdrawals");
  assert.equal(rows.length, expected.length);
  assert.equal(new Set(rows).size, expected.length, "no row twice");
});

test("Back restores the rows and the position without a request", async (t) => {
  const demo = await openDemo(t, TRANSFERS, ENDLESS);
  await demo.page.locator("tbody tr[aria-rowindex]").first().waitFor();
  await scrollToRow(demo, 200);
  // The list stores its position on the event of the next frame.
  await demo.page.evaluate(
    () =>
      new Promise((resolve) => {
        addEventListener("scroll", () => setTimeout(resolve), { once: true });
        scrollTo(0, 4000);
      }),
  );
  const link = demo.page.locator("tbody a[data-address]").nth(20);
  await link.evaluate((element) => element.click());
  await demo.page.waitForURL((url) => url.searchParams.get("address") !== ADDRESS);
  await demo.page.goBack();
  await demo.page.waitForFunction(() => Math.abs(scrollY - 4000) < 100);
  assert.match(await demo.page.locator(".list-status > p").textContent(), /^[2-9]\d\d token transfers/);
});

test("a row shows its details on demand", async (t) => {
  const demo = await openDemo(t, `?address=${ADDRESS}&tab=logs`);
  await demo.waitForRows("logs");
  const button = demo.getButton("Details of log 1");
  assert.equal(await button.getAttribute("aria-expanded"), "false");
  await button.click();
  assert.match(await demo.page.locator(".details-row").innerText(), /Topic 0\s+0x[0-9a-f]{64}/);
  await button.press("Enter");
  assert.equal(await demo.page.locator(".details-row").count(), 0);
});

test("times are shown as ages or as dates, as the user chooses", async (t) => {
  const demo = await openDemo(t, TRANSFERS);
  await demo.waitForRows("token-transfers");
  const time = demo.page.locator("tbody time").first();
  const [age, date] = [await time.innerText(), await time.getAttribute("title")];
  assert.match(age, / ago$/);
  await demo.chooseSetting("Times", "Dates");
  await demo.page.waitForFunction((date) => document.querySelector("tbody time").textContent === date, date);
});

test("the theme follows the user's choice", async (t) => {
  const demo = await openDemo(t, TRANSFERS, { settings: { theme: "dark" } });
  const getBackground = () => demo.page.evaluate(() => getComputedStyle(document.body).backgroundColor);
  const dark = await getBackground();
  await demo.chooseSetting("Theme", "Light");
  assert.notEqual(await getBackground(), dark);
});

test("each colour follows the theme, or the system if the user chose none", async (t) => {
  const [light, dark] = [
    ["rgb(247, 248, 250)", "rgb(17, 21, 28)"],
    ["rgb(13, 16, 20)", "rgb(232, 235, 240)"],
  ];
  for (const colorScheme of ["light", "dark"]) {
    const demo = await openDemo(t, "", { colorScheme });
    for (const [theme, expected] of Object.entries({ system: { light, dark }[colorScheme], light, dark })) {
      await demo.chooseSetting("Theme", THEMES[theme]);
      const colors = await demo.page.evaluate(() => {
        const { backgroundColor, color } = getComputedStyle(document.body);
        return [backgroundColor, color];
      });
      assert.deepEqual(colors, expected, `${theme} with the system theme ${colorScheme}`);
    }
  }
});

test("no colour of the style sheets is the same in both themes", async (t) => {
  const demo = await openDemo(t, "");
  const [light, dark] = [await readColors(demo, "light"), await readColors(demo, "dark")];
  assert.ok(Object.keys(light).length > 10, Object.keys(light).join());
  assert.deepEqual(Object.keys(dark), Object.keys(light));
  const same = Object.keys(light).filter((name) => light[name] === dark[name]);
  assert.deepEqual(same, []);
});

/** Returns the computed value of each custom property of the page that is a colour. */
async function readColors(demo, theme) {
  await demo.chooseSetting("Theme", THEMES[theme]);
  return demo.page.evaluate(() => {
    const rules = [...document.styleSheets].flatMap(({ cssRules }) => [...cssRules]);
    const { style } = rules.find(({ selectorText, style }) => selectorText === ":root" && style.getPropertyValue("--text"));
    const names = [...style].filter((name) => name.startsWith("--") && CSS.supports("color", style.getPropertyValue(name)));
    const probe = document.body.appendChild(document.createElement("span"));
    const readColor = (name) => {
      probe.style.color = `var(${name})`;
      return getComputedStyle(probe).color;
    };
    const colors = Object.fromEntries(names.map((name) => [name, readColor(name)]));
    probe.remove();
    return colors;
  });
}

test("tabs show the counts of the service", async (t) => {
  const demo = await openDemo(t, `?address=${addresses.find(({ id }) => id === "quiet").hash}`);
  for (const name of ["Transactions 14", "Token transfers 25", "Tokens 9", "Internal transactions 3", "Withdrawals 5", "Logs 0"])
    await demo.page.getByRole("tab", { name, exact: true }).waitFor();
  const busy = await openDemo(t, TRANSFERS);
  await busy.page.getByText("50+").first().waitFor();
});
