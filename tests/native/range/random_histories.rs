//! Random histories and services that misbehave. Every row that was never removed is returned once and in order, and the report
//! is correct.

use address_query::error::ErrorCode;

use super::invariants::assert_invariants;
use super::rng::Rng;
use super::{RangeQuery, Setup};
use crate::service::{FIRST_PAGE_ONLY, Fault, REFUSED, Row, Script, UNLIMITED};
use crate::test_runtime::TestRuntime;

/// Returns a random history. Blocks have at most `page_limit` rows, except for oversized ones.
pub fn random_history(rng: &mut Rng, page_limit: u64) -> Vec<Row> {
    let (max_gap, max_rows) = match rng.between(0, 5) {
        0 => return Vec::new(),
        1 => (rng.between(1, 2_000), 1),
        2 => (rng.between(1, 400), rng.between(1, page_limit)),
        _ => (rng.between(1, 3), rng.between(1, page_limit)),
    };
    let oversized_percent = rng.pick(&[0, 0, 10, 40]);
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
            rows.push(Row::new(block, id));
        }
        block += rng.between(1, max_gap);
    }
    rows
}

pub fn random_query(rng: &mut Rng, head: u64) -> RangeQuery {
    let mut bound = |low: u64| rng.chance(40).then(|| rng.between(low, head.max(low) + 2));
    let start = bound(0);
    let end = bound(start.unwrap_or(0));
    RangeQuery { start, end, newest_first: rng.chance(50) }
}

/// Runs `count` random cases. To repeat a failed one, run the case with its printed number only.
pub fn run_cases(suite: u64, count: u64, mut case: impl FnMut(&mut Rng, u64)) {
    for number in 0..count {
        let seed = suite << 32 | number;
        let run = std::panic::AssertUnwindSafe(|| case(&mut Rng::new(seed), seed));
        if let Err(cause) = std::panic::catch_unwind(run) {
            eprintln!("case {number}");
            std::panic::resume_unwind(cause);
        }
    }
}

/// Creates a service with a random history, page limit (within these bounds) and treatment of deep pages, and a random range.
/// `change` changes the script; it gets the newest block.
pub fn random_setup(
    rng: &mut Rng,
    seed: u64,
    (low, high): (u64, u64),
    change: impl FnOnce(&mut Rng, &mut Script, u64),
) -> Setup {
    let mut script = Script::with_page_limit(rng.between(low, high));
    let rows = random_history(rng, script.page_limit);
    let head = rows.last().map_or(0, |row| row.block);
    let query = random_query(rng, head);
    script.deep_pages = rng.pick(&[UNLIMITED, FIRST_PAGE_ONLY, REFUSED]);
    change(rng, &mut script, head);
    Setup::with_seed(rows, script, query, seed)
}

/// Reads random ranges to their end. No call may fail, and every row must be returned once.
fn assert_complete(
    suite: u64,
    count: u64,
    limits: (u64, u64),
    resume_percents: &[u64],
    change: impl Fn(&mut Rng, &mut Script, u64),
) {
    run_cases(suite, count, |rng, seed| {
        let setup = random_setup(rng, seed, limits, &change);
        let resume_percent = rng.pick(resume_percents);
        let outcome = setup.read_all(rng, resume_percent);
        assert_eq!(outcome.errors, []);
        assert_invariants(&setup, &outcome);
    });
}

#[test]
fn returns_every_row_once_and_in_order() {
    assert_complete(1, 1_000, (5, 40), &[0, 30], |_, _, _| {});
}

#[test]
fn new_blocks_and_reorganisations_neither_duplicate_nor_lose_rows() {
    assert_complete(2, 1_000, (5, 30), &[0, 30], |_, script, _| script.grow = 30);
}

#[test]
fn splits_windows_that_are_too_wide_for_the_service() {
    assert_complete(3, 500, (5, 30), &[0], |rng, script, head| {
        script.fail_wider_than = rng.between(1 + head / 100, 2 + head);
        script.grow = rng.between(0, 1) * 10;
    });
}

#[test]
fn after_an_error_the_same_or_a_new_reader_continues() {
    let mut errors = 0;
    run_cases(4, 1_000, |rng, seed| {
        let setup = random_setup(rng, seed, (5, 30), |rng, script, _| {
            script.fail = rng.between(10, 50);
            script.grow = rng.between(0, 1) * 10;
        });
        let outcome = setup.read_all(rng, 50);
        assert!(outcome.errors.iter().all(|error| error.code == ErrorCode::Timeout || error.status >= Some(500)));
        errors += outcome.errors.len();
        assert_invariants(&setup, &outcome);
    });
    assert!(errors > 500, "{errors} errors are too few for this test");
}

