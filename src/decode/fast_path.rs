//! The fast path: scans, validates and stores values in their usual form in one pass.
//!
//! Everything else is left to `value.rs`, which gives the same results for the values read here.

use super::shape_cache::{CachedValue, Step};
use crate::frame::{Frame, MAX_SHORT};
use crate::json::JsonSpan;
use crate::json::swar::{
    digit_pattern, is_hex, matches_pattern, parse_integer, skip_digits, skip_hex_digits, skip_plain, starts_with,
};
use crate::record::{Format, Kind, MAX_DIGITS, ValueType, is_valid_date_time};

/// Length of a quoted address: `"0x`, 40 hex digits, `"`.
const QUOTED_ADDRESS: usize = 44;
/// Length of a quoted hash: `"0x`, 64 hex digits, `"`.
const QUOTED_HASH: usize = 68;
/// Length of `"YYYY-MM-DDTHH:MM:SS.ffffffZ"`.
const QUOTED_TIMESTAMP: usize = 29;
/// Length of a quoted selector: `"0x`, 8 hex digits, `"`.
const QUOTED_SELECTOR: usize = 12;
/// Length of a quoted selector without `0x`.
const QUOTED_BARE_SELECTOR: usize = 10;

/// The slot of a value and the input after it. `None` if the value is left to `value.rs`.
type ReadValue<'a> = Option<(u32, &'a [u8])>;

/// Reads the value of a step. `bytes` is the whole input, and `rest` the unread input.
#[inline(always)]
pub(super) fn read_step_value<'a>(
    bytes: &'a [u8],
    rest: &'a [u8],
    frame: &mut Frame,
    step: &mut Step,
) -> ReadValue<'a> {
    let [b'"', content @ ..] = rest else { return read_unquoted(rest, frame, step.value_type) };
    let prefix = u64::from_le_bytes(*rest.first_chunk()?);
    let last = step.last;
    if last.length > 0 && step.last_prefix == prefix {
        let last_bytes = bytes.get(last.start..last.start + last.length)?;
        if starts_with(rest, last_bytes) {
            return Some((last.slot, rest.get(last.length..)?));
        }
    }
    let (slot, after) = read_quoted(rest, content, frame, step.value_type)?;
    if slot & 1 == 0 && slot > 0 {
        step.last_prefix = prefix;
        step.last = CachedValue { start: bytes.len() - rest.len(), length: rest.len() - after.len(), slot };
    }
    Some((slot, after))
}

/// Reads an element of a list of hex data, such as the topics of a log.
pub(super) fn read_topic<'a>(rest: &'a [u8], frame: &mut Frame) -> ReadValue<'a> {
    let (quoted, after) = rest.split_at_checked(hex_data_length(rest)?)?;
    Some((frame.store_shared(quoted), after))
}

/// Reads a value that is not a string.
#[inline(always)]
fn read_unquoted<'a>(rest: &'a [u8], frame: &mut Frame, value_type: ValueType) -> ReadValue<'a> {
    match (value_type.kind, rest) {
        (_, [b'n', b'u', b'l', b'l', after @ ..]) if value_type.accepts_null() => Some((0, after)),
        (Kind::Integer | Kind::Unsigned, _) => {
            let (value, digits) = parse_integer(rest.first_chunk()?)?;
            Some((frame.store_integer(value), rest.get(digits..)?))
        }
        (Kind::Boolean, [b't', b'r', b'u', b'e', after @ ..]) => Some((Frame::TRUE, after)),
        (Kind::Boolean, [b'f', b'a', b'l', b's', b'e', after @ ..]) => Some((Frame::FALSE, after)),
        (Kind::List(_), [b'[', b']', after @ ..]) => Some((0, after)),
        _ => None,
    }
}

