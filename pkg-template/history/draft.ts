// Drafts: events of single records, before the events of their block are known. rest-records.ts and account-records.ts create them.
import type { Hex } from "../records.js";
import type { Direction, HistoryEvent, HistoryKind, HistoryRecord, NativeAsset } from "./event.js";

/** An event whose `key`, `position` and `suspicion` are not known yet. */
export interface Draft {
  event: HistoryEvent;
  /** The index among the drafts of the same kind in its transaction or block. Drafts with equal indexes keep their order. */
  index: number;
  /** Whether the instance rates the token as a scam. */
  isScam?: boolean;
  /** An address that this address sent to, if the record proves it. */
  recipient?: string | null;
}

/** The selector of `transfer(address,uint256)`, and the 12 zero bytes before its first argument. */
const TRANSFER_CALL = /^0xa9059cbb0{24}([0-9a-f]{40})/i;
/** Calls that run another contract's code without moving the native coin. */
const VALUELESS_CALLS = /^(delegatecall|callcode|staticcall)$/;

export const NATIVE: NativeAsset = { type: "native", decimals: "18" };

/** What differs between the kinds of events. */
type EventFields = Pick<HistoryEvent, "block_number" | "timestamp" | "asset" | "amount"> & Partial<HistoryEvent>;

/** Creates an event. Hashes are converted to lower case, because their letter case differs between the interfaces. */
export function createEvent(kind: HistoryKind, address: string, record: HistoryRecord, fields: EventFields): HistoryEvent {
  const from = toLower(fields.from);
  const to = toLower(fields.to);
  return {
    kind,
    key: "",
    position: 0,
    direction: getDirection(address, from, to),
    fee: null,
    fiat_rate: null,
    success: true,
    method: null,
    suspicion: null,
    ...fields,
    transaction_hash: toLower(fields.transaction_hash),
    from,
    to,
    record,
  };
}

function getDirection(address: string, from: string | null, to: string | null): Direction {
  if (from !== address) return "in";
  return to === address ? "self" : "out";
}

export function toLower(hash: string | null | undefined): Hex | null {
  return hash == null ? null : (hash.toLowerCase() as Hex);
}

/** Returns an amount in base units, or null if the service sent something else. */
export function toAmount(value: string | null | undefined): string | null {
  return value != null && /^\d+$/.test(value) ? value : null;
}

/** Returns the amount that an internal transaction moves. */
export function toMovedAmount(type: string | null, value: string): string | null {
  return VALUELESS_CALLS.test(type ?? "") ? "0" : toAmount(value);
}

/** Returns the address that a transaction sends to: the receiver of the tokens if it is an ERC-20 transfer. */
export function getRecipient(to: string | null | undefined, input: string | null): string | null {
  return toLower(TRANSFER_CALL.exec(input ?? "")?.[1]?.replace(/^/, "0x") ?? to);
}
