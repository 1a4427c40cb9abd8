//! The types of request parameters: each with its rule, its spelling in a URL and its TypeScript type.

use std::fmt;

use crate::error::Error;
use crate::record::format::is_prefixed_hex;

/// What a parameter may be.
#[derive(Debug, Clone, Copy)]
pub struct Rule {
    /// The rule in words, for messages: "must be …".
    pub must_be: &'static str,
    /// The TypeScript type.
    pub typescript: &'static str,
    /// Whether several values may be given, separated by commas.
    pub many: bool,
    /// The spelling that is sent for one value, if the value is allowed.
    pub accept: fn(&str) -> Option<String>,
}

impl Rule {
    /// Checks a value and gives the spelling that is sent; nothing for an empty list, which filters nothing.
    ///
    /// # Errors
    /// [`ErrorCode::InvalidParameter`](crate::error::ErrorCode) naming the parameter and the rule.
    pub fn check(&self, name: &str, value: &ParamValue) -> Result<Option<String>, Error> {
        let refuse = || Error::invalid_parameter(name, &format!("must be {}", self.must_be));
        let accepted = match value {
            ParamValue::Text(text) if self.many => {
                text.split(',').map(self.accept).collect::<Option<Vec<_>>>().map(|values| values.join(","))
            }
            ParamValue::Text(text) => (self.accept)(text),
            ParamValue::List(values) if values.is_empty() && self.many => return Ok(None),
            ParamValue::List(values) if self.many => values
                .iter()
                .map(|value| (self.accept)(value))
                .collect::<Option<Vec<_>>>()
                .map(|values| values.join(",")),
            ParamValue::Boolean(value) => (self.accept)(if *value { "true" } else { "false" }),
            ParamValue::Number(value) => whole_number(*value).and_then(|text| (self.accept)(&text)),
            ParamValue::List(_) | ParamValue::Other => None,
        };
        accepted.map(Some).ok_or_else(refuse)
    }
}

/// A parameter's value as the caller gave it.
#[derive(Debug, Clone, PartialEq)]
pub enum ParamValue {
    /// One value.
    Text(String),
    /// Several values.
    List(Vec<String>),
    /// A switch.
    Boolean(bool),
    /// A number.
    Number(f64),
    /// Something that no parameter can be.
    Other,
}

/// The digits of a whole number that JavaScript holds exactly.
fn whole_number(value: f64) -> Option<String> {
    const MAX_SAFE: f64 = 9_007_199_254_740_991.0;
    #[expect(clippy::cast_possible_truncation, reason = "whole and within 53 bits")]
    (value.trunc() - value == 0.0 && value.abs() <= MAX_SAFE).then(|| (value as i64).to_string())
}

/// A type of parameter.
pub trait Param {
    /// What it may be.
    const RULE: Rule;
    /// The value as a parameter.
    fn value(&self) -> ParamValue;
}

