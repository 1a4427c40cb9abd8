//! Statistics of the chain.

use crate::record::{Date, Decimal, Int, Json, JsonNumber, Text, Timestamp, Uint, record};

record! {
    /// Statistics of the chain, and the price of its native coin.
    ChainStats {
        /// Price of one native coin in the fiat currency of the instance, usually US dollars. Null: not known.
        coin_price: Option<Decimal>,
        /// Change of the price within 24 hours, in percent. Null: not known.
        coin_price_change_percentage @sometimes: Option<JsonNumber>,
        /// URL of the coin's image. Untrusted: check it before use. Null: no image.
        coin_image @sometimes: Option<Text>,
        /// Price of the second coin of the chain, in the same currency. Null: the chain has none.
        secondary_coin_price @sometimes: Option<Decimal>,
        /// URL of the second coin's image. Untrusted: check it before use. Null: no image.
        secondary_coin_image @sometimes: Option<Text>,
        /// Market capitalisation of the native coin, in the same currency. Null: not known.
        market_cap: Option<Decimal>,
        /// Value locked in contracts of the chain, in the same currency. Null: not known.
        tvl @sometimes: Option<Decimal>,
        /// Average time between two blocks in milliseconds. Null: not sent.
        average_block_time: Option<JsonNumber>,
        /// Used gas as a percentage of the gas limit, in recent blocks. Null: not known.
        network_utilization_percentage: Option<JsonNumber>,
        /// Prices of gas: numbers in gwei, or objects with more details. Null: not known.
        gas_prices: Option<Json>,
        /// Time until `gas_prices` changes, in milliseconds. Null: not known.
        gas_prices_update_in @sometimes: Option<i64>,
        /// Time of the last change of `gas_prices`, in ISO 8601 (UTC). Null: not known.
        gas_price_updated_at @sometimes: Option<Timestamp>,
        /// Fixed price of gas. Null: the price is not fixed.
        static_gas_price @sometimes: Option<Int>,
        /// Gas used today. Null: not counted yet.
        gas_used_today: Option<Uint>,
        /// Gas used since the first block. Null: not sent.
        total_gas_used: Option<Uint>,
        /// Number of addresses. Null: not counted yet.
        total_addresses: Option<Uint>,
        /// Number of blocks. Null: not known.
        total_blocks: Option<Uint>,
        /// Number of transactions. Null: not counted yet.
        total_transactions: Option<Uint>,
        /// Number of transactions today. Null: not counted yet.
        transactions_today: Option<Uint>,
    }
}

record! {
    /// Daily prices of the native coin, in the fiat currency of the instance, usually US dollars.
    MarketChart {
        /// The last 30 days and today, newest first. Empty: the instance has no source of prices.
        chart_data: Vec<DailyPrice>,
        /// Number of coins in circulation, in whole coins. Null: not known.
        available_supply @sometimes: Option<Decimal>,
    }
}

record! {
    /// The price of the native coin on one day.
    DailyPrice {
        /// Day (UTC).
        date @essential: Date,
        /// Price of one native coin at the end of the day; for today, the latest price. Null: not known.
        closing_price: Option<Decimal>,
        /// Market capitalisation of the native coin, in the same currency. Null: not known.
        market_cap @sometimes: Option<Decimal>,
        /// Value locked in contracts of the chain, in the same currency. Null: not known.
        tvl @sometimes: Option<Decimal>,
    } key "price:{date}", "Prices of days: their natural key is the day."
}
