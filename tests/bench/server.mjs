// Serves the site and, on the same origin, the sample service. Responses are created once and cached, so that a measurement
// includes little of the server. Runs as its own process: `node tests/bench/server.mjs` prints its URL.
//
//   /…                           files of target/bench/site, cross-origin isolated, which gives pages a precise clock
//   /cold/…                      of these files, those that are compressed with brotli
//   /service/api…                the sample service
//   /latency/<ms>/api…           the same, with this latency; a tenth of it for a request of a single row
//   /even/<ms>/api…              60,000 transactions, one in each third block, with such a latency
//   /bandwidth/<Mbit/s>/api…     9,999 transactions of one address, in the requested blocks and order, at this bandwidth; 0 means
//                                unthrottled
import { createServer } from "node:http";
import { readFile } from "node:fs/promises";
import { extname } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { createSampleService } from "../../pkg/testing/index.js";
import { SITE, STREAMED_ROWS } from "./site.mjs";

const CONTENT_TYPES = {
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript",
  ".json": "application/json",
  ".wasm": "application/wasm",
};
const ISOLATION_HEADERS = {
  "cross-origin-embedder-policy": "require-corp",
  "cross-origin-opener-policy": "same-origin",
  "cross-origin-resource-policy": "same-origin",
};
const EVEN_ROWS = 60_000;
const service = createSampleService({ backendVersion: 11 });
const cache = new Map();
const streamedList = JSON.parse(await readFile(`${SITE}payloads/rows-${STREAMED_ROWS}.json`, "utf8"));
/** The transactions of each list of one address, oldest first. */
const TRANSACTIONS = {
  even: Array.from({ length: EVEN_ROWS }, (_, i) => {
    const rows = streamedList.result;
    return { ...rows[i % rows.length], blockNumber: String(1_000 + 3 * i) };
  }),
  streamed: streamedList.result.toSorted((a, b) => a.blockNumber - b.blockNumber),
};

async function handleRequest(request, response) {
  const [, kind, parameter, path] = /^\/(?:(service)|(?:latency|even|bandwidth)\/(\d+))(\/api.*)$/.exec(request.url) ?? [];
  if (path === undefined) return sendFile(response, request.url.replace(/\?.*/, ""));
  if (request.url.startsWith("/bandwidth/")) return sendThrottled(response, Number(parameter), getRange("streamed", path));
  if (request.url.startsWith("/even/")) {
    const body = getRange("even", path);
    await delay(getLatency(path, Number(parameter)));
    return response.writeHead(200, getJsonHeaders(body)).end(body);
  }
  if (!cache.has(path)) {
    const sampleResponse = await service.fetch(path);
    cache.set(path, {
      headers: Object.fromEntries(sampleResponse.headers),
      body: Buffer.from(await sampleResponse.arrayBuffer()),
    });
  }
  if (kind === undefined) await delay(getLatency(path, Number(parameter)));
  const { headers, body } = cache.get(path);
  response.writeHead(200, { ...headers, "content-length": body.length, "cache-control": "no-store" }).end(body);
}

/** The time to the first byte: a tenth of `ms` for a single row. */
const getLatency = (path, ms) => (path.endsWith("&offset=1") ? ms / 10 : ms);

/** Returns the body of a response with the requested blocks and page of a list, in the requested order. */
function getRange(list, path) {
  const key = `${list} ${path}`;
  if (!cache.has(key)) {
    const params = new URL(path, "http://bench.invalid").searchParams;
    const [first, last] = [Number(params.get("startblock") ?? 0), Number(params.get("endblock") ?? Infinity)];
    const size = Number(params.get("offset") ?? 10_000);
    const start = (Number(params.get("page") ?? 1) - 1) * size;
    const result = TRANSACTIONS[list].filter(({ blockNumber }) => first <= blockNumber && blockNumber <= last);
    if (params.get("sort") !== "asc") result.reverse();
    cache.set(key, Buffer.from(JSON.stringify({ ...streamedList, result: result.slice(start, start + size) })));
  }
  return cache.get(key);
}

const getJsonHeaders = (body) => ({
  "content-type": "application/json",
  "content-length": body.length,
  "cache-control": "no-store",
});

async function sendThrottled(response, mbits, body) {
  response.writeHead(200, getJsonHeaders(body));
  if (mbits === 0) return response.end(body);
  const start = performance.now();
  for (let sent = 0; sent < body.length; ) {
    const due = Math.min(body.length, Math.ceil(((performance.now() - start + 1) * mbits * 1000) / 8));
    if (due > sent) response.write(body.subarray(sent, due));
    sent = Math.max(sent, due);
    await delay(1);
  }
  response.end();
}

async function sendFile(response, path) {
  const name = path === "/" ? "index.html" : path.slice(1);
  const content = await readFile(SITE + name).catch(() => null);
  if (content === null || name.includes("..")) return response.writeHead(404).end();
  if (name.startsWith("cold/")) response.setHeader("content-encoding", "br");
  response
    .writeHead(200, { ...ISOLATION_HEADERS, "content-type": CONTENT_TYPES[extname(name)], "cache-control": "no-store" })
    .end(content);
}

const server = createServer((request, response) => {
  handleRequest(request, response).catch((error) => response.writeHead(500).end(String(error.stack)));
});
server.listen(0, "127.0.0.1", () => console.log(`http://127.0.0.1:${server.address().port}/`));
// Exit together with the parent process.
process.stdin.on("end", () => process.exit()).resume();
