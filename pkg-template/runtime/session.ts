// The connection of a client to the WebAssembly instance. The first call opens it, and so does the next call after a crash.
import { warnOfKeyInPage } from "./api-key.js";
import { type CallArguments, checkOptions, copyObject } from "./arguments.js";
import type { WasmSession } from "./bindings.js";
import { selectInstance } from "./chain.js";
import { type ClientSource, createSource } from "./client-source.js";
import { type FetchFunction, type Method, sendEarly, sendOrTakeOver } from "./early-requests.js";
import { createParameterError } from "./errors.js";
import type { Instance } from "./wasm-instance.js";
import type { Loader } from "./loader.js";
import type { Credits } from "./objects.js";
import { clientOptions } from "./option-table.js";
import type { ActionOptions, ClientOptions } from "./options.js";

/** The session of each client and of its groups of methods. A private member could not report that a method has lost its object. */
const sessions = /* @__PURE__ */ new WeakMap<object, Session>();

export function setSession(methods: object, session: Session): void {
  sessions.set(methods, session);
}

/** Returns the session of the `this` of a method. Throws for a method without its object, and for a `Proxy` of it. */
export function getSession(methods: object): Session {
  const session = sessions.get(methods);
  if (session) return session;
  throw createParameterError("this", "a method must be called on its client: client.method(), or client.method.bind(client)");
}

export class Session {
  readonly source: ClientSource;
  /** The client, for the plans of its calls. */
  client: object | undefined;
  readonly loader: Pick<Loader, "load" | "isCompiling">;
  /** Keeps the callbacks alive while a call is in flight: the WebAssembly instance refers to them weakly. */
  readonly options: Partial<ClientOptions>;
  /** The client's session object, and the instance that it belongs to. */
  #connection: { instance: Instance; session: WasmSession } | undefined;
  /** Early requests that the module has not taken over. The rate limiter has not counted them yet. */
  #uncounted: [url: string, operation: string][] = [];

  /** Throws for invalid options. */
  constructor(options: ClientOptions, loader: Pick<Loader, "load" | "isCompiling">) {
    this.loader = loader;
    // A copy, so that later changes of the caller's object have no effect.
    const copy = copyObject(options, "options");
    checkOptions(copy, clientOptions);
    this.options = selectInstance(copy);
    warnOfKeyInPage(this.options);
    this.source = Object.freeze(createSource(this.options));
  }

  /** Loads the module and creates the session object, so that the first call finds both. */
  async preload(loading = this.loader.load()): Promise<void> {
    const instance = await loading;
    await instance.run(async () => this.connect(instance));
  }

  /** Returns the normalized URL of the instance. */
  async getBaseUrl(): Promise<string> {
    const instance = await this.loader.load();
    return instance.run(async () => this.connect(instance).baseUrl());
  }

  /** Returns what was spent, and what remains. Without the module, no request was counted yet. */
  get credits(): Credits {
    return this.#connection?.session.credits() ?? { spent: 0, remaining: null };
  }

  /**
   * Sends the first request of a call while the module loads; see {@link sendEarly}. A dropped
   * request was sent nevertheless, so the module counts it once it has loaded.
   */
  sendEarly(loading: Promise<Instance>, method: Method, callArguments: CallArguments<ActionOptions>): (() => void) | undefined {
    return sendEarly(this.options, method, callArguments, (url) => {
      this.#uncounted.push([url, method[0]]);
      this.preload(loading).catch(() => {});
    });
  }

  /** Returns the client's session object of an instance. Throws if the instance rejects the options. */
  connect(instance: Instance): WasmSession {
    if (this.#connection?.instance !== instance) {
      this.#connection = { instance, session: createWasmSession(instance, this.options) };
    }
    const { session } = this.#connection;
    for (const request of this.#uncounted.splice(0)) session.countRequest(...request);
    return session;
  }
}

/** Passes functions as weak references, because the module would keep them alive. */
function createWasmSession(instance: Instance, options: Partial<ClientOptions>): WasmSession {
  const passed: Record<string, unknown> = { ...options };
  for (const [name, value] of Object.entries(options)) {
    if (typeof value !== "function") continue;
    const weakCallback =
      name === "fetch"
        ? createWeakCallback(value as FetchFunction, sendOrTakeOver)
        : createWeakCallback(value as (...args: unknown[]) => unknown);
    passed[name] = clientOptions[name]?.isCallback ? reportUncaught(weakCallback) : weakCallback;
  }
  return new instance.classes.Session(passed);
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

type Callback<Args extends unknown[], Result> = (...args: Args) => Result;

/** The wrappers of callbacks. */
const wrappers = /* @__PURE__ */ new WeakMap<object, unknown>();

/**
 * Wraps a callback in a function that refers to it weakly, where the runtime can do that.
 *
 * A client's WebAssembly objects hold its callbacks, and callbacks often refer to the client. With strong references neither
 * could be garbage-collected. The same callback always gets the same wrapper, because clients with the same `fetch` share a
 * rate limiter. `invoke` calls the callback, and must be the same for the same callback.
 */
function createWeakCallback<Args extends unknown[], Result>(
  callback: Callback<Args, Result>,
  invoke = (callback: Callback<Args, Result>, ...args: Args) => callback(...args),
): Callback<Args, Result | undefined> {
  if (!wrappers.has(callback)) {
    const reference = createReference(callback);
    wrappers.set(callback, (...args: Args) => {
      const referenced = reference.deref();
      return referenced && invoke(referenced, ...args);
    });
  }
  return wrappers.get(callback) as Callback<Args, Result | undefined>;
}

/** Separate from the wrapper, whose scope must not contain the callback. */
function createReference<Value extends object>(value: Value): { deref(): Value | undefined } {
  return typeof WeakRef === "undefined" ? { deref: () => value } : new WeakRef(value);
}
