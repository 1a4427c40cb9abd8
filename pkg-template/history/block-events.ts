// Creates the events of one block from the drafts of all sources: their order, keys, positions and suspicions.
import type { Draft } from "./draft.js";
import type { HistoryEvent } from "./event.js";
import { KINDS } from "./params.js";
import type { Recipients } from "./recipients.js";

/** Returns the events of a block, oldest first. `HistoryEvent` documents their order and keys. */
export function createBlockEvents(drafts: readonly Draft[], recipients: Recipients): HistoryEvent[] {
  const transactions = new Map<string, Draft>();
  for (const draft of drafts) {
    const { kind, transaction_hash } = draft.event;
    if (kind === "transaction") transactions.set(transaction_hash as string, draft);
  }
  const getTransaction = ({ event }: Draft) => transactions.get(event.transaction_hash ?? "");
  const ordered = sumBatches([...drafts].sort((a, b) => compareDrafts(a, b, getTransaction)));
  const counts = new Map<string, number>();
  for (const draft of ordered) {
    const { event } = draft;
    const transaction = getTransaction(draft)?.event;
    if (event.kind === "internal_transaction" && transaction?.success === false) event.success = false;
    // The address itself sent the transaction.
    if (transaction !== undefined && transaction.direction !== "in") recipients.addSent(event);
    const key = createKey(draft);
    const count = (counts.get(key) ?? 0) + 1;
    counts.set(key, count);
    event.key = count === 1 ? key : `${key}#${count}`;
  }
  return ordered.map((draft) => {
    draft.event.suspicion = recipients.judge(draft);
    return draft.event;
  });
}

function compareDrafts(a: Draft, b: Draft, getTransaction: (draft: Draft) => Draft | undefined): number {
  const getIndex = (draft: Draft) => getTransaction(draft)?.index ?? Number.POSITIVE_INFINITY;
  return (
    // Rewards and withdrawals come after all transactions.
    Number(a.event.transaction_hash === null && a.event.kind !== "token_transfer") -
      Number(b.event.transaction_hash === null && b.event.kind !== "token_transfer") ||
    compare(getIndex(a), getIndex(b)) ||
    compare(a.event.transaction_hash ?? "", b.event.transaction_hash ?? "") ||
    KINDS.indexOf(a.event.kind) - KINDS.indexOf(b.event.kind) ||
    compare(getToken(a), getToken(b)) ||
    compare(a.index, b.index)
  );
}

function compare<Value extends string | number>(a: Value, b: Value): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

function getToken({ event: { asset } }: Draft): string {
  return asset.type === "native" ? "" : `${asset.contract} ${asset.standard}`;
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

function createKey({ event, index }: Draft): string {
  const { kind, block_number, transaction_hash, from, to, asset, amount } = event;
  switch (kind) {
    case "transaction":
      return `transaction:${transaction_hash}`;
    case "internal_transaction":
      return `internal:${transaction_hash}:${index}`;
    case "withdrawal":
      return `withdrawal:${index}`;
    case "block_reward":
      return `block_reward:${block_number}`;
    default: {
      const { contract, token_id } = asset as Extract<typeof asset, { type: "token" }>;
      return [kind, transaction_hash ?? block_number, contract, from, to, token_id, amount].join(":");
    }
  }
}
