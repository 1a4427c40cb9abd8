// Consumers built with bundlers, without any configuration for this package. They import the default entry and, if the bundler
// supports `new URL("…", import.meta.url)`, ./external.
import { cpSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { build as esbuild } from "esbuild";
import { HERE, runTool } from "./harness.mjs";

const require = createRequire(join(HERE, "package.json"));

/** A page with the script `main.js`. */
export const INDEX =
  '<!doctype html><meta charset="utf-8"><title>consumer</title><script type="module" src="./main.js"></script>';
const MAIN = `
  import * as entry from "address-query";
  import { tryScenario } from "./scenario.js";
  globalThis.scenarioResult = tryScenario(entry, new URL(location.href).searchParams.get("service"));`;

const defaultFiles = { "index.html": INDEX, "main.js": MAIN };
const slimFiles = {
  "index.html": INDEX,
  "main.js": MAIN.replace('"address-query"', '"address-query/slim"').replace(
    "globalThis",
    `import module from "address-query/client.wasm?url";
    entry.init({ module: fetch(module) });
    globalThis`,
  ),
};
const externalFiles = { "index.html": INDEX, "main.js": MAIN.replace('"address-query"', '"address-query/external"') };

/** Creates a consumer that builds into `dist`, serves that folder and opens the page. */
function createConsumer(name, files, build, properties = {}) {
  return {
    name,
    ...properties,
    run: async (harness) => {
      const project = harness.createProject(name.replaceAll(/\W+/g, "-"), files);
      await build(project);
      const { url } = await harness.serveFolder(join(project, "dist"));
      return harness.runInPage(url);
    },
  };
}

/** Extends a build that produces only a script: the result also adds the page to `dist`. */
const createBuildWithPage = (build) => async (project) => {
  await build(project);
  writeFileSync(join(project, "dist/index.html"), INDEX);
};

const buildWithEsbuild = createBuildWithPage((absWorkingDir) =>
  esbuild({
    absWorkingDir,
    entryPoints: ["main.js"],
    bundle: true,
    minify: true,
    format: "esm",
    outdir: "dist",
    logLevel: "silent",
  }),
);

const buildWithVite = (project) => runTool("vite/bin/vite.js", ["build", "--logLevel", "warn"], project);

const buildWithWebpack = createBuildWithPage((context) => compile(require("webpack").webpack, context));

const buildWithRspack = createBuildWithPage((context) => compile(require("@rspack/core").rspack, context));

/** Builds with webpack or rspack, which have the same API. */
function compile(bundler, context) {
  const output = { path: join(context, "dist"), filename: "main.js" };
  // Every warning is an error, except that scripts are larger than the recommended 244 KiB.
  const compiler = bundler({ context, mode: "production", entry: "./main.js", output, performance: { hints: false } });
  return new Promise((resolve, reject) => {
    compiler.run((error, stats) => {
      const failure = error ?? (stats.hasErrors() || stats.hasWarnings() ? new Error(stats.toString({ colors: false })) : null);
      compiler.close(() => (failure ? reject(failure) : resolve()));
    });
  });
}

const buildWithRollup = createBuildWithPage(async (project) => {
  const { rollup } = await import(require.resolve("rollup"));
  const { nodeResolve } = await import(require.resolve("@rollup/plugin-node-resolve"));
  const { importMetaAssets } = await import(require.resolve("@web/rollup-plugin-import-meta-assets"));
  const throwWarning = ({ message }) => {
    throw new Error(message);
  };
  const bundle = await rollup({
    input: join(project, "main.js"),
    plugins: [nodeResolve(), importMetaAssets()],
    onwarn: throwWarning,
  });
  await bundle.write({ dir: join(project, "dist"), format: "es" });
  await bundle.close();
});

const buildWithParcel = (project) => {
  const options = ["--no-cache", "--cache-dir", ".parcel-cache", "--no-source-maps", "--public-url", "./"];
  return runTool("parcel/lib/bin.js", ["build", "index.html", ...options], project, { PARCEL_WORKERS: "0" });
};

/** The bundlers. Each function builds the page and the script of a project into `dist`. */
export const builds = {
  esbuild: buildWithEsbuild,
  Vite: buildWithVite,
  webpack: buildWithWebpack,
  rspack: buildWithRspack,
  Rollup: buildWithRollup,
  Parcel: buildWithParcel,
};

export const consumers = [
  createConsumer("esbuild", defaultFiles, buildWithEsbuild, { isQuick: true }),
  createConsumer("esbuild, ./external, file copied", externalFiles, async (project) => {
    await buildWithEsbuild(project);
    cpSync(join(project, "node_modules/address-query/client.wasm"), join(project, "dist/client.wasm"));
  }),
  createConsumer("Vite, build", defaultFiles, buildWithVite),
  createConsumer("Vite, build, ./external", externalFiles, buildWithVite),
  createConsumer("Vite, build, ./slim with ./client.wasm?url", slimFiles, buildWithVite),
  { name: "Vite, dev", run: (harness) => runDevServer(harness, "vite-dev", defaultFiles) },
  { name: "Vite, dev, ./external", run: (harness) => runDevServer(harness, "vite-dev-external", externalFiles) },
  createConsumer("webpack", defaultFiles, buildWithWebpack),
  createConsumer("webpack, ./external", externalFiles, buildWithWebpack),
  createConsumer("rspack", defaultFiles, buildWithRspack),
  createConsumer("rspack, ./external", externalFiles, buildWithRspack),
  createConsumer("Rollup", defaultFiles, buildWithRollup),
  createConsumer("Rollup, ./external", externalFiles, buildWithRollup),
  createConsumer("Parcel", defaultFiles, buildWithParcel),
  createConsumer("Parcel, ./external", externalFiles, buildWithParcel),
];

/** Serves the files with Vite's development server, which does not bundle them. */
async function runDevServer(harness, name, files) {
  const { createServer } = await import(require.resolve("vite").replace(/index\.cjs$/, "dist/node/index.js"));
  const server = await createServer({
    root: harness.createProject(name, files),
    logLevel: "error",
    server: { port: 0, host: "127.0.0.1" },
  });
  try {
    await server.listen();
    return await harness.runInPage(server.resolvedUrls.local[0]);
  } finally {
    await server.close();
  }
}
