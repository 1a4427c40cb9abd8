// Test runners whose environment imitates a page: the globals of jsdom or happy-dom stand beside, or instead of, those of Node.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { tool } from "./workshop.mjs";

const ENTRIES = {
  index: 'import * as entry from "address-query";',
  compat: 'import * as entry from "address-query/compat";',
  // ./external fetches a file next to its script, which Node's fetch does not do.
  slim: `
    import { readFile } from "node:fs/promises";
    import { createRequire } from "node:module";
    import * as entry from "address-query/slim";
    await entry.init({ module: readFile(createRequire(import.meta.url).resolve("address-query/client.wasm")) });`,
};

/** A test that leaves the outcome in a file, since runners decorate what they print. */
const TEST = (entry) => `
  import { writeFileSync } from "node:fs";
  import process from "node:process";
  ${ENTRIES[entry]}
  import { createSampleService } from "address-query/testing";
  import { outcome } from "./use.js";
  test("reads two pages", async () => {
    if (typeof document !== "object") throw new Error("the environment has no document");
    writeFileSync("outcome.json", JSON.stringify(await outcome(entry, process.env.SERVICE)));
  });

  test("reads the sample service", async () => {
    const client = new entry.AddressClient({ baseUrl: "https://sample.invalid", fetch: createSampleService({ seed: 1 }).fetch });
    expect((await client.addresses()).items.length).toBeGreaterThan(1);
  });`;

const vitest = (environment) => (project, env) =>
  tool("vitest/vitest.mjs", ["run", "--globals", "--environment", environment], project, env);

// Jest imports ES modules only with this flag. The environment is jest-environment-jsdom with Node's fetch.
const jest = (project, env) =>
  tool("jest/bin/jest.js", ["--rootDir", project, "--env", "jest-fixed-jsdom"], project, { ...env, NODE_OPTIONS: "--experimental-vm-modules" });

function runner(name, run, entry = "index") {
  return {
    name: entry === "index" ? name : `${name}, ./${entry}`,
    run: async (workshop) => {
      const project = workshop.project(`${name}-${entry}`.replaceAll(/\W+/g, "-"), { "outcome.test.js": TEST(entry) });
      await run(project, { SERVICE: workshop.service });
      return JSON.parse(readFileSync(join(project, "outcome.json"), "utf8"));
    },
  };
}

export const consumers = Object.keys(ENTRIES).flatMap((entry) => [
  runner("Vitest, jsdom", vitest("jsdom"), entry),
  runner("Vitest, happy-dom", vitest("happy-dom"), entry),
  runner("Jest, jsdom", jest, entry),
]);
