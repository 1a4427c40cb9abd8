//! The records that the service returns, and the bodies of its responses. Declarations only: one file per resource.
//!
//! Each record is declared once, with `record!` ([`crate::record`]). The comments of the fields are also the
//! documentation of the JavaScript package: they give meaning, unit and the reason for null.

mod account;
mod address;
mod block;
mod coin_balance;
mod counters;
mod internal_transaction;
pub mod key;
mod log;
mod nft;
mod staking;
mod stats;
mod token;
mod token_balance;
mod transaction;
mod transfer;
mod withdrawal;

pub use account::*;
pub use address::*;
pub use block::*;
pub use coin_balance::*;
pub use counters::*;
pub use internal_transaction::*;
pub use log::*;
pub use nft::*;
pub use staking::*;
pub use stats::*;
pub use token::*;
pub use token_balance::*;
pub use transaction::*;
pub use transfer::*;
pub use withdrawal::*;

use serde::Serialize;

use crate::record::{Record, Table, Value};

/// A record with its documentation and TypeScript types, for the generator of the npm package.
#[derive(Debug, Clone, Copy)]
pub struct Described {
    /// The declaration of the record, as data.
    pub table: &'static Table,
    /// Documentation of the record, and of each field.
    pub docs: (&'static str, &'static [&'static str]),
    /// Returns the TypeScript type of each field.
    pub typescript: fn() -> Vec<String>,
}

/// Visits record types, for code that is generic over them. See [`visit_records`].
pub trait RecordVisitor {
    /// Visits a record type.
    fn visit<T: Record + Value + Serialize>(&mut self);
}

/// Declares the list of all records, and numbers them in this order.
macro_rules! described {
    ($( $name:ident ),* $(,)?) => {
        /// The number of each record, which identifies it on the JavaScript side.
        enum Number { $( $name ),* }

        /// Every record, in the order of the documentation.
        pub const RECORDS: &[Described] = &[$( Described {
            table: <$name as Record>::TABLE,
            docs: <$name as Record>::DOCS,
            typescript: <$name as Record>::typescript_fields,
        } ),*];

        /// Visits every record type.
        pub fn visit_records(visitor: &mut impl RecordVisitor) {
            $( visitor.visit::<$name>(); )*
        }
    };
}

described! {
    AddressRef, AddressListItem, AddressInfo, Addresses, AddressMetadata, MetadataTag, Implementation, AddressTag, WatchlistName,
    AddressCounters, AddressTabsCounters,
    Token,
    TokenBalance,
    NftInstance, NftThumbnails, NftCollection,
    Log, DecodedLog, DecodedParameter,
    TokenTransfer, TransferTotal,
    Transaction, TransactionFee, DecodedInput, InputParameter, RevertReason, Authorization,
    CoinBalanceChange, DailyCoinBalance, DailyCoinBalances,
    InternalTransaction, InternalTransactions, InternalTransactionsMeta,
    Block, UncleHash, BlockReward,
    Withdrawal,
    BeaconDeposit, ElectionReward,
    ChainStats,
    ItemsOnly,
    Balance, Account, TokenHolding, MinedBlock, ClosestBlock,
    AccountTransaction, PendingTransaction, AccountInternalTransaction,
    Erc20Transfer, Erc721Transfer, Erc1155Transfer, Erc404Transfer,
    RowsEnvelope, ValueResponse, EthBalanceResponse, ClosestBlockResponse,
}
