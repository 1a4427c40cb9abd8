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

type Parties = Pick<TransferRow, "from" | "to">;

/** The amounts of one token by id. */
type Amounts = Map<bigint | null, bigint>;

const MAX_BALANCE = 2n ** 256n - 1n;
/** More than the logs of a block. */
const MAX_LOGS = 1000;
/** Newer than the transactions that fund addresses with coins, older than all transfers. */
const FIRST_MINT_BLOCK = 8_950_000;
/** The maximum number of ids that a transaction mints. */
const MINT_SIZE = 100;

/** Makes the transfers of the chain from drafts, oldest first. `holdings` are the holdings of all sample addresses. */
export function settleTransfers(
  context: LedgerContext,
  drafts: readonly TransferDraft[],
  holdings: readonly Holding[],
): TransferRow[] {
  const ledger = new TokenLedger(context, holdings);
  const logs = groupBy([...drafts].sort(compareTransfers), ({ block_number, index }) => block_number * MAX_LOGS + index);
  const settled = [...logs.values()]
    .reverse()
    .map((log) => ledger.settle(log))
    .reverse();
  return [...ledger.makeMints(), ...settled.flat()];
}

/** The holdings of the sample addresses at one time. Other addresses have whatever they send. */
class TokenLedger {
  readonly #context: LedgerContext;
  readonly #amounts = new Map<string, Map<Token, Amounts>>();
  /** NFTs that a sample address holds. */
  readonly #heldNfts = new Set<string>();

  constructor(context: LedgerContext, holdings: readonly Holding[]) {
    this.#context = context;
    for (const { account, token, token_id, amount } of holdings) this.#change(account, token, token_id, amount);
  }

  /** Makes the rows of a log valid, and undoes them. */
  settle(log: readonly TransferDraft[]): TransferRow[] {
    const [first] = log;
    // Encrypted and missing amounts change no balance.
    if (!first || (first.amount === null && first.token_id === null)) return [...log];
    const { from, to } = first.isFixed ? first : this.#chooseParties(log, first);
    const rows = log.map((row) => {
      const settled = row.from === from && row.to === to ? row : { ...row, from, to };
      return first.isFixed ? settled : this.#chooseContent(settled, log.length);
    });
    for (const { token, token_id, amount, from, to } of rows) {
      this.#change(to, token, token_id, -(amount ?? 1n));
      this.#change(from, token, token_id, amount ?? 1n);
    }
    return rows;
  }

  /** Swaps the parties if the recipient has nothing that it could have received. If neither has, the owner burns it. */
  #chooseParties(log: readonly TransferDraft[], { from, to, owner = from }: TransferDraft): Parties {
    const isRecipient = (account: string) => !this.#isTracked(account) || this.#holds(account, log);
    if (isRecipient(to)) return { from, to };
    return from !== to && isRecipient(from) ? { from: to, to: from } : { from: owner, to: ZERO_ADDRESS };
  }

  #holds(account: string, log: readonly TransferDraft[]): boolean {
    const amounts = this.#getAmounts(account, log[0]?.token);
    if (log[0]?.token_id === null) return amounts.has(null);
    return amounts.size - (amounts.has(null) ? 1 : 0) >= log.length;
  }

  /** Chooses the id and the amount of one transfer so that no balance is negative or too large. */
  #chooseContent(row: TransferRow, batchSize: number): TransferRow {
    const { token, from, to } = row;
    const received = this.#isTracked(to) ? this.#getAmounts(to, token) : undefined;
    const sent = this.#isTracked(from) ? this.#getAmounts(from, token) : undefined;
    const token_id = row.token_id === null ? null : received ? this.#pickId(received, row, batchSize) : this.#findFreeId(row);
    const limit = received?.get(token_id) ?? MAX_BALANCE;
    const room = from === to ? MAX_BALANCE : MAX_BALANCE - (sent?.get(token_id) ?? 0n);
    const amount = row.amount === null ? null : clamp(clamp(row.amount, limit), room);
    return amount === row.amount && token_id === row.token_id ? row : { ...row, token_id, amount };
  }

  /** Picks one of the held ids. The rows of a batch have different ones. */
  #pickId(amounts: Amounts, { block_number, index, index_in_batch }: TransferRow, batchSize: number): bigint | null {
    const ids = [...amounts.keys()].filter((id) => id !== null);
    if (batchSize > 1) return ids[index_in_batch] ?? null;
    return this.#context.createRandom("token id", block_number, index).pick(ids);
  }

  /** Returns the id of a row, or the next one that no sample address holds if it must be unique. */
  #findFreeId({ token, token_id }: TransferRow): bigint {
    let id = token_id ?? 0n;
    while (this.#heldNfts.has(createNftKey(token, id))) id = (id + 1n) % MAX_BALANCE;
    return id;
  }

  #isTracked(account: string): boolean {
    return this.#context.accounts.isSample(account);
  }

  #getAmounts(account: string, token: Token | undefined): Amounts {
    return (token && this.#amounts.get(account)?.get(token)) ?? new Map();
  }

  #change(account: string, token: Token, id: bigint | null, delta: bigint): void {
    if (!this.#isTracked(account)) return;
    const tokens = getOrMake(this.#amounts, account, () => new Map<Token, Amounts>());
    const amounts = getOrMake(tokens, token, () => new Map<bigint | null, bigint>());
    const amount = (amounts.get(id) ?? 0n) + delta;
    if (amount < 0n || amount > MAX_BALANCE) throw new Error(`the balance of token ${token.hash} would be ${amount}`);
    if (amount === 0n) amounts.delete(id);
    else amounts.set(id, amount);
    if (id === null || token.type === "ERC-1155") return;
    if (amount === 0n) this.#heldNfts.delete(createNftKey(token, id));
    else this.#heldNfts.add(createNftKey(token, id));
  }

  /**
   * Makes the transfers that mint the remaining amounts, oldest first: a transaction for each address and token, or for each
   * batch.
   */
  makeMints(): TransferRow[] {
    let block_number = FIRST_MINT_BLOCK;
    const makeMint = (to: string, token: Token, contents: readonly (readonly [id: bigint | null, amount: bigint])[]) => {
      block_number += 1 + this.#context.createRandom("mint", block_number).nextInt(60);
      const signer = this.#context.createRandom("minter", block_number).pick(this.#context.accounts.validators);
      const isBatch = token.type === "ERC-1155";
      return contents.map(([token_id, amount], i) => ({
        block_number,
        transaction_index: 0,
        index: isBatch ? 0 : i,
        index_in_batch: isBatch ? i : 0,
        token,
        token_type: token.type,
        token_id,
        amount: token_id === null || isBatch ? amount : null,
        hasNoAmount: false,
        from: ZERO_ADDRESS,
        to,
        method: "mint",
        isHidden: token.isScam,
        signer,
      }));
    };
    return [...this.#amounts].flatMap(([to, tokens]) =>
      [...tokens].flatMap(([token, amounts]) => splitArray([...amounts], MINT_SIZE).flatMap((part) => makeMint(to, token, part))),
    );
  }
}

function splitArray<Element>(array: readonly Element[], size: number): Element[][] {
  return Array.from({ length: Math.ceil(array.length / size) }, (_, i) => array.slice(i * size, (i + 1) * size));
}

const createNftKey = (token: Token, id: bigint) => `${token.hash}/${id}`;

function clamp(amount: bigint, limit: bigint): bigint {
  return amount > limit ? limit : amount;
}

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
