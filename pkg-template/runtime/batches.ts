// Calls with lists that are too long for one request.
import type { Rows } from "./account.js";
import { sumOmitted } from "./omitted.js";

/** Splits a list that a caller passed as an array or with commas. Any other value is returned unchanged. */
export function splitList(list: unknown): unknown {
  return typeof list === "string" ? list.split(",") : list;
}

/** Calls `read` with the start and the end of each batch of `count` values, one after the other, and returns all rows. */
export async function readInBatches<Row>(
  count: number,
  batchSize: number,
  read: (start: number, end: number) => Promise<Rows<Row>>,
): Promise<Rows<Row>> {
  const batches: Rows<Row>[] = [];
  for (let start = 0; start < count; start += batchSize) batches.push(await read(start, start + batchSize));
  return {
    items: batches.flatMap(({ items }) => items),
    incomplete: batches.some(({ incomplete }) => incomplete),
    message: batches.find(({ message }) => message !== null)?.message ?? null,
    omitted: sumOmitted(...batches.map(({ omitted }) => omitted)),
  };
}
