// Consumers without a page: Node, Deno and Bun.
import { existsSync, readdirSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { execPath, version } from "node:process";
import { HERE, run } from "./harness.mjs";

const MODULES = join(HERE, "node_modules");
export const require = createRequire(join(HERE, "package.json"));

const createScript = (entry) => `
  import process from "node:process";
  import * as entry from "${entry}";
  import { tryScenario } from "./scenario.js";
  console.log(JSON.stringify(await tryScenario(entry, process.argv[2])));`;

const SLIM_SCRIPT = `
  import { readFile } from "node:fs/promises";
  import { createRequire } from "node:module";
  import * as entry from "address-query/slim";
  import { tryScenario } from "./scenario.js";
  const file = createRequire(import.meta.url).resolve("address-query/client.wasm");
  await entry.init({ module: readFile(file) });
  console.log(JSON.stringify(await tryScenario(entry, process.argv[2])));`;

/** Creates a consumer that runs a script with a program, which can be missing on this platform. */
function createConsumer(name, program, args = [], script = createScript("address-query"), properties = {}) {
  return {
    name,
    ...properties,
    getSkipReason: () => (existsSync(program) ? undefined : "not installed: npm has no build of it for this platform"),
    run: async (harness) => {
      const project = harness.createProject(name.replaceAll(/\W+/g, "-"), { "main.js": script });
      return JSON.parse(await run(program, [...args, "main.js", harness.serviceUrl], project));
    },
  };
}

/** Finds the program that npm installed as the optional package of a scope for this platform. */
function findPlatformBinary(scope, path) {
  const folder = join(MODULES, scope);
  return join(folder, existsSync(folder) ? (readdirSync(folder)[0] ?? "none") : "none", path);
}

export const bun = findPlatformBinary("@oven", "bin/bun");
export const deno = findPlatformBinary("@deno", "deno");

export const consumers = [
  createConsumer(`Node ${version.slice(1)}`, execPath, [], createScript("address-query"), { isQuick: true }),
  createConsumer("Node, ./slim with ./client.wasm", execPath, [], SLIM_SCRIPT, { isQuick: true }),
  createConsumer("Node, ./compat", execPath, [], createScript("address-query/compat")),
  createConsumer("Node 20.0.0", join(MODULES, "node-oldest/bin/node")),
  createConsumer("Node 26.10.0", join(MODULES, "node-newest/bin/node")),
  createConsumer("Deno", deno, ["run", "--allow-net", "--allow-read=.", "--no-prompt"]),
  createConsumer("Bun", bun),
];
