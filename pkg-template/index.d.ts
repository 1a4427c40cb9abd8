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

/** What an action with rows answers. */
export interface Rows<Row> {
  /** The rows; none where the service found nothing. */
  items: Row[];
  /** Whether the service has not processed all of them yet. */
  incomplete: boolean;
  /** What is missing, in the service's words. Null: nothing. */
  message: string | null;
}

/** An action that answers at most 10,000 rows at once, and all of them with `all()`. */
export interface RangedAction<Params, Row> {
  (params: Params, options?: ActionOptions): Promise<Rows<Row>>;
  /**
   * Every row of a range of blocks, past the 10,000 that one request reaches: each exactly once, in the order that `sort`
   * asks for. Windows of blocks are read one after the other; one that the service is too slow for is halved after a
   * pause. A response that is shorter than asked for may have been cut off; where no longer one was seen before, one further
   * request settles that. Rows of a window are given out while it arrives, whole blocks at a time and one batch ahead of you at most: before the end of its answer was seen. A late error says what was given
   * out: `report.records` counts it, and the `resumeToken` goes on behind it.
   *
   * @example
   * ```ts
   * const reading = client.account.txList.all({ address, sort: "asc" });
   * for await (const transaction of reading) { … }
   * if (!reading.report?.complete) console.warn(reading.report?.incompleteBlocks);
   * ```
   */
  all(params: RangeParams<Params>, options?: RangeOptions): RangeCall<Row>;
}

/** Parameters of `all()`: those of the action, but for what chooses a page or a transaction. An address or token is required. */
export type RangeParams<Params> = Omit<Params, "page" | "offset" | "txhash">;

/** A range that is read whole. Nothing is sent before it is iterated or collected. */
export interface RangeCall<Row> extends AsyncIterable<Row> {
  /** Iterates over the rows. Several `next()` calls may be under way; `return()` ends the fetch at once. */
  [Symbol.asyncIterator](): AsyncIterableIterator<Row>;
  /** Iterates over the windows, each when all of it is there: lists of up to 10,000 rows. */
  windows(): AsyncIterableIterator<Row[]>;
  /** Collects rows, at most `limit` of them. */
  toArray(options: { limit: number }): Promise<Row[]>;
  /** How far the reading has come, batch by batch, and how completely. Null: it has not begun. */
  readonly report: RangeReport | null;
  /** Goes on after the last batch whose rows were all given out. Null: at the beginning and at the end. */
  readonly resumeToken: string | null;
}

/** How completely a range was read; after a resume, the part that was read since. */
export interface RangeReport {
  /** Whether the whole range was read, and every block of it completely. */
  complete: boolean;
  /** Windows of blocks that were read. */
  windows: number;
  /** Requests that were sent for them. */
  requests: number;
  /** Records that were read. */
  records: number;
  /** The next block to be read. Null: the end was reached. */
  nextBlock: number | null;
  /**
   * The most records that the service, or a proxy before it, gives in one response, where that is fewer than the 10,000 it is
   * asked for. Null: no such limit was met. All records are read in both cases.
   */
  responseLimit: number | null;
  /** Blocks with more rows than the service gives out, and how many were read. */
  incompleteBlocks: { block: number; records: number; reason: string }[];
  /** Ranges of blocks that the service has not processed completely yet, in its words. */
  unprocessed: { first: number; last: number; message: string }[];
  /** Blocks that changed while they were read: a reorganisation. */
  changedBlocks: number[];
}

/** A token standard to filter by. */
export type TokenStandardFilter = "ERC-20" | "ERC-721" | "ERC-1155" | "ERC-404" | "ERC-7984" | "ZRC-2";

/** A page of a list: plain data, fit for `structuredClone` and `JSON.stringify`. */
export type Page<Item, Cursor, Envelope = unknown> = Envelope & {
  /** The records. May be empty in the middle of a list. */
  items: Item[];
  /** The service's cursor, for information. Null: this is the last page, or the cursor cannot be read. */
  next_page_params: Cursor | null;
  /**
   * Continues behind this page, also in another session: pass it as `resume`. Null: this is the last page. If the cursor
   * cannot be read, the token is there too: the page behind it rejects with code `cursor` until the service sends a
   * readable cursor.
   */
  resumeToken: string | null;
};

/**
 * The result of a list method: a `Promise` of the first page that can also be iterated and collected. Nothing is sent before
 * it is awaited, iterated or collected; `then`, `catch` and `finally` count as awaiting.
 *
 * @example
 * ```ts
 * const call = client.addressTokenTransfers({ address_hash });
 * const page = await call;                                  // the first page
 * for await (const transfer of call) { … }                  // every record; `break` ends the fetch under way
 * for await (const page of call.pages()) { … }              // every page
 * const newest = await call.toArray({ limit: 200 });        // at most so many records
 * ```
 */
export interface ListCall<Item, Cursor, Envelope = unknown>
  extends Promise<Page<Item, Cursor, Envelope>>, AsyncIterable<Item> {
  /** Iterates over the pages. Several `next()` calls may be under way; `return()` ends the fetch at once. */
  pages(): AsyncIterableIterator<Page<Item, Cursor, Envelope>>;
  /** Iterates over the records of all pages. Several `next()` calls may be under way; `return()` ends the fetch at once. */
  [Symbol.asyncIterator](): AsyncIterableIterator<Item>;
  /** Collects records, at most `limit` of them. */
  toArray(options: { limit: number }): Promise<Item[]>;
  /**
   * Goes on after the last page whose records were all given out; records of a page that was broken off come again.
   * Null: at the beginning and at the end.
   */
  readonly resumeToken: string | null;
}

