//! The diagnostics of Rust calls: omitted records, drift and unknown fields.

use std::cell::RefCell;
use std::rc::Rc;

use address_query::client::{ApiKey, BadRecordSink, Client, ClientOptions, DriftSink, RetryPolicy};
use address_query::endpoint::{AddressParams, AddressWithdrawalsParams, BalanceParams, TokenListParams, TokenTxParams};
use address_query::error::ErrorCode;
use serde_json::{Value as Json, json};

use crate::client::BASE;
use crate::support::{HASH_A, read_fixture};
use crate::test_runtime::{MockResponse, TestRuntime};

/// The reports to a client's callbacks: the field of each drift, and the path of each omitted record.
pub type Diagnostics = Rc<RefCell<Vec<String>>>;

/// Options of a client that omits invalid records, and the diagnostics of that client.
pub fn observed_options() -> (ClientOptions, Diagnostics) {
    let mut options = ClientOptions::new(BASE.parse().unwrap());
    options.retry_policy = RetryPolicy::default().max_attempts(1);
    options.decode_options.skip_bad_records = true;
    let diagnostics = Diagnostics::default();
    let (drift, bad) = (Rc::clone(&diagnostics), Rc::clone(&diagnostics));
    options.on_drift = Some(DriftSink::new(move |found| drift.borrow_mut().push(found.field.clone())));
    options.on_bad_record = Some(BadRecordSink::new(move |found| bad.borrow_mut().push(found.path.clone())));
    (options, diagnostics)
}

/// A client without retries, whose requests get these responses.
fn observed(responses: impl IntoIterator<Item = Json>) -> (TestRuntime, Client<TestRuntime>, Diagnostics) {
    let runtime = TestRuntime::new(responses.into_iter().map(|response| MockResponse::ok(response.to_string())));
    let (options, diagnostics) = observed_options();
    (runtime.clone(), Client::with_options(runtime, options), diagnostics)
}

/// A withdrawal with this amount and an unknown field.
fn withdrawal(amount: &Json) -> Json {
    let page: Json = serde_json::from_slice(&read_fixture("address-withdrawals/v12.json")).unwrap();
    let mut row = page["items"][0].clone();
    row["amount"] = amount.clone();
    row["surprise"] = json!({ "nested": [1, "a"] });
    row
}

fn withdrawals(amounts: &[Json], next: &Json) -> Json {
    json!({ "items": amounts.iter().map(withdrawal).collect::<Vec<_>>(), "next_page_params": next })
}

fn params() -> AddressWithdrawalsParams {
    AddressWithdrawalsParams::new(HASH_A.parse().unwrap())
}

#[test]
fn invalid_records_of_a_list_are_omitted_counted_and_reported() {
    let next = json!({ "index": 7, "items_count": 50 });
    let pages =
        [withdrawals(&[json!("1"), json!("x"), json!("2")], &next), withdrawals(&[json!({}), json!("3")], &Json::Null)];
    let (runtime, client, diagnostics) = observed(pages);
    let mut pages = client.pages(&params()).unwrap();
    let mut amounts = Vec::new();
    let mut omitted = Vec::new();
    while let Some(page) = runtime.block_on(pages.next()).unwrap() {
        amounts.extend(page.items.iter().map(|item| item.amount.to_string()));
        omitted.push((page.omitted.count, pages.omitted().count));
    }
    assert_eq!(amounts, ["1", "2", "3"]);
    assert_eq!(omitted, [(1, 1), (1, 2)]);
    let place = &pages.omitted().first[1];
    assert_eq!((place.source, &*place.path), ("addressWithdrawals", "items[0].amount"));
    // The same drift is reported once.
    assert_eq!(diagnostics.take(), ["surprise", "items[1].amount", "items[0].amount"]);
}

#[test]
fn without_the_option_an_invalid_record_fails_its_page() {
    let runtime = TestRuntime::new([MockResponse::ok(withdrawals(&[json!("x")], &Json::Null).to_string())]);
    let client = Client::new(runtime.clone(), BASE.parse().unwrap());
    let error = runtime.block_on(client.page(&params())).unwrap_err();
    assert_eq!((error.code, error.path.as_deref()), (ErrorCode::Decode, Some("items[0].amount")));
}

