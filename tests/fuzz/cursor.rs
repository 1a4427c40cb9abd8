#![no_main]
//! Compares cursors with `serde_json`: a cursor has the members of the object, each name once, with all digits. The JSON of a
//! cursor decodes to the same cursor.

use address_query::testing::decode::parse_cursor;
use address_query::testing::decode::{Cursor, DecodeError};
use address_query::testing::excerpt;
use address_query::testing::record::normalize_document;
use bigdecimal::BigDecimal;
use libfuzzer_sys::fuzz_target;
use serde_json::value::RawValue;

mod pairs;
mod seeds;

use pairs::Pairs;

/// The maximum number of keys of a cursor.
const MAX_KEYS: usize = 64;

fuzz_target!(init: seeds::write("cursor", cursors()), |data: &[u8]| check(data));

fn cursors() -> impl Iterator<Item = Vec<u8>> {
    seeds::cursors().into_iter().map(|(_, json)| json.into_bytes())
}

fn check(data: &[u8]) {
    if data.starts_with(b"\xef\xbb\xbf") {
        return;
    }
    let result = parse_cursor(data);
    if std::str::from_utf8(data).is_err() {
        return assert!(result.is_err(), "accepted although it is not UTF-8: {result:?}");
    }
    let document = normalize_document(data);
    let members = serde_json::from_str::<Option<Pairs<&RawValue>>>(&document).ok();
    let Some(members) = members else {
        return assert!(result.is_err(), "accepted although it is not an object: {result:?}");
    };
    let expected = expected_keys(members.map_or_else(Vec::new, |members| members.0));

    if expected.members > MAX_KEYS {
        return assert!(matches!(result, Err(DecodeError::Cursor(_))), "accepted although it is too large: {result:?}");
    }
    if let Some((name, _)) = expected.invalid {
        let Err(DecodeError::Cursor(mismatch)) = result else { panic!("{name} was accepted: {result:?}") };
        assert_eq!(mismatch.path, excerpt(name.as_bytes()));
        return;
    }
    let cursor = result.expect("a cursor");
    assert_eq!(cursor.is_none(), expected.keys.is_empty());
    let Some(cursor) = cursor else { return };
    let sent: Vec<(&str, &str)> = cursor.parameters().collect();
    assert_eq!(sent.len(), expected.keys.len(), "{sent:?}");
    for ((name, value), (expected_name, json)) in sent.iter().zip(&expected.keys) {
        assert_eq!(name, expected_name);
        // Null in a member of an object, as the search has it, is sent empty.
        if *json == "null" && name.ends_with(']') {
            assert_eq!(*value, "");
        } else {
            assert_sent(value, json);
        }
    }

    let json = cursor.to_json();
    let members: Pairs<&RawValue> = serde_json::from_str(&json).expect("valid JSON");
    for (_, value) in &members.0 {
        assert_exact_in_javascript(value.get());
    }
    let decoded = parse_cursor(json.as_bytes()).expect("a cursor").expect("keys");
    assert!(decoded.parameters().eq(sent.iter().copied()), "{json} is decoded as {decoded:?}");
    let owned = sent.iter().map(|&(name, value)| (name.to_owned(), value.to_owned()));
    let resumed = Cursor::from_parameters(owned).expect("keys");
    assert!(resumed.parameters().eq(sent.iter().copied()));
}

/// The keys that a cursor must have.
#[derive(Default)]
struct Expected<'a> {
    keys: Vec<(String, &'a str)>,
    /// Number of members, including repeated ones.
    members: usize,
    /// The first member that is a list or an object.
    invalid: Option<(String, &'a str)>,
}

/// The keys of an object. Of members with the same name, the last one counts, but a string only if all are strings.
fn expected_keys(members: Vec<(String, &RawValue)>) -> Expected<'_> {
    let mut expected = Expected::default();
    for (name, json) in members.into_iter().map(|(name, json)| (name, json.get())) {
        if json.starts_with(['{', '[']) && expected.invalid.is_none() {
            expected.invalid = Some((name.clone(), json));
        }
        // Secrets that the service echoes are removed.
        if ["apikey", "key"].contains(&name.as_str()) {
            continue;
        }
        expected.members += 1;
        match expected.keys.iter_mut().find(|(known, _)| *known == name) {
            None => expected.keys.push((name, json)),
            Some((_, known)) if known.starts_with('"') || !json.starts_with('"') => *known = json,
            Some(_) => {}
        }
    }
    expected
}

/// A value must be sent unchanged, or as an equal number if it is a number in scientific notation.
#[track_caller]
fn assert_sent(sent: &str, json: &str) {
    let plain = if json.starts_with('"') { serde_json::from_str(json).expect("a string") } else { json.to_owned() };
    let scientific = is_number(&plain) && plain.contains(['e', 'E']);
    if sent == plain {
        let short = plain.len() < 40 && exponent(&plain).is_some_and(|exponent| exponent.abs() < 60);
        assert!(!(scientific && short), "{plain} is sent unchanged");
        return;
    }
    assert!(scientific, "{json} is sent as {sent}");
    assert!(is_number(sent) && !sent.contains(['e', 'E']), "{sent} is sent for {json}");
    assert!(decimal(sent) == decimal(&plain), "{json} is sent as {sent}");
}

/// A number in the JSON of a cursor must have the same value in JavaScript.
#[track_caller]
fn assert_exact_in_javascript(json: &str) {
    if is_number(json) {
        let value: f64 = json.parse().expect("a number");
        assert!(
            value.is_finite() && decimal(&value.to_string()) == decimal(json),
            "JavaScript reads {json} as {value}"
        );
    }
}

/// Whether a string is a number: digits, with an optional sign, fraction and exponent.
fn is_number(string: &str) -> bool {
    let digits = string.strip_prefix('-').unwrap_or(string);
    let (mantissa, exponent) = digits.split_once(['e', 'E']).unwrap_or((digits, "0"));
    let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, "0"));
    let exponent = exponent.strip_prefix(['+', '-']).unwrap_or(exponent);
    [whole, fraction, exponent].iter().all(|part| !part.is_empty() && part.bytes().all(|b| b.is_ascii_digit()))
}

fn exponent(number: &str) -> Option<i32> {
    // The decoder does not expand numbers with longer exponents either.
    let exponent = number.split(['e', 'E']).nth(1)?;
    exponent.parse().ok().filter(|_| exponent.trim_start_matches(['+', '-']).len() < 7)
}

/// The value of a number. `None` if its exponent is too large to expand.
fn decimal(number: &str) -> Option<BigDecimal> {
    let mantissa = number.split(['e', 'E']).next()?;
    if mantissa.bytes().all(|b| matches!(b, b'0' | b'.' | b'-')) {
        return Some(BigDecimal::from(0));
    }
    let is_short = mantissa.len() == number.len() || exponent(number).is_some_and(|exponent| exponent.abs() < 1000);
    is_short.then(|| number.parse().ok()).flatten()
}
