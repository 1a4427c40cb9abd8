//! History of native balances.

use crate::record::{Hash32, Int, Timestamp, Uint, record};

record! {
    /// A change of an address's native balance. Instances without an archive node have gaps: the deltas need not add up.
    CoinBalanceChange {
        /// One of the address's transactions in that block. Null: none, as for rewards.
        transaction_hash | "tx_hash": Option<Hash32>,
        /// Number of the block.
        block_number: i64,
        /// Time of the block, **estimated** by the service to the second: do not join on it. Null: not sent.
        block_timestamp: Option<Timestamp>,
        /// Change against the previous row, in wei; negative for a loss.
        delta: Int,
        /// Balance after the change, in wei.
        value: Uint,
    }
}
