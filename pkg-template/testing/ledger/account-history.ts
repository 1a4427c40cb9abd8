// The history of an address: its events, and the native balances that result from them.

import { getOrMake } from "../maps.js";
import type { AccountTables } from "./account-tables.js";
import { computeBalance, makeBalanceChanges } from "./coin-balances.js";
import type { LedgerContext } from "./context.js";
import type { DeepHistory } from "./deep-history.js";
import { type LedgerEvent, makeEvents } from "./events.js";
import type { NewRows } from "./new-blocks.js";
import { HEAD_BLOCK } from "./positions.js";
import type { BalanceChangeRow, BlockRow, EventTables, InternalTransactionRow, RewardRow, WithdrawalRow } from "./rows.js";
import { Table } from "./table.js";
import type { TransactionEntry } from "./transaction-entries.js";

/** The tables that change balances. */
interface Sources {
  readonly blocks: Table<BlockRow>;
  readonly deepHistory: DeepHistory;
  readonly entries: Table<TransactionEntry>;
  readonly internalTransactions: Table<InternalTransactionRow>;
  readonly newRows: NewRows;
  readonly withdrawals: Table<WithdrawalRow>;
  getTablesFor(account: string): AccountTables;
}

export class AccountHistory {
  readonly #context: LedgerContext;
  readonly #sources: Sources;
  /** The balances before the chain grows, by address. */
  readonly #initialBalances = new Map<string, bigint>();
  readonly #balanceChanges = new Map<string, Table<BalanceChangeRow>>();

  constructor(context: LedgerContext, sources: Sources) {
    this.#context = context;
    this.#sources = sources;
  }

  /** The current balance of an address, in wei. */
  getCoinBalance(account: string): bigint {
    const compute = (tables: EventTables) => computeBalance(this.#context, account, tables);
    const initial = getOrMake(this.#initialBalances, account, () => compute(this.#getInitialRows(account)));
    return initial + compute(this.#getNewRows(account));
  }

  /** The balance history of an address, oldest first. */
  getBalanceChanges(account: string): Table<BalanceChangeRow> {
    return getOrMake(this.#balanceChanges, account, () => {
      const make = (rows: EventTables, balance?: bigint) => makeBalanceChanges(this.#context, account, rows, balance);
      const table: Table<BalanceChangeRow> = new Table(
        () => make(this.#getInitialRows(account)),
        this.#sources.newRows,
        () => make(this.#getNewRows(account), table.initial.at(-1)?.value),
      );
      return table;
    });
  }

  /** All events of an address, oldest first. */
  getEvents(account: string, fromBlock = 0): LedgerEvent[] {
    const newRows = this.#getNewRows(account);
    const tables = fromBlock > HEAD_BLOCK ? [newRows] : [this.#getInitialRows(account), newRows];
    return tables
      .flatMap((rows) => makeEvents(this.#context, account, rows))
      .filter(({ block_number }) => block_number >= fromBlock);
  }

  /** The rows of the initial chain, including all rows of an address. */
  #getInitialRows(account: string): EventTables {
    const { blocks, deepHistory, getTablesFor, internalTransactions, withdrawals } = this.#sources;
    const { transactions, transfers } = getTablesFor(account);
    const { accounts } = this.#context;
    const { deep, producer } = accounts.sampleHashes;
    // The other sample addresses do not produce blocks.
    const canProduce = account === producer || !accounts.isSample(account);
    return {
      transactions: account === deep ? [...transactions.initial, ...deepHistory.makeInitialRows()] : transactions.initial,
      internalTransactions: internalTransactions.initial,
      transfers: transfers.initial,
      withdrawals: withdrawals.initial,
      rewards: canProduce ? this.#makeRewards(account, blocks.initial) : [],
    };
  }

  /** The rows of the blocks that were added to the chain. */
  #getNewRows(account: string): EventTables {
    const { newRows } = this.#sources;
    return { ...newRows, withdrawals: [], rewards: this.#makeRewards(account, newRows.blocks) };
  }

  /** Creates the rewards of an address as a block producer: the part of the fees that is not burnt. */
  #makeRewards(account: string, blocks: readonly BlockRow[]): RewardRow[] {
    return blocks
      .filter(({ type, miner }) => type === "block" && miner === account)
      .map(({ block_number }) => {
        const baseFee = BigInt(this.#context.getBaseFee(block_number));
        const amount = this.#sources.entries
          .getRowsOfBlock(block_number)
          .reduce((sum, { fee, content }) => sum + fee - baseFee * (content.gasUsed ?? 0n), 0n);
        return { block_number, amount };
      });
  }
}
