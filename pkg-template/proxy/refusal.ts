// The responses of the proxy itself, which are thrown.

/** Creates the response to a request that is not forwarded. */
export const refuse = (
  status: number,
  what: string,
  headers?: Record<string, string>,
  source: "proxy" | "internal" = "proxy",
): Response => createErrorResponse(status, `the proxy does not forward ${what}`, source, headers);

/**
 * Creates a response in the format of the gateway's errors. `source` is the server that failed. For a client, `internal` with status
 * 404 means that the gateway does not serve the chain.
 */
export const createErrorResponse = (
  status: number,
  error: string,
  source: "proxy" | "internal" | "upstream",
  headers?: Record<string, string>,
): Response => Response.json({ error, source }, { status, headers: { "cache-control": "no-store", ...headers } });
