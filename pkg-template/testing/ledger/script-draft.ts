// What an act of the script moves and means, and the rows that all acts make.

import type { SampleActivityKind } from "../public-types.js";
import type { ApprovalRow } from "./approvals.js";
import type { LogRow } from "./logs.js";
import type {
  InternalTransactionRow,
  NftRow,
  Token,
  TokenHolding,
  TransactionPosition,
  TransactionRow,
  TransferRow,
} from "./rows.js";

/** The rows of the scripted addresses, oldest first. */
export interface ScriptRows {
  readonly transactions: readonly TransactionRow[];
  readonly transfers: readonly TransferRow[];
  readonly internalTransactions: readonly InternalTransactionRow[];
  readonly approvals: readonly ApprovalRow[];
  readonly logs: readonly LogRow[];
  /** The NFTs that scripted addresses hold. */
  readonly nfts: readonly NftRow[];
  /** The fungible tokens that scripted addresses hold, by address. */
  readonly holdings: ReadonlyMap<string, readonly TokenHolding[]>;
  /** What each transaction is meant to be, for the addresses that take part. */
  readonly meanings: readonly Meaning[];
}

/** The meaning of a transaction for one address. It is declared apart from what the transaction moves. */
export interface Meaning extends TransactionPosition {
  readonly account: string;
  readonly kind: SampleActivityKind;
}

interface Leg {
  readonly token: Token;
  readonly from: string;
  readonly to: string;
  readonly amount?: bigint;
  readonly id?: bigint;
}

/** A transaction of the script. */
export interface ScriptDraft {
  readonly from: string;
  /** Null: the transaction creates a contract. */
  readonly to: string | null;
  readonly method: string | null;
  readonly value?: bigint;
  readonly hasFailed?: boolean;
  readonly legs?: readonly Leg[];
  /** Payments of the native coin by contracts. */
  readonly payments?: readonly (readonly [from: string, to: string, value: bigint])[];
  /** The encoded arguments of the method, without 0x. Undefined: random. */
  readonly data?: string;
  /** What it is meant to be, by address. */
  readonly meaning: Readonly<Record<string, SampleActivityKind>>;
}
