//! Tests of [`RangeReader`] with random histories, services that misbehave, and callers that interrupt the reader. Every row
//! that was never removed must be returned once and in order, and the report must be correct.

pub mod rng;
mod service;

use std::cell::Cell;
use std::collections::BTreeMap;
use std::future::Future;
use std::pin::pin;
use std::task::{Context, Poll, Waker};

use address_query::client::range::UnprocessedRange;
use address_query::client::{
    Client, ClientOptions, Event, EventKind, EventSink, RangeReader, RangeReport, RateLimits, RetryPolicy,
};
use address_query::decode::{DecodeOptions, FramePage};
use address_query::endpoint::{ActionParams, BalanceParams, ParamValue, Request, TokenTxParams, TxListInternalParams};
use address_query::error::{Error, ErrorCode};
use address_query::record::{Record, field_index};
use address_query::types::Erc20Transfer;

use crate::support::HASH_A;
use crate::test_runtime::{ConcurrentTasks, MockResponse, START_MS, TestRuntime, poll_once_and_drop};
use rng::Rng;
use service::{BAD_ROW_ID, Behavior, DeepPages, Fault, Row, Service};

/// The range that the caller requests.
#[derive(Debug, Clone, Copy)]
struct RangeQuery {
    start: Option<u64>,
    end: Option<u64>,
    newest_first: bool,
}

impl RangeQuery {
    const ALL: Self = Self { start: None, end: None, newest_first: false };

    fn contains(self, row: Row) -> bool {
        self.start.is_none_or(|start| start <= row.block) && self.end.is_none_or(|end| row.block <= end)
    }

    /// Returns the rows in the range, in the requested order.
    fn select(self, rows: &[Row]) -> Vec<Row> {
        let mut rows: Vec<Row> = rows.iter().copied().filter(|row| self.contains(*row)).collect();
        if self.newest_first {
            rows.reverse();
        }
        rows
    }
}

/// The result of reading a range.
#[derive(Debug, Default)]
struct Outcome {
    rows: Vec<Row>,
    report: RangeReport,
    /// Errors that the reader returned.
    errors: Vec<Error>,
    /// Number of batches that were returned before the end of their window.
    batches: u32,
}

impl Outcome {
    /// Adds the report of another reader of the same range.
    fn add_report(&mut self, report: RangeReport) {
        let sum = &mut self.report;
        sum.windows += report.windows;
        sum.requests += report.requests;
        sum.records += report.records;
        sum.incomplete_blocks.extend(report.incomplete_blocks);
        sum.unprocessed.extend(report.unprocessed);
        sum.changed_blocks.extend(report.changed_blocks);
        sum.next_block = report.next_block;
        sum.response_limit = sum.response_limit.or(report.response_limit);
    }

    /// Returns the incomplete blocks of the report, with the number of their rows that were read.
    fn incomplete_blocks(&self) -> Vec<(u64, u64)> {
        self.report.incomplete_blocks.iter().map(|block| (block.block, block.records)).collect()
    }
}

/// Polls a future once and returns its value.
fn expect_ready<T>(future: impl Future<Output = T>) -> T {
    match pin!(future).poll(&mut Context::from_waker(Waker::noop())) {
        Poll::Ready(value) => value,
        Poll::Pending => panic!("the future must be ready"),
    }
}

fn open_reader(service: &Service, query: RangeQuery, resume: Option<&str>) -> Result<RangeReader<Service>, Error> {
    open_reader_with(service, query, DecodeOptions::default(), resume)
}

fn open_reader_with(
    service: &Service,
    query: RangeQuery,
    decode_options: DecodeOptions,
    resume: Option<&str>,
) -> Result<RangeReader<Service>, Error> {
    let string = |string: &str| ParamValue::String(string.to_owned());
    let number = |name: &'static str, number: Option<u64>| number.map(|number| (name, string(&number.to_string())));
    let sort = (!query.newest_first).then(|| ("sort", string("asc")));
    let values =
        [Some(("address", string(HASH_A))), sort, number("startblock", query.start), number("endblock", query.end)];
    let request = Request::new(TokenTxParams::ACTION, values.into_iter().flatten()).unwrap();
    let client = Client::new(service.clone(), "https://eth.blockscout.com".parse().unwrap())
        .with_retry_policy(RetryPolicy { max_attempts: service.0.behavior.max_attempts, ..RetryPolicy::default() });
    let reader = RangeReader::new(client, TokenTxParams::ACTION, request, decode_options, resume)?;
    Ok(reader.with_page_limit(service.0.behavior.page_limit))
}

fn rows(page: &FramePage) -> Vec<Row> {
    const BLOCK: usize = field_index(Erc20Transfer::TABLE.names, "blockNumber");
    const HASH: usize = field_index(Erc20Transfer::TABLE.names, "hash");
    let string = |slot: u32| std::str::from_utf8(page.frame.raw_string(slot).unwrap()).unwrap();
    let row = |&index: &u32| Row {
        block: string(page.frame.get(index as usize + BLOCK)).parse().unwrap(),
        id: u64::from_str_radix(&string(page.frame.get(index as usize + HASH))[2..], 16).unwrap(),
    };
    page.rows.iter().map(row).collect()
}

