import type { DriftKind, ErrorCode, EventKind } from "./codes.js";
import { AccountActions, Endpoints } from "./endpoints.js";
import type { ActionOptions, ClientOptions, RangeOptions } from "./options.js";
import type {
  Erc1155Transfer, Erc20Transfer, Erc404Transfer, Erc721Transfer, NftInstance, TokenHolding, TokenTransfer, TransferTotal,
} from "./records.js";

export type * from "./codes.js";
export type * from "./endpoints.js";
export * from "./keys.js";
export type * from "./options.js";
export type * from "./platform.js";
export type * from "./records.js";

/** The result of an action that returns rows. */
export interface Rows<Row> {
  /** The rows. Empty if the service found nothing. */
  items: Row[];
  /** Whether rows are missing because the service has not processed all blocks yet. */
  incomplete: boolean;
  /** What is missing, as the service words it. Null if nothing is missing. */
  message: string | null;
}

/** An action that returns at most 10,000 rows per request. Its method `all()` reads past that limit. */
export interface RangedAction<Params, Row> {
  (params: Params, options?: ActionOptions): Promise<Rows<Row>>;
  /**
   * Reads every row of a range of blocks, past the limit of 10,000 rows per request. Each row is returned exactly once, in
   * the order of the parameter `sort`.
   *
   * @remarks
   * The range is read in windows of blocks, one after the other. If the service times out on a window, the window is halved.
   *
   * Rows are delivered in whole blocks while a response is still arriving. If the response then breaks off, the rest is
   * requested again. If that fails too, the error's `resumeToken` continues after the delivered rows, and `report.records`
   * counts them.
   *
   * A response with fewer rows than requested may have been cut by a proxy. One further request checks this, unless an earlier
   * response was longer.
   *
   * @example
   * ```ts
   * const range = client.account.txList.all({ address, sort: "asc" });
   * for await (const transaction of range) { … }
   * if (!range.report?.complete) console.warn(range.report?.incompleteBlocks);
   * ```
   */
  all(params: RangeParams<Params>, options?: RangeOptions): RangeCall<Row>;
}

/** Parameters of `all()`: those of the action, without `page`, `offset` and `txhash`. An address or a token is required. */
export type RangeParams<Params> = Omit<Params, "page" | "offset" | "txhash">;

/** The result of `all()`: a range of blocks to iterate over or to collect. Nothing is sent before that. */
export interface RangeCall<Row> extends AsyncIterable<Row> {
  /** Iterates over the rows. `next()` may be called several times at once. `break` and `return()` cancel the request in flight. */
  [Symbol.asyncIterator](): AsyncIterableIterator<Row>;
  /** Iterates over the windows of blocks. Each is delivered when it is complete: an array of at most 10,000 rows. */
  windows(): AsyncIterableIterator<Row[]>;
  /**
   * Collects at most `limit` rows.
   *
   * @throws {AddressQueryError} The rows that were collected before the failure are in its `partial`.
   */
  toArray(options: { limit: number }): Promise<Row[]>;
  /** The progress, and how complete the delivered rows are. Updated with each batch of rows. Null before the first batch. */
  readonly report: RangeReport | null;
  /** Continues after the last batch whose rows were all delivered: pass it as `resume`. Null at the beginning and at the end. */
  readonly resumeToken: string | null;
}

/** How completely a range was read. In a resumed call, it covers only the rows after the token. */
export interface RangeReport {
  /** Whether the whole range was read, with all rows of each block. */
  complete: boolean;
  /** Number of windows of blocks that were read. */
  windows: number;
  /** Number of requests that were sent for them. */
  requests: number;
  /** Number of records that were read. */
  records: number;
  /** The next block to read. Null at the end of the range. */
  nextBlock: number | null;
  /**
   * The most records that the service, or a proxy, returns in one response, if that is below the requested 10,000. Null if no
   * such limit was found. All records are read in both cases.
   */
  responseLimit: number | null;
  /** Blocks with more rows than the service returns, and the number of rows that were read. */
  incompleteBlocks: { block: number; records: number; reason: string }[];
  /** Ranges of blocks that the service has not processed completely yet, with the service's message. */
  unprocessed: { first: number; last: number; message: string }[];
  /** Blocks that changed while they were read, because the chain was reorganised. */
  changedBlocks: number[];
}

/** A token standard to filter by. */
export type TokenStandardFilter = "ERC-20" | "ERC-721" | "ERC-1155" | "ERC-404" | "ERC-7984" | "ZRC-2";

