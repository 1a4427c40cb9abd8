//! Answers meant to do harm: deep, huge, or arriving byte by byte.

use address_query::decode::Fail;
use address_query::decode::page::{Experience, Leniency, PageDecoder};

use crate::support::{ADDRESSES, CALLS, CASES, HASH_A, LOGS, NFT};

const MEGABYTE: usize = 1 << 20;

#[test]
fn deep_nesting_that_never_ends_is_refused_by_both_readings_and_overflows_no_stack() {
    for open in ["[", "{\"a\":", "{\"items\":[", "{\"items\":["] {
        let deep = open.repeat(10 * MEGABYTE / open.len());
        for document in [deep.clone(), format!("{{\"a\":{deep}"), format!("{{\"items\":[{{\"metadata\":{deep}")] {
            assert!(NFT.decode_whole(&document).is_err(), "{open}");
            assert!((NFT.typed)(document.as_bytes()).is_err(), "{open}");
        }
    }
}

/// So many levels, lists and objects by turns as the bits of `kinds` say.
fn nested(levels: usize, kinds: u64) -> String {
    let is_object = |level: usize| kinds >> (level % 64) & 1 == 1;
    let open = (0..levels).map(|level| if is_object(level) { "{\"a\":" } else { "[" });
    let close = (0..levels).rev().map(|level| if is_object(level) { "}" } else { "]" });
    open.chain(["1"]).chain(close).collect()
}

