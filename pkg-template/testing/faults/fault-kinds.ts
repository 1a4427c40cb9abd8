// The kinds of fault. Each drops, delays or damages a response. The type `FaultKind` documents them.

import type { FaultKind } from "../public-types.js";
import { createRandom, type Random } from "../random.js";
import {
  createFixedError,
  createCdnForbiddenDraft,
  createHtmlDraft,
  createProxyDraft,
  createTooManyRequestsBody,
  type Headers,
  type ResponseDraft,
} from "../responses.js";
import type { Item } from "../rest/serializer.js";

/** What a fault may use of a request and of the service. */
export interface FaultyRequest {
  /** A generator for only this request. */
  readonly random: Random;
  readonly searchParams: URLSearchParams;
  readonly signal: AbortSignal;
  readonly isAccountModule: boolean;
  delay(ms: number): Promise<void>;
  addBlock(): void;
  createDraft(): Promise<ResponseDraft>;
  serializeBody(draft: ResponseDraft): string;
}

type Fault = (request: FaultyRequest) => ResponseDraft | Promise<ResponseDraft>;

const change =
  (changeDraft: (draft: ResponseDraft, request: FaultyRequest) => Partial<ResponseDraft>): Fault =>
  async (request) => {
    const draft = await request.createDraft();
    return { ...draft, ...changeDraft(draft, request) };
  };

/** Creates a fault that changes the records of a list, and adds members to the list. */
const changeRecords = (
  changeItems: (records: readonly Item[], random: Random) => Item[],
  createChange: (draft: ResponseDraft, random: Random) => Partial<ResponseDraft> = () => ({}),
  members: Item = {},
) =>
  change((draft, { random }) => {
    const { page, json } = draft;
    if (page) return { page: { ...page, items: changeItems(page.items, random), ...members } };
    if (!isRecord(json) || !Array.isArray(json.result) || !json.result.every(isRecord)) return createChange(draft, random);
    return { json: { ...json, result: changeItems(json.result, random), ...members } };
  });

/** The error of a broken connection, as `fetch` reports it. */
const createNetworkError = () => new TypeError("fetch failed");

type StreamController = ReadableStreamDefaultController<Uint8Array>;

/** A stream of the first half of a body. `onHalf` is called with the stream's controller when a reader asks for the rest. */
const createHalfStream = (
  body: string,
  onHalf: (controller: StreamController) => Promise<void> | void,
): ReadableStream<Uint8Array> => {
  const bytes = new TextEncoder().encode(body);
  let isSent = false;
  return new ReadableStream<Uint8Array>({
    pull(controller) {
      if (isSent) return onHalf(controller);
      isSent = true;
      controller.enqueue(bytes.subarray(0, Math.ceil(bytes.length / 2)));
    },
  });
};

const createGatewayFault =
  (status: number, title: string): Fault =>
  ({ random }) =>
    random.nextBoolean(0.5)
      ? createHtmlDraft(status, `${status} ${title}`)
      : createProxyDraft(status, "application/json", JSON.stringify({ error: title, source: "upstream" }));

/** A 429 of the service itself. `createHeaders` makes the headers that say how long to wait. */
const createRateLimitFault =
  (createHeaders: (request: FaultyRequest) => Headers): Fault =>
  (request) => ({
    status: 429,
    json: createTooManyRequestsBody(request.isAccountModule),
    omitDefaultHeaders: true,
    headers: { "content-type": "application/json; charset=utf-8", "bypass-429-option": "no_bypass", ...createHeaders(request) },
  });
const createRateLimitHeaders = (reset: number) => ({
  "x-ratelimit-limit": "300",
  "x-ratelimit-remaining": "0",
  "x-ratelimit-reset": String(reset),
});

/** Fields that are open enums: a later version may send new values. */
const OPEN_ENUM_FIELDS = ["type", "token_type", "proxy_type"];

