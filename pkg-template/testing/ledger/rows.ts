// The records of the sample chain, before they are serialized. Addresses and hashes are in lower case.
//
// The positions of rows have the names that the cursors of the lists use.

import type { SampleApproval } from "../public-types.js";

export interface Token {
  readonly type: string;
  /** The type that the service recorded in earlier transfers, if it was different. */
  readonly formerType?: string;
  readonly hash: string;
  readonly name: string | null;
  readonly symbol: string | null;
  readonly decimals: string | null;
  readonly exchange_rate: string | null;
  readonly circulating_market_cap: string | null;
  readonly circulating_supply: string | null;
  readonly volume_24h: string | null;
  readonly icon_url: string | null;
  readonly total_supply: string | null;
  readonly holders_count: string | null;
  readonly ui_multiplier?: string | null;
  readonly isScam: boolean;
}

export interface TransactionPosition {
  readonly block_number: number;
  readonly transaction_index: number;
}

export interface TransferRow extends TransactionPosition {
  /** The index of the log in its block. */
  readonly index: number;
  /** The position in a log that moves several token ids. */
  readonly index_in_batch: number;
  readonly token: Token;
  /** The type of the token when the service processed the transfer. */
  readonly token_type: string;
  readonly token_id: bigint | null;
  readonly amount: bigint | null;
  readonly hasNoAmount: boolean;
  readonly from: string;
  readonly to: string;
  /** The name or the selector of the called method. */
  readonly method: string | null;
  readonly isHidden?: boolean;
  /** The sender of the transaction, if it is not the sender of the token. */
  readonly signer?: string;
}

export interface TransactionRow extends TransactionPosition {
  readonly from: string;
  readonly to: string | null;
  readonly createdContract: string | null;
  readonly value: bigint;
  readonly hasFailed: boolean;
  readonly method: string | null;
  readonly hasTokenTransfers?: boolean;
  /** Undefined: random. */
  readonly gasUsed?: number;
  readonly nonce?: number;
  /** The encoded arguments of the method, without 0x. */
  readonly data?: string | undefined;
}

/** What an event approves. An amount of 0 revokes; NFTs have 1. */
export interface ApprovalGrant {
  readonly owner: string;
  readonly kind: SampleApproval["kind"];
  readonly token: string;
  readonly spender: string;
  readonly tokenId: bigint | null;
  readonly amount: bigint;
  /** In Unix seconds. Null: never. */
  readonly expires: number | null;
}

export interface InternalTransactionRow extends TransactionPosition {
  readonly index: number;
  readonly type: string;
  readonly from: string;
  readonly to: string | null;
  readonly created_contract: string | null;
  readonly error: string | null;
  readonly value: bigint;
  readonly gas_limit: number;
}

export interface BlockRow {
  readonly block_number: number;
  readonly type: "block" | "uncle" | "reorg";
  readonly miner: string;
  /** The hash of a block that was replaced in a reorganisation. */
  readonly replacedHash?: string;
}
