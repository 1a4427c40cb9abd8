// Makes pages, rows and values from a frame. Called by the module.
import { close, open } from "./frame.js";
import { constructors } from "./records.js";

export function openFrame(slots, wide, short, pool, extras) {
  open({ slots, wide, short, pool, extras });
}

export const closeFrame = close;

export function buildPage(item, envelope, rows, envelopeAt, next, resumeToken) {
  return {
    items: itemsOf(item, rows),
    ...constructors[envelope](envelopeAt),
    next_page_params: next === undefined ? null : JSON.parse(next),
    resumeToken: resumeToken ?? null,
  };
}

export function buildRows(item, rows, more) {
  return { items: itemsOf(item, rows), ...more };
}

export function buildValue(envelope, at) {
  return constructors[envelope](at).result;
}

function itemsOf(item, rows) {
  const construct = constructors[item];
  const items = new Array(rows.length);
  for (let i = 0; i < rows.length; i++) items[i] = construct(rows[i]);
  return items;
}
