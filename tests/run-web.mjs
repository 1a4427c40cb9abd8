// Runs the Rust tests in tests/web in a headless browser with wasm-pack, against a local sample service.
// `make test-web` installs the tools.
//
//   node tests/run-web.mjs [options of `wasm-pack test` that select the browser and its driver; the default is Chrome]
import { spawn } from "node:child_process";
import { once } from "node:events";
import { dirname } from "node:path";
import { argv } from "node:process";
import { fileURLToPath } from "node:url";
import { chromedriverPath } from "./browser.mjs";
import { startSampleServer } from "./sample-server.mjs";

// The URL is compiled into the tests, so a constant port avoids recompiling them.
const PREFERRED_PORT = 18_549;

const browserArgs = argv.length > 2 ? argv.slice(2) : ["--chrome", "--chromedriver", chromedriverPath()];
const service = await startSampleServer({ port: PREFERRED_PORT }).catch(() => startSampleServer({ port: 0 }));
const wasmPackArgs = ["--log-level", "error", "test", "--mode", "no-install", "--headless", ...browserArgs];
const wasmPack = spawn("wasm-pack", [...wasmPackArgs, "--", "--test", "web"], {
  cwd: dirname(dirname(fileURLToPath(import.meta.url))),
  // The time of all tests together, in seconds.
  env: { ...process.env, SAMPLE_SERVICE_URL: service.url, WASM_BINDGEN_TEST_TIMEOUT: "600" },
  stdio: "inherit",
});
try {
  const [exitCode] = await once(wasmPack, "exit");
  process.exitCode = exitCode ?? 1;
} finally {
  await service.close();
}
