//! The fourteen actions of the account module.

use super::action::{actions, holder_or_token, needs_address, paging, ranges, window};
use super::params::{
    Address, Addresses, BlockNumber, BlockTag, Direction, Order, PageNumber, PageSize, TransactionHash, UnixSeconds,
};
use crate::record::{Quantity, Uint};

/// Declares the four token transfer actions, which take the same parameters.
macro_rules! with_transfers {
    (transfers {
        $( $(#[doc = $doc:expr])* $name:ident $method:literal $action:literal $record:ident; )*
    } others { $( $others:tt )* }) => {
        actions! {
            $( $others )*
            $(
                $(#[doc = $doc])*
                /// Of an address, of a token, or of both; at most 10,000. ERC-7984 transfers are in no account action:
                /// `addressTokenTransfers` lists those of an address, `tokenTransfers` those of the chain, with `type`
                /// `"ERC-7984"`.
                $name $method $action => rows $record, ranged {
                    optional {
                        /// The address; it or `contractaddress` is required.
                        address: Address,
                        /// Address hash of the token contract; it or `address` is required.
                        contractaddress: Address,
                        /// Which end comes first; left out: `desc`, the newest.
                        sort: Order,
                        /// First block.
                        startblock: BlockNumber,
                        /// Last block.
                        endblock: BlockNumber,
                        /// Number of the page, from 1; together with `offset`.
                        page: PageNumber,
                        /// Records of a page; together with `page`.
                        offset: PageSize,
                    }
                    rules { holder_or_token, paging, window, ranges }
                }
            )*
        }
    };
}

with_transfers! {
    transfers {
        /// Transfers of ERC-20 tokens.
        TokenTxParams "tokenTx" "tokentx" Erc20Transfer;
        /// Transfers of ERC-721 tokens.
        TokenNftTxParams "tokenNftTx" "tokennfttx" Erc721Transfer;
        /// Transfers of ERC-1155 tokens.
        Token1155TxParams "token1155Tx" "token1155tx" Erc1155Transfer;
        /// Transfers of ERC-404 tokens.
        Token404TxParams "token404Tx" "token404tx" Erc404Transfer;
    } others {
        /// Native balance of an address at a block, in wei, as nodes spell it: `0x64`.
        EthGetBalanceParams "ethGetBalance" "eth_get_balance" => value EthBalanceAnswer in Quantity {
            required {
                /// The address.
                address: Address,
            }
            optional {
                /// The block; left out: `latest`. `earliest` and `pending` are usually not recorded: the
                /// service answers 404 then, code `http_status`.
                block: BlockTag,
            }
        }

        /// Native balance of an address, in wei. Null: not known yet; ask again later.
        BalanceParams "balance" "balance" => value ValueAnswer in Option<Uint> {
            required {
                /// The address.
                address: Address,
            }
        }

        /// Native balances of any number of addresses, in the order they were given.
        BalanceMultiParams "balanceMulti" "balancemulti" => rows Balance {
            required {
                /// The addresses; asked for by 20, each once.
                address: Addresses,
            }
        }

        /// Pending transactions of an address, newest first.
        PendingTxListParams "pendingTxList" "pendingtxlist" => rows PendingTransaction {
            required {
                /// The address.
                address: Address,
            }
            optional {
                /// Number of the page, from 1; together with `offset`.
                page: PageNumber,
                /// Records of a page; together with `page`.
                offset: PageSize,
            }
            rules { paging, window }
        }

        /// Transactions of an address, at most 10,000.
        TxListParams "txList" "txlist" => rows AccountTransaction, ranged {
            required {
                /// The address.
                address: Address,
            }
            optional {
                /// Which end comes first; left out: `desc`, the newest.
                sort: Order,
                /// First block.
                startblock: BlockNumber,
                /// Last block.
                endblock: BlockNumber,
                /// Number of the page, from 1; together with `offset`.
                page: PageNumber,
                /// Records of a page; together with `page`.
                offset: PageSize,
                /// Only those to, or only those from the address; left out: also those that created it.
                filter_by: Direction,
                /// Not before this time, in unix seconds.
                start_timestamp: UnixSeconds,
                /// Not after this time, in unix seconds.
                end_timestamp: UnixSeconds,
            }
            rules { paging, window, ranges }
        }

        /// Internal transactions of an address, of a transaction or of the whole chain, at most 10,000.
        TxListInternalParams "txListInternal" "txlistinternal" => rows AccountInternalTransaction, ranged {
            optional {
                /// Only those of this transaction; `address` wins over it.
                txhash: TransactionHash,
                /// Only those of this address.
                address: Address,
                /// Whether those without value are listed; left out: they are not.
                include_zero_value: bool,
                /// Which end comes first; left out: `desc`, the newest. Together with `address`.
                sort: Order,
                /// First block. Together with `address`.
                startblock: BlockNumber,
                /// Last block. Together with `address`.
                endblock: BlockNumber,
                /// Number of the page, from 1. Together with `address` and `offset`.
                page: PageNumber,
                /// Records of a page. Together with `address` and `page`.
                offset: PageSize,
            }
            rules { needs_address, paging, window, ranges }
        }

        /// Balance of a token that an address holds, in base units; `"0"` where nothing is known. Null: not known yet.
        TokenBalanceParams "tokenBalance" "tokenbalance" => value ValueAnswer in Option<Uint> {
            required {
                /// Address hash of the token contract.
                contractaddress: Address,
                /// The holder.
                address: Address,
            }
        }

        /// Tokens that an address holds.
        TokenListParams "tokenList" "tokenlist" => rows TokenHolding {
            required {
                /// The holder.
                address: Address,
            }
        }

        /// Blocks that an address mined or validated, at most 10,000 at once: for more, `page` and `offset`.
        GetMinedBlocksParams "getMinedBlocks" "getminedblocks" => rows MinedBlock {
            required {
                /// The miner or validator.
                address: Address,
            }
            optional {
                /// Number of the page, from 1; together with `offset`.
                page: PageNumber,
                /// Records of a page; together with `page`.
                offset: PageSize,
            }
            rules { paging }
        }

        /// Accounts with their native balances, those seen first at the beginning.
        ListAccountsParams "listAccounts" "listaccounts" => rows Account {
            optional {
                /// Number of the page, from 1; together with `offset`.
                page: PageNumber,
                /// Records of a page, 10 if left out; together with `page`.
                offset: PageSize,
            }
            rules { paging, window }
        }
    }
}
