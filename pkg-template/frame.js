// Reads slots of a frame, the form in which the module hands over a page; src/decode/frame.rs describes it.
// One frame is read at a time, synchronously.

let wide;
let short;
let free;
// Free JSON that was given out: a repeated record has the same, and gets an object of its own.
let given;
/** Slots of unknown fields by record; null where nothing is kept. */
export let extras = null;

const decoder = new TextDecoder();

/** Makes this the frame that is read until it is closed, and returns its long texts, by half their slots. The arrays are
 * views of the module's memory: nothing keeps them. */
export function open(frame) {
  wide = frame.wide;
  short = decoder.decode(frame.short);
  free = parsed(frame.json);
  given = new Set();
  extras = frame.extras.length === 0 ? null : new Map();
  for (let i = 0; i < frame.extras.length; i += 2) extras?.set(frame.extras[i], frame.extras[i + 1]);
  return parsed(frame.pool);
}

function parsed(json) {
  return JSON.parse(decoder.decode(json));
}

export function close() {
  wide = short = free = given = undefined;
  extras = null;
}

// The readers are this small so that engines put them into the constructors.

export function text(texts, slot) {
  return slot & 1 ? cut(slot) : texts[slot >>> 1];
}

function cut(slot) {
  const start = slot >>> 5;
  return short.slice(start, start + ((slot >>> 1) & 15));
}

export function integer(slot) {
  return slot & 1 ? slot >>> 1 : slot === 0 ? null : wide[(slot >>> 1) - 1];
}

export function boolean(slot) {
  return slot === 0 ? null : slot === 2;
}

export function list(slots, slot, read) {
  const made = new Array(slots[slot - 1]);
  for (let i = 0; i < made.length; i++) made[i] = read(slots[slot + i]);
  return made;
}

/** Adds the fields that the declaration does not know, where the caller asked to keep them. */
export function addExtra(made, at) {
  const slot = extras.get(at);
  if (slot !== undefined) made.extra = json(slot);
}

export function json(slot) {
  const value = free[slot];
  if (value === null || typeof value !== "object") return value;
  if (given.has(slot)) return copied(value);
  given.add(slot);
  return value;
}

/** A copy of parsed JSON, several times faster than structuredClone. It nests no deeper than the module admits. */
function copied(value) {
  if (value === null || typeof value !== "object") return value;
  if (Array.isArray(value)) return value.map(copied);
  const copy = {};
  for (const key of Object.keys(value)) {
    // Assigned, it would be the prototype.
    if (key === "__proto__") Object.defineProperty(copy, key, { value: copied(value[key]), writable: true, enumerable: true, configurable: true });
    else copy[key] = copied(value[key]);
  }
  return copy;
}
