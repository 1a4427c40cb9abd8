// The starters in www/examples: each is built unchanged, and driven in a browser. Its list has the records of the service, grows
// when its end comes into view, and can be filtered.
import assert from "node:assert/strict";
import { cpSync, existsSync, readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { build as esbuild } from "esbuild";
import { createSampleService } from "../../../pkg/testing/index.js";
import { ROOT } from "../../documents.mjs";
import { HERE, run, runTool } from "./harness.mjs";
import { runProject } from "./next.mjs";
import { watchRequests } from "./requests.mjs";

const EXAMPLES = fileURLToPath(new URL("../../../www/examples/", import.meta.url));
/** The instance that the starters read. The browser sends its requests to the sample service. */
const INSTANCE = "https://eth.blockscout.com";
const MAX_LINES = 120;

const service = createSampleService();
const [{ hash }] = service.addresses;
const getHashes = (query) =>
  service.getAllItems(`/addresses/${hash}/token-transfers`, query).map(({ transaction_hash }) => transaction_hash);

export const consumers = [
  createConsumer("React", "react", buildAndServe),
  createConsumer("Vue", "vue", buildAndServe),
  createConsumer("Svelte", "svelte", buildAndServe),
  createConsumer("Solid", "solid", buildAndServe),
  createConsumer("Angular", "angular", buildWithAngular),
  createConsumer("HTML", "html", serveAsItIs),
  createConsumer("Next.js, proxy", "next", runServer),
  { ...createConsumer("Leptos", "leptos", buildRust), expected: { pages: [50, 100], filtered: null } },
];

/** `start(harness, project, use)` returns the result of `use`, which is called with the URL of the app. */
function createConsumer(title, folder, start) {
  return {
    name: `example: ${title}`,
    expected: { pages: [50, 100], filtered: getHashes({ type: "ERC-721" }).slice(0, 50) },
    run: async (harness) => {
      assertShort(join(EXAMPLES, folder));
      assertTestedVersions(join(EXAMPLES, folder, "package.json"));
      const project = harness.createProject(`example-${folder}`, {});
      // The project has its own package.json, which names the package under test.
      cpSync(join(EXAMPLES, folder), project, { recursive: true, filter: (path) => !path.endsWith("package.json") });
      return start(harness, project, (url) => drive(harness, url));
    },
  };
}

/** A starter is short enough to be read at once. */
function assertShort(folder) {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((file) => file.isFile());
  const sources = files.filter(({ name }) => !/\.(json|lock)$/.test(name));
  const lines = sources.map((file) => readFileSync(join(file.parentPath, file.name), "utf8").trimEnd().split("\n").length);
  const count = lines.reduce((sum, number) => sum + number, 0);
  assert.ok(count < MAX_LINES, `${folder} has ${count} lines`);
}

/** The versions that a starter names are those that are tested here. */
function assertTestedVersions(manifest) {
  if (!existsSync(manifest)) return;
  const { devDependencies: tested } = JSON.parse(readFileSync(join(HERE, "package.json"), "utf8"));
  const { dependencies, devDependencies = {} } = JSON.parse(readFileSync(manifest, "utf8"));
  const { "address-query": _own, ...others } = { ...dependencies, ...devDependencies };
  for (const [name, version] of Object.entries(others)) assert.equal(version, tested[name], `${manifest}: ${name}`);
}

async function buildAndServe(harness, project, use) {
  await runTool("vite/bin/vite.js", ["build", "--logLevel", "warn"], project);
  const { url } = await harness.serveFolder(join(project, "dist"));
  return use(url);
}

async function buildWithAngular(harness, project, use) {
  await runTool("@angular/cli/bin/ng.js", ["build"], project);
  const { url } = await harness.serveFolder(join(project, "dist/example/browser"));
  return use(url);
}

async function serveAsItIs(harness, project, use) {
  const { url } = await harness.serveFolder(project);
  return use(url);
}

/** Builds the app with cargo in place, because it uses the crate of this repository. */
async function buildRust(harness, project, use) {
  const target = join(ROOT, "target/leptos");
  const platform = "wasm32-unknown-unknown";
  await run("cargo", ["build", "--locked", "--target", platform, "--target-dir", target], join(EXAMPLES, "leptos"));
  const module = join(target, platform, "debug/address-query-example-leptos.wasm");
  await run("wasm-bindgen", ["--target", "web", "--out-name", "app", "--out-dir", join(project, "dist"), module], project);
  // The script that Trunk adds to the page.
  const script = '<script type="module">import init from "./app.js"; init();</script>';
  const page = readFileSync(join(project, "index.html"), "utf8");
  harness.writeFiles(project, { "dist/index.html": page.replace(/<link data-trunk[^>]*>/, script) });
  const { url } = await harness.serveFolder(join(project, "dist"));
  return use(url);
}

/** Runs the app of Next.js, whose proxy reads the sample service as its gateway. */
function runServer(harness, project, use) {
  const root = JSON.stringify(HERE);
  const files = {
    "next.config.mjs": `export default { outputFileTracingRoot: ${root}, turbopack: { root: ${root} } };`,
  };
  const route = "app/api/blockscout/[...path]/route.js";
  const source = readFileSync(join(project, route), "utf8");
  files[route] = source.replace("createProxy({", `createProxy({ upstream: "${harness.serviceUrl}",`);
  harness.writeFiles(project, files);
  return runProject(project, [], use, { BLOCKSCOUT_API_KEY: "proapi_of-the-example" });
}

/** Opens the app; returns the number of records after the first and the second page, and the records of a filter. */
async function drive(harness, url) {
  const context = await (await harness.getBrowser()).newContext();
  try {
    const page = await context.newPage();
    page.setDefaultTimeout(20_000);
    const requests = await watchRequests(page, INSTANCE);
    await context.route(`${INSTANCE}/**`, async (route) => {
      const response = await service.fetch(route.request().url());
      const headers = { ...Object.fromEntries(response.headers), "access-control-allow-origin": "*" };
      await route.fulfill({ status: response.status, headers, body: await response.text() });
    });
    await context.route("https://esm.sh/address-query", async (route) => {
      const body = await bundlePackage();
      await route.fulfill({ contentType: "text/javascript", headers: { "access-control-allow-origin": "*" }, body });
    });
    await page.goto(`${url}?address=${hash}`);
    const rows = page.locator("li code");
    const pages = [];
    for (const count of [50, 100]) {
      await rows.nth(count - 1).waitFor();
      const hashes = await rows.allTextContents();
      assert.deepEqual(hashes, getHashes({}).slice(0, hashes.length));
      pages.push(hashes.length);
      const button = page.getByRole("button", { name: "Load more" });
      if ((await button.count()) > 0) await button.click();
      else await page.locator("p").last().scrollIntoViewIfNeeded();
    }
    const { failed } = await requests.getOutcomes();
    assert.deepEqual(failed, [], "the browser reports successful requests as failed");
    if ((await page.locator("select").count()) === 0) return { pages, filtered: null };
    const [first] = getHashes({ type: "ERC-721" });
    await page.locator("select").selectOption("ERC-721");
    await page.locator("li code", { hasText: first }).first().waitFor();
    await page.waitForFunction((first) => document.querySelector("li code")?.textContent === first, first);
    const filtered = await rows.allTextContents();
    return { pages, filtered: filtered.slice(0, 50) };
  } finally {
    await context.close();
  }
}

/** Bundles the package, as a CDN does. */
async function bundlePackage() {
  const entry = fileURLToPath(new URL("../../../pkg/index.js", import.meta.url));
  const { outputFiles } = await esbuild({ entryPoints: [entry], bundle: true, format: "esm", write: false });
  return outputFiles[0].text;
}
