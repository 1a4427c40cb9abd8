//! Ranges whose parts are read in parallel, in virtual time: the rows and the report equal the results of a sequential
//! reader.

use std::cell::RefCell;

use address_query::client::{RangeReport, Runtime, UnprocessedRange};
use address_query::error::{Error, ErrorCode};
use address_query::testing::client::resume::ResumePoint;
use address_query::testing::client::{ParallelReader, RangeBatch};
use address_query::testing::decode::{DecodeOptions, FramePage};

use super::invariants::assert_rows_and_report;
use super::omitted::{is_undecodable, read_bad_record};
use super::random_histories::{random_deep_pages, random_history, random_query, run_cases};
use super::rng::Rng;
use super::service::{Behavior, Damage, DeepPages, Fault, Row, Service, VaryingLimit};
use super::{Outcome, RangeQuery, expect_ready, open_reader, open_reader_on, read_all, rows};
use crate::test_runtime::{MockResponse, TestRuntime};

/// A service in virtual time, and the range that is read from it.
pub struct Setup {
    pub service: Service,
    pub runtime: TestRuntime,
    pub query: RangeQuery,
}

impl Setup {
    /// `latency_ms` returns the time to the first byte of a response.
    pub fn new(service: Service, query: RangeQuery, mut latency_ms: impl FnMut(&str) -> u64 + 'static) -> Self {
        let rng = RefCell::new(Rng::new(7));
        let handler = service.clone();
        let runtime = TestRuntime::with_service(move |url| {
            let wait = MockResponse::default().wait(latency_ms(url));
            let Some((status, body)) = handler.handle(url) else { return wait.stall() };
            respond(wait.and_head(status, &[]), body.as_bytes(), handler.0.behavior, &mut rng.borrow_mut())
        });
        Self { service, runtime, query }
    }

    /// A service with random latencies.
    pub(super) fn with_random_latency(service: Service, query: RangeQuery, seed: u64) -> Self {
        let mut rng = Rng::new(seed);
        Self::new(service, query, move |_| rng.between(1, 1_000))
    }

    pub fn open(&self, concurrency: u32, resume: Option<&str>) -> Parallel {
        let (runtime, behavior) = (self.runtime.clone(), self.service.0.behavior);
        let skip_bad_records = behavior.damage != Damage::default();
        let decode_options = DecodeOptions::default().skip_bad_records(skip_bad_records);
        let reader = open_reader_on(runtime, behavior, self.query, decode_options, resume).unwrap();
        let (report, resume_token) = (reader.report().clone(), resume.map(Into::into));
        Parallel { reader: ParallelReader::new(reader).with_concurrency(concurrency), report, resume_token }
    }

    /// Reads the range to its end. With a chance of `resume_percent` after each batch or error, a new reader with another
    /// number of concurrent requests continues from the resume token.
    pub(super) fn read(&self, rng: &mut Rng, resume_percent: u64) -> Outcome {
        let mut outcome = Outcome::default();
        let mut current = self.open(random_concurrency(rng), None);
        loop {
            let result = self.runtime.block_on(current.next());
            let report = current.report().clone();
            match result {
                Ok(None) => {
                    assert_eq!((current.resume_token(), self.runtime.open_requests()), (None, 0));
                    outcome.add_report(report);
                    return outcome;
                }
                Ok(Some(page)) => {
                    outcome.rows.extend(rows(&page));
                    outcome.bad_records.extend(page.bad_records.iter().map(read_bad_record));
                }
                Err(error) => {
                    assert_eq!(error.resume_token, current.resume_token());
                    let can_continue = !is_undecodable(&error);
                    outcome.errors.push(error);
                    if !can_continue {
                        outcome.add_report(report);
                        return outcome;
                    }
                }
            }
            if rng.chance(20) {
                // The requests continue while the caller is busy.
                self.runtime.block_on(self.runtime.sleep(rng.between(0, 5_000)));
            }
            if rng.chance(resume_percent) {
                outcome.add_report(report);
                let has_begun = outcome.rows.len() + outcome.bad_records.len() > 0;
                if current.resume_token().is_none() && has_begun {
                    assert!(self.runtime.block_on(current.next()).unwrap().is_none(), "no resume token before the end");
                    return outcome;
                }
                let concurrency = if rng.chance(30) { 1 } else { random_concurrency(rng) };
                current = self.open(concurrency, current.resume_token().as_deref());
            }
        }
    }
}

