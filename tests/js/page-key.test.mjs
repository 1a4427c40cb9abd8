// The warning about an API key in a page, in development builds.
import assert from "node:assert/strict";
import { afterEach, test } from "node:test";
import { importSlim } from "./late-module.mjs";
import { BASE, inPage } from "./support.mjs";

const apiKey = "key-of-the-instance";
const { NODE_ENV } = process.env;

afterEach(() => {
  if (NODE_ENV === undefined) delete process.env.NODE_ENV;
  else process.env.NODE_ENV = NODE_ENV;
});

/** Creates clients with these options in a build of this kind. Returns the warnings. */
async function collectWarnings(t, build, ...clients) {
  process.env.NODE_ENV = build;
  const { AddressClient } = await importSlim();
  const warn = t.mock.method(console, "warn", () => {});
  for (const options of clients) new AddressClient({ baseUrl: BASE, ...options });
  warn.mock.restore();
  return warn.mock.calls.map(({ arguments: [text] }) => text);
}

test("a development build warns once about a key in a page, and names the proxy guide and the option", async (t) => {
  await inPage(async () => {
    for (const key of [apiKey, () => apiKey]) {
      const warnings = await collectWarnings(t, "development", {}, { apiKey: key }, { apiKey: key });
      assert.equal(warnings.length, 1);
      assert.match(warnings[0], /\/www\/guide\/pages\/proxy\.md.*allowKeyInPage/);
      assert.doesNotMatch(warnings[0], new RegExp(apiKey));
    }
  });
});

test("nothing warns without a key, with the option, in a production build, and on a server", async (t) => {
  await inPage(async () => {
    assert.deepEqual(await collectWarnings(t, "development", {}, { apiKey, allowKeyInPage: true }), []);
    assert.deepEqual(await collectWarnings(t, "production", { apiKey }), []);
  });
  assert.deepEqual(await collectWarnings(t, "development", { apiKey }), []);
});
