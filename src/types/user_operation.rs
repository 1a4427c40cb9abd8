//! User operations (ERC-4337): transactions of smart accounts.

use crate::record::{
    AddressHash, BlockNumberString, Bytes, Hash32, HexData, JsonObject, Timestamp, Uint, field_types, record,
};
use crate::types::{AddressRef, DecodedInput};

field_types! {
    /// The version of an entry point contract.
    EntryPointVersion { "v0.6", "v0.7", "v0.8", "v0.9" }
    /// Who paid the fee of a user operation.
    SponsorType { "wallet_deposit", "wallet_balance", "paymaster_sponsor", "paymaster_hybrid" }
}

record! {
    /// A user operation.
    UserOperation {
        /// Hash of the user operation.
        hash @essential: Hash32,
        /// The account that sent it.
        address @essential: AddressRef,
        /// Entry point contract. Null: not known, as for user operations that were indexed before 2024.
        entry_point: Option<AddressRef>,
        /// Version of the entry point contract. Null: not sent.
        entry_point_version @sometimes: Option<EntryPointVersion>,
        /// Hash of the transaction that contains the user operation.
        transaction_hash @essential: Hash32,
        /// Block number.
        block_number @essential: BlockNumberString,
        /// Time of the block, in ISO 8601 (UTC). Null: not known.
        timestamp: Option<Timestamp>,
        /// Whether the user operation succeeded. Null: not sent.
        status @essential: Option<bool>,
        /// Fee in wei. Null: not sent.
        fee: Option<Uint>,
    } key "user-operation:{hash}"
}

record! {
    /// A user operation with its call data.
    UserOperationDetails {
        /// Hash of the user operation.
        hash @essential: Hash32,
        /// The account that sent it.
        sender @essential: AddressRef,
        /// The address that bundled it. Null: not sent.
        bundler: Option<AddressRef>,
        /// Index of the bundle in its transaction. Null: not sent.
        bundle_index @sometimes: Option<i64>,
        /// Index of the user operation in its bundle. Null: not sent.
        index @sometimes: Option<i64>,
        /// The contract that created the account. Null: the account existed before.
        factory @sometimes: Option<AddressRef>,
        /// The contract that paid the fee. Null: the account paid it.
        paymaster @sometimes: Option<AddressRef>,
        /// Entry point contract. Null: not known, as for user operations that were indexed before 2024.
        entry_point: Option<AddressRef>,
        /// Version of the entry point contract. Null: not sent.
        entry_point_version @sometimes: Option<EntryPointVersion>,
        /// Hash of the transaction that contains the user operation.
        transaction_hash @essential: Hash32,
        /// Block number.
        block_number @essential: BlockNumberString,
        /// Block hash. Null: not sent.
        block_hash @sometimes: Option<Hash32>,
        /// Time of the block, in ISO 8601 (UTC). Null: not known.
        timestamp @sometimes: Option<Timestamp>,
        /// Whether the user operation succeeded. Null: not sent.
        status @essential: Option<bool>,
        /// Why it was reverted. Null: it was not, or the reason is not known.
        revert_reason @sometimes: Option<HexData>,
        /// Fee in wei. Null: not sent.
        fee: Option<Uint>,
        /// Price of one unit of gas in wei. Null: not sent.
        gas_price @sometimes: Option<Uint>,
        /// Used gas. Null: not sent.
        gas_used @sometimes: Option<Uint>,
        /// Gas limit. Null: not sent.
        gas @sometimes: Option<Uint>,
        /// Gas limit of the call. Null: not sent.
        call_gas_limit @sometimes: Option<Uint>,
        /// Gas limit of the validation. Null: not sent.
        verification_gas_limit @sometimes: Option<Uint>,
        /// Gas paid before the validation. Null: not sent.
        pre_verification_gas @sometimes: Option<Uint>,
        /// Maximum price of one unit of gas in wei. Null: not sent.
        max_fee_per_gas @sometimes: Option<Uint>,
        /// Maximum tip for one unit of gas in wei. Null: not sent.
        max_priority_fee_per_gas @sometimes: Option<Uint>,
        /// Nonce: 32 bytes. Null: not sent.
        nonce @sometimes: Option<HexData>,
        /// Who paid the fee. Null: not sent.
        sponsor_type @sometimes: Option<SponsorType>,
        /// Signature of the account. Null: not sent.
        signature @sometimes: Option<HexData>,
        /// Call data. Null: not sent.
        call_data @sometimes: Option<Bytes>,
        /// Call data, decoded. Null: no ABI is known, or it does not match.
        decoded_call_data @sometimes: Option<DecodedInput>,
        /// The contract that the account calls. Null: not known.
        execute_target @sometimes: Option<AddressRef>,
        /// Call data of that call. Null: not known.
        execute_call_data @sometimes: Option<Bytes>,
        /// Call data of that call, decoded. Null: no ABI is known, or it does not match.
        decoded_execute_call_data @sometimes: Option<DecodedInput>,
        /// Index of the first event log of the user operation in its block. Null: not sent.
        user_logs_start_index @sometimes: Option<i64>,
        /// Number of event logs. Null: not sent.
        user_logs_count @sometimes: Option<i64>,
        /// Aggregator contract. Null: none.
        aggregator @sometimes: Option<AddressHash>,
        /// Signature of the aggregator. Null: none.
        aggregator_signature @sometimes: Option<HexData>,
        /// Whether the block is on the canonical chain. Null: not known.
        consensus @sometimes: Option<bool>,
        /// The user operation as its entry point received it. Null: not sent.
        raw @sometimes: Option<JsonObject>,
    } key "user-operation:{hash}"
}
