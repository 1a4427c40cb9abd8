//! The requests of a range whose parts are read in parallel: when they are sent, how many, and what follows an error or
//! a change of the chain.

use std::cell::Cell;
use std::rc::Rc;

use super::rng::Rng;
use super::{RangeQuery, Setup, rows};
use crate::service::{Query, Row, Script};
use crate::test_runtime::{MockResponse, TestRuntime, poll_once_and_drop};
use address_query::client::Runtime;

/// Returns this many rows, one in every third block.
fn even_history(rows: u64) -> Vec<Row> {
    (0..rows).map(|id| Row::new(1_000 + 3 * id, id)).collect()
}

/// A service that needs 300 ms for a window, and 30 ms for a single row.
fn slow_windows(rows: Vec<Row>, script: Script, query: RangeQuery) -> Setup {
    Setup::new(rows, script, query).with_latency(|url| if url.ends_with("&offset=1") { 30 } else { 300 })
}

/// Returns the number of windows that were requested, and of single rows.
fn count_requests(setup: &Setup) -> (usize, usize) {
    let urls = setup.runtime.take_urls();
    let single = urls.iter().filter(|url| url.ends_with("&offset=1")).count();
    (urls.len() - single, single)
}

/// Reads the range to its end. Returns the blocks of its rows.
fn read_blocks(setup: &Setup, concurrency: u32) -> Vec<u64> {
    let mut reader = setup.open(concurrency, None);
    let mut blocks = Vec::new();
    while let Some(page) = setup.runtime.block_on(reader.next()).unwrap() {
        blocks.extend(rows(&page).iter().map(|row| row.block));
    }
    blocks
}

/// Returns how long these reads take, in virtual time: one, two and four requests at a time.
fn measure(rows: &[Row], newest_first: bool) -> [u64; 3] {
    [1, 2, 4].map(|concurrency| {
        let query = RangeQuery { newest_first, ..RangeQuery::ALL };
        let setup = slow_windows(rows.to_vec(), Script::with_page_limit(100), query);
        assert_eq!(read_blocks(&setup, concurrency).len(), rows.len());
        setup.runtime.elapsed_ms()
    })
}

#[test]
fn four_requests_at_a_time_need_a_third_of_the_time() {
    for newest_first in [false, true] {
        let [sequential, _, four] = measure(&even_history(600), newest_first);
        assert_eq!((sequential, four), (7 * 300, 2 * 300 + 30));
        let [sequential, two, four] = measure(&even_history(6_000), newest_first);
        assert!(100 * two < 60 * sequential && 100 * four < 30 * sequential, "{sequential} {two} {four}");
    }
}

#[test]
fn few_requests_are_sent_while_responses_arrive_in_chunks() {
    let mut rng = Rng::new(1);
    let mut block = 1_000;
    let mut next_row = |id| {
        block += rng.between(1, 9);
        Row::new(block, id)
    };
    let history: Vec<Row> = (0..6_000).map(&mut next_row).collect();
    for (newest_first, concurrency) in [(false, 1), (true, 1), (false, 2), (true, 2), (false, 4), (true, 4)] {
        let script = Script { max_chunk_bytes: 500, ..Script::with_page_limit(1_000) };
        let query = RangeQuery { newest_first, ..RangeQuery::ALL };
        let setup = Setup::new(history.clone(), script, query).with_latency(|_| 300);
        assert_eq!(read_blocks(&setup, concurrency).len(), history.len());
        let requests = setup.runtime.take_urls().len();
        assert!(requests <= 10, "{requests} requests, {concurrency} at a time");
    }
}

#[test]
fn a_dense_part_is_split_again() {
    // Nine tenths of the rows are in the last twentieth of the blocks.
    let sparse = (0..300).map(|id| Row::new(190 * id, id));
    let rows: Vec<Row> = sparse.chain((0..2_700).map(|id| Row::new(57_000 + id, 300 + id))).collect();
    for newest_first in [false, true] {
        let [sequential, _, four] = measure(&rows, newest_first);
        assert!(100 * four < 35 * sequential, "{four} of {sequential} ms");
    }
}

#[test]
fn parts_follow_a_density_that_changes() {
    // Sections of 80 rows, in each block or in each 40th.
    let mut block = 1_000;
    let mut next_row = |id: u64| {
        block += if (id / 80).is_multiple_of(2) { 1 } else { 40 };
        Row::new(block, id)
    };
    let rows: Vec<Row> = (0..2_000).map(&mut next_row).collect();
    for newest_first in [false, true] {
        let [sequential, two, four] = measure(&rows, newest_first);
        assert!(100 * two < 80 * sequential && 100 * four < 50 * sequential, "{sequential} {two} {four}");
    }
}

