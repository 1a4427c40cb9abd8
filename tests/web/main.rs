//! Tests of the Rust API in a browser, over real HTTP. `make test-web` starts the sample service and sets its URL.
#![cfg(target_arch = "wasm32")]
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::indexing_slicing, clippy::panic)]

mod account;
#[allow(unreachable_pub)]
mod example;
mod front_end;
mod graphql;
mod instance;
#[allow(unreachable_pub)]
// It has the line length of the guide.
#[rustfmt::skip]
mod long_table;

use std::future::Future;
use std::pin::pin;
use std::task::{Context, Poll, Waker};

use address_query::browser::Browser;
use address_query::client::{Client, ListPages, RetryPolicy};
use address_query::endpoint::*;
use address_query::error::{Error, ErrorCode};
use gloo_net::http::Request;
use serde_json::Value as Json;
use wasm_bindgen_test::{wasm_bindgen_test, wasm_bindgen_test_configure};
use web_sys::Element;

use example::TransferTable;

wasm_bindgen_test_configure!(run_in_browser);

const SERVICE: Option<&str> = option_env!("SAMPLE_SERVICE_URL");

/// The sample addresses of seed 1.
const BUSY: &str = "0xb73Fc943f7f0836328cce02C7141e861DF8038eF";
const BATCH: &str = "0x3218fAb228f4425Aeebc14C6aA293C68D8b0958E";
const DEEP: &str = "0xB816166e1C12326d7a2E4045e85C070d5e71b948";
const RESTRICTED: &str = "0x6F93007Dd8d30756AFC88dC782aF8E010ABe3998";
const HOSTILE: &str = "0x3394D4E964b82d8412f50b96765cB63eD3d2288B";
const OVERLOADED: &str = "0x230909bB8DACE23E70eFEC3917eB72412BF670f7";

/// Creates a client that does not retry.
fn client_for(base_url: &str) -> Client<Browser> {
    let policy = RetryPolicy::default().max_attempts(1);
    Client::new(Browser::default(), base_url.parse().unwrap()).with_retry_policy(policy)
}

/// Creates a client of the sample service below this path, such as `/v8` for a version.
fn client(path: &str) -> Client<Browser> {
    let service = SERVICE.expect("no SAMPLE_SERVICE_URL was set when this was compiled: run `make test-web`");
    client_for(&format!("{service}{path}"))
}

fn address(hash: &str) -> params::Address {
    hash.parse().unwrap()
}

/// Returns all items of a list, from the sample service.
async fn fetch_expected(version: &str, path: &str, filters: &str) -> Vec<Json> {
    let url = format!("{}{version}/_sample/all-items?path={path}{filters}", SERVICE.unwrap_or_default());
    let response = Request::get(&url).send().await.unwrap();
    assert_eq!(response.status(), 200, "{url}");
    serde_json::from_str(&response.text().await.unwrap()).unwrap()
}

/// Reads a list to its end.
async fn read_all<P: ListParams>(mut pager: ListPages<Browser, P>) -> Result<Vec<P::Item>, Error> {
    let mut items = Vec::new();
    while let Some(page) = pager.next().await? {
        items.extend(page.items);
    }
    Ok(items)
}

/// Reads a list of this version and compares it with the items of the sample service: `id` of each decoded item must equal
/// `sent_id` of the JSON that the service sends.
async fn assert_complete<P: ListParams>(
    version: &str,
    params: &P,
    (path, filters): (&str, &str),
    min_items: usize,
    id: impl Fn(&P::Item) -> String,
    sent_id: impl Fn(&Json) -> String,
) {
    let client = client(version);
    let items = read_all(client.pages(params).unwrap()).await.unwrap();
    let expected = fetch_expected(version, path, filters).await;
    assert!(expected.len() >= min_items, "{path}: only {} items", expected.len());
    assert_eq!(items.len(), expected.len(), "{path}");
    for (index, (item, sent)) in items.iter().zip(&expected).enumerate() {
        assert_eq!(id(item), sent_id(sent), "{path}[{index}]");
    }
}

/// Returns the path of a list of an address.
fn address_path(hash: &str, list: &str) -> String {
    format!("/addresses/{hash}/{list}")
}

/// Joins members of a record as the service sends it.
fn members(sent: &Json, pointers: &[&str]) -> String {
    let member = |pointer: &&str| match sent.pointer(pointer) {
        None | Some(Json::Null) => "none".to_owned(),
        Some(Json::String(string)) => string.clone(),
        Some(other) => other.to_string(),
    };
    pointers.iter().map(member).collect::<Vec<_>>().join(" ")
}

