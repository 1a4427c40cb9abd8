//! Tests of the account module in a browser: every action, balances of many addresses, and a range of more than 10,000 rows.

use address_query::client::ActionRows;
use address_query::endpoint::params::{Address, Order, PageNumber, PageSize};
use address_query::endpoint::*;
use address_query::error::ErrorCode;
use gloo_net::http::Request as HttpRequest;
use serde_json::Value as Json;
use wasm_bindgen_test::wasm_bindgen_test;

use super::{BUSY, OVERLOADED, SERVICE, address, client, members, or_none};

/// The sample addresses of seed 1.
const DEEP: &str = "0xB816166e1C12326d7a2E4045e85C070d5e71b948";
const OVERSIZED_BLOCK: &str = "0x51c8A22146aFA7D75CD2e7446438ab325DfF63d9";
const UNPROCESSED: &str = "0x3C6ea45dA807F0D9973e14D8A5981c8588124BBe";
const PRODUCER: &str = "0xCF99f2a106b701B0B33688e9c01625B7f4e7D88E";

/// Returns all rows of an action, from the sample service.
async fn fetch_expected(action: &str, query: &str) -> Vec<Json> {
    let url = format!("{}/_sample/all-rows?action={action}{query}", SERVICE.unwrap_or_default());
    let response = HttpRequest::get(&url).send().await.unwrap();
    assert_eq!(response.status(), 200, "{url}");
    serde_json::from_str(&response.text().await.unwrap()).unwrap()
}

/// Calls an action and compares its rows with the expected ones, like `assert_complete`.
async fn assert_rows<A: RowsAction>(
    params: &A,
    (action, query): (&str, &str),
    id: impl Fn(&A::Row) -> String,
    sent_id: impl Fn(&Json) -> String,
) {
    // Before the call, because a call can refresh stale balances.
    let expected = fetch_expected(action, query).await;
    let ActionRows { items: rows, incomplete, message, .. } = client("").rows(params).await.unwrap();
    assert_eq!((incomplete, message.is_some()), (expected.len() >= 10_000, expected.len() >= 10_000), "{action}");
    assert!(!expected.is_empty(), "{action}");
    assert_eq!(rows.len(), expected.len().min(10_000), "{action}");
    for (index, (row, sent)) in rows.iter().zip(&expected).enumerate() {
        assert_eq!(id(row), sent_id(sent), "{action}[{index}]");
    }
}

/// Joins members of a row as the service sends it. An empty string is `none`.
fn join_members(row: &Json, names: &[&str]) -> String {
    let pointers: Vec<String> = names.iter().map(|name| format!("/{name}")).collect();
    let member = |pointer: &String| Some(members(row, &[pointer])).filter(|value| !value.is_empty());
    pointers.iter().map(|pointer| member(pointer).unwrap_or_else(|| "none".into())).collect::<Vec<_>>().join(" ")
}

fn busy_query() -> String {
    format!("&address={BUSY}")
}

fn tx_list(hash: &str, sort: Order) -> TxListParams {
    TxListParams::new(address(hash)).sort(sort)
}

#[wasm_bindgen_test]
async fn transactions() {
    assert_rows(
        &tx_list(BUSY, Order::Ascending),
        ("txlist", &format!("{}&sort=asc", busy_query())),
        |row| format!("{} {} {} {}", row.hash, row.value, or_none(row.to.as_ref()), or_none(row.gas_price.as_ref())),
        |row| join_members(row, &["hash", "value", "to", "gasPrice"]),
    )
    .await;
}

#[wasm_bindgen_test]
async fn pending_transactions() {
    assert_rows(
        &PendingTxListParams::new(address(BUSY)),
        ("pendingtxlist", &busy_query()),
        |row| format!("{} {} {}", row.hash, row.value, or_none(row.gas_used.as_ref())),
        |row| join_members(row, &["hash", "value", "gasUsed"]),
    )
    .await;
}

fn internal(hash: &str) -> TxListInternalParams {
    TxListInternalParams::default().address(address(hash)).include_zero_value(true)
}

#[wasm_bindgen_test]
async fn internal_transactions() {
    assert_rows(
        &internal(BUSY),
        ("txlistinternal", &format!("{}&include_zero_value=true", busy_query())),
        |row| format!("{} {} {}", row.transaction_hash, or_none(row.index.as_ref()), or_none(row.to.as_ref())),
        |row| join_members(row, &["transactionHash", "index", "to"]),
    )
    .await;
}

#[wasm_bindgen_test]
async fn rows_are_incomplete_if_blocks_are_not_processed() {
    let result = client("").rows(&internal(UNPROCESSED)).await.unwrap();
    assert!(result.incomplete && !result.items.is_empty());
    assert!(result.message.unwrap().contains("have not yet been processed"));
}

macro_rules! transfers {
    ($( $test:ident: $params:ident, $action:literal, $amount:ident, $sent:literal; )*) => { $(
        #[wasm_bindgen_test]
        async fn $test() {
            let params = $params::default().address(address(BUSY));
            assert_rows(
                &params,
                ($action, &busy_query()),
                |row| format!("{} {} {}", row.hash, row.from, or_none(row.$amount.as_ref())),
                |row| join_members(row, &["hash", "from", $sent]),
            )
            .await;
        }
    )* };
}

transfers! {
    erc_20_transfers: TokenTxParams, "tokentx", value, "value";
    erc_721_transfers: TokenNftTxParams, "tokennfttx", token_id, "tokenID";
    erc_1155_transfers: Token1155TxParams, "token1155tx", token_value, "tokenValue";
    erc_404_transfers: Token404TxParams, "token404tx", token_id, "tokenID";
}

