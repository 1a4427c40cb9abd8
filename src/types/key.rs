//! Natural keys: the fields that identify a record, for databases and user interfaces.
//!
//! The generator creates the JavaScript function `keyOf` from them. WebAssembly does not contain them.

/// The natural key of one or more records.
#[derive(Debug)]
pub struct NaturalKey {
    /// The records, by their Rust names.
    pub records: &'static [&'static str],
    /// A field by which these records are recognised: no record of a later entry has it.
    pub mark: &'static str,
    /// The start of the key. Entries for the same thing, such as an address, share it.
    pub prefix: &'static str,
    /// The paths of the fields in the key. A path after a bar replaces the one before it if that is null. Empty if
    /// the records have no key.
    pub fields: &'static [&'static str],
    /// Documentation: the limits of the key's uniqueness within a chain.
    pub unique: &'static str,
}

/// All natural keys. A record uses the first entry whose `mark` it has.
pub const NATURAL_KEYS: &[NaturalKey] = &[
    NaturalKey {
        records: &["Log"],
        mark: "topics",
        prefix: "log",
        fields: &["block_hash", "index"],
        unique: "If a reorganisation moves a log to another block, its key changes.",
    },
    NaturalKey {
        records: &["TokenTransfer"],
        mark: "log_index",
        prefix: "transfer",
        fields: &["transaction_hash|block_hash", "log_index", "total.token_id"],
        unique: "One event can move several token ids, so the id is part of the key. The id is missing while the service \
                 does not know the token's standard.",
    },
    NaturalKey {
        records: &["Transaction"],
        mark: "raw_input",
        prefix: "transaction",
        fields: &["hash"],
        unique: "The same key as in the account module. A pending transaction keeps its key when it is mined.",
    },
    NaturalKey {
        records: &["InternalTransaction"],
        mark: "created_contract",
        prefix: "internal",
        fields: &["transaction_hash", "index"],
        unique: "The same key as in the account module.",
    },
    NaturalKey {
        records: &["AccountInternalTransaction"],
        mark: "callType",
        prefix: "internal",
        fields: &["transactionHash", "index"],
        unique: "Unique where the service sends `index`. Without it the calls of one transaction share a key.",
    },
    NaturalKey {
        records: &["Withdrawal"],
        mark: "validator_index",
        prefix: "withdrawal",
        fields: &["index"],
        unique: "",
    },
    NaturalKey {
        records: &["CoinBalanceChange"],
        mark: "delta",
        prefix: "balance",
        fields: &["block_number"],
        unique: "Unique among the changes of one address: the record does not say which address it is of.",
    },
    NaturalKey {
        records: &["DailyCoinBalance"],
        mark: "date",
        prefix: "day",
        fields: &["date"],
        unique: "Unique among the days of one address: the record does not say which address it is of.",
    },
    NaturalKey {
        records: &["Block"],
        mark: "miner",
        prefix: "block",
        fields: &["hash"],
        unique: "Uncles and removed blocks share their number with other blocks, so the hash is the key.",
    },
    NaturalKey { records: &["BeaconDeposit"], mark: "pubkey", prefix: "deposit", fields: &["index"], unique: "" },
    NaturalKey {
        records: &["ElectionReward"],
        mark: "epoch_number",
        prefix: "reward",
        fields: &["epoch_number", "type", "account.hash", "associated_account.hash"],
        unique: "Unique among the rewards of one address. Old service versions do not send the accounts.",
    },
    NaturalKey {
        records: &["NftCollection"],
        mark: "token_instances",
        prefix: "collection",
        fields: &["token.address_hash"],
        unique: "Unique among the collections of one address: the record does not say which address it is of.",
    },
    NaturalKey {
        records: &["NftInstance"],
        mark: "image_url",
        prefix: "nft",
        fields: &["token.address_hash", "id"],
        unique: "Several holders of one ERC-1155 id share a key. Within a collection `token` is null, and only the id is left.",
    },
    NaturalKey {
        records: &["AddressRef", "AddressListItem", "AddressInfo"],
        mark: "watchlist_names",
        prefix: "address",
        fields: &["hash"],
        unique: "",
    },
    NaturalKey { records: &["Balance"], mark: "account", prefix: "address", fields: &["account"], unique: "" },
    NaturalKey { records: &["Account"], mark: "address", prefix: "address", fields: &["address"], unique: "" },
    NaturalKey {
        records: &["Erc20Transfer", "Erc721Transfer", "Erc1155Transfer", "Erc404Transfer"],
        mark: "tokenSymbol",
        prefix: "",
        fields: &[],
        unique: "They have no log index: two equal rows are two transfers.",
    },
    NaturalKey {
        records: &["AccountTransaction", "PendingTransaction"],
        mark: "cumulativeGasUsed",
        prefix: "transaction",
        fields: &["hash"],
        unique: "A pending transaction keeps its key when it is mined.",
    },
    NaturalKey {
        records: &["TokenHolding"],
        mark: "contractAddress",
        prefix: "holding",
        fields: &["contractAddress", "id"],
        unique: "Unique among the holdings of one address: the record does not say which address it is of.",
    },
    NaturalKey {
        records: &["TokenBalance"],
        mark: "token",
        prefix: "holding",
        fields: &["token.address_hash", "token_id"],
        unique: "Unique among the holdings of one address. The same key as in the account module.",
    },
    NaturalKey { records: &["MinedBlock"], mark: "timeStamp", prefix: "block", fields: &["blockNumber"], unique: "" },
];
