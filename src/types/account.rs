//! Rows of the module/action interface. Every value is text there, addresses are in lower case, and an empty text means
//! "none" or "unknown", given out as null.

use crate::record::{
    AddressHash, Hash32, HexData, Int, Json, Quantity, Selector, Text, Timestamp, Uint, labels, record,
};
use crate::types::{CallKind, TokenStandard};

labels! {
    /// A switch in the module/action interface: `"0"` or `"1"`.
    Flag { "0", "1" }
}

record! {
    /// What an answer with rows says beside them.
    AccountAnswer {
        /// `"1"`: all is well; `"0"`: nothing found, or refused; `"2"`: the rows are incomplete. Null: not sent.
        status: Option<Text>,
        /// The service's words. Null: not sent.
        message: Option<Text>,
    }
}

record! {
    /// An answer that is one value.
    ValueAnswer {
        /// `"1"`: all is well; `"0"`: refused. Null: not sent.
        status: Option<Text>,
        /// The service's words. Null: not sent.
        message: Option<Text>,
        /// The value, in base units. Null: not known yet, or refused.
        result: Option<Uint>,
    }
}

record! {
    /// An answer in the shape of a node's.
    EthBalanceAnswer {
        /// Balance in wei, in hex. Null: refused.
        result: Option<Quantity>,
        /// Why it was refused: a text, or an object with a `message`. Null: it was not.
        error @sometimes: Option<Json>,
        /// Version of the protocol. Null: not sent.
        jsonrpc: Option<Text>,
        /// Number of the request. Null: not sent.
        id: Option<i64>,
    }
}

record! {
    /// A native balance, one of many.
    Balance {
        /// The address.
        account: AddressHash,
        /// Balance in wei. Null: not known yet.
        balance: Option<Uint>,
        /// Whether a newer balance is being fetched: ask again in a few seconds. Null: not sent.
        stale: Option<bool>,
    }
}

record! {
    /// An account with its native balance.
    Account {
        /// The address.
        address: AddressHash,
        /// Balance in wei. Null: not known yet.
        balance: Option<Uint>,
        /// Whether a newer balance is being fetched: ask again in a few seconds. Null: not sent.
        stale: Option<bool>,
    }
}

record! {
    /// A token that an address holds.
    TokenHolding {
        /// Amount in base units. Null: not known.
        balance: Option<Uint>,
        /// Address hash of the token contract.
        contract_address = "contractAddress": AddressHash,
        /// Digits after the decimal point of `balance`. Null: none, or not known.
        decimals: Option<Int>,
        /// Name, as its author wrote it. Null: none.
        name: Option<Text>,
        /// Symbol, as its author wrote it. Null: none.
        symbol: Option<Text>,
        /// Standard. Null: not known.
        kind = "type": Option<TokenStandard>,
        /// Token id, for ERC-1155 and ERC-404. Null: other standards.
        id @sometimes: Option<Uint>,
    }
}

record! {
    /// A block that an address mined or validated.
    MinedBlock {
        /// Number of the block.
        block_number = "blockNumber": Uint,
        /// Time of the block as the service spells it here: `2026-02-04 05:43:23.000000Z`. Null: not sent.
        time_stamp = "timeStamp": Option<Text>,
        /// Time of the block in the spelling of all other times. Null: not sent.
        timestamp | "timeStamp": Option<Timestamp>,
    }
}

