// Transactions: their contents, the transactions that other records belong to, pending ones, and the entries of the REST lists.

import { hashKeccak256 } from "../../keccak.js";
import { getOrMake } from "../maps.js";
import type { LedgerContext } from "./context.js";
import type { LogRow } from "./logs.js";
import { createPositionKey, HEAD_BLOCK } from "./positions.js";
import { ZERO_ADDRESS } from "./accounts.js";
import type { DepositRow } from "./coin-records.js";
import type { TransactionPosition, TransactionRow, TransferRow } from "./rows.js";
import { METHODS, SCRIPTED_KEYS } from "./sample-addresses.js";

const GWEI = 10 ** 9;
/** The members of a call that moves no coins. */
export const CALL = { createdContract: null, value: 0n, hasFailed: false } as const;

/** The selectors and signatures of common methods. Hashing a signature takes time. */
const METHODS_BY_NAME: Readonly<Record<string, string>> = {
  transfer: "a9059cbb transfer(address to, uint256 value)",
  transferFrom: "23b872dd transferFrom(address from, address to, uint256 value)",
  swap: "df791e50 swap(address tokenIn, address tokenOut, uint256 amountIn)",
  multicall: "ac9650d8 multicall(bytes[] data)",
  execute: "3593564c execute(bytes commands, bytes[] inputs, uint256 deadline)",
  approve: "095ea7b3 approve(address spender, uint256 value)",
  castVote: "56781388 castVote(uint256 proposal, uint8 support)",
  deposit: "d0e30db0 deposit()",
  withdraw: "f3fef3a3 withdraw(address to, uint256 value)",
  bridge: "c3de453d bridge(address to, uint256 value)",
  claim: "379607f5 claim(uint256 index)",
  safeBatchTransferFrom: "2eb2c2d6 safeBatchTransferFrom(address from, address to, uint256[] ids, uint256[] values, bytes data)",
};

const resolvedMethods = new Map<string, ReturnType<typeof hashMethod>>();

/** The selector has eight hex digits, or none for a transfer of the native coin. Null: the service cannot decode the method. */
function resolveMethod(method: string | null): { readonly selector: string; readonly signature: string | null } {
  if (method === null) return { selector: "", signature: null };
  if (/^0x[0-9a-f]{8}$/.test(method)) return { selector: method.slice(2), signature: null };
  // Contract authors can choose any name, such as "constructor": look for own properties only.
  const known = Object.hasOwn(METHODS_BY_NAME, method) ? METHODS_BY_NAME[method] : undefined;
  if (known) return { selector: known.slice(0, 8), signature: known.slice(9) };
  return getOrMake(resolvedMethods, method, () => hashMethod(`${method}(address to, uint256 value)`));
}

const hashMethod = (signature: string) => {
  const canonical = signature.replace(/([\w[\]]+) \w+(?=[,)])/g, "$1").replaceAll(", ", ",");
  return { selector: hashKeccak256(canonical).slice(0, 8), signature };
};

const L1_FEE_SCALAR = "0.684";
const L1_FEE_PERMILLE = 684n;

/** The fee of a rollup transaction for its data on the parent chain, layer 1: gas times its price in wei times a scalar. */
function makeL1Fee(context: LedgerContext, { block_number, transaction_index }: TransactionPosition) {
  if (context.chainType !== "optimism") return null;
  const random = context.createRandom("layer 1", block_number, transaction_index);
  const gasUsed = 1600 + random.nextInt(20_000);
  const gasPrice = GWEI + random.nextInt(2 ** 32);
  const value = (BigInt(gasUsed) * BigInt(gasPrice) * L1_FEE_PERMILLE) / 1000n;
  return { gasUsed, gasPrice, scalar: L1_FEE_SCALAR, value };
}

type Caller = Pick<TransactionRow, keyof TransactionPosition | "from" | "method" | "gasUsed">;

