// Tests of the tab of a contract: its source code and ABI, a twin, hostile contents, and the highlighting.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { AddressClient } from "../../pkg/index.js";
import { createSampleService } from "../../pkg/testing/index.js";
import { openDemo } from "./demo-page.mjs";
import { importSource } from "./import-source.mjs";
import { ADDRESS, startMockService } from "./mock-service.mjs";

const sample = createSampleService();
const client = new AddressClient({ baseUrl: "https://sample.invalid", fetch: sample.fetch });
const getHash = (id) => sample.addresses.find((address) => address.id === id).hash;
const { toLines } = await importSource("contract/syntax.ts");

const MARKUP = '<img src=x onerror="window.hacked=1"><script>window.hacked=1</script>';
const LINES = 900;
const HOSTILE = {
  name: MARKUP,
  is_verified: false,
  verified_twin_address_hash: ADDRESS,
  file_path: MARKUP,
  source_code: `// ${MARKUP}\n// \u202Ereversed\n${"uint a;\n".repeat(LINES)}`,
  additional_sources: [{ file_path: "b.sol", source_code: "contract B {}" }],
  abi: [{ type: "function", name: MARKUP, inputs: [{ type: "tuple", components: [{ type: MARKUP, name: "" }] }] }, { type: 7 }],
  compiler_version: MARKUP,
  decoded_constructor_args: [[MARKUP, { name: MARKUP, type: 3 }], null, []],
  sourcify_repo_url: "javascript:window.hacked=1",
  implementations: [],
  proxy_type: null,
};
let service;
before(async () => {
  service = await startMockService((path) =>
    path.includes("/smart-contracts/") ? { body: HOSTILE } : { status: 404, body: { message: "Not found" } },
  );
});
after(() => service.close());

test("a verified contract has its source code and its ABI", async (t) => {
  const address_hash = getHash("proxy");
  const contract = await client.smartContract({ address_hash });
  const { page } = await openDemo(t, `?address=${address_hash}&tab=contract`);
  assert.equal((await page.locator("pre.code").innerText()).trim(), contract.source_code.trim());
  assert.equal(await page.locator(".code .keyword").first().innerText(), "pragma");
  await page.getByText("Fully verified").waitFor();
  await page.getByText(contract.implementations[0].name).first().waitFor();
  const signatures = await page.locator(".signatures bdi").allInnerTexts();
  assert.deepEqual(signatures, ["owner() → address", "constructor(address owner)"]);
  await page.getByLabel("File").selectOption({ index: 1 });
  assert.equal((await page.locator("pre.code").innerText()).trim(), contract.additional_sources[0].source_code.trim());
});

test("a wallet has no contract", async (t) => {
  const { page } = await openDemo(t, `?address=${getHash("quiet")}&tab=contract`);
  await page.getByRole("heading", { name: "Not a contract" }).waitFor();
});

test("the source of a twin is marked, and hostile source is shown as text", async (t) => {
  const { page } = await openDemo(t, `?${new URLSearchParams({ address: ADDRESS, tab: "contract", source: service.url })}`, {
    viewport: { width: 390, height: 844 },
  });
  const code = page.locator("pre.code");
  await code.waitFor();
  await page.locator(".twin-note", { hasText: "Not verified" }).waitFor();
  assert.ok((await page.locator(".fact-groups").first().innerText()).includes("of the twin"));
  assert.equal(await page.getByText("Fully verified").count(), 0);
  const text = await code.innerText();
  assert.ok(text.includes(MARKUP) && text.includes("⟨U+202E⟩reversed"), text.slice(0, 200));
  assert.ok((await page.locator(".signatures").first().innerText()).includes(`(${MARKUP})`));
  const found = await page.evaluate(() => ({
    hacked: window.hacked,
    elements: document.querySelectorAll("#panel :is(img, script, iframe, form)").length,
    links: [...document.querySelectorAll("#panel a")].filter(({ protocol }) => protocol === "javascript:").length,
    hidden: /[\u202a-\u202e]/.test(document.querySelector("#panel").textContent),
    isTooWide: document.documentElement.scrollWidth > innerWidth,
  }));
  assert.deepEqual(found, { hacked: undefined, elements: 0, links: 0, hidden: false, isTooWide: false });
});

test("long source code is shown in parts", async (t) => {
  const { page } = await openDemo(t, `?${new URLSearchParams({ address: ADDRESS, tab: "contract", source: service.url })}`);
  await page.locator(".code-line").first().waitFor();
  const [shown, more] = [page.locator(".code-line"), page.getByRole("button", { name: /^Show / })];
  const before = await shown.count();
  assert.ok(before < LINES);
  await more.click();
  assert.ok((await shown.count()) > before);
  await more.click();
  await more.waitFor({ state: "detached" });
  // The two comments, and the line after the last line end.
  assert.equal(await shown.count(), LINES + 3);
});

test("the parts of a line add up to the line", () => {
  const sources = [
    'pragma solidity ^0.8.24; // "no string"\nstring constant A = "// no comment \\" still";\n/* two\nlines */ uint256 b = 0xFF;',
    "# @version 0.3.10\n@external\ndef f(x: uint256) -> bool:\n    return True\n",
    '"not ended\n/* not ended',
    "\r\n\t$ € 💠",
  ];
  for (const source of sources) {
    const lines = toLines(source).map((parts) => parts.map(({ text }) => text).join(""));
    assert.deepEqual(lines, source.split(/\r?\n/));
  }
  const meanings = toLines(sources[0]).map((parts) =>
    parts.filter(({ meaning }) => meaning !== "plain").map(({ meaning }) => meaning),
  );
  assert.deepEqual(meanings, [
    ["keyword", "number", "comment"],
    ["type", "keyword", "string"],
    ["comment"],
    ["comment", "type", "number"],
  ]);
});
