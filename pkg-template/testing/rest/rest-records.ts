// The responses of the REST API that are not pages of a list.

import { createMissingRecordError } from "../api-error.js";
import { COIN_PRICE } from "../ledger/coin-price.js";
import { getCreation } from "../ledger/parent-transactions.js";
import { CONTRACT_RECORDS } from "./contract-records.js";
import { DETAIL_RECORDS } from "./detail-records.js";
import type { RecordContext, RestRecord } from "./rest-record.js";
import type { SerializedItem } from "./rest-serializer.js";
import { SEARCH_RECORDS } from "./search.js";
import { serializeTransactionDetails } from "./transaction-serializer.js";

/** Counters of the tabs stop here, which means "more than 50". */
const MAX_TAB_COUNT = 51;
const HISTORY_DAYS = 10;
const BLOCKS_PER_DAY = 7200;
/** The number of coins in the market. */
const COIN_SUPPLY = 120_712_345n;

function serializeAddressInfo(hash: string, context: RecordContext): SerializedItem {
  const { chain, serializer, countRows } = context;
  const profile = chain.accounts.getProfile(hash);
  const token = chain.accounts.getToken(hash);
  // As in the service, a request makes it fetch a stale balance.
  const { balance, isKnown } = chain.balances.request(hash);
  const creation = getCreation(chain, hash);
  const has = (list: string) => countRows(`/addresses/{hash}/${list}`, hash) > 0;
  return {
    ...serializer.serializeAddress(hash),
    block_number_balance_updated_at: isKnown && balance !== null ? getBalanceBlock(hash, context) : null,
    coin_balance: isKnown && balance !== null ? String(balance) : null,
    creation_transaction_hash: creation && chain.getTransactionHash(creation.block_number, creation.transaction_index),
    creator_address_hash: creation && serializer.serializeAddress(creation.creator).hash,
    exchange_rate: COIN_PRICE,
    has_beacon_chain_withdrawals: has("withdrawals"),
    has_logs: has("logs"),
    has_token_transfers: has("token-transfers"),
    has_tokens: has("tokens"),
    has_validated_blocks: has("blocks-validated"),
    is_verified: profile.isVerified,
    token: token ? serializer.serializeToken(token) : null,
    watchlist_address_id: null,
    ...serializer.membersSince(9, { creation_status: creation && "success" }),
  };
}

/** The block of the newest balance change. */
function getBalanceBlock(hash: string, { chain }: RecordContext): number {
  const newest = chain.tables.history.getBalanceChanges(hash).rows.at(-1);
  return newest?.block_number ?? chain.head - chain.createRandom("balance block", hash).nextInt(50_000);
}

function serializeCounters(hash: string, { chain, countRows }: RecordContext): SerializedItem {
  const count = (list: string) => String(countRows(`/addresses/{hash}/${list}`, hash));
  const gasUsed = chain.tables
    .getTablesFor(hash)
    .entries.rows.filter(({ row }) => row.from === hash || row.to === hash || row.createdContract === hash)
    .reduce((sum, { content }) => sum + (content.gasUsed ?? 0n), 0n);
  return {
    gas_usage_count: String(gasUsed),
    token_transfers_count: count("token-transfers"),
    transactions_count: count("transactions"),
    validations_count: count("blocks-validated"),
  };
}

function serializeTabsCounters(hash: string, { countRows, serializer, version }: RecordContext): SerializedItem {
  const count = (list: string) => Math.min(MAX_TAB_COUNT, countRows(`/addresses/{hash}/${list}`, hash));
  return {
    internal_transactions_count: count("internal-transactions"),
    logs_count: count("logs"),
    token_balances_count: count("tokens"),
    token_transfers_count: count("token-transfers"),
    transactions_count: count("transactions"),
    validations_count: count("blocks-validated"),
    withdrawals_count: count("withdrawals"),
    ...serializer.membersSince(9, { beacon_deposits_count: count("beacon/deposits") }),
    // Version 12 has it only on Celo.
    ...(version === 9 || version === 11 ? { celo_election_rewards_count: count("celo/election-rewards") } : {}),
  };
}

/** The balance at the end of each day with a change, and the current one. */
function serializeDailyBalances(hash: string, { chain, version }: RecordContext): unknown {
  const newestByDay = new Map<string, { readonly block_number: number; readonly value: bigint }>();
  for (const { block_number, value } of chain.tables.history.getBalanceChanges(hash).rows) {
    if (block_number <= chain.head - HISTORY_DAYS * BLOCKS_PER_DAY) continue;
    const date = chain.getTimestamp(block_number).slice(0, 10);
    if (block_number > (newestByDay.get(date)?.block_number ?? 0)) newestByDay.set(date, { block_number, value });
  }
  const { balance, isKnown } = chain.balances.peek(hash);
  const { head } = chain;
  const today = chain.getTimestamp(head).slice(0, 10);
  if (isKnown && balance !== null) newestByDay.set(today, { block_number: head, value: balance });
  const items = [...newestByDay]
    .sort(([, a], [, b]) => a.block_number - b.block_number)
    .map(([date, { value }]) => ({ date, value: String(value) }));
  return version === 8 ? items : { days: HISTORY_DAYS, items };
}

