//! The members of a JSON object, and the preparation of a document for serde.

use std::borrow::Cow;

use serde::de::{Deserializer, MapAccess, Visitor};
use serde_json::value::RawValue;

use crate::json::escape::replace_ill_formed;
use crate::json::{BYTE_ORDER_MARK, Mismatch};

/// Converts a document to well-formed UTF-8. It removes the byte order mark, and replaces invalid bytes and unpaired
/// surrogates with U+FFFD.
#[must_use]
pub fn normalize_document(bytes: &[u8]) -> Cow<'_, str> {
    let bytes = bytes.strip_prefix(BYTE_ORDER_MARK).unwrap_or(bytes);
    match std::str::from_utf8(bytes) {
        Ok(json) if !json.contains("\\u") => Cow::Borrowed(json),
        _ => Cow::Owned(String::from_utf8(replace_ill_formed(bytes)).unwrap_or_default()),
    }
}

/// The members of a JSON object, in document order. If a name repeats, its last member is used.
#[derive(Debug)]
pub struct Members<'a>(pub Vec<(String, &'a RawValue)>);

impl<'a> Members<'a> {
    /// Parses a JSON object.
    ///
    /// # Errors
    /// A [`Mismatch`] if it is not a JSON object.
    pub(crate) fn parse(json: &'a str) -> Result<Self, Mismatch> {
        serde_json::from_str(json).map_err(|_| Mismatch::from_json("an object", json.as_bytes()))
    }

    /// Finds the last member with one of these names.
    pub(crate) fn find_last(&self, names: &[&str]) -> Option<&'a str> {
        self.0.iter().rfind(|(key, _)| names.contains(&key.as_str())).map(|(_, json)| json.get())
    }

    /// Finds a member by the first of its `names` that is present, among the values that `accepts` accepts.
    pub(crate) fn find(&self, names: &[&str], accepts: impl Fn(&str) -> bool) -> Option<&'a str> {
        names.iter().find_map(|name| {
            let values = |(key, json): &(String, &'a RawValue)| (key == name).then_some(json.get());
            self.0.iter().rev().filter_map(values).find(|json| accepts(json))
        })
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
