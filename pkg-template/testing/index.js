// Entry point of `address-query/testing`: `createSampleService`, a deterministic fake of the Blockscout API behind a `fetch`.
//
// The REST lists are in rest-*.js, the account module in account-*.js, both over the data of chain.js. Faults are in faults.js.

import { AccountModule } from "./account-module.js";
import { Chain } from "./chain.js";
import { ApiError, createNotFoundError, createUnknownActionError } from "./errors.js";
import { FaultInjector } from "./faults.js";
import { RestLists } from "./rest-lists.js";

const BACKEND_VERSIONS = [8, 11, 12];
/** The origin for a URL that is only a path. The service ignores the origin. */
const PLACEHOLDER_ORIGIN = "https://sample.invalid";
const MAX_QUERY_LENGTH = 5000;
/** Headers of every response. In the rate limit headers, -1 means no limit. */
const DEFAULT_HEADERS = {
  "bypass-429-option": "no_bypass",
  "content-type": "application/json; charset=utf-8",
  "x-ratelimit-limit": "-1",
  "x-ratelimit-remaining": "-1",
  "x-ratelimit-reset": "-1",
};

/** Creates a service. Its data are generated lazily and depend on the seed alone. */
export function createSampleService(options = {}) {
  const { seed = 1, backendVersion = 11, latencyMs = 0, pageSize = 50, blocksPerRequest = 0, faults = { rate: 0 }, ...rest } = options;
  const [unknown] = Object.keys(rest);
  if (unknown !== undefined) {
    throw new RangeError(`unknown option ${unknown}; valid options are seed, backendVersion, latencyMs, pageSize, blocksPerRequest, faults`);
  }
  if (!BACKEND_VERSIONS.includes(backendVersion)) {
    throw new RangeError(`backendVersion must be one of ${BACKEND_VERSIONS.join(", ")}, got ${backendVersion}`);
  }
  if (!Number.isInteger(pageSize) || pageSize < 1) throw new RangeError(`pageSize must be a positive integer, got ${pageSize}`);
  if (!Number.isInteger(blocksPerRequest) || blocksPerRequest < 0) {
    throw new RangeError(`blocksPerRequest must be a non-negative integer, got ${blocksPerRequest}`);
  }

  const chain = new Chain(seed);
  const restLists = new RestLists(chain, backendVersion, pageSize);
  const accountModule = new AccountModule(chain, backendVersion, blocksPerRequest);
  const faultInjector = new FaultInjector(faults);

  return {
    addresses: chain.accounts.sampleAddresses,

    async fetch(input, init) {
      const isRequest = typeof input === "object" && "url" in input;
      const request = new Request(isRequest ? input : new URL(input, PLACEHOLDER_ORIGIN), init);
      const { pathname, searchParams } = new URL(request.url);
      const signal = init?.signal ?? (isRequest ? input.signal : request.signal);
      // Chosen before the first `await`, so that concurrent requests draw their faults in the order of the calls.
      const applyFault = faultInjector.drawFault();
      await delay(latencyMs, signal);
      const draft = await applyFault({
        searchParams,
        signal,
        isAccountModule: isAccountModulePath(getApiPath(pathname)),
        delay: (ms) => delay(ms, signal),
        addBlock: () => accountModule.addBlocks(1),
        createDraft: () => createDraft(restLists, accountModule, request),
        serializeBody,
      });
      return createResponse(draft);
    },

    getAllItems(path, query = {}) {
      // Through JSON, as over the wire: the caller gets a copy of its own.
      return JSON.parse(JSON.stringify(restLists.getAllItems(path, new URLSearchParams(query))));
    },

    getAllRows(action, query = {}) {
      return accountModule.getAllRows(action, new URLSearchParams(query));
    },
  };
}

