//! The lists and actions of the service: where they are, and what depends on the row in their records and cursors. Everything else
//! in a record is from a fixture.

use std::cell::RefCell;
use std::collections::HashMap;
use std::fmt::Display;
use std::rc::Rc;

use serde_json::{Value as Json, json};

use super::Query;
use crate::support::{HASH_A, read_fixture};

/// The block of a pending transaction.
pub const PENDING: u64 = u64::MAX;

/// A record: its block and what identifies it there. Two records may be equal.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Row {
    pub block: u64,
    pub id: u64,
    pub mark: Mark,
}

/// What is wrong with a record.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Mark {
    None,
    /// Fails validation.
    Bad,
    /// Fails validation, and its block is not readable.
    Unplaced,
    /// Removed from its page by the service, so that pages can be short or empty.
    Hidden,
    /// The service fails for every page with it.
    Unserved,
}

impl Row {
    pub const fn new(block: u64, id: u64) -> Self {
        Self { block, id, mark: Mark::None }
    }

    pub const fn marked(self, mark: Mark) -> Self {
        Self { mark, ..self }
    }
}

/// Names and JSON values.
pub type Fields = Vec<(&'static str, String)>;

/// A list of REST or an action of the account module.
#[derive(Clone, Copy)]
pub struct Schema {
    pub method: &'static str,
    /// The end of the path of a list, or the `action` of an action.
    pub path: &'static str,
    /// Filters that every request must contain.
    pub filters: &'static [(&'static str, &'static str)],
    /// The file with records of a list, or the JSON of a record of an action.
    pub template: &'static str,
    /// The fields that depend on the row. The value of the last one is not valid in a bad record.
    pub fields: fn(Row) -> Fields,
    /// The cursor that continues after this row. An empty one means that the list has one page.
    pub cursor: fn(Row) -> Fields,
    /// Reads the block and the id of the last row from a cursor. An id of 0 means all rows of the block.
    pub position: fn(&Query) -> Option<(u64, u64)>,
    /// Whether an action can be read as a range of blocks. New blocks add rows to it.
    pub is_range: bool,
}

impl Schema {
    pub fn is_list(&self) -> bool {
        self.path.starts_with('/')
    }

    /// Whether new blocks add rows.
    pub fn grows(&self) -> bool {
        self.is_list() || self.is_range
    }

    /// Whether a range of it can be read newest first. One without an order has no pages either.
    pub fn has_order(&self) -> bool {
        self.path != "getLogs"
    }

    /// Whether requests choose a page.
    pub fn is_paged(&self) -> bool {
        self.has_order() && !self.is_unpaged()
    }

    /// Whether one response has all rows.
    pub(super) fn is_unpaged(&self) -> bool {
        ["tokenlist", "getcontractcreation"].contains(&self.path)
    }

    /// Returns the shown rows as JSON.
    pub fn records<'a>(&self, rows: impl IntoIterator<Item = &'a Row>, confirmations: usize) -> Vec<String> {
        let (templates, confirmations) = (self.templates(), confirmations.to_string());
        let record = |row: &Row| {
            let mut fields = (self.fields)(*row);
            let damaged = match row.mark {
                Mark::Bad => fields.last_mut(),
                Mark::Unplaced => fields.first_mut(),
                _ => None,
            };
            if let Some((_, value)) = damaged {
                *value = string(format!("bad {}", value.trim_matches('"')));
            }
            let template = &templates[usize::try_from(row.block).unwrap() % templates.len()];
            let json = object(&fields);
            if self.is_list() { json + template } else { json + &template.replace("CONFIRMATIONS", &confirmations) }
        };
        rows.into_iter().filter(|row| row.mark != Mark::Hidden).map(record).collect()
    }

    /// Returns the JSON of the records of the template without the fields that depend on the row, and without
    /// the first brace.
    fn templates(&self) -> Rc<[String]> {
        type Templates = HashMap<(&'static str, usize), Rc<[String]>>;
        thread_local! {
            static TEMPLATES: RefCell<Templates> = RefCell::default();
        }
        let read = || {
            let json = if self.is_list() {
                read_fixture(self.template)
            } else {
                self.template.replace("ADDRESS", HASH_A).into()
            };
            let records = match serde_json::from_slice::<Json>(&json).unwrap() {
                Json::Array(records) => records,
                mut page if self.is_list() => page["items"].take().as_array().unwrap().clone(),
                record => vec![record],
            };
            let rest = |mut record: Json| {
                for (name, _) in (self.fields)(Row::new(1, 1)) {
                    record.as_object_mut().unwrap().remove(name);
                }
                record.to_string().replacen('{', if record == json!({}) { "" } else { "," }, 1)
            };
            records.into_iter().map(rest).collect()
        };
        TEMPLATES.with_borrow_mut(|templates| {
            Rc::clone(templates.entry((self.template, self.fields as usize)).or_insert_with(read))
        })
    }
}

/// Returns the JSON of an object without the last brace.
pub fn object(fields: &[(&'static str, String)]) -> String {
    let mut json = String::from("{");
    for (index, (name, value)) in fields.iter().enumerate() {
        json.extend([if index == 0 { "\"" } else { ",\"" }, name, "\":", value]);
    }
    json
}

/// A JSON string.
pub fn string(value: impl Display) -> String {
    format!("\"{value}\"")
}

/// A number as JSON. A pending transaction has none.
fn number(value: u64) -> String {
    if value == PENDING { "null".into() } else { value.to_string() }
}

fn hash(number: u64) -> String {
    format!("\"0x{number:064x}\"")
}

fn address(number: u64) -> String {
    format!("\"0x{number:040x}\"")
}

fn block_and_index(Row { block, id, .. }: Row) -> Fields {
    vec![("block_number", number(block)), ("index", number(id))]
}

/// A list with one page.
const fn single_page(
    method: &'static str,
    path: &'static str,
    template: &'static str,
    fields: fn(Row) -> Fields,
) -> Schema {
    Schema { method, path, filters: &[], template, fields, cursor: |_| Vec::new(), position: |_| None, is_range: false }
}

/// A list with a cursor of block number and index.
const fn by_block(
    method: &'static str,
    path: &'static str,
    template: &'static str,
    fields: fn(Row) -> Fields,
) -> Schema {
    Schema {
        cursor: block_and_index,
        position: |cursor| Some((cursor.number("block_number")?, cursor.number("index")?)),
        ..single_page(method, path, template, fields)
    }
}

/// A list whose cursor is described by these functions, where this member identifies the row.
macro_rules! by_key {
    ($key:literal, $cursor:expr, $($list:tt)*) => {
        Schema { cursor: $cursor, position: |cursor| Some((cursor.number($key)?, 0)), ..$($list)* }
    };
}

/// The token id, and the hash of the transaction, in the paths.
pub const TOKEN_ID: &str = "73";
pub const TRANSACTION: &str = "0x5c5c5c5c5c5c5c5c5c5c5c5c5c5c5c5c5c5c5c5c5c5c5c5c5c5c5c5c5c5c5c5c";

/// The path of a list of the transaction or of a block.
macro_rules! hash_path {
    ($subject:literal, $end:literal) => {
        concat!("/", $subject, "/0x5c5c5c5c5c5c5c5c5c5c5c5c5c5c5c5c5c5c5c5c5c5c5c5c5c5c5c5c5c5c5c5c/", $end)
    };
}

pub const LOGS: Schema = by_block("addressLogs", "/logs", "address-logs/v11.json", |row| {
    vec![("transaction_hash", hash(row.block)), ("block_number", number(row.block)), ("index", number(row.id))]
});

pub const TRANSFERS: Schema =
    by_block("tokenTransfers", "/api/v2/token-transfers", "token-transfers/v11.json", |row| {
        vec![("transaction_hash", hash(row.block)), ("block_number", number(row.block)), ("log_index", number(row.id))]
    });

/// Their index is the block.
pub const WITHDRAWALS: Schema = by_key!(
    "index",
    |row| vec![("index", number(row.block))],
    single_page("addressWithdrawals", "/withdrawals", "address-withdrawals/v11.json", |row| {
        vec![("block_number", number(row.block)), ("index", number(row.block))]
    })
);

fn unique_hash(row: Row) -> String {
    format!("\"0x{:048x}{:016x}\"", row.block, row.id)
}

pub const TRANSACTIONS: Schema = Schema {
    // Pending transactions are sorted by another key.
    cursor: |row| {
        let index = if row.block == PENDING { "null".into() } else { number(row.id) };
        let block = number(row.block);
        vec![("block_number", block), ("index", index), ("hash", unique_hash(row)), ("value", string(row.id))]
    },
    position: |cursor| {
        let block = cursor.number("block_number").unwrap_or(PENDING);
        Some((block, cursor.number(if block == PENDING { "value" } else { "index" })?))
    },
    ..by_block("addressTransactions", "/transactions", "address-transactions/v11.json", |row| {
        vec![
            ("hash", unique_hash(row)),
            ("block_number", number(row.block)),
            ("index", number(row.id)),
            ("position", number(row.id)),
        ]
    })
};

/// The id is the transaction's index, and three digits for the index.
pub const INTERNAL_TRANSACTIONS: Schema = Schema {
    cursor: |row| {
        let (transaction, index) = (number(row.id / 1_000), number(row.id % 1_000));
        vec![("block_number", number(row.block)), ("index", index), ("transaction_index", transaction)]
    },
    position: |cursor| {
        let id = 1_000 * cursor.number("transaction_index")? + cursor.number("index")?.min(999);
        Some((cursor.number("block_number")?, id))
    },
    ..by_block(
        "addressInternalTransactions",
        "/internal-transactions",
        "address-internal-transactions/v11.json",
        |row| {
            let (transaction, index) = (number(row.id / 1_000), number(row.id % 1_000));
            vec![
                ("transaction_hash", hash(row.block)),
                ("block_number", number(row.block)),
                ("transaction_index", transaction),
                ("index", index),
            ]
        },
    )
};

/// A list whose cursor has an address and the value that it holds.
const HOLDERS: Schema = by_key!(
    "value",
    |row| vec![("address_hash", address(row.block)), ("value", string(row.block))],
    single_page("tokenHolders", "/holders", "token-holders/v12.json", |row| vec![("value", string(row.block))])
);

/// A list of blocks that were found.
const SEARCH: Schema = Schema {
    filters: &[("q", TRANSACTION)],
    ..by_key!(
        "block[block_number]",
        |row| vec![
            ("next_page_params_type", string("search")),
            ("block[block_number]", number(row.block)),
            ("token[name]", string("a&b")),
        ],
        single_page("search", "/api/v2/search", "search/v12.json", |row| {
            vec![("block_number", number(row.block)), ("block_hash", hash(row.block))]
        })
    )
};

fn block_hash(row: Row) -> Fields {
    vec![("hash", hash(row.block))]
}

fn value(row: Row) -> Fields {
    vec![("value", string(row.block))]
}

/// More digits than a JavaScript number holds.
fn token_id(row: Row) -> String {
    format!("\"7{:077}\"", row.block)
}

/// Every list of REST.
pub static LISTS: [Schema; 36] = [
    Schema {
        filters: &[("sort", "balance"), ("order", "desc")],
        ..by_key!(
            "hash",
            |row| {
                let count = if row.block.is_multiple_of(3) { "null".into() } else { number(row.block) };
                let balance = string(format!("{}000000000000000000", row.block));
                vec![("fetched_coin_balance", balance), ("hash", address(row.block)), ("transactions_count", count)]
            },
            single_page("addresses", "/api/v2/addresses", "addresses/v11.json", |row| {
                let balance = string(format!("{}000000000000000000", row.block));
                vec![("hash", address(row.block)), ("coin_balance", balance)]
            })
        )
    },
    Schema {
        filters: &[("type", "ERC-721,ERC-1155")],
        ..by_key!(
            "token_id",
            |row| {
                let contract = string("0x495f947276749ce646f68ac8c248420045cb7b5e");
                let token = [("token_id", token_id(row)), ("token_type", string("ERC-721"))];
                [vec![("token_contract_address_hash", contract)], token.to_vec()].concat()
            },
            single_page("addressNft", "/nft", "address-nft/v11.json", |row| vec![("id", token_id(row))])
        )
    },
    LOGS,
    TRANSFERS,
    by_key!(
        "block_number",
        |row| vec![("block_number", number(row.block))],
        single_page(
            "addressCoinBalanceHistory",
            "/coin-balance-history",
            "address-coin-balance-history/v11.json",
            |row| { vec![("block_number", number(row.block))] }
        )
    ),
    Schema { filters: &[("filter", "to")], ..INTERNAL_TRANSACTIONS },
    Schema {
        method: "addressTokenTransfers",
        path: "/token-transfers",
        filters: &[("type", "ERC-20,ERC-721"), ("filter", "from")],
        ..TRANSFERS
    },
    WITHDRAWALS,
    Schema { method: "withdrawals", path: "/api/v2/withdrawals", ..WITHDRAWALS },
    Schema {
        method: "addressBeaconDeposits",
        path: "/beacon/deposits",
        template: "address-beacon-deposits/v11.json",
        ..WITHDRAWALS
    },
    Schema {
        filters: &[("sort", "value"), ("order", "desc")],
        // Pending transactions have a cursor with nulls.
        ..by_key!(
            "hash",
            |row| {
                let block = if row.block.is_multiple_of(4) { "null".into() } else { number(row.block) };
                let nulls = vec![("block_number", block), ("index", "null".into())];
                [nulls, vec![("hash", hash(row.block)), ("value", string(row.block))]].concat()
            },
            single_page("addressTransactions", "/transactions", "address-transactions/v11.json", block_hash)
        )
    },
    by_block("transactions", "/api/v2/transactions", "address-transactions/v12.json", block_hash),
    by_block(
        "internalTransactions",
        "/api/v2/internal-transactions",
        "address-internal-transactions/v12.json",
        |row| vec![("transaction_hash", hash(row.block))],
    ),
    by_block("blocks", "/api/v2/blocks", "address-blocks-validated/v11.json", block_hash),
    by_block("addressBlocksValidated", "/blocks-validated", "address-blocks-validated/v12.json", block_hash),
    by_key!(
        "id",
        |row| vec![("fiat_value", "null".into()), ("value", string(row.block)), ("id", number(row.block))],
        single_page("addressTokens", "/tokens", "address-tokens/v11.json", value)
    ),
    single_page("addressTokenBalances", "/token-balances", "address-token-balances/v12.json", value),
    single_page(
        "addressCoinBalanceHistoryByDay",
        "/coin-balance-history-by-day",
        "address-coin-balance-history-by-day/v11.json",
        value,
    ),
    by_key!(
        "token_contract_address_hash",
        |row| vec![("token_contract_address_hash", address(row.block)), ("token_type", string("ERC-721"))],
        single_page("addressNftCollections", "/nft/collections", "address-nft-collections/v12.json", |row| {
            vec![("amount", string(row.block))]
        })
    ),
    by_key!(
        "epoch_number",
        |row| vec![
            ("epoch_number", number(row.block)),
            ("amount", string("1500")),
            ("associated_account_address_hash", address(row.block)),
            ("type", string("voter")),
        ],
        single_page(
            "addressCeloElectionRewards",
            "/celo/election-rewards",
            "address-celo-election-rewards/v11.json",
            |row| vec![("epoch_number", number(row.block))]
        )
    ),
    Schema {
        filters: &[("q", "a&b=c"), ("sort", "holders_count"), ("order", "asc")],
        ..by_key!(
            "holders_count",
            |row| vec![
                ("market_cap", "null".into()),
                ("fiat_value", "0.1".into()),
                ("holders_count", number(row.block)),
                ("name", string("A & B")),
                ("is_name_null", "false".into()),
                ("contract_address_hash", address(row.block)),
            ],
            single_page("tokens", "/api/v2/tokens", "tokens/v12.json", |row| vec![(
                "address_hash",
                address(row.block)
            )])
        )
    },
    Schema {
        filters: &[("age_from", "2026-01-01T00:00:00.000000Z"), ("methods", "0xa9059cbb")],
        ..by_key!(
            "block_number",
            |row| vec![
                ("block_number", number(row.block)),
                ("transaction_index", "3".into()),
                ("internal_transaction_index", "null".into()),
                ("token_transfer_index", number(row.block)),
                ("token_transfer_batch_index", "0".into()),
            ],
            single_page("advancedFilters", "/api/v2/advanced-filters", "advanced-filters/v12.json", block_hash)
        )
    },
    SEARCH,
    Schema { cursor: |_| Vec::new(), method: "searchQuick", path: "/api/v2/search/quick", ..SEARCH },
    HOLDERS,
    Schema { method: "tokenInstanceHolders", path: "/instances/73/holders", ..HOLDERS },
    Schema { method: "transfersOfToken", path: "/transfers", ..TRANSFERS },
    Schema {
        cursor: |row| [block_and_index(row), vec![("token_id", string(TOKEN_ID))]].concat(),
        method: "tokenInstanceTransfers",
        path: "/instances/73/transfers",
        ..TRANSFERS
    },
    by_key!(
        "unique_token",
        |row| vec![("unique_token", token_id(row))],
        single_page("tokenInstances", "/instances", "token-instances/v11.json", |row| vec![("id", token_id(row))])
    ),
    Schema { method: "transactionTokenTransfers", path: hash_path!("transactions", "token-transfers"), ..TRANSFERS },
    by_block(
        "transactionInternalTransactions",
        hash_path!("transactions", "internal-transactions"),
        "address-internal-transactions/v12.json",
        |row| vec![("index", number(row.block))],
    ),
    by_block("transactionLogs", hash_path!("transactions", "logs"), "address-logs/v11.json", |row| {
        vec![("index", number(row.block))]
    }),
    by_key!(
        "state_changes_count",
        |row| vec![("state_changes_count", number(row.block))],
        single_page(
            "transactionStateChanges",
            hash_path!("transactions", "state-changes"),
            "transaction-state-changes/v12.json",
            |row| vec![("balance_before", string(row.block))]
        )
    ),
    by_block("blockTransactions", hash_path!("blocks", "transactions"), "address-transactions/v12.json", block_hash),
    Schema { method: "blockWithdrawals", path: hash_path!("blocks", "withdrawals"), ..WITHDRAWALS },
    by_key!(
        "page_token",
        |row| vec![("page_token", format!("\"0x{:x}\"", row.block)), ("page_size", "50".into())],
        single_page("userOperations", "/operations", "user-operations/v12.json", block_hash)
    ),
];

/// An action that can be read as a range.
const fn range(method: &'static str, path: &'static str, template: &'static str, fields: fn(Row) -> Fields) -> Schema {
    Schema { is_range: true, ..single_page(method, path, template, fields) }
}

fn block_and_hash(row: Row) -> Fields {
    vec![("blockNumber", string(row.block)), ("blockHash", hash(row.block)), ("hash", hash(row.id))]
}

/// The required fields of a transfer. The confirmations change from request to request.
pub const SHORT_TRANSFERS: Schema = Schema {
    template: r#"{"confirmations":"CONFIRMATIONS"}"#,
    ..range("tokenTx", "tokentx", "", |row| {
        let from = string("0x00000000219ab540356cbb839cbe05303d7705fa");
        vec![("blockNumber", string(row.block)), ("hash", hash(row.id)), ("from", from)]
    })
};

const TOKEN_TX: Schema = range(
    "tokenTx",
    "tokentx",
    concat!(
        r#"{"timeStamp":"1700000000","nonce":"1","from":"ADDRESS","#,
        r#""contractAddress":"ADDRESS","to":"ADDRESS","#,
        r#""tokenName":"</script>","tokenSymbol":"\u202eFOO","tokenDecimal":"18","transactionIndex":"0","gas":"1","#,
        r#""gasPrice":"1","gasUsed":"1","cumulativeGasUsed":"1","input":"0x","confirmations":"9","methodId":"a9059cbb","#,
        r#""functionName":"","tokenID":"5","value":"7","tokenValue":"2"}"#,
    ),
    block_and_hash,
);

/// Every action with rows, except for the balances.
pub static ACTIONS: [Schema; 12] = [
    range(
        "txList",
        "txlist",
        concat!(
            r#"{"timeStamp":"1705000000","nonce":"7","transactionIndex":"12","to":"","value":"0","gas":"21000","#,
            r#""from":"ADDRESS","gasPrice":"1000000000","isError":"0","#,
            r#""contractAddress":"ADDRESS","txreceipt_status":"1","input":"0x","#,
            r#""cumulativeGasUsed":"900000","gasUsed":"21000","confirmations":"150","methodId":"0x"}"#,
        ),
        block_and_hash,
    ),
    range(
        "txListInternal",
        "txlistinternal",
        concat!(
            r#"{"timeStamp":"1700000000","from":"ADDRESS","value":"1","index":"3","#,
            r#""to":"ADDRESS","contractAddress":"","input":"0x","type":"call","#,
            r#""callType":"call","gas":"5000","gasUsed":"4000","isError":"0","errCode":""}"#,
        ),
        |row| vec![("blockNumber", string(row.block)), ("transactionHash", hash(row.id))],
    ),
    TOKEN_TX,
    Schema { method: "tokenNftTx", path: "tokennfttx", ..TOKEN_TX },
    Schema { method: "token1155Tx", path: "token1155tx", ..TOKEN_TX },
    Schema { method: "token404Tx", path: "token404tx", ..TOKEN_TX },
    range(
        "getLogs",
        "getLogs",
        concat!(
            r#"{"address":"ADDRESS","data":"0x","timeStamp":"0x65920080","#,
            r#""topics":["0x0000000000000000000000000000000000000000000000000000000000000007",null,null,null],"#,
            r#""gasPrice":"0x3b9aca00","gasUsed":"0x5208","transactionIndex":"0x"}"#,
        ),
        |row| {
            let (block, index) = (format!("\"{:#x}\"", row.block), format!("\"{:#x}\"", row.id));
            vec![("blockNumber", block), ("logIndex", index), ("transactionHash", hash(row.id))]
        },
    ),
    single_page(
        "pendingTxList",
        "pendingtxlist",
        concat!(
            r#"{"nonce":"8","from":"ADDRESS","value":"1","gas":"21000","#,
            r#""to":"ADDRESS","gasPrice":"1000000000","input":"0x","#,
            r#""contractAddress":"","cumulativeGasUsed":"","gasUsed":""}"#,
        ),
        |row| vec![("hash", hash(row.id))],
    ),
    single_page("getMinedBlocks", "getminedblocks", r#"{"timeStamp":"2026-02-04 05:43:23.000000Z"}"#, |row| {
        vec![("blockNumber", string(20_000_000 - row.id))]
    }),
    single_page("listAccounts", "listaccounts", r#"{"stale":false}"#, |row| {
        vec![("address", address(row.id)), ("balance", string(row.id))]
    }),
    single_page(
        "tokenList",
        "tokenlist",
        r#"{"decimals":"18","name":"Foo","symbol":"FOO","type":"ERC-1155"}"#,
        |row| vec![("balance", string(row.id)), ("contractAddress", string(HASH_A)), ("id", string(row.id))],
    ),
    single_page("getContractCreation", "getcontractcreation", "{}", |row| {
        vec![("contractAddress", address(row.id)), ("contractCreator", string(HASH_A)), ("txHash", hash(row.id))]
    }),
];

/// Returns the balance of an account, as a decimal string.
pub fn balance(account: &str) -> String {
    u64::from_str_radix(&account[account.len() - 12..], 16).unwrap().to_string()
}

/// Returns the records of these accounts, not in their order.
pub(super) fn balances(accounts: &str) -> Vec<String> {
    let record = |account| json!({ "account": account, "balance": balance(account), "stale": false }).to_string();
    accounts.rsplit(',').map(record).collect()
}
