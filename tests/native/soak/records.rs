//! The records of the simulated service. Each record is generated from its position: a number that grows with time.

use serde_json::Value as Json;

use crate::support::read_fixture;

/// The parameters of a cursor: names and values.
pub type CursorParams = Vec<(&'static str, String)>;

/// A list of the REST API.
pub struct ListRows {
    pub method: &'static str,
    /// The end of the URL path.
    pub path: &'static str,
    /// Filters that every request must contain.
    pub filters: &'static [(&'static str, &'static str)],
    pub fixture: &'static str,
    /// Sets the fields of a record that depend on its position.
    pub set_position: fn(&mut Json, u64),
    /// Returns the cursor that continues after the record at this position.
    pub cursor: fn(u64) -> CursorParams,
    /// The cursor parameter that identifies a position, and a function that parses the position from its value.
    pub parse_cursor: (&'static str, fn(&str) -> Option<u64>),
}

pub const HEAD: u64 = 20_000_000;

pub fn hash(position: u64) -> String {
    format!("0x{position:064x}")
}

pub fn number(value: u64) -> String {
    value.to_string()
}

/// The index of the record at position 0. It exceeds 32 bits.
const FIRST_INDEX: u64 = 10_000_000_000;

fn log_cursor(position: u64) -> CursorParams {
    vec![("block_number", number(HEAD + position)), ("index", number(position % 3))]
}

fn parse_block(block: &str) -> Option<u64> {
    block.parse::<u64>().ok()?.checked_sub(HEAD)
}

fn set_transfer_position(row: &mut Json, position: u64) {
    (row["block_number"], row["log_index"]) = ((HEAD + position).into(), (position % 3).into());
    row["transaction_hash"] = hash(position).into();
}

fn set_hash(row: &mut Json, position: u64) {
    row["hash"] = hash(position).into();
}

fn set_index(row: &mut Json, position: u64) {
    row["index"] = (FIRST_INDEX + position).into();
}

fn index_cursor(position: u64) -> CursorParams {
    vec![("index", number(FIRST_INDEX + position))]
}

fn parse_index(index: &str) -> Option<u64> {
    index.parse::<u64>().ok()?.checked_sub(FIRST_INDEX)
}

/// A list with one page.
const fn single_page(
    method: &'static str,
    path: &'static str,
    fixture: &'static str,
    set_position: fn(&mut Json, u64),
) -> ListRows {
    ListRows { method, path, filters: &[], fixture, set_position, cursor: |_| Vec::new(), parse_cursor: ("", |_| None) }
}

/// A list with a cursor of block number and index.
const fn by_block(
    method: &'static str,
    path: &'static str,
    fixture: &'static str,
    set_position: fn(&mut Json, u64),
) -> ListRows {
    ListRows {
        cursor: log_cursor,
        parse_cursor: ("block_number", parse_block),
        ..single_page(method, path, fixture, set_position)
    }
}

const TRANSFERS: ListRows = ListRows {
    method: "tokenTransfers",
    path: "/api/v2/token-transfers",
    filters: &[],
    fixture: "token-transfers/v11.json",
    set_position: set_transfer_position,
    cursor: log_cursor,
    parse_cursor: ("block_number", parse_block),
};

const WITHDRAWALS: ListRows = ListRows {
    cursor: index_cursor,
    parse_cursor: ("index", parse_index),
    ..single_page("addressWithdrawals", "/withdrawals", "address-withdrawals/v11.json", set_index)
};

/// The token id, and the hash of the transaction, in the paths.
pub const TOKEN_ID: &str = "73";
pub const TRANSACTION: &str = "0x5c5c5c5c5c5c5c5c5c5c5c5c5c5c5c5c5c5c5c5c5c5c5c5c5c5c5c5c5c5c5c5c";

/// The path of a list of the transaction or of a block.
macro_rules! hash_path {
    ($subject:literal, $end:literal) => {
        concat!("/", $subject, "/0x5c5c5c5c5c5c5c5c5c5c5c5c5c5c5c5c5c5c5c5c5c5c5c5c5c5c5c5c5c5c5c5c/", $end)
    };
}

/// A list whose cursor has an address and the value that it holds.
const HOLDERS: ListRows = ListRows {
    cursor: |position| vec![("address_hash", format!("0x{position:040x}")), ("value", number(position))],
    parse_cursor: ("value", |value| value.parse().ok()),
    ..single_page("tokenHolders", "/holders", "token-holders/v11.json", |row, position| {
        row["value"] = number(position).into();
    })
};

/// A list of blocks that were found.
const SEARCH: ListRows = ListRows {
    cursor: |position| {
        vec![
            ("next_page_params_type", "search".into()),
            ("block[block_number]", number(position)),
            ("token[name]", "a&b".into()),
        ]
    },
    parse_cursor: ("block[block_number]", |block| block.parse().ok()),
    filters: &[("q", TRANSACTION)],
    ..single_page("search", "/api/v2/search", "search/v12.json", |row, position| {
        row["block_number"] = position.into();
        row["block_hash"] = hash(position).into();
    })
};

pub static LISTS: [ListRows; 36] = [
    ListRows {
        method: "addresses",
        path: "/api/v2/addresses",
        filters: &[("sort", "balance"), ("order", "desc")],
        fixture: "addresses/v11.json",
        set_position: |row, position| {
            row["hash"] = format!("0x{position:040x}").into();
            row["coin_balance"] = format!("{position}000000000000000000").into();
        },
        cursor: |position| {
            let count = if position.is_multiple_of(3) { "null".into() } else { number(position) };
            let balance = format!("{position}000000000000000000");
            let hash = format!("0x{position:040x}");
            vec![("fetched_coin_balance", balance), ("hash", hash), ("transactions_count", count)]
        },
        parse_cursor: ("hash", |hash| u64::from_str_radix(hash.get(2..)?, 16).ok()),
    },
    ListRows {
        method: "addressNft",
        path: "/nft",
        filters: &[("type", "ERC-721,ERC-1155")],
        fixture: "address-nft/v11.json",
        set_position: |row, position| row["id"] = format!("7{position:020}").into(),
        cursor: |position| {
            let contract = "0x495f947276749ce646f68ac8c248420045cb7b5e";
            let id = format!("7{position:020}");
            vec![("token_contract_address_hash", contract.into()), ("token_id", id), ("token_type", "ERC-721".into())]
        },
        parse_cursor: ("token_id", |id| id.get(1..)?.parse().ok()),
    },
    ListRows {
        method: "addressLogs",
        path: "/logs",
        filters: &[],
        fixture: "address-logs/v11.json",
        set_position: |row, position| {
            (row["block_number"], row["index"]) = ((HEAD + position).into(), (position % 3).into());
            row["transaction_hash"] = hash(position).into();
        },
        cursor: log_cursor,
        parse_cursor: ("block_number", parse_block),
    },
    TRANSFERS,
    ListRows {
        method: "addressCoinBalanceHistory",
        path: "/coin-balance-history",
        filters: &[],
        fixture: "address-coin-balance-history/v11.json",
        set_position: |row, position| row["block_number"] = (HEAD + position).into(),
        cursor: |position| vec![("block_number", number(HEAD + position))],
        parse_cursor: ("block_number", parse_block),
    },
    ListRows {
        method: "addressInternalTransactions",
        path: "/internal-transactions",
        filters: &[("filter", "to")],
        fixture: "address-internal-transactions/v11.json",
        set_position: |row, position| {
            (row["block_number"], row["index"]) = ((HEAD + position).into(), (position % 5).into());
            row["transaction_hash"] = hash(position).into();
        },
        cursor: |position| {
            let (block, index) = (number(HEAD + position), number(position % 5));
            vec![("block_number", block), ("index", index), ("transaction_index", "12".into())]
        },
        parse_cursor: ("block_number", parse_block),
    },
    ListRows {
        method: "addressTokenTransfers",
        path: "/token-transfers",
        filters: &[("type", "ERC-20,ERC-721"), ("filter", "from")],
        ..TRANSFERS
    },
    WITHDRAWALS,
    ListRows { method: "withdrawals", path: "/api/v2/withdrawals", ..WITHDRAWALS },
    ListRows {
        method: "addressBeaconDeposits",
        path: "/beacon/deposits",
        fixture: "address-beacon-deposits/v11.json",
        ..WITHDRAWALS
    },
    ListRows {
        // Pending transactions have a cursor with nulls.
        cursor: |position| {
            let block = if position.is_multiple_of(4) { "null".into() } else { number(HEAD + position) };
            vec![
                ("block_number", block),
                ("index", "null".into()),
                ("hash", hash(position)),
                ("value", number(position)),
            ]
        },
        parse_cursor: ("hash", |hash| u64::from_str_radix(hash.get(2..)?, 16).ok()),
        filters: &[("sort", "value"), ("order", "desc")],
        ..by_block("addressTransactions", "/transactions", "address-transactions/v11.json", set_hash)
    },
    by_block("transactions", "/api/v2/transactions", "address-transactions/v12.json", set_hash),
    by_block(
        "internalTransactions",
        "/api/v2/internal-transactions",
        "address-internal-transactions/v12.json",
        |row, position| row["transaction_hash"] = hash(position).into(),
    ),
    by_block("blocks", "/api/v2/blocks", "address-blocks-validated/v11.json", set_hash),
    by_block("addressBlocksValidated", "/blocks-validated", "address-blocks-validated/v12.json", set_hash),
    ListRows {
        cursor: |position| {
            let (value, id) = (number(position), number(FIRST_INDEX + position));
            vec![("fiat_value", "null".into()), ("value", value), ("id", id)]
        },
        parse_cursor: ("id", parse_index),
        ..by_block("addressTokens", "/tokens", "address-tokens/v11.json", |row, position| {
            row["value"] = number(position).into();
        })
    },
    single_page("addressTokenBalances", "/token-balances", "address-token-balances/v11.json", |row, position| {
        row["value"] = number(position).into();
    }),
    single_page(
        "addressCoinBalanceHistoryByDay",
        "/coin-balance-history-by-day",
        "address-coin-balance-history-by-day/v11.json",
        |row, position| row["value"] = number(position).into(),
    ),
    ListRows {
        cursor: |position| {
            vec![("token_contract_address_hash", format!("0x{position:040x}")), ("token_type", "ERC-721".into())]
        },
        parse_cursor: ("token_contract_address_hash", |hash| u64::from_str_radix(hash.get(2..)?, 16).ok()),
        ..by_block("addressNftCollections", "/nft/collections", "address-nft-collections/v11.json", |row, position| {
            row["amount"] = number(position).into();
        })
    },
    ListRows {
        cursor: |position| {
            let hash = format!("0x{position:040x}");
            vec![
                ("epoch_number", number(position)),
                ("amount", "1500".into()),
                ("associated_account_address_hash", hash),
                ("type", "voter".into()),
            ]
        },
        parse_cursor: ("epoch_number", |epoch| epoch.parse().ok()),
        ..by_block(
            "addressCeloElectionRewards",
            "/celo/election-rewards",
            "address-celo-election-rewards/v11.json",
            |row, position| {
                row["epoch_number"] = position.into();
            },
        )
    },
    ListRows {
        cursor: |position| {
            vec![
                ("market_cap", "null".into()),
                ("fiat_value", "0.1".into()),
                ("holders_count", number(position)),
                ("name", "A & B".into()),
                ("is_name_null", "false".into()),
                ("contract_address_hash", format!("0x{position:040x}")),
            ]
        },
        parse_cursor: ("holders_count", |count| count.parse().ok()),
        filters: &[("q", "a&b=c"), ("sort", "holders_count"), ("order", "asc")],
        ..single_page("tokens", "/api/v2/tokens", "tokens/v11.json", |row, position| {
            row["address_hash"] = format!("0x{position:040x}").into();
        })
    },
    ListRows {
        cursor: |position| {
            vec![
                ("block_number", number(HEAD + position)),
                ("transaction_index", "3".into()),
                ("internal_transaction_index", "null".into()),
                ("token_transfer_index", number(position)),
                ("token_transfer_batch_index", "0".into()),
            ]
        },
        filters: &[("age_from", "2026-01-01T00:00:00.000000Z"), ("methods", "0xa9059cbb")],
        ..by_block("advancedFilters", "/api/v2/advanced-filters", "advanced-filters/v11.json", set_hash)
    },
    SEARCH,
    ListRows { cursor: |_| Vec::new(), method: "searchQuick", path: "/api/v2/search/quick", ..SEARCH },
    HOLDERS,
    ListRows { method: "tokenInstanceHolders", path: "/instances/73/holders", ..HOLDERS },
    ListRows { method: "transfersOfToken", path: "/transfers", ..TRANSFERS },
    ListRows {
        cursor: |position| [log_cursor(position), vec![("token_id", TOKEN_ID.into())]].concat(),
        method: "tokenInstanceTransfers",
        path: "/instances/73/transfers",
        ..TRANSFERS
    },
    ListRows {
        // More digits than a JavaScript number holds.
        cursor: |position| vec![("unique_token", format!("7{position:077}"))],
        parse_cursor: ("unique_token", |id| id.get(1..)?.parse().ok()),
        ..single_page("tokenInstances", "/instances", "token-instances/v11.json", |row, position| {
            row["id"] = format!("7{position:077}").into();
        })
    },
    ListRows { method: "transactionTokenTransfers", path: hash_path!("transactions", "token-transfers"), ..TRANSFERS },
    by_block(
        "transactionInternalTransactions",
        hash_path!("transactions", "internal-transactions"),
        "address-internal-transactions/v12.json",
        |row, position| row["index"] = position.into(),
    ),
    by_block("transactionLogs", hash_path!("transactions", "logs"), "address-logs/v11.json", set_index),
    ListRows {
        cursor: |position| vec![("state_changes_count", number(position))],
        parse_cursor: ("state_changes_count", |count| count.parse().ok()),
        ..single_page(
            "transactionStateChanges",
            hash_path!("transactions", "state-changes"),
            "transaction-state-changes/v12.json",
            |row, position| row["balance_before"] = number(position).into(),
        )
    },
    by_block("blockTransactions", hash_path!("blocks", "transactions"), "address-transactions/v12.json", set_hash),
    ListRows { method: "blockWithdrawals", path: hash_path!("blocks", "withdrawals"), ..WITHDRAWALS },
    ListRows {
        cursor: |position| vec![("page_token", format!("0x{position:x}")), ("page_size", "50".into())],
        parse_cursor: ("page_token", |token| u64::from_str_radix(token.get(2..)?, 16).ok()),
        ..single_page("userOperations", "/operations", "user-operations/v12.json", set_hash)
    },
];

impl ListRows {
    /// Whether the list has a cursor. Other lists have one page.
    pub fn has_pages(&self) -> bool {
        !(self.cursor)(0).is_empty()
    }

    /// Returns the record at this position.
    pub fn row(&self, position: u64) -> String {
        thread_local! {
            static TEMPLATES: std::cell::RefCell<std::collections::HashMap<&'static str, Vec<Json>>> = std::cell::RefCell::default();
        }
        let read_template = || match serde_json::from_slice::<Json>(&read_fixture(self.fixture)).unwrap() {
            Json::Array(rows) => rows,
            mut page => match page["items"].take() {
                Json::Array(rows) => rows,
                other => panic!("expected an array of items, found {other}"),
            },
        };
        let mut row = TEMPLATES.with_borrow_mut(|templates| {
            let rows = templates.entry(self.fixture).or_insert_with(read_template);
            rows[usize::try_from(position).unwrap() % rows.len()].clone()
        });
        (self.set_position)(&mut row, position);
        row.to_string()
    }
}
