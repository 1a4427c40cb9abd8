// What an example uses without declaring it: the global `fetch`, a client, addresses, and the functions that stand for the reader's code.
import { AddressClient, formatAmount, formatUnits, keyOf, parseUnits } from "address-query";
import * as chains from "address-query/chains";
import { createProxy } from "address-query/proxy";
import { createSampleService } from "address-query/testing";
import { createExampleValues } from "../values.js";
import required from "../../../target/generated/guide/values.json";
import type { Report, ExampleSource } from "./messages.ts";
import type { Served } from "./servers.ts";
import { createTestRunner, type TestRunner } from "./test-runner.ts";

/** The address that the examples name. The sample service has others. */
const GUIDE_ADDRESS = "0x00000000219ab540356cBB839Cbe05303d7705Fa";
/** The path of the proxy in the examples. */
const PROXY_PATH = "/api/blockscout";
/** The key that examples find in the environment of the sample data. */
const SAMPLE_KEY = "proapi_sample";

export interface Environment {
  /** Adapts the code of an example to the sample service. */
  adapt: (code: string) => string;
  /** The servers that the example starts. */
  served: Served[];
  /** The tests that the example declares. */
  tests: TestRunner;
  /** The environment variables of a server. */
  env: { BLOCKSCOUT_API_KEY: string };
  /** The value of a name that examples do not declare. */
  address_hash: string;
  /** Reports what the example saved. */
  finish: () => void;
}

/** Sets the globals. Each frame runs one example, so they are not restored. */
export async function createEnvironment(
  source: ExampleSource,
  report: (message: Report) => void,
  show: (...values: unknown[]) => void,
): Promise<Environment> {
  const service = createSampleService();
  const isSample = source.chainId === null;
  const sampleValues = createExampleValues(service, required);
  const address_hash: string = isSample ? sampleValues["address_hash"] : source.address;
  const own = isSample ? {} : { address_hash, address: address_hash, addresses: [address_hash] };
  const key = isSample ? SAMPLE_KEY : source.apiKey;
  const env = { BLOCKSCOUT_API_KEY: key };
  const served: Served[] = [];
  const saved: unknown[] = [];
  const stored = new Map<string, string>();

  globalThis.fetch = createFetch(isSample ? service.fetch : globalThis.fetch.bind(globalThis), key, report);
  setGlobals({
    ...sampleValues,
    ...own,
    ...(isSample && { WebSocket: service.sockets.WebSocket }),
    AddressClient,
    createSampleService,
    formatAmount,
    formatUnits,
    keyOf,
    parseUnits,
    service,
    client: createClient(source),
    show,
    save: (record: unknown) => saved.push(record),
    retryLater: (token: unknown) => show("retryLater", token),
    process: { env, once: () => {} },
    Deno: {
      env: { get: (name: keyof typeof env) => env[name] },
      serve: (_options: unknown, handle: (request: Request) => Promise<Response>) => served.push({ handle }),
    },
    Bun: { serve: (options: { fetch: (request: Request) => Promise<Response> }) => served.push({ handle: options.fetch }) },
    localStorage: {
      getItem: (name: string) => stored.get(name) ?? null,
      setItem: (name: string, value: string) => stored.set(name, value),
    },
    // A frame cannot ask for a file, so files are downloaded.
    showSaveFilePicker: undefined,
    console: { ...console, log: show, info: show, warn: show, error: show },
  });
  return {
    adapt: (code) => (isSample ? code.replaceAll(GUIDE_ADDRESS, address_hash) : code),
    served,
    tests: createTestRunner(),
    env,
    address_hash,
    finish: () => {
      if (saved.length > 0) show(`${saved.length} records were saved. The first:`, saved[0]);
    },
  };
}

function createClient({ chainId, apiKey }: ExampleSource): AddressClient {
  if (chainId === null) return new AddressClient({ baseUrl: "https://eth.blockscout.com" });
  if (apiKey !== "") return new AddressClient({ chainId, apiKey, allowKeyInPage: true });
  const chain = Object.values(chains).find((value) => typeof value === "object" && value.id === chainId);
  return new AddressClient({ chain: chain as chains.Chain });
}

/** Returns a `fetch` that reports each request. Requests for the proxy of the examples are answered by one in this frame. */
function createFetch(fetch: typeof globalThis.fetch, apiKey: string, report: (message: Report) => void): typeof globalThis.fetch {
  const pageFetch = globalThis.fetch.bind(globalThis);
  const proxy = createProxy({ apiKey, chains: [1, 8453], basePath: PROXY_PATH });
  return async (input, init) => {
    const request = new Request(input, init);
    const url = new URL(request.url);
    // The files of this frame.
    if (url.protocol === "blob:" || (url.origin === location.origin && !url.pathname.startsWith(PROXY_PATH)))
      return pageFetch(input, init);
    const start = performance.now();
    // The key is part of the URL.
    url.searchParams.delete("apikey");
    const finish = (status: number | null, bytes: number) =>
      report({ kind: "request", method: request.method, url: url.href, status, bytes, ms: performance.now() - start });
    try {
      const response = url.origin === location.origin ? await proxy(request) : await fetch(request);
      const copy = response.clone().arrayBuffer();
      void copy.then(
        ({ byteLength }) => finish(response.status, byteLength),
        () => finish(response.status, 0),
      );
      return response;
    } catch (error) {
      finish(null, 0);
      throw error;
    }
  };
}

function setGlobals(values: Record<string, unknown>): void {
  for (const [name, value] of Object.entries(values))
    Object.defineProperty(globalThis, name, { value, configurable: true, writable: true });
}
