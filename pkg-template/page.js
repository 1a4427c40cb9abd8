// Makes pages, rows and values from a frame. Called by the module.
import { close, open } from "./frame.js";
import { constructors } from "./records.js";

export function addRows(slots, wide, short, pool, json, extras, item, rows, items, envelope, envelopeAt) {
  const texts = open({ wide, short, pool, json, extras });
  // Signed: a small integer whatever it holds.
  const signed = new Int32Array(slots.buffer, slots.byteOffset, slots.length);
  const construct = constructors[item];
  for (let i = 0; i < rows.length; i++) items.push(construct(signed, texts, rows[i]));
  const beside = constructors[envelope](signed, texts, envelopeAt);
  close();
  return beside;
}

export function pageOf(items, beside, next, resumeToken = null) {
  return { items, ...beside, next_page_params: next === undefined ? null : JSON.parse(next), resumeToken };
}

export function rowsOf(items, incomplete, message = null) {
  return { items, incomplete, message };
}

export function windowOf(items = null, resumeToken = null, isPart, windows, requests, records, nextBlock = null, responseLimit = null, incompleteBlocks, unprocessed, changedBlocks) {
  const complete = nextBlock === null && !incompleteBlocks.length && !unprocessed.length;
  const report = { complete, windows, requests, records, nextBlock, responseLimit, incompleteBlocks, unprocessed, changedBlocks };
  return { items, resumeToken, isPart, report };
}

export function addIncomplete(list, block, records, reason) {
  list.push({ block, records, reason });
}

export function addUnprocessed(list, first, last, message) {
  list.push({ first, last, message });
}

export function addBalance(list, account, balance = null, stale) {
  list.push({ account, balance, stale });
}
