//! Reading declared records with serde: JSON text in, Rust structs out, lenient in the ways the service's versions ask
//! for. Rust front ends read pages this way, and tests hold the table-driven decoder against it.

use std::borrow::Cow;

use serde::de::{Deserializer, MapAccess, Visitor};
use serde_json::value::RawValue;

use super::format::{Verdict, safe_integer};
use super::{Format, Kind, Record, Value};
use crate::text::{escape_invisible, lossy, number, shorten};

/// How deep lists and objects may nest in free JSON: whoever walks what is given out is to have stack enough. (`serde_json`
/// reads so many.)
pub const MAX_DEPTH: usize = 127;

pub(crate) const NOT_TOO_DEEP: &str = "at most 127 levels of nesting";

/// A value that does not fit its declaration.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Mismatch {
    /// Where it stands: `items[3].token.decimals`; empty for the whole document.
    pub path: String,
    /// What the declaration asks for.
    pub expected: &'static str,
    /// What stands there: its type and a short, printable excerpt.
    pub found: String,
}

impl Mismatch {
    /// A mismatch at the value that is being read.
    pub fn new(expected: &'static str, found: impl Into<String>) -> Self {
        Self { path: String::new(), expected, found: found.into() }
    }

    /// A mismatch at the value that is being read: this JSON, or what is said in place of it.
    #[cold]
    #[inline(never)]
    #[must_use]
    pub fn of(expected: &'static str, found: &[u8]) -> Self {
        Self::new(expected, describe(found))
    }

    /// What is wrong, and where.
    #[must_use]
    pub fn in_words(&self) -> String {
        let colon = if self.path.is_empty() { "" } else { ": " };
        [&*self.path, colon, "expected ", self.expected, ", found ", &*self.found].concat()
    }

    /// The same, seen from the record that holds the value as this field.
    #[must_use]
    pub fn in_field(mut self, name: &str) -> Self {
        self.lead(name);
        self
    }

    /// The same, seen from the list that holds the value at this index.
    #[must_use]
    pub fn in_element(self, index: usize) -> Self {
        self.in_field(&element(index))
    }

    /// Puts a step in front of the path.
    #[inline(never)]
    pub(crate) fn lead(&mut self, step: &str) {
        let dot = if self.path.is_empty() || self.path.starts_with('[') { "" } else { "." };
        self.path = [step, dot, &*self.path].concat();
    }
}

impl std::fmt::Display for Mismatch {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.in_words())
    }
}

/// The step of a path to an element of a list.
pub(crate) fn element(index: usize) -> String {
    ["[", &*number(index as u64), "]"].concat()
}

/// Says what a JSON value is, in a few printable characters: answers are hostile text, and may be long.
#[must_use]
pub fn describe(json: &[u8]) -> String {
    const SHOWN: usize = 40;
    match json.first() {
        None => "nothing".into(),
        Some(b'{') => "an object".into(),
        Some(b'[') => "a list".into(),
        Some(_) => {
            // A character has at most four bytes, and the one that is cut off is not among those shown.
            let start = json.get(..4 * (SHOWN + 1)).unwrap_or(json);
            let mut shown = escape_invisible(&lossy(start));
            shorten(&mut shown, SHOWN);
            shown
        }
    }
}

/// Prepares a document for reading: without its byte order mark, and with U+FFFD in place of what no string can hold: bytes
/// that are no UTF-8, and halves of surrogate pairs.
#[must_use]
pub fn read_document(bytes: &[u8]) -> Cow<'_, str> {
    match String::from_utf8_lossy(bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes)) {
        Cow::Borrowed(text) => well_formed(text),
        Cow::Owned(text) => Cow::Owned(well_formed(&text).into_owned()),
    }
}

fn depth(text: &str) -> usize {
    let (mut depth, mut deepest, mut in_text) = (0usize, 0, false);
    let mut bytes = text.bytes();
    while let Some(byte) = bytes.next() {
        match byte {
            b'"' => in_text = !in_text,
            b'\\' if in_text => drop(bytes.next()),
            b'[' | b'{' if !in_text => {
                depth += 1;
                deepest = deepest.max(depth);
            }
            b']' | b'}' if !in_text => depth = depth.saturating_sub(1),
            _ => {}
        }
    }
    deepest
}

fn well_formed(text: &str) -> Cow<'_, str> {
    let unit = |at: usize| {
        let digits = text.get(at..at + 6)?.strip_prefix("\\u")?;
        u16::from_str_radix(digits, 16).ok()
    };
    let mut fixed = String::new();
    let (mut kept, mut at) = (0, 0);
    while let Some(found) = text.get(at..).and_then(|rest| rest.find('\\')) {
        at += found;
        match (unit(at), unit(at + 6)) {
            (Some(0xD800..=0xDBFF), Some(0xDC00..=0xDFFF)) => at += 12,
            (Some(0xD800..=0xDFFF), _) => {
                fixed.push_str(text.get(kept..at).unwrap_or_default());
                fixed.push_str("\\ufffd");
                at += 6;
                kept = at;
            }
            // Past the escaped character; a cut in the middle of one is found by the reading that follows.
            _ => at += 1 + text.get(at + 1..).and_then(|rest| rest.chars().next()).map_or(0, char::len_utf8),
        }
    }
    if fixed.is_empty() {
        return Cow::Borrowed(text);
    }
    fixed.push_str(text.get(kept..).unwrap_or_default());
    Cow::Owned(fixed)
}

/// A member's name, as [`describe`] does it.
#[must_use]
pub fn printable(name: &[u8]) -> String {
    // The quote keeps a name that begins like an object or a list from being described as one.
    describe(&[b"\"", name].concat()).split_off(1)
}

