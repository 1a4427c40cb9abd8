// Reads values from the slots of a frame: the format in which the WebAssembly module passes a page to JavaScript.
// src/decode/frame.rs specifies it. Only one frame is open at a time, and it is read synchronously.

/** Integers of more than 31 bits. */
let wideIntegers;
/** All short strings, concatenated. */
let shortStrings;
/** Free-form JSON values, parsed. */
let jsonValues;
/** Slots whose JSON was already returned. Records with equal JSON share a slot, so each further record gets a copy. */
let returnedSlots;
/** The JSON slots of undocumented fields, by the position of their record. Null if there are none. */
export let extras = null;

const decoder = new TextDecoder();

/**
 * Opens a frame for reading until `closeFrame`. Returns its long strings: the string of a slot is at index `slot >>> 1`. The
 * frame's arrays are views of WebAssembly memory and must not be used after `closeFrame`.
 */
export function openFrame(frame) {
  wideIntegers = frame.wide;
  shortStrings = decoder.decode(frame.short);
  jsonValues = parseJson(frame.json);
  returnedSlots = new Set();
  extras = frame.extras.length === 0 ? null : new Map();
  for (let i = 0; i < frame.extras.length; i += 2) extras?.set(frame.extras[i], frame.extras[i + 1]);
  return parseJson(frame.pool);
}

function parseJson(bytes) {
  return JSON.parse(decoder.decode(bytes));
}

export function closeFrame() {
  wideIntegers = shortStrings = jsonValues = returnedSlots = undefined;
  extras = null;
}

// The following functions are small enough for engines to inline them into the constructors.

export function readString(strings, slot) {
  return slot & 1 ? sliceShortString(slot) : strings[slot >>> 1];
}

function sliceShortString(slot) {
  const start = slot >>> 5;
  return shortStrings.slice(start, start + ((slot >>> 1) & 15));
}

export function readInteger(slot) {
  return slot & 1 ? slot >>> 1 : slot === 0 ? null : wideIntegers[(slot >>> 1) - 1];
}

export function readBoolean(slot) {
  return slot === 0 ? null : slot === 2;
}

export function readList(slots, slot, readElement) {
  const list = new Array(slots[slot - 1]);
  for (let i = 0; i < list.length; i++) list[i] = readElement(slots[slot + i]);
  return list;
}

/** Adds the undocumented fields of the record at this position (option `keepExtra`). */
export function addExtra(record, position) {
  const slot = extras.get(position);
  if (slot !== undefined) record.extra = readJson(slot);
}

export function readJson(slot) {
  const value = jsonValues[slot];
  if (value === null || typeof value !== "object") return value;
  if (returnedSlots.has(slot)) return copyJson(value);
  returnedSlots.add(slot);
  return value;
}

/** Copies parsed JSON, several times faster than `structuredClone`. The module limits the depth of the recursion. */
function copyJson(value) {
  if (value === null || typeof value !== "object") return value;
  if (Array.isArray(value)) return value.map(copyJson);
  const copy = {};
  for (const key of Object.keys(value)) {
    // An assignment to `__proto__` would set the prototype.
    if (key === "__proto__") Object.defineProperty(copy, key, { value: copyJson(value[key]), writable: true, enumerable: true, configurable: true });
    else copy[key] = copyJson(value[key]);
  }
  return copy;
}
