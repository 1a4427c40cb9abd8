// The needs of a read, before they are summed.
import { credits, DEFAULT_CREDITS } from "./prices.js";

/** The least and the greatest value, which may be infinite. */
export interface Span {
  readonly min: number;
  readonly max: number;
}

export const NOTHING: Span = { min: 0, max: 0 };
export const ONE: Span = { min: 1, max: 1 };
export const UNKNOWN: Span = { min: 0, max: Number.POSITIVE_INFINITY };

export function sum(...spans: readonly Span[]): Span {
  return { min: spans.reduce((total, { min }) => total + min, 0), max: spans.reduce((total, { max }) => total + max, 0) };
}

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
