//! The parameters of calls of contracts, and of their event logs.

use super::param_rule::{Allowed, ParamRule, ParamType, ParamValue};
use super::params::{BlockNumber, MAX_BLOCK};

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

/// The data of calls: for each, the selector of a function and its encoded arguments.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct CallData(pub Vec<String>);

impl ParamType for CallData {
    const RULE: &'static ParamRule = &ParamRule {
        must_be: "hex strings: 0x and two hex digits per byte each",
        is_list: true,
        allowed: &[Allowed::HexData],
    };
    const TYPESCRIPT: &'static str = "string | readonly string[]";
    fn to_value(&self) -> ParamValue {
        ParamValue::List(self.0.clone())
    }
}
