//! What the service returns: declarations only, one file per resource.

mod account;
mod address;
mod coin_balance;
mod internal_transaction;
pub mod key;
mod log;
mod nft;
mod token;
mod transfer;
mod withdrawal;

pub use account::*;
pub use address::*;
pub use coin_balance::*;
pub use internal_transaction::*;
pub use log::*;
pub use nft::*;
pub use token::*;
pub use transfer::*;
pub use withdrawal::*;

use crate::record::{Record, Table};

/// One record as the generator sees it.
#[derive(Debug, Clone, Copy)]
pub struct Described {
    /// The declaration as data.
    pub table: &'static Table,
    /// Meaning of the record, then of each field.
    pub docs: (&'static str, &'static [&'static str]),
    /// The TypeScript type of each field.
    pub typescript: fn() -> Vec<String>,
}

/// Lists the records, and so numbers them.
macro_rules! described {
    ($( $name:ident ),* $(,)?) => {
        /// The places of the records among all.
        enum Number { $( $name ),* }

        /// Every record, in the order of the docs.
        pub const RECORDS: &[Described] = &[$( Described {
            table: <$name as Record>::TABLE,
            docs: <$name as Record>::DOCS,
            typescript: <$name as Record>::typescript_fields,
        } ),*];
    };
}

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
    AccountAnswer, ValueAnswer, EthBalanceAnswer,
}
