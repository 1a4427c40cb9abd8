// The limits that these sources share with the WebAssembly module. Generated as limits.js.

/** Number of concurrent requests of a range by default. */
export declare const DEFAULT_CONCURRENCY: number;
/** Maximum number of concurrent requests of a list or range. */
export declare const MAX_CONCURRENCY: number;
/** Maximum number of records of a page. */
export declare const MAX_PAGE_SIZE: number;
/** Maximum number of places in a summary of omitted records. */
export declare const MAX_PLACES: number;
/** Maximum number of rows of an action. */
export declare const MAX_ROWS: number;
