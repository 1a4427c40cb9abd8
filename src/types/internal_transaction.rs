//! Internal transactions: calls, contract creations and transfers of the native coin inside a transaction.

use crate::record::{Hash32, Text, Timestamp, Uint, field_types, record};
use crate::types::AddressRef;

field_types! {
    /// The type of an internal transaction.
    CallKind {
        "call", "callcode", "delegatecall", "staticcall", "create", "create2", "reward", "selfdestruct", "stop", "invalid",
    }
}

record! {
    /// An internal transaction: a call, contract creation or transfer of the native coin inside a transaction.
    InternalTransaction {
        /// Hash of the transaction that contains the internal transaction.
        transaction_hash | "tx_hash" @essential: Hash32,
        /// Index of the transaction in its block. Null: not sent by service versions before 9.
        transaction_index: Option<i64>,
        /// Block number.
        block_number @essential: u64,
        /// Index of the internal transaction in its transaction.
        index @essential: i64,
        /// Time of the block, in ISO 8601 (UTC). Null: not known.
        timestamp: Option<Timestamp>,
        /// Type of the internal transaction. Null: not sent.
        r#type: Option<CallKind>,
        /// Whether the internal transaction succeeded. Null: not sent.
        success @essential: Option<bool>,
        /// Error message of the node. Null: no error.
        error: Option<Text>,
        /// Gas limit; `"0"` where it is not known. Null: not sent.
        gas_limit: Option<Uint>,
        /// Transferred amount of the native coin in wei. Null: not known, as for some self-destructs.
        value @essential: Option<Uint>,
        /// Sender.
        from @essential: AddressRef,
        /// Receiver. Null: a contract creation.
        to @essential: Option<AddressRef>,
        /// Created contract. Null: not a contract creation.
        created_contract @essential: Option<AddressRef>,
    } key "internal:{transaction_hash}:{index}", "The same key as in the account module."
}

record! {
    /// The members of a page of internal transactions, other than its items.
    InternalTransactions {
        /// Whether the list is complete. Null: not sent by service versions before 12.
        meta @sometimes @essential: Option<InternalTransactionsMeta>,
    }
}

record! {
    /// Whether a list of internal transactions is complete.
    InternalTransactionsMeta {
        /// 1: complete. 2: incomplete, because the service is still processing some blocks of the range. Null: not
        /// sent.
        status @essential: Option<i64>,
        /// Message of the service about what is missing. Null: nothing is missing.
        message: Option<Text>,
    }
}
