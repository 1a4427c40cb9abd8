// Serves the demo page and, under /pkg, the built package: node www/serve.mjs [--port N] [--pkg DIR] [--open]
import { spawn } from "node:child_process";
import { createReadStream } from "node:fs";
import { access, realpath, stat } from "node:fs/promises";
import { createServer } from "node:http";
import { extname, join, sep } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { parseArgs } from "node:util";

const PAGE = fileURLToPath(new URL(".", import.meta.url));
const PACKAGE = fileURLToPath(new URL("../pkg", import.meta.url));
const TYPES = {
  ".html": "text/html; charset=utf-8",
  ".css": "text/css; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".json": "application/json; charset=utf-8",
  ".wasm": "application/wasm",
};

/**
 * Starts the site on loopback; port 0 is any free port, a taken `port` falls back to one. Browsers may keep files for
 * `maxAge` seconds: 0 while files are being edited. → { url, close() }
 */
export async function startSite({ port = 0, pkg = PACKAGE, maxAge = 0 } = {}) {
  const roots = { page: await realpath(PAGE), pkg: await realpath(pkg).catch(() => pkg) };
  const server = createServer((request, response) => answer(roots, maxAge, request, response));
  await listen(server, port).catch((error) => {
    if (error.code !== "EADDRINUSE" && error.code !== "EACCES") throw error;
    return listen(server, 0);
  });
  return {
    url: `http://127.0.0.1:${server.address().port}/`,
    close: () =>
      new Promise((done) => {
        server.close(done);
        server.closeAllConnections();
      }),
  };
}

function listen(server, port) {
  return new Promise((done, fail) => {
    server.once("error", fail);
    server.listen(port, "127.0.0.1", () => {
      server.off("error", fail);
      done();
    });
  });
}

async function answer(roots, maxAge, request, response) {
  const headers = { "x-content-type-options": "nosniff", "cache-control": maxAge > 0 ? `max-age=${maxAge}` : "no-cache" };
  if (request.method !== "GET" && request.method !== "HEAD") return response.writeHead(405, headers).end();
  const file = await findFile(roots, request.url).catch(() => null);
  if (!file) return response.writeHead(404, { ...headers, "content-type": "text/plain" }).end("not found\n");
  response.writeHead(200, { ...headers, "content-type": TYPES[extname(file)] });
  if (request.method === "HEAD") return response.end();
  createReadStream(file)
    .on("error", () => response.destroy())
    .pipe(response);
}

/** The file a request means: of a known type, and inside its root even when a link leads elsewhere. */
async function findFile(roots, target) {
  const path = decodeURIComponent(target.split("?")[0]);
  const inPackage = path.startsWith("/pkg/");
  const root = inPackage ? roots.pkg : roots.page;
  const inRoot = inPackage ? path.slice("/pkg/".length) : path === "/" ? "index.html" : path.slice(1);
  const file = await realpath(join(root, inRoot));
  const isInside = file.startsWith(root.endsWith(sep) ? root : root + sep);
  return isInside && extname(file) in TYPES && (await stat(file)).isFile() ? file : null;
}

/** Opens the default browser where there is one; a machine without is no error. */
function openBrowser(url) {
  const [command, ...args] = { darwin: ["open", url], win32: ["cmd", "/c", "start", "", url] }[process.platform] ?? [
    "xdg-open",
    url,
  ];
  const opener = spawn(command, args, { stdio: "ignore", detached: true });
  opener.on("error", () => {});
  opener.unref();
}

async function main() {
  const { values } = parseArgs({
    options: {
      port: { type: "string", default: "8080" },
      pkg: { type: "string", default: PACKAGE },
      open: { type: "boolean" },
    },
  });
  const port = Number(values.port);
  if (!Number.isInteger(port) || port < 0 || port > 65535)
    throw new Error(`expected a port number, found ${values.port}`);
  await access(join(values.pkg, "index.js")).catch(() =>
    console.warn("There is no package in pkg/ yet: run `make build` first."),
  );
  const { url } = await startSite({ port, pkg: values.pkg });
  console.log(`address-query demo: ${url}  (Ctrl+C stops it)`);
  if (values.open) openBrowser(url);
}

if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href) {
  main().catch((error) => {
    console.error(error.message);
    process.exitCode = 1;
  });
}