/// Returns sections of very different density: from one row in 200,000 blocks to two in each block, and stretches without any.
fn uneven_history() -> Vec<Row> {
    // Rows, first block, blocks between rows, rows of a block.
    let sections = [(40, 9_000_000, 200_000, 1), (220, 19_000_000, 100, 4), (140, 19_100_000, 10_000, 1)];
    let later = [(120, 21_000_000, 1, 2), (80, 22_500_000, 30_000, 2)];
    let rows = sections
        .into_iter()
        .chain(later)
        .flat_map(|(count, first, gap, per_block)| (0..count).map(move |row| first + row / per_block * gap));
    rows.zip(0..).map(|(block, id)| Row::new(block, id)).collect()
}

#[test]
fn uneven_rows_are_read_in_parallel_too() {
    for (newest_first, two_percent, four_percent) in [(false, 65, 35), (true, 70, 46)] {
        let [sequential, two, four] = measure(&uneven_history(), newest_first);
        let is_fast = 100 * two <= two_percent * sequential && 100 * four <= four_percent * sequential;
        assert!(is_fast, "newest first: {newest_first}, {sequential} {two} {four}");
    }
}

#[test]
fn a_short_range_is_not_slower_than_a_sequential_read() {
    let uneven = uneven_history();
    for rows in [90, 110, 150, 190, 210, 250, 350] {
        let count = usize::try_from(rows).unwrap();
        for history in [&even_history(rows), &uneven[..count], &uneven[uneven.len() - count..]] {
            for newest_first in [false, true] {
                let [sequential, two, four] = measure(history, newest_first);
                let is_fast = |elapsed| 100 * elapsed <= 110 * sequential;
                assert!(is_fast(two) && is_fast(four), "{rows} rows: {sequential} {two} {four}");
            }
        }
    }
}

#[test]
fn parallel_reads_send_few_more_requests() {
    let uneven = uneven_history();
    for count in [90, 150, 210, 350, 600] {
        for history in [&even_history(count as u64), &uneven[..count], &uneven[uneven.len() - count..]] {
            for newest_first in [false, true] {
                let query = RangeQuery { newest_first, ..RangeQuery::ALL };
                let requests = |concurrency| {
                    let setup = slow_windows(history.to_vec(), Script::with_page_limit(100), query);
                    read_blocks(&setup, concurrency);
                    count_requests(&setup)
                };
                let (sequential, _) = requests(1);
                for concurrency in [2, 4] {
                    let (windows, single) = requests(concurrency);
                    let at_a_time = concurrency as usize;
                    assert!(windows <= sequential + 2 * at_a_time, "{windows} windows, {sequential} one at a time");
                    assert!(single <= windows + at_a_time, "{single} single rows, {windows} windows");
                }
            }
        }
    }
}

/// A change of the schedule shows here. Replace these figures only with better ones.
#[test]
fn the_time_and_the_requests_of_a_schedule_are_known() {
    let normal = Script::with_page_limit(100);
    let low_limit = Script { max_rows: 60, ..normal };
    let slow = Script { fail_wider_than: 300_000, ..normal };
    let chunks = Script { max_chunk_bytes: 500, ..normal };
    let (even, uneven) = (&even_history(3_000), &uneven_history());
    // Milliseconds, windows and requests for a single row: with two and four at a time.
    let cases = [
        (even, "even", false, normal, [(5_400, 34, 2), (2_730, 34, 3)]),
        (even, "even", true, normal, [(5_400, 34, 2), (2_730, 34, 3)]),
        (even, "even", false, low_limit, [(9_330, 57, 2), (6_060, 72, 4)]),
        (even, "even", false, chunks, [(14_468, 34, 2), (7_236, 34, 3)]),
        (uneven, "uneven", false, normal, [(1_320, 7, 7), (690, 7, 9)]),
        (uneven, "uneven", true, normal, [(1_320, 7, 7), (960, 10, 8)]),
        (uneven, "uneven", true, low_limit, [(2_550, 13, 8), (1_920, 22, 15)]),
        (uneven, "uneven", true, slow, [(94_980, 142, 2), (69_180, 152, 5)]),
        (uneven, "uneven", false, slow, [(102_660, 143, 43), (61_170, 150, 12)]),
        (uneven, "uneven", true, chunks, [(3_509, 7, 4), (2_157, 9, 8)]),
    ];
    for (history, name, newest_first, script, expected) in cases {
        for (concurrency, expected) in [(2, expected[0]), (4, expected[1])] {
            let setup = slow_windows(history.clone(), script, RangeQuery { newest_first, ..RangeQuery::ALL });
            assert_eq!(read_blocks(&setup, concurrency).len(), history.len());
            let (windows, single) = count_requests(&setup);
            let figures = (setup.runtime.elapsed_ms(), windows, single);
            assert_eq!(figures, expected, "{name}, newest first: {newest_first}, {concurrency} at a time, {script:?}");
            assert_eq!(setup.runtime.most_open_requests(), concurrency as usize);
        }
    }
}

