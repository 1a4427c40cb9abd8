// Several addresses and chains as one account. The route lists them: `mainnet:0x…,10:0x…,sample:0x…`.
import type { Activity } from "address-query/history";
import { portfolio } from "address-query/portfolio";
import { cleanText, isAddress } from "../format/text.js";
import { toAddress } from "../route/route.js";
import { openService, type Service } from "../service/service.js";
import { toChainSource } from "../service/source.js";
import type { CellContext } from "../table/context.js";

export interface Account {
  service: Service;
  address_hash: string;
}

const SAMPLE = "sample";

/** The source of a chain by its id, its name in the package, or the URL of an instance. */
function toSource(chain: string): string {
  if (chain === SAMPLE) return "";
  return /^\d+$/.test(chain) ? toChainSource(Number(chain)) : chain;
}

/** Parses a list that commas or spaces separate. An address without a chain is on the chain of `source`. */
export function parseAccounts(list: string, source = ""): Account[] {
  const entries = list.split(/[\s,;]+/).filter(Boolean);
  const accounts = entries.map((entry) => {
    const end = entry.lastIndexOf(":");
    const address_hash = entry.slice(end + 1);
    if (!isAddress(address_hash)) throw new Error(`Invalid address: ${cleanText(entry, 60)}`);
    return { service: openService(end < 0 ? source : toSource(entry.slice(0, end))), address_hash };
  });
  return [...new Map(accounts.map((account) => [formatAccounts([account]).toLowerCase(), account])).values()];
}

export const formatAccounts = (accounts: readonly Account[]): string =>
  accounts.map(({ service, address_hash }) => `${service.source || SAMPLE}:${address_hash}`).join();

export const toClients = (list: string) =>
  parseAccounts(list).map(({ service, address_hash }) => ({ client: service.client, address_hash }));

/** For `readShared`. Its subject is the list. */
export const readPortfolio = async (_client: unknown, list: string) => portfolio(toClients(list));

/** The account of a part of a portfolio or merged history. */
export function findAccount(list: string, { account, chain_id }: Pick<Activity, "account" | "chain_id">): Account | undefined {
  return parseAccounts(list).find(
    ({ service, address_hash }) =>
      address_hash.toLowerCase() === account && (service.client.source.chainId ?? null) === (chain_id ?? null),
  );
}

/** The cells of another chain, whose links lead there. */
export const toCells = (cells: CellContext, { service, address_hash }: Account): CellContext => ({
  ...cells,
  coin: service.coin,
  chainId: service.chainId,
  route: { ...toAddress(cells.route, address_hash), source: service.source, tab: "" },
});
