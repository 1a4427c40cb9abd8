// Caches names by client. They rarely change, and pages often show the same ones.
import { checkCallOptions, checkClient, checkNames } from "../entry-support.js";
import type { NameClient, NameOptions } from "./public-types.js";

/** The same period as for `client.instance()`. */
const CACHE_MS = 300_000;
const MAX_ENTRIES = 1_000;

interface Entry {
  /** JSON, so that each caller gets a result that it may change. */
  json: string;
  time: number;
}

const caches = new WeakMap<NameClient, Map<string, Entry>>();

/** Returns what is cached for the key, or else what `read` returns. Failures are not cached. */
export async function readCached<Result>(
  client: NameClient,
  key: string,
  options: NameOptions | undefined,
  read: (options: NameOptions) => Promise<Result>,
): Promise<Result> {
  const entries = caches.get(client) ?? new Map<string, Entry>();
  caches.set(client, entries);
  const entry = entries.get(key);
  if (entry && Date.now() - entry.time < CACHE_MS) return JSON.parse(entry.json) as Result;
  const result = await read({ signal: options?.signal });
  entries.delete(key);
  entries.set(key, { json: JSON.stringify(result), time: Date.now() });
  // The keys of a map are in the order of their insertion.
  const [oldest = ""] = entries.keys();
  if (entries.size > MAX_ENTRIES) entries.delete(oldest);
  return result;
}

/** Throws if the client is invalid, or an option is unknown or invalid. */
export function checkArguments(client: Partial<NameClient>, options: NameOptions | undefined): void {
  checkClient(client);
  checkNames("option", options ?? {}, ["signal"]);
  checkCallOptions(options ?? {});
}
