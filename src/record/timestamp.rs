//! Timestamps: their validation and canonical form.

use super::number::parse_safe_integer;
use super::validation::Validation;
use crate::strings::{self, from_utf8_lossy};

/// The shape of a date and time. `d` is any digit.
const SHAPE: &[u8] = b"dddd-dd-ddTdd:dd:dd";

/// Whether a string is a date that exists: `YYYY-MM-DD`.
pub(super) fn is_valid_date(date: &[u8]) -> bool {
    let midnight = [date, b"T00:00:00"].concat();
    midnight.len() == SHAPE.len() && has_shape(&midnight) && is_valid_date_time(&midnight)
}

/// Validates a time: `YYYY-MM-DDTHH:MM:SS`, optionally with a fraction, and `Z` or an offset; or Unix seconds.
pub(super) fn validate_timestamp(value: &[u8]) -> Validation {
    if value.len() <= 11 && value.iter().all(u8::is_ascii_digit) {
        return format_unix_time(value).map_or(Validation::Invalid, Validation::Normalized);
    }
    let (seconds, fraction, is_utc) = match value.split_at_checked(SHAPE.len()) {
        Some((seconds, [fraction @ .., b'Z'])) => (seconds, fraction, true),
        Some((seconds, [fraction @ .., b'+' | b'-', h, i, b':', m, n]))
            if [h, i, m, n].iter().all(|b| b.is_ascii_digit()) =>
        {
            (seconds, fraction, false)
        }
        _ => return Validation::Invalid,
    };
    let digits = match fraction {
        [b'.', digits @ ..] if !digits.is_empty() && digits.iter().all(u8::is_ascii_digit) => digits,
        [] => fraction,
        _ => return Validation::Invalid,
    };
    if !has_shape(seconds) || !is_valid_date_time(seconds) {
        return Validation::Invalid;
    }
    if !is_utc {
        return Validation::Unexpected;
    }
    if digits.len() == 6 && seconds.get(10) == Some(&b'T') {
        return Validation::Unchanged;
    }
    let [date, time] = [seconds.get(..10), seconds.get(11..)].map(Option::unwrap_or_default);
    let mut full = [date, b"T", time, b".", digits, b"000000"].concat();
    full.truncate(SHAPE.len() + 7);
    full.push(b'Z');
    Validation::Normalized(from_utf8_lossy(&full))
}

/// Whether a string has the characters of [`SHAPE`], as far as it reaches.
fn has_shape(string: &[u8]) -> bool {
    string.iter().zip(SHAPE).all(|(b, s)| match s {
        b'd' => b.is_ascii_digit(),
        b'T' => matches!(b, b'T' | b' '),
        _ => b == s,
    })
}

/// Formats Unix seconds as a UTC time. `None` after the year 9999.
fn format_unix_time(digits: &[u8]) -> Option<String> {
    let seconds = parse_safe_integer(digits)?.unsigned_abs();
    let (day, second) = (seconds / 86_400, seconds % 86_400);
    // Howard Hinnant's `civil_from_days`: counts days since 1 March of the year 0, so that a leap day ends its year.
    let day = day + 719_468;
    let (era, day_of_era) = (day / 146_097, day % 146_097);
    let year_of_era = (day_of_era - day_of_era / 1_460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
    let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let month = (5 * day_of_year + 2) / 153;
    let date = day_of_year - (153 * month + 2) / 5 + 1;
    let (month, carry) = if month < 10 { (month + 3, 0) } else { (month - 9, 1) };
    let year = era * 400 + year_of_era + carry;
    let (hour, minute, second) = (second / 3_600, second / 60 % 60, second % 60);
    let parts = [(year, "-"), (month, "-"), (date, "T"), (hour, ":"), (minute, ":"), (second, ".000000Z")];
    let mut time = String::new();
    for (value, separator) in parts {
        time.push_str(&strings::format_digits(value, 10, if time.is_empty() { 4 } else { 2 }));
        time.push_str(separator);
    }
    (year <= 9999).then_some(time)
}

/// Parses a UTC time, `YYYY-MM-DDTHH:MM:SS` with or without a fraction, and `Z`. Returns Unix seconds.
pub(crate) fn parse_unix_seconds(time: &[u8]) -> Option<u64> {
    if time.last() != Some(&b'Z') || matches!(validate_timestamp(time), Validation::Invalid) {
        return None;
    }
    // The numbers between other characters.
    let (mut numbers, mut index) = ([0; 6], 0);
    for byte in time {
        if !byte.is_ascii_digit() {
            index += 1;
        } else if let Some(number) = numbers.get_mut(index) {
            *number = *number * 10 + u64::from(byte - b'0');
        }
    }
    let [year, month, day, hour, minute, second] = numbers;
    Some(((days_since_epoch(year, month, day)? * 24 + hour) * 60 + minute) * 60 + second)
}

/// The number of days from 1 January 1970 to a date. `None` for an earlier date.
pub(crate) fn days_since_epoch(year: u64, month: u64, day: u64) -> Option<u64> {
    // Years are counted from March, so that a leap day is the last day of its year.
    let (year, month) = if month > 2 { (year, month - 3) } else { (year.checked_sub(1)?, month + 9) };
    let days = 365 * year + year / 4 - year / 100 + year / 400 + (153 * month + 2) / 5 + day;
    days.checked_sub(719_469)
}

/// Whether the date and time exist. The caller has checked the shape `YYYY-MM-DDTHH:MM:SS`.
pub(crate) fn is_valid_date_time(seconds: &[u8]) -> bool {
    let two_digits = |at: usize| match seconds.get(at..at + 2) {
        Some([tens, ones]) => u32::from(tens - b'0') * 10 + u32::from(ones - b'0'),
        _ => u32::MAX,
    };
    (1..=12).contains(&two_digits(5))
        && (1..=days_in_month(two_digits(5), two_digits(0), two_digits(2))).contains(&two_digits(8))
        && two_digits(11) < 24
        && two_digits(14) < 60
        // 60 is a leap second.
        && two_digits(17) <= 60
}

/// The number of days of a month. `year` counts within the century: 2024 is century 20 and year 24.
fn days_in_month(month: u32, century: u32, year: u32) -> u32 {
    let is_leap = if year == 0 { century } else { year }.is_multiple_of(4);
    match month {
        2 if is_leap => 29,
        2 => 28,
        4 | 6 | 9 | 11 => 30,
        _ => 31,
    }
}