/// Reads a range to its end. With a chance of `resume_percent` after each window or error, a new reader continues from the
/// resume token.
fn read_all(service: &Service, query: RangeQuery, rng: &mut Rng, resume_percent: u64) -> Outcome {
    let mut outcome = Outcome::default();
    let mut current = open_reader(service, query, None).unwrap();
    loop {
        let was_streaming = current.is_streaming();
        let result = expect_ready(current.next());
        assert!(service.0.open_bodies.get() <= i32::from(current.is_streaming()), "a body is left open");
        let report = current.report().clone();
        match result {
            Ok(None) => {
                assert_eq!(current.resume_token(), None, "a resume token at the end");
                outcome.add_report(report);
                return outcome;
            }
            Ok(Some(page)) => {
                assert!(page.rows.len() as u64 <= service.0.behavior.page_limit, "more rows than the page limit");
                assert!(!page.rows.is_empty() || was_streaming, "an empty window");
                outcome.batches += u32::from(current.is_streaming());
                outcome.rows.extend(rows(&page));
            }
            Err(error) => {
                assert_eq!(error.resume_token, current.resume_token());
                outcome.errors.push(error);
            }
        }
        if rng.chance(resume_percent) {
            outcome.add_report(report);
            let token = current.resume_token();
            assert!(token.is_some() || outcome.rows.is_empty() || outcome.report.next_block.is_none());
            if token.is_none() && !outcome.rows.is_empty() {
                assert!(expect_ready(current.next()).unwrap().is_none(), "no resume token before the end");
                return outcome;
            }
            current = open_reader(service, query, token.as_deref()).unwrap();
        } else if resume_percent > 0 && rng.chance(20) {
            // This does not move the reader.
            current.cancel_request();
        }
    }
}

fn count_rows(rows: &[Row]) -> BTreeMap<Row, usize> {
    let mut counts = BTreeMap::new();
    for row in rows {
        *counts.entry(*row).or_default() += 1;
    }
    counts
}

/// Checks what must hold in every case.
fn assert_invariants(service: &Service, query: RangeQuery, outcome: &Outcome) {
    let Outcome { rows, report, .. } = outcome;
    let behavior = service.0.behavior;
    let in_order = |a: &Row, b: &Row| if query.newest_first { a.block >= b.block } else { a.block <= b.block };
    assert!(rows.is_sorted_by(in_order), "out of order");
    assert!(rows.iter().all(|row| query.contains(*row)), "rows of other blocks");

    let ever = count_rows(&service.0.rows_ever.borrow());
    for (row, count) in count_rows(rows) {
        assert!(ever.get(&row).is_some_and(|max| *max >= count), "{row:?} was returned {count} times");
    }

    // An incomplete block has as many rows as reported. All other blocks have all their rows, in the order of the service.
    let incomplete: BTreeMap<u64, u64> = outcome.incomplete_blocks().into_iter().collect();
    assert_eq!(incomplete.len(), report.incomplete_blocks.len(), "a block is reported twice");
    for (&block, &count) in &incomplete {
        assert_eq!(rows.iter().filter(|row| row.block == block).count() as u64, count, "of block {block}");
    }
    let permanent_rows = query.select(&service.0.permanent_rows.borrow());
    let is_complete = |row: &Row| !incomplete.contains_key(&row.block);
    let expected: Vec<Row> = permanent_rows.iter().copied().filter(is_complete).collect();
    let permanent_counts = count_rows(&permanent_rows);
    let received: Vec<Row> =
        rows.iter().copied().filter(|row| is_complete(row) && permanent_counts.contains_key(row)).collect();
    assert_eq!(received, expected, "the rows that were never removed");

    // Exactly the blocks that cannot be read completely are reported.
    let mut sizes = BTreeMap::<u64, u64>::new();
    for row in &permanent_rows {
        *sizes.entry(row.block).or_default() += 1;
    }
    let too_large: Vec<u64> =
        sizes.into_iter().filter(|(_, size)| *size >= behavior.page_limit).map(|(block, _)| block).collect();
    let first_changed = service.0.changed_from.get();
    let reported: Vec<u64> = incomplete.keys().copied().filter(|block| *block < first_changed).collect();
    let can_change = behavior.change_percent > 0;
    if behavior.deep_pages == DeepPages::Unlimited {
        assert!(incomplete.is_empty(), "{incomplete:?} could be read");
    } else if can_change {
        assert!(too_large.iter().all(|block| reported.contains(block)), "{too_large:?} {reported:?}");
    } else {
        assert_eq!(reported, too_large);
        assert!(incomplete.values().all(|count| *count == behavior.page_limit), "{incomplete:?}");
    }
    assert!(report.changed_blocks.iter().all(|block| *block >= first_changed), "{:?}", report.changed_blocks);
    assert!(report.unprocessed.is_empty());

    assert_eq!(report.records, rows.len() as u64);
    if behavior.max_attempts == 1 {
        assert_eq!(report.requests, service.0.requests.get());
    }
    assert_eq!(report.windows, service.0.windows.get());
    assert_eq!(report.next_block, None);
}

