//! Converts the response of a GraphQL query to JSON for the decoder: the page of a list, or the response of an action.
//!
//! The aliases in the text of a query already name most members as the records do. What remains is done here: the list is
//! taken out of its connection, nested objects are merged into the record, and values get the form that the module/action API
//! gives them. Nothing is validated here that the decoder validates.

use super::error_body::error_message;
use crate::json::{DecodeError, Mismatch, ScanError, Scanner};
use crate::record::parse_unix_seconds;
use crate::strings::{format_u64, from_utf8_lossy, quote_json};

/// The structure of the response to a query.
#[derive(Debug, Clone, Copy)]
pub struct QueryLayout {
    /// What is at the end of the path.
    pub kind: QueryKind,
    /// The members that lead to the result, from the top of the document.
    pub path: &'static [&'static str],
    /// Fields of the record that GraphQL does not have. They become null.
    pub nulls: &'static [&'static str],
}

/// The kinds of results of a query.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum QueryKind {
    /// A connection: a page of a list, as Relay defines it.
    Connection,
    /// A list of records.
    List,
    /// A single value.
    Value,
}

/// Why a response has no result.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum QueryFailure {
    /// The response is not as documented.
    Decode(DecodeError),
    /// The service rejected the query with this message.
    Refused(String),
}

/// The objects that are merged into the record that contains them.
const MERGED: [&[u8]; 3] = [b"block", b"token", b"transaction"];

/// Maximum number of merged objects within each other.
const MAX_MERGED: u32 = 2;

/// Converts a complete response.
///
/// If the service does not know the address or transaction, the list is empty or the value null, as in the module/action API.
/// If it fails to resolve a part of a record, that part is null.
///
/// # Errors
/// A response without a result, and the reason that the service states.
pub fn convert_response(body: &[u8], layout: &QueryLayout) -> Result<Vec<u8>, QueryFailure> {
    let mut scan = Scanner::new(body);
    scan.skip_byte_order_mark();
    let mut converter = Converter { scan, layout, result: Vec::new(), next: None };
    let is_found = match converter.read_document() {
        Ok(is_found) => is_found,
        Err(ScanError) => return Err(QueryFailure::Decode(converter.scan.take_error())),
    };
    if !is_found {
        match error_message(body) {
            Some(message) if message.ends_with("not found.") => {}
            Some(message) => return Err(QueryFailure::Refused(message)),
            None => return Err(QueryFailure::Decode(DecodeError::mismatch("a result or an error", body))),
        }
    }
    Ok(converter.finish())
}

struct Converter<'a> {
    scan: Scanner<'a>,
    layout: &'a QueryLayout,
    /// The JSON of the value, or of the records without the brackets around them.
    result: Vec<u8>,
    /// The JSON of the cursor of the next page.
    next: Option<&'a [u8]>,
}

impl<'a> Converter<'a> {
    /// Reads the document. Returns whether it has a result.
    fn read_document(&mut self) -> Result<bool, ScanError> {
        let is_found = self.read_path(self.layout.path)?;
        match self.scan.peek() {
            Err(ScanError) => Ok(is_found),
            Ok(_) => Err(self.scan.fail_syntax("the end of the document")),
        }
    }

    /// Reads the value at this path, below the current position. Returns whether it is there and not null.
    fn read_path(&mut self, path: &[&str]) -> Result<bool, ScanError> {
        let Some((name, rest)) = path.split_first() else { return self.read_result() };
        if self.scan.peek()? == b'n' {
            return self.scan.expect_literal("null").map(|()| false);
        }
        let mut is_found = false;
        self.read_object(&mut |converter, key| {
            if *key != *name.as_bytes() {
                return converter.scan.skip_value().map(drop);
            }
            is_found = converter.read_path(rest).map_err(|ScanError| converter.scan.prepend_field(name))?;
            Ok(())
        })?;
        Ok(is_found)
    }

    /// Reads an object. `read_member` reads the value of each member.
    fn read_object(
        &mut self,
        read_member: &mut dyn FnMut(&mut Self, &[u8]) -> Result<(), ScanError>,
    ) -> Result<(), ScanError> {
        if self.scan.peek()? != b'{' {
            return Err(self.scan.skip_mismatch("an object"));
        }
        self.scan.advance(1);
        let mut first = true;
        while self.scan.next_member(b'}', first)? {
            first = false;
            let key = self.scan.read_key()?;
            read_member(self, &key)?;
        }
        Ok(())
    }

    /// Reads the result. Returns false if it is null, but true for a value, which may be null.
    fn read_result(&mut self) -> Result<bool, ScanError> {
        match (self.layout.kind, self.scan.peek()?) {
            (QueryKind::Value, _) => self.result = self.scan.skip_value()?.json.to_vec(),
            (_, b'n') => return self.scan.expect_literal("null").map(|()| false),
            (QueryKind::List, _) => self.read_records(Self::read_record)?,
            (QueryKind::Connection, _) => self.read_connection()?,
        }
        Ok(true)
    }

