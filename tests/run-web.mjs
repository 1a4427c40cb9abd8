// Runs the Rust tests of tests/web in a headless browser by wasm-pack, against a sample service (`make test-web` finds the tools):
//
//   node tests/run-web.mjs [options of `wasm-pack test` that name the browser and its driver; Chrome if there are none]
import { spawn } from "node:child_process";
import { once } from "node:events";
import { dirname } from "node:path";
import { argv } from "node:process";
import { fileURLToPath } from "node:url";
import { chromedriverPath } from "./browser.mjs";
import { startService } from "./service.mjs";

// The tests learn the address when they are compiled: the same port each time spares the compiling.
const USUAL_PORT = 18_549;

const browser = argv.length > 2 ? argv.slice(2) : ["--chrome", "--chromedriver", chromedriverPath()];
const service = await startService({ port: USUAL_PORT }).catch(() => startService({ port: 0 }));
const args = ["--log-level", "error", "test", "--mode", "no-install", "--headless", ...browser];
const tests = spawn("wasm-pack", [...args, "--", "--test", "web"], {
  cwd: dirname(dirname(fileURLToPath(import.meta.url))),
  env: { ...process.env, SAMPLE_SERVICE_URL: service.url, WASM_BINDGEN_TEST_TIMEOUT: "120" },
  stdio: "inherit",
});
try {
  const [code] = await once(tests, "exit");
  process.exitCode = code ?? 1;
} finally {
  await service.close();
}