/// Returns a random history. Blocks have at most `page_limit` rows, except for oversized ones.
fn random_history(rng: &mut Rng, page_limit: u64) -> Vec<Row> {
    let (max_gap, max_rows) = match rng.between(0, 5) {
        0 => return Vec::new(),
        1 => (rng.between(1, 2_000), 1),
        2 => (rng.between(1, 400), rng.between(1, page_limit)),
        _ => (rng.between(1, 3), rng.between(1, page_limit)),
    };
    let oversized_percent = [0, 0, 10, 40][usize::try_from(rng.between(0, 3)).unwrap()];
    let total = if rng.chance(5) { 1 } else { rng.between(1, 8 * page_limit) };
    let mut rows = Vec::<Row>::new();
    let mut block = rng.between(0, max_gap);
    while (rows.len() as u64) < total {
        let size = if rng.chance(oversized_percent) {
            rng.between(page_limit, 3 * page_limit)
        } else {
            rng.between(0, max_rows)
        };
        for index in 0..size {
            // Every third row is unique, so that no two pages of an oversized block are equal.
            let is_repeated = index % 3 != 0 && rng.chance(40);
            let id = if is_repeated { rows.last().unwrap().id } else { rows.len() as u64 };
            rows.push(Row { block, id });
        }
        block += rng.between(1, max_gap);
    }
    rows
}

fn random_query(rng: &mut Rng, head: u64) -> RangeQuery {
    let mut bound = |low: u64| rng.chance(40).then(|| rng.between(low, head.max(low) + 2));
    let start = bound(0);
    let end = bound(start.unwrap_or(0));
    RangeQuery { start, end, newest_first: rng.chance(50) }
}

/// Runs `count` random cases. To repeat a failed one, run the case with its printed number only.
fn run_cases(suite: u64, count: u64, mut case: impl FnMut(&mut Rng, u64)) {
    for number in 0..count {
        let seed = suite << 32 | number;
        let run = std::panic::AssertUnwindSafe(|| case(&mut Rng::new(seed), seed));
        if let Err(cause) = std::panic::catch_unwind(run) {
            eprintln!("case {number}");
            std::panic::resume_unwind(cause);
        }
    }
}

fn random_deep_pages(rng: &mut Rng) -> DeepPages {
    [DeepPages::Unlimited, DeepPages::FirstPageOnly, DeepPages::Refused][usize::try_from(rng.between(0, 2)).unwrap()]
}

#[test]
fn returns_every_row_once_and_in_order() {
    run_cases(1, 1_000, |rng, seed| {
        let page_limit = rng.between(5, 40);
        let rows = random_history(rng, page_limit);
        let query = random_query(rng, rows.last().map_or(0, |row| row.block));
        let service =
            Service::new(rows, Behavior { deep_pages: random_deep_pages(rng), ..Behavior::normal(page_limit) }, seed);
        let resume_percent = if rng.chance(50) { 30 } else { 0 };
        let outcome = read_all(&service, query, rng, resume_percent);
        assert_eq!(outcome.errors, []);
        assert_invariants(&service, query, &outcome);
    });
}

#[test]
fn new_blocks_and_reorganisations_neither_duplicate_nor_lose_rows() {
    run_cases(2, 1_000, |rng, seed| {
        let page_limit = rng.between(5, 30);
        let rows = random_history(rng, page_limit);
        let query = random_query(rng, rows.last().map_or(0, |row| row.block));
        let service = Service::new(
            rows,
            Behavior { deep_pages: random_deep_pages(rng), change_percent: 30, ..Behavior::normal(page_limit) },
            seed,
        );
        let resume_percent = if rng.chance(50) { 30 } else { 0 };
        let outcome = read_all(&service, query, rng, resume_percent);
        assert_eq!(outcome.errors, []);
        assert_invariants(&service, query, &outcome);
    });
}

#[test]
fn splits_windows_that_are_too_wide_for_the_service() {
    run_cases(3, 500, |rng, seed| {
        let page_limit = rng.between(5, 30);
        let rows = random_history(rng, page_limit);
        let head = rows.last().map_or(0, |row| row.block);
        let query = random_query(rng, head);
        let fault = Fault::WiderThan(rng.between(1 + head / 100, 2 + head));
        let behavior = Behavior {
            deep_pages: random_deep_pages(rng),
            fault,
            change_percent: rng.between(0, 1) * 10,
            ..Behavior::normal(page_limit)
        };
        let service = Service::new(rows, behavior, seed);
        let outcome = read_all(&service, query, rng, 0);
        assert_eq!(outcome.errors, []);
        assert_invariants(&service, query, &outcome);
    });
}

#[test]
fn after_an_error_the_same_or_a_new_reader_continues() {
    let mut errors = 0;
    run_cases(4, 1_000, |rng, seed| {
        let page_limit = rng.between(5, 30);
        let rows = random_history(rng, page_limit);
        let query = random_query(rng, rows.last().map_or(0, |row| row.block));
        let fault = Fault::Percent(rng.between(10, 50));
        let behavior = Behavior {
            deep_pages: random_deep_pages(rng),
            fault,
            change_percent: rng.between(0, 1) * 10,
            ..Behavior::normal(page_limit)
        };
        let service = Service::new(rows, behavior, seed);
        let outcome = read_all(&service, query, rng, 50);
        assert!(outcome.errors.iter().all(|error| error.code == ErrorCode::Timeout || error.status >= Some(500)));
        errors += outcome.errors.len();
        assert_invariants(&service, query, &outcome);
    });
    assert!(errors > 500, "{errors} errors are too few for this test");
}

