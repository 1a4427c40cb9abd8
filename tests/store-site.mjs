// The site of the browser tests of the store: an empty page, the package, and the sample service behind the same origin. The page
// `tests/store-page.mjs` is its script.
import { createReadStream, existsSync } from "node:fs";
import { createServer } from "node:http";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { createSampleService } from "../pkg/testing/index.js";

const PKG = fileURLToPath(new URL("../pkg", import.meta.url));
const PAGE = fileURLToPath(new URL("store-page.mjs", import.meta.url));
const TYPES = { js: "text/javascript", mjs: "text/javascript", wasm: "application/wasm" };

/**
 * Starts the site. `scripts` are the texts of more scripts, by their paths. `site.requests` counts the requests to `site.service`,
 * which responds to no more of them than `site.limit`.
 */
export async function startStoreSite(scripts = {}) {
  const site = { service: createSampleService(), requests: 0, limit: Number.POSITIVE_INFINITY };
  const server = createServer(async ({ url }, response) => {
    const path = new URL(url, "http://x").pathname;
    if (/^\/api(\/|$)/.test(path)) {
      site.requests += 1;
      if (site.requests > site.limit) return;
      const answer = await site.service.fetch(new Request(`http://x${url}`));
      response.writeHead(answer.status, { "content-type": "application/json" }).end(await answer.text());
    } else if (scripts[path] !== undefined) response.writeHead(200, { "content-type": TYPES.js }).end(scripts[path]);
    else if (path === "/") response.writeHead(200, { "content-type": "text/html" }).end(HTML);
    else {
      const file = path === "/store-page.mjs" ? PAGE : join(PKG, path);
      if (!existsSync(file)) return void response.writeHead(404).end();
      createReadStream(file).pipe(response.writeHead(200, { "content-type": TYPES[path.split(".").at(-1)] ?? "text/plain" }));
    }
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  site.url = `http://127.0.0.1:${server.address().port}/`;
  site.close = () => {
    server.close();
    server.closeAllConnections();
  };
  return site;
}

const HTML = '<!doctype html><title>store</title><script type="module" src="/store-page.mjs"></script>';
