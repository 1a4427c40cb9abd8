// The tables of the ledger, each made from the tables above it when it is read. Most transactions and transfers are in the ordinary
// rows, in the oversized block or in the deep history, which few addresses need: an address has its own group of tables.

import { getOrMake, createLazy, type Lazy } from "../maps.js";
import { makeApprovals } from "./approvals.js";
import { makeRichList } from "./balances.js";
import { getProducerBlock, makeBlocks, type NewRows } from "./blocks.js";
import { type BalanceChangeRow, createHistory, makeFundings } from "./coin-history.js";
import { type DepositRow, makeDeposits, makeInternalTransactions, makeWithdrawals, type WithdrawalRow } from "./coin-records.js";
import type { LedgerContext } from "./context.js";
import { makeDeepRows } from "./deep-history.js";
import { type EventfulBlock, makeEventfulBlock } from "./eventful-block.js";
import { makeLogs } from "./logs.js";
import { makeNfts } from "./nfts.js";
import { compareTransactions, compareTransfers } from "./positions.js";
import type { TransactionRow } from "./rows.js";
import { SCRIPTED_KEYS } from "./sample-addresses.js";
import { performScript } from "./script.js";
import type { ScriptRows } from "./script-stage.js";
import { type AccountTables, Table } from "./table.js";
import { makeInitialHoldings, makeTokenBalances, makeTokenHoldings, type TokenBalanceRow } from "./token-holdings.js";
import { mergeBatchTransfers, settleTransfers } from "./token-ledger.js";
import { deriveTransactions, makeParentTransactions, makePendingEntries, TransactionEntry } from "./transactions.js";
import { makeOversizedBlockTransfers, makePoisoningTransfers, makeTransferDrafts } from "./transfers.js";

const concatenate = <Row extends object>(tables: readonly Table<Row>[], compare?: (a: Row, b: Row) => number): Table<Row> =>
  new Table(() => {
    const rows = tables.flatMap(({ rows }) => rows);
    return compare ? rows.sort(compare) : rows;
  });

const createEntries = (context: LedgerContext, rows: readonly TransactionRow[]) =>
  rows.map((row) => new TransactionEntry(context, row));

const deriveTables = (
  context: LedgerContext,
  tables: Omit<AccountTables, "mergedTransfers" | "entries">,
  makePending = makePendingEntries,
): AccountTables => ({
  ...tables,
  mergedTransfers: new Table(() => mergeBatchTransfers(tables.transfers.rows)),
  entries: new Table(() => [...makePending(context), ...createEntries(context, tables.transactions.rows)]),
});

/** Creates the tables of the scripted addresses. No other sample address occurs in them, and no transaction is pending. */
const createScriptedTables = (context: LedgerContext, script: Lazy<ScriptRows>): AccountTables =>
  deriveTables(
    context,
    {
      transfers: new Table(() => script.value.details.value.transfers),
      transactions: new Table(() => script.value.transactions),
      internalTransactions: new Table(() => script.value.details.value.internalTransactions),
      logs: new Table(() => script.value.details.value.logs),
      approvals: new Table(() => script.value.details.value.logs),
      nfts: new Table(() => script.value.details.value.nfts),
    },
    () => [],
  );

/** Creates the tables of addresses that occur neither in the script, nor in the deep history, nor in transfers of the oversized token. */
function createOrdinaryTables(
  context: LedgerContext,
  eventfulBlock: Lazy<EventfulBlock>,
  { deposits, withdrawals }: { readonly deposits: Table<DepositRow>; readonly withdrawals: Table<WithdrawalRow> },
  getTransactions: (account: string) => Table<TransactionRow>,
): AccountTables {
  const nfts = new Table(() => makeNfts(context, eventfulBlock.value.holdings));
  const logs = new Table(() => makeLogs(context));
  const internalTransactions = new Table(() => [
    ...makeInternalTransactions(context),
    ...eventfulBlock.value.internalTransactions,
  ]);
  const transfers = new Table(() => {
    const { transfers, holdings } = eventfulBlock.value;
    const drafts = [...makeTransferDrafts(context), ...transfers];
    const settled = settleTransfers(context, drafts, makeInitialHoldings(context, nfts.rows, holdings));
    return [...settled, ...makePoisoningTransfers(context, settled)].sort(compareTransfers);
  });
  const transactions = new Table(() => {
    const known = [...deriveTransactions(transfers.rows), ...eventfulBlock.value.transactions];
    const parents = makeParentTransactions(context, logs.rows, internalTransactions.rows, deposits.rows, known);
    const all = [...known, ...parents];
    const records = { transfers: transfers.rows, internalTransactions: internalTransactions.rows, withdrawals: withdrawals.rows };
    return [...all, ...makeFundings(context, { ...records, rewards: [], transactions: all })].sort(compareTransactions);
  });
  // No ordinary address emits approvals: token contracts do.
  const approvals = new Table(() => makeApprovals(context, nfts.rows, (owner) => getTransactions(owner).rows));
  return deriveTables(context, { transfers, transactions, internalTransactions, logs, approvals, nfts });
}

