// Server rendering: the recipes of the guide's page, each in its framework. The server reads a gateway with the key. The browser continues
// through the proxy, with the server's resume token, and requests nothing that the server has read.
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { execPath } from "node:process";
import { createSampleService } from "../../../pkg/testing/index.js";
import { ROOT } from "../../documents.mjs";
import { startSampleGateway } from "../../sample-server.mjs";
import { extractExamples } from "../../types/examples.mjs";
import { ENVIRONMENT, HERE, runTool } from "./harness.mjs";
import { baseFiles, runProject } from "./next.mjs";

const KEY = "proapi_0123456789abcdefS3CRET";
const env = { BLOCKSCOUT_API_KEY: KEY };
const service = createSampleService();
const [{ hash }] = service.addresses;

/** The files of each framework, in the order of their recipes. */
const FILES = {
  "Next.js": ["app/queries.js", "app/page.js", "app/transfers.js", "app/api/blockscout/[...path]/route.js"],
  SvelteKit: ["src/routes/+page.server.js", "src/routes/+page.svelte", "src/routes/api/blockscout/[...path]/+server.js"],
  Nuxt: ["app/utils/client.js", "app/app.vue", "server/routes/api/blockscout/[...path].js"],
};

/** Returns the files of a framework's recipes, which read another gateway. */
function readRecipes(framework, gateway) {
  const page = readFileSync(join(ROOT, "www/guide/pages/server-rendering.md"), "utf8");
  const [section] = page.split(/^## /m).filter((section) => section.startsWith(`${framework}\n`));
  const recipes = extractExamples(section, ["javascript", "jsx", "svelte", "vue"]);
  assert.equal(recipes.length, FILES[framework].length, framework);
  const files = FILES[framework].map((path, index) => {
    assert.ok(section.includes(`\`${path}\``), `the page does not name ${path}`);
    const code = recipes[index].code
      .replace("createProxy({", `createProxy({ upstream: "${gateway}/{chain_id}",`)
      .replace(/(?<!createProxy\([^)]*)apiKey:/, `baseUrl: "${gateway}", apiKey:`);
    assert.ok(!code.includes("apiKey") || code.includes(gateway), `${path} reads the real gateway`);
    return [path, code];
  });
  return Object.fromEntries(files);
}

export const consumers = [
  createConsumer("Next.js", (harness, files, use) =>
    runProject(harness.createProject("ssr-next", { ...baseFiles, ...files }), [], use, env),
  ),
  createConsumer("SvelteKit", async (harness, files, use) => {
    const project = harness.createProject("ssr-sveltekit", {
      "src/app.html": `<!doctype html><html lang="en"><head>%sveltekit.head%</head><body>%sveltekit.body%</body></html>`,
      "svelte.config.js": "export default {};",
      "vite.config.js": `
        import { sveltekit } from "@sveltejs/kit/vite";
        export default { plugins: [sveltekit()] };`,
      ...files,
    });
    await runTool("vite/bin/vite.js", ["build", "--logLevel", "error"], project);
    const args = ["vite/bin/vite.js", "preview", "--host", "127.0.0.1", "--port", "0"];
    return runServer(project, [join(HERE, "node_modules", args[0]), ...args.slice(1)], use);
  }),
  createConsumer("Nuxt", async (harness, files, use) => {
    const project = harness.createProject("ssr-nuxt", {
      "nuxt.config.js": `export default { compatibilityDate: "2026-04-01", telemetry: false, workspaceDir: ${JSON.stringify(HERE)} };`,
      ...files,
    });
    await runTool("nuxt/bin/nuxt.mjs", ["build"], project, { NUXT_TELEMETRY_DISABLED: "1" });
    return runServer(project, [".output/server/index.mjs"], use, { HOST: "127.0.0.1", PORT: "0" });
  }),
];

/** `start(harness, files, use)` builds and starts the app, and returns the result of `use`, which is called with its URL. */
function createConsumer(framework, start) {
  return {
    name: `server rendering: ${framework}`,
    expected: { inHtml: 50, requestsOfFirstPage: 0, afterMore: 100, requestsOfMore: 1 },
    run: async (harness) => {
      const gateway = await startSampleGateway({ chains: { 1: service }, keys: { [KEY]: {} } });
      try {
        return await start(harness, readRecipes(framework, gateway.url), (url) => drive(harness, url));
      } finally {
        await gateway.close();
      }
    },
  };
}

/** Opens the app; returns how many records the HTML and the page have, and how many requests the page sends to the proxy. */
async function drive(harness, url) {
  const address = `${url}?address=${hash}`;
  const html = await (await fetch(address)).text();
  assert.ok(!html.includes(KEY), "the HTML has the key");
  const context = await (await harness.getBrowser()).newContext();
  try {
    const page = await context.newPage();
    page.setDefaultTimeout(20_000);
    const requests = [];
    page.on("request", (request) => request.url().includes("/api/blockscout/") && requests.push(request.url()));
    await page.goto(address);
    const button = page.getByRole("button", { name: "Load more" });
    const rows = page.getByRole("listitem");
    await page.waitForLoadState("networkidle");
    const requestsOfFirstPage = requests.length;
    await button.click();
    await rows.nth(99).waitFor();
    return {
      inHtml: html.match(/<li\b/g)?.length ?? 0,
      requestsOfFirstPage,
      afterMore: await rows.count(),
      requestsOfMore: requests.length - requestsOfFirstPage,
    };
  } finally {
    await context.close();
  }
}

/** Starts a server with Node; returns the result of `use`, which is called with the URL that the server prints. */
async function runServer(project, args, use, more = {}) {
  const server = spawn(execPath, args, {
    cwd: project,
    env: { ...ENVIRONMENT, NO_COLOR: "1", ...env, ...more },
    stdio: ["ignore", "pipe", "inherit"],
  });
  try {
    let output = "";
    for await (const chunk of server.stdout) {
      output += chunk;
      const [url] = /http:\/\/127\.0\.0\.1:\d+/.exec(output) ?? [];
      if (url) return await use(`${url}/`);
    }
    throw new Error(`the server ended before it was ready: ${output}`);
  } finally {
    server.kill();
    if (server.exitCode === null && server.signalCode === null) await once(server, "exit");
  }
}
