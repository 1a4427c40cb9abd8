//! Blocks that a chain reorganisation changes while a range is read.

use std::cell::Cell;

use address_query::client::{Client, RangeReport};
use address_query::endpoint::TokenTxParams;
use address_query::testing::client::RangeReader;
use address_query::testing::decode::DecodeOptions;
use address_query::testing::endpoint::{ParamValue, Params, Request};

use super::service::{Behavior, Row, Service};
use super::{RangeQuery, expect_ready, one_row_per_block, open_reader, rows, transfer};
use crate::support::HASH_A;
use crate::test_runtime::{MockResponse, START_MS, TestRuntime};

#[test]
fn reports_a_block_that_changed_while_it_was_read() {
    for newest_first in [false, true] {
        let service = Service::new(one_row_per_block(0..30), Behavior::normal(10), 0);
        let mut reader = open_reader(&service, RangeQuery { newest_first, ..RangeQuery::ALL }, None).unwrap();
        expect_ready(reader.next()).unwrap();
        let overlap_block = reader.report().next_block.unwrap();
        service.0.rows.borrow_mut().iter_mut().find(|row| row.block == overlap_block).unwrap().id = 1_000;
        let page = expect_ready(reader.next()).unwrap().unwrap();
        assert_eq!(rows(&page)[0], Row { block: overlap_block, id: 1_000 });
        while expect_ready(reader.next()).unwrap().is_some() {}
        assert_eq!(reader.report().changed_blocks, [overlap_block]);
        assert_eq!(reader.report().records, 30);
    }
}

#[test]
fn reports_a_block_that_changed_before_the_range_was_resumed() {
    let all: Vec<Row> = (0..60).map(|id| Row { block: id / 4, id }).collect();
    for newest_first in [false, true] {
        for change in [None, Some(0), Some(1)] {
            let service = Service::new(all.clone(), Behavior::normal(10), 0);
            let query = RangeQuery { newest_first, ..RangeQuery::ALL };
            let mut first = open_reader(&service, query, None).unwrap();
            expect_ready(first.next()).unwrap();
            let overlap_block = first.report().next_block.unwrap();
            let token = first.resume_token().unwrap();
            if let Some(index) = change {
                let mut rows = service.0.rows.borrow_mut();
                let mut block_rows: Vec<&mut Row> = rows.iter_mut().filter(|row| row.block == overlap_block).collect();
                if newest_first {
                    block_rows.reverse();
                }
                block_rows[index].id += 1_000;
            }
            let mut resumed = open_reader(&service, query, Some(&token)).unwrap();
            assert_eq!(resumed.resume_token(), Some(token));
            while expect_ready(resumed.next()).unwrap().is_some() {}
            let changed: Vec<u64> = change.map(|_| overlap_block).into_iter().collect();
            assert_eq!(resumed.report().changed_blocks, changed, "{newest_first} {change:?}");
        }
    }
}

/// Reads 15 blocks with one transfer each in descending order. The newest block has this age, and each response takes
/// `latency_ms`. With `should_change`, the newest blocks change after the first response. With `should_resume`, a new reader
/// continues from there. Returns the report and the number of requests.
fn read_descending(age_ms: u64, latency_ms: u64, should_change: bool, should_resume: bool) -> (RangeReport, usize) {
    const HEAD: u64 = 15;
    let requests = std::rc::Rc::new(Cell::new(0_usize));
    let count = std::rc::Rc::clone(&requests);
    let runtime = TestRuntime::with_service(move |url| {
        let param = |name: &str| url.split_once(name)?.1.split('&').next()?.parse::<u64>().ok();
        let (low, high) = (param("startblock=").unwrap_or(0), param("endblock=").unwrap_or(HEAD));
        let max_rows = usize::try_from(param("&offset=").unwrap()).unwrap();
        count.set(count.get() + 1);
        let is_changed = should_change && count.get() > 1;
        let row = |block: u64| {
            let mined_at = (START_MS - age_ms) / 1_000 - 12 * (HEAD - block);
            let id = if is_changed && block > 12 { 1_000 + block } else { block };
            let row = transfer(id).replacen(&format!(r#"Number":"{id}""#), &format!(r#"Number":"{block}""#), 1);
            row.replacen('{', &format!(r#"{{"timeStamp":"{mined_at}","#), 1)
        };
        let rows: Vec<String> = (low.max(1)..=high).rev().map(row).take(max_rows).collect();
        let body = format!(r#"{{"message":"OK","result":[{}],"status":"1"}}"#, rows.join(","));
        MockResponse::default().wait(latency_ms).and_head(200, &[]).chunk(body)
    });
    let open = |token: Option<&str>| {
        let values = [("address", ParamValue::String(HASH_A.into()))];
        let request = Request::new(TokenTxParams::OPERATION, values).unwrap();
        let client = Client::new(runtime.clone(), "https://eth.blockscout.com".parse().unwrap());
        let reader = RangeReader::new(client, TokenTxParams::OPERATION, request, DecodeOptions::default(), token);
        reader.unwrap().with_page_limit(6)
    };
    let mut reader = open(None);
    runtime.block_on(reader.next()).unwrap();
    if should_resume {
        reader = open(reader.resume_token().as_deref());
    }
    while runtime.block_on(reader.next()).unwrap().is_some() {}
    assert!(runtime.block_on(reader.next()).unwrap().is_none());
    assert_eq!((reader.resume_token(), reader.report().next_block), (None, None));
    (reader.report().clone(), requests.get())
}

#[test]
fn a_descending_range_requests_its_head_block_again_at_the_end() {
    const MINUTE_MS: u64 = 60_000;
    for should_resume in [false, true] {
        let (report, requests) = read_descending(MINUTE_MS, 6_000, true, should_resume);
        assert_eq!((report.changed_blocks, requests), (vec![15], 4), "resumed: {should_resume}");
        let (report, requests) = read_descending(MINUTE_MS, 6_000, false, should_resume);
        assert_eq!((report.changed_blocks, requests), (vec![], 4), "nothing changed");
        for (age_ms, wait) in [(61 * MINUTE_MS, 5_000), (MINUTE_MS, 1_000)] {
            let (report, requests) = read_descending(age_ms, wait, true, should_resume);
            assert_eq!(
                (report.changed_blocks, requests),
                (vec![], 3),
                "the block is too old, or the range was read too quickly"
            );
        }
    }
}
