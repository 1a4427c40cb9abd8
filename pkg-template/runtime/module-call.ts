// A call of a method, from its first request to its end. Only `close` and the signal end its work in the WebAssembly instance.
import type { CallPlan } from "./call-plan.js";
import type { CallArguments } from "./arguments.js";
import type { WasmCall } from "./bindings.js";
import type { Method } from "./early-requests.js";
import { createAbortError } from "./errors.js";
import type { Instance } from "./wasm-instance.js";
import type { ActionOptions, ListOptions } from "./options.js";
import type { Session } from "./session.js";
import { warmUp } from "./warm-up.js";

/** Returns the plan of a call. Throws if its arguments are invalid. */
export function createPlan({ client }: Session, name: string, { error, params, options }: CallArguments<ListOptions>): CallPlan {
  if (error !== undefined) throw error;
  return { client: client as object, operation: name.split(" ")[0] as string, params, options };
}

/** The source of the pages of an iteration. */
export interface PageSource<Page> {
  /** Whether the parameters and options were accepted. */
  readonly isOpen: boolean;
  next(): Promise<Page>;
  close(): void;
}

/**
 * A call of a method. It ends when its signal aborts, or with `close`: the pending `next` rejects at once, also while the module
 * loads, and the request in flight is aborted.
 */
export class ModuleCall<Result> implements PageSource<Result> {
  #session: Session;
  #method: Method;
  #isRange: boolean;
  #arguments: CallArguments<ActionOptions>;
  #instance: Instance | undefined;
  /** The call in the instance. Freeing it aborts its request. */
  #wasmCall: WasmCall | undefined;
  /** Rejects the pending `next`. */
  #rejectNext: ((error: unknown) => void) | undefined;
  /** Ends the wait for a request that was sent while the module was loading. Further calls have no effect. */
  #releaseEarly: (() => void) | undefined;
  isOpen = false;
  isEnded = false;

  /**
   * Creates a call of a method, or of its `all()`. Sends nothing before `next`. `method` is its name, or the path and the names of
   * parameters from which its first request can be built early.
   */
  constructor(session: Session, method: string, callArguments: CallArguments<ActionOptions>, isRange = false) {
    this.#session = session;
    this.#method = method.split(" ") as [string, ...string[]];
    this.#arguments = callArguments;
    this.#isRange = isRange;
  }

  /** Returns the next page of a list, the next batch of a range, or the result of an action. */
  next(): Promise<Result> {
    return new Promise((resolve, reject) => {
      this.#rejectNext = reject;
      this.#advance().then(resolve, reject);
    });
  }

  /** Ends the call. */
  close = (): void => {
    const { signal } = this.#arguments;
    signal?.removeEventListener("abort", this.close);
    this.isEnded = true;
    this.#rejectNext?.(createAbortError(signal));
    this.#releaseEarly?.();
    this.#wasmCall?.free();
    this.#wasmCall = undefined;
  };

  async #advance(): Promise<Result> {
    const { error, signal, params, options } = this.#arguments;
    const session = this.#session;
    try {
      if (this.#instance === undefined) {
        if (error !== undefined) throw error;
        session.options.checkParams?.(params);
        signal?.addEventListener("abort", this.close, { once: true });
        if (!signal?.aborted) {
          const loading = session.loader.load();
          if (session.loader.isCompiling) this.#releaseEarly = session.sendEarly(loading, this.#method, this.#arguments);
          this.#instance = await loading;
        }
      }
      if (this.isEnded || signal?.aborted) throw createAbortError(signal);
      const instance = this.#instance as Instance;
      const result = await instance.run(async () => {
        if (this.#wasmCall) return this.#wasmCall.next();
        // Starts the call in the instance, and its first `next`.
        const [wasmCall, first] = session.connect(instance).call(this.#method[0], params, options, this.#isRange);
        this.#wasmCall = wasmCall;
        this.isOpen = true;
        warmUp(instance);
        return first;
      });
      return result as Result;
    } finally {
      this.#rejectNext = undefined;
      this.#releaseEarly?.();
    }
  }
}
