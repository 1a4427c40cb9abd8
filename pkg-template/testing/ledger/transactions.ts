// Transactions: their contents, the transactions that other records belong to, pending ones, and the entries of the REST lists.

import { hashKeccak256 } from "../../keccak.js";
import { getOrMake } from "../maps.js";
import type { LedgerContext } from "./context.js";
import type { LogRow } from "./logs.js";
import { createPositionKey, HEAD_BLOCK } from "./positions.js";
import type { DepositRow, PendingTransaction, TransactionPosition, TransactionRow, TransferRow } from "./rows.js";
import { METHODS, SCRIPTED_KEYS } from "./sample-addresses.js";

const ZERO_ADDRESS = /^0x0{40}$/;
const GWEI = 10 ** 9;

const SIGNATURES: Readonly<Record<string, string>> = {
  transfer: "transfer(address to, uint256 value)",
  transferFrom: "transferFrom(address from, address to, uint256 value)",
  swap: "swap(address tokenIn, address tokenOut, uint256 amountIn)",
  multicall: "multicall(bytes[] data)",
  execute: "execute(bytes commands, bytes[] inputs, uint256 deadline)",
  approve: "approve(address spender, uint256 value)",
  castVote: "castVote(uint256 proposal, uint8 support)",
  deposit: "deposit()",
  claim: "claim(uint256 index)",
  safeBatchTransferFrom: "safeBatchTransferFrom(address from, address to, uint256[] ids, uint256[] values, bytes data)",
};

interface ResolvedMethod {
  /** Eight hex digits, without 0x. Empty for a transfer of the native coin. */
  readonly selector: string;
  /** Null if the service cannot decode it. */
  readonly signature: string | null;
}

const resolvedMethods = new Map<string, ResolvedMethod>();

/** Resolves the name or the selector of a method. */
function resolveMethod(method: string | null): ResolvedMethod {
  if (method === null) return { selector: "", signature: null };
  if (/^0x[0-9a-f]{8}$/.test(method)) return { selector: method.slice(2), signature: null };
  return getOrMake(resolvedMethods, method, () => resolveName(method));
}

function resolveName(method: string): ResolvedMethod {
  // Contract authors can choose any name, such as "constructor": look for own properties only.
  const known = Object.hasOwn(SIGNATURES, method) ? SIGNATURES[method] : undefined;
  const signature = known ?? `${method}(address to, uint256 value)`;
  const canonical = signature.replace(/([\w[\]]+) \w+(?=[,)])/g, "$1").replaceAll(", ", ",");
  return { selector: hashKeccak256(canonical).slice(0, 8), signature };
}

/** The gas of a mined transaction and its price. */
interface TransactionGas {
  readonly gasUsed: number;
  /** In wei, as the account module sends it. */
  readonly gasPrice: number | null;
}

/** The fee of a rollup transaction for its data on the parent chain, layer 1. */
export interface L1Fee {
  readonly gasUsed: number;
  /** In wei. */
  readonly gasPrice: number;
  /** A decimal number. */
  readonly scalar: string;
  /** `gasUsed` times `gasPrice` times `scalar`, in wei. */
  readonly value: bigint;
}

const L1_FEE_SCALAR = "0.684";
const L1_FEE_PERMILLE = 684n;

/** The contents of a transaction, except its position, sender, recipient and value. */
export interface TransactionContent extends ResolvedMethod, TransactionGas {
  /** Null if the chain is not a rollup. */
  readonly l1Fee: L1Fee | null;
  readonly hash: string;
  readonly input: string;
  readonly nonce: number;
  readonly gas: number;
  readonly cumulativeGasUsed: number;
}

type TransactionSummary = Pick<
  TransactionRow,
  "block_number" | "transaction_index" | "from" | "method" | "gasUsed" | "nonce" | "data"
>;

