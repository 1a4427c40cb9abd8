// Drafts: events of single records, before the events of their block are known. rest-records.ts and account-records.ts create them.
import type { Hex } from "../public.js";
import type { HistoryEvent, HistoryKind, HistoryRecord, NativeAsset, TokenAsset } from "./event.js";

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

/** An address of a record: REST has objects, and the account interface has strings. */
type AddressField = { hash: string } | string | null | undefined;

/** The fields that several kinds of events use. The interfaces and lists name them differently. */
interface CommonFields {
  block_number?: number | null;
  blockNumber?: string;
  height?: number;
  /** In ISO 8601. */
  timestamp?: string | null;
  /** In Unix seconds. */
  timeStamp?: string | null;
  transaction_hash?: string | null;
  transactionHash?: string;
  hash?: string;
  from?: AddressField;
  to?: AddressField;
}

/** What differs between the kinds of events. By default, an event moves the native coin and succeeds. */
interface EventFields extends Partial<Pick<HistoryEvent, "asset" | "fiat_rate" | "method" | "success">> {
  amount: string | null;
  /** The fee of the record, which is the fee of the event if the address paid it. */
  fee?: string | null;
  /** Default: the field `to` of the record. */
  to?: AddressField;
}

/** The native coin, which all events share. */
export const NATIVE: NativeAsset = Object.freeze({ type: "native", decimals: "18" });
/** The selector of `transfer(address,uint256)`, and the 12 zero bytes before its first argument. */
const TRANSFER_CALL = /^0xa9059cbb0{24}([0-9a-f]{40})/i;
/** Types of calls that never move the native coin. */
const VALUELESS_CALLS = /^(delegatecall|callcode|staticcall)$/;

/** Creates the draft of a record. Returns null if the record has no block. */
export function createDraft(
  kind: HistoryKind,
  address: string,
  record: HistoryRecord,
  index: number | string | null,
  { to: receiver, fee = null, ...fields }: EventFields,
): Draft | null {
  const common: CommonFields = record;
  const { block_number = common.blockNumber ?? common.height, timestamp, timeStamp, transactionHash } = common;
  if (block_number == null) return null;
  // The hash of a block is not a transaction hash.
  const { transaction_hash = transactionHash ?? (common.height === undefined ? common.hash : null) } = common;
  const from = toHash(common.from);
  const to = toHash(receiver === undefined ? common.to : receiver);
  const event = {
    kind,
    key: "",
    block_number: Number(block_number),
    position: 0,
    timestamp: toIsoTime(timestamp ?? Number(timeStamp ?? Number.NaN) * 1000),
    transaction_hash: toHash(transaction_hash),
    from,
    to,
    direction: from !== address ? "in" : to === address ? "self" : "out",
    asset: NATIVE,
    fee: from === address ? fee : null,
    fiat_rate: null,
    success: true,
    method: null,
    suspicion: null,
    ...fields,
    record,
  } as HistoryEvent;
  return { event, index: Number(index ?? Number.POSITIVE_INFINITY) };
}

/** Returns the hash of an address or a transaction in lower case: its letter case differs between the interfaces. */
export function toHash(field: AddressField): Hex | null {
  const hash = typeof field === "object" ? field?.hash : field;
  return hash == null ? null : (hash.toLowerCase() as Hex);
}

/** Formats a time to the second. Returns null for a time that a `Date` cannot represent. */
function toIsoTime(time: string | number): string | null {
  const date = new Date(time);
  return Number.isNaN(Number(date)) ? null : date.toISOString().replace(/\.\d+/, "");
}

/** Returns an amount in base units, or null if the service sent something else. */
export function toAmount(value: string | null | undefined): string | null {
  return value != null && /^\d+$/.test(value) ? value : null;
}

/** Returns the amount that an internal transaction moves. */
export function toMovedAmount(type: string | null, value: string | null): string | null {
  return VALUELESS_CALLS.test(type ?? "") ? "0" : toAmount(value);
}

/** The asset and the amount of a token transfer. */
export function toTokenFields(
  asset: Omit<TokenAsset, "type" | "contract">,
  contract: string | null | undefined,
  value: string | null | undefined,
): Pick<HistoryEvent, "asset" | "amount"> {
  // A single NFT has an id and no amount.
  const isNft = asset.token_id !== null && asset.standard !== "ERC-1155";
  return {
    asset: { type: "token", contract: toHash(contract), ...asset },
    amount: toAmount(value) ?? (isNft ? "1" : null),
  };
}

/** Adds the address that a transaction of this address sends to: the receiver of the tokens if it is an ERC-20 transfer. */
export function addRecipient(draft: Draft | null, to: AddressField, input: string | null): Draft | null {
  if (draft === null || draft.event.direction === "in") return draft;
  return { ...draft, recipient: toHash(TRANSFER_CALL.exec(input ?? "")?.[1]?.replace(/^/, "0x") ?? to) };
}
