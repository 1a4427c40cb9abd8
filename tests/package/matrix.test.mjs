// The quick part of the consumer matrix; `make matrix` runs the whole.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { consumers } from "./consumers/index.mjs";
import { openWorkshop } from "./consumers/workshop.mjs";

let workshop;
before(async () => (workshop = await openWorkshop()));
after(() => workshop?.close());

for (const { name, run } of consumers.filter(({ quick }) => quick)) {
  test(name, async () => assert.deepEqual(await run(workshop), workshop.expected));
}
