// The part of the client's runtime that the other entries use, apart from its public exports (public.ts). They import nothing else
// of it. This file imports only modules that send nothing without a client: the rules in .biome.json list them.
import { checkOptions, type FreshOptions, fresh } from "./arguments.js";
import { createParameterError } from "./errors.js";
import { rangeOptions } from "./option-table.js";
import type { ActionOptions } from "./options.js";

// An invalid parameter has the same message and code, whichever function rejects it.
export { checkNames } from "./arguments.js";
export { COIN_CONTRACTS, isCoin } from "./coin-contracts.js";
export { checkAddress } from "./check-address.js";
export { createAbortError } from "./errors.js";
export { createParameterError };
// An estimate counts with the limits that requests are planned with.
export { DEFAULT_CONCURRENCY, DEFAULT_PAGE_SIZE, HELD_PAGES, MAX_CALLS, MAX_PAGE_SIZE, MAX_ROWS } from "./limits.js";
// All entries have the same iterations, reports and resume tokens.
export { Iteration } from "./iteration.js";
export { findBlock, findNewestBlock, getNewestBlock } from "./newest-block.js";
export { sumOmitted, UNSERVED_PAGE } from "./omitted.js";
export { decodeToken, digestRequest, encodeToken, type ResumeToken } from "./resume-token.js";

/** Throws for the first invalid option. */
export function checkCallOptions(options: { [Name in "signal" | "concurrency" | "onProgress"]?: unknown }): void {
  checkOptions(options, rangeOptions);
}

/** Throws if a value is not a client, such as a promise of one. */
export function checkClient(client: { baseUrl?: unknown } | null | undefined): void {
  if (!client?.baseUrl) throw createParameterError("client", "must be an AddressClient");
}

/** Creates the options of requests that bypass caches, because an earlier response may lack records of the newest block. */
export function createFreshOptions(signal: ActionOptions["signal"]): FreshOptions {
  return { signal, [fresh]: true };
}