function makeGas(context: LedgerContext, row: TransactionSummary): TransactionGas {
  const { block_number, transaction_index, from, method } = row;
  const random = context.createRandom("gas", block_number, transaction_index);
  const gasUsed = row.gasUsed ?? 21_000 + (method === null ? 0 : random.nextInt(400_000));
  // Newer transaction types can lack a gas price. Transactions of sample addresses have one, because their fees require it.
  const hasPrice = context.accounts.isSample(from) || !random.nextBoolean(0.02);
  return { gasUsed, gasPrice: hasPrice ? GWEI + random.nextInt(2 ** 32) : null };
}

/** Returns the price of one unit of gas, in wei. Some responses of the account module lack it, but no REST responses do. */
function getEffectiveGasPrice(context: LedgerContext, block: number, gasPrice: number | null): bigint {
  return BigInt(gasPrice ?? 2 * context.getBaseFee(block));
}

function makeL1Fee(context: LedgerContext, { block_number, transaction_index }: TransactionSummary): L1Fee | null {
  if (context.chainType !== "optimism") return null;
  const random = context.createRandom("layer 1", block_number, transaction_index);
  const gasUsed = 1600 + random.nextInt(20_000);
  const gasPrice = GWEI + random.nextInt(2 ** 32);
  return { gasUsed, gasPrice, scalar: L1_FEE_SCALAR, value: (BigInt(gasUsed) * BigInt(gasPrice) * L1_FEE_PERMILLE) / 1000n };
}

/** Computes the fee of a mined transaction, in wei. On a rollup it includes the fee for data on layer 1. */
export function computeFee(context: LedgerContext, row: TransactionSummary): bigint {
  const { gasUsed, gasPrice } = makeGas(context, row);
  const l1Fee = makeL1Fee(context, row)?.value ?? 0n;
  return BigInt(gasUsed) * getEffectiveGasPrice(context, row.block_number, gasPrice) + l1Fee;
}

export function makeTransactionContent(context: LedgerContext, row: TransactionSummary): TransactionContent {
  const { block_number, transaction_index, method } = row;
  const random = context.createRandom("content", block_number, transaction_index);
  const { selector, signature } = resolveMethod(method);
  const { gasUsed, gasPrice } = makeGas(context, row);
  const data = selector && random.nextHex(32).slice(2);
  return {
    selector,
    signature,
    hash: context.getTransactionHash(block_number, transaction_index),
    input: selector ? `0x${selector}${row.data ?? data}` : "0x",
    nonce: row.nonce ?? random.nextInt(5000),
    gas: gasUsed + random.nextInt(50_000),
    gasUsed,
    cumulativeGasUsed: gasUsed + random.nextInt(25_000_000),
    gasPrice,
    l1Fee: makeL1Fee(context, row),
  };
}

/** Derives the transactions that contain these transfers, which are sorted by position. The first transfer gives the sender. */
export function deriveTransactions(transfers: readonly TransferRow[]): TransactionRow[] {
  const rows: TransactionRow[] = [];
  for (const { block_number, transaction_index, from, to, token, method, signer } of transfers) {
    const last = rows.at(-1);
    if (last?.block_number === block_number && last.transaction_index === transaction_index) continue;
    rows.push({
      block_number,
      transaction_index,
      from: signer ?? (ZERO_ADDRESS.test(from) ? to : from),
      to: token.hash,
      createdContract: null,
      value: 0n,
      hasFailed: false,
      method,
      hasTokenTransfers: true,
    });
  }
  return rows;
}

/** The number of pending transactions by sample address. */
const PENDING_COUNTS = [
  ["hub", 23],
  ["quiet", 1],
] as const;

