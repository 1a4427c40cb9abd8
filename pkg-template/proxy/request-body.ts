// The body of a request to forward.
import { refuse } from "./refusal.js";
import type { Route } from "./routes.js";

/** The largest body, in bytes. That of a client has 4 KB: the addresses of 50 balances. */
const MAX_BODY_BYTES = 16_384;

/** Reads the JSON of a body, and serializes it anew. Throws the refusal of a body that no route accepts. */
export async function readBody(request: Request, routes: readonly Route[]): Promise<string> {
  let body: { query?: unknown; variables?: unknown };
  const text = await readText(request);
  try {
    body = Object(JSON.parse(text));
  } catch {
    throw refuse(400, "a body that is not JSON");
  }
  const { query, variables } = body;
  if (routes.some(({ queries }) => queries === undefined)) return JSON.stringify(body);
  if (!routes.some(({ queries }) => queries?.includes(query as string))) throw refuse(400, "this GraphQL query");
  return JSON.stringify({ query, variables });
}

/** Reads a body as it arrives, so that the rest of a large one is not read. */
async function readText(request: Request): Promise<string> {
  const reader = request.body?.getReader();
  const parts: Uint8Array<ArrayBuffer>[] = [];
  let bytes = 0;
  for (let part = await reader?.read(); part?.value; part = await reader?.read()) {
    bytes += part.value.length;
    if (bytes > MAX_BODY_BYTES) {
      reader?.cancel().catch(() => {});
      throw refuse(413, "a body of this size");
    }
    parts.push(part.value);
  }
  return new Blob(parts).text();
}
