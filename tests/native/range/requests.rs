//! The requests for windows and oversized blocks, hidden response limits, and bad records.

use address_query::client::{Client, RateLimits, RetryPolicy};
use address_query::endpoint::TxListInternalParams;
use address_query::error::ErrorCode;

use super::invariants::assert_invariants;
use super::rng::Rng;
use super::{Outcome, RangeQuery, Setup, one_row_per_block, open_action, open_mocked_range, rows, transfer};
use crate::service::{FIRST_PAGE_ONLY, Mark, REFUSED, Row, Script, UNLIMITED};
use crate::support::HASH_A;
use crate::test_runtime::{MockResponse, START_MS, TestRuntime};

#[test]
fn requests_ten_thousand_rows_per_window() {
    for (newest_first, bounds) in
        [(false, ["startblock=10000", "startblock=19999"]), (true, ["endblock=15001", "endblock=5002"])]
    {
        let query = RangeQuery { newest_first, ..RangeQuery::ALL };
        let setup = Setup::new(one_row_per_block(1..25_001), Script::NORMAL, query);
        let mut reader = setup.open_reader(None).unwrap();
        let mut outcome = Outcome::default();
        while let Some(page) = setup.next(&mut reader).unwrap() {
            outcome.rows.extend(rows(&page));
            drop(page);
            let held = format!("{reader:?}").len();
            assert!(held < 50_000, "the reader holds {held} bytes between windows");
        }
        outcome.add_report(reader.report().clone());
        assert_invariants(&setup, &outcome);
        assert_eq!((outcome.rows.len(), outcome.report.requests, outcome.report.windows), (25_000, 3, 3));

        let sort = if newest_first { "desc" } else { "asc" };
        let start =
            format!("https://eth.blockscout.com/api?module=account&action=tokentx&address={HASH_A}&sort={sort}");
        assert_eq!(
            setup.runtime.take_urls(),
            [
                format!("{start}&page=1&offset=10000"),
                format!("{start}&{}&page=1&offset=10000", bounds[0]),
                format!("{start}&{}&page=1&offset=10000", bounds[1]),
            ]
        );
    }
}

#[test]
fn reads_an_oversized_block_page_by_page() {
    let blocks: Vec<Row> = [(5, 4), (6, 22), (7, 3)]
        .into_iter()
        .flat_map(|(block, size)| (0..size).map(move |index| Row::new(block, 100 * block + index)))
        .collect();
    for (deep_pages, reason) in [
        (UNLIMITED, None),
        (FIRST_PAGE_ONLY, Some("the service returns the same rows for every page")),
        (REFUSED, Some("the service refused the request: \"Result window is too large\"; check the parameters")),
    ] {
        let script = Script { deep_pages, ..Script::with_page_limit(10) };
        let setup = Setup::new(blocks.clone(), script, RangeQuery::ALL);
        // Every window has a new reader. The resume token holds the digest of the previous page.
        let outcome = setup.read_all(&mut Rng::new(0), 100);
        assert_invariants(&setup, &outcome);
        let pages: Vec<String> = setup.runtime.take_urls();
        let queries: Vec<&str> = pages.iter().map(|url| url.split_once("&sort=asc&").unwrap().1).collect();
        let first = ["page=1&offset=10", "startblock=6&page=1&offset=10", "startblock=6&endblock=6&page=2"];
        let third: &[&str] = if reason.is_none() { &["startblock=6&endblock=6&page=3"] } else { &[] };
        // A new reader does not know that the service can return more than three rows at once.
        let last = [
            "startblock=7&page=1&offset=10",
            "startblock=7&endblock=7&page=4&offset=1",
            "startblock=8&page=1&offset=10",
        ];
        assert_eq!(queries, [&first[..], third, &last].concat());
        let incomplete: Vec<(u64, u64, &str)> = outcome
            .report
            .incomplete_blocks
            .iter()
            .map(|block| (block.block, block.records, block.reason.as_str()))
            .collect();
        assert_eq!(incomplete, reason.map(|reason| (6, 10, reason)).into_iter().collect::<Vec<_>>());
    }
}

