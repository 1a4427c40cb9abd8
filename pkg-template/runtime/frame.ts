// Reads values from the slots of a frame: the format in which the WebAssembly module passes a page to JavaScript.
// src/frame/mod.rs specifies it. Only one frame is open at a time, and it is read synchronously.

import type { JsonObject, JsonValue } from "./records.js";

// The variables of the open frame. Only an open frame is read, and only at positions that it has: the type assertions say so
// without a check at run time.

/** All short strings, concatenated. */
let shortStrings: string;
/** Free-form JSON values, parsed. */
let jsonValues: JsonValue[];
/** Slots whose JSON was already returned. Records with equal JSON share a slot, so each further record gets a copy. */
let returnedSlots: Set<number>;
/** The cursor of the next page: null at the end of the list, and undefined unless the frame is a page of a list. */
export let cursor: JsonObject | null | undefined;
/** The JSON slots of undocumented fields, by the position of their record. Null if there are none. */
let extras: Map<number, number> | null = null;

let decoder: Pick<TextDecoder, "decode"> | undefined;

/** Sets the decoder of UTF-8, for runtimes without `TextDecoder`. */
export function setDecoder(value: Pick<TextDecoder, "decode">): void {
  decoder = value;
}

/**
 * Opens a frame for reading until `closeFrame`. Returns its pool of long strings: the string of a slot is at index `slot >>> 1`.
 *
 * `pool` is the JSON of that array, `json` the JSON of an array of the free-form values, and `pairs` has pairs of a record's
 * position and its JSON slot. They are views of WebAssembly memory.
 */
export function openFrame(pool: Uint8Array, json: Uint8Array, pairs: Uint32Array): string[] {
  const strings = parseJson(pool);
  const last = strings.pop();
  cursor = typeof last === "string" ? undefined : last;
  shortStrings = cursor === undefined ? last : strings.pop();
  jsonValues = json.length === 0 ? [null] : parseJson(json);
  returnedSlots = new Set();
  extras = pairs.length === 0 ? null : new Map();
  for (let i = 0; i < pairs.length; i += 2) extras?.set(pairs[i] as number, pairs[i + 1] as number);
  return strings;
}

function parseJson(bytes: Uint8Array) {
  decoder ??= new TextDecoder();
  return JSON.parse(decoder.decode(bytes));
}

export function closeFrame(): void {
  shortStrings = jsonValues = returnedSlots = undefined as never;
  extras = null;
}

// The following functions are small enough for engines to inline them into the constructors.

export function readString(strings: readonly string[], slot: number): string {
  return slot & 1 ? sliceShortString(slot) : (strings[slot >>> 1] as string);
}

function sliceShortString(slot: number): string {
  const start = slot >>> 5;
  return shortStrings.slice(start, start + ((slot >>> 1) & 15));
}

/** Reads an integer. The pool has null at index 0, and integers of more than 31 bits besides the strings. */
export function readInteger(strings: readonly unknown[], slot: number): number | null {
  return slot & 1 ? slot >>> 1 : (strings[slot >>> 1] as number | null);
}

export function readBoolean(slot: number): boolean | null {
  return slot === 0 ? null : slot === 2;
}

export function readList<Element>(
  slots: Int32Array,
  strings: readonly string[],
  slot: number,
  readElement: (slots: Int32Array, strings: readonly string[], slot: number) => Element,
): Element[] {
  if (slot === 0) return [];
  const list = new Array<Element>(slots[slot - 1] as number);
  for (let i = 0; i < list.length; i++) list[i] = readElement(slots, strings, slots[slot + i] as number);
  return list;
}

/** Returns a record with the undocumented fields of the one at this position (option `keepExtra`). */
export function addExtra<Record extends { extra?: JsonValue }>(record: Record, position: number): Record {
  const slot = extras?.get(position);
  if (slot !== undefined) record.extra = readJson(slot);
  return record;
}

export function readJson(slot: number): JsonValue {
  const value = jsonValues[slot] as JsonValue;
  if (value === null || typeof value !== "object") return value;
  if (returnedSlots.has(slot)) return copyJson(value);
  returnedSlots.add(slot);
  return value;
}

/** Copies parsed JSON, several times faster than `structuredClone`. The module limits the depth of the recursion. */
function copyJson(value: JsonValue): JsonValue {
  if (value === null || typeof value !== "object") return value;
  if (Array.isArray(value)) return value.map(copyJson);
  const copy: JsonObject = {};
  for (const key of Object.keys(value)) {
    // An assignment to `__proto__` would set the prototype.
    if (key === "__proto__")
      Object.defineProperty(copy, key, {
        value: copyJson(value[key] as JsonValue),
        writable: true,
        enumerable: true,
        configurable: true,
      });
    else copy[key] = copyJson(value[key] as JsonValue);
  }
  return copy;
}
