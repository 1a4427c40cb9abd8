// Serializes blocks, and the deposits and rewards of validators, for the REST API.

import { makeBlock } from "../ledger/blocks.js";
import type { Chain } from "../ledger/chain.js";
import type { BlockRow, DepositRow, ElectionRewardRow } from "../ledger/rows.js";
import type { Table } from "../ledger/table.js";
import type { RestSerializer, SerializedItem } from "./rest-serializer.js";

const GAS_LIMIT = 60_000_000n;
/** The length of an epoch: a day. */
const BLOCKS_PER_EPOCH = 7200;
const FIRST_EPOCH_BLOCK = 10_020_000;
const TOTAL_DIFFICULTY = "58750003716598352816469";

/** Finds a block of the canonical chain by its number or hash. */
export function findBlock(chain: Chain, id: string): BlockRow | undefined {
  const isNumber = /^\d+$/.test(id);
  const isIt = isNumber
    ? ({ block_number }: BlockRow) => block_number === Number(id)
    : ({ block_number }: BlockRow) => chain.getBlockHash(block_number) === id;
  const listed = chain.tables.blocks.rows.find((row) => row.type === "block" && isIt(row));
  // Lists leave out older blocks, but each block up to the head exists.
  return listed ?? (isNumber && Number(id) <= chain.head ? makeBlock(chain, Number(id)) : undefined);
}

export function serializeBlock(row: BlockRow, serializer: RestSerializer): SerializedItem {
  const { chain } = serializer;
  const { tables } = chain;
  const { block_number, type } = row;
  const isCanonical = type === "block";
  const transactions = isCanonical ? tables.entries.getRowsOfBlock(block_number) : [];
  const gasUsed = transactions.reduce((sum, { content }) => sum + (content.gasUsed ?? 0n), 0n);
  const fees = transactions.reduce((sum, { gasFee }) => sum + gasFee, 0n);
  const baseFee = BigInt(chain.getBaseFee(block_number));
  const burnt = baseFee * gasUsed;
  const usedShare = Number(gasUsed) / Number(GAS_LIMIT);
  const random = chain.createRandom("block content", type, block_number);
  const countRows = <Row extends object>(table: Table<Row>) => (isCanonical ? table.getRowsOfBlock(block_number).length : 0);
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
    internal_transactions_count: countRows(tables.internalTransactions),
    miner: serializer.serializeAddress(row.miner),
    nonce: "0x0000000000000000",
    parent_hash: chain.getBlockHash(block_number - 1),
    priority_fee: String(fees - burnt),
    rewards: [{ reward: String(fees - burnt), type: "Validator Reward" }],
    size: 600 + 180 * transactions_count + random.nextInt(400),
    timestamp: serializer.createTimestamp(block_number),
    total_difficulty: TOTAL_DIFFICULTY,
    transaction_fees: String(fees),
    transactions_count,
    type,
    uncles_hashes: [],
    withdrawals_count: countRows(tables.withdrawals),
    ...serializer.legacyMembers({ transaction_count: transactions_count }),
    ...serializer.membersSince(9, { beacon_deposits_count: countRows(tables.deposits) }),
    ...serializer.membersSince(11, { is_pending_update: false }),
  };
}

export function serializeDeposit(row: DepositRow, serializer: RestSerializer): SerializedItem {
  const { chain } = serializer;
  const { account, amount, block_number, index, status, transaction_index } = row;
  const random = chain.createRandom("deposit", index);
  return {
    amount: String(amount),
    block_hash: chain.getBlockHash(block_number),
    block_number,
    block_timestamp: serializer.createTimestamp(block_number),
    from_address: serializer.serializeAddress(account),
    index,
    pubkey: random.nextHex(48),
    signature: random.nextHex(96),
    status,
    transaction_hash: chain.getTransactionHash(block_number, transaction_index),
    // The credentials of an invalid deposit do not contain an address.
    withdrawal_address: status === "invalid" ? null : serializer.serializeAddress(account),
    withdrawal_credentials: status === "invalid" ? random.nextHex(32) : `0x01${"0".repeat(22)}${account.slice(2)}`,
  };
}

export function serializeElectionReward(row: ElectionRewardRow, serializer: RestSerializer): SerializedItem {
  const { chain } = serializer;
  return {
    account: serializer.serializeAddress(row.account),
    amount: String(row.amount),
    associated_account: serializer.serializeAddress(row.associated_account_address_hash),
    block_timestamp: serializer.createTimestamp(FIRST_EPOCH_BLOCK + row.epoch_number * BLOCKS_PER_EPOCH),
    epoch_number: row.epoch_number,
    token: serializer.serializeToken(chain.tokens.stablecoin),
    type: row.type,
  };
}
