//! Converts the response of a GraphQL query to JSON for the decoder: the page of a list, or the response of an action.
//!
//! The aliases in a query already name most members as the records do. This module takes the list out of its
//! connection, merges nested objects into the record, and converts values to the form of the module/action API. It
//! leaves validation to the decoder.

use super::error_body::error_message;
use crate::json::{DecodeError, Mismatch, ScanError, Scanner, excerpt};
use crate::record::parse_unix_seconds;
use crate::strings::{format_u64, from_utf8_lossy, quote_json};

/// The structure of the response to a query.
#[derive(Debug, Clone, Copy)]
pub struct QueryLayout {
    /// The kind of result at the end of the path.
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
    let scan = Scanner::new(body);
    let (is_found, has_list, has_next, cursor) = Default::default();
    let mut converter = Converter { scan, layout, is_found, records: Vec::new(), has_list, has_next, cursor };
    if converter.read_document().is_err() {
        return Err(QueryFailure::Decode(converter.scan.take_error()));
    }
    if !converter.is_found {
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
    /// Whether there is a result that is not null. A value may be null.
    is_found: bool,
    /// The JSON of the value, or of the records without the brackets around them.
    records: Vec<u8>,
    /// Whether the connection has a list of edges.
    has_list: bool,
    /// Whether a page follows. `None` if the service does not say.
    has_next: Option<bool>,
    /// The JSON of the cursor of the next page.
    cursor: Option<&'a [u8]>,
}

/// A list or object whose members are read.
#[derive(Clone, Copy)]
enum Container {
    /// The object with the member of the path with this index.
    Path(usize),
    Connection,
    PageInfo,
    /// The edges of a connection, or a list of records.
    List,
    Edge,
    /// A record, or an object that is merged into it. Holds the number of merged objects around the members.
    Record(u32),
}

impl Converter<'_> {
    fn read_document(&mut self) -> Result<(), ScanError> {
        self.scan.skip_byte_order_mark()?;
        if self.scan.peek()? == b'n' {
            self.scan.skip_value()?;
        } else {
            self.read_members(Container::Path(0))?;
        }
        match self.scan.peek() {
            Err(ScanError) => Ok(()),
            Ok(_) => Err(self.scan.fail_syntax("the end of the document")),
        }
    }

    /// Reads a list or object.
    fn read_members(&mut self, container: Container) -> Result<(), ScanError> {
        let is_list = matches!(container, Container::List);
        let (open, close, expected) = if is_list { (b'[', b']', "a list") } else { (b'{', b'}', "an object") };
        if self.scan.peek()? != open {
            return Err(self.scan.skip_mismatch(expected));
        }
        self.scan.advance(1);
        let mut first = true;
        while self.scan.next_member(close, first)? {
            first = false;
            if is_list {
                self.read_element()?;
                continue;
            }
            let key = self.scan.read_key()?;
            if self.read_member(container, &key).is_err() {
                return Err(self.scan.prepend_field(&excerpt(&key)));
            }
        }
        Ok(())
    }

    /// Reads the value of a member of an object.
    fn read_member(&mut self, container: Container, key: &[u8]) -> Result<(), ScanError> {
        let first = self.scan.peek()?;
        let path = self.layout.path;
        match (container, key) {
            (Container::Path(index), _) if path.get(index).is_some_and(|name| name.as_bytes() == key) => {
                return match (self.layout.kind, first) {
                    _ if index + 1 < path.len() && first != b'n' => self.read_members(Container::Path(index + 1)),
                    (QueryKind::Value, _) if index + 1 == path.len() => {
                        self.is_found = true;
                        self.copy_value()
                    }
                    (_, b'n') => self.scan.skip_value().map(drop),
                    (QueryKind::Connection, _) => self.read_connection(),
                    _ => self.read_list(),
                };
            }
            (Container::Connection, b"edges") => return self.read_list(),
            (Container::Connection, b"pageInfo") => return self.read_members(Container::PageInfo),
            (Container::Edge, b"node") => return self.read_record(first),
            (Container::Record(level), _) if MERGED.contains(&key) && first == b'{' && level < MAX_MERGED => {
                return self.read_members(Container::Record(level + 1));
            }
            _ => {}
        }
        let value = self.scan.skip_value()?.json;
        match (container, key, value) {
            (Container::PageInfo, b"hasNextPage", b"true") => self.has_next = Some(true),
            (Container::PageInfo, b"hasNextPage", b"false") => self.has_next = Some(false),
            (Container::PageInfo, b"endCursor", [b'"', ..]) => self.cursor = Some(value),
            (Container::Record(_), _, b"null") if MERGED.contains(&key) => {}
            (Container::Record(_), ..) => self.convert_member(&from_utf8_lossy(key), value),
            _ => {}
        }
        Ok(())
    }