    /// Reads a connection: its records, and the cursor of the next page.
    fn read_connection(&mut self) -> Result<(), ScanError> {
        let (mut has_edges, mut has_next, mut cursor) = (false, None, None);
        self.read_object(&mut |converter, key| match key {
            b"edges" => {
                has_edges = true;
                let result = converter.read_records(Self::read_edge);
                result.map_err(|ScanError| converter.scan.prepend_field("edges"))
            }
            b"pageInfo" => converter.read_object(&mut |converter, key| {
                let value = converter.scan.skip_value()?.json;
                match (key, value) {
                    (b"hasNextPage", b"true") => has_next = Some(true),
                    (b"hasNextPage", b"false") => has_next = Some(false),
                    (b"endCursor", [b'"', ..]) => cursor = Some(value),
                    _ => {}
                }
                Ok(())
            }),
            _ => converter.scan.skip_value().map(drop),
        })?;
        if !has_edges {
            self.scan.fail_mismatch("a list", b"");
            return Err(self.scan.prepend_field("edges"));
        }
        // Without these members, a list would end early and unnoticed.
        let (name, expected) = match (has_next, cursor) {
            (Some(false), _) => return Ok(()),
            (Some(true), Some(_)) => {
                self.next = cursor;
                return Ok(());
            }
            (Some(true), None) => ("endCursor", "a string"),
            (None, _) => ("hasNextPage", "true or false"),
        };
        let mismatch = Mismatch::from_json(expected, b"null").in_field(name).in_field("pageInfo");
        Err(self.scan.fail(DecodeError::Cursor(Box::new(mismatch))))
    }

    /// Reads a list. `read_element` reads each element and writes its record.
    fn read_records(&mut self, read_element: fn(&mut Self) -> Result<(), ScanError>) -> Result<(), ScanError> {
        self.result.clear();
        if self.scan.peek()? != b'[' {
            return Err(self.scan.skip_mismatch("a list"));
        }
        self.scan.advance(1);
        let mut first = true;
        while self.scan.next_member(b']', first)? {
            if !first {
                self.result.push(b',');
            }
            first = false;
            read_element(self)?;
        }
        Ok(())
    }

    /// Reads an edge of a connection, and writes its record. An edge without one becomes null, which the decoder rejects.
    fn read_edge(&mut self) -> Result<(), ScanError> {
        let start = self.result.len();
        if self.scan.peek()? != b'{' {
            return self.copy_value();
        }
        self.read_object(&mut |converter, key| {
            if *key != *b"node" {
                return converter.scan.skip_value().map(drop);
            }
            converter.result.truncate(start);
            converter.read_record()
        })?;
        if self.result.len() == start {
            self.result.extend_from_slice(b"null");
        }
        Ok(())
    }

    fn read_record(&mut self) -> Result<(), ScanError> {
        if self.scan.peek()? != b'{' {
            return self.copy_value();
        }
        self.result.push(b'{');
        self.read_members(0)?;
        for name in self.layout.nulls {
            self.write_member(name, b"null");
        }
        self.result.push(b'}');
        Ok(())
    }

    fn copy_value(&mut self) -> Result<(), ScanError> {
        self.result.extend_from_slice(self.scan.skip_value()?.json);
        Ok(())
    }

    /// Reads the members of an object, and writes them as members of the record.
    fn read_members(&mut self, level: u32) -> Result<(), ScanError> {
        self.read_object(&mut |converter, key| {
            let is_merged = MERGED.contains(&key);
            match converter.scan.peek()? {
                b'{' if is_merged && level < MAX_MERGED => return converter.read_members(level + 1),
                b'n' if is_merged => return converter.scan.expect_literal("null"),
                _ => {}
            }
            let value = converter.scan.skip_value()?.json;
            converter.convert_member(&from_utf8_lossy(key), value);
            Ok(())
        })
    }

    /// Writes a member in the form of the module/action API: integers as strings, enums in lower case, flags instead of a
    /// status, Unix time.
    fn convert_member(&mut self, name: &str, value: &[u8]) {
        const FLAGS: [&[u8]; 2] = [b"\"0\"", b"\"1\""];
        let [no, yes] = FLAGS;
        match (name, value) {
            // A status that is not known counts as a failure, as in that API.
            ("status", _) => {
                let (is_error, status) = if value == b"\"OK\"" { (no, yes) } else { (yes, no) };
                self.write_member("isError", is_error);
                self.write_member("txreceipt_status", status);
            }
            ("error", _) => {
                let (is_error, message) = if value == b"null" { (no, b"\"\"".as_slice()) } else { (yes, value) };
                self.write_member("isError", is_error);
                self.write_member("errCode", message);
            }
            ("callType", b"null") => self.write_member(name, b"\"\""),
            ("callType" | "type", _) => self.write_member(name, &value.to_ascii_lowercase()),
            ("timeStamp", [b'"', time @ .., b'"']) => match parse_unix_seconds(time) {
                Some(seconds) => self.write_member(name, quote_json(&format_u64(seconds)).as_bytes()),
                None => self.write_member(name, value),
            },
            (_, [b'-' | b'0'..=b'9', ..]) => self.write_member(name, &[b"\"", value, b"\""].concat()),
            _ => self.write_member(name, value),
        }
    }

    fn write_member(&mut self, name: &str, value: &[u8]) {
        if self.result.last() != Some(&b'{') {
            self.result.push(b',');
        }
        for part in [quote_json(name).as_bytes(), b":", value] {
            self.result.extend_from_slice(part);
        }
    }

    /// Returns the JSON for the decoder. Without a result it has an empty list, or null.
    fn finish(self) -> Vec<u8> {
        const ENVELOPE: &[u8] = b"{\"status\":\"1\",\"message\":\"OK\",\"result\":";
        let Self { result, next, layout, .. } = self;
        match (layout.kind, next) {
            (QueryKind::Connection, Some(cursor)) => {
                [b"{\"items\":[", &*result, b"],\"next_page_params\":{\"after\":", cursor, b"}}"].concat()
            }
            (QueryKind::Connection, None) => [b"{\"items\":[", &*result, b"],\"next_page_params\":null}"].concat(),
            (QueryKind::List, _) => [ENVELOPE, b"[", &*result, b"]}"].concat(),
            (QueryKind::Value, _) if result.is_empty() => [ENVELOPE, b"null}"].concat(),
            (QueryKind::Value, _) => [ENVELOPE, &*result, b"}"].concat(),
        }
    }
}
