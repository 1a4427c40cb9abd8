// Creates the drafts of the records of the REST lists.
import type { Block, Hex, InternalTransaction, TokenTransfer, Transaction, Withdrawal } from "../public.js";
import { addRecipient, createDraft, type Draft, toAmount, toHash, toMovedAmount, toTokenFields } from "./draft.js";

export function draftTransaction(record: Transaction, address: string): Draft | null {
  const { to, fee, status } = record;
  const draft = createDraft("transaction", address, record, record.position, {
    to: to ?? record.created_contract,
    amount: toAmount(record.value),
    fee: fee?.type === "maximum" ? null : toAmount(fee?.value),
    fiat_rate: record.historic_exchange_rate,
    success: status === null ? null : status === "ok",
    method: record.method,
  });
  const token = record.celo?.gas_token;
  if (draft !== null && token && draft.event.fee !== null) {
    const { symbol, decimals, address_hash } = token;
    draft.event.token_fee = { amount: draft.event.fee, contract: toHash(address_hash) as Hex, symbol, decimals };
    draft.event.fee = null;
  }
  return addRecipient(draft, to, record.raw_input);
}

export function draftInternalTransaction(record: InternalTransaction, address: string): Draft | null {
  const { index, to, created_contract, type, value, success } = record;
  const amount = toMovedAmount(type, value);
  return createDraft("internal_transaction", address, record, index, { to: to ?? created_contract, amount, success });
}

export function draftTokenTransfer(record: TokenTransfer, address: string): Draft | null {
  const { token, total, log_index, method } = record;
  const asset = {
    standard: record.token_type ?? token?.type ?? null,
    name: token?.name ?? null,
    symbol: token?.symbol ?? null,
    decimals: total?.decimals ?? token?.decimals ?? null,
    token_id: total?.token_id ?? null,
  };
  const fields = { ...toTokenFields(asset, token?.address_hash, total?.value), method };
  const draft = createDraft("token_transfer", address, record, log_index, fields);
  return draft && { ...draft, isScam: token?.reputation === "scam" };
}

export function draftWithdrawal(record: Withdrawal, address: string): Draft | null {
  return createDraft("withdrawal", address, record, record.index, { to: address, amount: toAmount(record.amount) });
}

export function draftBlockReward(record: Block, address: string): Draft | null {
  // The other rewards of a block go to other addresses.
  const rewards = record.rewards.filter(({ type }) => !/uncle|emission/i.test(type ?? "")).map(({ reward }) => toAmount(reward));
  const isKnown = rewards.length > 0 && !rewards.includes(null);
  const amount = isKnown ? String(rewards.reduce((sum, reward) => sum + BigInt(reward as string), 0n)) : null;
  return createDraft("block_reward", address, record, 0, { to: address, amount });
}
