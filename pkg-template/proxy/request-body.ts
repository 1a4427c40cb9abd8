// The body of a request to forward.
import { refuse } from "./refusal.js";
import type { Route } from "./routes.js";
import { maxCalls, queryHashes, rpcMethods } from "./table.js";

/** Maximum size of a body in bytes. A client's largest has 4 KB: the addresses of 50 balances. */
const MAX_BODY_BYTES = 16_384;

/** Reads the JSON of a body, and serializes it again. Throws the refusal of a body that no route accepts. */
export async function readBody(request: Request, routes: readonly Route[]): Promise<string> {
  const parts: Uint8Array<ArrayBuffer>[] = [];
  let bytes = 0;
  // Leaving the loop cancels the stream, so that the rest of a large body is not read.
  for await (const part of (request.body ?? []) as Iterable<Uint8Array<ArrayBuffer>>) {
    bytes += part.length;
    if (bytes > MAX_BODY_BYTES) throw refuse(413, "a body of this size");
    parts.push(part);
  }
  let body: { query?: unknown; variables?: unknown };
  try {
    body = Object(JSON.parse(await new Blob(parts).text()));
  } catch {
    throw refuse(400, "a body that is not JSON");
  }
  const { query, variables } = body;
  const accepts = (kind: Route["body"]) => routes.some((route) => route.body === kind);
  if (accepts("any")) return JSON.stringify(body);
  if (accepts("rpc")) return JSON.stringify(checkCalls(body));
  if (typeof query !== "string" || !queryHashes.includes(await hash(query))) throw refuse(400, "this GraphQL query");
  return JSON.stringify({ query, variables });
}

/** Throws the refusal of calls that a client does not send. A larger batch would cost credits and be refused. */
function checkCalls(calls: object): readonly unknown[] {
  const isCall = (call: unknown) => rpcMethods.includes(Object(call).method);
  if (!Array.isArray(calls) || calls.length > maxCalls || !calls.every(isCall)) throw refuse(400, "these JSON-RPC calls");
  return calls;
}

/** Returns the first 96 bits of the SHA-256 hash of a string, in base64. */
async function hash(text: string): Promise<string> {
  const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text));
  return btoa(String.fromCharCode(...new Uint8Array(digest, 0, 12)));
}
