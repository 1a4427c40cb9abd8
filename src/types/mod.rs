//! The records that the service returns, and the bodies of its responses. Declarations only: one file per resource.
//!
//! Each record is declared once, with `record!` (`crate::record`). The comments of the fields are also the
//! documentation of the JavaScript package: they give meaning, unit and the reason for null.

mod account;
mod address;
mod advanced_filter;
mod block;
mod coin_balance;
mod contract;
mod counters;
pub(crate) mod described;
mod instance;
mod internal_transaction;
mod log;
mod nft;
mod search;
mod staking;
mod stats;
mod token;
mod token_balance;
mod transaction;
mod transaction_details;
mod transfer;
mod user_operation;
mod withdrawal;

pub use crate::record::field_types::*;
pub use account::*;
pub use address::*;
pub use advanced_filter::*;
pub use block::*;
pub use coin_balance::*;
pub use contract::*;
pub use counters::*;
pub use instance::*;
pub use internal_transaction::*;
pub use log::*;
pub use nft::*;
pub use search::*;
pub use staking::*;
pub use stats::*;
pub use token::*;
pub use token_balance::*;
pub use transaction::*;
pub use transaction_details::*;
pub use transfer::*;
pub use user_operation::*;
pub use withdrawal::*;

use described::described;

described! {
    AddressRef, AddressListItem, AddressInfo, Addresses, AddressMetadata, MetadataTag, Implementation, AddressTag, WatchlistName,
    AddressCounters, AddressTabsCounters,
    Token, TokenCounters, TokenHolder,
    TokenBalance,
    NftInstance, NftThumbnails, NftCollection,
    Log, DecodedLog, DecodedParameter,
    TokenTransfer, TransferTotal,
    Transaction, CeloTransaction, TransactionFee, DecodedInput, InputParameter, RevertReason, Authorization,
    StateChange, TransactionSummary, TransactionSummaries, TransactionDescription,
    UserOperation, UserOperationDetails,
    SmartContract, SourceFile, ExternalLibrary, ConflictingImplementations, ContractCreation,
    SearchItem, EnsInfo, SearchRedirect,
    CoinBalanceChange, DailyCoinBalance, DailyCoinBalances,
    InternalTransaction, InternalTransactions, InternalTransactionsMeta,
    AdvancedFilterRow, AdvancedFilterRows,
    Block, UncleHash, BlockReward,
    Withdrawal,
    BeaconDeposit, ElectionReward,
    ChainStats, MarketChart, DailyPrice,
    BackendVersion, IndexingStatus, BackendConfig,
    ItemsOnly, AnyResponse,
    Balance, Account, TokenHolding, MinedBlock, ClosestBlock,
    AccountTransaction, PendingTransaction, AccountInternalTransaction,
    Erc20Transfer, Erc721Transfer, Erc1155Transfer, Erc404Transfer, EventLog, EthCallResult,
    RowsEnvelope, ValueResponse, EthBalanceResponse, ClosestBlockResponse,
}
