// Creates the drafts of the records of the REST lists.
import type { Block, InternalTransaction, TokenTransfer, Transaction, Withdrawal } from "../records.js";
import { createEvent, type Draft, getRecipient, NATIVE, toAmount, toLower, toMovedAmount } from "./draft.js";

/** Returns null for a pending transaction. */
export function draftTransaction(record: Transaction, address: string): Draft | null {
  const { block_number, from, to, created_contract, fee, status } = record;
  if (block_number === null) return null;
  const isSender = toLower(from.hash) === address;
  const event = createEvent("transaction", address, record, {
    block_number,
    timestamp: toSeconds(record.timestamp),
    transaction_hash: record.hash,
    from: from.hash,
    to: (to ?? created_contract)?.hash ?? null,
    asset: NATIVE,
    amount: toAmount(record.value),
    fee: isSender && fee?.type !== "maximum" ? toAmount(fee?.value) : null,
    fiat_rate: record.historic_exchange_rate,
    success: status === null ? null : status === "ok",
    method: record.method,
  });
  const recipient = isSender ? getRecipient(to?.hash, record.raw_input) : null;
  return { event, index: record.position ?? Number.POSITIVE_INFINITY, recipient };
}

export function draftInternalTransaction(record: InternalTransaction, address: string): Draft {
  const { from, to, created_contract, type } = record;
  const event = createEvent("internal_transaction", address, record, {
    block_number: record.block_number,
    timestamp: toSeconds(record.timestamp),
    transaction_hash: record.transaction_hash,
    from: from.hash,
    to: (to ?? created_contract)?.hash ?? null,
    asset: NATIVE,
    amount: toMovedAmount(type, record.value),
    success: record.success,
  });
  return { event, index: record.index };
}

/** Returns null if the service does not tell the block. */
export function draftTokenTransfer(record: TokenTransfer, address: string): Draft | null {
  const { block_number, token, total } = record;
  if (block_number === null) return null;
  const standard = record.token_type ?? token?.type ?? null;
  const token_id = total?.token_id ?? null;
  const event = createEvent("token_transfer", address, record, {
    block_number,
    timestamp: toSeconds(record.timestamp),
    transaction_hash: record.transaction_hash,
    from: record.from.hash,
    to: record.to.hash,
    asset: {
      type: "token",
      standard,
      contract: toLower(token?.address_hash),
      name: token?.name ?? null,
      symbol: token?.symbol ?? null,
      decimals: total?.decimals ?? token?.decimals ?? null,
      token_id,
    },
    // A single NFT has an id and no amount.
    amount: toAmount(total?.value) ?? (token_id !== null && standard !== "ERC-1155" ? "1" : null),
    method: record.method,
  });
  return { event, index: record.log_index, isScam: token?.reputation === "scam" };
}

/** Returns null if the service does not tell the block. */
export function draftWithdrawal(record: Withdrawal, address: string): Draft | null {
  const { block_number, index } = record;
  if (block_number === null) return null;
  const timestamp = toSeconds(record.timestamp);
  const event = createEvent("withdrawal", address, record, {
    block_number,
    timestamp,
    to: address as `0x${string}`,
    asset: NATIVE,
    amount: toAmount(record.amount),
  });
  return { event, index };
}

export function draftBlockReward(record: Block, address: string): Draft {
  // The other rewards of a block go to other addresses.
  const rewards = record.rewards.filter(({ type }) => !/uncle|emission/i.test(type ?? "")).map(({ reward }) => toAmount(reward));
  const isKnown = rewards.length > 0 && !rewards.includes(null);
  const event = createEvent("block_reward", address, record, {
    block_number: record.height,
    timestamp: toSeconds(record.timestamp),
    to: address as `0x${string}`,
    asset: NATIVE,
    amount: isKnown ? String(rewards.reduce((sum, reward) => sum + BigInt(reward as string), 0n)) : null,
  });
  return { event, index: 0 };
}

/** Drops the fraction of a time in ISO 8601, which depends on the list. */
function toSeconds(timestamp: string | null): string | null {
  return timestamp?.replace(/(\.\d+)?Z$/, "Z") ?? null;
}
