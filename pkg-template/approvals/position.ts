// Where a call of `approvals` continues after a failure.
import type { Grant } from "./approval-log.js";
import type { EventPosition } from "./event-reader.js";

/** The position before the first request. */
export function createPosition(block: number): EventPosition {
  return { block, range: 0, token: null, grants: [], events: 0, incompleteBlocks: [], omitted: { count: 0, first: [] } };
}

/** Whether a value, from a resume token, is a position. */
export function isPosition(value: EventPosition): boolean {
  const { block, range, token, grants, events, incompleteBlocks, omitted } = value;
  return (
    [block, range, events, omitted.count].every(Number.isSafeInteger) &&
    (token === null || typeof token === "string") &&
    Array.isArray(incompleteBlocks) &&
    Array.isArray(omitted.first) &&
    grants.every(isGrant)
  );
}

function isGrant({ kind, token, spender, tokenId, amount, expires, source, event }: Grant): boolean {
  const isAddress = (hash: string) => /^0x[\da-f]{40}$/.test(hash);
  const isInteger = (digits: string) => /^\d{1,78}$/.test(digits);
  return (
    /^(allowance|token|operator|permit2)$/.test(kind) &&
    isAddress(token) &&
    isAddress(spender) &&
    (tokenId === null || isInteger(tokenId)) &&
    isInteger(amount) &&
    /^(chain|event)$/.test(source) &&
    (expires === null || typeof expires === "number") &&
    Number.isSafeInteger(event.block_number)
  );
}
