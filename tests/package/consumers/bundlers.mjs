// Pages built by bundlers, with nothing configured for this package: the default entry with one import line, and ./external
// where the bundler knows `new URL("…", import.meta.url)`.
import { cpSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { build as esbuild } from "esbuild";
import { HERE, tool } from "./workshop.mjs";

const require = createRequire(join(HERE, "package.json"));

const INDEX = '<!doctype html><meta charset="utf-8"><title>consumer</title><script type="module" src="./main.js"></script>';
const MAIN = `
  import * as entry from "address-query";
  import { outcome } from "./use.js";
  globalThis.outcome = outcome(entry, new URL(location.href).searchParams.get("service"));`;

const source = { "index.html": INDEX, "main.js": MAIN };
const slim = {
  "index.html": INDEX,
  "main.js": MAIN.replace('"address-query"', '"address-query/slim"').replace(
    "globalThis",
    `import module from "address-query/client.wasm?url";
    entry.init({ module: fetch(module) });
    globalThis`,
  ),
};
const external = { "index.html": INDEX, "main.js": MAIN.replace('"address-query"', '"address-query/external"') };

/** A consumer that builds into `dist`, which is then served and visited. */
function bundled(name, files, build, more = {}) {
  return {
    name,
    ...more,
    run: async (workshop) => {
      const project = workshop.project(name.replaceAll(/\W+/g, "-"), files);
      await build(project);
      const { url } = await workshop.serve(join(project, "dist"));
      return workshop.visit(url);
    },
  };
}

/** The page itself, for bundlers that make scripts only. */
const withPage = (build) => async (project) => {
  await build(project);
  writeFileSync(join(project, "dist/index.html"), INDEX);
};

const withEsbuild = withPage((absWorkingDir) =>
  esbuild({ absWorkingDir, entryPoints: ["main.js"], bundle: true, minify: true, format: "esm", outdir: "dist", logLevel: "silent" }),
);

const withVite = (project) => tool("vite/bin/vite.js", ["build", "--logLevel", "warn"], project);

const withWebpack = withPage((context) => compile(require("webpack").webpack, context));

const withRspack = withPage((context) => compile(require("@rspack/core").rspack, context));

function compile(bundler, context) {
  const output = { path: join(context, "dist"), filename: "main.js" };
  // Every warning fails, but the advice about sizes: it has 244 KiB of JavaScript in mind.
  const compiler = bundler({ context, mode: "production", entry: "./main.js", output, performance: { hints: false } });
  return new Promise((resolve, reject) => {
    compiler.run((error, stats) => {
      const spoiled = error ?? (stats.hasErrors() || stats.hasWarnings() ? new Error(stats.toString({ colors: false })) : null);
      compiler.close(() => (spoiled ? reject(spoiled) : resolve()));
    });
  });
}

const withRollup = withPage(async (project) => {
  const { rollup } = await import(require.resolve("rollup"));
  const { nodeResolve } = await import(require.resolve("@rollup/plugin-node-resolve"));
  const { importMetaAssets } = await import(require.resolve("@web/rollup-plugin-import-meta-assets"));
  const complain = ({ message }) => {
    throw new Error(message);
  };
  const bundle = await rollup({ input: join(project, "main.js"), plugins: [nodeResolve(), importMetaAssets()], onwarn: complain });
  await bundle.write({ dir: join(project, "dist"), format: "es" });
  await bundle.close();
});

const withParcel = (project) => {
  const options = ["--no-cache", "--cache-dir", ".parcel-cache", "--no-source-maps", "--public-url", "./"];
  return tool("parcel/lib/bin.js", ["build", "index.html", ...options], project, { PARCEL_WORKERS: "0" });
};

export const consumers = [
  bundled("esbuild", source, withEsbuild, { quick: true }),
  bundled("esbuild, ./external, file copied", external, async (project) => {
    await withEsbuild(project);
    cpSync(join(project, "node_modules/address-query/client.wasm"), join(project, "dist/client.wasm"));
  }),
  bundled("Vite, build", source, withVite),
  bundled("Vite, build, ./external", external, withVite),
  bundled("Vite, build, ./slim with ./client.wasm?url", slim, withVite),
  { name: "Vite, dev", run: (workshop) => dev(workshop, "vite-dev", source) },
  { name: "Vite, dev, ./external", run: (workshop) => dev(workshop, "vite-dev-external", external) },
  bundled("webpack", source, withWebpack),
  bundled("webpack, ./external", external, withWebpack),
  bundled("rspack", source, withRspack),
  bundled("rspack, ./external", external, withRspack),
  bundled("Rollup", source, withRollup),
  bundled("Rollup, ./external", external, withRollup),
  bundled("Parcel", source, withParcel),
  bundled("Parcel, ./external", external, withParcel),
];

/** Served by Vite as it is, unbundled. */
async function dev(workshop, name, files) {
  const { createServer } = await import(require.resolve("vite").replace(/index\.cjs$/, "dist/node/index.js"));
  const server = await createServer({ root: workshop.project(name, files), logLevel: "error", server: { port: 0, host: "127.0.0.1" } });
  try {
    await server.listen();
    return await workshop.visit(server.resolvedUrls.local[0]);
  } finally {
    await server.close();
  }
}
