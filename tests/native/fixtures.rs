//! Responses of several service versions, written by hand: all are decoded to the same shape, in any chunks, and serde
//! reads the same values.

use address_query::testing::decode::DecodeOptions;
use serde_json::{Value as Json, json};

use crate::support::{CASES, Case, HASH_A, read_fixture, read_fixtures, split_at_positions};

/// Finds the case of a fixture by its path.
fn case(name: &str) -> &'static Case {
    CASES.iter().find(|case| name.starts_with(&format!("{}/", case.name))).unwrap()
}

#[test]
fn decoder_and_serde_agree_on_every_fixture() {
    for case in CASES.iter() {
        for (name, json) in read_fixtures(case.name) {
            let page = case.decode_whole(&json).unwrap_or_else(|error| panic!("{name}: {error:?}"));
            let typed = case.read_serde(&json).unwrap_or_else(|error| panic!("{name}: {error:?}"));
            assert!(typed.value.is_some(), "{name}");
            assert_eq!(case.page_value(&page), typed, "{name}");
        }
    }
}

#[test]
fn every_fixture_can_be_decoded_in_any_chunks() {
    for case in CASES.iter() {
        for (name, json) in read_fixtures(case.name) {
            let whole = case.page_value(&case.decode_whole(&json).unwrap());
            let decode = |chunks: Vec<&[u8]>| case.page_value(&case.decode(chunks, DecodeOptions::default()).unwrap());
            for size in 1..=64 {
                assert_eq!(decode(json.chunks(size).collect()), whole, "{name} in chunks of {size}");
            }
            for cut in (0..json.len()).step_by(97) {
                let cuts = [cut, cut * 7919, cut + 1];
                assert_eq!(decode(split_at_positions(&json, &cuts)), whole, "{name} cut at {cuts:?}");
            }
        }
    }
}

#[test]
fn pages_decoded_into_recycled_buffers_are_the_same() {
    let keep_extra = DecodeOptions::default().keep_extra(true);
    let responses: Vec<_> = CASES
        .iter()
        .flat_map(|case| read_fixtures(case.name).into_iter().map(move |response| (case, response)))
        .collect();
    let decode = |(case, (_, json)): &(&Case, (String, Vec<u8>))| case.decode([&**json], keep_extra).unwrap();
    let alone: Vec<_> = responses.iter().map(|response| response.0.page_value(&decode(response))).collect();
    let forth_and_back = (0..responses.len()).chain((0..responses.len()).rev());
    for index in forth_and_back {
        let page = decode(&responses[index]);
        assert_eq!(responses[index].0.page_value(&page), alone[index], "{}", responses[index].1.0);
        page.frame.recycle();
    }
}

#[test]
fn truncated_responses_are_rejected() {
    for case in CASES.iter() {
        for (name, json) in read_fixtures(case.name) {
            let json = json.trim_ascii_end();
            for end in (0..json.len()).step_by(13).chain([json.len() - 1]) {
                assert!(case.decode_whole(&json[..end]).is_err(), "{name} was decoded up to byte {end}");
            }
        }
    }
}

