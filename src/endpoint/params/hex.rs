//! Parameters of hex digits: hashes, topics and the data of calls.

use std::fmt;

use super::rule::{Allowed, ParamRule, ParamType, ParamValue};
use crate::error::Error;
use crate::record::AddressHash;

/// Declares parameter types of a fixed number of hex digits. They are checked when they are parsed.
macro_rules! hex_params {
    ($( $(#[doc = $doc:expr])* $name:ident: $digits:literal, $must_be:literal; )*) => { $(
        $(#[doc = $doc])*
        #[derive(Debug, Clone, PartialEq, Eq, Hash)]
        pub struct $name(String);

        impl ParamType for $name {
            const RULE: &'static ParamRule = &ParamRule {
                must_be: $must_be,
                is_list: false,
                allowed: &[Allowed::Hex($digits)],
            };
            const TYPESCRIPT: &'static str = "string";
            fn to_value(&self) -> ParamValue {
                ParamValue::String(self.0.clone())
            }
        }

        impl std::str::FromStr for $name {
            type Err = Error;
            fn from_str(hex: &str) -> Result<Self, Error> {
                Self::RULE.check(&stringify!($name).to_ascii_lowercase(), &ParamValue::String(hex.to_owned()))?;
                Ok(Self(hex.to_owned()))
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(&self.0)
            }
        }
    )* };
}

hex_params! {
    /// A transaction hash: `0x` and 64 hex digits in any letter case.
    TransactionHash: 64, "a transaction hash: 0x and 64 hex digits";
    /// An address hash: `0x` and 40 hex digits in any letter case. The checksum is not verified, because it differs by
    /// chain.
    Address: 40, "an address hash: 0x and 40 hex digits";
    /// A topic of an event log: `0x` and 64 hex digits in any letter case.
    Topic: 64, "a topic: 0x and 64 hex digits";
    /// The hash of a user operation: `0x` and 64 hex digits in any letter case.
    UserOperationHash: 64, "a user operation hash: 0x and 64 hex digits";
}

impl From<AddressHash> for Address {
    /// Converts the address of a record to a parameter.
    fn from(hash: AddressHash) -> Self {
        Self(hash.into())
    }
}

impl From<Address> for AddressHash {
    fn from(address: Address) -> Self {
        Self::from_valid(address.0)
    }
}

/// A list of address hashes.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Addresses(pub Vec<Address>);

impl ParamType for Addresses {
    const RULE: &'static ParamRule = &ParamRule {
        must_be: "address hashes: 0x and 40 hex digits each",
        is_list: true,
        allowed: Address::RULE.allowed,
    };
    const TYPESCRIPT: &'static str = "string | readonly string[]";
    fn to_value(&self) -> ParamValue {
        ParamValue::List(self.0.iter().map(|address| address.0.clone()).collect())
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