/// A full window returns all rows except in its last block. If blocks have at most `max_rows` rows, it returns at least
/// `page_limit - max_rows` rows.
#[test]
fn sends_few_requests() {
    run_cases(5, 500, |rng, seed| {
        let page_limit = rng.between(10, 50);
        let max_rows = rng.between(1, 4);
        let mut rows = Vec::new();
        for block in 0..rng.between(1, 300) {
            rows.extend((0..rng.between(0, max_rows)).map(|index| Row::new(block, 10 * block + index)));
        }
        let query = random_query(rng, 300);
        let (fail, faults) = (rng.pick(&[0, 20]), &Fault::BREAKS[..2]);
        let script = Script { fail, faults, ..Script::with_page_limit(page_limit) }.in_chunks(rng);
        let setup = Setup::with_seed(rows, script, query, seed);
        let outcome = setup.read_all(rng, 0);
        assert_invariants(&setup, &outcome);
        let broken_bodies = setup.service.requests.borrow().iter().flatten().count() as u64;
        let bound = outcome.report.records.div_ceil(page_limit - max_rows) + 1 + broken_bodies;
        assert!(u64::from(outcome.report.requests) <= bound, "{} of {bound}", outcome.report.requests);
    });
}

#[test]
fn returns_rows_of_streaming_windows_once_and_early() {
    let mut batches = 0;
    run_cases(7, 1_000, |rng, seed| {
        let setup = random_setup(rng, seed, (5, 60), |rng, script, _| {
            script.grow = rng.between(0, 1) * 20;
            *script = script.in_chunks(rng);
        });
        let outcome = setup.read_all(rng, 0);
        assert_eq!(outcome.errors, []);
        assert_invariants(&setup, &outcome);
        batches += outcome.batches;
    });
    assert!(batches > 3_000, "{batches} batches are too few for this test");
}

#[test]
fn a_response_that_breaks_off_loses_no_row() {
    let (mut batches, mut errors, mut broken) = (0, 0, 0);
    run_cases(8, 2_000, |rng, seed| {
        let mut setup = random_setup(rng, seed, (5, 60), |rng, script, _| {
            (script.fail, script.faults) = (rng.between(15, 60), Fault::BREAKS);
            script.grow = rng.between(0, 1) * 20;
            *script = script.in_chunks(rng);
        });
        setup.max_attempts = if rng.chance(50) { 1 } else { 5 };
        let outcome = setup.read_all(rng, resume_percent_for(seed));
        for error in &outcome.errors {
            let is_broken = matches!(error.code, ErrorCode::Timeout | ErrorCode::Network | ErrorCode::Decode);
            assert!(is_broken && error.url.is_some() && error.attempts.is_some(), "{error:?}");
        }
        assert_invariants(&setup, &outcome);
        batches += outcome.batches;
        errors += outcome.errors.len();
        broken += setup.service.requests.borrow().iter().flatten().count();
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
        let mut setup = random_setup(rng, seed, (5, 20), |_, script, _| script.deep_pages = UNLIMITED);
        let service = setup.service.clone();
        setup.runtime = TestRuntime::with_service(move |url| service.respond(&url.replace("block=", "="), 0));
        let mut reader = setup.open_reader(None).unwrap();
        let mut received = Vec::new();
        let error = loop {
            match setup.next(&mut reader) {
                Ok(Some(page)) => received.extend(super::rows(&page)),
                Ok(None) => break None,
                Err(error) => break Some(error),
            }
        };
        let expected = setup.expected_rows();
        assert!(expected.starts_with(&received), "duplicated or out of order");
        match error {
            None => assert_eq!(received, expected),
            Some(error) => {
                detected += 1;
                assert_eq!(error.code, ErrorCode::Cursor);
                assert!(error.message.starts_with("the service returned rows outside the requested blocks"), "{error}");
                // Another call fails in the same way.
                assert_eq!(setup.next(&mut reader).map(drop).unwrap_err().code, ErrorCode::Cursor);
                assert_eq!(reader.report().records, received.len() as u64);
            }
        }
    });
    assert!(detected > 100, "{detected} cases are too few for this test");
}

#[test]
fn a_lower_response_limit_loses_no_row_of_any_history() {
    let mut limits = 0;
    run_cases(309, 2_000, |rng, seed| {
        // At least three: two equal pages of a block look like the same page twice.
        let response_limit = rng.between(3, 20);
        // A multiple, so that the last page ends at the page limit.
        let page_limit = response_limit * rng.between(2, 6);
        let setup = random_setup(rng, seed, (page_limit, page_limit), |rng, script, _| {
            (script.max_rows, script.deep_pages) = (usize::try_from(response_limit).unwrap(), REFUSED);
            script.grow = rng.between(0, 1) * 10;
            if rng.chance(50) {
                *script = script.in_chunks(rng);
            }
        });
        let total = setup.expected_rows().len() as u64;
        let resume_percent = resume_percent_for(seed);
        let outcome = setup.read_all(rng, resume_percent);
        assert_eq!(outcome.errors, []);
        assert_invariants(&setup, &outcome);
        if setup.service.script.borrow().grow == 0 {
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
