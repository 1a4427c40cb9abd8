// `address-query/store`: what is inferred, and what is an error.
import type { AddressClient, AddressQueryError } from "address-query";
import type { ActivityCall, HistoryEvent } from "address-query/history";
import { activities } from "address-query/history";
import { createStore, memoryDatabase, type StoreDatabase, type StoredReport, sync, syncedHistory } from "address-query/store";
import { fileDatabase } from "address-query/store/node";

declare const client: AddressClient;
declare const address_hash: string;

const database: StoreDatabase = fileDatabase("x.db");
export const stores = [
  createStore(),
  createStore({ name: "x" }),
  createStore({ database }),
  createStore({ database: memoryDatabase() }),
];
// @ts-expect-error unknown option
createStore({ file: "x" });

const [store = createStore()] = stores;
const report = await sync(client, store, {
  address_hash,
  include: ["transaction"],
  onProgress: ({ fraction }) => fraction.toFixed(2),
});
export const changes: [number, string[], AddressQueryError | null, string | null] = [
  report.added,
  report.removed,
  report.error,
  report.synced_at,
];
// @ts-expect-error `sync` reads newest first
await sync(client, store, { address_hash, order: "asc" });

export const call: ActivityCall<StoredReport | null> = activities(
  store.history(client, { address_hash, order: "asc", from: new Date() }),
);
const [account] = await store.accounts();
if (account) store.history(account, { address_hash: account.account });

const events = new Map<string, HistoryEvent>();
for await (const event of syncedHistory(client, { address_hash, store })) {
  if (event.kind === "removed") events.delete(event.key);
  else events.set(event.key, event);
}

export const explain = ({ code, reason }: AddressQueryError): string =>
  code === "storage" && reason === "quota" ? "full" : code;
