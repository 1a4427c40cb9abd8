//! The formats of text values: what each accepts, and the one spelling it is given to the caller in.

use crate::text::{self, has_any, lossy};

/// How a text value has to look.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Format {
    /// `0x` and 40 hex digits, any letter case.
    Address,
    /// `0x` and 64 hex digits.
    Hash,
    /// `0x` and an even number of hex digits; `deprecated` is none.
    HexData,
    /// 8 hex digits, with or without `0x`; `0x` alone is none.
    Selector,
    /// An integer in hex, as nodes spell it: `0x` and hex digits.
    Quantity,
    /// An integer of any size, not negative.
    Uint,
    /// An integer of any size.
    Int,
    /// A decimal number of any size, possibly in scientific notation.
    Decimal,
    /// A UTC time, given out with `T`, exactly six fraction digits and `Z`; a space for the `T` and unix seconds are read
    /// too.
    Timestamp,
    /// Any text.
    Free,
    /// A label of an open set; the listed ones are known.
    Label(&'static [&'static str]),
}

/// What a format makes of a text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Verdict {
    /// Given out unchanged.
    AsIs,
    /// Not of this format, but allowed by the service's specification: given out unchanged, and reported as drift.
    Unexpected,
    /// Given out in this spelling, which means the same.
    Rewritten(String),
    /// A way of the service to say "none" or "unknown": an empty string, or `deprecated` for bytes.
    Unknown,
    /// Not of this format.
    Wrong,
}

/// Digits an integer may have. 78 hold 256 bits; the rest is room for sums, and a bound for `1e999999999`.
pub(crate) const MAX_DIGITS: usize = 100;

impl Format {
    /// Judges a text. `text` is the content of a JSON string without escapes, or a JSON number.
    #[must_use]
    pub fn judge(self, text: &[u8]) -> Verdict {
        match self {
            Self::Free => Verdict::AsIs,
            _ if text.is_empty() => Verdict::Unknown,
            Self::Label(_) => Verdict::AsIs,
            Self::Selector if text == b"0x" => Verdict::Unknown,
            // The call data in the documentation's examples of transfers.
            Self::HexData if text == b"deprecated" => Verdict::Unknown,
            Self::Address | Self::Hash | Self::HexData | Self::Quantity | Self::Selector => self.judge_hex(text),
            Self::Uint => integer(text, false),
            Self::Int => integer(text, true),
            Self::Decimal => verdict(Number::read(text).is_some()),
            Self::Timestamp => timestamp(text),
        }
    }

    /// Judges a hex string.
    fn judge_hex(self, text: &[u8]) -> Verdict {
        let (digits, is_bare) = text.strip_prefix(b"0x").map_or((text, true), |digits| (digits, false));
        let has_length = match self {
            Self::Address => digits.len() == 40,
            Self::Hash => digits.len() == 64,
            Self::Selector => digits.len() == 8,
            Self::Quantity => !digits.is_empty(),
            _ => digits.len().is_multiple_of(2),
        };
        let is_hex = is_hex(digits);
        match self {
            Self::Selector if is_hex && has_length => Verdict::AsIs,
            // The specification asks for any string here,
            Self::Selector => Verdict::Unexpected,
            _ if !is_hex || is_bare => Verdict::Wrong,
            _ if has_length => Verdict::AsIs,
            // and for any number of hex digits there.
            Self::HexData => Verdict::Unexpected,
            _ => Verdict::Wrong,
        }
    }

