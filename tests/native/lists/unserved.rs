//! Lists with records that the service cannot serve: each page with one of them has status 500.

use std::cell::Cell;
use std::rc::Rc;

use address_query::client::{Client, ClientOptions, RetryPolicy};
use address_query::endpoint::{AddressInternalTransactionsParams, AddressNftParams};
use address_query::error::{Error, ErrorCode};
use address_query::testing::client::MethodCall;

use super::{ListCall, Outcome, Setup, mark_some, params, random_service, served_items};
use crate::client::BASE;
use crate::range::parallel::random_concurrency;
use crate::range::random_histories::run_cases;
use crate::service::{
    INTERNAL_TRANSACTIONS, LOGS, Mark, Row, Script, Service, VERSION_PATH, WITHDRAWALS, random_latency,
};
use crate::support::HASH_A;
use crate::test_runtime::{MockResponse, TestRuntime};

const CRASH: &str = r#"{"message":"Something went wrong."}"#;

/// Requests choose the size of a page.
fn sized(page_size: usize) -> Script {
    Script { version: 12, ..Script::with_page_size(page_size) }
}

/// Logs in the blocks from `blocks` to 1, two in each. The ones in these blocks with index 0 are not served.
fn logs(blocks: u64, unserved: &[u64], script: Script) -> Rc<Service> {
    let row = |block, index| {
        let is_unserved = index == 0 && unserved.contains(&block);
        Row::new(block, index).marked(if is_unserved { Mark::Unserved } else { Mark::None })
    };
    Service::new([(LOGS, (1..=blocks).flat_map(|block| [row(block, 0), row(block, 1)]).collect())], script, 0)
}

fn instant(service: Rc<Service>) -> Setup {
    Setup::new(service, |_| 1)
}

fn place(items: usize, block: u64) -> (usize, Option<u64>, String) {
    (items, Some(block), "items".into())
}

#[test]
fn only_the_record_is_missing_where_pages_have_sizes() {
    for unserved in [&[90, 41, 40, 1][..], &[100], &[50]] {
        let setup = instant(logs(100, unserved, sized(100)));
        let outcome = setup.read_pages(1);
        assert_eq!(outcome.items, served_items(&setup.service));
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
        let setup = instant(logs(100, &[block], Script::with_page_size(50)));
        let outcome = setup.read_pages(1);
        let mut expected = served_items(&setup.service);
        let at = expected.iter().position(|item| item.block < block).unwrap();
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
        let service = random_service(rng, seed, &[LOGS, WITHDRAWALS], (2, 8, 1), |rng, rows, script| {
            mark_some(rows, rng, (0, 8), Mark::Unserved);
            script.version = rng.pick(&[11, 12]);
        });
        let setup = Setup::new(service, random_latency(seed));
        let outcome = setup.read(random_concurrency(rng), rng, 0);
        let expected = served_items(&setup.service);
        assert_eq!(outcome.errors, []);
        assert!(outcome.items.is_sorted_by(|a, b| a > b), "duplicated or out of order");
        let unserved = setup.service.edit(|list| list.rows.len()) - expected.len();
        if setup.service.script.borrow().version == 12 && unserved == 1 {
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
    assert_eq!(outcome.items, served_items(&setup.service));
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
    let call = MethodCall::new(&client, "addressLogs", &params(), &Vec::new(), false).unwrap();
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
    let service = logs(60, &[20], Script::with_page_size(50));
    let (outcome, error, requests) = read_logs(false, move |url| service.respond(url, 1));
    let error = error.unwrap();
    assert_eq!((error.code, error.status, error.attempts), (ErrorCode::HttpStatus, Some(500), Some(3)));
    assert!(error.message.ends_with("; if only this page fails, skip_bad_records continues after it"), "{error}");
    assert!(error.resume_token.is_some());
    assert_eq!((outcome.items.len(), requests), (50, 4));
}

#[test]
fn service_that_always_fails_gets_few_requests_and_loses_nothing() {
    let service = logs(60, &[], Script::with_page_size(50));
    let served = Cell::new(1);
    let (outcome, error, requests) = read_logs(true, move |url| {
        if url.ends_with(VERSION_PATH) || served.replace(0) == 1 {
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
        for script in [Script::with_page_size(50), sized(100)] {
            let service = logs(100, &[], script);
            let (requests, left) = (Cell::new(0), Cell::new(failing));
            let handler = service.clone();
            let (outcome, error, _) = read_logs(true, move |url| {
                requests.set(requests.get() + 1);
                // Only positions near the page fail, and only for a time.
                let is_oldest = url.contains("block_number=0");
                if requests.get() > 1 && !is_oldest && left.get() > 0 && !url.ends_with(VERSION_PATH) {
                    left.set(left.get() - 1);
                    return MockResponse::status(500, CRASH);
                }
                handler.respond(url, 1)
            });
            assert_eq!(error, None);
            assert_eq!(outcome.items, served_items(&service), "{failing} failures");
            assert_eq!(outcome.unserved, []);
        }
    }
}

#[test]
fn list_in_another_order_is_read_up_to_the_record() {
    let respond = |url: &str| {
        if url.ends_with(VERSION_PATH) {
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
    // Blocks, transactions and indices of internal transactions.
    let mut rows = Vec::new();
    for block in [7, 2_000, 900_000] {
        for transaction in [0, 3, 211] {
            rows.extend([0, 1, 40].map(|index| Row::new(block, 1_000 * transaction + index)));
        }
    }
    for unserved in 0..rows.len() {
        let mut marked = rows.clone();
        marked[unserved].mark = Mark::Unserved;
        let service = Service::new([(INTERNAL_TRANSACTIONS, marked)], Script { page_size: 50, ..sized(100) }, 0);
        let handler = service.clone();
        let (runtime, client) = client(true, move |url| handler.respond(url, 0));
        let mut pages = client.pages(&AddressInternalTransactionsParams::new(HASH_A.parse().unwrap())).unwrap();
        let mut count = 0;
        while let Some(page) = runtime.block_on(pages.next()).unwrap() {
            count += page.items.len();
        }
        let (unserved, omitted) = (rows[unserved], pages.omitted());
        assert_eq!(count, rows.len() - 1, "{unserved:?}");
        assert_eq!(
            (omitted.count, omitted.first[0].block, &*omitted.first[0].path),
            (1, Some(unserved.block), "items")
        );
        let requests = service.requests.borrow().len();
        assert!(requests < 140, "{unserved:?}: {requests} requests");
    }
}
