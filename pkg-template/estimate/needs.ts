// The needs of a read, before they are summed.
import { credits, DEFAULT_CREDITS } from "./prices.js";
import type { Span } from "./span.js";

/** The requests of a list or range. */
export interface RequestChain {
  requests: Span;
  /** Maximum number of concurrent requests. */
  concurrency?: number | undefined;
  /** Credits per request. */
  price: number;
}

/** The records of a read, and its requests. The chains are read concurrently. */
export interface Needs {
  records: Span;
  chains: readonly RequestChain[];
}

/** Returns the credits of a request of an operation. */
export function getPrice(operation: string): number {
  return credits[operation] ?? DEFAULT_CREDITS;
}
