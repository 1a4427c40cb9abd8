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
 * An instance of the module. After a crash, it ignores late responses, and method calls on its objects throw. It cannot affect
 * the next instance, because each instance has bindings with their own state.
 */
export class Instance {
  #bindings: Bindings;
  #timers: Timers;
  /** The calls in flight, by their `reject` function. The map keeps each call, and the callbacks that it uses, alive. */
  #calls = new Map<(error: unknown) => void, unknown>();
  isBroken = false;

  constructor(bindings: Bindings, timers: Timers, { exports }: InstantiatedModule) {
    this.#bindings = bindings;
    this.#timers = timers;
    bindings.start({ exports: this.#wrapExports(exports) });
  }

  get classes(): WasmClasses {
    return this.#bindings.classes;
  }

  /** Returns the promise of `call`. The promise rejects if the instance crashes before it settles. */
  run<Result>(call: () => Promise<Result>): Promise<Result> {
    return new Promise((resolve, reject) => {
      const remove = () => this.#calls.delete(reject);
      this.#calls.set(reject, call);
      try {
        call().then(resolve, reject).finally(remove);
      } catch (error) {
        remove();
        reject(error);
      }
    });
  }

  /** Wraps the exports to detect traps. Any exception from an export is a trap, and leaves the instance in an undefined state. */
  #wrapExports(exports: WebAssembly.Exports): WebAssembly.Exports {
    const wrapped: WebAssembly.Exports = {};
    for (const [name, value] of Object.entries(exports)) {
      wrapped[name] = value;
      if (typeof value !== "function") continue;
      wrapped[name] = (...args: unknown[]) => {
        try {
          return value(...args);
        } catch (cause) {
          this.#markBroken(cause);
          return failExport(name, createCrashError(cause));
        }
      };
    }
    return wrapped;
  }

  #markBroken(cause: unknown): void {
    if (!this.isBroken) {
      this.isBroken = true;
      this.#bindings.start({ exports: BROKEN_EXPORTS });
      this.#timers.clearAll();
      for (const reject of this.#calls.keys()) reject(createCrashError(cause));
      this.#calls.clear();
    }
  }
}

/** The exports that replace those of a crashed instance, for objects that still refer to it. */
const BROKEN_EXPORTS = new Proxy<Record<string, unknown>>(
  { __wbindgen_externrefs: new Map() },
  { get: (own, name: string) => own[name] ?? (() => failExport(name, createCrashError())) },
) as WebAssembly.Exports;

/**
 * Throws if a method of the package called the export. Otherwise a timer or a promise called it, and an exception would be
 * uncaught.
 */
function failExport(name: string, error: AddressQueryError): [] {
  if (/^session_|^call_next$/.test(name)) throw error;
  // The bindings look for an error in the first elements of a returned array. An empty one contains no error.
  return [];
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
