// The package's error class, and functions that create its errors.
import type { ErrorCode } from "./codes.js";
import type { NameRecord } from "./name-record.js";
import type { ErrorDetails } from "./objects.js";
import { userMessages } from "./user-messages.js";

const BRAND = Symbol.for("address-query.error");

/** The details of an error to create. All are optional. */
export type NewErrorDetails = {
  [Name in keyof ErrorDetails | "retryable" | "candidates" | "reason"]?: AddressQueryError[Name] | undefined;
};

// The declared details are members.
export interface AddressQueryError extends Readonly<ErrorDetails> {}

/** The error of every failure. Recognise it with {@link isAddressQueryError}, and handle it by its `code`. */
// biome-ignore lint/suspicious/noUnsafeDeclarationMerging: the constructor assigns all members
export class AddressQueryError extends Error {
  // `declare` omits the field definitions, which would overwrite the members that `Error` creates.
  declare readonly name: "AddressQueryError";
  /**
   * Whether the same call may succeed later. The client has then used up its own attempts.
   *
   * @remarks
   * True after a lost connection, timeout, rate limit, server failure, truncated body, failed download of the WebAssembly module,
   * or crash of this library. False for every other error, including aborted calls.
   */
  declare readonly retryable: boolean;
  /** Where the code is explained: a section of a file of this package, such as `"address-query/errors.md#timeout"`. */
  declare readonly help: string;
  /**
   * The records that `toArray` collected before it failed. `resumeToken` continues after them.
   *
   * @remarks
   * Not enumerable, so that logs of the error do not contain all records.
   */
  declare readonly partial?: readonly unknown[];
  /** With code `unresolved_name`: the names that match, which may have expired or resolve to other addresses. */
  declare readonly candidates?: readonly NameRecord[];
  /**
   * With code `storage`: why the database failed.
   *
   * - `quota`: The disk is full, or the site has used its share of it.
   * - `unavailable`: There is no database, or the browser denies it, as in some private windows.
   * - `blocked`: Another tab or process prevents that it is opened.
   * - `closed`: It was closed, deleted or changed by another tab meanwhile.
   */
  declare readonly reason?: "quota" | "unavailable" | "blocked" | "closed";
  /** The underlying error or reason: the signal's reason for an aborted call, or why the WebAssembly module could not be loaded. */
  declare readonly cause?: unknown;
  /** The stack of the method call that failed. */
  declare readonly stack?: string;

  private constructor(code: ErrorCode, message: string, details: NewErrorDetails = {}, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause });
    const given = Object.entries(details).filter(([, value]) => value !== undefined);
    const help = `address-query/errors.md#${code}`;
    Object.assign(this, { name: "AddressQueryError", code, help, retryable: false }, Object.fromEntries(given));
  }

  /**
   * Creates an error: for tests of how an app handles errors, and for functions that read with a client and fail like its methods.
   *
   * @example
   * ```ts
   * import { AddressQueryError } from "address-query";
   *
   * const busy = AddressQueryError.create("rate_limited", "status 429", { retryable: true, retryAfterMs: 1_000 });
   * ```
   */
  static create(code: ErrorCode, message: string, details?: NewErrorDetails, cause?: unknown): AddressQueryError {
    return new AddressQueryError(code, message, details, cause);
  }

  /** @internal */
  get [BRAND](): true {
    return true;
  }

  /** A sentence in English for users of an app. To translate it, use `code` as the key. `message` is for developers. */
  get userMessage(): string {
    return userMessages[this.code];
  }

  /** Returns all members except `cause`, `partial`, `stack` and `userMessage`, for logs. `JSON.stringify` calls it. */
  toJSON(): { name: "AddressQueryError"; message: string; code: ErrorCode; retryable: boolean; [detail: string]: unknown } {
    return { ...(this as AddressQueryError), message: this.message };
  }
}

/** Whether a value is an {@link AddressQueryError}, including one of another realm or another copy of this package. */
export function isAddressQueryError(value: unknown): value is AddressQueryError {
  return typeof value === "object" && value !== null && (value as { [BRAND]?: unknown })[BRAND] === true;
}

/**
 * Creates an error for the WebAssembly module, which calls this function.
 * @internal
 */
export function createError(message: string, details: ErrorDetails, retryable: boolean): AddressQueryError {
  return AddressQueryError.create(details.code, message, { ...details, retryable });
}

/**
 * Copies an error for one call, with additional details and the stack of `callSite`: an `Error` created when the method was
 * called. Values other than an `AddressQueryError` are returned unchanged.
 *
 * The copy is needed because calls can share an error. Its stack is replaced, because the stack of an error that arises between
 * requests does not contain the caller.
 * @internal
 */
export function copyErrorForCall(error: unknown, callSite: Error, details?: NewErrorDetails): unknown {
  if (!isAddressQueryError(error)) return error;
  const copy = AddressQueryError.create(error.code, error.message, { ...error, ...details }, error.cause);
  // Only V8 puts the message before the frames. A custom `Error.prepareStackTrace` may return any value.
  const stack = String(callSite.stack).replace(/^Error(?=\n|$)/, () => String(copy));
  Object.defineProperty(copy, "stack", { value: stack, configurable: true, writable: true });
  return copy;
}

/**
 * Creates the error of a call that was aborted by its signal. The `cause` is the signal's reason.
 * @internal
 */
export function createAbortError(signal: AbortSignal | undefined): AddressQueryError {
  return AddressQueryError.create("aborted", "the call was aborted", undefined, signal?.reason);
}

/** @internal */
export function createParameterError(parameter: string, rule: string): AddressQueryError {
  return AddressQueryError.create("invalid_parameter", `${parameter}: ${rule}`, { parameter });
}

/** @internal */
export function createLoadError(reason: string, remedy: string, cause?: unknown, retryable?: boolean): AddressQueryError {
  return AddressQueryError.create(
    "load",
    `the WebAssembly module could not be loaded (${reason}); ${remedy}`,
    { retryable },
    cause,
  );
}

/**
 * Creates the error of a call that ended with a trap of the WebAssembly instance.
 * @internal
 */
export function createCrashError(cause?: unknown): AddressQueryError {
  const message =
    "this library crashed; try again (the next call uses a new WebAssembly instance), and report this error with its cause";
  return AddressQueryError.create("internal", message, { retryable: true }, cause);
}
