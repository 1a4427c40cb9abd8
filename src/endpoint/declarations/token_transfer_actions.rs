//! The actions of the account module that list token transfers. They share one set of parameters.

use crate::endpoint::action_rules::{
    check_range_order, check_result_window, require_address_or_contract, require_page_and_offset,
};
use crate::endpoint::declare::operations;
use crate::endpoint::params::{Address, BlockNumber, Order, PageNumber, PageSize};
use crate::endpoint::response::Ranged;
use crate::types::*;

/// Declares actions with the same parameters.
macro_rules! token_transfers {
    ($( $(#[doc = $doc:expr])* $name:ident $method:literal $path:literal $(since $since:literal)? => $record:ident; )*) => {
        operations! { $(
            $(#[doc = $doc])*
            /// Requires an address, a token contract, or both. Returns at most 10,000 rows: `all()` reads more.
            ///
            /// No account action returns ERC-7984 transfers: use `addressTokenTransfers` or `tokenTransfers` with
            /// `type: "ERC-7984"`.
            $name $method $path $(since $since)?
            => Ranged<$record>,
                rules(&[require_address_or_contract, require_page_and_offset, check_result_window, check_range_order]) {
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
            }
        )* }
    };
}

token_transfers! {
    /// Lists transfers of ERC-20 tokens.
    TokenTxParams "tokenTx" "/api?module=account&action=tokentx" => Erc20Transfer;
    /// Lists transfers of ERC-721 tokens.
    TokenNftTxParams "tokenNftTx" "/api?module=account&action=tokennfttx" => Erc721Transfer;
    /// Lists transfers of ERC-1155 tokens.
    Token1155TxParams "token1155Tx" "/api?module=account&action=token1155tx" since "9.0.0" => Erc1155Transfer;
    /// Lists transfers of ERC-404 tokens.
    Token404TxParams "token404Tx" "/api?module=account&action=token404tx" since "9.0.0" => Erc404Transfer;
}
