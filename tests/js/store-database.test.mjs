// The databases of a store that run in Node.js.
import { describe, test } from "node:test";
import { memoryDatabase } from "../../pkg/store/index.js";
import { DATABASE_TESTS } from "./store-database.mjs";

describe("a database in memory", () => {
  for (const [name, run] of Object.entries(DATABASE_TESTS)) test(name, () => run(memoryDatabase));
});
