// Decodes approval events, which hostile contracts can emit, too.
import type { EventLog } from "../public.js";
import type { ApprovalEvent, ApprovalKind } from "./public-types.js";

/** The hashes of the event signatures. */
export const TOPICS = {
  /** `Approval(address,address,uint256)`, of ERC-20 and of ERC-721. */
  approval: "0x8c5be1e5ebec7d5bd14f71427d1e84f3dd0314c0f7b2291e5b200ac8c7c3b925",
  /** `ApprovalForAll(address,address,bool)` */
  approvalForAll: "0x17307eab39ab6107e8899845ad3d59bd9653f200f220920489ca2b5937696c31",
};

/** The first four bytes of the hashes of the event signatures of Permit2, whose other events begin with other ones. */
const PERMIT2_EVENTS = {
  /** `Approval(address,address,address,uint160,uint48)` */
  approval: "da9fa7c1",
  /** `Permit(address,address,address,uint160,uint48,uint48)` */
  permit: "c6a377bf",
  /** `Lockdown(address,address,address)`: ends an approval. */
  lockdown: "89b1add1",
};

/** An approval as an event or the chain states it. JSON: resume tokens contain it. */
export interface Grant {
  kind: ApprovalKind;
  token: string;
  spender: string;
  /** The token id of a single NFT. */
  tokenId: string | null;
  /** The amount, a decimal integer; 1 for NFTs. 0: nothing. */
  amount: string;
  /** When it ends, in Unix seconds. Null: never. */
  expires: number | null;
  source: "chain" | "event";
  event: ApprovalEvent;
}

/** Returns an address, or an integer in hex, as a word: a topic, or an argument without the prefix. */
export const toWord = (address: string): string => address.slice(2).toLowerCase().padStart(64, "0");

/** Splits hex data into words. Bytes after the last whole word are dropped. */
export const splitWords = (data: string | null): string[] => data?.match(/[\da-f]{64}/gi) ?? [];

/** Returns the address in a word. Null: the word is not one. */
export function toAddress(word: string | undefined): string | null {
  return word !== undefined && /^0{24}[\da-f]{40}$/i.test(word) ? `0x${word.slice(24).toLowerCase()}` : null;
}

/** Identifies the subject of an event: a later event with the same key replaces it. A single NFT has one approved address. */
export function getGrantId({ kind, token, spender, tokenId }: Grant): string {
  return `${kind}:${token}:${tokenId ?? spender}`;
}

/** The members of an approval that depend on its event. */
type Statement = Pick<Grant, "kind" | "amount"> &
  Partial<Pick<Grant, "tokenId" | "expires">> & { token: string | null; spender: string | null };

/** Decodes an event. Null: it is not an approval, is malformed, or belongs to another owner. */
export function readGrant(log: EventLog, owner: string, permit2: string): Grant | null {
  const topics = log.topics.flatMap((topic) => topic?.slice(2).toLowerCase() ?? []);
  const data = log.data ?? "0x";
  if (topics[1] !== toWord(owner) || !/^0x([\da-f]{64})*$/i.test(data)) return null;
  const statement = readStatement(log.address.toLowerCase(), permit2, topics, splitWords(data));
  const { token, spender } = statement ?? {};
  if (!statement || !token || !spender) return null;
  const event = readEvent(log);
  // In Permit2, an approval without an expiration ends with its block.
  const expires = statement.expires === 0 ? Number(log.timeStamp) : (statement.expires ?? null);
  return { tokenId: null, source: "event", ...statement, token, spender, expires, event };
}

function readStatement(
  emitter: string,
  permit2: string,
  [signature, , second, third, ...{ length: more }]: readonly string[],
  values: readonly string[],
): Statement | null {
  const spender = toAddress(second);
  // An event with other numbers of topics and values has another declaration.
  switch (`0x${signature} ${2 + Number(second !== undefined) + Number(third !== undefined) + more} ${values.length}`) {
    case `${TOPICS.approval} 3 1`:
      return { kind: "allowance", token: emitter, spender, amount: toInteger(values[0]) };
    case `${TOPICS.approval} 4 0`:
      return { kind: "token", token: emitter, spender, tokenId: toInteger(third), amount: toFlag(Number(spender) !== 0) };
    case `${TOPICS.approvalForAll} 3 1`:
      return { kind: "operator", token: emitter, spender, amount: toFlag(toInteger(values[0]) !== "0") };
  }
  if (emitter !== permit2) return null;
  const [amount, expires] = [toInteger(values[0]), Number(toInteger(values[1]))];
  switch (signature?.slice(0, 8)) {
    case PERMIT2_EVENTS.approval:
    case PERMIT2_EVENTS.permit:
      return { kind: "permit2", token: spender, spender: toAddress(third), amount, expires };
    case PERMIT2_EVENTS.lockdown:
      return { kind: "permit2", token: toAddress(values[0]), spender: toAddress(values[1]), amount: "0" };
  }
  return null;
}

/** Returns the integer in a word, in decimal digits. A missing one is 0. */
export const toInteger = (word: string | undefined): string => BigInt(`0x${word ?? 0}`).toString();

/** Returns the amount of an approval of NFTs. */
export const toFlag = (isApproved: boolean): string => (isApproved ? "1" : "0");

/** Formats Unix seconds in ISO 8601. Null: no valid time. */
export function toTime(seconds: number | null): string | null {
  const time = new Date((seconds ?? Number.NaN) * 1000);
  return Number.isNaN(time.getTime()) ? null : time.toISOString();
}

function readEvent({ blockNumber, timeStamp, transactionHash, logIndex }: EventLog): ApprovalEvent {
  return {
    block_number: Number(blockNumber),
    timestamp: toTime(timeStamp === null ? null : Number(timeStamp)),
    transaction_hash: transactionHash,
    log_index: logIndex === null ? null : Number(logIndex),
  };
}
