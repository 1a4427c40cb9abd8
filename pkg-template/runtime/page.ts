// Creates pages, rows and results. The WebAssembly module calls these functions, and passes `undefined` for missing values. The
// default arguments replace it with null.
import { closeFrame, openFrame } from "./frame.js";
import { constructors, type RecordConstructor } from "./constructors.js";
import type { Page } from "./list.js";
import type { Rows } from "./account.js";
import type { RangeReport, RowBatch } from "./range.js";
import type { Balance, Hex } from "./records.js";

/**
 * Creates the records of a frame: appends its rows to `items`, and returns its envelope (the fields beside the rows).
 * `item` and `envelope` are indexes into `constructors`. `rows` and `envelopeAt` are the positions of the records in `slots`.
 */
export function addRows(
  slots: Uint32Array,
  wide: Float64Array,
  short: Uint8Array,
  pool: Uint8Array,
  json: Uint8Array,
  extras: Uint32Array,
  item: number,
  rows: Uint32Array,
  items: object[],
  envelope: number,
  envelopeAt: number,
): object {
  const strings = openFrame({ wide, short, pool, json, extras });
  // Signed, so that engines represent each slot as a small integer.
  const signed = new Int32Array(slots.buffer, slots.byteOffset, slots.length);
  const createItem = constructors[item] as RecordConstructor;
  for (let i = 0; i < rows.length; i++) items.push(createItem(signed, strings, rows[i] as number));
  const fields = (constructors[envelope] as RecordConstructor)(signed, strings, envelopeAt);
  closeFrame();
  return fields;
}

export function createPage(
  items: object[],
  envelope: object,
  next: string | undefined,
  resumeToken: string | null = null,
): Page<object, unknown> {
  return { items, ...envelope, next_page_params: next === undefined ? null : JSON.parse(next), resumeToken };
}

export function createRows(items: object[], incomplete: boolean, message: string | null = null): Rows<object> {
  return { items, incomplete, message };
}

/** Creates a batch of the rows of a window, or the end of the range (without items). */
export function createWindow(
  items: object[] | null = null,
  resumeToken: string | null = null,
  isPartial: boolean,
  continuesWindow: boolean,
  complete: boolean,
  windows: number,
  requests: number,
  records: number,
  nextBlock: number | null = null,
  responseLimit: number | null = null,
  incompleteBlocks: RangeReport["incompleteBlocks"],
  unprocessed: RangeReport["unprocessed"],
  changedBlocks: number[],
): RowBatch<object> {
  const report = { complete, windows, requests, records, nextBlock, responseLimit, incompleteBlocks, unprocessed, changedBlocks };
  return { items, resumeToken, isPartial, continuesWindow, report };
}

export function addIncompleteBlock(list: RangeReport["incompleteBlocks"], block: number, records: number, reason: string): void {
  list.push({ block, records, reason });
}

export function addUnprocessedRange(list: RangeReport["unprocessed"], first: number, last: number, message: string): void {
  list.push({ first, last, message });
}

export function addBalance(list: Balance[], account: Hex, balance: string | null = null, stale: boolean): void {
  list.push({ account, balance, stale });
}
