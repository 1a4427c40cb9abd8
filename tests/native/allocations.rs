//! What reading a page allocates, in numbers that no machine changes. A program of its own: its allocator counts.
// `wasm-pack test` builds every test, and not every crate used here.
#![cfg(not(target_arch = "wasm32"))]
#![allow(clippy::unwrap_used, clippy::expect_used, missing_docs)]

use std::fmt::Write as _;

use address_query::decode::page::{Experience, FramePage, Leniency, PageDecoder};
use address_query::record::Record;
use address_query::types::{ItemsOnly, TokenTransfer};
use allocation_counter::{AllocationInfo, measure};

/// What is taken of a body at a time.
const CHUNK: usize = address_query::client::runtime::PIECE as usize;
/// Larger than any page here.
const WHOLE: usize = 1 << 30;

/// A page of transfers, no two of which share a hash or an amount; addresses and tokens repeat, as they do in real ones.
fn page(rows: usize) -> Vec<u8> {
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

/// Reads a page that arrives in chunks of this size.
fn decode(bytes: &[u8], chunk: usize, experience: Experience) -> (FramePage, Experience) {
    let mut decoder = PageDecoder::new(TokenTransfer::TABLE, ItemsOnly::TABLE, Leniency::default(), experience);
    for chunk in bytes.chunks(chunk) {
        decoder.feed(chunk.to_vec()).unwrap();
    }
    decoder.finish().unwrap()
}

/// What reading a page allocates after one like it has been read, in whose room it is.
fn cost(rows: usize, chunk: usize) -> AllocationInfo {
    let bytes = page(rows);
    let (first, experience) = decode(&bytes, chunk, Experience::default());
    first.frame.give_back();
    let mut page = None;
    let info = measure(|| page = Some(decode(&bytes, chunk, experience).0));
    assert_eq!(page.unwrap().rows.len(), rows);
    info
}

/// More buffers than a page has that grow.
const BUFFERS: u64 = 16;

#[test]
fn a_row_allocates_nothing_of_its_own() {
    for rows in [50, 1000] {
        let (once, twice) = (cost(rows, WHOLE).count_total, cost(2 * rows, WHOLE).count_total);
        // Twice the rows: each growing buffer doubles once more.
        assert!(twice - once <= BUFFERS, "{once} allocations for {rows} rows, {twice} for twice as many");
    }
}

#[test]
fn a_page_of_fifty_rows_takes_a_dozen_allocations() {
    let count = cost(50, WHOLE).count_total;
    assert!(count <= 16, "{count}");
}

#[test]
fn a_chunk_allocates_its_own_bytes_and_no_more() {
    let chunks = page(2000).len().div_ceil(CHUNK) as u64;
    let (whole, cut) = (cost(2000, WHOLE).count_total, cost(2000, CHUNK).count_total);
    // The one is made by this test; the rest is for rows that are cut in two.
    assert!(cut - whole <= chunks + BUFFERS, "{whole} allocations in one piece, {cut} in {chunks}");
}

#[test]
fn what_is_allocated_is_proportional_to_the_answer() {
    for (rows, chunk) in [(50, WHOLE), (50, CHUNK / 4), (1000, WHOLE), (1000, CHUNK), (4000, CHUNK)] {
        let (bytes, input) = (cost(rows, chunk).bytes_total, page(rows).len() as u64);
        // The input itself, the texts of it that are given out, and the room by which growing buffers outgrow them.
        assert!(bytes <= 3 * input, "{bytes} bytes for {input} bytes of {rows} rows in chunks of {chunk}");
    }
}