#[test]
fn a_range_of_one_response_needs_no_more_requests_than_a_sequential_reader() {
    for newest_first in [false, true] {
        let query = RangeQuery { newest_first, ..RangeQuery::ALL };
        let urls = |concurrency| {
            let setup = slow_windows(even_history(90), Script::with_page_limit(100), query);
            read_blocks(&setup, concurrency);
            setup.runtime.take_urls()
        };
        assert_eq!(urls(2), urls(1));
    }
}

#[test]
fn the_number_of_requests_in_flight_is_limited() {
    for concurrency in [2, 4] {
        let setup = slow_windows(even_history(6_000), Script::with_page_limit(100), RangeQuery::ALL);
        let mut reader = setup.open(concurrency, None);
        let mut most = 0;
        while setup.runtime.block_on(reader.next()).unwrap().is_some() {
            most = most.max(setup.runtime.most_open_requests());
        }
        assert_eq!(most, concurrency as usize);
    }
}

#[test]
fn one_request_at_a_time_reads_nothing_ahead() {
    let setup = slow_windows(even_history(600), Script::with_page_limit(100), RangeQuery::ALL);
    let mut reader = setup.open(1, None);
    setup.runtime.block_on(reader.next()).unwrap();
    poll_once_and_drop(reader.next());
    setup.runtime.block_on(setup.runtime.sleep(10_000));
    assert_eq!(count_requests(&setup), (2, 0));
}

#[test]
fn reading_ahead_stops_when_the_buffers_are_full() {
    const PAGE_LIMIT: u64 = 100;
    for (concurrency, newest_first) in [(2, false), (4, false), (4, true)] {
        let query = RangeQuery { newest_first, ..RangeQuery::ALL };
        let setup = slow_windows(even_history(60_000), Script::with_page_limit(PAGE_LIMIT), query);
        let mut reader = setup.open(concurrency, None);
        for _ in 0..3 {
            setup.runtime.block_on(reader.next()).unwrap();
        }
        setup.runtime.block_on(setup.runtime.sleep(10_000_000));
        let (windows, _) = count_requests(&setup);
        let most = windows as u64 * PAGE_LIMIT;
        let bound = (2 * u64::from(concurrency) + 3) * PAGE_LIMIT;
        assert!(most <= bound, "{most} of {bound} rows");
        assert_eq!(setup.runtime.open_requests(), 0);
    }
}

