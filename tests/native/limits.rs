//! Hostile responses: deeply nested, huge, or in tiny chunks.

use address_query::testing::decode::DecodeError;
use address_query::testing::decode::{DecodeOptions, FrameDecoder};

use crate::support::{ADDRESSES, CASES, HASH_A, INTERNAL_TRANSACTIONS, LOGS, NFT};

const MEGABYTE: usize = 1 << 20;

#[test]
fn endless_nesting_is_rejected_without_a_stack_overflow() {
    // The stack of a test has two megabytes, too few for as many calls.
    for open in ["[", "{\"a\":", "{\"items\":["] {
        let deep = open.repeat(MEGABYTE / open.len());
        for document in [deep.clone(), format!("{{\"a\":{deep}"), format!("{{\"items\":[{{\"metadata\":{deep}")] {
            assert!(NFT.decode_whole(&document).is_err(), "{open}");
            assert!(NFT.read_serde(document.as_bytes()).is_err(), "{open}");
        }
    }
}

#[test]
fn an_array_of_many_megabytes_is_decoded_while_it_arrives() {
    let case = CASES.iter().find(|case| case.name == "address-token-balances").unwrap();
    let row = r#"{"token":null,"token_id":null,"token_instance":null,"value":"1000000000000000000000"}"#;
    let mut decoder = FrameDecoder::new(case.layout, DecodeOptions::default());
    decoder.begin();
    let mut rows = 0;
    for chunk in 0..64 {
        let start = if chunk == 0 { "[" } else { "," };
        decoder.feed(format!("{start}{}", vec![row; 1_000].join(",")).into_bytes()).unwrap();
        let batch = decoder.take_batch();
        // The decoder may wait for the end of a row.
        assert!((999..=1_001).contains(&batch.rows.len()), "{} rows in chunk {chunk}", batch.rows.len());
        rows += batch.rows.len();
    }
    decoder.feed(b"]".to_vec()).unwrap();
    assert_eq!(rows + decoder.finish().unwrap().rows.len(), 64_000);
}

/// Nests a number in lists and objects, one level per bit of `kinds`: 1 is an object.
fn nest(levels: usize, kinds: u64) -> String {
    let is_object = |level: usize| kinds >> (level % 64) & 1 == 1;
    let open = (0..levels).map(|level| if is_object(level) { "{\"a\":" } else { "[" });
    let close = (0..levels).rev().map(|level| if is_object(level) { "}" } else { "]" });
    open.chain(["1"]).chain(close).collect()
}

