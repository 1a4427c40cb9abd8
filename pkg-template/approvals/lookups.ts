// Looks up spenders, tokens and balances.
import type { ActionOptions, AddressInfo, AddressQueryError, Token } from "../public.js";
import type { Grant } from "./approval-log.js";
import type { ApprovalsClient } from "./public-types.js";

/** Maximum number of concurrent lookups. More would only wait for the rate limit, and could time out there. */
const CONCURRENCY = 4;
/** With these codes, the service lacks the data. Any other failure makes the call fail. */
const UNAVAILABLE = /^(refused|http_status|unsupported_version|decode|blocked)$/;

/** The results of lookups, by address in lower case. Null: the service does not have it. */
export interface Details {
  spenders: Map<string, AddressInfo | null>;
  tokens: Map<string, Token | null>;
  /** In base units. */
  balances: Map<string, string | null>;
}

/** Looks up each spender and token once, and the balance of each token of which an amount is approved. */
export async function readDetails(
  client: ApprovalsClient,
  address: string,
  grants: readonly Grant[],
  options: ActionOptions,
  onLookup: (fraction: number) => void,
): Promise<Details> {
  const details: Details = { spenders: new Map(), tokens: new Map(), balances: new Map() };
  const lookups: (() => Promise<void>)[] = [];
  const add = <Value>(keys: readonly string[], values: Map<string, Value | null>, read: (key: string) => Promise<Value>) => {
    for (const key of new Set(keys)) lookups.push(async () => void values.set(key, await readOrNull(read(key))));
  };
  const spenders = grants.map(({ spender }) => spender);
  const tokens = grants.map(({ token }) => token);
  const fungible = grants.filter(({ kind }) => kind === "allowance" || kind === "permit2").map(({ token }) => token);
  add(spenders, details.spenders, (address_hash) => client.address({ address_hash }, options));
  add(tokens, details.tokens, (address_hash) => client.token({ address_hash }, options));
  add(fungible, details.balances, (contractaddress) => client.account.tokenBalance({ contractaddress, address }, options));
  const { length } = lookups;
  let done = 0;
  const work = async () => {
    for (let lookup = lookups.shift(); lookup; lookup = lookups.shift()) {
      await lookup();
      done += 1;
      onLookup(done / length);
    }
  };
  await Promise.all(Array.from({ length: CONCURRENCY }, work));
  return details;
}

/** Returns null for what the service does not have, if no further attempt changes that. */
export function readOrNull<Result>(result: Promise<Result>): Promise<Result | null> {
  return result.catch((error: AddressQueryError) => {
    if (!error.retryable && UNAVAILABLE.test(error.code)) return null;
    throw error;
  });
}
