// The sample service over HTTP, with the headers of the real one, for tests and benchmarks.
//
//   node tests/service.mjs --port 8080 [--host 127.0.0.1] [--dialect 12] [--seed 1] [--page-delay 30] [--grow 1]
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
import { createSampleService } from "../pkg-template/testing/index.js";

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
export async function startService({ port = 0, host = "127.0.0.1", dialect = 11, seed = 1, pageDelayMs = 0, pageSize = 50, grow = 0 } = {}) {
  const create = (dialect) => createSampleService({ seed, dialect, latencyMs: pageDelayMs, pageSize, grow });
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
      send(response, answer.status, await answer.text(), Object.fromEntries(answer.headers));
    } catch (error) {
      if (!gone.signal.aborted) send(response, 500, String(error.stack), { "content-type": "text/plain" });
    }
  });

  await new Promise((resolve, reject) => server.once("error", reject).listen(port, host, resolve));
  return {
    url: `http://${host}:${server.address().port}`,
    close: () => new Promise((resolve) => server.close(resolve).closeAllConnections()),
  };
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
  const { values } = parseArgs({ options: { port: text, host: text, dialect: text, seed: text, "page-delay": text, grow: text } });
  const { url } = await startService({
    port: Number(values.port ?? 0),
    host: values.host,
    dialect: Number(values.dialect ?? 11),
    seed: Number(values.seed ?? 1),
    pageDelayMs: Number(values["page-delay"] ?? 0),
    grow: Number(values.grow ?? 0),
  });
  console.log(`listening ${url}`);
}
