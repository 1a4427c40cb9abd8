//! Addresses: embedded in other records, and as items of the list `addresses`.

use crate::record::{AddressHash, Decimal, Hash32, JsonObject, Text, Uint, field_types, record};
use crate::types::Token;

field_types! {
    /// The status of a contract creation.
    CreationStatus { "selfdestructed", "failed", "success" }
    /// The rating of an address or token by the instance.
    Reputation { "ok", "scam" }
    /// The kind of a proxy contract: how it refers to its implementation.
    ProxyType {
        "eip1167", "eip1967", "eip1822", "eip1967_oz", "eip1967_beacon", "master_copy", "basic_implementation",
        "basic_get_implementation", "comptroller", "eip2535", "clone_with_immutable_arguments", "eip7702",
        "resolved_delegate_proxy", "erc7760", "minimal_proxy", "eip930", "unknown",
    }
    /// The type of a metadata tag: what it says about an address.
    TagType {
        "name", "generic", "classifier", "information", "note", "protocol", "token_reputation",
    }
}

record! {
    shared before {
        /// Address hash.
        hash @essential: AddressHash,
        /// Name of the contract, or a label of the address. Null: not known.
        name: Option<Text>,
        /// Name of the first implementation of a proxy. Null: not a proxy, or not known.
        implementation_name @sometimes: Option<Text>,
        /// Address hash of the first implementation of a proxy. Null: not a proxy, or not known.
        implementation_address @sometimes: Option<AddressHash>,
        /// Implementations of a proxy. Diamonds (EIP-2535) have several; addresses that are not proxies have
        /// none.
        implementations: Vec<Implementation>,
        /// Kind of proxy; `eip7702` for an account with an EIP-7702 delegation. Null: not a proxy.
        proxy_type: Option<ProxyType>,
        /// ENS name. Null: no name, or the instance has no name service.
        ens_domain_name: Option<Text>,
        /// Tags from the metadata service. Null: no tags, or the instance has no metadata service.
        metadata: Option<AddressMetadata>,
        /// Whether the address has code. Also true for an account with an EIP-7702 delegation. Null: not
        /// loaded.
        is_contract: Option<bool>,
        /// Whether the source code of the contract is verified. Null: not loaded, as for most accounts without
        /// code.
        is_verified: Option<bool>,
        /// Whether the instance flags the address as a scam. Null: not sent by service versions before 7.
        is_scam: Option<bool>,
        /// Rating of the address by the instance. Null: not rated, or a service version before 9.1.
        reputation: Option<Reputation>,
        /// Private tags of the session's user. Normally empty, because requests are sent without a session.
        private_tags: Vec<AddressTag>,
        /// Watchlist names of the session's user. Normally empty, because requests are sent without a session.
        watchlist_names: Vec<WatchlistName>,
        /// Public tags.
        public_tags: Vec<AddressTag>,
    } after {} end {
        flattened implementations of Implementation {
            implementation_address = address_hash, implementation_name = name,
        } key "address:{hash}"
    }

