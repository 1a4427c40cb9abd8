// The limits that these sources share with the WebAssembly module. Generated as limits.js.

/** An address hash, in any letter case. */
export declare const ADDRESS: RegExp;
/** Number of concurrent requests of a range by default. */
export declare const DEFAULT_CONCURRENCY: number;
/** The size of a page if the request states none. */
export declare const DEFAULT_PAGE_SIZE: number;
/** Maximum number of contracts whose creations one request returns. */
export declare const MAX_CONTRACTS: number;
/** Maximum number of records of a page. */
export declare const MAX_PAGE_SIZE: number;
/** Maximum number of places in a summary of omitted records. */
export declare const MAX_PLACES: number;
/** Maximum number of calls of contracts in one request. */
export declare const MAX_CALLS: number;
/** Maximum number of rows of an action. */
export declare const MAX_ROWS: number;
/** The first major version of the service in which a request can choose the size of a page. */
export declare const PAGE_SIZE_SINCE: number;
