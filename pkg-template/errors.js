// The one error class, and how to recognise it.

const BRAND = Symbol.for("address-query.error");

export class AddressQueryError extends Error {
  constructor(code, message, details, cause) {
    super(message, cause === undefined ? undefined : { cause });
    this.name = "AddressQueryError";
    this.code = code;
    Object.assign(this, known(details));
  }

  get [BRAND]() {
    return true;
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
export function fromDetails(code, message, status, retryAfterMs, path, parameter, url, attempts) {
  return new AddressQueryError(code, message, { status, retryAfterMs, path, parameter, url, attempts });
}

/** The error of a call that its signal ended; the signal's reason is given back as it is. */
export function aborted(signal, resumeToken) {
  return new AddressQueryError("aborted", "the call was aborted", { resumeToken }, signal?.reason);
}

export function invalidParameter(parameter, rule) {
  return new AddressQueryError("invalid_parameter", `${parameter}: ${rule}`, { parameter });
}

export function notLoaded(reason, remedy, cause) {
  return new AddressQueryError("load", `the WebAssembly module could not be loaded (${reason}); ${remedy}`, undefined, cause);
}
