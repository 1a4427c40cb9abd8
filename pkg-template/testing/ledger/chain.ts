// The sample chain of one service. It can grow, and its new blocks can be replaced. Its tables are in tables.ts.

import type { ChainType } from "../public-types.js";
import { createBalanceStore } from "./balances.js";
import { addNewBlock, createNewRows, makeBlock, removeNewBlocks } from "./blocks.js";
import { LedgerContext } from "./context.js";
import { HEAD_BLOCK } from "./positions.js";
import type { BlockRow, TransactionPosition, TransactionRow, TransferRow } from "./rows.js";
import { createInitialTables, createTables, type InitialTables, type Tables } from "./tables.js";
import type { TransactionEntry } from "./transactions.js";

/** A chain that never grows. Chains with its seed and type share its accounts, tokens and initial tables. */
interface World {
  readonly context: LedgerContext;
  readonly tables: InitialTables;
}

/** How many worlds to keep. Each takes long to make and much memory. */
const MAX_WORLDS = 4;
/** The worlds by seed and type, the one that was used last at the end. */
const worlds = new Map<string, World>();

function getWorld(seed: number, chainType: ChainType): World {
  const key = `${seed} ${chainType}`;
  const world = worlds.get(key) ?? createWorld(new LedgerContext(seed, chainType));
  worlds.delete(key);
  worlds.set(key, world);
  for (const oldest of [...worlds.keys()].slice(0, -MAX_WORLDS)) worlds.delete(oldest);
  return world;
}

const createWorld = (context: LedgerContext): World => ({ context, tables: createInitialTables(context) });

export class Chain extends LedgerContext {
  readonly tables: Tables;
  readonly balances: ReturnType<typeof createBalanceStore>;
  /** The first block whose internal transactions the service has indexed. */
  firstTracedBlock = 0;
  /** Called after blocks were added, with the number of the first one. */
  onNewBlocks: (first: number) => void = () => {};
  /** The last transaction that was looked for. */
  #found: { readonly hash: string; readonly rows: readonly object[]; readonly entry: TransactionEntry | undefined } | undefined;
  readonly newRows = createNewRows();

  constructor(seed: number, chainType: ChainType) {
    const world = getWorld(seed, chainType);
    super(seed, chainType, world.context);
    this.tables = createTables(this, world.tables, this.newRows);
    this.balances = createBalanceStore(this, this.tables.history);
  }

  get newBlockCount(): number {
    return this.newRows.blocks.length;
  }

  get head(): number {
    return HEAD_BLOCK + this.newBlockCount;
  }

  /** The share of the blocks whose internal transactions are indexed, with two decimals. */
  get tracedShare(): number {
    return Math.floor((100 * (this.head + 1 - this.firstTracedBlock)) / (this.head + 1)) / 100;
  }

  addBlocks(count: number): void {
    const first = this.head + 1;
    for (let i = 0; i < count; i++) addNewBlock(this, this.head + 1, this.newRows);
    if (count > 0) this.onNewBlocks(first);
  }

  replaceBlocks(count: number): void {
    for (const block of removeNewBlocks(this.head - count + 1, this.newRows)) {
      this.newRows.replacedBlocks.push({ ...block, type: "reorg", replacedHash: this.getBlockHash(block.block_number) });
      this.addFork(block.block_number);
    }
    this.addBlocks(count);
  }

  findBlock(id: string): BlockRow | undefined {
    const isNumber = /^\d+$/.test(id);
    const isIt = ({ block_number }: BlockRow) =>
      isNumber ? block_number === Number(id) : this.getBlockHash(block_number) === id;
    const listed = this.tables.blocks.rows.find((row) => row.type === "block" && isIt(row));
    // Lists leave out older blocks, but each block up to the head exists.
    return listed ?? (isNumber && Number(id) <= this.head ? makeBlock(this, Number(id)) : undefined);
  }

  findTransaction(hash: string): TransactionEntry | undefined {
    const { rows } = this.tables.entries;
    // The rows of a list are compared with the same transaction.
    if (this.#found?.hash !== hash || this.#found.rows !== rows)
      this.#found = { hash, rows, entry: rows.find((entry) => entry.hash === hash) };
    return this.#found.entry;
  }

  /** Returns the mined transaction that a record belongs to. Not for transactions of the initial deep history. */
  getTransactionOf({ block_number, transaction_index }: TransactionPosition): TransactionRow | undefined {
    const isNew = block_number > HEAD_BLOCK;
    const rows = isNew ? this.newRows.transactions : this.tables.getShallowTransactions(block_number);
    return rows.find((row) => row.block_number === block_number && row.transaction_index === transaction_index);
  }

  getTransfersOf(block: number | null, index: number | null): TransferRow[] {
    return this.tables.mergedTransfers.getRowsOfBlock(block).filter((row) => row.transaction_index === index);
  }
}
