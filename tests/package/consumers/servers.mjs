// Runtimes without a page.
import { existsSync, readFileSync, readdirSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { execPath, version } from "node:process";
import { build as esbuild } from "esbuild";
import { HERE, run } from "./workshop.mjs";

const MODULES = join(HERE, "node_modules");
const require = createRequire(join(HERE, "package.json"));

const MAIN = (entry) => `
  import process from "node:process";
  import * as entry from "${entry}";
  import { outcome } from "./use.js";
  console.log(JSON.stringify(await outcome(entry, process.argv[2])));`;

const SLIM = `
  import { readFile } from "node:fs/promises";
  import { createRequire } from "node:module";
  import * as entry from "address-query/slim";
  import { outcome } from "./use.js";
  const file = createRequire(import.meta.url).resolve("address-query/client.wasm");
  await entry.init({ module: readFile(file) });
  console.log(JSON.stringify(await outcome(entry, process.argv[2])));`;

const SLIM_WORKER = `
  import module from "address-query/client.wasm";
  import * as entry from "address-query/slim";`;
const COMPAT_WORKER = 'import * as entry from "address-query/compat";';

/** A consumer that is a script, run by a program that may be missing on this platform. */
function script(name, program, args = [], main = MAIN("address-query"), more = {}) {
  return {
    name,
    ...more,
    lacks: () => (existsSync(program) ? undefined : "not installed: npm has no build of it for this platform"),
    run: async (workshop) => {
      const project = workshop.project(name.replaceAll(/\W+/g, "-"), { "main.js": main });
      return JSON.parse(await run(program, [...args, "main.js", workshop.service], project));
    },
  };
}

/** The program that npm installs for this platform as an optional package of this scope. */
function platform(scope, path) {
  const folder = join(MODULES, scope);
  return join(folder, existsSync(folder) ? (readdirSync(folder)[0] ?? "none") : "none", path);
}

const bun = platform("@oven", "bin/bun");
const deno = platform("@deno", "deno");

export const consumers = [
  script(`Node ${version.slice(1)}`, execPath, [], MAIN("address-query"), { quick: true }),
  script("Node, ./slim with ./client.wasm", execPath, [], SLIM, { quick: true }),
  script("Node, ./compat", execPath, [], MAIN("address-query/compat")),
  script("Node 20.0.0", join(MODULES, "node-oldest/bin/node")),
  script("Node 26.10.0", join(MODULES, "node-newest/bin/node")),
  script("Deno", deno, ["run", "--allow-net", "--allow-read=.", "--no-prompt"]),
  script("Bun", bun),
  { name: "workerd (miniflare), ./slim", run: (workshop) => workerd(workshop, "workerd-slim", SLIM_WORKER, "await entry.init({ module });") },
  { name: "workerd (miniflare), ./compat", run: (workshop) => workerd(workshop, "workerd-compat", COMPAT_WORKER) },
];

/** A worker that answers a request for /?service=… with the outcome; bundled, the module beside it, as wrangler does it. */
async function workerd(workshop, name, imports, before = "") {
  const project = workshop.project(name, {
    "main.js": `
      ${imports}
      import { outcome } from "./use.js";
      export default {
        async fetch(request) {
          ${before}
          return Response.json(await outcome(entry, new URL(request.url).searchParams.get("service")));
        },
      };`,
  });
  const outfile = join(project, "dist/main.js");
  const external = ["address-query/client.wasm"];
  await esbuild({ absWorkingDir: project, entryPoints: ["main.js"], bundle: true, format: "esm", outfile, external });
  const wasm = readFileSync(join(project, "node_modules/address-query/client.wasm"));
  const { Miniflare } = require("miniflare");
  const miniflare = new Miniflare({
    compatibilityDate: "2026-04-01",
    modules: [
      { type: "ESModule", path: "main.js", contents: readFileSync(outfile, "utf8") },
      { type: "CompiledWasm", path: "address-query/client.wasm", contents: wasm },
    ],
  });
  try {
    const response = await miniflare.dispatchFetch(`http://consumer/?service=${encodeURIComponent(workshop.service)}`);
    return await response.json();
  } finally {
    await miniflare.dispose();
  }
}
