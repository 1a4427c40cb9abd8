//! How many records of each kind an address has.

use crate::record::{Uint, record};

record! {
    /// How many records of each kind an address has. The service caches these counts, and they can be far behind; `"0"`
    /// can mean "not counted yet". An unused address has the same four zeros: `addressTabsCounters` counts on each
    /// request and shows the difference, and `estimate` requests both.
    AddressCounters {
        /// Number of transactions. Null: not known.
        transactions_count | "transaction_count": Option<Uint>,
        /// Number of token transfers. Null: not known.
        token_transfers_count | "token_transfer_count": Option<Uint>,
        /// Sum of the gas that the transactions of the address used. Null: not known.
        gas_usage_count: Option<Uint>,
        /// Number of validated blocks. Null: not known.
        validations_count | "validation_count": Option<Uint>,
    }
}

record! {
    /// How many records of each kind an address has, each at most 51, which means "more than 50". The service stops
    /// each count after about one second.
    AddressTabsCounters {
        /// Number of transactions. Null: took too long.
        transactions_count @sometimes: Option<i64>,
        /// Number of token transfers. Null: took too long.
        token_transfers_count @sometimes: Option<i64>,
        /// Number of tokens that the address holds. Null: took too long.
        token_balances_count @sometimes: Option<i64>,
        /// Number of event logs. Null: took too long.
        logs_count @sometimes: Option<i64>,
        /// Number of withdrawals from the beacon chain. Null: took too long.
        withdrawals_count @sometimes: Option<i64>,
        /// Number of internal transactions. Null: took too long.
        internal_transactions_count | "internal_txs_count" @sometimes: Option<i64>,
        /// Number of validated blocks. Null: took too long.
        validations_count @sometimes: Option<i64>,
        /// Number of deposits to the beacon chain. Null: took too long, or not an Ethereum chain.
        beacon_deposits_count @sometimes: Option<i64>,
        /// Number of election rewards. Null: took too long, or not a Celo chain.
        celo_election_rewards_count @sometimes: Option<i64>,
    }
}