#[test]
#[expect(clippy::too_many_lines, reason = "a table")]
fn all_service_versions_are_decoded_to_one_shape() {
    let [a1, a3] = ["0x8bA1f109551bD432803012645Ac136ddd64DBA72", "0xDe0B295669a9FD93d5F28D9Ec85E40f4cb697BAe"];
    let a4 = "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed";
    let tag = json!({"slug": "exchange", "name": "Exchange", "tagType": "protocol", "ordinal": 3,
        "meta": {"bgColor": "#000000", "note": ["a", {"b": null}]}});
    for (name, pointer, expected) in [
        ("addresses/v6", "/items/0/transactions_count", json!("12")),
        ("addresses/v6", "/items/1/transactions_count", json!("7")),
        ("addresses/v6", "/items/1/implementations", json!([{"address_hash": a3, "name": "VaultV2"}])),
        ("addresses/v6", "/items/2/transactions_count", json!(null)),
        ("addresses/v6", "/items/2/implementations", json!([{"address_hash": null, "name": "Unplaced"}])),
        ("addresses/v6", "/items/2/implementation_name", json!("Unplaced")),
        ("addresses/v6", "/items/2/is_scam", json!(null)),
        ("addresses/v8", "/items/0/transactions_count", json!("13")),
        ("addresses/v8", "/items/1/implementation_name", json!("LoupeFacet")),
        ("addresses/v8", "/items/1/implementations/1", json!({"address_hash": a4, "name": null})),
        ("addresses/v8", "/items/2/private_tags/0/address_hash", json!(a3)),
        ("addresses/v11", "/items/0/metadata/slug", json!("treasury")),
        (
            "addresses/v11",
            "/items/0/metadata/meta",
            json!({"bgColor": "#fafafa", "tagIcon ": "https://example.org/t.svg"}),
        ),
        ("addresses/v11", "/items/0/metadata/tags/1/meta", json!(null)),
        ("addresses/v11", "/items/1/transactions_count", json!(null)),
        ("addresses/v11", "/exchange_rate", json!("2.2E-8")),
        (
            "addresses/v12",
            "/items/0/metadata/meta",
            json!({"tooltipDescription": "delegates to \"code\"", "data": [1, 2.5, null]}),
        ),
        ("addresses/v12", "/items/0/metadata/tags/1/meta", json!(null)),
        ("addresses/v12", "/items/0/metadata/tags/1/ordinal", json!(5)),
        ("addresses/v12", "/items/0/implementations", json!([{"address_hash": a4, "name": null}])),
        ("addresses/contract-form", "/items/0/metadata/tags", json!([tag])),
        (
            "addresses/contract-form",
            "/items/1/metadata",
            json!({"tags": [], "slug": null, "name": null, "tagType": null, "ordinal": null, "meta": null}),
        ),
        ("addresses/contract-form", "/items/2/metadata/tags", json!([])),
        ("addresses/contract-form", "/items/3/metadata/name", json!("Own name")),
        ("addresses/contract-form", "/items/3/metadata/slug", json!("first")),
        ("addresses/unusual-strings", "/items/0/hash", json!(a1)),
        (
            "addresses/unusual-strings",
            "/items/0/name",
            json!("\0\u{1f}\u{7f} \"q\" \\ / \u{8}\u{c}\n\r\t 😀 😀 \u{fffd} lone \u{fffd}\u{fffd}"),
        ),
        ("addresses/unusual-strings", "/items/0/coin_balance", json!("9".repeat(78))),
        ("addresses/unusual-strings", "/items/0/transactions_count", json!("12345678901234567890")),
        ("addresses/unusual-strings", "/items/1/transactions_count", json!("4000000000000000000000")),
        ("addresses/unusual-strings", "/items/1/coin_balance", json!("1000")),
        ("addresses/unusual-strings", "/items/1/name", json!("twelve chars")),
        ("addresses/unusual-strings", "/items/1/is_scam", json!(false)),
        ("addresses/unusual-strings", "/items/1/proxy_type", json!("eip1967")),
        ("addresses/unusual-strings", "/exchange_rate", json!("1830.50")),
        ("address-nft/v8", "/items/0/token/holders_count", json!("410")),
        ("address-nft/v8", "/items/1/token/holders_count", json!("411")),
        ("address-nft/v8", "/items/1/metadata/attributes/1/max_value", json!(10)),
        ("address-nft/v8", "/items/0/holder_address_hash", json!(null)),
        ("address-nft/v11", "/items/0/id", json!("9".repeat(78))),
        (
            "address-nft/v11",
            "/items/0/thumbnails",
            json!({"60x60": "https://cdn.example.org/60.webp",
            "250x250": "https://cdn.example.org/250.webp", "500x500": null, "original": "https://cdn.example.org/o.png"}),
        ),
        ("address-nft/v12", "/items/0/metadata", json!({"name": "as text", "n": 1})),
        ("address-nft/v12", "/items/1/metadata", json!(null)),
        ("address-nft/v12", "/items/2/token/origin_chain_id", json!("100")),
        ("address-nft/v12", "/items/2/metadata", json!(null)),
        ("address-nft/free-form-metadata", "/items/0/metadata/__proto__", json!({"x": 1})),
        ("address-nft/free-form-metadata", "/items/0/metadata/text", json!("😀\u{fffd} \u{2028} </script>")),
        ("address-nft/free-form-metadata", "/items/1/metadata", json!({"in text": "\u{fffd} \" A"})),
        ("address-nft/free-form-metadata", "/items/1/image_url", json!("404")),
        ("address-nft/free-form-metadata", "/items/2/id", json!("300")),
        ("address-logs/v8", "/items/0/address_hash/hash", json!(a1)),
        ("address-logs/v8", "/items/1/block_timestamp", json!(null)),
        ("address-logs/v11", "/items/0/decoded/parameters/0/indexed?", json!(true)),
        ("address-logs/v11", "/items/1/topics", json!([null, null, null, null])),
        ("address-logs/v11", "/items/2/decoded/parameters/0/value", json!([["1", ["true", []]], [a1, "0x", null]])),
        ("address-logs/v12", "/items/0/decoded/abi/name", json!("Paid")),
        ("address-logs/v12", "/items/0/block_timestamp", json!("2026-05-01T10:00:11.500000Z")),
        ("address-logs/documented", "/items/0/address_hash/hash", json!(a1)),
        ("address-logs/documented", "/items/0/decoded/parameters/1/indexed?", json!(false)),
        ("address-logs/both-emitter-names", "/items/0/address_hash/hash", json!(a1)),
        (
            "address-logs/both-emitter-names",
            "/items/1/address_hash/hash",
            json!("0x1c7D4B196Cb0C7B01d743Fbc6116a902379C7238"),
        ),
        ("address-logs/both-emitter-names", "/items/2/address_hash/name", json!("documented")),
        ("address-logs/both-emitter-names", "/items/3/address_hash/name", json!("documented")),
        ("token-transfers/v6", "/items/0/log_index", json!(12)),
        ("token-transfers/v6", "/items/0/block_number", json!(null)),
        ("token-transfers/v6", "/items/0/token/address_hash", json!(a3)),
        (
            "token-transfers/v8",
            "/items/0/from/private_tags",
            json!([{"address_hash": null, "display_name": null, "label": null}]),
        ),
        ("token-transfers/v8", "/items/0/from/watchlist_names", json!([{"display_name": null, "label": null}])),
        (
            "token-transfers/v11",
            "/items/0/total",
            json!({"decimals": "18", "value": "340282366920938463463374607431768211456",
            "token_id": null, "token_instance": null, "ui_multiplier": null}),
        ),
        ("token-transfers/v11", "/items/1/total/value", json!(null)),
        ("token-transfers/v11", "/items/1/total/token_id", json!("9".repeat(78))),
        ("token-transfers/v11", "/items/1/total/token_instance/owner/hash", json!(a1)),
        ("token-transfers/v11", "/items/2/total/value", json!("10")),
        ("token-transfers/v11", "/items/3/total/token_id", json!(null)),
        ("token-transfers/v11", "/items/4/total/value", json!(null)),
        ("token-transfers/v11", "/items/5/total", json!(null)),
        ("token-transfers/v11", "/items/6/transaction_hash", json!(null)),
        ("token-transfers/v11", "/items/7/total/decimals", json!("77")),
        ("token-transfers/v11", "/items/7/token/circulating_market_cap", json!("1.2E+21")),
        ("token-transfers/v12", "/items/0/total/ui_multiplier", json!("1.05")),
        ("address-coin-balance-history/v11", "/items/0/block_timestamp", json!("2026-05-01T10:00:11.000000Z")),
        ("address-coin-balance-history/v11", "/items/1/transaction_hash", json!(null)),
        ("address-coin-balance-history/v12", "/items/0/block_number", json!(9_007_199_254_740_991_i64)),
        ("address-coin-balance-history/v12", "/items/1/block_number", json!(2_147_483_648_i64)),
        ("address-coin-balance-history/v12", "/items/2/block_number", json!(2_147_483_647)),
        ("address-coin-balance-history/v12", "/items/2/delta", json!("-5")),
        ("address-coin-balance-history/numbers", "/items/0/block_number", json!(22_546_398)),
        ("address-coin-balance-history/numbers", "/items/0/delta", json!("-1200")),
        ("address-coin-balance-history/numbers", "/items/1/delta", json!("-15")),
        ("address-coin-balance-history/numbers", "/items/1/value", json!("0")),
        ("address-internal-transactions/v8", "/items/0/transaction_index", json!(null)),
        ("address-internal-transactions/v8", "/meta", json!(null)),
        ("address-internal-transactions/v11", "/items/1/to", json!(null)),
        ("address-internal-transactions/v11", "/items/1/created_contract/hash", json!(a3)),
        ("address-internal-transactions/v12", "/meta/status", json!(2)),
        ("address-internal-transactions/v12-complete", "/meta", json!({"status": 1, "message": null})),
        ("address-withdrawals/v11", "/items/1/receiver", json!(null)),
        ("address-withdrawals/v12", "/items/0/validator_index", json!(1_099_511_627_777_i64)),
    ] {
        let file = format!("{name}.json");
        let value = case(name).value(read_fixture(&file));
        let found = value.pointer(pointer).unwrap_or_else(|| panic!("{name} has no {pointer}"));
        assert_eq!(found, &expected, "{name} {pointer}");
    }
}

