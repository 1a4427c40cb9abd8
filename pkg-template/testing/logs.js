// Event logs of the whole chain. The service decodes those of known events.

import { toChecksumAddress } from "./checksum.js";
import { keccak256 } from "./keccak.js";
import { PositionAllocator } from "./positions.js";
import { HOSTILE } from "./sample-strings.js";

/**
 * A function per ABI type that makes a value: `decoded` as the service sends it, and `word`, its 32-byte encoding. Types
 * without a fixed size have no word.
 */
const VALUE_MAKERS = {
  address: (random, addresses) => {
    const hash = random.pick(addresses);
    return { word: hash.slice(2).padStart(64, "0"), decoded: toChecksumAddress(hash) };
  },
  uint256: (random) => {
    const value = random.nextBigInt(random.pick([4, 8, 32]));
    return { word: value.toString(16).padStart(64, "0"), decoded: value.toString() };
  },
  int256: (random) => {
    const value = -1n - random.nextBigInt(8);
    return { word: BigInt.asUintN(256, value).toString(16), decoded: value.toString() };
  },
  bytes32: (random) => {
    const word = random.nextHex(32);
    return { word: word.slice(2), decoded: word };
  },
  bool: (random) => {
    const value = random.nextBoolean(0.5);
    return { word: (value ? "1" : "0").padStart(64, "0"), decoded: String(value) };
  },
  bytes: (random) => ({ decoded: random.nextBoolean(0.3) ? "0x" : random.nextHex(4 * random.nextInt(40)) }),
  string: (random) => ({ decoded: random.pick(["gm", "", "Grüße, мир, 世界 🦄", HOSTILE.quotes, HOSTILE.control]) }),
  "(address,uint256[],bool)[]": (random, addresses) => ({
    decoded: Array.from({ length: random.nextInt(4) }, () => [
      VALUE_MAKERS.address(random, addresses).decoded,
      Array.from({ length: random.nextInt(3) }, () => String(random.nextUint32())),
      String(random.nextBoolean(0.5)),
    ]),
  }),
  "(uint256,(address,(bytes32,bool[][])))": (random, addresses) => ({
    decoded: [
      String(random.nextUint32()),
      [VALUE_MAKERS.address(random, addresses).decoded, [VALUE_MAKERS.bytes32(random).decoded, [["true", "false"], []]]],
    ],
  }),
};

/** Parses the declaration of an event. */
const createEvent = (name, ...inputs) => {
  const parameters = inputs.map((input) => {
    const [, type, indexed, parameter] = /^(\S+)( indexed)? ?(.*)$/.exec(input);
    return { name: parameter, type, indexed: Boolean(indexed) };
  });
  return { name, declaration: `${name}(${inputs.join(", ")})`, canonical: `${name}(${parameters.map(({ type }) => type)})`, parameters };
};

const KNOWN_EVENTS = [
  createEvent("Trade", "address indexed maker", "address indexed taker", "bytes32 indexed order", "uint256 amount"),
  createEvent("Transfer", "address indexed from", "address indexed to", "uint256 value"),
  createEvent("RouteExecuted", "uint256 indexed id", "(address,uint256[],bool)[] legs"),
  createEvent("Settled", "(uint256,(address,(bytes32,bool[][]))) receipt", "bool final"),
  createEvent("Note", "string text", "bytes payload", "int256 delta", "bool"),
  createEvent("Paused"),
];
const HOSTILE_EVENT = createEvent("__proto__", "string constructor", "uint256 __proto__");

/** Makes all logs of the chain, unsorted. `getLogContent` makes their contents when they are needed. */
export function makeLogs(chain) {
  const rows = [];
  for (const [lane, [key, count, gap]] of [["settlement", 3000, 10], ["hub", 130, 300], ["proxy", 120, 900], ["hostile", 12, 900]].entries()) {
    const random = chain.createRandom("logs", key);
    // Lanes 0 to 5 belong to token transfers.
    const positions = new PositionAllocator(random, 6 + lane, gap);
    const traders = [chain.accounts.sampleHashes.hub, ...chain.accounts.otherHashes.slice(lane * 20, lane * 20 + 20)];
    for (let made = 0; made < count; ) {
      positions.moveToPreviousTransaction();
      const { block_number, transaction_index } = positions;
      const calledContract = random.nextBoolean(0.1) ? null : random.nextBoolean(0.5) ? chain.accounts.sampleHashes[key] : random.pick(traders);
      for (let i = Math.min(count - made, 1 + random.nextInt(4)); i > 0; i--, made++) {
        const index = positions.allocateLogIndex();
        const event = key === "hostile" && i === 1 ? HOSTILE_EVENT : random.nextBoolean(0.75) ? random.pick(KNOWN_EVENTS) : null;
        rows.push({ block_number, transaction_index, index, emitter: chain.accounts.sampleHashes[key], calledContract, event, traders });
      }
    }
  }
  return rows;
}

const contentCache = new WeakMap();

/** Returns the topics, the data and the decoded parameters of a log. */
export function getLogContent(chain, row) {
  let content = contentCache.get(row);
  if (!content) contentCache.set(row, (content = makeContent(chain, row)));
  return content;
}

function makeContent(chain, { block_number, index, event, traders }) {
  const random = chain.createRandom("log", block_number, index);
  if (!event) return makeUndecodedContent(random);
  const parameters = event.parameters.map((parameter) => ({ ...parameter, ...VALUE_MAKERS[parameter.type](random, traders) }));
  const topic = (event.topic ??= keccak256(event.canonical));
  const topics = [`0x${topic}`, ...parameters.filter(({ indexed }) => indexed).map(({ word }) => `0x${word}`)];
  // Values without a fixed size are not encoded; random words stand in for them.
  const data = `0x${parameters.filter(({ indexed }) => !indexed).map(({ word }) => word ?? random.nextHex(32).slice(2)).join("")}`;
  const decoded = {
    method_call: event.declaration,
    method_id: topic.slice(0, 8),
    parameters: parameters.map(({ name, type, indexed, decoded }) => ({ name, type, indexed, value: decoded })),
  };
  // Sometimes the service fails to decode a value.
  if (parameters.length > 3 && random.nextBoolean(0.03)) decoded.parameters[3].value = null;
  return { topics: padTopics(topics), data, decoded };
}

function makeUndecodedContent(random) {
  const topics = Array.from({ length: random.nextInt(5) }, () => random.nextHex(32));
  return { topics: padTopics(topics), data: random.nextBoolean(0.2) ? "0x" : random.nextHex(4 * (1 + random.nextInt(60))), decoded: null };
}

/** Pads an array of topics with null to a length of four. */
function padTopics(topics) {
  return [0, 1, 2, 3].map((position) => topics[position] ?? null);
}
