#![no_main]
//! Compares the decoder with serde: both must give the same result for every document of every record type. The document is
//! decoded whole, in chunks, and with each of the decode options.
//!
//! An input consists of the case, how the document is split, which punctuation mark is replaced, and the document. Instead
//! of a document it may have choices from which one is generated.

use std::sync::LazyLock;

use address_query::testing::record::{Record, Table, Value};
use address_query::testing::types::{RecordVisitor, visit_records};
use address_query::types;
use libfuzzer_sys::fuzz_target;
use serde::Serialize;

#[path = "../native/decoder_comparison.rs"]
mod decoder_comparison;
#[allow(dead_code, reason = "shared with the native tests")]
#[path = "../native/documents/mod.rs"]
mod documents;
mod seeds;
#[path = "../native/serde_reader.rs"]
mod serde_reader;
#[allow(dead_code, reason = "shared with the native tests")]
#[path = "../native/support.rs"]
mod support;

use documents::{Choices, generate_document};
use support::{Case, case, record, rows};

/// The responses of the REST API, then every record as an item of a list, as a row of an action and as a whole response.
static CASES: LazyLock<Vec<Case>> = LazyLock::new(|| {
    struct Cases(Vec<Case>);
    impl RecordVisitor for Cases {
        fn visit<T: Record + Value + Serialize>(&mut self) {
            let name = T::TABLE.name;
            self.0.extend([case::<T, types::ItemsOnly>(name), rows::<T>(name), record::<T>(name)]);
        }
    }
    let mut cases = Cases(support::CASES.to_vec());
    visit_records(&mut cases);
    cases.0
});

fuzz_target!(init: seeds::write("decoder", inputs()), |data: &[u8]| check(data));

/// The punctuation marks of JSON.
const MARKS: &[u8; 7] = b"{}[],:\"";

/// The recorded responses of each case, intact and with a mark replaced, and two sets of choices for every case.
fn inputs() -> Vec<Vec<u8>> {
    let row = |folder: &str| support::CASES.iter().find(|case| case.name == folder).map(|case| case.layout.row);
    let responses = seeds::responses().into_iter().filter_map(|(folder, json)| {
        let index = row(&folder).and_then(|row| CASES.iter().position(|case| has_row(case, row)))?;
        Some([0, 1].map(|damaged| [&case_number(index)[..], &[0, 3, 7, 77, 0, 99, damaged], &json].concat()))
    });
    let choices = (0..CASES.len()).flat_map(|index| {
        let choices = |seed: u32| {
            let byte = |at: u32| (at.wrapping_add(seed).wrapping_mul(2_654_435_761) >> 24).to_le_bytes()[0];
            [&case_number(index)[..], &[1, 3, 7, 77, 0, 0, 0], &(0..400).map(byte).collect::<Vec<u8>>()].concat()
        };
        [choices(1), choices(1_000_003)]
    });
    responses.flatten().chain(choices).collect()
}

fn case_number(index: usize) -> [u8; 2] {
    u16::try_from(index).expect("less than 65,536 cases").to_be_bytes()
}

fn has_row(case: &Case, row: &Table) -> bool {
    std::ptr::eq(case.layout.row, row)
}

fn check(data: &[u8]) {
    let Some((&index, data)) = data.split_first_chunk() else { return };
    let Some((&[is_generated, first, step, spread, mark_high, mark_low, other], rest)) = data.split_first_chunk()
    else {
        return;
    };
    let case = &CASES[usize::from(u16::from_be_bytes(index)) % CASES.len()];
    let mut json = if is_generated % 2 == 1 { generate_document(case, &mut Choices::new(rest)) } else { rest.to_vec() };
    // Replaces one mark by another, so that the document is almost valid JSON.
    if let Some(other) = MARKS.get(usize::from(other).wrapping_sub(1)) {
        let marks: Vec<usize> = (0..json.len()).filter(|&at| MARKS.contains(&json[at])).collect();
        if let Some(&at) = marks.get(usize::from(u16::from_be_bytes([mark_high, mark_low])) % marks.len().max(1)) {
            json[at] = *other;
        }
    }
    // Chunks of different sizes, from one byte. Each split position is computed from the last one.
    let [first, step, spread] = [first, step, spread].map(usize::from);
    let mut cuts = vec![first];
    while let Some(&last) = cuts.last().filter(|last| **last < json.len() && cuts.len() < 24) {
        cuts.push(last + 1 + last.wrapping_mul(spread) % (step + 1));
    }
    if let Err(what) = decoder_comparison::compare_decoders(case, &json, &cuts) {
        panic!("{}: {what}\ncuts: {cuts:?}\n{}", case.name, json.escape_ascii());
    }
}
