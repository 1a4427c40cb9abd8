//! Reads records from complete JSON documents into Rust structs, with serde. The reader accepts all service versions.
//!
//! Rust front ends read pages this way. JavaScript uses the table-driven decoder ([`crate::decode`]), which reads from
//! a stream; tests check that both accept the same documents.

use std::borrow::Cow;

use serde::de::{Deserializer, MapAccess, Visitor};
use serde_json::value::RawValue;

use super::format::{Validation, parse_safe_integer};
use super::{Format, Kind, Record, Value};
use crate::strings::{escape_invisible, format_u64, from_utf8_lossy, truncate_chars};

/// The maximum nesting of lists and objects in free JSON. It bounds the stack of code that walks the value, and is the
/// limit of `serde_json`.
pub const MAX_DEPTH: usize = 127;

pub(crate) const EXPECTED_DEPTH: &str = "at most 127 levels of nesting";

/// A value that does not match its declaration.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Mismatch {
    /// The path of the value, such as `items[3].token.decimals`. Empty for the whole document.
    pub path: String,
    /// A description of the declared type.
    pub expected: &'static str,
    /// A description of the value: its kind, or an excerpt.
    pub found: String,
}

impl Mismatch {
    /// Creates a mismatch with an empty path.
    pub fn new(expected: &'static str, found: impl Into<String>) -> Self {
        Self { path: String::new(), expected, found: found.into() }
    }

    /// Creates a mismatch with an empty path and a description of this JSON value.
    #[cold]
    #[inline(never)]
    #[must_use]
    pub fn from_json(expected: &'static str, found: &[u8]) -> Self {
        Self::new(expected, describe(found))
    }

    /// Formats the mismatch: "path: expected …, found …".
    #[must_use]
    pub fn to_message(&self) -> String {
        let colon = if self.path.is_empty() { "" } else { ": " };
        [&*self.path, colon, "expected ", self.expected, ", found ", &*self.found].concat()
    }

    /// Prepends the name of the field that contains the value to the path.
    #[must_use]
    pub fn in_field(mut self, name: &str) -> Self {
        self.prepend(name);
        self
    }

    /// Prepends the index of the list element that contains the value to the path.
    #[must_use]
    pub fn in_element(self, index: usize) -> Self {
        self.in_field(&format_index(index))
    }

    /// Prepends a field name or an index to the path.
    #[inline(never)]
    pub(crate) fn prepend(&mut self, step: &str) {
        let dot = if self.path.is_empty() || self.path.starts_with('[') { "" } else { "." };
        self.path = [step, dot, &*self.path].concat();
    }
}

impl std::fmt::Display for Mismatch {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.to_message())
    }
}

/// Formats the index of a list element for a path: `[3]`.
pub(crate) fn format_index(index: usize) -> String {
    ["[", &*format_u64(index as u64), "]"].concat()
}

/// Describes a JSON value: its kind, or an excerpt of a scalar. Safe to display, even if the response is hostile.
#[must_use]
pub fn describe(json: &[u8]) -> String {
    const MAX_CHARS: usize = 40;
    match json.first() {
        None => "nothing".into(),
        Some(b'{') => "an object".into(),
        Some(b'[') => "a list".into(),
        Some(_) => {
            // A character has at most four bytes. The cut may split the last character, so one more is kept than shown.
            let start = json.get(..4 * (MAX_CHARS + 1)).unwrap_or(json);
            let mut excerpt = escape_invisible(&from_utf8_lossy(start));
            truncate_chars(&mut excerpt, MAX_CHARS);
            excerpt
        }
    }
}

/// Converts a document to well-formed UTF-8. It removes the byte order mark, and replaces invalid bytes and unpaired
/// surrogates with U+FFFD.
#[must_use]
pub fn normalize_document(bytes: &[u8]) -> Cow<'_, str> {
    match String::from_utf8_lossy(bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes)) {
        Cow::Borrowed(json) => to_well_formed(json),
        Cow::Owned(json) => Cow::Owned(to_well_formed(&json).into_owned()),
    }
}

