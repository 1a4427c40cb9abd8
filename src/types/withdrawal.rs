//! Withdrawals from the beacon chain, and the empty envelope of pages that have only items.

use crate::record::{Timestamp, Uint, record};
use crate::types::AddressRef;

record! {
    /// A withdrawal from the beacon chain.
    Withdrawal {
        /// Index of the withdrawal, unique on the chain.
        index @essential: i64,
        /// Index of the validator. It can exceed 32 bits.
        validator_index @essential: i64,
        /// Amount in wei.
        amount @essential: Uint,
        /// Block number. Null: not sent.
        block_number @sometimes @essential: Option<u64>,
        /// Time of the block, in ISO 8601 (UTC). Null: not sent.
        timestamp @sometimes: Option<Timestamp>,
        /// Receiver. Null: not sent; it is the requested address.
        receiver @sometimes @essential: Option<AddressRef>,
    } key "withdrawal:{index}"
}

record! {
    /// The members of a page other than its items: none.
    ItemsOnly {}
}
