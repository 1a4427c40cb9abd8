//! Rows that fail validation and are omitted: each is reported once, however it is requested, and none of them looks like a change of
//! the chain.

use address_query::error::Error;
use address_query::testing::decode::BadRecord;

use super::random_histories::{random_setup, run_cases};
use super::rng::Rng;
use super::{Outcome, Setup};
use crate::service::{Mark, Row, UNLIMITED, random_latency};

/// Reads the row from the JSON of a bad one.
pub fn read_bad_record(bad: &BadRecord) -> Row {
    let member = |prefix: &str| bad.raw.split_once(prefix).unwrap().1.split('"').next().unwrap();
    let block = member("\"blockNumber\":\"");
    assert_eq!(bad.block, block.parse().ok(), "{}", bad.raw);
    let id = u64::from_str_radix(member("\"hash\":\"0x"), 16).unwrap();
    Row::new(block.trim_start_matches("bad ").parse().unwrap(), id)
}

/// Whether no row of a response could be decoded. The range cannot be continued then.
pub fn is_undecodable(error: &Error) -> bool {
    error.message.starts_with("none of the ")
}

/// Checks that each of these rows was delivered or reported once, unless the report says that its block is incomplete.
fn assert_all_rows(expected: &[Row], outcome: &Outcome) {
    let found = [&*outcome.rows, &*outcome.bad_records].concat();
    let count = |rows: &[Row], row: Row| rows.iter().filter(|other| **other == row).count();
    let incomplete = outcome.incomplete_blocks();
    for &row in expected.iter().chain(&found) {
        let (expected, found) = (count(expected, row), count(&found, row));
        let is_incomplete = found < expected && incomplete.iter().any(|(block, _)| *block == row.block);
        assert!(found == expected || is_incomplete, "{row:?}: {found} of {expected}");
    }
    let report = &outcome.report;
    assert_eq!((report.records, report.omitted.count), (outcome.rows.len() as u64, outcome.bad_records.len() as u64));
    assert_eq!(report.omitted.first.len(), outcome.bad_records.len().min(100));
    assert_eq!((&report.changed_blocks[..], report.next_block), (&[][..], None));
}

/// Marks some of the rows for all responses. Equal rows have the same mark.
fn mark_some(setup: &mut Setup, rng: &mut Rng, marks: &[Mark]) {
    let (percent, seed) = (rng.pick(&[0, 3, 20]), rng.between(0, u64::MAX - 1));
    setup.service.edit(|list| {
        for row in &mut list.rows {
            let mut rng = Rng::new(seed ^ row.block << 32 ^ row.id);
            if rng.chance(percent) {
                row.mark = rng.pick(marks);
            }
        }
    });
}

#[test]
fn every_row_is_delivered_or_reported_as_omitted_once() {
    use Mark::{Bad, Unplaced};
    run_cases(40, 2_000, |rng, seed| {
        let marks = rng.pick(&[&[Bad][..], &[Bad], &[Bad, Bad, Unplaced], &[Unplaced]]);
        let mut setup = random_setup(rng, seed, (5, 40), |rng, script, _| {
            script.deep_pages = UNLIMITED;
            if rng.chance(50) {
                *script = script.in_chunks(rng);
            }
        });
        let expected = setup.expected_rows();
        mark_some(&mut setup, rng, marks);
        (setup.max_attempts, setup.skips_bad_records) = (5, true);
        // Other rows are bad in each response.
        let (service, mut latency_ms) = (setup.service.clone(), random_latency(seed));
        let (percent, permanent) = (rng.pick(&[0, 2, 10]), service.edit(|list| list.rows.clone()));
        let mut damage = Rng::new(seed);
        let setup = setup.with_latency(move |url| {
            let mark = |row: &Row| if damage.chance(percent) { row.marked(damage.pick(marks)) } else { *row };
            service.edit(|list| list.rows = permanent.iter().map(mark).collect());
            latency_ms(url)
        });
        let resume_percent = rng.pick(&[0, 20]);
        let outcome = setup.read(rng, resume_percent);
        if !outcome.errors.iter().any(is_undecodable) {
            assert_all_rows(&expected, &outcome);
            // A resumed reader checks the page size of a block again, as if it were a limit of the service.
            assert!(resume_percent > 0 || outcome.report.response_limit.is_none());
        }
    });
}