/// The maximum nesting of the lists and objects in a JSON document.
fn nesting_depth(json: &str) -> usize {
    let (mut depth, mut deepest, mut in_string) = (0usize, 0, false);
    let mut bytes = json.bytes();
    while let Some(byte) = bytes.next() {
        match byte {
            b'"' => in_string = !in_string,
            b'\\' if in_string => drop(bytes.next()),
            b'[' | b'{' if !in_string => {
                depth += 1;
                deepest = deepest.max(depth);
            }
            b']' | b'}' if !in_string => depth = depth.saturating_sub(1),
            _ => {}
        }
    }
    deepest
}

/// Replaces escaped surrogates that are not part of a pair with U+FFFD.
fn to_well_formed(json: &str) -> Cow<'_, str> {
    let escaped_unit = |at: usize| {
        let digits = json.get(at..at + 6)?.strip_prefix("\\u")?;
        u16::from_str_radix(digits, 16).ok()
    };
    let mut fixed = String::new();
    let (mut copied_to, mut at) = (0, 0);
    while let Some(distance) = json.get(at..).and_then(|rest| rest.find('\\')) {
        at += distance;
        match (escaped_unit(at), escaped_unit(at + 6)) {
            (Some(0xD800..=0xDBFF), Some(0xDC00..=0xDFFF)) => at += 12,
            (Some(0xD800..=0xDFFF), _) => {
                fixed.push_str(json.get(copied_to..at).unwrap_or_default());
                fixed.push_str("\\ufffd");
                at += 6;
                copied_to = at;
            }
            // Skips the escaped character. The parser reports an incomplete escape later.
            _ => at += 1 + json.get(at + 1..).and_then(|rest| rest.chars().next()).map_or(0, char::len_utf8),
        }
    }
    if fixed.is_empty() {
        return Cow::Borrowed(json);
    }
    fixed.push_str(json.get(copied_to..).unwrap_or_default());
    Cow::Owned(fixed)
}

/// Returns the start of a string in a form that is safe to display, such as the name of an unknown member.
#[must_use]
pub fn excerpt(string: &[u8]) -> String {
    // Without the quote, `describe` would treat a string that starts with a bracket as a list or an object.
    describe(&[b"\"", string].concat()).split_off(1)
}

/// The members of a JSON object, in document order. If a name repeats, its last member is used.
#[derive(Debug)]
pub struct Members<'a>(pub(crate) Vec<(String, &'a RawValue)>);

impl<'a> Members<'a> {
    /// Parses a JSON object.
    ///
    /// # Errors
    /// A [`Mismatch`] if it is not a JSON object.
    pub fn parse(json: &'a str) -> Result<Self, Mismatch> {
        serde_json::from_str(json).map_err(|_| Mismatch::new("an object", describe(json.as_bytes())))
    }

    /// Reads a member by the first of its `names` that is present. The first name is the documented one.
    ///
    /// # Errors
    /// A [`Mismatch`] if the member is invalid, or if it is required and missing.
    pub fn read_member<T: Value>(&mut self, names: &[&'static str]) -> Result<T, Mismatch> {
        let documented = names.first().copied().unwrap_or_default();
        // A name can have two meanings. In a log, `address_hash` is the address object of the emitter, or only its hash
        // in other service versions. Values with the other meaning are skipped.
        let other_meaning = |json: &str| {
            let is_other = json.starts_with('"') || json == "null" && !T::TYPE.nullable;
            is_other && names.len() > 1 && matches!(T::TYPE.kind, Kind::Record(_))
        };
        let json = names.iter().find_map(|&name| {
            let values = |(key, json): &(String, &'a RawValue)| (key == name).then_some(json.get());
            self.0.iter().rev().filter_map(values).find(|json| !other_meaning(json))
        });
        match json {
            Some(json) => T::read(json),
            None => T::value_if_missing().ok_or_else(|| Mismatch::new(expected(T::TYPE.kind), "nothing")),
        }
        .map_err(|mismatch| mismatch.in_field(documented))
    }
}

impl<'de: 'a, 'a> serde::Deserialize<'de> for Members<'a> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct MembersVisitor;
        impl<'de> Visitor<'de> for MembersVisitor {
            type Value = Vec<(String, &'de RawValue)>;
            fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str("an object")
            }
            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
                let mut members = Vec::new();
                while let Some(member) = map.next_entry()? {
                    members.push(member);
                }
                Ok(members)
            }
        }
        deserializer.deserialize_map(MembersVisitor).map(Self)
    }
}

