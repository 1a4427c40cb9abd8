//! The actions of the account module (`/api?module=account`), except token transfers.
//!
//! The parameters have the names that the service uses. Where the documentation of an action mentions `all()`, Rust
//! code uses [`Client::all_rows`](crate::client::Client::all_rows).

use crate::endpoint::action_rules::{check_range_order, check_result_window, require_address, require_page_and_offset};
use crate::endpoint::declare::operations;
use crate::endpoint::params::{
    Address, Addresses, BlockNumber, BlockTag, Direction, Order, PageNumber, PageSize, TransactionHash, UnixSeconds,
};
use crate::endpoint::response::{Batched, Ranged, Rows, Value};
use crate::record::{Quantity, Uint};
use crate::types::*;

operations! {
    /// Returns the native balance of an address at a block, in wei, as a hex string such as `0x64`.
    EthGetBalanceParams "ethGetBalance" "/api?module=account&action=eth_get_balance"
    => Value<EthBalanceResponse, Quantity>, uncached() {
        required {
            /// The address.
            address: Address,
        }
        optional {
            /// The block. Default: `latest`. Balances at `earliest` and `pending` are usually not recorded: the
            /// service then responds with HTTP status 404 (error code `http_status`).
            block: BlockTag,
        }
    }

    /// Returns the native balance of an address, in wei. Null if the service does not know it yet: request it
    /// again later.
    BalanceParams "balance" "/api?module=account&action=balance" => Value<ValueResponse, Option<Uint>>, uncached() {
        required {
            /// The address.
            address: Address,
        }
    }

    /// Returns the native balances of any number of addresses, in the order of `address`.
    BalanceMultiParams "balanceMulti" "/api?module=account&action=balancemulti" => Batched<Balance>, uncached() {
        required {
            /// The addresses. Each distinct address is requested once, in batches of 20.
            address: Addresses,
        }
    }

    /// Lists the pending transactions of an address, newest first.
    PendingTxListParams "pendingTxList" "/api?module=account&action=pendingtxlist"
    => Rows<PendingTransaction>, rules(&[require_page_and_offset, check_result_window]) {
        required {
            /// The address.
            address: Address,
        }
        optional {
            /// The page number, from 1. Requires `offset`.
            page: PageNumber,
            /// The maximum number of rows per page. Requires `page`.
            offset: PageSize,
        }
    }

    /// Lists the transactions of an address. Returns at most 10,000 rows: `all()` reads more.
    TxListParams "txList" "/api?module=account&action=txlist"
    => Ranged<AccountTransaction>, rules(&[require_page_and_offset, check_result_window, check_range_order]) {
        required {
            /// The address.
            address: Address,
        }
        optional {
            /// The order of blocks. Default: `desc`, newest first.
            sort: Order,
            /// The first block of the range. Default: 0.
            startblock: BlockNumber,
            /// The last block of the range, included. Default: the latest block.
            endblock: BlockNumber,
            /// The page number, from 1. Requires `offset`.
            page: PageNumber,
            /// The maximum number of rows per page. Requires `page`.
            offset: PageSize,
            /// Only transactions to the address (`to`) or from it (`from`). Default: both, and the transaction
            /// that created the address.
            filter_by: Direction,
            /// Only transactions at or after this time, in Unix seconds.
            start_timestamp: UnixSeconds,
            /// Only transactions at or before this time, in Unix seconds.
            end_timestamp: UnixSeconds,
        }
    }

    /// Lists the internal transactions of an address, of a transaction or of the whole chain. Returns at most
    /// 10,000 rows: `all()` reads all rows of an address.
    TxListInternalParams "txListInternal" "/api?module=account&action=txlistinternal"
    => Ranged<AccountInternalTransaction>,
        rules(&[require_address, require_page_and_offset, check_result_window, check_range_order]) {
        optional {
            /// Only internal transactions of this transaction. Ignored where `address` is given.
            txhash: TransactionHash,
            /// Only internal transactions of this address.
            address: Address,
            /// Whether to include internal transactions that transfer no value. Default: `false`.
            include_zero_value since "9.0.0": bool,
            /// The order of blocks. Default: `desc`, newest first. Requires `address`.
            sort: Order,
            /// The first block of the range. Default: 0. Requires `address`.
            startblock: BlockNumber,
            /// The last block of the range, included. Default: the latest block. Requires `address`.
            endblock: BlockNumber,
            /// The page number, from 1. Requires `address` and `offset`.
            page: PageNumber,
            /// The maximum number of rows per page. Requires `address` and `page`.
            offset: PageSize,
        }
    }

    /// Returns the balance of a token that an address holds, in base units. `"0"` can also mean that the
    /// service has no record of a balance. Null if the service does not know the balance yet.
    TokenBalanceParams "tokenBalance" "/api?module=account&action=tokenbalance"
    => Value<ValueResponse, Option<Uint>>, uncached() {
        required {
            /// The token contract.
            contractaddress: Address,
            /// The holder.
            address: Address,
        }
    }

    /// Lists the tokens that an address holds.
    TokenListParams "tokenList" "/api?module=account&action=tokenlist" => Rows<TokenHolding>, uncached() {
        required {
            /// The holder.
            address: Address,
        }
    }

    /// Lists the blocks that an address mined or validated. Returns at most 10,000 rows: use `page` and `offset`
    /// for more.
    GetMinedBlocksParams "getMinedBlocks" "/api?module=account&action=getminedblocks"
    => Rows<MinedBlock>, rules(&[require_page_and_offset]) {
        required {
            /// The miner or validator.
            address: Address,
        }
        optional {
            /// The page number, from 1. Requires `offset`.
            page: PageNumber,
            /// The maximum number of rows per page. Requires `page`.
            offset: PageSize,
        }
    }

    /// Lists accounts with their native balances, in the order in which the service first saw them.
    ListAccountsParams "listAccounts" "/api?module=account&action=listaccounts"
    => Rows<Account>, uncached(), rules(&[require_page_and_offset, check_result_window]) {
        optional {
            /// The page number, from 1. Requires `offset`.
            page: PageNumber,
            /// The maximum number of rows per page. Default: 10. Requires `page`.
            offset: PageSize,
        }
    }
}
