// The history of an address: its events in order, and the balances of the native coin that result from them.

import { getOrMake, groupBy } from "../maps.js";
import type { SampleEvent } from "../public-types.js";
import type { NewRows } from "./blocks.js";
import type { WithdrawalRow } from "./coin-records.js";
import type { LedgerContext } from "./context.js";
import { HEAD_BLOCK } from "./positions.js";
import type { BlockRow, InternalTransactionRow, Token, TransactionRow, TransferRow } from "./rows.js";
import { isScripted, SAMPLE_ADDRESSES, SAMPLE_KEYS } from "./sample-addresses.js";
import { type AccountTables, Table } from "./table.js";
import { CALL, computeFee } from "./transactions.js";

/** The kinds of event, in their order within a transaction and at the end of a block. */
const KINDS = ["transaction", "internal_transaction", "token_transfer", "block_reward", "withdrawal"];

/** The members of an event that not all kinds have. New members come before it, because members that follow a spread are slow to add. */
const NO_DETAILS = {
  transaction_index: null as number | null,
  index: null as number | null,
  index_in_batch: null as number | null,
  token: null as Token | null,
  token_type: null as string | null,
  token_id: null as bigint | null,
  from: null as string | null,
  to: null as string | null,
  fee: 0n,
  isSuccess: true,
  method: null as string | null,
};

/** An event of an address. Block rewards and withdrawals follow the transactions of the block. */
export interface LedgerEvent extends Readonly<typeof NO_DETAILS>, Pick<SampleEvent, "kind" | "block_number" | "amount"> {}

/** The rows that change balances, of the initial chain or of the blocks that were added to it. */
interface EventTables {
  readonly transactions: readonly TransactionRow[];
  readonly internalTransactions: readonly InternalTransactionRow[];
  readonly transfers: readonly TransferRow[];
  readonly withdrawals: readonly WithdrawalRow[];
  /** The rewards of one address, in wei. */
  readonly rewards: readonly { readonly block_number: number; readonly amount: bigint }[];
}

/** Makes the events of an address in order, with token transfers or only the events that can change its balance of the native coin. */
function makeEvents(context: LedgerContext, account: string, tables: EventTables, hasTransfers: boolean): LedgerEvent[] {
  const events: LedgerEvent[] = [];
  for (const row of tables.transactions) {
    const { block_number, transaction_index, from, to, value: amount, method, hasFailed } = row;
    const recipient = to ?? row.createdContract;
    if (from !== account && recipient !== account) continue;
    const fee = from === account ? computeFee(context, row) : 0n;
    const details = { transaction_index, from, to: recipient, fee, isSuccess: !hasFailed, method };
    events.push({ kind: "transaction", block_number, amount, ...NO_DETAILS, ...details });
  }
  for (const row of tables.internalTransactions) {
    const { block_number, transaction_index, index, from, value: amount } = row;
    const to = row.to ?? row.created_contract;
    // Index 0 is the transaction.
    if (index === 0 || (from !== account && to !== account)) continue;
    const details = { transaction_index, index, from, to, isSuccess: row.error === null };
    events.push({ kind: "internal_transaction", block_number, amount, ...NO_DETAILS, ...details });
  }
  for (const row of hasTransfers ? tables.transfers : []) {
    const { from, to } = row;
    if (from !== account && to !== account) continue;
    const { block_number, transaction_index, index, index_in_batch, token, token_type, token_id, amount, method } = row;
    const details = { transaction_index, index, index_in_batch, token, token_type, token_id, from, to, method };
    events.push({ kind: "token_transfer", block_number, amount, ...NO_DETAILS, ...details });
  }
  // Amounts that the chain pays at the end of a block.
  for (const reward of tables.rewards) events.push({ kind: "block_reward", ...reward, ...NO_DETAILS, to: account });
  for (const { account: to, block_number, index, amount } of tables.withdrawals)
    if (to === account) events.push({ kind: "withdrawal", block_number, amount, ...NO_DETAILS, index, to });
  return events.sort(compareEvents);
}

