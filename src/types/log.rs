//! Event logs.

use crate::record::{Bytes, Hash32, HexData, Json, JsonObject, Selector, Text, Timestamp, record};
use crate::types::AddressRef;

record! {
    /// An event log.
    Log {
        /// The contract that emitted the log, as an address object.
        address_hash | "address" @essential: AddressRef,
        /// The receiver of the transaction. Null: the transaction created a contract.
        smart_contract: Option<AddressRef>,
        /// Block hash.
        block_hash @essential: Hash32,
        /// Block number.
        block_number @essential: u64,
        /// Time of the block, in ISO 8601 (UTC). Null: not sent by service versions before 10.
        block_timestamp @sometimes: Option<Timestamp>,
        /// Transaction hash.
        transaction_hash | "tx_hash" @essential: Hash32,
        /// Index of the log in its block.
        index @essential: i64,
        /// Data of the log: the ABI-encoded parameters that are not indexed.
        data @essential: Bytes,
        /// The four topics, `null` for each unused one. The first is usually the hash of the event signature.
        topics @essential: Vec<Option<HexData>>,
        /// The log decoded with the ABI of its contract. Null: no ABI is known, or it does not match.
        decoded: Option<DecodedLog>,
    } key "log:{block_hash}:{index}", "If a reorganisation moves a log to another block, its key changes."
}

record! {
    /// An event log, decoded with the ABI of its contract.
    DecodedLog {
        /// Signature of the event with parameter names. Null: not known.
        method_call: Option<Text>,
        /// First four bytes of the first topic: 8 hex digits, usually without `0x`. Null: not known.
        method_id: Option<Selector>,
        /// Parameters of the event, in the order of the signature.
        parameters: Vec<DecodedParameter>,
        /// ABI entry of the event. Null: not sent, as by service versions before 12.
        abi @sometimes: Option<JsonObject>,
    }
}

record! {
    /// A parameter of a decoded event log.
    DecodedParameter {
        /// Parameter name; may be empty. Null: not sent.
        name: Option<Text>,
        /// Solidity type, such as `uint256` or `(address,bool)[]`. Null: not sent.
        r#type: Option<Text>,
        /// Whether the parameter is indexed: a topic, not part of the data. Null: not sent.
        indexed = "indexed?" | "indexed": Option<bool>,
        /// Value of the parameter. Integers are decimal strings, addresses and bytes hex strings, booleans `"true"` or
        /// `"false"`. Arrays and tuples are arrays of such values, nested up to 127 levels. Null: cannot be decoded.
        value: Option<Json>,
    }
}
