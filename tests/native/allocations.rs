//! Bounds the allocations of decoding a page. The counts are the same on every machine.
//!
//! A separate test target, because it replaces the global allocator with a counting one.
// `wasm-pack test` builds every test target, but some crates used here do not compile to WebAssembly.
#![cfg(not(target_arch = "wasm32"))]
#![allow(clippy::unwrap_used, clippy::expect_used, missing_docs)]

use std::fmt::Write as _;

use address_query::testing::decode::{DecodeOptions, FrameDecoder, FramePage, Layout};
use address_query::testing::record::Record;
use address_query::types::{ItemsOnly, TokenTransfer};
use allocation_counter::{AllocationInfo, measure};

/// The size of the chunks in which a body is read.
const CHUNK: usize = address_query::client::MAX_CHUNK_BYTES as usize;
/// A chunk size larger than any page here.
const WHOLE: usize = 1 << 30;

/// Creates a page of transfers. Hashes and amounts are unique; addresses and tokens repeat, as in real pages.
fn create_page(rows: usize) -> Vec<u8> {
    let mut items = String::new();
    for row in 0..rows {
        let address = |n: usize| {
            format!(
                r#"{{"hash":"0x{n:040x}","name":"Contract {n}","ens_domain_name":null,"implementations":[],"is_contract":true,
                "is_verified":false,"metadata":null,"private_tags":[],"watchlist_names":[],"public_tags":[],"proxy_type":null,
                "is_scam":false,"reputation":"ok"}}"#
            )
        };
        let separator = if row == 0 { "" } else { "," };
        let (from, to) = (address(1), address(2 + row % 20));
        write!(
            items,
            r#"{separator}{{"block_hash":"0x{row:064x}","block_number":{row},"transaction_hash":"0x{row:063x}a","log_index":{row},
            "from":{from},"to":{to},"token":{{"address_hash":"0x{token:040x}","name":"Some Long Token Name {token}","symbol":"T",
            "type":"ERC-20","decimals":"18","holders_count":"1","total_supply":"1000000000000000000","exchange_rate":null,
            "volume_24h":null,"circulating_market_cap":null,"circulating_supply":null,"icon_url":null,"reputation":"ok"}},
            "token_type":"ERC-20","total":{{"value":"1000000000000000{row:06}","decimals":"18"}},"method":"transfer",
            "timestamp":"2026-10-31T23:57:12.000000Z","type":"token_transfer"}}"#,
            token = row % 7,
        )
        .unwrap();
    }
    format!(r#"{{"items":[{items}],"next_page_params":{{"block_number":1,"index":2}}}}"#).into_bytes()
}

/// Decodes a page in chunks of this size.
fn decode(bytes: &[u8], chunk: usize, decoder: &mut FrameDecoder) -> Box<FramePage> {
    decoder.begin();
    for chunk in bytes.chunks(chunk) {
        decoder.feed(chunk.to_vec()).unwrap();
    }
    decoder.finish().unwrap()
}

/// Measures the allocations of decoding a page into the recycled buffers of an equal one.
fn measure_decode(rows: usize, chunk: usize) -> AllocationInfo {
    let bytes = create_page(rows);
    let layout = Layout::list(TokenTransfer::TABLE, ItemsOnly::TABLE);
    let mut decoder = FrameDecoder::new(layout, DecodeOptions::default());
    decode(&bytes, chunk, &mut decoder).frame.recycle();
    let mut page = None;
    let info = measure(|| page = Some(decode(&bytes, chunk, &mut decoder)));
    assert_eq!(page.unwrap().rows.len(), rows);
    info
}

/// An upper bound of the number of growing buffers of a page.
const BUFFERS: u64 = 16;

#[test]
fn rows_add_no_allocations() {
    for rows in [50, 1000] {
        let (once, twice) = (measure_decode(rows, WHOLE).count_total, measure_decode(2 * rows, WHOLE).count_total);
        // With twice the rows, each growing buffer doubles once more.
        assert!(twice - once <= BUFFERS, "{once} allocations for {rows} rows, {twice} for twice as many");
    }
}

#[test]
fn a_page_of_50_rows_has_at_most_16_allocations() {
    let count = measure_decode(50, WHOLE).count_total;
    assert!(count <= 16, "{count}");
}

#[test]
fn a_chunk_has_one_allocation() {
    let chunks = create_page(2000).len().div_ceil(CHUNK) as u64;
    let (whole, cut) = (measure_decode(2000, WHOLE).count_total, measure_decode(2000, CHUNK).count_total);
    // The test itself makes one allocation per chunk. The others are for rows that are split over two chunks.
    assert!(cut - whole <= chunks + BUFFERS, "{whole} allocations in one chunk, {cut} in {chunks}");
}

#[test]
fn allocated_bytes_are_proportional_to_the_response() {
    for (rows, chunk) in [(50, WHOLE), (50, CHUNK / 4), (1000, WHOLE), (1000, CHUNK), (4000, CHUNK)] {
        let (bytes, input) = (measure_decode(rows, chunk).bytes_total, create_page(rows).len() as u64);
        // The input, its strings in the frame, and the spare capacity of growing buffers.
        assert!(bytes <= 3 * input, "{bytes} bytes for {input} bytes of {rows} rows in chunks of {chunk}");
    }
}
