//! Lists with records that the service cannot serve: each page with one of them has status 500.

use std::cell::Cell;
use std::rc::Rc;

use address_query::client::{Client, ClientOptions, RetryPolicy};
use address_query::endpoint::{AddressInternalTransactionsParams, AddressNftParams};
use address_query::error::{Error, ErrorCode};
use address_query::testing::client::MethodCall;
use serde_json::{Value as Json, json};

use super::service::{Behavior, Item, Kind, Service, random_items};
use super::{ListCall, Outcome, Setup, flag_some, positions};
use crate::client::BASE;
use crate::range::parallel::random_concurrency;
use crate::range::random_histories::run_cases;
use crate::support::{HASH_A, read_fixture};
use crate::test_runtime::{MockResponse, TestRuntime};

const CRASH: &str = r#"{"message":"Something went wrong."}"#;

fn sized(page_size: usize) -> Behavior {
    Behavior { has_page_sizes: true, ..Behavior::normal(page_size) }
}

/// Logs in the blocks from `blocks` to 1, two in each. The ones in these blocks with index 0 are not served.
fn logs(blocks: u64, unserved: &[u64], behavior: Behavior) -> Service {
    let item = |block, index| Item { is_unserved: index == 0 && unserved.contains(&block), ..Item::new(block, index) };
    let items = (1..=blocks).rev().flat_map(|block| [item(block, 1), item(block, 0)]).collect();
    Service::new(Kind::Logs, items, behavior, 0)
}

fn read_sequentially(setup: &Setup) -> Outcome {
    let (mut outcome, mut call) = (Outcome::default(), setup.open(1, None));
    while let Some(page) = setup.runtime.block_on(call.next()).unwrap() {
        outcome.add(setup.service.method(), &page);
    }
    outcome
}

fn instant(service: Service) -> Setup {
    Setup::new(service, |_| 1)
}

fn place(items: usize, block: u64) -> (usize, Option<u64>, String) {
    (items, Some(block), "items".into())
}

#[test]
fn only_the_record_is_missing_where_pages_have_sizes() {
    for unserved in [&[90, 41, 40, 1][..], &[100], &[50]] {
        let setup = instant(logs(100, unserved, sized(100)));
        let outcome = read_sequentially(&setup);
        assert_eq!(outcome.items, positions(&setup.service, &setup.service.items()));
        let place = |(before, block): (usize, &u64)| {
            let above = usize::try_from(100 - block).unwrap();
            place(2 * above + 1 - before, *block)
        };
        assert_eq!(outcome.unserved, unserved.iter().enumerate().map(place).collect::<Vec<_>>());
    }
}

#[test]
fn page_of_a_fixed_size_is_missing_up_to_the_record() {
    // The second page ends with the first item of block 51.
    for (block, missing) in [(51, 49), (75, 2), (100, 2)] {
        let setup = instant(logs(100, &[block], Behavior::normal(50)));
        let outcome = read_sequentially(&setup);
        let mut expected = positions(&setup.service, &setup.service.items());
        let at = expected.iter().position(|(number, _)| *number < Some(block)).unwrap();
        let first = if block == 100 { 0 } else { 50 };
        assert_eq!(outcome.unserved, [place(first, block)], "block {block}");
        expected.drain(first..at);
        assert_eq!(outcome.items, expected);
        assert!(200 - outcome.items.len() <= missing + 1, "block {block}: {} items", outcome.items.len());
    }
}

#[test]
fn random_lists_lose_only_what_they_report() {
    run_cases(47, 300, |rng, seed| {
        let kind = rng.pick(&[Kind::Logs, Kind::Withdrawals]);
        let page_size = usize::try_from(rng.between(2, 8)).unwrap();
        let mut items = random_items(kind, rng, page_size);
        flag_some(&mut items, rng, (0, 8), |item| &mut item.is_unserved);
        let has_page_sizes = rng.chance(50);
        let behavior = Behavior { has_page_sizes, ..Behavior::normal(page_size) };
        let setup = Setup::with_random_latency(Service::new(kind, items.clone(), behavior, seed), seed);
        let outcome = setup.read(random_concurrency(rng), rng, 0);
        let expected = positions(&setup.service, &items);
        assert_eq!(outcome.errors, []);
        assert!(outcome.items.is_sorted_by(|a, b| a > b), "duplicated or out of order");
        if has_page_sizes && items.iter().filter(|item| item.is_unserved).count() == 1 {
            assert_eq!(outcome.items, expected);
        }
        // Each missing item lies between the items before and after a place.
        let mut missing = expected;
        missing.retain(|item| !outcome.items.contains(item));
        for item in missing {
            let before = outcome.items.iter().filter(|other| **other > item).count();
            assert!(outcome.unserved.iter().any(|(items, ..)| *items == before), "{item:?} is missing silently");
        }
    });
}