#[test]
fn refuses_resume_tokens_of_other_ranges() {
    let mut setup = Setup::new(one_row_per_block(0..30), Script::with_page_limit(10), RangeQuery::ALL);
    let mut first = setup.open_reader(None).unwrap();
    assert_eq!(first.resume_token(), None, "nothing was read");
    assert_eq!(first.report().next_block, Some(0));
    setup.next(&mut first).unwrap();
    assert_eq!(first.report().next_block, Some(9));
    let token = first.resume_token().unwrap();
    let error = setup.open_reader(Some(&token[..token.len() - 1])).map(drop).unwrap_err();
    assert_eq!((error.code, error.parameter.as_deref()), (ErrorCode::InvalidParameter, Some("resume")));
    for query in [
        RangeQuery { newest_first: true, ..RangeQuery::ALL },
        RangeQuery { start: Some(1), ..RangeQuery::ALL },
        RangeQuery { end: Some(20), ..RangeQuery::ALL },
    ] {
        setup.query = query;
        let error = setup.open_reader(Some(&token)).map(drop).unwrap_err();
        assert_eq!(error.parameter.as_deref(), Some("resume"), "{error}");
    }
}

#[test]
fn refuses_parameters_that_select_a_part_of_the_range() {
    let hash = format!("0x{:064x}", 1);
    for (values, parameter) in [
        (&[("address", HASH_A), ("page", "1"), ("offset", "10")][..], "page"),
        (&[("address", HASH_A), ("txhash", &hash)], "txhash"),
        (&[], "address"),
    ] {
        let client = Client::new(TestRuntime::new([]), "https://eth.blockscout.com".parse().unwrap());
        let error = open_action::<TxListInternalParams>(client, values).map(drop).unwrap_err();
        assert_eq!((error.code, error.parameter.as_deref()), (ErrorCode::InvalidParameter, Some(parameter)));
    }
}

#[test]
fn returns_every_row_of_a_service_with_a_lower_response_limit() {
    for response_limit in [100, 1_000, 9_999] {
        for newest_first in [false, true] {
            let query = RangeQuery { newest_first, ..RangeQuery::ALL };
            let script = Script { max_rows: response_limit, ..Script::NORMAL };
            let setup = Setup::new(one_row_per_block(1..15_001), script, query);
            let outcome = setup.read_all(&mut Rng::new(0), 0);
            assert_invariants(&setup, &outcome);
            assert_eq!((outcome.rows.len(), outcome.report.response_limit), (15_000, Some(response_limit as u64)));
            let fewest = u32::try_from(15_000_usize.div_ceil(response_limit - 1)).unwrap();
            // The last two responses show that nothing follows.
            assert!(outcome.report.requests <= fewest + 2, "{} of {fewest}", outcome.report.requests);
        }
    }
}

#[test]
fn a_range_with_one_short_response_needs_one_more_request() {
    let block_rows = |block, size| (0..size).map(move |id| Row::new(block, id));
    let blocks = |count: u64| one_row_per_block(1..count + 1);
    for (rows, requests) in [
        (vec![], 1),
        (blocks(1), 2),
        (blocks(2), 2),
        (blocks(9_999), 2),
        (block_rows(7, 1).collect(), 2),
        (block_rows(7, 40).collect(), 2),
        (block_rows(7, 9_999).collect(), 2),
        (block_rows(7, 20).chain(block_rows(8, 20)).collect(), 2),
        // After a full response, a shorter one needs no verification.
        (blocks(10_001), 2),
        (blocks(15_000), 2),
    ] {
        for newest_first in [false, true] {
            let query = RangeQuery { newest_first, ..RangeQuery::ALL };
            let setup = Setup::new(rows.clone(), Script::NORMAL, query);
            let outcome = setup.read_all(&mut Rng::new(0), 0);
            assert_invariants(&setup, &outcome);
            assert_eq!(outcome.report.requests, requests, "{} rows", rows.len());
            assert_eq!(outcome.report.response_limit, None);
        }
    }
}

