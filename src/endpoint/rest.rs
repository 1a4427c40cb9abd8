//! The lists of the REST interface.

use super::lists;
use super::params::{Address, AddressSort, Direction, Order, Standards, Topic};

lists! {
    /// All addresses with a balance, largest balance first. The service may answer the first page from a cache.
    AddressesParams "addresses" "/addresses" => AddressListItem, Addresses {
        optional {
            /// What to sort by; left out: `balance`. Given without `order`, the largest come first.
            sort: AddressSort,
            /// Which end comes first; left out: `desc`.
            order: Order,
        }
        together { "sort": "balance", "order": "desc" }
        cursor {
            fetched_coin_balance: "string", hash: "string", transactions_count: "number | null",
            items_count: "number | undefined",
        }
    }

    /// NFTs held by an address: by standard, contract and token id.
    AddressNftParams "addressNft" "/addresses/{address_hash}/nft" => NftInstance, ItemsOnly {
        required {
            /// The holder.
            address_hash: Address,
        }
        optional {
            /// Only these token standards; ERC-721, ERC-1155 and ERC-404 make sense here.
            standards = "type": Standards,
        }
        cursor {
            token_contract_address_hash: "string", token_id: "string", token_type: "string",
            items_count: "number | undefined",
        }
    }

    /// Event logs emitted by an address, newest first.
    AddressLogsParams "addressLogs" "/addresses/{address_hash}/logs" => Log, ItemsOnly {
        required {
            /// The emitting contract.
            address_hash: Address,
        }
        optional {
            /// Only logs with this topic, in any of the four positions.
            topic: Topic,
        }
        cursor { block_number: "number", index: "number", items_count: "number | undefined" }
    }

    /// Token transfers of the whole chain, newest first.
    TokenTransfersParams "tokenTransfers" "/token-transfers" => TokenTransfer, ItemsOnly {
        optional {
            /// Only these token standards.
            standards = "type": Standards,
        }
        cursor { block_number: "number | undefined", index: "number | undefined" }
    }

    /// Changes of an address's native balance, newest first.
    AddressCoinBalanceHistoryParams "addressCoinBalanceHistory"
    "/addresses/{address_hash}/coin-balance-history" => CoinBalanceChange, ItemsOnly {
        required {
            /// The address.
            address_hash: Address,
        }
        cursor { block_number: "number", items_count: "number | undefined" }
    }

    /// Internal transactions of an address, newest first. Busy addresses may take long.
    AddressInternalTransactionsParams "addressInternalTransactions"
    "/addresses/{address_hash}/internal-transactions" => InternalTransaction, InternalTransactions {
        required {
            /// The address.
            address_hash: Address,
        }
        optional {
            /// Only those to, or only those from the address.
            filter: Direction,
            /// Whether those without value are listed. Only services from 12 on take it; others answer 422.
            include_zero_value: bool,
        }
        cursor {
            block_number: "number", index: "number", transaction_index: "number", items_count: "number | undefined",
        }
    }

    /// Token transfers to and from an address, newest first.
    AddressTokenTransfersParams "addressTokenTransfers"
    "/addresses/{address_hash}/token-transfers" => TokenTransfer, ItemsOnly {
        required {
            /// The address.
            address_hash: Address,
        }
        optional {
            /// Only these token standards.
            standards = "type": Standards,
            /// Only those to, or only those from the address.
            filter: Direction,
            /// Only this token: address hash of its contract.
            token: Address,
        }
        cursor { block_number: "number | undefined", index: "number | undefined" }
    }

    /// Withdrawals from the beacon chain to an address, newest first.
    AddressWithdrawalsParams "addressWithdrawals" "/addresses/{address_hash}/withdrawals" => Withdrawal, ItemsOnly {
        required {
            /// The receiver.
            address_hash: Address,
        }
        cursor { index: "number", items_count: "number | undefined" }
    }
}
