//! Parameters that are integers, and those that name a block.

use super::rule::{Allowed, ParamRule, ParamType, ParamValue};

/// The largest block number that the service accepts.
pub(crate) const MAX_BLOCK: u64 = 2_147_483_647;

param_types! {
    /// The number of a block, from 0 to 2,147,483,647.
    integer BlockNumber: [Allowed::Integer(0, MAX_BLOCK)], "a block number from 0 to 2147483647";
    /// A Unix time in seconds.
    integer UnixSeconds: [Allowed::Integer(0, 253_402_300_799)], "a Unix time in seconds";
    /// The number of a page, from 1. Most actions also limit the product of page number and page size to 10,000.
    integer PageNumber: [Allowed::Integer(1, 2_147_483_647)], "a page number from 1 to 2147483647";
    /// The maximum number of records on a page, from 1 to 10,000.
    integer PageSize: [Allowed::Integer(1, 10_000)], "a number of records from 1 to 10000";
}

/// The block at which a balance is read.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum BlockTag {
    /// A block number: the last balance recorded at or before this block.
    Number(BlockNumber),
    /// The latest balance in the canonical chain.
    Latest,
    /// The balance at block 0. Usually not recorded.
    Earliest,
    /// The balance after the latest canonical block. Usually not recorded.
    Pending,
}

impl ParamType for BlockTag {
    const RULE: &'static ParamRule = &ParamRule {
        must_be: "a block number, \"latest\", \"earliest\" or \"pending\"",
        is_list: false,
        allowed: &[Allowed::OneOf(&["latest", "earliest", "pending"]), Allowed::Integer(0, MAX_BLOCK)],
    };
    const TYPESCRIPT: &'static str = "number | `${number}` | \"latest\" | \"earliest\" | \"pending\"";
    fn to_value(&self) -> ParamValue {
        match self {
            Self::Number(number) => number.to_value(),
            Self::Latest => ParamValue::String("latest".into()),
            Self::Earliest => ParamValue::String("earliest".into()),
            Self::Pending => ParamValue::String("pending".into()),
        }
    }
}

/// The number or the hash of a block.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum BlockId {
    /// The number.
    Number(BlockNumber),
    /// The hash: `0x` and 64 hex digits in any letter case.
    Hash(String),
}

impl ParamType for BlockId {
    const RULE: &'static ParamRule = &ParamRule {
        must_be: "a block number from 0 to 2147483647, or a block hash: 0x and 64 hex digits",
        is_list: false,
        allowed: &[Allowed::Integer(0, MAX_BLOCK), Allowed::Hex(64)],
    };
    const TYPESCRIPT: &'static str = "number | string";
    fn to_value(&self) -> ParamValue {
        match self {
            Self::Number(number) => number.to_value(),
            Self::Hash(hash) => ParamValue::String(hash.clone()),
        }
    }
}

/// The last block of a range.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum LastBlock {
    /// A block number.
    Number(BlockNumber),
    /// The latest block.
    Latest,
}

impl ParamType for LastBlock {
    const RULE: &'static ParamRule = &ParamRule {
        must_be: "a block number, or \"latest\"",
        is_list: false,
        allowed: &[Allowed::OneOf(&["latest"]), Allowed::Integer(0, MAX_BLOCK)],
    };
    const TYPESCRIPT: &'static str = "number | `${number}` | \"latest\"";
    fn to_value(&self) -> ParamValue {
        match self {
            Self::Number(number) => number.to_value(),
            Self::Latest => ParamValue::String("latest".into()),
        }
    }
}
