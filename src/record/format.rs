//! The formats of strings: which strings each accepts, and the canonical form in which it is returned.
//!
//! Start at `Format::validate`.

use super::number::{MAX_DIGITS, Number, hex_to_decimal};
use super::timestamp::{is_valid_date, validate_timestamp};
use super::validation::Validation;
use crate::strings::{contains_any, from_utf8_lossy};

/// The format of a string.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Format {
    /// `0x` and 40 hex digits, in any letter case.
    Address,
    /// `0x` and 64 hex digits.
    Hash,
    /// `0x` and an even number of hex digits. The string `deprecated` means "none".
    HexData,
    /// Like `HexData`, but an empty string is `0x`.
    Bytes,
    /// Hex digits, with or without `0x`, returned with it. Any other string is allowed.
    Bytecode,
    /// 8 hex digits, with or without `0x`. `0x` alone means "none".
    Selector,
    /// An integer in hex, as in JSON-RPC: `0x` and hex digits.
    Quantity,
    /// An unsigned integer of up to 256 bits in hex, returned in decimal digits. Decimal digits are also accepted.
    HexUint,
    /// An unsigned integer of any size.
    Uint,
    /// An unsigned integer of any size, sent as a string or as a number.
    ChainId,
    /// An unsigned integer of any size, even where the specification of the service allows a sign.
    StrictUint,
    /// An integer of any size.
    Int,
    /// A decimal number of any size, possibly in scientific notation.
    Decimal,
    /// A UTC time, returned with `T`, exactly six fraction digits and `Z`. A space instead of `T` and Unix seconds are
    /// also accepted.
    Timestamp,
    /// A date: `YYYY-MM-DD`.
    Date,
    /// Any string.
    Free,
    /// A value of an open enum, with its known values. Other values are also accepted.
    OpenEnum(&'static [&'static str]),
}

impl Format {
    /// Validates the content of a JSON string, with its escapes resolved, or the text of a JSON number.
    pub(crate) fn validate(self, value: &[u8]) -> Validation {
        match self {
            Self::Free => Validation::Unchanged,
            Self::Bytes if value.is_empty() => Validation::Normalized("0x".into()),
            _ if value.is_empty() => Validation::Empty,
            Self::OpenEnum(_) => Validation::Unchanged,
            Self::Selector if value == b"0x" => Validation::Empty,
            // In the documentation of the service, the call data of transfers is `deprecated`.
            Self::HexData if value == b"deprecated" => Validation::Empty,
            Self::Address
            | Self::Hash
            | Self::HexData
            | Self::Bytes
            | Self::Bytecode
            | Self::Quantity
            | Self::Selector => self.validate_hex(value),
            Self::HexUint if value.starts_with(b"0x") => {
                hex_to_decimal(value).map_or(Validation::Invalid, Validation::Normalized)
            }
            Self::StrictUint | Self::HexUint if value.starts_with(b"-") => Validation::Invalid,
            Self::Uint | Self::ChainId | Self::StrictUint | Self::HexUint => validate_integer(value, false),
            Self::Int => validate_integer(value, true),
            Self::Decimal if Number::parse(value).is_some() => Validation::Unchanged,
            Self::Timestamp => validate_timestamp(value),
            Self::Date if is_valid_date(value) => Validation::Unchanged,
            Self::Decimal | Self::Date => Validation::Invalid,
        }
    }

