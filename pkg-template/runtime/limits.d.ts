// The limits and the format of resume tokens that these sources share with the WebAssembly module. Generated as limits.js.

/** An address hash, in any letter case. */
export declare const ADDRESS: RegExp;
/** Number of concurrent requests of a range by default. */
export declare const DEFAULT_CONCURRENCY: number;
/** The size of a page if the request states none. */
export declare const DEFAULT_PAGE_SIZE: number;
/** The first value of a digest of a resume token: FNV-1a of 64 bits. */
export declare const DIGEST_OFFSET: bigint;
/** The factor of such a digest. */
export declare const DIGEST_PRIME: bigint;
/** The error for a key of the gateway that is used with an instance. */
export declare const FOREIGN_KEY: string;
/** The beginning of the keys of the gateway. */
export declare const GATEWAY_KEY: string;
/** The most pages that a list holds while it is read oldest first. */
export declare const HELD_PAGES: number;
/** What is wrong with a resume token that cannot be read. */
export declare const MALFORMED_TOKEN: string;
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
/** What is wrong with a resume token of another chain, base URL or other parameters. */
export declare const OTHER_REQUEST: string;
/** What is wrong with a resume token of another format. */
export declare const OTHER_TOKEN_VERSION: string;
/** URL of the documentation of the proxy. */
export declare const PROXY_PAGE: string;
/** The first part of a resume token. */
export declare const TOKEN_VERSION: string;
