//! The actions of the module/action API (`/api?module=…`), by module.
//!
//! The parameter names are those of the service. Where the documentation of an action mentions `all()`, Rust code uses
//! [`Client::all_rows`](crate::client::Client::all_rows).

use crate::endpoint::action::actions;
use crate::endpoint::action_rules::{
    check_calls, check_contract_count, check_range_order, check_result_window, check_topics, require_address,
    require_address_or_contract, require_page_and_offset,
};
use crate::endpoint::params::{
    Address, Addresses, BlockNumber, BlockTag, CallData, Closest, Direction, LastBlock, Order, PageNumber, PageSize,
    Topic, TopicOperator, TransactionHash, UnixSeconds,
};
use crate::record::{Quantity, Uint};
use crate::types::ClosestBlock;

/// Declares all actions. The token transfer actions share one set of parameters, which this macro states once.
macro_rules! with_token_transfers {
    (transfers {
        $( $(#[doc = $doc:expr])* $name:ident $method:literal $action:literal $(since $since:literal)? => $record:ident; )*
    } others { $( $others:tt )* } block { $( $block:tt )* } contract { $( $contract:tt )* } logs { $( $logs:tt )* } rpc { $( $rpc:tt )* }) => {
        actions! { module "account" {
            $( $others )*
            $(
                $(#[doc = $doc])*
                /// Requires an address, a token contract, or both. Returns at most 10,000 rows: `all()` reads more.
                ///
                /// No account action returns ERC-7984 transfers: use `addressTokenTransfers` or `tokenTransfers` with
                /// `type: "ERC-7984"`.
                $name $method $action $(since $since)? => ranged $record {
                    optional {
                        /// The sender or receiver. Either `address` or `contractaddress` is required.
                        address: Address,
                        /// The token contract. Either `contractaddress` or `address` is required.
                        contractaddress: Address,
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
                    }
                    rules { require_address_or_contract, require_page_and_offset, check_result_window, check_range_order }
                }
            )*
        } module "block" {
            $( $block )*
        } module "contract" {
            $( $contract )*
        } module "logs" {
            $( $logs )*
        } module "rpc" {
            $( $rpc )*
        } }
    };
}

with_token_transfers! {
    transfers {
        /// Lists transfers of ERC-20 tokens.
        TokenTxParams "tokenTx" "tokentx" => Erc20Transfer;
        /// Lists transfers of ERC-721 tokens.
        TokenNftTxParams "tokenNftTx" "tokennfttx" => Erc721Transfer;
        /// Lists transfers of ERC-1155 tokens.
        Token1155TxParams "token1155Tx" "token1155tx" since "9.0.0" => Erc1155Transfer;
        /// Lists transfers of ERC-404 tokens.
        Token404TxParams "token404Tx" "token404tx" since "9.0.0" => Erc404Transfer;
    } others {
        /// Returns the native balance of an address at a block, in wei, as a hex string such as `0x64`.
        EthGetBalanceParams "ethGetBalance" "eth_get_balance" => value EthBalanceResponse in Quantity, uncached {
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
        BalanceParams "balance" "balance" => value ValueResponse in Option<Uint>, uncached {
            required {
                /// The address.
                address: Address,
            }
        }

        /// Returns the native balances of any number of addresses, in the order of `address`.
        BalanceMultiParams "balanceMulti" "balancemulti" => batched Balance, uncached {
            required {
                /// The addresses. Each distinct address is requested once, in batches of 20.
                address: Addresses,
            }
        }

        /// Lists the pending transactions of an address, newest first.
        PendingTxListParams "pendingTxList" "pendingtxlist" => rows PendingTransaction {
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
            rules { require_page_and_offset, check_result_window }
        }

        /// Lists the transactions of an address. Returns at most 10,000 rows: `all()` reads more.
        TxListParams "txList" "txlist" => ranged AccountTransaction {
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
            rules { require_page_and_offset, check_result_window, check_range_order }
        }

        /// Lists the internal transactions of an address, of a transaction or of the whole chain. Returns at most
        /// 10,000 rows: `all()` reads all rows of an address.
        TxListInternalParams "txListInternal" "txlistinternal" => ranged AccountInternalTransaction {
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
            rules { require_address, require_page_and_offset, check_result_window, check_range_order }
        }

        /// Returns the balance of a token that an address holds, in base units. `"0"` can also mean that the
        /// service has no record of a balance. Null if the service does not know the balance yet.
        TokenBalanceParams "tokenBalance" "tokenbalance" => value ValueResponse in Option<Uint>, uncached {
            required {
                /// The token contract.
                contractaddress: Address,
                /// The holder.
                address: Address,
            }
        }

        /// Lists the tokens that an address holds.
        TokenListParams "tokenList" "tokenlist" => rows TokenHolding, uncached {
            required {
                /// The holder.
                address: Address,
            }
        }

        /// Lists the blocks that an address mined or validated. Returns at most 10,000 rows: use `page` and `offset`
        /// for more.
        GetMinedBlocksParams "getMinedBlocks" "getminedblocks" => rows MinedBlock {
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
            rules { require_page_and_offset }
        }

        /// Lists accounts with their native balances, in the order in which the service first saw them.
        ListAccountsParams "listAccounts" "listaccounts" => rows Account, uncached {
            optional {
                /// The page number, from 1. Requires `offset`.
                page: PageNumber,
                /// The maximum number of rows per page. Default: 10. Requires `page`.
                offset: PageSize,
            }
            rules { require_page_and_offset, check_result_window }
        }
    } block {
        /// Returns the number of the block closest to a time. The call is rejected with code `refused` if there is no such
        /// block.
        GetBlockNoByTimeParams "getBlockNoByTime" "getblocknobytime" => value ClosestBlockResponse in ClosestBlock {
            required {
                /// The time, in Unix seconds.
                timestamp: UnixSeconds,
                /// Whether to return the last block before the time, or the first one after it.
                closest: Closest,
            }
        }
    } contract {
        /// Lists the creations of contracts: who created each, and with which transaction. Addresses that are not contracts, or that the
        /// service does not know, have no row. JavaScript accepts any number of addresses, and requests them in batches of 10.
        GetContractCreationParams "getContractCreation" "getcontractcreation" => rows ContractCreation {
            required {
                /// The contracts. In Rust, at most 10.
                contractaddresses: Addresses,
            }
            rules { check_contract_count }
        }
    } logs {
        /// Lists the event logs of a contract, or of the whole chain by their topics, oldest first. Returns at most 1,000 rows: `all()`
        /// reads more. More than 1,000 logs of one block are out of reach.
        ///
        /// Anyone can emit a log with any topics: a log proves something only if its contract is trusted.
        GetLogsParams "getLogs" "getLogs" => logs EventLog {
            required {
                /// The first block of the range.
                from_block = "fromBlock": BlockNumber,
                /// The last block of the range, included.
                to_block = "toBlock": LastBlock,
            }
            optional {
                /// The contract that emitted the logs. Either `address` or a topic is required.
                address: Address,
                /// The first topic: usually the hash of the event signature.
                topic0: Topic,
                /// The second topic: usually the first indexed parameter.
                topic1: Topic,
                /// The third topic.
                topic2: Topic,
                /// The fourth topic.
                topic3: Topic,
                /// How `topic0` and `topic1` select logs. Required if both are given.
                topic0_1_opr: TopicOperator,
                /// How `topic0` and `topic2` select logs. Required if both are given.
                topic0_2_opr: TopicOperator,
                /// How `topic0` and `topic3` select logs. Required if both are given.
                topic0_3_opr: TopicOperator,
                /// How `topic1` and `topic2` select logs. Required if both are given.
                topic1_2_opr: TopicOperator,
                /// How `topic1` and `topic3` select logs. Required if both are given.
                topic1_3_opr: TopicOperator,
                /// How `topic2` and `topic3` select logs. Required if both are given.
                topic2_3_opr: TopicOperator,
            }
            rules { check_topics, check_range_order }
        }
    } rpc {
        /// Calls functions of contracts at a block, without a transaction: reads their state. One row for each call, with the index of
        /// the call. In Rust, rows can be in any order.
        ///
        /// A browser sends a preflight request first, because it is a POST of JSON. An operator can switch it off: each row then has an error.
        EthCallParams "ethCall" "eth_call" since "6.3.0" => called EthCallResult, uncached {
            required {
                /// The contract of each call. In Rust, at most 5.
                to: Addresses,
                /// The data of each call: the selector of the function and its encoded arguments.
                data: CallData,
            }
            optional {
                /// The block. Default: `latest`.
                block: BlockTag,
            }
            rules { check_calls }
        }
    }
}
