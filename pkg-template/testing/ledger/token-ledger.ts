// Makes token transfers agree with the balances and NFTs that addresses hold now.
//
// The transfers are visited from the newest to the oldest, starting at the known state: before an address received an amount, it
// had that much less. The amounts that remain at the end were minted before all other transfers.

import { getOrMake, groupBy } from "../maps.js";
import { ZERO_ADDRESS } from "./accounts.js";
import type { LedgerContext } from "./context.js";
import { compareTransfers, createPositionKey } from "./positions.js";
import type { Token, TransferRow } from "./rows.js";

/** A current holding of an address: an amount of a token, or of one of its ids. Null for a token without ids. */
export interface Holding {
  readonly account: string;
  readonly token: Token;
  readonly token_id: bigint | null;
  readonly amount: bigint;
}

/** A transfer whose parties and contents can still change. */
export interface TransferDraft extends TransferRow {
  /** Whether its parties and contents must not change. The received amount must be part of the holdings. */
  readonly isFixed?: boolean;
  /** The party that must not change. */
  readonly owner?: string;
}

type Amounts = Map<bigint | null, bigint>;
type Held = Map<string, Map<Token, Amounts>>;

const MAX_BALANCE = 2n ** 256n - 1n;
/** More than the logs of a block. */
const MAX_LOGS = 1000;
/** Newer than the transactions that fund addresses with coins, older than all transfers. */
const FIRST_MINT_BLOCK = 8_950_000;
const MINT_SIZE = 100;

/** Creates the holdings of the sample addresses at one time. Other addresses have whatever they send. */
function createHeldTokens({ accounts }: LedgerContext) {
  const held: Held = new Map();
  const heldNfts = new Set<string>();
  const isTracked = (account: string) => accounts.isSample(account);
  const getAmounts = (account: string, token: Token): Amounts => held.get(account)?.get(token) ?? new Map();

  const change = (account: string, token: Token, id: bigint | null, delta: bigint): void => {
    if (!isTracked(account)) return;
    const tokens = getOrMake(held, account, () => new Map<Token, Amounts>());
    const amounts = getOrMake(tokens, token, () => new Map<bigint | null, bigint>());
    const amount = (amounts.get(id) ?? 0n) + delta;
    if (amount < 0n || amount > MAX_BALANCE) throw new Error(`the balance of token ${token.hash} would be ${amount}`);
    if (amount === 0n) amounts.delete(id);
    else amounts.set(id, amount);
    if (id === null || token.type === "ERC-1155") return;
    if (amount === 0n) heldNfts.delete(createNftKey(token, id));
    else heldNfts.add(createNftKey(token, id));
  };
  /** Returns an id, or the next one that no sample address holds if it must be unique. */
  const findFreeId = (token: Token, first: bigint): bigint => {
    let id = first;
    while (heldNfts.has(createNftKey(token, id))) id = (id + 1n) % MAX_BALANCE;
    return id;
  };
  return { held, isTracked, getAmounts, change, findFreeId };
}

