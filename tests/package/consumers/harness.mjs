// The test harness of consumers: creates projects with the packed package, serves and opens pages, runs the sample service.
import { execFile } from "node:child_process";
import {
  cpSync,
  createReadStream,
  existsSync,
  mkdirSync,
  mkdtempSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { createServer } from "node:http";
import { dirname, extname, join, normalize } from "node:path";
import { execPath } from "node:process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { chromium } from "playwright-core";
import { chromiumPath, launchArgs } from "../../browser.mjs";
import { startSampleServer } from "../../sample-server.mjs";
import { installPackage } from "../installation.mjs";

export const HERE = dirname(fileURLToPath(import.meta.url));
/** The environment of child processes. Copied at start, because Vite sets NODE_ENV in this process later. */
export const ENVIRONMENT = { ...process.env, NEXT_TELEMETRY_DISABLED: "1" };
const CONTENT_TYPES = {
  ".html": "text/html",
  ".js": "text/javascript",
  ".mjs": "text/javascript",
  ".json": "application/json",
  ".wasm": "application/wasm",
};

let shared;
/** Returns the harness of all test files in this process. `close()` may be called for each file. */
export function getHarness() {
  shared ??= createHarness();
  return shared;
}

/**
 * Creates a harness. Its projects are in a temporary folder that `close()` removes. The folder is in this one, so that projects
 * find the tools of the shared node_modules. `serviceOptions` are the options of the sample server.
 */
export async function createHarness(serviceOptions) {
  const folder = mkdtempSync(join(HERE, "run-"));
  const cleanups = [() => rmSync(folder, { recursive: true, force: true })];
  const harness = {
    /**
     * Creates a project with the package, `scenario.js` and these files, as `{ path: content }`; returns its folder. Tools treat a
     * linked package differently, so it is a copy.
     */
    createProject(name, files, putPackage = (from, to) => cpSync(from, to, { recursive: true })) {
      const project = join(folder, name);
      const dependencies = { "address-query": "file:../package.tgz" };
      writeText(project, "package.json", JSON.stringify({ name: "consumer", private: true, type: "module", dependencies }));
      putPackage(join(installPackage().project, "node_modules"), join(project, "node_modules"));
      cpSync(join(HERE, "scenario.js"), join(project, "scenario.js"));
      harness.writeFiles(project, files);
      return project;
    },

    /** Writes files of a project, as `{ path: content }`. */
    writeFiles(project, files) {
      for (const [path, content] of Object.entries(files)) writeText(project, path, content);
    },

    /** Creates a project and serves it (see `serveFolder`). It has a link to the package, which pages cannot notice. */
    serveProject: (name, files, ...options) => harness.serveFolder(harness.createProject(name, files, symlinkSync), ...options),

    /** Serves a folder; returns `{ url, close }`. `handleRequest(path, response)` may respond instead: it then returns true. */
    async serveFolder(folder, headers = {}, handleRequest = () => false) {
      const server = createServer((request, response) => {
        const path = decodeURIComponent(new URL(request.url, "http://x").pathname);
        if (handleRequest(path, response)) return;
        const file = join(folder, normalize(path.endsWith("/") ? `${path}index.html` : path));
        if (!existsSync(file) || !statSync(file).isFile()) return response.writeHead(404).end("not found");
        response.writeHead(200, { "content-type": CONTENT_TYPES[extname(file)] ?? "text/plain", ...headers });
        createReadStream(file).pipe(response);
      });
      await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
      const close = () => new Promise((resolve) => server.close(resolve).closeAllConnections());
      cleanups.push(close);
      return { url: `http://127.0.0.1:${server.address().port}/`, close };
    },

    /** Opens a URL in a new browser context; returns the result of the scenario (see `readResult`). */
    async runInPage(url) {
      const context = await (await harness.getBrowser()).newContext();
      cleanups.push(() => context.close().catch(() => {}));
      const page = await context.newPage();
      try {
        return await readResult(page, harness.addServiceParameter(url));
      } finally {
        await context.close();
      }
    },

    /** Adds the base URL of the sample service to the URL of a page, as the parameter `service`. */
    addServiceParameter: (url) => `${url}?service=${encodeURIComponent(harness.serviceUrl)}`,

    getBrowser() {
      harness.browser ??= chromium.launch({ executablePath: chromiumPath(), args: launchArgs });
      return harness.browser;
    },

    async close() {
      await (await harness.browser)?.close();
      for (let cleanUp = cleanups.pop(); cleanUp; cleanUp = cleanups.pop()) await cleanUp();
    },
  };

  try {
    const server = await startSampleServer(serviceOptions);
    cleanups.push(server.close);
    harness.serviceUrl = server.url;
    harness.expected = { pages: await readTwoPages(server.url), error: "invalid_parameter" };
    installPackage();
  } catch (error) {
    await harness.close();
    throw error;
  }
  return harness;
}

/** Opens a URL in a page and returns `globalThis.scenarioResult`, which the page sets. On failure, throws with the page's errors. */
export async function readResult(page, url) {
  const errors = [];
  page.on("console", (message) => message.type() === "error" && errors.push(message.text()));
  page.on("pageerror", (error) => errors.push(String(error)));
  try {
    await page.goto(url);
    await page.waitForFunction(() => globalThis.scenarioResult !== undefined, undefined, { timeout: 20_000 });
    return await page.evaluate(() => globalThis.scenarioResult);
  } catch (error) {
    throw new Error([error.message, ...errors].join("\n"), { cause: error });
  }
}

/** The expected pages of the scenario, read without the package. */
async function readTwoPages(url) {
  const pages = [];
  let query = "";
  while (pages.length < 2) {
    const page = await (await fetch(`${url}/api/v2/token-transfers${query}`)).json();
    pages.push(page.items.map(({ transaction_hash, log_index }) => `${transaction_hash} ${log_index}`));
    query = `?${new URLSearchParams(page.next_page_params)}`;
  }
  return pages;
}

/** Runs a program; returns its standard output. An error includes its complete output. */
export async function run(program, args, cwd, env = {}) {
  try {
    const options = { cwd, env: { ...ENVIRONMENT, ...env }, timeout: 600_000, maxBuffer: 1 << 26 };
    const { stdout } = await promisify(execFile)(program, args, options);
    return stdout;
  } catch (error) {
    throw new Error(`${program} ${args.join(" ")}\n${error.stdout ?? ""}${error.stderr ?? error.message}`, { cause: error });
  }
}

/** Runs a script of the shared node_modules. */
export function runTool(path, args, cwd, env) {
  return run(execPath, [join(HERE, "node_modules", path), ...args], cwd, env);
}

function writeText(folder, path, content) {
  const file = join(folder, path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, content);
}
