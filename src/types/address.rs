//! Addresses: as embedded in other records, and as items of the `/addresses` list.

use crate::record::{AddressHash, Decimal, Hash32, JsonObject, Text, Uint, labels, record};
use crate::types::Token;

labels! {
    /// How the creation of a contract ended.
    CreationStatus { "selfdestructed", "failed", "success" }
    /// What the service thinks of an address or token.
    Reputation { "ok", "scam" }
    /// How a proxy names its implementation.
    ProxyType {
        "eip1167", "eip1967", "eip1822", "eip1967_oz", "eip1967_beacon", "master_copy", "basic_implementation",
        "basic_get_implementation", "comptroller", "eip2535", "clone_with_immutable_arguments", "eip7702",
        "resolved_delegate_proxy", "erc7760", "minimal_proxy", "eip930", "unknown",
    }
    /// What a metadata tag says about an address.
    TagType {
        "name", "generic", "classifier", "information", "note", "protocol", "token_reputation",
    }
}

/// Declares a record that holds everything an embedded address does, and more.
macro_rules! address_record {
    ($(#[doc = $doc:expr])* $name:ident { $( $more:tt )* }) => {
        record! {
            $(#[doc = $doc])*
            $name {
                /// The address hash.
                hash: AddressHash,
                /// Name of the contract, or a label. Null: none known.
                name: Option<Text>,
                /// Name of the implementation behind a proxy; of several, the first. Null: no proxy, or not known.
                implementation_name @sometimes: Option<Text>,
                /// Address hash of the implementation behind a proxy; of several, the first. Null: no proxy, or not known.
                implementation_address @sometimes: Option<AddressHash>,
                /// Implementations behind a proxy; several for diamonds, none for other addresses.
                implementations: Vec<Implementation>,
                /// How the proxy names its implementation; `eip7702` for an account that delegates. Null: no proxy.
                proxy_type: Option<ProxyType>,
                /// The name that the instance's ENS service gives. Null: none, or no such service.
                ens_domain_name: Option<Text>,
                /// Tags of the instance's metadata service. Null: none, or no such service.
                metadata: Option<AddressMetadata>,
                /// Whether there is code at the address; also true for an account that delegates (EIP-7702). Null: not
                /// loaded.
                is_contract: Option<bool>,
                /// Whether the contract's source is verified. Null: not loaded, which is common for plain accounts.
                is_verified: Option<bool>,
                /// Whether the instance thinks it a scam. Null: services before 7.
                is_scam: Option<bool>,
                /// The instance's opinion. Null: none, or services before 9.1.
                reputation: Option<Reputation>,
                /// Tags of the session's user; empty without a session.
                private_tags: Vec<AddressTag>,
                /// Names in watchlists of the session's user; empty without a session.
                watchlist_names: Vec<WatchlistName>,
                /// Tags that everybody sees.
                public_tags: Vec<AddressTag>,
                $( $more )*
            } mirror "implementations" of Implementation {
                "implementation_address" = "address_hash", "implementation_name" = "name",
            } settle |record| match record.implementations.first() {
                Some(first) => {
                    record.implementation_address.get_or_insert_with(|| first.address_hash.clone());
                    record.implementation_name = record.implementation_name.take().or_else(|| first.name.clone());
                }
                None => record.implementations.extend(record.implementation_address.clone().map(|address_hash| {
                    Implementation { address_hash, name: record.implementation_name.clone() }
                })),
            }
        }
    };
}

address_record! {
    /// An address as embedded in other records.
    AddressRef {}
}

address_record! {
    /// An address in the `/addresses` list.
    AddressListItem {
        /// Address that created the contract. Null: not a contract, or not sent in this list.
        creator_address_hash @sometimes: Option<AddressHash>,
        /// Transaction that created the contract. Null: not a contract, or not sent in this list.
        creation_transaction_hash | "creation_tx_hash" @sometimes: Option<Hash32>,
        /// How the creation ended. Null: not a contract, or not sent in this list.
        creation_status @sometimes: Option<CreationStatus>,
        /// The token that the contract is. Null: no token, or not sent in this list.
        token @sometimes: Option<Token>,
        /// Balance of the native coin in wei. Null: never fetched.
        coin_balance: Option<Uint>,
        /// Price of one native coin in the instance's fiat currency, the US dollar on most. Null: not known, or not sent in this list.
        exchange_rate @sometimes: Option<Decimal>,
        /// Block at which the balance was last updated. Null: never, or not sent in this list.
        block_number_balance_updated_at @sometimes: Option<i64>,
        /// Number of transactions, as last counted; may lag. Null: never counted.
        transactions_count | "transaction_count" | "tx_count": Option<Uint>,
        /// Whether there are withdrawals from the beacon chain. Null: not sent in this list.
        has_beacon_chain_withdrawals @sometimes: Option<bool>,
        /// Whether there are logs. Null: not sent in this list.
        has_logs @sometimes: Option<bool>,
        /// Whether there are token transfers. Null: not sent in this list.
        has_token_transfers @sometimes: Option<bool>,
        /// Whether tokens are held. Null: not sent in this list.
        has_tokens @sometimes: Option<bool>,
        /// Whether blocks were validated. Null: not sent in this list.
        has_validated_blocks @sometimes: Option<bool>,
    }
}

record! {
    /// What the `/addresses` list says beside its items.
    Addresses {
        /// Price of one native coin in the instance's fiat currency, the US dollar on most. Null: not known.
        exchange_rate: Option<Decimal>,
        /// Supply of the native coin in **whole coins**, not wei; may have a fraction. Null: not known.
        total_supply: Option<Decimal>,
    }
}

record! {
    /// Tags of an address. The members beside `tags` are those of the first tag.
    AddressMetadata {
        /// All tags.
        tags: Vec<MetadataTag>,
        /// First tag: its identifier. Null: no tag.
        slug @sometimes: Option<Text>,
        /// First tag: the text to show. Null: no tag.
        name @sometimes: Option<Text>,
        /// First tag: what it says about the address. Null: no tag.
        tag_type = "tagType" @sometimes: Option<TagType>,
        /// First tag: priority for display; higher comes first. Null: no tag.
        ordinal @sometimes: Option<i64>,
        /// First tag: free-form details. Null: no tag, or it has none.
        meta @sometimes: Option<JsonObject>,
    } mirror "tags" of MetadataTag {
        "slug" = "slug", "name" = "name", "tagType" = "tagType", "ordinal" = "ordinal", "meta" = "meta",
    } settle |record| match record.tags.first().cloned() {
        Some(first) => {
            record.slug = record.slug.take().or(first.slug);
            record.name = record.name.take().or(first.name);
            record.tag_type = record.tag_type.take().or(first.tag_type);
            record.ordinal = record.ordinal.or(first.ordinal);
            record.meta = record.meta.take().or(first.meta);
        }
        None => {
            let tag = MetadataTag {
                slug: record.slug.clone(),
                name: record.name.clone(),
                tag_type: record.tag_type.clone(),
                ordinal: record.ordinal,
                meta: record.meta.clone(),
            };
            let none = MetadataTag { slug: None, name: None, tag_type: None, ordinal: None, meta: None };
            record.tags.extend((tag != none).then_some(tag));
        }
    }
}

record! {
    /// One tag of the metadata service.
    MetadataTag {
        /// Identifier. Null: not sent.
        slug: Option<Text>,
        /// The text to show. Null: not sent.
        name: Option<Text>,
        /// What it says about the address. Null: not sent.
        tag_type = "tagType": Option<TagType>,
        /// Priority for display; higher comes first. Null: not sent.
        ordinal: Option<i64>,
        /// Free-form details, such as `bgColor`, `tagUrl`, `tooltipDescription`; written by third parties. Null: none.
        meta: Option<JsonObject>,
    }
}

record! {
    /// A contract behind a proxy.
    Implementation {
        /// Its address hash.
        address_hash | "address": AddressHash,
        /// Its name. Null: not verified.
        name @sometimes: Option<Text>,
    }
}

record! {
    /// A tag given to an address on the instance itself. In token transfers it may be empty: all null.
    AddressTag {
        /// The address that is tagged. Null: an empty tag.
        address_hash | "address" @sometimes: Option<AddressHash>,
        /// The text to show. Null: an empty tag.
        display_name @sometimes: Option<Text>,
        /// Identifier. Null: an empty tag.
        label @sometimes: Option<Text>,
    }
}

record! {
    /// A name given to an address in a watchlist. In token transfers it may be empty: all null.
    WatchlistName {
        /// The text to show. Null: an empty name.
        display_name @sometimes: Option<Text>,
        /// Identifier. Null: an empty name.
        label @sometimes: Option<Text>,
    }
}
