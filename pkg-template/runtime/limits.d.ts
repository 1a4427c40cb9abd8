// The limits that these sources share with the WebAssembly module. Generated as limits.js.

/** Maximum number of concurrent requests of a list or range. */
export declare const MAX_CONCURRENCY: number;
/** Maximum number of places in a summary of omitted records. */
export declare const MAX_PLACES: number;
