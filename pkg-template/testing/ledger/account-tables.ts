// Transfers and transactions. Most of them are in the oversized block and the deep history, which few addresses need.

import type { Lazy } from "../maps.js";
import type { NewRows } from "./blocks.js";
import { makeFundings } from "./coin-history.js";
import type { LedgerContext } from "./context.js";
import type { DeepHistory } from "./deep-history.js";
import type { EventfulBlock } from "./eventful-block.js";
import type { LogRow } from "./logs.js";
import { compareTransactions, compareTransfers } from "./positions.js";
import type { DepositRow, InternalTransactionRow, NftRow, TransactionRow, TransferRow, WithdrawalRow } from "./rows.js";
import { SCRIPTED_KEYS } from "./sample-addresses.js";
import type { ScriptRows } from "./script-stage.js";
import { Table } from "./table.js";
import { makeInitialHoldings } from "./token-holdings.js";
import { mergeBatchTransfers, settleTransfers } from "./token-ledger.js";
import { deriveTransactions, makeParentTransactions, makePendingEntries, TransactionEntry } from "./transactions.js";
import { makeOversizedBlockTransfers, makePoisoningTransfers, makeTransferDrafts } from "./transfers.js";

/** The sources of transfers and transactions. */
interface Sources {
  readonly deepHistory: DeepHistory;
  readonly eventfulBlock: EventfulBlock;
  readonly newRows: NewRows;
  readonly deposits: Table<DepositRow>;
  readonly internalTransactions: Table<InternalTransactionRow>;
  readonly logs: Table<LogRow>;
  readonly nfts: Table<NftRow>;
  readonly script: Lazy<ScriptRows>;
  readonly withdrawals: Table<WithdrawalRow>;
}

/** Tables that have all rows of an address, oldest first. */
export interface AccountTables {
  readonly transfers: Table<TransferRow>;
  /** The transfers as the REST API lists them. */
  readonly mergedTransfers: Table<TransferRow>;
  /** Mined transactions. */
  readonly transactions: Table<TransactionRow>;
  /** Transactions as the REST API lists them, unsorted: pending and mined. */
  readonly entries: Table<TransactionEntry>;
}

const createEntries = (context: LedgerContext, rows: readonly TransactionRow[]): TransactionEntry[] =>
  rows.map((row) => TransactionEntry.fromMined(context, row));

/** Creates the tables of addresses that occur neither in the deep history nor in transfers of the oversized token. */
function createOrdinaryTables(context: LedgerContext, sources: Sources): AccountTables {
  const { eventfulBlock, nfts, script } = sources;
  const transfers = new Table(() => {
    const drafts = [...makeTransferDrafts(context), ...eventfulBlock.transfers];
    const held = nfts.initial.filter((nft) => !script.value.nfts.includes(nft));
    const settled = settleTransfers(context, drafts, makeInitialHoldings(context, held, eventfulBlock.holdings));
    return [...settled, ...makePoisoningTransfers(context, settled)].sort(compareTransfers);
  });
  const mergedTransfers = new Table(() => mergeBatchTransfers(transfers.initial));
  const transactions = new Table(() => {
    const internalTransactions = sources.internalTransactions.initial;
    const known = [...deriveTransactions(transfers.initial), ...eventfulBlock.transactions];
    const records = { internalTransactions, logs: sources.logs.initial, deposits: sources.deposits.initial };
    const parents = makeParentTransactions(context, records, [...known, ...script.value.transactions]);
    const all = [...known, ...parents];
    const fundings = makeFundings(context, {
      transactions: all,
      transfers: transfers.initial,
      internalTransactions,
      withdrawals: sources.withdrawals.initial,
      rewards: [],
    });
    return [...all, ...fundings].sort(compareTransactions);
  });
  const entries = new Table(() => [...makePendingEntries(context), ...createEntries(context, transactions.initial)]);
  return { transfers, mergedTransfers, transactions, entries };
}

/** Creates the tables of the scripted addresses. No other sample address occurs in them. */
function createScriptedTables(context: LedgerContext, script: Lazy<ScriptRows>): AccountTables {
  const transfers = new Table(() => script.value.transfers);
  const transactions = new Table(() => script.value.transactions);
  const entries = new Table(() => createEntries(context, transactions.initial));
  return { transfers, mergedTransfers: transfers, transactions, entries };
}

/** Creates the tables including the script, and the transfers of the oversized token. */
function createShallowTables(
  context: LedgerContext,
  ordinary: AccountTables,
  script: Lazy<ScriptRows>,
  oversizedTransfers: Table<TransferRow>,
  newRows: NewRows,
): AccountTables {
  const transfers = new Table(
    () => [...ordinary.transfers.initial, ...oversizedTransfers.initial, ...script.value.transfers].sort(compareTransfers),
    newRows,
    () => newRows.transfers,
  );
  const mergedTransfers = new Table(
    () => mergeBatchTransfers(transfers.initial),
    newRows,
    () => newRows.transfers,
  );
  const transactions = new Table(() =>
    [...ordinary.transactions.initial, ...deriveTransactions(oversizedTransfers.initial), ...script.value.transactions].sort(
      compareTransactions,
    ),
  );
  const entries = new Table(() => [...makePendingEntries(context), ...createEntries(context, transactions.initial)]);
  return { transfers, mergedTransfers, transactions, entries };
}

/** Creates the tables of the whole chain, including the transactions of the deep history. */
function createFullTables(context: LedgerContext, shallow: AccountTables, { deepHistory, newRows }: Sources): AccountTables {
  const transactions = new Table(
    () => [...shallow.transactions.initial, ...deepHistory.makeInitialRows()].sort(compareTransactions),
    newRows,
    () => newRows.transactions,
  );
  const entries = new Table(
    () => [...shallow.entries.initial, ...createEntries(context, deepHistory.makeInitialRows())],
    newRows,
    () => createEntries(context, newRows.transactions),
  );
  return { ...shallow, transactions, entries };
}

/** Creates the tables of all addresses. */
export function createAccountTables(context: LedgerContext, sources: Sources) {
  const { accounts } = context;
  const { deep, distributor, oversized } = accounts.sampleHashes;
  const oversizedTransfers = new Table(() => makeOversizedBlockTransfers(context));
  const ordinary = createOrdinaryTables(context, sources);
  const scripted = createScriptedTables(context, sources.script);
  const shallow = createShallowTables(context, ordinary, sources.script, oversizedTransfers, sources.newRows);
  const full = createFullTables(context, shallow, sources);
  const special = new Map([
    // Its own transactions are read from the deep history.
    [deep, { ...full, transactions: shallow.transactions }],
    [distributor, shallow],
    [oversized, shallow],
    ...SCRIPTED_KEYS.map((key) => [accounts.sampleHashes[key], scripted] as const),
  ]);
  /** Returns the tables of an address, or of the whole chain. */
  const getTablesFor = (account?: string): AccountTables =>
    account !== undefined && accounts.isSample(account) ? (special.get(account) ?? ordinary) : full;
  return { oversizedTransfers, shallowTransactions: shallow.transactions, getTablesFor };
}
