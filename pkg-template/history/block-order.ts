// Checks the order of lists. A list out of order would end early at a block, or deliver a block twice.
import { AddressQueryError } from "../public.js";

/** The fields of a record that can hold its block number. */
export interface ListedItem {
  block_number?: number | null;
  height?: number;
}

/**
 * Returns a function that takes the records of each page, newest first, and returns the block of the last one. It throws if a record
 * should have come before. No record may be newer than the block `last`.
 */
export function createOrderCheck(last = Number.POSITIVE_INFINITY): (items: readonly ListedItem[]) => number {
  let block = last;
  return (items) => {
    for (const { block_number, height } of items) {
      const next = block_number ?? height ?? block;
      if (next > block) throw createOrderError();
      block = next;
    }
    return block;
  };
}

/** Creates the error of a list whose records come out of order or twice. It has the same code as the error of `all()`. */
export function createOrderError(): AddressQueryError {
  const message = "the service returned records out of order or twice; read the list page by page instead";
  return AddressQueryError.create("cursor", message);
}
