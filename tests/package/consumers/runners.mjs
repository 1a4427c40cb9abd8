// Test runners whose environment imitates a page: the globals of jsdom or happy-dom stand beside, or instead of, those of Node.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { runTool } from "./harness.mjs";

const ENTRIES = {
  index: 'import * as entry from "address-query";',
  compat: 'import * as entry from "address-query/compat";',
  slim: `
    import { readFile } from "node:fs/promises";
    import { createRequire } from "node:module";
    import * as entry from "address-query/slim";
    await entry.init({ module: readFile(createRequire(import.meta.url).resolve("address-query/client.wasm")) });`,
  // ./external fetches a file next to its script, which Node's fetch does not do. The stub responds with a Response of the environment.
  external: `
    import { readFile } from "node:fs/promises";
    import { createRequire } from "node:module";
    import * as entry from "address-query/external";
    const { fetch } = globalThis;
    globalThis.fetch = async (resource, init) => {
      if (!String(resource).endsWith("client.wasm")) return fetch(resource, init);
      const bytes = await readFile(createRequire(import.meta.url).resolve("address-query/client.wasm"));
      return new Response(bytes, { headers: { "content-type": "application/wasm" } });
    };`,
};

/** A test that leaves the result in a file, since runners decorate what they print. */
const TEST = (entry) => `
  import { writeFileSync } from "node:fs";
  import process from "node:process";
  ${ENTRIES[entry]}
  import { createSampleService } from "address-query/testing";
  import { tryScenario } from "./scenario.js";
  test("reads two pages", async () => {
    if (typeof document !== "object") throw new Error("the environment has no document");
    writeFileSync("result.json", JSON.stringify(await tryScenario(entry, process.env.SERVICE)));
  });

  test("reads the sample service", async () => {
    const client = new entry.AddressClient({ baseUrl: "https://sample.invalid", fetch: createSampleService({ seed: 1 }).fetch });
    expect((await client.addresses()).items.length).toBeGreaterThan(1);
  });`;

const vitest = (environment) => (project, env) =>
  runTool("vitest/vitest.mjs", ["run", "--globals", "--environment", environment], project, env);

// Jest imports ES modules only with this flag. The environment is jest-environment-jsdom with Node's fetch.
const jest = (project, env) =>
  runTool("jest/bin/jest.js", ["--rootDir", project, "--env", "jest-fixed-jsdom"], project, {
    ...env,
    NODE_OPTIONS: "--experimental-vm-modules",
  });

function runner(name, run, entry = "index") {
  return {
    name: entry === "index" ? name : `${name}, ./${entry}`,
    run: async (harness) => {
      const project = harness.createProject(`${name}-${entry}`.replaceAll(/\W+/g, "-"), { "scenario.test.js": TEST(entry) });
      await run(project, { SERVICE: harness.serviceUrl });
      return JSON.parse(readFileSync(join(project, "result.json"), "utf8"));
    },
  };
}

export const consumers = Object.keys(ENTRIES).flatMap((entry) => [
  runner("Vitest, jsdom", vitest("jsdom"), entry),
  runner("Vitest, happy-dom", vitest("happy-dom"), entry),
  runner("Jest, jsdom", jest, entry),
]);
