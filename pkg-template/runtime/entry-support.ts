// What the entries beside the client share with it, apart from its public surface (public.ts). They import nothing else of the client, and
// this file imports only modules that send nothing: the rules of .biome.json say which.
import { checkOptions } from "./check-options.js";
import { createParameterError } from "./errors.js";
import { rangeOptions } from "./option-table.js";

// An invalid parameter has the same message and code, whichever function rejects it.
export { checkAddress } from "./check-address.js";
export { checkNames } from "./check-names.js";
export { createParameterError };
// An estimate counts with the limits that requests are planned with.
export { DEFAULT_CONCURRENCY, DEFAULT_PAGE_SIZE, HELD_PAGES, MAX_PAGE_SIZE, MAX_ROWS } from "./limits.js";

/** Throws for the first invalid option. */
export function checkCallOptions(options: { [Name in "signal" | "concurrency" | "onProgress"]?: unknown }): void {
  checkOptions(options, rangeOptions);
}

/** Throws if a value is no client, such as one without `await`. */
export function checkClient(client: { baseUrl?: unknown } | null | undefined): void {
  if (!client?.baseUrl) throw createParameterError("client", "must be an AddressClient");
}