/// Declares parameters that are hex digits of a fixed number, checked on creation.
macro_rules! hashes {
    ($( $(#[doc = $doc:expr])* $name:ident: $digits:literal, $must_be:literal; )*) => { $(
        $(#[doc = $doc])*
        #[derive(Debug, Clone, PartialEq, Eq, Hash)]
        pub struct $name(String);

        impl Param for $name {
            const RULE: Rule = Rule {
                must_be: $must_be,
                typescript: "string",
                many: false,
                accept: |text| is_prefixed_hex(text.as_bytes(), $digits).then(|| text.to_owned()),
            };
            fn value(&self) -> ParamValue {
                ParamValue::Text(self.0.clone())
            }
        }

        impl std::str::FromStr for $name {
            type Err = Error;
            fn from_str(text: &str) -> Result<Self, Error> {
                Self::RULE.check(&stringify!($name).to_ascii_lowercase(), &ParamValue::Text(text.to_owned()))?;
                Ok(Self(text.to_owned()))
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(&self.0)
            }
        }
    )* };
}

/// Declares parameters that are whole numbers of a range.
macro_rules! numbers {
    ($( $(#[doc = $doc:expr])* $name:ident: $low:literal..=$high:literal, $must_be:literal; )*) => { $(
        $(#[doc = $doc])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub struct $name(pub u64);

        impl Param for $name {
            const RULE: Rule = Rule {
                must_be: $must_be,
                typescript: "number",
                many: false,
                accept: |text| {
                    let number = text.bytes().all(|b| b.is_ascii_digit()).then(|| text.parse::<u64>().ok()).flatten()?;
                    ($low..=$high).contains(&number).then(|| number.to_string())
                },
            };
            fn value(&self) -> ParamValue {
                ParamValue::Text(self.0.to_string())
            }
        }
    )* };
}

numbers! {
    /// The number of a block.
    BlockNumber: 0..=2_147_483_647, "a block number from 0 to 2147483647";
    /// A time in seconds since 1970.
    UnixSeconds: 0..=253_402_300_799, "a unix time in seconds";
    /// The number of a page.
    PageNumber: 1..=10_000, "a page number from 1 to 10000";
    /// How many records a page has.
    PageSize: 1..=10_000, "a number of records from 1 to 10000";
}

/// A block, for a balance.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum BlockTag {
    /// The last recorded balance at or below this block.
    Number(BlockNumber),
    /// The latest balance in a consensus block.
    Latest,
    /// The first recorded balance of the address; the service looks at block 0 only.
    Earliest,
    /// The latest balance in any block.
    Pending,
}

impl Param for BlockTag {
    const RULE: Rule = Rule {
        must_be: "a block number, \"latest\", \"earliest\" or \"pending\"",
        typescript: "number | `${number}` | \"latest\" | \"earliest\" | \"pending\"",
        many: false,
        accept: |text| match text {
            "latest" | "earliest" | "pending" => Some(text.to_owned()),
            number => (BlockNumber::RULE.accept)(number),
        },
    };
    fn value(&self) -> ParamValue {
        match self {
            Self::Number(number) => number.value(),
            Self::Latest => ParamValue::Text("latest".into()),
            Self::Earliest => ParamValue::Text("earliest".into()),
            Self::Pending => ParamValue::Text("pending".into()),
        }
    }
}

/// Several addresses.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Addresses(pub Vec<Address>);

impl Param for Addresses {
    const RULE: Rule = Rule {
        must_be: "address hashes: 0x and 40 hex digits each",
        typescript: "string | readonly string[]",
        many: true,
        accept: Address::RULE.accept,
    };
    fn value(&self) -> ParamValue {
        ParamValue::List(self.0.iter().map(|address| address.0.clone()).collect())
    }
}

hashes! {
    /// The hash of a transaction.
    TransactionHash: 64, "a transaction hash: 0x and 64 hex digits";
    /// An address hash in any letter case. Checksums differ by chain and are not looked at.
    Address: 40, "an address hash: 0x and 40 hex digits";
    /// A topic of an event.
    Topic: 64, "a topic: 0x and 64 hex digits";
}

/// Declares parameters that are one of a few words.
macro_rules! words {
    ($( $(#[doc = $doc:expr])* $name:ident as $typescript:literal, $must_be:literal {
        $( $(#[doc = $word_doc:expr])* $variant:ident = $word:literal ),* $(,)?
    } )*) => { $(
        $(#[doc = $doc])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
        pub enum $name { $( $(#[doc = $word_doc])* $variant, )* }

        impl $name {
            /// The word that is sent.
            #[must_use]
            pub const fn as_str(self) -> &'static str {
                match self { $( Self::$variant => $word, )* }
            }
        }

        impl Param for $name {
            const RULE: Rule = Rule {
                must_be: $must_be,
                typescript: $typescript,
                many: false,
                accept: |text| [$( $word ),*].contains(&text).then(|| text.to_owned()),
            };
            fn value(&self) -> ParamValue {
                ParamValue::Text(self.as_str().to_owned())
            }
        }
    )* };
}

words! {
    /// Which side of a record the address is on. Left out: either.
    Direction as "\"to\" | \"from\"", "\"to\" or \"from\"" {
        /// Records to the address.
        To = "to",
        /// Records from the address.
        From = "from",
    }
    /// What the list of addresses is sorted by.
    AddressSort as "\"balance\" | \"transactions_count\"", "\"balance\" or \"transactions_count\"" {
        /// Native balance.
        Balance = "balance",
        /// Number of transactions.
        TransactionsCount = "transactions_count",
    }
    /// Which end of a sorted list comes first.
    Order as "\"asc\" | \"desc\"", "\"asc\" or \"desc\"" {
        /// Smallest first.
        Ascending = "asc",
        /// Largest first.
        Descending = "desc",
    }
}

/// Token standards; none filters nothing.
#[derive(Debug, Clone, Default, PartialEq, Eq, Hash)]
pub struct Standards(pub Vec<Standard>);

words! {
    /// A token standard to filter by.
    Standard as "TokenStandardFilter", "a token standard" {
        /// Fungible tokens.
        Erc20 = "ERC-20",
        /// Unique tokens.
        Erc721 = "ERC-721",
        /// Tokens with ids and amounts.
        Erc1155 = "ERC-1155",
        /// Tokens that are both.
        Erc404 = "ERC-404",
        /// Confidential tokens; services from 10 on.
        Erc7984 = "ERC-7984",
        /// Zilliqa's fungible tokens.
        Zrc2 = "ZRC-2",
    }
}

impl Param for Standards {
    const RULE: Rule = Rule {
        must_be: "token standards: ERC-20, ERC-721, ERC-1155, ERC-404, ERC-7984, ZRC-2",
        typescript: "TokenStandardFilter | readonly TokenStandardFilter[]",
        many: true,
        // The service ignores the letter case; services before 9 are given the documented one.
        accept: |text| (Standard::RULE.accept)(&text.to_ascii_uppercase()),
    };
    fn value(&self) -> ParamValue {
        ParamValue::List(self.0.iter().map(|standard| standard.as_str().to_owned()).collect())
    }
}

impl Param for bool {
    const RULE: Rule = Rule {
        must_be: "true or false",
        typescript: "boolean",
        many: false,
        accept: |text| ["true", "false"].contains(&text).then(|| text.to_owned()),
    };
    fn value(&self) -> ParamValue {
        ParamValue::Boolean(*self)
    }
}
