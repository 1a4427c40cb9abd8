//! The lists and lookups of one transaction or block in the REST API, and user operations.

use super::list::lists;
use super::lookup::lookups;
use super::params::{Address, BlockId, BlockNumber, TokenTypes, TransactionHash, UserOperationHash};

lists! {
    /// Lists the token transfers of a transaction.
    TransactionTokenTransfersParams "transactionTokenTransfers"
    "/transactions/{transaction_hash}/token-transfers" costs 30 => TokenTransfer, ItemsOnly {
        required {
            /// The transaction. The service responds with HTTP status 404 to an unknown hash.
            transaction_hash: TransactionHash,
        }
        optional {
            /// Only transfers of these token standards. Default: all.
            r#type: TokenTypes,
        }
        cursor { block_number: "number | undefined", index: "number | undefined" }
    }

    /// Lists the internal transactions of a transaction, in the order in which they were executed.
    TransactionInternalTransactionsParams "transactionInternalTransactions"
    "/transactions/{transaction_hash}/internal-transactions" costs 40 => InternalTransaction, InternalTransactions {
        required {
            /// The transaction. The service responds with HTTP status 404 to an unknown hash.
            transaction_hash: TransactionHash,
        }
        optional {
            /// Whether to include internal transactions that transfer no value. Default: `true`.
            include_zero_value since "12.0.0": bool,
        }
        cursor {
            block_number: "number", index: "number", transaction_index: "number", items_count: "number | undefined",
        }
    }

    /// Lists the event logs of a transaction, in the order in which they were emitted.
    TransactionLogsParams "transactionLogs" "/transactions/{transaction_hash}/logs" costs 30 => Log, ItemsOnly {
        required {
            /// The transaction. The service responds with HTTP status 404 to an unknown hash.
            transaction_hash: TransactionHash,
        }
        cursor { block_number: "number", index: "number", items_count: "number | undefined" }
    }

    // Up to version 11, `items_count` of the cursor is a number of rows to skip, so no request may choose it.
    /// Lists the balances that a transaction changed. The service computes them from balances that its node has stored: this can
    /// take long, fail with HTTP status 500, or return nothing.
    TransactionStateChangesParams "transactionStateChanges"
    "/transactions/{transaction_hash}/state-changes" costs 30 => StateChange, ItemsOnly, uncached {
        required {
            /// The transaction. The service responds with HTTP status 404 to an unknown hash.
            transaction_hash: TransactionHash,
        }
        cursor fixed {
            state_changes_count: "number | undefined", state_changes: "null | undefined", items_count: "number | undefined",
        }
    }

    /// Lists user operations (ERC-4337), newest first. The service responds with HTTP status 501 where it does not index them.
    UserOperationsParams "userOperations" "/proxy/account-abstraction/operations" since "6.3.0"
    => UserOperation, ItemsOnly {
        optional {
            /// Only user operations of this account. Default: all.
            sender: Address,
            /// Only user operations that this address bundled. Default: all.
            bundler: Address,
            /// Only user operations whose fee this contract paid. Default: all.
            paymaster: Address,
            /// Only user operations that created their account with this contract. Default: all.
            factory: Address,
            /// Only user operations of this transaction. Default: all.
            transaction_hash: TransactionHash,
            /// Only user operations of this entry point contract. Default: all.
            entry_point: Address,
            /// Only user operations in this block. Default: all.
            block_number: BlockNumber,
        }
        cursor fixed { page_token: "string", page_size: "number" }
    }
}

lookups! {
    /// Returns a description of a transaction in words. The service responds with HTTP status 403 where it has no interpreter.
    TransactionSummaryParams "transactionSummary" "/transactions/{transaction_hash}/summary" since "5.4.0" costs 50
    => TransactionSummary {
        required {
            /// The transaction.
            transaction_hash: TransactionHash,
        }
    }

    /// Returns a block. The service responds with HTTP status 404 to an unknown one. `client.block` has the actions of the block
    /// module.
    BlockDetailsParams "blockDetails" "/blocks/{block_hash_or_number}" => Block {
        required {
            /// The number or the hash of the block.
            block_hash_or_number: BlockId,
        }
    }

    /// Returns a user operation (ERC-4337) with its call data. The service responds with HTTP status 404 to an unknown hash, and
    /// with 501 where it does not index user operations.
    UserOperationParams "userOperation" "/proxy/account-abstraction/operations/{user_operation_hash}" since "6.3.0"
    => UserOperationDetails {
        required {
            /// The user operation.
            user_operation_hash: UserOperationHash,
        }
    }
}
