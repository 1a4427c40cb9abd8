//! Reading past what one request reaches: whatever the history, the service's moods and the caller's interruptions, every
//! row that was there all the time comes once, in order, and the report is true.

pub mod dice;
mod service;

use std::cell::Cell;
use std::collections::BTreeMap;
use std::future::Future;
use std::pin::pin;
use std::task::{Context, Poll, Waker};

use address_query::client::range::Unprocessed;
use address_query::client::{
    Client, ClientSettings, Event, EventKind, EventSink, Patience, RangeReader, RateLimits, Report,
};
use address_query::decode::{FramePage, Leniency};
use address_query::endpoint::{ActionParams, BalanceParams, ParamValue, Request, TokenTxParams, TxListInternalParams};
use address_query::error::{Error, ErrorCode};
use address_query::record::{Record, field_index};
use address_query::types::Erc20Transfer;

use crate::runtime::{Reply, START_MS, Script, Together, abandon};
use crate::support::HASH_A;
use dice::Dice;
use service::{BAD, Deep, Fault, Mood, Row, Service};

/// What the caller asks for.
#[derive(Debug, Clone, Copy)]
struct Asked {
    start: Option<u64>,
    end: Option<u64>,
    newest_first: bool,
}

impl Asked {
    const ALL: Self = Self { start: None, end: None, newest_first: false };

    fn holds(self, row: Row) -> bool {
        self.start.is_none_or(|start| start <= row.block) && self.end.is_none_or(|end| row.block <= end)
    }

    /// Those of the range, in its order.
    fn of(self, rows: &[Row]) -> Vec<Row> {
        let mut rows: Vec<Row> = rows.iter().copied().filter(|row| self.holds(*row)).collect();
        if self.newest_first {
            rows.reverse();
        }
        rows
    }
}

/// What came of reading.
#[derive(Debug, Default)]
struct Outcome {
    rows: Vec<Row>,
    report: Report,
    /// Errors that the caller saw.
    errors: Vec<Error>,
    /// How often rows came before the end of their window.
    parts: u32,
}

