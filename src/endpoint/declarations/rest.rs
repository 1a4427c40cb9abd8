//! The lists and lookups of the REST API (`/api/v2`).

use crate::endpoint::declare::operations;
use crate::endpoint::params::{
    Address, AddressSort, BlockType, Direction, NftTypes, Order, TokenTypes, Topic, TransactionHash, TransactionSort,
    TransactionState, TransactionType,
};
use crate::endpoint::response::{List, Single};
use crate::types::*;

operations! {
    /// Lists all addresses that hold the native coin, largest balance first. The service may serve the first page from
    /// a cache.
    AddressesParams "addresses" "/api/v2/addresses"
    => List<AddressListItem, Addresses>, uncached(), paired_defaults(&[("sort", "balance"), ("order", "desc")]) {
        optional {
            /// The value to sort by. Default: `balance`.
            sort: AddressSort,
            /// The sort order. Default: `desc`, largest first.
            order: Order,
        }
        cursor {
            fetched_coin_balance: "string", hash: "string", transactions_count: "number | null",
            items_count: "number | undefined",
        }
    }

    /// Lists the NFTs that an address holds, sorted by token standard, contract and token id.
    AddressNftParams "addressNft" "/api/v2/addresses/{address_hash}/nft" => List<NftInstance> {
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
    AddressLogsParams "addressLogs" "/api/v2/addresses/{address_hash}/logs"
    => List<Log>, costs(30), keyset("block_number", &["block_number", "index"]) {
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
    TokenTransfersParams "tokenTransfers" "/api/v2/token-transfers" since "6.9.0"
    => List<TokenTransfer>, costs(30), keyset("block_number", &["block_number", "index"]) {
        optional {
            /// Only transfers of these token standards. Default: all.
            r#type: TokenTypes,
        }
        cursor { block_number: "number | undefined", index: "number | undefined" }
    }

    // Not a keyset: the service estimates the times of the items from the first and last block of their page.
    /// Lists the changes of an address's native balance, newest first.
    AddressCoinBalanceHistoryParams "addressCoinBalanceHistory" "/api/v2/addresses/{address_hash}/coin-balance-history"
    => List<CoinBalanceChange>, costs(50), uncached(), sorted_by_block() {
        required {
            /// The address.
            address_hash: Address,
        }
        cursor { block_number: "number", items_count: "number | undefined" }
    }

    /// Lists the internal transactions of an address, newest first. This can take long for addresses with many of them.
    AddressInternalTransactionsParams "addressInternalTransactions" "/api/v2/addresses/{address_hash}/internal-transactions"
    => List<InternalTransaction, InternalTransactions>, costs(40),
        keyset("block_number", &["block_number", "transaction_index", "index"]) {
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
    }

    /// Lists the token transfers to and from an address, newest first.
    AddressTokenTransfersParams "addressTokenTransfers" "/api/v2/addresses/{address_hash}/token-transfers"
    => List<TokenTransfer>, costs(30), keyset("block_number", &["block_number", "index"]) {
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
    AddressWithdrawalsParams "addressWithdrawals" "/api/v2/addresses/{address_hash}/withdrawals"
    => List<Withdrawal>, keyset("index", &["index"]) {
        required {
            /// The receiver.
            address_hash: Address,
        }
        cursor { index: "number", items_count: "number | undefined" }
    }

    /// Lists the transactions of an address: pending ones first, then newest first. This can take long for addresses with
    /// many transactions.
    AddressTransactionsParams "addressTransactions" "/api/v2/addresses/{address_hash}/transactions"
    => List<Transaction>, paired_defaults(&[("sort", "block_number"), ("order", "desc")]),
        keyset("block_number", &["block_number", "index"]) {
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
        cursor {
            block_number: "number | null", index: "number | null", inserted_at: "string | undefined",
            hash: "string | undefined", value: "string | undefined", fee: "string | undefined",
            items_count: "number | undefined",
        }
    }

    /// Lists the tokens that an address holds, highest fiat value first. ERC-1155 and ERC-404 tokens have an item for each
    /// token id.
    AddressTokensParams "addressTokens" "/api/v2/addresses/{address_hash}/tokens" => List<TokenBalance>, uncached() {
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
    AddressTokenBalancesParams "addressTokenBalances" "/api/v2/addresses/{address_hash}/token-balances"
    => List<TokenBalance>, uncached(), accepts_array() {
        required {
            /// The holder.
            address_hash: Address,
        }
    }

    /// Lists the NFTs that an address holds by collection, sorted by token standard and contract.
    AddressNftCollectionsParams "addressNftCollections" "/api/v2/addresses/{address_hash}/nft/collections"
    => List<NftCollection> {
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
    AddressBlocksValidatedParams "addressBlocksValidated" "/api/v2/addresses/{address_hash}/blocks-validated"
    => List<Block>, keyset("height", &["block_number"]) {
        required {
            /// The miner or validator.
            address_hash: Address,
        }
        cursor { block_number: "number", items_count: "number | undefined" }
    }

    /// Lists the native balance of an address at the end of each day, oldest first. Days without a change are missing. The
    /// last item is the latest balance. There is one page.
    AddressCoinBalanceHistoryByDayParams "addressCoinBalanceHistoryByDay" "/api/v2/addresses/{address_hash}/coin-balance-history-by-day"
    => List<DailyCoinBalance, DailyCoinBalances>, uncached(), accepts_array() {
        required {
            /// The address.
            address_hash: Address,
        }
    }

    /// Lists the deposits to the beacon chain that an address sent, newest first. Only Ethereum and its testnets have this
    /// list.
    AddressBeaconDepositsParams "addressBeaconDeposits" "/api/v2/addresses/{address_hash}/beacon/deposits" since "9.1.0"
    => List<BeaconDeposit>, keyset("index", &["index"]) {
        required {
            /// The sender.
            address_hash: Address,
        }
        cursor { index: "number", items_count: "number | undefined" }
    }

    /// Lists the election rewards of an address, newest first. Only Celo has this list, and it responds with HTTP status
    /// 404 for an unknown address.
    AddressCeloElectionRewardsParams "addressCeloElectionRewards" "/api/v2/addresses/{address_hash}/celo/election-rewards"
    => List<ElectionReward> {
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
    TransactionsParams "transactions" "/api/v2/transactions"
    => List<Transaction>, keyset("block_number", &["block_number", "index"]) {
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
    }

    /// Lists the internal transactions of the whole chain or of one transaction, newest first.
    InternalTransactionsParams "internalTransactions" "/api/v2/internal-transactions"
    => List<InternalTransaction, InternalTransactions>, costs(40),
        keyset("block_number", &["block_number", "transaction_index", "index"]) {
        optional {
            /// Only internal transactions of this transaction. Default: all.
            transaction_hash: TransactionHash,
            /// Whether to include internal transactions that transfer no value. Default: `true`.
            include_zero_value since "12.0.0": bool,
        }
        cursor {
            block_number: "number", index: "number", transaction_index: "number", items_count: "number | undefined",
        }
    }

    /// Lists the withdrawals from the beacon chain of the whole chain, newest first.
    WithdrawalsParams "withdrawals" "/api/v2/withdrawals" => List<Withdrawal>, keyset("index", &["index"]) {
        cursor { index: "number", items_count: "number | undefined" }
    }

    /// Lists the blocks of the chain, newest first: the first item is the latest block.
    BlocksParams "blocks" "/api/v2/blocks" => List<Block>, keyset("height", &["block_number"]) {
        optional {
            /// Only blocks of the canonical chain (`block`), uncles (`uncle`), or blocks that a reorganisation removed
            /// (`reorg`). Default: `block`.
            r#type: BlockType,
        }
        cursor { block_number: "number", items_count: "number | undefined" }
    }

    /// Returns what the service knows about an address. An unknown address is returned without a balance.
    AddressParams "address" "/api/v2/addresses/{address_hash}" => Single<AddressInfo>, uncached() {
        required {
            /// The address.
            address_hash: Address,
        }
    }

    /// Returns how many records of each kind an address has.
    AddressCountersParams "addressCounters" "/api/v2/addresses/{address_hash}/counters" => Single<AddressCounters> {
        required {
            /// The address.
            address_hash: Address,
        }
    }

    /// Returns how many records of each kind an address has, counting up to 51, for the tabs of its page.
    AddressTabsCountersParams "addressTabsCounters" "/api/v2/addresses/{address_hash}/tabs-counters" since "5.2.2"
    => Single<AddressTabsCounters> {
        required {
            /// The address.
            address_hash: Address,
        }
    }

    /// Returns a contract: its verified source code and ABI, and the implementations of a proxy. The response can be
    /// megabytes large. The service responds with HTTP status 404 to an address that is not a contract.
    SmartContractParams "smartContract" "/api/v2/smart-contracts/{address_hash}" => Single<SmartContract> {
        required {
            /// The contract.
            address_hash: Address,
        }
    }

    /// Returns a transaction, with its token transfers. The service responds with HTTP status 404 to an unknown hash.
    TransactionParams "transaction" "/api/v2/transactions/{transaction_hash}" => Single<Transaction> {
        required {
            /// The transaction.
            transaction_hash: TransactionHash,
        }
    }

    /// Returns statistics of the chain, and the price of its native coin.
    StatsParams "stats" "/api/v2/stats" => Single<ChainStats> {}

    /// Returns the version of the backend. `instance()` returns it together with `indexingStatus` and `backendConfig`.
    BackendVersionParams "backendVersion" "/api/v2/config/backend-version" => Single<BackendVersion> {}

    /// Returns how much of the chain the instance has indexed.
    IndexingStatusParams "indexingStatus" "/api/v2/main-page/indexing-status" => Single<IndexingStatus> {}

    /// Returns settings of the backend. Old versions do not have this lookup, and respond with HTTP status 400 or 404.
    BackendConfigParams "backendConfig" "/api/v2/config/backend" => Single<BackendConfig> {}
}
