//! Both readings of one declaration agree on every document: equal results, or both refuse.

use address_query::decode::page::Leniency;
use address_query::decode::{Fail, FramePage};
use proptest::prelude::*;
use proptest::test_runner::TestRunner;

use crate::documents::{Choices, document};
use crate::support::{CASES, Case, Reading, cut_at, without_extra};

/// Choices a document may use; past them it goes on plainly.
const CHOICES: usize = 2500;

#[track_caller]
fn holds(case: &Case) {
    let config = ProptestConfig { failure_persistence: None, max_shrink_iters: 5_000, ..ProptestConfig::default() };
    let choices = prop::collection::vec(any::<u8>(), 0..CHOICES);
    let result = TestRunner::new(config).run(&choices, |bytes| {
        let mut choices = Choices::new(&bytes);
        let cuts: Vec<usize> = (0..choices.pick(6)).map(|_| choices.large()).collect();
        let document = document(case, &mut choices);
        check(case, &document, &cuts)
            .map_err(|what| TestCaseError::fail(format!("{what}\ncuts: {cuts:?}\n{}", document.escape_ascii())))
    });
    if let Err(error) = result {
        // Only the message: the choices say nothing to a reader.
        panic!("{}: {}", case.name, error.to_string().split("minimal failing input").next().unwrap_or_default());
    }
}

fn check(case: &Case, document: &[u8], cuts: &[usize]) -> Result<(), String> {
    let decoded = case.decode([document], Leniency::default());
    let typed = (case.typed)(document);
    agree(case, &decoded, &typed)?;

    let chunked = case.decode(cut_at(document, cuts), Leniency::default());
    match (&decoded, &chunked) {
        (Ok(whole), Ok(chunked)) if case.reading(whole) == case.reading(chunked) => {}
        (Err(whole), Err(chunked)) if same_place(whole, chunked) => {}
        _ => return Err(format!("whole: {:?}\nin chunks: {:?}", show(case, &decoded), show(case, &chunked))),
    }

    let lenient = case.decode(cut_at(document, cuts), Leniency { skip_bad_rows: true, keep_extra: true });
    skipping(case, &decoded, &lenient)
}

/// Equal results, or refusals that fit together: the decoder stops at the first thing that is wrong, serde reads the
/// syntax of all before it looks at anything.
fn agree(case: &Case, decoded: &Result<FramePage, Fail>, typed: &Result<Reading, Fail>) -> Result<(), String> {
    let fits = match (decoded, typed) {
        (Ok(page), Ok(typed)) => case.reading(page) == *typed,
        (Err(Fail::Shape(_)), Err(Fail::Shape(typed))) if typed.found == "a second one" => true,
        (Err(Fail::Shape(decoded)), Err(Fail::Shape(typed)))
        | (Err(Fail::Cursor(decoded)), Err(Fail::Cursor(typed))) => {
            (&decoded.path, &decoded.expected) == (&typed.path, &typed.expected)
        }
        (Err(Fail::Shape(_)), Err(Fail::Cursor(_)))
        | (Err(Fail::Cursor(_)), Err(Fail::Shape(_)))
        | (Err(_), Err(Fail::Syntax(_))) => true,
        _ => false,
    };
    if fits { Ok(()) } else { Err(format!("decoder: {:?}\nserde: {typed:?}", show(case, decoded))) }
}

fn show(case: &Case, decoded: &Result<FramePage, Fail>) -> Result<Reading, Fail> {
    decoded.as_ref().map(|page| case.reading(page)).map_err(Clone::clone)
}

/// What is found may be cut short where a chunk ends.
fn same_place(one: &Fail, other: &Fail) -> bool {
    match (one, other) {
        (Fail::Shape(one), Fail::Shape(other)) | (Fail::Cursor(one), Fail::Cursor(other)) => one == other,
        (Fail::Syntax(one), Fail::Syntax(other)) => (&one.path, &one.expected) == (&other.path, &other.expected),
        _ => false,
    }
}

/// Leaving bad rows out changes nothing else, and leaves out none that is good.
fn skipping(case: &Case, strict: &Result<FramePage, Fail>, lenient: &Result<FramePage, Fail>) -> Result<(), String> {
    if let (Ok(strict), Ok(lenient)) = (strict, lenient) {
        let (strict, lenient) = (case.reading(strict), case.reading(lenient));
        let same = strict.value == lenient.value.map(without_extra) && strict.next == lenient.next;
        return if same {
            Ok(())
        } else {
            Err("unknown fields or bad rows are kept, and the rest is different".into())
        };
    }
    let Ok(lenient) = lenient else {
        return if strict.is_err() { Ok(()) } else { Err(format!("leniency refuses: {lenient:?}")) };
    };
    for bad in &lenient.bad_rows {
        match (case.typed_row)(&bad.raw) {
            Err(typed) if bad.mismatch.path.ends_with(&typed.path) && bad.mismatch.expected == typed.expected => {}
            other => return Err(format!("{bad:?}\nserde: {other:?}")),
        }
    }
    if lenient.bad_rows.is_empty() { Err("refused without a bad row, and read with leniency".into()) } else { Ok(()) }
}

macro_rules! lists {
    ($( $name:ident ),*) => { $(
        #[test]
        #[expect(non_snake_case, reason = "the name of the list under test")]
        fn $name() {
            holds(&crate::support::$name);
        }
    )* };
}

lists!(
    ADDRESSES,
    NFT,
    LOGS,
    TRANSFERS,
    BALANCES,
    CALLS,
    WITHDRAWALS,
    TRANSACTION_ROWS,
    INTERNAL_ROWS,
    TRANSFER_ROWS,
    HOLDING_ROWS,
    BLOCK_ROWS,
    BALANCE_ROWS
);

#[test]
fn generated_documents_are_neither_all_good_nor_all_bad() {
    let (mut good, mut rows, mut bad) = (0, 0, 0);
    for seed in 0..400usize {
        let mut state = seed;
        let mut byte = || {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            state.to_be_bytes()[0]
        };
        let bytes: Vec<u8> = (0..CHOICES).map(|_| byte()).collect();
        let case = CASES[seed % CASES.len()];
        match case.decode_whole(document(case, &mut Choices::new(&bytes))) {
            Ok(page) => {
                good += 1;
                rows += page.rows.len();
            }
            Err(_) => bad += 1,
        }
    }
    assert!(good > 100 && bad > 100 && rows > 100, "{good} good with {rows} rows, {bad} bad");
}