    /// Reads a connection. Without the members of `pageInfo`, a list would silently end early.
    fn read_connection(&mut self) -> Result<(), ScanError> {
        self.read_members(Container::Connection)?;
        let (name, expected) = match (self.has_list, self.has_next, self.cursor) {
            (false, ..) => {
                self.scan.fail_mismatch("a list", b"");
                return Err(self.scan.prepend_field("edges"));
            }
            (_, Some(false), _) | (_, _, Some(_)) if self.has_next.is_some() => return Ok(()),
            (_, None, _) => ("hasNextPage", "true or false"),
            _ => ("endCursor", "a string"),
        };
        let mismatch = Mismatch::from_json(expected, b"").in_field(name).in_field("pageInfo");
        Err(self.scan.fail(DecodeError::Cursor(Box::new(mismatch))))
    }

    /// Reads the list of edges or records. If a response has several, the last one counts.
    fn read_list(&mut self) -> Result<(), ScanError> {
        self.records.clear();
        (self.is_found, self.has_list) = (true, true);
        self.read_members(Container::List)
    }

    /// Reads an element of the list, and writes its record.
    fn read_element(&mut self) -> Result<(), ScanError> {
        if !self.records.is_empty() {
            self.records.push(b',');
        }
        let first = self.scan.peek()?;
        if self.layout.kind != QueryKind::Connection || first != b'{' {
            return self.read_record(first);
        }
        let start = self.records.len();
        self.read_members(Container::Edge)?;
        // The decoder rejects null, and says where it is.
        if self.records.len() == start {
            self.records.extend_from_slice(b"null");
        }
        Ok(())
    }

    fn read_record(&mut self, first: u8) -> Result<(), ScanError> {
        if first != b'{' {
            return self.copy_value();
        }
        self.records.push(b'{');
        self.read_members(Container::Record(0))?;
        for name in self.layout.nulls {
            self.write_member(name, b"null");
        }
        self.records.push(b'}');
        Ok(())
    }

    fn copy_value(&mut self) -> Result<(), ScanError> {
        self.records.extend_from_slice(self.scan.skip_value()?.json);
        Ok(())
    }

    /// Writes a member in the form of the module/action API: integers as strings, enums in lower case, flags instead of a
    /// status, Unix time.
    fn convert_member(&mut self, name: &str, value: &[u8]) {
        let flag = |is_set| if is_set { "\"1\"" } else { "\"0\"" }.as_bytes();
        let is_null = value == b"null";
        match name {
            // A status that is not known counts as a failure, as in that API.
            "status" => {
                let is_ok = value == b"\"OK\"";
                self.write_member("isError", flag(!is_ok));
                self.write_member("txreceipt_status", flag(is_ok));
            }
            "error" => {
                self.write_member("isError", flag(!is_null));
                self.write_member("errCode", if is_null { b"\"\"" } else { value });
            }
            "callType" if is_null => self.write_member(name, b"\"\""),
            "callType" | "type" => self.write_member(name, &value.to_ascii_lowercase()),
            _ => {
                let time = match value {
                    [b'"', time @ .., b'"'] if name == "timeStamp" => parse_unix_seconds(time).map(format_u64),
                    _ => None,
                };
                let value = time.as_ref().map_or(value, String::as_bytes);
                let is_number = value.first().is_some_and(|first| matches!(first, b'-' | b'0'..=b'9'));
                let quote: &[u8] = if is_number { b"\"" } else { b"" };
                self.write_member(name, &[quote, value, quote].concat());
            }
        }
    }

    fn write_member(&mut self, name: &str, value: &[u8]) {
        let comma: &[u8] = if self.records.last() == Some(&b'{') { b"" } else { b"," };
        for part in [comma, quote_json(name).as_bytes(), b":", value] {
            self.records.extend_from_slice(part);
        }
    }

    /// Returns the JSON for the decoder. Without a result it has an empty list, or null.
    fn finish(self) -> Vec<u8> {
        let (is_list, cursor) =
            (self.layout.kind != QueryKind::Value, self.cursor.filter(|_| self.has_next == Some(true)));
        let [before, after] = match (self.layout.kind, cursor) {
            (QueryKind::Connection, Some(_)) => ["{\"items\":[", "],\"next_page_params\":{\"after\":"],
            (QueryKind::Connection, None) => ["{\"items\":[", "],\"next_page_params\":{"],
            (QueryKind::List, _) => ["{\"status\":\"1\",\"message\":\"OK\",\"result\":[", "]"],
            (QueryKind::Value, _) => ["{\"status\":\"1\",\"message\":\"OK\",\"result\":", ""],
        };
        let end = if self.layout.kind == QueryKind::Connection { "}}" } else { "}" };
        let null: &[u8] = if is_list || self.is_found { b"" } else { b"null" };
        [before.as_bytes(), &*self.records, null, after.as_bytes(), cursor.unwrap_or_default(), end.as_bytes()].concat()
    }
}
