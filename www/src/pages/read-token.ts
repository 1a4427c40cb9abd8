// Reads the token that a page shows.
import type { AddressClient, Token, TokenCounters } from "address-query";

/** A token with its numbers of holders and transfers, which are null if they could not be read. */
export interface CountedToken extends Token {
  counters: TokenCounters | null;
}

/** Reads the token once for the page and its holders, with `readShared`. */
export async function readToken(client: AddressClient, address_hash: string): Promise<CountedToken> {
  const counters = client.tokenCounters({ address_hash }).then(
    (value) => value,
    () => null,
  );
  return { ...(await client.token({ address_hash })), counters: await counters };
}
