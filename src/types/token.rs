//! Tokens.

use crate::record::{AddressHash, Decimal, Int, Text, labels, record};
use crate::types::Reputation;

labels! {
    /// The standard a token follows.
    TokenStandard { "ERC-20", "ERC-721", "ERC-1155", "ERC-404", "ERC-7984", "ZRC-2" }
    /// The bridge that a token came over.
    BridgeType { "omni", "amb" }
}

record! {
    /// A token contract.
    Token {
        /// Address hash of the token contract.
        address_hash | "address": AddressHash,
        /// Standard. Null: not known.
        kind = "type": Option<TokenStandard>,
        /// Name, as its author wrote it. Null: none.
        name: Option<Text>,
        /// Symbol, as its author wrote it. Null: none.
        symbol: Option<Text>,
        /// Digits after the decimal point of an amount; may be any integer, a negative one too. Null: none, as for most NFTs.
        decimals: Option<Int>,
        /// Supply in base units. Null: not known.
        total_supply: Option<Int>,
        /// Number of holders, as last counted. Null: never counted.
        holders_count | "holders": Option<Int>,
        /// Price of one whole token in the instance's fiat currency, the US dollar on most. Null: not known.
        exchange_rate: Option<Decimal>,
        /// Value traded in 24 hours, in the same currency. Null: not known.
        volume_24h: Option<Decimal>,
        /// Value of the circulating supply, in the same currency. Null: not known.
        circulating_market_cap: Option<Decimal>,
        /// Circulating supply in whole tokens. Null: not known, or services before 11.1.
        circulating_supply: Option<Decimal>,
        /// URL of an icon, written by third parties: check it before use. Null: none.
        icon_url: Option<Text>,
        /// The instance's opinion. Null: none, or services before 9.1.
        reputation: Option<Reputation>,
        /// Whether the token came over a bridge. Null: not an instance with bridged tokens.
        is_bridged @sometimes: Option<bool>,
        /// The bridge. Null: not bridged.
        bridge_type @sometimes: Option<BridgeType>,
        /// Address hash of the token on the chain it came from. Null: not bridged.
        foreign_address @sometimes: Option<AddressHash>,
        /// Id of the chain it came from. Null: not bridged.
        origin_chain_id @sometimes: Option<Int>,
    }
}