/// Describes the expected value, for error messages.
#[must_use]
pub const fn expected(kind: Kind) -> &'static str {
    match kind {
        Kind::String(format) => format.expected(),
        Kind::Integer => "an integer within 53 bits",
        Kind::Boolean => "true or false",
        Kind::Json => "a JSON value",
        Kind::JsonObject | Kind::Record(_) => "an object",
        Kind::List(_) => "a list",
    }
}

/// Fails with a [`Mismatch`] that describes the expected kind and the value.
fn mismatch<T>(kind: Kind, json: &str) -> Result<T, Mismatch> {
    Err(Mismatch::new(expected(kind), describe(json.as_bytes())))
}

/// Whether a value means "none" or "unknown". Such a value is read as null where null is allowed.
pub(crate) fn is_empty_value(json: &str, kind: Kind) -> bool {
    match kind {
        Kind::String(format) => {
            json.starts_with('"')
                && unescape(json).is_ok_and(|string| format.validate(string.as_bytes()) == Validation::Empty)
        }
        Kind::Integer => json == "\"\"",
        Kind::JsonObject => read_json_object(json).is_err(),
        _ => false,
    }
}

pub(crate) fn read_record<R: Record>(json: &str) -> Result<R, Mismatch> {
    R::from_members(&mut Members::parse(json)?)
}

/// Reads a list. Null is read as an empty list.
pub(crate) fn read_list<T: Value>(json: &str) -> Result<Vec<T>, Mismatch> {
    if json == "null" {
        return Ok(Vec::new());
    }
    let elements: Vec<&RawValue> = match serde_json::from_str(json) {
        Ok(elements) => elements,
        Err(_) => return mismatch(Kind::List(&T::TYPE), json),
    };
    let read =
        |(index, element): (usize, &&RawValue)| T::read(element.get()).map_err(|mismatch| mismatch.in_element(index));
    elements.iter().enumerate().map(read).collect()
}

pub(crate) fn read_string(json: &str, format: Format) -> Result<String, Mismatch> {
    let kind = Kind::String(format);
    let string = match json.as_bytes().first() {
        Some(b'"') => unescape(json)?,
        Some(b'-' | b'0'..=b'9') if format.accepts_numbers() => json.to_owned(),
        _ => return mismatch(kind, json),
    };
    match format.validate(string.as_bytes()) {
        Validation::Unchanged | Validation::Unexpected => Ok(string),
        Validation::Normalized(normalized) => Ok(normalized),
        Validation::Empty | Validation::Invalid => mismatch(kind, json),
    }
}

fn unescape(json: &str) -> Result<String, Mismatch> {
    serde_json::from_str(json).or_else(|_| mismatch(Kind::String(Format::Free), json))
}

pub(crate) fn read_integer(json: &str) -> Result<i64, Mismatch> {
    let digits = if json.starts_with('"') { Cow::Owned(unescape(json)?) } else { Cow::Borrowed(json) };
    parse_safe_integer(digits.as_bytes()).map_or_else(|| mismatch(Kind::Integer, json), Ok)
}

pub(crate) fn read_boolean(json: &str) -> Result<bool, Mismatch> {
    match json {
        "true" => Ok(true),
        "false" => Ok(false),
        _ => mismatch(Kind::Boolean, json),
    }
}

pub(crate) fn read_json(json: &str) -> Result<String, Mismatch> {
    if nesting_depth(json) > MAX_DEPTH {
        return Err(Mismatch::from_json(EXPECTED_DEPTH, json.as_bytes()));
    }
    Ok(json.to_owned())
}

/// Reads a JSON object, or a string that contains one.
pub(crate) fn read_json_object(json: &str) -> Result<String, Mismatch> {
    let inner = if json.starts_with('"') { unescape(json)? } else { json.to_owned() };
    let trimmed = inner.trim_matches([' ', '\t', '\n', '\r']);
    let object = normalize_document(trimmed.as_bytes());
    if object.starts_with('{')
        && nesting_depth(&object) <= MAX_DEPTH
        && serde_json::from_str::<&RawValue>(&object).is_ok()
    {
        return Ok(object.into_owned());
    }
    mismatch(Kind::JsonObject, json)
}
