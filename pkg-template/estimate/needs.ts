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

/** Returns the credits of a request of a method. `name` begins with its path or name. */
export function getPrice(name: string): number {
  return credits[getOperation(name)] ?? DEFAULT_CREDITS;
}

/** Returns the path or name of a method without the names of its parameters. */
export function getOperation(name: string): string {
  return name.split(" ")[0] as string;
}