/// A full window returns all rows except those of its last block. If blocks have at most `max_rows` rows, it returns at least
/// `page_limit - max_rows` rows.
#[test]
fn sends_few_requests() {
    run_cases(5, 500, |rng, seed| {
        let page_limit = rng.between(10, 50);
        let max_rows = rng.between(1, 4);
        let mut rows = Vec::new();
        for block in 0..rng.between(1, 300) {
            rows.extend((0..rng.between(0, max_rows)).map(|index| Row { block, id: 10 * block + index }));
        }
        let query = random_query(rng, 300);
        let break_percent = rng.between(0, 1) * 20;
        let behavior = Behavior { break_percent, stalls: false, ..Behavior::normal(page_limit) }.in_chunks(rng);
        let service = Service::new(rows, behavior, seed);
        let outcome = read_all(&service, query, rng, 0);
        assert_invariants(&service, query, &outcome);
        let broken_bodies = u64::from(service.0.broken_bodies.get());
        let bound = outcome.report.records.div_ceil(page_limit - max_rows) + 1 + broken_bodies;
        assert!(u64::from(outcome.report.requests) <= bound, "{} of {bound}", outcome.report.requests);
    });
}

#[test]
fn returns_rows_of_streaming_windows_once_and_early() {
    let mut batches = 0;
    run_cases(7, 1_000, |rng, seed| {
        let page_limit = rng.between(5, 60);
        let rows = random_history(rng, page_limit);
        let query = random_query(rng, rows.last().map_or(0, |row| row.block));
        let behavior = Behavior {
            deep_pages: random_deep_pages(rng),
            change_percent: rng.between(0, 1) * 20,
            ..Behavior::normal(page_limit)
        }
        .in_chunks(rng);
        let service = Service::new(rows, behavior, seed);
        let outcome = read_all(&service, query, rng, 0);
        assert_eq!(outcome.errors, []);
        assert_invariants(&service, query, &outcome);
        batches += outcome.batches;
    });
    assert!(batches > 3_000, "{batches} batches are too few for this test");
}

#[test]
fn a_response_that_breaks_off_loses_no_row() {
    let (mut batches, mut errors, mut broken) = (0, 0, 0);
    run_cases(8, 2_000, |rng, seed| {
        let page_limit = rng.between(5, 60);
        let rows = random_history(rng, page_limit);
        let query = random_query(rng, rows.last().map_or(0, |row| row.block));
        let (break_percent, change_percent) = (rng.between(10, 60), rng.between(0, 1) * 20);
        let max_attempts = if rng.chance(50) { 1 } else { 5 };
        let behavior = Behavior {
            deep_pages: random_deep_pages(rng),
            break_percent,
            change_percent,
            max_attempts,
            ..Behavior::normal(page_limit)
        }
        .in_chunks(rng);
        let service = Service::new(rows, behavior, seed);
        let outcome = read_all(&service, query, rng, resume_percent_for(seed));
        for error in &outcome.errors {
            let is_broken = matches!(error.code, ErrorCode::Timeout | ErrorCode::Network | ErrorCode::Decode);
            assert!(is_broken && error.url.is_some() && error.attempts.is_some(), "{error:?}");
        }
        assert_invariants(&service, query, &outcome);
        batches += outcome.batches;
        errors += outcome.errors.len();
        broken += service.0.broken_bodies.get();
    });
    assert!(
        batches > 8_000 && errors > 1_500 && broken > 5_000,
        "{batches}, {errors}, {broken} are too few for this test"
    );
}

/// Every second case replaces its reader often, the others never.
const fn resume_percent_for(seed: u64) -> u64 {
    if seed.is_multiple_of(2) { 20 } else { 0 }
}

#[test]
fn detects_a_service_that_ignores_the_block_range() {
    let mut detected = 0;
    run_cases(6, 300, |rng, seed| {
        let page_limit = rng.between(5, 20);
        let rows = random_history(rng, page_limit);
        let query = random_query(rng, rows.last().map_or(0, |row| row.block));
        let all = rows.clone();
        let service = Service::new(rows, Behavior { ignores_blocks: true, ..Behavior::normal(page_limit) }, seed);
        let mut reader = open_reader(&service, query, None).unwrap();
        let mut received = Vec::new();
        let error = loop {
            match expect_ready(reader.next()) {
                Ok(Some(page)) => received.extend(self::rows(&page)),
                Ok(None) => break None,
                Err(error) => break Some(error),
            }
        };
        let expected = query.select(&all);
        assert!(expected.starts_with(&received), "duplicated or out of order");
        match error {
            None => assert_eq!(received, expected),
            Some(error) => {
                detected += 1;
                assert_eq!(error.code, ErrorCode::Cursor);
                assert!(error.message.starts_with("the service returned rows outside the requested blocks"), "{error}");
                // Another call fails in the same way.
                assert_eq!(expect_ready(reader.next()).map(drop).unwrap_err().code, ErrorCode::Cursor);
                assert_eq!(reader.report().records, received.len() as u64);
            }
        }
    });
    assert!(detected > 100, "{detected} cases are too few for this test");
}

/// Returns one row in each of these blocks.
fn one_row_per_block(blocks: std::ops::Range<u64>) -> Vec<Row> {
    blocks.map(|block| Row { block, id: block }).collect()
}

