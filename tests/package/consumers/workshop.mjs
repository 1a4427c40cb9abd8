// What consumers are made with: projects with the packed package installed, a server, a browser, the sample service.
import { execFile } from "node:child_process";
import { cpSync, createReadStream, existsSync, mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { dirname, extname, join, normalize } from "node:path";
import { execPath } from "node:process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { chromium } from "playwright-core";
import { chromiumPath, launchArgs } from "../../browser.mjs";
import { startService } from "../../service.mjs";

export const HERE = dirname(fileURLToPath(import.meta.url));
const PKG = fileURLToPath(new URL("../../../pkg", import.meta.url));
/** What programs are started with; later, Vite has set NODE_ENV for this process. */
export const ENVIRONMENT = { ...process.env, NEXT_TELEMETRY_DISABLED: "1" };
const TYPES = {
  ".html": "text/html",
  ".js": "text/javascript",
  ".mjs": "text/javascript",
  ".json": "application/json",
  ".wasm": "application/wasm",
};

/** Everything is made in a folder of its own and removed by `close()`. It lies here, so that projects find the shared tools. */
export async function openWorkshop() {
  const folder = mkdtempSync(join(HERE, "run-"));
  const closing = [() => rmSync(folder, { recursive: true, force: true })];
  const workshop = {
    /** A project with the package installed, and these files; `use.js` is what it does with the package. */
    project(name, files) {
      const project = join(folder, name);
      const dependencies = { "address-query": "file:../package.tgz" };
      write(project, "package.json", JSON.stringify({ name: "consumer", private: true, type: "module", dependencies }));
      cpSync(join(folder, "installed/node_modules"), join(project, "node_modules"), { recursive: true });
      cpSync(join(HERE, "use.js"), join(project, "use.js"));
      for (const [path, text] of Object.entries(files)) write(project, path, text);
      return project;
    },

    /** Serves a folder; → its URL. `answer(path, response)` may answer in its place. */
    async serve(folder, headers = {}, answer = () => false) {
      const server = createServer((request, response) => {
        const path = decodeURIComponent(new URL(request.url, "http://x").pathname);
        if (answer(path, response)) return;
        const file = join(folder, normalize(path.endsWith("/") ? `${path}index.html` : path));
        if (!existsSync(file) || !statSync(file).isFile()) return response.writeHead(404).end("not here");
        response.writeHead(200, { "content-type": TYPES[extname(file)] ?? "text/plain", ...headers });
        createReadStream(file).pipe(response);
      });
      await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
      const close = () => new Promise((resolve) => server.close(resolve).closeAllConnections());
      closing.push(close);
      return { url: `http://127.0.0.1:${server.address().port}/`, close };
    },

    /** Opens a page of its own in the browser, and gives what it leaves in `globalThis.outcome`. */
    async visit(url) {
      const context = await (await workshop.browser()).newContext();
      closing.push(() => context.close().catch(() => {}));
      const page = await context.newPage();
      try {
        return await outcomeOf(page, workshop.asking(url));
      } finally {
        await context.close();
      }
    },

    /** The address of a page that is to ask the sample service. */
    asking: (url) => `${url}?service=${encodeURIComponent(workshop.service)}`,

    browser() {
      workshop.opened ??= chromium.launch({ executablePath: chromiumPath(), args: launchArgs });
      return workshop.opened;
    },

    async close() {
      await (await workshop.opened)?.close();
      for (const close of closing.reverse()) await close();
    },
  };

  try {
    const service = await startService();
    closing.push(service.close);
    workshop.service = service.url;
    workshop.expected = { pages: await twoPages(service.url), error: "invalid_parameter" };
    await install(folder);
  } catch (error) {
    await workshop.close();
    throw error;
  }
  return workshop;
}

/** Packs the package, and installs it as a customer does. */
async function install(folder) {
  const installed = join(folder, "installed");
  write(installed, "package.json", JSON.stringify({ private: true }));
  const [{ filename }] = JSON.parse(await run("npm", ["pack", PKG, "--json", "--pack-destination", folder], folder));
  await run("npm", ["install", "--offline", "--no-audit", "--no-fund", join(folder, filename)], installed);
}

/** Opens a page, and gives what it leaves in `globalThis.outcome`; what it complains about on the way is told on failure. */
export async function outcomeOf(page, url) {
  const complaints = [];
  page.on("console", (message) => message.type() === "error" && complaints.push(message.text()));
  page.on("pageerror", (error) => complaints.push(String(error)));
  try {
    await page.goto(url);
    await page.waitForFunction(() => globalThis.outcome !== undefined, undefined, { timeout: 20_000 });
    return await page.evaluate(() => globalThis.outcome);
  } catch (error) {
    throw new Error([error.message, ...complaints].join("\n"), { cause: error });
  }
}

/** What two pages hold, read without the package. */
async function twoPages(url) {
  const pages = [];
  let query = "";
  while (pages.length < 2) {
    const page = await (await fetch(`${url}/api/v2/token-transfers${query}`)).json();
    pages.push(page.items.map(({ transaction_hash, log_index }) => `${transaction_hash} ${log_index}`));
    query = `?${new URLSearchParams(page.next_page_params)}`;
  }
  return pages;
}

/** Runs a program; → what it printed. Its complaints are part of the error. */
export async function run(program, args, cwd, env = {}) {
  try {
    const options = { cwd, env: { ...ENVIRONMENT, ...env }, timeout: 300_000, maxBuffer: 1 << 26 };
    const { stdout } = await promisify(execFile)(program, args, options);
    return stdout;
  } catch (error) {
    throw new Error(`${program} ${args.join(" ")}\n${error.stdout ?? ""}${error.stderr ?? error.message}`, { cause: error });
  }
}

/** Runs a program of the shared tools. */
export function tool(path, args, cwd, env) {
  return run(execPath, [join(HERE, "node_modules", path), ...args], cwd, env);
}

function write(folder, path, text) {
  const file = join(folder, path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
}
