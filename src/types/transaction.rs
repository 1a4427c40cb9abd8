//! Transactions of the REST API.

use crate::record::{
    AddressHash, Bytes, ChainId, Decimal, Hash32, Int, Json, JsonNumber, Selector, Text, Timestamp, Uint, field_types,
    record,
};
use crate::types::{AddressRef, Token, TokenTransfer};

field_types! {
    /// The status of a transaction.
    TransactionStatus { "ok", "error" }
    /// What a transaction does. One transaction can have several types.
    TransactionType {
        "coin_transfer", "contract_call", "contract_creation", "token_transfer", "token_creation", "blob_transaction",
        "set_code_transaction", "sponsored_transaction", "rootstock_bridge", "rootstock_remasc",
    }
    /// Whether a fee was paid, or is the maximum that a pending transaction can cost.
    FeeType { "actual", "maximum" }
    /// The result of an EIP-7702 authorization.
    AuthorizationStatus { "ok", "invalid_chain_id", "invalid_signature", "invalid_nonce" }
}

record! {
    /// A transaction.
    Transaction {
        /// Transaction hash.
        hash @essential: Hash32,
        /// Whether the transaction succeeded. Null: pending, or older than the Byzantium fork.
        status @essential: Option<TransactionStatus>,
        /// `success`, `pending`, `awaiting_internal_transactions`, `dropped/replaced`, or the error message of the node.
        /// Null: not sent.
        result: Option<Text>,
        /// Block number. Null: pending.
        block_number | "block" @essential: Option<u64>,
        /// Time of the block, in ISO 8601 (UTC). Null: pending.
        timestamp: Option<Timestamp>,
        /// Index of the transaction in its block. Null: pending.
        position @essential: Option<i64>,
        /// Number of transactions that the sender had sent before. Null: not known.
        nonce: Option<i64>,
        /// Number of blocks since the transaction was mined, including its own block. 0 while pending. Null: pending.
        confirmations: Option<i64>,
        /// Range of the time until the transaction was mined, in milliseconds: none, one or two numbers.
        confirmation_duration: Vec<JsonNumber>,
        /// Sender.
        from @essential: AddressRef,
        /// Receiver. Null: a contract creation.
        to @essential: Option<AddressRef>,
        /// Created contract. Null: not a contract creation.
        created_contract @essential: Option<AddressRef>,
        /// Transferred amount of the native coin in wei.
        value @essential: Uint,
        /// Fee. Null: not known.
        fee: Option<TransactionFee>,
        /// Gas limit. Null: not known.
        gas_limit: Option<Uint>,
        /// Used gas. Null: pending.
        gas_used: Option<Uint>,
        /// Price of one unit of gas in wei. Null: not known.
        gas_price: Option<Uint>,
        /// Maximum price of one unit of gas in wei (EIP-1559). Null: a legacy transaction.
        max_fee_per_gas: Option<Uint>,
        /// Maximum tip for one unit of gas in wei (EIP-1559). Null: a legacy transaction.
        max_priority_fee_per_gas: Option<Uint>,
        /// Base fee of the block for one unit of gas in wei. Null: pending, or a block before EIP-1559.
        base_fee_per_gas: Option<Uint>,
        /// Part of the fee that the block's proposer received, in wei. Null: pending, or a block before EIP-1559.
        priority_fee: Option<Int>,
        /// Part of the fee that was burnt, in wei. Null: pending, or a block before EIP-1559.
        transaction_burnt_fee | "tx_burnt_fee": Option<Uint>,
        /// EIP-2718 type: 0 legacy, 1 access list, 2 EIP-1559, 3 blob, 4 EIP-7702; chains have more. Null: not known.
        r#type: Option<i64>,
        /// Name of the called function, or its selector `0x…`. Null: not a contract call, or not known.
        method: Option<Text>,
        /// Call data; `0x` if there is none. Null: not known.
        raw_input: Option<Bytes>,
        /// Call data, decoded with the ABI of the contract. Null: no ABI is known, or it does not match.
        decoded_input: Option<DecodedInput>,
        /// Why the transaction was reverted. Null: it was not, or the reason is not known.
        revert_reason: Option<RevertReason>,
        /// What the transaction does.
        transaction_types | "tx_types": Vec<TransactionType>,
        /// Private tag of the session's user. Null: no tag, or a request without a session, as usual.
        transaction_tag | "tx_tag": Option<Text>,
        /// Price of one native coin now, in the fiat currency of the instance, usually US dollars. Null: not known.
        exchange_rate: Option<Decimal>,
        /// Price of one native coin on the day of the transaction, in the same currency. Null: not known, or not sent by
        /// service versions before 8.
        historic_exchange_rate @sometimes: Option<Decimal>,
        /// Whether an internal transaction failed. Null: not known.
        has_error_in_internal_transactions | "has_error_in_internal_txs": Option<bool>,
        /// Token transfers of the transaction, at most ten. Empty in lists.
        token_transfers: Vec<TokenTransfer>,
        /// Whether the transaction has more token transfers than `token_transfers`. Null: in lists.
        token_transfers_overflow: Option<bool>,
        /// EIP-7702 authorizations. Empty: none.
        authorization_list @sometimes: Vec<Authorization>,
        /// Whether the service is still re-reading the block of the transaction. Null: not sent.
        is_pending_update @sometimes: Option<bool>,
        /// Number of operations on encrypted values. Null: not sent by service versions before 11.
        fhe_operations_count @sometimes: Option<i64>,
        /// Gas used for blobs. Null: not a blob transaction.
        blob_gas_used @sometimes: Option<Uint>,
        /// Price of one unit of blob gas in wei. Null: not a blob transaction.
        blob_gas_price @sometimes: Option<Uint>,
        /// Maximum price of one unit of blob gas in wei. Null: not a blob transaction.
        max_fee_per_blob_gas @sometimes: Option<Uint>,
        /// Part of the fee that was burnt for blobs, in wei. Null: not a blob transaction.
        burnt_blob_fee @sometimes: Option<Uint>,
        /// Hashes of the blobs. Empty: not a blob transaction.
        blob_versioned_hashes @sometimes: Vec<Hash32>,
        /// Fee for the data on the parent chain, in wei. Null: not a rollup of the OP Stack.
        l1_fee @sometimes: Option<Uint>,
        /// Fields of Celo. Null: not a Celo chain.
        celo @sometimes: Option<CeloTransaction>,
    } key "transaction:{hash}",
        "The same key as in the account module. A pending transaction keeps its key when it is mined."
    // Service versions 5.1 and 5.2 list the rewards of a miner among its transactions.
    except "emission_reward" => "a block reward"
}