/** Returns how an event changes the address's balance of its token, or of the native coin. */
function computeDelta({ amount, fee, from, to, isSuccess }: LedgerEvent, account: string): bigint {
  const moved = isSuccess ? (amount ?? 0n) : 0n;
  return (to === account ? moved : 0n) - (from === account ? moved : 0n) - fee;
}

function compareEvents(a: LedgerEvent, b: LedgerEvent): number {
  return (
    a.block_number - b.block_number ||
    compareOrLast(a.transaction_index, b.transaction_index) ||
    KINDS.indexOf(a.kind) - KINDS.indexOf(b.kind) ||
    compareOrLast(a.index, b.index) ||
    compareOrLast(a.index_in_batch, b.index_in_batch)
  );
}

/** Compares two indices. Null comes last. */
function compareOrLast(a: number | null, b: number | null): number {
  if (a === b) return 0;
  return (a ?? Number.POSITIVE_INFINITY) - (b ?? Number.POSITIVE_INFINITY);
}

/** Newer than the creations of contracts, older than all other transactions. */
const FIRST_FUNDING_BLOCK = 8_900_000;
const FUNDING_GAP = 97;
/** The block in which the address with a stale balance receives the rest of its balance. */
const LATE_FUNDING_BLOCK = 23_100_000;
/** The share of the blocks with only token transfers for which the service also stores a balance. */
const UNCHANGED_SHARE = 0.1;

/**
 * Makes the transactions that fund the sample addresses without a script. An address gets what its current balance requires, and more if its
 * balance would be negative at an earlier time. `tables` has all other rows.
 */
export function makeFundings(context: LedgerContext, tables: EventTables): TransactionRow[] {
  const [from = ""] = context.accounts.validators;
  return SAMPLE_KEYS.filter((key) => !isScripted(key)).flatMap((key, i) => {
    const { balance = 0n, funding: fixed, lateFunding = 0n, isGenesis = false } = SAMPLE_ADDRESSES[key];
    if (balance === 0n && fixed === undefined) return [];
    const to = context.accounts.sampleHashes[key];
    const first = isGenesis ? 0 : FIRST_FUNDING_BLOCK + i * FUNDING_GAP;
    const value = fixed ?? computeFunding(makeEvents(context, to, tables, false), to, balance - lateFunding);
    const funding = { transaction_index: 0, ...CALL, from, to, method: null };
    const late = lateFunding > 0n ? [{ ...funding, block_number: LATE_FUNDING_BLOCK, value: lateFunding }] : [];
    return [{ ...funding, block_number: first, value }, ...late];
  });
}

function computeFunding(events: readonly LedgerEvent[], account: string, target: bigint): bigint {
  let sum = 0n;
  let lowest = 0n;
  for (const event of events) {
    sum += computeDelta(event, account);
    if (sum < lowest) lowest = sum;
  }
  const needed = target - sum;
  return needed + lowest < 0n ? -lowest : needed;
}

/** Makes the balance history of an address from `tables`, oldest first, after the blocks that end with `balance`. */
function makeBalanceChanges(context: LedgerContext, account: string, tables: EventTables, balance = 0n) {
  const eventsByBlock = groupBy(makeEvents(context, account, tables, false), ({ block_number }) => block_number);
  const transferBlocks = tables.transfers
    .filter(({ block_number, from, to }) => (from === account || to === account) && !eventsByBlock.has(block_number))
    .map(({ block_number }) => block_number)
    .filter((block) => context.createRandom("unchanged balance", account, block).nextBoolean(UNCHANGED_SHARE));
  let value = balance;
  return [...new Set([...eventsByBlock.keys(), ...transferBlocks])]
    .sort((a, b) => a - b)
    .map((block_number) => {
      const events = eventsByBlock.get(block_number) ?? [];
      const delta = events.reduce((sum, event) => sum + computeDelta(event, account), 0n);
      value += delta;
      const transaction_index = pickTransaction(context, account, block_number, events);
      // The service also stores rows without a change, but hides them from pages.
      return { account, block_number, transaction_index, value, delta, isHidden: delta === 0n };
    });
}

