// The connection of a client to the WebAssembly instance. The first call opens it, and so does the next call after a crash.
import { createAbortError } from "./errors.js";
import { copyPlainObject } from "./iteration.js";
import { clientOptions } from "./option-table.js";
import { checkOptions } from "./options.js";
import { createWeakCallback } from "./weak-callback.js";

export class Session {
  #loader;
  #options;
  #instance;
  /** The client's session object within `#instance`. */
  #wasmSession;

  constructor(options, loader) {
    this.#loader = loader;
    // A copy, so that later changes of the caller's object have no effect.
    this.#options = copyPlainObject(options, "options");
    checkOptions(this.#options, clientOptions);
  }

  /** Opens a list. Returns a promise of its `CallHandle`. */
  openList(name, params, options, signal) {
    return this.#openCall(false, name, params, options, signal);
  }

  /** Opens a range of blocks. Returns a promise of its `CallHandle`. */
  openRange(name, params, options, signal) {
    return this.#openCall(true, name, params, options, signal);
  }

  /** Calls an action. Returns a promise of its result. */
  async callAction(name, params, options, signal) {
    const call = await this.#openCall(false, name, params, options, signal);
    try {
      return await call.next(signal);
    } finally {
      call.free();
    }
  }

  async #openCall(isRange, name, params, options, signal) {
    await runAbortable(signal, () => this.#load());
    const instance = this.#instance;
    const call = instance.call(() => this.#wasmSession.call(name, toNamedValues(params), toNamedValues(options), isRange));
    return new CallHandle(instance, call, this.#options);
  }

  /** Sets `#instance`, and `#wasmSession` within it. */
  async #load() {
    const instance = await this.#loader.load();
    if (this.#instance !== instance) {
      this.#wasmSession = createWasmSession(instance, this.#options);
      this.#instance = instance;
    }
  }
}

/** An open call. `next` returns the pages of a list, the batches of a range, or the result of an action. */
class CallHandle {
  #instance;
  #wasmCall;
  /** Keeps the callbacks in the client's options alive: the WebAssembly instance refers to them weakly. */
  options;

  constructor(instance, wasmCall, options) {
    this.#instance = instance;
    this.#wasmCall = wasmCall;
    this.options = options;
  }

  next(signal) {
    const next = () => this.#instance.run(() => this.#wasmCall.next());
    return runAbortable(signal, next, () => this.cancel());
  }

  /** Cancels the request in flight, and discards a partly read response. */
  cancel() {
    this.#wasmCall.cancel();
  }

  free() {
    this.#wasmCall.free();
  }
}

/** Returns the promise of `start`. If the signal aborts first, calls `onAbort` and rejects. */
function runAbortable(signal, start, onAbort) {
  if (signal === undefined) return start();
  return new Promise((resolve, reject) => {
    const abort = () => {
      onAbort?.();
      reject(createAbortError(signal));
    };
    if (signal.aborted) return abort();
    signal.addEventListener("abort", abort, { once: true });
    start().then(resolve, reject).finally(() => signal.removeEventListener("abort", abort));
  });
}

function createWasmSession(instance, { fetch, onDrift, onBadRecord, onEvent, batchBalances, ...options }) {
  // An API key that is a string stays in the options.
  let apiKey;
  if (typeof options.apiKey === "function") {
    ({ apiKey, ...options } = options);
  }
  const callbacks = [onDrift, onBadRecord, onEvent].map((callback) => reportUncaught(createWeakCallback(callback)));
  const functions = [fetch, apiKey].map(createWeakCallback);
  return instance.call(() => new instance.classes.Session(toNamedValues(options), ...functions, ...callbacks));
}

/** Returns alternating names and values of an object's members, without those that are null or undefined. */
function toNamedValues(members) {
  return Object.entries(members).filter(([, value]) => value != null).flat();
}

/** Wraps a callback so that its exceptions become uncaught errors. Otherwise they would fail the page that is being decoded. */
function reportUncaught(callback) {
  if (callback == null) return undefined;
  return (event) => {
    try {
      callback(event);
    } catch (error) {
      queueMicrotask(() => {
        throw error;
      });
    }
  };
}
