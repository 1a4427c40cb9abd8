//! The differences between service versions that a value may have, one rule each. The decoder and the serde reader share
//! them.

use super::number::parse_safe_integer;
use super::validation::Validation;
use super::{Format, Kind, ValueType};

/// A JSON string or number, read as a value of a declared type.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Scalar {
    /// A string, as sent.
    AsSent,
    /// A string, as sent. It is not in the documented format, but the specification of the service allows it.
    Unexpected,
    /// A string in its canonical form.
    Normalized(String),
    /// An integer.
    Integer(i64),
    /// A string that means "none" or "unknown", such as an empty one. It is read as null.
    Null,
}

impl ValueType {
    /// Whether `null` is accepted, and the value may be missing. A list accepts it as an empty list.
    #[must_use]
    pub const fn accepts_null(self) -> bool {
        self.nullable || matches!(self.kind, Kind::List(_))
    }

    /// Reads a JSON string, with its escapes resolved, or the digits of a JSON number. `None` if it is invalid.
    pub(crate) fn read_scalar(self, content: &[u8]) -> Option<Scalar> {
        match self.kind {
            Kind::String(format) => match format.validate(content) {
                Validation::Unchanged => Some(Scalar::AsSent),
                Validation::Unexpected => Some(Scalar::Unexpected),
                Validation::Normalized(string) => Some(Scalar::Normalized(string)),
                Validation::Empty => self.nullable.then_some(Scalar::Null),
                Validation::Invalid => None,
            },
            Kind::Integer | Kind::Unsigned if content.is_empty() => self.nullable.then_some(Scalar::Null),
            Kind::Integer => parse_safe_integer(content).map(Scalar::Integer),
            Kind::Unsigned => parse_safe_integer(content).filter(|value| *value >= 0).map(Scalar::Integer),
            _ => None,
        }
    }

    /// Whether a JSON value that starts with `first` has less data than the object that another name of the field may
    /// have.
    ///
    /// In a log, `address_hash` is the address object of the emitter. In other service versions it is null, or only the hash, and
    /// `address` is the object.
    pub(crate) const fn is_partial(self, first: u8) -> bool {
        matches!(self.kind, Kind::Record(_)) && (first == b'"' || first == b'n' && !self.nullable)
    }
}

impl Kind {
    /// Whether a JSON value that starts with `first` can be a scalar of this kind. A string instead of an integer is
    /// accepted, and so is a number instead of a string in most formats.
    pub(crate) const fn accepts_scalar(self, first: u8) -> bool {
        match self {
            Self::String(format) => first == b'"' || starts_number(first) && format.accepts_numbers(),
            Self::Integer | Self::Unsigned => first == b'"' || starts_number(first),
            _ => false,
        }
    }

    /// Describes the expected value, for error messages.
    pub(crate) const fn expected(self) -> &'static str {
        match self {
            Self::String(format) => format.expected(),
            Self::Integer => "an integer within 53 bits",
            Self::Unsigned => "an unsigned integer within 53 bits",
            Self::Number => "a number",
            Self::Boolean => "true or false",
            Self::Json => "a JSON value",
            Self::JsonObject | Self::Record(_) => "an object",
            Self::List(_) => "a list",
        }
    }
}

/// Whether a JSON value that starts with `first` is a number.
pub(crate) const fn starts_number(first: u8) -> bool {
    matches!(first, b'-' | b'0'..=b'9')
}

impl Format {
    /// Whether a JSON number is accepted instead of the documented string.
    pub(crate) const fn accepts_numbers(self) -> bool {
        matches!(
            self,
            Self::Uint
                | Self::ChainId
                | Self::HexUint
                | Self::StrictUint
                | Self::Int
                | Self::Decimal
                | Self::Timestamp
                | Self::Free
                | Self::OpenEnum(_)
        )
    }
}
