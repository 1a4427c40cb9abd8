// The cost of an import: each bundler builds programs that import one export of the package, without any configuration for it. The
// result must not contain the client and the WebAssembly module.
import assert from "node:assert/strict";
import { readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { brotliCompressSync } from "node:zlib";
import { transformSync } from "esbuild";
import { builds, INDEX } from "./bundlers.mjs";
import { runTool } from "./harness.mjs";
import { baseFiles, NEXT } from "./next.mjs";

/** The maximum number of brotli bytes that an import may add to a minified program. */
const MAX_BYTES = 2_000;

/** Programs with one import each: the export, the expression that uses it, and its value. */
const PROGRAMS = [
  ["formatAmount", 'formatAmount("1500000", { decimals: "6" })', "1.5"],
  ["keyOf", 'keyOf({ smart_contract: null, block_hash: "0xab", index: 2 })', "log:0xab:2"],
  ["isAddressQueryError", 'isAddressQueryError(new Error("another error"))', false],
  ["mainnet", "mainnet.id", 1, "address-query/chains"],
];

const createImport = ([name, , , entry = "address-query"]) => `import { ${name} } from "${entry}";`;

/** Builds a separate program for each import. */
function createConsumer(bundler, build) {
  return {
    name: `${bundler}, tree shaking`,
    expected: PROGRAMS.map(([, , value]) => value),
    run: async (harness) => {
      const buildProgram = async (name, program) => {
        const files = { "index.html": INDEX, "main.js": program };
        const project = harness.createProject(`shaking-${bundler}-${name}`, files);
        await build(project);
        return join(project, "dist");
      };
      const empty = measureScripts(await buildProgram("nothing", "globalThis.scenarioResult = null;"));
      const values = [];
      const sizes = [];
      for (const program of PROGRAMS) {
        const [name, expression] = program;
        const dist = await buildProgram(name, `${createImport(program)} globalThis.scenarioResult = ${expression};`);
        sizes.push([name, measureScripts(dist) - empty]);
        const { url } = await harness.serveFolder(dist);
        values.push(await harness.runInPage(url));
      }
      checkSizes(sizes);
      return values;
    },
  };
}

/** A build of Next.js takes long. It builds a page without an import and one with all of them. */
function createNextConsumer(name, options) {
  return {
    name: `Next.js, ${name}, tree shaking`,
    expected: "left out",
    run: async (harness) => {
      const buildPage = async (title, imports, expressions) => {
        const project = harness.createProject(`shaking-next-${name}-${title}`, {
          ...baseFiles,
          "app/page.js": `"use client"; ${imports.join(" ")}
            export default function Page() { return <p>{JSON.stringify([globalThis.location?.href, ${expressions.join(", ")}])}</p>; }`,
        });
        await runTool(NEXT, ["build", ...options], project);
        return measureScripts(join(project, ".next/static"));
      };
      const empty = await buildPage("nothing", [], []);
      const expressions = PROGRAMS.map(([, expression]) => expression);
      checkSizes(
        [["all", (await buildPage("all", PROGRAMS.map(createImport), expressions)) - empty]],
        MAX_BYTES * PROGRAMS.length,
      );
      return "left out";
    },
  };
}

/** Prints the sizes, and fails if one is above the limit. */
function checkSizes(sizes, limit = MAX_BYTES) {
  console.log(`         ${sizes.map(([name, bytes]) => `${name} ${bytes.toLocaleString("en")}`).join(", ")} bytes`);
  for (const [name, bytes] of sizes) assert.ok(bytes <= limit, `${name} adds ${bytes} bytes, more than ${limit}`);
}

/** Returns the compressed bytes of the scripts in a folder. Minifies them first, because not every bundler does. */
function measureScripts(folder) {
  const scripts = readdirSync(folder, { recursive: true }).filter((path) => path.endsWith(".js"));
  const minify = (path) => transformSync(readFileSync(join(folder, path), "utf8"), { minify: true }).code;
  return scripts.reduce((sum, path) => sum + brotliCompressSync(minify(path)).length, 0);
}

export const consumers = [
  ...Object.entries(builds).map(([name, build]) => createConsumer(name, build)),
  createNextConsumer("Turbopack", []),
  createNextConsumer("webpack", ["--webpack"]),
];
