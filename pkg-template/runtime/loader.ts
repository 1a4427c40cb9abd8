// Loads the WebAssembly module on the first call, creates its instance, and replaces an instance that crashed.
import type { Bindings, WasmClasses } from "./bindings.js";
import { AddressQueryError, createCrashError, createLoadError } from "./errors.js";

/** An instance of the WebAssembly module, or of its translation to JavaScript. */
interface InstantiatedModule {
  exports: WebAssembly.Exports;
}

export class Loader<Module = WebAssembly.Module> {
  #bind: (timers: Timers) => Bindings;
  #compile: () => Module | Promise<Module>;
  #instantiate: (module: Module, imports: WebAssembly.Imports) => InstantiatedModule | Promise<InstantiatedModule>;
  #compiled: Module | Promise<Module> | undefined;
  /** The promise of the instance. */
  #loading: Promise<Instance> | undefined;
  #instance: Instance | undefined;

  /**
   * - `bind` creates bindings that use the given timers.
   * - `compile` returns the module.
   * - `instantiate` creates an instance of it. The entry without WebAssembly passes its own function.
   */
  constructor(
    bind: (timers: Timers) => Bindings,
    compile: () => Module | Promise<Module>,
    instantiate: (module: Module, imports: WebAssembly.Imports) => InstantiatedModule | Promise<InstantiatedModule> = (module, imports) =>
      WebAssembly.instantiate(module as WebAssembly.Module, imports),
  ) {
    this.#bind = bind;
    this.#compile = compile;
    this.#instantiate = instantiate;
  }

  /** Returns a promise of the instance, which is the same until it crashes. After a failure, the next call loads it again. */
  load(): Promise<Instance> {
    if (this.#instance?.isBroken) this.#instance = this.#loading = undefined;
    this.#loading ??= this.#createInstance().catch((cause: unknown) => {
      this.#loading = this.#compiled = undefined;
      throw toLoadError(cause);
    });
    return this.#loading;
  }

  async #createInstance(): Promise<Instance> {
    this.#compiled ??= this.#compile();
    const module = await this.#compiled;
    const timers = new Timers();
    const bindings = this.#bind(timers);
    this.#instance = new Instance(bindings, timers, await this.#instantiate(module, bindings.imports));
    return this.#instance;
  }
}

/** The timers of an instance. An instance that crashes cannot clear them, and they would keep a Node process alive. */
export class Timers {
  #pending = new Set<number>();

  setTimeout = (callback: () => void, ms: number): number => {
    const timer = setTimeout(callback, ms);
    this.#pending.add(timer);
    return timer;
  };

  clearTimeout = (timer: number): void => {
    this.#pending.delete(timer);
    clearTimeout(timer);
  };

  clearAll(): void {
    for (const timer of this.#pending) clearTimeout(timer);
  }
}

/**
 * An instance of the module. After a crash its exports do nothing, so that it ignores late responses and timers. It cannot affect
 * the next instance, because each instance has bindings with their own state.
 */
export class Instance {
  #timers: Timers;
  /** The calls in flight, by their `reject` function. The map keeps each call, and the callbacks that it uses, alive. */
  #calls = new Map<(error: unknown) => void, unknown>();
  #crash: unknown;
  classes: WasmClasses;
  isBroken = false;

  constructor({ classes, start }: Bindings, timers: Timers, { exports }: InstantiatedModule) {
    this.classes = classes;
    this.#timers = timers;
    start({ exports: this.#wrapExports(exports) });
  }

  /** Calls a function that uses the classes, and returns its result. Throws if the instance has crashed, whatever the function does. */
  call<Result>(use: () => Result): Result {
    try {
      const result = use();
      if (!this.isBroken) return result;
    } catch (error) {
      if (!this.isBroken) throw error;
    }
    throw createCrashError(this.#crash);
  }

  /** Returns the promise of `call`. The promise rejects if the instance crashes before it settles. */
  run<Result>(call: () => Promise<Result>): Promise<Result> {
    return new Promise((resolve, reject) => {
      const remove = () => this.#calls.delete(reject);
      this.#calls.set(reject, call);
      try {
        this.call(call).then(resolve, reject).finally(remove);
      } catch (error) {
        remove();
        reject(error);
      }
    });
  }

  /**
   * Wraps the exports to detect traps. Any exception from an export is a trap, and leaves the instance in an undefined state.
   * The exports do not throw it: timers and promises call them too, and there it would be uncaught.
   */
  #wrapExports(exports: WebAssembly.Exports): WebAssembly.Exports {
    const wrapped: WebAssembly.Exports = {};
    for (const [name, value] of Object.entries(exports)) {
      wrapped[name] = value;
      if (typeof value !== "function") continue;
      wrapped[name] = (...args: unknown[]) => {
        try {
          if (!this.isBroken) return value(...args);
        } catch (cause) {
          this.#markBroken(cause);
        }
        // The bindings look for an error in the first elements of a returned array. An empty one contains no error.
        return [];
      };
    }
    return wrapped;
  }

  #markBroken(cause: unknown): void {
    if (this.isBroken) return;
    this.isBroken = true;
    this.#crash = cause;
    this.#timers.clearAll();
    for (const reject of this.#calls.keys()) reject(createCrashError(cause));
    this.#calls.clear();
  }
}

const USE_COMPAT = 'import "address-query/compat", which needs no WebAssembly';

function toLoadError(cause: unknown): AddressQueryError {
  if (cause instanceof AddressQueryError) return cause;
  const reason = cause instanceof Error ? cause.message : String(cause);
  let remedy = "try again, or report this error with the name of the browser";
  let retryable = false;
  if (typeof WebAssembly === "undefined") {
    remedy = `this browser does not support WebAssembly, or it is turned off: ${USE_COMPAT}`;
  } else if (/unsafe-eval|Content.Security.Policy|blocked by CSP|disallowed by embedder/i.test(reason)) {
    remedy = `the page's Content-Security-Policy forbids WebAssembly: add 'wasm-unsafe-eval' to its script-src, or ${USE_COMPAT}`;
  } else {
    retryable = true;
  }
  return createLoadError(reason, remedy, cause, retryable);
}
