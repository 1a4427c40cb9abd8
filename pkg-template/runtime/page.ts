// Creates pages, rows and results. The WebAssembly module calls these functions, and passes `undefined` for missing values. The
// default arguments replace it with null.
import { closeFrame, cursor, openFrame } from "./frame.js";
import { constructors, type RecordConstructor } from "./constructors.js";
import type { Page } from "./list.js";
import type { Rows } from "./account.js";
import type { BatchState, Omitted } from "./objects.js";
import type { RowBatch } from "./range.js";

/**
 * Creates the records of a frame: appends its rows to `items`, and returns its envelope (the fields beside the rows, and the
 * cursor if it is the page of a list).
 * `item` and `envelope` are indexes into `constructors`. `rows` and `envelopeAt` are the positions of the records in `slots`.
 */
export function addRows(
  slots: Uint32Array,
  pool: Uint8Array,
  json: Uint8Array,
  extras: Uint32Array,
  item: number,
  rows: Uint32Array,
  items: object[],
  envelope: number,
  envelopeAt: number,
): object {
  const strings = openFrame(pool, json, extras);
  // Signed, so that engines represent each slot as a small integer.
  const signed = new Int32Array(slots.buffer, slots.byteOffset, slots.length);
  const createItem = constructors[item] as RecordConstructor;
  for (let i = 0; i < rows.length; i++) items.push(createItem(signed, strings, (rows[i] as number) + 1));
  const fields = (constructors[envelope] as RecordConstructor)(signed, strings, envelopeAt + 1);
  if (cursor !== undefined) Object.assign(fields, { next_page_params: cursor });
  closeFrame();
  return fields;
}

export function createPage(
  items: object[],
  envelope: Pick<Page<object, unknown>, "next_page_params">,
  resumeToken: string | null = null,
  omitted: string,
): Page<object, unknown> {
  return { items, ...envelope, resumeToken, omitted: JSON.parse(omitted) as Omitted };
}

export function createRows(items: object[], incomplete: boolean, message: string | null = null, omitted: string): Rows<object> {
  return { items, incomplete, message, omitted: JSON.parse(omitted) as Omitted };
}

/** Creates a batch of the rows of a window, or the end of the range (without items). */
export function createWindow(items: object[] | null = null, state: string): RowBatch<object> {
  return { items, ...(JSON.parse(state) as BatchState) };
}
