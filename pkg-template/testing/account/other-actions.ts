// The actions of the block, contract and logs modules, beside the account module.

import { toChecksumAddress } from "../ledger/accounts.js";
import type { Chain } from "../ledger/chain.js";
import { getLogContent, type LogRow } from "../ledger/logs.js";
import { compareTransactions } from "../ledger/positions.js";
import { getCreation } from "../ledger/transactions.js";
import { createAccountError } from "../responses.js";
import { ADDRESS, HASH, type Parameters } from "./account-query.js";

const MAX_CONTRACTS = 10;
const MAX_LOGS = 1000;
const TOPICS = [0, 1, 2, 3];

/** Each action creates the `result` of a response. */
export const OTHER_ACTIONS: Readonly<
  Record<string, Readonly<Record<string, (chain: Chain, values: Parameters, version: number) => unknown>>>
> = {
  block: { getblocknobytime: getBlockByTime },
  contract: { getcontractcreation: getContractCreations },
  logs: { getlogs: getLogs },
};

function getBlockByTime(chain: Chain, values: Parameters) {
  const timestamp = values.get("timestamp");
  const closest = values.get("closest");
  if (timestamp === undefined) throw createAccountError("Query parameter 'timestamp' is required");
  if (closest === undefined) throw createAccountError("Query parameter 'closest' is required");
  if (!/^\d+$/.test(timestamp)) throw createAccountError("Invalid `timestamp` param");
  if (closest !== "before" && closest !== "after") throw createAccountError("Invalid `closest` param");
  const position = chain.getBlockAtTime(Number(timestamp));
  const block = closest === "before" ? Math.min(Math.floor(position), chain.head) : Math.max(Math.ceil(position), 0);
  if (block < 0 || block > chain.head) throw createAccountError("Block does not exist");
  return { blockNumber: String(block) };
}

/** Invalid and unknown addresses are missing. */
function getContractCreations(chain: Chain, values: Parameters, version: number) {
  const addresses = values.get("contractaddresses");
  if (addresses === undefined) throw createAccountError("Query parameter contractaddresses is required");
  const contracts = addresses.split(",").slice(0, MAX_CONTRACTS);
  return contracts.flatMap((contract) => {
    const hash = contract.toLowerCase();
    const creation = ADDRESS.test(hash) ? getCreation(chain, hash) : null;
    if (!creation) return [];
    const { block_number, transaction_index, from } = creation;
    const row = {
      contractAddress: toChecksumAddress(hash),
      contractCreator: toChecksumAddress(from),
      txHash: chain.getTransactionHash(block_number, transaction_index),
    };
    if (version < 9) return [row];
    const timestamp = String(chain.getUnixTime(block_number));
    const creationBytecode = chain.createRandom("creation bytecode", hash).nextHex(64);
    return [{ ...row, blockNumber: String(block_number), timestamp, contractFactory: "", creationBytecode }];
  });
}

const compareLogs = (a: LogRow, b: LogRow) => compareTransactions(a, b) || a.index - b.index;

function parseBlock(chain: Chain, name: string, value: string): number {
  if (value === "latest") return chain.head;
  if (!/^\d+$/.test(value)) throw createAccountError(`Invalid ${name} format`);
  return Number(value);
}

function getLogs(chain: Chain, values: Parameters) {
  const missing = ["fromBlock", "toBlock"].filter((name) => !values.has(name));
  const given = TOPICS.filter((i) => values.has(`topic${i}`));
  if (given.length === 0 && !values.has("address")) missing.push("address and/or topic{x}");
  const operators = given.flatMap((first, i) => given.slice(i + 1).map((second) => `topic${first}_${second}_opr`));
  missing.push(...operators.filter((name) => !/^(and|or)$/.test(values.get(name) ?? "")));
  if (missing.length > 0) throw createAccountError(`Required query parameters missing: ${missing.join(", ")}`);
  const first = parseBlock(chain, "fromBlock", values.get("fromBlock") ?? "");
  const last = parseBlock(chain, "toBlock", values.get("toBlock") ?? "");
  const address = values.get("address")?.toLowerCase();
  if (address !== undefined && !ADDRESS.test(address)) throw createAccountError("Invalid address format");
  // A malformed topic is silently dropped, which widens the query.
  const topics = given
    .map((i) => [i, values.get(`topic${i}`)?.toLowerCase() ?? ""] as const)
    .filter(([, topic]) => HASH.test(topic));
  const isAny = operators.some((name) => values.get(name) === "or");
  const isSelected = (log: LogRow) => {
    if (log.block_number < first || log.block_number > last || (address !== undefined && log.emitter !== address)) return false;
    const matches = topics.map(([i, topic]) => getLogContent(chain, log).topics[i] === topic);
    return matches.length === 0 || (isAny ? matches.includes(true) : !matches.includes(false));
  };
  const rows = chain.tables.logs.sort(compareLogs).filter(isSelected).slice(0, MAX_LOGS);
  return rows.map((log) => serializeLog(chain, log));
}

const toHex = (value: number | bigint) => `0x${value.toString(16)}`;

function serializeLog(chain: Chain, log: LogRow) {
  const { block_number, transaction_index, index, emitter } = log;
  const { topics, data } = getLogContent(chain, log);
  const random = chain.createRandom("log gas", block_number, transaction_index);
  return {
    address: emitter,
    topics,
    data,
    blockNumber: toHex(block_number),
    timeStamp: toHex(chain.getUnixTime(block_number)),
    gasPrice: toHex(1_000_000_000n + random.nextBigInt(4)),
    gasUsed: toHex(21_000 + random.nextInt(400_000)),
    logIndex: toHex(index),
    transactionHash: chain.getTransactionHash(block_number, transaction_index),
    transactionIndex: toHex(transaction_index),
  };
}
