// What decides, besides a call itself, which records a client returns.
import type { ClientOptions } from "./options.js";

/** What identifies the records of a client, for the key of a cache: the options that select and change them. It has no API key. */
export type ClientSource = Readonly<Pick<Partial<ClientOptions>, "baseUrl" | "chainId" | "badRecords" | "keepExtra">>;

/** Returns the source of a client with these options. */
export function createSource({ baseUrl, chainId, badRecords, keepExtra }: Partial<ClientOptions>): ClientSource {
  return { baseUrl, chainId, badRecords, keepExtra };
}
