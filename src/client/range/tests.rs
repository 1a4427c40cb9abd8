//! Tests of the planner: requests out, responses and failures in, without a client.

mod without_pages;

use super::planner::Planner;
use super::planner_state::PagePosition;
use super::request::{RangeRequest, Recovery};
use super::response_limit::Evidence;
use super::rows::{BlockRows, RangeResponse, RowFields};
use crate::client::retry::RetryPolicy;
use crate::decode::{DecodeOptions, FrameDecoder};
use crate::endpoint::request::{BlockRange, MAX_BLOCK};
use crate::endpoint::response::{ACCOUNT_RANGE, LOG_RANGE};
use crate::endpoint::{Params, TokenTxParams};
use crate::error::{Error, ErrorCode};

const PAGE_LIMIT: u64 = 4;
const NOW_MS: u64 = 1_700_000_000_000;

fn plan(first: u64, last: u64, newest_first: bool) -> Planner {
    Planner::new(BlockRange { first, last, newest_first }, PAGE_LIMIT)
}

/// Returns a response with one row in each of these blocks. Rows of one block are equal.
fn response(blocks: &[u64], is_end: bool) -> RangeResponse {
    response_of_age(blocks, is_end, 86_400_000)
}

/// Like [`response`]. The blocks were mined this long ago.
fn response_of_age(blocks: &[u64], is_end: bool, age_ms: u64) -> RangeResponse {
    let rows: Vec<String> = blocks.iter().map(|block| row(*block, age_ms)).collect();
    decode(&rows, is_end)
}

