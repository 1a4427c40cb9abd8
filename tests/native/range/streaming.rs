//! Windows that are delivered in batches while their response arrives.

use address_query::client::{RateLimits, RetryPolicy};
use address_query::endpoint::BalanceParams;
use address_query::testing::client::RangeReader;

use super::{open_mocked_range, open_mocked_reader, rows, transfer};
use crate::support::HASH_A;
use crate::test_runtime::{ConcurrentTasks, MockResponse, TestRuntime, poll_once_and_drop};

/// Returns a response with one row in each block. `between` adds what happens between the chunk with the first two rows and the
/// chunk with the others.
fn split_response(blocks: std::ops::Range<u64>, between: impl FnOnce(MockResponse) -> MockResponse) -> MockResponse {
    let rows: Vec<String> = blocks.map(transfer).collect();
    let (first, rest) = rows.split_at(2);
    let head = MockResponse::default().wait(10).and_head(200, &[]);
    between(head.chunk(format!(r#"{{"message":"OK","result":[{},"#, first.join(","))))
        .chunk(format!(r#"{}],"status":"1"}}"#, rest.join(",")))
}

/// Returns a response with the row of this block only, which ends a range.
fn single_row(block: u64) -> MockResponse {
    MockResponse::ok(format!(r#"{{"message":"OK","result":[{}],"status":"1"}}"#, transfer(block)))
}

/// Reads the next rows and returns their blocks.
fn next_blocks(runtime: &TestRuntime, reader: &mut RangeReader<TestRuntime>) -> Vec<u64> {
    let page = runtime.block_on(reader.next()).unwrap().unwrap();
    rows(&page).iter().map(|row| row.block).collect()
}

#[test]
fn a_caller_that_is_slow_between_batches_neither_blocks_others_nor_times_out() {
    let limits = RateLimits::default().max_concurrent(1);
    let retry_policy = RetryPolicy::default().timeout_ms(1_000).deadline_ms(2_000).max_attempts(1);
    let other = r#"{"message":"OK","result":"7","status":"1"}"#;
    let runtime =
        TestRuntime::new([split_response(1..6, |response| response.wait(900)), MockResponse::ok(other), single_row(5)]);
    let (client, mut reader) = open_mocked_range(&runtime, retry_policy, limits);
    assert_eq!(next_blocks(&runtime, &mut reader), [1]);
    assert!(reader.is_streaming());
    assert_eq!(runtime.open_requests(), 1);
    runtime.advance_ms(100_000);
    let params = BalanceParams::new(HASH_A.parse().unwrap());
    runtime.block_on(client.value(&params)).unwrap();
    runtime.advance_ms(100_000);
    assert_eq!(next_blocks(&runtime, &mut reader), [2, 3, 4]);
    assert_eq!((reader.report().requests, reader.report().windows), (1, 1));
    assert_eq!(next_blocks(&runtime, &mut reader), [5]);
}

#[test]
fn the_timeout_counts_the_wait_for_bytes_in_every_batch() {
    let retry_policy = RetryPolicy::default().timeout_ms(1_000).max_attempts(1);
    let slow = split_response(1..6, |response| response.wait(700).chunk(transfer(2)).chunk(",").wait(700));
    let without_wait = |blocks: std::ops::Range<u64>| split_response(blocks, |response| response);
    let runtime = TestRuntime::new([slow, without_wait(5..8), without_wait(2..4)]);
    let (_, mut reader) = open_mocked_range(&runtime, retry_policy, RateLimits::default());
    assert_eq!(next_blocks(&runtime, &mut reader), [1]);
    // The rest of the window is too slow for the service, so that the end of the chain is requested.
    assert_eq!(next_blocks(&runtime, &mut reader), [2]);
    assert_eq!(runtime.take_sent_at(), [0, 1_000, 1_010]);
    assert!(runtime.take_urls()[2].contains("&startblock=2&endblock=3&"));
}

#[test]
fn two_readers_share_a_response_at_different_speeds() {
    let runtime = TestRuntime::new([split_response(1..6, |response| response.wait(10)), single_row(5), single_row(5)]);
    let (client, mut first) = open_mocked_range(&runtime, RetryPolicy::default(), RateLimits::default());
    let mut second = open_mocked_reader(client);
    let mut tasks = ConcurrentTasks::default();
    tasks.spawn(first.next());
    tasks.spawn(second.next());
    let first_batches: Vec<usize> =
        runtime.block_on(tasks.join()).into_iter().map(|page| page.unwrap().unwrap().rows.len()).collect();
    assert_eq!(first_batches, [1, 1]);
    assert_eq!(next_blocks(&runtime, &mut first), [2, 3, 4]);
    assert_eq!(runtime.open_requests(), 0);
    assert_eq!(next_blocks(&runtime, &mut second), [2, 3, 4]);
    assert_eq!(runtime.take_urls().len(), 1);
    assert_eq!((next_blocks(&runtime, &mut first), next_blocks(&runtime, &mut second)), (vec![5], vec![5]));
}

#[test]
fn cancelling_or_dropping_the_future_ends_the_request() {
    for stop in [RangeReader::cancel_request, |reader: &mut RangeReader<TestRuntime>| poll_once_and_drop(reader.next())]
    {
        let runtime =
            TestRuntime::new([split_response(1..6, MockResponse::stall), split_response(2..6, |response| response)]);
        let (_, mut reader) = open_mocked_range(&runtime, RetryPolicy::default(), RateLimits::default());
        assert_eq!(next_blocks(&runtime, &mut reader), [1]);
        assert_eq!(runtime.open_requests(), 1);
        stop(&mut reader);
        assert_eq!((runtime.open_requests(), reader.is_streaming()), (0, false));
        assert_eq!(next_blocks(&runtime, &mut reader), [2]);
        let urls = runtime.take_urls();
        assert!(urls[1].contains("&startblock=2&"), "{urls:?}");
    }
}

#[test]
fn rows_are_returned_early_only_if_the_message_precedes_them() {
    let rows = |blocks: std::ops::Range<u64>| blocks.map(transfer).collect::<Vec<_>>().join(",");
    // The message is a first hint. The status after the rows is decisive.
    for (message, status, unprocessed) in [("OK", "1", 0), ("Not yet", "2", 1), ("Fine", "1", 0), ("OK", "2", 1)] {
        let beginning = MockResponse::ok(format!(r#"{{"message":"{message}","result":[{},"#, rows(1..3)));
        let runtime = TestRuntime::new([beginning.chunk(format!(r#"{}],"status":"{status}"}}"#, rows(3..5)))]);
        let (_, mut reader) = open_mocked_range(&runtime, RetryPolicy::default(), RateLimits::default());
        assert_eq!(next_blocks(&runtime, &mut reader), [1]);
        assert_eq!(reader.report().unprocessed.len(), usize::from(message != "OK"));
        assert_eq!(next_blocks(&runtime, &mut reader), [2, 3]);
        assert_eq!(reader.report().unprocessed.len(), unprocessed, "{message} {status}");
    }
    let beginning = MockResponse::ok(format!(r#"{{"result":[{},"#, rows(1..3)));
    let runtime = TestRuntime::new([beginning.chunk(format!(r#"{}],"message":"OK","status":"1"}}"#, rows(3..5)))]);
    let (_, mut reader) = open_mocked_range(&runtime, RetryPolicy::default(), RateLimits::default());
    assert_eq!(next_blocks(&runtime, &mut reader), [1, 2, 3]);
}

#[test]
fn a_batch_after_a_response_that_broke_off_begins_a_window() {
    let broken = split_response(1..6, |response| response.chunk(transfer(2)).chunk(",").disconnect("lost"));
    let runtime = TestRuntime::new([broken, split_response(2..6, |response| response), single_row(5)]);
    let (_, mut reader) = open_mocked_range(&runtime, RetryPolicy::default(), RateLimits::default());
    let mut batches = Vec::new();
    while let Some(page) = runtime.block_on(reader.next()).unwrap() {
        let blocks: Vec<u64> = rows(&page).iter().map(|row| row.block).collect();
        batches.push((blocks, reader.continues_window(), reader.is_streaming()));
    }
    let expected = [(vec![1], false, true), (vec![2], false, true), (vec![3, 4], true, false), (vec![5], false, false)];
    assert_eq!(batches, expected);
    assert!(!reader.continues_window(), "at the end");
}