/** Changes a record the way a later version of the service might. */
const addDrift = (record: Item): Item => {
  const unknownValues = OPEN_ENUM_FIELDS.filter((name) => typeof record[name] === "string").map((name) => [
    name,
    `${record[name]}-next`,
  ]);
  return {
    ...record,
    ...Object.fromEntries(unknownValues),
    ...(isRecord(record.token) ? { token: addDrift(record.token) } : {}),
    unknown_field: { items: ["new", null, 1e3] },
  };
};

const isRecord = (value: unknown): value is Item => typeof value === "object" && value !== null;

/** Fields that identify a record, place it, or say what moved. Every kind of record has one of them, and none can be `true`. */
const SPOILED_FIELDS = new Set(
  "account amount balance block_number blockNumber hash height id index items token transaction_hash value".split(" "),
);

const ESSENTIAL_FIELDS = new Set([
  ...SPOILED_FIELDS,
  ..."address address_hash associated_account call_index callType change coin_balance contractAddress contractCreator".split(" "),
  ..."balance_after balance_before block_hash created_contract data date delta ens_info epoch_number from from_address".split(
    " ",
  ),
  ..."internal_transaction_index isError jsonrpc logIndex log_index position pubkey receiver result rewards sender".split(" "),
  ..."status success to token_id token_transfer_index tokenID tokenValue topics total transactionHash transactionIndex".split(
    " ",
  ),
  ..."txHash type validator_index".split(" "),
]);

/** JSON that anyone may have written, or that only one instance sends. */
const HOSTILE_VALUES: readonly unknown[] = [null, {}, [], true, 1.5, -1, "", "<b>text</b>", 1e77, "7".repeat(78)];

/** Gives one field of a record, other than an essential one, a hostile value. It may be a field of an object within the record. */
const addHostileValue = (record: Item, random: Random): Item => {
  const isObject = (value: unknown): value is Item => isRecord(value) && !Array.isArray(value);
  const names = Object.keys(record).filter((name) => isObject(record[name]) || !ESSENTIAL_FIELDS.has(name));
  if (names.length === 0) return record;
  const name = random.pick(names);
  const value = record[name];
  const isInside = isObject(value) && (ESSENTIAL_FIELDS.has(name) || random.nextBoolean(0.5));
  return { ...record, [name]: isInside ? addHostileValue(value, random) : random.pick(HOSTILE_VALUES) };
};
/** Gives one in ten records a hostile value, the same one in every response, as if it were on the chain. */
const addHostileValues = (records: readonly Item[]): Item[] =>
  records.map((record) => {
    const identity = Object.entries(record).filter(([name, value]) => ESSENTIAL_FIELDS.has(name) && typeof value !== "object");
    const random = createRandom("hostile", identity.join());
    return random.nextBoolean(0.1) ? addHostileValue(record, random) : record;
  });

const spoilRecord = (record: Item, random: Random): Item => {
  const names = Object.keys(record).filter((name) => SPOILED_FIELDS.has(name));
  const [firstName = ""] = Object.keys(record);
  return { ...record, [names.length > 0 ? random.pick(names) : firstName]: true };
};
const spoilOne = (records: readonly Item[], random: Random): Item[] => {
  const position = random.nextInt(records.length);
  return records.map((record, i) => (i === position ? spoilRecord(record, random) : record));
};
const spoilValue = (value: unknown, random: Random): unknown => {
  if (Array.isArray(value)) return value.every(isRecord) ? spoilOne(value, random) : value;
  return isRecord(value) ? spoilRecord(value, random) : true;
};
const spoilDraft = ({ json }: ResponseDraft, random: Random) => {
  const hasResult = isRecord(json) && "result" in json;
  return { json: hasResult ? { ...json, result: spoilValue(json.result, random) } : spoilValue(json, random) };
};

/** Parameters that are not part of a cursor, unless the service copies them into it. */
const FILTER_PARAMETERS = new Set(
  "type filter token topic sort order include_zero_value transaction_hash limit key apikey".split(" "),
);

/** Converts a query parameter back to the value that it had in the cursor. */
const parseCursorValue = (string: string | null, isString: boolean) => {
  if (string === null || string === "null") return null;
  return isString || !/^\d+$/.test(string) ? string : BigInt(string);
};

