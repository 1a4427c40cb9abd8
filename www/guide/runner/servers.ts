// Servers in a page: what `node:http` and Vite are to the examples that start a server.
import type { NodeListener } from "address-query/proxy/node";

/** A server that an example started. */
export interface Served {
  handle: (request: Request) => Promise<Response>;
}

type Incoming = Parameters<NodeListener>[0];
type Outgoing = Parameters<NodeListener>[1];

/** Returns the modules by name. */
export function createServerModules(served: Served[]): Record<string, unknown> {
  const listen = (listener: NodeListener) => served.push({ handle: (request) => respond(listener, request) });
  return {
    "node:http": { createServer: (listener: NodeListener) => ({ listen: () => listen(listener) }) },
    vite: {
      defineConfig: (config: { plugins: { configureServer: (server: object) => void }[] }) => {
        const middlewares = { use: (_path: string, listener: NodeListener) => listen(listener) };
        for (const plugin of config.plugins) plugin.configureServer({ middlewares });
        return config;
      },
    },
  };
}

/** Calls a listener of Node.js with a request, and collects its response. */
function respond(listener: NodeListener, { method, url }: Request): Promise<Response> {
  const { pathname, search, host } = new URL(url);
  return new Promise((resolve, reject) => {
    const parts: BlobPart[] = [];
    let init: { status: number; headers: Record<string, string> } = { status: 200, headers: {} };
    const outgoing = {
      destroyed: false,
      writeHead: (status: number, headers: Record<string, string> = {}) => {
        init = { status, headers };
        return outgoing;
      },
      write: (part: BlobPart) => parts.push(part) > 0,
      end: () => {
        resolve(new Response(new Blob(parts), init));
        return outgoing;
      },
      destroy: (error?: Error) => {
        reject(error ?? new Error("the server closed the connection"));
        return outgoing;
      },
      on: () => outgoing,
    };
    const incoming = { method, url: pathname + search, headers: { host }, async *[Symbol.asyncIterator]() {} };
    void listener(incoming as unknown as Incoming, outgoing as unknown as Outgoing);
  });
}
