// Records as the module/action interface writes them: flat, every value a text, and "" for what is not known.

import { transactionContent } from "./transactions.js";

const text = (value) => (value === null || value === undefined ? "" : String(value));

export class RowWriter {
  #chain;
  #version;
  #data;
  #block;
  #blockHash;
  #transaction;
  #content;

  constructor(chain, version, data) {
    this.#chain = chain;
    this.#version = version;
    this.#data = data;
  }

  transaction(row) {
    const content = this.#contentOf(row);
    const written = {
      blockNumber: text(row.block_number),
      timeStamp: text(this.#chain.secondsOf(row.block_number)),
      hash: content.hash,
      nonce: text(content.nonce),
      blockHash: this.#blockHash,
      transactionIndex: text(row.transaction_index),
      from: row.from,
      to: text(row.to),
      value: text(row.value),
      gas: text(content.gas),
      gasPrice: text(content.gasPrice),
      isError: row.failed ? "1" : "0",
      txreceipt_status: row.failed ? "0" : "1",
      input: content.input,
      contractAddress: text(row.created),
      cumulativeGasUsed: text(content.cumulativeGasUsed),
      gasUsed: text(content.gasUsed),
      confirmations: text(this.#data.head - row.block_number),
    };
    // Came with 9.1.
    if (this.#version > 8) written.methodId = `0x${content.selector}`;
    return written;
  }

  pendingTransaction({ hash, nonce, from, to, value, gas, gasPrice, input }) {
    return {
      hash, nonce: text(nonce), from, to: text(to), value: text(value), gas: text(gas), gasPrice: text(gasPrice), input,
      contractAddress: "", cumulativeGasUsed: "", gasUsed: "",
    };
  }

  internalTransaction({ block_number, transaction_index, index, type, from, to, created_contract, error, value, gas_limit }) {
    const isCall = type.endsWith("call");
    const isCreation = type.startsWith("create");
    const chance = this.#chain.random("internal content", block_number, transaction_index, index);
    return {
      blockNumber: text(block_number),
      timeStamp: text(this.#chain.secondsOf(block_number)),
      from,
      to: text(to),
      value: text(value),
      contractAddress: text(created_contract),
      transactionHash: this.#chain.transactionHash(block_number, transaction_index),
      index: text(index),
      input: isCreation ? "" : chance.chance(0.5) ? "0x" : chance.hex(4),
      // Every kind of call is a call here; which one is told apart.
      type: isCall ? "call" : type,
      callType: isCall ? type : "",
      gas: text(gas_limit),
      // Creations that failed have not used any.
      gasUsed: isCreation && error !== null ? "" : text(chance.below(gas_limit + 1)),
      isError: error === null ? "0" : "1",
      errCode: text(error),
    };
  }

  transfer(row) {
    const content = this.#contentOf(row);
    const { hash, name, symbol, decimals } = row.token;
    const written = {
      blockNumber: text(row.block_number),
      timeStamp: text(this.#chain.secondsOf(row.block_number)),
      hash: content.hash,
      nonce: text(content.nonce),
      blockHash: this.#blockHash,
      from: row.from,
      contractAddress: hash,
      to: row.to,
      tokenName: name,
      tokenSymbol: symbol,
      tokenDecimal: text(decimals),
      transactionIndex: text(row.transaction_index),
      gas: text(content.gas),
      gasPrice: text(content.gasPrice),
      gasUsed: text(content.gasUsed),
      cumulativeGasUsed: text(content.cumulativeGasUsed),
      input: content.input,
      confirmations: text(this.#data.head - row.block_number),
      // Both only where the input could be decoded.
      methodId: content.signature === null ? "" : content.selector,
      functionName: text(content.signature),
    };
    addAmount(written, row);
    return written;
  }

  holding({ token, id, balance }) {
    const { hash, name, symbol, decimals, type } = token;
    return { balance: text(balance), contractAddress: hash, decimals: text(decimals), name, symbol, type, ...(id === null ? {} : { id: text(id) }) };
  }

  minedBlock(block) {
    return { blockNumber: text(block), timeStamp: `${this.#chain.timeOf(block).replace("T", " ")}.000000Z` };
  }

  account({ hash, balance, stale }) {
    return { address: hash, balance: text(balance), stale };
  }

  balance({ hash, balance, stale }) {
    return { account: hash, balance: balance === null ? null : text(balance), stale };
  }

  /** What is said of a row's transaction. Neighbours often share it, or its block, so the last of each is kept. */
  #contentOf({ block_number, transaction_index, method }) {
    const sharesBlock = this.#block === block_number;
    if (!sharesBlock) this.#blockHash = this.#chain.blockHash(block_number);
    if (!sharesBlock || this.#transaction !== transaction_index) {
      this.#content = transactionContent(this.#chain, block_number, transaction_index, method);
    }
    this.#block = block_number;
    this.#transaction = transaction_index;
    return this.#content;
  }
}

/** Each kind of transfer has amount keys of its own. */
function addAmount(written, { token_type, token_id, amount }) {
  if (token_type !== "ERC-20") written.tokenID = text(token_id);
  if (token_type === "ERC-1155") written.tokenValue = text(amount);
  else if (token_type !== "ERC-721") written.value = text(amount);
}
