// The quick consumers of the matrix. `make matrix` runs all of them.
import assert from "node:assert/strict";
import { after, test } from "node:test";
import { getHarness } from "./consumers/harness.mjs";
import { consumers } from "./consumers/index.mjs";

const harness = await getHarness();
after(() => harness.close());

for (const { name, run } of consumers.filter(({ isQuick }) => isQuick)) {
  test(name, async () => assert.deepEqual(await run(harness), harness.expected));
}
