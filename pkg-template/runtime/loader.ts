// Loads the WebAssembly module on the first call, creates its instance, and replaces an instance that crashed.
import type { Bindings, WasmClasses } from "./bindings.js";
import { sendOrTakeOver } from "./early-requests.js";
import { AddressQueryError, createCrashError, createLoadError } from "./errors.js";
import { warmUp } from "./warm-up.js";

/** An instance of the WebAssembly module, or of its translation to JavaScript. */
interface InstantiatedModule {
  exports: WebAssembly.Exports;
}

export class Loader<Module = WebAssembly.Module> {
  #bind: (resources: Resources) => Bindings;
  #compile: () => Module | Promise<Module>;
  #instantiate: (module: Module, imports: WebAssembly.Imports) => InstantiatedModule | Promise<InstantiatedModule>;
  #compiled: Module | Promise<Module> | undefined;
  /** The promise of the instance. */
  #loading: Promise<Instance> | undefined;
  #instance: Instance | undefined;

  /**
   * - `bind` creates bindings that use the given timers and controllers.
   * - `compile` returns the module.
   * - `instantiate` creates an instance of it. The entry without WebAssembly passes its own function.
   */
  constructor(
    bind: (resources: Resources) => Bindings,
    compile: () => Module | Promise<Module>,
    instantiate: (module: Module, imports: WebAssembly.Imports) => InstantiatedModule | Promise<InstantiatedModule> = (
      module,
      imports,
    ) => WebAssembly.instantiate(module as WebAssembly.Module, imports),
  ) {
    this.#bind = bind;
    this.#compile = compile;
    this.#instantiate = instantiate;
  }

  /** Whether an instance is being created. False if the module is missing. */
  get isCompiling(): boolean {
    return this.#compiled !== undefined && this.#instance === undefined;
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
    const resources = new Resources();
    const bindings = this.#bind(resources);
    this.#instance = new Instance(bindings, resources, await this.#instantiate(module, bindings.imports));
    warmUp(this.#instance);
    return this.#instance;
  }
}

/**
 * The timers and requests of an instance. An instance that crashes cannot end them: they would keep a Node process alive, and the
 * service busy.
 */
export class Resources {
  #timers = new Set<number>();
  /** The controllers of requests. They are held weakly, because a request that has ended only drops its controller. */
  #controllers = new Set<WeakRef<AbortController>>();
  #onCollected = new FinalizationRegistry<WeakRef<AbortController>>((controller) => this.#controllers.delete(controller));

  setTimeout = (callback: () => void, ms: number): number => {
    const timer = setTimeout(callback, ms);
    this.#timers.add(timer);
    return timer;
  };

  clearTimeout = (timer: number): void => {
    this.#timers.delete(timer);
    clearTimeout(timer);
  };

  /** The constructor of `AbortController`, for the controllers of requests. */
  AbortController = ((controllers, onCollected) =>
    function createController() {
      const controller = new AbortController();
      const reference = new WeakRef(controller);
      controllers.add(reference);
      onCollected.register(controller, reference);
      return controller;
    })(this.#controllers, this.#onCollected);

  /** The global `fetch`, which takes over requests that were sent before the instance existed. */
  fetch = (request: Request): Promise<Response> => sendOrTakeOver(fetch, request);

  release(): void {
    for (const timer of this.#timers) clearTimeout(timer);
    for (const controller of this.#controllers) controller.deref()?.abort();
  }
}

/**
 * An instance of the module. After a crash its exports do nothing, so that it ignores late responses and timers. It cannot affect
 * the next instance, because each instance has bindings with their own state.
 */
export class Instance {
  #resources: Resources;
  /** The calls in flight, by their `reject` function. The map keeps each call, and the callbacks that it uses, alive. */
  #calls = new Map<(error: unknown) => void, unknown>();
  #crash: unknown;
  classes: WasmClasses;
  isBroken = false;

  constructor({ classes, start }: Bindings, resources: Resources, { exports }: InstantiatedModule) {
    this.classes = classes;
    this.#resources = resources;
    start({ exports: this.#wrapExports(exports) });
  }

  /**
   * Calls a function that uses the classes, and returns its promise. Rejects if the instance has crashed, whatever the function
   * does, or if it crashes before the promise settles.
   */
  run<Result>(call: () => Promise<Result>): Promise<Result> {
    return new Promise((resolve, reject) => {
      this.#calls.set(reject, call);
      const remove = () => this.#calls.delete(reject);
      new Promise<Result>((start) => start(call())).then(resolve, reject).finally(remove);
      if (this.isBroken) reject(createCrashError(this.#crash));
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
    this.#resources.release();
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
