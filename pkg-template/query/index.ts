// Entry address-query/query: the options of a query as TanStack Query takes them, for each method of a client.
export { createQueries } from "./queries.js";
export { activitiesQuery, type EventPage, type HistoryPage, historyQuery, portfolioQuery } from "./history-query.js";
export type * from "./public-types.js";
