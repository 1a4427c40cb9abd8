//! Rows and response bodies of the module/action API.
//!
//! This API sends almost every value as a string, and addresses in lower case. An empty string means "none" or
//! "unknown", and becomes null.

use crate::record::{
    AddressHash, BaseUnits, BlockNumberString, Hash32, HexData, HexUint, Int, Json, Quantity, Selector, Text,
    Timestamp, Uint, field_types, record,
};
use crate::types::{CallKind, TokenStandard};

field_types! {
    /// A flag of the module/action API: `"0"` or `"1"`.
    Flag { "0", "1" }
}

record! {
    /// The members of a response with rows, other than the rows.
    RowsEnvelope {
        /// `"1"`: success. `"0"`: nothing found, or refused. `"2"`: the rows are incomplete. Null: not sent.
        status @essential: Option<Text>,
        /// Message of the service. Null: not sent.
        message: Option<Text>,
    }
}

record! {
    /// The body of a response with a single value.
    ValueResponse {
        /// `"1"`: success. `"0"`: refused. Null: not sent.
        status: Option<Text>,
        /// Message of the service. Null: not sent.
        message: Option<Text>,
        /// The value, in base units (wei for the native coin). Null: not known yet, or refused.
        result @essential: Option<Uint>,
    }
}

record! {
    /// The body of a response in the format of JSON-RPC.
    EthBalanceResponse {
        /// Balance in wei, as a hex string. Null: refused.
        result @essential: Option<Quantity>,
        /// The error: a string, or an object with a `message`. Null: no error.
        error @sometimes: Option<Json>,
        /// Version of JSON-RPC. Null: not sent.
        jsonrpc: Option<Text>,
        /// Id of the request. Null: not sent.
        id: Option<i64>,
    }
}

record! {
    /// The result of a call of a contract.
    EthCallResult {
        /// Index of the call.
        call_index | "id" @essential: i64,
        /// Return value of the function; `0x` if the address has no contract. Null: the call failed.
        result @sometimes @essential: Option<HexData>,
        /// Why the call failed: a string, or an object with a `code` and a `message`. Untrusted. Null: no error.
        error @sometimes: Option<Json>,
        /// Version of JSON-RPC. Null: not sent.
        jsonrpc: Option<Text>,
    } key none, "It is not a record of the chain."
}

record! {
    /// The body of a response with the block closest to a time.
    ClosestBlockResponse {
        /// `"1"`: success. `"0"`: refused. Null: not sent.
        status: Option<Text>,
        /// Message of the service. Null: not sent.
        message: Option<Text>,
        /// The block. Null: refused.
        result @essential: Option<ClosestBlock>,
    }
}

record! {
    /// The block closest to a time.
    ClosestBlock {
        /// Block number.
        block_number = "blockNumber" @essential: BlockNumberString,
    }
}

record! {
    /// The native balance of one of the requested addresses.
    Balance {
        /// Address hash.
        account @essential: AddressHash,
        /// Balance in wei. Null: not known yet.
        balance @essential: Option<Uint>,
        /// Whether the balance is outdated and the service is updating it: request it again in a few seconds. `false`
        /// does not prove that the balance is current. Null: not sent; `balanceMulti` returns `false` instead.
        stale: Option<bool>,
    } key "address:{account}"
}

record! {
    /// An account with its native balance.
    Account {
        /// Address hash.
        address @essential: AddressHash,
        /// Balance in wei. Null: not known yet.
        balance @essential: Option<Uint>,
        /// Whether the balance is outdated and the service is updating it: request it again in a few seconds. `false`
        /// does not prove that the balance is current. Null: not sent.
        stale: Option<bool>,
    } key "address:{address}"
}

