//! The formats of strings: which strings each accepts, and the canonical form in which it is returned.
//!
//! Start at [`Format::validate`]. The functions for numbers also serve cursors and integers.

use crate::strings::{self, contains_any, from_utf8_lossy};

/// The format of a string.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Format {
    /// `0x` and 40 hex digits, in any letter case.
    Address,
    /// `0x` and 64 hex digits.
    Hash,
    /// `0x` and an even number of hex digits. The string `deprecated` means "none".
    HexData,
    /// 8 hex digits, with or without `0x`. `0x` alone means "none".
    Selector,
    /// An integer in hex, as in JSON-RPC: `0x` and hex digits.
    Quantity,
    /// An unsigned integer of any size.
    Uint,
    /// An integer of any size.
    Int,
    /// A decimal number of any size, possibly in scientific notation.
    Decimal,
    /// A UTC time, returned with `T`, exactly six fraction digits and `Z`. A space instead of `T` and Unix seconds are
    /// also accepted.
    Timestamp,
    /// Any string.
    Free,
    /// A value of an open enum, with its known values. Other values are also accepted.
    OpenEnum(&'static [&'static str]),
}

/// The result of a validation.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Validation {
    /// Valid, returned unchanged.
    Unchanged,
    /// Not in this format, but allowed by the specification of the service: returned unchanged, and reported as drift.
    Unexpected,
    /// Valid, returned in this canonical form.
    Normalized(String),
    /// Means "none" or "unknown": an empty string, `deprecated` as hex data, or `0x` as a selector.
    Empty,
    /// Not in this format.
    Invalid,
}

/// The maximum number of digits of an integer. 256 bits have up to 78 digits; the rest is room for sums.
/// The limit also bounds the expansion of `1e999999999`.
pub(crate) const MAX_DIGITS: usize = 100;

impl Format {
    /// Validates the content of a JSON string, with its escapes resolved, or the text of a JSON number.
    #[must_use]
    pub fn validate(self, value: &[u8]) -> Validation {
        match self {
            Self::Free => Validation::Unchanged,
            _ if value.is_empty() => Validation::Empty,
            Self::OpenEnum(_) => Validation::Unchanged,
            Self::Selector if value == b"0x" => Validation::Empty,
            // In the documentation of the service, the call data of transfers is `deprecated`.
            Self::HexData if value == b"deprecated" => Validation::Empty,
            Self::Address | Self::Hash | Self::HexData | Self::Quantity | Self::Selector => self.validate_hex(value),
            Self::Uint => validate_integer(value, false),
            Self::Int => validate_integer(value, true),
            Self::Decimal => validation(Number::parse(value).is_some()),
            Self::Timestamp => validate_timestamp(value),
        }
    }

    /// Validates a hex string.
    fn validate_hex(self, string: &[u8]) -> Validation {
        let (digits, has_prefix) = string.strip_prefix(b"0x").map_or((string, false), |digits| (digits, true));
        let is_expected_length = match self {
            Self::Address => digits.len() == 40,
            Self::Hash => digits.len() == 64,
            Self::Selector => digits.len() == 8,
            Self::Quantity => !digits.is_empty(),
            _ => digits.len().is_multiple_of(2),
        };
        let is_hex = is_hex(digits);
        match self {
            Self::Selector if is_hex && is_expected_length => Validation::Unchanged,
            // The specification allows any string.
            Self::Selector => Validation::Unexpected,
            _ if !is_hex || !has_prefix => Validation::Invalid,
            _ if is_expected_length => Validation::Unchanged,
            // The specification allows any number of hex digits.
            Self::HexData => Validation::Unexpected,
            _ => Validation::Invalid,
        }
    }

    /// Describes the format, for error messages.
    #[must_use]
    pub const fn expected(self) -> &'static str {
        match self {
            Self::Address => "an address hash (0x and 40 hex digits)",
            Self::Hash => "a 32-byte hash (0x and 64 hex digits)",
            Self::HexData => "hex data (0x and an even number of hex digits)",
            Self::Selector => "a 4-byte selector (8 hex digits)",
            Self::Quantity => "an integer in hex (0x and hex digits)",
            Self::Uint => "an unsigned integer string",
            Self::Int => "an integer string",
            Self::Decimal => "a decimal string",
            Self::Timestamp => "a UTC time (YYYY-MM-DDTHH:MM:SS.ffffffZ)",
            Self::Free | Self::OpenEnum(_) => "a string",
        }
    }

    /// Whether a JSON number is accepted instead of the documented string.
    #[must_use]
    pub const fn accepts_numbers(self) -> bool {
        matches!(self, Self::Uint | Self::Int | Self::Decimal | Self::Timestamp | Self::Free | Self::OpenEnum(_))
    }
}

