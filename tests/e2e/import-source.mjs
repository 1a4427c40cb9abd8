// Imports a TypeScript module of the page, for tests that need no browser.
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

/** `path` is relative to www/src. */
export async function importSource(path) {
  const entry = fileURLToPath(new URL(`../../www/src/${path}`, import.meta.url));
  const { outputFiles } = await build({ entryPoints: [entry], bundle: true, format: "esm", platform: "node", write: false });
  return import(`data:text/javascript;base64,${Buffer.from(outputFiles[0].contents).toString("base64")}`);
}
