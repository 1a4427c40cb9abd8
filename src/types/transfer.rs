//! Token transfers.

use crate::record::{Decimal, Hash32, Int, Text, Timestamp, Uint, field_types, record};
use crate::types::{AddressRef, NftInstance, Token, TokenStandard};

field_types! {
    /// The type of a token transfer: whether tokens are moved, created (`token_minting`, `token_spawning`) or destroyed
    /// (`token_burning`).
    TransferKind { "token_transfer", "token_minting", "token_burning", "token_spawning" }
}

record! {
    /// A token transfer. An event that moves several token ids yields several transfers with the same `log_index`.
    TokenTransfer {
        /// Block hash. Null: not sent.
        block_hash: Option<Hash32>,
        /// Block number. Null: not sent by old service versions.
        block_number @essential: Option<u64>,
        /// Transaction hash. Null: a transfer without a transaction, such as Celo's epoch transfers.
        transaction_hash | "tx_hash" @essential: Option<Hash32>,
        /// Index of the event log in its block.
        log_index @essential: i64,
        /// Sender.
        from @essential: AddressRef,
        /// Receiver.
        to @essential: AddressRef,
        /// Token contract. Null: not known.
        token @essential: Option<Token>,
        /// Token standard of this transfer. It can differ from `token.type`, which may have been reclassified later.
        /// Null: not sent by service versions before 9.1.
        token_type: Option<TokenStandard>,
        /// Amount or token id that was transferred. Null: the amount is not known.
        total @essential: Option<TransferTotal>,
        /// Name of the called function, or its selector `0x…`. Null: not known.
        method: Option<Text>,
        /// Time of the block, in ISO 8601 (UTC). Null: not known.
        timestamp: Option<Timestamp>,
        /// Type of the transfer. Null: not sent.
        r#type: Option<TransferKind>,
    } key "transfer:{transaction_hash|block_hash}:{log_index}:{total.token_id}",
        "One event can move several token ids, so the id is part of the key. The id is missing while the service does \
         not know the token's standard."
}

record! {
    /// The amount or token id of a transfer. Fungible tokens have `value` and `decimals`, ERC-721 tokens `token_id`,
    /// ERC-1155 and ERC-404 tokens `token_id` and `value`. The amount of an ERC-7984 transfer is encrypted, so its
    /// `value` is null.
    TransferTotal {
        /// Number of decimal places of `value`. Null: not set, or not known.
        decimals @sometimes: Option<Int>,
        /// Amount in base units. Null: encrypted, or a single NFT.
        value @sometimes @essential: Option<Uint>,
        /// Token id: an integer of up to 78 digits. Null: a fungible token.
        token_id @sometimes @essential: Option<Uint>,
        /// NFT instance. Null: a fungible token, or not loaded.
        token_instance @sometimes: Option<NftInstance>,
        /// Factor by which to multiply `value` for display (ERC-8056). Null: no factor, or a service version before 12.
        ui_multiplier @sometimes: Option<Decimal>,
    }
}