/** Makes the gas of a mined transaction, and its price in wei. */
function makeGas(context: LedgerContext, row: Caller) {
  const { block_number, transaction_index, from, method } = row;
  const random = context.createRandom("gas", block_number, transaction_index);
  const gasUsed = BigInt(row.gasUsed ?? 21_000 + (method === null ? 0 : random.nextInt(400_000)));
  // Newer transaction types can lack a gas price. Transactions of sample addresses have one, because their fees require it.
  const hasPrice = context.accounts.isSample(from) || !random.nextBoolean(0.02);
  const gasPrice = hasPrice ? GWEI + random.nextInt(2 ** 32) : null;
  // REST responses always have a price.
  const effectivePrice = BigInt(gasPrice ?? 2 * context.getBaseFee(block_number));
  return { gasUsed, gasPrice, effectivePrice, l1Fee: makeL1Fee(context, row) };
}

/** Computes the fee of a mined transaction, in wei. On a rollup it includes the fee for data on layer 1. */
export function computeFee(context: LedgerContext, row: Caller): bigint {
  const { gasUsed, effectivePrice, l1Fee } = makeGas(context, row);
  return gasUsed * effectivePrice + (l1Fee?.value ?? 0n);
}

/** Makes the content of a mined transaction: everything except its position, parties and value. */
export function makeTransactionContent(context: LedgerContext, row: TransactionRow) {
  const { block_number, transaction_index, method } = row;
  const random = context.createRandom("content", block_number, transaction_index);
  const { selector, signature } = resolveMethod(method);
  const gas = makeGas(context, row);
  const data = selector && random.nextHex(32).slice(2);
  return {
    selector,
    signature,
    hash: context.getTransactionHash(block_number, transaction_index),
    input: selector ? `0x${selector}${row.data ?? data}` : "0x",
    nonce: row.nonce ?? random.nextInt(5000),
    gas: Number(gas.gasUsed) + random.nextInt(50_000),
    cumulativeGasUsed: Number(gas.gasUsed) + random.nextInt(25_000_000),
    ...gas,
  };
}

