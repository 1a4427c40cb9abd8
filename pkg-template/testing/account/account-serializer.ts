// Serializes rows of the sample chain as the account module does: flat objects of strings, with "" for unknown values.

import type { BalanceState } from "../ledger/balances.js";
import type { Chain } from "../ledger/chain.js";
import type {
  InternalTransactionRow,
  PendingTransaction,
  TokenHolding,
  TransactionPosition,
  TransactionRow,
  TransferRow,
} from "../ledger/rows.js";
import { type L1Fee, makeTransactionContent, type TransactionContent } from "../ledger/transactions.js";
import type { BackendVersion } from "../public-types.js";
import type { Settings } from "../settings.js";
import type { AccountData } from "./account-data.js";

/** A row of a response. */
export type SerializedRow = Record<string, string | boolean | null>;

const toStringOrEmpty = (value: string | number | bigint | null) => (value === null ? "" : String(value));

interface TransactionDetails {
  readonly blockHash: string;
  readonly content: TransactionContent;
}

export class AccountSerializer {
  readonly #chain: Chain;
  readonly #version: BackendVersion;
  readonly #statesL1Fee: boolean;
  readonly #data: AccountData;
  // The last serialized transaction: consecutive rows often share it, or its block.
  #last: (TransactionPosition & TransactionDetails & { readonly fork: number }) | undefined;

  constructor(chain: Chain, settings: Pick<Settings, "backendVersion" | "statesL1Fee">, data: AccountData) {
    this.#chain = chain;
    this.#version = settings.backendVersion;
    this.#statesL1Fee = settings.statesL1Fee;
    this.#data = data;
  }

