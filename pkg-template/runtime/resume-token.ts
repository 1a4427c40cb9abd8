// Resume tokens of histories, watches and lists of approvals. They have the same format as the tokens of lists
// (src/client/resume.rs), and their position is JSON: aq1.<operation>.<request digest>.<checksum>.<position>
// The WebAssembly module does not encode them: a stored history has no client, and `resumeToken` returns a string before the module
// has loaded and after it has crashed.
import type { Client } from "./client.js";
import { createParameterError } from "./errors.js";
import { DIGEST_OFFSET, DIGEST_PRIME, MALFORMED_TOKEN, OTHER_REQUEST, OTHER_TOKEN_VERSION, TOKEN_VERSION } from "./limits.js";

/** The content of a token. */
export interface ResumeToken<Position> {
  /** The parameter in which the token was passed. */
  parameter: string;
  /** The digest of the request that it belongs to. */
  request: string;
  position: Position;
}

/**
 * Returns the digest of a call's chain, or base URL where the chain is not known, and parameters. Throws if its token belongs to
 * another request. Older versions always digested the base URL.
 */
export async function digestRequest(
  client: Pick<Client, "baseUrl" | "source">,
  identity: string,
  token: ResumeToken<unknown> | null,
): Promise<string> {
  const baseUrl = await client.baseUrl();
  const [request = "", old] = [client.source.chainId ?? baseUrl, baseUrl].map((source) => digest(`${source} ${identity}`));
  if (token && token.request !== request && token.request !== old) throw createParameterError(token.parameter, OTHER_REQUEST);
  return request;
}

/** Encodes a position, a JSON value. `request` is the digest of the request that it belongs to. */
export function encodeToken(operation: string, request: string, position: unknown): string {
  return formatToken(operation, request, encodeURIComponent(JSON.stringify(position)));
}

/** Decodes a token. Throws if it is damaged, belongs to another operation, or if `isValid` rejects the position. */
export function decodeToken<Position>(
  operation: string,
  parameter: string,
  token: string,
  isValid: (position: Position) => boolean,
): ResumeToken<Position> {
  const [, version, owner = "", request = "", text = ""] = /^(\w+)\.(\w+)\.(\w+)\.\w+\.(.+)/.exec(token) ?? [];
  let rule = version && version !== TOKEN_VERSION ? OTHER_TOKEN_VERSION : MALFORMED_TOKEN;
  if (token === formatToken(owner, request, text)) {
    if (owner !== operation) rule = `is a token of ${owner}, not of ${operation}`;
    else {
      try {
        const position = JSON.parse(decodeURIComponent(text));
        if (isValid(position)) return { parameter, request, position };
      } catch {
        // Not JSON, or not of the expected shape.
      }
    }
  }
  throw createParameterError(parameter, rule);
}

function formatToken(operation: string, request: string, text: string): string {
  const prefix = `${TOKEN_VERSION}.${operation}.${request}.`;
  return `${prefix}${digest(prefix + text)}.${text}`;
}

/** FNV-1a of 64 bits, as hex digits. */
function digest(text: string): string {
  let hash = DIGEST_OFFSET;
  for (const byte of new TextEncoder().encode(text)) hash = BigInt.asUintN(64, (hash ^ BigInt(byte)) * DIGEST_PRIME);
  return hash.toString(16).padStart(16, "0");
}