/** Waits; `Infinity` waits for the signal alone. Rejects with the signal's reason as soon as it is aborted, as `fetch` does. */
function delay(ms, signal) {
  return new Promise((resolve, reject) => {
    const onAbort = () => {
      clearTimeout(timer);
      reject(signal.reason ?? new DOMException("This operation was aborted", "AbortError"));
    };
    const onTimeout = () => {
      signal.removeEventListener("abort", onAbort);
      resolve();
    };
    const timer = ms === Infinity ? undefined : setTimeout(onTimeout, ms);
    if (signal.aborted) onAbort();
    else signal.addEventListener("abort", onAbort, { once: true });
  });
}

/** The part of a path after its last `/api`, or "" if there is none. */
const getApiPath = (pathname) => /^.*\/api(\/.*)?$/.exec(pathname)?.[1] ?? "";
const isAccountModulePath = (path) => /^(\/v1)?\/?$/.test(path);

/**
 * Creates the draft of a response: `{ status, headers }` and one of
 *
 * - `page`: a page of a REST list,
 * - `json`: another value to send as JSON,
 * - `body`: a string or stream to send as it is.
 */
async function createDraft(restLists, accountModule, request) {
  const { pathname, search, searchParams } = new URL(request.url);
  if (search.length > MAX_QUERY_LENGTH) {
    return { status: 414, body: "<html><h1>414 Request-URI Too Large</h1></html>", headers: { "content-type": "text/html" } };
  }
  try {
    const path = getApiPath(pathname);
    if (isAccountModulePath(path)) return { status: 200, json: accountModule.handleRequest(await readParameters(request, searchParams)) };
    if (!path.startsWith("/v2")) throw createNotFoundError();
    if (request.method !== "GET") throw createUnknownActionError();
    const showScam = request.headers.get("show-scam-tokens") === "true";
    return { status: 200, page: restLists.getPage(path.slice("/v2".length).replace(/\/$/, ""), searchParams, showScam) };
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    return { status: error.status, json: error.body, headers: error.headers };
  }
}

/** Reads the parameters of an account module request, which may be in its query, in a form or in a JSON body. */
async function readParameters(request, searchParams) {
  const body = request.method === "POST" ? await request.text() : "";
  const isJson = request.headers.get("content-type")?.includes("json");
  return [...searchParams, ...(isJson && body ? Object.entries(JSON.parse(body)) : new URLSearchParams(body))];
}

function createResponse(draft) {
  const { status, headers, omitDefaultHeaders } = draft;
  return new Response(serializeBody(draft), { status, headers: { ...(omitDefaultHeaders ? {} : DEFAULT_HEADERS), ...headers } });
}

/** The body of a draft. Keys of the cursor that are also in `duplicateKeys` occur twice, the second time with that value. */
function serializeBody({ body, page, json, duplicateKeys }) {
  return body ?? (page ? serializePage(page, duplicateKeys) : JSON.stringify(json));
}

/** Serializes a page. Unlike `JSON.stringify`, it writes BigInts in the cursor as numbers and can repeat keys there. */
function serializePage({ next_page_params: cursor, ...envelope }, duplicateKeys = {}) {
  const entries = Object.entries(cursor ?? {}).sort(([a], [b]) => (a < b ? -1 : 1));
  const allEntries = entries.flatMap(([name, value]) => [[name, value], ...(Object.hasOwn(duplicateKeys, name) ? [[name, duplicateKeys[name]]] : [])]);
  const members = allEntries.map(([name, value]) => `${JSON.stringify(name)}:${typeof value === "bigint" ? serializeBigInt(value) : JSON.stringify(value)}`);
  return `${JSON.stringify(envelope).slice(0, -1)},"next_page_params":${cursor && `{${members}}`}}`;
}

/** Writes multiples of 10^18 with an exponent, as version 8 does. */
function serializeBigInt(value) {
  const weiPerEther = 10n ** 18n;
  return value !== 0n && value % weiPerEther === 0n ? `${value / weiPerEther}E+18` : String(value);
}
