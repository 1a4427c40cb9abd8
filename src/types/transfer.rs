//! Token transfers.

use crate::record::{Decimal, Hash32, Int, Text, Timestamp, Uint, labels, record};
use crate::types::{AddressRef, NftInstance, Token, TokenStandard};

labels! {
    /// What a transfer does to the supply.
    TransferKind { "token_transfer", "token_minting", "token_burning", "token_spawning" }
}

record! {
    /// A token transfer. One event that moves several token ids is several transfers with one `log_index`.
    TokenTransfer {
        /// Hash of the block. Null: not sent.
        block_hash: Option<Hash32>,
        /// Number of the block. Null: not sent by old services.
        block_number: Option<i64>,
        /// Hash of the transaction. Null: transfers that no transaction made, such as Celo's epoch transfers.
        transaction_hash | "tx_hash": Option<Hash32>,
        /// Index of the event in its block.
        log_index: i64,
        /// Sender.
        from: AddressRef,
        /// Receiver.
        to: AddressRef,
        /// The token. Null: not known.
        token: Option<Token>,
        /// Standard that this transfer followed; may differ from the token's, which may have been classified anew. Null:
        /// services before 9.1.
        token_type: Option<TokenStandard>,
        /// What was transferred. Null: the amount is not known.
        total: Option<TransferTotal>,
        /// Name of the function that was called, or its selector `0x…`. Null: not known.
        method: Option<Text>,
        /// Time of the block. Null: not known.
        timestamp: Option<Timestamp>,
        /// What the transfer does to the supply. Null: not sent.
        kind = "type": Option<TransferKind>,
    }
}

record! {
    /// What was transferred. Fungible: `value` and `decimals`; ERC-721: `token_id`; ERC-1155 and ERC-404: `token_id` and
    /// `value`; ERC-7984: the amount is encrypted and null.
    TransferTotal {
        /// Digits after the decimal point of `value`. Null: none, or not known.
        decimals @sometimes: Option<Int>,
        /// Amount in base units. Null: encrypted, or a single NFT.
        value @sometimes: Option<Uint>,
        /// Token id, up to 78 digits. Null: fungible.
        token_id @sometimes: Option<Uint>,
        /// The NFT. Null: fungible, or not loaded.
        token_instance @sometimes: Option<NftInstance>,
        /// Factor for display (ERC-8056). Null: none, or services before 12.
        ui_multiplier @sometimes: Option<Decimal>,
    }
}
