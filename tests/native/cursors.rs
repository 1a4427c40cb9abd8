//! Cursors with unusual numbers: the query parameters of the next request, and the JSON for the caller.

use address_query::testing::decode::parse_cursor;

/// Reads a cursor. Returns it as a query string and as JSON for the caller.
#[track_caller]
fn read_cursor(json: &str) -> (String, String) {
    let cursor = parse_cursor(json.as_bytes()).unwrap().unwrap();
    let query: Vec<String> = cursor.parameters().map(|(name, value)| format!("{name}={value}")).collect();
    (query.join("&"), cursor.to_json())
}

#[test]
fn a_number_wins_over_a_string_with_the_same_key() {
    let big = ("id=12345678901234567890".to_owned(), r#"{"id":"12345678901234567890"}"#.to_owned());
    for json in [
        r#"{"id":"3","id":12345678901234567890}"#,
        r#"{"id":12345678901234567890,"id":"3"}"#,
        r#"{"id":7,"id":12345678901234567890}"#,
    ] {
        assert_eq!(read_cursor(json), big, "{json}");
    }
}

#[test]
fn numbers_become_strings_where_javascript_would_round_them() {
    for (number, expected) in [
        ("0.1", "0.1"),
        ("-1234567890.1234", "-1234567890.1234"),
        ("0.12345678901234567890", r#""0.12345678901234567890""#),
        ("9007199254740993", r#""9007199254740993""#),
        ("9007199254740993.5", r#""9007199254740993.5""#),
        ("1.5E+3", "1.5E+3"),
        ("1.5e-9", r#""0.0000000015""#),
        ("1.5e400", r#""1.5e400""#),
        ("1251.2E-819063346", r#""1251.2E-819063346""#),
    ] {
        assert_eq!(read_cursor(&format!(r#"{{"value":{number}}}"#)).1, format!(r#"{{"value":{expected}}}"#));
    }
}

#[test]
fn a_key_that_can_be_beyond_53_bits_is_always_a_string() {
    for number in ["7", "9007199254740993", "90000000000000000000000000000000000000073"] {
        let (query, json) = read_cursor(&format!(r#"{{"unique_token":{number}}}"#));
        assert_eq!((query, json), (format!("unique_token={number}"), format!(r#"{{"unique_token":"{number}"}}"#)));
    }
    assert_eq!(read_cursor(r#"{"unique_token":null}"#).1, r#"{"unique_token":null}"#);
}

#[test]
fn null_members_of_objects_are_sent_as_empty_strings() {
    let (query, json) = read_cursor(r#"{"token[name]":null,"label[name]":"null","q":null}"#);
    assert_eq!(query, "token[name]=&label[name]=null&q=null");
    assert_eq!(json, r#"{"token[name]":null,"label[name]":"null","q":null}"#);
}