/** Makes the pending transactions of an address, newest first. */
export function makePendingTransactions(context: LedgerContext, account: string | undefined): PendingTransaction[] {
  const [key, length] = PENDING_COUNTS.find(([name]) => context.accounts.sampleHashes[name] === account) ?? [];
  if (account === undefined || key === undefined) return [];
  return Array.from({ length }, (_, i) => {
    const random = context.createRandom("pending", key, i);
    const method = random.pick(METHODS);
    const { selector } = resolveMethod(method);
    const isCreation = i % 10 === 4;
    return {
      method: isCreation ? null : method,
      hash: random.nextHex(32),
      from: account,
      to: isCreation ? null : random.pick(context.accounts.otherHashes),
      nonce: 5100 - i,
      value: random.nextBigInt(8),
      gas: 21_000 + random.nextInt(400_000),
      gasPrice: GWEI + random.nextInt(2 ** 32),
      input: `0x${isCreation ? "60806040" : selector}`,
    };
  });
}

/** The contents of a transaction that has been mined or is pending. */
interface EntryContent extends ResolvedMethod {
  readonly input: string;
  readonly nonce: number;
  readonly gas: number;
  readonly gasPrice: bigint;
  /** Null if pending. */
  readonly gasUsed: bigint | null;
  /** Null if pending, or if the chain is not a rollup. */
  readonly l1Fee: L1Fee | null;
}

/** A transaction. The contents are computed when they are read, because there are many transactions. */
export class TransactionEntry {
  readonly #context: LedgerContext;
  readonly row: Omit<TransactionRow, keyof TransactionPosition>;
  /** Null if pending. */
  readonly block_number: number | null;
  /** The index in the block. Null if pending. */
  readonly index: number | null;
  readonly inserted_at: string;
  #hash: string | undefined;
  #content: EntryContent | undefined;

  /** `pending` is the transaction if it is not in a block, and the number of newer ones. */
  constructor(context: LedgerContext, row: TransactionRow);
  constructor(
    context: LedgerContext,
    row: Omit<TransactionRow, keyof TransactionPosition>,
    pending: PendingTransaction,
    i: number,
  );
  constructor(
    context: LedgerContext,
    row: Partial<TransactionRow> & TransactionEntry["row"],
    pending?: PendingTransaction,
    i = 0,
  ) {
    const { block_number = null, transaction_index = null } = row;
    this.#context = context;
    this.row = row;
    this.block_number = block_number;
    this.index = transaction_index;
    const fraction = pending ? String(999_000 - i).padStart(6, "0") : "500000";
    this.inserted_at = `${context.getTimestamp(block_number ?? HEAD_BLOCK - i)}.${fraction}Z`;
    this.#hash = pending?.hash;
    if (!pending) return;
    const gasPrice = BigInt(pending.gasPrice);
    this.#content = { ...pending, ...resolveMethod(pending.method), gasPrice, gasUsed: null, l1Fee: null };
  }

  get content(): EntryContent {
    this.#content ??= this.#makeContent({ ...this.row, ...this.#position });
    return this.#content;
  }

  get hash(): string {
    const { block_number, transaction_index } = this.#position;
    this.#hash ??= this.#context.getTransactionHash(block_number, transaction_index);
    return this.#hash;
  }

  /** The position of a transaction in a block. */
  get #position(): TransactionPosition {
    return { block_number: this.block_number ?? 0, transaction_index: this.index ?? 0 };
  }

  #makeContent(row: TransactionRow): EntryContent {
    const content = makeTransactionContent(this.#context, row);
    const gasPrice = getEffectiveGasPrice(this.#context, row.block_number, content.gasPrice);
    return { ...content, gasPrice, gasUsed: BigInt(content.gasUsed) };
  }

  get value(): bigint {
    return this.row.value;
  }

  get types(): string[] {
    const { to, method, value, hasTokenTransfers } = this.row;
    const isCall = to !== null && method !== null;
    return [
      ...(hasTokenTransfers ? ["token_transfer"] : []),
      ...(to === null ? ["contract_creation"] : []),
      ...(isCall ? ["contract_call"] : []),
      ...(value > 0n || (to !== null && method === null) ? ["coin_transfer"] : []),
    ];
  }

  /** The paid fee for gas; the maximum fee if pending. */
  get gasFee(): bigint {
    const { gas, gasUsed, gasPrice } = this.content;
    return (gasUsed ?? BigInt(gas)) * gasPrice;
  }

  /** The whole fee. On a rollup it includes the fee for data on layer 1. */
  get fee(): bigint {
    return this.gasFee + (this.content.l1Fee?.value ?? 0n);
  }
}