/// A reader, and its checkpoint after the last batch.
pub struct Parallel {
    reader: ParallelReader<TestRuntime>,
    report: RangeReport,
    resume_token: Option<String>,
}

impl Parallel {
    pub async fn next(&mut self) -> Result<Option<Box<FramePage>>, Error> {
        let RangeBatch { page, resume, report, .. } = self.reader.next().await;
        self.resume_token = resume.as_ref().map(ResumePoint::token);
        self.report = report;
        page
    }

    pub const fn report(&self) -> &RangeReport {
        &self.report
    }

    pub fn resume_token(&self) -> Option<String> {
        self.resume_token.clone()
    }
}

pub fn random_concurrency(rng: &mut Rng) -> u32 {
    rng.pick(&[2, 2, 3, 4, 8])
}

/// Adds the body to a response: in chunks with waits, and cut off if the behavior of the service says so.
fn respond(mut response: MockResponse, body: &[u8], behavior: Behavior, rng: &mut Rng) -> MockResponse {
    let is_broken = rng.chance(behavior.break_percent);
    let length = if is_broken { rng.between(0, body.len() as u64 - 1) } else { body.len() as u64 };
    let body = &body[..usize::try_from(length).unwrap()];
    let chunk_bytes = if behavior.max_chunk_bytes == 0 { u64::MAX } else { rng.between(1, behavior.max_chunk_bytes) };
    for chunk in body.chunks(usize::try_from(chunk_bytes).unwrap().max(body.len() / 20 + 1)) {
        response = response.chunk(chunk);
        if behavior.max_chunk_bytes > 0 {
            response = response.wait(rng.between(0, 50));
        }
    }
    match is_broken.then(|| rng.between(0, 2)) {
        None | Some(0) => response,
        Some(1) => response.disconnect("the body broke off"),
        Some(_) => response.stall(),
    }
}

/// A report without the numbers of requests and windows, which depend on the parts.
fn comparable(report: &RangeReport) -> RangeReport {
    let mut report = report.clone();
    (report.windows, report.requests) = (0, 0);
    report
}

#[test]
fn rows_and_report_equal_those_of_a_sequential_reader() {
    run_cases(20, 1_000, |rng, seed| {
        let page_limit = rng.between(5, 40);
        let history = random_history(rng, page_limit);
        let query = random_query(rng, history.last().map_or(0, |row| row.block));
        let mut behavior = Behavior { deep_pages: random_deep_pages(rng), ..Behavior::normal(page_limit) };
        if rng.chance(50) {
            behavior = behavior.in_chunks(rng);
        }
        let read = |concurrency: u32| {
            let service = Service::new(history.clone(), behavior, seed);
            let setup = Setup::with_random_latency(service, query, seed);
            let mut reader = setup.open(concurrency, None);
            let mut outcome = Outcome::default();
            while let Some(page) = setup.runtime.block_on(reader.next()).unwrap() {
                outcome.rows.extend(rows(&page));
            }
            assert_eq!(reader.resume_token(), None);
            assert_eq!(reader.report().requests, setup.service.0.requests.get());
            outcome.report = reader.report().clone();
            outcome
        };
        let (sequential, parallel) = (read(1), read(random_concurrency(rng)));
        assert_eq!(parallel.rows, sequential.rows);
        assert_eq!(comparable(&parallel.report), comparable(&sequential.report));
    });
}

