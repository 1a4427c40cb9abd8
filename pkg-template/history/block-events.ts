// Creates the events of one block from the drafts of all sources: their order, keys, positions and suspicions.
import { isCoin } from "../entry-support.js";
import type { AccountInternalTransaction, InternalTransaction } from "../public.js";
import { removeRepeatedTransfers } from "./coin-contracts.js";
import { type Draft, NATIVE } from "./draft.js";
import type { HistoryEvent, TokenAsset } from "./event.js";
import { KINDS } from "./params.js";
import type { Recipients } from "./recipients.js";

/** Returns the events of a block, oldest first. `HistoryEvent` documents their order and keys. */
export function createBlockEvents(listed: readonly Draft[], recipients: Recipients): HistoryEvent[] {
  const isTransaction = ({ event }: Draft) => event.kind === "transaction";
  const transactions = new Map(listed.filter(isTransaction).map((draft) => [draft.event.transaction_hash, draft]));
  const drafts = removeRepeatedTransfers(
    listed.filter(({ event }) => !isDeployment(event)),
    transactions,
  );
  const ranked = drafts.map((draft) => ({ draft, rank: getRank(draft, transactions.get(draft.event.transaction_hash)) }));
  const ordered = sumBatches(ranked.sort(compareRanks).map(({ draft }) => draft));
  const counts = new Map<string, number>();
  for (const draft of ordered) {
    const { event } = draft;
    const transaction = transactions.get(event.transaction_hash)?.event;
    if (event.kind === "internal_transaction" && transaction?.success === false) event.success = false;
    // The address itself sent the transaction.
    if (transaction !== undefined && transaction.direction !== "in") recipients.addSent(event);
    const key = createKey(draft);
    const count = (counts.get(key) ?? 0) + 1;
    counts.set(key, count);
    event.key = count === 1 ? key : `${key}#${count}`;
  }
  return ordered.map((draft) => {
    const { event } = draft;
    event.suspicion = recipients.judge(draft);
    if (isCoin((event.asset as TokenAsset).contract)) event.asset = NATIVE;
    return event;
  });
}

/**
 * Whether an internal transaction is the contract creation that its transaction already is. Index 0 is the transaction, and the
 * service leaves out only calls with this index.
 */
function isDeployment({ kind, record }: HistoryEvent): boolean {
  const { type, index } = record as Partial<InternalTransaction | AccountInternalTransaction>;
  return kind === "internal_transaction" && String(index) === "0" && /^create/.test(type ?? "");
}

type Rank = readonly (string | number)[];

/** The sort key of events within a block. `transaction` is the event's transaction, if that is an event itself. */
function getRank({ event, index }: Draft, transaction: Draft | undefined): Rank {
  const { asset, kind, transaction_hash } = event;
  return [
    // Rewards and withdrawals come after all transactions.
    Number(transaction_hash === null && kind !== "token_transfer"),
    transaction?.index ?? Number.POSITIVE_INFINITY,
    transaction_hash ?? "",
    KINDS.indexOf(kind),
    asset.type === "native" ? "" : `${asset.contract} ${asset.standard}`,
    index,
  ];
}

function compareRanks({ rank: a }: { rank: Rank }, { rank: b }: { rank: Rank }): number {
  const i = a.findIndex((value, i) => value !== b[i]);
  return i < 0 ? 0 : (a[i] as string) < (b[i] as string) ? -1 : 1;
}

/** Joins the ERC-1155 transfers of one transaction that differ only in their amounts. */
function sumBatches(drafts: readonly Draft[]): Draft[] {
  const firsts = new Map<string, HistoryEvent>();
  return drafts.filter(({ event }) => {
    const { asset, transaction_hash, from, to, amount } = event;
    if (asset.type !== "token" || asset.standard !== "ERC-1155" || amount === null) return true;
    const id = [transaction_hash, asset.contract, from, to, asset.token_id].join();
    const first = firsts.get(id);
    if (first === undefined) firsts.set(id, event);
    else first.amount = String(BigInt(first.amount as string) + BigInt(amount));
    return first === undefined;
  });
}

/** Returns the key of a draft. Equal transfers of one transaction have the same key. */
export function createKey({ event, index }: Draft): string {
  const { kind, block_number, transaction_hash, from, to, asset, amount } = event;
  const { contract, token_id } = asset as TokenAsset;
  const parts = {
    transaction: [kind, transaction_hash],
    internal_transaction: ["internal", transaction_hash, index],
    token_transfer: [kind, transaction_hash ?? block_number, contract, from, to, token_id, amount],
    block_reward: [kind, block_number],
    withdrawal: [kind, index],
  };
  return parts[kind].join(":");
}