/** Derives the transactions that contain these transfers, which are sorted by position. The first transfer gives the sender. */
export function deriveTransactions(transfers: readonly TransferRow[]): TransactionRow[] {
  const rows: TransactionRow[] = [];
  for (const { block_number, transaction_index, from, to, token, method, signer } of transfers) {
    const last = rows.at(-1);
    if (last?.block_number === block_number && last.transaction_index === transaction_index) continue;
    // All members at once, because there are many rows.
    rows.push({
      block_number,
      transaction_index,
      from: signer ?? (from === ZERO_ADDRESS ? to : from),
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

type MinedContent = ReturnType<typeof makeTransactionContent>;

/** The content of a transaction. Without the gas that it used if it is pending. */
type EntryContent = Omit<MinedContent, "gasUsed" | "cumulativeGasUsed"> &
  Pick<MinedContent | typeof PENDING, keyof typeof PENDING>;

const PENDING = { gasUsed: null, cumulativeGasUsed: null };

/** A transaction. The content is computed when it is read, because there are many transactions. */
export class TransactionEntry {
  readonly #context: LedgerContext;
  readonly row: Omit<TransactionRow, keyof TransactionPosition>;
  /** Null if pending. */
  readonly block_number: number | null;
  readonly index: number | null;
  readonly #age: number;
  #hash: string | undefined;
  #content: EntryContent | undefined;

  /** A transaction that is pending has its content, and is newer than the next ones: `age` is the number of newer ones. */
  constructor(
    context: LedgerContext,
    row: TransactionEntry["row"] & Partial<TransactionPosition>,
    content?: EntryContent,
    age = 0,
  ) {
    const { block_number = null, transaction_index = null } = row;
    this.#context = context;
    this.row = row;
    this.block_number = block_number;
    this.index = transaction_index;
    this.#age = age;
    this.#content = content;
    this.#hash = content?.hash;
  }

  get inserted_at(): string {
    const fraction = this.block_number === null ? String(999_000 - this.#age).padStart(6, "0") : "500000";
    return `${this.#context.getTimestamp(this.block_number ?? HEAD_BLOCK - this.#age)}.${fraction}Z`;
  }

  get content(): EntryContent {
    this.#content ??= makeTransactionContent(this.#context, { ...this.row, ...this.#position });
    return this.#content;
  }

  get hash(): string {
    const { block_number, transaction_index } = this.#position;
    this.#hash ??= this.#context.getTransactionHash(block_number, transaction_index);
    return this.#hash;
  }

  get #position(): TransactionPosition {
    return { block_number: this.block_number ?? 0, transaction_index: this.index ?? 0 };
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
    const { gas, gasUsed, effectivePrice } = this.content;
    return (gasUsed ?? BigInt(gas)) * effectivePrice;
  }

  /** The whole fee. On a rollup it includes the fee for data on layer 1. */
  get fee(): bigint {
    return this.gasFee + (this.content.l1Fee?.value ?? 0n);
  }
}

/** The sample address of each pending transaction, newest first. */
const PENDING_SENDERS = [...Array<"hub">(23).fill("hub"), "quiet" as const];

export function makePendingEntries(context: LedgerContext): TransactionEntry[] {
  return PENDING_SENDERS.map((key, age) => {
    const i = age - PENDING_SENDERS.indexOf(key);
    const random = context.createRandom("pending", key, i);
    const method = random.pick(METHODS);
    const isCreation = i % 10 === 4;
    const hash = random.nextHex(32);
    const row = {
      from: context.accounts.sampleHashes[key],
      to: isCreation ? null : random.pick(context.accounts.otherHashes),
      value: random.nextBigInt(8),
      method: isCreation ? null : method,
      createdContract: null,
      hasFailed: false,
    };
    const gas = 21_000 + random.nextInt(400_000);
    const gasPrice = GWEI + random.nextInt(2 ** 32);
    const input = `0x${isCreation ? "60806040" : resolveMethod(method).selector}`;
    const price = { gas, gasPrice, effectivePrice: BigInt(gasPrice), l1Fee: null };
    const content = { ...resolveMethod(row.method), ...price, ...PENDING, hash, input, nonce: 5100 - i };
    return new TransactionEntry(context, row, content, age);
  });
}

/** Blocks of contract creations are older than all others. */
const FIRST_CREATION_BLOCK = 8_000_000;
const CREATION_BLOCK_COUNT = 900_000;

/**
 * Makes the transactions whose hashes occur in logs, internal transactions, deposits and contract creations, except those at
 * the positions of `knownTransactions`.
 */
export function makeParentTransactions(
  context: LedgerContext,
  logs: readonly LogRow[],
  internalTransactions: readonly TransactionPosition[],
  deposits: readonly DepositRow[],
  knownTransactions: readonly TransactionRow[],
): TransactionRow[] {
  const { accounts } = context;
  const rows = new Map<string, TransactionRow>();
  const known = new Set(knownTransactions.map(createPositionKey));
  const add = ({ block_number, transaction_index }: TransactionPosition, members: Partial<TransactionRow>) => {
    const key = `${block_number}/${transaction_index}`;
    if (known.has(key)) return;
    const random = context.createRandom("parent", block_number, transaction_index);
    const [sender, recipient] = [random.pick(accounts.validators), random.pick(accounts.validators)];
    const { from = sender, to = recipient, createdContract = null, value = 0n, method = "execute" } = members;
    rows.set(key, { block_number, transaction_index, from, to, createdContract, value, hasFailed: false, method });
  };
  for (const row of logs) add(row, { to: row.calledContract ?? row.emitter });
  for (const row of internalTransactions) add(row, {});
  for (const row of deposits) add(row, { from: row.account, value: row.amount, method: "deposit" });
  const scripted = SCRIPTED_KEYS.map((key) => accounts.sampleHashes[key]);
  const contracts = accounts.contractHashes.filter((hash) => !scripted.includes(hash));
  for (const creation of contracts.flatMap((hash) => getCreation(context, hash) ?? [])) add(creation, creation);
  return [...rows.values()];
}

/** Returns the transaction that created a contract. Null for other addresses, and for an account with a delegation. */
export function getCreation(context: LedgerContext, createdContract: string): TransactionRow | null {
  const { isContract, proxyType } = context.accounts.getProfile(createdContract);
  if (!isContract || proxyType === "eip7702") return null;
  const random = context.createRandom("creation", createdContract);
  const block_number = FIRST_CREATION_BLOCK + random.nextInt(CREATION_BLOCK_COUNT);
  const position = { block_number, transaction_index: random.nextInt(200) };
  const from = random.pick(context.accounts.validators);
  return { ...position, ...CALL, from, to: null, createdContract, method: "0x60806040" };
}
