#![no_main]
//! Cursors, against `serde_json`: what is read are the object's members, each name once, every digit; what is given to the
//! caller reads back as the same cursor.

use address_query::decode::scan::Scanner;
use address_query::decode::{Cursor, Fail, Stopped, cursor};
use address_query::record::read_document;
use bigdecimal::BigDecimal;
use libfuzzer_sys::fuzz_target;
use serde_json::value::RawValue;

mod pairs;
mod seeds;

use pairs::Pairs;

fuzz_target!(init: seeds::write("cursor", cursors()), |data: &[u8]| check(data));

fn cursors() -> impl Iterator<Item = Vec<u8>> {
    seeds::cursors().into_iter().map(|(_, json)| json.into_bytes())
}

fn check(data: &[u8]) {
    if data.starts_with(b"\xef\xbb\xbf") {
        return;
    }
    let read = read(data);
    if std::str::from_utf8(data).is_err() {
        return assert!(read.is_err(), "not UTF-8, and taken: {read:?}");
    }
    let text = read_document(data);
    let members = serde_json::from_str::<Option<Pairs<&RawValue>>>(&text).ok();
    let Some(members) = members else { return assert!(read.is_err(), "no cursor, and taken: {read:?}") };
    let expected = once_each(members.map_or_else(Vec::new, |members| members.0));

    if let Some((name, _)) = expected.odd {
        let Err(Fail::Cursor(mismatch)) = read else { panic!("{name} was taken: {read:?}") };
        assert_eq!(mismatch.path, address_query::record::read::printable(name.as_bytes()));
        return;
    }
    let cursor = read.expect("a cursor");
    assert_eq!(cursor.is_none(), expected.keys.is_empty());
    let Some(cursor) = cursor else { return };
    let sent: Vec<(&str, &str)> = cursor.parameters().collect();
    assert_eq!(sent.len(), expected.keys.len(), "{sent:?}");
    for ((name, value), (expected_name, json)) in sent.iter().zip(&expected.keys) {
        assert_eq!(name, expected_name);
        assert_sent(value, json);
    }

    let given = cursor.to_json();
    let members: Pairs<&RawValue> = serde_json::from_str(&given).expect("JSON is given");
    for (_, json) in &members.0 {
        assert_held_by_javascript(json.get());
    }
    let again = self::read(given.as_bytes()).expect("what is given reads back").expect("with its keys");
    assert!(again.parameters().eq(sent.iter().copied()), "{given} is sent as {again:?}");
    let owned = sent.iter().map(|&(name, value)| (name.to_owned(), value.to_owned()));
    let resumed = Cursor::from_parameters(owned).expect("keys");
    assert!(resumed.parameters().eq(sent.iter().copied()));
}

/// The cursor that a whole text is.
fn read(json: &[u8]) -> Result<Option<Cursor>, Fail> {
    // A number ends only where something follows it.
    let json = [json, b" "].concat();
    let mut scan = Scanner::new(&json);
    let cursor = cursor::Cursor::read(&mut scan)?;
    match scan.peek() {
        Err(Stopped) => Ok(cursor),
        Ok(_) => {
            scan.syntax("the end");
            Err(scan.why())
        }
    }
}

#[derive(Default)]
struct Expected<'a> {
    keys: Vec<(String, &'a str)>,
    /// The first member that is neither text, number, boolean nor null.
    odd: Option<(String, &'a str)>,
}

/// Of members with one name the first counts, but that what is no text counts before a text.
fn once_each(members: Vec<(String, &RawValue)>) -> Expected<'_> {
    let mut expected = Expected::default();
    for (name, json) in members.into_iter().map(|(name, json)| (name, json.get())) {
        if json.starts_with(['{', '[']) && expected.odd.is_none() {
            expected.odd = Some((name.clone(), json));
        }
        // The key of the caller, said again: nobody else's business.
        if name == "apikey" {
            continue;
        }
        match expected.keys.iter_mut().find(|(known, _)| *known == name) {
            None => expected.keys.push((name, json)),
            Some((_, known)) if known.starts_with('"') && !json.starts_with('"') => *known = json,
            Some(_) => {}
        }
    }
    expected
}

/// What is sent for a value: itself; a number in scientific notation without it, and equal.
#[track_caller]
fn assert_sent(sent: &str, json: &str) {
    let plain = if json.starts_with('"') { serde_json::from_str(json).expect("a text") } else { json.to_owned() };
    let scientific = is_number(&plain) && plain.contains(['e', 'E']);
    if sent == plain {
        let short = plain.len() < 40 && exponent(&plain).is_some_and(|exponent| exponent.abs() < 60);
        assert!(!(scientific && short), "{plain} is sent as it is");
        return;
    }
    assert!(scientific, "{json} is sent as {sent}");
    assert!(is_number(sent) && !sent.contains(['e', 'E']), "{sent} is sent for {json}");
    assert!(decimal(sent) == decimal(&plain), "{json} is sent as {sent}");
}

/// A number that is given out as one must be the same in JavaScript.
#[track_caller]
fn assert_held_by_javascript(json: &str) {
    if is_number(json) {
        let held: f64 = json.parse().expect("a number");
        assert!(held.is_finite() && decimal(&held.to_string()) == decimal(json), "JavaScript reads {json} as {held}");
    }
}

/// Whether a text is digits, with a sign, a fraction or an exponent.
fn is_number(text: &str) -> bool {
    let digits = text.strip_prefix('-').unwrap_or(text);
    let (mantissa, exponent) = digits.split_once(['e', 'E']).unwrap_or((digits, "0"));
    let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, "0"));
    let exponent = exponent.strip_prefix(['+', '-']).unwrap_or(exponent);
    [whole, fraction, exponent].iter().all(|part| !part.is_empty() && part.bytes().all(|b| b.is_ascii_digit()))
}

fn exponent(number: &str) -> Option<i32> {
    // More digits than this are not looked at by the reading either.
    let exponent = number.split(['e', 'E']).nth(1)?;
    exponent.parse().ok().filter(|_| exponent.trim_start_matches(['+', '-']).len() < 7)
}

/// A number's value; nothing where its exponent would take long to write out.
fn decimal(number: &str) -> Option<BigDecimal> {
    let mantissa = number.split(['e', 'E']).next()?;
    if mantissa.bytes().all(|b| matches!(b, b'0' | b'.' | b'-')) {
        return Some(BigDecimal::from(0));
    }
    let is_short = mantissa.len() == number.len() || exponent(number).is_some_and(|exponent| exponent.abs() < 1000);
    is_short.then(|| number.parse().ok()).flatten()
}
