//! Parameters of hex digits: hashes, topics and the data of calls.

use super::rule::{Allowed, ParamRule, ParamType, ParamValue};
use crate::error::Error;
use crate::record::AddressHash;

param_types! {
    /// A transaction hash: `0x` and 64 hex digits in any letter case.
    string TransactionHash: [Allowed::Hex(64)], "a transaction hash: 0x and 64 hex digits";
    /// An address hash: `0x` and 40 hex digits in any letter case. The checksum is not verified, because it differs by
    /// chain.
    string Address: [Allowed::Hex(40)], "an address hash: 0x and 40 hex digits";
    /// A topic of an event log: `0x` and 64 hex digits in any letter case.
    string Topic: [Allowed::Hex(64)], "a topic: 0x and 64 hex digits";
    /// The hash of a user operation: `0x` and 64 hex digits in any letter case.
    string UserOperationHash: [Allowed::Hex(64)], "a user operation hash: 0x and 64 hex digits";
    /// The data of calls: for each, the selector of a function and its encoded arguments.
    strings CallData: [Allowed::HexData], "hex strings: 0x and two hex digits per byte each";
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
