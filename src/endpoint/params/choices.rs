//! Parameters with a fixed set of values.

use super::rule::{Allowed, ParamRule, ParamType, ParamValue};
use crate::object::string_enum;

param_types! {
    /// The direction of a transfer, call or transaction, seen from the address.
    enum Direction as "\"to\" | \"from\"", "\"to\" or \"from\"" {
        /// The address is the receiver.
        To = "to",
        /// The address is the sender.
        From = "from",
    }
    /// The sort key of the list of addresses.
    enum AddressSort as "\"balance\" | \"transactions_count\"", "\"balance\" or \"transactions_count\"" {
        /// Balance of the native coin.
        Balance = "balance",
        /// Number of transactions.
        TransactionsCount = "transactions_count",
    }
    /// The sort key of the transactions of an address.
    enum TransactionSort as "\"block_number\" | \"value\" | \"fee\"", "\"block_number\", \"value\" or \"fee\"" {
        /// Block number.
        BlockNumber = "block_number",
        /// Transferred amount of the native coin.
        Value = "value",
        /// Fee.
        Fee = "fee",
    }
    /// The sort key of the list of tokens.
    enum TokenSort as "\"fiat_value\" | \"holders_count\" | \"circulating_market_cap\"",
    "\"fiat_value\", \"holders_count\" or \"circulating_market_cap\"" {
        /// Price of one whole token.
        FiatValue = "fiat_value",
        /// Number of holders.
        HoldersCount = "holders_count",
        /// Market capitalisation of the circulating supply.
        CirculatingMarketCap = "circulating_market_cap",
    }
    /// Whether transactions are in a block.
    enum TransactionState as "\"validated\" | \"pending\"", "\"validated\" or \"pending\"" {
        /// In a block.
        Validated = "validated",
        /// In no block yet.
        Pending = "pending",
    }
    /// A type of transactions that a list can select.
    enum TransactionType as "\"blob_transaction\"", "\"blob_transaction\"" {
        /// Transactions that carry blobs (EIP-4844).
        Blob = "blob_transaction",
    }
    /// A type of blocks.
    enum BlockType as "\"block\" | \"uncle\" | \"reorg\"", "\"block\", \"uncle\" or \"reorg\"" {
        /// Blocks of the canonical chain.
        Block = "block",
        /// Uncles.
        Uncle = "uncle",
        /// Blocks that a reorganisation removed.
        Reorg = "reorg",
    }
    /// How the addresses of senders and receivers are combined.
    enum AddressRelation as "\"or\" | \"and\"", "\"or\" or \"and\"" {
        /// The sender or the receiver must match.
        Or = "or",
        /// The sender and the receiver must match.
        And = "and",
    }
    /// Whether to look up the block before or after a time.
    enum Closest as "\"before\" | \"after\"", "\"before\" or \"after\"" {
        /// The last block before the time.
        Before = "before",
        /// The first block after the time.
        After = "after",
    }
    /// How two topics select logs.
    enum TopicOperator as "\"and\" | \"or\"", "\"and\" or \"or\"" {
        /// Logs with both topics.
        And = "and",
        /// Logs with either of them.
        Or = "or",
    }
    /// The sort order.
    enum Order as "\"asc\" | \"desc\"", "\"asc\" or \"desc\"" {
        /// Smallest or oldest first.
        Ascending = "asc",
        /// Largest or newest first.
        Descending = "desc",
    }
}

/// The sort order of a GraphQL query.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct QueryOrder(pub Order);

impl ParamType for QueryOrder {
    const RULE: &'static ParamRule = &ParamRule {
        must_be: Order::RULE.must_be,
        is_list: false,
        // The enum of GraphQL has these values.
        allowed: &[Allowed::OneOfIgnoreCase(&["ASC", "DESC"])],
    };
    const TYPESCRIPT: &'static str = Order::TYPESCRIPT;
    fn to_value(&self) -> ParamValue {
        self.0.to_value()
    }
}

string_enum! {
    /// A token standard.
    TokenType {
        /// Fungible tokens.
        Erc20 = "ERC-20",
        /// Non-fungible tokens, each unique.
        Erc721 = "ERC-721",
        /// Multi tokens: each id has an amount.
        Erc1155 = "ERC-1155",
        /// Tokens that are both fungible and non-fungible.
        Erc404 = "ERC-404",
        /// Confidential tokens, with encrypted amounts. Requires service version 10 or later.
        Erc7984 = "ERC-7984",
        /// Fungible tokens of Zilliqa.
        Zrc2 = "ZRC-2",
    }
}

string_enum! {
    /// A token standard of NFTs.
    NftType {
        /// Non-fungible tokens, each unique.
        Erc721 = "ERC-721",
        /// Multi tokens: each id has an amount.
        Erc1155 = "ERC-1155",
        /// Tokens that are both fungible and non-fungible.
        Erc404 = "ERC-404",
    }
}

/// A list of token standards to filter by. An empty list does not filter.
#[derive(Debug, Clone, Default, PartialEq, Eq, Hash)]
pub struct TokenTypes(pub Vec<TokenType>);

/// A list of token standards of NFTs to filter by. An empty list does not filter.
#[derive(Debug, Clone, Default, PartialEq, Eq, Hash)]
pub struct NftTypes(pub Vec<NftType>);

const TOKEN_TYPES: &[&str] = &["ERC-20", "ERC-721", "ERC-1155", "ERC-404", "ERC-7984", "ZRC-2"];
const NFT_TYPES: &[&str] = &["ERC-721", "ERC-1155", "ERC-404"];

/// Every set of token standards: TypeScript type, documentation, standards. It is not compiled into the WebAssembly
/// module.
pub(crate) const TOKEN_STANDARDS: &[(&str, &str, &[&str])] = &[
    ("TokenStandardFilter", " A token standard.", TOKEN_TYPES),
    ("NftStandardFilter", " A token standard of NFTs.", NFT_TYPES),
];

// Service versions before 9 are case-sensitive.
impl ParamType for TokenTypes {
    const RULE: &'static ParamRule = &ParamRule {
        must_be: "token standards: ERC-20, ERC-721, ERC-1155, ERC-404, ERC-7984, ZRC-2",
        is_list: true,
        allowed: &[Allowed::OneOfIgnoreCase(TOKEN_TYPES)],
    };
    const TYPESCRIPT: &'static str = "TokenStandardFilter | readonly TokenStandardFilter[]";
    fn to_value(&self) -> ParamValue {
        ParamValue::List(self.0.iter().map(|standard| standard.as_str().to_owned()).collect())
    }
}

impl ParamType for NftTypes {
    const RULE: &'static ParamRule = &ParamRule {
        must_be: "token standards of NFTs: ERC-721, ERC-1155, ERC-404",
        is_list: true,
        allowed: &[Allowed::OneOfIgnoreCase(NFT_TYPES)],
    };
    const TYPESCRIPT: &'static str = "NftStandardFilter | readonly NftStandardFilter[]";
    fn to_value(&self) -> ParamValue {
        ParamValue::List(self.0.iter().map(|standard| standard.as_str().to_owned()).collect())
    }
}

impl ParamType for bool {
    const RULE: &'static ParamRule =
        &ParamRule { must_be: "true or false", is_list: false, allowed: &[Allowed::OneOf(&["true", "false"])] };
    const TYPESCRIPT: &'static str = "boolean";
    fn to_value(&self) -> ParamValue {
        ParamValue::Boolean(*self)
    }
}
