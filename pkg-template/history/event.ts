// The event of an address's history: one shape for all kinds, whichever interface of the service it was read from.
import type {
  AccountInternalTransaction,
  AccountTransaction,
  Block,
  Erc1155Transfer,
  Erc20Transfer,
  Erc404Transfer,
  Erc721Transfer,
  Hex,
  InternalTransaction,
  TokenStandard,
  TokenTransfer,
  Transaction,
  Withdrawal,
} from "../public.js";

/**
 * The kind of an event.
 *
 * - `transaction`: A mined transaction from or to the address, or one that created it. Pending transactions are not history.
 * - `internal_transaction`: A call within a transaction.
 * - `token_transfer`: A transfer of a token of any standard.
 * - `block_reward`: The reward of a block that the address validated or mined.
 * - `withdrawal`: A withdrawal from the beacon chain.
 */
export type HistoryKind = "transaction" | "internal_transaction" | "token_transfer" | "block_reward" | "withdrawal";

/** Whether an event brings an asset in, takes it out, or does both: a transfer of the address to itself. */
export type Direction = "in" | "out" | "self";

/**
 * Why an event may be spam. A hint for display, not a proof.
 *
 * - `scam_token`: The instance rates the token as a scam. Only REST states this, and many instances hide such transfers from REST.
 * - `lookalike_address`: The counterparty has the same first four and last four hex digits as an address that this address sent to:
 *   address poisoning.
 * - `zero_value`: A transfer of no tokens. Anyone can emit one in the name of any address.
 */
export type Suspicion = "scam_token" | "lookalike_address" | "zero_value";

/** The native coin of the chain. */
export interface NativeAsset {
  type: "native";
  /** Number of decimal places of an amount. */
  decimals: "18";
}

/** A token. */
export interface TokenAsset {
  type: "token";
  /** Token standard of the transfer. Null: not known. */
  standard: TokenStandard | null;
  /** Address hash of the token contract, in lower case. Null: not known. */
  contract: Hex | null;
  /** Name. Untrusted: set by the author of the token. Null: no name. */
  name: string | null;
  /** Symbol. Untrusted: set by the author of the token. Null: no symbol. */
  symbol: string | null;
  /** Number of decimal places of an amount. Untrusted: any integer. Null: not set, or not known. */
  decimals: string | null;
  /** Token id: an integer of up to 78 digits. Null: a fungible token. */
  token_id: string | null;
}

/** A fee that was paid in a token. */
export interface TokenFee {
  /** The fee in base units of the token. */
  amount: string;
  /** Address hash of the token contract, in lower case. */
  contract: Hex;
  /** Symbol. Untrusted: set by the author of the token. Null: not known. */
  symbol: string | null;
  /** Number of decimal places of the amount. Null: not known. */
  decimals: string | null;
}

/** The asset that an event moves. */
export type Asset = NativeAsset | TokenAsset;

/** The records that events of each kind are made of. */
export interface HistoryRecords {
  transaction: Transaction | AccountTransaction;
  internal_transaction: InternalTransaction | AccountInternalTransaction;
  token_transfer: TokenTransfer | Erc20Transfer | Erc721Transfer | Erc1155Transfer | Erc404Transfer;
  block_reward: Block;
  withdrawal: Withdrawal;
}

/** The record that an event was made of. In descending order it is always a REST record. */
export type HistoryRecord = HistoryRecords[HistoryKind];

