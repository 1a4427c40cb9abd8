// The requests that the proxy forwards, and the response headers that it passes on. Generated as proxy/table.js.

/** Version of the package. */
export declare const version: string;
/** Requests whose responses may be cached. The format is in src/bin/generate/proxy.rs. */
export declare const cacheable: string;
/** Requests for balances, which must not be stale. */
export declare const uncacheable: string;
/** The request that sends a GraphQL query. */
export declare const graphql: string;
/** The first 96 bits of the SHA-256 hash of each query of a client, in base64. */
export declare const queryHashes: readonly string[];
/** The request that sends a batch of JSON-RPC calls. */
export declare const rpc: string;
/** The methods of these calls. */
export declare const rpcMethods: readonly string[];
/** Maximum number of calls in a batch. */
export declare const maxCalls: number;
/** The path of that request at an instance. */
export declare const instanceRpcPath: string;
/** The response headers that a client reads. */
export declare const clientHeaders: readonly string[];
