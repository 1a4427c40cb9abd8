// The one error class, and how to recognise it.

const BRAND = Symbol.for("address-query.error");

export class AddressQueryError extends Error {
  constructor(code, message, details, cause) {
    super(message, cause === undefined ? undefined : { cause });
    this.name = "AddressQueryError";
    this.code = code;
    this.retryable = false;
    Object.assign(this, known(details));
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

/** The members that are not `undefined`. */
export function known(members = {}) {
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined));
}

/** Called by the module. */
export function fromDetails(code, message, status, retryAfterMs, path, parameter, url, attempts, retryable) {
  return new AddressQueryError(code, message, { status, retryAfterMs, path, parameter, url, attempts, retryable });
}

/**
 * A copy of an error for one call, with more details and the stack of `callSite`, an `Error` made when the method was called.
 * Calls can share an error, and an error that arises between requests has no stack that leads to the caller.
 * Other values that were thrown are returned as they are.
 */
export function errorOfCall(error, callSite, details) {
  if (!isAddressQueryError(error)) return error;
  const own = new AddressQueryError(error.code, error.message, { ...error, ...details }, error.cause);
  // Engines other than V8 put no message before the frames. A custom `Error.prepareStackTrace` may return any value.
  const stack = String(callSite.stack).replace(/^Error(?=\n|$)/, () => String(own));
  Object.defineProperty(own, "stack", { value: stack, configurable: true, writable: true });
  return own;
}

/** The error of a call that its signal ended; `cause` is the signal's reason. */
export function aborted(signal) {
  return new AddressQueryError("aborted", "the call was aborted", undefined, signal?.reason);
}

export function invalidParameter(parameter, rule) {
  return new AddressQueryError("invalid_parameter", `${parameter}: ${rule}`, { parameter });
}

export function notLoaded(reason, remedy, cause, retryable) {
  return new AddressQueryError("load", `the WebAssembly module could not be loaded (${reason}); ${remedy}`, { retryable }, cause);
}