/// The result for a format that has no canonical form.
fn validation(is_valid: bool) -> Validation {
    if is_valid { Validation::Unchanged } else { Validation::Invalid }
}

/// Whether a string is `0x` and exactly this number of hex digits.
#[must_use]
pub fn is_prefixed_hex(string: &[u8], digits: usize) -> bool {
    string.len() == digits + 2 && string.strip_prefix(b"0x").is_some_and(is_hex)
}

fn is_hex(digits: &[u8]) -> bool {
    digits.iter().all(u8::is_ascii_hexdigit)
}

fn validate_integer(value: &[u8], signed: bool) -> Validation {
    let digits = value.strip_prefix(b"-").unwrap_or(value);
    if !digits.is_empty() && digits.iter().all(u8::is_ascii_digit) {
        // The specification sets no limit, and allows a sign in every integer string.
        let is_expected = digits.len() <= MAX_DIGITS && (signed || digits.len() == value.len());
        return if is_expected { Validation::Unchanged } else { Validation::Unexpected };
    }
    match Number::parse(value).and_then(|number| number.to_plain()) {
        Some(plain) if !contains_any(&plain, b".") && (signed || !plain.starts_with('-')) => {
            Validation::Normalized(plain)
        }
        _ => Validation::Invalid,
    }
}

/// The parts of a number: `-12.50e-3` is negative, with whole part `12`, fraction `50` and exponent -3.
struct Number<'a> {
    negative: bool,
    whole: &'a [u8],
    fraction: &'a [u8],
    exponent: isize,
}

impl<'a> Number<'a> {
    /// Parses a number in JSON syntax. Leading zeros are accepted.
    fn parse(number: &'a [u8]) -> Option<Self> {
        let negative = number.first() == Some(&b'-');
        let unsigned = number.strip_prefix(b"-").unwrap_or(number);
        let (mantissa, exponent) = match unsigned.iter().position(|b| matches!(b, b'e' | b'E')) {
            Some(at) => (unsigned.get(..at)?, parse_exponent(unsigned.get(at + 1..)?)?),
            None => (unsigned, 0),
        };
        let (whole, fraction) = match mantissa.iter().position(|&b| b == b'.') {
            Some(at) => (mantissa.get(..at)?, Some(mantissa.get(at + 1..)?)),
            None => (mantissa, None),
        };
        let is_digits = |part: &[u8]| !part.is_empty() && part.iter().all(u8::is_ascii_digit);
        (is_digits(whole) && fraction.is_none_or(is_digits)).then_some(Self {
            negative,
            whole,
            fraction: fraction.unwrap_or_default(),
            exponent,
        })
    }

    /// Formats the number without an exponent and without redundant zeros. `None` if that would be too long.
    fn to_plain(&self) -> Option<String> {
        let digits = [self.whole, self.fraction].concat();
        let Some(first) = digits.iter().position(|&b| b != b'0') else { return Some("0".into()) };
        let last = digits.iter().rposition(|&b| b != b'0')?;
        let digits = digits.get(first..=last)?;
        // The position of the decimal point, counted from the first digit that is not zero.
        let point = self.whole.len().cast_signed() + self.exponent - first.cast_signed();
        if point.unsigned_abs() + digits.len() > 2 * MAX_DIGITS {
            return None;
        }
        let mut plain = if self.negative { vec![b'-'] } else { Vec::new() };
        // Positions outside of `digits` are zeros. At least one digit is before the point.
        let start = (point - 1).min(0);
        for at in start..point.max(digits.len().cast_signed()) {
            if at == point && at > start {
                plain.push(b'.');
            }
            plain.push(*digits.get(at.cast_unsigned()).unwrap_or(&b'0'));
        }
        Some(from_utf8_lossy(&plain))
    }
}

fn parse_exponent(exponent: &[u8]) -> Option<isize> {
    let digits = exponent.strip_prefix(b"-").or_else(|| exponent.strip_prefix(b"+")).unwrap_or(exponent);
    let size = parse_digits(digits).filter(|_| digits.len() <= 6)?;
    let size = isize::try_from(size).ok()?;
    Some(if exponent.starts_with(b"-") { -size } else { size })
}

/// Parses 1 to 16 decimal digits.
fn parse_digits(digits: &[u8]) -> Option<i64> {
    if !(1..=16).contains(&digits.len()) {
        return None;
    }
    digits.iter().try_fold(0, |sum, b| b.is_ascii_digit().then(|| sum * 10 + i64::from(b - b'0')))
}

/// Formats a number without an exponent, exactly: `1.2E-8` becomes `0.000000012`. `None` if it is not a number, or if
/// the result would be too long.
#[must_use]
pub fn to_plain_decimal(number: &[u8]) -> Option<String> {
    Number::parse(number)?.to_plain()
}

