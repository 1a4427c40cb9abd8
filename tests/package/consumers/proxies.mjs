// Servers with the proxy: the recipes of the package's README and of the guide, each in its runtime. A client reads through the
// proxy, and attacks reach nothing and reveal no key.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, readFileSync } from "node:fs";
import { createServer } from "node:http";
import { join } from "node:path";
import { execPath } from "node:process";
import { build as esbuild, transformSync } from "esbuild";
import * as entry from "../../../pkg/index.js";
import { ROOT } from "../../documents.mjs";
import { extractExamples } from "../../types/examples.mjs";
import { ENVIRONMENT, HERE } from "./harness.mjs";
import { baseFiles, runProject } from "./next.mjs";
import { runScenario } from "./scenario.js";
import { bun, deno, require } from "./servers.mjs";

const KEY = "proapi_0123456789abcdefS3CRET";
const BASE_PATH = "/api/blockscout";
/** The recipes of each document, in their order. */
const RECIPES = {
  "pkg-template/README.md": ["script", "client", "Next.js"],
  "www/guide/pages/proxy.md": ["workerd", "Deno", "Bun", "Node", "Vite"],
};

/** Returns the recipe for a server, as JavaScript, with another gateway and port. */
function readRecipe(name, gateway, port) {
  const [document, names] = Object.entries(RECIPES).find(([, names]) => names.includes(name));
  const examples = extractExamples(readFileSync(join(ROOT, document), "utf8"));
  if (examples.length !== names.length) throw new Error(`${document} has ${examples.length} recipes, not ${names.length}`);
  const { code } = examples[names.indexOf(name)];
  const { code: script } = transformSync(code.replace("8000", port), { loader: "ts" });
  return script.replace("createProxy({", `createProxy({ upstream: "${gateway}/{chain_id}",`);
}