record! {
    /// A transaction.
    AccountTransaction {
        /// Number of the block.
        block_number = "blockNumber": Uint,
        /// Time of the block in unix seconds. Null: not known.
        time_stamp = "timeStamp": Option<Uint>,
        /// Hash of the transaction.
        hash: Hash32,
        /// Number of transactions that the sender had sent before. Null: not sent.
        nonce: Option<Uint>,
        /// Hash of the block. Null: not sent.
        block_hash = "blockHash": Option<Hash32>,
        /// Index of the transaction in its block. Null: not sent.
        transaction_index = "transactionIndex": Option<Uint>,
        /// Sender.
        from: AddressHash,
        /// Receiver. Null: the transaction creates a contract.
        to: Option<AddressHash>,
        /// Native amount in wei.
        value: Uint,
        /// Gas limit. Null: not sent.
        gas: Option<Uint>,
        /// Gas price in wei. Null: not known.
        gas_price = "gasPrice": Option<Uint>,
        /// `"1"`: the transaction failed, or its status is not known (before Byzantium). Null: not sent.
        is_error = "isError": Option<Flag>,
        /// `"0"`: failed, or the status is not known (before Byzantium). Null: not sent.
        txreceipt_status: Option<Flag>,
        /// Call data. Null: not sent.
        input: Option<HexData>,
        /// Created contract. Null: the transaction creates none.
        contract_address = "contractAddress": Option<AddressHash>,
        /// Gas used in the block up to and with this transaction. Null: not known.
        cumulative_gas_used = "cumulativeGasUsed": Option<Uint>,
        /// Gas used. Null: not known.
        gas_used = "gasUsed": Option<Uint>,
        /// Number of blocks since. Null: not sent.
        confirmations: Option<Uint>,
        /// Selector of the function that was called. Null: none, or services before 9.1.
        method_id = "methodId": Option<Selector>,
    }
}

record! {
    /// A transaction that is in no block yet.
    PendingTransaction {
        /// Hash of the transaction.
        hash: Hash32,
        /// Number of transactions that the sender had sent before. Null: not sent.
        nonce: Option<Uint>,
        /// Sender.
        from: AddressHash,
        /// Receiver. Null: the transaction creates a contract.
        to: Option<AddressHash>,
        /// Native amount in wei.
        value: Uint,
        /// Gas limit. Null: not sent.
        gas: Option<Uint>,
        /// Gas price in wei. Null: not known.
        gas_price = "gasPrice": Option<Uint>,
        /// Call data. Null: not sent.
        input: Option<HexData>,
        /// Created contract. Null: none.
        contract_address = "contractAddress": Option<AddressHash>,
        /// Gas used in the block up to and with this transaction. Null: not known yet.
        cumulative_gas_used = "cumulativeGasUsed": Option<Uint>,
        /// Gas used. Null: not known yet.
        gas_used = "gasUsed": Option<Uint>,
    }
}

record! {
    /// An internal transaction of the module/action interface. Without `include_zero_value` those without value are hidden.
    AccountInternalTransaction {
        /// Number of the block.
        block_number = "blockNumber": Uint,
        /// Time of the block in unix seconds. Null: not known.
        time_stamp = "timeStamp": Option<Uint>,
        /// Caller.
        from: AddressHash,
        /// Called address. Null: a creation.
        to: Option<AddressHash>,
        /// Native amount in wei.
        value: Uint,
        /// Created contract. Null: no creation.
        contract_address = "contractAddress": Option<AddressHash>,
        /// Hash of the transaction that made the call.
        transaction_hash = "transactionHash" | "hash": Hash32,
        /// Index of the call in its transaction. Null: not sent.
        index: Option<Uint>,
        /// Call data. Null: none.
        input: Option<HexData>,
        /// What the call does. Null: not sent.
        kind = "type": Option<CallKind>,
        /// Kind of call, where it is a call. Null: not sent.
        call_type = "callType": Option<Text>,
        /// Gas given to the call. Null: not known.
        gas: Option<Uint>,
        /// Gas used. Null: not known.
        gas_used = "gasUsed": Option<Uint>,
        /// `"1"`: the call failed. Null: not sent.
        is_error = "isError": Option<Flag>,
        /// Why the call failed, in the node's words; empty when it did not. Null: not sent.
        err_code = "errCode": Option<Text>,
    }
}

