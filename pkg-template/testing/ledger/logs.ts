// Event logs of the whole chain. The service decodes logs of known events.

import { hashKeccak256 } from "../../keccak.js";
import { getOrMake } from "../maps.js";
import type { Random } from "../random.js";
import { toChecksumAddress } from "./accounts.js";
import type { LedgerContext } from "./context.js";
import { createPositionAllocator } from "./positions.js";
import type { ApprovalGrant, TransactionPosition } from "./rows.js";
import { HOSTILE } from "./sample-addresses.js";

/** A value as the service sends it: a string, or nested arrays of strings. */
type DecodedValue = string | readonly DecodedValue[];

/** A value of an event. `word` is its 32-byte encoding; types without a fixed size have no word. */
export interface EventValue {
  readonly decoded: DecodedValue;
  readonly word?: string;
}

export interface LogRow extends TransactionPosition {
  readonly index: number;
  readonly emitter: string;
  readonly calledContract: string | null;
  /** Null if the service cannot decode the log. */
  readonly event: ReturnType<typeof createEvent> | null;
  /** The addresses that occur in random values of the event. */
  readonly traders?: readonly string[];
  /** The values of the event: addresses, integers and flags. Undefined: random. */
  readonly values?: readonly Value[];
  /** The content of a malformed event. Undefined: the event with its values. */
  readonly content?: LogContent;
  /** What the event approves. Null: nothing, because it is malformed. */
  readonly grant?: ApprovalGrant | null;
}

type Value = string | bigint | boolean;

type LogContent = ReturnType<typeof makeContent>;
export type DecodedLog = NonNullable<LogContent["decoded"]>;

type ValueMaker = (random: Random, addresses: readonly string[]) => EventValue;

/** Encodes an address or a non-negative integer, without 0x. */
export const encodeWord = (value: string | bigint) =>
  (typeof value === "string" ? value.slice(2) : value.toString(16)).padStart(64, "0");

const createValue = (value: Value): EventValue => ({
  word: encodeWord(typeof value === "boolean" ? BigInt(value) : value),
  decoded: typeof value === "string" ? toChecksumAddress(value) : String(value),
});
const makeAddress = (random: Random, addresses: readonly string[]) => createValue(random.pick(addresses));
const makeBytes32 = (random: Random) => {
  const decoded = random.nextHex(32);
  return { word: decoded.slice(2), decoded };
};
const makeInteger = (random: Random) => createValue(random.nextBigInt(random.pick([4, 8, 32])));
const makeNegative = (random: Random) => {
  const value = -1n - random.nextBigInt(8);
  return { word: BigInt.asUintN(256, value).toString(16), decoded: String(value) };
};

/** A function that makes a value, by ABI type. Default: an integer. */
const VALUE_MAKERS: Readonly<Record<string, ValueMaker>> = {
  address: makeAddress,
  bytes32: makeBytes32,
  int256: makeNegative,
  bool: (random) => createValue(random.nextBoolean(0.5)),
  bytes: (random) => ({ decoded: random.nextBoolean(0.3) ? "0x" : random.nextHex(4 * random.nextInt(40)) }),
  string: (random) => ({ decoded: random.pick(["gm", "", "Grüße, мир, 世界 🦄", HOSTILE.quotes, HOSTILE.control]) }),
  "(address,uint256[],bool)[]": (random, addresses) => ({
    decoded: Array.from({ length: random.nextInt(4) }, () => [
      makeAddress(random, addresses).decoded,
      Array.from({ length: random.nextInt(3) }, () => String(random.nextUint32())),
      String(random.nextBoolean(0.5)),
    ]),
  }),
  "(uint256,(address,(bytes32,bool[][])))": (random, addresses) => {
    const number = String(random.nextUint32());
    const flags = [["true", "false"], []];
    return { decoded: [number, [makeAddress(random, addresses).decoded, [makeBytes32(random).decoded, flags]]] };
  },
};

/** Parses the declaration of an event. The hash of the signature is the first topic. */
export function createEvent(name: string, ...inputs: readonly string[]) {
  const parameters = inputs.map((input) => {
    const [, type = "", indexed, parameter = ""] = /^(\S+)( indexed)? ?(.*)$/.exec(input) ?? [];
    return { name: parameter, type, indexed: indexed !== undefined, makeValue: VALUE_MAKERS[type] ?? makeInteger };
  });
  return {
    declaration: `${name}(${inputs.join(", ")})`,
    signature: `${name}(${parameters.map(({ type }) => type)})`,
    parameters,
  };
}

