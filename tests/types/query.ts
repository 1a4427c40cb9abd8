// The options of queries, as TanStack Query accepts them and infers their results.
import { type InfiniteData, QueryClient } from "@tanstack/query-core";
import { type AddressInfo, AddressClient, type TokenTransfer } from "address-query";
import { history, type HistoryEvent } from "address-query/history";
import { createQueries, historyQuery, type HistoryPage } from "address-query/query";

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
// @ts-expect-error: not a method
queries.addres;
