// What decides, besides a call itself, which records a client returns.
import type { ClientOptions } from "./options.js";

/**
 * What identifies the records of a client, for the key of a cache: the chain if it is known, else the base URL, and the options that
 * change records. It has no API key.
 */
export type ClientSource = Readonly<
  Pick<Partial<ClientOptions>, "baseUrl" | "chainId" | "badRecords" | "keepExtra" | "showScamTokens">
>;

/** Returns the source of a client with these options. */
export function createSource(options: Partial<ClientOptions>): ClientSource {
  const { chainId, badRecords, keepExtra, showScamTokens } = options;
  // A chain has the same records at the gateway, a proxy and its instance. A query or user name in a URL may be a key.
  const baseUrl = chainId == null ? options.baseUrl?.replace(/[?#].*|[^/]*@/gs, "") : undefined;
  return { baseUrl, chainId, badRecords, keepExtra, showScamTokens };
}