/** Makes all pending transactions of the chain. */
export function makePendingEntries(context: LedgerContext): TransactionEntry[] {
  const { hub, quiet } = context.accounts.sampleHashes;
  const transactions = [hub, quiet].flatMap((account) => makePendingTransactions(context, account));
  return transactions.map((transaction, i) => {
    const { from, to, value, method } = transaction;
    return new TransactionEntry(context, { from, to, value, method, createdContract: null, hasFailed: false }, transaction, i);
  });
}

/** Blocks of contract creations are older than all others. */
const FIRST_CREATION_BLOCK = 8_000_000;
const CREATION_BLOCK_COUNT = 900_000;

interface Records {
  readonly logs: readonly LogRow[];
  readonly internalTransactions: readonly TransactionPosition[];
  readonly deposits: readonly DepositRow[];
}

/**
 * Makes the transactions whose hashes occur in logs, internal transactions, deposits and contract creations, except those at
 * the positions of `knownTransactions`.
 */
export function makeParentTransactions(
  context: LedgerContext,
  { logs, internalTransactions, deposits }: Records,
  knownTransactions: readonly TransactionRow[],
): TransactionRow[] {
  const rows = new Map<string, TransactionRow>();
  const known = new Set(knownTransactions.map(createPositionKey));
  const add = (position: TransactionPosition, parties: Partial<TransactionRow>) => {
    const key = createPositionKey(position);
    if (known.has(key)) return;
    const { block_number, transaction_index } = position;
    const random = context.createRandom("parent", block_number, transaction_index);
    rows.set(key, {
      block_number,
      transaction_index,
      from: random.pick(context.accounts.validators),
      to: random.pick(context.accounts.validators),
      createdContract: null,
      value: 0n,
      hasFailed: false,
      method: "execute",
      ...parties,
    });
  };
  for (const row of logs) add(row, { to: row.calledContract ?? row.emitter });
  for (const row of internalTransactions) add(row, {});
  for (const row of deposits) add(row, { from: row.account, value: row.amount, method: "deposit" });
  const { accounts } = context;
  const scripted = SCRIPTED_KEYS.map((key) => accounts.sampleHashes[key]);
  const contracts = accounts.contractHashes.filter((hash) => !scripted.includes(hash));
  for (const creation of makeCreations(context, contracts)) add(creation, creation);
  return [...rows.values()];
}

/** Makes the transactions that created contracts. Other addresses have none. */
export function makeCreations(context: LedgerContext, hashes: readonly string[]): TransactionRow[] {
  return hashes.flatMap((createdContract) => {
    const creation = getCreation(context, createdContract);
    if (!creation) return [];
    const { creator: from, ...position } = creation;
    return [{ ...position, from, to: null, createdContract, value: 0n, hasFailed: false, method: "0x60806040" }];
  });
}

/** Returns the position of the transaction that created a contract, and its sender. Null for an account with a delegation. */
export function getCreation(
  context: LedgerContext,
  contract: string,
): (TransactionPosition & { readonly creator: string }) | null {
  const { isContract, proxyType } = context.accounts.getProfile(contract);
  if (!isContract || proxyType === "eip7702") return null;
  const random = context.createRandom("creation", contract);
  return {
    block_number: FIRST_CREATION_BLOCK + random.nextInt(CREATION_BLOCK_COUNT),
    transaction_index: random.nextInt(200),
    creator: random.pick(context.accounts.validators),
  };
}