record! {
    /// A token that an address holds.
    TokenHolding {
        /// Amount in base units. Null: not known.
        balance @essential: Option<Uint>,
        /// Address hash of the token contract.
        contract_address = "contractAddress" @essential: AddressHash,
        /// Number of decimal places of `balance`. Null: not set, or not known.
        decimals: Option<Int>,
        /// Name. Untrusted: set by the author of the token. Null: no name.
        name: Option<Text>,
        /// Symbol. Untrusted: set by the author of the token. Null: no symbol.
        symbol: Option<Text>,
        /// Token standard. Null: not known.
        r#type: Option<TokenStandard>,
        /// Token id, for ERC-1155 and ERC-404 tokens. Null: another standard.
        id @sometimes @essential: Option<Uint>,
    } key "holding:{contractAddress}:{id}",
        "Unique among the holdings of one address: the record does not name the address."
}

record! {
    /// A block that an address mined or validated.
    MinedBlock {
        /// Block number.
        block_number = "blockNumber" @essential: BlockNumberString,
        /// Time of the block in the format of this action: `2026-02-04 05:43:23.000000Z`. Null: not sent.
        time_stamp = "timeStamp": Option<Text>,
        /// Time of the block, derived from `timeStamp`, in ISO 8601 (UTC). Null: not sent.
        timestamp | "timeStamp": Option<Timestamp>,
    } key "block:{blockNumber}"
}

record! {
    /// A transaction in a block.
    AccountTransaction {
        /// Block number.
        block_number = "blockNumber" @essential: BlockNumberString,
        /// Time of the block in Unix seconds. Null: not known.
        time_stamp = "timeStamp": Option<Uint>,
        /// Transaction hash.
        hash @essential: Hash32,
        /// Nonce: the number of transactions that the sender sent before. Null: not sent.
        nonce: Option<Uint>,
        /// Block hash. Null: not sent.
        block_hash = "blockHash": Option<Hash32>,
        /// Index of the transaction in its block. Null: not sent.
        transaction_index = "transactionIndex" @essential: Option<Uint>,
        /// Address hash of the sender.
        from @essential: AddressHash,
        /// Address hash of the receiver. Null: a contract creation.
        to @essential: Option<AddressHash>,
        /// Transferred amount of the native coin in wei.
        value @essential: BaseUnits,
        /// Gas limit. Null: not sent.
        gas: Option<Uint>,
        /// Gas price in wei. Null: not known.
        gas_price = "gasPrice": Option<Uint>,
        /// `"1"`: the transaction failed, or its status is not known (before the Byzantium fork). Null: not sent.
        is_error = "isError" @essential: Option<Flag>,
        /// `"0"`: the transaction failed, or its status is not known (before the Byzantium fork). Null: not sent.
        txreceipt_status: Option<Flag>,
        /// Call data. Null: not sent.
        input: Option<HexData>,
        /// Address hash of the created contract. Null: not a contract creation.
        contract_address = "contractAddress" @essential: Option<AddressHash>,
        /// Gas used in the block up to and including this transaction. Null: not known.
        cumulative_gas_used = "cumulativeGasUsed": Option<Uint>,
        /// Gas used. Null: not known.
        gas_used = "gasUsed": Option<Uint>,
        /// Number of confirmations. Null: not sent.
        confirmations: Option<Uint>,
        /// Selector of the called function. Null: no function call, or a service version before 9.1.
        method_id = "methodId": Option<Selector>,
        /// Fee for the data on the parent chain, in wei, which the gas does not include. Null: not a rollup, or not known: service
        /// versions before 12.0.2 do not send it.
        l1_fees_paid = "L1FeesPaid" | "l1FeesPaid" | "l1Fee" | "l1_fee" @sometimes: Option<BaseUnits>,
    } key "transaction:{hash}", "A pending transaction keeps its key when it is mined."
}