const repeatCursor = ({ page, json, graphqlCursor }: ResponseDraft, { searchParams }: FaultyRequest): Partial<ResponseDraft> => {
  const repeat = (name: string, value: unknown) => (name === "endCursor" ? graphqlCursor : value);
  if (graphqlCursor) return { json: JSON.parse(JSON.stringify(json), repeat) };
  const nextCursor = page?.next_page_params;
  if (!nextCursor) return {};
  const names = [...searchParams.keys()].filter((name) => Object.hasOwn(nextCursor, name) || !FILTER_PARAMETERS.has(name));
  // The first page is requested without a cursor, so there is none to repeat.
  if (names.every((name) => FILTER_PARAMETERS.has(name))) return {};
  const cursor = names.map((name) => [name, parseCursorValue(searchParams.get(name), typeof nextCursor[name] === "string")]);
  return { page: { ...page, next_page_params: Object.fromEntries(cursor) } };
};

export const FAULTS: Readonly<Record<FaultKind, Fault>> = {
  latency: async ({ random, delay, createDraft }) => {
    await delay(10 + random.nextInt(90));
    return createDraft();
  },
  no_response: async ({ delay }) => {
    await delay(Number.POSITIVE_INFINITY);
    throw new Error("a delay without an end ended");
  },
  stalled_body: change((draft, { serializeBody, signal }) => {
    const stall = (controller: StreamController) =>
      new Promise<void>(() => signal.addEventListener("abort", () => controller.error(signal.reason), { once: true }));
    return { body: createHalfStream(serializeBody(draft), stall) };
  }),
  network_error: () => {
    throw createNetworkError();
  },
  rate_limited_reset: createRateLimitFault(({ random }) => createRateLimitHeaders(20 + random.nextInt(80))),
  rate_limited_retry_after: createRateLimitFault(() => ({ "retry-after": "1" })),
  rate_limited_retry_date: createRateLimitFault(() => ({ "retry-after": new Date(Date.now() + 1000).toUTCString() })),
  rate_limited_no_reset: createRateLimitFault(() => createRateLimitHeaders(-1)),
  rate_limited_no_headers: () => createProxyDraft(429, "text/plain", "error code: 1015"),
  internal_server_error: ({ isAccountModule }) => {
    const { status, body } = createFixedError(isAccountModule ? "accountCrash" : "internalServerError");
    return { status, json: body };
  },
  bad_gateway: createGatewayFault(502, "Bad Gateway"),
  service_unavailable: createGatewayFault(503, "Service Unavailable"),
  gateway_timeout: createGatewayFault(504, "Gateway Timeout"),
  html_challenge_page: () => createHtmlDraft(200, "Just a moment..."),
  html_forbidden_page: () => createHtmlDraft(403, "Access denied"),
  cdn_forbidden: ({ random }) => createCdnForbiddenDraft(random),
  truncated_body: change((draft, { random, serializeBody }) => {
    const body = serializeBody(draft);
    return { body: body.slice(0, random.nextInt(body.length)) };
  }),
  null_body: () => ({ status: 200, body: "null" }),
  connection_reset_in_body: change((draft, { serializeBody }) => ({
    body: createHalfStream(serializeBody(draft), (controller) => controller.error(createNetworkError())),
  })),
  duplicate_cursor_keys: change(({ page }, { random, searchParams }) => {
    const next = page?.next_page_params ?? {};
    const first = random.nextBoolean(0.5);
    const parse = (name: string, value: string) => (first ? parseCursorValue(value, typeof next[name] === "string") : value);
    const values = [...searchParams].map(([name, value]) => [name, parse(name, value)]);
    return { duplicateKeys: { values: Object.fromEntries(values), first } };
  }),
  repeated_cursor: change(repeatCursor),
  schema_drift: changeRecords((records) => records.map(addDrift), undefined, { unknown_field: true }),
  wrong_type: changeRecords(spoilOne, spoilDraft),
  hostile_value: changeRecords(addHostileValues),
  new_blocks: ({ addBlock, createDraft }) => {
    addBlock();
    return createDraft();
  },
};
