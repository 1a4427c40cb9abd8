// Makes pages, rows and values from a frame. Called by the module.
import { close, open } from "./frame.js";
import { constructors } from "./records.js";

let slots;
let texts;

export function openFrame(newSlots, wide, short, pool, json, extras) {
  // Signed: a small integer whatever it holds.
  slots = new Int32Array(newSlots.buffer, newSlots.byteOffset, newSlots.length);
  texts = open({ wide, short, pool, json, extras });
}

export function closeFrame() {
  slots = texts = undefined;
  close();
}

export function buildPage(item, envelope, rows, envelopeAt, next, resumeToken) {
  return {
    items: itemsOf(item, rows),
    ...constructors[envelope](slots, texts, envelopeAt),
    next_page_params: next === undefined ? null : JSON.parse(next),
    resumeToken: resumeToken ?? null,
  };
}

export function buildRows(item, rows, items, more) {
  const construct = constructors[item];
  for (let i = 0; i < rows.length; i++) items.push(construct(slots, texts, rows[i]));
  return { items, ...more };
}

export function buildValue(envelope, at) {
  return constructors[envelope](slots, texts, at).result;
}

function itemsOf(item, rows) {
  const construct = constructors[item];
  const items = new Array(rows.length);
  for (let i = 0; i < rows.length; i++) items[i] = construct(slots, texts, rows[i]);
  return items;
}