#[test]
fn resumed_list_passes_the_record_again() {
    let setup = instant(logs(60, &[40], sized(100)));
    let (mut outcome, mut call) = (Outcome::default(), setup.open(1, None));
    while let Some(page) = setup.runtime.block_on(call.next()).unwrap() {
        outcome.add("addressLogs", &page);
        if let Some(token) = call.resume_token() {
            call = setup.open(1, Some(&token));
        }
    }
    assert_eq!(outcome.items, positions(&setup.service, &setup.service.items()));
    assert_eq!(outcome.unserved, [place(41, 40)]);
}

/// A client that skips bad records, or not, for a service that responds with this function.
fn client(skips: bool, respond: impl FnMut(&str) -> MockResponse + 'static) -> (TestRuntime, Client<TestRuntime>) {
    let runtime = TestRuntime::with_service(respond);
    let mut options = ClientOptions::new(BASE.parse().unwrap());
    options.decode_options.skip_bad_records = skips;
    options.retry_policy = RetryPolicy::default();
    let client = Client::with_options(runtime.clone(), options);
    (runtime, client)
}

fn read_logs(skips: bool, respond: impl FnMut(&str) -> MockResponse + 'static) -> (Outcome, Option<Error>, usize) {
    let (runtime, client) = client(skips, respond);
    let call = MethodCall::new(&client, "addressLogs", &Service::params(), &Vec::new(), false).unwrap();
    let mut call = ListCall { call, resume_token: None };
    let mut outcome = Outcome::default();
    let error = loop {
        match runtime.block_on(call.next()) {
            Ok(Some(page)) => outcome.add("addressLogs", &page),
            Ok(None) => break None,
            Err(error) => break Some(error),
        }
    };
    (outcome, error, runtime.take_urls().len())
}

#[test]
fn without_skip_the_error_names_the_option_that_continues() {
    let service = logs(60, &[20], Behavior::normal(50));
    let (outcome, error, requests) = read_logs(false, move |url| service.respond(url, 1));
    let error = error.unwrap();
    assert_eq!((error.code, error.status, error.attempts), (ErrorCode::HttpStatus, Some(500), Some(3)));
    assert!(error.message.ends_with("; if only this page fails, skip_bad_records continues after it"), "{error}");
    assert!(error.resume_token.is_some());
    assert_eq!((outcome.items.len(), requests), (50, 4));
}

#[test]
fn service_that_always_fails_gets_few_requests_and_loses_nothing() {
    let service = logs(60, &[], Behavior::normal(50));
    let served = Cell::new(1);
    let (outcome, error, requests) = read_logs(true, move |url| {
        if url.ends_with("/config/backend-version") || served.replace(0) == 1 {
            return service.respond(url, 1);
        }
        MockResponse::status(500, CRASH)
    });
    let error = error.unwrap();
    assert!(error.message.ends_with("; the service served no page after it either"), "{error}");
    assert_eq!((outcome.items.len(), outcome.unserved.len()), (50, 0));
    assert!(requests < 10, "{requests} requests");
}

#[test]
fn page_that_fails_for_a_time_is_read() {
    for failing in 3..12 {
        for behavior in [Behavior::normal(50), sized(100)] {
            let service = logs(100, &[], behavior);
            let (requests, left) = (Cell::new(0), Cell::new(failing));
            let handler = service.clone();
            let (outcome, error, _) = read_logs(true, move |url| {
                requests.set(requests.get() + 1);
                // Only positions near the page fail, and only for a time.
                let is_oldest = url.contains("block_number=0");
                if requests.get() > 1 && !is_oldest && left.get() > 0 && !url.ends_with("/config/backend-version") {
                    left.set(left.get() - 1);
                    return MockResponse::status(500, CRASH);
                }
                handler.respond(url, 1)
            });
            assert_eq!(error, None);
            assert_eq!(outcome.items, positions(&service, &service.items()), "{failing} failures");
            assert_eq!(outcome.unserved, []);
        }
    }
}

