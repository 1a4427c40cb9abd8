//! Token contracts.

use crate::record::{AddressHash, Decimal, Int, Text, Uint, field_types, record};
use crate::types::{AddressRef, Reputation};

field_types! {
    /// The token standard that a token contract implements.
    TokenStandard { "ERC-20", "ERC-721", "ERC-1155", "ERC-404", "ERC-7984", "ZRC-2" }
    /// The bridge over which a token came to the chain.
    BridgeType { "omni", "amb" }
}

record! {
    /// A token contract.
    Token {
        /// Address hash of the token contract.
        address_hash | "address" @essential: AddressHash,
        /// Token standard. Null: not known.
        r#type: Option<TokenStandard>,
        /// Name. Untrusted: set by the author of the token. Null: no name.
        name: Option<Text>,
        /// Symbol. Untrusted: set by the author of the token. Null: no symbol.
        symbol: Option<Text>,
        /// Number of decimal places of an amount. Untrusted: any integer, even a negative one. Null: not set, as for
        /// most NFTs.
        decimals: Option<Int>,
        /// Total supply in base units. Null: not known.
        total_supply: Option<Int>,
        /// Number of holders when they were last counted. Null: not counted yet.
        holders_count | "holders": Option<Int>,
        /// Price of one whole token in the fiat currency of the instance, usually US dollars. Null: not known.
        exchange_rate: Option<Decimal>,
        /// Trading volume of the last 24 hours, in the same currency. Null: not known.
        volume_24h: Option<Decimal>,
        /// Market capitalisation of the circulating supply, in the same currency. Null: not known.
        circulating_market_cap: Option<Decimal>,
        /// Circulating supply in **whole tokens**, not base units. Null: not known, or a service version before 11.1.
        circulating_supply: Option<Decimal>,
        /// URL of the icon. Untrusted: check it before use. Null: no icon.
        icon_url: Option<Text>,
        /// Rating of the token by the instance. Null: not rated, or a service version before 9.1.
        reputation: Option<Reputation>,
        /// Whether the token came over a bridge. Null: the instance has no bridged tokens.
        is_bridged @sometimes: Option<bool>,
        /// Bridge over which the token came. Null: not bridged.
        bridge_type @sometimes: Option<BridgeType>,
        /// Address hash of the token contract on its original chain. Null: not bridged.
        foreign_address @sometimes: Option<AddressHash>,
        /// Id of the original chain. Null: not bridged.
        origin_chain_id @sometimes: Option<Int>,
    } key "token:{address_hash}"
}

record! {
    /// How many holders and transfers a token has. The service caches these counts, and they can be far behind; `"0"`
    /// can mean "not counted yet".
    TokenCounters {
        /// Number of holders. Null: not known.
        token_holders_count: Option<Uint>,
        /// Number of transfers. Null: not known.
        transfers_count: Option<Uint>,
    }
}

record! {
    /// A holder of a token. ERC-1155 and ERC-404 tokens have one for each token id.
    TokenHolder {
        /// Holder.
        address @essential: AddressRef,
        /// Amount in base units; the number of NFTs for ERC-721. Null: encrypted (ERC-7984).
        value @essential: Option<Uint>,
        /// Token id. Null: not a token with ids, or ERC-721.
        token_id @essential: Option<Uint>,
    } key "holder:{address.hash}:{token_id}",
        "Unique among the holders of one token: the record does not name the token."
}
