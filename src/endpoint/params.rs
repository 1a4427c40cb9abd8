//! The types of request parameters: each with its rule, its spelling in a URL and its TypeScript type.

use std::fmt;

use super::request::MAX_BLOCK;
use crate::error::Error;
use crate::record::format::is_prefixed_hex;
use crate::text::{number, parsed, parts, word_of};

/// What a parameter may be.
#[derive(Debug)]
pub struct Rule {
    /// The rule in words, for messages: "must be …".
    pub must_be: &'static str,
    /// Whether several values may be given, separated by commas.
    pub many: bool,
    /// What one value may be: any of these.
    pub allowed: &'static [Allowed],
}

/// What a value may be.
#[derive(Debug)]
pub enum Allowed {
    /// `0x` and so many hex digits.
    Hex(usize),
    /// A whole number from the one to the other.
    Number(u64, u64),
    /// One of these words.
    Words(&'static [&'static str]),
    /// One of these words in any letter case, sent as it stands here.
    AnyCase(&'static [&'static str]),
}

impl Allowed {
    /// The spelling that is sent for a value, if the value is allowed.
    fn spelling(&self, text: &str) -> Option<String> {
        let is_allowed = match self {
            Self::Hex(digits) => is_prefixed_hex(text.as_bytes(), *digits),
            Self::Number(low, high) => {
                return parsed(text).filter(|value| (low..=high).contains(&value)).map(number);
            }
            Self::Words(words) => words.contains(&text),
            Self::AnyCase(words) => {
                return word_of(words, text).map(str::to_owned);
            }
        };
        is_allowed.then(|| text.to_owned())
    }
}

impl Rule {
    /// The spelling that is sent for one value, if the value is allowed.
    #[must_use]
    pub fn spelling(&self, text: &str) -> Option<String> {
        self.allowed.iter().find_map(|allowed| allowed.spelling(text))
    }

    /// The spelling that is sent for several values, if each of them is allowed.
    fn spellings(&self, texts: &mut dyn Iterator<Item = &str>) -> Option<String> {
        let mut all = String::new();
        for text in texts {
            all.push_str(if all.is_empty() { "" } else { "," });
            all.push_str(&self.spelling(text)?);
        }
        Some(all)
    }

    /// Checks a value and gives the spelling that is sent; nothing for an empty list, which filters nothing.
    ///
    /// # Errors
    /// [`ErrorCode::InvalidParameter`](crate::error::ErrorCode) naming the parameter and the rule.
    pub fn check(&self, name: &str, value: &ParamValue) -> Result<Option<String>, Error> {
        let accepted = match value {
            ParamValue::Text(text) if self.many => self.spellings(&mut parts(text, b',')),
            ParamValue::Text(text) => self.spelling(text),
            ParamValue::List(values) if values.is_empty() && self.many => return Ok(None),
            ParamValue::List(values) if self.many => self.spellings(&mut values.iter().map(String::as_str)),
            ParamValue::Boolean(value) => self.spelling(if *value { "true" } else { "false" }),
            ParamValue::Number(value) => whole_number(*value).and_then(|text| self.spelling(&text)),
            ParamValue::List(_) | ParamValue::Other => None,
        };
        accepted.map(Some).ok_or_else(|| self.broken(name))
    }

    /// The error for a value that is not allowed.
    pub(crate) fn broken(&self, name: &str) -> Error {
        Error::invalid_parameter(name, &["must be ", self.must_be].concat())
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

/// The digits of a whole number that JavaScript holds exactly; nothing for a negative one, which no parameter takes.
fn whole_number(value: f64) -> Option<String> {
    const MAX_SAFE: f64 = 9_007_199_254_740_991.0;
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "whole and within 53 bits")]
    (value.trunc() - value == 0.0 && (0.0..=MAX_SAFE).contains(&value)).then(|| number(value as u64))
}

/// A type of parameter.
pub trait Param {
    /// What it may be.
    const RULE: &'static Rule;
    /// The TypeScript type. Apart from the rule, so that it is never part of the module.
    const TYPESCRIPT: &'static str;
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
            const RULE: &'static Rule = &Rule {
                must_be: $must_be,
                many: false,
                allowed: &[Allowed::Hex($digits)],
            };
            const TYPESCRIPT: &'static str = "string";
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
    ($( $(#[doc = $doc:expr])* $name:ident: $low:literal..=$high:expr, $must_be:literal; )*) => { $(
        $(#[doc = $doc])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub struct $name(pub u64);

        impl Param for $name {
            const RULE: &'static Rule = &Rule {
                must_be: $must_be,
                many: false,
                allowed: &[Allowed::Number($low, $high)],
            };
            const TYPESCRIPT: &'static str = "number";
            fn value(&self) -> ParamValue {
                ParamValue::Text(self.0.to_string())
            }
        }
    )* };
}

numbers! {
    /// The number of a block.
    BlockNumber: 0..=MAX_BLOCK, "a block number from 0 to 2147483647";
    /// A time in seconds since 1970.
    UnixSeconds: 0..=253_402_300_799, "a unix time in seconds";
    /// The number of a page. (How far pages reach together with their size is a rule of its own, and not everywhere one.)
    PageNumber: 1..=2_147_483_647, "a page number from 1 to 2147483647";
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
    const RULE: &'static Rule = &Rule {
        must_be: "a block number, \"latest\", \"earliest\" or \"pending\"",
        many: false,
        allowed: &[Allowed::Words(&["latest", "earliest", "pending"]), Allowed::Number(0, MAX_BLOCK)],
    };
    const TYPESCRIPT: &'static str = "number | `${number}` | \"latest\" | \"earliest\" | \"pending\"";
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
    const RULE: &'static Rule =
        &Rule { must_be: "address hashes: 0x and 40 hex digits each", many: true, allowed: Address::RULE.allowed };
    const TYPESCRIPT: &'static str = "string | readonly string[]";
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
        $crate::text::codes! {
            $(#[doc = $doc])*
            $name { $( $(#[doc = $word_doc])* $variant = $word, )* }
        }

        impl $name {
            const WORDS: &[&str] = &[$( $word ),*];
        }

        impl Param for $name {
            const RULE: &'static Rule = &Rule {
                must_be: $must_be,
                many: false,
                allowed: &[Allowed::Words(Self::WORDS)],
            };
            const TYPESCRIPT: &'static str = $typescript;
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
    const RULE: &'static Rule = &Rule {
        must_be: "token standards: ERC-20, ERC-721, ERC-1155, ERC-404, ERC-7984, ZRC-2",
        many: true,
        // The service ignores the letter case; services before 9 are given the documented one.
        allowed: &[Allowed::AnyCase(Standard::WORDS)],
    };
    const TYPESCRIPT: &'static str = "TokenStandardFilter | readonly TokenStandardFilter[]";
    fn value(&self) -> ParamValue {
        ParamValue::List(self.0.iter().map(|standard| standard.as_str().to_owned()).collect())
    }
}

impl Param for bool {
    const RULE: &'static Rule =
        &Rule { must_be: "true or false", many: false, allowed: &[Allowed::Words(&["true", "false"])] };
    const TYPESCRIPT: &'static str = "boolean";
    fn value(&self) -> ParamValue {
        ParamValue::Boolean(*self)
    }
}
