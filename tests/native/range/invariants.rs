//! Invariants of a range that was read to its end.

use std::collections::BTreeMap;

use super::{Outcome, Setup};
use crate::service::Row;

fn count_rows(rows: &[Row]) -> BTreeMap<Row, usize> {
    let mut counts = BTreeMap::new();
    for row in rows {
        *counts.entry(*row).or_default() += 1;
    }
    counts
}

/// Checks what must hold in every case.
pub fn assert_invariants(setup: &Setup, outcome: &Outcome) {
    assert_rows_and_report(setup, outcome);
    let report = &outcome.report;
    if setup.max_attempts == 1 {
        assert_eq!(report.requests as usize, setup.service.requests.borrow().len());
    }
    assert_eq!(report.windows, setup.service.windows.get());
}

/// Checks everything except the numbers of requests and windows.
pub fn assert_rows_and_report(setup: &Setup, outcome: &Outcome) {
    let (Outcome { rows, report, .. }, query, script) = (outcome, setup.query, *setup.service.script.borrow());
    let in_order = |a: &Row, b: &Row| if query.newest_first { a.block >= b.block } else { a.block <= b.block };
    assert!(rows.is_sorted_by(in_order), "out of order");
    assert!(rows.iter().all(|row| query.contains(*row)), "rows of other blocks");

    let ever = setup.service.edit(|list| count_rows(&[&*list.rows, &list.removed].concat()));
    for (row, count) in count_rows(rows) {
        assert!(ever.get(&row).is_some_and(|max| *max >= count), "{row:?} was returned {count} times");
    }

    // An incomplete block has as many rows as reported. All other blocks have all their rows, in the order of the service.
    let incomplete: BTreeMap<u64, u64> = outcome.incomplete_blocks().into_iter().collect();
    assert_eq!(incomplete.len(), report.incomplete_blocks.len(), "a block is reported twice");
    for (&block, &count) in &incomplete {
        assert_eq!(rows.iter().filter(|row| row.block == block).count() as u64, count, "of block {block}");
    }
    let mut permanent_rows = setup.expected_rows();
    permanent_rows.retain(|row| row.id < setup.service.edit(|list| list.first_new_id));
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
        sizes.into_iter().filter(|(_, size)| *size >= script.page_limit).map(|(block, _)| block).collect();
    let first_changed = setup.service.changed_from.get();
    let reported: Vec<u64> = incomplete.keys().copied().filter(|block| *block < first_changed).collect();
    let can_change = script.grow > 0;
    if (script.deep_pages)(2) == Some(2) {
        assert_eq!(report.incomplete_blocks, [], "these blocks can be read");
    } else if can_change {
        assert!(too_large.iter().all(|block| reported.contains(block)), "{too_large:?} {reported:?}");
    } else {
        assert_eq!(reported, too_large);
        assert!(incomplete.values().all(|count| *count == script.page_limit), "{incomplete:?}");
    }
    assert!(report.changed_blocks.iter().all(|block| *block >= first_changed), "{:?}", report.changed_blocks);
    // Without a time, added rows look like rows that were missing.
    assert!(report.unprocessed.is_empty() || (can_change && report.response_limit.is_some()));

    assert_eq!(report.records, rows.len() as u64);
    assert_eq!(report.next_block, None);
}
