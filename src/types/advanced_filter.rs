//! The rows of the combined list of transactions, internal transactions and token transfers.

use crate::record::{Hash32, JsonObject, Text, Timestamp, Uint, field_types, record};
use crate::types::{AddressRef, Token, TransferTotal};

field_types! {
    /// The kind of a row: a call or transfer of the native coin, a contract creation, or a token transfer, by its token standard.
    AdvancedFilterType {
        "coin_transfer", "contract_interaction", "contract_creation", "ERC-20", "ERC-721", "ERC-1155", "ERC-404", "ERC-7984", "ZRC-2",
    }
}

record! {
    /// A transaction, an internal transaction or a token transfer.
    AdvancedFilterRow {
        /// Hash of the transaction.
        hash @essential: Hash32,
        /// Kind of the row. Null: not sent.
        r#type: Option<AdvancedFilterType>,
        /// Result of the transaction, such as `success`, or the error message of the node. Null: pending, or a service version before 9.2.
        status @sometimes: Option<Text>,
        /// Name of the called function, or its selector `0x…`. Null: not a call, or not known.
        method: Option<Text>,
        /// Sender. Null: not sent.
        from @essential: Option<AddressRef>,
        /// Receiver. Null: a contract creation.
        to @essential: Option<AddressRef>,
        /// Created contract. Null: not a contract creation.
        created_contract: Option<AddressRef>,
        /// Transferred amount of the native coin in wei. Null: a token transfer.
        value @essential: Option<Uint>,
        /// Amount or token id that was transferred. Null: not a token transfer, or not known.
        total @essential: Option<TransferTotal>,
        /// Token. Null: not a token transfer.
        token @essential: Option<Token>,
        /// Time of the block, in ISO 8601 (UTC). Null: not known.
        timestamp: Option<Timestamp>,
        /// Block number. Null: not known.
        block_number: Option<u64>,
        /// Index of the transaction in its block. Null: not known.
        transaction_index: Option<i64>,
        /// Index of the internal transaction in its transaction. Null: a row of another type.
        internal_transaction_index @essential: Option<i64>,
        /// Index of the event log of the token transfer in its block. Null: a row of another type.
        token_transfer_index @essential: Option<i64>,
        /// Position of the token transfer in an event that moves several token ids. Null: a row of another type.
        token_transfer_batch_index: Option<i64>,
        /// Fee of the transaction in wei on its first row of a page, `"0"` on its other rows. Nobody paid the fee on an
        /// internal transaction. Do not sum it. Null: not sent.
        fee: Option<Uint>,
    } key "advanced:{hash}:{internal_transaction_index}:{token_transfer_index}:{token_transfer_batch_index}"
}

record! {
    /// The members of a page of advanced filters, other than its items.
    AdvancedFilterRows {
        /// The meaning of the filters: `methods` has names by selector, `tokens` has tokens by contract address. Untrusted: any JSON object.
        /// Null: not sent.
        search_params @sometimes: Option<JsonObject>,
    }
}
