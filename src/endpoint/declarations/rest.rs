//! The lists and lookups of the REST API (`/api/v2`).

use crate::endpoint::list::lists;
use crate::endpoint::lookup::lookups;
use crate::endpoint::params::{
    Address, AddressSort, BlockType, Direction, NftTypes, Order, TokenTypes, Topic, TransactionHash, TransactionSort,
    TransactionState, TransactionType,
};

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
            /// Only NFTs of these token standards. Default: all.
            r#type: NftTypes,
        }
        cursor {
            token_contract_address_hash: "string", token_id: "string", token_type: "string",
            items_count: "number | undefined",
        }
    }

    /// Lists the event logs that an address emitted, newest first.
    AddressLogsParams "addressLogs" "/addresses/{address_hash}/logs" costs 30 => Log, ItemsOnly {
        required {
            /// The contract that emitted the logs.
            address_hash: Address,
        }
        optional {
            /// Only logs with this topic, in any of the four positions. Default: all logs.
            topic: Topic,
        }
        cursor { block_number: "number", index: "number", items_count: "number | undefined" }
        keyset block_number { block_number, index }
    }

    /// Lists the token transfers of the whole chain, newest first.
    TokenTransfersParams "tokenTransfers" "/token-transfers" since "6.9.0" costs 30 => TokenTransfer, ItemsOnly {
        optional {
            /// Only transfers of these token standards. Default: all.
            r#type: TokenTypes,
        }
        cursor { block_number: "number | undefined", index: "number | undefined" }
        keyset block_number { block_number, index }
    }

    // Not a keyset: the service estimates the times of the items from the first and last block of their page.
    /// Lists the changes of an address's native balance, newest first.
    AddressCoinBalanceHistoryParams "addressCoinBalanceHistory"
    "/addresses/{address_hash}/coin-balance-history" costs 50 => CoinBalanceChange, ItemsOnly, uncached {
        required {
            /// The address.
            address_hash: Address,
        }
        cursor { block_number: "number", items_count: "number | undefined" }
    }

    /// Lists the internal transactions of an address, newest first. This can take long for addresses with many of them.
    AddressInternalTransactionsParams "addressInternalTransactions"
    "/addresses/{address_hash}/internal-transactions" costs 40 => InternalTransaction, InternalTransactions {
        required {
            /// The address.
            address_hash: Address,
        }
        optional {
            /// Only internal transactions to the address (`to`) or from it (`from`). Default: both.
            filter: Direction,
            /// Whether to include internal transactions that transfer no value. Default: `true`.
            include_zero_value since "12.0.0": bool,
        }
        cursor {
            block_number: "number", index: "number", transaction_index: "number", items_count: "number | undefined",
        }
        keyset block_number { block_number, transaction_index, index }
    }

    /// Lists the token transfers to and from an address, newest first.
    AddressTokenTransfersParams "addressTokenTransfers"
    "/addresses/{address_hash}/token-transfers" costs 30 => TokenTransfer, ItemsOnly {
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
        keyset block_number { block_number, index }
    }

    /// Lists the withdrawals from the beacon chain to an address, newest first.
    AddressWithdrawalsParams "addressWithdrawals" "/addresses/{address_hash}/withdrawals" => Withdrawal, ItemsOnly {
        required {
            /// The receiver.
            address_hash: Address,
        }
        cursor { index: "number", items_count: "number | undefined" }
        keyset index { index }
    }

    /// Lists the transactions of an address: pending ones first, then newest first. This can take long for addresses with
    /// many transactions.
    AddressTransactionsParams "addressTransactions"
    "/addresses/{address_hash}/transactions" => Transaction, ItemsOnly {
        required {
            /// The address.
            address_hash: Address,
        }
        optional {
            /// Only transactions to the address (`to`) or from it (`from`). Default: both.
            filter: Direction,
            /// The value to sort by. Default: `block_number`.
            sort: TransactionSort,
            /// The sort order. Default: `desc`, newest or largest first.
            order: Order,
        }
        paired_defaults { "sort": "block_number", "order": "desc" }
        cursor {
            block_number: "number | null", index: "number | null", inserted_at: "string | undefined",
            hash: "string | undefined", value: "string | undefined", fee: "string | undefined",
            items_count: "number | undefined",
        }
        keyset block_number { block_number, index }
    }

    /// Lists the tokens that an address holds, highest fiat value first. ERC-1155 and ERC-404 tokens have an item for each
    /// token id.
    AddressTokensParams "addressTokens" "/addresses/{address_hash}/tokens" => TokenBalance, ItemsOnly, uncached {
        required {
            /// The holder.
            address_hash: Address,
        }
        optional {
            /// Only tokens of these token standards. Default: all.
            r#type: TokenTypes,
        }
        cursor {
            fiat_value: "string | null", value: "string | null", id: "number", items_count: "number | undefined",
        }
    }

    /// Lists all tokens that an address holds on one page, highest fiat value first. The page of a busy address has many
    /// megabytes: prefer `addressTokens`.
    AddressTokenBalancesParams "addressTokenBalances"
    "/addresses/{address_hash}/token-balances" => TokenBalance, ItemsOnly or array, uncached {
        required {
            /// The holder.
            address_hash: Address,
        }
    }

    /// Lists the NFTs that an address holds by collection, sorted by token standard and contract.
    AddressNftCollectionsParams "addressNftCollections"
    "/addresses/{address_hash}/nft/collections" => NftCollection, ItemsOnly {
        required {
            /// The holder.
            address_hash: Address,
        }
        optional {
            /// Only NFTs of these token standards. Default: all.
            r#type: NftTypes,
        }
        cursor { token_contract_address_hash: "string", token_type: "string", items_count: "number | undefined" }
    }

    /// Lists the blocks that an address mined or validated, newest first.
    AddressBlocksValidatedParams "addressBlocksValidated"
    "/addresses/{address_hash}/blocks-validated" => Block, ItemsOnly {
        required {
            /// The miner or validator.
            address_hash: Address,
        }
        cursor { block_number: "number", items_count: "number | undefined" }
        keyset height { block_number }
    }

    /// Lists the native balance of an address at the end of each day, oldest first. Days without a change are missing. The
    /// last item is the latest balance. There is one page.
    AddressCoinBalanceHistoryByDayParams "addressCoinBalanceHistoryByDay"
    "/addresses/{address_hash}/coin-balance-history-by-day" => DailyCoinBalance, DailyCoinBalances or array, uncached {
        required {
            /// The address.
            address_hash: Address,
        }
    }

    /// Lists the deposits to the beacon chain that an address sent, newest first. Only Ethereum and its testnets have this
    /// list.
    AddressBeaconDepositsParams "addressBeaconDeposits"
    "/addresses/{address_hash}/beacon/deposits" since "9.1.0" => BeaconDeposit, ItemsOnly {
        required {
            /// The sender.
            address_hash: Address,
        }
        cursor { index: "number", items_count: "number | undefined" }
        keyset index { index }
    }

    /// Lists the election rewards of an address, newest first. Only Celo has this list, and it responds with HTTP status
    /// 404 for an unknown address.
    AddressCeloElectionRewardsParams "addressCeloElectionRewards"
    "/addresses/{address_hash}/celo/election-rewards" => ElectionReward, ItemsOnly {
        required {
            /// The account that received the rewards.
            address_hash: Address,
        }
        cursor {
            epoch_number: "number", amount: "string", associated_account_address_hash: "string", type: "string",
            items_count: "number | undefined",
        }
    }

    /// Lists the transactions of the whole chain, newest first.
    TransactionsParams "transactions" "/transactions" => Transaction, ItemsOnly {
        optional {
            /// Only transactions in a block (`validated`), or in none yet (`pending`). Default: `validated`.
            filter: TransactionState,
            /// Only transactions of this type. Default: all.
            r#type: TransactionType,
        }
        cursor {
            block_number: "number | undefined", index: "number | undefined", hash: "string | undefined",
            inserted_at: "string | undefined", items_count: "number | undefined",
        }
        keyset block_number { block_number, index }
    }

    /// Lists the internal transactions of the whole chain or of one transaction, newest first.
    InternalTransactionsParams "internalTransactions"
    "/internal-transactions" costs 40 => InternalTransaction, InternalTransactions {
        optional {
            /// Only internal transactions of this transaction. Default: all.
            transaction_hash: TransactionHash,
            /// Whether to include internal transactions that transfer no value. Default: `true`.
            include_zero_value since "12.0.0": bool,
        }
        cursor {
            block_number: "number", index: "number", transaction_index: "number", items_count: "number | undefined",
        }
        keyset block_number { block_number, transaction_index, index }
    }

    /// Lists the withdrawals from the beacon chain of the whole chain, newest first.
    WithdrawalsParams "withdrawals" "/withdrawals" => Withdrawal, ItemsOnly {
        cursor { index: "number", items_count: "number | undefined" }
        keyset index { index }
    }

    /// Lists the blocks of the chain, newest first: the first item is the latest block.
    BlocksParams "blocks" "/blocks" => Block, ItemsOnly {
        optional {
            /// Only blocks of the canonical chain (`block`), uncles (`uncle`), or blocks that a reorganisation removed
            /// (`reorg`). Default: `block`.
            r#type: BlockType,
        }
        cursor { block_number: "number", items_count: "number | undefined" }
        keyset height { block_number }
    }
}

