// Fault injection: drops, delays and damages responses, in a reproducible random order. index.d.ts documents every kind.

import { createAccountCrashError, createAccountError, createInternalServerError, TOO_MANY_REQUESTS } from "./errors.js";
import { createRandom } from "./random.js";

/** The error of a broken connection, as `fetch` reports it. */
export class NetworkError extends TypeError {
  constructor() {
    super("fetch failed");
  }
}

/** A stream of the first half of a body. `onHalf` is called with the stream's controller when a reader asks for the rest. */
const createHalfStream = (body, onHalf) => {
  const bytes = new TextEncoder().encode(body);
  let isSent = false;
  return new ReadableStream({
    pull(controller) {
      if (isSent) return onHalf(controller);
      isSent = true;
      controller.enqueue(bytes.subarray(0, Math.ceil(bytes.length / 2)));
    },
  });
};

/** A response of a proxy or firewall in front of the service, which does not send the service's headers. */
const createProxyDraft = (status, contentType, body) => ({ status, body, omitDefaultHeaders: true, headers: { "content-type": contentType } });

const createHtmlDraft = (status, title) =>
  createProxyDraft(status, "text/html", `<!DOCTYPE html><html><head><title>${title}</title></head><body><h1>${title}</h1></body></html>`);

const createGatewayFault = (status, title) => ({ random }) =>
  random.nextBoolean(0.5)
    ? createHtmlDraft(status, `${status} ${title}`)
    : createProxyDraft(status, "application/json", JSON.stringify({ error: title, source: "upstream" }));

/** A 429 of the service itself. `createHeaders` makes the headers that say how long to wait. */
const createRateLimitFault = (createHeaders) => (request) => ({
  status: 429,
  json: request.isAccountModule ? createAccountError(TOO_MANY_REQUESTS).body : { message: TOO_MANY_REQUESTS },
  omitDefaultHeaders: true,
  headers: { "content-type": "application/json; charset=utf-8", "bypass-429-option": "no_bypass", ...createHeaders(request) },
});
const createRateLimitHeaders = (reset) => ({ "x-ratelimit-limit": "300", "x-ratelimit-remaining": "0", "x-ratelimit-reset": String(reset) });

/** Fields that are open enums: a later version may send new values. */
const OPEN_ENUM_FIELDS = ["type", "token_type", "proxy_type"];

/** Changes a record the way a later version of the service might. */
const addDrift = (record) => ({
  ...record,
  ...Object.fromEntries(OPEN_ENUM_FIELDS.filter((name) => typeof record[name] === "string").map((name) => [name, `${record[name]}-next`])),
  ...(record.token && { token: addDrift(record.token) }),
  unknown_field: { items: ["new", null, 1e3] },
});

/** Parameters that are not part of a cursor, unless the service copies them into it. */
const FILTER_PARAMETERS = new Set(["type", "filter", "token", "topic", "sort", "order", "include_zero_value", "key", "apikey"]);

/** Converts a query parameter back to the value that it had in the cursor. */
const parseCursorValue = (string, isString) => {
  if (string === "null") return null;
  return isString || !/^\d+$/.test(string) ? string : BigInt(string);
};

/**
 * A function per kind of fault that returns the draft of a response (see index.js). Each is called with the request:
 *
 * - `random`: a generator for this request alone,
 * - `searchParams`, `signal` and `isAccountModule` of the request,
 * - `delay(ms)`, `addBlock()`,
 * - `createDraft()`: the response without a fault; `serializeBody(draft)`: its body as a string.
 */