function serializeStats({ chain, version }: RecordContext): SerializedItem {
  const today = chain.getTimestamp(chain.head).slice(0, 10);
  const isToday = (block: number) => chain.getTimestamp(block).startsWith(today);
  const mined = chain.tables.entries.rows.filter(({ block_number }) => block_number !== null);
  const minedToday = mined.filter(({ block_number }) => block_number !== null && isToday(block_number));
  const sumGas = (entries: typeof mined) => String(entries.reduce((sum, { content }) => sum + (content.gasUsed ?? 0n), 0n));
  return {
    average_block_time: 12_000,
    coin_image: null,
    coin_price: COIN_PRICE,
    coin_price_change_percentage: -1.25,
    gas_price_updated_at: `${chain.getTimestamp(chain.head)}.000000Z`,
    gas_prices: version === 8 ? { slow: 0.9, average: 1.2, fast: 2.1 } : createGasPrices(chain.getBaseFee(chain.head)),
    gas_prices_update_in: 11_000,
    gas_used_today: sumGas(minedToday),
    market_cap: `${COIN_SUPPLY * BigInt(COIN_PRICE.replace(".", ""))}`.replace(/(..)$/, ".$1"),
    network_utilization_percentage: 51.2,
    secondary_coin_image: null,
    secondary_coin_price: null,
    static_gas_price: null,
    total_addresses: String(chain.balances.getListedHashes().length),
    total_blocks: String(chain.head + 1),
    total_gas_used: "0",
    total_transactions: String(mined.length),
    transactions_today: String(minedToday.length),
    tvl: null,
  };
}

/** Gas prices in gwei, with their parts. */
function createGasPrices(baseFee: number): SerializedItem {
  const createPrice = (priorityFee: number, time: number) => ({
    base_fee: baseFee / 1e9,
    fiat_price: ((((baseFee + priorityFee) * 21_000) / 1e18) * Number(COIN_PRICE)).toFixed(2),
    price: (baseFee + priorityFee) / 1e9,
    priority_fee: priorityFee / 1e9,
    priority_fee_wei: String(priorityFee),
    time,
    wei: String(baseFee + priorityFee),
  });
  return {
    slow: createPrice(10_000_000, 36_000),
    average: createPrice(100_000_000, 12_000.5),
    fast: createPrice(900_000_000, 12_000),
  };
}

/** The records by path. */
export const REST_RECORDS: ReadonlyMap<string, RestRecord> = new Map<string, RestRecord>(
  Object.entries({
    ...DETAIL_RECORDS,
    ...CONTRACT_RECORDS,
    ...SEARCH_RECORDS,
    "/addresses/{hash}": { serialize: serializeAddressInfo },
    "/addresses/{hash}/counters": { serialize: serializeCounters },
    "/addresses/{hash}/tabs-counters": { serialize: serializeTabsCounters },
    "/addresses/{hash}/token-balances": {
      serialize: (hash: string, { serializeRows }: RecordContext) =>
        serializeRows("/addresses/{hash}/tokens", hash).map((item) => ({ ...item, token_instance: null })),
    },
    "/addresses/{hash}/coin-balance-history-by-day": { serialize: serializeDailyBalances },
    "/transactions/{hash}": {
      serialize(hash: string, { chain, serializer }: RecordContext) {
        const entry = chain.findTransaction(hash);
        if (!entry) throw createMissingRecordError();
        return serializeTransactionDetails(entry, serializer);
      },
    },
    "/stats": { serialize: (_: string, context: RecordContext) => serializeStats(context) },
    "/main-page/indexing-status": {
      serialize: (_: string, { version, chain: { tracedShare } }: RecordContext) => ({
        finished_indexing: tracedShare === 1,
        finished_indexing_blocks: true,
        // Version 8 sends strings.
        indexed_blocks_ratio: version === 8 ? "1.00" : 1,
        indexed_internal_transactions_ratio: version === 8 ? tracedShare.toFixed(2) : tracedShare,
      }),
    },
    "/config/backend-version": {
      serialize: (_: string, { versionName }: RecordContext) => ({ backend_version: versionName }),
    },
    "/config/backend": {
      minVersion: 11,
      serialize: (_: string, { chain: { chainType } }: RecordContext) => ({
        chain_type: chainType,
        openapi_spec_folder_name: chainType,
      }),
    },
  }),
);
