// Serves the sample service over HTTP, with the headers of the real service, for tests and benchmarks.
//
//   node tests/sample-server.mjs --port 8080 [--host 127.0.0.1] [--backend-version 12] [--seed 1] [--latency 30]
//     [--blocks-per-request 1] [--fault-rate 0.3] [--fault-seed 1] [--fault-kinds service_unavailable,truncated_gzip]
//     [--fault-script '[{"match":"/logs","fault":"gateway_timeout","times":2}]']
//
// Faults are of the kinds that the sample service has, and of four that need a real connection:
//   content_length_mismatch   the connection closes before all bytes of Content-Length have been sent
//   gzip                      no fault: the body is compressed
//   truncated_gzip            the compressed body ends early
//   invalid_gzip              Content-Encoding is gzip, but the body is not compressed
//
// The prefixes /v8, /v9, /v11 and /v12 select a backend version. The paths below /_sample/ are helpers for tests:
//   grow?blocks=1                                adds blocks to the chain
//   all-items?path=/addresses/0x…/logs&topic=…   every item of a REST list, as a JSON array
//   all-rows?action=txlist&address=0x…&…         every row of an account module action, as a JSON array
//   respond?status=503&body=…&type=…             a response with this status, body and content type
//   slow?ms=500                                  an empty page after this time
//   stall                                        headers and half of a body, then nothing
// Path segments after a helper's name are ignored, so a helper can be a base URL: http://127.0.0.1:8080/_sample/stall

import { createServer } from "node:http";
import { argv } from "node:process";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { gzipSync } from "node:zlib";
import { createSampleGateway, createSampleService } from "../pkg/testing/index.js";
import { CORS_HEADERS, PREFLIGHT_HEADERS } from "../target/parts/testing/cors.js";
import { RECOVERABLE_KINDS } from "../target/parts/testing/faults/fault-injector.js";
import { createRandom } from "../target/parts/testing/random.js";

/**
 * Starts a server with a sample service per backend version, which have the other options. Resolves to its base URL and a function
 * that closes it.
 */
export async function startSampleServer({ port, host, backendVersion = 11, faults, ...options } = {}) {
  const { drawSocketFault, serviceFaults } = splitFaults(faults);
  const create = (version) => createSampleService({ ...options, backendVersion: version, faults: serviceFaults });
  const services = { 8: create(8), 9: create(9), 11: create(11), 12: create(12) };
  return startServer({ port, host }, async (request, response, signal) => {
    const [, version = backendVersion, target] = /^(?:\/v(8|9|11|12)(?=\/))?(.*)$/.exec(request.url);
    const url = new URL(target, `http://${request.headers.host}`);
    const helper = HELPERS[/^\/_sample\/([^/]+)/.exec(url.pathname)?.[1]];
    if (helper) return await helper(response, services[version], url.searchParams);
    await respond(services[version].fetch, url, request, response, signal, drawSocketFault);
  });
}

/** Starts a server with a sample gateway, which has these options. Resolves to its URL and a function that closes it. */
export async function startSampleGateway({ port, host, ...options }) {
  const gateway = createSampleGateway(options);
  const preflightHeaders = options.cors === false ? {} : PREFLIGHT_HEADERS;
  return startServer({ port, host, preflightHeaders }, (request, response, signal) =>
    respond(gateway.fetch, new URL(request.url, `http://${request.headers.host}`), request, response, signal),
  );
}

/** Sends the response of a `fetch` function. */
async function respond(fetch, url, request, response, signal, drawSocketFault = () => undefined) {
  const { method, headers } = request;
  const body = method === "POST" ? { body: request, duplex: "half" } : {};
  const sampleResponse = await fetch(url, { method, headers: removeConnectionHeaders(headers), signal, ...body });
  const sendBody = drawSocketFault() ?? streamBody;
  await sendBody(response, sampleResponse, Object.fromEntries(sampleResponse.headers));
}

/** Starts a server. `handle(request, response, signal)` responds. Its signal is aborted when the connection closes. */
async function startServer({ port = 0, host = "127.0.0.1", preflightHeaders = PREFLIGHT_HEADERS }, handle) {
  const server = createServer(async (request, response) => {
    if (request.method === "OPTIONS") return response.writeHead(204, preflightHeaders).end();
    const controller = new AbortController();
    response.on("close", () => controller.abort());
    try {
      await handle(request, response, controller.signal);
    } catch (error) {
      if (controller.signal.aborted) return;
      // Resetting the connection would discard what has been sent already.
      if (response.headersSent) return response.destroy();
      if (isNetworkError(error)) return request.socket.resetAndDestroy();
      send(response, 500, String(error.stack), { "content-type": "text/plain" });
    }
  });

  await new Promise((resolve, reject) => server.once("error", reject).listen(port, host, resolve));
  return {
    url: `http://${host}:${server.address().port}`,
    close: () => new Promise((resolve) => server.close(resolve).closeAllConnections()),
  };
}

/** Whether `fetch` throws this error for a broken connection. */
const isNetworkError = (error) => error instanceof TypeError && error.message === "fetch failed";

