//! Tests of [`RangeReader`] with simulated and scripted services. This module has what they share.

mod batches;
mod changes;
mod invariants;
mod omitted;
pub mod parallel;
mod parts;
pub mod random_histories;
mod requests;
pub mod rng;
mod service;
mod slow_services;
mod streaming;

use std::future::Future;
use std::pin::pin;
use std::task::{Context, Poll, Waker};

use address_query::client::{Client, ClientOptions, RangeReport, RateLimits, RetryPolicy, Runtime};
use address_query::endpoint::TokenTxParams;
use address_query::error::Error;
use address_query::testing::client::RangeReader;
use address_query::testing::decode::{DecodeOptions, FramePage};
use address_query::testing::endpoint::{ParamValue, Params, Request};
use address_query::testing::record::{Record, field_index};
use address_query::types::Erc20Transfer;

use crate::support::HASH_A;
use crate::test_runtime::TestRuntime;
use rng::Rng;
use service::{Behavior, Row, Service};

/// The range that the caller requests.
#[derive(Debug, Clone, Copy)]
pub struct RangeQuery {
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
    /// Rows that were omitted.
    bad_records: Vec<Row>,
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
        sum.omitted.append(report.omitted);
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
    open_reader_on(service.clone(), service.0.behavior, query, decode_options, resume)
}

/// Opens a reader that sends its requests with this runtime.
fn open_reader_on<R: Runtime>(
    runtime: R,
    behavior: Behavior,
    query: RangeQuery,
    decode_options: DecodeOptions,
    resume: Option<&str>,
) -> Result<RangeReader<R>, Error> {
    let string = |string: &str| ParamValue::String(string.to_owned());
    let number = |name: &'static str, number: Option<u64>| number.map(|number| (name, string(&number.to_string())));
    let sort = (!query.newest_first).then(|| ("sort", string("asc")));
    let values =
        [Some(("address", string(HASH_A))), sort, number("startblock", query.start), number("endblock", query.end)];
    let request = Request::new(TokenTxParams::OPERATION, values.into_iter().flatten()).unwrap();
    let client = Client::new(runtime, "https://eth.blockscout.com".parse().unwrap())
        .with_retry_policy(RetryPolicy::default().max_attempts(behavior.max_attempts));
    let reader = RangeReader::new(client, TokenTxParams::OPERATION, request, decode_options, resume)?;
    Ok(reader.with_page_limit(behavior.page_limit))
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

/// Returns one row in each of these blocks.
fn one_row_per_block(blocks: std::ops::Range<u64>) -> Vec<Row> {
    blocks.map(|block| Row { block, id: block }).collect()
}

/// A row of `tokentx`.
pub fn transfer(block: u64) -> String {
    let from = "0x00000000219ab540356cbb839cbe05303d7705fa";
    format!(r#"{{"blockNumber":"{block}","hash":"0x{block:064x}","from":"{from}"}}"#)
}

fn open_mocked_range(
    runtime: &TestRuntime,
    retry_policy: RetryPolicy,
    limits: RateLimits,
) -> (Client<TestRuntime>, RangeReader<TestRuntime>) {
    let settings = ClientOptions::new("https://eth.blockscout.com".parse().unwrap()).limits(limits);
    let client = Client::with_options(runtime.clone(), settings).with_retry_policy(retry_policy);
    (client.clone(), open_mocked_reader(client))
}

fn open_mocked_reader(client: Client<TestRuntime>) -> RangeReader<TestRuntime> {
    let values = [("address", HASH_A), ("sort", "asc")].map(|(name, value)| (name, ParamValue::String(value.into())));
    let request = Request::new(TokenTxParams::OPERATION, values).unwrap();
    RangeReader::new(client, TokenTxParams::OPERATION, request, DecodeOptions::default(), None).unwrap()
}
