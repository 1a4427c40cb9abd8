//! Lists and ranges as Rust structs: as streams, with concurrent requests, and after errors.

use std::future::poll_fn;
use std::pin::pin;
use std::task::Poll;

use address_query::client::{Client, ListPages, RetryPolicy};
use address_query::endpoint::params::Address;
use address_query::endpoint::{AddressLogsParams, AddressWithdrawalsParams};
use address_query::error::{Error, ErrorCode};
use address_query::types::AddressHash;
use futures_util::{StreamExt, TryStreamExt};
use serde_json::{Value as Json, json};

use crate::client::BASE;
use crate::lists::{Setup, logs_of_one_item_per_block};
use crate::support::{HASH_A, read_fixture};
use crate::test_runtime::{MockResponse, TestRuntime};

fn page(first: u64, next: &Json) -> MockResponse {
    let body: Json = serde_json::from_slice(&read_fixture("address-withdrawals/v12.json")).unwrap();
    let item = |index| {
        let mut item = body["items"][0].clone();
        item["index"] = json!(index);
        item
    };
    let page = json!({ "items": [item(first), item(first - 1)], "next_page_params": next });
    MockResponse::default().wait(10).and_head(200, &[]).chunk(page.to_string())
}

/// A list of two pages: withdrawals 4, 3 and 2, 1. `between` are the responses between them.
fn withdrawals(
    between: impl IntoIterator<Item = MockResponse>,
) -> (TestRuntime, ListPages<TestRuntime, AddressWithdrawalsParams>) {
    let mut responses = vec![page(4, &json!({ "index": 3 }))];
    responses.extend(between);
    responses.push(page(2, &Json::Null));
    let runtime = TestRuntime::new(responses);
    let client =
        Client::new(runtime.clone(), BASE.parse().unwrap()).with_retry_policy(RetryPolicy::default().max_attempts(1));
    let pages = client.pages(&AddressWithdrawalsParams::new(HASH_A.parse().unwrap())).unwrap();
    (runtime, pages)
}

#[test]
fn a_list_is_read_as_a_stream_of_pages_and_of_records() {
    let (runtime, pages) = withdrawals([]);
    let pages: Vec<_> = runtime.block_on(pages.into_stream().try_collect()).unwrap();
    let sizes: Vec<_> = pages.iter().map(|page| (page.items.len(), page.resume_token().is_some())).collect();
    assert_eq!(sizes, [(2, true), (2, false)]);

    let (runtime, pages) = withdrawals([]);
    let mut records = pin!(pages.into_records().into_stream().map_ok(|record| record.index));
    let indices: Vec<_> = runtime.block_on(records.as_mut().try_collect()).unwrap();
    assert_eq!(indices, [4, 3, 2, 1]);
}

#[test]
fn a_stream_ends_after_an_error_and_next_retries() {
    let (runtime, pages) = withdrawals([MockResponse::status(500, "")]);
    let mut stream = pin!(pages.into_stream());
    let first = runtime.block_on(stream.next()).unwrap().unwrap();
    let error = runtime.block_on(stream.next()).unwrap().unwrap_err();
    assert_eq!((error.code, error.resume_token.clone()), (ErrorCode::HttpStatus, first.resume_token()));
    assert!(runtime.block_on(stream.next()).is_none());

    let (runtime, mut pages) = withdrawals([MockResponse::status(500, "")]);
    runtime.block_on(pages.next()).unwrap();
    let error = runtime.block_on(pages.next()).unwrap_err();
    assert_eq!(error.resume_token, pages.resume_token());
    assert_eq!(runtime.block_on(pages.next()).unwrap().unwrap().items[0].index, 2);
    assert_eq!((runtime.block_on(pages.next()).unwrap(), pages.resume_token()), (None, None));
}

#[test]
fn records_continue_after_an_error_at_its_token() {
    let (runtime, pages) = withdrawals([MockResponse::status(500, "")]);
    let mut records = pages.into_records();
    let mut read = Vec::new();
    let error: Error = loop {
        match runtime.block_on(records.next()) {
            Ok(record) => read.push(record.unwrap().index),
            Err(error) => break error,
        }
    };
    assert_eq!((read, error.resume_token.clone()), (vec![4, 3], records.get_ref().resume_token()));
    assert_eq!(runtime.block_on(records.next()).unwrap().map(|record| record.index), Some(2));
}

#[test]
fn a_dropped_next_leaves_the_position_unchanged() {
    let (runtime, mut pages) = withdrawals([page(4, &json!({ "index": 3 }))]);
    runtime.block_on(poll_fn(|context| {
        let mut next = pin!(pages.next());
        assert!(next.as_mut().poll(context).is_pending());
        Poll::Ready(())
    }));
    assert_eq!(runtime.block_on(pages.next()).unwrap().unwrap().items[0].index, 4);
}

#[test]
fn parts_of_a_list_are_read_in_parallel() {
    let read = |concurrency| {
        let setup = Setup::new(logs_of_one_item_per_block(2_000), |_| 100);
        let params = AddressLogsParams::new(HASH_A.parse().unwrap());
        let mut pages = setup.client.pages(&params).unwrap().with_concurrency(concurrency);
        let mut blocks = Vec::new();
        while let Some(page) = setup.runtime.block_on(pages.next()).unwrap() {
            blocks.extend(page.items.iter().map(|log| log.block_number));
        }
        (blocks, setup.runtime.most_open_requests())
    };
    let (sequential, one) = read(1);
    let (parallel, most) = read(4);
    assert_eq!((sequential.len(), one, most), (2_000, 1, 4));
    assert_eq!(sequential, parallel);
}

#[test]
fn addresses_of_records_and_of_parameters_convert_to_each_other() {
    let address: Address = HASH_A.parse().unwrap();
    let hash = AddressHash::from(address.clone());
    assert_eq!((&*hash, Address::from(hash.clone())), (HASH_A, address));
}
