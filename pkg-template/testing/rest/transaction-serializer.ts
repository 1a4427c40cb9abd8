// Serializes blocks and transactions for the REST API.

import { toChecksumAddress } from "../ledger/accounts.js";
import type { Chain } from "../ledger/chain.js";
import { COIN_PRICE, getHistoricCoinPrice } from "../ledger/context.js";
import type { BlockRow } from "../ledger/rows.js";
import type { Table } from "../ledger/table.js";
import type { TransactionEntry } from "../ledger/transactions.js";
import { type Item, type RestSerializer, serializeTransfer, toText } from "./serializer.js";

const GAS_LIMIT = 60_000_000n;
const GWEI = 10n ** 9n;
const MAX_TOKEN_TRANSFERS = 10;
const CALL_FAILED = "0x08c379a0";

export function serializeBlock({ block_number, type, ...row }: BlockRow, s: RestSerializer): Item {
  const { chain } = s;
  const { entries, internalTransactions, withdrawals, deposits } = chain.tables;
  const isCanonical = type === "block";
  const transactions = isCanonical ? entries.getRowsOfBlock(block_number) : [];
  const count = <Row extends object>(table: Table<Row>) => (isCanonical ? table.getRowsOfBlock(block_number).length : 0);
  const gasUsed = transactions.reduce((sum, { content }) => sum + (content.gasUsed ?? 0n), 0n);
  const fees = transactions.reduce((sum, { gasFee }) => sum + gasFee, 0n);
  const baseFee = BigInt(chain.getBaseFee(block_number));
  const burnt = baseFee * gasUsed;
  const usedShare = Number(gasUsed) / Number(GAS_LIMIT);
  const random = chain.createRandom("block content", type, block_number);
  const transactions_count = transactions.length;
  return {
    base_fee_per_gas: String(baseFee),
    burnt_fees: String(burnt),
    burnt_fees_percentage: fees === 0n ? null : (Number(burnt) / Number(fees)) * 100,
    difficulty: "0",
    gas_limit: String(GAS_LIMIT),
    gas_target_percentage: (2 * usedShare - 1) * 100,
    gas_used: String(gasUsed),
    gas_used_percentage: usedShare * 100,
    hash: isCanonical ? chain.getBlockHash(block_number) : (row.replacedHash ?? random.nextHex(32)),
    height: block_number,
    internal_transactions_count: count(internalTransactions),
    miner: s.serializeAddress(row.miner),
    nonce: "0x0000000000000000",
    parent_hash: chain.getBlockHash(block_number - 1),
    priority_fee: String(fees - burnt),
    rewards: [{ reward: String(fees - burnt), type: "Validator Reward" }],
    size: 600 + 180 * transactions_count + random.nextInt(400),
    timestamp: s.serializeTime(block_number),
    total_difficulty: "58750003716598352816469",
    transaction_fees: String(fees),
    transactions_count,
    type,
    uncles_hashes: [],
    withdrawals_count: count(withdrawals),
    ...s.membersBefore(9, { transaction_count: transactions_count }),
    ...s.membersSince(9, { beacon_deposits_count: count(deposits) }),
    ...s.membersSince(11, { is_pending_update: false }),
  };
}

/** Serializes a transaction as an item of a list, which has no token transfers. */
export function serializeTransaction(entry: TransactionEntry, s: RestSerializer): Item {
  const { chain } = s;
  const { row, content, block_number } = entry;
  const { gasUsed, effectivePrice: gasPrice, l1Fee } = content;
  const { hasFailed } = row;
  const isPending = block_number === null;
  const baseFee = isPending ? null : BigInt(chain.getBaseFee(block_number));
  const burnt = baseFee === null || gasUsed === null ? null : baseFee * gasUsed;
  return {
    authorization_list: [],
    transaction_burnt_fee: toText(burnt),
    ...s.membersBefore(9, { tx_burnt_fee: toText(burnt) }),
    base_fee_per_gas: toText(baseFee),
    fee: { type: isPending ? "maximum" : "actual", value: String(entry.fee) },
    priority_fee: burnt === null ? null : String(entry.gasFee - burnt),
    // The fee for data on layer 1. Chains that are not rollups lack these members.
    ...(chain.chainType === "optimism" && {
      l1_fee: toText(l1Fee?.value),
      l1_fee_scalar: l1Fee?.scalar ?? null,
      l1_gas_price: toText(l1Fee?.gasPrice),
      l1_gas_used: toText(l1Fee?.gasUsed),
    }),
    block_number,
    confirmation_duration: isPending ? [] : [0, 12_031.5],
    confirmations: isPending ? 0 : chain.head - block_number + 1,
    created_contract: s.serializeAddress(row.createdContract),
    decoded_input: decodeInput(entry, chain),
    exchange_rate: COIN_PRICE,
    from: s.serializeAddress(row.from),
    gas_limit: String(content.gas),
    gas_price: String(gasPrice),
    gas_used: toText(gasUsed),
    has_error_in_internal_transactions: hasFailed,
    hash: entry.hash,
    historic_exchange_rate: isPending ? null : getHistoricCoinPrice(chain, block_number),
    max_fee_per_gas: String(2n * gasPrice),
    max_priority_fee_per_gas: String(gasPrice / 10n),
    method: row.method,
    nonce: content.nonce,
    position: entry.index,
    raw_input: content.input,
    result: isPending ? "pending" : hasFailed ? "execution reverted" : "success",
    revert_reason: hasFailed ? { raw: CALL_FAILED } : null,
    status: isPending ? null : hasFailed ? "error" : "ok",
    timestamp: isPending ? null : s.serializeTime(block_number),
    to: s.serializeAddress(row.to),
    token_transfers: null,
    token_transfers_overflow: null,
    transaction_tag: null,
    transaction_types: entry.types,
    type: 2,
    value: String(row.value),
    ...s.membersSince(11, { fhe_operations_count: 0, is_pending_update: false }),
    ...s.membersBefore(11, { actions: [] }),
  };
}

/** Serializes a transaction that was requested by its hash, with its first token transfers. */
export function serializeTransactionDetails(entry: TransactionEntry, s: RestSerializer): Item {
  const transfers = s.chain.getTransfersOf(entry.block_number, entry.index);
  return {
    ...serializeTransaction(entry, s),
    token_transfers: transfers.slice(0, MAX_TOKEN_TRANSFERS).map((row) => serializeTransfer(row, s)),
    token_transfers_overflow: transfers.length > MAX_TOKEN_TRANSFERS,
  };
}

/** The call data with the names of the parameters, if the service knows the method. */
function decodeInput({ row, content: { signature, selector, input } }: TransactionEntry, chain: Chain): Item | null {
  if (signature === null || row.to === null) return null;
  const random = chain.createRandom("decoded input", input);
  const parties = [row.from, row.to];
  const makeValue = (type: string): unknown => {
    if (type.endsWith("[]")) return [makeValue(type.slice(0, -2))];
    // One of the parties: the checksum of another address would take time.
    if (type === "address") return toChecksumAddress(random.pick(parties));
    return type === "bytes" ? random.nextHex(32) : String(random.nextBigInt(8) / GWEI);
  };
  // The name of a method can contain any characters, its parameters cannot.
  const declarations = signature
    .slice(signature.lastIndexOf("(") + 1, -1)
    .split(", ")
    .filter(Boolean);
  const parameters = declarations.map((declaration) => {
    const [type = "", name = ""] = declaration.split(" ");
    return { name, type, value: makeValue(type) };
  });
  return { method_call: signature, method_id: selector, parameters };
}