/** Starts a gateway for chain 1 in front of the sample service. Two of its paths repeat the key. */
async function startGateway(serviceUrl) {
  const requests = [];
  const server = createServer(async (incoming, outgoing) => {
    const { url, headers } = incoming;
    requests.push(url);
    if (headers.authorization !== `Bearer ${KEY}`) return outgoing.writeHead(401).end('{"error":"wrong key"}');
    if (url === "/1/api/v2/config/backend") {
      outgoing.setHeader("retry-after", KEY);
      outgoing.setHeader("x-echo", KEY);
      outgoing.setHeader("content-type", "text/html");
      for (const character of `<script>${KEY}</script>`) outgoing.write(character);
      return outgoing.end();
    }
    if (url === "/1/api/v2/main-page/indexing-status") return outgoing.writeHead(302, { location: `/${KEY}` }).end(KEY);
    if (url === "/1/api/v2/stats") {
      // It does not end. workerd passes a body on in chunks of some kilobytes.
      const timer = setInterval(() => outgoing.write("{".repeat(65_536)), 20);
      return outgoing.on("close", () => clearInterval(timer));
    }
    const response = await fetch(serviceUrl + url.replace("/1/", "/"));
    outgoing.writeHead(response.status, { "content-type": "application/json" }).end(await response.text());
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  const close = () => new Promise((resolve) => server.close(resolve).closeAllConnections());
  return { url: `http://127.0.0.1:${server.address().port}`, requests, close, server };
}

/** Attacks: path below the origin of the server, the expected status, and more for `fetch`. */
const ATTACKS = [
  [`${BASE_PATH}/1/api/v2/users`, 404],
  [`${BASE_PATH}/5/api/v2/blocks`, 404],
  [`${BASE_PATH}/1/api/v2/addresses/..%2f..%2fusers/logs`, 404],
  [`${BASE_PATH}/1/api/v2/addresses/%252e%252e/logs`, 404],
  [`${BASE_PATH}/1/api/v2/addresses/x@evil.example/logs`, 404],
  [`${BASE_PATH}/https:%2f%2fevil.example/1/api/v2/blocks`, 404],
  [`${BASE_PATH}/1/api?module=contract&action=getsourcecode`, 404],
  [`${BASE_PATH}/1/api/v2/blocks?apikey=visitor`, 400],
  [`${BASE_PATH}/1/api/v2/blocks`, 403, { headers: { origin: "https://evil.example" } }],
  [`${BASE_PATH}/1/api/v2/blocks`, 403, { headers: { "sec-fetch-site": "cross-site" } }],
  [`${BASE_PATH}/1/api/v2/blocks`, 405, { method: "POST", body: "{}" }],
  [`${BASE_PATH}/1/api/v1/graphql`, 400, { method: "POST", body: '{"query":"{__schema{types{name}}}"}' }],
  [`${BASE_PATH}/1/api/v1/graphql`, 413, { method: "POST", body: "x".repeat(100_000) }],
];

/** Uses a proxy as a client and as an attacker; returns the result of the scenario. */
async function useProxy(origin, gateway) {
  const result = await runScenario(entry, `${origin}${BASE_PATH}/1`);
  const before = gateway.requests.length;
  for (const [path, status, init] of ATTACKS) {
    const response = await fetch(origin + path, init);
    expectEqual(response.status, status, `status of ${path}`);
  }
  // The client may have requested a page ahead.
  const forwarded = gateway.requests.slice(before).filter((url) => !url.startsWith("/1/api/v2/token-transfers?"));
  expectEqual(forwarded.join(), "", "forwarded requests");
  for (const [path, status] of [
    ["config/backend", 200],
    ["main-page/indexing-status", 502],
  ]) {
    const response = await fetch(`${origin}${BASE_PATH}/1/api/v2/${path}`, { redirect: "manual" });
    const received = JSON.stringify([[...response.headers], await response.text()]);
    expectEqual(response.status, status, path);
    expectEqual(received.includes(KEY), false, `the key is in ${received}`);
    expectEqual(received.includes("text/html"), false, received);
  }
  await expectAbort(origin, gateway);
  return result;
}

/** Disconnects in the middle of a response. The request to the gateway must end too. */
async function expectAbort(origin, gateway) {
  const closed = new Promise((resolve) =>
    gateway.server.once("request", (_incoming, outgoing) => outgoing.once("close", resolve)),
  );
  const controller = new AbortController();
  const response = await fetch(`${origin}${BASE_PATH}/1/api/v2/stats`, { signal: controller.signal });
  await response.body.getReader().read();
  controller.abort();
  const timer = AbortSignal.timeout(15_000);
  await Promise.race([
    closed,
    once(timer, "abort").then(() => Promise.reject(new Error("the gateway was not told that the visitor left"))),
  ]);
}

function expectEqual(actual, expected, what) {
  if (actual !== expected) throw new Error(`${what}: ${actual}, not ${expected}`);
}

/** Runs a server with a program; returns the result of `use`, which is called with its origin. */
async function runServer(program, args, project, port, use) {
  const server = spawn(program, args, {
    cwd: project,
    env: { ...ENVIRONMENT, BLOCKSCOUT_API_KEY: KEY },
    stdio: ["ignore", "ignore", "inherit"],
  });
  const ended = once(server, "exit");
  try {
    const origin = `http://127.0.0.1:${port}`;
    while (!(await fetch(origin).catch(() => undefined))) {
      const end = server.exitCode ?? server.signalCode;
      if (end !== null) throw new Error(`the server ended with ${end}`);
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
    return await use(origin);
  } finally {
    server.kill();
    await ended;
  }
}

/** Returns a port that nothing listens on. */
async function findFreePort() {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address();
  await new Promise((resolve) => server.close(resolve));
  return String(port);
}

async function runInWorkerd(project, use) {
  const outfile = join(project, "dist/main.js");
  await esbuild({ absWorkingDir: project, entryPoints: ["main.js"], bundle: true, format: "esm", outfile });
  const { Miniflare } = require("miniflare");
  const miniflare = new Miniflare({
    compatibilityDate: "2026-04-01",
    modules: [{ type: "ESModule", path: "main.js", contents: readFileSync(outfile, "utf8") }],
    bindings: { BLOCKSCOUT_API_KEY: KEY },
  });
  try {
    return await use((await miniflare.ready).origin);
  } finally {
    await miniflare.dispose();
  }
}

const viteProgram = join(HERE, "node_modules/vite/bin/vite.js");

/** How to run the server of each recipe: the file of the recipe, other files, and the program. */
const SERVERS = {
  Node: { program: () => [execPath, ["main.js"]] },
  Deno: { program: () => [deno, ["run", "--allow-net", "--allow-env", "--allow-read=.", "--no-prompt", "main.js"]] },
  Bun: { program: () => [bun, ["main.js"]] },
  Vite: {
    file: "vite.config.js",
    files: { "index.html": "<p></p>" },
    program: (port) => [execPath, [viteProgram, "--host", "127.0.0.1", "--port", port, "--strictPort"]],
  },
  workerd: { run: runInWorkerd },
  "Next.js": {
    file: "app/api/blockscout/[...path]/route.js",
    files: { ...baseFiles, "app/page.js": "export default function Page() { return null; }" },
    run: (project, use) => runProject(project, [], (url) => use(new URL(url).origin), { BLOCKSCOUT_API_KEY: KEY }),
  },
};

export const consumers = Object.entries(SERVERS).map(([name, { file = "main.js", files = {}, program, run }]) => ({
  name: `proxy in ${name}`,
  isQuick: name === "Node",
  getSkipReason: () =>
    program === undefined || existsSync(program("0")[0]) ? undefined : "not installed: npm has no build of it for this platform",
  run: async (harness) => {
    const gateway = await startGateway(harness.serviceUrl);
    try {
      const port = await findFreePort();
      const recipe = readRecipe(name, gateway.url, port);
      const project = harness.createProject(`proxy-${name.replaceAll(/\W+/g, "-")}`, { ...files, [file]: recipe });
      const use = (origin) => useProxy(origin, gateway);
      if (run) return await run(project, use);
      return await runServer(...program(port), project, port, use);
    } finally {
      await gateway.close();
    }
  },
}));
