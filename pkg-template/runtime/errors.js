// The package's error class, and functions that create its errors.

const BRAND = Symbol.for("address-query.error");

export class AddressQueryError extends Error {
  constructor(code, message, details, cause) {
    super(message, cause === undefined ? undefined : { cause });
    this.name = "AddressQueryError";
    this.code = code;
    this.retryable = false;
    Object.assign(this, omitUndefined(details));
  }

  get [BRAND]() {
    return true;
  }

  toJSON() {
    return { ...this, message: this.message };
  }
}

export function isAddressQueryError(value) {
  return typeof value === "object" && value !== null && value[BRAND] === true;
}

/** Returns a copy of an object without the members that are `undefined`. */
export function omitUndefined(members = {}) {
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined));
}

/** Creates an error for the WebAssembly module, which calls this function. */
export function createError(code, message, status, retryAfterMs, path, parameter, url, attempts, retryable) {
  return new AddressQueryError(code, message, { status, retryAfterMs, path, parameter, url, attempts, retryable });
}

/**
 * Copies an error for one call, with additional details and the stack of `callSite`: an `Error` created when the method was
 * called. Values other than an `AddressQueryError` are returned unchanged.
 *
 * The copy is needed because calls can share an error. Its stack is replaced, because the stack of an error that arises between
 * requests does not contain the caller.
 */
export function copyErrorForCall(error, callSite, details) {
  if (!isAddressQueryError(error)) return error;
  const copy = new AddressQueryError(error.code, error.message, { ...error, ...details }, error.cause);
  // Only V8 puts the message before the frames. A custom `Error.prepareStackTrace` may return any value.
  const stack = String(callSite.stack).replace(/^Error(?=\n|$)/, () => String(copy));
  Object.defineProperty(copy, "stack", { value: stack, configurable: true, writable: true });
  return copy;
}

/** Creates the error of a call that its signal aborted. The `cause` is the signal's reason. */
export function createAbortError(signal) {
  return new AddressQueryError("aborted", "the call was aborted", undefined, signal?.reason);
}

export function createParameterError(parameter, rule) {
  return new AddressQueryError("invalid_parameter", `${parameter}: ${rule}`, { parameter });
}

export function createLoadError(reason, remedy, cause, retryable) {
  return new AddressQueryError("load", `the WebAssembly module could not be loaded (${reason}); ${remedy}`, { retryable }, cause);
}
