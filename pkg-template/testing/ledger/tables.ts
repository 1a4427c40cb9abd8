// All tables of the ledger, in dependency order: each is made from the tables above it.
//
// A new table is a generator in a separate file, and a line here.

import { AccountHistory } from "./account-history.js";
import { createAccountTables } from "./account-tables.js";
import { makeApprovals } from "./approvals.js";
import { makeBlocks } from "./blocks.js";
import type { LedgerContext } from "./context.js";
import type { DeepHistory } from "./deep-history.js";
import { makeEventfulBlock } from "./eventful-block.js";
import { makeLogs } from "./logs.js";
import { makeInternalTransactions, makeWithdrawals } from "./native-coin.js";
import type { NewRows } from "./new-blocks.js";
import { makeNfts } from "./nfts.js";
import { makeRichList } from "./rich-list.js";
import { makeDeposits, makeElectionRewards } from "./staking.js";
import { Table } from "./table.js";
import { makeHolders, makeInstanceHolders, makeInstances, makeTokenRows } from "./token-tables.js";
import { makeCollections, makeTokenBalances, makeTokenHoldings } from "./token-holdings.js";

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
  const logs = new Table(() => makeLogs(context));
  const nfts = new Table(() => makeNfts(context, eventfulBlock.holdings));
  const internalTransactions = new Table(
    () => [...makeInternalTransactions(context), ...eventfulBlock.internalTransactions],
    newRows,
    () => newRows.internalTransactions,
  );
  const sources = { deepHistory, eventfulBlock, newRows, deposits, internalTransactions, logs, nfts, withdrawals };
  const { oversizedTransfers, shallowTransactions, getTablesFor } = createAccountTables(context, sources);
  const approvals = new Table(() => makeApprovals(context, nfts.initial, getTablesFor));
  const { entries, mergedTransfers } = getTablesFor();
  const holdingSources = { ...sources, oversizedTransfers };
  const getTokenHoldings = (account: string) => makeTokenHoldings(context, holdingSources, account);
  const tokenBalances = new Table(
    // The balances of the initial chain change when the chain grows, so all rows count as new.
    () => [],
    newRows,
    () => makeTokenBalances(context, holdingSources, getTablesFor),
  );
  const history = new AccountHistory(context, { ...sources, blocks, entries, getTablesFor });
  const tokens = new Table(() => makeTokenRows(context));
  const tokenHolders = new Table(
    () => [],
    newRows,
    () => makeHolders(tokenBalances.rows),
  );
  const richList = new Table(() => makeRichList(context, history, getTablesFor));
  return {
    blocks,
    deposits,
    electionRewards: new Table(() => makeElectionRewards(context)),
    withdrawals,
    logs,
    approvals,
    nfts,
    collections: new Table(() => makeCollections(nfts.initial)),
    internalTransactions,
    mergedTransfers,
    entries,
    shallowTransactions,
    tokenBalances,
    tokens,
    tokenHolders,
    instances: new Table(() => makeInstances(nfts.initial)),
    instanceHolders: new Table(() => makeInstanceHolders(nfts.initial)),
    richList,
    history,
    getTokenHoldings,
    getTablesFor,
  };
}
