// The sample service over HTTP, with the headers of the real one, for tests and benchmarks.
//
//   node tests/service.mjs --port 8080 [--host 127.0.0.1] [--dialect 12] [--seed 1] [--page-delay 30] [--grow 1]
//     [--fault-rate 0.3] [--fault-seed 1] [--fault-kinds 503,gzip-truncated]
//
// Faults are those of the sample service, and four that only a socket has:
//   truncated-length   the connection ends before as many bytes as Content-Length promised
//   gzip               none: the body is compressed, as it should be
//   gzip-truncated     the compressed body ends early
//   gzip-garbage       the body should be compressed, and is not
//
// Paths below /v8, /v11 and /v12 answer in that version. Paths below /_sample/ are aids for tests:
//   truth?path=/addresses/0x…/logs&topic=…   every item of the list, as one JSON array
//   truth-of?action=txlist&address=0x…&…     every record of that action, as one JSON array
//   echo-status?status=503&body=…&type=…     that status and body
//   slow?ms=500                              headers after that time
//   stall                                    headers, half a body, and then nothing
// What follows an aid's name is passed over, so that one can stand in a base URL: http://127.0.0.1:8080/_sample/stall

import { createServer } from "node:http";
import { argv } from "node:process";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { gzipSync } from "node:zlib";
import { Disconnected, PASSING } from "../pkg-template/testing/faults.js";
import { createSampleService } from "../pkg-template/testing/index.js";
import { random } from "../pkg-template/testing/random.js";

const CORS = {
  "access-control-allow-credentials": "true",
  "access-control-allow-origin": "*",
  "access-control-expose-headers": "bypass-429-option, x-ratelimit-reset, x-ratelimit-limit, x-ratelimit-remaining, api-v2-temp-token",
};
const PREFLIGHT = {
  ...CORS,
  "access-control-allow-headers":
    "Authorization, Content-Type, Accept, Origin, User-Agent, DNT, Cache-Control, X-Mx-ReqToken, Keep-Alive, X-Requested-With, " +
    "If-Modified-Since, X-CSRF-Token, x-apollo-tracing, updated-gas-oracle, show-scam-tokens, api-v2-temp-token",
  "access-control-allow-methods": "GET, POST, PUT, PATCH, DELETE, OPTIONS",
  "access-control-max-age": "1728000",
};

/** Serves sample services of all dialects; resolves to the base URL, and a function that ends it all. */
export async function startService({ port = 0, host = "127.0.0.1", dialect = 11, seed = 1, pageDelayMs = 0, pageSize = 50, grow = 0, faults } = {}) {
  const { ofSocket, ofService } = parted(faults);
  const create = (dialect) => createSampleService({ seed, dialect, latencyMs: pageDelayMs, pageSize, grow, faults: ofService });
  const services = { 8: create(8), 11: create(11), 12: create(12) };

  const server = createServer(async (request, response) => {
    if (request.method === "OPTIONS") return response.writeHead(204, PREFLIGHT).end();
    const gone = new AbortController();
    response.on("close", () => gone.abort());
    try {
      const [, version = dialect, target] = /^(?:\/v(8|11|12)(?=\/))?(.*)$/.exec(request.url);
      const url = new URL(target, "http://sample.invalid");
      const aid = aids[/^\/_sample\/([^/]+)/.exec(url.pathname)?.[1]];
      if (aid) return await aid(response, services[version], url.searchParams);
      const { method, headers } = request;
      const body = method === "POST" ? { body: request, duplex: "half" } : {};
      const answer = await services[version].fetch(url, { method, headers: plainHeaders(headers), signal: gone.signal, ...body });
      const pass = ofSocket() ?? stream;
      await pass(response, answer.status, answer, Object.fromEntries(answer.headers));
    } catch (error) {
      if (gone.signal.aborted) return;
      // A reset would take with it what was sent already.
      if (response.headersSent) return response.destroy();
      if (error instanceof Disconnected) return request.socket.resetAndDestroy();
      send(response, 500, String(error.stack), { "content-type": "text/plain" });
    }
  });

  await new Promise((resolve, reject) => server.once("error", reject).listen(port, host, resolve));
  return {
    url: `http://${host}:${server.address().port}`,
    close: () => new Promise((resolve) => server.close(resolve).closeAllConnections()),
  };
}

