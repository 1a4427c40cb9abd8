// Entry address-query/proxy/node: the handler of a proxy as a listener of Node's HTTP server, and as middleware of Vite, Connect and
// Express.
import type { FetchRequest, FetchResponse } from "../public.js";

/** The members of Node's `IncomingMessage` that a listener reads. */
export interface IncomingMessageLike extends AsyncIterable<Uint8Array> {
  readonly method?: string | undefined;
  readonly url?: string | undefined;
  /** The complete URL, where a framework has removed the path of the middleware from `url`. */
  readonly originalUrl?: string | undefined;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  /** Whether the body was read. */
  readonly readableEnded?: boolean | undefined;
  /** The body that a middleware such as `express.json()` has read. */
  readonly body?: unknown;
}

/** The members of Node's `ServerResponse` that a listener uses. */
export interface ServerResponseLike {
  readonly destroyed: boolean;
  writeHead(status: number, headers: Record<string, string>): unknown;
  write(part: Uint8Array): boolean;
  end(): unknown;
  destroy(): unknown;
  on(event: "close" | "drain", listener: () => void): unknown;
}

/** A listener of `http.createServer`. The promise is never rejected. */
export type NodeListener<Incoming extends IncomingMessageLike = IncomingMessageLike> = (
  incoming: Incoming,
  outgoing: ServerResponseLike,
) => Promise<void>;

/**
 * Makes a handler a listener of `http.createServer`, and middleware of Vite, Connect and Express. The handler also receives Node's
 * request, with the address of the visitor: `createProxy<[incoming: IncomingMessage]>({ limit: (_request, { socket }) => …, … })`.
 *
 * @example
 * ```ts
 * import { createServer } from "node:http";
 * import { createProxy } from "address-query/proxy";
 * import { toNodeListener } from "address-query/proxy/node";
 *
 * const apiKey = () => process.env.BLOCKSCOUT_API_KEY;
 * createServer(toNodeListener(createProxy({ apiKey, chains: [1] }))).listen(3000);
 * ```
 */
export function toNodeListener<Incoming extends IncomingMessageLike = IncomingMessageLike>(
  handle: (request: FetchRequest, incoming: Incoming) => Promise<FetchResponse>,
): NodeListener<Incoming> {
  return async (incoming, outgoing) => {
    const controller = new AbortController();
    let resume = () => {};
    outgoing.on("drain", () => resume());
    outgoing.on("close", () => {
      controller.abort();
      resume();
    });
    try {
      const response = await handle(toRequest(incoming, controller.signal), incoming);
      const headers = Object.fromEntries(response.headers);
      // The rest of a body that is too large is not read.
      outgoing.writeHead(response.status, response.status === 413 ? { ...headers, connection: "close" } : headers);
      const reader = response.body?.getReader();
      for (let part = await reader?.read(); part?.value && !outgoing.destroyed; part = await reader?.read()) {
        if (outgoing.write(part.value)) continue;
        await new Promise<void>((resolve) => {
          resume = resolve;
          if (outgoing.destroyed) resolve();
        });
      }
      outgoing.end();
    } catch {
      // The response broke off, or the request is malformed.
      outgoing.destroy();
    }
  };
}

/** Converts a request. Throws if it is malformed. */
function toRequest(incoming: IncomingMessageLike, signal: AbortSignal): Request {
  const { method = "GET", url, originalUrl = url, headers } = incoming;
  const host = headers["host"] ?? headers[":authority"];
  const passed = new Headers();
  for (const [name, value] of Object.entries(headers)) {
    if (typeof value === "string" && !name.startsWith(":")) passed.set(name, value);
  }
  const init = { method, headers: passed, signal };
  // Node requires `duplex` for a body that is still arriving.
  const streaming = method === "POST" ? { body: getBody(incoming), duplex: "half" } : {};
  return new Request(`http://${host}${originalUrl}`, { ...init, ...streaming });
}

/** Returns the body that a middleware has read, or the stream of a body that nothing has read. */
function getBody(incoming: IncomingMessageLike): ReadableStream | string | Uint8Array<ArrayBuffer> {
  const { readableEnded, body } = incoming;
  if (!readableEnded || body === undefined) return toStream(incoming);
  return typeof body === "string" || body instanceof Uint8Array
    ? (body as string | Uint8Array<ArrayBuffer>)
    : JSON.stringify(body);
}

/** Converts a body. Cancelling the stream does not end the iteration, which would close the connection before the response. */
function toStream(incoming: AsyncIterable<Uint8Array>): ReadableStream {
  const parts = incoming[Symbol.asyncIterator]();
  return new ReadableStream({
    async pull(sink) {
      const { done, value } = await parts.next();
      if (done) sink.close();
      else sink.enqueue(value);
    },
  });
}
