// `portfolio`: what several addresses hold, on any number of chains.
import {
  checkAddress,
  checkCallOptions,
  checkClient,
  checkNames,
  createFreshOptions,
  createParameterError,
} from "../entry-support.js";
import { type MarketChartCache, readAccount } from "./account.js";
import { combine } from "./combine.js";
import type { AccountPortfolio, Portfolio, PortfolioAccount, PortfolioParams } from "./public-types.js";

const NAMES = ["include", "limit", "previous", "changed", "signal"];
const PARTS: NonNullable<PortfolioParams["include"]> = ["nfts", "days"];
const DEFAULT_LIMIT = 1_000;

/**
 * Reads what several accounts hold, addresses on any number of chains: coins, tokens with exact values, and NFT collections.
 *
 * @remarks
 * Holdings of a token on one chain are added up. Amounts, prices and values are decimal strings. Tokens that are probably spam are listed
 * apart. Values are sums of what has a price, and `unpriced` counts the rest. Each account sends about four requests, and each chain one for
 * the prices by day. Fungible tokens are the ERC-20 tokens. Encrypted balances (ERC-7984) have no amount, and are left out.
 *
 * A failure of one account does not lose the others: its `state` and `reasons` say what is missing. Pass the result as `previous` to read
 * only what failed, and the accounts in `changed`, which keeps a portfolio fresh while `watch` delivers their events.
 *
 * @example
 * ```ts
 * import { formatAmount } from "address-query";
 * import { portfolio } from "address-query/portfolio";
 *
 * const { value, holdings, complete } = await portfolio([{ client, address_hash }]);
 * console.log(value, complete);
 * for (const holding of holdings) console.log(formatAmount(holding.amount, holding), holding.symbol, holding.value);
 * ```
 * @throws {AddressQueryError} `invalid_parameter` for a parameter that is unknown or invalid, and `aborted`.
 */
export async function portfolio(accounts: readonly PortfolioAccount[], params: PortfolioParams = {}): Promise<Portfolio> {
  checkAccounts(accounts);
  checkNames("parameter", params, NAMES);
  const { include = PARTS, limit = DEFAULT_LIMIT, previous, changed = [], signal } = params;
  checkCallOptions({ signal });
  if (!Array.isArray(include) || !include.every((part) => PARTS.includes(part)))
    throw createParameterError("include", `must be an array of ${PARTS.join(", ")}`);
  if (!Number.isSafeInteger(limit) || limit < 1) throw createParameterError("limit", "must be an integer of at least 1");
  if (!Array.isArray(changed)) throw createParameterError("changed", "must be an array of { account, chain_id }");
  const charts: MarketChartCache = new Map();
  // One listener for all accounts: many on one signal look like a leak.
  const controllers = accounts.map(() => new AbortController());
  const abort = () => {
    for (const controller of controllers) controller.abort(signal?.reason);
  };
  signal?.addEventListener("abort", abort, { once: true });
  if (signal?.aborted) abort();
  const read = async ({ client, address_hash }: PortfolioAccount, index: number): Promise<AccountPortfolio> => {
    const account = address_hash.toLowerCase();
    const chainId = client.source.chainId ?? null;
    const known = previous?.accounts[index];
    const isSame = known?.account === account && known.chain_id === chainId && known.state === "complete";
    const isChanged = changed.some(
      (change) => change.account.toLowerCase() === account && (change.chain_id === undefined || change.chain_id === chainId),
    );
    if (known !== undefined && isSame && !isChanged) return known;
    const options = createFreshOptions(controllers[index]?.signal);
    return readAccount({ client, address: account, include, limit, options }, charts);
  };
  try {
    return combine(await Promise.all(accounts.map(read)));
  } finally {
    signal?.removeEventListener("abort", abort);
  }
}

function checkAccounts(accounts: readonly PortfolioAccount[]): void {
  if (!Array.isArray(accounts) || accounts.length === 0)
    throw createParameterError("accounts", "must be an array of { client, address_hash }, with at least one");
  const ids = accounts.map((account: Partial<PortfolioAccount> | null) => {
    checkClient(account?.client);
    checkAddress("address_hash", account?.address_hash as string);
    const { client, address_hash } = account as PortfolioAccount;
    return `${client.source.chainId ?? client.source.baseUrl} ${address_hash.toLowerCase()}`;
  });
  if (new Set(ids).size < ids.length) throw createParameterError("accounts", "must not have an address twice on one chain");
}
