//! The lists and lookups of one transaction or block in the REST API, and user operations.

use crate::endpoint::declare::operations;
use crate::endpoint::operation::QueryParams;
use crate::endpoint::params::{
    Address, AddressRelation, Addresses, Amount, BlockId, BlockNumber, FilteredContracts, FilteredTypes, FunctionNames,
    FunctionSelectors, Time, TokenTypes, TransactionHash, UserOperationHash,
};
use crate::endpoint::response::{List, Single};
use crate::error::Error;
use crate::types::*;

/// The maximum number of functions, and of contracts, that `advancedFilters` accepts. The service silently drops
/// further ones.
const MAX_FILTERS: usize = 20;

operations! {
    /// Lists the token transfers of a transaction.
    TransactionTokenTransfersParams "transactionTokenTransfers" "/api/v2/transactions/{transaction_hash}/token-transfers"
    => List<TokenTransfer>, costs(30) {
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
    TransactionInternalTransactionsParams "transactionInternalTransactions" "/api/v2/transactions/{transaction_hash}/internal-transactions"
    => List<InternalTransaction, InternalTransactions>, costs(40) {
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
    TransactionLogsParams "transactionLogs" "/api/v2/transactions/{transaction_hash}/logs" => List<Log>, costs(30) {
        required {
            /// The transaction. The service responds with HTTP status 404 to an unknown hash.
            transaction_hash: TransactionHash,
        }
        cursor { block_number: "number", index: "number", items_count: "number | undefined" }
    }

    // Up to version 11, `items_count` of the cursor is a number of rows to skip, so no request may choose it.
    /// Lists the balances that a transaction changed. The service computes them from balances that its node has stored: this can
    /// take long, fail with HTTP status 500, or return nothing.
    TransactionStateChangesParams "transactionStateChanges" "/api/v2/transactions/{transaction_hash}/state-changes"
    => List<StateChange>, costs(30), uncached(), fixed_pages() {
        required {
            /// The transaction. The service responds with HTTP status 404 to an unknown hash.
            transaction_hash: TransactionHash,
        }
        cursor {
            state_changes_count: "number | undefined", state_changes: "null | undefined", items_count: "number | undefined",
        }
    }

    /// Lists the transactions of a block, in the order in which they were executed.
    BlockTransactionsParams "blockTransactions" "/api/v2/blocks/{block_hash_or_number}/transactions"
    => List<Transaction> {
        required {
            /// The number or the hash of the block. The service responds with HTTP status 404 to an unknown one.
            block_hash_or_number: BlockId,
        }
        cursor { block_number: "number", index: "number", items_count: "number | undefined" }
    }

    /// Lists the withdrawals from the beacon chain in a block, newest first.
    BlockWithdrawalsParams "blockWithdrawals" "/api/v2/blocks/{block_hash_or_number}/withdrawals" => List<Withdrawal> {
        required {
            /// The number or the hash of the block. The service responds with HTTP status 404 to an unknown one.
            block_hash_or_number: BlockId,
        }
        cursor { index: "number", items_count: "number | undefined" }
    }

    /// Lists user operations (ERC-4337), newest first. The service responds with HTTP status 501 where it does not index them.
    UserOperationsParams "userOperations" "/api/v2/proxy/account-abstraction/operations" since "6.3.0"
    => List<UserOperation>, fixed_pages() {
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
        cursor { page_token: "string", page_size: "number" }
    }

    /// Lists transactions, internal transactions and token transfers of the whole chain together, newest block and transaction first. The
    /// rows of one transaction are the transaction, then token transfers, then internal transactions.
    ///
    /// For an account statement, use `history` of `address-query/history`. This list lacks pending transactions,
    /// withdrawals, block rewards, and contract creations seen from the created contract. A contract creation has two
    /// rows: the transaction, and an internal transaction. `fee` is the fee of the transaction on its first row of a
    /// page, and `"0"` on its other rows. A request for a busy address can take 20 seconds, and fails after 60: set
    /// `age_from`.
    AdvancedFiltersParams "advancedFilters" "/api/v2/advanced-filters" since "6.9.0"
    => List<AdvancedFilterRow, AdvancedFilterRows>, costs(50), fixed_pages(),
        rules(&[check_number_of_functions, check_number_of_contracts]) {
        optional {
            /// Only rows of these types. Default: all.
            transaction_types: FilteredTypes,
            /// Only calls of functions with these selectors, at most 20 together with `methods_names`. Default: all.
            methods: FunctionSelectors,
            /// Only calls of functions with these names, such as `transfer`, if the service knows them. Default: all.
            methods_names: FunctionNames,
            /// Only rows from this time on. Default: no bound.
            age_from: Time,
            /// Only rows up to this time. Default: no bound.
            age_to: Time,
            /// Only rows from these addresses. Default: all.
            from_address_hashes_to_include: Addresses,
            /// No rows from these addresses. Default: none are excluded.
            from_address_hashes_to_exclude: Addresses,
            /// Only rows to these addresses. Default: all.
            to_address_hashes_to_include: Addresses,
            /// No rows to these addresses. Default: none are excluded.
            to_address_hashes_to_exclude: Addresses,
            /// Whether a row must match both `from_address_hashes_to_include` and `to_address_hashes_to_include`, or one of them. Default:
            /// `or`.
            address_relation: AddressRelation,
            /// Only rows of at least this amount, in whole coins or tokens, such as `0.5`: not in wei or base units. Default: no bound.
            amount_from: Amount,
            /// Only rows of at most this amount, in whole coins or tokens. Default: no bound.
            amount_to: Amount,
            /// Only transfers of these tokens, at most 20: contract addresses, or `native` for the native coin. Default: all.
            token_contract_address_hashes_to_include: FilteredContracts,
            /// No transfers of these tokens, at most 20. Default: none are excluded.
            token_contract_address_hashes_to_exclude: FilteredContracts,
        }
        cursor {
            block_number: "number", transaction_index: "number", internal_transaction_index: "number | null",
            token_transfer_index: "number | null", token_transfer_batch_index: "number | null", items_count: "number | undefined",
        }
    }

    /// Returns a description of a transaction in words. The service responds with HTTP status 403 where it has no interpreter.
    TransactionSummaryParams "transactionSummary" "/api/v2/transactions/{transaction_hash}/summary" since "5.4.0"
    => Single<TransactionSummary>, costs(50) {
        required {
            /// The transaction.
            transaction_hash: TransactionHash,
        }
    }

    /// Returns a block. The service responds with HTTP status 404 to an unknown block. `client.block` has the actions
    /// of the block module.
    BlockDetailsParams "blockDetails" "/api/v2/blocks/{block_hash_or_number}" => Single<Block> {
        required {
            /// The number or the hash of the block.
            block_hash_or_number: BlockId,
        }
    }

    /// Returns a user operation (ERC-4337) with its call data. The service responds with HTTP status 404 to an unknown hash, and
    /// with 501 where it does not index user operations.
    UserOperationParams "userOperation" "/api/v2/proxy/account-abstraction/operations/{user_operation_hash}" since "6.3.0"
    => Single<UserOperationDetails> {
        required {
            /// The user operation.
            user_operation_hash: UserOperationHash,
        }
    }
}

/// The selectors and names of functions count together.
fn check_number_of_functions(params: &QueryParams<'_>) -> Result<(), Error> {
    let lists = [params.get("methods"), params.get("methods_names")];
    check_number(if lists[0].is_some() { "methods" } else { "methods_names" }, &lists)
}

fn check_number_of_contracts(params: &QueryParams<'_>) -> Result<(), Error> {
    ["token_contract_address_hashes_to_include", "token_contract_address_hashes_to_exclude"]
        .into_iter()
        .try_for_each(|name| check_number(name, &[params.get(name)]))
}

/// Checks the number of values in comma-separated lists.
fn check_number(name: &str, lists: &[Option<&str>]) -> Result<(), Error> {
    let count: usize = lists.iter().flatten().map(|list| 1 + list.bytes().filter(|byte| *byte == b',').count()).sum();
    if count > MAX_FILTERS { Err(Error::invalid_parameter(name, "must have at most 20 values")) } else { Ok(()) }
}