    /// An address, as embedded in other records.
    AddressRef {}
    /// An address in the list `addresses`.
    AddressListItem {
        /// Address hash of the creator of the contract. Null: not a contract, or not sent in this list.
        creator_address_hash @sometimes: Option<AddressHash>,
        /// Hash of the transaction that created the contract. Null: not a contract, or not sent in this list.
        creation_transaction_hash | "creation_tx_hash" @sometimes: Option<Hash32>,
        /// Status of the contract creation. Null: not a contract, or not sent in this list.
        creation_status @sometimes: Option<CreationStatus>,
        /// Token, where the address is a token contract. Null: not a token contract, or not sent in this list.
        token @sometimes: Option<Token>,
        /// Native balance in wei. Null: not fetched yet.
        coin_balance @essential: Option<Uint>,
        /// Price of one native coin in the fiat currency of the instance, usually US dollars. Null: not known, or not
        /// sent in this list.
        exchange_rate @sometimes: Option<Decimal>,
        /// Number of the block at which the balance was last updated. Null: not updated yet, or not sent in this list.
        block_number_balance_updated_at @sometimes: Option<u64>,
        /// Number of transactions when they were last counted. Null: not counted yet.
        transactions_count | "transaction_count" | "tx_count": Option<Uint>,
        /// Whether the address has withdrawals from the beacon chain. Null: not sent in this list.
        has_beacon_chain_withdrawals @sometimes: Option<bool>,
        /// Whether the address has event logs. Null: not sent in this list.
        has_logs @sometimes: Option<bool>,
        /// Whether the address has token transfers. Null: not sent in this list.
        has_token_transfers @sometimes: Option<bool>,
        /// Whether the address holds tokens. Null: not sent in this list.
        has_tokens @sometimes: Option<bool>,
        /// Whether the address validated blocks. Null: not sent in this list.
        has_validated_blocks @sometimes: Option<bool>,
    }
    /// What the service knows about an address.
    AddressInfo {
        /// Native balance in wei. Null: not fetched yet.
        coin_balance @essential: Option<Uint>,
        /// Price of one native coin in the fiat currency of the instance, usually US dollars. Null: not known.
        exchange_rate: Option<Decimal>,
        /// Number of the block at which the balance was last updated. Null: not updated yet.
        block_number_balance_updated_at: Option<u64>,
        /// Token, where the address is a token contract. Null: not a token contract.
        token: Option<Token>,
        /// Address hash of the creator of the contract. Null: not a contract, or not known.
        creator_address_hash: Option<AddressHash>,
        /// Hash of the transaction that created the contract. Null: not a contract, or not known.
        creation_transaction_hash | "creation_tx_hash": Option<Hash32>,
        /// Status of the contract creation. Null: not a contract, or a service version before 9.
        creation_status @sometimes: Option<CreationStatus>,
        /// Whether the address has event logs. Null: not sent.
        has_logs: Option<bool>,
        /// Whether the address has token transfers. Null: not sent.
        has_token_transfers: Option<bool>,
        /// Whether the address holds tokens. Null: not sent.
        has_tokens: Option<bool>,
        /// Whether the address validated blocks. Null: not sent.
        has_validated_blocks: Option<bool>,
        /// Whether the address has withdrawals from the beacon chain. Null: not sent.
        has_beacon_chain_withdrawals: Option<bool>,
        /// Id in the watchlist of the session's user. Null: not in the watchlist, or a request without a session, as usual.
        watchlist_address_id @sometimes: Option<i64>,
        /// Fields of Celo: the account, with its type and name. Null: not a Celo chain.
        celo @sometimes: Option<JsonObject>,
        /// Fields of Filecoin: the forms of the address. Null: not a Filecoin chain.
        filecoin @sometimes: Option<JsonObject>,
        /// Address of the creator in the form of Filecoin. Null: not a Filecoin chain.
        creator_filecoin_robust_address @sometimes: Option<Text>,
        /// Fields of Zilliqa, such as `is_scilla_contract`. Null: not a Zilliqa chain.
        zilliqa @sometimes: Option<JsonObject>,
    }
}

record! {
    /// The members of a page of the list `addresses`, other than its items.
    Addresses {
        /// Price of one native coin in the fiat currency of the instance, usually US dollars. Null: not known.
        exchange_rate: Option<Decimal>,
        /// Total supply of the native coin in **whole coins**, not wei. May have a fraction. Null: not known.
        total_supply: Option<Decimal>,
    }
}

record! {
    /// Metadata tags of an address. The fields other than `tags` repeat the first tag.
    AddressMetadata {
        /// All tags.
        tags: Vec<MetadataTag>,
        /// Identifier of the first tag. Null: no tag.
        slug @sometimes: Option<Text>,
        /// Display name of the first tag. Null: no tag.
        name @sometimes: Option<Text>,
        /// Type of the first tag. Null: no tag.
        tag_type = "tagType" @sometimes: Option<TagType>,
        /// Display priority of the first tag; higher values come first. Null: no tag.
        ordinal @sometimes: Option<i64>,
        /// Details of the first tag, like `tags[].meta`. Null: no tag, or a tag without details.
        meta @sometimes: Option<JsonObject>,
    } flattened tags of MetadataTag {
        slug = slug, name = name, tag_type = tag_type, ordinal = ordinal, meta = meta,
    }
}

record! {
    /// A tag of the metadata service.
    MetadataTag {
        /// Identifier of the tag. Null: not sent.
        slug: Option<Text>,
        /// Display name. Null: not sent.
        name: Option<Text>,
        /// Type of the tag. Null: not sent.
        tag_type = "tagType": Option<TagType>,
        /// Display priority; higher values come first. Null: not sent.
        ordinal: Option<i64>,
        /// Details, such as `bgColor`, `tagUrl` or `tooltipDescription`. Untrusted: any JSON object. Null: no details.
        meta: Option<JsonObject>,
    }
}

record! {
    /// An implementation of a proxy contract.
    Implementation {
        /// Address hash of the implementation. Null: not known.
        address_hash | "address": Option<AddressHash>,
        /// Name of the implementation. Null: not verified.
        name @sometimes: Option<Text>,
    }
}

record! {
    /// A tag of an address on the instance. In token transfers it can be empty: all fields are null.
    AddressTag {
        /// Address hash of the tagged address. Null: an empty tag.
        address_hash | "address" @sometimes: Option<AddressHash>,
        /// Display name. Null: an empty tag.
        display_name @sometimes: Option<Text>,
        /// Identifier of the tag. Null: an empty tag.
        label @sometimes: Option<Text>,
    }
}

record! {
    /// The name of an address in a watchlist. In token transfers it can be empty: all fields are null.
    WatchlistName {
        /// Display name. Null: an empty entry.
        display_name @sometimes: Option<Text>,
        /// Identifier of the name. Null: an empty entry.
        label @sometimes: Option<Text>,
    }
}