    /// What is expected, for error messages.
    #[must_use]
    pub const fn expects(self) -> &'static str {
        match self {
            Self::Address => "an address hash (0x and 40 hex digits)",
            Self::Hash => "a 32-byte hash (0x and 64 hex digits)",
            Self::HexData => "hex data (0x and an even number of hex digits)",
            Self::Selector => "a 4-byte selector (8 hex digits)",
            Self::Quantity => "an integer in hex (0x and hex digits)",
            Self::Uint => "an unsigned integer as text",
            Self::Int => "an integer as text",
            Self::Decimal => "a decimal number as text",
            Self::Timestamp => "a UTC time (YYYY-MM-DDTHH:MM:SS.ffffffZ)",
            Self::Free | Self::Label(_) => "a text",
        }
    }

    /// Whether a JSON number is taken in place of the documented text.
    #[must_use]
    pub const fn takes_numbers(self) -> bool {
        matches!(self, Self::Uint | Self::Int | Self::Decimal | Self::Timestamp | Self::Free | Self::Label(_))
    }
}

fn verdict(fits: bool) -> Verdict {
    if fits { Verdict::AsIs } else { Verdict::Wrong }
}

/// `0x` and exactly `digits` hex digits.
#[must_use]
pub fn is_prefixed_hex(text: &[u8], digits: usize) -> bool {
    text.len() == digits + 2 && text.strip_prefix(b"0x").is_some_and(is_hex)
}

fn is_hex(digits: &[u8]) -> bool {
    digits.iter().all(u8::is_ascii_hexdigit)
}

fn integer(text: &[u8], signed: bool) -> Verdict {
    let digits = text.strip_prefix(b"-").unwrap_or(text);
    if !digits.is_empty() && digits.iter().all(u8::is_ascii_digit) {
        // The specification sets no bound, and allows a sign in every integer string.
        let is_expected = digits.len() <= MAX_DIGITS && (signed || digits.len() == text.len());
        return if is_expected { Verdict::AsIs } else { Verdict::Unexpected };
    }
    match Number::read(text).and_then(|number| number.plain()) {
        Some(plain) if !has_any(&plain, b".") && (signed || !plain.starts_with('-')) => Verdict::Rewritten(plain),
        _ => Verdict::Wrong,
    }
}

/// The parts of a number text: `-12.50e-3` is sign, `12`, `50` and exponent -3.
struct Number<'a> {
    negative: bool,
    whole: &'a [u8],
    fraction: &'a [u8],
    exponent: isize,
}