lookups! {
    /// Returns an address with what the service knows of it. An unknown address is returned without a balance.
    AddressParams "address" "/addresses/{address_hash}" => AddressInfo, uncached {
        required {
            /// The address.
            address_hash: Address,
        }
    }

    /// Returns the numbers of records of an address.
    AddressCountersParams "addressCounters" "/addresses/{address_hash}/counters" => AddressCounters {
        required {
            /// The address.
            address_hash: Address,
        }
    }

    /// Returns the numbers of records of an address up to 51, for the tabs of its page.
    AddressTabsCountersParams "addressTabsCounters" "/addresses/{address_hash}/tabs-counters" since "5.2.2"
    => AddressTabsCounters {
        required {
            /// The address.
            address_hash: Address,
        }
    }

    /// Returns a contract: its verified source code and ABI, and the implementations of a proxy. The response can have megabytes. The
    /// service responds with HTTP status 404 to an address that is not a contract.
    SmartContractParams "smartContract" "/smart-contracts/{address_hash}" => SmartContract {
        required {
            /// The contract.
            address_hash: Address,
        }
    }

    /// Returns a transaction, with its token transfers. The service responds with HTTP status 404 to an unknown hash.
    TransactionParams "transaction" "/transactions/{transaction_hash}" => Transaction {
        required {
            /// The transaction.
            transaction_hash: TransactionHash,
        }
    }

    /// Returns statistics of the chain, and the price of its native coin.
    StatsParams "stats" "/stats" => ChainStats {}

    /// Returns the version of the backend. `instance()` returns it together with the following two.
    BackendVersionParams "backendVersion" "/config/backend-version" => BackendVersion {}

    /// Returns how much of the chain the instance has indexed.
    IndexingStatusParams "indexingStatus" "/main-page/indexing-status" => IndexingStatus {}

    /// Returns settings of the backend. Old versions do not have this lookup, and respond with HTTP status 400 or 404.
    BackendConfigParams "backendConfig" "/config/backend" => BackendConfig {}
}
