// Checks how many bytes the page loads before it can show an address, not counting the package.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { brotliCompressSync } from "node:zlib";

const PAGE = new URL("../../target/page/", import.meta.url);
const MAX_BYTES = 39_000;
const readPage = (name) => readFileSync(new URL(name, PAGE));

/** Returns the files of a chunk and of all chunks that it imports statically. */
function collectFiles(manifest, key, found = new Set()) {
  const { file, css = [], assets = [], imports = [] } = manifest[key];
  for (const name of [file, ...css, ...assets]) found.add(name);
  for (const imported of imports) collectFiles(manifest, imported, found);
  return found;
}

test(`the page loads at most ${MAX_BYTES} bytes besides the package, compressed with brotli`, () => {
  const manifest = JSON.parse(readPage(".vite/manifest.json"));
  const isOfPackage = (file) => /\/(address-query|client)-[^/]+\.(js|wasm)$/.test(file);
  const files = [...collectFiles(manifest, "index.html")].filter((file) => !isOfPackage(file));
  const sizes = ["index.html", ...files].map((file) => [file, brotliCompressSync(readPage(file)).length]);
  const total = sizes.reduce((sum, [, bytes]) => sum + bytes, 0);
  console.log(`${total} bytes: ${sizes.map(([file, bytes]) => `${file} ${bytes}`).join(", ")}`);
  assert.ok(files.some((file) => file.endsWith(".js")) && files.some((file) => file.endsWith(".css")));
  assert.ok(total <= MAX_BYTES, `${total} bytes; load code lazily that the first view does not need`);
});
