// Test runners whose environment imitates a page: the globals of jsdom or happy-dom exist beside, or instead of, Node's. The
// component tests of the guide also run in one of them.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { ROOT } from "../../documents.mjs";
import { extractExamples } from "../../types/examples.mjs";
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

/** Returns a program of the guide, by its heading, with the examples before it that are in the same file. */
function readProgram(heading) {
  const page = readFileSync(join(ROOT, "www/guide/pages/programs.md"), "utf8");
  const start = page.split("\n").indexOf(`## ${heading}`);
  const examples = extractExamples(page);
  const last = examples.findIndex(({ line }) => line > start);
  let first = last;
  while (examples[first].isContinued) first -= 1;
  return examples
    .slice(first, last + 1)
    .map(({ code }) => code)
    .join("\n");
}

/** Runs the component tests of the guide with Vitest and Testing Library; returns the title and the status of each test. */
function createComponentTests(heading) {
  const program = readProgram(heading);
  return {
    name: `Vitest, jsdom, guide: ${heading}`,
    expected: Array.from(program.matchAll(/^test\("(.+)"/gm), ([, title]) => [title, "passed"]),
    run: async (harness) => {
      const project = harness.createProject("vitest-guide", { "transfers.test.tsx": program });
      const options = ["run", "--environment", "jsdom", "--reporter=default", "--reporter=json", "--outputFile=result.json"];
      await runTool("vitest/vitest.mjs", options, project);
      const { testResults } = JSON.parse(readFileSync(join(project, "result.json"), "utf8"));
      return testResults.flatMap((file) => file.assertionResults.map(({ title, status }) => [title, status]));
    },
  };
}

export const consumers = [
  ...Object.keys(ENTRIES).flatMap((entry) => [
    runner("Vitest, jsdom", vitest("jsdom"), entry),
    runner("Vitest, happy-dom", vitest("happy-dom"), entry),
    runner("Jest, jsdom", jest, entry),
  ]),
  createComponentTests("Component tests with failures"),
];
