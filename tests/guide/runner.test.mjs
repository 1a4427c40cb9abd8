// The examples of the guide: editing, stopping, errors, and reading a real chain with a key.
import assert from "node:assert/strict";
import { test } from "node:test";
import { createSampleService } from "../../pkg/testing/index.js";
import { runExample } from "./page.mjs";
import { setUpGuide } from "./site.mjs";

const openPage = setUpGuide();
const KEY = "proapi_of-the-visitor";

/** Replaces the code of the first example. */
async function edit(page, code) {
  const example = page.locator(".example").first();
  await example.getByRole("button", { name: "Edit" }).click();
  await example.getByRole("textbox", { name: "Code of the example" }).fill(code);
}

test("an example can be edited, shows its requests, and is restored", async (t) => {
  const page = await openPage(t, "paginate.html");
  await edit(
    page,
    "const { items } = await client.addressTokenTransfers({ address_hash });\nshow(`${items.length satisfies number} transfers`);",
  );
  const { example, outputs } = await runExample(page, 0);
  assert.deepEqual(outputs, ["50 transfers"]);
  assert.equal(await example.locator(".keyword", { hasText: "const" }).count(), 1, "the code is highlighted");
  await example.getByText(/^1 request, [\d.]+ KB, [\d.]+ m?s$/).waitFor();
  await example.getByText("Requests", { exact: true }).click();
  assert.match(
    await example.locator("tbody").innerText(),
    /GET https:\/\/eth\.blockscout\.com\/api\/v2\/addresses\/0x\w+\/token-transfers\s+200\s+[\d.]+ KB/,
  );
  await example.getByRole("button", { name: "Clear" }).click();
  assert.equal(await example.locator(".example-result").count(), 0);
  await example.getByRole("button", { name: "Reset" }).click();
  assert.match(await example.innerText(), /const newest = await client/);
});

test("errors are shown with their code, and records only as text", async (t) => {
  const page = await openPage(t, "paginate.html");
  await edit(page, 'show("<img src=x onerror=alert(1)>"); await client.addressTokenTransfers({ address_hash: "0x12" });');
  const { outputs, errors } = await runExample(page, 0);
  assert.equal(outputs[0], "<img src=x onerror=alert(1)>");
  assert.match(errors[0], /^AddressQueryError invalid_parameter: address_hash: must be an address hash/);
  const invalid = await openPage(t, "paginate.html");
  await edit(invalid, "const = 1;");
  assert.match((await runExample(invalid, 0)).errors[0], /SyntaxError/);
});

test("an example that does not end can be stopped, and its requests end with it", async (t) => {
  const page = await openPage(t, "paginate.html");
  await edit(page, 'for (;;) { show("round"); await new Promise((resolve) => setTimeout(resolve, 20)); }');
  const example = page.locator(".example").first();
  await example.getByRole("button", { name: "Run" }).click();
  await example.getByText("round").nth(2).waitFor();
  await example.getByRole("button", { name: "Stop" }).click();
  await example.getByText("Stopped.").waitFor();
  assert.equal(page.frames().length, 1);
});

test("code comes from the page only", async (t) => {
  const page = await openPage(t, "paginate.html?code=show(1)#show(1)");
  assert.match(await page.locator(".example").first().innerText(), /const newest = await client/);
  const runner = new URL("runner/index.html", page.url()).href;
  await page.goto(`${runner}?code=globalThis.hasRun=true`);
  await page.evaluate(() =>
    postMessage({ code: "globalThis.hasRun = true", language: "ts", source: { chainId: null } }, location.origin),
  );
  await page.waitForTimeout(200);
  assert.equal(await page.evaluate(() => globalThis.hasRun), undefined);
});

test("a chosen chain is read with the key, which is sent to the gateway and stored nowhere", async (t) => {
  const page = await openPage(t, "paginate.html");
  const service = createSampleService();
  const sent = [];
  await page.route("https://api.blockscout.com/**", async (route) => {
    const url = route.request().url();
    sent.push(url);
    const response = await service.fetch(url);
    await route.fulfill({
      status: response.status,
      headers: {
        ...Object.fromEntries(response.headers),
        "access-control-allow-origin": "*",
        "access-control-allow-headers": "*",
      },
      body: Buffer.from(await response.arrayBuffer()),
    });
  });
  const example = page.locator(".example").first();
  await example.getByLabel("Chain").selectOption({ label: "Base" });
  await example.getByLabel(/^API key/).fill(KEY);
  await example.getByLabel("Address", { exact: true }).fill(service.addresses[0].hash);
  await edit(page, "show((await client.addressTokenTransfers({ address_hash })).items.length);");
  assert.deepEqual((await runExample(page, 0)).outputs, ["50"]);
  assert.ok(
    sent.length > 0 && sent.every((url) => url.startsWith("https://api.blockscout.com/8453/") && url.endsWith(`?apikey=${KEY}`)),
  );
  assert.ok(!(await example.innerHTML()).includes(KEY), "the key is shown");
  const stored = await page.evaluate(() =>
    JSON.stringify([{ ...localStorage }, { ...sessionStorage }, document.cookie, location.href]),
  );
  assert.ok(!stored.includes(KEY), stored);
  await page.reload();
  assert.equal(await page.getByLabel("Chain").first().locator("option:checked").innerText(), "Sample data");
});
