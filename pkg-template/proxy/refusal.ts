// The responses of the proxy itself, which are thrown.

/** Creates the response to a request that is not forwarded. */
export function refuse(status: number, what: string, headers: Record<string, string> = {}): Response {
  return createErrorResponse(status, `the proxy does not forward ${what}`, "proxy", headers);
}

/**
 * Creates a response in the format of the gateway's errors. `source` is the server that failed. For a client, `internal` with status
 * 404 means that the gateway does not serve the chain.
 */
export function createErrorResponse(
  status: number,
  error: string,
  source: "proxy" | "internal" | "upstream",
  headers: Record<string, string> = {},
): Response {
  return Response.json({ error, source }, { status, headers });
}