#[wasm_bindgen_test]
async fn tokens_and_the_balance_of_one() {
    assert_rows(
        &TokenListParams::new(address(BUSY)),
        ("tokenlist", &busy_query()),
        |row| format!("{} {} {}", row.contract_address, or_none(row.balance.as_ref()), or_none(row.id.as_ref())),
        |row| join_members(row, &["contractAddress", "balance", "id"]),
    )
    .await;
    let held = client("").rows(&TokenListParams::new(address(BUSY))).await.unwrap().items;
    let token = held.iter().find(|row| row.id.is_none()).unwrap();
    let contractaddress: Address = token.contract_address.to_string().parse().unwrap();
    let value = client("").value(&TokenBalanceParams::new(contractaddress, address(BUSY))).await.unwrap();
    assert_eq!(value.result, token.balance);
}

#[wasm_bindgen_test]
async fn mined_blocks() {
    assert_rows(
        &GetMinedBlocksParams::new(address(PRODUCER)),
        ("getminedblocks", &format!("&address={PRODUCER}")),
        |row| format!("{} {}", row.block_number, or_none(row.time_stamp.as_ref())),
        |row| join_members(row, &["blockNumber", "timeStamp"]),
    )
    .await;
}

#[wasm_bindgen_test]
async fn accounts() {
    let rows = |page| async move {
        let params = ListAccountsParams::default().page(PageNumber(page)).offset(PageSize(100));
        client("").rows(&params).await.unwrap().items
    };
    let expected = fetch_expected("listaccounts", "").await;
    let accounts = [rows(1).await, rows(2).await].concat();
    for (row, sent) in accounts.iter().zip(&expected) {
        assert_eq!(row.address.to_string(), members(sent, &["/address"]));
    }
    assert_eq!(accounts.len(), 200);
}

#[wasm_bindgen_test]
async fn single_balances() {
    const WEI: u128 = 1_234_567_890_123_456_789_012;
    let value = client("").value(&BalanceParams::new(address(BUSY))).await.unwrap();
    assert_eq!(or_none(value.result.as_ref()), WEI.to_string());
    let value = client("").value(&EthGetBalanceParams::new(address(BUSY))).await.unwrap();
    assert_eq!(or_none(value.result.as_ref()), format!("{WEI:#x}"));
}

#[wasm_bindgen_test]
async fn balances_of_many_addresses() {
    let busy = [BUSY.to_owned()];
    let others = (0..44).map(|number| format!("{number:#042x}"));
    let addresses: Vec<String> = busy.iter().cloned().chain(others).chain(busy.iter().cloned()).collect();
    let parsed: Vec<Address> = addresses.iter().map(|hash| address(hash)).collect();
    let balances = client("").balances(&parsed, None).await.unwrap();
    assert_eq!(balances.iter().map(|balance| balance.account.clone()).collect::<Vec<_>>(), addresses);
    assert_eq!(balances.first(), balances.last());
    assert_eq!(balances[0].balance.as_deref(), Some("1234567890123456789012"));
    let error = client("").balances(&[], None).await.unwrap_err();
    assert_eq!((error.code, error.parameter.as_deref()), (ErrorCode::InvalidParameter, Some("address")));
}

#[wasm_bindgen_test]
async fn error_responses_become_typed_errors() {
    let error = client("").rows(&tx_list(OVERLOADED, Order::Ascending)).await.unwrap_err();
    assert_eq!((error.code, error.status), (ErrorCode::HttpStatus, Some(500)));
    let unknown = EthGetBalanceParams::new(address(&format!("0x{}", "5a".repeat(20))));
    for version in ["", "/v12"] {
        let error = client(version).value(&unknown).await.unwrap_err();
        assert_eq!((error.code, error.status), (ErrorCode::HttpStatus, Some(404)));
        assert!(error.message.contains("Balance not found"), "{error}");
    }
}

#[wasm_bindgen_test]
async fn reads_sixty_thousand_transactions_in_both_orders() {
    for sort in [Order::Ascending, Order::Descending] {
        let params = tx_list(DEEP, sort);
        let mut reader = client("").all_rows(&params).unwrap().with_concurrency(1);
        let mut records = reader.next().await.unwrap().unwrap().len();
        assert!(reader.report().windows == 0 && records < 1_000, "{records} records before the end of the window");
        while reader.report().windows == 0 {
            records += reader.next().await.unwrap().unwrap().len();
        }
        // Continue with another reader, which gets only the resume token.
        let reader_of_rest = client("").resume_all_rows(&params, &reader.resume_token().unwrap()).unwrap();
        let mut reader = reader_of_rest.with_concurrency(1);
        while let Some(rows) = reader.next().await.unwrap() {
            records += rows.len();
        }
        let report = reader.report();
        assert_eq!((records, report.windows, report.requests, report.next_block), (60_000, 6, 6, None));
        assert!(report.incomplete_blocks.is_empty() && report.unprocessed.is_empty(), "{report:?}");
        assert_eq!(reader.resume_token(), None);
    }
}

#[wasm_bindgen_test]
async fn reads_a_block_of_10_500_transfers() {
    let params = TokenTxParams::default().contractaddress(address(OVERSIZED_BLOCK)).sort(Order::Ascending);
    let mut reader = client("").all_rows(&params).unwrap();
    let mut hashes = Vec::new();
    while let Some(transfers) = reader.next().await.unwrap() {
        hashes.extend(transfers.into_iter().map(|transfer| transfer.hash.to_string()));
    }
    let expected = fetch_expected("tokentx", &format!("&contractaddress={OVERSIZED_BLOCK}")).await;
    let mut expected: Vec<&str> = expected.iter().filter_map(|row| row["hash"].as_str()).collect();
    hashes.sort_unstable();
    expected.sort_unstable();
    assert_eq!(hashes, expected);
    assert!(reader.report().complete);
}
