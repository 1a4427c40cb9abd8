// `make memory`: checks in Node and Chromium that calls leave no WebAssembly memory behind, whether they end, are broken off or fail.
//
//   CALLS=10000 node tests/memory/run.mjs
//
// It needs the module that counts its allocations: node pkg-template/build/build.mjs --bench
import { createReadStream, readFileSync } from "node:fs";
import { createServer } from "node:http";
import { extname, join, normalize } from "node:path";
import { setImmediate as nextTask } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { chromium } from "playwright-core";
import { chromiumPath, launchArgs } from "../browser.mjs";
import { measureCalls } from "./calls.mjs";

const ROOT = fileURLToPath(new URL("../../", import.meta.url));
const MODULE = "target/bench/parts/client.wasm";
const CALLS = Number(process.env.CALLS ?? 10_000);
const TYPES = { ".js": "text/javascript", ".mjs": "text/javascript", ".wasm": "application/wasm" };

/** Serves the files of the repository, and an empty page. */
function serve({ url }, response) {
  if (url === "/") return response.setHeader("content-type", "text/html").end("<!doctype html>");
  response.setHeader("content-type", TYPES[extname(url)] ?? "application/octet-stream");
  createReadStream(join(ROOT, normalize(url)))
    .on("error", () => response.writeHead(404).end())
    .pipe(response);
}

/** Measures in a page. `report` is called with the result of each kind of call. */
async function measureInChromium(report) {
  const server = createServer(serve);
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  const browser = await chromium.launch({ executablePath: chromiumPath(), args: launchArgs });
  try {
    const page = await browser.newPage();
    await page.exposeFunction("report", report);
    await page.goto(`http://127.0.0.1:${server.address().port}/`);
    await page.evaluate(
      async ([path, count]) => {
        const { measureCalls } = await import("/tests/memory/calls.mjs");
        const bytes = await (await fetch(`/${path}`)).arrayBuffer();
        // Not `setTimeout`, which waits for at least four milliseconds each time.
        const { port1, port2 } = new MessageChannel();
        const nextTask = () => {
          port2.postMessage(null);
          return new Promise((resolve) => (port1.onmessage = resolve));
        };
        await measureCalls(bytes, count, nextTask, globalThis.report);
      },
      [MODULE, CALLS],
    );
  } finally {
    await browser.close();
    server.close();
  }
}

let failures = 0;

function report(name, bytes) {
  console.log(`  ${String(bytes).padStart(10)}  ${name}`);
  if (bytes > 0) failures++;
}

console.log(`Node: bytes left after ${CALLS} calls`);
await measureCalls(readFileSync(join(ROOT, MODULE)), CALLS, nextTask, report);
console.log(`\nChromium: bytes left after ${CALLS} calls`);
await measureInChromium(report);
if (failures > 0) {
  console.error(`\n${failures} kinds of calls leave memory behind.`);
  process.exitCode = 1;
}
