import type { Fetch, Hex } from "../index.js";

/**
 * A deterministic fake of the address query service, for demos, tests and offline work.
 *
 * It answers the eight REST lists below `/api/v2`, and the fourteen actions of the account module at `/api`, with seeded
 * data, the service's own paging, filters and errors, in the dialect of a chosen service version. It needs no network and
 * no server.
 *
 * @example
 * ```js
 * const service = createSampleService();
 * const client = new AddressClient({ baseUrl: "https://sample.example", fetch: service.fetch });
 * const page = await client.addressLogs({ address_hash: service.addresses[0].hash });
 * ```
 */
export function createSampleService(options?: SampleServiceOptions): SampleService;

export interface SampleServiceOptions {
  /** Chooses the data: the same seed gives the same answers, always and everywhere. Default 1. */
  seed?: number | undefined;
  /** The major version of the service to speak like. Default 11. */
  dialect?: 8 | 11 | 12 | undefined;
  /** How long every answer takes, in milliseconds. Aborting the request ends the wait. Default 0. */
  latencyMs?: number | undefined;
  /** How many rows a page is cut from, unless a request of version 12 chooses. Default 50. */
  pageSize?: number | undefined;
  /**
   * How many blocks the chain grows by after every request to the account module, each with transactions of the address
   * with the deep history. Default 0.
   */
  grow?: number | undefined;
  /** What goes wrong on the way. Default: nothing. */
  faults?: SampleFaults | undefined;
}

export interface SampleFaults {
  /** Chooses which requests are hit, and by what: the n-th request has the same fault each time. Default 1. */
  seed?: number | undefined;
  /** The share of the requests that are hit, from 0 to 1. Default 0.3. */
  rate?: number | undefined;
  /** The kinds to choose from, all equally often. Default: all but `"html-403"`, which no client gets through. */
  kinds?: readonly FaultKind[] | undefined;
}

/**
 * What a request may meet with:
 *
 * - `latency`: the answer comes up to 100 ms later.
 * - `stall`, `stalled-body`: no answer, or half of one, and then nothing until the request is aborted.
 * - `network`: the connection breaks; `fetch` rejects with a `TypeError`.
 * - `429-reset`: too many requests, with `x-ratelimit-reset` in milliseconds; `429-retry-after`: with `Retry-After` in
 *   seconds; `429-date`: as a date; `429-unlimited`: with a reset of -1; `429-bare`: without any of these, as a CDN does.
 * - `500`: a crash; `502`, `503`, `504`: from a gateway, as a web page or as JSON.
 * - `html-200`, `html-403`: a web page of a firewall.
 * - `truncated`: the body ends early; `broken-stream`: it breaks off; `null`: it is the JSON value null.
 * - `duplicate-keys`: the cursor holds its keys a second time, with values of the page before, as version 9.0 does.
 * - `repeated-cursor`: the cursor leads back to the page that it came with.
 * - `drift`: fields and labels that nobody has heard of: `type`, `token_type` and `proxy_type` end in `-next`.
 * - `new-blocks`: the chain of the account module grows by a block, as with `grow`.
 */
export type FaultKind =
  | "latency" | "stall" | "stalled-body" | "network"
  | "429-reset" | "429-retry-after" | "429-date" | "429-unlimited" | "429-bare"
  | "500" | "502" | "503" | "504" | "html-200" | "html-403"
  | "truncated" | "broken-stream" | "null" | "duplicate-keys" | "repeated-cursor" | "drift" | "new-blocks";

export interface SampleService {
  /**
   * Answers a request as the service would. A drop-in for the global `fetch`, bound to this service. Only the path
   * from its last `/api` on and the query count, so any base URL will do.
   */
  readonly fetch: Fetch;

  /** Addresses worth visiting: those with REST lists first, then those that matter to the account module. */
  readonly addresses: readonly [SampleAddress, ...SampleAddress[]];

  /**
   * Every item of a list, in order and unpaged, as the service would send it: what reading all pages must give.
   *
   * @param path relative to `/api/v2`, such as `/addresses/0x…/logs`
   * @param query filters, such as `{ type: "ERC-20" }`
   * @throws what the service answers when it refuses the request
   */
  truth(path: string, query?: Record<string, string>): unknown[];

  /**
   * Every record of a list action of the account module, without the limit of 10,000: what reading all of it must give.
   * It counts as no request, so it makes no balance fresh.
   *
   * @param action such as `txlist`; not one that gives a balance
   * @param query the parameters; `page` and `offset` are ignored
   * @throws what the service answers when it refuses the request
   */
  truthOf(action: string, query?: Record<string, string>): unknown[];
}

export interface SampleAddress {
  /** The address, with its checksum. */
  hash: Hex;
  /** A few words fit for a menu. */
  label: string;
  /** One sentence on what is special about it. */
  description: string;
}
