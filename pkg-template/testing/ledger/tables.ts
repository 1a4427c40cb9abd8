// All tables of the ledger, in dependency order: each is made from the tables above it.
//
// A new table is a generator in a separate file, and a line here.

import { Lazy, memoize } from "../maps.js";
import { createAccountTables } from "./account-tables.js";
import { makeApprovals } from "./approvals.js";
import { makeRichList } from "./balances.js";
import { makeBlocks, type NewRows } from "./blocks.js";
import { AccountHistory } from "./coin-history.js";
import { makeDeposits, makeInternalTransactions, makeWithdrawals } from "./coin-records.js";
import type { LedgerContext } from "./context.js";
import type { DeepHistory } from "./deep-history.js";
import { makeEventfulBlock } from "./eventful-block.js";
import { makeLogs } from "./logs.js";
import { makeNfts } from "./nfts.js";
import { performScript } from "./script-rows.js";
import { Table } from "./table.js";
import { makeTokenBalances, makeTokenHoldings } from "./token-holdings.js";

export type Tables = ReturnType<typeof createTables>;

/** Creates the tables. `newRows` has the rows of the blocks that were added to the chain. */
export function createTables(context: LedgerContext, deepHistory: DeepHistory, newRows: NewRows) {
  const eventfulBlock = makeEventfulBlock(context);
  const blocks = new Table(
    () => makeBlocks(context),
    newRows,
    () => [...newRows.blocks, ...newRows.replacedBlocks],
  );
  const deposits = new Table(() => makeDeposits(context));
  const withdrawals = new Table(() => makeWithdrawals(context, eventfulBlock.block_number));
  const script = new Lazy(() => performScript(context));
  const logs = new Table(() => [...makeLogs(context), ...script.value.logs]);
  const nfts = new Table(() => [...makeNfts(context, eventfulBlock.holdings), ...script.value.nfts]);
  const internalTransactions = new Table(
    () => [...makeInternalTransactions(context), ...eventfulBlock.internalTransactions, ...script.value.internalTransactions],
    newRows,
    () => newRows.internalTransactions,
  );
  const sources = { deepHistory, eventfulBlock, newRows, deposits, internalTransactions, logs, nfts, script, withdrawals };
  const { oversizedTransfers, shallowTransactions, getTablesFor } = createAccountTables(context, sources);
  const approvals = new Table(() => [...makeApprovals(context, nfts.initial, getTablesFor), ...script.value.approvals]);
  const { entries, mergedTransfers } = getTablesFor();
  const holdingSources = { ...sources, oversizedTransfers };
  /** The balances of an address, or of all addresses if undefined. */
  const getTokenBalances = memoize(
    (account?: string) =>
      new Table(
        // The balances of the initial chain change when the chain grows, so all rows count as new.
        () => [],
        newRows,
        () => makeTokenBalances(context, holdingSources, getTablesFor, account),
      ),
  );
  const history = new AccountHistory(context, { ...sources, blocks, entries, getTablesFor });
  const richList = new Table(() => makeRichList(context, history, getTablesFor));
  return {
    blocks,
    deposits,
    withdrawals,
    logs,
    approvals,
    nfts,
    internalTransactions,
    mergedTransfers,
    entries,
    shallowTransactions,
    getTokenBalances,
    richList,
    history,
    getTokenHoldings: (account: string) => makeTokenHoldings(context, holdingSources, account),
    getTablesFor,
  };
}