export const TRANSFER = createEvent("Transfer", "address indexed from", "address indexed to", "uint256 value");
export const NFT_TRANSFER = createEvent("Transfer", "address indexed from", "address indexed to", "uint256 indexed tokenId");
const KNOWN_EVENTS = [
  createEvent("Trade", "address indexed maker", "address indexed taker", "bytes32 indexed order", "uint256 amount"),
  TRANSFER,
  createEvent("RouteExecuted", "uint256 indexed id", "(address,uint256[],bool)[] legs"),
  createEvent("Settled", "(uint256,(address,(bytes32,bool[][]))) receipt", "bool final"),
  createEvent("Note", "string text", "bytes payload", "int256 delta", "bool"),
  createEvent("Paused"),
];
const HOSTILE_EVENT = createEvent("__proto__", "string constructor", "uint256 __proto__");

/** The number of logs by sample address, and the largest distance between two of its blocks. */
const LOG_COUNTS = [
  ["settlement", 3000, 10],
  ["hub", 130, 300],
  ["proxy", 120, 900],
  ["hostile", 12, 900],
] as const;

/** Makes the logs of sample addresses, unsorted. `getLogContent` makes their contents when they are needed. */
export function makeLogs(context: LedgerContext): LogRow[] {
  const rows: LogRow[] = [];
  for (const [lane, [key, count, gap]] of LOG_COUNTS.entries()) {
    const random = context.createRandom("logs", key);
    const emitter = context.accounts.sampleHashes[key];
    // Lanes 0 to 5 belong to token transfers.
    const positions = createPositionAllocator(random, 6 + lane, gap);
    const traders = [context.accounts.sampleHashes.hub, ...context.accounts.otherHashes.slice(lane * 20, lane * 20 + 20)];
    for (let made = 0; made < count; ) {
      const { block_number, transaction_index } = positions.allocateTransaction();
      const calledContract = random.nextBoolean(0.1) ? null : random.nextBoolean(0.5) ? emitter : random.pick(traders);
      for (let i = Math.min(count - made, 1 + random.nextInt(4)); i > 0; i--, made++) {
        const index = positions.allocateLogIndex();
        const event = key === "hostile" && i === 1 ? HOSTILE_EVENT : random.nextBoolean(0.75) ? random.pick(KNOWN_EVENTS) : null;
        rows.push({ block_number, transaction_index, index, emitter, calledContract, event, traders });
      }
    }
  }
  return rows;
}

const signatureHashes = new Map<string, string>();
const hashSignature = (signature: string) => getOrMake(signatureHashes, signature, () => hashKeccak256(signature));
const contentCache = new WeakMap<LogRow, LogContent>();

export const getLogContent = (context: LedgerContext, row: LogRow): LogContent =>
  row.content ?? getOrMake(contentCache, row, () => makeContent(context, row));

function makeContent(context: LedgerContext, { block_number, index, event, traders = [], values }: LogRow) {
  const random = context.createRandom("log", block_number, index);
  if (!event) return makeUndecodedContent(random);
  const parameters = event.parameters.map(({ makeValue, ...parameter }, i) => {
    const value = values?.[i];
    return { ...parameter, ...(value === undefined ? makeValue(random, traders) : createValue(value)) };
  });
  const topic = hashSignature(event.signature);
  const topics = [`0x${topic}`, ...parameters.filter(({ indexed }) => indexed).map(({ word }) => `0x${word}`)];
  // Values without a fixed size are not encoded; random words stand in for them.
  const data = `0x${parameters
    .filter(({ indexed }) => !indexed)
    .map(({ word }) => word ?? random.nextHex(32).slice(2))
    .join("")}`;
  // Sometimes the service fails to decode a value.
  const undecoded = parameters.length > 3 && random.nextBoolean(0.03) ? 3 : undefined;
  const described = parameters.map(({ name, type, indexed, decoded }, i) => {
    return { name, type, indexed, value: i === undecoded ? null : decoded };
  });
  const decoded = { method_call: event.declaration, method_id: topic.slice(0, 8), parameters: described };
  return { topics: padTopics(topics), data, decoded };
}

function makeUndecodedContent(random: Random) {
  const topics = Array.from({ length: random.nextInt(5) }, () => random.nextHex(32));
  return {
    topics: padTopics(topics),
    data: random.nextBoolean(0.2) ? "0x" : random.nextHex(4 * (1 + random.nextInt(60))),
    decoded: null,
  };
}

function padTopics(topics: readonly string[]): (string | null)[] {
  return [0, 1, 2, 3].map((position) => topics[position] ?? null);
}
