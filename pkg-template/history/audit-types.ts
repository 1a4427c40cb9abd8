// The parameters and the result of `auditBalance`.
import type { AddressClient } from "../index.js";
import type { Omitted } from "../public.js";
import type { TokenAsset } from "./event.js";
import type { HistoryClient, HistoryFilter, HistoryReport } from "./public-types.js";

/** The client methods that an audit uses. Every `AddressClient` has them. */
export type AuditClient = HistoryClient &
  Pick<AddressClient, "address" | "addressCoinBalanceHistory" | "addressTokens" | "transaction">;

/** Parameters of {@link auditBalance}. */
export type AuditParams = Pick<HistoryFilter, "address_hash" | "signal">;

/**
 * What may explain a divergence.
 *
 * - `genesis_allocation`: The address had coins in block 0, or before its first event.
 * - `l1_fee`: A transaction of the address paid for data on the parent chain of a rollup. The account
 *   interface omits that fee before service version 12.0.2.
 * - `blob_fee`: A transaction of the address paid for blobs, which its fee does not include.
 * - `token_fee`: A transaction of the address paid its fee in a token, and the event does not say so.
 * - `pruned_traces`: Internal transactions are missing: the report says so, or the history has none up to that block.
 * - `not_indexed`: The instance does not state that it has indexed all blocks, or their internal transactions. `report` says for which
 *   blocks.
 * - `omitted_records`: Records that belong to the balance failed validation, and `badRecords: "skip"` omitted them. `omitted` says which.
 * - `incomplete_history`: Other records are missing. `report` says which.
 * - `unknown_amount`: The service does not report the amount or the fee of an event.
 * - `rebasing_token`: Nothing is known to be missing: the token changes balances without transfers, or against them.
 */
export type AuditReason =
  | "genesis_allocation"
  | "l1_fee"
  | "blob_fee"
  | "token_fee"
  | "pruned_traces"
  | "not_indexed"
  | "omitted_records"
  | "incomplete_history"
  | "unknown_amount"
  | "rebasing_token";

/** The first block at which the computed and the reported balance differ. */
export interface Divergence {
  /** Block number. */
  block: number;
  /** The last block before it at which both agree. Records are missing after it. Null: they never agree before. */
  lastAgreeing: number | null;
  /** The computed balance after that block, in base units. */
  computed: string;
  /** The balance that the service reports for that block, in base units. Null: it reports none, but the computed one is negative. */
  reported: string | null;
}

/** The audit of one asset. */
export interface AssetAudit {
  /** The balance after the audited block, in base units: the sum of all events. */
  computed: string;
  /** The newest balance that the service reports, in base units. Null: none. */
  reported: string | null;
  /** Whether the balances agree at every block for which the service reports one. Null: it reports none. */
  agrees: boolean | null;
  /** Where they first differ. Null: nowhere, or not known, because the service reports only the current balance of a token. */
  divergence: Divergence | null;
  /** What may explain the difference. Empty: they agree, or no known reason applies. */
  reasons: AuditReason[];
}

/** The audit of a fungible token. */
export interface TokenAudit extends AssetAudit {
  /** Address hash of the token contract, in lower case. */
  contract: string;
  /** The token, as reported by the transfers. Null: the address holds it without any transfer. */
  token: TokenAsset | null;
}

/** The result of {@link auditBalance}: plain data. */
export interface BalanceAudit {
  /** The audited block: the newest one when the audit started. */
  block: number;
  /** Whether no balance differs: `agrees` is not false for any asset. */
  balanced: boolean;
  /** The native coin. */
  native: AssetAudit;
  /** The ERC-20 tokens that the address holds or has transferred, except tokens whose standard has changed. */
  tokens: TokenAudit[];
  /** How completely the history was read. */
  report: HistoryReport;
  /** The records that `badRecords: "skip"` omitted from the history, the balance history and the list of tokens. */
  omitted: Omitted;
}
