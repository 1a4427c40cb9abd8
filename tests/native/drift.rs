//! Drift: the differences between responses and the declarations that are tolerated and reported.

use address_query::testing::decode::{DecodeOptions, Drift, DriftKind, FrameDecoder, FramePage};
use serde_json::json;

use crate::decoding::{address, page, transfer};
use crate::support::{ADDRESSES, BALANCES, CASES, HASH_A, INTERNAL_TRANSACTIONS, LOGS, NFT, TRANSFERS, read_fixture};

pub fn drift(page: &FramePage, kind: DriftKind) -> Vec<(&'static str, String, String)> {
    let of_kind = page.drift.iter().filter(|drift| drift.kind == kind);
    of_kind.map(|Drift { record, field, found, .. }| (*record, field.clone(), found.clone())).collect()
}

pub fn expected(rows: &[(&'static str, &str, &str)]) -> Vec<(&'static str, String, String)> {
    rows.iter().map(|&(record, field, found)| (record, field.into(), found.into())).collect()
}

#[test]
fn each_kind_of_drift_is_reported_once_per_list() {
    let row = |index: &str, transfer_kind: &str| {
        format!(
            r#"{{"log_index":{index},"from":{0},"to":{0},"new\n":{{"a":1}},"type":"{transfer_kind}","method":7,
                "total":{{"token_instance":{{"id":"1","metadata":"{{}}"}}}}}}"#,
            address()
        )
    };
    let rows = [
        row("\"5\"", "novel"),
        row("\"6\"", "novel"),
        row("7", "other"),
        row("8", "\\u0074oken_minting"),
        row("9", "other"),
    ];
    let mut decoder = FrameDecoder::new(TRANSFERS.layout, DecodeOptions::default());
    decoder.begin();
    decoder.feed(page(&rows).into_bytes()).unwrap();
    let first = decoder.finish().unwrap();
    assert_eq!(drift(&first, DriftKind::UnknownField), expected(&[("TokenTransfer", "new\u{fffd}", "an object")]));
    assert_eq!(
        drift(&first, DriftKind::UnknownValue),
        expected(&[("TokenTransfer", "type", "novel"), ("TokenTransfer", "type", "other")])
    );
    assert_eq!(
        drift(&first, DriftKind::CoercedType),
        expected(&[
            ("TokenTransfer", "log_index", "5"),
            ("TokenTransfer", "method", "7"),
            ("NftInstance", "metadata", "\"{}\"")
        ])
    );
    let missing = drift(&first, DriftKind::MissingField);
    for field in ["block_hash", "token", "timestamp"] {
        let reports = missing.iter().filter(|(record, name, _)| (*record, name.as_str()) == ("TokenTransfer", field));
        assert_eq!(reports.count(), 1, "{field}");
    }
    assert!(missing.contains(&("AddressRef", "implementations".into(), "nothing".into())));
    assert!(missing.iter().all(|(_, field, _)| !["log_index", "from", "hash"].contains(&field.as_str())));

    // The shape cache keeps the drift of the first page. The second page adds only what is new.
    decoder.begin();
    decoder.feed(page(&[row("\"5\"", "third")]).into_bytes()).unwrap();
    let second = decoder.finish().unwrap();
    let (before, new) = second.drift.split_at(first.drift.len());
    assert_eq!(before, first.drift);
    let [Drift { kind: DriftKind::UnknownValue, found, .. }] = new else { panic!("{new:?}") };
    assert_eq!(found, "third");
}

