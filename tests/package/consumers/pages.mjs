// Consumers without a bundler: pages, workers, pages with a strict Content-Security-Policy, and a browser extension.
import assert from "node:assert/strict";
import { join } from "node:path";
import { chromium } from "playwright-core";
import { chromiumPath, launchArgs } from "../../browser.mjs";
import { readResult } from "./harness.mjs";

const SERVICE_URL = "new URL(location.href).searchParams.get('service')";
const createHtml = (script) => `<!doctype html><meta charset="utf-8"><title>consumer</title>${script}`;
const PAGE = createHtml("<script type=module src=main.js></script>");

/** Creates the script of a page that imports an entry point from the package folder. */
const createScript = (entry) => `
  import * as entry from "./node_modules/address-query/${entry}.js";
  import { tryScenario } from "./scenario.js";
  globalThis.scenarioResult = tryScenario(entry, ${SERVICE_URL});`;

/** Serves these files and opens the page. */
async function serveAndRun(harness, name, files, headers) {
  const { url } = await harness.serveProject(name, files, headers);
  return harness.runInPage(url);
}

/** Code of a worker: `serve(port)` responds to a message with a base URL with the result of the scenario. */
const WORKER_CODE = `
  import * as entry from "./node_modules/address-query/index.js";
  import { tryScenario } from "./scenario.js";
  const serve = (port) => (port.onmessage = async ({ data }) => port.postMessage(await tryScenario(entry, data)));`;

/** Code of a page: `request(port)` sends the base URL to a worker and resolves to its response. */
const PAGE_CODE = `
  const request = (port) => new Promise((resolve) => {
    port.onmessage = ({ data }) => resolve(data);
    port.postMessage(${SERVICE_URL});
  });`;

const SERVICE_WORKER_PAGE = `${PAGE_CODE}
  await navigator.serviceWorker.register("worker.js", { type: "module" });
  const { active } = await navigator.serviceWorker.ready;
  const { port1, port2 } = new MessageChannel();
  active.postMessage(undefined, [port2]);
  globalThis.scenarioResult = request(port1);`;

/** Delays the module until a request to the service was sent. Without an early request, the scenario would never end. */
const HOLD_MODULE = `
  const { fetch } = globalThis;
  const sent = {};
  sent.promise = new Promise((resolve) => (sent.resolve = resolve));
  globalThis.fetch = async (request) => {
    if (String(request).endsWith("/client.wasm")) await sent.promise;
    else sent.resolve();
    return fetch(request);
  };`;

/** The Content-Security-Policy allows the module and the service, and nothing else. */
async function runBeforeModule(harness, entry) {
  const init = entry === "slim" ? "entry.init({ module: fetch('./node_modules/address-query/client.wasm') });" : "";
  const files = {
    "index.html": PAGE,
    "main.js": createScript(entry).replace("globalThis.scenarioResult", `${HOLD_MODULE} ${init} globalThis.scenarioResult`),
  };
  const policy = `default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; connect-src 'self' ${harness.serviceUrl}`;
  return serveAndRun(harness, `before-module-${entry}`, files, { "content-security-policy": policy });
}

