//! Members that come as those of the row before: the next key is guessed, its value checked while it is scanned, in one pass.
//! Whatever comes or is spelt otherwise is left to `record.rs` and `value.rs`, which would say the same of these.

use super::frame::{Frame, SHORT};
use super::memory::{Earlier, Records, Seen, Step, again};
use super::scan::Span;
use super::words::{after_digits, after_hex, after_plain, begins, has_shape, is_hex, number, shape};
use crate::record::format::{MAX_DIGITS, in_calendar};
use crate::record::{Format, Kind, Slot};

/// `"0x`, the digits of an address, `"`.
const ADDRESS: usize = 44;
/// `"0x`, the digits of a hash, `"`.
const HASH: usize = 68;
/// `"YYYY-MM-DDTHH:MM:SS.ffffffZ"`.
const TIMESTAMP: usize = 29;
/// `"0x`, the digits of a selector, `"`.
const SELECTOR: usize = 12;
/// The same without `0x`.
const BARE_SELECTOR: usize = 10;

/// What is read here.
#[derive(Debug, Clone, Copy)]
pub(super) enum Quick {
    Address,
    Hash,
    Timestamp,
    HexData,
    Selector,
    Digits,
    Decimal,
    Free,
    Label,
    Integer,
    Boolean,
    List,
    Record,
    Json,
    Nothing,
}

/// A value that may come.
#[derive(Debug, Clone, Copy)]
pub(super) struct Expected {
    pub(super) slot: Slot,
    pub(super) quick: Quick,
    /// Which table a record has, or those in a list.
    pub(super) child: usize,
}

impl Quick {
    pub(super) const fn of(slot: Slot) -> Self {
        match slot.kind {
            Kind::Text(format) => match format {
                Format::Address => Self::Address,
                Format::Hash => Self::Hash,
                Format::Timestamp => Self::Timestamp,
                Format::HexData => Self::HexData,
                Format::Selector => Self::Selector,
                Format::Uint | Format::Int => Self::Digits,
                Format::Decimal => Self::Decimal,
                Format::Free => Self::Free,
                Format::Label(_) => Self::Label,
                Format::Quantity => Self::Nothing,
            },
            Kind::Integer => Self::Integer,
            Kind::Boolean => Self::Boolean,
            Kind::List(_) => Self::List,
            Kind::Record(_) => Self::Record,
            Kind::Json => Self::Json,
            Kind::JsonObject => Self::Nothing,
        }
    }
}

/// Why there is nothing more to read here.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Stop {
    /// Another member comes than was guessed, or the end of the object.
    Member,
    /// The value of the last step takes a closer look.
    Value,
    /// The value of the last step is a record that was not read before, or a list.
    Nested,
}

/// Where a record is read.
pub(super) struct Reading<'a> {
    pub(super) bytes: &'a [u8],
    pub(super) rest: &'a [u8],
    /// Position of the record's slots.
    pub(super) at: usize,
    /// Fields that were read.
    pub(super) seen: Seen,
}

/// Reads members into a record, guessing that these steps come next; how many of the steps were taken.
#[inline(never)]
pub(super) fn members(
    reading: &mut Reading<'_>,
    frame: &mut Frame,
    steps: &mut [Step],
    records: &Records,
) -> (usize, Stop) {
    let (bytes, mut rest, mut seen) = (reading.bytes, reading.rest, reading.seen);
    let (mut taken, mut stop) = (0, Stop::Member);
    for step in steps {
        let Some(next) = rest.first_chunk() else { break };
        if !step.is(next) || (step.opens && taken > 0) {
            break;
        }
        let Some(start) = rest.get(step.length..) else { break };
        rest = start;
        taken += 1;
        stop = Stop::Value;
        if step.bit == 0 || seen.fields() & step.bit != 0 {
            break;
        }
        let Some((slot, after)) = cached(bytes, rest, frame, step, records) else {
            if let (Quick::Record, [b'{', ..]) | (Quick::List, [b'[', ..]) = (step.expected.quick, rest) {
                stop = Stop::Nested;
            }
            break;
        };
        rest = after;
        seen.note_first(step.bit, step.rank);
        frame.set(reading.at + step.field, slot);
        stop = Stop::Member;
    }
    reading.rest = rest;
    reading.seen = seen;
    (taken, stop)
}