/// Reads a string. `content` is the input after the opening quote.
#[inline(always)]
fn read_quoted<'a>(rest: &'a [u8], content: &'a [u8], frame: &mut Frame, value_type: ValueType) -> ReadValue<'a> {
    let format = match value_type.kind {
        Kind::String(format) => format,
        Kind::Json => {
            let [b'"', after @ ..] = skip_plain(content) else { return None };
            let json = rest.get(..rest.len() - after.len())?;
            return Some((frame.store_json(JsonSpan::from_plain(json)), after));
        }
        _ => return None,
    };
    let length = match format {
        Format::Uint | Format::Int | Format::Decimal | Format::StrictUint => {
            return read_number(rest, content, frame, format, value_type.nullable);
        }
        Format::Free => {
            let [b'"', after @ ..] = skip_plain(content) else { return None };
            return Some((frame.store_quoted_ascii(rest.get(..rest.len() - after.len())?), after));
        }
        Format::OpenEnum(known) => {
            let [b'"', after @ ..] = skip_plain(content) else { return None };
            let value = content.get(..content.len() - after.len() - 1)?;
            if !known.iter().any(|known| known.as_bytes() == value) {
                return None;
            }
            // Open enums have few values, which repeat often: they are shared even when they are short.
            return Some((frame.store_shared(rest.get(..value.len() + 2)?), after));
        }
        Format::Bytecode | Format::ChainId | Format::HexUint | Format::Quantity | Format::Date => return None,
        Format::Bytes if content.first() == Some(&b'"') => return None,
        _ if content.first() == Some(&b'"') => return value_type.nullable.then_some((0, rest.get(2..)?)),
        Format::Address => hex_length::<QUOTED_ADDRESS>(rest)?,
        Format::Hash => hex_length::<QUOTED_HASH>(rest)?,
        Format::Selector => hex_length::<QUOTED_SELECTOR>(rest).or_else(|| bare_selector_length(rest))?,
        Format::Timestamp => is_quoted_time(rest.first_chunk()?).then_some(QUOTED_TIMESTAMP)?,
        Format::HexData | Format::Bytes => hex_data_length(rest)?,
    };
    let (quoted, after) = rest.split_at_checked(length)?;
    let slot = match format {
        Format::Selector => frame.store_quoted_ascii(quoted),
        Format::Address | Format::Timestamp => frame.store_shared(quoted),
        // Other values rarely repeat, except in consecutive rows, where the step's last value is reused.
        _ => frame.push_to_pool(quoted, None),
    };
    Some((slot, after))
}

/// Reads a string of decimal digits, or of a decimal number. `content` is the input after the opening quote.
#[inline(always)]
fn read_number<'a>(
    rest: &'a [u8],
    content: &'a [u8],
    frame: &mut Frame,
    format: Format,
    nullable: bool,
) -> ReadValue<'a> {
    let mut end = skip_digits(content);
    if let (Format::Decimal, [b'.', fraction @ ..]) = (format, end) {
        let more = skip_digits(fraction);
        if end.len() == content.len() || more.len() == fraction.len() {
            return None;
        }
        end = more;
    }
    let [b'"', after @ ..] = end else { return None };
    let length = content.len() - after.len() - 1;
    match (length, rest.first_chunk::<{ MAX_SHORT + 1 }>()) {
        // The service sends an empty string for an unknown value.
        (0, _) => nullable.then_some((0, after)),
        (1..=MAX_SHORT, Some([_, digits @ ..])) => Some((frame.store_short_prefix(digits, length), after)),
        (..=MAX_DIGITS, _) => Some((frame.store_quoted_ascii(rest.get(..length + 2)?), after)),
        _ => None,
    }
}

/// The length of a quoted string of `0x` and an even number of hex digits.
#[inline(always)]
fn hex_data_length(content: &[u8]) -> Option<usize> {
    let [b'"', b'0', b'x', digits @ ..] = content else { return None };
    let [b'"', after @ ..] = skip_hex_digits(digits) else { return None };
    let length = content.len() - after.len();
    length.is_multiple_of(2).then_some(length)
}

/// The length of a quoted string of `0x` and hex digits, `QUOTED` bytes in all. The number of digits must be a multiple
/// of 8.
#[inline(always)]
fn hex_length<const QUOTED: usize>(content: &[u8]) -> Option<usize> {
    let [b'"', b'0', b'x', digits @ .., b'"'] = content.first_chunk::<QUOTED>()?.as_slice() else { return None };
    let (words, []) = digits.as_chunks::<8>() else { return None };
    is_hex(words).then_some(QUOTED)
}

/// The length of a quoted selector without `0x`.
fn bare_selector_length(content: &[u8]) -> Option<usize> {
    let [b'"', digits @ .., b'"'] = content.first_chunk::<QUOTED_BARE_SELECTOR>()? else { return None };
    is_hex(&[*digits]).then_some(QUOTED_BARE_SELECTOR)
}

/// Whether a quoted string is a valid timestamp in canonical form.
#[inline(always)]
fn is_quoted_time(quoted: &[u8; QUOTED_TIMESTAMP]) -> bool {
    let [_, time @ .., b'"'] = quoted else { return false };
    let ([date, minute, second], [b'0'..=b'9', b'0'..=b'9', b'Z']) = time.as_chunks() else { return false };
    matches_pattern(*date, const { digit_pattern(*b"0000-00-") })
        && matches_pattern(*minute, const { digit_pattern(*b"00T00:00") })
        && matches_pattern(*second, const { digit_pattern(*b":00.0000") })
        && is_valid_date_time(time)
}