  serializeTransaction(row: TransactionRow): SerializedRow {
    const { blockHash, content } = this.#getDetails(row);
    const result: SerializedRow = {
      blockNumber: toStringOrEmpty(row.block_number),
      timeStamp: toStringOrEmpty(this.#chain.getUnixTime(row.block_number)),
      hash: content.hash,
      nonce: toStringOrEmpty(content.nonce),
      blockHash,
      transactionIndex: toStringOrEmpty(row.transaction_index),
      from: row.from,
      to: toStringOrEmpty(row.to),
      value: toStringOrEmpty(row.value),
      gas: toStringOrEmpty(content.gas),
      gasPrice: toStringOrEmpty(content.gasPrice),
      isError: row.hasFailed ? "1" : "0",
      txreceipt_status: row.hasFailed ? "0" : "1",
      input: content.input,
      contractAddress: toStringOrEmpty(row.createdContract),
      cumulativeGasUsed: toStringOrEmpty(content.cumulativeGasUsed),
      gasUsed: toStringOrEmpty(content.gasUsed),
      confirmations: toStringOrEmpty(this.#data.head - row.block_number),
    };
    // Added in 9.1.
    if (this.#version > 8) result.methodId = `0x${content.selector}`;
    if (this.#statesL1Fee && content.l1Fee) Object.assign(result, serializeL1Fee(content.l1Fee));
    return result;
  }

  serializePendingTransaction({ hash, nonce, from, to, value, gas, gasPrice, input }: PendingTransaction): SerializedRow {
    return {
      hash,
      nonce: toStringOrEmpty(nonce),
      from,
      to: toStringOrEmpty(to),
      value: toStringOrEmpty(value),
      gas: toStringOrEmpty(gas),
      gasPrice: toStringOrEmpty(gasPrice),
      input,
      contractAddress: "",
      cumulativeGasUsed: "",
      gasUsed: "",
    };
  }

  serializeInternalTransaction(row: InternalTransactionRow): SerializedRow {
    const { block_number, transaction_index, index, type, from, to, created_contract, error, value, gas_limit } = row;
    const isCall = type.endsWith("call");
    const isCreation = type.startsWith("create");
    const random = this.#chain.createRandom("internal content", block_number, transaction_index, index);
    return {
      blockNumber: toStringOrEmpty(block_number),
      timeStamp: toStringOrEmpty(this.#chain.getUnixTime(block_number)),
      from,
      to: toStringOrEmpty(to),
      value: toStringOrEmpty(value),
      contractAddress: toStringOrEmpty(created_contract),
      transactionHash: this.#chain.getTransactionHash(block_number, transaction_index),
      index: toStringOrEmpty(index),
      input: isCreation ? "" : random.nextBoolean(0.5) ? "0x" : random.nextHex(4),
      // All types of call are "call" here; `callType` distinguishes them.
      type: isCall ? "call" : type,
      callType: isCall ? type : "",
      gas: toStringOrEmpty(gas_limit),
      // Unknown for failed creations.
      gasUsed: isCreation && error !== null ? "" : toStringOrEmpty(random.nextInt(gas_limit + 1)),
      isError: error === null ? "0" : "1",
      errCode: toStringOrEmpty(error),
    };
  }

  serializeTransfer(row: TransferRow): SerializedRow {
    const transaction = this.#chain.getTransactionOf(row);
    if (!transaction) throw new Error(`no transaction in block ${row.block_number} has the transfer ${row.index}`);
    const { blockHash, content } = this.#getDetails(transaction);
    const { hash, name, symbol, decimals } = row.token;
    return {
      blockNumber: toStringOrEmpty(row.block_number),
      timeStamp: toStringOrEmpty(this.#chain.getUnixTime(row.block_number)),
      hash: content.hash,
      nonce: toStringOrEmpty(content.nonce),
      blockHash,
      from: row.from,
      contractAddress: hash,
      to: row.to,
      tokenName: name,
      tokenSymbol: symbol,
      tokenDecimal: toStringOrEmpty(decimals),
      transactionIndex: toStringOrEmpty(row.transaction_index),
      gas: toStringOrEmpty(content.gas),
      gasPrice: toStringOrEmpty(content.gasPrice),
      gasUsed: toStringOrEmpty(content.gasUsed),
      cumulativeGasUsed: toStringOrEmpty(content.cumulativeGasUsed),
      input: content.input,
      confirmations: toStringOrEmpty(this.#data.head - row.block_number),
      // Both are empty if the service could not decode the input.
      methodId: content.signature === null ? "" : content.selector,
      functionName: toStringOrEmpty(content.signature),
      ...serializeAmount(row),
    };
  }

  serializeTokenHolding({ token, id, balance }: TokenHolding): SerializedRow {
    const { hash, name, symbol, decimals, type } = token;
    return {
      balance: toStringOrEmpty(balance),
      contractAddress: hash,
      decimals: toStringOrEmpty(decimals),
      name,
      symbol,
      type,
      ...(id === null ? {} : { id: toStringOrEmpty(id) }),
    };
  }

  serializeMinedBlock(block: number): SerializedRow {
    return { blockNumber: toStringOrEmpty(block), timeStamp: `${this.#chain.getTimestamp(block).replace("T", " ")}.000000Z` };
  }

  serializeAccount({ hash, balance, isStale }: BalanceState): SerializedRow {
    return { address: hash, balance: toStringOrEmpty(balance), stale: isStale };
  }

  serializeBalance({ hash, balance, isStale }: BalanceState): SerializedRow {
    return { account: hash, balance: balance === null ? null : toStringOrEmpty(balance), stale: isStale };
  }

  /** Returns the content of a row's transaction, and the hash of its block. */
  #getDetails(row: TransactionRow): TransactionDetails {
    const { block_number, transaction_index } = row;
    const last = this.#last?.fork === this.#chain.getForkNumber(block_number) ? this.#last : undefined;
    if (last?.block_number === block_number && last.transaction_index === transaction_index) return last;
    const blockHash = last?.block_number === block_number ? last.blockHash : this.#chain.getBlockHash(block_number);
    const content = makeTransactionContent(this.#chain, row);
    this.#last = { block_number, transaction_index, blockHash, content, fork: this.#chain.getForkNumber(block_number) };
    return this.#last;
  }
}

/** The fee for data on layer 1, under the names that Etherscan uses. */
function serializeL1Fee({ gasUsed, gasPrice, scalar, value }: L1Fee): SerializedRow {
  return { L1Gas: String(gasUsed), L1GasPrice: String(gasPrice), L1FeeScalar: scalar, L1FeesPaid: String(value) };
}

/** The amount of a transfer, whose keys depend on the token type. */
function serializeAmount({ token_type, token_id, amount }: TransferRow): SerializedRow {
  const id = token_type === "ERC-20" ? {} : { tokenID: toStringOrEmpty(token_id) };
  if (token_type === "ERC-721") return id;
  return token_type === "ERC-1155" ? { ...id, tokenValue: toStringOrEmpty(amount) } : { ...id, value: toStringOrEmpty(amount) };
}
