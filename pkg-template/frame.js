// Reads slots of a frame, the form in which the module hands over a page; src/decode/frame.rs describes it.
// One frame is read at a time, synchronously.

let slots;
let wide;
let short;
let pool;
let extras;
// Slots of free JSON that were given out: a repeated record has the same slot, and gets an object of its own.
let given;

const decoder = new TextDecoder();

/** Makes this the frame that is read until it is closed. The arrays are views of the module's memory: nothing keeps them. */
export function open(frame) {
  ({ slots, wide } = frame);
  short = decoder.decode(frame.short);
  pool = JSON.parse(decoder.decode(frame.pool));
  given = new Set();
  extras = frame.extras.length === 0 ? null : new Map();
  for (let i = 0; i < frame.extras.length; i += 2) extras?.set(frame.extras[i], frame.extras[i + 1]);
}

export function close() {
  slots = wide = short = pool = extras = given = undefined;
}

export function text(at) {
  const slot = slots[at];
  if (slot & 1) {
    const start = slot >>> 5;
    return short.slice(start, start + ((slot >>> 1) & 15));
  }
  return slot === 0 ? null : pool[(slot >>> 1) - 1];
}

export function json(at) {
  const slot = slots[at];
  return slot === 0 ? null : ownJson(slot);
}

export function integer(at) {
  const slot = slots[at];
  if (slot & 1) return slot >>> 1;
  return slot === 0 ? null : wide[(slot >>> 1) - 1];
}

export function boolean(at) {
  const slot = slots[at];
  return slot === 0 ? null : slot === 2;
}

export function record(at, construct) {
  const slot = slots[at];
  return slot === 0 ? null : construct(slot - 1);
}

export function records(at, construct) {
  const slot = slots[at];
  if (slot === 0) return [];
  const made = new Array(slots[slot - 1]);
  for (let i = 0; i < made.length; i++) made[i] = record(slot + i, construct);
  return made;
}

export function list(at, read) {
  const slot = slots[at];
  if (slot === 0) return [];
  const made = new Array(slots[slot - 1]);
  for (let i = 0; i < made.length; i++) made[i] = read(slot + i);
  return made;
}

/** Adds the fields that the declaration does not know, where the caller asked to keep them. */
export function withExtra(made, at) {
  if (extras !== null) {
    const slot = extras.get(at);
    if (slot !== undefined) made.extra = ownJson(slot);
  }
  return made;
}

function ownJson(slot) {
  const value = pool[(slot >>> 1) - 1];
  if (value === null || typeof value !== "object") return value;
  if (given.has(slot)) return structuredClone(value);
  given.add(slot);
  return value;
}
