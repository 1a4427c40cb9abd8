// The requests that the proxy forwards, and the response headers that it passes on. Generated as proxy-table.js.

/** Version of the package. */
export declare const version: string;
/** Requests whose responses may be cached. */
export declare const cacheable: readonly string[];
/** Requests for balances, which must not be stale. */
export declare const uncacheable: readonly string[];
/** The request that sends one of `queries`. */
export declare const graphql: string;
export declare const queries: readonly string[];
/** The response headers that a client reads. */
export declare const clientHeaders: readonly string[];
