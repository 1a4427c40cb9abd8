// When an address was first and last active: its oldest and newest transactions and token transfers.
import type { AddressClient } from "address-query";
import { readShared } from "./shared-reading.js";

export interface Activity {
  /** ISO 8601 times. Null: no activity. */
  first: string | null;
  last: string | null;
}

const toTimes = (times: readonly (string | null | undefined)[]): string[] =>
  times.filter((time) => typeof time === "string").sort();

const fromUnix = (seconds: string | null | undefined): string | null =>
  seconds ? new Date(Number(seconds) * 1000).toISOString() : null;

/** The first pages of transactions and of token transfers. They include the names of its counterparties. */
export const readNewest = (client: AddressClient, address_hash: string) =>
  Promise.all([client.addressTransactions({ address_hash }), client.addressTokenTransfers({ address_hash })]);

/** The newest records are on the first pages of two tabs. The oldest token transfer is only in the account module. */
export async function readActivity(client: AddressClient, address_hash: string): Promise<Activity> {
  const oldest = { address: address_hash, sort: "asc", page: 1, offset: 1 } as const;
  const [[transactions, transfers], firstTransactions, firstTransfers] = await Promise.all([
    readShared(client, address_hash, readNewest),
    client.account.txList(oldest),
    client.account.tokenTx(oldest),
  ]);
  const newest = [...transactions.items, ...transfers.items].map(({ timestamp }) => timestamp);
  const first = [...firstTransactions.items, ...firstTransfers.items].map(({ timeStamp }) => fromUnix(timeStamp));
  return { first: toTimes([...first, ...newest])[0] ?? null, last: toTimes(newest).at(-1) ?? null };
}