export const consumers = [
  {
    name: "script type=module, no bundler",
    isQuick: true,
    run: (harness) => serveAndRun(harness, "module-script", { "index.html": PAGE, "main.js": createScript("index") }),
  },
  {
    name: "script type=module, no bundler, ./external",
    isQuick: true,
    run: (harness) => serveAndRun(harness, "module-external", { "index.html": PAGE, "main.js": createScript("external") }),
  },
  {
    name: "two entries in one page",
    isQuick: true,
    run: (harness) =>
      serveAndRun(harness, "two-entries", {
        "index.html": PAGE,
        "main.js": `
          import * as inlined from "./node_modules/address-query/index.js";
          import * as external from "./node_modules/address-query/external.js";
          import * as compat from "./node_modules/address-query/compat.js";
          import { runScenario } from "./scenario.js";
          const entries = [inlined, external, compat];
          // Each entry must recognize the errors of the other entries.
          const results = await Promise.all(entries.map(({ AddressClient }, i) =>
            runScenario({ ...entries[(i + 1) % 3], AddressClient }, ${SERVICE_URL})));
          const isSame = results.every((result) => JSON.stringify(result) === JSON.stringify(results[0]));
          globalThis.scenarioResult = isSame ? results[0] : { failed: "the entries differ" };`,
      }),
  },
  {
    name: "strict CSP with 'wasm-unsafe-eval'",
    isQuick: true,
    run: (harness) =>
      serveAndRun(
        harness,
        "csp",
        { "index.html": PAGE, "main.js": createScript("index") },
        {
          "content-security-policy": `default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; connect-src ${harness.serviceUrl}`,
        },
      ),
  },
  ...["external", "slim"].map((entry) => ({
    name: `strict CSP, first request before the module, ./${entry}`,
    isQuick: true,
    run: (harness) => runBeforeModule(harness, entry),
  })),
  {
    name: "worker, first request before the module, ./external",
    run: (harness) =>
      serveAndRun(harness, "worker-before-module", {
        "index.html": PAGE,
        "main.js": `${PAGE_CODE} globalThis.scenarioResult = request(new Worker("worker.js", { type: "module" }));`,
        "worker.js": `${HOLD_MODULE} ${WORKER_CODE.replace("index.js", "external.js")} serve(self);`,
      }),
  },
  {
    name: "strict CSP without 'wasm-unsafe-eval', ./compat",
    isQuick: true,
    run: (harness) =>
      serveAndRun(
        harness,
        "csp-compat",
        { "index.html": PAGE, "main.js": createScript("compat") },
        { "content-security-policy": `default-src 'none'; script-src 'self'; connect-src ${harness.serviceUrl}` },
      ),
  },
  {
    name: "no WebAssembly, ./compat",
    isQuick: true,
    run: (harness) =>
      serveAndRun(harness, "no-wasm", {
        "index.html": createHtml("<script>delete globalThis.WebAssembly</script><script type=module src=main.js></script>"),
        "main.js": `${createScript("compat")}\nif ("WebAssembly" in globalThis) throw new Error("WebAssembly is available");`,
      }),
  },
  {
    name: "dedicated worker",
    run: (harness) =>
      serveAndRun(harness, "worker", {
        "index.html": PAGE,
        "main.js": `${PAGE_CODE} globalThis.scenarioResult = request(new Worker("worker.js", { type: "module" }));`,
        "worker.js": `${WORKER_CODE} serve(self);`,
      }),
  },
  {
    name: "shared worker",
    run: (harness) =>
      serveAndRun(harness, "shared-worker", {
        "index.html": PAGE,
        "main.js": `${PAGE_CODE} globalThis.scenarioResult = request(new SharedWorker("worker.js", { type: "module" }).port);`,
        "worker.js": `${WORKER_CODE} onconnect = ({ ports: [port] }) => serve(port);`,
      }),
  },
  {
    name: "service worker",
    run: (harness) =>
      serveAndRun(harness, "service-worker", {
        "index.html": PAGE,
        "main.js": SERVICE_WORKER_PAGE,
        "worker.js": `${WORKER_CODE} onmessage = ({ ports: [port] }) => serve(port);`,
      }),
  },
  {
    name: "service worker, ./slim",
    run: (harness) =>
      serveAndRun(harness, "service-worker-slim", {
        "index.html": PAGE,
        "main.js": SERVICE_WORKER_PAGE,
        "worker.js": `
          ${WORKER_CODE.replace("index.js", "slim.js")}
          entry.init({ module: fetch("./node_modules/address-query/client.wasm") });
          onmessage = ({ ports: [port] }) => serve(port);`,
      }),
  },
  { name: "extension (MV3), page", run: (harness) => runInExtension(harness, "page") },
  { name: "extension (MV3), service worker", run: (harness) => runInExtension(harness, "worker") },
];

/** Runs the scenario in the page of an extension, or in its service worker. */
async function runInExtension(harness, context) {
  const folder = harness.createProject(`extension-${context}`, {
    "manifest.json": JSON.stringify({
      manifest_version: 3,
      name: "consumer",
      version: "1.0",
      background: { service_worker: "background.js", type: "module" },
      content_security_policy: { extension_pages: "script-src 'self' 'wasm-unsafe-eval'; object-src 'self'" },
    }),
    "page.html": PAGE,
    "main.js":
      context === "page" ? createScript("index") : `globalThis.scenarioResult = chrome.runtime.sendMessage(${SERVICE_URL});`,
    "background.js": `
      import * as entry from "./node_modules/address-query/index.js";
      import { tryScenario } from "./scenario.js";
      chrome.runtime.onMessage.addListener((service, _, respond) => (tryScenario(entry, service).then(respond), true));`,
  });
  // Extensions need the browser's new headless mode.
  const args = launchArgs.map((arg) => (arg === "--headless" ? "--headless=new" : arg));
  const browserContext = await chromium.launchPersistentContext(join(folder, "profile"), {
    executablePath: chromiumPath(),
    headless: false,
    ignoreDefaultArgs: ["--disable-extensions"],
    args: [...args, `--disable-extensions-except=${folder}`, `--load-extension=${folder}`],
  });
  try {
    const worker =
      browserContext.serviceWorkers()[0] ?? (await browserContext.waitForEvent("serviceworker", { timeout: 20_000 }));
    const { host } = new URL(worker.url());
    assert.match(host, /^[a-p]{32}$/);
    return await readResult(await browserContext.newPage(), harness.addServiceParameter(`chrome-extension://${host}/page.html`));
  } finally {
    await browserContext.close();
  }
}
