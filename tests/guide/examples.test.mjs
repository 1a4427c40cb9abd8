// Runs every example of the guide in a browser, on the sample data.
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { runExample } from "./page.mjs";
import { PAGES, setUpGuide } from "./site.mjs";

const openPage = setUpGuide();

/** Examples that show nothing on the sample data: they declare a client or a service for tests, or warn of what is missing. */
const SILENT = {
  "checked.html": [0],
  "entries.html": [0],
  "errors.html": [1],
  "retry.html": [0],
  "testing.html": [0, 1, 2, 3, 5],
  "workers.html": [0],
};

describe("each example runs", { concurrency: 2 }, () => {
  for (const name of PAGES) {
    test(name, { timeout: 120_000 }, async (t) => {
      const page = await openPage(t, name);
      const count = await page.locator(".example").count();
      if (name.startsWith("api-")) assert.ok(count > 0, "a reference page has an example");
      for (let index = 0; index < count; index += 1) {
        const { outputs, errors, rendered } = await runExample(page, index);
        assert.deepEqual(errors, [], `example ${index + 1}`);
        if (!SILENT[name]?.includes(index))
          assert.ok(outputs.length > 0 || rendered !== "", `example ${index + 1} shows nothing`);
      }
    });
  }
});