#[test]
fn list_in_another_order_is_read_up_to_the_record() {
    let respond = |url: &str| {
        if url.ends_with("/config/backend-version") {
            return MockResponse::ok(r#"{"backend_version":"v12.0.0"}"#);
        }
        let is_first = !url.contains("token_id=");
        let is_large = !url.contains("items_count=1&") && !url.ends_with("items_count=1");
        if is_large || !is_first {
            return MockResponse::status(500, CRASH);
        }
        let next = r#"{"token_contract_address_hash":"0x1","token_id":"9","token_type":"ERC-721"}"#;
        MockResponse::ok(format!(r#"{{"items":[],"next_page_params":{next}}}"#))
    };
    let (runtime, client) = client(true, respond);
    let mut pages = client.pages(&AddressNftParams::new(HASH_A.parse().unwrap())).unwrap();
    assert!(runtime.block_on(pages.next()).unwrap().is_some());
    let error = runtime.block_on(pages.next()).unwrap_err();
    assert!(error.message.contains("if only this page fails, this list cannot be continued after it"), "{error}");
    assert_eq!(error.resume_token, pages.resume_token());
}

#[test]
fn position_of_three_keys_is_found() {
    // Blocks, transactions and indices of internal transactions, newest first.
    let mut items: Vec<(u64, u64, u64)> = Vec::new();
    for block in [7, 2_000, 900_000] {
        for transaction in [0, 3, 211] {
            items.extend([0, 1, 40].map(|index| (block, transaction, index)));
        }
    }
    items.reverse();
    let fixture: Json = serde_json::from_slice(&read_fixture("address-internal-transactions/v11.json")).unwrap();
    for unserved in items.clone() {
        let requests = Rc::new(Cell::new(0));
        let (all, counter, template) = (items.clone(), Rc::clone(&requests), fixture["items"][0].clone());
        let (runtime, client) = client(true, move |url| {
            counter.set(counter.get() + 1);
            if url.ends_with("/config/backend-version") {
                return MockResponse::ok(r#"{"backend_version":"v12.0.0"}"#);
            }
            let value = |name: &str| {
                let pair = |pair: &str| pair.strip_prefix(name)?.strip_prefix('=')?.parse::<u64>().ok();
                url.split(['?', '&']).find_map(pair)
            };
            let after = value("block_number")
                .map(|block| (block, value("transaction_index").unwrap(), value("index").unwrap()));
            let size = value("items_count").unwrap_or(50);
            let behind = || all.iter().filter(|item| after.is_none_or(|after| **item < after));
            let page: Vec<_> = behind().take(usize::try_from(size).unwrap()).collect();
            if page.contains(&&unserved) {
                return MockResponse::status(500, CRASH);
            }
            let row = |(block, transaction, index): &&(u64, u64, u64)| {
                let mut row = template.clone();
                row["block_number"] = json!(block);
                row["transaction_index"] = json!(transaction);
                row["index"] = json!(index);
                row.to_string()
            };
            let rows: Vec<String> = page.iter().map(row).collect();
            let next = page.last().filter(|_| behind().count() > page.len()).map_or(
                "null".into(),
                |(block, transaction, index)| {
                    format!(r#"{{"block_number":{block},"transaction_index":{transaction},"index":{index}}}"#)
                },
            );
            MockResponse::ok(format!(r#"{{"items":[{}],"next_page_params":{next}}}"#, rows.join(",")))
        });
        let mut pages = client.pages(&AddressInternalTransactionsParams::new(HASH_A.parse().unwrap())).unwrap();
        let mut count = 0;
        while let Some(page) = runtime.block_on(pages.next()).unwrap() {
            count += page.items.len();
        }
        assert_eq!(count, items.len() - 1, "{unserved:?}");
        let omitted = pages.omitted();
        assert_eq!((omitted.count, omitted.first[0].block, &*omitted.first[0].path), (1, Some(unserved.0), "items"));
        assert!(requests.get() < 140, "{unserved:?}: {} requests", requests.get());
    }
}
