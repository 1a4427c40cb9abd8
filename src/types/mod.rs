//! The records that the service returns, and the bodies of its responses. Declarations only: one file per resource.
//!
//! Each record is declared once, with `record!` (`crate::record`). The comments of the fields are also the
//! documentation of the JavaScript package: they give meaning, unit and the reason for null.

mod account;
mod address;
mod coin_balance;
pub(crate) mod described;
mod internal_transaction;
pub(crate) mod key;
mod log;
mod nft;
mod token;
mod transfer;
mod withdrawal;

pub use crate::record::field_types::*;
pub use account::*;
pub use address::*;
pub use coin_balance::*;
pub use internal_transaction::*;
pub use log::*;
pub use nft::*;
pub use token::*;
pub use transfer::*;
pub use withdrawal::*;

use described::described;

described! {
    AddressRef, AddressListItem, Addresses, AddressMetadata, MetadataTag, Implementation, AddressTag, WatchlistName,
    Token,
    NftInstance, NftThumbnails,
    Log, DecodedLog, DecodedParameter,
    TokenTransfer, TransferTotal,
    CoinBalanceChange,
    InternalTransaction, InternalTransactions, InternalTransactionsMeta,
    Withdrawal,
    ItemsOnly,
    Balance, Account, TokenHolding, MinedBlock,
    AccountTransaction, PendingTransaction, AccountInternalTransaction,
    Erc20Transfer, Erc721Transfer, Erc1155Transfer, Erc404Transfer,
    RowsEnvelope, ValueResponse, EthBalanceResponse,
}