/** A difference between answers and their documentation. */
export interface Drift {
  /** What is different. */
  kind: DriftKind;
  /** The record it was seen in: `TokenTransfer`. */
  record: string;
  /** The field. */
  field: string;
  /** What was found: a short, printable excerpt. */
  found: string;
}

/** Something the client does. */
export interface ClientEvent {
  /** What it does. */
  kind: EventKind;
  /** The URL, without the API key. */
  url: string;
  /** Which attempt it is, from 1. */
  attempt: number;
  /** A time in milliseconds, as the kind says. */
  ms?: number;
  /** HTTP status of the answer; 0 where the browser hides it, as it does for a redirect that is not followed. */
  status?: number;
  /** Why the attempt failed. */
  code?: ErrorCode;
}

/** A record that was left out. */
export interface BadRecord {
  /** The place that does not fit: `items[3].token.decimals`. */
  path: string;
  /** What the documentation asks for. */
  expected: string;
  /** What was found: a short, printable excerpt. */
  found: string;
  /** The record's JSON, as the service sent it. Hostile text. */
  raw: string;
}

/**
 * Reads one instance of the service. Creating a client sends nothing and loads nothing; the WebAssembly module is loaded
 * with the first call.
 *
 * @example
 * ```ts
 * const client = new AddressClient({ baseUrl: "https://eth.blockscout.com" });
 * const page = await client.addressLogs({ address_hash: "0x00000000219ab540356cBB839Cbe05303d7705Fa" });
 * ```
 */
export declare class AddressClient extends Endpoints {
  /**
   * @throws {AddressQueryError} `invalid_parameter` for an option that is unknown, missing or has a wrong type. What is in
   * `baseUrl` and `apiKey` is checked with the first call, which rejects.
   */
  constructor(options: ClientOptions);
  /** The module/action interface: balances, and transactions and transfers past 10,000 records. */
  readonly account: AccountActions;
}

/** Whatever goes wrong. Recognise it with {@link isAddressQueryError}, act on `code`. */
export declare class AddressQueryError extends Error {
  private constructor();
  readonly name: "AddressQueryError";
  /** What kind of failure it is. */
  readonly code: ErrorCode;
  /** HTTP status of the answer; 0 where the browser hides it, as it does for a redirect that is not followed. */
  readonly status?: number;
  /** How long the service asked to wait, in milliseconds. */
  readonly retryAfterMs?: number;
  /** The place in the answer that does not fit: `items[3].token.decimals`. */
  readonly path?: string;
  /** The parameter or option that is wrong. */
  readonly parameter?: string;
  /** The URL that was asked, without secrets. */
  readonly url?: string;
  /** How many times the request was sent. */
  readonly attempts?: number;
  /**
   * Whether the same call may succeed later: after a lost connection, a timeout, too many requests, a failure of the server,
   * a damaged body, a crash of this library, or a module that could not be fetched. The client's own attempts are used up by
   * then. False for every other error, for an aborted call too.
   */
  readonly retryable: boolean;
  /**
   * Goes on after the last page whose records were all given out: pass it as `resume`. Not there at the beginning, where
   * there is no page before.
   */
  readonly resumeToken?: string;
  /**
   * The records that `toArray` had collected when it failed; `resumeToken` continues behind them. Only there when `toArray`
   * failed. Not enumerable, so that it does not get into logs.
   */
  readonly partial?: readonly unknown[];
  /** What led to it: the reason of the signal that ended the call, the failure to load the module. */
  readonly cause?: unknown;
  /** The stack of the method call that failed, not of the place in this library where the error arose. */
  readonly stack?: string;
  /** All members but `cause`, `partial` and `stack`, for logs. Called by `JSON.stringify`. */
  toJSON(): { name: "AddressQueryError"; message: string; code: ErrorCode; retryable: boolean; [detail: string]: unknown };
}

/** Whether a value is an {@link AddressQueryError}, also one of another realm or copy of this package. */
export declare function isAddressQueryError(value: unknown): value is AddressQueryError;

/**
 * An amount in base units as decimal text, exactly.
 *
 * @example
 * ```ts
 * formatUnits("1500000000000000000", 18); // "1.5"
 * if (transfer.total?.value) formatUnits(transfer.total.value, transfer.total.decimals);
 * ```
 * @param value Integer in base units.
 * @param decimals Digits after the decimal point, 0 to 255; null, as of most NFTs, is 0.
 * @throws {AddressQueryError} `invalid_parameter`
 */
export declare function formatUnits(value: string | bigint, decimals: number | string | null): string;

/** A record that holds an amount of a token: a transfer, what it transferred, or a holding. */
export type AmountRecord =
  | TokenTransfer | TransferTotal | NftInstance | TokenHolding | Erc20Transfer | Erc721Transfer | Erc1155Transfer | Erc404Transfer;

/**
 * The amount of a record, or of a value in base units, as a decimal string for display. Never throws, whatever a token's
 * contract claims about itself. {@link formatUnits} is the strict form.
 *
 * - Decimals are those of the record, then those of its token, then those of `token`. A record without any is shown as it is.
 * - Decimals that are null, or not a whole number from 0 to 255: the integer in base units.
 * - A transfer of a single NFT, which has an id and no value: `"1"`.
 * - No value, as of an encrypted transfer, or one that is not an integer: `""`.
 *
 * The string has neither symbol nor digit grouping, and the display factor `ui_multiplier` (ERC-8056) is not applied.
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
 * Decimal text as an amount in base units, exactly.
 *
 * @example
 * ```ts
 * parseUnits("1.5", 18); // 1500000000000000000n
 * ```
 * @param text Decimal number without exponent; no more digits after the point than `decimals`.
 * @param decimals Digits after the decimal point, 0 to 255; null is 0.
 * @throws {AddressQueryError} `invalid_parameter`
 */
export declare function parseUnits(text: string, decimals: number | string | null): bigint;
