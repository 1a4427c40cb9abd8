// What only a browser's own fetch shows.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { createHarness } from "./consumers/harness.mjs";

let harness;
before(async () => (harness = await createHarness()));
after(() => harness?.close());

test("a redirect met with an API key is an error after one request, and the key stays here", async () => {
  const asked = [];
  const files = {
    "index.html": '<!doctype html><meta charset="utf-8"><title>redirect</title><script type="module" src="main.js"></script>',
    "main.js": `
      import { AddressClient } from "./node_modules/address-query/index.js";
      const client = new AddressClient({ baseUrl: "/moved", apiKey: "proapi_s3cret" });
      globalThis.scenarioResult = client.addresses().catch(({ code, status, attempts, message }) => ({ code, status, attempts, message }));`,
  };
  const { url } = await harness.serveFolder(harness.createProject("redirect", files), {}, (path, response) => {
    if (!path.startsWith("/moved/") && !path.startsWith("/new/")) return false;
    asked.push(path);
    response.writeHead(302, { location: path.replace("/moved", "/new") }).end();
    return true;
  });
  const { message, ...error } = await harness.runInPage(url);
  // The browser hides the status.
  assert.deepEqual(error, { code: "http_status", status: 0, attempts: 1 });
  assert.match(message, /redirects are not followed with an API key; set baseUrl/);
  assert.deepEqual(asked, ["/moved/api/v2/addresses"]);
});
