// What the entries beside the client share with it, apart from its public surface (public.ts). They import nothing else of the client, and
// this file imports only modules that send nothing without a client: the rules of .biome.json say which.
import { type FreshOptions, fresh } from "./arguments.js";
import { checkOptions } from "./check-options.js";
import { createParameterError } from "./errors.js";
import { rangeOptions } from "./option-table.js";
import type { ActionOptions } from "./options.js";

// An invalid parameter has the same message and code, whichever function rejects it.
export { checkAddress } from "./check-address.js";
export { checkNames } from "./check-names.js";
export { createAbortError } from "./errors.js";
export { createParameterError };
// An estimate counts with the limits that requests are planned with.
export { DEFAULT_CONCURRENCY, DEFAULT_PAGE_SIZE, HELD_PAGES, MAX_CALLS, MAX_PAGE_SIZE, MAX_ROWS } from "./limits.js";
// Iterations, reports and resume tokens are alike, whatever is read.
export { Iteration } from "./iteration.js";
export { findBlock, findNewestBlock, getNewestBlock } from "./newest-block.js";
export { sumOmitted, UNSERVED_PAGE } from "./omitted.js";
export { decodeToken, digestRequest, encodeToken, type ResumeToken } from "./resume-token.js";

/** Throws for the first invalid option. */
export function checkCallOptions(options: { [Name in "signal" | "concurrency" | "onProgress"]?: unknown }): void {
  checkOptions(options, rangeOptions);
}

/** Throws if a value is no client, such as one without `await`. */
export function checkClient(client: { baseUrl?: unknown } | null | undefined): void {
  if (!client?.baseUrl) throw createParameterError("client", "must be an AddressClient");
}

/** Creates options of requests. An earlier response may lack what the newest block has. */
export function createFreshOptions(signal: ActionOptions["signal"]): FreshOptions {
  return { signal, [fresh]: true };
}
