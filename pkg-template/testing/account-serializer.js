// Serializes rows of the sample chain as the account module does: flat objects of strings, with "" for unknown values.

import { makeTransactionContent } from "./transactions.js";

const toStringOrEmpty = (value) => (value === null || value === undefined ? "" : String(value));

export class AccountSerializer {
  #chain;
  #version;
  #data;
  // The transaction that was serialized last: consecutive rows often share it, or its block.
  #block;
  #blockHash;
  #transactionIndex;
  #content;

  constructor(chain, version, data) {
    this.#chain = chain;
    this.#version = version;
    this.#data = data;
  }

  serializeTransaction(row) {
    const content = this.#getContent(row);
    const result = {
      blockNumber: toStringOrEmpty(row.block_number),
      timeStamp: toStringOrEmpty(this.#chain.getUnixTime(row.block_number)),
      hash: content.hash,
      nonce: toStringOrEmpty(content.nonce),
      blockHash: this.#blockHash,
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
    return result;
  }

  serializePendingTransaction({ hash, nonce, from, to, value, gas, gasPrice, input }) {
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

  serializeInternalTransaction({ block_number, transaction_index, index, type, from, to, created_contract, error, value, gas_limit }) {
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

  serializeTransfer(row) {
    const content = this.#getContent(row);
    const { hash, name, symbol, decimals } = row.token;
    const result = {
      blockNumber: toStringOrEmpty(row.block_number),
      timeStamp: toStringOrEmpty(this.#chain.getUnixTime(row.block_number)),
      hash: content.hash,
      nonce: toStringOrEmpty(content.nonce),
      blockHash: this.#blockHash,
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
    };
    addAmount(result, row);
    return result;
  }

  serializeTokenHolding({ token, id, balance }) {
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

  serializeMinedBlock(block) {
    return { blockNumber: toStringOrEmpty(block), timeStamp: `${this.#chain.getTimestamp(block).replace("T", " ")}.000000Z` };
  }

  serializeAccount({ hash, balance, isStale }) {
    return { address: hash, balance: toStringOrEmpty(balance), stale: isStale };
  }

  serializeBalance({ hash, balance, isStale }) {
    return { account: hash, balance: balance === null ? null : toStringOrEmpty(balance), stale: isStale };
  }

  /** Returns the content of a row's transaction, and sets `#blockHash` to the hash of its block. */
  #getContent({ block_number, transaction_index, method }) {
    const isSameBlock = this.#block === block_number;
    if (!isSameBlock) this.#blockHash = this.#chain.getBlockHash(block_number);
    if (!isSameBlock || this.#transactionIndex !== transaction_index) {
      this.#content = makeTransactionContent(this.#chain, block_number, transaction_index, method);
    }
    this.#block = block_number;
    this.#transactionIndex = transaction_index;
    return this.#content;
  }
}

/** Adds the amount of a transfer, whose keys depend on the token type. */
function addAmount(result, { token_type, token_id, amount }) {
  if (token_type !== "ERC-20") result.tokenID = toStringOrEmpty(token_id);
  if (token_type === "ERC-1155") result.tokenValue = toStringOrEmpty(amount);
  else if (token_type !== "ERC-721") result.value = toStringOrEmpty(amount);
}
