// Creates pages, rows and results. The WebAssembly module calls these functions, and passes `undefined` for missing values. The
// default arguments replace it with null.
import { closeFrame, openFrame } from "./frame.js";
import { constructors } from "./records.js";

/**
 * Creates the records of a frame: appends its rows to `items`, and returns its envelope (the fields beside the rows).
 * `item` and `envelope` are indexes into `constructors`. `rows` and `envelopeAt` are the positions of the records in `slots`.
 */
export function addRows(slots, wide, short, pool, json, extras, item, rows, items, envelope, envelopeAt) {
  const strings = openFrame({ wide, short, pool, json, extras });
  // Signed, so that engines represent each slot as a small integer.
  const signed = new Int32Array(slots.buffer, slots.byteOffset, slots.length);
  const createItem = constructors[item];
  for (let i = 0; i < rows.length; i++) items.push(createItem(signed, strings, rows[i]));
  const fields = constructors[envelope](signed, strings, envelopeAt);
  closeFrame();
  return fields;
}

export function createPage(items, envelope, next, resumeToken = null) {
  return { items, ...envelope, next_page_params: next === undefined ? null : JSON.parse(next), resumeToken };
}

export function createRows(items, incomplete, message = null) {
  return { items, incomplete, message };
}

/**
 * Creates a window of a range, or one batch of a window. `isPartial` means that more batches of the window may follow,
 * `continuesWindow` that it belongs to the same window as the batch before. The end of the range has no items.
 */
export function createWindow(items = null, resumeToken = null, isPartial, continuesWindow, complete, windows, requests, records, nextBlock = null, responseLimit = null, incompleteBlocks, unprocessed, changedBlocks) {
  const report = { complete, windows, requests, records, nextBlock, responseLimit, incompleteBlocks, unprocessed, changedBlocks };
  return { items, resumeToken, isPartial, continuesWindow, report };
}

export function addIncompleteBlock(list, block, records, reason) {
  list.push({ block, records, reason });
}

export function addUnprocessedRange(list, first, last, message) {
  list.push({ first, last, message });
}

export function addBalance(list, account, balance = null, stale) {
  list.push({ account, balance, stale });
}