#[test]
fn token_metadata_set_by_a_contract_may_be_any_integer() {
    let token = format!(r#"{{"address_hash":"{HASH_A}","decimals":"-1","holders_count":-1,"total_supply":"-5"}}"#);
    let value = NFT.value(page(&[format!(r#"{{"id":"1","token":{token}}}"#)]));
    let token = &value["items"][0]["token"];
    assert_eq!(
        (&token["decimals"], &token["holders_count"], &token["total_supply"]),
        (&json!("-1"), &json!("-1"), &json!("-5"))
    );
}

#[test]
fn values_that_only_the_specification_allows_are_returned_and_reported() {
    let many = "9".repeat(101);
    let total = |value: &str| transfer(&format!(r#","total":{{"value":{value}}}"#));
    let hash = format!("0x{}", "ab".repeat(32));
    let log = |data: &str| {
        format!(
            r#"{{"address_hash":{},"data":"{data}","index":1,"block_number":1,"topics":["0xabc",null],
                "transaction_hash":"{hash}","block_hash":"{hash}","decoded":{{"method_id":"n/a","parameters":[]}}}}"#,
            address()
        )
    };
    let long = format!("\"{many}\"");
    let excerpt = format!("{}…", &many[..40]);
    for (case, row, pointer, value, reported) in [
        (&TRANSFERS, total("\"-1\""), "/total/value", "-1", ("TransferTotal", "value", "-1")),
        (&TRANSFERS, total("\"\\u002d1\""), "/total/value", "-1", ("TransferTotal", "value", "\\u002d1")),
        (&TRANSFERS, total("-1"), "/total/value", "-1", ("TransferTotal", "value", "-1")),
        (&TRANSFERS, total(&long), "/total/value", &many, ("TransferTotal", "value", &excerpt)),
        (
            &TRANSFERS,
            transfer(r#","timestamp":"2026-05-01T10:00:11+02:00""#),
            "/timestamp",
            "2026-05-01T10:00:11+02:00",
            ("TokenTransfer", "timestamp", "2026-05-01T10:00:11+02:00"),
        ),
        (&LOGS, log("0xabc"), "/data", "0xabc", ("Log", "data", "0xabc")),
        (&LOGS, log("0x"), "/topics/0", "0xabc", ("Log", "topics", "0xabc")),
        (&LOGS, log("0x"), "/decoded/method_id", "n/a", ("DecodedLog", "method_id", "n/a")),
    ] {
        // The second row takes the fast path as far as it can.
        let json = page(&[row.clone(), row]);
        let decoded = case.decode_whole(&json).unwrap();
        let decoded_page = case.page_value(&decoded);
        for item in decoded_page.value.as_ref().unwrap()["items"].as_array().unwrap() {
            assert_eq!(item.pointer(pointer), Some(&json!(value)), "{json}");
        }
        let reports = drift(&decoded, DriftKind::UnexpectedValue);
        assert_eq!(reports.iter().filter(|found| **found == expected(&[reported])[0]).count(), 1, "{reports:?}");
        assert_eq!(decoded_page, case.read_serde(json.as_bytes()).unwrap());
    }
}

#[test]
fn drift_is_the_same_for_any_chunks() {
    let row = |hash: &str| format!(r#"{{"hash":"{hash}","brand_new":"some value","coin_balance":"1"}}"#);
    let json = page(&[row(HASH_A), row(HASH_A)]);
    let whole = ADDRESSES.decode_whole(&json).unwrap().drift;
    assert!(whole.iter().any(|drift| drift.field == "brand_new"));
    for cut in 1..json.len() {
        let (one, other) = json.as_bytes().split_at(cut);
        assert_eq!(ADDRESSES.decode([one, other], DecodeOptions::default()).unwrap().drift, whole, "{cut}");
    }
}

#[test]
fn empty_tags_and_names_are_not_drift() {
    let json = page(&[address().replace('}', r#","private_tags":[{}],"watchlist_names":[{}]}"#)]);
    let drift = ADDRESSES.decode_whole(json).unwrap().drift;
    assert!(drift.iter().all(|drift| drift.record == "AddressListItem" || drift.record == "Addresses"), "{drift:?}");
}

#[test]
fn null_under_a_name_with_two_meanings_is_ignored() {
    let hash = format!("0x{}", "ab".repeat(32));
    let log = |emitter: &str| {
        format!(
            r#"{{{emitter},"data":"0x","index":1,"block_number":1,"topics":[],"transaction_hash":"{hash}","block_hash":"{hash}"}}"#
        )
    };
    for emitter in [
        format!(r#""address_hash":null,"address":{}"#, address()),
        format!(r#""address":{},"address_hash":null"#, address()),
    ] {
        let json = page(&[log(&emitter)]);
        let value = LOGS.value(&json);
        assert_eq!(value["items"][0]["address_hash"]["hash"], HASH_A);
        assert_eq!(LOGS.page_value(&LOGS.decode_whole(&json).unwrap()), LOGS.read_serde(json.as_bytes()).unwrap());
    }
    assert!(LOGS.decode_whole(page(&[log(r#""address_hash":null"#)])).is_err());
}

#[test]
fn a_documented_response_has_no_drift() {
    let instance = r#"{"status":1,"message":null}"#;
    let json = format!(r#"{{"meta":{instance},"items":[],"next_page_params":{{"new_key":1}}}}"#);
    assert_eq!(INTERNAL_TRANSACTIONS.decode_whole(json).unwrap().drift, []);
    let json = read_fixture("address-coin-balance-history/v11.json");
    assert_eq!(BALANCES.decode_whole(json).unwrap().drift, []);
}

#[test]
fn confirmations_of_a_pending_transaction_may_be_null() {
    let transactions = CASES.iter().find(|case| case.name == "address-transactions").unwrap();
    let fixture = String::from_utf8(read_fixture("address-transactions/v12.json")).unwrap();
    let json = fixture.replace(r#""confirmations": 0"#, r#""confirmations": null"#);
    assert_ne!(json, fixture);
    let page = transactions.decode_whole(&json).unwrap();
    assert_eq!(page.drift, transactions.decode_whole(&fixture).unwrap().drift);
    assert_eq!(transactions.page_value(&page).value.unwrap()["items"][0]["confirmations"], json!(null));
    assert_eq!(transactions.page_value(&page), transactions.read_serde(json.as_bytes()).unwrap());
}

#[test]
fn drift_in_the_envelope_is_reported() {
    let page = ADDRESSES.decode_whole(r#"{"items":[],"total_supply":5,"pages":3}"#).unwrap();
    assert_eq!(drift(&page, DriftKind::UnknownField), expected(&[("Addresses", "pages", "3")]));
    assert_eq!(drift(&page, DriftKind::CoercedType), expected(&[("Addresses", "total_supply", "5")]));
    assert_eq!(drift(&page, DriftKind::MissingField), expected(&[("Addresses", "exchange_rate", "nothing")]));
}
