//! Event logs.

use crate::record::{Hash32, HexData, Json, JsonObject, Selector, Text, Timestamp, record};
use crate::types::AddressRef;

record! {
    /// An event log.
    Log {
        /// The contract that emitted it: an address object.
        address_hash | "address": AddressRef,
        /// The contract that the transaction called. Null: the transaction created a contract.
        smart_contract: Option<AddressRef>,
        /// Hash of the block.
        block_hash: Hash32,
        /// Number of the block.
        block_number: i64,
        /// Time of the block. Null: services before 10.
        block_timestamp @sometimes: Option<Timestamp>,
        /// Hash of the transaction.
        transaction_hash | "tx_hash": Hash32,
        /// Index of the log in its block.
        index: i64,
        /// The event's data.
        data: HexData,
        /// The event's topics: four positions, unused ones null.
        topics: Vec<Option<HexData>>,
        /// The event as its contract's ABI reads it. Null: no ABI known, or it does not fit.
        decoded: Option<DecodedLog>,
    }
}

record! {
    /// An event as its contract's ABI reads it.
    DecodedLog {
        /// The event's signature with parameter names. Null: not known.
        method_call: Option<Text>,
        /// The first four bytes of the event's topic. Null: not known.
        method_id: Option<Selector>,
        /// The event's parameters, in order.
        parameters: Vec<DecodedParameter>,
        /// The event's part of the ABI. Null: not sent, or services before 12.
        abi @sometimes: Option<JsonObject>,
    }
}

record! {
    /// A decoded parameter.
    DecodedParameter {
        /// Name; may be empty. Null: not sent.
        name: Option<Text>,
        /// Type in Solidity's terms, such as `uint256` or `(address,bool)[]`. Null: not sent.
        kind = "type": Option<Text>,
        /// Whether it is a topic rather than part of the data. Null: not sent.
        indexed = "indexed?" | "indexed": Option<bool>,
        /// Value: text for integers (decimal digits), addresses, bytes (`0x…`) and booleans (`"true"`); lists, nested
        /// up to 127 levels, for arrays and tuples. Null: cannot be decoded.
        value: Option<Json>,
    }
}
