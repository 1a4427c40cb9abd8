//! The cursor of a list: `next_page_params` of a page, whose keys are sent back with the request of the next page.
//!
//! It is decoded from its bytes, because every digit, null and repeated key matters.

use std::borrow::Cow;

use crate::json::escape::unescape;
use crate::json::{DecodeError, Mismatch, ScanError, Scanner, excerpt};
use crate::record::{parse_safe_integer, to_plain_decimal};
use crate::strings::{contains_any, format_u64, from_utf8_lossy, push_json_string};

/// Maximum number of keys. The cursors of the service have fewer than ten.
const MAX_KEYS: usize = 64;
/// Parameters that are secrets: the API key, and the key that unlocks restricted addresses. No cursor key has these
/// names.
const SECRETS: [&str; 2] = ["apikey", "key"];
/// The highest index of the service's database.
const MAX_INDEX: u64 = i32::MAX as u64;
/// A key of every position within a batch of token transfers.
const BATCH_KEY: &str = "index_in_batch";
/// A number of up to 78 digits. It becomes a string even where it is small, so that its type does not depend on the token id.
const BIG_INTEGER_KEY: &str = "unique_token";
/// The characters that begin an exponent.
const SCIENTIFIC: &[u8] = b"eE";
const EXPECTED_KEYS: &str = "at most 64 keys";

/// The position of the next page of a list: opaque keys that are sent back unchanged.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Cursor {
    keys: Vec<Key>,
    /// Other values of keys that the service sent twice; see [`Cursor::drop_sent`].
    repeated: Vec<Key>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
struct Key {
    name: String,
    /// The value as the service sent it: the content of a string, or exact digits, or `null`.
    received: String,
    /// Whether the service sent the value as a string.
    is_string: bool,
    /// The value of the query parameter, if it is not the received one.
    parameter: Option<String>,
}

impl Cursor {
    /// Reads the value of a page's `next_page_params`, and skips it. Returns the cursor, or why it cannot be sent back.
    pub(crate) fn read_member(scan: &mut Scanner<'_>) -> Result<(Option<Self>, Option<Mismatch>), ScanError> {
        const NAME: &str = "next_page_params";
        let start = scan.rest;
        let error = match Self::read_object(scan) {
            Ok(cursor) => return Ok((cursor, None)),
            Err(ScanError) => scan.take_error().in_field(NAME),
        };
        let DecodeError::Cursor(mismatch) = error else { return Err(scan.fail(error)) };
        scan.rest = start;
        scan.skip_value().map_err(|ScanError| scan.prepend_field(NAME))?;
        Ok((None, Some(*mismatch)))
    }

    /// Reads the value of `next_page_params`. `None` for null and the empty object, which end the list.
    fn read_object(scan: &mut Scanner<'_>) -> Result<Option<Self>, ScanError> {
        let (mut keys, mut repeated): (Vec<Key>, Vec<Key>) = Default::default();
        match scan.peek()? {
            b'n' => {
                scan.expect_literal("null")?;
                return Ok(None);
            }
            b'{' => scan.advance(1),
            _ => return Err(skip_unreadable(scan, "an object or null")),
        }
        let mut first = true;
        while scan.next_member(b'}', first)? {
            first = false;
            let name = scan.read_key()?;
            let name = to_utf8(scan, name)?;
            let key = Key::read(scan, name)?;
            // Some services echo the parameters of the request. Echoed secrets are dropped, because each request adds
            // its own.
            if SECRETS.contains(&&*key.name) {
                continue;
            }
            if keys.len() + repeated.len() == MAX_KEYS {
                let mismatch = Mismatch::from_json(EXPECTED_KEYS, b"more");
                return Err(scan.fail(DecodeError::Cursor(Box::new(mismatch))));
            }
            match keys.iter_mut().find(|known| known.name == key.name) {
                None => keys.push(key),
                // Prefers a number to a string, and otherwise the last value.
                Some(known) if known.is_string || !key.is_string => repeated.push(std::mem::replace(known, key)),
                Some(_) => repeated.push(key),
            }
        }
        Ok((!keys.is_empty()).then_some(Self { keys, repeated }))
    }

    /// Chooses among the values of repeated keys, given the parameters of the request. Versions 9.0 to 9.4 of the service send the
    /// position of the request beside the next position.
    pub(crate) fn drop_sent(&mut self, sent: &[(&str, &str)]) {
        for other in std::mem::take(&mut self.repeated) {
            let is_sent = |key: &Key| sent.contains(&(&key.name, key.parameter()));
            if let Some(key) = self.keys.iter_mut().find(|key| key.name == other.name && is_sent(key)) {
                *key = other;
            }
        }
    }