impl<'a> Number<'a> {
    fn read(text: &'a [u8]) -> Option<Self> {
        let negative = text.first() == Some(&b'-');
        let text = text.strip_prefix(b"-").unwrap_or(text);
        let (mantissa, exponent) = match text.iter().position(|b| matches!(b, b'e' | b'E')) {
            Some(at) => (text.get(..at)?, exponent(text.get(at + 1..)?)?),
            None => (text, 0),
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

    /// The same value without an exponent and without needless zeros; nothing where it would be over-long.
    fn plain(&self) -> Option<String> {
        let digits = [self.whole, self.fraction].concat();
        let Some(first) = digits.iter().position(|&b| b != b'0') else { return Some("0".into()) };
        let last = digits.iter().rposition(|&b| b != b'0')?;
        let digits = digits.get(first..=last)?;
        // Where the decimal point stands, counted from the first digit that is not zero.
        let point = self.whole.len().cast_signed() + self.exponent - first.cast_signed();
        if point.unsigned_abs() + digits.len() > 2 * MAX_DIGITS {
            return None;
        }
        let mut plain = if self.negative { vec![b'-'] } else { Vec::new() };
        // From the digit before the point, where it stands before the first one, to the last one or the point: zeros beyond them.
        let start = (point - 1).min(0);
        for at in start..point.max(digits.len().cast_signed()) {
            if at == point && at > start {
                plain.push(b'.');
            }
            plain.push(*digits.get(at.cast_unsigned()).unwrap_or(&b'0'));
        }
        Some(lossy(&plain))
    }
}

fn exponent(text: &[u8]) -> Option<isize> {
    let digits = text.strip_prefix(b"-").or_else(|| text.strip_prefix(b"+")).unwrap_or(text);
    let size = whole_number(digits).filter(|_| digits.len() <= 6)?;
    let size = isize::try_from(size).ok()?;
    Some(if text.starts_with(b"-") { -size } else { size })
}

/// The value of up to 16 decimal digits.
fn whole_number(digits: &[u8]) -> Option<i64> {
    if !(1..=16).contains(&digits.len()) {
        return None;
    }
    digits.iter().try_fold(0, |sum, b| b.is_ascii_digit().then(|| sum * 10 + i64::from(b - b'0')))
}

/// A number text without exponent (`1.2E-8` becomes `0.000000012`), exactly; nothing where `text` is no number.
#[must_use]
pub fn plain_number(text: &[u8]) -> Option<String> {
    Number::read(text)?.plain()
}

/// The integer a number text stands for, if it is one that JavaScript numbers hold exactly.
#[must_use]
pub fn safe_integer(text: &[u8]) -> Option<i64> {
    const MAX_SAFE: i64 = (1 << 53) - 1;
    let value = whole_number(text).or_else(|| {
        let plain = plain_number(text)?;
        let digits = plain.strip_prefix('-').unwrap_or(&plain);
        let size = whole_number(digits.as_bytes())?;
        Some(if digits.len() < plain.len() { -size } else { size })
    });
    value.filter(|value| value.abs() <= MAX_SAFE)
}

/// `YYYY-MM-DDTHH:MM:SS`, a fraction or none, `Z` or an offset; a space for the `T`; or unix seconds.
fn timestamp(text: &[u8]) -> Verdict {
    const SHAPE: &[u8] = b"dddd-dd-ddTdd:dd:dd";
    if text.len() <= 11 && text.iter().all(u8::is_ascii_digit) {
        return unix_time(text).map_or(Verdict::Wrong, Verdict::Rewritten);
    }
    let (seconds, fraction, is_utc) = match text.split_at_checked(SHAPE.len()) {
        Some((seconds, [fraction @ .., b'Z'])) => (seconds, fraction, true),
        Some((seconds, [fraction @ .., b'+' | b'-', h, i, b':', m, n]))
            if [h, i, m, n].iter().all(|b| b.is_ascii_digit()) =>
        {
            (seconds, fraction, false)
        }
        _ => return Verdict::Wrong,
    };
    let shaped = seconds.iter().zip(SHAPE).all(|(b, s)| match s {
        b'd' => b.is_ascii_digit(),
        b'T' => matches!(b, b'T' | b' '),
        _ => b == s,
    });
    let digits = match fraction {
        [b'.', digits @ ..] if !digits.is_empty() && digits.iter().all(u8::is_ascii_digit) => digits,
        [] => fraction,
        _ => return Verdict::Wrong,
    };
    if !shaped || !in_calendar(seconds) {
        return Verdict::Wrong;
    }
    if !is_utc {
        return Verdict::Unexpected;
    }
    if digits.len() == 6 && seconds.get(10) == Some(&b'T') {
        return Verdict::AsIs;
    }
    let [date, time] = [seconds.get(..10), seconds.get(11..)].map(Option::unwrap_or_default);
    let mut full = [date, b"T", time, b".", digits, b"000000"].concat();
    full.truncate(SHAPE.len() + 7);
    full.push(b'Z');
    Verdict::Rewritten(lossy(&full))
}

fn unix_time(digits: &[u8]) -> Option<String> {
    let seconds = safe_integer(digits)?.unsigned_abs();
    let (day, second) = (seconds / 86_400, seconds % 86_400);
    // Days counted from March of the year 0, so that the leap day comes last.
    let day = day + 719_468;
    let (era, of_era) = (day / 146_097, day % 146_097);
    let year_of_era = (of_era - of_era / 1_460 + of_era / 36_524 - of_era / 146_096) / 365;
    let of_year = of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let month = (5 * of_year + 2) / 153;
    let date = of_year - (153 * month + 2) / 5 + 1;
    let (month, next) = if month < 10 { (month + 3, 0) } else { (month - 9, 1) };
    let year = era * 400 + year_of_era + next;
    let (hour, minute, second) = (second / 3_600, second / 60 % 60, second % 60);
    let parts = [(year, "-"), (month, "-"), (date, "T"), (hour, ":"), (minute, ":"), (second, ".000000Z")];
    let mut text = String::new();
    for (value, behind) in parts {
        text.push_str(&text::digits(value, 10, if text.is_empty() { 4 } else { 2 }));
        text.push_str(behind);
    }
    (year <= 9999).then_some(text)
}

/// Whether a time of the shape `YYYY-MM-DDTHH:MM:SS` is one.
pub(crate) fn in_calendar(seconds: &[u8]) -> bool {
    let pair = |at: usize| match seconds.get(at..at + 2) {
        Some([tens, ones]) => u32::from(tens - b'0') * 10 + u32::from(ones - b'0'),
        _ => u32::MAX,
    };
    (1..=12).contains(&pair(5))
        && (1..=days_of(pair(5), pair(0), pair(2))).contains(&pair(8))
        && pair(11) < 24
        && pair(14) < 60
        // A leap second is a time.
        && pair(17) <= 60
}

/// How many days a month has in a year of this century, and in the century.
fn days_of(month: u32, century: u32, year: u32) -> u32 {
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
    fn rewritten(format: Format, text: &str, expected: &str) {
        assert_eq!(format.judge(text.as_bytes()), Verdict::Rewritten(expected.into()), "{text}");
    }

    #[test]
    fn an_empty_label_is_none() {
        assert_eq!(Format::Label(&["a"]).judge(b""), Verdict::Unknown);
        assert_eq!(Format::Label(&["a"]).judge(b"b"), Verdict::AsIs);
        assert_eq!(Format::Free.judge(b""), Verdict::AsIs);
    }

    #[test]
    fn hex_formats_count_their_digits() {
        let address = "0x00000000219ab540356cBB839Cbe05303d7705Fa";
        assert_eq!(Format::Address.judge(address.as_bytes()), Verdict::AsIs);
        assert_eq!(Format::Address.judge(&address.as_bytes()[1..]), Verdict::Wrong);
        assert_eq!(Format::Address.judge(address.replace('c', "g").as_bytes()), Verdict::Wrong);
        assert_eq!(Format::Hash.judge(address.as_bytes()), Verdict::Wrong);
        assert_eq!(Format::Hash.judge(format!("0x{}", "aB".repeat(32)).as_bytes()), Verdict::AsIs);
        assert_eq!(Format::HexData.judge(b"0x"), Verdict::AsIs);
        assert_eq!(Format::HexData.judge(b"0xabc"), Verdict::Unexpected);
        assert_eq!(Format::HexData.judge(b"0xabg"), Verdict::Wrong);
        assert_eq!(Format::HexData.judge(b"abc"), Verdict::Wrong);
        assert_eq!(Format::HexData.judge(b"deprecated"), Verdict::Unknown);
        assert_eq!(Format::HexData.judge(b""), Verdict::Unknown);
        assert_eq!(Format::Quantity.judge(b"0x0"), Verdict::AsIs);
        assert_eq!(Format::Quantity.judge(b"0x"), Verdict::Wrong);
        assert_eq!(Format::Selector.judge(b"0x"), Verdict::Unknown);
        assert_eq!(Format::Selector.judge(b"7fcf532c"), Verdict::AsIs);
        assert_eq!(Format::Selector.judge(b"0x7fcf532c"), Verdict::AsIs);
        assert_eq!(Format::Selector.judge(b"7fcf53"), Verdict::Unexpected);
    }

    #[test]
    fn integers_of_any_size_stay_exact() {
        assert_eq!(Format::Uint.judge(&[b'9'; 78]), Verdict::AsIs);
        assert_eq!(Format::Uint.judge(b"-1"), Verdict::Unexpected);
        assert_eq!(Format::Uint.judge(b"-1.5"), Verdict::Wrong);
        assert_eq!(Format::Uint.judge(b"-"), Verdict::Wrong);
        assert_eq!(Format::Int.judge(&[b'9'; MAX_DIGITS + 1]), Verdict::Unexpected);
        assert_eq!(Format::Int.judge(b"-1"), Verdict::AsIs);
        assert_eq!(Format::Uint.judge(b""), Verdict::Unknown);
        assert_eq!(Format::Uint.judge(b"1.5"), Verdict::Wrong);
        assert_eq!(Format::Uint.judge(b"0x10"), Verdict::Wrong);
        assert_eq!(Format::Uint.judge(b"1e999999999"), Verdict::Wrong);
        assert_eq!(Format::Uint.judge(b"1e99999"), Verdict::Wrong);
        rewritten(Format::Uint, "4e+21", "4000000000000000000000");
        rewritten(Format::Uint, "1.50e1", "15");
        rewritten(Format::Uint, "15.0", "15");
        rewritten(Format::Int, "-1.2E3", "-1200");
    }

    #[test]
    fn scientific_notation_is_expanded_exactly() {
        for (text, plain) in [
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
            assert_eq!(plain_number(text.as_bytes()).as_deref(), Some(plain), "{text}");
        }
        for text in ["", "-", ".5", "5.", "1e", "e5", "0x1", "1 ", "--1", "1e5e5", "NaN"] {
            assert_eq!(plain_number(text.as_bytes()), None, "{text}");
        }
    }

    #[test]
    fn decimals_keep_their_spelling() {
        assert_eq!(Format::Decimal.judge(b"1.2E-8"), Verdict::AsIs);
        assert_eq!(Format::Decimal.judge(b"0E-20"), Verdict::AsIs);
        assert_eq!(Format::Decimal.judge(b"1,5"), Verdict::Wrong);
        assert_eq!(Format::Decimal.judge(b""), Verdict::Unknown);
    }

    #[test]
    fn safe_integers_are_those_javascript_holds() {
        assert_eq!(safe_integer(b"9007199254740991"), Some(9_007_199_254_740_991));
        assert_eq!(safe_integer(b"9007199254740992"), None);
        assert_eq!(safe_integer(b"-3"), Some(-3));
        assert_eq!(safe_integer(b"2.2546398e7"), Some(22_546_398));
        assert_eq!(safe_integer(b"1.5"), None);
    }

    #[test]
    fn timestamps_have_six_fraction_digits() {
        assert_eq!(Format::Timestamp.judge(b"2026-05-01T10:00:11.123456Z"), Verdict::AsIs);
        rewritten(Format::Timestamp, "2026-05-01T10:00:11Z", "2026-05-01T10:00:11.000000Z");
        rewritten(Format::Timestamp, "2026-02-04 05:43:23.000000Z", "2026-02-04T05:43:23.000000Z");
        rewritten(Format::Timestamp, "1491118514", "2017-04-02T07:35:14.000000Z");
        rewritten(Format::Timestamp, "951782400", "2000-02-29T00:00:00.000000Z");
        rewritten(Format::Timestamp, "0", "1970-01-01T00:00:00.000000Z");
        rewritten(Format::Timestamp, "2026-05-01T10:00:11.12Z", "2026-05-01T10:00:11.120000Z");
        rewritten(Format::Timestamp, "2026-05-01T10:00:11.123456789Z", "2026-05-01T10:00:11.123456Z");
        for leap in ["2000-02-29T00:00:00.000000Z", "2024-02-29T00:00:00.000000Z"] {
            assert_eq!(Format::Timestamp.judge(leap.as_bytes()), Verdict::AsIs);
        }
        for zoned in ["2026-05-01T10:00:11+02:00", "2026-05-01T10:00:11.123456-11:30"] {
            assert_eq!(Format::Timestamp.judge(zoned.as_bytes()), Verdict::Unexpected, "{zoned}");
        }
        for wrong in [
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
            assert_eq!(Format::Timestamp.judge(wrong.as_bytes()), Verdict::Wrong, "{wrong}");
        }
    }
}