#[test]
fn new_rows_at_the_head_do_not_look_like_a_response_limit() {
    for size in [1, 3] {
        let block = |block: u64| {
            let row = transfer(block).replacen('{', &format!(r#"{{"timeStamp":"{}","#, START_MS / 1_000), 1);
            vec![row; size].join(",")
        };
        let response = |rows: &[String]| {
            MockResponse::ok(format!(r#"{{"message":"OK","result":[{}],"status":"1"}}"#, rows.join(",")))
        };
        let runtime =
            TestRuntime::new([response(&[block(1), block(2)]), response(&[block(2), block(3)]), response(&[block(3)])]);
        let (_, mut reader) = open_mocked_range(&runtime, RetryPolicy::default(), RateLimits::default());
        let mut received = Vec::new();
        while let Some(page) = runtime.block_on(reader.next()).unwrap() {
            received.extend(rows(&page));
        }
        assert_eq!((received.len(), reader.report().response_limit), (3 * size, None));
    }
}

/// Reads all rows and omits the bad ones. Returns the others, and how many were bad.
fn read_good_rows(setup: &mut Setup) -> (Vec<Row>, usize) {
    setup.skips_bad_records = true;
    let mut reader = setup.open_reader(None).unwrap();
    setup.read_rest(&mut reader)
}

#[test]
fn reports_a_bad_record_of_the_last_block_once() {
    let bad = |block| Row::new(block, 9).marked(Mark::Bad);
    let good = Row::new;
    let rows = [good(4, 0), good(5, 1), good(5, 2), bad(5), bad(6), good(6, 3), good(6, 4), good(7, 5)];
    for newest_first in [false, true] {
        for count in 3..=rows.len() {
            let query = RangeQuery { newest_first, ..RangeQuery::ALL };
            let mut setup = Setup::new(rows[..count].to_vec(), Script::with_page_limit(10), query);
            let (unreadable, readable): (Vec<Row>, Vec<Row>) =
                setup.expected_rows().into_iter().partition(|row| row.mark == Mark::Bad);
            let read = read_good_rows(&mut setup);
            assert_eq!(read, (readable, unreadable.len()), "{count} rows, newest first: {newest_first}");
        }
    }
}

#[test]
fn a_bad_record_does_not_lose_other_rows() {
    // All valid rows of the first window are in one block, but its first row, a bad one, is in another block.
    let bad = Row::new(5, 99).marked(Mark::Bad);
    let all: Vec<Row> = [bad].into_iter().chain((0..12).map(|id| Row::new(6, id))).chain([Row::new(7, 12)]).collect();
    for (newest_first, max_chunk_bytes) in [u64::MAX, 300, 1].into_iter().flat_map(|max| [(false, max), (true, max)]) {
        let script = Script { max_chunk_bytes, ..Script::with_page_limit(10) };
        let mut setup = Setup::new(all.clone(), script, RangeQuery { newest_first, ..RangeQuery::ALL });
        let mut expected = setup.expected_rows();
        expected.retain(|row| row.mark == Mark::None);
        assert_eq!(read_good_rows(&mut setup), (expected, 1));
    }

    let mut setup = Setup::new(vec![bad; 10], Script::with_page_limit(10), RangeQuery::ALL);
    setup.skips_bad_records = true;
    let mut reader = setup.open_reader(None).unwrap();
    let error = setup.next(&mut reader).map(drop).unwrap_err();
    assert_eq!(error.code, ErrorCode::Decode);
    assert_eq!(error.message, "none of the 10 rows could be decoded, so the next block is unknown");
    assert_eq!((reader.report().windows, reader.report().requests), (0, 1));
}

#[test]
fn reports_blocks_that_the_service_has_not_processed() {
    let row = |block: u64| {
        format!(r#"{{"blockNumber":"{block}","from":"{HASH_A}","value":"1","transactionHash":"0x{block:064x}"}}"#)
    };
    let message = "Some internal transactions within this block range have not yet been processed";
    let response = |rows: &[String]| {
        MockResponse::ok(format!(r#"{{"status":"2","message":"{message}","result":[{}]}}"#, rows.join(",")))
    };
    let runtime = TestRuntime::new([response(&[row(10), row(11)]), response(&[row(11)])]);
    let values = [("address", HASH_A), ("sort", "asc"), ("startblock", "10"), ("endblock", "20")];
    let client = Client::new(runtime.clone(), "https://eth.blockscout.com".parse().unwrap());
    let mut reader = open_action::<TxListInternalParams>(client, &values).unwrap().with_page_limit(2);
    while runtime.block_on(reader.next()).unwrap().is_some() {}
    assert_eq!(reader.report().records, 2);
    let [unprocessed] = &*reader.report().unprocessed else { panic!("{:?}", reader.report()) };
    assert_eq!((unprocessed.first, unprocessed.last, &*unprocessed.message), (10, 20, message));
}
