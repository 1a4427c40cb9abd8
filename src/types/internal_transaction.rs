//! Internal transactions: calls between contracts.

use crate::record::{Hash32, Text, Timestamp, Uint, labels, record};
use crate::types::AddressRef;

labels! {
    /// What an internal transaction does.
    CallKind {
        "call", "callcode", "delegatecall", "staticcall", "create", "create2", "reward", "selfdestruct", "stop", "invalid",
    }
}

record! {
    /// A call between contracts.
    InternalTransaction {
        /// Hash of the transaction that made it.
        transaction_hash | "tx_hash": Hash32,
        /// Index of that transaction in its block. Null: services before 9.
        transaction_index: Option<i64>,
        /// Number of the block.
        block_number: i64,
        /// Index of the call in its transaction.
        index: i64,
        /// Time of the block. Null: not known.
        timestamp: Option<Timestamp>,
        /// What it does. Null: not sent.
        kind = "type": Option<CallKind>,
        /// Whether the call succeeded. This is about the call, not about the request. Null: not sent.
        success: Option<bool>,
        /// Why the call failed, in the node's words. Null: it did not.
        error: Option<Text>,
        /// Gas given to the call; `"0"` when not known. Null: not sent.
        gas_limit: Option<Uint>,
        /// Native amount in wei.
        value: Uint,
        /// Caller.
        from: AddressRef,
        /// Called address. Null: a creation.
        to: Option<AddressRef>,
        /// Created contract. Null: no creation.
        created_contract: Option<AddressRef>,
    }
}

record! {
    /// What the internal transactions list says beside its items.
    InternalTransactions {
        /// How complete the list is. Null: services before 12.
        meta @sometimes: Option<InternalTransactionsMeta>,
    }
}

record! {
    /// How complete a list of internal transactions is.
    InternalTransactionsMeta {
        /// 1: complete; 2: some internal transactions in the range are still being processed. Null: not sent.
        status: Option<i64>,
        /// What is missing, in the service's words. Null: nothing.
        message: Option<Text>,
    }
}
