// The options of queries, as TanStack Query accepts them and infers their results.
import { type InfiniteData, QueryClient } from "@tanstack/query-core";
import { type AddressInfo, AddressClient, type TokenTransfer } from "address-query";
import { type Activity, activities, history, type HistoryEvent, type MergedEvent, mergeHistories } from "address-query/history";
import { type Portfolio, portfolio } from "address-query/portfolio";
import { activitiesQuery, createQueries, historyQuery, type HistoryPage, portfolioQuery } from "address-query/query";

const client = new AddressClient({ baseUrl: "https://eth.blockscout.com" });
const queries = createQueries(client);
const cache = new QueryClient();
const address_hash = "0x00000000219ab540356cBB839Cbe05303d7705Fa";

const transfers = await cache.fetchInfiniteQuery(
  queries.addressTokenTransfers({ address_hash, type: ["ERC-20"] }, { pageSize: 20 }),
);
export const items: TokenTransfer[] = transfers.pages.flatMap((page) => page.items);
export const pageParams: (string | null)[] = transfers.pageParams;
export const balance: string | null = await cache.fetchQuery(queries.account.balance({ address: address_hash }));
const events: InfiniteData<HistoryPage, string | null> = await cache.fetchInfiniteQuery(
  historyQuery(history, client, { address_hash }),
);
export const firstEvent: HistoryEvent | undefined = events.pages[0]?.items[0];
export const all: TokenTransfer[] = await cache.fetchQuery(queries.addressTokenTransfers.all({ address_hash }, { limit: 500 }));
export const nonces: (string | null)[] = (
  await cache.fetchQuery(queries.account.txList.all({ address: address_hash, sort: "asc" }, { limit: 500, concurrency: 2 }))
).map(({ nonce }) => nonce);
const accounts = [{ client, address_hash }];
const merged = await cache.fetchInfiniteQuery(historyQuery(mergeHistories, accounts, { ownTransfers: "once" }));
export const mergedEvent: MergedEvent | undefined = merged.pages[0]?.items[0];
const done = await cache.fetchInfiniteQuery(activitiesQuery(activities, client, { address_hash }));
export const activity: Activity | undefined = done.pages[0]?.items[0];
const readAll = (...args: Parameters<typeof mergeHistories>) => activities(mergeHistories(...args));
export const own: boolean | undefined = (await cache.fetchInfiniteQuery(activitiesQuery(readAll, accounts, {}))).pages[0]?.report
  ?.complete;
export const wallet: Promise<Portfolio> = cache.fetchQuery(portfolioQuery(portfolio, accounts, { include: [] }));
export const info: Promise<AddressInfo> = cache.fetchQuery(queries.address({ address_hash }));

// @ts-expect-error: a parameter that the method requires
queries.address();
// @ts-expect-error: a parameter that the method does not have
queries.addressTokenTransfers({ address_hash, page: 1 });
// @ts-expect-error: the query provides the signal
queries.address({ address_hash }, { signal: new AbortController().signal });
// @ts-expect-error: the query provides the resume token
queries.addressLogs({ address_hash }, { resume: "token" });
// @ts-expect-error: a lookup has no pages
void cache.fetchInfiniteQuery(queries.address({ address_hash }));
// @ts-expect-error: a list in one array needs a limit
queries.addressLogs.all({ address_hash });
// @ts-expect-error: a lookup has no records to collect
queries.address.all;
// @ts-expect-error: not a method
queries.addres;