#[test]
fn one_request_at_a_time_is_the_sequential_reader() {
    run_cases(21, 200, |rng, seed| {
        let page_limit = rng.between(5, 40);
        let history = random_history(rng, page_limit);
        let query = random_query(rng, history.last().map_or(0, |row| row.block));
        let behavior = Behavior { deep_pages: random_deep_pages(rng), ..Behavior::normal(page_limit) };
        let sequential = Service::new(history.clone(), behavior, seed);
        let mut reader = open_reader(&sequential, query, None).unwrap();
        let setup = Setup::new(Service::new(history, behavior, seed), query, |_| 10);
        let mut parallel = setup.open(1, None);
        loop {
            let (page, expected) = (setup.runtime.block_on(parallel.next()), expect_ready(reader.next()));
            let (page, expected) = (page.unwrap(), expected.unwrap());
            assert_eq!(page.as_deref().map(rows), expected.as_deref().map(rows));
            // Only one of the readers knows the time.
            let without_time = |token: Option<String>| {
                let parameters = token?.rsplit('.').next()?.to_owned();
                Some(parameters.split("&short_at=").next()?.to_owned())
            };
            assert_eq!(parallel.report(), reader.report());
            assert_eq!(without_time(parallel.resume_token()), without_time(reader.resume_token()));
            if page.is_none() {
                break;
            }
        }
        assert_eq!(*setup.service.0.urls.borrow(), *sequential.0.urls.borrow());
    });
}

#[test]
fn interrupted_and_resumed_anywhere_the_rows_equal_those_of_a_sequential_reader() {
    run_cases(22, 1_000, |rng, seed| {
        let page_limit = rng.between(5, 30);
        let history = random_history(rng, page_limit);
        let query = random_query(rng, history.last().map_or(0, |row| row.block));
        let fault = if rng.chance(50) { Fault::Percent(rng.between(5, 40)) } else { Fault::Never };
        let (break_percent, max_attempts) = (rng.between(0, 1) * 20, if rng.chance(50) { 1 } else { 5 });
        let behavior = Behavior {
            deep_pages: random_deep_pages(rng),
            fault,
            break_percent,
            max_attempts,
            ..Behavior::normal(page_limit)
        }
        .in_chunks(rng);
        let service = Service::new(history.clone(), behavior, seed);
        let outcome = Setup::with_random_latency(service.clone(), query, seed).read(rng, 20);
        for error in &outcome.errors {
            let codes = [ErrorCode::Timeout, ErrorCode::Network, ErrorCode::Decode, ErrorCode::HttpStatus];
            assert!(codes.contains(&error.code), "{error:?}");
        }
        assert_rows_and_report(&service, query, &outcome);
        let expected = Service::new(history, Behavior { fault: Fault::Never, break_percent: 0, ..behavior }, seed);
        assert_eq!(outcome.rows, read_all(&expected, query, rng, 0).rows);
    });
}

#[test]
fn growth_and_reorganisations_neither_duplicate_nor_lose_rows() {
    run_cases(23, 1_000, |rng, seed| {
        let page_limit = rng.between(5, 30);
        let history = random_history(rng, page_limit);
        let query = random_query(rng, history.last().map_or(0, |row| row.block));
        let mut behavior =
            Behavior { deep_pages: random_deep_pages(rng), change_percent: 30, ..Behavior::normal(page_limit) };
        if rng.chance(50) {
            behavior = Behavior { break_percent: 10, max_attempts: 5, ..behavior.in_chunks(rng) };
        }
        let service = Service::new(history, behavior, seed);
        let outcome = Setup::with_random_latency(service.clone(), query, seed).read(rng, 10);
        assert_rows_and_report(&service, query, &outcome);
    });
}

#[test]
fn windows_that_are_too_wide_are_split_in_every_part() {
    run_cases(24, 300, |rng, seed| {
        let page_limit = rng.between(5, 30);
        let history = random_history(rng, page_limit);
        let head = history.last().map_or(0, |row| row.block);
        let query = random_query(rng, head);
        let fault = Fault::WiderThan(rng.between(1 + head / 20, 2 + head));
        let behavior = Behavior { deep_pages: random_deep_pages(rng), fault, ..Behavior::normal(page_limit) };
        let service = Service::new(history, behavior, seed);
        let outcome = Setup::with_random_latency(service.clone(), query, seed).read(rng, 0);
        assert_eq!(outcome.errors, []);
        assert_rows_and_report(&service, query, &outcome);
    });
}

