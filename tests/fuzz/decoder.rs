#![no_main]
//! The decoder, against serde: both read every document of every declaration alike, whole, in pieces and with leniency.
//!
//! An input is the case, how the document is cut, which mark of it is replaced, and the document; or, in place of the
//! document, choices of which one is made.

use std::sync::LazyLock;

use address_query::record::Table;
use address_query::types::{self, RECORDS};
use libfuzzer_sys::fuzz_target;

#[allow(dead_code, reason = "shared with the native tests")]
#[path = "../native/documents.rs"]
mod documents;
#[path = "../native/readings.rs"]
mod readings;
mod seeds;
#[allow(dead_code, reason = "shared with the native tests")]
#[path = "../native/support.rs"]
mod support;

use documents::{Choices, document};
use support::{Case, case, record, rows};

/// The lists, then every record as an item of a list, as a row of an action and as a whole answer.
static CASES: LazyLock<Vec<Case>> = LazyLock::new(|| {
    macro_rules! every {
        ($( $name:ident ),*) => {
            vec![
                case::<types::AddressListItem, types::Addresses>("addresses"),
                case::<types::InternalTransaction, types::InternalTransactions>("address-internal-transactions"),
                $( case::<types::$name, types::ItemsOnly>(stringify!($name)), )*
                $( rows::<types::$name>(stringify!($name)), )*
                $( record::<types::$name>(stringify!($name)), )*
            ]
        };
    }
    let cases = every!(
        Address,
        AddressListItem,
        Addresses,
        AddressMetadata,
        MetadataTag,
        Implementation,
        AddressTag,
        WatchlistName,
        Token,
        NftInstance,
        NftThumbnails,
        Log,
        DecodedLog,
        DecodedParameter,
        TokenTransfer,
        TransferTotal,
        CoinBalanceChange,
        InternalTransaction,
        InternalTransactions,
        InternalTransactionsMeta,
        Withdrawal,
        ItemsOnly,
        Balance,
        Account,
        TokenHolding,
        MinedBlock,
        AccountTransaction,
        PendingTransaction,
        AccountInternalTransaction,
        Erc20Transfer,
        Erc721Transfer,
        Erc1155Transfer,
        Erc404Transfer,
        RowsEnvelope,
        ValueResponse,
        EthBalanceResponse
    );
    for described in RECORDS {
        assert!(cases.iter().any(|case| is(case, described.table)), "{} is not fuzzed", described.table.name);
    }
    cases
});

fuzz_target!(init: seeds::write("decoder", inputs()), |data: &[u8]| check(data));

/// What stands between the values of a document.
const MARKS: &[u8; 7] = b"{}[],:\"";

/// Each answer in each folder's case, sound and with a mark replaced, and some choices for every case.
fn inputs() -> Vec<Vec<u8>> {
    let row = |folder: &str| support::CASES.iter().find(|case| case.name == folder).map(|case| case.layout.row);
    let answers = seeds::answers().into_iter().filter_map(|(folder, json)| {
        let place = row(&folder).and_then(|row| CASES.iter().position(|case| is(case, row)))?;
        Some([0, 1].map(|damaged| [&[number(place), 0, 3, 7, 77, 0, 99, damaged][..], &json].concat()))
    });
    let choices = (0..CASES.len()).flat_map(|place| {
        let choices = |seed: u32| {
            let byte = |at: u32| (at.wrapping_add(seed).wrapping_mul(2_654_435_761) >> 24).to_le_bytes()[0];
            [&[number(place), 1, 3, 7, 77, 0, 0, 0][..], &(0..400).map(byte).collect::<Vec<u8>>()].concat()
        };
        [choices(1), choices(1_000_003)]
    });
    answers.flatten().chain(choices).collect()
}

fn number(place: usize) -> u8 {
    u8::try_from(place).expect("a byte numbers the cases")
}

fn is(case: &Case, row: &Table) -> bool {
    std::ptr::eq(case.layout.row, row)
}

fn check(data: &[u8]) {
    let Some((&[place, made, first, step, spread, mark_high, mark_low, other], rest)) = data.split_first_chunk() else {
        return;
    };
    let case = &CASES[usize::from(place) % CASES.len()];
    let mut json = if made % 2 == 1 { document(case, &mut Choices::new(rest)) } else { rest.to_vec() };
    // One mark in the place of another: nearly JSON.
    if let Some(other) = MARKS.get(usize::from(other).wrapping_sub(1)) {
        let marks: Vec<usize> = (0..json.len()).filter(|&at| MARKS.contains(&json[at])).collect();
        if let Some(&at) = marks.get(usize::from(u16::from_be_bytes([mark_high, mark_low])) % marks.len().max(1)) {
            json[at] = *other;
        }
    }
    // Pieces of any size, from single bytes on: where the last one was cut says where the next one is.
    let [first, step, spread] = [first, step, spread].map(usize::from);
    let mut cuts = vec![first];
    while let Some(&last) = cuts.last().filter(|last| **last < json.len() && cuts.len() < 24) {
        cuts.push(last + 1 + last.wrapping_mul(spread) % (step + 1));
    }
    if let Err(what) = readings::check(case, &json, &cuts) {
        panic!("{}: {what}\ncuts: {cuts:?}\n{}", case.name, json.escape_ascii());
    }
}
