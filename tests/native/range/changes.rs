//! Blocks that a chain reorganisation changes while a range is read.

use address_query::client::RangeReport;

use super::{RangeQuery, Setup, one_row_per_block, rows};
use crate::service::{Row, Script};

#[test]
fn reports_a_block_that_changed_while_it_was_read() {
    for newest_first in [false, true] {
        let query = RangeQuery { newest_first, ..RangeQuery::ALL };
        let setup = Setup::new(one_row_per_block(0..30), Script::with_page_limit(10), query);
        let mut reader = setup.open_reader(None).unwrap();
        setup.next(&mut reader).unwrap();
        let overlap_block = reader.report().next_block.unwrap();
        setup.service.edit(|list| list.rows.iter_mut().find(|row| row.block == overlap_block).unwrap().id = 1_000);
        let page = setup.next(&mut reader).unwrap().unwrap();
        assert_eq!(rows(&page)[0], Row::new(overlap_block, 1_000));
        setup.read_rest(&mut reader);
        assert_eq!(reader.report().changed_blocks, [overlap_block]);
        assert_eq!(reader.report().records, 30);
    }
}

#[test]
fn reports_a_block_that_changed_before_the_range_was_resumed() {
    let all: Vec<Row> = (0..60).map(|id| Row::new(id / 4, id)).collect();
    for newest_first in [false, true] {
        for change in [None, Some(0), Some(1)] {
            let query = RangeQuery { newest_first, ..RangeQuery::ALL };
            let setup = Setup::new(all.clone(), Script::with_page_limit(10), query);
            let mut first = setup.open_reader(None).unwrap();
            setup.next(&mut first).unwrap();
            let overlap_block = first.report().next_block.unwrap();
            let token = first.resume_token().unwrap();
            if let Some(index) = change {
                setup.service.edit(|list| {
                    let mut block_rows: Vec<&mut Row> =
                        list.rows.iter_mut().filter(|row| row.block == overlap_block).collect();
                    if newest_first {
                        block_rows.reverse();
                    }
                    block_rows[index].id += 1_000;
                });
            }
            let mut resumed = setup.open_reader(Some(&token)).unwrap();
            assert_eq!(resumed.resume_token(), Some(token));
            setup.read_rest(&mut resumed);
            let changed: Vec<u64> = change.map(|_| overlap_block).into_iter().collect();
            assert_eq!(resumed.report().changed_blocks, changed, "{newest_first} {change:?}");
        }
    }
}

/// Reads 15 blocks with one transfer each in descending order. The newest block has this age, and each response takes
/// `latency_ms`. With `should_change`, the newest blocks change after the first response. With `should_resume`, a new reader
/// continues from there. Returns the report and the number of requests.
fn read_descending(age_ms: u64, latency_ms: u64, should_change: bool, should_resume: bool) -> (RangeReport, usize) {
    let query = RangeQuery { newest_first: true, ..RangeQuery::ALL };
    let setup = Setup::new(one_row_per_block(1..16), Script::with_page_limit(6), query);
    let setup = setup.with_age(age_ms).with_latency(move |_| latency_ms);
    let mut reader = setup.open_reader(None).unwrap();
    setup.next(&mut reader).unwrap();
    if should_change {
        setup.service.edit(|list| list.rows.iter_mut().filter(|row| row.block > 12).for_each(|row| row.id += 1_000));
    }
    if should_resume {
        reader = setup.open_reader(reader.resume_token().as_deref()).unwrap();
    }
    setup.read_rest(&mut reader);
    assert!(setup.next(&mut reader).unwrap().is_none());
    assert_eq!((reader.resume_token(), reader.report().next_block), (None, None));
    (reader.report().clone(), setup.runtime.take_urls().len())
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
