//! Search results.

use crate::record::{AddressHash, Decimal, Hash32, JsonObject, Text, Timestamp, Uint, field_types, record};
use crate::types::{MetadataTag, Reputation, TokenStandard};

field_types! {
    /// The kind of a search result.
    SearchType {
        "token", "contract", "address", "label", "ens_domain", "metadata_tag", "block", "transaction", "user_operation", "blob",
        "tac_operation",
    }
    /// The kind of page that a search redirects to.
    RedirectType { "address", "ens_domain", "block", "transaction", "user_operation", "blob" }
    /// Whether a block is in the canonical chain.
    FoundBlockType { "block", "reorg", "uncle" }
}

record! {
    /// A search result. Its `type` says which fields it has: the others are null.
    SearchItem {
        /// Kind of the result. Null: not sent.
        r#type @sometimes: Option<SearchType>,
        /// Rank of the kind: 4 for ENS names, 3 for labels and blocks, 2 for tokens, 1 for tags, otherwise 0. Null: a service version
        /// before 6.6.
        priority @sometimes: Option<i64>,
        /// Name of the token, contract, address or label. For an `ens_domain`, it is the name of the address: the ENS
        /// name is in `ens_info`. Untrusted: display it as text. Null: no name.
        name @sometimes: Option<Text>,
        /// Symbol of a token. Untrusted. Null: not a token, or no symbol.
        symbol @sometimes: Option<Text>,
        /// Address hash of a token, contract, address, label, tag, or of what an ENS name resolves to. Null: another kind, or an ENS name
        /// that resolves to nothing.
        address_hash | "address" @sometimes: Option<AddressHash>,
        /// Token standard. Null: not a token, or not known.
        token_type @sometimes: Option<TokenStandard>,
        /// URL of the icon of a token. Untrusted: check it before use. Null: not a token, or no icon.
        icon_url @sometimes: Option<Text>,
        /// Total supply of a token in base units. Null: not a token, or not known.
        total_supply @sometimes: Option<Uint>,
        /// Price of one whole token in the fiat currency of the instance, usually US dollars. Null: not a token, or not known.
        exchange_rate @sometimes: Option<Decimal>,
        /// Market capitalisation of the circulating supply of a token, in the same currency. Null: not a token, or not known.
        circulating_market_cap @sometimes: Option<Decimal>,
        /// Whether the instance's operator has verified the token. Null: not a token, or not known.
        is_verified_via_admin_panel @sometimes: Option<bool>,
        /// Whether the source code is verified. Null: no contract, or not known.
        is_smart_contract_verified @sometimes: Option<bool>,
        /// Whether the address has code. Null: another kind, or a service version before 10.
        is_smart_contract_address @sometimes: Option<bool>,
        /// Whether the instance's operator has certified the contract. Null: another kind, or a service version before 6.6.
        certified @sometimes: Option<bool>,
        /// Rating of the address or token by the instance. Null: another kind, or a service version before 9.1.
        reputation @sometimes: Option<Reputation>,
        /// The ENS name that was found, or the ENS name of the address. Null: no name, another kind, or an instance
        /// without name service.
        ens_info @sometimes: Option<EnsInfo>,
        /// The tag that was found. Null: not a `metadata_tag`, or not known.
        metadata @sometimes: Option<MetadataTag>,
        /// Block number. Null: not a block.
        block_number @sometimes: Option<u64>,
        /// Hash of the block. Null: not a block.
        block_hash @sometimes: Option<Hash32>,
        /// Whether the block is in the canonical chain. Null: not a block.
        block_type @sometimes: Option<FoundBlockType>,
        /// Hash of the transaction. Null: not a transaction.
        transaction_hash | "tx_hash" @sometimes: Option<Hash32>,
        /// Hash of the user operation. Null: not a user operation.
        user_operation_hash @sometimes: Option<Hash32>,
        /// Versioned hash of the blob. Null: not a blob.
        blob_hash @sometimes: Option<Hash32>,
        /// An operation of TAC. Untrusted: any JSON object. Null: another kind.
        tac_operation @sometimes: Option<JsonObject>,
        /// Time of the block, transaction or user operation, in ISO 8601 (UTC). Null: another kind, or a pending transaction.
        timestamp @sometimes: Option<Timestamp>,
        /// Path of the result on the instance's own site, not a URL of the API. Untrusted. Null: another kind.
        url @sometimes: Option<Text>,
        /// Path of the token on the instance's own site. Untrusted. Null: not a token.
        token_url @sometimes: Option<Text>,
        /// Path of the token contract on the instance's own site. Untrusted. Null: not a token.
        address_url @sometimes: Option<Text>,
    } key "search:{type}:{address_hash}:{ens_info.name}:{metadata.slug}:{block_hash}:{transaction_hash}:{user_operation_hash}:{blob_hash}",
        "Not unique for operations of TAC."
    variants r#type {
        "token", "contract", "address", "label", "metadata_tag" => [address_hash],
        "ens_domain" => [ens_info],
        "block" => [block_number, block_hash],
        "transaction" => [transaction_hash],
        "user_operation" => [user_operation_hash],
        "blob" => [blob_hash],
        "tac_operation" => [tac_operation],
    }
}

record! {
    /// An ENS name, or a name of another name service.
    EnsInfo {
        /// The name. Untrusted: display it as text.
        name @essential: Text,
        /// Address hash that the name resolves to. Null: it resolves to nothing.
        address_hash: Option<AddressHash>,
        /// Time at which the name expires, in ISO 8601. Null: never, or not known.
        expiry_date: Option<Timestamp>,
        /// Number of names that the address has. Null: not sent.
        names_count: Option<u64>,
        /// The protocol of the name, with `short_name`, `title` and others. Untrusted: any JSON object. Null: not sent.
        protocol @sometimes: Option<JsonObject>,
        /// URL of an app of the protocol. Untrusted: check it before use. Null: none, or not sent.
        protocol_dapp_url @sometimes: Option<Text>,
        /// URL of the logo of that app. Untrusted: check it before use. Null: none, or not sent.
        protocol_dapp_logo @sometimes: Option<Text>,
    }
}

record! {
    /// The page that a search leads to directly.
    SearchRedirect {
        /// Whether there is such a page. Null: not sent.
        redirect: Option<bool>,
        /// Kind of the page. Null: there is none.
        r#type: Option<RedirectType>,
        /// Its hash, number or name. Untrusted. Null: there is none.
        parameter: Option<Text>,
    }
}
