//! Parameters that are text in some notation: token ids, times, amounts, names.

use super::rule::{Allowed, ParamRule, ParamType, ParamValue};
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

        impl std::fmt::Display for $name {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str(&self.0)
            }
        }
    )* };
}

pub(super) use string_params;

string_params! {
    /// A token id: an integer of up to 78 decimal digits. It exceeds the integers that a JavaScript number holds exactly.
    TokenId: Allowed::Digits(78), "a token id: up to 78 decimal digits";
    /// A time in ISO 8601 with a zone, such as `2026-01-01T00:00:00Z`, or Unix seconds.
    Time: Allowed::Time, "a time with a zone, such as 2026-01-01T00:00:00Z";
    /// An amount in whole coins or tokens: a decimal number that is not negative.
    Amount: Allowed::Decimal, "a decimal number such as \"0.5\", as a string";
    /// What to search for: any characters.
    SearchText: Allowed::Text, "a string that is not empty";
}

/// Declares parameter types of lists of strings with rules. They are checked when they are sent.
macro_rules! string_lists {
    ($( $(#[doc = $doc:expr])* $name:ident: [$( $allowed:expr ),*], $must_be:literal; )*) => { $(
        $(#[doc = $doc])*
        #[derive(Debug, Clone, Default, PartialEq, Eq, Hash)]
        pub struct $name(pub Vec<String>);

        impl ParamType for $name {
            const RULE: &'static ParamRule =
                &ParamRule { must_be: $must_be, is_list: true, allowed: &[$( $allowed ),*] };
            const TYPESCRIPT: &'static str = "string | readonly string[]";
            fn to_value(&self) -> ParamValue {
                ParamValue::List(self.0.clone())
            }
        }
    )* };
}

string_lists! {
    /// Selectors of functions: `0x` and 8 hex digits each. An empty list does not filter.
    FunctionSelectors: [Allowed::Hex(8)], "function selectors: 0x and 8 hex digits each";
    /// Names of functions. An empty list does not filter.
    FunctionNames: [Allowed::Text], "function names";
    /// Contract addresses of tokens, or `native` for the native coin. An empty list does not filter.
    FilteredContracts: [Allowed::Hex(40), Allowed::OneOf(&["native"])], "token contracts: address hashes or native";
    /// Types of rows of [`AdvancedFiltersParams`](crate::endpoint::AdvancedFiltersParams). An empty list does not filter.
    FilteredTypes: [Allowed::OneOfIgnoreCase(&[
        "COIN_TRANSFER", "CONTRACT_INTERACTION", "CONTRACT_CREATION", "ERC-20", "ERC-721", "ERC-1155", "ERC-404", "ERC-7984",
    ])], "types: COIN_TRANSFER, CONTRACT_INTERACTION, CONTRACT_CREATION, ERC-20, ERC-721, ERC-1155, ERC-404, ERC-7984";
}