type Read<'a> = Option<(u32, &'a [u8])>;

/// Reads the value that a step leads to; nothing where that takes a closer look.
#[inline(always)]
fn cached<'a>(bytes: &'a [u8], rest: &'a [u8], frame: &mut Frame, step: &mut Step, records: &Records) -> Read<'a> {
    let [b'"', ..] = rest else { return value(bytes, rest, frame, &step.expected, records) };
    let beginning = u64::from_le_bytes(*rest.first_chunk()?);
    let last = step.last;
    if last.length > 0 && step.beginning == beginning {
        let again = bytes.get(last.start..last.start + last.length)?;
        if begins(rest, again) {
            return Some((last.slot, rest.get(last.length..)?));
        }
    }
    let (slot, after) = value(bytes, rest, frame, &step.expected, records)?;
    if slot & 1 == 0 && slot > 0 {
        step.beginning = beginning;
        step.last = Earlier { start: bytes.len() - rest.len(), length: rest.len() - after.len(), slot };
    }
    Some((slot, after))
}

/// Reads an element of a list of hex data, as topics are; nothing where that takes a closer look.
pub(super) fn topic<'a>(rest: &'a [u8], frame: &mut Frame) -> Read<'a> {
    let (quoted, after) = rest.split_at_checked(hex_data(rest)?)?;
    Some((frame.shared(quoted), after))
}

/// Reads a value; nothing where that takes a closer look.
#[inline(always)]
fn value<'a>(bytes: &'a [u8], rest: &'a [u8], frame: &mut Frame, expected: &Expected, records: &Records) -> Read<'a> {
    match rest {
        [b'"', text @ ..] => quoted(rest, text, frame, expected),
        [b'n', b'u', b'l', b'l', after @ ..] if expected.slot.takes_null() => Some((0, after)),
        [b'{', ..] => match expected.quick {
            Quick::Record => {
                let known = again(records.get(expected.child)?, bytes, rest)?;
                Some((known.slot, rest.get(known.length..)?))
            }
            _ => None,
        },
        _ => match (expected.quick, rest) {
            (Quick::Integer, _) => {
                let (value, digits) = number(rest.first_chunk()?)?;
                Some((frame.integer(value), rest.get(digits..)?))
            }
            (Quick::Boolean, [b't', b'r', b'u', b'e', after @ ..]) => Some((Frame::boolean(true), after)),
            (Quick::Boolean, [b'f', b'a', b'l', b's', b'e', after @ ..]) => Some((Frame::boolean(false), after)),
            (Quick::List, [b'[', b']', after @ ..]) => Some((0, after)),
            _ => None,
        },
    }
}

