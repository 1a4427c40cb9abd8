//! Parameters that are text in some notation: token ids, times, amounts, names.

use super::rule::{Allowed, ParamRule, ParamType, ParamValue};
use crate::error::Error;

param_types! {
    /// A token id: an integer of up to 78 decimal digits. It exceeds the integers that a JavaScript number holds exactly.
    string TokenId: [Allowed::Digits(78)], "a token id: up to 78 decimal digits";
    /// A time in ISO 8601 with a zone, such as `2026-01-01T00:00:00Z`, or Unix seconds.
    string Time: [Allowed::Time], "a time with a zone, such as 2026-01-01T00:00:00Z";
    /// An amount in whole coins or tokens: a decimal number that is not negative.
    string Amount: [Allowed::Decimal], "a decimal number such as \"0.5\", as a string";
    /// What to search for: any characters.
    string SearchText: [Allowed::Text], "a string that is not empty";
    /// Selectors of functions: `0x` and 8 hex digits each. An empty list does not filter.
    strings FunctionSelectors: [Allowed::Hex(8)], "function selectors: 0x and 8 hex digits each";
    /// Names of functions. An empty list does not filter.
    strings FunctionNames: [Allowed::Text], "function names";
    /// Contract addresses of tokens, or `native` for the native coin. An empty list does not filter.
    strings FilteredContracts: [Allowed::Hex(40), Allowed::OneOf(&["native"])], "token contracts: address hashes or native";
    /// Types of rows of [`AdvancedFiltersParams`](crate::endpoint::AdvancedFiltersParams). An empty list does not filter.
    strings FilteredTypes: [Allowed::OneOfIgnoreCase(&[
        "COIN_TRANSFER", "CONTRACT_INTERACTION", "CONTRACT_CREATION", "ERC-20", "ERC-721", "ERC-1155", "ERC-404", "ERC-7984",
    ])], "types: COIN_TRANSFER, CONTRACT_INTERACTION, CONTRACT_CREATION, ERC-20, ERC-721, ERC-1155, ERC-404, ERC-7984";
}