/** Splits faults into the service's faults, and a function that draws the socket fault of the next request. */
function splitFaults(faults) {
  if (faults === undefined) return { drawSocketFault: () => undefined };
  // The service runs the script. It adds random faults only if there is a rate.
  const { seed = 1, rate = faults.script ? 0 : 0.3, kinds = [...RECOVERABLE_KINDS, ...SOCKET_FAULT_KINDS], ...rest } = faults;
  const socketKinds = kinds.filter((kind) => Object.hasOwn(SOCKET_FAULTS, kind));
  const serviceKinds = kinds.filter((kind) => !Object.hasOwn(SOCKET_FAULTS, kind));
  const socketRate = (rate * socketKinds.length) / kinds.length;
  let requestCount = 0;
  const drawSocketFault = () => {
    const random = createRandom("socket fault", seed, requestCount++);
    return random.nextBoolean(socketRate) ? SOCKET_FAULTS[random.pick(socketKinds)] : undefined;
  };
  // Both are drawn independently, so a request can have both. The share of requests with any fault is still `rate`.
  const serviceRate = socketRate < 1 ? (rate - socketRate) / (1 - socketRate) : 0;
  return {
    drawSocketFault,
    serviceFaults: { seed, ...(serviceKinds.length > 0 ? { rate: serviceRate, kinds: serviceKinds } : { rate: 0 }), ...rest },
  };
}

/** Functions that send the body of a response with a fault. */
const SOCKET_FAULTS = {
  async content_length_mismatch(response, sampleResponse, headers) {
    const bytes = new Uint8Array(await sampleResponse.arrayBuffer());
    response.writeHead(sampleResponse.status, { ...headers, "content-length": bytes.length });
    await new Promise((resolve) => response.write(bytes.subarray(0, bytes.length / 2), resolve));
    response.destroy();
  },

  async gzip(response, sampleResponse, headers) {
    const bytes = gzipSync(await sampleResponse.arrayBuffer());
    response.writeHead(sampleResponse.status, { ...headers, "content-encoding": "gzip" }).end(bytes);
  },

  async truncated_gzip(response, sampleResponse, headers) {
    const bytes = gzipSync(await sampleResponse.arrayBuffer());
    response
      .writeHead(sampleResponse.status, { ...headers, "content-encoding": "gzip" })
      .end(bytes.subarray(0, bytes.length / 2));
  },

  async invalid_gzip(response, sampleResponse, headers) {
    // Only the beginning of the body: the fetch of Node 20 does not report an error for a longer one.
    const beginning = (await sampleResponse.text()).slice(0, 4096);
    response.writeHead(sampleResponse.status, { ...headers, "content-encoding": "gzip" }).end(beginning);
  },
};

export const SOCKET_FAULT_KINDS = Object.keys(SOCKET_FAULTS);

/** Sends a body chunk by chunk, so that stalls and errors of the stream reach the client. */
async function streamBody(response, sampleResponse, headers) {
  response.writeHead(sampleResponse.status, headers);
  for await (const chunk of sampleResponse.body ?? []) await new Promise((resolve) => response.write(chunk, resolve));
  response.end();
}

const HELPERS = {
  grow(response, service, query) {
    service.grow(Number(query.get("blocks") ?? 1));
    send(response, 200, "null");
  },

  "all-items"(response, service, query) {
    const { path, ...filters } = Object.fromEntries(query);
    send(response, 200, JSON.stringify(service.getAllItems(path, filters)));
  },

  "all-rows"(response, service, query) {
    const { action, ...parameters } = Object.fromEntries(query);
    send(response, 200, JSON.stringify(service.getAllRows(action, parameters)));
  },

  respond(response, _, query) {
    send(response, Number(query.get("status")), query.get("body") ?? "", {
      "content-type": query.get("type") ?? "application/json",
    });
  },

  async slow(response, _, query) {
    await new Promise((resolve) => setTimeout(resolve, Number(query.get("ms"))));
    send(response, 200, '{"items":[],"next_page_params":null}');
  },

  async stall(response, service) {
    const body = await (await service.fetch("/api/v2/token-transfers")).text();
    response
      .writeHead(200, { ...CORS_HEADERS, "content-type": "application/json", "content-length": body.length })
      .write(body.slice(0, body.length / 2));
  },
};

function send(response, status, body, headers = { "content-type": "application/json" }) {
  response.writeHead(status, { ...CORS_HEADERS, ...headers }).end(body);
}

/** Removes the headers of the connection, which `fetch` does not accept. */
function removeConnectionHeaders({ connection, host, "transfer-encoding": _, ...headers }) {
  return headers;
}

if (argv[1] === fileURLToPath(import.meta.url)) {
  const names = [
    "port",
    "host",
    "backend-version",
    "seed",
    "latency",
    "blocks-per-request",
    "fault-rate",
    "fault-seed",
    "fault-kinds",
    "fault-script",
  ];
  const { values } = parseArgs({ options: Object.fromEntries(names.map((name) => [name, { type: "string" }])) });
  const { url } = await startSampleServer({
    port: Number(values.port ?? 0),
    host: values.host,
    backendVersion: Number(values["backend-version"] ?? 11),
    seed: Number(values.seed ?? 1),
    latencyMs: Number(values.latency ?? 0),
    blocksPerRequest: Number(values["blocks-per-request"] ?? 0),
    faults: {
      rate: Number(values["fault-rate"] ?? 0),
      seed: Number(values["fault-seed"] ?? 1),
      kinds: values["fault-kinds"]?.split(","),
      script: values["fault-script"] && JSON.parse(values["fault-script"]),
    },
  });
  console.log(`listening ${url}`);
}