/// Parses a number as an integer. `None` if it is not an integer, or if a JavaScript number cannot hold it exactly.
#[must_use]
pub fn parse_safe_integer(number: &[u8]) -> Option<i64> {
    const MAX_SAFE: i64 = (1 << 53) - 1;
    let value = parse_digits(number).or_else(|| {
        let plain = to_plain_decimal(number)?;
        let digits = plain.strip_prefix('-').unwrap_or(&plain);
        let magnitude = parse_digits(digits.as_bytes())?;
        Some(if digits.len() < plain.len() { -magnitude } else { magnitude })
    });
    value.filter(|value| value.abs() <= MAX_SAFE)
}

/// Validates a time: `YYYY-MM-DDTHH:MM:SS`, optionally with a fraction, and `Z` or an offset; or Unix seconds.
fn validate_timestamp(value: &[u8]) -> Validation {
    // `d` is any digit.
    const SHAPE: &[u8] = b"dddd-dd-ddTdd:dd:dd";
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
    let has_shape = seconds.iter().zip(SHAPE).all(|(b, s)| match s {
        b'd' => b.is_ascii_digit(),
        b'T' => matches!(b, b'T' | b' '),
        _ => b == s,
    });
    let digits = match fraction {
        [b'.', digits @ ..] if !digits.is_empty() && digits.iter().all(u8::is_ascii_digit) => digits,
        [] => fraction,
        _ => return Validation::Invalid,
    };
    if !has_shape || !is_valid_date_time(seconds) {
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

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn assert_normalized(format: Format, value: &str, expected: &str) {
        assert_eq!(format.validate(value.as_bytes()), Validation::Normalized(expected.into()), "{value}");
    }

    #[test]
    fn an_empty_enum_value_means_none() {
        assert_eq!(Format::OpenEnum(&["a"]).validate(b""), Validation::Empty);
        assert_eq!(Format::OpenEnum(&["a"]).validate(b"b"), Validation::Unchanged);
        assert_eq!(Format::Free.validate(b""), Validation::Unchanged);
    }

    #[test]
    fn hex_formats_require_their_number_of_digits() {
        let address = "0x00000000219ab540356cBB839Cbe05303d7705Fa";
        assert_eq!(Format::Address.validate(address.as_bytes()), Validation::Unchanged);
        assert_eq!(Format::Address.validate(&address.as_bytes()[1..]), Validation::Invalid);
        assert_eq!(Format::Address.validate(address.replace('c', "g").as_bytes()), Validation::Invalid);
        assert_eq!(Format::Hash.validate(address.as_bytes()), Validation::Invalid);
        assert_eq!(Format::Hash.validate(format!("0x{}", "aB".repeat(32)).as_bytes()), Validation::Unchanged);
        assert_eq!(Format::HexData.validate(b"0x"), Validation::Unchanged);
        assert_eq!(Format::HexData.validate(b"0xabc"), Validation::Unexpected);
        assert_eq!(Format::HexData.validate(b"0xabg"), Validation::Invalid);
        assert_eq!(Format::HexData.validate(b"abc"), Validation::Invalid);
        assert_eq!(Format::HexData.validate(b"deprecated"), Validation::Empty);
        assert_eq!(Format::HexData.validate(b""), Validation::Empty);
        assert_eq!(Format::Quantity.validate(b"0x0"), Validation::Unchanged);
        assert_eq!(Format::Quantity.validate(b"0x"), Validation::Invalid);
        assert_eq!(Format::Selector.validate(b"0x"), Validation::Empty);
        assert_eq!(Format::Selector.validate(b"7fcf532c"), Validation::Unchanged);
        assert_eq!(Format::Selector.validate(b"0x7fcf532c"), Validation::Unchanged);
        assert_eq!(Format::Selector.validate(b"7fcf53"), Validation::Unexpected);
    }

    #[test]
    fn integers_of_any_size_are_exact() {
        assert_eq!(Format::Uint.validate(&[b'9'; 78]), Validation::Unchanged);
        assert_eq!(Format::Uint.validate(b"-1"), Validation::Unexpected);
        assert_eq!(Format::Uint.validate(b"-1.5"), Validation::Invalid);
        assert_eq!(Format::Uint.validate(b"-"), Validation::Invalid);
        assert_eq!(Format::Int.validate(&[b'9'; MAX_DIGITS + 1]), Validation::Unexpected);
        assert_eq!(Format::Int.validate(b"-1"), Validation::Unchanged);
        assert_eq!(Format::Uint.validate(b""), Validation::Empty);
        assert_eq!(Format::Uint.validate(b"1.5"), Validation::Invalid);
        assert_eq!(Format::Uint.validate(b"0x10"), Validation::Invalid);
        assert_eq!(Format::Uint.validate(b"1e999999999"), Validation::Invalid);
        assert_eq!(Format::Uint.validate(b"1e99999"), Validation::Invalid);
        assert_normalized(Format::Uint, "4e+21", "4000000000000000000000");
        assert_normalized(Format::Uint, "1.50e1", "15");
        assert_normalized(Format::Uint, "15.0", "15");
        assert_normalized(Format::Int, "-1.2E3", "-1200");
    }

    #[test]
    fn scientific_notation_is_expanded_exactly() {
        for (number, plain) in [
            ("0E-20", "0"),
            ("1.2E-8", "0.000000012"),
            ("1.2E+21", "1200000000000000000000"),
            ("12.34", "12.34"),
            ("120e-1", "12"),
            ("0012.300", "12.3"),
            ("-5e-1", "-0.5"),
            ("123e-2", "1.23"),
            ("0", "0"),
        ] {
            assert_eq!(to_plain_decimal(number.as_bytes()).as_deref(), Some(plain), "{number}");
        }
        for invalid in ["", "-", ".5", "5.", "1e", "e5", "0x1", "1 ", "--1", "1e5e5", "NaN"] {
            assert_eq!(to_plain_decimal(invalid.as_bytes()), None, "{invalid}");
        }
    }

    #[test]
    fn decimals_are_returned_as_sent() {
        assert_eq!(Format::Decimal.validate(b"1.2E-8"), Validation::Unchanged);
        assert_eq!(Format::Decimal.validate(b"0E-20"), Validation::Unchanged);
        assert_eq!(Format::Decimal.validate(b"1,5"), Validation::Invalid);
        assert_eq!(Format::Decimal.validate(b""), Validation::Empty);
    }

    #[test]
    fn safe_integers_are_exact_in_javascript() {
        assert_eq!(parse_safe_integer(b"9007199254740991"), Some(9_007_199_254_740_991));
        assert_eq!(parse_safe_integer(b"9007199254740992"), None);
        assert_eq!(parse_safe_integer(b"-3"), Some(-3));
        assert_eq!(parse_safe_integer(b"2.2546398e7"), Some(22_546_398));
        assert_eq!(parse_safe_integer(b"1.5"), None);
    }

    #[test]
    fn timestamps_have_six_fraction_digits() {
        assert_eq!(Format::Timestamp.validate(b"2026-05-01T10:00:11.123456Z"), Validation::Unchanged);
        assert_normalized(Format::Timestamp, "2026-05-01T10:00:11Z", "2026-05-01T10:00:11.000000Z");
        assert_normalized(Format::Timestamp, "2026-02-04 05:43:23.000000Z", "2026-02-04T05:43:23.000000Z");
        assert_normalized(Format::Timestamp, "1491118514", "2017-04-02T07:35:14.000000Z");
        assert_normalized(Format::Timestamp, "951782400", "2000-02-29T00:00:00.000000Z");
        assert_normalized(Format::Timestamp, "0", "1970-01-01T00:00:00.000000Z");
        assert_normalized(Format::Timestamp, "2026-05-01T10:00:11.12Z", "2026-05-01T10:00:11.120000Z");
        assert_normalized(Format::Timestamp, "2026-05-01T10:00:11.123456789Z", "2026-05-01T10:00:11.123456Z");
        for leap in ["2000-02-29T00:00:00.000000Z", "2024-02-29T00:00:00.000000Z"] {
            assert_eq!(Format::Timestamp.validate(leap.as_bytes()), Validation::Unchanged);
        }
        for with_offset in ["2026-05-01T10:00:11+02:00", "2026-05-01T10:00:11.123456-11:30"] {
            assert_eq!(Format::Timestamp.validate(with_offset.as_bytes()), Validation::Unexpected, "{with_offset}");
        }
        for invalid in [
            "Z",
            "2026-05-01",
            "2026-13-01T10:00:11Z",
            "2026-00-01T10:00:11Z",
            "2026-04-31T10:00:11Z",
            "2026-02-29T10:00:11Z",
            "2100-02-29T10:00:11Z",
            "2026-05-01T24:00:11Z",
            "2026-05-01T10:00:11.Z",
            "2026-05-01T10:00:11+0200",
            "2026-05-01T10:00:11+02:0x",
            "2026-13-01T10:00:11+02:00",
            "2026-05-01T10:00:11.1a3456Z",
        ] {
            assert_eq!(Format::Timestamp.validate(invalid.as_bytes()), Validation::Invalid, "{invalid}");
        }
    }
}