/// Like [`response`]. The last row cannot be decoded.
fn response_with_a_bad_record(blocks: &[u64]) -> RangeResponse {
    let mut rows: Vec<String> = blocks.iter().map(|block| row(*block, 0)).collect();
    let last = rows.last_mut().unwrap();
    *last = last.replace(r#""from":"0x"#, r#""from":"x"#);
    decode(&rows, true)
}

fn row(block: u64, age_ms: u64) -> String {
    let (from, time) = ("0x00000000219ab540356cbb839cbe05303d7705fa", (NOW_MS - age_ms) / 1000);
    format!(r#"{{"blockNumber":"{block}","timeStamp":"{time}","hash":"0x{block:064x}","from":"{from}"}}"#)
}

fn decode(rows: &[String], is_end: bool) -> RangeResponse {
    let action = TokenTxParams::OPERATION;
    let layout = action.layout;
    let body = format!(r#"{{"result":[{}]}}"#, rows.join(","));
    let options = DecodeOptions { skip_bad_records: true, ..DecodeOptions::default() };
    let mut decoder = FrameDecoder::new(layout, options);
    decoder.begin();
    decoder.feed(body.into_bytes()).unwrap();
    let page = decoder.finish().unwrap();
    let rows = BlockRows::new(RowFields::from_action(action).unwrap(), page).unwrap();
    RangeResponse { rows, unprocessed: None, is_end, received_at_ms: NOW_MS }
}

fn next(planner: &mut Planner) -> RangeRequest {
    planner.next_request(NOW_MS).unwrap()
}

/// Responds to the next request with rows of these blocks. Returns the URL parameters of the request, and the number of rows
/// that are delivered.
fn respond(planner: &mut Planner, blocks: &[u64]) -> (String, usize) {
    let request = next(planner);
    let page = planner.on_response(&request, response(blocks, true)).unwrap();
    (params(&request), page.map_or(0, |page| page.rows.len()))
}

fn fail(planner: &mut Planner, code: ErrorCode) -> (String, Result<Recovery, Error>) {
    let request = next(planner);
    (params(&request), planner.on_failure(&request, Error::new(code, "failed"), &RetryPolicy::default(), 0.5))
}

fn params(request: &RangeRequest) -> String {
    let sort = if request.newest_first { "sort=desc" } else { "sort=asc" };
    let numbers =
        request.values(ACCOUNT_RANGE).into_iter().filter_map(|(name, value)| Some(format!("{name}={}", value?)));
    std::iter::once(sort.to_owned()).chain(numbers).collect::<Vec<_>>().join(" ")
}

fn delivered(params: &str, rows: usize) -> (String, usize) {
    (params.to_owned(), rows)
}

#[test]
fn a_full_window_is_truncated_at_its_last_block() {
    let mut planner = plan(0, MAX_BLOCK, false);
    assert_eq!(respond(&mut planner, &[1, 2, 3, 3]), delivered("sort=asc page=1 offset=4", 2));
    assert_eq!(respond(&mut planner, &[3, 3]), delivered("sort=asc startblock=3 page=1 offset=4", 2));
    assert_eq!(planner.next_request(NOW_MS), None);

    let mut planner = plan(2, 9, true);
    let first = "sort=desc startblock=2 endblock=9 page=1 offset=4";
    assert_eq!(respond(&mut planner, &[9, 8, 7, 7]), delivered(first, 2));
    let second = "sort=desc startblock=2 endblock=7 page=1 offset=4";
    assert_eq!(respond(&mut planner, &[7, 7]), delivered(second, 2));
    assert_eq!((planner.report().records, planner.report().complete), (4, true));
}

#[test]
fn a_request_without_an_outcome_is_planned_again() {
    let mut planner = plan(0, MAX_BLOCK, false);
    respond(&mut planner, &[1, 2, 3, 4]);
    let (request, position) = (next(&mut planner), planner.position());
    planner.begin_call(false);
    assert_eq!((next(&mut planner), planner.position()), (request, position));
}

#[test]
fn a_cancelled_response_is_requested_again_from_its_last_block() {
    let mut planner = plan(0, MAX_BLOCK, false);
    let request = next(&mut planner);
    let page = planner.on_response(&request, response(&[1, 2, 3], false)).unwrap().unwrap();
    assert_eq!((page.rows.len(), planner.is_streaming()), (2, true));
    planner.begin_call(true);
    assert!(next(&mut planner).is_continuation);
    planner.begin_call(false);
    let again = next(&mut planner);
    assert_eq!((again.is_continuation, &*params(&again)), (false, "sort=asc startblock=3 page=1 offset=4"));
    assert_eq!(planner.report().requests, 2);
}

#[test]
fn an_oversized_block_is_read_page_by_page() {
    let mut planner = plan(0, MAX_BLOCK, false);
    assert_eq!(respond(&mut planner, &[5; 4]), delivered("sort=asc page=1 offset=4", 4));
    assert_eq!(planner.report().next_block, Some(5));
    assert_eq!(respond(&mut planner, &[5; 2]), delivered("sort=asc startblock=5 endblock=5 page=2", 2));
    assert_eq!(respond(&mut planner, &[]), delivered("sort=asc startblock=6 page=1 offset=4", 0));
    assert_eq!((planner.report().records, planner.report().complete), (6, true));
}

#[test]
fn a_page_that_repeats_leaves_its_block_incomplete() {
    let mut planner = plan(0, MAX_BLOCK, false);
    respond(&mut planner, &[5; 4]);
    assert_eq!(respond(&mut planner, &[5; 4]).1, 0);
    respond(&mut planner, &[]);
    let report = planner.report();
    assert_eq!((report.incomplete_blocks.len(), report.next_block, report.complete), (1, None, false));
}

#[test]
fn a_probe_follows_a_short_response_of_one_block() {
    let mut planner = plan(0, MAX_BLOCK, false);
    assert_eq!(respond(&mut planner, &[5; 2]), delivered("sort=asc page=1 offset=4", 2));
    // There is another row, so the next probe covers the block alone.
    assert_eq!(respond(&mut planner, &[6]), delivered("sort=asc startblock=5 page=3 offset=1", 0));
    assert_eq!(respond(&mut planner, &[]), delivered("sort=asc startblock=5 endblock=5 page=3 offset=1", 0));
    assert_eq!(respond(&mut planner, &[6]), delivered("sort=asc startblock=6 page=1 offset=4", 1));
    assert_eq!(planner.report().response_limit, Some(2));
}

#[test]
fn pages_follow_when_a_probe_of_the_block_alone_finds_a_row() {
    let mut planner = plan(0, MAX_BLOCK, false);
    for blocks in [&[5, 5][..], &[6], &[5]] {
        respond(&mut planner, blocks);
    }
    assert_eq!(respond(&mut planner, &[5]), delivered("sort=asc startblock=5 endblock=5 page=2 offset=2", 1));
    // The limit may vary, so that a short page is not the last.
    assert_eq!(respond(&mut planner, &[]), delivered("sort=asc startblock=5 endblock=5 page=4 offset=1", 0));
    assert_eq!(planner.report().next_block, Some(6));
}

#[test]
fn with_a_limit_that_varies_only_an_empty_response_ends_a_range() {
    let mut planner = plan(0, MAX_BLOCK, false);
    assert_eq!(respond(&mut planner, &[1, 2, 3]), delivered("sort=asc page=1 offset=4", 2));
    // Rows follow, so that the first response was limited. The second one is shorter.
    assert_eq!(respond(&mut planner, &[3, 4]), delivered("sort=asc startblock=3 page=1 offset=4", 1));
    assert_eq!(respond(&mut planner, &[4]), delivered("sort=asc startblock=4 page=1 offset=4", 1));
    assert_eq!(respond(&mut planner, &[5]), delivered("sort=asc startblock=4 page=2 offset=1", 0));
    assert_eq!(respond(&mut planner, &[]), delivered("sort=asc startblock=4 endblock=4 page=2 offset=1", 0));
    assert_eq!(respond(&mut planner, &[5, 5]), delivered("sort=asc startblock=5 page=1 offset=4", 2));
    assert_eq!(respond(&mut planner, &[5]), delivered("sort=asc startblock=5 endblock=5 page=2 offset=2", 1));
    // A page that is shorter than its size is not the last, either.
    assert_eq!(respond(&mut planner, &[]), delivered("sort=asc startblock=5 endblock=5 page=4 offset=1", 0));
    assert_eq!(respond(&mut planner, &[]), delivered("sort=asc startblock=6 page=1 offset=4", 0));
    let report = planner.report();
    assert_eq!((report.records, report.response_limit, report.complete), (7, Some(1), true));
    assert!(report.changed_blocks.is_empty());
}

#[test]
fn a_response_that_lacks_rows_of_the_overlap_is_verified() {
    let mut planner = plan(0, MAX_BLOCK, false);
    respond(&mut planner, &[1, 2, 2]);
    assert_eq!(respond(&mut planner, &[2]), delivered("sort=asc startblock=2 page=1 offset=4", 1));
    assert_eq!(respond(&mut planner, &[2]), delivered("sort=asc startblock=2 page=2 offset=1", 0));
}

#[test]
fn a_part_with_a_limit_reads_beyond_its_end_to_see_that_it_is_complete() {
    let mut planner = plan(0, 99, false);
    for blocks in [[1, 2, 3], [3, 4, 5]] {
        respond(&mut planner, &blocks);
    }
    planner.end_at(7);
    assert_eq!(respond(&mut planner, &[5, 7, 8]), delivered("sort=asc startblock=5 endblock=99 page=1 offset=4", 2));
    assert_eq!((planner.next_request(NOW_MS), planner.report().next_block), (None, Some(8)));
}

#[test]
fn a_response_without_rows_after_the_end_of_its_part_is_limited() {
    let mut planner = plan(0, 99, false);
    planner.limit.evidence.merge(Evidence { longest: 4, ..Evidence::default() });
    let request = next(&mut planner);
    planner.end_at(49);
    planner.on_response(&request, response(&[1, 2, 3], true)).unwrap();
    assert_eq!(planner.report().response_limit, Some(3));
    assert_eq!(respond(&mut planner, &[3, 5, 50]), delivered("sort=asc startblock=3 endblock=99 page=1 offset=4", 2));
    assert_eq!((planner.next_request(NOW_MS), planner.report().records), (None, 4));
}

#[test]
fn a_part_that_has_ended_is_verified_once_a_limit_is_detected() {
    let mut planner = plan(0, 99, false);
    planner.start_at(50, None);
    planner.limit.evidence.merge(Evidence { longest: 4, ..Evidence::default() });
    respond(&mut planner, &[60, 61, 61]);
    assert_eq!(planner.next_request(NOW_MS), None);
    planner.limit.evidence.merge(Evidence { longest: 4, detected: Some(2), ..Evidence::default() });
    assert_eq!(respond(&mut planner, &[61]), delivered("sort=asc startblock=61 endblock=99 page=3 offset=1", 0));
    assert_eq!(respond(&mut planner, &[]), delivered("sort=asc startblock=61 endblock=61 page=3 offset=1", 0));
    assert_eq!(respond(&mut planner, &[]), delivered("sort=asc startblock=62 endblock=99 page=1 offset=4", 0));
    assert_eq!((planner.next_request(NOW_MS), planner.report().records), (None, 3));
}

#[test]
fn the_next_page_begins_after_the_rows_that_were_read_and_stays_within_the_limit() {
    let move_after = |rows, max_size| {
        let mut position = PagePosition::default();
        position.move_after(rows, max_size, 100);
        (position.page, position.page_size, position.known_rows)
    };
    assert_eq!(move_after(40, 40), (2, 40, 0));
    assert_eq!(move_after(60, 60), (2, 50, 10));
    assert_eq!(move_after(60, 17), (5, 15, 0));
    assert_eq!(move_after(61, 17), (5, 15, 1), "no page of the size of a prime number");
    assert_eq!(move_after(97, 97), (25, 4, 1));
    assert_eq!(move_after(100, 17), (101, 1, 0));
}

#[test]
fn incomplete_block_has_the_number_of_its_records() {
    let mut planner = plan(0, MAX_BLOCK, false);
    for rows in [4, 5, 5] {
        respond(&mut planner, &vec![5; rows]);
    }
    let incomplete = planner.report().incomplete_blocks.iter().map(|block| (block.block, block.records));
    assert_eq!(incomplete.collect::<Vec<_>>(), [(5, 9)]);
}

#[test]
fn a_full_window_of_one_block_with_a_bad_record_is_read_again_from_the_first_page() {
    let mut planner = plan(0, MAX_BLOCK, false);
    let mut respond = || {
        let request = next(&mut planner);
        let page = planner.on_response(&request, response_with_a_bad_record(&[5; 4])).unwrap();
        (params(&request), page.map_or(0, |page| page.rows.len()))
    };
    assert_eq!(respond(), delivered("sort=asc page=1 offset=4", 0));
    assert_eq!(respond(), delivered("sort=asc startblock=5 endblock=5 page=1", 3));
    assert_eq!(planner.report().incomplete_blocks, []);
}

#[test]
fn a_short_response_of_one_block_with_a_bad_record_leaves_it_incomplete_if_rows_follow() {
    let mut planner = plan(0, MAX_BLOCK, false);
    let request = next(&mut planner);
    planner.on_response(&request, response_with_a_bad_record(&[5; 3])).unwrap();
    respond(&mut planner, &[6]);
    let incomplete = planner.report().incomplete_blocks.iter().map(|block| (block.block, block.records));
    assert_eq!(incomplete.collect::<Vec<_>>(), [(5, 2)]);
}

#[test]
fn rows_outside_the_window_or_out_of_order_are_rejected() {
    for (last, blocks) in [(9, [3, 2]), (2, [1, 3])] {
        let mut planner = plan(0, last, false);
        let request = next(&mut planner);
        let error = planner.on_response(&request, response(&blocks, true)).unwrap_err();
        assert_eq!(error.code, ErrorCode::Cursor, "{blocks:?}");
    }
}

#[test]
fn every_window_that_the_service_has_not_processed_is_reported() {
    let mut planner = plan(0, 99, false);
    fail(&mut planner, ErrorCode::Timeout).1.unwrap();
    for _ in 0..2 {
        let request = next(&mut planner);
        let unprocessed = Some("busy".to_owned());
        planner.on_response(&request, RangeResponse { unprocessed, ..response(&[], true) }).unwrap();
    }
    let reported = planner.report().unprocessed.iter().map(|range| (range.first, range.last));
    assert_eq!(reported.collect::<Vec<_>>(), [(0, 49), (50, 99)]);
}

#[test]
fn a_probe_that_is_too_slow_covers_the_oversized_block_alone() {
    let mut planner = plan(0, MAX_BLOCK, false);
    respond(&mut planner, &[5; 2]);
    assert_eq!(fail(&mut planner, ErrorCode::Network).1.unwrap_err().code, ErrorCode::Network);
    let (probe, recovery) = fail(&mut planner, ErrorCode::Timeout);
    assert_eq!(probe, "sort=asc startblock=5 page=3 offset=1");
    assert!(matches!(recovery, Ok(Recovery::Shrink { pause_ms: None, .. })), "{recovery:?}");
    let (probe, recovery) = fail(&mut planner, ErrorCode::Timeout);
    assert_eq!(probe, "sort=asc startblock=5 endblock=5 page=3 offset=1");
    assert!(recovery.is_err());
}

#[test]
fn a_window_that_is_too_slow_is_halved() {
    let mut planner = plan(0, 99, false);
    let (_, recovery) = fail(&mut planner, ErrorCode::Timeout);
    assert!(matches!(recovery, Ok(Recovery::Shrink { pause_ms: None, .. })), "{recovery:?}");
    assert_eq!(respond(&mut planner, &[]), delivered("sort=asc endblock=49 page=1 offset=4", 0));
    assert_eq!(planner.report().next_block, Some(50));
}

#[test]
fn a_window_without_an_end_is_halved_at_the_head_block() {
    let mut planner = plan(10, MAX_BLOCK, false);
    assert!(fail(&mut planner, ErrorCode::Timeout).1.is_ok());
    assert_eq!(respond(&mut planner, &[29]), delivered("sort=desc page=1 offset=1", 0));
    assert_eq!(respond(&mut planner, &[10]).0, "sort=asc startblock=10 endblock=19 page=1 offset=4");
}

#[test]
fn a_failure_that_a_smaller_window_cannot_avoid_is_an_error() {
    let mut planner = plan(0, 99, false);
    let (_, recovery) = fail(&mut planner, ErrorCode::Network);
    assert_eq!(recovery.unwrap_err().code, ErrorCode::Network);
    let mut planner = plan(7, 7, false);
    assert!(!next(&mut planner).can_shrink);
    assert!(fail(&mut planner, ErrorCode::Timeout).1.is_err());
}

#[test]
fn a_response_that_breaks_off_counts_as_a_failed_attempt() {
    let mut planner = plan(0, MAX_BLOCK, false);
    let request = next(&mut planner);
    planner.on_response(&request, response(&[1, 2], false)).unwrap();
    let (_, recovery) = fail(&mut planner, ErrorCode::Network);
    assert!(matches!(recovery, Ok(Recovery::Retry(_))), "{recovery:?}");
    assert_eq!(respond(&mut planner, &[2]), delivered("sort=asc startblock=2 page=1 offset=4", 1));
}

#[test]
fn every_position_can_be_restored() {
    let restore = |planner: &Planner| {
        let mut restored = plan(0, MAX_BLOCK, false);
        restored.restore(&planner.position().unwrap()).unwrap();
        assert_eq!(restored.position(), planner.position());
        restored
    };
    let mut planner = plan(0, MAX_BLOCK, false);
    assert_eq!(planner.position(), None);
    respond(&mut planner, &[1, 2, 5, 5]);
    assert_eq!(respond(&mut restore(&planner), &[6]).0, "sort=asc startblock=5 page=1 offset=4");
    respond(&mut planner, &[5; 4]);
    let mut restored = restore(&planner);
    assert_eq!(respond(&mut restored, &[5; 4]), delivered("sort=asc startblock=5 endblock=5 page=2", 0));
    assert_eq!(restored.report().incomplete_blocks.len(), 1, "the digest of the previous page is restored");
}

#[test]
fn a_restored_position_has_the_limit_that_was_detected() {
    let mut planner = plan(0, MAX_BLOCK, false);
    respond(&mut planner, &[1, 2, 3]);
    respond(&mut planner, &[3, 4]);
    let restored_limit = |limit: Option<&str>| {
        let position = planner.position().unwrap();
        let others = position.parameters().filter(|(name, _)| *name != "limit");
        let parameters = others.chain(limit.map(|rows| ("limit", rows)));
        let parameters: Vec<_> = parameters.map(|(name, value)| (name.to_owned(), value.to_owned())).collect();
        let mut restored = plan(0, MAX_BLOCK, false);
        restored.restore(&crate::decode::Cursor::from_parameters(parameters).unwrap()).unwrap();
        (restored.position() == planner.position(), restored.report().response_limit)
    };
    assert_eq!(restored_limit(Some("3")), (true, Some(3)));
    assert_eq!(restored_limit(None), (false, None), "a token of an earlier version");
    assert_eq!(restored_limit(Some("0")), (false, None));
}

#[test]
fn a_part_that_ends_where_a_short_response_does_reads_beyond_its_end() {
    let mut planner = plan(0, 99, false);
    respond(&mut planner, &[1, 2, 3]);
    planner.end_at(3);
    assert_eq!(respond(&mut planner, &[3, 4]), delivered("sort=asc startblock=3 endblock=99 page=1 offset=4", 1));
    assert_eq!((planner.report().response_limit, planner.has_ended()), (Some(3), true));

    let mut planner = plan(0, 99, false);
    let request = next(&mut planner);
    planner.end_at(5);
    planner.on_response(&request, response(&[5, 5], true)).unwrap();
    assert_eq!(respond(&mut planner, &[6]), delivered("sort=asc startblock=5 endblock=99 page=3 offset=1", 0));
    assert_eq!(planner.report().response_limit, Some(2));
}

#[test]
fn a_restored_position_has_the_response_to_verify() {
    let mut planner = plan(0, MAX_BLOCK, false);
    respond(&mut planner, &[1, 2, 3]);
    let mut restored = plan(0, MAX_BLOCK, false);
    restored.restore(&planner.position().unwrap()).unwrap();
    respond(&mut restored, &[3, 4]);
    assert_eq!(restored.report().response_limit, Some(3));
}

#[test]
fn blocks_that_were_taken_for_complete_before_a_limit_was_detected_are_reported() {
    let read = |planner: &mut Planner, responses: &[&[u64]]| {
        for blocks in responses {
            respond(planner, blocks);
        }
    };
    let unprocessed = |mut planner: Planner| {
        read(&mut planner, &[&[53, 54, 55], &[55, 56], &[56], &[]]);
        assert_eq!((planner.next_request(NOW_MS), planner.report().complete), (None, false));
        planner.report().unprocessed.iter().map(|range| (range.first, range.last)).collect::<Vec<_>>()
    };
    let mut planner = plan(0, 99, false);
    fail(&mut planner, ErrorCode::Timeout).1.unwrap();
    read(&mut planner, &[&[1, 2, 3], &[3]]);
    let position = planner.position().unwrap();
    assert_eq!(unprocessed(planner), [(3, 52)]);

    let mut restored = plan(0, 99, false);
    restored.restore(&position).unwrap();
    assert_eq!(unprocessed(restored), [(3, 52)]);
}

#[test]
fn rows_of_a_page_that_were_read_before_are_skipped() {
    let mut planner = Planner::new(BlockRange { first: 5, last: 5, newest_first: false }, 20);
    let page = |number: u64, size: u64| format!("sort=asc startblock=5 endblock=5 page={number} offset={size}");
    let responses =
        [(page(1, 20), 7, 7), (page(8, 1), 1, 0), (page(2, 7), 6, 6), (page(3, 6), 4, 3), (page(5, 4), 0, 0)];
    for (params, rows, new_rows) in responses {
        let position = planner.position();
        assert_eq!(respond(&mut planner, &vec![5; rows]), (params, new_rows));
        let Some(position) = position else { continue };
        let mut restored = Planner::new(BlockRange { first: 5, last: 5, newest_first: false }, 20);
        restored.restore(&position).unwrap();
        assert_eq!(restored.position(), Some(position));
    }
    assert_eq!((planner.next_request(NOW_MS), planner.report().records), (None, 16));

    let mut response = response_with_a_bad_record(&[5, 5, 5]);
    response.rows.skip(1);
    assert_eq!((response.rows.count_readable(), response.rows.count()), (1, 2));
    response.rows.skip(2);
    assert_eq!(response.rows.count(), 0);
}

#[test]
fn an_incomplete_position_is_not_restored() {
    let mut planner = plan(0, MAX_BLOCK, false);
    respond(&mut planner, &[5; 4]);
    let position = planner.position().unwrap();
    let all: Vec<(String, String)> =
        position.parameters().map(|(name, value)| (name.to_owned(), value.to_owned())).collect();
    for omitted in 0..all.len() {
        let mut parameters = all.clone();
        parameters.remove(omitted);
        let cursor = crate::decode::Cursor::from_parameters(parameters).unwrap();
        assert_eq!(plan(0, MAX_BLOCK, false).restore(&cursor), None, "without {}", all[omitted].0);
    }
    assert!(plan(0, MAX_BLOCK, false).restore(&position).is_some());
    assert!(plan(0, 3, false).restore(&position).is_none(), "another range");
    assert!(plan(7, MAX_BLOCK, false).restore(&position).is_none(), "another range");
    let reversed = [("first", "9"), ("last", "3")].map(|(name, value)| (name.to_owned(), value.to_owned()));
    let cursor = crate::decode::Cursor::from_parameters(reversed).unwrap();
    assert!(plan(0, MAX_BLOCK, false).restore(&cursor).is_none(), "no blocks");
}

#[test]
fn rows_that_are_too_recent_do_not_show_that_rows_were_missing() {
    for (age_ms, is_old) in [(59_000, false), (60_000, true)] {
        let response = response_of_age(&[7], true, age_ms);
        assert_eq!((response.has_old_row_at(0, None), response.has_old_row_at(1, None)), (is_old, false), "{age_ms}");
    }
}

#[test]
fn the_head_block_of_a_descending_range_is_requested_again_if_it_may_have_changed() {
    let requests_again = |newest_first, age_ms, passed_ms| {
        let mut planner = plan(0, 9, newest_first);
        let request = next(&mut planner);
        planner.on_response(&request, response_of_age(&[9], true, age_ms)).unwrap();
        let request = next(&mut planner);
        planner.on_response(&request, response(&[], true)).unwrap();
        planner.next_request(NOW_MS + passed_ms).map(|request| params(&request))
    };
    let again = "sort=desc startblock=9 endblock=9 page=1 offset=1".to_owned();
    assert_eq!(requests_again(true, 3_599_000, 10_001), Some(again));
    assert_eq!(requests_again(true, 3_599_000, 10_000), None, "it was read a moment ago");
    assert_eq!(requests_again(true, 3_600_000, 10_001), None, "it is final");
    assert_eq!(requests_again(false, 3_599_000, 10_001), None);
}

#[test]
fn pauses_before_narrower_windows_grow_up_to_the_deadline_of_the_call() {
    let mut planner = plan(0, 99, false);
    let policy = RetryPolicy { deadline_ms: 1650, ..RetryPolicy::default() };
    let mut fail = || {
        let request = next(&mut planner);
        let mut error = Error::new(ErrorCode::HttpStatus, "failed");
        error.status = Some(504);
        let recovery = planner.on_failure(&request, error, &policy, 0.5)?;
        let Recovery::Shrink { pause_ms, .. } = recovery else { panic!("{recovery:?}") };
        Ok::<_, Error>(pause_ms)
    };
    assert_eq!([(); 4].map(|()| fail().unwrap()), [150, 300, 600, 600].map(Some));
    assert_eq!(fail().unwrap_err().status, Some(504));
}

#[test]
fn a_response_counts_while_it_arrives() {
    let mut planner = plan(1, 100, false);
    assert_eq!(planner.evidence().longest, 0);
    for (blocks, is_end, longest) in [(&[1, 2, 3][..], false, 2), (&[3, 4, 5], false, 4), (&[5], true, 5)] {
        let request = next(&mut planner);
        planner.on_response(&request, response(blocks, is_end)).unwrap();
        assert_eq!(planner.evidence().longest, longest, "after {blocks:?}");
    }
}

#[test]
fn the_density_covers_the_blocks_of_a_response() {
    let density = |responses: &[(&[u64], bool)]| {
        let mut planner = plan(1, 100, false);
        for (blocks, is_end) in responses {
            let request = next(&mut planner);
            planner.on_response(&request, response(blocks, *is_end)).unwrap();
        }
        planner.density
    };
    assert_eq!(density(&[(&[1, 3, 5, 7], true)]), Some(4.0 / 7.0));
    assert_eq!(density(&[(&[1, 3, 5], false), (&[5, 5], true)]), Some(4.0 / 5.0));
    assert_eq!(density(&[(&[1, 3, 5], false), (&[5], true)]), Some(3.0 / 5.0));
    assert_eq!(density(&[(&[5, 5, 5, 5], true)]), None, "a single block has no density");
}
