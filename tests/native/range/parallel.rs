//! Ranges whose parts are read in parallel, in virtual time: the rows and the report equal the results of a sequential
//! reader.

use address_query::client::{RangeReport, Runtime, UnprocessedRange};
use address_query::error::{Error, ErrorCode};
use address_query::testing::client::resume::ResumePoint;
use address_query::testing::client::{ParallelReader, RangeBatch};
use address_query::testing::decode::FramePage;

use super::invariants::assert_rows_and_report;
use super::omitted::{is_undecodable, read_bad_record};
use super::random_histories::{random_query, random_setup, run_cases};
use super::rng::Rng;
use super::{Outcome, RangeQuery, Setup, rows};
use crate::service::{Clamp, Fault, REFUSED, Row, Script, random_latency};
use crate::test_runtime::TestRuntime;

impl Setup {
    pub(super) fn open(&self, concurrency: u32, resume: Option<&str>) -> Parallel {
        let reader = self.open_reader(resume).unwrap();
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

const SLOW_OR_BROKEN: &[Fault] =
    &[Fault::NoResponse, Fault::BadGateway, Fault::TruncatedBody, Fault::ConnectionResetInBody, Fault::StalledBody];

pub fn random_concurrency(rng: &mut Rng) -> u32 {
    rng.pick(&[2, 2, 3, 4, 8])
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
        let setup = random_setup(rng, seed, (5, 40), |rng, script, _| {
            if rng.chance(50) {
                *script = script.in_chunks(rng);
            }
        });
        let read = |concurrency: u32| {
            let setup = setup.with_other_script(|_| {}, seed).with_latency(random_latency(seed));
            let mut reader = setup.open(concurrency, None);
            let mut outcome = Outcome::default();
            while let Some(page) = setup.runtime.block_on(reader.next()).unwrap() {
                outcome.rows.extend(rows(&page));
            }
            assert_eq!(reader.resume_token(), None);
            assert_eq!(reader.report().requests as usize, setup.service.requests.borrow().len());
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
        let sequential = random_setup(rng, seed, (5, 40), |_, _, _| {}).with_latency(|_| 10);
        let setup = sequential.with_other_script(|_| {}, seed).with_latency(|_| 10);
        let (mut reader, mut parallel) = (sequential.open_reader(None).unwrap(), setup.open(1, None));
        loop {
            let (page, expected) = (setup.runtime.block_on(parallel.next()), sequential.next(&mut reader));
            let (page, expected) = (page.unwrap(), expected.unwrap());
            assert_eq!(page.as_deref().map(rows), expected.as_deref().map(rows));
            assert_eq!((parallel.report(), parallel.resume_token()), (reader.report(), reader.resume_token()));
            if page.is_none() {
                break;
            }
        }
        assert_eq!(setup.runtime.take_urls(), sequential.runtime.take_urls());
    });
}

#[test]
fn interrupted_and_resumed_anywhere_the_rows_equal_those_of_a_sequential_reader() {
    run_cases(22, 1_000, |rng, seed| {
        let mut setup = random_setup(rng, seed, (5, 30), |rng, script, _| {
            script.fail = rng.pick(&[0, 20, 40]);
            script.faults = rng.pick(&[Fault::SLOW, Fault::BREAKS, SLOW_OR_BROKEN]);
            *script = script.in_chunks(rng);
        });
        setup.max_attempts = if rng.chance(50) { 1 } else { 5 };
        let setup = setup.with_latency(random_latency(seed));
        let outcome = setup.read(rng, 20);
        for error in &outcome.errors {
            let codes = [ErrorCode::Timeout, ErrorCode::Network, ErrorCode::Decode, ErrorCode::HttpStatus];
            assert!(codes.contains(&error.code), "{error:?}");
        }
        assert_rows_and_report(&setup, &outcome);
        let expected = setup.with_other_script(|script| script.fail = 0, seed);
        assert_eq!(outcome.rows, expected.read_all(rng, 0).rows);
    });
}

/// Reads random ranges in parallel.
fn assert_complete(suite: u64, count: u64, resume_percent: u64, change: impl Fn(&mut Rng, &mut Setup)) {
    run_cases(suite, count, |rng, seed| {
        let mut setup = random_setup(rng, seed, (5, 30), |_, _, _| {});
        change(rng, &mut setup);
        let setup = setup.with_latency(random_latency(seed));
        let outcome = setup.read(rng, resume_percent);
        assert_rows_and_report(&setup, &outcome);
        assert!(resume_percent > 0 || outcome.errors.is_empty(), "{:?}", outcome.errors);
    });
}

#[test]
fn growth_and_reorganisations_neither_duplicate_nor_lose_rows() {
    assert_complete(23, 1_000, 10, |rng, setup| {
        setup.service.script.borrow_mut().grow = 30;
        if rng.chance(50) {
            setup.max_attempts = 5;
            let script = &mut *setup.service.script.borrow_mut();
            *script = Script { fail: 10, faults: Fault::BREAKS, ..*script }.in_chunks(rng);
        }
    });
}

#[test]
fn windows_that_are_too_wide_are_split_in_every_part() {
    assert_complete(24, 300, 0, |rng, setup| {
        let head = setup.service.edit(|list| list.rows.last().map_or(0, |row| row.block));
        setup.service.script.borrow_mut().fail_wider_than = rng.between(1 + head / 20, 2 + head);
    });
}

#[test]
fn a_lower_response_limit_loses_no_row() {
    run_cases(25, 500, |rng, seed| {
        let response_limit = rng.between(3, 20);
        let page_limit = response_limit * rng.between(2, 6);
        let setup = random_setup(rng, seed, (page_limit, page_limit), |rng, script, _| {
            (script.deep_pages, script.max_rows) = (REFUSED, usize::try_from(response_limit).unwrap());
            *script = script.in_chunks(rng);
        });
        let setup = setup.with_latency(random_latency(seed));
        let outcome = setup.read(rng, 10);
        assert_rows_and_report(&setup, &outcome);
    });
}

/// Returns rows in blocks with at most two of them. With `oversized`, some blocks in the middle have up to this number.
fn small_blocks(rng: &mut Rng, total: u64, oversized: u64) -> Vec<Row> {
    let (mut rows, mut block) = (Vec::new(), 1_000);
    while (rows.len() as u64) < total {
        let is_middle = (60..total.saturating_sub(60)).contains(&(rows.len() as u64));
        let size = if is_middle && rng.chance(20) { rng.between(1, oversized.max(1)) } else { rng.between(1, 2) };
        rows.extend((0..size).map(|index| Row::new(block, 1_000 * block + index)));
        block += rng.between(1, 9);
    }
    rows
}

/// At least three, so that no two pages of a block are equal.
fn random_limit(_: &[Row], limit: usize, rng: &mut Rng) -> usize {
    usize::try_from(rng.between(3, limit as u64)).unwrap()
}

/// How many of these rows fit in this many bytes, at least one. Rows have different sizes.
fn fit_bytes(rows: &[Row], limit: usize, _: &mut Rng) -> usize {
    let mut left = limit as u64;
    let fits = |row: &&Row| {
        left = left.saturating_sub(if row.block % 64 < 32 { 1 } else { 1 + row.id % 7 });
        left > 0
    };
    rows.iter().take_while(fits).count().max(1)
}

/// How many of these rows a slow service finds in a time. The older the rows are, the fewer.
fn fit_time(rows: &[Row], limit: usize, _: &mut Rng) -> usize {
    let age = rows.first().map_or(0, |row| row.block % 50);
    (limit * (50 + usize::try_from(age).unwrap())).div_ceil(100).max(1)
}

#[test]
fn a_response_limit_that_varies_loses_no_row() {
    let (mut limits, mut assumed) = (0, 0);
    run_cases(26, 2_000, |rng, seed| {
        let page_limit = rng.between(50, 80);
        let (clamp, low, high): (Clamp, _, _) =
            rng.pick(&[(random_limit, 3, 40), (fit_bytes, 22, 48), (fit_time, 8, 40)]);
        let max_rows = usize::try_from(rng.between(low, high)).unwrap();
        let (total, has_oversized) = (rng.between(1, 600), rng.chance(40));
        let history = small_blocks(rng, total, if has_oversized { page_limit / 2 } else { 0 });
        let head = history.last().map_or(0, |row| row.block);
        let query = if has_oversized {
            RangeQuery { newest_first: rng.chance(50), ..RangeQuery::ALL }
        } else {
            random_query(rng, head)
        };
        let mut script = Script { clamp, max_rows, ..Script::with_page_limit(page_limit) };
        if rng.chance(50) {
            script = script.in_chunks(rng);
        }
        if rng.chance(20) {
            script.fail_wider_than = rng.between(1 + head / 20, 2 + head);
        }
        let setup = Setup::with_seed(history.clone(), script, query, seed).with_latency(random_latency(seed));
        let resume_percent = rng.pick(&[0, 10, 30]);
        let Outcome { rows, report, errors, .. } =
            if rng.chance(30) { setup.read_all(rng, resume_percent) } else { setup.read(rng, resume_percent) };
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
