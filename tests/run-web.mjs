// Runs the Rust tests in tests/web in a headless browser, against a local sample service: node tests/run-web.mjs
//
// The browser is Chrome, unless a variable such as GECKODRIVER_REMOTE has the URL of another driver. `make test-web` installs the tools.
// Not `wasm-pack test`, which also compiles every other test target.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { dirname } from "node:path";
import { env } from "node:process";
import { fileURLToPath } from "node:url";
import { chromedriverPath } from "./browser.mjs";
import { startSampleServer } from "./sample-server.mjs";

// The URL is compiled into the tests, so a constant port avoids recompiling them.
const PREFERRED_PORT = 18_549;

const hasDriver = Object.keys(env).some((name) => name.endsWith("DRIVER_REMOTE"));
const driver = hasDriver ? {} : { CHROMEDRIVER: chromedriverPath() };
const service = await startSampleServer({ port: PREFERRED_PORT }).catch(() => startSampleServer({ port: 0 }));
const cargo = spawn("cargo", ["test", "--target", "wasm32-unknown-unknown", "--test", "web"], {
  cwd: dirname(dirname(fileURLToPath(import.meta.url))),
  env: {
    ...env,
    ...driver,
    CARGO_TARGET_WASM32_UNKNOWN_UNKNOWN_RUNNER: "wasm-bindgen-test-runner",
    SAMPLE_SERVICE_URL: service.url,
    WASM_BINDGEN_TEST_ONLY_WEB: "1",
    WASM_BINDGEN_TEST_TIMEOUT: "120",
  },
  stdio: "inherit",
});
try {
  const [exitCode] = await once(cargo, "exit");
  process.exitCode = exitCode ?? 1;
} finally {
  await service.close();
}
