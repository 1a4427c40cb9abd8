//! The Rust API in a browser: every list, over real HTTP, from the sample service (`make test-web` starts it).
#![cfg(target_arch = "wasm32")]
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::indexing_slicing, clippy::panic)]

mod account;
#[allow(unreachable_pub)]
mod example;

use std::future::Future;
use std::pin::pin;
use std::task::{Context, Poll, Waker};

use address_query::browser::Browser;
use address_query::client::{Client, Pager, Patience, TypedPages};
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
const RESTRICTED: &str = "0x6F93007Dd8d30756AFC88dC782aF8E010ABe3998";
const HOSTILE: &str = "0x3394D4E964b82d8412f50b96765cB63eD3d2288B";
const HEAVY: &str = "0xA6041c39973F9359768c969df03e284182a23746";

/// A client that tries once.
fn once(base: &str) -> Client<Browser> {
    let once = Patience { max_attempts: 1, ..Patience::default() };
    Client::new(Browser::default(), base.parse().unwrap()).with_patience(once)
}

/// A client of the service below this path: a version such as `/v8`, or an aid.
fn client(path: &str) -> Client<Browser> {
    let service = SERVICE.expect("no SAMPLE_SERVICE_URL was set when this was compiled: run `make test-web`");
    once(&format!("{service}{path}"))
}

fn address(hash: &str) -> params::Address {
    hash.parse().unwrap()
}

async fn truth(version: &str, path: &str, filters: &str) -> Vec<Json> {
    let url = format!("{}{version}/_sample/all-items?path={path}{filters}", SERVICE.unwrap_or_default());
    let answer = Request::get(&url).send().await.unwrap();
    assert_eq!(answer.status(), 200, "{url}");
    serde_json::from_str(&answer.text().await.unwrap()).unwrap()
}

/// Reads a list to its end.
async fn read<P: ListParams>(mut pager: Pager<Browser, TypedPages<P>>) -> Result<Vec<P::Item>, Error> {
    let mut items = Vec::new();
    while let Some(page) = pager.next().await? {
        items.extend(page.items);
    }
    Ok(items)
}

/// Reads a list of this version and compares it, item by item, with the truth: what `id` says of an item as it is read must
/// be what `sent_id` says of it as it is sent.
async fn assert_whole<P: ListParams>(
    version: &str,
    params: &P,
    (path, filters): (&str, &str),
    at_least: usize,
    id: impl Fn(&P::Item) -> String,
    sent_id: impl Fn(&Json) -> String,
) {
    let client = client(version);
    let items = read(client.pages(params).unwrap()).await.unwrap();
    let truth = truth(version, path, filters).await;
    assert!(truth.len() >= at_least, "{path}: only {} items", truth.len());
    assert_eq!(items.len(), truth.len(), "{path}");
    for (index, (item, sent)) in items.iter().zip(&truth).enumerate() {
        assert_eq!(id(item), sent_id(sent), "{path}[{index}]");
    }
}

fn below(hash: &str, list: &str) -> String {
    format!("/addresses/{hash}/{list}")
}