    /// The keys as query parameters.
    pub fn parameters(&self) -> impl Iterator<Item = (&str, &str)> {
        self.keys.iter().map(|key| (key.name.as_str(), key.parameter()))
    }

    /// Sets a key to a value that the service did not send, or removes it.
    pub(crate) fn set_parameter(&mut self, name: &str, value: Option<String>) {
        self.keys.retain(|key| key.name != name);
        let create = |received| Key { name: name.to_owned(), received, is_string: true, parameter: None };
        self.keys.extend(value.map(create));
    }

    /// Removes keys whose name or value is a secret. `None` if no key is left.
    #[must_use]
    pub(crate) fn without_secrets(mut self, is_secret: impl Fn(&str) -> bool) -> Option<Self> {
        self.keys.retain(|key| !is_secret(&key.name) && !is_secret(key.parameter()));
        (!self.keys.is_empty()).then_some(self)
    }

    /// Copies the cursor with the position before all items below `value`. The first key holds the value, the others
    /// are positions within the same value. `None` if a key is missing or not an integer, and if the cursor is a
    /// position within a batch of token transfers, which has further keys.
    #[must_use]
    pub(crate) fn with_position(&self, keys: &[&str], value: u64) -> Option<Self> {
        let is_integer = |key: &Key| parse_safe_integer(key.received.as_bytes()).is_some();
        // An item at the position itself could come before or after the cursor, depending on keys that are not changed.
        // No item has the highest index.
        let (first, others) = if keys.len() > 1 { (value.checked_sub(1)?, MAX_INDEX) } else { (value, 0) };
        let mut cursor = self.clone();
        for (index, name) in keys.iter().enumerate() {
            let key = cursor.keys.iter_mut().find(|key| key.name == *name && is_integer(key))?;
            key.received = format_u64(if index == 0 { first } else { others });
        }
        (!cursor.keys.iter().any(|key| key.name == BATCH_KEY)).then_some(cursor)
    }

    /// The cursor as JSON. Numbers that JavaScript would round become strings, and so does every number of a key that
    /// can have such numbers.
    #[must_use]
    #[doc(hidden)]
    pub fn to_json(&self) -> String {
        let mut json = String::from("{");
        for key in &self.keys {
            json.push_str(if json.len() > 1 { "," } else { "" });
            push_json_string(&mut json, &key.name);
            json.push(':');
            key.push_value(&mut json);
        }
        json.push('}');
        json
    }

    /// Creates a cursor from the parameters in a resume token. `None` if there are none.
    #[doc(hidden)]
    pub fn from_parameters(parameters: impl IntoIterator<Item = (String, String)>) -> Option<Self> {
        let key = |(name, received): (String, String)| Key { name, received, is_string: true, parameter: None };
        let keys: Vec<Key> = parameters.into_iter().map(key).collect();
        (!keys.is_empty()).then_some(Self { keys, repeated: Vec::new() })
    }
}

/// Parses a document that is the value of `next_page_params`.
///
/// # Errors
/// [`DecodeError::Cursor`] if it is not an object of strings, numbers, booleans and nulls.
pub fn parse_cursor(json: &[u8]) -> Result<Option<Cursor>, DecodeError> {
    // The scanner recognizes the end of a number only if a byte follows it.
    let json = [json, b" "].concat();
    let mut scan = Scanner::new(&json);
    let cursor = Cursor::read_object(&mut scan).map_err(|ScanError| scan.take_error())?;
    match scan.peek() {
        Err(ScanError) => Ok(cursor),
        Ok(_) => {
            scan.fail_syntax("the end of the document");
            Err(scan.take_error())
        }
    }
}

impl Key {
    /// Reads the value of a key, which must be a scalar.
    fn read(scan: &mut Scanner<'_>, name: String) -> Result<Self, ScanError> {
        let first = scan.peek()?;
        let is_string = first == b'"';
        let received = match first {
            b'"' => scan.read_string().and_then(|string| to_utf8(scan, unescape(string.raw))),
            b'{' | b'[' => Err(skip_unreadable(scan, "a string, number, boolean or null")),
            _ => scan.skip_value().map(|span| from_utf8_lossy(span.json)),
        };
        let received = received.map_err(|ScanError| scan.prepend_field(&excerpt(name.as_bytes())))?;
        // The service refuses its own scientific notation (`0E-20`), so it is expanded.
        let parameter = if contains_any(&received, SCIENTIFIC) {
            to_plain_decimal(received.as_bytes())
        } else if received == "null" && !is_string && name.ends_with(']') {
            // A null member of an object, as in search cursors, must be sent empty.
            Some(String::new())
        } else {
            None
        };
        Ok(Self { name, received, is_string, parameter })
    }

    /// The value of the query parameter.
    fn parameter(&self) -> &str {
        self.parameter.as_deref().unwrap_or(&self.received)
    }