/** Creates the tables of the initial chain. They never change, so chains with the same seed and type share them. */
export function createInitialTables(context: LedgerContext) {
  const { sampleHashes } = context.accounts;
  const eventfulBlock = createLazy(() => makeEventfulBlock(context));
  const deposits = new Table(() => makeDeposits(context));
  const withdrawals = new Table(() => makeWithdrawals(context, getProducerBlock(context)));
  const script = createLazy(() => performScript(context));
  const scripted = createScriptedTables(context, script);
  const credits = { deposits, withdrawals };
  const ordinary = createOrdinaryTables(context, eventfulBlock, credits, (owner) => getTablesFor(owner).transactions);
  const oversizedTransfers = new Table(() => makeOversizedBlockTransfers(context));
  const oversizedTransactions = new Table(() => deriveTransactions(oversizedTransfers.rows));
  /** All rows except the deep history. */
  const shallow = deriveTables(context, {
    transfers: concatenate([ordinary.transfers, oversizedTransfers, scripted.transfers], compareTransfers),
    transactions: concatenate([ordinary.transactions, oversizedTransactions, scripted.transactions], compareTransactions),
    internalTransactions: concatenate([ordinary.internalTransactions, scripted.internalTransactions]),
    logs: concatenate([ordinary.logs, ordinary.approvals, scripted.logs]),
    approvals: concatenate([ordinary.approvals, scripted.approvals]),
    nfts: concatenate([ordinary.nfts, scripted.nfts]),
  });
  const deepRows = new Table(() => makeDeepRows(context));
  const full: AccountTables = {
    ...shallow,
    transactions: concatenate([shallow.transactions, deepRows], compareTransactions),
    entries: new Table(() => [...shallow.entries.rows, ...createEntries(context, deepRows.rows)]),
  };
  const groups = new Map([
    ...[sampleHashes.deep, sampleHashes.distributor, sampleHashes.oversized].map((hash) => [hash, shallow] as const),
    ...SCRIPTED_KEYS.map((key) => [sampleHashes[key], scripted] as const),
  ]);
  const getTablesFor = (account: string): AccountTables => groups.get(account) ?? ordinary;
  const blocks = new Table(() => makeBlocks(context));
  const initialChanges = new Map<string, Table<BalanceChangeRow>>();
  return { full, shallow, getTablesFor, blocks, ...credits, oversizedTransfers, eventfulBlock, script, initialChanges };
}

export type InitialTables = ReturnType<typeof createInitialTables>;
export type Tables = ReturnType<typeof createTables>;

/** Creates the tables of a chain. `newRows` has the rows of the blocks that were added to it. */
export function createTables(context: LedgerContext, initial: InitialTables, newRows: NewRows) {
  const { full, shallow, deposits, withdrawals } = initial;
  const { accounts } = context;
  const blocks = initial.blocks.grow(newRows, () => [...newRows.blocks, ...newRows.replacedBlocks]);
  const grown: AccountTables = {
    ...full,
    transfers: full.transfers.grow(newRows, () => newRows.transfers),
    mergedTransfers: full.mergedTransfers.grow(newRows, () => newRows.transfers),
    transactions: full.transactions.grow(newRows, () => newRows.transactions),
    entries: full.entries.grow(newRows, () => createEntries(context, newRows.transactions)),
    internalTransactions: full.internalTransactions.grow(newRows, () => newRows.internalTransactions),
  };
  const getTablesFor = (account?: string): AccountTables =>
    account === undefined || account === accounts.sampleHashes.deep || !accounts.isSample(account)
      ? grown
      : initial.getTablesFor(account);
  const history = createHistory(context, { ...initial, blocks, entries: grown.entries, newRows, getTablesFor });
  const holdings = { ...initial, newRows, getTablesFor };
  const balances = new Map<string, Table<TokenBalanceRow>>();
  return {
    ...grown,
    blocks,
    deposits,
    withdrawals,
    meanings: createLazy(() => initial.script.value.details.value.meanings),
    history,
    richList: new Table(() => makeRichList(context, history, (account) => getTablesFor(account).entries.rows)),
    /** Returns the mined transactions of a block, except the ones of the deep history. */
    getShallowTransactions: (block: number) => shallow.transactions.getRowsOfBlock(block),
    getTablesFor,
    getTokenHoldings: (account: string) => makeTokenHoldings(context, holdings, account),
    /** The balances of an address, or of all addresses. They change when the chain grows. */
    getTokenBalances: (account?: string) =>
      getOrMake(balances, account ?? "", () => new Table(() => makeTokenBalances(context, holdings, account), newRows)),
  };
}
