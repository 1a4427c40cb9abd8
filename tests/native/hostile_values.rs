//! Values that anyone on the chain, or an unusual instance, can send: how each is decoded, and what is reported.

use address_query::testing::client::decode_error;
use address_query::testing::decode::{DecodeError, DecodeOptions, DriftKind};
use serde_json::{Value as Json, json};

use crate::decoding::{address, page, transfer};
use crate::drift::{drift, expected};
use crate::support::{CASES, Case, HASH_A, INTERNAL_TRANSACTIONS, LOGS, NFT, TRANSFERS};

const MANY_DIGITS: &str = "115792089237316195423570985008687907853269984665640564039457584007913129639936";

fn case(name: &str) -> &'static Case {
    CASES.iter().find(|case| case.name == name).unwrap()
}

fn transaction(more: &str) -> String {
    format!(
        r#"{{"hash":"0x{}","from":{},"to":null,"value":"5","block_number":7,"position":0,"status":"ok","result":"success"{more}}}"#,
        "ab".repeat(32),
        address()
    )
}

/// Decodes a page with one row, and returns the value at a pointer in it.
fn read(case: &Case, row: String, pointer: &str) -> Json {
    let json = page(&[row]);
    let value = case.page_value(&case.decode_whole(&json).unwrap());
    assert_eq!(value, case.read_serde(json.as_bytes()).unwrap(), "{json}");
    value.value.unwrap()["items"][0].pointer(pointer).cloned().unwrap_or_else(|| panic!("{json} has no {pointer}"))
}