#[test]
fn a_lower_response_limit_loses_no_row() {
    run_cases(25, 500, |rng, seed| {
        let response_limit = rng.between(3, 20);
        let page_limit = response_limit * rng.between(2, 6);
        let history = random_history(rng, page_limit);
        let query = random_query(rng, history.last().map_or(0, |row| row.block));
        let deep_pages = DeepPages::Refused;
        let behavior = Behavior { deep_pages, response_limit, ..Behavior::normal(page_limit) }.in_chunks(rng);
        let service = Service::new(history, behavior, seed);
        let outcome = Setup::with_random_latency(service.clone(), query, seed).read(rng, 10);
        assert_rows_and_report(&service, query, &outcome);
    });
}

/// Returns rows in blocks with at most two of them. With `oversized`, some blocks in the middle have up to this number.
fn small_blocks(rng: &mut Rng, total: u64, oversized: u64) -> Vec<Row> {
    let (mut rows, mut block) = (Vec::new(), 1_000);
    while (rows.len() as u64) < total {
        let is_middle = (60..total.saturating_sub(60)).contains(&(rows.len() as u64));
        let size = if is_middle && rng.chance(20) { rng.between(1, oversized.max(1)) } else { rng.between(1, 2) };
        rows.extend((0..size).map(|index| Row { block, id: 1_000 * block + index }));
        block += rng.between(1, 9);
    }
    rows
}

#[test]
fn a_response_limit_that_varies_loses_no_row() {
    let (mut limits, mut assumed) = (0, 0);
    run_cases(26, 2_000, |rng, seed| {
        let page_limit = rng.between(50, 80);
        let low = rng.between(3, 20);
        let varying_limit = match rng.between(0, 2) {
            0 => VaryingLimit::Rows(low, rng.between(low, 40)),
            1 => VaryingLimit::Bytes(rng.between(22, 48)),
            _ => VaryingLimit::Time(rng.between(8, 40)),
        };
        let (total, has_oversized) = (rng.between(1, 600), rng.chance(40));
        let history = small_blocks(rng, total, if has_oversized { page_limit / 2 } else { 0 });
        let head = history.last().map_or(0, |row| row.block);
        let query = if has_oversized {
            RangeQuery { newest_first: rng.chance(50), ..RangeQuery::ALL }
        } else {
            random_query(rng, head)
        };
        let mut behavior = Behavior { varying_limit, ..Behavior::normal(page_limit) };
        if rng.chance(50) {
            behavior = behavior.in_chunks(rng);
        }
        if rng.chance(20) {
            behavior.fault = Fault::WiderThan(rng.between(1 + head / 20, 2 + head));
        }
        let service = Service::new(history.clone(), behavior, seed);
        let setup = Setup::with_random_latency(service.clone(), query, seed);
        let resume_percent = rng.pick(&[0, 10, 30]);
        let Outcome { rows, report, errors, .. } = if rng.chance(30) {
            read_all(&service, query, rng, resume_percent)
        } else {
            setup.read(rng, resume_percent)
        };
        // Rows are missing only in blocks that the report names.
        let is_read = |row: &Row| {
            !report.unprocessed.iter().any(|UnprocessedRange { first, last, .. }| (*first..=*last).contains(&row.block))
        };
        let select = |rows: Vec<Row>| rows.into_iter().filter(is_read).collect::<Vec<_>>();
        assert!(rows.is_sorted_by(|a, b| if query.newest_first { a > b } else { a < b }), "a row is returned twice");
        assert_eq!((errors, select(rows)), (vec![], select(query.select(&history))));
        assert!(report.incomplete_blocks.is_empty() && report.changed_blocks.is_empty());
        limits += u32::from(report.response_limit.is_some());
        assumed += u32::from(!report.unprocessed.is_empty());
    });
    assert!(limits > 1_000 && assumed < 50, "{limits} limits, {assumed} reports of blocks that were not verified");
}
