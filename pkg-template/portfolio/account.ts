// Reads what one account holds.
import { type createFreshOptions, isCoin } from "../entry-support.js";
import { findChain } from "../chains.js";
import {
  type AddressInfo,
  type AddressQueryError,
  type Collected,
  type DailyPrice,
  fiatValue,
  type Hex,
  isAddressQueryError,
  type NftCollection,
  type Token,
  type TokenBalance,
} from "../public.js";
import type { AccountPortfolio, CoinDay, CollectionHolding, Holding, PortfolioClient, PortfolioParams } from "./public-types.js";

/** The prices by day, by base URL. Accounts of an instance share them. */
export type MarketChartCache = Map<string, Promise<DailyPrice[]>>;

interface AccountRead {
  client: PortfolioClient;
  /** In lower case. */
  address: string;
  include: NonNullable<PortfolioParams["include"]>;
  limit: number;
  options: Options;
}

type Options = ReturnType<typeof createFreshOptions>;

/** Reads an account. Its holdings have no values and no spam yet. Rejects only if the signal aborts. */
export async function readAccount(read: AccountRead, charts: MarketChartCache): Promise<AccountPortfolio> {
  const { client, address, include, limit, options } = read;
  const params = { address_hash: address };
  const reasons: string[] = [];
  const errors: AddressQueryError[] = [];
  /** Returns null for a failure, and notes it. */
  const attempt = async <Value>(part: string, reading: Promise<Value>): Promise<Value | null> => {
    try {
      return await reading;
    } catch (error) {
      if (options.signal?.aborted || !isAddressQueryError(error)) throw error;
      errors.push(error);
      reasons.push(`${part}: ${error.message}`);
      return null;
    }
  };
  /** Collects a list, one record further than allowed. */
  const collect = async <Item>(part: string, call: { toArray(options: { limit: number }): Promise<Collected<Item>> }) => {
    const items = await attempt(part, call.toArray({ limit: limit + 1 }));
    if ((items?.length ?? 0) > limit) reasons.push(`${part}: there are more than ${limit}`);
    if (items?.omitted.count) reasons.push(`${part}: ${items.omitted.count} records were omitted`);
    return items?.slice(0, limit) ?? null;
  };
  const read_at = new Date().toISOString();
  const [info, tokens, collections, days] = await Promise.all([
    attempt("coin", readCoin(client, address, options)),
    collect("tokens", client.addressTokens({ ...params, type: "ERC-20" }, options)),
    include.includes("nfts") ? collect("NFTs", client.addressNftCollections(params, options)) : [],
    include.includes("days") ? readDays(client, address, options, charts) : [],
  ]);
  if (info?.coin_balance === null) reasons.push("coin: the service does not know the balance yet");
  const source = String(client.source.chainId ?? client.source.baseUrl);
  const chain_id = client.source.chainId ?? null;
  const coin = info?.coin_balance ? [createCoin(source, chain_id, info, info.coin_balance)] : [];
  const isFailed = info === null && tokens === null;
  return {
    account: address as Hex,
    chain_id,
    state: isFailed ? "failed" : reasons.length === 0 ? "complete" : "incomplete",
    reasons,
    error: errors[0] ?? null,
    read_at,
    block_number: info?.block_number_balance_updated_at ?? null,
    value: "0",
    holdings: [...coin, ...(tokens ?? []).flatMap((balance) => createHolding(source, chain_id, balance))],
    spam: [],
    nfts: (collections ?? []).map((collection) => createCollection(source, chain_id, collection)),
    days,
  };
}

type Coin = Pick<AddressInfo, "coin_balance" | "exchange_rate" | "block_number_balance_updated_at">;
/** Reads the balance of the native coin. The account interface knows the balance of an address that the chain has never seen. */
async function readCoin(client: PortfolioClient, address: string, options: Options): Promise<Coin> {
  const { coin_balance, exchange_rate, block_number_balance_updated_at } = await client.address(
    { address_hash: address },
    options,
  );
  if (coin_balance !== null) return { coin_balance, exchange_rate, block_number_balance_updated_at };
  const [known] = await client.account.balanceMulti({ address: [address] }, options);
  return { coin_balance: known?.balance ?? null, exchange_rate, block_number_balance_updated_at };
}

/** Reads the coins of each day. A failure leaves their amounts or prices unknown. */
async function readDays(
  client: PortfolioClient,
  address: string,
  options: Options,
  charts: MarketChartCache,
): Promise<CoinDay[]> {
  const orNothing = (error: unknown): [] => {
    if (options.signal?.aborted) throw error;
    return [];
  };
  const url = await client.baseUrl().catch(String);
  const chart = charts.get(url) ?? client.marketChart({}, options).then(({ chart_data }) => chart_data);
  charts.set(url, chart);
  const balances = client.addressCoinBalanceHistoryByDay({ address_hash: address }, options).then(({ items }) => items);
  const [prices, changes] = await Promise.all([chart.catch(orNothing), balances.catch(orNothing)]);
  const byDate = (a: { date: string }, b: { date: string }) => (a.date < b.date ? -1 : 1);
  const sorted = [...changes].sort(byDate);
  return [...prices].sort(byDate).map(({ date, closing_price: price }) => {
    // A balance remains until its next change. Before the first one it is not known.
    const amount = sorted.filter((change) => change.date <= date).at(-1)?.value ?? null;
    return { date, amount, price, value: fiatValue(amount, { decimals: 18, exchange_rate: price }) };
  });
}

function createCoin(source: string, chain_id: number | null, { exchange_rate }: Coin, amount: string): Holding {
  const { name = null, symbol = null } = findChain(chain_id)?.nativeCurrency ?? {};
  const asset = { key: `${source}:native`, chain_id, contract: null, name, symbol, decimals: "18" };
  return { ...asset, amount, price: exchange_rate, value: null, token: null };
}

function getContract(token: Token | null): Hex | null {
  return (token?.address_hash.toLowerCase() as Hex | undefined) ?? null;
}

/** Creates the holding of a token. None: its amount is not known, or it is the native coin, which is a token on some chains. */
function createHolding(source: string, chain_id: number | null, { token, value: amount }: TokenBalance): Holding[] {
  const contract = getContract(token);
  if (amount === null || isCoin(contract)) return [];
  const { name = null, symbol = null, decimals = null, exchange_rate: price = null } = token ?? {};
  return [{ key: `${source}:${contract}`, chain_id, contract, name, symbol, decimals, amount, price, value: null, token }];
}

function createCollection(source: string, chain_id: number | null, collection: NftCollection): CollectionHolding {
  const { token, amount, token_instances: instances } = collection;
  return { key: `${source}:${getContract(token)}`, chain_id, token, amount, instances, spam: null };
}