/// Members of a record as they are sent.
fn members(sent: &Json, pointers: &[&str]) -> String {
    let member = |pointer: &&str| match sent.pointer(pointer) {
        None | Some(Json::Null) => "none".to_owned(),
        Some(Json::String(text)) => text.clone(),
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
        assert_whole(
            version,
            &AddressesParams { sort: Some(params::AddressSort::Balance), order: Some(params::Order::Ascending) },
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
    assert_whole(
        "",
        &AddressNftParams { address_hash: address(BUSY), r#type: None },
        (&below(BUSY, "nft"), ""),
        400,
        |item| format!("{} {}", item.token.as_ref().unwrap().address_hash, item.id),
        |sent| members(sent, &["/token/address_hash", "/id"]),
    )
    .await;
}

#[wasm_bindgen_test]
async fn logs() {
    assert_whole(
        "",
        &AddressLogsParams { address_hash: address(BUSY), topic: None },
        (&below(BUSY, "logs"), ""),
        100,
        |item| format!("{} {} {}", item.block_number, item.index, item.address_hash.hash),
        |sent| members(sent, &["/block_number", "/index", "/address/hash"]),
    )
    .await;
}

#[wasm_bindgen_test]
async fn token_transfers() {
    assert_whole(
        "",
        &TokenTransfersParams { r#type: Some(params::TokenTypes(vec![params::TokenType::Erc20])) },
        ("/token-transfers", "&type=ERC-20"),
        1000,
        |item| format!("{} {} {}", or_none(item.block_number.as_ref()), item.log_index, item.from.hash),
        |sent| members(sent, &["/block_number", "/log_index", "/from/hash"]),
    )
    .await;
}

#[wasm_bindgen_test]
async fn coin_balance_history() {
    assert_whole(
        "",
        &AddressCoinBalanceHistoryParams { address_hash: address(BUSY) },
        (&below(BUSY, "coin-balance-history"), ""),
        1000,
        |item| format!("{} {} {}", item.block_number, item.delta, item.value),
        |sent| members(sent, &["/block_number", "/delta", "/value"]),
    )
    .await;
}

#[wasm_bindgen_test]
async fn internal_transactions() {
    for version in ["/v8", "", "/v12"] {
        assert_whole(
            version,
            &AddressInternalTransactionsParams {
                address_hash: address(BUSY),
                filter: Some(params::Direction::To),
                include_zero_value: None,
            },
            (&below(BUSY, "internal-transactions"), "&filter=to"),
            500,
            |item| format!("{} {} {}", item.transaction_hash, item.index, item.value),
            |sent| members(sent, &["/transaction_hash", "/index", "/value"]),
        )
        .await;
    }
}

#[wasm_bindgen_test]
async fn address_token_transfers() {
    for hash in [BUSY, BATCH] {
        let params =
            AddressTokenTransfersParams { address_hash: address(hash), r#type: None, filter: None, token: None };
        assert_whole(
            "",
            &params,
            (&below(hash, "token-transfers"), ""),
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
    assert_whole(
        "",
        &AddressWithdrawalsParams { address_hash: address(BUSY) },
        (&below(BUSY, "withdrawals"), ""),
        300,
        |item| format!("{} {} {}", item.index, item.validator_index, item.amount),
        |sent| members(sent, &["/index", "/validator_index", "/amount"]),
    )
    .await;
}

#[wasm_bindgen_test]
async fn a_list_goes_on_from_a_resume_token() {
    let params = AddressWithdrawalsParams { address_hash: address(BUSY) };
    let whole = read(client("").pages(&params).unwrap()).await.unwrap();
    let mut pager = client("").pages(&params).unwrap();
    let first = pager.next().await.unwrap().unwrap().items;
    let rest = client("").pages_after(&params, &pager.resume_token().unwrap()).unwrap();
    assert_eq!([first, read(rest).await.unwrap()].concat(), whole);
}

/// The error that the first page ends with.
async fn failure(client: &Client<Browser>, hash: &str) -> Error {
    client.page(&AddressLogsParams { address_hash: address(hash), topic: None }).await.unwrap_err()
}

#[wasm_bindgen_test]
async fn failing_answers_are_typed_errors() {
    for (hash, status, said) in [(RESTRICTED, 403, "\"Restricted access\""), (HEAVY, 500, "\"Internal server error\"")]
    {
        let error = failure(&client(""), hash).await;
        assert_eq!((error.code, error.status), (ErrorCode::HttpStatus, Some(status)));
        assert!(error.message.contains(said), "{error}");
        assert!(error.url.as_ref().unwrap().ends_with(&format!("/api/v2/addresses/{hash}/logs")), "{error:?}");
    }
}

#[wasm_bindgen_test]
async fn a_body_that_stalls_meets_the_deadline() {
    let error = failure(
        &client("/_sample/stall").with_patience(Patience { timeout_ms: 500, max_attempts: 1, ..Patience::default() }),
        BUSY,
    )
    .await;
    assert_eq!(error.code, ErrorCode::Timeout, "{error}");
}

#[wasm_bindgen_test]
async fn nobody_at_home_is_a_network_error() {
    // No browser connects to this port.
    let error = failure(&once("http://127.0.0.1:1"), BUSY).await;
    assert_eq!((error.code, error.status, error.attempts), (ErrorCode::Network, None, Some(1)), "{error}");
}

#[wasm_bindgen_test]
async fn dropping_the_future_ends_the_request_and_the_page_can_be_asked_for_again() {
    let client = client("");
    let mut pager = client.pages(&AddressWithdrawalsParams { address_hash: address(BUSY) }).unwrap();
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
async fn the_example_of_the_readme_shows_transfers_as_text() {
    let (rows, status) = (element("tbody"), element("p"));
    let table = TransferTable::new(SERVICE.unwrap(), rows.clone(), status.clone()).unwrap();
    let text = |row: &Json| {
        ["/timestamp", "/from/hash", "/to/hash", "/total/value", "/token/symbol"]
            .map(|pointer| row.pointer(pointer).and_then(Json::as_str).unwrap_or("–").to_owned())
            .concat()
    };
    for address in [BUSY, HOSTILE] {
        table.show(address.to_owned()).await.unwrap();
        let sent = truth("", &below(address, "token-transfers"), "&type=ERC-20").await;
        let expected: Vec<String> = sent.iter().take(50).map(text).collect();
        let children = rows.children();
        let shown: Vec<String> =
            (0..children.length()).map(|at| children.item(at).unwrap().text_content().unwrap()).collect();
        assert_eq!(shown, expected);
        assert_eq!(status.text_content(), Some(format!("Showing {} transfers", expected.len())));
    }
    // A token symbol that is markup is shown as it is.
    assert!(rows.text_content().unwrap().contains("<script>"));
    assert_eq!(rows.query_selector("td *").unwrap(), None);
}

#[wasm_bindgen_test]
async fn the_example_of_the_readme_shows_an_error() {
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
