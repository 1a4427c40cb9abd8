//! The position in a range as parameters of a resume token. Each group of parameters is complete or absent.

use super::state::{BlockDigest, Blocks, HeadSnapshot, OversizedBlock, PagePosition, State, WindowPhase, Windows};
use crate::decode::Cursor;
use crate::endpoint::request::BlockRange;
use crate::strings::{format_u64, parse_u64};

/// A group of numbers in a resume token.
trait TokenGroup: Default {
    /// The numbers, with their names in the token.
    fn parameters(&mut self) -> Vec<(&'static str, &mut u64)>;
}

impl TokenGroup for Blocks {
    fn parameters(&mut self) -> Vec<(&'static str, &mut u64)> {
        vec![("first", &mut self.first), ("last", &mut self.last)]
    }
}

impl TokenGroup for PagePosition {
    fn parameters(&mut self) -> Vec<(&'static str, &mut u64)> {
        vec![
            ("block", &mut self.block),
            ("page", &mut self.page),
            ("size", &mut self.page_size),
            ("records", &mut self.records),
            ("before", &mut self.previous_digest),
        ]
    }
}

impl TokenGroup for BlockDigest {
    fn parameters(&mut self) -> Vec<(&'static str, &mut u64)> {
        vec![("rows", &mut self.rows), ("digest", &mut self.digest)]
    }
}

impl TokenGroup for HeadSnapshot {
    fn parameters(&mut self) -> Vec<(&'static str, &mut u64)> {
        vec![
            ("head", &mut self.block),
            ("head_rows", &mut self.content.rows),
            ("head_digest", &mut self.content.digest),
            ("head_at", &mut self.read_at_ms),
        ]
    }
}

/// Returns the position as token parameters. `None` at the end of the range.
pub(super) fn encode_position(state: &State, head: Option<HeadSnapshot>) -> Option<Cursor> {
    let (remaining, overlap, page) = match state {
        State::Windows(windows) => (Some(windows.remaining), windows.overlap, None),
        State::OversizedBlock(oversized) => (oversized.remaining, None, Some(oversized.position)),
        State::HeadRecheck | State::Done => return None,
    };
    let mut parameters = Vec::new();
    write_group(remaining, &mut parameters);
    write_group(page, &mut parameters);
    write_group(overlap, &mut parameters);
    write_group(head, &mut parameters);
    Cursor::from_parameters(parameters)
}

/// Reads the position from token parameters. `None` if it is not a position in this range.
pub(super) fn decode_position(cursor: &Cursor, range: BlockRange) -> Option<(State, Option<HeadSnapshot>)> {
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
        (Some(position), remaining) => {
            // The blocks after it are in `remaining`, so that only this block is probed.
            let unverified_window = (position.page == 2).then_some(Blocks::single(position.block));
            State::OversizedBlock(OversizedBlock { position, unverified_window, remaining })
        }
        (None, Some(remaining)) => State::Windows(Windows { remaining, overlap, phase: WindowPhase::Next }),
    };
    Some((state, head))
}

fn write_group<T: TokenGroup>(group: Option<T>, parameters: &mut Vec<(String, String)>) {
    let Some(mut group) = group else { return };
    for (name, number) in group.parameters() {
        parameters.push((name.to_owned(), format_u64(*number)));
    }
}

/// Reads a group. `Some(None)` if it is absent, `None` if it is incomplete.
#[expect(clippy::option_option, reason = "the outer option is the failure")]
fn read_group<T: TokenGroup>(cursor: &Cursor) -> Option<Option<T>> {
    let mut group = T::default();
    let mut parameters = group.parameters();
    let missing = read_numbers(cursor, &mut parameters);
    let is_absent = missing == parameters.len();
    (missing == 0 || is_absent).then_some((!is_absent).then_some(group))
}

/// Reads these numbers, and returns how many are missing.
fn read_numbers(cursor: &Cursor, numbers: &mut [(&'static str, &mut u64)]) -> usize {
    let mut missing = 0;
    for (name, number) in numbers {
        let value = cursor.parameters().find(|(key, _)| key == name).and_then(|(_, value)| parse_u64(value));
        match value {
            Some(value) => **number = value,
            None => missing += 1,
        }
    }
    missing
}
