//! The position in a range as parameters of a resume token. Each group of parameters is complete or absent.

use super::planner_state::{
    BlockDigest, Blocks, HeadSnapshot, OversizedBlock, PagePosition, PlannerState, WindowPhase, Windows,
};
use super::response_limit::{Evidence, ResponseLimit, ShortResponse};
use crate::decode::Cursor;
use crate::endpoint::request::BlockRange;
use crate::strings::{format_u64, parse_u64};

/// A group of numbers in a resume token.
trait TokenGroup: Default {
    /// Calls `visit` with the name of each number in the token.
    fn visit(&mut self, visit: &mut dyn FnMut(&'static str, &mut u64));
}

impl TokenGroup for Blocks {
    fn visit(&mut self, visit: &mut dyn FnMut(&'static str, &mut u64)) {
        visit("first", &mut self.first);
        visit("last", &mut self.last);
    }
}

impl TokenGroup for PagePosition {
    fn visit(&mut self, visit: &mut dyn FnMut(&'static str, &mut u64)) {
        visit("block", &mut self.block);
        visit("page", &mut self.page);
        visit("size", &mut self.page_size);
        visit("records", &mut self.records);
        visit("before", &mut self.previous_digest);
    }
}

impl TokenGroup for BlockDigest {
    fn visit(&mut self, visit: &mut dyn FnMut(&'static str, &mut u64)) {
        visit("rows", &mut self.rows);
        visit("digest", &mut self.digest);
    }
}

impl TokenGroup for HeadSnapshot {
    fn visit(&mut self, visit: &mut dyn FnMut(&'static str, &mut u64)) {
        visit("head", &mut self.block);
        visit("head_rows", &mut self.content.rows);
        visit("head_digest", &mut self.content.digest);
        visit("head_at", &mut self.read_at_ms);
    }
}

/// Blocks whose rows were taken for complete.
#[derive(Default)]
struct Assumed(Blocks);

impl TokenGroup for Assumed {
    fn visit(&mut self, visit: &mut dyn FnMut(&'static str, &mut u64)) {
        visit("assumed_first", &mut self.0.first);
        visit("assumed_last", &mut self.0.last);
    }
}

impl TokenGroup for ShortResponse {
    fn visit(&mut self, visit: &mut dyn FnMut(&'static str, &mut u64)) {
        visit("short_rows", &mut self.rows);
        visit("short_first", &mut self.window.first);
        visit("short_last", &mut self.window.last);
        visit("short_at", &mut self.received_at_ms);
    }
}

/// Names of single numbers. Tokens of earlier versions lack them.
const KNOWN_ROWS: &str = "known";
const LIMIT: &str = "limit";

/// Returns the position as token parameters. `None` at the end of the range.
pub(super) fn encode_position(
    state: &PlannerState,
    head: Option<HeadSnapshot>,
    limit: ResponseLimit,
) -> Option<Cursor> {
    let (remaining, overlap, page) = match state {
        PlannerState::Windows(windows) => (Some(windows.remaining), windows.overlap, None),
        PlannerState::OversizedBlock(oversized) => (oversized.remaining, None, Some(oversized.position)),
        PlannerState::HeadRecheck | PlannerState::Done => return None,
    };
    let mut parameters = Vec::new();
    write_group(remaining, &mut parameters);
    write_group(page, &mut parameters);
    write_group(overlap, &mut parameters);
    write_group(head, &mut parameters);
    write_group(limit.evidence.assumed.map(Assumed), &mut parameters);
    write_group(limit.unverified, &mut parameters);
    let known_rows = page.map(|page| page.known_rows).filter(|rows| *rows > 0);
    for (name, number) in [(KNOWN_ROWS, known_rows), (LIMIT, limit.detected())] {
        parameters.extend(number.map(|number| (name.to_owned(), format_u64(number))));
    }
    Cursor::from_parameters(parameters)
}

/// Reads the position from token parameters, and what was known about the limit. `None` if it is not a position in this range.
pub(super) fn decode_position(
    cursor: &Cursor,
    range: BlockRange,
    limit: &mut ResponseLimit,
) -> Option<(PlannerState, Option<HeadSnapshot>)> {
    let remaining: Option<Blocks> = read_group(cursor)?;
    let page: Option<PagePosition> = read_group(cursor)?;
    let (overlap, head) = (read_group(cursor)?, read_group(cursor)?);
    if let Some(Blocks { first, last }) = remaining
        && !(range.first <= first && first <= last && last <= range.last)
    {
        return None;
    }
    let state = match (page, remaining) {
        (Some(PagePosition { page: 0, .. } | PagePosition { page_size: 0, .. }), _) | (None, None) => return None,
        (Some(mut position), remaining) => {
            position.known_rows = read_number(cursor, KNOWN_ROWS).unwrap_or_default();
            // The blocks after it are in `remaining`, so that only this block is probed.
            let is_unverified = position.page == 2 && position.known_rows == 0;
            let unverified_window = is_unverified.then_some(Blocks::single(position.block));
            PlannerState::OversizedBlock(OversizedBlock { position, unverified_window, remaining })
        }
        (None, Some(remaining)) => PlannerState::Windows(Windows { remaining, overlap, phase: WindowPhase::Next }),
    };
    let detected = read_number(cursor, LIMIT).filter(|rows| *rows > 0);
    let assumed = read_group(cursor)?.map(|Assumed(blocks)| blocks);
    limit.evidence = Evidence { longest: detected.unwrap_or_default(), detected, assumed };
    limit.unverified = read_group(cursor)?;
    Some((state, head))
}

fn write_group<T: TokenGroup>(group: Option<T>, parameters: &mut Vec<(String, String)>) {
    if let Some(mut group) = group {
        group.visit(&mut |name, number| parameters.push((name.to_owned(), format_u64(*number))));
    }
}

/// Reads a group. `Some(None)` if it is absent, `None` if it is incomplete.
#[expect(clippy::option_option, reason = "the outer option is the failure")]
fn read_group<T: TokenGroup>(cursor: &Cursor) -> Option<Option<T>> {
    let (mut group, mut found, mut missing) = (T::default(), false, false);
    group.visit(&mut |name, number| match read_number(cursor, name) {
        Some(value) => (*number, found) = (value, true),
        None => missing = true,
    });
    match (found, missing) {
        (true, false) => Some(Some(group)),
        (false, _) => Some(None),
        (true, true) => None,
    }
}

fn read_number(cursor: &Cursor, name: &str) -> Option<u64> {
    let (_, value) = cursor.parameters().find(|(key, _)| *key == name)?;
    parse_u64(value)
}