/** A balance at the end of a block, in wei. */
export type BalanceChangeRow = ReturnType<typeof makeBalanceChanges>[number];

/** Picks one of the transactions that changed a balance. The service does not always know one. */
function pickTransaction(context: LedgerContext, account: string, block: number, events: readonly LedgerEvent[]): number | null {
  const random = context.createRandom("balance", account, block);
  const changes = events.filter((event) => event.transaction_index !== null && computeDelta(event, account) !== 0n);
  return changes.length === 0 || random.nextBoolean(0.1) ? null : random.pick(changes).transaction_index;
}

/** The tables that events come from. */
interface Sources {
  readonly blocks: Table<BlockRow>;
  readonly withdrawals: Table<WithdrawalRow>;
  readonly entries: AccountTables["entries"];
  readonly newRows: NewRows;
  /** The histories of the initial chain by address, which chains share. */
  readonly initialChanges: Map<string, Table<BalanceChangeRow>>;
  getTablesFor(account: string): AccountTables;
}

export type AccountHistory = ReturnType<typeof createHistory>;

export function createHistory(context: LedgerContext, sources: Sources) {
  const { blocks, entries, newRows, withdrawals, initialChanges, getTablesFor } = sources;
  const balanceChanges = new Map<string, Table<BalanceChangeRow>>();

  /** Creates the rewards of an address as a block producer: the part of the fees that is not burnt. */
  const makeRewards = (account: string, rows: readonly BlockRow[]) => {
    const mined = rows.filter(({ type, miner }) => type === "block" && miner === account);
    return mined.map(({ block_number }) => {
      const baseFee = BigInt(context.getBaseFee(block_number));
      const rows = entries.getRowsOfBlock(block_number);
      const amount = rows.reduce((sum, { fee, content }) => sum + fee - baseFee * (content.gasUsed ?? 0n), 0n);
      return { block_number, amount };
    });
  };
  /** The rows of the initial chain, including all rows of an address. */
  const getInitialRows = (account: string): EventTables => {
    const { transactions, internalTransactions, transfers } = getTablesFor(account);
    return {
      transactions: transactions.initial,
      internalTransactions: internalTransactions.initial,
      transfers: transfers.initial,
      withdrawals: withdrawals.rows,
      rewards: context.accounts.canProduce(account) ? makeRewards(account, blocks.initial) : [],
    };
  };
  const getNewRows = (account: string): EventTables => {
    return { ...newRows, withdrawals: [], rewards: makeRewards(account, newRows.blocks) };
  };
  /** The balance history of an address, oldest first. */
  const getBalanceChanges = (account: string): Table<BalanceChangeRow> =>
    getOrMake(balanceChanges, account, () => {
      const make = (rows: EventTables, balance?: bigint) => makeBalanceChanges(context, account, rows, balance);
      const initial = getOrMake(initialChanges, account, () => new Table(() => make(getInitialRows(account))));
      return initial.grow(newRows, () => make(getNewRows(account), initial.rows.at(-1)?.value));
    });

  return {
    getBalanceChanges,
    getCoinBalance: (account: string): bigint => getBalanceChanges(account).rows.at(-1)?.value ?? 0n,
    /** All events of an address, oldest first. */
    getEvents(account: string, fromBlock = 0): LedgerEvent[] {
      const tables = [...(fromBlock > HEAD_BLOCK ? [] : [getInitialRows(account)]), getNewRows(account)];
      const events = tables.flatMap((rows) => makeEvents(context, account, rows, true));
      return events.filter(({ block_number }) => block_number >= fromBlock);
    },
  };
}