#[test]
fn free_json_is_accepted_up_to_127_levels() {
    for kinds in [0, u64::MAX, 0x5555_5555_5555_5555, 0x0123_4567_89ab_cdef] {
        let nft = |levels: usize| {
            let metadata = nest(levels, kinds | 1);
            format!(r#"{{"items":[{{"id":"1"}},{{"id":"2","metadata":{metadata}}},{{"id":"3"}}]}}"#)
        };
        for (levels, is_accepted) in [(126, true), (127, true), (128, false), (1000, false), (100_000, false)] {
            let value = NFT.value(nft(levels));
            assert_eq!(value["items"][2]["id"], "3", "{levels}");
            assert_eq!(value["items"][1]["metadata"].is_object(), is_accepted, "{levels}");
            assert_eq!(
                NFT.page_value(&NFT.decode_whole(nft(levels)).unwrap()),
                NFT.read_serde(nft(levels).as_bytes()).unwrap()
            );
        }
        // An unknown field that is nested too deeply is dropped, even with `keep_extra`.
        let unknown = nft(300).replace("metadata", "brand_new");
        let keep_extra = DecodeOptions::default().keep_extra(true);
        let page = NFT.decode([unknown.as_bytes()], keep_extra).unwrap();
        assert_eq!((page.rows.len(), page.frame.extras.len()), (3, 0));
    }
}

#[test]
fn too_deep_free_json_is_null() {
    let hash = format!("0x{}", "ab".repeat(32));
    let log = |value: &str| {
        let decoded = format!(r#"{{"parameters":[{{"value":{value}}}]}}"#);
        let emitter = format!(r#"{{"hash":"{HASH_A}"}}"#);
        format!(
            r#"{{"address":{emitter},"data":"0x","index":1,"block_number":1,"topics":[],"transaction_hash":"{hash}",
                "block_hash":"{hash}","decoded":{decoded}}}"#
        )
    };
    let page = |value: &str| format!(r#"{{"items":[{},{}]}}"#, log(value), log("7"));
    assert!(LOGS.decode_whole(page(&nest(127, 0))).is_ok());
    let json = page(&nest(128, 0));
    let value = LOGS.value(&json);
    assert_eq!(value["items"][0]["decoded"]["parameters"][0]["value"], serde_json::Value::Null);
    assert_eq!(value["items"][1]["decoded"]["parameters"][0]["value"], 7);
}
#[test]
fn a_huge_row_is_not_decoded_again_for_every_chunk() {
    // Decoded again at each of 320 chunks, this would be 800 MB: minutes in a debug build.
    let image = "x".repeat(5 * MEGABYTE);
    let attributes = r#"{"trait_type":"Hat","value":"\u0043ap"},"#.repeat(20_000);
    let json = format!(r#"{{"items":[{{"id":"1","metadata":{{"image":"{image}","attributes":[{attributes}0]}}}}]}}"#);
    let page = NFT.decode(json.as_bytes().chunks(16 * 1024), DecodeOptions::default()).unwrap();
    assert_eq!(NFT.page_value(&page), NFT.read_serde(json.as_bytes()).unwrap());
    // A restarted row leaves unused slots, but not for every chunk.
    assert!(page.frame.slots.len() < 100 * NFT.layout.row.fields.len(), "{} slots", page.frame.slots.len());
}

#[test]
fn a_row_is_decoded_with_the_chunk_that_completes_it() {
    let good = format!(r#"{{"hash":"{HASH_A}"}},"#);
    let json = format!("{{\"items\":[{}{{\"hash\":7}},", good.repeat(500));
    // A large chunk ends within the invalid row; a small one completes it.
    let (first, second) = json.as_bytes().split_at(json.len() - 5);
    let mut decoder = FrameDecoder::new(ADDRESSES.layout, DecodeOptions::default());
    decoder.begin();
    let (one, other) = first.split_at(first.len() - 40);
    assert_eq!(decoder.feed(one.to_vec()), Ok(()));
    assert_eq!(decoder.feed(other.to_vec()), Ok(()));
    let Err(DecodeError::Mismatch(mismatch)) = decoder.feed(second.to_vec()) else { panic!("it was decoded") };
    assert_eq!(mismatch.path, "items[500].hash");
}

#[test]
fn many_rows_can_be_decoded_byte_by_byte() {
    let row =
        |index: usize| format!(r#"{{"hash":"0x{index:040x}","coin_balance":"{index}","name":"name number {index}"}}"#);
    let rows: Vec<String> = (0..2_000).map(row).collect();
    let json = format!(r#"{{"items":[{}],"total_supply":"1"}}"#, rows.join(","));
    let whole = ADDRESSES.page_value(&ADDRESSES.decode_whole(&json).unwrap());
    assert_eq!(whole.value.as_ref().unwrap()["items"].as_array().unwrap().len(), rows.len());
    let page = ADDRESSES.decode(json.as_bytes().chunks(1), DecodeOptions::default()).unwrap();
    assert_eq!(ADDRESSES.page_value(&page), whole);
}

#[test]
fn batches_bound_the_memory_and_report_drift_once() {
    let row = |index: usize| format!(r#"{{"hash":"0x{index:040x}","coin_balance":"{index}","new":1}}"#);
    let rows: Vec<String> = (0..5_000).map(row).collect();
    let json = format!(r#"{{"total_supply":"1234567890123.5","items":[{}],"exchange_rate":"2"}}"#, rows.join(","));
    let mut decoder = FrameDecoder::new(ADDRESSES.layout, DecodeOptions::default());
    decoder.begin();
    let (mut delivered, mut drift) = (0, Vec::new());
    for chunk in json.as_bytes().chunks(16 * 1024) {
        decoder.feed(chunk.to_vec()).unwrap();
        let batch = decoder.take_batch();
        let value = ADDRESSES.page_value(&batch).value.unwrap();
        assert_eq!(value["items"][0]["coin_balance"], delivered.to_string());
        assert_eq!((&value["total_supply"], batch.next), (&"1234567890123.5".into(), None));
        delivered += batch.rows.len();
        drift.extend(batch.drift);
        assert!(
            batch.frame.slots.len() < 20_000 && batch.frame.pool.len() < 16 * 1024,
            "{} slots",
            batch.frame.slots.len()
        );
    }
    let last = decoder.finish().unwrap();
    assert_eq!((delivered + last.rows.len(), last.has_rows), (5_000, true));
    let value = ADDRESSES.page_value(&last).value.unwrap();
    assert_eq!((&value["total_supply"], &value["exchange_rate"]), (&"1234567890123.5".into(), &"2".into()));
    assert_eq!(drift.iter().filter(|drift| drift.field == "new").count(), 1);
    assert!(last.drift.is_empty(), "{:?}", last.drift);
}

#[test]
fn drift_of_rows_with_random_fields_is_bounded() {
    let rows: Vec<String> =
        (0..5_000).map(|n| format!(r#"{{"hash":"{HASH_A}","new{n}":1,"proxy_type":"p{n}"}}"#)).collect();
    let page = ADDRESSES.decode_whole(format!(r#"{{"items":[{}]}}"#, rows.join(","))).unwrap();
    assert_eq!(page.rows.len(), 5_000);
    assert!(page.drift.len() <= 256, "{}", page.drift.len());
}

#[test]
fn rows_may_have_more_members_than_the_record_has_fields() {
    let unknown = (0..300).map(|n| format!(r#""u{n}":{n},"#)).collect::<Vec<_>>().concat();
    let json = format!(r#"{{{unknown}"items":[{{{unknown}"hash":"{HASH_A}"}},{{{unknown}"hash":"{HASH_A}"}}]}}"#);
    assert_eq!(ADDRESSES.decode_whole(&json).unwrap().rows.len(), 2);
}

#[test]
fn every_list_rejects_responses_without_items() {
    for case in CASES.iter().filter(|case| case.layout.rows.is_some()) {
        assert_eq!(case.decode_whole("[]").is_ok(), case.layout.accepts_array, "{}", case.name);
        for body in [
            "",
            "null",
            "[",
            "[] {}",
            "[],\"days\":7",
            "{}",
            "\"Internal server error\"",
            "<html></html>",
            "{\"items\":",
            "{\"items\":[{",
            "\u{feff}",
        ] {
            assert!(case.decode_whole(body).is_err(), "{}: {body}", case.name);
            assert!(case.read_serde(body.as_bytes()).is_err(), "{}: {body}", case.name);
        }
        let empty = case.decode_whole("{\"items\":[]}").unwrap();
        assert!(empty.rows.is_empty() && empty.next.is_none());
    }
    assert!(INTERNAL_TRANSACTIONS.decode_whole("{\"items\":[]} \n").is_ok());
}
