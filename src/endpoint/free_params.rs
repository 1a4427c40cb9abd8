//! The types of parameters that are neither enumerated nor of a fixed number of digits: [`params`](super::params) exports them.

use super::param_rule::{Allowed, ParamRule, ParamType, ParamValue};
use super::params::{BlockNumber, MAX_BLOCK};
use crate::error::Error;

/// Declares parameter types of strings with a rule. They are checked when they are parsed.
macro_rules! string_params {
    ($( $(#[doc = $doc:expr])* $name:ident: $allowed:expr, $must_be:literal; )*) => { $(
        $(#[doc = $doc])*
        #[derive(Debug, Clone, PartialEq, Eq, Hash)]
        pub struct $name(String);

        impl ParamType for $name {
            const RULE: &'static ParamRule =
                &ParamRule { must_be: $must_be, is_list: false, allowed: &[$allowed] };
            const TYPESCRIPT: &'static str = "string";
            fn to_value(&self) -> ParamValue {
                ParamValue::String(self.0.clone())
            }
        }

        impl std::str::FromStr for $name {
            type Err = Error;
            fn from_str(string: &str) -> Result<Self, Error> {
                Self::RULE.check(&stringify!($name).to_ascii_lowercase(), &ParamValue::String(string.to_owned()))?;
                Ok(Self(string.to_owned()))
            }
        }
    )* };
}

string_params! {
    /// A token id: an integer of up to 78 decimal digits. It exceeds the integers that a JavaScript number holds exactly.
    TokenId: Allowed::Digits(78), "a token id: up to 78 decimal digits";
    /// What to search for: any characters.
    SearchText: Allowed::Text, "a string that is not empty";
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
