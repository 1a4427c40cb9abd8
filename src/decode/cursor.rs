//! The cursor of a list: `next_page_params` read from its text, so that every digit, null and doubled key is seen.

use std::borrow::Cow;

use super::escape::quoted;
use super::fail::{Fail, Stopped};
use super::scan::Scanner;
use crate::record::Mismatch;
use crate::record::format::{plain_number, safe_integer};
use crate::record::read::printable;
use crate::text::{has_any, lossy};

/// The service's cursors have a handful of keys.
const MAX_KEYS: usize = 64;
/// Parameters of a request that are secrets: the API key, and what unlocks restricted addresses. No list has a cursor key
/// of these names.
const SECRETS: [&str; 2] = ["apikey", "key"];
const TOO_MANY: &str = "at most 64 keys";

/// Where a list goes on: opaque keys that go back as they came.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Cursor {
    keys: Vec<Key>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
struct Key {
    name: String,
    /// What is sent: exact digits, `null` for null.
    value: String,
    /// How the value is given to the caller.
    json: String,
    is_text: bool,
}

impl Cursor {
    /// Reads the value of `next_page_params`. Null and the empty object end the list.
    ///
    /// # Errors
    /// [`Fail::Cursor`] when it is no object of texts, numbers and nulls.
    pub fn read(scan: &mut Scanner<'_>) -> Result<Option<Self>, Fail> {
        Self::begin(scan).map_err(|Stopped| scan.why())
    }

    /// Reads the value of a page's `next_page_params`: the cursor, or why it cannot be sent back. The scanner stands behind the
    /// value in both cases.
    pub(super) fn member(scan: &mut Scanner<'_>) -> Result<(Option<Self>, Option<Mismatch>), Stopped> {
        const NAME: &str = "next_page_params";
        let start = scan.rest();
        let why = match Self::begin(scan) {
            Ok(cursor) => return Ok((cursor, None)),
            Err(Stopped) => scan.why().in_field(NAME),
        };
        let Fail::Cursor(mismatch) = why else { return Err(scan.stop(why)) };
        scan.go_on(start);
        scan.skip().map_err(|Stopped| scan.outward(NAME))?;
        Ok((None, Some(*mismatch)))
    }

    /// Reads it where the scanner keeps what is wrong.
    fn begin(scan: &mut Scanner<'_>) -> Result<Option<Self>, Stopped> {
        let mut keys: Vec<Key> = Vec::new();
        match scan.peek()? {
            b'n' => {
                scan.literal("null")?;
                return Ok(None);
            }
            b'{' => scan.advance(1),
            _ => return Err(unreadable(scan, "an object or null")),
        }
        let mut first = true;
        while scan.next_member(b'}', first)? {
            first = false;
            let name = scan.key()?;
            let name = utf8(scan, name)?;
            let key = Key::read(scan, name)?;
            // Some services echo the parameters of the request. A secret is added to every request anyway.
            if SECRETS.contains(&&*key.name) {
                continue;
            }
            let is_full = keys.len() == MAX_KEYS;
            match keys.iter_mut().find(|known| known.name == key.name) {
                None if is_full => {
                    let mismatch = Mismatch::of(TOO_MANY, b"more");
                    return Err(scan.stop(Fail::Cursor(Box::new(mismatch))));
                }
                None => keys.push(key),
                // Services 9.0 send some keys twice: a number, and a stale text. The number counts, else the first.
                Some(known) if known.is_text && !key.is_text => *known = key,
                Some(_) => {}
            }
        }
        Ok((!keys.is_empty()).then_some(Self { keys }))
    }

    /// The keys as query parameters.
    pub fn parameters(&self) -> impl Iterator<Item = (&str, &str)> {
        self.keys.iter().map(|key| (key.name.as_str(), key.value.as_str()))
    }

    /// The cursor without the keys whose name or value is a secret; nothing if no key is left.
    #[must_use]
    pub fn without(mut self, is_secret: impl Fn(&str) -> bool) -> Option<Self> {
        self.keys.retain(|key| !is_secret(&key.name) && !is_secret(&key.value));
        (!self.keys.is_empty()).then_some(self)
    }

    /// The cursor as JSON: numbers where they came as numbers, unless JavaScript would round them.
    #[must_use]
    pub fn to_json(&self) -> String {
        let mut json = String::from("{");
        for key in &self.keys {
            json.push_str(if json.len() > 1 { "," } else { "" });
            json.push_str(&quoted(&key.name));
            json.push(':');
            json.push_str(&key.json);
        }
        json.push('}');
        json
    }

    /// A cursor from the parameters that a resume token holds.
    pub fn from_parameters(parameters: impl IntoIterator<Item = (String, String)>) -> Option<Self> {
        let key = |(name, value): (String, String)| Key { json: quoted(&value), name, value, is_text: true };
        let keys: Vec<Key> = parameters.into_iter().map(key).collect();
        (!keys.is_empty()).then_some(Self { keys })
    }
}