#[test]
fn tx_hash_becomes_transaction_hash() {
    for name in
        ["token-transfers/v6", "address-logs/v8", "address-coin-balance-history/v8", "address-internal-transactions/v8"]
    {
        let value = case(name).value(read_fixture(&format!("{name}.json")));
        for row in value["items"].as_array().unwrap() {
            assert_eq!(row["transaction_hash"].as_str().map(str::len), Some(66), "{name}");
            assert_eq!(row.get("tx_hash"), None, "{name}");
        }
    }
}

#[test]
fn the_documented_name_wins_over_older_names_in_any_order() {
    let row = |hashes: &str| format!(r#"{{"items":[{{{hashes},"block_number":1,"delta":"1","value":"1"}}]}}"#);
    let (new, old) = (format!("0x{}", "ab".repeat(32)), format!("0x{}", "cd".repeat(32)));
    let balances = case("address-coin-balance-history/");
    for hashes in [
        format!(r#""transaction_hash":"{new}","tx_hash":"{old}""#),
        format!(r#""tx_hash":"{old}","transaction_hash":"{new}""#),
        format!(r#""tx_hash":"not a hash","transaction_hash":"{new}""#),
        format!(r#""transaction_hash":"{new}","tx_hash":7"#),
    ] {
        assert_eq!(balances.value(row(&hashes))["items"][0]["transaction_hash"], Json::from(new.clone()), "{hashes}");
    }
    let null = row(&format!(r#""transaction_hash":null,"tx_hash":"{old}""#));
    assert_eq!(balances.value(null)["items"][0]["transaction_hash"], Json::Null);
}

#[test]
fn names_have_the_same_precedence_in_rows_with_a_known_shape() {
    let hash = |digit: &str| format!("0x{}", digit.repeat(64));
    let (a, b) = (hash("a"), hash("b"));
    let rows = [
        (format!(r#""tx_hash":"{a}""#), &a),
        (format!(r#""tx_hash":"{a}","tx_hash":"{b}""#), &b),
        (format!(r#""tx_hash":"{a}","transaction_hash":"{b}""#), &b),
        (format!(r#""transaction_hash":"{b}","tx_hash":"{a}""#), &b),
        (format!(r#""transaction_hash":"{a}","tx_hash":"{a}","transaction_hash":"{b}""#), &b),
    ];
    let items: Vec<_> =
        rows.iter().map(|(hashes, _)| format!(r#"{{{hashes},"block_number":1,"delta":"1","value":"1"}}"#)).collect();
    let json = format!(r#"{{"items":[{}]}}"#, items.join(","));
    let page = case("address-coin-balance-history/").value(json);
    for (index, (hashes, expected)) in rows.iter().enumerate() {
        assert_eq!(page["items"][index]["transaction_hash"], Json::from(expected.as_str()), "{hashes}");
    }

    let counts = [
        (r#""tx_count":"1""#, "1"),
        (r#""tx_count":"1","transaction_count":"2""#, "2"),
        (r#""transaction_count":"2","tx_count":"1""#, "2"),
        (r#""tx_count":"1","tx_count":"3""#, "3"),
        (r#""tx_count":"1","transactions_count":"4","transaction_count":"2""#, "4"),
    ];
    let items: Vec<_> = counts.iter().map(|(members, _)| format!(r#"{{"hash":"{HASH_A}",{members}}}"#)).collect();
    let page = case("addresses/").value(format!(r#"{{"items":[{}]}}"#, items.join(",")));
    for (index, (members, expected)) in counts.iter().enumerate() {
        assert_eq!(page["items"][index]["transactions_count"], Json::from(*expected), "{members}");
    }
}

#[track_caller]
fn read_cursor(name: &str) -> Option<(String, String)> {
    let next = case(name).decode_whole(read_fixture(&format!("{name}.json"))).unwrap().next?;
    let query = next.parameters().map(|(key, value)| format!("{key}={value}")).collect::<Vec<_>>().join("&");
    Some((query, next.to_json()))
}

#[test]
fn only_null_empty_and_missing_cursors_end_a_list() {
    assert_eq!(read_cursor("addresses/cursor-empty-object"), None);
    assert_eq!(read_cursor("addresses/cursor-absent"), None);
    assert_eq!(read_cursor("addresses/contract-form"), None);
    let (query, json) = read_cursor("addresses/empty-page-with-cursor").unwrap();
    let hash = "0xde0b295669a9fd93d5f28d9ec85e40f4cb697bae";
    assert_eq!(query, format!("fetched_coin_balance=5&hash={hash}&transactions_count=null"));
    assert_eq!(json, format!(r#"{{"fetched_coin_balance":"5","hash":"{hash}","transactions_count":null}}"#));
}

#[test]
fn cursors_keep_every_digit() {
    let (query, json) = read_cursor("token-transfers/cursor-of-numbers").unwrap();
    assert_eq!(
        query,
        "value=4000000000000000000000&fiat_value=0.000000012&id=12519063346&huge=12345678901234567890&zero=0&none=null"
    );
    assert_eq!(
        json,
        r#"{"value":"4000000000000000000000","fiat_value":"1.2E-8","id":12519063346,"huge":"12345678901234567890","zero":"0E-20","none":null}"#
    );
    let (query, _) = read_cursor("token-transfers/doubled-cursor-keys").unwrap();
    assert_eq!(query, "block_number=23045717&index=17&items_count=50");
}

#[test]
fn equal_long_strings_are_stored_once_and_short_strings_separately() {
    let row = format!(r#"{{"hash":"{HASH_A}","name":"twelve chars","coin_balance":"1234567890123"}}"#);
    let case = case("addresses/");
    let page = case.decode_whole(format!(r#"{{"items":[{row},{row}]}}"#)).unwrap();
    let pool = format!(r#"[null,"{HASH_A}","1234567890123","twelve charstwelve chars"]"#);
    assert_eq!(String::from_utf8_lossy(&page.frame.pool), pool);
}
