// Serves the site and, on the same origin, the service: answers of the sample service, kept in memory once they were made, so
// that what is measured is the client. A process of its own: node tests/bench/server.mjs → prints its address.
//
//   /…                       files of target/bench/site, cross-origin isolated: clocks of a page are fine-grained then
//   /service/api…            the sample service
//   /late/<ms>/api…          the same, each answer after that time
//   /paced/<Mbit/s>/api…     any list of transactions: 9,999 rows, sent at that rate; 0 is as fast as it goes
import { createServer } from "node:http";
import { readFile } from "node:fs/promises";
import { extname } from "node:path";
import { setTimeout as after } from "node:timers/promises";
import { createSampleService } from "../../pkg-template/testing/index.js";
import { SITE, STREAMED } from "./site.mjs";

const TYPES = { ".html": "text/html; charset=utf-8", ".js": "text/javascript", ".json": "application/json", ".wasm": "application/wasm" };
const ISOLATED = {
  "cross-origin-embedder-policy": "require-corp",
  "cross-origin-opener-policy": "same-origin",
  "cross-origin-resource-policy": "same-origin",
};
const service = createSampleService({ dialect: 11 });
const answers = new Map();
const streamed = await readFile(`${SITE}payloads/rows-${STREAMED}.json`);

async function respond(request, response) {
  const [, kind, parameter, path] = /^\/(?:(service)|(?:late|paced)\/(\d+))(\/api.*)$/.exec(request.url) ?? [];
  if (path === undefined) return file(response, request.url.replace(/\?.*/, ""));
  if (request.url.startsWith("/paced/")) return pace(response, Number(parameter));
  if (!answers.has(path)) {
    const answer = await service.fetch(path);
    answers.set(path, { headers: Object.fromEntries(answer.headers), body: Buffer.from(await answer.arrayBuffer()) });
  }
  if (kind === undefined) await after(Number(parameter));
  const { headers, body } = answers.get(path);
  response.writeHead(200, { ...headers, "content-length": body.length, "cache-control": "no-store" }).end(body);
}

async function pace(response, megabits) {
  response.writeHead(200, { "content-type": "application/json", "content-length": streamed.length, "cache-control": "no-store" });
  if (megabits === 0) return response.end(streamed);
  const started = performance.now();
  for (let sent = 0; sent < streamed.length; ) {
    const due = Math.min(streamed.length, Math.ceil(((performance.now() - started + 1) * megabits * 1000) / 8));
    if (due > sent) response.write(streamed.subarray(sent, due));
    sent = Math.max(sent, due);
    await after(1);
  }
  response.end();
}

async function file(response, path) {
  const name = path === "/" ? "index.html" : path.slice(1);
  const content = await readFile(SITE + name).catch(() => null);
  if (content === null || name.includes("..")) return response.writeHead(404).end();
  response.writeHead(200, { ...ISOLATED, "content-type": TYPES[extname(name)], "cache-control": "no-store" }).end(content);
}

const server = createServer((request, response) => {
  respond(request, response).catch((error) => response.writeHead(500).end(String(error.stack)));
});
server.listen(0, "127.0.0.1", () => console.log(`http://127.0.0.1:${server.address().port}/`));
// Ends with whoever started it.
process.stdin.on("end", () => process.exit()).resume();