/// Reads a text. `text` is what follows its first quote.
#[inline(always)]
fn quoted<'a>(rest: &'a [u8], text: &'a [u8], frame: &mut Frame, expected: &Expected) -> Read<'a> {
    let &Expected { slot, quick, .. } = expected;
    match quick {
        Quick::Digits | Quick::Decimal => {
            let mut end = after_digits(text);
            if let (Quick::Decimal, [b'.', fraction @ ..]) = (quick, end) {
                let more = after_digits(fraction);
                if end.len() == text.len() || more.len() == fraction.len() {
                    return None;
                }
                end = more;
            }
            let [b'"', after @ ..] = end else { return None };
            let length = text.len() - after.len() - 1;
            match (length, rest.first_chunk::<{ SHORT + 1 }>()) {
                // Empty, the service's way to say that it does not know.
                (0, _) => slot.nullable.then_some((0, after)),
                (1..=SHORT, Some([_, digits @ ..])) => Some((frame.first_of(digits, length), after)),
                (..=MAX_DIGITS, _) => Some((frame.text_of(rest.get(..length + 2)?), after)),
                _ => None,
            }
        }
        Quick::Free => {
            let [b'"', after @ ..] = after_plain(text) else { return None };
            Some((frame.text_of(rest.get(..rest.len() - after.len())?), after))
        }
        Quick::Label => {
            let [b'"', after @ ..] = after_plain(text) else { return None };
            let Kind::Text(Format::Label(known)) = slot.kind else { return None };
            let label = text.get(..text.len() - after.len() - 1)?;
            if !known.iter().any(|known| known.as_bytes() == label) {
                return None;
            }
            // Few and often repeated: shared, even where they are short.
            Some((frame.shared(rest.get(..label.len() + 2)?), after))
        }
        Quick::Json => {
            let [b'"', after @ ..] = after_plain(text) else { return None };
            let json = rest.get(..rest.len() - after.len())?;
            Some((frame.json(Span::plain(json)), after))
        }
        Quick::Record | Quick::List | Quick::Boolean | Quick::Integer | Quick::Nothing => None,
        hex_or_time => {
            if let [b'"', after @ ..] = text {
                return slot.nullable.then_some((0, after));
            }
            let length = match hex_or_time {
                Quick::Address => hex::<ADDRESS>(rest)?,
                Quick::Hash => hex::<HASH>(rest)?,
                Quick::Selector => hex::<SELECTOR>(rest).or_else(|| bare_selector(rest))?,
                Quick::Timestamp => rest.first_chunk().filter(|time| is_quoted_time(time))?.len(),
                _ => hex_data(rest)?,
            };
            let (quoted, after) = rest.split_at_checked(length)?;
            let slot = match hex_or_time {
                Quick::Selector => frame.text_of(quoted),
                Quick::Address | Quick::Timestamp => frame.shared(quoted),
                // Seldom repeated, other than in a row.
                _ => frame.long(quoted),
            };
            Some((slot, after))
        }
    }
}

/// How long a text is that is `"0x`, an even number of hex digits, `"`.
#[inline(always)]
fn hex_data(text: &[u8]) -> Option<usize> {
    let [b'"', b'0', b'x', digits @ ..] = text else { return None };
    let [b'"', after @ ..] = after_hex(digits) else { return None };
    Some(text.len() - after.len()).filter(|length| length.is_multiple_of(2))
}

/// How long a text is that is `"0x`, hex digits in whole words, `"`.
#[inline(always)]
fn hex<const QUOTED: usize>(text: &[u8]) -> Option<usize> {
    let [b'"', b'0', b'x', digits @ .., b'"'] = text.first_chunk::<QUOTED>()?.as_slice() else { return None };
    let (words, []) = digits.as_chunks::<8>() else { return None };
    is_hex(words).then_some(QUOTED)
}

fn bare_selector(text: &[u8]) -> Option<usize> {
    let [b'"', digits @ .., b'"'] = text.first_chunk::<BARE_SELECTOR>()? else { return None };
    is_hex(&[*digits]).then_some(BARE_SELECTOR)
}

/// Whether a text is a time as it is given out.
#[inline(always)]
fn is_quoted_time(quoted: &[u8; TIMESTAMP]) -> bool {
    let [_, time @ .., b'"'] = quoted else { return false };
    let (words, rest) = time.as_chunks::<8>();
    let shapes = [shape(*b"0000-00-"), shape(*b"00T00:00"), shape(*b":00.0000")];
    let fit = words.iter().zip(shapes).all(|(word, shape)| has_shape(*word, shape));
    fit && matches!(rest, [b'0'..=b'9', b'0'..=b'9', b'Z']) && in_calendar(time)
}
