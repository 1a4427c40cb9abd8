//! The decoder: mismatches, skipped records and unknown fields.

use address_query::testing::decode::{DecodeError, DecodeOptions, DriftKind, FrameDecoder};
use address_query::types;
use serde_json::json;

use crate::drift::{drift, expected};
use crate::support::{ADDRESSES, BALANCES, Case, HASH_A, INTERNAL_TRANSACTIONS, LOGS, NFT, TRANSFERS, read_fixture};

fn skip_bad_records() -> DecodeOptions {
    DecodeOptions::default().skip_bad_records(true)
}

pub fn address() -> String {
    format!(r#"{{"hash":"{HASH_A}"}}"#)
}

pub fn transfer(more: &str) -> String {
    let address = address();
    format!(r#"{{"log_index":1,"from":{address},"to":{address}{more}}}"#)
}

pub fn page(rows: &[String]) -> String {
    format!(r#"{{"items":[{}],"next_page_params":null}}"#, rows.join(","))
}

#[track_caller]
fn decode_error(case: &Case, json: &str) -> String {
    match case.decode_whole(json) {
        Err(DecodeError::Syntax(mismatch)) => format!("syntax: {mismatch}"),
        Err(DecodeError::Mismatch(mismatch)) => format!("mismatch: {mismatch}"),
        Err(error @ (DecodeError::Incomplete | DecodeError::Cursor(_))) => panic!("{error:?}"),
        Ok(_) => panic!("{json} was decoded"),
    }
}

#[test]
fn messages_name_the_path_the_expected_type_and_the_value() {
    let total = |token_id: &str| {
        let good = transfer("");
        let bad = transfer(&format!(r#","total":{{"token_id":{token_id}}}"#));
        page(&[good.clone(), good.clone(), good, bad])
    };
    let one = |more: &str| page(&[transfer(more)]);
    for (json, expected) in [
        (total("{}"), "mismatch: items[3].total.token_id: expected an unsigned integer string, found an object"),
        (total("\"18.5\""), "mismatch: items[3].total.token_id: expected an unsigned integer string, found \"18.5\""),
        (
            one(r#","total":{"value":"0x1"}"#),
            "mismatch: items[0].total.value: expected an unsigned integer string, found \"0x1\"",
        ),
        (
            one(r#","token":{}"#),
            "mismatch: items[0].token.address_hash: expected an address hash (0x and 40 hex digits), found nothing",
        ),
        (
            one(r#","token":{"address":"0x12"}"#),
            "mismatch: items[0].token.address_hash: expected an address hash (0x and 40 hex digits), found \"0x12\"",
        ),
        (one(r#","token":[]"#), "mismatch: items[0].token: expected an object, found a list"),
        (
            one(r#","transaction_hash":true"#),
            "mismatch: items[0].transaction_hash: expected a 32-byte hash (0x and 64 hex digits), found true",
        ),
        (
            one(r#","block_number":9007199254740992"#),
            "mismatch: items[0].block_number: expected an unsigned integer within 53 bits, found 9007199254740992",
        ),
        (
            one(r#","block_number":-5"#),
            "mismatch: items[0].block_number: expected an unsigned integer within 53 bits, found -5",
        ),
        (page(&["{}".into()]), "mismatch: items[0].log_index: expected an integer within 53 bits, found nothing"),
        (page(&["7".into()]), "mismatch: items[0]: expected an object, found 7"),
        (page(&["null".into()]), "mismatch: items[0]: expected an object, found null"),
        (r#"{"items":null}"#.into(), "mismatch: items: expected a list, found null"),
        (r#"{"items":{}}"#.into(), "mismatch: items: expected a list, found an object"),
        (r#"{"next_page_params":null}"#.into(), "mismatch: items: expected a list, found nothing"),
        (r#"{"items":[],"items":[]}"#.into(), "mismatch: items: expected one list, found a second one"),
        ("[]".into(), "mismatch: expected an object, found a list"),
    ] {
        assert_eq!(decode_error(&TRANSFERS, &json), expected, "{json}");
    }
}

#[test]
fn messages_name_the_path_in_lists_and_in_the_envelope() {
    let topics = r#"{"items":[{"topics":[null,"0xab","xa"]}]}"#;
    assert_eq!(decode_error(&LOGS, topics), "mismatch: items[0].address_hash: expected an object, found nothing");
    let topics = format!(
        r#"{{"items":[{{"address_hash":{0},"block_number":1,"index":1,"data":"0x","topics":[null,"0xab","xa"],
            "transaction_hash":"0x{1}","block_hash":"0x{1}"}}]}}"#,
        address(),
        "a".repeat(64)
    );
    assert_eq!(
        decode_error(&LOGS, &topics),
        "mismatch: items[0].topics[2]: expected hex data (0x and an even number of hex digits), found \"xa\""
    );
    let status = r#"{"meta":{"status":"done"},"items":[]}"#;
    assert_eq!(
        decode_error(&INTERNAL_TRANSACTIONS, status),
        "mismatch: meta.status: expected an integer within 53 bits, found \"done\""
    );
}

#[test]
fn messages_name_the_first_invalid_field_in_declaration_order() {
    let row = r#"{"value":"x","delta":"y","block_number":true}"#;
    assert_eq!(
        decode_error(&BALANCES, &page(&[row.into()])),
        "mismatch: items[0].block_number: expected an unsigned integer within 53 bits, found true"
    );
}

#[test]
fn excerpts_in_messages_are_short_and_printable() {
    let row = transfer(&format!(r#","transaction_hash":"\u001b[31m{}<script>""#, "ä".repeat(1000)));
    let message = decode_error(&TRANSFERS, &page(&[row]));
    assert!(message.len() < 250, "{message}");
    assert!(message.chars().all(|c| !c.is_control()), "{message:?}");
    let key = format!(r#"{{"items":[],"next_page_params":{{"\u001b\n{}":[]}}}}"#, "k".repeat(1000));
    let mismatch = TRANSFERS.decode_whole(key).unwrap().cursor_error.unwrap();
    assert!(mismatch.path.len() < 100 && !mismatch.path.contains(['\u{1b}', '\n']), "{}", mismatch.path);
}

#[test]
fn excerpts_keep_letters_and_escape_format_characters() {
    let row = transfer(",\"transaction_hash\":\"zwölf \u{202e}日本語\"");
    let expected = "found \"zwölf \u{fffd}日本語\"";
    assert!(decode_error(&TRANSFERS, &page(&[row])).ends_with(expected));
    let row = transfer(&format!(r#","transaction_hash":"{}""#, "ä".repeat(50)));
    assert!(decode_error(&TRANSFERS, &page(&[row])).ends_with(&format!("found \"{}…", "ä".repeat(39))));
}

#[test]
fn invalid_json_is_rejected_with_its_position() {
    for (json, expected) in [
        ("", "syntax: expected a complete JSON document, found nothing"),
        (" \n ", "syntax: expected a complete JSON document, found the end of the input"),
        ("\u{feff}", "syntax: expected a complete JSON document, found the end of the input"),
        ("null", "mismatch: expected an object, found null"),
        ("<html><body>504</body>", "syntax: expected a JSON value, found \"<html><body>504</bod\" at byte 0"),
        (r#"{"items":[{"log_index":1"#, "syntax: expected a complete JSON document, found the end of the input"),
        (r#"{"items":[],}"#, "syntax: expected a member after the comma, found \"}\" at byte 12"),
        (r#"{"items":[{]}"#, "syntax: items[0]: expected a string, found \"]}\" at byte 11"),
        (
            r#"{"items":[{"log_index":01}]}"#,
            "syntax: items[0].log_index: expected a JSON number, found \"01}]}\" at byte 23",
        ),
        (
            r#"{"items":[{"method":"\x"}]}"#,
            "syntax: items[0].method: expected a JSON escape, found \"\\\\x\\\"}]}\" at byte 21",
        ),
        (r#"{"items":[]} {}"#, "syntax: expected the end of the document, found \"{}\" at byte 13"),
    ] {
        assert_eq!(decode_error(&TRANSFERS, json), expected, "{json}");
    }
    let outside_strings = b"{\"items\":[\xff]}";
    assert!(matches!(TRANSFERS.decode_whole(outside_strings), Err(DecodeError::Syntax(_))));
}

/// Replaces each `?` with invalid UTF-8: a byte that never occurs, and an incomplete character.
fn with_bad_bytes(json: &str) -> Vec<u8> {
    json.split('?').map(str::as_bytes).collect::<Vec<_>>().join(b"\xffb\xe2\x82".as_slice())
}

#[test]
fn invalid_utf8_becomes_replacement_characters_and_is_reported() {
    let replaced = "a\u{fffd}b\u{fffd}";
    let transfer = transfer(
        r#","method":"a?","type":"a?","token_type":"a?\n","total":{"token_instance":{"id":"1","metadata":{"a?":["a?"]}}}"#,
    );
    let json = with_bad_bytes(&page(&[transfer.clone(), transfer]));
    let decoded = TRANSFERS.decode_whole(&json).unwrap();
    let decoded_page = TRANSFERS.page_value(&decoded);
    let item = &decoded_page.value.as_ref().unwrap()["items"][1];
    assert_eq!((&item["method"], &item["type"]), (&json!(replaced), &json!(replaced)));
    assert_eq!(item["token_type"], format!("{replaced}\n"));
    assert_eq!(item["total"]["token_instance"]["metadata"], json!({ replaced: [replaced] }));
    assert_eq!(decoded_page, TRANSFERS.read_serde(&json).unwrap());
    assert_eq!(
        drift(&decoded, DriftKind::UnexpectedValue),
        expected(&[
            ("TokenTransfer", "method", replaced),
            ("TokenTransfer", "type", replaced),
            ("TokenTransfer", "token_type", "a\u{fffd}b\u{fffd}\\n"),
            ("NftInstance", "metadata", "an object"),
        ])
    );
    for cut in 0..json.len() {
        let (one, other) = json.split_at(cut);
        assert_eq!(
            TRANSFERS.page_value(&TRANSFERS.decode([one, other], DecodeOptions::default()).unwrap()),
            decoded_page,
            "{cut}"
        );
    }
}

#[test]
fn invalid_utf8_in_a_hash_fails_only_its_record() {
    let bad = transfer(&format!(r#","transaction_hash":"0x{}?""#, "a".repeat(63)));
    let json = with_bad_bytes(&page(&[transfer(""), bad, transfer("")]));
    let Err(DecodeError::Mismatch(mismatch)) = TRANSFERS.decode_whole(&json) else { panic!("it was decoded") };
    assert_eq!(mismatch.path, "items[1].transaction_hash");
    assert!(matches!(TRANSFERS.read_serde(&json), Err(DecodeError::Mismatch(typed)) if typed.path == mismatch.path));
    let page = TRANSFERS.decode([json.as_slice()], skip_bad_records()).unwrap();
    assert_eq!((page.rows.len(), page.bad_records.len()), (2, 1));
    assert!(page.bad_records[0].raw.contains("aaa\u{fffd}b\u{fffd}\""), "{}", page.bad_records[0].raw);
}

#[test]
fn invalid_utf8_is_replaced_in_unknown_fields_and_in_the_envelope() {
    let json = with_bad_bytes(&format!(
        r#"{{"new?":"?","items":[{}],"total_supply":null}}"#,
        address().replace('}', r#","?":["?"]}"#)
    ));
    let page = ADDRESSES.decode([json.as_slice()], DecodeOptions::default().keep_extra(true)).unwrap();
    let value = ADDRESSES.page_value(&page).value.unwrap();
    let replaced = "\u{fffd}b\u{fffd}";
    assert_eq!(value["extra"], json!({ format!("new{replaced}"): replaced }));
    assert_eq!(value["items"][0]["extra"], json!({ replaced: [replaced] }));
}

#[test]
fn rows_with_a_known_shape_are_validated_just_as_strictly() {
    let row = format!(r#"{{"hash":"{HASH_A}","name":"a","is_contract":true}}"#);
    // The third row ensures that the second one takes every fast path.
    let read = |second: &str| ADDRESSES.decode_whole(format!(r#"{{"items":[{row},{second},{row}]}}"#));
    assert_eq!(read(&row).unwrap().rows.len(), 3);
    let opened_again = format!(r#"{{"hash":"{HASH_A}""#);
    for (from, to) in [
        (r#","name":"a""#, opened_again.as_str()),
        (r#","name""#, r#"{"name""#),
        (r#","name":"#, r#"{"hash":"#),
        (r#"{"hash""#, r#",{"hash""#),
        (r#"{"hash""#, r#"{,"hash""#),
        (r#"{"hash""#, r#","hash""#),
        (r#""name":"#, r#""name""#),
        (r#""name":"#, r#""name"::"#),
        (r#""name":"#, r#","name":"#),
        (r#""a","#, r#""a",,"#),
        (r#""a","#, r#""a""#),
        ("true}", "true,}"),
        ("true}", "truer}"),
        ("true}", "true}}"),
        ("true}", "true]"),
    ] {
        let bad = row.replacen(from, to, 1);
        assert_ne!(bad, row);
        let result = read(&bad);
        assert!(matches!(result, Err(DecodeError::Syntax(_) | DecodeError::Mismatch(_))), "{bad} was decoded");
        let document = format!(r#"{{"items":[{row},{bad},{row}]}}"#);
        assert!(ADDRESSES.read_serde(document.as_bytes()).is_err(), "{bad} is JSON");
    }
}

#[test]
fn positions_count_from_the_start_of_the_document_for_any_chunks() {
    let json = format!(r#"{{"items":[{0},{0}, ?]}}"#, transfer(""));
    let place = format!("at byte {}", json.find('?').unwrap());
    for size in [1, 7, 100, 10_000] {
        let Err(DecodeError::Syntax(mismatch)) =
            TRANSFERS.decode(json.as_bytes().chunks(size), DecodeOptions::default())
        else {
            panic!("it was decoded")
        };
        assert!(mismatch.found.ends_with(&place), "{mismatch} in pieces of {size}");
    }
}

#[test]
fn invalid_rows_are_skipped_and_reported_and_the_others_delivered() {
    let bad = r#"{"log_index": 1, "from": null,"text":"\ud800 ü"}"#;
    let json = page(&[transfer(""), bad.into(), "[7]".into(), transfer(r#","method":"last""#)]);
    let page = TRANSFERS.decode(json.as_bytes().chunks(9), skip_bad_records()).unwrap();
    let value = TRANSFERS.page_value(&page).value.unwrap();
    let methods: Vec<_> = value["items"].as_array().unwrap().iter().map(|row| &row["method"]).collect();
    assert_eq!(methods, [&json!(null), &json!("last")]);
    let reported: Vec<_> = page
        .bad_records
        .iter()
        .map(|row| (format!("{}: expected {}, found {}", row.path, row.expected, row.found), row.raw.as_str()))
        .collect();
    assert_eq!(
        reported,
        [
            ("items[1].from: expected an object, found null".into(), bad),
            ("items[2]: expected an object, found a list".into(), "[7]")
        ]
    );
}

#[test]
fn only_rows_can_be_skipped() {
    for json in [r#"{"items":[{}, ?]}"#, r#"{"items":[{}]"#, r#"{"items":{}}"#] {
        assert!(TRANSFERS.decode([json.as_bytes()], skip_bad_records()).is_err(), "{json}");
    }
    assert!(INTERNAL_TRANSACTIONS.decode([br#"{"items":[],"meta":7}"#.as_slice()], skip_bad_records()).is_err());
}

#[test]
fn a_page_with_an_invalid_cursor_delivers_its_records() {
    let many = (0..100).map(|key| format!(r#""k{key}":[{key}],"#)).collect::<Vec<_>>().concat();
    for (cursor, error) in [
        ("[1]", ": expected an object or null, found a list"),
        ("7", ": expected an object or null, found 7"),
        (r#""x""#, r#": expected an object or null, found "x""#),
        (r#"{"a":1,"b":[{"c":[]}],"d":2}"#, ".b: expected a string, number, boolean or null, found a list"),
        (r#"{"a":"?"}"#, ".a: expected UTF-8, found other bytes"),
        (r#"{"?":1}"#, ": expected UTF-8, found other bytes"),
        (&format!("{{{many}\"end\":1}}"), ".k0: expected a string, number, boolean or null, found a list"),
    ] {
        for order in ["{cursor},{items}", "{items},{cursor}"] {
            let (cursor, items) =
                (format!(r#""next_page_params":{cursor}"#), format!(r#""items":[{0},{0}]"#, transfer("")));
            let members = order.replace("{cursor}", &cursor).replace("{items}", &items);
            let json = with_bad_bytes(&format!("{{{members}}}"));
            let page = TRANSFERS.decode(json.chunks(3), DecodeOptions::default()).unwrap();
            let decoded_page = TRANSFERS.page_value(&page);
            assert_eq!((page.rows.len(), &page.next), (2, &None));
            let message = decoded_page.cursor_error.as_ref().unwrap().to_string();
            assert_eq!(message, format!("next_page_params{error}"));
            assert_eq!(decoded_page, TRANSFERS.read_serde(&json).unwrap());
        }
    }
    // Of two cursors, the last one counts, as for every member.
    let page = TRANSFERS.decode_whole(r#"{"next_page_params":[],"items":[],"next_page_params":{"a":1}}"#).unwrap();
    assert!(page.next.is_some() && page.cursor_error.is_none());
    let page = TRANSFERS.decode_whole(r#"{"next_page_params":{"a":1},"items":[],"next_page_params":[]}"#).unwrap();
    assert!(page.next.is_none() && page.cursor_error.is_some());
    assert_eq!(
        decode_error(&TRANSFERS, r#"{"items":[],"next_page_params":{"a":[}}"#),
        "syntax: next_page_params.a: expected a JSON value, found \"}}\" at byte 37"
    );
}

#[test]
fn a_decoder_accepts_nothing_after_an_error() {
    let mut decoder = FrameDecoder::new(TRANSFERS.layout, DecodeOptions::default());
    decoder.begin();
    assert!(decoder.feed(b"{\"items\":[?".to_vec()).is_err());
    assert!(decoder.feed(b"{\"items\":[]}".to_vec()).is_err());
    assert!(decoder.finish().is_err());
}

#[test]
fn the_last_of_two_members_with_one_name_counts_in_the_envelope() {
    let value = INTERNAL_TRANSACTIONS.value(r#"{"meta":7,"items":[],"meta":{"status":1}}"#);
    assert_eq!(value["meta"], json!({"status": 1, "message": null}));
    assert!(INTERNAL_TRANSACTIONS.decode_whole(r#"{"meta":{"status":1},"items":[],"meta":7}"#).is_err());
}

#[test]
fn unknown_fields_are_dropped_without_keep_extra() {
    let address = address();
    let json = format!(
        r#"{{"total":2, "items":[{{"log_index":1,"__proto__":{{"x":[1, "\ud800"]}},"from":{{"hash":"{HASH_A}","new":null}},"to":{address},"\u0062\n":1.50}}]}}"#
    );
    let dropped = TRANSFERS.value(&json);
    assert_eq!((dropped.get("extra"), dropped["items"][0].get("extra")), (None, None));
    let page = TRANSFERS.decode([json.as_bytes()], DecodeOptions::default().keep_extra(true)).unwrap();
    let page_value = TRANSFERS.page_value(&page).value.unwrap();
    assert_eq!(page_value["items"][0]["extra"].to_string(), "{\"__proto__\":{\"x\":[1,\"\u{fffd}\"]},\"b\\n\":1.5}");
    assert_eq!(page_value["items"][0]["from"]["extra"], json!({"new": null}));
    assert_eq!(page_value["items"][0]["to"].get("extra"), None);
    assert_eq!(page_value["extra"], json!({"total": 2}));
}

#[test]
fn an_address_object_wins_over_the_plain_hash_under_another_name() {
    let json = read_fixture("address-logs/both-emitter-names.json");
    let value = LOGS.value(&json);
    assert!(value["items"].as_array().unwrap().iter().all(|log| log["address_hash"]["reputation"] == "ok"), "{value}");
}

#[test]
fn every_record_implements_deserialize() {
    let address: types::AddressRef = serde_json::from_str(&address()).unwrap();
    assert_eq!(&*address.hash, HASH_A);
    let error = serde_json::from_str::<Vec<types::AddressRef>>(r#"[{"hash":7}]"#).unwrap_err().to_string();
    assert!(error.starts_with("hash: expected an address hash (0x and 40 hex digits), found 7"), "{error}");
}

#[test]
fn free_json_with_numbers_out_of_range_is_passed_on_unchanged() {
    let json = r#"{"items":[{"id":"1","metadata":{"n":1e400}}]}"#;
    let page = NFT.decode_whole(json).unwrap();
    assert_eq!(*page.frame.json, *br#"[null,{"n":1e400}]"#);
    assert!(NFT.read_serde(json.as_bytes()).is_ok());
}
