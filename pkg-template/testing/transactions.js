// Transactions: what each says of itself, those behind every token transfer, and those that wait for a block.

import { keccak256 } from "./keccak.js";
import { METHODS } from "./names.js";

const NOBODY = /^0x0{40}$/;
const GWEI = 10 ** 9;

const SIGNATURES = {
  transfer: "transfer(address to, uint256 value)",
  transferFrom: "transferFrom(address from, address to, uint256 value)",
  swap: "swap(address tokenIn, address tokenOut, uint256 amountIn)",
  multicall: "multicall(bytes[] data)",
  execute: "execute(bytes commands, bytes[] inputs, uint256 deadline)",
  deposit: "deposit()",
  claim: "claim(uint256 index)",
  safeBatchTransferFrom: "safeBatchTransferFrom(address from, address to, uint256[] ids, uint256[] values, bytes data)",
};

const calls = new Map();

/** A called method: the first bytes of the input, and the signature if the service can decode it. */
function callOf(method) {
  if (method === null) return { selector: "", signature: null };
  if (/^0x[0-9a-f]{8}$/.test(method)) return { selector: method.slice(2), signature: null };
  let call = calls.get(method);
  if (!call) {
    // Names of functions are their authors' to choose: not every one is in the table.
    const signature = Object.hasOwn(SIGNATURES, method) ? SIGNATURES[method] : `${method}(address to, uint256 value)`;
    const canonical = signature.replace(/([\w[\]]+) \w+(?=[,)])/g, "$1").replaceAll(", ", ",");
    calls.set(method, (call = { selector: keccak256(canonical).slice(0, 8), signature }));
  }
  return call;
}

/** What a transaction says of itself beyond its parties and its place. */
export function transactionContent(chain, block_number, transaction_index, method) {
  const chance = chain.random("content", block_number, transaction_index);
  const { selector, signature } = callOf(method);
  const gasUsed = 21_000 + (selector ? chance.below(400_000) : 0);
  return {
    selector,
    signature,
    hash: chain.transactionHash(block_number, transaction_index),
    input: selector ? `0x${selector}${chance.hex(32).slice(2)}` : "0x",
    nonce: chance.below(5000),
    gas: gasUsed + chance.below(50_000),
    gasUsed,
    cumulativeGasUsed: gasUsed + chance.below(25_000_000),
    // Transactions of newer kinds may lack it.
    gasPrice: chance.chance(0.01) ? null : GWEI + chance.below(2 ** 32),
  };
}

/** The transactions behind transfers, which come ordered by place. Whoever sends the first transfer sends the transaction. */
export function transactionsOf(transfers) {
  const rows = [];
  for (const { block_number, transaction_index, from, to, token, method } of transfers) {
    const last = rows.at(-1);
    if (last?.block_number === block_number && last.transaction_index === transaction_index) continue;
    const sender = NOBODY.test(from) ? to : from;
    rows.push({ block_number, transaction_index, from: sender, to: token.hash, created: null, value: 0n, failed: false, method });
  }
  return rows;
}

const PENDING = { hub: 23, quiet: 1 };

/** Transactions of an address that wait for a block, newest first. */
export function pendingTransactionsOf(chain, account) {
  const key = Object.keys(PENDING).find((key) => chain.accounts.sample[key] === account);
  return Array.from({ length: PENDING[key] ?? 0 }, (_, i) => {
    const chance = chain.random("pending", key, i);
    const { selector } = callOf(chance.pick(METHODS));
    const creates = i % 10 === 4;
    return {
      hash: chance.hex(32), from: account, to: creates ? null : chance.pick(chain.accounts.crowd), nonce: 5100 - i, value: chance.big(8),
      gas: 21_000 + chance.below(400_000), gasPrice: GWEI + chance.below(2 ** 32), input: `0x${creates ? "60806040" : selector}`,
    };
  });
}