    /// Appends the value as JSON, for the caller.
    fn push_value(&self, json: &mut String) {
        let received = &*self.received;
        let is_number = !received.as_bytes().first().is_some_and(u8::is_ascii_alphabetic);
        let is_exact = || {
            self.name != BIG_INTEGER_KEY && parse_safe_integer(received.as_bytes()).is_some()
                || is_short_fraction(received)
        };
        if self.is_string {
            push_json_string(json, received);
        } else if !is_number || is_exact() {
            json.push_str(received);
        } else {
            push_json_string(json, self.parameter());
        }
    }
}

/// Converts a name or value to UTF-8. Invalid bytes are an error, because a replacement would be sent back.
fn to_utf8(scan: &mut Scanner<'_>, string: Cow<'_, [u8]>) -> Result<String, ScanError> {
    String::from_utf8(string.into_owned())
        .map_err(|_| scan.fail(DecodeError::Cursor(Box::new(Mismatch::from_json("UTF-8", b"other bytes")))))
}

/// Whether a number has a fraction, and so few digits that JavaScript does not round it.
fn is_short_fraction(number: &str) -> bool {
    number.len() <= 16 && contains_any(number, b".") && !contains_any(number, SCIENTIFIC)
}

/// Skips a value and stops with a cursor error.
fn skip_unreadable(scan: &mut Scanner<'_>, expected: &'static str) -> ScanError {
    match scan.skip_value() {
        Ok(found) => scan.fail(DecodeError::Cursor(Box::new(Mismatch::from_json(expected, found.json)))),
        Err(error) => error,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn query(json: &str) -> String {
        let cursor = parse_cursor(json.as_bytes()).unwrap().unwrap();
        cursor.parameters().map(|(name, value)| format!("{name}={value}")).collect::<Vec<_>>().join("&")
    }

    #[test]
    fn keys_are_sent_back_exactly() {
        assert_eq!(
            query(
                r#"{"fetched_coin_balance":"124355417998347240053","hash":"0x59","items_count":50,"transactions_count":null}"#
            ),
            "fetched_coin_balance=124355417998347240053&hash=0x59&items_count=50&transactions_count=null"
        );
        assert_eq!(
            query(r#"{"id":12519063346,"value":4e+21,"fiat_value":"0E-20"}"#),
            "id=12519063346&value=4000000000000000000000&fiat_value=0"
        );
        assert_eq!(
            query(r#"{"fiat_value":"1.2E-8","big":12345678901234567890}"#),
            "fiat_value=0.000000012&big=12345678901234567890"
        );
    }

    #[test]
    fn a_repeated_key_has_its_number_or_else_its_last_value() {
        assert_eq!(query(r#"{"index":7,"index":"3"}"#), "index=7");
        assert_eq!(query(r#"{"index":"3","index":7}"#), "index=7");
        assert_eq!(query(r#"{"index":"3","index":"7"}"#), "index=7");
        assert_eq!(query(r#"{"index":3,"index":7}"#), "index=7");
    }

    #[test]
    fn a_repeated_key_drops_the_value_that_was_sent() {
        let follow = |json: &str| {
            let mut cursor = parse_cursor(json.as_bytes()).unwrap().unwrap();
            cursor.drop_sent(&[("index", "900"), ("value", "4000")]);
            cursor.to_json()
        };
        for (json, expected) in [
            (r#"{"index":900,"items_count":50,"index":850}"#, r#"{"index":850,"items_count":50}"#),
            (r#"{"index":850,"items_count":50,"index":900}"#, r#"{"index":850,"items_count":50}"#),
            (r#"{"index":900,"index":"850"}"#, r#"{"index":"850"}"#),
            (r#"{"value":3e3,"value":4e3}"#, r#"{"value":3e3}"#),
            (r#"{"value":4e3,"index":900,"value":4e3,"index":870}"#, r#"{"value":4e3,"index":870}"#),
            (r#"{"index":900,"index":"900","index":860}"#, r#"{"index":860}"#),
            // Neither was sent.
            (r#"{"index":700,"index":650}"#, r#"{"index":650}"#),
            (r#"{"index":"700","index":650}"#, r#"{"index":650}"#),
        ] {
            assert_eq!(follow(json), expected, "{json}");
        }
    }

    #[test]
    fn echoed_secrets_are_removed() {
        assert_eq!(query(r#"{"apikey":"a","index":7,"key":"b"}"#), "index=7");
        let end = r#"{"apikey":"a","key":null}"#;
        assert_eq!(parse_cursor(end.as_bytes()), Ok(None));
    }

    #[test]
    fn null_and_the_empty_object_end_the_list() {
        for end in ["null", "{}", " { } "] {
            assert_eq!(parse_cursor(end.as_bytes()), Ok(None));
        }
    }

    #[test]
    fn other_values_are_cursor_errors() {
        let not_utf8 = [b"{\"a\":\"\xff\"}".as_slice(), b"{\"\xff\":1}"];
        let others = ["[]", r#"{"a":[1]}"#, r#"{"a":{}}"#, "\"x\""].map(str::as_bytes);
        for (json, path) in others.into_iter().chain(not_utf8).zip(["", "a", "a", "", "a", ""]) {
            let Err(DecodeError::Cursor(mismatch)) = parse_cursor(json) else {
                panic!("{} was accepted", json.escape_ascii());
            };
            assert_eq!(mismatch.path, path);
        }
    }

    #[test]
    fn too_many_keys_are_a_cursor_error() {
        let keys = |count: usize| {
            let keys: Vec<String> = (0..count).map(|key| format!("\"k{key}\":1")).collect();
            let json = format!("{{{}}}", keys.join(","));
            parse_cursor(json.as_bytes()).map(|cursor| cursor.unwrap().parameters().count())
        };
        assert_eq!(keys(MAX_KEYS), Ok(MAX_KEYS));
        for count in [MAX_KEYS + 1, 1_000_000] {
            assert!(matches!(keys(count), Err(DecodeError::Cursor(_))), "{count}");
        }
        let repeated = ["{", &*"\"k\":1,".repeat(MAX_KEYS), "\"k\":1}"].concat();
        assert!(matches!(parse_cursor(repeated.as_bytes()), Err(DecodeError::Cursor(_))));
    }

    #[test]
    fn numbers_that_javascript_would_round_become_strings() {
        let read = |json: &str| parse_cursor(json.as_bytes()).unwrap().unwrap().to_json();
        assert_eq!(
            read(r#"{ "id": 12345678901234567890, "n": 5, "t": "a\"b" }"#),
            r#"{"id":"12345678901234567890","n":5,"t":"a\"b"}"#
        );
        assert_eq!(
            read(r#"{"t":true,"n":null,"i":-7,"f":12345678901234.5,"s":"1e2"}"#),
            r#"{"t":true,"n":null,"i":-7,"f":12345678901234.5,"s":"1e2"}"#
        );
        assert_eq!(
            read(r#"{"i":9007199254740993,"f":123456789012345.5,"e":4e+21,"x":1.5E-3}"#),
            r#"{"i":"9007199254740993","f":"123456789012345.5","e":"4000000000000000000000","x":"0.0015"}"#
        );
    }

    #[test]
    fn keys_with_a_secret_are_removed() {
        let without = |json: &str| {
            let cursor = parse_cursor(json.as_bytes()).unwrap().unwrap();
            Some(cursor.without_secrets(|string| string == "s3cret")?.to_json())
        };
        assert_eq!(without(r#"{"a":"s3cret","s3cret":1,"b":2}"#).as_deref(), Some(r#"{"b":2}"#));
        assert_eq!(without(r#"{"a":"s3cret"}"#), None);
    }

    #[test]
    fn cursor_of_a_resume_token_has_its_parameters_as_strings() {
        let parameter = |name: &str, value: &str| (name.to_owned(), value.to_owned());
        let cursor = Cursor::from_parameters([parameter("a", "1"), parameter("b", "x")]).unwrap();
        assert_eq!(cursor.to_json(), r#"{"a":"1","b":"x"}"#);
        assert_eq!(Cursor::from_parameters([]), None);
    }

    #[test]
    fn a_cursor_is_moved_to_another_position() {
        let moved = |json: &str| {
            let cursor = parse_cursor(json.as_bytes()).unwrap().unwrap();
            Some(cursor.with_position(&["block_number", "index"], 8)?.to_json())
        };
        let cursor = r#"{"block_number":9,"index":3,"hash":"0x1","items_count":50}"#;
        assert_eq!(
            moved(cursor).as_deref(),
            Some(r#"{"block_number":7,"index":2147483647,"hash":"0x1","items_count":50}"#)
        );
        let withdrawals = parse_cursor(br#"{"index":9}"#).unwrap().unwrap();
        assert_eq!(withdrawals.with_position(&["index"], 8).unwrap().to_json(), r#"{"index":8}"#);
        for other in [
            r#"{"block_number":9}"#,
            r#"{"block_number":null,"index":3}"#,
            r#"{"block_number":9,"index":3,"batch_log_index":4,"index_in_batch":2}"#,
        ] {
            assert_eq!(moved(other), None, "{other}");
        }
    }

    #[test]
    fn document_ends_after_the_cursor() {
        assert!(parse_cursor(b" {\"a\":1} ").is_ok());
        for json in [r#"{"a":1}x"#, "null null", r#"{"a":1"#, "nul"] {
            assert!(parse_cursor(json.as_bytes()).is_err(), "{json}");
        }
    }
}