#[test]
fn requests_ten_thousand_rows_per_window() {
    for (newest_first, bounds) in
        [(false, ["startblock=10000", "startblock=19999"]), (true, ["endblock=15001", "endblock=5002"])]
    {
        let query = RangeQuery { newest_first, ..RangeQuery::ALL };
        let service = Service::new(one_row_per_block(1..25_001), Behavior::normal(10_000), 0);
        let mut reader = open_reader(&service, query, None).unwrap();
        let mut outcome = Outcome::default();
        while let Some(page) = expect_ready(reader.next()).unwrap() {
            outcome.rows.extend(rows(&page));
            drop(page);
            let held = format!("{reader:?}").len();
            assert!(held < 50_000, "the reader holds {held} bytes between windows");
        }
        outcome.add_report(reader.report().clone());
        assert_invariants(&service, query, &outcome);
        assert_eq!((outcome.rows.len(), outcome.report.requests, outcome.report.windows), (25_000, 3, 3));

        let sort = if newest_first { "desc" } else { "asc" };
        let start =
            format!("https://eth.blockscout.com/api?module=account&action=tokentx&address={HASH_A}&sort={sort}");
        assert_eq!(
            service.0.urls.take(),
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
        .flat_map(|(block, size)| (0..size).map(move |index| Row { block, id: 100 * block + index }))
        .collect();
    for (deep_pages, reason) in [
        (DeepPages::Unlimited, None),
        (DeepPages::FirstPageOnly, Some("the service returns the same rows for every page")),
        (
            DeepPages::Refused,
            Some("the service refused the request: \"Result window is too large\"; check the parameters"),
        ),
    ] {
        let service = Service::new(blocks.clone(), Behavior { deep_pages, ..Behavior::normal(10) }, 0);
        // Every window has a new reader. The resume token holds the digest of the previous page.
        let outcome = read_all(&service, RangeQuery::ALL, &mut Rng::new(0), 100);
        assert_invariants(&service, RangeQuery::ALL, &outcome);
        let pages: Vec<String> = service.0.urls.take();
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
    let service = Service::new(one_row_per_block(0..30), Behavior::normal(10), 0);
    let mut first = open_reader(&service, RangeQuery::ALL, None).unwrap();
    assert_eq!(first.resume_token(), None, "nothing was read");
    assert_eq!(first.report().next_block, Some(0));
    expect_ready(first.next()).unwrap();
    assert_eq!(first.report().next_block, Some(9));
    let token = first.resume_token().unwrap();
    for query in [
        RangeQuery { newest_first: true, ..RangeQuery::ALL },
        RangeQuery { start: Some(1), ..RangeQuery::ALL },
        RangeQuery { end: Some(20), ..RangeQuery::ALL },
    ] {
        let error = open_reader(&service, query, Some(&token)).map(drop).unwrap_err();
        assert_eq!(error.parameter.as_deref(), Some("resume"), "{error}");
    }
    let error = open_reader(&service, RangeQuery::ALL, Some(&token[..token.len() - 1])).map(drop).unwrap_err();
    assert_eq!((error.code, error.parameter.as_deref()), (ErrorCode::InvalidParameter, Some("resume")));
}

#[test]
fn an_empty_range_of_a_slow_service_ends_after_two_requests() {
    for newest_first in [false, true] {
        let query = RangeQuery { start: Some(100), end: None, newest_first };
        let behavior = Behavior { fault: Fault::WiderThan(1), ..Behavior::normal(10) };
        let service = Service::new(one_row_per_block(0..50), behavior, 0);
        let outcome = read_all(&service, query, &mut Rng::new(0), 0);
        assert_invariants(&service, query, &outcome);
        assert_eq!((outcome.rows.len(), outcome.report.requests), (0, 2));
    }
}

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

#[test]
fn returns_every_row_of_a_service_with_a_lower_response_limit() {
    for response_limit in [100, 1_000, 9_999] {
        for newest_first in [false, true] {
            let query = RangeQuery { newest_first, ..RangeQuery::ALL };
            let service =
                Service::new(one_row_per_block(1..15_001), Behavior { response_limit, ..Behavior::normal(10_000) }, 0);
            let outcome = read_all(&service, query, &mut Rng::new(0), 0);
            assert_invariants(&service, query, &outcome);
            assert_eq!((outcome.rows.len(), outcome.report.response_limit), (15_000, Some(response_limit)));
            let fewest = u32::try_from(15_000_u64.div_ceil(response_limit - 1)).unwrap();
            assert!(outcome.report.requests <= fewest + 1, "{} of {fewest}", outcome.report.requests);
        }
    }
}

#[test]
fn a_lower_response_limit_loses_no_row_of_any_history() {
    let mut limits = 0;
    run_cases(9, 2_000, |rng, seed| {
        // At least three: two equal pages of a block look like the same page twice.
        let response_limit = rng.between(3, 20);
        // A multiple, so that the last page ends at the page limit.
        let page_limit = response_limit * rng.between(2, 6);
        let rows = random_history(rng, page_limit);
        let query = random_query(rng, rows.last().map_or(0, |row| row.block));
        let change_percent = rng.between(0, 1) * 10;
        let mut behavior =
            Behavior { response_limit, deep_pages: DeepPages::Refused, change_percent, ..Behavior::normal(page_limit) };
        if rng.chance(50) {
            behavior = behavior.in_chunks(rng);
        }
        let total = query.select(&rows).len() as u64;
        let service = Service::new(rows, behavior, seed);
        let resume_percent = resume_percent_for(seed);
        let outcome = read_all(&service, query, rng, resume_percent);
        assert_eq!(outcome.errors, []);
        assert_invariants(&service, query, &outcome);
        if change_percent == 0 {
            let limit = outcome.report.response_limit;
            assert!(limit.is_none_or(|limit| limit == response_limit), "{limit:?}");
            assert!(
                resume_percent > 0 || limit.is_some() == (total > response_limit),
                "{total} rows, {response_limit} at once, {limit:?}"
            );
        }
        limits += u32::from(outcome.report.response_limit.is_some());
    });
    assert!(limits > 500, "{limits} limits are too few for this test");
}

#[test]
fn a_range_with_one_short_response_needs_one_more_request() {
    let block_rows = |block, size| (0..size).map(move |id| Row { block, id });
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
            let service = Service::new(rows.clone(), Behavior::normal(10_000), 0);
            let outcome = read_all(&service, query, &mut Rng::new(0), 0);
            assert_invariants(&service, query, &outcome);
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

#[test]
fn reports_a_bad_row_of_the_last_block_once() {
    for newest_first in [false, true] {
        let rows = [(4, 0), (5, 1), (5, 2), (5, BAD_ROW_ID), (6, BAD_ROW_ID), (6, 3), (6, 4), (7, 5)];
        let rows: Vec<Row> = rows.map(|(block, id)| Row { block, id }).to_vec();
        for count in 3..=rows.len() {
            let service = Service::new(rows[..count].to_vec(), Behavior::normal(10), 0);
            let skip_bad_rows = DecodeOptions { skip_bad_rows: true, ..DecodeOptions::default() };
            let query = RangeQuery { newest_first, ..RangeQuery::ALL };
            let mut reader = open_reader_with(&service, query, skip_bad_rows, None).unwrap();
            let (mut received, mut bad) = (Vec::new(), 0);
            while let Some(page) = expect_ready(reader.next()).unwrap() {
                received.extend(self::rows(&page));
                bad += page.bad_rows.len();
            }
            let (unreadable, readable): (Vec<Row>, Vec<Row>) =
                query.select(&rows[..count]).into_iter().partition(|row| row.id == BAD_ROW_ID);
            assert_eq!((received, bad), (readable, unreadable.len()), "{count} rows, newest first: {newest_first}");
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
        let request = Request::new(TokenTxParams::ACTION, values).unwrap();
        let client = Client::new(runtime.clone(), "https://eth.blockscout.com".parse().unwrap());
        let reader = RangeReader::new(client, TokenTxParams::ACTION, request, DecodeOptions::default(), token);
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

#[test]
fn a_bad_row_does_not_lose_other_rows() {
    // All valid rows of the first window are in one block, but its first row, a bad one, is in another block.
    let all: Vec<Row> = [Row { block: 5, id: BAD_ROW_ID }]
        .into_iter()
        .chain((0..12).map(|id| Row { block: 6, id }))
        .chain([Row { block: 7, id: 12 }])
        .collect();
    for (newest_first, max_chunk_bytes) in [(false, 0), (true, 0), (false, 300), (true, 300), (false, 1), (true, 1)] {
        let service = Service::new(all.clone(), Behavior { max_chunk_bytes, ..Behavior::normal(10) }, 0);
        let query = RangeQuery { newest_first, ..RangeQuery::ALL };
        let skip_bad_rows = DecodeOptions { skip_bad_rows: true, ..DecodeOptions::default() };
        let mut reader = open_reader_with(&service, query, skip_bad_rows, None).unwrap();
        let (mut received, mut bad) = (Vec::new(), 0);
        while let Some(page) = expect_ready(reader.next()).unwrap() {
            received.extend(rows(&page));
            bad += page.bad_rows.len();
        }
        assert_eq!(
            received,
            query.select(&all[1..]).into_iter().filter(|row| row.id != BAD_ROW_ID).collect::<Vec<_>>()
        );
        assert_eq!((bad, reader.report().records), (1, 13));
    }

    let service = Service::new(vec![Row { block: 5, id: BAD_ROW_ID }; 10], Behavior::normal(10), 0);
    let skip_bad_rows = DecodeOptions { skip_bad_rows: true, ..DecodeOptions::default() };
    let mut reader = open_reader_with(&service, RangeQuery::ALL, skip_bad_rows, None).unwrap();
    let error = expect_ready(reader.next()).map(drop).unwrap_err();
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
    let values = values.map(|(name, value)| (name, ParamValue::String(value.into())));
    let request = Request::new(TxListInternalParams::ACTION, values).unwrap();
    let client = Client::new(runtime.clone(), "https://eth.blockscout.com".parse().unwrap());
    let reader =
        RangeReader::new(client, TxListInternalParams::ACTION, request, DecodeOptions::default(), None).unwrap();
    let mut reader = reader.with_page_limit(2);
    while runtime.block_on(reader.next()).unwrap().is_some() {}
    assert_eq!(reader.report().records, 2);
    assert_eq!(reader.report().unprocessed, [UnprocessedRange { first: 10, last: 20, message: message.into() }]);
}

/// A row of `tokentx`.
fn transfer(block: u64) -> String {
    let from = "0x00000000219ab540356cbb839cbe05303d7705fa";
    format!(r#"{{"blockNumber":"{block}","hash":"0x{block:064x}","from":"{from}"}}"#)
}

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

fn open_mocked_range(
    runtime: &TestRuntime,
    retry_policy: RetryPolicy,
    limits: RateLimits,
) -> (Client<TestRuntime>, RangeReader<TestRuntime>) {
    let settings = ClientOptions { limits, ..ClientOptions::new("https://eth.blockscout.com".parse().unwrap()) };
    let client = Client::with_options(runtime.clone(), settings).with_retry_policy(retry_policy);
    (client.clone(), open_mocked_reader(client))
}

fn open_mocked_reader(client: Client<TestRuntime>) -> RangeReader<TestRuntime> {
    let values = [("address", HASH_A), ("sort", "asc")].map(|(name, value)| (name, ParamValue::String(value.into())));
    let request = Request::new(TokenTxParams::ACTION, values).unwrap();
    RangeReader::new(client, TokenTxParams::ACTION, request, DecodeOptions::default(), None).unwrap()
}

/// Reads the next rows and returns their blocks.
fn next_blocks(runtime: &TestRuntime, reader: &mut RangeReader<TestRuntime>) -> Vec<u64> {
    let page = runtime.block_on(reader.next()).unwrap().unwrap();
    rows(&page).iter().map(|row| row.block).collect()
}

#[test]
fn a_caller_that_is_slow_between_batches_neither_blocks_others_nor_times_out() {
    let limits = RateLimits { max_concurrent: 1, ..RateLimits::default() };
    let retry_policy = RetryPolicy { timeout_ms: 1_000, deadline_ms: 2_000, max_attempts: 1, ..RetryPolicy::default() };
    let other = r#"{"message":"OK","result":"7","status":"1"}"#;
    let runtime =
        TestRuntime::new([split_response(1..6, |response| response.wait(900)), MockResponse::ok(other), single_row(5)]);
    let (client, mut reader) = open_mocked_range(&runtime, retry_policy, limits);
    assert_eq!(next_blocks(&runtime, &mut reader), [1]);
    assert!(reader.is_streaming());
    assert_eq!(runtime.open_requests(), 1);
    runtime.advance_ms(100_000);
    let params = BalanceParams { address: HASH_A.parse().unwrap() };
    runtime.block_on(client.value(&params)).unwrap();
    runtime.advance_ms(100_000);
    assert_eq!(next_blocks(&runtime, &mut reader), [2, 3, 4]);
    assert_eq!((reader.report().requests, reader.report().windows), (1, 1));
    assert_eq!(next_blocks(&runtime, &mut reader), [5]);
}

#[test]
fn the_timeout_counts_the_wait_for_bytes_in_every_batch() {
    let retry_policy = RetryPolicy { timeout_ms: 1_000, max_attempts: 1, ..RetryPolicy::default() };
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
fn refuses_parameters_that_select_a_part_of_the_range() {
    let hash = format!("0x{:064x}", 1);
    for (values, parameter) in [
        (&[("address", HASH_A), ("page", "1"), ("offset", "10")][..], "page"),
        (&[("address", HASH_A), ("txhash", &hash)], "txhash"),
        (&[], "address"),
    ] {
        let values = values.iter().map(|&(name, value)| (name, ParamValue::String(value.into())));
        let request = Request::new(TxListInternalParams::ACTION, values).unwrap();
        let client = Client::new(TestRuntime::new([]), "https://eth.blockscout.com".parse().unwrap());
        let reader = RangeReader::new(client, TxListInternalParams::ACTION, request, DecodeOptions::default(), None);
        let error = reader.map(drop).unwrap_err();
        assert_eq!((error.code, error.parameter.as_deref()), (ErrorCode::InvalidParameter, Some(parameter)));
    }
}

#[test]
fn skips_empty_blocks_of_a_slow_service_in_growing_windows() {
    for newest_first in [false, true] {
        // Windows of half of the chain are too wide.
        let rows = [(1, 1), (1_000_000, 2)].map(|(block, id)| Row { block, id }).to_vec();
        let service = Service::new(rows, Behavior { fault: Fault::WiderThan(600_000), ..Behavior::normal(10) }, 0);
        service.0.extra_slow_windows.set(12);
        let query = RangeQuery { newest_first, ..RangeQuery::ALL };
        let outcome = read_all(&service, query, &mut Rng::new(0), 0);
        assert_invariants(&service, query, &outcome);
        assert!(outcome.report.requests < 40, "{} requests", outcome.report.requests);
    }
}

#[test]
fn a_service_that_stays_too_slow_fails_each_call_within_its_deadline() {
    let runtime = TestRuntime::with_service(|_| MockResponse::head(503, &[("retry-after", "30")]));
    let values = [("address", ParamValue::String(HASH_A.into()))];
    let request = Request::new(TxListInternalParams::ACTION, values).unwrap();
    let client = Client::new(runtime.clone(), "https://eth.blockscout.com".parse().unwrap());
    let reader = RangeReader::new(client, TxListInternalParams::ACTION, request, DecodeOptions::default(), None);
    let mut reader = reader.unwrap();
    for ends_at in [90_000, 180_000, 270_000, 360_000, 450_000, 540_000] {
        assert_eq!(runtime.block_on(reader.next()).unwrap_err().status, Some(503));
        assert_eq!(runtime.elapsed_ms(), ends_at);
    }
}

#[test]
fn waits_before_it_narrows_a_window_that_was_too_slow() {
    for (headers, least) in [(&[("retry-after", "30")][..], 30_000), (&[], 400)] {
        let busy = Cell::new(3_u32);
        let runtime = TestRuntime::with_service(move |_| {
            let left = busy.replace(busy.get().saturating_sub(1));
            let row = r#"{"message":"OK","result":[],"status":"1"}"#;
            if left > 0 { MockResponse::head(503, headers) } else { MockResponse::ok(row) }
        });
        runtime.queue_random([0.9; 9]);
        let values = [("address", HASH_A), ("startblock", "0"), ("endblock", "100")];
        let values = values.iter().map(|&(name, value)| (name, ParamValue::String(value.into())));
        let request = Request::new(TxListInternalParams::ACTION, values).unwrap();
        let client = Client::new(runtime.clone(), "https://eth.blockscout.com".parse().unwrap());
        let reader = RangeReader::new(client, TxListInternalParams::ACTION, request, DecodeOptions::default(), None);
        let mut reader = reader.unwrap();
        while runtime.block_on(reader.next()).unwrap().is_some() {}
        let sent = runtime.take_sent_at();
        let gaps: Vec<u64> = sent.windows(2).map(|pair| pair[1] - pair[0]).collect();
        let (busy, well) = gaps.split_at(3);
        assert!(busy.is_sorted() && busy.iter().all(|gap| *gap >= least), "{gaps:?}");
        assert!(!well.is_empty() && well.iter().all(|gap| *gap == 0), "{gaps:?}");
    }
}

/// A service with one transfer in every 1,000th block up to 20,000,000. A request takes one second. If its window has more
/// blocks than `limit` allows at its first block, it takes twenty seconds and returns status 504.
fn slow_service(limit: impl Fn(u64) -> u64 + 'static) -> TestRuntime {
    const HEAD: u64 = 20_000_000;
    TestRuntime::with_service(move |url| {
        let param = |name: &str| {
            let (_, value) = url.split_once(name)?;
            value.split('&').next().unwrap().parse::<u64>().ok()
        };
        let (low, high) = (param("startblock=").unwrap_or(0), param("endblock=").unwrap_or(0x7FFF_FFFF).min(HEAD));
        let max_rows = param("&offset=").unwrap();
        if max_rows > 1 && (high + 1).saturating_sub(low) > limit(low) {
            return MockResponse::default().wait(20_000).and_head(504, &[]);
        }
        let mut blocks: Vec<u64> = (low.div_ceil(1_000)..=high / 1_000).map(|block| 1_000 * block).collect();
        if url.contains("sort=desc") {
            blocks.reverse();
        }
        let rows: Vec<String> = blocks.into_iter().take(usize::try_from(max_rows).unwrap()).map(transfer).collect();
        let body = format!(r#"{{"message":"OK","result":[{}],"status":"1"}}"#, rows.join(","));
        MockResponse::default().wait(1_000).and_head(200, &[]).chunk(body)
    })
}

/// Reads that service to its end. Returns the number of requests that failed, and of all requests.
fn count_failed_requests(runtime: &TestRuntime) -> (u32, u32) {
    let failed = std::rc::Rc::new(Cell::new(0));
    let counter = std::rc::Rc::clone(&failed);
    let on_event = EventSink::new(move |event: &Event<'_>| {
        let is_failure = event.kind == EventKind::Response && event.status == Some(504);
        counter.set(counter.get() + u32::from(is_failure));
    });
    let settings =
        ClientOptions { on_event: Some(on_event), ..ClientOptions::new("https://eth.blockscout.com".parse().unwrap()) };
    let mut reader = open_mocked_reader(Client::with_options(runtime.clone(), settings));
    while runtime.block_on(reader.next()).unwrap().is_some() {}
    let report = reader.report();
    assert_eq!((report.records, report.next_block), (20_001, None));
    (failed.get(), report.requests)
}

#[test]
fn few_windows_are_too_wide_for_a_slow_service() {
    for limit in [600_000, 100_000, 30_000] {
        let (failed, requests) = count_failed_requests(&slow_service(move |_| limit));
        assert!(100 * failed < 15 * requests, "{failed} of {requests} failed, {limit} blocks at most");
        let fewest = u32::try_from(20_000_000 / limit).unwrap();
        assert!(requests < 3 * fewest, "{requests} requests where {fewest} would do");
    }
}

#[test]
fn the_window_width_adapts_to_the_service() {
    for (name, limits) in [("sparse, then dense", [3_000_000, 50_000]), ("dense, then sparse", [50_000, 3_000_000])] {
        let [first, second] = limits;
        let runtime = slow_service(move |low| if low < 10_000_000 { first } else { second });
        let (failed, requests) = count_failed_requests(&runtime);
        assert!(100 * failed < 15 * requests, "{name}: {failed} of {requests} failed");
        // The minimum is 200 windows of 50,000 blocks and four of 3,000,000. Each window starts with the last block of the
        // previous one.
        assert!(requests < 550, "{name}: {requests} requests");
    }
}
