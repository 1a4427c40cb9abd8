// The resources that a WebAssembly instance holds outside its memory.
import { sendOrTakeOver } from "./early-requests.js";

/**
 * The timers and requests of an instance. An instance that crashes cannot end them: they would keep a Node process alive, and the
 * service busy.
 */
export class Resources {
  #timers = new Set<number>();
  /** The controllers of requests. They are held weakly, because a request that has ended only drops its controller. */
  #controllers = new Set<WeakRef<AbortController>>();
  /** Undefined in runtimes that lack it or `WeakRef`. There a crash does not end the requests. */
  #onCollected =
    typeof FinalizationRegistry === "undefined" || typeof WeakRef === "undefined"
      ? undefined
      : new FinalizationRegistry<WeakRef<AbortController>>((controller) => this.#controllers.delete(controller));

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
      if (onCollected) {
        const reference = new WeakRef(controller);
        controllers.add(reference);
        onCollected.register(controller, reference);
      }
      return controller;
    })(this.#controllers, this.#onCollected);

  /** The global `fetch`, which takes over requests that were sent before the instance existed. */
  fetch = (request: Request): Promise<Response> => sendOrTakeOver(fetch, request);

  release(): void {
    for (const timer of this.#timers) clearTimeout(timer);
    for (const controller of this.#controllers) {
      try {
        controller.deref()?.abort();
      } catch {
        // On Cloudflare Workers, the requests of other incoming requests cannot be aborted.
      }
    }
  }
}