/** Makes the transfers of the chain from drafts, oldest first. `holdings` are the holdings of all sample addresses. */
export function settleTransfers(
  context: LedgerContext,
  drafts: readonly TransferDraft[],
  holdings: readonly Holding[],
): TransferRow[] {
  const { held, isTracked, getAmounts, change, findFreeId } = createHeldTokens(context);
  /** Swaps the parties if the recipient has nothing that it could have received. If neither has, the owner burns it. */
  const chooseParties = ({ length }: readonly TransferDraft[], { from, to, owner = from, token, token_id }: TransferDraft) => {
    const canReceive = (account: string) => {
      const amounts = getAmounts(account, token);
      const isFungible = amounts.has(null);
      return !isTracked(account) || (token_id === null ? isFungible : amounts.size - (isFungible ? 1 : 0) >= length);
    };
    if (canReceive(to)) return { from, to };
    return from !== to && canReceive(from) ? { from: to, to: from } : { from: owner, to: ZERO_ADDRESS };
  };
  /** Picks one of the held ids. The rows of a batch have different ones. */
  const pickId = (amounts: Amounts, { block_number, index, index_in_batch }: TransferRow, batchSize: number) => {
    const ids = [...amounts.keys()].filter((id) => id !== null);
    return batchSize > 1 ? (ids[index_in_batch] ?? null) : context.createRandom("token id", block_number, index).pick(ids);
  };
  /** Chooses the id and the amount of one transfer so that no balance is negative or too large. */
  const chooseContent = (row: TransferRow, batchSize: number): TransferRow => {
    const { token, from, to, token_id: draftId } = row;
    const received = isTracked(to) ? getAmounts(to, token) : undefined;
    const sent = isTracked(from) ? getAmounts(from, token) : undefined;
    const token_id = draftId === null ? null : received ? pickId(received, row, batchSize) : findFreeId(token, draftId);
    const limit = received?.get(token_id) ?? MAX_BALANCE;
    const room = from === to ? MAX_BALANCE : MAX_BALANCE - (sent?.get(token_id) ?? 0n);
    const amount = row.amount === null ? null : clamp(clamp(row.amount, limit), room);
    return amount === row.amount && token_id === row.token_id ? row : { ...row, token_id, amount };
  };
  /** Makes the rows of a log valid, and undoes them. */
  const settle = (log: readonly TransferDraft[]): readonly TransferRow[] => {
    const [first] = log;
    // Encrypted and missing amounts change no balance.
    if (!first || (first.amount === null && first.token_id === null)) return log;
    const { from, to } = first.isFixed ? first : chooseParties(log, first);
    const rows = first.isFixed ? log : log.map((row) => chooseContent({ ...row, from, to }, log.length));
    for (const { token, token_id, amount } of rows) {
      change(to, token, token_id, -(amount ?? 1n));
      change(from, token, token_id, amount ?? 1n);
    }
    return rows;
  };

  for (const { account, token, token_id, amount } of holdings) change(account, token, token_id, amount);
  const logs = groupBy([...drafts].sort(compareTransfers), ({ block_number, index }) => block_number * MAX_LOGS + index);
  const settled = [...logs.values()].reverse().map(settle).reverse();
  return [...makeMints(context, held), ...settled.flat()];
}

/** Makes the transfers that mint the remaining amounts, oldest first: a transaction for each address and token, or for each batch. */
function makeMints(context: LedgerContext, held: Held): TransferRow[] {
  let block_number = FIRST_MINT_BLOCK;
  const makeMint = (to: string, token: Token, contents: readonly (readonly [id: bigint | null, amount: bigint])[]) => {
    block_number += 1 + context.createRandom("mint", block_number).nextInt(60);
    const signer = context.createRandom("minter", block_number).pick(context.accounts.validators);
    const isBatch = token.type === "ERC-1155";
    const { type: token_type, isScam: isHidden } = token;
    const transaction = { block_number, transaction_index: 0, method: "mint", signer };
    const transfer = { token, token_type, hasNoAmount: false, from: ZERO_ADDRESS, to, isHidden, ...transaction };
    return contents.map(([token_id, total], i) => {
      const amount = token_id === null || isBatch ? total : null;
      return { index: isBatch ? 0 : i, index_in_batch: isBatch ? i : 0, token_id, amount, ...transfer };
    });
  };
  return [...held].flatMap(([to, tokens]) =>
    [...tokens].flatMap(([token, amounts]) => splitArray([...amounts], MINT_SIZE).flatMap((part) => makeMint(to, token, part))),
  );
}

const splitArray = <Element>(array: readonly Element[], size: number): Element[][] =>
  Array.from({ length: Math.ceil(array.length / size) }, (_, i) => array.slice(i * size, (i + 1) * size));
const createNftKey = (token: Token, id: bigint) => `${token.hash}/${id}`;
const clamp = (amount: bigint, limit: bigint) => (amount > limit ? limit : amount);

/**
 * Merges the transfers of one log that move the same id, with the sum of their amounts, as the REST API does. Rows are sorted.
 * The service merges within each page. Here, merging does not depend on where pages end.
 */
export function mergeBatchTransfers(rows: readonly TransferRow[]): TransferRow[] {
  const merged = new Map<string, TransferRow>();
  for (const row of rows) {
    const { index, index_in_batch, token_id, amount } = row;
    const key = `${createPositionKey(row)}/${index}/${token_id ?? index_in_batch}`;
    const first = merged.get(key);
    merged.set(key, first ? { ...first, amount: (first.amount ?? 0n) + (amount ?? 0n) } : row);
  }
  return [...merged.values()];
}