#[test]
fn every_operation_reports_its_diagnostics() {
    let address = || HASH_A.parse().unwrap();
    let holding = |balance: &str| json!({ "contractAddress": HASH_A, "balance": balance, "drift_of_rows": 1 });
    let rows = json!({ "status": "1", "message": "OK", "result": [holding("1"), holding("x"), holding("3")] });
    let (runtime, client, diagnostics) = observed([rows]);
    let held = runtime.block_on(client.rows(&TokenListParams::new(address()))).unwrap();
    assert_eq!(held.items.iter().map(|held| held.balance.as_deref().unwrap()).collect::<Vec<_>>(), ["1", "3"]);
    assert_eq!(held.omitted.count, 1);
    let found = diagnostics.take();
    assert!(found.contains(&"drift_of_rows".into()) && found.contains(&"result[1].balance".into()), "{found:?}");

    let (runtime, client, diagnostics) =
        observed([json!({ "status": "1", "message": "OK", "result": "5", "drift_of_value": 1 })]);
    runtime.block_on(client.value(&BalanceParams::new(address()))).unwrap();
    assert_eq!(diagnostics.take(), ["drift_of_value"]);

    let (runtime, client, diagnostics) = observed([json!({ "hash": HASH_A, "drift_of_lookup": 1 })]);
    runtime.block_on(client.lookup(&AddressParams::new(address()))).unwrap();
    assert!(diagnostics.take().contains(&"drift_of_lookup".into()));

    let transfer: Json = serde_json::from_str(&crate::range::transfer(1)).unwrap();
    let mut bad = transfer.clone();
    bad["value"] = json!("x");
    let response = json!({ "status": "1", "message": "OK", "result": [transfer, bad] });
    let empty = json!({ "status": "0", "message": "No transactions found", "result": [] });
    let (runtime, client, diagnostics) = observed([response, empty.clone(), empty.clone(), empty]);
    let params = TokenTxParams::default().address(address());
    let mut batches = client.all_rows(&params).unwrap().with_concurrency(1);
    let mut count = 0;
    while let Some(rows) = runtime.block_on(batches.next()).unwrap() {
        count += rows.len();
    }
    assert_eq!((count, batches.report().omitted.count, batches.report().complete), (1, 1, false));
    assert!(diagnostics.take().contains(&"result[1].value".into()));
}

#[test]
fn unknown_fields_are_kept_on_request() {
    let page = || MockResponse::ok(withdrawals(&[json!("1"), json!("2")], &Json::Null).to_string());
    for (keep_extra, expected) in [(true, Some(json!({ "surprise": { "nested": [1, "a"] } }))), (false, None)] {
        let mut options = ClientOptions::new(BASE.parse().unwrap());
        options.decode_options.keep_extra = keep_extra;
        let runtime = TestRuntime::new([page()]);
        let client = Client::with_options(runtime.clone(), options);
        for item in runtime.block_on(client.page(&params())).unwrap() {
            assert_eq!(item.extra.map(|extra| extra.to_value().unwrap()), expected);
        }
    }
}

#[test]
fn callbacks_never_receive_the_api_key() {
    const KEY: &str = "secret-key-of-the-test";
    let (mut options, _) = observed_options();
    options.api_key = Some(ApiKey::new(KEY).unwrap());
    let seen = Diagnostics::default();
    let (drift, bad) = (Rc::clone(&seen), Rc::clone(&seen));
    options.on_drift = Some(DriftSink::new(move |found| drift.borrow_mut().push(format!("{found:?}"))));
    options.on_bad_record = Some(BadRecordSink::new(move |found| bad.borrow_mut().push(format!("{found:?}"))));
    let mut page = withdrawals(&[json!(KEY), json!("1")], &Json::Null);
    page["items"][1][KEY] = json!(KEY);
    let runtime = TestRuntime::new([MockResponse::ok(page.to_string())]);
    runtime.block_on(Client::with_options(runtime.clone(), options).page(&params())).unwrap();
    let seen = seen.take().concat();
    assert!(seen.contains("UnknownField") && seen.contains("items[0].amount") && !seen.contains(KEY), "{seen}");
}
