//! Blocks of the REST API.

use crate::record::{Hash32, Int, JsonNumber, Text, Timestamp, Uint, field_types, record};
use crate::types::AddressRef;

field_types! {
    /// Whether a block is part of the canonical chain (`block`), an uncle, or was removed by a reorganisation (`reorg`).
    BlockType { "block", "uncle", "reorg" }
}

record! {
    /// A block.
    Block {
        /// Block number.
        height @essential: u64,
        /// Block hash.
        hash @essential: Hash32,
        /// Hash of the previous block. Null: not known.
        parent_hash: Option<Hash32>,
        /// Time of the block, in ISO 8601 (UTC). Null: not known.
        timestamp: Option<Timestamp>,
        /// Type of the block. Null: not sent.
        r#type: Option<BlockType>,
        /// Proposer, validator or miner of the block. Null: not known.
        miner: Option<AddressRef>,
        /// Number of transactions. Null: not known.
        transactions_count | "transaction_count" | "tx_count": Option<i64>,
        /// Number of internal transactions. Null: not counted yet.
        internal_transactions_count | "internal_transaction_count": Option<i64>,
        /// Number of withdrawals from the beacon chain. Null: the chain has none, or not counted yet.
        withdrawals_count | "withdrawal_count": Option<i64>,
        /// Number of deposits to the beacon chain. Null: not sent.
        beacon_deposits_count @sometimes: Option<i64>,
        /// Number of blob transactions. Null: not sent.
        blob_transactions_count | "blob_transaction_count" | "blob_tx_count" @sometimes: Option<i64>,
        /// Size in bytes. Null: not known.
        size: Option<i64>,
        /// Used gas. Null: not known.
        gas_used: Option<Uint>,
        /// Gas limit. Null: not known.
        gas_limit: Option<Uint>,
        /// Used gas as a percentage of the gas limit. Null: not sent.
        gas_used_percentage: Option<JsonNumber>,
        /// Difference of the used gas from the target, as a percentage of the target. Null: not sent.
        gas_target_percentage: Option<JsonNumber>,
        /// Base fee for one unit of gas in wei. Null: a block before EIP-1559.
        base_fee_per_gas: Option<Uint>,
        /// Burnt fees in wei. Null: a block before EIP-1559.
        burnt_fees: Option<Uint>,
        /// Burnt fees as a percentage of all fees. Null: a block without fees.
        burnt_fees_percentage: Option<JsonNumber>,
        /// Fees that the proposer received, in wei. Null: a block before EIP-1559.
        priority_fee: Option<Int>,
        /// Fees of all transactions in wei. Null: not sent.
        transaction_fees | "tx_fees": Option<Uint>,
        /// Difficulty. Null: not known.
        difficulty: Option<Uint>,
        /// Difficulty of the chain up to this block. Null: not known.
        total_difficulty: Option<Uint>,
        /// Nonce of the block. Null: not known.
        nonce: Option<Text>,
        /// Hashes of the uncles.
        uncles_hashes: Vec<UncleHash>,
        /// Rewards.
        rewards @essential: Vec<BlockReward>,
        /// Whether the service is still re-reading the block. Null: not sent.
        is_pending_update @sometimes: Option<bool>,
        /// Gas used for blobs. Null: not sent.
        blob_gas_used @sometimes: Option<Uint>,
        /// Price of one unit of blob gas in wei. Null: not sent.
        blob_gas_price @sometimes: Option<Uint>,
        /// Blob gas above the target, which determines the price. Null: not sent.
        excess_blob_gas @sometimes: Option<Uint>,
        /// Fees for blobs that were burnt, in wei. Null: not sent.
        burnt_blob_fees @sometimes: Option<Uint>,
    } key "block:{hash}", "Uncles and removed blocks share their number with other blocks, so the hash is the key."
}

record! {
    /// The hash of an uncle block.
    UncleHash {
        /// Block hash.
        hash @essential: Hash32,
    }
}

record! {
    /// A reward of a block.
    BlockReward {
        /// Who received it, such as `Miner Reward`. Null: not sent.
        r#type: Option<Text>,
        /// Amount in wei.
        reward @essential: Uint,
    }
}
