// A static file server for the built page. Listens on loopback only.
//
//   node www/serve.mjs [--port N] [--folder DIR] [--open]
//
// With BLOCKSCOUT_API_KEY in the environment, it also serves Blockscout's gateway below /api/blockscout, through the proxy of the
// package: the page reads the gateway without a key.
import { spawn } from "node:child_process";
import { createReadStream } from "node:fs";
import { access, readFile, realpath, stat } from "node:fs/promises";
import { createServer } from "node:http";
import { extname, join, sep } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { parseArgs } from "node:util";

const PROXY_PATH = "/api/blockscout";
const PAGE_FOLDER = fileURLToPath(new URL("../target/page", import.meta.url));
const SITE_FOLDER = fileURLToPath(new URL("../target/site", import.meta.url));
const CONTENT_TYPES = {
  ".html": "text/html; charset=utf-8",
  ".css": "text/css; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".json": "application/json; charset=utf-8",
  ".png": "image/png",
  ".svg": "image/svg+xml",
  ".wasm": "application/wasm",
  ".txt": "text/plain; charset=utf-8",
  ".md": "text/markdown; charset=utf-8",
  ".woff2": "font/woff2",
};

/**
 * Starts the server and returns { url, close() }. If `port` is 0 or in use, any free port is chosen.
 * Browsers may cache files for `maxAge` seconds; the default of 0 suits files that are being edited. `pkg` is a folder to serve
 * under /pkg, for tests that import the package itself. `hold` returns a promise for a file that a test delays.
 * `proxy` responds to requests below /api/blockscout; see `createGatewayProxy`.
 */
export async function startSite({
  port = 0,
  folder = PAGE_FOLDER,
  pkg = null,
  maxAge = 0,
  hold = () => null,
  proxy = null,
} = {}) {
  const roots = { page: await realpath(folder), pkg: pkg && (await realpath(pkg)) };
  const server = createServer((request, response) => {
    if (proxy && request.url.startsWith(`${PROXY_PATH}/`)) return proxy(request, response);
    return respond(roots, { maxAge, hold }, request, response);
  });
  await listen(server, port).catch((error) => {
    if (error.code !== "EADDRINUSE" && error.code !== "EACCES") throw error;
    return listen(server, 0);
  });
  return {
    url: `http://127.0.0.1:${server.address().port}/`,
    close: () =>
      new Promise((resolve) => {
        server.close(resolve);
        server.closeAllConnections();
      }),
  };
}

/** Creates a listener that adds the API key to requests for the chains of the package. `upstream` is the URL of another gateway. */
export async function createGatewayProxy(apiKey, upstream) {
  const [{ createProxy }, { toNodeListener }, chains] = await Promise.all(
    ["proxy/index.js", "proxy/node.js", "chains.js"].map((file) => import(new URL(`../pkg/${file}`, import.meta.url))),
  );
  const known = Object.values(chains).filter((chain) => typeof chain === "object" && "baseUrl" in chain);
  return toNodeListener(createProxy({ apiKey, chains: known, basePath: PROXY_PATH, upstream }));
}

function listen(server, port) {
  return new Promise((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, "127.0.0.1", () => {
      server.off("error", reject);
      resolve();
    });
  });
}

/**
 * Returns the Content-Security-Policy that a page declares in a meta element for servers without headers, or otherwise the policy
 * of the first page. Pages of the guide contain a frame of the same site.
 */
async function readPolicy(root, file) {
  for (const path of [file, join(root, "index.html")]) {
    const [, policy] = /http-equiv="Content-Security-Policy" content="([^"]+)"/.exec(await readFile(path, "utf8")) ?? [];
    if (policy) return `${policy}; frame-ancestors 'self'`;
  }
  throw new Error(`${root} has no page with a policy`);
}

async function respond(roots, { maxAge, hold }, request, response) {
  const headers = {
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
    "cache-control": maxAge > 0 ? `max-age=${maxAge}` : "no-cache",
  };
  if (request.method !== "GET" && request.method !== "HEAD") return response.writeHead(405, headers).end();
  const file = await findFile(roots, request.url).catch(() => null);
  if (!file) return response.writeHead(404, { ...headers, "content-type": "text/plain" }).end("not found\n");
  await hold(file);
  if (extname(file) === ".html") headers["content-security-policy"] = await readPolicy(roots.page, file);
  response.writeHead(200, { ...headers, "content-type": CONTENT_TYPES[extname(file)] });
  if (request.method === "HEAD") return response.end();
  createReadStream(file)
    .on("error", () => response.destroy())
    .pipe(response);
}

/** Returns the requested file, or null unless it has a known type and lies inside its root. Resolves symlinks first. */
async function findFile(roots, requestUrl) {
  const path = decodeURIComponent(requestUrl.split("?")[0]);
  const isPackagePath = roots.pkg !== null && path.startsWith("/pkg/");
  const root = isPackagePath ? roots.pkg : roots.page;
  const relativePath = isPackagePath ? path.slice("/pkg/".length) : path.slice(1);
  const file = await realpath(join(root, relativePath.replace(/(^|\/)$/, "$1index.html")));
  const isInsideRoot = file.startsWith(root.endsWith(sep) ? root : root + sep);
  return isInsideRoot && extname(file) in CONTENT_TYPES && (await stat(file)).isFile() ? file : null;
}

/** Opens the default browser. A machine without one is not an error. */
function openBrowser(url) {
  const [command, ...args] = { darwin: ["open", url], win32: ["cmd", "/c", "start", "", url] }[process.platform] ?? [
    "xdg-open",
    url,
  ];
  const opener = spawn(command, args, { stdio: "ignore", detached: true });
  opener.on("error", () => {});
  opener.unref();
}

/** The page with the guide and the API reference beside it, if that is as new as the page. */
async function findFolder() {
  const [page, site] = await Promise.all(
    [PAGE_FOLDER, SITE_FOLDER].map((folder) => stat(join(folder, "index.html")).catch(() => null)),
  );
  return page && site && site.mtimeMs >= page.mtimeMs ? SITE_FOLDER : PAGE_FOLDER;
}

async function main() {
  const { values } = parseArgs({
    options: {
      port: { type: "string", default: "8080" },
      folder: { type: "string", default: await findFolder() },
      open: { type: "boolean" },
    },
  });
  const port = Number(values.port);
  if (!Number.isInteger(port) || port < 0 || port > 65535)
    throw new Error(`--port must be an integer from 0 to 65535, found ${values.port}`);
  await access(join(values.folder, "index.html")).catch(() => {
    throw new Error("the page is not built: run `make page` first");
  });
  const apiKey = process.env.BLOCKSCOUT_API_KEY;
  const proxy = apiKey ? await createGatewayProxy(apiKey) : null;
  const site = await startSite({ port, folder: values.folder, proxy });
  // The proxy is an instance at a URL of the server.
  const url = proxy ? `${site.url}?source=${encodeURIComponent(`${new URL(PROXY_PATH, site.url)}/1`)}` : site.url;
  console.log(`address-query demo: ${url}  (press Ctrl+C to stop)`);
  if (values.open) openBrowser(url);
}

if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href) {
  main().catch((error) => {
    console.error(error.message);
    process.exitCode = 1;
  });
}
