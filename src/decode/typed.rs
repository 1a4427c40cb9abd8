//! Decodes responses to Rust structs with serde, for front ends in Rust. The tests compare the frame decoder with it.

use serde_json::value::RawValue;

use super::cursor::Cursor;
use super::layout::Layout;
use super::page::FramePage;
use crate::json::{DecodeError, ScanError, Scanner, describe};
use crate::record::{Members, Mismatch, Record, Value, normalize_document};
use crate::strings::from_utf8_lossy;
use crate::types::RowsEnvelope;

/// A page of a list, as Rust structs.
#[derive(Debug, Clone, PartialEq, serde::Serialize)]
pub struct Page<T, E> {
    /// The records.
    pub items: Vec<T>,
    /// The members of the page beside the records.
    #[serde(flatten)]
    pub envelope: E,
    /// The cursor of the next page. `None` at the end of the list.
    #[serde(skip)]
    pub next: Option<Cursor>,
    /// Why the service's cursor cannot be sent back, if so. The list continues, but its next page cannot be requested.
    #[serde(skip)]
    pub cursor_error: Option<Mismatch>,
}

/// Decodes a page of a list with this layout.
///
/// # Errors
/// The first mismatch and its path, or a syntax error.
pub fn read_page<T: Record + Value, E: Record>(bytes: &[u8], layout: Layout) -> Result<Page<T, E>, DecodeError> {
    let (items, envelope) = read(bytes, layout)?;
    let (next, cursor_error) = read_cursor(bytes)?;
    Ok(Page { items: items.unwrap_or_default(), envelope, next, cursor_error })
}

/// Decodes the response of an action: its envelope and its rows. The rows are `None` if null was sent.
///
/// # Errors
/// The first mismatch and its path, or a syntax error.
pub fn read_rows<T: Record + Value>(bytes: &[u8]) -> Result<(RowsEnvelope, Option<Vec<T>>), DecodeError> {
    let (rows, envelope) = read(bytes, Layout::rows(T::TABLE, RowsEnvelope::TABLE))?;
    Ok((envelope, rows))
}

/// Decodes a response that is one record.
///
/// # Errors
/// The first mismatch and its path, or a syntax error.
pub fn read_record<T: Record>(bytes: &[u8]) -> Result<T, DecodeError> {
    let document = normalize_document(bytes);
    T::from_members(&parse_members(&document)?).map_err(mismatch_error)
}

/// Reads a row of a frame. All fields of the record must be strings.
///
/// # Errors
/// A mismatch, if the row is not of this record.
pub fn read_frame_row<T: Record>(page: &FramePage, row: u32) -> Result<T, DecodeError> {
    let mut json = String::from("{");
    for field in 0..T::TABLE.fields.len() {
        // A null may be omitted.
        if let Some(content) = page.frame.raw_string(page.frame.get(row as usize + field)) {
            let separator = if json.len() > 1 { ",\"" } else { "\"" };
            for part in [separator, T::TABLE.field_name(field), "\":\"", &*from_utf8_lossy(content), "\""] {
                json.push_str(part);
            }
        }
    }
    json.push('}');
    read_record(json.as_bytes())
}

/// Parses a document that must be an object.
fn parse_members(document: &str) -> Result<Members<'_>, DecodeError> {
    serde_json::from_str(document).map_err(|error| syntax_error(document, &error))
}

fn syntax_error(document: &str, error: &serde_json::Error) -> DecodeError {
    let found = describe(document.trim_start().as_bytes());
    DecodeError::Syntax(Box::new(Mismatch::new("a complete JSON document, an object", format!("{found} ({error})"))))
}

/// The rows and the envelope. The rows are `None` if null was sent.
type RowsAndEnvelope<T, E> = (Option<Vec<T>>, E);

/// Decodes the rows and the envelope.
fn read<T: Record + Value, E: Record>(bytes: &[u8], layout: Layout) -> Result<RowsAndEnvelope<T, E>, DecodeError> {
    let document = normalize_document(bytes);
    let (rows, nullable_rows) = layout.rows.unwrap_or_default();
    let (items, others) = if layout.accepts_array && document.trim_start().starts_with('[') {
        let items = serde_json::from_str(&document).map_err(|error| syntax_error(&document, &error))?;
        (Some(items), "{}".into())
    } else {
        let members = parse_members(&document)?;
        split_rows(&members, rows, nullable_rows)?
    };
    let read = |(index, row): (usize, &RawValue)| {
        <T as Value>::read(row.get()).map_err(|mismatch| mismatch_error(mismatch.in_element(index).in_field(rows)))
    };
    let items = items.map(|items| items.into_iter().enumerate().map(read).collect::<Result<_, _>>()).transpose()?;
    Ok((items, crate::record::read::read_record(&others).map_err(mismatch_error)?))
}

/// Returns the rows in the member `rows`, and the JSON of an object with the other members.
fn split_rows<'a>(
    members: &Members<'a>,
    rows: &'static str,
    nullable_rows: bool,
) -> Result<(Option<Vec<&'a RawValue>>, String), DecodeError> {
    let mut items = None;
    let mut others = String::from("{");
    for (key, value) in &members.0 {
        match key.as_str() {
            "next_page_params" => {}
            key if key == rows && items.is_some() => {
                return Err(mismatch_error(Mismatch::new("one list", "a second one").in_field(rows)));
            }
            key if key == rows && nullable_rows && value.get() == "null" => {}
            key if key == rows => {
                items = Some(serde_json::from_str(value.get()).map_err(|_| {
                    mismatch_error(Mismatch::new("a list", describe(value.get().as_bytes())).in_field(rows))
                })?);
            }
            _ => {
                others.push_str(if others.len() > 1 { "," } else { "" });
                others.push_str(&crate::strings::quote_json(key));
                others.push(':');
                others.push_str(value.get());
            }
        }
    }
    others.push('}');
    if items.is_none() && !nullable_rows {
        return Err(mismatch_error(Mismatch::new("a list", "nothing").in_field(rows)));
    }
    Ok((items, others))
}

/// Decodes the cursor of a page from the original bytes: its keys are sent back exactly as they were received.
fn read_cursor(bytes: &[u8]) -> Result<(Option<Cursor>, Option<Mismatch>), DecodeError> {
    let mut scan = Scanner::new(bytes);
    scan.skip_byte_order_mark();
    let mut next = (None, None);
    let mut read = || {
        if scan.peek()? == b'[' {
            return Ok(());
        }
        scan.expect(b'{', "an object")?;
        let mut first = true;
        while scan.next_member(b'}', first)? {
            first = false;
            if *scan.read_key()? == *b"next_page_params" {
                next = Cursor::read_member(&mut scan)?;
            } else {
                scan.skip_value()?;
            }
        }
        Ok(())
    };
    read().map_err(|ScanError| scan.take_error())?;
    Ok(next)
}

fn mismatch_error(mismatch: Mismatch) -> DecodeError {
    DecodeError::Mismatch(Box::new(mismatch))
}