/// The members of a JSON object in their order; of members with one name the last counts.
#[derive(Debug)]
pub struct Members<'a>(pub(crate) Vec<(String, &'a RawValue)>);

impl<'a> Members<'a> {
    /// Splits an object.
    ///
    /// # Errors
    /// When the text is no JSON object.
    pub fn split(json: &'a str) -> Result<Self, Mismatch> {
        serde_json::from_str(json).map_err(|_| Mismatch::new("an object", describe(json.as_bytes())))
    }

    /// Reads the member that has the first of these names that is there.
    ///
    /// # Errors
    /// The member's mismatch, or that it is missing.
    pub fn take<T: Value>(&mut self, names: &[&'static str]) -> Result<T, Mismatch> {
        let documented = names.first().copied().unwrap_or_default();
        // One name, two meanings: a log's `address_hash` is the emitter's object here, and a plain hash or null elsewhere.
        let other_meaning = |json: &str| {
            let is_other = json.starts_with('"') || json == "null" && !T::SLOT.nullable;
            is_other && names.len() > 1 && matches!(T::SLOT.kind, Kind::Record(_))
        };
        let json = names.iter().find_map(|&name| {
            let values = |(key, json): &(String, &'a RawValue)| (key == name).then_some(json.get());
            self.0.iter().rev().filter_map(values).find(|json| !other_meaning(json))
        });
        match json {
            Some(json) => T::read(json),
            None => T::absent().ok_or_else(|| Mismatch::new(expects(T::SLOT.kind), "nothing")),
        }
        .map_err(|mismatch| mismatch.in_field(documented))
    }
}

impl<'de: 'a, 'a> serde::Deserialize<'de> for Members<'a> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct InOrder;
        impl<'de> Visitor<'de> for InOrder {
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
        deserializer.deserialize_map(InOrder).map(Self)
    }
}

/// What a kind asks for, for error messages.
#[must_use]
pub const fn expects(kind: Kind) -> &'static str {
    match kind {
        Kind::Text(format) => format.expects(),
        Kind::Integer => "an integer within 53 bits",
        Kind::Boolean => "true or false",
        Kind::Json => "a JSON value",
        Kind::JsonObject | Kind::Record(_) => "an object",
        Kind::List(_) => "a list",
    }
}

fn mismatch<T>(kind: Kind, json: &str) -> Result<T, Mismatch> {
    Err(Mismatch::new(expects(kind), describe(json.as_bytes())))
}

/// Whether a value is the service's way to say "unknown": read as null where null may stand.
pub(crate) fn is_unknown(json: &str, kind: Kind) -> bool {
    match kind {
        Kind::Text(format) => {
            json.starts_with('"') && unescape(json).is_ok_and(|text| format.judge(text.as_bytes()) == Verdict::Unknown)
        }
        Kind::Integer => json == "\"\"",
        Kind::JsonObject => json_object(json).is_err(),
        _ => false,
    }
}

pub(crate) fn record<R: Record>(json: &str) -> Result<R, Mismatch> {
    R::from_members(&mut Members::split(json)?)
}

pub(crate) fn list<T: Value>(json: &str) -> Result<Vec<T>, Mismatch> {
    if json == "null" {
        return Ok(Vec::new());
    }
    let elements: Vec<&RawValue> = match serde_json::from_str(json) {
        Ok(elements) => elements,
        Err(_) => return mismatch(Kind::List(&T::SLOT), json),
    };
    let read =
        |(index, element): (usize, &&RawValue)| T::read(element.get()).map_err(|mismatch| mismatch.in_element(index));
    elements.iter().enumerate().map(read).collect()
}

pub(crate) fn text(json: &str, format: Format) -> Result<String, Mismatch> {
    let kind = Kind::Text(format);
    let text = match json.as_bytes().first() {
        Some(b'"') => unescape(json)?,
        Some(b'-' | b'0'..=b'9') if format.takes_numbers() => json.to_owned(),
        _ => return mismatch(kind, json),
    };
    match format.judge(text.as_bytes()) {
        Verdict::AsIs | Verdict::Unexpected => Ok(text),
        Verdict::Rewritten(text) => Ok(text),
        Verdict::Unknown | Verdict::Wrong => mismatch(kind, json),
    }
}

fn unescape(json: &str) -> Result<String, Mismatch> {
    serde_json::from_str(json).or_else(|_| mismatch(Kind::Text(Format::Free), json))
}

pub(crate) fn integer(json: &str) -> Result<i64, Mismatch> {
    let digits = if json.starts_with('"') { Cow::Owned(unescape(json)?) } else { Cow::Borrowed(json) };
    safe_integer(digits.as_bytes()).map_or_else(|| mismatch(Kind::Integer, json), Ok)
}

pub(crate) fn boolean(json: &str) -> Result<bool, Mismatch> {
    match json {
        "true" => Ok(true),
        "false" => Ok(false),
        _ => mismatch(Kind::Boolean, json),
    }
}

pub(crate) fn json(json: &str) -> Result<String, Mismatch> {
    if depth(json) > MAX_DEPTH {
        return Err(Mismatch::of(NOT_TOO_DEEP, json.as_bytes()));
    }
    Ok(json.to_owned())
}

pub(crate) fn json_object(json: &str) -> Result<String, Mismatch> {
    let inner = if json.starts_with('"') { unescape(json)? } else { json.to_owned() };
    let trimmed = inner.trim_matches([' ', '\t', '\n', '\r']);
    let object = read_document(trimmed.as_bytes());
    if object.starts_with('{') && depth(&object) <= MAX_DEPTH && serde_json::from_str::<&RawValue>(&object).is_ok() {
        return Ok(object.into_owned());
    }
    mismatch(Kind::JsonObject, json)
}