/** Parts faults into those that the service makes, and a function that gives the socket's, request for request. */
function parted(faults) {
  if (faults === undefined) return { ofSocket: () => undefined };
  const { seed = 1, rate = 0.3, kinds = [...PASSING, ...SOCKET_KINDS], ...others } = faults;
  const own = kinds.filter((kind) => Object.hasOwn(socketFaults, kind));
  const service = kinds.filter((kind) => !Object.hasOwn(socketFaults, kind));
  const ownRate = (rate * own.length) / kinds.length;
  let count = 0;
  const ofSocket = () => {
    const dice = random("socket fault", seed, count++);
    return dice.chance(ownRate) ? socketFaults[dice.pick(own)] : undefined;
  };
  // Both may hit one request; together they hit as many as `rate`.
  const serviceRate = ownRate < 1 ? (rate - ownRate) / (1 - ownRate) : 0;
  return { ofSocket, ofService: service.length > 0 ? { seed, rate: serviceRate, kinds: service, ...others } : { rate: 0 } };
}

/** How an answer's body goes out wrong, or at least not plainly. */
const socketFaults = {
  async "truncated-length"(response, status, answer, headers) {
    const bytes = new Uint8Array(await answer.arrayBuffer());
    response.writeHead(status, { ...CORS, ...headers, "content-length": bytes.length });
    await new Promise((done) => response.write(bytes.subarray(0, bytes.length / 2), done));
    response.destroy();
  },

  async gzip(response, status, answer, headers) {
    send(response, status, gzipSync(await answer.arrayBuffer()), { ...headers, "content-encoding": "gzip" });
  },

  async "gzip-truncated"(response, status, answer, headers) {
    const bytes = gzipSync(await answer.arrayBuffer());
    send(response, status, bytes.subarray(0, bytes.length / 2), { ...headers, "content-encoding": "gzip" });
  },

  async "gzip-garbage"(response, status, answer, headers) {
    // Only its beginning: with more, the fetch of Node 20 never notices.
    send(response, status, (await answer.text()).slice(0, 4096), { ...headers, "content-encoding": "gzip" });
  },
};

export const SOCKET_KINDS = Object.keys(socketFaults);

/** Passes a body on as it comes, so that it stalls and breaks as it does there. */
async function stream(response, status, answer, headers) {
  response.writeHead(status, { ...CORS, ...headers });
  for await (const chunk of answer.body ?? []) await new Promise((sent) => response.write(chunk, sent));
  response.end();
}

const aids = {
  truth(response, service, query) {
    const { path, ...filters } = Object.fromEntries(query);
    send(response, 200, JSON.stringify(service.truth(path, filters)));
  },

  "truth-of"(response, service, query) {
    const { action, ...parameters } = Object.fromEntries(query);
    send(response, 200, JSON.stringify(service.truthOf(action, parameters)));
  },

  "echo-status"(response, _, query) {
    send(response, Number(query.get("status")), query.get("body") ?? "", { "content-type": query.get("type") ?? "application/json" });
  },

  async slow(response, _, query) {
    await new Promise((resolve) => setTimeout(resolve, Number(query.get("ms"))));
    send(response, 200, "{\"items\":[],\"next_page_params\":null}");
  },

  async stall(response, service) {
    const page = await (await service.fetch("/api/v2/token-transfers")).text();
    response.writeHead(200, { ...CORS, "content-type": "application/json", "content-length": page.length }).write(page.slice(0, page.length / 2));
  },
};

function send(response, status, body, headers = { "content-type": "application/json" }) {
  response.writeHead(status, { ...CORS, ...headers }).end(body);
}

/** Request headers that fetch accepts: those of the connection are not its business. */
function plainHeaders({ connection, host, "transfer-encoding": _, ...headers }) {
  return headers;
}

if (argv[1] === fileURLToPath(import.meta.url)) {
  const text = { type: "string" };
  const { values } = parseArgs({ options: { port: text, host: text, dialect: text, seed: text, "page-delay": text, grow: text, "fault-rate": text, "fault-seed": text, "fault-kinds": text } });
  const rate = Number(values["fault-rate"] ?? 0);
  const faults = { rate, seed: Number(values["fault-seed"] ?? 1), kinds: values["fault-kinds"]?.split(",") };
  const { url } = await startService({
    port: Number(values.port ?? 0),
    host: values.host,
    dialect: Number(values.dialect ?? 11),
    seed: Number(values.seed ?? 1),
    pageDelayMs: Number(values["page-delay"] ?? 0),
    grow: Number(values.grow ?? 0),
    faults,
  });
  console.log(`listening ${url}`);
}
