// Pages and workers without a bundler, strict policies, and a browser extension.
import assert from "node:assert/strict";
import { join } from "node:path";
import { chromium } from "playwright-core";
import { chromiumPath, launchArgs } from "../../browser.mjs";
import { outcomeOf } from "./workshop.mjs";

const SERVICE = "new URL(location.href).searchParams.get('service')";
const html = (script) => `<!doctype html><meta charset="utf-8"><title>consumer</title>${script}`;
const PAGE = html("<script type=module src=main.js></script>");

/** The script of a page that uses an entry as it lies in the package. */
const using = (entry) => `
  import * as entry from "./node_modules/address-query/${entry}.js";
  import { outcome } from "./use.js";
  globalThis.outcome = outcome(entry, ${SERVICE});`;

async function visited(workshop, name, files, headers) {
  const { url } = await workshop.serve(workshop.project(name, files), headers);
  return workshop.visit(url);
}

/** A worker script that answers the address of a service with the outcome. */
const WORK = `
  import * as entry from "./node_modules/address-query/index.js";
  import { outcome } from "./use.js";
  const work = (port) => (port.onmessage = async ({ data }) => port.postMessage(await outcome(entry, data)));`;

/** Asks a port, and leaves the answer. */
const ASK = `
  const ask = (port) => new Promise((resolve) => {
    port.onmessage = ({ data }) => resolve(data);
    port.postMessage(${SERVICE});
  });`;

const SERVICE_WORKER_PAGE = `${ASK}
  await navigator.serviceWorker.register("worker.js", { type: "module" });
  const { active } = await navigator.serviceWorker.ready;
  const { port1, port2 } = new MessageChannel();
  active.postMessage(undefined, [port2]);
  globalThis.outcome = ask(port1);`;

export const consumers = [
  {
    name: "script type=module, no bundler",
    quick: true,
    run: (workshop) => visited(workshop, "module-script", { "index.html": PAGE, "main.js": using("index") }),
  },
  {
    name: "the same, ./external",
    quick: true,
    run: (workshop) => visited(workshop, "module-external", { "index.html": PAGE, "main.js": using("external") }),
  },
  {
    name: "two entries in one page",
    quick: true,
    run: (workshop) =>
      visited(workshop, "two-entries", {
        "index.html": PAGE,
        "main.js": `
          import * as inlined from "./node_modules/address-query/index.js";
          import * as external from "./node_modules/address-query/external.js";
          import * as compat from "./node_modules/address-query/compat.js";
          import { use } from "./use.js";
          const entries = [inlined, external, compat];
          // Each one's errors are recognised by the next one.
          const outcomes = await Promise.all(entries.map(({ AddressClient }, at) =>
            use({ ...entries[(at + 1) % 3], AddressClient }, ${SERVICE})));
          const same = outcomes.every((outcome) => JSON.stringify(outcome) === JSON.stringify(outcomes[0]));
          globalThis.outcome = same ? outcomes[0] : { failed: "the entries differ" };`,
      }),
  },
  {
    name: "strict CSP with 'wasm-unsafe-eval'",
    quick: true,
    run: (workshop) =>
      visited(
        workshop,
        "csp",
        { "index.html": PAGE, "main.js": using("index") },
        { "content-security-policy": `default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; connect-src ${workshop.service}` },
      ),
  },
  {
    name: "strict CSP without it, ./compat",
    quick: true,
    run: (workshop) =>
      visited(
        workshop,
        "csp-compat",
        { "index.html": PAGE, "main.js": using("compat") },
        { "content-security-policy": `default-src 'none'; script-src 'self'; connect-src ${workshop.service}` },
      ),
  },
  {
    name: "no WebAssembly, ./compat",
    quick: true,
    run: (workshop) =>
      visited(workshop, "no-wasm", {
        "index.html": html("<script>delete globalThis.WebAssembly</script><script type=module src=main.js></script>"),
        "main.js": `${using("compat")}\nif ("WebAssembly" in globalThis) throw new Error("WebAssembly is there");`,
      }),
  },
  {
    name: "dedicated worker",
    run: (workshop) =>
      visited(workshop, "worker", {
        "index.html": PAGE,
        "main.js": `${ASK} globalThis.outcome = ask(new Worker("worker.js", { type: "module" }));`,
        "worker.js": `${WORK} work(self);`,
      }),
  },
  {
    name: "shared worker",
    run: (workshop) =>
      visited(workshop, "shared-worker", {
        "index.html": PAGE,
        "main.js": `${ASK} globalThis.outcome = ask(new SharedWorker("worker.js", { type: "module" }).port);`,
        "worker.js": `${WORK} onconnect = ({ ports: [port] }) => work(port);`,
      }),
  },
  {
    name: "service worker",
    run: (workshop) =>
      visited(workshop, "service-worker", {
        "index.html": PAGE,
        "main.js": SERVICE_WORKER_PAGE,
        "worker.js": `${WORK} onmessage = ({ ports: [port] }) => work(port);`,
      }),
  },
  {
    name: "service worker, ./slim",
    run: (workshop) =>
      visited(workshop, "service-worker-slim", {
        "index.html": PAGE,
        "main.js": SERVICE_WORKER_PAGE,
        "worker.js": `
          ${WORK.replace("index.js", "slim.js")}
          entry.init({ module: fetch("./node_modules/address-query/client.wasm") });
          onmessage = ({ ports: [port] }) => work(port);`,
      }),
  },
  { name: "extension (MV3), page", run: (workshop) => extension(workshop, "page") },
  { name: "extension (MV3), service worker", run: (workshop) => extension(workshop, "worker") },
];

/** An extension whose page calls by itself, or asks its service worker to. */
async function extension(workshop, where) {
  const folder = workshop.project(`extension-${where}`, {
    "manifest.json": JSON.stringify({
      manifest_version: 3,
      name: "consumer",
      version: "1.0",
      background: { service_worker: "background.js", type: "module" },
      content_security_policy: { extension_pages: "script-src 'self' 'wasm-unsafe-eval'; object-src 'self'" },
    }),
    "page.html": PAGE,
    "main.js": where === "page" ? using("index") : `globalThis.outcome = chrome.runtime.sendMessage(${SERVICE});`,
    "background.js": `
      import * as entry from "./node_modules/address-query/index.js";
      import { outcome } from "./use.js";
      chrome.runtime.onMessage.addListener((service, _, answer) => (outcome(entry, service).then(answer), true));`,
  });
  // The headless mode of playwright knows no extensions; that of the browser does.
  const args = launchArgs.map((arg) => (arg === "--headless" ? "--headless=new" : arg));
  const context = await chromium.launchPersistentContext(join(folder, "profile"), {
    executablePath: chromiumPath(),
    headless: false,
    ignoreDefaultArgs: ["--disable-extensions"],
    args: [...args, `--disable-extensions-except=${folder}`, `--load-extension=${folder}`],
  });
  try {
    const worker = context.serviceWorkers()[0] ?? (await context.waitForEvent("serviceworker", { timeout: 20_000 }));
    const { host } = new URL(worker.url());
    assert.match(host, /^[a-p]{32}$/);
    return await outcomeOf(await context.newPage(), workshop.asking(`chrome-extension://${host}/page.html`));
  } finally {
    await context.close();
  }
}
