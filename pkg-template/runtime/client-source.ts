// The part of a client's options that decides which records it returns.
import type { ClientOptions } from "./options.js";

/**
 * The chain if it is known, otherwise the base URL, and the options that change records. Cache keys contain it, because it identifies
 * where records come from. It has no API key.
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
