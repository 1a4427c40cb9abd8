// The connection of a client to the WebAssembly instance. The first call opens it, and so does the next call after a crash.
import { copyObject } from "./arguments.js";
import type { WasmCall, WasmSession } from "./bindings.js";
import { selectInstance } from "./chain.js";
import { checkOptions } from "./check-options.js";
import { createAbortError } from "./errors.js";
import type { Instance, Loader } from "./loader.js";
import { clientOptions } from "./option-table.js";
import type { ClientOptions } from "./options.js";
import { createWeakCallback } from "./weak-callback.js";

/** An open call. `next` returns the pages of a list, the batches of a range, or the result of an action. */
export interface OpenCall<Result> {
  /** Rejects if the signal aborts first. */
  next(signal: AbortSignal | undefined): Promise<Result>;
  /** Cancels the request in flight, and discards a partly read response. */
  cancel(): void;
  free(): void;
}

export class Session {
  #loader: Pick<Loader, "load">;
  #options: Partial<ClientOptions>;
  /** The client's session object, and the instance that it belongs to. */
  #connection: { instance: Instance; session: WasmSession } | undefined;

  /** Throws for invalid options. */
  constructor(options: ClientOptions, loader: Pick<Loader, "load">) {
    this.#loader = loader;
    // A copy, so that later changes of the caller's object have no effect.
    const copy = copyObject(options, "options");
    checkOptions(copy, clientOptions);
    this.#options = selectInstance(copy);
  }

  /** Calls an action. Returns a promise of its result. */
  async callAction<Result>(name: string, params: object, options: object, signal: AbortSignal | undefined): Promise<Result> {
    const call = await this.openCall<Result>(name, params, options, signal);
    try {
      return await call.next(signal);
    } finally {
      call.free();
    }
  }

  /** Opens a list, an action, or the range of blocks of an action. */
  async openCall<Result>(
    name: string,
    params: object,
    options: object,
    signal: AbortSignal | undefined,
    isRange = false,
  ): Promise<OpenCall<Result>> {
    const { instance, session } = await runAbortable(signal, () => this.#load());
    const call = instance.call(() => session.call(name, toNamedValues(params), toNamedValues(options), isRange));
    return new SessionCall(instance, call, this.#options);
  }

  async #load(): Promise<{ instance: Instance; session: WasmSession }> {
    const instance = await this.#loader.load();
    if (this.#connection?.instance !== instance) {
      this.#connection = { instance, session: createWasmSession(instance, this.#options) };
    }
    return this.#connection;
  }
}

class SessionCall<Result> implements OpenCall<Result> {
  #instance: Instance;
  #wasmCall: WasmCall;
  /** Keeps the callbacks in the client's options alive: the WebAssembly instance refers to them weakly. */
  options: object;

  constructor(instance: Instance, wasmCall: WasmCall, options: object) {
    this.#instance = instance;
    this.#wasmCall = wasmCall;
    this.options = options;
  }

  next(signal: AbortSignal | undefined): Promise<Result> {
    const next = () => this.#instance.run(() => this.#wasmCall.next() as Promise<Result>);
    return runAbortable(signal, next, () => this.cancel());
  }

  cancel(): void {
    this.#wasmCall.cancel();
  }

  free(): void {
    this.#wasmCall.free();
  }
}

/** Returns the promise of `start`. If the signal aborts first, calls `onAbort` and rejects. */
function runAbortable<Result>(signal: AbortSignal | undefined, start: () => Promise<Result>, onAbort?: () => void): Promise<Result> {
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

/** Passes functions as weak references, because the module would keep them alive. */
function createWasmSession(instance: Instance, options: Partial<ClientOptions>): WasmSession {
  const passed: Record<string, unknown> = { ...options };
  for (const [name, value] of Object.entries(options)) {
    if (typeof value !== "function") continue;
    const weakCallback = createWeakCallback(value as (...args: unknown[]) => unknown);
    passed[name] = clientOptions[name]?.isCallback ? reportUncaught(weakCallback) : weakCallback;
  }
  return instance.call(() => new instance.classes.Session(toNamedValues(passed)));
}

/** Returns alternating names and values of an object's members, without those that are null or undefined. */
function toNamedValues(members: object): unknown[] {
  return Object.entries(members).filter(([, value]) => value != null).flat();
}

/** Wraps a callback so that its exceptions become uncaught errors. Otherwise they would fail the page that is being decoded. */
function reportUncaught<Event>(callback: (event: Event) => void): (event: Event) => void {
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