/// Declares a record of a token transfer action: they differ in the amount only.
macro_rules! transfer_record {
    ($(#[doc = $doc:expr])* $name:ident { $( $amount:tt )* }) => {
        record! {
            $(#[doc = $doc])*
            /// There is no log index: two equal rows are two transfers.
            $name {
                /// Number of the block.
                block_number = "blockNumber": Uint,
                /// Time of the block in unix seconds. Null: not known.
                time_stamp = "timeStamp": Option<Uint>,
                /// Hash of the transaction.
                hash: Hash32,
                /// Number of transactions that the transaction's sender had sent before. Null: not sent.
                nonce: Option<Uint>,
                /// Hash of the block. Null: not sent.
                block_hash = "blockHash": Option<Hash32>,
                /// Sender of the tokens.
                from: AddressHash,
                /// Address hash of the token contract. Null: not sent.
                contract_address = "contractAddress": Option<AddressHash>,
                /// Receiver of the tokens. Null: none.
                to: Option<AddressHash>,
                $( $amount )*
                /// Name of the token, as its author wrote it. Null: none.
                token_name = "tokenName": Option<Text>,
                /// Symbol of the token, as its author wrote it. Null: none.
                token_symbol = "tokenSymbol": Option<Text>,
                /// Digits after the decimal point of an amount. Null: none, or not known.
                token_decimal = "tokenDecimal": Option<Int>,
                /// Index of the transaction in its block. Null: not sent.
                transaction_index = "transactionIndex": Option<Uint>,
                /// Gas limit of the transaction. Null: not sent.
                gas: Option<Uint>,
                /// Gas price of the transaction in wei. Null: not known.
                gas_price = "gasPrice": Option<Uint>,
                /// Gas used by the transaction. Null: not known.
                gas_used = "gasUsed": Option<Uint>,
                /// Gas used in the block up to and with the transaction. Null: not known.
                cumulative_gas_used = "cumulativeGasUsed": Option<Uint>,
                /// Call data of the transaction. Null: not sent, or sent as `deprecated`.
                input: Option<HexData>,
                /// Number of blocks since. Null: not sent.
                confirmations: Option<Uint>,
                /// Selector of the function that was called, without `0x`. Null: the call data could not be read.
                method_id = "methodId": Option<Selector>,
                /// Signature of the function that was called; empty when the call data could not be read. Null: not sent.
                function_name = "functionName": Option<Text>,
            }
        }
    };
}

transfer_record! {
    /// A transfer of ERC-20 tokens.
    Erc20Transfer {
        /// Amount in base units. Null: not known.
        value: Option<Uint>,
    }
}

transfer_record! {
    /// A transfer of an ERC-721 token.
    Erc721Transfer {
        /// Token id, up to 78 digits. Null: not known.
        token_id = "tokenID": Option<Uint>,
    }
}

transfer_record! {
    /// A transfer of ERC-1155 tokens of one id; a batch is several rows.
    Erc1155Transfer {
        /// Token id, up to 78 digits. Null: not known.
        token_id = "tokenID": Option<Uint>,
        /// Amount in base units. Null: not known.
        token_value = "tokenValue": Option<Uint>,
    }
}

transfer_record! {
    /// A transfer of an ERC-404 token: of an amount, or of an id.
    Erc404Transfer {
        /// Token id, up to 78 digits. Null: a transfer of an amount.
        token_id = "tokenID": Option<Uint>,
        /// Amount in base units. Null: a transfer of an id.
        value: Option<Uint>,
    }
}

/// What an answer of one value says of itself.
pub trait Outcome {
    /// Its status, and whether there is a result.
    fn outcome(&self) -> (Option<&str>, bool);
}

impl Outcome for ValueAnswer {
    fn outcome(&self) -> (Option<&str>, bool) {
        (self.status.as_deref(), self.result.is_some())
    }
}

impl Outcome for EthBalanceAnswer {
    fn outcome(&self) -> (Option<&str>, bool) {
        (None, self.result.is_some())
    }
}
