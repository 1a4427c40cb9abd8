// Event logs of the whole chain, with the texts that decoding gives for the events the service knows.

import { toChecksum } from "./checksum.js";
import { keccak256 } from "./keccak.js";
import { HOSTILE } from "./names.js";
import { Places } from "./places.js";

/** One kind of value of an event: its 32-byte word when it has one of its own, and its decoded text. */
const values = {
  address: (chance, known) => {
    const hash = chance.pick(known);
    return { word: hash.slice(2).padStart(64, "0"), text: toChecksum(hash) };
  },
  uint256: (chance) => {
    const value = chance.big(chance.pick([4, 8, 32]));
    return { word: value.toString(16).padStart(64, "0"), text: value.toString() };
  },
  int256: (chance) => {
    const value = -1n - chance.big(8);
    return { word: BigInt.asUintN(256, value).toString(16), text: value.toString() };
  },
  bytes32: (chance) => {
    const word = chance.hex(32);
    return { word: word.slice(2), text: word };
  },
  bool: (chance) => {
    const value = chance.chance(0.5);
    return { word: (value ? "1" : "0").padStart(64, "0"), text: String(value) };
  },
  bytes: (chance) => ({ text: chance.chance(0.3) ? "0x" : chance.hex(4 * chance.below(40)) }),
  string: (chance) => ({ text: chance.pick(["gm", "", "Grüße, мир, 世界 🦄", HOSTILE.quotes, HOSTILE.control]) }),
  "(address,uint256[],bool)[]": (chance, known) => ({
    text: Array.from({ length: chance.below(4) }, () => [
      values.address(chance, known).text,
      Array.from({ length: chance.below(3) }, () => String(chance.next())),
      String(chance.chance(0.5)),
    ]),
  }),
  "(uint256,(address,(bytes32,bool[][])))": (chance, known) => ({
    text: [String(chance.next()), [values.address(chance, known).text, [values.bytes32(chance).text, [["true", "false"], []]]]],
  }),
};

const event = (name, ...inputs) => {
  const parameters = inputs.map((input) => {
    const [, type, indexed, parameter] = /^(\S+)( indexed)? ?(.*)$/.exec(input);
    return { name: parameter, type, indexed: Boolean(indexed) };
  });
  return { name, text: `${name}(${inputs.join(", ")})`, canonical: `${name}(${parameters.map(({ type }) => type)})`, parameters };
};

const KNOWN_EVENTS = [
  event("Trade", "address indexed maker", "address indexed taker", "bytes32 indexed order", "uint256 amount"),
  event("Transfer", "address indexed from", "address indexed to", "uint256 value"),
  event("RouteExecuted", "uint256 indexed id", "(address,uint256[],bool)[] legs"),
  event("Settled", "(uint256,(address,(bytes32,bool[][]))) receipt", "bool final"),
  event("Note", "string text", "bytes payload", "int256 delta", "bool"),
  event("Paused"),
];
const HOSTILE_EVENT = event("__proto__", "string constructor", "uint256 __proto__");

/** Every log of the chain, unordered. Contents are left to `logContent`, which makes them when a row is shown. */
export function makeLogs(chain) {
  const rows = [];
  for (const [lane, [key, count, gap]] of [["settlement", 3000, 10], ["hub", 130, 300], ["proxy", 120, 900], ["hostile", 12, 900]].entries()) {
    const chance = chain.random("logs", key);
    // The lanes of the transfers come first.
    const places = new Places(chance, 6 + lane, gap);
    const traders = [chain.accounts.sample.hub, ...chain.accounts.crowd.slice(lane * 20, lane * 20 + 20)];
    for (let made = 0; made < count; ) {
      places.previousTransaction();
      const { block_number, transaction_index } = places;
      const called = chance.chance(0.1) ? null : chance.chance(0.5) ? chain.accounts.sample[key] : chance.pick(traders);
      for (let i = Math.min(count - made, 1 + chance.below(4)); i > 0; i--, made++) {
        const index = places.previousLogIndex();
        const kind = key === "hostile" && i === 1 ? HOSTILE_EVENT : chance.chance(0.75) ? chance.pick(KNOWN_EVENTS) : null;
        rows.push({ block_number, transaction_index, index, emitter: chain.accounts.sample[key], called, kind, traders });
      }
    }
  }
  return rows;
}

const contents = new WeakMap();

/** Topics, data and decoded texts of a log. */
export function logContent(chain, row) {
  let content = contents.get(row);
  if (!content) contents.set(row, (content = makeContent(chain, row)));
  return content;
}

function makeContent(chain, { block_number, index, kind, traders }) {
  const chance = chain.random("log", block_number, index);
  if (!kind) return unknownContent(chance);
  const parameters = kind.parameters.map((parameter) => ({ ...parameter, ...values[parameter.type](chance, traders) }));
  const signature = (kind.signature ??= keccak256(kind.canonical));
  const topics = [`0x${signature}`, ...parameters.filter(({ indexed }) => indexed).map(({ word }) => `0x${word}`)];
  // Values without a word of their own are told apart by their texts only: the data does not encode them.
  const data = `0x${parameters.filter(({ indexed }) => !indexed).map(({ word }) => word ?? chance.hex(32).slice(2)).join("")}`;
  const decoded = {
    method_call: kind.text,
    method_id: signature.slice(0, 8),
    parameters: parameters.map(({ name, type, indexed, text }) => ({ name, type, indexed, value: text })),
  };
  // A value the service could not make sense of.
  if (parameters.length > 3 && chance.chance(0.03)) decoded.parameters[3].value = null;
  return { topics: fourTopics(topics), data, decoded };
}

function unknownContent(chance) {
  const topics = Array.from({ length: chance.below(5) }, () => chance.hex(32));
  return { topics: fourTopics(topics), data: chance.chance(0.2) ? "0x" : chance.hex(4 * (1 + chance.below(60))), decoded: null };
}

function fourTopics(topics) {
  return [0, 1, 2, 3].map((position) => topics[position] ?? null);
}
