// The options of a query with pages of a history.
import { createParameterError } from "../entry-support.js";
import type { HistoryCall, HistoryClient, HistoryEvent, HistoryParams, HistoryReport } from "../history/index.js";
import type { AddressClient } from "../index.js";
import type { PagesQuery } from "./public-types.js";
import { createKey } from "./query-key.js";

/** A page of a history. */
export interface HistoryPage {
  /** The events. May be empty on the last page. */
  items: HistoryEvent[];
  /** Continues after this page. Null on the last page. */
  resumeToken: string | null;
  /** How completely the history was read, up to this page and from where it began or was resumed. */
  report: HistoryReport | null;
}

/** Reads a history: `history` of `address-query/history`. */
type ReadHistory = (client: HistoryClient, params: HistoryParams) => HistoryCall;

/**
 * Returns the options of an infinite query whose pages are parts of a history.
 *
 * @param history - The function `history` of `address-query/history`, so that only apps which use it load it.
 * @param limit - The number of events of a page: an integer of at least 1.
 *
 * @example
 * ```ts
 * import { useInfiniteQuery } from "@tanstack/react-query";
 * import { history } from "address-query/history";
 * import { historyQuery } from "address-query/query";
 *
 * const useHistory = (address_hash: string) => useInfiniteQuery(historyQuery(history, client, { address_hash }));
 * ```
 */
export function historyQuery(
  history: ReadHistory,
  client: AddressClient,
  params: Omit<HistoryParams, "signal" | "resume">,
  limit = 50,
): PagesQuery<HistoryPage> {
  return {
    queryKey: createKey(client.source, "history", params, { limit }),
    queryFn: async ({ signal, pageParam }) => {
      if (!(Number.isInteger(limit) && limit > 0)) throw createParameterError("limit", "must be an integer of at least 1");
      const call = history(client, { ...params, signal, resume: pageParam ?? undefined });
      const items: HistoryEvent[] = [];
      for await (const event of call) if (items.push(event) >= limit) break;
      return { items, resumeToken: call.resumeToken, report: call.report };
    },
    initialPageParam: null,
    getNextPageParam: ({ resumeToken }) => resumeToken,
    retry: false,
  };
}
