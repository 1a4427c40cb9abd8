// A fake gateway on loopback for the tests of the proxy, and a server with a proxy for it.
import { once } from "node:events";
import { createServer } from "node:http";
import { createProxy } from "../../pkg/proxy/index.js";
import { toNodeListener } from "../../pkg/proxy/node.js";

export const KEY = "proapi_0123456789abcdefS3CRET";
export const ORIGIN = "https://app.example";
export const BASE_PATH = "/api/blockscout";

/** Starts a server; closes it when the test ends. Resolves to its origin. */
export async function startServer(test, listener) {
  const server = createServer(listener).listen(0, "127.0.0.1");
  await once(server, "listening");
  test.after(() => new Promise((resolve) => server.close(resolve).closeAllConnections()));
  return `http://127.0.0.1:${server.address().port}`;
}

/**
 * Starts a gateway. `respond(request, response)` may respond; by default the response is an empty page. `requests` has the requests
 * that it received: `{ method, url, headers, body }`.
 */
export async function startUpstream(
  test,
  respond = (_request, response) => response.end('{"items":[],"next_page_params":null}'),
) {
  const requests = [];
  const url = await startServer(test, async (request, response) => {
    let body = "";
    for await (const chunk of request) body += chunk;
    requests.push({ method: request.method, url: request.url, headers: request.headers, body });
    response.setHeader("content-type", "application/json");
    await respond(request, response);
  });
  return { url, requests };
}

/** Replaces `fetch` with a gateway whose responses begin at once, and then stall. A real connection may begin later than a timeout. */
export function stallResponses(t) {
  const fetch = async (_url, { signal }) => {
    const start = (body) => {
      body.enqueue(Buffer.from("["));
      signal.addEventListener("abort", () => body.error(signal.reason));
    };
    return new Response(new ReadableStream({ start }));
  };
  t.mock.method(globalThis, "fetch", fetch);
  return { url: "https://gateway.example" };
}

/** Creates a proxy for an upstream. */
export const createTestProxy = (upstream, options = {}) =>
  createProxy({ apiKey: KEY, chains: [1, 8453], basePath: BASE_PATH, upstream: `${upstream.url}/{chain_id}`, ...options });

/** Calls a proxy like a page of the same origin. `path` is below the base path. */
export const call = (proxy, path, init = {}) =>
  proxy(
    new Request(`${ORIGIN}${BASE_PATH}${path}`, {
      ...init,
      headers: { "sec-fetch-site": "same-origin", ...init.headers },
    }),
  );

/** Starts a server with a proxy. Resolves to its origin. */
export const startProxyServer = (test, upstream, options) =>
  startServer(test, toNodeListener(createTestProxy(upstream, options)));

/** Everything that a visitor receives: status, headers and body. */
export async function readAll(response) {
  return JSON.stringify([response.status, [...response.headers], await response.text()]);
}
