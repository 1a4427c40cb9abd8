// Checks the order of records. A list that is out of order would end early at a block, or deliver one twice.
import { type AddressQueryError, createError } from "../errors.js";

/** Returns a function that takes the block of each record, and throws if the block should have come before. */
export function createOrderCheck(isAscending: boolean): (block: number) => void {
  let last: number | undefined;
  return (block) => {
    if (last !== undefined && (isAscending ? block < last : block > last)) throw createOrderError();
    last = block;
  };
}

/** Creates the error of a list whose records come out of order or twice. It has the code of that of `all()`. */
export function createOrderError(): AddressQueryError {
  const message = "the service returned records out of order or twice; read the list page by page instead";
  return createError(message, { code: "cursor" }, false);
}