fn or_none<T: ToString>(value: Option<&T>) -> String {
    value.map_or_else(|| "none".into(), T::to_string)
}

#[wasm_bindgen_test]
async fn addresses() {
    for version in ["/v8", "", "/v12"] {
        assert_complete(
            version,
            &AddressesParams::default().sort(params::AddressSort::Balance).order(params::Order::Ascending),
            ("/addresses", "&sort=balance&order=asc"),
            2000,
            |item| format!("{} {}", item.hash, or_none(item.coin_balance.as_ref())),
            |sent| members(sent, &["/hash", "/coin_balance"]),
        )
        .await;
    }
}

#[wasm_bindgen_test]
async fn nfts() {
    assert_complete(
        "",
        &AddressNftParams::new(address(BUSY)),
        (&address_path(BUSY, "nft"), ""),
        400,
        |item| format!("{} {}", item.token.as_ref().unwrap().address_hash, item.id),
        |sent| members(sent, &["/token/address_hash", "/id"]),
    )
    .await;
}

#[wasm_bindgen_test]
async fn logs() {
    assert_complete(
        "",
        &AddressLogsParams::new(address(BUSY)),
        (&address_path(BUSY, "logs"), ""),
        100,
        |item| format!("{} {} {}", item.block_number, item.index, item.address_hash.hash),
        |sent| members(sent, &["/block_number", "/index", "/address/hash"]),
    )
    .await;
}

#[wasm_bindgen_test]
async fn token_transfers() {
    assert_complete(
        "",
        &TokenTransfersParams::default().r#type(params::TokenTypes(vec![params::TokenType::Erc20])),
        ("/token-transfers", "&type=ERC-20"),
        1000,
        |item| format!("{} {} {}", or_none(item.block_number.as_ref()), item.log_index, item.from.hash),
        |sent| members(sent, &["/block_number", "/log_index", "/from/hash"]),
    )
    .await;
}

#[wasm_bindgen_test]
async fn coin_balance_history() {
    assert_complete(
        "",
        &AddressCoinBalanceHistoryParams::new(address(BUSY)),
        (&address_path(BUSY, "coin-balance-history"), ""),
        1000,
        |item| format!("{} {} {}", item.block_number, item.delta, item.value),
        |sent| members(sent, &["/block_number", "/delta", "/value"]),
    )
    .await;
}

#[wasm_bindgen_test]
async fn internal_transactions() {
    for version in ["/v8", "", "/v12"] {
        assert_complete(
            version,
            &AddressInternalTransactionsParams::new(address(BUSY)).filter(params::Direction::To),
            (&address_path(BUSY, "internal-transactions"), "&filter=to"),
            500,
            |item| format!("{} {} {}", item.transaction_hash, item.index, item.value.as_deref().unwrap_or_default()),
            |sent| members(sent, &["/transaction_hash", "/index", "/value"]),
        )
        .await;
    }
}

#[wasm_bindgen_test]
async fn address_token_transfers() {
    for hash in [BUSY, BATCH] {
        let params = AddressTokenTransfersParams::new(address(hash));
        assert_complete(
            "",
            &params,
            (&address_path(hash, "token-transfers"), ""),
            160,
            |item| {
                let token_id = item.total.as_ref().and_then(|total| total.token_id.as_ref());
                format!("{} {} {}", or_none(item.transaction_hash.as_ref()), item.log_index, or_none(token_id))
            },
            |sent| members(sent, &["/transaction_hash", "/log_index", "/total/token_id"]),
        )
        .await;
    }
}

#[wasm_bindgen_test]
async fn withdrawals() {
    assert_complete(
        "",
        &AddressWithdrawalsParams::new(address(BUSY)),
        (&address_path(BUSY, "withdrawals"), ""),
        300,
        |item| format!("{} {} {}", item.index, item.validator_index, item.amount),
        |sent| members(sent, &["/index", "/validator_index", "/amount"]),
    )
    .await;
}

#[wasm_bindgen_test]
async fn a_list_continues_from_a_resume_token() {
    let params = AddressWithdrawalsParams::new(address(BUSY));
    let all = read_all(client("").pages(&params).unwrap()).await.unwrap();
    let mut pager = client("").pages(&params).unwrap();
    let first = pager.next().await.unwrap().unwrap().items;
    let rest = client("").resume_pages(&params, &pager.resume_token().unwrap()).unwrap();
    assert_eq!([first, read_all(rest).await.unwrap()].concat(), all);
}