#[test]
fn a_picture_that_is_not_a_string_is_null_and_reported_once() {
    let nft = |picture: &str| format!(r#"{{"id":"1","animation_url":{picture},"image_url":"ipfs://a"}}"#);
    let json = page(&[nft(r#"{"x":1}"#), nft("[7]"), nft("\"b\"")]);
    let decoded = NFT.decode_whole(&json).unwrap();
    assert!(decoded.bad_records.is_empty());
    assert_eq!(drift(&decoded, DriftKind::UnexpectedValue), expected(&[("NftInstance", "animation_url", "an object")]));
    let items = NFT.page_value(&decoded).value.unwrap()["items"].take();
    let pictures = items.as_array().unwrap().iter().map(|item| (&item["animation_url"], &item["image_url"]));
    let image = &json!("ipfs://a");
    assert_eq!(pictures.collect::<Vec<_>>(), [(&Json::Null, image), (&Json::Null, image), (&json!("b"), image)]);
}

#[test]
fn an_authorization_keeps_a_chain_id_of_any_size() {
    let transactions = case("address-transactions");
    let list = |chain_id: &str| transaction(&format!(r#","authorization_list":[{{"chain_id":{chain_id}}}]"#));
    for chain_id in [MANY_DIGITS.to_owned(), format!("\"{MANY_DIGITS}\"")] {
        let value = read(transactions, list(&chain_id), "/authorization_list/0/chain_id");
        assert_eq!(value, json!(MANY_DIGITS));
    }
    let plain = transactions.decode_whole(page(&[list("1")])).unwrap();
    assert_eq!(drift(&plain, DriftKind::CoercedType), [], "a number is as usual as a string");
    assert_eq!(read(transactions, list("\"nonsense\""), "/authorization_list/0/chain_id"), Json::Null);
}

#[test]
fn an_implementation_or_tag_without_an_address_keeps_the_rest() {
    let transfers = |member: &str| transfer("").replacen('}', &format!(",{member}}}"), 1);
    for implementation in [r#"{"name":"X"}"#, r#"{"name":"X","address_hash":null}"#, r#"{"name":"X","address":"0x"}"#] {
        let row = transfers(&format!(r#""implementations":[{implementation}]"#));
        let value = read(&TRANSFERS, row, "/from/implementations/0");
        assert_eq!(value, json!({"name": "X", "address_hash": null}));
    }
    let tag =
        read(&TRANSFERS, transfers(r#""public_tags":[7,{"address_hash":"0x","label":"a"}]"#), "/from/public_tags");
    assert_eq!(tag, json!([{"address_hash": null, "display_name": null, "label": "a"}]));
}

#[test]
fn empty_call_data_is_0x_and_unknown_call_data_is_null() {
    let transactions = case("address-transactions");
    for (sent, expected) in
        [("\"\"", json!("0x")), ("null", Json::Null), ("\"0xab\"", json!("0xab")), ("7", Json::Null)]
    {
        let row = transaction(&format!(r#","raw_input":{sent}"#));
        assert_eq!(read(transactions, row, "/raw_input"), expected, "{sent}");
    }
}

#[test]
fn an_address_hash_in_place_of_an_address_object_is_an_address() {
    let row = transfer("").replacen(&address(), &format!("\"{HASH_A}\""), 1);
    assert_eq!(read(&TRANSFERS, row.clone(), "/from/hash"), json!(HASH_A));
    assert_eq!(read(&TRANSFERS, row.clone(), "/from/name"), Json::Null);
    let decoded = TRANSFERS.decode_whole(page(&[row])).unwrap();
    assert!(drift(&decoded, DriftKind::CoercedType).iter().any(|(_, field, _)| field == "from"));
    let log = format!(
        r#"{{"address_hash":"{HASH_A}","data":"","index":1,"block_number":1,"topics":[],
            "transaction_hash":"0x{0}","block_hash":"0x{0}"}}"#,
        "ab".repeat(32)
    );
    assert_eq!(read(&LOGS, log.clone(), "/address_hash/hash"), json!(HASH_A));
    assert_eq!(read(&LOGS, log, "/data"), json!("0x"));
    let bad = transfer("").replacen(&address(), "\"0x12\"", 1);
    assert!(TRANSFERS.decode_whole(page(&[bad])).is_err());
}

#[test]
fn an_amount_that_the_service_does_not_know_is_null_and_one_that_cannot_be_read_is_an_error() {
    let row = |value: &str| {
        format!(
            r#"{{"transaction_hash":"0x{}","index":1,"block_number":1,"from":{},"value":{value}}}"#,
            "ab".repeat(32),
            address()
        )
    };
    assert_eq!(read(&INTERNAL_TRANSACTIONS, row("null"), "/value"), Json::Null);
    let json = page(&[row("\"five\""), row("\"5\"")]);
    let Err(DecodeError::Mismatch(mismatch)) = INTERNAL_TRANSACTIONS.decode_whole(&json) else { panic!("decoded") };
    assert_eq!(mismatch.path, "items[0].value");
    let options = DecodeOptions::default().skip_bad_records(true);
    let decoded = INTERNAL_TRANSACTIONS.decode([json.as_bytes()], options).unwrap();
    assert_eq!((decoded.rows.len(), decoded.bad_records.len()), (1, 1));
}

#[test]
fn a_transaction_with_an_unreadable_field_is_not_a_refusal() {
    let body = transaction("").replace("\"value\":\"5\"", "\"value\":[]");
    let error = case("transaction").decode_whole(&body).unwrap_err();
    let error = decode_error(&error, body.as_bytes(), false);
    assert!(error.message.starts_with("value: expected an unsigned integer string, found a list"), "{error}");
    let body = r#"{"jsonrpc":"2.0","id":0,"result":"0x1"}"#;
    let error = TRANSFERS.decode_whole(body).unwrap_err();
    assert!(decode_error(&error, body.as_bytes(), false).message.starts_with("items: expected a list"), "{error:?}");
}

#[test]
fn rewards_among_transactions_are_left_out_and_reported_as_such() {
    let reward = format!(r#"{{"emission_reward":"2000","from":{0},"to":{0},"types":["reward"]}}"#, address());
    let decoded = case("address-transactions").decode_whole(page(&[transaction(""), reward, transaction("")])).unwrap();
    assert_eq!(decoded.rows.len(), 2);
    let [bad] = &*decoded.bad_records else { panic!("{:?}", decoded.bad_records) };
    assert_eq!((&*bad.path, bad.expected, &*bad.found), ("items[1]", "Transaction", "a block reward"));
}