const FAULTS = {
  latency: async ({ random, delay, createDraft }) => {
    await delay(10 + random.nextInt(90));
    return createDraft();
  },
  no_response: ({ delay }) => delay(Infinity),
  stalled_body: async ({ createDraft, serializeBody, signal }) => {
    const draft = await createDraft();
    const stall = (controller) => new Promise(() => signal.addEventListener("abort", () => controller.error(signal.reason), { once: true }));
    return { ...draft, body: createHalfStream(serializeBody(draft), stall) };
  },
  network_error: () => {
    throw new NetworkError();
  },
  rate_limited_reset: createRateLimitFault(({ random }) => createRateLimitHeaders(20 + random.nextInt(80))),
  rate_limited_retry_after: createRateLimitFault(() => ({ "retry-after": "1" })),
  rate_limited_retry_date: createRateLimitFault(() => ({ "retry-after": new Date(Date.now() + 1000).toUTCString() })),
  rate_limited_no_reset: createRateLimitFault(() => createRateLimitHeaders(-1)),
  rate_limited_no_headers: () => createProxyDraft(429, "text/plain", "error code: 1015"),
  internal_server_error: ({ isAccountModule }) => {
    const { status, body } = isAccountModule ? createAccountCrashError() : createInternalServerError();
    return { status, json: body };
  },
  bad_gateway: createGatewayFault(502, "Bad Gateway"),
  service_unavailable: createGatewayFault(503, "Service Unavailable"),
  gateway_timeout: createGatewayFault(504, "Gateway Timeout"),
  html_challenge_page: () => createHtmlDraft(200, "Just a moment..."),
  html_forbidden_page: () => createHtmlDraft(403, "Access denied"),
  truncated_body: async ({ random, createDraft, serializeBody }) => {
    const draft = await createDraft();
    const body = serializeBody(draft);
    return { ...draft, body: body.slice(0, random.nextInt(body.length)) };
  },
  null_body: async () => ({ status: 200, body: "null" }),
  connection_reset_in_body: async ({ createDraft, serializeBody }) => {
    const draft = await createDraft();
    return { ...draft, body: createHalfStream(serializeBody(draft), (controller) => controller.error(new NetworkError())) };
  },
  duplicate_cursor_keys: async ({ createDraft, searchParams }) => ({ ...(await createDraft()), duplicateKeys: Object.fromEntries(searchParams) }),
  repeated_cursor: async ({ createDraft, searchParams }) => {
    const draft = await createDraft();
    const nextCursor = draft.page?.next_page_params;
    const names = [...searchParams.keys()].filter((name) => nextCursor && (Object.hasOwn(nextCursor, name) || !FILTER_PARAMETERS.has(name)));
    // The first page is requested without a cursor, so there is none to repeat.
    if (names.every((name) => FILTER_PARAMETERS.has(name))) return draft;
    const cursor = names.map((name) => [name, parseCursorValue(searchParams.get(name), typeof nextCursor[name] === "string")]);
    return { ...draft, page: { ...draft.page, next_page_params: Object.fromEntries(cursor) } };
  },
  schema_drift: async ({ createDraft }) => {
    const { page, json, ...draft } = await createDraft();
    if (page) return { ...draft, page: { ...page, items: page.items.map(addDrift), unknown_field: true } };
    const hasRows = Array.isArray(json?.result) && json.result.every((row) => typeof row === "object");
    return { ...draft, json: hasRows ? { ...json, result: json.result.map(addDrift), unknown_field: true } : json };
  },
  new_blocks: ({ addBlock, createDraft }) => {
    addBlock();
    return createDraft();
  },
};

/** The kinds of fault that a client can recover from by retrying. A 403 is final. */
export const RECOVERABLE_KINDS = Object.keys(FAULTS).filter((kind) => kind !== "html_forbidden_page");

/** Draws the faults of one service. With the same options, the n-th request always gets the same fault. */
export class FaultInjector {
  #seed;
  #rate;
  #kinds;
  #requestCount = 0;

  constructor({ seed = 1, rate = 0.3, kinds = RECOVERABLE_KINDS, ...rest }) {
    const [unknownOption] = Object.keys(rest);
    if (unknownOption !== undefined) throw new RangeError(`unknown option faults.${unknownOption}; valid options are seed, rate, kinds`);
    if (typeof rate !== "number" || !(rate >= 0 && rate <= 1)) throw new RangeError(`faults.rate must be a number from 0 to 1, got ${rate}`);
    if (!Array.isArray(kinds) || kinds.length === 0) throw new RangeError("faults.kinds must be a non-empty array");
    const unknownKind = kinds.find((kind) => !Object.hasOwn(FAULTS, kind));
    if (unknownKind !== undefined) {
      throw new RangeError(`unknown kind in faults.kinds: ${unknownKind}; valid kinds are ${Object.keys(FAULTS).join(", ")}`);
    }
    this.#seed = seed;
    this.#rate = rate;
    this.#kinds = [...kinds];
  }

  /** Draws the fault of the next request: a function from the request to the draft of its response. */
  drawFault() {
    const random = createRandom("fault", this.#seed, this.#requestCount++);
    if (!random.nextBoolean(this.#rate)) return (request) => request.createDraft();
    const createFault = FAULTS[random.pick(this.#kinds)];
    return (request) => createFault({ ...request, random });
  }
}
