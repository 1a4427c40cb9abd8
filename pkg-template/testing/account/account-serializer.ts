// Serializes rows of the sample chain as the account module does: flat objects of strings, with "" for unknown values.

import type { BalanceState } from "../ledger/balances.js";
import type { Chain } from "../ledger/chain.js";
import type { InternalTransactionRow, TransactionRow, TransferRow } from "../ledger/rows.js";
import type { TokenHolding } from "../ledger/token-holdings.js";
import { makeTransactionContent, type TransactionEntry } from "../ledger/transactions.js";
import type { BackendVersion } from "../public-types.js";
import type { Settings } from "../settings.js";

export type SerializedRow = Record<string, string | boolean | null>;

const toText = (value: string | number | bigint | null) => (value === null ? "" : String(value));

function createRow(values: Readonly<Record<string, string | number | bigint | null | undefined>>): SerializedRow {
  const row: SerializedRow = {};
  for (const [name, value] of Object.entries(values)) if (value !== undefined) row[name] = toText(value);
  return row;
}

export class AccountSerializer {
  readonly chain: Chain;
  readonly version: BackendVersion;
  readonly #statesL1Fee: boolean;
  /** The last transaction. Consecutive rows often share it. */
  #last:
    | { readonly row: TransactionRow; readonly blockHash: string; readonly content: ReturnType<typeof makeTransactionContent> }
    | undefined;

  constructor(chain: Chain, settings: Pick<Settings, "backendVersion" | "statesL1Fee">) {
    this.chain = chain;
    this.version = settings.backendVersion;
    this.#statesL1Fee = settings.statesL1Fee;
  }

  serializeTransaction(row: TransactionRow): SerializedRow {
    const { blockHash, content } = this.#getDetails(row);
    const { block_number: blockNumber, transaction_index: transactionIndex, from, to, value } = row;
    const { hash, nonce, gas, gasPrice, gasUsed, input, cumulativeGasUsed, l1Fee } = content;
    return createRow({
      blockNumber,
      timeStamp: this.chain.getUnixTime(blockNumber),
      hash,
      nonce,
      blockHash,
      transactionIndex,
      from,
      to,
      value,
      gas,
      gasPrice,
      isError: row.hasFailed ? 1 : 0,
      txreceipt_status: row.hasFailed ? 0 : 1,
      input,
      contractAddress: row.createdContract,
      cumulativeGasUsed,
      gasUsed,
      confirmations: this.chain.head - blockNumber,
      // Added in 9.1.
      methodId: this.version > 8 ? `0x${content.selector}` : undefined,
      // The fee for data on layer 1, under the names that Etherscan uses.
      ...(this.#statesL1Fee &&
        l1Fee && { L1Gas: l1Fee.gasUsed, L1GasPrice: l1Fee.gasPrice, L1FeeScalar: l1Fee.scalar, L1FeesPaid: l1Fee.value }),
    });
  }

  serializePendingTransaction({ row: { from, to, value }, content }: TransactionEntry): SerializedRow {
    const { hash, nonce, gas, gasPrice, input, gasUsed, cumulativeGasUsed } = content;
    return createRow({ hash, nonce, from, to, value, gas, gasPrice, input, contractAddress: null, cumulativeGasUsed, gasUsed });
  }

  serializeInternalTransaction(row: InternalTransactionRow): SerializedRow {
    const { block_number: blockNumber, transaction_index, index, type, from, to, error, value, gas_limit: gas } = row;
    const isCall = type.endsWith("call");
    const isCreation = type.startsWith("create");
    const random = this.chain.createRandom("internal content", blockNumber, transaction_index, index);
    return createRow({
      blockNumber,
      timeStamp: this.chain.getUnixTime(blockNumber),
      from,
      to,
      value,
      contractAddress: row.created_contract,
      transactionHash: this.chain.getTransactionHash(blockNumber, transaction_index),
      index,
      input: isCreation ? "" : random.nextBoolean(0.5) ? "0x" : random.nextHex(4),
      // All types of call are "call" here; `callType` distinguishes them.
      type: isCall ? "call" : type,
      callType: isCall ? type : "",
      gas,
      // Unknown for failed creations.
      gasUsed: isCreation && error !== null ? "" : random.nextInt(gas + 1),
      isError: error === null ? 0 : 1,
      errCode: error,
    });
  }

  serializeTransfer(row: TransferRow): SerializedRow {
    const transaction = this.chain.getTransactionOf(row);
    if (!transaction) throw new Error(`no transaction in block ${row.block_number} has the transfer ${row.index}`);
    const { blockHash, content } = this.#getDetails(transaction);
    const { block_number: blockNumber, transaction_index: transactionIndex, from, to, token, token_type, token_id, amount } = row;
    const { hash, nonce, gas, gasPrice, gasUsed, input, cumulativeGasUsed } = content;
    const serialized = createRow({
      blockNumber,
      timeStamp: this.chain.getUnixTime(blockNumber),
      hash,
      nonce,
      blockHash,
      from,
      contractAddress: token.hash,
      to,
      tokenName: null,
      tokenSymbol: null,
      tokenDecimal: token.decimals,
      transactionIndex,
      gas,
      gasPrice,
      gasUsed,
      cumulativeGasUsed,
      input,
      confirmations: this.chain.head - blockNumber,
      // Both are empty if the service could not decode the input.
      methodId: content.signature === null ? "" : content.selector,
      functionName: content.signature,
      tokenID: token_type === "ERC-20" ? undefined : token_id,
      ...(token_type !== "ERC-721" && { [token_type === "ERC-1155" ? "tokenValue" : "value"]: amount }),
    });
    // Unknown names stay null.
    return Object.assign(serialized, { tokenName: token.name, tokenSymbol: token.symbol });
  }

  serializeTokenHolding({ token, id, balance }: TokenHolding): SerializedRow {
    const { hash: contractAddress, name, symbol, decimals, type } = token;
    const row = createRow({ balance, contractAddress, decimals, name, symbol, type, id: id ?? undefined });
    return Object.assign(row, { name, symbol });
  }

  serializeMinedBlock(block: number): SerializedRow {
    return { blockNumber: String(block), timeStamp: `${this.chain.getTimestamp(block).replace("T", " ")}.000000Z` };
  }

  serializeAccount({ hash, balance, isStale }: BalanceState): SerializedRow {
    return { address: hash, balance: toText(balance), stale: isStale };
  }

  serializeBalance({ hash, balance, isStale }: BalanceState): SerializedRow {
    return { account: hash, balance: balance === null ? null : String(balance), stale: isStale };
  }

  #getDetails(row: TransactionRow) {
    if (this.#last?.row === row) return this.#last;
    const [blockHash, content] = [this.chain.getBlockHash(row.block_number), makeTransactionContent(this.chain, row)];
    this.#last = { row, blockHash, content };
    return this.#last;
  }
}