/** A page of a list: plain data that works with `structuredClone` and `JSON.stringify`. */
export type Page<Item, Cursor, Envelope = unknown> = Envelope & {
  /** The records. May be empty even if further pages follow. */
  items: Item[];
  /** The service's cursor, for information. Null on the last page, and if the cursor is invalid. */
  next_page_params: Cursor | null;
  /**
   * Continues after this page, also in another session: pass it as `resume`. Null on the last page.
   *
   * @remarks
   * The token is also present if the cursor is invalid. Reading the next page then rejects with code `cursor`, until the service
   * sends a valid cursor.
   */
  resumeToken: string | null;
};

/**
 * The result of a list method: a `Promise` of the first page that can also be iterated and collected.
 *
 * @remarks
 * Nothing is sent before you await, iterate or collect it. `then`, `catch` and `finally` count as awaiting.
 *
 * Each iteration and each call of `toArray` starts from the beginning, or after the token `resume`.
 *
 * @example
 * ```ts
 * const call = client.addressTokenTransfers({ address_hash });
 * const page = await call;                                  // the first page
 * for await (const transfer of call) { … }                  // every record; `break` cancels the request in flight
 * for await (const page of call.pages()) { … }              // every page
 * const newest = await call.toArray({ limit: 200 });        // at most 200 records
 * ```
 */
export interface ListCall<Item, Cursor, Envelope = unknown>
  extends Promise<Page<Item, Cursor, Envelope>>, AsyncIterable<Item> {
  /** Iterates over the pages. `next()` may be called several times at once. `break` and `return()` cancel the request in flight. */
  pages(): AsyncIterableIterator<Page<Item, Cursor, Envelope>>;
  /**
   * Iterates over the records of all pages. `next()` may be called several times at once. `break` and `return()` cancel the
   * request in flight.
   */
  [Symbol.asyncIterator](): AsyncIterableIterator<Item>;
  /**
   * Collects at most `limit` records.
   *
   * @throws {AddressQueryError} The records that were collected before the failure are in its `partial`.
   */
  toArray(options: { limit: number }): Promise<Item[]>;
  /**
   * Continues after the last page whose records were all delivered: pass it as `resume`. The records of an interrupted page
   * are returned again. Null at the beginning and at the end.
   */
  readonly resumeToken: string | null;
}

/** A difference between a response and the documentation of the service. */
export interface Drift {
  /** The kind of difference. */
  kind: DriftKind;
  /** The type of the record: `TokenTransfer`. */
  record: string;
  /** The name of the field. */
  field: string;
  /** What was found: a short, printable excerpt. */
  found: string;
}

/** An event of a client, for logs and metrics. */
export interface ClientEvent {
  /** The kind of event. */
  kind: EventKind;
  /** The URL, without the API key. */
  url: string;
  /** The number of the attempt, from 1. */
  attempt: number;
  /** A duration in milliseconds. {@link EventKind} says which. */
  ms?: number;
  /** HTTP status of the response. 0 if the browser hides it, as for a redirect that is not followed. */
  status?: number;
  /** Why the attempt failed. */
  code?: ErrorCode;
}

/** A record that failed validation and was omitted (option `badRecords: "skip"`). */
export interface BadRecord {
  /** The path of the invalid value: `items[3].token.decimals`. */
  path: string;
  /** What the documentation specifies. */
  expected: string;
  /** What was found: a short, printable excerpt. */
  found: string;
  /** The record's JSON, as the service sent it. Untrusted. */
  raw: string;
}

/**
 * A client of one Blockscout instance.
 *
 * @remarks
 * Creating a client sends nothing. The first call loads the WebAssembly module.
 *
 * @example
 * ```ts
 * const client = new AddressClient({ baseUrl: "https://eth.blockscout.com" });
 * const page = await client.addressLogs({ address_hash: "0x00000000219ab540356cBB839Cbe05303d7705Fa" });
 * ```
 */
export declare class AddressClient extends Endpoints {
  /**
   * Creates a client. The first call validates the contents of `baseUrl` and `apiKey`, and rejects if they are invalid.
   *
   * @throws {AddressQueryError} `invalid_parameter` for an option that is unknown, missing or of a wrong type.
   */
  constructor(options: ClientOptions);
  /** The account module: balances, and transactions and transfers past 10,000 records. */
  readonly account: AccountActions;
}