impl Outcome {
    /// Adds what another reader of the same range says.
    fn add(&mut self, report: Report) {
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

    /// Blocks that are reported as incomplete, with the number of their rows that were read.
    fn incomplete(&self) -> Vec<(u64, u64)> {
        self.report.incomplete_blocks.iter().map(|known| (known.block, known.records)).collect()
    }
}

fn now<T>(future: impl Future<Output = T>) -> T {
    match pin!(future).poll(&mut Context::from_waker(Waker::noop())) {
        Poll::Ready(value) => value,
        Poll::Pending => panic!("waits for what never comes"),
    }
}

fn reader(service: &Service, asked: Asked, resume: Option<&str>) -> Result<RangeReader<Service>, Error> {
    reader_with(service, asked, Leniency::default(), resume)
}

fn reader_with(
    service: &Service,
    asked: Asked,
    leniency: Leniency,
    resume: Option<&str>,
) -> Result<RangeReader<Service>, Error> {
    let text = |text: &str| ParamValue::String(text.to_owned());
    let number = |name: &'static str, number: Option<u64>| number.map(|number| (name, text(&number.to_string())));
    let sort = (!asked.newest_first).then(|| ("sort", text("asc")));
    let values =
        [Some(("address", text(HASH_A))), sort, number("startblock", asked.start), number("endblock", asked.end)];
    let request = Request::new(TokenTxParams::ACTION, values.into_iter().flatten()).unwrap();
    let client = Client::new(service.clone(), "https://eth.blockscout.com".parse().unwrap())
        .with_patience(Patience { max_attempts: service.0.mood.attempts, ..Patience::default() });
    let reader = RangeReader::new(client, TokenTxParams::ACTION, request, leniency, resume)?;
    Ok(reader.with_window(service.0.mood.window))
}

fn rows(page: &FramePage) -> Vec<Row> {
    const BLOCK: usize = field_index(Erc20Transfer::TABLE.names, "blockNumber");
    const HASH: usize = field_index(Erc20Transfer::TABLE.names, "hash");
    let text = |slot: u32| std::str::from_utf8(page.frame.content(slot).unwrap()).unwrap();
    let row = |&at: &u32| Row {
        block: text(page.frame.get(at as usize + BLOCK)).parse().unwrap(),
        id: u64::from_str_radix(&text(page.frame.get(at as usize + HASH))[2..], 16).unwrap(),
    };
    page.rows.iter().map(row).collect()
}

/// Reads to the end. After so many of a hundred windows and errors a new reader goes on from the token.
fn read(service: &Service, asked: Asked, dice: &mut Dice, resumes: u64) -> Outcome {
    let mut outcome = Outcome::default();
    let mut current = reader(service, asked, None).unwrap();
    loop {
        let was_arriving = current.is_arriving();
        let read = now(current.next());
        assert!(service.0.open.get() <= i32::from(current.is_arriving()), "a body is open that nobody reads");
        let report = current.report();
        match read {
            Ok(None) => {
                assert_eq!(current.resume_token(), None, "a token at the end");
                outcome.add(report);
                return outcome;
            }
            Ok(Some(page)) => {
                assert!(page.rows.len() as u64 <= service.0.mood.window, "more than a window at once");
                assert!(!page.rows.is_empty() || was_arriving, "an empty window");
                outcome.parts += u32::from(current.is_arriving());
                outcome.rows.extend(rows(&page));
            }
            Err(error) => {
                assert_eq!(error.resume_token, current.resume_token());
                outcome.errors.push(error);
            }
        }
        if dice.percent(resumes) {
            outcome.add(report);
            let token = current.resume_token();
            assert!(token.is_some() || outcome.rows.is_empty() || outcome.report.next_block.is_none());
            if token.is_none() && !outcome.rows.is_empty() {
                assert!(now(current.next()).unwrap().is_none(), "rows, but no token");
                return outcome;
            }
            current = reader(service, asked, token.as_deref()).unwrap();
        } else if resumes > 0 && dice.percent(20) {
            // The reader stays where it is.
            current.let_go();
        }
    }
}

fn counts(rows: &[Row]) -> BTreeMap<Row, usize> {
    let mut counts = BTreeMap::new();
    for row in rows {
        *counts.entry(*row).or_default() += 1;
    }
    counts
}

/// What must hold whatever happened.
fn check(service: &Service, asked: Asked, outcome: &Outcome) {
    let Outcome { rows, report, .. } = outcome;
    let mood = service.0.mood;
    let in_order = |a: &Row, b: &Row| if asked.newest_first { a.block >= b.block } else { a.block <= b.block };
    assert!(rows.is_sorted_by(in_order), "out of order");
    assert!(rows.iter().all(|row| asked.holds(*row)), "rows of other blocks");

    let ever = counts(&service.0.ever.borrow());
    for (row, count) in counts(rows) {
        assert!(ever.get(&row).is_some_and(|known| *known >= count), "{row:?} came {count} times");
    }

    // Of a block that could not be read, as many as are reported; of the others all, in the service's order.
    let incomplete: BTreeMap<u64, u64> = outcome.incomplete().into_iter().collect();
    assert_eq!(incomplete.len(), report.incomplete_blocks.len(), "a block is reported twice");
    for (&block, &count) in &incomplete {
        assert_eq!(rows.iter().filter(|row| row.block == block).count() as u64, count, "of block {block}");
    }
    let throughout = asked.of(&service.0.throughout.borrow());
    let is_whole = |row: &Row| !incomplete.contains_key(&row.block);
    let expected: Vec<Row> = throughout.iter().copied().filter(is_whole).collect();
    let kept = counts(&throughout);
    let came: Vec<Row> = rows.iter().copied().filter(|row| is_whole(row) && kept.contains_key(row)).collect();
    assert_eq!(came, expected, "what was there all the time");

    // Complete where it says so, and only there.
    let mut sizes = BTreeMap::<u64, u64>::new();
    for row in &throughout {
        *sizes.entry(row.block).or_default() += 1;
    }
    let too_large: Vec<u64> =
        sizes.into_iter().filter(|(_, size)| *size >= mood.window).map(|(block, _)| block).collect();
    let unchanged = service.0.changed_from.get();
    let reported: Vec<u64> = incomplete.keys().copied().filter(|block| *block < unchanged).collect();
    let grown = mood.changes > 0;
    if mood.deep == Deep::Pages {
        assert!(incomplete.is_empty(), "{incomplete:?} could be read");
    } else if grown {
        assert!(too_large.iter().all(|block| reported.contains(block)), "{too_large:?} {reported:?}");
    } else {
        assert_eq!(reported, too_large);
        assert!(incomplete.values().all(|count| *count == mood.window), "{incomplete:?}");
    }
    assert!(report.changed_blocks.iter().all(|block| *block >= unchanged), "{:?}", report.changed_blocks);
    assert!(report.unprocessed.is_empty());

    assert_eq!(report.records, rows.len() as u64);
    if mood.attempts == 1 {
        assert_eq!(report.requests, service.0.requests.get());
    }
    assert_eq!(report.windows, service.0.windows.get());
    assert_eq!(report.next_block, None);
}

/// A history of one of many kinds: block after block, at most `window` rows but for giants.
fn history(dice: &mut Dice, window: u64) -> Vec<Row> {
    let (gap, most) = match dice.roll(0, 5) {
        0 => return Vec::new(),
        1 => (dice.roll(1, 2_000), 1),
        2 => (dice.roll(1, 400), dice.roll(1, window)),
        _ => (dice.roll(1, 3), dice.roll(1, window)),
    };
    let giants = [0, 0, 10, 40][usize::try_from(dice.roll(0, 3)).unwrap()];
    let wanted = if dice.percent(5) { 1 } else { dice.roll(1, 8 * window) };
    let mut rows = Vec::<Row>::new();
    let mut block = dice.roll(0, gap);
    while (rows.len() as u64) < wanted {
        let size = if dice.percent(giants) { dice.roll(window, 3 * window) } else { dice.roll(0, most) };
        for index in 0..size {
            // Every third one is another one than all others, so no two pages of a giant are equal.
            let again = index % 3 != 0 && dice.percent(40);
            let id = if again { rows.last().unwrap().id } else { rows.len() as u64 };
            rows.push(Row { block, id });
        }
        block += dice.roll(1, gap);
    }
    rows
}

fn asked(dice: &mut Dice, head: u64) -> Asked {
    let mut bound = |low: u64| dice.percent(40).then(|| dice.roll(low, head.max(low) + 2));
    let start = bound(0);
    let end = bound(start.unwrap_or(0));
    Asked { start, end, newest_first: dice.percent(50) }
}

/// So many random cases; each has a number that brings it back.
fn cases(name: u64, count: u64, mut case: impl FnMut(&mut Dice, u64)) {
    for number in 0..count {
        let seed = name << 32 | number;
        let run = std::panic::AssertUnwindSafe(|| case(&mut Dice::new(seed), seed));
        if let Err(cause) = std::panic::catch_unwind(run) {
            eprintln!("case {number}");
            std::panic::resume_unwind(cause);
        }
    }
}

fn deep(dice: &mut Dice) -> Deep {
    [Deep::Pages, Deep::Ignored, Deep::Refused][usize::try_from(dice.roll(0, 2)).unwrap()]
}

#[test]
fn every_row_comes_once_and_in_order() {
    cases(1, 1_000, |dice, seed| {
        let window = dice.roll(5, 40);
        let rows = history(dice, window);
        let asked = asked(dice, rows.last().map_or(0, |row| row.block));
        let service = Service::new(rows, Mood { deep: deep(dice), ..Mood::calm(window) }, seed);
        let resumes = if dice.percent(50) { 30 } else { 0 };
        let outcome = read(&service, asked, dice, resumes);
        assert_eq!(outcome.errors, []);
        check(&service, asked, &outcome);
    });
}

#[test]
fn growth_and_reorganisations_double_nothing_and_lose_nothing_that_stayed() {
    cases(2, 1_000, |dice, seed| {
        let window = dice.roll(5, 30);
        let rows = history(dice, window);
        let asked = asked(dice, rows.last().map_or(0, |row| row.block));
        let service = Service::new(rows, Mood { deep: deep(dice), changes: 30, ..Mood::calm(window) }, seed);
        let resumes = if dice.percent(50) { 30 } else { 0 };
        let outcome = read(&service, asked, dice, resumes);
        assert_eq!(outcome.errors, []);
        check(&service, asked, &outcome);
    });
}

#[test]
fn windows_that_are_too_wide_for_the_service_are_read_in_parts() {
    cases(3, 500, |dice, seed| {
        let window = dice.roll(5, 30);
        let rows = history(dice, window);
        let head = rows.last().map_or(0, |row| row.block);
        let asked = asked(dice, head);
        let fault = Fault::WiderThan(dice.roll(1 + head / 100, 2 + head));
        let mood = Mood { deep: deep(dice), fault, changes: dice.roll(0, 1) * 10, ..Mood::calm(window) };
        let service = Service::new(rows, mood, seed);
        let outcome = read(&service, asked, dice, 0);
        assert_eq!(outcome.errors, []);
        check(&service, asked, &outcome);
    });
}

#[test]
fn after_an_error_the_caller_goes_on_with_the_same_reader_or_a_new_one() {
    let mut errors = 0;
    cases(4, 1_000, |dice, seed| {
        let window = dice.roll(5, 30);
        let rows = history(dice, window);
        let asked = asked(dice, rows.last().map_or(0, |row| row.block));
        let fault = Fault::Percent(dice.roll(10, 50));
        let mood = Mood { deep: deep(dice), fault, changes: dice.roll(0, 1) * 10, ..Mood::calm(window) };
        let service = Service::new(rows, mood, seed);
        let outcome = read(&service, asked, dice, 50);
        assert!(outcome.errors.iter().all(|error| error.code == ErrorCode::Timeout || error.status >= Some(500)));
        errors += outcome.errors.len();
        check(&service, asked, &outcome);
    });
    assert!(errors > 500, "{errors} errors are too few to tell");
}

/// A full window gives out all but its last block, so one of blocks with at most `most` rows brings `window - most` at
/// least.
#[test]
fn requests_are_few() {
    cases(5, 500, |dice, seed| {
        let window = dice.roll(10, 50);
        let most = dice.roll(1, 4);
        let mut rows = Vec::new();
        for block in 0..dice.roll(1, 300) {
            rows.extend((0..dice.roll(0, most)).map(|index| Row { block, id: 10 * block + index }));
        }
        let asked = asked(dice, 300);
        let breaks = dice.roll(0, 1) * 20;
        let mood = Mood { breaks, stalls: false, ..Mood::calm(window) }.in_pieces(dice);
        let service = Service::new(rows, mood, seed);
        let outcome = read(&service, asked, dice, 0);
        check(&service, asked, &outcome);
        let broken = u64::from(service.0.broken.get());
        let bound = outcome.report.records.div_ceil(window - most) + 1 + broken;
        assert!(u64::from(outcome.report.requests) <= bound, "{} of {bound}", outcome.report.requests);
    });
}

#[test]
fn rows_of_windows_in_pieces_come_once_and_early() {
    let mut parts = 0;
    cases(7, 1_000, |dice, seed| {
        let window = dice.roll(5, 60);
        let rows = history(dice, window);
        let asked = asked(dice, rows.last().map_or(0, |row| row.block));
        let mood = Mood { deep: deep(dice), changes: dice.roll(0, 1) * 20, ..Mood::calm(window) }.in_pieces(dice);
        let service = Service::new(rows, mood, seed);
        let outcome = read(&service, asked, dice, 0);
        assert_eq!(outcome.errors, []);
        check(&service, asked, &outcome);
        parts += outcome.parts;
    });
    assert!(parts > 3_000, "{parts} parts are too few to tell");
}

#[test]
fn an_answer_that_breaks_off_costs_no_row() {
    let (mut parts, mut errors, mut broken) = (0, 0, 0);
    cases(8, 2_000, |dice, seed| {
        let window = dice.roll(5, 60);
        let rows = history(dice, window);
        let asked = asked(dice, rows.last().map_or(0, |row| row.block));
        let (breaks, changes) = (dice.roll(10, 60), dice.roll(0, 1) * 20);
        let attempts = if dice.percent(50) { 1 } else { 5 };
        let mood = Mood { deep: deep(dice), breaks, changes, attempts, ..Mood::calm(window) }.in_pieces(dice);
        let service = Service::new(rows, mood, seed);
        let outcome = read(&service, asked, dice, dice_of(seed));
        for error in &outcome.errors {
            let is_broken = matches!(error.code, ErrorCode::Timeout | ErrorCode::Network | ErrorCode::Decode);
            assert!(is_broken && error.url.is_some() && error.attempts.is_some(), "{error:?}");
        }
        check(&service, asked, &outcome);
        parts += outcome.parts;
        errors += outcome.errors.len();
        broken += service.0.broken.get();
    });
    assert!(parts > 8_000 && errors > 1_500 && broken > 5_000, "{parts}, {errors}, {broken} are too few to tell");
}

/// Some readers are replaced often, others never.
const fn dice_of(seed: u64) -> u64 {
    if seed.is_multiple_of(2) { 20 } else { 0 }
}

#[test]
fn a_service_that_ignores_the_blocks_is_noticed() {
    let mut noticed = 0;
    cases(6, 300, |dice, seed| {
        let window = dice.roll(5, 20);
        let rows = history(dice, window);
        let asked = asked(dice, rows.last().map_or(0, |row| row.block));
        let all = rows.clone();
        let service = Service::new(rows, Mood { ignores_blocks: true, ..Mood::calm(window) }, seed);
        let mut reader = reader(&service, asked, None).unwrap();
        let mut came = Vec::new();
        let error = loop {
            match now(reader.next()) {
                Ok(Some(page)) => came.extend(self::rows(&page)),
                Ok(None) => break None,
                Err(error) => break Some(error),
            }
        };
        let expected = asked.of(&all);
        assert!(expected.starts_with(&came), "doubled or out of order");
        match error {
            None => assert_eq!(came, expected),
            Some(error) => {
                noticed += 1;
                assert_eq!(error.code, ErrorCode::Cursor);
                assert!(error.message.starts_with("the service gave rows of other blocks"), "{error}");
                // Nor does asking again help.
                assert_eq!(now(reader.next()).map(drop).unwrap_err().code, ErrorCode::Cursor);
                assert_eq!(reader.report().records, came.len() as u64);
            }
        }
    });
    assert!(noticed > 100, "{noticed} are too few to tell");
}

fn one_a_block(blocks: std::ops::Range<u64>) -> Vec<Row> {
    blocks.map(|block| Row { block, id: block }).collect()
}

#[test]
fn the_real_window_is_ten_thousand() {
    for (newest_first, bounds) in
        [(false, ["startblock=10000", "startblock=19999"]), (true, ["endblock=15001", "endblock=5002"])]
    {
        let asked = Asked { newest_first, ..Asked::ALL };
        let service = Service::new(one_a_block(1..25_001), Mood::calm(10_000), 0);
        let mut reader = reader(&service, asked, None).unwrap();
        let mut outcome = Outcome::default();
        while let Some(page) = now(reader.next()).unwrap() {
            outcome.rows.extend(rows(&page));
            drop(page);
            let held = format!("{reader:?}").len();
            assert!(held < 50_000, "the reader holds {held} bytes between windows");
        }
        outcome.add(reader.report());
        check(&service, asked, &outcome);
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
fn a_giant_block_is_read_page_by_page() {
    let blocks: Vec<Row> = [(5, 4), (6, 22), (7, 3)]
        .into_iter()
        .flat_map(|(block, size)| (0..size).map(move |index| Row { block, id: 100 * block + index }))
        .collect();
    for (deep, reason) in [
        (Deep::Pages, None),
        (Deep::Ignored, Some("the service gives the same rows for every page")),
        (Deep::Refused, Some("the service refused the request: \"Result window is too large\"; check the parameters")),
    ] {
        let service = Service::new(blocks.clone(), Mood { deep, ..Mood::calm(10) }, 0);
        // A new reader for every window: it still knows which page it saw.
        let outcome = read(&service, Asked::ALL, &mut Dice::new(0), 100);
        check(&service, Asked::ALL, &outcome);
        let pages: Vec<String> = service.0.urls.take();
        let queries: Vec<&str> = pages.iter().map(|url| url.split_once("&sort=asc&").unwrap().1).collect();
        let first = ["page=1&offset=10", "startblock=6&page=1&offset=10", "startblock=6&endblock=6&page=2"];
        let third: &[&str] = if reason.is_none() { &["startblock=6&endblock=6&page=3"] } else { &[] };
        // A new reader does not know yet that the service gives more than three rows at once.
        let last = [
            "startblock=7&page=1&offset=10",
            "startblock=7&endblock=7&page=4&offset=1",
            "startblock=8&page=1&offset=10",
        ];
        assert_eq!(queries, [&first[..], third, &last].concat());
        let known: Vec<(u64, u64, &str)> = outcome
            .report
            .incomplete_blocks
            .iter()
            .map(|known| (known.block, known.records, known.reason.as_str()))
            .collect();
        assert_eq!(known, reason.map(|reason| (6, 10, reason)).into_iter().collect::<Vec<_>>());
    }
}

#[test]
fn tokens_of_other_readings_are_refused() {
    let service = Service::new(one_a_block(0..30), Mood::calm(10), 0);
    let mut first = reader(&service, Asked::ALL, None).unwrap();
    assert_eq!(first.resume_token(), None, "nothing was read");
    assert_eq!(first.report().next_block, Some(0));
    now(first.next()).unwrap();
    assert_eq!(first.report().next_block, Some(9));
    let token = first.resume_token().unwrap();
    for asked in [
        Asked { newest_first: true, ..Asked::ALL },
        Asked { start: Some(1), ..Asked::ALL },
        Asked { end: Some(20), ..Asked::ALL },
    ] {
        let error = reader(&service, asked, Some(&token)).map(drop).unwrap_err();
        assert_eq!(error.parameter.as_deref(), Some("resume"), "{error}");
    }
    let error = reader(&service, Asked::ALL, Some(&token[..token.len() - 1])).map(drop).unwrap_err();
    assert_eq!((error.code, error.parameter.as_deref()), (ErrorCode::InvalidParameter, Some("resume")));
}

#[test]
fn an_empty_range_of_a_slow_service_ends() {
    for newest_first in [false, true] {
        let asked = Asked { start: Some(100), end: None, newest_first };
        let mood = Mood { fault: Fault::WiderThan(1), ..Mood::calm(10) };
        let service = Service::new(one_a_block(0..50), mood, 0);
        let outcome = read(&service, asked, &mut Dice::new(0), 0);
        check(&service, asked, &outcome);
        assert_eq!((outcome.rows.len(), outcome.report.requests), (0, 2));
    }
}

#[test]
fn a_block_that_changed_while_it_was_read_is_reported() {
    for newest_first in [false, true] {
        let service = Service::new(one_a_block(0..30), Mood::calm(10), 0);
        let mut reader = reader(&service, Asked { newest_first, ..Asked::ALL }, None).unwrap();
        now(reader.next()).unwrap();
        let cut = reader.report().next_block.unwrap();
        service.0.rows.borrow_mut().iter_mut().find(|row| row.block == cut).unwrap().id = 1_000;
        let page = now(reader.next()).unwrap().unwrap();
        assert_eq!(rows(&page)[0], Row { block: cut, id: 1_000 });
        while now(reader.next()).unwrap().is_some() {}
        assert_eq!(reader.report().changed_blocks, [cut]);
        assert_eq!(reader.report().records, 30);
    }
}

#[test]
fn a_block_that_changed_between_two_sessions_is_reported() {
    let all: Vec<Row> = (0..60).map(|id| Row { block: id / 4, id }).collect();
    for newest_first in [false, true] {
        for change in [None, Some(0), Some(1)] {
            let service = Service::new(all.clone(), Mood::calm(10), 0);
            let asked = Asked { newest_first, ..Asked::ALL };
            let mut first = reader(&service, asked, None).unwrap();
            now(first.next()).unwrap();
            let cut = first.report().next_block.unwrap();
            let token = first.resume_token().unwrap();
            if let Some(index) = change {
                let mut rows = service.0.rows.borrow_mut();
                let mut of_block: Vec<&mut Row> = rows.iter_mut().filter(|row| row.block == cut).collect();
                if newest_first {
                    of_block.reverse();
                }
                of_block[index].id += 1_000;
            }
            let mut resumed = reader(&service, asked, Some(&token)).unwrap();
            assert_eq!(resumed.resume_token(), Some(token));
            while now(resumed.next()).unwrap().is_some() {}
            let changed: Vec<u64> = change.map(|_| cut).into_iter().collect();
            assert_eq!(resumed.report().changed_blocks, changed, "{newest_first} {change:?}");
        }
    }
}

#[test]
fn every_row_comes_where_the_service_gives_fewer_rows_than_it_is_asked_for() {
    for cap in [100, 1_000, 9_999] {
        for newest_first in [false, true] {
            let asked = Asked { newest_first, ..Asked::ALL };
            let service = Service::new(one_a_block(1..15_001), Mood { cap, ..Mood::calm(10_000) }, 0);
            let outcome = read(&service, asked, &mut Dice::new(0), 0);
            check(&service, asked, &outcome);
            assert_eq!((outcome.rows.len(), outcome.report.response_limit), (15_000, Some(cap)));
            let fewest = u32::try_from(15_000_u64.div_ceil(cap - 1)).unwrap();
            assert!(outcome.report.requests <= fewest + 1, "{} of {fewest}", outcome.report.requests);
        }
    }
}

#[test]
fn no_limit_of_a_service_costs_a_row_whatever_the_history() {
    let mut limits = 0;
    cases(9, 2_000, |dice, seed| {
        // Equal pages of a block are taken for one page that comes again.
        let cap = dice.roll(3, 20);
        // Pages of so many rows reach as far as the service lets them.
        let window = cap * dice.roll(2, 6);
        let rows = history(dice, window);
        let asked = asked(dice, rows.last().map_or(0, |row| row.block));
        let changes = dice.roll(0, 1) * 10;
        let mut mood = Mood { cap, deep: Deep::Refused, changes, ..Mood::calm(window) };
        if dice.percent(50) {
            mood = mood.in_pieces(dice);
        }
        let total = asked.of(&rows).len() as u64;
        let service = Service::new(rows, mood, seed);
        let resumes = dice_of(seed);
        let outcome = read(&service, asked, dice, resumes);
        assert_eq!(outcome.errors, []);
        check(&service, asked, &outcome);
        if changes == 0 {
            let limit = outcome.report.response_limit;
            assert!(limit.is_none_or(|limit| limit == cap), "{limit:?}");
            assert!(resumes > 0 || limit.is_some() == (total > cap), "{total} rows, {cap} at once, {limit:?}");
        }
        limits += u32::from(outcome.report.response_limit.is_some());
    });
    assert!(limits > 500, "{limits} limits are too few to tell");
}

#[test]
fn a_range_with_one_short_answer_costs_one_further_request() {
    let of_block = |block, size| (0..size).map(move |id| Row { block, id });
    let blocks = |count: u64| one_a_block(1..count + 1);
    for (rows, requests) in [
        (vec![], 1),
        (blocks(1), 2),
        (blocks(2), 2),
        (blocks(9_999), 2),
        (of_block(7, 1).collect(), 2),
        (of_block(7, 40).collect(), 2),
        (of_block(7, 9_999).collect(), 2),
        (of_block(7, 20).chain(of_block(8, 20)).collect(), 2),
        // After a full answer no other is in doubt.
        (blocks(10_001), 2),
        (blocks(15_000), 2),
    ] {
        for newest_first in [false, true] {
            let asked = Asked { newest_first, ..Asked::ALL };
            let service = Service::new(rows.clone(), Mood::calm(10_000), 0);
            let outcome = read(&service, asked, &mut Dice::new(0), 0);
            check(&service, asked, &outcome);
            assert_eq!(outcome.report.requests, requests, "{} rows", rows.len());
            assert_eq!(outcome.report.response_limit, None);
        }
    }
}

#[test]
fn new_rows_at_the_head_are_no_limit() {
    for size in [1, 3] {
        let block = |block: u64| {
            let row = transfer(block).replacen('{', &format!(r#"{{"timeStamp":"{}","#, START_MS / 1_000), 1);
            vec![row; size].join(",")
        };
        let answer =
            |rows: &[String]| Reply::ok(format!(r#"{{"message":"OK","result":[{}],"status":"1"}}"#, rows.join(",")));
        let script = Script::new([answer(&[block(1), block(2)]), answer(&[block(2), block(3)]), answer(&[block(3)])]);
        let (_, mut reader) = scripted(&script, Patience::default(), RateLimits::default());
        let mut came = Vec::new();
        while let Some(page) = script.block_on(reader.next()).unwrap() {
            came.extend(rows(&page));
        }
        assert_eq!((came.len(), reader.report().response_limit), (3 * size, None));
    }
}

#[test]
fn an_unreadable_row_of_the_last_block_is_reported_once() {
    for newest_first in [false, true] {
        let rows = [(4, 0), (5, 1), (5, 2), (5, BAD), (6, BAD), (6, 3), (6, 4), (7, 5)];
        let rows: Vec<Row> = rows.map(|(block, id)| Row { block, id }).to_vec();
        for count in 3..=rows.len() {
            let service = Service::new(rows[..count].to_vec(), Mood::calm(10), 0);
            let lenient = Leniency { skip_bad_rows: true, ..Leniency::default() };
            let asked = Asked { newest_first, ..Asked::ALL };
            let mut reader = reader_with(&service, asked, lenient, None).unwrap();
            let (mut came, mut bad) = (Vec::new(), 0);
            while let Some(page) = now(reader.next()).unwrap() {
                came.extend(self::rows(&page));
                bad += page.bad_rows.len();
            }
            let (unreadable, readable): (Vec<Row>, Vec<Row>) =
                asked.of(&rows[..count]).into_iter().partition(|row| row.id == BAD);
            assert_eq!((came, bad), (readable, unreadable.len()), "{count} rows, newest first: {newest_first}");
        }
    }
}

/// A descending reading of 15 blocks with one transfer each, the newest of this age, whose answers come after so long.
/// `change` is made to the newest blocks after the first answer; a new session goes on then, if so wished.
fn newest_after(age_ms: u64, wait: u64, change: bool, resumes: bool) -> (Report, usize) {
    const HEAD: u64 = 15;
    let requests = std::rc::Rc::new(Cell::new(0_usize));
    let count = std::rc::Rc::clone(&requests);
    let script = Script::of(move |url| {
        let given = |name: &str| url.split_once(name)?.1.split('&').next()?.parse::<u64>().ok();
        let (low, high) = (given("startblock=").unwrap_or(0), given("endblock=").unwrap_or(HEAD));
        let most = usize::try_from(given("&offset=").unwrap()).unwrap();
        count.set(count.get() + 1);
        let is_changed = change && count.get() > 1;
        let row = |block: u64| {
            let mined_at = (START_MS - age_ms) / 1_000 - 12 * (HEAD - block);
            let id = if is_changed && block > 12 { 1_000 + block } else { block };
            let row = transfer(id).replacen(&format!(r#"Number":"{id}""#), &format!(r#"Number":"{block}""#), 1);
            row.replacen('{', &format!(r#"{{"timeStamp":"{mined_at}","#), 1)
        };
        let rows: Vec<String> = (low.max(1)..=high).rev().map(row).take(most).collect();
        let body = format!(r#"{{"message":"OK","result":[{}],"status":"1"}}"#, rows.join(","));
        Reply::default().wait(wait).then_head(200, &[]).chunk(body)
    });
    let open = |token: Option<&str>| {
        let values = [("address", ParamValue::String(HASH_A.into()))];
        let request = Request::new(TokenTxParams::ACTION, values).unwrap();
        let client = Client::new(script.clone(), "https://eth.blockscout.com".parse().unwrap());
        let made = RangeReader::new(client, TokenTxParams::ACTION, request, Leniency::default(), token);
        made.unwrap().with_window(6)
    };
    let mut reader = open(None);
    script.block_on(reader.next()).unwrap();
    if resumes {
        reader = open(reader.resume_token().as_deref());
    }
    while script.block_on(reader.next()).unwrap().is_some() {}
    assert!(script.block_on(reader.next()).unwrap().is_none());
    assert_eq!((reader.resume_token(), reader.report().next_block), (None, None));
    (reader.report(), requests.get())
}

#[test]
fn a_descending_reading_looks_at_its_newest_block_again() {
    const MINUTE_MS: u64 = 60_000;
    for resumes in [false, true] {
        let (report, requests) = newest_after(MINUTE_MS, 6_000, true, resumes);
        assert_eq!((report.changed_blocks, requests), (vec![15], 4), "resumed: {resumes}");
        let (report, requests) = newest_after(MINUTE_MS, 6_000, false, resumes);
        assert_eq!((report.changed_blocks, requests), (vec![], 4), "nothing changed");
        for (age_ms, wait) in [(61 * MINUTE_MS, 5_000), (MINUTE_MS, 1_000)] {
            let (report, requests) = newest_after(age_ms, wait, true, resumes);
            assert_eq!((report.changed_blocks, requests), (vec![], 3), "too old, or too quick");
        }
    }
}

#[test]
fn a_row_that_cannot_be_read_costs_no_other() {
    // A full window of one block, as far as can be seen: the first row of all belongs to another one.
    let all: Vec<Row> = [Row { block: 5, id: BAD }]
        .into_iter()
        .chain((0..12).map(|id| Row { block: 6, id }))
        .chain([Row { block: 7, id: 12 }])
        .collect();
    for (newest_first, piece) in [(false, 0), (true, 0), (false, 300), (true, 300), (false, 1), (true, 1)] {
        let service = Service::new(all.clone(), Mood { piece, ..Mood::calm(10) }, 0);
        let asked = Asked { newest_first, ..Asked::ALL };
        let lenient = Leniency { skip_bad_rows: true, ..Leniency::default() };
        let mut reader = reader_with(&service, asked, lenient, None).unwrap();
        let (mut came, mut bad) = (Vec::new(), 0);
        while let Some(page) = now(reader.next()).unwrap() {
            came.extend(rows(&page));
            bad += page.bad_rows.len();
        }
        assert_eq!(came, asked.of(&all[1..]).into_iter().filter(|row| row.id != BAD).collect::<Vec<_>>());
        assert_eq!((bad, reader.report().records), (1, 13));
    }

    let service = Service::new(vec![Row { block: 5, id: BAD }; 10], Mood::calm(10), 0);
    let lenient = Leniency { skip_bad_rows: true, ..Leniency::default() };
    let mut reader = reader_with(&service, Asked::ALL, lenient, None).unwrap();
    let error = now(reader.next()).map(drop).unwrap_err();
    assert_eq!(error.code, ErrorCode::Decode);
    assert_eq!(error.message, "none of 10 rows can be read, so there is no block to go on from");
    assert_eq!((reader.report().windows, reader.report().requests), (0, 1));
}

#[test]
fn what_is_not_processed_is_reported() {
    let row = |block: u64| {
        format!(r#"{{"blockNumber":"{block}","from":"{HASH_A}","value":"1","transactionHash":"0x{block:064x}"}}"#)
    };
    let message = "Some internal transactions within this block range have not yet been processed";
    let answer =
        |rows: &[String]| Reply::ok(format!(r#"{{"status":"2","message":"{message}","result":[{}]}}"#, rows.join(",")));
    let script = Script::new([answer(&[row(10), row(11)]), answer(&[row(11)])]);
    let values = [("address", HASH_A), ("sort", "asc"), ("startblock", "10"), ("endblock", "20")];
    let values = values.map(|(name, value)| (name, ParamValue::String(value.into())));
    let request = Request::new(TxListInternalParams::ACTION, values).unwrap();
    let client = Client::new(script.clone(), "https://eth.blockscout.com".parse().unwrap());
    let reader = RangeReader::new(client, TxListInternalParams::ACTION, request, Leniency::default(), None).unwrap();
    let mut reader = reader.with_window(2);
    while script.block_on(reader.next()).unwrap().is_some() {}
    assert_eq!(reader.report().records, 2);
    assert_eq!(reader.report().unprocessed, [Unprocessed { first: 10, last: 20, message: message.into() }]);
}

/// A row of `tokentx`.
fn transfer(block: u64) -> String {
    let from = "0x00000000219ab540356cbb839cbe05303d7705fa";
    format!(r#"{{"blockNumber":"{block}","hash":"0x{block:064x}","from":"{from}"}}"#)
}

/// An answer with these rows, the first two by themselves, and whatever comes between them and the rest.
fn halves(blocks: std::ops::Range<u64>, between: impl FnOnce(Reply) -> Reply) -> Reply {
    let rows: Vec<String> = blocks.map(transfer).collect();
    let (first, rest) = rows.split_at(2);
    let head = Reply::default().wait(10).then_head(200, &[]);
    between(head.chunk(format!(r#"{{"message":"OK","result":[{},"#, first.join(","))))
        .chunk(format!(r#"{}],"status":"1"}}"#, rest.join(",")))
}

/// An answer with the row of the last block, which ends a range.
fn last_of(block: u64) -> Reply {
    Reply::ok(format!(r#"{{"message":"OK","result":[{}],"status":"1"}}"#, transfer(block)))
}

fn scripted(script: &Script, patience: Patience, limits: RateLimits) -> (Client<Script>, RangeReader<Script>) {
    let settings = ClientSettings { limits, ..ClientSettings::new("https://eth.blockscout.com".parse().unwrap()) };
    let client = Client::with_settings(script.clone(), settings).with_patience(patience);
    (client.clone(), reader_of(client))
}

fn reader_of(client: Client<Script>) -> RangeReader<Script> {
    let values = [("address", HASH_A), ("sort", "asc")].map(|(name, value)| (name, ParamValue::String(value.into())));
    let request = Request::new(TokenTxParams::ACTION, values).unwrap();
    RangeReader::new(client, TokenTxParams::ACTION, request, Leniency::default(), None).unwrap()
}

fn blocks(script: &Script, reader: &mut RangeReader<Script>) -> Vec<u64> {
    let page = script.block_on(reader.next()).unwrap().unwrap();
    rows(&page).iter().map(|row| row.block).collect()
}

#[test]
fn who_takes_long_over_rows_holds_up_nobody_and_loses_no_time() {
    let limits = RateLimits { max_concurrent: 1, ..RateLimits::default() };
    let patience = Patience { timeout_ms: 1_000, deadline_ms: 2_000, max_attempts: 1, ..Patience::default() };
    let other = r#"{"message":"OK","result":"7","status":"1"}"#;
    let script = Script::new([halves(1..6, |reply| reply.wait(900)), Reply::ok(other), last_of(5)]);
    let (client, mut reader) = scripted(&script, patience, limits);
    assert_eq!(blocks(&script, &mut reader), [1]);
    assert!(reader.is_arriving());
    assert_eq!(script.open_requests(), 1);
    script.skip_ms(100_000);
    let params = BalanceParams { address: HASH_A.parse().unwrap() };
    script.block_on(client.value(&params)).unwrap();
    script.skip_ms(100_000);
    assert_eq!(blocks(&script, &mut reader), [2, 3, 4]);
    assert_eq!((reader.report().requests, reader.report().windows), (1, 1));
    assert_eq!(blocks(&script, &mut reader), [5]);
}

#[test]
fn waiting_for_bytes_takes_time_in_every_part() {
    let patience = Patience { timeout_ms: 1_000, max_attempts: 1, ..Patience::default() };
    let slow = halves(1..6, |reply| reply.wait(700).chunk(transfer(2)).chunk(",").wait(700));
    let whole = |blocks: std::ops::Range<u64>| halves(blocks, |reply| reply);
    let script = Script::new([slow, whole(5..8), whole(2..4)]);
    let (_, mut reader) = scripted(&script, patience, RateLimits::default());
    assert_eq!(blocks(&script, &mut reader), [1]);
    // What is left is too much for the service; it is asked for where the chain ends.
    assert_eq!(blocks(&script, &mut reader), [2]);
    assert_eq!(script.take_sent_at(), [0, 1_000, 1_010]);
    assert!(script.take_urls()[2].contains("&startblock=2&endblock=3&"));
}

#[test]
fn two_readers_share_an_answer_each_at_its_own_speed() {
    let script = Script::new([halves(1..6, |reply| reply.wait(10)), last_of(5), last_of(5)]);
    let (client, mut first) = scripted(&script, Patience::default(), RateLimits::default());
    let mut second = reader_of(client);
    let mut together = Together::default();
    together.begin(first.next());
    together.begin(second.next());
    let begun: Vec<usize> =
        script.block_on(together.finish()).into_iter().map(|page| page.unwrap().unwrap().rows.len()).collect();
    assert_eq!(begun, [1, 1]);
    assert_eq!(blocks(&script, &mut first), [2, 3, 4]);
    assert_eq!(script.open_requests(), 0);
    assert_eq!(blocks(&script, &mut second), [2, 3, 4]);
    assert_eq!(script.take_urls().len(), 1);
    assert_eq!((blocks(&script, &mut first), blocks(&script, &mut second)), (vec![5], vec![5]));
}

#[test]
fn who_lets_go_ends_the_request() {
    for stop in [RangeReader::let_go, |reader: &mut RangeReader<Script>| abandon(reader.next())] {
        let script = Script::new([halves(1..6, Reply::stall), halves(2..6, |reply| reply)]);
        let (_, mut reader) = scripted(&script, Patience::default(), RateLimits::default());
        assert_eq!(blocks(&script, &mut reader), [1]);
        assert_eq!(script.open_requests(), 1);
        stop(&mut reader);
        assert_eq!((script.open_requests(), reader.is_arriving()), (0, false));
        assert_eq!(blocks(&script, &mut reader), [2]);
        let urls = script.take_urls();
        assert!(urls[1].contains("&startblock=2&"), "{urls:?}");
    }
}

#[test]
fn what_is_not_processed_is_known_before_the_rows_or_they_wait() {
    let rows = |blocks: std::ops::Range<u64>| blocks.map(transfer).collect::<Vec<_>>().join(",");
    // The message tells, and the status behind the rows tells better.
    for (message, status, unprocessed) in [("OK", "1", 0), ("Not yet", "2", 1), ("Fine", "1", 0), ("OK", "2", 1)] {
        let beginning = Reply::ok(format!(r#"{{"message":"{message}","result":[{},"#, rows(1..3)));
        let script = Script::new([beginning.chunk(format!(r#"{}],"status":"{status}"}}"#, rows(3..5)))]);
        let (_, mut reader) = scripted(&script, Patience::default(), RateLimits::default());
        assert_eq!(blocks(&script, &mut reader), [1]);
        assert_eq!(reader.report().unprocessed.len(), usize::from(message != "OK"));
        assert_eq!(blocks(&script, &mut reader), [2, 3]);
        assert_eq!(reader.report().unprocessed.len(), unprocessed, "{message} {status}");
    }
    let beginning = Reply::ok(format!(r#"{{"result":[{},"#, rows(1..3)));
    let script = Script::new([beginning.chunk(format!(r#"{}],"message":"OK","status":"1"}}"#, rows(3..5)))]);
    let (_, mut reader) = scripted(&script, Patience::default(), RateLimits::default());
    assert_eq!(blocks(&script, &mut reader), [1, 2, 3]);
}

#[test]
fn what_picks_a_part_of_the_range_has_no_place_here() {
    let hash = format!("0x{:064x}", 1);
    for (values, parameter) in [
        (&[("address", HASH_A), ("page", "1"), ("offset", "10")][..], "page"),
        (&[("address", HASH_A), ("txhash", &hash)], "txhash"),
        (&[], "address"),
    ] {
        let values = values.iter().map(|&(name, value)| (name, ParamValue::String(value.into())));
        let request = Request::new(TxListInternalParams::ACTION, values).unwrap();
        let client = Client::new(Script::new([]), "https://eth.blockscout.com".parse().unwrap());
        let made = RangeReader::new(client, TxListInternalParams::ACTION, request, Leniency::default(), None);
        let error = made.map(drop).unwrap_err();
        assert_eq!((error.code, error.parameter.as_deref()), (ErrorCode::InvalidParameter, Some(parameter)));
    }
}

#[test]
fn empty_blocks_of_a_slow_service_are_passed_in_growing_strides() {
    for newest_first in [false, true] {
        // Windows of half the chain are too wide.
        let rows = [(1, 1), (1_000_000, 2)].map(|(block, id)| Row { block, id }).to_vec();
        let service = Service::new(rows, Mood { fault: Fault::WiderThan(600_000), ..Mood::calm(10) }, 0);
        service.0.too_slow_once.set(12);
        let asked = Asked { newest_first, ..Asked::ALL };
        let outcome = read(&service, asked, &mut Dice::new(0), 0);
        check(&service, asked, &outcome);
        assert!(outcome.report.requests < 40, "{} requests", outcome.report.requests);
    }
}

#[test]
fn a_service_that_stays_too_slow_ends_a_reading_within_its_deadline_and_it_can_go_on() {
    let script = Script::of(|_| Reply::head(503, &[("retry-after", "30")]));
    let values = [("address", ParamValue::String(HASH_A.into()))];
    let request = Request::new(TxListInternalParams::ACTION, values).unwrap();
    let client = Client::new(script.clone(), "https://eth.blockscout.com".parse().unwrap());
    let made = RangeReader::new(client, TxListInternalParams::ACTION, request, Leniency::default(), None);
    let mut reader = made.unwrap();
    for ends_at in [90_000, 180_000, 270_000, 360_000, 450_000, 540_000] {
        assert_eq!(script.block_on(reader.next()).unwrap_err().status, Some(503));
        assert_eq!(script.elapsed_ms(), ends_at);
    }
}

#[test]
fn what_is_too_slow_is_not_asked_for_again_at_once() {
    for (headers, least) in [(&[("retry-after", "30")][..], 30_000), (&[], 400)] {
        let busy = Cell::new(3_u32);
        let script = Script::of(move |_| {
            let left = busy.replace(busy.get().saturating_sub(1));
            let row = r#"{"message":"OK","result":[],"status":"1"}"#;
            if left > 0 { Reply::head(503, headers) } else { Reply::ok(row) }
        });
        script.set_chances([0.9; 9]);
        let values = [("address", HASH_A), ("startblock", "0"), ("endblock", "100")];
        let values = values.iter().map(|&(name, value)| (name, ParamValue::String(value.into())));
        let request = Request::new(TxListInternalParams::ACTION, values).unwrap();
        let client = Client::new(script.clone(), "https://eth.blockscout.com".parse().unwrap());
        let made = RangeReader::new(client, TxListInternalParams::ACTION, request, Leniency::default(), None);
        let mut reader = made.unwrap();
        while script.block_on(reader.next()).unwrap().is_some() {}
        let sent = script.take_sent_at();
        let gaps: Vec<u64> = sent.windows(2).map(|pair| pair[1] - pair[0]).collect();
        let (busy, well) = gaps.split_at(3);
        assert!(busy.is_sorted() && busy.iter().all(|gap| *gap >= least), "{gaps:?}");
        assert!(!well.is_empty() && well.iter().all(|gap| *gap == 0), "{gaps:?}");
    }
}

/// A service that has one transfer in each block up to 20,000,000, in blocks of 1,000. Each request takes a second; for a
/// window of more blocks than `limit` says at its first block, it takes twenty and answers 504.
fn slow_service(limit: impl Fn(u64) -> u64 + 'static) -> Script {
    const HEAD: u64 = 20_000_000;
    Script::of(move |url| {
        let given = |name: &str| {
            let (_, value) = url.split_once(name)?;
            value.split('&').next().unwrap().parse::<u64>().ok()
        };
        let (low, high) = (given("startblock=").unwrap_or(0), given("endblock=").unwrap_or(0x7FFF_FFFF).min(HEAD));
        let most = given("&offset=").unwrap();
        if most > 1 && (high + 1).saturating_sub(low) > limit(low) {
            return Reply::default().wait(20_000).then_head(504, &[]);
        }
        let mut blocks: Vec<u64> = (low.div_ceil(1_000)..=high / 1_000).map(|block| 1_000 * block).collect();
        if url.contains("sort=desc") {
            blocks.reverse();
        }
        let rows: Vec<String> = blocks.into_iter().take(usize::try_from(most).unwrap()).map(transfer).collect();
        let body = format!(r#"{{"message":"OK","result":[{}],"status":"1"}}"#, rows.join(","));
        Reply::default().wait(1_000).then_head(200, &[]).chunk(body)
    })
}

/// Requests that failed, and all of them, for reading that service to its end.
fn failing_requests(script: &Script) -> (u32, u32) {
    let failed = std::rc::Rc::new(Cell::new(0));
    let counter = std::rc::Rc::clone(&failed);
    let on_event = EventSink::new(move |event: &Event<'_>| {
        let is_failure = event.kind == EventKind::Response && event.status == Some(504);
        counter.set(counter.get() + u32::from(is_failure));
    });
    let settings = ClientSettings {
        on_event: Some(on_event),
        ..ClientSettings::new("https://eth.blockscout.com".parse().unwrap())
    };
    let mut reader = reader_of(Client::with_settings(script.clone(), settings));
    while script.block_on(reader.next()).unwrap().is_some() {}
    let report = reader.report();
    assert_eq!((report.records, report.next_block), (20_001, None));
    (failed.get(), report.requests)
}

#[test]
fn few_windows_are_too_wide_for_a_slow_service() {
    for limit in [600_000, 100_000, 30_000] {
        let (failed, requests) = failing_requests(&slow_service(move |_| limit));
        assert!(100 * failed < 15 * requests, "{failed} of {requests} failed, {limit} blocks at most");
        let fewest = u32::try_from(20_000_000 / limit).unwrap();
        assert!(requests < 3 * fewest, "{requests} requests where {fewest} would do");
    }
}

#[test]
fn the_width_of_windows_follows_what_the_service_can_do() {
    for (name, limits) in [("sparse, then dense", [3_000_000, 50_000]), ("dense, then sparse", [50_000, 3_000_000])] {
        let [first, second] = limits;
        let script = slow_service(move |low| if low < 10_000_000 { first } else { second });
        let (failed, requests) = failing_requests(&script);
        assert!(100 * failed < 15 * requests, "{name}: {failed} of {requests} failed");
        // 200 windows of 50,000 blocks and four of 3,000,000 would do.
        // Each window begins with the last block of the one before.
        assert!(requests < 550, "{name}: {requests} requests");
    }
}
