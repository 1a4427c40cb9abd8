//! [`ParamRule`]: the values that a parameter accepts. The types of parameters are in [`params`](super).
//!
//! A parameter arrives in one of two ways. Rust callers set a typed value, such as [`Address`](super::Address).
//! JavaScript callers pass any value, a [`ParamValue`]. Both are checked by [`ParamRule::check`] before a request is sent.

use crate::error::Error;
use crate::record::{Format, Validation, to_plain_decimal};
use crate::strings::{contains_any, find_ignore_case, format_u64, parse_u64, split};

/// The values that a parameter accepts.
#[derive(Debug)]
pub struct ParamRule {
    /// The accepted values in words, to follow "must be" in error messages.
    pub must_be: &'static str,
    /// Whether a list of values is accepted, as a list or as a comma-separated string.
    pub is_list: bool,
    /// The alternatives for one value.
    pub allowed: &'static [Allowed],
}

/// One alternative for the value of a parameter.
#[derive(Debug)]
pub enum Allowed {
    /// `0x` and this number of hex digits.
    Hex(usize),
    /// `0x` and two hex digits per byte.
    HexData,
    /// An integer from the minimum to the maximum, both included.
    Integer(u64, u64),
    /// A string of decimal digits, at most this many.
    Digits(usize),
    /// Any string that is not empty.
    Text,
    /// A time in ISO 8601 with a zone, or Unix seconds.
    Time,
    /// A decimal number that is not negative, such as `0.5`.
    Decimal,
    /// One of these strings.
    OneOf(&'static [&'static str]),
    /// One of these strings in any letter case. The request contains the string in this spelling.
    OneOfIgnoreCase(&'static [&'static str]),
}

impl ParamRule {
    /// Returns the canonical form of one value, which is sent. `None` where the value is not allowed.
    #[must_use]
    pub fn canonicalize(&self, value: &str) -> Option<String> {
        self.allowed.iter().find_map(|allowed| match allowed {
            Allowed::Hex(digits) => is_prefixed_hex(value, *digits).then(|| value.to_owned()),
            Allowed::HexData => {
                let digits = value.len().saturating_sub(2);
                (digits.is_multiple_of(2) && is_prefixed_hex(value, digits)).then(|| value.to_owned())
            }
            Allowed::Integer(min, max) => {
                parse_u64(value).filter(|integer| (min..=max).contains(&integer)).map(format_u64)
            }
            Allowed::Digits(max) => ((1..=*max).contains(&value.len()) && value.bytes().all(|b| b.is_ascii_digit()))
                .then(|| value.to_owned()),
            Allowed::Text => (!value.is_empty()).then(|| value.to_owned()),
            Allowed::Time => match Format::Timestamp.validate(value.as_bytes()) {
                Validation::Unchanged | Validation::Unexpected => Some(value.to_owned()),
                Validation::Normalized(time) => Some(time),
                Validation::Empty | Validation::Invalid => None,
            },
            Allowed::Decimal => to_plain_decimal(value.as_bytes()).filter(|plain| !plain.starts_with('-')),
            Allowed::OneOf(values) => values.contains(&value).then(|| value.to_owned()),
            Allowed::OneOfIgnoreCase(values) => find_ignore_case(values, value).map(str::to_owned),
        })
    }

    /// Returns the canonical forms of several values, separated by commas. `None` where one of them is not allowed.
    fn canonicalize_all(&self, values: &mut dyn Iterator<Item = &str>) -> Option<String> {
        let mut list = String::new();
        for value in values {
            list.push_str(if list.is_empty() { "" } else { "," });
            list.push_str(&self.canonicalize(value)?);
        }
        Some(list)
    }

    /// Checks a value and returns its canonical form. `Ok(None)` for an empty list, which filters nothing.
    ///
    /// # Errors
    /// [`ErrorCode::InvalidParameter`](crate::error::ErrorCode) that names the parameter and the rule.
    pub fn check(&self, name: &str, value: &ParamValue) -> Result<Option<String>, Error> {
        let accepted = match value {
            ParamValue::String(list) if self.is_list => self.canonicalize_all(&mut split(list, b',')),
            ParamValue::String(value) => self.canonicalize(value),
            ParamValue::List(values) if values.is_empty() && self.is_list => return Ok(None),
            ParamValue::List(values) if self.is_list => self.canonicalize_all(&mut values.iter().map(String::as_str)),
            ParamValue::Boolean(value) => self.canonicalize(if *value { "true" } else { "false" }),
            ParamValue::Number(value) => format_integer(*value).and_then(|digits| self.canonicalize(&digits)),
            ParamValue::List(_) | ParamValue::Other => None,
        };
        accepted.map(Some).ok_or_else(|| {
            let mut error = self.new_error(name);
            let is_name = matches!(value, ParamValue::String(value) if contains_any(value, b"."));
            if is_name && matches!(self.allowed, [Allowed::Hex(40)]) {
                error.message.push_str("; resolveName of address-query/names returns the address of a name");
            }
            error
        })
    }

    /// Creates the error for a value that is not allowed.
    pub(crate) fn new_error(&self, name: &str) -> Error {
        Error::invalid_parameter(name, &["must be ", self.must_be].concat())
    }
}

/// Whether a string is `0x` and exactly this number of hex digits.
fn is_prefixed_hex(string: &str, digits: usize) -> bool {
    let Some(hex) = string.strip_prefix("0x") else { return false };
    hex.len() == digits && hex.bytes().all(|b| b.is_ascii_hexdigit())
}

/// The value of a parameter or option, before it is checked.
#[derive(Debug, Clone, PartialEq)]
pub enum ParamValue {
    /// A string.
    String(String),
    /// A list of strings.
    List(Vec<String>),
    /// A boolean.
    Boolean(bool),
    /// A number.
    Number(f64),
    /// A value of a type that no parameter accepts.
    Other,
}

/// Formats a JavaScript safe integer in decimal. Returns `None` for other numbers, and for negative ones, which no
/// parameter accepts.
pub(crate) fn format_integer(value: f64) -> Option<String> {
    const MAX_SAFE: f64 = 9_007_199_254_740_991.0;
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "whole and within 53 bits")]
    (value.trunc() - value == 0.0 && (0.0..=MAX_SAFE).contains(&value)).then(|| format_u64(value as u64))
}

/// A type that a parameter can have.
pub trait ParamType {
    /// The values that the parameter accepts.
    const RULE: &'static ParamRule;
    /// The TypeScript type. It is not part of the rule, so that it is not compiled into the WebAssembly module.
    const TYPESCRIPT: &'static str;
    /// Converts to an unchecked value.
    fn to_value(&self) -> ParamValue;
}
