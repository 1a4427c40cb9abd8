//! The records of the service: what each list and action holds, made of a number that says where the record stands.

use serde_json::{Value as Json, json};

use crate::support::{HASH_A, fixture};

/// Parameters of a cursor: names and values, as they are sent.
pub type Keys = Vec<(&'static str, String)>;

/// A list of the REST interface.
pub struct ListRows {
    pub method: &'static str,
    /// How the path of its URL ends.
    pub path: &'static str,
    /// Filters that every request must hold.
    pub filters: &'static [(&'static str, &'static str)],
    pub fixture: &'static str,
    /// Puts a record in its place.
    pub put: fn(&mut Json, u64),
    /// The cursor behind a record.
    pub keys: fn(u64) -> Keys,
    /// The place that a key stands for, with the key's name.
    pub place: (&'static str, fn(&str) -> Option<u64>),
}

const HEAD: u64 = 20_000_000;

fn hash(place: u64) -> String {
    format!("0x{place:064x}")
}

fn number(value: u64) -> String {
    value.to_string()
}

/// An index above 32 bits, which is a place.
const FIRST_INDEX: u64 = 10_000_000_000;

fn by_log(place: u64) -> Keys {
    vec![("block_number", number(HEAD + place)), ("index", number(place % 3))]
}

fn of_block(text: &str) -> Option<u64> {
    text.parse::<u64>().ok()?.checked_sub(HEAD)
}

fn put_transfer(row: &mut Json, place: u64) {
    (row["block_number"], row["log_index"]) = ((HEAD + place).into(), (place % 3).into());
    row["transaction_hash"] = hash(place).into();
}

const TRANSFERS: ListRows = ListRows {
    method: "tokenTransfers",
    path: "/api/v2/token-transfers",
    filters: &[],
    fixture: "token-transfers/v11.json",
    put: put_transfer,
    keys: by_log,
    place: ("block_number", of_block),
};

pub static LISTS: [ListRows; 8] = [
    ListRows {
        method: "addresses",
        path: "/api/v2/addresses",
        filters: &[("sort", "balance"), ("order", "desc")],
        fixture: "addresses/v11.json",
        put: |row, place| {
            row["hash"] = format!("0x{place:040x}").into();
            row["coin_balance"] = format!("{place}000000000000000000").into();
        },
        keys: |place| {
            let count = if place.is_multiple_of(3) { "null".into() } else { number(place) };
            let balance = format!("{place}000000000000000000");
            let hash = format!("0x{place:040x}");
            vec![("fetched_coin_balance", balance), ("hash", hash), ("transactions_count", count)]
        },
        place: ("hash", |text| u64::from_str_radix(text.get(2..)?, 16).ok()),
    },
    ListRows {
        method: "addressNft",
        path: "/nft",
        filters: &[("type", "ERC-721,ERC-1155")],
        fixture: "address-nft/v11.json",
        put: |row, place| row["id"] = format!("7{place:020}").into(),
        keys: |place| {
            let contract = "0x495f947276749ce646f68ac8c248420045cb7b5e";
            let id = format!("7{place:020}");
            vec![("token_contract_address_hash", contract.into()), ("token_id", id), ("token_type", "ERC-721".into())]
        },
        place: ("token_id", |text| text.get(1..)?.parse().ok()),
    },
    ListRows {
        method: "addressLogs",
        path: "/logs",
        filters: &[],
        fixture: "address-logs/v11.json",
        put: |row, place| {
            (row["block_number"], row["index"]) = ((HEAD + place).into(), (place % 3).into());
            row["transaction_hash"] = hash(place).into();
        },
        keys: by_log,
        place: ("block_number", of_block),
    },
    TRANSFERS,
    ListRows {
        method: "addressCoinBalanceHistory",
        path: "/coin-balance-history",
        filters: &[],
        fixture: "address-coin-balance-history/v11.json",
        put: |row, place| row["block_number"] = (HEAD + place).into(),
        keys: |place| vec![("block_number", number(HEAD + place))],
        place: ("block_number", of_block),
    },
    ListRows {
        method: "addressInternalTransactions",
        path: "/internal-transactions",
        filters: &[("filter", "to")],
        fixture: "address-internal-transactions/v11.json",
        put: |row, place| {
            (row["block_number"], row["index"]) = ((HEAD + place).into(), (place % 5).into());
            row["transaction_hash"] = hash(place).into();
        },
        keys: |place| {
            let (block, index) = (number(HEAD + place), number(place % 5));
            vec![("block_number", block), ("index", index), ("transaction_index", "12".into())]
        },
        place: ("block_number", of_block),
    },
    ListRows {
        method: "addressTokenTransfers",
        path: "/token-transfers",
        filters: &[("type", "ERC-20,ERC-721"), ("filter", "from")],
        ..TRANSFERS
    },
    ListRows {
        method: "addressWithdrawals",
        path: "/withdrawals",
        filters: &[],
        fixture: "address-withdrawals/v11.json",
        put: |row, place| row["index"] = (FIRST_INDEX + place).into(),
        keys: |place| vec![("index", number(FIRST_INDEX + place))],
        place: ("index", |text| text.parse::<u64>().ok()?.checked_sub(FIRST_INDEX)),
    },
];

impl ListRows {
    /// The record in this place.
    pub fn row(&self, place: u64) -> String {
        thread_local! {
            static TEMPLATES: std::cell::RefCell<std::collections::HashMap<&'static str, Vec<Json>>> = std::cell::RefCell::default();
        }
        let read = || match serde_json::from_slice::<Json>(&fixture(self.fixture)).unwrap()["items"].take() {
            Json::Array(rows) => rows,
            other => panic!("{other} in place of rows"),
        };
        let mut row = TEMPLATES.with_borrow_mut(|known| {
            let rows = known.entry(self.fixture).or_insert_with(read);
            rows[usize::try_from(place).unwrap() % rows.len()].clone()
        });
        (self.put)(&mut row, place);
        row.to_string()
    }
}

/// A list action of the account module.
pub struct ActionRows {
    pub method: &'static str,
    /// Its name in the URL.
    pub action: &'static str,
    /// Whether it can be read by blocks, and grows.
    pub ranged: bool,
    /// A record of this block with this number.
    pub row: fn(u64, u64) -> Json,
}

fn transfer(block: u64, id: u64) -> Json {
    json!({
        "blockNumber": number(block), "timeStamp": "1700000000", "hash": hash(id), "nonce": "1", "blockHash": hash(block),
        "from": HASH_A, "contractAddress": HASH_A, "to": HASH_A, "tokenName": "</script>", "tokenSymbol": "\u{202e}FOO",
        "tokenDecimal": "18", "transactionIndex": "0", "gas": "1", "gasPrice": "1", "gasUsed": "1", "cumulativeGasUsed": "1",
        "input": "0x", "confirmations": "9", "methodId": "a9059cbb", "functionName": "", "tokenID": "5", "value": "7",
        "tokenValue": "2"
    })
}

const fn transfers(method: &'static str, action: &'static str) -> ActionRows {
    ActionRows { method, action, ranged: true, row: transfer }
}

const fn fixed(method: &'static str, action: &'static str, row: fn(u64, u64) -> Json) -> ActionRows {
    ActionRows { method, action, ranged: false, row }
}

pub static ACTIONS: [ActionRows; 10] = [
    ActionRows {
        method: "txList",
        action: "txlist",
        ranged: true,
        row: |block, id| {
            json!({
                "blockNumber": number(block), "timeStamp": "1705000000", "hash": hash(id), "nonce": "7",
                "blockHash": hash(block), "transactionIndex": "12", "from": HASH_A, "to": "", "value": "0", "gas": "21000",
                "gasPrice": "1000000000", "isError": "0", "txreceipt_status": "1", "input": "0x", "contractAddress": HASH_A,
                "cumulativeGasUsed": "900000", "gasUsed": "21000", "confirmations": "150", "methodId": "0x"
            })
        },
    },
    ActionRows {
        method: "txListInternal",
        action: "txlistinternal",
        ranged: true,
        row: |block, id| {
            json!({
                "blockNumber": number(block), "timeStamp": "1700000000", "from": HASH_A, "to": HASH_A, "value": "1",
                "contractAddress": "", "transactionHash": hash(id), "index": "3", "input": "0x", "type": "call",
                "callType": "call", "gas": "5000", "gasUsed": "4000", "isError": "0", "errCode": ""
            })
        },
    },
    transfers("tokenTx", "tokentx"),
    transfers("tokenNftTx", "tokennfttx"),
    transfers("token1155Tx", "token1155tx"),
    transfers("token404Tx", "token404tx"),
    fixed("pendingTxList", "pendingtxlist", |_, id| {
        json!({
            "hash": hash(id), "nonce": "8", "from": HASH_A, "to": HASH_A, "value": "1", "gas": "21000",
            "gasPrice": "1000000000", "input": "0x", "contractAddress": "", "cumulativeGasUsed": "", "gasUsed": ""
        })
    }),
    fixed(
        "getMinedBlocks",
        "getminedblocks",
        |_, id| json!({ "blockNumber": number(HEAD - id), "timeStamp": "2026-02-04 05:43:23.000000Z" }),
    ),
    fixed(
        "listAccounts",
        "listaccounts",
        |_, id| json!({ "address": format!("0x{id:040x}"), "balance": number(id), "stale": false }),
    ),
    fixed("tokenList", "tokenlist", |_, id| {
        json!({
            "balance": number(id), "contractAddress": HASH_A, "decimals": "18", "name": "Foo", "symbol": "FOO",
            "type": "ERC-1155", "id": number(id)
        })
    }),
];