#[test]
fn the_error_of_a_part_follows_the_rows_before_it() {
    for newest_first in [false, true] {
        let query = RangeQuery { newest_first, ..RangeQuery::ALL };
        // The third quarter of the blocks cannot be read at first.
        let is_broken = Rc::new(Cell::new(true));
        let broken = Rc::clone(&is_broken);
        let mut setup = Setup::new(even_history(1_000), Script::with_page_limit(100), query);
        let service = setup.service.clone();
        setup.runtime = TestRuntime::with_service(move |url| {
            let (name, end) = if newest_first { ("endblock", 4_000) } else { ("startblock", 0) };
            let start = Query::parse(url).number(name).unwrap_or(end);
            if broken.get() && !url.ends_with("&offset=1") && (2_500..3_250).contains(&start) {
                return MockResponse::default().wait(300).and_head(403, &[]).chunk("no");
            }
            service.respond(url, 300)
        });
        let mut reader = setup.open(4, None);
        let mut blocks = Vec::new();
        let error = loop {
            match setup.runtime.block_on(reader.next()) {
                Ok(page) => blocks.extend(rows(&page.unwrap()).iter().map(|row| row.block)),
                Err(error) => break error,
            }
        };
        assert_eq!(error.status, Some(403));
        let mut urls = setup.runtime.take_urls();
        let requests = urls.len();
        urls.sort_unstable();
        urls.dedup();
        assert_eq!(urls.len(), requests, "a request was repeated before its error");
        let last = blocks[blocks.len() - 1];
        assert!(blocks.is_sorted_by(|a, b| if newest_first { a > b } else { a < b }) && !blocks.is_empty());
        assert_eq!(error.resume_token, reader.resume_token());
        assert_eq!(reader.report().records, blocks.len() as u64);
        is_broken.set(false);
        // The same reader and a sequential one both continue exactly there.
        for mut next in [setup.open(1, error.resume_token.as_deref()), reader] {
            let mut rest = Vec::new();
            while let Some(page) = setup.runtime.block_on(next.next()).unwrap() {
                rest.extend(rows(&page).iter().map(|row| row.block));
            }
            let expected = setup.expected_rows().into_iter().map(|row| row.block);
            assert_eq!([&*blocks, &rest].concat(), expected.collect::<Vec<_>>(), "after {last}");
        }
    }
}

#[test]
fn dropping_the_reader_ends_all_requests() {
    let setup = slow_windows(even_history(6_000), Script::with_page_limit(100), RangeQuery::ALL);
    let mut reader = setup.open(4, None);
    setup.runtime.block_on(reader.next()).unwrap();
    poll_once_and_drop(reader.next());
    assert!(setup.runtime.open_requests() > 1);
    drop(reader);
    assert_eq!(setup.runtime.open_requests(), 0);
}

#[test]
fn requests_do_not_time_out_while_the_caller_is_slow() {
    let setup = slow_windows(even_history(3_000), Script::with_page_limit(100), RangeQuery::ALL);
    let mut reader = setup.open(4, None);
    while setup.runtime.block_on(reader.next()).unwrap().is_some() {
        setup.runtime.block_on(setup.runtime.sleep(100_000));
    }
    // A window that times out is halved. No window is smaller than a full response, except the last one of each part.
    let requests = setup.runtime.take_urls().len();
    assert!(requests < 45, "{requests} requests");
    assert_eq!(reader.report().requests as usize, requests);
}

/// Reads 1,800 young blocks with one transfer each, in parts. Requests for the oldest blocks take `slow_ms`. The newest block
/// changes after its first read. Returns the blocks that are reported as changed.
fn read_changing_head(newest_first: bool, slow_ms: u64, age_ms: u64) -> Vec<u64> {
    const HEAD: u64 = 1_800;
    let query = RangeQuery { newest_first, ..RangeQuery::ALL };
    let rows = (1..=HEAD).map(|block| Row::new(block, block)).collect();
    let mut setup = Setup::new(rows, Script::with_page_limit(200), query).with_age(age_ms);
    let service = setup.service.clone();
    setup.runtime = TestRuntime::with_service(move |url| {
        let query = Query::parse(url);
        let (low, high) = (query.number("startblock").unwrap_or(0), query.number("endblock").unwrap_or(HEAD));
        let is_window = query.get("offset") != Some("1");
        let is_oldest = if newest_first { high < 226 } else { low < 226 };
        let response = service.respond(url, if is_oldest && is_window { slow_ms } else { 1 });
        if is_window && high >= HEAD && (newest_first || low + 200 > HEAD) {
            // The newest block is in the response.
            service.edit(|list| list.rows.last_mut().unwrap().id = 9_999);
        }
        response
    });
    let mut reader = setup.open(8, None);
    while setup.runtime.block_on(reader.next()).unwrap().is_some() {}
    assert_eq!((reader.report().records, reader.resume_token()), (HEAD, None));
    assert!(reader.report().complete);
    reader.report().changed_blocks.clone()
}

#[test]
fn the_newest_block_is_requested_again_at_the_end_in_both_orders() {
    for newest_first in [false, true] {
        let changed = |slow_ms, age_ms| read_changing_head(newest_first, slow_ms, age_ms);
        assert_eq!(changed(20_000, 60_000), [1_800], "newest first: {newest_first}");
        assert_eq!(changed(20_000, 7_200_000), [0_u64; 0], "the block is too old");
        assert_eq!(changed(10, 60_000), [0_u64; 0], "it was read a moment ago");
    }
}
