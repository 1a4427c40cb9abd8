//! Withdrawals from the beacon chain.

use crate::record::{Timestamp, Uint, record};
use crate::types::AddressRef;

record! {
    /// A withdrawal from the consensus layer.
    Withdrawal {
        /// Index of the withdrawal on the chain.
        index: i64,
        /// Index of the validator; exceeds 32 bits.
        validator_index: i64,
        /// Amount in wei.
        amount: Uint,
        /// Number of the block. Null: not sent.
        block_number @sometimes: Option<i64>,
        /// Time of the block. Null: not sent.
        timestamp @sometimes: Option<Timestamp>,
        /// Receiver. Null: not sent; it is the address that was asked for.
        receiver @sometimes: Option<AddressRef>,
    }
}

record! {
    /// Lists that say nothing beside their items.
    ItemsOnly {}
}