#[test]
fn free_json_is_taken_up_to_its_limit_and_costs_no_more_than_its_own_record() {
    for kinds in [0, u64::MAX, 0x5555_5555_5555_5555, 0x0123_4567_89ab_cdef] {
        let nft = |levels: usize| {
            let metadata = nested(levels, kinds | 1);
            format!(r#"{{"items":[{{"id":"1"}},{{"id":"2","metadata":{metadata}}},{{"id":"3"}}]}}"#)
        };
        for (levels, is_there) in [(126, true), (127, true), (128, false), (1000, false), (100_000, false)] {
            let value = NFT.value(nft(levels));
            assert_eq!(value["items"][2]["id"], "3", "{levels}");
            assert_eq!(value["items"][1]["metadata"].is_object(), is_there, "{levels}");
            assert_eq!(
                NFT.reading(&NFT.decode_whole(nft(levels)).unwrap()),
                (NFT.typed)(nft(levels).as_bytes()).unwrap()
            );
        }
        // Under a name that nobody knows it is dropped as any other.
        let unknown = nft(300).replace("metadata", "brand_new");
        let kept = Leniency { keep_extra: true, ..Leniency::default() };
        let page = NFT.decode([unknown.as_bytes()], kept).unwrap();
        assert_eq!((page.rows.len(), page.frame.extras.len()), (3, 0));
    }
}

#[test]
fn a_value_that_nests_too_deep_where_null_says_something_else_makes_its_record_a_bad_one() {
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
    assert!(LOGS.decode_whole(page(&nested(127, 0))).is_ok());
    let json = page(&nested(128, 0));
    let Err(Fail::Shape(mismatch)) = LOGS.decode_whole(&json) else { panic!("it was taken") };
    assert_eq!(mismatch.path, "items[0].decoded.parameters[0].value");
    assert_eq!(mismatch.expected, "at most 127 levels of nesting");
    assert!(matches!((LOGS.typed)(json.as_bytes()), Err(Fail::Shape(_))));
    let page = LOGS.decode([json.as_bytes()], Leniency { skip_bad_rows: true, ..Leniency::default() }).unwrap();
    assert_eq!((page.rows.len(), page.bad_rows.len()), (1, 1));
}
#[test]
fn a_huge_row_in_small_chunks_is_not_read_again_at_each_of_them() {
    // Read at each of 320 chunks, this would be 800 MB: minutes in a debug build.
    let image = "x".repeat(5 * MEGABYTE);
    let attributes = r#"{"trait_type":"Hat","value":"\u0043ap"},"#.repeat(20_000);
    let json = format!(r#"{{"items":[{{"id":"1","metadata":{{"image":"{image}","attributes":[{attributes}0]}}}}]}}"#);
    let page = NFT.decode(json.as_bytes().chunks(16 * 1024), Leniency::default()).unwrap();
    assert_eq!(NFT.reading(&page), (NFT.typed)(json.as_bytes()).unwrap());
    // What was begun anew leaves its traces behind, but not one for each chunk.
    assert!(page.frame.slots.len() < 100 * NFT.layout.row.fields.len(), "{} slots", page.frame.slots.len());
}

#[test]
fn a_row_is_read_with_the_chunk_that_completes_it() {
    let good = format!(r#"{{"hash":"{HASH_A}"}},"#);
    let json = format!("{{\"items\":[{}{{\"hash\":7}},", good.repeat(500));
    // A large chunk that ends within the bad row, then a small one.
    let (first, second) = json.as_bytes().split_at(json.len() - 5);
    let mut decoder = PageDecoder::of(ADDRESSES.layout, Leniency::default(), Experience::default());
    let (one, other) = first.split_at(first.len() - 40);
    assert_eq!(decoder.feed(one.to_vec()), Ok(()));
    assert_eq!(decoder.feed(other.to_vec()), Ok(()));
    let Err(Fail::Shape(mismatch)) = decoder.feed(second.to_vec()) else { panic!("not yet read") };
    assert_eq!(mismatch.path, "items[500].hash");
}

#[test]
fn many_rows_byte_by_byte_are_the_same_rows() {
    let row =
        |index: usize| format!(r#"{{"hash":"0x{index:040x}","coin_balance":"{index}","name":"name number {index}"}}"#);
    let rows: Vec<String> = (0..2_000).map(row).collect();
    let json = format!(r#"{{"items":[{}],"total_supply":"1"}}"#, rows.join(","));
    let whole = ADDRESSES.reading(&ADDRESSES.decode_whole(&json).unwrap());
    assert_eq!(whole.value.as_ref().unwrap()["items"].as_array().unwrap().len(), rows.len());
    let page = ADDRESSES.decode(json.as_bytes().chunks(1), Leniency::default()).unwrap();
    assert_eq!(ADDRESSES.reading(&page), whole);
}

#[test]
fn parts_that_are_taken_bound_the_memory_and_tell_drift_once() {
    let row = |index: usize| format!(r#"{{"hash":"0x{index:040x}","coin_balance":"{index}","new":1}}"#);
    let rows: Vec<String> = (0..5_000).map(row).collect();
    let json = format!(r#"{{"total_supply":"1234567890123.5","items":[{}],"exchange_rate":"2"}}"#, rows.join(","));
    let mut decoder = PageDecoder::of(ADDRESSES.layout, Leniency::default(), Experience::default());
    let (mut taken, mut drift) = (0, Vec::new());
    for chunk in json.as_bytes().chunks(16 * 1024) {
        decoder.feed(chunk.to_vec()).unwrap();
        let part = decoder.take();
        let value = ADDRESSES.reading(&part).value.unwrap();
        assert_eq!(value["items"][0]["coin_balance"], taken.to_string());
        assert_eq!((&value["total_supply"], part.next), (&"1234567890123.5".into(), None));
        taken += part.rows.len();
        drift.extend(part.drift);
        assert!(
            part.frame.slots.len() < 20_000 && part.frame.pool.len() < 16 * 1024,
            "{} slots",
            part.frame.slots.len()
        );
    }
    let (last, _) = decoder.finish().unwrap();
    assert_eq!((taken + last.rows.len(), last.has_rows), (5_000, true));
    let value = ADDRESSES.reading(&last).value.unwrap();
    assert_eq!((&value["total_supply"], &value["exchange_rate"]), (&"1234567890123.5".into(), &"2".into()));
    assert_eq!(drift.iter().filter(|drift| drift.field == "new").count(), 1);
    assert!(last.drift.is_empty(), "{:?}", last.drift);
}

#[test]
fn rows_that_invent_fields_do_not_fill_the_memory() {
    let rows: Vec<String> =
        (0..5_000).map(|n| format!(r#"{{"hash":"{HASH_A}","new{n}":1,"proxy_type":"p{n}"}}"#)).collect();
    let page = ADDRESSES.decode_whole(format!(r#"{{"items":[{}]}}"#, rows.join(","))).unwrap();
    assert_eq!(page.rows.len(), 5_000);
    assert!(page.drift.len() <= 256, "{}", page.drift.len());
}

#[test]
fn more_members_than_fields_are_no_harm() {
    let unknown = (0..300).map(|n| format!(r#""u{n}":{n},"#)).collect::<Vec<_>>().concat();
    let json = format!(r#"{{{unknown}"items":[{{{unknown}"hash":"{HASH_A}"}},{{{unknown}"hash":"{HASH_A}"}}]}}"#);
    assert_eq!(ADDRESSES.decode_whole(&json).unwrap().rows.len(), 2);
}

#[test]
fn an_answer_of_nothing_is_refused_by_every_list() {
    for case in CASES {
        for body in [
            "",
            "null",
            "[]",
            "{}",
            "\"Internal server error\"",
            "<html></html>",
            "{\"items\":",
            "{\"items\":[{",
            "\u{feff}",
        ] {
            assert!(case.decode_whole(body).is_err(), "{}: {body}", case.name);
            assert!((case.typed)(body.as_bytes()).is_err(), "{}: {body}", case.name);
        }
        let empty = case.decode_whole("{\"items\":[]}").unwrap();
        assert!(empty.rows.is_empty() && empty.next.is_none());
    }
    assert!(CALLS.decode_whole("{\"items\":[]} \n").is_ok());
}
