// The logs module at /api?module=logs.

import { createAccountError } from "../api-error.js";
import type { Chain } from "../ledger/chain.js";
import { getLogContent } from "../ledger/logs.js";
import { compareTransactions } from "../ledger/positions.js";
import type { TransactionPosition } from "../ledger/rows.js";
import { getOrMake } from "../maps.js";

const MAX_ROWS = 1000;
const ADDRESS = /^0x[\da-f]{40}$/i;
const TOPIC = /^0x[\da-f]{64}$/i;
const TOPICS = [0, 1, 2, 3];

interface LogEntry extends TransactionPosition {
  readonly index: number;
  readonly emitter: string;
  readonly topics: readonly (string | null)[];
  readonly data: string;
}

/** A row of a response. */
export interface SerializedLog {
  readonly [name: string]: string | readonly (string | null)[];
}

const toHex = (value: number | bigint) => `0x${value.toString(16)}`;

const compareLogs = (a: LogEntry, b: LogEntry) => compareTransactions(a, b) || a.index - b.index;

/** Responds to `getLogs`: the first logs, oldest first. */
export function getLogs(chain: Chain, values: ReadonlyMap<string, string>): SerializedLog[] {
  return selectLogs(chain, values)
    .slice(0, MAX_ROWS)
    .map((log) => serializeLog(chain, log));
}

function selectLogs(chain: Chain, values: ReadonlyMap<string, string>): LogEntry[] {
  const missing = ["fromBlock", "toBlock"].filter((name) => !values.has(name));
  const given = TOPICS.filter((i) => values.has(`topic${i}`));
  if (given.length === 0 && !values.has("address")) missing.push("address and/or topic{x}");
  const operators = given.flatMap((first, i) => given.slice(i + 1).map((second) => `topic${first}_${second}_opr`));
  missing.push(...operators.filter((name) => !/^(and|or)$/.test(values.get(name) ?? "")));
  if (missing.length > 0) throw createAccountError(`Required query parameters missing: ${missing.join(", ")}`);
  const [first, last] = ["fromBlock", "toBlock"].map((name) => parseBlock(chain, name, values.get(name) ?? "")) as [
    number,
    number,
  ];
  const address = values.get("address")?.toLowerCase();
  if (address !== undefined && !ADDRESS.test(address)) throw createAccountError("Invalid address format");
  // A malformed topic is silently dropped, which widens the query.
  const topics = given
    .map((i) => [i, values.get(`topic${i}`)?.toLowerCase() ?? ""] as const)
    .filter(([, topic]) => TOPIC.test(topic));
  const isAny = operators.some((name) => values.get(name) === "or");
  const matchesTopics = (log: LogEntry) => {
    const matches = topics.map(([i, topic]) => log.topics[i] === topic);
    return matches.length === 0 || (isAny ? matches.includes(true) : !matches.includes(false));
  };
  const isSelected = (log: LogEntry) =>
    log.block_number >= first &&
    log.block_number <= last &&
    (address === undefined || log.emitter === address) &&
    matchesTopics(log);
  return listLogs(chain).filter(isSelected);
}

const logCache = new WeakMap<Chain, readonly LogEntry[]>();

/** All logs of the ledger, oldest first: logs of contracts and of approvals. Added blocks have none. */
function listLogs(chain: Chain): readonly LogEntry[] {
  return getOrMake(logCache, chain, () => {
    const logs = chain.tables.logs.rows.map((row) => ({ ...row, ...getLogContent(chain, row) }));
    return [...logs, ...chain.tables.approvals.rows].sort(compareLogs);
  });
}

function parseBlock(chain: Chain, name: string, value: string): number {
  if (value === "latest") return chain.head;
  if (!/^\d+$/.test(value)) throw createAccountError(`Invalid ${name} format`);
  return Number(value);
}

function serializeLog(chain: Chain, { block_number, transaction_index, index, emitter, topics, data }: LogEntry): SerializedLog {
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
