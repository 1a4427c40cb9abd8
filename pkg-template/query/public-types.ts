// The options of queries, in the form that TanStack Query takes in every framework.
import type { AddressClient } from "../index.js";
import type { ClientSource, ListCall, Page, RangeCall } from "../public.js";

/**
 * What identifies a query: `["address-query", source, method, parameters, options]`. A prefix of it selects several queries. A query of several
 * accounts has the source and the address of each.
 */
export type QueryKey = readonly [
  library: "address-query",
  source: ClientSource | readonly (ClientSource & { address_hash: string })[],
  method: string,
  params: object,
  options: object,
];

/** The options of a query with one result, for `useQuery` and its equivalents. */
export interface Query<Result> {
  /** Equal for equal calls of clients that read the same chain, or the same instance by its URL. It has no API key. */
  queryKey: QueryKey;
  /** Calls the method. The query's signal cancels the request. */
  queryFn: (context: { signal: AbortSignal }) => Promise<Result>;
  /** The client retries. A query that retried too would multiply its attempts. */
  retry: false;
}

/** The options of a query with pages, for `useInfiniteQuery` and its equivalents. */
export interface PagesQuery<Result> extends Omit<Query<Result>, "queryFn"> {
  /** Reads the page that `pageParam` continues with. The query's signal cancels the request. */
  queryFn: (context: { signal: AbortSignal; pageParam: string | null }) => Promise<Result>;
  /** The first page. */
  initialPageParam: string | null;
  /** Returns the resume token of a page, which continues after it. Null after the last page. */
  getNextPageParam: (lastPage: Result) => string | null;
}

/** Call options without those that the query provides. */
type QueryOptions<Options> = Omit<NonNullable<Options>, "signal" | "resume">;

type QueryArguments<Args extends unknown[]> = Args extends [params: infer Params, options?: infer Options]
  ? [params: Params, options?: QueryOptions<Options>]
  : Args extends [params?: infer Params, options?: infer Options]
    ? [params?: Params, options?: QueryOptions<Options>]
    : never;

type QueryOf<Result> =
  Result extends ListCall<infer Item, infer Cursor, infer Envelope>
    ? PagesQuery<Page<Item, Cursor, Envelope>>
    : Result extends Promise<infer Value>
      ? Query<Value>
      : never;

/** A function `all` of a list or an action: a query with at most `limit` of its records. */
type AllOf<Method> = Method extends { all(params: infer Params, options?: infer Options): RangeCall<infer Row> }
  ? { all(params: Params, options: AllOptions<Options>): Query<Row[]> }
  : Method extends (params: infer Params, options?: infer Options) => ListCall<infer Item, infer _Cursor, infer _Envelope>
    ? { all(params: Params, options: AllOptions<Options>): Query<Item[]> }
    : unknown;
type AllOptions<Options> = QueryOptions<Options> & { limit: number };

/** The methods of an object, as functions that return the options of a query. */
type QueriesOf<Methods> = {
  readonly [Name in keyof Methods]: Methods[Name] extends (...args: infer Args) => infer Result
    ? ((...args: QueryArguments<Args>) => QueryOf<Result>) & AllOf<Methods[Name]>
    : QueriesOf<Methods[Name]>;
};

/**
 * A function for each method of a client, with the parameters of the method. It returns the options of a query. Functions of lists and
 * ranges have a function `all`, whose query has at most `limit` records in one array.
 */
export type Queries = QueriesOf<Omit<AddressClient, "source" | "instance" | "baseUrl" | "preload" | "request">>;
