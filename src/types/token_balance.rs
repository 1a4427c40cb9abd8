//! Tokens that an address holds: balances, and NFTs by collection.

use crate::record::{Uint, record};
use crate::types::{NftInstance, Token};

record! {
    /// The balance of a token that an address holds. ERC-1155 and ERC-404 tokens have one for each token id.
    TokenBalance {
        /// Token contract. Null: not known.
        token @essential: Option<Token>,
        /// Amount in base units; the number of NFTs for ERC-721. Null: encrypted (ERC-7984).
        value @essential: Option<Uint>,
        /// Token id. Null: not a token with ids, or ERC-721.
        token_id @essential: Option<Uint>,
        /// NFT instance. Null: no `token_id`, or not loaded. `addressTokenBalances` does not load it.
        token_instance: Option<NftInstance>,
    } key "holding:{token.address_hash}:{token_id}",
        "Unique among the holdings of one address. The same key as in the account module."
}

record! {
    /// The NFTs of one contract that an address holds.
    NftCollection {
        /// Token contract.
        token @essential: Token,
        /// Number of NFTs, or the sum of their amounts. Null: not known.
        amount @essential: Option<Uint>,
        /// Some of the NFTs, at most nine. Their `token` and `owner` are null.
        token_instances: Vec<NftInstance>,
    } key "collection:{token.address_hash}",
        "Unique among the collections of one address: the record does not name the address."
}
