//! The history of native balances.

use crate::record::{Date, Hash32, Int, Timestamp, Uint, record};

record! {
    /// A change of the native balance of an address. Instances without an archive node miss some changes, so the
    /// deltas may not add up to the balance.
    CoinBalanceChange {
        /// Hash of one transaction of the address in the block. Null: no transaction, as for block rewards.
        transaction_hash | "tx_hash" @essential: Option<Hash32>,
        /// Block number.
        block_number @essential: u64,
        /// Time of the block in ISO 8601 (UTC), **estimated** by the service to the second. Do not compare it with
        /// times of other records. Null: not sent.
        block_timestamp: Option<Timestamp>,
        /// Change in wei since the previous record. Negative for a decrease.
        delta @essential: Int,
        /// Balance in wei after the change.
        value @essential: Uint,
    } key "balance:{block_number}",
        "Unique among the changes of one address: the record does not name the address."
}

record! {
    /// The native balance of an address at the end of a day.
    DailyCoinBalance {
        /// Day: `YYYY-MM-DD` (UTC).
        date @essential: Date,
        /// Balance in wei.
        value @essential: Uint,
    } key "day:{date}", "Unique among the days of one address: the record does not name the address."
}

record! {
    /// The members of a page of the list `addressCoinBalanceHistoryByDay`, other than its items.
    DailyCoinBalances {
        /// Number of days that the instance lists. Null: not sent by old service versions.
        days @sometimes: Option<i64>,
    }
}