record! {
    /// The fields of a transaction on Celo.
    CeloTransaction {
        /// Token that the fee was paid in: `fee` and `gas_price` are in its base units. Null: the native coin.
        gas_token: Option<Token>,
    }
}

record! {
    /// A fee in the native coin, or on Celo in the token `celo.gas_token`.
    TransactionFee {
        /// Whether the fee was paid, or is the maximum. Null: not sent.
        r#type: Option<FeeType>,
        /// Fee in wei, or in base units of that token. Null: not known.
        value: Option<Uint>,
    }
}

record! {
    /// Call data, decoded with the ABI of the called contract.
    DecodedInput {
        /// Signature of the function with parameter names. Null: not known.
        method_call: Option<Text>,
        /// Selector of the function: 8 hex digits, usually without `0x`. Null: not known.
        method_id: Option<Selector>,
        /// Parameters, in the order of the signature.
        parameters: Vec<InputParameter>,
    }
}

record! {
    /// Why a transaction was reverted: the decoded error, or its bytes.
    RevertReason {
        /// The bytes that the contract returned. Null: decoded, or none.
        raw @sometimes: Option<Text>,
        /// Signature of the error with parameter names. Null: not decoded.
        method_call @sometimes: Option<Text>,
        /// Selector of the error. Null: not decoded.
        method_id @sometimes: Option<Selector>,
        /// Parameters of the error.
        parameters @sometimes: Vec<InputParameter>,
    }
}

record! {
    /// A parameter of a function or error.
    InputParameter {
        /// Parameter name; may be empty. Null: not sent.
        name: Option<Text>,
        /// Solidity type, such as `uint256` or `(address,bool)[]`. Null: not sent.
        r#type: Option<Text>,
        /// Value of the parameter, like `value` of `DecodedParameter`. Null: cannot be decoded.
        value: Option<Json>,
    }
}

record! {
    /// An EIP-7702 authorization: an account delegates its code to a contract.
    Authorization {
        /// Address hash of the contract. Null: not known.
        address_hash | "address": Option<AddressHash>,
        /// Address hash of the account. Null: the signature is not valid.
        authority: Option<AddressHash>,
        /// Id of the chain on which the authorization is valid; `"0"` for every chain. Untrusted: any integer of up to 78 digits. Null: not
        /// known.
        chain_id: Option<ChainId>,
        /// Nonce of the account. Null: not known.
        nonce: Option<Uint>,
        /// Result of the authorization. Null: not known.
        status @sometimes: Option<AuthorizationStatus>,
        /// `r` of the signature. Null: not sent.
        r @sometimes: Option<Uint>,
        /// `s` of the signature. Null: not sent.
        s @sometimes: Option<Uint>,
        /// `v` of the signature. Null: not sent.
        v @sometimes: Option<i64>,
    }
}
