// An instance of the WebAssembly module: its classes, its calls in flight, and what its crash ends.
import type { Bindings, WasmClasses } from "./bindings.js";
import { createCrashError } from "./errors.js";
import type { Resources } from "./resources.js";

/** An instance of the WebAssembly module, or of its translation to JavaScript. */
export interface InstantiatedModule {
  exports: WebAssembly.Exports;
}

/**
 * An instance of the module. After a crash its exports do nothing, so that it ignores late responses and timers. It cannot affect
 * the next instance, because each instance has bindings with their own state.
 */
export class Instance {
  #resources: Resources;
  /** The calls in flight, and their `reject` functions. The map keeps each call, and the callbacks that it uses, alive. */
  #calls = new Map<() => Promise<unknown>, (error: unknown) => void>();
  #crash: unknown;
  classes: WasmClasses;
  isBroken = false;

  constructor({ classes, start }: Bindings, resources: Resources, { exports }: InstantiatedModule) {
    this.classes = classes;
    this.#resources = resources;
    start({ exports: this.#wrapExports(exports) });
  }

  /**
   * Calls an async function that uses the classes, and returns its promise. Rejects if the instance has crashed, whatever the function
   * does, or if it crashes before the promise settles.
   */
  async run<Result>(call: () => Promise<Result>): Promise<Result> {
    if (this.isBroken) throw createCrashError(this.#crash);
    const crash = new Promise<never>((_, reject) => this.#calls.set(call, reject));
    try {
      return await Promise.race([crash, call()]);
    } finally {
      this.#calls.delete(call);
    }
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
    for (const reject of this.#calls.values()) reject(createCrashError(cause));
    this.#calls.clear();
  }
}
