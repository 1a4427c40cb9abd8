//! Tests of [`RangeReader`] with the simulated service and with scripted responses. This module has what they share.

mod batches;
mod changes;
mod invariants;
mod omitted;
pub mod parallel;
mod parts;
pub mod random_histories;
mod requests;
pub mod rng;
mod slow_services;
mod streaming;

use std::rc::Rc;

use address_query::client::{Client, ClientOptions, RangeReport, RateLimits, RetryPolicy};
use address_query::endpoint::TokenTxParams;
use address_query::error::Error;
use address_query::testing::client::RangeReader;
use address_query::testing::decode::{DecodeOptions, FramePage};
use address_query::testing::endpoint::{ParamValue, Params, Request};
use address_query::testing::record::{Record, field_index};
use address_query::types::Erc20Transfer;

use crate::service::{Row, SHORT_TRANSFERS, Script, Service};
use crate::support::HASH_A;
use crate::test_runtime::{START_MS, TestRuntime};
use rng::Rng;

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

/// A service with token transfers in virtual time, and the range that is read from it.
pub struct Setup {
    service: Rc<Service>,
    runtime: TestRuntime,
    query: RangeQuery,
    /// The reader's maximum number of attempts per request.
    max_attempts: u32,
    skips_bad_records: bool,
}

impl Setup {
    /// A service that responds at once.
    fn new(rows: Vec<Row>, script: Script, query: RangeQuery) -> Self {
        Self::with_seed(rows, script, query, 1)
    }

    fn with_seed(rows: Vec<Row>, script: Script, query: RangeQuery, seed: u64) -> Self {
        let service = Service::new([(SHORT_TRANSFERS, rows)], script, seed);
        let runtime = service.connect(|_| 0);
        Self { service, runtime, query, max_attempts: 1, skips_bad_records: false }
    }

    fn with_latency(self, latency_ms: impl FnMut(&str) -> u64 + 'static) -> Self {
        Self { runtime: self.service.connect(latency_ms), ..self }
    }

    /// All rows have this age.
    fn with_age(self, age_ms: u64) -> Self {
        let time = format!(r#"{{"timeStamp":"{}"}}"#, (START_MS - age_ms) / 1_000);
        self.service.edit(|list| list.schema.template = time.leak());
        self
    }

    /// A service with the same rows that responds at once, whose script `change` changes.
    fn with_other_script(&self, change: impl FnOnce(&mut Script), seed: u64) -> Self {
        let service = self.service.copy(seed);
        change(&mut service.script.borrow_mut());
        Self { runtime: service.connect(|_| 0), service, max_attempts: 1, ..*self }
    }

    fn client(&self) -> Client<TestRuntime> {
        let decode_options = DecodeOptions::default().skip_bad_records(self.skips_bad_records);
        let options = ClientOptions::new("https://eth.blockscout.com".parse().unwrap()).decode_options(decode_options);
        let client = Client::with_options(self.runtime.clone(), options);
        client.with_retry_policy(RetryPolicy::default().max_attempts(self.max_attempts))
    }

    fn open_reader(&self, resume: Option<&str>) -> Result<RangeReader<TestRuntime>, Error> {
        let RangeQuery { start, end, newest_first } = self.query;
        let string = |string: &str| ParamValue::String(string.to_owned());
        let number = |name: &'static str, number: Option<u64>| number.map(|number| (name, string(&number.to_string())));
        let sort = (!newest_first).then(|| ("sort", string("asc")));
        let values = [Some(("address", string(HASH_A))), sort, number("startblock", start), number("endblock", end)];
        let request =
            Request::new(TokenTxParams::OPERATION, &values.into_iter().flatten().collect::<Vec<_>>()).unwrap();
        let reader = RangeReader::new(self.client(), request, resume)?;
        Ok(reader.with_page_limit(self.service.script.borrow().page_limit))
    }

    /// Returns the rows of the service that are in the range.
    fn expected_rows(&self) -> Vec<Row> {
        self.service.edit(|list| self.query.select(&list.rows))
    }

    /// Reads the next rows. `None` at the end of the range.
    fn next(&self, reader: &mut RangeReader<TestRuntime>) -> Result<Option<Box<FramePage>>, Error> {
        self.runtime.block_on(reader.next())
    }

    /// Reads the rest of the range. Returns its rows and bad records.
    fn read_rest(&self, reader: &mut RangeReader<TestRuntime>) -> (Vec<Row>, usize) {
        let (mut received, mut bad_records) = (Vec::new(), 0);
        while let Some(page) = self.next(reader).unwrap() {
            received.extend(rows(&page));
            bad_records += page.bad_records.len();
        }
        (received, bad_records)
    }

    /// Reads the range to its end. With a chance of `resume_percent` after each window or error, a new reader continues from the
    /// resume token.
    fn read_all(&self, rng: &mut Rng, resume_percent: u64) -> Outcome {
        let mut outcome = Outcome::default();
        let mut current = self.open_reader(None).unwrap();
        loop {
            let was_streaming = current.is_streaming();
            let result = self.next(&mut current);
            assert!(self.runtime.open_requests() <= usize::from(current.is_streaming()), "a body is left open");
            let report = current.report().clone();
            match result {
                Ok(None) => {
                    assert_eq!(current.resume_token(), None, "a resume token at the end");
                    outcome.add_report(report);
                    return outcome;
                }
                Ok(Some(page)) => {
                    assert!(
                        page.rows.len() as u64 <= self.service.script.borrow().page_limit,
                        "more rows than the page limit"
                    );
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
                    assert!(self.next(&mut current).unwrap().is_none(), "no resume token before the end");
                    return outcome;
                }
                current = self.open_reader(token.as_deref()).unwrap();
            } else if resume_percent > 0 && rng.chance(20) {
                // This does not move the reader.
                current.cancel_request();
            }
        }
    }
}

fn rows(page: &FramePage) -> Vec<Row> {
    const BLOCK: usize = field_index(Erc20Transfer::TABLE.names, "blockNumber");
    const HASH: usize = field_index(Erc20Transfer::TABLE.names, "hash");
    let string = |slot: u32| std::str::from_utf8(page.frame.raw_string(slot).unwrap()).unwrap();
    let row = |&index: &u32| {
        let block = string(page.frame.get(index as usize + BLOCK)).parse().unwrap();
        Row::new(block, u64::from_str_radix(&string(page.frame.get(index as usize + HASH))[2..], 16).unwrap())
    };
    page.rows.iter().map(row).collect()
}

/// Returns one row in each of these blocks.
fn one_row_per_block(blocks: std::ops::Range<u64>) -> Vec<Row> {
    blocks.map(|block| Row::new(block, block)).collect()
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
    open_action::<TokenTxParams>(client, &[("address", HASH_A), ("sort", "asc")]).unwrap()
}

/// Opens the range of an action with these parameters.
fn open_action<P: Params>(
    client: Client<TestRuntime>,
    values: &[(&str, &str)],
) -> Result<RangeReader<TestRuntime>, Error> {
    let string = |&(name, value): &(_, &str)| (name, ParamValue::String(value.into()));
    let request = Request::new(P::OPERATION, &values.iter().map(string).collect::<Vec<_>>())?;
    RangeReader::new(client, request, None)
}
