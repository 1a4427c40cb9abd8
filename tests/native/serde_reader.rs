//! Reads whole responses with serde, the reference for the decoder. It uses the `Deserialize` of records.

use address_query::testing::decode::{Cursor, DecodeError, Layout, read_cursor};
use address_query::testing::record::{Members, Mismatch, Record, Value, normalize_document};
use serde_json::value::RawValue;

/// The rows of a response and its envelope.
pub struct Response<T, E> {
    /// `None` if null was sent.
    pub rows: Option<Vec<T>>,
    pub envelope: E,
}

/// The cursor of a page, or why it cannot be sent back.
pub type PageCursor = (Option<Cursor>, Option<Mismatch>);

/// Reads a page of a list.
///
/// # Errors
/// The first mismatch and its path, or a syntax error.
pub fn read_page<T: Value, E: Record>(
    bytes: &[u8],
    layout: Layout,
) -> Result<(Response<T, E>, PageCursor), DecodeError> {
    Ok((read_response(bytes, layout)?, read_cursor(bytes)?))
}

/// Reads a response that is one record.
///
/// # Errors
/// The first mismatch and its path, or a syntax error.
pub fn read_record<T: Record>(bytes: &[u8]) -> Result<T, DecodeError> {
    let document = normalize_document(bytes);
    let members = parse_members(&document)?;
    let names =
        T::TABLE.fields.iter().enumerate().flat_map(|(field, _)| T::TABLE.field_names(field)).collect::<Vec<_>>();
    if !members.0.is_empty() && !members.0.iter().any(|(key, _)| names.contains(&key.as_str())) {
        return Err(mismatch_error(Mismatch { path: String::new(), expected: EXPECTED_RECORD, found: String::new() }));
    }
    T::from_members(&members).map_err(mismatch_error)
}

/// The expectation for a response that has no field of its record.
const EXPECTED_RECORD: &str = "an object with documented fields";

/// Reads the rows and the envelope of a response.
///
/// # Errors
/// The first mismatch and its path, or a syntax error.
pub fn read_response<T: Value, E: Record>(bytes: &[u8], layout: Layout) -> Result<Response<T, E>, DecodeError> {
    let document = normalize_document(bytes);
    let (name, is_nullable) = layout.rows.unwrap_or_default();
    let (rows, others) = if layout.accepts_array && document.trim_start().starts_with('[') {
        (Some(serde_json::from_str(&document).map_err(|error| syntax_error(&error))?), "{}".into())
    } else {
        split_rows(&parse_members(&document)?, name, is_nullable)?
    };
    let read = |(index, row): (usize, &RawValue)| {
        read_row::<T>(row.get()).map_err(|mismatch| at_path(mismatch, &format!("{name}[{index}]")))
    };
    let rows = rows.map(|rows: Vec<_>| rows.into_iter().enumerate().map(read).collect::<Result<_, _>>()).transpose()?;
    Ok(Response { rows, envelope: E::from_members(&parse_members(&others)?).map_err(mismatch_error)? })
}

/// Reads a row, which must be an object.
///
/// # Errors
/// The first mismatch and its path.
pub fn read_row<T: Value>(json: &str) -> Result<T, Mismatch> {
    // In a field, an address hash may take the place of an address.
    if json.trim_start().starts_with('"') {
        return Err(Mismatch { path: String::new(), expected: "an object", found: json.to_owned() });
    }
    T::read(json)
}

/// Parses a document that must be an object.
fn parse_members(document: &str) -> Result<Members<'_>, DecodeError> {
    serde_json::from_str(document).map_err(|error| syntax_error(&error))
}

/// Returns the rows in the member of this name, and the JSON of an object with the other members.
fn split_rows<'a>(
    members: &Members<'a>,
    name: &'static str,
    is_nullable: bool,
) -> Result<(Option<Vec<&'a RawValue>>, String), DecodeError> {
    let mut rows = None;
    let mut others = Vec::new();
    for (key, value) in &members.0 {
        match key.as_str() {
            "next_page_params" => {}
            key if key == name && rows.is_some() => return Err(rows_error(name, "one list", "a second one")),
            key if key == name && is_nullable && value.get() == "null" => {}
            key if key == name => {
                let parsed = serde_json::from_str(value.get());
                rows = Some(parsed.map_err(|_| rows_error(name, "a list", "another value"))?);
            }
            _ => others.push(format!("{}:{value}", serde_json::Value::from(key.as_str()))),
        }
    }
    if rows.is_none() && !is_nullable {
        return Err(rows_error(name, "a list", "nothing"));
    }
    Ok((rows, format!("{{{}}}", others.join(","))))
}

/// The error for the member with the rows.
fn rows_error(name: &str, expected: &'static str, found: &str) -> DecodeError {
    mismatch_error(Mismatch { path: name.to_owned(), expected, found: found.to_owned() })
}

fn at_path(mismatch: Mismatch, path: &str) -> DecodeError {
    let separator = if mismatch.path.is_empty() || mismatch.path.starts_with('[') { "" } else { "." };
    mismatch_error(Mismatch { path: format!("{path}{separator}{}", mismatch.path), ..mismatch })
}

fn mismatch_error(mismatch: Mismatch) -> DecodeError {
    DecodeError::Mismatch(Box::new(mismatch))
}

fn syntax_error(error: &serde_json::Error) -> DecodeError {
    let (path, expected, found) = (String::new(), "a complete JSON document, an object", error.to_string());
    DecodeError::Syntax(Box::new(Mismatch { path, expected, found }))
}