impl Key {
    /// Reads the value of a key, which must be a scalar.
    fn read(scan: &mut Scanner<'_>, name: String) -> Result<Self, Stopped> {
        let first = scan.peek()?;
        let is_text = first == b'"';
        let came = match first {
            b'"' => scan.string().and_then(|text| utf8(scan, text.plain())),
            b'{' | b'[' => Err(unreadable(scan, "a text, number or null")),
            _ => scan.skip().map(|span| lossy(span.json)),
        };
        let came = came.map_err(|Stopped| scan.outward(&printable(name.as_bytes())))?;
        // The service refuses its own scientific notation (`0E-20`), so it is expanded.
        let value = if is_scientific(&came) { plain_number(came.as_bytes()) } else { None };
        let value = value.unwrap_or_else(|| came.clone());
        let is_exact =
            || first.is_ascii_alphabetic() || safe_integer(came.as_bytes()).is_some() || is_short_fraction(&came);
        let json = if is_text {
            quoted(&came)
        } else if is_exact() {
            came
        } else {
            quoted(&value)
        };
        Ok(Self { name, value, json, is_text })
    }
}

/// A name or value of a key, which must go back as it came: nothing may stand in place of bytes that are no UTF-8.
fn utf8(scan: &mut Scanner<'_>, string: Cow<'_, [u8]>) -> Result<String, Stopped> {
    String::from_utf8(string.into_owned())
        .map_err(|_| scan.stop(Fail::Cursor(Box::new(Mismatch::of("UTF-8", b"other bytes")))))
}

/// Whether a number has a fraction, and so few digits that JavaScript writes what it reads.
fn is_short_fraction(number: &str) -> bool {
    number.len() <= 16 && has_any(number, b".") && !is_scientific(number)
}

fn is_scientific(number: &str) -> bool {
    number.bytes().any(|byte| matches!(byte, b'e' | b'E'))
}

fn unreadable(scan: &mut Scanner<'_>, expected: &'static str) -> Stopped {
    match scan.skip() {
        Ok(found) => scan.stop(Fail::Cursor(Box::new(Mismatch::of(expected, found.json)))),
        Err(stopped) => stopped,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn query(json: &str) -> String {
        let cursor = Cursor::read(&mut Scanner::new(json.as_bytes())).unwrap().unwrap();
        cursor.parameters().map(|(name, value)| format!("{name}={value}")).collect::<Vec<_>>().join("&")
    }

    #[test]
    fn keys_go_back_as_they_came() {
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
    fn of_a_doubled_key_the_number_counts() {
        assert_eq!(query(r#"{"index":7,"index":"3"}"#), "index=7");
        assert_eq!(query(r#"{"index":"3","index":7}"#), "index=7");
        assert_eq!(query(r#"{"index":"3","index":"7"}"#), "index=3");
    }

    #[test]
    fn echoed_secrets_are_left_out() {
        assert_eq!(query(r#"{"apikey":"a","index":7,"key":"b"}"#), "index=7");
        let end = r#"{"apikey":"a","key":null}"#;
        assert_eq!(Cursor::read(&mut Scanner::new(end.as_bytes())), Ok(None));
    }

    #[test]
    fn null_and_empty_end_the_list() {
        for end in ["null", "{}", " { } "] {
            assert_eq!(Cursor::read(&mut Scanner::new(end.as_bytes())), Ok(None));
        }
    }

    #[test]
    fn other_values_are_refused() {
        let not_utf8 = [b"{\"a\":\"\xff\"}".as_slice(), b"{\"\xff\":1}"];
        let others = ["[]", r#"{"a":[1]}"#, r#"{"a":{}}"#, "\"x\""].map(str::as_bytes);
        for (json, path) in others.into_iter().chain(not_utf8).zip(["", "a", "a", "", "a", ""]) {
            let Err(Fail::Cursor(mismatch)) = Cursor::read(&mut Scanner::new(json)) else {
                panic!("{} was taken", json.escape_ascii());
            };
            assert_eq!(mismatch.path, path);
        }
    }

    #[test]
    fn many_keys_are_no_cursor() {
        let keys = |count: usize| {
            let keys: Vec<String> = (0..count).map(|key| format!("\"k{key}\":1")).collect();
            let json = format!("{{{}}}", keys.join(","));
            Cursor::read(&mut Scanner::new(json.as_bytes())).map(|cursor| cursor.unwrap().parameters().count())
        };
        assert_eq!(keys(MAX_KEYS), Ok(MAX_KEYS));
        assert!(matches!(keys(1_000_000), Err(Fail::Cursor(_))));
    }

    #[test]
    fn numbers_that_javascript_would_round_are_given_out_as_text() {
        let read = |json: &str| Cursor::read(&mut Scanner::new(json.as_bytes())).unwrap().unwrap().to_json();
        assert_eq!(
            read(r#"{ "id": 12345678901234567890, "n": 5, "t": "a\"b" }"#),
            r#"{"id":"12345678901234567890","n":5,"t":"a\"b"}"#
        );
    }
}
