// Cancels all requests of an iteration.
import type { HistoryFilter } from "./public-types.js";

export interface IterationSignal {
  readonly signal: AbortSignal;
  isClosed: boolean;
  close(): void;
}

/** Creates a signal that aborts with the caller's signal, and when the iteration ends. */
export function createIterationSignal(callerSignal: HistoryFilter["signal"]): IterationSignal {
  const controller = new AbortController();
  const abort = () => controller.abort(callerSignal?.reason);
  callerSignal?.addEventListener("abort", abort, { once: true });
  if (callerSignal?.aborted) abort();
  const iterationSignal = {
    signal: controller.signal,
    isClosed: false,
    close() {
      iterationSignal.isClosed = true;
      callerSignal?.removeEventListener("abort", abort);
      controller.abort();
    },
  };
  return iterationSignal;
}
