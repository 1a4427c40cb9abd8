//! Reads records from complete JSON documents with serde: the `Deserialize` of records. The reader accepts all service
//! versions.
//!
//! The client does not use it: responses are decoded by the table-driven decoder ([`crate::decode`]), which reads from a stream.
//! Tests check that both read the same values from the same documents.

use std::borrow::Cow;

use serde_json::value::RawValue;

use super::coercion::{Scalar, starts_number};
use super::members::Members;
use super::{AddressHash, EXPECTED_BY_KIND, Kind, Record, Table, Value, ValueType};
use crate::json::escape::replace_ill_formed;
use crate::json::{EXPECTED_DEPTH, Mismatch, is_too_deep, parse_object};
use crate::strings::from_utf8_lossy;

/// Reads the member of a field, by the first of its names that is present.
///
/// # Errors
/// A [`Mismatch`] if the member is essential, and invalid or missing.
pub(crate) fn read_member<T: Value>(members: &Members<'_>, table: &Table, field: Option<usize>) -> Result<T, Mismatch> {
    let field = field.unwrap_or_default();
    let names: Vec<&str> = table.field_names(field).collect();
    let names = &*names;
    let is_whole = |json: &str| !T::TYPE.is_partial(first_byte(json));
    match members.find(names, is_whole).or_else(|| members.find_last(names)) {
        Some(json) if table.is_essential(field) => T::read(json),
        Some(json) => T::read_ornament(json),
        None if T::TYPE.accepts_null() => T::read("null"),
        None => Err(Mismatch::from_json(T::TYPE.kind.expected(), b"")),
    }
    .map_err(|mismatch| mismatch.in_field(table.field_name(field)))
}

/// Fails if a record of this kind lacks a field. `missing` has the names in Rust of the fields that some kinds require, and whether they are
/// null.
pub(crate) fn check_variants<R: Record>(kind: Option<&str>, missing: &[(&str, bool)]) -> Result<(), Mismatch> {
    let is_null = |field: usize| R::RUST_NAMES.get(field).is_some_and(|name| missing.contains(&(name, true)));
    let Some(variants) = &R::TABLE.variants else { return Ok(()) };
    match variants.find_missing(kind.unwrap_or_default().as_bytes(), is_null) {
        Some(field) => Err(Mismatch::from_json(EXPECTED_BY_KIND, b"null").in_field(R::TABLE.field_name(field))),
        None => Ok(()),
    }
}

/// Reads an object, or an address hash in place of an address.
pub(crate) fn read_record<R: Record>(json: &str) -> Result<R, Mismatch> {
    if json.starts_with('"') && R::TABLE.is_address() {
        let hash: &RawValue = serde_json::from_str(json).map_err(|_| mismatch(Kind::Record(R::TABLE), json))?;
        AddressHash::read(json)?;
        return R::from_members(&Members(vec![(R::TABLE.field_name(0).into(), hash)]));
    }
    R::from_members(&Members::parse(json)?)
}

/// Reads a value that may be null.
pub(crate) fn read_option<T: Value>(json: &str) -> Result<Option<T>, Mismatch> {
    if is_null(json, ValueType { nullable: true, ..T::TYPE }) { Ok(None) } else { T::read(json).map(Some) }
}

/// Whether a value of a nullable type is null, or means "none" or "unknown".
fn is_null(json: &str, value_type: ValueType) -> bool {
    match value_type.kind {
        _ if json == "null" => true,
        Kind::String(_) | Kind::Integer | Kind::Unsigned => {
            matches!(read_scalar(json, value_type), Ok((_, Scalar::Null)))
        }
        _ => false,
    }
}

