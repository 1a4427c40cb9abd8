// Reads each value once and shares it among the parts of the page.
import type { AddressClient } from "address-query";

/** Parts that are shown within this time share a value. Later ones read it again. */
const MAX_AGE_MS = 60_000;

interface Shared {
  time: number;
  value: Promise<unknown>;
}

/** The values of the last subject, by the functions that read them. */
const shared = new WeakMap<AddressClient, { subject: string; values: Map<unknown, Shared> }>();

/**
 * Returns what `read` returned, if it was called for this subject within the last minute. A failed read is not shared. The subject
 * is what the page shows: an address, transaction, token or block.
 */
export function readShared<Value>(
  client: AddressClient,
  subject: string,
  read: (client: AddressClient, subject: string) => PromiseLike<Value>,
): Promise<Value> {
  let entry = shared.get(client);
  if (entry?.subject !== subject) {
    entry = { subject, values: new Map() };
    shared.set(client, entry);
  }
  const { values } = entry;
  const known = values.get(read);
  if (known && Date.now() - known.time < MAX_AGE_MS) return known.value as Promise<Value>;
  const value = Promise.resolve(read(client, subject));
  values.set(read, { time: Date.now(), value });
  value.catch(() => values.delete(read));
  return value;
}

/** Makes `readShared` read again. */
export const forgetShared = (client: AddressClient, read: unknown): unknown => shared.get(client)?.values.delete(read);

/** Loads its code after the visible list. */
export const readTokens = async (client: AddressClient, address_hash: string) =>
  (await import("./token-value.js")).readTokenValue(client, address_hash);
export const readInfo = (client: AddressClient, address_hash: string) => client.address({ address_hash });
export const readCounters = (client: AddressClient, address_hash: string) => client.addressCounters({ address_hash });
export const readTabsCounters = (client: AddressClient, address_hash: string) => client.addressTabsCounters({ address_hash });