/**
 * An event of an address's history. Its `kind` says which records its `record` may be.
 *
 * @remarks An event has the same `key` whenever it is read, in either order and from either interface of the service. The key is
 * unique among the events of one address on one chain:
 *
 * - `transaction:<hash>`, `internal:<transaction hash>:<index>` and `withdrawal:<index>`, as `keyOf` returns them.
 * - `block_reward:<block number>`.
 * - `token_transfer:<transaction hash>:<contract>:<from>:<to>:<token id>:<amount>`, because the account interface has no log index. A
 *   token id or amount that does not exist or is not known is empty. Equal transfers of one transaction are numbered: the second one
 *   ends in `#2`.
 *
 * The order within a block is the same in both orders of time, reversed:
 *
 * 1. By transaction. Transactions that are events themselves come first, by their index in the block. Other transactions follow, by
 *    hash: neither interface has the index of all of them.
 * 2. Within a transaction: the transaction itself, its internal transactions by index, its token transfers. These are grouped by
 *    contract and standard, and then in the order of their logs.
 * 3. The block reward.
 * 4. Withdrawals, by index.
 *
 * Where the native coin is also a token, as on zkSync, Celo and Moonbeam chains, its transfers are events only if no other event
 * has the movement. Their `asset` is the native coin. The transfers of fees belong to the `fee` of the transaction. The transaction
 * that creates a contract and pays it is one event, although the service also lists it as an internal transaction.
 *
 * ERC-1155 transfers of one token id within one transaction, with the same sender and receiver, are one event with the sum of their
 * amounts. REST sums them within a log, and the account interface does not distinguish logs. `record` is the first of them.
 */
export type HistoryEvent = {
  [Kind in HistoryKind]: HistoryFields & {
    kind: Kind;
    /** The record that the event was made of. */
    record: HistoryRecords[Kind];
  };
}[HistoryKind];

/** The fields of an event of any kind. */
export interface HistoryFields {
  /** Identifies the event: use it as a key in lists of a user interface and in databases. */
  key: string;
  /** Block number. */
  block_number: number;
  /** Position among the events of the block, from 0, oldest first. It depends on `include` and `exclude`. */
  position: number;
  /** Time of the block in ISO 8601 (UTC), to the second. Null: not known. */
  timestamp: string | null;
  /** Transaction hash, in lower case. Null: a withdrawal, a block reward, or a transfer without a transaction. */
  transaction_hash: Hex | null;
  /** Address hash of the sender, in lower case. Null: a withdrawal or a block reward. */
  from: Hex | null;
  /** Address hash of the receiver, or of the created contract, in lower case. Null: not known, as for a failed creation. */
  to: Hex | null;
  /** Whether the address receives the asset, sends it, or both. */
  direction: Direction;
  /** What is moved. */
  asset: Asset;
  /**
   * Amount in base units: wei for the native coin, `"1"` for an NFT. A failed event moved nothing, whatever the amount says. Null:
   * not known, or encrypted.
   *
   * @remarks
   * The amount of a `delegatecall`, `callcode` or `staticcall` is `"0"`: these calls move nothing. The service repeats the value of
   * the calling contract in the record.
   */
  amount: string | null;
  /**
   * Fee in wei that the address paid: only for transactions that it sent, including failed ones. Null: not paid, paid in a token
   * (`token_fee`), or not known.
   *
   * @remarks On a rollup, it includes the fee for data on the parent chain wherever the service states that fee: REST does, and the
   * account interface does since service version 12.0.2. Before, the fee in an ascending history covers only gas.
   */
  fee: string | null;
  /**
   * The fee that the address paid in a token instead of the native coin, as Celo allows. It is also among the transfers of the token.
   * Only such transactions have this field.
   */
  token_fee?: TokenFee;
  /** Price of one native coin on that day, in the fiat currency of the instance. Null: not known. Only transactions from REST have it. */
  fiat_rate: string | null;
  /**
   * Whether the event succeeded. Also false for an internal transaction of a failed transaction. Null: not known.
   *
   * @remarks For transactions without a known status, from before the Byzantium fork, the account interface reports failure. REST
   * has null.
   */
  success: boolean | null;
  /** Name of the called function if the interface has it, otherwise its selector `0x…`. Null: no function call, or not known. */
  method: string | null;
  /** Why the event may be spam. Null: no suspicion. */
  suspicion: Suspicion | null;
}
