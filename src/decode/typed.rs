//! A page of a list as Rust structs, read by serde: what Rust front ends get, and the oracle of the decoder's tests.

use serde_json::value::RawValue;

use super::cursor::Cursor;
use super::fail::{Fail, Stopped};
use super::scan::Scanner;
use crate::record::read::{Members, describe};
use crate::record::{Mismatch, Record, Value, read_document};
use crate::types::RowsEnvelope;

/// A page of a list.
#[derive(Debug, Clone, PartialEq, serde::Serialize)]
pub struct Page<T, E> {
    /// The records.
    pub items: Vec<T>,
    /// What the page says beside them.
    #[serde(flatten)]
    pub envelope: E,
    /// Where the list goes on; nothing at its end.
    #[serde(skip)]
    pub next: Option<Cursor>,
    /// Why the service's cursor cannot be sent back, if it cannot: the list goes on, but nobody knows where.
    #[serde(skip)]
    pub cursor_error: Option<Mismatch>,
}

impl<T: Record + Value, E: Record> Page<T, E> {
    /// Reads a page.
    ///
    /// # Errors
    /// What does not fit, with its path.
    pub fn read(bytes: &[u8]) -> Result<Self, Fail> {
        let (items, envelope) = read(bytes, "items", false)?;
        let (next, cursor_error) = cursor(bytes)?;
        Ok(Self { items: items.unwrap_or_default(), envelope, next, cursor_error })
    }
}

/// Reads the answer of an action: what stands beside the rows, and the rows, unless null stands for them.
///
/// # Errors
/// What does not fit, with its path.
pub fn read_rows<T: Record + Value>(bytes: &[u8]) -> Result<(RowsEnvelope, Option<Vec<T>>), Fail> {
    let (rows, envelope) = read(bytes, "result", true)?;
    Ok((envelope, rows))
}

/// Reads an answer that is one record.
///
/// # Errors
/// What does not fit, with its path.
pub fn read_record<T: Record>(bytes: &[u8]) -> Result<T, Fail> {
    let document = read_document(bytes);
    T::from_members(&mut members(&document)?).map_err(shape)
}

/// The members of a whole document.
fn members(document: &str) -> Result<Members<'_>, Fail> {
    serde_json::from_str(document).map_err(|error| {
        let what = describe(document.trim_start().as_bytes());
        Fail::Syntax(Box::new(Mismatch::new("a whole JSON document, an object", format!("{what} ({error})"))))
    })
}

type Parts<T, E> = (Option<Vec<T>>, E);

fn read<T: Record + Value, E: Record>(bytes: &[u8], rows: &'static str, null_rows: bool) -> Result<Parts<T, E>, Fail> {
    let document = read_document(bytes);
    let mut items: Option<Vec<&RawValue>> = None;
    let mut others = String::from("{");
    for (key, value) in members(&document)?.0 {
        match key.as_str() {
            "next_page_params" => {}
            key if key == rows && items.is_some() => {
                return Err(shape(Mismatch::new("one list", "a second one").in_field(rows)));
            }
            key if key == rows && null_rows && value.get() == "null" => {}
            key if key == rows => {
                items =
                    Some(serde_json::from_str(value.get()).map_err(|_| {
                        shape(Mismatch::new("a list", describe(value.get().as_bytes())).in_field(rows))
                    })?);
            }
            _ => {
                others.push_str(if others.len() > 1 { "," } else { "" });
                others.push_str(&super::escape::quoted(&key));
                others.push(':');
                others.push_str(value.get());
            }
        }
    }
    others.push('}');
    if items.is_none() && !null_rows {
        return Err(shape(Mismatch::new("a list", "nothing").in_field(rows)));
    }
    let read = |(index, row): (usize, &RawValue)| {
        <T as Value>::read(row.get()).map_err(|mismatch| shape(mismatch.in_element(index).in_field(rows)))
    };
    let items = items.map(|items| items.into_iter().enumerate().map(read).collect::<Result<_, _>>()).transpose()?;
    Ok((items, crate::record::read::record(&others).map_err(shape)?))
}

/// The cursor of a page, from its bytes as they came: what goes back to the service must be what it sent.
fn cursor(bytes: &[u8]) -> Result<(Option<Cursor>, Option<Mismatch>), Fail> {
    let mut scan = Scanner::new(bytes);
    scan.skip_mark();
    let mut next = (None, None);
    let mut walk = || {
        scan.expect(b'{', "an object")?;
        let mut first = true;
        while scan.next_member(b'}', first)? {
            first = false;
            if *scan.key()? == *b"next_page_params" {
                next = Cursor::member(&mut scan)?;
            } else {
                scan.skip()?;
            }
        }
        Ok(())
    };
    walk().map_err(|Stopped| scan.why())?;
    Ok(next)
}

fn shape(mismatch: Mismatch) -> Fail {
    Fail::Shape(Box::new(mismatch))
}