/// Reads a list. Null is read as an empty list.
pub(crate) fn read_list<T: Value>(json: &str) -> Result<Vec<T>, Mismatch> {
    if json == "null" {
        return Ok(Vec::new());
    }
    let elements: Vec<&RawValue> = serde_json::from_str(json).map_err(|_| mismatch(Kind::List(&T::TYPE), json))?;
    let read =
        |(index, element): (usize, &&RawValue)| T::read(element.get()).map_err(|mismatch| mismatch.in_element(index));
    elements.iter().enumerate().map(read).collect()
}

/// Reads the readable elements of a list. Others are left out, or are null if the elements can be null.
pub(crate) fn read_ornaments<T: Value>(json: &str) -> Vec<T> {
    let elements: Vec<&RawValue> = serde_json::from_str(json).unwrap_or_default();
    let read = |element: &&RawValue| T::read_ornament(element.get()).ok();
    elements.iter().filter_map(read).collect()
}

/// Reads a string.
pub(crate) fn read_string(json: &str, value_type: ValueType) -> Result<String, Mismatch> {
    match read_scalar(json, value_type)? {
        (sent, Scalar::AsSent | Scalar::Unexpected) => Ok(sent.into_owned()),
        (_, Scalar::Normalized(string)) => Ok(string),
        (_, Scalar::Integer(_) | Scalar::Null) => Err(mismatch(value_type.kind, json)),
    }
}

/// Reads an integer.
pub(crate) fn read_integer<T: TryFrom<i64>>(json: &str, value_type: ValueType) -> Result<T, Mismatch> {
    let value = match read_scalar(json, value_type)? {
        (_, Scalar::Integer(value)) => T::try_from(value).ok(),
        _ => None,
    };
    value.ok_or_else(|| mismatch(value_type.kind, json))
}

/// Reads a string or an integer. Returns what was sent, with its escapes resolved, and its meaning.
fn read_scalar(json: &str, value_type: ValueType) -> Result<(Cow<'_, str>, Scalar), Mismatch> {
    let error = || mismatch(value_type.kind, json);
    if !value_type.kind.accepts_scalar(first_byte(json)) {
        return Err(error());
    }
    let content = unescape(json).ok_or_else(error)?;
    let scalar = value_type.read_scalar(content.as_bytes()).ok_or_else(error)?;
    Ok((content, scalar))
}

pub(crate) fn read_boolean(json: &str) -> Result<bool, Mismatch> {
    match json {
        "true" => Ok(true),
        "false" => Ok(false),
        _ => Err(mismatch(Kind::Boolean, json)),
    }
}

pub(crate) fn read_json(json: &str) -> Result<String, Mismatch> {
    if is_too_deep(json.as_bytes()) {
        return Err(Mismatch::from_json(EXPECTED_DEPTH, json.as_bytes()));
    }
    Ok(json.to_owned())
}

/// Reads a JSON number. It is valid, because the document was parsed before.
pub(crate) fn read_json_number(json: &str) -> Result<String, Mismatch> {
    if starts_number(first_byte(json)) { Ok(json.to_owned()) } else { Err(mismatch(Kind::Number, json)) }
}

/// Reads a JSON object, or a string that contains one.
pub(crate) fn read_json_object(json: &str) -> Result<String, Mismatch> {
    let inner = unescape(json).unwrap_or_default();
    let object = parse_object(inner.as_bytes()).ok_or_else(|| mismatch(Kind::JsonObject, json))?;
    Ok(from_utf8_lossy(&replace_ill_formed(object.json)))
}

/// The content of a string with its escapes resolved. Any other JSON is returned unchanged.
fn unescape(json: &str) -> Option<Cow<'_, str>> {
    if json.starts_with('"') { serde_json::from_str(json).ok().map(Cow::Owned) } else { Some(Cow::Borrowed(json)) }
}

fn first_byte(json: &str) -> u8 {
    json.as_bytes().first().copied().unwrap_or_default()
}

/// Creates a [`Mismatch`] that describes the expected kind and the value.
fn mismatch(kind: Kind, json: &str) -> Mismatch {
    Mismatch::from_json(kind.expected(), json.as_bytes())
}
