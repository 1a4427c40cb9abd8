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

async function handleRequest(request, response) {
  const [, kind, parameter, path] = /^\/(?:(service)|(?:latency|even|bandwidth)\/(\d+))(\/api.*)$/.exec(request.url) ?? [];
  if (path === undefined) return sendFile(response, request.url.replace(/\?.*/, ""));
  if (request.url.startsWith("/bandwidth/")) return sendThrottled(response, Number(parameter), getStreamedBody(path));
  if (request.url.startsWith("/even/")) return sendEven(response, Number(parameter), path);
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

/** Sends some of the evenly spread transactions. */
async function sendEven(response, ms, path) {
  const key = `even ${path}`;
  if (!cache.has(key)) {
    const params = new URL(path, "http://bench.invalid").searchParams;
    const [first, last] = [Number(params.get("startblock") ?? 0), Number(params.get("endblock") ?? Infinity)];
    const isAscending = params.get("sort") === "asc";
    const size = Number(params.get("offset") ?? 10_000);
    const start = (Number(params.get("page") ?? 1) - 1) * size;
    const blocks = Array.from({ length: EVEN_ROWS }, (_, i) => 1_000 + 3 * (isAscending ? i : EVEN_ROWS - 1 - i));
    const selected = blocks.filter((block) => first <= block && block <= last).slice(start, start + size);
    const rows = streamedList.result;
    const result = selected.map((block, i) => ({ ...rows[i % rows.length], blockNumber: String(block) }));
    cache.set(key, Buffer.from(JSON.stringify({ ...streamedList, result })));
  }
  await delay(getLatency(path, ms));
  const body = cache.get(key);
  response.writeHead(200, { "content-type": "application/json", "content-length": body.length, "cache-control": "no-store" });
  response.end(body);
}

/** Returns the body of a request for the streamed transactions. */
function getStreamedBody(path) {
  const params = new URL(path, "http://bench.invalid").searchParams;
  const [sort, first, last] = [params.get("sort"), params.get("startblock") ?? 0, params.get("endblock") ?? Infinity];
  const key = `streamed ${sort} ${first} ${last}`;
  if (!cache.has(key)) {
    const result = streamedList.result.filter(({ blockNumber }) => blockNumber >= Number(first) && blockNumber <= Number(last));
    result.sort((a, b) => (sort === "asc" ? 1 : -1) * (a.blockNumber - b.blockNumber));
    cache.set(key, Buffer.from(JSON.stringify({ ...streamedList, result })));
  }
  return cache.get(key);
}

async function sendThrottled(response, mbits, body) {
  response.writeHead(200, {
    "content-type": "application/json",
    "content-length": body.length,
    "cache-control": "no-store",
  });
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
