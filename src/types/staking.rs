//! Deposits to the beacon chain (Ethereum), and election rewards (Celo).

use crate::record::{Hash32, HexData, Timestamp, Uint, field_types, record};
use crate::types::{AddressRef, Token};

field_types! {
    /// The status of a deposit to the beacon chain.
    BeaconDepositStatus { "pending", "completed", "invalid" }
    /// The kind of an election reward.
    ElectionRewardType { "voter", "validator", "group", "delegated_payment" }
}

record! {
    /// A deposit to the beacon chain.
    BeaconDeposit {
        /// Index of the deposit, unique on the chain.
        index @essential: i64,
        /// Transaction hash.
        transaction_hash @essential: Hash32,
        /// Block hash. Null: not known.
        block_hash: Option<Hash32>,
        /// Block number.
        block_number @essential: u64,
        /// Time of the block, in ISO 8601 (UTC). Null: not known.
        block_timestamp: Option<Timestamp>,
        /// Public key of the validator.
        pubkey @essential: HexData,
        /// Withdrawal credentials of the validator. Null: not known.
        withdrawal_credentials: Option<HexData>,
        /// Address to which the validator withdraws. Null: the credentials do not name one.
        withdrawal_address @sometimes: Option<AddressRef>,
        /// Amount in wei.
        amount @essential: Uint,
        /// Signature of the validator. Null: not known.
        signature: Option<HexData>,
        /// Status of the deposit. Null: not sent.
        status: Option<BeaconDepositStatus>,
        /// Sender.
        from_address @essential: AddressRef,
    } key "deposit:{index}"
}

record! {
    /// A reward of an election on Celo.
    ElectionReward {
        /// Number of the epoch.
        epoch_number @essential: i64,
        /// Time of the epoch's last block, in ISO 8601 (UTC). Null: not sent by old service versions.
        block_timestamp @sometimes: Option<Timestamp>,
        /// Account that received the reward. Null: not sent.
        account @sometimes @essential: Option<AddressRef>,
        /// Account for which it was received, such as the validator group of a voter. Null: not sent.
        associated_account @sometimes @essential: Option<AddressRef>,
        /// Amount in base units of `token`.
        amount @essential: Uint,
        /// Token in which it was paid. Null: not sent.
        token @sometimes @essential: Option<Token>,
        /// Kind of the reward. Null: not sent.
        r#type @essential: Option<ElectionRewardType>,
    } key "reward:{epoch_number}:{type}:{account.hash}:{associated_account.hash}",
        "Unique among the rewards of one address. Old service versions do not send the accounts."
}
