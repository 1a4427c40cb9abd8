// What a read needs, before it is summed.
import { credits, DEFAULT_CREDITS } from "./prices.js";
import type { Span } from "./span.js";

/** The requests of a list or range. */
export interface Chain {
  requests: Span;
  /** The number of them at the same time. */
  concurrency?: number | undefined;
  /** The credits of one of them. */
  price: number;
}

/** The records of a read, and its requests. The chains are read at the same time. */
export interface Needs {
  records: Span;
  chains: readonly Chain[];
}

/** Returns the credits of a request of an operation. */
export function getPrice(operation: string): number {
  return credits[operation] ?? DEFAULT_CREDITS;
}