/// Reads the first page of a list, and returns its error.
async fn read_error(client: &Client<Browser>, hash: &str) -> Error {
    client.page(&AddressLogsParams::new(address(hash))).await.unwrap_err()
}

#[wasm_bindgen_test]
async fn error_responses_become_typed_errors() {
    for (hash, status, message) in
        [(RESTRICTED, 403, "\"Restricted access\""), (OVERLOADED, 500, "\"Internal server error\"")]
    {
        let error = read_error(&client(""), hash).await;
        assert_eq!((error.code, error.status), (ErrorCode::HttpStatus, Some(status)));
        assert!(error.message.contains(message), "{error}");
        assert!(error.url.as_ref().unwrap().ends_with(&format!("/api/v2/addresses/{hash}/logs")), "{error:?}");
    }
}

#[wasm_bindgen_test]
async fn a_body_that_stalls_times_out() {
    let policy = RetryPolicy::default().timeout_ms(500).max_attempts(1);
    let client = client("/_sample/stall").with_retry_policy(policy);
    // Rows are decoded while they arrive, so the body must belong to this list.
    let error = client.page(&TokenTransfersParams::default()).await.unwrap_err();
    assert_eq!(error.code, ErrorCode::Timeout, "{error}");
}

#[wasm_bindgen_test]
async fn a_refused_connection_is_a_network_error() {
    // Browsers refuse to connect to this port.
    let error = read_error(&client_for("http://127.0.0.1:1"), BUSY).await;
    assert_eq!((error.code, error.status, error.attempts), (ErrorCode::Network, None, Some(1)), "{error}");
}

#[wasm_bindgen_test]
async fn dropping_the_future_cancels_the_request_and_the_page_can_be_read_again() {
    let client = client("");
    let mut pager = client.pages(&AddressWithdrawalsParams::new(address(BUSY))).unwrap();
    {
        let mut next = pin!(pager.next());
        assert!(matches!(next.as_mut().poll(&mut Context::from_waker(Waker::noop())), Poll::Pending));
    }
    assert_eq!(pager.resume_token(), None);
    assert!(!pager.next().await.unwrap().unwrap().items.is_empty());
}

/// Creates an element outside the page.
fn element(name: &str) -> Element {
    web_sys::window().unwrap().document().unwrap().create_element(name).unwrap()
}

#[wasm_bindgen_test]
async fn the_readme_example_shows_transfers_as_text() {
    let (rows, status) = (element("tbody"), element("p"));
    let table = TransferTable::new(SERVICE.unwrap(), rows.clone(), status.clone()).unwrap();
    let to_text = |row: &Json| {
        ["/timestamp", "/from/hash", "/to/hash", "/total/value", "/token/symbol"]
            .map(|pointer| row.pointer(pointer).and_then(Json::as_str).unwrap_or("–").to_owned())
            .concat()
    };
    for address in [BUSY, HOSTILE] {
        table.show(address.to_owned()).await.unwrap();
        let sent = fetch_expected("", &address_path(address, "token-transfers"), "&type=ERC-20").await;
        let expected: Vec<String> = sent.iter().take(50).map(to_text).collect();
        let children = rows.children();
        let shown: Vec<String> =
            (0..children.length()).map(|index| children.item(index).unwrap().text_content().unwrap()).collect();
        assert_eq!(shown, expected);
        assert_eq!(status.text_content(), Some(format!("Showing {} transfers", expected.len())));
    }
    // A token symbol that contains HTML is shown as text.
    assert!(rows.text_content().unwrap().contains("<script>"));
    assert_eq!(rows.query_selector("td *").unwrap(), None);
}

#[wasm_bindgen_test]
async fn the_readme_example_shows_an_error() {
    let (rows, status) = (element("tbody"), element("p"));
    let table = TransferTable::new(SERVICE.unwrap(), rows.clone(), status.clone()).unwrap();
    for (address, message) in [("0x12", "must be an address hash"), (RESTRICTED, "Restricted access")] {
        table.show(address.to_owned()).await.unwrap();
        let shown = status.text_content().unwrap();
        assert!(shown.contains(message), "{shown}");
        assert_eq!(rows.child_element_count(), 0);
    }
    assert!(TransferTable::new("ftp://x.example", rows, status).is_err());
}
