// The parameters and the result of `approvals`.
import type { HistoryClient } from "../history/index.js";
import type { AddressClient } from "../index.js";
import type { AbortSignalLike, AddressInfo, IncompleteBlock, Omitted, Token } from "../public.js";

/** The client methods that `approvals` uses. Every `AddressClient` has them. */
export type ApprovalsClient = HistoryClient & Pick<AddressClient, "address" | "logs" | "rpc" | "token">;

/** Parameters of {@link approvals}. */
export interface ApprovalsParams {
  /** The owner: the address that has given the approvals. */
  address_hash: string;
  /**
   * Whether to read the current approvals from the chain, with `rpc.ethCall`. Otherwise they are derived from events alone:
   * spending lowers an allowance, and a transfer ends the approval of an NFT, often without an event.
   * @defaultValue `false`
   */
  current?: boolean | undefined;
  /**
   * Whether to look up spenders, tokens and balances: a request for each spender, one for each token, and one for each balance of a
   * fungible token. Without it they are null, and so is the value at risk.
   * @defaultValue `true`
   */
  details?: boolean | undefined;
  /**
   * The contract of Permit2.
   * @defaultValue `"0x000000000022D473030F116dDEE9F6B43aC78BA3"`, where it is on most chains
   */
  permit2?: string | undefined;
  /** The `resumeToken` of the error of an earlier call with the same parameters: continues where that call failed. */
  resume?: string | null | undefined;
  /** Called after each response. */
  onProgress?: ((progress: ApprovalsProgress) => void) | undefined;
  /** Cancels the call, with code `aborted` and the signal's reason as `cause`. */
  signal?: AbortSignalLike | undefined;
}

/** The progress of a call of {@link approvals}. */
export interface ApprovalsProgress {
  /** What is being read: events, current allowances, or spenders and tokens. */
  stage: "events" | "allowances" | "details";
  /** The part of the stage that is done, from 0 to 1. */
  fraction: number;
  /** Number of events that were read. */
  events: number;
  /** Number of approvals in force, as far as is known. */
  approvals: number;
}

/**
 * What an approval covers.
 *
 * - `allowance`: An amount of an ERC-20 token.
 * - `token`: One token of an ERC-721 contract.
 * - `operator`: All tokens of an ERC-721 or ERC-1155 contract, also those that the owner receives later.
 * - `permit2`: An amount of an ERC-20 token, recorded in Permit2. It also needs an allowance of Permit2 itself.
 */
export type ApprovalKind = "allowance" | "token" | "operator" | "permit2";

/** The event that an approval follows from: the last one about it. */
export interface ApprovalEvent {
  /** Block number. */
  block_number: number;
  /** Time of the block, in ISO 8601 (UTC). Null: not known. */
  timestamp: string | null;
  /** Transaction hash. */
  transaction_hash: string;
  /** Index of the log in its block. Null: not sent. */
  log_index: number | null;
}

/** An approval in force. Anyone can emit events in the name of an owner, so its contract may not be a token. */
export interface Approval {
  /** Identifies the approval among the owner's approvals. */
  id: string;
  /** What it covers. */
  kind: ApprovalKind;
  /** Address hash of the token contract, in lower case. */
  token_hash: string;
  /** The token. Null: not known to the service, or not looked up. */
  token: Token | null;
  /** Address hash of the spender or operator, in lower case. */
  spender_hash: string;
  /** The spender, with its name and tags. Null: not looked up, or the service refused it. */
  spender: AddressInfo | null;
  /** The token id, with `kind` `token`. Otherwise null. */
  token_id: string | null;
  /** The approved amount in base units. Null: NFTs. */
  amount: string | null;
  /** Whether the amount is one that contracts treat as unlimited. Always true with `kind` `operator`. */
  isUnlimited: boolean;
  /** When an approval of Permit2 ends, in ISO 8601 (UTC). Null: never. */
  expires: string | null;
  /** Whether `amount` was read from the chain, or comes from the event. */
  source: "chain" | "event";
  /** The last event about the approval. */
  event: ApprovalEvent;
  /** The owner's balance of the token, in base units. Null: NFTs, or not known. */
  balance: string | null;
  /**
   * The value that the spender could take now, in the fiat currency of the instance: the approved amount or the balance, whichever
   * is less, at the current price. A decimal string, as from `fiatValue`. Null: no price, as for NFTs, or no balance is known.
   */
  valueAtRisk: string | null;
}

/** The result of {@link approvals}: plain data. */
export interface Approvals {
  /** The approvals in force: the largest value at risk first, then the newest. */
  items: Approval[];
  /** The newest block when the call started: later events are not included. */
  block: number;
  /** Number of events that were read. */
  events: number;
  /**
   * Where the amounts come from. `event`: from events, because `current` was not set. `chain`: from the chain, except items with
   * `source` `event`, whose contract returned no valid result. `unavailable`: from events, because the service has no `eth_call`.
   */
  allowances: "chain" | "event" | "unavailable";
  /** Whether no event is missing: neither omitted, nor in an incomplete block. */
  complete: boolean;
  /** Blocks whose events the service returns only in part. */
  incompleteBlocks: IncompleteBlock[];
  /** The records that `badRecords: "skip"` omitted. */
  omitted: Omitted;
}