/** The error of every failure. Recognise it with {@link isAddressQueryError}, and handle it by its `code`. */
export declare class AddressQueryError extends Error {
  private constructor();
  readonly name: "AddressQueryError";
  /** The kind of failure. */
  readonly code: ErrorCode;
  /** HTTP status of the response. 0 if the browser hides it, as for a redirect that is not followed. */
  readonly status?: number;
  /** How long the service asks to wait before the next request, in milliseconds. */
  readonly retryAfterMs?: number;
  /** The path of the invalid value in the response: `items[3].token.decimals`. */
  readonly path?: string;
  /** The name of the invalid parameter or option. */
  readonly parameter?: string;
  /** The URL of the request, without secrets. */
  readonly url?: string;
  /** How many times the request was sent. */
  readonly attempts?: number;
  /**
   * Whether the same call may succeed later. The client has then used up its own attempts.
   *
   * @remarks
   * True after a lost connection, timeout, rate limit, server failure, truncated body, failed download of the WebAssembly module,
   * or crash of this library. False for every other error, including aborted calls.
   */
  readonly retryable: boolean;
  /** Continues after the last page whose records were all delivered: pass it as `resume`. Missing if no page was delivered. */
  readonly resumeToken?: string;
  /**
   * The records that `toArray` collected before it failed. `resumeToken` continues after them.
   *
   * @remarks
   * Not enumerable, so that logs of the error do not contain all records.
   */
  readonly partial?: readonly unknown[];
  /** The underlying error or reason: the signal's reason for an aborted call, or why the WebAssembly module could not be loaded. */
  readonly cause?: unknown;
  /** The stack of the method call that failed. */
  readonly stack?: string;
  /** Returns all members except `cause`, `partial` and `stack`, for logs. `JSON.stringify` calls it. */
  toJSON(): { name: "AddressQueryError"; message: string; code: ErrorCode; retryable: boolean; [detail: string]: unknown };
}

/** Whether a value is an {@link AddressQueryError}, including one of another realm or another copy of this package. */
export declare function isAddressQueryError(value: unknown): value is AddressQueryError;

/**
 * Formats an amount in base units as a decimal string. Exact at any size.
 *
 * @example
 * ```ts
 * formatUnits("1500000000000000000", 18); // "1.5"
 * if (transfer.total?.value) formatUnits(transfer.total.value, transfer.total.decimals);
 * ```
 * @param value Integer in base units.
 * @param decimals Number of decimals, from 0 to 255. Null, which most NFTs have, means 0.
 * @throws {AddressQueryError} `invalid_parameter` if an argument is invalid.
 */
export declare function formatUnits(value: string | bigint, decimals: number | string | null): string;

/** A record that contains a token amount: a transfer, its total, or a holding. */
export type AmountRecord =
  | TokenTransfer | TransferTotal | NftInstance | TokenHolding | Erc20Transfer | Erc721Transfer | Erc1155Transfer | Erc404Transfer;

/**
 * Formats the amount of a record, or a value in base units, as a decimal string for display. Never throws, whatever decimals
 * a token contract declares. {@link formatUnits} is the strict form.
 *
 * @remarks
 * - The decimals are those of the record, else those of its token, else those of `token`.
 * - If the decimals are missing, null, or not an integer from 0 to 255, the result is the integer in base units.
 * - A transfer of a single NFT, which has an id and no value, is `"1"`.
 * - A value that is missing (as for an encrypted transfer) or not an integer is `""`.
 * - The result has no symbol and no digit grouping. The display factor `ui_multiplier` (ERC-8056) is not applied.
 *
 * @example
 * ```ts
 * formatAmount(transfer); // "1.5"
 * formatAmount("1500000", { decimals: "6" }); // "1.5"
 * formatAmount("1500000", { decimals: "-1" }); // "1500000"
 * ```
 */
export declare function formatAmount(
  amount: AmountRecord | string | bigint | null | undefined,
  token?: { decimals?: number | string | null | undefined } | null,
): string;

/**
 * Parses a decimal string to an amount in base units. Exact at any size.
 *
 * @example
 * ```ts
 * parseUnits("1.5", 18); // 1500000000000000000n
 * ```
 * @param value Decimal number without exponent, with at most `decimals` digits after the decimal point.
 * @param decimals Number of decimals, from 0 to 255. Null means 0.
 * @throws {AddressQueryError} `invalid_parameter` if an argument is invalid.
 */
export declare function parseUnits(value: string, decimals: number | string | null): bigint;
