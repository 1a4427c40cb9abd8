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

/** A row of a response. */
export type SerializedRow = Record<string, string | boolean | null>;

const toText = (value: string | number | bigint | null) => (value === null ? "" : String(value));

interface TransactionDetails {
  readonly blockHash: string;
  readonly content: TransactionContent;
}

export class AccountSerializer {
  readonly chain: Chain;
  readonly version: BackendVersion;
  readonly #statesL1Fee: boolean;
  // The last serialized transaction: consecutive rows often share it, or its block.
  #last: (TransactionPosition & TransactionDetails & { readonly fork: number }) | undefined;

  constructor(chain: Chain, settings: Pick<Settings, "backendVersion" | "statesL1Fee">) {
    this.chain = chain;
    this.version = settings.backendVersion;
    this.#statesL1Fee = settings.statesL1Fee;
  }

  serializeTransaction(row: TransactionRow): SerializedRow {
    const { blockHash, content } = this.#getDetails(row);
    const result: SerializedRow = {
      blockNumber: toText(row.block_number),
      timeStamp: toText(this.chain.getUnixTime(row.block_number)),
      hash: content.hash,
      nonce: toText(content.nonce),
      blockHash,
      transactionIndex: toText(row.transaction_index),
      from: row.from,
      to: toText(row.to),
      value: toText(row.value),
      gas: toText(content.gas),
      gasPrice: toText(content.gasPrice),
      isError: row.hasFailed ? "1" : "0",
      txreceipt_status: row.hasFailed ? "0" : "1",
      input: content.input,
      contractAddress: toText(row.createdContract),
      cumulativeGasUsed: toText(content.cumulativeGasUsed),
      gasUsed: toText(content.gasUsed),
      confirmations: toText(this.chain.head - row.block_number),
    };
    // Added in 9.1.
    if (this.version > 8) result.methodId = `0x${content.selector}`;
    if (this.#statesL1Fee && content.l1Fee) Object.assign(result, serializeL1Fee(content.l1Fee));
    return result;
  }

  serializePendingTransaction({ hash, nonce, from, to, value, gas, gasPrice, input }: PendingTransaction): SerializedRow {
    return {
      hash,
      nonce: toText(nonce),
      from,
      to: toText(to),
      value: toText(value),
      gas: toText(gas),
      gasPrice: toText(gasPrice),
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
    const random = this.chain.createRandom("internal content", block_number, transaction_index, index);
    return {
      blockNumber: toText(block_number),
      timeStamp: toText(this.chain.getUnixTime(block_number)),
      from,
      to: toText(to),
      value: toText(value),
      contractAddress: toText(created_contract),
      transactionHash: this.chain.getTransactionHash(block_number, transaction_index),
      index: toText(index),
      input: isCreation ? "" : random.nextBoolean(0.5) ? "0x" : random.nextHex(4),
      // All types of call are "call" here; `callType` distinguishes them.
      type: isCall ? "call" : type,
      callType: isCall ? type : "",
      gas: toText(gas_limit),
      // Unknown for failed creations.
      gasUsed: isCreation && error !== null ? "" : toText(random.nextInt(gas_limit + 1)),
      isError: error === null ? "0" : "1",
      errCode: toText(error),
    };
  }

  serializeTransfer(row: TransferRow): SerializedRow {
    const transaction = this.chain.getTransactionOf(row);
    if (!transaction) throw new Error(`no transaction in block ${row.block_number} has the transfer ${row.index}`);
    const { blockHash, content } = this.#getDetails(transaction);
    const { hash, name, symbol, decimals } = row.token;
    return {
      blockNumber: toText(row.block_number),
      timeStamp: toText(this.chain.getUnixTime(row.block_number)),
      hash: content.hash,
      nonce: toText(content.nonce),
      blockHash,
      from: row.from,
      contractAddress: hash,
      to: row.to,
      tokenName: name,
      tokenSymbol: symbol,
      tokenDecimal: toText(decimals),
      transactionIndex: toText(row.transaction_index),
      gas: toText(content.gas),
      gasPrice: toText(content.gasPrice),
      gasUsed: toText(content.gasUsed),
      cumulativeGasUsed: toText(content.cumulativeGasUsed),
      input: content.input,
      confirmations: toText(this.chain.head - row.block_number),
      // Both are empty if the service could not decode the input.
      methodId: content.signature === null ? "" : content.selector,
      functionName: toText(content.signature),
      ...serializeAmount(row),
    };
  }

  serializeTokenHolding({ token, id, balance }: TokenHolding): SerializedRow {
    const { hash, name, symbol, decimals, type } = token;
    return {
      balance: toText(balance),
      contractAddress: hash,
      decimals: toText(decimals),
      name,
      symbol,
      type,
      ...(id === null ? {} : { id: toText(id) }),
    };
  }

  serializeMinedBlock(block: number): SerializedRow {
    return { blockNumber: toText(block), timeStamp: `${this.chain.getTimestamp(block).replace("T", " ")}.000000Z` };
  }

  serializeAccount({ hash, balance, isStale }: BalanceState): SerializedRow {
    return { address: hash, balance: toText(balance), stale: isStale };
  }

  serializeBalance({ hash, balance, isStale }: BalanceState): SerializedRow {
    return { account: hash, balance: balance === null ? null : toText(balance), stale: isStale };
  }

  /** Returns the content of a row's transaction, and the hash of its block. */
  #getDetails(row: TransactionRow): TransactionDetails {
    const { block_number, transaction_index } = row;
    const last = this.#last?.fork === this.chain.getForkNumber(block_number) ? this.#last : undefined;
    if (last?.block_number === block_number && last.transaction_index === transaction_index) return last;
    const blockHash = last?.block_number === block_number ? last.blockHash : this.chain.getBlockHash(block_number);
    const content = makeTransactionContent(this.chain, row);
    this.#last = { block_number, transaction_index, blockHash, content, fork: this.chain.getForkNumber(block_number) };
    return this.#last;
  }
}

/** The fee for data on layer 1, under the names that Etherscan uses. */
function serializeL1Fee({ gasUsed, gasPrice, scalar, value }: L1Fee): SerializedRow {
  return { L1Gas: String(gasUsed), L1GasPrice: String(gasPrice), L1FeeScalar: scalar, L1FeesPaid: String(value) };
}

/** The amount of a transfer, whose keys depend on the token type. */
function serializeAmount({ token_type, token_id, amount }: TransferRow): SerializedRow {
  const id = token_type === "ERC-20" ? {} : { tokenID: toText(token_id) };
  if (token_type === "ERC-721") return id;
  return token_type === "ERC-1155" ? { ...id, tokenValue: toText(amount) } : { ...id, value: toText(amount) };
}
