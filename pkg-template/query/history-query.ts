// The options of queries with pages of a history or of activities, and of a portfolio.
import { createParameterError } from "../entry-support.js";
import type {
  Activity,
  ActivityParams,
  HistoryAccount,
  HistoryCall,
  HistoryEvent,
  HistoryParams,
  HistoryReport,
  MergedEvent,
  MergedHistoryReport,
  MergeParams,
} from "../history/index.js";
import type { AddressClient } from "../index.js";
import type { Portfolio, PortfolioAccount, PortfolioParams } from "../portfolio/index.js";
import type { PagesQuery, Query, QueryKey } from "./public-types.js";
import { createKey } from "./query-key.js";

/** A page of events or activities. */
export interface EventPage<Event, Report> {
  /** The events. May be empty on the last page. */
  items: Event[];
  /** Continues after this page. Null on the last page. */
  resumeToken: string | null;
  /** How completely the events were read, up to this page and from where the call began or was resumed. */
  report: Report | null;
}

/** A page of a history. */
export type HistoryPage = EventPage<HistoryEvent, HistoryReport>;

/** A call that a page reads: of `history`, `mergeHistories` or `activities`. */
type EventCall<Event, Report> = Pick<HistoryCall, "resumeToken"> & {
  more(limit: number): Promise<Event[]>;
  readonly report: Report | null;
};
/** Parameters without those that the query provides. */
type PageParams<Params> = Omit<Params, "signal" | "resume">;

/**
 * Returns the options of an infinite query whose pages are parts of a history.
 *
 * @param history - The function `history` of `address-query/history`, so that only apps which use it load it. `mergeHistories` for accounts.
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
  history: (client: AddressClient, params: HistoryParams) => EventCall<HistoryEvent, HistoryReport>,
  client: AddressClient,
  params: PageParams<HistoryParams>,
  limit?: number,
): PagesQuery<HistoryPage>;
export function historyQuery<Account extends HistoryAccount>(
  mergeHistories: (accounts: readonly Account[], params: MergeParams) => EventCall<MergedEvent, MergedHistoryReport>,
  accounts: readonly Account[],
  params: PageParams<MergeParams>,
  limit?: number,
): PagesQuery<EventPage<MergedEvent, MergedHistoryReport>>;
export function historyQuery(read: ReadEvents, source: QuerySource, params: object, limit = 50): object {
  return createPagesQuery("history", read, source, params, limit);
}

/**
 * Returns the options of an infinite query whose pages are activities.
 *
 * @param activities - The function `activities` of `address-query/history`. For accounts, a function that calls it with a merged history.
 * @param limit - The number of activities of a page: an integer of at least 1.
 *
 * @example
 * ```ts
 * import { useInfiniteQuery } from "@tanstack/react-query";
 * import { activities } from "address-query/history";
 * import { activitiesQuery } from "address-query/query";
 *
 * const useActivities = (address_hash: string) => useInfiniteQuery(activitiesQuery(activities, client, { address_hash }));
 * ```
 */
export function activitiesQuery<Report>(
  activities: (client: AddressClient, params: ActivityParams) => EventCall<Activity, Report>,
  client: AddressClient,
  params: PageParams<ActivityParams>,
  limit?: number,
): PagesQuery<EventPage<Activity, Report>>;
export function activitiesQuery<Account extends HistoryAccount, Report>(
  activities: (accounts: readonly Account[], params: MergeParams) => EventCall<Activity, Report>,
  accounts: readonly Account[],
  params: PageParams<MergeParams>,
  limit?: number,
): PagesQuery<EventPage<Activity, Report>>;
export function activitiesQuery(read: ReadEvents, source: QuerySource, params: object, limit = 50): object {
  return createPagesQuery("activities", read, source, params, limit);
}

/**
 * Returns the options of a query of a portfolio.
 *
 * @param portfolio - The function `portfolio` of `address-query/portfolio`, so that only apps which use it load it.
 *
 * @example
 * ```ts
 * import { useQuery } from "@tanstack/react-query";
 * import { portfolio } from "address-query/portfolio";
 * import { portfolioQuery } from "address-query/query";
 *
 * const usePortfolio = (address_hash: string) => useQuery(portfolioQuery(portfolio, [{ client, address_hash }]));
 * ```
 */
export function portfolioQuery<Account extends PortfolioAccount>(
  portfolio: (accounts: readonly Account[], params: PortfolioParams) => Promise<Portfolio>,
  accounts: readonly Account[],
  params: Omit<PortfolioParams, "signal" | "previous" | "changed"> = {},
): Query<Portfolio> {
  return {
    queryKey: createKey(toSources(accounts), "portfolio", params),
    queryFn: ({ signal }) => portfolio(accounts, { ...params, signal }),
    retry: false,
  };
}

type QuerySource = AddressClient | readonly HistoryAccount[];
type ReadEvents = (source: never, params: never) => EventCall<unknown, unknown>;

function createPagesQuery(
  name: string,
  read: ReadEvents,
  source: QuerySource,
  params: object,
  limit: number,
): PagesQuery<EventPage<unknown, unknown>> {
  return {
    queryKey: createKey("source" in source ? source.source : toSources(source), name, params, { limit }),
    queryFn: async ({ signal, pageParam }) => {
      if (!(Number.isInteger(limit) && limit > 0)) throw createParameterError("limit", "must be an integer of at least 1");
      const call = read(source as never, { ...params, signal, resume: pageParam ?? undefined } as never);
      const items = await call.more(limit);
      return { items, resumeToken: call.resumeToken, report: call.report };
    },
    initialPageParam: null,
    getNextPageParam: ({ resumeToken }) => resumeToken,
    retry: false,
  };
}

/** The chain and the address of each account. */
function toSources(accounts: readonly PortfolioAccount[] | readonly HistoryAccount[]): QueryKey[1] {
  return accounts.map(({ client, address_hash }) => ({ ...client.source, address_hash }));
}
