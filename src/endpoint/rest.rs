//! The lists of the REST API (`/api/v2`).

use super::list::lists;
use super::params::{Address, AddressSort, Direction, Order, TokenTypes, Topic};

lists! {
    /// Lists all addresses that hold the native coin, largest balance first. The service may serve the first page from
    /// a cache.
    AddressesParams "addresses" "/addresses" => AddressListItem, Addresses, uncached {
        optional {
            /// The value to sort by. Default: `balance`.
            sort: AddressSort,
            /// The sort order. Default: `desc`, largest first.
            order: Order,
        }
        paired_defaults { "sort": "balance", "order": "desc" }
        cursor {
            fetched_coin_balance: "string", hash: "string", transactions_count: "number | null",
            items_count: "number | undefined",
        }
    }

    /// Lists the NFTs that an address holds, sorted by token standard, contract and token id.
    AddressNftParams "addressNft" "/addresses/{address_hash}/nft" => NftInstance, ItemsOnly {
        required {
            /// The holder.
            address_hash: Address,
        }
        optional {
            /// Only NFTs of these token standards: ERC-721, ERC-1155 or ERC-404. Default: all.
            r#type: TokenTypes,
        }
        cursor {
            token_contract_address_hash: "string", token_id: "string", token_type: "string",
            items_count: "number | undefined",
        }
    }

    /// Lists the event logs that an address emitted, newest first.
    AddressLogsParams "addressLogs" "/addresses/{address_hash}/logs" => Log, ItemsOnly {
        required {
            /// The contract that emitted the logs.
            address_hash: Address,
        }
        optional {
            /// Only logs with this topic, in any of the four positions. Default: all logs.
            topic: Topic,
        }
        cursor { block_number: "number", index: "number", items_count: "number | undefined" }
    }

    /// Lists the token transfers of the whole chain, newest first.
    TokenTransfersParams "tokenTransfers" "/token-transfers" => TokenTransfer, ItemsOnly {
        optional {
            /// Only transfers of these token standards. Default: all.
            r#type: TokenTypes,
        }
        cursor { block_number: "number | undefined", index: "number | undefined" }
    }

    /// Lists the changes of an address's native balance, newest first.
    AddressCoinBalanceHistoryParams "addressCoinBalanceHistory"
    "/addresses/{address_hash}/coin-balance-history" => CoinBalanceChange, ItemsOnly, uncached {
        required {
            /// The address.
            address_hash: Address,
        }
        cursor { block_number: "number", items_count: "number | undefined" }
    }

    /// Lists the internal transactions of an address, newest first. This can take long for addresses with many of them.
    AddressInternalTransactionsParams "addressInternalTransactions"
    "/addresses/{address_hash}/internal-transactions" => InternalTransaction, InternalTransactions {
        required {
            /// The address.
            address_hash: Address,
        }
        optional {
            /// Only internal transactions to the address (`to`) or from it (`from`). Default: both.
            filter: Direction,
            /// Whether to include internal transactions that transfer no value. Default: `true`. Requires service
            /// version 12 or later: earlier versions respond with HTTP status 422.
            include_zero_value: bool,
        }
        cursor {
            block_number: "number", index: "number", transaction_index: "number", items_count: "number | undefined",
        }
    }

    /// Lists the token transfers to and from an address, newest first.
    AddressTokenTransfersParams "addressTokenTransfers"
    "/addresses/{address_hash}/token-transfers" => TokenTransfer, ItemsOnly {
        required {
            /// The address.
            address_hash: Address,
        }
        optional {
            /// Only transfers of these token standards. Default: all.
            r#type: TokenTypes,
            /// Only transfers to the address (`to`) or from it (`from`). Default: both.
            filter: Direction,
            /// Only transfers of the token with this contract address. Default: all tokens.
            token: Address,
        }
        cursor { block_number: "number | undefined", index: "number | undefined" }
    }

    /// Lists the withdrawals from the beacon chain to an address, newest first.
    AddressWithdrawalsParams "addressWithdrawals" "/addresses/{address_hash}/withdrawals" => Withdrawal, ItemsOnly {
        required {
            /// The receiver.
            address_hash: Address,
        }
        cursor { index: "number", items_count: "number | undefined" }
    }
}