record! {
    /// A pending transaction: in no block yet.
    PendingTransaction {
        /// Transaction hash.
        hash @essential: Hash32,
        /// Nonce: the number of transactions that the sender sent before. Null: not sent.
        nonce: Option<Uint>,
        /// Address hash of the sender.
        from @essential: AddressHash,
        /// Address hash of the receiver. Null: a contract creation.
        to @essential: Option<AddressHash>,
        /// Transferred amount of the native coin in wei.
        value @essential: BaseUnits,
        /// Gas limit. Null: not sent.
        gas: Option<Uint>,
        /// Gas price in wei. Null: not known.
        gas_price = "gasPrice": Option<Uint>,
        /// Call data. Null: not sent.
        input: Option<HexData>,
        /// Address hash of the created contract. Null: not a contract creation, or not known yet.
        contract_address = "contractAddress" @essential: Option<AddressHash>,
        /// Gas used in the block up to and including this transaction. Null: not known yet.
        cumulative_gas_used = "cumulativeGasUsed": Option<Uint>,
        /// Gas used. Null: not known yet.
        gas_used = "gasUsed": Option<Uint>,
    } key "transaction:{hash}", "A pending transaction keeps its key when it is mined."
}

record! {
    /// An internal transaction, as the account actions return it.
    AccountInternalTransaction {
        /// Block number.
        block_number = "blockNumber" @essential: BlockNumberString,
        /// Time of the block in Unix seconds. Null: not known.
        time_stamp = "timeStamp": Option<Uint>,
        /// Address hash of the sender.
        from @essential: AddressHash,
        /// Address hash of the receiver. Null: a contract creation.
        to @essential: Option<AddressHash>,
        /// Transferred amount of the native coin in wei. Null: not known, as for some self-destructs.
        value @essential: Option<BaseUnits>,
        /// Address hash of the created contract. Null: not a contract creation.
        contract_address = "contractAddress" @essential: Option<AddressHash>,
        /// Hash of the transaction that contains the internal transaction.
        transaction_hash = "transactionHash" | "hash" @essential: Hash32,
        /// Index of the internal transaction in its transaction. Null: not sent.
        index @essential: Option<Uint>,
        /// Call data. Null: no call data.
        input: Option<HexData>,
        /// Type of the internal transaction. Null: not sent.
        r#type: Option<CallKind>,
        /// Type of the call, such as `delegatecall`; an empty string for other internal transactions. Null: not sent.
        call_type = "callType": Option<Text>,
        /// Gas limit. Null: not known.
        gas: Option<Uint>,
        /// Gas used. Null: not known.
        gas_used = "gasUsed": Option<Uint>,
        /// `"1"`: the internal transaction failed. Null: not sent.
        is_error = "isError" @essential: Option<Flag>,
        /// Error message of the node; an empty string where there was no error. Null: not sent.
        err_code = "errCode": Option<Text>,
    } key "internal:{transactionHash}:{index}",
        "Unique where the service sends `index`. Without it the calls of one transaction share a key."
}

