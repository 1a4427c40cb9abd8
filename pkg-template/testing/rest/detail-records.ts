// The REST responses about one token, NFT, block, user operation or transaction that are not pages of a list.

import { createMissingRecordError } from "../api-error.js";
import { COIN_PRICE, getHistoricCoinPrice } from "../ledger/coin-price.js";
import { findBlock, serializeBlock } from "./block-serializer.js";
import type { RecordContext, RestRecord } from "./rest-record.js";
import type { RestQuery } from "./rest-query.js";
import type { SerializedItem } from "./rest-serializer.js";
import { serializeInstance } from "./token-lists.js";
import { getUserOperations, serializeUserOperation } from "./transaction-lists.js";

const CHART_DAYS = 30;
const BLOCKS_PER_DAY = 7200;
const COIN_SUPPLY = 120_712_345;

/** Returns a value that must exist. */
function require<Value>(value: Value | undefined): Value {
  if (value === undefined) throw createMissingRecordError();
  return value;
}

function serializeTokenCounters(hash: string, { chain }: RecordContext): SerializedItem {
  const token = require(chain.accounts.getToken(hash));
  const { mergedTransfers, tokenHolders } = chain.tables;
  const count = (rows: readonly { readonly token: unknown }[]) => String(rows.filter((row) => row.token === token).length);
  return { token_holders_count: count(tokenHolders.rows), transfers_count: count(mergedTransfers.rows) };
}

function serializeTokenInstance(hash: string, { chain, serializer }: RecordContext, { instance }: RestQuery): SerializedItem {
  const { rows } = chain.tables.instances;
  const row = rows.find(({ token, unique_token }) => token.hash === hash && unique_token === instance);
  return serializeInstance(require(row), serializer, true);
}

function serializeMarketChart({ chain, version }: RecordContext): SerializedItem {
  const chart_data = Array.from({ length: CHART_DAYS + 1 }, (_, age) => {
    const block = chain.head - age * BLOCKS_PER_DAY;
    const closing_price = age === 0 ? COIN_PRICE : getHistoricCoinPrice(chain, block);
    const market_cap = (Number(closing_price) * COIN_SUPPLY).toFixed(2);
    return { closing_price, date: chain.getTimestamp(block).slice(0, 10), market_cap, tvl: null };
  });
  return { available_supply: version === 8 ? COIN_SUPPLY : String(COIN_SUPPLY), chart_data };
}

/** Describes a transaction by its first transfer, or by the coins that it moves. */
function serializeSummary(hash: string, { chain, serializer }: RecordContext): SerializedItem {
  const entry = require(chain.findTransaction(hash));
  const [transfer] = chain.getTransfersOf(entry.block_number, entry.index);
  const to = transfer?.to ?? entry.row.to;
  if (to === null || (transfer === undefined && entry.value === 0n)) return { success: true, data: { summaries: [] } };
  const amount = transfer ? transfer.amount : entry.value;
  const decimals = Number(transfer ? (transfer.token.decimals ?? 0) : 18);
  const template = transfer ? "{action_type} {amount} {token} to {to}" : "{action_type} {amount} {native} to {to}";
  return {
    success: true,
    data: {
      summaries: [
        {
          summary_template: template,
          summary_template_variables: {
            action_type: { type: "string", value: "Transfer" },
            amount: { type: "currency", value: formatWhole(amount ?? 1n, decimals) },
            ...(transfer ? { token: { type: "token", value: serializer.serializeToken(transfer.token) } } : {}),
            to: { type: "address", value: serializer.serializeAddress(to) },
          },
        },
      ],
    },
  };
}

/** Formats an amount in whole units. */
function formatWhole(amount: bigint, decimals: number): string {
  const digits = String(amount).padStart(decimals + 1, "0");
  const split = digits.length - decimals;
  return `${digits.slice(0, split)}.${digits.slice(split)}`.replace(/\.?0*$/, "");
}

function serializeOperationDetails(hash: string, { chain, serializer }: RecordContext): SerializedItem {
  const row = require(getUserOperations(chain).rows.find((operation) => operation.hash === hash));
  const { address: sender, ...operation } = serializeUserOperation(row, serializer);
  return {
    ...operation,
    sender,
    aggregator: null,
    aggregator_signature: null,
    block_hash: chain.getBlockHash(row.block_number),
    bundle_index: 0,
    bundler: serializer.serializeAddress(row.bundler),
    call_data: row.callData,
    call_gas_limit: String(row.gasUsed),
    consensus: true,
    decoded_call_data: null,
    decoded_execute_call_data: null,
    execute_call_data: null,
    execute_target: null,
    factory: null,
    gas: String(row.gasUsed * 2n),
    gas_price: String(row.fee / (row.gasUsed || 1n)),
    gas_used: String(row.gasUsed),
    index: 0,
    max_fee_per_gas: "2000000000",
    max_priority_fee_per_gas: "100000000",
    nonce: `0x${row.page_token.replace(",", "").padStart(64, "0")}`,
    paymaster: null,
    pre_verification_gas: "50000",
    raw: { sender: sender as SerializedItem, call_data: row.callData },
    revert_reason: null,
    signature: chain.createRandom("signature", hash).nextHex(65),
    sponsor_type: "wallet_balance",
    user_logs_count: 0,
    user_logs_start_index: 0,
    verification_gas_limit: "80000",
  };
}

export const DETAIL_RECORDS: Readonly<Record<string, RestRecord>> = {
  "/tokens/{hash}": {
    serialize: (hash, { chain, serializer }) => serializer.serializeToken(require(chain.accounts.getToken(hash))),
  },
  "/tokens/{hash}/counters": { serialize: serializeTokenCounters },
  "/tokens/{hash}/instances/{id}": { serialize: serializeTokenInstance },
  "/stats/charts/market": { serialize: (_, context) => serializeMarketChart(context) },
  "/transactions/{hash}/summary": { serialize: serializeSummary },
  "/blocks/{hash}": {
    serialize: (id, { chain, serializer }) => serializeBlock(require(findBlock(chain, id)), serializer),
  },
  "/proxy/account-abstraction/operations/{hash}": { serialize: serializeOperationDetails },
};
