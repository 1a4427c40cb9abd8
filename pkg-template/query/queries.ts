// Creates the options of queries from the methods of a client.
import type { AddressClient } from "../index.js";
import type { ClientSource } from "../public.js";
import type { Queries } from "./public-types.js";
import { createKey } from "./query-key.js";

type QueryMethod = (params: object | undefined, options: object) => PromiseLike<object>;
/** Opens a list or a range. Called with valid parameters only, by the types. */
type OpenMethod = (
  params: object | undefined,
  options: object,
) => { toArray(options: { limit?: number | undefined }): Promise<object> };
interface RangeMethod {
  all?: OpenMethod;
}

/** What TanStack Query passes to a query function. A query with one result has no page parameter. */
interface QueryContext {
  signal: AbortSignal;
  pageParam?: string | null;
}

/**
 * Returns a function for each method of a client, which returns options for TanStack Query in any framework: of an infinite query
 * for a list, otherwise of a query.
 *
 * @remarks
 * Keys are the same for all clients of a chain (`chainId` or `chain`), or of an instance by its URL, in every session, and hold no API
 * key. Results are plain data, so that a cache can be stored, and filled on a server. The client retries failures, so the query does not.
 *
 * @example
 * ```ts
 * import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
 * import { AddressClient } from "address-query";
 * import { createQueries } from "address-query/query";
 *
 * const queries = createQueries(new AddressClient({ baseUrl: "https://eth.blockscout.com" }));
 *
 * const useAddress = (address_hash: string) => useQuery(queries.address({ address_hash }));
 * const useTransfers = (address_hash: string) => useInfiniteQuery(queries.addressTokenTransfers({ address_hash }));
 * ```
 */
export function createQueries(client: AddressClient): Queries {
  return createGroup(client.source, client, "") as Queries;
}

/** `prefix` is the path of the methods: `account.`. */
function createGroup(source: ClientSource, methods: object, prefix: string): object {
  return new Proxy(
    {},
    {
      get: (_, name: string) => {
        const member = (methods as Record<string, unknown>)[name];
        if (typeof member === "function") {
          const path = prefix + name;
          const method = member.bind(methods) as QueryMethod;
          const all = createQuery.bind(
            null,
            source,
            `${path}.all`,
            readAll.bind(null, ((member as RangeMethod).all ?? method) as OpenMethod),
          );
          return Object.assign(createQuery.bind(null, source, path, method), { all });
        }
        return typeof member === "object" ? createGroup(source, member as object, `${prefix}${name}.`) : undefined;
      },
    },
  );
}

/** Reads at most `limit` records of a list or a range. */
function readAll(method: OpenMethod, params: object | undefined, { limit, ...options }: { limit?: number }): Promise<object> {
  return method(params, options).toArray({ limit });
}

/** The members for pages have no effect on a query with one result. */
function createQuery(source: ClientSource, name: string, method: QueryMethod, params?: object, options?: object): object {
  return {
    queryKey: createKey(source, name, params, options),
    queryFn: ({ signal, pageParam }: QueryContext) =>
      method(params, { ...options, signal, ...(pageParam == null ? {} : { resume: pageParam }) }),
    initialPageParam: null,
    getNextPageParam: ({ resumeToken }: { resumeToken: string | null }) => resumeToken,
    retry: false,
  };
}