record! {
    shared before {
        /// Block number.
        block_number = "blockNumber" @essential: BlockNumberString,
        /// Time of the block in Unix seconds. Null: not known.
        time_stamp = "timeStamp": Option<Uint>,
        /// Transaction hash.
        hash @essential: Hash32,
        /// Nonce of the transaction. Null: not sent.
        nonce: Option<Uint>,
        /// Block hash. Null: not sent.
        block_hash = "blockHash": Option<Hash32>,
        /// Address hash of the sender of the tokens.
        from @essential: AddressHash,
        /// Address hash of the token contract. Null: not sent.
        contract_address = "contractAddress" @essential: Option<AddressHash>,
        /// Address hash of the receiver of the tokens. Null: not sent.
        to @essential: Option<AddressHash>,
    } after {
        /// Token name. Untrusted: set by the author of the token. Null: no name.
        token_name = "tokenName": Option<Text>,
        /// Token symbol. Untrusted: set by the author of the token. Null: no symbol.
        token_symbol = "tokenSymbol": Option<Text>,
        /// Number of decimal places of an amount. Null: not set, or not known.
        token_decimal = "tokenDecimal": Option<Int>,
        /// Index of the transaction in its block. Null: not sent.
        transaction_index = "transactionIndex": Option<Uint>,
        /// Gas limit of the transaction. Null: not sent.
        gas: Option<Uint>,
        /// Gas price of the transaction in wei. Null: not known.
        gas_price = "gasPrice": Option<Uint>,
        /// Gas used by the transaction. Null: not known.
        gas_used = "gasUsed": Option<Uint>,
        /// Gas used in the block up to and including the transaction. Null: not known.
        cumulative_gas_used = "cumulativeGasUsed": Option<Uint>,
        /// Call data of the transaction. Null: not sent, or sent as `deprecated`.
        input: Option<HexData>,
        /// Number of confirmations. Null: not sent.
        confirmations: Option<Uint>,
        /// Selector of the called function, without `0x`. Null: the call data could not be decoded.
        method_id = "methodId": Option<Selector>,
        /// Signature of the called function; an empty string where the call data could not be decoded. Null:
        /// not sent.
        function_name = "functionName": Option<Text>,
    } end { key none, "They have no log index: two equal rows are two transfers." }

    /// A transfer of ERC-20 tokens.
    /// Rows have no log index: two equal rows are two transfers.
    Erc20Transfer {
        /// Amount in base units. Null: not known.
        value @essential: Option<BaseUnits>,
    }
    /// A transfer of an ERC-721 token.
    /// Rows have no log index: two equal rows are two transfers.
    Erc721Transfer {
        /// Token id: an integer of up to 78 digits. Null: not known.
        token_id = "tokenID" @essential: Option<Uint>,
    }
    /// A transfer of ERC-1155 tokens with one id. A batch transfer has several rows.
    /// Rows have no log index: two equal rows are two transfers.
    Erc1155Transfer {
        /// Token id: an integer of up to 78 digits. Null: not known.
        token_id = "tokenID" @essential: Option<Uint>,
        /// Amount in base units. Null: not known.
        token_value = "tokenValue" @essential: Option<BaseUnits>,
    }
    /// A transfer of ERC-404 tokens: either of an amount, or of one token id.
    /// Rows have no log index: two equal rows are two transfers.
    Erc404Transfer {
        /// Token id: an integer of up to 78 digits. Null: a transfer of an amount.
        token_id = "tokenID" @essential: Option<Uint>,
        /// Amount in base units. Null: a transfer of a token id.
        value @essential: Option<BaseUnits>,
    }
}

record! {
    /// An event log, as the logs module returns it. It does not name the block hash.
    EventLog {
        /// Address hash of the contract that emitted the log.
        address @essential: AddressHash,
        /// The four topics, `null` for each unused one. The first is usually the hash of the event signature.
        topics @essential: Vec<Option<HexData>>,
        /// Data of the log: the ABI-encoded parameters that are not indexed. Null: not sent.
        data @essential: Option<HexData>,
        /// Block number.
        block_number = "blockNumber" @essential: HexUint,
        /// Time of the block in Unix seconds. Null: not known.
        time_stamp = "timeStamp": Option<HexUint>,
        /// Gas price of the transaction in wei. Null: not known.
        gas_price = "gasPrice": Option<HexUint>,
        /// Gas used by the transaction. Null: not known.
        gas_used = "gasUsed": Option<HexUint>,
        /// Index of the log in its block. Null: not sent.
        log_index = "logIndex" @essential: Option<HexUint>,
        /// Transaction hash.
        transaction_hash = "transactionHash" @essential: Hash32,
        /// Index of the transaction in its block. Null: not sent.
        transaction_index = "transactionIndex": Option<HexUint>,
    } key "log:{transactionHash}:{logIndex}",
        "Unique where the service sends `logIndex`. The key of a `Log` has the block hash, which this record lacks."
}