    /// Validates a hex string.
    fn validate_hex(self, string: &[u8]) -> Validation {
        let digits = string.strip_prefix(b"0x").unwrap_or(string);
        let has_prefix = digits.len() < string.len();
        let is_expected_length = match self {
            Self::Address => digits.len() == 40,
            Self::Hash => digits.len() == 64,
            Self::Selector => digits.len() == 8,
            Self::Quantity => !digits.is_empty(),
            _ => digits.len().is_multiple_of(2),
        };
        let is_hex = digits.iter().all(u8::is_ascii_hexdigit);
        match self {
            Self::Selector if is_hex && is_expected_length => Validation::Unchanged,
            // The specification allows any string.
            Self::Selector => Validation::Unexpected,
            Self::Bytecode if !is_hex || !is_expected_length => Validation::Unexpected,
            Self::Bytecode if !has_prefix => Validation::Normalized(["0x", &*from_utf8_lossy(digits)].concat()),
            _ if !is_hex || !has_prefix => Validation::Invalid,
            _ if is_expected_length => Validation::Unchanged,
            // The specification allows any number of hex digits.
            Self::HexData | Self::Bytes => Validation::Unexpected,
            _ => Validation::Invalid,
        }
    }

    /// Describes the format, for error messages.
    pub(crate) const fn expected(self) -> &'static str {
        match self {
            Self::Address => "an address hash (0x and 40 hex digits)",
            Self::Hash => "a 32-byte hash (0x and 64 hex digits)",
            Self::HexData | Self::Bytes | Self::Bytecode => "hex data (0x and an even number of hex digits)",
            Self::Selector => "a 4-byte selector (8 hex digits)",
            Self::Quantity => "an integer in hex (0x and hex digits)",
            Self::HexUint => "an unsigned integer of up to 256 bits in hex",
            Self::Uint | Self::ChainId | Self::StrictUint => "an unsigned integer string",
            Self::Int => "an integer string",
            Self::Decimal => "a decimal string",
            Self::Timestamp => "a UTC time (YYYY-MM-DDTHH:MM:SS.ffffffZ)",
            Self::Date => "a date (YYYY-MM-DD)",
            Self::Free | Self::OpenEnum(_) => "a string",
        }
    }
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
    fn hex_integers_are_returned_in_decimal_digits() {
        assert_normalized(Format::HexUint, "0x", "0");
        assert_normalized(Format::HexUint, "0x0", "0");
        assert_normalized(Format::HexUint, "0x1674f0E", "23547662");
        let max = "115792089237316195423570985008687907853269984665640564039457584007913129639935";
        assert_normalized(Format::HexUint, &["0x", &"f".repeat(64)].concat(), max);
        assert_normalized(Format::HexUint, &["0x00", &"f".repeat(64)].concat(), max);
        assert_eq!(Format::HexUint.validate(b"12"), Validation::Unchanged);
        for invalid in ["0xg", "-1", "0x-1", "1.5", &["0x1", &"0".repeat(64)].concat()] {
            assert_eq!(Format::HexUint.validate(invalid.as_bytes()), Validation::Invalid, "{invalid}");
        }
        assert_eq!(Format::HexUint.validate(b""), Validation::Empty);
    }

    #[test]
    fn integers_of_any_size_are_exact() {
        assert_eq!(Format::Uint.validate(&[b'9'; 78]), Validation::Unchanged);
        assert_eq!(Format::Uint.validate(b"-1"), Validation::Unexpected);
        assert_eq!(Format::StrictUint.validate(b"-1"), Validation::Invalid);
        assert_eq!(Format::StrictUint.validate(b"10"), Validation::Unchanged);
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
    fn decimals_are_returned_as_sent() {
        assert_eq!(Format::Decimal.validate(b"1.2E-8"), Validation::Unchanged);
        assert_eq!(Format::Decimal.validate(b"0E-20"), Validation::Unchanged);
        assert_eq!(Format::Decimal.validate(b"1,5"), Validation::Invalid);
        assert_eq!(Format::Decimal.validate(b""), Validation::Empty);
    }

    #[test]
    fn dates_exist_in_the_calendar() {
        assert_eq!(Format::Date.validate(b"2026-02-28"), Validation::Unchanged);
        assert_eq!(Format::Date.validate(b""), Validation::Empty);
        for invalid in ["2026-02-29", "2026-13-01", "2026-2-01", "2026/02/01", "2026-02-01T00:00:00Z", "20260201"] {
            assert_eq!(Format::Date.validate(invalid.as_bytes()), Validation::Invalid, "{invalid}");
        }
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
